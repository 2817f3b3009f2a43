"""Beluga Cup: two belugas, four zones of fish, and a bag. Who eats more of each suit?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from companion.engine.beluga_cup.account import Account, account
from companion.engine.beluga_cup.contest import Contest, contest, ranks
from companion.engine.beluga_cup.draws import DRAWS, draw_fill, draw_swap, verify
from companion.engine.beluga_cup.events import BelugaCupOptions, Discard, Eat, ExcuseSwap, ExcuseTake, Fill, Play
from companion.engine.beluga_cup.match import BelugaCup, apply, finished, standing, start, start_before_u12
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

_BY_U12: Game[BelugaCup] = Game(
    slug="beluga-cup",
    title="Beluga Cup",
    seats=(2, 2),
    options=BelugaCupOptions,
    events=(Fill, Play, Discard, Eat, ExcuseSwap, ExcuseTake),
    start=start,
    apply=apply,
    finished=finished,
    standing=standing,
    questions=(LegalPlays,),
    answer=answer,
    verify=verify,
    draws=DRAWS,
    rules_version=2,
)

# Edition 1 came before ruling U12. What was accepted then stays readable, and its match is played to its end by it.
GAME = replace(
    _BY_U12,
    earlier=(replace(_BY_U12, rules_version=1, start=start_before_u12, verify=partial(verify, begin=start_before_u12)),),
)
