"""The final count: the values of the grey whales that each player captured, tapped one after the other."""

from __future__ import annotations

from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.core import Event, RuleError
from companion.engine.rivals import Count, State, totals, verdict, winners
from companion.engine.rivals.whales import ROUNDS, WHALES, Sides
from companion.forms.rivals.pad import Pad
from companion.forms.screens import Again, Enter, Outcome, Sitting

FIELDS = ("grey-0", "grey-1")


class CountPage:
    """Both players' captured whales. In a match each has as many as the rounds gave; without a table as many as are tapped."""

    template: ClassVar[str] = "games/rivals/count.html"
    what: ClassVar[str] = "count"
    keeps: ClassVar[str] = "The count"

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.state: State = sitting.position.state
        self.players = sitting.position.players
        self.errors: dict[str, str] = {}
        self.data = self._data()
        rooms = (WHALES, WHALES) if self.alone else self.state.captured
        order = (self.bottom, 1 - self.bottom)
        self.pad = Pad({FIELDS[side]: rooms[side] for side in order}, self.data)

    @property
    def bottom(self) -> int:
        """The player who is counted first: whoever holds this phone."""
        return self.sitting.viewer or 0

    @property
    def sides(self) -> tuple[int, int]:
        """Both players in the order in which they are counted."""
        return self.bottom, 1 - self.bottom

    @property
    def alone(self) -> bool:
        """True without a table: nothing is kept, and each may have captured any number."""
        return not self.sitting.shared and not self.sitting.replacing

    def _data(self) -> MultiDict[str, str]:
        sitting = self.sitting
        if sitting.typed is not None:
            return MultiDict(sitting.typed)
        data: MultiDict[str, str] = MultiDict()
        for event in sitting.replacing:
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
    def asks(self) -> str:
        """What the next tap is: "Ana's 3rd whale"."""
        place = self.pad.place
        if place is None:
            return self.result[0] if self.result else "All whales are here"
        name, number = self.players[FIELDS.index(place.name)], len(place.words) + 1
        if number > place.room:
            return f"All of {name}'s whales"
        return f"{name}'s whale {number}" if self.alone else f"{name}'s whale {number} of {place.room}"

    hint: ClassVar[str] = ""

    @property
    def missing(self) -> str:
        """The next question while something is open."""
        return "" if self.pad.complete else f"{self.asks}?"

    @property
    def result(self) -> tuple[str, tuple[int, ...]] | None:
        """Who would win, in a sentence and as sides; None while something is missing or wrong."""
        event = self._count()
        if event is None:
            return None
        if not self.alone:
            try:
                self.sitting.position.apply(event)
            except RuleError as refused:
                self.refuse(refused.message, refused.field)
                return None
        return verdict(self.players, event.grey)[0], winners(event.grey)

    @property
    def unplayable(self) -> str:
        """Why there is nothing to count yet, if so."""
        if self.alone or len(self.state.rounds) == ROUNDS:
            return ""
        return f"Captured whales stay secret until three rounds are played; it is {len(self.state.rounds)} so far."

    # What was asked

    def outcome(self) -> Outcome:
        """A tap adds a whale, a question is answered, and saving ends the match."""
        tap = self.data.get("tap", "")
        if tap:
            if not self.pad.tap(tap):
                raise RuleError("That key is unknown here. Load the page again.")
            return Again()
        if self.data.get("ask") or self.alone:
            return Again(wrong=self._no_whale())
        event = self._count()
        if event is None:
            self._no_whale()
            self.errors.setdefault("", self.missing or "Something is not right yet.")
            return Again(wrong=True)
        return Enter((event,), "Counted")

    def _no_whale(self) -> bool:
        """Say which words are no whale's value, if there are any."""
        self.errors.update(self.pad.refusals)
        return bool(self.pad.refusals)

    def ready(self) -> tuple[Event, ...] | None:
        """The count, if it is complete and the engine would take it."""
        event = self._count()
        return (event,) if event is not None and self.result is not None else None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the player whom it is about."""
        self.errors.setdefault({"grey.0": FIELDS[0], "grey.1": FIELDS[1]}.get(field, ""), sentence)

    def _count(self) -> Count | None:
        """The count as typed, or None while it is incomplete."""
        if self.missing or self.pad.refusals:
            return None
        return Count(self.grey)
