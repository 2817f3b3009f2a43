"""How does a page of a match get to a phone? Rendered once for all phones, with each phone's own put in its place."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any

from flask import current_app, g, render_template
from markupsafe import Markup

from companion.languages import Language
from companion.storage import notifications
from companion.web import short_names
from companion.web.delivery import shared_pages
from companion.web.delivery.toasts import take_toast
from companion.web.language import chosen
from companion.web.match import sides
from companion.web.match.context import MatchContext
from companion.web.match.news import MatchOnPage

# What each phone has of its own on a page of a match, as it stands on a page for all.
OWN = ("csrf_token", "new_key", "expected_seq", "own_seat", "phones", "nameless", "toast", "own_news", "own_question")
SLOTS = {name: partial(shared_pages.slot, name) for name in OWN}

Values = Callable[[MatchContext], Mapping[str, Any]]
Text = Callable[[MatchContext], str]


def new_keys() -> Callable[[], str]:
    """Return what makes names for entries that are about to be typed on a page; sent with them, so that each counts once."""
    page, number = cache(partial(secrets.token_urlsafe, 12)), itertools.count()
    return lambda: f"{page()}{next(number)}"


def render(context: MatchContext, template: str, **values: Any) -> str:
    """Return a page of this match for this phone alone. Every page knows the match, the standing, and the stream to follow."""
    looks_at(context)
    return page_text(context, template, own_parts(context), **values)


def shared_page(context: MatchContext, template: str, values: Values, *, alike: bool, path: str = "") -> str:
    """Return a page of this match that all phones share, with this phone's own on it.

    Args:
        values: what the template shows, for a match at which nobody looks.
        alike: the page is the same from every seat.
        path: where the page is, if another one was asked for.
    """
    looks_at(context)
    phone_parts = own_parts(context)
    if not context.found:  # somebody wrote meanwhile: what was read is not of one moment
        return page_text(context, template, phone_parts, **values(context))
    return for_all(context, template, values, alike=alike, path=path).filled(phone_parts)


def for_all(context: MatchContext, template: str, values: Values, *, alike: bool, path: str = "") -> shared_pages.Page:
    """Return the page of :func:`shared_page` as all phones have it."""
    return shared_with(context, lambda visit: page_text(visit, template, SLOTS, **values(visit)), alike=alike, path=path)


def shared_with(context: MatchContext, text: Text, *, alike: bool, path: str = "") -> shared_pages.Page:
    """Return a text that is rendered once for all phones with this link: those of one seat, if they are not ``alike``."""
    seat = None if alike else context.access.name
    nobody = context.of_nobody(seat)

    def render_it() -> str:
        g.table_access = nobody.access
        return text(nobody)

    return shared_pages.shared(context.made_of, render_it, path=path, by=seat)


def looks_at(context: MatchContext) -> None:
    """Note that this phone has this match's page on its screen."""
    if context.access.may_enter:
        notifications.hub().looks_at(context.access.row.id, context.access.phone, context.match.number)


def own_parts(context: MatchContext) -> dict[str, Callable[[], str]]:
    """Return what each phone has of its own on a page of a match. They are asked where the page has them, and only then."""
    toast = cache(partial(take_toast, context))

    phone_parts: dict[str, Callable[[], str]] = {
        "csrf_token": cache(shared_pages.own_csrf_token),
        "new_key": new_keys(),
        "expected_seq": lambda: str(context.log.seq),
        "own_seat": lambda: "" if context.person is None else str(context.person),
        "phones": partial(phones_shown, context.access.row.id, least=int(context.access.may_enter)),
        "nameless": lambda: (
            no_name(context.access.way_back or context.access.token, context.access.may_enter, chosen())
            if is_nameless(context)
            else ""
        ),
        "toast": lambda: toast_shown(toast(), context.url("undo"), phone_parts) if toast() else "",
        "own_question": lambda: "" if MatchOnPage.of(context).is_asked else Markup(" hidden"),
        "own_news": lambda: Markup(" hidden") if toast() or MatchOnPage.of(context).is_by_viewer else "",
    }
    return phone_parts


def toast_shown(toast: Mapping[str, Any] | None, undo: str, phone_parts: Mapping[str, Callable[[], str]]) -> Markup:
    """Return what this phone's last entry left to say, once, with the button that takes it back."""
    states: Any = current_app.jinja_env.get_template("match/own/toast.html").module
    markup: Markup = states.said(toast, undo, {name: phone_parts[name]() for name in ("csrf_token", "expected_seq", "new_key")})
    return markup


def phones_shown(table_id: int, least: int = 0) -> Markup:
    """Return what is said of how many phones look on: ``least`` is 1 for one of them, whose stream is still to begin."""
    controls: Any = current_app.jinja_env.get_template("components/controls.html").module
    count: Markup = controls.phone_count(max(least, notifications.phones(table_id)))
    return count


@lru_cache(maxsize=512)
def no_name(token: str, may_enter: bool, _language: Language) -> Markup:
    """Return what is said to a phone that has not said whose it is, or chose to watch."""
    return Markup(render_template("match/own/nameless.html", token=token, may_enter=may_enter))


def is_nameless(context: MatchContext) -> bool:
    """Return True if this phone could say whose it is, and has not: it may enter something, or chose to watch."""
    access = context.access
    return bool(access.may_enter or access.way_back) and access.name is None and not context.log.standing.finished


def page_text(context: MatchContext, template: str, phone_parts: Mapping[str, Callable[[], str]], **values: Any) -> str:
    """Return what a template says of this match; ``phone_parts`` are what differs by phone, or its places."""
    context = MatchOnPage.of(context)
    standing = context.log.standing
    short_names.know(context.match.players)
    if not context.screens.own_colours:
        sides.keep(context.access.row.id, context.match.players, standing.sides)
    of_page = {
        "form": None,
        "page": None,
        "action": None,
        "entry": None,
        "changed": (),
        "turned": "",
        "since": "",
        "unseen": False,
        "refused": "",
        **values,
    }
    return render_template(
        template,
        context=context,
        next_match=context.next_match,
        match=context.match,
        table=context.access.row,
        title=context.log.start.title,
        game=context.match.game,
        token=context.access.token,
        may_enter=context.access.may_enter,
        viewer=context.viewer,
        log=context.log,
        standing=standing,
        players=context.match.players,
        **phone_parts,
        **of_page,
    )
