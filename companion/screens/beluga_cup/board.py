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
    ExcuseSwap,
    ExcuseTake,
    Fill,
    Play,
    account,
    chances,
    ranks,
)
from companion.engine.beluga_cup.events import BelugaCupEvent
from companion.engine.beluga_cup.scoring import fish_eaten, scoring_suits
from companion.engine.beluga_cup.words import fish, zones
from companion.engine.beluga_cup.zones import NUMBERS, Zone, by_suit, count, needed
from companion.engine.core import Event, Line
from companion.engine.decktet import EXCUSE, SUITS, Suit
from companion.engine.text import Name, listing, say, term
from companion.matches.log import InForce, Log
from companion.screens.beluga_cup.excuse import Swap, read
from companion.screens.page import Board, DraftBody, Reading, Value, as_sentence
from companion.screens.terms import RANKS

RECENT = 3  # entries on the match's own page


@dataclass(frozen=True)
class EntryRow:
    """A line of the history: an entry with what it did."""

    entry: InForce
    number: int

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """Return what each of its events did, oldest first; nothing for the end that the players chose."""
        told = []
        position = self.entry.before
        for event in self.entry.events:
            before, position = position, position.apply(event)
            if isinstance(event, BelugaCupEvent):
                told.append(account(before.state, event, position.state))
        return tuple(told)

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
        return (*(say("{what}.", what=as_sentence(one.title)) for one in self.accounts), *self.accounts[-1].sentences)

    @property
    def rule(self) -> str:
        """Return the ruling that decided it."""
        return self.accounts[-1].rule if self.accounts else ""

    @property
    def eater(self) -> int | None:
        """Return who ate a zone by it."""
        return self.accounts[-1].eater if self.accounts else None

    @property
    def scores(self) -> tuple[int | None, ...]:
        """Return the points after it, where they may have changed."""
        return self.entry.after.standing().scores if self.eater is not None else ()

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
    return accounts[-1].title


def valued(entry: InForce, sides: Sequence[str]) -> Value:
    """Return what an entry says, beside what another phone said instead: the fish of each zone, or what was done."""
    fills = [event for event in entry.events if isinstance(event, Fill)]
    if fills:
        # NOTE: the fish that came into a zone: "Zone 3: 2 suns and 1 knot."
        told = [say("Zone {n}: {fish}.", n=fill.zone, fish=as_sentence(fish(count(fill.fish)))) for fill in fills]
        return Value(listing(told, "text"))
    row = EntryRow(entry, 0)
    return Value(row.title, what=row.sentences[0])


def called(entry: InForce, sides: Sequence[str]) -> str:
    """Return an entry's name, short enough for a button: "Ana’s 3", "the draw", "Bo’s Excuse"."""
    match entry.events[-1]:
        case Fill():
            # NOTE: what is saved, corrected or undone: "Undo the draw", "Ana saved the draw"
            return say("the draw")
        case Play(player=player, cards=cards):
            if len(cards) > 1:
                return say("{player}’s Aces", player=Name(sides[player]))
            rank = cards[0].partition("-")[0]
            card = RANKS.get(rank) or Name(rank)
            # NOTE: what is saved, corrected or undone: "Undo Ana’s 3", "Undo Bo’s Crown"
            return say("{player}’s {card}", player=Name(sides[player]), card=card)
        case Discard(player=player):
            return say("{player}’s discard", player=Name(sides[player]))
        case ExcuseSwap(player=player) | ExcuseTake(player=player):
            return say("{player}’s Excuse", player=Name(sides[player]))
    return describe_entry(entry, sides)


def describe_entry(entry: InForce, _sides: Sequence[str]) -> str:
    """Return one line about an entry: "Ana eats zone 3"."""
    row = EntryRow(entry, 0)
    return row.title if row.accounts else say("the end of the match")


def numbers(_log: Log, entry: InForce) -> tuple[int | None, ...]:
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
    """One side of a zone as it is drawn: cards, what is lacking, the rank total, whether it leads or is full."""

    player: int
    name: str
    cards: Sequence[str]
    worths: Sequence[Line]
    lacking: Sequence[Suit]
    total: int
    leads: bool
    full: bool


def side_of(state: BelugaCup, zone: Zone, side: int) -> SideView:
    """Return one side of a zone as it is drawn."""
    return SideView(
        player=side,
        name=state.players[side],
        cards=tuple(card.id for card in zone.sides[side]),
        worths=tuple(line for line in ranks(zone) if line.amounts[side] is not None),
        lacking=zone.lacks(side),
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


def by_hand(log: Log) -> bool:
    """Return True when this table has a real bag: the last fish were entered by hand."""
    for entry in reversed(log.entries):
        for event in reversed(entry.events):
            if isinstance(event, Fill):
                return event.drawn_by == "hand"
    return False


def score_rows(state: BelugaCup, scores: Sequence[int | None], bottom: int, viewer: int | None) -> list[dict[str, Any]]:
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
    """What a match's page shows as ``board``, besides names and links."""

    bottom: int
    scores: Sequence[Mapping[str, Any]]
    zones: Sequence[ZoneView]
    bag: int
    left: Mapping[Suit, int]
    odds: Mapping[Suit, int]
    seal: str | None
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
        words=len(state.options.words),
        begun=log.seq > 0,
        waiting=waiting,
        needed=needed(waiting),
        where=say("the four zones") if waiting == NUMBERS else zones(waiting) if waiting else say("the zones"),
        by_hand=by_hand(log),
        player=state.turn,
        turn=None if state.turn is None else state.players[state.turn],
        tracked=state.tracked,
        excuse=state.excuse and not state.discarded(EXCUSE),
        swap=swap,
        swapper=state.players[swap.player] if swap else None,
        next=whats_next(log, state),
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
