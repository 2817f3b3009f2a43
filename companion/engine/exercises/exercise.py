"""What is an exercise? A position with choices, the right ones, the rule behind them, and what each choice leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from companion.engine.text import Part, Sentence, listing, say

Kind = Literal["play", "trick", "swim", "score"]
TILES = 4


@dataclass(frozen=True, slots=True)
class Option:
    """One choice: what a form sends for it, its name in a sentence, and the card that is drawn for it ("" for words alone)."""

    key: str
    label: Part
    card: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Choices that are asked for together. ``one`` is True where exactly one of them is right and can be chosen."""

    legend: Sentence
    options: tuple[Option, ...]
    one: bool = False


@dataclass(frozen=True, slots=True)
class Lesson:
    """The rule behind the answer in one sentence, whose part ``word`` leads to this entry of the rulebook."""

    sentence: Sentence
    rule: str

    @property
    def word(self) -> Sentence:
        """Return the word of the sentence that leads to the rulebook."""
        word = self.sentence.parts["word"]
        assert isinstance(word, Sentence)
        return word


@dataclass(frozen=True, slots=True)
class Result:
    """What a choice leads to: a number with the words behind it, and its worth for whoever is asked (more is better)."""

    number: int
    text: Sentence
    worth: int


@dataclass(frozen=True, slots=True)
class Ending:
    """One of the two plays that are shown side by side: its name, what it leads to, and whether the rules allow it."""

    title: Part
    result: Result
    right: bool


T = TypeVar("T", int, tuple[int, int])  # an answer in numbers


def tiles(right: T, wrong: T, others: Iterable[T]) -> list[T]:
    """Return up to four answers to choose from, lowest first: the right one, the wrong one, and the first of the others."""
    answers: dict[T, None] = dict.fromkeys((right, wrong))
    answers.update(dict.fromkeys(others))
    return sorted(list(answers)[:TILES])


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """One question of a game.

    ``right`` are the keys of the right options. ``misread`` are the keys that somebody chooses who reads the rule of ``lesson``
    wrongly, and ``wrong`` is the one of them that costs most. ``results`` tell where each option leads when the engine plays
    on. ``position`` is what the table shows, of a type of its own for each game and kind. ``hidden`` is what
    others hold when the engine plays on, and no page shows: hands, values or goals, by game. ``title`` and ``story`` belong to
    an example of the rule text, and ``why`` is the reason in this very position, where the engine has one.
    """

    kind: Kind
    ask: Sentence
    position: object
    groups: tuple[Group, ...]
    right: frozenset[str]
    misread: frozenset[str]
    wrong: str
    results: Mapping[str, Result]
    lesson: Lesson
    hidden: tuple[object, ...] = ()
    why: Sentence | None = None
    title: Sentence | None = None
    story: Sentence | None = None

    @property
    def options(self) -> dict[str, Option]:
        """Return all options by key, in the order of the page."""
        return {option.key: option for group in self.groups for option in group.options}

    @property
    def cost(self) -> int:
        """Return how much worse the misreading comes out than the best right choice; 0 or less if it is no worse."""
        return self.results[self._best(self.right & self._beside(self.wrong))].worth - self.results[self.wrong].worth

    def missing(self, chosen: frozenset[str]) -> bool:
        """Return whether a group of choices has no choice yet."""
        return any(chosen.isdisjoint(option.key for option in group.options) for group in self.groups)

    def verdict(self, chosen: frozenset[str]) -> Sentence:
        """Return what was wrong, or missing, or right, by name ("Not right: the Battle")."""
        if false := chosen - self.right:
            return say("Not right: {options}", options=self._named(false))
        if missed := self.right - chosen:
            return say("Also right: {options}", options=self._named(missed))
        return say("Right: {options}", options=self._named(chosen))

    def compare(self, chosen: frozenset[str]) -> tuple[Ending, Ending]:
        """Return two plays to show side by side, the right one second.

        A wrong choice stands against the best right one. What was missed stands against what was chosen. After a right answer
        the best right choice stands against the other end of them, or against the wrong one if only one is right.
        """
        if false := chosen - self.right:
            wrong = self._worst(false)
            return self._ending(wrong), self._ending(self._best(self.right & self._beside(wrong)))
        if missed := self.right - chosen:
            better = self._best(missed)
            return self._ending(self._best(chosen & self._beside(better))), self._ending(better)
        beside = self._beside(self.wrong)
        best, worst = self._best(self.right & beside), self._worst(self.right & beside)
        return self._ending(worst if worst != best else self.wrong), self._ending(best)

    def _beside(self, key: str) -> frozenset[str]:
        """Return the options of the same group: only these are comparable."""
        groups = (frozenset(option.key for option in group.options) for group in self.groups)
        return next(group for group in groups if key in group)

    def _named(self, keys: Iterable[str]) -> Sentence:
        wanted = set(keys)
        return listing([option.label for key, option in self.options.items() if key in wanted])

    def _ending(self, key: str) -> Ending:
        return Ending(self.options[key].label, self.results[key], key in self.right)

    def _best(self, keys: Iterable[str]) -> str:
        wanted = set(keys)
        return max([key for key in self.options if key in wanted], key=lambda key: self.results[key].worth)

    def _worst(self, keys: Iterable[str]) -> str:
        wanted = set(keys)
        return min([key for key in self.options if key in wanted], key=lambda key: self.results[key].worth)


def _for_bo(mine: int, theirs: int) -> Sentence:
    return say("{mine} for you, {theirs} for Bo", mine=mine, theirs=theirs)


def _besides(theirs: int) -> Sentence:
    return say("for you, {n} for Bo", n=theirs)


def count_for_two(
    position: object,
    ask: Sentence,
    tap: Sentence,
    right: tuple[int, int],
    others: Iterable[tuple[int, int]],
    *,
    wrong: tuple[int, int],
    lesson: Lesson,
    label: Callable[[int, int], Sentence] = _for_bo,
    besides: Callable[[int], Sentence] = _besides,
    why: Sentence | None = None,
) -> Exercise:
    """Return the exercise to count for both sides: which of up to four pairs of numbers is ``right``?

    ``label`` names a pair on its tile. ``besides`` stands behind the first number of a pair when two are compared.
    """
    pairs = tiles(right, wrong, others)
    keys = {pair: f"{pair[0]}-{pair[1]}" for pair in pairs}
    return Exercise(
        kind="score",
        ask=ask,
        position=position,
        groups=(Group(tap, tuple(Option(keys[pair], label(*pair)) for pair in pairs), one=True),),
        right=frozenset({keys[right]}),
        misread=frozenset({keys[wrong]}),
        wrong=keys[wrong],
        results={
            keys[pair]: Result(pair[0], besides(pair[1]), -abs(pair[0] - right[0]) - abs(pair[1] - right[1])) for pair in pairs
        },
        lesson=lesson,
        why=why,
    )
