"""Which cards kill a fish, or save it, at the least cost?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.text import Name, Sentence, listing, say, say_n
from companion.engine.what_the_fish import WhatTheFishState
from companion.engine.what_the_fish.cards import HIGHEST_TOTAL
from companion.engine.what_the_fish.cheapest import Ask, Cheapest, CheapestAnswer, asked
from companion.screens.look_up import LONGEST, FormData, LookUp, LookUpView, MatchState, first_refusal
from companion.screens.what_the_fish.words import no_number

SUBJECTS = ("kill", "protect")
MOST_FIGURES = len(str(HIGHEST_TOTAL))
MOST_TOLD = 160  # characters of what the match knew, as the form carries it


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the hand: its value, whether it is one of the cheapest, and whether it was tapped or typed."""

    value: str
    used: bool
    tapped: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatTheFishLookUpView(LookUpView):
    """The numbers as they were typed, and every card of the hand; ``answered`` once it is known whether they are enough."""

    to_beat: str
    already: str
    more: str
    shown: tuple[HandCard, ...]
    answered: bool
    values: ClassVar[tuple[int, ...]] = tuple(range(1, 16))  # to tap; higher ones are typed
    most_figures: ClassVar[int] = MOST_FIGURES


class WhatTheFishLookUp(LookUp):
    """The number to beat, what lies in the layer already, and the cards that could be laid down."""

    slug: ClassVar[str] = "what-the-fish"
    lists: ClassVar[frozenset[str]] = frozenset({"hand"})

    @classmethod
    def prefill(cls, match: MatchState) -> FormData:
        """Return the fish that swims: the owner asks what saves it, everybody else what kills it."""
        data: FormData = MultiDict()
        state: WhatTheFishState = match.position.state
        duel = state.duel
        data.setlist("who", list(state.players))
        if duel is None:
            return data
        mine = match.viewer == duel.player
        subject: Ask = "protect" if mine or (match.viewer is None and duel.dies) else "kill"
        data["subject"] = subject
        question = asked(duel, subject)
        data["to_beat"] = str(question.to_beat)
        data["already"] = str(question.already)
        owner = Name(state.players[duel.player])
        data["situation"] = (
            say("{player}’s fish ({n}) is dying", player=owner, n=duel.rank)
            if duel.dies
            else say("{player}’s fish ({n}) is safe", player=owner, n=duel.rank)
        )
        return data

    def exists(self, card: str) -> bool:
        """Return True if there is such a card."""
        return card.isdecimal()

    @cached_property
    def subject(self) -> str:
        """Return the subject of the look-up: cards that kill, or cards that save."""
        return self.chosen("subject", SUBJECTS, "kill")

    @property
    def situation(self) -> str:
        """Return what the match knows of the swim."""
        situation = self.form_data.get("situation", "")
        return situation if len(situation) <= MOST_TOLD else situation[:MOST_TOLD]

    def entered(self, name: str) -> str:
        """Return what was typed in a field."""
        return self.form_data.get(name, "").strip()[:200]

    @cached_property
    def tapped(self) -> tuple[str, ...]:
        """Return the cards that were tapped."""
        return self.picked("hand")

    cheapest: tuple[int, ...] = ()
    enough: bool | None = None

    def view(self) -> WhatTheFishLookUpView:
        """Return what was typed and tapped, with the cheapest cards."""
        return WhatTheFishLookUpView(
            **self.common(),
            to_beat=self.entered("to_beat"),
            already=self.entered("already"),
            more=self.entered("more"),
            shown=self._shown(),
            answered=self.enough is not None,
        )

    def _shown(self) -> tuple[HandCard, ...]:
        """Return every card of the hand, and whether it is among the cheapest; of equal ones the first."""
        left = [str(card) for card in self.cheapest]
        hand_cards = []
        for words, tapped in ((self.tapped, True), (self.further, False)):
            for value in words:
                used = value in left
                if used:
                    left.remove(value)
                hand_cards.append(HandCard(value, used, tapped))
        return tuple(hand_cards)

    @cached_property
    def further(self) -> tuple[str, ...]:
        """Return the cards that were typed."""
        return tuple(self.entered("more").replace(",", " ").split())

    def _figures(self, text: str, name: str) -> int | None:
        """Return the number that was typed, or None with the reason at its field. Which numbers can be, the engine says."""
        if text.isascii() and text.isdecimal() and len(text) <= MOST_FIGURES:
            return int(text)
        self.refuse(listing([no_number(text[:LONGEST]), say("Type figures, like 11.")], "text"), name)
        return None

    def _number(self, name: str, default: int | None = None) -> int | None:
        text = self.entered(name)
        return self._figures(text, name) if text else default

    def _hand(self) -> list[int]:
        read = [self._figures(word, "hand") for word in self.tapped] + [self._figures(word, "more") for word in self.further]
        return [card for card in read if card is not None]

    def where(self, field: str) -> str:
        """Return the field of a refused card: tapped, or typed as a further one."""
        return "more" if field.startswith("hand") and not self.tapped else super().where(field)

    def look_up(self) -> None:
        """Look up the cards with the fewest points over, if there are enough."""
        to_beat, already = self._number("to_beat"), self._number("already", 0)
        hand = self._hand()
        if self.refusal is not None or already is None:
            return
        if to_beat is None:
            title = say("How strong is the fish?") if self.subject == "kill" else say("How strong is the attack?")
            self.wait(title, say("Type the number to beat: strictly more is needed."))
            return
        question = {"game": self.slug, "ask": self.subject, "to_beat": to_beat, "already": already, "hand": hand}
        answer: CheapestAnswer | None = self.ask(Cheapest, question)
        if answer is None:
            refusal = first_refusal(self.errors)
            if refusal is not None and isinstance(refusal.sentence, Sentence) and refusal.sentence.rule == "W1":
                self.refused = say("It is enough already")  # nothing is wrong with what lies there
            return
        if not hand:
            kind = Name("KILL" if self.subject == "kill" else "PROTECT")
            self.wait(say("Now the {kind} cards in hand", kind=kind), answer.why)
            return
        self.enough, self.cheapest = answer.enough, answer.cheapest
        if answer.enough:
            cards, count = Name(" + ".join(str(card) for card in answer.cheapest)), len(answer.cheapest)
            self.title = (
                say_n("{cards} kills it", "{cards} kill it", count, cards=cards)
                if self.subject == "kill"
                else say_n("{cards} saves it", "{cards} save it", count, cards=cards)
            )
        else:
            self.title = say("Not enough")
        self.text = answer.why
        self.rule = "W1"
