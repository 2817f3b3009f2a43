"""What do people tell their table's almanac? Ratings on, two names of one person, earlier evenings; each can be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, NamedTuple

import msgspec
from sqlalchemy import delete, func, select

from companion.almanac.played import Played
from companion.engine.text import Name, say
from companion.storage import database
from companion.storage.models import AlmanacNote, db, now
from companion.tables.past import PastMatch

Kind = Literal["ratings", "same", "past"]
MOST: Final = 40  # notes of a table
MOST_PAST: Final = 5_000  # earlier matches of a table


class NoteError(Exception):
    """That can't be noted. The message is a sentence that says why."""


class Same(msgspec.Struct, frozen=True):
    """Matches of ``name`` count for ``other``."""

    name: str
    other: str


class Note(NamedTuple):
    """A note: its number at the table, when it was made, and what it says. Ratings say nothing more."""

    number: int
    at: datetime
    kind: Kind
    same: Same | None = None
    past: Sequence[PastMatch] = ()


def notes(table_id: int) -> list[Note]:
    """Return a table's notes, oldest first."""
    query = select(AlmanacNote).where(AlmanacNote.table_id == table_id).order_by(AlmanacNote.number)
    return [_read(note) for note in db.session.scalars(query)]


def _read(note: AlmanacNote) -> Note:
    match note.kind:
        case "same":
            return Note(note.number, note.at, "same", same=msgspec.json.decode(note.body, type=Same))
        case "past":
            return Note(note.number, note.at, "past", past=msgspec.json.decode(note.body, type=tuple[PastMatch, ...]))
        case _:
            return Note(note.number, note.at, "ratings")


def add(table_id: int, kind: Kind, body: msgspec.Struct | Sequence[PastMatch] | None = None) -> int:
    """Note something, once, and return its number. Raises NoteError if there are too many."""
    text = msgspec.json.encode(body).decode()
    with database.writing(of=("almanac", table_id)):
        its = AlmanacNote.table_id == table_id
        number = db.session.scalar(select(AlmanacNote.number).where(its, AlmanacNote.kind == kind, AlmanacNote.body == text))
        if number is not None:
            return number
        count, newest = db.session.execute(select(func.count(), func.max(AlmanacNote.number)).where(its)).one()
        if count >= MOST:
            raise NoteError(say("An almanac holds {most} notes. Take one back first.", most=MOST))
        note = AlmanacNote(table_id=table_id, number=(newest or 0) + 1, kind=kind, body=text, at=now())
        db.session.add(note)
        db.session.flush()
        return note.number


def add_past(table_id: int, past: Sequence[PastMatch]) -> int:
    """Keep earlier matches. Raises NoteError if the table would have too many."""
    earlier = sum(len(note.past) for note in notes(table_id))
    if earlier + len(past) > MOST_PAST:
        raise NoteError(say("A table has room for {most:,} earlier matches. It has {n:,}.", most=MOST_PAST, n=earlier))
    return add(table_id, "past", past)


def add_same(table_id: int, name: str, other: str, matches: Iterable[Played], seated: Iterable[str]) -> int:
    """Note that two names are one person's. Raises NoteError for two who met: at the table, or in a match."""
    everybody = {player for match in matches for player in match.players}
    if name == other or not {name, other} <= everybody:
        raise NoteError(say("Choose two names under which matches were played."))
    if {name, other} <= set(seated):
        raise NoteError(say("{name} and {other} sit at one table, so they are two people.", name=Name(name), other=Name(other)))
    met = next((match for match in matches if {name, other} <= set(match.players)), None)
    if met is not None:
        raise NoteError(
            say("{name} and {other} have played in one match, so they are two people.", name=Name(name), other=Name(other))
        )
    return add(table_id, "same", Same(name, other))


def remove(table_id: int, number: int) -> None:
    """Take a note back; nothing happens if it is gone already."""
    with database.writing(of=("almanac", table_id)):
        db.session.execute(delete(AlmanacNote).where(AlmanacNote.table_id == table_id, AlmanacNote.number == number))


def called(matches: Iterable[Played], same: Iterable[Same]) -> Mapping[str, str]:
    """Return under which name each of these people counts. Two who have met in a match since are two people again."""
    names: dict[str, str] = {}
    together = [set(match.players) for match in matches]
    for pair in same:
        name, other = names.get(pair.name, pair.name), names.get(pair.other, pair.other)
        ours = {alias for alias in (*names, pair.name) if names.get(alias, alias) == name}
        others = {alias for alias in (*names, pair.other) if names.get(alias, alias) == other} | {other}
        if name != other and not any(people & ours and people & others for people in together):
            names.update(dict.fromkeys((*ours, name), other))
    return names
