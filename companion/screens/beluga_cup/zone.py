"""Who is ahead in a zone, who eats it, what does each side lack, and why? Asked without a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.engine.beluga_cup import Contest, TableZone, contest
from companion.engine.beluga_cup.zones import ZONES, make_zone, size
from companion.engine.core import Line
from companion.engine.decktet import SUITS, Card, Suit
from companion.engine.text import listing, say
from companion.screens.beluga_cup.look_up import CupLookUp, CupLookUpView
from companion.screens.beluga_cup.page import SAMPLE_PLAYERS, SIDES
from companion.screens.interface import as_sentence, named
from companion.screens.look_up import Area


@dataclass(frozen=True, slots=True)
class SideOfZone:
    """A side as it is drawn. ``total`` is None and nothing is lacking where the engine could not count."""

    player: int
    total: int | None
    lacking: tuple[Suit, ...]
    leads: bool
    full: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneView(CupLookUpView):
    """Both sides as they were tapped, what the engine says of them, and the sum behind both totals."""

    contest: Contest | None
    last: int | None
    sides: tuple[SideOfZone, SideOfZone]
    lines: tuple[Line, ...]
    what: ClassVar[str] = "zone"
    most_fish: ClassVar[int] = size(ZONES)


class ZoneCalculator(CupLookUp):
    """The fish of a zone and the cards on both its sides, in the order in which they were placed. Nothing is kept."""

    areas: ClassVar[tuple[Area, ...]] = (Area("fish", size(ZONES), "s0"), Area("s0"), Area("s1"))
    lists: ClassVar[frozenset[str]] = frozenset({"fish"})
    file: ClassVar[str] = "calculate-zone"
    players: ClassVar[tuple[str, ...]] = SAMPLE_PLAYERS

    contest: Contest | None = None

    @property
    def deck(self) -> tuple[Card, ...]:
        """Return the cards that can lie on a side."""
        return tuple(card for card in super().deck if card.kind != "excuse")

    @property
    def last(self) -> int | None:
        """Return who placed the last card, if it was said."""
        chosen = self.chosen("last", SIDES)
        return int(chosen) if chosen else None

    def place_name(self, area: str) -> str:
        """Return what a place is called."""
        if area == "fish":
            return say("The fish of the zone")
        return say("{player}’s side", player=named(self.players[int(area[1])]))

    def _tap(self, tap: str) -> None:
        """Put a fish into the zone, whatever was chosen before."""
        kind, _, suit = tap.partition(":")
        if kind != "fish":
            super()._tap(tap)
        elif suit in SUITS:
            self.form_data["to"] = "fish"
            self.form_data.add("fish", suit)
            self._advance()

    def where(self, field: str) -> str:
        """Return the card of a side ("sides.0.2"), or the fish."""
        name, _, place = field.partition(".")
        return super().where(f"s{place}") if name == "sides" else name

    def look_up(self) -> None:
        """Look up how the zone stands."""
        sides = (self.picked("s0"), self.picked("s1"))
        fish = self.fish("fish")
        if not fish and not any(sides):
            self.wait(
                say("Which fish swim in the zone?"),
                say("Tap them, then each side’s cards in the order in which they were placed."),
            )
            return
        self.contest = self.asked(lambda: contest(self.players, self.deck_name, TableZone(tuple(fish), sides), self.last))
        if self.contest:
            self.title, self.rule = self.contest.title, self.contest.rule
            self.text = listing([as_sentence(sentence) for sentence in self.contest.sentences], "text")

    def view(self) -> ZoneView:
        """Return the zone, with what the engine says of it."""
        return ZoneView(
            **self.common(),
            contest=self.contest,
            last=self.last,
            sides=(self._side(0), self._side(1)),
            lines=self.contest.lines if self.contest else (),
        )

    def _side(self, side: int) -> SideOfZone:
        """Return a side as it is drawn: what was tapped, and what the engine says of it if it can be."""
        zone = self.contest.zone if self.contest else make_zone(0, self.fish("fish"))
        return SideOfZone(
            side,
            total=zone.total(side) if self.contest else None,
            lacking=tuple(zone.lacks(side)) if self.contest or not self.picked(f"s{side}") else (),
            leads=zone.leader() == side,
            full=zone.full(side),
        )
