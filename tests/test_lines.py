"""Lines that fit beside each other on a screen: no formatter breaks long words and comments."""

from __future__ import annotations

from pathlib import Path

import pytest

STATIC = Path(__file__).parents[1] / "static"
LONGEST = 140
FILES = sorted((*STATIC.glob("js/*.js"), *STATIC.glob("css/*.css")))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_line_is_too_long_to_read(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    assert [number for number, line in enumerate(lines, 1) if len(line) > LONGEST] == []
