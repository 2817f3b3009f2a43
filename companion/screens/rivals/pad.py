"""How does the pad of whale values fill? Each tap fills a place at the table and goes on to the next.

A place is a player's whales somewhere: on a pack, or captured. Its field holds the values as typed, "10 2", with a full stop
after them once there are no more. What may lie there, the engine says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.core import RuleError
from companion.engine.rivals.whales import VALUES, WHALES, Whale, whale
from companion.engine.text import say

NO_MORE = "."
WORDS: tuple[str, ...] = tuple(map(str, VALUES))


@dataclass(frozen=True, slots=True)
class Place:
    """Where whales of one player lie. It takes ``room`` of them, and is complete with ``full`` without being told so."""

    name: str
    room: int
    full: int
    words: tuple[str, ...]
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
        return " ".join((*self.words, *((NO_MORE,) if self.done else ())))


@dataclass(frozen=True, slots=True)
class Pad:
    """Places in the order in which they are filled. The next tap goes to the place ``at``.

    ``by_hand``: a player chose that place, so it may take more whales than expected, up to its room.
    """

    places: Mapping[str, Place]
    at: str | None
    by_hand: bool = False
    keys: ClassVar[tuple[str, ...]] = WORDS  # the values that can be tapped

    @classmethod
    def read(cls, rooms: Mapping[str, int], data: MultiDict[str, str], full: Mapping[str, int] | None = None) -> Pad:
        """Return the pad that a form holds. ``full`` is how many whales are expected in each place, if that is known."""
        places = {}
        for name, room in rooms.items():
            words = data.get(name, "").split()[: WHALES + 1]
            expected = room if full is None else full[name]
            places[name] = Place(name, room, expected, tuple(word for word in words if word != NO_MORE), NO_MORE in words)
        pad = cls(places, data.get("at", ""), bool(data.get("by_hand")))
        return pad if pad.at in places else pad._go_on(None)

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

    def tap(self, word: str) -> Pad | None:
        """Return the pad after a tap; None when the word means none.

        ``at:NAME`` chooses a place, ``value:10`` lays a whale there, ``no-more`` completes it, ``rub`` takes the last tap
        back. Raises RuleError when the tap can't mean anything just now.
        """
        kind, _, value = word.partition(":")
        if kind == "at" and value in self.places:
            return replace(self._with(replace(self.places[value], done=False)), at=value, by_hand=True)
        if kind == "value" and value in WORDS:
            return self._lay(value)
        if word == "no-more":
            return self._with(replace(self._chosen(), done=True))._go_on(self.at)
        if word == "rub":
            return self._rub()
        return None

    def _chosen(self) -> Place:
        if self.place is None:
            raise RuleError(say("Everything is filled in. Tap the place that you want to change."))
        return self.place

    def _with(self, place: Place) -> Pad:
        return replace(self, places={**self.places, place.name: place})

    def _lay(self, value: str) -> Pad:
        place = self._chosen()
        if len(place.words) >= place.room:
            raise RuleError(say("There is no room for another whale here. Take one back first."))
        place = replace(place, words=(*place.words, value))
        pad = self._with(place)
        return pad._go_on(self.at) if len(place.words) >= (place.room if self.by_hand else place.full) else pad

    def _rub(self) -> Pad:
        order = list(self.places)
        end = len(order) if self.at is None else order.index(self.at) + 1
        filled = [self.places[name] for name in order[:end] if self.places[name].words or self.places[name].done]
        if not filled:
            return self
        place = filled[-1]
        pad = self._with(replace(place, done=False) if place.done else replace(place, words=place.words[:-1]))
        return pad if place.name == self.at else replace(pad, at=place.name, by_hand=False)

    def _go_on(self, name: str | None) -> Pad:
        """Return the pad at the first incomplete place behind this one, else at the first of all, else at none."""
        order = list(self.places)
        start = 0 if name is None else order.index(name) + 1
        after = next((place for place in (*order[start:], *order[:start]) if not self.places[place].complete), None)
        return replace(self, at=after, by_hand=False)
