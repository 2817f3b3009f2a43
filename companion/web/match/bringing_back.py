"""What does a phone hear that brings entries back to a table it had taken along? What came, and what a person must choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, current_app, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.text import said, say
from companion.games import screens_of
from companion.matches.log import Log, Written
from companion.screens.interface import named
from companion.tables import bringing_back, table_file
from companion.tables.bringing_back import BOTH, OURS, PHONE, Brought, Choice
from companion.tables.table_file import Turns
from companion.web.guard.access import players_only, resolve_link
from companion.web.match.news import describe_line
from companion.web.table.around import around
from companion.web.table.file import carries_a_file, working

bp = Blueprint("bringing_back", __name__)
carries_a_file(bp)

MOST_ASKED: Final = 10  # matches at a time; the others are asked about once these are decided
MOST_SHOWN: Final = 12  # lines of a side

CHOICES: dict[str, Choice] = {OURS: OURS, PHONE: PHONE, BOTH: BOTH}


@dataclass(frozen=True, slots=True)
class Side:
    """What was entered on one side since the phone took the table along: its newest lines, how many came before, and totals."""

    lines: Sequence[tuple[str, str]]
    earlier: int
    totals: str


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A match that both sides went on with."""

    match: Brought
    title: str
    here: Side
    phone: Side


@bp.post("/t/<token>/bring")
@players_only
def bring(token: str) -> ResponseReturnValue:
    """Enter what a phone's copy of this table has and the table has not.

    ``codes``: this phone read the copy from another one, so that the copy is the other phone's.
    """
    access = resolve_link(token)
    file = request.files.get("file")
    refusal: str = ""
    turns = Turns()
    brought: list[Brought] = []
    questions: list[OpenChoice] = []
    try:
        with working():
            data = b"" if file is None else file.read(table_file.LARGEST + 1)
            by = None if current_app.config["POCKET"] else access.name  # what a server has, its phones have entered
            brought = bringing_back.bring_back(access.row.id, data, choices(), by, turns)
            forks = [match for match in brought if match.fork]
            questions = [question(match, turns) for match in forks[:MOST_ASKED]]
    except table_file.TableFileError as refused:
        refusal = said(refused)
    page: Mapping[str, Any] = {
        "came": [(match, title_of(match)) for match in brought if match.entries or match.begun],
        "left_out": [(match, title_of(match)) for match in brought if match.left_out],
        "questions": questions,
        "refused": [(match, title_of(match)) for match in brought if match.refused and not match.fork],
        "refusal": refusal,
        "chosen": choices(),
        "by_codes": "codes" in request.form,
        "moved": {match.there: match.number for match in brought if match.there != match.number},
    }
    status = 422 if refusal else 409 if any(match.fork or match.refused for match in brought) else 200
    return render_template("table/brought.html", **around(access), **page), status


def choices() -> dict[int, Choice]:
    """Return what was chosen so far, by the match's number."""
    names = [name for name in request.form if name.startswith("choice-") and name[7:].isdecimal() and len(name) < 16]
    return {int(name[7:]): CHOICES[request.form[name]] for name in names if request.form[name] in CHOICES}


def title_of(brought: Brought) -> str:
    """Return what a match is called."""
    return say("Match {number}, {game}", number=brought.number, game=named(brought.game))


def question(brought: Brought, turns: Turns) -> OpenChoice:
    """Return what both sides entered, for a person to choose. Raises TableFileError if that takes too long."""
    fork = brought.fork
    if fork is None:
        raise ValueError(brought)
    ours = side(fork.here, fork.entered_here, turns)
    phone = side(fork.phone, fork.entered_there, turns)
    return OpenChoice(brought, title_of(brought), ours, phone)


def side(log: Log, lines: tuple[Written, ...], turns: Turns) -> Side:
    """Return one side in words: its newest lines."""
    screens = screens_of(log.start.game.slug)
    if screens is None or not lines:
        return Side([], 0, "")
    newest = lines[-MOST_SHOWN:]
    seqs = {line.seq for line in newest}
    entries = []
    as_of = log.as_of(newest[0].seq - 1)
    for line in log.written[as_of.seq : newest[-1].seq]:  # from line to line: each is played once
        turns.turn()
        as_of = as_of.add(line)
        if line.seq in seqs:
            words = screens.value(as_of.entry(line.seq), log.standing.sides).words if line.kind == "events" else ""
            entries.append((describe_line(screens, as_of, line), words))
    return Side(entries, len(lines) - len(entries), screens.summary(log.standing))
