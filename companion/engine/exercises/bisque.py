"""Who wins a trick and what may go into the pot, and what does a goal score? Exercises of Bisque.

Cards are dealt at random, and each exercise is chosen so that somebody who misreads one rule answers it wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.engine.bisque import COOKS, TRICKS, Trick, TrickAnswer, goal_score, points, suit_totals
from companion.engine.bisque import answer as answer_trick
from companion.engine.decktet import BASIC, CARDS, CROWN, SUIT_NAMES, Card
from companion.engine.exercises.chance import Chance
from companion.engine.exercises.exercise import Exercise, Group, Lesson, Option, Result, tiles
from companion.engine.text import Name, Part, Sentence, listing, say, term

SEATS: tuple[Part, ...] = (term("You", "seat"), Name("Bo"), Name("Cy"))
SEARCHED = 4000  # tricks and pots at most; the rarest, with Aces or equal ranks, turn up within some hundred
DEALS = 12  # goals of the others of which the most telling are taken


@dataclass(frozen=True, slots=True)
class InTrick:
    """A full trick, as played, by whom (places at the table, 0 is whoever is asked), the pot before it, and that goal."""

    trick: tuple[str, ...]
    seats: tuple[int, ...]
    pot: tuple[str, ...]
    goal: str


@dataclass(frozen=True, slots=True)
class InPot:
    """A full pot and a goal."""

    pot: tuple[str, ...]
    goal: str


def _ace_high(cards: Sequence[Card]) -> int:
    ranks = [CROWN + 1 if card.kind == "ace" else card.rank for card in cards]
    return ranks.index(max(ranks))


def _last_of_equal(cards: Sequence[Card]) -> int:
    ranks = [card.rank for card in cards]
    return COOKS - 1 - ranks[::-1].index(max(ranks))


def _same_suit(cards: Sequence[Card]) -> int:
    ranks = [card.rank if set(card.suits) & set(cards[0].suits) else 0 for card in cards]
    return ranks.index(max(ranks))


_READINGS: tuple[tuple[Callable[[Sequence[Card]], int], bool, Lesson], ...] = (
    (
        _ace_high,
        False,
        Lesson(say("In a trick an {word} is the lowest card.", word=term("Ace", "rule")), "Q4"),
    ),
    (
        _last_of_equal,
        False,
        Lesson(
            say("Of {word} the one that was played first is higher.", word=term("equal ranks", "rule")),
            "Q4",
        ),
    ),
    (
        _same_suit,
        False,
        Lesson(
            say("The highest {word} wins the trick, whatever its suits.", word=term("rank", "rule")),
            "Rank",
        ),
    ),
    (
        lambda cards: _first_highest(cards),
        True,
        Lesson(
            say("The winner puts one of the two {word} into the pot, never the winning one.", word=term("other cards", "rule")),
            "pot",
        ),
    ),
)


def _first_highest(cards: Sequence[Card]) -> int:
    """Return the place of the winner: here the reading is right, and only what may be picked is not."""
    return max(range(COOKS), key=lambda place: cards[place].rank)


def exercise(number: int) -> Exercise:
    """Return the exercise with this number: twice in three a trick, else the goal at the end."""
    chance = Chance("bisque", number)
    return _score(chance) if chance.below(3) == 0 else _trick(chance)


def _trick(chance: Chance) -> Exercise:
    reads, takes, lesson = chance.choice(_READINGS)
    made: list[Exercise] = []
    for _ in range(SEARCHED):
        cards = chance.shuffled(BASIC)
        trick = cards[:COOKS]
        misread = reads(trick)
        if takes or misread != _first_highest(trick):
            made.append(_exercise(chance, cards, misread, takes=takes, lesson=lesson))
            if made[-1].cost > 0 or len(made) == DEALS:
                break
    return max(made, key=lambda exercise: exercise.cost)


def _exercise(chance: Chance, cards: Sequence[Card], misread: int, *, takes: bool, lesson: Lesson) -> Exercise:
    """Return the exercise: the first cards are the trick, then the pot, then the goals that can be."""
    trick = tuple(card.id for card in cards[:COOKS])
    filled = COOKS + 2 + chance.below(TRICKS - 3)
    pot = tuple(card.id for card in cards[COOKS:filled])
    goals = [card.id for card in cards[filled:] if card.kind == "number"]
    first = chance.below(COOKS)
    seats = tuple((first + place) % COOKS for place in range(COOKS))
    position = InTrick(trick, seats, pot, goals[0])
    answer = answer_trick(Trick("bisque", (trick[0], trick[1], trick[2])))
    assert isinstance(answer, TrickAnswer)
    right = frozenset({f"win:{answer.winner}", *(f"take:{card}" for card in answer.may_pick)})
    picked = trick if takes else tuple(card for place, card in enumerate(trick) if place != misread)
    wrong = f"take:{trick[misread]}" if takes else f"win:{misread}"
    # The others pick by their goals. Of the goals that they can have, take those for which the mistake costs most.
    others = [chance.shuffled(goals[1:])[: COOKS - 1] for _ in range(DEALS)]
    telling = max(
        ({key: _points(position, key, (goals[0], *rest)) for key in (*right, wrong)} for rest in others),
        key=lambda results: max(results[key] for key in right) - results[wrong],
    )
    chosen = next(
        (goals[0], *rest)
        for rest in others
        if all(_points(position, key, (goals[0], *rest)) == worth for key, worth in telling.items())
    )
    keys = [f"win:{place}" for place in range(COOKS)] + [f"take:{card}" for card in trick]
    return Exercise(
        kind="trick",
        ask=say("Who wins this trick, and what may they take?"),
        position=position,
        groups=(
            Group(
                say("Who wins?"),
                tuple(Option(f"win:{place}", SEATS[seats[place]]) for place in range(COOKS)),
                one=True,
            ),
            Group(
                say("Tap all that may go into the pot"),
                tuple(Option(f"take:{card}", CARDS[card].title, card) for card in trick),
            ),
        ),
        right=right,
        misread=frozenset({f"win:{misread}", *(f"take:{card}" for card in picked)}),
        wrong=wrong,
        results={key: _result(_points(position, key, chosen)) for key in keys},
        lesson=lesson,
        hidden=chosen[1:],
        why=answer.why,
    )


def _result(worth: int) -> Result:
    return Result(worth, say("points for your goal so far"), worth)


def _points(position: InTrick, key: str, goals: Sequence[str]) -> int:
    """Return what the asker's goal scores once this card is in the pot, or the one that such a winner picks for their goal."""
    kind, _, which = key.partition(":")
    card = which
    if kind == "win":
        winner = int(which)
        goal = goals[position.seats[winner]]
        others = [other for place, other in enumerate(position.trick) if place != winner]
        card = max(others, key=lambda other: _merit(goal, (*position.pot, other)))
    return goal_score(position.goal, (*position.pot, card)).points


def _merit(goal: str, pot: tuple[str, ...]) -> tuple[int, int]:
    """Return how good a pot is for a goal: its points, then both its suits together."""
    score = goal_score(goal, pot)
    return score.points, sum(score.totals)


# The goal at the end


def _higher(goal: str, pot: tuple[str, ...]) -> int:
    return max(goal_score(goal, pot).totals)


def _together(goal: str, pot: tuple[str, ...]) -> int:
    return sum(goal_score(goal, pot).totals)


def _ace_one(goal: str, pot: tuple[str, ...]) -> int:
    """Return the points if an Ace counted 1."""
    aces = [card for card in pot if CARDS[card].kind == "ace"]
    totals = suit_totals(pot)
    return min(
        totals[suit] - sum(points(CARDS[ace]) - 1 for ace in aces if suit in CARDS[ace].suits) for suit in CARDS[goal].suits
    )


def _first_suit_only(goal: str, pot: tuple[str, ...]) -> int:
    """Return the points if a card counted for the first of its two suits only."""
    return min(sum(points(CARDS[card]) for card in pot if CARDS[card].suits[0] == suit) for suit in CARDS[goal].suits)


_MISCOUNTS: tuple[tuple[Callable[[str, tuple[str, ...]], int], Lesson], ...] = (
    (
        _higher,
        Lesson(say("A goal scores the {word} of its two suits.", word=term("lower", "rule")), "Q3"),
    ),
    (
        _together,
        Lesson(
            say("A {word} scores the lower of its two suits, not both together.", word=term("goal", "rule")),
            "scoring",
        ),
    ),
    (
        _ace_one,
        Lesson(say("In the pot an {word} counts 5.", word=term("Ace", "rule")), "Q3"),
    ),
    (
        _first_suit_only,
        Lesson(
            say("A {word} adds its number to both of its suits.", word=term("number card", "rule")),
            "number-card",
        ),
    ),
)


def _score(chance: Chance) -> Exercise:
    miscount, lesson = chance.choice(_MISCOUNTS)
    for _ in range(SEARCHED):
        cards = [card.id for card in chance.shuffled(BASIC)]
        pot = tuple(cards[:TRICKS])
        goal = next(card for card in cards[TRICKS:] if CARDS[card].kind == "number")
        if miscount(goal, pot) != goal_score(goal, pot).points:
            break
    right, wrong = goal_score(goal, pot).points, miscount(goal, pot)
    answers = tiles(right, wrong, (*(count(goal, pot) for count, _ in _MISCOUNTS), right + 1, right + 2, right + 3))
    return Exercise(
        kind="score",
        ask=say("What does this goal score?"),
        position=InPot(pot, goal),
        groups=(Group(say("Tap the score"), tuple(Option(str(tile), Name(str(tile))) for tile in answers), one=True),),
        right=frozenset({str(right)}),
        misread=frozenset({str(wrong)}),
        wrong=str(wrong),
        results={str(tile): Result(tile, say("points for your goal"), -abs(tile - right)) for tile in answers},
        lesson=lesson,
        why=_sums(goal, pot),
    )


def _sums(goal: str, pot: tuple[str, ...]) -> Sentence:
    score = goal_score(goal, pot)
    first, second = (
        say("{points} of {suit}", points=total, suit=SUIT_NAMES[suit])
        for suit, total in zip(score.suits, score.totals, strict=True)
    )
    return say("The pot holds {sums}.", sums=listing([first, second]))
