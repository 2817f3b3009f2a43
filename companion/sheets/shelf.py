"""Which sheets are there to choose from, and what does each ask before a match?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from companion.engine.sheet import presets
from companion.engine.sheet.document import SheetDocument, family_of
from companion.engine.sheet.reading import read
from companion.engine.sheet.scoring import sheet_word
from companion.plugin import FormData, Name, OptionsForm, RuleError, Sentence, Shelf, ShelfItem, ShelfQuestion, StringField, say
from companion.sheets.editions import as_edition, changes, name_and_maker
from companion.sheets.making import answers, example, is_made_here, made, tapped
from companion.sheets.passing import opened, received, text_of
from companion.sheets.words import GROUPS, in_words, of_whom, who_plays

HOUSE = "house-"


class SheetForm(OptionsForm):
    """The form of a new match: the preset or the whole sheet, and the answers to its questions (``house-…``)."""

    preset = StringField()
    sheet = StringField()

    def __init__(self, formdata: FormData | None = None, **given: Any) -> None:
        super().__init__(formdata=formdata, data={})
        self.given = formdata or FormData()

    @property
    def values(self) -> dict[str, object]:
        """Return the options as the engine knows them. What is no sheet stays text, for the engine to refuse."""
        house = {name.removeprefix(HOUSE): _number(text) for name, text in self.given.items() if name.startswith(HOUSE)}
        values: dict[str, object] = {"house": house}
        if preset := self.given.get("preset"):
            values["preset"] = preset
        elif text := self.given.get("sheet"):
            values["sheet"] = msgspec.to_builtins(received(text))
        return values

    def refuse(self, sentence: Sentence, field: str) -> bool:
        """Return False: the sheet's questions stand on its own page, not where the refusal is read."""
        return False


def _number(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        return text


@cache
def items() -> tuple[ShelfItem, ...]:
    """Return all presets as items of the shelf."""
    return tuple(_item(slug, presets.preset(slug)) for slug in presets.names())


def _item(slug: str, document: SheetDocument) -> ShelfItem:
    sheet = read(document, preset=True)
    return ShelfItem(
        slug=slug,
        title=sheet_word(sheet, document.name),
        group=family_of(document),
        note=who_plays(sheet),
        about=tuple(in_words(sheet)),
        players=document.players,
        also=document.also,
        questions=tuple(
            ShelfQuestion(
                f"{HOUSE}{ask.id}",
                sheet_word(sheet, ask.question),
                tuple((msgspec.json.encode(answer.value).decode(), sheet_word(sheet, answer.name)) for answer in ask.answers),
            )
            for ask in document.asks
        ),
        fields={"preset": slug},
    )


def item(slug: str) -> ShelfItem | None:
    """Return the preset of this slug, or None."""
    return next((item for item in items() if item.slug == slug), None)


def own(document: SheetDocument) -> ShelfItem:
    """Return a sheet that somebody made as an item. Its words stay as they were written."""
    sheet, text = read(document), text_of(document)
    return ShelfItem(
        slug="own",
        title=Name(document.name),
        group=family_of(document),
        note=who_plays(sheet),
        about=tuple(in_words(sheet)),
        players=document.players,
        questions=tuple(
            ShelfQuestion(
                f"{HOUSE}{ask.id}",
                Name(ask.question),
                tuple((msgspec.json.encode(answer.value).decode(), Name(answer.name)) for answer in ask.answers),
            )
            for ask in document.asks
        ),
        fields={"sheet": text},
        text=text,
        by=document.by or "",
        edition=document.edition,
        in_common=name_and_maker(document),
        whose=of_whom(document) or "",
        example=example(document) if is_made_here(document) else None,
    )


def played(options: Mapping[str, object]) -> ShelfItem | None:
    """Return the sheet of a stored match, a preset or a player's own."""
    if preset := options.get("preset"):
        return item(str(preset))
    try:
        return own(msgspec.convert(options.get("sheet"), SheetDocument))
    except (msgspec.ValidationError, RuleError):
        return None


SHELF = Shelf(
    title=say("Any other game"),
    groups=GROUPS,
    items=items,
    item=item,
    played=played,
    received=lambda text: own(received(text)),
    opened=opened,
    made=lambda typed, texts: own(as_edition(made(typed), map(received, texts))),
    typed=lambda text: answers(received(text)),
    changes=lambda before, after: tuple(changes(received(before), received(after))),
    document=lambda text: msgspec.json.format(msgspec.json.encode(received(text)), indent=2),
    tapped=tapped,
    maker="games/sheet/make.html",
    example="games/sheet/example.html",
)
