"""Who looks at which match, by which link, and where does its log stand? Every request of a match begins here."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any, NamedTuple

from flask import abort, current_app, g, render_template, request, url_for
from markupsafe import Markup

from companion import games
from companion.engine.text import said, say
from companion.languages import Language
from companion.matches import drafts, entries
from companion.matches.log import Author
from companion.screens.interface import Board, Screens, named, own_row
from companion.storage import notifications
from companion.storage.models import MatchId, Player
from companion.tables import results
from companion.web import short_names
from companion.web.delivery import shared_pages
from companion.web.delivery.toasts import take_toast
from companion.web.guard.access import MatchRow, TableAccess, TableRow, resolve_link
from companion.web.language import chosen
from companion.web.match import following, sides
from companion.web.match.following import NextMatch
from companion.web.match.news import (
    Corrected,
    News,
    TakesBack,
    Turned,
    corrected,
    did_newest,
    does_again,
    faster,
    news,
    takes_back,
    turned,
)

LONGEST_SEQ = 9  # figures
OLD_FIELDS = {"idempotency_key": "key", "expected_seq": "seen"}
NOT_WHOLE = say("This form has expired. Reload the page and enter it again.")
OLDER = say(
    "This match has fewer entries than this phone has seen: an older copy of the tables was put back. "
    "Your entry wasn't saved. Reload the match, see which entries are missing, and enter them again."
)


# What each phone has of its own on a page of a match, as it stands on a page for all.
OWN = ("csrf_token", "new_key", "expected_seq", "own_seat", "phones", "nameless", "toast", "own_news")
SLOTS = {name: partial(shared_pages.slot, name) for name in OWN}

Values = Callable[["MatchContext"], Mapping[str, Any]]
Text = Callable[["MatchContext"], str]


class MatchInfo(NamedTuple):
    """The constant part of a match: id, game and players."""

    id: MatchId
    game: str
    players: tuple[str, ...]

    @property
    def table_id(self) -> int:
        """The table that plays it."""
        return self.id.table_id

    @property
    def number(self) -> int:
        """The match's number at its table."""
        return self.id.number


class MadeOf(NamedTuple):
    """What a match's pages are made of: the table, the match with its log, and where it goes on."""

    table: TableRow
    match: MatchRow | None
    next_match: NextMatch | None

    def follows(self, before: MadeOf) -> bool:
        """Return True if nothing but the match has changed since then, as far as this tells."""
        if before.match is None or self.match is None or before.match == self.match:
            return False
        same_table = before.table.seq < self.table.seq and before.table._replace(seq=self.table.seq) == self.table
        return same_table and before.match.players == self.match.players and before.next_match is self.next_match is None


@dataclass(frozen=True)
class MatchContext:
    """Somebody looking at a match: through which link, at which match, with its log as it stands."""

    access: TableAccess
    match: MatchInfo
    log: entries.Log
    screens: Screens
    found: bool = False  # nothing has been written since the visit began

    def of_nobody(self, seat: str | None) -> MatchContext:
        """Return the same for a page that several phones share: all with this link, or of these one player's."""
        access = replace(self.access, phone="", name=seat, way_back="")
        nobody = MatchContext(access, self.match, self.log, self.screens, self.found)
        vars(nobody)["next_match"] = self.next_match  # that depends on who is there already
        return nobody

    def seen_by(self, access: TableAccess) -> MatchContext:
        """Return the same for another phone of the table, with nothing of the one that looked it up."""
        seen = replace(access, row=self.access.row, match=self.access.match)
        return MatchContext(seen, self.match, self.log, self.screens, self.found)

    @property
    def made_of(self) -> MadeOf:
        """All that the match's pages are made of, besides whose they are."""
        row = self.access.match
        match = None if row is None else row._replace(players=tuple(row.players), others=tuple(row.others))
        return MadeOf(self.access.row, match, self.next_match)

    @cached_property
    def viewer(self) -> int | None:
        """The index of this phone's player among the players of the match, or None."""
        name = self.access.name
        return self.match.players.index(name) if name in self.match.players else None

    @cached_property
    def person(self) -> int | None:
        """The number by which the match knows this phone's owner: a player, or somebody else who entered something in it."""
        name, people = self.access.name, self.log.people
        return people.index(name) if name in people else None

    @property
    def by(self) -> Author:
        """The author of this phone's entries: the phone's player."""
        return self.access.name if self.person is None else self.person

    @cached_property
    def seated(self) -> dict[int, Player]:
        """The players of the match who still sit at the table, by their index."""
        people = {player.name: player for player in self.access.table.players}
        return {index: people[name] for index, name in enumerate(self.match.players) if name in people}

    @property
    def share_phones(self) -> list[Player]:
        """The other players without a phone, to whom this phone can be passed."""
        return [player for index, player in self.seated.items() if index != self.viewer and player.phone is None]

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, as the engine gives them."""
        return self.log.standing.sides

    @cached_property
    def shared(self) -> drafts.SharedDraft:
        """What the phones share of the next entry, with the steps that led there."""
        row = self.access.match
        if self.found and row is not None:
            return drafts.as_stored(row.draft, row.steps)
        return drafts.shared(self.match.id, self.log.head)

    @property
    def draft(self) -> dict[str, Any] | None:
        """What the phones share of the next entry."""
        return self.shared.body

    @property
    def closed(self) -> bool:
        """True where nothing is entered any more: the match is over, or the table has begun another."""
        return self.log.position.finished or self.match.number < self.access.row.newest

    @cached_property
    def turned(self) -> Turned | None:
        """An older match of the table that somebody else wins since the newest line of this one, with what changed that."""
        row = self.access.match
        if row is None or row.changed_since is None:
            return None
        try:
            older = entries.read(MatchId(row.id.table_id, row.changed_since))
        except (entries.NotFound, entries.Unreadable):
            return None
        screens = games.screens_of(older.start.game.slug)
        since = self.log.written[-1].at if self.log.written else None
        return None if screens is None else turned(screens, older, since)

    @cached_property
    def news(self) -> News | None:
        """What another phone did last."""
        return news(self)

    @cached_property
    def _corrected(self) -> Corrected | None:
        return corrected(self)

    @property
    def faster(self) -> str:
        """The sentence for a tap that came too late: the faster player, and the newest entry."""
        return faster(self)

    def corrected_in(self, row: str) -> Corrected:
        """Return what the row with this id says of a correction, until the next entry."""
        correction = self._corrected
        return correction if correction is not None and correction.row == row else Corrected(row)

    @cached_property
    def takes_back(self) -> TakesBack | None:
        """What "undo" takes back now, None where there is nothing."""
        return takes_back(self)

    @cached_property
    def does_again(self) -> list[TakesBack]:
        """The undone entries and steps that Redo can bring back."""
        return does_again(self)

    @cached_property
    def board(self) -> Board:
        """What the match's own page shows."""
        return self.screens.board(self.log, self.draft, self.viewer)

    @cached_property
    def habit(self) -> str:
        """What the table did in its last match of this game, where the game asks for it; empty if it has played none."""
        before = (self.screens.habit(entries.read(match)) for match in results.played_before(self.match.id, self.match.game))
        return next(filter(None, before), "")

    @cached_property
    def next_match(self) -> NextMatch | None:
        """The match that the table plays now, once this one is over."""
        if not self.log.position.finished:
            return None
        stay = request.args.get("stay", 0, type=int)
        return following.after(self.access, self.match.number, self.match.game, self.match.players, stay)

    @cached_property
    def address(self) -> str:
        """Where the match is shown."""
        return self.url("show_match")

    def url(self, endpoint: str, **values: Any) -> str:
        """Return the address of one of this match's pages, under the link by which it was opened."""
        return url_for(f"match.{endpoint}", token=self.access.token, number=self.match.number, **values)

    def row_address(self, row: str, rows: Sequence[Any] | None) -> str:
        """Return where a row is: among the ``rows`` on the match's own page, or on the page that has every entry."""
        if rows is None or "history" not in self.screens.views or any(row == own_row(listed.entry) for listed in rows):
            return f"#{row}"
        place = next((place for place, entry in enumerate(self.log.entries, start=1) if own_row(entry) == row), None)
        return f"{self.url('show_view', view='history', to=place)}#{row}"

    def who(self, number: int | None) -> str:
        """Return who entered something, if the phone had said to whom it belongs."""
        return self.log.who(number) or say("Another phone")

    @property
    def newest(self) -> str:
        """What was entered, undone or corrected last, in words; empty before the first entry."""
        if not self.log.written:
            return ""
        line = self.log.written[-1]
        if line.kind != "events":
            who = named(self.who(line.player))
            return say("{who} undid an entry", who=who) if line.kind == "undo" else say("{who} corrected an entry", who=who)
        return self.screens.describe_entry(self.log.entries[-1], self.sides)


def load_match(token: str, number: int) -> MatchContext:
    """Return the match with this number at the table with this link; 404 with a sentence when there is none."""
    seen = resolve_link(token, number)
    row = seen.match
    if row is None:
        abort(404, say("This table has no match number {number}.", number=number))
    try:
        log = entries.read(row.id, row.stands)
    except (entries.NotFound, entries.Unreadable) as unreadable:
        abort(404, said(unreadable))
    slug = log.start.game.slug
    screens = games.screens_of(slug)
    if screens is None:
        abort(404, say("This table has no match number {number}.", number=number))
    match = MatchInfo(row.id, slug, log.start.players)
    return MatchContext(seen, match, log, screens, found=log.seq == row.seq)


def load_match_anew(context: MatchContext) -> MatchContext:
    """Return the match anew from the database, because this request has just changed it."""
    g.pop("table_access", None)
    return load_match(context.access.token, context.match.number)


def new_keys() -> Callable[[], str]:
    """Return what makes names for entries that are about to be typed on a page; sent with them, so that each counts once."""
    page, number = cache(partial(secrets.token_urlsafe, 12)), itertools.count()
    return lambda: f"{page()}{next(number)}"


def sent_field(name: str) -> str:
    """Return what a form sends in one of the fields that every entry has, or nothing where it has none.

    Entries that wait on phones since before these names, and pages that were open then, still say it in the old words. That can
    go when nobody has such an entry any more: a month after the version that renamed the fields.
    """
    form = request.form
    return form.get(name) or form.get(OLD_FIELDS[name], "")


def sent_key() -> str:
    """Return the key that came with a form; 422 without one, or with one that is none: sent again, it would count twice."""
    key = sent_field("idempotency_key")
    if not entries.KEY.fullmatch(key):
        abort(422, NOT_WHOLE)
    return key


def sent_expected_seq(context: MatchContext) -> int:
    """Return the log position that the sender last saw; 422 without one: it is never taken to have seen everything.

    A phone that saw more than there is now, saw it before an older copy of the tables was put back: 409, and it is told.
    """
    sent = sent_field("expected_seq")
    if not (sent.isascii() and sent.isdigit() and len(sent) <= LONGEST_SEQ):
        abort(422, NOT_WHOLE)
    if int(sent) > context.log.seq:
        abort(409, OLDER)
    return int(sent)


def sent_after() -> tuple[str, ...]:
    """Return the keys of the entries that the sender made since that line, without having seen them stored."""
    return tuple(request.form.get("after", "").split())


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
        "own_news": lambda: Markup(" hidden") if toast() or did_newest(context) else "",  # its own entry is no news to a phone
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
        title=context.log.start.game.title,
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
