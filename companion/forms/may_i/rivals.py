"""Rivals: which cards of a hand may be played on which pack, face up or down, and whether the round may be called."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.core import JSON, RuleError
from companion.engine.rivals import State
from companion.engine.rivals.plays import LegalPlays, LegalPlaysAnswer, check_hand
from companion.engine.rivals.whales import ACTIONS, MOST_ON_PACK, VALUES
from companion.forms.may_i.look import Known, Look, Typed
from companion.forms.rivals import draft as drafts

PACKS = (1, 2, 3)
TURTLE = "turtle"


@dataclass(frozen=True, slots=True)
class Choice:
    """A card of the hand and what may be done with it, a sentence a pack."""

    card: str
    plays: tuple[str, ...]


class RivalsLook(Look):
    """A turn: the hand, the actions left, and the three packs as the player sees them."""

    slug: ClassVar[str] = "rivals"
    lists: ClassVar[frozenset[str]] = frozenset({"hand"})
    values: ClassVar[tuple[str, ...]] = tuple(str(value) for value in VALUES)
    cards: ClassVar[tuple[str, ...]] = (*values, TURTLE)
    actions_left: ClassVar[tuple[str, ...]] = tuple(str(number) for number in range(ACTIONS + 1))
    on_pack: ClassVar[tuple[str, ...]] = tuple(str(number) for number in range(MOST_ON_PACK + 1))
    packs: ClassVar[tuple[int, ...]] = PACKS
    parts: ClassVar[tuple[tuple[str, str], ...]] = (("mine", "Mine"), ("theirs", "Theirs"), ("hidden", "of them hidden"))

    @classmethod
    def known(cls, known: Known) -> Typed:
        """How many grey whales wait in each pack, and what lies there by the moves that the phones have.

        Which of the opponent's whales are hidden nobody tapped: all of them, until somebody says how many.
        """
        data: Typed = MultiDict()
        state: State = known.position.state
        data.setlist("who", list(state.players))
        data.setlist("grey", [str(number) for number in state.grey])
        turns = drafts.turns_of(state, drafts.read(known.draft))
        me = turns.player if known.viewer is None else known.viewer
        if turns.player == me:
            data["actions"] = str(turns.actions)
        for pack, mine, theirs in zip(PACKS, turns.laid[me], turns.laid[1 - me], strict=True):
            data[f"mine{pack}"] = str(mine)
            data[f"theirs{pack}"] = data[f"hidden{pack}"] = str(theirs)
        return data

    def real(self, card: str) -> bool:
        """True if there is such a card."""
        return card in self.cards

    @cached_property
    def hand(self) -> tuple[str, ...]:
        """The cards of the hand, as tapped."""
        return self.picked("hand")

    @property
    def actions(self) -> str:
        """How many actions are left."""
        return self.chosen("actions", self.actions_left, str(ACTIONS))

    def top(self, pack: int) -> str:
        """The value that lies on top of a pack, or nothing yet."""
        return self.chosen(f"top{pack}", self.values)

    def on(self, part: str, pack: int) -> str:
        """How many whales lie there: mine, theirs, or theirs that are hidden."""
        return self.chosen(f"{part}{pack}", self.on_pack, "0")

    def grey(self, pack: int) -> str:
        """How many grey whales the match says lie in a pack."""
        grey = self.picked("grey")
        return grey[pack - 1] if len(grey) == len(PACKS) and grey[pack - 1].isdecimal() else ""

    choices: tuple[Choice, ...] = ()
    may_end: bool | None = None

    def where(self, field: str) -> str:
        """A part of a pack is named as its field is; all else as everywhere."""
        parts = field.split(".")
        if parts[0] == "packs" and len(parts) == 3:
            return f"{parts[2].replace('theirs_hidden', 'hidden')}{int(parts[1]) + 1}"
        return super().where(field)

    def look_up(self) -> None:
        """Every play, and whether the round may be ended."""
        try:
            check_hand(self.hand)
        except RuleError as refused:
            self.refuse(refused.message, self.where(refused.field))
        packs: list[dict[str, JSON]] = [
            {
                "top": int(self.top(pack) or VALUES[0]),  # what can't be is wrong whatever lies on top
                "mine": int(self.on("mine", pack)),
                "theirs": int(self.on("theirs", pack)),
                "theirs_hidden": int(self.on("hidden", pack)),
            }
            for pack in PACKS
        ]
        hand: list[JSON] = [card if card == TURTLE or not card.isdecimal() else int(card) for card in self.hand]
        question = {"game": self.slug, "hand": hand, "actions": int(self.actions), "packs": packs}
        answer: LegalPlaysAnswer | None = self.ask(LegalPlays, question)
        if answer is None or self.trouble is not None:
            return
        missing = [str(pack) for pack in PACKS if not self.top(pack)]
        if missing:
            packs_word = "pack" if len(missing) == 1 else "packs"
            self.wait(f"What lies on top of {packs_word} {', '.join(missing)}?", "Tap the value of the whale that lies open.")
            return
        self.may_end = answer.may_end_round
        self._plays(answer)
        self.text = answer.why or "You may also end the round, for one action."
        self.rule = "V3"

    def _plays(self, answer: LegalPlaysAnswer) -> None:
        by_card: dict[str, list[str]] = {card: [] for card in dict.fromkeys(self.hand)}
        for play in answer.plays:
            words = by_card[str(play.card)]
            if play.face_up is True:
                words.append(f"pack {play.pack} face up, then explore for free")
            elif play.face_up is False:
                words.append(f"pack {play.pack} face down")
            else:
                words.append(f"against a face-down card on pack {play.pack}")
        self.choices = tuple(Choice(card, tuple(words)) for card, words in by_card.items())
        self.legal = tuple(card for card, words in by_card.items() if words)
        self.barred = tuple(card for card, words in by_card.items() if not words)
        count = len(answer.plays)
        if not self.hand:
            self.title = "You may end the round" if answer.may_end_round else "Tap the cards of your hand"
        else:
            self.title = "No card may be played" if not count else "One play" if count == 1 else f"{count} plays"
