"""On which positions are BeloZ's legal plays practised? The rule text's own examples first, then one for every number.

A number always gives the same position, on every machine: it is the seed of a round that is played at random, by the rules.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property

from companion.engine.beloz.cards import CARDS, HAND, INDEX, PLAIN_INDEX, PLAINS, Plain, as_set, members
from companion.engine.beloz.play import DUTIES, LegalPlay, LegalPlayAnswer, Played, answer_legal_play, leading, legal
from companion.engine.beloz.seats import team_of, turn_from
from companion.engine.text import say
from companion.screens.beloz.look_up import PLAYERS, SEATS
from companion.screens.practice import Practice

LAST = 10**9  # numbers of positions go up to here
ROUNDS = 400  # random rounds that are searched for one duty at most; any of them turns up within a few


@dataclass(frozen=True)
class LegalPlayExercise:
    """A turn to practise: the flooded plain, the cards on the table as played, and the hand of whoever plays now.

    ``title`` names an example of the rule text, and ``story`` tells it.
    """

    flooded: Plain
    table: tuple[str, ...]
    hand: tuple[str, ...]
    title: str = ""
    story: str = ""

    @property
    def question(self) -> LegalPlay:
        """Return the position as a look-up asks it; whoever plays is player 0."""
        count = len(self.table)
        played = [Played((place - count) % PLAYERS, card) for place, card in enumerate(self.table)]
        return LegalPlay(game="beloz", flooded=self.flooded, expedition=played, player=0, hand=list(self.hand))

    @cached_property
    def answer(self) -> LegalPlayAnswer:
        """Return the legal cards, the duty and the reason, from the engine."""
        return answer_legal_play(self.question)

    @property
    def right(self) -> frozenset[str]:
        """Return the legal cards."""
        return frozenset(self.answer.legal)

    @property
    def rule(self) -> str:
        """Return the duty: its entry in the rulebook explains the answer."""
        return self.answer.duty

    @property
    def seats(self) -> tuple[str, ...]:
        """Return what the players are called, in turn from whoever plays."""
        return SEATS

    @property
    def teams(self) -> list[int]:
        """Return the players' teams, in the same order."""
        return [team_of(seat) for seat in turn_from(0)]

    @property
    def leader(self) -> int | None:
        """Return the place of the leading card on the table, or None before the first card."""
        return leading(PLAIN_INDEX[self.flooded], [INDEX[card] for card in self.table]) if self.table else None


EXAMPLES: tuple[LegalPlayExercise, ...] = (
    LegalPlayExercise(
        "south",
        ("north-lion",),
        ("north-meerkat", "north-leopard", "south-crocodile", "east-lion", "west-elephant", "west-monkey"),
        say("Provide"),
        say("South is flooded, and the other team has launched the expedition with the lion of North."),
    ),
    LegalPlayExercise(
        "south",
        ("north-lion", "north-meerkat"),
        ("north-elephant", "north-crocodile", "south-water-snake", "south-lion", "east-monkey", "west-lion"),
        say("Provide, your teammate leads"),
        say("Your teammate launched with the lion of North, and nothing in North is above it."),
    ),
    LegalPlayExercise(
        "south",
        ("north-leopard", "north-monkey"),
        ("east-meerkat", "east-elephant", "south-crocodile", "south-rhinoceros", "west-leopard", "west-meerkat"),
        say("Discard"),
        say("Your teammate's leopard of North leads, and you hold nothing of North."),
    ),
    LegalPlayExercise(
        "south",
        ("north-leopard", "north-monkey", "east-meerkat"),
        ("south-crocodile", "south-elephant", "east-lion", "east-rhinoceros", "west-water-snake", "west-monkey"),
        say("Intercept"),
        say("The other team launched with the leopard of North, and it still leads: a card of another dry plain never does."),
    ),
    LegalPlayExercise(
        "south",
        ("north-leopard", "north-monkey", "east-meerkat"),
        ("east-lion", "east-rhinoceros", "east-elephant", "west-water-snake", "west-monkey", "west-lion"),
        say("No flooded card"),
        say("The same expedition, but this time nothing of the flooded plain is in your hand."),
    ),
)


def position(number: int) -> LegalPlayExercise:
    """Return the position with this number, from 1: the examples, then a turn of a random round in which the duty varies."""
    if number <= len(EXAMPLES):
        return EXAMPLES[number - 1]
    chance = random.Random(number)  # noqa: S311  # to practise on, not to draw from
    wanted = chance.choice([duty for duty in sorted(set(DUTIES)) if duty != "launch"])
    suitable: list[LegalPlayExercise] = []
    for _ in range(ROUNDS):
        suitable = [turn for turn in _turns(chance) if turn.answer.duty == wanted and len(turn.hand) > 2]
        if suitable:
            break
    return chance.choice(suitable) if suitable else EXAMPLES[number % len(EXAMPLES)]


def _turns(chance: random.Random) -> list[LegalPlayExercise]:
    """Return every turn with a card on the table in a round that is dealt and played at random."""
    deck = list(range(len(CARDS)))
    chance.shuffle(deck)
    hands = [as_set(deck[HAND * player : HAND * (player + 1)]) for player in range(PLAYERS)]
    flooded = chance.randrange(len(PLAINS))
    first = chance.randrange(PLAYERS)
    turns = []
    for _ in range(HAND):
        table: list[int] = []
        for place in range(PLAYERS):
            player = (first + place) % PLAYERS
            if table:
                hand = tuple(CARDS[card] for card in members(hands[player]))
                turns.append(LegalPlayExercise(PLAINS[flooded], tuple(CARDS[card] for card in table), hand))
            allowed, _ = legal(flooded, table, hands[player])
            card = chance.choice(members(allowed))
            hands[player] &= ~(1 << card)
            table.append(card)
        first = (first + leading(flooded, table)) % PLAYERS
    return turns


PRACTICE = Practice(
    label=say("Practise legal plays"),
    template="games/beloz/practice.html",
    exercise=position,
    examples=len(EXAMPLES),
    last=LAST,
)
