"""Which matches do the almanac's tests speak of? The records that the engine's tests work out by hand, and short ones."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.almanac.facts import Facts, Round
from companion.almanac.played import Played
from companion.engine import GAMES
from companion.engine.core import start
from companion.engine.records import decode_event, decode_options
from companion.matches.log import Log, Written
from companion.storage.models import MatchId

ENGINE = Path(__file__).resolve().parents[1] / "engine"
HOUR = 3600


@pytest.fixture
def log_of():
    """Call it for the log of the record in a folder of the engine's tests: an entry an event, ten minutes apart from 20:00."""

    def entered(folder, begins=datetime(2026, 11, 17, 20, 0), apart=timedelta(minutes=10), events=None):
        record = json.loads((ENGINE / folder / "match.json").read_text("utf-8"))
        game = GAMES[record["game"]]
        log = Log(MatchId(1, 1), start(game, record["players"], decode_options(game, record["options"])))
        for seq, event in enumerate(record["events"][:events], start=1):
            line = Written(seq, f"k{seq}", 0, begins + (seq - 1) * apart, "events", events=(decode_event(game, event),))
            log = log.add(line)
        return log

    return entered


def match(
    number=1,
    players="Ana Bo",
    scores=(10, 5),
    winners=None,
    rounds=(),
    at=0,
    game="rounds",
    low=False,
    stopped=False,
    tallies=None,
    begun=None,
    sheet="",
):
    """Return a match: ``rounds`` hold what each brought, ``begun`` and ``at`` are the hours at which it began and ended.

    ``sheet`` is the name of its score sheet.
    """
    names = tuple(players.split())
    best = min(scores) if low else max(scores)
    won = tuple(side for side, score in enumerate(scores) if score == best) if winners is None else winners
    totals = [0] * len(scores)
    played = []
    for place, gained in enumerate(rounds):
        totals = [total + more for total, more in zip(totals, gained, strict=True)]
        played.append(Round(place + 1, at * HOUR - (len(rounds) - place) * 600, tuple(gained), tuple(totals)))
    begins = at if begun is None else begun
    facts = Facts(
        len(scores),
        True,
        stopped,
        () if stopped else won,
        tuple(scores),
        tuple(played),
        ((round(begins * HOUR), round(at * HOUR)),),
        tallies or {},
        low,
        sheet,
    )
    return Played(number, game, sheet or game.title(), names, facts)
