"""What phones ask and show at a match of Magpie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.plugin import (
    Board,
    DraftBody,
    FormData,
    InForce,
    Log,
    Name,
    Outcome,
    PageView,
    Position,
    Rerender,
    ScreenPage,
    Screens,
    Sentence,
    Submit,
    listing,
    say,
)
from magpie.rules import Round, State


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView(PageView):
    """What round.html shows as ``form``."""

    number: int
    gold: tuple[str, ...]


class RoundPage(ScreenPage[State]):
    """How much gold did each player take in this round?"""

    template: ClassVar[str] = "games/magpie/round.html"
    error_places: ClassVar = {"gold": "gold"}  # a refusal about the event's field is shown at this place of the form

    @property
    def number(self) -> int:
        return len(self.state.rounds) + 1

    @property
    def outbox_label(self) -> Sentence:
        return say("Round {number}", number=self.number)

    @property
    def gold(self) -> tuple[str, ...]:
        return tuple(self.form_data.get(f"gold-{player}", "").strip() for player in range(len(self.players)))

    def prefill(self) -> FormData:
        corrected = [event.gold for event in self.context.replacing if isinstance(event, Round)]
        return FormData([(f"gold-{player}", str(gold)) for row in corrected for player, gold in enumerate(row)])

    def events(self) -> tuple[Round] | None:
        complete = all(gold.isdecimal() and len(gold) <= 2 for gold in self.gold)
        return (Round(tuple(map(int, self.gold))),) if complete else None

    def outcome(self) -> Outcome:
        events = self.events()
        if self.form_data.get("ask") == "preview":  # somebody types: show what the engine says, and save nothing
            return Rerender()
        if events is None:
            self.refuse(say("Enter a number for each player, 0 for none."), "gold")
            return Rerender(wrong=True)
        return Submit(events, say("Round {number} saved", number=self.number))

    def view(self) -> RoundView:
        if events := self.events():
            self.asked(lambda: self.position.apply(events[0]))
        return RoundView(errors=self.errors, outbox_label=self.outbox_label, number=self.number, gold=self.gold)


@dataclass(frozen=True, slots=True, kw_only=True)
class MagpieBoard(Board):
    """What match.html shows as ``board``."""

    number: int
    dealer: str
    target: int
    sides: Sequence[Mapping[str, Any]]
    series: Sequence[Mapping[str, Any]]
    rows: Sequence[tuple[int, InForce]]


def board(log: Log, _draft: DraftBody | None, _viewer: int | None) -> MagpieBoard:
    state: State = log.position.state
    totals = [log.start.state.totals, *(entry.after.state.totals for entry in log.entries if not entry.after.stopped)]
    names = list(enumerate(state.players))
    return MagpieBoard(
        number=len(state.rounds) + 1,
        dealer=state.players[log.standing.details["dealer"]],
        target=state.target,
        sides=[{"side": side, "name": name, "total": state.totals[side]} for side, name in names],
        series=[{"side": side, "name": name, "points": [gold[side] for gold in totals]} for side, name in names],
        rows=[(number, entry) for number, entry in enumerate(log.entries, start=1)][::-1],
    )


def describe_entry(entry: InForce, sides: Sequence[str]) -> Sentence:
    """One line about an entry: "round 2, Ana 4, Bo 6"."""
    position: Position[State] = entry.before
    number = len(position.state.rounds) + 1
    for event in entry.events:
        if isinstance(event, Round):
            brought = [say("{side} {gold}", side=Name(side), gold=gold) for side, gold in zip(sides, event.gold, strict=True)]
            return listing([say("round {number}", number=number), *brought], "comma")
    return say("the end of the match")


SCREENS = Screens(
    slug="magpie",
    pages={"round": RoundPage},
    correction_page=RoundPage,
    board=board,
    describe_entry=describe_entry,
    sample_players=("You", "Left", "Right"),
    turn="left",
)
