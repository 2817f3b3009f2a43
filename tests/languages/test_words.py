"""Do French and German say the games' words as the glossary decided, and set them as their readers expect?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import languages
from companion.engine.beluga_cup.words import zones
from companion.engine.text import Sentence, say

CHECKOUT = Path(__file__).resolve().parents[2]
GLOSSARY = (CHECKOUT / "docs" / "glossary-of-games.md").read_text("utf-8")
COLUMNS = {"fr": 1, "de": 2}
SOFT_HYPHEN = "\u00ad"  # where a long word may be broken
TERMS = {"animal", "plain", "suit", "card", "WTF card"}  # contexts of words that the glossary has one by one


def rows() -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Yield rows of the glossary whose words stand side by side in each language."""
    for line in GLOSSARY.splitlines():
        cells = [re.split(r",\s+", cell.strip()) for cell in line.strip("|").split("|")]
        if len(cells) == 3 and len({len(cell) for cell in cells}) == 1:
            yield cells[0], cells[1], cells[2]


@pytest.mark.parametrize("code", COLUMNS)
def test_terms_are_those_of_the_glossary(code: str) -> None:
    language = languages.languages()[code]
    decided = {english: row[COLUMNS[code]][at] for row in rows() for at, english in enumerate(row[0])}
    said = {
        template: language.say(Sentence(template, context=context)).replace(SOFT_HYPHEN, "")
        for context, template in language.catalogue.sentences
        if context in TERMS and "{" not in template
    }
    assert len(said) > 50
    assert {english: words for english, words in said.items() if english in decided and words != decided[english]} == {}
    assert len(said.keys() & decided.keys()) > 45


def texts(code: str) -> Iterator[str]:
    for forms in languages.languages()[code].catalogue.sentences.values():
        yield from (re.sub(r"<[^>]*>", "", form) for form in forms)


def test_french_has_its_spaces_quotes_and_apostrophes() -> None:
    wrong = re.compile(r" [;!?»]|« | :(?= |$)|(?<=\w)'|[“”„]|\w[!?](?!\w)")
    printed = ("What the Fish!",)  # a name
    assert [text for text in texts("fr") if wrong.search(re.sub("|".join(printed), "", text))] == []


@pytest.mark.parametrize(("numbers", "said"), [([4], "Poissons pour la zone 4"), ([2, 3], "Poissons pour les zones 2 et 3")])
def test_french_names_a_zone_with_its_article(numbers: list[int], said: str) -> None:
    assert languages.languages()["fr"].say(say("Fish for {zones}", zones=zones(numbers))) == said


def test_german_has_its_quotes() -> None:
    assert [text for text in texts("de") if text.count("„") != text.count("“") or "”" in text or '"' in text] == []
