"""What does a BeloZ match show? The way to the target, the round in progress, every round with its sum, the chart."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.engine.beloz import BelozState, PassedDeal
from companion.engine.beloz.cards import ANIMAL_TITLES, ANIMALS, PLAIN_TITLES, ROUND_POINTS, Animal, Plain
from companion.engine.beloz.declarations import RUNS, describe
from companion.engine.beloz.outlook import outlook
from companion.engine.beloz.scoring import Round, RoundResult
from companion.engine.core import Line
from companion.engine.text import Name, Part, Sentence, listing, say, say_n, term
from companion.matches.log import InForce, Log
from companion.screens.beloz import draft as drafts
from companion.screens.beloz.draft import RoundDraft
from companion.screens.beloz.seats import seats
from companion.screens.interface import THE_END, Board, DraftBody, Fact, Reading, Stage, Value, as_sentence, with_capital
from companion.screens.terms import PLAINS

RECENT = 10  # entries on the match's own page; all others are in the history
CHARTED = 24  # entries that the chart has room for on a phone
PAGE = 50  # entries on a page of the history


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A line of the history: a round that was played, a deal that was passed, or the end that the players chose."""

    entry: InForce
    result: RoundResult | None
    title: str
    totals: tuple[int, int]

    @property
    def lines(self) -> Sequence[Line]:
        """Return the sum behind the round's points."""
        return () if self.result is None else [*self.result.lines, *not_counted(self.result)]


def not_counted(result: RoundResult) -> Iterator[Line]:
    """Yield a line without points for each declaration that did not count."""
    for declaration, status in zip(result.declared.declarations, result.declared.statuses, strict=True):
        if status != "counts":
            player = Name(result.players[declaration.player])
            # NOTE: a line of a round's sum: "Run of three, Ana: did not count"
            title = say("{declaration:C}, {player}: did not count", declaration=describe(declaration), player=player)
            yield Line(title, (None, None), "Declarations")


def rows(entries: Sequence[InForce]) -> list[HistoryRow]:
    """Return the history of these entries, newest first."""
    history_rows = []
    for entry in entries:
        event = entry.events[0]
        state: BelozState = entry.after.state
        if isinstance(event, Round):
            result = state.rounds.newest
            history_rows.append(HistoryRow(entry, result, result.title if result else "", state.scores))
        elif isinstance(event, PassedDeal):
            dealer = state.players[entry.before.state.dealer]
            history_rows.append(HistoryRow(entry, None, say("Nobody took {dealer}’s deal", dealer=Name(dealer)), state.scores))
        else:
            history_rows.append(HistoryRow(entry, None, say("The match was stopped"), state.scores))
    return history_rows[::-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class BelozBoard(Board):
    """What a match's page shows as ``board``, besides names and links: of a long match its newest rounds."""

    target: int
    number: int
    dealer: str
    opener: str
    bidders: Sequence[Mapping[str, Any]]
    sides: Sequence[Mapping[str, Any]]
    draft: RoundDraft
    draft_text: str
    announced: int
    needs: Sentence | None
    bidder: str | None
    rows: Sequence[HistoryRow]
    entries: int
    before: int
    series: Sequence[Mapping[str, Any]]
    sums: Sequence[Line]
    most_points: ClassVar[int] = ROUND_POINTS
    plains: ClassVar[Mapping[Plain, Sentence]] = PLAIN_TITLES
    animals: ClassVar[Mapping[Animal, Sentence]] = {animal: ANIMAL_TITLES[animal] for animal in ANIMALS[::-1]}
    declarations: ClassVar[Mapping[str, Sentence]] = {"quads": say("all four"), **{str(n): run for n, run in RUNS.items()}}


def board(log: Log, stored: DraftBody | None, viewer: int | None) -> BelozBoard:
    """Return everything that the match's page shows besides names and links: of a long match its newest rounds."""
    state: BelozState = log.position.state
    draft = drafts.read(stored)
    target = state.options.target
    standing = log.standing
    sides = standing.sides
    before, points = charted(log.entries[-CHARTED:])
    return BelozBoard(
        asks=None if log.position.finished else state.dealer,  # another one after each round and each deal that was passed
        target=target,
        number=len(state.rounds) + 1,
        dealer=state.players[state.dealer],
        opener=state.players[state.opener],
        bidders=seats(state.players, state.opener),
        sides=[
            {
                "side": side,
                "name": sides[side],
                "total": state.scores[side],
                "to_go": state.to_go[side],
                "href": "#rows",
                "opens": "sums",
            }
            for side in (0, 1)
        ],
        draft=draft,
        draft_text=drafts.text(draft),
        announced=len(draft.declarations) + (draft.beloz is not None),
        needs=_needs(state, draft),
        bidder=None if draft.bidder is None else state.players[draft.bidder],
        rows=rows(log.entries[-RECENT:]),
        entries=len(log.entries),
        before=before,
        series=[{"side": side, "name": sides[side], "points": [point[side] for point in points]} for side in (0, 1)],
        sums=sums(log),
    )


def _needs(state: BelozState, draft: RoundDraft) -> Sentence | None:
    """Return what the contract still needs, once somebody took it and while the match goes on."""
    if draft.bidder is None or draft.flooded is None or state.winner is not None:
        return None
    return outlook(state, draft.bidder, draft.flooded, draft.declarations, draft.beloz)


def numbers(_log: Log, entry: InForce) -> tuple[int, ...]:
    """Return the numbers in an entry's row: what the round scored."""
    result = entry.after.state.rounds.newest if isinstance(entry.events[0], Round) else None
    return () if result is None else result.scores


def charted(entries: Sequence[InForce]) -> tuple[int, list[tuple[int, int]]]:
    """Return how many rounds came before these entries, and the totals before the first and after each of their rounds."""
    played = [entry for entry in entries if isinstance(entry.events[0], Round)]
    if not played:
        return 0, [(0, 0)]
    first: BelozState = played[0].before.state
    return len(first.rounds), [first.scores, *(entry.after.state.scores for entry in played)]


def sums(log: Log) -> Sequence[Line]:
    """Return the lines of both totals: the newest rounds one by one, those before them in one line."""
    newest = log.standing.lines[-RECENT:]
    earlier = len(log.standing.lines) - len(newest)
    if not earlier:
        return newest
    return (Line(say_n("Round {n}", "Rounds 1 to {n}", earlier), scores_before(log, len(newest))), *newest)


def scores_before(log: Log, rounds: int) -> tuple[int, int]:
    """Return the totals before the newest so many rounds."""
    newest = (before for entry in reversed(log.entries) for event, before, _ in entry.steps[::-1] if isinstance(event, Round))
    state: BelozState = next(itertools.islice(newest, rounds - 1, None)).state
    return state.scores


@dataclass(frozen=True, slots=True)
class HistoryPage(Reading):
    """Some entries, newest first: which of how many, and the places at which the older and the newer ones begin."""

    rows: Sequence[HistoryRow]
    first: int
    last: int
    entries: int
    older: int | None
    newer: int | None


def history(log: Log, _viewer: int | None, query: Mapping[str, str]) -> HistoryPage:
    """Return a page of the history: fifty entries down from the one that the address names by its place, or from the newest."""
    count = len(log.entries)
    typed = query.get("to", "")
    last = min(int(typed), count) if typed.isascii() and typed.isdigit() and 0 < len(typed) < 10 else count
    first = max(0, last - PAGE)
    return HistoryPage(
        rows=rows(log.entries[first:last]),
        first=first + 1,
        last=last,
        entries=count,
        older=first or None,
        newer=min(last + PAGE, count) if last < count else None,
    )


def change_label(entry: InForce, _number: int) -> int | None:
    """Return where totals change: after a round by its number, which a passed deal does not count."""
    rounds = len(entry.after.state.rounds)
    return rounds if rounds > len(entry.before.state.rounds) else None


def valued(entry: InForce, sides: Sequence[str]) -> Value:
    """Return what an entry says, beside what another phone said instead: its count first, or all of the round."""
    event = entry.events[0]
    if not isinstance(event, Round):
        return Value(with_capital(describe_entry(entry, sides)))
    state: BelozState = entry.after.state
    result = state.rounds.newest
    team = Name(sides[event.count.team])
    declarations = [
        declared(state.players[declaration.player], describe(declaration), declaration.shown)
        for declaration in event.declarations
    ]
    facts = (
        # NOTE: who took the contract, and with which plain flooded: "Ana, South"
        Fact(say("Contract"), listing([Name(state.players[event.bidder]), PLAINS[event.flooded]], "comma")),
        Fact(say("Last expedition"), Name(sides[event.last_expedition])),
        *([] if event.golden is None else [Fact(say("All eight"), Name(sides[event.golden]))]),
        *([Fact(say("Declarations"), listing(declarations, "text"))] if declarations else []),
        *([] if event.beloz is None else [Fact(say("BeloZ"), Name(state.players[event.beloz]))]),
    )
    won = result is not None and result.contract == "won"
    return Value(
        with_capital(describe_entry(entry, sides)),
        str(event.count.points),
        # NOTE: below a number: "62", "card points for Ana & Cy"
        say("card points for {team}", team=team),
        result.headline if result else "",
        "good" if won else "bad",
        facts,
    )


def declared(player: str, declaration: str, was_shown: bool) -> Sentence:
    """Return what a player announced: "Bo: run of three, not shown."."""
    parts: dict[str, Part] = {"player": Name(player), "declaration": as_sentence(declaration)}
    if was_shown:
        return say("{player}: {declaration}.", **parts)
    return say("{player}: {declaration}, not shown.", **parts)


def describe_entry(entry: InForce, sides: Sequence[str]) -> Sentence:
    """Return one line about an entry: "round 6, 41 for Bo & Di"."""
    event = entry.events[0]
    if isinstance(event, Round):
        count = event.count
        # NOTE: an entry: "round 6, 41 for Bo & Di"
        return say(
            "{round}, {points} for {team}", round=called(entry, sides), points=count.points, team=Name(sides[count.team])
        )
    return called(entry, sides)


def called(entry: InForce, _sides: Sequence[str]) -> Sentence:
    """Return an entry's name: "round 6"."""
    event = entry.events[0]
    if isinstance(event, Round):
        # NOTE: what is saved, corrected or undone: "Undo round 6", "Ana saved round 6"
        return term("round {n}", "what was entered", n=len(entry.before.state.rounds) + 1)
    if isinstance(event, PassedDeal):
        # NOTE: an entry: "Undo: Everybody passed", "Ana entered: Everybody passed"
        return say("Everybody passed")
    return THE_END


def stage(log: Log) -> Stage:
    """Return the round that is played; how far that is, the target tells."""
    state: BelozState = log.position.state
    # NOTE: how far a match is, in a narrow column
    return Stage(say("Round {n}", n=len(state.rounds) + 1))
