"""What is typed around a match: names of tables and people, a table's code, and what is agreed on before the first deal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import StringField
from wtforms.fields import Field
from wtforms.form import BaseForm
from wtforms.validators import InputRequired, ValidationError

from companion.names import LONGEST, UnfitNameError, clean, same

MOST_NAMES = 6
LONGEST_NUMBER = 18  # figures


def readable(whose: str) -> Callable[[BaseForm, Field], None]:
    """A validator: the name as it is kept, or the sentence why it can't be; then what was typed stays."""

    def check(_form: BaseForm, field: Field) -> None:
        try:
            field.data = clean(field.data, whose=whose)
        except UnfitNameError as refused:
            raise ValidationError(str(refused)) from None

    return check


def perhaps_readable(form: BaseForm, field: Field) -> None:
    """As :func:`readable`, for a place that may stay empty."""
    if (field.data or "").strip():
        readable("A name")(form, field)
    else:
        field.data = ""


class NewTableForm(FlaskForm):
    """A table's name, and the people who are there already, in turn order from whoever fills this in."""

    table = StringField("The table's name", [readable("A table's name")])
    person_0 = StringField("Your name", [readable("Your name")])
    person_1 = StringField("", [perhaps_readable])
    person_2 = StringField("", [perhaps_readable])
    person_3 = StringField("", [perhaps_readable])
    person_4 = StringField("", [perhaps_readable])
    person_5 = StringField("", [perhaps_readable])

    @property
    def people(self) -> list[Field]:
        """The fields of the people's names, in turn order."""
        return [self[f"person_{seat}"] for seat in range(MOST_NAMES)]

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Every name by itself, then that no two are alike."""
        if not super().validate(extra_validators):
            return False
        fine = True
        for seat, field in enumerate(self.people):
            if field.data and any(same(field.data, other.data) for other in self.people[:seat] if other.data):
                field.errors = [f"Two people are called {field.data}. Give them different names."]
                fine = False
        return fine


class NameForm(FlaskForm):
    """Somebody's name, or a table's."""

    name = StringField("Name", render_kw={"maxlength": LONGEST})

    def refuse(self, sentence: str) -> None:
        """Put a refusal at the name."""
        self.name.errors = [*self.name.errors, sentence]


class CodeForm(FlaskForm):
    """A table's spoken code."""

    code = StringField("Table code", [InputRequired("Type the code that the table shows.")])

    def refuse(self, sentence: str) -> None:
        """Put a refusal at the code."""
        self.code.errors = [*self.code.errors, sentence]


class ChoiceField(StringField):
    """One of a few words, each with what is said of it; the game itself checks that it is one of them."""

    def __init__(self, label: str, *, choices: Mapping[str, str], **options: Any) -> None:
        super().__init__(label, **options)
        self.choices = choices


class HouseRules(FlaskForm):
    """What the players of a game agree on before a match; a game without choices has none."""

    @property
    def choices(self) -> list[Field]:
        """The fields that are the game's options."""
        return [field for field in self if field.name != "csrf_token"]

    @property
    def options(self) -> dict[str, object]:
        """The options as the game knows them; without what is blank. What is no number stays text, for the engine to refuse."""
        given = {field.name: (field.data or "").strip() for field in self.choices}
        return {name: number_or_text(text) for name, text in given.items() if text}

    def refuse(self, sentence: str, field: str) -> bool:
        """Put the engine's refusal of an option ("options.target") next to its field; False if there is none."""
        name = field.removeprefix("options.")
        for choice in self.choices:
            if choice.name == name:
                words = sentence.removeprefix(f"{field}: ")
                choice.errors = [words[:1].upper() + words[1:]]
                return True
        return False

    @property
    def wrong(self) -> bool:
        """True when something was refused, so that it must be seen."""
        return any(choice.errors for choice in self.choices)


class BelozRules(HouseRules):
    """The score that ends the match, and what happens when the two highest declarations are equal."""

    target = StringField("The match goes to", default="1000", description="points", render_kw={"inputmode": "numeric"})
    tied_declarations = ChoiceField(
        "When the two highest declarations are equal",
        choices={"none-count": "None counts, of either team", "next-highest": "The next highest decides"},
        default="none-count",
    )


class BisqueRules(HouseRules):
    """How many hands are played."""

    hands = StringField("Hands to play", default="6", render_kw={"inputmode": "numeric"})


class BelugaCupRules(HouseRules):
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


HOUSE_RULES: dict[str, type[HouseRules]] = {"beloz": BelozRules, "beluga-cup": BelugaCupRules, "bisque": BisqueRules}


def house_rules(slug: str, typed: MultiDict[str, str] | None = None) -> HouseRules:
    """The form of what can be agreed on in this game, with what was typed."""
    return HOUSE_RULES.get(slug, HouseRules)(formdata=typed)


def number_or_text(text: str) -> int | str:
    """The number that these figures are; any other text as it is."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else text
