"""How does a zone stand? Its fish make a demand; each side lacks cards for it; some cards fit; one side eats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.engine.beluga_cup.words import FISH
from companion.engine.decktet import SUIT_INDEX, SUIT_NAMES, SUITS, Card, Suit
from companion.engine.text import Sentence, listing, say

ZONES = 4
NUMBERS = tuple(range(1, ZONES + 1))

Counts = tuple[int, ...]  # a number for each suit, in canonical order
NOTHING: Counts = (0,) * len(SUITS)


ONLY_ACES = say("Only Aces may be played together. Any other card is played alone.")  # ruling U3


class Zone(msgspec.Struct, frozen=True):
    """The fish of a zone and the cards on its two sides, side 0 being player 0's.

    ``demand`` is how many of each suit a side needs, ``lacking`` what each side still lacks. A zone without fish waits for it.
    """

    number: int
    fish: tuple[Suit, ...] = ()
    sides: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    demand: Counts = NOTHING
    lacking: tuple[Counts, Counts] = (NOTHING, NOTHING)

    @property
    def untouched(self) -> bool:
        """True while nobody has played a card here."""
        return not self.sides[0] and not self.sides[1]

    def full(self, side: int) -> bool:
        """Return True when the cards of this side meet the whole demand. Rule: Game play."""
        return bool(self.fish) and not any(self.lacking[side])

    def lacks(self, side: int) -> tuple[Suit, ...]:
        """Return the suits that a side still lacks, each as often as it does."""
        return each(self.lacking[side])

    def met(self, side: int) -> tuple[Suit, ...]:
        """Return the suits of the demand that a side has met, each as often as it has."""
        return each([wanted - missing for wanted, missing in zip(self.demand, self.lacking[side], strict=True)])

    def worth(self, card: Card) -> int:
        """Return the card's rank: Ace 1, Crown 10, number as printed; a Court or Pawn 4 a fish of its suits (ruling U9)."""
        return card.rank or 4 * sum(self.demand[SUIT_INDEX[suit]] for suit in card.suits)

    def total(self, side: int) -> int:
        """Return the rank total of a side: each card once, however many demands it meets (ruling U4)."""
        return sum(self.worth(card) for card in self.sides[side])

    def leader(self) -> int | None:
        """Return the player whose side has the higher rank total, or None when they are equal."""
        ours, theirs = self.total(0), self.total(1)
        return None if ours == theirs else int(theirs > ours)


def make_zone(number: int, fish: Iterable[Suit], sides: Sequence[Iterable[Card]] = ((), ())) -> Zone:
    """Return the zone with these fish and cards."""
    fish, ours, theirs = tuple(fish), tuple(sides[0]), tuple(sides[1])
    demand = count(fish)
    return Zone(number, fish, (ours, theirs), demand, (_meet(demand, ours), _meet(demand, theirs)))


def size(number: int) -> int:
    """Return how many fish the zone with this number takes: as many as its number says (ruling U1)."""
    return number


def needed(numbers: Iterable[int]) -> int:
    """Return how many fish these zones take together."""
    return sum(size(number) for number in numbers)


def share(fish: Sequence[Suit], numbers: Iterable[int]) -> tuple[tuple[int, tuple[Suit, ...]], ...]:
    """Return the fish for these zones in the order in which they came: each zone's number with what it has got so far."""
    shared = []
    for number in numbers:
        shared.append((number, tuple(fish[: size(number)])))
        fish = fish[size(number) :]
    return tuple(shared)


def count(fish: Iterable[Suit]) -> Counts:
    """Return how many of each suit, in canonical order."""
    counts = [0] * len(SUITS)
    for suit in fish:
        counts[SUIT_INDEX[suit]] += 1
    return tuple(counts)


def each(counts: Sequence[int]) -> tuple[Suit, ...]:
    """Return every suit as often as it is counted, in canonical order."""
    return tuple(suit for suit, number in zip(SUITS, counts, strict=True) for _ in range(number))


def remaining(bag: Counts, fish: Iterable[Suit]) -> dict[Suit, int]:
    """Return how many fish of each suit the bag holds once these are out of it; none where it did not hold so many."""
    return {suit: max(0, held - taken) for suit, held, taken in zip(SUITS, bag, count(fish), strict=True)}


def by_suit(counts: Counts) -> dict[Suit, int]:
    """Return the counts as a mapping without the zeros."""
    return {suit: number for suit, number in zip(SUITS, counts, strict=True) if number}


def _meet(lacking: Counts, cards: Iterable[Card]) -> Counts:
    """Return what is lacking after these cards: each contributes all its suits, and what is met already stays met.

    Rule: Game play.
    """
    left = list(lacking)
    for card in cards:
        for suit in card.suits:
            index = SUIT_INDEX[suit]
            if left[index]:
                left[index] -= 1
    return tuple(left)


def lay(zone: Zone, side: int, cards: Sequence[Card]) -> Zone:
    """Return the zone with these cards added to a side."""
    sides = (zone.sides[0] + tuple(cards), zone.sides[1]) if side == 0 else (zone.sides[0], zone.sides[1] + tuple(cards))
    met = _meet(zone.lacking[side], cards)
    lacking = (met, zone.lacking[1]) if side == 0 else (zone.lacking[0], met)
    return Zone(zone.number, zone.fish, sides, zone.demand, lacking)


def lift(zone: Zone, side: int, card: Card) -> Zone:
    """Return the zone without this card of a side."""
    left = tuple(other for other in zone.sides[side] if other != card)
    return make_zone(zone.number, zone.fish, (left, zone.sides[1]) if side == 0 else (zone.sides[0], left))


def eater(zone: Zone, last: int) -> int | None:
    """Return who eats the zone after ``last`` has placed a card in it, or None while a side is not full (ruling U4)."""
    if not (zone.full(0) and zone.full(1)):
        return None
    leader = zone.leader()
    return last if leader is None else leader


def refusal(zone: Zone, side: int, cards: Sequence[Card]) -> Sentence | None:
    """Return why these cards can't go to a side of the zone in one play, in a sentence for the player; None if they can.

    One card needs a suit that is still lacking (ruling U2). Several must be Aces, each of a suit that the zone demands, met or
    not, and at least one must be lacking (ruling U3).
    """
    if not zone.fish:
        return say("Zone {zone} waits for its fish.", zone=zone.number)
    if any(card.kind == "excuse" for card in cards):
        return say("The Excuse is not placed on a side: it swaps fish or takes back a card.")
    if len(cards) > 1 and any(card.kind != "ace" for card in cards):
        return ONLY_ACES
    if not any(zone.lacking[side]):
        return say("This side is full.")
    lacking, demand = zone.lacking[side], zone.demand
    strangers = [suit for card in cards for suit in card.suits if not demand[SUIT_INDEX[suit]]]
    if any(lacking[SUIT_INDEX[suit]] for card in cards for suit in card.suits) and not (len(cards) > 1 and strangers):
        return None
    no_fish = listing([FISH[suit] for suit in strangers], "or")
    if len(cards) > 1 and strangers:
        return say("No {suits} fish swims in zone {zone}: every Ace of a set must match one.", suits=no_fish, zone=zone.number)
    met = [suit for card in cards for suit in card.suits if demand[SUIT_INDEX[suit]]]
    reasons = [say("This side has its {suits} already.", suits=in_words(met))] if met else []
    if strangers:
        reasons.append(say("No {suits} fish swims in zone {zone}.", suits=no_fish, zone=zone.number))
    return reasons[0] if len(reasons) == 1 else listing(reasons, "text")


def in_words(suits: Iterable[Suit]) -> Sentence:
    """Return these suits in words: "wyrms and knots"."""
    return listing([SUIT_NAMES[suit] for suit in suits])
