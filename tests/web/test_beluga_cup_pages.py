"""What do taps mean on the cup's pages, what is still asked, what is refused and where, and what is entered?"""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import msgspec
import pytest
from werkzeug.datastructures import MultiDict

from companion.engine import GAMES
from companion.engine.beluga_cup import (
    BelugaCupOptions,
    Discard,
    Eat,
    ExcuseSwap,
    ExcuseTake,
    Fill,
    Play,
    Shuffle,
)
from companion.engine.core import Stop, replay, start
from companion.matches import entries
from companion.screens.beluga_cup import SCREENS
from companion.screens.beluga_cup.calculate import CupCalculator
from companion.screens.beluga_cup.cards import DiscardPage, PlayPage
from companion.screens.beluga_cup.eat import EatPage
from companion.screens.beluga_cup.excuse import ExcusePage
from companion.screens.beluga_cup.finale import how_it_ended
from companion.screens.beluga_cup.fish import FishPage
from companion.screens.beluga_cup.whole import KINDS, PAGES, FixedPage, correction_page
from companion.screens.interface import Faster, PageContext, PreviewDraw, Rerender, Submit
from companion.storage.models import MatchId
from tests.web.forms_on_a_page import PageReader
from tests.web.people import CupPhone, says, words

ANA, BO = range(2)
GAME = GAMES["beluga-cup"]
FISH = ("suns",), ("leaves", "waves"), ("wyrms", "wyrms", "knots"), ("moons", "knots", "knots", "wyrms")
FILLS = tuple(Fill(number, fish, "hand") for number, fish in enumerate(FISH, start=1))


COURTS = {"deck": "courts"}
EATEN = (Play(BO, 1, BO, ("2-suns-wyrms",)), Play(ANA, 1, ANA, ("ace-suns",)), Fill(1, ("suns",), "hand"))


def table(*events, **options):
    """Return a table of Ana and Bo: zone 1 has a sun, 2 a leaf and a wave, 3 two wyrms and a knot, 4 four fish."""
    return replay(start(GAME, ("Ana", "Bo"), BelugaCupOptions(**options)), (*FILLS, *events))


def beginning(**options):
    return start(GAME, ("Ana", "Bo"), BelugaCupOptions(**options))


def page(made, position, /, draft=None, replacing=(), shared=True, **typed):
    """Return a page on which this was typed."""
    data = MultiDict()
    for name, value in typed.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return made(PageContext(position=position, draft=draft, shared=shared, replacing=replacing, form_data=data))


class TestFish:
    def test_companion_draws_for_all_zones_at_once(self):
        outcome = page(FishPage, beginning(), by="app").outcome()
        assert outcome == Submit(
            (Fill(1, (), "app"), Fill(2, (), "app"), Fill(3, (), "app"), Fill(4, (), "app")),
            "10 fish drawn",
            by_app=True,
        )

    def test_of_a_real_bag_each_fish_is_tapped_and_the_last_one_enters_them(self):
        fish = "suns,leaves,waves,wyrms,wyrms,knots,moons,knots,knots"
        form = page(FishPage, beginning(), fish=fish, add="wyrms")
        assert form.outcome() == Submit(FILLS, "10 fish drawn")

    def test_before_that_it_is_only_shown(self):
        form = page(FishPage, beginning(), fish="suns,leaves", add="waves")
        assert form.outcome() == Rerender()
        assert form.view().filled == ((1, ("suns",)), (2, ("leaves", "waves")), (3, ()), (4, ()))
        assert form.view().left == {"moons": 7, "suns": 6, "waves": 6, "leaves": 6, "wyrms": 7, "knots": 7}

    def test_the_last_one_is_taken_back(self):
        form = page(FishPage, beginning(), fish="suns,leaves", tap="back")
        assert form.outcome() == Rerender()
        assert form.fish == ("suns",)

    def test_a_bag_without_moons_gives_none(self):
        form = page(FishPage, beginning(), fish=",".join(["moons"] * 7), add="moons")
        assert form.outcome() == Rerender(wrong=True)
        assert form.errors == {"fish": "The bag has only 7 moon fish left."}
        assert len(form.fish) == 7

    def test_too_few(self):
        form = page(FishPage, beginning(), fish="suns,leaves,tigers")
        assert form.outcome() == Rerender(wrong=True)
        assert form.errors == {"fish": "Tap 8 more fish."}

    def test_no_zone_waits(self):
        form = page(FishPage, table(), by="hand")
        assert form.outcome() == Rerender(wrong=True)
        assert form.errors == {"fish": "No zone waits for fish."}

    def test_what_companion_drew_stays_its_draw_until_it_is_changed(self):
        drawn = Fill(1, ("suns",), "app")
        kept = page(FishPage, beginning(), replacing=(drawn,), fish="suns")
        assert kept.events() == (drawn,)
        changed = page(FishPage, beginning(), replacing=(drawn,), fish="", add="moons")
        assert changed.outcome() == Rerender()
        assert changed.events() == (Fill(1, ("moons",), "hand"),)


class TestPlay:
    def test_a_tapped_card_is_played(self):
        outcome = page(PlayPage, table(), zone="4", side="1", card="4-wyrms-knots").outcome()
        assert outcome == Submit((Play(BO, 4, BO, ("4-wyrms-knots",)),), "The 4 of wyrms and knots played")

    def test_on_the_other_side_too(self):
        outcome = page(PlayPage, table(), zone="4", side="0", card="crown-moons").outcome()
        assert outcome == Submit((Play(BO, 4, ANA, ("crown-moons",)),), "The Crown of moons played")

    def test_a_card_that_does_not_fit_says_why(self):
        form = page(PlayPage, table(), zone="2", side="1", card="4-wyrms-knots")
        assert form.outcome() == Rerender(wrong=True)
        assert form.view().asked.why == "No wyrm or knot fish swims in zone 2."
        assert form.view().errors == {}  # the card itself says why, nothing else does

    def test_a_card_that_lies_in_a_zone_is_not_played_again(self):
        position = table(Play(BO, 4, BO, ("4-wyrms-knots",)))
        form = page(PlayPage, position, zone="3", side="0", card="4-wyrms-knots")
        assert form.outcome() == Rerender(wrong=True)
        assert form.view().asked.why == "The 4 of wyrms and knots lies in zone 4 already."

    def test_a_discarded_card_says_that_it_lies_there(self):
        # zone 1 is eaten, so both its cards lie on the discard pile
        again = {"zone": "1", "side": "0", "card": "2-suns-wyrms"}
        form = page(PlayPage, table(*EATEN), **again)
        assert form.outcome() == Rerender(wrong=True)
        assert "among the discards" in form.view().asked.why
        assert not form.view().asked.fits

    def test_one_tap_tells_the_shuffle_and_plays_the_card(self):
        position = table(*EATEN)
        refused = page(PlayPage, position, zone="1", side="1", card="2-suns-wyrms")
        assert refused.outcome() == Rerender(wrong=True)
        assert refused.view().mend == "2-suns-wyrms"
        assert refused.view().why == "The 2 of suns and wyrms is among the discards until the deck is shuffled."
        assert refused.view().pile == 36 - 12 - 2
        player = position.state.turn
        outcome = page(PlayPage, position, zone="1", side="1", mend="2-suns-wyrms").outcome()
        assert outcome.events == (Shuffle(), Play(player, 1, 1, ("2-suns-wyrms",)))
        assert outcome.message == "The 2 of suns and wyrms played, after a shuffle"

    def test_where_somebody_else_has_told_the_shuffle_the_card_alone_is_played(self):
        position = table(*EATEN, Shuffle())
        outcome = page(PlayPage, position, zone="1", side="1", mend="2-suns-wyrms").outcome()
        assert outcome.events == (Play(position.state.turn, 1, 1, ("2-suns-wyrms",)),)

    def test_a_discarded_card_that_would_not_fit_either_is_not_mended(self):
        form = page(PlayPage, table(*EATEN), zone="2", side="1", card="2-suns-wyrms")
        assert form.outcome() == Rerender(wrong=True)
        assert form.view().mend == ""

    def test_several_aces_may_come_back_with_a_shuffle(self):
        position = table(*EATEN)
        form = page(PlayPage, position, zone="1", side="1", aces="1", shuffled="1", card="ace-suns")
        assert form.outcome().events == (Shuffle(), Play(position.state.turn, 1, 1, ("ace-suns",)))
        other = page(PlayPage, position, zone="1", side="1", aces="1", shuffled="1", card="crown-suns")
        assert other.outcome().events == (Play(position.state.turn, 1, 1, ("crown-suns",)),)

    def test_the_excuse_is_mended_too(self):
        position = table(ExcuseSwap(BO, 1, ("moons",), ("moons",), "hand"), **COURTS)
        refused = page(PlayPage, position, zone="1", side="1", card="excuse")
        assert refused.outcome() == Rerender(wrong=True)
        assert refused.view().mend == "excuse"

    def test_what_eats_says_so(self):
        position = table(Play(BO, 1, BO, ("8-moons-suns",)))
        outcome = page(PlayPage, position, zone="1", side="0", card="9-moons-suns").outcome()
        assert outcome.message == "Ana eats zone 1"

    def test_several_aces(self):
        outcome = page(PlayPage, table(), zone="3", side="1", aces="1", card=["ace-wyrms", "ace-knots"]).outcome()
        assert outcome == Submit((Play(BO, 3, BO, ("ace-wyrms", "ace-knots")),), "The Ace of wyrms and the Ace of knots played")

    @pytest.mark.parametrize(
        ("cards", "sentence"),
        [
            (["ace-wyrms", "ace-suns"], "No sun fish swims in zone 3: every Ace of a set must match one."),
            (["ace-wyrms", "crown-wyrms"], "Only Aces may be played together. Any other card is played alone."),
            (["ace-wyrms", "ace-wyrms"], "The Ace of wyrms is named twice."),
            (["tiger"], "“tiger” is not a card of the Decktet"),
            (["court-suns-waves-wyrms"], "You play without the Island"),
            ([], "Tap the card that was played."),
        ],
    )
    def test_cards_that_can_not_be(self, cards, sentence):
        form = page(PlayPage, table(), zone="3", side="1", aces="1", card=cards)
        assert form.outcome() == Rerender(wrong=True)
        assert sentence in form.errors["card"]

    def test_what_is_lacking_and_what_is_met(self):
        position = table(Play(BO, 4, BO, ("4-wyrms-knots",)))
        form = page(PlayPage, position, zone="4", side="1")
        assert (form.view().lacking, form.view().met) == (("moons", "knots"), ("wyrms", "knots"))

    def test_nothing_is_played_while_a_zone_waits(self):
        position = table(Play(BO, 1, BO, ("8-moons-suns",)), Play(ANA, 1, ANA, ("ace-suns",)))
        form = page(PlayPage, position, zone="2", side="0", card="4-waves-leaves")
        assert form.outcome() == Rerender(wrong=True)
        assert form.errors == {"": "Fill zone 1 first."}

    @pytest.mark.parametrize("more", [{}, {"shuffled": "1"}, {"mend": "4-waves-leaves"}])
    def test_where_no_cards_are_entered_none_is_played(self, more):
        form = page(PlayPage, table(cards="untracked"), zone="2", side="0", card="4-waves-leaves", **more)
        assert form.outcome() == Rerender(wrong=True)
        assert form.notes


class TestOthers:
    @pytest.mark.parametrize("number", [0, 1, 2, 3])
    def test_cards_are_discarded(self, number):
        assert page(DiscardPage, table(), cards=str(number)).outcome() == Submit((Discard(BO, number),), "No card fitted")

    @pytest.mark.parametrize("typed", ["", "4", "-1", "two"])
    def test_up_to_three(self, typed):
        form = page(DiscardPage, table(), cards=typed)
        assert form.outcome() == Rerender(wrong=True)
        assert form.errors == {"cards": "Tap how many cards were discarded: none, or up to three."}

    def test_who_ate(self):
        outcome = page(EatPage, table(cards="untracked"), zone="3", player="0").outcome()
        assert outcome == Submit((Eat(3, ANA),), "Ana eats zone 3")

    @pytest.mark.parametrize(
        ("typed", "place", "sentence"),
        [
            ({"player": "0"}, "zone", "Tap the zone that was eaten."),
            ({"zone": "5", "player": "0"}, "zone", "Tap the zone that was eaten."),
            ({"zone": "3"}, "player", "Tap who ate it."),
            ({"zone": "3", "player": "2"}, "player", "Tap who ate it."),
        ],
    )
    def test_who_and_what_must_be_known(self, typed, place, sentence):
        form = page(EatPage, table(cards="untracked"), **typed)
        assert form.outcome() == Rerender(wrong=True)
        assert form.errors == {place: sentence}

    def test_who_ate_follows_from_the_cards_where_they_are_entered(self):
        form = page(EatPage, table(), zone="3", player="0")
        assert form.ready() is None
        assert form.errors == {"": "Here the cards decide who eats."}

    def test_a_page_that_was_only_opened_refuses_nothing(self):
        opened = EatPage(PageContext(position=table(), shared=True, query={"zone": "1"}))
        assert opened.view().errors == {}


class TestExcuse:
    def courts(self, *events, **options):
        return table(*events, deck="courts", **options)

    def test_it_swaps_where_nobody_has_played_and_takes_from_the_own_side(self):
        form = page(ExcusePage, self.courts(Play(BO, 4, BO, ("crown-moons",)), Play(ANA, 3, BO, ("ace-wyrms",))))
        assert form.view().swaps == (1, 2)
        assert form.view().takes == ((3, "ace-wyrms"), (4, "crown-moons"))

    def test_where_it_can_do_nothing_it_says_why(self):
        form = page(ExcusePage, table())
        assert (form.view().swaps, form.view().takes) == ((), ())
        assert form.view().no_swap == form.view().no_take == "The Excuse is played only with the Courts (deck: courts)."

    def test_companion_draws_and_everybody_sees_it(self):
        form = page(ExcusePage, self.courts(), zone="2", tap="draw")
        look = form.outcome()
        assert isinstance(look, PreviewDraw)
        assert look.event == ExcuseSwap(BO, 2, (), (), "app")
        draft = look.show(None, ExcuseSwap(BO, 2, ("moons", "suns"), (), "app"))
        assert draft == {"swap": {"player": BO, "zone": 2, "drawn": ["moons", "suns"]}}
        form = page(ExcusePage, self.courts(), draft=draft, back=["0", "2"])
        assert form.view().mixed == ("leaves", "waves", "moons", "suns")
        swap = ExcuseSwap(BO, 2, ("moons", "suns"), ("leaves", "moons"), "app")
        assert form.outcome() == Submit((swap,), "The Excuse was played", by_app=True)

    def test_fish_of_a_real_bag_are_tapped(self):
        form = page(ExcusePage, self.courts(), zone="2", drawn="moons", add="suns")
        assert form.outcome() == Rerender()
        assert form.view().drawn == ("moons", "suns")
        form = page(ExcusePage, self.courts(), zone="2", drawn="moons,suns", by="hand", back=["3", "2"])
        assert form.outcome() == Submit(
            (ExcuseSwap(BO, 2, ("moons", "suns"), ("suns", "moons"), "hand"),), "The Excuse was played"
        )

    def test_the_shuffle_that_brings_it_back_is_one_entry_with_it(self):
        position = self.courts(ExcuseSwap(BO, 1, ("moons",), ("moons",), "hand"))
        fields = {"zone": "2", "drawn": "moons,suns", "by": "hand", "back": ["0", "1"]}
        resting = page(ExcusePage, position, **fields).view()
        assert resting.no_swap == "The Excuse is among the discards until the deck is shuffled."
        told = "The Excuse was played, after a shuffle"
        swap = ExcuseSwap(ANA, 2, ("moons", "suns"), ("leaves", "waves"), "hand")
        form = page(ExcusePage, position, shuffled="1", **fields)
        assert form.view().swaps == (1, 2, 3, 4)
        assert form.outcome() == Submit((Shuffle(), swap), told)
        # what Companion drew is seen by other phones, which complete it
        look = page(ExcusePage, position, zone="2", tap="draw", shuffled="1").outcome()
        assert look.before == (Shuffle(),)
        draft = look.show(None, msgspec.structs.replace(swap, returned=(), drawn_by="app"))
        assert draft == {"swap": {"player": ANA, "zone": 2, "drawn": ["moons", "suns"], "shuffled": True}}
        form = page(ExcusePage, position, draft=draft, back=["0", "1"])
        assert form.outcome() == Submit((Shuffle(), msgspec.structs.replace(swap, drawn_by="app")), told, by_app=True)
        # corrected, it stays one entry
        fields["back"] = ["2", "3"]
        corrected = page(ExcusePage, position, replacing=(Shuffle(), swap), shared=False, shuffled="1", **fields)
        assert corrected.events() == (Shuffle(), msgspec.structs.replace(swap, returned=("moons", "suns")))

    def test_nobody_can_say_what_companion_drew(self):
        form = page(ExcusePage, self.courts(), zone="2", drawn="moons,suns", by="app", back=["3", "2"])
        with pytest.raises(Faster):  # what it drew is not there, or not any more
            form.outcome()

    def test_too_few_go_back(self):
        form = page(ExcusePage, self.courts(), zone="2", drawn="moons,suns", back=["0"])
        assert form.ready() is None
        assert form.errors == {"back": "Put back as many fish as were drawn: 2, not 1."}

    @pytest.mark.parametrize(
        ("typed", "place", "sentence"),
        [
            ({}, "use", "Tap a zone to swap, or a card to take back."),
            ({"zone": "3"}, "drawn", "Draw 3 more fish."),
            ({"zone": "1", "drawn": "moons"}, "back", "Tap the fish that goes back into the bag."),
        ],
    )
    def test_what_is_still_asked(self, typed, place, sentence):
        form = page(ExcusePage, self.courts(), **typed)
        assert form.outcome() == Rerender(wrong=True)
        assert form.errors == {place: sentence}

    def test_a_card_is_taken_back(self):
        position = self.courts(Play(BO, 4, BO, ("crown-moons",)), Discard(ANA, 0))
        outcome = page(ExcusePage, position, take="4:crown-moons").outcome()
        assert outcome == Submit((ExcuseTake(BO, 4, "crown-moons"),), "The Excuse was played")

    def test_where_nobody_is_on_turn_it_is_asked_who_plays_it(self):
        position = self.courts(cards="untracked")
        form = page(ExcusePage, position, zone="2")
        assert form.outcome() == Rerender(wrong=True)
        assert form.errors == {"player": "Tap who plays the Excuse."}
        look = page(ExcusePage, position, zone="2", player="0", tap="draw").outcome()
        assert look.event == ExcuseSwap(ANA, 2, (), (), "app")

    def test_drafts_that_make_no_sense_are_passed_over(self):
        for draft in ({}, {"swap": 3}, {"swap": {"player": 7, "zone": 2, "drawn": []}}, {"bidder": 1}):
            assert page(ExcusePage, self.courts(), draft=draft).drawn_by_app is None


TAKEN = Play(BO, 4, BO, ("crown-moons",)), Discard(ANA, 2)

ENTRIES = [
    (beginning(), FILLS),
    (beginning(), (FILLS[2],)),
    (table(), (Play(BO, 3, ANA, ("ace-wyrms", "ace-knots")),)),
    (table(*EATEN), (Shuffle(), Play(BO, 1, BO, ("2-suns-wyrms",)))),
    (table(), (Discard(BO, 3),)),
    (table(cards="untracked"), (Eat(4, ANA),)),
    (table(**COURTS), (ExcuseSwap(BO, 2, ("moons", "moons"), ("moons", "leaves"), "hand"),)),
    (table(**COURTS), (ExcuseSwap(BO, 2, ("moons", "moons"), ("moons", "leaves"), "app"),)),
    (table(*TAKEN, **COURTS), (ExcuseTake(BO, 4, "crown-moons"),)),
]


def test_more_fish_break_a_tie_of_points():
    """Both score 3, and Bo ate a fish more: he wins by that, not by 3 to 3."""
    state = msgspec.structs.replace(table(cards="untracked").state, eaten=((5, 3, 0, 0, 0, 0), (3, 4, 2, 0, 0, 0)), over=True)
    position = replace(table(cards="untracked"), state=state)
    log = SimpleNamespace(position=position, standing=position.standing(), entries=())
    came_out = how_it_ended(log)
    assert (came_out.result, came_out.others) == ("3", "to 3, more fish")
    assert came_out.why == "Equal, more fish: Bo, 9 to 8"


class TestCorrection:
    def test_every_event_has_its_page(self):
        assert set(KINDS) == set(GAME.events)
        assert set(KINDS.values()) == set(PAGES)

    @pytest.mark.parametrize(("before", "events"), ENTRIES)
    def test_an_entry_is_shown_as_it_is(self, before, events):
        form = correction_page(PageContext(position=before, replacing=events))
        assert sorted(map(repr, form.events())) == sorted(map(repr, events)) or returned(form.events()) == returned(events)
        assert form.ready() is not None

    def test_it_may_have_been_something_else(self):
        card = Play(BO, 4, BO, ("crown-moons",))
        form = correction_page(
            PageContext(position=table(), replacing=(card,), form_data=MultiDict({"kind": "play", "to": "discard"}))
        )
        assert isinstance(form, DiscardPage)
        form = page(correction_page, table(), replacing=(card,), kind="discard", cards="2")
        assert form.events() == (Discard(BO, 2),)
        assert [kind for kind, _ in form.kinds] == ["play", "discard"]

    def test_of_fish_only_the_fish_can_be_wrong(self):
        form = page(correction_page, beginning(), replacing=FILLS, kind="play", fish="")
        assert isinstance(form, FishPage)
        assert form.kinds == ()

    def test_where_it_was_played_is_changed_before_it_is_saved(self):
        form = page(
            correction_page, table(), replacing=(Play(BO, 4, BO, ("crown-moons",)),), kind="play", move="3:0", card="ace-wyrms"
        )
        assert form.outcome() == Rerender()
        assert form.events() == (Play(BO, 3, ANA, ("ace-wyrms",)),)

    @pytest.mark.parametrize("events", [(Stop(),), (Play(BO, 4, BO, ("crown-moons",)), Discard(ANA, 1))])
    def test_what_is_only_undone(self, events):
        form = correction_page(PageContext(position=table(), replacing=events, form_data=MultiDict()))
        assert isinstance(form, FixedPage)
        assert form.outcome() == Rerender(wrong=True)
        assert form.ready() is None


def returned(events):
    return [sorted(event.returned) for event in events if isinstance(event, ExcuseSwap)]


class TestCalculator:
    def calculate(self, **typed):
        return CupCalculator(MultiDict(typed))

    def test_it_adds_up(self):
        form = self.calculate(moons_0="2", moons_1="1", suns_0="3", suns_1="1", waves_0="1", waves_1="3")
        assert not form.wrong
        assert form.view().cup.points == (2, 1)
        assert form.view().verdict == "Player 1 wins the cup"
        assert (form.view().lines[0].what, form.view().lines[0].amounts) == (
            "Moons: 2 to 1, Player 1 scores 1",
            (1, 0),
        )

    def test_a_tap_on_a_fish_adds_one(self):
        form = self.calculate(knots_1="4", add="1:knots")
        assert not form.wrong
        assert form.typed(1, "knots") == "5"

    def test_a_shared_cup(self):
        assert self.calculate(knots_1="4", waves_0="4").view().verdict == "A shared cup"

    @pytest.mark.parametrize("typed", ["x", "-1", "1.5", "٣", "123"])
    def test_what_is_no_number_stays_with_its_sentence(self, typed):
        form = self.calculate(suns_1=typed)
        assert form.wrong
        assert form.typed(1, "suns") == typed
        assert form.errors == {"1.suns": f"“{typed}” is not a number of fish."}

    def test_more_fish_than_any_bag_has(self):
        form = self.calculate(suns_0="7", suns_1="6")
        assert form.wrong
        assert form.errors == {
            "0.suns": "A bag has at most 12 fish of a suit, so Player 1 and Player 2 can’t have eaten 13 sun fish."
        }


# Through the pages


@pytest.fixture
def match(open_match, agreed):
    return open_match("beluga-cup", ["Ana", "Bo"], **agreed)


@pytest.fixture
def at_match():
    return CupPhone


def test_a_turn_on_the_pages(phone, log):
    phone.fill()
    assert says(phone.open(), "Bo plays next")
    page = phone.tap("/play", zone="4", side="1", card="4-wyrms-knots")
    assert says(page, "Ana plays next")
    assert 'aria-label="4 Battle, wyrms and knots"' in page.text
    assert says(page, "The 4 of wyrms and knots played")
    assert not says(page, "0 to 0")
    assert log().entries[-1].events == (Play(BO, 4, BO, ("4-wyrms-knots",)),)


def test_the_bag_of_the_last_cup_is_offered_first_in_the_next(phone, log):
    def rematch(number):
        assert phone.send("/stop").status_code == 303
        phone.open()
        assert phone.send("/rematch").location.endswith(f"/m/{number}")
        phone.link = re.sub(r"\d+$", str(number), phone.link)
        return phone.open()

    def primary(page):
        return " ".join(words(re.search(r'<form[^>]*id="draw".*?</form>', page.text, re.DOTALL)[0]).split())

    first = phone.open()
    assert primary(first) == "Draw 10 fish for the four zones"
    assert says(first, "Draws are provably fair.")
    phone.fill()
    second = rematch(2)
    assert primary(second) == "Tap the fish for the four zones"
    assert not says(second, "provably fair")
    assert says(second, "Let Companion draw")
    phone.tap("/fish", by="app")
    third = rematch(3)
    assert primary(third) == "Draw 10 fish for the four zones"
    assert says(third, "Use our own bag")


def test_the_excuse_offers_the_bag_in_use_first(app, phone, table):
    with app.app_context():
        number = entries.open_match(table.id, "beluga-cup", ("Ana", "Bo"), COURTS)
    phone.link = phone.link.replace("/m/1", f"/m/{number}")

    def offers():
        return re.findall(r"Let Companion draw 2 fish|or tap what came out|fish-pad", phone.send("/excuse", swap="2").text)

    phone.tap("/fish", by="app")
    assert offers() == ["Let Companion draw 2 fish", "or tap what came out", "fish-pad"]
    with app.app_context():
        (suit,) = entries.read(MatchId(table.id, number)).position.state.zone(1).fish
    phone.tap("/play", zone="1", side="1", card=f"ace-{suit}")
    phone.tap("/play", zone="1", side="0", card=f"crown-{suit}")
    phone.fill((suit,))
    assert offers() == ["fish-pad", "Let Companion draw 2 fish"]


def test_companion_draws_and_the_fish_leave_the_bag_in_turn(phone, log):
    page = phone.tap("/fish", by="app")
    fills = log().entries[0].events
    assert [fill.drawn_by for fill in fills] == ["app"] * 4
    assert re.findall(r'data-turn="(\d)"', page.text) == [str(number) for number in range(10)]
    page = phone.tap("/discard", cards="0")
    assert "data-turn" not in page.text


@pytest.mark.parametrize(
    ("page", "fields", "place", "sentence"),
    [
        ("/play", {"zone": "2", "side": "1", "card": "4-wyrms-knots"}, "why", "No wyrm or knot fish swims in zone 2."),
        (
            "/play",
            {"zone": "3", "side": "1", "aces": "1", "card": ["ace-suns", "ace-wyrms"]},
            "refusal-card",
            "every Ace of a set",
        ),
        ("/play", {"zone": "3", "side": "1", "aces": "1"}, "refusal-card", "Tap the card that was played."),
        ("/discard", {"cards": "4"}, "refusal-cards", "none, or up to three"),
        ("/fish", {"fish": "moons"}, "refusal-fish", "No zone waits for fish."),
        (
            "/excuse",
            {"swap": "", "zone": "2", "drawn": "moons,suns", "back": "0"},
            "",
            "The Excuse is played only with the Courts",
        ),
        ("/eat", {"zone": "2", "player": "0"}, "", "Here the cards decide who eats"),
    ],
)
def test_what_can_not_be_is_said_at_its_place(phone, page, fields, place, sentence):
    phone.fill()
    answer = phone.send(page, **fields)
    assert answer.status_code == 422
    said = re.search(rf'id="{place}"(.*?)</div>\s*(?:<|$)', answer.text, re.DOTALL)[1] if place else answer.text
    assert sentence in unescape(said)


def test_what_was_tapped_stays_when_it_is_refused(phone):
    phone.fill()
    answer = phone.send("/play", zone="3", side="1", aces="1", card=["ace-suns", "ace-wyrms"])
    assert re.search(r'value="ace-wyrms"[^>]* checked', answer.text)


def chosen(phone, page):
    """Tap "Use mine"."""
    (form,) = [form for form in PageReader(page.text).forms if form.action.endswith("/instead")]
    assert phone.client.post(form.action, data=dict(form.values)).status_code == 303


def test_another_phone_played_meanwhile_and_mine_is_chosen(phone, log):
    phone.fill()
    phone.open()
    late = phone.seen
    phone.tap("/play", zone="1", side="1", card="9-moons-suns")
    phone.seen = late
    answer = phone.send("/play", zone="1", side="1", card="8-moons-suns")
    assert answer.status_code == 409
    assert says(answer, "Bo played the 9 of moons and suns on their own side of zone 1.")
    facts = re.findall(r"<dt[^>]*>(\w+)</dt><dd><b>(.*?)</b>", answer.text)
    assert facts == [("Card", "9 Pact"), ("Card", "8 Diplomat")]  # what differs, and no more
    chosen(phone, answer)
    assert log().entries[-1].events == (Play(BO, 1, BO, ("8-moons-suns",)),)


def test_two_phones_tap_other_fish(phone, log):
    phone.open()
    late = phone.seen
    phone.fill()
    phone.seen = late
    answer = phone.send("/fish", fish="moons,leaves,waves,wyrms,wyrms,knots,moons,knots,knots", add="wyrms")
    assert answer.status_code == 409
    chosen(phone, answer)
    assert log().entries[0].events[0] == Fill(1, ("moons",), "hand")


def test_two_phones_tap_the_same_fish(phone, log):
    phone.open()
    late = phone.seen
    phone.fill()
    phone.seen = late
    *others, last = [suit for fish in CupPhone.FISH for suit in fish]
    answer = phone.send("/fish", fish=",".join(others), add=last)
    assert answer.status_code == 303
    assert says(phone.open(), "Another phone had it already")
    assert log().seq == 1


def test_a_draw_that_came_too_late_is_no_correction(phone):
    phone.open()
    late = phone.seen
    phone.tap("/fish", by="app")
    phone.seen = late
    answer = phone.send("/fish", by="app", idempotency_key="another")
    assert answer.status_code == 303
    assert says(phone.open(), "Another phone had it already")


def test_a_draw_that_was_sent_twice_is_one_draw(phone, log):
    phone.open()
    for _ in range(2):
        assert phone.send("/fish", by="app", idempotency_key="the-same").status_code == 303
    assert len(log().entries) == 1


@pytest.mark.parametrize("agreed", [{"deck": "courts"}])
def test_what_companion_drew_for_a_swap_is_seen_before_anything_goes_back(phone, log):
    phone.tap("/fish", by="app")
    assert phone.send("/excuse", zone="3", tap="draw").status_code == 303
    page = phone.open()
    assert says(page, "Bo swaps fish in zone 3")
    assert "Play in zone" not in page.text  # first the swap is completed
    form = phone.open("/excuse")
    assert form.text.count('name="back"') == 6
    answer = phone.send("/excuse", back=["0", "1"])
    assert answer.status_code == 422
    assert says(answer, "Put back as many fish as were drawn: 3, not 2.")
    assert re.search(r'name="back" value="1"[^>]* checked', answer.text)
    drawn = re.findall(r'name="drawn" value="([^"]*)"', form.text)[0]
    swapped = {
        "zone": "3",
        "drawn": drawn,
        "by": "app",
        "back": ["0", "1", "4"],
        "idempotency_key": "swap",
        "expected_seq": phone.seen,
    }
    for _ in range(2):  # the reply to the first was lost
        assert phone.send("/excuse", **swapped).status_code == 303
    assert says(phone.open(), "The Excuse was played")
    swap = log().entries[-1].events[0]
    assert swap.drawn_by == "app"
    assert len(swap.returned) == 3
    # which fish went back is corrected; what was drawn stays Companion's draw
    phone.open()
    answer = phone.send("/entries/2", kind="excuse", zone="3", drawn=",".join(swap.drawn), by="app", back=["3", "4", "5"])
    assert answer.status_code == 303, words(answer)
    corrected = log().entries[-1].events[0]
    assert (corrected.drawn_by, corrected.drawn, corrected.returned) == ("app", swap.drawn, swap.drawn)


@pytest.mark.parametrize("agreed", [{"cards": "untracked"}])
def test_a_correction_in_the_middle_moves_every_later_total(phone):
    phone.fill()
    for player in (BO, BO, ANA):  # Bo has two suns, Ana one
        assert phone.tap("/eat", zone="1", player=str(player)).status_code == 200
        phone.fill(["suns"])
    assert 'data-announce="Ana 0, Bo 1' in phone.open().text
    preview = phone.send("/entries/4", kind="eat", zone="1", player="0", ask="preview")
    assert says(preview, "What changes")
    assert re.findall(r"<s class=\"text-muted\">(\d)</s> <b>(\d)</b>", preview.text) == [
        ("0", "1"),
        ("1", "0"),
        ("0", "1"),
        ("1", "0"),
    ]
    assert phone.send("/entries/4", kind="eat", zone="1", player="0").status_code == 303
    assert 'data-announce="Ana 1, Bo 0' in phone.open().text
    history = phone.open("/see/history")
    assert says(history, "4. Ana eats zone 1")
    assert says(history, "corrected")
    assert says(phone.open(), "Undo correction of “Ana eats zone 1”")


def test_a_correction_that_others_build_on_is_refused_and_names_the_entry(phone):
    phone.fill()
    phone.tap("/play", zone="1", side="1", card="8-moons-suns")
    phone.tap("/play", zone="1", side="0", card="ace-suns")  # Bo eats the sun, and Ana plays next
    phone.fill(["suns"])
    phone.tap("/play", zone="1", side="0", card="9-moons-suns")
    answer = phone.send("/entries/3", kind="play", zone="1", side="0", card="crown-suns")
    assert answer.status_code == 422
    assert says(answer, "no longer fits: It is Bo’s turn, not Ana’s.")
    assert re.search(r'value="crown-suns"[^>]* checked', answer.text)


def test_how_colours_score_and_zones_are_eaten_is_explained_alike_wherever_it_is_asked(phone, client):
    scoring = "For each suit, whoever has more fish scores as many points as the other has of it."
    assert says(phone.open(), scoring)
    assert says(client.get("/calculate/beluga-cup"), scoring)
    phone.fill()
    for page in ("/see/zone?zone=1", "/eat?zone=1"):
        assert says(phone.open(page), "Once both sides have met the demand, the higher total eats the fish.")


def test_who_watches_reads_everything_and_enters_nothing(phone, watcher, table):
    phone.fill()
    for page in ("", "/see/history", "/see/zone?zone=4", "/seal"):
        shown = watcher.open(page)
        assert shown.status_code == 200
        assert table.play not in shown.text
        assert not re.search(r"Correct</|Play here|Play in zone|No card fits|>Undo<", shown.text)
    for page in ("/fish", "/play", "/discard", "/eat", "/excuse", "/seal"):
        assert watcher.send(page, by="app", word="pearl").status_code == 403


@pytest.mark.parametrize("agreed", [{"cards": "untracked"}])
def test_nobody_is_asked_who_ate_a_zone_that_another_phone_has_entered(phone):
    phone.fill()
    assert 'id="sheet-content"' in phone.open("/eat?zone=3").text
    phone.tap("/eat", zone="3", player="0")
    assert 'id="sheet-content"' not in phone.open("/eat?zone=3").text  # so the sheet offers to look at the match instead


@pytest.mark.parametrize("agreed", [{"cards": "untracked"}])
def test_the_end_tells_its_sum_by_colour_and_the_other_deals_the_rematch(phone, table):
    phone.tap("/fish", by="app")
    for number in range(9):
        page = phone.tap("/eat", zone="4", player=str(number % 2))
        if number < 8:
            page = phone.tap("/fish", by="app")
    assert says(page, "The match is over")
    assert says(page, "The sum by suit")
    assert says(page, "Rematch, Bo deals")
    assert phone.send("/rematch").status_code == 303
    assert says(phone.get(f"/t/{table.play}/m/2"), "Draws are provably fair")


def test_a_stopped_match_says_so(phone):
    phone.fill()
    page = phone.tap("/stop")
    assert says(page, "The match was stopped")
    assert phone.open("/entries/2").status_code == 200
    assert phone.tap("/undo").status_code == 200


# What is asked for on each page
ASKED = {
    "fish": ("fish", "add", "tap", "by"),
    "play": ("zone", "side", "card", "aces", "move"),
    "discard": ("cards", "player"),
    "eat": ("zone", "player"),
    "excuse": ("zone", "player", "card", "add", "tap", "drawn", "back", "take", "swap", "by"),
}


@pytest.mark.parametrize("filled", [False, True])
@pytest.mark.parametrize("junk", ["9", "4" * 300, "moons", "\x00"])
def test_no_tap_breaks_a_page(phone, junk, filled):
    if filled:
        phone.fill()
    for page in PAGES:
        for name in ASKED[page]:
            answer = phone.send(f"/{page}", **{name: junk})
            assert answer.status_code < 500, (page, name)
            assert not says(answer, "None"), (page, name)
    if filled:
        for name in sorted({name for names in ASKED.values() for name in names} | {"kind", "to"}):
            assert phone.send("/entries/1", **{name: junk}).status_code < 500, name
    for view in ("history", "zone"):
        assert phone.open(f"/see/{view}", zone=junk).status_code == 200


@pytest.mark.parametrize("junk", ["", "9", "-1", "ü", "4" * 300, "moons", "<b>", "\x00"])
def test_no_tap_breaks_the_calculator(client, junk):
    for name in ("moons_0", "moons_1", "add"):
        assert client.post("/calculate/beluga-cup", data={name: junk}).status_code in {200, 422}


def test_the_house_rules_are_asked_before_the_match(client, table):
    page = client.post(f"/t/{table.play}/game", data={"choose": "beluga-cup"}, follow_redirects=True)
    for sentence in ("Only who eats a zone", "With the Courts and the Excuse", "The bag has"):
        assert says(page, sentence)


def test_the_engine_refuses_at_the_page_what_the_page_did_not_see():
    form = page(PlayPage, table(), zone="3", side="1")
    form.refuse("Bo has no card.", "cards.0")
    assert form.errors == {"card": "Bo has no card."}
    assert SCREENS.next_first(table().standing()) == BO


class TestWhatElseCouldHaveBeenPlayed:
    """Zone 2 wants a leaf and a wave, and Bo has played the Mill, of waves and leaves, on Ana's side of it."""

    @pytest.fixture
    def told(self, phone, log):
        phone.fill()
        phone.tap("/play", zone="2", side="0", card="8-waves-leaves")
        return lambda: phone.open("/see/other-plays", entry=log().entries[1].seq)

    def test_nothing_is_told_while_the_match_runs(self, phone, told):
        assert says(told(), "This is told once the match is over: until then it would help one player.")
        assert "other-plays" not in phone.open("/see/history").text

    def test_the_same_card_elsewhere_and_other_cards_there(self, phone, told):
        phone.send("/stop")
        assert "/see/other-plays?entry=" in phone.open("/see/history").text
        page = told()
        assert says(page, "Bo played the 8 of waves and leaves on Ana’s side of zone 2")
        elsewhere = re.findall(r'<h3 class="panel-title">(.*?)</h3>', page.text)
        assert [unescape(place) for place in elsewhere] == ["Zone 2, Bo’s side"]  # no other zone has waves or leaves
        # ten cards have waves and ten leaves; three have both, and one of these is the Mill
        assert page.text.partition('class="deck"')[2].count('class="card-piece"') == 10 + 10 - 3 - 1

    @pytest.mark.parametrize("entry", ["", "1", "99", "ü", "9" * 40])
    def test_an_entry_that_is_no_play(self, phone, told, entry):
        phone.send("/stop")
        assert says(phone.open("/see/other-plays", entry=entry), "No card was played by this entry.")
