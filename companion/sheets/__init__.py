"""What do phones show of score sheets? One more game, built through the face that packages use (:mod:`companion.plugin`)."""

from __future__ import annotations

from companion.engine.sheet import GAME
from companion.plugin import GamePlugin, Screens, Theme, View
from companion.sheets.board import (
    board,
    called,
    change_label,
    describe_entry,
    history,
    how_it_ended,
    lowest_wins,
    next_first,
    numbers,
    stage,
    valued,
)
from companion.sheets.draft import AGREED, is_unseen
from companion.sheets.row import RowPage
from companion.sheets.settling import SettlePage
from companion.sheets.shelf import SHELF, SheetForm
from companion.sheets.words import scoring

SCREENS = Screens(
    slug="sheet",
    pages={"row": RowPage, "settle": SettlePage},
    correction_page=RowPage,
    main="row",
    board=board,
    came_out=how_it_ended,
    describe_entry=describe_entry,
    called=called,
    change_label=change_label,
    numbers=numbers,
    valued=valued,
    views={
        "history": View("games/sheet/history.html", history),
        "scoring": View("games/sheet/scoring.html", scoring),
    },
    sample_players=("Ana", "Bo", "Cy"),
    seats_alike=True,
    hides=is_unseen,
    agreed=AGREED,
    turn="left",
    next_first=next_first,
    stage=stage,
    lowest_wins_in=lowest_wins,
)

PLUGIN = GamePlugin(game=GAME, screens=SCREENS, options_form=SheetForm, shelf=SHELF, theme=Theme(style="css/games/sheet.css"))
