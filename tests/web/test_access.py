"""Who may do what? The play link enters, the watch link looks on, and nobody else sees anything."""

from __future__ import annotations

import re

import pytest

from companion.storage.models import Match, Player, Table, db
from tests.web.people import Phone, field, says

OWNER, HELPER, WATCHER, INTRUDER = range(4)


@pytest.fixture
def cast(app):
    """Return Ana's phone, which made the table, and three that came by the play link, the watch link and a guessed link."""
    owner = Phone(app).make_table("Ana", "Bo", "Cy", "Di")
    assert owner.send("/matches", game="beloz").status_code == 303
    helper = Phone(app).come_to(owner)
    watcher, intruder = Phone(app), Phone(app)
    watcher.link = field(owner.open("/links"), "watch-link")[0].removeprefix("http://localhost")
    intruder.link = "/t/" + "A" * 22
    return owner, helper, watcher, intruder


def everything(app):
    """Return all that is stored."""
    with app.app_context():
        return [tuple(row) for table in db.metadata.sorted_tables for row in db.session.execute(table.select())]


# Page, and its answer to owner, helper, watcher, intruder
PAGES = [
    ("", 302, 302, 302, 404),
    ("/table", 200, 200, 200, 404),
    ("/join", 302, 200, 403, 404),
    ("/join/seat", 303, 303, 403, 404),
    ("/forget", 200, 200, 200, 404),
    ("/matches", 200, 200, 200, 404),
    ("/qr.svg", 200, 200, 200, 404),
    ("/m/1", 200, 200, 200, 404),
    ("/m/2", 404, 404, 404, 404),
    ("/links", 200, 200, 403, 404),
    ("/name", 200, 200, 403, 404),
    ("/people/new", 200, 200, 403, 404),
    ("/people/1", 200, 200, 403, 404),
    ("/people/99999999999999999999", 404, 404, 403, 404),
    ("/live/", 404, 404, 404, 404),
    ("/nothing", 404, 404, 404, 404),
]


@pytest.mark.parametrize(("page", *(["owner", "helper", "watcher", "intruder"])), PAGES)
def test_who_sees_which_page(cast, page, owner, helper, watcher, intruder):
    assert [phone.open(page).status_code for phone in cast] == [owner, helper, watcher, intruder]


@pytest.mark.parametrize("who", [OWNER, HELPER, WATCHER])
def test_whoever_has_a_link_may_follow_the_table(app, cast, who):
    with app.app_context():
        number = db.session.query(Table.seq).scalar()
    answer = cast[who].client.get(f"{cast[who].link}/live", buffered=False)
    assert answer.mimetype == "text/event-stream"
    assert f"data: {number}\n" in next(iter(answer.response)).decode()
    answer.close()


def test_a_guessed_link_follows_nothing(cast):
    assert cast[INTRUDER].open("/live").status_code == 404


# What is sent where, and the answer to owner, helper, watcher, intruder
DEEDS = [
    ("/people/new", {"name": "Ed", "do": "add"}, 303, 303, 403, 404),
    ("/people/1", {"do": "claim"}, 303, 303, 403, 404),
    ("/people/1", {"do": "rename", "name": "Ana"}, 303, 303, 403, 404),
    ("/people/2", {"do": "deal"}, 303, 303, 403, 404),
    ("/people/2", {"do": "move", "seat": "0", "places": "4"}, 303, 303, 403, 404),
    ("/name", {"name": "Kitchen"}, 303, 303, 403, 404),
    ("/invitation", {}, 303, 303, 403, 404),
    ("/links", {"do": "watch"}, 303, 303, 403, 404),
    ("/matches", {"game": "beloz"}, 303, 303, 403, 404),
    ("/game", {"choose": "bisque"}, 303, 303, 403, 404),
    ("/join", {"name": "Ed"}, 303, 303, 403, 404),
    ("/join/seat", {"seat": "4"}, 303, 303, 403, 404),
    ("/m/1/stop", {"expected_seq": "0", "idempotency_key": "k"}, 303, 303, 403, 404),
    ("/forget", {}, 303, 303, 303, 404),
    ("", {}, 405, 405, 405, 405),
]


@pytest.mark.parametrize(("page", "fields", *(["owner", "helper", "watcher", "intruder"])), DEEDS)
@pytest.mark.parametrize("who", [OWNER, HELPER, WATCHER, INTRUDER], ids=["owner", "helper", "watcher", "intruder"])
def test_who_may_do_what(app, cast, who, page, fields, owner, helper, watcher, intruder):
    before = everything(app)
    answer = cast[who].send(page, **fields)
    assert answer.status_code == (owner, helper, watcher, intruder)[who]
    if who in (WATCHER, INTRUDER):
        assert everything(app) == before
    if answer.status_code == 403:
        assert says(answer, "This link is for watching. To enter something, open the table’s play link.")


def test_every_address_that_changes_something_is_closed_to_watchers(app, cast):
    """Also those that will be added: whatever takes a table's link and a POST refuses the watch link, but for forgetting it."""
    watcher = cast[WATCHER].link.removeprefix("/t/")
    client = cast[WATCHER].client
    before = everything(app)
    answers = {}
    for rule in app.url_map.iter_rules():
        if "POST" in rule.methods and "token" in rule.arguments and rule.endpoint != "table.leave":
            values = dict.fromkeys(rule.arguments, "1") | {"token": watcher}
            if "page" in values:
                values["page"] = "count"
            with app.test_request_context():
                url = app.url_map.bind("localhost").build(rule.endpoint, values, method="POST")
            answers[rule.endpoint] = client.post(url).status_code
    assert len(answers) >= 8
    assert set(answers.values()) == {403}
    assert everything(app) == before


def test_a_watcher_never_gets_the_play_link(cast):
    owner, _, watcher, _ = cast
    play = owner.link.removeprefix("/t/")
    for page in ("", "/table", "/matches", "/m/1", "/qr.svg", "/links", "/people/1"):
        answer = watcher.open(page)
        assert play not in answer.text
        assert play not in str(answer.headers)
    assert play not in watcher.get("/").text
    assert play not in watcher.get("/tables/new", game="beloz").text


def test_a_watcher_has_no_form_at_the_table(cast):
    watcher = cast[WATCHER]
    for page in ("/table", "/matches", "/m/1"):
        actions = re.findall(r'<form[^>]*action="([^"]*)"', watcher.open(page).text)
        assert set(actions) <= {"/language", "/theme"}  # how a phone reads is its own
    assert "/people/" not in watcher.open().text


def test_a_watcher_is_nobody_at_the_table(cast):
    watcher = cast[WATCHER]
    watcher.send("/people/1", do="claim")
    assert not any("you" in seat for seat in watcher.around())
    assert not says(watcher.open(), "Say who I am")


def test_the_owner_who_opens_the_watch_link_watches(cast):
    owner, _, watcher, _ = cast
    owner.link = watcher.link
    assert not any("you" in seat for seat in owner.around())
    assert owner.send("/name", name="Kitchen").status_code == 403


@pytest.mark.parametrize("link", ["", "x", "A" * 22, "A" * 5000, "%00", "é", "' OR 1=1 --", "<script>alert(1)</script>"])
def test_a_guessed_link_says_that_there_is_no_table(app, link):
    answer = Phone(app).client.get(f"/t/{link}")
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text


def test_links_can_not_be_guessed_and_are_all_different(app):
    with app.app_context():
        from companion.tables import seating

        links = {seating.new_link() for _ in range(1000)}
    assert len(links) == 1000
    assert {len(link) for link in links} == {22}  # 128 bits, six a letter


def test_links_are_in_no_log(app, cast, caplog):
    with caplog.at_level("DEBUG"):
        for phone in cast:
            phone.open()
            phone.open("/m/1")
    with app.app_context():
        table = db.session.query(Table).one()
        assert table.play_token not in caplog.text
        assert table.watch_token not in caplog.text


def test_every_page_is_strict_about_where_things_come_from(cast):
    owner = cast[OWNER]
    for answer in (
        owner.get("/"),
        owner.get("/tables/new"),
        owner.open(),
        owner.open("/links"),
        owner.open("/people/1"),
        owner.open("/nothing"),
    ):
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert not re.search(r"\sstyle=|\son[a-z]+=|<style|javascript:", answer.text)
        assert not re.search(r"<script(?![^>]* src=)", answer.text)
        assert not re.search(r'(?:src|href)="(?:https?:)?//', answer.text)


def test_the_cookie_is_kept_from_scripts_and_other_sites(app):
    answer = Phone(app).client.post("/tables", data={"table": "T", "person_0": "Ana"})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Expires=" in cookie


def test_a_cookie_that_was_tampered_with_is_no_cookie(app, cast):
    owner = cast[OWNER]
    owner.client.set_cookie("companion", "eyJwaG9uZSI6IngifQ.AAAAAA.bad")
    assert owner.get("/").status_code == 200
    assert not any("you" in seat for seat in owner.around())


class TestForgedForms:
    @pytest.fixture
    def settings(self):
        return {"RATELIMIT_ENABLED": False}

    def test_a_form_that_was_not_ours_changes_nothing(self, app):
        ana = Phone(app)
        for url in ("/tables", "/join", "/theme"):
            answer = ana.client.post(url, data={"table": "T", "person_0": "Ana", "code": "K7W M4R"})
            assert answer.status_code == 400
            assert says(answer, "This form has expired")
        assert everything(app) == []

    def test_our_own_form_is_taken(self, app):
        ana = Phone(app)
        token = field(ana.get("/tables/new", game="beloz"), "csrf_token")[0]
        answer = ana.client.post("/tables", data={"table": "T", "person_0": "Ana", "csrf_token": token})
        assert answer.status_code == 303

    def test_every_form_of_every_page_brings_its_token(self, app):
        ana = Phone(app)
        token = field(ana.get("/tables/new", game="beloz"), "csrf_token")[0]
        people = {f"person_{seat}": name for seat, name in enumerate(("Ana", "Bo", "Cy", "Di"))}
        ana.link = ana.client.post("/tables", data={"table": "T", "csrf_token": token, **people}).location.removesuffix(
            "/table"
        )
        stranger = Phone(app).come_to(ana)
        pages = [
            ana.get("/"),
            ana.open(),
            stranger.open(),
            ana.open("/links"),
            ana.open("/people/1"),
            ana.open("/people/new"),
            ana.open("/name"),
        ]
        forms = [form for page in pages for form in re.findall(r"<form[^>]*method=\"post\".*?</form>", page.text, re.DOTALL)]
        assert len(forms) >= 15
        assert all('name="csrf_token" value="' in form for form in forms)


def test_what_is_too_large_is_not_read(app, cast):
    answer = cast[OWNER].send("/people/new", name="x" * 100_000, do="add")
    assert answer.status_code == 413
    assert says(answer, "That is too much to send at once. Nothing was saved.")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": ""},
        {"do": "move"},
        {"do": "move", "seat": "1e3"},
        {"do": "rename"},
        {"do": "rename", "name": "\x00"},
        {"do": "deal", "places": "9" * 400},
        {"do": "deal", "places": "-3"},
        {"seat": "²", "do": "move"},
        {"player": "x", "target": "\ud83d".encode("utf-16", "surrogatepass").decode("latin-1")},
        {"csrf_token": "x", "do": "claim\x00"},
    ],
)
def test_nonsense_is_never_an_error_of_ours(app, cast, fields):
    owner = cast[OWNER]
    for page in ("/people/1", "/people/new", "/name", "/links", "/invitation", "/matches"):
        assert owner.send(page, **fields).status_code < 500
    for url in ("/tables", "/join", "/theme"):
        assert owner.client.post(url, data=fields).status_code < 500
    with app.app_context():
        assert db.session.query(Player).count() == 4
        assert db.session.query(Match).count() == 1


class TestBehindHttps:
    """Phones under HTTPS send no referrer, because our pages ask them not to; their forms are taken all the same."""

    @pytest.fixture
    def settings(self):
        return {"RATELIMIT_ENABLED": False}

    def send(self, client, **changed):
        page = client.get("/tables/new", base_url="https://fish.example")
        token = page.text.partition('name="csrf_token" value="')[2].partition('"')[0]
        sent = {"csrf_token": token, "table": "Kitchen table", "person_0": "Ana", **changed}
        return client.post("/tables", base_url="https://fish.example", data=sent)

    def test_a_form_of_our_own_is_taken(self, client):
        assert self.send(client).status_code == 303

    def test_a_forged_one_is_not(self, client):
        assert self.send(client, csrf_token="forged").status_code == 400

    def test_one_that_was_right_is_one_phones_alone_and_as_it_was(self, app):
        mine, other = app.test_client(), app.test_client()
        page = mine.get("/tables/new", base_url="https://fish.example")
        token = page.text.partition('name="csrf_token" value="')[2].partition('"')[0]
        assert [self.send(mine, csrf_token=token).status_code for _ in range(2)] == [303, 303]
        assert self.send(other, csrf_token=token).status_code == 400
        assert self.send(mine, csrf_token=token[:-2] + ("AA" if token[-2:] != "AA" else "BB")).status_code == 400
        assert self.send(mine, csrf_token="").status_code == 400
        app.secret_key = "another"
        assert self.send(mine, csrf_token=token).status_code == 400
