"""What do taps mean on the pages of BeloZ, what is still asked, what does the engine say, and what is entered?"""

from __future__ import annotations

import pytest
from werkzeug.datastructures import MultiDict

from companion.engine import GAMES
from companion.engine.beloz import PassedDeal
from companion.engine.beloz.declarations import Quads, StraightFlush
from companion.engine.beloz.scoring import Count, Round
from companion.engine.core import RuleError, start
from companion.screens.beloz import draft as drafts
from companion.screens.beloz.draft import RoundDraft, tapped
from companion.screens.beloz.round import CountPage, DeclarationsPage, RoundPage, WhoPage
from companion.screens.interface import Faster, PageContext, Rerender, Submit, UpdateDraft

PLAYERS = ("Ana", "Bo", "Cy", "Di")
ANA, BO, CY, DI = range(4)


def position():
    return start(GAMES["beloz"], PLAYERS)


def typed(**fields):
    return MultiDict({name: value for name, value in fields.items() if value is not None})


def with_pile(*pile, **more):
    data = [("round", TAKEN), ("team", "0"), ("counting", "pile"), ("last", "0"), *(("pile", card) for card in pile)]
    data += more.items()
    return RoundPage(PageContext(position=position(), form_data=MultiDict(data)))


def calculating(**fields):
    """Return the whole round on one page, without a table."""
    return RoundPage(PageContext(position=position(), form_data=typed(**fields)))


def refused(draft, **fields):
    """Return the page of declarations after a tap that the engine refuses."""
    context = PageContext(position=position(), draft=drafts.stored(draft), shared=True, form_data=typed(**fields))
    form = DeclarationsPage(context)
    with pytest.raises(RuleError) as error:
        form.outcome()
    form.refuse(error.value.message, error.value.field)
    return form.view()


class TestMend:
    ANAS = RoundDraft(declarations=(StraightFlush(ANA, "south", 4, 6), Quads(CY, "lion")))

    def test_a_run_that_was_entered_for_the_wrong_player_is_moved_with_one_tap(self):
        mend = refused(self.ANAS, card="south-elephant", speaker="1").mend
        assert mend.why == "Ana has declared the South elephant, so Bo can’t hold it too."
        assert (mend.then, mend.label) == ("Then “Ana: run of three” is taken back.", "Bo has it")
        assert mend.tap == "mend:card:south-elephant"
        moved = tapped(self.ANAS, mend.tap, BO)
        assert moved.declarations == (Quads(CY, "lion"), StraightFlush(BO, "south", 4, 6))

    def test_so_are_quads_and_a_run_that_needs_a_lower_card(self):
        assert tapped(self.ANAS, refused(self.ANAS, quads="crocodile", speaker="3").mend.tap, DI).declarations == (
            Quads(CY, "lion"),
            Quads(DI, "crocodile"),
        )
        mend = refused(self.ANAS, card="south-leopard", speaker="1").mend
        assert mend.why == "This run needs the South elephant. Ana has declared it."
        assert tapped(self.ANAS, mend.tap, BO).declarations == (Quads(CY, "lion"), StraightFlush(BO, "south", 5, 7))

    def test_players_say_themselves_which_of_two_of_their_own_counts(self):
        assert refused(self.ANAS, quads="crocodile", speaker="0").mend is None
        assert refused(self.ANAS, card="south-monkey", speaker="1").mend is None  # no run has its top there

    def test_another_phone_that_announced_meanwhile_comes_first(self):
        with pytest.raises(Faster):
            drafts.meant(self.ANAS, RoundDraft(), "mend:card:south-elephant", BO)


TAKEN = '{"bidder":0,"flooded":"south"}'


class TestTaps:
    @pytest.mark.parametrize(
        ("taps", "runs"),
        [
            (["card:west-leopard"], [("west", 5, 7)]),
            (["card:west-lion"], [("west", 6, 8)]),
            (["card:west-water-snake"], [("west", 1, 3)]),
            (["card:west-leopard", "card:west-crocodile"], [("west", 4, 7)]),
            (["card:west-leopard", "card:west-meerkat"], [("west", 1, 7)]),
            (["card:west-leopard", "card:west-elephant"], []),
            (["card:west-leopard", "card:west-leopard"], []),
            (["card:west-water-snake", "card:west-lion", "card:west-crocodile"], [("west", 1, 3), ("west", 4, 8)]),
            (["card:west-leopard", "card:north-leopard"], [("west", 5, 7), ("north", 5, 7)]),
        ],
    )
    def test_the_top_card_takes_three_a_lower_card_lengthens_a_card_of_the_run_takes_it_away(self, taps, runs):
        draft = RoundDraft()
        for tap in taps:
            draft = tapped(draft, tap, DI)
        assert list(draft.declarations) == [StraightFlush(DI, plain, low, high) for plain, low, high in runs]

    @pytest.mark.parametrize("card", ["west-monkey", "west-meerkat"])
    def test_a_run_needs_two_cards_below_its_top(self, card):
        with pytest.raises(RuleError, match="two more cards below"):
            tapped(RoundDraft(), f"card:{card}", ANA)

    def test_an_animal_is_all_four_and_a_second_tap_takes_it_back(self):
        once = tapped(RoundDraft(), "quads:lion", BO)
        assert once.declarations == (Quads(BO, "lion"),)
        assert tapped(once, "quads:lion", BO).declarations == ()

    def test_beloz_belongs_to_who_is_speaking(self):
        once = tapped(RoundDraft(), "beloz", DI)
        assert once.beloz == DI
        assert tapped(once, "beloz", BO).beloz == BO
        assert tapped(once, "beloz", DI).beloz is None

    def test_what_was_not_shown_is_marked_and_can_be_marked_back(self):
        draft = RoundDraft(declarations=(StraightFlush(ANA, "south", 6, 8), Quads(BO, "lion")))
        hidden = tapped(draft, "shown:1", None)
        assert [one.shown for one in hidden.declarations] == [True, False]
        assert tapped(hidden, "shown:1", None) == draft

    @pytest.mark.parametrize("tap", ["card:west-lion", "quads:lion", "beloz"])
    def test_somebody_must_be_speaking(self, tap):
        with pytest.raises(RuleError, match="who announces"):
            tapped(RoundDraft(), tap, None)

    @pytest.mark.parametrize(
        "tap",
        [
            "bidder:4",
            "bidder:-1",
            "bidder:",
            "flooded:up",
            "card:west-tiger",
            "quads:",
            "shown:0",
            "x",
            "shown:²",
            "shown:" + "9" * 5_000,
            "take-back",
        ],
    )
    def test_a_tap_that_means_nothing_is_refused(self, tap):
        with pytest.raises(RuleError):
            tapped(RoundDraft(), tap, ANA)

    @pytest.mark.parametrize("nonsense", ["{", "[]", "7", '{"bidder":9}', '{"flooded":"up"}', '{"x":1}', "{" * 500, None, ""])
    def test_a_draft_that_makes_no_sense_is_an_empty_one(self, nonsense):
        assert drafts.read(nonsense) == RoundDraft()


class TestCount:
    def test_the_example_of_the_rules_is_won(self):
        run = '{"kind":"straight_flush","player":0,"plain":"north","lowest":1,"highest":3}'
        page = calculating(
            round=f'{{"bidder":0,"flooded":"south","declarations":[{run}],"beloz":3}}', team="0", points="78", last="0"
        )
        entered = Round(
            bidder=ANA,
            flooded="south",
            count=Count(0, 78),
            last_expedition=0,
            declarations=(StraightFlush(ANA, "north", 1, 3),),
            beloz=DI,
        )
        assert page.outcome() == Submit((entered,), "Round 1 saved")
        assert page.result().scores == (108, 95)

    def test_without_the_run_it_is_broken(self):
        page = calculating(round='{"bidder":0,"flooded":"south","beloz":3}', team="0", points="78", last="0")
        assert page.result().scores == (0, 183)
        assert page.result().contract == "broken"

    def test_the_bidders_team_is_counted_unless_the_other_is_chosen(self):
        assert calculating(round='{"bidder":1,"flooded":"north"}').count.team == 1
        assert calculating(round='{"bidder":1,"flooded":"north"}', tap="team:0").outcome() == Rerender()
        for points, team in (("", 1), ("78", 0)):
            page = calculating(round="", team="0", points=points, tap="bidder:1", part="who")
            page.outcome()
            assert page.count.team == team

    def test_all_eight_is_for_the_chosen_team_whatever_was_typed(self):
        page = calculating(round=TAKEN, team="1", points="40", last="all")
        assert page.outcome().events[0].count == Count(1, 153, 8)
        assert page.result().scores == (0, 253)

    @pytest.mark.parametrize(
        ("fields", "place", "words"),
        [
            ({"points": "152", "last": "0"}, "points", "152"),
            ({"points": "154", "last": "0"}, "points", "153"),
            ({"points": "58", "last": "0", "expeditions": "1"}, "points", "58"),
            ({"points": "abc", "last": "0"}, "points", "abc"),
            ({"points": "-5", "last": "0"}, "points", "-5"),
            ({"points": "٣", "last": "0"}, "points", "number"),
            ({"points": "1000", "last": "0"}, "points", "1000"),
            ({"points": "78"}, "last", "Who won the last one?"),
            ({"last": "1"}, "points", "team’s points"),
        ],
    )
    def test_what_can_not_be_is_said_at_its_place_and_what_was_typed_stays(self, fields, place, words):
        page = calculating(round=TAKEN, team="0", **fields)
        try:
            outcome = page.outcome()
        except RuleError as refused:
            page.refuse(refused.message, refused.field)
        else:
            if isinstance(outcome, Submit):
                assert page.result() is None
            else:
                assert outcome == Rerender(wrong=True)
        assert words in page.errors[place]
        assert page.count.points == fields.get("points", "")

    def test_without_bidder_or_plain_the_next_question_is_asked(self):
        page = calculating(points="78", last="0")
        assert page.outcome() == Rerender(wrong=True)
        assert page.errors == {"who": "Who took the contract?"}
        assert calculating(round='{"bidder":0}').next_question == "Which plain is flooded?"

    def test_the_pile_is_counted_by_its_cards(self):
        # south flooded: crocodile 20, water snake 15, lion 11, leopard 10
        pile = ["south-crocodile", "south-water-snake", "south-lion", "south-leopard"]
        data = MultiDict(
            [("round", TAKEN), ("team", "0"), ("counting", "pile"), ("last", "0"), *(("pile", card) for card in pile)]
        )
        page = RoundPage(PageContext(position=position(), form_data=data))
        assert page.count.pile_so_far == 56
        assert page.outcome().events[0].count == Count(0, 56, 1)

    def test_a_pile_with_a_card_too_few_says_so(self):
        page = with_pile("south-lion")
        assert page.outcome() == Rerender(wrong=True)
        assert "four" in page.errors["pile"]

    @pytest.mark.parametrize(
        ("pile", "words"),
        [
            (("south-lion",), "1 card so far"),
            (("south-lion", "south-leopard", "south-monkey"), "3 cards so far"),
            (("south-crocodile", "south-water-snake", "south-lion", "south-leopard"), "Contract broken: 66 to 97"),
        ],
    )
    def test_no_pile_is_wrong_before_it_is_saved(self, pile, words):
        page = with_pile(*pile, ask="preview")
        assert page.outcome() == Rerender()
        view = page.view()
        assert (view.line.words, view.errors) == (words, {})

    def test_the_pad_begins_with_what_the_cards_came_to_and_leaves_them_tapped(self):
        page = with_pile("south-lion", "south-leopard", tap="counting:pad", points="7")
        assert page.outcome() == Rerender()
        assert (page.count.points, page.count.pile) == ("21", ("south-lion", "south-leopard"))
        page = with_pile(tap="counting:pad", points="98")
        page.outcome()
        assert page.count.points == "98", "no card was tapped"

    @pytest.mark.parametrize(
        ("fields", "words", "tone"),
        [
            ({}, "Type one team’s points", ""),
            ({"points": "98"}, "Who won the last one?", ""),
            ({"points": "98", "last": "0"}, "Contract won: 108 to 55", "won"),
            ({"points": "41", "last": "0"}, "Contract broken: 51 to 112", "broken"),
            ({"points": "41", "last": "1", "team": "1"}, "Contract won: 112 to 51", "won"),
            ({"points": "1", "last": "0"}, "1 needs another digit", ""),
            ({"points": "1"}, "Who won the last one?", ""),
            ({"points": "152"}, "Not possible", "wrong"),
            ({"points": "01"}, "Not possible", "wrong"),
            ({"points": "999"}, "Not possible", "wrong"),
            ({"points": "x"}, "That is not a number", "wrong"),
            ({"points": "5", "expeditions": "1"}, "Who won the last one?", ""),
            ({"points": "58", "expeditions": "1"}, "Not possible", "wrong"),
            ({"points": "7", "expeditions": "2", "last": "0"}, "Contract broken: 17 to 146", "broken"),
            ({"points": "152", "last": "all"}, "Contract won: 253 to 0", "won"),
            ({"round": "", "points": "98", "last": "0"}, "Who took the contract?", ""),
        ],
    )
    def test_the_verdict_is_one_line_and_no_error_while_the_number_may_grow(self, fields, words, tone):
        page = calculating(**{"round": TAKEN, "team": "0", "ask": "preview", **fields})
        assert page.outcome() == Rerender()
        assert (page.view().line.words, page.view().line.tone) == (words, tone)

    def test_a_number_that_may_grow_is_refused_once_it_is_saved(self):
        page = calculating(round=TAKEN, team="0", points="1", last="0")
        page.refuse("1 is not possible: no card is worth exactly 1.", "count.points")  # as the log does
        assert (page.view().line.words, page.view().line.tone) == ("Not possible", "wrong")
        assert page.count.near == [0, 2]

    @pytest.mark.parametrize(
        ("fields", "own", "rest"),
        [
            ({}, None, None),
            ({"points": "4"}, 4, 149),
            ({"points": "41"}, 41, 112),
            ({"points": "154"}, 154, None),
            ({"points": "x"}, None, None),
            ({"points": "41", "last": "all"}, 153, 0),
            ({"counting": "pile"}, 0, None),
            ({"counting": "pile", "pile": "south-lion"}, 11, 142),
        ],
    )
    def test_the_rest_is_there_with_the_first_digit(self, fields, own, rest):
        page = calculating(round=TAKEN, team="0", **fields)
        assert (page.count.own, page.count.rest) == (own, rest)

    @pytest.mark.parametrize(
        ("fields", "first", "second"),
        [
            ({}, "", ""),
            ({"last": "1"}, "", "+10 last"),
            ({"last": "0", "beloz": True}, "+10 last", "+20 declared"),
            ({"last": "1", "beloz": True}, "", "+30 last, declared"),
            ({"last": "all"}, "+100 all eight", ""),
            ({"last": "all", "run": True}, "+120 all, declared", ""),
            ({"last": "all", "team": "1", "run": True}, "", "+100 all eight"),  # who wins no expedition declares nothing
            ({"run": True}, "+20 declared", ""),
        ],
    )
    def test_what_a_team_has_besides_its_cards_stands_under_its_number(self, fields, first, second):
        run = '"declarations":[{"kind":"straight_flush","player":0,"plain":"north","lowest":1,"highest":3}]'
        said = {"run": run, "beloz": '"beloz":3'}
        draft = ",".join(['{"bidder":0', '"flooded":"south"', *(words for name, words in said.items() if name in fields)]) + "}"
        page = calculating(round=draft, **{"team": "0", **{name: value for name, value in fields.items() if name not in said}})
        assert page.view().extra == (first, second)

    def test_all_eight_for_the_other_team_and_back_to_one_that_counts_is_no_dead_end(self):
        page = calculating(round=TAKEN, team="0", points="50", last="all", tap="team:1")
        page.outcome()
        assert (page.count.team, page.count.own) == (1, 153)
        page = calculating(round=TAKEN, team="0", points="50", last="0")
        assert page.count.own == 50

    def test_who_and_declarations_open_as_parts_and_back_to_match_with_everything_typed(self):
        page = calculating(round=TAKEN, team="0", points="78", last="0", tap="part:who")
        assert (page.outcome(), page.part) == (Rerender(), "who")
        page = calculating(round=TAKEN, team="0", points="78", last="0", part="who", tap="bidder:1")
        assert (page.outcome(), page.part) == (Rerender(), "who")
        page = calculating(round='{"bidder":1,"flooded":"south"}', team="0", points="78", last="0", part="who", flooded="west")
        assert (page.outcome(), page.part) == (Rerender(), "count")
        assert (page.draft, page.count.points) == (RoundDraft(BO, "west"), "78")
        assert calculating(part="x").part == "count"

    def test_asking_enters_nothing(self):
        assert calculating(round=TAKEN, team="0", points="78", last="0", ask="preview").outcome() == Rerender()


class TestSharedDraft:
    def context(self, draft=None, viewer=None, **fields):
        return PageContext(position=position(), draft=draft, shared=True, form_data=typed(**fields), viewer=viewer)

    def test_who_took_it_is_kept_for_everybody_and_the_plain_is_asked_next(self):
        outcome = WhoPage(self.context(tap="bidder:1")).outcome()
        assert isinstance(outcome, UpdateDraft)
        assert outcome.next == "who"
        assert outcome.change(None) == {"bidder": 1}

    def test_the_plain_leads_back_to_the_match(self):
        outcome = WhoPage(self.context({"bidder": 1}, flooded="west")).outcome()
        assert outcome.next is None
        assert outcome.change({"bidder": 1}) == {"bidder": 1, "flooded": "west"}

    def test_a_tap_changes_the_draft_as_it_is_by_then(self):
        outcome = DeclarationsPage(self.context({"bidder": 1}, card="west-lion", speaker="3")).outcome()
        kept = outcome.change({"bidder": 2, "flooded": "east"})
        assert (kept["bidder"], kept["flooded"]) == (2, "east")
        run = {"kind": "straight_flush", "player": 3, "plain": "west", "lowest": 6, "highest": 8, "shown": True}
        assert kept["declarations"] == [run]
        assert outcome.query == {"speaker": "3"}

    def test_a_card_in_two_hands_is_refused(self):
        held = {"declarations": [{"kind": "straight_flush", "player": 0, "plain": "south", "lowest": 6, "highest": 8}]}
        with pytest.raises(RuleError, match="Ana"):
            DeclarationsPage(self.context(held, card="south-leopard", speaker="1")).outcome()

    def test_the_phone_speaks_for_its_player(self):
        outcome = DeclarationsPage(self.context(card="west-lion", viewer=CY)).outcome()
        assert outcome.change(None)["declarations"][0]["player"] == CY

    def test_on_the_count_the_answer_keeps_the_page_and_what_was_typed(self):
        page = CountPage(self.context({"bidder": 1}, flooded="west", points="41"))
        assert page.outcome().stay
        assert page.count.points == "41"

    def test_a_passed_deal_is_entered_at_once(self):
        assert WhoPage(self.context(tap="passed-deal")).outcome() == Submit(
            (PassedDeal(),), "Deal passed. Bo deals now.", totals=False
        )

    def test_a_round_changed_on_another_phone_is_looked_at_again_before_it_is_saved(self):
        looked_at = '{"bidder":1,"flooded":"north"}'
        now = {"bidder": 1, "flooded": "west"}
        page = CountPage(self.context(now, round=looked_at, team="1", points="100", last="1"))
        assert page.outcome() == Rerender(wrong=True)
        assert "Another phone" in page.errors[""]


@pytest.mark.parametrize(("points", "chosen"), [(None, True), ("41", True), ("44", False), ("", False)])
def test_the_first_digit_of_a_correction_begins_a_new_number_until_one_is_typed(points, chosen):
    event = Round(bidder=BO, flooded="west", count=Count(1, 41), last_expedition=0, declarations=())
    sent = None if points is None else typed(round=TAKEN, team="1", points=points, last="0")
    assert RoundPage(PageContext(position=position(), replacing=(event,), form_data=sent)).view().as_before is chosen
    assert not calculating(round=TAKEN, points=points).view().as_before


def test_a_round_that_is_corrected_comes_with_everything_it_said():
    event = Round(bidder=BO, flooded="west", count=Count(1, 41), last_expedition=0, declarations=(Quads(BO, "lion"),), beloz=DI)
    page = RoundPage(PageContext(position=position(), replacing=(event,)))
    assert page.draft == RoundDraft(BO, "west", (Quads(BO, "lion"),), DI)
    assert (page.count.team, page.count.points, page.count.last) == (1, "41", "0")


def test_a_golden_round_that_is_corrected_comes_back_as_all_eight():
    event = Round(bidder=BO, flooded="west", count=Count(1, 0, 0), last_expedition=0, declarations=())
    page = RoundPage(PageContext(position=position(), replacing=(event,)))
    assert (page.count.team, page.count.last) == (0, "all")
