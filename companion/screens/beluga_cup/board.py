"""What does a match of Beluga Cup show? Fish eaten, four zones with two sides, the bag, and what was entered so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.engine.beluga_cup import (
    Account,
    BelugaCup,
    Discard,
    Eat,
    ExcuseSwap,
    ExcuseTake,
    Fill,
    Play,
    Shuffle,
    account,
    chances,
    ranks,
)
from companion.engine.beluga_cup.events import BelugaCupEvent
from companion.engine.beluga_cup.outlook import outlook
from companion.engine.beluga_cup.scoring import fish_eaten, scoring_suits
from companion.engine.beluga_cup.words import fish, zones
from companion.engine.beluga_cup.zones import NUMBERS, Zone, by_suit, count, needed
from companion.engine.core import Event, Line
from companion.engine.decktet import EXCUSE, SUITS, Suit
from companion.engine.text import Name, Sentence, listing, say, say_n, term
from companion.matches.log import InForce, Log
from companion.screens.beluga_cup.excuse import Swap, read
from companion.screens.interface import THE_END, Board, DraftBody, Fact, Reading, Stage, Value, as_sentence, with_capital
from companion.screens.terms import RANKS, card_name

RECENT = 3  # entries on the match's own page


@dataclass(frozen=True)
class EntryRow:
    """A line of the history: an entry with what it did."""

    entry: InForce
    number: int

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """Return what each of its events did, oldest first; nothing for the end that the players chose."""
        accounts = []
        position = self.entry.before
        for event in self.entry.events:
            before, position = position, position.apply(event)
            if isinstance(event, BelugaCupEvent):
                accounts.append(account(before.state, event, position.state))
        return tuple(accounts)

    @property
    def title(self) -> str:
        """Return the line."""
        return title(self.entry.events, self.accounts)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return why and what then, a sentence each."""
        if not self.accounts:
            return (say("Nobody wins. Undo it to go on."),)
        if len(self.accounts) == 1:
            return self.accounts[0].sentences
        return (*(say("{what}.", what=as_sentence(account.title)) for account in self.accounts), *self.accounts[-1].sentences)

    @property
    def rule(self) -> str:
        """Return the ruling that decided it."""
        return self.accounts[-1].rule if self.accounts else ""

    @property
    def eater(self) -> int | None:
        """Return who ate a zone by it."""
        return self.accounts[-1].eater if self.accounts else None

    @property
    def scores(self) -> tuple[float | None, ...]:
        """Return the points after it, where they may have changed."""
        return self.entry.after.standing().scores if self.eater is not None else ()

    @property
    def plays(self) -> bool:
        """Return whether somebody played cards by it."""
        return any(isinstance(event, Play) for event in self.entry.events)

    @property
    def correctable(self) -> bool:
        """Return whether it can be said in another way; the end of the match is only undone."""
        return bool(self.accounts)


def title(events: Sequence[Event], accounts: Sequence[Account]) -> str:
    """Return one line about an entry."""
    if not accounts:
        return say("The match was stopped")
    if len(accounts) > 1 and all(isinstance(event, Fill) for event in events):
        where = zones([event.zone for event in events if isinstance(event, Fill)])
        return say("Fish for {zones}", zones=as_sentence(where))
    if len(accounts) > 1 and isinstance(events[0], Shuffle):
        # NOTE: a card that a shuffle brought back: "Bo eats zone 3, after a shuffle"
        return say("{what}, after a shuffle", what=as_sentence(accounts[-1].title))
    return accounts[-1].title


def valued(entry: InForce, sides: Sequence[str]) -> Value:
    """Return what an entry says, beside what another phone said instead: the fish of each zone, or what was done."""
    fills = [event for event in entry.events if isinstance(event, Fill)]
    if fills:
        filled = [Fact(say("Zone {n}", n=fill.zone), as_sentence(fish(count(fill.fish)))) for fill in fills]
        return Value(with_capital(describe_entry(entry, sides)), facts=tuple(filled))
    row = EntryRow(entry, 0)
    facts = facts_of(entry.events[-1], sides)
    if not facts:
        return Value(row.title, meaning=row.sentences[0])
    return Value(row.title, outcome=row.sentences[0], facts=facts)


def facts_of(event: Event, sides: Sequence[str]) -> tuple[Fact, ...]:
    """Return what a play, a meal or a discard says, each thing by itself: card, zone, whose side, who ate."""
    match event:
        case Play(zone=zone, side=side, cards=cards):
            card = Fact(say("Card"), listing([card_name(card) for card in cards]))
            # NOTE: whose side of a zone a card lies on: "Side: Ana, now Bo."
            whose = Fact(say("Side"), Name(sides[side]))
            return (card, Fact(say("Zone"), str(zone)), whose)
        case Eat(zone=zone, player=player):
            # NOTE: who ate a zone: "Eaten by: Ana, now Bo."
            eater = Fact(say("Eaten by"), Name(sides[player]))
            return (Fact(say("Zone"), str(zone)), eater)
        case Discard(cards=cards):
            # NOTE: how many cards were discarded: "Discarded: 1, now 2."
            return (Fact(say("Discarded"), str(cards)),)
    return ()


def called(entry: InForce, sides: Sequence[str]) -> str:
    """Return an entry's name, short enough for a button: "Ana’s 3", "the fish", "Bo’s Excuse"."""
    match entry.events[-1]:
        case Fill():
            # NOTE: what is saved, corrected or undone: "Undo the fish", "Ana entered the fish"
            return term("the fish", "what was entered")
        case Play(player=player, cards=cards):
            if len(cards) > 1:
                return term("{player}’s Aces", "what was entered", player=Name(sides[player]))
            rank = cards[0].partition("-")[0]
            card = RANKS.get(rank) or Name(rank)
            # NOTE: what is saved, corrected or undone: "Undo Ana’s 3", "Undo Bo’s Crown"
            return term("{player}’s {card}", "what was entered", player=Name(sides[player]), card=card)
        case Discard(player=player):
            return term("{player}’s discard", "what was entered", player=Name(sides[player]))
        case Shuffle():
            # NOTE: what is saved, corrected or undone: "Undo the shuffle"
            return term("the shuffle", "what was entered")
        case ExcuseSwap(player=player) | ExcuseTake(player=player):
            return term("{player}’s Excuse", "what was entered", player=Name(sides[player]))
    return describe_entry(entry, sides)


def describe_entry(entry: InForce, _sides: Sequence[str]) -> str:
    """Return one line about an entry: "Ana eats zone 3"."""
    row = EntryRow(entry, 0)
    return row.title if row.accounts else THE_END


def numbers(_log: Log, entry: InForce) -> tuple[float | None, ...]:
    """Return the numbers in an entry's row: the points, where a zone was eaten."""
    return EntryRow(entry, 0).scores


@dataclass(frozen=True, slots=True)
class History(Reading):
    """Every entry, newest first."""

    rows: Sequence[EntryRow]


def history(log: Log, _viewer: int | None, _query: Mapping[str, str]) -> History:
    """Return every entry."""
    return History(rows(log))


def rows(log: Log, last: int | None = None) -> list[EntryRow]:
    """Return the newest entries, newest first; all of them without a number."""
    numbered = [EntryRow(entry, number) for number, entry in enumerate(log.entries, start=1)]
    return numbered[: -last - 1 : -1] if last is not None else numbered[::-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """One side of a zone as it is drawn: cards, what is lacking, the rank total, whether it leads or is full.

    ``asked`` is each suit that its fish ask for, and whether it is met.
    """

    player: int
    name: str
    cards: Sequence[str]
    worths: Sequence[Line]
    lacking: Sequence[Suit]
    asked: Sequence[tuple[Suit, bool]]
    total: int
    leads: bool
    full: bool


def asked(zone: Zone, side: int) -> tuple[tuple[Suit, bool], ...]:
    """Return each suit that a zone's fish ask for, as often as they do, and whether a side has met it.

    >>> asked(Zone(2, ("waves", "waves"), demand=(0, 0, 2, 0, 0, 0), lacking=((0, 0, 1, 0, 0, 0), (0, 0, 2, 0, 0, 0))), 0)
    (('waves', False), ('waves', True))
    """
    wanted = zip(SUITS, zone.demand, zone.lacking[side], strict=True)
    return tuple((suit, number >= missing) for suit, demand, missing in wanted for number in range(demand))


def side_of(state: BelugaCup, zone: Zone, side: int) -> SideView:
    """Return one side of a zone as it is drawn."""
    return SideView(
        player=side,
        name=state.players[side],
        cards=tuple(card.id for card in zone.sides[side]),
        worths=tuple(line for line in ranks(zone) if line.amounts[side] is not None),
        lacking=zone.lacks(side),
        asked=asked(zone, side),
        total=zone.total(side),
        leads=zone.leader() == side,
        full=zone.full(side),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView:
    """A zone as it is drawn. ``arrived`` is None unless its fish have just come."""

    number: int
    fish: Sequence[Suit]
    arrived: int | None
    waits: bool
    open: bool
    top: SideView
    bottom: SideView
    untouched: bool


def zone_of(state: BelugaCup, zone: Zone, arrived: Mapping[int, int], bottom: int, *, stopped: bool) -> ZoneView:
    """Return a zone as it is drawn; in a stopped match it takes no card.

    ``arrived`` tells, for zones whose fish have just come, how many came before.
    """
    return ZoneView(
        number=zone.number,
        fish=zone.fish,
        arrived=arrived.get(zone.number),
        waits=zone.number in state.to_fill,
        open=state.ready and not stopped,
        top=side_of(state, zone, 1 - bottom),
        bottom=side_of(state, zone, bottom),
        untouched=zone.untouched,
    )


@dataclass(frozen=True, slots=True)
class ZonePage(Reading):
    """One zone, and whether the Excuse is played with and may still come."""

    zone: ZoneView
    excuse: bool


def see_zone(log: Log, viewer: int | None, query: Mapping[str, str]) -> ZonePage:
    """Return one zone with the sum behind both totals."""
    state: BelugaCup = log.position.state
    wanted = query.get("zone", "1")
    number = int(wanted) if wanted in {"1", "2", "3", "4"} else 1
    return ZonePage(
        zone=zone_of(state, state.zone(number), {}, viewer or 0, stopped=log.position.stopped),
        excuse=state.excuse and not state.discarded(EXCUSE),
    )


def just_arrived(log: Log) -> dict[int, int]:
    """Return the zones that the newest line filled, each with how many fish it brought before them."""
    if not log.entries or log.entries[-1].touched != log.seq:
        return {}
    arrived: dict[int, int] = {}
    before = 0
    for event in log.entries[-1].events:
        if isinstance(event, Fill):
            arrived[event.zone] = before
            before += len(event.fish)
    return arrived


def bag_in_use(log: Log) -> str:
    """Return where the newest fish came from: "hand" out of the own bag, "app" drawn by Companion, "" if there are none."""
    for entry in reversed(log.entries):
        for event in reversed(entry.events):
            if isinstance(event, Fill | ExcuseSwap):
                return event.drawn_by
    return ""


def own_bag(state: BelugaCup) -> bool:
    """Return whether Companion has drawn no fish: then nothing of its sealed bag is in play."""
    return not state.drawn


def score_rows(state: BelugaCup, scores: Sequence[float | None], bottom: int, viewer: int | None) -> list[dict[str, Any]]:
    """Return what each has eaten and scores, the opponent first."""
    return [
        {
            "side": side,
            "name": term("You", "seat") if side == viewer else state.players[side],
            "total": scores[side],
            "eaten": by_suit(state.eaten[side]),
            "fish": fish_eaten(state.eaten)[side],
            "scoring": scoring_suits(state.eaten, side),
        }
        for side in (1 - bottom, bottom)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CupBoard(Board):
    """What a match's page shows as ``board``, besides names and links.

    ``seal`` is that of the bag from which Companion could draw; ``sealed`` is None where all fish came out of the table's own.
    """

    bottom: int
    scores: Sequence[Mapping[str, Any]]
    zones: Sequence[ZoneView]
    bag: int
    left: Mapping[Suit, int]
    odds: Mapping[Suit, int]
    seal: str | None
    sealed: str | None
    words: int
    begun: bool
    waiting: Sequence[int]
    needed: int
    where: str
    by_hand: bool
    player: int | None
    turn: str | None
    tracked: bool
    excuse: bool
    swap: Swap | None
    swapper: str | None
    next: str
    needs: Sentence | None
    rows: Sequence[EntryRow]
    entries: int
    sums: Sequence[Line]


def board(log: Log, stored: DraftBody | None, viewer: int | None) -> CupBoard:
    """Return everything that the match's page shows besides names and links."""
    state: BelugaCup = log.position.state
    standing = log.position.standing()
    bottom = viewer or 0
    arrived = just_arrived(log)
    swap = read(stored)
    waiting = state.to_fill
    return CupBoard(
        bottom=bottom,
        scores=score_rows(state, standing.scores, bottom, viewer),
        zones=[zone_of(state, zone, arrived, bottom, stopped=log.position.stopped) for zone in state.zones],
        bag=standing.details["bag"],
        left=by_suit(state.bag),
        odds={suit: round(float(chance) * 100) for suit, chance in zip(SUITS, chances(state.bag), strict=True)},
        seal=state.options.seal,
        sealed=None if own_bag(state) and log.seq else state.options.seal,
        words=len(state.options.words),
        begun=log.seq > 0,
        waiting=waiting,
        needed=needed(waiting),
        where=say("the four zones") if waiting == NUMBERS else zones(waiting) if waiting else say("the zones"),
        by_hand=bag_in_use(log) == "hand",
        player=state.turn,
        asks=state.turn,
        turn=None if state.turn is None else state.players[state.turn],
        tracked=state.tracked,
        excuse=state.excuse and not state.discarded(EXCUSE),
        swap=swap,
        swapper=state.players[swap.player] if swap else None,
        next=whats_next(log, state),
        needs=None if log.position.stopped else outlook(state),
        rows=rows(log, RECENT),
        entries=len(log.entries),
        sums=standing.lines,
    )


def whats_next(log: Log, state: BelugaCup) -> str:
    """Return what the table waits for, in a few words."""
    if log.position.stopped:
        return say("The match was stopped")
    if state.over:
        return say("The match is over")
    if state.to_fill:
        if state.to_fill == NUMBERS:
            return say("Draw fish to start")
        return say("Draw fish for {zones}", zones=as_sentence(zones(state.to_fill)))
    if state.turn is not None:
        return say("{player} plays next", player=Name(state.players[state.turn]))
    return say("Tap a zone when it has been eaten")


def stage(log: Log) -> Stage:
    """Return how many fish the bag still has."""
    state: BelugaCup = log.position.state
    left, all_fish = sum(state.bag), len(SUITS) * state.options.fish_per_suit
    # NOTE: in the bag; how far a match is, in a narrow column
    return Stage(say_n("{n} fish left", "{n} fish left", left), 100 * (1 - left / all_fish))
