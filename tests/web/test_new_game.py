"""Do the pages of docs/adding-a-game.md's game work without JavaScript: entered, refused, corrected, looked up, read?"""

from __future__ import annotations

import re
import sys
from importlib.metadata import EntryPoint
from io import BytesIO

import pytest

from companion import GAMES_GROUP, games, languages
from companion.engine import GAMES, PACKAGES
from companion.storage.models import Table, db
from tests import new_game
from tests.web.forms_on_a_page import PageReader
from tests.web.people import says, words

pytestmark = pytest.mark.sqlite


@pytest.fixture(scope="module")
def magpie():
    """Yield the package as if it were installed; afterwards it is gone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(new_game.PACKAGE)
        games.add([EntryPoint("magpie", "magpie:PLUGIN", GAMES_GROUP)])
        patch.setattr(languages, "FOLDERS", [*languages.FOLDERS])
        languages.forget()
        yield
    languages.forget()
    for registry in (games.PLUGINS, GAMES, PACKAGES):
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


def test_the_big_screen_has_a_plain_picture_for_it(client, match):
    send(client, f"{match}/round", 7, 2, 1)
    page = client.get(f"{match.partition('/m/')[0]}/screen", follow_redirects=True)
    assert re.findall(r'class="score"[^>]*>(\d+)<', page.text) == ["7", "2", "1"]
    leading = re.findall(r'<li class="piece column fill side ahead">.*?<span>(\w+)</span>', page.text, re.DOTALL)
    assert leading == ["Ana"]
    assert page.text.count("is ahead") == 1
    assert all(says(page, words) for words in ("Magpie", "Bo deals"))
    old = re.search(r"localhost(/old/[\w-]+)", client.get(f"{match.partition('/m/')[0]}/big").text)[1]
    page = client.get(old, follow_redirects=True)
    assert all(says(page, words) for words in ("Magpie", "Bo deals", "is ahead"))


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


NEEDED = {
    "en": "It needs the package “magpie”, which is not installed here. Nothing is lost.",
    "fr": "Il lui faut le paquet « magpie », qui n’est pas installé ici. Rien n’est perdu.",
    "de": "Sie braucht das Paket „magpie“, das hier nicht installiert ist. Nichts ist verloren.",
}
RECORD = {"format": "companion-record/1", "game": "magpie", "players": ["Ana", "Bo", "Cy"], "events": []}


class TestTakenAway:
    """The package was taken away after a round that it had counted."""

    @pytest.fixture
    def table(self, match):
        return match.removesuffix("/m/1")

    @pytest.fixture
    def away(self, client, match):
        send(client, f"{match}/round", 7, 2, 1)
        with pytest.MonkeyPatch.context() as patch:
            for registry in (games.PLUGINS, GAMES, PACKAGES):
                patch.delitem(registry, "magpie")
            yield patch

    @pytest.fixture
    def without(self, away, start_app, table):
        phone = start_app().test_client()
        phone.get(table)
        return phone

    @pytest.mark.parametrize("code", NEEDED)
    def test_its_matches_say_which_package_they_need(self, without, match, table, code):
        without.environ_base["HTTP_ACCEPT_LANGUAGE"] = code
        for path, status in ((match, 404), (f"{match}/proof", 404), (f"{table}/matches", 200), (f"{table}/table", 200)):
            page = without.get(path)
            assert page.status_code == status, path
            assert NEEDED[code] in words(page).replace("\u202f", " "), path

    def test_every_page_of_the_table_answers(self, without, table):
        """Those of the match with that sentence, those of the table as ever, for players and for onlookers."""
        token = table.rpartition("/")[2]
        with without.application.app_context():
            watch = db.session.scalar(db.select(Table.watch_token).where(Table.play_token == token))
        parts = {"number": 1, "seq": 1, "page": "round", "view": "round", "slug": "hearts"}
        for rule in without.application.url_map.iter_rules():
            if "GET" in rule.methods and "token" in rule.arguments and rule.endpoint != "stream.follow":
                for link in (token, watch):
                    _, path = rule.build({**{name: parts.get(name) for name in rule.arguments}, "token": link})
                    answer = without.get(path)
                    assert answer.status_code < 500, path
                    if answer.status_code == 404 and "/m/<int:number>" in rule.rule:
                        assert NEEDED["en"] in words(answer), path

    def test_programs_are_told_that_the_game_is_not_there(self, without):
        answer = without.post("/api/v1/replay", json=RECORD)
        assert answer.status_code == 422
        assert "there is no game “magpie”" in answer.text

    def test_the_table_is_exported_with_it_and_taken_along_without_it(self, without, table):
        file = without.get(f"{table}/table.json").data
        assert b'"gold":[7,2,1]' in file
        answer = without.post("/tables/import", data={"file": (BytesIO(file), "table.json")}, follow_redirects=True)
        assert says(answer, "1 match was left out: this Companion does not know “magpie”.")

    def test_with_the_package_all_is_as_before(self, without, match, away, start_app):
        assert without.get(match).status_code == 404
        away.undo()
        page = start_app().test_client().get(match)
        assert all(says(page, line) for line in ("Ana 7", "Bo 2", "Cy 1", "Enter round 2"))
