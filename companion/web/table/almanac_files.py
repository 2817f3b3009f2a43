"""How do matches leave an almanac, how do earlier ones come in, and what do its people tell it?"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from urllib.parse import quote

import msgspec
from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import RequestEntityTooLarge

from companion.almanac import evenings
from companion.almanac.played import Played, counted
from companion.engine.text import Name, listing, said, say
from companion.matches import repository
from companion.tables import almanac, notes, past
from companion.tables.past import PastMatch
from companion.web.guard.access import TableAccess, players_only, resolve_link, secrets_name
from companion.web.language import table_name, words
from companion.web.table.almanac import Seen, after_matches, bp, day
from companion.web.table.around import around
from companion.web.table.file import to_keep

AROUND = 64 * 1024  # bytes that a form has besides its file
FORMAT = "companion-almanac/1"
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
LISTED = 12  # matches of a file that are shown before they are kept
FOLD = 74  # bytes of a line in a calendar, which may have 75

_matches = msgspec.json.Decoder(list[PastMatch])


# Out


def file(access: TableAccess, content: str, kind: str, ending: str) -> Response:
    """Return a file to keep, named after the table and the day."""
    name = to_keep(access.row.name, "almanac").replace(".json", ending)
    return Response(content, mimetype=kind, headers={"Content-Disposition": name, "Cache-Control": "no-store"})


@bp.get("/matches.csv")
@after_matches
def as_csv(seen: Seen) -> ResponseReturnValue:
    """Send every match that was played out, a line each; the file can be brought in elsewhere."""
    lines = (
        (day(match.at), match.title, [match.people_of(side) for side in range(match.facts.sides)], match.facts.scores, winners)
        for match in counted(seen.every)
        for winners in (sorted(match.winners, key=str.casefold),)
    )
    return file(seen.access, past.write(lines), "text/csv", ".csv")


@bp.get("/almanac.json")
@after_matches
def as_json(seen: Seen) -> ResponseReturnValue:
    """Send everything that the almanac reads: matches with their rounds and what each game counts, and the evenings."""
    everything = {
        "format": FORMAT,
        "table": table_name(seen.access.row.name),
        "matches": [as_data(match) for match in seen.every],
        "evenings": [
            {"begun": moment(night.begun), "ended": moment(night.ended), "wins": dict(night.wins)}
            for night in evenings.evenings(seen.every)
            if night.played
        ],
    }
    return file(seen.access, json.dumps(everything, ensure_ascii=False, indent=1), "application/json", ".json")


def as_data(match: Played) -> dict[str, object]:
    """Return a match for programs."""
    facts = match.facts
    return {
        "number": match.number or None,
        "game": match.game,
        "title": match.title,
        "ended": moment(match.at),
        "players": list(match.players),
        "sides": [list(match.people_of(side)) for side in range(facts.sides)],
        "scores": list(facts.scores),
        "winners": sorted(match.winners) if match.counts else [],
        "finished": facts.finished,
        "stopped": facts.stopped,
        "rounds": [
            {"gained": list(played.gained), "totals": list(played.totals), "at": moment(played.at)} for played in facts.rounds
        ],
        "counts": {name: dict(zip(match.players, numbers, strict=True)) for name, numbers in facts.tallies.items()},
    }


def moment(seconds: int) -> str:
    """Return a moment in UTC: "2026-11-17T20:00:00Z"."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


@bp.get("/evenings.ics")
@after_matches
def as_calendar(seen: Seen) -> ResponseReturnValue:
    """Send the evenings as a calendar."""
    table, unique = table_name(seen.access.row.name), secrets_name(seen.access.row)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Companion//Almanac//EN"]
    for night in evenings.evenings(seen.every):
        if not night.played:
            continue
        begun, ended = (f":{datetime.fromtimestamp(moment_, UTC):%Y%m%dT%H%M%SZ}" for moment_ in (night.begun, night.ended))
        times = [f"DTSTART{begun}", f"DTEND{ended}"]
        if not any(match.number for match in night.played):  # of a file that tells days alone
            times = [f"DTSTART;VALUE=DATE:{day(night.begun):%Y%m%d}"]
        wins = words(listing([say("{name} {won}", name=Name(name), won=won) for name, won in night.wins], "comma"))
        games = ", ".join(dict.fromkeys(match.title for match in night.played))
        lines += [
            "BEGIN:VEVENT",
            f"UID:{unique}-{night.begun}@companion",
            f"DTSTAMP{ended}",
            *times,
        ]
        lines += [f"SUMMARY:{escaped(f'{table}: {wins}')}", f"DESCRIPTION:{escaped(games)}", "END:VEVENT"]
    content = "".join(folded(line) for line in [*lines, "END:VCALENDAR"])
    return file(seen.access, content, "text/calendar", ".ics")


def escaped(text: str) -> str:
    r"""Return a text as calendars hold it.

    >>> escaped("Ana, Bo; Cy")
    'Ana\\, Bo\\; Cy'
    """
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def folded(line: str) -> str:
    """Return a line of a calendar, in pieces of at most 75 bytes; no letter is cut."""
    pieces, room = [""], FOLD
    for letter in line:
        size = len(letter.encode())
        if size > room:
            pieces.append("")
            room = FOLD - 1
        pieces[-1] += letter
        room -= size
    return "\r\n ".join(pieces) + "\r\n"


def bg_stats_link(access: TableAccess, match: Played) -> str:
    """Return the address that hands a match to BG Stats. Nothing is sent before somebody taps it."""
    sides, unique = match.facts.sides, secrets_name(access.row)
    play = {
        "sourceName": "Companion",
        "sourcePlayId": f"{unique}-{match.number}",
        "playDate": f"{datetime.fromtimestamp(match.at).astimezone():%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": match.title,
            "sourceGameId": match.game,
            "highestWins": not match.low_wins,
            "noPoints": not match.reader.scored,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "startPlayer": player == 0,
                "winner": name in match.winners,
                "score": "" if match.facts.scores[player % sides] is None else str(match.facts.scores[player % sides]),
            }
            for player, name in enumerate(match.players)
        ],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


bp.add_app_template_global(bg_stats_link, "bg_stats_link")


# In


@bp.url_value_preprocessor
def let_a_file_in(endpoint: str | None, _values: object) -> None:
    """Allow a file of earlier matches to be larger than other forms, and what is shown of it to come back."""
    if endpoint in {"almanac.bring_in", "almanac.keep"}:
        request.max_content_length = request.max_form_memory_size = past.LARGEST + AROUND


@bp.route("/bring-in", methods=["GET", "POST"])
@players_only
def bring_in(token: str) -> ResponseReturnValue:
    """Ask for a file of earlier matches; show what is in it before anything is kept."""
    access = resolve_link(token)
    if request.method == "GET":
        return asking(access)
    sent = request.files.get("file")
    try:
        in_file, left_out = past.read(b"" if sent is None else sent.read(past.LARGEST + 1), datetime.now().astimezone().date())
    except past.PastError as refused:
        return asking(access, said(refused), 422)
    in_almanac = {match for note in notes.notes(access.row.id) for match in note.past}
    matches = [match for match in in_file if match not in in_almanac]
    if not matches:
        return asking(access, say("All matches of this file are in the almanac already."), 422)
    return render_template(
        "almanac/look.html",
        **around(access),
        matches=matches[-LISTED:][::-1],
        count=len(matches),
        names=sorted({name for match in matches for name in match.players}, key=str.casefold),
        seated={player.name for player in access.table.players},
        left_out=left_out,
        known=len(in_file) - len(matches),
        content=msgspec.json.encode(matches).decode(),
    )


def asking(access: TableAccess, refusal: str = "", status: int = 200) -> ResponseReturnValue:
    """Return the page that asks for a file, with why the last one would not do."""
    files = [note for note in notes.notes(access.row.id) if note.kind == "past"]
    return render_template("almanac/bring_in.html", **around(access), refusal=refusal, files=files), status


@bp.post("/keep")
@players_only
def keep(token: str) -> ResponseReturnValue:
    """Keep the matches of a file. Each is checked once more: anybody can send a form."""
    access = resolve_link(token)
    try:
        matches = past.checked(_matches.decode(request.form.get("content", "")), datetime.now().astimezone().date())
        notes.add_past(access.row.id, matches)
    except (past.PastError, notes.NoteError) as refused:
        return asking(access, said(refused), 422)
    except (msgspec.MsgspecError, RecursionError):
        return asking(access, say("Choose the file once more."), 422)
    return redirect(url_for("almanac.bring_in", token=token), 303)


@bp.errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Say on the page itself that the file is too large."""
    return asking(resolve_link(str((request.view_args or {}).get("token"))), past.TOO_LARGE, 413)


# What people tell it


@bp.get("/settings")
@players_only
def settings(token: str) -> ResponseReturnValue:
    """Show what was told the almanac: ratings, and names of one person."""
    return telling(resolve_link(token))


def telling(access: TableAccess, refusal: str = "", status: int = 200) -> ResponseReturnValue:
    """Return the page of what was told, with why the last thing would not do."""
    history = almanac.history(access.row.id)
    people = sorted({name for match in history.matches for name in match.players}, key=str.casefold)
    same = [note for note in history.notes if note.same is not None]
    ratings = next((note for note in history.notes if note.kind == "ratings"), None)
    return render_template(
        "almanac/settings.html", **around(access), people=people, same=same, ratings=ratings, refusal=refusal
    ), status


@bp.post("/settings")
@players_only
def tell(token: str) -> ResponseReturnValue:
    """Switch ratings on, or note that two names are one person's."""
    access = resolve_link(token)
    try:
        if request.form.get("do") == "ratings":
            notes.add(access.row.id, "ratings")
        else:
            seated = [player.name for player in access.table.players]
            history = almanac.history(access.row.id)
            name, other = request.form.get("name", ""), request.form.get("other", "")
            notes.add_same(access.row.id, name, other, history.matches, seated)
    except notes.NoteError as refused:
        return telling(access, said(refused), 422)
    return redirect(url_for("almanac.settings", token=token), 303)


@bp.post("/notes/<int:number>/take-back")
@players_only
def take_back(token: str, number: int) -> ResponseReturnValue:
    """Take back what was told: ratings go off, two names are two people again, or a file's matches go."""
    access = resolve_link(token)
    if number <= repository.LARGEST_ID:
        notes.remove(access.row.id, number)
    back = "almanac.bring_in" if request.form.get("back") == "files" else "almanac.settings"
    return redirect(url_for(back, token=token), 303)
