"""BeloZ on the phones: its pages, its board, and how its entries are told."""

from __future__ import annotations

from companion.screens.beloz.board import board, history, numbers, tell, told_after, valued
from companion.screens.beloz.finale import how_it_ended
from companion.screens.beloz.round import CountPage, DeclarationsPage, RoundPage, WhoPage
from companion.screens.page import Screens, View

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
