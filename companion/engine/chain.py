"""Was a match's log changed after it was entered? Each line carries the hash of the line before it, back to the beginning.

The head is the hash after the newest line. Whoever knows it can tell whether another copy of the log has the same lines: no
line before it can be changed, moved, added or left out without another head (docs/fair-draws.md).

How exactly, so that it can be done without this code:

- canonical bytes: JSON as RFC 8785 writes it, in UTF-8: no spaces, the names of an object sorted, strings as they are (they are
  not normalised). All numbers are integers. A moment is in UTC with six digits of a second, as in
  ``2026-11-05T20:15:00.000000+00:00``. Of a line, a part that is null or an empty list is left out.
- beginning: SHA-256 of the canonical bytes of an object with ``format`` (``companion-chain/1``), ``game``, ``edition``,
  ``players``, ``options`` and ``created``, as a table's file has them. ``players`` are called as they were at first. Where
  older lines were chained later, ``chained`` is the moment of that.
- line: SHA-256 of the 32 bytes of the hash before it and the canonical bytes of an object with ``key``, ``at``, ``kind``,
  ``player``, ``of``, ``events`` and ``made``, as a table's file has them, and ``name``: how that player was called at first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from companion.engine.core import JSON

FORMAT: Final = "companion-chain/1"
BITS: Final = 11  # of a head that one word says: the lists have 2,048 words
_ENCODER: Final = msgspec.json.Encoder(order="sorted")


class _Beginning(msgspec.Struct, frozen=True, omit_defaults=True):
    game: str
    edition: int
    players: Sequence[str]
    options: Mapping[str, JSON]
    created: str
    chained: str | None = None
    format: str | None = None


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    key: str
    at: str
    kind: str
    player: int | None = None
    name: str | None = None
    of: int | None = None
    events: Sequence[Any] = ()
    made: str | None = None


def canonical(content: object) -> bytes:
    """Return the canonical bytes of content that JSON can hold, and that has no fractions.

    >>> canonical({"b": [1, True], "a": "é"}).decode()
    '{"a":"é","b":[1,true]}'
    """
    return _ENCODER.encode(content)


def moment(at: datetime) -> str:
    """Return a moment as it stands in the canonical bytes. One without a zone is in UTC, as the database keeps it.

    >>> moment(datetime(2026, 11, 5, 20, 15))
    '2026-11-05T20:15:00.000000+00:00'
    """
    in_utc = at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo is not None else at
    return in_utc.isoformat(timespec="microseconds") + "+00:00"


def beginning(
    *,
    game: str,
    edition: int,
    players: Sequence[str],
    options: Mapping[str, JSON],
    created: datetime,
    chained: datetime | None = None,
) -> str:
    """Return the hash, in hex digits, that a match's first line builds on.

    Args:
        game: The game's slug.
        edition: The edition of its rules.
        players: How its players were called at first, in turn order.
        options: Its options, as they are stored: later versions may know more of them.
        created: When it began.
        chained: When older lines were chained; None if each was chained as it was entered.

    >>> beginning(game="beloz", edition=1, players=("Ana", "Bo"), options={}, created=datetime(2026, 11, 5))[:8]
    '275b9491'
    """
    later = None if chained is None else moment(chained)
    return hashlib.sha256(canonical(_Beginning(game, edition, players, options, moment(created), later, FORMAT))).hexdigest()


def link(
    before: str,
    *,
    key: str,
    at: datetime,
    kind: str,
    player: int | None,
    name: str | None,
    of: int | None,
    events: Sequence[Any],
    made: datetime | None = None,
) -> str:
    """Return the hash after one more line.

    Args:
        before: The hash before it, in hex digits.
        key: The line's idempotency key.
        at: When it was entered.
        kind: ``events``, ``undo``, ``correct``, ``doubt``, ``agree`` or ``restore``.
        player: The number of whoever entered it, None if the phone had not said.
        name: How that person was called when the match came to know them.
        of: The line that it is about.
        events: Its events, as they are or as their JSON.
        made: When the backup was made that a ``restore`` put back.

    >>> link("00" * 32, key="a", at=datetime(2026, 11, 5), kind="undo", player=None, name=None, of=1, events=())[:8]
    '4a395a29'
    """
    backed_up = None if made is None else moment(made)
    line = canonical(_Line(key, moment(at), kind, player, name, of, tuple(events), backed_up))
    return hashlib.sha256(bytes.fromhex(before) + line).hexdigest()


def words(head: str, word_list: Sequence[str], count: int = 4) -> tuple[str, ...]:
    """Return what is read aloud instead of a head: each word stands for eleven of its bits, from the first.

    Args:
        head: The head, in hex digits.
        word_list: 2,048 words.
        count: How many of them.

    >>> words("003" + "f" * 61, [str(number) for number in range(2048)])
    ('1', '2047', '2047', '2047')
    """
    bits = int(head, 16)
    return tuple(word_list[bits >> (4 * len(head) - BITS * (place + 1)) & (1 << BITS) - 1] for place in range(count))
