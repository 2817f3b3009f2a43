"""How do the colours, signs and files of a game get from its one object to the style sheet and the pages?"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games import PLUGINS
from companion.screens.plugin import GamePlugin
from companion.screens.theme import HOME, Theme, pair_of
from companion.web.delivery import game_files, offline
from tests.web.tally import TALLY

STYLE = "/static/css/companion.css"


@pytest.mark.sqlite
class TestColours:
    def test_each_game_has_its_colours_for_light_and_dark_in_the_style_sheet(self, client):
        style = client.get(STYLE).text
        for slug, plugin in PLUGINS.items():
            (rule,) = re.findall(rf'\[data-game="{slug}"\]\{{(--ground.*?)\}}', style)
            light, dark = plugin.theme.ground
            assert f"--ground:var(--light,{light}) var(--dark,{dark});" in rule
            (box,) = re.findall(rf'\[data-box="{slug}"\]\{{(--box.*?)\}}', style)
            assert f"--box:{plugin.theme.box};" in box
        assert style.index("--ground") < style.index("body{")

    def test_what_a_theme_does_not_say_looks_like_home(self):
        assert Theme(icon="fish", ground=("#fff", "#000")) == replace(HOME, icon="fish", ground=("#fff", "#000"))
        assert "--near:var(--accent);" in game_files.colours()

    def test_a_ground_of_its_own_colours_what_lies_on_it(self):
        own = Theme(ground=("#e0e0ff", "#101020"), line=("#123456", "#654321"))
        assert pair_of(own, "callout") == ("#d1d1ee", "#0a0a14")  # 648 to 695 and 35 to 55, as at home
        assert pair_of(own, "line") == own.line
        assert pair_of(own, "ink") == HOME.ink
        assert pair_of(Theme(ground=("white", "#101020")), "soft") == HOME.soft

    def test_names_only_colours_that_there_are(self):
        style = game_files.colours()
        assert set(re.findall(r"var\((--[\w-]+)\)", style)) <= set(re.findall(r"(--[\w-]+):", style))

    def test_the_browser_s_bar_has_the_ground_of_the_game(self, client):
        for slug in PLUGINS:
            page = client.get(f"/calculate/{slug}").text
            assert tuple(re.findall(r'name="theme-color" content="(#\w+)"', page)) == PLUGINS[slug].theme.ground

    def test_nobody_asks_for_the_style_sheet_twice(self, client):
        answer = client.get(STYLE)
        assert answer.mimetype == "text/css"
        assert client.get(STYLE, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304

    def test_each_drawing_that_a_game_names_is_in_the_sprite(self, client):
        sprite = client.get("/static/icons/sprite.svg").text
        for plugin in PLUGINS.values():
            drawn = {plugin.theme.icon, plugin.theme.figure, plugin.theme.land, plugin.theme.back} - {""}
            assert {name for name in drawn if f'id="{name}"' not in sprite} == set()

    def test_each_style_sheet_that_a_game_names_is_there(self, client):
        for plugin in PLUGINS.values():
            assert not plugin.theme.style or client.get(f"/static/{plugin.theme.style}").status_code == 200


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Return a game of an installed package, with files of its own."""
    (tmp_path / "tally" / "templates").mkdir(parents=True)
    (tmp_path / "tally" / "static").mkdir()
    (tmp_path / "tally" / "static" / "tally.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (tmp_path / "tally" / "static" / "tally.css").write_text(".tally {}")
    (tmp_path / "tally" / "secret.txt").write_text("not for phones")
    theme = Theme(icon="tally.svg#sign", style="games/tally/tally.css", accent=("#123456", "#abcdef"))
    monkeypatch.setitem(PLUGINS, "tally", GamePlugin(game=TALLY, theme=theme, folder=tmp_path / "tally"))
    return tmp_path / "tally"


@pytest.mark.sqlite
class TestInstalled:
    def test_its_files_are_served_as_all_static_files_are(self, installed, start_app):
        client = start_app().test_client()
        version = re.search(r"/static/([0-9a-f]{10})/", client.get("/").text)[1]
        style = client.get(f"/static/{version}/games/tally/tally.css")
        assert (style.text, style.mimetype) == (".tally {}", "text/css")
        assert "immutable" in style.headers["Cache-Control"]
        assert style.headers["X-Content-Type-Options"] == "nosniff"
        for path in ("games/tally/../secret.txt", "games/tally/%2e%2e/secret.txt", "games/tally/none.css", "games/none/a.css"):
            assert client.get(f"/static/{path}").status_code == 404

    def test_a_phone_can_keep_them_for_when_there_is_no_network(self, installed, start_app):
        app = start_app()
        with app.test_request_context():
            kept = offline.assets(Path(app.static_folder))
        version = app.config["STATIC_VERSION"]
        assert {f"/static/{version}/games/tally/{name}" for name in ("tally.css", "tally.svg")} <= set(kept)

    def test_another_file_gives_another_version(self, installed, start_app):
        before = start_app().config["STATIC_VERSION"]
        (installed / "static" / "tally.css").write_text(".tally { color: red }")
        assert start_app().config["STATIC_VERSION"] != before

    def test_its_template_is_found_below_its_name_and_takes_nobody_else_s_place(self, installed, start_app):
        (installed / "templates" / "match.html").write_text("a tally")
        (installed / "templates" / "base.html").write_text("not the page")
        environment = start_app().jinja_env
        assert environment.get_template("games/tally/match.html").render() == "a tally"
        assert "<!doctype html>" in environment.loader.get_source(environment, "base.html")[0]

    def test_its_sign_is_its_own_drawing(self, installed, start_app):
        app = start_app()
        with app.test_request_context():
            assert re.fullmatch(r"/static/\w{10}/games/tally/tally\.svg#sign", game_files.game_icon("tally"))
            assert game_files.game_icon("beloz") == "lion"
            assert game_files.game_icon("a game of yesterday") == HOME.icon
        assert "--accent:var(--light,#123456) var(--dark,#abcdef);" in app.test_client().get(STYLE).text
