"""What does the engine answer to every recorded match, as it stands after each of its events? Run here and in a phone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from companion.engine import records


def answers(folder: Path) -> dict[str, list[str]]:
    """Return a name for each answer, by record: the replay of its first events, one more each time, and the proof."""
    found = {}
    for file in sorted(folder.glob("*/match.json")):
        record = json.loads(file.read_text("utf-8"))
        parts = [{**record, "events": record["events"][:upto]} for upto in range(len(record["events"]) + 1)]
        told = [records.answer_replay(json.dumps({**part, "seed": None} if "seed" in part else part)) for part in parts]
        if "seed" in record:
            told.append(records.answer_verify(json.dumps(record)))
        texts = [json.dumps(each, sort_keys=True, default=str) for each in told]
        found[file.parent.name] = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in texts]
    return found
