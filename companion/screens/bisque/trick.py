"""A trick: who won it, and which card its winner put into the pot."""

from __future__ import annotations

from typing import ClassVar, Final

from werkzeug.datastructures import MultiDict

from companion.engine.bisque import COOKS, Pot, Reveal, State, check_corrected
from companion.engine.core import Event, RuleError
from companion.engine.decktet import BASIC, CARDS
from companion.screens.bisque import draft as drafts
from companion.screens.page import Outcome, PageContext, Rerender, Submit, UpdateDraft

NOT_NOTED: Final = "none"  # the table does not keep who won
COOK_WORDS: Final = tuple(str(cook) for cook in range(COOKS))


class TrickPage:
    """Two taps: the winner, then the card. Serves the match's own page and a correction alike."""

    kind: ClassVar[str] = "trick"
    template: ClassVar[str] = "games/bisque/trick.html"
    deck: ClassVar[tuple[str, ...]] = tuple(card.id for card in BASIC)  # to tap

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.state: State = context.position.state
        self.players = context.position.players
        self.number = len(self.state.pot) + 1
        self.later = (*context.replacing[1:], *context.later)
        self.gone = self._gone()
        self.errors: dict[str, str] = {}
        self.form_data: MultiDict[str, str] = context.form_data if context.form_data is not None else self._stored()

    def _gone(self) -> tuple[str, ...]:
        """The cards that this trick can't have: those of the hand's other tricks and, once they are turned up, its goals."""
        gone = [one.card for one in self.state.pot]
        for event in self.later:
            if isinstance(event, Pot):
                gone.append(event.card)
            if isinstance(event, Reveal):
                return (*gone, *event.goals)
        return tuple(gone)

    def _stored(self) -> MultiDict[str, str]:
        data: MultiDict[str, str] = MultiDict()
        for event in self.context.replacing[:1]:
            if isinstance(event, Pot):
                data["by"] = NOT_NOTED if event.by is None else str(event.by)
                data["card"] = event.card
        return data

    @property
    def outbox_label(self) -> str:
        """What waits in the outbox when it can't be sent."""
        return f"Trick {self.number}"

    @property
    def by(self) -> str:
        """Who won, as it was tapped: a player's number, ``none``, or nothing yet."""
        by = self.form_data.get("by", "")
        return by if by in {*COOK_WORDS, NOT_NOTED} else ""

    @property
    def card(self) -> str:
        """The card that was tapped, if it is one."""
        card = self.form_data.get("card", "")
        return card if card in CARDS else ""

    @property
    def event(self) -> Pot | None:
        """The trick, once both are tapped."""
        if not self.by or not self.form_data.get("card"):
            return None
        return Pot(self.form_data["card"], None if self.by == NOT_NOTED else int(self.by))

    @property
    def told(self) -> str:
        """What was tapped, in words: "Bo, the 8 of waves and leaves"."""
        card = CARDS[self.card].title if self.card else "no card"
        return card if self.by in {"", NOT_NOTED} else f"{self.players[int(self.by)]}, {card}"

    @property
    def same(self) -> bool:
        """True when the newest trick of the pot is exactly what was tapped: two phones entered the same."""
        return self.event is not None and self.state.pot[-1:] == (self.event,)

    def outcome(self) -> Outcome:
        """The trick, unless something is still to be tapped."""
        if self.form_data.get("ask"):
            return Rerender()
        if "chosen" in self.form_data:
            return self._chose()
        event = self.event
        if event is None:
            if self.by:
                self.errors["card"] = "Tap the card that went into the pot."
            else:
                self.errors["by"] = f"Who won trick {self.number}? Tap the winner first, or “Skip winner”, then the card."
            return Rerender(wrong=True)
        if self.context.replacing:
            check_corrected(self.state, event.card, self.later)
        card = CARDS[event.card].title if event.card in CARDS else "a card"
        return Submit(self._whole(event), f"Trick {self.number}: {card}", totals=False)

    def _chose(self) -> Outcome:
        """Tell the others that this phone's player has chosen a goal: the card itself never leaves the phone."""
        player = self.context.viewer
        if player is None or self.state.pot:
            return Rerender()
        return UpdateDraft(lambda stored: drafts.with_chosen(stored, player))

    def ready(self) -> tuple[Event, ...] | None:
        """The trick, once both are tapped and, in a correction, no other trick has the card."""
        if self.event is None:
            return None
        try:
            if self.context.replacing:
                check_corrected(self.state, self.event.card, self.later)
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None
        return self._whole(self.event)

    def _whole(self, event: Event) -> tuple[Event, ...]:
        """The event, with what else the corrected entry holds after it."""
        return (event, *self.context.replacing[1:])

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the winner, at the card, or above both."""
        self.errors.setdefault(field if field in {"by", "card"} else "", sentence)
