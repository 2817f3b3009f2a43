"""What is made ready only once for all applications that tests make, because it is the same in all of them?"""

from __future__ import annotations

from types import CodeType
from typing import Any, ClassVar

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
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
