"""What is made ready only once for all applications that tests make, because it is the same in all of them?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import CodeType
from typing import Any, ClassVar

import pytest
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from qrcode import QRCode
from sqlalchemy import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule

from companion import languages
from companion.languages.catalogue import Catalogue
from companion.storage import database
from companion.web.delivery import static_files

SYNCHRONOUS = database.SYNCHRONOUS  # as it is without tests


class CompiledOnce(Rule):
    """An address that only the first application of the tests reads and compiles: that is most of what it takes to begin."""

    made: ClassVar[dict[Any, Any]] = {}
    read: ClassVar[dict[Any, Any]] = {}

    def compile(self) -> None:
        """Read the address, unless one like it was read before."""
        same = (self.rule, repr(self.defaults), self.subdomain, self.merge_slashes)
        if same in self.read:
            vars(self).update(self.read[same])
            self._build = self._compile_builder(False).__get__(self, None)
            self._build_unknown = self._compile_builder(True).__get__(self, None)
            return
        super().compile()
        self.read[same] = {name: vars(self)[name] for name in ("_parts", "_trace", "_converters", "arguments")}

    def _compile_builder(self, append_unknown: bool = True) -> Any:
        same = (self.rule, repr(self.defaults), append_unknown)
        if same not in self.made:
            self.made[same] = super()._compile_builder(append_unknown)
        return self.made[same]


class ReadOnce(FileSystemBytecodeCache):
    """Compiled templates, of which each is read from its file only once: every application of the tests loads them anew."""

    read: ClassVar[dict[tuple[str, str], CodeType]] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Find a template's code."""
        same = (bucket.key, bucket.checksum)
        if same in self.read:
            bucket.code = self.read[same]
            return
        super().load_bytecode(bucket)
        if bucket.code is not None:
            self.read[same] = bucket.code


def versions_once(patch: pytest.MonkeyPatch) -> None:
    """Read Companion's own static files once, to name their version: no test changes them."""
    version_of, own, named = static_files.version_of, static_files.asset_folder("static"), {}

    def version_once(colours: str, folders: Iterable[Path]) -> str:
        same = (colours, *folders)
        if set(same) != {colours, own}:
            return version_of(colours, same[1:])
        if same not in named:
            named[same] = version_of(colours, same[1:])
        return named[same]

    patch.setattr(static_files, "version_of", version_once)


def catalogues_once(patch: pytest.MonkeyPatch) -> None:
    """Read each catalogue once, however often tests forget the languages."""
    read, known = languages.read, dict[Any, Catalogue]()

    def read_once(files: Iterable[Path]) -> Catalogue:
        files = list(files)
        same = tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files)
        if same not in known:
            known[same] = read(files)
        return known[same]

    patch.setattr(languages, "read", read_once)


def statements_once(patch: pytest.MonkeyPatch) -> None:
    """Let all databases of one kind share their compiled statements: each application of the tests has an engine of its own."""
    shared: LRUCache[Any, Any] = LRUCache(2_000)
    patch.setattr(Engine, "_compiled_cache", property(lambda _: shared, lambda *_: None), raising=False)
    # a compiled statement is found by its dialect; those of one kind are configured alike here
    patch.setattr(DefaultDialect, "__eq__", lambda one, other: type(one) is type(other), raising=False)
    patch.setattr(DefaultDialect, "__hash__", lambda one: hash(type(one)), raising=False)


def no_disk(patch: pytest.MonkeyPatch) -> None:
    """Let SQLite wait for no disk: what is written is there for every program, unless the computer itself loses power."""
    patch.setattr(database, "SYNCHRONOUS", "OFF")


def first_mask(patch: pytest.MonkeyPatch) -> None:
    """Draw each QR code with the first of eight masks. Any can be scanned; to compare them all is most of the work."""
    patch.setattr(QRCode, "best_mask_pattern", lambda _: 0)
