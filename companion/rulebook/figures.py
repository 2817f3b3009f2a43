"""Which numbers stand in the rules? Taken from the engine, so that what is read and what is scored agree."""

from __future__ import annotations

from companion.engine import bisque, decktet
from companion.engine.beloz import cards as beloz
from companion.engine.beloz import scoring as beloz_scoring
from companion.engine.beloz.declarations import QUADS_POINTS, SHORTEST_RUN, run_points
from companion.engine.beloz.options import BelozOptions
from companion.engine.beluga_cup.events import BelugaCupOptions
from companion.engine.beluga_cup.zones import make_zone
from companion.engine.bisque import BisqueOptions
from companion.engine.rivals import whales
from companion.engine.what_the_fish.cards import BEAVER_BUDDHA, DECK, WTF_CARDS
from companion.rulebook.book import Figures, Table


def _row(*cells: object) -> tuple[str, ...]:
    return tuple(map(str, cells))


def beloz_figures() -> Figures:
    strongest = range(len(beloz.ANIMALS), 0, -1)
    cards = Table(
        "Points and strength of the animals; 8 is strongest",
        ("Animal", "Number", "Dry points", "Flooded points", "Flooded strength"),
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
    by_points: dict[int, list[str]] = {}
    for animal, points in QUADS_POINTS.items():
        by_points.setdefault(points, []).append(beloz.ANIMAL_PLURALS[animal])
    runs = [
        _row(f"Run of {length}{' or more' if length == SHORTEST_RUN + 2 else ''}", run_points(length))
        for length in range(SHORTEST_RUN, SHORTEST_RUN + 3)
    ]
    quads = [_row(f"Quads of {', '.join(animals)}", points) for points, animals in by_points.items()]
    none = [plural for animal, plural in beloz.ANIMAL_PLURALS.items() if animal not in QUADS_POINTS]
    declarations = Table(
        "What a declaration is worth",
        ("Declaration", "Points"),
        (*runs, *quads, _row(f"Quads of {', '.join(none)}", "none")),
    )
    scoring = Table(
        "What a team scores",
        ("For", "Points"),
        (
            _row("The cards it collected", f"0 to {beloz.ROUND_POINTS}"),
            _row("The last expedition (Ten Last)", f"+{beloz_scoring.TEN_LAST}"),
            _row("All eight expeditions (Golden Round)", f"+{beloz_scoring.GOLDEN_ROUND}"),
            _row("Declarations that count", "+ their points"),
            _row("BeloZ and Re-BeloZ", f"+{beloz_scoring.BELOZ}"),
        ),
    )
    return {
        "cards": cards,
        "declarations": declarations,
        "scoring": scoring,
        "total": str(beloz.ROUND_POINTS),
        "target": str(BelozOptions().target),
    }


def _decktet() -> Table:
    ranks: dict[str, list[str]] = {}
    for card in decktet.BASIC:
        suits = " ".join(f":{suit}:" for suit in card.suits)
        ranks.setdefault(card.mark, []).append(suits if card.kind == "ace" else f"{card.name.removeprefix('the ')} {suits}")
    rows = [_row({"A": "Ace"}.get(mark, mark), " · ".join(cards)) for mark, cards in ranks.items()]
    return Table("The basic Decktet", ("Rank", "Cards"), tuple(rows))


def beluga_cup_figures() -> Figures:
    fish = BelugaCupOptions().fish_per_suit
    ace, crown, court = decktet.ACES[0], decktet.CROWNS[0], decktet.COURTS[0]
    zone = make_zone(4, court.suits[:1])
    ranks = Table(
        "What a card counts when a zone is eaten",
        ("Card", "Counts"),
        (
            _row("Ace", zone.worth(ace)),
            _row("2 to 9", "its number"),
            _row("Crown", zone.worth(crown)),
            _row("Court or Pawn", f"{zone.worth(court)} for each fish of its suits"),
        ),
    )
    return {
        "decktet": _decktet(),
        "ranks": ranks,
        "fish": str(fish * len(decktet.SUITS)),
        "of-each": str(fish),
    }


def bisque_figures() -> Figures:
    points = Table(
        "What a card in the pot adds to each of its suits",
        ("Card", "Points"),
        (
            _row("Ace", bisque.points(decktet.ACES[0])),
            _row("2 to 9", "its number"),
            _row("Crown", bisque.points(decktet.CROWNS[0])),
        ),
    )
    return {"decktet": _decktet(), "points": points, "hands": str(BisqueOptions().hands)}


def rivals_figures() -> Figures:
    cards = Table(
        "Cards",
        ("Cards", "How many"),
        (
            _row("Whales of a colour (red, blue, grey)", f"{whales.WHALES} each"),
            _row("Turtles of a player", whales.TURTLES),
            _row("Cards in hand", f"up to {whales.HAND}"),
            _row("Actions in a turn", whales.ACTIONS),
            _row("Whales of a player on a pack", f"up to {whales.MOST_ON_PACK}"),
            _row("Rounds", whales.ROUNDS),
        ),
    )
    *values, most = map(str, whales.VALUES)
    return {"cards": cards, "values": ", ".join(values), "most": most}


def what_the_fish_figures() -> Figures:
    known = [*WTF_CARDS.values(), BEAVER_BUDDHA]
    wtf = Table("What each WTF card does", ("Card", "What it does"), tuple(_row(card.label, card.effect) for card in known))
    return {"wtf": wtf, "deck": str(DECK)}
