"""What does a match show, and where does everything that phones do in it lead back to? No game is known here by name."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, current_app, make_response, redirect, request
from flask.typing import ResponseReturnValue

from companion.engine.text import Sentence, listing, say
from companion.matches import entries, fairness
from companion.screens.interface import PageView, as_sentence
from companion.storage import notifications
from companion.web import language, theme
from companion.web.chart import chart
from companion.web.delivery import live_parts
from companion.web.delivery.cache import Newest, cache
from companion.web.delivery.toasts import WHOLE, toast_waits
from companion.web.guard.access import secrets_name
from companion.web.match import sides
from companion.web.match.context import (
    MadeOf,
    MatchContext,
    load_match,
    load_match_anew,
    page_of,
)
from companion.web.match.ending import ending
from companion.web.match.news import describe_line
from companion.web.match.proven import proof_of
from companion.web.match.rendering import for_all, phones_shown, render, shared_page
from companion.web.short_names import name_lines, short_name
from companion.web.table.file import to_keep

bp = Blueprint("match", __name__)
bp.add_app_template_global(secrets_name)
bp.add_app_template_global(chart, "chart_of")
bp.add_app_template_global(sides.shown_side)
bp.add_app_template_global(sides.as_shown)
bp.add_app_template_filter(short_name)
bp.add_app_template_filter(name_lines)


@bp.get("/t/<token>/m/<int:number>")
def show_match(token: str, number: int) -> ResponseReturnValue:
    """Show the match as it stands. Answers 304 while nothing that it shows has changed."""
    context = load_match(token, number)
    if toast_waits():
        return shared_match_page(context)  # no ETag: a cached page would repeat the toast
    phones = notifications.phones(context.access.row.id)
    build, look = current_app.config["BUILD_ID"], theme.all_chosen()
    access = context.access
    page_html = (
        f"{build} {access.row.seq} {context.log.seq} {phones} {access.name} {access.phone} {look} {language.chosen().code} "
        f"{language.choice()} {context.next_match} {access.row.knock}"
    )
    tag = hashlib.blake2b(page_html.encode(), digest_size=12).hexdigest()
    if request.if_none_match.contains_weak(tag):
        return Response(status=304)
    response = make_response(shared_match_page(context))
    response.set_etag(tag, weak=True)
    return response


def match_page(context: MatchContext, form: PageView | None = None, **values: Any) -> str:
    """Return the match's own page as this phone alone sees it: with a refusal, or with what was typed on its ``form``."""
    return render(context, match_template(context), **{**match_values(context, form), **values})


def shared_match_page(context: MatchContext) -> str:
    """Return the match's own page as all phones see it."""
    return shared_page(context, match_template(context), match_values, alike=context.seats_alike, path=path_of(context))


def path_of(context: MatchContext) -> str:
    """Return where the match's own page is, below the address at which Companion is."""
    return context.address.removeprefix(request.root_path)


def back_to_match(context: MatchContext) -> ResponseReturnValue:
    """Lead back to the match's own page, after something was done.

    The page's script asks for it with the form, and has it as the answer: on a slow line a second way there and back takes as
    long as the first.
    """
    name, value = WHOLE
    if request.headers.get(name) == value:
        visit = load_match_anew(context)
        if visit.found:
            newest_matches().keep(visit.match.id, visit.access.row.seq, visit)
            answer = make_response(shared_match_page(visit))
            if visit.seats_alike and notifications.phones(visit.access.row.id) > 1:
                change_of(visit)  # now, for the streams that are about to ask: they need not look the match up
            answer.headers["Content-Location"] = visit.address
            return answer
    return redirect(context.address, 303)


def change_of(context: MatchContext) -> live_parts.Change | None:
    """Return what has changed on the match's own page since phones were told last, if nothing but the match has."""
    if not context.found:
        return None
    path, alike = path_of(context), context.seats_alike
    page = for_all(context, match_template(context), match_values, alike=alike, path=path)
    before = page.before
    if before is not None:  # worked out once
        made_before, made_now = before.made_of, context.made_of
        if isinstance(made_before, MadeOf) and made_now.follows(made_before):
            phones, numbers = partial(phones_shown, context.access.row.id), (made_before.table.seq, made_now.table.seq)
            page.change = live_parts.change(page, before, numbers=numbers, entries=context.log.seq, phones=phones)
        page.before = None
    change: live_parts.Change | None = page.change
    if change is not None and alike:
        live_parts.changes().keep((request.root_path, path, language.chosen().code), change.seq, change)
    return change


def newest_matches() -> Newest[MatchContext]:
    """Return the matches as they were just shown to whoever entered something: their streams need not look them up."""
    return cache().matches


def match_template(context: MatchContext) -> str:
    """Return the template of the match's own page."""
    return f"games/{context.match.game}/match.html"


def match_values(context: MatchContext, form: PageView | None = None) -> dict[str, Any]:
    """Return what the match's own page shows, with the ``form`` that belongs on it if its game has one there."""
    main = context.screens.main
    return {
        "form": page_of(context, main).view() if main and form is None else form,
        "page": main,
        "action": context.url("enter", page=main) if main else None,
        "board": context.board,
        "draft": context.draft,
        "ending": ending(context),
        "proof": proof_of(context),
        "not_done": say("Not done"),
    }


@bp.get("/t/<token>/m/<int:number>/see/<view>")
def show_view(token: str, number: int, view: str) -> ResponseReturnValue:
    """Show a page of the match on which something is only read; who watches may read it too."""
    context = load_match(token, number)
    if view not in context.screens.views:
        abort(404)
    screen = context.screens.views[view]

    def values(visit: MatchContext) -> dict[str, Any]:
        return {"view": view, "board": visit.board, **screen.show(visit.log, visit.viewer, request.args).names()}

    if request.args:
        return render(context, screen.template, **values(context))
    return shared_page(context, screen.template, values, alike=False)


@bp.get("/t/<token>/m/<int:number>/record.json")
def record(token: str, number: int) -> ResponseReturnValue:
    """Send the match as a record that anybody can keep, read and replay."""
    context = load_match(token, number)
    body = msgspec.json.format(msgspec.json.encode(fairness.record(context.match.id)), indent=2)
    return Response(
        body + b"\n",
        mimetype="application/json",
        headers={"Content-Disposition": to_keep(context.access.row.name, context.match.game, str(number))},
    )


def entry_of(context: MatchContext, seq: int) -> entries.InForce:
    """Return the entry in force with this number, or 404."""
    try:
        return context.log.entry(seq)
    except entries.NotFound:
        abort(404, say("This entry is no longer there: it was undone."))


def refusal(context: MatchContext, refused: entries.EntryRejected) -> Sentence:
    """Return why it can't be; where an entry that comes later forbids it, also which one that is, and the way out."""
    for entry in context.log.entries:
        if entry.seq == refused.of:
            name = context.name_of(entry)
            sentence = say("Then {entry} no longer fits:", entry=name)
            if entry.seq == context.log.head:
                way_out = say("Undo {entry} first.", entry=name)
            else:
                way_out = say("Correct {entry} first, or undo back to it.", entry=name)
            return listing([sentence, refused.error.message, way_out], "text").by(refused.error.rule)
    return refused.sentence


def refused_page(context: MatchContext, sentence: str, status: int, title: str = say("Not done")) -> ResponseReturnValue:
    """Return the match as it stands, with a sentence why something was not done."""
    return match_page(context, refused=sentence, not_done=title), status


def describe_newest(context: MatchContext) -> Sentence:
    """Return what the log's newest line did: "Ana saved round 3"."""
    log = context.log
    line = next((line for line in reversed(log.written) if not log.is_remark(line)), None)
    return say("It was undone") if line is None else describe_line(context.screens, log.as_of(line.seq), line)


def not_undone(context: MatchContext, why: str) -> ResponseReturnValue:
    """Return the match as it stands, saying that something newer is there than what the button named."""
    again = say("Look again, then undo what you mean.")
    look = listing([as_sentence(why), again], "text") if why else again
    return refused_page(context, look, 409, title=say("Not undone"))
