"""What holds for every game in the registry, and will for the sixth? Screens, forms for each event, pages for all names."""

from __future__ import annotations

import importlib
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jinja2 import ChoiceLoader, DictLoader
from werkzeug.datastructures import MultiDict

from companion.engine import GAMES, core, records
from companion.engine.text import say
from companion.games import PLUGINS
from companion.matches import entries
from companion.matches.log import Written, replay_entry
from companion.screens.interface import Board, PageView, Reading, Rerender, ScreenPage, Screens
from companion.screens.look_up import LookUpView
from companion.screens.plugin import GamePlugin
from companion.storage import database
from companion.storage.models import Match, Player, Table, db
from tests.engine.records.five_games import MATCHES
from tests.five import FIVE
from tests.web.forms_on_a_page import PageReader
from tests.web.people import Phone, PhoneAtMatch, says
from tests.web.tally import TALLY, Score

CHECKOUT = Path(__file__).resolve().parents[2]
SLUGS = FIVE

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=1>',
    "Wilhelmina-Wolfeschlegelsteinhausenberge",  # 40 characters
    "שלום עולם",
    "🐋 “Ahab” & 👩‍👩‍👧",
    "'-{{7*7}}-%s-javascript:alert(1)",
)


@dataclass(frozen=True)
class Example:
    """A match that was played: its game, what was agreed on, and what happened."""

    slug: str
    options: core.Options
    seats: int
    events: tuple[core.Event, ...]

    @property
    def start(self) -> core.Position[Any]:
        return core.start(GAMES[self.slug], HOSTILE[: self.seats], self.options)


def examples() -> Iterator[Example]:
    """Yield the matches of the records' tests that the rules allow; together they hold every type of event."""
    for document, answer in MATCHES:
        if "error" not in answer:
            record = records.read_record(json.dumps(document).encode())
            yield Example(record.game.slug, record.start.options, len(record.start.players), tuple(record.events()))


EXAMPLES = list(examples())
NAMED = [pytest.param(example, id=f"{example.slug}-{number}") for number, example in enumerate(EXAMPLES)]
LONGEST = [max((each for each in EXAMPLES if each.slug == slug), key=lambda each: len(each.events)) for slug in SLUGS]

_numbers = itertools.count()


@dataclass(frozen=True)
class Seated:
    """A match at a table of its own, as phones reach it."""

    table: int
    match: int
    play: str
    watch: str

    @property
    def path(self) -> str:
        return f"/t/{self.play}/m/1"


def sit_down(example: Example, upto: int | None = None) -> Seated:
    """Seat people with hostile names, and play the example up to an event, one entry an event."""
    number = next(_numbers)
    people = HOSTILE[: example.seats]
    with database.writing():
        table = Table(name=HOSTILE[number % len(HOSTILE)], play_token=f"play-{number}-link", watch_token=f"watch-{number}-link")
        table.players = [Player(name=name, seat=index) for index, name in enumerate(people)]
        db.session.add(table)
        db.session.flush()
        seated = table.id
    entries.open_match(seated, example.slug, people, example.options)
    match = db.session.query(Match.id).filter_by(table_id=seated).scalar()
    for seq, event in enumerate(example.events if upto is None else example.events[:upto]):
        entries.record(match, (event,), idempotency_key=f"made-{seq}", expected_seq=seq)
    return Seated(seated, match, f"play-{number}-link", f"watch-{number}-link")


class TestRegistry:
    def test_each_game_of_companion_has_everything_that_a_game_can_have(self):
        assert set(PLUGINS) == set(GAMES)
        for slug in SLUGS:
            plugin = PLUGINS[slug]
            assert plugin.game is GAMES[slug]
            assert plugin.screens.slug == plugin.look_up.slug == plugin.book.slug == slug
            assert plugin.figures()
            assert plugin.cards()

    @pytest.mark.parametrize("slug", SLUGS)
    def test_its_slug_leads_through_all_rooms(self, slug):
        module = slug.replace("-", "_")
        assert importlib.import_module(f"companion.engine.{module}").GAME is GAMES[slug]
        assert importlib.import_module(f"companion.screens.{module}").PLUGIN is PLUGINS[slug]
        assert (CHECKOUT / "templates" / "games" / slug / "match.html").is_file()
        assert list((CHECKOUT / "tests" / "engine" / module).glob("test_*.py"))

    def test_what_templates_show_is_frozen(self):
        kinds = [PageView, Board, Reading]
        for kind in kinds:
            kinds += kind.__subclasses__()
        assert len(kinds) > 20
        assert [kind.__name__ for kind in kinds if not kind.__dataclass_params__.frozen] == []

    @pytest.mark.parametrize("slug", SLUGS)
    def test_a_look_up_shows_a_frozen_view_and_what_it_refused_until_then(self, slug):
        look = PLUGINS[slug].look_up(MultiDict())
        view = look.view()
        look.refuse("Too late.", "hand")
        assert isinstance(view, LookUpView)
        assert view.refusal is None

    @pytest.mark.parametrize("slug", SLUGS)
    def test_the_end_that_the_players_chose_is_told_as_a_part_of_a_sentence(self, slug):
        example = next(one for one in EXAMPLES if one.slug == slug)
        stop = Written(1, "stop", None, datetime.now(UTC), "events", events=(core.Stop(),))
        entry = replay_entry(example.start, stop, None)
        assert PLUGINS[slug].screens.describe_entry(entry, example.start.standing().sides) == "the end of the match"

    @pytest.mark.parametrize("slug", SLUGS)
    def test_its_screens_name_what_is_there(self, slug):
        screens = PLUGINS[slug].screens
        assert screens.main is None or screens.main in screens.pages
        fewest, most = GAMES[slug].seats
        assert fewest <= len(screens.sample_players) <= most
        assert screens.unit

    @pytest.mark.parametrize(
        ("slug", "first", "does"),
        [
            ("beloz", 0, "deals"),
            ("bisque", 0, "deals"),
            ("beluga-cup", 1, "deals"),
            ("what-the-fish", 1, "deals"),
            ("rivals", 0, "starts"),
        ],
    )
    def test_the_rematch_of_a_match_that_was_stopped_at_once(self, slug, first, does):
        """Of many deals the first is still to come; where there is one, player 0 dealt it; Rivals has no dealer."""
        screens = PLUGINS[slug].screens
        assert screens.next_first(core.start(GAMES[slug], screens.sample_players).standing()) == first
        assert PLUGINS[slug].first == does

    @pytest.mark.parametrize("slug", SLUGS)
    def test_every_template_exists(self, app, slug):
        folder = CHECKOUT / "templates" / "games" / slug
        for template in folder.glob("*.html"):
            app.jinja_env.get_template(f"games/{slug}/{template.name}")
        for view in PLUGINS[slug].screens.views.values():
            app.jinja_env.get_template(view.template)

    @pytest.mark.parametrize("slug", SLUGS)
    def test_each_type_of_event_is_among_the_examples(self, slug):
        seen = {type(event) for example in EXAMPLES if example.slug == slug for event in example.events}
        assert set(GAMES[slug].events) <= seen

    @pytest.mark.parametrize("slug", SLUGS)
    def test_the_readme_names_it_and_docs_tell_how_another_is_made(self, slug):
        assert GAMES[slug].title in (CHECKOUT / "README.md").read_text("utf-8").replace("\n", " ")
        paragraph = (CHECKOUT / "docs" / "adding-a-game.md").read_text("utf-8")
        for room in ("companion/engine/", "companion/screens/", "templates/games/", "tests/engine/"):
            assert room in paragraph


class TestWayIn:
    @pytest.mark.parametrize("slug", SLUGS)
    def test_the_home_page_offers_it(self, client, slug):
        home = client.get("/")
        assert GAMES[slug].title in PageReader(home.text).words
        assert f"/calculate/{slug}" in home.text

    @pytest.mark.parametrize("slug", SLUGS)
    def test_its_calculator_is_there_without_a_table(self, client, slug):
        assert client.get(f"/calculate/{slug}").status_code == 200
        assert client.get(f"/may-i/{slug}").status_code == 200
        assert client.get(f"/rules/{slug}").status_code == 200

    @pytest.mark.parametrize("slug", SLUGS)
    def test_a_table_starts_it(self, client, slug):
        fewest, _ = GAMES[slug].seats
        people = {f"person_{seat}": name for seat, name in enumerate(HOSTILE[:fewest])}
        made = client.post("/tables", data={"table": HOSTILE[0], "game": slug, **people})
        assert made.status_code == 303
        page = client.get(made.location)
        link = made.location.removesuffix("/table")
        form = PageReader(page.text).form(f"{link}/matches")
        begun = client.post(form.action, data=form.unchanged())
        assert begun.location == f"{link}/m/1"
        assert client.get(begun.location).status_code == 200


@pytest.mark.sqlite
class TestEveryEvent:
    @pytest.mark.parametrize("example", NAMED)
    def test_a_match_survives_json(self, app, client, example):
        with app.app_context():
            seated = sit_down(example)
            standing = entries.read(seated.match).position.standing()
        answer = client.get(f"{seated.path}/record.json")
        record = records.read_record(answer.data)
        assert tuple(record.events()) == example.events
        assert core.replay(record.start, record.events()).standing() == standing

    @pytest.mark.parametrize("example", NAMED)
    def test_each_event_has_a_form_that_gives_it_back(self, app, client, example):
        """Opened and saved as it is, a correction would change nothing: so the form has room for all that the event says."""
        with app.app_context():
            seated = sit_down(example, 0)

        def enter(event: core.Event) -> int:
            with app.app_context():
                seen = entries.read(seated.match).seq
                return entries.record(seated.match, (event,), idempotency_key=f"made-{seen}", expected_seq=seen).seq

        for place, event in enumerate(example.events):
            seq = enter(event)
            if event in example.events[:place]:
                continue
            path = f"{seated.path}/entries/{seq}"
            page = client.get(path)
            assert page.status_code == 200
            form = PageReader(page.text)
            assert form.suspicious == [], path
            if not event.__struct_fields__:  # there is nothing to correct in it but that it happened: it is undone
                undo = {"of": seq, "expected_seq": seq, "idempotency_key": f"undo-{seq}", "sure": 1}
                assert client.post(f"{seated.path}/undo", data=undo).status_code == 303
                enter(event)
                continue
            with app.app_context():
                before = entries.read(seated.match).position.standing()
            answer = client.post(path, data=form.form(path).unchanged())
            if answer.status_code == 422:
                assert "Nothing was changed" in PageReader(answer.text).words
                continue
            # none of eight expeditions for one team are all eight for the other: the same said in other words
            assert answer.status_code == 303, event
            with app.app_context():
                assert entries.read(seated.match).position.standing() == before


def addresses(app, seated: Seated, example: Example, link: str) -> Iterator[str]:
    """Yield every page of the table and the match in the application's map, and the pages that list this phone's tables."""
    screens = PLUGINS[example.slug].screens
    with app.app_context():
        people = [player.id for player in db.session.query(Player).filter_by(table_id=seated.table)]
    choices: dict[str, list[Any]] = {
        "token": [link],
        "page": list(screens.pages),
        "view": list(screens.views),
        "seq": sorted({1, len(example.events)}),
        "slug": ["skull-king"],
    }
    numbers = {"table.person": people}
    listing = {"lobby.home", "lobby.new", "club.start"}
    endless = {"stream.follow"}
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            here = "token" in rule.arguments or rule.endpoint in listing
            if "GET" not in rule.methods or not here or rule.endpoint in endless:
                continue
            known = {**choices, "number": numbers.get(rule.endpoint, [1])}
            for values in itertools.product(*(known[name] for name in sorted(rule.arguments))):
                yield app.url_for(rule.endpoint, **dict(zip(sorted(rule.arguments), values, strict=True)))


@pytest.mark.sqlite
class TestNames:
    """People and tables may be called anything; a page shows it as letters, and no part of it runs."""

    @pytest.mark.parametrize("example", LONGEST, ids=lambda example: example.slug)
    @pytest.mark.parametrize("role", ["play", "watch"])
    def test_no_name_is_more_than_a_name_on_any_page(self, app, client, example, role):
        with app.app_context():
            seated = sit_down(example)
        link = seated.play if role == "play" else seated.watch
        seen = set()
        for url in addresses(app, seated, example, link):
            page = client.get(url)
            seen.add(page.status_code)
            assert page.status_code in {200, 302, 303, 403, 404, 422}, url
            if role == "watch":
                assert seated.play not in page.text, url
            if page.mimetype == "text/html":
                assert PageReader(page.text).suspicious == [], url
        assert 200 in seen
        page = client.get(f"/t/{link}/m/1")
        assert page.status_code == 200
        if example.slug != "beloz":  # there the teams are named
            assert all(name in PageReader(page.text).words for name in HOSTILE[: example.seats])

    @pytest.mark.parametrize("example", NAMED)
    def test_every_page_on_which_something_is_entered_opens_at_every_position(self, app, client, example):
        screens = PLUGINS[example.slug].screens
        with app.app_context():
            seated = sit_down(example, 0)
        pages = [seated.path, *(f"{seated.path}/{page}" for page in screens.pages)]
        pages += [f"{seated.path}/see/{view}" for view in screens.views]
        for seq, event in enumerate([None, *example.events]):
            if event is not None:
                with app.app_context():
                    entries.record(seated.match, (event,), idempotency_key=f"made-{seq}", expected_seq=seq - 1)
            for url in pages:
                page = client.get(url)
                assert page.status_code in {200, 303}, url
                if page.status_code == 200:
                    assert PageReader(page.text).suspicious == [], url


@pytest.mark.sqlite
@pytest.mark.parametrize("example", NAMED)
def test_rows_say_whose_numbers_they_are_and_no_code_of_a_rule_is_shown(app, client, example):
    with app.app_context():
        seated = sit_down(example)
        sides = entries.read(seated.match).standing.sides
    page = client.get(seated.path)
    for summary in re.findall(r"<summary>(.*?)</summary>", page.text, re.DOTALL):
        scores = summary.partition('class="row-scores"')[2]
        if scores:
            heard = re.sub("[\u2068\u2069]", "", PageReader(scores).words)  # they keep a name's direction to itself
            assert all(side in heard for side in sides), heard
    for url in (seated.path, f"/rules/{example.slug}"):
        assert not re.search(r"\b[BUQVW][0-9]+\b", PageReader(client.get(url).text).words), url


@pytest.mark.parametrize("html", [*HOSTILE[:2], '<p style="x">', '<a href="javascript:alert(1)">', '<form onsubmit="x">'])
def test_a_page_that_lets_a_name_run_is_noticed(html):
    assert PageReader(f'<p title="{html}">{html}</p>').suspicious


NONSENSE = st.sampled_from(
    [
        *("", " ", "0", "1", "-1", "7", "18", "1e9", "4.5", "NaN", "null", "true", "[]", "{", "٣", "²", "\x00", "\ud800", "."),
        *("9" * 25, "a" * 5000, "4 " * 900, '{"moves": 7}', '{"x": ["', "<script>", "\r\nX: y", "card:", "at:", ":", "🐋" * 40),
    ]
) | st.text(st.characters(exclude_categories=()), max_size=30)


class TestAnythingTyped:
    """Every form of every game, filled with what no person would type, answers with a page or a sentence and never breaks."""

    @pytest.mark.parametrize("examples", [4, pytest.param(1000, marks=pytest.mark.soak)])
    @pytest.mark.parametrize("slug", SLUGS)
    def test_no_form_breaks(self, app, slug, examples):
        known = [example for example in EXAMPLES if example.slug == slug]
        screens = PLUGINS[slug].screens

        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(data=st.data())
        def attempt(data: st.DataObject) -> None:
            example = data.draw(st.sampled_from(known), "example")
            upto = data.draw(st.integers(0, len(example.events)), "events")
            phone = app.test_client()
            with app.app_context():
                seated = sit_down(example, upto)
            places = [
                *(f"{seated.path}/{page}" for page in (*screens.pages, "may-i", "seal", "undo", "stop", "rematch")),
                *(f"{seated.path}/entries/1", f"/calculate/{slug}", f"/may-i/{slug}"),
            ]
            for _ in range(data.draw(st.integers(1, 3), "posts")):
                url = data.draw(st.sampled_from(places), "address")
                shown = phone.get(url if not url.endswith(("/undo", "/stop", "/rematch")) else seated.path)
                sent = data.draw(filled(PageReader(shown.text)), "sent")
                answer = phone.post(url, data=sent)
                assert answer.status_code in {200, 303, 400, 403, 404, 405, 409, 413, 422, 424, 429}, answer.status
                if answer.mimetype == "text/html":
                    assert PageReader(answer.text).suspicious == []
            assert phone.get(seated.path).status_code == 200

        attempt()


@st.composite
def filled(draw: st.DrawFn, page: PageReader) -> dict[str, list[str]]:
    """Draw what the page's form would send, with fields left out, filled with other values of the page or with nonsense."""
    offered: dict[str, list[str]] = {"ask": ["preview"], "tap": [], "idempotency_key": [], "expected_seq": ["0", "1"]}
    sent: dict[str, list[str]] = {}
    for form in page.forms:
        for name, values in form.choices.items():
            offered.setdefault(name, []).extend(values)
        for name, value in form.values:
            sent.setdefault(name, []).append(value)
    everything = st.sampled_from(sorted({value for values in offered.values() for value in values}))
    sent.pop("ask", None)
    for name in draw(st.lists(st.sampled_from(sorted(offered)), max_size=5, unique=True)):
        likely = st.sampled_from(offered[name]) if offered[name] else NONSENSE
        values = draw(st.lists(likely | everything | NONSENSE, max_size=3))
        if values:
            sent[name] = values
        else:
            sent.pop(name, None)
    for name, text in draw(st.dictionaries(st.text(max_size=10), NONSENSE, max_size=1)).items():
        sent[name] = [text]
    return {name: values for name, values in sent.items() if sendable(name) and all(map(sendable, values))}


def sendable(text: str) -> bool:
    """Return whether a browser can send this text: not with lone surrogates."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


class NothingAsked(ScreenPage):
    """A page without anything to enter."""

    template = "games/tally/score.html"

    def outcome(self):
        return Rerender()

    def view(self):
        return PageView(errors=self.errors)


@pytest.fixture
def tally(app, monkeypatch):
    """Return a sixth game that has rules and pages, and nothing else."""
    monkeypatch.setitem(GAMES, "tally", TALLY)
    screens = Screens("tally", {}, NothingAsked, lambda *_: {}, lambda *_: say("a score"), ("You", "Left"))
    monkeypatch.setitem(PLUGINS, "tally", GamePlugin(game=TALLY, screens=screens))
    pages = {
        "games/tally/match.html": '{% extends "match/show.html" %}',
        "games/tally/score.html": '{% extends "base.html" %}',
    }
    monkeypatch.setattr(app.jinja_env, "loader", ChoiceLoader([DictLoader(pages), app.jinja_env.loader]))


@pytest.mark.usefixtures("tally")
def test_a_game_whose_template_says_nothing_has_the_page_of_every_match(app, table, open_match):
    """The sixth game begins with an engine, a plugin, and a template that only names what it extends."""
    match = open_match("tally", ["Ana", "Bo"])
    phone = PhoneAtMatch(app, table.play)
    assert says(phone.open(), "Tally")
    assert says(phone.open(), "Stop the match here")
    with app.app_context():
        entries.record(match, (Score(0, 21),), idempotency_key="made", expected_seq=0)
    page = phone.open()
    assert says(page, "Rematch")
    assert says(page, "Undo a score")


@pytest.mark.usefixtures("tally")
def test_only_a_game_with_a_dealer_speaks_of_one(app, table, open_match):
    match = open_match("tally", ["Ana", "Bo"])
    with app.app_context():
        entries.record(match, (Score(0, 21),), idempotency_key="made", expected_seq=0)
    assert not says(PhoneAtMatch(app, table.play).open(), "deals")
    ana = Phone(app).make_table("Ana", "Bo", game="tally")
    assert ana.around() == ["Ana you", "Bo no phone"]
    assert not says(ana.open(ana.person("Bo")), "first dealer")


def test_where_the_fewest_points_win_the_target_ends_the_match(app, tally, monkeypatch):
    plugin = PLUGINS["tally"]
    monkeypatch.setitem(PLUGINS, "tally", replace(plugin, screens=replace(plugin.screens, lowest_wins=True)))
    sides = [{"side": side, "name": name, "total": total} for side, name, total in ((0, "Ana", 7), (1, "Bo", 12))]
    with app.test_request_context():
        pieces = app.jinja_env.get_template("components/ui.html").module
        assert "232 ends it" in pieces.score_header(sides, target=232, game="tally")
        assert "232 wins" in pieces.score_header(sides, target=232, game="beloz")
        assert re.search('class="best">.*?7</span>', pieces.row("Round 1", scores=(7, 12), names=("Ana", "Bo"), best="lowest"))


@pytest.mark.usefixtures("tally")
def test_a_value_out_of_bounds_is_refused_in_the_words_of_the_rules(app, open_match):
    """Where the rules have no words for it, the sentence names no path: the page shows it at its field."""
    match = open_match("tally", ["Ana", "Bo"])
    with app.app_context():
        with pytest.raises(entries.EntryRejected) as below:
            entries.record(match, (Score(0, -31),), idempotency_key="below", expected_seq=0)
        with pytest.raises(entries.EntryRejected) as above:
            entries.record(match, (Score(0, 31),), idempotency_key="above", expected_seq=0)
    assert (below.value.sentence, below.value.error.field) == ("That would leave -31 points.", "points")
    assert above.value.error.field == "points"
    assert above.value.sentence.startswith("A whole number from -30 to 30 is needed here")


def test_where_nobody_deals_somebody_starts(app):
    ana = Phone(app).make_table("Ana", "Bo", game="rivals")
    assert ana.around() == ["Ana you start", "Bo no phone"]
    assert says(ana.open(ana.person("Bo")), "Let Bo start")
    ana.do("deal", "Bo")
    assert ana.around() == ["Ana you", "Bo starts"]


@pytest.mark.usefixtures("tally")
def test_a_game_without_look_up_rulebook_and_calculator_shows_no_link_to_them(client, table, open_match):
    open_match("tally", ["Ana", "Bo"])
    for path in ("/", "/rules", f"/t/{table.play}/table", f"/t/{table.play}/m/1", "/api/v1/"):
        page = client.get(path)
        assert page.status_code == 200
        links = set(re.findall(r'href="(/[^"#?]*)[^"]*"', page.text))
        assert f"/t/{table.play}/table" in links or not path.endswith("/m/1")
        for link in sorted(links - {path}):
            assert client.get(link).status_code in {200, 302, 303, 304}, f"{path} leads to {link}"
    assert client.get("/calculate/tally").status_code == 404
    assert client.get("/may-i/tally").status_code == 404
    assert client.get("/rules/tally").status_code == 404
    (about,) = (game for game in client.get("/api/v1/games").json["games"] if game["slug"] == "tally")
    assert about["rules"] is None
    assert client.get(about["data"]).json["cards"] == []
