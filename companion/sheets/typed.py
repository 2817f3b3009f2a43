"""What does the text in a cell of a score sheet mean, and how is a cell written as text?"""

from __future__ import annotations

import re
from typing import Any

from companion.engine.sheet.reading import ReadColumn
from companion.plugin import RuleError, say

_HALVES = str.maketrans({",": ".", "−": "-", "×": "x", "*": "x", " ": None})
_NUMBER = re.compile(r"[+-]?\d{1,12}(?:\.[05])?")
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
    plain = text[:LONGEST].translate(_HALVES).replace("½", ".5").strip("+")
    if kind == "addends":
        numbers = [_number(part) for part in re.findall(r"[^+]+", plain.replace("+-", "-").replace("-", "+-"))]
        return numbers[0] if len(numbers) == 1 else tuple(numbers)
    if kind == "product":
        return tuple(_number(part) for part in plain.split("x"))
    return _number(plain)


def _number(text: str) -> int | float:
    if not _NUMBER.fullmatch(text):
        raise RuleError(say("A number belongs here."))
    number = float(text)
    return int(number) if number.is_integer() else number


def text_of(column: ReadColumn, cell: Any) -> str:
    """Return a cell as text, as :func:`read` reads it."""
    if cell is None or cell is False:
        return ""
    if cell is True:
        return "yes"
    if isinstance(cell, list | tuple) and column.column.kind == "product":
        return "x".join(map(str, cell))
    if isinstance(cell, list | tuple):
        return "+".join(map(str, cell)).replace("+-", "-")
    return str(cell)
