"""Does a table's file hold the logs that its heads were made of? Needs nothing but the file (:mod:`companion.engine.chain`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import msgspec

from companion.engine import chain
from companion.engine.core import JSON
from companion.engine.records.errors import RecordError
from companion.engine.text import Name, Sentence, say

TABLE_FORMAT: Final = "companion-table/1"


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    at: datetime
    kind: str
    player: int | None = None
    of: int | None = None
    events: list[dict[str, Any]] = []
    made: datetime | None = None
    also: list[str] = []


class _Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    edition: int
    players: list[str]
    options: dict[str, Any]
    created: datetime
    log: list[_Line]
    others: list[str] = []
    seed: str | None = None
    names: list[str] = []
    chained: datetime | None = None
    head: str | None = None
    agreed: list[Any] = []

    @property
    def at_first(self) -> list[str]:
        """How everybody whom the match knows was called at first."""
        return [*self.names, *(*self.players, *self.others)[len(self.names) :]]


class _Table(msgspec.Struct, frozen=True):
    format: str
    matches: list[_Match]


class _Format(msgspec.Struct, frozen=True):
    format: Any = None


_FORMAT: Final = msgspec.json.Decoder(_Format)  # made here, where there is one thread: see engine.core.Game


def is_table(data: bytes) -> bool:
    """Return True for a table's file."""
    try:
        return bool(_FORMAT.decode(data).format == TABLE_FORMAT)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def answer_chains(data: bytes) -> dict[str, JSON]:
    """Return what each match of a table's file proves: its players as they were called, its entries, their head, since when.

    ``restored`` are the moments of the backups that were put back.

    Raises RecordError at the first match whose entries are not those of its head.
    """
    chains: list[JSON] = []
    for number, match in enumerate(_read(data).matches, start=1):
        *_, head = heads(match)
        if match.log and match.head is None:
            raise RecordError(None, say("Match {number} has no head: an older Companion wrote it.", number=number))
        if match.head not in {None, head}:
            raise RecordError(None, say("Match {number} was changed: its entries don’t give its head.", number=number))
        answer: dict[str, JSON] = {"match": number, "game": match.game, "players": [*match.at_first[: len(match.players)]]}
        answer |= {"entries": len(match.log), "head": match.head}
        if match.chained is not None:
            answer["since"] = chain.moment(match.chained)
        if restored := [chain.moment(line.made) for line in match.log if line.made is not None]:
            answer["restored"] = [*restored]
        chains.append(answer)
    return {"chains": chains}


def heads(match: _Match) -> Iterator[str]:
    """Yield the hash that a match's first line builds on, then that after each line. Raises RecordError."""
    people = match.at_first
    try:
        head = chain.beginning(
            game=match.game,
            edition=match.edition,
            players=people[: len(match.players)],
            options=match.options,
            created=match.created,
            chained=match.chained,
        )
        yield head
        for line in match.log:
            head = chain.link(
                head,
                key=line.key,
                at=line.at,
                kind=line.kind,
                player=line.player,
                name=None if line.player is None else _name(people, line.player),
                of=line.of,
                events=line.events,
                made=line.made,
            )
            yield head
    except (OverflowError, ValueError) as impossible:
        raise _damaged(impossible) from impossible


def _name(people: list[str], number: int) -> str:
    if not 0 <= number < len(people):
        raise ValueError(f"its match has no person number {number}")
    return people[number]


def _read(data: bytes) -> _Table:
    """Return the parts of a table's file that matter to its chains."""
    try:
        return msgspec.convert(json.loads(data, object_pairs_hook=_once), _Table)
    except (ValueError, RecursionError) as wrong:
        raise _damaged(wrong) from wrong


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("a name is given twice")
    return names


def _damaged(wrong: Exception) -> RecordError:
    reason: Sentence = say("This table file is damaged: {wrong}.", wrong=Name(str(wrong).replace("`", "")[:200]))
    return RecordError(None, reason)
