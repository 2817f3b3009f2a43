"""Which language has a phone? That of its choice or its browser; the table never decides."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import pytest

from companion import languages
from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from tests.five import FIVE
from tests.languages import made_up
from tests.web.people import Phone
from tests.web.said_on_a_page import of_another_language

ENGINE = Path(__file__).resolve().parents[1] / "engine"
DRAWN = {"seal", "words"}  # of a bag whose fish the app draws
BY_HAND = {"drawn_by": "hand"}
CHOSEN, OTHER = made_up.LEFT_TO_RIGHT, made_up.RIGHT_TO_LEFT


@pytest.fixture
def ana(app, spoken):
    return Phone(app).make_table("Ana", "Bo", "Cy", "Di")


def speaks(answer):
    return re.search(r'<html lang="([^"]+)"', answer.text)[1]


class TestWhichLanguage:
    @pytest.mark.parametrize(
        ("wanted", "code"),
        [
            ("", "en"),
            ("eo", "eo"),
            ("eo-XX,en;q=0.5", "eo"),
            ("ja, he;q=0.8, en;q=0.5", "he"),
            ("en-GB, eo;q=0.9", "en"),
            ("ja", "en"),
        ],
    )
    def test_the_browser_says_it(self, ana, wanted, code):
        answer = ana.client.get("/", headers={"Accept-Language": wanted})
        assert speaks(answer) == code
        assert {"Accept-Language", "Cookie"} <= {each.strip() for each in answer.headers["Vary"].split(",")}

    def test_the_phones_choice_goes_before(self, ana):
        answer = ana.client.post("/language", data={"language": CHOSEN, "back": "/rules"})
        assert (answer.status_code, answer.location) == (303, "/rules")
        assert speaks(ana.client.get("/", headers={"Accept-Language": OTHER})) == CHOSEN

    def test_another_phone_of_the_table_keeps_its_own(self, app, ana):
        bo = Phone(app).come_to(ana)
        ana.client.post("/language", data={"language": CHOSEN})
        bo.client.post("/language", data={"language": OTHER})
        assert [speaks(phone.open()) for phone in (ana, bo, Phone(app).come_to(ana))] == [CHOSEN, OTHER, "en"]

    def test_what_is_not_offered_follows_the_browser_again(self, ana):
        ana.client.post("/language", data={"language": CHOSEN})
        ana.client.post("/language", data={"language": "xx"})
        assert speaks(ana.client.get("/")) == "en"

    @pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "", "/\n"])
    def test_it_leads_back_to_this_host_alone(self, ana, back):
        assert ana.client.post("/language", data={"language": CHOSEN, "back": back}).location == "/"


class TestMenu:
    @pytest.mark.parametrize("path", ["", "/table"])
    def test_each_language_stands_there_in_its_own_name(self, ana, path):
        page = (ana.open(path) if path else ana.get("/")).text
        found = re.findall(r'name="language" value="(\w+)" lang="(\w+)"\s+aria-pressed="\w+"><span>([^<]+)<', page)
        assert found == [("en", "en", "English"), ("eo", "eo", "Esperanto"), ("he", "he", "עברית")]

    def test_a_choice_can_be_given_back_to_the_browser(self, app, spoken, table, open_match):
        open_match("bisque", ("Ana", "Bo", "Cy"))
        phone, other = Phone(app), Phone(app)
        for each in (phone, other):
            each.link = f"/t/{table.play}/m/1"
            each.client.set_cookie("theme", "dark")
        browser = {"Accept-Language": OTHER}

        def pressed(page):
            return re.findall(r'name="language" value="(\w*)"[^>]*aria-pressed="true"', page.text)

        assert pressed(phone.get(phone.link)) == [""]
        phone.client.post("/language", data={"language": CHOSEN})
        kept = phone.client.get(phone.link, headers=browser)
        assert (speaks(kept), pressed(kept), pressed(phone.get("/"))) == (CHOSEN, [CHOSEN], [CHOSEN])
        assert pressed(other.client.get(other.link, headers={"Accept-Language": CHOSEN})) == [""]  # the same page, shared
        phone.client.post("/language", data={"language": ""})
        assert speaks(phone.client.get(phone.link, headers=browser)) == OTHER
        as_it_chose = {"Accept-Language": CHOSEN, "If-None-Match": kept.headers["ETag"]}
        assert pressed(phone.client.get(phone.link, headers=as_it_chose)) == [""]

    def test_without_another_language_there_is_no_choice(self, app, read_from, tmp_path):
        read_from(tmp_path)
        answer = app.test_client().get("/", headers={"Accept-Language": "eo"})
        assert 'name="language"' not in answer.text
        assert speaks(answer) == "en"

    def test_a_language_half_translated_is_not_offered(self, app, read_from, tmp_path, made_up_languages):
        half = tmp_path / "eo" / "pages.po"
        half.parent.mkdir()
        text = (made_up_languages / "eo" / "pages.po").read_text("utf-8")
        half.write_text(re.sub(r'(?m)^msgstr "⟦[A-M].*"$', 'msgstr ""', text), "utf-8")
        read_from(tmp_path)
        assert list(languages.languages()) == ["en", "eo"]
        assert list(languages.offered()) == ["en"]


def test_a_page_that_runs_from_right_to_left_says_so(ana):
    assert '<html lang="he" dir="rtl"' in ana.client.get("/", headers={"Accept-Language": "he"}).text
    assert " dir=" not in ana.client.get("/", headers={"Accept-Language": "eo"}).text.partition(">")[0]


def test_a_match_kept_in_one_language_is_not_shown_in_another(app, spoken, table, open_match):
    open_match("beloz", ("Ana", "Bo", "Cy", "Di"))
    phone, address = Phone(app), f"/t/{table.play}/m/1"
    again = {"If-None-Match": phone.get(address).headers["ETag"]}
    assert phone.client.get(address, headers=again).status_code == 304
    assert phone.client.get(address, headers={**again, "Accept-Language": CHOSEN}).status_code == 200


@pytest.mark.sqlite
def test_manifest_errors_and_what_scripts_say_are_in_the_language(client):
    in_french = {"Accept-Language": "fr"}
    manifest = client.get("/manifest.webmanifest", headers=in_french)
    assert (manifest.json["lang"], manifest.json["dir"]) == ("fr", "ltr")
    assert of_another_language(manifest.json["description"], "fr") == []
    assert {"Accept-Language", "Cookie"} <= {each.strip() for each in manifest.headers["Vary"].split(",")}
    for path in ("/nowhere", "/t/no-such-table/table", "/offline"):
        page = client.get(path, headers=in_french)
        assert speaks(page) == "fr"
        assert of_another_language(page.text, "fr") == []
    assert json.loads(re.search(r"data-words[^>]*>([^<]+)<", page.text)[1])


def test_the_api_adds_the_language_that_is_asked_for(app, spoken):
    look_up = {"game": "bisque", "trick": ["4-moons-suns", "ace-moons", "9-waves-wyrms"]}
    client = app.test_client()
    answer = client.post("/api/v1/legal", json=look_up, headers={"Accept-Language": f"{CHOSEN},en;q=0.5"})
    assert answer.json["why"] == "The 9 of waves and wyrms wins: the highest rank."
    told = answer.json["sentences"]["why"]
    assert told["language"] == CHOSEN
    assert made_up.said("waves") in told["translated"]
    assert "highest" not in told["translated"]
    assert "Accept-Language" in answer.headers["Vary"]
    client.set_cookie("language", CHOSEN)
    told = client.post("/api/v1/legal", json=look_up).json["sentences"]["why"]
    assert "translated" not in told  # no cookie is read


def test_a_problem_of_the_api_is_told_in_the_language_that_is_asked_for(app, spoken):
    refused = app.test_client().post("/api/v1/legal", json={"game": "chess"}, headers={"Accept-Language": OTHER})
    assert refused.json["detail"].startswith("game: there is no game “chess”; possible: beloz, ")
    assert refused.json["sentences"]["detail"]["language"] == OTHER
    assert made_up.OPEN in refused.json["sentences"]["detail"]["translated"]


@pytest.mark.sqlite
@pytest.mark.parametrize("code", ["fr", "de"])
@pytest.mark.parametrize("slug", FIVE)
def test_a_whole_match_is_shown_in_the_language(app, client, table, open_match, caplog, slug, code):
    record = json.loads((ENGINE / slug.replace("-", "_") / "match.json").read_text("utf-8"))
    record = record.get("record", record)
    options = {name: value for name, value in record["options"].items() if name not in DRAWN}
    match = open_match(slug, record["players"], **options)
    with app.app_context():
        for seen, event in enumerate(record["events"]):
            drawn = BY_HAND if "drawn_by" in event else {}
            happened = decode_event(GAMES[slug], {**event, **drawn})
            entries.record(match, (happened,), idempotency_key=f"key-{seen}", expected_seq=seen, player=0)
    page = client.get(f"/t/{table.play}/m/{match.number}", headers={"Accept-Language": code})
    assert page.status_code == 200
    assert speaks(page) == code
    assert not [said for said in caplog.messages if "can't be used" in said]
    assert of_another_language(page.text, code, "Ana", "Bo", "Cy", "Di", "Kitchen table") == []
    words = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", page.text, flags=re.DOTALL)
    assert re.findall(r"\b(?:[2-9]|\d\d+)\s+(?:carte|point|Karte|Punkt|phone)\b", words) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("slug", ["beluga-cup", "rivals", "beloz"])
def test_who_asks_after_a_phone_in_another_language_is_answered_in_their_own(client, slug):
    in_english, in_french = ({"Accept-Language": code} for code in ("en", "fr"))
    before = client.get(f"/may-i/{slug}?x=1", headers=in_english).text
    french = client.get(f"/may-i/{slug}?x=1", headers=in_french).text
    again = client.get(f"/may-i/{slug}?x=1", headers=in_english).text
    heard = [set(re.findall(r'aria-label="([^"]+)"', page)) for page in (before, french, again)]
    assert heard[0] == heard[2]
    assert len(heard[0] & heard[1]) < len(heard[0]) / 4  # "Excuse" and "Zone 1" are the same words


@pytest.mark.sqlite
def test_a_refusal_of_may_i_is_in_the_language(client):
    form = {"trick": ["ace-moons", "ace-suns", "ace-waves", "ace-leaves"]}
    page = client.post("/may-i/bisque", data=form, headers={"Accept-Language": "fr"})
    assert "Reprenez-en une." in page.text
    assert "Take one of them back" not in page.text


@pytest.mark.sqlite
@pytest.mark.parametrize(("code", "said"), [("fr", "sans l’Excuse (cartes\u00a0: de base)"), ("de", "(Karten: einfach)")])
def test_a_deck_is_called_by_its_words_and_not_as_records_write_it(client, code, said):
    page = client.post("/may-i/beluga-cup", data={"hand": ["excuse"]}, headers={"Accept-Language": code})
    assert said in page.text


@pytest.mark.sqlite
def test_why_a_file_does_not_come_back_is_in_the_language(client, table):
    file = (BytesIO(b"no table"), "table.json")
    page = client.post(f"/t/{table.play}/bring", data={"file": file}, headers={"Accept-Language": "fr"})
    assert page.status_code == 422
    assert "Ce fichier ne peut pas être lu" in page.text


@pytest.mark.sqlite
def test_why_a_house_rule_can_not_be_is_in_the_language_with_its_numbers(client, table):
    page = client.post(f"/t/{table.play}/matches", data={"game": "beloz", "target": "0"}, headers={"Accept-Language": "fr"})
    assert page.status_code == 422
    assert of_another_language(page.text, "fr", "Ana", "Bo", "Cy", "Di", "Kitchen table") == []
    assert "1\u202f000\u202f000\u202f000" in page.text


def test_a_total_below_nothing_has_a_minus_sign_and_a_target_its_thousands_apart(app):
    source = """{% import "components/ui.html" as ui %}
    {{- ui.score_header([{"side": 0, "name": "Ana", "total": -22}, {"side": 1, "name": "Bo", "total": 5}], target=1000) }}"""
    source = source.replace("5}", '1015, "to_go": 1015}')
    for code, thousand in (("en", ","), ("fr", "\u202f"), ("de", ".")):
        with app.test_request_context(headers={"Accept-Language": code}):
            page = app.jinja_env.from_string(source).render()
        assert "\N{MINUS SIGN}22<" in page
        assert f"1{thousand}000" in page
        assert page.count(f"1{thousand}015") == 2
        assert "1000" not in page
        assert ">1015" not in page


@pytest.mark.sqlite
class TestTheNameThatATableHasAtFirst:
    @pytest.mark.parametrize("given", ["Monday table 2", "Table du lundi 2", "Montagstisch 2"])
    @pytest.mark.parametrize(
        ("code", "read", "file"),
        [
            ("en", "Monday table 2", "monday-table-2-"),
            ("fr", "Table du lundi 2", "table-du-lundi-2-"),
            ("de", "Montagstisch 2", "montagstisch-2-"),
        ],
    )
    def test_is_read_in_each_phones_language(self, app, given, code, read, file):
        phone = Phone(app).make_table("Ana", "Bo", "Cy", "Di", name=given)
        phone.client.set_cookie("language", code)
        assert phone.send("/matches", game="beloz").status_code == 303
        others = {"Monday table 2", "Table du lundi 2", "Montagstisch 2"} - {read}
        for path in ("/table", "/m/1", "/links", "/name", "/matches", "/forget", "/manifest.webmanifest"):
            answer = phone.open(path)
            assert answer.status_code == 200
            assert read in answer.text, path
            assert not [other for other in others if other in answer.text], path
        assert f'"{file}' in phone.open("/table.json").headers["Content-Disposition"]
        assert f'"{file}beloz-1-' in phone.open("/m/1/record.json").headers["Content-Disposition"]
        assert read in phone.get("/").text
        assert field_value(phone.get("/tables/new", game="beloz"), "table") != read
        phone.send("/forget")
        assert read in phone.get("/").text

    def test_a_new_one_is_called_like_none_that_the_phone_has(self, app):
        phone = Phone(app)
        first = field_value(phone.get("/tables/new", game="beloz"), "table")
        phone.make_table("Ana", name=first)
        phone.client.set_cookie("language", "fr")
        second = field_value(phone.get("/tables/new", game="beloz"), "table")
        assert re.fullmatch(r"Table du (\w+di|dimanche) 2", second)

    @pytest.mark.parametrize("typed", ["Monday tables", "Stammtisch am Montag", "Monday table 2024", "Montagstisch 0"])
    def test_what_people_typed_stays(self, app, typed):
        phone = Phone(app).make_table("Ana", name=typed)
        phone.client.set_cookie("language", "fr")
        assert f"<title>{typed}" in phone.open("/table").text


def field_value(page, name):
    return re.search(rf'name="{name}"[^>]* value="([^"]*)"', page.text)[1]
