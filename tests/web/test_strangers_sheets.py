"""What can a stranger's sheet do? It is refused with a sentence, or it is letters on a page; and nobody waits for it."""

from __future__ import annotations

import gzip
import json
import re
import time
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from html import unescape
from io import BytesIO
from typing import Any

import pytest

from companion.engine.core import RuleError, start
from companion.engine.records import answer_replay, decode_event
from companion.engine.sheet.match import GAME, SheetOptions
from companion.engine.sheet.unfinished import mends
from companion.sheets.passing import received, text_of
from companion.web.shelves import LARGEST_FILE
from tests.web.forms_on_a_page import PageReader
from tests.web.people import Phone, says
from tests.web.test_every_game import Example, addresses, sit_down
from tests.web.test_sheets import hidden

MARKUP = '"><img src=x onerror=alert(1)>'
FORMULA = "=HYPERLINK(1)"
SECONDS = 1.0  # of the processor, on the slowest machine: people see no wait
POINTS = {"id": "points", "name": "Points", "kind": "whole"}


def document(**parts: Any) -> dict[str, Any]:
    """Return a sheet's document with these parts."""
    plain = {"format": "companion-sheet/1", "name": "Sevens", "players": [2, 12], "shape": "rounds", "columns": [POINTS]}
    return {**plain, **parts}


def packed(data: bytes, level: int = 9) -> str:
    """Return bytes as the text of a link holds a sheet."""
    return urlsafe_b64encode(zlib.compress(data, level)).decode().rstrip("=")


def link(**parts: Any) -> str:
    return packed(json.dumps(document(**parts)).encode())


def written(before: str, after: str, **parts: Any) -> str:
    """Return the text of a link to a sheet in whose JSON something stands that no value of Python becomes."""
    return packed(json.dumps(document(**parts)).encode().replace(before.encode(), after.encode()))


GOOD = link()
LONG = "*".join(["999999999999"] * 30)
MANY = [{**POINTS, "id": f"c{n}"} for n in range(41)]
# each with a part of the sentence that refuses it; bombs are made only where they go off
ATTACKS: dict[str, tuple[str | Callable[[], str], str]] = {
    "empty": ("", "not whole"),
    "no letters of a link": ("é" * 50, "not whole"),
    "letters that are none": ("!!!" + GOOD, "not whole"),
    "a letter too few": (GOOD[:-1], "not whole"),
    "more behind it": (packed(json.dumps(document()).encode()) + "AAAA", "not whole"),
    "half": (GOOD[: len(GOOD) // 2], "not whole"),
    "a letter changed": (GOOD[:20] + ("A" if GOOD[20] != "A" else "B") + GOOD[21:], "not whole"),
    "compressed otherwise": (
        urlsafe_b64encode(gzip.compress(json.dumps(document()).encode())).decode().rstrip("="),
        "not whole",
    ),
    "not compressed": (urlsafe_b64encode(json.dumps(document()).encode()).decode(), "not whole"),
    "a bomb": (lambda: packed(b"0" * 50_000_000), "too large"),
    "a bomb in a bomb": (lambda: packed(zlib.compress(b"0" * 50_000_000)), "not UTF-8"),
    "a bomb of spaces": (lambda: packed(b" " * 50_000_000 + json.dumps(document()).encode()), "too large"),
    "a bomb of names": (packed(b'{"name": "' + b"x" * 60_000 + b'"}'), "name"),
    "very long": ("A" * 5_000_000, "not whole"),
    "deep": (packed(b"[" * 60_000), "nested too deep"),
    "deep objects": (packed(b'{"columns":' * 5_000 + b"1" + b"}" * 5_000), "nested too deep"),
    "deep names": (packed(b'{"a":' * 9_000 + b"1" + b"}" * 9_000), "nested too deep"),
    "10,000 digits": (
        packed(b'{"format": "companion-sheet/1", "sum": ' + b"9" * 10_000 + b"}"),
        "sum: A number has more than 30 digits",
    ),
    "10,000 digits to count": (link(columns=[{**POINTS, "most": "9" * 10_000}]), "most"),
    "a number of 10,000 figures in a formula": (link(score="9" * 480), "12 digits"),
    "an exponent": (packed(json.dumps(document()).encode().replace(b"12]", b"1e999]")), "players"),
    "an exponent of a bound": (written("77", "1e400", columns=[{**POINTS, "most": 77}]), "columns 1, most"),
    "no number": (written("77", "NaN", sum=77), "JSON"),
    "endless": (written("77", "-Infinity", sum=77), "JSON"),
    "an end that grows": (link(ends={"rounds": f"players*{LONG}"}), "ends, rounds: This comes to more than 12 digits"),
    "an end before the beginning": (link(ends={"rounds": "1 - players"}), "ends, rounds: −1 is too few: 0 is the least"),
    "a deal that grows": (link(dealer="left", deals=f"players*{LONG}"), "deals: This comes to more than 12 digits"),
    "a formula that is too long": (link(score="points+" * 100 + "points"), "500"),
    "a formula of too many parts": (link(columns=[{**POINTS, "id": "a"}], score="+".join("a" * 240)), "200"),
    "a formula that is too deep": (link(score="(" * 240 + "points" + ")" * 240), "40 deep"),
    "formulas that are too many": (
        link(columns=[{**POINTS, "id": f"c{n}", "most": "round + " * 50 + "1"} for n in range(40)], score="round+" * 80 + "1"),
        "columns: All formulas of a sheet have at most 16,000 characters together. These have 16,521",
    ),
    "a formula that calls itself": (link(columns=[{**POINTS, "most": "points"}]), "columns 1, most"),
    "formulas in a circle": (
        link(columns=[{**POINTS, "id": "a", "most": "b"}, {**POINTS, "id": "b", "most": "a"}]),
        "columns 1, most",
    ),
    "code": (link(score="__import__('os').system('true')"), "means nothing"),
    "code by its name": (link(score="points.real"), "means nothing"),
    "code in a sentence": (link(checks=[{"that": "1", "say": "{points.__class__}"}]), "checks 1, say"),
    "a power": (link(score="9**9**9**9"), "score"),
    "nothing to divide by": (link(score="1 // points"), "divide by zero"),
    "two columns of one id": (link(columns=[POINTS, POINTS]), "columns 2, id"),
    "one key twice": (
        packed(json.dumps(document()).encode()[:-1] + b', "name": "A", "name": "B"}'),
        "Line 16, name: The name “name” is given twice",
    ),
    "a key that is none": (link(wish=1), "wish"),
    "a column of a house that is none": (
        link(columns=[{**POINTS, "only": "moon"}]),
        "columns 1, only: This sheet asks nothing",
    ),
    "too many columns": (link(columns=MANY), "columns"),
    "too many checks": (link(checks=[{"that": "1", "say": "No."}] * 11), "checks: a list of at most 10"),
    "too many points": (link(columns=[{**POINTS, "kind": "table", "points": [1] * 102}]), "points: a list of at most 101"),
    "too many choices": (
        link(columns=[{**POINTS, "kind": "choice", "choices": [{"id": f"c{n}", "name": "x"} for n in range(21)]}]),
        "choices: a list of at most 20",
    ),
    "two answers of one number": (
        link(asks=[{"id": "house", "question": "?", "answers": [{"name": name, "value": 7} for name in "ab"]}]),
        "asks 1, answers: “7” is there twice",
    ),
    "too many players": (link(players=[2, 10**6]), "players"),
    "nobody": (link(players=[0, 0]), "players"),
    "an endless name": (link(name="x" * 61), "name"),
    "nothing to see": (link(name="\u200b\u2060"), "invisible"),
    "nothing but a filler": (link(name="\u3164 \u2800"), "invisible"),
    "a mark within a name": (link(columns=[{**POINTS, "name": "Po\u200bints"}]), "columns 1, name"),
    "a mark in a question": (
        link(asks=[{"id": "house", "question": "\u200f?", "answers": [{"name": "a", "value": n} for n in (0, 1)]}]),
        "asks 1, question",
    ),
    "letters that are tags": (link(checks=[{"that": "1", "say": "\U000e0041"}]), "checks 1, say"),
    "turned round": (link(name="\u202eevil"), "invisible"),
    "a line break": (link(name="Sevens\nEights"), "invisible"),
    "half a letter": (packed(json.dumps(document(name="\ud800")).encode()), "Half of a character"),
    "null": (link(name="a\u0000"), "invisible"),
    "no maker": (link(by=" "), "by"),
    "an edition that is none": (link(edition=10**6), "edition"),
    "of a later Companion": (link(format="companion-sheet/9"), "A newer Companion made this sheet"),
    "null alone": (packed(b"null"), "An object is needed"),
}


@pytest.mark.parametrize(("attack", "words"), ATTACKS.values(), ids=ATTACKS)
def test_it_is_refused_at_once_with_a_sentence(attack: str | Callable[[], str], words: str) -> None:
    text = attack if isinstance(attack, str) else attack()
    since = time.process_time()
    with pytest.raises(RuleError, match=f"(?i){re.escape(words)}"):
        received(text)
    assert time.process_time() - since < SECONDS


@pytest.mark.sqlite
def test_no_door_opens_for_it(app):
    phone = Phone(app)
    record = {"format": "companion-record/1", "game": "sheet", "players": ["Ana", "Bo"], "options": {"sheet": 0}, "events": []}
    answers = {}
    for name, (attack, words) in ATTACKS.items():
        if not isinstance(attack, str) or len(attack) > LARGEST_FILE:
            continue  # a bomb, which :func:`received` defuses before any door
        answers[f"{name}: link"] = phone.get("/more/own", s=attack)
        if words == "not whole":
            continue  # what is in it may be a sheet
        data = zlib.decompress(urlsafe_b64decode(attack + "=" * (-len(attack) % 4)))
        replayed = json.dumps(record).encode().replace(b"0}", data + b"}")
        answers[f"{name}: API"] = phone.client.post("/api/v1/replay", data=replayed, content_type="application/json")
        answers[f"{name}: file"] = phone.client.post("/more/own", data={"file": (BytesIO(data), "sheet.json")})
    assert len(answers) > 150
    taken = [name for name, answer in answers.items() if answer.status_code not in {400, 413, 422}]
    assert taken == ["null alone: API"]  # no sheet: the plain one


@pytest.mark.parametrize("words", ["Qui a gagné\u202f?", "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "می\u200cخواهم"])
def test_what_people_write_is_no_attack(words: str) -> None:
    assert received(link(name=words, columns=[{**POINTS, "question": words}])).name == words


MANY_LINES = """{
  "format": "companion-sheet/1",
  "name": "Sevens", "players": [2, 12],
  "shape": "rounds",
  "columns": [
    {"id": "points", "name": "}, \\"", "kind": "whole"},
    {"id": "bonus", "name": "Bonus", "kind": "whole", "most": 5}
  ]
}"""


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (
            'whole", "most"',
            'numbr", "most"',
            "Line 7, columns 2, kind: addends, choice, half, product, rank, table, tick, times or",
        ),
        ('"most": 5', '"mots": 5', "Line 7, columns 2, mots: nothing of this name belongs here; possible: id, name, kind,"),
        ('"id": "bonus", ', "", "Line 7, columns 2, id: this is missing."),
        ("12]", "13]", "Line 3, players 2: a whole number from 2 to 12 is needed here, not 13."),
        ('"most": 5', '"most": "pts"', "Line 7, columns 2, most: There is no “pts” here."),
        ('"most": 5', f'"most": {"5" * 40}', "Line 7, columns 2, most: A number has more than 30 digits."),
        ('"most": 5', '"id": "bonus"', "Line 7, columns 2, id: The name “id” is given twice."),
        ('"rounds",', '"rounds"', "This is not JSON: expected ',' or '}' (line 5, column 3)."),
        ("5}\n", "5},\n", "This is not JSON: trailing comma in array (line 8, column 3)."),
    ],
)
def test_the_sentence_says_in_which_line_and_what_would_be_right(app, before, after, sentence):
    text = MANY_LINES.replace(before, after, 1)
    assert text != MANY_LINES
    phone = Phone(app)
    file = {"file": (BytesIO(text.encode()), "sheet.json")}
    for sent in (file, {"s": text}, {"s": text.replace("\n", "\r\n")}):
        page = phone.client.post("/more/own", data=sent)
        assert page.status_code == 422
        assert says(page, sentence)
        kept = re.search(r'<textarea id="sheet-text".*?>\n(.*?)</textarea>(.*?)</div>', page.text, re.DOTALL)
        assert unescape(kept[1]).splitlines() == text.splitlines()  # what was sent is there, to be mended
        assert says(kept[2], sentence)  # beside it
    assert phone.client.post("/more/own", data={"s": MANY_LINES}).status_code == 200


def test_a_link_that_is_sent_as_text_opens_too(app):
    phone = Phone(app)
    for text in (GOOD, f"http://localhost/more/own?s={GOOD}", f" Look: https://example.org/c/more/own?s={GOOD} \r\n"):
        assert says(phone.client.post("/more/own", data={"s": text}), "Not kept on this phone yet")
    broken = phone.client.post("/more/own", data={"s": f"http://localhost/more/own?s={GOOD[:-3]}"})
    assert says(broken, "This link is not whole")
    assert GOOD[:-3] in broken.text


def test_a_link_s_sheet_is_shown_in_lines(app):
    page = Phone(app).get("/more/own", s=link(wish=1))
    assert says(page, "Line 16, wish: nothing of this name belongs here")
    assert unescape(page.text).splitlines().index('  "wish": 1') - unescape(page.text).splitlines().index("{") == 15


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("de", "Zeile 7, columns 2, kind: hier wird"),
        ("fr", "Ligne 7, columns 2, kind : "),
    ],
)
def test_it_says_so_in_the_phone_s_language(app, code, sentence):
    phone = Phone(app)
    phone.client.post("/language", data={"language": code})
    assert says(phone.client.post("/more/own", data={"s": MANY_LINES.replace('whole", "most"', 'x", "most"')}), sentence)


def heavy(formula: str, columns: int = 14) -> dict[str, Any]:
    """Return a sheet in which everything that may be a formula is one."""
    many = [
        {**POINTS, "id": f"c{n}", "least": f"0 * ({formula})", "most": f"999999 + 0 * ({formula[:440]})"}
        for n in range(columns)
    ]
    checks = [{"that": "1 == 1 or points", "say": "{points}" * 20}] * 10
    return document(columns=[POINTS, *many], score=formula, bonus=formula, checks=checks)


@pytest.mark.parametrize(
    "formula",
    [
        "+".join(["points"] * 60),
        "*".join(["points"] * 60),
        "rank(" * 35 + "points" + ")" * 35,
        "count(max(" * 17 + "points" + "))" * 17,
        "0 if points else " * 24 + "1",
        "abs(" * 38 + "points" + ")" * 38,
        "(0 <= " * 38 + "points" + " <= 9)" * 38,
    ],
    ids=["sums", "products", "ranks", "nested", "choices", "signs", "chains"],
)
def test_the_heaviest_sheet_keeps_nobody_waiting(formula: str) -> None:
    since = time.process_time()
    try:
        sheet = received(json.dumps(heavy(formula)).encode())
        position = start(GAME, [f"P{n}" for n in range(12)], SheetOptions(None, sheet))
        cells = [{"points": 99_999, **{f"c{n}": 0 for n in range(14)}} for _ in range(12)]
        assert mends(position.state, [{**own, "points": 98_765} for own in cells]) == ()  # nothing is tried on such a sheet
        position.apply(decode_event(GAME, {"type": "row", "cells": cells}))
    except RuleError:
        pass  # a number that grows beyond twelve digits
    assert time.process_time() - since < SECONDS


CHOICES = [{"id": f"a{n}", "name": "x"} for n in range(20)]


@pytest.mark.parametrize(
    ("column", "parts"),
    [
        ({**POINTS, "optional": True}, {"bonus": "c1"}),
        ({"name": "Contract", "kind": "choice", "choices": CHOICES, "once": True, "optional": True}, {}),
    ],
    ids=["bonus", "once"],
)
def test_each_row_of_a_long_match_takes_as_long_as_the_first(column: dict[str, Any], parts: dict[str, Any]) -> None:
    sheet = document(columns=[{**column, "id": f"c{n}"} for n in range(40)], **parts)
    players = [f"P{n}" for n in range(12)]
    rows = [{"type": "row", "cells": [{}] * 12}] * 1_000
    record = {"format": "companion-record/1", "game": "sheet", "players": players, "options": {"sheet": sheet}, "events": rows}
    since = time.process_time()
    assert len(answer_replay(json.dumps(record))["rounds"]) == len(rows)
    assert time.process_time() - since < 2 * SECONDS  # it took 6 and 12


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("least", "most", "cell"), [(0, None, 5), (0, f"round * {LONG}", 5), (f"-round * {LONG}", "0 * round", -5)]
)
def test_bids_without_an_end_keep_nobody_waiting(app, client, least, most, cell):
    bounds = {**POINTS, "least": least} | ({} if most is None else {"most": most})
    columns = [{**bounds, "id": "bid", "when": "before"}, {**bounds, "id": "tricks"}]
    read = received(json.dumps(document(columns=columns, score="tricks if tricks == bid else 0")).encode())
    events = [{"type": "row", "cells": [{"bid": cell, "tricks": cell}] * 3}, {"type": "bids", "cells": [{"bid": cell}] * 3}]
    with app.app_context():
        seated = sit_down(Example("sheet", SheetOptions(None, read), 3, tuple(decode_event(GAME, event) for event in events)))
    since = time.process_time()
    page = client.get(seated.path)
    typed = {f"c{side}-tricks": "999999999999" for side in range(3)}
    preview = client.post(f"{seated.path}/row", data={**hidden(page.text), **typed, "ask": "preview"})
    assert (page.status_code, preview.status_code) == (200, 200)
    assert time.process_time() - since < 5 * SECONDS  # the first pages of an app take their time


@pytest.mark.sqlite
def test_a_roll_that_scores_without_an_end_is_told(app, client):
    columns = [{**POINTS, "group": "upper", "roll": f"pips * {LONG}"}, {**POINTS, "id": "more"}]
    sheet = document(shape="boxes", dice=5, columns=columns, goal={"of": "upper", "at": 63}, bonus="1 if upper else 0")
    with app.app_context():
        seated = sit_down(Example("sheet", SheetOptions(None, received(json.dumps(sheet).encode())), 3, ()))
    typed = {**hidden(client.get(seated.path).text), "roll": "55555", "ask": "preview"}
    assert client.post(f"{seated.path}/row", data=typed).status_code == 200


@pytest.mark.sqlite
@pytest.mark.parametrize("words", [f"{FORMULA}{MARKUP}{{{{7*7}}}}%s{{points}}", "שלום עולם" + "\U0001f40b" * 20])
def test_its_words_are_letters_wherever_they_are_shown(app, client, words):
    choices = [{"id": n, "name": words} for n in ("a", "b")]
    column = {**POINTS, "name": words, "question": words, "kind": "choice", "choices": choices}
    sheet = document(
        name=words,
        about=words,
        also=[words],
        by=words[:40],
        columns=[column, {**POINTS, "id": "more", "name": words}],
        checks=[{"that": "more < 5", "say": words.replace("{", "").replace("}", "")}],
        asks=[{"id": "house", "question": words, "answers": [{"name": words, "value": n} for n in (0, 1)]}],
    )
    read = received(json.dumps(sheet).encode())
    row = decode_event(GAME, {"type": "row", "cells": [{"points": "a", "more": 1}] * 3})
    example = Example("sheet", SheetOptions(None, read), 3, (row,))
    with app.app_context():
        seated = sit_down(example)
    seen = 0
    for token in (seated.play, seated.watch):
        for url in addresses(app, seated, example, token):
            page = client.get(url)
            if page.mimetype == "text/html":
                assert PageReader(page.text).suspicious == [], url
                seen += words in PageReader(page.text).words
            elif page.mimetype == "text/csv":
                assert not re.search(r'(^|[,;])"?[=+@]', page.text, re.MULTILINE), url
    assert seen > 5
    text = text_of(read)
    assert client.post("/more/own/keep", data={"s": text}).status_code == 303
    for url in ("/", "/more?group=own", f"/more?q={words[:3]}", f"/more/own?s={text}", f"/t/{seated.play}/more/own?s={text}"):
        assert PageReader(client.get(url).text).suspicious == [], url
    typed = {f"c{side}-{column}": cell for side in range(3) for column, cell in (("points", "a"), ("more", "7"))}
    page = client.get(seated.path)
    wrong = client.post(f"{seated.path}/row", data={**hidden(page.text), **typed, "ask": "preview"})
    assert wrong.status_code == 200
    assert PageReader(wrong.text).suspicious == []
    assert json.loads(client.get(f"{seated.path}/record.json").data)["options"]["sheet"]["name"] == words
