"""Which first and last values does BeloZ let in, and what is asked for outside a match?"""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.beloz import BelozOptions
from companion.engine.beloz.cards import pile_points
from companion.engine.beloz.declarations import check_declarations, judge
from companion.engine.beloz.scoring import score_round
from companion.engine.beloz.totals import check_points
from companion.engine.core import RuleError

QUADS = "Announce lions, leopards, elephants, rhinoceros, crocodiles or water snakes."
PLAYERS = ("Ana", "Bo", "Cy", "Di")


@pytest.mark.parametrize(
    "wrong",
    [
        {"bidder": -1},
        {"last_expedition": -1},
        {"beloz": -1},
        {"count": {"team": -1, "points": 78}},
        {"count": {"team": 0, "points": 1000}},
        {"count": {"team": 0, "points": 78, "expeditions": -1}},
    ],
)
def test_no_player_team_or_number_is_below_its_first_or_above_its_last(wrong: dict, played) -> None:
    with pytest.raises(msgspec.ValidationError):
        played(**wrong)


def test_a_round_that_is_shown_before_any_match_is_the_first(played) -> None:
    assert score_round(PLAYERS, BelozOptions(), played()).number == 1
    assert score_round(PLAYERS, BelozOptions(), played(), 7).number == 7


@pytest.mark.parametrize(("bidder", "margin"), [(0, 13), (1, -13), (2, 13), (3, -13)])
def test_the_margin_is_the_contracting_teams_whichever_that_is(bidder: int, margin: int, scored) -> None:
    """78 and ten last against 75: 88 to 75."""
    assert scored(bidder=bidder, count={"team": 0, "points": 78}).margin == margin


def test_beloz_is_held_against_the_declarations_of_its_round(scored) -> None:
    """Elephant and rhinoceros of the flooded plain are in one hand: nobody else declares either, in or without a run."""
    elephants = {"player": 1, "kind": "quads", "animal": "elephant"}
    with pytest.raises(RuleError) as refused:
        scored(flooded="south", declarations=[elephants], beloz=0)
    assert (refused.value.field, refused.value.rule) == ("beloz", "B14")
    assert scored(flooded="south", declarations=[elephants], beloz=1).held == (88, 195)


def on_table(first: int, *cards: str) -> list[dict]:
    return [{"player": (first + place) % 4, "card": card} for place, card in enumerate(cards)]


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ({"hand": []}, "Deal & Bid"),
        ({"expedition": on_table(3, "north-lion", "east-lion", "south-lion", "west-lion")}, "Gameplay"),
        ({"expedition": on_table(1, "north-lion")}, "B3"),
        ({"expedition": on_table(1, "north-lion", "north-lion")}, "Playing Cards"),
        ({"expedition": on_table(1, "north-lion", "north-tiger")}, "Playing Cards"),
        ({"expedition": on_table(2, "east-monkey")}, "Playing Cards"),
        ({"hand": ["east-monkey", "east-monkey"]}, "Playing Cards"),
    ],
)
def test_a_refused_table_names_the_rule(question: dict, rule: str, ask) -> None:
    with pytest.raises(RuleError) as refused:
        ask(**({"flooded": "south", "expedition": [], "player": 3, "hand": ["east-monkey"]} | question))
    assert refused.value.rule == rule


def test_a_card_twice_on_the_table_is_named(ask) -> None:
    with pytest.raises(RuleError) as refused:
        ask(flooded="south", expedition=on_table(1, "north-lion", "north-lion"), player=3, hand=["east-monkey"])
    assert refused.value.message == "The North lion is on the table twice. There is only one."


@pytest.mark.parametrize(
    ("expedition", "hand", "why"),
    [
        # The flooded crocodile leads, and not the west lion
        (
            ["north-lion", "west-lion", "east-crocodile"],
            ["east-lion", "south-lion"],
            "You hold no North card, and no East card above the other team’s crocodile: you must leak with any East card.",
        ),
        (
            ["north-lion", "north-monkey", "east-meerkat"],
            ["east-lion", "south-lion"],
            "You hold no North card and the other team’s East meerkat leads: over-intercept with a higher East one.",
        ),
        (
            ["east-leopard", "east-water-snake", "west-lion"],
            ["east-crocodile"],
            "The target is East, the flooded plain, and you can beat its leading water snake, so you must rise above it.",
        ),
    ],
)
def test_the_reason_names_the_card_that_leads(expedition: list[str], hand: list[str], why: str, ask) -> None:
    assert ask(flooded="east", expedition=on_table(0, *expedition), player=3, hand=hand)["why"] == why


@pytest.mark.parametrize(
    ("notes", "beloz", "rule", "field", "message"),
    [
        (
            ["0 quads monkey"],
            None,
            "Declarations",
            "declarations.0.animal",
            f"Quads of monkeys do not count. {QUADS}",
        ),
        (
            ["0 north 1-3", "1 east 5-4"],
            None,
            "Declarations",
            "declarations.1.lowest",
            "A run goes from its lowest number to its highest, but 5 is above 4.",
        ),
        (
            ["0 north 4-4"],
            None,
            "Declarations",
            "declarations.0",
            "A run has three cards or more. 4 to 4 has 1.",
        ),
        (
            ["0 north 4-5"],
            None,
            "Declarations",
            "declarations.0",
            "A run has three cards or more. 4 to 5 has 2.",
        ),
        (
            ["3 north 4-6", "3 north 6-8"],
            None,
            "B12",
            "declarations.1",
            "The North elephant is in two of Di’s declarations. Besides BeloZ, a card counts in only one.",
        ),
        (
            ["3 north 4-6", "2 east 1-3", "1 quads elephant"],
            None,
            "B14",
            "declarations.2",
            "Di has declared the North elephant, so Bo can’t hold it too.",
        ),
        (
            ["1 north 1-5", "1 quads lion"],
            None,
            "B14",
            "declarations.1",
            "Bo’s declarations need 9 cards. A hand has eight.",
        ),
        (
            ["1 south 5-8"],
            3,
            "B14",
            "beloz",
            "Bo has declared the South rhinoceros, so Di can’t have BeloZ.",
        ),
        (
            ["3 north 1-4", "3 east 1-3"],
            3,
            "B14",
            "beloz",
            "Di’s declarations and BeloZ need 9 cards. A hand has eight.",
        ),
    ],
)
def test_a_refused_declaration_names_its_rule_and_place(
    notes: list[str], beloz: int | None, rule: str, field: str, message: str, declared
) -> None:
    with pytest.raises(RuleError) as refused:
        check_declarations(PLAYERS, declared(*notes), "south", beloz)
    assert (refused.value.rule, refused.value.field, refused.value.message) == (rule, field, message)


@pytest.mark.parametrize(
    ("notes", "beloz"),
    [
        (["1 north 1-4", "1 quads lion"], None),  # eight cards
        (["3 north 1-3", "3 east 1-3"], 3),  # six and BeloZ's two
        (["3 south 4-7", "3 north 1-3"], 3),  # BeloZ inside a run: seven
    ],
)
def test_declarations_that_fill_a_hand_are_fine(notes: list[str], beloz: int | None, declared) -> None:
    check_declarations(PLAYERS, declared(*notes), "south", beloz)


@pytest.mark.parametrize(
    ("names", "rule", "field", "message"),
    [
        (
            ["north-lion", "north-tiger"],
            "Playing Cards",
            "cards.1",
            "“north-tiger” is not a BeloZ card. Cards are like north-lion or west-water-snake.",
        ),
        (
            ["x" * 40],
            "Playing Cards",
            "cards.0",
            f"“{'x' * 40}” is not a BeloZ card. Cards are like north-lion or west-water-snake.",
        ),
        (
            ["x" * 41],
            "Playing Cards",
            "cards.0",
            f"“{'x' * 40}…” is not a BeloZ card. Cards are like north-lion or west-water-snake.",
        ),
        (
            ["north-lion", "east-lion", "north-lion"],
            "Playing Cards",
            "cards.2",
            "The North lion is here twice. There is only one.",
        ),
        (
            ["north-lion", "east-lion", "south-lion"],
            "B14",
            "cards",
            "3 cards can’t be a pile: each expedition has four. Take 3 off or add 1.",
        ),
        (
            ["north-lion", "east-lion", "south-lion", "west-lion", "west-monkey"],
            "B14",
            "cards",
            "5 cards can’t be a pile: each expedition has four. Take 1 off or add 3.",
        ),
    ],
)
def test_a_refused_pile_names_its_rule_and_place(names: list[str], rule: str, field: str, message: str) -> None:
    with pytest.raises(RuleError) as refused:
        pile_points(names, "south")
    assert (refused.value.rule, refused.value.field, refused.value.message) == (rule, field, message)


@pytest.mark.parametrize(
    ("team", "points", "expeditions", "last", "field", "message"),
    [
        (
            0,
            0,
            0,
            0,
            "count.expeditions",
            "Ana & Cy won the last expedition, so they won at least one.",
        ),
        (
            1,
            153,
            8,
            0,
            "count.expeditions",
            "Ana & Cy won the last expedition, so Bo & Di can’t have won all eight.",
        ),
        (0, 5, 0, 1, "count.points", "Without an expedition a team has no cards, so 0 points, not 5."),
        (0, 150, 8, 0, "count.points", "All eight expeditions are worth 153, not 150."),
        (
            0,
            154,
            None,
            0,
            "count.points",
            "154 is not possible: all the cards are worth 153, and the last expedition’s 10 are added for you.",
        ),
        (0, 1, None, 0, "count.points", "1 is not possible: no card is worth exactly 1. Near it: 0 or 2."),
        (0, 152, None, 0, "count.points", "152 is not possible: no card is worth exactly 1. Near it: 151 or 153."),
    ],
)
def test_a_refused_count_names_its_rule_and_place(
    team: int, points: int, expeditions: int | None, last: int, field: str, message: str
) -> None:
    with pytest.raises(RuleError) as refused:
        check_points(PLAYERS, team, points, expeditions, last)
    assert (refused.value.rule, refused.value.field, refused.value.message) == ("B14", field, message)


@pytest.mark.parametrize(("expeditions", "totals"), [(0, [0]), (8, [153])])
def test_none_or_all_of_the_expeditions_have_one_total(expeditions: int, totals: list[int]) -> None:
    def possible(points: int) -> bool:
        try:
            check_points(PLAYERS, 0, points, expeditions, 1 if expeditions == 0 else 0)
        except RuleError:
            return False
        return True

    assert [points for points in range(1000) if possible(points)] == totals


def test_all_the_points_need_six_expeditions() -> None:
    """21 of the cards are worth something: one more than five expeditions have."""
    with pytest.raises(RuleError) as refused:
        check_points(PLAYERS, 0, 153, 5, 0)
    assert refused.value.message.startswith("With 5 expeditions, 153 is not possible. Possible: ")
    check_points(PLAYERS, 0, 153, 6, 0)


def test_without_declarations_the_verdict_still_knows_the_round() -> None:
    verdict = judge(PLAYERS, BelozOptions(), "south", [])
    assert (verdict.players, verdict.flooded, verdict.declarations, verdict.team, verdict.points) == (
        PLAYERS,
        "south",
        (),
        None,
        0,
    )


@pytest.mark.parametrize(
    ("notes", "golden", "sentence"),
    [
        # of two equal runs the flooded one is the highest
        (["0 north 4-6", "2 south 4-6"], None, "Only Ana & Cy announced anything. Ana’s 20 counts with it."),
        (["2 south 4-6", "0 north 4-6"], None, "Only Ana & Cy announced anything. Ana’s 20 counts with it."),
        (
            ["0 north 4-7", "2 west 4-6", "0 east 1-3"],
            None,
            "Only Ana & Cy announced anything. Cy’s 20 and Ana’s other 20 count with it.",
        ),
        (
            ["0 north 4-7", "2 west 4-6 hidden", "0 east 1-3 hidden"],
            None,
            "Only Ana & Cy announced anything. Cy’s 20 and Ana’s other 20 were not shown.",
        ),
        (["0 north 4-7", "2 west 4-6 hidden"], None, "Only Ana & Cy announced anything. Cy’s 20 was not shown."),
        (
            ["3 north 4-7"],
            0,
            "Only Bo & Di announced anything. But Bo & Di won no expedition, so their declarations are lost.",
        ),
        (
            ["2 east 4-6", "3 west 4-6"],
            None,
            "Cy’s run of three and Di’s run of three are equal, so no declaration of either team counts.",
        ),
    ],
)
def test_the_verdict_says_whose_declarations_count_and_why(
    notes: list[str], golden: int | None, sentence: str, declared
) -> None:
    assert judge(PLAYERS, BelozOptions(), "south", declared(*notes), golden).sentence == sentence


def test_equally_strong_runs_are_listed_by_plain(ask) -> None:
    hand = [f"{plain}-{animal}" for plain in ("west", "north") for animal in ("elephant", "leopard", "lion")]
    found = ask(ask="declarations", flooded="south", hand=hand)["declarations"]
    assert [one["plain"] for one in found] == ["north", "west"]
