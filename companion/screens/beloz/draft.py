"""What do the phones share of a round that is being played? Who took it, which plain is flooded, what has been announced.

What a tap means is said here; whether the rules allow what comes of it, the engine says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from companion.engine.beloz.cards import ANIMALS, NUMBERS, PLAINS, Animal, Plain
from companion.engine.beloz.declarations import SHORTEST_RUN, Declaration, Quads, StraightFlush, describe
from companion.engine.core import RuleError
from companion.engine.text import Name, Part, say
from companion.screens import terms
from companion.screens.drafts import DraftCodec
from companion.screens.page import UNKNOWN_KEY, as_sentence

PlayerIndex = Annotated[int, msgspec.Meta(ge=0, le=3)]


class RoundDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A round before it is counted. Nothing in it is known at first; declarations are in the order they were announced."""

    bidder: PlayerIndex | None = None
    flooded: Plain | None = None
    declarations: Annotated[tuple[Declaration, ...], msgspec.Meta(max_length=16)] = ()
    beloz: PlayerIndex | None = None

    @property
    def taken(self) -> bool:
        """Return True once somebody took the contract and the flooded plain is known."""
        return self.bidder is not None and self.flooded is not None


CODEC = DraftCodec(RoundDraft)
read, stored, text = CODEC.read, CODEC.store, CODEC.text


def tapped(draft: RoundDraft, tap: str, speaker: int | None) -> RoundDraft:
    """Return the draft after a tap, announced by ``speaker``. Raises RuleError when the tap can't mean anything.

    Taps are words: ``bidder:2``, ``flooded:west``, ``card:west-leopard``, ``quads:lion``, ``beloz``, ``shown:1`` (the second
    declaration was, or was not, shown).
    """
    kind, _, value = tap.partition(":")
    change = msgspec.structs.replace
    if kind == "bidder" and value in {"0", "1", "2", "3"}:
        return change(draft, bidder=int(value))
    if kind == "flooded" and value in PLAINS:
        return change(draft, flooded=value)
    if kind == "shown" and value in map(str, range(len(draft.declarations))):
        place = int(value)
        declaration = draft.declarations[place]
        flipped = change(declaration, shown=not declaration.shown)
        return change(draft, declarations=(*draft.declarations[:place], flipped, *draft.declarations[place + 1 :]))
    if kind in {"card", "quads", "beloz"} and speaker is None:
        raise RuleError(say("First tap who announces it, then the card."), field="speaker")
    if kind == "beloz" and speaker is not None:
        return change(draft, beloz=None if draft.beloz == speaker else speaker)
    if kind == "quads" and value in ANIMALS and speaker is not None:
        return _announce(draft, Quads(speaker, animal_of(value)))
    if kind == "card" and speaker is not None:
        plain, _, animal = value.partition("-")
        if plain in PLAINS and animal in ANIMALS:
            return _run(draft, plain_of(plain), NUMBERS[animal_of(animal)], speaker)
    raise RuleError(UNKNOWN_KEY)


def describe_step(before: RoundDraft, after: RoundDraft, players: Sequence[str]) -> str:
    """Return what a tap did, for whoever takes it back: "Di took it", "East flooded", "Bo: run of three"."""
    if after.bidder != before.bidder and after.bidder is not None:
        # NOTE: a step that can be undone: who took the contract
        return say("{player} took it", player=Name(players[after.bidder]))
    if after.flooded != before.flooded and after.flooded is not None:
        return say("{plain:C} flooded", plain=terms.PLAINS[after.flooded])
    new = [one for one in after.declarations if one not in before.declarations]
    gone = [one for one in before.declarations if one not in after.declarations]
    if new or gone:
        one = (new or gone)[-1]
        parts: dict[str, Part] = {"player": Name(players[one.player]), "declaration": as_sentence(describe(one))}
        if not new:
            return say("{player}: not {declaration}", **parts)
        return say("{player}: {declaration}", **parts) if one.shown else say("{player}: {declaration}, not shown", **parts)
    speaker = before.beloz if after.beloz is None else after.beloz
    if speaker is None:
        return ""
    player = Name(players[speaker])
    return say("{player}: no BeloZ", player=player) if after.beloz is None else say("{player}: BeloZ", player=player)


def plain_of(word: str) -> Plain:
    """Return the plain of this name."""
    return next(plain for plain in PLAINS if plain == word)


def animal_of(word: str) -> Animal:
    """Return the animal of this name."""
    return next(animal for animal in ANIMALS if animal == word)


def _announce(draft: RoundDraft, declaration: Declaration) -> RoundDraft:
    """Add a declaration, or take it away if it was there: a second tap is an undo."""
    same = [other for other in draft.declarations if msgspec.structs.replace(other, shown=True) == declaration]
    if same:
        return msgspec.structs.replace(draft, declarations=tuple(d for d in draft.declarations if d not in same))
    return msgspec.structs.replace(draft, declarations=(*draft.declarations, declaration))


def _run(draft: RoundDraft, plain: Plain, number: int, speaker: int) -> RoundDraft:
    """Return the draft after a card was tapped: one in a run removes the run, one below lengthens it, else a new run begins."""
    mine = [d for d in draft.declarations if isinstance(d, StraightFlush) and d.player == speaker and d.plain == plain]
    for run in mine:
        if run.lowest <= number <= run.highest:
            return msgspec.structs.replace(draft, declarations=tuple(d for d in draft.declarations if d is not run))
    above = [run for run in mine if number < run.lowest]
    if above:
        run = min(above, key=lambda run: run.lowest)
        longer = msgspec.structs.replace(run, lowest=number)
        return msgspec.structs.replace(draft, declarations=tuple(longer if d is run else d for d in draft.declarations))
    lowest = number - SHORTEST_RUN + 1  # a tap on a run's top card takes as many as the shortest run
    if lowest < 1:
        raise RuleError(say("Tap the highest card of the run: it needs two more cards below it."), field="declarations")
    return _announce(draft, StraightFlush(speaker, plain, lowest, number))
