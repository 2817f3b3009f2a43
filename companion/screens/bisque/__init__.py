"""What belongs to Bisque on the phones? Its pages, its board, and how its entries are told."""

from __future__ import annotations

from companion.almanac.games import BISQUE
from companion.engine.bisque import GAME, TRICKS, BisqueState, Reveal
from companion.engine.core import Standing
from companion.engine.text import Sentence
from companion.rulebook import TEXTS
from companion.rulebook.cards import bisque_cards
from companion.rulebook.figures import bisque_figures
from companion.screens.bisque.board import board, called, change_label, describe_entry, numbers, row, stage, valued
from companion.screens.bisque.finale import how_it_ended
from companion.screens.bisque.goals import MyGoalPage, RevealPage
from companion.screens.bisque.look_up import BisqueLookUp
from companion.screens.bisque.options import BisqueOptionsForm
from companion.screens.bisque.soup import SoupCalculator
from companion.screens.bisque.theme import THEME
from companion.screens.bisque.trick import TrickPage
from companion.screens.interface import PageContext, ScreenPage, Screens, scores_of
from companion.screens.plugin import GamePlugin
from companion.screens.practice import practice


def hand(context: PageContext) -> ScreenPage[BisqueState]:
    """Return what the match's page asks for: the next trick until the pot is full, then the goals; or whatever was sent."""
    sent = context.form_data if context.form_data is not None else ()
    if "card" in sent or "by" in sent or "redeal" in sent:
        return TrickPage(context)
    if "goal" in sent or "save" in sent or "hide" in sent or len(context.position.state.pot) == TRICKS:
        return RevealPage(context)
    return TrickPage(context)


def correction_page(context: PageContext) -> ScreenPage[BisqueState]:
    """Return the page of the entry. Instead of an end that the players chose, what would have come next can be entered."""
    full = len(context.position.state.pot) == TRICKS
    return RevealPage(context) if full or isinstance(context.replacing[0], Reveal) else TrickPage(context)


def summary(standing: Standing) -> Sentence:
    """Return the totals: "Ana 34, Bo 29, Cy 31"."""
    return scores_of(standing, range(len(standing.sides)))


SCREENS = Screens(
    slug="bisque",
    pages={"hand": hand, "goal": MyGoalPage},
    correction_page=correction_page,
    board=board,
    describe_entry=describe_entry,
    change_label=change_label,
    row=row,
    numbers=numbers,
    called=called,
    valued=valued,
    sample_players=SoupCalculator.players,
    unit="hand",
    main="hand",
    turn="left",
    summary=summary,
    stage=stage,
    came_out=how_it_ended,
)

PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=BisqueLookUp,
    calculators={"hand": SoupCalculator},
    practice=practice("bisque"),
    options_form=BisqueOptionsForm,
    rules=TEXTS / "bisque.md",
    figures=bisque_figures,
    cards=bisque_cards,
    almanac=BISQUE,
    theme=THEME,
)
