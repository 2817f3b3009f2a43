"""Which style sheets does a page load, and what is in them? Small files in layers, sent as few large ones.

``static/css`` has a file for the tokens and for each layout and component. ``companion.css`` imports those that all pages need:
the server puts them into it, so that a first visit asks for one file. The cascade layer of a file is named after its folder, at
the top after the file itself (``tokens.css``). The colours of games and printed pieces stand with the tokens; strong contrast
and the colours without red and green stand with the wishes. The big screen has those colours and no layer.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from flask import Response, send_file

from companion.screens import colours as palettes
from companion.web.delivery import game_files

FOLDER: Final = "css"
SHARED: Final = "css/companion.css"  # the one that all pages load
COLOURS: Final = "css/tokens/colours.css"
WISHES: Final = "css/wishes.css"
SCREEN: Final = "screen/screen.css"  # of televisions, whose browsers know no layers
LOADED: Final = ("pages", "games", "across")  # folders whose files pages load one by one

MOST: Final = 50  # so many sheets are kept, and there are some 25
_IMPORT: Final = re.compile(r'@import "([^"]+)";')
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# Space and zeros. An empty custom property keeps its space: browsers of 2020 want it
_NEEDLESS: Final = re.compile(r"(?<!:) ?([{};,]) ?|(:) (?![;}])| ([>~]) |(?<![\w.])0(?=\.\d)")
_SELECTORS: Final = re.compile(r"[^{};@]+(?=\{)")
_EITHER: Final = re.compile(r"(?<![^,]):is\(([^()]+)\)([^(),]*)(?![^,])")


def names(folder: Path) -> list[str]:
    """Return the style sheets that pages load, as templates name them."""
    files = [folder / SHARED, *(file for part in LOADED for file in sorted((folder / FOLDER / part).glob("*.css")))]
    return [file.relative_to(folder).as_posix() for file in files]


def send(name: str, folder: Path) -> Response | None:
    """Return a style sheet as it is sent; None for any other file."""
    is_ours = name == SCREEN or (name.startswith(f"{FOLDER}/") and name.endswith(".css"))
    if not is_ours or not (folder / name).is_file():
        return None
    style = sent(name, folder, game_files.colours())
    return send_file(BytesIO(style), "text/css", etag=hashlib.sha256(style).hexdigest())


@lru_cache(MOST)
def sent(name: str, folder: Path, _colours: str) -> bytes:
    """Return a style sheet as it is sent. It is made once: it only changes with the colours of the games that there are."""
    return sheet(name, folder).encode()


def sheet(name: str, folder: Path, *, layered: bool = True) -> str:
    """Return a style sheet with all that it imports, each in its layer, without comments and empty space.

    Args:
        name: of a file below ``folder``, such as ``css/pages/match.css``.
        folder: the application's static files.
        layered: whether browsers that know layers read it.
    """
    text = _COMMENT.sub("", (folder / name).read_text("utf-8"))
    beside, layer = posixpath.split(name)
    files = [posixpath.normpath(f"{beside}/{file}") for file in _IMPORT.findall(text)]
    imported = "".join(sheet(file, folder, layered=name != SCREEN) for file in files)
    text = _NEEDLESS.sub(r"\1\2\3", re.sub(r"\s+", " ", _IMPORT.sub("", text))).strip().replace(";}", "}")
    text = _SELECTORS.sub(lambda rule: _EITHER.sub(_listed, rule[0]), text)
    if name == SHARED:
        return text + imported
    if name == COLOURS:
        text = game_files.colours() + text + palettes.printed(palettes.PRINTED)
    if name == WISHES:
        text = palettes.rules() + text
    if name == SCREEN:
        return imported + text + palettes.rules()
    if not layered:
        return text
    layer = layer.removesuffix(".css") if beside == FOLDER else posixpath.basename(beside)
    return f"{imported}@layer {layer}{{{text}}}"


def _listed(either: re.Match[str]) -> str:
    """Return ``:is(.a,.b c)>d`` as ``.a>d,.b c>d``, each as heavy as it is alone.

    The formatter gives each selector of a list a line, so the files say ``:is``. But a browser finds rules by the class at the
    end of a selector: those without one it tries on every element of a page.
    """
    return ",".join(f"{selector}{either[2]}" for selector in either[1].split(","))
