"""Rivals on the phones: its pages, its board, and how its entries are told."""

from __future__ import annotations

from companion.engine.rivals import GAME, Count, State
from companion.engine.rivals.whales import ROUNDS
from companion.rulebook import TEXTS
from companion.rulebook.cards import rivals_cards
from companion.rulebook.figures import rivals_figures
from companion.screens.page import Page, Screens, Sitting
from companion.screens.plugin import GamePlugin
from companion.screens.rivals.board import board, compared, numbers, summary, tell, told_after, valued
from companion.screens.rivals.count import CountPage
from companion.screens.rivals.finale import how_it_ended
from companion.screens.rivals.look_up import RivalsLook
from companion.screens.rivals.round import RoundPage
from companion.screens.rivals.theme import THEME
from companion.screens.rivals.turn import TurnPage


def whole(sitting: Sitting) -> Page:
    """A round or the count on one page: what is corrected, or without a table what was asked for."""
    state: State = sitting.position.state
    asked = (sitting.typed or sitting.query).get("what", "")
    if any(isinstance(event, Count) for event in sitting.replacing):
        return CountPage(sitting)
    if sitting.replacing:
        return CountPage(sitting) if len(state.rounds) == ROUNDS else RoundPage(sitting)
    return CountPage(sitting) if asked == "count" else RoundPage(sitting)


SCREENS = Screens(
    slug="rivals",
    pages={"turn": TurnPage, "round": RoundPage, "count": CountPage},
    main="turn",
    whole=whole,
    board=board,
    tell=tell,
    summary=summary,
    compared=compared,
    told_after=told_after,
    numbers=numbers,
    valued=valued,
    finale=how_it_ended,
    own_colours=True,
    sample_players=("Red", "Blue"),
    dealer=lambda _standing: 0,  # nobody deals: both keep their colours
)

PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=RivalsLook,
    rules=TEXTS / "rivals.md",
    figures=rivals_figures,
    cards=rivals_cards,
    theme=THEME,
)
