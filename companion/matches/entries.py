"""How is something entered in a match? Record, undo and correct entries, remark on them, and read where the match stands.

A phone names every entry by an idempotency key of its own and says which line of the log it saw last (``expected_seq``). The
same key gives the same answer again, so that a phone that lost the reply may ask again. A line that the phone has not seen is a
:class:`Conflict`: the person should look first. Entries made one after the other without a connection have all seen the same
line; each says after which others it was made (``after``, their keys), and those are no conflict. What two phones entered
alike is one line that is known by both keys (:func:`same`, :mod:`companion.matches.arriving`). A new line is checked, appended
and announced to the table's phones in one transaction, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

import msgspec
from sqlalchemy import Connection, bindparam, func, insert, select, update

from companion.engine import GAMES
from companion.engine.core import JSON, Event, Options, RuleError, start
from companion.engine.text import Name, say
from companion.matches import drafts, draws, repository
from companion.matches.drafts import Overtaken, SharedDraft, change_draft, draft, redo_step, shared, undo_step
from companion.matches.log import REMARKS, Author, EntryRejected, InForce, Kind, Log, NotFound, Remark, Written, check_room
from companion.matches.repository import RulesVersionMismatch, Stands, Unreadable
from companion.matches.signals import ENTRY_WRITTEN
from companion.storage import database, notifications
from companion.storage.models import Match, MatchId, Table, now

__all__ = [
    "KEY",
    "Conflict",
    "EntryRejected",
    "IdempotencyConflict",
    "InForce",
    "Judged",
    "Log",
    "NotFound",
    "OutOfOrder",
    "Overtaken",
    "Receipt",
    "RulesVersionMismatch",
    "Unreadable",
    "Written",
    "aliases",
    "change_draft",
    "correct",
    "draft",
    "find_receipt",
    "lengthened",
    "open_match",
    "preview",
    "preview_correction",
    "preview_undo",
    "read",
    "record",
    "redo_step",
    "remark",
    "same",
    "same_draw",
    "shared",
    "undo",
    "undo_step",
]

KEY: Final = re.compile(r"[!-~]{1,64}")  # what a phone can name an entry
_KEY_OF: Final = attrgetter("key")
_WITH_EVENTS: Final = ("events", "correct")
_HOLD_TABLE = select(Table.id).where(Table.id == bindparam("table_id")).with_for_update(key_share=True)
_LAST_NUMBER = select(func.max(Match.number)).where(Match.table_id == bindparam("table_id"))
_CHOOSE_GAME = update(Table).where(Table.id == bindparam("its_table")).values(game=bindparam("its_game"))
_ADD_MATCH = insert(Match)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What line ``seq`` changed: the log ``before`` and ``after`` it. ``again``: it had been stored before this call.

    ``by_alias``: another phone stored it, under a key of its own.
    """

    seq: int
    again: bool
    before: Log
    after: Log
    by_alias: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """What a tap was compared with before it is stored: the log's last line, and what phones share of the next entry.

    Whoever stores it has looked a moment before. It is compared once more where nobody else can write.
    """

    seq: int
    shared: SharedDraft | None = None


class Conflict(Exception):
    """Others entered something that this phone has not seen; nothing was stored.

    ``log`` is the newest, ``since`` are its lines that the phone has not seen, each with the player who entered it.
    ``error`` is why it can't be entered as things stand now, in a game where that was tried.
    """

    def __init__(self, expected_seq: int, log: Log, message: str = "", error: RuleError | None = None) -> None:
        super().__init__(message or "Something was entered on another phone meanwhile. Nothing of yours was saved yet.")
        self.expected_seq = expected_seq
        self.log = log
        self.since: tuple[Written, ...] = log.written[max(expected_seq, 0) :]
        self.error = error


class IdempotencyConflict(Conflict):
    """The same form was sent before with other content, which is stored as line ``seq``: correct that one instead."""

    def __init__(self, expected_seq: int, log: Log, seq: int) -> None:
        super().__init__(
            expected_seq, log, "This form was saved already, with something else in it. Correct the saved entry instead."
        )
        self.seq = seq


class OutOfOrder(EntryRejected):
    """The entry before this one is not stored: this one is about a position that never was."""

    def __init__(self) -> None:
        super().__init__(RuleError(say("The entry before this one was not saved. Check this one, then save it again.")))


def open_match(
    table_id: int,
    game_slug: str,
    players: Sequence[str],
    options: Options | Mapping[str, JSON] | None = None,
    *,
    after: int | None = None,
    by: str | None = None,
) -> int:
    """Begin a match at a table; returns its number there. Raises RuleError if players or options don't fit, and NotFound.

    ``after`` is the number of the table's last match as the phone knows it, 0 if there is none. Where somebody was faster and
    has begun the next one, that one's number is returned, and none is begun: two taps on "Rematch" are one rematch.

    ``by`` is the name of whoever of the table begins it. From now on its game is the one that the table plays.

    Where the app draws fish, every match has a bag of its own, sealed now: its options tell the seal.
    """
    if game_slug not in GAMES:
        raise NotFound(say("There is no game called “{game}”.", game=Name(game_slug[:40])))
    game = GAMES[game_slug]
    agreed = repository.options_of(game, {} if options is None else options)
    chosen, seed = draws.sealed(game, agreed if game.settle is None else game.settle(agreed))
    start(game, players, chosen)
    with database.writing(("table", table_id)) as connection:
        if (
            not 0 < table_id <= repository.LARGEST_ID
            or connection.execute(_HOLD_TABLE, {"table_id": table_id}).scalar() is None
        ):
            raise NotFound(say("There is no such table."))
        last: int = connection.execute(_LAST_NUMBER, {"table_id": table_id}).scalar() or 0
        if after is not None and last > after:
            return max(after, 0) + 1
        number = last + 1
        others = [] if by is None or by in players else [by]
        connection.execute(
            _ADD_MATCH,
            {
                "table_id": table_id,
                "number": number,
                "game": game.slug,
                "edition": game.rules_version,
                "players": list(players),
                "others": others,
                "options": msgspec.to_builtins(chosen),
                "package": repository.package_of(game.slug),
                "begun_by": None if by is None else [*players, *others].index(by),
            },
        )
        connection.execute(_CHOOSE_GAME, {"its_table": table_id, "its_game": game.slug})
        if seed is not None:
            draws.keep(connection, MatchId(table_id, number), seed)
        notifications.changed(table_id)
    return number


def read(match_id: MatchId, stands: Stands | None = None) -> Log:
    """Return the match's log as it stands, or as the database was just seen to have it.

    The match is only played as far as it was not before. Raises NotFound, and Unreadable.
    """
    log = None if stands is None else repository.at_hand(match_id, stands)
    if log is not None:
        return log
    with database.reading() as connection:
        return repository.newest(connection, match_id) if stands is None else repository.up_to(connection, match_id, stands)


def find_receipt(log: Log, key: str) -> Receipt | None:
    """Return what was answered to the line with this key, its own or another phone's for the same; None if there is none."""
    line = _line_with(log, {}, key)
    if line is not None:
        return _receipt(log, line.seq)
    seq = aliases(log.match_id).get(key)
    return None if seq is None or seq > log.seq else replace(_receipt(log, seq), by_alias=True)


def same(match_id: MatchId, idempotency_key: str, seq: int) -> None:
    """Know the line ``seq`` by one more key: another phone entered the same, or its person chose that this line is right.

    A key that is known already stays what it is. Raises NotFound where no such line has events, and EntryRejected.
    """
    _check_key(idempotency_key)
    with database.writing(("match", match_id)) as connection:
        held = repository.hold(connection, match_id)
        log = repository.up_to(connection, match_id, Stands(held.seq, held.players, held.others, held.key))
        if not 0 < seq <= log.seq or log.written[seq - 1].kind not in _WITH_EVENTS:
            raise NotFound(say("There is no such entry."))
        repository.add_aliases(connection, log, {idempotency_key: seq})


def aliases(match_id: MatchId) -> dict[str, int]:
    """Return the other keys by which the match's lines are known, each with the number of its line."""
    with database.reading() as connection:
        return repository.aliases(connection, match_id)


def record(
    match_id: MatchId,
    events: Sequence[Event],
    *,
    idempotency_key: str,
    expected_seq: int,
    after: Sequence[str] = (),
    player: Author = None,
    by_app: bool = False,
    judged: Judged | None = None,
) -> Receipt:
    """Enter these events, all of them or none.

    Raises EntryRejected, OutOfOrder, Conflict, IdempotencyConflict, Overtaken, NotFound and RulesVersionMismatch.

    In a game without turns a line that the phone has not seen is no conflict as long as the rules allow the events after it.

    Args:
        match_id: The match.
        events: What happened.
        idempotency_key: The phone's name for this entry.
        expected_seq: The last line of the log that the phone had seen.
        after: The keys of the phone's entries since that line, the newest last. Refused if that one is not stored: then these
            events are about a position that never was.
        player: Whoever enters it, if the phone has said: somebody of the table.
        by_app: True to enter them with the fish that the app draws out of the sealed bag, whatever fish they came with. The
            same key gives what was drawn then. Refused once the bag's seed has been shown.
        judged: What the events were found right by. Where that is no longer so, nothing is stored: Overtaken.
    """
    return _write(
        match_id,
        "events",
        None,
        events,
        idempotency_key=idempotency_key,
        expected_seq=expected_seq,
        after=after,
        player=player,
        by_app=by_app,
        judged=judged,
    )


def undo(
    match_id: MatchId,
    of: int | None = None,
    *,
    idempotency_key: str,
    expected_seq: int,
    after: Sequence[str] = (),
    player: Author = None,
    as_newest: bool = False,
    judged: Judged | None = None,
) -> Receipt:
    """Take a line out of force: an entry, a correction (the events before it return) or an undo (what it undid returns).

    ``of`` None means the newest entry or correction that counts. Raises EntryRejected, naming the entry that would become
    impossible; NotFound when there is nothing to undo; Conflict, OutOfOrder, IdempotencyConflict, Overtaken and
    RulesVersionMismatch.

    Args:
        match_id: The match.
        of: The line.
        idempotency_key: The phone's name for this undo.
        expected_seq: The last line of the log that the phone had seen.
        after: The keys of the phone's lines since that one, the newest last.
        player: Whoever takes it back.
        as_newest: The key meant the newest of what its phone had seen. Then a line that the phone has not seen is a conflict in
            a game without turns, too: the card would be taken out from under others.
        judged: What the undo was found right by. Where that is no longer so, nothing is stored.
    """
    return _write(
        match_id,
        "undo",
        of,
        (),
        idempotency_key=idempotency_key,
        expected_seq=expected_seq,
        after=after,
        player=player,
        as_newest=as_newest or of is None,
        judged=judged,
    )


def correct(
    match_id: MatchId,
    of: int,
    events: Sequence[Event],
    *,
    idempotency_key: str,
    expected_seq: int,
    player: Author = None,
    judged: Judged | None = None,
) -> Receipt:
    """Give the entry ``of`` other events; everything after it is played again. Raises as :func:`undo` and :func:`record` do.

    A correction that changes nothing is refused: the log should only say what somebody meant.
    """
    return _write(
        match_id,
        "correct",
        of,
        events,
        idempotency_key=idempotency_key,
        expected_seq=expected_seq,
        player=player,
        judged=judged,
    )


def remark(
    match_id: MatchId,
    of: int,
    kind: Remark,
    *,
    idempotency_key: str,
    expected_seq: int,
    player: Author = None,
    judged: Judged | None = None,
) -> Receipt:
    """Doubt the entry ``of``, or agree to it, as it stands now; until it is corrected, or :func:`undo` takes the remark back.

    Nothing that counts changes, and nobody's entry waits for it. Raises EntryRejected for an entry that is in doubt or agreed
    to already, NotFound for one that does not count, and what :func:`undo` raises besides.
    """
    return _write(
        match_id, kind, of, (), idempotency_key=idempotency_key, expected_seq=expected_seq, player=player, judged=judged
    )


def same_draw(before: Log, events: Sequence[Event], drawn: Sequence[Event]) -> bool:
    """Return True if the app's draw of these events, where the log stood ``before``, is what was ``drawn``."""
    with database.reading() as connection:
        return draws.same_draw(connection, before, events, drawn)


def preview(match_id: MatchId, events: Sequence[Event]) -> Log:
    """Return the log as :func:`record` would make it.

    Nothing is stored. Raises EntryRejected, NotFound, RulesVersionMismatch.
    """
    return _preview(match_id, "events", None, events)


def preview_correction(match_id: MatchId, of: int, events: Sequence[Event]) -> Log:
    """Return the log as :func:`correct` would make it.

    Nothing is stored. Raises EntryRejected, NotFound, RulesVersionMismatch.
    """
    return _preview(match_id, "correct", of, events)


def preview_undo(match_id: MatchId, of: int | None = None) -> Log:
    """Return the log as :func:`undo` would make it. Nothing is stored. Raises EntryRejected, NotFound, RulesVersionMismatch."""
    return _preview(match_id, "undo", of, ())


def _preview(match_id: MatchId, kind: Kind, of: int | None, events: Sequence[Event]) -> Log:
    log = read(match_id)
    line = _line(log, kind, of, _checked(log, kind, of, events), key="", player=None)
    after = log.add(line)
    with database.reading() as connection:
        draws.check(connection, log, after, line)
    return after


def _write(
    match_id: MatchId,
    kind: Kind,
    of: int | None,
    events: Sequence[Event],
    *,
    idempotency_key: str,
    expected_seq: int,
    player: Author,
    after: Sequence[str] = (),
    by_app: bool = False,
    as_newest: bool = False,
    judged: Judged | None = None,
) -> Receipt:
    """Append one line, if the phone has seen all others and the rules allow what follows."""
    _check_key(idempotency_key)
    with database.writing(("match", match_id)) as connection:
        held = repository.hold(connection, match_id, player)
        log = repository.up_to(connection, match_id, Stands(held.seq, held.players, held.others, held.key))
        game, number = log.start.game, held.number(player)
        if number is not None and not 0 <= number < len(log.people):
            raise EntryRejected(RuleError(say("Only players of this match can enter this."), field="player"))
        also = repository.aliases(connection, match_id) if after or expected_seq < log.seq else {}
        earlier = _line_with(log, also, idempotency_key)
        if earlier is not None:
            events = repository.checked(game, events)
            if by_app and draws.same_draw(connection, log.as_of(earlier.seq - 1), events, earlier.events):
                events = earlier.events
            if not _same(earlier, kind, of, events):
                raise IdempotencyConflict(expected_seq, log, earlier.seq)
            return _receipt(log, earlier.seq)
        if judged is not None and _is_overtaken(connection, log, judged):
            raise Overtaken
        lines_of_entry = {line.key for key in after if (line := _line_with(log, also, key)) is not None}
        if after and _line_with(log, also, after[-1]) is None:
            raise OutOfOrder
        out_of_date = log.behind(expected_seq, lines_of_entry)
        if out_of_date and (log.start.turns or expected_seq > log.seq or as_newest):
            raise Conflict(expected_seq, log)
        try:
            events = _checked(log, kind, of, events)
            if by_app:
                events = draws.draw(connection, log, events)
            line = _line(log, kind, of, events, key=idempotency_key, player=number)
            line = replace(line, chain=repository.link(repository.chain_before(connection, log), log, line))
            longer = lengthened(connection, log, line, by_app=by_app)
        except EntryRejected as refused:
            if out_of_date:
                raise Conflict(expected_seq, log, error=refused.error) from refused
            raise
        repository.add(connection, match_id, line, longer.head)
        notifications.changed(match_id.table_id, links_stay=True)
        repository.keep(longer)
        database.after_commit(lambda: ENTRY_WRITTEN.send(kind, game=game.slug))
    return Receipt(line.seq, False, log, longer)


def _is_overtaken(connection: Connection, log: Log, judged: Judged) -> bool:
    """Return True if the log has grown since, or phones share something else."""
    if log.seq != judged.seq:
        return True
    return judged.shared is not None and judged.shared != drafts.read(connection, log.match_id, log.head)


def _checked(log: Log, kind: Kind, of: int | None, events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the events as the log will have them. Raises EntryRejected, with the rules' own sentence if they have one."""
    try:
        return repository.checked(log.start.game, events)
    except EntryRejected as refused:
        position = log.entry(of).before if kind == "correct" and of is not None else log.position
        try:
            for event in events:
                position = position.apply(event)
        except RuleError as worded:
            raise EntryRejected(worded, event=refused.event) from refused
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise refused from None  # the rules expect a checked event
        raise


def lengthened(connection: Connection, log: Log, line: Written, *, by_app: bool = False) -> Log:
    """Return the log with one more line, which the match has room for and the rules and its bag allow.

    ``by_app``: the app drew what the line holds. Nothing is stored. Raises EntryRejected, and NotFound for an undo of nothing.
    """
    check_room(log, line)
    longer = log.add(line)
    draws.check(connection, log, longer, line, by_app=by_app)
    if line.kind == "undo" and longer.counting == log.counting and not changes_remarks(log, longer):
        raise NotFound(say("This does not count any more, so there is nothing to undo."))
    return longer


def changes_remarks(log: Log, longer: Log) -> bool:
    """Return True if the newest line of the ``longer`` log takes back a doubt or an agreement, or brings it back.

    An entry may be gone by then whose doubt is taken back: that changes nothing either.
    """
    return (log.doubts, log.agreed) != (longer.doubts, longer.agreed)


def check_remark(log: Log, kind: Kind, of: int | None, player: int | None) -> None:
    """Refuse a second doubt about an entry, and a second agreement of a side to it; NotFound if no such entry counts."""
    entry = log.entry(0 if of is None else of)
    if kind == "doubt" and entry.seq in log.doubts:
        raise EntryRejected(RuleError(say("This entry is in doubt already.")))
    if kind == "agree" and log.agreement(entry.seq, player) is not None:
        raise EntryRejected(RuleError(say("This side agreed to this entry already.")))


def _line(log: Log, kind: Kind, of: int | None, events: tuple[Event, ...], *, key: str, player: int | None) -> Written:
    """Return the line that is to be written next.

    Raises EntryRejected when it would say nothing, NotFound when it names no line.
    """
    if kind == "undo":
        of = log.newest if of is None else of
        if of is None or not 0 < of <= log.seq:
            raise NotFound(say("There is nothing to undo."))
    elif kind in REMARKS:
        check_remark(log, kind, of, player)
    elif not events:
        raise EntryRejected(RuleError(say("There is nothing to enter."), field="events"))
    elif kind == "correct" and of is not None and log.entry(of).events == events:
        raise EntryRejected(RuleError(say("It says that already. Nothing was changed."), field="events"))
    return Written(log.seq + 1, key, player, now(), kind, of, events)


def _check_key(key: str) -> None:
    """Raise EntryRejected for what a phone can't call an entry."""
    if not KEY.fullmatch(key):
        raise EntryRejected(RuleError(say("This form has expired. Reload the page and enter it again."), field="key"))


def _line_with(log: Log, aliases: Mapping[str, int], key: str) -> Written | None:
    """Return the line with this key, its own or another phone's."""
    if key in aliases:
        return log.written[aliases[key] - 1]
    if key not in map(_KEY_OF, log.written):  # as nearly always, and quickly told however long the log is
        return None
    return next((line for line in reversed(log.written) if line.key == key), None)


def _same(line: Written, kind: Kind, of: int | None, events: tuple[Event, ...]) -> bool:
    """Return True when a line says what is sent once more: an undo without a number meant whatever was the newest then."""
    named = line.of if kind == "undo" and of is None else of
    return line.kind == kind and line.of == named and line.events == events


def _receipt(log: Log, seq: int) -> Receipt:
    return Receipt(seq, True, log.as_of(seq - 1), log.as_of(seq))
