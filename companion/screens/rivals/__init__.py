"""What belongs to Rivals on the phones? Its pages, its board, and how its entries are told."""

from __future__ import annotations

from companion.almanac.games import RIVALS
from companion.engine.rivals import GAME, Count, RivalsState
from companion.engine.rivals.whales import ROUNDS
from companion.rulebook import TEXTS
from companion.rulebook.cards import rivals_cards
from companion.rulebook.figures import rivals_figures
from companion.screens.interface import PageContext, ScreenPage, Screens
from companion.screens.plugin import GamePlugin
from companion.screens.practice import practice
from companion.screens.rivals.board import (
    board,
    called,
    change_label,
    corrected_values,
    describe_entry,
    numbers,
    stage,
    summary,
    valued,
)
from companion.screens.rivals.calculate import SAMPLE_PLAYERS, CountCalculator, RoundCalculator
from companion.screens.rivals.count import CountPage
from companion.screens.rivals.finale import how_it_ended
from companion.screens.rivals.look_up import RivalsLookUp
from companion.screens.rivals.round import RoundPage
from companion.screens.rivals.theme import THEME
from companion.screens.rivals.turn import TurnPage


def correction_page(context: PageContext) -> ScreenPage[RivalsState]:
    """Return the page of a round or of the count. Instead of an end that the players chose, what comes next can be entered."""
    counted = any(isinstance(event, Count) for event in context.replacing)
    return CountPage(context) if counted or len(context.position.state.rounds) == ROUNDS else RoundPage(context)


SCREENS = Screens(
    slug="rivals",
    pages={"turn": TurnPage, "round": RoundPage, "count": CountPage},
    main="turn",
    correction_page=correction_page,
    board=board,
    describe_entry=describe_entry,
    called=called,
    summary=summary,
    corrected_values=corrected_values,
    change_label=change_label,
    numbers=numbers,
    valued=valued,
    stage=stage,
    came_out=how_it_ended,
    own_colours=True,
    sample_players=SAMPLE_PLAYERS,
    first="starts",
    next_first=lambda _standing: 0,  # nobody deals: both keep their colours
)

PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=RivalsLookUp,
    calculators={RoundPage.what: RoundCalculator, CountPage.what: CountCalculator},
    practice=practice("rivals"),
    rules=TEXTS / "rivals.md",
    figures=rivals_figures,
    cards=rivals_cards,
    almanac=RIVALS,
    theme=THEME,
)
