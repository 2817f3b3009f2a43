"""What do the pages of a round and of the count share? Taps fill places, and once all are filled they make an entry."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, TypeVar

from companion.engine.core import Event, RuleError
from companion.engine.rivals import RivalsState
from companion.screens.interface import UNKNOWN_KEY, Mend, Outcome, PageView, Rerender, ScreenPage, Submit
from companion.screens.rivals.pad import Pad

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class PadView(PageView):
    """The pad, what the next tap is (``prompt``) and what helps with it (``hint``), and who sits on the near side (``bottom``).

    ``unplayable`` says why there is nothing to enter now. ``laid`` is how many whales lie where, if the moves were tapped.
    ``halves`` are the halves of the count that phones share, as their fields hold them, empty where there is none. ``mend`` is
    the one tap that mends what was refused, if there is one.
    """

    what: str
    pad: Pad
    prompt: str
    hint: str
    bottom: int
    standalone: bool
    unplayable: str
    laid: str = ""
    halves: tuple[str, ...] = ()
    then_totals: str = ""
    mend: Mend | None = None


class PadPage(ScreenPage[RivalsState], Generic[E]):
    """A pad, what the engine says of what lies on it so far, and what saving it enters."""

    what: ClassVar[str]
    pad: Pad

    @abstractmethod
    def check_due(self) -> None:
        """Raise RuleError when another entry comes next."""

    @property
    @abstractmethod
    def event(self) -> E | None:
        """Return the entry as it is typed, or None while something is missing or no whale."""

    @property
    @abstractmethod
    def next_question(self) -> str:
        """Return the next question while something is open; empty when all is there."""

    @property
    def open_place(self) -> str:
        """Return the place that ``next_question`` asks about; empty when the pad is asked."""
        return ""

    @property
    @abstractmethod
    def message(self) -> str:
        """Return what is said once the entry is saved."""

    @property
    def bottom(self) -> int:
        """Return the player on the near side: whoever holds this phone."""
        return self.context.viewer or 0

    @property
    def unplayable(self) -> str:
        """Return why there is nothing to enter here now, if so."""
        try:
            if not self.standalone:
                self.check_due()
        except RuleError as refused:
            return refused.message
        return ""

    def applied(self, event: E) -> RivalsState:
        """Return the match after the entry. Raises RuleError."""
        after: RivalsState = replace(self.position, state=self.state).apply(event).state
        return after

    def after(self) -> RivalsState | None:
        """Return the match as saving would leave it, or None while something is missing or wrong."""
        event = self.event
        return None if event is None else self.asked(lambda: self.applied(event))

    def events(self) -> tuple[Event, ...] | None:
        """Return the entry, if it is complete and the engine would take it."""
        event = self.event
        return None if event is None or self.after() is None else (event,)

    def outcome(self) -> Outcome:
        """Fill a place by a tap, answer a question, or make the entry."""
        tap = self.form_data.get("tap", "")
        if tap:
            self.tapped(tap)
            self.check_early()
            return Rerender()
        self.errors.update(self.pad.refusals)
        if self.form_data.get("ask"):
            self.check_early()
            return Rerender(wrong=bool(self.pad.refusals))
        event = self.event
        if self.standalone:
            return Rerender(wrong=bool(self.errors) or (event is not None and self.after() is None))
        if event is None:
            if self.next_question:
                self.errors.setdefault(self.open_place, self.next_question)
            return Rerender(wrong=True)
        return Submit((event, *self.context.replacing[1:]), self.message)

    def tapped(self, tap: str) -> None:
        """Carry out a tap. Raises RuleError when it means nothing here."""
        after = self.pad.tap(tap)
        if after is None:
            raise RuleError(UNKNOWN_KEY)
        self.pad = after

    def check_early(self) -> None:
        """Refuse what can't be whatever is still to come."""
