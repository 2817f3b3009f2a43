"""What does a phone hear that brings entries back to a table it had taken along? What came, and what a person must choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.text import Name, said, say
from companion.games import PLUGINS, screens_of
from companion.matches.log import Log, Written
from companion.tables import bringing_back, table_file
from companion.tables.bringing_back import BOTH, OURS, PHONE, Brought, Choice
from companion.web.access import players_only, resolve_link
from companion.web.news import describe_line
from companion.web.table_page import around

bp = Blueprint("bringing_back", __name__)

CHOICES: dict[str, Choice] = {OURS: OURS, PHONE: PHONE, BOTH: BOTH}


@dataclass(frozen=True, slots=True)
class Side:
    """What was entered on one side since the phone took the table along, in words, and where that leads."""

    lines: Sequence[tuple[str, str]]
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
    """Enter what a phone's copy of this table has and the table has not."""
    access = resolve_link(token)
    file = request.files.get("file")
    data = b"" if file is None else file.read(table_file.LARGEST + 1)
    refusal: str = ""
    brought: list[Brought] = []
    try:
        brought = bringing_back.bring_back(access.row.id, data, choices())
    except table_file.TableFileError as refused:
        refusal = said(refused)
    questions = [question(each) for each in brought if each.fork]
    page: Mapping[str, Any] = {
        "came": [(each, title_of(each)) for each in brought if not each.fork and not each.refused],
        "questions": questions,
        "refused": [(each, title_of(each)) for each in brought if each.refused and not each.fork],
        "refusal": refusal,
        "chosen": choices(),
    }
    status = 422 if refusal else 409 if any(each.fork or each.refused for each in brought) else 200
    return render_template("table/brought.html", **around(access), **page), status


def choices() -> dict[int, Choice]:
    """Return what was chosen so far, by the match's number."""
    names = [name for name in request.form if name.startswith("choice-") and name[7:].isdecimal() and len(name) < 16]
    return {int(name[7:]): CHOICES[request.form[name]] for name in names if request.form[name] in CHOICES}


def title_of(brought: Brought) -> str:
    """Return what a match is called."""
    plugin = PLUGINS.get(brought.game)
    return say("Match {number}, {game}", number=brought.number, game=Name(plugin.game.title if plugin else brought.game))


def question(brought: Brought) -> OpenChoice:
    """Return what both sides entered, for a person to choose."""
    fork = brought.fork
    if fork is None:
        raise ValueError(brought)
    here, phone = side(brought.game, fork.here, fork.entered_here), side(brought.game, fork.phone, fork.entered_there)
    return OpenChoice(brought, title_of(brought), here, phone)


def side(game: str, log: Log, lines: tuple[Written, ...]) -> Side:
    """Return one side in words."""
    screens = screens_of(game)
    if screens is None:
        return Side([], "")
    told = []
    for line in lines:
        as_of = log.as_of(line.seq)
        words = screens.value(as_of.entry(line.seq), log.standing.sides).words if line.kind == "events" else ""
        told.append((describe_line(screens, as_of, line), words))
    return Side(told, screens.summary(log.standing))
