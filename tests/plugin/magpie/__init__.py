"""Magpie for Companion."""

from pathlib import Path

from companion.plugin import Figures, GamePlugin, OptionsForm, StringField, Theme
from magpie.look_up import MagpieLookUp
from magpie.rules import GAME, GOLD, MagpieOptions
from magpie.screens import SCREENS

FOLDER = Path(__file__).parent


class MagpieOptionsForm(OptionsForm):
    """What players agree on before a match."""

    target = StringField("Gold to win", default="50", render_kw={"inputmode": "numeric"})


def figures() -> Figures:
    """Return the numbers in the rulebook, so that it never says others than the engine."""
    return {"gold": str(GOLD), "target": str(MagpieOptions().target)}


PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=MagpieLookUp,
    options_form=MagpieOptionsForm,
    rules=FOLDER / "rules.md",
    figures=figures,
    theme=Theme(
        icon="magpie.svg#sign",
        style="games/magpie/magpie.css",
        ground=("#e9e6f2", "#12101a"),
        accent=("#4a2f86", "#c4b0f5"),
        on_accent=("#ffffff", "#1d1038"),
        box="#4a2f86",
        box_edge="#28174d",
        box_side="#301d5c",
    ),
    folder=FOLDER,
)
