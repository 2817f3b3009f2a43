"""Is every sentence that a program says one that translators are given? Asked of each program that tests start.

Python reads a module of this name before anything else, where ``PYTHONPATH`` names its folder (tests/said.py): so servers,
commands and installed copies are watched as they are, and know nothing of it. Whoever says a sentence is the module that calls:
a test, or a game that a test makes, may say what it likes.
"""

from __future__ import annotations

import json
import os
import re
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

FOLDER = "SENTENCES_OF_TESTS"  # the variable that says where it is written what translators are given, and what they are not
SAYS = "companion.engine.text"

_PART = re.compile(r"\{[^}]*\}")
_WORDS = re.compile(r"[^\W\d_]")


class Watcher:
    """Waits until the program reads the module that makes sentences."""

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find that module as Python would, and have its sentences watched as soon as it is read."""
        if name != SAYS:
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        loader: Any = spec.loader
        read = loader.exec_module

        def read_and_watch(module: ModuleType) -> None:
            read(module)
            watch(module)

        loader.exec_module = read_and_watch
        return spec


def watch(text: Any) -> None:
    """Look up each sentence that this module makes from now on, and write down those that are missing."""
    if text.Sentence.__new__.__module__ != text.__name__:
        return  # it is watched already
    ours = f"{Path(text.__file__).parents[1]}{os.sep}"
    handed_on = {text.__file__, f"{ours}engine{os.sep}core.py"}  # who says it is further out
    given = {tuple(key) for key in json.loads(Path(os.environ[FOLDER], "given.json").read_text("utf-8"))}
    make = text.Sentence.__new__

    def speaker(frame: FrameType | None) -> str:
        """Return who says it, if it is the program and not a test."""
        while frame is not None and frame.f_code.co_filename in handed_on:
            if frame.f_code.co_name in ("by", "capital"):  # it was said before
                return ""
            frame = frame.f_back
        if frame is None or not frame.f_code.co_filename.startswith(ours):
            return ""
        return f"{frame.f_code.co_filename}:{frame.f_lineno}"

    def look_up(cls: Any, *words: Any, **more: Any) -> Any:
        sentence = make(cls, *words, **more)
        key = (sentence.context, sentence.template)
        if key not in given and _WORDS.search(_PART.sub("", sentence.template)) and (said_by := speaker(sys._getframe(1))):
            given.add(key)
            with Path(os.environ[FOLDER], "missing").open("a", encoding="utf-8") as missing:
                missing.write(f"{sentence.context} {sentence.template!r} ({said_by})\n")
        return sentence

    text.Sentence.__new__ = look_up


if FOLDER in os.environ and SAYS not in sys.modules:
    sys.meta_path.insert(0, Watcher())  # type: ignore[arg-type]
