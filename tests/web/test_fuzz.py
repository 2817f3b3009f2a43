"""Is the answer a page or a sentence, and no 500, whatever any address is asked?

The addresses are those of the application itself, so one that is added tomorrow is tried as well. What games ask on their own
pages is filled in more cleverly in test_every_game.py, and what programs send in test_api_schema.py.
"""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine import GAMES
from companion.engine.beloz import PassedDeal
from companion.matches import entries
from companion.storage.models import Match, Table, db
from tests.web.conftest import seat

NONSENSE = st.sampled_from(
    [
        *(
            "",
            " ",
            "0",
            "1",
            "-1",
            "5",
            "1e9",
            "NaN",
            "null",
            "[]",
            "{",
            "٣",
            "²",
            "\x00",
            "\ud800",
            "..",
            "%00",
            "%ff",
            "a" * 3000,
        ),
        *(
            "9" * 25,
            "<script>alert(1)</script>",
            '"><img src=x>',
            "{{7*191}}",
            "\r\nX: y",
            "' OR 1=1 --",
            "\u202eevil",
            "🐋" * 41,
        ),
        *("//evil.example/", "javascript:alert(1)", "../../../etc/passwd"),
    ]
) | st.text(st.characters(exclude_categories=()), max_size=20)

MEANT = {
    "do": ["claim", "release", "deal", "rename", "move", "remove", "play", "watch", "close", "me", "add"],
    "on": ["table", "links"],
    "seat": ["0", "3", "5"],
    "places": ["0", "4", "6"],
    "name": ["Ana", "Ed", "Kitchen table"],
    "table": ["Tuesday table"],
    "person_0": ["Ana"],
    "person_1": ["Bo"],
    "person_5": ["Fay"],
    "code": ["K7WM4R", "K7W M4R"],
    "game": sorted(GAMES),
    "theme": ["light", "dark", ""],
    "player": ["1", "2", "3", "4"],
    "dealer": ["1", "2"],
    "target": ["1000", "500"],
    "expected_seq": ["0", "1", "2"],
    "idempotency_key": ["k", "k1"],
    "of": ["1", "2"],
    "tap": ["passed-deal", "bidder:0"],
    "file": ["{}"],
    "format": ["companion-table/1"],
    "ask": ["preview"],
    "word": ["salt"],
    "csrf_token": ["x"],
}

fields = st.dictionaries(
    st.sampled_from(sorted(MEANT)) | NONSENSE.filter(bool),
    st.lists(NONSENSE, min_size=1, max_size=2),
    max_size=6,
)

HEADERS = {
    "Accept": ["text/html", "application/json", "*/*;q=nonsense", ""],
    "Cookie": ["companion=forged", "theme=dark; companion=", "\xff", "companion=" + "a" * 4000],
    "If-None-Match": ['W/"x"', "*", '"'],
    "Last-Event-ID": ["1", "-1", "x"],
    "X-Forwarded-For": ["1.2.3.4", "nonsense"],
    "Origin": ["https://evil.example", "null"],
    "Range": ["bytes=0-1", "bytes=9-"],
    "Content-Type": [
        "application/json",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "text/plain; charset=klingon",
    ],
    "Accept-Encoding": ["br", "gzip;q=0", "nonsense"],
}


def written(value):
    """Return a value as a form or an address can carry it: half of a character stands in no UTF-8."""
    return value.encode("utf-8", "replace").decode()


@st.composite
def requests(draw, rules, links):
    """Draw a method, an address and what is sent there."""
    rule, method = draw(st.sampled_from(rules))

    def part(match):
        converter, name = match[1] or "", match[2]
        if name == "token":
            return draw(st.sampled_from([*links, *links, "A" * 22, "x"]))
        if converter.startswith("int"):
            return draw(st.sampled_from(["1", "1", "2", "0", "99999999999999999999"]))
        known = [*GAMES, "who", "count", "declarations", "round", "may-i", "css/companion.css", "K7WM4R"]
        return re.sub(r"[?#%\x00-\x20\ud800-\udfff]", "", draw(st.sampled_from(known) | NONSENSE)) or "x"

    path = re.sub(r"<(?:([^:<>]+):)?(\w+)>", part, rule)
    sent = draw(fields)
    for name in draw(st.lists(st.sampled_from(sorted(MEANT)), max_size=5)):
        sent[name] = [draw(st.sampled_from(MEANT[name]))]
    sent = {written(name): [written(value) for value in values] for name, values in sent.items()}
    headers = {
        name: draw(st.sampled_from(HEADERS[name])) for name in draw(st.lists(st.sampled_from(sorted(HEADERS)), max_size=2))
    }
    call = {"method": method, "headers": headers}
    kind = draw(st.sampled_from(["form", "form", "file", "raw"])) if method in {"POST", "PUT", "PATCH"} else "query"
    if kind == "query":
        call["query_string"] = sent
    elif kind == "form":
        headers.pop("Content-Type", None)
        call["data"] = sent
    elif kind == "file":
        headers.pop("Content-Type", None)
        call["data"] = {**sent, "file": (io.BytesIO(draw(st.binary(max_size=40))), "table.json")}
    else:
        call["data"] = draw(st.binary(max_size=60))
    return path, call


@pytest.mark.parametrize("examples", [150, pytest.param(10_000, marks=pytest.mark.soak)])
def test_no_address_breaks(app, examples):
    app.testing = False  # a mistake of ours is a 500, as phones would get it
    rules = sorted(
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"} & (rule.methods | {"PUT", "DELETE"})
    )
    tried = set()
    with app.app_context():
        table = seat(("Ana", "Bo", "Cy", "Di"))
        entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
        entries.record(db.session.query(Match.id).scalar(), [PassedDeal()], idempotency_key="first", expected_seq=0)
        db.session.remove()

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(st.data())
    def ask(data):
        with app.app_context():  # they may have been replaced
            links = list(db.session.query(Table.play_token, Table.watch_token).filter_by(id=table.id).one())
            db.session.remove()
        path, call = data.draw(requests(rules, links))
        phone = app.test_client()
        answer = phone.open(path, buffered=False, **call)
        assert answer.status_code < 500, (answer.status, path, call)
        if answer.mimetype == "text/html" and not answer.content_encoding:
            text = answer.get_data(as_text=True)
            assert "<script>alert" not in text
            assert "<img src=x" not in text
        answer.close()
        tried.add((call["method"], answer.status_code))

    ask()
    # which pages are drawn depends on the modules that a worker has read: hypothesis takes constants from them
    assert ("DELETE", 405) in tried
    assert any(status < 400 for _, status in tried)
    if examples >= 1_000:
        assert {("POST", status) for status in (200, 303, 403, 404, 422)} <= tried
