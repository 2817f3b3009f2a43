"""Do the pages of docs/adding-a-game.md's game work without JavaScript: entered, refused, corrected, looked up, read?"""

from __future__ import annotations

import re
import sys
from importlib.metadata import EntryPoint

import pytest

from companion import GAMES_GROUP, games, languages
from companion.engine import GAMES
from tests import new_game
from tests.web.forms_on_a_page import PageReader
from tests.web.people import says

pytestmark = pytest.mark.sqlite


@pytest.fixture(scope="module")
def magpie(tmp_path_factory):
    """Yield the package as if it were installed; afterwards it is gone."""
    package = new_game.build(tmp_path_factory.mktemp("new"))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(package)
        games.add([EntryPoint("magpie", "magpie:PLUGIN", GAMES_GROUP)])
        patch.setattr(languages, "FOLDERS", [*languages.FOLDERS])
        languages.forget()
        yield
    languages.forget()
    for registry in (games.PLUGINS, GAMES):
        registry.pop("magpie")
    for module in [name for name in sys.modules if name.partition(".")[0] == "magpie"]:
        del sys.modules[module]


@pytest.fixture
def client(magpie, start_app):
    return start_app().test_client()


@pytest.fixture
def match(client):
    """Return the address of a match of Ana, Bo and Cy."""
    made = client.post("/tables", data={"table": "T", "game": "magpie", "person_0": "Ana", "person_1": "Bo", "person_2": "Cy"})
    link = made.location.removesuffix("/table")
    form = PageReader(client.get(made.location).text).form(f"{link}/matches")
    return client.post(form.action, data=form.unchanged()).location


def links(page):
    return set(re.findall(r'href="([^"]*)"', page.text))


def send(client, path, *gold):
    form = PageReader(client.get(path).text).form(path)
    return client.post(path, data={**dict(form.unchanged()), **{f"gold-{place}": one for place, one in enumerate(gold)}})


def test_what_is_refused_says_why_and_what_is_right_counts(client, match):
    page = client.get(f"{match}/round")
    assert says(page, "Round 1")
    assert says(page, "Save round 1")
    assert says(send(client, f"{match}/round", 7, 1, 1), "There are 10 gold cards, and these are 9.")
    assert says(send(client, f"{match}/round", 7, "", 1), "Enter a number for each player, 0 for none.")
    assert send(client, f"{match}/round", 7, 2, 1).location == match
    page = client.get(match)
    assert all(says(page, words) for words in ("Ana 7", "Bo 2", "Cy 1", "Enter round 2", "Bo deals", "Round 1 saved"))


def test_its_pages_and_refusals_are_said_in_the_languages_that_it_has(client, match):
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "fr"
    page = client.get(f"{match}/round")
    assert says(page, "Combien des dix cartes d’or chacun a-t-il prises ?")
    assert says(send(client, f"{match}/round", 7, 1, 1), "Il y a 10 cartes d’or, et en voici 9.")
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert says(client.get(f"{match}/round"), "How many of the ten gold cards did each of you take?")


def test_a_round_is_corrected_on_the_same_page(client, match):
    send(client, f"{match}/round", 7, 2, 1)
    page = client.get(f"{match}/entries/1")
    assert says(page, "Correct round 1")
    assert 'value="7"' in page.text
    assert send(client, f"{match}/entries/1", 4, 5, 1).location == match
    page = client.get(match)
    assert says(page, "Bo 5")
    assert says(page, "corrected by Ana")


def test_every_page_links_to_what_the_game_has(client, match):
    assert {"/may-i/magpie", "/tables/new?game=magpie"} <= links(client.get("/"))
    assert {f"{match}/may-i", "/rules/magpie"} <= links(client.get(match))
    assert client.get("/calculate/magpie").status_code == 404


def test_it_is_looked_up_and_read(client):
    asked = client.post("/may-i/magpie", data={"hand": ["silver-9", "gold-3"], "led": "silver"})
    assert says(asked, "Play silver 9")
    assert says(client.get("/rules/magpie"), "Each of the 10 gold cards that you took scores one.")


def test_a_table_goes_on_without_the_package(client, match, start_app, monkeypatch):
    send(client, f"{match}/round", 7, 2, 1)
    monkeypatch.delitem(games.PLUGINS, "magpie")
    monkeypatch.delitem(GAMES, "magpie")
    client = start_app().test_client()
    table = match.removesuffix("/m/1")
    for path in ("/", f"{table}/table", f"{table}/matches"):
        assert client.get(path).status_code == 200, path
    assert says(client.get(f"{table}/matches"), "which this Companion does not know")
    page = client.get(match)
    assert page.status_code == 404
    assert says(page, "This match is a game of “magpie”, which this Companion does not know.")
