"""How are numbers and teams said in BeloZ's sentences?"""

from __future__ import annotations

from collections.abc import Sequence

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def count_word(number: int) -> str:
    """A number of cards or expeditions, 0 to 8, as a word."""
    return _COUNTS[number]


def partners(players: Sequence[str], team: int) -> list[str]:
    """Return the two players of team 0 or 1 by the alphabet.

    Players are numbered from the first dealer, who is another one in every match. A pair is called the same in all of them.

    >>> partners(["Cy", "Di", "Ana", "Bo"], 0)
    ['Ana', 'Cy']
    """
    return sorted((players[team], players[team + 2]), key=str.casefold)


def team_name(players: Sequence[str], team: int) -> str:
    """Return the two players of team 0 or 1: "Ana & Cy"."""
    return " & ".join(partners(players, team))
