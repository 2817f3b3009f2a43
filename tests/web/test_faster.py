"""What becomes of a tap when another phone was faster? It counts as what its key said, or not at all, and it is told why."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest

from companion.engine.beluga_cup import ExcuseSwap, Fill, Play
from companion.engine.text import Name, say
from companion.engine.what_the_fish import Dead, Free, Kill, Protect, Swim
from companion.matches import drafts
from companion.storage import database
from tests.web.people import CupPhone, PhoneAtMatch, claim, says
from tests.web.test_undo import said

PEOPLE = {
    "what-the-fish": ("Ana", "Bo", "Cy"),
    "rivals": ("Ana", "Bo"),
    "beloz": ("Ana", "Bo", "Cy", "Di"),
    "bisque": ("Ana", "Bo", "Cy"),
    "beluga-cup": ("Ana", "Bo"),
}


@pytest.fixture
def slug(request):
    return request.param


@pytest.fixture
def match(open_match, slug):
    return open_match(slug, PEOPLE[slug])


@pytest.fixture
def at_match(slug):
    return CupPhone if slug == "beluga-cup" else PhoneAtMatch


@pytest.fixture
def ana(phone):
    claim(phone, "Ana")
    phone.open()
    return phone


@pytest.fixture
def bo(other_phone):
    claim(other_phone, "Bo")
    other_phone.open()
    return other_phone


@pytest.fixture
def events(log):
    return lambda: [event for entry in log().entries for event in entry.events]


@pytest.fixture
def shared(app, match, log):
    """Call it for what phones share of the next entry."""

    def read():
        with app.app_context():
            return drafts.draft(match, log().head)

    return read


def key(page, begins):
    """Return what a key of the page sends, by how that begins; it can be tapped."""
    found = re.search(rf'<button(?![^>]*\bdisabled)[^>]*name="tap"[^>]*value="({begins}[^"]*)"', page.text)
    assert found, begins
    return unescape(found[1])


def hidden(page, name):
    """Return what a hidden field of the page holds."""
    return unescape(re.search(rf'<input\s+type="hidden" name="{name}" value="([^"]*)"', page.text)[1])


@pytest.fixture
def first(monkeypatch):
    """Call it with a tap of another phone: it is stored when the next tap is judged already, and is about to be stored."""
    writing = database.writing

    def arm(tap):
        def write(of=None):
            if of is not None and of[0] == "match":
                monkeypatch.setattr(database, "writing", writing)
                with ThreadPoolExecutor(1) as others:  # a request within a request would have the same g
                    assert others.submit(tap).result().status_code == 303
            return writing(of)

        monkeypatch.setattr(database, "writing", write)

    return arm


@pytest.mark.parametrize("slug", ["what-the-fish"], indirect=True)
class TestFish:
    def play(self, phone, begins, value=""):
        return phone.send("/play", tap=key(phone.open(), begins), value=str(value))

    def test_free_is_refused_once_another_card_lies_there(self, ana, bo, events):
        self.play(ana, "fish:0", 8)
        late = key(bo.open(), "free")
        self.play(ana, "kill:2", 4)  # which does not reach: the fish still swims, and its number stands
        self.play(ana, "kill:2", 5)
        answer = bo.send("/play", tap=late)
        assert answer.status_code == 422
        assert says(answer, "Ana was faster. Ana’s fish: 10 or more saves it.")
        assert events() == [Swim(0, 8), Kill(2, 4), Kill(2, 5)]

    def test_belly_up_is_for_the_fish_that_it_was_tapped_for(self, ana, bo, events):
        self.play(ana, "fish:0", 8)
        self.play(ana, "kill:1", 9)
        late = key(bo.open(), "dead")
        self.play(ana, "protect:0", 12)
        self.play(ana, "kill:2", 13)
        answer = bo.send("/play", tap=late)
        assert says(answer, "Ana was faster. Ana’s fish: 14 or more saves it.")
        self.play(ana, "dead")
        self.play(ana, "fish:2", 3)
        self.play(ana, "kill:1", 9)
        bo.send("/play", tap=late)  # Ana had that already
        assert events()[-1] == Kill(1, 9)

    def test_a_kill_is_for_the_fish_that_it_was_tapped_for(self, ana, bo, events):
        self.play(ana, "fish:0", 8)
        late = key(bo.open(), "kill:1")
        self.play(ana, "kill:1", 9)
        self.play(ana, "dead")
        self.play(ana, "fish:2", 3)
        assert says(bo.send("/play", tap=late, value="4"), "Ana was faster. Cy’s fish: 4 or more kills it.")
        assert events()[-1] == Swim(2, 3)

    def test_a_card_on_the_same_fish_counts_whatever_was_laid_meanwhile(self, ana, bo, events):
        self.play(ana, "fish:0", 8)
        late = key(bo.open(), "kill:1")
        self.play(ana, "kill:2", 4)
        assert bo.send("/play", tap=late, value="6").status_code == 303
        assert events() == [Swim(0, 8), Kill(2, 4), Kill(1, 6)]

    def test_the_same_end_at_the_same_moment_is_done(self, ana, bo, events):
        self.play(ana, "fish:0", 8)
        late = key(bo.open(), "free")
        self.play(ana, "free")
        assert bo.send("/play", tap=late).status_code == 303
        assert said(bo.open()) == "Ana had it already"
        assert events() == [Swim(0, 8), Free()]

    def test_undo_the_last_action_is_for_the_card_that_it_named(self, ana, bo, events):
        self.play(ana, "fish:0", 8)
        self.play(ana, "kill:1", 9)
        late = hidden(bo.open("/wtf"), "on")
        self.play(ana, "protect:0", 12)
        refused = bo.send("/wtf", tap="card:time-traveler", who="1", on=late)
        assert says(refused, "Ana was faster. Ana’s fish: 13 or more kills it.")
        assert events()[-1] == Protect(0, 12)

    def test_an_end_is_refused_where_a_card_was_stored_at_the_same_instant(self, ana, bo, events, first):
        self.play(ana, "fish:0", 8)
        late = key(bo.open(), "free")
        first(lambda: self.play(ana, "kill:2", 9))
        assert says(bo.send("/play", tap=late), "Ana was faster. Ana’s fish: 10 or more saves it.")
        assert events() == [Swim(0, 8), Kill(2, 9)]

    def test_a_card_is_refused_where_its_fish_died_at_the_same_instant(self, ana, bo, events, first):
        self.play(ana, "fish:0", 8)
        self.play(ana, "kill:1", 9)
        late = key(bo.open(), "kill:2")
        first(lambda: self.play(ana, "dead"))
        assert bo.send("/play", tap=late, value="14").status_code == 422
        assert events() == [Swim(0, 8), Kill(1, 9), Dead()]

    def test_the_same_card_at_the_same_instant_is_one(self, ana, bo, events, first):
        self.play(ana, "fish:0", 8)
        late = key(bo.open(), "kill:1")
        first(lambda: self.play(ana, "kill:1", 9))
        assert bo.send("/play", tap=late, value="9").status_code == 303
        assert said(bo.open()) == "Ana had it already"
        assert events() == [Swim(0, 8), Kill(1, 9)]

    def test_another_card_at_the_same_instant_counts_too(self, ana, bo, events, first):
        self.play(ana, "fish:0", 8)
        late = key(bo.open(), "kill:1")
        first(lambda: self.play(ana, "kill:2", 9))
        assert bo.send("/play", tap=late, value="12").status_code == 303
        assert events() == [Swim(0, 8), Kill(2, 9), Kill(1, 12)]

    def test_undo_the_last_action_is_not_for_a_card_of_the_same_instant(self, ana, bo, events, first):
        self.play(ana, "fish:0", 8)
        self.play(ana, "kill:1", 9)
        late = hidden(bo.open("/wtf"), "on")
        first(lambda: self.play(ana, "protect:0", 12))
        refused = bo.send("/wtf", tap="card:time-traveler", who="1", on=late)
        assert says(refused, "Ana was faster. Ana’s fish: 13 or more kills it.")
        assert events()[-1] == Protect(0, 12)

    def test_undo_is_not_for_a_card_under_one_of_the_same_instant(self, ana, bo, events, first):
        self.play(ana, "fish:0", 8)
        self.play(ana, "kill:1", 9)
        bo.open()
        first(lambda: self.play(ana, "kill:2", 10))
        refused = bo.send("/undo", of="2", newest="1")
        assert refused.status_code == 409
        assert events() == [Swim(0, 8), Kill(1, 9), Kill(2, 10)]

    def test_two_who_correct_a_card_at_the_same_instant_see_both(self, ana, bo, log, first):
        self.play(ana, "fish:0", 8)
        ana.open(), bo.open()
        first(lambda: ana.send("/entries/1", kind="fish", who="0", value="9"))
        answer = bo.send("/entries/1", kind="fish", who="0", value="7")
        assert answer.status_code == 409
        assert says(answer, "was entered twice")
        assert log().entries[0].events == (Swim(0, 9),)

    def test_a_page_of_an_older_companion_says_less_and_is_believed(self, ana, events):
        for tap, value in (("fish:0", "8"), ("kill:1", "9"), ("dead", "")):
            assert ana.send("/play", tap=tap, value=value).status_code == 303
        assert events() == [Swim(0, 8), Kill(1, 9), Dead()]


@pytest.mark.parametrize("slug", ["rivals"], indirect=True)
class TestRivals:
    def tap(self, phone, begins, page=None):
        page = phone.open() if page is None else page
        return phone.send("/turn", tap=key(page, begins), moves=hidden(page, "moves"))

    def test_the_same_move_is_done(self, ana, bo, shared):
        late = bo.open()
        self.tap(ana, "lay-1")
        assert self.tap(bo, "lay-1", late).status_code == 303
        page = bo.open()
        assert said(page) == "Ana had it already"
        assert not says(page, "Not done")
        assert shared() == {"moves": ["lay-1"]}

    def test_another_move_is_not_done_and_it_is_told_who_was_faster(self, ana, bo, shared):
        late = bo.open()
        self.tap(ana, "lay-1")
        assert self.tap(bo, "lay-2", late).status_code == 303
        assert said(bo.open()) == "Ana was faster: Ana’s whale on pack 1"
        assert shared() == {"moves": ["lay-1"]}

    def test_a_whale_is_laid_for_the_player_who_was_to_move(self, ana, bo, shared):
        late = bo.open()  # the first move is Ana's
        self.tap(ana, "no-cards") if 'value="no-cards' in late.text else ana.send("/turn", tap="no-cards", moves="0")
        step = re.search(r'name="step" value="([^"]+)"', ana.open().text)[1]
        ana.send("/undo", step=step, head="0")
        ana.send("/turn", tap="no-cards", moves="0")
        bo.send("/turn", tap="lay-1:1", moves="1")
        stale = bo.send("/turn", tap="lay-2:0", moves="2")  # as many moves as it has seen, and it is Bo's turn
        assert stale.status_code == 303
        assert said(bo.open()) == "Bo was faster: Bo’s whale on pack 1"
        assert shared() == {"moves": ["no-cards", "lay-1"]}
        assert late.status_code == 200

    def test_what_was_taken_back_is_named(self, ana, bo, shared):
        self.tap(ana, "lay-1")
        late = bo.open()
        step = re.search(r'name="step" value="([^"]+)"', ana.open().text)[1]
        ana.send("/undo", step=step, head="0")
        self.tap(bo, "turtle-1", late)
        assert said(bo.open()) == "Ana took back: Ana’s whale on pack 1"
        assert shared() is None


@pytest.mark.parametrize("slug", ["beloz"], indirect=True)
class TestBeloz:
    def tap(self, phone, path="/who", page=None, **fields):
        page = phone.open(path) if page is None else page
        return phone.send(path, round=hidden(page, "round"), **fields)

    def test_who_took_it_is_said_once(self, ana, bo, shared):
        late = bo.open()
        self.tap(ana, page=ana.open(), tap="bidder:3")
        self.tap(bo, page=late, tap="bidder:1")
        assert said(bo.open()) == "Ana was faster: Di took it"
        self.tap(bo, page=late, tap="bidder:3")
        assert said(bo.open()) == "Ana had it already"
        self.tap(bo, tap="bidder:1")  # somebody who has seen it may change it
        assert shared() == {"bidder": 1}

    def test_nobody_passes_a_deal_that_was_taken(self, ana, bo, events):
        late = bo.open()
        self.tap(ana, tap="bidder:3")
        self.tap(bo, page=late, tap="passed-deal")
        assert said(bo.open()) == "Ana was faster: Di took it"
        assert events() == []

    def test_nobody_passes_a_deal_that_is_taken_at_the_same_instant(self, ana, bo, events, first):
        late, page = bo.open(), ana.open()
        first(lambda: self.tap(ana, page=page, tap="bidder:3"))
        self.tap(bo, page=late, tap="passed-deal")
        assert said(bo.open()) == "Ana was faster: Di took it"
        assert events() == []

    def test_the_plain_is_in_nobodys_way(self, ana, bo, shared):
        late = bo.open("/who")
        self.tap(ana, tap="bidder:3")
        self.tap(bo, page=late, flooded="south")
        assert shared() == {"bidder": 3, "flooded": "south"}

    @pytest.mark.parametrize("tap", [{"card": "west-leopard"}, {"quads": "lion"}, {"tap": "beloz"}])
    def test_a_second_phone_does_not_take_back_what_the_first_announced(self, ana, bo, shared, tap):
        self.tap(ana, flooded="south")
        late = bo.open("/declarations")
        self.tap(ana, "/declarations", speaker="0", **tap)
        before = shared()
        self.tap(bo, "/declarations", late, speaker="0", **tap)
        assert said(bo.open()) == "Ana had it already"
        assert shared() == before
        self.tap(bo, "/declarations", speaker="0", **tap)  # now that it is seen
        assert shared() == {"flooded": "south"}

    def test_two_who_announce_at_once_are_both_heard(self, ana, bo, shared):
        self.tap(ana, flooded="south")
        late = bo.open("/declarations")
        self.tap(ana, "/declarations", speaker="0", quads="lion")
        self.tap(bo, "/declarations", late, speaker="1", card="west-leopard")
        assert len(shared()["declarations"]) == 2

    def test_what_was_not_shown_is_found_wherever_it_stands_by_now(self, ana, bo, shared):
        self.tap(ana, flooded="south")
        self.tap(ana, "/declarations", speaker="0", quads="lion")
        self.tap(ana, "/declarations", speaker="1", card="west-leopard")
        late = bo.open("/declarations")
        self.tap(ana, "/declarations", speaker="0", quads="lion")  # taken back
        self.tap(bo, "/declarations", late, tap="shown:1")
        (left,) = shared()["declarations"]
        assert (left["player"], left["shown"]) == (1, False)
        self.tap(bo, "/declarations", late, tap="shown:1")  # the second half of a double tap
        assert said(bo.open()) == ""
        assert shared()["declarations"] == [left]


@pytest.mark.parametrize("slug", ["bisque"], indirect=True)
class TestBisque:
    POT = tuple(f"ace-{suit}" for suit in ("moons", "suns", "waves", "leaves", "wyrms", "knots"))

    @pytest.fixture
    def full(self, ana, bo):
        for card in (*self.POT, "crown-moons", "crown-suns", "crown-waves", "crown-leaves", "crown-wyrms"):
            ana.open()
            assert ana.send("/hand", by="0", card=card).status_code == 303
        return bo.open()

    def turn_up(self, phone, page=None, **fields):
        page = phone.open() if page is None else page
        return phone.send("/hand", goals=hidden(page, "goals"), **fields)

    def test_a_goal_that_another_phone_turned_up_stays(self, ana, bo, full, shared):
        self.turn_up(ana, who="0", goal="2-moons-knots")
        before = shared()
        self.turn_up(bo, full, who="0", goal="3-moons-waves")
        assert said(bo.open()) == "Ana was faster: Ana’s goal"
        self.turn_up(bo, full, who="0", goal="2-moons-knots")
        assert said(bo.open()) == "Ana had it already"
        assert shared() == before

    def test_a_hand_is_not_saved_with_a_goal_that_is_turned_down_at_the_same_instant(
        self, ana, bo, full, shared, events, first
    ):
        for who, goal in enumerate(("2-moons-knots", "3-moons-waves", "4-moons-suns")):
            self.turn_up(ana, who=str(who), goal=goal)
        late, page = bo.open(), ana.open()
        before = len(events())
        first(lambda: self.turn_up(ana, page, hide="0"))
        refused = bo.send("/hand", save=hidden(late, "goals"))
        assert refused.status_code == 422
        assert len(events()) == before
        assert shared()["goals"][0] is None

    def test_two_redeals_at_the_same_instant_are_one(self, ana, bo, shared, first):
        first(lambda: ana.send("/hand", redeal="yes", redeals="0"))
        bo.send("/hand", redeal="yes", redeals="0")
        assert shared()["redeals"] == 1

    def test_two_players_turn_theirs_up_at_once(self, ana, bo, full, shared):
        self.turn_up(ana, who="0", goal="2-moons-knots")
        self.turn_up(bo, full, who="1", goal="3-moons-waves")
        assert shared()["goals"] == ["2-moons-knots", "3-moons-waves", None]


@pytest.mark.parametrize("slug", ["beluga-cup"], indirect=True)
class TestCup:
    def test_fish_go_back_from_the_swap_that_was_on_the_page(self, app, match, ana, bo, log, events, shared):
        """Ana's zone 2 and her hand: then Companion draws for zone 3 on Bo's phone."""
        ana.fill()
        swap = {"zone": "2", "drawn": "moons,suns", "by": "hand", "back": ["0", "1"]}
        with app.app_context():
            drawn = {"swap": {"player": 0, "zone": 3, "drawn": ["suns", "suns", "suns"]}}
            drafts.change_draft(match, lambda _: drawn, step=say("{player} draws for a swap", player=Name("Bo")), player=1)
        before = shared()
        assert ana.send("/excuse", **swap).status_code == 303
        assert said(ana.open()) == "Bo was faster: Bo draws for a swap"
        assert shared() == before
        assert {type(event) for event in events()} == {Fill}

    def test_what_companion_drew_and_somebody_takes_back_at_the_same_instant_is_not_played(
        self, app, match, ana, bo, events, shared, first
    ):
        ana.fill()
        with app.app_context():
            drawn = {"swap": {"player": 0, "zone": 2, "drawn": ["moons", "suns"]}}
            drafts.change_draft(match, lambda _: drawn, step=say("{player} draws for a swap", player=Name("Bo")), player=1)
        bo.open()
        ways = re.search(r'name="step" value="([^"]+)"', ana.open().text)[1]
        first(lambda: ana.send("/undo", step=ways, head=ana.seen))
        assert bo.send("/excuse", zone="2", drawn="moons,suns", by="app", back=["0", "1"]).status_code == 303
        assert said(bo.open()) == "Ana took back: Bo draws for a swap"
        assert {type(event) for event in events()} == {Fill}
        assert shared() is None

    def test_what_companion_drew_and_somebody_took_back_is_not_a_draw_by_hand(self, ana, bo, events):
        ana.fill()
        late = {"zone": "2", "drawn": "moons,suns", "by": "app", "back": ["0", "1"]}
        assert ana.send("/excuse", **late).status_code == 303
        assert said(ana.open()).startswith("Another phone was faster.")
        assert not any(isinstance(event, ExcuseSwap | Play) for event in events())
