"""What do the pages of What the Fish! do? Keys that say what they do, late cards, WTF cards, corrections."""

from __future__ import annotations

import re

import pytest
from werkzeug.datastructures import MultiDict

from companion.engine import GAMES
from companion.engine.core import Stop, replay, start
from companion.engine.what_the_fish import Buddha, Dead, FlintFlush, Free, Kill, Protect, Swim, Wtf
from companion.screens.interface import PageContext, Rerender, Submit
from companion.screens.what_the_fish import SCREENS
from companion.screens.what_the_fish.calculate import DuelCalculator
from companion.screens.what_the_fish.entry import KINDS, EntryPage
from companion.screens.what_the_fish.play import PlayPage, keys
from companion.screens.what_the_fish.wtf import CARDS, FlushPage, WtfPage
from tests.web.forms_on_a_page import PageReader
from tests.web.people import PhoneAtMatch, claim, says, words

GAME = GAMES["what-the-fish"]
PLAYERS = ("Ana", "Bo", "Cy")
ANA, BO, CY = range(3)

# the rule text's example up to the number 22: Ana's 8, Bo's 4 and 6, Ana's 11, Cy's 9, Bo's 13
EXAMPLE = (Swim(ANA, 8), Kill(BO, 4), Kill(BO, 6), Protect(ANA, 11), Kill(CY, 9), Kill(BO, 13))


def position(*events, players=PLAYERS):
    return replay(start(GAME, players), events)


def context(*events, players=PLAYERS, viewer=None, **typed):
    data = MultiDict({name: str(value) for name, value in typed.items()}) if typed else None
    return PageContext(position=position(*events, players=players), shared=True, form_data=data, viewer=viewer)


class TestKeys:
    def test_the_picture_of_the_game(self):
        said = [(key.name, key.kind, key.note) for key in keys(position(*EXAMPLE).state, 24)]
        assert said == [("Ana", "protect", "PROTECT, saved"), ("Bo", "kill", "KILL to 46"), ("Cy", "kill", "KILL to 46")]

    @pytest.mark.parametrize(
        ("events", "value", "notes"),
        [
            ((), 8, ["FISH 8", "FISH 8", "FISH 8"]),
            ((), None, ["FISH", "FISH", "FISH"]),
            ((Swim(ANA, 8),), 9, ["PROTECT: nothing to save", "KILL, dying", "KILL, dying"]),
            ((Swim(ANA, 8),), None, ["PROTECT: nothing to save", "KILL", "KILL"]),
            ((Swim(ANA, 8), Kill(BO, 4)), 3, ["PROTECT: nothing to save", "KILL to 7, 2 short", "KILL to 7, 2 short"]),
            ((Swim(ANA, 8), Kill(BO, 9)), 4, ["PROTECT to 4, 6 short", "KILL to 13", "KILL to 13"]),
            ((Swim(ANA, 8), Kill(BO, 9), Protect(ANA, 4)), 6, ["PROTECT, saved", "KILL waits", "KILL waits"]),
        ],
    )
    def test_each_says_what_will_happen(self, events, value, notes):
        assert [key.note for key in keys(position(*events).state, value)] == notes

    def test_only_those_that_would_be_refused_wait(self):
        around = keys(position(Swim(ANA, 8), Kill(BO, 9), Protect(ANA, 4)).state, 6)
        assert [key.waits for key in around] == [False, True, True]

    def test_they_begin_with_the_phones_own_player_and_go_round(self):
        page = PlayPage(context(viewer=CY))
        assert [key.name for key in page.view().keys] == ["Cy", "Ana", "Bo"]

    @pytest.mark.parametrize("typed", ["0", "00", "x", "-3", "³", "1000000001"])
    def test_what_is_no_card_says_nothing_of_its_effect(self, typed):
        page = PlayPage(context(*EXAMPLE, value=typed, ask="preview"))
        assert [key.note for key in page.view().keys] == ["PROTECT", "KILL", "KILL"]


class TestPlaying:
    @pytest.mark.parametrize(
        ("events", "tap", "value", "entered", "said"),
        [
            ((), "fish:0", "8", Swim(ANA, 8), "Ana’s FISH 8"),
            ((Swim(ANA, 8),), "kill:1", "13", Kill(BO, 13), "Bo’s KILL 13"),
            ((Swim(ANA, 8), Kill(BO, 13)), "protect:0", "014", Protect(ANA, 14), "Ana’s PROTECT 14"),
            ((Swim(ANA, 8), Kill(BO, 13)), "dead", "", Dead(), "Ana’s fish of 8 is dead"),
            ((Swim(ANA, 8),), "free", "", Free(), "Ana’s fish of 8 is free"),
        ],
    )
    def test_a_tap_enters_what_its_key_said(self, events, tap, value, entered, said):
        assert PlayPage(context(*events, tap=tap, value=value)).outcome() == Submit((entered,), said, totals=False)

    def test_what_the_key_said_counts_however_the_swim_stands_by_now(self):
        # Bo's key said KILL when Ana's fish swam; by now Bo's own fish does: that is for the engine to refuse
        late = PlayPage(context(Swim(BO, 11), tap="kill:1", value="9"))
        assert late.outcome() == Submit((Kill(BO, 9),), "Bo’s KILL 9", totals=False)

    @pytest.mark.parametrize(
        ("tap", "value", "words"),
        [
            ("kill:1", "", "Which KILL?"),
            ("fish:1", "", "Which FISH?"),
            ("kill:1", "0", "There is no card 0."),
            ("kill:1", "12a", "There is no card “12a”."),
            ("kill:1", "٣", "There is no card “٣”"),
            ("kill:1", "-4", "There is no card “-4”"),
            ("kill:1", "12345678901", "There is no card 12345678901"),
            ("kill:1", "1000000001", "There is no card 1000000001"),
            ("kill:3", "4", "doesn’t work here"),
            ("kill:", "4", "doesn’t work here"),
            ("bite:1", "4", "doesn’t work here"),
            ("kill:²", "4", "doesn’t work here"),
        ],
    )
    def test_what_can_not_be_is_said_and_what_was_typed_stays(self, tap, value, words):
        page = PlayPage(context(*EXAMPLE, tap=tap, value=value))
        assert page.outcome() == Rerender(wrong=True)
        assert words in page.errors[""]
        assert page.value == value

    def test_asking_enters_nothing(self):
        assert PlayPage(context(tap="fish:0", value="8", ask="preview")).outcome() == Rerender()
        assert PlayPage(context(value="8")).outcome() == Rerender()


class TestWtfCards:
    def test_each_of_the_eight_is_there_with_what_it_does(self):
        page = WtfPage(context(*EXAMPLE))
        assert [one.card.label for one in page.view().cards] == [
            "Beaver Buddha",
            "Mugger Croc",
            "Snapper Snatch",
            "Mrs. Crobits",
            "WTF Tax",
            "Undo the last action",
            "Communist Manifesto",
            "The Elvis Effect",
        ]
        assert all(one.card.effect for one in page.view().cards)

    def test_those_that_can_not_be_played_now_tell_why(self):
        blocked = {one.name: one.why_not for one in WtfPage(context()).view().cards if one.why_not}
        assert set(blocked) == {"beaver-buddha", "time-traveler", "elvis-effect"}
        assert "No fish is swimming" in blocked["beaver-buddha"]
        assert "no fish has died yet" in blocked["elvis-effect"]
        after_a_death = (*EXAMPLE, Dead(), Swim(CY, 11))
        assert [one.why_not for one in WtfPage(context(*after_a_death)).view().cards if one.why_not] == []

    def test_undo_tells_what_it_would_undo(self):
        assert WtfPage(context(*EXAMPLE)).view().undoes == "Bo’s KILL 13"

    @pytest.mark.parametrize(
        ("card", "entered", "said"),
        [
            ("beaver-buddha", Buddha(BO), "Bo plays Beaver Buddha"),
            ("time-traveler", Wtf(BO, "time-traveler"), "Bo’s time travel took back Bo’s KILL 13"),
        ],
    )
    def test_a_card_for_nobody_is_entered_at_once(self, card, entered, said):
        page = WtfPage(context(*EXAMPLE, who=BO, tap=f"card:{card}"))
        assert page.outcome() == Submit((entered,), said, totals=False)

    def test_a_card_for_somebody_asks_for_whom(self):
        page = WtfPage(context(*EXAMPLE, who=ANA, tap="card:snapper-snatch"))
        assert page.outcome() == Rerender()
        assert (page.next_part, page.view().next_question, page.possible("target")) == ("target", "Trade with whom?", (BO, CY))
        then = WtfPage(context(*EXAMPLE, who=ANA, card="snapper-snatch", tap="target:2"))
        assert then.outcome() == Submit((Wtf(ANA, "snapper-snatch", CY),), "Ana plays Snapper Snatch on Cy", totals=False)

    def test_the_manifesto_asks_for_giver_and_receiver(self):
        four = {"players": ("Ana", "Bo", "Cy", "Di"), "who": ANA}
        page = WtfPage(context(tap="card:communist-manifesto", **four))
        assert page.outcome() == Rerender()
        assert (page.view().next_question, page.possible("target")) == ("Who gives?", (1, 2, 3))
        page = WtfPage(context(card="communist-manifesto", tap="target:2", **four))
        assert page.outcome() == Rerender()
        assert (page.view().next_question, page.possible("to")) == ("Who receives?", (1, 3))
        page = WtfPage(context(card="communist-manifesto", target=2, tap="to:3", **four))
        assert page.outcome().events == (Wtf(ANA, "communist-manifesto", 2, 3),)

    def test_where_only_one_can_be_meant_nobody_is_asked(self):
        two = {"players": ("Ana", "Bo"), "who": ANA}
        assert WtfPage(context(tap="card:wtf-tax", **two)).outcome().events == (Wtf(ANA, "wtf-tax", BO),)
        page = WtfPage(context(card="communist-manifesto", tap="target:1", **two))
        assert page.outcome().events == (Wtf(ANA, "communist-manifesto", BO, ANA),)
        page = WtfPage(context(card="communist-manifesto", tap="target:1", who=ANA))
        assert page.outcome().events == (Wtf(ANA, "communist-manifesto", BO, CY),)

    def test_the_phone_plays_for_its_player_and_else_asks_who(self):
        assert WtfPage(context(viewer=CY)).who == CY
        page = WtfPage(context(*EXAMPLE, tap="card:beaver-buddha"))
        assert page.outcome() == Rerender()
        assert (page.next_part, page.view().next_question, page.possible("who")) == ("who", "Who plays it?", (ANA, BO, CY))
        page = WtfPage(context(*EXAMPLE, card="beaver-buddha", tap="who:2"))
        assert page.outcome().events == (Buddha(CY),)

    @pytest.mark.parametrize("tap", ["card:tiger", "card:", "target:1", "who:9"])
    def test_without_a_card_the_cards_are_shown_again(self, tap):
        page = WtfPage(context(*EXAMPLE, who=ANA, tap=tap))
        assert page.outcome() == Rerender()
        assert page.next_part == "card"

    def test_an_unknown_key_is_refused(self):
        page = WtfPage(context(*EXAMPLE, who=ANA, tap="bite:1"))
        assert page.outcome() == Rerender(wrong=True)
        assert "doesn’t work here" in page.errors[""]

    def test_a_flint_flush_is_one_tap(self):
        assert FlushPage(context(tap="who:2")).outcome() == Submit((FlintFlush(CY),), "Cy’s Flint Flush", totals=False)
        assert FlushPage(context()).view().draws == 7
        assert FlushPage(context(players=("Ana", "Bo"))).view().draws == 10
        assert FlushPage(context(tap="who:3")).outcome() == Rerender(wrong=True)


EVERY_EVENT = [
    ((), Swim(BO, 12), "fish"),
    (EXAMPLE[:1], Kill(CY, 3), "kill"),
    (EXAMPLE[:3], Protect(ANA, 7), "protect"),
    (EXAMPLE, Dead(), "dead"),
    (EXAMPLE[:4], Free(), "free"),
    (EXAMPLE, Buddha(CY), "wtf"),
    ((), Wtf(ANA, "mugger-croc", BO), "wtf"),
    ((), Wtf(ANA, "snapper-snatch", CY), "wtf"),
    ((), Wtf(BO, "mrs-crobits", CY), "wtf"),
    ((), Wtf(CY, "wtf-tax", ANA), "wtf"),
    (EXAMPLE, Wtf(CY, "time-traveler"), "wtf"),
    ((), Wtf(CY, "communist-manifesto", ANA, BO), "wtf"),
    ((*EXAMPLE, Dead()), Wtf(CY, "elvis-effect"), "wtf"),
    ((), FlintFlush(CY), "flint-flush"),
]


class TestCorrection:
    def page(self, before, event, **typed):
        data = MultiDict({name: str(value) for name, value in typed.items()}) if typed else None
        page = SCREENS.correction_page(PageContext(position=position(*before), replacing=(event,), form_data=data))
        assert isinstance(page, EntryPage)
        return page

    @pytest.mark.parametrize(("before", "event", "kind"), EVERY_EVENT)
    def test_each_kind_of_entry_comes_with_what_it_said_and_goes_back_as_it_was(self, before, event, kind):
        page = self.page(before, event)
        assert page.text("kind") == kind
        assert page.view().then is not None
        assert page.errors == {}
        again = self.page(before, event, **{name: page.text(name) for name in ("kind", "who", "value", "card", "target", "to")})
        assert again.outcome() == Submit((event,), "Corrected")
        assert again.ready() == (event,)

    def test_every_event_of_the_game_is_among_them(self):
        assert {type(event) for _, event, _ in EVERY_EVENT} == set(GAME.events)
        assert {event.card for _, event, _ in EVERY_EVENT if isinstance(event, Wtf)} | {"beaver-buddha"} == set(CARDS)
        assert {kind for _, _, kind in EVERY_EVENT} == set(KINDS)

    def test_an_end_can_become_a_card(self):
        page = self.page(EXAMPLE, Stop())
        assert page.text("kind") == ""
        assert page.view().then is None
        page = self.page(EXAMPLE, Stop(), kind="protect", who=0, value=24)
        assert page.outcome().events == (Protect(ANA, 24),)

    def test_what_comes_of_it_is_said_before_it_is_saved(self):
        page = self.page(EXAMPLE[:5], EXAMPLE[5], kind="kill", who=1, value=2, ask="preview")
        assert page.outcome() == Rerender()
        assert page.view().description == "Bo’s KILL 2"
        assert page.view().then.sentence == "Ana’s fish: the attack of 11 needs 1 more to kill it."

    @pytest.mark.parametrize(
        ("typed", "place", "words"),
        [
            ({"kind": "kill", "who": 1}, "value", "Which number"),
            ({"kind": "kill", "who": 1, "value": "x9"}, "value", "There is no card “x9”"),
            ({"kind": "kill", "value": 9}, "who", "Who played it?"),
            ({"kind": "kill", "who": 7, "value": 9}, "who", "Who played it?"),
            ({"kind": "wtf", "who": 1}, "card", "Which WTF card"),
            ({"kind": "wtf", "who": 1, "card": "tiger"}, "card", "Which WTF card"),
            ({"who": 1}, "kind", "What was it?"),
            ({"kind": "kill", "who": 0, "value": 9}, "who", "This fish is Ana’s own"),
            ({"kind": "protect", "who": 0, "value": 9}, "", "Nobody has attacked"),
            ({"kind": "wtf", "who": 1, "card": "mugger-croc"}, "target", "Whose hand?"),
            ({"kind": "wtf", "who": 1, "card": "mugger-croc", "target": 1}, "target", "somebody else’s hand"),
            ({"kind": "wtf", "who": 1, "card": "communist-manifesto", "target": 0}, "to", "Who receives?"),
            ({"kind": "wtf", "who": 1, "card": "communist-manifesto", "target": 0, "to": 0}, "to", "must differ"),
            ({"kind": "dead"}, "", "not dying"),
            ({"kind": "wtf", "who": 1, "card": "elvis-effect"}, "card", "no fish has died"),
        ],
    )
    def test_what_can_not_be_is_said_at_its_place(self, typed, place, words):
        page = self.page(EXAMPLE[:1], EXAMPLE[1], **typed)
        assert page.view().then is None
        assert words in page.errors[place]

    def test_what_is_still_missing_is_asked_and_no_mistake_until_it_is_saved(self):
        page = self.page(EXAMPLE[:1], EXAMPLE[1], kind="wtf", who=1, ask="preview")
        assert page.outcome() == Rerender()
        assert page.view().then is None
        assert (page.view().next_question, page.errors) == ("Which WTF card was it?", {})
        page = self.page(EXAMPLE[:1], EXAMPLE[1], kind="wtf", who=1)
        assert page.outcome() == Rerender(wrong=True)
        assert page.errors == {"card": "Which WTF card was it?"}

    def test_targets_of_another_card_are_left_out(self):
        page = self.page((), Wtf(ANA, "mugger-croc", BO), kind="wtf", who=0, card="flint", target=1, to=2)
        assert page.outcome() == Rerender(wrong=True)
        page = self.page(EXAMPLE, Kill(BO, 1), kind="wtf", who=0, card="time-traveler", target=1, to=2)
        assert page.outcome().events == (Wtf(ANA, "time-traveler"),)


class TestCalculator:
    def page(self, **typed):
        return DuelCalculator(MultiDict(typed))

    @pytest.mark.parametrize(
        ("duel", "title", "text"),
        [
            ("", "Which FISH swims?", "Type its number, then tap FISH."),
            ("fish-8", "The fish lives", "9 or more kills it."),
            ("fish-8 kill-4", "The fish lives", "4 so far, 5 more to kill it."),
            ("fish-8 kill-4 kill-6", "The fish dies", "11 or more saves it."),
            ("fish-8 kill-4 kill-6 protect-11", "The fish lives", "12 or more kills it."),
            ("fish-8 kill-4 kill-6 protect-11 kill-9 kill-13", "The fish dies", "23 or more saves it."),
        ],
    )
    def test_a_duel_dies_or_lives(self, duel, title, text):
        page = self.page(duel=duel, ask="preview")
        assert not page.wrong
        assert (page.view().title, page.view().text) == (title, text)

    def test_a_tap_lays_a_card_and_the_number_is_ready_for_the_next(self):
        page = self.page(duel="fish-8", value="10", tap="kill:1")
        assert not page.wrong
        assert (page.view().cards, page.value) == ("fish-8 kill-10", "")
        assert [key.note for key in page.view().keys] == ["from the others", "from its owner"]
        assert page.view().reasons == ("FISH 8: 9 or more kills it", "KILL 10: 10 is above 8: it kills")

    def test_the_newest_card_is_taken_back(self):
        page = self.page(duel="fish-8 kill-10 protect-4", tap="back")
        assert not page.wrong
        assert page.view().cards == "fish-8 kill-10"

    @pytest.mark.parametrize(
        ("duel", "typed", "words"),
        [
            ("fish-8", {"tap": "protect:0", "value": "3"}, "Nobody has attacked the owner’s fish"),
            ("fish-8 kill-9 protect-3", {"tap": "kill:1", "value": "3"}, "The owner’s protection of 3 is still short"),
            ("fish-8", {"tap": "kill:1", "value": "0"}, "There is no card 0."),
            ("fish-8", {"tap": "kill:1", "value": ""}, "Which number?"),
            ("fish-8", {"tap": "kill:1", "value": "?"}, "There is no card “?”"),
        ],
    )
    def test_what_can_not_be_is_said_and_what_was_typed_stays(self, duel, typed, words):
        page = self.page(duel=duel, **typed)
        assert page.wrong
        assert words in page.errors["value"]
        assert (page.view().cards, page.value) == (duel, typed["value"])

    @pytest.mark.parametrize(
        ("duel", "hand", "enough", "cheapest"),
        [
            ("fish-8 kill-4 kill-6", "4 6 13", True, (13,)),
            ("fish-8 kill-4 kill-6", "4, 6, 1", True, (4, 6, 1)),
            ("fish-8 kill-4 kill-6 protect-11 kill-9", "4 6 13", True, (4,)),
            ("fish-8", "4+6 13", True, (4, 6)),
            ("fish-8", "4 3", False, ()),
        ],
    )
    def test_which_cards_of_a_hand_do_it(self, duel, hand, enough, cheapest):
        best = self.page(duel=duel, hand=hand, ask="preview").view().best
        assert (best.enough, best.cheapest) == (enough, cheapest)

    @pytest.mark.parametrize("hand", ["4 x", "0", "-3", "1 " * 94])
    def test_a_hand_that_can_not_be_read_says_how_to_type_it(self, hand):
        page = self.page(duel="fish-8", hand=hand, ask="preview")
        assert page.view().best is None
        assert "with spaces between" in page.errors["hand"]

    @pytest.mark.parametrize(
        ("duel", "taken"),
        [
            ("x", ""),
            ("kill-4", ""),
            ("fish-8 fish-9", "fish-8"),
            ("fish-8 " * 200, "fish-8"),
            ("fish-8 kill-x kill-9", "fish-8"),
            ("fish-0", ""),
            ("fish-1000000000", "fish-1000000000"),
            ("fish-1000000001", ""),
            ("fish-99999999999", ""),
        ],
    )
    def test_a_duel_that_makes_no_sense_is_taken_as_far_as_it_goes(self, duel, taken):
        page = self.page(duel=duel, ask="preview")
        assert page.view().cards == taken

    def test_on_its_page(self, client):
        first = client.get("/calculate/what-the-fish")
        assert says(first, "Which FISH swims?")
        page = client.post("/calculate/what-the-fish", data={"duel": "fish-8 kill-4", "value": "6", "tap": "kill:1"})
        assert says(page, "The fish dies")
        assert 'value="fish-8 kill-4 kill-6"' in page.text
        wrong = client.post("/calculate/what-the-fish", data={"duel": "fish-8", "value": "6", "tap": "protect:0"})
        assert "/rules/what-the-fish#" in wrong.text.partition("data-error")[2].partition("</p>")[0]
        assert wrong.status_code == 422
        assert says(wrong, "Nobody has attacked the owner’s fish")
        assert re.search(r'<input id="value"[^>]*value="6"', wrong.text)
        best = client.post("/calculate/what-the-fish", data={"duel": "fish-8", "hand": "4 6 13", "ask": "preview"})
        assert says(best, "Lay 4 and 6")


class TestTold:
    """How a match stands and ended, where the table lists its matches."""

    @pytest.mark.parametrize(
        ("events", "said"),
        [
            ((), "no fish has died"),
            (EXAMPLE[:1], "8 to beat, Ana’s fish swims"),
            (EXAMPLE[:2], "8 to beat, Ana’s fish swims"),
            (EXAMPLE, "22 to beat, Ana’s fish is dying"),
            ((*EXAMPLE, Dead()), "1 fish died"),
            ((*EXAMPLE, Dead(), Swim(CY, 11), Buddha(BO)), "1 fish died"),
            ((*EXAMPLE, Stop()), "no fish has died"),
            ((Swim(BO, 12), Free()), "Bo wins"),
        ],
    )
    def test_how_it_stands(self, events, said):
        assert SCREENS.summary(position(*events).standing()) == said

    @pytest.mark.parametrize(
        ("events", "said"),
        [
            ((Swim(BO, 12), Free()), "Bo’s fish of 12 swam free, no fish died"),
            ((*EXAMPLE, Dead(), Swim(CY, 11), Free()), "Cy’s fish of 11 swam free, 1 fish died"),
            ((*EXAMPLE, Dead(), Stop()), "stopped, 1 fish died"),
            ((Stop(),), "stopped, no fish died"),
        ],
    )
    def test_how_it_ended(self, events, said):
        assert SCREENS.ending(position(*events).standing()) == said


class DuelPhone(PhoneAtMatch):
    """A phone that plays cards."""

    def play(self, tap, value=""):
        return self.send("/play", tap=tap, value=str(value))


@pytest.fixture
def match(open_match):
    return open_match("what-the-fish", PLAYERS)


@pytest.fixture
def at_match():
    return DuelPhone


@pytest.fixture
def entries(log):
    """Call it for what was entered, in the order of the server."""
    return lambda: [entry.events[0] for entry in log().entries]


def play_example(phone):
    for tap, value in (("fish:0", 8), ("kill:1", 4), ("kill:1", 6), ("protect:0", 11), ("kill:2", 9), ("kill:1", 13)):
        assert phone.play(tap, value).status_code == 303
    return phone.open()


def number(page):
    """Return the huge number of a page."""
    shown = re.search(r'<p class="duel-number"[^>]*><(?:a|span)[^>]*>([^<]*)', page.text)
    return shown[1]


def layers(page):
    """Return the layers that a page draws: total and whose."""
    return re.findall(r"<li data-fill[^>]*><b>(\d+)</b>.*?<span[^>]*>(.*?)</span>(?:<s>.*?</s>)?</li>", page.text)


class TestMatch:
    def test_the_example_of_the_rules_as_the_picture_draws_it(self, phone, watcher):
        page = play_example(phone)
        for seen in (page, watcher.open()):
            assert number(seen) == "22"
            assert says(seen, "Ana, beat this")
            assert says(seen, "23 or more saves it")
            assert layers(seen) == [("8", "Ana"), ("10", "Bo 4+6"), ("11", "Ana"), ("22", "Cy 9, Bo 13")]
        assert says(page, "Bo’s KILL 13Undo")
        assert says(page, "Belly up")

    def test_a_layer_that_saves_lets_free_be_tapped_and_no_longer_belly_up(self, phone):
        play_example(phone)
        assert can_tap(phone.open()) == {"dead"}
        phone.play("protect:0", 24)
        assert can_tap(phone.open()) == {"free"}
        phone.play("free")
        page = phone.open()
        assert says(page, "Ana wins 8 swam free")
        assert says(page, "Rematch, Bo deals")
        rematch = phone.send("/rematch")
        assert rematch.location.endswith("/m/2")
        assert says(phone.client.get(rematch.location), "Whoever is fastest starts.")

    def test_two_phones_in_the_same_second_are_both_kept_in_the_order_of_the_server(self, phone, other_phone, entries):
        phone.play("fish:0", 8)
        for each in (phone, other_phone):
            each.open()
        assert phone.play("kill:1", 4).status_code == 303
        assert other_phone.play("kill:2", 6).status_code == 303  # it had not seen Bo's 4
        assert entries() == [Swim(ANA, 8), Kill(BO, 4), Kill(CY, 6)]
        assert layers(phone.open())[1] == ("10", "Bo 4, Cy 6")

    def test_the_slower_of_two_fish_is_told_at_once_and_keeps_its_number(self, phone, other_phone, entries):
        for each in (phone, other_phone):
            each.open()
        assert phone.play("fish:0", 8).status_code == 303
        late = other_phone.play("fish:1", 11)
        assert late.status_code == 422
        assert says(late, "Ana’s fish still swims. The next FISH waits until it is dead, or for a Beaver Buddha.")
        assert re.search(r'<input id="value"[^>]*value="11"', late.text)
        assert number(late) == "8"
        assert [note for _, note in key_notes(late)] == ["PROTECT: nothing to save", "KILL, dying", "KILL, dying"]
        assert entries() == [Swim(ANA, 8)]

    def test_the_page_that_is_shown_again_says_its_keys_as_things_stand_now(self, phone):
        play_example(phone)
        refused = phone.play("kill:0", 9)
        assert refused.status_code == 422
        assert says(refused, "This fish is Ana’s own: Ana protects it, the others attack it.")
        assert re.search(r'<input id="value"[^>]*value="9"', refused.text)

    @pytest.mark.parametrize("value", ["0", "1000000001", "", "x"])
    def test_numbers_that_no_card_has_are_refused_with_a_sentence(self, phone, value, entries):
        phone.open()
        refused = phone.play("fish:0", value)
        assert refused.status_code == 422
        assert re.search(r'class="explain" role="alert"|class="explain"[^>]*role="alert"', refused.text)
        assert entries() == []

    def test_while_a_number_is_typed_the_keys_say_what_they_would_do_and_nothing_is_stored(self, phone, entries):
        play_example(phone)
        asked = phone.send("/play", value="24", ask="preview")
        assert asked.status_code == 200
        assert key_notes(asked) == [("note-0", "PROTECT, saved"), ("note-1", "KILL to 46"), ("note-2", "KILL to 46")]
        assert len(entries()) == 6

    def test_wtf_cards_and_flint_flush(self, phone, entries):
        play_example(phone)
        assert says(phone.open("/wtf"), "It would undo Bo’s KILL 13.")
        asked = phone.send("/wtf", who="0", tap="card:snapper-snatch")
        assert asked.status_code == 200
        assert says(asked, "Trade with whom?")
        assert phone.send("/wtf", who="0", card="snapper-snatch", tap="target:2").status_code == 303
        assert phone.send("/wtf", who="2", tap="card:time-traveler").status_code == 303
        page = phone.open()
        assert number(page) == "11"
        assert says(page, "Frozen for this swim: Bo’s KILL 13")
        assert phone.send("/flush", tap="who:1").status_code == 303
        assert phone.send("/wtf", who="1", tap="card:beaver-buddha").status_code == 303
        assert entries()[6:] == [
            Wtf(ANA, "snapper-snatch", CY),
            Wtf(CY, "time-traveler"),
            FlintFlush(BO),
            Buddha(BO),
        ]
        assert says(phone.open(), "Play a FISH!")

    def test_a_wtf_card_that_came_too_late_says_so(self, phone, other_phone):
        play_example(phone)
        other_phone.open("/wtf")
        phone.play("dead")
        late = other_phone.send("/wtf", who="2", tap="card:beaver-buddha")
        assert late.status_code == 422
        assert says(late, "No fish is swimming. Somebody plays a FISH first.")

    def test_every_number_is_explained(self, phone, watcher):
        play_example(phone)
        phone.play("dead")
        phone.play("fish:2", 11)
        for seen in (phone.open("/see/swims"), watcher.open("/see/swims")):
            for sentence in (
                "Ana’s fish of 8 died",
                "4 is not above 8: 5 more to kill it",
                "4 + 6 = 10 is above 8: it kills",
                "11 is above 10: it saves",
                "9 is not above 11: 3 more to kill it",
                "9 + 13 = 22 is above 11: it kills",
                "22 was not beaten",
                "Cy’s fish of 11 swims",
            ):
                assert says(seen, sentence), sentence
        assert "/entries/" in phone.open("/see/swims").text
        assert "/entries/" not in watcher.open("/see/swims").text

    def test_who_watches_sees_the_number_and_no_controls(self, phone, watcher):
        play_example(phone)
        page = watcher.open()
        assert number(page) == "22"
        assert set(re.findall(r'<form[^>]*method="post" action="([^"]*)"', page.text)) == {"/language", "/theme"}
        assert 'name="tap"' not in page.text
        assert watcher.send("/play", tap="dead").status_code == 403

    @pytest.mark.parametrize(
        ("kind", "asks"),
        [
            ("fish", {"value", "who"}),
            ("kill", {"value", "who"}),
            ("protect", {"value", "who"}),
            ("wtf", {"card", "who"}),
            ("flint-flush", {"who"}),
            ("dead", set()),
            ("free", set()),
        ],
    )
    def test_a_correction_asks_for_what_its_kind_of_entry_has(self, phone, kind, asks):
        phone.play("fish:0", 8)
        tile = re.search(rf'name="kind" value="{kind}"([^>]*)>', phone.open("/entries/1").text)[1]
        assert set(re.findall(r"data-(\w+)", tile)) == asks

    def test_a_kind_that_no_entry_has_is_asked_for(self, phone):
        phone.play("fish:0", 8)
        assert says(phone.send("/entries/1", kind="0", who="0", value="5", ask="preview"), "What was it?")

    def test_a_card_in_the_middle_is_corrected_and_what_follows_is_played_again(self, phone, other_phone, entries):
        play_example(phone)
        form = phone.open("/entries/3")
        assert says(form, "Correct Bo’s KILL 6")
        asked = phone.send("/entries/3", kind="kill", who="2", value="7", ask="preview")
        assert says(asked, "Cy’s KILL 7")
        assert says(asked, "Ana’s fish: 12 or more saves it.")  # 4 + 7 = 11: then Ana's 11 does not save any more
        assert says(asked, "no longer fits:")
        refused = phone.send("/entries/3", kind="kill", who="2", value="7")
        assert refused.status_code == 422
        assert re.search(r'name="value"[^>]*value="7"', refused.text)
        assert phone.send("/entries/3", kind="kill", who="2", value="5").status_code == 303
        assert entries()[2] == Kill(CY, 5)
        assert layers(other_phone.open())[1] == ("9", "Bo 4, Cy 5")
        assert says(other_phone.open("/see/swims"), "it kills. Corrected.")

    def test_a_fish_that_this_player_has_sent_already_is_called_that(self, phone, entries):
        claim(phone, "Ana")
        phone.open()
        assert phone.play("fish:0", 8).status_code == 303
        assert phone.play("fish:0", 8).status_code == 303  # from a page that shows nothing of it yet
        assert says(phone.open(), "You already sent Ana’s FISH 8")
        assert len(entries()) == 1

    def test_the_card_that_undoes_is_told_by_what_it_took_back(self, phone):
        phone.play("fish:0", 8)
        phone.open()
        phone.send("/wtf", who="1", tap="card:time-traveler")
        page = phone.open()
        assert says(page, "Bo’s time travel took back Ana’s FISH 8")
        assert says(page, "Undo: Bo’s time travel")
        assert says(phone.open("/see/swims"), "It lies frozen, face down, for this swim")

    def test_undo_takes_no_card_out_from_under_another_phones(self, phone, other_phone, entries):
        claim(other_phone, "Cy")
        phone.play("fish:0", 8)
        phone.open()
        phone.play("kill:1", 4)
        page = phone.open()
        keys = [dict(form.values) for form in PageReader(page.text).forms if form.action.endswith("/undo")]
        assert {"newest", "sure"} <= {name for fields in keys for name in fields}  # the key, and the toast's
        other_phone.open()
        other_phone.play("kill:2", 6)
        for fields in keys:
            late = phone.send("/undo", **fields)
            assert late.status_code == 409
            assert says(late, "Not undone")
            assert says(late, "Cy’s KILL 6 meanwhile. Look again, then undo what you mean.")
        assert entries() == [Swim(ANA, 8), Kill(BO, 4), Kill(CY, 6)]

    def test_redo_puts_no_card_under_another_phones(self, phone, other_phone, entries):
        phone.play("fish:0", 8)
        phone.open()
        phone.play("kill:1", 4)
        phone.open()
        phone.send("/undo", of=2, newest=1)
        keys = [dict(form.values) for form in PageReader(phone.open().text).forms if form.action.endswith("/undo")]
        redo = [fields for fields in keys if fields.get("of") == "3"]
        assert len(redo) == 2  # the toast's, and the menu's
        other_phone.open()
        other_phone.play("kill:2", 6)
        assert [phone.send("/undo", **fields).status_code for fields in redo] == [409, 409]
        assert entries() == [Swim(ANA, 8), Kill(CY, 6)]

    def test_remove_is_for_the_card_on_its_page_whatever_lies_on_it(self, phone, other_phone, entries):
        phone.play("fish:0", 8)
        phone.open()
        phone.play("kill:1", 4)
        page = phone.open("/entries/2")
        keys = [dict(form.values) for form in PageReader(page.text).forms if form.action.endswith("/undo")]
        (remove,) = [fields for fields in keys if "sure" not in fields]  # which the toast has
        other_phone.open()
        other_phone.play("kill:2", 6)
        assert phone.send("/undo", **remove).status_code == 303
        assert entries() == [Swim(ANA, 8), Kill(CY, 6)]

    def test_stopped_nobody_wins(self, phone):
        phone.play("fish:0", 8)
        phone.open()
        assert phone.send("/stop").status_code == 303
        page = phone.open()
        assert says(page, "The match was stopped")
        assert says(page, "Rematch")
        assert '<section id="duel" data-live data-over' in page.text  # which hides the keys
        assert says(phone.open("/see/swims"), "The match was stopped")
        assert phone.open("/entries/2").status_code == 200

    def test_how_it_stands_on_the_tables_page(self, phone):
        play_example(phone)
        page = phone.get(phone.link.removesuffix("/m/1") + "/table")
        assert "22 to beat, Ana’s fish is dying" in " ".join(words(page).split())


def can_tap(page):
    """Return which of the two ends of a swim can be tapped; each has its own place, always."""
    ends = re.findall(r'<button[^>]*name="tap"[^>]*value="(free|dead):[^"]*"([^>]*)>', page.text)
    assert [kind for kind, _ in ends] == ["free", "dead"]
    return {kind for kind, attributes in ends if "disabled" not in attributes}


def key_notes(page):
    """Return what the keys of a page say, by the id of their notes."""
    return [(key, words(note)) for key, note in re.findall(r'<small[^>]* id="(note-\d)">(.*?)</small>', page.text)]


@pytest.mark.both_databases
def test_a_race_is_the_same_on_both_databases(phone, other_phone, entries):
    for each in (phone, other_phone):
        each.open()
    assert phone.play("fish:0", 8).status_code == 303
    assert other_phone.play("kill:1", 9).status_code == 303
    assert other_phone.play("fish:1", 9).status_code == 422
    assert entries() == [Swim(ANA, 8), Kill(BO, 9)]


@pytest.mark.parametrize("people", [("Ana", "Bo"), ("Ana", "Bo", "Cy", "Di", "Em", "Fay")])
def test_two_to_six_have_a_key_each(app, table, open_match, people):
    open_match("what-the-fish", people)
    page = PhoneAtMatch(app, table.play).open()
    assert re.findall(r'name="tap" value="(fish:\d):1"', page.text) == [f"fish:{index}" for index in range(len(people))]
