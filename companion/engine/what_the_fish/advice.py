"""What does a page say of a swim? The number to beat, what a card would do, what one that was played has done."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine.what_the_fish import Kill, Protect, State, apply
from companion.engine.what_the_fish.duel import Duel, Play


class NextMove(msgspec.Struct, frozen=True):
    """Whose move it is, the least total that decides something, how much of it is missing, and a sentence for all of it.

    ``side`` is ``anybody`` (and ``least`` and ``missing`` are None) when no fish swims. ``text`` is the sentence where the
    fish and its owner are seen anyway ("23 or more saves it").
    """

    side: Literal["anybody", "owner", "others"]
    least: int | None
    missing: int | None
    sentence: str
    text: str


def next_move(state: State) -> NextMove:
    """What would change the fish's fate now ("Ana's fish: 23 or more saves it.")."""
    if state.winner is not None:
        winner = state.players[state.winner]
        return NextMove("anybody", None, None, f"{winner}'s fish is free: {winner} wins.", f"{winner} wins")
    duel = state.duel
    if duel is None:
        text = "Anybody may play a FISH"
        return NextMove("anybody", None, None, f"No fish is swimming. {text}.", text)
    top, least = duel.top, duel.to_beat + 1
    owner, does = state.players[duel.player], "save" if duel.dies else "kill"
    missing = least
    if top.beats:
        text = f"{least} or more {does}s it"
        sentence = f"{owner}'s fish: {text}."
    else:
        missing -= top.total
        layer = "protection" if duel.dies else "attack"
        text = f"{top.total} so far, {missing} more to {does} it"
        sentence = f"{owner}'s fish: the {layer} of {top.total} needs {missing} more to {does} it."
    return NextMove("owner" if duel.dies else "others", least, missing, sentence, text)


def account(play: Play) -> str:
    """What a card did, by the numbers that decided it ("4 + 6 = 10 is above 8: it kills"; ruling W1)."""
    if play.kind == "fish":
        return f"{play.total + 1} or more kills it"
    does = "kill" if play.kind == "attack" else "save"
    total = str(play.total) if play.total == play.value else f"{play.total - play.value} + {play.value} = {play.total}"
    if play.beats:
        return f"{total} is above {play.over}: it {does}s"
    return f"{total} is not above {play.over}: {play.over + 1 - play.total} more to {does} it"


def plays(state: State, player: int) -> Literal["fish", "kill", "protect"]:
    """Which kind of card is this player's to play: the fish's owner protects, anybody else attacks (ruling W2)."""
    if state.duel is None:
        return "fish"
    return "protect" if player == state.duel.player else "kill"


class Preview(msgspec.Struct, frozen=True):
    """What a card would do: its kind, its layer's total with it, what that must exceed, whether it does, and a key's label."""

    kind: Literal["kill", "protect"]
    total: int
    over: int
    beats: bool
    label: str


def preview(state: State, player: int, value: int) -> Preview:
    """What happens if this player lays down this value on the fish that swims. Raises RuleError where it would be refused."""
    protects = plays(state, player) == "protect"
    after = apply(state, Protect(player, value) if protects else Kill(player, value)).duel
    assert after is not None, "no card but the Time Traveler ends a swim"
    top = after.top
    return Preview("protect" if protects else "kill", top.total, top.over, top.beats, _label(state.duel, after))


def _label(before: Duel | None, after: Duel) -> str:
    top = after.top
    does, done = ("PROTECT", "saved") if top.kind == "protection" else ("KILL", "dying")
    if not top.beats:
        return f"{does} to {top.total}, {top.over + 1 - top.total} short"
    if before is not None and before.top.kind == top.kind and before.top.beats:
        return f"{does} to {top.total}"  # it had done it before: the card makes it higher
    return f"{does}, {done}"
