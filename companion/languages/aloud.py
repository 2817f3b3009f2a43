"""Which words are read aloud, so that people compare numbers of 64 digits? Those of the published BIP-39 lists."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache

LISTS = {"en": "english", "fr": "french"}  # there is no published German one: there they are English


def list_language(code: str) -> str:
    """Return the language of the words for a phone with this language."""
    return code if code in LISTS else "en"


@cache
def word_list(code: str) -> Sequence[str]:
    """Return the 2,048 words for a phone with this language."""
    from mnemonic import Mnemonic  # Companion inside a phone reads nothing aloud

    words = Mnemonic(LISTS[list_language(code)]).wordlist
    return tuple(unicodedata.normalize("NFC", word) for word in words)
