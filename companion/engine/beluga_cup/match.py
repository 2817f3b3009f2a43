"""How does a match go? Whose turn it is, what each event does to bag, zones and fish eaten, and when it is over."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine.beluga_cup.cards import DECKS, HAND, find_card, find_cards, has_excuse
from companion.engine.beluga_cup.events import (
    BelugaCupEvent,
    BelugaCupOptions,
    Discard,
    Eat,
    ExcuseSwap,
    ExcuseTake,
    Fill,
    Play,
    Shuffle,
)
from companion.engine.beluga_cup.pile import CountedPile, Pile, deal
from companion.engine.beluga_cup.scoring import Eaten, explanation, points, winners
from companion.engine.beluga_cup.words import FISH, fish_of, zones
from companion.engine.beluga_cup.zones import (
    NOTHING,
    NUMBERS,
    Counts,
    Zone,
    by_suit,
    count,
    eater,
    lay,
    lift,
    make_zone,
    refusal,
    size,
)
from companion.engine.core import Lines, RuleError, Standing
from companion.engine.decktet import EXCUSE, SUITS, Card, Suit
from companion.engine.text import Name, Sentence, listing, name, say, say_n


class BelugaCup(msgspec.Struct, frozen=True):
    """Where a match stands.

    ``bag`` and ``eaten`` count fish by suit in canonical order. ``to_fill`` are the numbers of the zones that wait for fish;
    nothing else can happen before they have it. ``turn`` and ``pile`` (where the unseen cards are) are None where cards are not
    tracked. ``drawn`` is how many fish the app has drawn. ``discards_rest`` is False only where a match began before ruling U12
    and its discards could be played.
    """

    players: tuple[str, ...]
    options: BelugaCupOptions
    bag: Counts
    turn: int | None
    pile: Pile | CountedPile | None
    zones: tuple[Zone, ...] = tuple(Zone(number) for number in NUMBERS)
    to_fill: tuple[int, ...] = NUMBERS
    eaten: Eaten = (NOTHING, NOTHING)
    drawn: int = 0
    over: bool = False
    discards_rest: bool = True

    @property
    def tracked(self) -> bool:
        """Whether the players enter their cards."""
        return self.options.cards == "tracked"

    @property
    def ready(self) -> bool:
        """Whether turns are taken: every zone has its fish, and the match is not over."""
        return not self.to_fill and not self.over

    @property
    def excuse(self) -> bool:
        """Whether the Excuse is played with (ruling U9)."""
        return has_excuse(self.options.deck)

    def discarded(self, card: Card) -> bool:
        """Return whether the card lies among the discards for certain: until the next shuffle no hand can hold it."""
        return self.pile is not None and self.pile.rests(card)

    def zone(self, number: int) -> Zone:
        """Return the zone with this number, from 1."""
        return self.zones[number - 1]

    def where(self, card: Card) -> int | None:
        """Return the number of the zone in which the card lies, or None."""
        return next((zone.number for zone in self.zones if card in zone.sides[0] or card in zone.sides[1]), None)


def start(players: tuple[str, ...], options: BelugaCupOptions) -> BelugaCup:
    """Return a full bag, four zones that wait for fish, and the non-dealer to play (ruling U7: player 0 deals)."""
    tracked = options.cards == "tracked"
    return BelugaCup(
        players,
        options,
        bag=(options.fish_per_suit,) * len(SUITS),
        turn=1 if tracked else None,
        pile=deal(len(DECKS[options.deck])) if tracked else None,
    )


def start_before_u13(players: tuple[str, ...], options: BelugaCupOptions) -> BelugaCup:
    """Return the same where ruling U13 did not hold yet (edition 2): the deck was shuffled in one way alone."""
    state = start(players, options)
    return msgspec.structs.replace(state, pile=state.pile and CountedPile(len(DECKS[options.deck]) - 2 * HAND))


def start_before_u12(players: tuple[str, ...], options: BelugaCupOptions) -> BelugaCup:
    """Return the same where ruling U12 did not hold yet (edition 1): discards could be played before the next shuffle."""
    return msgspec.structs.replace(start_before_u13(players, options), discards_rest=False)


def finished(state: BelugaCup) -> bool:
    """Return True once an eaten zone could not be filled any more (ruling U5)."""
    return state.over


def apply(state: BelugaCup, event: BelugaCupEvent) -> BelugaCup:
    """Return the state after the event. Raises RuleError where the rules refuse it."""
    match event:
        case Fill():
            return _fill(state, event)
        case Play():
            return _play(state, event)
        case Discard():
            return _discard(state, event)
        case Eat():
            return _eat_untracked(state, event)
        case ExcuseSwap():
            return _swap(state, event)
        case ExcuseTake():
            return _take(state, event)
        case Shuffle():
            return _shuffle(state)


def standing(state: BelugaCup) -> Standing:
    """Return the points if the match ended now, suit by suit, and the table as it lies (ruling U6)."""
    return Standing(
        scores=points(state.eaten),
        sides=state.players,
        finished=state.over,
        winners=winners(state.eaten) if state.over else (),
        lines=Lines(lambda: explanation(state.players, state.eaten, state.over)),
        details={
            "zones": [
                {
                    "fish": list(zone.fish),
                    "sides": [[card.id for card in side] for side in zone.sides],
                    "lacking": [by_suit(lacking) for lacking in zone.lacking],
                }
                for zone in state.zones
            ],
            "eaten": [by_suit(fish) for fish in state.eaten],
            "bag": sum(state.bag),
            "turn": state.turn,
            "bag_suits": by_suit(state.bag),
            "to_fill": list(state.to_fill),
        },
    )


# What each event does


def _fill(state: BelugaCup, event: Fill) -> BelugaCup:
    waiting(state, event.zone)
    number = event.zone
    if len(event.fish) != size(number):
        sentence = say("Zone {zone} takes {takes} fish, not {n}.", zone=number, takes=size(number), n=len(event.fish))
        raise RuleError(sentence, rule="U1", field="fish")
    return msgspec.structs.replace(
        state,
        bag=out_of(state.bag, event.fish, "fish"),
        zones=_with(state, make_zone(number, event.fish)),
        to_fill=tuple(other for other in state.to_fill if other != number),
        drawn=state.drawn + (size(number) if event.drawn_by == "app" else 0),
    )


def waiting(state: BelugaCup, number: int) -> None:
    """Raise RuleError unless the zone waits for fish (ruling U5)."""
    if number in state.to_fill:
        return
    if state.to_fill:
        full = say("Zone {zone} has its fish. Fill {zones} first.", zone=number, zones=zones(state.to_fill))
    else:
        full = say("Zone {zone} has its fish. Only a zone that was just eaten is filled.", zone=number)
    raise RuleError(full, rule="U5", field="zone")


def _play(state: BelugaCup, event: Play) -> BelugaCup:
    _ready(state)
    _tracked(state, "play")
    _on_turn(state, event.player)
    cards = find_cards(state.options.deck, event.cards, "cards")
    if not cards:
        raise RuleError(say("A play needs a card."), rule="Game play", field="cards")
    for index, card in enumerate(cards):
        lies = state.where(card)
        if lies is not None:
            sentence = say("{card:C} lies in zone {zone} already.", card=card.title, zone=lies)
            raise RuleError(sentence, rule="U12", field=f"cards.{index}")
        if card in cards[:index]:
            raise RuleError(say("{card:C} is named twice.", card=card.title), field=f"cards.{index}")
    state = _out_of_hand(state, cards)
    zone = place(state.players, state.zone(event.zone), event.side, cards, "cards")
    winner = eater(zone, event.player)
    if winner is None:
        return _end_turn(msgspec.structs.replace(state, zones=_with(state, zone)), len(cards))
    emptied = msgspec.structs.replace(state, zones=_with(state, Zone(zone.number)))
    return _eaten(_end_turn(emptied, len(cards), seen=(*zone.sides[0], *zone.sides[1])), zone, winner)


def _out_of_hand(state: BelugaCup, cards: Sequence[Card], field: str = "") -> BelugaCup:
    """Return the state once the player's hand turned out to hold these cards.

    Raises RuleError (at ``field``, else at the card's own place) if they lie among the discards (rulings U12 and U13).
    """
    if state.pile is None or not state.discards_rest:
        return state
    pile = state.pile.play(cards)
    if pile is not None:
        return state if pile is state.pile else msgspec.structs.replace(state, pile=pile)
    index, card = next((at, card) for at, card in enumerate(cards) if state.discarded(card))
    raise RuleError(resting(card), rule="U12", field=field or f"cards.{index}")


def resting(card: Card) -> Sentence:
    """Return why a discarded card can't be played, in a sentence (ruling U12)."""
    return say("{card:C} is among the discards until the deck is shuffled.", card=card.title)


def place(players: Sequence[str], zone: Zone, side: int, cards: Sequence[Card], field: str) -> Zone:
    """Return the zone with these cards on a side, in one play. Raises RuleError where they do not fit (rulings U2 and U3)."""
    reason = refusal(zone, side, cards)
    if reason is not None:
        misfit = say_n(
            "{cards:C} does not fit on {player}’s side of zone {zone}.",
            "{cards:C} do not fit together on {player}’s side of zone {zone}.",
            len(cards),
            cards=listing([card.title for card in cards]),
            player=name(players[side]),
            zone=zone.number,
        )
        raise RuleError(listing([misfit, reason], "text"), rule="U2" if len(cards) == 1 else "U3", field=field)
    return lay(zone, side, cards)


def _discard(state: BelugaCup, event: Discard) -> BelugaCup:
    # Whether the hand had a card that fits (ruling U8) only the players see: the log does not know hands. So it can't see
    # either that nobody will ever be able to play again: then the players stop the match (ruling U11).
    _ready(state)
    _tracked(state, "discard")
    _on_turn(state, event.player)
    return _end_turn(state, event.cards, unseen=event.cards)


def _eat_untracked(state: BelugaCup, event: Eat) -> BelugaCup:
    if state.tracked:
        raise RuleError(say("Here the cards decide who eats."), field="type")
    if event.zone in state.to_fill:
        empty = say("Zone {zone} has no fish to eat. Fill {zones} first.", zone=event.zone, zones=zones(state.to_fill))
        raise RuleError(empty, rule="U5", field="zone")
    _ready(state)
    return _eaten(state, state.zone(event.zone), event.player)


def _swap(state: BelugaCup, event: ExcuseSwap) -> BelugaCup:
    zone = swappable(state, event.zone)
    _on_turn(state, event.player)
    amount = swap_size(state, zone)
    if len(event.drawn) != amount:
        drawn = len(event.drawn)
        message = (
            say("Draw {amount} fish, as many as are left in the bag, not {n}.", amount=amount, n=drawn)
            if amount < len(zone.fish)
            else say("Draw {amount} fish, as many as zone {zone} holds, not {n}.", amount=amount, zone=zone.number, n=drawn)
        )
        raise RuleError(message, rule="U10", field="drawn")
    bag = out_of(state.bag, event.drawn, "drawn")
    if len(event.returned) != amount:
        message = say("Put back as many fish as were drawn: {amount}, not {n}.", amount=amount, n=len(event.returned))
        raise RuleError(message, rule="U10", field="returned")
    mixed = [*zone.fish, *event.drawn]
    for index, suit in enumerate(event.returned):
        if suit not in mixed:
            message = say(
                "Zone {zone} and the fish drawn do not have so many {suit} fish to put back.",
                zone=zone.number,
                suit=FISH[suit],
            )
            raise RuleError(message, rule="U10", field=f"returned.{index}")
        mixed.remove(suit)
    swapped = msgspec.structs.replace(
        state,
        bag=tuple(left + back for left, back in zip(bag, count(event.returned), strict=True)),
        zones=_with(state, make_zone(zone.number, mixed)),
        drawn=state.drawn + (amount if event.drawn_by == "app" else 0),
    )
    return _end_turn(_out_of_hand(swapped, (EXCUSE,), "type"), 1, seen=(EXCUSE,))


def swappable(state: BelugaCup, number: int) -> Zone:
    """Return the zone with this number; RuleError if its fish can't be swapped with the Excuse (ruling U10)."""
    excusable(state)
    zone = state.zone(number)
    if not zone.untouched:
        message = say("Cards lie in zone {zone}. Fish are swapped only in a zone that nobody has played into.", zone=number)
        raise RuleError(message, rule="U10", field="zone")
    return zone


def excusable(state: BelugaCup) -> None:
    """Raise RuleError unless the Excuse is played with, can be in a hand, and turns are taken (rulings U5, U9, U12)."""
    _ready(state)
    if not state.excuse:
        raise RuleError(say("The Excuse is played only with the Courts (deck: courts)."), rule="U9", field="type")
    _out_of_hand(state, (EXCUSE,), "type")


def swap_size(state: BelugaCup, zone: Zone) -> int:
    """Return how many fish the Excuse draws for a zone, and puts back: as many as it holds, or what is left (ruling U10)."""
    return min(len(zone.fish), sum(state.bag))


def _take(state: BelugaCup, event: ExcuseTake) -> BelugaCup:
    _tracked(state, "excuse-take")
    excusable(state)
    _on_turn(state, event.player)
    card = find_card(state.options.deck, event.card, "card")
    zone = state.zone(event.zone)
    if card not in zone.sides[event.player]:
        message = say(
            "{card:C} does not lie on {player}’s own side of zone {zone}.",
            card=card.title,
            player=name(state.players[event.player]),
            zone=event.zone,
        )
        raise RuleError(message, rule="U10", field="card")
    taken = msgspec.structs.replace(state, zones=_with(state, lift(zone, event.player, card)))
    # the Excuse for the card: the hand has six already
    return _end_turn(_out_of_hand(taken, (EXCUSE,), "type"), 0, seen=(EXCUSE,))


def _shuffle(state: BelugaCup) -> BelugaCup:
    _tracked(state, "shuffle")
    return msgspec.structs.replace(state, pile=state.pile and state.pile.shuffle(on_table(state)))


# What events have in common


def on_table(state: BelugaCup) -> int:
    """Return how many cards lie in the zones."""
    return sum([len(side) for zone in state.zones for side in zone.sides])


def _end_turn(state: BelugaCup, spent: int, *, seen: Sequence[Card] = (), unseen: int = 0) -> BelugaCup:
    if state.turn is None or state.pile is None:
        return state
    pile = state.pile.end_turn(state.turn, spent, on_table(state), seen=seen, unseen=unseen)
    return msgspec.structs.replace(state, turn=1 - state.turn, pile=pile)


def _eaten(state: BelugaCup, zone: Zone, player: int) -> BelugaCup:
    """Give the player the fish and the zone's loser the turn (ruling U4); without a refill the match is over (ruling U5)."""
    over = sum(state.bag) < size(zone.number)
    fish = tuple(had + got for had, got in zip(state.eaten[player], zone.demand, strict=True))
    return msgspec.structs.replace(
        state,
        zones=_with(state, Zone(zone.number)),
        eaten=(fish, state.eaten[1]) if player == 0 else (state.eaten[0], fish),
        turn=None if state.turn is None else 1 - player,
        to_fill=() if over else (zone.number,),
        over=over,
    )


def _with(state: BelugaCup, zone: Zone) -> tuple[Zone, ...]:
    return tuple(zone if other.number == zone.number else other for other in state.zones)


def out_of(bag: Counts, fish: Sequence[Suit], field: str) -> Counts:
    """Return the bag once these fish are out of it.

    Raises RuleError at the first that it does not hold any more (ruling U1).
    """
    left = list(bag)
    for index, suit in enumerate(fish):
        number = SUITS.index(suit)
        if not left[number]:
            had = bag[number]
            few = (
                say("The bag has only {fish} left.", fish=fish_of(suit, had))
                if had
                else say("The bag has no {suit} fish left.", suit=FISH[suit])
            )
            raise RuleError(few, rule="U1", field=f"{field}.{index}")
        left[number] -= 1
    return tuple(left)


def _ready(state: BelugaCup) -> None:
    if state.to_fill:
        raise RuleError(say("Fill {zones} first.", zones=zones(state.to_fill)), rule="U5")


def _tracked(state: BelugaCup, event: str) -> None:
    if not state.tracked:
        message = say(
            "The cards of this match are not entered, so it has no {event}. Enter who eats a zone.", event=Name(event)
        )
        raise RuleError(message, field="type")


def _on_turn(state: BelugaCup, player: int) -> None:
    if state.turn is not None and state.turn != player:
        turn, other = name(state.players[state.turn]), name(state.players[player])
        raise RuleError(say("It is {turn}’s turn, not {player}’s.", turn=turn, player=other), rule="U4", field="player")
