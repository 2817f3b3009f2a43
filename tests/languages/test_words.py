"""Do French and German say the games' words as the glossary decided, and set them as their readers expect?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import languages
from companion.engine.beluga_cup.words import zones
from companion.engine.text import Name, Part, Sentence, say

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


ANA, KILL = Name("Ana"), Name("KILL")
# what may be undone or corrected: its template and parts; the correction of it in French and in German
ENTRIES: dict[str, tuple[dict[str, Part], str, str]] = {
    "trick {n}": ({"n": 2}, "la correction du pli 2", "Korrektur von Stich 2"),
    "hand {n}": ({"n": 3}, "la correction de la manche 3", "Korrektur von Runde 3"),
    "round {n}": ({"n": 6}, "la correction de la manche 6", "Korrektur von Runde 6"),
    "the count": ({}, "la correction du décompte", "Korrektur der Zählung"),
    "the end of the match": ({}, "la correction de la fin de la partie", "Korrektur des Endes der Partie"),
    "the fish": ({}, "la correction des poissons", "Korrektur der Fische"),
    "the shuffle": ({}, "la correction du mélange", "Korrektur des Mischens"),
    "{player}’s Aces": ({"player": ANA}, "la correction des As d’Ana", "Korrektur der Asse von Ana"),
    "{player}’s {card}": (
        {"player": ANA, "card": Name("3")},
        "la correction de la carte 3 d’Ana",
        "Korrektur der Karte 3 von Ana",
    ),
    "{player}’s discard": ({"player": ANA}, "la correction de la défausse d’Ana", "Korrektur des Ablegens von Ana"),
    "{player}’s Excuse": ({"player": ANA}, "la correction de l’Excuse d’Ana", "Korrektur der Ausflucht von Ana"),
    "{player}’s {kind} {n}": (
        {"player": ANA, "kind": KILL, "n": 9},
        "la correction du KILL 9 d’Ana",
        "Korrektur der Karte KILL 9 von Ana",
    ),
    "{player}’s Flint Flush": ({"player": ANA}, "la correction du Flint Flush d’Ana", "Korrektur des Flint Flush von Ana"),
    "{player}’s time travel": ({"player": ANA}, "la correction de l’annulation d’Ana", "Korrektur der Aufhebung von Ana"),
}


@pytest.mark.parametrize("code", COLUMNS)
def test_what_was_entered_has_a_form_for_what_is_of_it(code: str) -> None:
    language = languages.languages()[code]
    assert {template for context, template in language.catalogue.sentences if context == "what was entered"} == set(ENTRIES)
    for template, (parts, *said) in ENTRIES.items():
        entry = Sentence(template, template, parts, context="what was entered")
        assert language.say(say("the correction of {entry}", entry=entry)) == said[COLUMNS[code] - 1]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "Ana won, 1,026 to −22"),
        ("fr", "Victoire\u00a0: Ana, 1\u202f026 à −22"),
        ("de", "Gewonnen: Ana, 1.026 zu −22"),
    ],
)
def test_points_have_their_thousands_apart_and_a_true_minus_sign(code: str, said: str) -> None:
    won = say("{names} won, {n} to {other}", names=ANA, n=1026, other=-22)
    assert languages.languages()[code].say(won) == said
    assert won == "Ana won, 1026 to -22"  # as programs read it
