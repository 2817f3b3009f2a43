"""Which cards of a Rivals hand may be played on which pack, face up or down, and may the round be called?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.core import JSON, RuleError
from companion.engine.rivals import RivalsState
from companion.engine.rivals.plays import LegalPlays, LegalPlaysAnswer, check_hand
from companion.engine.rivals.whales import ACTIONS, MOST_ON_PACK, VALUES
from companion.engine.text import Name, Part, Sentence, listing, say, say_n, term
from companion.screens.look_up import FormData, LookUp, LookUpView, MatchState
from companion.screens.rivals import draft as drafts

PACKS = (1, 2, 3)
TURTLE = "turtle"
TOPS = tuple(f"top{pack}" for pack in PACKS)
PLACES = (*TOPS, "hand")  # where a value that is tapped goes
WORDS = tuple(str(value) for value in VALUES)
CARDS = (*WORDS, TURTLE)
CALLED: dict[str, Part] = {**{word: Name(word) for word in WORDS}, TURTLE: term("turtle", "card of Rivals")}
ACTIONS_LEFT = tuple(str(number) for number in range(ACTIONS + 1))
ON_PACK = tuple(str(number) for number in range(MOST_ON_PACK + 1))


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack on the form: its top value ("" while unknown), the whales of both sides, and the grey ones, if known."""

    number: int
    top: str
    mine: int
    theirs: int
    hidden: int
    grey: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RivalsLookUpView(LookUpView):
    """The packs, the hand and the actions left; ``side`` is which fleet is mine, ``at`` where the next value goes."""

    side: int
    actions: str
    at: str
    hand: tuple[str, ...]
    grey: tuple[str, ...]
    packs: tuple[Pack, ...]
    cards: ClassVar[tuple[str, ...]] = CARDS
    actions_left: ClassVar[tuple[str, ...]] = ACTIONS_LEFT
    most: ClassVar[int] = MOST_ON_PACK


class RivalsLookUp(LookUp):
    """A turn: the hand, the actions left, and the three packs as the player sees them."""

    slug: ClassVar[str] = "rivals"
    lists: ClassVar[frozenset[str]] = frozenset({"hand"})
    goes: ClassVar[frozenset[str]] = frozenset({"at"})
    one_screen: ClassVar[bool] = True

    @classmethod
    def prefill(cls, match: MatchState) -> FormData:
        """Return how many grey whales wait in each pack, and what lies there by the moves that the phones have.

        Which of the opponent's whales are hidden nobody tapped: all of them, until somebody says how many.
        """
        data: FormData = MultiDict()
        state: RivalsState = match.position.state
        data.setlist("who", list(state.players))
        data.setlist("grey", [str(number) for number in state.grey])
        turns = drafts.turns_of(state, drafts.read(match.draft))
        me = turns.player if match.viewer is None else match.viewer
        data["seat"] = str(me)
        if turns.player == me:
            data["actions"] = str(turns.actions)
        for pack, mine, theirs in zip(PACKS, turns.laid[me], turns.laid[1 - me], strict=True):
            data[f"mine{pack}"] = str(mine)
            data[f"theirs{pack}"] = data[f"hidden{pack}"] = str(theirs)
        return data

    def exists(self, card: str) -> bool:
        """Return True if there is such a card."""
        return card in CARDS

    @cached_property
    def hand(self) -> tuple[str, ...]:
        """Return the cards of the hand, as tapped."""
        return self.picked("hand")

    @property
    def actions(self) -> str:
        """Return how many actions are left."""
        return self.chosen("actions", ACTIONS_LEFT, str(ACTIONS))

    def top(self, pack: int) -> str:
        """Return the value that lies on top of a pack, or nothing yet."""
        return self.chosen(f"top{pack}", WORDS)

    def on(self, part: str, pack: int) -> str:
        """Return how many whales lie there: mine, theirs, or theirs that are hidden."""
        return self.chosen(f"{part}{pack}", ON_PACK, "0")

    def grey(self, pack: int) -> int | None:
        """Return how many grey whales the match says lie in a pack."""
        grey = self.picked("grey")
        return int(grey[pack - 1]) if len(grey) == len(PACKS) and grey[pack - 1].isdecimal() else None

    @property
    def side(self) -> int:
        """Return which fleet is mine: red, or blue."""
        return int(self.chosen("seat", ("0", "1"), "0"))

    @property
    def at(self) -> str:
        """Return where the next value goes: as chosen, else the first pack whose top is not known, else the hand."""
        return self.chosen("at", PLACES, next((top for top in TOPS if not self.chosen(top, WORDS)), "hand"))

    def where(self, field: str) -> str:
        """Return the field: parts of a pack have the engine's names, all else is found as in every look-up."""
        parts = field.split(".")
        if parts[0] == "packs" and len(parts) == 3:
            return f"{parts[2].replace('theirs_hidden', 'hidden')}{int(parts[1]) + 1}"
        return super().where(field)

    # Taps

    def _tap(self, tap: str) -> None:
        """Put a value where it was asked for, count whales up by one and after the most to none, or turn a whale over."""
        kind, _, value = tap.partition(":")
        if kind == "value" and value in CARDS:
            self._put(value)
        elif kind == "more" and value[:-1] in {"mine", "theirs"} and value[-1:] in {str(pack) for pack in PACKS}:
            self.form_data[value] = str((int(self.on(value[:-1], int(value[-1]))) + 1) % (MOST_ON_PACK + 1))
            if value.startswith("theirs"):
                self.form_data[f"hidden{value[-1]}"] = self.form_data[value]
        elif kind == "turn" and value in {str(pack) for pack in PACKS}:
            hidden, theirs = int(self.on("hidden", int(value))), self.on("theirs", int(value))
            self.form_data[f"hidden{value}"] = str(hidden - 1) if hidden else theirs
        else:
            super()._tap(tap)

    def _put(self, card: str) -> None:
        if self.at in TOPS and card != TURTLE:
            self.form_data[self.at] = card
            self.form_data.poplist("at")
        else:
            self.form_data.add("hand", card)

    # The answer

    def view(self) -> RivalsLookUpView:
        """Return the packs and the hand, with what the engine says of them."""
        return RivalsLookUpView(
            **self.common(),
            side=self.side,
            actions=self.actions,
            at=self.at,
            hand=self.hand,
            grey=self.picked("grey"),
            packs=tuple(
                Pack(
                    pack,
                    self.top(pack),
                    mine=int(self.on("mine", pack)),
                    theirs=int(self.on("theirs", pack)),
                    hidden=int(self.on("hidden", pack)),
                    grey=self.grey(pack),
                )
                for pack in PACKS
            ),
        )

    def look_up(self) -> None:
        """Look up every play, and whether the round may be ended."""
        try:
            check_hand(self.hand)
        except RuleError as refused:
            self.refuse(refused.message, self.where(refused.field))
        tops = [self.top(pack) for pack in PACKS]
        packs: list[dict[str, JSON]] = [
            {
                "top": int(top or VALUES[0]),  # what can't be is wrong whatever lies on top
                "mine": int(self.on("mine", pack)),
                "theirs": int(self.on("theirs", pack)),
                "theirs_hidden": int(self.on("hidden", pack)),
            }
            for pack, top in zip(PACKS, tops, strict=True)
        ]
        hand: list[JSON] = [int(card) if card in WORDS else card for card in self.hand]
        question = {"game": self.slug, "hand": hand, "actions": int(self.actions), "packs": packs}
        answer: LegalPlaysAnswer | None = self.ask(LegalPlays, question)
        if answer is None or self.refusal is not None:
            return
        if not all(tops):
            self._ask_for(PACKS[tops.index("")])
            return
        self._plays(answer)
        self.text = answer.why or say("You may also end the round, for one action.")
        self.rule = "V3"

    def _ask_for(self, pack: int) -> None:
        """Ask for what the next value will be taken for; of this pack, the first, nobody knows what lies on top."""
        if self.at == "hand" and not self.hand:
            self.wait(say("Tap the cards in your hand"), say("Then what lies on top of pack {pack}.", pack=pack))
        elif self.at == "hand":
            question = say("What lies on top of pack {pack}?", pack=pack)
            self.wait(question, say("Tap the pack, then the value of its open whale."))
        else:
            question = say("What lies on top of pack {pack}?", pack=int(self.at[-1]))
            self.wait(question, say("Tap the value of the whale that lies open."))

    def _plays(self, answer: LegalPlaysAnswer) -> None:
        self.legal = tuple(dict.fromkeys(str(play.card) for play in answer.plays))
        self.illegal = tuple(card for card in dict.fromkeys(self.hand) if card not in self.legal)
        if not self.hand:
            self.title = say("You may end the round") if answer.may_end_round else say("Tap the cards in your hand")
        elif not answer.plays:
            self.title = say("No card may be played")
        else:
            self.title = self._describe(answer)

    def _describe(self, answer: LegalPlaysAnswer) -> Sentence:
        """Return which card may go where: "3, 5: any pack (5 face up on 1). Turtle: pack 2"."""
        packs: dict[str, list[int]] = {card: [] for card in self.hand}
        open_packs: dict[str, list[int]] = {}
        for play in answer.plays:
            by_card = open_packs if play.face_up is True else packs
            by_card.setdefault(str(play.card), []).append(play.pack)
        cards: dict[Sentence, list[str]] = {}
        for card, numbers in packs.items():
            cards.setdefault(_packs(tuple(numbers)), []).append(card)
        face_up = {card: _face_up(tuple(numbers)) for card, numbers in open_packs.items()}
        sentences = []
        for words, named in cards.items():
            up_too = [
                say("{card} {where}", card=CALLED[card], where=face_up[card]) if named[1:] else face_up[card]
                for card in named
                if card in face_up
            ]
            parts: dict[str, Part] = {"cards": listing([CALLED[card] for card in named], "comma"), "where": words}
            if up_too:
                # NOTE: cards and where they may be played: "3, 5: any pack (5 face up on 1)."
                sentences.append(say("{cards:C}: {where} ({also}).", **parts, also=listing(up_too, "comma")))
            else:
                # NOTE: cards and where they may be played: "Turtle: pack 2."
                sentences.append(say("{cards:C}: {where}.", **parts))
        return listing(sentences, "text")


@cache
def _face_up(packs: tuple[int, ...]) -> Sentence:
    """Return on which packs a card may be played face up, made once for each few of the three."""
    # NOTE: after a card that may be played: "5 face up on 1 and 2", where 1 and 2 are packs
    return say("face up on {packs}", packs=listing(packs))


@cache
def _packs(packs: tuple[int, ...]) -> Sentence:
    """Return on which packs a card may be played."""
    if len(packs) == len(PACKS):
        return say("any pack")
    if not packs:
        return say("nowhere now")
    return say_n("pack {packs}", "packs {packs}", len(packs), packs=listing(packs))
