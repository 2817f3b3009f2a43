"""What does the text in a cell of a score sheet mean, and how is a cell written as text?"""

from __future__ import annotations

import re
from typing import Any

from companion.engine.core import plain
from companion.engine.sheet.reading import ReadColumn
from companion.plugin import RuleError, say, written

_SIGNS = str.maketrans({",": ".", "−": "-", "×": "x", "*": "x", " ": None})
_NUMBER = re.compile(r"[+-]?(?:\d{1,12}(?:\.[05])?|\.5)")
LONGEST = 80  # characters of a cell


def read(column: ReadColumn, text: str) -> Any:
    """Return what stands in a cell, in the terms of records; None for an empty one. Raises RuleError for what is no number.

    Addends stay as they were typed: "10+15+8" is (10, 15, 8).
    """
    kind = column.column.kind
    if kind == "tick":
        return True if text else None
    if kind == "choice" or not text.strip():
        return text.strip() or None
    text = text[:LONGEST].translate(_SIGNS).strip("+")
    if kind == "addends":
        numbers = [number(part) for part in re.findall(r"[^+]+", text.replace("+-", "-").replace("-", "+-"))]
        return numbers[0] if len(numbers) == 1 else tuple(numbers)
    if kind == "product":
        return tuple(number(part) for part in text.split("x"))
    return number(text)


def number(text: str) -> float:
    """Return the number that a text says, whole or with a half: "12", "2½", "2,5". Raises RuleError for what is none."""
    text = text.translate(_SIGNS).replace("½", ".5")
    if not _NUMBER.fullmatch(text):
        raise RuleError(say("A number belongs here."))
    return plain(float(text))


def number_in(text: str) -> float:
    """Return the number that a text says; 0 for what is none."""
    try:
        return number(text)
    except RuleError:
        return 0


def text_of(column: ReadColumn, cell: Any) -> str:
    """Return a cell as text, as :func:`read` reads it."""
    if cell is None or cell is False:
        return ""
    if cell is True:
        return "yes"
    if isinstance(cell, list | tuple) and column.column.kind == "product":
        return "x".join(map(written, cell))
    if isinstance(cell, list | tuple):
        return "+".join(map(written, cell)).replace("−", "-").replace("+-", "-")
    return written(cell).replace("−", "-") if isinstance(cell, float) else str(cell)
