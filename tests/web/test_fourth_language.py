"""Does a fourth language begin as docs/translating.md says, with an empty folder and ten sentences?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion import languages
from tests.catalogues import LANGUAGES, collect, up_to_date
from tests.web.people import Phone, says

pytestmark = pytest.mark.sqlite

DOCS = (LANGUAGES.parents[1] / "docs" / "translating.md").read_text("utf-8")
ITALIAN = {
    "What’s on the table?": "A cosa si gioca?",
    "The rules of every game": "Le regole di ogni gioco",
    "Language": "Lingua",
    "Same as phone": "Come il telefono",
    "Appearance": "Aspetto",
    "Light": "Chiaro",
    "Dark": "Scuro",
    "On your home screen": "Sulla schermata iniziale",
    "Undo": "Annulla",
    "Keeps score for card games at a real table, on everybody’s phone.": "Segna i punti a carte, sul telefono di tutti.",
}


@pytest.fixture(scope="module")
def italian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a language that has ten sentences, beside French and German."""
    made = tmp_path_factory.mktemp("languages")
    folder = made / "it"
    folder.mkdir()
    sentences = collect()
    for file, text in up_to_date(folder, sentences).items():  # what make catalogues does
        file.write_text(text, "utf-8")
    left = dict(ITALIAN)
    for file in sorted(folder.glob("*.po")):  # what an editor does
        text = file.read_text("utf-8")
        for english in list(left):
            plain = f'\nmsgid "{english}"\nmsgstr ""'
            if plain in text:
                text = text.replace(plain, plain[:-1] + left.pop(english) + '"', 1)
        file.write_text(text, "utf-8")
    assert left == {}
    for file, text in up_to_date(folder, sentences).items():  # make catalogues again keeps them
        assert file.read_text("utf-8") == text
    return made


@pytest.fixture
def environment() -> dict[str, str]:
    """Return the environment that docs/translating.md asks for."""
    (setting,) = re.findall(r"`(COMPANION_\w+)=\w+ make run`", DOCS)
    return {setting: "it"}


@pytest.fixture
def spoken(italian: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(languages, "FOLDERS", [LANGUAGES, italian])
    languages.forget()
    yield
    monkeypatch.undo()
    languages.offer(())
    languages.forget()


def test_its_first_ten_sentences_are_said_and_the_rest_in_english(spoken, app):
    phone = Phone(app)
    home = phone.get("/").text
    assert re.search(r'name="language" value="it" lang="it"[^>]*><span>Italiano<', home)
    assert phone.client.post("/language", data={"language": "it"}).status_code == 303
    home = phone.get("/")
    assert '<html lang="it"' in home.text
    assert [words for english, words in ITALIAN.items() if english != "Undo" and not says(home, words)] == []
    table = phone.make_table("Ana", "Bo", "Cy").open()
    assert says(table, "Come il telefono")
    assert says(table, "May I?")  # not yet translated
    other = Phone(app).come_to(phone)
    assert '<html lang="en"' in other.open().text


def test_without_the_setting_nobody_is_offered_a_language_of_ten_sentences(spoken, app):
    languages.offer(())
    assert "it" in languages.languages()
    assert "it" not in languages.offered()
