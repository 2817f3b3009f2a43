"""Which cards may be played, by a second, slow reading of the rules to hold the engine against?

It knows nothing of the engine: cards are "north-lion", strengths are written out, and each sentence of "Playing the right card"
and "Setting the Target Plain" is one step.
"""

from __future__ import annotations

DRY = ["meerkat", "monkey", "water-snake", "crocodile", "rhinoceros", "elephant", "leopard", "lion"]  # weakest first
FLOODED = ["meerkat", "monkey", "rhinoceros", "elephant", "leopard", "lion", "water-snake", "crocodile"]
DRY_POINTS = {"lion": 11, "leopard": 10, "elephant": 4, "rhinoceros": 3, "crocodile": 2}
FLOODED_POINTS = {"lion": 11, "leopard": 10, "elephant": 4, "rhinoceros": 3, "crocodile": 20, "water-snake": 15}
DECK = [f"{plain}-{animal}" for plain in ("north", "east", "south", "west") for animal in DRY]


def plain_of(card: str) -> str:
    return card.split("-", 1)[0]


def animal_of(card: str) -> str:
    return card.split("-", 1)[1]


def points_of(card: str, flooded: str) -> int:
    return (FLOODED_POINTS if plain_of(card) == flooded else DRY_POINTS).get(animal_of(card), 0)


def leading_play(table: list[tuple[int, str]], flooded: str) -> tuple[int, str]:
    """Return the player and the card that lead: the strongest flooded card, or else the strongest of the target plain."""
    floods = [play for play in table if plain_of(play[1]) == flooded]
    if floods:
        return max(floods, key=lambda play: FLOODED.index(animal_of(play[1])))
    target = plain_of(table[0][1])
    return max((play for play in table if plain_of(play[1]) == target), key=lambda play: DRY.index(animal_of(play[1])))


def may_play(table: list[tuple[int, str]], player: int, hand: list[str], flooded: str) -> tuple[list[str], str]:
    """Return the cards of the hand that may be played, in its order, and the duty."""
    if not table:
        return hand, "launch"
    target = plain_of(table[0][1])
    leader, leading = leading_play(table, flooded)
    mine = [card for card in hand if plain_of(card) == target]
    floods = [card for card in hand if plain_of(card) == flooded]
    stronger = [card for card in floods if FLOODED.index(animal_of(card)) > FLOODED.index(animal_of(leading))]
    if mine and target == flooded and stronger:
        return stronger, "rise"
    if mine:
        return mine, "provide"
    if leader == (player + 2) % 4 or not floods:
        return hand, "discard"
    if plain_of(leading) != flooded:
        return floods, "intercept"
    if stronger:
        return stronger, "over-intercept"
    return floods, "leak"
