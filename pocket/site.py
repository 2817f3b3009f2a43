"""Write Companion as a folder for any file server: the home page, the rules in each language, and all of it for phones.

``make site`` runs this, after ``pocket/build.py``. The application is asked for its pages as a phone asks for them. The folder
needs no header of its server and no certain path: the one setting is ``--path``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import brotli
import msgspec
from flask import request

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from companion.app import Companion, create_app, start  # noqa: E402  # it is not installed here, so its folder comes first
from companion.games import PLUGINS  # noqa: E402  # as above
from companion.languages import languages  # noqa: E402  # as above
from companion.settings import Settings  # noqa: E402  # as above
from companion.web.delivery import offline, pocket, scripts, style_sheets  # noqa: E402  # as above
from companion.web.guard.headers import CONTENT_SECURITY_POLICY  # noqa: E402  # as above
from companion.web.language import chosen  # noqa: E402  # as above

FIRST: Final = "en"  # its pages lie at the top
BUILD: Final = ROOT / "build" / "pocket"
UNPACK: Final = BUILD / "node_modules" / "fzstd" / "esm" / "index.mjs"
PACKED: Final = BUILD / "packed"  # which takes a minute, and most files are as they were
ZSTD: Final = {zstd.CompressionParameter.compression_level: 22, zstd.CompressionParameter.window_log: 22}
PART: Final = 250_000  # bytes that are loaded at a time
OF_FILES: Final = ("static", "pocket.start", "pocket.files", "pocket.file", "install.manifest", "offline.worker")
POLICY: Final = "; ".join(
    part for part in CONTENT_SECURITY_POLICY.split("; ") if not part.startswith("frame-")
)  # a header's alone


def in_folder(code: str, endpoint: str, values: dict[str, Any]) -> str | None:
    """Return where a page lies in the folder, in this language; None for one that only a phone's Companion answers."""
    pages = {"lobby.home": "", "rules.index": "rules/"}
    if endpoint == "rules.show_book":
        pages[endpoint] = f"rules/{values['slug']}/"
    elif endpoint == "lobby.new" and values.get("game") in PLUGINS:
        pages[endpoint] = f"tables/new/{values['game']}/"
    if endpoint not in pages:
        return None
    return ("" if code == FIRST else f"{code}/") + pages[endpoint]


def packed_once(content: bytes) -> bytes:
    """Return a file as phones load it, packed now or when it was packed before."""
    file = PACKED / hashlib.sha256(content).hexdigest()
    if not file.exists():
        PACKED.mkdir(exist_ok=True)
        half = file.with_suffix(f".{os.getpid()}")
        half.write_bytes(zstd.compress(content, options=ZSTD))
        half.replace(file)
    return file.read_bytes()


class InFolder(Companion):
    """The application whose pages lie in a folder; all others' addresses are the phone's own."""

    def url_for(self, endpoint: str, **values: Any) -> str:
        """Return an address."""
        address = super().url_for(endpoint, **values)
        if endpoint in OF_FILES:
            return address
        root: str = self.config["SETTINGS"].prefix
        page = in_folder(chosen().code, endpoint, values)
        if page is None:
            return f"{root}{pocket.bp.url_prefix}{address.removeprefix(root)}"
        _, mark, place = address.partition("#")
        return f"{root}/{page}{mark}{place}"


class Site:
    """The folder, and the application that it is written from."""

    def __init__(self, out: Path, path: str, instance: Path) -> None:
        """Begin with an empty folder.

        Raises:
            StartupError: ``path`` is none.
            SystemExit: the files for phones are not there, or of another Companion.
        """
        self.out = out
        self.root = Settings.read({"COMPANION_PREFIX": path}).prefix
        settings = Settings.read({"COMPANION_INSTANCE": str(instance), "COMPANION_PREFIX": path})
        config = {"SITE": True, "SERVER_HOME": f"{self.root}/", "RATELIMIT_ENABLED": False, "WTF_CSRF_ENABLED": False}
        self.app = start(create_app(settings, config, InFolder))
        self.built = self.app.extensions["companion-pocket"]
        if self.built is None or not UNPACK.exists():
            raise SystemExit("The files for phones are missing or old. First run: make pocket")
        self.client = self.app.test_client()
        self.starts: dict[str, str] = {}  # by language: what a phone's address shows until Companion answers
        self.pages = [(code, page) for code in languages() for page in self._pages()]
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)

    def _pages(self) -> list[tuple[str, dict[str, Any]]]:
        books = [("rules.show_book", {"slug": slug}) for slug, plugin in PLUGINS.items() if plugin.book]
        tables = [("lobby.new", {"game": slug}) for slug, plugin in PLUGINS.items() if plugin.shelf is None]
        return [("lobby.home", {}), ("rules.index", {}), *books, *tables]

    def write(self) -> None:
        """Write all of it."""
        files = self._write_files()
        sizes = {name: pocket.File(size, sent, (size,), digest) for name, (size, sent, digest, _) in files.items()}
        self.app.extensions["companion-pocket"] = msgspec.structs.replace(self.built, files=sizes)
        self.app.context_processor(self._of_site)
        listing = json.loads(self._get("/pocket/files.json"))
        for file in listing["files"]:
            name = file["url"].rpartition("/")[2]
            file["parts"] = files[name][3]
        self._write_static()
        for code in languages():
            if code != FIRST:
                self.starts[code] = self._write_start(self._get("/pocket/", code))
        listing["assets"] += self.starts.values()
        self._put("pocket/files.json", json.dumps(listing | {"site": True, "unpack": self._write_unpacking()}).encode())
        for code, (endpoint, values) in self.pages:
            path = in_folder(code, endpoint, values) or ""
            self._put(f"{path}index.html", self._get(self._address(endpoint, values), code))
        starts = self._get("/pocket/")
        self._put("pocket/index.html", starts)
        self._put("pocket/with/index.html", starts)  # what a guest's phone opens, also where a host has no such page
        self._put("404.html", starts)  # a link into a phone's table: hosts show this page instead, and its script opens it
        self._put("manifest.webmanifest", self._get("/manifest.webmanifest"))
        self._put("sw.js", self._worker([*listing["assets"], *self._write_codes(listing["base"])]).encode())
        self._put(".nojekyll", b"")  # else one usual host leaves out what begins with an underscore

    def _address(self, endpoint: str, values: dict[str, Any]) -> str:
        with self.app.test_request_context(base_url=f"http://localhost{self.root}/"):
            return Companion.url_for(self.app, endpoint, **values)  # type: ignore[arg-type]

    def _of_site(self) -> dict[str, Any]:
        asked = request.endpoint or "", {**(request.view_args or {}), **request.args}

        def address(code: str) -> str | None:  # of the page that is asked for, in this language
            page = in_folder(code, *asked)
            return self.starts.get(code) if page is None else f"{self.root}/{page}"

        addresses = [(language, address(code)) for code, language in languages().items()]
        # only the home page shows the games; whoever sends a form asks the phone for a token, and not even a global of the
        # templates stands above this
        return {"site_languages": addresses, "site_policy": POLICY, "games": {}, "csrf_token": str}

    def _get(self, address: str, code: str = FIRST) -> bytes:
        answer = self.client.get(address, headers={"Accept-Language": code})
        if answer.status_code != 200:
            raise RuntimeError(f"{address}: {answer.status}")
        return answer.data

    def _put(self, path: str, content: bytes) -> None:
        file = self.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def _write_files(self) -> dict[str, tuple[int, int, str, list[dict[str, Any]]]]:
        """Write what a phone loads, packed and in parts that are called by what they hold; return sizes, hash and parts."""
        written = {}
        for name, file in self.built.files.items():
            pieces = [(pocket.FOLDER / f"{part}.br").read_bytes() for part in file.addresses(name)]
            content = b"".join(map(brotli.decompress, pieces))
            packed = packed_once(content)
            parts = []
            for place in range(0, len(packed), PART):
                part = packed[place : place + PART]
                path = f"pocket/files/{hashlib.sha256(part).hexdigest()[:16]}"
                self._put(path, part)
                parts.append({"url": f"{self.root}/{path}", "size": len(part)})
            written[name] = (file.size, len(packed), file.hash, parts)
        return written

    def _write_unpacking(self) -> str:
        """Write the script that unpacks them; return its address."""
        script = UNPACK.read_bytes()
        path = f"pocket/files/{hashlib.sha256(script).hexdigest()[:16]}.mjs"
        self._put(path, script)
        return f"{self.root}/{path}"

    def _write_start(self, page: bytes) -> str:
        """Write it in another language, to be kept with the Companion that it belongs to; return its address."""
        path = f"static/{hashlib.sha256(page).hexdigest()[:16]}.html"
        self._put(path, page)
        return f"{self.root}/{path}"

    def _write_codes(self, base: str) -> list[str]:
        """Write what draws and reads codes as guests load it, who have no Companion; return the addresses."""
        for name in offline.CODES:
            script = brotli.decompress((pocket.FOLDER / f"{name}.br").read_bytes())
            self._put(f"{base}{name}".removeprefix(f"{self.root}/"), script)
        return [f"{base}{name}" for name in offline.CODES]

    def _write_static(self) -> None:
        folder = Path(self.app.static_folder or "")
        styles = set(style_sheets.names(folder))
        with self.app.test_request_context(base_url=f"http://localhost{self.root}/"):
            for file in sorted(path for path in folder.rglob("*") if path.is_file()):
                name = file.relative_to(folder).as_posix()
                if name.startswith("screen/") or name in {offline.WORKER, offline.NO_WORKER, *offline.OF_A_SCREEN}:
                    continue  # a television needs a server
                if file.suffix == ".css" and name not in styles:
                    continue  # the server sends it as part of another sheet
                address = self.app.url_for("static", filename=name)
                self._put(address.removeprefix(f"{self.root}/"), self._get(address))

    def _worker(self, assets: list[str]) -> str:
        pages = [f"{self.root}/{in_folder(code, endpoint, values)}" for code, (endpoint, values) in self.pages]
        pages.append(f"{self.root}/pocket/")
        folder = {"version": self.app.config["STATIC_VERSION"], "assets": assets, "pages": pages, "site": True}
        script = scripts.sent(Path(self.app.static_folder or "") / offline.WORKER)
        return f"self.companion = {json.dumps(folder)};\n{script}"


def main() -> None:
    """Write the folder, and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--path", default="/", help="where the folder will lie on its host, like /companion/")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "site", help="the folder")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as instance:
        site = Site(given.out, given.path, Path(instance))
        site.write()
    files = [file for file in given.out.rglob("*") if file.is_file()]
    loaded = sum(file.stat().st_size for file in (given.out / "pocket" / "files").iterdir())
    total = sum(file.stat().st_size for file in files)
    print(f"{given.out}: {len(files)} files, {total:,} bytes; {loaded:,} of them are what a phone loads, {PART:,} at a time")


if __name__ == "__main__":
    main()
