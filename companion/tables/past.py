"""Which earlier matches does a file tell of? A CSV that people typed, or what BG Stats exports; a stranger may have made it.

A CSV has a line a match, with date, game, players and points: ``2025-11-03,BeloZ,Ana & Cy; Bo & Di,1004; 998``. Those who share
a side have ``&`` between them, sides and points ``;``. A fifth column may name the winners, else the most points win. A first
line that names the columns is welcome, and may stand in any order; a file whose columns are parted by semicolons can part its
sides by ``|`` or ``/``. A wrong line of a CSV is named, for people to mend. Nobody mends what BG Stats exports: a play that
an almanac can't count is left out, and counted by its reason.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Final, NamedTuple

import msgspec

from companion.almanac.facts import Facts
from companion.engine import GAMES
from companion.engine.core import plain
from companion.engine.text import Name, Sentence, said, say
from companion.tables.names import LONGEST, UnfitNameError, normalize

LARGEST: Final = 8 * 1024 * 1024  # bytes of a file: what BG Stats exports of ten years
MOST: Final = 2_000  # matches of a file
MOST_PLAYERS: Final = 12
MOST_POINTS: Final = 1_000_000
OLDEST: Final = date(1900, 1, 1)
NOON: Final = time(12)

TOO_LARGE: Final = say("This file is larger than 8 MiB, the most that can be read.")

COLUMNS: Final = ("date", "game", "players", "points")
WINNERS: Final = "winners"  # a column that need not be there
_OTHER_WORDS: Final = {
    **dict.fromkeys(("datum", "jour", "day", "tag"), "date"),
    **dict.fromkeys(("spiel", "jeu", "title"), "game"),
    **dict.fromkeys(("spieler", "joueurs", "names"), "players"),
    **dict.fromkeys(("punkte", "scores", "score"), "points"),
    **dict.fromkeys(("gewinner", "sieger", "gagnants", "winner"), WINNERS),
}
_GERMAN_DAY: Final = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})\. ?([0-9]{4})")
_NUMBER: Final = r"[0-9]{1,7}(?:[.,][05])?"
_SUM: Final = re.compile(rf"[+-]?{_NUMBER}(?: ?[+-] ?{_NUMBER}){{0,30}}")  # as scores are typed in BG Stats: "12+30-4"
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
        noon = int(datetime.combine(self.day, NOON).astimezone().timestamp())
        return Facts(self.sides, True, False, self.winners, self.points, (), ((noon, noon),), {})


class PastFile(NamedTuple):
    """The matches of a file, oldest first, and how many others were left out, by the reason."""

    matches: list[PastMatch]
    left_out: Mapping[Sentence, int]


def read(data: bytes, today: date) -> PastFile:
    """Return what a file tells of. Raises PastError if nothing of it can be taken, and for a wrong line of a CSV."""
    if len(data) > LARGEST:
        raise PastError(TOO_LARGE)
    text = _text(data)
    if not text.strip():
        raise PastError(say("Choose a file: CSV, or JSON from BG Stats."))
    if text.lstrip().startswith("{"):
        return _bg_stats(text, today)
    return PastFile(checked(_csv(text), today), {})


def _text(data: bytes) -> str:
    """Return the text of a file, also of one that a spreadsheet on Windows wrote. Raises PastError for what is no text."""
    for encoding in ("utf-16",) if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not re.search(r"[\x00-\x08\x0e-\x1f]", text):
            return text
    raise PastError(say("This file is no text (UTF-8). Save it as CSV, or export it from BG Stats as JSON."))


def checked(matches: Sequence[PastMatch], today: date) -> list[PastMatch]:
    """Return matches that a file can have told of, oldest first. Raises PastError."""
    if not matches:
        raise PastError(say("This file holds no match."))
    if len(matches) > MOST:
        raise PastError(_too_many())
    fine = []
    for row, match in enumerate(matches, start=1):
        _check_day(match.day, today)
        if not 1 < match.sides <= len(match.players) or len(match.players) % match.sides or len(match.points) != match.sides:
            raise _at(row, say("All sides need as many people."))
        if any(abs(score) > MOST_POINTS or 2 * score % 1 for score in match.points if score is not None):
            raise _at(row, _points_are())
        sides = [match.players[side :: match.sides] for side in range(match.sides)]
        winners = [side for side in match.winners if 0 <= side < match.sides]
        fine.append(_match(row, match.day, match.game, sides, match.points, winners))
    return sorted(fine, key=lambda match: match.day)


def _check_day(day: date, today: date) -> None:
    if not OLDEST <= day <= today:
        raise PastError(say("{day} is no day on which a match can have been played.", day=Name(day.isoformat())))


def _at(row: int, why: Sentence) -> PastError:
    # NOTE: what is wrong in a line of a file: "Line 3: There is no date."
    return PastError(say("Line {row}: {why}", row=row, why=why) if row else why)


def _csv(text: str) -> list[PastMatch]:
    first = text.lstrip().partition("\n")[0]
    comma = next((sign for sign in ",;\t" if first.count(sign) >= len(COLUMNS) - 1), ",")
    matches: list[PastMatch] = []
    order: Sequence[str] = (*COLUMNS, WINNERS)
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
            matches.append(_line(row, dict(zip(order, cells, strict=False)), "[;|/]" if comma == ";" else ";"))
    except csv.Error as broken:
        raise PastError(say("This file is no CSV: one of its quotation marks has no end.")) from broken
    return matches


def _too_many() -> Sentence:
    return say("This file holds more than {most:,} matches. Divide it into several.", most=MOST)


def _line(row: int, cells: dict[str, str], between: str) -> PastMatch:
    """Return the match of a line. Raises PastError, which names the line."""
    try:
        day = _day(cells["date"].strip())
    except ValueError as wrong:
        raise _at(row, say("A date is written 2025-11-03 or 3.11.2025.")) from wrong
    people = [[name.strip() for name in side.split("&")] for side in re.split(between, cells["players"])]
    points: list[float | None] = [_points(row, part) if part.strip() else None for part in re.split(between, cells["points"])]
    if not any(part is not None for part in points):
        points = [None] * len(people)
    if len(points) != len(people):
        raise _at(row, say("Sides: {n}, points: {points}. Give each side its points.", n=len(people), points=len(points)))
    named = [name.strip() for name in re.split(f"{between}|&", cells.get(WINNERS, "")) if name.strip()]
    if missing := [name for name in named if not any(name in side for side in people)]:
        raise _at(row, say("{name} won, but did not play.", name=Name(missing[0])))
    best = max((score for score in points if score is not None), default=None)
    winners = [
        side
        for side, names in enumerate(people)
        if (not set(named).isdisjoint(names) if named else best is not None and points[side] == best)
    ]
    return _match(row, day, cells["game"], people, points, winners)


def _day(text: str) -> date:
    """Return the day of "2025-11-03", whatever follows, or of "3.11.2025". Raises ValueError for anything else."""
    if german := _GERMAN_DAY.match(text):
        return date(int(german[3]), int(german[2]), int(german[1]))
    return date.fromisoformat(text[:10])


def _points(row: int, text: str) -> float:
    text = text.strip().replace("\N{MINUS SIGN}", "-").replace(",", ".").replace("½", ".5")
    if not re.fullmatch(r"[+-]?(?:[0-9]{1,7}(?:\.[05])?|\.5)", text) or abs(float(text)) > MOST_POINTS:
        raise _at(row, _points_are())
    return plain(float(text))


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
    cooperative: bool = False


class _Player(msgspec.Struct, rename="camel"):
    id: int
    name: str


class _Score(msgspec.Struct, rename="camel"):
    player_ref_id: int
    score: str | float | None = None
    winner: bool = False
    team: str | None = None


class _Play(msgspec.Struct, rename="camel"):
    play_date: str
    game_ref_id: int | None = None
    player_scores: list[_Score] = []
    ignored: bool = False


class _Export(msgspec.Struct, rename="camel"):
    games: list[_Game]
    players: list[_Player]
    plays: list[_Play]


def _bg_stats(text: str, today: date) -> PastFile:
    try:
        export = msgspec.json.decode(text, type=_Export)
    except (msgspec.MsgspecError, RecursionError) as wrong:
        raise PastError(say("This file is not what BG Stats exports. It needs games, players and plays.")) from wrong
    games = {game.id: msgspec.structs.replace(game, name=_short(game.name)) for game in export.games}
    players = {player.id: _short(player.name) for player in export.players}
    matches: list[PastMatch] = []
    left_out: Counter[Sentence] = Counter()
    for play in export.plays:
        if play.ignored:
            continue
        try:
            match = _play(play, games, players)
            _check_day(match.day, today)
            matches.append(match)
        except PastError as why:
            left_out[said(why)] += 1
    matches.sort(key=lambda match: match.day)
    if len(matches) > MOST:
        left_out[say("Of this file only the newest {most:,} have room.", most=MOST)] = len(matches) - MOST
    if not matches:
        raise PastError(next(iter(left_out), say("This file holds no match.")))
    return PastFile(matches[-MOST:], left_out)


def _play(play: _Play, games: Mapping[int, _Game], players: Mapping[int, str]) -> PastMatch:
    """Return a match of BG Stats. Raises PastError for one that an almanac can't count, without a line."""
    game = None if play.game_ref_id is None else games.get(play.game_ref_id)
    if game is None or any(score.player_ref_id not in players for score in play.player_scores):
        raise PastError(say("It names a game or a player that the file does not hold."))
    if game.cooperative:
        raise PastError(say("All played together, so nobody won against anybody."))
    try:
        day = date.fromisoformat(play.play_date[:10])
    except ValueError as wrong:
        raise PastError(say("A date is written 2025-11-03 or 3.11.2025.")) from wrong
    sides = _sides(play.player_scores)
    return _match(
        0,
        day,
        game.name,
        [[players[score.player_ref_id] for score in side] for side in sides],
        [_points_of(side) for side in sides],
        [place for place, side in enumerate(sides) if any(score.winner for score in side)],
    )


def _short(name: str) -> str:
    """Return a name as long as one may be: many games have longer ones in BG Stats."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"


def _sides(scores: Sequence[_Score]) -> list[list[_Score]]:
    """Return who plays for whom: teams of the same size, else everybody for themselves."""
    teams: dict[str, list[_Score]] = {}
    for place, score in enumerate(scores):
        teams.setdefault(score.team or f"\0{place}", []).append(score)
    if len(teams) > 1 and len({len(team) for team in teams.values()}) == 1:
        return list(teams.values())
    return [[score] for score in scores]


def _points_of(side: Sequence[_Score]) -> float | None:
    """Return a side's points: those that all its people have, else their sum; None for what an almanac can't count."""
    points = [None if score.score is None else _summed(str(score.score).strip()) for score in side]
    counted = [amount for amount in points if amount is not None]
    if len(counted) < len(points):
        return None
    total = counted[0] if len(set(counted)) == 1 else sum(counted)
    return total if abs(total) <= MOST_POINTS else None


def _summed(text: str) -> float | None:
    """Return what a sum is worth.

    >>> _summed("12+30-4"), _summed("-5"), _summed("3.25")
    (38, -5, None)
    """
    if not _SUM.fullmatch(text):
        return None
    return plain(sum(float(part.replace(" ", "").replace(",", ".")) for part in re.findall(rf"[+-]? ?{_NUMBER}", text)))


def write(matches: Iterable[Any]) -> str:
    """Return matches as a CSV that :func:`read` can read: (day, game, sides of people, points, winning people)."""
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow((*COLUMNS, WINNERS))
    for day, game, sides, points, winners in matches:
        people = "; ".join(" & ".join(map(safe, side)) for side in sides)
        scores = "; ".join("" if score is None else str(score) for score in points)
        amounts = scores if any(score is not None for score in points) else ""
        lines.writerow((day.isoformat(), safe(game), people, amounts, "; ".join(map(safe, winners))))
    return out.getvalue()


def safe(text: str) -> str:
    """Return a name that no spreadsheet takes for something to compute.

    >>> safe("=1+1"), safe("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{text}" if text[:1] in "=+-@\t" and text else text
