"""Magpie: forty cards in four colours. Whoever takes the gold scores it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.plugin import Answer, Event, Game, Line, Options, Question, RuleError, Sentence, Standing, say, term

COLOURS = {
    "gold": term("gold", "colour"),
    "silver": term("silver", "colour"),
    "copper": term("copper", "colour"),
    "glass": term("glass", "colour"),
}
GOLD = 10  # gold cards in the deck
CARDS = tuple(f"{colour}-{number}" for colour in COLOURS for number in range(1, 11))

Card = Annotated[str, msgspec.Meta(pattern="^(gold|silver|copper|glass)-([1-9]|10)$")]


class MagpieOptions(Options, frozen=True):
    """How much gold it takes to win."""

    target: Annotated[int, msgspec.Meta(ge=10, le=500)] = 50


class Round(Event, frozen=True, tag="round"):
    """How many gold cards each player took, in turn order."""

    gold: tuple[Annotated[int, msgspec.Meta(ge=0, le=GOLD)], ...]


class MayPlay(Question, frozen=True):
    """Which cards of a hand may be played to the colour that was led? ``led`` is null for whoever leads."""

    game: Literal["magpie"]
    hand: tuple[Card, ...]
    led: Literal["gold", "silver", "copper", "glass"] | None = None


class MayPlayAnswer(Answer, frozen=True):
    """The cards that may be played, and why."""

    legal: tuple[str, ...]
    why: Sentence


class State(msgspec.Struct, frozen=True):
    """Who plays, up to how much gold, and what each round brought."""

    players: tuple[str, ...]
    target: int
    rounds: tuple[tuple[int, ...], ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """Everybody's gold so far."""
        return tuple(sum(gold[player] for gold in self.rounds) for player in range(len(self.players)))


def start(players: tuple[str, ...], options: MagpieOptions) -> State:
    return State(players, options.target)


def apply(state: State, event: Round) -> State:
    if len(event.gold) != len(state.players):
        raise RuleError(say("Say for each player how much gold they took."), field="gold")
    found = sum(event.gold)
    if found != GOLD:
        wrong = say("There are {n} gold cards, and these are {found}.", n=GOLD, found=found)
        raise RuleError(wrong, rule="Gold", field="gold")
    return msgspec.structs.replace(state, rounds=(*state.rounds, event.gold))


def finished(state: State) -> bool:
    return max(state.totals) >= state.target


def standing(state: State) -> Standing:
    totals = state.totals
    winners = tuple(player for player, gold in enumerate(totals) if gold == max(totals)) if finished(state) else ()
    return Standing(
        scores=totals,
        sides=state.players,
        finished=bool(winners),
        winners=winners,
        lines=(Line(say("Gold cards"), totals, "Gold"),),
        rounds=state.rounds,
        details={"dealer": len(state.rounds) % len(state.players)},
    )


def answer(question: MayPlay) -> MayPlayAnswer:
    if len(set(question.hand)) < len(question.hand):
        raise RuleError(say("Each card is in the deck once."), field="hand")
    follow = tuple(card for card in question.hand if card.startswith(f"{question.led}-"))
    if follow:
        return MayPlayAnswer(follow, say("You have {colour}, so you must follow.", colour=COLOURS[question.led]))
    if question.led is None:
        return MayPlayAnswer(question.hand, say("You lead, so any card will do."))
    return MayPlayAnswer(question.hand, say("You have no {colour}, so any card will do.", colour=COLOURS[question.led]))


GAME: Game[State] = Game(
    slug="magpie",
    title="Magpie",
    seats=(2, 6),
    options=MagpieOptions,
    events=(Round,),
    start=start,
    apply=apply,
    finished=finished,
    standing=standing,
    questions=(MayPlay,),
    answer=answer,
)
