"""Is every ruling cited where the engine relies on it, so that nobody has to guess why a line is as it is?"""

from __future__ import annotations

import re
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[2] / "companion" / "engine"
RULINGS = (
    "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B14 "  # BeloZ
    "U1 U2 U3 U4 U5 U6 U7 U8 U9 U10 U11 U12 U13 "  # Beluga Cup
    "Q1 Q2 Q3 Q4 Q5 Q6 "  # Bisque
    "V1 V2 V3 V4 V5 V6 V7 V8 "  # Rivals
    "W1 W2 W3 W4 W5 W6 W7"  # What the Fish!
)
CITED = {code for file in ENGINE.rglob("*.py") for code in re.findall(r"\b[BUQVW]\d{1,2}\b", file.read_text(encoding="utf-8"))}


def test_every_ruling_is_cited_and_no_other() -> None:
    assert set(RULINGS.split()) == CITED
