"""How are teams said in BeloZ's sentences?"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.text import Sentence, name, say


def partners(players: Sequence[str], team: int) -> list[str]:
    """Return the two players of team 0 or 1 by the alphabet.

    Players are numbered from the first dealer, who is another one in every match. A pair is called the same in all of them.

    >>> partners(["Cy", "Di", "Ana", "Bo"], 0)
    ['Ana', 'Cy']
    """
    return sorted((players[team], players[team + 2]), key=str.casefold)


def team_name(players: Sequence[str], team: int) -> Sentence:
    """Return the two players of team 0 or 1: "Ana & Cy"."""
    first, second = partners(players, team)
    return say("{one} & {other}", one=name(first), other=name(second))
