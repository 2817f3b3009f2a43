"""What a phone puts into the sealed bag of a match."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import StringField

from companion.engine.bag import LONGEST_WORD


class WordForm(FlaskForm):
    """A word of one's own."""

    word = StringField("A word of your own", render_kw={"maxlength": LONGEST_WORD})

    def refuse(self, sentence: str) -> None:
        """Put a refusal at the word."""
        self.word.errors = [*self.word.errors, sentence]
