"""What answers in a phone that has all of Companion, and what does the server offer? make pocket tests the rest."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import brotli
import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, event

from companion.app import create_app
from companion.cli import main
from companion.pocket import Kept, Phone
from companion.settings import Settings
from companion.storage import migrations
from companion.storage.models import db
from companion.web.delivery import pocket, static_files
from tests.server import CHECKOUT
from tests.web.older import bring_to
from tests.web.people import words

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}

# opens a phone with this database, and with no module that pocket/inside.py leaves out of the library and the packages
IN_PHONE = """
import ast, sys
from pathlib import Path

inside, older, empty, folder = map(Path, sys.argv[1:])
parts = {}
for node in ast.parse(inside.read_text()).body:
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("NOT_OF_"):
        exec(compile(ast.Module([node], []), str(inside), "exec"), parts)
left_out = (*parts["NOT_OF_USE"], *parts["NOT_OF_THE_LIBRARY"])

class LeftOut:
    def find_spec(self, name, path=None, target=None):
        file = name.replace(".", "/")
        if f"{file}.py".startswith(left_out) or f"{file}/".startswith(left_out):
            raise ModuleNotFoundError(f"phones leave out {name}", name=name)

sys.meta_path.insert(0, LeftOut())
from companion.pocket import Kept, Phone, revision

phone = Phone(folder, Kept(older.read_bytes(), {}, "key"), empty=empty.read_bytes())
print(revision(phone.kept().database))
"""


@pytest.fixture
def phone(tmp_path, sqlite_file, compiled_templates):
    made = Phone(tmp_path / "one", empty=sqlite_file.read_bytes())
    made.app.jinja_env.bytecode_cache = compiled_templates
    return made


def token(answer):
    return re.search(r'name="csrf_token"[^>]*value="([^"]*)"', answer.text)[1]


def make_table(phone, name="Cabin"):
    """Make a table of four who play BeloZ; return the answer."""
    page = phone.answer("GET", "/pocket/tables/new?game=beloz")
    people = "&".join(f"person_{seat}={person}" for seat, person in enumerate(("Ana", "Bo", "Cy", "Di")))
    return phone.answer("POST", "/pocket/tables", FORM, f"csrf_token={token(page)}&table={name}&game=beloz&{people}")


def of_the_first_version(folder):
    """Make a database as the first version left it; return its file."""
    file = folder / "older.sqlite"
    engine = create_engine(f"sqlite:///{file}")
    bring_to(engine, "0001")
    engine.dispose()
    return file


class TestPhone:
    def test_its_pages_lead_to_the_phone_and_take_their_styles_from_where_the_servers_do(self, phone):
        home = phone.answer("GET", "/pocket/")
        assert home.status == 200
        leads = set(re.findall(r'(?:href|src|action)="(/[^"]*)"', home.text)) - {"/"}
        assert "/manifest.webmanifest" in leads  # a browser asks the server for it, past this phone's Companion
        leads.remove("/manifest.webmanifest")
        assert {address.split("/")[1] for address in leads} == {"pocket", "static"}
        assert not any("/static/" in address for address in leads if address.startswith("/pocket/"))

    def test_every_page_says_that_it_is_in_this_phone(self, phone):
        table = make_table(phone).url
        for address in ("/pocket/", table, "/pocket/rules", "/pocket/may-i/beloz", "/pocket/calculate/rivals"):
            assert "On this phone" in phone.answer("GET", address).text, address

    def test_it_takes_the_version_of_its_files_as_it_is_told(self, tmp_path, sqlite_file, monkeypatch):
        monkeypatch.setattr(static_files, "version_of", lambda *_: pytest.fail("a phone has no files to read"))
        phone = Phone(tmp_path / "told", empty=sqlite_file.read_bytes(), version="0123456789")
        assert phone.app.config["STATIC_VERSION"] == "0123456789"

    def test_nobody_is_invited_to_a_table_that_no_other_phone_can_reach(self, phone):
        page = make_table(phone)
        assert "Only this phone has this table." in page.text
        assert "/links" not in page.text
        assert "QR code" not in page.text

    def test_it_follows_where_an_answer_leads(self, phone):
        made = make_table(phone)
        assert made.redirected
        assert re.fullmatch(r"/pocket/t/[\w-]{22}/table", made.url)
        assert made.status == 200

    def test_what_a_page_puts_into_a_cookie_is_kept_until_it_is_taken_out(self, phone):
        sent = f"csrf_token={token(phone.answer('GET', '/pocket/tables/new?game=beloz'))}"
        for chosen, kept in (("dark", "dark"), ("light", "light"), ("auto", None)):
            page = phone.answer("POST", "/pocket/theme", FORM, f"{sent}&theme={chosen}&back=/pocket/rules%3Fq%3Da%252Bb%23top")
            assert (page.status, page.url, page.redirected) == (200, "/pocket/rules?q=a%2Bb", True)
            assert (f'data-theme="{kept}"' in page.text) == bool(kept)
            assert page.keep.cookies.get("theme") == kept
            assert 'value="a+b"' in page.text

    def test_an_entry_that_is_answered_with_the_matchs_page_leads_there(self, phone):
        table = make_table(phone)
        link = table.url.removesuffix("/table")
        players = "&".join(f"player={number}" for number in range(1, 5))
        phone.answer("POST", f"{link}/matches", FORM, f"csrf_token={token(table)}&game=beloz&{players}")
        deal = f"csrf_token={token(table)}&tap=passed-deal&expected_seq=0&idempotency_key=passed"
        answer = phone.answer("POST", f"{link}/m/1/who", {**FORM, "companion-fetch": "whole"}, deal)
        assert (answer.status, answer.url, answer.redirected) == (200, f"{link}/m/1", True)
        assert "Deal passed" in answer.text

    def test_what_was_done_is_handed_over_to_be_kept_and_what_was_only_seen_is_not(self, phone):
        made = make_table(phone)
        assert made.keep
        tables = phone.tables()
        assert tables.count == 1
        assert "Cabin" in tables.rows
        assert phone.answer("GET", made.url).keep is None

    def test_a_page_that_follows_another_one_keeps_nothing_anew(self, phone, tmp_path, sqlite_file):
        """Else the other one would follow it in turn, and so on without an end."""
        table = make_table(phone)
        link = table.url.removesuffix("/table")
        players = "&".join(f"player={number}" for number in range(1, 5))
        phone.answer("POST", f"{link}/matches", FORM, f"csrf_token={token(table)}&game=beloz&{players}")
        deal = f"csrf_token={token(table)}&tap=passed-deal&expected_seq=0&idempotency_key=passed"
        kept = phone.answer("POST", f"{link}/m/1/who", FORM, deal).keep
        other = Phone(tmp_path / "other", empty=sqlite_file.read_bytes())
        for page in (other, phone, other):
            page.load(kept)
            seen = page.answer("GET", f"{link}/m/1", {"Accept": "text/html", "Companion-Fetch": "parts"})
            assert seen.status == 200
            assert seen.keep is None

    def test_its_list_has_every_table_that_it_keeps(self, phone, tmp_path):
        for number in range(14):
            kept = make_table(phone, f"Table {number}").keep
        assert phone.tables().count == 14
        forgetful = Phone(tmp_path / "forgetful", replace(kept, cookies={}))  # as an unreadable cookie would be
        rows = forgetful.tables().rows
        assert all(f">Table {number}</h2>" in rows for number in range(14))

    def test_a_clock_that_was_years_ahead_or_behind_costs_nothing(self, phone, monkeypatch):
        now = time.time
        for years in (20, -20):
            with monkeypatch.context() as clock:
                clock.setattr(time, "time", lambda years=years: now() + years * 366 * 86_400)
                page = phone.answer("GET", make_table(phone, f"Year {years}").url)
            assert "You are Ana" in words(phone.answer("GET", page.url))
            assert make_table(phone, "Afterwards").status == 200
        sent = f"csrf_token={token(page)}&table=Lake&person_0=Ana"
        assert phone.answer("POST", "/pocket/tables", FORM, sent).status == 200  # a form of that time
        assert phone.tables().count == 5

    def test_it_goes_on_from_what_was_kept(self, phone, tmp_path):
        made = make_table(phone)
        page = phone.answer("GET", made.url)
        another = Phone(tmp_path / "another", made.keep)
        start = re.search(r'<form class="stack" id="start".*?</form>', page.text, re.DOTALL)[0]
        fields = re.findall(r'name="(\w+)" value="([^"]*)"', start)
        body = "&".join(f"{name}={value}" for name, value in fields)
        begun = another.answer("POST", made.url.replace("/table", "/matches"), FORM, body)  # the form is still good
        assert begun.status == 200, words(begun)
        assert begun.url.endswith("/m/1")

    def test_what_could_not_be_kept_was_never_done(self, phone):
        first = make_table(phone, "First")
        make_table(phone, "Second")
        phone.load(first.keep)
        home = phone.answer("GET", "/pocket/").text
        assert "First" in home
        assert "Second" not in home
        assert "storage is full" in phone.full(True)
        phone.answer("GET", "/pocket/", {"accept-language": "de"})
        assert "Der Speicher dieses Handys ist voll" in phone.full(True)

    def test_nothing_was_kept_yet(self, phone):
        make_table(phone)
        phone.load(None)
        assert "Cabin" not in phone.answer("GET", "/pocket/").text

    def test_of_a_table_that_was_removed_nothing_can_be_read(self, phone):
        with phone.app.app_context():  # as SQLite is where nobody compiled it otherwise
            db.engine.dispose()
            event.listen(db.engine, "connect", lambda connection, _: connection.execute("PRAGMA secure_delete = OFF"))
        kept = make_table(phone, "Cabin in the woods").keep
        for name in (b"Cabin in the woods", b"Ana"):
            assert name in kept.database
        link = make_table(phone, "Lake house").url.removesuffix("/table")
        removed = phone.answer("POST", f"{link}/forget", FORM, f"csrf_token={token(phone.answer('GET', '/pocket/'))}")
        assert b"Lake house" not in removed.keep.database
        assert b"Cabin in the woods" in removed.keep.database
        (link,) = re.findall(r'href="(/pocket/t/[^/"]*)', phone.tables().rows)
        removed = phone.answer("POST", f"{link}/forget", FORM, f"csrf_token={token(phone.answer('GET', '/pocket/'))}")
        assert not any(name in removed.keep.database for name in (b"Cabin", b"Ana", b"Di"))
        assert "Ana" not in phone.answer("GET", "/pocket/tables/new?game=beloz").text

    def test_an_older_database_is_brought_up_to_date(self, tmp_path, sqlite_file):
        file = of_the_first_version(tmp_path)
        older = Kept(file.read_bytes(), {}, "key")
        phone = Phone(tmp_path / "phone", older, empty=sqlite_file.read_bytes())
        make_table(phone)
        phone.load(older)  # a page that was open before the update has saved meanwhile
        make_table(phone)
        assert phone.tables().count == 1

    def test_an_older_database_needs_no_module_that_phones_leave_out(self, tmp_path, sqlite_file):
        file = of_the_first_version(tmp_path)
        run = [sys.executable, "-c", IN_PHONE, CHECKOUT / "pocket" / "inside.py", file, sqlite_file, tmp_path / "phone"]
        told = subprocess.run(run, cwd=CHECKOUT, capture_output=True, text=True, timeout=100)
        assert told.stdout.strip() == migrations.newest(), told.stderr

    def test_a_database_of_a_newer_companion_is_never_touched(self, phone, tmp_path):
        kept = make_table(phone).keep
        file = tmp_path / "newer.sqlite"
        file.write_bytes(kept.database)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
            connection.commit()
        newer = replace(kept, database=file.read_bytes())
        with pytest.raises(migrations.NewerDatabase):
            phone.load(newer)
        with pytest.raises(migrations.NewerDatabase):
            Phone(tmp_path / "another", newer, empty=kept.database)


@pytest.fixture
def folder(tmp_path):
    """Return what make pocket leaves, but smaller."""
    made = tmp_path / "pocket_files"
    made.mkdir()
    (made / "pyodide.asm.wasm.br").write_bytes(brotli.compress(b"wasm" * 400_000))
    for number in range(2):
        (made / f"more.zip.{number}.br").write_bytes(brotli.compress(bytes([number]) * 5_000))
    files = {
        "pyodide.asm.wasm": {"size": 1_600_000, "sent": 1_190_000, "parts": [1_600_000], "hash": "of-its-content"},
        "more.zip": {"size": 10_000, "sent": 10_000, "parts": [5_000, 5_000]},
    }
    sources = pocket.sources(static_files.PACKAGE, static_files.asset_folder("templates"))
    told = {"sources": sources, "version": "0123456789", "schema": "0007", "files": files}
    (made / "files.json").write_text(json.dumps(told))
    return made


def make_older(folder):
    """Let what was built be of another Companion."""
    told = json.loads((folder / "files.json").read_text())
    (folder / "files.json").write_text(json.dumps({**told, "sources": "older"}))


@pytest.fixture
def server(tmp_path, sqlite_file, folder):
    own = tmp_path / "own.sqlite"
    shutil.copy(sqlite_file, own)

    def start():
        settings = Settings.read({"COMPANION_INSTANCE": str(tmp_path), "DATABASE_URL": f"sqlite:///{own}"})
        return create_app(settings, {"SECRET_KEY": "only for tests", "POCKET_FILES": folder}).test_client()

    return start


class TestOffer:
    def test_it_says_how_much_there_is_to_load(self, server):
        assert "Download (1 MB)" in words(server().get("/"))

    def test_every_page_says_that_it_is_at_the_server(self, server):
        phone = server()
        fields = {"csrf_token": token(phone.get("/tables/new?game=beloz")), "table": "Cabin", "game": "beloz"}
        people = {f"person_{seat}": person for seat, person in enumerate(("Ana", "Bo", "Cy", "Di"))}
        table = phone.post("/tables", data={**fields, **people}).location.removesuffix("/table")
        assert phone.post(f"{table}/matches", data={**fields, "player": ["1", "2", "3", "4"]}).location == f"{table}/m/1"
        public = (
            "/",
            "/tables/new",
            "/tables/import",
            "/rules",
            "/rules/beloz",
            "/may-i/rivals",
            "/calculate/bisque",
            "/phone",
        )
        of_table = ("/table", "/links", "/matches", "/name", "/forget", "/people/new", "/people/1")
        of_match = ("", "/who", "/declarations", "/count", "/see/history", "/may-i", "/undo")
        addresses = [*public, "/phone", "/practice/beloz/1", "/offline", "/nowhere", *(table + page for page in of_table)]
        for address in [*addresses, *(f"{table}/m/1{page}" for page in of_match)]:
            page = phone.get(address, follow_redirects=True)
            assert "On the server" in words(page), address
        start = words(phone.get("/pocket/"))
        assert "On this phone" in start
        assert "On the server" not in start

    def test_the_list_names_the_files_and_what_its_pages_need(self, server):
        phone = server()
        told = phone.get("/pocket/files.json").json
        assert (told["schema"], told["sent"]) == ("0007", 1_200_000)
        address = told["base"] + "pyodide.asm.wasm"
        its = {"size": 1_600_000, "sent": 1_190_000, "hash": "of-its-content", "type": "application/wasm"}
        assert {"url": address, **its, "parts": [{"url": address, "size": 1_600_000}]} in told["files"]
        assert told["worker"] in told["assets"]
        for address in (told["worker"], told["base"] + "pyodide.asm.wasm", "/pocket/", "/pocket/t/any/table"):
            assert phone.get(address).status_code == 200, address

    def test_a_guest_of_another_phone_keeps_what_it_needs_without_a_server(self, server, folder):
        (folder / "qr.mjs.br").write_bytes(brotli.compress(b"draw"))
        told = json.loads((folder / "files.json").read_text())
        told["files"]["qr.mjs"] = {"size": 4, "sent": 8, "parts": [4]}
        (folder / "files.json").write_text(json.dumps(told))
        phone = server()
        kept = json.loads(re.match(r"self\.companion = (\{.*\});\n", phone.get("/sw.js").text)[1])
        assert "/pocket/files/0123456789/qr.mjs" in kept["assets"]
        assert "immutable" in phone.get("/pocket/files/0123456789/qr.mjs").headers["Cache-Control"]
        assert "/pocket/" in kept["pages"]
        assert phone.get("/pocket/").headers["Companion-Keep"].split(" ")[0] == kept["version"]

    def test_a_phone_hears_of_a_new_companion_whichever_of_its_files_changed(self, server, folder, monkeypatch):
        def heard():
            phone = server()
            told = phone.get("/pocket/files.json").json["version"]
            assert f'data-version="{told}"' in phone.get("/").text
            return told

        first = heard()
        assert heard() == first
        with monkeypatch.context() as changed:
            changed.setattr(static_files, "version_of", lambda *_: "abcdef0123")  # one script
            assert heard() != first
        told = json.loads((folder / "files.json").read_text())
        (folder / "files.json").write_text(json.dumps({**told, "version": "9876543210"}))  # one template
        assert heard() != first

    def test_it_says_how_much_room_it_takes(self, server):
        assert "1 MB to load, 38 MB on the phone." in words(server().get("/"))  # 36 of it to start in a moment

    @pytest.mark.parametrize(("accepted", "coding"), [("br", "br"), ("gzip", None)])
    def test_a_file_is_sent_as_small_as_the_browser_takes_it(self, server, accepted, coding):
        answer = server().get("/pocket/files/0123456789/pyodide.asm.wasm", headers={"Accept-Encoding": accepted})
        assert answer.headers.get("Content-Encoding") == coding
        assert answer.mimetype == "application/wasm"
        assert "immutable" in answer.headers["Cache-Control"]
        assert len(brotli.decompress(answer.data) if coding else answer.data) == 1_600_000

    def test_a_large_file_is_sent_in_parts(self, server):
        phone = server()
        (more,) = [file for file in phone.get("/pocket/files.json").json["files"] if file["url"].endswith("/more.zip")]
        assert [part["size"] for part in more["parts"]] == [5_000, 5_000]
        sent = [phone.get(part["url"], headers={"Accept-Encoding": "br"}) for part in more["parts"]]
        assert b"".join(brotli.decompress(part.data) for part in sent) == bytes(5_000) + b"\1" * 5_000
        assert {part.mimetype for part in sent} == {"application/zip"}
        for other in ("more.zip", "more.zip.2", "more.zip.-1", "pyodide.asm.wasm.0"):
            assert phone.get(f"/pocket/files/0123456789/{other}").status_code == 404

    def test_only_the_workers_own_script_may_run_webassembly(self, server):
        phone = server()
        policy = phone.get(phone.get("/pocket/files.json").json["worker"]).headers["Content-Security-Policy"]
        assert "'wasm-unsafe-eval'" in policy
        for address in ("/", "/pocket/", "/pocket/t/any/table", "/pocket/files/0123456789/pyodide.asm.wasm"):
            assert "wasm" not in phone.get(address).headers["Content-Security-Policy"], address

    def test_nothing_is_offered_that_was_not_built(self, server, folder):
        (folder / "files.json").unlink()
        assert "Download (" not in server().get("/").text
        assert server().get("/pocket/files.json").status_code == 404

    def test_nothing_is_offered_that_is_another_companion_by_now(self, server, folder, caplog):
        make_older(folder)
        assert "Download (" not in server().get("/").text
        assert server().get("/pocket/files.json").status_code == 404
        assert caplog.text == ""

    def test_of_all_commands_the_one_that_serves_phones_says_so(self, folder, tmp_path, monkeypatch, caplog):
        def start_and_stop(start, *_place, log_requests):
            start()
            return 0

        make_older(folder)
        monkeypatch.setattr(pocket, "FOLDER", folder)
        monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path))
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'own.sqlite'}")
        monkeypatch.setitem(sys.modules, "companion.server", SimpleNamespace(serve=start_and_stop))
        assert "No table" in CliRunner().invoke(main, ["export", "none", str(tmp_path / "table.json")]).stderr
        assert "make pocket" not in caplog.text
        assert CliRunner().invoke(main, ["run"]).exit_code == 0
        assert "since make pocket" in caplog.text

    def test_other_files_are_nobodys(self, server):
        assert server().get("/pocket/files/0123456789/other").status_code == 404
        assert server().get("/pocket/files/older/pyodide.asm.wasm").status_code == 404
