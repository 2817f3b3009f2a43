"""Can a phone without a connection enter rounds of BeloZ and Rivals one after the other, each on one page?"""

from __future__ import annotations

import re

import pytest

from companion.engine.beloz.declarations import Quads, StraightFlush
from companion.engine.rivals import Count, Round
from tests.web.people import PhoneAtMatch, says

WHOLE = {"bidder": "0", "flooded": "south", "team": "0", "last": "0"}


@pytest.fixture
def at_match():
    return PhoneAtMatch


class TestBeloz:
    def test_three_rounds_and_a_passed_deal_land_in_order(self, phone, log, scores):
        ways = [("/round", {**WHOLE, "points": "98"}), ("/who", {"tap": "passed-deal"}), ("/round", {**WHOLE, "points": "90"})]
        phone.open()
        made = []
        for number, (path, fields) in enumerate(ways):
            sent = dict(fields, idempotency_key=f"key-{number}", expected_seq="0", after=" ".join(made))
            assert phone.send(path, **sent).status_code == 303
            made.append(sent["idempotency_key"])
        assert [line.key for line in log().written] == made
        assert scores() == (208, 118)

    def test_what_others_entered_meanwhile_is_shown_beside_it(self, phone, other_phone):
        other_phone.open()
        assert phone.send("/round", **WHOLE, points="98", idempotency_key="theirs").status_code == 303
        page = other_phone.send("/round", **WHOLE, points="61", idempotency_key="mine", expected_seq="0")
        assert page.status_code == 409
        assert says(page, "Round 1 was entered twice")

    def test_what_phones_share_of_the_round_is_no_part_of_it(self, phone, other_phone, log):
        other_phone.send("/who", tap="bidder:3")
        assert phone.send("/round", **WHOLE, points="98").status_code == 303
        assert log().entries[0].events[0].bidder == 0

    def test_declarations_are_chosen_line_by_line(self, phone, log):
        lines = {
            "declared_by": ["0", "1", "", ""],
            "declared": ["3", "quads", "", ""],
            "declared_top": ["lion", "rhinoceros", "", ""],
            "declared_plain": ["west", "", "", ""],
            "declared_shown": ["1", "0", "1", "1"],
        }
        assert phone.send("/round", **WHOLE, **lines, points="98", beloz="1").status_code == 303
        event = log().entries[0].events[0]
        assert event.declarations == (StraightFlush(0, "west", 6, 8), Quads(1, "rhinoceros", shown=False))
        assert event.beloz == 1

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            (("0", "", "lion", "west"), "For each declaration, choose who made it"),
            (("", "3", "lion", "west"), "For each declaration, choose who made it"),
            (("0", "3", "lion", ""), "For each declaration, choose who made it"),
            (("0", "4", "water-snake", "west"), "A run needs its other cards below its top card"),
            (("7", "3", "lion", "west"), "For each declaration, choose who made it"),
        ],
    )
    def test_a_declaration_that_is_none_is_refused(self, phone, log, line, why):
        names = ("declared_by", "declared", "declared_top", "declared_plain")
        page = phone.send("/round", **WHOLE, points="98", declared_shown="1", **dict(zip(names, line, strict=True)))
        assert page.status_code == 422
        assert says(page, why)
        assert not log().written

    def test_what_is_missing_is_asked_for(self, phone):
        page = phone.send("/round", flooded="south", team="0", last="0", points="98")
        assert page.status_code == 422
        assert says(page, "Who took the contract?")
        page = phone.send("/round", bidder="0", flooded="south", team="0", last="0", points="")
        assert page.status_code == 422

    def test_the_match_brings_the_form_along_with_what_is_known(self, phone):
        phone.send("/who", tap="bidder:3")
        phone.send("/who", flooded="west")
        phone.send("/declarations", tap="card", card="west-lion", speaker="1")
        form = re.search(r'<template id="whole-round".*?</template>', phone.open().text, re.DOTALL)[0]
        assert re.findall(r'name="(\w+)" value="(\w+)" checked', form) == [("bidder", "3"), ("flooded", "west")]
        assert re.findall(r'value="([\w-]+)"(?: data-usual)? selected', form) == ["1", "3", "lion", "west", "1", "1", "1"]

    def test_who_watches_gets_no_form(self, phone):
        page = phone.get("/t/watch-link-0/m/1")
        assert page.status_code == 200
        assert 'id="whole-round"' not in page.text


class TestRivals:
    @pytest.fixture
    def match(self, open_match):
        return open_match("rivals", ["Ana", "Bo"])

    def test_three_rounds_land_in_order(self, phone, log):
        phone.open()
        made = []
        whales = {f"whales-{pack}-{side}": ["4", "", ""] if side else ["", "5", "1"] for pack in range(3) for side in (0, 1)}
        for number in range(3):
            sent = {"ended_by": "none", "whole": "1", **whales, "idempotency_key": f"key-{number}", "expected_seq": "0"}
            answer = phone.send("/round", **sent, after=" ".join(made))
            assert answer.status_code == 303, answer.text
            made.append(f"key-{number}")
        assert [line.key for line in log().written] == made
        assert log().entries[0].events == (Round(ended_by=None, packs=(((5, 1), (4,)),) * 3),)
        page = phone.send("/round", **{**sent, "idempotency_key": "key-3"}, after=" ".join(made))
        assert page.status_code == 422

    def test_the_count_lands_after_the_rounds_that_wait(self, phone, log):
        phone.open()
        whales = {f"whales-{pack}-{side}": "5" for pack in range(3) for side in (0, 1)} | {"whales-2-0": "6"}
        made = []
        for number in range(3):
            key = f"key-{number}"
            sent = {"ended_by": "none", "whole": "1", **whales, "idempotency_key": key, "expected_seq": "0"}
            assert phone.send("/round", **sent, after=" ".join(made)).status_code == 303
            made.append(key)
        assert log().position.state.captured == (9, 0)
        sent = {"whole": "1", "idempotency_key": "count", "expected_seq": "0", "after": " ".join(made)}
        for wrong, why in (({"grey-0-10": "5"}, "Ana captured 9 cards, not 5."), ({"grey-0-3": "six"}, "“six” is not a whale")):
            page = phone.send("/count", **sent, **wrong)
            assert page.status_code == 422
            assert says(page, why)
        assert phone.send("/count", **sent, **{"grey-0-3": "9" * 5_000}).status_code == 422
        counted = {"grey-0-1": "2", "grey-0-4": " 1 ", "grey-0-10": "6", "grey-1-1": "", "grey-1-5": "0"}
        assert phone.send("/count", **sent, **counted).status_code == 303
        assert log().entries[-1].events == (Count(((1, 1, 4, 10, 10, 10, 10, 10, 10), ())),)

    def test_the_match_brings_the_form_that_comes_next(self, phone):
        page = phone.open().text
        assert 'data-most="3"' in re.search(r'<template id="whole-round".*?<form', page, re.DOTALL)[0]
        assert 'name="grey-1-10"' in re.search(r'<template id="whole-count".*?</template>', page, re.DOTALL)[0]
        for number in range(3):
            assert phone.open().status_code == 200
            assert phone.send("/round", ended_by="none", whole="1", idempotency_key=f"key-{number}").status_code == 303
        page = phone.open().text
        assert '<template id="whole-round" data-live></template>' in page
        assert 'name="grey-1-10"' in re.search(r'<template id="whole-count".*?</template>', page, re.DOTALL)[0]

    def test_whales_that_are_none_are_refused(self, phone):
        page = phone.send("/round", ended_by="none", whole="1", **{"whales-0-0": ["7"]})
        assert page.status_code == 422
        assert says(page, "“7”")
