"""The pages of a turn: a card is played on a side of a zone, or no card fits and some are discarded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.beluga_cup import Discard, Note, Play, gather, note, notes
from companion.engine.beluga_cup.events import MOST_DISCARDED
from companion.engine.beluga_cup.match import resting
from companion.engine.beluga_cup.zones import Zone
from companion.engine.decktet import CARDS, EXCUSE, Suit
from companion.screens.beluga_cup.page import SIDES, CupPage
from companion.screens.page import Outcome, Rerender, Submit, with_capital


class PlayPage(CupPage):
    """The whole deck for one side of one zone. A tap on a card plays it; several Aces are collected first."""

    template: ClassVar[str] = "games/beluga-cup/play.html"
    kind: ClassVar[str] = "play"
    places: ClassVar[Mapping[str, str]] = {"cards": "card", "zone": "zone", "side": "zone"}

    def before_typing(self) -> MultiDict[str, str]:
        """The card that is to be corrected, and where it was played."""
        data = super().before_typing()
        for event in self.context.replacing:
            if isinstance(event, Play):
                data.setlist("card", event.cards)
                data["zone"], data["side"] = str(event.zone), str(event.side)
        return data

    @property
    def outbox_label(self) -> str:
        """What waits in the outbox."""
        return "Your card"

    @cached_property
    def zone(self) -> Zone:
        """The zone on which is played: chosen, else the first that has fish."""
        number = self.zone_number
        return self.state.zone(number if number is not None else next((z.number for z in self.state.zones if z.fish), 1))

    @property
    def side(self) -> int:
        """The side on which is played: chosen, else that of whoever is on turn."""
        chosen = self.form_data.get("side", "")
        return int(chosen) if chosen in SIDES else self.player or 0

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that were tapped."""
        return tuple(self.form_data.getlist("card"))

    @property
    def several(self) -> bool:
        """True while Aces are collected for one play."""
        return self.form_data.get("aces") == "1"

    @property
    def collecting(self) -> bool:
        """True when taps choose cards and another tap saves them."""
        return self.several or self.correcting

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What is to be said about each card of the deck, for this side."""
        return notes(self.state, self.zone.number, self.side)

    @property
    def aces(self) -> bool:
        """True when more than one Ace could go there together."""
        return gather(self.notes)

    @property
    def excuse(self) -> bool:
        """Whether the deck has the Excuse."""
        return self.state.excuse

    @property
    def excuse_gone(self) -> str:
        """Why the Excuse can't be played just now, in a sentence; empty if it can."""
        return resting(EXCUSE) if self.state.discarded(EXCUSE) else ""

    @property
    def lacking(self) -> tuple[Suit, ...]:
        """The suits that the side still lacks, each as often as it does."""
        return self.zone.lacks(self.side)

    @property
    def met(self) -> tuple[Suit, ...]:
        """The suits of the demand that the side has met."""
        return self.zone.met(self.side)

    @property
    def asked(self) -> Note | None:
        """The card that was tapped and was not played, to be explained."""
        if self.collecting or len(self.cards) != 1 or "ask" in self.form_data:
            return None
        return note(self.state, self.zone.number, self.side, self.cards[0])

    def events(self) -> tuple[Play, ...] | None:
        """The play, once a card was tapped and it is somebody's turn."""
        if not self.cards or self.player is None:
            return None
        return (Play(self.player, self.zone.number, self.side, self.cards),)

    def outcome(self) -> Outcome:
        """The tapped card is played; one that can't be is explained."""
        zone, _, side = self.form_data.get("move", "").partition(":")
        if zone and side:
            self.form_data["zone"], self.form_data["side"] = zone, side
            return Rerender()
        if self.form_data.get("ask"):
            return Rerender()
        events = self.events()
        if events is None:
            self.errors["card"] = "Tap the card that was played."
            return Rerender(wrong=True)
        asked = self.asked
        if asked is not None and not asked.fits:
            return Rerender(wrong=True)
        verdict = self.verdict
        if verdict is None:
            return Rerender(wrong=True)
        eaten = verdict.account.eater is not None
        return Submit(events, verdict.account.title if eaten else with_capital(f"{self.played} played"))

    @property
    def played(self) -> str:
        """The tapped cards in words: "the Ace of moons and the Ace of suns"."""
        return " and ".join(CARDS[card].title for card in self.cards if card in CARDS) or "it"


class DiscardPage(CupPage):
    """No card fits: the hand is shown, and up to three cards are discarded."""

    template: ClassVar[str] = "games/beluga-cup/discard.html"
    kind: ClassVar[str] = "discard"
    places: ClassVar[Mapping[str, str]] = {"cards": "cards", "player": ""}
    numbers: ClassVar[tuple[int, ...]] = tuple(range(MOST_DISCARDED + 1))

    def before_typing(self) -> MultiDict[str, str]:
        """How many were discarded."""
        data = super().before_typing()
        for event in self.context.replacing:
            if isinstance(event, Discard):
                data["cards"] = str(event.cards)
        return data

    @property
    def outbox_label(self) -> str:
        """What waits in the outbox."""
        return "Your discarded cards"

    @property
    def cards(self) -> int | None:
        """How many cards are discarded."""
        chosen = self.form_data.get("cards", "")
        return int(chosen) if chosen in {str(number) for number in self.numbers} else None

    def events(self) -> tuple[Discard, ...] | None:
        """The discard, once its number is known."""
        return None if self.cards is None or self.player is None else (Discard(self.player, self.cards),)

    def outcome(self) -> Outcome:
        """A tap on a number enters it."""
        if self.form_data.get("ask"):
            return Rerender()
        events = self.events()
        if events is None:
            self.errors["cards"] = "Tap how many cards were discarded: none, or up to three."
            return Rerender(wrong=True)
        return Submit(events, "No card fitted")
