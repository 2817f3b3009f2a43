"""What do the phones share of a round that is being played? Who took it, which plain is flooded, what has been announced.

What a tap means is said here; whether the rules allow what comes of it, the engine says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from companion.engine.beloz.cards import ANIMALS, NUMBERS, PLAINS, Animal, Plain
from companion.engine.beloz.declarations import SHORTEST_RUN, Declaration, Quads, StraightFlush, declared_cards, describe
from companion.engine.core import RuleError
from companion.engine.text import Part, name, say
from companion.screens import terms
from companion.screens.drafts import DraftCodec
from companion.screens.interface import UNKNOWN_KEY, Faster, as_sentence

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
PASSED = "passed-deal"  # the tap that everyone passed


def tapped(draft: RoundDraft, tap: str, speaker: int | None) -> RoundDraft:
    """Return the draft after a tap, announced by ``speaker``. Raises RuleError when the tap can't mean anything.

    Taps are words: ``bidder:2``, ``flooded:west``, ``card:west-leopard``, ``quads:lion``, ``beloz``, ``shown:1`` (the second
    declaration was, or was not, shown), ``mend:card:west-leopard`` (the same, and who had the card before was wrong).
    """
    kind, _, value = tap.partition(":")
    if kind == "mend":
        after = tapped(draft, value, speaker)
        gone = in_the_way(draft, after)
        return msgspec.structs.replace(
            after, declarations=tuple(declaration for declaration in after.declarations if declaration not in gone)
        )
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


def in_the_way(before: RoundDraft, after: RoundDraft) -> list[Declaration]:
    """Return the declarations that hold a card of those that are new in the draft ``after``."""
    new = [declaration for declaration in after.declarations if declaration not in before.declarations]
    return [
        old
        for old in after.declarations
        if old not in new and any(declared_cards(old) & declared_cards(added) for added in new)
    ]


def meant(seen: RoundDraft, present: RoundDraft, tap: str, speaker: int | None) -> str:
    """Return the tap as it is to be read in the draft ``present``, of a phone that has ``seen`` another one.

    Taps on different parts of the round are in nobody's way. Raises Faster when another phone has changed the same part: a
    second tap would take back what it announced.
    """
    if seen == present:
        return tap
    kind, _, value = tap.partition(":")
    if kind == "shown" and value in map(str, range(len(seen.declarations))):
        declaration = seen.declarations[int(value)]
        if declaration in present.declarations:
            return f"shown:{present.declarations.index(declaration)}"
        flipped = msgspec.structs.replace(declaration, shown=not declaration.shown)
        raise Faster(same=flipped in present.declarations)
    if _part(seen, tap, speaker) == _part(present, tap, speaker):
        return tap
    same = kind != PASSED and _part(tapped(seen, tap, speaker), tap, speaker) == _part(present, tap, speaker)
    raise Faster(same=same)


def _part(draft: RoundDraft, tap: str, speaker: int | None) -> object:
    """Return the part of a round that a tap is about. A deal can only be passed while the draft is empty."""
    kind, _, value = tap.partition(":")
    mine = [
        msgspec.structs.replace(declaration, shown=True) for declaration in draft.declarations if declaration.player == speaker
    ]
    match kind:
        case "bidder":
            return draft.bidder
        case "flooded":
            return draft.flooded
        case "beloz":
            return draft.beloz
        case "quads":
            return [declaration for declaration in mine if isinstance(declaration, Quads) and declaration.animal == value]
        case "card":
            return [
                declaration
                for declaration in mine
                if isinstance(declaration, StraightFlush) and declaration.plain == value.partition("-")[0]
            ]
    return draft


def describe_step(before: RoundDraft, after: RoundDraft, players: Sequence[str]) -> str:
    """Return what a tap did, for whoever takes it back: "Di took it", "East flooded", "Bo: run of three"."""
    if after.bidder != before.bidder and after.bidder is not None:
        # NOTE: a step that can be undone: who took the contract
        return say("{player} took it", player=name(players[after.bidder]))
    if after.flooded != before.flooded and after.flooded is not None:
        return say("{plain:C} flooded", plain=terms.PLAINS[after.flooded])
    new = [declaration for declaration in after.declarations if declaration not in before.declarations]
    gone = [declaration for declaration in before.declarations if declaration not in after.declarations]
    if new or gone:
        changed = (new or gone)[-1]
        parts: dict[str, Part] = {"player": name(players[changed.player]), "declaration": as_sentence(describe(changed))}
        if not new:
            return say("{player}: not {declaration}", **parts)
        return say("{player}: {declaration}", **parts) if changed.shown else say("{player}: {declaration}, not shown", **parts)
    speaker = before.beloz if after.beloz is None else after.beloz
    if speaker is None:
        return ""
    player = name(players[speaker])
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
