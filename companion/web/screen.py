"""What does a television in the middle show? The match that the table plays now, else the evening's results; nothing to tap.

The page is plain HTML with styles that browsers of 2017 know. It is loaded anew every ten seconds; where scripts run, when
something has changed. It has the watch link alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from jinja2 import Template
from sqlalchemy import select
from werkzeug.exceptions import TooManyRequests

from companion.almanac import story
from companion.almanac.evenings import evenings
from companion.almanac.facts import PAUSE, seconds
from companion.almanac.played import Played
from companion.engine.core import Standing
from companion.engine.text import Name, Sentence, listing, say, say_n
from companion.screens.interface import named, with_capital
from companion.storage.models import Table, db, now
from companion.tables import almanac, evening_links, lots, results, seating
from companion.tables.results import Result
from companion.web import lobby
from companion.web.guard.access import TableAccess, resolve_link
from companion.web.language import words
from companion.web.match import sides
from companion.web.match.context import LONGEST_SEQ, MatchContext, load_match
from companion.web.match.ending import ending
from companion.web.match.news import MatchOnPage
from companion.web.table.almanac import below_winner, beside_winner
from companion.web.table.around import chosen_game
from companion.web.table.qr import public, qr_code, table_url

bp = Blueprint("screen", __name__)

AFTERWARDS: Final = timedelta(minutes=2)  # how long a result or a lot stays before the evening's results take its place
INVITED: Final = timedelta(seconds=30)  # how long the screen shows the link to play, after a tap on Invite
AGAIN: Final = 10  # seconds after which the page is loaded anew where no scripts run
MOST_RESULTS: Final = 5  # matches that have room on the screen
MOST_SCORES: Final = 4  # beside a winner; of more sides only the winner's
MOST_LETTERS: Final = 28  # below a winner; where more are needed, whom they beat is left out
MOST_LETTERS_OF_A_TIE: Final = 34  # the same beside two equal scores; where more are needed, a sentence tells it
MOST_LETTERS_OF_WINNERS: Final = 44  # in two lines
MOST_WINNERS: Final = 6
MOST_LINES: Final = 4  # of a chart; nobody could tell more apart, and numbers need the room
STEPS: Final = 9  # places over which the picture wanders, one a minute, so that nothing burns in


@dataclass(frozen=True, slots=True)
class SideOnScreen:
    """A side and its ``score``, None before it is known.

    ``part`` is its share of the target in per cent, if there is one; ``by`` is how far it is ahead, 0 beside others.
    """

    side: int
    name: str
    score: float | None
    ahead: bool
    part: float | None = None
    to_go: float | None = None
    by: float = 0


def sides_of(standing: Standing, *, lowest_wins: bool, target: float | None = None) -> list[SideOnScreen]:
    """Return the sides of a match in the order in which they are shown. Nobody is ahead while all have the same score."""
    ahead = standing.ahead(lowest_wins=lowest_wins)
    known = sorted((score for score in standing.scores if score is not None), reverse=not lowest_wins)
    best, next_best = known[:2] if ahead else (0, 0)
    return [
        SideOnScreen(
            side=side,
            name=standing.sides[side],
            score=standing.scores[side],
            ahead=side in ahead,
            part=None if not target else max(0.0, min(100.0, 100 * (standing.scores[side] or 0) / target)),
            to_go=None if not target else max(0, target - (standing.scores[side] or 0)),
            by=abs(best - next_best) if side in ahead else 0,
        )
        for side in sides.as_shown(range(len(standing.sides)))
    ]


def course(series: Sequence[Any]) -> list[tuple[int, str]]:
    """Return the lines of a chart 100 wide and 40 high, each with its side: scores over rounds, from the lowest to the highest.

    There are none before the first round.

    >>> course([{"side": 0, "points": [0, 10]}, {"side": 1, "points": [0, 5]}])
    [(0, '0.0,40.0 100.0,0.0'), (1, '0.0,40.0 100.0,20.0')]
    """
    points = [point for line in series for point in line["points"]]
    if not points or max(map(len, (line["points"] for line in series))) < 2:
        return []
    low, high = min(points), max(points)
    span = high - low or 1

    def drawn(values: Sequence[int]) -> str:
        last = len(values) - 1
        return " ".join(f"{100 * n / last:.1f},{40 - 40 * (value - low) / span:.1f}" for n, value in enumerate(values))

    return [(line["side"], drawn(line["points"])) for line in series]


@bp.get("/t/<token>/screen")
def show(token: str) -> ResponseReturnValue:
    """Show the table big. By the link to play it leads to the link to watch: what stands in a television's address is seen."""
    access = resolve_link(token)
    if access.may_enter:
        return redirect(url_for("screen.show", token=access.table.watch_token, dark=request.args.get("dark")))
    pictures, values = picture(access)
    return render_template(pictures, **values)


def picture(access: TableAccess) -> tuple[list[str | Template], dict[str, Any]]:
    """Return the templates of which the first that exists shows the table now, and what they show."""
    newest = results.newest(access.row.id)
    lot = lots.pending(access.table)
    if lot is not None and now() - lot.at < AFTERWARDS:
        game = chosen_game(access.table).slug
        return ["screen/lot.html"], {**frame(access), "lot": lot, "entry": f"lot-{lot.number}", "game": game}
    if newest and not newest[0].unreadable:
        context = load_match(access.token, newest[0].number)
        last = context.log.written[-1].at if context.log.written else newest[0].begun
        if newest[0].running or now() - last < AFTERWARDS:
            return [f"games/{context.match.game}/screen.html", "screen/match.html"], {**frame(access), **match_values(context)}
    return ["screen/between.html"], {**frame(access), **evening(access.row.id)}


def frame(access: TableAccess) -> dict[str, Any]:
    """Return what each picture has around it: the table, the code to scan, where the picture has wandered to."""
    until = seating.open_until(access.table)
    left = 0 if until is None else int((until - seating.INVITATION + INVITED - now()).total_seconds())
    url = table_url(access.table.play_token if left > 0 else access.token)
    code = access.table.code or ""
    return {"table": access.table, "token": access.token, **around(url, code=code if left > 0 else "", left=max(0, left))}


def around(url: str, *, code: str = "", left: int = 0) -> dict[str, Any]:
    """Return what a picture has around it, for an address to scan; with the spoken ``code`` it is good for seconds."""
    drift = int(now().timestamp() // 60) % STEPS
    again = min(left or AGAIN, AGAIN)  # no link to play stays longer than it may
    at = datetime.now().astimezone()
    return {"qr": qr_code(url), "code": code, "left": left, "again": again, "drift": drift, "as_of": at}


def match_values(context: MatchContext) -> dict[str, Any]:
    """Return what a game's picture shows of its match."""
    standing = context.log.standing
    sides.keep(context.access.row.id, context.match.players, standing.sides)
    board = context.board
    target, series = (getattr(board, name, None) for name in ("target", "series"))
    lowest_wins = context.screens.fewest_win(context.log)
    dealer = standing.details.get("dealer")
    return {
        "title": context.log.start.title,
        "game": context.match.game,
        "match": context.match,
        "players": context.match.players,
        "board": board,
        "standing": standing,
        "sides": sides_of(standing, lowest_wins=lowest_wins, target=None if lowest_wins else target),
        "dealer": context.match.players[dealer] if isinstance(dealer, int) and not standing.finished else "",
        "course": None if series is None or len(standing.sides) > MOST_LINES else course(series),
        "entry": f"{context.match.number}-{context.log.seq}" if context.log.written else "",
        "before": unsaid(context),
        "last": with_capital(MatchOnPage.of(context).newest) if context.log.written else "",
        "ending": ending(context),
    }


def unsaid(context: MatchContext) -> list[tuple[str, str]]:
    """Return the entries before the newest that a screen with a voice has not seen, each by its number and with its words."""
    match, _, seq = request.args.get("since", "").partition("-")
    if match != str(context.match.number) or not seq.isdecimal():
        return []
    told = MatchOnPage.of(context).told_since(int(seq[:LONGEST_SEQ]))
    return [(f"{match}-{number}", with_capital(words)) for number, words in told]


@dataclass(frozen=True, slots=True)
class Row:
    """A match of the evening: who won it against whom, and the result beside; a sentence where numbers would not tell it."""

    result: Result
    who: Sentence | str
    about: Sentence | Name
    best: str = ""
    others: str = ""


def row(match: Result, played: Played) -> Row:
    """Return how a match is shown. After a tie the rule that broke it takes the place of whom the winner beat."""
    winners, beside = played.facts.winners, beside_winner(played)
    too_long = played.tied and len(words(below_winner(played))) > MOST_LETTERS_OF_A_TIE
    if beside is None or not played.counts or too_long:
        return Row(match, match.sentence, Name(match.title))
    numbers = words(beside).split(" : ")
    best, others = numbers[: len(winners)], numbers[len(winners) :]
    losers = [story.side_name(played, side) for side in range(played.facts.sides) if side not in winners]
    # NOTE: below who won: the game, and whom they beat: "BeloZ, against Bo & Di"
    about: Sentence | Name = say("{game}, against {names}", game=named(match.title), names=listing(losers))
    if played.tied or not losers or len(words(about)) > MOST_LETTERS:
        about = below_winner(played)
    if len(numbers) > MOST_SCORES:
        best, others = numbers[:1], []
    who = story.won_by(played)
    if len(words(who)) > MOST_LETTERS_OF_WINNERS:
        who = say("{names} share the win", names=say_n("{n} player", "{n} players", len(played.winners)))
        best = best[:1]
    return Row(match, who, about, " : ".join(best), "".join(f" : {number}" for number in others))


def evening(table_id: int) -> dict[str, Any]:
    """Return the matches of this evening, newest first, when the last one ended, and who has won how many of them."""
    newest = evenings(almanac.played(table_id))[-1:]
    of_number = {match.number: match for night in newest if seconds(now()) - night.ended <= PAUSE for match in night.matches}
    tonight = [match for match in results.newest(table_id, results.MOST_TONIGHT) if match.number in of_number]
    people = results.wins(tonight)
    return {
        "tonight": tonight,
        "ended": datetime.fromtimestamp(max((of_number[match.number].at for match in tonight), default=0)).astimezone(),
        "shown": [row(match, of_number[match.number]) for match in tonight[:MOST_RESULTS]],
        "people": [person for person in people if person.won][:MOST_WINNERS],
        "leader": results.leader(people),
    }


@bp.get("/t/<token>/big")
def offer(token: str) -> ResponseReturnValue:
    """Tell how the table gets onto a television: by a short address, by its code, or on this very screen."""
    access = resolve_link(token)
    until = seating.open_until(access.table) if access.may_enter else None
    watch, tonight = access.table.watch_token, evening_links.link_of(access.table)
    return render_template(
        "screen/offer.html",
        table=access.table,
        token=token,
        may_enter=access.may_enter,
        typed=public(url_for("screen.show", token=watch)).partition("://")[2],
        short=public(url_for("screen.by_code", code=access.table.code)).partition("://")[2] if until else "",
        old=public(url_for("old_screen.show", link=access.table.code if until else tonight)).partition("://")[2],
        watch=watch,
    )


@bp.get("/tv/<code>")
def by_code(code: str) -> ResponseReturnValue:
    """Lead a television to the table with this spoken code."""
    return redirect(url_for("screen.show", token=table_called(code).watch_token, dark=request.args.get("dark")))


def table_called(code: str) -> Table:
    """Return the table with this spoken code; 404 without one, 429 after too many guesses."""
    try:
        with lobby.guessing(code):
            return seating.by_code(code)
    except lobby.TooManyGuesses as paused:
        raise TooManyRequests(paused.sentence, retry_after=paused.wait) from None
    except seating.TableError as refused:
        abort(404, refused.message)


@bp.get("/screen")
def of_this_computer() -> ResponseReturnValue:
    """Show the table that was played at last, on the computer that runs Companion; it opens this itself, with its own key."""
    key = current_app.config.get("SCREEN_KEY")
    if not key or request.args.get("key") != key:
        abort(404)
    newest = db.session.scalar(select(Table).order_by(Table.created.desc()).limit(1))
    if newest is not None:
        return redirect(url_for("screen.show", token=newest.watch_token))
    base = public(url_for("lobby.home"))
    return render_template("screen/waiting.html", address=base, table=None, **around(base))
