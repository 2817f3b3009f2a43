"""Who looks at which match, by which link, and where does its log stand? Every request of a match begins here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from flask import abort, g, request, url_for

from companion import games
from companion.engine.text import Sentence, said, say
from companion.matches import drafts, entries
from companion.matches.log import Author
from companion.screens.interface import Board, PageContext, ScreenPage, Screens, as_sentence
from companion.storage.models import MatchId, Player
from companion.tables import lots, results
from companion.web.guard.access import MatchRow, TableAccess, TableRow, resolve_link
from companion.web.match import following
from companion.web.match.following import NextMatch

LONGEST_SEQ = 9  # figures
OLD_FIELDS = {"idempotency_key": "key", "expected_seq": "seen"}
NOT_WHOLE = say("This form has expired. Reload the page and enter it again.")
OLDER = say(
    "This match has fewer entries than this phone has seen: an older copy of the tables was put back. "
    "Your entry wasn’t saved. Reload the match, see which entries are missing, and enter them again."
)


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
    def seats_alike(self) -> bool:
        """Whether the match's own page is the same from every seat as it stands now."""
        return self.screens.seats_alike and not self.screens.hides(self.draft)

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
    def lot(self) -> str:
        """Whom the lot fell on that was drawn after this match, if that is one of its players; else empty."""
        if not self.closed or self.match.number < self.access.row.newest:
            return ""
        lot = lots.pending(self.access.table)
        name = "" if lot is None else lots.fell_on(lot)
        return name if name in self.match.players else ""

    @cached_property
    def first_of_rematch(self) -> int:
        """The index of the player who is first in the rematch: by lot if one was drawn, else as the game has it."""
        return self.match.players.index(self.lot) if self.lot else self.screens.next_first(self.log.standing)

    @cached_property
    def address(self) -> str:
        """Where the match is shown."""
        return self.url("show_match")

    def url(self, endpoint: str, **values: Any) -> str:
        """Return the address of one of this match's pages, under the link by which it was opened."""
        return url_for(f"match.{endpoint}", token=self.access.token, number=self.match.number, **values)

    def who(self, number: int | None) -> str:
        """Return who entered something, if the phone had said to whom it belongs."""
        return self.log.who(number) or say("Another phone")

    def name_of(self, entry: entries.InForce) -> Sentence:
        """Return what an entry is called, as a part of a sentence: "round 6"."""
        return as_sentence(self.screens.name(entry, self.log.standing.sides))


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


def page_of(context: MatchContext, page: str) -> ScreenPage[Any]:
    """Return the page of this name, filled in with what it needs to know of this match, and with what was typed on it."""
    return context.screens.pages[page](
        PageContext(
            position=context.log.position,
            draft=context.draft,
            shared=True,
            form_data=request.form if request.method == "POST" and request.endpoint == "match.enter" else None,
            query=request.args,
            viewer=context.viewer,
            earlier=lambda part: drafts.earlier(context.match.id, context.match.game, part),
        )
    )


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
