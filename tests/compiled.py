"""What is made ready only once for all applications that tests make, because it is the same in all of them?"""

from __future__ import annotations

from types import CodeType
from typing import Any, ClassVar

import pytest
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule


class CompiledOnce(Rule):
    """An address that only the first application of the tests compiles: that is most of what it takes to begin."""

    made: ClassVar[dict[Any, Any]] = {}

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


def statements_once(patch: pytest.MonkeyPatch) -> None:
    """Let all databases of one kind share their compiled statements: each application of the tests has an engine of its own."""
    shared: LRUCache[Any, Any] = LRUCache(2_000)
    patch.setattr(Engine, "_compiled_cache", property(lambda _: shared, lambda *_: None), raising=False)
    # a compiled statement is found by its dialect; those of one kind are configured alike here
    patch.setattr(DefaultDialect, "__eq__", lambda one, other: type(one) is type(other), raising=False)
    patch.setattr(DefaultDialect, "__hash__", lambda one: hash(type(one)), raising=False)
