"""Which cards of a hand may be played where in Rivals, and may the round be ended?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Literal

import msgspec

from companion.engine.core import Answer, Question, RuleError
from companion.engine.rivals.whales import ACTIONS, HAND, MOST_ON_PACK, TURTLES, Whale
from companion.engine.text import Sentence, say

NO_ACTION = say("Ending the round costs an action, and none is left in this turn.")
NOTHING = Sentence("")

Card = Literal[Whale, "turtle"]
Number = Annotated[int, msgspec.Meta(ge=0, le=MOST_ON_PACK)]


class PackView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pack as the player to move sees it: its top grey value, both players' whales there, how many lie hidden."""

    top: Whale
    mine: Number
    theirs: Number
    theirs_hidden: Number


class LegalPlays(Question, frozen=True):
    """What may I play, and may I end the round? ``actions`` are those left in this turn."""

    game: Literal["rivals"]
    hand: Annotated[tuple[Card, ...], msgspec.Meta(max_length=HAND)]
    actions: Annotated[int, msgspec.Meta(ge=0, le=ACTIONS)]
    packs: tuple[PackView, PackView, PackView]


class LegalPlay(msgspec.Struct, frozen=True):
    """A card and the pack to play it on. ``face_up`` is for whales, and gives a free exploration (ruling V8)."""

    card: Card
    pack: int
    face_up: bool | msgspec.UnsetType = msgspec.UNSET


class LegalPlaysAnswer(Answer, frozen=True):
    """Every play, equal cards of the hand once; whether the round may be ended; and why it may not, if so."""

    plays: tuple[LegalPlay, ...]
    may_end_round: bool
    why: Sentence


def answer(question: LegalPlays) -> LegalPlaysAnswer:
    """Return the plays of a hand (rulings V3, V8). Raises RuleError for cards or packs that can't be."""
    _check_question(question)
    plays: list[LegalPlay] = []
    if question.actions:
        for card in dict.fromkeys(question.hand):  # equal cards once, in the hand's order
            for number, pack in enumerate(question.packs, 1):
                if card == "turtle":
                    if pack.theirs_hidden:
                        plays.append(LegalPlay(card, number))
                elif pack.mine < MOST_ON_PACK:
                    if card == pack.top:
                        plays.append(LegalPlay(card, number, face_up=True))
                    plays.append(LegalPlay(card, number, face_up=False))
    why = _why_not_end(question)
    return LegalPlaysAnswer(tuple(plays), may_end_round=not why, why=why)


def check_hand(hand: Sequence[Card | str]) -> None:
    """Raise RuleError for more cards, or more turtles, than a player can hold."""
    if len(hand) > HAND:
        many = say("A hand has at most {most} cards, not {n}. Take one of them back.", most=HAND, n=len(hand))
        raise RuleError(many, rule="Players turn", field="hand")
    turtles = hand.count("turtle")
    if turtles > TURTLES:
        many = say("A player has {most} turtles, not {n}.", most=TURTLES, n=turtles)
        raise RuleError(many, rule="V1", field="hand")


def _check_question(question: LegalPlays) -> None:
    check_hand(question.hand)
    for index, pack in enumerate(question.packs):
        if pack.theirs_hidden > pack.theirs:
            hidden = say(
                "Your opponent has {n} on pack {pack}, so {hidden} can’t be hidden there.",
                n=pack.theirs,
                pack=index + 1,
                hidden=pack.theirs_hidden,
            )
            raise RuleError(hidden, rule="V8", field=f"packs.{index}.theirs_hidden")


def _why_not_end(question: LegalPlays) -> Sentence:
    """Return why the round may not be ended; no words if it may."""
    if not question.actions:
        return NO_ACTION
    for number, pack in enumerate(question.packs, 1):
        if not pack.mine or not pack.theirs:
            return _none_on(number, not pack.mine)
    return NOTHING


@cache
def _none_on(pack: int, yours: bool) -> Sentence:
    """Return why a round with a pack on which a player has no whale goes on."""
    if yours:
        return say("To end the round, both need a whale on every pack. You have none on pack {pack}.", pack=pack)
    return say("To end the round, both need a whale on every pack. Your opponent has none on pack {pack}.", pack=pack)
