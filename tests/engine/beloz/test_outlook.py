"""What does a contract still need? Numbers worked out by hand, and every count that there can be, played by the engine."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.beloz import GAME, BelozOptions, BelozState
from companion.engine.beloz.outlook import needs, outlook
from companion.engine.core import PersistentList
from tests.engine.beloz.conftest import PLAYERS


def state(first=0, second=0, **options):
    return BelozState(PLAYERS, msgspec.convert(options, type=BelozOptions), (first, second), 0, PersistentList.EMPTY)


def test_with_nothing_declared_82_beats_81():
    told = needs(state(), 0, "south")
    assert (told.team, told.wins, told.match, told.loses) == (0, 82, None, False)


def test_declarations_and_beloz_count_for_whoever_has_them(declared):
    # Ana's run of four is worth 50, Di's BeloZ 20: 67 + 50 = 117 against 96 + 20 = 116
    assert needs(state(), 0, "south", declared("0 north 5-8"), beloz=3).wins == 67
    # Bo's run of four against Ana: 107 against 56 + 50 = 106
    assert needs(state(), 0, "south", declared("1 north 5-8")).wins == 107


def test_it_is_said_what_ends_the_match():
    assert needs(state(880, 700), 0, "south").match == 120
    assert needs(state(950, 700), 0, "south").match == 82  # 50 would do, but the contract has to be won
    assert needs(state(880, 930), 0, "south").match == 120  # then the others have 973
    # both come to 1000: 950 + 98 = 1048 against 982 + 65 = 1047
    assert needs(state(950, 982), 0, "south").match == 98


def test_a_broken_contract_may_lose_the_match():
    assert not needs(state(0, 836), 0, "south").loses  # 836 + 163 = 999
    assert needs(state(0, 837), 0, "south").loses
    assert needs(state(0, 817), 0, "south", beloz=1).loses  # 817 + 163 + 20
    assert not needs(state(0, 820), 0, "south", beloz=0).loses  # the team keeps its 20


def test_beloz_may_win_the_match_though_the_contract_is_broken():
    told = needs(state(0, 980), 1, "south", beloz=1)  # 980 + 20 = 1000 against at most 163; 72 + 20 = 92 beats 91
    assert (told.wins, told.match, told.loses) == (72, 1, False)
    assert outlook(state(0, 980), 1, "south", beloz=1) == "Bo needs 72 of 163 for the round, 1 for the match."
    assert needs(state(840, 980), 1, "south", beloz=1).loses  # 840 + 163 = 1003 against 1000


def test_only_all_eight_expeditions_may_be_left(declared):
    # Bo's lions and Di's leopards are worth 200: 163 against 200
    told = needs(state(), 0, "south", declared("1 quads lion", "3 quads leopard"))
    assert (told.wins, told.match) == (None, None)


def test_it_is_said_in_a_sentence(declared):
    assert outlook(state(), 0, "south") == "Ana needs 82 of 163 for the round."
    assert outlook(state(880, 700), 0, "south") == "Ana needs 82 of 163 for the round, 120 for the match."
    assert outlook(state(950, 700), 2, "south") == "Cy needs 82 of 163 for round and match."
    assert outlook(state(0, 900), 0, "south") == "Ana needs 82 of 163 for the round. A broken contract loses the match."
    quads = declared("1 quads lion", "3 quads leopard")
    assert outlook(state(), 0, "south", quads) == "Ana needs all eight expeditions for the round."


@pytest.mark.parametrize(
    ("notes", "beloz"),
    [
        (["0 quads monkey"], None),  # quads of monkeys are no declaration
        (["0 north 6-8", "1 quads lion"], None),  # the north lion in two hands
        (["1 south 4-6"], 0),  # the south elephant is Bo's, so Ana can't have BeloZ
        (["2 north 1-7"], 2),  # and with BeloZ that hand has nine cards
    ],
)
def test_nothing_is_said_of_declarations_that_can_not_be_true(declared, notes, beloz):
    assert outlook(state(), 0, "south", declared(*notes), beloz) is None


NOTES = (
    [],
    ["0 north 5-8"],
    ["1 north 5-8"],
    ["0 north 1-3", "3 west 4-8"],
    ["1 quads lion", "3 quads leopard"],
    ["2 quads leopard"],
)


@settings(max_examples=12, deadline=None)
@given(
    scores=st.tuples(st.integers(0, 999), st.integers(0, 999)),
    bidder=st.integers(0, 3),
    notes=st.sampled_from(NOTES),
    beloz=st.sampled_from((None, 0, 1)),
)
def test_every_count_that_there_can_be_comes_out_as_it_says(played, reachable, declared, scores, bidder, notes, beloz):
    before, declarations = state(*scores), declared(*notes)
    told = needs(before, bidder, "south", declarations, beloz)
    for points, last in product(sorted(set.union(*reachable)), (0, 1)):
        count = {"team": told.team, "points": points}
        round_played = played(
            bidder=bidder, count=count, last_expedition=last, declarations=msgspec.to_builtins(declarations), beloz=beloz
        )
        mine = points + (10 if last == told.team else 0)
        if mine == 0:
            continue  # a Golden Round of the other team, or not: nobody counted the expeditions
        after = GAME.apply(before, round_played)
        assert (after.rounds.newest.contract == "won") == (told.wins is not None and mine >= told.wins)
        assert (after.winner == told.team) == (told.match is not None and mine >= told.match)
        if told.wins is not None and mine < told.wins:
            assert (after.winner == 1 - told.team) == told.loses
