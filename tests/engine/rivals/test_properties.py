"""Do any three rounds come to what a second reading of the rules says, with grey whales dealt out one by one?"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import core
from companion.engine.rivals import GAME, Count, Round

values = st.sampled_from([1, 2, 3, 4, 5, 6, 10])
few = st.lists(st.sampled_from([1, 2, 3]), max_size=2).map(tuple)  # small values tie often
sides = st.tuples(few, few) | st.tuples(*[st.lists(values, max_size=4).map(tuple)] * 2)
rounds = st.builds(
    lambda ended_by, packs: Round(ended_by=ended_by, packs=packs),
    st.sampled_from([None, None, 0, 1]),
    st.tuples(sides, sides, sides),
)


class Table:
    """Three heaps in the middle, a heap of captured cards a player, and the whales that each has left."""

    def __init__(self) -> None:
        self.packs: list[list[str]] = [["grey"] * 1, ["grey"] * 2, ["grey"] * 3]
        self.captured: list[list[str]] = [[], []]
        self.left = [18, 18]
        self.won: list[list[int | None]] = [[], [], []]
        self.starts = 0
        self.played = 0

    def refuses(self, one: Round) -> bool:
        called = one.ended_by is not None
        spent = [sum(len(pack[player]) for pack in one.packs) for player in (0, 1)]
        heaps = [len(heap) for pack in one.packs for heap in pack]
        too_many = max(heaps) > 3 or any(spent[player] > self.left[player] for player in (0, 1))
        return self.played == 3 or too_many or (called and 0 in heaps)

    def take(self, one: Round) -> None:
        for number, (first, second) in enumerate(one.packs):
            ahead = sum(first) - sum(second)
            winner = None if ahead == 0 else int(ahead < 0)
            if winner is not None:
                self.captured[winner] += self.packs[number]
                self.packs[number] = []
            self.won[number].append(winner)
            self.left[0] -= len(first)
            self.left[1] -= len(second)
        self.played += 1
        if self.played < 3:
            for number in range(3):
                self.packs[number] += ["grey"] * (number + 1)
        self.starts = {0: 1, 1: 0}[self.starts] if one.ended_by is None else one.ended_by


@given(st.lists(rounds, max_size=6), st.data())
def test_the_engine_and_the_heaps_agree(tried: list[Round], data: st.DataObject) -> None:
    position, table = core.start(GAME, ["Ana", "Bo"]), Table()
    for one in tried:
        if table.refuses(one):
            with pytest.raises(core.RuleError) as refusal:
                position.apply(one)
            assert refusal.value.message.endswith(".")
            continue
        position = position.apply(one)
        table.take(one)
        standing = position.standing()
        assert standing.scores == (None, None)
        assert not standing.finished
        assert standing.details == {
            "captured": [len(heap) for heap in table.captured],
            "packs": [{"grey": len(heap), "won_by": won} for heap, won in zip(table.packs, table.won, strict=True)],
            "first_player": table.starts,
        }
        assert sum(map(len, table.captured)) + sum(map(len, table.packs)) == 6 * min(table.played + 1, 3)
    numbers = [len(heap) for heap in table.captured]
    counted: Any = tuple(tuple(data.draw(st.lists(values, min_size=number, max_size=number))) for number in numbers)
    if table.played < 3:
        with pytest.raises(core.RuleError):
            position.apply(Count(counted))
        return
    standing = position.apply(Count(counted)).standing()
    assert standing.scores == (sum(counted[0]), sum(counted[1]))
    best = max((sum(heap), -len(heap)) for heap in counted)
    assert standing.winners == tuple(player for player in (0, 1) if (sum(counted[player]), -numbers[player]) == best)
    for wrong in ((*counted[0], 1), counted[0][1:] if counted[0] else (1, 1)):
        with pytest.raises(core.RuleError):
            position.apply(Count((wrong, counted[1])))
