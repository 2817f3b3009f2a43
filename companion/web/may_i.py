"""May I? One page a game that answers a look-up, opened from a match or without one. No game is known here by name.

A hand is read from the body of the request, answered, and forgotten: nothing is stored, no cookie is set, no address and no log
holds it. So there is nothing that a forged form could change, and these forms carry no token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from flask import Blueprint, Response, abort, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue
from jinja2 import Template
from markupsafe import Markup, escape
from werkzeug.datastructures import MultiDict

from companion.engine.text import Name, say
from companion.games import PLUGINS
from companion.languages import Language
from companion.screens.look_up import LookUp, MatchState
from companion.web.delivery import shared_pages
from companion.web.guard.access import players_only
from companion.web.guard.csrf import csrf
from companion.web.guard.limits import write_limiter
from companion.web.language import chosen
from companion.web.match import sides
from companion.web.match.context import MatchContext, load_match
from companion.web.match.rendering import shared_with
from companion.web.rules import rule_href, rule_link

REFUSED = say("That can’t be")

bp = Blueprint("may_i", __name__)
csrf.exempt(bp)
write_limiter.exempt(bp)

PAGE, PIECES = "may_i/page.html", "may_i/pieces.html"
FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 300  # as many as any other form may have


@bp.app_template_global()
def may_i_href(slug: str) -> str | None:
    """Return the address of a game's look-up without a table; None if it has none."""
    return url_for("may_i.empty_look_up", slug=slug) if slug in PLUGINS and PLUGINS[slug].look_up else None


def look_up_of(slug: str) -> type[LookUp]:
    """Return the look-up of this game, or 404."""
    if slug not in PLUGINS:
        abort(404, say("Companion knows no game called “{game}”.", game=Name(slug[:40])))
    kind = PLUGINS[slug].look_up
    if kind is None:
        abort(404, say("{game} has nothing to look up.", game=Name(PLUGINS[slug].title)))
    return kind


def chosen_subject() -> dict[str, str]:
    """Return what the address may say: which of a game's look-ups is meant, and never a card."""
    subject = request.args.get("subject")
    return {"subject": subject} if subject else {}


@bp.get("/may-i/<slug>")
def empty_look_up(slug: str) -> ResponseReturnValue:
    """Show an empty look-up."""
    kind = look_up_of(slug)

    def text() -> str:
        return page_text(kind(MultiDict(chosen_subject())), back=url_for("lobby.home"), action=url_for("may_i.ask", slug=slug))

    return opened(text() if request.args else shared_pages.shared(None, text).filled({}))


@bp.post("/may-i/<slug>")
def ask(slug: str) -> ResponseReturnValue:
    """Show what the engine says of what was picked. A script asks for that alone, then for the drawings that change."""
    kind = look_up_of(slug)
    form_data = sent()
    look_up = kind(form_data)
    match form_data.get("ask"):
        case "preview":
            return answer(verdict(look_up), look_up)
        case "pieces":
            return answer(_template(look_up.template).render(layout=PIECES, look_up=look_up.view(), drawn=drawn), look_up)
        case _:
            return look_up_page(look_up, back=url_for("lobby.home"), action=url_for("may_i.ask", slug=slug))


def sent() -> MultiDict[str, str]:
    """Return what came with the request.

    Forms are read at once here, not in pieces as large ones must be: an answer is waited for.
    """
    if not request.environ.get("CONTENT_TYPE", "").startswith(FORM):
        return MultiDict(request.form)
    try:
        text = request.get_data(cache=False).decode("utf-8", "replace")
        return MultiDict(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        abort(413)


@bp.route("/t/<token>/m/<int:number>/may-i", methods=["GET"])
def from_match(token: str, number: int) -> ResponseReturnValue:
    """Show a look-up that begins with what the match knows; for those who watch too.

    Nothing can be sent by the watch link, so whoever has no other asks as one does without a table.
    """
    context = load_match(token, number)
    kind = look_up_of(context.match.game)

    def text(context: MatchContext) -> str:
        begin = url_for("may_i.from_match", token=token, number=number)
        first = sides.first_shown(context.access.row.id, context.match.players, context.log.standing.sides)
        prefilled = kind.prefill(MatchState(context.log.position, context.draft, context.viewer, first))
        for name, value in chosen_subject().items():
            prefilled.setdefault(name, value)  # numbers that a match knows belong to one look-up
        action = begin if context.access.may_enter else url_for("may_i.ask", slug=kind.slug)
        return page_text(kind(prefilled), back=context.address, action=action, begin=begin)

    alone = request.args or not context.found
    return opened(text(context) if alone else shared_with(context, text, alike=False).filled({}))


@bp.post("/t/<token>/m/<int:number>/may-i")
@players_only
def ask_in_match(token: str, number: int) -> ResponseReturnValue:
    """Show the whole page again, for a phone without scripts; what the match knew is in the form."""
    context = load_match(token, number)
    look_up = look_up_of(context.match.game)(sent())
    return look_up_page(look_up, back=context.address, action=url_for("may_i.ask_in_match", token=token, number=number))


def look_up_page(look_up: LookUp, *, back: str, action: str) -> ResponseReturnValue:
    """Return the whole page with what was picked. A card that can't be is 422, with everything else as it was."""
    return answer(page_text(look_up, back=back, action=action), look_up)


def opened(body: str) -> Response:
    """Return the page as it is opened: nothing has been picked yet but what a match knows."""
    return Response(body, content_type="text/html; charset=utf-8")


def page_text(look_up: LookUp, *, back: str, action: str, begin: str | None = None) -> str:
    """Return the whole page. ``begin`` is where one begins again, if it is not where the form is sent."""
    return render_template(
        look_up.template,
        layout=PAGE,
        look_up=look_up.view(),
        game=look_up.slug,
        title=PLUGINS[look_up.slug].title,
        drawn=drawn,
        back=back,
        action=action,
        begin=begin or action,
        preview=url_for("may_i.ask", slug=look_up.slug),
        verdict=verdict(look_up),
    )


def verdict(look_up: LookUp) -> Markup:
    """Return the answer, what is still to be picked, or why there is none; for scripts also which cards it is about.

    It is all that an answer needs, so it is put together here: a template would take longer than the engine does, and
    Markup's own formatting three times as long as this.
    """
    language = chosen()
    translate = language.say
    marks = f'data-preview-target data-verdict data-legal="{_words(look_up.legal)}" data-illegal="{_words(look_up.illegal)}"'
    inline = not any(not way.tap for way in look_up.ways)  # a key below leads to the rule otherwise
    if look_up.refusal:
        sentence, at = escape(translate(look_up.refusal.sentence)), escape(look_up.refusal.at)
        link = rule_link(look_up.slug, look_up.refusal.sentence)
        kind, body = (
            "wrong",
            f'data-error="{at}"><b>{escape(translate(look_up.refused or REFUSED))}</b><p data-sentence>{sentence}</p>{link}',
        )
    else:
        link = _rule_in(language, request.script_root, look_up.slug, look_up.rule) if look_up.rule and inline else ""
        kind, body = (
            "incomplete" if look_up.incomplete else "",
            f"><b>{escape(translate(look_up.title))}</b><p>{escape(translate(look_up.text))}{link}</p>",
        )
    html = f'<div id="verdict" class="verdict {kind}" {marks} {body}</div>'
    return Markup(html + _ways(look_up, translate) if look_up.one_screen else html)  # noqa: S704  # all words are escaped


def _ways(look_up: LookUp, translate: Callable[[str], str]) -> str:
    """Return the keys below an answer that is always in sight."""
    keys = []
    for way in look_up.ways:
        label = escape(translate(way.label))
        if way.tap:
            keys.append(
                f'<button class="button secondary" type="submit" form="may-i" name="tap" value="{way.tap}">{label}</button>'
            )
        elif href := rule_href(look_up.slug, look_up.rule):
            keys.append(f'<a class="button secondary" href="{escape(href)}">{label}</a>')
    return f'<p id="ways" class="ways" data-preview-target>{"".join(keys)}</p>'


def _words(cards: Sequence[str]) -> str:
    return escape(" ".join(cards))


def _template(name: str) -> Template:
    return current_app.jinja_env.get_template(name)


def answer(body: str, look_up: LookUp) -> Response:
    """Return an answer, which nobody keeps if it holds what was picked."""
    headers = [("Cache-Control", "no-store")] if request.method == "POST" else []
    return Response(body, 422 if look_up.wrong else 200, headers, content_type="text/html; charset=utf-8")


def drawn(card: str, **how: Any) -> Markup:
    """Return a card as a picture."""
    return _drawn_in(chosen(), request.script_root, card, **how)


@lru_cache(maxsize=2048)
def _rule_in(_language: Language, _root: str, slug: str, rule: str) -> Markup | str:
    """Return the link to a rule; there are few, and each is asked for again and again."""
    return rule_link(slug, None, rule)


@lru_cache(maxsize=8192)
def _drawn_in(_language: Language, _root: str, card: str, **how: Any) -> Markup:
    """Return a card as a picture with its name. A deck has few cards: each is drawn once for each language and path."""
    pieces: Any = _template("components/ui.html").module
    picture: Markup = pieces.card(card, **how)
    return picture
