"""How does a match of BeloZ go? Two teams of two rescue animals, eight expeditions a round, play to 1000.

The match keeps scores, dealer and the rounds so far. Teams are players 0 and 2, and players 1 and 3.

Rule: Scoring, Deal & Bid; rulings B3, B13.
"""

from __future__ import annotations

import msgspec

from companion.engine.beloz.hand import HandDeclarations, HandDeclarationsAnswer, answer_hand_declarations
from companion.engine.beloz.options import BelozOptions
from companion.engine.beloz.play import LegalPlay, LegalPlayAnswer, answer_legal_play
from companion.engine.beloz.scoring import Round, RoundResult, score_round
from companion.engine.beloz.words import team_name
from companion.engine.core import Event, Game, Line, Lines, PersistentList, Standing
from companion.engine.text import Sentence, say


class PassedDeal(Event, frozen=True, tag="passed-deal"):
    """Nobody took the contract: the next player deals (ruling B3)."""


class BelozState(msgspec.Struct, frozen=True):
    """A match between two rounds: the scores, who deals next (player 0 deals first), and the rounds so far."""

    players: tuple[str, ...]
    options: BelozOptions
    scores: tuple[int, int]
    dealer: int
    rounds: PersistentList[RoundResult]

    @property
    def opener(self) -> int:
        """Who launches the next round's first expedition: the player at the dealer's right (ruling B3)."""
        return (self.dealer + 1) % 4

    @property
    def to_go(self) -> tuple[int, int]:
        """How many points each team is short of the target."""
        first, second = self.scores
        return max(0, self.options.target - first), max(0, self.options.target - second)

    def with_round(self, result: RoundResult) -> tuple[int, int]:
        """Return the scores with those of a round that is played now."""
        return self.scores[0] + result.scores[0], self.scores[1] + result.scores[1]

    @property
    def winner(self) -> int | None:
        """The team that has won. The higher of those at the target; if they are equal there, play goes on (ruling B13)."""
        first, second = self.scores
        if first == second or max(first, second) < self.options.target:
            return None
        return 0 if first > second else 1


def _start(players: tuple[str, ...], options: BelozOptions) -> BelozState:
    return BelozState(players, options, (0, 0), 0, PersistentList.EMPTY)


def _apply(state: BelozState, event: Round | PassedDeal) -> BelozState:
    dealer = (state.dealer + 1) % 4
    if isinstance(event, PassedDeal):
        return BelozState(state.players, state.options, state.scores, dealer, state.rounds)
    result = score_round(state.players, state.options, event, len(state.rounds) + 1)
    return BelozState(state.players, state.options, state.with_round(result), dealer, state.rounds.add(result))


def _finished(state: BelozState) -> bool:
    return state.winner is not None


def _standing(state: BelozState) -> Standing:
    rounds = list(state.rounds)
    winner = state.winner
    return Standing(
        scores=state.scores,
        sides=(team_name(state.players, 0), team_name(state.players, 1)),
        finished=winner is not None,
        winners=() if winner is None else (winner,),
        lines=Lines(lambda: (Line(_describe(result), result.scores, "Scoring") for result in rounds)),
        rounds=tuple(result.scores for result in rounds),
        details={"dealer": state.dealer, "opener": state.opener, "contracts": [result.contract for result in rounds]},
    )


def _describe(result: RoundResult) -> Sentence:
    if result.contract == "won":
        return say("Round {number}: {title}, won", number=result.number, title=result.title)
    return say("Round {number}: {title}, broken", number=result.number, title=result.title)


def _answer(question: LegalPlay | HandDeclarations) -> LegalPlayAnswer | HandDeclarationsAnswer:
    if isinstance(question, HandDeclarations):
        return answer_hand_declarations(question)
    return answer_legal_play(question)


GAME = Game(
    slug="beloz",
    title="BeloZ",
    seats=(4, 4),
    options=BelozOptions,
    events=(Round, PassedDeal),
    start=_start,
    apply=_apply,
    finished=_finished,
    standing=_standing,
    questions=(LegalPlay, HandDeclarations),
    answer=_answer,
)
