"""What can be agreed on before a match, game by game?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import StringField
from wtforms.fields import Field

LONGEST_NUMBER = 18  # figures


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
