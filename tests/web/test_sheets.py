"""Is any other game chosen, begun, filled, corrected and ended on phones? By score sheets at a table of three."""

from __future__ import annotations

import re
import threading
import zlib
from base64 import urlsafe_b64encode
from fractions import Fraction
from html import unescape
from io import BytesIO

import pytest
from msgspec import to_builtins
from msgspec.structs import replace
from sqlalchemy import insert, select
from werkzeug.datastructures import MultiDict

from companion.engine.core import start
from companion.engine.records import decode_event, decode_sheet
from companion.engine.sheet import presets
from companion.engine.sheet.match import GAME, SheetOptions, settled
from companion.engine.sheet.settling import in_cents, payments
from companion.sheets.making import answers, made
from companion.sheets.passing import text_of
from companion.storage.models import Kept, Match, Table, db
from companion.tables import keeping
from companion.tables.bringing_back import bring_back
from companion.tables.table_file import export_table, import_table
from companion.web.table.qr import qr_code
from tests.web.people import Phone, claim, says, words


@pytest.fixture
def ana(app):
    """Return Ana's phone, at a table with Bo and Cy."""
    return Phone(app).make_table("Ana", "Bo", "Cy", game="sheet")


def begin(phone, preset, **fields):
    """Begin a match by a preset, as its page asks, and return its address."""
    page = phone.open(f"/more/{preset}").text
    players = re.findall(r'name="player" value="(\d+)"', page)
    answer = phone.send("/matches", game="sheet", preset=preset, player=players, **fields)
    assert answer.status_code == 303, words(answer)
    return answer.location


def hidden(page):
    """Return what a form of the match sends along."""
    return dict(re.findall(r'name="(expected_seq|idempotency_key)" value="([^"]*)"', page))


def fill(phone, match, **fields):
    """Send the cells of a row: c0_tricks is the first side's cell of tricks."""
    cells = {re.sub(r"^([cr]\d*)_", r"\1-", name).replace("_", "-"): value for name, value in fields.items()}
    return phone.client.post(f"{match}/row", data={**hidden(phone.get(match).text), **cells})


def first_row(page):
    """Return the title of the first game that a list shows."""
    return words(re.search(r"shelf-row.*?<b>(.*?)</b>", page, re.DOTALL)[1])


def totals(phone, match):
    return [unescape(total) for total in re.findall(r'class="sheet-total">([^<]*)', phone.get(match).text)]


class TestChoosing:
    def test_home_lists_the_kinds_below_the_boxes(self, app):
        page = Phone(app).get("/")
        assert page.text.index("Any other game") > page.text.index("What the Fish!")
        assert says(page, "Ledger")

    @pytest.mark.parametrize(
        ("query", "first"),
        [
            ("skul", "Skull King"),
            ("Kniffel", "Yahtzee"),
            ("rami", "Rummy"),
            ("tysiac", "1000"),
            ("Yams", "Yahtzee"),
            ("wizzard", "Wizard"),
        ],
    )
    def test_a_game_is_found_by_its_name_in_any_language_and_with_a_wrong_letter(self, app, query, first):
        assert first_row(Phone(app).get("/more", q=query).text) == first

    @pytest.mark.parametrize(
        ("code", "query", "row"),
        [
            ("en", "sk", "<b><mark>Sk</mark>ull King</b><small>Bids. 2 to 8 players"),
            ("en", "king", "<b>Skull <mark>King</mark></b>"),
            ("en", "farkel", "<b><mark>Fark</mark>l<mark>e</mark></b>"),
            ("en", "kniffel", "<b>Yahtzee</b><small><mark>Kniffel</mark>. 2 to"),
            ("de", "yahtzee", "<b>Kniffel</b><small><mark>Yahtzee</mark>. 2 bis"),
            ("de", "uberall", "<b>Großes Café <mark>Überall</mark></b>"),
            ("fr", "cafe", "<b>Großes <mark>Café</mark> Überall</b>"),
            ("fr", "grosses-cafe u", "<b><mark>Großes Café Ü</mark>berall</b>"),
            ("fr", "annonce", "<b>Wizard</b><small><mark>Annonce</mark>s. De 3 à 6"),
        ],
    )
    def test_the_letters_that_are_found_are_marked_accents_or_not(self, app, code, query, row):
        phone = Phone(app)
        phone.client.post("/more/make", data={"name": "Großes Café Überall"})
        assert row in phone.client.get("/more", query_string={"q": query}, headers={"Accept-Language": code}).text

    def test_nothing_found_leads_to_the_plain_sheet(self, app):
        assert says(Phone(app).get("/more", q="zzzzzz"), "No sheet is called so")

    def test_what_was_played_last_comes_first(self, ana):
        match = begin(ana, "wizard")
        ana.client.post(f"{match}/stop", data=hidden(ana.get(match).text))
        assert first_row(ana.open("/more").text) == "Wizard"

    def test_home_leads_to_what_was_played_last_with_the_same_people(self, ana):
        assert not says(ana.get("/"), "Played last")
        for preset in ("wizard", "hearts", "uno"):
            match = begin(ana, preset)
            ana.client.post(f"{match}/stop", data=hidden(ana.get(match).text))
        home = ana.get("/")
        assert says(home, "Played last")
        links = re.findall(r'href="(/t/[^"]*/more/[^"]*)"', home.text)
        assert [link.rpartition("/")[2] for link in links] == ["uno", "hearts"]
        assert says(ana.get(links[0]), "Start Uno")

    def test_the_rules_are_the_scoring_in_words(self, app):
        page = Phone(app).get("/more/hearts")
        assert says(page, "Each heart counts 1, the queen of spades 13.")
        assert says(page, "The lowest total wins.")
        assert Phone(app).get("/more/chess").status_code == 404

    def test_numbers_that_only_a_formula_knows_are_not_told(self, app):
        page = Phone(app).get("/more/mahjong")
        assert says(page, "Began as: East, South, West, North.")
        assert says(page, "Final points: a number, also below 0, in steps of 100.")
        assert says(Phone(app).get("/more/barbu"), "Contract: No tricks, No hearts")
        assert says(Phone(app).get("/more/tarot"), "Bouts: 56, 51, 41, 36.")

    def test_a_new_table_goes_on_to_the_sheet_that_was_chosen(self, app):
        answer = Phone(app).client.post("/tables", data={"table": "T", "game": "sheet", "item": "uno", "person_0": "Ana"})
        assert answer.location.endswith("/more/uno")

    def test_a_sheet_for_other_numbers_is_refused_with_the_sentence(self, ana):
        answer = ana.send("/matches", game="sheet", preset="spades")
        assert answer.status_code == 422
        assert says(answer, "Spades needs 4 players. 1 more to go.")

    def test_it_says_which_answer_of_a_house_is_the_usual_one(self, ana):
        page = re.sub(r"<[^>]*>", " ", ana.open("/more/tarot").text)
        assert re.search(r"multiplied by the contract\?\s+Yes\s+usual\s+No", page)

    def test_what_breaks_a_tie_is_told_in_words(self, app):
        assert says(Phone(app).get("/more/wingspan"), "A tie goes to whoever has most of Unused food.")

    def test_what_ends_a_match_is_told_for_each_number_of_players(self, app):
        page = Phone(app).get("/more/wizard")
        assert says(page, "It ends after 20, 15, 12 or 10 rounds.")
        assert says(page, "That is with 3, 4, 5 or 6 players, in this order.")
        assert says(Phone(app).get("/more/hearts"), "It ends at 100 points.")
        assert says(Phone(app).get("/more/farkle"), "It ends at 10,000 points.")
        made_up = {"name": "First", "ends": "at", "limit": "1", "column": "Points"}
        assert says(Phone(app).client.post("/more/make", data={**made_up, "ask": "preview"}), "It ends at 1 point.")

    def test_a_column_of_a_house_rule_is_there_in_houses_that_have_it(self, ana):
        jack = begin(ana, "hearts", **{"house-diamonds": "1"})
        assert says(ana.get(jack), "Jack of diamonds")
        assert says(ana.get(f"{jack}/see/scoring"), "Jack of diamonds: yes or no.")
        fill(ana, jack, c0_points="26", c0_jack="yes", c1_points="0", c2_points="0")
        assert totals(ana, jack) == ["−10", "26", "26"]
        ana.client.post(f"{jack}/stop", data=hidden(ana.get(jack).text))
        usual = begin(ana, "hearts")
        assert not says(ana.get(usual), "Jack of diamonds")
        assert not says(ana.get(f"{usual}/see/scoring"), "Jack of diamonds: yes or no.")

    def test_a_house_rule_that_is_none_is_refused(self, ana):
        assert ana.send("/matches", **{"game": "sheet", "preset": "hearts", "house-moon": "7"}).status_code == 422


class TestFilling:
    def test_bids_come_first_and_the_tricks_are_checked(self, ana):
        match = begin(ana, "skull-king")
        assert "Skull King" in re.findall(r"<title>(.*?)</title>", ana.get(match).text)[0]
        assert says(ana.get(match), "Ana, Bo and Cy are missing.")
        assert fill(ana, match, c0_bid="1", c1_bid="0", c2_bid="0").status_code == 303
        wrong = fill(ana, match, c0_tricks="1", c1_tricks="0", c2_tricks="1")
        assert wrong.status_code == 422
        assert says(wrong, "Together the tricks come to 1. These come to 2.")
        assert 'name="c2-tricks" value="1"' in wrong.text  # what was typed stays
        assert fill(ana, match, c0_tricks="1", c1_tricks="0", c2_tricks="0").status_code == 303
        assert totals(ana, match) == ["20", "10", "10"]
        assert says(ana.get(match), "Ana: Bid 1, Tricks 1, Bonus 0: 20 × 1 = 20")

    def test_a_tap_on_a_bid_opens_it_again_and_what_was_typed_stays(self, app, ana):
        match = begin(ana, "skull-king")
        fill(ana, match, c0_bid="1", c1_bid="0", c2_bid="0")
        assert fill(ana, match, c0_tricks="1", share="c0-tricks").status_code == 200
        again = re.search(rf'href="({match}/entries/\d+)#i-c1-bid"', ana.get(match).text)[1]
        page = ana.get(again)
        assert 'id="i-c1-bid"' in page.text
        with app.app_context():
            screen = f"/t/{db.session.scalar(select(Table.watch_token))}/screen"
        assert says(Phone(app).get(screen), "The bids of round 1, Ana 1, Bo 0, Cy 0")
        bids = {**hidden(page.text), "c0-bid": "1", "c1-bid": "1", "c2-bid": "0"}
        assert ana.client.post(again, data=bids).status_code == 303
        page = ana.get(match)
        assert re.search(r'id="head-1".*?<b>(\d)</b>', page.text, re.DOTALL)[1] == "1"
        assert 'name="c0-tricks" value="1"' in page.text
        assert fill(ana, match, c0_tricks="1", c1_tricks="0", c2_tricks="0").status_code == 303
        assert totals(ana, match) == ["20", "−10", "10"]

    def test_bids_lie_face_down_until_everybody_has_bid(self, app, ana):
        match = begin(ana, "skull-king")
        bo = Phone(app).come_to(ana)
        claim(bo, "Bo")
        assert fill(ana, match, c0_bid="1", unseen="yes").status_code == 303
        assert fill(bo, match, c1_bid="1", share="c1-bid").status_code == 200
        pages = [each.get(match).text for each in (ana, bo, Phone(app).come_to(ana))]
        assert [page.count('class="sheet-back"') for page in pages] == [1, 1, 2]
        own = [re.findall(r'name="(c\d-bid)" value="(\d)"', page) for page in pages]  # who bids sees that alone
        assert own == [[("c0-bid", "1")], [("c1-bid", "1")], []]
        assert fill(bo, match, c2_bid="0", share="c2-bid").status_code == 200
        assert says(ana.get(match), "1 too many: somebody must miss.")
        assert fill(ana, match, c0_bid="1", c1_bid="1", c2_bid="0").status_code == 303

    def test_one_tap_mends_a_row_that_can_not_be_right(self, ana):
        match = begin(ana, "skull-king")
        fill(ana, match, c0_bid="1", c1_bid="0", c2_bid="1")
        tricks = {"c0_tricks": "1", "c1_tricks": "0", "c2_tricks": "1"}
        page = fill(ana, match, **tricks, ask="preview").text
        without_scripts = fill(ana, match, **tricks).text
        for shown in (page, without_scripts):
            assert re.findall(r'name="mend" value="([^"]*)"', shown) == ["c0-tricks=0", "c2-tricks=0"]
        assert fill(ana, match, **tricks, mend="c2-tricks=0").status_code == 303
        assert re.search(r'name="c2-tricks"\s+value="0"', ana.get(match).text)

    def test_a_refusal_stands_beside_its_cell(self, ana):
        match = begin(ana, "plain")
        answer = fill(ana, match, c0_points="5", c1_points="x", c2_points="7")
        assert answer.status_code == 422
        assert re.search(r'id="note-c1-points"[^>]*><i class="bad">', answer.text)  # which cell it is
        assert re.search(r'id="wrong-points"[^>]*>\s*<b class="bad" role="alert"[^>]*>Bo: A number belongs here\.', answer.text)

    def test_several_phones_fill_one_row(self, app, ana):
        match = begin(ana, "plain")
        bo = Phone(app).come_to(ana)
        assert fill(ana, match, c0_points="10+15+8", share="c0-points").status_code == 200
        assert fill(bo, match, c1_points="4", share="c1-points").status_code == 200
        assert 'name="c0-points" value="10+15+8"' in bo.get(match).text
        for text, told in (("10+15+8", ["33"]), ("10-13", ["−3"]), ("-3", [])):  # what it comes to, unless it is that
            page = fill(ana, match, c0_points=text, ask="preview").text
            assert re.findall(r'class="worth">([^<]*)', page) == told
        assert 'name="c1-points" value="4"' in ana.get(match).text
        assert fill(ana, match, c0_points="10+15+8", c1_points="4", c2_points="0").status_code == 303
        assert totals(ana, match) == ["33", "4", "0"]
        assert 'name="c0-points" value=""' in bo.get(match).text
        assert fill(bo, match, c1_points="4", share="c1-points", of="row1").status_code == 422  # on its way while Ana saved
        assert 'name="c1-points" value=""' in bo.get(match).text
        assert fill(bo, match, c1_points="5", share="c1-points", of="row2").status_code == 200
        assert 'name="c1-points" value="5"' in ana.get(match).text

    def test_what_came_too_late_for_a_round_is_told_beside_what_was_saved(self, ana):
        match = begin(ana, "skull-king")
        fill(ana, match, c0_bid="1", c1_bid="0", c2_bid="0")
        first = hidden(ana.get(match).text)
        fill(ana, match, c0_tricks="1", c1_tricks="0", c2_tricks="0")
        fill(ana, match, c0_bid="2", c1_bid="0", c2_bid="0")
        assert ana.client.post(f"{match}/row", data={**first, "c1-tricks": "1", "share": "c1-tricks"}).status_code == 303
        assert 'name="c1-tricks" value=""' in ana.get(match).text, "it belongs to no other round"
        of_one = ["bids1 c1-bid 1", "row1 c1-tricks 1", "row1 c0-tricks 1", "row1 c2-bonus 30"]
        typed = [*of_one, "row2 c2-tricks 1", "bids2 c2-bid 1"]
        page = fill(ana, match, ask="preview", late=typed)
        for sentence in (
            "You had 1 for Bo, Bid. Round 1 was saved with 0.",
            "You had 1 for Bo, Tricks. Round 1 was saved with 0.",
            "You had 30 for Cy, Bonus. Round 1 was saved without it.",
            "You had 1 for Cy, Bid. Round 2 was saved with 0.",
        ):
            assert says(page, sentence)
        assert words(page).count("You had") == 4  # one is right, and one is not saved yet
        again = unescape(re.search(rf'href="({match}/entries/3\?[^#"]*)', page.text)[1])
        assert re.search(r'name="c2-bid" value="1"', ana.get(again).text)
        for odd in ("", "row9999 c0-tricks 1", "row1 c99-tricks 1", "row1 c0-nothing 1", "row0 c0-tricks 1", "x" * 999):
            assert "You had" not in words(fill(ana, match, ask="preview", late=odd))

    def test_what_came_too_late_is_told_after_the_end_as_well(self, ana):
        match = begin(ana, "plain")
        fill(ana, match, c0_points="10", c1_points="4", c2_points="0")
        ana.client.post(f"{match}/row", data={**hidden(ana.get(match).text), "finish": "yes"})
        assert says(fill(ana, match, ask="preview", late="row1 r-points 5"), "Ana wins")
        assert says(fill(ana, match, ask="preview", late="row1 c0-points 15"), "You had 15 for Ana. Round 1 was saved with 10.")
        typed = ["row2 c1-points 7", "row3 c1-points 8", "row2 c9-points 9", "end1 c0-points 1"]
        page = fill(ana, match, ask="preview", late=typed)
        assert re.findall(r"You had.*?it\.", words(page)) == ["You had 7 for Bo. The match ended without it."]
        panel = page.text.partition('id="late"')[2].partition("</section>")[0]
        assert re.findall(r'<a [^>]*href="([^"]*)"', panel) == [f"{match}/undo?of=2"], "it goes on with the 7"

    def test_what_came_too_late_for_a_column_at_the_end_is_told(self, ana):
        match = begin(ana, "wingspan")
        empty = ["end1 c1-birds 8"]
        assert "You had" not in words(fill(ana, match, ask="preview", late=empty))
        cells = ("birds", "bonus_cards", "round_goals", "eggs", "food", "tucked")
        assert fill(ana, match, **{f"c0_{each}": "5" for each in cells}).status_code == 303
        page = fill(ana, match, ask="preview", late=["end1 c0-birds 8", "end1 c0-eggs 5", *empty])
        assert re.findall(r"You had.*?\.[^.]*\.", words(page)) == ["You had 8 for Ana, Birds. It was saved with 5."]
        fill(ana, match, finish="yes")
        assert "You had 8 for Bo, Birds. The match ended without it." in words(fill(ana, match, ask="preview", late=empty))

    def test_what_was_typed_is_there_again_once_the_end_is_undone(self, app, ana):
        match = begin(ana, "plain")
        fill(ana, match, c0_points="10", c1_points="4", c2_points="0")
        bo = Phone(app).come_to(ana)
        before = hidden(bo.get(match).text)
        assert fill(ana, match, c0_points="15", share="c0-points").status_code == 200
        assert fill(bo, match, finish="yes").status_code == 303
        bo.client.post(f"{match}/row", data={**before, "c1-points": "7", "share": "c1-points"})  # it was on its way at the end
        assert says(ana.get(match), "Ana wins")
        end = {**hidden(bo.get(match).text), "of": 2, "sure": 1}
        assert bo.client.post(f"{match}/undo", data=end).status_code == 303
        for phone in (ana, bo):
            assert re.findall(r'name="c\d-points" value="([^"]*)"', phone.get(match).text) == ["15", "", ""]
        again = {**hidden(bo.get(match).text), "c1-points": "7", "share": "c1-points"}
        assert bo.client.post(f"{match}/row", data=again).status_code == 200, "the phone still has it, and sends it again"
        assert 'name="c1-points" value="7"' in ana.get(match).text
        assert totals(ana, match) == ["10", "4", "0"]

    def test_thousands_stand_apart_in_the_totals_as_in_the_rows(self, ana):
        match = begin(ana, "plain")
        assert fill(ana, match, c0_points="1234", c1_points="-1234", c2_points="999").status_code == 303
        assert totals(ana, match) == ["1,234", "−1,234", "999"]
        assert 'data-sum="1,234 + 1,000 = 2,234"' in fill(ana, match, c0_points="1000", ask="preview").text

    def test_a_team_is_several_people(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "jass")
        assert fill(ana, match, r_times="1", c0_points="100", c1_points="57").status_code == 303
        assert says(ana.get(match), "Ana & Cy lead, 43 ahead.")

    def test_a_chess_evening_counts_halves_wherever_it_is_told(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", game="sheet")
        chess = {"name": "Chess", "column": ["Won"], "wins": "highest", "ends": "at", "limit": "5½", "halves": "yes"}
        link = ana.client.post("/more/make", data=chess).location
        assert says(ana.get(link), "It ends at 5½ points.")
        assert says(ana.get(link), "Won: a number or a half.")
        text = re.search(r'name="s"\s+value="([^"]*)"', ana.get(link).text)[1]
        assert 'name="limit" type="text" value="5½"' in ana.get("/more/make", of=text).text
        match = ana.send("/matches", game="sheet", sheet=text).location
        assert 'data-digit="½"' in ana.get(match).text
        page = fill(ana, match, c0_column_1="2½", c1_column_1="½", c2_column_1="0", ask="preview")
        assert 'data-sum="0 + 2½ = 2½"' in page.text
        assert fill(ana, match, c0_column_1="1½+1", c1_column_1="0,5", c2_column_1="0").status_code == 303
        assert 'value="1½+1"' in ana.get(f"{match}/entries/1").text
        assert says(ana.get(match), "3 more for Ana ends it.")
        assert fill(ana, match, c0_column_1="1", c1_column_1="0", c2_column_1="1.5").status_code == 303
        assert totals(ana, match) == ["3½", "½", "1½"]
        assert says(ana.get(match), "Ana leads, 2 ahead.")
        assert says(ana.get(match), "2 more for Ana ends it.")
        again = ana.get(re.search(rf'href="({match}/entries/\d+)', ana.get(match).text)[1])
        assert re.findall(r'name="c\d-column-1"\s+value="([^"]*)"', again.text) == ["1", "0", "1½"]
        with app.app_context():
            screen = f"/t/{db.session.scalar(select(Table.watch_token))}/screen"
        seen = [ana.get(match), ana.get(f"{match}/see/history"), Phone(app).get(screen), ana.open("/table")]
        assert says(seen[2], "5 to go")
        corrected = {**hidden(again.text), "c0-column-1": "3", "c1-column-1": "0", "c2-column-1": "1½"}
        seen.append(ana.client.post(again.request.path, data={**corrected, "ask": "preview"}))
        assert ana.client.post(again.request.path, data=corrected).status_code == 303
        seen += [ana.get(match), ana.open("/almanac"), ana.open("/almanac", game="~chess"), ana.open("/almanac/evening/1")]
        seen += [ana.open("/almanac/match/1"), ana.open("/almanac/match/1", round="2"), ana.open("/table"), ana.get(screen)]
        seen += [ana.open("/almanac/person", who=who) for who in ("Ana", "Cy")]
        assert says(seen[-4], "Ana won with 5½")
        assert says(seen[-6], "Ana won, 5½ : 1½ : ½")
        for page in seen:
            assert page.status_code == 200, page.request.path
            text = re.sub(r"[Aa]verage score\s*[\d.\s]+", "", words(page))
            assert re.search(r"\d\.[05]", text) is None, page.request.path
        link = f"{ana.link}/almanac"
        assert "5.5; 0.5; 1.5" in ana.get(f"{link}/matches.csv").text
        told = ana.get(f"{link}/almanac.json").json["matches"][0]
        assert (told["scores"], told["rounds"][1]["gained"]) == ([5.5, 0.5, 1.5], [3, 0, 1.5])
        record = ana.get(f"{match}/record.json").json
        assert [list(cells.values()) for cells in record["events"][1]["cells"]] == [[3], [0], [1.5]]
        assert ana.client.post("/api/v1/replay", json=record).json["scores"] == [5.5, 0.5, 1.5]
        with app.test_request_context():
            brought = import_table(export_table(db.session.scalar(select(Table.id)))).play_token
        assert re.findall(r'class="sheet-total">([^<]*)', Phone(app).get(f"/t/{brought}/m/1").text) == ["5½", "½", "1½"]

    def test_a_ledger_shows_plus_and_minus_before_it_is_saved(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "doppelkopf")
        cells = {"c0_won": "yes", "c2_won": "yes", "r_points": "4"}
        page = fill(ana, match, **cells, ask="preview").text
        assert re.findall(r'class="(?:good|bad)">([+−]\d+)<', page) == ["+4", "−4", "+4", "−4"]
        assert fill(ana, match, **cells).status_code == 303
        assert says(ana.get(match), "Ana +4, Bo −4, Cy +4, Di −4")  # among the rounds below, too
        page = ana.get(f"{match}/settle")
        assert says(page, "2 payments, and all is even")

    def test_skat_settles_what_lies_between_each_and_each(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", game="sheet")
        match = begin(ana, "skat")
        assert says(ana.get(match), "Tap a name.")
        page = fill(ana, match, c1_played="yes", ask="preview")
        assert says(page, "Game value is missing.")
        assert "data-error" not in page.text.partition('id="verdict"')[2].partition("</div>")[0]
        assert says(fill(ana, match, c1_played="yes"), "A game has a value and a player who played it alone.")
        assert says(fill(ana, match, c1_played="yes", r_game="20", ask="preview"), "= −90")  # Bo’s, not the others’
        assert fill(ana, match, r_game="20", c1_played="yes").status_code == 303  # lost: 40, −90 and 40
        page = ana.get(f"{match}/settle")
        assert says(page, "Everybody settles the difference with everybody.")
        assert says(page, "Bo gives 130 to Ana.")  # 40 and 90
        assert says(page, "Bo gives 130 to Cy.")

    def test_what_went_to_nobody_is_paid_into_the_pot(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "mahjong", **{"house-penalty": "200"})
        points = {f"c{side}_points": str(n) for side, n in enumerate((42_000, 31_000, 27_000, 20_000))}
        assert fill(ana, match, **points, c0_chombo="1").status_code == 303
        assert totals(ana, match) == ["+70", "+60", "−80", "−250"]
        page = ana.get(f"{match}/settle")
        assert says(page, "Di gives 200 to the pot.")
        assert says(page, "Cy gives 80 to Ana.") or says(page, "Di gives 50 to Bo.")

    def test_whoever_has_paid_is_marked_on_all_phones_also_after_the_end(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "doppelkopf")
        fill(ana, match, c0_won="yes", c2_won="yes", r_points="4")
        ana.client.post(f"{match}/row", data={**hidden(ana.get(match).text), "finish": "yes"})
        bo = Phone(app).come_to(ana)
        page = bo.get(f"{match}/settle")
        first, second = re.findall(r'name="paid" value="([^"]*)"', page.text)
        assert bo.client.post(f"{match}/settle", data={**hidden(page.text), "paid": first}).status_code == 303
        assert re.findall(r'value="([^"]*)" aria-pressed', ana.get(f"{match}/settle").text) == [first]
        ana.client.post(f"{match}/settle", data={**hidden(page.text), "paid": second})
        assert says(ana.get(f"{match}/settle"), "All is even")
        assert 'class="gathering"' in ana.get(f"{match}/settle").text  # the scene of an ending
        bo.client.post(f"{match}/settle", data={**hidden(page.text), "paid": first})
        assert re.findall(r'value="([^"]*)" aria-pressed', ana.get(f"{match}/settle").text) == [second]
        assert bo.client.post(f"{match}/settle", data={**hidden(page.text), "paid": "0-1-999"}).status_code == 200

    def test_the_unit_is_points_until_a_table_agrees_on_a_rate_and_keeps_it(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "doppelkopf")
        fill(ana, match, c0_won="yes", c2_won="yes", r_points="31")

        def settle(phone, address, **fields):
            return phone.client.post(f"{address}/settle", data={**hidden(phone.get(f"{address}/settle").text), **fields})

        assert "In points" not in words(ana.get(f"{match}/settle"))  # nothing to choose before there is a rate
        refused = settle(ana, match, rate="ten", agree="yes")
        assert refused.status_code == 422
        assert says(refused, "Write the cents for a point: from ½ to 10,000.")
        assert 'value="ten"' in refused.text
        assert settle(ana, match, rate="10", agree="yes").status_code == 303
        bo = Phone(app).come_to(ana)
        assert says(bo.get(f"{match}/settle"), "10 cents a point")
        assert says(bo.get(f"{match}/settle"), "3.10")
        settle(bo, match, unit="points")
        assert not says(ana.get(f"{match}/settle"), "3.10")
        ana.client.post(f"{match}/row", data={**hidden(ana.get(match).text), "finish": "yes"})
        again = begin(ana, "doppelkopf")
        fill(ana, again, c0_won="yes", c2_won="yes", r_points="3")
        assert says(ana.get(f"{again}/settle"), "10 cents a point")  # asked once a table
        assert not says(ana.get(f"{again}/settle"), "0.30")  # and points are the start again
        settle(ana, again, rate="0,5", agree="yes")
        assert says(ana.get(f"{again}/settle"), "Cents are rounded so that together they come to 0.")

    def test_the_table_s_file_carries_the_rate_and_what_was_handed_over(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "doppelkopf")
        fill(ana, match, c0_won="yes", c2_won="yes", r_points="31")
        fields = hidden(ana.get(f"{match}/settle").text)
        with app.test_request_context():
            table = db.session.scalar(select(Table.id))
            before = export_table(table)  # a phone takes the table along before anything is agreed on
        ana.client.post(f"{match}/settle", data={**fields, "rate": "10", "agree": "yes"})
        first = re.findall(r'name="paid" value="([^"]*)"', ana.get(f"{match}/settle").text)[0]
        ana.client.post(f"{match}/settle", data={**fields, "paid": first})
        fill(ana, match, c0_won="yes", c2_won="yes", r_points="1", share="r-points")  # typed, and nobody else's business
        with app.test_request_context():
            data = export_table(table)
            carried, late = import_table(data), import_table(before)
            links = (carried.play_token, late.play_token)
            bring_back(late.id, data, {})
            bring_back(table, data.replace(b'"rate":10,', b'"rate":5,'), {})
        assert b"r-points" not in data
        for page in (ana.get(f"{match}/settle"), *(ana.get(f"/t/{link}/m/1/settle") for link in links)):
            assert says(page, "10 cents a point")  # what was said here stays
            assert re.findall(r'value="([^"]*)" aria-pressed', page.text) == [first]

    @pytest.mark.parametrize("rate", [b"-5.0", b"0.3", b"1e300", b'"ten"'])
    def test_no_file_brings_a_rate_that_is_none(self, app, rate):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "doppelkopf")
        fill(ana, match, c0_won="yes", c2_won="yes", r_points="31")
        fields = hidden(ana.get(f"{match}/settle").text)
        ana.client.post(f"{match}/settle", data={**fields, "rate": "10", "agree": "yes"})
        with app.test_request_context():
            data = export_table(db.session.scalar(select(Table.id)))
            link = import_table(data.replace(b'"rate":10,', b'"rate":' + rate + b",")).play_token
        page = ana.get(f"/t/{link}/m/1/settle")
        assert page.status_code == 200
        assert not says(page, "In points")

    def test_a_number_that_can_not_be_has_the_nearest_one_beside_it(self, ana):
        match = begin(ana, "tarot")
        page = fill(ana, match, r_points="95", ask="preview")
        assert says(page, "95 is too many: 91 is the most.")
        assert re.search(r'name="mend" value="r-points=91"', page.text)
        mended = ana.client.post(f"{match}/row", data={**hidden(page.text), "r-points": "95", "mend": "r-points=91"})
        assert mended.status_code == 303
        assert 'value="91"' in ana.get(match).text
        ana.client.post(f"{match}/stop", data=hidden(ana.get(match).text))
        match = begin(ana, "skyjo")
        page = fill(ana, match, c1_points="x", ask="preview")
        assert says(page, "Bo: A number belongs here.")
        assert 'name="mend"' not in page.text

    def test_one_tap_says_who_took_and_one_who_was_called(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", "Eve", game="sheet")
        match = begin(ana, "tarot")

        def tapped():
            page = ana.get(match).text
            return re.findall(r'name="(c\d)-role" value="(\w+)" checked', page)

        for cells, roles in (
            ({"c0_role": "taker"}, [("c0", "taker")]),
            ({"c0_role": "taker", "c3_role": "partner"}, [("c0", "taker"), ("c3", "partner")]),
            ({"c0_role": "taker", "c3_role": "taker"}, [("c3", "taker")]),  # one takes: a tap on another moves it
            ({}, []),  # a second tap takes it back
        ):
            assert fill(ana, match, **cells, share="c3-role" if "c3_role" in cells else "c0-role c3-role").status_code == 200
            assert tapped() == roles
        row = {"r_bid": "guard", "r_bouts": "1", "r_points": "61"}
        assert fill(ana, match, **row, c0_role="taker", c3_role="partner").status_code == 303
        assert re.findall(r"<small>([+−\d]+)</small>", ana.get(match).text)[:5] == ["+140", "−70", "−70", "+70", "−70"]

    @pytest.mark.parametrize(
        ("preset", "first", "second", "after"),
        [
            ("tarot", {"c0_role": "taker"}, {"c3_role": "taker"}, ["c3-role"]),
            ("doppelkopf", {"c0_out": "yes"}, {"c3_out": "yes"}, ["c3-out"]),
        ],
    )
    def test_of_two_phones_that_tap_what_is_true_of_one_alone_the_last_tap_counts(self, app, preset, first, second, after):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", "Eve", game="sheet")
        match, bo = begin(ana, preset), Phone(app).come_to(ana)
        for phone, tap in ((ana, first), (bo, second)):  # neither has seen the other's
            (place,) = tap
            assert fill(phone, match, **tap, share=place.replace("_", "-")).status_code == 200
        tapped = r'name="(c\d-role)" value="taker" checked|type="hidden" name="(c\d-out)" value="yes"'
        assert ["".join(place) for place in re.findall(tapped, ana.get(match).text)] == after

    def test_three_or_four_call_nobody(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "tarot")
        assert says(ana.get(match), "Who took?")
        assert not says(ana.get(match), "Who was called?")

    def test_a_ledger_waits_until_somebody_is_said_to_have_won(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "doppelkopf")
        page = fill(ana, match, r_points="4", ask="preview")
        assert says(page, "Tap who won.")
        assert "data-error" not in page.text.partition('id="verdict"')[2].partition("</div>")[0]
        assert says(fill(ana, match, r_points="4"), "One, two or three won. 0 are marked.")

    def test_the_number_of_a_ledger_stands_above_the_keys_and_says_how_it_came_about(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        match = begin(ana, "doppelkopf")
        cells = {"c0_won": "yes", "c2_won": "yes", "r_points": "4"}
        page = fill(ana, match, **cells, r_doubled="yes", ask="preview")
        assert says(page, "Ana and Cy beat Bo and Di by 8")
        assert says(page, "4 × 2 = 8")
        assert page.text.index('id="dock"') > page.text.index("</form>")
        assert re.search(r'name="r-points"[^>]*form="row"', page.text)
        assert not says(fill(ana, match, **cells, ask="preview"), "4 × 2 = 8")
        assert fill(ana, match, **cells).status_code == 303
        assert 'id="dock"' not in ana.get(f"{match}/entries/1").text

    def test_bids_and_tricks_have_a_key_for_each_number_and_zero_tells_its_stake(self, ana):
        def keys(page):
            pad = page.text.partition('id="pad"')[2].partition("</div>")[0]
            return [" ".join(words(each).split()) for each in re.findall(r"<button[^>]*>(.*?)</button>", pad, re.DOTALL)]

        match = begin(ana, "skull-king")
        assert keys(ana.get(match)) == ["0 ±10", "1", ""]
        fill(ana, match, c0_bid="0", c1_bid="0", c2_bid="1")
        assert keys(ana.get(match)) == ["0 ±10", "1", "+10", "+20", "+30", "+40", "−10", "−20", "Bonus"]

        def on_top(**cells):
            page = fill(ana, match, **cells, ask="preview").text
            return re.search(r'id="extras"[^>]*data-more="([^"]*)" data-less="([^"]*)"', page).groups()

        assert on_top(c0_tricks="1", c1_tricks="0", c2_tricks="0") == ("1", "0 2")  # the others have missed their bids
        assert on_top(c0_tricks="0", c1_tricks="0") == ("0 1 2", "")  # the trick that is left is Cy's
        ana.client.post(f"{match}/stop", data=hidden(ana.get(match).text))
        wizard = begin(ana, "wizard")
        assert keys(ana.get(wizard)) == ["0 +20", "1", ""]  # a missed one depends on how many
        ana.client.post(f"{wizard}/stop", data=hidden(ana.get(wizard).text))
        assert 'id="pad"' not in ana.get(begin(ana, "oh-hell")).text  # how many cards there are is typed first

    def test_a_destroyed_trick_stands_in_the_menu_and_counts_for_all_phones(self, app, ana):
        match = begin(ana, "skull-king")
        fill(ana, match, c0_bid="0", c1_bid="0", c2_bid="0")
        page = ana.get(match).text
        assert re.search(r'value="r-destroyed=yes" aria-pressed="false"', page)
        ana.client.post(f"{match}/row", data={**hidden(page), "put": "r-destroyed=yes"})
        bo = Phone(app).come_to(ana)
        assert re.search(r'value="r-destroyed=" aria-pressed="true"', bo.get(match).text)
        assert says(bo.get(match), "0 of 0 tricks")

    def test_what_the_bids_mean_is_a_switch_of_the_table(self, app, ana):
        match = begin(ana, "skull-king")
        cells = {"c0_bid": "1", "c1_bid": "0", "c2_bid": "1"}
        asked = fill(ana, match, **cells, ask="preview")
        assert says(asked, "2 bids for 1 trick")
        assert says(asked, "1 too many: somebody must miss.")
        ana.client.post(f"{match}/row", data={**hidden(ana.get(match).text), "meaning": "no"})
        bo = Phone(app).come_to(ana)
        assert not says(fill(bo, match, **cells, ask="preview"), "somebody must miss.")
        ana.client.post(f"{match}/stop", data=hidden(ana.get(match).text))
        again = begin(ana, "skull-king")
        assert again != match
        assert not says(fill(ana, again, **cells, ask="preview"), "somebody must miss.")  # also in the next match
        ana.client.post(f"{again}/row", data={**hidden(ana.get(again).text), "meaning": "yes"})
        assert says(fill(bo, again, **cells, ask="preview"), "1 too many: somebody must miss.")

    def test_the_last_player_has_the_rest_without_a_tap(self, ana):
        match = begin(ana, "skull-king")
        page = fill(ana, match, c0_bid="1", c1_bid="0", c2_bid="1", ask="preview")
        assert says(page, "for whoever hits the bid exactly")
        assert re.findall(r'id="note-c\d-bid"[^>]*>([^<]+)<', page.text) == ["+20", "+10", "+20"]
        fill(ana, match, c0_bid="1", c1_bid="0", c2_bid="1")
        assert says(fill(ana, match, c0_tricks="1", ask="preview"), "Bo and Cy are missing.")
        assert says(fill(ana, match, c0_tricks="2", c1_tricks="0", r_destroyed="yes", ask="preview"), "0 is the most.")
        page = fill(ana, match, c0_tricks="0", c1_tricks="0", ask="preview")
        assert re.search(r'id="note-c2-tricks"[^>]*><span class="rest">1 <small>rest</small>', page.text)
        assert fill(ana, match, c0_tricks="0", c1_tricks="0").status_code == 303
        assert totals(ana, match) == ["−10", "10", "20"]

    def test_the_dealer_of_five_sits_out(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", "Eve", game="sheet")
        page = ana.get(begin(ana, "doppelkopf")).text
        assert re.findall(r'name="c(\d)-won"', page) == ["1", "2", "3", "4"]
        assert re.search(r"dashed.*?Ana.*?deals", page, re.DOTALL)

    def test_who_sits_out_instead_of_the_dealer_does_so_in_the_round_that_is_saved(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", "Eve", game="sheet")
        match = begin(ana, "doppelkopf")
        assert fill(ana, match, mend="c1-out=yes").status_code == 303
        sent = dict(re.findall(r'type="hidden" name="([cr]\d*-[\w-]+)" value="([^"]*)"', ana.get(match).text))  # after a reload
        told = ana.client.post(
            f"{match}/row", data={**hidden(ana.get(match).text), **sent, "c2-won": "yes", "c3-won": "yes", "r-points": "4"}
        )
        assert told.status_code == 303, words(told)
        assert "Ana −4, Bo 0, Cy +4, Di +4, Eve −4" in words(ana.get(match))

    def test_a_ledger_says_how_much_went_to_nobody_and_what_mends_it(self, app, ana):
        text = packed(
            b'{"format": "companion-sheet/1", "name": "Pots", "players": [2, 4], "shape": "rounds", "sum": 0,'
            b' "columns": [{"id": "points", "name": "Points", "kind": "addends", "least": -99, "most": 99}]}'
        )
        match = ana.send("/matches", game="sheet", sheet=text).location
        page = fill(ana, match, c0_points="12", c1_points="-7", c2_points="-8", ask="preview")
        assert says(page, "3 points went to nobody")
        assert 'id="to-do" data-preview-target data-live>3 points went to nobody<' in page.text  # above the keys too
        assert says(page, "15 were lost and 12 won.")
        assert re.findall(r"<small>([+−]\d+)</small>", page.text) == ["+15", "−4", "−5"]
        assert re.search(r'id="save"[^>]*data-off', page.text)
        assert fill(ana, match, c0_points="12", c1_points="-7", c2_points="-8", mend="c1-points=-4").status_code == 303
        told = fill(ana, match, c0_points="12", c1_points="-4", c2_points="-8", ask="preview")
        assert says(told, "Ana wins 12")
        assert says(told, "together 0")
        assert not re.search(r'id="save"[^>]*data-off', told.text)

    def test_bids_that_can_t_be_so_are_mended_too(self, ana):
        match = begin(ana, "oh-hell")
        page = fill(ana, match, r_cards="3", c0_bid="1", c1_bid="1", c2_bid="1", ask="preview")
        assert says(page, "The bids may not come to 3: the dealer takes another.")
        assert re.findall(r'name="mend" value="([^"]*)"', page.text) == ["c0-bid=0", "c1-bid=0", "c2-bid=0"]

    def test_boxes_and_columns_at_the_end(self, ana):
        match = begin(ana, "yahtzee")
        assert fill(ana, match, c0_full_house="25", c1_ones="3").status_code == 303
        assert totals(ana, match) == ["25", "3", "0"]
        assert says(fill(ana, match, c0_small_straight="31"), "31 is too many: 30 is the most.")
        assert says(fill(ana, match), "Tap a box first.")

    def test_dice_are_tapped_one_after_the_other_without_scripts(self, app, ana):
        match = begin(ana, "yahtzee")
        page = fill(ana, match, at="1", roll="3335", die="5")
        assert page.status_code == 200
        assert 'name="roll" value="33355"' in page.text
        assert re.search(r'id="o-c1-full-house"[^>]*>\+25<', page.text)
        assert re.search(r'id="o-c1-large-straight"[^>]*>0<', page.text)
        assert says(fill(ana, match, roll="33355", box="c1-large-straight", ask="preview"), "Strike Large straight")
        told = fill(ana, match, roll="33355", box="c1-full-house", ask="preview")
        assert says(told, "Write 25, Full house")
        assert says(told, "0 + 25 = 25")
        assert fill(ana, match, roll="33355", box="c1-full-house").status_code == 303
        assert totals(ana, match) == ["0", "25", "0"]
        doubt = {"expected_seq": "1", "idempotency_key": "a-doubt"}
        assert claim(ana, "Ana").client.post(f"{match}/entries/1/doubt", data=doubt).status_code == 303
        assert says(ana.get(match), "Bo: 25 in Full house")
        assert fill(ana, match, c0_threes="9").status_code == 303
        assert says(Phone(app).come_to(ana).get(match), "Ana: 9 in Threes")
        assert says(fill(ana, match, roll="333", box="c0-ones"), "Tap what was rolled, or type what it scores.")
        assert says(fill(ana, match, box="c0-ones", typed="7"), "7 is too many: 5 is the most.")

    def test_the_bonus_is_told_before_it_is_made_and_after(self, ana):
        match = begin(ana, "yahtzee")
        fill(ana, match, c0_threes="9", c0_fours="12", c0_fives="15", c0_sixes="24")
        assert says(ana.get(match), "60 of 63")
        assert says(fill(ana, match, roll="11166", box="c0-ones", ask="preview"), "60 + 3 = 98")
        fill(ana, match, roll="11166", box="c0-ones")
        assert says(ana.get(match), "+35")

    def test_a_table_at_the_end_that_can_t_be_so_is_refused_before_it_is_saved(self, app, ana):
        points = {"id": "points", "name": "Points", "kind": "whole"}
        never = {"that": "points != 7", "say": "{player} has 7."}
        sheet = {"format": "companion-sheet/1", "name": "End", "players": [2, 4], "shape": "end", "columns": [points],
                 "checks": [never]}  # fmt: skip
        text = text_of(decode_sheet(sheet))
        answer = ana.send("/matches", game="sheet", sheet=text)
        page = fill(ana, answer.location, c1_points="7", ask="preview")
        assert says(page, "Bo has 7.")
        assert says(fill(ana, answer.location, c1_points="7"), "Bo has 7.")

    def test_two_phones_write_at_the_same_moment(self, app, ana):
        match = begin(ana, "yahtzee")
        stamps = [hidden(Phone(app).come_to(ana).get(match).text) for _ in range(2)]
        for side, stamp in enumerate(stamps):
            sent = {**stamp, "box": f"c{side}-chance", "typed": "20"}
            assert ana.client.post(f"{match}/row", data=sent).status_code == 303
        assert totals(ana, match) == ["20", "20", "0"]
        again = {**stamps[1], "idempotency_key": "another", "box": "c0-chance", "typed": "21"}
        assert says(ana.client.post(f"{match}/row", data=again), "Ana has filled Chance already.")

    def test_whoever_is_still_counting_loses_nothing_when_another_is_done(self, app, ana):
        match = begin(ana, "wingspan")
        bo = Phone(app).come_to(ana)
        before = bo.get(match).text
        assert fill(bo, match, c1_birds="10+15", share="c1-birds").status_code == 200
        columns = ("birds", "bonus_cards", "round_goals", "eggs", "food", "tucked", "unused_food")
        counted = fill(ana, match, **{f"c0_{column}": "1" for column in columns}, c1_birds="10+15")
        assert counted.status_code == 303, words(counted)
        assert 'name="c1-birds" value="10+15"' in bo.get(match).text
        late = {**hidden(before), "c1-eggs": "4", "share": "c1-eggs"}  # typed before Ana's column came
        assert bo.client.post(f"{match}/row", data=late).status_code == 200
        assert 'name="c1-eggs" value="4"' in ana.get(match).text

    def test_a_column_at_the_end_has_a_total_once_it_is_begun(self, ana):
        page = fill(ana, begin(ana, "wingspan"), ask="preview", c0_birds="10+15", c0_eggs="8")
        assert re.findall(r'class="sheet-total" title="[^"]*">([^<]*)<', page.text) == ["33", "\u00a0", "\u00a0"]
        added = {"birds": "8 + 25 = 33", "eggs": "25 + 8 = 33"}
        assert dict(re.findall(r'id="note-c0-(\w+)" data-sum="([^"]*)"', page.text)) == added

    def test_correct_undo_and_the_end_by_hand(self, ana):
        match = begin(ana, "plain")
        fill(ana, match, c0_points="5", c1_points="-2", c2_points="10+1")
        page = ana.get(f"{match}/entries/1")
        assert 'value="10+1"' in page.text
        assert says(ana.get(f"{match}/entries/1?c0-points=50"), "What changes")  # at once, after a reload
        sent = {**hidden(page.text), "c0-points": "50", "c1-points": "-2", "c2-points": "10+1"}
        assert ana.client.post(f"{match}/entries/1", data=sent).status_code == 303
        assert totals(ana, match) == ["50", "−2", "11"]
        answer = ana.client.post(f"{match}/row", data={**hidden(ana.get(match).text), "finish": "yes"})
        assert answer.status_code == 303
        assert says(ana.get(match), "Ana wins")

    def test_a_forgotten_bonus_is_added_later_and_a_wrong_sum_said_once(self, ana):
        match = begin(ana, "skull-king")
        fill(ana, match, c0_bid="1", c1_bid="0", c2_bid="0")
        fill(ana, match, c0_tricks="1", c1_tricks="0", c2_tricks="0")
        assert "Then" not in words(ana.get(f"{match}/entries/1"))  # what bids bring is not known yet
        page = ana.get(f"{match}/entries/2")
        bonus = re.search(r'<input[^>]*name="c0-bonus"[^>]*>', page.text)[0]
        assert "data-extra" not in bonus, "a correction has no key that opens it"
        sent = {**hidden(page.text), "c0-tricks": "1", "c1-tricks": "0", "c2-tricks": "0", "c0-bonus": "30"}
        wrong = ana.client.post(f"{match}/entries/2", data={**sent, "c0-tricks": "0"})
        assert words(wrong).count("These come to 0.") == 1
        assert ana.client.post(f"{match}/entries/2", data=sent).status_code == 303
        assert totals(ana, match) == ["50", "10", "10"]

    def test_a_box_that_is_corrected_comes_first_and_says_once_what_is_wrong(self, ana):
        match = begin(ana, "yahtzee")
        fill(ana, match, c0_chance="20")
        page = ana.get(f"{match}/entries/1")
        assert re.search(r'name="c0-[^>]*value="([^"]*)"', page.text)[1] == "20"
        wrong = ana.client.post(f"{match}/entries/1", data={**hidden(page.text), "c0-chance": "", "c0-ones": "31"})
        assert words(wrong).count("31 is too many: 5 is the most.") == 1

    def test_a_tie_says_which_column_broke_it(self, app, ana):
        match = begin(ana, "wingspan")
        columns = ("birds", "bonus_cards", "round_goals", "eggs", "food", "tucked")
        ones = {f"c{side}_{column}": "1" for column in columns for side in range(3)}
        fill(ana, match, **ones, c0_unused_food="1", c1_unused_food="2")
        assert says(ana.open("/almanac/match/1"), "Bo won, 6 : 6 : 6, with more Unused food")
        assert says(ana.open("/almanac/evening/1"), "Bo, 6 : 6 : 6, with more Unused food")
        ana.client.set_cookie("language", "de")
        assert says(ana.open("/almanac/match/1"), "6 : 6 : 6, durch mehr Übriges Futter")

    def test_a_tie_that_a_house_rule_breaks_says_so(self, app):
        ana = Phone(app).make_table("Ana", "Bo", game="sheet")
        match = begin(ana, "scrabble")
        fill(ana, match, c0_word="20", c1_word="30", c0_out="yes", c1_tiles="5")
        fill(ana, match, finish="yes")
        assert says(ana.get(match), "A tie goes to whoever had more before the tiles were taken off.")
        assert says(ana.open("/almanac/match/1"), "Bo won, 25 : 25, by the house rule")

    def test_teams_that_share_a_win_have_their_points_each(self, app):
        ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", game="sheet")
        teams = made(MultiDict({**SEVENS, "plays": "teams", "ends": "rounds", "limit": "1", "column": ["Points"]}))
        match = ana.send("/matches", game="sheet", sheet=text_of(teams)).location
        fill(ana, match, c0_column_1="35", c1_column_1="35")
        assert says(ana.get(match), "35 each")
        ana.client.set_cookie("language", "de")
        assert says(ana.get(match), "35 je Team")

    def test_everybody_keeps_the_column_in_a_rematch(self, ana):
        match = begin(ana, "wingspan")
        columns = ("birds", "bonus_cards", "round_goals", "eggs", "food", "tucked")
        fill(ana, match, **{f"c{side}_{column}": "1" for column in columns for side in range(3)}, c0_unused_food="1")
        match = ana.send("/m/1/rematch").location
        page = ana.get(match).text
        assert re.findall(r'aria-label="(\w+), Birds"', page) == ["Ana", "Bo", "Cy"]
        assert re.findall(r'class="clamped">\s*(\w+)', page)[1:4] == ["Ana", "Bo", "Cy"]

    def test_a_german_phone_names_each_cell_in_german(self, ana):
        german = {"Accept-Language": "de"}
        assert 'aria-label="Ana, Ansage"' in ana.client.get(begin(ana, "skull-king"), headers=german).text

    def test_a_long_match_shows_its_newest_rows_and_leads_to_all(self, ana):
        match = begin(ana, "plain")
        for points in range(1, 27):
            fill(ana, match, c0_points=str(points), c1_points="0", c2_points="0")
        page = ana.get(match)
        assert [int(seq) for seq in re.findall(r'id="entry-(\d+)"', page.text)] == [*range(26, 6, -1)]
        assert says(page, "All 26 entries")
        assert re.findall(r'class="axis-x"[^>]*>(\d+)<', page.text) == [str(number) for number in range(4, 27, 2)]  # 3 to 26
        assert f'href="{match}/see/history"' in page.text
        everything = ana.get(f"{match}/see/history")
        assert [int(seq) for seq in re.findall(r'id="entry-(\d+)"', everything.text)] == [*range(26, 0, -1)]

    def test_bids_are_no_round_of_the_chart(self, ana):
        match = begin(ana, "skull-king")
        for number in ("1", "2"):
            fill(ana, match, c0_bid="0", c1_bid="0", c2_bid="0")
            fill(ana, match, c0_tricks=number, c1_tricks="0", c2_tricks="0")
        assert re.findall(r'class="axis-x"[^>]*>(\d+)<', ana.get(match).text) == ["1", "2"]

    def test_the_record_holds_the_whole_sheet(self, ana):
        match = begin(ana, "hearts", **{"house-moon": "1"})
        fill(ana, match, c0_points="26", c1_points="0", c2_points="0")
        record = ana.get(f"{match}/record.json").json
        assert record["options"]["sheet"]["name"] == "Hearts"
        assert record["options"]["house"] == {"diamonds": 0, "moon": 1, "target": 100, "exact": 0}
        position = start(GAME, record["players"], SheetOptions("hearts", None, {"moon": 1}))
        assert position.apply(decode_event(GAME, record["events"][0])).standing().scores == (-26, 0, 0)

    @pytest.mark.parametrize("code", ["fr", "de"])
    def test_the_words_of_presets_are_said_in_the_phone_s_language(self, ana, code):
        match = begin(ana, "skull-king")
        ana.client.post("/language", data={"language": code, "back": "/"})
        assert {"fr": "Annonce", "de": "Ansage"}[code] in ana.get(match).text


@pytest.mark.parametrize(
    ("totals", "paid"),
    [
        ((31, -22, 12, -31, 10), [(3, 0, 31), (1, 2, 12), (1, 4, 10)]),
        ((4, -4, 6, -6), [(3, 2, 6), (1, 0, 4)]),
        ((0, 0), []),
        ((5, 3), []),  # no ledger
        ((10, -4, -6), [(2, 0, 6), (1, 0, 4)]),
    ],
)
def test_a_ledger_is_even_after_the_fewest_payments(totals, paid):
    assert [(each.giver, each.receiver, each.amount) for each in payments(totals)] == paid


@pytest.mark.parametrize(
    ("totals", "rate", "cents"),
    [
        ((31, -22, 12, -31, 10), 10, (310, -220, 120, -310, 100)),
        ((1, -1), Fraction(1, 2), (1, -1)),
        ((3, -1, -2), Fraction(1, 2), (2, -1, -1)),  # half a cent too much, half a cent too few
        ((0, 0), 5, (0, 0)),
    ],
)
def test_points_become_cents_that_come_to_0(totals, rate, cents):
    assert in_cents(totals, rate) == cents


SEVENS = {"name": "<b>Sevens", "wins": "lowest", "ends": "at", "limit": "200", "column": ["Points", "Bonus"], "minus": "yes"}


def packed(data: bytes) -> str:
    """Return bytes as the text of a link holds a sheet."""
    return urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


class TestOwn:
    @pytest.mark.postgresql
    def test_two_processes_that_keep_a_sheet_at_the_same_moment_number_them_apart(self, app):
        kept = []

        def keep():
            with app.app_context():
                kept.append(keeping.keep("phone", "sheet", "Sevens"))

        with app.app_context(), db.engine.connect() as other, other.begin():
            other.execute(insert(Kept).values(phone="phone", number=1, game="sheet", text="Nines"))
            thread = threading.Thread(target=keep)
            thread.start()
            thread.join(0.5)
            assert thread.is_alive()  # it waits for the number that the other process may take
        thread.join()
        assert kept == [2]

    def test_it_is_made_by_five_questions_and_told_in_words(self, app):
        phone = Phone(app)
        assert says(phone.client.post("/more/make", data={**SEVENS, "ask": "preview"}), "It ends at 200 points.")
        made = phone.client.post("/more/make", data=SEVENS)
        assert made.status_code == 303
        page = phone.get(made.location)
        assert says(page, "The lowest total wins.")
        assert "<b>Sevens" not in page.text
        assert len(made.location) < 300

    def test_the_sheet_itself_is_there_from_the_start_and_changes_with_each_answer(self, app):
        phone = Phone(app)
        page = phone.get("/more/make").text
        assert re.findall(r"<td>(\d+)</td>", page) == ["20", "10", "35", "15"]
        page = phone.client.post("/more/make", data={**SEVENS, "ask": "preview"})
        assert re.search(r'class="display leads">15<', page.text)  # Bo has the fewest
        teams = phone.client.post("/more/make", data={**SEVENS, "plays": "teams", "shape": "ledger", "ask": "preview"})
        assert says(teams, "Ana & Cy")

    def test_a_match_of_rounds_ends_after_ten_unless_somebody_says_otherwise(self, app):
        phone, of_rounds = Phone(app), {**SEVENS, "ends": "rounds"}
        for typed, ends in (
            ({"was": "hand", "limit": "100"}, "after 10 rounds"),
            ({"was": "at", "limit": "200"}, "after 200 rounds"),
            ({"was": "rounds", "limit": "100"}, "after 100 rounds"),
            ({"was": "rounds", "limit": "10", "ends": "at"}, "at 100 points"),
        ):
            assert says(phone.client.post("/more/make", data={**of_rounds, **typed, "ask": "preview"}), f"It ends {ends}.")

    @pytest.mark.parametrize(
        ("limit", "key", "after"),
        [
            *[("200", "+", "205"), ("200", "-", "195"), ("203", "-", "200"), ("5", "-", "5"), ("x", "+", "5")],
            *[("200", "++", "250"), ("200", "--", "150"), ("203", "++", "250"), ("30", "--", "5"), ("99990", "++", "99995")],
        ],
    )
    def test_a_number_goes_in_steps_of_five_without_scripts(self, app, limit, key, after):
        page = Phone(app).client.post("/more/make", data={**SEVENS, "limit": limit, "step": key})
        assert page.status_code == 200
        assert re.search(r'name="limit" type="text" value="(\d+)"', page.text)[1] == after

    def test_what_has_no_name_is_called_in_the_maker_s_language(self, app, ana):
        ana.client.post("/language", data={"language": "de", "back": "/"})
        nameless = {**SEVENS, "name": " ", "column": ["", ""], "usual": "Punkte"}
        first = ana.client.post("/more/make", data=nameless).location
        page = ana.get(first)
        assert says(page, "Zettel 1")
        assert says(page, "Punkte")
        assert 'name="usual" value="Punkte"' in ana.get("/more/make").text
        text = re.search(r'name="s"\s+value="([^"]*)"', page.text)[1]
        assert ana.send("/matches", game="sheet", sheet=text).status_code == 303
        assert says(ana.get(ana.client.post("/more/make", data=nameless).location), "Zettel 2")

    @pytest.mark.parametrize(
        ("key", "columns", "signs", "opened"),
        [
            ({"more": "yes"}, ["Points", "Bonus", "Fine", ""], ["+", "both", "-", "+"], ["4"]),
            ({"remove": "2"}, ["Points", "Fine"], ["+", "-"], []),
            ({"later": "1"}, ["Bonus", "Points", "Fine"], ["both", "+", "-"], ["2"]),
            ({"earlier": "3"}, ["Points", "Fine", "Bonus"], ["+", "-", "both"], ["2"]),
            ({"later": "3"}, ["Points", "Bonus", "Fine"], ["+", "both", "-"], ["3"]),  # a second tap: it is the last by now
            ({"remove": "4"}, ["Points", "Bonus", "Fine"], ["+", "both", "-"], ["3"]),
            ({"remove": "x"}, ["Points", "Bonus", "Fine"], ["+", "both", "-"], ["3"]),
        ],
    )
    def test_columns_come_go_and_move_by_a_tap_and_one_is_open(self, app, key, columns, signs, opened):
        three = {**SEVENS, "column": ["Points", "Bonus", "Fine"], "sign": ["+", "both", "-"], "at": "3"}
        page = Phone(app).client.post("/more/make", data={**three, **key}).text
        assert re.findall(r'name="column" value="([^"]*)"', page) == columns
        chosen = re.findall(r"<select.*?</select>", page, re.DOTALL)
        assert [(re.findall(r'value="([^"]*)" selected', each) or ["+"])[0] for each in chosen] == signs
        assert re.findall(r'name="at" value="(\d)" checked', page) == opened
        ways = [f"{n}{way}" for n in range(1, len(columns) + 1) for way in ("earlier", "later")]
        assert [f"{n}{way}" for way, n in re.findall(r'name="(earlier|later)" value="(\d)"', page)] == ways[1:-1]

    def test_a_chip_says_what_its_column_is_called_and_how_it_counts(self, app):
        three = {**SEVENS, "column": ["", "", "Fine"], "sign": ["", "both", "-"], "ask": "preview"}
        page = Phone(app).client.post("/more/make", data=three).text
        chips = re.findall(r'<span id="chip-.*?</span>', page, re.DOTALL)
        assert [words(chip) for chip in chips] == ["Points", "Column 2 ±", "Fine −"]

    @pytest.mark.parametrize(
        ("shape", "asked"),
        [
            ("rounds", "ends limit sign minus steps more"),
            ("bids", "ends limit met each missed"),
            ("ledger", "ends limit steps more"),
            ("boxes", "sign minus steps more"),
            ("end", "sign minus steps more"),
        ],
    )
    def test_only_what_matters_for_the_shape_is_asked(self, app, shape, asked):
        fields = {**SEVENS, "shape": shape, "sign": ["-", "both"], "ends": "at", "limit": "70", "ask": "preview"}
        page = Phone(app).client.post("/more/make", data=fields)
        every = ("ends", "limit", "met", "each", "missed", "sign", "minus", "steps", "more")
        shown = re.findall(r'<(?:input|select|button)(?![^>]*type="hidden")[^>]*\bname="(\w+)"', page.text)
        assert [name for name in every if name in shown] == asked.split()
        back = dict(re.findall(r'name="(ends|limit)"(?: type="text")? value="([^"]*)"(?! *>?<span)', page.text))
        assert back["limit"] == "70"  # it is there again for another shape
        assert says(page, "It ends once everything is filled.") == (shape in {"boxes", "end"})

    def test_a_sheet_of_bids_asks_what_they_count(self, app):
        phone = Phone(app)
        bids = {
            "name": "Nines",
            "shape": "bids",
            "column": ["Bid", "Tricks"],
            "met": "20",
            "each": "5",
            "missed": "3",
            "ends": "hand",
        }
        page = phone.client.post("/more/make", data={**bids, "ask": "preview"})
        assert re.findall(r"<b[^>]*>(−?\d+)</b>", page.text)[:4] == ["30", "−3", "20", "25"]
        assert says(phone.client.post("/more/make", data={**bids, "each": "x"}), "Write a number from 0 to 999.")
        made = phone.client.post("/more/make", data=bids)
        assert says(phone.get(made.location), "20 + 5 * tricks if tricks == bid else -3 * abs(tricks - bid)")

    def test_a_column_is_renamed_removed_and_counts_for_or_against(self, app):
        phone = Phone(app)
        page = phone.client.post("/more/make", data={**SEVENS, "minus": "", "sign": ["+", "-"], "ask": "preview"}).text
        assert re.findall(r'scope="row"><label class="link" for="(at-\d)">(\w+)', page) == [
            ("at-1", "Points"),
            ("at-2", "Bonus"),
        ]
        assert re.findall(r'id="(at-\d)"', page) == ["at-1", "at-2"]  # a tap on the sheet opens the column
        assert re.search(r'<label class="link" for="field-limit">It ends at 200 points\.', page)
        columns = page.partition('id="columns"')[2].partition("<details")[0]
        assert says(columns, "Points: a number. Bonus: each counts −1.")  # told once, where they are asked for
        assert page.count("Points: a number.") == 1
        assert re.findall(r"<td>(−\d+)</td>", page) == ["−5", "−10"]
        gone = phone.client.post("/more/make", data={**SEVENS, "sign": ["+", "-"], "remove": "1"}).text
        assert re.findall(r'name="column" value="([^"]*)"', gone) == ["Bonus"]
        unnamed = made(MultiDict({**SEVENS, "usual": "Points", "column": ["", "Penalty", ""], "sign": ["+", "-", ""]}))
        assert [column.name for column in unnamed.columns] == ["Points", "Penalty"]  # as the page shows them
        assert re.findall(r'value="([^"]*)" selected', gone) == ["-"]
        kept = phone.client.post("/more/make", data={**SEVENS, "minus": "", "sign": ["+", "both"]})
        assert says(phone.get(kept.location), "Bonus: a number, also below 0.")

    @pytest.mark.parametrize(
        ("wrong", "sentence"),
        [
            ({"limit": "x"}, "Write a number from 1 to 99,999."),
            ({"name": "\u202eevil"}, "Write letters, digits and signs here, nothing invisible."),
            ({"by": "\u202eevil"}, "Write letters, digits and signs here, nothing invisible."),
            ({"column": ["Points", "\u202eevil"]}, "Write letters, digits and signs here, nothing invisible."),
            ({"shape": "bids", "column": ["", "\u202eevil"]}, "Write letters, digits and signs here, nothing invisible."),
        ],
    )
    def test_a_wrong_answer_is_refused_with_a_sentence(self, app, wrong, sentence):
        answer = Phone(app).client.post("/more/make", data={**SEVENS, **wrong})
        assert answer.status_code == 422
        note = re.search(r'aria-describedby="([^"]*-note)"', answer.text)[1]
        assert says(re.search(rf'id="{note}".*?</p>', answer.text, re.DOTALL)[0], sentence)  # beside the field

    def test_it_is_passed_on_by_link_code_and_file_and_played(self, app, ana):
        link = Phone(app).client.post("/more/make", data=SEVENS).location
        bo = Phone(app).come_to(ana)
        page = bo.get(link)
        text = re.search(r'name="s"\s+value="([^"]*)"', page.text)[1]
        assert qr_code(f"http://localhost{link}") in page.text
        saved = bo.client.post("/more/own/file", data={"s": text})
        assert re.search(r'filename="b-sevens-sheet-\d{4}-\d\d-\d\d\.json"$', saved.headers["Content-Disposition"])
        file = saved.data
        again = bo.client.post("/more/own", data={"file": (BytesIO(file), "sheet.json")})
        assert text in again.text
        begun = bo.send("/matches", game="sheet", sheet=text)
        assert begun.status_code == 303
        match = begun.location
        cells = {"c0_column_1": "5", "c1_column_1": "-3", "c2_column_1": "1"}
        fill(bo, match, **cells, c0_column_2="0", c1_column_2="0", c2_column_2="2")
        assert totals(bo, match) == ["5", "−3", "3"]
        bo.client.post(f"{match}/stop", data=hidden(bo.get(match).text))
        assert says(ana.open("/more"), "<b>Sevens")  # the table knows it from now on
        kinds = ana.open("/more").text.partition('aria-label="Kinds of games"')[2]
        assert words(kinds.partition("<b>Rounds</b>")[0]).split()[-6:] == ["Own", "Made", "by", "one", "of", "you1"]
        assert says(ana.open("/more", group="own"), "<b>Sevens")
        assert not says(ana.open("/more", group="own"), "Hearts")
        assert says(ana.get("/"), "Made by one of you")
        assert not says(Phone(app).get("/"), "Made by one of you")

    def test_what_is_kept_is_there_before_it_was_ever_played(self, app, ana):
        kept = ana.client.post("/more/make", data={**SEVENS, "by": "Ana"})
        assert says(ana.get(kept.location), "Kept on this phone")
        for page in (ana.get("/"), ana.get("/more"), ana.open("/more")):
            assert says(page, "Made by one of you")
        for page in (ana.get("/more", q="sevens"), ana.get("/more", group="own"), ana.open("/more", group="own")):
            assert first_row(page.text) == "<b>Sevens"
        assert not says(Phone(app).get("/"), "Made by one of you")
        assert not says(Phone(app).come_to(ana).open("/more"), "Made by one of you")

    def test_a_second_tap_and_a_second_tab_keep_it_once(self, app):
        ana = Phone(app)
        nameless = {**SEVENS, "name": "", "nameless": "Sheet 1"}
        first, second = (ana.client.post("/more/make", data=nameless).location for _ in range(2))
        assert first == second
        for where in ({"group": "own"}, {"q": "sheet 1"}):
            assert ana.get("/more", **where).text.count("shelf-row") == 1
        assert 'name="nameless" value="Sheet 2"' in ana.get("/more/make").text

    def test_a_received_one_is_looked_at_first_then_kept_and_removed(self, app):
        link = Phone(app).client.post("/more/make", data={**SEVENS, "by": "Ana"}).location
        bo = Phone(app)
        page = bo.get(link)
        assert says(page, "Not kept on this phone yet")
        assert says(page, "By Ana")
        assert re.findall(r"<td>(\d+)</td>", page.text) == ["20", "10", "35", "15", "0", "5", "0", "10"]  # with numbers in it
        assert not says(bo.get("/"), "Made by one of you")
        text = re.search(r'name="s"\s+value="([^"]*)"', page.text)[1]
        kept = bo.client.post("/more/own/keep", data={"s": text})
        assert kept.status_code == 303
        assert says(bo.get(kept.location), "Kept on this phone")
        number = re.search(r'name="kept" value="(\d+)"', bo.get(kept.location).text)[1]
        removed = bo.client.post("/more/own/forget", data={"kept": number})
        assert says(bo.get(removed.location), "Not kept on this phone yet")  # and one tap keeps it again
        assert bo.client.post("/more/own/forget", data={"kept": number}).status_code == 303
        assert not says(bo.get("/"), "Made by one of you")

    def test_a_change_is_the_next_edition_and_says_what_changed(self, app, ana):
        first = ana.client.post("/more/make", data={**SEVENS, "by": "Ana"}).location
        text = re.search(r'name="s"\s+value="([^"]*)"', ana.get(first).text)[1]
        match = ana.send("/matches", game="sheet", sheet=text).location
        bo = Phone(app)
        bo.client.post("/more/own/keep", data={"s": text})
        page = ana.get("/more/make", of=text)
        assert re.search(r'name="limit" type="text" value="200"', page.text)
        assert re.findall(r'name="column" value="([^"]*)"', page.text) == ["Points", "Bonus"]
        told = ana.client.post("/more/make", data={**SEVENS, "by": "Ana", "of": text, "limit": "300", "ask": "preview"})
        assert says(told, "By Ana, edition 2")
        second = ana.client.post("/more/make", data={**SEVENS, "by": "Ana", "of": text, "limit": "300"}).location
        assert ana.get("/more", group="own").text.count("shelf-row") == 1  # the newest alone
        for phone, there in ((bo, "What is new since edition 1, which is here"), (ana, "What is new since edition 1")):
            page = phone.get(second)
            assert says(page, there)
            assert says(page, "Before: It ends at 200 points.")
            assert says(page, "Now: It ends at 300 points.")
        assert says(ana.get(first), "Edition 2 is here already. What is new in it")
        assert says(ana.get(f"{match}/see/scoring"), "It ends at 200 points.")  # which has begun
        assert says(ana.get(f"{match}/see/scoring"), "By Ana.")
        newer = re.search(r'name="s"\s+value="([^"]*)"', bo.get(second).text)[1]
        bo.client.post("/more/own/keep", data={"s": newer})
        assert bo.get("/more", group="own").text.count("shelf-row") == 1
        assert says(bo.get("/more", group="own"), "By Ana, edition 2")

    def test_two_sheets_of_one_name_say_whose_they_are(self, app):
        links = [Phone(app).client.post("/more/make", data={**SEVENS, "by": who}).location for who in ("Ana", "Bo")]
        cy = Phone(app)
        for link in links:
            text = re.search(r'name="s"\s+value="([^"]*)"', cy.get(link).text)[1]
            cy.client.post("/more/own/keep", data={"s": text})
        page = cy.get("/more", group="own")
        assert says(page, "<b>Sevens (Ana)")
        assert says(page, "<b>Sevens (Bo)")
        cy.client.post("/more/own/keep", data={"s": text_of(replace(presets.preset("hearts"), about=None))})
        assert says(cy.get("/more", q="hearts"), "Hearts (own)")
        assert not says(cy.get(links[0]), "What is new")

    def test_a_new_table_plays_the_sheet_that_was_chosen(self, app):
        ana = Phone(app)
        page = ana.get(ana.client.post("/more/make", data=SEVENS).location)
        new = ana.get(unescape(re.search(r'href="(/tables/new\?[^"]*)"', page.text)[1]))
        fields = dict(re.findall(r'name="(game|item|s|kept)" value="([^"]*)"', new.text))
        answer = ana.client.post("/tables", data={**fields, "table": "T", "person_0": "Ana"})
        assert says(ana.get(answer.location), "Start <b>Sevens")

    def test_a_phone_keeps_no_more_than_it_can(self, app, monkeypatch):
        monkeypatch.setattr(keeping, "MOST", 2)
        ana = Phone(app)
        for n in range(2):
            assert ana.client.post("/more/make", data={**SEVENS, "name": f"Game {n}"}).status_code == 303
        refused = ana.client.post("/more/make", data={**SEVENS, "name": "Another"})
        assert refused.status_code == 422
        assert says(refused, "This phone keeps 2 sheets, as many as it can. Remove one first.")
        assert ana.client.post("/more/make", data={**SEVENS, "name": "Game 1", "limit": "50"}).status_code == 303  # an edition

    @pytest.mark.parametrize("shape", ["rounds", "bids", "ledger", "boxes", "end"])
    def test_what_was_made_can_be_changed(self, shape):
        bids = {"met": "20", "each": "5", "missed": "3"}
        document = made(MultiDict({**SEVENS, **bids, "shape": shape, "sign": ["+", "-"], "minus": "", "by": "Ana"}))
        assert made(answers(document)) == document
        halves = made(MultiDict({**SEVENS, "shape": shape, "sign": ["+", "-"], "minus": "", "halves": "yes"}))
        assert made(answers(halves)) == halves
        columns = [replace(column, kind="half", step=1) if column.kind == "addends" else column for column in halves.columns]
        assert made(answers(replace(halves, columns=tuple(columns)))) == halves  # as they were made once

    def test_boxes_of_which_none_is_needed_were_once_allowed_and_are_told_in_a_sentence(self, app, ana):
        fields = {**SEVENS, "shape": "boxes", "sign": ["+", "+"], "minus": ""}
        link = ana.client.post("/more/make", data=fields).location
        text = re.search(r'name="s"\s+value="([^"]*)"', ana.get(link).text)[1]
        match = ana.send("/matches", game="sheet", sheet=text).location
        old = made(MultiDict(fields))
        none_needed = replace(old, columns=tuple(replace(column, optional=True) for column in old.columns))
        with app.test_request_context():
            played = db.session.scalar(select(Match))
            played.options = to_builtins(replace(settled(SheetOptions(None, old)), sheet=none_needed))
            db.session.scalar(select(Kept)).text = text_of(none_needed)
            db.session.commit()
        why = "At least one column must be filled by each side."
        for path, status in ((match, 404), (f"{match}/settle", 404), (ana.link + "/matches", 200), (ana.link + "/table", 200)):
            page = ana.get(path)
            assert page.status_code == status
            assert says(page, why), path
        for path in ("/", "/more", f"{ana.link}/more", f"{ana.link}/almanac", f"{match}/record.json"):
            assert ana.get(path).status_code < 500, path
        page = ana.get("/more/own", s=text_of(none_needed))
        assert page.status_code == 422
        assert says(page, why)
        assert ana.send("/matches", game="sheet", preset="plain").status_code == 303  # the table plays on

    def test_a_sheet_with_more_to_it_is_no_page_s_to_change(self):
        assert answers(presets.preset("hearts")) is None
        assert answers(presets.preset("skull-king")) is None

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "zzz",
            "é",
            packed(b"x" * 10_000_000),
            packed(b"[" * 60_000),
            packed(b'{"most":' + b"9" * 10_000 + b"}"),
            packed(b"null"),
        ],
        ids=["nothing", "no sheet", "no letters", "ten million letters", "deep", "10,000 digits", "null"],
    )
    def test_a_stranger_s_sheet_is_refused_with_a_sentence(self, app, ana, text):
        answer = Phone(app).get("/more/own", s=text)
        assert answer.status_code == 422
        assert says(answer, "Something in this sheet is wrong")
        assert ana.send("/matches", game="sheet", sheet=text or "x").status_code == 422
