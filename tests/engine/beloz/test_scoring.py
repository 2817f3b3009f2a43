"""What does a round score? The rule text's two examples, the golden round, the broken contract, and that none is tied."""

from __future__ import annotations

from itertools import product

import msgspec
import pytest

from companion.engine.beloz.scoring import Count, all_eight, announced_points, pile_count
from companion.engine.core import Line, RuleError


def run(player: int, plain: str, lowest: int, highest: int, **more) -> dict:
    return {"player": player, "kind": "straight_flush", "plain": plain, "lowest": lowest, "highest": highest, **more}


def quads(player: int, animal: str, **more) -> dict:
    return {"player": player, "kind": "quads", "animal": animal, **more}


def test_the_first_example_of_the_rules_108_to_95(scored) -> None:
    """78 in cards, ten last and a run of three against BeloZ and Re-BeloZ."""
    result = scored(count={"team": 0, "points": 78}, last_expedition=0, declarations=[run(0, "north", 1, 3)], beloz=3)
    assert result.scores == (108, 95)
    assert result.contract == "won"
    assert result.margin == 13
    assert result.verdict == "108 beats 95, so both teams keep their points."
    assert result.title == "Ana took South"
    assert result.headline == "Contract won"
    assert result.lines == (
        Line("Cards", (78, 75), "Scoring"),
        Line("Last expedition", (10, None), "B4"),
        Line("Run of three, Ana", (20, None), "Declarations"),
        Line("BeloZ & Re-BeloZ, Di", (None, 20), "B9"),
    )
    assert result.rule == "Scoring"


def test_the_second_example_of_the_rules_0_to_183(scored) -> None:
    """The same round without the run: 88 against 95."""
    result = scored(count={"team": 0, "points": 78}, last_expedition=0, beloz=3)
    assert result.held == (88, 95)
    assert result.scores == (0, 183)
    assert result.contract == "broken"
    assert result.margin == -7
    assert result.verdict == "88 against 95, so the defenders take all."
    assert result.lines[-1] == Line("Broken: to Bo & Di", (-88, 88), "B11")
    assert [line.what for line in result.besides] == ["Last expedition", "BeloZ & Re-BeloZ, Di"]
    assert result.rule == "B11"


def test_either_team_may_be_counted(scored) -> None:
    """Bo and Di's pile is worth what Ana and Cy's is not."""
    assert scored(count={"team": 1, "points": 75}, declarations=[run(0, "north", 1, 3)], beloz=3).scores == (108, 95)


def test_a_round_is_worth_163(scored) -> None:
    assert scored(count={"team": 0, "points": 90}, last_expedition=1).scores == (90, 73)


def test_a_broken_contract_gives_cards_ten_last_and_declarations_away_but_not_beloz(scored) -> None:
    """Ruling B11: 40 + 10 + 50 + 20 against 113; the defenders get 113 + 100."""
    result = scored(
        bidder=3,
        count={"team": 1, "points": 40},
        last_expedition=1,
        declarations=[run(1, "east", 4, 7)],
        beloz=1,
        flooded="south",
    )
    assert result.held == (113, 120)
    result = scored(
        bidder=3,
        count={"team": 1, "points": 30},
        last_expedition=1,
        declarations=[run(1, "east", 4, 7)],
        beloz=1,
        flooded="south",
    )
    assert result.held == (123, 110)
    assert result.scores == (213, 20)
    assert result.contract == "broken"
    assert result.verdict == "110 against 123, so the defenders take all but 20 for BeloZ."
    assert result.lines[-1] == Line("Broken: to Ana & Cy", (90, -90), "B11")


def test_declarations_decide_the_contract(scored) -> None:
    """60 + 10 would lose against 93; with 50 declared it wins."""
    assert scored(count={"team": 0, "points": 60}).contract == "broken"
    assert scored(count={"team": 0, "points": 60}, declarations=[run(2, "west", 2, 5)]).scores == (120, 93)


def test_the_defenders_declarations_can_break_it(scored) -> None:
    """80 + 10 against 73 + 50."""
    assert scored(count={"team": 0, "points": 80}, declarations=[run(1, "west", 2, 5)]).scores == (0, 213)


def test_a_golden_round_is_worth_253(scored) -> None:
    result = scored(count={"team": 0, "points": 153, "expeditions": 8})
    assert result.golden == 0
    assert result.scores == (253, 0)
    assert result.lines == (
        Line("Cards", (153, 0), "Scoring"),
        Line("Last expedition", (10, None), "B4"),
        Line("Golden Round", (90, None), "B4"),
    )


def test_the_losers_count_of_no_expedition_makes_the_round_golden_too(scored) -> None:
    result = scored(count={"team": 1, "points": 0, "expeditions": 0})
    assert (result.golden, result.scores) == (0, (253, 0))


@pytest.mark.parametrize(("team", "points"), [(0, 153), (1, 0)])
def test_153_points_without_a_count_of_expeditions_are_not_golden(team: int, points: int, scored) -> None:
    """The other team may have won an expedition of worthless cards."""
    result = scored(count={"team": team, "points": points})
    assert (result.golden, result.scores) == (None, (163, 0))
    seven = scored(count={"team": 0, "points": 153, "expeditions": 7}, last_expedition=1)
    assert (seven.golden, seven.scores) == (None, (153, 10))


def test_a_count_by_the_cards_of_the_pile() -> None:
    pile = ["south-crocodile", "south-water-snake", "north-lion", "north-crocodile"]
    assert pile_count(1, pile, "south") == Count(1, 48, 1)
    # 2 + 0 + 11 + 2 and 11 + 10 + 0 + 11
    assert pile_count(0, [*pile, "east-lion", "east-leopard", "east-monkey", "west-lion"], "west") == Count(0, 47, 2)
    with pytest.raises(RuleError):
        pile_count(0, pile[:3], "south")


@pytest.mark.parametrize("team", [0, 1])
def test_all_eight_are_all_the_cards(team: int, scored) -> None:
    assert all_eight(team) == Count(team, 153, 8)
    assert scored(count={"team": team, "points": 153, "expeditions": 8}, last_expedition=team).golden == team


def test_what_each_player_has_announced_so_far(declared) -> None:
    """A run of three, a run of four and quads of lions, whether or not they will count."""
    declarations = declared("0 north 1-3", "0 east 2-5", "1 quads lion", "3 west 1-3 hidden")
    assert [announced_points(player, declarations) for player in range(4)] == [70, 100, 0, 20]


def test_in_a_golden_round_the_losers_declarations_score_nothing_for_anybody(scored) -> None:
    """Ruling B10: Bo's 200 is highest, so Cy's 50 does not come back to life."""
    result = scored(
        flooded="west",
        count={"team": 0, "points": 153, "expeditions": 8},
        declarations=[run(2, "west", 5, 8), quads(1, "crocodile")],
    )
    assert result.scores == (253, 0)
    assert result.declared.statuses == ("beaten", "lost")
    assert result.declared.team is None
    assert result.declared.sentence == (
        "Bo’s quads of crocodiles beat Cy’s run of four: quads beat every run. "
        "But Bo & Di won no expedition, so their declarations are lost."
    )


def test_the_winners_of_a_golden_round_keep_the_highest_declaration(scored) -> None:
    result = scored(
        flooded="west",
        count={"team": 0, "points": 153, "expeditions": 8},
        declarations=[run(2, "west", 5, 8), run(1, "east", 1, 3)],
        beloz=2,
    )
    assert result.scores == (323, 0)


def test_beloz_counts_for_the_losers_of_a_golden_round(scored) -> None:
    assert scored(count={"team": 0, "points": 153, "expeditions": 8}, beloz=1).scores == (253, 20)


def test_contractors_who_lose_all_eight_are_broken_and_lose_their_declarations(scored) -> None:
    """Ruling B10: the 100 is not transferred; BeloZ stays."""
    result = scored(
        bidder=0,
        count={"team": 0, "points": 0, "expeditions": 0},
        last_expedition=1,
        declarations=[quads(0, "lion"), run(1, "north", 1, 3)],
        beloz=2,
    )
    assert result.contract == "broken"
    assert result.scores == (20, 253)
    assert result.declared.statuses == ("lost", "beaten")
    assert [line.what for line in result.lines] == ["Cards", "Last expedition", "Golden Round", "BeloZ & Re-BeloZ, Cy"]


def test_what_was_not_shown_scores_nothing(scored) -> None:
    """Ruling B8: it still beats Bo's run."""
    result = scored(declarations=[run(0, "north", 5, 8, shown=False), run(2, "west", 1, 3), run(1, "east", 1, 3)])
    assert result.held == (108, 75)
    assert result.declared.statuses == ("not-shown", "counts", "beaten")


TEAMS_DECLARE = [
    [],
    [run(0, "north", 1, 3)],
    [run(1, "north", 1, 4)],
    [quads(2, "water-snake"), run(0, "north", 4, 8)],
    [quads(3, "crocodile"), run(1, "north", 5, 8, shown=False)],
    [run(0, "north", 1, 3), run(1, "east", 1, 3)],
]


def test_no_contract_is_tied(scored, reachable) -> None:
    """Ruling B5: over every total that a team can have, with every bonus, the teams differ, by an odd number."""
    rounds = 0
    for won in range(9):
        for points in reachable[won]:
            for last in (0, 1):
                if won == (8 if last else 0):
                    continue
                for declarations in TEAMS_DECLARE:
                    for beloz in (None, 0, 1):
                        result = scored(
                            bidder=1,
                            count={"team": 0, "points": points, "expeditions": won},
                            last_expedition=last,
                            declarations=declarations,
                            beloz=beloz,
                        )
                        assert (result.held[0] - result.held[1]) % 2 == 1
                        assert sum(result.held) == sum(result.scores)
                        rounds += 1
    assert rounds > 20_000


def test_cards_sum_to_153_and_rounds_to_163_or_253(scored, reachable) -> None:
    for won in range(9):
        for points in reachable[won]:
            last = 1 if won == 0 else 0
            result = scored(count={"team": 0, "points": points, "expeditions": won}, last_expedition=last)
            assert sum(result.cards) == 153
            assert sum(result.scores) == (253 if won in (0, 8) else 163)


def test_the_lines_add_up_to_the_scores(scored) -> None:
    declarations = [run(0, "north", 1, 3), run(2, "west", 6, 8), run(1, "east", 2, 4, shown=False)]
    for points, bidder, beloz in product((0, 33, 76, 77, 120, 153), range(4), (None, *range(4))):
        result = scored(bidder=bidder, count={"team": 1, "points": points}, declarations=declarations, beloz=beloz)
        for team in (0, 1):
            assert sum(line.amounts[team] or 0 for line in result.lines) == result.scores[team], result
            assert result.cards[team] + sum(line.amounts[team] or 0 for line in result.besides) == result.held[team], result


@pytest.mark.parametrize(
    "wrong",
    [
        {"bidder": 4},
        {"bidder": True},
        {"bidder": "0"},
        {"flooded": "centre"},
        {"flooded": None},
        {"count": None},
        {"count": {"team": 2, "points": 78}},
        {"count": {"team": 0}},
        {"count": {"team": 0, "points": -1}},
        {"count": {"team": 0, "points": 78.5}},
        {"count": {"team": 0, "points": 78, "expeditions": 9}},
        {"count": {"team": 0, "points": 78, "tricks": 4}},
        {"last_expedition": None},
        {"last_expedition": 2},
        {"declarations": None},
        {"declarations": [run(0, "north", 0, 3)]},
        {"declarations": [run(0, "north", 6, 9)]},
        {"declarations": [run(4, "north", 6, 8)]},
        {"declarations": [run(0, "north", 6, 8, shown=None)]},
        {"declarations": [run(0, "north", 6, 8, animal="lion")]},
        {"declarations": [quads(0, "tiger")]},
        {"declarations": [quads(0, "lion", lowest=1)]},
        {"declarations": [{"player": 0, "kind": "flush"}]},
        {"declarations": [{"player": 0, "animal": "lion"}]},
        {"declarations": [quads(0, "lion")] * 33},
        {"beloz": 4},
        {"golden": True},
    ],
)
def test_what_is_no_round_is_not_read_as_one(wrong: dict, played) -> None:
    with pytest.raises(msgspec.ValidationError):
        played(**wrong)


@pytest.mark.parametrize("part", ["bidder", "flooded", "count", "last_expedition", "declarations"])
def test_only_what_may_be_null_may_be_left_out(part: str, event) -> None:
    whole = {"bidder": 0, "flooded": "south", "count": {"team": 0, "points": 78}, "last_expedition": 0, "declarations": []}
    assert event("round", **whole) == event("round", **whole, beloz=None)
    with pytest.raises(msgspec.ValidationError, match=part):
        event("round", **{key: value for key, value in whole.items() if key != part})


def test_what_is_written_down_does_not_change(played, scored) -> None:
    event = played(declarations=[quads(0, "lion")])
    for value, part in ((event, "bidder"), (event.count, "points"), (event.declarations[0], "player"), (scored(), "scores")):
        with pytest.raises(AttributeError):
            setattr(value, part, 1)
    assert len({event, played(declarations=[quads(0, "lion")])}) == 1


def test_what_can_not_be_true_is_refused_with_its_place(scored) -> None:
    with pytest.raises(RuleError) as refused:
        scored(declarations=[run(0, "north", 1, 3), run(1, "north", 3, 5)])
    assert refused.value.field == "declarations.1"
