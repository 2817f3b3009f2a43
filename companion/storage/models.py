"""What is stored? Tables, the people around them, their matches, and each match's log of entries.

Nothing here knows a rule. Scores, dealers and bags are never stored: they are the engine's replay of the log.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from flask import g
from flask_sqlalchemy import SQLAlchemy
from flask_sqlalchemy.session import Session
from sqlalchemy import (
    JSON,
    CheckConstraint,
    Connection,
    Engine,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, composite, mapped_column, relationship

LONGEST_PACKAGE: Final = 100  # letters of a package's name


class Base(DeclarativeBase):
    """The schema, with names for every constraint, so that migrations can speak of them on any database."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class OneTransaction(Session):
    """A session that is a part of whatever transaction is changing something now, and otherwise reads in one of its own."""

    def get_bind(self, *args: Any, **options: Any) -> Engine | Connection:
        """Return the connection of that transaction, else the database."""
        present = g.get("companion_writing")  # database.writing() leaves it here
        if present is None:
            return super().get_bind(*args, **options)
        connection: Connection = present.connection
        return connection


db = SQLAlchemy(model_class=Base, session_options={"class_": OneTransaction})


def now() -> datetime:
    """Return the present moment in UTC, without its zone, as the database keeps it."""
    return datetime.now(UTC).replace(tzinfo=None)


class MatchId(NamedTuple):
    """The id of a match: its table's id, and its number at the table. Printed, for example, as ``12-3``."""

    table_id: int
    number: int

    def __str__(self) -> str:
        return f"{self.table_id}-{self.number}"

    @property
    def named(self) -> dict[str, int]:
        """The parameters of a statement about this match. They are not called like columns: an update may not have such."""
        return {"its_table": self.table_id, "its_number": self.number}

    def __composite_values__(self) -> tuple[int, int]:
        """Return what the columns have."""
        return self


class Table(Base):
    """The people around a real table. Whoever has ``play_token`` may enter, whoever has ``watch_token`` may look on.

    ``game`` is the slug of the game that was chosen to play next, None while nobody has. ``dealer`` is the seat that deals the
    next match's first deal, None for the lowest one that is taken. ``agrees``: after each entry the other side is asked.
    ``code`` is the short code that can be spoken while the invitation is open, until ``code_until``.
    ``seq`` grows by one with everything that a phone at this table might show.
    """

    __tablename__ = "tables"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    play_token: Mapped[str] = mapped_column(String(32), unique=True)
    watch_token: Mapped[str] = mapped_column(String(32), unique=True)
    game: Mapped[str | None] = mapped_column(String(40))
    dealer: Mapped[int | None]
    agrees: Mapped[bool] = mapped_column(default=False, server_default=false())
    code: Mapped[str | None] = mapped_column(String(8), unique=True)
    code_until: Mapped[datetime | None]
    seq: Mapped[int] = mapped_column(default=0)
    created: Mapped[datetime] = mapped_column(default=now)

    players: Mapped[list[Player]] = relationship(
        back_populates="table", order_by="Player.seat", cascade="all, delete-orphan", passive_deletes=True
    )
    matches: Mapped[list[Match]] = relationship(back_populates="table", order_by="Match.number", passive_deletes=True)


class Player(Base):
    """Somebody at the table; ``phone`` is the phone that said "I am Ana".

    Seats are places at the real table: the next number sits at one's right, whatever is played and whichever way its turn runs.
    """

    __tablename__ = "players"
    __table_args__ = (UniqueConstraint("table_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    seat: Mapped[int]
    phone: Mapped[str | None] = mapped_column(String(32))

    table: Mapped[Table] = relationship(back_populates="players")


class Match(Base):
    """One game that the people of a table play: who plays it (names in turn order), with which options.

    ``number`` counts the table's matches from 1: with the table it is the match's key. Every key from here on begins with the
    table, so that relations can be cut up by table. ``seq`` is the number of the log's last line, 0 before the first; ``head``
    is that of the newest entry that counts, 0 if none does. ``edition`` is the edition of the rules that this match began with.
    ``others`` are people of the table who do not play it and entered something in it: a match knows its people by numbers, its
    players first. ``begun_by`` is the number of who began it, if the phone said so. ``brought``: it came here in a table's
    file, so nobody here saw how it was played. ``names``: where somebody was renamed, how its people were called when the match
    came to know them, as its chain has them. ``chained`` is when lines that had no chain were chained, None if all had.
    ``package`` is the name of the installed package that the game came from, None for Companion's own games.
    """

    __tablename__ = "matches"
    __table_args__ = (CheckConstraint("seq >= 0", name="seq"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    id: Mapped[MatchId] = composite("table_id", "number")
    game: Mapped[str] = mapped_column(String(40))
    edition: Mapped[int] = mapped_column(default=1)
    players: Mapped[list[str]] = mapped_column(JSON)
    others: Mapped[list[str]] = mapped_column(JSON, default=list, server_default="[]")
    options: Mapped[dict[str, object]] = mapped_column(JSON)
    seq: Mapped[int] = mapped_column(default=0)
    head: Mapped[int] = mapped_column(default=0, server_default="0")
    begun_by: Mapped[int | None]
    created: Mapped[datetime] = mapped_column(default=now)
    brought: Mapped[bool] = mapped_column(default=False, server_default=false())
    names: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    chained: Mapped[datetime | None]
    package: Mapped[str | None] = mapped_column(String(LONGEST_PACKAGE))

    table: Mapped[Table] = relationship(back_populates="matches")


def _of_match() -> ForeignKeyConstraint:
    """Tie a row to a match, with which it goes."""
    return ForeignKeyConstraint(["table_id", "match_number"], ["matches.table_id", "matches.number"], ondelete="CASCADE")


class Entry(Base):
    """One line of a match's log: events, an undo, a correction, a remark or a restored backup. Lines are added, never changed.

    ``key`` is the phone's own name for this entry, so that one sent twice counts once. ``player`` is the number, among the
    match's people, of who entered it, if the phone said so. ``body`` is JSON: for ``events`` {"events": [...]}, for
    ``undo``, ``doubt`` and ``agree`` {"of": seq}, for ``correct`` {"of": seq, "events": [...]}, for ``restore``
    {"made": moment}. ``chain`` is the hash of this line and the one before it (:mod:`companion.engine.chain`).
    """

    __tablename__ = "entries"
    __table_args__ = (
        UniqueConstraint("table_id", "match_number", "key"),
        _of_match(),
        CheckConstraint("kind IN ('events', 'undo', 'correct', 'doubt', 'agree', 'restore')", name="kind"),
    )

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    match_number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(String(64))
    player: Mapped[int | None]
    at: Mapped[datetime] = mapped_column(default=now)
    kind: Mapped[str] = mapped_column(String(8))
    body: Mapped[str] = mapped_column(Text)
    chain: Mapped[str] = mapped_column(String(64), server_default="")


class MatchFacts(Base):
    """What a match came to, read once from its log, so that an almanac need not play all matches again.

    It can be made anew at any time. It holds for the log whose last line has the number ``seq`` and the key ``key``, and as
    long as ``version`` is the one by which Companion reads logs. ``body`` is JSON that only
    :mod:`companion.tables.almanac` reads.
    """

    __tablename__ = "match_facts"
    __table_args__ = (_of_match(),)

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    match_number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seq: Mapped[int]
    key: Mapped[str | None] = mapped_column(String(64))
    version: Mapped[int]
    body: Mapped[str] = mapped_column(Text)


class AlmanacNote(Base):
    """Something that people told their table's almanac, until they take it back.

    ``kind``: "ratings" are switched on, two names are the "same" person, or earlier matches came from a file ("past").
    ``body`` is JSON that only :mod:`companion.tables.notes` reads.
    """

    __tablename__ = "almanac_notes"
    __table_args__ = (CheckConstraint("kind IN ('ratings', 'same', 'past')", name="kind"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    body: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(default=now)


class Alias(Base):
    """One more key of a line of a match's log: a second phone entered the same, or its person chose the stored one.

    With it the later entries of the second phone find their place after this line.
    """

    __tablename__ = "aliases"
    __table_args__ = (_of_match(),)

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    match_number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    seq: Mapped[int]


class Witness(Base):
    """Which lines of a match somebody's phone had seen, and the ``head`` that it kept: as it said itself, after the end."""

    __tablename__ = "witnesses"
    __table_args__ = (_of_match(),)

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    match_number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entries: Mapped[int]
    head: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]


class Lot(Base):
    """A lot that was drawn at a table for its next match: among these ``people``, in the order of their seats.

    ``after`` is the number of the match that was the table's newest then, 0 before the first. ``by`` is the name of whoever
    drew it, if the phone said so. On whom it fell follows from ``seed``, people and ``word`` (:mod:`companion.tables.lots`).
    """

    __tablename__ = "lots"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    after: Mapped[int]
    people: Mapped[list[str]] = mapped_column(JSON)
    word: Mapped[str] = mapped_column(String(200))
    seed: Mapped[bytes]
    by: Mapped[str | None] = mapped_column(String(40))
    at: Mapped[datetime] = mapped_column(default=now)


class Draft(Base):
    """The next entry before it is complete (who took the contract, which plain is flooded).

    ``after`` is the number of the entry before it, 0 for none: the draft is shown while that entry is the newest that counts.
    ``body`` is the game's own JSON, ``steps`` its history: only :mod:`companion.matches.drafts` reads them.
    """

    __tablename__ = "drafts"
    __table_args__ = (_of_match(),)

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    match_number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    after: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    body: Mapped[str] = mapped_column(Text)
    steps: Mapped[str] = mapped_column(Text)


class Club(Base):
    """A club evening: a list of tables. Whoever has ``link`` may look at it, whoever has ``host_link`` may change it.

    ``quiet``: minutes without an entry after which a table stands out. ``pawns``: the list shows pawns and nobody's name.
    """

    __tablename__ = "clubs"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    link: Mapped[str] = mapped_column(String(32), unique=True)
    host_link: Mapped[str] = mapped_column(String(32), unique=True)
    quiet: Mapped[int] = mapped_column(default=15, server_default="15")
    pawns: Mapped[bool] = mapped_column(default=False, server_default=false())
    created: Mapped[datetime] = mapped_column(default=now)


class ClubTable(Base):
    """A table on a club's list, by the ``number`` that it has in the room. It is known by its link to watch alone.

    So the list shows no more than that link does, and nothing once the table has replaced it.
    """

    __tablename__ = "club_tables"
    __table_args__ = (UniqueConstraint("club_id", "watch_token"),)

    club_id: Mapped[int] = mapped_column(ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    watch_token: Mapped[str] = mapped_column(String(32))


class Handover(Base):
    """What a phone hands over to another browser of its owner, by a code that is good once and until then.

    ``body`` is JSON that only :mod:`companion.tables.handover` reads.
    """

    __tablename__ = "handovers"

    code: Mapped[str] = mapped_column(String(8), primary_key=True)
    body: Mapped[str] = mapped_column(Text)
    until: Mapped[datetime]


class Knock(Base):
    """A phone that asks to be let in at the table with this code, until then, under a number that both phones show.

    ``link`` is the play link once somebody has let it in, and empty if they would not.
    """

    __tablename__ = "knocks"

    phone: Mapped[str] = mapped_column(String(32), primary_key=True)
    code: Mapped[str] = mapped_column(String(8), index=True)
    number: Mapped[int]
    until: Mapped[datetime]
    link: Mapped[str | None] = mapped_column(String(32))


class Kept(Base):
    """What somebody made or received and keeps on their phone: an item of a game's shelf, as the ``text`` of its link.

    A phone's are numbered from 1; a number is not given again while a later one is there.
    """

    __tablename__ = "kept"

    phone: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(40))
    text: Mapped[str] = mapped_column(Text)


class Restore(Base):
    """A backup that was put back: it was ``made`` then, and put back ``at``. A backup holds its own row, without ``at``.

    Each match that it brought back has a line of its log for it (:mod:`companion.matches.restoring`). The row speaks for
    matches that phones saw and the backup did not have.
    """

    __tablename__ = "restores"

    id: Mapped[int] = mapped_column(primary_key=True)
    made: Mapped[datetime]
    at: Mapped[datetime | None]


class Bag(Base):
    """The sealed bag of a match whose fish the app draws: the 32 bytes behind its seal, and whether they were ``shown``.

    Only :mod:`companion.matches.draws` reads them. Once shown, the app draws no more from this bag. Those of a backup that was
    put back count as shown.
    """

    __tablename__ = "bags"
    __table_args__ = (_of_match(),)

    table_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    match_number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seed: Mapped[bytes]
    shown: Mapped[bool] = mapped_column(default=False)
