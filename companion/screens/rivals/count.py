"""The final count: the values of the grey whales that each player captured, tapped one after the other."""

from __future__ import annotations

from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.rivals import Count, State, check_captured, check_count_due, totals, verdict, winners
from companion.engine.rivals.whales import WHALES, Sides
from companion.screens.page import PageContext
from companion.screens.rivals.entry import EntryPage
from companion.screens.rivals.pad import Pad

FIELDS = ("grey-0", "grey-1")


class CountPage(EntryPage[Count]):
    """Both players' captured whales. In a match each has as many as the rounds gave; without a table as many as are tapped."""

    template: ClassVar[str] = "games/rivals/count.html"
    what: ClassVar[str] = "count"
    outbox_label: ClassVar[str] = "The count"
    said: ClassVar[str] = "Counted"
    hint: ClassVar[str] = ""
    laid: ClassVar[str] = ""
    told_totals: ClassVar[str] = ""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        rooms = (WHALES, WHALES) if self.standalone else self.state.captured
        self.pad = Pad({FIELDS[side]: rooms[side] for side in self.sides}, self.form_data)

    @property
    def sides(self) -> tuple[int, int]:
        """Both players in the order in which they are counted."""
        return self.bottom, 1 - self.bottom

    def at_first(self) -> MultiDict[str, str]:
        """Nothing yet, or the count that is corrected."""
        data: MultiDict[str, str] = MultiDict()
        for event in self.context.replacing[:1]:
            if isinstance(event, Count):
                for side, values in enumerate(event.grey):
                    data[FIELDS[side]] = " ".join(map(str, values))
        return data

    # What the page shows

    @property
    def grey(self) -> Sides:
        """What both captured, as far as it was tapped."""
        return self.pad[FIELDS[0]].values, self.pad[FIELDS[1]].values

    @property
    def sums(self) -> tuple[int, int]:
        """The values so far, summed."""
        return totals(self.grey)

    @property
    def prompt(self) -> str:
        """What the next tap is: "Ana's 3rd whale"."""
        place = self.pad.place
        if place is None:
            return self.result[0] if self.result else "All whales entered"
        name, number = self.players[FIELDS.index(place.name)], len(place.words) + 1
        if number > place.room:
            return f"All of {name}'s whales"
        return f"{name}'s whale {number}" if self.standalone else f"{name}'s whale {number} of {place.room}"

    @property
    def result(self) -> tuple[str, tuple[int, ...]] | None:
        """Who would win, in a sentence and as sides; None while something is missing or wrong."""
        if self.after is None or self.after.counted is None:
            return None
        return verdict(self.players, self.after.counted)[0], winners(self.after.counted)

    # What was asked

    def check_due(self) -> None:
        """Raises RuleError before three rounds are played."""
        check_count_due(self.state)

    @property
    def next_question(self) -> str:
        """The next question while something is open."""
        return "" if self.pad.complete else f"{self.prompt}?"

    @property
    def event(self) -> Count | None:
        """The count as typed, or None while it is incomplete."""
        return None if self.next_question or self.pad.refusals else Count(self.grey)

    def applied(self, event: Count) -> State:
        """The match after the count; without a table there is none, and what was captured is taken as it lies."""
        if not self.standalone:
            return super().applied(event)
        check_captured(self.players, event.grey)
        return State(self.players, counted=event.grey)

    def place_of(self, field: str) -> str:
        """The player whom a part of the count is about."""
        return {"grey.0": FIELDS[0], "grey.1": FIELDS[1]}.get(field, "")
