"""May I play this card?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from companion.plugin import Area, LookUp, LookUpView, Name, listing, say
from magpie.rules import CARDS, COLOURS, MayPlay, MayPlayAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class MagpieLookUpView(LookUpView):
    """What the template shows, besides what every look-up has: the colour that was led, or nothing yet."""

    led: str
    deck: ClassVar[tuple[str, ...]] = CARDS
    colours: ClassVar[tuple[str, ...]] = COLOURS


class MagpieLookUp(LookUp):
    """A hand, and the colour that was led."""

    slug: ClassVar[str] = "magpie"
    areas: ClassVar[tuple[Area, ...]] = (Area("hand"),)

    def exists(self, card: str) -> bool:
        return card in CARDS

    @cached_property
    def led(self) -> str:
        return self.chosen("led", COLOURS)

    def look_up(self) -> None:
        hand = self.picked("hand")
        if not hand:
            self.wait("Tap the cards of your hand", "Then choose the colour that was led.")
            return
        answer: MayPlayAnswer | None = self.ask(MayPlay, {"game": "magpie", "hand": list(hand), "led": self.led or None})
        if answer is None:
            return
        self.legal = answer.legal
        self.illegal = tuple(card for card in hand if card not in answer.legal)
        cards = listing([Name(card.replace("-", " ")) for card in answer.legal], "or")
        self.title = say("Play {cards}", cards=cards) if self.illegal else say("Play any card")
        self.text = answer.why
        self.rule = "Following"

    def view(self) -> MagpieLookUpView:
        return MagpieLookUpView(**self.common(), led=self.led)
