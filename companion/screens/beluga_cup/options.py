"""What do players of Beluga Cup agree on before a match?"""

from __future__ import annotations

from wtforms import StringField

from companion.screens.options import ChoiceField, OptionsForm


class BelugaCupOptionsForm(OptionsForm):
    """What is entered, which cards are played with, and how long it lasts."""

    cards = ChoiceField(
        "What do you enter?",
        choices={"tracked": "Every card: Companion says what fits and who eats", "untracked": "Only who eats a zone"},
        default="tracked",
    )
    deck = ChoiceField(
        "Which cards?",
        choices={
            "basic": "The 36 basic ones",
            "courts": "With the Courts and the Excuse",
            "pawns": "With the Pawns; the Courts mark the zones",
        },
        default="basic",
    )
    fish_per_suit = StringField(
        "The bag has", default="7", description="fish of each suit, 7 to 12", render_kw={"inputmode": "numeric"}
    )
