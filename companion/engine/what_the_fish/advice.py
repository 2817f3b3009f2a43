"""What does a page say of a swim? The number to beat, what a card would do, what one that was played has done.

Other games tell what wins the round and the match. Here the first free fish wins (ruling W3), and no number frees one: hands
are hidden, and nobody knows how high a KILL can be (ruling W5). So what can be told exactly is what the fish's life hangs on
now: the least total that kills it, and the least that saves it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine.text import Name, Part, Sentence, name, say
from companion.engine.what_the_fish import Kill, Protect, WhatTheFishState, apply
from companion.engine.what_the_fish.duel import Duel, DuelPlay


class NextMove(msgspec.Struct, frozen=True):
    """Whose move it is, the least total that decides something, how much of it is missing, and a sentence for all of it.

    ``side`` is ``anybody`` (and ``least`` and ``missing`` are None) when no fish swims. ``text`` is the sentence where the
    fish and its owner are seen anyway ("23 or more saves it").
    """

    side: Literal["anybody", "owner", "others"]
    least: int | None
    missing: int | None
    sentence: Sentence
    text: Sentence


def next_move(state: WhatTheFishState) -> NextMove:
    """Return what would change the fish's fate now ("Ana's fish: 23 or more saves it.")."""
    if state.winner is not None:
        winner = name(state.players[state.winner])
        free = say("{player}’s fish is free: {player} wins.", player=winner)
        return NextMove("anybody", None, None, free, say("{player} wins", player=winner))
    duel = state.duel
    if duel is None:
        anybody = say("Anybody may play a FISH")
        return NextMove("anybody", None, None, say("No fish is swimming. Anybody may play a FISH."), anybody)
    top, least, owner = duel.top, duel.to_beat + 1, name(state.players[duel.player])
    side: Literal["owner", "others"] = "owner" if duel.dies else "others"
    if top.beats:
        if duel.dies:
            sentence = say("{player}’s fish: {n} or more saves it.", player=owner, n=least)
            return NextMove(side, least, least, sentence, say("{n} or more saves it", n=least))
        sentence = say("{player}’s fish: {n} or more kills it.", player=owner, n=least)
        return NextMove(side, least, least, sentence, say("{n} or more kills it", n=least))
    total, missing = top.total, least - top.total
    if duel.dies:
        sentence = say(
            "{player}’s fish: the protection of {total} needs {missing} more to save it.",
            player=owner,
            total=total,
            missing=missing,
        )
        text = say("{total} so far, {missing} more to save it", total=total, missing=missing)
    else:
        sentence = say(
            "{player}’s fish: the attack of {total} needs {missing} more to kill it.",
            player=owner,
            total=total,
            missing=missing,
        )
        text = say("{total} so far, {missing} more to kill it", total=total, missing=missing)
    return NextMove(side, least, missing, sentence, text)


def account(play: DuelPlay) -> Sentence:
    """Return what a card did, by the numbers that decided it ("4 + 6 = 10 is above 8: it kills"; ruling W1)."""
    if play.kind == "fish":
        return say("{n} or more kills it", n=play.total + 1)
    total: Part = play.total
    if play.total != play.value:
        total = Name(f"{play.total - play.value} + {play.value} = {play.total}")
    missing = play.over + 1 - play.total
    if play.kind == "attack":
        if play.beats:
            return say("{total} is above {over}: it kills", total=total, over=play.over)
        return say("{total} is not above {over}: {missing} more to kill it", total=total, over=play.over, missing=missing)
    if play.beats:
        return say("{total} is above {over}: it saves", total=total, over=play.over)
    return say("{total} is not above {over}: {missing} more to save it", total=total, over=play.over, missing=missing)


def plays(state: WhatTheFishState, player: int) -> Literal["fish", "kill", "protect"]:
    """Return which kind of card is this player's to play: the fish's owner protects, anybody else attacks (ruling W2)."""
    if state.duel is None:
        return "fish"
    return "protect" if player == state.duel.player else "kill"


class Preview(msgspec.Struct, frozen=True):
    """What a card would do: its kind, its layer's total with it, what that must exceed, whether it does, and a key's label."""

    kind: Literal["kill", "protect"]
    total: int
    over: int
    beats: bool
    label: Sentence


def preview(state: WhatTheFishState, player: int, value: int) -> Preview:
    """Return what happens if this player lays down this value on the fish that swims.

    Raises RuleError where it would be refused.
    """
    protects = plays(state, player) == "protect"
    after = apply(state, Protect(player, value) if protects else Kill(player, value)).duel
    assert after is not None, "no card but the Time Traveler ends a swim"
    top = after.top
    return Preview("protect" if protects else "kill", top.total, top.over, top.beats, _label(state.duel, after))


def _label(before: Duel | None, after: Duel) -> Sentence:
    top = after.top
    total, short = top.total, top.over + 1 - top.total
    # it had done it before: the card makes it higher
    higher = before is not None and before.top.kind == top.kind and before.top.beats
    if top.kind == "protection":
        if not top.beats:
            return say("PROTECT to {total}, {short} short", total=total, short=short)
        return say("PROTECT to {total}", total=total) if higher else say("PROTECT, saved")
    if not top.beats:
        return say("KILL to {total}, {short} short", total=total, short=short)
    return say("KILL to {total}", total=total) if higher else say("KILL, dying")
