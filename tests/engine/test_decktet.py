"""Is the Decktet what the rulings' table lists: 36 basic cards, and nine more in the extended deck?"""

from __future__ import annotations

from collections import Counter

import pytest

from companion.engine.decktet import (
    ACES,
    BASIC,
    CARDS,
    COLOURS,
    COURTS,
    CROWNS,
    EXCUSE,
    EXTENDED,
    NUMBERS,
    PAWNS,
    SUIT_INDEX,
    SUITS,
)

TABLE = """
2 | the Author moons knots · the Desert suns wyrms · the Origin waves leaves
3 | the Journey moons waves · the Painter suns knots · the Savage leaves wyrms
4 | the Mountain moons suns · the Sailor waves leaves · the Battle wyrms knots
5 | the Forest moons leaves · the Discovery suns waves · the Soldier wyrms knots
6 | the Lunatic moons waves · the Penitent suns wyrms · the Market leaves knots
7 | the Chance Meeting moons leaves · the Castle suns knots · the Cave waves wyrms
8 | the Diplomat moons suns · the Mill waves leaves · the Betrayal wyrms knots
9 | the Pact moons suns · the Darkness waves wyrms · the Merchant leaves knots
"""
NUMBER_CARDS = [
    (int(row.split("|")[0]), *cell.strip().rsplit(" ", 2))
    for row in TABLE.strip().splitlines()
    for cell in row.split("|")[1].split("·")
]


def test_suits_are_in_canonical_order_with_the_colours_of_their_chips() -> None:
    assert SUITS == ("moons", "suns", "waves", "leaves", "wyrms", "knots")
    assert SUIT_INDEX == {"moons": 0, "suns": 1, "waves": 2, "leaves": 3, "wyrms": 4, "knots": 5}
    assert COLOURS == {
        "moons": "grey",
        "suns": "orange",
        "waves": "blue",
        "leaves": "brown",
        "wyrms": "green",
        "knots": "yellow",
    }


@pytest.mark.parametrize(("rank", "name", "first", "second"), NUMBER_CARDS, ids=[row[1] for row in NUMBER_CARDS])
def test_a_number_card_has_the_name_and_the_suits_of_the_table(rank: int, name: str, first: str, second: str) -> None:
    card = CARDS[f"{rank}-{first}-{second}"]
    assert (card.name, card.rank, card.kind, card.suits) == (name, rank, "number", (first, second))


def test_the_table_has_24_number_cards_and_so_has_the_deck() -> None:
    assert len(NUMBER_CARDS) == len(NUMBERS) == 24


@pytest.mark.parametrize(
    ("card", "name", "suits"),
    [
        ("crown-moons", "the Huntress", "moons"),
        ("crown-suns", "the Bard", "suns"),
        ("crown-waves", "the Sea", "waves"),
        ("crown-leaves", "the End", "leaves"),
        ("crown-wyrms", "the Calamity", "wyrms"),
        ("crown-knots", "the Windfall", "knots"),
        ("pawn-moons-suns-leaves", "the Harvest", "moons suns leaves"),
        ("pawn-moons-wyrms-knots", "the Watchman", "moons wyrms knots"),
        ("pawn-suns-waves-knots", "the Light Keeper", "suns waves knots"),
        ("pawn-waves-leaves-wyrms", "the Borderland", "waves leaves wyrms"),
        ("court-moons-waves-knots", "the Consul", "moons waves knots"),
        ("court-moons-leaves-wyrms", "the Rite", "moons leaves wyrms"),
        ("court-suns-waves-wyrms", "the Island", "suns waves wyrms"),
        ("court-suns-leaves-knots", "the Window", "suns leaves knots"),
        ("excuse", "the Excuse", ""),
    ],
)
def test_crowns_pawns_courts_and_the_excuse_have_their_names_and_suits(card: str, name: str, suits: str) -> None:
    assert CARDS[card].name == name
    assert CARDS[card].suits == tuple(suits.split())
    assert CARDS[card].kind == card.split("-")[0]
    assert CARDS[card].rank == (10 if card.startswith("crown") else 0)


def test_aces_have_rank_1_and_their_suit() -> None:
    assert [ace.id for ace in ACES] == ["ace-moons", "ace-suns", "ace-waves", "ace-leaves", "ace-wyrms", "ace-knots"]
    assert all(ace.rank == 1 and ace.id == f"ace-{ace.suits[0]}" and ace.kind == "ace" for ace in ACES)


def test_decks_have_36_and_45_different_cards() -> None:
    assert len(BASIC) == 36
    assert len(EXTENDED) == len(CARDS) == 45
    assert set(EXTENDED) == {*BASIC, *PAWNS, *COURTS, EXCUSE}
    assert (len(ACES), len(CROWNS), len(PAWNS), len(COURTS)) == (6, 6, 4, 4)
    assert all(CARDS[card.id] is card for card in EXTENDED)
    assert len({card.name for card in EXTENDED}) == 45


@pytest.mark.parametrize("rank", range(1, 11))
def test_every_suit_is_once_at_each_rank(rank: int) -> None:
    assert Counter(suit for card in BASIC if card.rank == rank for suit in card.suits) == dict.fromkeys(SUITS, 1)


def test_every_suit_is_on_two_pawns_and_on_two_courts() -> None:
    assert Counter(suit for card in PAWNS for suit in card.suits) == dict.fromkeys(SUITS, 2)
    assert Counter(suit for card in COURTS for suit in card.suits) == dict.fromkeys(SUITS, 2)


def test_suits_on_a_card_are_in_canonical_order_and_make_its_id() -> None:
    for card in EXTENDED:
        assert list(card.suits) == sorted(set(card.suits), key=SUITS.index)
        first = str(card.rank) if card.kind == "number" else card.kind
        assert card.id == "-".join((first, *card.suits))


@pytest.mark.parametrize(
    ("card", "mark", "title"),
    [
        ("ace-moons", "A", "the Ace of moons"),
        ("4-wyrms-knots", "4", "the 4 of wyrms and knots"),
        ("crown-knots", "Crown", "the Crown of knots"),
        ("pawn-moons-suns-leaves", "Pawn", "the Harvest"),
        ("court-moons-waves-knots", "Court", "the Consul"),
        ("excuse", "Excuse", "the Excuse"),
    ],
)
def test_a_card_has_a_corner_mark_and_is_called_as_players_call_it(card: str, mark: str, title: str) -> None:
    assert (CARDS[card].mark, CARDS[card].title) == (mark, title)
