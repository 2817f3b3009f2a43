"""What belongs to BeloZ on the phones? Its pages, its board, and how its entries are told."""

from __future__ import annotations

from companion.almanac.games import BELOZ
from companion.engine.beloz import GAME
from companion.engine.exercises.beloz import EXAMPLES
from companion.rulebook import TEXTS
from companion.rulebook.cards import beloz_cards
from companion.rulebook.figures import beloz_figures
from companion.screens.beloz.board import board, called, change_label, describe_entry, history, numbers, stage, valued
from companion.screens.beloz.calculate import RoundCalculator
from companion.screens.beloz.finale import how_it_ended
from companion.screens.beloz.look_up import BelozLookUp
from companion.screens.beloz.options import BelozOptionsForm
from companion.screens.beloz.round import CountPage, DeclarationsPage, RoundPage, WhoPage
from companion.screens.beloz.theme import THEME
from companion.screens.beloz.whole_round import WholeRoundPage
from companion.screens.interface import Screens, View
from companion.screens.plugin import GamePlugin
from companion.screens.practice import practice

SCREENS = Screens(
    slug="beloz",
    pages={"who": WhoPage, "declarations": DeclarationsPage, "count": CountPage, "round": WholeRoundPage},
    correction_page=RoundPage,
    board=board,
    describe_entry=describe_entry,
    called=called,
    change_label=change_label,
    numbers=numbers,
    valued=valued,
    stage=stage,
    came_out=how_it_ended,
    sample_players=RoundCalculator.players,
    seats_alike=True,
    views={"history": View("games/beloz/history.html", history)},
)

PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=BelozLookUp,
    calculators={"round": RoundCalculator},
    practice=practice("beloz", examples=EXAMPLES),
    options_form=BelozOptionsForm,
    rules=TEXTS / "beloz.md",
    figures=beloz_figures,
    cards=beloz_cards,
    almanac=BELOZ,
    theme=THEME,
)
