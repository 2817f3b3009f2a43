"""Is every sentence that the tests let Companion make one that translators are given?

Whatever the program says is looked up in the catalogues. Who says it is the module that calls: a test, or a game that a test
makes, may say what it likes. ``python -m tests.said run …`` is ``companion run …``, watched: the servers that tests start.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

if __name__ == "__main__":
    import companion.server  # noqa: F401  # which comes before anything else that opens sockets

from babel.messages.pofile import read_po

from companion.engine import core, text
from tests.server import UNKNOWN

OURS = Path(text.__file__).parents[1]
ENGLISH = OURS / "languages" / "en"
HANDED_ON = {text.__file__, core.__file__}  # who says it is further out

Key = tuple[str, str]  # context and template

_PART = re.compile(r"\{[^}]*\}")
_WORDS = re.compile(r"[^\W\d_]")

missing: dict[Key, str] = {}  # and where it was said
_make: Any = text.Sentence.__new__


@cache
def known() -> frozenset[Key]:
    """Return what translators are given."""
    found: set[Key] = set()
    for file in ENGLISH.glob("*.po"):
        with file.open("rb") as lines:
            for message in read_po(lines):
                found.add((message.context or "", message.id if isinstance(message.id, str) else message.id[0]))
    return frozenset(found)


def watch() -> None:
    """Look up each sentence from now on."""
    given = known()

    def make(cls: type[text.Sentence], *words: Any, **more: Any) -> text.Sentence:
        sentence: text.Sentence = _make(cls, *words, **more)
        key = (sentence.context, sentence.template)
        if (
            key not in given
            and key not in missing
            and _WORDS.search(_PART.sub("", sentence.template))
            and (speaker := _speaker(sys._getframe(1)))
        ):
            missing[key] = speaker
        return sentence

    text.Sentence.__new__ = make  # type: ignore[method-assign,assignment]


def _speaker(frame: FrameType | None) -> str:
    """Return who says it, if it is the program and not a test."""
    while frame is not None and frame.f_code.co_filename in HANDED_ON:
        if frame.f_code.co_name in ("by", "capital"):  # it was said before
            return ""
        frame = frame.f_back
    if frame is None or not frame.f_code.co_filename.startswith(str(OURS)):
        return ""
    return f"{Path(frame.f_code.co_filename).relative_to(OURS.parent)}:{frame.f_lineno}"


def take_missing() -> dict[Key, str]:
    """Return what was missing since this was asked last."""
    found = dict(missing)
    missing.clear()
    return found


class Told(dict[Key, str]):
    """A store of missing sentences that prints each at once, where nobody reads it in the end."""

    def __setitem__(self, key: Key, speaker: str) -> None:
        super().__setitem__(key, speaker)
        sys.stderr.write(f"{UNKNOWN}: {key} ({speaker})\n")


def tell() -> None:
    """Look up each sentence from now on, and complain at once of those that are missing."""
    global missing
    missing = Told()
    watch()


if __name__ == "__main__":
    from companion.cli import main

    tell()
    main(prog_name="companion")
