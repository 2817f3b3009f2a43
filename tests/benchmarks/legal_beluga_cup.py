"""How long does Beluga Cup take to find the legal plays of a hand?

    python -m tests.benchmarks legal_beluga_cup

Plays random matches with real hands, collects every position with six cards and four zones, and answers them all again: inside
the engine (zones and cards in, plays out) and as a whole look-up (names in, plays and sentence out). Then replays the longest
of the matches. Prints the best of several passes. The aims: 100 microseconds a position, 5 milliseconds for 200 events.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from companion.engine.beluga_cup import GAME, BelugaCup, BelugaCupOptions, Discard, ExcuseSwap, ExcuseTake, LegalPlays, Play
from companion.engine.beluga_cup.cards import DECKS
from companion.engine.beluga_cup.draws import draw_fill, draw_swap
from companion.engine.beluga_cup.plays import Choice, TableZone, answer, choices
from companion.engine.beluga_cup.zones import Zone
from companion.engine.core import Event, replay, start
from companion.engine.decktet import ACES, CARDS, Card

Found = tuple[tuple[Zone, ...], int, list[Card]]
PLAYERS = ("Ana", "Bo")
MOST_EVENTS = 400  # a match may be stuck (ruling U11)


def event_of(choice: Choice, state: BelugaCup, player: int, key: bytes) -> Event:
    """Return what the log holds of a choice. A swap puts back what it drew."""
    if choice.use == "swap":
        drawn = draw_swap(state, key, choice.zone)
        return ExcuseSwap(player, choice.zone, drawn, drawn, "app")
    if choice.use == "take" and isinstance(choice.card, str):
        return ExcuseTake(player, choice.zone, choice.card)
    return Play(player, choice.zone, int(choice.side), choice.cards)


def random_match(seed: int, options: BelugaCupOptions) -> tuple[list[Event], list[Found]]:
    """Return the events of a match of random legal plays, and its positions with full hands."""
    chance = random.Random(seed)
    key = chance.randbytes(32)
    pile = list(DECKS[options.deck])
    chance.shuffle(pile)
    hands = [[pile.pop() for _ in range(6)] for _ in range(2)]
    position, events, found = start(GAME, PLAYERS, options), list[Event](), list[Found]()
    while not position.finished and len(events) < MOST_EVENTS:
        state = position.state
        if state.to_fill:
            events.append(draw_fill(state, key, state.to_fill[0]))
            position = position.apply(events[-1])
            continue
        player = int(state.turn or 0)
        hand = hands[player]
        if len(hand) == 6:
            found.append((state.zones, player, list(hand)))
        plays = list(choices(state.zones, player, hand))
        if plays:
            choice = chance.choice(plays)
            event = event_of(choice, state, player, key)
            spent = [CARDS[card] for card in choice.cards]
        else:
            spent = chance.sample(hand, min(3, len(hand)))
            event = Discard(player, len(spent))
        events.append(event)
        position = position.apply(event)
        for card in spent:
            hand.remove(card)
        if isinstance(event, ExcuseTake):
            hand.append(CARDS[event.card])
        while len(hand) < 6:
            if not pile:
                lying = {card for zone in position.state.zones for side in zone.sides for card in side}
                pile = [card for card in DECKS[options.deck] if card not in lying | set(hands[0]) | set(hands[1])]
                chance.shuffle(pile)
            if not pile:
                break
            hand.append(pile.pop())
    return events, found


def question(zones: tuple[Zone, ...], player: int, hand: list[Card]) -> LegalPlays:
    """Return a position as a look-up asks it."""
    names = [tuple(tuple(card.id for card in side) for side in zone.sides) for zone in zones]
    table = tuple(TableZone(zone.fish, (sides[0], sides[1])) for zone, sides in zip(zones, names, strict=True))
    return LegalPlays("beluga-cup", player, tuple(card.id for card in hand), table, "courts")


def best(passes: int, once: Callable[[], None]) -> float:
    """Return the seconds of the fastest pass."""
    fastest = float("inf")
    for _ in range(passes):
        began = time.perf_counter()
        once()
        fastest = min(fastest, time.perf_counter() - began)
    return fastest


def main() -> None:
    options = BelugaCupOptions(fish_per_suit=12, deck="courts")
    matches = [random_match(seed, options) for seed in range(40)]
    found = [position for _, positions in matches for position in positions]
    asked = [question(*position) for position in found]
    # The most plays that there can be: four zones, each with as many suits as fish, and a hand of Aces.
    suits = ("moons", "suns", "waves", "leaves")
    most = LegalPlays(
        "beluga-cup", 0, tuple(ace.id for ace in ACES), tuple(TableZone(suits[:number], ((), ())) for number in (1, 2, 3, 4))
    )

    def inside() -> None:
        for zones, player, hand in found:
            list(choices(zones, player, hand))

    def whole() -> None:
        for one in asked:
            answer(one)

    def worst() -> None:
        for _ in range(1000):
            answer(most)

    print(f"{len(found)} positions of {len(matches)} random matches, six cards in hand, best of 5 passes")
    print(f"inside the engine: {best(5, inside) / len(found) * 1e6:.1f} us a position (aim: at most 100)")
    print(f"whole look-up:     {best(5, whole) / len(found) * 1e6:.1f} us a position, from names to the sentence")
    print(f"six Aces:          {best(5, worst) / 1000 * 1e6:.1f} us, whole, {len(answer(most).plays)} plays")
    events = max((events for events, _ in matches), key=len)[:200]

    def again() -> None:
        replay(start(GAME, PLAYERS, options), events).standing()

    print(f"replay:            {best(20, again) * 1e3:.2f} ms for {len(events)} events (aim: at most 5 for 200)")
