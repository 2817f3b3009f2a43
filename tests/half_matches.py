"""Which matches do browsers look at? One of each game at its own table, played half."""

from __future__ import annotations

import json
from pathlib import Path

from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage import database
from companion.storage.models import Match, Player, Table, db
from tests.five import FIVE

ENGINE = Path(__file__).parent / "engine"


def sit_down() -> None:
    """Play them, in the present application. The play links are ``play-beloz`` and so on."""
    for slug in FIVE:
        record = json.loads((ENGINE / slug.replace("-", "_") / "match.json").read_text("utf-8"))
        record = record.get("record", record)
        with database.writing():
            table = Table(name="Kitchen table", play_token=f"play-{slug}", watch_token=f"watch-{slug}")
            table.players = [Player(name=name, seat=seat) for seat, name in enumerate(record["players"])]
            db.session.add(table)
            db.session.flush()
            seated = table.id
        options = {name: value for name, value in record["options"].items() if name not in ("seal", "words")}
        entries.open_match(seated, slug, record["players"], options)
        match = db.session.query(Match.id).filter_by(table_id=seated).scalar()
        for seq, event in enumerate(record["events"][: len(record["events"]) // 2]):
            happened = decode_event(GAMES[slug], {**event, **({"drawn_by": "hand"} if "drawn_by" in event else {})})
            entries.record(match, (happened,), idempotency_key=f"key-{seq}", expected_seq=seq, player=0)
