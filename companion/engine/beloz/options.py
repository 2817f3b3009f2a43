"""What do the players of BeloZ agree on before a match?"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.engine.core import Options

TiedDeclarations = Literal["none-count", "next-highest"]


class BelozOptions(Options, frozen=True):
    """The score that ends a match (ruling B13), and what happens when two highest declarations are equal (ruling B7)."""

    target: Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)] = 1000
    tied_declarations: TiedDeclarations = "none-count"
