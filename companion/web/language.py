"""Which language does this phone speak? Its player chooses, or the browser does. A table has no language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import lru_cache
from typing import Any

from flask import Blueprint, Flask, Response, g, has_request_context, redirect, request, url_for
from flask.typing import ResponseReturnValue
from jinja2.filters import do_xmlattr
from jinja2.nodes import EvalContext
from jinja2.utils import pass_eval_context
from markupsafe import Markup
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion import languages
from companion.engine.text import Name, Sentence, listing, say, say_n, term
from companion.languages import Language
from companion.languages.language import MINUS
from companion.screens import terms
from companion.screens.interface import named
from companion.tables import names

bp = Blueprint("language", __name__)

# Of a page that is rendered for several phones, whose two hundred sentences need not ask the request, or that is English alone.
SPOKEN: ContextVar[Language | None] = ContextVar("spoken", default=None)
COOKIE = "language"
KEPT = 400 * 24 * 3600  # seconds
_THOUSANDS = re.compile(r"\d{4,}", re.ASCII)


@contextmanager
def speaking(spoken: Language) -> Iterator[None]:
    """Say everything in this language meanwhile, whatever the phone asks for."""
    before = SPOKEN.set(spoken)
    try:
        yield
    finally:
        SPOKEN.reset(before)


def chosen() -> Language:
    """Return the language of this request's phone; English where there is no phone."""
    spoken = SPOKEN.get()
    if spoken is not None:
        return spoken
    if not has_request_context():
        return languages.ENGLISH
    code = g.get("language")  # where something is rendered for several phones, it is there already
    if code is None:
        code = g.language = _chosen().code
    return languages.languages()[code]


def _chosen() -> Language:
    offered = languages.offered()
    if len(offered) == 1:
        return languages.ENGLISH
    return offered.get(choice()) or asked_for()


def asked_for() -> Language:
    """Return the language offered that the browser, or a program, asks for."""
    return languages.best(_wanted(request.headers.get("Accept-Language", "")))


@lru_cache(maxsize=256)
def _wanted(header: str) -> tuple[str, ...]:
    """Return the codes that the header names, the best first; all phones of a table send the same few headers."""
    return tuple(parse_accept_header(header, LanguageAccept).values())


def choice() -> str:
    """Return the code that this phone chose in the menu; empty where it follows its browser."""
    if "HTTP_COOKIE" not in request.environ:  # taking apart what is not there takes 4 us of a look-up
        return ""
    code = request.cookies.get(COOKIE, "")
    return code if code in languages.offered() else ""


def marks() -> dict[str, str]:
    """Return what this phone's choice adds to the menu: whether its language is pressed there, or "Same as phone"."""
    return {"language_chosen": "true", "language_followed": "false"} if choice() else _FOLLOWED


_FOLLOWED = {"language_chosen": "false", "language_followed": "true"}


def _marks() -> dict[str, str]:
    kept_marks: dict[str, str] = g.get("language_marks") or marks()
    return kept_marks


def words(text: str) -> str:
    """Return a sentence in the language of this request's phone, for what no template prints: JSON, a toast's cookie."""
    return chosen().say(text)


def table_name(name: str) -> str:
    """Return what a table is called in this request's language; only the name that a table has at first is translated."""
    return words(names.shown(name))


@bp.post("/language")
def choose() -> ResponseReturnValue:
    """Keep the language that this phone chose; anything that is not offered follows the browser. Show the same page again."""
    answer = redirect(page_before(), 303)
    code = request.form.get("language", "")
    if code in languages.offered():
        answer.set_cookie(COOKIE, code, max_age=KEPT, path=home_path(), samesite="Lax", httponly=True, secure=request.is_secure)
    else:
        answer.delete_cookie(COOKIE, path=home_path(), samesite="Lax", httponly=True, secure=request.is_secure)
    return answer


def home_path() -> str:
    """Return the path of the home page, to which the cookies of this Companion belong."""
    return f"{request.root_path}/"


def page_before() -> str:
    """Return the page that the form, or the address, says it stood on, if that is one of ours; else the home page."""
    back = request.values.get("back", "")
    ours = back.startswith("/") and not back.startswith("//") and "\\" not in back and back.isprintable()
    return back if ours else url_for("lobby.home")


def add_vary(response: Response, names: str) -> None:
    """Tell caches that the answer differs by these headers too. Taking them apart, as ``response.vary`` does, takes 10 us."""
    before = response.headers.get("Vary")
    if before:
        response.headers["Vary"] = f"{before}, {names}"
    else:
        response.headers.add("Vary", names)


# What templates say. The i18n extension makes calls of these from {% trans %}; the parts are put in here.


def _text(message: str, /, **parts: Any) -> Markup:
    return chosen().markup(message, parts=parts)


def _text_of_count(singular: str, plural: str, num: int, /, **parts: Any) -> Markup:
    return chosen().markup(singular, plural, num, parts={"num": num, **parts})


def _text_in_context(context: str, message: str, /, **parts: Any) -> Markup:
    return chosen().markup(message, context=context, parts=parts)


def _text_of_count_in_context(context: str, singular: str, plural: str, num: int, /, **parts: Any) -> Markup:
    return chosen().markup(singular, plural, num, context=context, parts={"num": num, **parts})


def _said(value: Any) -> Any:
    """Return what is printed of a value: of a sentence, its words in the phone's language."""
    return chosen().say(value) if isinstance(value, Sentence) else value


@pass_eval_context
def _xmlattr(context: EvalContext, attributes: dict[str, Any], autospace: bool = True) -> str:
    """Return attributes of HTML, in the phone's language."""
    return do_xmlattr(context, {name: _said(value) for name, value in attributes.items()}, autospace) if attributes else ""


def _listing(names: Sequence[str | int], joined: Any = "and") -> Sentence:
    return listing([named(name) if isinstance(name, str) else name for name in names], joined)


def _sentences(*parts: Any, joined: Any = "text") -> Sentence:
    """Return sentences one after the other; those that are not to be said are empty, or an ``if`` without ``else`` left out."""
    items = parts[0] if len(parts) == 1 and isinstance(parts[0], list | tuple) else parts
    return listing([named(item) if isinstance(item, str) else item for item in items if item or isinstance(item, int)], joined)


def _date(day: date, pattern: str = "long") -> str:
    return chosen().date(day, pattern)


def _number(number: Any) -> Any:
    """Return a number with its thousands apart and a true minus sign: "1,000", "−22"; words and "–" as they are."""
    return chosen().number(number) if isinstance(number, int | float) else number


def _money(cents: int, *, plus: bool = False) -> str:
    """Return cents as an amount of money: "3.10"."""
    return chosen().money(cents, plus=plus)


def _percent(share: int) -> str:
    """Return a share in per cent: "17%"."""
    return chosen().percent(share)


def _minus(number: str) -> str:
    """Return a number that was written with its sign, "-2200", with a minus sign as long as a figure, and thousands apart."""
    return _THOUSANDS.sub(lambda found: chosen().number(int(found[0])), number).replace("-", MINUS)


def init_app(app: Flask) -> None:
    """Let templates speak the phone's language, and tell caches that pages differ by it."""
    environment = app.jinja_env
    environment.extend(newstyle_gettext=True)  # the parts are given to the functions below; the extension leaves it so
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters["xmlattr"] = _xmlattr
    environment.filters["minus"] = _minus
    environment.filters["number"] = _number
    environment.filters["money"] = _money
    environment.filters["table_name"] = table_name
    functions: dict[str, Callable[..., Any]] = {
        "_": _text,
        "gettext": _text,
        "ngettext": _text_of_count,
        "pgettext": _text_in_context,
        "npgettext": _text_of_count_in_context,
        "say": say,
        "say_n": say_n,
        "term": term,
        "Name": Name,
        "named": named,
        "sentences": _sentences,
        "spoken": words,
        "language": chosen,
        "languages_offered": languages.offered,
        "language_marks": _marks,
        "listing": _listing,
        "date_words": _date,
        "percent_words": _percent,
        "suit_name": terms.suit_name,
        "plain_name": terms.plain_name,
        "animal_name": terms.animal_name,
        "fill_name": terms.fill_name,
        "card_name": terms.card_name,
        "card_label": terms.card_label,
    }
    environment.globals.update(functions, animals_by_name=terms.ANIMALS, suits_by_name=terms.SUITS)

    @app.after_request
    def vary(response: Response) -> Response:
        """Name what decided on the language, wherever something was said."""
        if "language" in g and len(languages.offered()) > 1:
            add_vary(response, "Accept-Language, Cookie")
        return response
