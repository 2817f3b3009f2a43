"""Is it told in the match that is played now that somebody else has won an older one, by a correction there?"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage.models import MatchId
from tests.web.people import BelozPhone, claim, words
from tests.web.test_news import news

RECORDED = Path(__file__).parents[1] / "engine"


def recorded(game, count=None):
    """Return the events of the game's recorded match."""
    return json.loads((RECORDED / game / "match.json").read_text("utf-8"))["events"][:count]


def fish(zone, *suits):
    return {"type": "fill", "zone": zone, "fish": list(suits), "drawn_by": "hand"}


def eat(zone, player):
    return {"type": "eat", "zone": zone, "player": player}


def swum(player):
    return {"type": "swim", "player": player, "rank": 8}


def cup():
    """Return a cup in which Ana eats all but two zones, and Bo three knots at the end: 1 to 2."""
    m, s, w, v, y, k = "moons", "suns", "waves", "leaves", "wyrms", "knots"
    fed = [[m, m, m, s], [w] * 4, [w, w, w, v], [v] * 4, [v, v, y, y], [y] * 4]
    return [
        *(fish(1, s), fish(2, s, s), fish(3, s, s, s), fish(4, m, m, m, m)),
        *(event for suits in fed for event in (eat(4, 0), fish(4, *suits))),
        *(eat(3, 0), fish(3, y, k, k), eat(3, 0), fish(3, k, k, k), eat(1, 1), fish(1, k), eat(3, 1)),
    ]


ROUND = {"type": "round", "bidder": 0, "flooded": "south", "last_expedition": 0, "declarations": [], "beloz": None}
GOALS = ["4-waves-leaves", "9-waves-wyrms", "8-wyrms-knots"]  # the first is worth most
GREY = [[2, 1, 2, 1, 3, 2, 1, 4, 2, 1], [6, 4, 5, 2, 1]]  # 19 against 18: one more than was typed first

# of each game a finished match, its wrong entry, the right one, and the news: the entry by its name at the table, and who wins
MATCHES = {
    "beloz": (
        4,
        {"target": 100},
        [ROUND | {"count": {"team": 0, "points": 98}}],
        (1, ROUND | {"count": {"team": 0, "points": 40}}),
        "Match 1: Ana corrected round 1 Bo & Di win match 1 with it.",
    ),
    "beluga-cup": (
        2,
        {"cards": "untracked"},
        cup(),
        (len(cup()), eat(3, 0)),
        "Match 1: Ana corrected: Bo eats zone 3 Ana wins match 1 with it.",
    ),
    "bisque": (
        3,
        {"hands": 1},
        recorded("bisque", 12),
        (12, {"type": "reveal", "goals": [GOALS[1], GOALS[0], GOALS[2]]}),
        "Match 1: Ana corrected hand 1 Bo wins match 1 with it.",
    ),
    "rivals": (
        2,
        {},
        recorded("rivals"),
        (4, {"type": "count", "grey": GREY}),
        "Match 1: Ana corrected the count Ana wins match 1 with it.",
    ),
    "what-the-fish": (
        2,
        {},
        [swum(0), {"type": "free"}],
        (1, swum(1)),
        "Match 1: Ana corrected: Ana’s FISH 8 Bo wins match 1 with it.",
    ),
}


@pytest.fixture
def at_match():
    return BelozPhone


@pytest.fixture
def match(app, open_match, request):
    """Return the finished match of the game in question; the table plays the next one already."""
    game = request.param
    count, agreed, events, _, _ = MATCHES[game]
    older = open_match(game, ["Ana", "Bo", "Cy", "Di"][:count], **agreed)
    with app.app_context():
        for number, event in enumerate(events):
            one = (decode_event(GAMES[game], event),)
            entries.record(older, one, idempotency_key=f"entry-{number}", expected_seq=number, player=0)
        assert entries.read(older).standing.winners
    open_match("beloz", ["Ana", "Bo", "Cy", "Di"])
    return older


@pytest.fixture
def correct(app, match, request):
    """Call it to correct what was wrong, from Ana's phone."""
    game = request.node.callspec.params["match"]

    def put_right(seq=MATCHES[game][3][0], event=MATCHES[game][3][1], key="right"):
        with app.app_context():
            one = (decode_event(GAMES[game], event),)
            entries.correct(match, seq, one, idempotency_key=key, expected_seq=entries.read(match).seq, player=0)

    return put_right


def at_the_next(phone, name=None):
    phone.link = phone.link.replace("/m/1", "/m/2")
    return claim(phone, name) if name else phone


@pytest.mark.parametrize("match", MATCHES, indirect=True)
def test_phones_in_the_next_match_hear_who_wins_the_older_one(phone, other_phone, watcher, match, correct, request):
    ana, bo = at_the_next(phone, "Ana"), at_the_next(other_phone, "Bo")
    assert news(bo.open()) is None
    correct()
    page = bo.open()
    assert news(page) == (MATCHES[request.node.callspec.params["match"]][4], None)
    assert news(at_the_next(watcher).open()) == news(page)
    assert news(ana.open()) is None  # who did it knows
    # it leads to the match, where the phone may stay
    way = re.search(r'<a class="news-words" href="([^"]*)"', page.text)[1]
    assert way.endswith("/m/1?stay=2")
    assert "data-after" not in bo.get(way).text


@pytest.mark.parametrize("match", ["beloz"], indirect=True)
class TestUntilTheNextEntry:
    def test_then_the_news_are_those_of_this_match(self, phone, other_phone, match, correct):
        ana, bo = at_the_next(phone, "Ana"), at_the_next(other_phone, "Bo")
        ana.open()
        ana.play_round(98)
        told = news(bo.open())
        assert told[0] == "Ana saved round 1"
        correct(event=ROUND | {"count": {"team": 0, "points": 97}}, key="nearly")  # Ana & Cy win all the same
        assert news(bo.open()) == told
        correct()
        assert "Bo & Di win match 1 with it." in news(bo.open())[0]
        correct(event=ROUND | {"count": {"team": 0, "points": 76}}, key="too-few")
        assert "Nobody has won match 1 now." in news(bo.open())[0]
        ana.open()
        ana.play_round(98)
        assert news(bo.open())[0].startswith("Ana saved round 2")

    def test_it_is_no_news_in_a_match_that_began_afterwards(self, app, other_phone, match, correct, table):
        correct()
        with app.app_context():
            entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
            assert entries.read(MatchId(table.id, 3)).seq == 0
        other_phone.link = other_phone.link.replace("/m/1", "/m/3")
        assert "match 1" not in words(claim(other_phone, "Bo").open())
