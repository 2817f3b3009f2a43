"""Which tables play at a club evening, and how does each of them stand?

A list knows a table by its link to watch alone. So it shows what that link shows, to whoever has the link of the list. Once the
table has replaced its link, the list shows its number and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import delete, select

from companion import games
from companion.engine import GAMES
from companion.engine.text import Name, Sentence, listing, said, say, say_n
from companion.matches import entries
from companion.matches.log import Log
from companion.screens.interface import Screens, Stage, by_name, with_capital
from companion.storage.database import writing
from companion.storage.models import Club, ClubTable, MatchId, Table, db, now
from companion.tables import results
from companion.tables.names import A_TABLES_NAME, UnfitNameError, normalize
from companion.tables.results import Result
from companion.tables.seating import TableError, new_link

MOST_TABLES: Final = 60
ROOM: Final = 3  # sides whose points a line has room for
QUIET: Final = (10, 15, 20, 30, 45)  # minutes without an entry, of which a club chooses: then somebody should go and look
_LINK: Final = re.compile(r"(?:.*/t/)?([A-Za-z0-9_-]{1,32})(?:[/?#].*)?")


@dataclass(frozen=True, slots=True)
class TableOnList:
    """A table as a list shows it: its newest ``match``, how far that is (``stage``), and who is ``ahead`` or has won.

    ``link`` is its link to watch, empty if that was replaced. ``people`` are called by their first names. ``missing`` says
    how many are seated before the first match. ``pawns`` are those of whoever is ahead, as all pages draw them. ``points``
    are those of all sides, best first; of more than three sides the best alone, and none before the first point. ``stands``
    says how a match stands that has no points. ``part`` is how much of the match is over, in per cent, None if nobody can
    tell. ``last`` is when something was entered; ``patience`` is how long a table may be quiet.
    """

    number: int
    link: str
    people: tuple[str, ...] = ()
    match: Result | None = None
    missing: Sentence | str = ""
    stage: str = ""
    sides: int = 0
    pawns: tuple[int, ...] = ()
    ahead: str = ""
    points: tuple[float, ...] = ()
    stands: str = ""
    part: float | None = None
    last: datetime | None = None
    patience: timedelta = timedelta(minutes=15)

    @property
    def playing(self) -> bool:
        """True while a match is being played."""
        return self.match is not None and self.match.running

    @property
    def over(self) -> bool:
        """True once the newest match has ended, so that the table is free."""
        return self.match is not None and not self.match.running

    @property
    def quiet(self) -> bool:
        """True if a match is being played and nothing was entered for longer than the club waits."""
        return self.playing and self.last is not None and now() - self.last >= self.patience

    @property
    def since(self) -> Sentence | str:
        """How long ago the last entry was."""
        if self.last is None:
            return ""
        minutes = max(0, int((now() - self.last).total_seconds() // 60))
        if minutes < 1:
            # NOTE: something was entered in this minute, in a narrow column
            return say("now")
        # NOTE: how long ago something was entered, in a narrow column
        return say("{n} min", n=minutes) if minutes < 100 else say("{n} h", n=minutes // 60)


def create(name: str) -> Club:
    """Make an empty list. Raises TableError (field ``name``)."""
    try:
        called = normalize(name, whose=A_TABLES_NAME)
    except UnfitNameError as refused:
        raise TableError(said(refused), field="name") from None
    with writing():
        club = Club(name=called, link=new_link(), host_link=new_link())
        db.session.add(club)
        db.session.flush()
    return club


def find(link: str) -> Club | None:
    """Return the club with this link, to look at or to change; None if there is none."""
    if not _LINK.fullmatch(link):
        return None
    return db.session.scalar(select(Club).where((Club.link == link) | (Club.host_link == link)))


def put_in(club_id: int, typed: str) -> int:
    """Put a table on the list, by one of its links; returns its number there, the lowest that is free.

    By a link to play the list keeps the link to watch. A table that is there already stays where it is. Raises TableError.
    """
    link = _LINK.fullmatch(typed.strip())
    named = None if link is None else select(Table).where((Table.watch_token == link[1]) | (Table.play_token == link[1]))
    table = None if named is None else db.session.scalar(named)
    if table is None:
        raise TableError(say("No table has this link. Copy it from “Invite links” in the table’s menu."), field="link")
    token = table.watch_token
    with writing():
        db.session.execute(select(Club.id).where(Club.id == club_id).with_for_update())
        listed = {row.watch_token: row.number for row in _rows(club_id)}
        if token in listed:
            return listed[token]
        if len(listed) >= MOST_TABLES:
            raise TableError(say("The list is full with {n} tables. Take one out first.", n=MOST_TABLES), field="link")
        number = next(free for free in range(1, MOST_TABLES + 1) if free not in listed.values())
        db.session.add(ClubTable(club_id=club_id, number=number, watch_token=token))
    return number


def take_out(club_id: int, number: int) -> None:
    """Take a table off the list. The others keep their numbers; the table itself stays as it is."""
    with writing():
        db.session.execute(delete(ClubTable).where(ClubTable.club_id == club_id, ClubTable.number == number))


def _rows(club_id: int) -> list[ClubTable]:
    return list(db.session.scalars(select(ClubTable).where(ClubTable.club_id == club_id).order_by(ClubTable.number)))


def choose(club_id: int, *, quiet: int | None = None, pawns: bool | None = None) -> None:
    """Set after how many minutes a table counts as quiet, or whether the list shows pawns in place of names. None leaves it.

    Raises TableError for minutes that are not on offer.
    """
    if quiet is not None and quiet not in QUIET:
        raise TableError(
            say("Choose one of these: {minutes} minutes.", minutes=listing([say("{n}", n=n) for n in QUIET], "or"))
        )
    with writing():
        club = db.session.get_one(Club, club_id)
        club.quiet = club.quiet if quiet is None else quiet
        club.pawns = club.pawns if pawns is None else pawns


def tables(club: Club) -> list[TableOnList]:
    """Return all tables of the list, in the order of their numbers."""
    rows = [(row.number, row.watch_token) for row in _rows(club.id)]
    links = [link for _, link in rows]
    by_link = {table.watch_token: table for table in db.session.scalars(select(Table).where(Table.watch_token.in_(links)))}
    return [
        replace(_on_list(number, by_link[link]), patience=timedelta(minutes=club.quiet))
        if link in by_link
        else TableOnList(number, "")  # replaced
        for number, link in rows
    ]


def first_names(people: Sequence[str]) -> dict[str, str]:
    """Return how each is called on a list that a whole room sees: by the first name, unless two have the same.

    >>> first_names(["Ana Maria Gil", "Bo", "Cy Ode", "Cy Pan"])
    {'Ana Maria Gil': 'Ana', 'Bo': 'Bo', 'Cy Ode': 'Cy Ode', 'Cy Pan': 'Cy Pan'}
    """
    firsts = [name.split()[0] for name in people]
    return {name: first if firsts.count(first) == 1 else name for name, first in zip(people, firsts, strict=True)}


def _called(side: str, names: Mapping[str, str]) -> str:
    """Return a side with the first names of its people: "Ana & Cy"."""
    for name in sorted(names, key=len, reverse=True):
        side = side.replace(name, names[name])
    return side


def _on_list(number: int, table: Table) -> TableOnList:
    link, seated = table.watch_token, [player.name for player in table.players]
    match = next(iter(results.newest(table.id)), None)
    if match is None:
        game = GAMES.get(table.game or "")
        all_seats = max(len(seated), game.seats[0] if game else 0)
        missing = say("{n} of {all} are seated", n=len(seated), all=all_seats) if seated else ""
        return TableOnList(number, link, tuple(first_names(seated).values()), missing=missing)
    names = first_names(match.players)
    people = tuple(names.values())
    screens = games.screens_of(match.game)
    if match.unreadable or screens is None:
        return TableOnList(number, link, people, match)
    log = entries.read(MatchId(table.id, match.number))
    standing = log.standing
    scores = [score for score in standing.scores if score is not None]
    lowest_wins = screens.fewest_win(log)
    scores.sort(reverse=not lowest_wins)
    leads = standing.winners or standing.ahead(lowest_wins=lowest_wins)
    sides = len(standing.sides)
    tells = screens.totals is screens.summary is not by_name  # how it stands, and that is no points
    first = next((match.players.index(name) for name in seated if name in match.players), 0)  # has the round pawn
    stage = screens.stage(log)
    newest = with_capital(screens.name(log.entries[-1], standing.sides)) if log.entries else ""
    return TableOnList(
        number,
        link,
        people,
        match,
        stage=stage.words if stage else newest,
        sides=sides,
        pawns=tuple((side - first) % sides for side in leads),
        ahead=listing([Name(_called(standing.sides[side], names)) for side in leads]) if leads else "",
        points=tuple(scores if len(scores) <= ROOM else scores[:1]) if any(scores) and not tells else (),
        stands=match.scores if (tells or not scores) and not standing.finished and log.entries else "",
        part=_part(log, screens, stage, scores),
        last=log.written[-1].at if log.written else match.begun,
    )


def _part(log: Log, screens: Screens, stage: Stage | None, scores: Sequence[float]) -> float | None:
    """Return how much of a match is over, in per cent: the best side's share of the target, else as its stage tells."""
    if log.standing.finished and not log.standing.stopped:
        return 100.0
    target: float | None = None if screens.fewest_win(log) else getattr(screens.board(log, None, None), "target", None)
    if target and scores:
        return min(100.0, 100 * max(0, scores[0]) / target)
    return stage.part if stage else None


def what_to_do(listed: Iterable[TableOnList]) -> Sentence | str:
    """Return in words which tables are quiet and which are free, for whoever walks around."""
    listed = list(listed)
    quiet = [say("{n}", n=table.number) for table in listed if table.quiet]
    free = [say("{n}", n=table.number) for table in listed if table.over]
    sentences = []
    if quiet:
        sentences.append(say_n("Table {tables} is quiet.", "Tables {tables} are quiet.", len(quiet), tables=listing(quiet)))
    if free:
        sentences.append(say_n("Table {tables} is free.", "Tables {tables} are free.", len(free), tables=listing(free)))
    return listing(sentences, "text") if sentences else ""


def quiet_since(listed: Iterable[TableOnList]) -> Sentence | str:
    """Return since when nothing was entered at the table that is quiet for longest, by the server's clock."""
    quiet = [(table.last, table.number) for table in listed if table.quiet and table.last is not None]
    if not quiet:
        return ""
    last, number = min(quiet)
    time = last.replace(tzinfo=UTC).astimezone().strftime("%H:%M")
    return say("Nothing was entered at table {n} since {time}.", n=number, time=Name(time))
