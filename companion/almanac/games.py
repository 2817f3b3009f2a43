"""How are the matches of Companion's own games read?

BeloZ counts contracts, declarations and golden rounds; Beluga Cup meals and fish by colour; Bisque tricks and goals; Rivals
captured whales; What the Fish! duels and kills.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from companion.almanac.facts import Reader, Round, seconds
from companion.engine.beloz import BelozState
from companion.engine.beloz.declarations import declared_points
from companion.engine.beluga_cup import BelugaCup
from companion.engine.beluga_cup.scoring import fish_eaten, points
from companion.engine.bisque import BisqueState
from companion.engine.decktet import SUIT_NAMES, SUITS
from companion.engine.rivals import RivalsState, taken
from companion.engine.text import say, say_n, term
from companion.engine.what_the_fish import WhatTheFishState
from companion.matches.log import Log

PAIRS = 2  # teams of BeloZ: players 0 and 2, and players 1 and 3


def _columns(counts: Mapping[str, Counter[int]], players: int) -> Mapping[str, Sequence[int]]:
    """Return each tally with a number for every player."""
    return {name: [counter[player] for player in range(players)] for name, counter in counts.items()}


def beloz_tallies(log: Log) -> Mapping[str, Sequence[int]]:
    """Count contracts by who took them, points of declarations that counted, and golden rounds of both partners."""
    state: BelozState = log.position.state
    counts = {name: Counter[int]() for name in ("contracts", "won", "broken", "declared", "beloz", "golden")}
    for result in state.rounds:
        counts["contracts"][result.bidder] += 1
        counts[result.contract][result.bidder] += 1
        for declaration, status in zip(result.declared.declarations, result.declared.statuses, strict=True):
            if status == "counts":
                counts["declared"][declaration.player] += declared_points(declaration)
        if result.event.beloz is not None:
            counts["beloz"][result.event.beloz] += 1
        if result.golden is not None:
            counts["golden"].update((result.golden, result.golden + PAIRS))
    return _columns(counts, len(state.players))


BELOZ = Reader(
    tallies=beloz_tallies,
    labels={
        "contracts": say("Contracts taken"),
        "won": say("Contracts won"),
        "broken": say("Contracts broken"),
        "declared": say("Points declared"),
        "beloz": say("BeloZ & Re-BeloZ"),
        "golden": say("Golden Rounds"),
    },
    shares=("contracts", "won", "broken"),
)


def beluga_rounds(log: Log) -> Iterator[Round]:
    """Iterate over the meals: how many fish they were, and how many points both had then."""
    for entry in log.entries:
        for _event, before, after in entry.steps:
            had, have = fish_eaten(before.state.eaten), fish_eaten(after.state.eaten)
            if have != had:
                gained = (have[0] - had[0], have[1] - had[1])
                yield Round(entry.seq, seconds(entry.at), gained, points(after.state.eaten))


def beluga_tallies(log: Log) -> Mapping[str, Sequence[int]]:
    """Count meals, and the fish eaten of each suit."""
    state: BelugaCup = log.position.state
    rounds = list(beluga_rounds(log))
    meals = [sum(1 for meal in rounds if meal.gained[player]) for player in range(2)]
    return {"meals": meals, **{suit: eaten for suit, *eaten in zip(SUITS, *state.eaten, strict=True)}}


BELUGA_CUP = Reader(
    rounds=beluga_rounds,
    tallies=beluga_tallies,
    labels={
        "meals": say("Meals"),
        # NOTE: how many fish of a suit somebody ate: "Fish of moons"
        **{suit: say("Fish of {suit}", suit=SUIT_NAMES[suit]) for suit in SUITS},
    },
    # NOTE: the third time that somebody ate a zone: "meal 3"
    called=lambda n: term("meal {n}", "what was played", n=n),
    amount=lambda n: say_n("{n} fish", "{n} fish", n),
    low=False,
    # NOTE: after a result that is equal, how somebody won all the same: "Ana, 4 : 4, with more fish"
    tie=say("with more fish"),
)


def bisque_tallies(log: Log) -> Mapping[str, Sequence[int]]:
    """Count tricks whose winner was noted, the best goals, and goals without a point."""
    state: BisqueState = log.position.state
    counts = {name: Counter[int]() for name in ("tricks", "best", "blank")}
    for hand in state.played:
        scores = [goal.points for goal in hand.goals]
        counts["tricks"].update(trick.by for trick in hand.pot if trick.by is not None)
        counts["best"].update(player for player, score in enumerate(scores) if score == max(scores))
        counts["blank"].update(player for player, score in enumerate(scores) if score == 0)
    return _columns(counts, len(state.players))


BISQUE = Reader(
    tallies=bisque_tallies,
    labels={
        "tricks": say("Tricks won"),
        "best": say("Best goal of a hand"),
        "blank": say("Goals without a point"),
    },
    called=lambda n: term("hand {n}", "what was entered", n=n),
)


def rivals_rounds(log: Log) -> Iterator[Round]:
    """Iterate over the rounds: how many grey whales both took. What these are worth is secret until the count (ruling V5)."""
    had: tuple[int, int] = (0, 0)
    for entry in log.entries:
        for _event, before, after in entry.steps:
            if len(after.state.rounds) > len(before.state.rounds):
                gained = taken(after.state.rounds[-1].packs)
                had = (had[0] + gained[0], had[1] + gained[1])
                yield Round(entry.seq, seconds(entry.at), gained, had)


def rivals_tallies(log: Log) -> Mapping[str, Sequence[int]]:
    """Count captured whales, packs, whales that were laid down, and rounds that somebody called to end."""
    state: RivalsState = log.position.state
    counts = {name: Counter[int]() for name in ("packs", "calls")}
    for played in state.rounds:
        counts["packs"].update(pack.won_by for pack in played.packs if pack.won_by is not None)
        if played.ended_by is not None:
            counts["calls"][played.ended_by] += 1
    return {"captured": state.captured, "used": state.used, **_columns(counts, len(state.players))}


RIVALS = Reader(
    rounds=rivals_rounds,
    tallies=rivals_tallies,
    labels={
        "captured": say("Whales captured"),
        "packs": say("Packs won"),
        "used": say("Whales played"),
        "calls": say("Rounds called to end"),
    },
    amount=lambda n: say_n("{n} whale", "{n} whales", n),
    decisive=False,
    low=False,
    # NOTE: after a result that is equal, how somebody won all the same: "Bo, 18 : 18, with fewer cards"
    tie=say("with fewer cards"),
)


def fish_rounds(log: Log) -> Iterator[Round]:
    """Iterate over the swims: how many KILL and PROTECT cards lay on each fish, as a figure of its owner."""
    freed = [0] * len(log.start.players)
    for entry in log.entries:
        for _event, before, after in entry.steps:
            if len(after.state.endings) > len(before.state.endings):
                ended = after.state.endings.newest
                freed[ended.player] += ended.how == "free"
                cards = len(before.state.duel.plays) - 1  # besides the fish itself
                gained = tuple(cards if player == ended.player else 0 for player in range(len(freed)))
                yield Round(entry.seq, seconds(entry.at), gained, tuple(freed))


def fish_tallies(log: Log) -> Mapping[str, Sequence[int]]:
    """Count swims, duels (swims that were attacked, for owner and attackers), and kills (the last attack on a dead fish)."""
    counts = {name: Counter[int]() for name in ("swims", "freed", "died", "duels", "kills")}
    for entry in log.entries:
        for _event, before, after in entry.steps:
            state: WhatTheFishState = after.state
            ending = state.endings.newest
            if len(state.endings) == len(before.state.endings) or ending is None:
                continue
            attackers = [play.player for play in before.state.duel.plays if play.kind == "attack"]
            counts["swims"][ending.player] += 1
            counts["duels"].update({ending.player, *attackers} if attackers else ())
            if ending.how == "free":
                counts["freed"][ending.player] += 1
            elif ending.how == "dead":
                counts["died"][ending.player] += 1
                counts["kills"][attackers[-1]] += 1
    return _columns(counts, len(log.start.players))


WHAT_THE_FISH = Reader(
    rounds=fish_rounds,
    tallies=fish_tallies,
    labels={
        "swims": say("Swims"),
        "freed": say("Fish freed"),
        "died": say("Fish that died"),
        "duels": say("Duels"),
        "kills": say("Kills"),
    },
    called=lambda n: term("swim {n}", "what was played", n=n),
    amount=lambda n: say_n("{n} card", "{n} cards", n),
    decisive=False,
    low=False,
    scored=False,
    won=say("Free!"),
)
