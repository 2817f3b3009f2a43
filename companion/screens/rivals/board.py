"""What does a Rivals match show? The round in progress, who took which pack, the cards of each, and at last the count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.engine.core import Event, Line, Position, Standing
from companion.engine.rivals import Count, PackResult, RivalsState, Round, outcome, taken, totals, verdict
from companion.engine.rivals.outlook import outlook
from companion.engine.rivals.turns import Turns
from companion.engine.rivals.whales import ACTIONS, MOST_ON_PACK, ROUNDS, VALUES
from companion.engine.text import Name, Sentence, listing, say, say_n, term
from companion.matches.log import InForce, Log
from companion.screens.interface import THE_END, Board, DraftBody, Fact, Stage, Value, as_sentence, score_line, with_capital
from companion.screens.rivals import draft as drafts
from companion.screens.rivals.words import ended, summed, who_takes


@dataclass(frozen=True, slots=True)
class PackLine:
    """What became of a pack, with the whales of both sides in words; it cites no rule of its own."""

    what: Sentence
    amounts: tuple[str, ...]
    rule: str = ""


@dataclass(frozen=True, slots=True)
class EventRow:
    """A line of the history: a round, the count, or the end that the players chose. ``scores`` are cards, or at last values.

    ``place`` is the event's in its entry, from 0. ``best`` is the player who took more cards or at last won, if it is one.
    """

    entry: InForce
    place: int
    title: str
    note: str = ""
    scores: tuple[float | None, ...] = (None, None)
    lines: tuple[Line | PackLine, ...] = ()
    total: str = ""
    foot: str = ""
    rule: str = ""
    best: int | None = None

    @property
    def only_event(self) -> bool:
        """Return False when the entry holds other events too."""
        return len(self.entry.events) == 1

    @property
    def counted(self) -> bool:
        """Return True for the count: its numbers are points, those of a round are cards."""
        return any(isinstance(event, Count) for event in self.entry.events[self.place : self.place + 1])

    @property
    def stop(self) -> bool:
        """Return True for the end that the players chose."""
        return not self.lines


def rows(log: Log) -> list[EventRow]:
    """Return the history, newest first."""
    event_rows = [
        _row(entry, place, event, after) for entry in log.entries for place, (event, _, after) in enumerate(entry.steps)
    ]
    return event_rows[::-1]


def _row(entry: InForce, place: int, event: Event, after: Position[RivalsState]) -> EventRow:
    state = after.state
    if isinstance(event, Round):
        return _round_row(entry, place, state)
    if isinstance(event, Count):
        sentence, rule = verdict(state.players, event.grey)
        first, second = state.captured
        cards = say("{first} to {second} cards", first=first, second=second)
        standing = after.standing()
        best = standing.winners[0] if len(standing.winners) == 1 else None
        lines = tuple(line for line in standing.lines if line.amounts != (None, None))
        return EventRow(entry, place, say("The count"), cards, standing.scores, lines, say("Value"), sentence, rule, best)
    return EventRow(entry, place, say("The match was stopped"))


def _round_row(entry: InForce, place: int, state: RivalsState) -> EventRow:
    number, played = len(state.rounds), state.rounds[-1]
    first, second = taken(played.packs)
    lines = []
    for pack, result in enumerate(played.packs, 1):
        became, _ = outcome(state.players, result)
        values = tuple(summed(whales, strength) for whales, strength in zip(result.whales, result.strengths, strict=True))
        # NOTE: what became of a pack of whales: "Pack 2: Ana takes it"
        lines.append(PackLine(say("Pack {pack}: {outcome}", pack=pack, outcome=as_sentence(became)), values))
    foot = say("So far {first} to {second} cards.", first=state.captured[0], second=state.captured[1])
    if number < ROUNDS:
        starts = say("{player} starts round {n}.", player=Name(state.players[state.first_player]), n=number + 1)
        foot = listing([foot, starts], "text")
    return EventRow(
        entry,
        place,
        say("Round {n}", n=number),
        ended(state.players, played.ended_by),
        (first, second),
        tuple(lines),
        say("Cards taken"),
        foot,
        "End of the round",
        None if first == second else int(second > first),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RivalsBoard(Board):
    """What a match's page shows as ``board``, besides names and links."""

    state: RivalsState
    number: int
    most: int
    actions: int
    ended: str
    playing: bool
    turns: Turns
    moves: str
    far: int
    near: int
    sides: Sequence[Mapping[str, Any]]
    rows: Sequence[EventRow]
    lines: Sequence[Line]
    first: str
    counted: Sequence[Sentence]
    uncounted: Sequence[str]
    values: ClassVar[Mapping[int, int]] = {value: value for value in VALUES}
    rounds: ClassVar[int] = ROUNDS

    @property
    def before(self) -> Sequence[tuple[PackResult, str]]:
        """What the newest round did on each pack, and that in words; empty before the first is over."""
        return [
            (pack, with_capital(outcome(self.state.players, pack)[0])) for each in self.state.rounds[-1:] for pack in each.packs
        ]


def board(log: Log, stored: DraftBody | None, viewer: int | None) -> RivalsBoard:
    """Return everything that the match's page shows besides names and links."""
    state: RivalsState = log.position.state
    moves = drafts.read(stored)
    turns = drafts.turns_of(state, moves)
    halves = drafts.read_halves(stored)
    bottom = viewer or 0
    scores = state.totals
    return RivalsBoard(
        state=state,
        number=len(state.rounds) + 1,
        most=MOST_ON_PACK,
        actions=ACTIONS,
        ended=ended(state.players, turns.called_by) if turns.over else "",
        playing=len(state.rounds) < ROUNDS,
        turns=turns,
        asks=turns.player if moves and not turns.over else None,
        moves=drafts.text(moves),
        far=1 - bottom,
        near=bottom,
        sides=[
            {"side": side, "name": name, "cards": state.captured[side], "total": None if scores is None else scores[side]}
            for side, name in enumerate(state.players)
        ],
        rows=rows(log),
        lines=log.position.standing().lines,
        first=state.players[state.first_player],
        counted=[
            say_n(
                "{player} counted {n} whale: {points}.",
                "{player} counted {n} whales: {points}.",
                len(half),
                player=Name(state.players[side]),
                points=points,
            )
            for side, (half, points) in enumerate(zip(halves, totals((halves[0] or (), halves[1] or ())), strict=True))
            if half is not None
        ]
        + ([needs] if (needs := outlook(state, halves)) is not None else []),
        uncounted=[name for name, half in zip(state.players, halves, strict=True) if half is None],
    )


def corrected_values(position: Position[RivalsState]) -> tuple[int | str, ...]:
    """Return what a correction can change after a round: cards, at last values, and who starts the next round."""
    state = position.state
    first, second = state.totals or state.captured
    return first, second, state.players[state.first_player] if len(state.rounds) < ROUNDS else ""


def change_label(entry: InForce, _number: int) -> int | str | None:
    """Return where the captured cards change: after a round by its number, or after the count."""
    before, after = entry.before.state, entry.after.state
    if after.counted is not None and before.counted is None:
        return term("the count", "what was entered")
    return len(after.rounds) if len(after.rounds) > len(before.rounds) else None


def numbers(_log: Log, entry: InForce) -> tuple[float | None, ...]:
    """Return the numbers in an entry's row: the cards of its round, or the values that were counted."""
    event, _, after = entry.steps[0]
    return _row(entry, 0, event, after).scores


def valued(entry: InForce, sides: Sequence[str]) -> Value:
    """Return what an entry says, beside what another phone said instead: the whales of each pack, or of each player."""
    event, _, after = entry.steps[0]
    state: RivalsState = after.state
    words = with_capital(describe_entry(entry, sides))
    if isinstance(event, Round):
        result = state.rounds[-1]
        facts = [
            Fact(say("Pack {pack}", pack=number), lie(sides, pack), pack_outcome(sides, pack))
            for number, pack in enumerate(result.packs, 1)
        ]
        facts.append(Fact(say("The end"), with_capital(ended(sides, event.ended_by))))
        takes = with_capital(who_takes(sides, taken(result.packs)))
        return Value(words, outcome=takes, facts=tuple(facts), totals=state.captured)
    if isinstance(event, Count):
        facts = [Fact(Name(name), in_a_row(grey)) for name, grey in zip(sides, event.grey, strict=True)]
        return Value(words, outcome=verdict(state.players, event.grey)[0], facts=tuple(facts))
    return Value(words)


def lie(sides: Sequence[str], pack: PackResult) -> Sentence:
    """Return the whales of both players on a pack: "Ana 4+3, Bo none"."""
    # NOTE: whose whales lie on a pack: "Ana 4+3", "Bo none"
    both = [
        say("{player} {whales}", player=Name(name), whales=in_a_row(whales))
        for name, whales in zip(sides, pack.whales, strict=True)
    ]
    return listing(both, "comma")


def pack_outcome(sides: Sequence[str], pack: PackResult) -> Sentence:
    """Return what becomes of a pack, without a full stop: "Ana takes 3 whales"."""
    return as_sentence(outcome(tuple(sides), pack)[0])


def in_a_row(values: Sequence[int]) -> Name | Sentence:
    """Return the values of some whales: "4+3"."""
    return Name("+".join(map(str, values))) if values else say("none")


def describe_entry(entry: InForce, sides: Sequence[str]) -> Sentence:
    """Return one line about an entry: "round 2, Ana takes 3 cards, Bo 1"."""
    description, *others = [_describe(event, after.state, sides) for event, _, after in entry.steps]
    for other in others:
        description = say("{one}; {other}", one=description, other=other)
    return description


def called(entry: InForce, _sides: Sequence[str]) -> Sentence:
    """Return an entry's name: "round 2"."""
    event, _, after = entry.steps[0]
    return _name(event, after.state)


def _name(event: Event, state: RivalsState) -> Sentence:
    if isinstance(event, Round):
        return term("round {n}", "what was entered", n=len(state.rounds))
    return term("the count", "what was entered") if isinstance(event, Count) else THE_END


def _describe(event: Event, state: RivalsState, sides: Sequence[str]) -> Sentence:
    name = _name(event, state)
    if isinstance(event, Round):
        return listing([name, who_takes(sides, taken(state.rounds[-1].packs))], "comma")
    if isinstance(event, Count):
        first, second = totals(event.grey)
        return listing([name, say("{first} to {second}", first=first, second=second)], "comma")
    return name


def summary(standing: Standing) -> Sentence:
    """Return how a match stands in a few words: cards with names until they are counted ("Ana 5 cards, Bo 6"), then values."""
    if None not in standing.scores:
        return score_line(standing)
    first, second = standing.details["captured"]
    first_player, second_player = map(Name, standing.sides)
    cards = say_n("{player} {n} card", "{player} {n} cards", first, player=first_player)
    # NOTE: the second player of "Ana 5 cards, Bo 6"
    return listing([cards, say("{player} {n}", player=second_player, n=second)], "comma")


def stage(log: Log) -> Stage:
    """Return the round that is played."""
    state: RivalsState = log.position.state
    over = len(state.rounds)
    return Stage(say("Round {n} of {all}", n=min(over + 1, ROUNDS), all=ROUNDS), 100 * over / ROUNDS)
