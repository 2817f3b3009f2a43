"""From which English text was each translated entry made, and does its page say when that is older?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion import languages
from companion.engine import GAMES
from companion.games import PLUGINS
from companion.languages import Language
from companion.rulebook.book import Book, BookEntry, BookTable, pieces, plain, read, searched, translated, version
from companion.screens.plugin import GamePlugin
from tests.five import FIVE

FOLDER = Path(languages.__file__).parent
TEXTS = sorted(FOLDER.glob("*/rules/*.md"))
COMPLETE = ("de", "fr")  # languages in which no entry may be missing

ENGLISH = (
    "# Tally\n\nCount.\n\n## Play it\n\n### Points {points: Scoring}\nAs many as [[most]].\n\n### The end {end}\nAt once.\n"
)
FIGURES = {"most": "21"}


def french(points: str, end: str = "", title: str = "") -> Book:
    """Return the tally book in French: these versions are said to be what it was made from."""
    book = read("tally", ENGLISH, FIGURES)
    title = title or book.version
    text = f"# Compte {{@{title}}}\nCompter.\n## Jouer {{play-it}}\n### Les points {{points @{points}}}\nJusqu’à [[most]].\n"
    if end:
        text += f"### La fin {{end @{end}}}\nAussitôt.\n"
    return translated(book, "fr", text, FIGURES)


POINTS = version("Points", ["As many as [[most]]."])
END = version("The end", ["At once."])


def test_a_translation_has_the_english_entries_by_their_addresses() -> None:
    book = french(POINTS, END)
    [section] = book.sections
    assert (book.title, book.lead, book.language) == ("Compte", "Compter.", "fr")
    assert (section.title, section.address) == ("Jouer", "section-play-it")
    points, end = section.entries
    assert (points.title, points.text, points.rules) == ("Les points", "Jusqu’à 21.", ("Scoring",))
    assert book.find("Scoring") is points
    assert (end.title, end.text) == ("La fin", "Aussitôt.")
    assert not list(book.outdated)
    assert not book.lead_untranslated


def test_an_entry_whose_english_changed_is_outdated_and_keeps_the_english_beside_it() -> None:
    book = french("00000000", END)
    assert [entry.address for entry in book.outdated] == ["points"]
    [points, _] = book.entries
    assert points.text == "Jusqu’à 21."
    assert points.outdated is not None
    assert points.outdated.text == "As many as 21."


def test_what_nobody_translated_is_english() -> None:
    book = french(POINTS)
    _, end = book.entries
    assert (end.title, end.text, end.untranslated) == ("The end", "At once.", True)
    older = french(POINTS, END, title="00000000")
    assert (older.lead, older.lead_untranslated) == ("Count.", True)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("# Compte\nCompter.\n## Jouer {play-it}\n### Le but {aim @00000000}\nGagner.\n", "the English text has no aim"),
        ("# Compte\nCompter.\n## Gagner {win}\n", "the English text has no win"),
        ("# Compte\nCompter.\n## Jouer {play-it}\n### Les points {points}\nOui.\n", "the version is missing"),
        ("Compte\nCompter.\n", "tally, line 1: a text begins with # Title"),
    ],
)
def test_a_translation_of_something_else_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=re.escape(wrong)):
        translated(read("tally", ENGLISH, FIGURES), "fr", text, FIGURES)


def test_a_figure_is_said_in_the_language() -> None:
    table = BookTable("Cards", ("Card", "Points"), ((":moons:", "none"),))
    words = {"Cards": "Cartes", "Card": "Carte", "none": "aucun", "moons": "lunes"}
    figures = {"cards": table, "moons": "moons"}
    text = "# Tally\nCount.\n## Play\n### Cards {cards}\n[[cards]]\n"
    book = read("tally", text, figures)
    made = version("Cards", ["[[cards]]"])
    other = translated(
        book,
        "fr",
        f"# Compte {{@{book.version}}}\nCompter.\n## Jouer {{play}}\n### Cartes {{cards @{made}}}\n[[cards]]\n",
        figures,
        speak=lambda word: words.get(word, word),
    )
    [entry] = other.entries
    [said] = entry.blocks
    assert isinstance(said, BookTable)
    assert (said.caption, said.head[0]) == ("Cartes", "Carte")
    assert [plain(cell) for cell in said.rows[0]] == ["lunes", "aucun"]
    [sign] = pieces(said.rows[0][0])
    assert (sign.sign, sign.text) == ("moons", "lunes")


def test_a_search_needs_no_accents() -> None:
    assert [searched(word) for word in ("Égalité", "nœuds", "Straße", "ÜBER")] == ["egalite", "noeuds", "strasse", "uber"]
    book = french(POINTS, END)
    assert [entry.address for entry in book.about("aussitot")] == ["end"]


def test_an_installed_game_has_its_translations_beside_its_text(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("# Tally\nCount.\n## Play\n### The end {end}\nAt once.\n", "utf-8")
    end = version("The end", ["At once."])
    text = f"# Compte {{@{version('Tally', ['Count.'])}}}\nCompter.\n## Jouer {{play}}\n### La fin {{end @{end}}}\nAussitôt.\n"
    (tmp_path / "rules.fr.md").write_text(text, "utf-8")
    plugin = GamePlugin(game=replace(GAMES["bisque"], slug="tally"), rules=tmp_path / "rules.md")
    french, german = (plugin.find_rule("end", Language(code, languages.catalogue.Catalogue())) for code in ("fr", "de"))
    assert french is not None
    assert german is not None
    assert (french.title, german.title) == ("La fin", "The end")


# The texts


def of(text: Path) -> tuple[Book, Book]:
    """Return a translated book, and the English one."""
    plugin = PLUGINS[text.stem]
    english, book = plugin.book, plugin.book_in(Language(text.parent.parent.name, languages.catalogue.Catalogue()))
    assert english is not None
    assert book is not None
    return book, english


def named(text: Path) -> str:
    return f"{text.parent.parent.name}-{text.stem}"


def test_there_are_translations() -> None:
    assert {named(text) for text in TEXTS} >= {f"{code}-{slug}" for code in COMPLETE for slug in FIVE}


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_no_entry_is_older_than_the_english(text: Path) -> None:
    """Translate these anew; then write the version shown here after the address: {points @0a1b2c3d}."""
    book, english = of(text)
    older = {f"{entry.address} @{entry.version}": entry.title for entry in book.outdated}
    assert older == {}
    assert not book.lead_untranslated, f"the lead @{english.version}"


@pytest.mark.parametrize("text", [text for text in TEXTS if text.parent.parent.name in COMPLETE], ids=named)
def test_no_entry_is_missing(text: Path) -> None:
    book, english = of(text)
    assert [entry.address for entry in book.entries if entry.untranslated] == []
    titles = {section.name: section.title for section in english.sections}
    assert [section.name for section in book.sections if section.title == titles[section.name]] == []


@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_it_has_the_numbers_links_and_figures_of_the_english(text: Path) -> None:
    book, english = of(text)
    for own, source in zip(book.entries, english.entries, strict=True):
        assert facts(own) == facts(source), own.address


def facts(entry: BookEntry) -> tuple[list[str], list[str], int]:
    """Return the numbers and links of an entry, and how many tables it has."""
    links = [piece.address for block in entry.blocks if isinstance(block, str) for piece in pieces(block) if piece.address]
    tables = sum(isinstance(block, BookTable) for block in entry.blocks)
    return sorted(re.findall(r"\d+", entry.text)), sorted(links), tables


@pytest.mark.parametrize("text", [text for text in TEXTS if text.parent.parent.name == "fr"], ids=named)
def test_french_is_set_as_french_is(text: Path) -> None:
    written = re.sub(r"\{[^}]*\}", "", text.read_text("utf-8"))
    assert re.findall(r".{9} [;!?»]|.{9} :(?= )|« .{9}|.{9}'", written) == []
    assert re.findall(r".{9}\w[;!?](?!\w)", written.replace("What the Fish!", "")) == []


# The pages


@pytest.fixture
def in_french(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Offer French, however much of it is translated just now. Yields the headers of a French phone."""
    monkeypatch.setattr(languages, "NEARLY_ALL", 0)
    languages.forget()
    yield {"Accept-Language": "fr"}
    monkeypatch.undo()
    languages.forget()


def test_a_phone_reads_the_rules_in_its_language(client: FlaskClient, in_french: dict[str, str]) -> None:
    page = client.get("/rules/beloz", headers=in_french).text
    assert '<div class="rules-book" lang="fr">' in page
    assert ">Surcouper</a></h3>" in page
    assert "Over-intercept" not in page
    assert 'id="over-intercept"' in page
    assert ">Over-intercept</a></h3>" in client.get("/rules/beloz").text


def test_tables_of_figures_are_in_the_language_too(client: FlaskClient, in_french: dict[str, str]) -> None:
    page = client.get("/rules/bisque", headers=in_french).text
    table = re.findall(r'<article class="rules-entry" id="cards">.*?</article>', page, re.DOTALL)[0]
    said = re.sub(r"<[^>]*>", "", table)
    assert "le Barde soleils" in said
    assert "Rang" in said
    assert "the " not in said


def test_a_search_is_in_the_language_of_the_book(client: FlaskClient, in_french: dict[str, str]) -> None:
    page = client.get("/rules/beloz?q=levee", headers=in_french).text
    assert '<article class="rules-entry" id="expedition"><h3>' in page
    assert "<mark>expéditions</mark>" in page


def test_an_older_entry_says_so_and_shows_the_english(
    client: FlaskClient, in_french: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rules = tmp_path / "fr" / "rules"
    rules.mkdir(parents=True)
    text = (FOLDER / "fr" / "rules" / "bisque.md").read_text("utf-8")
    (rules / "bisque.md").write_text(re.sub(r"\{pot @\w+\}", "{pot @00000000}", text), "utf-8")
    monkeypatch.setattr("companion.screens.plugin.FOLDERS", [tmp_path])
    languages.forget()
    page = client.get("/rules/bisque", headers=in_french).text
    [(address, english)] = re.findall(
        r'id="([^"]+)"(?:(?!</article>).)*<div class="stack" lang="en">(.*?)</div></details>', page, re.DOTALL
    )
    assert address == "pot"
    assert "it goes face up into the pot" in english
