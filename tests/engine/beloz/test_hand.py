"""What can a hand declare, tried against every choice of declarations that it holds?"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.beloz import GAME
from companion.engine.core import RuleError

PLAINS = ("north", "east", "south", "west")
ANIMALS = ("meerkat", "monkey", "water-snake", "crocodile", "rhinoceros", "elephant", "leopard", "lion")  # 1 to 8
DECK = [f"{plain}-{animal}" for plain in PLAINS for animal in ANIMALS]


def run(plain: str, lowest: int, highest: int) -> dict:
    return {"kind": "straight_flush", "plain": plain, "lowest": lowest, "highest": highest}


def quads(animal: str) -> dict:
    return {"kind": "quads", "animal": animal}


def hand(*notes: str) -> list[str]:
    """Return cards from notes: hand("north 1-3 8", "east 8")."""
    cards = []
    for note in notes:
        plain, *numbers = note.split()
        for part in numbers:
            lowest, _, highest = part.partition("-")
            cards += [f"{plain}-{ANIMALS[number - 1]}" for number in range(int(lowest), int(highest or lowest) + 1)]
    return cards


@pytest.mark.parametrize(
    ("cards", "points", "declarations"),
    [
        (hand("north 1"), 0, []),
        (hand("north 1-2 4-5", "east 1 3 5 7"), 0, []),
        (hand("north 6-8"), 20, [run("north", 6, 8)]),
        (hand("north 2-5"), 50, [run("north", 2, 5)]),
        (hand("north 2-6"), 100, [run("north", 2, 6)]),
        # six and seven are worth no more than five, and are listed whole: their top is the same and they are longer
        (hand("north 2-7"), 100, [run("north", 2, 7)]),
        (hand("north 1-7"), 100, [run("north", 1, 7)]),
        # eight bring more as five and three; the five on top are stronger
        (hand("north 1-8"), 120, [run("north", 4, 8), run("north", 1, 3)]),
        (hand("north 1-4", "east 5-8"), 100, [run("east", 5, 8), run("north", 1, 4)]),
        (hand("north 5-8", "south 5-8"), 100, [run("south", 5, 8), run("north", 5, 8)]),  # south is flooded
        (hand("north 1-5", "west 6-8"), 120, [run("north", 1, 5), run("west", 6, 8)]),
        (hand("north 8", "east 8", "south 8", "west 8"), 100, [quads("lion")]),
        (hand("north 4 3", "east 4 3", "south 4 3", "west 4 3"), 350, [quads("crocodile"), quads("water-snake")]),
        (hand("north 8 7", "east 8 7", "south 8 7", "west 8 7"), 200, [quads("lion"), quads("leopard")]),
        (hand("north 1 2", "east 1 2", "south 1 2", "west 1 2"), 0, []),
        # quads take a card out of a run
        (hand("north 4-8", "east 8", "south 8", "west 8"), 150, [quads("lion"), run("north", 4, 7)]),
        (hand("north 4-8", "east 7", "south 7", "west 7"), 120, [quads("leopard"), run("north", 4, 6)]),
        # 100 either way: quads are stronger than the run of five
        (hand("north 4-8", "east 6", "south 6", "west 6"), 100, [quads("elephant")]),
        (hand("north 1-4", "east 4", "south 4", "west 4"), 220, [quads("crocodile"), run("north", 1, 3)]),
        (hand("north 6-8", "east 8", "south 8", "west 8"), 100, [quads("lion")]),
    ],
)
def test_the_declarations_worth_most(cards: list[str], points: int, declarations: list[dict], ask) -> None:
    answer = ask(ask="declarations", flooded="south", hand=cards)
    assert (answer["points"], answer["declarations"]) == (points, declarations)
    assert list(answer) == ["points", "declarations", "beloz"]
    assert ask(ask="declarations", flooded="south", hand=cards[::-1]) == answer


def test_beloz_is_the_flooded_elephant_and_rhinoceros(ask) -> None:
    pair = hand("east 5 6")
    assert ask(ask="declarations", flooded="east", hand=pair) == {"points": 0, "declarations": [], "beloz": True}
    assert not ask(ask="declarations", flooded="north", hand=pair)["beloz"]
    assert not ask(ask="declarations", flooded="east", hand=pair[:1])["beloz"]
    # its two cards may be declared as well (ruling B9), and its 20 are not in the points
    assert ask(ask="declarations", flooded="east", hand=hand("east 4-6")) == {
        "points": 20,
        "declarations": [run("east", 4, 6)],
        "beloz": True,
    }


@pytest.mark.parametrize(
    ("cards", "field"),
    [
        ([], "hand"),
        (DECK[:9], "hand"),
        (["north-lion", "north-lion"], "hand.1"),
        (["north-lion", "lion-north"], "hand.1"),
        (["North-lion"], "hand.0"),
    ],
)
def test_what_is_no_hand_is_refused(cards: list[str], field: str, ask) -> None:
    with pytest.raises(RuleError) as refused:
        ask(ask="declarations", flooded="south", hand=cards)
    assert refused.value.field == field


def all_declarations(cards: set[str]) -> list[tuple[dict, set[str], int]]:
    """Return every single declaration that these cards hold: itself, its cards, its points."""
    found = []
    worth = {"lion": 100, "leopard": 100, "elephant": 100, "rhinoceros": 100, "crocodile": 200, "water-snake": 150}
    for animal, points in worth.items():
        four = {f"{plain}-{animal}" for plain in PLAINS}
        if four <= cards:
            found.append((quads(animal), four, points))
    for plain in PLAINS:
        for lowest in range(1, 7):
            for highest in range(lowest + 2, 9):
                needed = set(hand(f"{plain} {lowest}-{highest}"))
                if needed <= cards:
                    found.append((run(plain, lowest, highest), needed, {3: 20, 4: 50}.get(len(needed), 100)))
    return found


def all_choices(found: list[tuple[dict, set[str], int]]) -> Iterator[list[tuple[dict, set[str], int]]]:
    """Yield every set of disjoint declarations."""
    if not found:
        yield []
        return
    first, *rest = found
    yield from all_choices(rest)
    for others in all_choices([one for one in rest if not one[1] & first[1]]):
        yield [first, *others]


def rank(one: tuple[dict, set[str], int], flooded: str) -> tuple:
    """Return how high a declaration is (ruling B6)."""
    declaration, _, points = one
    if declaration["kind"] == "quads":
        return (2, points, ANIMALS.index(declaration["animal"]) + 1)
    return (1, points, declaration["highest"], declaration["plain"] == flooded)


# Hands that hold something: a run or quads to begin with, then any other cards
def rich_hands() -> st.SearchStrategy[list[str]]:
    begun = st.one_of(
        st.sampled_from([hand(*(f"{plain} {number}" for plain in PLAINS)) for number in range(1, 9)]),
        st.builds(
            lambda plain, lowest, length: hand(f"{plain} {lowest}-{min(8, lowest + length - 1)}"),
            st.sampled_from(PLAINS),
            st.integers(1, 6),
            st.integers(3, 8),
        ),
        st.just([]),
    )
    return st.tuples(begun, begun, st.permutations(DECK)).map(
        lambda parts: list(dict.fromkeys(parts[0] + parts[1] + parts[2]))[:8]
    )


@given(cards=rich_hands(), size=st.integers(1, 8), flooded=st.sampled_from(PLAINS))
def test_no_choice_of_declarations_is_worth_more_or_as_much_and_stronger(cards: list[str], size: int, flooded: str) -> None:
    cards = cards[:size]
    assert GAME.answer is not None
    question = msgspec.convert(
        {"game": "beloz", "ask": "declarations", "flooded": flooded, "hand": cards}, type=GAME.questions[1]
    )
    answer = msgspec.to_builtins(GAME.answer(question), enc_hook=str)

    found = all_declarations(set(cards))
    given_back = [next(one for one in found if one[0] == declaration) for declaration in answer["declarations"]]
    for place, one in enumerate(given_back):
        assert not any(one[1] & other[1] for other in given_back[:place])
    assert sum(one[2] for one in given_back) == answer["points"]
    ranks = [rank(one, flooded) for one in given_back]
    assert ranks == sorted(ranks, reverse=True)

    longest = [len(one[1]) for one in given_back if one[0]["kind"] != "quads"]
    for choice in all_choices(found):
        assert sum(one[2] for one in choice) <= answer["points"]
        if sum(one[2] for one in choice) == answer["points"]:
            theirs = sorted((rank(one, flooded) for one in choice), reverse=True)
            assert theirs <= ranks
            if theirs == ranks:
                lengths = sorted((len(one[1]) for one in choice if one[0]["kind"] != "quads"), reverse=True)
                assert lengths <= sorted(longest, reverse=True)
