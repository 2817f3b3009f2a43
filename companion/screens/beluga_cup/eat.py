"""The short way: the page on which is said who ate a zone, at a table that does not enter its cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.beluga_cup import Eat
from companion.engine.beluga_cup.zones import Zone
from companion.screens.beluga_cup.page import CupPage
from companion.screens.page import Outcome, Rerender, Submit


class EatPage(CupPage):
    """Who ate a zone: a tap on the name enters it."""

    template: ClassVar[str] = "games/beluga-cup/eat.html"
    kind: ClassVar[str] = "eat"
    places: ClassVar[Mapping[str, str]] = {"zone": "zone", "player": "player"}

    def before_typing(self) -> MultiDict[str, str]:
        """The zone of the address, or the entry that is to be corrected."""
        data = super().before_typing()
        for event in self.context.replacing:
            if isinstance(event, Eat):
                data["zone"], data["player"] = str(event.zone), str(event.player)
        return data

    @property
    def outbox_label(self) -> str:
        """What waits in the outbox."""
        return "Who ate" if self.zone_number is None else f"Who ate zone {self.zone_number}"

    @property
    def zone(self) -> Zone | None:
        """The zone that was eaten, if it was chosen."""
        return None if self.zone_number is None else self.state.zone(self.zone_number)

    @property
    def others(self) -> list[dict[str, object]]:
        """All zones, as tiles to choose from."""
        return [{"number": zone.number, "fish": zone.fish, "chosen": zone is self.zone} for zone in self.state.zones]

    def events(self) -> tuple[Eat, ...] | None:
        """The eating, once zone and player are known."""
        if self.zone_number is None or self.player is None:
            return None
        return (Eat(self.zone_number, self.player),)

    def outcome(self) -> Outcome:
        """A tap on a name enters it."""
        if self.form_data.get("ask"):
            return Rerender()
        events = self.events()
        if events is None:
            missing = "zone" if self.zone_number is None else "player"
            self.errors[missing] = "Tap the zone that was eaten." if missing == "zone" else "Tap who ate it."
            return Rerender(wrong=True)
        return Submit(events, f"{self.players[self.player or 0]} eats zone {self.zone_number}")
