"""What does the page of a match by a sheet show beside its form? Totals, rows with how each number came about, the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from companion.engine.core import plain
from companion.engine.sheet.document import family_of
from companion.engine.sheet.expressions import exact
from companion.engine.sheet.match import Bids, Box, End, Finish, Row, SheetState, limit_of, roller, to_fill
from companion.engine.sheet.outlook import outlook
from companion.engine.sheet.reading import Sheet
from companion.engine.sheet.scoring import explained, sheet_word
from companion.engine.sheet.unfinished import lead, leading
from companion.plugin import (
    THE_END,
    Board,
    DraftBody,
    Event,
    Fact,
    Finale,
    InForce,
    Log,
    Name,
    Reading,
    Sentence,
    Stage,
    Standing,
    Value,
    finale,
    listing,
    say,
    say_n,
    with_capital,
    written,
)
from companion.sheets import draft as drafts
from companion.sheets.row import signed
from companion.sheets.words import tie_in_short, tie_in_words

RECENT = 20  # entries on the match's own page; all others are in the history
CHARTED = 24  # entries that the chart has room for on a phone


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """An entry as a line of the history: its name, what it brought each side, and how each number came about."""

    entry: InForce
    title: Sentence
    scores: tuple[Any, ...]
    lines: tuple[Sentence, ...]
    stop: bool = False


@dataclass(frozen=True)
class PastEntry:
    """An entry of the history. Its ``row`` is only put together where the page does not have it yet."""

    entry: InForce

    @cached_property
    def row(self) -> HistoryRow:
        """The entry as a line of the history."""
        return _row(self.entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetBoard(Board):
    """The match as match.html shows it: its dealer, its end, the leading sides and its newest rows.

    ``best`` says which scores of a row stand out, "highest" or "lowest". ``rolls`` names who rolls dice, ``boxes_left``
    counts the boxes that are empty. ``ledger``: it is settled at the end.
    """

    rows: Sequence[PastEntry]
    entries: int
    before: int
    number: int
    of: str
    dealer: str
    rolls: str
    boxes_left: int
    best: str
    series: Sequence[Mapping[str, Any]]
    target: float | None
    by_hand: bool
    ledger: bool
    family: str
    ahead: Sentence | str
    needs: Sentence | None
    preset: str


def board(log: Log, draft: DraftBody | None, _viewer: int | None) -> SheetBoard:
    """Return what match.html shows of this log."""
    state: SheetState = log.position.state
    sheet = state.sheet
    document = sheet.document
    counted = [entry for entry in log.entries if not entry.after.stopped and not isinstance(entry.events[0], Bids)]
    charted = counted[-CHARTED:]
    totals = [entry.before.state.scores for entry in charted[:1]] + [entry.after.state.scores for entry in charted]
    names = list(enumerate(state.sides))
    rounds, at = limit_of(state, "rounds"), limit_of(state, "at") or limit_of(state, "out")
    options: Any = log.start.options
    return SheetBoard(
        asks=None if log.position.finished else _asked(state, draft),
        rows=[PastEntry(entry) for entry in log.entries[: -RECENT - 1 : -1]],
        entries=len(log.entries),
        before=len(counted) - len(charted),
        number=len(state.rows) + 1,
        of="" if rounds is None else written(rounds),
        dealer="" if state.dealer is None else state.players[state.dealer],
        rolls=state.sides[roller(state)[0]] if document.dice else "",
        boxes_left=sum(box not in cells for cells in state.filled for box in to_fill(state)),
        best="lowest" if sheet.lowest else "highest",
        series=[{"side": side, "name": name, "points": [plain(scores[side]) for scores in totals]} for side, name in names],
        target=plain(at) if at is not None and at > 0 else None,
        by_hand=document.ends.hand,
        ledger=sheet.is_ledger or document.family == "ledger",
        family=family_of(document),
        ahead=_ahead(state),
        needs=outlook(state),
        preset=options.preset or "",
    )


@dataclass(frozen=True, slots=True)
class History(Reading):
    """Every row of a match, newest first."""

    rows: Sequence[PastEntry]


def history(log: Log, _viewer: int | None, _query: Mapping[str, str]) -> History:
    """Return every row."""
    return History([PastEntry(entry) for entry in reversed(log.entries)])


def _asked(state: SheetState, draft: DraftBody | None) -> int | None:
    """Return whose turn it is: the only player whose unseen bid is missing, else the dealer before a round."""
    if state.bids is not None:
        return None
    if not drafts.is_unseen(draft) or len(state.sides) != len(state.players):
        return state.dealer
    cells = drafts.read(draft)
    missing = [side for side in state.playing if not any(place.startswith(f"c{side}-") for place in cells)]
    return missing[0] if len(missing) == 1 else None


def _ahead(state: SheetState) -> Sentence | str:
    """Return who is ahead, and by how much: "Cy has the fewest, 17 ahead"."""
    by = lead(state)
    if by is None:
        return ""
    (first,) = leading(state)
    people, parts = state.sheet.people(1), {"player": Name(state.sides[first]), "by": Name(written(by))}
    if state.sheet.lowest:
        return say_n("{player} has the fewest, {by} ahead.", "{player} have the fewest, {by} ahead.", people, **parts)
    return say_n("{player} leads, {by} ahead.", "{player} lead, {by} ahead.", people, **parts)


def _scores(entry: InForce) -> tuple[Any, ...]:
    """Return what an entry brought each side; of bids what each has bid. None is a side that has no number."""
    event = entry.events[0]
    before: SheetState = entry.before.state
    after: SheetState = entry.after.state
    match event:
        case Row():
            played = after.rows.newest
            return () if played is None else tuple(map(plain, played.score.scores))
        case Bids():
            column = next(column for column in after.sheet.own if column.column.when == "before")
            given = [cells.get(column.id) for cells in event.cells]
            return tuple(cell if cell.__class__ is int else None for cell in given)
        case Box() | End():
            return tuple(plain(new - old) for new, old in zip(after.scores, before.scores, strict=True))
    return ()


def _row(entry: InForce) -> HistoryRow:
    event = entry.events[0]
    after: SheetState = entry.after.state
    if not isinstance(event, Row | Bids | Box | End | Finish):
        return HistoryRow(entry, say("The match was stopped"), (), (), stop=True)
    lines: tuple[Sentence, ...] = ()
    played = after.rows.newest
    if isinstance(event, Row) and played is not None:
        lines = tuple(
            say("{player}: {sum}", player=Name(name), sum=explained(after.sheet, played.score, side))
            for side, name in enumerate(after.sides)
            if side in played.around.playing
        )
    elif isinstance(event, Box | End):
        lines = tuple(_cells(after.sheet, entry, after.sides))
    return HistoryRow(entry, title_of(entry), _scores(entry), lines)


def _cells(sheet: Sheet, entry: InForce, sides: Sequence[str]) -> list[Sentence]:
    """Return what was written down where: "Ana: Full house 25"."""
    filled: list[Sentence] = []
    for event in entry.events:
        if not isinstance(event, Box | End):
            continue
        cells: Mapping[str, Any] = {event.box: event.value} if isinstance(event, Box) else event.cells
        for slug, cell in cells.items():
            column = sheet.column(slug)
            if column is not None:
                words = sheet_word(sheet, column.column.name)
                filled.append(say("{player}: {column} {n}", player=Name(sides[event.player]), column=words, n=_said(cell)))
    return filled


def _said(cell: Any) -> Name:
    return Name("+".join(map(written, cell)) if isinstance(cell, tuple) else written(cell) if isinstance(cell, float) else cell)


def _box(sheet: Sheet, event: Box) -> Sentence | Name:
    column = sheet.column(event.box)
    return sheet_word(sheet, column.column.name) if column is not None else Name(event.box)


def title_of(entry: InForce) -> Sentence:
    """Return an entry's name for a line of its own: "Round 7", "Bids of round 7", "Ana: Full house"."""
    return with_capital(called(entry, entry.before.state.sides))


def called(entry: InForce, sides: Sequence[str]) -> Sentence:
    """Return an entry's name within a sentence: "round 7"."""
    event: Event = entry.events[0]
    state: SheetState = entry.before.state
    match event:
        case Row():
            return say("round {n}", n=len(state.rows) + 1)
        case Bids():
            return say("the bids of round {n}", n=len(state.rows) + 1)
        case Box() | End():
            players = dict.fromkeys(Name(sides[event.player]) for event in entry.events if isinstance(event, Box | End))
            if len(entry.events) == 1 and isinstance(event, Box):
                return say("{player}, {column}", player=Name(sides[event.player]), column=_box(state.sheet, event))
            return say("what {players} wrote down", players=listing(players))
    return THE_END


def describe_entry(entry: InForce, sides: Sequence[str]) -> Sentence:
    """Return a line: "round 7, Ana +40, Bo −20", "the bids of round 8, Ana 2, Bo 0", "Ana: 25 in Full house"."""
    scores, event = _scores(entry), entry.events[0]
    if not scores:
        return called(entry, sides)
    if isinstance(event, Box) and len(entry.events) == 1:
        column = _box(entry.after.state.sheet, event)
        return say("{player}: {n} in {column}", player=Name(sides[event.player]), n=_said(event.value), column=column)
    wrote = {event.player for event in entry.events if isinstance(event, Box | End)} or range(len(scores))
    told = written if isinstance(event, Bids) else signed
    brought = [
        say("{player} {n}", player=Name(name), n=Name("–" if score is None else told(exact(score))))
        for side, (name, score) in enumerate(zip(entry.after.state.sides, scores, strict=True))
        if side in wrote
    ]
    return listing([called(entry, sides), *brought], "comma")


def valued(entry: InForce, sides: Sequence[str]) -> Value:
    """Return what an entry says, for the page that compares two phones' entries."""
    facts = tuple(
        Fact(Name(name), Name("–" if score is None else written(exact(score))))
        for name, score in zip(sides, _scores(entry), strict=False)
    )
    return Value(with_capital(describe_entry(entry, sides)), facts=facts)


def numbers(_log: Log, entry: InForce) -> Sequence[float | None]:
    """Return the numbers of an entry's row."""
    return _scores(entry)


def change_label(entry: InForce, number: int) -> int | None:
    """Return after which round a changed total is told; None for bids, which change none."""
    if isinstance(entry.events[0], Bids):
        return None
    return len(entry.after.state.rows) or number


def lowest_wins(log: Log) -> bool:
    """Return whether the lowest total wins, which the sheet of a match says."""
    lowest: bool = log.start.state.sheet.lowest
    return lowest


def how_it_ended(log: Log) -> Finale:
    """Return how a match came out; where a column broke a tie, that it did."""
    state, standing = log.position.state, log.standing
    won = standing.winners[0]
    tied = [side for side in state.playing if state.scores[side] == state.scores[won]]
    breaks = (by for by in state.sheet.tie if len({state.sums[by[0]][side] for side in tied}) > 1)
    by = next(breaks, None) if len(tied) > len(standing.winners) else None
    why, tie = ("", "") if by is None else (tie_in_words(state.sheet, *by), tie_in_short(state.sheet, *by))
    return replace(finale(standing, why, lowest_wins=lowest_wins(log)), tie=tie)


def next_first(standing: Standing) -> int:
    """Return who is first in the rematch: the next dealer, else the next player."""
    dealer: int = standing.details.get("dealer", 0)
    return dealer


def stage(log: Log) -> Stage | None:
    """Return the round that is played, and of how many if the sheet says so; None where all is counted once, at the end."""
    state: SheetState = log.position.state
    shape = state.sheet.document.shape
    if shape == "end":
        return None
    over, rounds = len(state.rows), limit_of(state, "rounds")
    if shape == "boxes":
        over, rounds = roller(state)[1] - 1, len(to_fill(state))
    if not rounds:
        return Stage(say("Round {n}", n=over + 1))
    number = min(over + 1, int(rounds))
    return Stage(say("Round {n} of {all}", n=number, all=int(rounds)), min(100.0, 100 * over / float(rounds)))
