"""What does an evening's card say: as one text for the group, and as data of which a script draws one picture?

Whoever reads the text misses nothing of the picture. Its link is the watch link: it opens this evening, and enters nothing.
"""

from __future__ import annotations

from typing import Any, Final

from flask import current_app, make_response, url_for
from flask.typing import ResponseReturnValue

from companion import games
from companion.almanac import story
from companion.almanac.evenings import Evening
from companion.almanac.played import Played
from companion.engine.text import Name, Sentence, listing, say, say_n
from companion.screens.interface import named
from companion.web.delivery.game_files import sign
from companion.web.guard.headers import CONTENT_SECURITY_POLICY
from companion.web.language import chosen, table_name, words
from companion.web.table.almanac import (
    Seen,
    after_matches,
    beside_winner,
    bp,
    day,
    evening_of,
    headline,
    moment_of,
    page,
    told,
)
from companion.web.table.qr import public, qr_code

MOST: Final = 8  # matches on the picture
POLICY: Final = CONTENT_SECURITY_POLICY.replace("img-src 'self'", "img-src 'self' blob:")  # the picture is made on the phone


@bp.get("/evening/<int:number>")
@after_matches
def evening(seen: Seen, number: int) -> ResponseReturnValue:
    """Show the evening to which a match belongs, with its card."""
    night = evening_of(seen, number)
    values = {"night": night, "moment": moment_of(seen, night), "headline": headline(night)}
    answer = make_response(page("almanac/evening.html", seen, **values, card=data(seen, night)))
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


def link(seen: Seen, night: Evening) -> str:
    """Return the address that opens this evening for whoever looks on."""
    watch = seen.access.table.watch_token
    return public(url_for("almanac.evening", token=watch, number=night.number))


def result_of(match: Played) -> Sentence:
    """Return a match in a line: "BeloZ: Ana & Cy, 1026 : 713"."""
    names, beside = story.won_by(match), told(match) if match.ranked else beside_winner(match)
    if beside is None:
        return say("{game}: {names}", game=named(match.title), names=names)
    return say("{game}: {names}, {scores}", game=named(match.title), names=names, scores=beside)


def top_line(seen: Seen, night: Evening) -> str:
    """Return table and day: "Tuesday table, 17 November 2026"."""
    return f"{table_name(seen.access.row.name)}, {chosen().date(day(night.begun), 'long')}"


def wins_of(night: Evening) -> Sentence:
    """Return who won how many: "Cy 3, Ana 1"."""
    return listing([say("{name} {won}", name=Name(name), won=won) for name, won in night.wins], "comma")


def text(seen: Seen, night: Evening) -> str:
    """Return the evening as a message: headline, wins, each match, the moment and the link."""
    moment = moment_of(seen, night)
    lines = [
        top_line(seen, night),
        words(headline(night)),
        words(wins_of(night)),
        *(words(result_of(match)) for match in night.played),
        *((words(moment[0]),) if moment else ()),
        *((link(seen, night),) if night.number else ()),
    ]
    return "\n".join(lines)


def data(seen: Seen, night: Evening) -> dict[str, Any]:
    """Return what the script draws: every word in the phone's language, every colour from the games' boxes."""
    listed, moment = night.played[-MOST:], moment_of(seen, night)
    older = len(night.played) - len(listed)
    return {
        "top": top_line(seen, night),
        "headline": words(headline(night)),
        "wins": [{"name": name, "won": won, "pawn": seen.pawn(name)} for name, won in night.wins],
        "strips": [strip(match) for match in listed],
        "more": words(say_n("and {n} match before", "and {n} matches before", older)) if older else "",
        "momentTitle": words(say("The moment")),
        "moment": words(moment[0]) if moment else "",
        "file": f"evening-{day(night.begun).isoformat()}.png",
        "text": text(seen, night),
        "code": qr_code(link(seen, night)) if night.number and not current_app.config.get("POCKET") else "",
        "sprite": url_for("static", filename="icons/sprite.svg"),
    }


def strip(match: Played) -> dict[str, str]:
    """Return one match on the picture, in the colours of its game's box."""
    theme = games.theme_of(match.game)
    figure = sign(match.game, theme.figure or theme.icon)
    score, colon, others = words(beside_winner(match) or Name("")).partition(" : ")
    return {
        "title": words(named(match.title)),
        "names": words(story.won_by(match)),
        "score": score,
        "others": colon + others,
        "why": words(match.tie) if match.tied else "",
        "box": theme.box,
        "edge": theme.box_edge,
        "on": theme.on_box,
        "land": theme.land,
        "back": theme.back,
        "figure": "" if "." in figure else figure.rpartition("#")[2],
    }
