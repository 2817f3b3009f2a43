from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion import engine
from tests.engine.records.tally import TALLY


@pytest.fixture(autouse=True, scope="module")
def _tally() -> Iterator[None]:
    """Add Tally, a sixth game: one line in the registry and nothing else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(engine.GAMES, TALLY.slug, TALLY)
        yield
