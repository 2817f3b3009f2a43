"""How are sentences made, and what do they still know of their making?"""

import copy

import pytest

from companion.engine.core import RuleError
from companion.engine.text import Name, Sentence, capital, listing, say, say_n, term


def test_names_are_joined_as_a_host_says_them() -> None:
    assert [listing(map(Name, names)) for names in ([], ["Ana"], ["Ana", "Bo"], ["Ana", "Bo", "Cy"])] == [
        "",
        "Ana",
        "Ana and Bo",
        "Ana, Bo and Cy",
    ]
    assert listing([Name("lion"), Name("leopard")], "or") == "lion or leopard"


def test_a_sentence_is_its_english_words_and_keeps_its_parts() -> None:
    holds = say("{name} holds {card}.", name=Name("Ana {x}"), card=term("the Excuse", "card"))
    assert holds == "Ana {x} holds the Excuse."
    assert (holds.template, holds.plural, holds.context, holds.joined, holds.rule) == ("{name} holds {card}.", "", "", "", "")
    assert holds.parts == {"name": "Ana {x}", "card": "the Excuse"}
    card = holds.parts["card"]
    assert isinstance(card, Sentence)
    assert card.context == "card"
    with pytest.raises(KeyError):
        say("{name} holds nothing.")


@pytest.mark.parametrize(("n", "words"), [(0, "0 fish are left"), (1, "1 fish is left"), (2, "2 fish are left")])
def test_a_number_of_things_chooses_the_form(n: int, words: str) -> None:
    left = say_n("{n} fish is left", "{n} fish are left", n)
    assert left == words
    assert (left.template, left.plural, left.parts) == ("{n} fish is left", "{n} fish are left", {"n": n})


def test_a_listing_has_no_template() -> None:
    near = listing([57, 59, 60], "or")
    assert (near, near.template, near.joined, list(near.parts.values())) == ("57, 59 or 60", "", "or", [57, 59, 60])
    assert listing([3, 4], "comma") == "3, 4"
    assert listing([say("One."), say("Two.")], "text") == "One. Two."


def test_a_template_or_a_line_of_its_own_begins_with_a_capital() -> None:
    fish = say("no fish")
    assert say("{fish:C} swim here.", fish=fish) == "No fish swim here."
    assert say("There are {fish:>8}.", fish=fish) == "There are  no fish."
    begun = capital(fish.by("U1"))
    assert (begun, begun.rule, begun.parts) == ("No fish", "U1", {"it": "no fish"})


def test_a_refusal_knows_its_rule_and_its_parts() -> None:
    refused = RuleError(say_n("{n} card", "{n} cards", 2), rule="B14")
    assert (refused.message, refused.message.rule, refused.message.plural) == ("2 cards", "B14", "{n} cards")
    assert listing([1, 2]).by("B1").joined == "and"


def test_a_sentence_survives_a_copy() -> None:
    copied = copy.deepcopy(say_n("{n} card", "{n} cards", 2).by("B14"))
    assert (copied, copied.plural, copied.parts, copied.rule) == ("2 cards", "{n} cards", {"n": 2}, "B14")
