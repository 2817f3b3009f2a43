"""What do players of BeloZ agree on before a match?"""

from __future__ import annotations

from wtforms import StringField

from companion.engine.text import say
from companion.screens.options import ChoiceField, OptionsForm


class BelozOptionsForm(OptionsForm):
    """The score that ends the match, and what happens when the two highest declarations are equal."""

    target = StringField(
        say("The match goes to"), default="1000", description=say("points"), render_kw={"inputmode": "numeric"}
    )
    tied_declarations = ChoiceField(
        say("When the two highest declarations are equal"),
        choices={"none-count": say("No declaration counts"), "next-highest": say("The next highest decides")},
        default="none-count",
    )
