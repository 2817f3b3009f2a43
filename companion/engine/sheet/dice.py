"""What does a roll of dice say to a sheet? How many dice show each face, their sum, and what is alike or in a row.

A sheet with ``dice`` may say for each box what a roll scores there: ``"roll": "25 if most_alike == 3 and kinds == 2 else 0"``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from companion.engine.sheet.expressions import Known

FACES: Final = range(1, 7)
NAMES: Final[Mapping[str, Known]] = {
    **{f"dice_{face}": Known(least=0) for face in FACES},
    "pips": Known(least=0),
    "most_alike": Known(least=0),
    "alike_face": Known(least=0, most=6),
    "kinds": Known(least=0, most=6),
    "longest_run": Known(least=0, most=6),
}


def facts(roll: Sequence[int]) -> dict[str, int]:
    """Return what a roll says, by the names that expressions know.

    ``alike_face`` is the face of which there are most, the highest of several. ``longest_run`` counts faces in a row.

    >>> [facts((3, 3, 3, 5, 5))[name] for name in ("dice_5", "pips", "most_alike", "alike_face", "kinds", "longest_run")]
    [2, 19, 3, 3, 2, 1]
    """
    counts = {face: roll.count(face) for face in FACES}
    run = longest = 0
    for face in FACES:
        run = run + 1 if counts[face] else 0
        longest = max(longest, run)
    most = max(counts.values())
    return {
        **{f"dice_{face}": count for face, count in counts.items()},
        "pips": sum(roll),
        "most_alike": most,
        "alike_face": max((face for face in FACES if counts[face] == most), default=0) if most else 0,
        "kinds": sum(map(bool, counts.values())),
        "longest_run": longest,
    }
