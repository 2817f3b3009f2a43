"""What do other phones hear of an entry? Who did what, the totals before, and the corrected row until the next one."""

from __future__ import annotations

import re
from html import unescape

import pytest

from companion.engine.text import Name, say
from companion.web.match.news import to_undo
from tests.web.people import BelozPhone, CupPhone, Phone, PhoneAtMatch, claim, says, words
from tests.web.test_bisque_pages import GOALS, POT
from tests.web.test_rivals_pages import FIRST, typed
from tests.web.test_undo import tap

TAKEN = '{"bidder":0,"flooded":"south"}'


@pytest.fixture
def at_match():
    return BelozPhone


def news(page):
    """Return what the quiet line says, and the row that it is about."""
    found = re.search(r'<section class="panel news"(.*?)>(.*?)</section>', page.text, re.DOTALL)
    if found is None or " hidden" in found[1]:
        return None
    row = re.search(r'data-row="([^"]*)"', found[1])
    said = re.search(r'<a class="news-words".*?</a>', found[2], re.DOTALL)[0].replace("</b>", "</b> ")
    return " ".join(words(said).split()), row and row[1]


def test_saved_corrected_undone_and_brought_back_is_told_on_the_others_and_on_watching_phones(ana, bo, watcher):
    ana.play_round(98)
    told = [news(bo.open())]
    ana.play_round(98)
    told.append(news(bo.open()))
    ana.send("/entries/1", round=TAKEN, team="0", points="61", last="0")
    told.append(news(bo.open()))
    ana.open()
    ana.send("/undo", of=3)
    told.append(news(bo.open()))
    ana.open()
    ana.send("/undo", of=4)
    told.append(news(watcher.open()))
    assert told == [
        ("Ana saved round 1", "entry-1"),
        ("Ana saved round 2 Before: 108 to 55", "entry-2"),
        ("Ana corrected round 1 98, now 61. Before: 216 to 110", "entry-1"),
        ("Ana undid the correction of round 1 Before: 108 to 218", None),
        ("Ana brought back the correction of round 1 Before: 216 to 110", None),
    ]
    assert news(ana.open()) is None


def leads_to_the_row(phone, row_id, *, elsewhere):
    """Tap the line: the row that it is about is on the match's page, or on the one that opens."""
    page = phone.open()
    way = unescape(re.search(r'<a class="news-words" href="([^"]*)"', page.text)[1])
    address, _, part = way.partition("#")
    assert part == row_id
    assert bool(address) == elsewhere
    assert "corrected by Ana" in row(phone.get(address) if address else page, row_id)[0]


def test_totals_without_names_stand_as_on_the_screen_whoever_dealt_first(ana, bo):
    ana.play_round(98)
    ana.send("/stop")
    table = ana.link.removesuffix("/m/1")
    ana.client.post(f"{table}/m/1/rematch", data={"expected_seq": "2", "idempotency_key": "again"})
    for phone in (ana, bo):
        phone.link = f"{table}/m/2"
        phone.open()
    for _ in range(2):
        ana.play_round(98)  # Bo deals, so that the engine counts Bo & Di first; the screen shows Ana & Cy first
    assert news(bo.open())[0] == "Ana saved round 2 Before: 55 to 108"


@pytest.mark.parametrize("passed", [9, 10, 60])
def test_the_line_leads_to_the_row_also_where_another_page_has_it(ana, bo, passed):
    """The match's own page has ten rows, a page of the history fifty."""
    ana.play_round(98)
    for _ in range(passed):
        ana.send("/who", tap="passed-deal")
        ana.seen += 1
    ana.send("/entries/1", round=TAKEN, team="0", points="61", last="0")
    leads_to_the_row(bo, "entry-1", elsewhere=passed > 9)


def test_a_step_that_was_taken_back_is_told(ana, bo):
    ana.take(3, "east")
    assert news(bo.open()) is None
    tap(ana)
    assert news(bo.open()) == ("Ana took back: East flooded", None)
    assert news(ana.open()) is None


def test_who_has_no_name_here_is_somebody(phone, bo):
    phone.play_round(98)
    assert news(bo.open())[0] == "Somebody saved round 1"


def test_a_corrected_row_says_so_until_the_next_entry(ana, bo):
    ana.play_round(98)
    ana.send("/entries/1", round=TAKEN, team="0", points="61", last="0")
    page = bo.open()
    assert says(page, "corrected by Ana")
    assert re.findall(r"<s>(\d+)</s>", page.text) == ["108", "55"]
    ana.play_round(98)
    assert not says(bo.open(), "corrected by Ana")


def row(page, name):
    """Return what the row with this id says, and the numbers that are struck out in it."""
    found = re.search(rf'<(?:details|div) class="row"[^>]*? id="{name}"(.*?)</(?:summary|div)>', page.text, re.DOTALL)[1]
    return " ".join(words(f"<p {found}").split()), [words(number) for number in re.findall(r"<s>(.*?)</s>", found)]


class AtBisque:
    """Three play."""

    @pytest.fixture
    def match(self, open_match):
        return open_match("bisque", ["Ana", "Bo", "Cy"])

    @pytest.fixture
    def at_match(self):
        return PhoneAtMatch


class TestPot(AtBisque):
    def test_a_corrected_trick_is_told_in_the_row_of_its_hand_with_the_numbers_before(self, ana, bo):
        for card in POT:
            ana.open()
            assert ana.send("/hand", by="0", card=card).status_code == 303
        assert news(bo.open()) == ("Ana saved trick 11 The Crown of suns.", "hand-now")
        assert ana.send("/entries/1", by="1", card=POT[0]).status_code == 303
        assert "trick 1 corrected by Ana" in row(bo.open(), "hand-now")[0]
        for cook, goal in enumerate(GOALS):  # the pot gives them 19, 17 and 18
            ana.open()
            ana.send("/hand", who=str(cook), goal=goal)
        ana.open()
        assert ana.send("/hand", save=",".join(GOALS)).status_code == 303
        ana.open()
        assert ana.send("/entries/8", by="0", card="6-suns-wyrms").status_code == 303  # four suns more, but fewer moons
        said, struck = row(bo.open(), "entry-13")
        assert "trick 8 corrected by Ana" in said
        assert struck == []
        ana.open()
        assert ana.send("/entries/6", by="0", card="9-waves-wyrms").status_code == 303  # knots are 13 without the 5
        said, struck = row(bo.open(), "entry-13")
        assert "trick 6 corrected by Ana" in said
        assert struck == ["18"]
        assert news(bo.open())[1] == "entry-13"


class TestSitsOut(AtBisque):
    """Di belongs to the table, and three play: what her phone does is hers."""

    @pytest.fixture
    def di(self, other_phone):
        return claim(other_phone, "Di")

    @pytest.fixture
    def at_table(self, app, table):
        phone = Phone(app)
        phone.link = f"/t/{table.play}"
        return phone

    def trick(self, phone, card=POT[0], **fields):
        phone.open()
        return phone.send("/hand", by="0", card=card, **fields)

    def test_what_she_does_is_told_with_her_name_on_all_phones_but_hers(self, ana, di, watcher):
        self.trick(di)
        told = [news(ana.open())]
        di.open()
        di.send("/entries/1", by="1", card=POT[0])
        told.append(news(watcher.open()))
        assert "trick 1 corrected by Di" in row(ana.open(), "hand-now")[0]
        di.open()
        di.send("/undo", of=2)
        told.append(news(ana.open()))
        di.open()
        di.send("/stop")
        told.append(news(ana.open()))
        assert [what for what, _ in told] == [
            "Di saved trick 1 The Crown of waves.",
            "Di corrected trick 1 Won by: Ana, now Bo.",
            "Di undid the correction of trick 1",
            "Di stopped the match",
        ]
        assert news(di.open()) is None

    def test_a_tap_of_hers_that_she_takes_back_too(self, ana, di):
        for card in POT:
            self.trick(ana, card)
        ana.open()
        di.open()
        di.send("/hand", who="0", goal=GOALS[0])
        tap(di)
        assert news(ana.open()) == ("Di took back: Ana’s goal", None)
        assert news(di.open()) is None

    def test_a_french_phone_and_a_german_one_have_her_name(self, ana, di):
        self.trick(di)
        said = []
        for language in ("fr", "de"):
            ana.client.post("/language", data={"language": language})
            said.append(news(ana.open())[0])
        assert said == [
            "Di a enregistré le pli 1 La Couronne de vagues.",
            "Di hat gespeichert: Stich 1 Die Wellen-Krone.",
        ]

    def test_she_is_not_asked_who_she_is(self, di):
        for card in POT[:2]:  # at the start of a hand, and later
            assert not says(di.open(), "it can’t keep your goal")
            self.trick(di, card)

    def test_a_phone_names_its_owner_and_nobody_else(self, ana, di):
        for number, named in enumerate(("Ana", 0, "Ed", -1)):
            self.trick(di, POT[number], player=named, author=named, name=named)
            assert news(ana.open())[0].startswith(f"Di saved trick {number + 1} ")

    def test_two_quick_taps_of_hers_are_one_trick(self, di, log):
        seen = di.open() and di.seen
        for _ in range(2):
            assert di.send("/hand", by="0", card=POT[0], expected_seq=seen).status_code == 303
        assert log().seq == 1

    def test_another_phone_that_typed_something_else_is_told_whose_trick_is_there(self, ana, di):
        seen = ana.open() and ana.seen
        self.trick(di)
        page = ana.send("/hand", by="1", card=POT[0], expected_seq=seen)
        assert page.status_code == 409
        assert says(page, "Di entered")
        assert says(page, "Keep Di’s")

    def test_whoever_is_called_differently_is_so_from_then_on_and_who_has_left_keeps_the_name(self, ana, di, at_table):
        self.trick(di)
        assert news(ana.open())[0] == "Di saved trick 1 The Crown of waves."
        at_table.do("rename", "Di", name="Dido")
        assert news(ana.open())[0] == "Dido saved trick 1 The Crown of waves."
        assert news(di.open()) is None
        at_table.do("remove", "Dido")
        assert news(ana.open())[0] == "Dido saved trick 1 The Crown of waves."

    def test_nobody_gets_a_name_that_somebody_has_in_the_match(self, ana, di, at_table):
        self.trick(di)
        at_table.do("remove", "Di")
        page = at_table.do("rename", "Ana", name="di")
        assert says(page, "Di and Ana are both in match 1. Choose another name.")


class TestWhales:
    @pytest.fixture
    def match(self, open_match):
        return open_match("rivals", ["Ana", "Bo"])

    @pytest.fixture
    def at_match(self):
        return PhoneAtMatch

    def test_a_corrected_round_says_so_with_the_cards_before(self, ana, bo):
        ana.open()
        assert ana.send("/round", **typed(FIRST)).status_code == 303
        ana.open()
        assert ana.send("/entries/1", **{**typed(FIRST), "whales-1-1": "5 4 4 ."}).status_code == 303
        said, struck = row(bo.open(), "entry-1")
        assert "corrected by Ana" in said
        assert struck == ["3 cards"]


class TestZones:
    @pytest.fixture
    def match(self, open_match):
        return open_match("beluga-cup", ["Ana", "Bo"], cards="untracked")

    @pytest.fixture
    def at_match(self):
        return CupPhone

    def test_a_corrected_meal_says_so_with_the_points_before(self, ana, bo):
        ana.fill()
        for player in ("0", "1", "1"):
            ana.tap("/eat", zone="1", player=player)
            ana.fill(["suns"])
        assert ana.send("/entries/6", kind="eat", zone="1", player="0").status_code == 303
        said, struck = row(bo.open(), "entry-6")
        assert "corrected by Ana" in said
        assert struck == ["0", "1"]
        assert news(bo.open())[0] == "Ana corrected: Bo eats zone 1 Eaten by: Bo, now Ana. Before: 0 to 1"
        assert row(bo.open("/see/history"), "entry-6") == (said, struck)

    @pytest.mark.parametrize(("meal", "elsewhere"), [("2", True), ("6", False)])
    def test_the_line_leads_to_the_row_of_an_older_meal(self, ana, bo, meal, elsewhere):
        ana.fill()
        for player in ("0", "1", "1"):
            ana.tap("/eat", zone="1", player=player)
            ana.fill(["suns"])
        assert ana.send(f"/entries/{meal}", kind="eat", zone="1", player="1" if meal == "2" else "0").status_code == 303
        leads_to_the_row(bo, f"entry-{meal}", elsewhere=elsewhere)


class TestCards:
    """Both players of the cup enter their cards."""

    FISH = ("suns",), ("leaves", "waves"), ("wyrms", "wyrms", "knots"), ("moons", "knots", "knots", "wyrms")

    @pytest.fixture
    def match(self, open_match):
        return open_match("beluga-cup", ["Ana", "Bo"])

    @pytest.fixture
    def at_match(self):
        return CupPhone

    @pytest.fixture
    def plays(self, ana, bo):
        """Bo plays, then Ana does."""
        ana.fill(*self.FISH)
        bo.tap("/play", zone="4", side="1", card="4-wyrms-knots")
        ana.tap("/play", zone="4", side="0", card="7-suns-knots")

    def correct(self, phone, entry, **fields):
        phone.open()
        assert phone.send(f"/entries/{entry}", kind="play", **fields).status_code == 303

    @pytest.mark.parametrize(
        "drawn",
        [{"by": "app"}, {"fish": "suns,leaves,waves,wyrms,wyrms,knots,moons,knots,knots", "add": "wyrms"}],
    )
    def test_fish_are_told_as_fish_wherever_they_came_from(self, ana, bo, drawn):
        ana.tap("/fish", **drawn)
        assert news(bo.open())[0] == "Ana entered the fish"

    def test_a_corrected_play_is_told_with_the_old_and_the_new_card_and_zone(self, ana, bo, watcher, plays):
        self.correct(bo, 2, player="1", zone="4", side="1", card="2-moons-knots")
        told = [news(ana.open())[0]]
        self.correct(bo, 2, player="1", zone="3", side="0", card="2-moons-knots")
        told.append(news(watcher.open())[0])
        assert told == [
            "Bo corrected: Bo’s 4 Card: 4 Battle, now 2 Author.",
            "Bo corrected: Bo’s 2 Zone: 4, now 3. Side: Bo, now Ana.",
        ]
        assert news(bo.open()) is None

    @pytest.mark.parametrize(
        ("language", "said"),
        [
            ("fr", "Bo a corrigé : 4 de Bo Carte : 4 Bataille, maintenant 2 Auteur. Zone : 4, maintenant 3."),
            ("de", "Bo hat korrigiert: 4 von Bo Karte: 4 Schlacht, jetzt 2 Autor. Zone: 4, jetzt 3."),
        ],
    )
    def test_in_the_phones_language(self, ana, bo, plays, language, said):
        self.correct(bo, 2, player="1", zone="3", side="1", card="2-moons-knots")
        ana.client.post("/language", data={"language": language})
        assert news(ana.open())[0] == said


class TestDuel:
    @pytest.fixture
    def match(self, open_match):
        return open_match("what-the-fish", ["Ana", "Bo", "Cy"])

    @pytest.fixture
    def at_match(self):
        return PhoneAtMatch

    def test_a_flush_leaves_its_trace(self, ana, bo):
        ana.open()
        assert ana.send("/flush", tap="who:2").status_code == 303
        assert news(bo.open()) == ("Ana entered: Cy’s Flint Flush", "swim-1")

    def test_a_corrected_card_is_told_in_the_row_of_its_swim(self, ana, bo):
        for key, value in (("fish:0", "5"), ("kill:1", "9"), ("dead", "")):
            ana.open()
            assert ana.send("/play", tap=key, value=value).status_code == 303
        ana.open()
        assert ana.send("/entries/2", kind="kill", who="1", value="8").status_code == 303
        assert "Bo’s KILL 8 corrected by Ana" in row(bo.open(), "swim-1")[0]

    def test_a_correction_in_the_running_swim_shows_the_numbers_before_until_the_next_entry(self, ana, bo):
        def corrected(page):
            layers = re.findall(r"<li data-fill[^>]*?( data-corrected)?><b>(.*?)</li>", page.text)
            return [re.findall(r"\d+(?=<)", told) for changed, told in layers if changed], re.findall(
                r'<p class="duel-was display">.*?</p>', page.text
            )

        for key, value in (("fish:0", "5"), ("kill:1", "9"), ("protect:0", "12")):
            ana.open()
            assert ana.send("/play", tap=key, value=value).status_code == 303
        assert corrected(bo.open()) == ([], [])
        assert ana.send("/entries/2", kind="kill", who="1", value="8").status_code == 303
        layers, number = corrected(bo.open())
        assert layers == [["8", "9"]]
        assert number == []  # Ana's 12 is still to beat
        ana.open()
        assert ana.send("/entries/3", kind="protect", who="0", value="13").status_code == 303
        layers, number = corrected(bo.open())
        assert layers == [["13", "12"]]
        assert words(number[0]).split() == ["was", "12"]
        ana.open()
        assert ana.send("/play", tap="kill:2", value="4").status_code == 303
        assert corrected(bo.open()) == ([], [])


@pytest.mark.parametrize("name", ["Ana", "ana"])
def test_a_sentence_that_begins_with_a_name_is_one_however_the_name_is_written(name):
    assert to_undo(say("{player} took it", player=Name(name))) == f"Undo: {name} took it"
    assert to_undo(say("round {n}", n=6)) == "Undo round 6"
