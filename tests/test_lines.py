"""Does every line fit on a screen beside another? No formatter breaks long comments, nor a template."""

from __future__ import annotations

from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
LONGEST = 140
FILES = sorted((*TOP.glob("static/js/*.js"), *TOP.glob("static/css/**/*.css"), *TOP.glob("templates/**/*.html")))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(TOP).as_posix())
def test_no_line_is_too_long_to_read(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    assert [number for number, line in enumerate(lines, 1) if len(line) > LONGEST] == []
