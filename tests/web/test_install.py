"""Is Companion on a home screen? A manifest for each table, and the phone's tables in the browser behind the icon."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from companion.storage.models import now
from companion.tables import handover
from tests.web.people import Phone, says, words


@pytest.fixture
def ana(app):
    return Phone(app).make_table("Ana", "Bo", name="Kitchen")


def code_of(phone):
    """Return the code that the phone shows, as somebody reads it."""
    shown = phone.client.post("/phone")
    assert shown.headers["Cache-Control"] == "no-store"
    return re.search(r'<b aria-hidden="true">(\w{4} \w{4})</b>', shown.text)[1]


def test_the_page_about_the_icon_says_that_its_storage_is_its_own(ana):
    assert "tables that are only on this phone stay in the browser" in ana.get("/phone").text


class TestManifest:
    def test_the_icon_of_a_table_opens_it(self, ana):
        address = re.search(r'<link rel="manifest" href="([^"]+)"', ana.open().text)[1]
        answer = ana.get(address)
        assert answer.mimetype == "application/manifest+json"
        assert (answer.json["name"], answer.json["start_url"], answer.json["id"]) == ("Kitchen", ana.link, ana.link)
        assert answer.json["scope"] == "/"

    def test_every_other_page_is_companion_itself(self, ana):
        address = re.search(r'<link rel="manifest" href="([^"]+)"', ana.get("/rules").text)[1]
        assert (ana.get(address).json["name"], ana.get(address).json["start_url"]) == ("Companion", "/")

    def test_a_watch_link_installs_the_watch_link(self, app, ana):
        watch = re.search(r'id="field-watch-link"[^>]*value="http://[^/]+(/t/[^"]+)"', ana.open("/links").text)[1]
        told = Phone(app).get(f"{watch}/manifest.webmanifest")
        assert told.json["start_url"] == watch
        assert ana.link not in told.text

    def test_its_icons_and_pictures_are_there_with_their_sizes(self, ana):
        told = ana.get("/manifest.webmanifest").json
        assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"] if icon.get("purpose") == "maskable"}
        for picture in (*told["icons"], *told["screenshots"]):
            answer = ana.get(picture["src"])
            assert answer.mimetype == picture["type"]
            if picture["sizes"] != "any":
                size = f"{int.from_bytes(answer.data[16:20])}x{int.from_bytes(answer.data[20:24])}"
                assert size == picture["sizes"]


class TestTablesComeAlong:
    def test_by_a_code_that_is_typed_where_tables_codes_are(self, app, ana):
        icon = Phone(app)
        answer = icon.client.post("/join", data={"code": code_of(ana).lower()})
        assert (answer.status_code, answer.location) == (303, "/")
        home = icon.get("/")
        assert says(home, "Kitchen")
        assert says(home, "1 table is now on this phone.")
        assert not says(icon.get("/"), "is now on this phone")
        assert icon.get(ana.link).location == f"{ana.link}/table"  # nobody is asked who this is: it is Ana's phone

    def test_once(self, app, ana):
        code = code_of(ana)
        assert Phone(app).client.post("/join", data={"code": code}).status_code == 303
        again = Phone(app)
        refused = again.client.post("/join", data={"code": code})
        assert refused.status_code == 422
        assert says(refused, "That code doesn’t work. It is good once, for 10 minutes.")
        assert not says(again.get("/"), "Kitchen")

    def test_not_for_long(self, app, ana, monkeypatch):
        code = code_of(ana)
        monkeypatch.setattr(handover, "now", lambda: now() + handover.GOOD_FOR + timedelta(seconds=1))
        assert Phone(app).client.post("/join", data={"code": code}).status_code == 422

    def test_a_browser_that_has_tables_stays_who_it_is(self, app, ana):
        bo = Phone(app).make_table("Bo", name="Attic")
        own = bo.link
        bo.client.post("/join", data={"code": code_of(ana)})
        home = words(bo.get("/"))
        assert "Kitchen" in home
        assert "Attic" in home
        assert bo.get(own).location == f"{own}/table"  # still Bo there
        assert bo.get(ana.link).location == f"{ana.link}/join"  # and nobody yet here

    def test_the_sheets_that_a_phone_keeps_come_along(self, app):
        maker, icon, other = Phone(app), Phone(app), Phone(app).make_table("Cy", "Di", name="Attic")
        for phone, name in ((maker, "Sevens"), (icon, "Nines"), (other, "Fives")):
            phone.client.post("/more/make", data={"name": name})
        for there, kept in ((icon, ["Nines", "Sevens"]), (other, ["Nines", "Sevens", "Fives"])):
            assert there.client.post("/join", data={"code": code_of(maker)}).status_code == 303
            assert re.findall(r"<b>(\w+)</b><small>", there.get("/more", group="own").text) == kept
        assert says(other.get("/"), "Attic")  # it is still who it was
        again = maker.client.post("/join", data={"code": code_of(other)})  # and back
        assert again.status_code == 303
        assert says(maker.get("/more", group="own"), "Fives")

    def test_a_phone_without_tables_has_nothing_to_bring(self, app):
        phone = Phone(app)
        assert 'action="/phone"' not in phone.get("/phone").text
        assert phone.client.post("/phone").status_code == 422

    def test_codes_that_nobody_typed_are_cleared_away(self, app, ana, monkeypatch):
        code_of(ana)
        monkeypatch.setattr(handover, "now", lambda: now() + timedelta(hours=1))
        code_of(ana)
        with app.app_context():
            assert len(handover.db.session.scalars(handover.db.select(handover.Handover)).all()) == 1


class TestTooMany:
    @pytest.fixture
    def settings(self):
        return {"WTF_CSRF_ENABLED": False}

    def test_wrong_codes_of_this_kind_are_counted_too(self, app):
        stranger = Phone(app)
        answers = [stranger.client.post("/join", data={"code": "2222 2222"}).status_code for _ in range(11)]
        assert answers == [422] * 10 + [429]


def test_where_browsers_allow_nothing_it_says_what_and_why(ana):
    assert says(ana.client.get("/phone", base_url="http://192.168.0.7:8000"), "and this page came by http://.")
    for trusted in ("https://cards.example", "http://localhost:8000", "http://127.0.0.1", "http://[::1]:8000"):
        assert not says(ana.client.get("/phone", base_url=trusted), "and this page came by http://.")
