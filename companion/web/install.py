"""How does Companion get onto a phone's home screen, and how do the phone's tables come along?

Each table has a manifest of its own. Browsers install and keep pages under HTTPS and on their own machine alone; the page says
so where it is neither.
"""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, Response, json, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.engine.text import say
from companion.screens.theme import HOME
from companion.tables import handover, keeping
from companion.tables.handover import Belongings
from companion.tables.seating import TableError
from companion.web.guard.access import known_tables, list_tables, phone_id, resolve_link
from companion.web.guard.limits import HANDOVERS, count_hit, retry_after, seconds_to_wait
from companion.web.language import chosen, table_name, words

bp = Blueprint("install", __name__)

OWN_MACHINE = ("localhost", "127.0.0.1", "[::1]")
ICONS = {"any": "icons/app.svg", "192x192": "icons/app-192.png", "512x512": "icons/app-512.png"}
PICTURES = {"match": say("A match of BeloZ"), "count": say("Counting a round")}
PICTURE_SIZE = "585x1266"


def is_trusted() -> bool:
    """Return whether browsers trust the way by which this page came."""
    return request.is_secure or request.host.rpartition(":")[0] in OWN_MACHINE or request.host in OWN_MACHINE


@bp.get("/phone")
def show() -> ResponseReturnValue:
    """Tell how Companion gets onto the home screen, and what browsers don't allow here."""
    return page()


@bp.post("/phone")
def give() -> ResponseReturnValue:
    """Show a code that brings this phone's tables along."""
    if not known_tables() and not keeping.kept_at_all(phone_id()):
        return page(refusal=say("This phone has no tables yet."), status=422)
    if wait := seconds_to_wait(HANDOVERS):
        return page(refusal=say("Too many codes in a short time. Try again later."), status=429, wait=wait)
    count_hit(HANDOVERS)
    return page(code=handover.give(Belongings(phone_id(), str(session.get("me", "")), known_tables())))


def page(*, code: str = "", refusal: str = "", status: int = 200, wait: int = 0) -> ResponseReturnValue:
    """Render the page. No cache keeps a page with a code."""
    headers = {"Cache-Control": "no-store"} if code else {}
    body = render_template(
        "lobby/phone.html",
        code=code,
        minutes=handover.GOOD_FOR.seconds // 60,
        tables=len(known_tables()) or keeping.kept_at_all(session.get("phone", "")),
        refusal=refusal,
        trusted=is_trusted(),
    )
    return body, status, headers | retry_after(wait)


def bring(belongings: Belongings) -> int:
    """Put another browser's tables on this one's list, and return how many came. Sheets that it keeps come along.

    A browser that had no tables is the same phone from then on: who sits where comes along.
    """
    mine = known_tables()
    other = belongings.phone
    if not mine:
        other = phone_id()
        session["phone"] = belongings.phone
        session["me"] = belongings.me
    with suppress(TableError):  # as many sheets as a phone keeps
        keeping.keep_those_of(other, phone_id())
    numbers = {number for number, _ in belongings.tables}
    list_tables([*belongings.tables, *(table for table in mine if table[0] not in numbers)])
    return len(belongings.tables)


@bp.get("/manifest.webmanifest")
def manifest() -> ResponseReturnValue:
    """Describe Companion to a browser that installs it."""
    return described("Companion", url_for("lobby.home"))


@bp.get("/t/<token>/manifest.webmanifest")
def of_table(token: str) -> ResponseReturnValue:
    """Describe a table to a browser that installs it: its icon opens the table, by the link that this page has."""
    return described(table_name(resolve_link(token).row.name), url_for("table.enter", token=token))


def described(name: str, start: str) -> Response:
    """Return a manifest."""
    icons = [
        {"src": url_for("static", filename=file), "sizes": size, "type": "image/svg+xml" if size == "any" else "image/png"}
        for size, file in ICONS.items()
    ]
    maskable = [{**icon, "purpose": "maskable"} for icon in icons if icon["sizes"] != "any"]
    pictures = [
        {
            "src": url_for("static", filename=f"pictures/{picture}.png"),
            "sizes": PICTURE_SIZE,
            "type": "image/png",
            "form_factor": "narrow",
            "label": words(label),
        }
        for picture, label in PICTURES.items()
    ]
    described_app = {
        "name": name,
        "short_name": name[:12].strip(),
        "description": words(
            say("Keeps the score, draws the fish and answers “may I play this?” for card games at a real table.")
        ),
        "lang": chosen().tag,
        "dir": chosen().direction,
        "id": start,
        "start_url": start,
        "scope": url_for("lobby.home"),
        "display": "standalone",
        "background_color": HOME.ground[0],
        "theme_color": HOME.ground[0],
        "icons": icons + maskable,
        "screenshots": pictures,
    }
    return Response(json.dumps(described_app), mimetype="application/manifest+json")
