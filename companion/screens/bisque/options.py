"""What do players of Bisque agree on before a match?"""

from __future__ import annotations

from wtforms import StringField

from companion.engine.text import say
from companion.screens.options import OptionsForm


class BisqueOptionsForm(OptionsForm):
    """How many hands are played."""

    hands = StringField(say("Hands to play"), default="6", render_kw={"inputmode": "numeric"})
