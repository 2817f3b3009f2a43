"""What do Bisque's pages do? Tricks, goals that nobody sees too early, refusals, corrections, the calculator."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from werkzeug.datastructures import MultiDict

from companion.engine import GAMES
from companion.engine.bisque import Pot, Reveal, preview_goals
from companion.engine.core import RuleError, Stop, replay, start
from companion.engine.decktet import CARDS
from companion.matches import entries
from companion.screens.bisque import SCREENS, correction_page, hand
from companion.screens.bisque import draft as drafts
from companion.screens.bisque.board import board, choosing, hand_result, served_now
from companion.screens.bisque.goals import MyGoalPage, RevealPage, answers
from companion.screens.bisque.soup import SoupCalculator
from companion.screens.bisque.trick import TrickPage
from companion.screens.interface import Faster, PageContext, Rerender, Submit, UpdateDraft
from companion.storage.models import db
from tests.web.forms_on_a_page import PageReader
from tests.web.people import PhoneAtMatch, changed, says, words

NAMES = ("Ana", "Bo", "Cy")
ANA, BO, CY = range(3)

POT = (
    *("crown-waves", "8-waves-leaves", "9-moons-suns", "7-suns-knots", "ace-leaves", "5-wyrms-knots"),
    *("3-moons-waves", "2-suns-wyrms", "6-leaves-knots", "ace-moons", "crown-suns"),
)
# moons 9 + 3 + 5, suns 9 + 7 + 2 + 10, waves 10 + 8 + 3, leaves 8 + 5 + 6, wyrms 5 + 2, knots 7 + 5 + 6
SUITS = {"moons": 17, "suns": 28, "waves": 21, "leaves": 19, "wyrms": 7, "knots": 18}
GOALS = ("4-waves-leaves", "4-moons-suns", "9-leaves-knots")  # 19, 17, 18


def position(*events, hands=6):
    game = GAMES["bisque"]
    return replay(start(game, NAMES, game.options(hands)), events)


def pots(*cards):
    return [Pot(card) for card in cards]


def context(*events, shared=True, draft=None, viewer=None, replacing=(), **typed):
    data = MultiDict(typed) if typed else None
    return PageContext(position(*events), draft, shared, replacing, data, {}, viewer)


# --- A trick -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "winner"),
    [("0", 0), ("2", 2), ("none", None)],
)
def test_a_trick_is_its_winner_and_its_card(by, winner):
    page = hand(context(Pot("ace-moons"), by=by, card="8-waves-leaves"))
    assert page.outcome() == Submit((Pot("8-waves-leaves", winner),), "Trick 2: the 8 of waves and leaves", totals=False)


@pytest.mark.parametrize(
    "typed", [{"card": "8-waves-leaves"}, {"card": "8-waves-leaves", "by": "3"}, {"card": "ace-moons", "by": "²"}]
)
def test_without_a_winner_nothing_is_entered(typed):
    page = hand(context(**typed))
    assert page.outcome() == Rerender(wrong=True)
    assert page.errors == {"by": "Who won trick 1? Tap the winner first, or “Skip winner”, then the card."}


def test_without_a_card_nothing_is_entered():
    page = hand(context(by="1"))
    assert page.outcome() == Rerender(wrong=True)
    assert page.errors == {"card": "Tap the card that went into the pot."}
    assert page.by == "1"


def test_the_enter_key_asks_and_enters_nothing():
    assert hand(context(by="1", card="ace-moons", ask="preview")).outcome() == Rerender()


@pytest.mark.parametrize(
    ("typed", "kind"),
    [
        ({"by": "0", "card": "ace-moons"}, TrickPage),
        ({"who": "0", "goal": "4-waves-leaves"}, RevealPage),
        ({"save": ",,"}, RevealPage),
        ({"hide": "1"}, RevealPage),
    ],
)
def test_what_was_sent_is_read_as_what_it_is_however_full_the_pot(typed, kind):
    assert isinstance(hand(context(**typed)), kind)
    assert isinstance(hand(context(*pots(*POT), **typed)), kind)


def test_the_page_asks_for_the_goals_once_the_pot_is_full():
    assert isinstance(hand(context(*pots(*POT[:10]))), TrickPage)
    assert isinstance(hand(context(*pots(*POT))), RevealPage)


# --- The goals ---------------------------------------------------------------------------------------------------------------


def test_a_goal_that_is_turned_up_is_shared_and_one_more_joins_it():
    outcome = hand(context(*pots(*POT), who="1", goal="4-moons-suns")).outcome()
    assert isinstance(outcome, UpdateDraft)
    assert outcome.change(None) == {"goals": [None, "4-moons-suns", None]}
    assert outcome.change({"goals": ["4-waves-leaves", None, None]}) == {"goals": ["4-waves-leaves", "4-moons-suns", None]}


def test_a_goal_can_be_turned_down_again():
    held = {"goals": [None, "4-moons-suns", None]}
    for typed in ({"who": "1", "goal": ""}, {"hide": "1"}):
        assert hand(context(*pots(*POT), draft=held, **typed)).outcome().change(held) is None


def test_nobody_can_turn_up_what_another_has():
    held = {"goals": ["4-waves-leaves", None, None]}
    with pytest.raises(RuleError, match="can’t be Bo’s goal: it is Ana’s") as refused:
        hand(context(*pots(*POT), draft=held, who="1", goal="4-waves-leaves")).outcome()
    assert refused.value.field == "goals.1"
    outcome = hand(context(*pots(*POT), who="1", goal="4-waves-leaves")).outcome()
    with pytest.raises(RuleError, match="it is Ana’s"):  # she was faster
        outcome.change(held)


def test_a_goal_that_was_turned_up_for_the_wrong_player_is_moved_with_one_tap(phone):
    phone.fill()
    phone.turn_up("4-waves-leaves")
    refused = phone.send(who="1", goal="4-waves-leaves", goals="4-waves-leaves,,")
    assert says(refused, "The 4 of waves and leaves can’t be Bo’s goal: it is Ana’s.")
    assert says(refused, "Then Ana’s goal is face down again.")
    (tap,) = re.findall(r'name="goal" value="(mend:[^"]*)"', refused.text)
    assert phone.send(who="1", goal=tap, goals="4-waves-leaves,,").status_code == 303
    assert unescape(re.search(r'name="goals" value="([^"]*)"', phone.open().text)[1]) == ",4-waves-leaves,"
    form = PageReader(phone.open().text).form(f"{phone.link}/undo")
    phone.client.post(form.action, data=form.unchanged())
    assert unescape(re.search(r'name="goals" value="([^"]*)"', phone.open().text)[1]) == "4-waves-leaves,,"


def test_a_goal_is_not_moved_from_somebody_whose_goal_another_phone_has_changed():
    held = {"goals": ["4-waves-leaves", None, None]}
    page = hand(context(*pots(*POT), draft=held, who="1", goal="mend:4-waves-leaves", goals="4-waves-leaves,,"))
    change = page.outcome().change
    assert change(held) == {"goals": [None, "4-waves-leaves", None]}
    with pytest.raises(Faster):
        change({"goals": ["9-leaves-knots", None, None]})


@pytest.mark.parametrize("who", ["", "3", "x"])
def test_first_whose_goal_it_is(who):
    page = hand(context(*pots(*POT), who=who, goal="4-moons-suns"))
    assert page.outcome() == Rerender(wrong=True)
    assert page.errors == {"": "Whose goal is it? Tap a name first, then the card."}


def test_all_three_are_saved_as_they_lie():
    page = hand(context(*pots(*POT), draft={"goals": list(GOALS)}, save=",".join(GOALS)))
    assert page.outcome() == Submit((Reveal(GOALS),), "Hand 1 saved")


def test_a_goal_that_is_missing_is_named():
    held = {"goals": [GOALS[0], None, GOALS[2]]}
    page = hand(context(*pots(*POT), draft=held, save=f"{GOALS[0]},,{GOALS[2]}"))
    assert page.outcome() == Rerender(wrong=True)
    assert page.errors == {"": "Still face down: Bo."}
    assert hand(context(*pots(*POT), save=",,")).next_question == "Still face down: all three goals."


def test_goals_that_another_phone_changed_are_looked_at_again_before_they_are_saved():
    page = hand(context(*pots(*POT), draft={"goals": ["4-wyrms-knots", *GOALS[1:]]}, save=",".join(GOALS)))
    assert page.outcome() == Rerender(wrong=True)
    assert "Another phone" in page.errors[""]


@pytest.mark.parametrize("nonsense", [None, [], {}, {"goals": []}, {"goals": [1, 2, 3]}, {"goals": [None] * 4}, {"x": 1}, "x"])
def test_a_draft_that_makes_no_sense_shows_no_goal(nonsense):
    assert drafts.read(nonsense) == (None, None, None)


def test_what_every_card_would_score_as_a_goal_is_the_same_for_all():
    told = answers(("crown-waves", "8-waves-leaves", "ace-leaves"))
    assert len(told) == 24
    assert told["4-waves-leaves"] == {
        "points": 13,
        "why": "the lower of 18 waves and 13 leaves",
        "title": "the 4 of waves and leaves",
    }
    assert told["8-waves-leaves"]["refusal"] == "The 8 of waves and leaves can’t be your goal: it is in the pot."


def test_the_one_off_answer_enters_nothing():
    page = MyGoalPage(context(*pots("crown-waves", "8-waves-leaves", "ace-leaves"), goal="4-waves-leaves"))
    assert page.outcome() == Rerender()
    assert (page.view().score.points, page.ready()) == (13, None)
    page = MyGoalPage(context(Pot("8-waves-leaves"), goal="8-waves-leaves"))
    assert page.outcome() == Rerender(wrong=True)
    assert page.errors == {"goal": "The 8 of waves and leaves can’t be your goal: it is in the pot."}


def test_that_a_goal_is_chosen_is_shared_and_never_which():
    page = hand(context(viewer=BO, chosen="yes", goal="4-moons-suns", card="4-moons-suns"))
    outcome = page.outcome()
    assert isinstance(outcome, UpdateDraft)
    assert outcome.change(None) == {"chosen": [BO]}
    assert outcome.change({"chosen": [ANA, BO]}) == {"chosen": [ANA, BO]}
    assert hand(context(chosen="yes")).outcome() == Rerender()  # a phone that belongs to nobody
    assert hand(context(Pot("ace-moons"), viewer=BO, chosen="yes")).outcome() == Rerender()


def test_a_goal_that_is_forgotten_is_taken_back():
    outcome = hand(context(viewer=BO, chosen="no")).outcome()
    assert isinstance(outcome, UpdateDraft)
    assert outcome.change({"chosen": [ANA, BO]}) == {"chosen": [ANA]}
    assert outcome.change({"chosen": [BO]}) is None


def test_after_a_redeal_nobody_has_chosen_and_who_chose_before_it_is_not_heard():
    outcome = hand(context(viewer=BO, redeal="yes")).outcome()
    assert isinstance(outcome, UpdateDraft)
    assert outcome.step == "the redeal"
    dealt = outcome.change({"chosen": [ANA, BO]})
    assert dealt == {"redeals": 1}
    late = hand(PageContext(position(), draft=dealt, shared=True, form_data=MultiDict({"chosen": "yes"}), viewer=ANA))
    assert late.outcome() == Rerender()
    again = PageContext(
        position(), draft=dealt, shared=True, form_data=MultiDict({"chosen": "yes", "redeals": "1"}), viewer=ANA
    )
    chosen = hand(again).outcome()
    assert isinstance(chosen, UpdateDraft)
    assert chosen.change(dealt) == {"chosen": [ANA], "redeals": 1}
    assert choosing(position().state, (), ANA, redeals=1) == "The cards were dealt again. Bo plays first."


@pytest.mark.parametrize(
    ("chosen", "viewer", "said"),
    [
        ((), ANA, "Ana deals twelve cards each. Bo plays first."),
        ((ANA,), ANA, "Ana deals twelve cards each. Bo plays first."),  # perhaps nobody else has a phone
        ((BO,), ANA, "Bo has chosen. Cy is still thinking."),
        ((BO, CY), ANA, "Bo and Cy have chosen."),
        ((CY,), None, "Cy has chosen. Ana and Bo are still thinking."),
        ((ANA, BO, CY), ANA, "Everybody has chosen. Bo plays first."),
    ],
)
def test_who_has_chosen_is_told_in_one_line(chosen, viewer, said):
    assert choosing(position().state, chosen, viewer) == said


@pytest.mark.parametrize(
    ("goals", "before", "hands", "said"),
    [
        (GOALS, (), 6, "Ana wins the hand and is ahead"),
        (GOALS, (("4-wyrms-knots", "5-suns-waves", "9-leaves-knots"),), 6, "Ana wins the hand. Bo is ahead."),
        (("4-waves-leaves", "2-waves-leaves", "5-moons-leaves"), (), 6, "Ana and Bo share the hand and are ahead"),
        (GOALS, (), 1, "Ana wins the hand and the match"),
        (GOALS, (("4-wyrms-knots", "5-suns-waves", "9-leaves-knots"),), 2, "Ana wins the hand. Bo wins the match."),
    ],
)
def test_the_end_of_a_hand_is_told_in_words(goals, before, hands, said):
    events = [event for each in before for event in (*pots(*POT), Reveal(each))]
    state = position(*events, *pots(*POT), hands=hands).state
    shown = preview_goals(state, goals)
    assert hand_result(state, shown, served_now(state, goals, shown)) == said


# --- The calculator ----------------------------------------------------------------------------------------------------------


def test_a_pot_and_its_goals_without_a_table():
    data = MultiDict([*(("pot", card) for card in POT), *((f"goal_{cook}", goal) for cook, goal in enumerate(GOALS))])
    page = SoupCalculator(data)
    assert not page.wrong
    assert page.view().suits == SUITS
    assert [score.points for score in page.view().scores] == [19, 17, 18]


@pytest.mark.parametrize(
    ("typed", "place", "said"),
    [
        (
            [*(("pot", card) for card in POT), ("pot", "crown-moons")],
            "pot",
            "The pot is full with 11 cards. Reveal the goals now.",
        ),
        ([("pot", "ace-moons"), ("pot", "ace-moons")], "pot", "The Ace of moons is in the pot already, from trick 1."),
        ([("pot", "excuse")], "pot", "The Excuse is not in play: Bisque takes the basic Decktet."),
        ([("goal_1", "ace-moons")], "goal_1", "The Ace of moons can’t be Left’s goal: a goal has two suits."),
        ([("goal_0", "4-moons-suns"), ("goal_2", "4-moons-suns")], "goal_2", "it is yours."),
    ],
)
def test_what_can_not_be_is_said_at_its_place(typed, place, said):
    page = SoupCalculator(MultiDict(typed))
    assert page.wrong
    assert said in page.errors[place]
    assert [("pot", card) for card in page.tapped] == [each for each in typed if each[0] == "pot"]


# --- Corrections -------------------------------------------------------------------------------------------------------------


def test_each_entry_comes_with_what_it_said():
    trick = correction_page(context(shared=False, replacing=(Pot("ace-moons", BO),)))
    assert isinstance(trick, TrickPage)
    assert (trick.by, trick.card, trick.ready()) == ("1", "ace-moons", (Pot("ace-moons", BO),))
    assert correction_page(context(shared=False, replacing=(Pot("ace-moons"),))).by == "none"
    goals = correction_page(context(*pots(*POT), shared=False, replacing=(Reveal(GOALS),)))
    assert isinstance(goals, RevealPage)
    assert (goals.goals, goals.ready()) == (GOALS, (Reveal(GOALS),))


def test_of_an_entry_of_several_events_the_first_is_corrected():
    trick = correction_page(context(shared=False, replacing=(Pot("ace-moons", BO), Pot("ace-suns"))))
    assert (trick.card, trick.ready()) == ("ace-moons", (Pot("ace-moons", BO), Pot("ace-suns")))


def test_what_else_an_entry_holds_stays_as_it_was():
    trick = correction_page(context(shared=False, replacing=(Pot("ace-moons", BO), Pot("ace-suns")), by="0", card="ace-waves"))
    assert trick.ready() == (Pot("ace-waves", ANA), Pot("ace-suns"))
    assert trick.outcome().events == (Pot("ace-waves", ANA), Pot("ace-suns"))
    typed = {f"goal_{cook}": goal for cook, goal in enumerate(GOALS)}
    goals = correction_page(
        context(*pots(*POT), shared=False, replacing=(Reveal(GOALS[::-1]), Pot("ace-suns")), save="", **typed)
    )
    assert goals.ready() == goals.outcome().events == (Reveal(GOALS), Pot("ace-suns"))


def test_instead_of_an_end_what_came_next_can_be_entered():
    assert isinstance(correction_page(context(shared=False, replacing=(Stop(),))), TrickPage)
    assert isinstance(correction_page(context(*pots(*POT), shared=False, replacing=(Stop(),))), RevealPage)


# --- Through the pages -------------------------------------------------------------------------------------------------------


class SoupPhone(PhoneAtMatch):
    """A phone that enters tricks, and turns goals up."""

    def send(self, path="/hand", **fields):
        return super().send(path, **fields)

    def trick(self, card, by="0"):
        answer = self.send(by=by, card=card)
        assert answer.status_code == 303, words(answer)
        self.seen += 1

    def fill(self, pot=POT):
        for number, card in enumerate(pot):
            self.trick(card, str(number % 3))

    def turn_up(self, *goals):
        for cook, goal in enumerate(goals):
            assert self.send(who=str(cook), goal=goal).status_code == 303

    def belongs_to(self, name):
        """Say at the table whose phone this is."""
        sheet = f"{self.link.partition('/m/')[0]}/people/{NAMES.index(name) + 1}"
        assert self.client.post(sheet, data={"do": "claim"}).status_code == 303

    def play_hand(self, pot=POT, goals=GOALS):
        self.fill(pot)
        self.turn_up(*goals)
        assert self.send(save=",".join(goals)).status_code == 303
        self.seen += 1


@pytest.fixture
def match(open_match, agreed):
    return open_match("bisque", NAMES, **agreed)


@pytest.fixture
def at_match():
    return SoupPhone


def test_a_hand_from_the_first_trick_to_the_other_phone(phone, other_phone, scores):
    assert says(phone.open(), "Who won trick 1?")
    assert says(phone.open(), "Hand 1 of 6, Ana deals")
    phone.fill()
    page = other_phone.open()
    for suit, total in SUITS.items():
        assert says(page, f"{suit}: {total}")
    assert says(page, "Whose goal is face up?")
    phone.turn_up(*GOALS)
    assert says(other_phone.open(), "211919")  # the two suits of Ana's goal, and the lower
    assert scores() == (0, 0, 0)
    phone.send(save=",".join(GOALS))
    assert scores() == (19, 17, 18)
    assert says(other_phone.open(), "Hand 2 of 6, Bo deals")
    assert says(other_phone.open(), "Who won trick 1?")


def test_what_was_saved_is_said_with_the_totals_once_they_change(phone):
    phone.fill(POT)
    assert "<p>Trick 11: the Crown of suns</p>" in phone.open().text
    phone.turn_up(*GOALS)
    phone.send(save=",".join(GOALS))
    assert "<p>Hand 1 saved. Ana\u00a019, Bo\u00a017, Cy\u00a018</p>" in phone.open().text


def test_before_the_hand_is_saved_the_page_says_what_each_total_would_become(phone):
    phone.play_hand()
    phone.fill()
    assert says(phone.open(), "Turn your goals up together.")
    phone.turn_up(GOALS[1])
    page = phone.open()
    assert not says(page, "Turn your goals up together.")
    assert not says(page, "wins the hand")
    phone.turn_up(*GOALS)
    page = phone.open()
    assert says(page, "Ana wins the hand and is ahead")
    assert says(page, "Ana38 +19Bo34 +17Cy36 +18")


def test_a_refused_card_says_why_and_the_winner_stays(phone):
    phone.trick("8-waves-leaves")
    phone.trick("ace-moons")
    refused = phone.send(by="2", card="8-waves-leaves")
    assert refused.status_code == 422
    assert says(refused, "The 8 of waves and leaves is in the pot already, from trick 1.")
    assert re.search(r'name="by" value="2" checked', refused.text)
    assert re.search(r'id="refusal-card"[^>]*><p', refused.text)


@pytest.mark.parametrize("card", ["excuse", "lion", "x" * 5000, "pawn-moons-suns-leaves", "\x00"])
def test_what_is_no_card_of_the_game_is_refused_with_a_sentence(phone, card):
    refused = phone.send(by="2", card=card)
    assert refused.status_code == 422
    assert re.search(r'id="refusal-(card|form)"[^>]*><p', refused.text)


def test_a_twelfth_card_is_refused(phone):
    phone.fill()
    refused = phone.send(by="0", card="crown-moons")
    assert refused.status_code == 422
    assert says(refused, "The pot is full with 11 cards. Reveal the goals now.")


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("8-waves-leaves", "The 8 of waves and leaves can’t be Bo’s goal: it is in the pot."),
        ("crown-moons", "The Crown of moons can’t be Bo’s goal: a goal has two suits."),
        ("4-waves-leaves", "The 4 of waves and leaves can’t be Bo’s goal: it is Ana’s."),
    ],
)
def test_a_refused_goal_says_why(phone, goal, said):
    phone.fill()
    phone.turn_up("4-waves-leaves")
    refused = phone.send(who="1", goal=goal)
    assert refused.status_code == 422
    assert says(refused, said)
    assert re.search(r'name="who" value="1" checked', refused.text)


def test_goals_are_not_shown_before_the_pot_is_full(phone, scores):
    phone.fill(POT[:10])
    refused = phone.send(save=",".join(GOALS), **{f"goal_{cook}": goal for cook, goal in enumerate(GOALS)})
    assert refused.status_code == 422
    assert scores() == (0, 0, 0)


def test_no_goal_is_kept_before_the_pot_is_full(phone, other_phone, app):
    phone.fill(POT[:10])
    refused = phone.send(who="0", goal=SECRET)
    assert refused.status_code == 422
    assert says(refused, "The goals stay hidden until the pot holds 11 cards: 1 trick is still to play.")
    assert SECRET not in everything_stored(app)
    phone.trick(POT[10])
    assert other_phone.open().text.count(FACE_DOWN) == HIDDEN_GOALS


def test_two_phones_enter_the_same_trick(phone, other_phone):
    other_phone.open()
    phone.trick("8-waves-leaves", "1")
    late = other_phone.send(by="1", card="8-waves-leaves")
    assert late.status_code == 303
    assert says(other_phone.open(), "Another phone had it already")


def test_two_phones_enter_different_tricks_and_the_slower_one_chooses(phone, other_phone):
    other_phone.open()
    phone.trick("8-waves-leaves", "1")
    late = other_phone.send(by="2", card="ace-moons")
    assert late.status_code == 409
    for sentence in (
        "The 8 of waves and leaves",
        "Won by",
        "Bo",
        "The Ace of moons",
        "Cy",
        "Both are right: mine is trick 2",
    ):
        assert says(late, sentence)


def test_a_goal_is_not_turned_up_when_the_pot_has_changed_meanwhile(phone, other_phone):
    phone.fill()
    other_phone.open()
    phone.send("/undo")
    assert other_phone.send(who="1", goal="4-moons-suns").status_code == 303
    assert says(other_phone.open(), "Another phone undid trick 11 meanwhile. Your tap wasn’t saved")


def test_a_trick_in_the_middle_is_corrected_and_later_totals_follow(phone, scores):
    phone.play_hand()
    phone.play_hand(POT[::-1])
    assert scores() == (38, 34, 36)
    page = phone.open("/entries/2")
    assert says(page, "Correct trick 2")
    assert re.search(r'name="card" value="8-waves-leaves"[^>]* checked', page.text)
    asked = phone.send("/entries/2", by="1", card="2-waves-leaves", ask="preview")
    assert re.findall(r'<th scope="row">(\d)</th><td class="num"><s[^>]*>(\d+)</s> <b>(\d+)</b>', asked.text) == [
        ("1", "19", "13"),
        ("2", "38", "32"),
    ]
    assert phone.send("/entries/2", by="1", card="2-waves-leaves").status_code == 303
    # leaves 19 - 6 = 13: Ana 13, Cy 13 (leaves and knots)
    assert scores() == (32, 34, 31)


@pytest.mark.parametrize("sent", [{}, {"ask": "preview"}], ids=["saved", "asked"])
def test_a_correction_stripes_what_the_hand_has_elsewhere_and_says_what_to_do_first(phone, scores, sent):
    phone.play_hand()
    phone.trick("crown-knots")  # of the next hand: it matters to none of this
    page = phone.open("/entries/2")
    deck = re.findall(r'name="card" value="([\w-]+)"((?:(?!name="card").)*)', page.text, re.DOTALL)
    gone = {card for card, drawn in deck if "card decktet gone" in drawn}
    assert gone == {*POT, *GOALS} - {POT[1]}
    for card, sentence in (
        (POT[0], f"{_capital(POT[0])} went into the pot with trick 1. Give trick 1 another card first."),
        (POT[4], f"{_capital(POT[4])} went into the pot with trick 5. Give trick 5 another card first."),
        (GOALS[1], f"{_capital(GOALS[1])} is Bo’s goal. Correct the goals first."),
    ):
        refused = phone.send("/entries/2", by="1", card=card, **sent)
        assert refused.status_code == (200 if sent else 422)
        assert says(refused, sentence)
        assert "no longer fits" not in refused.text
    before = scores()
    assert phone.send("/entries/5", by="1", card="2-waves-leaves").status_code == 303  # what was said can be done
    assert phone.send("/entries/2", by="1", card=POT[4]).status_code == 303
    phone.open()
    assert phone.send("/entries/5", by="1", card=POT[1]).status_code == 303
    assert scores() == before


def _capital(card: str) -> str:
    title = CARDS[card].title
    return title[0].upper() + title[1:]


def test_the_goals_are_corrected(phone, scores):
    phone.play_hand()
    page = phone.open("/entries/12")
    assert says(page, "Correct hand 1")
    typed = {"goal_0": "4-waves-leaves", "goal_1": "4-moons-suns", "goal_2": "4-wyrms-knots"}
    assert says(phone.send("/entries/12", ask="preview", **typed), "the lower of 7 wyrms and 18 knots")
    refused = phone.send("/entries/12", **{**typed, "goal_1": "crown-moons"})
    assert refused.status_code == 422
    assert says(refused, "The Crown of moons can’t be Bo’s goal: a goal has two suits.")
    assert phone.send("/entries/12", **typed).status_code == 303
    assert scores() == (19, 17, 7)


def test_a_correction_shows_each_total_that_it_changes_once_a_hand(phone):
    phone.play_hand()
    phone.play_hand()
    phone.trick("ace-moons")
    typed = {"goal_0": "4-waves-leaves", "goal_1": "4-moons-suns", "goal_2": "4-wyrms-knots"}  # Cy: 7 wyrms, not 18
    assert changed(phone.send("/entries/12", ask="preview", **typed)) == [
        ["After hand", "Ana", "Bo", "Cy"],
        ["1", "19", "17", "18 7"],
        ["2", "38", "34", "36 25"],
    ]


def test_a_correction_says_before_it_is_saved_who_leads_with_it(phone):
    """Ana 19, Bo 17, Cy 18; with the goals of Ana and Cy the other way round it is Ana 7, Bo 17, Cy 19."""
    phone.play_hand()
    typed = {"goal_0": "4-wyrms-knots", "goal_1": "4-moons-suns", "goal_2": "4-waves-leaves"}
    assert says(phone.send("/entries/12", ask="preview", **typed), "Cy leads with it, since hand 1")
    phone.play_hand()
    assert says(phone.send("/entries/12", ask="preview", **typed), "Cy leads with it, since hand 1")


def test_who_won_a_trick_is_corrected_and_no_total_changes(phone):
    phone.fill(POT[:3])
    asked = phone.send("/entries/2", by="none", card="8-waves-leaves", ask="preview")
    assert says(asked, "This changes no total")
    assert phone.send("/entries/2", by="none", card="8-waves-leaves").status_code == 303


def test_a_stopped_match_goes_on_by_undo_or_by_what_was_played_instead(phone):
    phone.fill(POT[:3])
    assert phone.send("/stop").status_code == 303
    phone.seen += 1
    page = phone.open()
    assert says(page, "The match was stopped")
    assert says(page, "Rematch")
    assert says(phone.open("/entries/4"), "Who won trick 4?")
    assert phone.send("/entries/4", by="1", card="crown-moons").status_code == 303
    assert says(phone.open(), "Who won trick 5?")


@pytest.mark.parametrize(
    ("goals", "said", "heard"),
    [
        (GOALS, "Ana wins", "Ana wins, 19, Cy\u00a018, Bo\u00a017"),
        (
            ("8-moons-suns", "4-moons-suns", "5-moons-leaves"),
            "Ana, Bo and Cy win together",
            "Ana, Bo and Cy win together, 17 each",
        ),
        (
            ("4-waves-leaves", "2-waves-leaves", "5-moons-leaves"),
            "Ana and Bo win together",
            "Ana and Bo win together, 19, Cy\u00a017",
        ),
    ],
)
@pytest.mark.parametrize("agreed", [{"hands": 1}])
def test_one_or_several_win(phone, goals, said, heard):
    phone.play_hand(goals=goals)
    page = phone.open()
    assert says(page, said)
    assert f'data-announce="{heard}"' in page.text
    assert f'data-share-text="Bisque: {heard}."' in page.text
    assert says(page, "Rematch, Bo deals")
    assert phone.send("/rematch").location.endswith("/m/2")


def test_entries_of_several_events_are_shown_event_by_event(phone, app, match):
    with app.app_context():
        entries.record(match, pots(*POT[:2]), idempotency_key="two", expected_seq=0)
        entries.record(match, [*pots(*POT[2:]), Reveal(GOALS)], idempotency_key="ten", expected_seq=1)
        entries.record(match, [Pot("ace-moons", BO)], idempotency_key="one", expected_seq=2)
    page = phone.open()
    assert says(page, "After it: 19, 17, 18.")
    assert "Correct the goals" not in words(page)
    assert set(re.findall(r"/entries/(\d+)(?!/doubt)\b", page.text)) == {"3"}
    assert phone.send("/undo", of="2").status_code == 303
    assert says(phone.open(), "Who won trick 4?")


def test_the_chart_shows_the_totals_after_each_hand(phone, log):
    phone.play_hand()
    phone.fill(POT[:2])
    phone.send("/undo")
    phone.open()
    phone.fill(POT[1:])
    phone.turn_up(*GOALS)
    phone.send(save=",".join(GOALS))
    series = board(log(), None, None).series
    assert [one["points"] for one in series] == [[0, 19, 38], [0, 17, 34], [0, 18, 36]]


def test_undo_takes_a_trick_back(phone):
    phone.fill(POT[:2])
    phone.send("/undo")
    assert says(phone.open(), "Who won trick 2?")


def test_while_the_goal_is_asked_for_a_hand_is_undone_from_the_menu(phone):
    def menu():
        return re.search(r'class="menu-list".*?</details>', phone.open().text, re.DOTALL)[0]

    phone.belongs_to("Ana")
    phone.play_hand()
    assert "Undo hand 1" in menu()
    phone.trick("ace-moons")
    assert "Undo" not in menu()  # it is in the dock


def test_each_number_is_explained(phone):
    phone.play_hand()
    phone.fill(POT[:2])
    page = phone.open()
    assert says(page, "the lower of 21 waves and 19 leaves")
    assert says(page, "Hand 1, Ana: the 4 of waves and leaves, the lower of 21 waves, 19 leaves")
    assert says(page, "Crown 10 + 8 + 3")  # waves of the first hand
    assert says(page, "Crown 10 + 8")  # and of this one


def test_who_watches_sees_the_pot_and_has_no_keys(phone, watcher):
    phone.play_hand()
    phone.fill(POT[:2])
    page = watcher.open()
    assert page.status_code == 200
    assert says(page, "waves: 18")
    assert set(re.findall(r'method="post" action="([^"]*)"', page.text)) == {"/language", "/theme"}
    assert "goal-pick" not in page.text
    assert "/entries/" not in page.text
    assert "bisque.js" not in page.text
    for path in ("/hand", "/goal", "/entries/2"):
        assert watcher.send(path, by="0", card="ace-moons", goal="4-moons-suns").status_code == 403


def test_a_form_without_a_key_or_with_nonsense_never_breaks(phone):
    for fields in ({}, {"by": "0"}, {"who": "0"}, {"goal": "x" * 1000, "who": "0"}, {"save": "x"}, {"hide": "9"}, {"card": ""}):
        assert phone.send(**fields).status_code in {200, 303, 422}
    phone.fill()
    for fields in ({}, {"who": "0", "goal": "\x00"}, {"save": ",,"}, {"save": "a,b,c"}, {"who": "7", "goal": GOALS[0]}):
        assert phone.send(**fields).status_code in {200, 303, 422}


def test_the_calculator_answers_and_keeps_nothing(client):
    page = client.get("/calculate/bisque")
    assert page.status_code == 200
    assert says(page, "0 of 11 cards in the pot")
    typed = {"pot": list(POT), "goal_0": GOALS[0], "goal_1": GOALS[1], "ask": "preview"}
    page = client.post("/calculate/bisque", data=typed)
    assert says(page, "You: 19, the lower of 21 waves and 19 leaves")
    assert says(page, "Left: 17, the lower of 17 moons and 28 suns")
    refused = client.post("/calculate/bisque", data={"pot": [*POT, "crown-moons"]})
    assert refused.status_code == 422
    assert says(refused, "12 of 11 cards in the pot")
    assert says(refused, "waves: 0")  # never eleven of twelve
    refused = client.post("/calculate/bisque", data={"pot": list(POT), "goal_0": POT[1]})
    assert says(refused, "The 8 of waves and leaves can’t be your goal: it is in the pot.")
    refused = client.post("/calculate/bisque", data={"pot": list(POT), "goal_2": POT[1]})
    assert refused.status_code == 422
    assert says(refused, "The 8 of waves and leaves can’t be Right’s goal: it is in the pot.")


def test_the_hands_are_agreed_on_before(app, table):
    client = app.test_client()
    refused = client.post(f"/t/{table.play}/matches", data={"game": "bisque", "hands": "0"})
    assert refused.status_code == 422
    assert 'value="0"' in refused.text


def test_the_places_at_a_new_table_are_where_people_sit_and_the_turn_runs_to_the_left(client):
    page = client.get("/tables/new?game=bisque").text
    labels = re.findall(r"<label[^>]*>([^<]*)</label>", page)
    assert labels[:3] == ["Your name", "On your right", "On your left"]
    assert SCREENS.turn == "left"


# --- The goal first ---------------------------------------------------------------------------------------------------------


def test_a_hand_begins_with_the_goal_of_each_phones_player(phone, other_phone):
    phone.belongs_to("Ana")
    other_phone.belongs_to("Bo")
    assert says(phone.open(), "First, your goalPick a two-suit card from your hand. Only you will see it.")
    assert says(phone.open(), "Skip, it lies on the table")
    assert phone.send(chosen="yes").status_code == 303
    page = phone.open()
    assert not says(page, "First, your goal")
    assert says(page, "Who won trick 1?")
    assert says(other_phone.open(), "Ana has chosen. Cy is still thinking.")
    assert not says(other_phone.open(), "Undo:")  # it is no step that somebody would take back
    phone.trick("ace-moons")
    assert not says(other_phone.open(), "has chosen")
    assert not says(other_phone.open(), "First, your goal")


def test_a_phone_that_belongs_to_nobody_is_told_to_say_whose_it_is(phone):
    for card in ("ace-moons", "ace-suns"):  # at the start of a hand, and later
        page = phone.open()
        assert says(page, "This phone doesn’t know you yet, so it can’t keep your goal. Say who you are")
        assert "goal-pick" not in page.text
        phone.trick(card)


def test_once_it_is_turned_up_a_goal_is_no_secret_any_more(phone):
    phone.belongs_to("Ana")
    assert says(phone.open(), "My goal, only here")
    phone.fill()
    phone.turn_up(SECRET)
    page = phone.open()
    assert not says(page, "only here")
    phone.turn_up(*GOALS)
    assert says(phone.open(), "Turn mine back Save hand 1")


# --- The secret --------------------------------------------------------------------------------------------------------------

SECRET = "4-waves-leaves"
FACE_DOWN = ">face down</"
HIDDEN_GOALS = 6  # places that say "face down" while no goal lies open: three goals, and three tiles to turn them up


def everything_fetched(phone):
    """Return everything that a phone can fetch of the match and of its table, without what differs each time."""
    table, link = phone.link.partition("/m/")[0], phone.link.split("/")[2]
    pages = [phone.open(path) for path in ("", "/goal", "/entries/1", "/may-i", "/record.json")]
    pages += [phone.get(table), phone.get(f"{table}/table.json"), phone.get("/may-i/bisque"), phone.get("/")]
    pages.append(phone.client.get("/api/v1/matches/1/record", headers={"Authorization": f"Bearer {link}"}))
    told = [f"{page.status_code} {page.text}" for page in pages]
    return [re.sub(r'name="(csrf_token|idempotency_key)" value="[^"]*"', "", page) for page in told]


def everything_stored(app):
    """Return every row of the database, in words: the log and the drafts, and what the stream tells phones of."""
    with app.app_context():
        tables = db.metadata.sorted_tables
        return repr({table.name: db.session.execute(table.select()).all() for table in tables})


def test_asking_what_my_goal_scores_leaves_no_trace_anywhere(phone, other_phone, watcher, app, tmp_path, caplog, capfd):
    phone.fill(("crown-waves", "8-waves-leaves", "ace-leaves"))
    phone.open()  # the toast is shown once
    fetched = [everything_fetched(phone) for phone in (phone, other_phone, watcher)]
    stored = everything_stored(app)
    asked = phone.send("/goal", goal=SECRET)
    assert asked.status_code == 200
    assert says(asked, "now: the lower of 18 waves and 13 leaves")
    assert [everything_fetched(phone) for phone in (phone, other_phone, watcher)] == fetched
    assert everything_stored(app) == stored  # no line, no draft, and nothing for the stream to tell
    assert SECRET not in stored
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
    for file in Path(tmp_path).rglob("*"):
        if file.is_file():
            assert SECRET.encode() not in file.read_bytes(), file
    assert SECRET not in caplog.text
    assert SECRET not in "".join(capfd.readouterr())


def test_a_goal_that_lies_open_is_in_no_record_before_the_hand_is_saved(phone, watcher, log):
    phone.fill()
    phone.open()
    phone.turn_up(SECRET)
    fetched = everything_fetched(phone) + everything_fetched(watcher)
    records = [text for text in fetched if text.startswith("200 {")]
    assert len(records) == 5  # the page's record and the API's for both, and the table in a file for who plays
    assert not any(SECRET in record for record in records)
    assert all(isinstance(event, Pot) for entry in log().entries for event in entry.events)


def test_the_answer_goes_by_the_body_of_a_post_never_by_an_address(phone):
    page = phone.open("/goal")
    assert re.search(r'<form id="goal"[^>]*method="post"', page.text)
    assert "checked" not in phone.open(f"/goal?goal={SECRET}").text


def test_nothing_is_marked_on_anybodys_page_before_a_goal_is_turned_up(phone, other_phone):
    phone.fill()
    assert other_phone.open().text.count(FACE_DOWN) == HIDDEN_GOALS
    phone.turn_up(SECRET)
    assert other_phone.open().text.count(FACE_DOWN) == HIDDEN_GOALS - 2
