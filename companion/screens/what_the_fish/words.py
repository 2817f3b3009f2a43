"""How is What the Fish! told on the phones? What was played, by whom, and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.core import Event, Standing, Stop
from companion.engine.what_the_fish import Buddha, Dead, FlintFlush, Free, Kill, Protect, State, Swim, Wtf
from companion.engine.what_the_fish.advice import account
from companion.engine.what_the_fish.cards import BEAVER_BUDDHA, HIGHEST_VALUE, WTF_CARDS, new_hand
from companion.engine.what_the_fish.duel import Kind, Layer, Play
from companion.matches.log import InForce
from companion.screens.page import Value

FILLS: dict[Kind, str] = {"fish": "fish", "attack": "kill", "protection": "protect"}  # how a kind of card is printed
PRINTED: dict[Kind, str] = {"fish": "FISH", "attack": "KILL", "protection": "PROTECT"}

NUMBERED: dict[str, type[Swim | Kill | Protect]] = {"fish": Swim, "kill": Kill, "protect": Protect}  # kinds with a number

LONGEST_NUMBER = len(str(HIGHEST_VALUE))  # figures
SHOWN = 12  # characters of what is no number, when it is shown again


def number(text: str) -> int | None:
    """Return the number of a card that these figures are; None for anything else (ruling W5: they begin at 1)."""
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        return None
    value = int(text)
    return value if 1 <= value <= HIGHEST_VALUE else None


def no_number(typed: str) -> str:
    """Return what is said of anything else that was typed where a card's number is needed."""
    return f"There is no card {typed}." if typed.isascii() and typed.isdecimal() else f"There is no card “{typed}”."


def card(kind: str, player: int, value: int) -> Swim | Kill | Protect:
    """Return a card of a kind that bears a number, as this player lays it down."""
    return NUMBERED[kind](player, value)


def index(text: str, players: Sequence[str]) -> int | None:
    """Return the player with this number, if there is one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) == 1 and int(text) < len(players) else None


def played(play: Play, players: Sequence[str]) -> str:
    """Return a card that lies there: "Bo's KILL 9"."""
    return f"{players[play.player]}'s {PRINTED[play.kind]} {play.value}"


def told(event: Event, players: Sequence[str], before: State) -> str:
    """Return what happened, in a few words: "Bo's KILL 9", "Cy plays Mugger Croc on Ana"."""
    match event:
        case Swim():
            return f"{players[event.player]}'s FISH {event.rank}"
        case Kill():
            return f"{players[event.player]}'s KILL {event.value}"
        case Protect():
            return f"{players[event.player]}'s PROTECT {event.value}"
        case Dead() | Free():
            how = "dead" if isinstance(event, Dead) else "free"
            return (
                f"{players[before.duel.player]}'s fish of {before.duel.rank} is {how}" if before.duel else f"The fish is {how}"
            )
        case Buddha():
            return f"{players[event.player]} plays {BEAVER_BUDDHA.label}"
        case Wtf(card="time-traveler") if before.duel:
            return f"{players[event.player]}'s time-travel card took back {played(before.duel.top, players)}"
        case Wtf():
            whom = "" if event.target is None else f" on {players[event.target]}"
            if event.target is not None and event.to is not None:
                whom = f" from {players[event.target]} to {players[event.to]}"
            return f"{players[event.player]} plays {WTF_CARDS[event.card].label}{whom}"
        case FlintFlush():
            return f"{players[event.player]}'s Flint Flush"
    return "The match was stopped"


def describe_entry(entry: InForce, sides: Sequence[str]) -> str:
    """Return one line about an entry."""
    said, position = [], entry.before
    for event in entry.events:
        said.append("the end of the match" if isinstance(event, Stop) else told(event, sides, position.state))
        position = position.apply(event)
    return ", ".join(said)


def called(entry: InForce, sides: Sequence[str]) -> str:
    """Return an entry's name, for what is said of it: "Bo's KILL 9", "Bo's time-travel card"."""
    return describe_entry(entry, sides).partition(",")[0].partition(" took back ")[0]


def valued(entry: InForce, sides: Sequence[str]) -> Value:
    """Return what an entry says, beside what another phone said instead: the card's number, or what was done."""
    event, words = entry.events[0], describe_entry(entry, sides)
    if isinstance(event, Swim | Kill | Protect) and len(entry.events) == 1:
        return Value(words, str(event.rank if isinstance(event, Swim) else event.value), words.rpartition(" ")[0])
    return Value(words)


def came_of_it(event: Event, before: State, after: State) -> str:
    """Return what an event did, with the numbers that decided it."""
    match event:
        case Swim() | Kill() | Protect():
            return account(after.duel.top) if after.duel else ""
        case Dead():
            return f"{before.duel.to_beat} was not beaten" if before.duel else ""
        case Free():
            return f"Nobody beat {before.duel.to_beat}" if before.duel else ""
        case Buddha():
            return BEAVER_BUDDHA.effect
        case Wtf(card="time-traveler"):
            return "It lies frozen, face down, for this swim"
        case Wtf():
            return WTF_CARDS[event.card].effect
        case FlintFlush():
            return f"No FISH in hand: {new_hand(len(before.players))} new cards"
    return "Nobody wins"


RULES: dict[type[Event], str] = {
    Swim: "Fish",
    Kill: "W1",
    Protect: "W1",
    Dead: "Dead Fish",
    Free: "End of the Game",
    Buddha: "W3",
    Wtf: "W6",
    FlintFlush: "W4",
}


def who(layer: Layer, players: Sequence[str]) -> str:
    """Return whose cards a layer is made of, oldest first: "Cy 9, Bo 4+6"; just the name for a single card."""
    if len(layer.plays) == 1:
        return players[layer.plays[0].player]
    runs: list[tuple[int, list[str]]] = []
    for play in layer.plays:
        if runs and runs[-1][0] == play.player:
            runs[-1][1].append(str(play.value))
        else:
            runs.append((play.player, [str(play.value)]))
    return ", ".join(f"{players[player]} {'+'.join(values)}" for player, values in runs)


def layers(state: State) -> list[dict[str, Any]]:
    """Return the layers of the swim, oldest first, as the page draws them."""
    if state.duel is None:
        return []
    return [{"fill": FILLS[layer.kind], "total": layer.total, "who": who(layer, state.players)} for layer in state.duel.layers]


def ending(standing: Standing) -> str:
    """Return how a match ended, in a few words: "Ana's fish of 11 swam free, 2 fish died"."""
    died = standing.details["dead_fish"]
    fish = f"{died} fish died" if died else "no fish died"
    if standing.stopped:
        return f"stopped, {fish}"
    return f"{standing.lines[-1].what}, {fish}"


def summary(standing: Standing) -> str:
    """Return how the match stands, in a few words: "22 to beat, Ana's fish is dying"."""
    if standing.winners:
        return f"{standing.sides[standing.winners[0]]} wins"
    fish, died = standing.details["fish"], standing.details["dead_fish"]
    if fish is not None and not standing.stopped:
        fate = "is dying" if standing.details["dies"] else "swims"
        return f"{standing.details['to_beat']} to beat, {standing.sides[fish['player']]}'s fish {fate}"
    return f"{died} fish died" if died else "no fish has died"
