"""Count what the style sheets are made of: ``python -m tests.wardrobe`` prints a line for each file and one for all.

A size, gap, padding, corner or condition that is written twice counts once: few of them are a system.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent / "static" / "css"
COUNTED: Final = ("font-size", "gap", "padding", "border-radius")
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_STATEMENT: Final = re.compile(r"([^{};]+)([{;]|(?=\}))")


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines and rules of one style sheet or several, and their values and conditions."""

    lines: int = 0
    rules: int = 0
    values: dict[str, frozenset[str]] = field(default_factory=lambda: dict.fromkeys(COUNTED, frozenset()))
    conditions: frozenset[str] = frozenset()

    @classmethod
    def read(cls, file: Path) -> Sheet:
        """Read a file as the formatter leaves it."""
        text = file.read_text("utf-8")
        rules, values, conditions = 0, {name: set[str]() for name in COUNTED}, set[str]()
        for statement, end in _STATEMENT.findall(_COMMENT.sub("", text)):
            words = " ".join(statement.split())
            name, _, value = words.partition(": ")
            if end == "{":
                rules += not words.startswith("@")
                if words.startswith(("@media", "@container")):
                    conditions.add(words)
            elif name in values:
                values[name].add(value)
        kept = {name: frozenset(each) for name, each in values.items()}
        return cls(len(text.splitlines()), rules, kept, frozenset(conditions))

    def __add__(self, other: Sheet) -> Sheet:
        values = {name: self.values[name] | other.values[name] for name in COUNTED}
        return Sheet(self.lines + other.lines, self.rules + other.rules, values, self.conditions | other.conditions)

    def __str__(self) -> str:
        counts = (self.lines, self.rules, *(len(each) for each in self.values.values()), len(self.conditions))
        return "".join(f"{count:9,}" for count in counts)


def sheets() -> dict[str, Sheet]:
    """Return every style sheet by its name below ``static/css``."""
    return {file.relative_to(FOLDER).as_posix(): Sheet.read(file) for file in sorted(FOLDER.rglob("*.css"))}


def together() -> Sheet:
    """Count all sheets as one."""
    return reduce(Sheet.__add__, sheets().values(), Sheet())


def main() -> None:
    """Print the counts."""
    heads = ("lines", "rules", "sizes", "gaps", "paddings", "corners", "@media")
    print(f"{'':32}{''.join(f'{head:>9}' for head in heads)}")
    for name, sheet in sheets().items():
        print(f"{name:32}{sheet}")
    print(f"{'all':32}{together()}")


if __name__ == "__main__":
    main()
