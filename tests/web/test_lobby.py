"""What comes before the table? The home page, a new table, and the code that brings others to it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from companion.storage.models import Player, Table, db, now
from companion.tables import seating
from companion.web.guard.access import KNOWN_TABLES
from tests.web.people import Phone, field, says, words


@pytest.fixture
def ana(app):
    return Phone(app)


@pytest.fixture
def bo(app):
    return Phone(app)


def shown_code(phone):
    """Return the code as it is printed in the middle of the table."""
    shown = phone.open().text.partition('<p class="code"')[2].partition("<b")[2].partition(">")[2].partition("<")[0]
    assert len(shown) == 7
    assert shown[3] == " "
    return shown


# Home


def test_a_new_phone_sees_games_and_no_tables(ana):
    page = ana.get("/")
    assert says(page, "What’s on the table?")
    assert 'href="/tables/new?game=beloz"' in page.text
    assert 'href="/calculate/beloz"' in page.text
    assert "Continue" not in page.text
    assert "Set-Cookie" not in page.headers or "HttpOnly" in page.headers["Set-Cookie"]


def test_only_games_that_have_screens_are_offered(ana, monkeypatch):
    from companion import engine
    from tests.web.tally import TALLY

    monkeypatch.setitem(engine.GAMES, TALLY.slug, TALLY)
    assert TALLY.title not in words(ana.get("/"))
    assert "/tables/new?game=tally" not in ana.get("/").text


class TestManyTables:
    @pytest.fixture
    def settings(self):
        return {"WTF_CSRF_ENABLED": True, "RATELIMIT_ENABLED": False}

    def know(self, client, tables, **more):
        with client.session_transaction() as known:
            known.update({"tables": [[table.id, table.play_token] for table in tables], "phone": "p" * 16, **more})

    @pytest.fixture
    def tables(self, app):
        with app.app_context():
            made = [Table(name=f"Table {n}", play_token=f"{n:022}", watch_token=f"w{n:021}") for n in range(KNOWN_TABLES + 1)]
            db.session.add_all(made)
            db.session.commit()
            return [db.session.get(Table, table.id) for table in made]

    def test_whoever_leaves_a_full_list_is_named_once(self, app, tables):
        client = app.test_client()
        *full, newest = tables
        self.know(client, full)
        client.get(f"/t/{newest.play_token}/table")
        home = client.get("/")
        assert says(home, f"This phone’s list is full. Table {KNOWN_TABLES - 1} has left it, but its link still opens it.")
        assert f'href="/t/{full[-1].play_token}/table"' in home.text
        assert f"Table {KNOWN_TABLES - 2}</h2>" in home.text
        assert "has left it" not in client.get("/").text

    def test_browsers_have_room_for_a_full_list(self, app):
        """They keep no cookie whose name and value are longer than 4,096 bytes."""
        links = [(90_000_000 + 7 * n, seating.new_link()) for n in range(KNOWN_TABLES)]
        held = {
            "csrf_token": "0123456789abcdef" * 2 + "01234567",
            "phone": seating.new_link()[:16],
            "me": "Élisabeth-Charlotte 8",
            "tables": links,
            "watches": [number for number, _ in links],
            "practice": {slug: [1234, 1234, 1234] for slug in ("beloz", "beluga-cup", "bisque", "rivals", "what-the-fish")},
            "left": links[0],
            "removed": {"token": links[0][1], "name": "n" * 40, "person": 90_000_000},
        }
        assert len("__Host-companion") + len(app.session_interface.get_signing_serializer(app).dumps(held)) <= 4096


def test_every_link_of_the_home_page_leads_somewhere(ana):
    ana.make_table("Ana", "Bo", "Cy", "Di")
    links = set(re.findall(r'<a [^>]*href="(/[^"]*)"', ana.get("/").text))
    assert {"/tables/new?game=beloz", "/calculate/beloz"} < links
    assert {link: ana.get(link).status_code for link in links} == dict.fromkeys(links, 200)


@pytest.mark.both_databases
def test_the_phone_remembers_its_tables_newest_first(ana):
    ana.make_table("Ana", name="First table")
    ana.make_table("Ana", name="Second table")
    page = words(ana.get("/"))
    assert page.index("Second table") < page.index("First table")
    assert says(page, "No match yet")


def test_two_tables_are_in_front_and_all_others_behind_a_tap(ana):
    for number in range(1, 15):
        ana.make_table("Ana", name=f"Table no {number:02}")
    page = words(ana.get("/"))
    assert "Table no 14" in page
    assert "12 more tables" in page
    assert "Table no 01" in page


def test_continue_leads_into_the_match_that_is_being_played(ana):
    ana.make_table("Ana", "Bo", "Cy", "Di")
    ana.send("/matches", game="beloz")
    match = f"{ana.link}/m/1"
    page = ana.get("/")
    assert says(page, "BeloZ, just begun")
    assert f'href="{match}"' in page.text


def test_who_looks_on_for_a_moment_can_enter_next_time(ana, bo):
    ana.make_table("Ana", "Bo", "Cy", "Di")
    ana.send("/matches", game="beloz")
    bo.come_to(ana)
    play, watch = ana.link, field(ana.open("/links"), "watch-link")[0].removeprefix("http://localhost")
    ana.link = watch
    assert ana.open("/m/1").status_code == 200
    home = ana.get("/").text
    assert f'href="{play}/m/1"' in home
    assert watch not in home
    bo.send("/links", do="play")  # now Ana's play link leads nowhere
    assert ana.open("/m/1").status_code == 200
    home = ana.get("/").text
    assert f'href="{watch}/m/1"' in home
    assert play not in home


@pytest.mark.parametrize(("choice", "shown"), [("dark", 'data-theme="dark"'), ("light", 'data-theme="light"')])
def test_a_phone_may_choose_light_or_dark(ana, choice, shown):
    assert ana.client.post("/theme", data={"theme": choice}).location == "/"
    assert shown in ana.get("/").text
    ana.client.post("/theme", data={"theme": ""})
    assert "data-theme" not in ana.get("/").text


def test_a_look_is_chosen_during_a_match_too_and_it_goes_on(ana):
    ana.make_table("Ana", "Bo", "Cy", "Di")
    ana.send("/matches", game="beloz")
    match = f"{ana.link}/m/1"
    assert ana.client.post("/theme", data={"theme": "dark", "back": match}).location == match
    page = ana.get(match).text
    assert 'data-theme="dark"' in page
    assert re.search(r'value="dark" aria-pressed="true"|aria-pressed="true"[^>]*value="dark"', page)
    assert len(re.findall(r'name="theme"[^>]*aria-pressed="true"', page)) == 1
    assert ana.client.post("/theme", data={"theme": "dark", "back": "//elsewhere.example/"}).location == "/"


def test_a_look_that_does_not_exist_is_none(ana):
    ana.client.post("/theme", data={"theme": '"><script>'})
    assert "data-theme" not in ana.get("/").text


def test_strong_contrast_is_a_choice_of_this_phone_beside_light_and_dark(ana, bo):
    page = ana.get("/choices?back=/rules")
    assert page.text.count('name="colours"') == 3
    assert page.text.count('name="hand"') == 2
    assert 'href="/rules"' in page.text
    ana.client.post("/theme", data={"theme": "dark"})
    ana.client.post("/theme", data={"colours": "contrast"})
    assert 'data-theme="dark" data-colours="contrast"' in ana.get("/").text
    assert "data-colours" not in bo.get("/").text
    ana.client.post("/theme", data={"colours": ""})
    assert "data-colours" not in ana.get("/").text
    assert 'data-theme="dark"' in ana.get("/").text


def test_the_home_page_says_what_this_is_and_nothing_for_programs(ana):
    page = ana.get("/")
    assert says(page, "Keeps score for card games at a real table, on everybody’s phone.")
    assert "For programs" not in words(page)
    assert re.search(r'<meta name="description" content="[^"]{50,160}">', page.text)
    assert 'href="/api/v1/"' in ana.get("/rules").text


def test_a_card_of_a_table_tells_who_plays(ana):
    ana.make_table("Ana", "Bo", "Cy", name="Kitchen", game="bisque")
    ana.send("/matches", game="bisque")
    assert says(ana.get("/"), "Bisque, just begunAna, Cy and Bo")


@pytest.mark.parametrize(("name", "size"), [("apple-touch-icon", 180), ("app-192", 192), ("app-512", 512)])
def test_icons_are_opaque_pictures_of_their_size(ana, name, size):
    picture = ana.get(f"/static/icons/{name}.png").data
    assert picture.startswith(b"\x89PNG")
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (size, size)
    assert picture[25] in (0, 2, 3)  # no alpha
    assert b"tRNS" not in picture
    named = ana.get("/").text if name.startswith("apple") else ana.get("/manifest.webmanifest").text
    assert f"icons/{name}.png" in named


# A new table


def test_tables_of_one_day_have_different_names(ana):
    names = []
    for _ in range(3):
        names.append(field(ana.get("/tables/new", game="beloz"), "table")[0])
        ana.make_table("Ana", name=names[-1])
    assert names == [names[0], f"{names[0]} 2", f"{names[0]} 3"]


def test_a_new_table_needs_one_name(ana):
    page = ana.get("/tables/new", game="beloz")
    assert field(page, "person_0") == ("", "")
    assert field(page, "table")[0].endswith("day table")
    ana.make_table("Ana")
    assert ana.around() == ["Ana you deal", "Empty seat tap to add", "Empty seat tap to add", "Empty seat tap to add"]


@pytest.mark.parametrize(
    ("game", "labels", "drawn"),
    [
        (
            "beloz",
            ["Your name", "On your right", "Opposite you, your partner", "On your left"],
            [
                ("bottom", "0", "You"),
                ("right", "1", "On your right"),
                ("top", "0", "Your partner"),
                ("left", "1", "On your left"),
            ],
        ),
        (
            "bisque",
            ["Your name", "On your right", "On your left"],
            [("bottom", "0", "You"), ("right", "2", "On your right"), ("left", "1", "On your left")],
        ),
        ("rivals", ["Your name", "Opposite you"], [("bottom", "0", "You"), ("top", "1", "Opposite you")]),
        ("what-the-fish", ["Your name", *(f"Name {number}" for number in range(2, 7))], []),
    ],
)
def test_the_drawn_table_says_whose_place_is_where(ana, game, labels, drawn):
    """With the pawns that people get at these places: they stay where they are, whichever way the turn goes."""
    page = ana.get("/tables/new", game=game).text
    assert re.findall(r'<label for="field-person_\d">(.*?)</label>', page) == labels
    seats = re.findall(
        r'<div class="tile seat[^"]*" data-place="(\w+)">.*?#pawn-(\d).*?<b>(?:<span.*?>)?(.*?)(?:</span>)?</b>',
        page,
        re.DOTALL,
    )
    assert seats == drawn


def test_names_may_be_typed_for_people_without_a_phone(ana):
    ana.make_table("Ana", "Bo", "Cy", "Di")
    assert ana.around() == ["Ana you deal", "Bo no phone", "Cy no phone", "Di no phone"]


def test_a_place_left_empty_stays_free(ana):
    ana.make_table("Ana", None, "Cy", None)
    assert ana.around() == ["Ana you deal", "Empty seat tap to add", "Cy no phone", "Empty seat tap to add"]


def test_the_phone_knows_its_owner_next_time(ana):
    ana.make_table("Ana")
    assert field(ana.get("/tables/new", game="beloz"), "person_0")[0] == "Ana"


def test_a_new_table_offers_those_that_the_phone_knows(ana):
    ana.make_table("Ana", name="Tuesday table")
    page = ana.get("/tables/new", game="bisque")
    assert re.search(rf'name="choose" value="bisque" formaction="{ana.link}/game".*?<b>Tuesday table', page.text)
    assert ana.send("/game", choose="bisque").location == f"{ana.link}/table"
    assert says(ana.open(), "Start Bisque")


@pytest.mark.parametrize(
    ("fields", "wrong", "sentence"),
    [
        ({"person_0": ""}, "person_0", "Please type your name."),
        ({"person_0": "  \t "}, "person_0", "Please type your name."),
        ({"person_0": "\u3164\u2800"}, "person_0", "Please type your name."),
        ({"person_0": "a" * 41}, "person_0", "Your name has at most 40 characters. This one has 41."),
        ({"person_1": "b" * 300}, "person_1", "A name has at most 40 characters. This one has 300."),
        ({"person_2": "Ana"}, "person_2", "Two people are called Ana. Give them different names."),
        ({"person_2": " ana "}, "person_2", "Two people are called ana. Give them different names."),
        ({"person_3": "ＡＮＡ"}, "person_3", "Two people are called ＡＮＡ. Give them different names."),
        ({"person_1": "Bo\u202eoB"}, "person_1", "A name can’t have invisible characters. There is one after “Bo”."),
        ({"person_1": "\x07Bo"}, "person_1", "A name can’t have invisible characters. There is one at its beginning."),
        ({"person_1": "B\u200bo"}, "person_1", "A name can’t have invisible characters. There is one after “B”."),
        ({"table": ""}, "table", "A table’s name needs at least one letter."),
        ({"table": "x" * 41}, "table", "A table’s name has at most 40 characters. This one has 41."),
    ],
)
def test_what_can_not_be_is_said_at_its_field_and_stays_there(app, ana, fields, wrong, sentence):
    typed = {"table": "Tuesday table", "person_0": "Ana", "person_1": "", **fields}
    answer = ana.client.post("/tables", data={"game": "beloz", **typed})
    assert answer.status_code == 422
    value, said = field(answer, wrong)
    assert said == sentence
    assert value.strip() == typed[wrong].strip() or not typed[wrong].isprintable()
    assert field(answer, "table")[0] == typed["table"]
    with app.app_context():
        assert db.session.query(Table).count() == 0


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["Ana", "Ana María", "Đặng", "安娜", "👩\u200d🚀 Zoë", "O'Hara & Søn", "مريم", "a" * 40])
def test_names_of_all_kinds_are_welcome(ana, name):
    ana.make_table(name)
    assert f"{name} you deal" in ana.around()


def test_spaces_around_and_within_a_name_are_tidied(ana):
    ana.make_table("  Ana \t Maria ")
    assert ana.around()[0] == "Ana Maria you deal"


@pytest.mark.both_databases
def test_a_composed_letter_and_its_parts_are_one_name(app, ana):
    ana.make_table("Zoe\u0308")
    with app.app_context():
        assert db.session.query(Player.name).scalar() == "Zo\u00eb"


def test_a_table_may_be_made_for_a_game_that_does_not_exist(ana):
    ana.make_table("Ana", game="//evil.example/")
    assert ana.open().status_code == 200
    answer = ana.client.post("/tables", data={"table": "T", "person_0": "Ana", "game": "https://evil.example"})
    assert answer.location.startswith("/t/")
    assert "evil" not in answer.location


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", '"><img src=x onerror=x>', "{{ 7 * 191 }}", "'-alert(1)-'"])
def test_hostile_names_are_only_names(ana, hostile):
    ana.make_table(hostile, "Bo", "Cy", "Di", name=hostile)
    pages = [ana.open(), ana.open(ana.person(hostile)), ana.open("/links"), ana.open("/matches"), ana.get("/")]
    ana.send("/matches", game="beloz")
    pages += [ana.open(), ana.open("/matches"), ana.open("/m/1"), ana.get("/")]
    for page in pages:
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert "1337" not in words(page)
    assert says(pages[0], hostile)


# Joining by code


@pytest.mark.parametrize(
    "typed",
    [
        lambda code: code,
        lambda code: code.replace(" ", ""),
        lambda code: code.lower(),
        lambda code: f"  {code[:3].lower()}-{code[4:]} ",
        lambda code: " ".join(code.replace(" ", "")),
    ],
    ids=["as shown", "without space", "small letters", "with a dash", "letter by letter"],
)
def test_the_code_brings_somebody_to_the_table(ana, bo, typed):
    ana.make_table("Ana")
    answer = bo.client.post("/join", data={"code": typed(shown_code(ana))})
    assert answer.status_code == 303
    assert answer.location == ana.link
    assert bo.get(answer.location).location == f"{ana.link}/join"
    assert says(bo.get(f"{ana.link}/join"), "What’s your name?")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type the code that the table shows."),
        ("K7W", "A table’s code has 6 or 7 letters and digits, like K7W M4R."),
        ("K7W M4R XXX", "A table’s code has 6 or 7 letters and digits, like K7W M4R."),
        ("K7W M4!", "A table’s code has 6 or 7 letters and digits, like K7W M4R."),
        ("ÄÖÜ ÄÖÜ", "A table’s code has 6 or 7 letters and digits, like K7W M4R."),
        (
            "k7wm4r",
            "That code doesn’t work. Codes expire after 15 minutes. Ask for a new one.",
        ),
    ],
)
def test_a_wrong_code_is_explained_where_it_was_typed(bo, typed, sentence):
    answer = bo.client.post("/join", data={"code": typed})
    assert answer.status_code == 422
    assert field(answer, "code")[0] == typed
    assert says(answer, sentence)


def test_a_code_never_holds_what_can_be_confused(app, ana):
    assert not set(seating.CODE_ALPHABET) & set("01358BCDEGIJLNOPQSUVZAF")
    ana.make_table("Ana")
    for _ in range(6):
        ana.send("/invitation")
        assert set(shown_code(ana).replace(" ", "")) <= set(seating.CODE_ALPHABET)


@pytest.mark.both_databases
def test_a_code_is_good_for_a_quarter_of_an_hour(ana, bo, monkeypatch):
    ana.make_table("Ana")
    code = shown_code(ana)
    assert says(ana.open(), "15 min left")
    monkeypatch.setattr(seating, "now", lambda: now() + timedelta(minutes=14, seconds=50))
    assert bo.client.post("/join", data={"code": code}).status_code == 303
    monkeypatch.setattr(seating, "now", lambda: now() + timedelta(minutes=15, seconds=1))
    assert bo.client.post("/join", data={"code": code}).status_code == 422
    page = ana.open()
    assert says(page, "Get a code to read out")
    assert code not in words(page)


def test_looking_at_the_table_makes_no_new_code_but_the_button_does(ana, bo, monkeypatch):
    ana.make_table("Ana")
    old = shown_code(ana)
    later = now() + timedelta(minutes=20)
    monkeypatch.setattr(seating, "now", lambda: later)
    assert says(ana.open(), "Get a code to read out")
    assert says(ana.open(), "Get a code to read out")
    assert ana.send("/invitation").location == f"{ana.link}/table"
    new = shown_code(ana)
    assert new != old
    assert bo.client.post("/join", data={"code": new}).location == ana.link
    assert bo.client.post("/join", data={"code": old}).status_code == 422


def test_a_closed_invitation_lets_nobody_in(ana, bo):
    ana.make_table("Ana")
    code = shown_code(ana)
    ana.send("/links", do="close")
    assert bo.client.post("/join", data={"code": code}).status_code == 422
    assert says(ana.open(), "Get a code to read out")


@pytest.mark.both_databases
def test_a_forgotten_code_may_be_given_to_another_table(app, ana, monkeypatch):
    ana.make_table("Ana")
    code = shown_code(ana).replace(" ", "")
    letters = iter(code)
    monkeypatch.setattr(seating.secrets, "choice", lambda _: next(letters))
    later = now() + timedelta(minutes=20)
    monkeypatch.setattr(seating, "now", lambda: later)
    ana.make_table("Ana", name="Another table")
    assert shown_code(ana).replace(" ", "") == code


def test_who_loads_a_refused_page_again_begins_anew(bo):
    assert bo.get("/join").location == "/"
    assert bo.get("/tables").location == "/tables/new"


class TestTooManyTries:
    @pytest.fixture
    def settings(self):
        return {"WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": True}

    def test_wrong_codes_are_stopped_and_what_was_typed_stays(self, bo):
        answers = [bo.client.post("/join", data={"code": "K7W M4R"}) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [422] * 10 + [429]
        assert field(answers[-1], "code")[0] == "K7W M4R"
        assert says(answers[-1], "Too many wrong codes. Wait a minute, then try again.")
        assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60

    def test_right_codes_are_not_counted(self, ana, bo):
        ana.make_table("Ana")
        code = shown_code(ana)
        assert {bo.client.post("/join", data={"code": code}).status_code for _ in range(15)} == {303}

    def test_nobody_makes_tables_without_end(self, ana):
        made = [ana.client.post("/tables", data={"table": "T", "person_0": "Ana"}).status_code for _ in range(61)]
        assert made == [303] * 60 + [429]
        refused = ana.client.post("/tables", data={"table": "Tuesday table", "person_0": "Ana"})
        assert says(refused, "Too many new tables in a short time. Nothing was lost: try again later.")
        assert field(refused, "table")[0] == "Tuesday table"
        assert 3500 < int(refused.headers["Retry-After"]) <= 3600


def test_the_health_page_asks_the_database(ana, monkeypatch):
    from sqlalchemy.exc import OperationalError

    answer = ana.get("/healthz")
    assert (answer.status_code, answer.json["status"]) == (200, "ok")

    def away(*_args, **_options):
        raise OperationalError("SELECT 1", None, OSError("away"))

    monkeypatch.setattr(db.session, "execute", away)
    assert ana.get("/healthz").status_code == 503
