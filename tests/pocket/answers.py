"""What does the engine answer to a record or a look-up? Run here and in a phone, with the same questions."""

from __future__ import annotations

import hashlib
import json

from companion.engine import records

DOORS = {"replay": records.answer_replay, "verify": records.answer_verify, "legal": records.answer_legal}


def answers(questions: list[tuple[str, str]]) -> list[str]:
    """Return a name for each answer: of all that it says, or of the sentence that refuses."""
    found = []
    for door, text in questions:
        try:
            told: object = DOORS[door](text)
        except records.RecordError as refused:
            told = [refused.event, refused.field, str(refused.message)]
        found.append(hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16])
    return found
