"""How does a match of What the Fish! go? A FISH swims under KILL and PROTECT cards; the first player to free a FISH wins.

There are no turns: a match is what was laid down, in the order in which it lay. Companion sees what lies open on the table
and nothing of the hands, so these rules stay with the players: that Flint Flush needs a hand without FISH, and how many cards
it draws (ruling W4); which ranks the deck has (ruling W5: any whole number from 1); whether a frozen card comes back too soon
(ruling W6; ``Duel.frozen`` remembers it); that the highest FISH swims when nobody wants to (ruling W7: it is entered as any
other swim).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from companion.engine.core import Event, Game, Line, Lines, Options, PersistentList, RuleError, Standing
from companion.engine.text import Name, Part, Sentence, name, say
from companion.engine.what_the_fish.cards import WTF_CARDS, Value, WtfCard, WtfName
from companion.engine.what_the_fish.cheapest import Cheapest, answer
from companion.engine.what_the_fish.duel import Duel, launch

MOST_PLAYERS = 6

Player = Annotated[int, msgspec.Meta(ge=0, le=MOST_PLAYERS - 1)]


class Swim(Event, frozen=True, tag="swim"):
    """Somebody lays down a FISH of this rank."""

    player: Player
    rank: Value


class Kill(Event, frozen=True, tag="kill"):
    """Somebody but the owner lays down a KILL card."""

    player: Player
    value: Value


class Protect(Event, frozen=True, tag="protect"):
    """The owner of the fish lays down a PROTECT card."""

    player: Player
    value: Value


class Dead(Event, frozen=True, tag="dead"):
    """Belly up: the owner gives the fish up."""


class Free(Event, frozen=True, tag="free"):
    """Nobody can kill the fish: it is free and its owner has won."""


class Buddha(Event, frozen=True, tag="buddha"):
    """Somebody plays Beaver Buddha: the swim ends with no result."""

    player: Player


class Wtf(Event, frozen=True, tag="wtf"):
    """Somebody plays another WTF card, perhaps on a ``target``, or from a ``target`` ``to`` somebody."""

    player: Player
    card: WtfName
    target: Player | None = None
    to: Player | None = None


class FlintFlush(Event, frozen=True, tag="flint-flush"):
    """Somebody without FISH shows the hand and draws a new one."""

    player: Player


How = Literal["free", "dead", "no result", "undone"]


class Ending(msgspec.Struct, frozen=True):
    """A swim that is over and how it ended (ruling W3); ``undone`` when the FISH itself was taken back."""

    player: int
    rank: int
    how: How


class WhatTheFishState(msgspec.Struct, frozen=True):
    """A match: the swim in progress, if any, and what became of those before it.

    ``died`` counts the fish that died, ``taken_back`` those of them that an Elvis Effect brought back to a hand.
    """

    players: tuple[str, ...]
    duel: Duel | None = None
    died: int = 0
    taken_back: int = 0
    winner: int | None = None
    endings: PersistentList[Ending] = PersistentList.EMPTY

    def ended(self, how: How) -> tuple[int, ...]:
        """Return how many fish of each player ended so."""
        owners = [ending.player for ending in self.endings if ending.how == how]
        return tuple(owners.count(player) for player in range(len(self.players)))


def start(players: tuple[str, ...], options: Options) -> WhatTheFishState:
    """Return the table before the first FISH. The game has no options."""
    return WhatTheFishState(players)


def finished(state: WhatTheFishState) -> bool:
    """Return True once a fish is free."""
    return state.winner is not None


def apply(state: WhatTheFishState, event: Event) -> WhatTheFishState:
    """Return the match after one more event. Raises RuleError with the reason when the rules refuse it."""
    for part in ("player", "target", "to"):
        player = getattr(event, part, None)
        if player is not None and player >= len(state.players):
            last = len(state.players) - 1
            nobody = say("There is no player {player}: the players of this match are 0 to {last}.", player=player, last=last)
            raise RuleError(nobody, field=part)
    match event:
        case Swim():
            return _swim(state, event)
        case Kill():
            return _kill(state, event)
        case Protect():
            return _protect(state, event)
        case Wtf():
            return _wtf(state, event)
        case FlintFlush():
            return state  # at any time; whether the hand holds a FISH is not known here (ruling W4)
        case Buddha():
            return _end(state, _swimming(state), "no result")  # anybody, at any time during a swim (ruling W3)
        case Dead():
            return _dead(state)
        case Free():
            return _free(state)
    raise AssertionError(f"not an event of this game: {event}")


def _swimming(state: WhatTheFishState) -> Duel:
    if state.duel is None:
        raise RuleError(say("No fish is swimming. Somebody plays a FISH first."), rule="Start of Play")
    return state.duel


def _with(state: WhatTheFishState, duel: Duel) -> WhatTheFishState:
    return WhatTheFishState(state.players, duel, state.died, state.taken_back, state.winner, state.endings)


def _swim(state: WhatTheFishState, event: Swim) -> WhatTheFishState:
    if state.duel is not None:
        owner = name(state.players[state.duel.player])
        swims = say("{player}’s fish still swims. The next FISH waits until it is dead, or for a Beaver Buddha.", player=owner)
        raise RuleError(swims, rule="Fish")
    return _with(state, launch(event.player, event.rank))


def _kill(state: WhatTheFishState, event: Kill) -> WhatTheFishState:
    duel = _swimming(state)
    owner, top = name(state.players[duel.player]), duel.top
    if event.player == duel.player:
        refusal = say("This fish is {player}’s own: {player} protects it, the others attack it.", player=owner)
        raise RuleError(refusal, rule="W2", field="player")
    if top.kind == "protection" and not top.beats:
        raise RuleError(
            say(
                "{player}’s protection of {total} is still short of the attack of {over}, so the fish is dying anyway. "
                "The next KILL card waits for a protection that saves it.",
                player=owner,
                total=top.total,
                over=top.over,
            ),
            rule="W1",
        )
    return _with(state, duel.lay(event.player, "attack", event.value))


def _protect(state: WhatTheFishState, event: Protect) -> WhatTheFishState:
    duel = _swimming(state)
    owner, top = name(state.players[duel.player]), duel.top
    if event.player != duel.player:
        other = name(state.players[event.player])
        only = say("Only {player} protects this fish. {other} may attack it.", player=owner, other=other)
        raise RuleError(only, rule="W2", field="player")
    if top.kind == "fish":
        safe = say("Nobody has attacked {player}’s fish, so there is nothing to protect it from.", player=owner)
        raise RuleError(safe, rule="Protection")
    if top.kind == "attack" and not top.beats:
        raise RuleError(
            say(
                "The attack of {total} is not above {over}, so it kills nothing yet. PROTECT cards wait until it does.",
                total=top.total,
                over=top.over,
            ),
            rule="W1",
        )
    return _with(state, duel.lay(event.player, "protection", event.value))


def _dead(state: WhatTheFishState) -> WhatTheFishState:
    duel = _swimming(state)
    if not duel.dies:
        owner = name(state.players[duel.player])
        lives = say("{player}’s fish is not dying: no attack above {number} stands.", player=owner, number=duel.to_beat)
        raise RuleError(lives, rule="Dead Fish")
    return _end(state, duel, "dead")


def _free(state: WhatTheFishState) -> WhatTheFishState:
    duel = _swimming(state)
    if duel.dies:
        owner = name(state.players[duel.player])
        dying = say(
            "{player}’s fish is dying and can’t be free: it takes a protection above {number} to save it.",
            player=owner,
            number=duel.to_beat,
        )
        raise RuleError(dying, rule="W3")
    return _end(state, duel, "free")


def _end(state: WhatTheFishState, duel: Duel, how: How) -> WhatTheFishState:
    return WhatTheFishState(
        players=state.players,
        died=state.died + (how == "dead"),
        taken_back=state.taken_back,
        winner=duel.player if how == "free" else None,
        endings=state.endings.add(Ending(duel.player, duel.rank, how)),
    )


def _wtf(state: WhatTheFishState, event: Wtf) -> WhatTheFishState:
    card = WTF_CARDS[event.card]
    _check_targets(state, event, card)
    if event.card == "time-traveler":
        if state.duel is None:
            raise RuleError(say("No fish is swimming, so there is no KILL, PROTECT or FISH to undo."), rule="W6", field="card")
        before = state.duel.undo()
        return _end(state, state.duel, "undone") if before is None else _with(state, before)
    if event.card == "elvis-effect":
        # The FISH that swims, one that was undone and one that Beaver Buddha sent away are not dead (ruling W6).
        if state.taken_back >= state.died:
            needs = (
                say("{card} needs a dead FISH in the discard pile, and every one was taken back already.", card=card.label)
                if state.died
                else say("{card} needs a dead FISH in the discard pile, and no fish has died yet.", card=card.label)
            )
            raise RuleError(needs, rule="W6", field="card")
        return WhatTheFishState(state.players, state.duel, state.died, state.taken_back + 1, state.winner, state.endings)
    return state  # the others move or show hidden cards only


def _check_targets(state: WhatTheFishState, event: Wtf, card: WtfCard) -> None:
    """Check whom a WTF card names: some must name a player, some can't (ruling W6)."""
    player, target, to = event.player, event.target, event.to
    for part, wanted, given in (("target", card.target, target), ("to", card.to, to)):
        if wanted is not None and given is None:
            raise RuleError(say("{card}: {question}", card=card.label, question=wanted), rule="W6", field=part)
        if given is not None and wanted is None:
            takes = (
                say("{card} takes a target only. Leave out “{part}”.", card=card.label, part=Name(part))
                if card.target
                else say("{card} takes no target. Leave out “{part}”.", card=card.label, part=Name(part))
            )
            raise RuleError(takes, rule="W6", field=part)
    if not card.to:
        if target == player:
            other = say("{card} is for somebody else’s hand. Name another player.", card=card.label)
            raise RuleError(other, rule="W6", field="target")
    elif target == to:
        same = say("{card}: who gives the card and who receives it must differ.", card=card.label)
        raise RuleError(same, rule="W6", field="to")
    elif player in (target, to) and len(state.players) > 2:
        part = "target" if player == target else "to"
        out = say("{card} is for two others. {player} stays out of it.", card=card.label, player=name(state.players[player]))
        raise RuleError(out, rule="W6", field=part)


def _describe_ending(how: How, player: Part, rank: int) -> tuple[Sentence, str]:
    match how:
        case "free":
            return say("{player}’s fish of {rank} swam free", player=player, rank=rank), "End of the Game"
        case "dead":
            return say("{player}’s fish of {rank} died", player=player, rank=rank), "Dead Fish"
        case "no result":
            return say("{player}’s fish of {rank} swam without a result", player=player, rank=rank), "W3"
        case "undone":
            return say("{player}’s fish of {rank} was taken back", player=player, rank=rank), "W6"


def _lines(state: WhatTheFishState) -> Iterator[Line]:
    for ending in state.endings:
        title, rule = _describe_ending(ending.how, name(state.players[ending.player]), ending.rank)
        freed = int(ending.how == "free")
        yield Line(title, tuple(freed if player == ending.player else None for player in range(len(state.players))), rule)


def standing(state: WhatTheFishState) -> Standing:
    """Return freed fish a player and how each swim ended. The first freed fish wins (ruling W3)."""
    duel, winner = state.duel, state.winner
    free_fish = state.ended("free")
    return Standing(
        scores=free_fish,
        sides=state.players,
        finished=winner is not None,
        winners=() if winner is None else (winner,),
        lines=Lines(lambda: _lines(state)),
        details={
            "fish": None if duel is None else {"player": duel.player, "rank": duel.rank},
            "layers": [] if duel is None else [layer.total for layer in duel.layers],
            "to_beat": None if duel is None else duel.to_beat,
            "dies": duel is not None and duel.dies,
            "free_fish": list(free_fish),
            "dead_fish": state.died,
        },
    )


GAME: Game[WhatTheFishState] = Game(
    slug="what-the-fish",
    title="What the Fish!",
    seats=(2, MOST_PLAYERS),
    options=Options,
    events=(Swim, Kill, Protect, Dead, Free, Buddha, Wtf, FlintFlush),
    start=start,
    apply=apply,
    finished=finished,
    standing=standing,
    questions=(Cheapest,),
    answer=answer,
    turns=False,
)
