"""Bisque on the phones: its pages, its board, and how its entries are told."""

from __future__ import annotations

from companion.engine.bisque import GAME, TRICKS, Reveal
from companion.engine.core import Standing
from companion.rulebook import TEXTS
from companion.rulebook.cards import bisque_cards
from companion.rulebook.figures import bisque_figures
from companion.screens.bisque.board import board, called, numbers, row, tell, told_after, valued
from companion.screens.bisque.finale import how_it_ended
from companion.screens.bisque.goals import MyGoalPage, RevealPage
from companion.screens.bisque.look_up import BisqueLook
from companion.screens.bisque.options import BisqueOptionsForm
from companion.screens.bisque.soup import SoupPage
from companion.screens.bisque.theme import THEME
from companion.screens.bisque.trick import TrickPage
from companion.screens.page import Page, Screens, Sitting
from companion.screens.plugin import GamePlugin


def hand(sitting: Sitting) -> Page:
    """What the match's page asks for: the next trick until the pot is full, then the goals; or whatever was sent."""
    typed = sitting.typed if sitting.typed is not None else ()
    if "card" in typed or "by" in typed:
        return TrickPage(sitting)
    if "goal" in typed or "save" in typed or "hide" in typed or len(sitting.position.state.pot) == TRICKS:
        return RevealPage(sitting)
    return TrickPage(sitting)


def whole(sitting: Sitting) -> Page:
    """What is corrected, on one page; without a table a pot with its goals.

    Instead of an end that the players chose, what would have come next can be entered.
    """
    if not sitting.replacing:
        return SoupPage(sitting)
    full = len(sitting.position.state.pot) == TRICKS
    return RevealPage(sitting) if full or isinstance(sitting.replacing[0], Reveal) else TrickPage(sitting)


def summary(standing: Standing) -> str:
    """The totals: "Ana 34, Bo 29, Cy 31"."""
    return ", ".join(f"{name} {score}" for name, score in zip(standing.sides, standing.scores, strict=True))


SCREENS = Screens(
    slug="bisque",
    pages={"hand": hand, "goal": MyGoalPage},
    whole=whole,
    board=board,
    tell=tell,
    told_after=told_after,
    row=row,
    numbers=numbers,
    called=called,
    valued=valued,
    sample_players=("You", "Left", "Right"),
    unit="hand",
    main="hand",
    turn="left",
    summary=summary,
    finale=how_it_ended,
)

PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=BisqueLook,
    options_form=BisqueOptionsForm,
    rules=TEXTS / "bisque.md",
    figures=bisque_figures,
    cards=bisque_cards,
    theme=THEME,
)
