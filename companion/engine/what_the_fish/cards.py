"""Which cards has What the Fish!? The values of FISH, KILL and PROTECT, and what each WTF card does."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

DECK = 93  # cards, of all four kinds together
HIGHEST_VALUE = 10**9  # far above any printed card: it only keeps sums and searches bounded

HIGHEST_TOTAL = HIGHEST_VALUE * DECK

Value = Annotated[int, msgspec.Meta(ge=1, le=HIGHEST_VALUE)]  # ruling W5: whole numbers from 1, in any distribution
Total = Annotated[int, msgspec.Meta(ge=0, le=HIGHEST_TOTAL)]

WtfName = Literal[
    "mugger-croc",
    "snapper-snatch",
    "mrs-crobits",
    "wtf-tax",
    "time-traveler",
    "communist-manifesto",
    "elvis-effect",
]


class WtfCard(msgspec.Struct, frozen=True):
    """A WTF card as a page shows it: its name, what it does, and how it asks for the players whom it needs.

    ``target`` and ``to`` are empty where the card takes none.
    """

    label: str
    effect: str
    target: str = ""
    to: str = ""


# Ruling W6: the names as far as they can be read; the undo card is called by its effect.
WTF_CARDS: dict[WtfName, WtfCard] = {
    "mugger-croc": WtfCard("Mugger Croc", "Draw two cards blindly from somebody's hand.", target="Whose hand?"),
    "snapper-snatch": WtfCard("Snapper Snatch", "Trade your whole hand for somebody else's.", target="Trade with whom?"),
    "mrs-crobits": WtfCard("Mrs. Crobits", "See all the cards that somebody holds.", target="Whose hand?"),
    "wtf-tax": WtfCard("WTF Tax", "Somebody gives you a FISH and chooses which.", target="Who pays?"),
    "time-traveler": WtfCard(
        "Undo the last action",
        "The newest KILL, PROTECT or FISH of this swim is undone; it lies frozen, face down, until the swim is over.",
    ),
    "communist-manifesto": WtfCard(
        "Communist Manifesto",
        "Move a card, unseen, from one hand to another: not to or from yourself, unless only two play.",
        target="Who gives?",
        to="Who receives?",
    ),
    "elvis-effect": WtfCard("The Elvis Effect", "Pick a dead FISH out of the discard pile into your hand."),
}


def new_hand(players: int) -> int:
    """How many cards a Flint Flush draws at a table of so many (ruling W4); as many as were dealt."""
    return 10 if players == 2 else 7


# The eighth WTF card is an event of its own ("buddha"): it is the only one that ends a swim.
BEAVER_BUDDHA = WtfCard("Beaver Buddha", "This swim ends without a result, and anybody may play a new FISH.")
