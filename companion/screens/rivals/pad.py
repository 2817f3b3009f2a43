"""How does the pad of whale values fill? Each tap fills a place at the table and goes on to the next.

A place is a player's whales somewhere: on a pack, or captured. Its field holds the values as typed, "10 2", with a full stop
after them once there are no more. What may lie there, the engine says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.core import RuleError
from companion.engine.rivals.whales import VALUES, WHALES, Whale, whale
from companion.engine.text import say

NO_MORE = "."
WORDS: tuple[str, ...] = tuple(map(str, VALUES))


@dataclass(slots=True)
class Place:
    """Where whales of one player lie. It takes ``room`` of them, and is complete with ``full`` without being told so."""

    name: str
    room: int
    full: int
    words: list[str]
    done: bool = False

    @property
    def values(self) -> tuple[Whale, ...]:
        """Return the values that were typed, without words that are none."""
        return tuple(whale(word) for word in self.words if word in WORDS)

    @property
    def refusal(self) -> str:
        """Return what the engine says of the first word that is no whale's value; nothing if each is one."""
        try:
            for word in self.words:
                whale(word)
        except RuleError as refused:
            return refused.message
        return ""

    @property
    def complete(self) -> bool:
        """Return True when nothing more is expected here."""
        return self.done or len(self.words) >= self.full

    @property
    def text(self) -> str:
        """Return what its field holds."""
        return " ".join([*self.words, *([NO_MORE] if self.done else [])])


class Pad:
    """Places in the order in which they are filled, and ``at`` which of them the next tap goes.

    ``by_hand``: that one was chosen, so it takes all that it has room for, whatever was expected there.
    """

    keys: ClassVar[tuple[str, ...]] = WORDS  # the values that can be tapped

    def __init__(self, rooms: Mapping[str, int], data: MultiDict[str, str], full: Mapping[str, int] | None = None) -> None:
        self.places: dict[str, Place] = {}
        for name, room in rooms.items():
            words = data.get(name, "").split()[: WHALES + 1]
            expected = room if full is None else full[name]
            self.places[name] = Place(name, room, expected, [word for word in words if word != NO_MORE], NO_MORE in words)
        self.at: str | None = data.get("at", "")
        self.by_hand = bool(data.get("by_hand"))
        if self.at not in self.places:
            self._go_to(self._next_after(None))

    def __getitem__(self, name: str) -> Place:
        return self.places[name]

    @property
    def place(self) -> Place | None:
        """Return the place that is being filled."""
        return None if self.at is None else self.places[self.at]

    @property
    def complete(self) -> bool:
        """Return True once every place is."""
        return all(place.complete for place in self.places.values())

    @property
    def refusals(self) -> dict[str, str]:
        """Return the places with a word that is no whale's value, each with what the engine says of it."""
        return {name: place.refusal for name, place in self.places.items() if place.refusal}

    def tap(self, word: str) -> bool:
        """Carry out a tap; False when the word means none.

        ``at:NAME`` chooses a place, ``value:10`` lays a whale there, ``no-more`` completes it, ``rub`` takes the last tap
        back. Raises RuleError when the tap can't mean anything just now.
        """
        kind, _, value = word.partition(":")
        if kind == "at" and value in self.places:
            self._go_to(value, by_hand=True)
            self.places[value].done = False
        elif kind == "value" and value in WORDS:
            self._lay(value)
        elif word == "no-more":
            self._chosen().done = True
            self._go_to(self._next_after(self.at))
        elif word == "rub":
            self._rub()
        else:
            return False
        return True

    def _chosen(self) -> Place:
        if self.place is None:
            raise RuleError(say("Everything is filled in. Tap the place that you want to change."))
        return self.place

    def _lay(self, value: str) -> None:
        place = self._chosen()
        if len(place.words) >= place.room:
            raise RuleError(say("There is no room for another whale here. Rub one out first."))
        place.words.append(value)
        if len(place.words) >= (place.room if self.by_hand else place.full):
            self._go_to(self._next_after(self.at))

    def _rub(self) -> None:
        order = list(self.places)
        end = len(order) if self.at is None else order.index(self.at) + 1
        filled = [self.places[name] for name in order[:end] if self.places[name].words or self.places[name].done]
        if not filled:
            return
        place = filled[-1]
        if place.done:
            place.done = False
        else:
            place.words.pop()
        if place.name != self.at:
            self._go_to(place.name)

    def _go_to(self, name: str | None, *, by_hand: bool = False) -> None:
        self.at, self.by_hand = name, by_hand

    def _next_after(self, name: str | None) -> str | None:
        """Return the first incomplete place behind this one, else the first of all, else none."""
        order = list(self.places)
        start = 0 if name is None else order.index(name) + 1
        return next((one for one in (*order[start:], *order[:start]) if not self.places[one].complete), None)
