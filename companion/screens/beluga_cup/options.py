"""What do players of Beluga Cup agree on before a match?"""

from __future__ import annotations

from wtforms import StringField

from companion.engine.text import say
from companion.screens.options import ChoiceField, OptionsForm


class BelugaCupOptionsForm(OptionsForm):
    """What is entered, which cards are played with, and how long it lasts."""

    cards = ChoiceField(
        say("What do you enter?"),
        choices={
            "tracked": say("Every card: Companion says what fits and who eats"),
            "untracked": say("Only who eats a zone"),
        },
        default="tracked",
    )
    deck = ChoiceField(
        say("Which cards?"),
        choices={
            "basic": say("The 36 basic ones"),
            "courts": say("With the Courts and the Excuse"),
            "pawns": say("With the Pawns; the Courts mark the zones"),
        },
        default="basic",
    )
    fish_per_suit = StringField(
        say("The bag has"), default="7", description=say("fish of each suit, 7 to 12"), render_kw={"inputmode": "numeric"}
    )
