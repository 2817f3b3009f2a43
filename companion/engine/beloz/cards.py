"""Which 32 cards has BeloZ? Four plains of eight animals, their numbers, their points and who is stronger.

Inside the engine a card is an integer, plain by plain from the lowest number up (north meerkat 0, north lion 7, east meerkat 8,
west lion 31), and a set of cards is an integer with a bit for each. Outside it is a word such as ``north-water-snake``.

Rule: Playing Cards; rulings B1, B2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from companion.engine.core import RuleError
from companion.engine.text import Name, Sentence, say, say_n, term

Plain = Literal["north", "east", "south", "west"]
Animal = Literal["meerkat", "monkey", "water-snake", "crocodile", "rhinoceros", "elephant", "leopard", "lion"]

PLAINS: tuple[Plain, ...] = get_args(Plain)
ANIMALS: tuple[Animal, ...] = get_args(Animal)  # the animal with number n is ANIMALS[n - 1]

# ruling B2: east and west are assumed, so the colours are said here and nowhere else
COLOURS: dict[Plain, str] = {"north": "blue", "east": "green", "south": "red", "west": "yellow"}

PLAIN_TITLES: dict[Plain, Sentence] = {
    "north": term("North", "plain"),
    "east": term("East", "plain"),
    "south": term("South", "plain"),
    "west": term("West", "plain"),
}
ANIMAL_TITLES: dict[Animal, Sentence] = {
    "meerkat": term("meerkat", "animal"),
    "monkey": term("monkey", "animal"),
    "water-snake": term("water snake", "animal"),
    "crocodile": term("crocodile", "animal"),
    "rhinoceros": term("rhinoceros", "animal"),
    "elephant": term("elephant", "animal"),
    "leopard": term("leopard", "animal"),
    "lion": term("lion", "animal"),
}
ANIMAL_PLURALS: dict[Animal, Sentence] = {
    "meerkat": term("meerkats", "animals"),
    "monkey": term("monkeys", "animals"),
    "water-snake": term("water snakes", "animals"),
    "crocodile": term("crocodiles", "animals"),
    "rhinoceros": term("rhinoceros", "animals"),
    "elephant": term("elephants", "animals"),
    "leopard": term("leopards", "animals"),
    "lion": term("lions", "animals"),
}

NUMBERS: dict[Animal, int] = {animal: number for number, animal in enumerate(ANIMALS, start=1)}
# ruling B1, by number: 1 meerkat, 2 monkey, 3 water snake, 4 crocodile, 5 rhinoceros, 6 elephant, 7 leopard, 8 lion
DRY_POINTS = (0, 0, 0, 2, 3, 4, 10, 11)
FLOODED_POINTS = (0, 0, 15, 20, 3, 4, 10, 11)
FLOODED_STRENGTH = (1, 2, 7, 8, 3, 4, 5, 6)

HAND = 8  # cards in a hand at the start of a round
ROUND_POINTS = 153  # of all the cards together

CARDS: tuple[str, ...] = tuple(f"{plain}-{animal}" for plain in PLAINS for animal in ANIMALS)
TITLES: tuple[Sentence, ...] = tuple(
    # NOTE: a card of BeloZ, such as "North lion"
    term("{plain} {animal}", "card", plain=PLAIN_TITLES[plain], animal=ANIMAL_TITLES[animal])
    for plain in PLAINS
    for animal in ANIMALS
)
INDEX: dict[str, int] = {name: card for card, name in enumerate(CARDS)}
PLAIN_INDEX: dict[str, int] = {plain: number for number, plain in enumerate(PLAINS)}

IN_PLAIN: tuple[int, ...] = tuple(0xFF << 8 * plain for plain in range(4))  # the set of a plain's cards
OF_ANIMAL: tuple[int, ...] = tuple(0x01010101 << animal for animal in range(8))  # the set of an animal's four cards
# POINTS[flooded plain][card]
POINTS: tuple[tuple[int, ...], ...] = tuple(
    tuple((FLOODED_POINTS if card >> 3 == flooded else DRY_POINTS)[card & 7] for card in range(32)) for flooded in range(4)
)


def pachyderms(flooded: int) -> int:
    """Return the set of the two cards of BeloZ and Re-BeloZ: elephant and rhinoceros of the flooded plain."""
    return 0b0011_0000 << 8 * flooded


def members(cards: int) -> list[int]:
    """Return the cards of a set, lowest first."""
    return [card for card in range(32) if cards >> card & 1]


def parse(names: Sequence[str], path: str) -> list[int]:
    """Return cards from their names, in the same order. RuleError (``path.index``) for an unknown name or a repeated card."""
    cards = [INDEX.get(name, -1) for name in names]
    if -1 in cards or len(set(cards)) < len(cards):
        for position, card in enumerate(cards):
            if card == -1:
                raise unknown_card(names[position], f"{path}.{position}")
            if card in cards[:position]:
                twice = say("The {card} is here twice. There is only one.", card=TITLES[card])
                raise RuleError(twice, rule="Playing Cards", field=f"{path}.{position}")
    return cards


def unknown_card(name: str, field: str) -> RuleError:
    """Return the refusal of a name that no card has."""
    shortened = name if len(name) <= 40 else f"{name[:40]}…"
    sentence = say("“{name}” is not a BeloZ card. Cards are like north-lion or west-water-snake.", name=Name(shortened))
    return RuleError(sentence, rule="Playing Cards", field=field)


def as_set(cards: Iterable[int]) -> int:
    """Return these cards as a set."""
    together = 0
    for card in cards:
        together |= 1 << card
    return together


def card_points(names: Sequence[str], flooded: Plain) -> int:
    """Return what these cards are worth, however many: 0 to 153.

    RuleError for an unknown or repeated card (``cards.index``).

    >>> card_points(["north-lion", "south-meerkat"], "south")
    11
    """
    points = POINTS[PLAIN_INDEX[flooded]]
    return sum(points[card] for card in parse(names, "cards"))


def pile_points(names: Sequence[str], flooded: Plain) -> int:
    """Return what a team's pile is worth at the end of a round, 0 to 153: a quarter as many expeditions as it has cards.

    RuleError (field ``cards``) when the pile does not hold four cards an expedition, so that a card was forgotten.
    """
    points = card_points(names, flooded)
    over = len(names) % 4
    if over:
        raise RuleError(
            say_n(
                "{n} card can’t be a pile: each expedition has four. Take {over} off or add {missing}.",
                "{n} cards can’t be a pile: each expedition has four. Take {over} off or add {missing}.",
                len(names),
                over=over,
                missing=4 - over,
            ),
            rule="B14",
            field="cards",
        )
    return points
