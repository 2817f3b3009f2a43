"""What do players agree on before a match? A form a game, whose fields are the game's options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wtforms import Form, StringField

from companion.engine.text import Sentence, capital

LONGEST_NUMBER = 18  # figures


class ChoiceField(StringField):
    """One of a few words, each with what is said of it; the game itself checks that it is one of them."""

    def __init__(self, label: str, *, choices: Mapping[str, str], **options: Any) -> None:
        super().__init__(label, **options)
        self.choices = choices


class OptionsForm(Form):
    """What the players of a game agree on before a match; a game without choices has none."""

    @property
    def values(self) -> dict[str, object]:
        """Return the options as the game knows them, without blanks. What is no number stays text, for the engine to refuse."""
        given = {field.name: (field.data or "").strip() for field in self}
        return {name: number_or_text(text) for name, text in given.items() if text}

    def refuse(self, sentence: Sentence, field: str) -> bool:
        """Put the engine's refusal of an option ("options.target") next to its field; False if there is none."""
        name = field.removeprefix("options.")
        inner = sentence.parts.get("sentence")  # after the place, which people see without it
        for choice in self:
            if choice.name == name:
                choice.errors = [capital(inner if isinstance(inner, Sentence) else sentence)]
                return True
        return False

    @property
    def wrong(self) -> bool:
        """Return True when something was refused, so that it must be seen."""
        return any(choice.errors for choice in self)


def number_or_text(text: str) -> int | str:
    """Return the number that these figures are; any other text as it is."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else text
