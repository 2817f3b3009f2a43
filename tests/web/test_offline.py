"""Which pages may a phone keep for when it has no network, and what is the service worker told?"""

from __future__ import annotations

import json
import re

import pytest

from companion.web.delivery import offline
from tests.web.people import Phone, says

pytestmark = pytest.mark.sqlite


@pytest.fixture
def ana(app):
    return Phone(app).make_table("Ana", "Bo", "Cy", "Di")


def kept(answer):
    """Return the tables that the answer names beside itself; None if it may not be kept."""
    told = answer.headers.get("Companion-Keep")
    return None if told is None else told.split(" ")[1:]


def worker(phone):
    """Return what the service worker is told."""
    return json.loads(re.match(r"self\.companion = (\{.*\});\n", phone.get("/sw.js").text)[1])


class TestPages:
    def test_a_phone_may_keep_its_own_tables(self, app, ana):
        ana.send("/matches", game="beloz")
        for path in ("/table", "/matches", "/m/1", "/m/1/who", "/m/1/may-i", "/m/1/see/history"):
            assert kept(ana.open(path)) == [ana.link], path
        assert kept(ana.get("/")) == [ana.link]

    def test_it_may_keep_what_belongs_to_nobody(self, app):
        stranger = Phone(app)
        for path in ("/", "/offline", "/rules", "/rules/bisque", "/may-i/beloz", "/calculate/rivals"):
            assert kept(stranger.get(path)) == [], path

    def test_every_kind_of_page_that_may_be_kept_exists(self, app):
        assert set(app.view_functions) >= offline.PUBLIC | offline.OF_A_TABLE

    def test_it_keeps_no_table_that_it_was_only_led_to(self, app, ana):
        led = Phone(app)
        answer = led.client.get(f"{ana.link}/table", headers={"Sec-Fetch-Site": "cross-site"})
        assert (answer.status_code, kept(answer)) == (200, None)

    def test_links_codes_and_what_was_asked_for_stay_out(self, ana):
        ana.send("/matches", game="beloz")
        paths = ("/links", "/join", "/forget", "/name", "/people/new", "/table.json", "/stream", "/qr.svg", "/m/1/record.json")
        for path in (*paths, "/m/1?x=1", "/m/2"):
            with ana.client.get(f"{ana.link}{path}", buffered=False) as answer:
                assert kept(answer) is None, path
        for path in ("/tables/new", "/rules?q=lion", "/may-i/beloz?subject=x", "/nothing", "/healthz", "/sw.js"):
            assert kept(ana.get(path)) is None, path

    def test_no_answer_to_a_form_is_kept_and_no_hand(self, ana):
        ana.send("/matches", game="bisque")
        for answer in (
            ana.client.post("/may-i/beloz", data={"flooded": "south", "hand": "south-lion", "ask": "check"}),
            ana.send("/m/1/goal", cook="0", goal="ace-moons", ask="goal"),
            ana.send("/m/1/hand", ask="preview"),
        ):
            assert kept(answer) is None

    def test_a_table_that_was_removed_is_named_no_more(self, ana):
        ana.send("/forget")
        assert kept(ana.get("/")) == []

    def test_what_is_said_once_is_left_to_who_looks(self, ana):
        ana.send("/forget")
        quietly = ana.client.get("/", headers={"Companion-Fetch": "parts"})
        assert not says(quietly, "is removed from this phone")
        assert says(ana.get("/"), "is removed from this phone")


class TestWorker:
    def test_it_is_at_the_root_and_always_asked_for(self, ana):
        answer = ana.get("/sw.js")
        assert answer.mimetype == "text/javascript"
        assert answer.headers["Cache-Control"] == "no-cache"
        assert 'data-worker="/sw.js"' in ana.get("/").text

    def test_everything_that_it_brings_along_is_there_and_of_its_version(self, ana):
        told = worker(ana)
        for address in told["assets"]:
            assert address.startswith(f"/static/{told['version']}/")
            assert "immutable" in ana.get(address).headers["Cache-Control"]
        for address in told["pages"]:
            assert ana.get(address).headers["Companion-Keep"].split(" ")[0] == told["version"]

    def test_every_style_script_and_drawing_of_a_page_comes_along(self, ana):
        ana.send("/matches", game="beloz")
        brought = {*worker(ana)["assets"]}
        for path in ("/table", "/m/1"):
            page = ana.open(path).text
            asked = {*re.findall(r'<link rel="stylesheet" href="([^"]+)"|<script type="module" src="([^"]+)"', page)}
            drawn = set(re.findall(r'href="(/static/[^"#]+)#', page))
            assert {one or other for one, other in asked} | drawn <= brought


class TestSwitchedOff:
    @pytest.fixture
    def environment(self):
        return {"COMPANION_SERVICE_WORKER": "no"}

    def test_the_worker_goes_and_no_page_is_kept(self, app):
        phone = Phone(app)
        script = phone.get("/sw.js").text
        assert "registration.unregister()" in script
        assert "caches.delete" in script
        assert "fetch" not in script
        page = phone.get("/rules")
        assert "data-worker" not in page.text
        assert kept(page) is None


def test_a_link_that_leads_nowhere_says_that_nothing_of_it_stays(app, ana):
    ana.send("/matches", game="beloz")
    assert "Companion-Gone" not in ana.get(f"{ana.link}/m/9").headers  # the table is there, the match is not
    old = ana.link
    ana.send("/links", do="play")
    for path in ("", "/table", "/m/1"):
        assert "Companion-Gone" in Phone(app).get(f"{old}{path}").headers
    assert "Companion-Gone" not in ana.get("/nowhere").headers
