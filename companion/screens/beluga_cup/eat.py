"""Who ate a zone? The short way, at a table that does not enter its cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from companion.engine.beluga_cup import Eat
from companion.engine.beluga_cup.zones import Zone
from companion.engine.text import Name, say
from companion.screens.beluga_cup.page import CupPage, CupView
from companion.screens.interface import FormData, Outcome, Rerender, Submit


@dataclass(frozen=True, slots=True, kw_only=True)
class EatView(CupView):
    """The zone that was eaten, if it was chosen."""

    zone_number: int | None
    zone: Zone | None


class EatPage(CupPage):
    """Who ate a zone: a tap on the name enters it."""

    template: ClassVar[str] = "games/beluga-cup/eat.html"
    kind: ClassVar[str] = "eat"
    error_places: ClassVar[Mapping[str, str]] = {"zone": "zone", "player": "player"}

    def prefill(self) -> FormData:
        """Return the zone of the address, or the entry that is to be corrected."""
        data = super().prefill()
        for event in self.context.replacing:
            if isinstance(event, Eat):
                data["zone"], data["player"] = str(event.zone), str(event.player)
        return data

    @property
    def outbox_label(self) -> str:
        """Return what waits in the outbox."""
        return say("Who ate") if self.zone_number is None else say("Who ate zone {n}", n=self.zone_number)

    def events(self) -> tuple[Eat, ...] | None:
        """Return the eating, once zone and player are known."""
        if self.zone_number is None or self.player is None:
            return None
        return (Eat(self.zone_number, self.player),)

    def outcome(self) -> Outcome:
        """Enter the name that was tapped."""
        if self.form_data.get("ask"):
            return Rerender()
        events = self.events()
        if events is None:
            missing = "zone" if self.zone_number is None else "player"
            self.errors[missing] = say("Tap the zone that was eaten.") if missing == "zone" else say("Tap who ate it.")
            return Rerender(wrong=True)
        eaten = say("{player} eats zone {n}", player=Name(self.players[self.player or 0]), n=self.zone_number or 0)
        return Submit(events, eaten)

    def view(self) -> EatView:
        """Return the zone that was chosen, among all zones."""
        return EatView(
            **self.common(),
            zone_number=self.zone_number,
            zone=None if self.zone_number is None else self.state.zone(self.zone_number),
        )
