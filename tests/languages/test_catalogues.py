"""Are the catalogues up to date, and can each translation be used: its parts, its plural forms, its length?"""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from companion.engine.text import Name, Part, Sentence, term
from companion.languages import languages
from tests import said
from tests.catalogues import LANGUAGES, collect, up_to_date

COMPLETE = ("de", "fr")  # languages in which no sentence may be missing
TRANSLATED = sorted({file.parent.name for file in LANGUAGES.glob("*/*.po")} - {"en"})
PERCENT = re.compile(r"%\((\w+)\)[sd]")
MARKS = re.compile(r"\{[^}]*\}|%\(\w+\)[sd]|<[^>]*>|&\w+;")
NUMBERS = ",d+"  # how a part is written that only a number can be


def messages(code: str) -> Iterator[Message]:
    for file in sorted((LANGUAGES / code).glob("*.po")):
        with file.open("rb") as lines:
            yield from (message for message in read_po(lines, locale=code) if message.id)


def forms(words: Any) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words)


def parts_of(text: str) -> set[str]:
    return set(PERCENT.findall(text)) or {name for _, name, _, _ in Formatter().parse(text) if name}


def test_they_have_every_sentence_and_no_other() -> None:
    sentences = collect()
    english = [text for area in sentences.values() for message in area if message.id for text in forms(message.id)]
    assert [text for text in english if "'" in text] == [], "the apostrophe is ’"
    for folder in (path for path in LANGUAGES.iterdir() if list(path.glob("*.po"))):
        for file, text in up_to_date(folder, sentences).items():
            assert file.read_text("utf-8") == text, f"run make catalogues: {file.relative_to(LANGUAGES)}"


@pytest.mark.parametrize("code", TRANSLATED)
def test_each_translation_has_the_parts_and_plural_forms_of_the_sentence(code: str) -> None:
    number = get_plural(code).num_plurals
    wrong = []
    for message in messages(code):
        english, translations = forms(message.id), forms(message.string)
        if code not in COMPLETE and not any(translations):
            continue
        known = set.union(*map(parts_of, english))
        needed = known if PERCENT.search("".join(english)) else set()  # one that stands in braces may be left out
        if message.context:  # a term has further forms behind semicolons
            translations = tuple(re.split(r";\s*\w+:\s*", translations[0])) if len(english) == 1 else translations
        if len(english) == 2 and len(translations) != number:
            wrong.append((english, translations))
        wrong += [
            (english, form)
            for form in translations  # that for one may say "one" in words
            if not (form.strip() and needed - {"num"} <= parts_of(form) <= known | {"num"})
        ]
    assert wrong == []


def sample(english: tuple[str, ...]) -> dict[str, Part]:
    """Return parts of a sentence: a number where only a number can stand, else a name or a term."""
    parts: dict[str, Part] = {}
    for text in english:
        for _, name, spec, _ in Formatter().parse(text):
            if name:
                number = name == "n" or (spec and spec in NUMBERS) or spec == "+d"
                parts[name] = 3 if number else Name("Ana") if "C" not in (spec or "") else term("South", "plain")
    return parts


@pytest.mark.parametrize("code", ["en", *TRANSLATED])
def test_each_sentence_can_be_said(code: str, caplog: pytest.LogCaptureFixture) -> None:
    language = languages()[code]
    said = 0
    with caplog.at_level(logging.ERROR):
        for message in messages("en"):
            english = forms(message.id)
            if PERCENT.search("".join(english)):
                whole: dict[str, Any] = dict.fromkeys(set.union(*map(parts_of, english)), 7)
                for count in range(23) if len(english) == 2 else [0]:
                    said += bool(language.markup(english[0], english[-1] if len(english) == 2 else "", count, parts=whole))
            else:
                parts = sample(english)
                for count in range(23) if len(english) == 2 else [0]:
                    given = {**parts, **({"n": count} if len(english) == 2 else {})}
                    words = english[-1 if count != 1 else 0].format_map(given)
                    plural = english[1] if len(english) == 2 else ""
                    said += bool(language.say(Sentence(words, english[0], given, plural=plural, context=message.context or "")))
    assert caplog.messages == []
    assert said > 2000


@pytest.mark.parametrize("code", TRANSLATED)
def test_no_translation_is_much_longer_than_the_english(code: str) -> None:
    """A phone's keys and lines have room for what is three fifths longer, and short words for ten letters more."""
    too_long = []
    for message in messages(code):
        for english, form in zip(forms(message.id), forms(message.string), strict=False):
            translation = form.split(";")[0] if message.context else form
            if len(MARKS.sub("", translation)) > 1.6 * len(MARKS.sub("", english)) + 10:
                too_long.append((english, translation))
    assert too_long == []


def test_translators_read_of_each_sentence_where_it_stands_and_an_example() -> None:
    for message in messages("fr"):
        assert message.auto_comments, message.id
        examples = [told for told in message.auto_comments if told.startswith("Example: ")]
        assert len(examples) == bool(set.union(*map(parts_of, forms(message.id)))), message.id
        assert not any(mark in told for told in examples for mark in "{}<>"), examples


SAY = """
import companion
from companion.engine.text import say
for template, module in (("Nobody can translate this.", "games"), ("Undo", "games"), ("A test may say this.", "test")):
    folder = "" if module == "test" else f"{companion.__path__[0]}/"
    exec(compile(f"say({template!r})", f"{folder}{module}.py", "exec"))
"""


def test_whatever_program_says_what_they_have_not_the_test_that_started_it_hears_of_it() -> None:
    assert said.take_missing() == ""
    subprocess.run([sys.executable, "-c", SAY], check=True)
    told = said.take_missing()
    assert re.fullmatch(r" 'Nobody can translate this\.' \(\S+games\.py:1\)\n", told), told
