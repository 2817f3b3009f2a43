"""Which cards has What the Fish!? The values of FISH, KILL and PROTECT, and what each WTF card does."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.engine.text import Sentence, say, term

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

    ``target`` and ``to`` are None where the card takes none.
    """

    label: Sentence
    effect: Sentence
    target: Sentence | None = None
    to: Sentence | None = None


# Ruling W6: the names that can be read in the rules; the undo card has none, so its effect names it.
WTF_CARDS: dict[WtfName, WtfCard] = {
    "mugger-croc": WtfCard(
        term("Mugger Croc", "WTF card"),
        say("Draw two cards blindly from somebody’s hand."),
        target=say("Whose hand?"),
    ),
    "snapper-snatch": WtfCard(
        term("Snapper Snatch", "WTF card"),
        say("Trade your whole hand for somebody else’s."),
        target=say("Trade with whom?"),
    ),
    "mrs-crobits": WtfCard(
        term("Mrs. Crobits", "WTF card"),
        say("See all the cards that somebody holds."),
        target=say("Whose hand?"),
    ),
    "wtf-tax": WtfCard(
        term("WTF Tax", "WTF card"),
        say("Somebody gives you a FISH and chooses which."),
        target=say("Who pays?"),
    ),
    "time-traveler": WtfCard(
        term("Undo the last action", "WTF card"),
        say("The newest KILL, PROTECT or FISH of this swim is undone. It lies frozen, face down, until the swim is over."),
    ),
    "communist-manifesto": WtfCard(
        term("Communist Manifesto", "WTF card"),
        say("Move a card, unseen, from one hand to another: not to or from yourself, unless only two play."),
        target=say("Who gives?"),
        to=say("Who receives?"),
    ),
    "elvis-effect": WtfCard(
        term("The Elvis Effect", "WTF card"),
        say("Pick a dead FISH out of the discard pile into your hand."),
    ),
}


def new_hand(players: int) -> int:
    """Return how many cards a Flint Flush draws at a table of so many (ruling W4); as many as were dealt."""
    return 10 if players == 2 else 7


# The eighth WTF card is an event of its own ("buddha"): it is the only one that ends a swim.
BEAVER_BUDDHA = WtfCard(
    term("Beaver Buddha", "WTF card"), say("This swim ends without a result, and anybody may play a new FISH.")
)
