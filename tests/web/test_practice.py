"""What does practice ask? The rules' own examples, then positions by number, and one question a day, the same for everybody."""

from __future__ import annotations

import dataclasses
import re
from datetime import date

import pytest

from companion.engine.exercises import EXERCISES, LAST, LAST_DAY, day_of, of_day
from companion.engine.exercises.beloz import EXAMPLES
from companion.games import PLUGINS
from companion.languages import languages
from tests.web.people import Phone, says, words

# the legal cards of the rule text's examples, worked out by hand
BY_HAND = [
    {"north-meerkat", "north-leopard"},
    {"north-elephant", "north-crocodile"},
    {"east-meerkat", "east-elephant", "south-crocodile", "south-rhinoceros", "west-leopard", "west-meerkat"},
    {"south-crocodile", "south-elephant"},
    {"east-lion", "east-rhinoceros", "east-elephant", "west-water-snake", "west-monkey", "west-lion"},
]
FOURTH = "/practice/beloz/4"


class TestExamples:
    @pytest.mark.parametrize(("number", "legal"), list(enumerate(BY_HAND, start=1)))
    def test_the_examples_of_the_rules_come_first(self, number, legal):
        exercise = EXERCISES["beloz"](number)
        assert exercise.right == legal
        assert exercise.position.flooded == "south"
        assert exercise.story

    def test_there_are_no_more_examples_than_are_worked_out(self):
        assert len(BY_HAND) == EXAMPLES


def sent(exercise, keys):
    """Return the fields of the form with these options chosen."""
    names = {}
    for place, group in enumerate(exercise.groups):
        for option in group.options:
            if option.key in keys:
                names.setdefault(f"one-{place}" if group.one else "card", []).append(option.key)
    return names


def answer(client, number, *cards):
    return client.post(f"/practice/beloz/{number}", data={"card": list(cards)})


def counted(page):
    found = re.search(r'counted label" aria-label="(\d+) of (\d+) right"', page.text)
    return (int(found[1]), int(found[2])) if found else None


class TestDaily:
    def test_days_are_numbered_from_the_first_of_2026(self):
        assert [day_of(date(2026, 1, 1)), day_of(date(2026, 12, 31)), day_of(date(2020, 1, 1))] == [1, 365, 1]

    def test_the_server_asks_the_question_of_its_day(self, client):
        page = client.get("/daily")
        assert page.status_code == 200
        assert re.search(r'data-day="\d+" data-own-day', page.text)
        assert 'id="verdict"' not in page.text

    @pytest.mark.parametrize("language", ["en", "fr", "de"])
    def test_each_game_and_kind_in_every_language(self, client, language):
        kinds = set()
        for day in range(1, 40):
            game, number = of_day(day)
            exercise = EXERCISES[game](number)
            if (game, exercise.kind) in kinds:
                continue
            kinds.add((game, exercise.kind))
            asked = client.get(f"/daily/{day}", headers={"Accept-Language": language})
            assert languages()[language].say(exercise.ask) in words(asked)
            for keys, right in ((exercise.right, "1"), (exercise.misread, "0")):
                page = client.post(f"/daily/{day}", data=sent(exercise, keys), headers={"Accept-Language": language})
                assert page.status_code == 200
                assert f'data-right="{right}"' in page.text
                link = re.search(r'<p class="lesson">(.*?)<a class="link" href="/rules/[^"]*#[^"]+">([^<]+)</a>', page.text)
                assert link, (game, exercise.lesson)
        assert len(kinds) == 10

    def test_the_word_of_each_lesson_leads_to_the_rulebook(self):
        for game, make in EXERCISES.items():
            for number in range(6, 56):
                lesson = make(number).lesson
                assert PLUGINS[game].find_rule(lesson.rule) is not None, (game, lesson)
                for language in languages().values():
                    assert language.say(lesson.word) in language.say(lesson.sentence), (language.code, lesson)

    def test_what_would_have_happened_stands_side_by_side(self, client):
        page = answer(client, 4, "east-lion")
        assert says(page, "Not right: East lion")
        assert says(page, "points for you two")
        assert len(re.findall(r'<div class="ending ', page.text)) == 2

    @pytest.mark.parametrize(
        ("day", "status"), [(0, 404), (1, 200), (LAST_DAY, 200), (LAST_DAY + 1, 404), ("x", 404), (-1, 404)]
    )
    def test_numbers_of_days(self, client, day, status):
        assert client.get(f"/daily/{day}").status_code == status

    def test_two_questions_want_two_answers(self, client):
        number = next(number for number in range(1, 50) if EXERCISES["bisque"](number).kind == "trick")
        page = client.post(f"/practice/bisque/{number}", data={"one-0": "win:1"})
        assert page.status_code == 422
        assert says(page, "Answer both questions, then check.")
        assert re.search(r'value="win:1" checked', page.text)

    def test_a_day_is_not_counted_as_practice(self, client):
        game, number = of_day(7)
        client.post("/daily/7", data=sent(EXERCISES[game](number), EXERCISES[game](number).right))
        with client.session_transaction() as session:
            assert "practice" not in session

    def test_home_leads_to_it(self, client):
        assert re.search(r'<a class="tile" href="/daily" data-daily', client.get("/").text)


class TestPages:
    def test_it_asks_before_it_answers(self, client):
        page = client.get("/practice/beloz/4")
        assert page.status_code == 200
        assert says(page, "Which may you play?")
        assert says(page, "The other team launched with the leopard of North")
        assert says(page, "The rules’ examples, 4 of 5")
        assert len(re.findall(r'<input type="checkbox" name="card"', page.text)) == 6
        assert "intercept" not in words(page)
        assert 'id="verdict"' not in page.text

    def test_a_right_answer(self, client):
        page = answer(client, 4, "south-elephant", "south-crocodile")
        assert says(page, "Right: South crocodile and South elephant")
        assert says(page, "Without a card of the target, while the other team leads, you must intercept.")
        assert says(
            page, "You hold no North card and the other team leads, so you must intercept with a flooded card, from South."
        )
        assert 'href="/rules/beloz#intercept"' in page.text
        assert counted(page) == (1, 1)
        assert 'href="/practice/beloz/5"' in page.text

    @pytest.mark.parametrize(
        ("cards", "verdict"),
        [
            (["south-elephant"], "Also right: South crocodile"),
            (["south-elephant", "south-crocodile", "east-lion"], "Not right: East lion"),
            (["east-lion"], "Not right: East lion"),
        ],
    )
    def test_an_answer_that_is_not_quite_right(self, client, cards, verdict):
        page = answer(client, 4, *cards)
        assert says(page, verdict)
        assert counted(page) == (0, 1)

    def test_what_was_chosen_is_judged_card_by_card(self, client):
        text = answer(client, 4, "south-elephant", "east-lion").text
        cards = re.findall(r'class="judged([^"]*)">.*?aria-label="([^",]*)[^"]*".*?<small[^>]*>(.*?)</small>', text, re.DOTALL)
        told = {card: words for _, card, words in cards}
        assert told["Elephant of South"] == "right"
        assert told["Crocodile of South"] == "missed"
        assert told["Lion of East"] == "not right"
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
        answer(client, 5, "east-lion")
        assert client.get("/practice/beloz").location == "/practice/beloz/6"

    @pytest.mark.parametrize("cards", [[], ["north-unicorn"], ["north-lion"]])
    def test_no_card_of_the_hand_is_no_answer(self, client, cards):
        page = answer(client, 4, *cards)
        assert page.status_code == 422
        assert says(page, "Choose at least one.")
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
    def test_the_rulebook_the_table_and_the_index_lead_to_it(self, app, client, slug):
        way = f"/practice/{slug}"
        ana = Phone(app)
        ana.make_table("Ana", game=slug)
        for page in (client.get(f"/rules/{slug}"), ana.open(), client.get("/practice")):
            assert f'href="{way}"' in page.text
        assert client.get(way).location == f"{way}/1"

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
