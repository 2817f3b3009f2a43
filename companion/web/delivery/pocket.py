"""What is offered to phones that want the whole of Companion in them, to play without a network?

``make pocket`` builds the files; where nobody has, or Companion is another one by now, nothing is offered. Each file lies there
compressed. The addresses below ``/pocket/`` are the phone's own (:mod:`companion.pocket`): the server has one page for all of
them, whose script asks the phone.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any, Final

import msgspec
from flask import Blueprint, Flask, Response, abort, current_app, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.web.delivery import offline, static_files

bp = Blueprint("pocket", __name__, url_prefix="/pocket")

FOLDER: Final = static_files.PACKAGE / "pocket_files"
LIST: Final = "files.json"
MEMORY: Final = 36_000_000  # bytes of Python's memory that a phone keeps for later starts
WORKER: Final = "js/pocket-worker.js"
POLICY: Final = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"  # the worker's own: it runs Python as WebAssembly
TYPES: Final = {".mjs": "text/javascript", ".wasm": "application/wasm", ".zip": "application/zip", ".json": "application/json"}

logger = logging.getLogger(__name__)


class File(msgspec.Struct, frozen=True):
    """A file of the build: its bytes, as many as are sent, and a name for what it holds.

    A large one is sent in ``parts``, of so many bytes, each compressed by itself: a download goes on where it stopped.
    """

    size: int
    sent: int
    parts: tuple[int, ...] = ()
    hash: str = ""

    def addresses(self, name: str) -> list[str]:
        """Return the names under which the parts are sent, and lie here.

        >>> File(5, 4, (5,)).addresses("qr.mjs"), File(5, 4, (3, 2)).addresses("more.zip")
        (['qr.mjs'], ['more.zip.0', 'more.zip.1'])
        """
        return [name] if len(self.parts) < 2 else [f"{name}.{number}" for number in range(len(self.parts))]

    def kind(self, name: str) -> str:
        """Return its media type."""
        return TYPES.get(Path(name).suffix, "application/octet-stream")


class Built(msgspec.Struct, frozen=True):
    """The result of ``make pocket``: the version of its sources, its files by name, and the revision of its database.

    ``pages`` is the version of this server's styles and scripts, which a phone loads too.
    """

    sources: str
    version: str
    files: dict[str, File]
    schema: str = ""
    pages: str = ""

    @property
    def whole(self) -> str:
        """A name for all that a phone loads: it changes with any of it."""
        return f"{self.version}-{self.pages}"

    def kinds(self) -> dict[str, str]:
        """Return the media type of whatever is sent, by its name."""
        return {part: file.kind(name) for name, file in self.files.items() for part in file.addresses(name)}

    @property
    def sent(self) -> int:
        """How many bytes there are to load."""
        return sum(file.sent for file in self.files.values())

    @property
    def megabytes(self) -> int:
        """How much there is to load, as people are told."""
        return round(self.sent / 1e6)

    @property
    def room(self) -> int:
        """How many megabytes a phone keeps of it, as people are told: its files unpacked, and what its starts take."""
        return ceil((sum(file.size for file in self.files.values()) + MEMORY) / 1e6)


@cache
def sources(package: Path, templates: Path) -> str:
    """Return a name for all of Companion that phones would run: it changes with any of its files."""
    digest = hashlib.sha256()
    for folder in (package, templates):
        for file in sorted(_files(folder, package)):
            digest.update(f"{file.relative_to(folder).as_posix()} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def _files(folder: Path, package: Path) -> Iterator[Path]:
    beside = {package / "pocket_files", package / "static", package / "templates"} - {folder}
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix != ".pyc" and not beside.intersection(file.parents):
            yield file


def read(folder: Path) -> Built | None:
    """Return what was built, of whichever Companion it is."""
    try:
        return msgspec.json.decode((folder / LIST).read_bytes(), type=Built)
    except FileNotFoundError:
        return None


def warn(app: Flask) -> None:
    """Tell whoever serves phones that what was built is of another Companion. Other commands offer nothing, and say nothing."""
    if app.config["POCKET_IS_OLD"]:
        logger.warning("Companion has changed since make pocket: phones are not offered to take it along.")


def init_app(app: Flask) -> None:
    """Let pages know whether there is something to take along."""
    built = None if app.config["POCKET"] or not app.config["SERVICE_WORKER"] else read(app.config.get("POCKET_FILES", FOLDER))
    ours = built and sources(static_files.PACKAGE, static_files.asset_folder("templates"))
    app.config["POCKET_IS_OLD"] = built is not None and built.sources != ours
    if app.config["POCKET_IS_OLD"]:
        built = None
    app.extensions["companion-pocket"] = built and msgspec.structs.replace(built, pages=app.config["STATIC_VERSION"])
    app.config["TAKE_ALONG"] = built is not None

    @app.context_processor
    def offer() -> dict[str, Any]:
        return {"to_take_along": app.extensions["companion-pocket"]}

    @app.after_request
    def allow(response: Response) -> Response:
        if request.endpoint == "static" and request.path.endswith(f"/{WORKER}"):
            response.headers["Content-Security-Policy"] = POLICY
        return response


def built() -> Built:
    """Return what this server offers; 404 if there is nothing."""
    package = current_app.extensions["companion-pocket"]
    if not isinstance(package, Built):
        abort(404)
    return package


@bp.get(f"/{LIST}")
def files() -> ResponseReturnValue:
    """List what a phone loads, with the styles and scripts of its pages."""
    package = built()
    base = url_for("pocket.file", version=package.version, name="")

    def listed(name: str, file: File) -> dict[str, Any]:
        parts = [{"url": base + part, "size": size} for part, size in zip(file.addresses(name), file.parts, strict=True)]
        return {"url": base + name, **msgspec.structs.asdict(file), "type": file.kind(name), "parts": parts}

    file_list = [listed(name, file) for name, file in package.files.items()]
    folder = Path(current_app.static_folder or "")
    return jsonify(
        version=package.whole,
        schema=package.schema,
        base=base,
        static=package.pages,
        worker=url_for("static", filename=WORKER),
        sent=package.sent,
        files=file_list,
        assets=offline.assets(folder),
    )


@bp.get("/files/<version>/<path:name>")
def file(version: str, name: str) -> ResponseReturnValue:
    """Send one of the files or a part of it, compressed as it lies there."""
    package = built()
    kind = package.kinds().get(name)
    if version != package.version or kind is None:
        abort(404)
    body = (current_app.config.get("POCKET_FILES", FOLDER) / f"{name}.br").read_bytes()
    response = Response(mimetype=kind)
    if request.accept_encodings["br"]:
        response.set_data(body)
        response.headers["Content-Encoding"] = "br"
    else:
        import brotli  # in a phone nothing is sent

        response.set_data(brotli.decompress(body))
    response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@bp.get("/")
@bp.get("/<path:_page>")
def start(_page: str = "") -> ResponseReturnValue:
    """Show the page that lets Companion on this phone answer."""
    return render_template("pocket/start.html")
