"""Do scripts put names into sentences as the server does?"""

from __future__ import annotations

from playwright.sync_api import Page

SAY = """async (names) => {
  const script = document.querySelector("script[type=module][src]");
  const { say } = await import(new URL("words.js", script.src));
  const words = document.createElement("template");
  words.setAttribute("data-words", "");
  words.innerHTML = '{"whose": "Le téléphone {name:d’|de } dort."}';
  document.body.append(words);
  return names.map((name) => say("whose", { name }));
}"""


def test_one_of_two_words_stands_before_a_name(phone: Page) -> None:
    phone.goto("/")
    assert phone.evaluate(SAY, ["Bo", "Ana", "Éva", "Yves"]) == [
        "Le téléphone de Bo dort.",
        "Le téléphone d’Ana dort.",
        "Le téléphone d’Éva dort.",
        "Le téléphone de Yves dort.",
    ]
