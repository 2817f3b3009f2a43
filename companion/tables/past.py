"""Which earlier matches does a file tell of? A CSV that people typed, or what BG Stats exports; a stranger may have made it.

A CSV has a line a match, with date, game, players and points: ``2025-11-03,BeloZ,Ana & Cy; Bo & Di,1004; 998``. Those who share
a side have ``&`` between them, sides and points ``;``. A first line that names the columns is welcome, and may stand in any
order; a file whose columns are parted by semicolons parts its sides by ``|`` or ``/``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time
from typing import Any, Final

import msgspec

from companion.almanac.facts import Facts
from companion.engine import GAMES
from companion.engine.core import whole
from companion.engine.text import Name, Sentence, said, say
from companion.tables.names import UnfitNameError, normalize

LARGEST: Final = 1024 * 1024  # bytes of a file
MOST: Final = 2_000  # matches of a file
MOST_PLAYERS: Final = 12
MOST_POINTS: Final = 1_000_000
OLDEST: Final = date(1900, 1, 1)
NOON: Final = time(12)

TOO_LARGE: Final = say("This file is larger than 1 MiB, the most that can be read.")

COLUMNS: Final = ("date", "game", "players", "points")
_OTHER_WORDS: Final = {
    **dict.fromkeys(("datum", "jour", "day", "tag"), "date"),
    **dict.fromkeys(("spiel", "jeu", "title"), "game"),
    **dict.fromkeys(("spieler", "joueurs", "names"), "players"),
    **dict.fromkeys(("punkte", "scores", "score"), "points"),
}
_FORMULA: Final = re.compile(r"'(?=[=+\-@\t])")  # stands before what a spreadsheet would compute


class PastError(ValueError):
    """The file can't be taken. The message is a sentence that says why, and where."""


class PastMatch(msgspec.Struct, frozen=True, array_like=True):
    """An earlier match: its day, game and people in turn order, the number of sides, and points and winners by side.

    Player ``i`` plays for side ``i % sides``. ``points`` are None where nobody wrote them down.
    """

    day: date
    game: str
    players: tuple[str, ...]
    sides: int
    points: tuple[int | float | None, ...]
    winners: tuple[int, ...]

    @property
    def slug(self) -> str:
        """The game as Companion knows it, by its title; else the title itself."""
        return next((game.slug for game in GAMES.values() if game.title.casefold() == self.game.casefold()), self.game)

    @property
    def facts(self) -> Facts:
        """The match as an almanac remembers it: a result at noon of its day, without rounds."""
        noon = int(datetime.combine(self.day, NOON, UTC).timestamp())
        return Facts(self.sides, True, False, self.winners, self.points, (), ((noon, noon),), {})


def read(data: bytes, today: date) -> list[PastMatch]:
    """Return the matches of a file, oldest first. Raises PastError for whatever is wrong with it."""
    if len(data) > LARGEST:
        raise PastError(TOO_LARGE)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise PastError(say("This file is no text (UTF-8). Save it as CSV, or export it from BG Stats as JSON.")) from wrong
    if not text.strip():
        raise PastError(say("Choose a file: CSV, or JSON from BG Stats."))
    matches = _bg_stats(text) if text.lstrip().startswith("{") else _csv(text)
    return checked(matches, today)


def checked(matches: Sequence[PastMatch], today: date) -> list[PastMatch]:
    """Return matches that a file can have told of, oldest first. Raises PastError."""
    if not matches:
        raise PastError(say("This file holds no match."))
    if len(matches) > MOST:
        raise PastError(_too_many())
    fine = []
    for row, match in enumerate(matches, start=1):
        if not OLDEST <= match.day <= today:
            raise PastError(say("{day} is no day on which a match can have been played.", day=Name(match.day.isoformat())))
        if not 1 < match.sides <= len(match.players) or len(match.players) % match.sides or len(match.points) != match.sides:
            raise _at(row, say("All sides need as many people."))
        if any(abs(score) > MOST_POINTS or 2 * score % 1 for score in match.points if score is not None):
            raise _at(row, _points_are())
        sides = [match.players[side :: match.sides] for side in range(match.sides)]
        winners = [side for side in match.winners if 0 <= side < match.sides]
        fine.append(_match(row, match.day, match.game, sides, match.points, winners))
    return sorted(fine, key=lambda match: match.day)


def _at(row: int, why: Sentence) -> PastError:
    # NOTE: what is wrong in a line of a file: "Line 3: There is no date."
    return PastError(say("Line {row}: {why}", row=row, why=why))


def _csv(text: str) -> list[PastMatch]:
    first = text.lstrip().partition("\n")[0]
    comma = next((sign for sign in ",;\t" if first.count(sign) >= len(COLUMNS) - 1), ",")
    matches: list[PastMatch] = []
    order: Sequence[str] = COLUMNS
    try:
        for row, cells in enumerate(csv.reader(io.StringIO(text), delimiter=comma, strict=True), start=1):
            if not any(cell.strip() for cell in cells):
                continue
            named = [_OTHER_WORDS.get(cell.strip().casefold(), cell.strip().casefold()) for cell in cells]
            if not matches and set(COLUMNS) <= set(named):
                order = named
                continue
            if len(matches) >= MOST:
                raise PastError(_too_many())
            if len(cells) < len(COLUMNS):
                raise _at(row, say("It needs date, game, players and points."))
            matches.append(_line(row, dict(zip(order, cells, strict=False)), "[|/]" if comma == ";" else ";"))
    except csv.Error as broken:
        raise PastError(say("This file is no CSV: one of its quotation marks has no end.")) from broken
    return matches


def _too_many() -> Sentence:
    return say("This file holds more than {most:,} matches. Divide it into several.", most=MOST)


def _line(row: int, cells: dict[str, str], between: str) -> PastMatch:
    """Return the match of a line. Raises PastError, which names the line."""
    try:
        day = date.fromisoformat(cells["date"].strip()[:10])
    except ValueError as wrong:
        raise _at(row, say("A date is written 2025-11-03.")) from wrong
    people = [side.split("&") for side in re.split(between, cells["players"])]
    points: list[float | None] = [_points(row, part) for part in re.split(between, cells["points"]) if part.strip()]
    points = points or [None] * len(people)
    if len(points) != len(people):
        raise _at(row, say("{n} sides, but {points} points.", n=len(people), points=len(points)))
    scores = [score for score in points if score is not None]
    best = max(scores, default=None)
    winners = tuple(side for side, score in enumerate(points) if score == best and best is not None)
    return _match(row, day, cells["game"], people, points, winners)


def _points(row: int, text: str) -> float:
    text = text.strip().replace("\N{MINUS SIGN}", "-").replace(",", ".").replace("½", ".5")
    if not re.fullmatch(r"[+-]?(?:[0-9]{1,7}(?:\.[05])?|\.5)", text) or abs(float(text)) > MOST_POINTS:
        raise _at(row, _points_are())
    return whole(float(text))


def _points_are() -> Sentence:
    return say("Points are whole numbers or halves, up to {most:,}.", most=MOST_POINTS)


def _match(
    row: int,
    day: date,
    game: str,
    people: Sequence[Sequence[str]],
    points: Sequence[float | None],
    winners: Iterable[int],
) -> PastMatch:
    """Return a match whose names are fit. Raises PastError, which names the line."""
    if len(people) < 2 or sum(map(len, people)) > MOST_PLAYERS:
        raise _at(row, say("A match has 2 to {most} players.", most=MOST_PLAYERS))
    if len({len(side) for side in people}) > 1:
        raise _at(row, say("All sides need as many people."))
    try:
        title = normalize(_FORMULA.sub("", game, count=1))
        sides = [[normalize(_FORMULA.sub("", name.strip(), count=1)) for name in side] for side in people]
    except UnfitNameError as wrong:
        raise _at(row, said(wrong)) from wrong
    players = tuple(side[place] for place in range(len(sides[0])) for side in sides)
    if len(set(players)) < len(players):
        raise _at(row, say("Two players have the same name."))
    title = next((game.title for game in GAMES.values() if game.title.casefold() == title.casefold()), title)
    return PastMatch(day, title, players, len(sides), tuple(points), tuple(winners))


# What BG Stats exports: only these parts of it are read, and the rest is skipped.


class _Game(msgspec.Struct, rename="camel"):
    id: int
    name: str


class _Player(msgspec.Struct, rename="camel"):
    id: int
    name: str


class _Score(msgspec.Struct, rename="camel"):
    player_ref_id: int
    score: str | int | None = None
    winner: bool = False


class _Play(msgspec.Struct, rename="camel"):
    play_date: str
    game_ref_id: int
    player_scores: list[_Score]
    ignored: bool = False


class _Export(msgspec.Struct, rename="camel"):
    games: list[_Game]
    players: list[_Player]
    plays: list[_Play]


def _bg_stats(text: str) -> list[PastMatch]:
    try:
        export = msgspec.json.decode(text, type=_Export)
    except (msgspec.MsgspecError, RecursionError) as wrong:
        raise PastError(say("This file is not what BG Stats exports. It needs games, players and plays.")) from wrong
    if len(export.plays) > MOST:
        raise PastError(_too_many())
    games = {game.id: game for game in export.games}
    players = {player.id: player.name for player in export.players}
    return [_play(row, play, games, players) for row, play in enumerate(export.plays, start=1) if not play.ignored]


def _play(row: int, play: _Play, games: dict[int, _Game], players: dict[int, str]) -> PastMatch:
    try:
        day = date.fromisoformat(play.play_date[:10])
        game = games[play.game_ref_id]
        people = [[players[score.player_ref_id]] for score in play.player_scores]
    except ValueError as wrong:
        raise _at(row, say("A date is written 2025-11-03.")) from wrong
    except KeyError as wrong:
        raise _at(row, say("It names a game or a player that the file does not hold.")) from wrong
    points = [None if score.score in (None, "") else _points(row, str(score.score)) for score in play.player_scores]
    winners = tuple(side for side, score in enumerate(play.player_scores) if score.winner)
    return _match(row, day, game.name, people, points, winners)


def write(matches: Iterable[Any]) -> str:
    """Return matches as a CSV that :func:`read` can read: (day, game, sides of people, points)."""
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for day, game, sides, points in matches:
        people = "; ".join(" & ".join(map(safe, side)) for side in sides)
        scores = "; ".join("" if score is None else str(score) for score in points)
        lines.writerow((day.isoformat(), safe(game), people, scores if any(score is not None for score in points) else ""))
    return out.getvalue()


def safe(text: str) -> str:
    """Return a name that no spreadsheet takes for something to compute.

    >>> safe("=1+1"), safe("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{text}" if text[:1] in "=+-@\t" and text else text
