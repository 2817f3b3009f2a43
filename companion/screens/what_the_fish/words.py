"""Which words do phones use for What the Fish!? Each entry names a card, a player, and a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.core import Event, Standing, Stop
from companion.engine.text import Name, Part, Sentence, listing, say, say_n, term
from companion.engine.what_the_fish import Buddha, Dead, FlintFlush, Free, Kill, Protect, Swim, WhatTheFishState, Wtf
from companion.engine.what_the_fish.advice import account
from companion.engine.what_the_fish.cards import BEAVER_BUDDHA, HIGHEST_VALUE, WTF_CARDS, new_hand
from companion.engine.what_the_fish.duel import DuelPlay, Kind, Layer
from companion.matches.log import InForce
from companion.screens.interface import THE_END, Value, as_sentence, named

FILLS: dict[Kind, str] = {"fish": "fish", "attack": "kill", "protection": "protect"}  # how a kind of card is printed
PRINTED: dict[Kind, str] = {"fish": "FISH", "attack": "KILL", "protection": "PROTECT"}

NUMBERED: dict[str, type[Swim | Kill | Protect]] = {"fish": Swim, "kill": Kill, "protect": Protect}  # kinds with a number

LONGEST_NUMBER = len(str(HIGHEST_VALUE))  # figures
SHOWN = 12  # characters of an invalid number that are shown again


def number(text: str) -> int | None:
    """Return the number of a card that these figures are; None for anything else (ruling W5: they begin at 1)."""
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
        return None
    value = int(text)
    return value if 1 <= value <= HIGHEST_VALUE else None


def no_number(typed: str) -> Sentence:
    """Return what is said of anything else that was typed where a card's number is needed."""
    typed_name = Name(typed)
    if typed.isascii() and typed.isdecimal():
        return say("There is no card {n}.", n=typed_name)
    return say("There is no card “{typed}”.", typed=typed_name)


def card(kind: str, player: int, value: int) -> Swim | Kill | Protect:
    """Return a card of a kind that bears a number, as this player lays it down."""
    return NUMBERED[kind](player, value)


def index(text: str, players: Sequence[str]) -> int | None:
    """Return the player with this number, if there is one."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) == 1 and int(text) < len(players) else None


def played(play: DuelPlay, players: Sequence[str]) -> Sentence:
    """Return a card that lies there: "Bo's KILL 9"."""
    return of(players[play.player], PRINTED[play.kind], play.value)


def of(player: str, printed: str, number: int) -> Sentence:
    """Return a player's card by what is printed on it."""
    # NOTE: a player's card: "Bo's KILL 9". FISH, KILL and PROTECT are printed on the cards
    return term("{player}’s {kind} {n}", "what was entered", player=Name(player), kind=Name(printed), n=number)


def describe(event: Event, players: Sequence[str], before: WhatTheFishState) -> Sentence:
    """Return what happened, in a few words: "Bo's KILL 9", "Cy plays Mugger Croc on Ana"."""
    match event:
        case Swim():
            return of(players[event.player], "FISH", event.rank)
        case Kill():
            return of(players[event.player], "KILL", event.value)
        case Protect():
            return of(players[event.player], "PROTECT", event.value)
        case Dead() | Free():
            return over(event, players, before)
        case Wtf(card="time-traveler") if before.duel:
            card = time_travel(players[event.player])
            return say("{card} took back {other}", card=card, other=played(before.duel.top, players))
        case Buddha() | Wtf():
            return wtf_played(event, players)
        case FlintFlush():
            return term("{player}’s Flint Flush", "what was entered", player=Name(players[event.player]))
    return say("The match was stopped")


def over(event: Dead | Free, players: Sequence[str], before: WhatTheFishState) -> Sentence:
    """Return how a swim ended: "Ana's fish of 11 is dead"."""
    if before.duel is None:
        return say("The fish is dead") if isinstance(event, Dead) else say("The fish is free")
    owner, rank = Name(players[before.duel.player]), before.duel.rank
    if isinstance(event, Dead):
        return say("{player}’s fish of {n} is dead", player=owner, n=rank)
    return say("{player}’s fish of {n} is free", player=owner, n=rank)


def time_travel(player: str) -> Sentence:
    """Return a player's time travel."""
    return term("{player}’s time travel", "what was entered", player=Name(player))


def wtf_played(event: Buddha | Wtf, players: Sequence[str]) -> Sentence:
    """Return who plays which WTF card on whom: "Cy plays Mugger Croc on Ana"."""
    player = Name(players[event.player])
    if isinstance(event, Buddha):
        return say("{player} plays {card}", player=player, card=named(BEAVER_BUDDHA.label))
    card = named(WTF_CARDS[event.card].label)
    if event.target is None:
        return say("{player} plays {card}", player=player, card=card)
    target = Name(players[event.target])
    if event.to is None:
        return say("{player} plays {card} on {other}", player=player, card=card, other=target)
    to = Name(players[event.to])
    return say("{player} plays {card} from {other} to {receiver}", player=player, card=card, other=target, receiver=to)


def describe_entry(entry: InForce, sides: Sequence[str]) -> Sentence:
    """Return one line about an entry."""
    sentences, position = [], entry.before
    for event in entry.events:
        sentences.append(THE_END if isinstance(event, Stop) else describe(event, sides, position.state))
        position = position.apply(event)
    return listing(sentences, "comma") if len(sentences) > 1 else sentences[0]


def called(entry: InForce, sides: Sequence[str]) -> Sentence:
    """Return an entry's name, for what is said of it: "Bo's KILL 9", "Bo's time travel"."""
    event = entry.events[0]
    if isinstance(event, Wtf) and event.card == "time-traveler" and entry.before.state.duel:
        return time_travel(sides[event.player])
    return THE_END if isinstance(event, Stop) else describe(event, sides, entry.before.state)


def valued(entry: InForce, sides: Sequence[str]) -> Value:
    """Return what an entry says, beside what another phone said instead: the card's number, or what was done."""
    event, words = entry.events[0], describe_entry(entry, sides)
    if isinstance(event, Swim | Kill | Protect) and len(entry.events) == 1:
        number = event.rank if isinstance(event, Swim) else event.value
        printed = next(kind for kind, of_kind in NUMBERED.items() if isinstance(event, of_kind)).upper()
        # NOTE: below a number: "9", "Bo's KILL"
        return Value(words, str(number), say("{player}’s {kind}", player=Name(sides[event.player]), kind=Name(printed)))
    return Value(words)


def came_of_it(event: Event, before: WhatTheFishState, after: WhatTheFishState) -> str:
    """Return what an event did, with the numbers that decided it."""
    match event:
        case Swim() | Kill() | Protect():
            return account(after.duel.top) if after.duel else ""
        case Dead():
            return say("{n} was not beaten", n=before.duel.to_beat) if before.duel else ""
        case Free():
            return say("Nobody beat {n}", n=before.duel.to_beat) if before.duel else ""
        case Buddha():
            return BEAVER_BUDDHA.effect
        case Wtf(card="time-traveler"):
            return say("It lies frozen, face down, for this swim")
        case Wtf():
            return WTF_CARDS[event.card].effect
        case FlintFlush():
            return say("No FISH in hand: {n} new cards", n=new_hand(len(before.players)))
    return say("Nobody wins")


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


def layers(state: WhatTheFishState) -> list[dict[str, Any]]:
    """Return the layers of the swim, oldest first, as the page draws them."""
    if state.duel is None:
        return []
    return [{"fill": FILLS[layer.kind], "total": layer.total, "who": who(layer, state.players)} for layer in state.duel.layers]


def ending(standing: Standing) -> str:
    """Return how a match ended, in a few words: "Ana's fish of 11 swam free, 2 fish died"."""
    died = standing.details["dead_fish"]
    fish = say_n("{n} fish died", "{n} fish died", died) if died else say("no fish died")
    first = say("stopped") if standing.stopped else as_sentence(standing.lines[-1].what)
    return listing([first, fish], "comma")


def summary(standing: Standing) -> str:
    """Return how the match stands, in a few words: "22 to beat, Ana's fish is dying"."""
    if standing.winners:
        return say("{player} wins", player=Name(standing.sides[standing.winners[0]]))
    fish, died = standing.details["fish"], standing.details["dead_fish"]
    if fish is not None and not standing.stopped:
        parts: dict[str, Part] = {"n": standing.details["to_beat"], "player": Name(standing.sides[fish["player"]])}
        if standing.details["dies"]:
            return say("{n} to beat, {player}’s fish is dying", **parts)
        return say("{n} to beat, {player}’s fish swims", **parts)
    return say_n("{n} fish died", "{n} fish died", died) if died else say("no fish has died")
