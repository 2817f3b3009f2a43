"""What does a round score, and why?

Rule: Scoring; rulings B4, B8 to B11, B14.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from companion.engine.beloz.cards import HAND, PLAIN_TITLES, ROUND_POINTS, Plain, pile_points
from companion.engine.beloz.declarations import (
    Declaration,
    DeclarationsVerdict,
    Player,
    check_declarations,
    declared_points,
    describe,
    judge,
)
from companion.engine.beloz.options import BelozOptions
from companion.engine.beloz.seats import team_of
from companion.engine.beloz.totals import check_points
from companion.engine.beloz.words import team_name
from companion.engine.core import Event, Line
from companion.engine.text import Sentence, name, say

Team = Annotated[int, msgspec.Meta(ge=0, le=1)]
Contract = Literal["won", "broken"]

EXPEDITIONS = HAND  # of a round: one for each card of a hand
TEN_LAST = 10
GOLDEN_ROUND = 90
BELOZ = 20


class Count(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One team's pile: what its cards are worth, without ten last, and how many expeditions it won if somebody knows."""

    team: Team
    points: Annotated[int, msgspec.Meta(ge=0, le=999)]  # above 153 the refusal says why
    expeditions: Annotated[int, msgspec.Meta(ge=0, le=EXPEDITIONS)] | None = None


def pile_count(team: int, names: Sequence[str], flooded: Plain) -> Count:
    """Return the count of a team's pile from its cards. RuleError (field ``cards``) when they make no pile."""
    return Count(team, pile_points(names, flooded), len(names) // 4)


def all_eight(team: int) -> Count:
    """Return the count of a team that won every expedition, and so all the cards."""
    return Count(team, ROUND_POINTS, EXPEDITIONS)


class Round(Event, frozen=True, tag="round", kw_only=True):
    """A round that was played to its end: who took which plain, one team's count, the last expedition, what was declared."""

    bidder: Player
    flooded: Plain
    count: Count
    last_expedition: Team
    declarations: Annotated[tuple[Declaration, ...], msgspec.Meta(max_length=32)]
    beloz: Player | None = None

    @property
    def golden(self) -> int | None:
        """The team that won all eight expeditions, or None."""
        if self.count.expeditions == EXPEDITIONS:
            return self.count.team
        return 1 - self.count.team if self.count.expeditions == 0 else None


class RoundResult(msgspec.Struct, frozen=True):
    """The scores of a round, with all that explains them.

    ``cards`` are the teams' card points, ``held`` what each would score before the contract is judged, ``scores`` what it
    scores. ``golden`` is the team that won all eight expeditions, or None. ``declared`` tells what became of each declaration.
    """

    number: int
    players: tuple[str, ...]
    event: Round
    cards: tuple[int, int]
    golden: int | None
    declared: DeclarationsVerdict
    held: tuple[int, int]
    contract: Contract
    scores: tuple[int, int]

    @property
    def bidder(self) -> int:
        """The player who took the contract."""
        return self.event.bidder

    @property
    def flooded(self) -> Plain:
        """The plain that was flooded."""
        return self.event.flooded

    @property
    def contracting(self) -> int:
        """The team that took the contract."""
        return team_of(self.event.bidder)

    @property
    def margin(self) -> int:
        """How far the contracting team is above the defenders, below 0 when it is broken. Never 0 (ruling B5)."""
        return self.held[self.contracting] - self.held[1 - self.contracting]

    @property
    def title(self) -> Sentence:
        """Who took what: "Ana took South"."""
        return say("{player} took {plain}", player=name(self.players[self.bidder]), plain=PLAIN_TITLES[self.flooded])

    @property
    def headline(self) -> Sentence:
        """How the contract ended: "Contract won"."""
        return say("Contract won") if self.contract == "won" else say("Contract broken")

    @property
    def verdict(self) -> Sentence:
        """Why: "108 beats 95, so both teams keep their points."."""
        contracting, defending = self.held[self.contracting], self.held[1 - self.contracting]
        if self.contract == "won":
            return say("{high} beats {low}, so both teams keep their points.", high=contracting, low=defending)
        contracting_score = self.scores[self.contracting]
        if contracting_score:
            return say(
                "{low} against {high}, so the defenders take all but {kept} for BeloZ.",
                low=contracting,
                high=defending,
                kept=contracting_score,
            )
        return say("{low} against {high}, so the defenders take all.", low=contracting, high=defending)

    @property
    def rule(self) -> str:
        """The rule that decides the verdict: the sum of each team, or where all the points go (ruling B11)."""
        return "Scoring" if self.contract == "won" else "B11"

    @property
    def besides(self) -> tuple[Line, ...]:
        """What the teams hold besides their cards; with these, the lines add up to ``held`` for each team."""
        return _besides(self)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The sum, line by line; for each team the lines add up to ``scores``."""
        return _lines(self)


def score_round(players: Sequence[str], options: BelozOptions, event: Round, number: int = 1) -> RoundResult:
    """Return what this round scores. Needs no match, so that a form can show it before anything is saved.

    Raises RuleError for a count or declarations that can't be true (ruling B14).
    """
    count, last = event.count, event.last_expedition
    check_points(players, count.team, count.points, count.expeditions, last)
    if event.declarations:
        check_declarations(players, event.declarations, event.flooded, event.beloz)
    golden = event.golden
    cards = (count.points, ROUND_POINTS - count.points)
    if count.team == 1:
        cards = (cards[1], cards[0])
    declared = judge(players, options, event.flooded, event.declarations, golden)
    held = list(cards)
    held[last] += TEN_LAST
    if golden is not None:
        held[golden] += GOLDEN_ROUND
    if declared.team is not None:
        held[declared.team] += declared.points
    if event.beloz is not None:
        held[team_of(event.beloz)] += BELOZ  # ruling B9: it counts in the comparison
    contracting = team_of(event.bidder)
    defending = 1 - contracting
    scores = list(held)
    contract: Contract = "won"
    if held[contracting] < held[defending]:  # never equal: ruling B5
        contract = "broken"
        beloz_points = BELOZ if event.beloz is not None and team_of(event.beloz) == contracting else 0
        scores[defending] += held[contracting] - beloz_points  # ruling B11
        scores[contracting] = beloz_points
    return RoundResult(
        number=number,
        players=tuple(players),
        event=event,
        cards=cards,
        golden=golden,
        declared=declared,
        held=(held[0], held[1]),
        contract=contract,
        scores=(scores[0], scores[1]),
    )


def announced_points(player: int, declarations: Sequence[Declaration]) -> int:
    """Return what a player's declarations are worth so far, whether or not they will count."""
    return sum(declared_points(declaration) for declaration in declarations if declaration.player == player)


def _for_team(team: int, amount: int) -> tuple[int | None, int | None]:
    return (amount, None) if team == 0 else (None, amount)


def _besides(result: RoundResult) -> tuple[Line, ...]:
    """Return what the teams hold besides their cards."""
    event, players = result.event, result.players
    lines = [Line(say("Last expedition"), _for_team(event.last_expedition, TEN_LAST), "B4")]
    if result.golden is not None:
        lines.append(Line(say("Golden Round"), _for_team(result.golden, GOLDEN_ROUND), "B4"))
    for declaration, status in zip(result.declared.declarations, result.declared.statuses, strict=True):
        if status == "counts":
            player = name(players[declaration.player])
            title = say("{declaration:C}, {player}", declaration=describe(declaration), player=player)
            lines.append(Line(title, _for_team(team_of(declaration.player), declared_points(declaration)), "Declarations"))
    if event.beloz is not None:
        title = say("BeloZ & Re-BeloZ, {player}", player=name(players[event.beloz]))
        lines.append(Line(title, _for_team(team_of(event.beloz), BELOZ), "B9"))
    return tuple(lines)


def _lines(result: RoundResult) -> tuple[Line, ...]:
    """Return the sum behind a round's scores."""
    lines = [Line(say("Cards"), result.cards, "Scoring"), *result.besides]
    given = result.held[result.contracting] - result.scores[result.contracting]
    if given:
        amounts = (-given, given) if result.contracting == 0 else (given, -given)
        title = say("Broken: to {team}", team=team_name(result.players, 1 - result.contracting))
        lines.append(Line(title, amounts, "B11"))
    return tuple(lines)
