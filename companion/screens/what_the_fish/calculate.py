"""Does the fish die, and which cards of a hand would change that? A duel that is typed in without a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from wtforms import Form, StringField

from companion.engine.core import Position
from companion.engine.text import Name, Sentence, listing, say
from companion.engine.what_the_fish import WhatTheFishState
from companion.engine.what_the_fish.advice import account, next_move
from companion.engine.what_the_fish.cards import DECK
from companion.engine.what_the_fish.cheapest import Ask, CheapestAnswer, answer, asked
from companion.engine.what_the_fish.duel import Duel, DuelPlay
from companion.screens.interface import PageView, as_sentence, with_capital
from companion.screens.look_up import Calculator
from companion.screens.what_the_fish import words
from companion.screens.what_the_fish.play import Key, key

OWNER, OTHERS = range(2)
WHOSE = {"fish": say("type its number"), "kill": say("from the others"), "protect": say("from its owner")}
CARD = re.compile(r"(fish|kill|protect)-([1-9][0-9]*)")


def reason(play: DuelPlay) -> Sentence:
    """Return what a card did: "KILL 9: 20 is more than 11"."""
    printed = Name(words.PRINTED[play.kind])
    return say("{kind} {n}: {why}", kind=printed, n=play.value, why=as_sentence(account(play)))


class DuelFields(Form):
    """What is typed: the next card's number, and the cards of a hand."""

    value = StringField(filters=[lambda text: (text or "").strip()])
    hand = StringField(filters=[lambda text: (text or "").strip()])


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelView(PageView):
    """A half typed duel: its layers, the fish's fate (``title``), and the cards that would change it (``text``).

    ``cards`` is the duel for the form to carry, ``best`` the cards of the hand that change its fate with the least waste.
    """

    duel: Duel | None
    cards: str
    title: str
    text: str
    layers: tuple[Mapping[str, Any], ...]
    keys: tuple[Key, ...]
    value: str
    hand: str
    best: CheapestAnswer | None
    reasons: tuple[str, ...]


class DuelCalculator(Calculator):
    """One duel, card by card."""

    slug: ClassVar[str] = "what-the-fish"
    players: ClassVar[tuple[str, ...]] = (say("the owner"), say("the others"))
    tapped: str = ""

    def _tap(self, tap: str) -> None:
        """Keep the tap until the duel has been read."""
        self.tapped = tap

    def look_up(self) -> None:
        """Read the duel, lay a card or take the newest back, and ask what the hand could do."""
        self.after: Position[WhatTheFishState] = self.position
        fields = DuelFields(self.form_data)
        self.value = str(fields.value.data or "")[: words.SHOWN]
        self.hand = str(fields.hand.data or "")[:400]
        self.cards: list[tuple[str, int]] = []
        for word in self.form_data.get("duel", "").split()[:DECK]:
            typed_card = CARD.fullmatch(word)
            value = words.number(typed_card[2]) if typed_card else None
            if not typed_card or not value or not self._lay(typed_card[1], value):
                break
        self._lay_or_take_back()
        self.best = self._best(self.state.duel)

    def _lay(self, kind: str, value: int) -> bool:
        """Lay one more card, if the rules allow it; else the reason stands at the number."""
        after = self.asked(lambda: self.after.apply(words.card(kind, OTHERS if kind == "kill" else OWNER, value)))
        if after is not None:
            self.after = after
            self.cards.append((kind, value))
        return after is not None

    def _lay_or_take_back(self) -> None:
        """Do what the tapped key says."""
        if self.tapped == "back":
            self._take_back()
        elif ":".join(self.tapped.split(":")[:2]) in {"fish:0", "kill:1", "protect:0"}:  # on which swim says nothing here
            value = words.number(self.value)
            if value is None:
                why = words.no_number(self.value) if self.value else say("Which number?")
                self.refuse(listing([why, say("Type it, then tap the card’s kind.")], "text"))
            elif self._lay(self.tapped.partition(":")[0], value):
                self.value = ""

    def _take_back(self) -> None:
        """Lay the duel anew without its newest card."""
        cards, self.cards = self.cards[:-1], []
        self.after = self.position
        for kind, value in cards:
            self._lay(kind, value)

    @property
    def state(self) -> WhatTheFishState:
        """Return how the duel stands after its cards."""
        return self.after.state

    def where(self, field: str) -> str:
        """Return the hand, or the number."""
        return "hand" if field.startswith("hand") else "value"

    def refuse(self, sentence: str, at: str = "value") -> None:
        """Say a refusal in a line of its own."""
        super().refuse(with_capital(sentence), at)

    def view(self) -> DuelView:
        """Return the duel, with what the engine says of it and of the hand."""
        duel = self.state.duel
        if duel is None:
            title, text = say("Which FISH swims?"), say("Type its number, then tap FISH.")
        else:
            title = say("The fish dies") if duel.dies else say("The fish lives")
            text = say("{what}.", what=as_sentence(next_move(self.state).text))
        return DuelView(
            errors=self.errors,
            duel=duel,
            cards=" ".join(f"{kind}-{value}" for kind, value in self.cards),
            title=title,
            text=text,
            layers=self._layers(duel),
            keys=self._keys(duel),
            value=self.value,
            hand=self.hand,
            best=self.best,
            reasons=tuple(map(reason, duel.plays)) if duel else (),
        )

    def _keys(self, duel: Duel | None) -> tuple[Key, ...]:
        """Return the keys that may come next: the FISH, then KILL and PROTECT."""
        value = words.number(self.value)
        around = [key(self.state, player, value) for player in ((OWNER,) if duel is None else (OTHERS, OWNER))]
        return tuple(key if value or key.waits else replace(key, note=WHOSE[key.kind]) for key in around)

    def _layers(self, duel: Duel | None) -> tuple[Mapping[str, Any], ...]:
        """Return the layers, each with the cards that it is made of."""
        if duel is None:
            return ()
        sums = ["+".join(str(play.value) for play in layer.plays) if len(layer.plays) > 1 else "" for layer in duel.layers]
        return tuple(dict(drawn, who=who) for drawn, who in zip(words.layers(self.state), sums, strict=True))

    def _best(self, duel: Duel | None) -> CheapestAnswer | None:
        """Return which cards of the hand do it with the least waste; None without a duel, or a hand that can be read."""
        if duel is None or not self.hand:
            return None
        hand = [words.number(word) for word in re.split(r"[\s,;+]+", self.hand) if word]
        if not all(hand) or len(hand) > DECK:
            self.refuse(say("Type the numbers of your cards with spaces between them: 4 6 13."), "hand")
            return None
        ask: Ask = "protect" if duel.dies else "kill"
        return self.asked(lambda: answer(asked(duel, ask, tuple(value or 0 for value in hand))))
