"""Is a match's page rendered once for all phones that see the same, with nothing of one phone reaching another?"""

from __future__ import annotations

import itertools
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import replace

import pytest
from flask import session
from flask_wtf.csrf import validate_csrf
from itsdangerous import TimestampSigner
from wtforms import ValidationError

from companion.engine.bisque import Pot, Reveal
from companion.matches import entries
from companion.storage.models import MatchId, Table, db
from companion.storage.statements import Statement
from companion.tables import seating
from companion.web.delivery import shared_pages
from companion.web.delivery.cache import NAME, Cache, Recent
from companion.web.match import context as match_context
from tests.web.forms_on_a_page import PageReader
from tests.web.people import Phone, says, words
from tests.web.test_bisque_pages import GOALS as GOALS_UP
from tests.web.test_bisque_pages import POT
from tests.web.test_outbox_machine import GAMES as MACHINE

pytestmark = pytest.mark.sqlite

GAMES = {"beloz": 4, "bisque": 3, "beluga-cup": 2, "rivals": 2, "what-the-fish": 3}
ENTERED = [game for game in MACHINE if game.goes_on]  # a form that holds all of an entry
_forms = itertools.count()
NAMES = ("Ana", "Bo", "Cy", "Di")
TOAST = '<div class="toast">'
FORM_FIELDS = re.compile(r'name="(csrf_token|idempotency_key)" value="([^"]*)"')
PAGES = ("", "/see/history", "/see/swims", "/who", "/declarations", "/count", "/goal", "/wtf", "/flush", "/fish", "/may-i")


class Somebody(Phone):
    """A phone with marks of its own in everything that it sends."""

    def __init__(self, app, link, number, name=None):
        super().__init__(app)
        self.link = link
        self.number = number
        self.mark = f"mark{number}x"
        self.name = name
        self.client.set_cookie("theme", ("light", "dark", "odd")[number % 3])
        self.client.set_cookie("other", self.mark)
        self.headers = {
            "User-Agent": f"Agent {self.mark}",
            "Referer": f"http://localhost/{self.mark}",
            "Accept-Language": ("en", "fr;q=0.9", "de")[number % 3],
            "X-Own": self.mark,
        }

    def enters(self, path, *, seq=0, answered=False, **fields):
        """Enter something; it must be taken. With ``answered`` the page comes as the answer, as its script asks for it."""
        key = {"idempotency_key": f"form-{path}-{seq}-{next(_forms)}", "expected_seq": seq}
        headers = {**self.headers, "Companion-Fetch": "whole"} if answered else {}
        answer = self.client.post(f"{self.link}{path}", data={**key, **fields}, headers=headers)
        assert answer.status_code in {303, *((200,) if answered else ())}, words(answer)  # a step leads to the next page

    def reads_english(self):
        self.headers["Accept-Language"] = "en"
        return self

    def sees(self, path="", **more):
        return self.client.get(f"{self.link}{path}", headers={**self.headers, **more})


def the_table(app):
    with app.app_context():
        table = db.session.query(Table).one()
        return table.id, f"/t/{table.play_token}", f"/t/{table.watch_token}"


@pytest.fixture
def match(app, request):
    """Return phones around a match of the game asked for: each with a name, one that has none, and two that watch."""
    return around(app, getattr(request, "param", "beloz"))


def around(app, game):
    people = NAMES[: GAMES[game]]
    ana = Somebody(app, "", 0, "Ana").make_table(*people, game=game)
    form = PageReader(ana.open().text).form(f"{ana.link}/matches")
    assert ana.client.post(form.action, data=form.unchanged()).status_code == 303
    _, play, watch = the_table(app)
    phones = [ana, *(Somebody(app, play, number, name) for number, name in enumerate(people[1:], 1))]
    phones += [Somebody(app, play, 7), Somebody(app, watch, 8), Somebody(app, watch, 9)]
    for phone in phones[1 : len(people)]:
        phone.link = play
        assert phone.do("claim", phone.name).status_code == 303
    for phone in phones:
        phone.link = f"{watch if phone.number > 7 else play}/m/1"
    return phones


def one_of_each(phones):
    """Return Ana's phone, Bo's, one that has no name, and one that watches: in three languages and three themes."""
    return [phone for phone in phones if phone.number in (0, 1, 7, 8)]


@contextmanager
def without_cache(app):
    """Inside, the application runs as with COMPANION_CACHE=no."""
    kept = app.extensions.get(NAME) or Cache()
    app.extensions[NAME] = Cache(on=False)
    yield
    app.extensions[NAME] = kept


def neutral(page):
    """Return a page without what differs on each of two visits."""
    text = re.sub(r'<section class="panel news"[^>]* hidden>.*?</section>', "", page.text, flags=re.DOTALL)
    return " ".join(FORM_FIELDS.sub(r'name="\1"', text).split())


def is_hidden(page):
    """Return whether what was done last is no news to this phone."""
    return " hidden" in re.search(r'<section class="panel news"(.*?)>', page.text)[1]


@pytest.mark.parametrize("match", GAMES, indirect=True)
def test_every_phone_sees_what_it_would_see_alone(match, monkeypatch):
    match[0].enters("/stop")
    match[0].enters("/undo", seq=1, of=1, sure=1)
    match[0].sees()  # the toast, once
    shared = [(phone, path, phone.sees(path)) for path in PAGES for phone in one_of_each(match)]
    honest = match_context.load_match

    def alone(*where):
        return replace(honest(*where), found=False)

    for module in ("match.page", "match.entering", "may_i"):
        monkeypatch.setattr(f"companion.web.{module}.load_match", alone)
    for phone, path, page in shared:
        again = phone.sees(path)
        assert page.status_code == again.status_code
        if page.status_code == 200:
            assert neutral(page) == neutral(again)


@pytest.mark.parametrize(("match", "played"), [(game.slug, game) for game in ENTERED], indirect=["match"])
def test_a_match_looks_the_same_with_the_cache_and_without(app, match, played):
    """Entered, entered again, undone and entered once more: each page is the one that is drawn whole."""
    ana, *others = one_of_each(match)
    entered = [(played.path, fields) for fields, _ in played.entries[:3]]
    steps = [*played.begin, *entered[:2], ("/undo", {"of": len(played.begin) + 2, "sure": 1}), *entered[1:]]
    for seq, (path, fields) in enumerate(steps):
        with without_cache(app) if seq % 2 else nullcontext():
            ana.enters(path, seq=seq, **fields)
        pages = [phone.sees() for phone in others]
        with without_cache(app):
            assert [neutral(page) for page in pages] == [neutral(phone.sees()) for phone in others]


@pytest.mark.parametrize("match", ["bisque"], indirect=True)
def test_a_hand_that_is_over_is_drawn_anew_once_a_trick_of_it_is_corrected(app, match):
    match_id = MatchId(the_table(app)[0], 1)
    hand = [*(Pot(card, number % 3) for number, card in enumerate(POT)), Reveal(GOALS_UP), Pot("ace-suns")]

    phones = one_of_each(match)

    def check():
        pages = [phone.sees() for phone in phones]
        with without_cache(app):
            assert [neutral(page) for page in pages] == [neutral(phone.sees()) for phone in phones]
        return pages[0]

    for seq, event in enumerate(hand):
        with app.app_context():
            entries.record(match_id, [event], idempotency_key=f"key-{seq}", expected_seq=seq)
        page = check()
    assert says(page, "After it: 19, 17, 18.")
    with app.app_context():
        entries.correct(match_id, 4, [Pot("ace-wyrms", 2)], idempotency_key="mended", expected_seq=len(hand))
    page = check()  # 7 less for suns and knots
    assert says(page, "After it: 19, 17, 11.")
    assert re.findall(r'aria-label="([^"]*), trick 4,', page.text) == ["Ace of wyrms"]


def test_without_the_cache_each_phone_is_answered_from_a_rendering_of_its_own(app, match, rendered):
    with without_cache(app):
        for phone in match:
            for _ in range(2):
                assert phone.sees().status_code == 200
    assert len(rendered) == 2 * len(match)


def test_phones_that_see_the_same_are_answered_from_one_rendering(match, rendered):
    for phone in match:
        phone.headers.pop("Accept-Language")
        for _ in range(2):
            assert phone.sees().status_code == 200
    assert len(rendered) == 2  # by the play link and by the watch link


class TestNothingPersonalReachesAnother:
    @pytest.mark.parametrize("match", ["bisque"], indirect=True)  # with a goal that is each phone's own
    def test_with_all_asking_at_once_again_and_again(self, match):
        answers = {phone.number: [] for phone in match}

        def look(phone):
            for path in ("", "/see/history", "/hand", "", "/goal", "/may-i", ""):
                answers[phone.number].append(phone.sees(path))

        with ThreadPoolExecutor(len(match)) as pool:
            for turn in range(3):
                list(pool.map(look, match))
                match[0].client.post(f"{match[0].link.removesuffix('/m/1')}/name", data={"name": f"Table {turn}"})
        marks = {phone.number: phone.mark for phone in match}
        keys, tokens = {}, {}
        for number, pages in answers.items():
            for page in pages:
                whole = page.text + str(page.headers)
                assert not [mark for other, mark in marks.items() if other != number and mark in whole]
                assert "companion.invalid" not in whole
                assert shared_pages.slot("x")[:16] not in whole
                assert not re.search(r"[0-9a-f]{16}/[a-z-]+;", whole)  # the mark of a part
                for name, value in FORM_FIELDS.findall(page.text):
                    if name == "csrf_token":
                        tokens.setdefault(number, set()).add(value)
                    else:
                        assert value not in keys, "two forms have one key"
                        keys[value] = number
        for one, other in itertools.combinations(tokens.values(), 2):
            assert not one & other

    def test_a_token_is_taken_from_the_phone_that_has_it(self, app, match):
        app.config["WTF_CSRF_ENABLED"] = True
        ana, bo = match[:2]
        tokens = [
            next(value for name, value in FORM_FIELDS.findall(phone.sees().text) if name == "csrf_token") for phone in (ana, bo)
        ]
        key = {"idempotency_key": "form-a", "expected_seq": 0, "tap": "passed-deal"}
        assert bo.client.post(f"{bo.link}/who", data={**key, "csrf_token": tokens[0]}).status_code == 400
        assert bo.client.post(f"{bo.link}/who", data={**key, "csrf_token": tokens[1]}).status_code == 303

    def test_no_page_tells_by_which_name_of_this_computer_somebody_came(self, app, match):
        for path in PAGES:
            pages = [
                app.test_client().get(f"{match[0].link}{path}", headers={"Host": host})
                for host in ("one.example", "two.example")
            ]
            assert neutral(pages[0]) == neutral(pages[1])
            assert ".example" not in pages[0].text

    def test_a_toast_is_for_the_phone_that_did_it(self, match):
        ana, *others = match
        for phone in match:
            phone.sees()
        ana.enters("/who", tap="passed-deal")
        told = ana.sees()
        assert 'class="toast"' in told.text
        assert is_hidden(told)
        for phone in (*others, ana):
            page = phone.sees()
            assert 'class="toast"' not in page.text
            assert is_hidden(page) == (phone is ana)

    @pytest.mark.parametrize("match", ["bisque"], indirect=True)
    def test_a_goal_is_asked_only_of_whom_it_belongs_to(self, match):
        ana, bo, cy, nameless, *watching = map(Somebody.reads_english, match)
        assert all(says(phone.sees(), "My goal, only here") for phone in (ana, bo, cy))
        assert all(not says(phone.sees(), "My goal, only here") for phone in (nameless, *watching))
        ana.enters("/hand", chosen="yes")
        assert not says(ana.sees(), "First, your goal")
        assert says(bo.sees(), "First, your goal")

    @pytest.mark.parametrize("match", ["beluga-cup"], indirect=True)
    def test_you_are_another_on_each_phone(self, match):
        shown = {words(phone.reads_english().sees()).count("You") for phone in match[:2]}
        assert 0 not in shown
        assert neutral(match[0].sees()) != neutral(match[1].sees())

    def test_who_has_no_name_is_told_so_and_nobody_else(self, match):
        ana, bo, cy, di, nameless, *watching = map(Somebody.reads_english, match)
        assert says(nameless.sees(), "This phone doesn’t know who you are")
        assert not any(says(phone.sees(), "This phone doesn’t know who you are") for phone in (ana, bo, cy, di, *watching))

    def test_the_play_link_is_not_on_what_a_watch_link_shows(self, app, match):
        _, play, watch = the_table(app)
        for phone in match:
            for path in PAGES:
                page = phone.sees(path)
                other = watch if phone.link.startswith(play) else play
                assert other not in page.text

    def test_nothing_is_left_of_links_that_were_replaced(self, app, match):
        table_id, *_ = the_table(app)
        ana, *_, watching = match
        assert ana.sees().status_code == watching.sees().status_code == 200
        with app.app_context():
            seating.replace_play_link(table_id)
            seating.replace_watch_link(table_id)
        assert ana.sees().status_code == watching.sees().status_code == 404


class TestTheAnswerToAForm:
    """A page's script has the page to which a form leads as the answer, without a second way there and back."""

    def posts(self, phone, path, **fields):
        key = f"whole-{next(_forms)}"
        form = {"idempotency_key": key, "expected_seq": fields.pop("seq", 0), **fields}
        return phone.client.post(f"{phone.link}{path}", data=form, headers={**phone.headers, "Companion-Fetch": "whole"})

    def test_is_the_page_that_would_be_fetched_with_the_toast_and_nothing_of_anybody_elses(self, match, rendered):
        ana, bo, *_ = match
        for path, seq, fields in (("/who", 0, {"tap": "passed-deal"}), ("/stop", 1, {}), ("/undo", 2, {"of": 2, "sure": 1})):
            rendered.clear()
            page = self.posts(ana, path, seq=seq, **fields)
            assert (page.status_code, page.headers["Content-Location"]) == (200, ana.link)
            assert TOAST in page.text
            assert ana.client.get_cookie("toast", path=ana.link) is None
            again = ana.sees()
            assert TOAST not in again.text
            said_once = re.compile(r'<div class="toast">.*?</div>|<section class="panel news".*?</section>', re.DOTALL)
            one, other = ("".join(said_once.sub("", neutral(each)).split()) for each in (page, again))
            assert one == other
            assert 'class="panel news"' not in page.text or is_hidden(page)
            assert TOAST not in bo.sees().text
            assert ana.mark not in page.text
            assert len(rendered) == 2  # Ana's language and Bo's

    def test_without_scripts_a_form_leads_to_the_page(self, match):
        ana, *_ = match
        ana.enters("/who", tap="passed-deal")
        assert TOAST in ana.sees().text

    def test_a_refused_form_is_shown_again_and_is_nowhere_else(self, match):
        ana, *_ = match
        page = self.posts(ana, "/who", tap="nonsense")
        assert "Content-Location" not in page.headers

    def test_what_a_phone_may_keep_it_may_keep_of_the_answer_too(self, match):
        ana, *_ = match
        page = self.posts(ana, "/who", tap="passed-deal")
        assert page.headers["Companion-Keep"] == ana.sees().headers["Companion-Keep"]


class TestItIsRenderedAnewWhenSomethingHasChanged:
    def test_by_an_entry_a_step_a_name_and_a_place(self, app, match):
        table_id, *_ = the_table(app)
        ana, bo, *_, watching = match

        def pages():
            return [neutral(phone.sees()) for phone in (bo, watching)]

        def changes(act):
            before = pages()
            act()
            assert all(old != new for old, new in zip(before, pages(), strict=True))

        changes(lambda: ana.enters("/who", tap="bidder:2"))
        changes(lambda: ana.enters("/who", tap="passed-deal"))
        changes(lambda: ana.enters("/undo", seq=1, of=1))
        with app.app_context():
            changes(lambda: seating.rename_table(table_id, "Wednesday"))

    def test_by_how_many_phones_look_on_only_that_number(self, app, match, rendered):
        bo = match[1]
        before = bo.sees()
        assert ">1</b> tél.<" in before.text  # its own, though its stream has not begun
        with app.app_context():
            table_id, *_ = the_table(app)
            live = app.extensions["companion-live"]
            with live.subscribe(table_id, "a"), live.subscribe(table_id, "b"):
                now = bo.sees()
        assert neutral(now) == neutral(before).replace(">1</b> tél.<", ">2</b> tél.<")
        assert len(rendered) == 1


def test_what_was_asked_for_longest_is_let_go():
    pages = Recent(most=2)
    one, two, three = (pages.of(path, object) for path in "abc")
    assert pages.of("c", object) is three
    assert pages.of("b", object) is two
    assert pages.of("a", object) is not one
    assert pages.of("b", object) is two


def test_a_page_that_is_known_asks_the_database_once(match, monkeypatch):
    ana = match[0]
    ana.sees()
    asked, all_rows = [], Statement.all
    monkeypatch.setattr(Statement, "all", lambda self, *given, **values: asked.append(self) or all_rows(self, *given, **values))

    assert ana.sees().status_code == 200
    assert len(asked) == 1


def test_the_token_of_a_phones_forms_stays_the_same_and_is_taken(app, monkeypatch):
    seconds = itertools.count(1_800_000_000)
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda signer: next(seconds))  # signed later, it would be another one
    tokens = []
    for phone in ("of ana", "of ana", "of bo"):
        with app.test_request_context():
            session["csrf_token"] = phone
            tokens.append(shared_pages.own_csrf_token())

    assert tokens[0] == tokens[1] != tokens[2]
    with app.test_request_context():
        session["csrf_token"] = "of ana"
        validate_csrf(tokens[0])
        with pytest.raises(ValidationError):
            validate_csrf(tokens[2])
