"""Is every page said in the phone's language, whole, while two phones of a table differ?"""

from __future__ import annotations

import pytest
from flask import abort
from werkzeug.exceptions import default_exceptions

from companion.games import PLUGINS
from tests.five import FIVE
from tests.languages import made_up
from tests.web.people import Phone
from tests.web.said_on_a_page import unmarked

PEOPLE = ("Ana", "Bo", "Cy", "Di", "Eli", "Flo")


@pytest.fixture
def ana(app, spoken):
    """Return a phone that chose a made-up language, at a table."""
    phone = Phone(app)
    phone.client.set_cookie("language", made_up.LEFT_TO_RIGHT)
    return phone


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/tables/new", "/tables/new?game=bisque", "/tables/new?game=sheet"),
        *("/phone", "/reach", "/tables/import", "/offline", "/nowhere"),
    ],
)
def test_pages_without_a_table(ana, path):
    page = ana.get(path)
    assert (page.status_code, unmarked(page.text)) == (404 if path == "/nowhere" else 200, [])


def test_what_libraries_say_of_an_error_is_not_for_people(app, ana):
    @app.get("/<int:status>")
    def fail(status):
        abort(status)

    assert {status: found for status in default_exceptions if (found := unmarked(ana.get(f"/{status}").text))} == {}


@pytest.mark.parametrize("path", ["/table", "/links", "/matches", "/name", "/forget", "/people/new", "/people/1"])
def test_pages_of_a_table(ana, path):
    ana.make_table("Ana", "Bo", "Cy", name="Tuesday table")
    page = ana.open(path)
    assert (page.status_code, unmarked(page.text)) == (200, [])


@pytest.mark.parametrize("slug", FIVE)
class TestGames:
    def test_its_calculator_and_look_up(self, ana, slug):
        assert unmarked(ana.get(f"/calculate/{slug}").text) == []
        assert unmarked(ana.get(f"/may-i/{slug}").text) == []

    def test_every_page_of_a_match_that_begins(self, ana, table, open_match, slug):
        screens = PLUGINS[slug].screens
        fewest = PLUGINS[slug].game.seats[0]
        open_match(slug, PEOPLE[:fewest])
        pages = [f"/t/{table.play}/m/1", *(f"/t/{table.play}/m/1/{page}" for page in screens.pages if page != screens.main)]
        pages += [f"/t/{table.play}/m/1/see/{view}" for view in screens.views] + [f"/t/{table.play}/m/1/may-i"]
        assert {page: found for page in pages if (found := unmarked(ana.get(page).text))} == {}
