"""What do people type around a match? Names of tables and people, a table's code, a word for the sealed bag."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask_wtf import FlaskForm
from wtforms import StringField
from wtforms.fields import Field
from wtforms.form import BaseForm
from wtforms.validators import InputRequired, ValidationError

from companion.engine.core import MOST_PEOPLE
from companion.engine.fair_draw import LONGEST_WORD
from companion.engine.text import Name, Sentence, said, say
from companion.tables.names import A_NAME, A_TABLES_NAME, LONGEST, YOUR_NAME, UnfitNameError, equal, normalize

FIRST_NAMES = 6  # asked for at once; the places of a larger table are opened by a tap
NO_LONGER = {"maxlength": LONGEST}  # as a name is kept; the field takes more, and says so


def readable(whose: Sentence) -> Callable[[BaseForm, Field], None]:
    """Return a validator: the name as it is kept, or the sentence why it can't be; then what was typed stays."""

    def check(_form: BaseForm, field: Field) -> None:
        try:
            field.data = normalize(field.data, whose=whose)
        except UnfitNameError as refused:
            raise ValidationError(said(refused)) from None

    return check


def perhaps_readable(form: BaseForm, field: Field) -> None:
    """Check as :func:`readable` does, but let the place stay empty."""
    if (field.data or "").strip():
        readable(A_NAME)(form, field)
    else:
        field.data = ""


class NewTableForm(FlaskForm):
    """A table's name, and the people who are there already, in turn order from whoever fills this in."""

    table = StringField(say("The table’s name"), [readable(A_TABLES_NAME)], render_kw=NO_LONGER)
    person_0 = StringField(say("Your name"), [readable(YOUR_NAME)], render_kw=NO_LONGER)
    person_1 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_2 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_3 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_4 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_5 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_6 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_7 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_8 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_9 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_10 = StringField("", [perhaps_readable], render_kw=NO_LONGER)
    person_11 = StringField("", [perhaps_readable], render_kw=NO_LONGER)

    @property
    def people(self) -> list[Field]:
        """The fields of the people's names, in turn order."""
        return [self[f"person_{seat}"] for seat in range(MOST_PEOPLE)]

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Check every name by itself, then that no two are alike."""
        if not super().validate(extra_validators):
            return False
        fine = True
        for seat, field in enumerate(self.people):
            if field.data and any(equal(field.data, other.data) for other in self.people[:seat] if other.data):
                field.errors = [say("Two people are called {name}. Give them different names.", name=Name(field.data))]
                fine = False
        return fine


class NameForm(FlaskForm):
    """Somebody's name, or a table's."""

    name = StringField(say("Name"), render_kw=NO_LONGER)

    def refuse(self, sentence: str) -> None:
        """Put a refusal at the name."""
        self.name.errors = [*self.name.errors, sentence]


class CodeForm(FlaskForm):
    """A table's spoken code."""

    code = StringField(say("Table code"), [InputRequired(say("Type the code that the table shows."))])

    def refuse(self, sentence: str) -> None:
        """Put a refusal at the code."""
        self.code.errors = [*self.code.errors, sentence]


class WordForm(FlaskForm):
    """A word of one's own."""

    word = StringField(say("A word of your own"), render_kw={"maxlength": LONGEST_WORD})

    def refuse(self, sentence: str) -> None:
        """Put a refusal at the word."""
        self.word.errors = [*self.word.errors, sentence]
