"""Which languages show what is not translated, and what does not fit? Ones that nobody speaks, made from English.

Each letter gets an accent and each sentence brackets; it becomes two fifths longer. One of them runs from right to left.
"""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from tests.catalogues import SOURCE, text_of

LEFT_TO_RIGHT, RIGHT_TO_LEFT = "eo", "he"  # codes of real languages, since browsers and Babel must know them
OPEN, CLOSE = "⟦", "⟧"
ACCENTS = str.maketrans("aceinorsuyzACEINORSUYZ", "áćéíñóŕśúýźÁĆÉÍÑÓŔŚÚÝŹ")
PART = re.compile(r"(\{[^}]*\}|%\(\w+\)[sd]|%%|<[^>]*>|&\w+;|\s+)")


def said(english: str) -> str:
    """Return English words as the made-up languages say them."""
    pieces = [piece if PART.fullmatch(piece) else piece.translate(ACCENTS) for piece in PART.split(english)]
    letters = sum(len(piece) for piece in pieces if not PART.fullmatch(piece))
    return f"{OPEN}{''.join(pieces)}{longer(letters)}{CLOSE}"


def longer(letters: int) -> str:
    """Return as many letters more as a language needs that takes two fifths more room, in words that a line can break."""
    return "".join(f" {'~' * min(7, rest)}" for rest in range(letters * 2 // 5, 0, -8))


def write(folder: Path) -> None:
    """Write the catalogues of both languages below a folder."""
    sentences = {}
    for file in SOURCE.glob("*.po"):
        with file.open("rb") as lines:
            sentences[file.stem] = read_po(lines)
    for code in (LEFT_TO_RIGHT, RIGHT_TO_LEFT):
        (folder / code).mkdir(parents=True, exist_ok=True)
        plural = get_plural(code)
        for area, catalogue in sentences.items():
            for message in catalogue:
                if isinstance(message.id, str):
                    message.string = said(message.id) if message.id else ""
                else:
                    message.string = (said(message.id[0]), *[said(message.id[1])] * (plural.num_plurals - 1))
            (folder / code / f"{area}.po").write_text(text_of(catalogue, code, plural), "utf-8")
