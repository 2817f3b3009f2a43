"""Does every line fit on a screen beside another? No formatter breaks long comments, nor a template."""

from __future__ import annotations

from pathlib import Path

TOP = Path(__file__).parents[1]
LONGEST = 140
FILES = sorted(file for each in ("static/js/*.js", "static/**/*.css", "templates/**/*.html") for file in TOP.glob(each))


def test_no_line_is_too_long_to_read() -> None:
    lines = ((file, number, line) for file in FILES for number, line in enumerate(file.read_text("utf-8").splitlines(), 1))
    assert [f"{file.relative_to(TOP)}:{number}" for file, number, line in lines if len(line) > LONGEST] == []
