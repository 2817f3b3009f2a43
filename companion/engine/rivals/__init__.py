"""How does a match of Rivals go? Two generals lay whales on three packs; after three rounds the captured ones count.

A round is entered when all its cards lie open. What it captures stays secret until the count: only the number of cards is
known before (ruling V5). How many whales of each value there are is unknown (ruling V1), so that is left to the players, and
so is whether hands had run out when a round ended by itself (ruling V3).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.engine.core import Event, Game, Line, Lines, Options, RuleError, Standing
from companion.engine.rivals.plays import LegalPlays, answer
from companion.engine.rivals.whales import GREY, MOST_ON_PACK, ROUNDS, WHALES, Sides
from companion.engine.text import Name, Part, Sentence, name, say, say_n

Player = Annotated[int, msgspec.Meta(ge=0, le=1)]


class Round(Event, frozen=True, kw_only=True, tag="round"):
    """A round is over: who called its end (None: the hands ran out), and the values of both players' whales on each pack."""

    ended_by: Player | None = None
    packs: tuple[Sides, Sides, Sides]


class Count(Event, frozen=True, tag="count"):
    """The final count: the values of the grey whales that each player captured."""

    grey: Sides


class PackResult(msgspec.Struct, frozen=True):
    """What a round did on one pack: grey whales at stake, both players' whales, and who takes it (None: tied).

    A tied pack ``stays`` for the next round; after the last its whales go to nobody (ruling V4).
    """

    grey: int
    whales: Sides
    won_by: int | None
    stays: bool = False

    @property
    def strengths(self) -> tuple[int, int]:
        """The sums that were compared."""
        return sum(self.whales[0]), sum(self.whales[1])


class RoundResult(msgspec.Struct, frozen=True):
    """A finished round: the player who called its end, or None, and the result for each pack."""

    ended_by: int | None
    packs: tuple[PackResult, ...]


class RivalsState(msgspec.Struct, frozen=True):
    """A match between two rounds: who starts the next, the grey whales in each pack, what has happened, and the count.

    ``used`` and ``captured`` are numbers of cards a player; ``counted`` is None until the final count.
    """

    players: tuple[str, ...]
    first_player: int = 0
    grey: tuple[int, ...] = (1, 2, 3)
    rounds: tuple[RoundResult, ...] = ()
    used: tuple[int, int] = (0, 0)
    captured: tuple[int, int] = (0, 0)
    counted: Sides | None = None

    @property
    def in_last_round(self) -> bool:
        """True while the third round is played, and after it."""
        return len(self.rounds) >= ROUNDS - 1

    @property
    def totals(self) -> tuple[int, int] | None:
        """The values that both captured, once they are counted."""
        return None if self.counted is None else totals(self.counted)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won, once the captured whales are counted. Nobody before that."""
        return () if self.counted is None else winners(self.counted)


def start(players: tuple[str, ...], options: Options) -> RivalsState:
    """Return three packs of one, two and three grey whales (ruling V2). The game has no options."""
    return RivalsState(players)


def finished(state: RivalsState) -> bool:
    """Return True once the captured whales are counted."""
    return state.counted is not None


def apply(state: RivalsState, event: Round | Count) -> RivalsState:
    """Return the match after a round or the count. Raises RuleError with the reason when the rules refuse it."""
    return _round(state, event) if isinstance(event, Round) else _count(state, event)


def weigh(state: RivalsState, packs: tuple[Sides, ...]) -> tuple[PackResult, ...]:
    """Return who takes each pack with these whales on them: the higher sum; equal is a tie, also 0 to 0 (ruling V3)."""
    results = []
    for grey, whales in zip(state.grey, packs, strict=True):
        first, second = sum(whales[0]), sum(whales[1])
        tied = first == second
        won_by = None if tied else 0 if first > second else 1
        results.append(PackResult(grey, whales, won_by, stays=tied and not state.in_last_round))
    return tuple(results)


def totals(grey: Sides) -> tuple[int, int]:
    """Return the captured values of both players, summed."""
    return sum(grey[0]), sum(grey[1])


def winners(grey: Sides) -> tuple[int, ...]:
    """Return who wins with these captured whales: higher value, then fewer cards; equal in both: shared (ruling V6)."""
    first, second = ((sum(values), -len(values)) for values in grey)
    if first == second:
        return (0, 1)
    return (0,) if first > second else (1,)


def verdict(players: tuple[str, ...], grey: Sides) -> tuple[Sentence, str]:
    """Return who wins with these captured whales, in a sentence, and the rule that decides it."""
    first, second = totals(grey)
    fewer, more = sorted((len(grey[0]), len(grey[1])))
    won = winners(grey)
    if len(won) == len(players):
        return say_n(
            "Equal, also in cards: {points} with {n} card each. They share the win.",
            "Equal, also in cards: {points} with {n} cards each. They share the win.",
            fewer,
            points=first,
        ), "V6"
    player = name(players[won[0]])
    if first == second:
        return say(
            "Equal, {points} each: {player} wins with fewer cards, {fewer} against {more}.",
            points=first,
            player=player,
            fewer=fewer,
            more=more,
        ), "V6"
    high, low = max(first, second), min(first, second)
    return say("{player} wins, {high} to {low}.", player=player, high=high, low=low), "Winning"


def outcome(players: tuple[str, ...], result: PackResult) -> tuple[Sentence, str]:
    """Return what becomes of a pack in a few words, and the rule that says so."""
    grey = result.grey
    if result.won_by is not None:
        player = name(players[result.won_by])
        return say_n("{player} takes {n} card", "{player} takes {n} cards", grey, player=player), "End of the round"
    if not result.stays:
        return say_n("a tie, nobody takes {n} card", "a tie, nobody takes {n} cards", grey), "V4"
    return say_n("a tie, {n} card stays", "a tie, {n} cards stay", grey), "V2"


def taken(results: tuple[PackResult, ...]) -> tuple[int, int]:
    """Return how many grey whales each player takes in a round."""
    first, second = (sum(result.grey for result in results if result.won_by == player) for player in (0, 1))
    return first, second


def tied(results: tuple[PackResult, ...]) -> int:
    """Return how many grey whales lie in the packs that nobody takes in a round."""
    return sum(result.grey for result in results if result.won_by is None)


def needed(mine: tuple[int, ...], theirs: tuple[int, ...]) -> int:
    """Return the least value that would put ``mine`` ahead on a pack; 0 if they are."""
    return max(0, sum(theirs) - sum(mine) + 1)


def check_round_due(state: RivalsState) -> None:
    """Raise RuleError when no round is left to play."""
    if len(state.rounds) == ROUNDS:
        raise RuleError(say("All three rounds are played. Count the captured grey whales now."), rule="Winning")


def check_count_due(state: RivalsState) -> None:
    """Raise RuleError while captured whales are still secret (ruling V5)."""
    if len(state.rounds) < ROUNDS:
        secret = say("Captured whales stay secret until three rounds are played. So far it is {n}.", n=len(state.rounds))
        raise RuleError(secret, rule="V5")


def _round(state: RivalsState, event: Round) -> RivalsState:
    check_round_due(state)
    _check_packs(state, event)
    used = _used(state, event)
    results = weigh(state, event.packs)
    first, second = taken(results)
    rounds = (*state.rounds, RoundResult(event.ended_by, results))
    return RivalsState(
        players=state.players,
        first_player=1 - state.first_player if event.ended_by is None else event.ended_by,  # ruling V7
        grey=_refilled(results, last=state.in_last_round),
        rounds=rounds,
        used=used,
        captured=(state.captured[0] + first, state.captured[1] + second),
    )


def _refilled(results: tuple[PackResult, ...], *, last: bool) -> tuple[int, ...]:
    """Return the packs as the next round finds them: a tied one has stayed and grows (ruling V2).

    After the last, nothing is added.
    """
    stays = (result.grey if result.won_by is None else 0 for result in results)
    return tuple(grey if last else grey + number for number, grey in enumerate(stays, 1))


def _check_packs(state: RivalsState, event: Round) -> None:
    for pack, sides in enumerate(event.packs):
        for player, whales in enumerate(sides):
            who, where = name(state.players[player]), f"packs.{pack}.{player}"
            if len(whales) > MOST_ON_PACK:
                raise RuleError(
                    say(
                        "{player} has {n} whales on pack {pack}. A player plays at most {most} there.",
                        player=who,
                        n=len(whales),
                        pack=pack + 1,
                        most=MOST_ON_PACK,
                    ),
                    rule="Play a card",
                    field=where,
                )
            if not whales and event.ended_by is not None:
                raise RuleError(
                    say(
                        "{player} has no whale on pack {pack}, so {caller} can’t have called the end: "
                        "both need one on every pack.",
                        player=who,
                        pack=pack + 1,
                        caller=name(state.players[event.ended_by]),
                    ),
                    rule="V3",
                    field=where,
                )


def _used(state: RivalsState, event: Round) -> tuple[int, int]:
    """Return the whales that each player has laid down in the match so far, this round included."""
    first, second = (already + sum(len(pack[player]) for pack in event.packs) for player, already in enumerate(state.used))
    for player, used in enumerate((first, second)):
        if used > WHALES:
            raise RuleError(
                say(
                    "{player} would have played {n} whales by now. A player has {most} for the match, "
                    "so {left} were left for this round.",
                    player=name(state.players[player]),
                    n=used,
                    most=WHALES,
                    left=WHALES - state.used[player],
                ),
                rule="V1",
                field="packs",
            )
    return first, second


def check_captured(players: tuple[str, ...], grey: Sides) -> None:
    """Raise RuleError when both would have captured more whales than there are grey ones."""
    if (together := len(grey[0]) + len(grey[1])) > GREY:
        raise RuleError(
            say(
                "{one} and {other} would have captured {n} whales together. There are only {most} grey ones.",
                one=name(players[0]),
                other=name(players[1]),
                n=together,
                most=GREY,
            ),
            rule="Setup",
            field="grey",
        )


def check_half(state: RivalsState, player: int, values: tuple[int, ...]) -> None:
    """Raise RuleError when a player would have captured more or fewer whales than the rounds gave (Rule: Winning)."""
    if len(values) != state.captured[player]:
        raise RuleError(
            say_n(
                "{player} captured {n} card, not {counted}.",
                "{player} captured {n} cards, not {counted}.",
                state.captured[player],
                player=name(state.players[player]),
                counted=len(values),
            ),
            rule="Winning",
            field=f"grey.{player}",
        )


def _count(state: RivalsState, event: Count) -> RivalsState:
    check_count_due(state)
    for player, values in enumerate(event.grey):
        check_half(state, player, values)
    return msgspec.structs.replace(state, counted=event.grey)


def standing(state: RivalsState) -> Standing:
    """Return who took which pack and how many cards each has; the values only after the count (ruling V5)."""
    return Standing(
        scores=(None, None) if state.totals is None else state.totals,
        sides=state.players,
        finished=state.counted is not None,
        winners=state.winners,
        lines=Lines(lambda: (*_round_lines(state), *_count_lines(state))),
        details={
            "captured": list(state.captured),
            "packs": [
                {"grey": grey, "won_by": [played.packs[pack].won_by for played in state.rounds]}
                for pack, grey in enumerate(state.grey)
            ],
            "first_player": state.first_player,
        },
    )


def _round_lines(state: RivalsState) -> list[Line]:
    lines = []
    for number, played in enumerate(state.rounds, 1):
        for pack, result in enumerate(played.packs, 1):
            first, second = result.strengths
            became, rule = outcome(state.players, result)
            title = say(
                "Round {round}, pack {pack}: {first} against {second}, {outcome}",
                round=number,
                pack=pack,
                first=first,
                second=second,
                outcome=became,
            )
            lines.append(Line(title, (None, None), rule))
    return lines


def _count_lines(state: RivalsState) -> list[Line]:
    if state.counted is None or state.totals is None:
        return []
    lines = []
    for player, (values, total) in enumerate(zip(state.counted, state.totals, strict=True)):
        amounts = (total, None) if player == 0 else (None, total)
        lines.append(Line(_captured(name(state.players[player]), values), amounts, "Winning"))
    if state.totals[0] == state.totals[1]:
        sentence, rule = verdict(state.players, state.counted)
        lines.append(Line(sentence, (None, None), rule))
    return lines


def _captured(player: Part, values: tuple[int, ...]) -> Sentence:
    if not values:
        return say("{player} captured no cards", player=player)
    return say_n(
        "{player} captured {n} card: {values}",
        "{player} captured {n} cards: {values}",
        len(values),
        player=player,
        values=Name(" + ".join(map(str, values))),
    )


GAME: Game[RivalsState] = Game(
    slug="rivals",
    title="Rivals",
    seats=(2, 2),
    options=Options,
    events=(Round, Count),
    start=start,
    apply=apply,
    finished=finished,
    standing=standing,
    questions=(LegalPlays,),
    answer=answer,
)
