"""The document of a score sheet (``companion-sheet/1``) as JSON has it: its parts, their types and their bounds.

What one part says of another is checked by :mod:`.reading`, which makes a :class:`~.reading.Sheet` of a document.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from companion.engine.sheet.expressions import LIMIT, MOST_CHARACTERS
from companion.engine.text import say

FORMAT: Final = "companion-sheet/1"
MOST_PLAYERS: Final = 12
MOST_COLUMNS: Final = 40

Id = Annotated[
    str,
    Meta(
        max_length=30,
        pattern="^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
        description=str(say("a word of small letters, digits and single hyphens")),
    ),
]
Words = Annotated[str, Meta(min_length=1, max_length=60)]
Text = Annotated[str, Meta(min_length=1, max_length=600)]
Formula = Annotated[str, Meta(min_length=1, max_length=MOST_CHARACTERS)]
Amount = Annotated[int, Meta(gt=-LIMIT, lt=LIMIT)] | Annotated[float, Meta(gt=-LIMIT, lt=LIMIT)]
Bound = Amount | Formula
Tie = Annotated[tuple[Annotated[str, Meta(max_length=31)], ...], Meta(max_length=10)]
Kind = Literal["whole", "half", "addends", "times", "product", "table", "choice", "rank", "tick"]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a sheet's document."""


class Choice(Part, frozen=True):
    """One of the answers that a ``choice`` column offers, and what it is worth.

    ``question`` asks for the one side that it is true of ("Who took?"), at tables of so many ``players`` and more. The choice
    of that column without a question is then true of all others.
    """

    id: Id
    name: Words
    points: Amount = 0
    question: Words | None = None
    players: Annotated[int, Meta(ge=2, le=MOST_PLAYERS)] = 2


class Column(Part, frozen=True):
    """A column: who fills it (each side, or the round once), how it is typed, and what it is worth.

    ``least``, ``most`` and ``step`` bound what may be typed; a ``step`` of 0.5 allows halves. ``by`` belongs to ``times``,
    ``points`` to ``table``, ``rank`` and ``tick`` (one number), ``choices`` to ``choice``. ``once``: a side takes each choice
    once a match; of a round's column the dealer does. ``ties`` says what equal numbers of a ``rank`` get: ``each`` the better
    place's points, or ``split``: an equal share of what their places bring, rounded down to what the ``step`` allows.
    ``question`` asks for it in a sentence ("Who won?"). A ``group`` names a sum of columns for ``bonus`` ("upper"). ``roll``
    is what the sheet's dice would score in a box. ``only`` is the question about house rules without which there is no such
    column, or a formula of their answers ("level == 1"): where it comes to 0, the column is not asked for, and worth 0.
    """

    id: Id
    name: Words
    kind: Kind
    of: Literal["side", "round"] = "side"
    least: Bound | None = None
    most: Bound | None = None
    step: Annotated[int, Meta(ge=1, lt=LIMIT)] | Annotated[float, Meta(ge=0.5, le=0.5)] = 1
    by: Amount = 1
    points: Annotated[tuple[Amount, ...], Meta(max_length=101)] | Amount = ()
    choices: Annotated[tuple[Choice, ...], Meta(max_length=20)] = ()
    once: bool = False
    ties: Literal["each", "split"] = "each"
    optional: bool = False
    when: Literal["before", "after"] = "after"
    group: Id | None = None
    roll: Formula | None = None
    question: Words | None = None
    only: Annotated[str, Meta(min_length=1, max_length=60)] | None = None


class Teams(Part, frozen=True):
    """So many teams of so many players, who sit alternately."""

    teams: Annotated[int, Meta(ge=2, le=6)]
    of: Annotated[int, Meta(ge=1, le=6)]


class Ends(Part, frozen=True):
    """What ends a match: a number of rounds, a total that is reached, sides that drop out, all boxes filled, or the players.

    A number of 0, as an answer about house rules may be, ends nothing.
    """

    rounds: Bound | None = None
    at: Bound | None = None
    out: Bound | None = None
    left: Annotated[int, Meta(ge=1, le=MOST_PLAYERS)] = 1
    boxes: bool = False
    hand: bool = False


class Check(Part, frozen=True):
    """What must be true of a row, and the sentence that says what was expected; ``{…}`` in it is reckoned."""

    that: Formula
    say: Annotated[str, Meta(min_length=1, max_length=200)]


class Answer(Part, frozen=True):
    """One answer to a question about house rules, and the number that it stands for.

    With ``wins`` and ``tie`` it says so instead of the sheet.
    """

    name: Words
    value: Amount
    wins: Literal["highest", "lowest"] | None = None
    tie: Tie | None = None


class Ask(Part, frozen=True):
    """A question about house rules; the first answer is the usual one. Expressions know the answer by its ``id``."""

    id: Id
    question: Annotated[str, Meta(min_length=1, max_length=120)]
    answers: Annotated[tuple[Answer, ...], Meta(min_length=2, max_length=8)]


class Goal(Part, frozen=True):
    """The sum that a bonus asks for: that of a group of boxes (``of``), from ``at`` points on."""

    of: Id
    at: Amount


class SheetDocument(Part, frozen=True):
    """A whole score sheet as data.

    ``sum`` declares what the scores of every row come to: 0 for a ledger, or a formula where some go to nobody.
    ``family`` is the list in which menus show it.
    ``rests`` is true of a side that takes no part in a row, such as the dealer of five; expressions know it by this name.
    A tick of each side in it says who else sits out. ``deals`` is how many rounds each dealer deals in a row.
    ``dice`` are rolled so many at a time, and ``goal`` is what is still missing for the bonus.
    ``about`` explains the scoring; ``also`` are further names under which people look for it. ``by`` is whoever made it, and
    with each change that they keep its ``edition`` grows.
    """

    format: Literal["companion-sheet/1"]
    name: Words
    players: tuple[Annotated[int, Meta(ge=2, le=MOST_PLAYERS)], Annotated[int, Meta(ge=2, le=MOST_PLAYERS)]]
    shape: Literal["rounds", "boxes", "end"]
    columns: Annotated[tuple[Column, ...], Meta(min_length=1, max_length=MOST_COLUMNS)]
    sides: Literal["each"] | Teams = "each"
    wins: Literal["highest", "lowest"] = "highest"
    ends: Ends = Ends(hand=True)
    dealer: Literal["left", "right", "loser", "winner"] | None = None
    deals: Bound = 1
    score: Formula | None = None
    bonus: Formula | None = None
    sum: Bound | None = None
    checks: Annotated[tuple[Check, ...], Meta(max_length=10)] = ()
    tie: Tie = ()
    asks: Annotated[tuple[Ask, ...], Meta(max_length=8)] = ()
    family: Literal["rounds", "bids", "ledger", "boxes", "end", ""] = ""
    about: Text | None = None
    also: Annotated[tuple[Words, ...], Meta(max_length=8)] = ()
    dice: Annotated[int, Meta(ge=1, le=6)] | None = None
    goal: Goal | None = None
    rests: Formula | None = None
    by: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    edition: Annotated[int, Meta(ge=1, le=9_999)] = 1


def family_of(document: SheetDocument) -> str:
    """Return the list in which menus show the sheet: as it says, else by its shape and columns."""
    if document.family or document.shape != "rounds":
        return document.family or document.shape
    if any(column.when == "before" for column in document.columns):
        return "bids"
    return "rounds" if document.sum is None else "ledger"
