"""What did a table's matches come to? Who won, and with how many; all of it is replayed, nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import func, select

from companion import games
from companion.engine import GAMES
from companion.engine.core import Standing
from companion.engine.text import Name, Sentence, listing, said, say, say_n
from companion.matches import entries
from companion.screens.interface import as_sentence
from companion.storage.models import Match, MatchId, db
from companion.storage.yielding import breathe

MOST_TONIGHT = 12  # matches of one evening that its series counts
FEW = 3  # matches in which is looked for what a table usually does: one may have been stopped before it did anything
MOST_LISTED = 500  # matches on the page of all matches, and counted in its statistics


@dataclass(frozen=True, slots=True)
class Result:
    """How a match stands or ended. ``winners`` are people, not sides; ``scores`` is how it stands: "541 to 424".

    ``ending`` tells it once it is over: "Ana & Cy won, 1026 to 713"; empty where ``scores`` are enough. ``unreadable`` is the
    sentence that says why the match can't be replayed; then nothing else is known of it. ``dealer`` deals now, in a game in
    which somebody does.
    """

    number: int
    game: str
    title: str
    players: tuple[str, ...]
    begun: datetime
    entries: int
    finished: bool = False
    stopped: bool = False
    winners: tuple[str, ...] = ()
    ending: str = ""
    scores: str = ""
    unreadable: str = ""
    dealer: str = ""

    @property
    def running(self) -> bool:
        """True while more can be entered."""
        return not self.finished and not self.unreadable

    @property
    def sentence(self) -> str:
        """How it stands or ended, in a few words."""
        return self.unreadable or self.ending or (stopped_at(self.scores) if self.stopped else self.scores)


def stopped_at(scores: str) -> Sentence:
    """Return how a match stood when it was stopped: "stopped at 541 to 424"."""
    return say("stopped at {scores}", scores=as_sentence(scores))


def result(match: Match) -> Result:
    """Return what a match has come to, by its log."""
    title = GAMES[match.game].title if match.game in GAMES else match.game
    players = tuple(match.players)
    try:
        log = entries.read(match.id)
    except (entries.NotFound, entries.Unreadable) as unreadable:
        return Result(match.number, match.game, title, players, match.created, match.seq, unreadable=said(unreadable))
    standing = log.position.standing()
    sides = len(standing.sides)
    screens = games.screens_of(match.game)
    title = log.start.title
    return Result(
        number=match.number,
        game=match.game,
        title=title,
        players=players,
        begun=match.created,
        entries=len(log.entries),
        finished=standing.finished,
        stopped=standing.stopped,
        winners=tuple(player for index, player in enumerate(players) if index % sides in standing.winners),
        ending=(screens.ending(standing) if screens and standing.finished else "") or ending(standing),
        scores=screens.summary(standing) if screens else "",
        dealer="" if (dealer := standing.details.get("dealer")) is None else players[dealer],
    )


def ending(standing: Standing) -> str:
    """Return who won and with how many, the winners' score first; nothing while nobody has."""
    if not standing.winners:
        return ""
    names = listing([Name(standing.sides[side]) for side in standing.winners])
    best = standing.scores[standing.winners[0]]
    others = [score for side, score in enumerate(standing.scores) if side not in standing.winners]
    if len(standing.winners) > 1:
        return (
            say("{names} share the win", names=names)
            if best is None
            else say("{names} share the win with {n}", names=names, n=best)
        )
    if best is None:
        return say("{names} won", names=names)
    if best in others:
        return say("{names} won after a tie at {n}", names=names, n=best)
    if len(others) == 1:
        return say("{names} won, {n} to {other}", names=names, n=best, other=others[0] or 0)
    return say("{names} won with {n}", names=names, n=best)


def newest(table_id: int, count: int = 1) -> list[Result]:
    """Return the table's last matches, newest first."""
    query = select(Match).where(Match.table_id == table_id).order_by(Match.number.desc()).limit(count)
    results = []
    for match in db.session.scalars(query):
        results.append(result(match))
        breathe()
    return results


def house_rules(table_id: int, game: str) -> Mapping[str, object]:
    """Return the options of the table's newest match of this game; none if it has not played it yet."""
    newest = select(Match.options).where(Match.table_id == table_id, Match.game == game).order_by(Match.number.desc()).limit(1)
    return db.session.scalar(newest) or {}


def played_before(match_id: MatchId, game: str) -> list[MatchId]:
    """Return the last few matches of this game at the table before this one, newest first, in which an entry counts."""
    its = Match.table_id == match_id.table_id, Match.number < match_id.number, Match.game == game, Match.head > 0
    numbers = db.session.scalars(select(Match.number).where(*its).order_by(Match.number.desc()).limit(FEW))
    return [MatchId(match_id.table_id, number) for number in numbers]


def running(table_id: int) -> Result | None:
    """Return the match that is being played: the newest one, if it is not over."""
    return next((match_result for match_result in newest(table_id) if match_result.running), None)


def how_many(table_id: int) -> int:
    """Return how many matches the table has begun."""
    return db.session.scalar(select(func.count()).select_from(Match).where(Match.table_id == table_id)) or 0


@dataclass(slots=True)
class Wins:
    """One person's matches at a table: how many were played to their end, of which games, and how many of them won, by game."""

    name: str
    played: int = 0
    won: int = 0
    by_game: dict[str, int] = field(default_factory=dict)
    games: set[str] = field(default_factory=set)


def wins(results: Iterable[Result]) -> list[Wins]:
    """Return everybody's wins, most first, then by fewer matches.

    Only matches that were played out count, a shared win for all.
    """
    people: dict[str, Wins] = {}
    for match_result in results:
        if not match_result.finished or match_result.stopped:
            continue
        for name in match_result.players:
            person = people.setdefault(name, Wins(name))
            person.played += 1
            person.games.add(match_result.game)
            if name in match_result.winners:
                person.won += 1
                person.by_game[match_result.game] = person.by_game.get(match_result.game, 0) + 1
    return sorted(people.values(), key=lambda person: (-person.won, person.played))


def leader(people: Sequence[Wins]) -> str:
    """Return who is ahead, as a sentence; nothing while nobody has won."""
    if not people or not people[0].won or max(person.played for person in people) == 1:  # no race yet
        return ""
    best = [Name(person.name) for person in people if person.won == people[0].won]
    count = people[0].won
    if len(best) == 1:
        return say_n("{name} is ahead with {n} match won.", "{name} is ahead with {n} matches won.", count, name=best[0])
    if len(best) == len(people):
        return say_n("Everybody has won {n} match.", "Everybody has won {n} matches.", count)
    names = listing(best)
    return say_n(
        "{names} are ahead with {n} match won each.", "{names} are ahead with {n} matches won each.", count, names=names
    )
