"""How does a match of BeloZ go? Dealer, passed deals, target and end, and a match to 1000 added up by hand."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from companion.engine import GAMES
from companion.engine.beloz import GAME, BelozOptions
from companion.engine.core import Line, PersistentList, Position, ReplayError, RuleError, Stop, replay, start

PLAYERS = ("Ana", "Bo", "Cy", "Di")
RECORD = json.loads((Path(__file__).parent / "match.json").read_text())


def match(**options) -> Position:
    return start(GAME, PLAYERS, msgspec.convert(options, type=BelozOptions))


@pytest.fixture
def worth(played):
    """Return a round that brings Ana and Cy so many points and Bo and Di the rest of 163, both kept: worth(100)."""

    def decode(points: int, **more):
        if points > 81:
            return played(bidder=0, count={"team": 0, "points": points - 10}, last_expedition=0, **more)
        return played(bidder=1, count={"team": 0, "points": points}, last_expedition=1, **more)

    return decode


def test_beloz_is_in_the_registry() -> None:
    assert GAMES["beloz"] is GAME
    assert (GAME.title, GAME.seats) == ("BeloZ", (4, 4))


# The match in match.json, added up by hand. A is Ana and Cy, B is Bo and Di.
#   round  A, B before the contract            contract  adds      A     B
#   1      57 / 96 + 10 = 106                  won       57 106    57   106
#          passed
#   2      78 + 10 + 20 = 108 / 75 + 20 = 95   won      108  95   165   201
#   3      88 / 95                             broken     0 183   165   384
#   4      153 + 10 + 90 = 253 / 0             won      253   0   418   384   golden; Bo's 200 beats Cy's 50 and is lost
#   5      123 + 10 = 133 / 30 + 50 + 20 = 100 broken   213  20   631   404   Bo's 20 not shown; B keeps BeloZ
#   6      62 / 91 + 10 = 101                  won       62 101   693   505   Bo's and Cy's runs cancel, Di's is lost with them
#   7      72 + 10 + 20 = 102 / 81             won      102  81   795   586   Cy's run is of the flooded plain
#          passed
#   8      41 + 100 = 141 / 112 + 10 = 122     won      141 122   936   708   quads before a run of five
#   9      87 / 66 + 10 = 76                   broken   163   0  1099   708
ROUNDS = [(57, 106), (108, 95), (0, 183), (253, 0), (213, 20), (62, 101), (102, 81), (141, 122), (163, 0)]
RUNNING = [(57, 106), (165, 201), (165, 384), (418, 384), (631, 404), (693, 505), (795, 586), (936, 708), (1099, 708)]
CONTRACTS = ["won", "won", "broken", "won", "broken", "won", "won", "won", "broken"]


@pytest.fixture
def events():
    return msgspec.convert(RECORD["events"], type=list[GAME.events[0] | GAME.events[1]])


def test_a_whole_match_to_1000(events) -> None:
    assert (RECORD["game"], RECORD["players"], RECORD["options"]) == ("beloz", list(PLAYERS), {})
    standing = replay(match(), events).standing()
    assert standing.scores == (1099, 708)
    assert standing.rounds == tuple(ROUNDS)
    assert (standing.finished, standing.winners, standing.stopped) == (True, (0,), False)
    assert standing.sides == ("Ana & Cy", "Bo & Di")
    # nine rounds and two passed deals: Ana dealt first, and the twelfth deal would be Di's
    assert standing.details == {"dealer": 3, "opener": 0, "contracts": CONTRACTS}
    assert standing.lines[0] == Line("Round 1: Bo took North, won", (57, 106), "Scoring")
    assert standing.lines[4] == Line("Round 5: Di took East, broken", (213, 20), "Scoring")
    assert tuple(sum(line.amounts[team] for line in standing.lines) for team in (0, 1)) == standing.scores


def test_the_running_totals_of_that_match(events) -> None:
    position = match()
    running = []
    for one in events:
        position = position.apply(one)
        if one.__class__.__name__ == "Round":
            running.append(position.standing().scores)
        assert position.finished == (len(running) == 9)
    assert running == RUNNING
    with pytest.raises(RuleError):
        position.apply(events[0])


def test_how_far_the_teams_are_from_the_target_and_what_a_round_would_add(events) -> None:
    position = replay(match(), events)
    assert position.state.to_go == (0, 292)
    before = replay(match(), events[:-1]).state
    assert (before.scores, before.to_go) == ((936, 708), (64, 292))
    assert before.with_round(position.state.rounds.newest) == (1099, 708)


def test_the_rounds_tell_their_story(events) -> None:
    rounds = list(replay(match(), events).state.rounds)
    assert [one.number for one in rounds] == list(range(1, 10))
    assert [one.title for one in rounds][:3] == ["Bo took North", "Ana took South", "Ana took South"]
    assert [one.golden for one in rounds] == [None, None, None, 0, None, None, None, None, None]
    assert rounds[4].verdict == "100 against 133, so the defenders take all but 20 for BeloZ."
    assert [(line.what, line.amounts) for line in rounds[4].lines] == [
        ("Cards", (123, 30)),
        ("Last expedition", (10, None)),
        ("Run of four, Di", (None, 50)),
        ("BeloZ & Re-BeloZ, Bo", (None, 20)),
        ("Broken: to Ana & Cy", (80, -80)),
    ]
    assert rounds[5].declared.headline == "No declaration counts"
    assert rounds[6].declared.sentence == (
        "Cy’s run of three beats Di’s run of three: West is flooded. Di’s 20 does not count."
    )
    for one in rounds:
        for team in (0, 1):
            assert sum(line.amounts[team] or 0 for line in one.lines) == one.scores[team]


def test_before_the_first_round() -> None:
    standing = match().standing()
    assert (standing.scores, standing.rounds, standing.finished, standing.winners) == ((0, 0), (), False, ())
    assert standing.details == {"dealer": 0, "opener": 1, "contracts": []}


def test_the_deal_goes_round_also_when_everybody_passes(event, worth) -> None:
    position = match()
    dealers = []
    for one in (event("passed-deal"), worth(100), event("passed-deal"), event("passed-deal"), worth(60), worth(100)):
        position = position.apply(one)
        details = position.standing().details
        assert details["opener"] == (details["dealer"] + 1) % 4
        dealers.append(details["dealer"])
    assert dealers == [1, 2, 3, 0, 1, 2]
    assert position.standing().rounds == ((100, 63), (60, 103), (100, 63))
    assert position.standing().details["contracts"] == ["won", "won", "won"]


def test_the_first_team_at_the_target_wins_at_the_end_of_a_round(worth) -> None:
    position = replay(match(target=300), [worth(100), worth(100)])
    assert not position.finished
    position = position.apply(worth(101))
    assert position.standing().scores == (301, 188)
    assert (position.finished, position.standing().winners) == (True, (0,))


def test_the_target_itself_is_enough(worth) -> None:
    position = replay(match(target=300), [worth(100), worth(100), worth(100)])
    assert (position.standing().scores, position.standing().winners) == ((300, 189), (0,))


def test_the_higher_team_wins_when_both_are_at_the_target(worth) -> None:
    position = replay(match(target=150), [worth(100), worth(63)])
    assert position.standing().scores == (163, 163)
    position = replay(match(target=150), [worth(100), worth(60)])
    assert (position.standing().scores, position.standing().winners) == ((160, 166), (1,))


def test_equal_at_the_target_they_play_on(worth) -> None:
    position = replay(match(target=150), [worth(100), worth(63)])
    assert (position.finished, position.standing().winners) == (False, ())
    position = position.apply(worth(70))
    assert (position.standing().scores, position.standing().winners) == ((233, 256), (1,))


def test_equal_below_the_target_they_play_on_too(worth) -> None:
    assert not replay(match(), [worth(100), worth(63)]).finished


def test_a_target_of_one_ends_with_the_first_round(worth) -> None:
    position = match(target=1).apply(worth(60))
    assert (position.finished, position.standing().winners) == (True, (1,))


@pytest.mark.parametrize(
    "wrong",
    [
        {"target": 0},
        {"target": -5},
        {"target": "1000"},
        {"target": True},
        {"target": 10.5},
        {"target": None},
        {"tied_declarations": "both"},
        {"tied_declarations": None},
        {"Target": 1000},
    ],
)
def test_what_is_no_option_is_not_read_as_one(wrong: dict) -> None:
    with pytest.raises(msgspec.ValidationError):
        match(**wrong)


def test_the_option_for_tied_declarations_reaches_the_round(played) -> None:
    equal = [
        {"player": 0, "kind": "straight_flush", "plain": "north", "lowest": 1, "highest": 3},
        {"player": 1, "kind": "straight_flush", "plain": "east", "lowest": 1, "highest": 3},
        {"player": 3, "kind": "straight_flush", "plain": "north", "lowest": 4, "highest": 6},
        {"player": 2, "kind": "straight_flush", "plain": "east", "lowest": 4, "highest": 6},
        {"player": 2, "kind": "straight_flush", "plain": "west", "lowest": 1, "highest": 3},
    ]
    one = played(count={"team": 0, "points": 80}, declarations=equal)
    assert match().apply(one).standing().scores == (90, 73)
    assert match(tied_declarations="next-highest").apply(one).standing().scores == (110, 73)


def test_a_stopped_match_has_no_winner(worth, event) -> None:
    position = replay(match(), [worth(100), Stop()])
    standing = position.standing()
    assert (standing.scores, standing.finished, standing.stopped, standing.winners) == ((100, 63), True, True, ())
    for late in (worth(100), event("passed-deal"), Stop()):
        with pytest.raises(RuleError):
            position.apply(late)


def test_a_refused_round_changes_nothing_and_is_named(worth, played) -> None:
    position = match().apply(worth(100))
    with pytest.raises(ReplayError) as refused:
        replay(position, [worth(100), played(count={"team": 0, "points": 152})])
    assert refused.value.event == 1
    assert refused.value.cause.rule == "B14"
    assert position.standing().scores == (100, 63)
    assert position.state.rounds == PersistentList.EMPTY.add(position.state.rounds.newest)


def test_four_players_sit_down() -> None:
    with pytest.raises(RuleError):
        start(GAME, PLAYERS[:3])


def test_events_survive_json(events) -> None:
    decoder = msgspec.json.Decoder(list[GAME.events[0] | GAME.events[1]])
    assert decoder.decode(msgspec.json.encode(events)) == events


def test_a_very_long_match_is_replayed(worth) -> None:
    """5,000 rounds: no step looks back at all that was, and nothing nests as deep as the match is long."""
    standing = replay(match(target=10**9), [worth(100), worth(60)] * 2500).standing()
    assert standing.scores == (400_000, 415_000)
    assert len(standing.rounds) == 5000
    assert standing.details["dealer"] == 0
