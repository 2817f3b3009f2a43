"""What comes next and what has been? The odds of a fish, the cup for eaten piles, each event told in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.beluga_cup import (
    Discard,
    Eat,
    ExcuseSwap,
    ExcuseTake,
    Fill,
    Play,
    account,
    chances,
    final,
    gather,
    note,
    notes,
    swaps,
    takes,
)
from companion.engine.beluga_cup.events import BelugaCupOptions
from companion.engine.beluga_cup.match import BelugaCup
from companion.engine.beluga_cup.outlook import is_sure, outlook, winning_zones
from companion.engine.beluga_cup.scoring import scoring_suits, winners
from companion.engine.beluga_cup.words import fish
from companion.engine.beluga_cup.zones import make_zone, needed, remaining, share
from companion.engine.core import RuleError

ANA, BO = 0, 1
NAMES = ("Ana", "Bo")
NONE = (0, 0, 0, 0, 0, 0)


# The next fish


def test_each_fish_of_the_bag_is_equally_likely() -> None:
    # 3 moons, 2 suns, 2 waves, 2 leaves, 4 wyrms, 3 knots: 16 fish
    eighth = Fraction(1, 8)
    assert chances((3, 2, 2, 2, 4, 3)) == (Fraction(3, 16), eighth, eighth, eighth, Fraction(1, 4), Fraction(3, 16))
    assert chances((0, 0, 1, 0, 0, 0)) == (0, 0, 1, 0, 0, 0)
    assert chances(NONE) == NONE


# The cup (ruling U6)


def test_the_cup_of_the_picture() -> None:
    # Ana has 2 moons to 1 and 3 suns to 1: 2 points. Bo has 3 waves to 1 and 2 wyrms to none: 1 point
    cup = final(NAMES, ((2, 3, 1, 2, 0, 1), (1, 1, 3, 2, 2, 1)))
    assert cup.points == (2, 1)
    assert cup.winners == (ANA,)
    assert [line.amounts for line in cup.lines] == [(1, 0), (1, 0), (0, 1), (0, 0), (0, 0), (0, 0)]
    assert cup.lines[0].what == "Moons: 2 to 1, Ana scores 1"


def test_equal_points_go_to_who_ate_more_fish() -> None:
    cup = final(NAMES, (NONE, (0, 0, 0, 0, 0, 3)))
    assert (cup.points, cup.winners) == ((0, 0), (BO,))
    assert cup.lines[-1].what == "Equal, more fish: Bo, 3 to 0"


def test_a_bag_holds_at_most_twelve_of_a_suit() -> None:
    assert final(NAMES, ((5, 0, 0, 0, 0, 7), (7, 0, 0, 0, 0, 5))).points == (5, 5)
    with pytest.raises(RuleError) as refused:
        final(NAMES, ((0, 7, 0, 0, 0, 0), (0, 6, 0, 0, 0, 0)))
    assert (refused.value.rule, refused.value.field) == ("U1", "eaten.0.suns")
    assert refused.value.message == "A bag has at most 12 fish of a suit, so Ana and Bo can’t have eaten 13 sun fish."
    with pytest.raises(RuleError) as refused:
        final(NAMES, ((0, 0, 0, 0, 0, 6), (0, 0, 0, 0, 0, 7)))
    assert refused.value.field == "eaten.1.knots"
    with pytest.raises(RuleError) as refused:
        final(NAMES, ((0, 0, 0, 0, 0, 7), (0, 0, 0, 0, 0, 7)))
    assert refused.value.field == "eaten.0.knots"


def test_a_suit_scores_for_whoever_has_more_of_it_and_only_if_the_other_has_some() -> None:
    # moons 2 to 1, suns 3 to none, waves 1 to 3, leaves 2 each, wyrms none to 2, knots 1 each
    eaten = ((2, 3, 1, 2, 0, 1), (1, 0, 3, 2, 2, 1))
    assert scoring_suits(eaten, ANA) == ("moons",)
    assert scoring_suits(eaten, BO) == ("waves",)


# The fish of the zones (ruling U1)


def test_zones_one_to_four_take_one_to_four_fish() -> None:
    assert [needed([number]) for number in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert needed((1, 2, 3, 4)) == 10
    assert needed(()) == 0


def test_fish_go_to_their_zones_in_the_order_in_which_they_come() -> None:
    drawn = ("suns", "leaves", "waves", "wyrms")
    assert share(drawn, (1, 2, 3)) == ((1, ("suns",)), (2, ("leaves", "waves")), (3, ("wyrms",)))
    assert share(drawn, (3,)) == ((3, ("suns", "leaves", "waves")),)
    assert share((), (2, 4)) == ((2, ()), (4, ()))


def test_what_the_bag_still_holds() -> None:
    left = remaining((7, 1, 0, 7, 7, 7), ("moons", "suns", "moons"))
    assert left == {"moons": 5, "suns": 0, "waves": 0, "leaves": 7, "wyrms": 7, "knots": 7}
    assert remaining((0, 0, 0, 0, 0, 1), ("moons", "knots", "knots")) == dict.fromkeys(left, 0)


def test_what_a_side_lacks_and_what_it_has_met(match: Any) -> None:
    zone = match.play(BO, 4, BO, "4-wyrms-knots").position.state.zone(4)  # moons knots knots wyrms
    assert (zone.lacks(BO), zone.met(BO)) == (("moons", "knots"), ("wyrms", "knots"))
    assert (zone.lacks(ANA), zone.met(ANA)) == (("moons", "wyrms", "knots", "knots"), ())


# Who eats if a card is played (ruling U4)


def test_a_card_that_fills_the_second_side_says_who_eats(match: Any) -> None:
    match.play(BO, 1, BO, "8-moons-suns")
    eats = {note.card.id: note.eater for note in notes(match.position.state, 1, ANA) if note.fits}
    # zone 1 holds one sun: Bo's side is full with 8
    assert eats["9-moons-suns"] == ANA
    assert eats["crown-suns"] == ANA
    assert eats["7-suns-knots"] == BO
    assert {note.eater for note in notes(match.position.state, 2, ANA)} == {None}


def test_equal_totals_are_eaten_by_whoever_places_the_last_card(match: Any) -> None:
    # zone 2 wants a leaf and a wave: Bo's side is full with 4, Ana's has the Ace of leaves and needs a 3 for as many
    match.play(BO, 2, BO, "4-waves-leaves").play(ANA, 2, ANA, "ace-leaves")
    eats = {note.card.id: note.eater for note in notes(match.position.state, 2, ANA) if note.fits}
    assert (eats["3-moons-waves"], eats["2-waves-leaves"], eats["5-suns-waves"]) == (BO, BO, ANA)
    match.enter(Discard(BO, 0))
    eats = {note.card.id: note.eater for note in notes(match.position.state, 2, ANA) if note.fits}
    assert (eats["3-moons-waves"], eats["2-waves-leaves"], eats["5-suns-waves"]) == (ANA, BO, ANA)


def test_one_card_is_told_as_among_all(new_match: Callable[..., Any]) -> None:
    match = new_match(deck="courts").play(BO, 1, BO, "8-moons-suns").play(ANA, 1, ANA, "ace-suns").fill(1, "moons")
    match.play(ANA, 4, BO, "crown-moons")
    state = match.position.state
    for number, side in ((1, ANA), (1, BO), (4, ANA), (4, BO)):
        for each in notes(state, number, side):
            assert note(state, number, side, each.card.id) == each
    assert note(state, 1, ANA, "8-moons-suns").gone
    assert note(state, 1, ANA, "excuse") is None
    assert note(state, 1, ANA, "pawn-moons-suns-leaves") is None


# Fish in words


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (NONE, "no fish"),
        ((1, 0, 0, 0, 0, 0), "1 moon fish"),
        ((0, 0, 0, 0, 2, 1), "2 wyrm fish and 1 knot fish"),
        ((1, 1, 1, 1, 0, 0), "1 moon fish, 1 sun fish, 1 wave fish and 1 leaf fish"),
    ],
)
def test_fish_are_counted_by_suit(counts: tuple[int, ...], words: str) -> None:
    assert fish(counts) == words


# Events told


def told(match: Any, event: Any) -> Any:
    before = match.position.state
    match.enter(event)
    return account(before, event, match.position.state)


def test_fish_are_drawn(match: Any) -> None:
    match.play(BO, 1, BO, "8-moons-suns").play(ANA, 1, ANA, "ace-suns")
    one = told(match, Fill(1, ("moons",), "hand"))
    assert (one.title, one.rule, one.eater) == ("Zone 1: 1 moon fish", "U1", None)
    assert one.sentences == ("They were drawn by hand.", "The bag has 31 fish left.")
    match.play(ANA, 1, ANA, "5-moons-leaves").play(BO, 1, BO, "6-moons-waves")
    assert told(match, Fill(1, ("suns",), "app")).sentences[0] == "Companion drew them out of the sealed bag."


def test_a_card_is_played(match: Any) -> None:
    one = told(match, Play(BO, 3, ANA, ("8-wyrms-knots",)))
    assert (one.title, one.rule, one.eater) == ("Bo: the 8 of wyrms and knots, zone 3", "U2", None)
    assert one.sentences == (
        "Bo played the 8 of wyrms and knots on Ana’s side of zone 3. That meets wyrms and knots.",
        "Ana’s side still lacks 1 wyrm fish. Its cards are worth 8.",
        "Ana plays next.",
    )
    two = told(match, Play(ANA, 3, ANA, ("7-waves-wyrms",)))
    assert two.sentences == (
        "Ana played the 7 of waves and wyrms on their own side of zone 3. That meets wyrms.",
        "Ana’s side is full. Its cards are worth 15.",
        "Bo plays next.",
    )


def test_several_aces_are_played(match: Any) -> None:
    one = told(match, Play(BO, 3, BO, ("ace-wyrms", "ace-knots")))
    assert (one.title, one.rule) == ("Bo: the Ace of wyrms and the Ace of knots, zone 3", "U3")
    assert one.sentences[0].endswith("That meets wyrms and knots.")


@pytest.mark.parametrize(
    ("bos", "anas", "why", "eater"),
    [
        ("8-moons-suns", "crown-suns", "Ana’s cards are worth 10, Bo’s 8, so Ana eats 1 sun fish.", ANA),
        ("8-moons-suns", "ace-suns", "Ana’s cards are worth 1, Bo’s 8, so Bo eats 1 sun fish.", BO),
        ("9-moons-suns", "4-moons-suns", "Ana’s cards are worth 4, Bo’s 9, so Bo eats 1 sun fish.", BO),
    ],
)
def test_a_zone_is_eaten(match: Any, bos: str, anas: str, why: str, eater: int) -> None:
    match.play(BO, 1, BO, bos)
    one = told(match, Play(ANA, 1, ANA, (anas,)))
    assert (one.title, one.rule, one.eater) == (f"{NAMES[eater]} eats zone 1", "U4", eater)
    assert one.sentences[1:] == (f"Both sides are full: {why}", "Zone 1 gets new fish.", f"{NAMES[1 - eater]} plays next.")


@pytest.mark.parametrize("eater", [ANA, BO])
def test_who_has_eaten_before_may_eat_again(match: Any, eater: int) -> None:
    bos, anas = ("9-moons-suns", "ace-suns") if eater == BO else ("ace-suns", "9-moons-suns")
    match.play(BO, 1, BO, bos).play(ANA, 1, ANA, anas).fill(1, "suns")
    other = 1 - eater
    match.play(other, 1, other, "2-suns-wyrms")
    assert told(match, Play(eater, 1, eater, ("crown-suns",))).eater == eater


def test_equal_totals_say_who_placed_the_last_card(match: Any) -> None:
    match.play(BO, 2, BO, "4-waves-leaves").play(ANA, 2, ANA, "ace-leaves")
    one = told(match, Play(BO, 2, ANA, ("3-moons-waves",)))
    assert (one.title, one.eater) == ("Bo eats zone 2", BO)
    assert one.sentences[1] == "Both sides are full and worth 4: Bo placed the last card and eats 1 wave fish and 1 leaf fish."


def test_the_last_zone_is_eaten(new_match: Callable[..., Any]) -> None:
    match = new_match(cards="untracked")
    # 32 fish are in the bag: zone 4 is filled eight times more
    for suits in ["moons"] * 4, ["waves"] * 4, ["leaves"] * 4, ["suns"] * 4:
        match.enter(Eat(4, ANA), Fill(4, tuple(suits), "hand"))
    for mixed in "moons moons suns suns", "waves waves leaves leaves", "wyrms wyrms wyrms wyrms", "knots knots knots knots":
        match.enter(Eat(4, ANA)).fill(4, mixed)
    one = told(match, Eat(4, BO))
    assert (one.title, one.rule, one.eater) == ("Bo eats zone 4", "U4", BO)
    assert one.sentences == ("Bo eats 4 knot fish.", "The bag has 0 fish left, too few for zone 4: the match is over.")


def test_who_eats_where_no_cards_are_entered(new_match: Callable[..., Any]) -> None:
    one = told(new_match(cards="untracked"), Eat(3, ANA))
    assert (one.title, one.eater) == ("Ana eats zone 3", ANA)
    assert one.sentences == ("Ana eats 2 wyrm fish and 1 knot fish.", "Zone 3 gets new fish.")


@pytest.mark.parametrize(("cards", "words"), [(0, "nothing"), (1, "1 card"), (2, "2 cards"), (3, "3 cards")])
def test_no_card_fits(match: Any, cards: int, words: str) -> None:
    one = told(match, Discard(BO, cards))
    assert (one.title, one.rule, one.eater) == ("Bo: no card fits", "U8", None)
    assert one.sentences == (f"Bo showed the hand and discarded {words}.", "Ana plays next.")


@pytest.mark.parametrize(("by", "words"), [("app", "out of the sealed bag"), ("hand", "by hand")])
def test_the_excuse_swaps_fish(new_match: Callable[..., Any], by: str, words: str) -> None:
    one = told(new_match(deck="courts"), ExcuseSwap(BO, 2, ("moons", "moons"), ("moons", "leaves"), by))
    assert (one.title, one.rule, one.eater) == ("Bo swaps fish in zone 2", "U10", None)
    assert one.sentences == (
        f"Drawn {words}: 2 moon fish. Put back: 1 moon fish and 1 leaf fish.",
        "Zone 2 now: 1 moon fish and 1 wave fish.",
        "Ana plays next.",
    )


def test_the_excuse_takes_a_card_back(new_match: Callable[..., Any]) -> None:
    match = new_match(deck="courts").play(BO, 4, BO, "crown-moons").play(ANA, 4, ANA, "ace-moons")
    one = told(match, ExcuseTake(BO, 4, "crown-moons"))
    assert (one.title, one.rule, one.eater) == ("Bo takes back the Crown of moons", "U10", None)
    assert one.sentences == (
        "Bo played the Excuse and took the card from their own side of zone 4.",
        "Ana plays next.",
    )


# Several Aces (ruling U3)


def test_aces_gather_only_where_one_of_them_is_lacking(new_match: Callable[..., Any]) -> None:
    # zone 4 wants moons, knots, knots, wyrms: with knots, knots and wyrms met, only the Ace of moons makes a set
    match = new_match()
    match.play(BO, 4, BO, "4-wyrms-knots").play(ANA, 4, BO, "crown-knots")
    state = match.position.state
    assert gather(notes(state, 4, BO))
    match.play(BO, 1, BO, "crown-suns").play(ANA, 4, ANA, "ace-moons")  # now it lies in the zone
    assert not gather(notes(match.position.state, 4, BO))
    assert not gather(notes(state, 1, BO))  # one Ace is no set


def test_why_a_card_is_not_played_together_with_aces(match: Any) -> None:
    state = match.position.state
    assert note(state, 3, BO, "ace-wyrms").apart is None
    assert note(state, 3, BO, "crown-wyrms").apart == "Only Aces may be played together. Any other card is played alone."
    assert note(state, 3, BO, "ace-moons").apart == "No moon fish swims in zone 3."


# What the Excuse can do (ruling U10)


def test_where_the_excuse_swaps_and_what_it_takes_back(new_match: Callable[..., Any]) -> None:
    match = new_match(deck="courts").play(BO, 4, BO, "crown-moons").play(ANA, 3, BO, "ace-wyrms")
    assert swaps(match.position.state) == (1, 2)
    assert takes(match.position.state, BO) == ((3, "ace-wyrms"), (4, "crown-moons"))
    with pytest.raises(RuleError, match=r"^Ana has no card on their own side of a zone\.$") as refused:
        takes(match.position.state, ANA)
    assert (refused.value.rule, refused.value.field) == ("U10", "card")


def test_why_the_excuse_can_not_swap(new_match: Callable[..., Any]) -> None:
    match = new_match(deck="courts")
    match.play(BO, 1, BO, "2-suns-wyrms").play(ANA, 2, ANA, "crown-leaves")
    match.play(BO, 3, BO, "ace-wyrms").play(ANA, 4, ANA, "crown-moons")
    with pytest.raises(RuleError, match=r"^Cards lie in every zone. Fish are swapped only") as refused:
        swaps(match.position.state)
    assert (refused.value.rule, refused.value.field) == ("U10", "zone")
    match.play(BO, 1, ANA, "ace-suns")  # Bo eats zone 1
    for ask in (swaps, lambda state: takes(state, BO)):
        with pytest.raises(RuleError, match=r"^Fill zone 1 first\.$"):
            ask(match.position.state)
        with pytest.raises(RuleError, match=r"only with the Courts"):
            ask(new_match().position.state)


# Whose cup it is already


def divided(left: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Iterate over all ways in which two can eat some of these fish."""
    ways = [[(mine, theirs) for mine in range(n + 1) for theirs in range(n + 1 - mine)] for n in left]
    for way in product(*ways):
        yield tuple(mine for mine, _ in way), tuple(theirs for _, theirs in way)


SIX = st.tuples(*[st.integers(0, 3)] * 6)


@given(SIX, SIX, st.lists(st.integers(0, 2), min_size=6, max_size=6).filter(lambda left: sum(left) <= 5))
def test_a_cup_is_sure_if_no_way_to_eat_the_rest_takes_it(mine: Any, theirs: Any, left: list[int]) -> None:
    for player, eaten in ((ANA, (mine, theirs)), (BO, (theirs, mine))):
        ends = (winners((_sum(eaten[0], more[player]), _sum(eaten[1], more[1 - player]))) for more in divided(left))
        assert is_sure(eaten, tuple(left), player) == all(end == (player,) for end in ends)


def _sum(had: Sequence[int], more: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(sum, zip(had, more, strict=True)))


def at_the_end(eaten: Any, bag: Any, *fish: str) -> BelugaCup:
    """Return a match with these fish in zones 1 to 4, one letter a fish: m, s, w, l, y, k."""
    suits = {"m": "moons", "s": "suns", "w": "waves", "l": "leaves", "y": "wyrms", "k": "knots"}
    zones = tuple(make_zone(n, [suits[letter] for letter in zone]) for n, zone in enumerate(fish, 1))
    return BelugaCup(NAMES, BelugaCupOptions(), bag, ANA, None, zones, (), eaten)


def test_a_zone_that_decides_is_named() -> None:
    # Ana 3 moons to 2: 2 points. Bo 2 suns to 1: 1 point. The bag is empty: whoever eats ends the match
    eaten = ((3, 1, 0, 0, 0, 0), (2, 2, 0, 0, 0, 0))
    cup = at_the_end(eaten, NONE, "k", "mm", "sss", "wwww")
    assert winning_zones(cup, ANA) == (1, 2, 3, 4)
    assert winning_zones(cup, BO) == (2,)  # 4 moons to 3: 3 points and 1, against none


def test_it_is_said_in_a_sentence() -> None:
    # Ana 4 points to none: Bo can have one at the most, for 6 knots to 1
    ahead = ((3, 3, 0, 0, 0, 0), (2, 2, 0, 0, 0, 0))
    assert outlook(at_the_end(ahead, NONE, "k", "kk", "kkk", "l")) == "Ana has the cup, whatever is eaten now."
    # 1 point each, and 3 fish to 3: the bag is empty, so one more fish decides
    even = ((2, 1, 0, 0, 0, 0), (1, 2, 0, 0, 0, 0))
    assert outlook(at_the_end(even, NONE, "k", "kk", "lll", "wwww")) == "Whoever eats next has the cup."
    eaten = ((3, 1, 0, 0, 0, 0), (2, 2, 0, 0, 0, 0))
    assert outlook(at_the_end(eaten, NONE, "k", "mm", "sss", "wwww")) == (
        "Ana has the cup with any of zones 1, 2, 3 and 4. Bo has the cup with zone 2."
    )
    assert outlook(at_the_end((NONE, NONE), (7,) * 6, "k", "kk", "lll", "wwww")) is None
