"""May I? Every look-up of every game, what is wrong with what was picked, and that nothing of a hand is kept."""

from __future__ import annotations

import logging
import re
from typing import get_args

import msgspec
import pytest
from werkzeug.datastructures import MultiDict

from companion.engine import GAMES
from companion.engine.beloz.cards import ANIMALS
from companion.engine.bisque import Pot
from companion.engine.core import replay, start
from companion.engine.records import decode_event
from companion.games import PLUGINS
from companion.matches import entries
from companion.screens.look_up import MatchState
from companion.storage.models import db
from tests.web.people import says, words

ACES = ["ace-moons", "ace-suns", "ace-waves", "ace-leaves", "ace-wyrms", "ace-knots"]
NORTH = [f"north-{animal}" for animal in ANIMALS]
LOOK_UPS = {slug: plugin.look_up for slug, plugin in PLUGINS.items() if plugin.look_up}
CROWNS = ["crown-moons", "crown-suns", "crown-waves", "crown-leaves", "crown-wyrms", "crown-knots"]


def form(**fields):
    """Return the fields of a form; a list is the same field several times."""
    return MultiDict([(name, one) for name, value in fields.items() for one in (value if isinstance(value, list) else [value])])


class Verdict:
    """What an answer says, and which cards it is about."""

    def __init__(self, answer):
        self.status = answer.status_code
        self.html = answer.text
        found = re.search(r'<div id="verdict" class="([^"]*)"([^>]*)>(.*?)</div>', answer.text, re.DOTALL)
        self.kind = found[1].strip()
        marks = dict(re.findall(r'data-(\w+)="([^"]*)"', found[2]))
        self.legal, self.illegal = marks["legal"].split(), marks["illegal"].split()
        self.wrong = marks.get("error")
        self.title = words(re.search(r"<b>(.*?)</b>", found[3], re.DOTALL)[1])
        self.text = words(re.search(r"<p[^>]*>(.*?)</p>", found[3], re.DOTALL)[1])


@pytest.fixture
def ask(client):
    """Ask as the page's script does."""

    def asked(slug, **fields):
        return Verdict(client.post(f"/may-i/{slug}", data=form(ask="preview", **fields)))

    return asked


@pytest.fixture
def page(client):
    """Ask as a phone without scripts does: the whole page comes back."""

    def asked(slug, **fields):
        return client.post(f"/may-i/{slug}", data=form(**fields))

    return asked


def kept(page, name):
    """Return the cards of a place that the page's form holds."""
    hidden = re.search(r"<div hidden data-picks>(.*?)</div>", page.text, re.DOTALL)[1]
    return re.findall(rf'name="{name}" value="([^"]*)"', hidden)


class TestBeloz:
    @pytest.mark.parametrize(
        ("table", "hand", "title", "legal"),
        [
            ([], ["north-lion", "south-monkey"], "Play any card", ["north-lion", "south-monkey"]),
            (
                ["north-lion"],
                ["north-meerkat", "south-lion", "north-leopard"],
                "Play the 1 or the 7 of North",
                ["north-meerkat", "north-leopard"],
            ),
            (["south-lion"], ["south-crocodile", "south-monkey", "east-lion"], "Play the 4 of South", ["south-crocodile"]),
            (
                ["south-lion"],
                ["south-monkey", "south-meerkat", "east-lion"],
                "Play the 2 or the 1 of South",
                ["south-monkey", "south-meerkat"],
            ),
            (
                ["north-leopard", "north-monkey", "east-meerkat"],
                ["south-crocodile", "south-elephant", "east-lion"],
                "Play the 4 or the 6 of South",
                ["south-crocodile", "south-elephant"],
            ),
            (
                ["north-lion", "north-monkey", "south-lion"],
                ["south-crocodile", "south-monkey"],
                "Play the 4 of South",
                ["south-crocodile"],
            ),
            (
                ["north-lion", "north-monkey", "south-crocodile"],
                ["south-lion", "east-lion"],
                "Play the 8 of South",
                ["south-lion"],
            ),
            (["north-leopard", "north-monkey"], ["south-lion", "east-lion"], "Play any card", ["south-lion", "east-lion"]),
            (["north-leopard"], ["west-lion", "east-lion"], "Play any card", ["west-lion", "east-lion"]),
        ],
    )
    def test_the_cards_that_may_be_played_are_named(self, ask, table, hand, title, legal):
        said = ask("beloz", flooded="south", table=table, hand=hand)
        assert (said.status, said.title, said.legal) == (200, title, legal)
        assert said.illegal == [card for card in hand if card not in legal]

    def test_the_reason_is_a_sentence_with_its_rule(self, ask):
        said = ask("beloz", flooded="south", table=["north-lion"], hand=["north-meerkat", "south-lion"])
        assert said.text == "The target is North and you hold North, so you must provide North. Rule"
        assert 'href="/rules/beloz#provide"' in said.html

    @pytest.mark.parametrize(
        ("hand", "title"),
        [
            (NORTH[:3], "Play the 1, the 2 or the 3 of North"),
            (NORTH[:4], "Play any North card"),
        ],
    )
    def test_of_many_cards_the_plain_is_named(self, ask, hand, title):
        assert ask("beloz", flooded="south", table=["north-lion"], hand=[*hand, "east-lion"]).title == title

    def test_many_cards_of_a_plain_but_not_all_are_numbered(self, ask):
        hand = ["south-elephant", "south-rhinoceros", "south-leopard", "south-lion", "south-monkey", "east-lion"]
        said = ask("beloz", flooded="south", table=["north-lion", "east-leopard", "south-meerkat"], hand=hand)
        assert said.title == "Play any South card"
        said = ask("beloz", flooded="south", table=["south-monkey"], hand=[*hand[:4], "south-meerkat"])
        assert said.title == "Play the 6, the 5, the 7 or the 8 of South"

    def test_who_leads_is_named_in_a_match(self, ask):
        fields = {"flooded": "south", "who": ["Di", "Ana", "Bo", "Cy"], "hand": ["south-lion", "east-lion"]}
        said = ask("beloz", table=["north-leopard", "north-monkey", "east-meerkat"], **fields)
        assert said.text.startswith("You hold no North card and Ana leads, so you must intercept")
        said = ask("beloz", table=["north-leopard", "north-monkey"], **fields)
        assert said.text.startswith("You hold no North card and Bo leads, so you may discard")
        said = ask("beloz", table=["north-leopard", "north-monkey", "south-crocodile"], **fields)
        assert said.text.startswith("You hold no North card, and no South card above Cy’s crocodile")

    @pytest.mark.parametrize(
        ("fields", "title", "ways"),
        [
            ({"flooded": ""}, "Which plain is flooded?", []),
            ({}, "Tap the card that was played first", ["I play first"]),
            ({"table": ["north-lion"]}, "Tap the next card on the table", ["My hand"]),
            ({"table": NORTH[:3]}, "Three cards are on the table", ["My hand"]),
            ({"to": "hand"}, "Now the cards in your hand", ["The table", "What can I declare?"]),
            ({"to": "shown"}, "Now the cards in your hand", ["The table", "What can I declare?"]),
            ({"to": "hand", "hand": ["east-lion"]}, "Play the 8 of East", ["The table", "Show my hand"]),
            ({"hand": ["east-lion"]}, "Play the 8 of East", ["My hand", "Show my hand"]),
            ({"to": "shown", "hand": ["east-lion"]}, "Play the 8 of East", ["Show the rule", "What can I declare?"]),
            ({"subject": "declarations"}, "Tap the cards of your hand", ["May I play?"]),
            ({"subject": "declarations", "hand": ["east-lion"]}, "Nothing to declare", ["Show my hand", "May I play?"]),
            (
                {"subject": "declarations", "to": "shown", "hand": NORTH[:3]},
                "20 points to declare",
                ["Show the rule", "May I play?"],
            ),
        ],
    )
    def test_what_it_asks_for_is_where_taps_go(self, page, fields, title, ways):
        answer = page("beloz", **{"flooded": "south", **fields})
        assert Verdict(answer).title == title
        assert re.findall(r'class="button secondary"[^>]*>(.*?)<', re.search(r'<p id="ways".*?</p>', answer.text)[0]) == ways
        goes = re.search(r'name="to" value="(\w+)"', answer.text)[1]
        tapped = page("beloz", **{"flooded": "south", **fields, "to": goes, "tap": "west-lion"})
        asks_for_table = title in {
            "Tap the card that was played first",
            "Tap the next card on the table",
            "Three cards are on the table",
        }
        if "hand" in title:
            assert "west-lion" in kept(tapped, "hand")
        if asks_for_table:
            assert "west-lion" in kept(tapped, "table")

    def test_a_key_below_the_answer_goes_on_without_scripts(self, page):
        answer = page("beloz", flooded="south", tap="go:to:hand", to="table")
        assert Verdict(answer).title == "Now the cards in your hand"
        answer = page("beloz", flooded="south", tap="go:subject:declarations", hand=NORTH[:3], to="shown")
        assert Verdict(answer).title == "20 points to declare"

    def test_an_empty_seat_is_a_place_for_a_card(self, page):
        text = page("beloz", flooded="south", table=["north-lion"]).text
        seats = re.findall(r'<button class="at-table.*?</button>', text, re.DOTALL)
        assert [("slot" in seat, "beloz-card" in seat) for seat in seats] == [(False, True), (True, False), (True, False)]

    def test_who_leads_is_shown_at_the_card(self, page):
        table = ["north-leopard", "south-meerkat", "north-lion"]
        for flooded, leader in (("south", "Partner"), ("east", "Left"), ("west", "Left")):
            shown = re.findall(
                r'<button class="at-table.*?</button>', page("beloz", flooded=flooded, table=table).text, re.DOTALL
            )
            assert [
                words(re.search(r'class="who">(.*?)</span></span>', seat, re.DOTALL)[1]).strip()
                for seat in shown
                if 'class="leads tag"' in seat
            ] == [leader]

    def test_cards_are_drawn(self, page):
        text = page("beloz", flooded="south", table=["north-lion"], hand=["north-meerkat"]).text
        for place in ('data-seat="3"', '<div id="result" class="hand"'):
            assert 'class="card-animal"' in text.partition(place)[2].partition("</div>")[0]
        assert "&lt;" not in text

    def test_one_card_alone_is_answered_with_a_caution(self, ask):
        said = ask("beloz", flooded="south", table=["north-lion"], hand=["east-lion"])
        assert (said.title, said.legal) == ("Play the 8 of East", ["east-lion"])
        assert "If you hold more cards, tap them too." in said.text

    def test_what_is_still_to_be_picked(self, ask):
        assert ask("beloz").title == "Which plain is flooded?"
        said = ask("beloz", flooded="east", table=["north-lion"], to="hand")
        assert (said.title, said.kind, said.status) == ("Now the cards in your hand", "verdict incomplete", 200)
        assert ask("beloz", subject="declarations", flooded="east").title == "Tap the cards of your hand"

    def test_the_declarations_worth_most(self, ask, page):
        hand = ["north-lion", "north-leopard", "north-elephant", "north-rhinoceros", "south-meerkat", "south-monkey"]
        hand += ["south-water-snake", "east-lion"]
        said = ask("beloz", subject="declarations", flooded="north", hand=hand)
        assert said.title == "70 points to declare"
        assert said.text.startswith("Run of four from North, run of three from South. You hold BeloZ and Re-BeloZ: 20 more")
        assert sorted(said.legal) == sorted(set(hand) - {"east-lion"})
        assert says(page("beloz", subject="declarations", flooded="north", hand=hand), "Run of four from North+50")

    def test_quads_and_no_beloz(self, ask):
        hand = ["north-crocodile", "east-crocodile", "south-crocodile", "west-crocodile", "north-elephant"]
        said = ask("beloz", subject="declarations", flooded="north", hand=hand)
        assert (said.title, said.legal) == ("200 points to declare", hand[:4])
        assert "Quads of crocodiles. You don’t hold BeloZ and Re-BeloZ." in said.text

    def test_a_hand_that_declares_nothing(self, ask):
        said = ask("beloz", subject="declarations", flooded="north", hand=["north-lion", "east-lion"])
        assert said.title == "Nothing to declare"

    @pytest.mark.parametrize("flooded", ["south", ""])
    @pytest.mark.parametrize(
        ("fields", "sentence", "at"),
        [
            ({"hand": ["east-lion", "west-lion", "east-lion"]}, "The East lion is here twice. There is only one.", "east-lion"),
            (
                {"table": ["north-lion", "north-lion"], "hand": ["east-lion"]},
                "The North lion is on the table twice. There is only one.",
                "north-lion",
            ),
            (
                {"table": ["north-lion"], "hand": ["east-lion", "north-lion"]},
                "The North lion is on the table, so it can’t be in the hand too.",
                "north-lion",
            ),
            (
                {"table": ["north-lion", "north-monkey", "east-lion", "east-monkey", "west-lion"], "hand": ["south-lion"]},
                "Before a player’s turn at most three cards are on the table, not 5.",
                "west-lion",
            ),
            (
                {"hand": [*NORTH, "east-lion"]},
                "A hand has one to eight cards, not 9.",
                "east-lion",
            ),
            ({"hand": ["north-unicorn"]}, "“north-unicorn” is not a BeloZ card. Cards are like north-lion or west-water-snake.",
             "north-unicorn"),
        ],
    )  # fmt: skip
    def test_what_can_not_be_is_said_at_once_at_the_card(self, ask, page, flooded, fields, sentence, at):
        said = ask("beloz", flooded=flooded, **fields)
        assert (said.status, said.title, said.text, said.wrong) == (422, "That can’t be", sentence, at)
        assert said.legal == []
        whole = page("beloz", flooded=flooded, **fields)
        assert whole.status_code == 422
        if at != "north-unicorn":
            assert re.search(r'class="pick card-piece wrong"[^>]* value="([^"]*)"', whole.text)[1] == at
        for place, cards in fields.items():
            assert kept(whole, place) == cards

    def test_a_wrong_card_of_a_hand_that_declares_is_said_too(self, ask):
        said = ask("beloz", subject="declarations", flooded="south", hand=["east-lion", "east-lion"])
        assert (said.status, said.wrong) == (422, "east-lion")

    def test_a_table_that_can_not_be_is_said_before_there_is_a_hand(self, ask):
        table = ["north-lion", "north-monkey", "east-lion", "east-monkey"]
        assert ask("beloz", table=table).wrong == "east-monkey"

    def test_taps_without_scripts(self, page):
        answer = page("beloz", flooded="south", to="table", tap="north-lion")
        assert kept(answer, "table") == ["north-lion"]
        answer = page("beloz", flooded="south", to="table", table=["north-lion"], tap="north-lion")
        assert kept(answer, "table") == []
        answer = page("beloz", flooded="south", to="table", table=["north-lion", "north-monkey"], tap="east-lion")
        assert kept(answer, "table") == ["north-lion", "north-monkey", "east-lion"]
        assert re.search(r'name="to" value="hand"', answer.text), "a full table hands over to the hand"
        answer = page("beloz", flooded="south", to="hand", hand=["west-lion"], tap="east-lion")
        assert kept(answer, "hand") == ["west-lion", "east-lion"]

    def test_a_card_that_is_tapped_for_declarations_goes_to_the_hand(self, page):
        answer = page("beloz", subject="declarations", to="table", tap="east-lion")
        assert (kept(answer, "hand"), kept(answer, "table")) == (["east-lion"], [])

    def test_lit_and_dimmed_cards_of_the_deck(self, page):
        text = page("beloz", flooded="south", table=["north-lion"], hand=["north-meerkat", "east-lion"]).text
        assert len(re.findall(r'class="pick card-piece', text)) == 32
        assert re.search(r'class="pick card-piece lit" type="submit" name="tap" value="north-meerkat"', text)
        assert re.search(r'class="pick card-piece dim" type="submit" name="tap" value="east-lion"', text)


class TestBisque:
    @pytest.mark.parametrize(
        ("trick", "winner", "legal"),
        [
            (["5-moons-leaves", "9-moons-suns", "2-moons-knots"], "The second card", ["5-moons-leaves", "2-moons-knots"]),
            (["9-moons-suns", "5-moons-leaves", "9-leaves-knots"], "The first card", ["5-moons-leaves", "9-leaves-knots"]),
            (["ace-moons", "2-moons-knots", "ace-suns"], "The second card", ["ace-moons", "ace-suns"]),
            (["ace-moons", "ace-suns", "crown-suns"], "The third card", ["ace-moons", "ace-suns"]),
        ],
    )  # fmt: skip
    def test_who_won_the_trick_and_what_may_be_picked(self, ask, trick, winner, legal):
        said = ask("bisque", subject="trick", trick=trick)
        assert (said.status, said.title, said.legal) == (200, f"{winner} wins the trick", legal)

    def test_names_of_a_match(self, ask):
        said = ask("bisque", who=["Bo", "Cy", "Ana"], trick=["5-moons-leaves", "9-moons-suns", "2-moons-knots"])
        assert said.title == "Cy wins the trick"
        assert ask("bisque", who=["Bo", "Cy", "Ana"], trick=["5-moons-leaves"]).title == "Tap Cy’s card"

    def test_both_cards_from_which_the_winner_picks_are_one_of_these(self, page):
        text = page("bisque", trick=["5-moons-leaves", "9-moons-suns", "2-moons-knots"], ask="check").text
        said = re.findall(r'<span class="leads[^>]*>(?:<svg.*?</svg>)?(.*?)</span></div>', text, re.DOTALL)
        assert said == ["one of these", "wins", "one of these"]

    def test_possible_goals_of_a_hand(self, ask):
        hand = [*ACES, "9-moons-suns", "crown-moons", "2-moons-knots", "crown-suns", "crown-waves", "crown-knots"]
        said = ask("bisque", subject="hand", hand=hand)
        assert (said.title, said.legal) == ("2 possible goals", ["9-moons-suns", "2-moons-knots"])
        assert len(said.illegal) == 10

    def test_a_redeal(self, ask):
        said = ask("bisque", subject="hand", hand=[*ACES, *CROWNS])
        assert (said.title, said.legal) == ("Deal again", [])
        assert "none can be the goal" in said.text

    def test_what_is_still_to_be_picked(self, ask):
        assert ask("bisque").title == "Tap the first card"
        assert ask("bisque", trick=["ace-moons", "ace-suns"]).title == "Tap the third card"
        assert ask("bisque", subject="hand", hand=ACES).title == "6 of 12 cards"

    @pytest.mark.parametrize(
        ("fields", "sentence", "at"),
        [
            ({"trick": ["ace-moons", "ace-moons"]}, "The Ace of moons is here twice. There is only one.", "ace-moons"),
            ({"trick": ACES[:4]}, "A trick has 3 cards, not 4. Take one of them back.", "ace-leaves"),
            ({"trick": ["ace-moons", "ace-suns", "pawn-moons-suns-leaves"]},
             "The Harvest is not in play: Bisque takes the basic Decktet.", "pawn-moons-suns-leaves"),
            ({"trick": ["pawn-moons-suns-leaves"]},
             "The Harvest is not in play: Bisque takes the basic Decktet.", "pawn-moons-suns-leaves"),
            ({"subject": "hand", "hand": [*ACES, *CROWNS, "9-moons-suns"]},
             "A hand has 12 cards, not 13. Take one of them back.", "9-moons-suns"),
            ({"subject": "hand", "hand": ["ace-suns", "ace-suns"]},
             "The Ace of suns is here twice. There is only one.", "ace-suns"),
            ({"trick": ["ace-moons"], "gone": ["ace-moons"], "why": ["It is in the pot."]}, "It is in the pot.", "ace-moons"),
        ],
    )  # fmt: skip
    def test_what_can_not_be_is_said_at_once_at_the_card(self, ask, page, fields, sentence, at):
        said = ask("bisque", **fields)
        assert (said.status, said.text, said.wrong) == (422, sentence, at)
        whole = page("bisque", **fields)
        for place in ("trick", "hand"):
            assert kept(whole, place) == fields.get(place, [])


FISH = {
    "f1": ["moons"],
    "f2": ["suns", "waves"],
    "f3": ["leaves", "leaves", "wyrms"],
    "f4": ["knots", "knots", "moons", "wyrms"],
}


class TestBelugaCup:
    def test_every_zone_and_side(self, ask, page):
        fields = {**FISH, "s11": ["ace-moons"], "hand": ["2-suns-wyrms", "crown-moons"]}
        said = ask("beluga-cup", **fields)
        assert (said.status, said.title, said.legal) == (200, "2 of 2 may be played", ["2-suns-wyrms", "crown-moons"])
        rows = [words(row) for row in re.findall(r'<ul\s+class="flex-fill">(.*?)</ul>', page("beluga-cup", **fields).text)]
        assert "zone 1, your sidezone 4, either side" in rows, "their side of zone 1 has its moon"
        assert "zone 2, either sidezone 3, either sidezone 4, either side" in rows

    def test_a_card_that_fits_nowhere(self, ask, page):
        fields = {"f1": ["moons"], "f2": ["moons", "moons"], "hand": ["crown-moons", "crown-suns"]}
        said = ask("beluga-cup", **fields)
        assert (said.legal, said.illegal) == (["crown-moons"], ["crown-suns"])
        assert said.title == "1 of 2 may be played"
        assert says(page("beluga-cup", **fields), "fits nowhere")

    def test_nothing_fits(self, ask):
        said = ask("beluga-cup", f1=["moons"], hand=["crown-suns", "9-leaves-knots"])
        assert said.title == "No card fits"
        assert said.text.startswith("No card fits: show the hand and discard up to three.")

    def test_sets_of_aces(self, page):
        text = page("beluga-cup", f2=["suns", "waves"], hand=["ace-suns", "ace-waves", "ace-moons"]).text
        sets = re.search(r'<details[^>]*id="ace-sets".*?</details>', text, re.DOTALL)[0]
        assert [
            re.findall(r'aria-label="Ace of (\w+)"', one) for one in re.findall(r"<section.*?</section>", sets, re.DOTALL)
        ] == [["suns", "waves"]]

    def test_the_excuse(self, page):
        fields = {"deck": "courts", **FISH, "s10": ["ace-moons"], "hand": ["excuse"]}
        answer = page("beluga-cup", **fields)
        assert says(answer, "swap the fish of zone 2")
        assert says(answer, "take back the Ace of moons from zone 1")
        assert not says(answer, "swap the fish of zone 1")
        assert not says(answer, "excuse")  # as records write it

    def test_decks(self, client, page):
        assert len(re.findall(r'class="pick ', client.get("/may-i/beluga-cup").text)) == 36
        assert len(re.findall(r'class="pick ', page("beluga-cup", deck="courts").text)) == 41
        assert len(re.findall(r'class="pick ', page("beluga-cup", deck="pawns").text)) == 40

    def test_what_is_still_to_be_picked(self, ask):
        assert ask("beluga-cup").title == "Which fish swim in zone 1?"
        assert ask("beluga-cup", **FISH).title == "Now the cards in your hand"

    def test_fish_swim_on_into_the_next_zone(self, page):
        fields = {}
        for suit in ("moons", "suns", "waves", "leaves"):
            answer = page("beluga-cup", tap=f"fish:{suit}", **fields)
            places = {name: kept(answer, name) for name in ("f1", "f2", "f3", "f4")}
            fields = {**places, "to": re.search(r'name="to" value="(\w+)"[^>]* checked', answer.text)[1]}
        assert fields == {"f1": ["moons"], "f2": ["suns", "waves"], "f3": ["leaves"], "f4": [], "to": "f3"}
        answer = page("beluga-cup", tap="drop:f2:suns", **fields)
        assert kept(answer, "f2") == ["waves"]

    @pytest.mark.parametrize(
        ("fields", "sentence", "at"),
        [
            ({"hand": [*ACES, "crown-suns"]}, "A hand has at most 6 cards, not 7.", "crown-suns"),
            ({"hand": ["ace-suns", "ace-suns"]},
             "There is only one of each card: the Ace of suns is twice in the hand.", "ace-suns"),
            ({"hand": ["ace-suns"], "s20": ["ace-suns"]},
             "There is only one of each card: the Ace of suns is both in zone 2 and in the hand.", "ace-suns"),
            ({"s20": ["ace-suns"], "s31": ["ace-suns"]},
             "There is only one of each card: the Ace of suns is both in zone 2 and in zone 3.", "ace-suns"),
            ({"f4": ["suns"] * 5}, "A zone holds at most 4 fish, not 5.", "f4"),
            ({"hand": ["excuse"]}, "You play without the Excuse (deck: basic).", "excuse"),
        ],
    )  # fmt: skip
    def test_what_can_not_be_is_said_at_once_at_the_card(self, ask, page, fields, sentence, at):
        said = ask("beluga-cup", **fields)
        assert (said.status, said.text, said.wrong) == (422, sentence, at)
        whole = page("beluga-cup", **fields)
        for place, cards in fields.items():
            assert kept(whole, place) == cards


PACKS = {"top1": "5", "top2": "1", "top3": "10", "mine1": "1", "theirs1": "2", "hidden1": "1"}


class TestRivals:
    def test_plays_face_up_and_down_and_turtles(self, ask):
        said = ask("rivals", hand=["3", "5", "turtle"], **PACKS)
        assert said.legal == ["3", "5", "turtle"]
        assert said.title == "3, 5: any pack (5 face up on 1). Turtle: pack 1."
        full = {**PACKS, "mine2": "3", "top1": "3", "top3": "3", "theirs3": "1", "hidden3": "1"}
        said = ask("rivals", hand=["3", "5", "6", "turtle"], **full)
        assert said.title == "3, 5, 6, turtle: packs 1 and 3 (3 face up on 1 and 3)."
        said = ask("rivals", hand=["3", "turtle"], **{**full, "hidden1": "0", "hidden3": "0", "mine1": "3"})
        assert said.title == "3: pack 3 (face up on 3). Turtle: nowhere now."
        assert said.illegal == ["turtle"]

    def test_may_the_round_be_called(self, ask):
        said = ask("rivals", hand=["3"], **PACKS)
        assert said.text.startswith("To end the round, both need a whale on every pack. You have none on pack 2.")
        full = {f"{part}{pack}": "1" for part in ("top", "mine", "theirs") for pack in (1, 2, 3)}
        assert ask("rivals", hand=["3"], **full).text.startswith("You may also end the round, for one action.")
        assert ask("rivals", **full).title == "You may end the round"
        said = ask("rivals", hand=["3"], actions="0", **full)
        assert said.title == "No card may be played"
        assert said.text.startswith("Ending the round costs an action, and none is left in this turn.")

    @pytest.mark.parametrize("card", ["03", "\u0663", "\u00b2", "7", "x"])
    def test_a_card_that_there_is_not_is_refused(self, ask, card):
        assert ask("rivals", hand=[card], **PACKS).title == "That can’t be"

    def test_a_full_pack_and_a_turtle_without_aim(self, ask):
        full = {f"{part}{pack}": "3" for part in ("top", "mine") for pack in (1, 2, 3)}
        said = ask("rivals", hand=["3", "turtle"], **full)
        assert (said.title, said.illegal) == ("No card may be played", ["3", "turtle"])

    def test_what_is_still_to_be_picked(self, ask):
        assert ask("rivals").title == "What lies on top of pack 1?"
        assert ask("rivals", top1="5", top3="1").title == "What lies on top of pack 2?"

    @pytest.mark.parametrize(
        ("at", "hand", "title"),
        [
            ("top2", [], "What lies on top of pack 2?"),
            ("hand", [], "Tap the cards in your hand"),
            ("hand", ["3"], "What lies on top of pack 1?"),
        ],
    )
    def test_what_it_asks_for_is_where_values_go(self, ask, at, hand, title):
        assert ask("rivals", at=at, hand=hand).title == title

    def test_a_value_goes_to_the_pack_that_is_asked_for_and_then_to_the_hand(self, page):
        def fields(answer):
            return dict(
                re.findall(r'<input type="hidden" name="(at|top\d|mine\d|theirs\d|hidden\d)" value="([^"]*)"', answer.text)
            )

        answer = page("rivals")
        for value, at in (("5", "top2"), ("turtle", "top2"), ("1", "top3"), ("10", "hand"), ("3", "hand")):
            answer = page("rivals", tap=f"value:{value}", hand=kept(answer, "hand"), **fields(answer))
            assert fields(answer)["at"] == at
        assert [fields(answer)[f"top{pack}"] for pack in (1, 2, 3)] == ["5", "1", "10"]
        assert kept(answer, "hand") == ["turtle", "3"]
        assert Verdict(answer).title == "Turtle: nowhere now. 3: any pack."
        counts = []
        for tap in ("more:theirs1", "more:theirs1", "turn:1", "turn:1", "turn:1", "more:mine3", *["more:mine2"] * 4):
            answer = page("rivals", tap=tap, hand=kept(answer, "hand"), **fields(answer))
            counts.append("".join(fields(answer)[name] for name in ("theirs1", "hidden1", "mine3", "mine2")))
        assert counts[:6] == ["1100", "2200", "2100", "2000", "2200", "2210"]
        assert counts[6:] == ["2211", "2212", "2213", "2210"]
        answer = page("rivals", tap="go:at:top1", **fields(answer))
        assert fields(answer)["at"] == "top1"

    def test_taps_add_and_take_back(self, page):
        assert kept(page("rivals", hand=["3"], tap="add:hand:3"), "hand") == ["3", "3"]
        assert kept(page("rivals", hand=["3", "5", "3"], tap="drop:hand:3"), "hand") == ["3", "5"]

    @pytest.mark.parametrize(
        ("fields", "sentence", "at"),
        [
            ({"hand": ["1"] * 6}, "A hand has at most 5 cards, not 6. Take one of them back.", "1"),
            ({"hand": ["turtle"] * 4}, "A player has 3 turtles, not 4.", "turtle"),
            ({"theirs2": "1", "hidden2": "3"}, "Your opponent has 1 on pack 2, so 3 can’t be hidden there.", "hidden2"),
            ({"hand": ["7"]}, None, "7"),
            ({"hand": ["whale"]}, None, "whale"),
        ],
    )
    def test_what_can_not_be_is_said_at_once_at_its_place(self, ask, page, fields, sentence, at):
        said = ask("rivals", **fields)
        assert (said.status, said.wrong) == (422, at)
        assert said.text == sentence if sentence else said.text
        assert kept(page("rivals", **fields), "hand") == fields.get("hand", [])


class TestWhatTheFish:
    @pytest.mark.parametrize(
        ("fields", "title", "why"),
        [
            ({"to_beat": "11", "already": "9", "hand": ["4", "6", "13"]}, "4 kills it", "4 kills it: 3 or more is needed."),
            ({"to_beat": "8", "hand": ["4", "6"]}, "4 + 6 kill it", "4 + 6 = 10 kills it: 9 or more is needed."),
            ({"to_beat": "10", "subject": "protect", "hand": ["11", "3"]}, "11 saves it", "11 saves it: 11 or more is needed."),
            ({"to_beat": "22", "subject": "protect", "hand": ["11", "3"]},
             "Not enough", "It takes 23 or more. You have 14 so far."),
            ({"to_beat": "20", "hand": ["4"], "more": "17 30"},
             "4 + 17 kill it", "4 + 17 = 21 kills it: 21 or more is needed."),
        ],
    )  # fmt: skip
    def test_the_least_cost(self, ask, fields, title, why):
        said = ask("what-the-fish", **fields)
        assert (said.status, said.title) == (200, title)
        assert said.text.removesuffix(" Rule") == why

    def test_the_cheapest_cards_are_lit(self, page):
        text = page("what-the-fish", to_beat="11", already="9", hand=["4", "6", "4"]).text
        assert re.findall(r'<button class="key held (\w+)"', text) == ["lit", "dim", "dim"]

    def test_what_is_still_to_be_picked(self, ask):
        assert ask("what-the-fish").title == "How strong is the fish?"
        assert ask("what-the-fish", subject="protect").title == "How strong is the attack?"
        said = ask("what-the-fish", to_beat="8")
        assert said.title == "Now the KILL cards in hand"
        assert said.kind == "verdict incomplete"

    @pytest.mark.parametrize(
        ("fields", "sentence", "at"),
        [
            ({"to_beat": "x"}, "There is no card “x”. Type figures, like 11.", "to_beat"),
            ({"to_beat": "-3"}, "There is no card “-3”. Type figures, like 11.", "to_beat"),
            ({"to_beat": "9" * 30}, f"There is no card {'9' * 30}. Type figures, like 11.", "to_beat"),
            ({"to_beat": "8", "already": "²"}, "There is no card “²”. Type figures, like 11.", "already"),
            ({"to_beat": "8", "more": "3 fish"}, "There is no card “fish”. Type figures, like 11.", "more"),
            ({"to_beat": "11", "already": "12", "hand": ["4"]}, "12 is above 11 already: nothing more is needed.", "already"),
        ],
    )
    def test_what_can_not_be_is_said_at_its_field_and_stays(self, ask, page, fields, sentence, at):
        said = ask("what-the-fish", **fields)
        assert (said.status, said.text, said.wrong) == (422, sentence, at)
        whole = page("what-the-fish", **fields)
        assert f'value="{fields[at]}"' in whole.text
        assert says(whole, sentence)

    def test_a_card_of_no_value(self, ask):
        assert ask("what-the-fish", to_beat="8", hand=["0"]).status == 422

    @pytest.mark.parametrize(("already", "title"), [("12", "It is enough already"), ("²", "That can’t be")])
    def test_enough_is_no_mistake(self, page, already, title):
        """Where nothing more is needed, the heading says so and not that it can't be."""
        said = page("what-the-fish", to_beat="11", already=already, hand=["4"]).text
        assert re.search(r'<div id="verdict"[^>]*><b>([^<]*)', said)[1] == title


# A complete question of every kind that the engine answers, as the pages ask it
EVERY_QUESTION = {
    ("beloz", "LegalPlay", ""): {"flooded": "south", "hand": ["north-lion"]},
    ("beloz", "HandDeclarations", "declarations"): {"subject": "declarations", "flooded": "south", "hand": ["north-lion"]},
    ("beluga-cup", "LegalPlays", ""): {**FISH, "hand": ["ace-moons"]},
    ("bisque", "Trick", ""): {"trick": ACES[:3]},
    ("bisque", "Hand", ""): {"subject": "hand", "hand": [*ACES, *CROWNS]},
    ("rivals", "LegalPlays", ""): {"hand": ["3"], **PACKS},
    ("what-the-fish", "Cheapest", "kill"): {"to_beat": "8", "hand": ["9"]},
    ("what-the-fish", "Cheapest", "protect"): {"subject": "protect", "to_beat": "8", "hand": ["9"]},
}


@pytest.fixture
def asked():
    """Yield what the engine was asked: game, kind of question, and which of a kind's questions."""
    heard, answers = [], {slug: game.answer for slug, game in GAMES.items()}

    def listen(slug):
        def answer(question):
            heard.append((slug, type(question).__name__, getattr(question, "ask", "")))
            return answers[slug](question)

        return answer

    for slug, game in GAMES.items():
        object.__setattr__(game, "answer", listen(slug))  # games are frozen
    yield heard
    for slug, game in GAMES.items():
        object.__setattr__(game, "answer", answers[slug])


def test_every_question_of_the_engine_can_be_asked_and_is_answered(ask, asked):
    for (slug, _, _), fields in EVERY_QUESTION.items():
        said = ask(slug, **fields)
        assert (said.status, said.kind) == (200, "verdict")
    every = set()
    for slug, game in GAMES.items():
        for kind in game.questions:
            asks = next((get_args(field.type) for field in msgspec.structs.fields(kind) if field.name == "ask"), ("",))
            every |= {(slug, kind.__name__, word) for word in asks}
    assert every == set(EVERY_QUESTION)
    assert set(asked) == every


class TestNothingIsKept:
    HAND = ("south-crocodile", "east-lion")

    def everything(self, app):
        with app.app_context():
            return [tuple(row) for table in db.metadata.sorted_tables for row in db.session.execute(table.select())]

    def test_not_in_the_database_the_cookie_the_log_or_an_address(self, app, client, caplog):
        caplog.set_level(logging.DEBUG)
        client.get("/")
        before, session = self.everything(app), client.get_cookie("companion")
        for how in ("preview", "pieces", "check"):
            answer = client.post("/may-i/beloz", data=form(ask=how, flooded="south", hand=list(self.HAND)))
            assert answer.status_code == 200
            assert "Set-Cookie" not in answer.headers
            assert answer.headers["Cache-Control"] == "no-store"
            assert "Location" not in answer.headers
            addresses = re.findall(r'(?:href|action|src|data-preview)="([^"]*)"', answer.text)
            assert not [address for address in addresses if any(card in address for card in self.HAND)]
        assert self.everything(app) == before
        assert client.get_cookie("companion") == session
        assert not [card for card in self.HAND if card in caplog.text]

    def test_a_card_in_an_address_is_passed_over(self, client):
        answer = client.get("/may-i/beloz?hand=south-crocodile&flooded=south&tap=east-lion&subject=declarations")
        assert answer.status_code == 200
        assert kept(answer, "hand") == []
        assert says(answer, "Tap the cards of your hand")

    def test_the_page_itself_sets_no_cookie(self, client):
        for slug in LOOK_UPS:
            assert "Set-Cookie" not in client.get(f"/may-i/{slug}").headers


class TestPages:
    def test_home_and_the_table_lead_there(self, client, table):
        home = client.get("/").text
        assert set(re.findall(r'href="/may-i/([^"]*)"', home)) == set(LOOK_UPS)
        assert 'href="/may-i/beloz"' in client.get(f"/t/{table.play}/table").text

    @pytest.mark.parametrize("slug", sorted(LOOK_UPS))
    def test_each_game_has_one_that_begins_empty(self, client, slug):
        answer = client.get(f"/may-i/{slug}")
        assert answer.status_code == 200
        assert says(answer, f"{GAMES[slug].title}{' ' if slug == 'what-the-fish' else '. '}Nothing is saved")
        assert re.search(rf'<form id="may-i"[^>]*method="post"[^>]*data-preview="/may-i/{slug}"', answer.text)
        assert says(answer, "Clear")

    def test_every_game_of_the_engine_has_one(self):
        assert {"beloz", "beluga-cup", "bisque", "rivals", "what-the-fish"} == set(LOOK_UPS)

    def test_an_unknown_game(self, client):
        assert client.get("/may-i/chess").status_code == 404
        assert client.post("/may-i/chess").status_code == 404

    @pytest.mark.parametrize("slug", sorted(LOOK_UPS))
    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"tap": "x" * 500, "to": "hand"},
            {"tap": "add:hand:"},
            {"tap": "add:who:x"},
            {"tap": "drop:hand:x"},
            {"tap": "fish:cod"},
            {"tap": ":::", "to": "nowhere"},
            {"hand": ["\x00", "‮", "<b>"], "table": ["<script>"], "trick": ["'"] * 3, "f1": ["x"], "s10": ["x"]},
            {"who": ["<b>"] * 9, "seat": "7", "flooded": "up", "subject": "?", "actions": "9", "top1": "77", "mine1": "-1"},
            {"hand": ["1"] * 100, "to_beat": "1"},
            {"situation": "<i>" * 100, "grey": ["x", "1", "2"], "gone": ["ace-moons"], "seat": "01"},
        ],
    )  # fmt: skip
    def test_nothing_that_is_sent_breaks_them(self, client, slug, fields):
        for how in ("preview", "pieces", "check"):
            answer = client.post(f"/may-i/{slug}", data=form(ask=how, **fields))
            assert answer.status_code in {200, 422}
            assert "<script>" not in answer.text
            assert "<b><b>" not in answer.text

    def test_more_fields_than_any_page_has(self, client):
        assert client.post("/may-i/rivals", data=form(hand=["1"] * 400)).status_code == 413

    def test_a_form_of_another_kind_is_read_too(self, client):
        sent = {"ask": "preview", "flooded": "south", "hand": "north-lion"}
        answer = client.post("/may-i/beloz", data=sent, content_type="multipart/form-data")
        assert Verdict(answer).title == "Play the 8 of North"


PLAYERS = {
    "beloz": ("Ana", "Bo", "Cy", "Di"),
    "beluga-cup": ("Ana", "Bo"),
    "bisque": ("Ana", "Bo", "Cy"),
    "rivals": ("Ana", "Bo"),
    "what-the-fish": ("Ana", "Bo", "Cy"),
}


def at(slug, *events, viewer=None, draft=None):
    """Open the look-up of a match after these events."""
    game = GAMES[slug]
    position = replay(start(game, PLAYERS[slug]), [decode_event(game, event) for event in events])
    return LOOK_UPS[slug](LOOK_UPS[slug].prefill(MatchState(position, draft, viewer)))


class TestWhatAMatchKnows:
    def test_beloz_the_flooded_plain_who_took_it_and_who_sits_where(self):
        look_up = at("beloz", viewer=3, draft={"bidder": 0, "flooded": "south"})
        assert look_up.players == ("Di", "Ana", "Bo", "Cy")
        assert (look_up.flooded, look_up.situation) == ("south", "Ana took it, South is flooded")
        assert look_up.title == "Tap the card that was played first"

    def test_beloz_before_anybody_took_it(self):
        assert at("beloz", viewer=0).title == "Which plain is flooded?"

    def test_beloz_on_a_phone_that_belongs_to_nobody(self):
        assert at("beloz").players == ("You", "Right", "Partner", "Left")

    @pytest.mark.parametrize(("viewer", "mine", "theirs"), [(0, "s10", "s11"), (1, "s11", "s10")])
    def test_beluga_cup_the_zones_from_my_side(self, viewer, mine, theirs):
        fills = [{"type": "fill", "zone": n, "fish": FISH[f"f{n}"], "drawn_by": "hand"} for n in (1, 2, 3, 4)]
        play = {"type": "play", "player": 1, "zone": 1, "side": 0, "cards": ["ace-moons"]}
        look_up = at("beluga-cup", *fills, play, viewer=viewer)
        assert {name: look_up.picked(name) for name in FISH} == {name: tuple(fish) for name, fish in FISH.items()}
        assert (look_up.picked(mine), look_up.picked(theirs)) == (("ace-moons",), ())
        assert (look_up.title, look_up.to) == ("Now the cards in your hand", "hand")

    def test_beluga_cup_before_any_fish_swims(self):
        look_up = at("beluga-cup", viewer=0)
        assert (look_up.title, look_up.to) == ("Which fish swim in zone 1?", "f1")

    def test_bisque_who_leads_and_what_lies_in_the_pot(self):
        look_up = at("bisque", {"type": "pot", "card": "4-wyrms-knots", "by": 2})
        assert look_up.players == ("Cy", "Ana", "Bo")
        assert look_up.gone == {"4-wyrms-knots": "The 4 of wyrms and knots is in the pot already, from trick 1."}
        assert look_up.title == "Tap Cy’s card"

    def test_bisque_without_a_noted_winner(self):
        assert at("bisque", {"type": "pot", "card": "4-wyrms-knots"}).title == "Tap the first card"

    def test_rivals_the_packs_that_grew_and_the_first_turn(self):
        tie = [[[1], [1]], [[2], [1]], [[1], [2]]]
        look_up = at("rivals", {"type": "round", "ended_by": 0, "packs": tie}, viewer=0)
        assert [look_up.grey(pack) for pack in (1, 2, 3)] == [2, 2, 3]
        assert look_up.actions == "1"
        assert at("rivals", viewer=1).actions == "2"

    def test_rivals_the_moves_of_the_round(self):
        moves = {"moves": ["lay-1", "lay-1", "lay-3", "lay-2"]}  # Ana has one action, Bo two, Ana one so far
        look_up = at("rivals", viewer=0, draft=moves)
        assert [look_up.on("mine", pack) for pack in (1, 2, 3)] == ["1", "1", "0"]
        assert [look_up.on("theirs", pack) for pack in (1, 2, 3)] == ["1", "0", "1"]
        assert [look_up.on("hidden", pack) for pack in (1, 2, 3)] == ["1", "0", "1"]
        assert look_up.actions == "1"

    @pytest.mark.parametrize(
        ("viewer", "events", "subject", "to_beat", "already"),
        [
            (1, [], "kill", "8", "0"),
            (1, [("kill", 1, 4)], "kill", "8", "4"),
            (0, [("kill", 1, 10)], "protect", "10", "0"),
            (0, [("kill", 1, 10), ("protect", 0, 6)], "protect", "10", "6"),
            (2, [("kill", 1, 10), ("protect", 0, 11)], "kill", "11", "0"),
            (None, [("kill", 1, 10)], "protect", "10", "0"),
            (0, [("kill", 1, 10**9), ("kill", 2, 10**9)], "protect", "2000000000", "0"),
        ],
    )
    def test_what_the_fish_the_live_duel(self, viewer, events, subject, to_beat, already):
        swim = {"type": "swim", "player": 0, "rank": 8}
        found = at("what-the-fish", swim, *({"type": t, "player": p, "value": v} for t, p, v in events), viewer=viewer)
        assert (found.subject, found.entered("to_beat"), found.entered("already")) == (subject, to_beat, already)
        assert found.title == f"Now the {subject.upper()} cards in hand"

    def test_what_the_fish_without_a_swim(self):
        assert at("what-the-fish").title == "How strong is the fish?"


class TestInAMatch:
    @pytest.fixture
    def number(self, app, table):
        with app.app_context():
            entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
        return 1

    @pytest.mark.parametrize("slug", sorted(LOOK_UPS))
    def test_every_match_leads_there_and_is_known_there(self, app, client, table, slug):
        with app.app_context():
            entries.open_match(table.id, slug, list(PLAYERS[slug]))
        for link in (table.play, table.watch):
            assert f'href="/t/{link}/m/1/may-i"' in client.get(f"/t/{link}/m/1").text
        answer = client.get(f"/t/{table.play}/m/1/may-i")
        assert answer.status_code == 200
        assert f'data-preview="/may-i/{slug}"' in answer.text
        assert f'action="/t/{table.play}/m/1/may-i"' in answer.text

    def test_it_is_filled_and_leads_back(self, client, table, number):
        client.post(f"/t/{table.play}/m/1/who", data={"tap": "bidder:1", "expected_seq": 0, "idempotency_key": "a"})
        client.post(f"/t/{table.play}/m/1/who", data={"flooded": "west", "expected_seq": 0, "idempotency_key": "b"})
        answer = client.get(f"/t/{table.play}/m/1/may-i")
        assert answer.status_code == 200
        assert says(answer, "Bo took it, West is flooded")
        assert re.search(r'name="flooded" value="west" checked', answer.text)
        assert f'href="/t/{table.play}/m/1" aria-label="Back"' in answer.text
        assert 'data-preview="/may-i/beloz"' in answer.text

    def test_without_scripts_it_stays_in_the_match(self, client, table, number):
        data = form(flooded="west", hand=["north-lion"], to="hand", tap="north-meerkat", who=["Di", "Ana", "Bo", "Cy"])
        answer = client.post(f"/t/{table.play}/m/1/may-i", data=data)
        assert kept(answer, "hand") == ["north-lion", "north-meerkat"]
        assert f'action="/t/{table.play}/m/1/may-i"' in answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        assert says(answer, "Di, you")

    def test_it_changes_nothing(self, app, client, table, number):
        client.get(f"/t/{table.play}/m/1/may-i")

        def stored():
            with app.app_context():
                return [tuple(row) for each in db.metadata.sorted_tables for row in db.session.execute(each.select())]

        before, cookie = stored(), client.get_cookie("companion").value
        client.post(f"/t/{table.play}/m/1/may-i", data=form(flooded="west", hand=["north-lion"]))
        assert stored() == before
        assert client.get_cookie("companion").value == cookie

    @pytest.mark.parametrize("slug", sorted(LOOK_UPS))
    def test_who_watches_asks_about_the_match_as_anybody_asks_without_a_table(self, app, client, table, slug):
        with app.app_context():
            entries.open_match(table.id, slug, list(PLAYERS[slug]))
        path = f"/t/{table.watch}/m/1"
        answer = client.get(f"{path}/may-i")
        assert answer.status_code == 200
        assert f'href="{path}" aria-label="Back"' in answer.text
        assert re.search(rf'href="{path}/may-i[^"]*"[^>]*>(<[^>]*>)*Clear', answer.text)
        assert re.findall(r'<form[^>]*action="([^"]*)"', answer.text) == [f"/may-i/{slug}"]
        assert table.play not in answer.text
        assert client.post(f"{path}/may-i").status_code == 403

    def test_who_watches_sees_what_the_match_knows_and_no_hand(self, app, client, table, number):
        client.post(f"/t/{table.play}/m/1/who", data={"tap": "bidder:1", "expected_seq": 0, "idempotency_key": "a"})
        client.post(f"/t/{table.play}/m/1/who", data={"flooded": "west", "expected_seq": 0, "idempotency_key": "b"})
        client.post(f"/t/{table.play}/m/1/may-i", data=form(flooded="west", hand=["north-lion"]))
        watcher = app.test_client()
        answer = watcher.get(f"/t/{table.watch}/m/1/may-i")
        assert says(answer, "Bo took it, West is flooded")
        assert says(answer, "Tap the card that was played first")
        assert (kept(answer, "hand"), kept(answer, "table")) == ([], [])
        said = Verdict(watcher.post("/may-i/beloz", data=form(ask="preview", flooded="west", hand=["north-lion"])))
        assert said.title == "Play the 8 of North"

    def test_no_such_match(self, client, table, number):
        assert client.get(f"/t/{table.play}/m/2/may-i").status_code == 404
        assert client.get("/t/nobody/m/1/may-i").status_code == 404


def test_the_pot_is_asked_of_the_engine():
    game = GAMES["bisque"]
    position = replay(start(game, PLAYERS["bisque"]), [Pot("ace-moons", 0), Pot("9-moons-suns", 1)])
    known = LOOK_UPS["bisque"].prefill(MatchState(position))
    assert known.getlist("gone") == ["ace-moons", "9-moons-suns"]
    assert known.getlist("why")[1] == "The 9 of moons and suns is in the pot already, from trick 2."
