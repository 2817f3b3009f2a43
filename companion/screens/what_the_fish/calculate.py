"""A duel typed in without a table: whether the fish dies or lives, what kills or saves it, and which cards of a hand do."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, ClassVar

from werkzeug.datastructures import MultiDict
from wtforms import Form, StringField

from companion.engine.core import Event, Position, RuleError
from companion.engine.what_the_fish import State
from companion.engine.what_the_fish.advice import account, next_move
from companion.engine.what_the_fish.cards import DECK
from companion.engine.what_the_fish.cheapest import CheapestAnswer, answer, asked
from companion.screens.page import Outcome, PageContext, Rerender, with_capital
from companion.screens.what_the_fish import words
from companion.screens.what_the_fish.play import Key, key

SAMPLE_PLAYERS = ("the owner", "the others")
OWNER, OTHERS = range(2)
WHOSE = {"fish": "type its number", "kill": "from the others", "protect": "from its owner"}
CARD = re.compile(r"(fish|kill|protect)-([1-9][0-9]*)")


class DuelFields(Form):
    """What is typed: the next card's number, and the cards of a hand."""

    value = StringField(filters=[lambda text: (text or "").strip()])
    hand = StringField(filters=[lambda text: (text or "").strip()])


class DuelPage:
    """One duel, card by card. Nothing of it is kept but what the page itself carries."""

    template: ClassVar[str] = "games/what-the-fish/calculate.html"
    outbox_label: ClassVar[str] = "A duel"

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.form_data: MultiDict[str, str] = MultiDict() if context.form_data is None else context.form_data
        self.fields = DuelFields(self.form_data)
        self.errors: dict[str, str] = {}
        self.typed = str(self.fields.value.data or "")[: words.SHOWN]
        self.hand = str(self.fields.hand.data or "")[:400]
        self.cards: list[tuple[str, int]] = []
        self.position: Position[Any] = context.position
        for word in self.form_data.get("duel", "").split()[:DECK]:
            found = CARD.fullmatch(word)
            value = words.number(found[2]) if found else None
            if not found or not value or not self._lay(found[1], value):
                break

    def _lay(self, kind: str, value: int) -> bool:
        """One more card, if the rules allow it; else the reason stands at the number."""
        try:
            self.position = self.position.apply(words.card(kind, OTHERS if kind == "kill" else OWNER, value))
        except RuleError as refused:
            self.refuse(refused.message, "value")
            return False
        self.cards.append((kind, value))
        return True

    # What the page shows

    @property
    def state(self) -> State:
        """The duel as far as it was typed."""
        state: State = self.position.state
        return state

    @property
    def text(self) -> str:
        """The duel for the form to carry."""
        return " ".join(f"{kind}-{value}" for kind, value in self.cards)

    @property
    def keys(self) -> list[Key]:
        """The keys that may come next: the FISH, then KILL and PROTECT."""
        value = words.number(self.typed)
        around = [key(self.state, player, value) for player in ((OWNER,) if self.state.duel is None else (OTHERS, OWNER))]
        return [one if value or one.waits else replace(one, note=WHOSE[one.kind]) for one in around]

    @property
    def layers(self) -> list[dict[str, Any]]:
        """The layers, each with the cards that it is made of."""
        duel = self.state.duel
        if duel is None:
            return []
        drawn = words.layers(self.state)
        for layer, one in zip(duel.layers, drawn, strict=True):
            one["who"] = "+".join(str(play.value) for play in layer.plays) if len(layer.plays) > 1 else ""
        return drawn

    @property
    def verdict(self) -> dict[str, str]:
        """Whether the fish dies or lives, and what would change that."""
        duel = self.state.duel
        if duel is None:
            return {"title": "Which FISH swims?", "text": "Type its number, then tap FISH."}
        return {"title": "The fish dies" if duel.dies else "The fish lives", "text": f"{next_move(self.state).text}."}

    @property
    def reasons(self) -> list[str]:
        """What each card did, oldest first."""
        duel = self.state.duel
        return [f"{words.PRINTED[play.kind]} {play.value}: {account(play)}" for play in duel.plays] if duel else []

    @property
    def best(self) -> CheapestAnswer | None:
        """Which cards of the hand do it with the least waste; None without a duel or a hand, or when it can't be read."""
        duel = self.state.duel
        if duel is None or not self.hand:
            return None
        hand = [words.number(word) for word in re.split(r"[\s,;+]+", self.hand) if word]
        if not all(hand) or len(hand) > DECK:
            self.errors.setdefault("hand", "Type the numbers of your cards with spaces between them: 4 6 13.")
            return None
        try:
            return answer(asked(duel, "protect" if duel.dies else "kill", tuple(each or 0 for each in hand)))
        except RuleError as refused:
            self.refuse(refused.message, "hand")
            return None

    # What was asked

    def outcome(self) -> Outcome:
        """A tap lays a card or takes the newest back; nothing is ever entered."""
        tap = self.form_data.get("tap", "")
        if tap == "back":
            self._take_back()
        elif tap in {"fish:0", "kill:1", "protect:0"}:
            value = words.number(self.typed)
            if value is None:
                why = words.no_number(self.typed) if self.typed else "Which number?"
                self.refuse(f"{why} Type it, then tap the card's kind.", "value")
            elif self._lay(tap.partition(":")[0], value):
                self.typed = ""
        return Rerender(wrong=bool(self.errors))

    def _take_back(self) -> None:
        """The duel without its newest card."""
        cards, self.cards, self.position = self.cards[:-1], [], self.context.position
        for kind, value in cards:
            self._lay(kind, value)

    def ready(self) -> tuple[Event, ...] | None:
        """A calculation is no entry."""
        return None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the number or at the hand."""
        self.errors.setdefault("hand" if field.startswith("hand") else "value", with_capital(sentence))
