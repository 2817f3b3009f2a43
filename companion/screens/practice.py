"""What is practised of a game without a table? Exercises by number; the engine knows which cards are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


class Exercise(Protocol):
    """One position to practise on. The game's template shows more of it."""

    @property
    def hand(self) -> Sequence[str]:
        """Return the cards to choose from."""
        ...

    @property
    def right(self) -> frozenset[str]:
        """Return the cards that are the right choice, from the engine."""
        ...

    @property
    def rule(self) -> str:
        """Return the rule behind the answer, as the rulebook knows it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """Exercises numbered from 1 to ``last``, the first ``examples`` of them from the rule text.

    ``label`` is what a link to them says, ``template`` extends ``practice/page.html``.
    """

    label: str
    template: str
    exercise: Callable[[int], Exercise]
    examples: int
    last: int
