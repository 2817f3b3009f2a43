"""Beluga Cup: two belugas, four zones of fish, and a bag. Who eats more of each suit?"""

from __future__ import annotations

from companion.engine.beluga_cup.account import Account, account
from companion.engine.beluga_cup.contest import Contest, contest, ranks
from companion.engine.beluga_cup.draws import draw_fill, draw_swap, redraw, verify
from companion.engine.beluga_cup.events import BelugaCupOptions, Discard, Eat, ExcuseSwap, ExcuseTake, Fill, Play
from companion.engine.beluga_cup.match import BelugaCup, apply, finished, standing, start
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

GAME: Game[BelugaCup] = Game(
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
    redraw=redraw,
)
