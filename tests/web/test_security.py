"""Is what SECURITY.md promises true where no other test says so: cookies, headers, errors, files?"""

from __future__ import annotations

import json
import re
import secrets
import time
from datetime import timedelta
from pathlib import Path
from typing import ClassVar
from urllib.parse import urljoin

import brotli
import pytest
from flask import session
from sqlalchemy import select

from companion.app import create_app
from companion.settings import Settings
from companion.storage.instance import secret_key
from companion.storage.models import Match, Player, Table, db
from companion.web.delivery.static_files import version_of
from tests.web.people import Phone, field, says, words


@pytest.fixture
def ana(app):
    return Phone(app).make_table("Ana", "Bo", "Cy", "Di")


class TestHttps:
    @pytest.fixture
    def environment(self):
        return {"COMPANION_HTTPS": "1"}

    def test_cookies_stay_with_https_and_this_host(self, app):
        answer = app.test_client().post(
            "/tables", data={"table": "T", "person_0": "Ana"}, base_url="https://cards.example", follow_redirects=False
        )
        (cookie,) = answer.headers.getlist("Set-Cookie")
        assert cookie.startswith("__Host-companion=")
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "Domain=" not in cookie
        themed = app.test_client().post("/theme", data={"theme": "dark"}, base_url="https://cards.example")
        assert "Secure" in themed.headers["Set-Cookie"]

    def test_browsers_are_told_to_come_by_https_for_a_year(self, app):
        for path in ("/", "/nothing", "/healthz", "/static/css/companion.css"):
            answer = app.test_client().get(path, base_url="https://cards.example")
            assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_without_https_cookies_come_by_http(app):
    assert app.config["SESSION_COOKIE_SECURE"] is False
    assert "Strict-Transport-Security" not in app.test_client().get("/").headers


class TestWhatAFormSaysOfItself:
    """The log position that it shows (``expected_seq``) and its ``idempotency_key``: an entry without them is refused."""

    @pytest.fixture
    def playing(self, ana):
        ana.send("/matches", game="beloz")
        assert ana.send("/m/1/who", tap="passed-deal", expected_seq=0, idempotency_key="first").status_code == 303
        return ana

    def stored(self, app):
        with app.app_context():
            return db.session.scalar(select(Match.seq))

    FORMS = (("/m/1/who", {"tap": "passed-deal"}), ("/m/1/undo", {}), ("/m/1/stop", {}))

    @pytest.mark.parametrize(("path", "fields"), FORMS)
    @pytest.mark.parametrize("seen", [None, "", "one", "-1", "1.0", "٣", "9" * 30])
    def test_which_entries_it_shows(self, app, playing, path, fields, seen):
        refused = playing.send(path, idempotency_key="next", **fields, **({} if seen is None else {"expected_seq": seen}))
        assert refused.status_code == 422
        assert says(refused, "This form has expired. Reload the page and enter it again.")
        assert self.stored(app) == 1

    @pytest.mark.parametrize(("path", "fields"), FORMS)
    @pytest.mark.parametrize("key", [None, "", "é", "a b", "k" * 65])
    def test_its_own_name(self, app, playing, path, fields, key):
        refused = playing.send(path, expected_seq=1, **fields, **({} if key is None else {"idempotency_key": key}))
        assert refused.status_code == 422
        assert says(refused, "This form has expired. Reload the page and enter it again.")
        assert self.stored(app) == 1

    @pytest.mark.parametrize(("path", "fields"), FORMS)
    def test_entries_that_are_no_longer_there(self, app, playing, path, fields):
        refused = playing.send(path, expected_seq=2, idempotency_key="next", **fields)
        assert refused.status_code == 409
        assert says(refused, "an older copy of the tables was put back")
        assert self.stored(app) == 1


def test_the_cookie_is_signed_with_sha_256(app, ana):
    signer = app.session_interface.get_signing_serializer(app)
    assert signer.signer_kwargs["digest_method"]().name == "sha256"
    (cookie,) = [cookie for cookie in ana.client._cookies.values() if cookie.key == "companion"]
    assert signer.loads(cookie.value)["phone"]
    assert len(cookie.value.rpartition(".")[2]) == 43  # 32 bytes


class TestReadOnce:
    """A cookie that was read before is not checked anew: what was wrong or too old with it still is."""

    def phone_in(self, app, cookie):
        sent = {"HTTP_COOKIE": f"companion={cookie}"}
        with app.test_request_context("/", environ_overrides=sent):
            return session.get("phone")

    def test_one_that_was_changed_is_nobodys(self, app):
        signed = app.session_interface.get_signing_serializer(app).dumps({"phone": "mine"})
        assert [self.phone_in(app, signed) for _ in range(2)] == ["mine", "mine"]
        assert self.phone_in(app, signed[:-2] + ("AA" if signed[-2:] != "AA" else "BB")) is None
        assert self.phone_in(app, signed) == "mine"

    def test_one_grows_too_old(self, app):
        signed = app.session_interface.get_signing_serializer(app).dumps({"phone": "mine"})
        assert self.phone_in(app, signed) == "mine"
        app.permanent_session_lifetime = timedelta(seconds=-1)
        assert self.phone_in(app, signed) is None

    def test_one_of_another_key_is_nobodys(self, app):
        signed = app.session_interface.get_signing_serializer(app).dumps({"phone": "mine"})
        assert self.phone_in(app, signed) == "mine"
        app.secret_key = "another"
        assert self.phone_in(app, signed) is None

    def test_what_one_request_changes_is_not_in_the_next(self, app):
        signed = app.session_interface.get_signing_serializer(app).dumps({"phone": "mine"})
        with app.test_request_context("/", environ_overrides={"HTTP_COOKIE": f"companion={signed}"}):
            session["phone"] = "other"
        assert self.phone_in(app, signed) == "mine"


class TestClocksAndKeys:
    """A phone keeps its tables, whatever becomes of the server's clock and key."""

    @pytest.fixture
    def settings(self):
        return {"RATELIMIT_ENABLED": False}

    @pytest.fixture
    def make_table(self):
        def make(client, name):
            form = field(client.get("/tables/new"), "csrf_token")[0]
            made = client.post("/tables", data={"csrf_token": form, "table": name, "person_0": "Ana"})
            return made.location, form

        return make

    @pytest.mark.parametrize("ahead", [30, 86_400, 20 * 365 * 86_400])
    def test_a_clock_that_was_ahead_and_is_set_right_costs_no_table_and_no_form(self, app, make_table, monkeypatch, ahead):
        client, now = app.test_client(), time.time
        with monkeypatch.context() as clock:
            clock.setattr(time, "time", lambda: now() + ahead)
            table, form = make_table(client, "Cabin")
        assert "Cabin" in client.get("/").text
        assert "You are Ana" in words(client.get(table))
        again = client.post("/tables", data={"csrf_token": form, "table": "Boat", "person_0": "Ana"})
        assert again.status_code == 303
        assert all(f">{name}</h2>" in client.get("/").text for name in ("Cabin", "Boat"))

    def test_what_can_not_be_read_is_told_kept_and_read_again_with_the_key_that_signed_it(self, app, make_table):
        client, key = app.test_client(), app.secret_key
        told = "This server can’t read which tables this phone knows"
        make_table(client, "Cabin")
        assert not says(client.get("/"), told)
        app.secret_key = "another"
        for _ in range(2):  # the first answer has set a new cookie
            home = client.get("/")
            assert says(home, told)
            assert "Cabin" not in home.text
        make_table(client, "Boat")
        assert not says(client.get("/"), told)  # somebody who knows how to go on needs no help
        app.secret_key = key
        for _ in range(2):
            home = client.get("/").text
            assert "Cabin" in home
            assert "Boat" not in home
        make_table(client, "Lake")
        app.secret_key = "another"
        assert "Boat" in client.get("/").text  # two servers at one address don't take each other's list away


def test_without_https_nothing_speaks_of_it(ana):
    assert "Strict-Transport-Security" not in ana.get("/").headers


def test_every_text_says_how_it_is_written(ana):
    for path in ("/", ana.link, f"{ana.link}/links", "/nothing", "/static/css/companion.css", "/static/js/companion.js"):
        assert ana.get(path).headers["Content-Type"] in {
            "text/html; charset=utf-8",
            "text/css; charset=utf-8",
            "text/javascript; charset=utf-8",
        }
    assert ana.open("/qr.svg").headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert ana.open("/table.json").headers["Content-Type"] == "application/json"  # always UTF-8


def test_no_page_of_a_table_is_ever_found_by_a_search_machine(ana):
    ana.send("/matches", game="beloz")
    for path in ("/table", "/links", "/matches", "/m/1", "/m/1/record.json", "/qr.svg", "/table.json", "/m/9"):
        answer = ana.open(path)
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive", path
        if answer.mimetype == "text/html":
            assert '<meta name="robots" content="noindex, nofollow, noarchive">' in answer.text, path
    for path in ("/", "/rules/beloz"):
        assert "X-Robots-Tag" not in ana.get(path).headers
        assert "noindex" not in ana.get(path).text


@pytest.mark.parametrize("path", ["/t/x//", "/t/x//m/1", "/api/v1", "/may-i//beloz"])
def test_a_redirect_stays_on_the_host_that_was_asked(app, path):
    answer = app.test_client().get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 308
    assert re.fullmatch(r"/[^/].*", answer.location)
    assert "evil" not in answer.text


@pytest.mark.parametrize("path", ["/", "/nowhere", "/static/x", "/healthz", "/t/x//", "/api/v1"])
@pytest.mark.parametrize("host", [f"{'a' * 64}.example", "a" * 300, "x..y", ""])
def test_a_host_that_there_can_not_be_is_refused_and_not_a_mistake_of_ours(app, path, host):
    answer = app.test_client().get(path, headers={"Host": host})
    assert answer.status_code == (400 if host else answer.status_code)
    assert answer.status_code < 500


class TestTheListOfTables:
    """What this phone knows is its own: pages elsewhere can neither fill it nor change what is first in it."""

    ELSEWHERE: ClassVar = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}

    @pytest.fixture
    def strangers(self, app):
        return [Phone(app).make_table("Eve", name=f"Strange table {number}").link for number in range(12)]

    def test_twelve_foreign_links_don_t_push_the_own_table_off(self, ana, strangers):
        for link in strangers:
            assert ana.client.get(f"{link}/table", headers=self.ELSEWHERE).status_code == 200
            own = {"Sec-Fetch-Site": "same-origin"}
            ana.client.get(f"{link}/live", headers=own, buffered=False).close()
            ana.client.get(link, headers={**own, "Companion-Fetch": "parts"})
            ana.client.get(f"{link}/qr.svg", headers=own)
        assert ana.link in ana.get("/").text
        assert not says(ana.get("/"), "Strange table")

    def test_who_sits_down_there_keeps_it(self, app, ana, strangers):
        bo = Phone(app)
        bo.link = strangers[0]
        assert bo.client.get(f"{bo.link}/join", headers=self.ELSEWHERE).status_code == 200
        assert not says(bo.get("/"), "Strange table")
        assert bo.send("/people/new", do="me", name="Bo").status_code == 303
        assert says(bo.get("/"), "Strange table 0")

    @pytest.mark.parametrize("site", ["none", "same-origin", None])
    def test_who_comes_by_a_code_or_a_tap_keeps_it(self, app, strangers, site):
        bo = Phone(app)
        bo.client.get(strangers[0], headers={"Sec-Fetch-Site": site} if site else {})
        assert says(bo.get("/"), "Strange table 0")


def test_only_the_present_version_of_a_file_is_kept_for_ever(ana):
    """While one process is replaced after the other, a new page may ask an old process for a new file."""
    present, version = re.search(r'src="(/static/([0-9a-f]{10})/js/companion\.js)"', ana.get("/").text).groups()
    assert ana.get(present).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for asked in ("/static/0123456789/js/companion.js", f"/static/js/companion.js?v={version}", "/static/js/companion.js"):
        answer = ana.get(asked)
        assert answer.data == ana.get(present).data
        assert "max-age=31536000" not in answer.headers.get("Cache-Control", "")


def test_what_is_kept_for_ever_comes_as_small_as_it_can_be(ana):
    place = re.search(r'href="(/static/[0-9a-f]{10}/css/companion\.css)"', ana.get("/").text)[1]
    plain, small = ana.get(place), ana.client.get(place, headers={"Accept-Encoding": "gzip, br"})
    assert brotli.decompress(small.data) == plain.data
    assert len(small.data) < len(plain.data) / 4
    assert (small.headers["Content-Encoding"], small.headers["Vary"]) == ("br", "Accept-Encoding")
    assert "Content-Encoding" not in plain.headers


def test_what_a_file_names_is_of_the_same_version(ana, app):
    """Scripts import each other by addresses beside their own."""
    version = re.search(r"/static/([0-9a-f]{10})/", ana.get("/").text)[1]
    static = Path(app.static_folder)
    for file in static.glob("js/*.js"):
        place = f"/static/{version}/{file.relative_to(static)}"
        for named in re.findall(r'(?:from |\bimport\()"(\S+?)"', file.read_text("utf-8")):
            assert "immutable" in ana.get(urljoin(place, named)).headers["Cache-Control"], (file, named)


def test_the_version_changes_with_any_file(tmp_path):
    (tmp_path / "a.css").write_text("a {}")
    before = version_of("", [tmp_path])
    assert before == version_of("", [tmp_path])
    (tmp_path / "a.css").write_text("b {}")
    assert version_of("", [tmp_path]) != before


def test_no_other_origin_is_ever_allowed_in(ana):
    for path in ("/", ana.link, "/healthz", "/static/css/companion.css"):
        answer = ana.client.get(path, headers={"Origin": "https://evil.example"})
        assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("method", ["TRACE", "TRACK", "CONNECT", "PROPFIND", "DEBUG"])
def test_methods_that_no_page_uses_are_refused(ana, method):
    assert ana.client.open(ana.link, method=method).status_code == 405


@pytest.mark.parametrize(
    "path", ["/static/", "/static/css/", "/static/../companion/app.py", "/static/%2e%2e/README.md", "/.git/config"]
)
def test_no_folder_is_listed_and_no_file_outside_is_given(ana, path):
    assert ana.get(path).status_code == 404


def test_a_mistake_of_ours_tells_nothing_about_the_inside(app):
    @app.get("/broken")
    def broken():
        raise ZeroDivisionError("secret-detail")

    app.testing = False
    answer = app.test_client().get("/broken")
    assert answer.status_code == 500
    assert says(answer, "Something went wrong on our side.")
    assert "secret-detail" not in answer.text
    assert "Traceback" not in answer.text
    assert not app.debug


def test_records_and_kept_tables_hold_no_link_code_phone_or_key(app, ana):
    ana.do("claim", "Ana")
    ana.send("/matches", game="beluga-cup", player=["1", "2"])
    with app.app_context():
        table = db.session.query(Table).one()
        phones = [player.phone for player in db.session.query(Player) if player.phone]
        secrets = [table.play_token, table.watch_token, table.code, *phones]
    assert len(secrets) == 4
    for path in ("/m/1/record.json", "/table.json"):
        answer = ana.open(path)
        assert answer.status_code == 200
        assert json.loads(answer.text)
        assert not [secret for secret in secrets if secret in answer.text]


def test_no_page_leads_to_another_host(app, ana):
    ana.send("/matches", game="beloz")
    for path in ("/", "/tables/new", "/tables/import", ana.link, f"{ana.link}/links", f"{ana.link}/matches", f"{ana.link}/m/1"):
        page = ana.get(path).text
        for url in re.findall(r'(?:href|src|action|formaction|data-stream)="([^"]*)"', page):
            assert url.startswith(("/", "#", "?", "http://localhost/t/")), url


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", '"><img src=x onerror=x>', "{{ 7 * 191 }}", "'-alert(1)-'", "\u202eevil"]
)
def test_what_is_typed_into_the_lobby_is_only_text(app, ana, hostile):
    pages = [
        ana.client.post("/tables", data={"table": hostile, "person_0": hostile, "person_1": hostile}),
        ana.client.post("/join", data={"code": hostile}),
        ana.get("/tables/new", game=hostile),
        ana.get("/calculate/" + hostile.replace("/", "")),
        ana.send("/people/new", name=hostile * 3, do="add"),
        ana.send("/people/new", name=hostile * 3, do="me", on="table"),
        ana.send("/name", name=hostile * 3),
        ana.send("/matches", game="beloz", target=hostile),
        ana.send("/links", do=hostile),
        ana.open("", game=hostile),
    ]
    for page in pages:
        assert page.status_code < 500
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert "1337" not in words(page)


def test_what_a_form_has_too_much_changes_nothing_else(app, ana):
    """Fields that a form does not have are not taken over into what is stored."""
    with app.app_context():
        table = db.session.query(Table).one()
        before = table.id, table.play_token, table.seq
    ana.send("/name", name="Kitchen", id="99", play_token="mine", seq="0", code="K7WM4R")
    with app.app_context():
        table = db.session.query(Table).one()
        assert (table.id, table.play_token, table.seq) == (before[0], before[1], before[2] + 1)
        assert (table.name, table.code != "K7WM4R") == ("Kitchen", True)


def test_a_phone_s_cookie_can_not_make_it_a_player_elsewhere(app, ana):
    """The cookie says which phone it is; what opens a table is its link alone."""
    bo = Phone(app).make_table("Bo")
    with app.app_context():
        watch = db.session.query(Table).filter_by(name="Tuesday table").order_by(Table.id).first().watch_token
    assert bo.get(f"/t/{watch}/table").status_code == 200
    assert bo.client.post(f"/t/{watch}/name", data={"name": "Mine"}).status_code == 403
    assert ana.person("Ana")
    assert bo.send(ana.person("Ana"), do="rename", name="Mine").status_code == 404  # of another table


def test_the_application_asks_for_no_secret_to_be_set(tmp_path):
    """The key that signs cookies is made at the first start, for its owner's eyes alone, and is another each time."""
    keys = set()
    for name in ("one", "two"):
        app = create_app(Settings.read({"COMPANION_INSTANCE": str(tmp_path / name)}))
        file = tmp_path / name / "secret-key"
        assert file.stat().st_mode & 0o777 == 0o600
        assert len(app.config["SECRET_KEY"]) == 32
        keys.add(app.config["SECRET_KEY"])
    assert len(keys) == 2


def test_processes_that_start_at_once_sign_with_the_same_key(tmp_path, monkeypatch):
    """One begins while another is just making the key."""
    others = []
    make = secrets.token_bytes

    def meanwhile(length):
        monkeypatch.undo()
        others.append(secret_key(tmp_path))
        return make(length)

    monkeypatch.setattr(secrets, "token_bytes", meanwhile)
    own = secret_key(tmp_path)
    assert others == [own]
    assert len(own) == 32
    assert [file.name for file in tmp_path.iterdir()] == ["secret-key"]


@pytest.mark.sqlite
def test_what_an_older_version_left_readable_is_closed_at_the_start(start_app, tmp_path):
    names = ("companion.sqlite", "companion.sqlite-wal", "secret-key", "before-restore-20260101-200000.sqlite")
    for name in names:
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    (tmp_path / "notes.txt").touch(0o644)
    (tmp_path / "notes.txt").chmod(0o644)
    start_app()
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in names} == {0o600}
    assert (tmp_path / "notes.txt").stat().st_mode & 0o777 == 0o644  # it is not ours
