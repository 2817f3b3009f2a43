"""Does the HTTP API give the command line's answers, and problems that say where and by which rule, and keep nothing?"""

from __future__ import annotations

import gzip
import io
import json
import logging
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from companion.cli import main
from companion.engine.beloz.cards import CARDS as ANIMALS
from companion.engine.decktet import EXTENDED
from companion.games import PLUGINS
from companion.matches import entries
from companion.storage import database
from companion.storage.models import Match
from companion.web import api
from companion.web.api import openapi
from companion.web.guard.limits import REQUEST, WORK

ENGINE_TESTS = Path(__file__).parents[1] / "engine"

MAY_I = {
    "game": "beloz",
    "flooded": "south",
    "expedition": [{"player": 0, "card": "east-leopard"}],
    "player": 1,
    "hand": ["north-lion", "south-water-snake"],
}
MATCH = {
    "format": "companion-record/1",
    "game": "beloz",
    "players": ["Ana", "Bo", "Cy", "Di"],
    "options": {},
    "events": [{"type": "passed-deal"}],
}


def round_of(points, **more):
    return {
        "type": "round",
        "bidder": 0,
        "flooded": "south",
        "count": {"team": 0, "points": points},
        "last_expedition": 0,
        "declarations": [],
        **more,
    }


def problem(response, status):
    """Return the problem that an answer carries; every one has a title, its status and a sentence."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    told = response.json
    assert told["status"] == status
    assert told["title"]
    assert re.fullmatch(r".+[.)]", told["detail"]), told["detail"]
    return told


# What there is


def test_it_lists_the_games(client):
    games = client.get("/api/v1/games").json["games"]
    assert [game["slug"] for game in games] == list(PLUGINS)
    assert games[4]["players"] == {"fewest": 2, "most": 6}
    assert [game["verifies"] for game in games] == [False, True, False, False, False, False]
    for game in games:
        assert client.get(game["data"]).json["title"] == game["title"]
    for game in games[:5]:  # the rules of a score sheet are its own
        assert client.get(game["rules"]).json["title"] == game["title"]
    assert games[5]["rules"] is None


def test_it_tells_the_cards_and_what_they_are_worth(client):
    cards = {card["id"]: card for card in client.get("/api/v1/games/beloz").json["cards"]}
    assert set(cards) == set(ANIMALS)
    assert cards["east-crocodile"]["points"] == {"dry": 2, "flooded": 20}
    assert cards["west-lion"]["strength"] == {"dry": 8, "flooded": 6}
    decktet = {card["id"]: card for card in client.get("/api/v1/games/beluga-cup").json["cards"]}
    assert set(decktet) == {card.id for card in EXTENDED}
    assert decktet["excuse"]["decks"] == ["courts"]
    soup = {card["id"]: card for card in client.get("/api/v1/games/bisque").json["cards"]}
    assert len(soup) == 36
    assert (soup["ace-moons"]["points"], soup["crown-suns"]["points"], soup["4-wyrms-knots"]["points"]) == (5, 10, 4)
    assert [card["id"] for card in client.get("/api/v1/games/rivals").json["cards"]] == [1, 2, 3, 4, 5, 6, 10, "turtle"]
    effects = {card["id"]: card for card in client.get("/api/v1/games/what-the-fish").json["cards"]}
    assert effects["communist-manifesto"]["to"] is True
    assert effects["beaver-buddha"]["target"] is False


def test_it_tells_the_options(client):
    options = {option["name"]: option for option in client.get("/api/v1/games/beluga-cup").json["options"]}
    assert options["fish_per_suit"]["default"] == 7
    assert (options["fish_per_suit"]["schema"]["minimum"], options["fish_per_suit"]["schema"]["maximum"]) == (7, 12)
    assert sorted(options["deck"]["schema"]["enum"]) == ["basic", "courts", "pawns"]


def test_it_tells_the_rulings(client):
    entries = client.get("/api/v1/games/beloz/rules").json["entries"]
    rulings = [entry["ruling"] for entry in entries if entry["ruling"]]
    assert rulings == [f"B{number}" for number in range(1, 15)]
    scoring = next(entry for entry in entries if "Scoring" in entry["cites"])
    assert scoring["href"] == "/rules/beloz#scoring"
    assert ["BeloZ and Re-BeloZ", "+20"] in scoring["figures"][0]["rows"]
    assert not re.search(r"\[\[[a-z]|\]\(#|\*\*|:[a-z-]+:", json.dumps(entries))


def test_what_is_known_already_is_not_sent_again(client):
    first = client.get("/api/v1/openapi.json")
    assert client.get("/api/v1/openapi.json", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


# What it answers


@pytest.mark.parametrize("match", sorted(ENGINE_TESTS.glob("*/match.json")), ids=lambda file: file.parent.name)
def test_a_record_stands_as_on_the_command_line(client, match):
    told = CliRunner().invoke(main, ["replay", str(match)]).stdout
    assert client.post("/api/v1/replay", data=match.read_bytes(), content_type="application/json").json == json.loads(told)


def test_a_look_up_is_answered_with_its_reason(client):
    answered = client.post("/api/v1/legal", json=MAY_I).json
    assert answered["legal"] == ["south-water-snake"]
    assert answered["duty"] == "intercept"
    assert answered["why"].startswith("You hold no East card")


def test_an_answer_tells_what_its_sentence_is_made_of(client):
    answer = client.post("/api/v1/legal", json=MAY_I)
    assert answer.json["sentences"] == {
        "why": {
            "template": "You hold no {target} card and the other team leads, so you must intercept with a flooded card, "
            "from {flooded}.",
            "parts": {
                "target": {"template": "East", "context": "plain"},
                "flooded": {"template": "South", "context": "plain"},
            },
        }
    }
    hand = {"game": "beloz", "ask": "declarations", "flooded": "south", "hand": MAY_I["hand"]}
    assert "sentences" not in client.post("/api/v1/legal", json=hand).json


def test_a_problem_tells_what_its_sentence_is_made_of(client):
    refused = problem(client.post("/api/v1/replay", json={**MATCH, "events": [round_of(1)]}), 422)
    listing = refused["sentences"]["detail"]
    assert (listing["template"], listing["joined"]) == ("", "text")
    first, near = listing["parts"].values()
    assert first == {"template": "{points} is not possible: no card is worth exactly 1.", "parts": {"points": 1}}
    assert near["parts"]["totals"] == {"template": "", "parts": {"0": 0, "1": 2}, "joined": "or"}
    same = {**MATCH, "players": ["Ana", "Ana", "Cy", "Di"]}
    assert problem(client.post("/api/v1/replay", json=same), 422)["sentences"]["detail"]["parts"] == {"name": "Ana"}


def test_the_sum_behind_a_match_is_explained(client):
    record = {**MATCH, "events": [round_of(98), {"type": "passed-deal"}, round_of(60, bidder=1)]}
    told = client.post("/api/v1/explain", json=record).json
    assert told["lines"] == [
        {"what": "Round 1: Ana took South, won", "amounts": [108, 55], "rule": "Scoring"},
        {"what": "Round 2: Bo took South, won", "amounts": [70, 93], "rule": "Scoring"},
    ]
    assert told["left_out"] == 0
    assert told["sentences"]["lines.1.what"]["parts"]["number"] == 2
    assert told["sentences"]["lines.1.what"]["parts"]["title"]["parts"]["player"] == "Bo"


def test_only_the_newest_lines_are_explained(client, monkeypatch):
    monkeypatch.setattr(api, "MOST_LINES", 2)
    record = {**MATCH, "events": [round_of(98)] * 3}
    told = client.post("/api/v1/explain", json=record).json
    assert [line["what"] for line in told["lines"]] == ["Round 2: Ana took South, won", "Round 3: Ana took South, won"]
    assert told["left_out"] == 1
    assert sorted(told["sentences"]) == ["lines.0.what", "lines.1.what"]


def test_draws_are_verified(client):
    record = json.loads((ENGINE_TESTS / "beluga_cup" / "match.json").read_bytes())
    seal = record["options"]["seal"]
    assert client.post("/api/v1/verify", json=record).json == {"verified": 43, "seal": seal}
    record["seed"] = "00" * 32
    refused = problem(client.post("/api/v1/verify", json=record), 422)
    assert refused["detail"] == "The seed is not the one that was sealed before the match."


def test_the_examples_of_its_description_are_answered(client):
    bodies = [operation for operation in openapi.OPERATIONS if operation.body]
    assert {operation.name for operation in bodies} == {"explain", "legal", "replay", "verify"}
    for operation in bodies:
        assert client.post(operation.path, json=operation.body[1]).status_code == 200


# What it refuses


REFUSED = [
    ("replay", {**MATCH, "events": [round_of(1)]}, 0, "count.points", "B14"),
    ("replay", {**MATCH, "events": [round_of(98), round_of(98, flooded="up")]}, 1, "flooded", None),
    ("replay", {**MATCH, "players": ["Ana", "Bo"]}, None, "players", None),
    ("replay", {**MATCH, "colour": 1}, None, "colour", None),
    ("replay", {**MATCH, "events": [{"type": "stop"}, {"type": "stop"}]}, 1, None, None),
    ("legal", {**MAY_I, "hand": ["north-lion", "north-lion"]}, None, "hand.1", "Playing Cards"),
    ("legal", {**MAY_I, "hand": ["east-leopard"]}, None, "hand.0", "Playing Cards"),
    ("legal", {**MAY_I, "player": 2}, None, "expedition.0.player", "B3"),
    ("legal", {"game": "chess"}, None, "game", None),
    ("verify", MATCH, None, "game", None),
]


@pytest.mark.parametrize(("verb", "document", "event", "field", "rule"), REFUSED)
def test_a_refusal_says_the_command_lines_sentence_and_where(client, verb, document, event, field, rule):
    told = CliRunner().invoke(main, [verb, "-"], input=json.dumps(document)).stdout
    refused = problem(client.post(f"/api/v1/{verb}", json=document), 422)
    assert {"event": refused["event"], "message": refused["detail"]} == json.loads(told)["error"]
    assert (refused["event"], refused.get("field"), refused.get("rule")) == (event, field, rule)
    assert refused["type"] == "/api/v1/#refused"


def test_a_refusal_leads_to_the_entry_of_its_rule(client):
    refused = problem(client.post("/api/v1/replay", json={**MATCH, "events": [round_of(1)]}), 422)
    assert refused["see"] == "/rules/beloz#b14"
    page, _, entry = refused["see"].partition("#")
    assert f'id="{entry}"' in client.get(page).text


@pytest.mark.parametrize("verb", ["replay", "explain"])
def test_a_refusal_may_stand_before_half_a_character(client, verb):
    document = json.dumps({**MATCH, "events": [round_of(1), {"type": "\ud800"}]})
    refused = problem(client.post(f"/api/v1/{verb}", data=document, content_type="application/json"), 422)
    assert (refused["event"], refused["rule"]) == (0, "B14")


@pytest.mark.parametrize("text", ["", "{", "nonsense", "[1,", '{"a":1}{', "\x00", '{"game":"beloz"} x'])
def test_what_is_no_json_is_400(client, text):
    told = CliRunner().invoke(main, ["replay", "-"], input=text).stdout
    refused = problem(client.post("/api/v1/replay", data=text, content_type="application/json"), 400)
    assert refused["type"] == "/api/v1/#unreadable"
    assert refused["detail"] == json.loads(told.splitlines()[0])["error"]["message"]


def test_only_json_is_read(client):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None):
        assert (
            "application/json"
            in problem(client.post("/api/v1/legal", data=json.dumps(MAY_I), content_type=kind), 415)["detail"]
        )
    packed = gzip.compress(json.dumps(MAY_I).encode())
    problem(
        client.post("/api/v1/legal", data=packed, content_type="application/json", headers={"Content-Encoding": "gzip"}), 415
    )
    assert (
        client.post("/api/v1/legal", data=json.dumps(MAY_I), content_type="application/json; charset=utf-8").status_code == 200
    )


def test_a_record_can_have_four_mebibytes_and_no_more(client):
    room = 4 * 2**20
    record = json.dumps({**MATCH, "events": [round_of(98)]}).encode()
    response = client.post("/api/v1/replay", data=record + b" " * (room - len(record)), content_type="application/json")
    assert response.json["scores"] == [108, 55]
    too_large = problem(
        client.post("/api/v1/replay", data=record + b" " * (room + 1 - len(record)), content_type="application/json"), 413
    )
    assert too_large["detail"] == "The document is larger than 4 MiB, the most that a record can be."


def test_a_body_in_chunks_is_limited_too(client):
    def sent(body):
        chunked = {"wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
        stream = {"input_stream": io.BytesIO(body), "environ_overrides": chunked}
        return client.post("/api/v1/legal", content_type="application/json", **stream)

    look_up = json.dumps(MAY_I).encode()
    assert sent(look_up).status_code == 200
    assert sent(look_up.ljust(2**16)).status_code == 200
    problem(sent(look_up.ljust(2**16 + 1)), 413)
    problem(sent(look_up.ljust(2**18)), 413)


def test_a_look_up_can_have_sixty_four_kibibytes_and_forms_still_too(client):
    look_up = json.dumps(MAY_I).encode()
    assert client.post("/api/v1/legal", data=look_up.ljust(2**16), content_type="application/json").status_code == 200
    problem(client.post("/api/v1/legal", data=look_up.ljust(2**16 + 1), content_type="application/json"), 413)
    assert client.post("/join", data={"code": "x" * 2**17}).status_code == 413


@pytest.mark.parametrize("verb", ["replay", "explain"])
def test_others_have_turns_while_a_long_record_is_replayed(client, verb, monkeypatch):
    turns = []
    monkeypatch.setattr("companion.web.api.breathe", lambda: turns.append(1))
    columns = [{"id": f"c{n}", "name": "Points", "kind": "whole", "optional": True} for n in range(40)]
    sheet = {"format": "companion-sheet/1", "name": "Sevens", "players": [2, 12], "shape": "rounds", "columns": columns}
    rows = [{"type": "row", "cells": [{}] * 12}] * 1_000
    players = [f"P{n}" for n in range(12)]
    record = {"format": "companion-record/1", "game": "sheet", "players": players, "options": {"sheet": sheet}, "events": rows}
    assert client.post(f"/api/v1/{verb}", json=record).status_code == 200
    assert len(turns) > 1


def test_what_is_not_there_is_a_problem_too(client):
    assert "/api/v1/openapi.json" in problem(client.get("/api/v1/fish"), 404)["detail"]
    problem(client.get("/api/v2/games"), 404)
    assert "chess" in problem(client.get("/api/v1/games/chess"), 404)["detail"]
    problem(client.get("/api/v1/games/chess/rules"), 404)


def test_a_wrong_method_is_told_the_right_one(client):
    refused = client.get("/api/v1/legal")
    assert problem(refused, 405)["detail"] == "This address takes POST, not GET."
    assert refused.headers["Allow"] == "OPTIONS, POST"
    assert problem(client.delete("/api/v1/games"), 405)["detail"] == "This address takes GET, not DELETE."


def test_our_own_mistake_is_a_problem_too(app, client, monkeypatch):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.testing = False
    monkeypatch.setattr("companion.web.api.records.decode_question", lambda data: 1 // 0)
    assert problem(client.post("/api/v1/legal", json=MAY_I), 500)["title"] == "Internal Server Error"


class TestHowOften:
    @pytest.fixture
    def settings(self):
        return {"RATELIMIT_ENABLED": True}

    def test_too_much_in_a_short_time_is_told_how_long_to_wait(self, app, client):
        app.extensions["companion-limits"].hit(WORK, "127.0.0.1", cost=WORK.amount - 1)
        assert client.post("/api/v1/legal", json=MAY_I).status_code == 200
        refused = client.post("/api/v1/legal", json=MAY_I)
        seconds = refused.headers["Retry-After"]
        assert problem(refused, 429)["detail"] == f"Too many requests in a short time. Wait {seconds} seconds, then try again."
        assert 50 <= int(seconds) <= 60
        other = client.post("/api/v1/legal", json=MAY_I, environ_base={"REMOTE_ADDR": "10.0.0.2"})
        assert other.status_code == 200

    def test_what_takes_long_is_charged(self, app, client):
        client.post("/api/v1/replay", json={**MATCH, "events": [{"type": "passed-deal"}] * 20_000})
        counters = app.extensions["companion-limits"]
        assert counters.allows(WORK, "127.0.0.1")
        assert not counters.allows(WORK, "127.0.0.1", cost=WORK.amount - REQUEST - 15)


# What it keeps


def test_no_cookie_is_read_or_set_and_no_token_is_asked(app, client):
    app.config["WTF_CSRF_ENABLED"] = True
    client.set_cookie("companion", "nonsense")
    for response in (client.get("/api/v1/games"), client.post("/api/v1/legal", json=MAY_I), client.get("/api/v1/legal")):
        assert "Set-Cookie" not in response.headers
        assert "Cookie" not in response.headers.get("Vary", "")
    assert client.post("/api/v1/legal", json=MAY_I).status_code == 200


def test_a_hand_is_neither_logged_nor_stored(client, caplog):
    caplog.set_level(logging.DEBUG)
    client.post("/api/v1/legal", json=MAY_I)
    client.post("/api/v1/legal", json={**MAY_I, "hand": ["north-lion", "south-water-snake", "south-water-snake"]})
    assert "water-snake" not in caplog.text


# A table's own match


@pytest.fixture
def match(app, table):
    with app.app_context():
        entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"], {})
    return table


def link(token):
    return {"Authorization": f"Bearer {token}"}


def test_a_match_is_read_as_a_record_by_either_link(client, match):
    saved = client.get(f"/t/{match.play}/m/1/record.json").json
    assert saved == {**MATCH, "options": {"target": 1000, "tied_declarations": "none-count"}, "events": []}
    for token in (match.play, match.watch):
        assert client.get("/api/v1/matches/1/record", headers=link(token)).json == saved
    assert client.post("/api/v1/replay", json=saved).json["scores"] == [0, 0]


def test_without_the_tables_link_there_is_no_record(client, match):
    for headers in ({}, link("another-link"), link(""), link("x' or 1=1"), {"Authorization": f"Basic {match.play}"}):
        refused = client.get("/api/v1/matches/1/record", headers=headers)
        problem(refused, 401)
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_match_that_is_not_there_is_told(client, match):
    assert "number 2" in problem(client.get("/api/v1/matches/2/record", headers=link(match.play)), 404)["detail"]
    problem(client.get("/api/v1/matches/99999999999999999999/record", headers=link(match.play)), 404)


def test_a_match_of_a_game_that_is_not_known_here_is_told(app, client, match):
    with app.app_context(), database.writing() as connection:
        connection.execute(update(Match).values(game="whist"))
    told = problem(client.get("/api/v1/matches/1/record", headers=link(match.play)), 404)
    assert told["detail"] == "This match is a game of “whist”, which this Companion does not know."


def test_the_tables_link_is_in_no_log(client, match, caplog):
    caplog.set_level(logging.DEBUG)
    client.get("/api/v1/matches/1/record", headers=link(match.play))
    client.get("/api/v1/matches/2/record", headers=link(match.play))
    assert match.play not in caplog.text


# Its description


def test_the_description_names_every_address_and_no_other(app):
    described = {
        (method.upper(), path.replace("{", "<").replace("}", ">"))
        for path, each in openapi.document()["paths"].items()
        for method in each
    }
    there = {
        (method, re.sub(r"<[^<>:]+:(\w+)>", r"<\1>", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.") and rule.endpoint not in ("api.page", "api.description")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert described == there


def test_every_reference_of_the_description_leads_somewhere():
    text = json.dumps(openapi.document())
    document = json.loads(text)
    for reference in set(re.findall(r'"#/([^"]+)"', text)):
        part = document
        for step in reference.split("/"):
            part = part[step]
        assert part


def test_every_schema_is_in_use():
    document = openapi.document()
    schemas = document["components"]["schemas"]
    seen = set()

    def follow(part):
        for name in re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(part)):
            if name not in seen:
                seen.add(name)
                follow(schemas[name])

    follow(document["paths"])
    follow(document["components"]["responses"])
    assert set(schemas) == seen


# The page about it


def test_the_page_tells_everything_that_the_description_does(client):
    page = client.get("/api/v1/").text
    document = client.get("/api/v1/openapi.json").json
    for path, methods in document["paths"].items():
        assert f"<code>{path}</code>" in page
        for operation in methods.values():
            assert f'id="{operation["operationId"]}"' in page
    for name, schema in document["components"]["schemas"].items():
        assert f'id="schema-{name}"' in page
        for part in schema.get("properties", {}):
            assert f"<code>{part}</code>" in page


def test_every_link_of_the_page_leads_somewhere(client):
    page = client.get("/api/v1/").text
    ids = set(re.findall(r'id="([^"]+)"', page))
    anchors = set(re.findall(r'href="#([^"]+)"', page))
    assert len(anchors) > 60
    assert anchors <= ids
    assert "/api/v1/openapi.json" in page
    assert client.get("/api/v1").headers["Location"].endswith("/api/v1/")


def test_the_page_is_english_on_every_phone(client):
    """Its document has no other language: a reader of French aloud would make a riddle of it."""
    client.set_cookie("language", "fr")
    assert '<html lang="fr"' in client.get("/rules/").text
    page = client.get("/api/v1/").text
    assert '<html lang="en"' in page
    assert "Aller" not in page
    assert '<html lang="fr"' in client.get("/rules/").text  # it holds for that page alone


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("beloz.Count", "whole number 0 to 999"),
        ("beloz.Round", "beloz.StraightFlush"),
        ("beluga-cup.BelugaCupOptions", "left out: &#34;basic&#34;"),
        ("bisque.Trick", "list of 3 text up to 40 characters"),
        ("rivals.LegalPlays", "&#34;turtle&#34;"),
    ],
)
def test_the_page_says_in_words_what_a_part_can_be(client, part, words):
    page = client.get("/api/v1/").text
    article = page.split(f'id="schema-{part}"')[1].split("</article>")[0]
    assert words in re.sub(r"<[^>]+>", "", article)
