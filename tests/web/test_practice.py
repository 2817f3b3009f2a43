"""What does practice ask? The rules' own examples, then positions by number; right answers are counted on the phone."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from collections import Counter

import pytest

from companion.engine.beloz.cards import CARDS
from companion.games import PLUGINS
from companion.screens.beloz.practice import EXAMPLES, LAST, position
from tests.web.people import Phone, says

# duty and legal cards of the rule text's examples, worked out by hand
BY_HAND = [
    ("provide", {"north-meerkat", "north-leopard"}),
    ("provide", {"north-elephant", "north-crocodile"}),
    ("discard", {"east-meerkat", "east-elephant", "south-crocodile", "south-rhinoceros", "west-leopard", "west-meerkat"}),
    ("intercept", {"south-crocodile", "south-elephant"}),
    ("discard", {"east-lion", "east-rhinoceros", "east-elephant", "west-water-snake", "west-monkey", "west-lion"}),
]


class TestPositions:
    @pytest.mark.parametrize(("number", "duty", "legal"), [(number, *one) for number, one in enumerate(BY_HAND, start=1)])
    def test_the_examples_of_the_rules_come_first(self, number, duty, legal):
        turn = position(number)
        assert turn is EXAMPLES[number - 1]
        assert (turn.answer.duty, set(turn.answer.legal)) == (duty, legal)
        assert turn.flooded == "south"
        assert turn.story

    def test_there_are_no_more_examples_than_are_worked_out(self):
        assert len(EXAMPLES) == len(BY_HAND)

    def test_a_number_gives_the_same_position_in_another_process(self):
        program = "from companion.screens.beloz.practice import position; print([position(n) for n in (6, 7, 123456789)])"
        elsewhere = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        assert elsewhere.strip() == str([position(n) for n in (6, 7, 123456789)])

    def test_every_position_can_be_at_a_table(self):
        for number in range(6, 300):
            turn = position(number)
            together = [*turn.table, *turn.hand]
            assert len(set(together)) == len(together)
            assert set(together) <= set(CARDS)
            assert 1 <= len(turn.table) <= 3
            assert 3 <= len(turn.hand) <= 8
            assert turn.answer.legal

    def test_every_duty_turns_up_about_as_often(self):
        duties = Counter(position(number).answer.duty for number in range(6, 300))
        assert set(duties) == {"provide", "rise", "intercept", "over-intercept", "leak", "discard"}
        assert min(duties.values()) >= 20


def answer(client, number, *cards):
    return client.post(f"/practice/beloz/{number}", data={"card": list(cards)})


def counted(page):
    found = re.search(r'class="counted" aria-label="(\d+) of (\d+) right"', page.text)
    return (int(found[1]), int(found[2])) if found else None


class TestPages:
    def test_it_asks_before_it_answers(self, client):
        page = client.get("/practice/beloz/4")
        assert page.status_code == 200
        assert says(page, "Which cards may you play?")
        assert says(page, "The rules' examples, 4 of 5")
        assert len(re.findall(r'<input type="checkbox" name="card"', page.text)) == 6
        assert "ntercept" not in page.text
        assert 'id="verdict"' not in page.text

    def test_a_right_answer(self, client):
        page = answer(client, 4, "south-elephant", "south-crocodile")
        assert says(page, "Right: intercept")
        assert says(
            page, "You hold no North card and the other team leads, so you must intercept with a flooded card, from South."
        )
        assert 'href="/rules/beloz#intercept"' in page.text
        assert counted(page) == (1, 1)
        assert 'href="/practice/beloz/5"' in page.text

    @pytest.mark.parametrize("cards", [["south-elephant"], ["south-elephant", "south-crocodile", "east-lion"], ["east-lion"]])
    def test_an_answer_that_is_not_quite_right(self, client, cards):
        page = answer(client, 4, *cards)
        assert says(page, "Not quite. You must intercept")
        assert counted(page) == (0, 1)

    def test_what_was_chosen_is_judged_card_by_card(self, client):
        text = answer(client, 4, "south-elephant", "east-lion").text
        cards = re.findall(r'class="judged([^"]*)">.*?aria-label="([^",]*)[^"]*".*?<small>(.*?)</small>', text, re.DOTALL)
        told = {card: words for _, card, words in cards}
        assert told["Elephant of South"] == "right"
        assert told["Crocodile of South"] == "missed"
        assert told["Lion of East"] == "not legal"
        assert told["Monkey of West"] == ""

    def test_right_answers_are_counted_once_each_and_stay_on_the_phone(self, app, client):
        answer(client, 4, "south-elephant", "south-crocodile")
        answer(client, 4, "south-elephant")
        answer(client, 5, "east-lion")
        page = answer(client, 1, "north-meerkat", "north-leopard")
        assert counted(page) == (2, 3)
        assert counted(client.get("/practice/beloz/2")) == (2, 3)
        assert counted(app.test_client().get("/practice/beloz/2")) is None

    def test_count_from_the_beginning(self, client):
        answer(client, 4, "south-elephant", "south-crocodile")
        assert client.post("/practice/beloz").location == "/practice/beloz/1"
        assert counted(client.get("/practice/beloz/1")) is None

    def test_it_goes_on_where_this_phone_was(self, client):
        assert client.get("/practice/beloz").location == "/practice/beloz/1"
        answer(client, 7, position(7).hand[0])
        assert client.get("/practice/beloz").location == "/practice/beloz/8"

    @pytest.mark.parametrize("cards", [[], ["north-unicorn"], ["north-lion"]])
    def test_no_card_of_the_hand_is_no_answer(self, client, cards):
        page = answer(client, 4, *cards)
        assert page.status_code == 422
        assert says(page, "Choose at least one card. You can always play one.")
        assert counted(page) is None

    @pytest.mark.parametrize(("number", "status"), [(0, 404), (LAST, 200), (LAST + 1, 404), ("x", 404), ("9" * 40, 404)])
    def test_numbers(self, client, number, status):
        assert client.get(f"/practice/beloz/{number}").status_code == status

    @pytest.mark.parametrize("kept", ["x", [2, 3, 4], None])
    def test_a_cookie_from_before_games_were_counted_apart_counts_nothing(self, client, kept):
        with client.session_transaction() as session:
            session["practice"] = kept
        assert counted(answer(client, 4, "south-elephant")) == (0, 1)

    @pytest.mark.parametrize("slug", ["beloz", "beluga-cup", "bisque", "rivals", "what-the-fish"])
    def test_the_rulebook_leads_to_what_is_practised_and_nowhere_else(self, client, slug):
        links = re.findall(r'href="(/practice/[^"]*)"', client.get(f"/rules/{slug}").text)
        assert links == (["/practice/beloz"] if slug == "beloz" else [])
        assert client.get(f"/practice/{slug}").status_code == (303 if links else 404)

    @pytest.mark.parametrize(("game", "links"), [("beloz", ["/practice/beloz"]), ("bisque", [])])
    def test_the_menu_of_a_table_that_plays_it_leads_to_it(self, app, game, links):
        ana = Phone(app)
        ana.make_table("Ana", game=game)
        assert re.findall(r'href="(/practice/[^"]*)"', ana.open().text) == links

    def test_another_game_can_be_practised_and_is_counted_apart(self, client, monkeypatch):
        practice = dataclasses.replace(PLUGINS["beloz"].practice, last=3)
        monkeypatch.setitem(PLUGINS, "bisque", dataclasses.replace(PLUGINS["bisque"], practice=practice))
        answer(client, 4, "south-elephant")
        page = client.post("/practice/bisque/1", data={"card": ["north-meerkat", "north-leopard"]})
        assert counted(page) == (1, 1)
        assert 'href="/practice/bisque/2"' in page.text
        assert client.get("/practice/bisque/4").status_code == 404
        assert counted(client.get("/practice/beloz/4")) == (0, 1)

    @pytest.mark.parametrize("kept", ["x", [1, 2], [1, 2, -3], [True, 2, 3], ["1", 2, 3], {"right": 1}, None])
    def test_a_cookie_of_another_making_counts_nothing(self, client, kept):
        with client.session_transaction() as session:
            session["practice"] = {"beloz": kept, "chess": [1, 1, 1]}
        assert counted(client.get("/practice/beloz/4")) is None
        assert counted(answer(client, 4, "south-elephant")) == (0, 1)
