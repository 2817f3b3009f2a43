"""The numbers in the rules, taken from the engine, so that what is read and what is scored can't disagree.

What tables say beside the numbers are sentences, which each language says in its own words. A suit or an animal is a figure,
too, so that a sign (``:moons:``) has its word.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import bisque, decktet
from companion.engine.beloz import cards as beloz
from companion.engine.beloz import scoring as beloz_scoring
from companion.engine.beloz.declarations import QUADS_POINTS, SHORTEST_RUN, run_points
from companion.engine.beloz.options import BelozOptions
from companion.engine.beluga_cup.events import BelugaCupOptions
from companion.engine.beluga_cup.zones import make_zone
from companion.engine.bisque import BisqueOptions
from companion.engine.rivals import whales
from companion.engine.text import Name, Sentence, listing, say, term
from companion.engine.what_the_fish.cards import BEAVER_BUDDHA, DECK, WTF_CARDS
from companion.rulebook.book import BookTable, Figures


def _row(*cells: object) -> tuple[str, ...]:
    return tuple(cell if isinstance(cell, str) else str(cell) for cell in cells)


def beloz_figures() -> Figures:
    strongest = range(len(beloz.ANIMALS), 0, -1)
    cards = BookTable(
        say("Points and strength of the animals; 8 is strongest"),
        (say("Animal"), say("Number"), say("Dry points"), say("Flooded points"), say("Flooded strength")),
        tuple(
            _row(
                f":{beloz.ANIMALS[number - 1]}:",
                number,
                beloz.DRY_POINTS[number - 1],
                beloz.FLOODED_POINTS[number - 1],
                beloz.FLOODED_STRENGTH[number - 1],
            )
            for number in strongest
        ),
    )
    by_points: dict[int, list[Sentence]] = {}
    for animal, points in QUADS_POINTS.items():
        by_points.setdefault(points, []).append(beloz.ANIMAL_PLURALS[animal])
    longest = SHORTEST_RUN + 2
    runs = [_row(say("Run of {length}", length=length), run_points(length)) for length in range(SHORTEST_RUN, longest)]
    runs.append(_row(say("Run of {length} or more", length=longest), run_points(longest)))
    quads = [_row(_quads(animals), points) for points, animals in by_points.items()]
    none = [plural for animal, plural in beloz.ANIMAL_PLURALS.items() if animal not in QUADS_POINTS]
    declarations = BookTable(
        say("What a declaration is worth"),
        (say("Declaration"), say("Points")),
        (*runs, *quads, _row(_quads(none), term("none", "points"))),
    )
    scoring = BookTable(
        say("What a team scores"),
        (say("For"), say("Points")),
        (
            _row(say("The cards it collected"), say("0 to {most}", most=beloz.ROUND_POINTS)),
            _row(say("The last expedition (Ten Last)"), f"+{beloz_scoring.TEN_LAST}"),
            _row(say("All eight expeditions (Golden Round)"), f"+{beloz_scoring.GOLDEN_ROUND}"),
            _row(say("Declarations that count"), say("+ their points")),
            _row(say("BeloZ and Re-BeloZ"), f"+{beloz_scoring.BELOZ}"),
        ),
    )
    return {
        **{str(animal): title for animal, title in beloz.ANIMAL_TITLES.items()},
        "cards": cards,
        "declarations": declarations,
        "scoring": scoring,
        "total": str(beloz.ROUND_POINTS),
        "target": str(BelozOptions().target),
    }


def _quads(animals: Sequence[Sentence]) -> Sentence:
    return say("Quads of {animals}", animals=listing(animals, "comma"))


def _decktet() -> BookTable:
    ranks: dict[str, list[decktet.Card]] = {}
    for card in decktet.BASIC:
        ranks.setdefault(say("Ace") if card.kind == "ace" else card.mark, []).append(card)
    rows = [_row(mark, _cards(cards)) for mark, cards in ranks.items()]
    return BookTable(say("The basic Decktet"), (say("Rank"), say("Cards")), tuple(rows))


def _cards(cards: Sequence[decktet.Card]) -> Sentence:
    """Several cards, each with its name, but for an Ace, and the signs of its suits."""
    parts: dict[str, Sentence | Name] = {}
    for number, card in enumerate(cards):
        signs = Name(" ".join(f":{suit}:" for suit in card.suits))
        parts[f"card{number}"] = signs if card.kind == "ace" else say("{card} {signs}", card=card.name, signs=signs)
    template = " · ".join(f"{{{name}}}" for name in parts)
    return Sentence(template.format_map(parts), template, parts)


def _suits() -> Figures:
    return {suit: decktet.SUIT_NAMES[suit] for suit in decktet.SUITS}


def beluga_cup_figures() -> Figures:
    fish = BelugaCupOptions().fish_per_suit
    ace, crown, court = decktet.ACES[0], decktet.CROWNS[0], decktet.COURTS[0]
    zone = make_zone(4, court.suits[:1])
    ranks = BookTable(
        say("What a card counts when a zone is eaten"),
        (say("Card"), say("Counts")),
        (
            _row(say("Ace"), zone.worth(ace)),
            _row(say("2 to 9"), say("its number")),
            _row(say("Crown"), zone.worth(crown)),
            _row(say("Court or Pawn"), say("{points} for each fish of its suits", points=zone.worth(court))),
        ),
    )
    return {
        **_suits(),
        "decktet": _decktet(),
        "ranks": ranks,
        "fish": str(fish * len(decktet.SUITS)),
        "of-each": str(fish),
    }


def bisque_figures() -> Figures:
    points = BookTable(
        say("What a card in the pot adds to each of its suits"),
        (say("Card"), say("Points")),
        (
            _row(say("Ace"), bisque.points(decktet.ACES[0])),
            _row(say("2 to 9"), say("its number")),
            _row(say("Crown"), bisque.points(decktet.CROWNS[0])),
        ),
    )
    return {**_suits(), "decktet": _decktet(), "points": points, "hands": str(BisqueOptions().hands)}


def rivals_figures() -> Figures:
    cards = BookTable(
        say("Cards"),
        (say("Cards"), say("How many")),
        (
            _row(say("Whales of a colour (red, blue, grey)"), say("{number} each", number=whales.WHALES)),
            _row(say("Turtles of a player"), whales.TURTLES),
            _row(say("Cards in hand"), say("up to {most}", most=whales.HAND)),
            _row(say("Actions in a turn"), whales.ACTIONS),
            _row(say("Whales of a player on a pack"), say("up to {most}", most=whales.MOST_ON_PACK)),
            _row(say("Rounds"), whales.ROUNDS),
        ),
    )
    *values, most = map(str, whales.VALUES)
    return {"cards": cards, "values": ", ".join(values), "most": most}


def what_the_fish_figures() -> Figures:
    cards = [*WTF_CARDS.values(), BEAVER_BUDDHA]
    wtf = BookTable(
        say("What each WTF card does"),
        (say("Card"), say("What it does")),
        tuple(_row(card.label, card.effect) for card in cards),
    )
    return {"wtf": wtf, "deck": str(DECK)}
