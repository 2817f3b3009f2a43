"""How is a trick entered? Who won it, and which card its winner put into the pot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from werkzeug.datastructures import MultiDict

from companion.engine.bisque import COOKS, BisqueState, Pot, Reveal, check_corrected
from companion.engine.core import Event
from companion.engine.decktet import BASIC, CARDS
from companion.engine.text import say
from companion.screens.bisque import draft as drafts
from companion.screens.interface import (
    FormData,
    Outcome,
    PageContext,
    PageView,
    Rerender,
    ScreenPage,
    Submit,
    UpdateDraft,
    as_sentence,
)

NOT_NOTED: Final = "none"  # the table does not keep who won
COOK_WORDS: Final = tuple(str(cook) for cook in range(COOKS))
DECK: Final = tuple(card.id for card in BASIC)  # to tap


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickView(PageView):
    """What was tapped: who won (``by``), and the card. ``gone`` are the cards that it can't be. Complete: both are there."""

    number: int
    by: str
    card: str
    gone: tuple[str, ...]
    complete: bool
    kind: ClassVar[str] = "trick"
    deck: ClassVar[tuple[str, ...]] = DECK


class TrickPage(ScreenPage[BisqueState]):
    """Two taps: the winner, then the card. Serves the match's own page and a correction alike."""

    template: ClassVar[str] = "games/bisque/trick.html"

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.number = len(self.state.pot) + 1
        self.later = (*context.replacing[1:], *context.later)
        by, card = self.form_data.get("by", ""), self.form_data.get("card", "")
        self.by = by if by in {*COOK_WORDS, NOT_NOTED} else ""
        self.card = card if card in CARDS else ""

    def prefill(self) -> FormData:
        """Return the trick that is corrected."""
        data: FormData = MultiDict()
        for event in self.context.replacing[:1]:
            if isinstance(event, Pot):
                data["by"] = NOT_NOTED if event.by is None else str(event.by)
                data["card"] = event.card
        return data

    @property
    def outbox_label(self) -> str:
        """Return "Trick 7"."""
        return say("Trick {n}", n=self.number)

    @property
    def event(self) -> Pot | None:
        """Return the trick, once both are tapped."""
        if not self.by or not self.form_data.get("card"):
            return None
        return Pot(self.form_data["card"], None if self.by == NOT_NOTED else int(self.by))

    def events(self) -> tuple[Event, ...] | None:
        """Return the trick, once both are tapped and, in a correction, no other trick has the card."""
        event = self.event
        if event is None:
            return None
        if self.context.replacing and not self.allowed(lambda: check_corrected(self.state, event.card, self.later)):
            return None
        return (event,)

    def outcome(self) -> Outcome:
        """Enter the trick, unless something is still to be tapped."""
        if self.form_data.get("ask"):
            return Rerender()
        if "chosen" in self.form_data or "redeal" in self.form_data:
            return self._chose()
        if self.event is None:
            if self.by:
                self.errors["card"] = say("Tap the card that went into the pot.")
            else:
                self.errors["by"] = say(
                    "Who won trick {n}? Tap the winner first, or “Skip winner”, then the card.", n=self.number
                )
            return Rerender(wrong=True)
        entry = self.ready()
        if entry is None:
            return Rerender(wrong=True)
        card = as_sentence(CARDS[self.card].title) if self.card else say("a card")
        return Submit(entry, say("Trick {n}: {card}", n=self.number, card=card), totals=False)

    def _chose(self) -> Outcome:
        """Tell the others that this phone's player has chosen a goal, or has none: the card itself never leaves the phone.

        A phone that chose from the cards before a redeal has not heard of it yet: its word counts for nothing.
        """
        player, dealt = self.context.viewer, self.form_data.get("redeals", "0")
        if player is None or self.state.pot or dealt != str(drafts.redeals(self.context.draft)):
            return Rerender()
        if "redeal" in self.form_data:
            return UpdateDraft(drafts.dealt_again, step=say("the redeal"))
        has_chosen = self.form_data["chosen"] == "yes"
        return UpdateDraft(lambda stored: drafts.with_chosen(stored, player, has_chosen=has_chosen))

    def place_of(self, field: str) -> str:
        """Return the winner's place, the card's, or the top."""
        return field if field in {"by", "card"} else ""

    def view(self) -> TrickView:
        """Return what was tapped."""
        complete = self.ready() is not None
        return TrickView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            number=self.number,
            by=self.by,
            card=self.card,
            gone=self._gone(),
            complete=complete,
        )

    def _gone(self) -> tuple[str, ...]:
        """Return the cards of the hand's other tricks and, once they are turned up, of its goals."""
        gone = [trick.card for trick in self.state.pot]
        for event in self.later:
            if isinstance(event, Pot):
                gone.append(event.card)
            if isinstance(event, Reveal):
                return (*gone, *event.goals)
        return tuple(gone)
