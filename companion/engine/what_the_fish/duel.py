"""Does the fish die? The layers of KILL and PROTECT cards on one swim, and which number must be beaten."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.engine.core import PersistentList

Kind = Literal["fish", "attack", "protection"]


class DuelPlay(msgspec.Struct, frozen=True):
    """A card of the swim: who played which value, the total of its layer with it, and the total that the layer must exceed."""

    player: int
    kind: Kind
    value: int
    total: int
    over: int

    @property
    def beats(self) -> bool:
        """Whether the layer does what it is for: strictly above the one below, equal is not enough (ruling W1)."""
        return self.total > self.over


class Layer(msgspec.Struct, frozen=True):
    """Cards of one kind played in a row (the fish itself, an attack, a protection): their total and their plays in order."""

    kind: Kind
    total: int
    over: int
    plays: tuple[DuelPlay, ...]

    @property
    def beats(self) -> bool:
        """Whether the attack kills, or the protection saves."""
        return self.total > self.over


class Duel(msgspec.Struct, frozen=True):
    """A swim as it stands: the fish's owner and rank, the plays that stand (the fish first), and those that were undone."""

    player: int
    rank: int
    plays: PersistentList[DuelPlay]
    frozen: PersistentList[DuelPlay] = PersistentList.EMPTY  # ruling W6: undone cards lie face down for this swim

    @property
    def top(self) -> DuelPlay:
        """The newest play that stands; its total is that of the newest layer."""
        play = self.plays.newest
        assert play is not None, "a swim holds at least its fish"
        return play

    @property
    def to_beat(self) -> int:
        """The total that whoever moves next must exceed: the newest layer's if it stands, else still that of the one below."""
        top = self.top
        return top.total if top.beats else top.over

    @property
    def dies(self) -> bool:
        """Whether the fish is dead unless its owner does something: an attack stands and no protection exceeds it."""
        top = self.top
        return top.beats if top.kind == "attack" else not top.beats

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers from the fish up, each with its plays."""
        layers: list[list[DuelPlay]] = []
        for play in self.plays:
            if layers and layers[-1][0].kind == play.kind:
                layers[-1].append(play)
            else:
                layers.append([play])
        return tuple(Layer(plays[-1].kind, plays[-1].total, plays[-1].over, tuple(plays)) for plays in layers)

    def joined(self, kind: Literal["attack", "protection"]) -> tuple[int, int]:
        """Return what one more card of this kind adds to, and the total that they must exceed together.

        It joins the newest layer if that is of its kind; else it is a new layer, which counts alone (ruling W1).
        """
        top = self.top
        return (top.total, top.over) if top.kind == kind else (0, top.total)

    def lay(self, player: int, kind: Literal["attack", "protection"], value: int) -> Duel:
        """Return the swim with one more card."""
        already, over = self.joined(kind)
        play = DuelPlay(player, kind, value, already + value, over)
        return Duel(self.player, self.rank, self.plays.add(play), self.frozen)

    def undo(self) -> Duel | None:
        """Return the swim without its newest card, which freezes (ruling W6). None when that is the FISH itself."""
        before = self.plays.before
        if not before:
            return None
        return Duel(self.player, self.rank, before, self.frozen.add(self.top))


def launch(player: int, rank: int) -> Duel:
    """Return a swim that has just begun."""
    return Duel(player, rank, PersistentList.EMPTY.add(DuelPlay(player, "fish", rank, rank, 0)))
