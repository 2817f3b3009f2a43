"""How do zones get their fish? Companion draws them, or they are tapped as they come out of a real bag."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from companion.engine.beluga_cup import Fill
from companion.engine.beluga_cup.words import zones
from companion.engine.beluga_cup.zones import NUMBERS, needed, remaining, share
from companion.engine.decktet import SUITS, Suit
from companion.engine.text import say, say_n
from companion.screens.beluga_cup.page import CupPage, CupView, fish_of, suit_of, text_of
from companion.screens.interface import FormData, Outcome, Rerender, Submit, as_sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class FishView(CupView):
    """The zones that get fish, and the fish so far: in the order in which they came, as ``text``, and ``filled`` zone by zone.

    ``left`` is what is still in the bag; ``by_app`` is True when Companion drew the fish that are being corrected.
    """

    where: str
    zones: tuple[int, ...]
    fish: tuple[Suit, ...]
    text: str
    filled: tuple[tuple[int, tuple[Suit, ...]], ...]
    lacking: int
    left: Mapping[Suit, int]
    by_app: bool


class FishPage(CupPage):
    """Fish for the zones that wait for some, lowest zone first."""

    template: ClassVar[str] = "games/beluga-cup/fish.html"
    kind: ClassVar[str] = "fish"
    error_places: ClassVar[Mapping[str, str]] = {"fish": "fish", "drawn_by": "fish", "zone": "fish"}

    def prefill(self) -> FormData:
        """Return the fish of the entry that is to be corrected."""
        data = super().prefill()
        data["fish"] = text_of(suit for fill in self._replaced for suit in fill.fish)
        return data

    @property
    def outbox_label(self) -> str:
        """Return what waits in the outbox."""
        return say("The fish for {zones}", zones=as_sentence(self.where))

    @property
    def _replaced(self) -> tuple[Fill, ...]:
        return tuple(event for event in self.context.replacing if isinstance(event, Fill))

    @property
    def zones(self) -> tuple[int, ...]:
        """Return the numbers of the zones that get fish, in the order in which they get them."""
        return tuple(fill.zone for fill in self._replaced) or self.state.to_fill

    @property
    def where(self) -> str:
        """Return the zones in words: "zone 3", "the four zones"."""
        if self.zones == NUMBERS:
            return say("the four zones")
        return zones(self.zones) if self.zones else say("the zones")

    @property
    def needed(self) -> int:
        """Return how many fish that are."""
        return needed(self.zones)

    @property
    def drawn(self) -> str:
        """Return what saving did: "10 fish drawn", "2 fish drawn for zone 3"."""
        if self.zones == NUMBERS:
            return say_n("{n} fish drawn", "{n} fish drawn", self.needed)
        return say_n("{n} fish drawn for {zones}", "{n} fish drawn for {zones}", self.needed, zones=as_sentence(self.where))

    @property
    def fish(self) -> tuple[Suit, ...]:
        """Return the fish so far, in the order in which they came."""
        return fish_of(self.form_data.get("fish", ""), self.needed)

    @property
    def lacking(self) -> int:
        """Return how many fish must still be tapped."""
        return max(0, self.needed - len(self.fish))

    def events(self) -> tuple[Fill, ...] | None:
        """Return a filling for each zone, once all fish are there. What Companion drew stays its draw unless it is changed."""
        if not self.zones or self.lacking:
            return None
        drawn = {(fill.zone, fill.fish): fill for fill in self._replaced}
        return tuple(drawn.get((number, fish)) or Fill(number, fish, "hand") for number, fish in share(self.fish, self.zones))

    def outcome(self) -> Outcome:
        """Let Companion draw, or add a tapped fish; the last one that is needed enters them all."""
        if self.form_data.get("by") == "app" and not self.correcting:
            fills = tuple(Fill(number, (), "app") for number in self.zones)
            return Submit(fills, self.drawn, by_app=True)
        tap, added = self.form_data.get("tap", ""), self.form_data.get("add", "")
        if tap == "back":
            self.form_data["fish"] = text_of(self.fish[:-1])
            return Rerender()
        if added in SUITS:
            fish = (*self.fish, suit_of(added))
            if not self.held(fish, "fish"):
                return Rerender(wrong=True)
            self.form_data["fish"] = text_of(fish)
            if self.correcting or self.lacking:
                return Rerender()
        if self.form_data.get("ask"):
            return Rerender()
        events = self.events()
        if events is None:
            self.errors["fish"] = (
                say_n("Tap {n} more fish.", "Tap {n} more fish.", self.lacking)
                if self.zones
                else say("No zone waits for fish.")
            )
            return Rerender(wrong=True)
        return Submit(events, self.drawn)

    def view(self) -> FishView:
        """Return the zones with the fish that they have so far."""
        return FishView(
            **self.common(),
            where=self.where,
            zones=self.zones,
            fish=self.fish,
            text=text_of(self.fish),
            filled=share(self.fish, self.zones),
            lacking=self.lacking,
            left=remaining(self.state.bag, self.fish),
            by_app=any(fill.drawn_by == "app" for fill in self._replaced),
        )
