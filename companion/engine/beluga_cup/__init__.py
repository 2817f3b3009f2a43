"""Beluga Cup: two belugas, four zones of fish, and a bag. Who eats more of each suit?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from companion.engine.beluga_cup.account import Account, account
from companion.engine.beluga_cup.contest import Contest, contest, ranks
from companion.engine.beluga_cup.draws import DRAWS, draw_fill, draw_swap, verify
from companion.engine.beluga_cup.events import BelugaCupOptions, Discard, Eat, ExcuseSwap, ExcuseTake, Fill, Play, Shuffle
from companion.engine.beluga_cup.match import BelugaCup, apply, finished, standing, start, start_before_u12, start_before_u13
from companion.engine.beluga_cup.outlook import Cup, chances, final
from companion.engine.beluga_cup.plays import LegalPlays, Note, TableZone, answer, choices, gather, note, notes, swaps, takes
from companion.engine.core import Game

__all__ = [
    "GAME",
    "Account",
    "BelugaCup",
    "BelugaCupOptions",
    "Contest",
    "Cup",
    "Discard",
    "Eat",
    "ExcuseSwap",
    "ExcuseTake",
    "Fill",
    "LegalPlays",
    "Note",
    "Play",
    "Shuffle",
    "TableZone",
    "account",
    "chances",
    "choices",
    "contest",
    "draw_fill",
    "draw_swap",
    "final",
    "gather",
    "note",
    "notes",
    "ranks",
    "swaps",
    "takes",
]

_BY_U13: Game[BelugaCup] = Game(
    slug="beluga-cup",
    title="Beluga Cup",
    seats=(2, 2),
    options=BelugaCupOptions,
    events=(Fill, Play, Discard, Eat, ExcuseSwap, ExcuseTake, Shuffle),
    start=start,
    apply=apply,
    finished=finished,
    standing=standing,
    questions=(LegalPlays,),
    answer=answer,
    verify=verify,
    draws=DRAWS,
    rules_version=3,
)


def _earlier(rules_version: int, start: Callable[[tuple[str, ...], BelugaCupOptions], BelugaCup]) -> Game[BelugaCup]:
    return replace(_BY_U13, rules_version=rules_version, start=start, verify=partial(verify, begin=start))


# Editions 1 and 2 came before rulings U12 and U13. What was accepted then stays readable, and its match is played to its end.
GAME = replace(_BY_U13, earlier=(_earlier(2, start_before_u13), _earlier(1, start_before_u12)))
