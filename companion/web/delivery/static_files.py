"""Where do templates and static files lie, and how long may a browser keep them?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, g, request, url_for

from companion.settings import CHECKOUT
from companion.web.delivery import game_files

PACKAGE = Path(__file__).resolve().parent.parent.parent

TEXT = frozenset(("text/css", "text/javascript", "image/svg+xml"))
VERSION = re.compile(r"^[0-9a-f]{10}/")  # what the address of a static file begins with


def asset_folder(name: str) -> Path:
    """Return the folder of templates or static files: inside an installed package, else at the top of the checkout."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else CHECKOUT / name


def without_version(filename: str) -> str:
    """Return the file that an address means, whichever version it names."""
    return VERSION.sub("", filename)


def version_of(colours: str, folders: Iterable[Path]) -> str:
    """Return a name for the ``colours`` of all games and what all files of these folders hold: it changes with any of them."""
    digest = hashlib.sha256(colours.encode())
    for folder in folders:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            digest.update(f"{file.relative_to(folder)} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:10]


@cache
def smallest(text: bytes) -> bytes:
    """Return a file as small as brotli makes it, which is a sixth less than while somebody waits. Done once a file."""
    import brotli  # in a phone nothing is sent

    compressed: bytes = brotli.compress(text)
    return compressed


class Drawings:
    """The address of the file of all drawings, below the path at which a request has reached Companion.

    Templates that others import are run once a process, so they can hold this and no address.
    """

    def __str__(self) -> str:
        """Return the address for the page that is being rendered."""
        if "drawings" not in g:
            g.drawings = request.script_root, url_for("static", filename="icons/sprite.svg")
        root, address = g.drawings
        return address if root == request.script_root else url_for("static", filename="icons/sprite.svg")


def init_app(app: Flask) -> None:
    """Let static files be kept for ever under an address that changes with their content, and under no other.

    The version is a folder of the address, so that scripts that import each other are always of one version. While one process
    is replaced after the other, a page of the new one may ask an old one for a new file.
    """
    if "STATIC_VERSION" not in app.config:  # a phone is told, and has none of the files
        folders = [Path(app.static_folder or ""), *game_files.static_folders()]
        app.config["STATIC_VERSION"] = version_of(game_files.colours(), folders)
    version = app.config["STATIC_VERSION"]
    app.jinja_env.globals["drawings"] = Drawings()

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "filename" in values:
            values["filename"] = f"{version}/{values['filename']}"

    @app.after_request
    def keep(response: Response) -> Response:
        if request.endpoint != "static" or response.status_code not in {200, 304}:
            return response
        if (request.view_args or {})["filename"].startswith(f"{version}/"):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
            for needless in ("Content-Disposition", "Expires", "Accept-Ranges", "Last-Modified"):  # 3 KB of twenty files
                response.headers.pop(needless, None)
            if response.status_code == 200 and response.mimetype in TEXT and request.accept_encodings["br"]:
                response.direct_passthrough = False
                response.set_data(smallest(response.get_data()))
                response.headers["Content-Encoding"] = "br"
                response.vary.add("Accept-Encoding")
        return response
