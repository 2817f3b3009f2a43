"""Is everything there that pages ask Babel, in what a phone has of it?"""

from __future__ import annotations

import pickle
from datetime import date
from pathlib import Path

import pytest
from babel import Locale, core, localedata

from companion.engine.text import Name, listing, say
from companion.languages import language
from companion.languages.catalogue import Catalogue
from companion.languages.language import Language
from pocket.build import LOCALES, said

BABEL = Path(core.__file__).parent
DAY = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def in_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Babel read what the build leaves of its files."""
    for file in BABEL.glob("locale-data/*.dat"):
        if file.stem in LOCALES:
            (tmp_path / file.name).write_bytes(said(file.read_bytes()))
    monkeypatch.setattr(localedata, "_dirname", str(tmp_path))
    monkeypatch.setattr(localedata, "_cache", {})
    monkeypatch.setattr(core, "_global_data", pickle.loads(said((BABEL / "global.dat").read_bytes())))
    monkeypatch.setattr(language, "BRITISH", Locale("en", "GB"))
    language._list_of.cache_clear()


@pytest.mark.parametrize(
    ("code", "name", "long", "medium", "weekday", "names", "thousands"),
    [
        ("en", "English", "1 March 2026", "1 Mar 2026", "Sunday", "Ana, Bo and Cy", "12,345"),
        ("de", "Deutsch", "1. März 2026", "01.03.2026", "Sonntag", "Ana, Bo und Cy", "12.345"),
        ("fr", "Français", "1 mars 2026", "1 mars 2026", "dimanche", "Ana, Bo et Cy", "12\u202f345"),
    ],
)
def test_a_phone_says_names_days_lists_and_numbers(
    code: str, name: str, long: str, medium: str, weekday: str, names: str, thousands: str
) -> None:
    spoken = Language(code, None if code == "en" else Catalogue())
    assert (spoken.name, spoken.direction) == (name, "ltr")
    assert [spoken.date(DAY, pattern) for pattern in ("long", "medium", "EEEE")] == [long, medium, weekday]
    assert spoken.say(listing([Name("Ana"), Name("Bo"), Name("Cy")])) == names
    assert spoken.say(say("{points:,}", points=12_345)) == thousands
    assert spoken.comma == ", "


def test_what_no_page_asks_is_left_out() -> None:
    assert "currency_names" in pickle.loads((BABEL / "locale-data" / "fr.dat").read_bytes())
    french = pickle.loads((Path(localedata._dirname) / "fr.dat").read_bytes())
    assert "currency_names" not in french
    assert french["languages"].keys() == {"de", "en", "fr"}
