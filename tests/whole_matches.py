"""How are whole matches entered, form by form? Those that the engine's tests have worked out by hand, and any cup.

Whoever enters may be phones of a server or one that is a server itself: it sends a form as the page in sight would.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from companion.engine.beloz.cards import ANIMALS
from companion.engine.beluga_cup.events import Play
from companion.engine.core import Position, RuleError
from companion.engine.decktet import BASIC

ENGINE = Path(__file__).resolve().parent / "engine"

Event = dict[str, Any]


class Match(Protocol):
    """Where a match is entered."""

    def send(self, path: str, **fields: str) -> object:
        """Send a form of the match, which must not be refused."""

    def field(self, path: str, name: str) -> str:
        """Return what stands in a hidden field of one of its pages."""


def beloz(match: Match, event: Event) -> None:
    """Tap who took it, the plain, what was announced; then count."""
    if event["type"] == "passed-deal":
        match.send("/who", tap="passed-deal")
        return
    match.send("/who", tap=f"bidder:{event['bidder']}")
    match.send("/who", flooded=event["flooded"])
    for place, declared in enumerate(event["declarations"]):
        speaker = str(declared["player"])
        if declared["kind"] == "quads":
            match.send("/declarations", speaker=speaker, quads=declared["animal"])
        else:  # a tap on the highest takes three, one on a lower card takes all from there
            for number in dict.fromkeys((declared["highest"], declared["lowest"])):
                if number != declared["highest"] - 2:
                    match.send("/declarations", speaker=speaker, card=f"{declared['plain']}-{ANIMALS[number - 1]}")
        if not declared.get("shown", True):
            match.send("/declarations", tap=f"shown:{place}")
    if event.get("beloz") is not None:
        match.send("/declarations", speaker=str(event["beloz"]), tap="beloz")
    count = {name: str(value) for name, value in event["count"].items() if value is not None}
    match.send("/count", **count, last=str(event["last_expedition"]), round=match.field("/count", "round"))


def bisque(match: Match, event: Event) -> None:
    """Enter a trick, or turn the goals up one by one and save them."""
    if event["type"] == "pot":
        match.send("/hand", by="none" if event["by"] is None else str(event["by"]), card=event["card"])
        return
    for cook, goal in enumerate(event["goals"]):
        match.send("/hand", who=str(cook), goal=goal)
    match.send("/hand", save=",".join(event["goals"]))


def rivals(match: Match, event: Event) -> None:
    """Enter a round, or the final count."""
    if event["type"] == "count":
        match.send("/count", **{f"grey-{side}": " ".join(map(str, values)) for side, values in enumerate(event["grey"])})
        return
    packs = enumerate(event["packs"])
    whales = {f"whales-{pack}-{side}": " ".join([*map(str, v), "."]) for pack, both in packs for side, v in enumerate(both)}
    match.send("/round", what="round", ended_by="none" if event["ended_by"] is None else str(event["ended_by"]), **whales)


def what_the_fish(match: Match, event: Event) -> None:
    """Play a card, or end the swim."""
    kind, who = event["type"], str(event.get("player", ""))
    if kind == "swim":
        match.send("/play", tap=f"fish:{who}", value=str(event["rank"]))
    elif kind in {"kill", "protect"}:
        match.send("/play", tap=f"{kind}:{who}", value=str(event["value"]))
    elif kind in {"dead", "free"}:
        match.send("/play", tap=kind, value="")
    elif kind == "flint-flush":
        match.send("/flush", tap=f"who:{who}")
    else:
        card = event.get("card", "beaver-buddha")
        asked = [(part, str(event[part])) for part in ("target", "to") if event.get(part) is not None]
        *chosen, (part, value) = [("card", card), *asked]
        match.send("/wtf", who=who, **dict(chosen), tap=f"{part}:{value}")


ENTER: Final[dict[str, Callable[[Match, Event], None]]] = {
    "beloz": beloz,
    "bisque": bisque,
    "rivals": rivals,
    "what_the_fish": what_the_fish,
}


def recorded(folder: str) -> dict[str, Any]:
    """Return a match of the engine's tests as a document, by its game's folder."""
    document: dict[str, Any] = json.loads((ENGINE / folder / "match.json").read_text("utf-8"))
    return document


def cup(match: Match, position: Callable[[], Position[Any]]) -> None:
    """Play a cup with every card entered to its end, with the first card that fits each time."""
    while not (now := position()).finished:
        card = cup_play(now) if now.state.ready else None
        if not now.state.ready:
            match.send("/fish", by="app")
        elif card is None:
            match.send("/discard", kind="discard", cards="0")
        else:
            match.send("/play", **card)


def cup_play(cup: Position[Any]) -> dict[str, str] | None:
    """Return the first card that fits somewhere on the side of whoever plays, as the form sends it."""
    player = cup.state.turn
    for zone in (4, 3, 2, 1):
        for card in BASIC:
            try:
                cup.apply(Play(player=player, zone=zone, side=player, cards=(card.id,)))
            except RuleError:
                continue
            return {"zone": str(zone), "side": str(player), "card": card.id}
    return None
