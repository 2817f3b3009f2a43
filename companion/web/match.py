"""A match on the phones: what it shows, what is entered, undone and corrected. No game is known here by name."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, current_app, make_response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Row, bindparam, select

from companion import ledger, live, sealed
from companion.engine import GAMES
from companion.engine.core import RuleError, Stop
from companion.forms import SCREENS
from companion.forms.screens import Again, Enter, Keep, Look, Page, Screens, Sitting
from companion.models import Match, db
from companion.web.access import Visit, players_only, visit

bp = Blueprint("match", __name__)

KEY = re.compile(r"[!-~]{1,64}")

_MATCH = select(Match.id, Match.table_id, Match.number, Match.game, Match.players).where(
    Match.table_id == bindparam("table"), Match.number == bindparam("number")
)


@dataclass(frozen=True)
class Here:
    """Somebody looking at a match: through which link, at which match, with its log as it stands."""

    visit: Visit
    match: Row[int, int, int, str, list[str]]  # id, table_id, number, game, players: it stays as it was read
    log: ledger.Log
    screens: Screens

    @cached_property
    def viewer(self) -> int | None:
        """The index of this phone's player among the players of the match, or None."""
        name = self.visit.name
        return self.match.players.index(name) if name in self.match.players else None

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, as the engine gives them."""
        return self.log.position.standing().sides

    @cached_property
    def draft(self) -> dict[str, Any] | None:
        """What the phones share of the next entry."""
        return ledger.draft(self.match.id, self.log.seq)

    @cached_property
    def board(self) -> Mapping[str, Any]:
        """What the match's own page shows."""
        return self.screens.board(self.log, self.draft, self.viewer)

    def url(self, endpoint: str, **values: Any) -> str:
        """The address of one of this match's pages, under the link by which it was opened."""
        return url_for(f"match.{endpoint}", token=self.visit.token, number=self.match.number, **values)

    def who(self, player: int | None) -> str:
        """Who entered something, if the phone had said to whom it belongs."""
        return "Another phone" if player is None else self.match.players[player]


def find(token: str, number: int) -> Here:
    """The match with this number at the table with this link; 404 with a sentence when there is none."""
    seen = visit(token)
    match = db.session.execute(_MATCH, {"table": seen.table.id, "number": number}).one_or_none()
    if match is None or match.game not in SCREENS:
        abort(404, f"This table has no match number {number}.")
    return Here(seen, match, ledger.read(match.id), SCREENS[match.game])


def new_key() -> str:
    """A name for an entry that is about to be typed; sent again with it, so that it counts once."""
    return secrets.token_urlsafe(12)


def sent_key() -> str:
    """The key that came with a form; a form without one is as good as new."""
    key = request.form.get("key", "")
    return key if KEY.fullmatch(key) else new_key()


def sent_seen(here: Here) -> int:
    """The log position that the sender last saw."""
    return request.form.get("seen", here.log.seq, type=int)


def render(here: Here, template: str, **context: Any) -> str:
    """A page of this match. Every page knows the match, the standing, and the stream to follow."""
    return render_template(
        template,
        here=here,
        match=here.match,
        table=here.visit.table,
        title=GAMES[here.match.game].title,
        game=here.match.game,
        token=here.visit.token,
        may_enter=here.visit.may_enter,
        viewer=here.viewer,
        log=here.log,
        standing=here.log.position.standing(),
        players=here.match.players,
        phones=live.phones(here.visit.table.id),
        toast=take_toast(here),
        new_key=new_key,
        **context,
    )


def leave_toast(here: Here, text: str, *, undo: int, label: str = "Undo") -> None:
    """Say this on the next page, with a way back."""
    session["toast"] = {"match": here.match.id, "text": text, "undo": undo, "label": label}


def take_toast(here: Here) -> Mapping[str, Any] | None:
    """What the last entry left to say, once."""
    toast = session.get("toast")
    if not isinstance(toast, dict) or toast.get("match") != here.match.id:
        return None
    del session["toast"]
    return toast


@bp.get("/t/<token>/m/<int:number>")
def show(token: str, number: int) -> ResponseReturnValue:
    """The match as it stands. Answers 304 while nothing that it shows has changed."""
    here = find(token, number)
    phones = live.phones(here.visit.table.id)
    started, theme = current_app.config["STARTED"], request.cookies.get("theme", "")
    shown = f"{started} {here.visit.table.seq} {here.log.seq} {phones} {here.visit.name} {here.visit.phone} {theme}"
    tag = hashlib.blake2b(shown.encode(), digest_size=12).hexdigest()
    if not session.get("toast") and request.if_none_match.contains_weak(tag):
        return Response(status=304)
    response = make_response(match_page(here))
    response.set_etag(tag, weak=True)
    return response


def match_page(here: Here, **context: Any) -> str:
    """The match's own page, with the form that belongs on it if its game has one there."""
    main = here.screens.main
    form = here.screens.pages[main](sitting(here)) if main else None
    action = here.url("enter", page=main) if main else None
    template = f"games/{here.match.game}/match.html"
    context = {
        "form": form,
        "page": main,
        "conflict": None,
        "action": action,
        "board": here.board,
        "draft": here.draft,
        **context,
    }
    return render(here, template, **context)


def sitting(here: Here) -> Sitting:
    """What a page needs to know of this match to be filled in."""
    return Sitting(
        position=here.log.position,
        draft=here.draft,
        shared=True,
        late=request.method == "POST" and sent_seen(here) < here.log.seq and here.log.position.game.turns,
        typed=request.form if request.method == "POST" and request.endpoint == "match.enter" else None,
        query=request.args,
        viewer=here.viewer,
    )


@bp.route("/t/<token>/m/<int:number>/<page>", methods=["GET", "POST"])
@players_only
def enter(token: str, number: int, page: str) -> ResponseReturnValue:
    """A page on which something is entered: asked first, then kept as a draft or stored."""
    here = find(token, number)
    if page not in here.screens.pages:
        abort(404)
    form = here.screens.pages[page](sitting(here))
    if request.method == "GET":
        if here.log.position.finished or page == here.screens.main:
            return redirect(here.url("show"), 303)
        return render(here, form.template, form=form, page=page, conflict=None, action=here.url("enter", page=page))
    return carry_out(here, form, page)


def carry_out(here: Here, form: Page, page: str) -> ResponseReturnValue:
    """Do what was asked on a page, or show the page again with the reason why not and what was typed."""
    action = here.url("enter", page=page)

    def again(status: int, conflict: Mapping[str, Any] | None = None) -> ResponseReturnValue:
        if page == here.screens.main:
            return match_page(here, form=form, conflict=conflict), status
        return render(here, form.template, form=form, page=page, conflict=conflict, action=action), status

    earlier = ledger.again(here.match.id, sent_key()) if sent_seen(here) < here.log.seq else None
    if earlier is not None:  # the reply was lost, and the phone sent the entry once more
        leave_toast(here, "It was saved already", undo=earlier.seq)
        return redirect(here.url("show"), 303)
    try:
        match form.outcome():
            case Again(wrong):
                return again(422 if wrong else 200)
            case Keep(change, following, query, stay):
                if sent_seen(here) < here.log.seq:
                    return again(409, meanwhile(here, ledger.Conflict(sent_seen(here), here.log)))
                ledger.change_draft(here.match.id, change)
                if stay:
                    here = Here(here.visit, here.match, here.log, here.screens)
                    form = here.screens.pages[page](sitting(here))
                    return again(200)
                return redirect(here.url("enter", page=following, **query) if following else here.url("show"), 303)
            case Look(event, show_drawn, following):
                sealed.look(here.match.id, event, show_drawn, seen=sent_seen(here))
                return redirect(here.url("enter", page=following), 303)
            case Enter(events, said, by_app):
                enter_them = ledger.draw if by_app else ledger.record
                receipt = enter_them(here.match.id, events, key=sent_key(), seen=sent_seen(here), player=here.viewer)
                leave_toast(here, said_with_scores(here, said, receipt.after), undo=receipt.seq)
                return redirect(here.url("show"), 303)
    except ledger.Conflict as conflict:
        here = Here(here.visit, here.match, conflict.log, here.screens)
        return again(409, meanwhile(here, conflict))
    except ledger.Refused as refused:
        form.refuse(refused.error.message, refused.error.field)
        return again(422)
    except RuleError as refused:
        form.refuse(refused.message, refused.field)
        return again(422)


def said_with_scores(here: Here, said: str, log: ledger.Log) -> str:
    """What the toast says: what was saved, and how the match stands now."""
    standing = log.position.standing()
    if any(score is None for score in standing.scores):
        return said
    return f"{said}: {here.screens.summary(standing)}"


def meanwhile(here: Here, conflict: ledger.Conflict) -> Mapping[str, Any]:
    """What happened while somebody was typing: who entered what, and which entry could be corrected to what was typed.

    ``why`` tells why it can't be entered after that, where it was tried (in a game without turns).
    """
    line = conflict.since[-1] if conflict.since else None
    entry = None
    if isinstance(conflict, ledger.KeyReused):
        entry = next((one for one in conflict.log.entries if one.seq == conflict.seq), None)
    elif line is not None and line.kind == "events":
        entry = next((one for one in conflict.log.entries if one.seq == line.seq), None)
    what = {"undo": "an entry was undone", "correct": "an entry was corrected"}.get(line.kind if line else "", "another entry")
    return {
        "who": "This phone" if isinstance(conflict, ledger.KeyReused) else here.who(line.player if line else None),
        "what": here.screens.tell(entry, here.sides) if entry else what,
        "correct": here.url("correct", seq=entry.seq) if entry else None,
        "why": conflict.error.message if conflict.error else "",
    }


def entry_of(here: Here, seq: int) -> ledger.InForce:
    """The entry in force with this number, or 404."""
    try:
        return here.log.entry(seq)
    except ledger.Unknown:
        abort(404, "This entry is no longer there: it has been undone.")


@bp.route("/t/<token>/m/<int:number>/entries/<int:seq>", methods=["GET", "POST"])
@players_only
def correct(token: str, number: int, seq: int) -> ResponseReturnValue:
    """Correct an entry, however old. Before saving, every total that changes is shown."""
    here = find(token, number)
    entry = entry_of(here, seq)
    form = here.screens.whole(
        Sitting(
            position=entry.before,
            replacing=entry.events,
            typed=request.form if request.method == "POST" else None,
            query=request.args,
            viewer=here.viewer,
        )
    )

    def again(status: int, conflict: Mapping[str, Any] | None = None) -> ResponseReturnValue:
        changed: tuple[Changed, ...] = ()
        ready = form.ready() if request.method == "POST" else None
        if ready is not None:
            try:
                changed = changes(here.log, ledger.preview_correction(here.match.id, seq, ready))
            except ledger.Refused as refused:
                form.refuse(str(refused), refused.error.field if refused.of is None else "")
        page = render(
            here,
            form.template,
            form=form,
            page=None,
            entry=entry,
            told=here.screens.tell(entry, here.sides),
            changed=changed,
            conflict=conflict,
            action=here.url("correct", seq=seq),
        )
        return page, status

    if request.method == "GET":
        return again(200)
    try:
        outcome = form.outcome()
        if not isinstance(outcome, Enter):
            return again(422 if isinstance(outcome, Again) and outcome.wrong else 200)
        receipt = ledger.correct(here.match.id, seq, outcome.events, key=sent_key(), seen=sent_seen(here), player=here.viewer)
    except ledger.Conflict as conflict:
        here = Here(here.visit, here.match, conflict.log, here.screens)
        return again(409, meanwhile(here, conflict))
    except ledger.Refused as refused:
        form.refuse(str(refused), refused.error.field if refused.of is None else "")
        return again(422)
    except RuleError as refused:
        form.refuse(refused.message, refused.field)
        return again(422)
    leave_toast(here, said_with_scores(here, "Corrected", receipt.after), undo=receipt.seq)
    return redirect(here.url("show"), 303)


@dataclass(frozen=True, slots=True)
class Changed:
    """The totals after one entry, as they are and as they would become."""

    number: int
    old: tuple[int | None, ...]
    new: tuple[int | None, ...]


def changes(old: ledger.Log, new: ledger.Log) -> tuple[Changed, ...]:
    """Every entry whose totals a correction changes, oldest first, numbered from 1 within the match."""
    before = {entry.seq: entry.after.standing().scores for entry in old.entries}
    changed = []
    for number, entry in enumerate(new.entries, start=1):
        scores = entry.after.standing().scores
        if before.get(entry.seq, scores) != scores:
            changed.append(Changed(number, before[entry.seq], scores))
    return tuple(changed)


@bp.get("/t/<token>/m/<int:number>/see/<view>")
def see(token: str, number: int, view: str) -> ResponseReturnValue:
    """A page of the match on which something is only read; who watches may read it too."""
    here = find(token, number)
    if view not in here.screens.views:
        abort(404)
    shown = here.screens.views[view]
    return render(here, shown.template, view=view, board=here.board, **shown.show(here.log, here.viewer, request.args))


@bp.post("/t/<token>/m/<int:number>/undo")
@players_only
def undo(token: str, number: int) -> ResponseReturnValue:
    """Take back an entry, a correction or an undo: the one named, or the newest."""
    here = find(token, number)
    of = request.form.get("of", type=int)
    try:
        receipt = ledger.undo(here.match.id, of, key=sent_key(), seen=sent_seen(here), player=here.viewer)
    except ledger.Conflict as conflict:
        here = Here(here.visit, here.match, conflict.log, here.screens)
        told = meanwhile(here, conflict)
        return refused_page(here, f"{told['who']} was faster: {told['what']}. Nothing was undone.", 409)
    except ledger.Refused as refused:
        return refused_page(here, str(refused), 422)
    except ledger.Unknown:
        return refused_page(here, "There is nothing to undo.", 422)
    leave_toast(here, said_with_scores(here, "Undone", receipt.after), undo=receipt.seq, label="Redo")
    return redirect(here.url("show"), 303)


def refused_page(here: Here, sentence: str, status: int) -> ResponseReturnValue:
    """The match as it stands, with a sentence why something was not done."""
    return match_page(here, refused=sentence), status


@bp.post("/t/<token>/m/<int:number>/stop")
@players_only
def stop(token: str, number: int) -> ResponseReturnValue:
    """End the match where it stands; nobody wins. It can be undone like any entry."""
    here = find(token, number)
    try:
        receipt = ledger.record(here.match.id, (Stop(),), key=sent_key(), seen=sent_seen(here), player=here.viewer)
    except ledger.Conflict as conflict:
        here = Here(here.visit, here.match, conflict.log, here.screens)
        told = meanwhile(here, conflict)
        return refused_page(here, f"{told['who']} was faster: {told['what']}. The match goes on.", 409)
    except ledger.Refused as refused:
        return refused_page(here, str(refused), 422)
    leave_toast(here, "The match is stopped", undo=receipt.seq)
    return redirect(here.url("show"), 303)


@bp.post("/t/<token>/m/<int:number>/rematch")
@players_only
def rematch(token: str, number: int) -> ResponseReturnValue:
    """The same players once more, the next dealer dealing first."""
    here = find(token, number)
    if not here.log.position.finished:
        return refused_page(here, "This match is still being played. End it first.", 422)
    newer = db.session.execute(
        select(Match.number).where(Match.table_id == here.match.table_id, Match.number > number).order_by(Match.number)
    ).scalar()
    if newer is None:
        first = here.screens.dealer(here.log.position.standing())
        players = [*here.match.players[first:], *here.match.players[:first]]
        newer = ledger.open_match(here.match.table_id, here.match.game, players, here.log.position.options)
    return redirect(url_for("match.show", token=token, number=newer), 303)


@bp.get("/t/<token>/m/<int:number>/record.json")
def record(token: str, number: int) -> ResponseReturnValue:
    """The match as a record that anybody can keep, read and replay."""
    here = find(token, number)
    body = msgspec.json.format(msgspec.json.encode(sealed.record(here.match.id)), indent=2)
    return Response(
        body + b"\n",
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{here.match.game}-{number}.json"'},
    )
