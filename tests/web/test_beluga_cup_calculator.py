"""What does the cup's calculator say of one zone, and where is it said that something can't be?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from tests.web.people import says

ADDRESS = "/calculate/beluga-cup"
GREEN_AND_YELLOW = ["wyrms", "wyrms", "knots"]  # zone 3 of the rule text's example


def ask(
    client: FlaskClient, fish: list[str], first: Sequence[str] = (), second: Sequence[str] = (), **typed: str
) -> TestResponse:
    data = MultiDict({"what": "zone", **typed})
    data.setlist("fish", fish)
    data.setlist("s0", first)
    data.setlist("s1", second)
    return client.post(ADDRESS, data=data)


def verdict(answer: TestResponse) -> str:
    found = re.search(r'id="verdict"(.*?)</div>', answer.text, re.DOTALL)
    assert found
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", found[1])).split())


def sum_of(answer: TestResponse) -> list[tuple[str, ...]]:
    """Return the table of the ranks, row by row."""
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", answer.text, re.DOTALL)
    return [
        tuple(
            " ".join(re.sub(r"<(small|a).*?</(small|a)>", "", cell).split())
            for cell in re.split(r"</th><td>|</td><td>|</td>", row)[:3]
        )
        for row in rows
    ]


def test_both_parts_lead_to_each_other(client: FlaskClient) -> None:
    whole, zone = client.get(ADDRESS), client.get(f"{ADDRESS}?what=zone")
    for page, current in ((whole, "The whole cup"), (zone, "One zone")):
        assert re.search(rf'aria-current="page"[^>]*><span>{current}<', page.text)
        assert 'href="/calculate/beluga-cup?what=zone"' in page.text
    assert says(zone, "Which fish swim in the zone?")
    assert says(whole, "Tap a fish for each one that was eaten")


def test_the_example_of_the_rules_who_is_ahead_and_what_is_lacking(client: FlaskClient) -> None:
    answer = ask(client, GREEN_AND_YELLOW, ["4-wyrms-knots"])
    assert answer.status_code == 200
    assert "Player 1 is ahead, 4 to 0" in verdict(answer)
    assert "Player 1’s side still lacks 1 wyrm fish. Its cards are worth 4." in verdict(answer)
    assert "Player 2’s side still lacks 2 wyrm fish and 1 knot fish. Its cards are worth 0." in verdict(answer)
    assert answer.text.count('aria-label="Wyrms missing"') == 3
    assert answer.text.count('aria-label="Knots missing"') == 1


def test_a_card_that_may_not_follow_stays_with_its_sentence(client: FlaskClient) -> None:
    answer = ask(client, GREEN_AND_YELLOW, ["4-wyrms-knots", "6-leaves-knots"], ["5-wyrms-knots"], last="1")
    assert answer.status_code == 422
    sentence = "This side has its knots already. No leaf fish swims in zone 3."
    assert sentence in verdict(answer)
    note = re.search(r'data-at="6-leaves-knots".*?</p>', answer.text, re.DOTALL)
    assert note
    assert sentence in unescape(note[0])
    assert "/rules/beluga-cup" in answer.text
    for kept in ('name="s0" value="6-leaves-knots"', 'name="s1" value="5-wyrms-knots"', 'name="last" value="1"'):
        assert kept in answer.text
    assert answer.text.count('name="fish" value="wyrms"') == 2


def test_the_higher_total_eats_and_each_card_is_told(client: FlaskClient) -> None:
    answer = ask(client, GREEN_AND_YELLOW, ["4-wyrms-knots", "8-wyrms-knots"], ["5-wyrms-knots", "6-suns-wyrms"])
    assert "Player 1 eats 2 wyrm fish and 1 knot fish" in verdict(answer)
    assert "Player 1’s cards are worth 12, Player 2’s 11" in verdict(answer)
    assert sum_of(answer) == [
        ("The 4 of wyrms and knots", "4", "–"),
        ("The 8 of wyrms and knots", "8", "–"),
        ("The 5 of wyrms and knots", "–", "5"),
        ("The 6 of suns and wyrms", "–", "6"),
        ("Rank total", "12", "11"),
    ]


def test_the_example_of_several_aces(client: FlaskClient) -> None:
    # a yellow, a blue and a green fish; yellow and blue are met, and the three Aces come as one play
    aces = ["ace-knots", "ace-waves", "ace-wyrms"]
    answer = ask(client, ["knots", "waves", "wyrms"], ["crown-knots", "crown-waves", *aces])
    assert "Player 1 is ahead, 23 to 0" in verdict(answer)
    assert "Player 1’s side is full. Its cards are worth 23." in verdict(answer)


def test_a_tie_asks_who_placed_the_last_card(client: FlaskClient) -> None:
    tie = (["suns", "wyrms", "knots"], ["2-suns-wyrms", "9-leaves-knots"], ["5-wyrms-knots", "6-suns-wyrms"])
    asked = ask(client, *tie)
    assert "A tie at 11" in verdict(asked)
    assert says(asked, "Who placed the last card?")
    answer = ask(client, *tie, last="1")
    assert "Player 2 eats 1 sun fish, 1 wyrm fish and 1 knot fish" in verdict(answer)
    assert "Both sides are full and worth 11: Player 2 placed the last card" in verdict(answer)
    assert re.search(r'name="last" value="1" checked', answer.text)


def test_a_court_is_explained(client: FlaskClient) -> None:
    answer = ask(client, ["moons", "moons", "waves", "suns"], ["court-moons-waves-knots"], deck="courts")
    assert sum_of(answer)[0] == ("The Consul: 4 for each fish of its suits, here 3", "12", "–")
    assert 'value="excuse"' not in answer.text  # it lies on no side


def test_taps_pick_fish_and_cards_without_scripts(client: FlaskClient) -> None:
    answer = ask(client, ["wyrms", "wyrms", "knots"], tap="fish:moons")
    assert 'id="to-s0" type="radio" name="to" value="s0" aria-label="Player 1’s side" checked' in answer.text  # four are most
    answer = ask(client, ["wyrms"], tap="ace-wyrms", to="s1")
    assert 'name="s1" value="ace-wyrms"' in answer.text
    assert "Player 2 is ahead, 1 to 0" in verdict(answer)
    answer = ask(client, ["wyrms"], [], ["ace-wyrms"], tap="ace-wyrms", to="s1")
    assert 'name="s1" value="ace-wyrms"' not in answer.text
    answer = ask(client, ["wyrms", "knots"], tap="drop:fish:knots")
    assert 'name="fish" value="knots"' not in answer.text


@pytest.mark.parametrize("junk", ["9", "4" * 300, "moons", "drop:fish:"])
def test_no_tap_breaks_it(client: FlaskClient, junk: str) -> None:
    for name in ("tap", "to", "deck", "last", "fish", "s0", "s1", "what", "ask"):
        answer = client.post(ADDRESS, data={"what": "zone", name: junk})
        assert answer.status_code in {200, 422}
        answer = client.post(
            ADDRESS, data=MultiDict([("what", "zone"), ("fish", "moons"), ("s0", "crown-moons"), (name, junk)])
        )
        assert answer.status_code in {200, 422}
