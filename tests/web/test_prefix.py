"""Does all of Companion stay below a path, if whoever runs it or a proxy puts it there?"""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import urlencode, urljoin, urlsplit

import pytest

from companion.pocket import Phone
from companion.settings import Settings, StartupError
from tests.five import FIVE

BELOW = "/house/club"
TOLD = {"X-Forwarded-Prefix": BELOW}
ADDRESS = re.compile(r'\s(?:href|src|action|formaction|content|poster|data-[\w-]+)="(/[^"]*)"')
OF_ONE_KIND = re.compile(r"(?<=/t/)[^/]+|\d+")  # of pages that differ by a number or a link, one is looked at
LINK = re.compile(r'\shref="(/[^"]*)"')
PEOPLE = {"table": "Kitchen", "game": "beloz"} | {f"person_{seat}": name for seat, name in enumerate(("Ana", "Bo", "Cy", "Di"))}


@pytest.fixture
def environment():
    return {"COMPANION_PROXIES": "1"}


def leaves(address: str) -> bool:
    return not urlsplit(address).path.startswith(f"{BELOW}/")


def see(client, address, headers):
    """Open a page; return the answer after looking at all the addresses that it and its headers name."""
    answer = client.get(address, headers=headers)
    named = [unescape(each) for each in ADDRESS.findall(answer.text)] if answer.mimetype == "text/html" else []
    named += [answer.headers[name] for name in ("Location", "Content-Location") if name in answer.headers]
    named += [re.search(r"Path=([^;]*)", cookie)[1] for cookie in answer.headers.getlist("Set-Cookie")]
    named += answer.headers.get("Companion-Keep", "").split()[1:]
    assert [each for each in named if leaves(each)] == [], address
    return answer, named


def crawl(client, start, headers):
    """Open one page of each kind to which pages lead, from ``start`` on; return their paths."""
    waiting, seen = list(start), set()
    while waiting:
        address = waiting.pop()
        path = urlsplit(address).path
        if (kind := OF_ONE_KIND.sub("#", path)) in seen:
            continue
        seen.add(kind)
        answer, _ = see(client, address, headers)
        if not path.startswith(f"{BELOW}/pocket/"):  # which only a phone with Companion answers
            assert answer.status_code not in {404, 500}, address
        if answer.mimetype == "text/html":
            waiting += (urljoin(address, unescape(each)) for each in LINK.findall(answer.text))
    return seen


def test_no_page_names_an_address_outside(app):
    ana = app.test_client()
    made = ana.post(f"{BELOW}/tables", data=PEOPLE, headers=TOLD)
    table = made.location.removesuffix("/table")
    matches = []
    for game in (*FIVE, "sheet"):
        begun = ana.post(f"{table}/matches", data={"game": game, "sheet": "skull-king"}, headers=TOLD)
        assert not leaves(begun.location)
        matches.append(begun.location)
    ana.post(f"{BELOW}/theme", data={"theme": "dark", "back": f"{BELOW}/rules"}, headers=TOLD)
    seen = crawl(ana, [f"{BELOW}/", made.location, *matches, f"{BELOW}/components", f"{BELOW}/api/v1/"], TOLD)
    kinds = {f"{BELOW}{kind}" for kind in ("/", "/rules/beloz", "/t/#/m/#", "/phone", "/practice")}
    assert kinds <= seen
    assert len(seen) > 120


def test_cookies_belong_to_this_companion_alone(app):
    ana = app.test_client()
    for address, form in (("/theme", {"theme": "dark"}), ("/language", {"language": "fr"}), ("/tables", PEOPLE)):
        answer = ana.post(BELOW + address, data=form, headers=TOLD)
        assert f"; Path={BELOW}/" in answer.headers["Set-Cookie"], address
    assert "Path=/;" in app.test_client().post("/theme", data={"theme": "dark"}).headers["Set-Cookie"]


def test_its_cookie_by_https_has_a_name_that_browsers_take_below_a_path(start_app, monkeypatch):
    app = start_app()
    app.config.update(SESSION_COOKIE_NAME="__Host-companion", SESSION_COOKIE_SECURE=True)
    ana = app.test_client()
    kept = ana.post(f"{BELOW}/tables", data=PEOPLE, headers=TOLD).headers["Set-Cookie"]
    assert kept.startswith("__Secure-companion=")
    assert ana.get(f"{BELOW}/", headers=TOLD, base_url="https://localhost").text.count("Kitchen") >= 1


def test_the_address_without_its_last_slash_leads_home(app):
    answer = app.test_client().get(BELOW, headers=TOLD)
    assert (answer.status_code, answer.location) == (308, f"{BELOW}/")


def test_a_proxy_may_cut_the_path_off_before_it_asks(app):
    _, named = see(app.test_client(), "/rules", TOLD)
    assert f"{BELOW}/rules/beloz" in named


@pytest.mark.parametrize("told", ["//evil.example", "/a b", "https://evil.example", "/a?b", "/..", "/a/../b", "/a\\b", "club"])
def test_what_is_no_path_counts_for_nothing(app, told):
    answer = app.test_client().get("/rules", headers={"X-Forwarded-Prefix": told})
    assert ADDRESS.findall(answer.text)[0] == "/sw.js"


def test_a_phone_installs_what_lies_below(app):
    client = app.test_client()
    manifest = client.get(f"{BELOW}/manifest.webmanifest", headers=TOLD).json
    assert {manifest[name] for name in ("id", "start_url", "scope")} == {f"{BELOW}/"}
    worker = client.get(f"{BELOW}/sw.js", headers=TOLD).text
    listed = json.loads(worker.partition("self.companion = ")[2].partition(";\n")[0])
    assert len(listed["assets"]) > 50
    assert [each for each in (*listed["assets"], *listed["pages"]) if leaves(each)] == []


class TestWithoutAProxyThatTells:
    @pytest.fixture
    def environment(self):
        return {"COMPANION_PREFIX": f"{BELOW}/"}

    def test_a_setting_does(self, app):
        ana = app.test_client()
        for address in (f"{BELOW}/rules", "/rules"):  # as the proxy asks
            _, named = see(ana, address, {})
            assert f"{BELOW}/rules/beloz" in named

    def test_nobody_else_says_where_it_is(self, app):
        see(app.test_client(), "/rules", {"X-Forwarded-Prefix": "/elsewhere"})

    def test_a_code_to_scan_names_the_path_once(self, app):
        for public in ("https://cards.example", f"https://cards.example{BELOW}"):
            app.config["PUBLIC_URL"] = public
            ana = app.test_client()
            table = ana.post(f"{BELOW}/tables", data=PEOPLE).location.removesuffix("/table")
            page = ana.get(f"{table}/links").text
            assert f"https://cards.example{table}" in page

    def test_a_path_has_to_be_one(self):
        with pytest.raises(StartupError, match=r"COMPANION_PREFIX is 'club'. It takes a path like /companion."):
            Settings.read({"COMPANION_PREFIX": "club"})


def test_the_phones_own_companion_lies_below_too(tmp_path, sqlite_file, compiled_templates):
    phone = Phone(tmp_path / "one", empty=sqlite_file.read_bytes(), root=BELOW)
    phone.app.jinja_env.bytecode_cache = compiled_templates
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for address in ("/", "/rules/beloz", "/tables/new?game=beloz", "/practice", "/more"):
        page = phone.answer("GET", f"{BELOW}/pocket{address}")
        assert page.status == 200, address
        outside = [each for each in ADDRESS.findall(page.text) if not each.startswith((f"{BELOW}/pocket/", f"{BELOW}/static/"))]
        assert set(outside) <= {f"{BELOW}/", f"{BELOW}/manifest.webmanifest"}  # the server's home page and manifest
    token = re.search(r'name="csrf_token"[^>]*value="([^"]*)"', phone.answer("GET", f"{BELOW}/pocket/tables/new").text)[1]
    made = phone.answer("POST", f"{BELOW}/pocket/tables", form, f"csrf_token={token}&{urlencode(PEOPLE)}")
    assert made.url.startswith(f"{BELOW}/pocket/t/")
    link = f"link={BELOW}/t/somewhere"
    noted = phone.answer("POST", f"{made.url.removesuffix('/table')}/origin", form, f"csrf_token={token}&{link}")
    assert noted.status == 200
    elsewhere = phone.answer("POST", f"{made.url.removesuffix('/table')}/origin", form, f"csrf_token={token}&link=/t/elsewhere")
    assert elsewhere.status == 400
