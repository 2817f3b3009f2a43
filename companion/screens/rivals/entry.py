"""What the pages of a round and of the count have in common: taps fill places, and once all are filled they make an entry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from werkzeug.datastructures import MultiDict

from companion.engine.core import Event, RuleError
from companion.engine.rivals import State
from companion.screens.page import UNKNOWN_KEY, Outcome, PageContext, Rerender, Submit
from companion.screens.rivals.pad import Pad

E = TypeVar("E", bound=Event)


class EntryPage(ABC, Generic[E]):
    """A pad, what the engine says of what lies on it so far, and what saving it enters."""

    what: ClassVar[str]
    template: ClassVar[str]
    pad: Pad

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.state: State = context.position.state
        self.players = context.position.players
        self.errors: dict[str, str] = {}
        self.form_data: MultiDict[str, str] = self.at_first() if context.form_data is None else MultiDict(context.form_data)

    @abstractmethod
    def at_first(self) -> MultiDict[str, str]:
        """What the form holds when it is opened."""

    @abstractmethod
    def check_due(self) -> None:
        """Raises RuleError when another entry comes next."""

    @property
    @abstractmethod
    def event(self) -> E | None:
        """The entry as it is typed, or None while something is missing or no whale."""

    @property
    @abstractmethod
    def next_question(self) -> str:
        """The next question while something is open; empty when all is there."""

    @property
    def open_place(self) -> str:
        """The place that ``next_question`` asks about, as errors name it; empty when the pad is asked."""
        return ""

    @property
    @abstractmethod
    def said(self) -> str:
        """What is said once the entry is saved."""

    @abstractmethod
    def place_of(self, field: str) -> str:
        """The place that a field of the engine's event is, or nothing."""

    @property
    def bottom(self) -> int:
        """The player on the near side: whoever holds this phone."""
        return self.context.viewer or 0

    @property
    def standalone(self) -> bool:
        """True without a table: nothing is kept, and packs or hauls may be of any size."""
        return not self.context.shared and not self.context.replacing

    @property
    def unplayable(self) -> str:
        """Why there is nothing to enter here now, if so."""
        try:
            if not self.standalone:
                self.check_due()
        except RuleError as refused:
            return refused.message
        return ""

    @cached_property
    def after(self) -> State | None:
        """The match as saving would leave it, or None while something is missing or wrong (the reason is among the errors)."""
        event = self.event
        if event is None:
            return None
        try:
            return self.applied(event)
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None

    def applied(self, event: E) -> State:
        """The match after the entry. Raises RuleError."""
        after: State = replace(self.context.position, state=self.state).apply(event).state
        return after

    # What was asked

    def outcome(self) -> Outcome:
        """A tap fills a place, a question is answered, and saving makes the entry."""
        tap = self.form_data.get("tap", "")
        if tap:
            self.tapped(tap)
            self.check_early()
            return Rerender()
        self.errors.update(self.pad.refusals)
        if self.form_data.get("ask"):
            self.check_early()
            return Rerender(wrong=bool(self.pad.refusals))
        if self.standalone:
            return Rerender(wrong=bool(self.errors) or (self.event is not None and self.after is None))
        event = self.event
        if event is None:
            if self.next_question:
                self.errors.setdefault(self.open_place, self.next_question)
            return Rerender(wrong=True)
        return Submit(self._whole(event), self.said)

    def tapped(self, tap: str) -> None:
        """Carry out a tap. Raises RuleError when it means nothing here."""
        if not self.pad.tap(tap):
            raise RuleError(UNKNOWN_KEY)

    def check_early(self) -> None:
        """Refuse what can't be whatever is still to come."""

    def ready(self) -> tuple[Event, ...] | None:
        """The entry, if it is complete and the engine would take it."""
        event = self.event
        return self._whole(event) if event is not None and self.after is not None else None

    def _whole(self, event: E) -> tuple[Event, ...]:
        """The event, with what else the corrected entry holds after it."""
        return (event, *self.context.replacing[1:])

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the place that it is about, or above all."""
        self.errors.setdefault(self.place_of(field), sentence)
