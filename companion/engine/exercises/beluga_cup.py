"""Which may you play, and what is eaten worth? Exercises of Beluga Cup.

Positions come from matches that are dealt, drawn and played at random, by the rules. Each of them catches a player who
misreads one rule. You are player 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.engine.beluga_cup.cards import DECKS, HAND
from companion.engine.beluga_cup.events import MOST_DISCARDED, BelugaCupOptions, Discard, Fill, Play
from companion.engine.beluga_cup.match import BelugaCup, apply, start
from companion.engine.beluga_cup.plays import choices
from companion.engine.beluga_cup.scoring import Eaten, points
from companion.engine.beluga_cup.zones import Zone, each, eater, lay, size
from companion.engine.decktet import SUIT_INDEX, SUITS, Card
from companion.engine.exercises.chance import Chance
from companion.engine.exercises.exercise import Exercise, Group, Lesson, Option, Result, count_for_two
from companion.engine.text import Name, say, term

YOU = 0
PLAYERS = (Name("You"), Name("Bo"))
PLAYS = 24  # of a random match that are searched; then another is begun
MATCHES = 60  # random matches that are searched at most
FITTING = 3  # positions of which the most telling is taken
DEALS = 6  # hands of the opponent of which the most telling is taken
FURTHER = 6  # plays after the one that is asked for, until somebody has eaten


@dataclass(frozen=True, slots=True)
class Turn:
    """A zone, the side of it that is asked about, and the hand. Player 0, who is asked, plays now."""

    zone: Zone
    side: int
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A turn with all that is hidden: the opponent's hand, and the cards of the draw pile."""

    turn: Turn
    others: tuple[Card, ...]
    pile: tuple[Card, ...]


def _fits(zone: Zone, side: int, card: Card) -> bool:
    """Return whether the card may be played there alone (ruling U2), as ``refusal`` does, without its sentence."""
    return any(zone.lacking[side][SUIT_INDEX[suit]] for suit in card.suits)


def _every_suit(zone: Zone, side: int, card: Card) -> bool:
    return all(zone.lacking[side][SUIT_INDEX[suit]] for suit in card.suits)


def _demanded(zone: Zone, _side: int, card: Card) -> bool:
    return any(zone.demand[SUIT_INDEX[suit]] for suit in card.suits)


def _for_either(zone: Zone, side: int, card: Card) -> bool:
    return any(zone.lacking[side][SUIT_INDEX[suit]] or zone.lacking[1 - side][SUIT_INDEX[suit]] for suit in card.suits)


_READINGS: tuple[tuple[Callable[[Zone, int, Card], bool], Lesson], ...] = (
    (
        _every_suit,
        Lesson(
            say("A card {word} if one of its suits is lacking there; its other suit may be any.", word=term("fits", "rule")),
            "U2",
        ),
    ),
    (
        _demanded,
        Lesson(
            say(
                "A suit that is {word} takes no more cards: one of the card’s suits must still be lacking.",
                word=term("met", "rule"),
            ),
            "met",
        ),
    ),
    (
        _for_either,
        Lesson(
            say("Each side has its own {word}: what the other side lacks does not matter.", word=term("demand", "rule")),
            "demand",
        ),
    ),
)


def exercise(number: int) -> Exercise:
    """Return the exercise with this number: twice in three a turn, else the fish that are counted at the end."""
    chance = Chance("beluga-cup", number)
    return _score(chance) if chance.below(3) == 0 else _play(chance)


def _play(chance: Chance) -> Exercise:
    reads, lesson = chance.choice(_READINGS)
    made: list[Exercise] = []
    for _ in range(MATCHES):
        for seen in _turns(chance):
            turn = seen.turn
            right = {card.id for card in turn.hand if _fits(turn.zone, turn.side, card)}
            misread = {card.id for card in turn.hand if reads(turn.zone, turn.side, card)}
            if right and misread and right != misread and len(right) < len(turn.hand):
                made.append(_exercise(chance, seen, frozenset(right), frozenset(misread), lesson))
                if made[-1].cost > 0 or len(made) == FITTING:
                    return max(made, key=lambda exercise: exercise.cost)
                break
    return max(made, key=lambda exercise: exercise.cost)


def _exercise(chance: Chance, seen: _Seen, right: frozenset[str], misread: frozenset[str], lesson: Lesson) -> Exercise:
    turn = seen.turn
    wrong = sorted(misread - right) or sorted(misread)
    unseen = [*seen.others, *seen.pile]
    hands = [seen.others, *(tuple(chance.shuffled(unseen)[: len(seen.others)]) for _ in range(DEALS - 1))]
    played = [{card.id: _played_on(turn, card, others) for card in turn.hand} for others in hands]
    others, telling = max(zip(hands, played, strict=True), key=lambda deal: _differs(deal[1], right, wrong))
    results = {card: _result(zone) for card, zone in telling.items()}
    return Exercise(
        kind="play",
        ask=say("Which may you play there?"),
        position=turn,
        groups=(
            Group(
                say("Tap all that fit, each played alone"),
                tuple(Option(card.id, card.title, card.id) for card in turn.hand),
            ),
        ),
        right=right,
        misread=misread,
        wrong=min(wrong, key=lambda key: results[key].worth),
        results=results,
        lesson=lesson,
        hidden=others,
    )


def _differs(zones: dict[str, tuple[Zone, int | None]], right: frozenset[str], wrong: Sequence[str]) -> int:
    return max(_result(zones[key]).worth for key in right) - min(_result(zones[key]).worth for key in wrong)


def _result(ended: tuple[Zone, int | None]) -> Result:
    zone, winner = ended
    fish, mine, theirs = len(zone.fish), zone.total(YOU), zone.total(1 - YOU)
    if winner is None:
        return Result(0, say("fish eaten yet, {mine} to {theirs}", mine=mine, theirs=theirs), mine - theirs)
    if winner == YOU:
        return Result(fish, say("fish for you, {mine} to {theirs}", mine=mine, theirs=theirs), 100 * fish)
    return Result(fish, say("fish for Bo, {mine} to {theirs}", mine=mine, theirs=theirs), -100 * fish)


def _played_on(turn: Turn, card: Card, others: Sequence[Card]) -> tuple[Zone, int | None]:
    """Return the zone after this card, and after what both then play into it by turns, and who eats it (None: nobody yet).

    Each lays the card that eats, or else the one that puts their own side furthest ahead.
    """
    hands = [[other for other in turn.hand if other != card], list(others)]
    zone, player = lay(turn.zone, turn.side, (card,)), YOU
    for _ in range(FURTHER):
        if (winner := eater(zone, player)) is not None:
            return zone, winner
        player = 1 - player
        ways = [
            (laid, other)
            for side in (0, 1)
            for other in hands[player]
            if _fits(zone, side, other)
            for laid in (lay(zone, side, (other,)),)
        ]
        if not ways:
            break
        zone, laid_card = max(ways, key=lambda way: _ahead(way[0], player))
        hands[player].remove(laid_card)
    return zone, eater(zone, player)


def _ahead(zone: Zone, player: int) -> int:
    lead = zone.total(player) - zone.total(1 - player)
    winner = eater(zone, player)
    return lead if winner is None else lead + 100 if winner == player else lead - 100


# A match at random


def _turns(chance: Chance) -> list[_Seen]:
    """Return turns of player 0 in a match that is dealt and played at random, one zone and side of each."""
    turns = []
    match = _Match(chance)
    for _ in range(PLAYS):
        state = match.state
        if state.over:
            break
        if state.turn == YOU:
            zones = [zone for zone in state.zones if not zone.untouched and not (zone.full(0) and zone.full(1))]
            open_sides = [(zone, side) for zone in zones for side in (0, 1) if not zone.full(side)]
            if open_sides:
                zone, side = chance.choice(open_sides)
                turns.append(_Seen(Turn(zone, side, tuple(match.hands[0])), tuple(match.hands[1]), tuple(match.pile)))
        match.move()
    return chance.shuffled(turns)


class _Match:
    """A match at random: the state by the engine, and the cards, which only the players see."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.state: BelugaCup = start(PLAYERS, BelugaCupOptions())
        self.pile = chance.shuffled(DECKS["basic"])
        self.hands = [[self.pile.pop() for _ in range(HAND)] for _ in PLAYERS]
        self._fill()

    def move(self) -> None:
        """Play a legal card at random, or discard if none fits; then draw, and fill the zone that was eaten."""
        player = self.state.turn or 0
        hand = self.hands[player]
        plays = [choice for choice in choices(self.state.zones, player, hand) if isinstance(choice.side, int)]
        if plays:
            # The last of the random choices goes to a zone that is begun already, so that zones fill up.
            choice = max(
                (self.chance.choice(plays[:256]) for _ in range(3)),
                key=lambda choice: not self.state.zone(choice.zone).untouched,
            )
            assert isinstance(choice.side, int)
            gone, event = set(choice.cards), Play(player, choice.zone, choice.side, choice.cards)
            self.state = apply(self.state, event)
        else:
            gone = {card.id for card in hand[:MOST_DISCARDED]}
            self.state = apply(self.state, Discard(player, len(gone)))
        self.hands[player] = [card for card in hand if card.id not in gone]
        while len(self.hands[player]) < HAND and self.pile:
            self.hands[player].append(self.pile.pop())
        self._fill()

    def _fill(self) -> None:
        """Draw fish for the zones that wait."""
        for number in self.state.to_fill:
            if not self.state.over:
                fish = self.chance.shuffled(each(self.state.bag))[: size(number)]
                self.state = apply(self.state, Fill(number, tuple(fish), "hand"))


# The count at the end


@dataclass(frozen=True, slots=True)
class Fish:
    """What both have eaten of each suit, in canonical order."""

    eaten: Eaten


def _own(eaten: Eaten) -> tuple[int, int]:
    """Return the points if whoever has more of a suit scored their own fish."""
    pairs = list(zip(*eaten, strict=True))
    return sum(mine for mine, theirs in pairs if mine > theirs), sum(theirs for mine, theirs in pairs if theirs > mine)


def _difference(eaten: Eaten) -> tuple[int, int]:
    pairs = list(zip(*eaten, strict=True))
    return sum(max(0, mine - theirs) for mine, theirs in pairs), sum(max(0, theirs - mine) for mine, theirs in pairs)


def _ties(eaten: Eaten) -> tuple[int, int]:
    """Return the points if both scored a suit of which they have equally many."""
    first, second = points(eaten)
    tied = sum(mine for mine, theirs in zip(*eaten, strict=True) if mine == theirs)
    return first + tied, second + tied


_MISCOUNTS: tuple[tuple[Callable[[Eaten], tuple[int, int]], Lesson], ...] = (
    (
        _own,
        Lesson(
            say("In each suit, whoever has more {word} the number of the other’s fish.", word=term("scores", "rule")),
            "points",
        ),
    ),
    (
        _difference,
        Lesson(
            say(
                "In each suit, whoever has more {word} as many as the other has, not the difference.",
                word=term("scores", "rule"),
            ),
            "points",
        ),
    ),
    (
        _ties,
        Lesson(
            say("If both have {word} of a suit, nobody scores it.", word=term("equally many", "rule")),
            "U6",
        ),
    ),
)


def _score(chance: Chance) -> Exercise:
    miscount, lesson = chance.choice(_MISCOUNTS)
    eaten = _eaten(chance)
    while miscount(eaten) == points(eaten):
        eaten = _eaten(chance)
    right, wrong = points(eaten), miscount(eaten)
    counts = (count(eaten) for count, _ in _MISCOUNTS)
    near = ((right[1], right[0]), (right[0] + 1, right[1]), (right[0], right[1] + 1))
    return count_for_two(
        Fish(eaten), say("What do these fish score?"), say("Tap the score"), right, (*counts, *near), wrong=wrong, lesson=lesson
    )


def _eaten(chance: Chance) -> Eaten:
    """Return what both have eaten when a match at random is over: each fish of the bag, by one, the other, or nobody."""
    mine, theirs = [0] * len(SUITS), [0] * len(SUITS)
    for suit in range(len(SUITS)):
        for _ in range(BelugaCupOptions().fish_per_suit):
            eats = chance.below(5)
            mine[suit] += eats < 2
            theirs[suit] += eats in {2, 3}
    return tuple(mine), tuple(theirs)
