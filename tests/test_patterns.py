"""Is what Companion looks for in texts the same on every Python that it runs on?"""

from __future__ import annotations

import re
import tokenize
from pathlib import Path

import pytest

COMPANION = Path(__file__).parents[1] / "companion"

# Python 3.11.2, which Debian 12 has, goes on behind a part of such a group that did not match as a whole, if another
# group is in it: re.match("(?:(a+):)?+(a+)", "a") is None there
WITHOUT_WAY_BACK = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+|\(\?>")


@pytest.mark.parametrize("pattern", ["(?:ab?c)?+", "(a|b)*+", "(a)++", "(?:ab){2,3}+", "(?>a|b)"])
def test_such_groups_are_seen(pattern: str) -> None:
    assert WITHOUT_WAY_BACK.search(pattern)


def test_no_group_is_repeated_without_a_way_back() -> None:
    groups = []
    for file in sorted(COMPANION.rglob("*.py")):
        with tokenize.open(file) as lines:
            if WITHOUT_WAY_BACK.search(lines.read()) is None:
                continue  # to take it apart takes long
            lines.seek(0)
            texts = [token.string for token in tokenize.generate_tokens(lines.readline) if token.type == tokenize.STRING]
        groups += [(file, text) for text in texts if WITHOUT_WAY_BACK.search(text)]
    assert groups == []
