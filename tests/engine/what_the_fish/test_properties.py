"""Does any heap of events come to what a second reading of the rules computes from the cards on the table?"""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import core
from companion.engine.what_the_fish import GAME, Buddha, Dead, FlintFlush, Free, Kill, Protect, Swim, WhatTheFishState, Wtf
from companion.engine.what_the_fish.advice import next_move, preview
from companion.engine.what_the_fish.cards import WTF_CARDS

PLAYERS = ("Ana", "Bo", "Cy")


class Table:
    """The swim as cards in a row on a table: ("fish", player, rank), then KILL and PROTECT cards in the order played."""

    def __init__(self) -> None:
        self.row: list[tuple[str, int, int]] = []
        self.died = 0
        self.discarded = 0  # dead FISH in the discard pile
        self.free: int | None = None

    def layers(self) -> list[tuple[str, int]]:
        return [(kind, sum(value for _, _, value in cards)) for kind, cards in groupby(self.row, key=lambda card: card[0])]

    def alive(self) -> bool:
        """Return whether the fish lives: each attack is held against the protection after it, pair by pair."""
        layers = self.layers()
        if len(layers) == 1:
            return True
        (kind, total), (_, below) = layers[-1], layers[-2]
        return total <= below if kind == "kill" else total > below

    def to_beat(self) -> int:
        layers = self.layers()
        if len(layers) == 1:
            return layers[0][1]
        return max(layers[-1][1], layers[-2][1])  # a layer that does not exceed the one below leaves that one to be beaten

    def refuses(self, event: core.Event) -> bool:
        row, kind = self.row, self.row[-1][0] if self.row else None
        match event:
            case FlintFlush():
                return False
            case Swim():
                return bool(row)
            case Wtf(card="time-traveler", target=target, to=to):
                return not row or (target, to) != (None, None)
            case Wtf(card="elvis-effect", target=target, to=to):
                return self.discarded == 0 or (target, to) != (None, None)
            case Wtf(card="communist-manifesto", player=player, target=target, to=to):
                return None in (target, to) or len({player, target, to}) < 3
            case Wtf(player=player, target=target, to=to):
                return target in (None, player) or to is not None
        if not row:
            return True
        owner = row[0][1]
        match event:
            case Kill(player=player):
                return player == owner or (kind == "protect" and not self.alive())
            case Protect(player=player):
                return player != owner or kind == "fish" or (kind == "kill" and self.alive())
            case Dead():
                return self.alive()
            case Free():
                return not self.alive()
        return False  # Beaver Buddha

    def take(self, event: core.Event) -> None:
        match event:
            case Swim(player=player, rank=rank):
                self.row = [("fish", player, rank)]
            case Kill(player=player, value=value):
                self.row.append(("kill", player, value))
            case Protect(player=player, value=value):
                self.row.append(("protect", player, value))
            case Wtf(card="time-traveler"):
                self.row.pop()
            case Wtf(card="elvis-effect"):
                self.discarded -= 1
            case Dead():
                self.row, self.died, self.discarded = [], self.died + 1, self.discarded + 1
            case Buddha():
                self.row = []
            case Free():
                self.free, self.row = self.row[0][1], []


players = st.integers(0, 2)
someone = st.none() | players
values = st.integers(1, 12)
cards = st.builds(Kill, players, values) | st.builds(Protect, players, values)
events = st.one_of(
    cards,
    cards,
    cards,
    st.builds(Swim, players, values),
    st.builds(Wtf, players, st.just("time-traveler")),
    st.builds(Wtf, players, st.sampled_from(sorted(WTF_CARDS)), someone, someone),
    st.builds(Buddha, players),
    st.builds(FlintFlush, players),
    st.builds(Dead),
    st.builds(Dead),
    st.builds(Free),
)


@given(st.lists(events, min_size=1, max_size=60))
def test_the_engine_and_the_cards_on_the_table_agree(heap: list[core.Event]) -> None:
    position, table = core.start(GAME, PLAYERS), Table()
    for event in [Swim(0, 5), *heap]:
        before = position.standing()
        if table.free is not None or table.refuses(event):
            with pytest.raises(core.RuleError) as refusal:
                position.apply(event)
            assert refusal.value.message.endswith((".", "?"))
            assert position.standing() == before
            continue
        table.take(event)
        position = position.apply(event)
        standing = position.standing()
        row = table.row
        assert standing.details == {
            "fish": {"player": row[0][1], "rank": row[0][2]} if row else None,
            "layers": [total for _, total in table.layers()],
            "to_beat": table.to_beat() if row else None,
            "dies": bool(row) and not table.alive(),
            "free_fish": [int(player == table.free) for player in range(3)],
            "dead_fish": table.died,
        }
        assert standing.finished is (table.free is not None)
        assert standing.winners == (() if table.free is None else (table.free,))
        assert standing.scores == tuple(standing.details["free_fish"])
        for player, score in enumerate(standing.scores):
            assert sum(line.amounts[player] or 0 for line in standing.lines) == score


@given(st.lists(events, max_size=40), players, values)
def test_what_a_page_foretells_comes_true(heap: list[core.Event], player: int, value: int) -> None:
    state: WhatTheFishState = core.start(GAME, PLAYERS).apply(Swim(0, 5)).state
    for event in heap:
        try:
            state = GAME.apply(state, event) if not GAME.finished(state) else state
        except core.RuleError:
            continue
    if state.duel is None:
        assert next_move(state).least is None
        return
    owner = state.duel.player
    move = next_move(state)
    assert move.side == ("owner" if state.duel.dies else "others")
    # exactly the missing points turn the fish's fate, and one less does not
    mover = owner if move.side == "owner" else (owner + 1) % 3
    assert move.missing is not None
    assert preview(state, mover, move.missing).beats
    if move.missing > 1:
        assert not preview(state, mover, move.missing - 1).beats
    card = Protect(player, value) if player == owner else Kill(player, value)
    try:
        seen = preview(state, player, value)
    except core.RuleError:
        with pytest.raises(core.RuleError):
            GAME.apply(state, card)
        return
    after = GAME.apply(state, card).duel
    assert after is not None
    assert seen.total == after.layers[-1].total
    assert seen.beats == after.layers[-1].beats
    assert after.dies == (seen.beats if seen.kind == "kill" else not seen.beats)
