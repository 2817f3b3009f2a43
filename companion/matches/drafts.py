"""What do a table's phones share of the next entry before it is complete? It is stored with the steps that led there.

A draft belongs to the entry after which it comes. Saving its entry puts it aside, and undoing that entry brings it back; what
is undone, redone or corrected elsewhere leaves it alone. Each step remembers what was before it, so that the newest can be
taken back, and until the next step be done again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Annotated, Any, Final

import msgspec
from sqlalchemy import Connection, and_, bindparam, delete, select

from companion.engine.core import JSON, RuleError
from companion.engine.text import say
from companion.matches import kept_sentences, repository
from companion.matches.log import Author
from companion.storage import database, notifications
from companion.storage.models import Draft, Match, MatchId
from companion.storage.statements import Statement

LARGEST: Final = 16 * 1024  # bytes
MOST_STEPS: Final = 30  # Undo takes back so many one by one, and all earlier ones together

_IT: Final = and_(repository.of_match(Draft), Draft.after == bindparam("after"))
_READ = Statement(select(Draft.body, Draft.steps).where(_IT))
_DROP = Statement(delete(Draft).where(_IT))
_EARLIER = Statement(
    select(Draft.body)
    .join(Match, and_(Match.table_id == Draft.table_id, Match.number == Draft.match_number))
    .where(Draft.table_id == bindparam("its_table"), Match.game == bindparam("game"), Draft.body.contains(bindparam("part")))
    .order_by(Draft.match_number.desc(), Draft.after.desc())
    .limit(1)
)
_ADD = Statement(repository.insertion(Draft, "after", "body", "steps"))

_ALL = Statement(select(Draft.after, Draft.body).where(repository.of_match(Draft)).order_by(Draft.after))

Body = dict[str, JSON]


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step of a draft: ``what`` it was ("Di took it") and the number of the ``player`` whose phone it was, if it is known.

    ``draft`` is the draft before it; once it was taken back, the draft after it, ``by`` is who took it back, if known, and
    ``at`` the log position at which that was.
    """

    id: str
    kept: str = msgspec.field(name="what", default="")
    player: int | None = None
    draft: Body | None = None
    by: int | None = None
    at: int = 0

    @property
    def what(self) -> str:
        """The step as a sentence, for any language."""
        return kept_sentences.read(self.kept)


class SharedDraft(msgspec.Struct, frozen=True, omit_defaults=True):
    """A draft's ``body``, the steps that led there, and those that were taken back since; both with the newest at the end."""

    body: Body | None = None
    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()

    @property
    def newest(self) -> Step | None:
        """The step that "undo" means."""
        return self.done[-1] if self.done else None

    @property
    def taken_back(self) -> Step | None:
        """The step that "redo" means."""
        return self.undone[-1] if self.undone else None

    def changed(self, body: Body | None, label: str, player: int | None) -> SharedDraft:
        """Return the draft after one more step.

        A second tap on the same tile takes the newest step back and adds none. A change without a name adds none either: no
        button could offer to take it back.
        """
        if not label:
            return msgspec.structs.replace(self, body=body)
        if self.done and self.done[-1].draft == body:
            return self.without(player)
        done = (*self.done, Step(secrets.token_urlsafe(6), kept_sentences.store(label), player, self.body))
        if len(done) > MOST_STEPS:
            first, second, *others = done
            done = (msgspec.structs.replace(second, draft=first.draft), *others)
        return SharedDraft(body, done)

    def without(self, player: int | None) -> SharedDraft:
        """Return the draft after its newest step was taken back."""
        *done, newest = self.done
        gone = msgspec.structs.replace(newest, draft=self.body, by=player)
        return SharedDraft(newest.draft, tuple(done), (*self.undone, gone))

    def again(self) -> SharedDraft:
        """Return the draft after the step that was taken back last was done again."""
        *undone, gone = self.undone
        return SharedDraft(gone.draft, (*self.done, msgspec.structs.replace(gone, draft=self.body, by=None)), tuple(undone))


class OtherEntry(Exception):
    """The phone's draft comes after another entry than the match's newest: something was saved or undone meanwhile."""


class Overtaken(Exception):
    """What a tap was judged by has changed at this very moment. Nothing was stored: look again, and judge it anew."""


class NotNewest(Exception):
    """The step is not the newest, or is none any more. ``newest`` is, if there is one."""

    def __init__(self, newest: Step | None) -> None:
        super().__init__()
        self.newest = newest


def draft(match_id: MatchId, after: int) -> Body | None:
    """Return what is known of what comes after the entry ``after``; None when there is nothing."""
    return shared(match_id, after).body


def shared(match_id: MatchId, after: int) -> SharedDraft:
    """Return the draft that comes after the entry ``after``, with its steps."""
    if not repository.is_possible(match_id):
        return SharedDraft()
    with database.reading() as connection:
        return read(connection, match_id, after)


def read(connection: Connection, match_id: MatchId, after: int) -> SharedDraft:
    """Return the same by this connection, of a match that there can be."""
    return as_stored(*(_READ.one(connection, **match_id.named, after=after) or (None, None)))


def earlier(match_id: MatchId, game: str, part: str) -> Body | None:
    """Return the newest draft of this game at the match's table that has a part of this name; None where there is none."""
    with database.reading() as connection:
        row = _EARLIER.one(connection, its_table=match_id.table_id, game=game, part=f'"{part}":')
    return None if row is None else msgspec.json.decode(row[0])


class Agreed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table has agreed on in the draft that comes after the entry ``after``, as its file has it."""

    after: Annotated[int, msgspec.Meta(ge=0)]
    body: Body


def agreed(connection: Connection, match_id: MatchId, parts: Collection[str]) -> Iterator[Agreed]:
    """Yield what the drafts of a match say of these parts, and nothing else that phones share."""
    for after, text in _ALL.all(connection, **match_id.named) if parts else ():
        body = {name: part for name, part in (msgspec.json.decode(text) or {}).items() if name in parts}
        if body:
            yield Agreed(after, body)


def agree(connection: Connection, match_id: MatchId, given: Sequence[Agreed], parts: Collection[str]) -> bool:
    """Add such parts to the drafts of a match where nothing is said of them yet; return whether any was added."""
    added = False
    for draft in given:
        before = read(connection, match_id, draft.after)
        theirs = {name: part for name, part in draft.body.items() if name in parts}
        body = {**theirs, **(before.body or {})}
        text = msgspec.json.encode(body).decode()
        if body == (before.body or {}) or len(text) > LARGEST:
            continue
        steps = msgspec.json.encode(_Steps(before.done, before.undone)).decode()
        _DROP.all(connection, **match_id.named, after=draft.after)
        _ADD.all(connection, **match_id.named, after=draft.after, body=text, steps=steps)
        added = True
    return added


class _Steps(msgspec.Struct, frozen=True, omit_defaults=True):
    """The steps as the database keeps them."""

    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()


_STEPS: Final = msgspec.json.Decoder(_Steps)


def as_stored(body: str | None, steps: str | None) -> SharedDraft:
    """Return the draft of a row, or an empty one where there is none."""
    if body is None or steps is None:
        return SharedDraft()
    held = _STEPS.decode(steps)
    return SharedDraft(msgspec.json.decode(body), held.done, held.undone)


def change_draft(
    match_id: MatchId,
    change: Callable[[Body | None], Body | None],
    *,
    step: str = "",
    player: Author = None,
    after: int | None = None,
    judged: SharedDraft | None = None,
) -> Body | None:
    """Let ``change`` make a new draft of the present one, or None for an empty one; returns it. All phones hear of it.

    ``step`` names the change for who takes it back, ``player`` whose phone it is. ``change`` runs where nobody else can change
    the draft: it must not wait for anything. What it raises is passed on, and nothing is changed. ``judged`` is the draft that
    the tap was compared with before it came here. Raises NotFound when there is no such match, OtherEntry where ``after`` is
    not its newest entry, Overtaken where the draft is another than ``judged``, and RuleError when it grows out of bounds.
    """

    def following(shared: SharedDraft, by: int | None) -> SharedDraft:
        if judged is not None and judged != shared:
            raise Overtaken
        body = change(shared.body)
        return shared if body == shared.body else shared.changed(body, step, by)

    return _change(match_id, following, after, player).body


def undo_step(match_id: MatchId, step: str, *, after: int, player: Author = None) -> Step:
    """Take the newest step back, if it is ``step``; returns it. Raises NotNewest, OtherEntry and NotFound."""

    def back(shared: SharedDraft, by: int | None) -> SharedDraft:
        if shared.newest is None or shared.newest.id != step:
            raise NotNewest(shared.newest)
        return shared.without(by)

    gone = _change(match_id, back, after, player).taken_back
    assert gone is not None
    return gone


def redo_step(match_id: MatchId, step: str, *, after: int) -> Step:
    """Do the step again that was taken back last, if it is ``step``; returns it. Raises NotNewest, OtherEntry and NotFound."""

    def forth(shared: SharedDraft, _by: int | None) -> SharedDraft:
        if shared.taken_back is None or shared.taken_back.id != step:
            raise NotNewest(shared.newest)
        return shared.again()

    done = _change(match_id, forth, after).newest
    assert done is not None
    return done


def _change(
    match_id: MatchId, change: Callable[[SharedDraft, int | None], SharedDraft], after: int | None, player: Author = None
) -> SharedDraft:
    with database.writing(("match", match_id)) as connection:
        held = repository.hold(connection, match_id, player)
        if after is not None and after != held.head:
            raise OtherEntry
        old = read(connection, match_id, held.head)
        new = change(old, held.number(player))
        if new == old:
            return new
        if len(new.undone) > len(old.undone):
            *undone, gone = new.undone
            new = msgspec.structs.replace(new, undone=(*undone, msgspec.structs.replace(gone, at=held.seq)))
        body = msgspec.json.encode(new.body)
        if len(body) > LARGEST:
            raise RuleError(say("One entry can’t hold that much. Take something back first."))
        steps: Any = msgspec.json.encode(_Steps(new.done, new.undone))
        _DROP.all(connection, **match_id.named, after=held.head)
        _ADD.all(connection, **match_id.named, after=held.head, body=body.decode(), steps=steps.decode())
        notifications.changed(match_id.table_id, links_stay=True)
    return new
