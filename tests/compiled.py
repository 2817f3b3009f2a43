"""What needs to be made ready only once for all applications that tests make, because it is the same in all of them."""

from __future__ import annotations

from typing import Any, ClassVar

from werkzeug.routing import Rule


class CompiledOnce(Rule):
    """An address that only the first application of the tests compiles: that is most of what it takes to begin."""

    made: ClassVar[dict[Any, Any]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Any:
        same = (self.rule, repr(self.defaults), append_unknown)
        if same not in self.made:
            self.made[same] = super()._compile_builder(append_unknown)
        return self.made[same]
