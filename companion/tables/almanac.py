"""Which matches has a table played, as its almanac reads them? A log is read once, and again when it has changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import and_, bindparam, delete, func, insert, select
from sqlalchemy.exc import DBAPIError

from companion import games
from companion.almanac.evenings import evenings
from companion.almanac.facts import PAUSE, VERSION, Facts, read
from companion.almanac.played import Played
from companion.engine import GAMES
from companion.matches import entries, kept_sentences, repository
from companion.storage import database, faults
from companion.storage.models import Entry, Match, MatchFacts, MatchId, db, now
from companion.storage.statements import Statement
from companion.storage.yielding import breathe
from companion.tables import notes, results
from companion.tables.notes import Note
from companion.tables.past import PastMatch
from companion.tables.results import Result

MOST: Final = 5_000  # matches that an almanac reads, the newest
LAST: Final = 2**31 - 1  # the highest number of a match

_ALL = Statement(
    select(
        *(Match.number, Match.game, Match.players, Match.seq, repository.LAST_KEY),
        *(MatchFacts.seq, MatchFacts.key, MatchFacts.version, MatchFacts.body),
    )
    .outerjoin(MatchFacts, and_(MatchFacts.table_id == Match.table_id, MatchFacts.match_number == Match.number))
    .where(Match.table_id == bindparam("table"), Match.head > 0)
    .where(Match.number.between(bindparam("first"), bindparam("last")))
    .order_by(Match.number.desc())
    .limit(MOST)
)
_LAST_AT = Statement(
    select(func.max(Entry.at)).where(Entry.table_id == bindparam("table"), Entry.match_number == bindparam("number"))
)
_facts = msgspec.json.Decoder(Facts)


def in_the_way(table_id: int) -> Result | None:
    """Return the match that is being played, None if there is none: statistics come after matches, never in between.

    One that nobody has touched for six hours is in nobody's way: that evening is over.
    """
    running = results.running(table_id)
    if running is None:
        return None
    last = running.begun
    with database.reading() as connection:
        if (row := _LAST_AT.one(connection, table=table_id, number=running.number)) and row[0] is not None:
            last = row[0]
    return running if now() - last <= timedelta(seconds=PAUSE) else None


class History(NamedTuple):
    """What a table has played, oldest first, and what its people told the almanac.

    ``matches`` hold earlier ones from files too, and people by the names under which they count; ``as_entered`` are those
    that were played here, as they were entered.
    """

    matches: list[Played]
    as_entered: list[Played]
    notes: list[Note]

    @property
    def rates(self) -> bool:
        """True if somebody switched ratings on."""
        return any(note.kind == "ratings" for note in self.notes)


def history(table_id: int) -> History:
    """Return all that a table's almanac knows."""
    as_entered, noted = played(table_id), notes.notes(table_id)
    matches = [*as_entered, *(of_past(past) for note in noted for past in note.past)]
    names = notes.called(matches, [note.same for note in noted if note.same is not None])
    if names:
        matches = [replace(match, players=tuple(names.get(name, name) for name in match.players)) for match in matches]
    return History(sorted(matches, key=lambda match: match.at), as_entered, noted)


def of_past(past: PastMatch) -> Played:
    """Return an earlier match as an almanac reads it. It has no page, and so no number."""
    game = past.slug
    sheet = "" if game in GAMES else past.game  # a sheet is known by its name, wherever it was played
    facts = msgspec.structs.replace(past.facts, low_wins=games.lowest_wins(game), called=sheet)
    return Played(0, game, past.game, past.players, facts, games.reader_of(game))


def tonight(match_id: MatchId, game: str) -> list[Result]:
    """Return the matches of a game that were played to their end on the evening of this match, itself the last.

    Each score sheet is a game of its own.
    """
    table, number = match_id
    near = played(table, first=number - results.MOST_TONIGHT + 1, last=number)
    kind = next((match.kind for match in near if match.number == number), game)
    nights = [[match.number for match in night.matches if match.kind == kind] for night in evenings(near)]
    numbers = next((night for night in nights if number in night), [number])
    query = select(Match).where(Match.table_id == table, Match.number.in_(numbers)).order_by(Match.number)
    ended = map(results.result, db.session.scalars(query))
    return [match_result for match_result in ended if match_result.winners]


def played(table_id: int, *, first: int = 1, last: int = LAST) -> list[Played]:
    """Return the table's matches with these numbers in which something was entered and that can be read, oldest first."""
    with database.reading() as connection:
        rows = _ALL.all(connection, table=table_id, first=first, last=last)
    fresh: list[dict[str, Any]] = []
    matches: list[Played] = []
    for number, game, players, seq, key, known_seq, known_key, version, body in reversed(rows):
        if (seq, key, VERSION) == (known_seq, known_key, version):
            facts = _facts.decode(body)
        else:
            try:
                log = entries.read(MatchId(table_id, number))
            except (entries.NotFound, entries.Unreadable):
                continue
            facts = read(log, games.reader_of(game), low_wins=games.fewest_win(game, log), tie=games.tie_of(game, log))
            stands = {"seq": log.seq, "key": log.written[-1].key, "version": VERSION}
            fresh.append({"table_id": table_id, "match_number": number, **stands, "body": msgspec.json.encode(facts).decode()})
            breathe()
        title = kept_sentences.read(facts.called) or (GAMES[game].title if game in GAMES else game)
        matches.append(Played(number, game, title, tuple(players), facts, games.reader_of(game)))
    if fresh:
        _store(table_id, fresh)
    return matches


def _store(table_id: int, fresh: list[dict[str, Any]]) -> None:
    """Store facts for the next time. Where nothing can be written just now, the page has them all the same."""
    numbers = [row["match_number"] for row in fresh]
    try:
        with database.writing(of=("facts", table_id)):
            db.session.execute(delete(MatchFacts).where(MatchFacts.table_id == table_id, MatchFacts.match_number.in_(numbers)))
            db.session.execute(insert(MatchFacts), fresh)
    except (DBAPIError, faults.BusyError):
        return
