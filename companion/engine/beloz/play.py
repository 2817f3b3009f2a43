"""Which cards of a hand may be played, and what is the duty behind it?

Rule: Playing the right card; Setting the Target Plain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Literal

import msgspec

from companion.engine.beloz.cards import (
    ANIMAL_TITLES,
    ANIMALS,
    CARDS,
    FLOODED_STRENGTH,
    HAND,
    IN_PLAIN,
    INDEX,
    PLAIN_INDEX,
    PLAIN_TITLES,
    PLAINS,
    TITLES,
    Plain,
    as_set,
    parse,
    unknown_card,
)
from companion.engine.core import Answer, Question, RuleError
from companion.engine.text import Sentence, say

Duty = Literal["launch", "provide", "rise", "intercept", "over-intercept", "leak", "discard"]

# Every situation of a player: the duty and the reason, of the flooded plain, the target and the leading animal.
_Reason = Callable[[Sentence, Sentence, Sentence], Sentence]
_SITUATIONS: tuple[tuple[Duty, _Reason], ...] = (
    ("launch", lambda *_: say("You start the expedition: play any card, and its plain becomes the target.")),
    (
        "provide",
        lambda _, target, __: say("The target is {target} and you hold {target}, so you must provide {target}.", target=target),
    ),
    (
        "rise",
        lambda flooded, _, leading: say(
            "The target is {flooded}, the flooded plain, and you can beat its leading {leading}, so you must rise above it.",
            flooded=flooded,
            leading=leading,
        ),
    ),
    (
        "provide",
        lambda flooded, _, leading: say(
            "The target is {flooded}, the flooded plain. Nothing you hold beats its leading {leading}: "
            "provide any {flooded} card.",
            flooded=flooded,
            leading=leading,
        ),
    ),
    (
        "intercept",
        lambda flooded, target, _: say(
            "You hold no {target} card and the other team leads, so you must intercept with a flooded card, from {flooded}.",
            flooded=flooded,
            target=target,
        ),
    ),
    (
        "over-intercept",
        lambda flooded, target, leading: say(
            "You hold no {target} card and the other team’s {flooded} {leading} leads: "
            "over-intercept with a higher {flooded} one.",
            flooded=flooded,
            target=target,
            leading=leading,
        ),
    ),
    (
        "leak",
        lambda flooded, target, leading: say(
            "You hold no {target} card, and no {flooded} card above the other team’s {leading}: "
            "you must leak with any {flooded} card.",
            flooded=flooded,
            target=target,
            leading=leading,
        ),
    ),
    (
        "discard",
        lambda _, target, __: say(
            "You hold no {target} card and your teammate leads, so you may discard any card.", target=target
        ),
    ),
    (
        "discard",
        lambda _, target, __: say("You hold no {target} card and no flooded card, so you may discard any card.", target=target),
    ),
    (
        "discard",
        lambda flooded, *_: say(
            "The target is {flooded}, the flooded plain, and you hold none of it, so you may discard any card.", flooded=flooded
        ),
    ),
)
(
    LAUNCH,
    PROVIDE,
    RISE,
    PROVIDE_BELOW,
    INTERCEPT,
    OVER_INTERCEPT,
    LEAK,
    DISCARD_BEHIND_TEAMMATE,
    DISCARD_WITHOUT_FLOODED,
    DISCARD_ON_FLOODED,
) = range(len(_SITUATIONS))

DUTIES: tuple[Duty, ...] = tuple(duty for duty, _ in _SITUATIONS)  # by situation


def _power(flooded: int, target: int) -> tuple[int, ...]:
    """Return the strength of each card in an expedition: flooded cards above the target's, which are above the rest (0)."""
    power = [0] * 32
    for number in range(8):
        power[8 * target + number] = number + 1
    for number in range(8):
        power[8 * flooded + number] = 8 + FLOODED_STRENGTH[number]
    return tuple(power)


# _POWER[flooded][target][card]
_POWER = tuple(tuple(_power(flooded, target) for target in range(4)) for flooded in range(4))
# _ABOVE[card]: the cards that beat it when its plain is flooded
_ABOVE = tuple(
    as_set(card & ~7 | number for number in range(8) if FLOODED_STRENGTH[number] > FLOODED_STRENGTH[card & 7])
    for card in range(32)
)


@cache
def _why(situation: int, flooded: int, target: int, animal: int) -> Sentence:
    """Return the reason for a situation, made once."""
    _, reason = _SITUATIONS[situation]
    return reason(PLAIN_TITLES[PLAINS[flooded]], PLAIN_TITLES[PLAINS[target]], ANIMAL_TITLES[ANIMALS[animal]])


def leading(flooded: int, expedition: Sequence[int]) -> int:
    """Return which card of the expedition leads, as its place in it (0 launched). There must be at least one card."""
    power = _POWER[flooded][expedition[0] >> 3]
    return max(range(len(expedition)), key=lambda place: power[expedition[place]])


def legal(flooded: int, expedition: Sequence[int], hand: int) -> tuple[int, int]:
    """Return which cards of ``hand`` may be played on those of ``expedition`` (0 to 3, as played), and the situation.

    ``DUTIES[situation]`` is the duty, ``why`` its sentence. Rule: Playing the right card.
    """
    if not expedition:
        return hand, LAUNCH
    target = expedition[0] >> 3
    leader = max(expedition, key=_POWER[flooded][target].__getitem__)
    provided = hand & IN_PLAIN[target]
    if target == flooded:
        if not provided:
            return hand, DISCARD_ON_FLOODED
        higher = provided & _ABOVE[leader]  # whoever leads, a teammate too
        return (higher, RISE) if higher else (provided, PROVIDE_BELOW)
    if provided:
        return provided, PROVIDE
    if len(expedition) > 1 and expedition[-2] == leader:  # the teammate is the player before the previous one
        return hand, DISCARD_BEHIND_TEAMMATE
    floods = hand & IN_PLAIN[flooded]
    if not floods:
        return hand, DISCARD_WITHOUT_FLOODED
    if leader >> 3 == target:
        return floods, INTERCEPT
    higher = floods & _ABOVE[leader]
    return (higher, OVER_INTERCEPT) if higher else (floods, LEAK)


def why(situation: int, flooded: int, expedition: Sequence[int]) -> Sentence:
    """Return the reason for a situation that ``legal`` found, as a sentence to the player."""
    if not expedition:
        return _why(situation, flooded, 0, 0)
    target = expedition[0] >> 3
    leader = max(expedition, key=_POWER[flooded][target].__getitem__)
    return _why(situation, flooded, target, leader & 7)


Player = Annotated[int, msgspec.Meta(ge=0, le=3)]
CardName = Annotated[
    str, msgspec.Meta(examples=list(CARDS[:1]), description=str(say("a plain and an animal, such as north-water-snake")))
]
HandCards = Annotated[list[CardName], msgspec.Meta(max_length=32)]


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card on the table and who played it."""

    player: Player
    card: CardName


class LegalPlay(Question, frozen=True):
    """May I play this? The cards on the table in turn order, whose turn it is, and that player's hand (or a part of it)."""

    game: Literal["beloz"]
    flooded: Plain
    expedition: Annotated[list[Played], msgspec.Meta(max_length=32)]
    player: Player
    hand: HandCards


class LegalPlayAnswer(Answer, frozen=True):
    """The cards that may be played, in the hand's order, the duty and the reason for it."""

    legal: list[str]
    duty: Duty
    why: Sentence


def parse_hand(names: Sequence[str]) -> list[int]:
    """Return a hand's cards in its order. RuleError (``hand``) unless it has one to eight different cards."""
    if not 1 <= len(names) <= HAND:
        held = len(names)
        wrong = (
            say("A hand has one to eight cards, not {n}.", n=held)
            if held
            else say("A hand has one to eight cards. This one is empty.")
        )
        raise RuleError(wrong, rule="Deal & Bid", field="hand")
    return parse(names, "hand")


def _parse_expedition(plays: Sequence[Played], player: int) -> list[int]:
    """Return the cards on the table as played, by consecutive players ending before ``player``."""
    if len(plays) > 3:
        raise RuleError(
            say("Before a player’s turn at most three cards are on the table, not {n}.", n=len(plays)),
            rule="Gameplay",
            field="expedition",
        )
    first = (player - len(plays)) % 4
    cards: list[int] = []
    for place, play in enumerate(plays):
        due = (first + place) % 4
        if play.player != due:
            raise RuleError(
                say(
                    "Cards are played in turn: before player {player}’s turn, card {card} of {cards} is player {due}’s, "
                    "not player {other}’s.",
                    player=player,
                    card=place + 1,
                    cards=len(plays),
                    due=due,
                    other=play.player,
                ),
                rule="B3",
                field=f"expedition.{place}.player",
            )
        card = INDEX.get(play.card)
        if card is None:
            raise unknown_card(play.card, f"expedition.{place}.card")
        if card in cards:
            raise RuleError(
                say("The {card} is on the table twice. There is only one.", card=TITLES[card]),
                rule="Playing Cards",
                field=f"expedition.{place}.card",
            )
        cards.append(card)
    return cards


def answer_legal_play(question: LegalPlay) -> LegalPlayAnswer:
    """Return which cards may be played, the duty and why. Raises RuleError for cards or an order that can't be on a table."""
    expedition = _parse_expedition(question.expedition, question.player)
    hand = parse_hand(question.hand)
    if not set(hand).isdisjoint(expedition):
        place = next(place for place, card in enumerate(hand) if card in expedition)
        raise RuleError(
            say("The {card} is on the table, so it can’t be in the hand too.", card=TITLES[hand[place]]),
            rule="Playing Cards",
            field=f"hand.{place}",
        )
    flooded = PLAIN_INDEX[question.flooded]
    allowed, situation = legal(flooded, expedition, as_set(hand))
    return LegalPlayAnswer(
        legal=[CARDS[card] for card in hand if allowed >> card & 1],
        duty=DUTIES[situation],
        why=why(situation, flooded, expedition),
    )
