"""What belongs to Beluga Cup on the phones? Its pages, its board, and how its entries are told."""

from __future__ import annotations

from companion.almanac.games import BELUGA_CUP
from companion.engine.beluga_cup import GAME
from companion.rulebook import TEXTS
from companion.rulebook.cards import beluga_cup_cards
from companion.rulebook.figures import beluga_cup_figures
from companion.screens.beluga_cup.board import (
    bag_in_use,
    board,
    called,
    describe_entry,
    history,
    numbers,
    see_zone,
    stage,
    valued,
)
from companion.screens.beluga_cup.calculate import CupCalculator
from companion.screens.beluga_cup.finale import how_it_ended
from companion.screens.beluga_cup.look_up import BelugaCupLookUp
from companion.screens.beluga_cup.options import BelugaCupOptionsForm
from companion.screens.beluga_cup.other_plays import other_plays
from companion.screens.beluga_cup.page import SAMPLE_PLAYERS
from companion.screens.beluga_cup.theme import THEME
from companion.screens.beluga_cup.whole import PAGES, correction_page
from companion.screens.beluga_cup.zone import ZoneCalculator
from companion.screens.interface import Screens, View
from companion.screens.plugin import GamePlugin
from companion.screens.practice import practice

SCREENS = Screens(
    slug="beluga-cup",
    pages=PAGES,
    correction_page=correction_page,
    board=board,
    describe_entry=describe_entry,
    called=called,
    numbers=numbers,
    valued=valued,
    sample_players=SAMPLE_PLAYERS,
    first="deals",
    unit="entry",
    stage=stage,
    came_out=how_it_ended,
    habit=bag_in_use,
    views={
        "history": View("games/beluga-cup/history.html", history),
        "zone": View("games/beluga-cup/zone.html", see_zone),
        "other-plays": View("games/beluga-cup/other_plays.html", other_plays),
    },
)

PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=BelugaCupLookUp,
    calculators={"cup": CupCalculator, "zone": ZoneCalculator},
    practice=practice("beluga-cup"),
    options_form=BelugaCupOptionsForm,
    rules=TEXTS / "beluga-cup.md",
    figures=beluga_cup_figures,
    cards=beluga_cup_cards,
    almanac=BELUGA_CUP,
    theme=THEME,
)
