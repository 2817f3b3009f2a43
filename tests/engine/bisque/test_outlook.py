"""What must the last goal be worth? Against every card that it can be, as the engine scores it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.bisque import GAME, BisqueState, Pot, Reveal, last_goal, outlook, possible_points
from companion.engine.decktet import BASIC

CARDS = [card.id for card in BASIC]
GOALS = [card.id for card in BASIC if card.kind == "number"]


def last_hand(pot: list[str], scores: tuple[int, ...], hands: int = 1) -> BisqueState:
    return BisqueState(("Ana", "Bo", "Cy"), hands, tuple(Pot(card, 0) for card in pot), scores)


@settings(max_examples=60)
@given(st.permutations(CARDS), st.tuples(*[st.integers(0, 30)] * 3), st.integers(0, 2))
def test_as_many_points_win_and_fewer_do_not(deck: list[str], scores: tuple[int, ...], player: int) -> None:
    pot, rest = deck[:11], [card for card in deck[11:] if card in GOALS]
    if len(rest) < 3:
        return
    state = last_hand(pot, scores)
    others = rest[:2]
    goals: list[str | None] = [*others]
    goals.insert(player, None)
    decides = last_goal(state, tuple(goals))
    assert decides is not None
    assert decides[0] == player
    possible = set()
    for card in rest[2:]:
        whole = [*others]
        whole.insert(player, card)
        after = GAME.apply(state, Reveal(tuple(whole)))
        points = after.scores[player] - scores[player]
        possible.add(points)
        assert (GAME.standing(after).winners == (player,)) == (points >= decides[1])
    assert possible_points(state, tuple(goals)) == possible


POT = [f"ace-{suit}" for suit in ("moons", "suns", "waves", "leaves", "wyrms")]
POT += [f"crown-{suit}" for suit in ("moons", "suns", "waves", "leaves", "wyrms", "knots")]
# 15 of each suit, knots 10: a goal is worth 15, and 10 with knots


def test_it_is_said_in_a_sentence() -> None:
    goals = ("2-moons-knots", "3-moons-waves", None)  # Ana 10, Bo 15
    assert outlook(last_hand(POT, (0, 0, 0)), goals) == "Cy can only share the win, with 15."
    assert outlook(last_hand(POT, (0, 0, 4)), goals) == "Cy needs 12 to win."
    assert outlook(last_hand(POT, (0, 0, 6)), goals) == "Cy wins with any goal."
    assert outlook(last_hand(POT, (9, 0, 0)), goals) == "Cy can’t win any more."


def test_nothing_is_said_before_the_last_hand_or_while_two_goals_are_hidden() -> None:
    goals = ("2-moons-knots", "3-moons-waves", None)
    assert outlook(last_hand(POT, (0, 0, 0), hands=2), goals) is None
    assert outlook(last_hand(POT, (0, 0, 0)), ("2-moons-knots", None, None)) is None
    assert outlook(last_hand(POT[:10], (0, 0, 0)), goals) is None
