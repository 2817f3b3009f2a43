"""How does a sentence get into another language? Its template is looked up, and its parts are put in again."""

from __future__ import annotations

import logging
from datetime import date
from pathlib import Path

import pytest
from markupsafe import Markup

from companion import languages
from companion.engine.text import Name, capital, listing, say, say_n, term
from companion.languages import ENGLISH, Language
from companion.languages.catalogue import compile_all, files_in, read

FRENCH = r"""
msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n > 1);\n"

msgid "{player} took {plain}."
msgstr "{player} a pris {plain:le}."

msgctxt "plain"
msgid "South"
msgstr "Sud; le: le Sud; au: au Sud"

msgctxt "animal"
msgid "Lion of {plain}"
msgstr "Lion du {plain}; le: le Lion du {plain}"

msgid "{n} card is left."
msgid_plural "{n} cards are left."
msgstr[0] "Il reste {n} carte."
msgstr[1] "Il reste {n} cartes."

msgid "{player}'s fish is free."
msgstr "Le poisson {player:d’|de } est libre."

msgid "You wait."
msgstr "{wrong} attend."

msgid "{player} waits."
msgstr "{wrong} attend."

msgid "Start %(game)s"
msgstr "Commencer %(game)s"

msgid "%(num)s match"
msgid_plural "%(num)s matches"
msgstr[0] "%(num)s partie"
msgstr[1] "%(num)s parties"

msgid "%(name)s sits here"
msgstr "%(nom)s est ici"

msgid "{n} round"
msgid_plural "{n} rounds"
msgstr[0] ""
msgstr[1] ""

#, fuzzy
msgid "Save"
msgstr "Sauvez"

msgid "Undo"
msgstr ""

msgid "It has {points:,} points."
msgstr "Cela fait {points:,} points."
"""


@pytest.fixture
def french(tmp_path: Path) -> Language:
    file = tmp_path / "fr" / "engine.po"
    file.parent.mkdir()
    file.write_text(FRENCH, "utf-8")
    return Language("fr", read([file]))


ANA = Name("Ana")


def test_parts_are_put_into_the_translated_template(french: Language) -> None:
    assert french.say(say("{player} took {plain}.", player=ANA, plain=term("South", "plain"))) == "Ana a pris le Sud."


def test_who_is_called_like_a_term_keeps_the_name(french: Language) -> None:
    plains = [term("South", "plain"), Name("South"), term("South", "plain")]
    said = [french.say(say("{player} took {plain}.", player=ANA, plain=plain)) for plain in plains]
    assert said == ["Ana a pris le Sud.", "Ana a pris South.", "Ana a pris le Sud."]


def test_what_english_says_with_the_same_word_stays_apart_however_deep_it_stands(french: Language) -> None:
    plains = [term("South", "plain"), Name("South"), term("South", "plain")]
    lions = [term("Lion of {plain}", "animal", plain=plain) for plain in plains]
    said = [french.say(say("{player} took {plain}.", player=ANA, plain=lion)) for lion in lions]
    assert said == ["Ana a pris le Lion du Sud.", "Ana a pris le Lion du South.", "Ana a pris le Lion du Sud."]


def test_a_term_has_parts_of_its_own_in_each_of_its_forms(french: Language) -> None:
    lion = term("Lion of {plain}", "animal", plain=term("South", "plain"))
    assert french.say(lion) == "Lion du Sud"
    assert french.say(say("{player} took {plain}.", player=ANA, plain=lion)) == "Ana a pris le Lion du Sud."


@pytest.mark.parametrize(
    ("name", "said"), [("Ana", "d’Ana"), ("Élie", "d’Élie"), ("Bo", "de Bo"), ("", "de "), ("אנה", "de ⁨אנה⁩")]
)
def test_a_word_before_a_name_depends_on_how_that_begins(french: Language, name: str, said: str) -> None:
    assert french.say(say("{player}'s fish is free.", player=Name(name))) == f"Le poisson {said} est libre."


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "Il reste 0 carte."),
        (1, "Il reste 1 carte."),
        (1.5, "Il reste 1½ carte."),  # from two on there are several
        (2, "Il reste 2 cartes."),
        (-2, "Il reste −2 cartes."),
    ],
)
def test_numbers_choose_the_plural_form_of_the_language(french: Language, n: int, said: str) -> None:
    assert french.say(say_n("{n} card is left.", "{n} cards are left.", n)) == said


def test_what_english_says_of_one_thing_alone_stays_singular_though_another_sentence_has_a_plural(french: Language) -> None:
    words = "{n} card is left."
    assert french.say(say_n(words, "{n} cards are left.", 4)) == "Il reste 4 cartes."
    assert french.say(say(words, n=4)) == "Il reste 4 carte."  # as "Round 4" is beside "Rounds 1 to 4"


def test_lists_are_joined_as_the_language_does(french: Language) -> None:
    names = [Name("Ana"), Name("Bo"), Name("Cy")]
    assert french.say(listing(names)) == "Ana, Bo et Cy"
    assert french.say(listing(names, "or")) == "Ana, Bo ou Cy"
    assert french.say(listing([term("South", "plain"), ANA], "comma")) == "Sud, Ana"
    assert ENGLISH.say(listing(names)) == "Ana, Bo and Cy"


def test_a_sentence_of_parts_alone_needs_no_translation(french: Language) -> None:
    assert french.say(say("{it:C} – {n}", it=term("South", "plain"), n=3)) == "Sud – 3"
    assert french.say(capital(say("{player} took {plain}.", player=Name("ana"), plain=ANA))) == "Ana a pris Ana."


def test_numbers_are_grouped_as_the_language_does(french: Language) -> None:
    assert french.say(say("It has {points:,} points.", points=12345)) == "Cela fait 12\u202f345 points."


def test_what_is_not_translated_or_only_guessed_is_english(french: Language) -> None:
    assert [french.say(say(word)) for word in ("Save", "Undo", "Nobody knows this")] == ["Save", "Undo", "Nobody knows this"]
    assert french.say(say("{player} sleeps on {plain}.", player=ANA, plain=term("South", "plain"))) == "Ana sleeps on South."


def test_a_translation_that_fails_is_said_in_english_and_logged(french: Language, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert french.say(say("{player} waits.", player=ANA)) == "Ana waits."
        assert french.markup("%(name)s sits here", parts={"name": "Ana"}) == "Ana sits here"
    assert [record.args[:2] for record in caplog.records if isinstance(record.args, tuple)] == [
        ("fr", "{player} waits."),
        ("fr", "%(name)s sits here"),
    ]


def test_templates_put_in_escaped_parts(french: Language) -> None:
    assert french.markup("Start %(game)s", parts={"game": "<i>Fish & Co"}) == "Commencer &lt;i&gt;Fish &amp; Co"
    assert french.markup("Start %(game)s", parts={"game": Markup("<i>BeloZ</i>")}) == "Commencer <i>BeloZ</i>"
    assert french.markup("Start %(game)s", parts={"game": term("South", "plain")}) == "Commencer Sud"
    assert french.markup("%(num)s match", "%(num)s matches", 3, parts={"num": 3}) == "3 parties"


@pytest.mark.parametrize("code", ["en", "fr"])
def test_a_name_written_from_right_to_left_does_not_turn_the_sentence(french: Language, code: str) -> None:
    language = {"en": ENGLISH, "fr": french}[code]
    said = language.say(say("{player} took {plain}.", player=Name("אבי"), plain=term("South", "plain")))
    assert said.startswith("\u2068אבי\u2069 ")
    assert language.markup("Start %(game)s", parts={"game": "אבי"}).endswith(" \u2068אבי\u2069")


def test_where_writing_runs_to_the_left_every_name_is_isolated() -> None:
    assert Language("ar").isolated("Ana") == "\u2068Ana\u2069"
    assert ENGLISH.isolated("Ana") == "Ana"
    assert ENGLISH.isolated("Zoë Çelik") == "Zoë Çelik"


def test_english_stays_byte_for_byte_what_the_engine_says() -> None:
    sentence = say("{player} took {plain}.", player=ANA, plain=term("South", "plain"))
    assert ENGLISH.say(sentence) == sentence
    assert ENGLISH.say("no sentence") == "no sentence"


def test_dates_are_written_as_the_language_does() -> None:
    day = date(2026, 3, 1)
    assert (ENGLISH.date(day, "EEEE"), Language("fr").date(day), Language("de").date(day, "EEEE")) == (
        "Sunday",
        "1 mars 2026",
        "Sonntag",
    )


def test_an_installed_game_brings_catalogues_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "FOLDERS", [])
    for package, english, french in (("companion", "Undo", "Annuler"), ("tally", "Tally", "Compter")):
        file = tmp_path / package / "fr" / "pages.po"
        file.parent.mkdir(parents=True)
        file.write_text(f'msgid "{english}"\nmsgstr "{french}"\n', "utf-8")
    languages.add([tmp_path / "companion", tmp_path / "tally", tmp_path / "nowhere"])
    said = languages.offered()["fr"].say
    assert (said(say("Undo")), said(say("Tally"))) == ("Annuler", "Compter")
    monkeypatch.undo()
    languages.forget()


def test_compiled_catalogues_hold_what_the_texts_hold(tmp_path: Path) -> None:
    texts = Path(languages.__file__).parent
    half = tmp_path / "half" / "fr" / "engine.po"
    half.parent.mkdir(parents=True)
    half.write_text(FRENCH, "utf-8")
    for number, folder in enumerate((texts, tmp_path / "half")):
        to = tmp_path / str(number)
        assert list(compile_all(folder, to))
        for code in (path.name for path in to.iterdir()):
            text, compiled = (read(files_in(parent / code)) for parent in (folder, to))
            assert (compiled.sentences, compiled.forms, compiled.total) == (text.sentences, text.forms, text.total)
            assert [compiled.plural(n) for n in range(25)] == [text.plural(n) for n in range(25)]
    assert files_in(tmp_path / "0" / "fr")[0].suffix == ".mo"


@pytest.mark.parametrize(
    ("code", "number", "share"),
    [("en", "1,000", "17%"), ("fr", "1\u202f000", "17\u00a0%"), ("de", "1.000", "17\u00a0%")],
)
def test_numbers_as_each_language_writes_them(code, number, share) -> None:
    language = languages.languages()[code]
    assert (language.number(1000), language.percent(17)) == (number, share)
    assert (language.number(-1000.5), language.number(0.5)) == (f"−{number}½", "½")
    assert language.number(10**42) == number + 13 * number[1:]
