"""What is made ready only once for all applications that tests make, because it is the same in all of them?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import CodeType
from typing import Any, ClassVar

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from qrcode import QRCode
from sqlalchemy import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache
from werkzeug.routing import Map, RuleFactory
from werkzeug.routing.matcher import StateMachineMatcher

from companion import app as application
from companion import languages
from companion.app import Companion
from companion.languages.catalogue import Catalogue
from companion.storage import database
from companion.web.delivery import static_files

SYNCHRONOUS = database.SYNCHRONOUS  # as it is without tests


class Addresses(Map):
    """The addresses of an application, which takes over those of the first as long as it adds no other."""

    shared = False

    def add(self, rulefactory: RuleFactory) -> None:
        """Add an address, which no other application has."""
        if self.shared:
            self.shared, self._matcher = False, StateMachineMatcher(self.merge_slashes)
            for rule in self._rules:
                self._matcher.add(rule)
        super().add(rulefactory)

    def take(self, first: Addresses) -> None:
        """Have the same addresses as the first application."""
        first.update()
        first.shared = self.shared = True
        self._matcher, self._remap = first._matcher, False
        self._rules_by_endpoint = {endpoint: [*rules] for endpoint, rules in first._rules_by_endpoint.items()}


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


FUNCTIONS = (
    "before_request_funcs",
    "after_request_funcs",
    "teardown_request_funcs",
    "template_context_processors",
    "url_value_preprocessors",
    "url_default_functions",
)


def blueprints_once(patch: pytest.MonkeyPatch) -> None:
    """Register the blueprints with the first application: the others take over what they added there."""
    register, added = application.add_blueprints, dict[str, Any]()

    def once(app: Flask) -> None:
        words = {"globals": app.jinja_env.globals, "filters": app.jinja_env.filters}
        if not added:
            of_all = {name: len(getattr(app, name)[None]) for name in FUNCTIONS}
            known = {name: {*of_kind} for name, of_kind in words.items()}
            register(app)
            added["map"], added["views"], added["blueprints"] = Addresses(), {**app.view_functions}, {**app.blueprints}
            added["map"].take(app.url_map)
            for name in FUNCTIONS:
                each = getattr(app, name)
                added[name] = {key: each[key][0 if key else of_all[name] :] for key in each}
            for name, of_kind in words.items():
                added[name] = {word: of_kind[word] for word in of_kind if word not in known[name]}
            added["errors"] = {name: spec for name, spec in app.error_handler_spec.items() if name}
            return
        app.url_map.take(added["map"])  # type: ignore[attr-defined]
        app.view_functions = {**added["views"], **app.view_functions}
        app.blueprints.update(added["blueprints"])
        for name in FUNCTIONS:
            for key, functions in added[name].items():
                getattr(app, name)[key] += functions
        for name, of_kind in words.items():
            of_kind.update(added[name])
        app.error_handler_spec.update(added["errors"])

    patch.setattr(Companion, "url_map_class", Addresses)
    patch.setattr(application, "add_blueprints", once)


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
