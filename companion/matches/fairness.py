"""What do people do with the sealed bag? Add words of their own, look into the hand that draws, and see the proof.

Fish are drawn by :func:`companion.matches.entries.record`. The n-th that the app draws follows from seed, words, n and what is
in the bag: undone and drawn again, it is the same. Its seed is shown once the match is over and somebody who plays asks for it:
looking on never does, nor does keeping the match, because from then on the app draws no more, even if the end is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import bindparam, select, update

from companion.engine import GAMES, fair_draw
from companion.engine.core import JSON, Event, RuleError
from companion.engine.records import export_record
from companion.engine.text import say
from companion.matches import draws, entries, repository
from companion.matches.drafts import SharedDraft
from companion.matches.log import Author
from companion.storage import database, notifications
from companion.storage.models import Match, MatchId, db

Draft = dict[str, JSON] | None

_OPTIONS = select(Match.game, Match.options).where(repository.IT)
_BROUGHT = select(Match.brought).where(repository.IT)
_SET_OPTIONS = update(Match).where(repository.IT).values(options=bindparam("chosen"))


def add_word(match_id: MatchId, word: str) -> tuple[str, ...]:
    """Let a phone put a word of its own into the key of all draws, before anything is entered; returns all words so far.

    A word that is there already is not added again, so it may be sent twice. Raises RuleError (field ``word``), and NotFound.
    """
    word = word.strip()
    with database.writing(("match", match_id)) as connection:
        held = repository.hold(connection, match_id)
        match = connection.execute(_OPTIONS, match_id.named).one()
        game = GAMES.get(match.game)
        if game is None or game.draws is None:
            raise RuleError(say("No bag here, so no words to add."))
        words = list(match.options["words"])
        if word in words:
            return tuple(words)
        if held.seq:
            raise RuleError(say("Too late for words: fish are drawn. A rematch begins with a new bag."))
        if not word or not word.isprintable():
            raise RuleError(say("A word needs at least one letter, and only letters that can be seen."), field="word")
        try:
            chosen = repository.options_of(game, {**match.options, "words": [*words, word]})
        except RuleError as refused:
            sentence = say("This word is too long. It may have {most} characters.", most=fair_draw.LONGEST_WORD)
            if refused.field == "options.words":
                sentence = say("The bag has enough words: {n}.", n=fair_draw.MOST_WORDS)
            raise RuleError(sentence, field="word") from refused
        connection.execute(_SET_OPTIONS, {**match_id.named, "chosen": msgspec.to_builtins(chosen)})
        notifications.changed(match_id.table_id)
    return (*words, word)


def look(
    match_id: MatchId,
    event: Event,
    show: Callable[[Draft, Event], Draft],
    *,
    before: Sequence[Event] = (),
    expected_seq: int,
    step: str = "",
    player: Author = None,
    judged: SharedDraft | None = None,
) -> Event:
    """Return what the app draws for an event that somebody must still complete (a swap's returns); enter nothing.

    ``before`` are events that the same entry will hold before it, ``judged`` the draft that the tap was compared with.
    ``show`` puts what was drawn into the draft, as the ``step`` of this ``player``'s phone: nobody sees fish that other
    phones of the table don't see. Raises as :func:`companion.matches.entries.record` does, Overtaken where the draft is another
    than ``judged``, and Conflict whenever there are lines that the phone has not seen.
    """
    drawn: list[Event] = []

    def change(draft: Draft) -> Draft:
        log = entries.read(match_id)
        if expected_seq != log.seq:
            raise entries.Conflict(expected_seq, log)
        if not log.seq:  # or words could still be added by somebody who knows what they change
            raise entries.EntryRejected(RuleError(say("Draw fish for a zone first.")))
        drawn.append(draws.look(db.session.connection(), log, event, before))
        return show(draft, drawn[0])

    entries.change_draft(match_id, change, step=step, player=player, judged=judged)
    return drawn[0]


@dataclass(frozen=True, slots=True)
class Draw:
    """Fish that the app drew at once: the ``first`` of them by its number, counted from 1, and the ``entry`` by its place.

    ``zone`` is where they went, if the game says so. ``right`` is whether seed and words draw the same; None until the seed
    is shown.
    """

    first: int
    fish: tuple[str, ...]
    entry: int
    zone: int | None
    right: bool | None = None

    @property
    def last(self) -> int:
        """The number of the last of them."""
        return self.first + len(self.fish) - 1


@dataclass(frozen=True, slots=True)
class Proof:
    """The seal of a match's bag, the words in it, all that the app drew, and once the match is over the seed behind them.

    ``unrevealed``: the match is over, and nobody has asked for its seed, so it could go on with this bag. ``opened``: its seed
    was shown, and the match goes on without it. ``brought``: it came
    here in a table's file, so whether anybody saw the seal beforehand is not known here; ``elsewhere``: without the seed, so
    its draws can't be proved here.
    """

    seal: str
    words: tuple[str, ...]
    draws: tuple[Draw, ...]
    seed: bytes | None
    unrevealed: bool = False
    opened: bool = False
    elsewhere: bool = False
    brought: bool = False

    @property
    def fish(self) -> int:
        """How many fish the app drew."""
        return self.draws[-1].last if self.draws else 0

    @property
    def right(self) -> bool:
        """True if the seed is the sealed one and every draw is what it draws."""
        return (
            self.seed is not None and fair_draw.seal(self.seed) == self.seal.lower() and all(draw.right for draw in self.draws)
        )


def seal_of(log: entries.Log) -> str | None:
    """Return the seal of the match's bag in small letters, or None if it has none. Phones compare it with their first."""
    seal = draws.settled(log.start).seal
    return None if seal is None else seal.lower()


def proof(match_id: MatchId) -> Proof | None:
    """Return what can be shown of the match's bag now, each draw made once more if the seed was shown; None without a seal.

    Raises NotFound, and RulesVersionMismatch.
    """
    log = entries.read(match_id)
    settled = draws.settled(log.start)
    if settled.seal is None:
        return None
    connection = db.session.connection()
    bag_here = draws.find(connection, log.start, match_id)
    seed = _seed_of(log)
    key = None if seed is None else fair_draw.key(seed, settled.words)
    return Proof(
        settled.seal,
        settled.words,
        tuple(_draws(log, key)),
        seed,
        unrevealed=seed is None and bag_here is not None and log.position.finished,
        opened=seed is None and bag_here is not None and bag_here.shown,
        elsewhere=bag_here is None,
        brought=bool(connection.execute(_BROUGHT, match_id.named).scalar()),
    )


def _draws(log: entries.Log, key: bytes | None) -> Iterator[Draw]:
    number = 1
    for place, entry in enumerate(log.entries, start=1):
        position = entry.before
        for event in entry.events:
            drawn = draws.drawn_by_app(position, event)
            if drawn is not None:
                right = None if key is None else draws.same_fish(position, key, event)
                yield Draw(number, drawn.fish, place, drawn.zone, right)
                number += len(drawn.fish)
            position = position.apply(event)


def record(match_id: MatchId) -> dict[str, JSON]:
    """Return the match as a record that anybody can keep: the entries that count, and the seed of its bag if it was shown.

    Nothing changes by it. Raises NotFound, and RulesVersionMismatch.
    """
    log = entries.read(match_id)
    return export_record(log.position, [event for entry in log.entries for event in entry.events], _seed_of(log))


def show(match_id: MatchId) -> None:
    """Let everybody know the seed of a match that is over, because somebody asked for it who plays. Raises as :func:`record`.

    Whoever has the seed knows all fish to come. So the app draws no more from this bag, even if the end is undone.
    """
    with database.writing(("match", match_id)) as connection:
        repository.hold(connection, match_id)
        if entries.read(match_id).position.finished:
            draws.show(connection, match_id)
            notifications.changed(match_id.table_id)


@dataclass(frozen=True, slots=True)
class StillSealed:
    """A match whose bag something would be lost with: its ``number`` at the table, and whether it is ``over``."""

    number: int
    over: bool


def still_sealed(table_id: int) -> list[StillSealed]:
    """Return the matches that Companion draws on for, or drew for and nobody has seen the seed.

    A match that can't be read, or that was over before Companion drew anything, has nothing to prove.
    """
    sealed = []
    for number in draws.still_sealed(db.session.connection(), table_id):
        try:
            log = entries.read(MatchId(table_id, number))
        except (entries.NotFound, entries.Unreadable):
            continue
        over = log.position.finished
        if not over or any(_draws(log, None)):
            sealed.append(StillSealed(number, over))
    return sealed


def show_all(table_id: int) -> None:
    """Show the seeds of all bags of a table that leaves this phone. Companion draws no more fish at the table."""
    with database.writing(("table", table_id)) as connection:
        draws.show_all(connection, table_id)
        notifications.changed(table_id)


def _seed_of(log: entries.Log) -> bytes | None:
    """Return the seed of the bag, if it was shown and the match is over now."""
    if log.start.game.draws is None or not log.position.finished:
        return None
    bag = draws.find(db.session.connection(), log.start, log.match_id)
    return bag.seed if bag is not None and bag.shown else None
