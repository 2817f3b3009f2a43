"""What do the pages of Rivals fill in, say before saving, enter, keep, refuse and correct?"""

from __future__ import annotations

import re

import pytest
from werkzeug.datastructures import MultiDict

from companion.engine import GAMES
from companion.engine.core import RuleError, Stop, start
from companion.engine.rivals import Count, Round
from companion.matches import entries
from companion.screens.interface import PageContext, Rerender, Submit, UpdateDraft
from companion.screens.rivals import PLUGIN, SCREENS, correction_page
from companion.screens.rivals import draft as drafts
from companion.screens.rivals.board import rows, summary
from companion.screens.rivals.count import CountPage
from companion.screens.rivals.pad import Pad
from companion.screens.rivals.round import RoundPage
from companion.screens.rivals.turn import TurnPage
from tests.web.people import PhoneAtMatch, changed, says, total

PLAYERS = ("Ana", "Bo")
ANA, BO = 0, 1

# the match of the tests of the rules: Bo calls, then Ana, then the hands run out
FIRST = Round(ended_by=BO, packs=(((4, 3), (6,)), ((10, 2), (5, 4, 3)), ((6, 1), (10,))))
SECOND = Round(ended_by=ANA, packs=(((2,), (2,)), ((5, 5, 1), (6, 4)), ((3,), (1, 1))))
THIRD = Round(ended_by=None, packs=(((), (6, 10)), ((4, 2, 3), (5, 3)), ((10, 1, 4), (10, 5))))
ROUNDS = (FIRST, SECOND, THIRD)
ANAS, BOS = (1, 1, 2, 1, 3, 2, 1, 4, 2, 1), (6, 4, 5, 2, 1)  # ten and five cards, 18 each


def position(*events):
    at = start(GAMES["rivals"], PLAYERS)
    for event in events:
        at = at.apply(event)
    return at


def typed(event):
    """Return the fields of a round or a count as a form sends them."""
    if isinstance(event, Count):
        return {f"grey-{side}": " ".join(map(str, values)) for side, values in enumerate(event.grey)}
    fields = {"ended_by": "none" if event.ended_by is None else str(event.ended_by)}
    for pack, both in enumerate(event.packs):
        for side, whales in enumerate(both):
            fields[f"whales-{pack}-{side}"] = " ".join([*map(str, whales), "."])
    return fields


def round_page(*before, viewer=ANA, draft=None, query=None, **fields):
    data = MultiDict(fields) if fields else None
    return RoundPage(
        PageContext(position=position(*before), shared=True, draft=draft, form_data=data, viewer=viewer, query=query or {})
    )


def count_page(*before, viewer=ANA, draft=None, **fields):
    data = MultiDict(fields) if fields else None
    return CountPage(PageContext(position=position(*before), shared=True, draft=draft, form_data=data, viewer=viewer))


class TestPad:
    def pad(self, *taps, full=None, **data):
        pad = Pad.read({"a": 3, "b": 3}, MultiDict(data), full)
        for tap in taps:
            pad = pad.tap(tap)
        return pad

    @pytest.mark.parametrize(
        ("taps", "a", "b", "at"),
        [
            ([], "", "", "a"),
            (["value:10"], "10", "", "a"),
            (["value:10", "value:2", "value:3"], "10 2 3", "", "b"),
            (["value:10", "no-more"], "10 .", "", "b"),
            (["no-more", "no-more"], ".", ".", None),
            (["value:1", "rub"], "", "", "a"),
            (["rub"], "", "", "a"),
            (["value:1", "no-more", "rub"], "1", "", "a"),
            (["value:1", "value:2", "value:3", "rub"], "1 2", "", "a"),
            (["no-more", "value:5", "rub", "rub"], "", "", "a"),
            (["no-more", "no-more", "rub"], ".", "", "b"),
            (["value:1", "no-more", "at:a", "value:2", "no-more"], "1 2 .", "", "b"),
            (["value:1", "no-more", "value:2", "no-more", "at:a", "rub", "value:6", "no-more"], "6 .", "2 .", None),
            (["at:b", "value:6", "no-more"], "", "6 .", "a"),
        ],
    )
    def test_taps_fill_one_place_after_the_other(self, taps, a, b, at):
        pad = self.pad(*taps)
        assert (pad["a"].text, pad["b"].text, pad.at) == (a, b, at)
        assert pad.complete == (at is None)

    def test_where_the_number_is_known_nobody_says_no_more(self):
        known = {"a": 1, "b": 2}
        assert self.pad("value:10", full=known).at == "b"
        assert self.pad("value:10", "value:1", "value:1", full=known).complete
        assert self.pad(full={"a": 0, "b": 1}).at == "b"

    def test_a_place_that_is_chosen_takes_more_than_was_expected(self):
        pad = self.pad("value:10", "at:a", "value:3", full={"a": 1, "b": 2})
        assert (pad["a"].text, pad.at) == ("10 3", "a")

    def test_a_full_place_takes_nothing_until_one_is_rubbed_out(self):
        pad = self.pad("at:a", a="1 2 3")
        with pytest.raises(RuleError, match="Take one back"):
            pad.tap("value:4")
        pad = pad.tap("rub").tap("value:4")
        assert pad["a"].text == "1 2 4"

    @pytest.mark.parametrize("tap", ["value:4", "no-more"])
    def test_when_all_is_there_a_place_is_to_be_chosen_first(self, tap):
        pad = self.pad(a=".", b=".")
        assert pad.at is None
        with pytest.raises(RuleError, match="Tap the place"):
            pad.tap(tap)

    @pytest.mark.parametrize("tap", ["", "value:7", "value:", "at:c", "rubbish", "no-more:1", "rub:2", "value:²"])
    def test_other_words_mean_nothing(self, tap):
        assert Pad.read({"a": 3}, MultiDict()).tap(tap) is None

    @pytest.mark.parametrize(
        ("field", "strange", "values"),
        [("7", "7", ()), ("4 -1", "-1", (4,)), ("4 4.5 .", "4.5", (4,)), ("x" * 500, "x" * 12, ()), ("٣", "٣", ())],
    )
    def test_a_word_that_is_no_whale_is_named_with_the_values_that_there_are(self, field, strange, values):
        pad = self.pad(a=field)
        assert pad.refusals == {"a": f"“{strange}” is not a whale. Their values are 1, 2, 3, 4, 5, 6 and 10."}
        assert pad.refusals["a"].rule == "V1"
        assert pad["a"].values == values

    def test_every_place_with_a_word_that_is_no_whale_is_named(self):
        assert list(self.pad(a="7", b="5 8").refusals) == ["a", "b"]
        assert self.pad(a="10 .", b="5").refusals == {}


class TestRound:
    def test_a_round_is_entered_as_it_lies(self):
        page = round_page(**typed(FIRST))
        assert page.outcome() == Submit((FIRST,), "Round 1 saved: Ana takes 1 card, Bo 3")
        assert page.ready() == (FIRST,)

    def test_before_saving_it_is_said_who_takes_what_and_what_stays(self):
        page = round_page(**typed(FIRST), ask="preview")
        assert page.outcome() == Rerender()
        assert [front.words for front in page.view().fronts] == ["Ana takes 1", "Tie, 2 stay", "Bo takes 3"]
        assert [front.strengths for front in page.view().fronts] == [(7, 6), (12, 12), (7, 10)]
        assert page.view().prompt == "Ana takes 1 card, Bo 3"
        assert page.view().hint == "2 whales stay in tied packs. Bo starts round 2."
        assert page.view().then_totals == "Then 1 to 3 cards."

    def test_a_tied_pack_has_grown_in_the_next_round(self):
        page = round_page(FIRST, **typed(SECOND), ask="preview")
        assert [front.grey for front in page.view().fronts] == [1, 4, 3]
        assert [front.words for front in page.view().fronts] == ["Tie, 1 stays", "Ana takes 4", "Ana takes 3"]
        assert page.view().prompt == "Ana takes 7 cards"
        assert page.view().then_totals == "Then 8 to 3 cards."

    def test_in_the_last_round_a_tie_is_nobodys(self):
        page = round_page(FIRST, SECOND, **typed(THIRD), ask="preview")
        assert [front.words for front in page.view().fronts] == ["Bo takes 2", "Ana takes 2", "Tie, 3 to nobody"]
        assert page.view().hint == "Nobody gets 3 whales in tied packs. Now the captured whales are counted."

    def test_the_far_side_is_asked_first_pack_by_pack(self):
        assert list(round_page().pad.places) == [
            "whales-0-1", "whales-0-0", "whales-1-1", "whales-1-0", "whales-2-1", "whales-2-0",
        ]  # fmt: skip
        assert next(iter(round_page(viewer=BO).pad.places)) == "whales-0-0"
        assert next(iter(round_page(viewer=None).pad.places)) == "whales-0-1"

    @pytest.mark.parametrize(
        ("fields", "asks", "hint"),
        [
            ({}, "Pack 1, Bo’s first whale", ""),
            ({"whales-0-1": "6"}, "Pack 1, Bo’s second whale", ""),
            ({"whales-0-1": "6 ."}, "Pack 1, Ana’s first whale", "needs 7 to win"),
            ({"whales-0-1": "6 .", "whales-0-0": "4"}, "Pack 1, Ana’s second whale", "needs 3 to win"),
            ({"whales-0-1": "6 .", "whales-0-0": "10"}, "Pack 1, Ana’s second whale", "is ahead"),
            ({"whales-0-1": "5 4 3", "whales-0-0": "10 2"}, "Pack 1, Ana’s third whale", "needs 1 to win"),
            ({"whales-0-1": "5 4 3", "at": "whales-0-1"}, "Pack 1, all of Bo’s whales", ""),
        ],
    )
    def test_the_next_question_and_what_would_win(self, fields, asks, hint):
        page = round_page(**fields, ask="preview")
        assert (page.view().prompt, page.view().hint) == (asks, hint)

    def test_who_ended_it_comes_with_the_tap_that_opened_the_page(self):
        assert round_page(query={"by": "1"}).view().ended_words == "Bo called the end"
        assert round_page(query={"by": "none"}).view().ended_words == "cards ran out"
        assert round_page(query={"by": "7"}).ended_by == ""

    def test_moves_that_were_tapped_tell_how_many_whales_lie_where(self):
        moves = ["lay-1", "lay-1", "lay-2", "lay-2", "lay-3", "lay-3", "lay-3", "lay-1", "call"]
        page = round_page(draft={"moves": moves})
        assert page.view().ended_words == "Ana called the end"
        assert {name: place.full for name, place in page.pad.places.items()} == {
            "whales-0-0": 2, "whales-1-0": 1, "whales-2-0": 1, "whales-0-1": 1, "whales-1-1": 1, "whales-2-1": 2,
        }  # fmt: skip
        sent = round_page(ended_by="0", laid=page.view().laid, tap="value:6")
        sent.outcome()
        assert sent.pad.at == "whales-0-0"

    def test_no_whale_where_one_was_tapped_is_refused_at_once(self):
        moves = ["lay-1", "lay-1", "lay-2", "lay-2", "lay-3", "lay-3", "lay-3", "lay-1", "call"]
        laid = round_page(draft={"moves": moves}).view().laid
        page = round_page(ended_by="0", laid=laid, tap="no-more")
        assert page.outcome() == Rerender()
        assert page.errors["whales-0-1"].startswith("Bo laid 1 whale on pack 1, as tapped during the round.")
        assert page.pad["whales-0-1"].text == ""
        chosen = round_page(ended_by="none", laid=laid, tap="no-more", at="whales-0-1", by_hand="1")
        assert chosen.outcome() == Rerender()
        assert (chosen.errors, chosen.pad["whales-0-1"].text) == ({}, ".")

    @pytest.mark.parametrize(
        ("fields", "refused"),
        [
            ({"ended_by": "1", "whales-0-1": "6 .", "whales-0-0": "."}, ["whales-0-0"]),
            ({"ended_by": "0", "whales-0-1": "."}, ["whales-0-1"]),
            ({"ended_by": "none", "whales-0-1": "."}, []),
            ({"ended_by": "", "whales-0-1": "."}, []),
            ({"ended_by": "0", "whales-0-1": "6 ."}, []),
        ],
    )
    def test_who_called_can_not_have_had_no_whale_which_is_said_with_that_tap(self, fields, refused):
        page = round_page(**fields, ask="preview")
        assert page.outcome() == Rerender()
        assert list(page.errors) == refused
        for place in refused:
            name = PLAYERS[int(place[-1])]
            assert page.errors[place].startswith(f"{name} has no whale on pack 1, so")

    def test_one_tap_says_that_fewer_lie_there_than_were_tapped(self):
        moves = ["lay-1", "lay-1", "lay-2", "lay-2", "lay-3", "lay-3", "lay-3", "lay-1", "call"]
        laid = round_page(draft={"moves": moves}).view().laid
        page = round_page(ended_by="0", laid=laid, at="whales-0-0", **{"whales-0-0": "6"}, tap="no-more")
        assert page.outcome() == Rerender()
        mend = page.view().mend
        assert (mend.why, mend.label) == ("Ana laid 2 whales on pack 1, as tapped during the round.", "No more whales there")
        mended = round_page(ended_by="0", laid=laid, at="whales-0-0", **{"whales-0-0": "6"}, tap=mend.tap)
        assert mended.outcome() == Rerender()
        assert (mended.errors, mended.pad["whales-0-0"].text, mended.view().mend) == ({}, "6 .", None)

    def test_one_tap_says_that_nobody_called_where_a_player_has_no_whale(self):
        page = round_page(**{**typed(FIRST), "whales-2-0": "."})
        page.outcome()
        mend = page.view().mend
        assert mend.why == "Ana has no whale on pack 3, so Bo can’t have called the end: both need one on every pack."
        assert (mend.then, mend.label) == ("Then nobody called the end.", "Cards ran out")
        mended = round_page(**{**typed(FIRST), "whales-2-0": "."}, tap=mend.tap)
        assert mended.outcome() == Rerender()
        assert (mended.errors, mended.ended_by, mended.view().mend) == ({}, "none", None)
        assert mended.ready() is not None

    @pytest.mark.parametrize(
        "fields",
        [
            {"ask": "preview"},  # on the keys, while somebody taps on
            {"whales-1-1": "5 4 3 1"},  # nobody knows which of them is wrong
            {"laid": "1 1 1 1 1 1"},  # the moves were tapped, with the call
        ],
    )
    def test_no_tap_is_offered_where_none_is_known_to_be_right(self, fields):
        page = round_page(**{**typed(FIRST), "whales-2-0": ".", **fields})
        page.outcome()
        assert page.view().errors
        assert page.view().mend is None

    def test_moves_without_an_end_tell_nothing(self):
        page = round_page(draft={"moves": ["lay-1"]}, query={"by": "0"})
        assert page.view().laid == ""
        assert all(place.full == 3 for place in page.pad.places.values())

    @pytest.mark.parametrize(
        ("changed", "place", "words"),
        [
            ({"whales-0-1": "7 ."}, "whales-0-1", "“7” is not a whale"),
            ({"whales-0-1": "6"}, "", "Any more whales for Bo on pack 1? If not, tap “no more”."),
            ({"whales-0-1": ""}, "", "Any whales for Bo on pack 1?"),
            ({"ended_by": ""}, "ended_by", "Who called the end?"),
            ({"ended_by": "2"}, "ended_by", "Who called the end?"),
        ],
    )
    def test_what_is_missing_or_no_whale_is_said_at_its_place(self, changed, place, words):
        page = round_page(**{**typed(FIRST), **changed})
        assert page.outcome() == Rerender(wrong=True)
        assert words in page.errors[place]
        assert page.ready() is None

    @pytest.mark.parametrize(
        ("changed", "place", "words"),
        [
            ({"whales-2-0": "."}, "whales-2-0", "Ana has no whale on pack 3"),
            ({"whales-1-1": "5 4 3 1"}, "whales-1-1", "at most 3"),
        ],
    )
    def test_what_the_rules_refuse_is_said_at_its_place_before_saving(self, changed, place, words):
        page = round_page(**{**typed(FIRST), **changed}, ask="preview")
        assert page.outcome() == Rerender()
        assert page.after() is None
        assert words in page.errors[place]

    def test_a_nineteenth_whale_is_refused_with_the_number_that_was_left(self):
        full = (((1, 1, 1), (2, 2, 2)),) * 3
        nine = Round(ended_by=None, packs=full)
        page = round_page(nine, nine, **typed(Round(ended_by=ANA, packs=(((1,), (1,)),) * 3)))
        assert page.after() is None
        assert "so 0 were left for this round" in page.errors[""]

    def test_a_strange_tap_is_refused(self):
        with pytest.raises(RuleError, match="doesn’t work here"):
            round_page(tap="value:8").outcome()


class TestWithoutATable:
    def page(self, **fields):
        return PLUGIN.calculators[fields.get("what", "round")](MultiDict(fields))

    def test_packs_with_values_give_their_takers(self):
        page = self.page(**typed(FIRST))
        assert not page.wrong
        assert page.view().prompt == "Red takes 1 card, Blue 3"
        assert page.view().hint == "2 whales in tied packs."

    def test_nobody_has_to_say_who_ended_it_and_packs_may_be_empty(self):
        page = self.page(**{f"whales-{pack}-{side}": "." for pack in range(3) for side in (0, 1)})
        assert page.view().prompt == "Nobody takes a card"

    def test_a_pack_may_have_grown_by_ties(self):
        page = self.page(**typed(FIRST), grey="1 2 3", tap="grey:0")
        assert not page.wrong
        assert page.view().grey == (2, 2, 3)
        assert self.page(grey="3 6 9").view().grey == (3, 6, 9)
        again = self.page(grey="3 6 9", tap="grey:2")
        assert again.view().grey == (3, 6, 3)
        assert self.page(grey="0 5 100").view().grey == (1, 2, 3)

    @pytest.mark.parametrize("field", ["whales-1-0", "whales-2-1"])
    def test_more_whales_than_may_lie_on_a_pack_are_refused_there(self, field):
        page = self.page(**{**typed(FIRST), field: "1 1 1 1 ."})
        assert page.wrong
        assert "has 4 whales on pack" in page.view().errors[field]

    def test_more_whales_than_there_are_grey_ones_are_refused(self):
        page = self.page(what="count", **{"grey-0": " ".join([*"1" * 10, "."]), "grey-1": " ".join([*"2" * 9, "."])})
        assert page.wrong
        assert page.view().errors == {"": "Red and Blue would have captured 19 whales together. There are only 18 grey ones."}

    def test_the_final_count_of_any_number_of_cards(self):
        page = self.page(what="count", **{"grey-0": "10 6 .", "grey-1": "4 4 4 4 ."})
        assert not page.wrong
        assert page.view().prompt == "Equal, 16 each: Red wins with fewer cards, 2 against 4."


class TestCount:
    def test_each_counts_as_many_cards_as_were_captured(self):
        page = count_page(*ROUNDS)
        assert {name: place.room for name, place in page.pad.places.items()} == {"grey-0": 10, "grey-1": 5}
        assert page.view().prompt == "Ana’s whale 1 of 10"

    def test_the_winner_is_told_before_saving_and_then_entered(self):
        event = Count((ANAS, BOS))
        page = count_page(*ROUNDS, **typed(event))
        assert page.view().prompt == "Equal, 18 each: Bo wins with fewer cards, 5 against 10."
        assert page.outcome() == Submit((event,), "Counted")

    def test_what_is_missing_is_asked(self):
        page = count_page(*ROUNDS, **{"grey-0": "1 1"})
        assert page.outcome() == Rerender(wrong=True)
        assert page.errors[""] == "Ana’s whale 3 of 10?"

    def test_a_word_that_is_no_whale_stays_and_is_named(self):
        page = count_page(*ROUNDS, **{**typed(Count((ANAS, BOS))), "grey-1": "6 4 5 2 9"})
        assert page.outcome() == Rerender(wrong=True)
        assert "“9” is not a whale" in page.errors["grey-1"]
        assert page.pad["grey-1"].text == "6 4 5 2 9"

    def test_a_card_too_many_is_refused_at_its_player(self):
        page = count_page(*ROUNDS, **{**typed(Count((ANAS, BOS))), "grey-1": "6 4 5 2 1 1"})
        assert page.after() is None
        assert page.errors["grey-1"] == "Bo captured 5 cards, not 6."

    def test_a_half_that_is_saved_is_shared_and_the_other_half_makes_the_count(self):
        shares = count_page(*ROUNDS, **{"grey-0": " ".join(map(str, ANAS)), "grey-1": ""}).outcome()
        assert shares.step == "Ana’s count"
        shared = shares.change(None)
        page = count_page(*ROUNDS, draft=shared, viewer=BO)
        assert page.prompt == "Bo’s whale 1 of 5"
        assert page.view().sums == (18, 0)
        page = count_page(*ROUNDS, draft=shared, viewer=BO, **{"grey-1": " ".join(map(str, BOS))})
        assert page.outcome() == Submit((Count((ANAS, BOS)),), "Counted")

    def test_a_half_is_only_shared_as_the_rounds_gave_it(self):
        page = count_page(*ROUNDS, **{"grey-1": "6 4 5 2 1 1"})
        with pytest.raises(RuleError, match=r"Bo captured 5 cards, not 6\."):
            page.outcome()

    def test_a_half_that_two_phones_counted_differently_is_looked_at_again(self):
        shared = {"halves": [list(ANAS), None]}
        other = {"grey-0": " ".join(map(str, (*ANAS[:-1], 10))), "grey-1": " ".join(map(str, BOS))}
        page = count_page(*ROUNDS, draft=shared, **other)
        assert page.outcome() == Rerender(wrong=True)
        told = page.view().halves[0]
        assert page.errors["grey-0"].startswith("Ana’s whales were counted on another phone: 1+1+2+1+3+2+1+4+2+1.")
        again = count_page(*ROUNDS, draft=shared, **other, **{"told-0": told})
        assert again.outcome() == Submit((Count(((*ANAS[:-1], 10), BOS)),), "Counted")

    def test_it_waits_for_three_rounds(self):
        assert "three rounds" in count_page(FIRST).unplayable
        assert count_page(FIRST).unplayable.rule == "V5"
        assert count_page(*ROUNDS).unplayable == ""
        assert "three rounds" in round_page(*ROUNDS).unplayable
        assert round_page(*ROUNDS).unplayable.rule == "Winning"
        assert round_page(FIRST).unplayable == ""


class TestTurns:
    def tap(self, tap, draft=None, *before, seen=None):
        moves = [] if draft is None else draft["moves"]
        data = MultiDict({"tap": tap, "moves": str(len(moves) if seen is None else seen)})
        outcome = TurnPage(PageContext(position=position(*before), draft=draft, shared=True, form_data=data)).outcome()
        assert isinstance(outcome, UpdateDraft)
        return outcome.change(draft), outcome.next

    def test_a_move_is_kept_for_all_phones(self):
        assert self.tap("lay-2") == ({"moves": ["lay-2"]}, None)
        assert self.tap("turtle-2", {"moves": ["lay-2"]}) == ({"moves": ["lay-2", "turtle-2"]}, None)

    def test_a_call_leads_to_the_whales_that_lie_there(self):
        moves = ["lay-1", "lay-1", "lay-2", "lay-2", "lay-3", "lay-3"]
        assert self.tap("call", {"moves": moves}) == ({"moves": [*moves, "call"]}, "round")

    @pytest.mark.parametrize(
        ("tap", "draft", "words"),
        [
            ("turtle-1", None, "Bo has none on pack 1"),
            ("call", None, "both need a whale on every pack"),
            ("lay-4", None, "That key doesn’t work here"),
            ("", None, "That key doesn’t work here"),
            ("lay-1", {"moves": ["no-cards", "no-cards"]}, "over"),
        ],
    )
    def test_what_can_not_be_is_refused(self, tap, draft, words):
        with pytest.raises(RuleError, match=words):
            self.tap(tap, draft)

    def test_a_tap_on_an_old_screen_is_refused(self):
        with pytest.raises(RuleError, match="Another phone"):
            self.tap("lay-1", {"moves": ["lay-2"]}, seen=0)

    def test_after_the_third_round_there_are_no_turns(self):
        with pytest.raises(RuleError, match="All three rounds are played"):
            self.tap("lay-1", None, *ROUNDS)

    @pytest.mark.parametrize("end", [(Stop(),), (*ROUNDS, Count((ANAS, BOS)))])
    def test_when_the_match_is_over_there_are_none_either(self, end):
        with pytest.raises(RuleError, match="The match is over"):
            self.tap("lay-1", None, *end)

    def test_a_round_of_nothing_but_turns_without_cards_ends(self):
        with pytest.raises(RuleError, match="over"):
            self.tap("no-cards", {"moves": ["no-cards", "no-cards"]})

    @pytest.mark.parametrize("nonsense", [[], {"moves": 7}, {"moves": ["up"]}, {"x": 1}, "lay-1", {"moves": ["lay-1"] * 101}])
    def test_a_draft_that_makes_no_sense_is_an_empty_one(self, nonsense):
        assert drafts.read(nonsense) == ()

    def test_moves_that_can_not_have_been_are_forgotten(self):
        state = position().state
        assert drafts.turns_of(state, ("turtle-1",)) == drafts.turns_of(state, ())


def test_what_is_corrected_comes_with_everything_it_said():
    page = correction_page(PageContext(position=position(), replacing=(FIRST,)))
    assert isinstance(page, RoundPage)
    assert page.ready() == (FIRST,)
    count = Count((ANAS, BOS))
    page = correction_page(PageContext(position=position(*ROUNDS), replacing=(count,)))
    assert isinstance(page, CountPage)
    assert page.ready() == (count,)


def test_where_the_match_was_stopped_the_next_entry_can_be_typed_instead():
    assert isinstance(correction_page(PageContext(position=position(FIRST), replacing=(Stop(),))), RoundPage)
    assert isinstance(correction_page(PageContext(position=position(*ROUNDS), replacing=(Stop(),))), CountPage)


def test_a_match_is_told_by_cards_until_they_are_counted():
    assert summary(position(FIRST).standing()) == "Ana 1 card, Bo 3"
    assert summary(position(*ROUNDS, Count((ANAS, BOS))).standing()) == "18 to 18"


class WhalePhone(PhoneAtMatch):
    """A phone that enters rounds, and the count."""

    def play(self, *events):
        for event in events:
            self.open()
            page = "/count" if isinstance(event, Count) else "/round"
            assert self.send(page, **typed(event)).status_code == 303
        return self.open()


@pytest.fixture
def match(open_match):
    return open_match("rivals", ["Ana", "Bo"])


@pytest.fixture
def at_match():
    return WhalePhone


def test_a_whole_match_shows_cards_and_at_last_values(phone, other_phone):
    page = phone.play(FIRST)
    assert says(page, "Round 1 saved: Ana takes 1 card, Bo 3")
    assert (total(page, 0), total(page, 1)) == ("1", "3")
    assert says(page, "Round 2: Bo’s turn")
    assert says(page, "4 whales")  # the tied pack has grown
    page = phone.play(SECOND, THIRD)
    assert (total(page, 0), total(page, 1)) == ("10", "5")
    assert says(page, "Count the captured whales")
    page = other_phone.play(Count((ANAS, BOS)))
    assert says(page, "Counted. Ana 18, Bo 18")
    assert says(page, "Bo wins")
    counted = re.findall(r"(\d+ <small>\w+)</small>", page.text)
    assert [one.replace("<small>", "") for one in counted] == [
        *("18 points", "18 points"),
        *("2 cards", "2 cards", "7 cards", "0 cards", "1 card", "3 cards"),
    ]
    assert says(page, "Equal, 18 each: Bo wins with fewer cards, 5 against 10.")
    assert says(page, "with 10 cards")
    phone.open()
    assert phone.send("/rematch").location.endswith("/m/2")


def test_each_counts_on_their_own_phone(phone, other_phone, scores):
    phone.play(*ROUNDS)
    phone.open("/count")
    assert phone.send("/count", **{"grey-0": " ".join(map(str, ANAS))}).status_code == 303
    page = other_phone.open()
    assert says(page, "Ana counted 10 whales: 18.")
    assert says(page, "Count Bo’s whales")
    assert scores() == (None, None)
    page = other_phone.open("/count")
    assert 'name="grey-0" value="1 1 2 1 3 2 1 4 2 1"' in page.text
    assert other_phone.send("/count", **{"grey-1": " ".join(map(str, BOS))}).status_code == 303
    assert scores() == (18, 18)


def test_no_page_knows_a_captured_value_before_the_count(phone, log):
    """The log holds none, so there is none to show: only the values that lay open on the packs."""
    phone.play(*ROUNDS)
    events = [event for entry in log().entries for event in entry.events]
    assert all(isinstance(event, Round) for event in events)
    assert '"grey"' not in phone.open("/record.json").text


def test_moves_are_shared_and_vanish_with_the_round(phone, other_phone):
    assert phone.send("/turn", tap="lay-1", moves="0").status_code == 303
    page = other_phone.open()
    assert says(page, "Round 1: Bo’s turn")
    assert says(page, "2 actions left")
    refused = other_phone.send("/turn", tap="turtle-3", moves="1")
    assert refused.status_code == 422
    assert says(refused, "Ana has none on pack 3")
    assert says(other_phone.open(), "Undo: Ana’s whale on pack 1")
    page = phone.play(FIRST)
    assert says(page, "1 action left on the first turn.")


def test_a_correction_in_the_middle_changes_what_later_rounds_took(phone):
    phone.play(*ROUNDS)
    asked = phone.send("/entries/1", **{**typed(FIRST), "whales-1-1": "5 4 4 ."}, ask="preview")
    assert asked.status_code == 200
    assert says(asked, "Ana takes 1 card, Bo 5")
    assert changed(asked) == [
        ["After round", "Ana", "Bo", "Starts next"],
        ["1", "1", "3 5", "Bo"],
        ["2", "8 6", "3 5", "Ana"],
        ["3", "10 8", "5 7", ""],
    ]
    assert phone.send("/entries/1", **{**typed(FIRST), "whales-1-1": "5 4 4 ."}).status_code == 303
    page = phone.open()
    # pack 2 was no tie, so Ana's second round took two cards of it less
    assert (total(page, 0), total(page, 1)) == ("8", "7")
    assert says(page, "Corrected.")


def test_a_correction_is_refused_for_saying_the_same_only_when_it_is_saved(phone):
    phone.play(*ROUNDS)
    asked = phone.send("/entries/1", **typed(FIRST), ask="preview")
    assert says(asked, "Ana takes 1 card, Bo 3")
    assert not says(asked, "entered already")
    saved = phone.send("/entries/1", **typed(FIRST))
    assert saved.status_code == 422
    assert says(saved, "It says that already. Nothing was changed.")


def test_a_correction_of_who_called_the_end_changes_who_starts(phone):
    phone.play(THIRD, THIRD)  # the hands ran out twice; each takes one pack in both, pack 3 stays
    asked = phone.send("/entries/1", **{**typed(FIRST), "ended_by": "0"}, ask="preview")
    assert changed(asked)[1:] == [["1", "2 1", "1 3", "Bo Ana"], ["2", "4 5", "2 4", "Ana Bo"]]
    assert "What changes" not in phone.open("/entries/1").text
    same = phone.send("/entries/1", **{**typed(THIRD), "whales-2-0": "10 3 2 ."}, ask="preview")
    assert changed(same) == []


def test_a_correction_that_no_longer_fits_the_count_names_it(phone):
    phone.play(*ROUNDS, Count((ANAS, BOS)))
    refused = phone.send("/entries/1", **{**typed(FIRST), "whales-1-1": "5 4 4 ."})
    assert refused.status_code == 422
    assert says(
        refused,
        "Then the count no longer fits: Ana captured 8 cards, not 10. Undo the count first.",
    )
    assert re.search(r'Undo the count first\..*?<a [^>]*href="/rules/rivals[^"]*"', refused.text, re.DOTALL)
    assert 'value="5 4 4 ."' in refused.text


def test_the_count_is_corrected_too(phone):
    phone.play(*ROUNDS, Count((ANAS, BOS)))
    shown = phone.open("/entries/4")
    assert 'name="grey-1" value="6 4 5 2 1"' in shown.text
    fields = {**typed(Count((ANAS, BOS))), "grey-1": "6 4 4 2 1"}
    asked = phone.send("/entries/4", **fields, ask="preview")
    assert says(asked, "Ana wins, 18 to 17.")
    assert changed(asked)[1:] == [["the count", "18", "18 17", ""]]
    assert phone.send("/entries/4", **fields).status_code == 303
    assert says(phone.open(), "Ana wins")


def test_an_entry_of_several_events_is_shown_event_by_event(app, match, phone):
    with app.app_context():
        entries.record(match, [FIRST, SECOND], idempotency_key="two", expected_seq=0)
        entries.record(match, [THIRD, Count((ANAS, BOS))], idempotency_key="rest", expected_seq=1)
    page = phone.open()
    assert re.findall(r'id="entry-([\d-]+)"', page.text) == ["2-1", "2", "1-1", "1"]
    for words in ("1 to 3 cards. Bo starts round 2.", "8 to 3 cards. Ana starts round 3.", "10 to 5 cards."):
        assert says(page, f"So far {words}")
    assert not re.search(r"/entries/\d+(?!/doubt)\b", page.text)  # both are undone whole, and doubted whole
    with app.app_context():
        first, second = entries.read(match).entries
    assert SCREENS.describe_entry(first, PLAYERS) == "round 1, Ana takes 1 card, Bo 3; round 2, Ana takes 7 cards"
    assert SCREENS.describe_entry(second, PLAYERS) == "round 3, Ana takes 2 cards, Bo 2; the count, 18 to 18"


def test_who_took_more_and_who_won_with_fewer_cards_stand_out(phone, log):
    phone.play(*ROUNDS, Count((ANAS, BOS)))
    assert [row.best for row in rows(log())] == [BO, None, ANA, BO]


def test_what_else_a_corrected_entry_holds_stays_as_it_was():
    page = correction_page(PageContext(position=position(), replacing=(FIRST, SECOND)))
    assert page.ready() == (FIRST, SECOND)
    page = correction_page(PageContext(position=position(), replacing=(SECOND, THIRD), form_data=MultiDict(typed(FIRST))))
    assert page.outcome() == Submit((FIRST, THIRD), "Round 1 saved: Ana takes 1 card, Bo 3")


def test_undo_and_the_end_that_players_choose(phone):
    phone.play(FIRST, SECOND)
    assert phone.send("/undo").status_code == 303
    page = phone.open()
    assert (total(page, 0), total(page, 1)) == ("1", "3")
    assert phone.send("/stop").status_code == 303
    page = phone.open()
    assert says(page, "The match was stopped")
    assert phone.open("/entries/4").status_code == 200
    assert phone.send("/undo", of="4", sure="1").status_code == 303
    assert says(phone.open(), "Round 2: Bo’s turn")


def test_two_phones_enter_a_round_with_other_whales_and_choose(phone, other_phone, scores):
    other_phone.open("/round")
    phone.play(FIRST)
    late = other_phone.send("/round", **{**typed(FIRST), "whales-0-0": "5 3 ."})
    assert late.status_code == 409
    assert says(late, "Which one is right?")
    facts = re.findall(r"<dt[^>]*>([^<]*)</dt><dd><b>([^<]*)</b><br><span[^>]*>([^<]*)</span>", late.text)
    assert facts == [
        ("Pack 1", "Ana 4+3, Bo 6", "Ana takes 1 card"),
        ("Pack 1", "Ana 5+3, Bo 6", "Ana takes 1 card"),
    ]
    assert says(late, "Ana takes 1 card, Bo 3")
    assert re.findall(r"<dd><b>(\d+)</b></dd>", late.text) == ["1", "3", "1", "3"]


def test_what_is_refused_stays_and_is_said_at_its_place(phone):
    phone.open()
    refused = phone.send("/round", **{**typed(FIRST), "whales-2-0": "."})
    assert refused.status_code == 422
    assert says(refused, "Ana has no whale on pack 3, so Bo can’t have called the end: both need one on every pack.")
    assert "data-error" in refused.text
    assert re.search(r'class="whales refused"[^>]*value="at:whales-2-0"', refused.text)
    assert 'value="4 3 ."' in refused.text
    mend = re.search(r'class="mend tray".*?<button[^>]*name="tap"[^>]*value="([^"]*)"', refused.text, re.DOTALL)[1]
    mended = phone.send("/round", **{**typed(FIRST), "whales-2-0": "."}, tap=mend)
    assert 'class="mend ' not in mended.text
    assert phone.send("/round", **{**typed(FIRST), "whales-2-0": ".", "ended_by": "none"}).status_code == 303


def test_without_scripts_every_tap_is_a_form(phone):
    page = phone.open("/round?by=1")
    fields = {"ended_by": "1"}
    for tap in ("value:6", "no-more", "value:4"):
        page = phone.send("/round", **fields, tap=tap)
        assert page.status_code == 200
        found = re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', page.text)
        stamp = {"expected_seq", "idempotency_key", "csrf_token"}
        fields = {name: value for name, value in found if name not in stamp} | {"ended_by": "1"}
    assert fields["whales-0-1"] == "6 ."
    assert fields["whales-0-0"] == "4"
    assert fields["at"] == "whales-0-0"


def test_who_watches_sees_no_keys_and_can_not_enter(watcher, phone):
    phone.send("/turn", tap="lay-1", moves="0")
    page = watcher.open()
    assert page.status_code == 200
    assert says(page, "Round 1: Bo’s turn")
    in_sight = re.sub(r"<(dialog|template).*?</\1>", "", page.text, flags=re.DOTALL)
    own = re.compile(r'data-awake-switch|name="language"|name="theme"')  # this phone's own affairs
    assert all(own.search(button) for button in re.findall(r"<button[^>]*>", in_sight))
    for path in ("/round", "/turn", "/count"):
        assert watcher.send(path, tap="lay-1", moves="1").status_code == 403


def test_the_calculator_needs_no_table(client):
    assert client.get("/calculate/rivals").status_code == 200
    page = client.post("/calculate/rivals", data={**typed(FIRST), "grey": "1 4 3"})
    assert says(page, "Red takes 1 card, Blue 3")
    assert says(page, "4 whales in tied packs.")
    page = client.post("/calculate/rivals", data={"what": "count", "grey-0": "10 .", "grey-1": "6 4 ."})
    assert says(page, "Equal, 10 each: Red wins with fewer cards, 1 against 2.")
    refused = client.post("/calculate/rivals", data={"what": "count", "grey-0": "9 .", "grey-1": "6 4 ."})
    assert refused.status_code == 422
    assert says(refused, "“9” is not a whale")
