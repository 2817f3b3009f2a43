"""How do tests watch every program for sentences that translators are not given? (watched/sitecustomize.py)"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from babel.messages.pofile import read_po

from companion.engine import text
from tests.watched import sitecustomize

HERE = Path(__file__).resolve().parent
ENGLISH = HERE.parent / "companion" / "languages" / "en"

_folder = tempfile.TemporaryDirectory(prefix="companion-sentences-")
MISSING = Path(_folder.name) / "missing"


def path(*folders: Path | str) -> str:
    """Return a PYTHONPATH with these folders, for a program that is watched."""
    return os.pathsep.join((str(HERE / "watched"), *map(str, folders)))


def watch() -> None:
    """Watch this process, and each program that it starts."""
    given = []
    for file in ENGLISH.glob("*.po"):
        with file.open("rb") as lines:
            messages = list(read_po(lines))
        given += [(message.context or "", message.id if isinstance(message.id, str) else message.id[0]) for message in messages]
    MISSING.with_name("given.json").write_text(json.dumps(given), "utf-8")
    os.environ[sitecustomize.FOLDER] = _folder.name
    os.environ["PYTHONPATH"] = path(*filter(None, [os.environ.get("PYTHONPATH")]))
    sitecustomize.watch(text)


def take_missing() -> str:
    """Return what was missing since this was asked last, in whichever program."""
    try:
        found = MISSING.read_text("utf-8")
    except FileNotFoundError:
        return ""
    MISSING.unlink()
    return found
