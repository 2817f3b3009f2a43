"""How is a turn entered? A card is played on a side of a zone, or no card fits and some are discarded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from companion.engine.beluga_cup import BelugaCup, Discard, Note, Play, Shuffle, gather, note, notes
from companion.engine.beluga_cup.events import MOST_DISCARDED
from companion.engine.beluga_cup.match import resting
from companion.engine.beluga_cup.pile import Pile
from companion.engine.beluga_cup.zones import Zone
from companion.engine.core import Position
from companion.engine.decktet import CARDS, EXCUSE, Suit
from companion.engine.text import Sentence, listing, say
from companion.screens.beluga_cup.page import SIDES, CupPage, CupView
from companion.screens.interface import FormData, Outcome, Rerender, Submit, as_sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView(CupView):
    """One side of one zone: the demand it has met, the demand it lacks, and a verdict for each card of the deck.

    ``several`` while Aces are collected for one play, ``collecting`` when taps choose cards and another tap saves them.
    ``aces`` is True when more than one Ace could go there together; ``asked`` is a tapped card that was not played; ``mend`` is
    the id of one that a shuffle brings back, and ``why`` it is refused; ``shuffled`` where the deck was shuffled before this
    play. ``pile`` is how many cards wait in the draw pile, None where that is not known.
    """

    zone: Zone
    side: int
    cards: tuple[str, ...]
    several: bool
    collecting: bool
    aces: bool
    notes: tuple[Note, ...]
    asked: Note | None
    mend: str
    why: str
    shuffled: bool
    pile: int | None
    lacking: tuple[Suit, ...]
    met: tuple[Suit, ...]
    excuse: bool
    excuse_gone: str


class PlayPage(CupPage):
    """The whole deck for one side of one zone. A tap on a card plays it; several Aces are collected first."""

    template: ClassVar[str] = "games/beluga-cup/play.html"
    kind: ClassVar[str] = "play"
    outbox_label = say("Your card")
    error_places: ClassVar[Mapping[str, str]] = {"cards": "card", "zone": "zone", "side": "zone"}

    def prefill(self) -> FormData:
        """Return the card that is to be corrected, and where it was played."""
        data = super().prefill()
        for event in self.context.replacing:
            if isinstance(event, Shuffle):
                data["shuffled"] = "1"
            if isinstance(event, Play):
                data.setlist("card", event.cards)
                data["zone"], data["side"] = str(event.zone), str(event.side)
        return data

    @cached_property
    def zone(self) -> Zone:
        """Return the zone on which is played: chosen, else the first that has fish."""
        number = self.zone_number
        return self.state.zone(number if number is not None else next((z.number for z in self.state.zones if z.fish), 1))

    @property
    def side(self) -> int:
        """Return the side on which is played: chosen, else that of whoever is on turn."""
        chosen = self.form_data.get("side", "")
        return int(chosen) if chosen in SIDES else self.player or 0

    @property
    def cards(self) -> tuple[str, ...]:
        """Return the cards that were tapped, or the one that a shuffle is to bring back."""
        return tuple(self.form_data.getlist("mend") or self.form_data.getlist("card"))

    @property
    def several(self) -> bool:
        """Return True while Aces are collected for one play."""
        return self.form_data.get("aces") == "1"

    @property
    def collecting(self) -> bool:
        """Return True when taps choose cards and another tap saves them."""
        return self.several or self.correcting

    @property
    def shows_verdict(self) -> bool:
        """Return whether the page says what saving would do: not where a tap plays the card."""
        return self.collecting

    @property
    def shuffled(self) -> bool:
        """Return whether the page takes it that the deck was shuffled before this play (ruling U13)."""
        return self.state.tracked and ("mend" in self.form_data or self.form_data.get("shuffled") == "1")

    @cached_property
    def dealt(self) -> Position[BelugaCup]:
        """Return the position in which the card is played: after the shuffle, if there was one."""
        return self.position.apply(Shuffle()) if self.shuffled else self.position

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Return what is to be said about each card of the deck, for this side."""
        return notes(self.dealt.state, self.zone.number, self.side)

    @property
    def asked_about(self) -> Note | None:
        """Return the card that was tapped and was not played, to be explained."""
        if self.collecting or len(self.cards) != 1 or "ask" in self.form_data:
            return None
        return note(self.dealt.state, self.zone.number, self.side, self.cards[0])

    @property
    def mend(self) -> str:
        """Return the tapped card that could be played here if only the deck had been shuffled."""
        if self.shuffled or self.collecting or len(self.cards) != 1:
            return ""
        note, excuse = self.asked_about, self.cards == (EXCUSE.id,) and self.state.excuse and self.state.discarded(EXCUSE)
        return self.cards[0] if excuse or (note is not None and note.back) else ""

    def events(self) -> tuple[Shuffle | Play, ...] | None:
        """Return the play, once a card was tapped and it is somebody's turn.

        The shuffle that brought the card back comes before it, unless another phone has told it meanwhile.
        """
        if not self.cards or self.player is None:
            return None
        resting = any(self.state.discarded(CARDS[card]) for card in self.cards if card in CARDS)
        before = (Shuffle(),) if self.shuffled and (resting or self.correcting) else ()
        return (*before, Play(self.player, self.zone.number, self.side, self.cards))

    def outcome(self) -> Outcome:
        """Enter the tapped card; explain one that can't be played."""
        zone, _, side = self.form_data.get("move", "").partition(":")
        if zone and side:
            self.form_data["zone"], self.form_data["side"] = zone, side
            return Rerender()
        if self.form_data.get("ask"):
            return Rerender()
        events = self.events()
        if events is None:
            self.errors["card"] = say("Tap the card that was played.")
            return Rerender(wrong=True)
        note = self.asked_about
        if self.mend or (note is not None and not note.fits):
            return Rerender(wrong=True)
        verdict = self.verdict()
        if verdict is None:
            return Rerender(wrong=True)
        eaten = verdict.account.eater is not None
        toast = verdict.account.title if eaten else say("{cards:C} played", cards=self.played)
        if len(events) == 1:
            return Submit(events, toast)
        return Submit(events, say("{what}, after a shuffle", what=as_sentence(toast)))

    @property
    def played(self) -> Sentence:
        """Return the tapped cards in words: "the Ace of moons and the Ace of suns"."""
        return listing([as_sentence(CARDS[card].title) for card in self.cards if card in CARDS])

    def view(self) -> PlayView:
        """Return the deck for this side of the zone."""
        return PlayView(
            **self.common(),
            zone=self.zone,
            side=self.side,
            cards=self.cards,
            several=self.several,
            collecting=self.collecting,
            aces=gather(self.notes),
            notes=self.notes,
            asked=self.asked_about,
            mend=self.mend,
            why=resting(CARDS[self.mend]) if self.mend else "",
            shuffled=self.shuffled,
            pile=self.state.pile.left if isinstance(self.state.pile, Pile) else None,
            lacking=self.zone.lacks(self.side),
            met=self.zone.met(self.side),
            excuse=self.state.excuse,
            excuse_gone=resting(EXCUSE) if self.state.discarded(EXCUSE) else "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardView(CupView):
    """How many cards are discarded, if that was tapped."""

    cards: int | None
    numbers: ClassVar[tuple[int, ...]] = tuple(range(MOST_DISCARDED + 1))


class DiscardPage(CupPage):
    """No card fits: the hand is shown, and up to three cards are discarded."""

    template: ClassVar[str] = "games/beluga-cup/discard.html"
    kind: ClassVar[str] = "discard"
    outbox_label = say("Your discarded cards")
    error_places: ClassVar[Mapping[str, str]] = {"cards": "cards", "player": ""}

    def prefill(self) -> FormData:
        """Return how many were discarded."""
        data = super().prefill()
        for event in self.context.replacing:
            if isinstance(event, Discard):
                data["cards"] = str(event.cards)
        return data

    @property
    def cards(self) -> int | None:
        """Return how many cards are discarded."""
        chosen = self.form_data.get("cards", "")
        return int(chosen) if chosen in {str(number) for number in DiscardView.numbers} else None

    def events(self) -> tuple[Discard, ...] | None:
        """Return the discard, once its number is known."""
        return None if self.cards is None or self.player is None else (Discard(self.player, self.cards),)

    def outcome(self) -> Outcome:
        """Enter the number that was tapped."""
        if self.form_data.get("ask"):
            return Rerender()
        events = self.events()
        if events is None:
            self.errors["cards"] = say("Tap how many cards were discarded: none, or up to three.")
            return Rerender(wrong=True)
        return Submit(events, say("No card fitted"))

    def view(self) -> DiscardView:
        """Return how many cards are discarded."""
        return DiscardView(**self.common(), cards=self.cards)
