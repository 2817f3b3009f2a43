"""Whose phone may buzz? Only one whose player's turn the game knows: who deals, whose bid is missing, whose fish is dying."""

from __future__ import annotations

import pytest

from companion.engine.beloz import PassedDeal
from companion.engine.what_the_fish import Dead, Kill, Protect, Swim
from companion.games import PLUGINS
from companion.matches import entries
from companion.sheets.draft import with_cells
from companion.storage.models import MatchId
from tests.web.conftest import seat

ANA, BO, CY = range(3)


def asked(log, draft=None):
    screens = PLUGINS[log.start.game.slug].screens
    return screens.board(log, draft, None).asks


@pytest.fixture
def play(in_app):
    """Call it with a game, its options and what happened; it returns the log."""

    def played(slug, people, options, *events):
        table = seat(people, number=9)
        match = MatchId(table.id, entries.open_match(table.id, slug, people, options))
        for seq, event in enumerate(events):
            entries.record(match, [event], idempotency_key=f"key-{seq}", expected_seq=seq)
        return entries.read(match)

    return played


@pytest.mark.parametrize(("passed", "dealer"), [(0, 0), (1, 1), (4, 0)])
def test_in_beloz_it_is_who_deals(play, passed, dealer):
    assert asked(play("beloz", ("Ana", "Bo", "Cy", "Di"), {}, *[PassedDeal()] * passed)) == dealer


@pytest.mark.parametrize(
    ("events", "player"),
    [
        ((), None),
        ((Swim(ANA, 8),), None),
        ((Swim(ANA, 8), Kill(BO, 9)), ANA),
        ((Swim(ANA, 8), Kill(BO, 9), Protect(ANA, 4)), ANA),  # not enough yet
        ((Swim(ANA, 8), Kill(BO, 9), Protect(ANA, 11)), None),
        ((Swim(ANA, 8), Kill(BO, 9), Dead()), None),
    ],
)
def test_in_what_the_fish_it_is_whose_fish_is_dying(play, events, player):
    assert asked(play("what-the-fish", ("Ana", "Bo", "Cy"), {}, *events)) == player


def test_on_a_sheet_it_is_the_only_one_whose_unseen_bid_is_missing(play):
    log = play("sheet", ("Ana", "Bo", "Cy"), {"preset": "skull-king"})
    bid = next(column.column.id for column in log.start.state.sheet.own if column.column.when == "before")
    assert asked(log, with_cells(None, {f"c{ANA}-{bid}": "1"}, unseen=True)) is None
    assert asked(log, with_cells(None, {f"c{ANA}-{bid}": "1", f"c{BO}-{bid}": "2"}, unseen=True)) == CY


@pytest.mark.parametrize(("preset", "player"), [("hearts", ANA), ("yahtzee", None)])
def test_on_a_sheet_it_is_who_deals_if_somebody_does(play, preset, player):
    assert asked(play("sheet", ("Ana", "Bo", "Cy", "Di"), {"preset": preset})) == player
