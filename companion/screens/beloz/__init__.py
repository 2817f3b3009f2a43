"""BeloZ on the phones: its pages, its board, and how its entries are told."""

from __future__ import annotations

from companion.engine.beloz import GAME
from companion.rulebook import TEXTS
from companion.rulebook.cards import beloz_cards
from companion.rulebook.figures import beloz_figures
from companion.screens.beloz.board import board, history, numbers, tell, told_after, valued
from companion.screens.beloz.finale import how_it_ended
from companion.screens.beloz.look_up import BelozLook
from companion.screens.beloz.options import BelozOptionsForm
from companion.screens.beloz.round import CountPage, DeclarationsPage, RoundPage, WhoPage
from companion.screens.beloz.theme import THEME
from companion.screens.page import Screens, View
from companion.screens.plugin import GamePlugin

SCREENS = Screens(
    slug="beloz",
    pages={"who": WhoPage, "declarations": DeclarationsPage, "count": CountPage},
    whole=RoundPage,
    board=board,
    tell=tell,
    told_after=told_after,
    numbers=numbers,
    valued=valued,
    finale=how_it_ended,
    sample_players=("You", "Right", "Partner", "Left"),
    views={"history": View("games/beloz/history.html", history)},
)

PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=BelozLook,
    options_form=BelozOptionsForm,
    rules=TEXTS / "beloz.md",
    figures=beloz_figures,
    cards=beloz_cards,
    theme=THEME,
)
