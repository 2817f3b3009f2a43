"""Is a card refused only where no way of following the rules allows it? Whole matches, shuffled in every allowed way (U13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from companion.engine.beluga_cup import GAME, BelugaCupOptions, Discard, ExcuseSwap, ExcuseTake, Fill, Play, Shuffle
from companion.engine.core import Event, Position, RuleError, start
from companion.engine.decktet import CARDS
from tests.engine.beluga_cup.table import DECKS, Table

ANA, BO = 0, 1
MATCHES = 64  # each style with each deck and number of fish, and some more
MOST_TURNS = 250  # a match in which nobody can play any more is stopped (ruling U11)

STYLES: dict[str, Callable[[Random], tuple[Callable[[], bool], Callable[[], bool]]]] = {
    "shuffled at once": lambda _: (lambda: True, lambda: False),
    "discarded after drawing": lambda _: (lambda: False, lambda: True),
    "shuffled at once, discarded after drawing": lambda _: (lambda: True, lambda: True),
    "as it comes": lambda rng: (lambda: rng.random() < 0.5, lambda: rng.random() < 0.5),
}


class Match:
    """A table at which random legal plays are made, and what is entered of it."""

    def __init__(self, number: int) -> None:
        rng = self.rng = Random(number)
        self.deck = list(DECKS)[number // 4 % 3]
        fish_per_suit = (7, 12)[number % 2] if number < 48 else 7 + number % 6
        at_once, after = list(STYLES.values())[number // 12 % 4](rng)
        self.table = Table(self.deck, fish_per_suit, rng, at_once, after)
        options = BelugaCupOptions(fish_per_suit=fish_per_suit, deck=self.deck)
        self.position: Position[Any] = start(GAME, ("Ana", "Bo"), options)

    def events(self) -> Iterator[Event]:
        """Play on, and iterate over what is entered, each event after it has happened at the table."""
        for _ in range(MOST_TURNS):
            for zone in sorted(self.table.empty):
                fish = self.rng.sample(self.table.bag, zone)
                self.table.fill(zone, fish)
                yield Fill(zone, tuple(fish), "hand")
            yield self.turn()
            if self.table.over:
                return

    def turn(self) -> Event:
        table, rng, player = self.table, self.rng, self.table.turn
        choices = sorted(table.legal(player), key=str)
        if not choices:
            thrown = rng.sample(table.hands[player], rng.randrange(4))
            for card in thrown:
                table.hands[player].remove(card)
            table.unseen_discards += thrown
            table.end_turn(1 - player)
            return Discard(player, len(thrown))
        what, zone, *rest = rng.choice(choices)
        if what == "place":
            side, cards = rest[0], sorted(rest[1])
            table.place(list(cards), zone, side)
            return Play(player, zone, side, tuple(cards))
        table.play_excuse()
        if what == "take":
            table.sides[zone - 1][player].remove(rest[0])
            table.hands[player].append(rest[0])
            table.end_turn(1 - player)
            return ExcuseTake(player, zone, rest[0])
        amount = min(zone, len(table.bag))
        drawn = rng.sample(table.bag, amount)
        returned = rng.sample(table.fish[zone - 1] + drawn, amount)
        table.swap(zone, drawn, returned)
        table.end_turn(1 - player)
        return ExcuseSwap(player, zone, tuple(drawn), tuple(returned), "hand")


@pytest.mark.parametrize("first", range(0, MATCHES, 16))
def test_no_legal_play_is_refused_however_the_deck_is_shuffled(first: int) -> None:
    shuffles = 0
    for number in range(first, first + 16):
        match = Match(number)
        for event in match.events():
            match.position = match.position.apply(event)  # raises what would be refused
            state = match.position.state
            held = [card for hand in match.table.hands for card in hand if state.discarded(CARDS[card])]
            assert held == []
        assert match.position.finished or len(match.table.bag) > 0
        shuffles += match.table.shuffles
    assert shuffles > 3 * 16


# Every way, played through card by card


@dataclass(frozen=True)
class World:
    """One way in which the cards may have gone: so many in the draw pile, and which are among the discards."""

    pile: int
    known: frozenset[str] = frozenset()
    unknown: int = 0


def each_way(world: World, needed: int, late: frozenset[str]) -> set[World]:
    """Return how the cards may lie once a player has drawn: each draw, shuffle and discard is a step, in any allowed order."""
    found: set[World] = set()
    seen = set()
    steps = [(world, 0, late)]
    while steps:
        step = steps.pop()
        if step in seen:
            continue
        seen.add(step)
        now, drawn, to_discard = step
        if drawn == needed and not to_discard:
            found.add(now)
        if not now.pile and (now.known or now.unknown):
            steps.append((World(len(now.known) + now.unknown), drawn, to_discard))
        if now.pile and drawn < needed:
            steps.append((World(now.pile - 1, now.known, now.unknown), drawn + 1, to_discard))
        if to_discard and drawn in (0, needed):
            steps.append((World(now.pile, now.known | to_discard, now.unknown), drawn, frozenset()))
    return found


def test_what_is_refused_is_exactly_what_no_way_allows() -> None:
    compared = 0
    for number in range(24):
        match = Match(number)
        worlds = {World(len(DECKS[match.deck]) - 12)}
        for event in match.events():
            before = match.position.state.zones
            match.position = match.position.apply(event)
            if isinstance(event, Fill):
                continue
            played = {"excuse"} if isinstance(event, ExcuseSwap | ExcuseTake) else set()
            spent, late = 1, frozenset(played)
            if isinstance(event, ExcuseTake):
                spent = 0
            if isinstance(event, Play):
                played, spent, late = set(event.cards), len(event.cards), frozenset()
                if not match.table.fish[event.zone - 1]:  # it was eaten
                    zone = before[event.zone - 1]
                    late = frozenset({card.id for side in zone.sides for card in side} | played)
            if isinstance(event, Discard):
                spent = event.cards
                worlds = {World(each.pile, each.known, each.unknown + spent) for each in worlds}
            worlds = {each for each in worlds if not each.known & played}
            worlds = {after for each in worlds for after in each_way(each, spent, late)}
            for card in DECKS[match.deck]:
                assert match.position.state.discarded(CARDS[card]) == all(card in each.known for each in worlds), card
            piles = {each.pile for each in worlds}
            assert match.position.state.pile.left == (piles.pop() if len(piles) == 1 else None)
            compared += 1
    assert compared > 24 * 40


# What stays refused, and the way out

FISH = ((1, "moons"), (2, "suns suns"), (3, "waves waves waves"), (4, "leaves leaves wyrms knots"))


def entered(*events: Event, deck: Any = "basic", by: int = 3) -> Position[Any]:
    """Return a match with the fish of FISH and these events, in this edition of the rules."""
    game = GAME.by_version(by)
    assert game is not None
    position: Position[Any] = start(game, ("Ana", "Bo"), BelugaCupOptions(deck=deck))
    for event in (*(Fill(zone, tuple(fish.split()), "hand") for zone, fish in FISH), *events):
        position = position.apply(event)
    return position


def refusal_of(position: Position[Any], event: Event) -> RuleError:
    with pytest.raises(RuleError) as caught:
        position.apply(event)
    return caught.value


EATEN = (Play(BO, 1, BO, ("ace-moons",)), Play(ANA, 1, ANA, ("crown-moons",)), Fill(1, ("moons",), "hand"))
AGAIN = Play(BO, 1, BO, ("ace-moons",))


def test_a_card_that_was_discarded_a_moment_ago_is_refused() -> None:
    refusal = refusal_of(entered(*EATEN), AGAIN)
    assert refusal.message == "The Ace of moons is among the discards until the deck is shuffled."
    assert (refusal.rule, refusal.field) == ("U12", "cards.0")
    assert refusal_of(entered(*EATEN), Play(BO, 1, BO, ("ace-moons", "crown-moons"))).field == "cards.0"


def test_a_card_on_the_table_is_refused_after_a_shuffle_too() -> None:
    laid = Play(BO, 2, BO, ("crown-suns",))
    refusal = refusal_of(entered(laid, Shuffle()), Play(ANA, 2, ANA, ("crown-suns",)))
    assert refusal.message == "The Crown of suns lies in zone 2 already."


def test_once_the_deck_was_shuffled_every_discard_may_be_played() -> None:
    position = entered(*EATEN, Shuffle())
    assert position.state.pile.left == 36 - 12
    assert position.apply(AGAIN).state.zones[0].sides[1] == (CARDS["ace-moons"],)
    assert position.apply(Play(BO, 1, ANA, ("crown-moons",)))
    # what is discarded later lies there again
    eaten = (Play(BO, 1, ANA, ("crown-moons",)), Play(ANA, 1, BO, ("8-moons-suns",)), Fill(1, ("knots",), "hand"))
    after = entered(*EATEN, Shuffle(), *eaten)
    assert after.state.discarded(CARDS["crown-moons"])
    assert not after.state.discarded(CARDS["ace-moons"])
    assert refusal_of(after, Play(BO, 1, BO, ("8-moons-suns",))).rule == "U12"


@pytest.mark.parametrize("events", [(), EATEN[:2], EATEN])
def test_the_deck_may_be_shuffled_at_any_time(events: tuple[Event, ...]) -> None:
    before = entered(*events)
    after = before.apply(Shuffle())
    assert (after.state.turn, after.state.zones, after.state.to_fill) == (
        before.state.turn,
        before.state.zones,
        before.state.to_fill,
    )
    position: Position[Any] = start(GAME, ("Ana", "Bo"))
    assert position.apply(Shuffle()).state.to_fill == (1, 2, 3, 4)


def test_a_match_without_cards_has_no_shuffle() -> None:
    position: Position[Any] = start(GAME, ("Ana", "Bo"), BelugaCupOptions(cards="untracked"))
    assert "has no shuffle" in refusal_of(position, Shuffle()).message


def test_the_excuse_comes_back_with_the_shuffle() -> None:
    swap = ExcuseSwap(BO, 1, ("suns",), ("suns",), "hand")
    back = Discard(ANA, 0)
    refusal = refusal_of(entered(swap, back, deck="courts"), swap)
    assert (refusal.rule, refusal.field) == ("U12", "type")
    assert entered(swap, back, Shuffle(), swap, deck="courts")


def drained(cards: int) -> tuple[Event, ...]:
    """Return turns in which this many cards are drawn, three at a time, without one that is seen."""
    return tuple(Discard((BO, ANA)[turn % 2], 3) for turn in range(cards // 3))


@pytest.mark.parametrize(
    ("drawn", "comes_back"),
    [
        (21, False),  # 24 were there, and Bo and Ana drew one each: one card is left
        (24, True),  # the next one was needed
    ],
)
def test_a_card_comes_back_when_the_draw_pile_may_have_been_empty(drawn: int, comes_back: bool) -> None:
    position = entered(*EATEN, *drained(drawn))
    player = position.state.turn
    assert position.state.discarded(CARDS["ace-moons"]) != comes_back
    again = Play(player, 1, player, ("ace-moons",))
    if comes_back:
        position.apply(again)
    else:
        assert refusal_of(position, again).rule == "U12"


def test_a_card_that_is_played_tells_which_way_the_deck_was_shuffled() -> None:
    """Ana drew the last card when a zone was eaten. Were its cards shuffled too? That shows when one of them is played."""
    spent = (*drained(21), Discard(ANA, 1), Play(BO, 1, BO, ("ace-moons",)))
    eaten = (Play(ANA, 1, ANA, ("crown-moons",)), Fill(1, ("moons",), "hand"))
    position = entered(*spent, *eaten)
    assert position.state.pile.left is None
    assert position.apply(AGAIN).state.pile.left == 36 - 12 - 1  # all that are neither in a hand nor on the table


# Editions


def accepted(events: Iterable[Event], by: int) -> bool:
    try:
        entered(*events, by=by)
    except RuleError:
        return False
    return True


def test_matches_of_earlier_editions_stay_as_they_are() -> None:
    """Edition 1 refused no discarded card. Edition 2 knew one way to shuffle: when a card was needed and there was none."""
    last = (*EATEN, *drained(21), Discard(ANA, 1))  # the draw pile is empty now
    assert [accepted((*EATEN, AGAIN), edition) for edition in (1, 2, 3)] == [True, False, False]
    assert [accepted((*last, AGAIN), edition) for edition in (1, 2, 3)] == [True, False, True]
    assert [accepted((*EATEN, Shuffle(), AGAIN), edition) for edition in (1, 2, 3)] == [True, True, True]
