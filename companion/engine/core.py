"""What is every game to the rest of Companion? Events in, a standing out, and a sentence when the rules say no.

A game is a value (:class:`Game`) made of plain functions on frozen states. A :class:`Position` is where a match stands after
some of its events. Nothing here knows cards, clocks, files or chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from types import GenericAlias
from typing import Any, ClassVar, Generic, TypeVar, overload

import msgspec

from companion.engine.text import Name, Sentence, listing, say, say_n

T = TypeVar("T")
State = TypeVar("State")
MOST_PEOPLE = 12  # seats of a table: no game is for more players
JSON = Any  # what JSON can hold: None, bool, int, str, list, dict


class RuleError(Exception):
    """The rules refuse this. The message is a sentence for the person who asked: what is wrong, and what would be right.

    ``rule`` names the rule text's section ("Scoring") or the ruling ("B14") behind it; ``field`` is the path to the part of
    the event or question that is wrong ("count.points", "declarations.1", "hand.3"), or empty when it is about all of it.
    """

    def __init__(self, message: Sentence, *, rule: str = "", field: str = "") -> None:
        super().__init__(message)
        self.message = message.by(rule)
        self.rule = rule
        self.field = field


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Something that happened at the table, as the log stores it. Each game derives its own, tagged by ``type``."""


class Stop(Event, frozen=True, tag="stop"):
    """The players end the match where it stands; nobody wins. Every game has it (records: "stop")."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the players agreed on before the match. Each game derives its own; every option has a default."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A look-up that needs no match ("may I play this?"). Each game derives its own, with ``game`` and perhaps ``ask``."""


class Answer(msgspec.Struct, frozen=True):
    """What the engine says to a :class:`Question`."""


class Line(msgspec.Struct, frozen=True):
    """One line of a sum that explains a number: what, how many for each side (None: not theirs), and which rule."""

    what: Sentence
    amounts: tuple[float | None, ...]
    rule: str = ""


class Lines(Sequence[Line]):
    """The lines of an explanation, made when somebody first reads them: who asks for a standing often wants its scores alone.

    A line that takes long may be a function that makes it. Then it is made once it is read itself.

    >>> Lines(lambda: [Line(Sentence("Cards"), (12, 8)), lambda: Line(Sentence("Last"), (10, None))])[1].what
    'Last'
    """

    def __init__(self, explain: Callable[[], Iterable[Line | Callable[[], Line]]]) -> None:
        self._explain = explain

    @cached_property
    def _all(self) -> list[Line | Callable[[], Line]]:
        return list(self._explain())

    def _line(self, at: int) -> Line:
        line = self._all[at]
        if not isinstance(line, Line):
            line = self._all[at] = line()
        return line

    @overload
    def __getitem__(self, at: int) -> Line: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Line, ...]: ...
    def __getitem__(self, at: int | slice) -> Line | tuple[Line, ...]:
        return tuple(map(self._line, range(len(self))[at])) if isinstance(at, slice) else self._line(at)

    def __len__(self) -> int:
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # it is equal to other sequences


def plain(number: float | Fraction) -> float:
    """Return a number as records write it: whole where it is, and a half as 0.5.

    >>> plain(Fraction(5, 2)), plain(2.0), plain(2)
    (2.5, 2, 2)
    """
    if isinstance(number, int):
        return number
    return float(number) if number % 1 else int(number)


class Standing(msgspec.Struct, frozen=True):
    """The scores of a match as it stands, and why.

    ``scores`` holds a number a side (None while it is not known yet; a float is a half, as 2.5), ``sides`` their names,
    ``winners`` the indices of the sides that won. ``rounds`` holds the points added a round, for games that have rounds.
    ``lines`` add up to ``scores``.
    ``details`` are the game's own keys of a replay's answer, in JSON's terms.
    """

    scores: tuple[float | None, ...]
    sides: tuple[str, ...]
    finished: bool
    winners: tuple[int, ...]
    lines: Sequence[Line] = ()
    rounds: tuple[tuple[float, ...], ...] | None = None
    details: Mapping[str, JSON] = {}
    stopped: bool = False

    def ahead(self, *, lowest_wins: bool = False) -> tuple[int, ...]:
        """Return the sides with the best score so far; none while all have the same, or no score is known.

        >>> Standing((3, 5, None, 5), ("Ana", "Bo", "Cy", "Di"), False, ()).ahead()
        (1, 3)
        >>> Standing((3, 5, None, 5), ("Ana", "Bo", "Cy", "Di"), False, ()).ahead(lowest_wins=True)
        (0,)
        """
        scores = [score for score in self.scores if score is not None]
        best = min(scores, default=None) if lowest_wins else max(scores, default=None)
        return tuple(side for side, score in enumerate(self.scores) if score == best) if len(set(scores)) > 1 else ()


class Drawn(msgspec.Struct, frozen=True):
    """A draw from the bag, as an event tells it: the fish in order, the zone, and the player who drew."""

    fish: tuple[str, ...]
    zone: int | None = None
    by_app: bool = False


class Settled(msgspec.Struct, frozen=True):
    """How a match's draws were settled before it: the seal of the seed, and the words that phones added. None: by hand."""

    seal: str | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draws(Generic[State]):
    """What a game needs so that the app can draw in it, out of a sealed bag (:mod:`companion.engine.fair_draw`).

    ``redraw(state, key, event)`` is the event with what the app draws for it, whatever it held before, or None if the app
    has no part in it; it raises RuleError where nothing can be drawn now. ``drawn(event)`` is what an event says was drawn,
    None if nothing was. ``settled(options)`` reads what was settled, ``settle(options, seal)`` settles it anew, without words.
    """

    redraw: Callable[[State, bytes, Event], Event | None]
    drawn: Callable[[Event], Drawn | None]
    settled: Callable[[Any], Settled]
    settle: Callable[[Any, str], Options]


@dataclass(frozen=True, slots=True)
class Game(Generic[State]):
    """One game: everything that Companion knows about it.

    ``start(players, options)`` gives the first state, ``apply(state, event)`` the next one or raises :class:`RuleError`,
    ``finished(state)`` tells whether any further event is too late. ``answer(question)`` answers a look-up.
    ``turns`` is False where anybody may act at any moment, so that an entry is tried on the newest state first;
    ``any_order(state)`` tells the same of a single match, such as one by a sheet on which each fills boxes of their own.
    ``verify(players, options, seed, events)`` counts the draws that the app made and re-derives each, or raises ``DrawError``.
    ``draws`` is what the app draws for the players, if it does. ``settle(options)`` are the options as a match stores them,
    and ``called(options)`` is what such a match is called, where that is not the game's title.
    """

    slug: str
    title: str
    seats: tuple[int, int]  # fewest and most players
    options: type[Options]
    events: tuple[type[Event], ...]  # its own, without Stop
    start: Callable[[tuple[str, ...], Any], State]
    apply: Callable[[State, Any], State]
    finished: Callable[[State], bool]
    standing: Callable[[State], Standing]
    questions: tuple[type[Question], ...] = ()
    answer: Callable[[Any], Answer] | None = None
    verify: Callable[[Sequence[str], Any, bytes, Sequence[Event]], int] | None = None
    draws: Draws[State] | None = None
    settle: Callable[[Any], Options] | None = None
    called: Callable[[Any], Sentence | Name] | None = None
    turns: bool = True
    any_order: Callable[[State], bool] | None = None
    rules_version: int = 1  # of the rules as coded here; a match keeps the one that it began with
    earlier: tuple[Game[State], ...] = ()  # the same game by older rules, to read and go on with what began by them

    def __post_init__(self) -> None:
        """Let msgspec take apart what is read of this game, once: two threads that were the first to read it would crash."""
        msgspec.json.Decoder(GenericAlias(tuple, (self.options, *self.event_types(), *self.questions)))

    def by_version(self, version: int) -> Game[State] | None:
        """Return the game by this version of its rules, or None if they are not known here."""
        return next((game for game in (self, *self.earlier) if game.rules_version == version), None)

    def event_types(self) -> tuple[type[Event], ...]:
        """Return every event that a match of this game may hold, ``stop`` included."""
        return (*self.events, Stop)


@dataclass(frozen=True, slots=True)
class Position(Generic[State]):
    """Where a match stands: its game, its players in turn order, the game's state, and whether it was stopped."""

    game: Game[State]
    players: tuple[str, ...]
    options: Options
    state: State
    stopped: bool = False

    @property
    def title(self) -> str:
        """What the match is called: by its game, or by what was agreed on."""
        return self.game.title if self.game.called is None else self.game.called(self.options)

    @property
    def finished(self) -> bool:
        """True once nothing more can be entered: somebody has won, or the players stopped."""
        return self.stopped or self.game.finished(self.state)

    @property
    def turns(self) -> bool:
        """False where entries of this match belong nowhere in particular: each is tried on the newest state."""
        return self.game.turns and (self.game.any_order is None or not self.game.any_order(self.state))

    def check_open(self) -> None:
        """Raise RuleError once nothing more can be entered."""
        if self.finished:
            raise RuleError(say("The match is over. Undo its last entry or start a rematch to go on."))

    def apply(self, event: Event) -> Position[State]:
        """Return the position after one more event. Raises RuleError if the rules forbid it. This position never changes."""
        self.check_open()
        if isinstance(event, Stop):
            return replace(self, stopped=True)
        return Position(self.game, self.players, self.options, self.game.apply(self.state, event))

    def standing(self) -> Standing:
        """Return scores, winners and the reasons. A stopped match is finished and has no winners."""
        standing = self.game.standing(self.state)
        if not self.stopped:
            return standing
        return msgspec.structs.replace(standing, finished=True, stopped=True, winners=())


class ReplayError(Exception):
    """An event that the rules refuse, with its index from 0 in ``event`` and the reason in ``cause``."""

    def __init__(self, event: int, cause: RuleError) -> None:
        super().__init__(f"event {event}: {cause.message}")
        self.event = event
        self.cause = cause


MAX_NAME = 40


def check_seats(title: Name | Sentence, seats: tuple[int, int], seated: int) -> None:
    """Raise RuleError (field ``players``) if a game for the fewest to the most players (``seats``) is not for so many."""
    fewest, most = seats
    if fewest <= seated <= most:
        return
    needs = (
        say_n("{game} needs {n} player.", "{game} needs {n} players.", most, game=title)
        if fewest == most
        else say("{game} needs {fewest} to {most} players.", game=title, fewest=fewest, most=most)
    )
    rest = (
        say_n("{n} more to go.", "{n} more to go.", fewest - seated)
        if seated < fewest
        else say_n("You are {n}.", "You are {n}.", seated)
    )
    raise RuleError(listing([needs, rest], "text"), field="players")


def check_players(game: Game[Any], players: Sequence[str]) -> tuple[str, ...]:
    """Return the players as a tuple, if their number and names are fit for the game; else RuleError (field ``players``)."""
    check_seats(Name(game.title), game.seats, len(players))
    for number, name in enumerate(players):
        if not name.strip():
            raise RuleError(say("Every player needs a name."), field=f"players.{number}")
        if len(name) > MAX_NAME:
            long = say("A name has at most {most} characters. This one has {n}.", most=MAX_NAME, n=len(name))
            raise RuleError(long, field=f"players.{number}")
        if name in players[:number]:
            same = say("Two players are called {name}. Give them different names.", name=Name(name))
            raise RuleError(same, field=f"players.{number}")
    return tuple(players)


def start(game: Game[State], players: Sequence[str], options: Options | None = None) -> Position[State]:
    """Return a match before its first event. Raises RuleError when players or options do not fit the game.

    >>> from companion.engine.bisque import GAME
    >>> start(GAME, ("Ana", "Bo", "Cy")).state.players
    ('Ana', 'Bo', 'Cy')
    """
    seated = check_players(game, players)
    chosen = game.options() if options is None else options
    return Position(game, seated, chosen, game.start(seated, chosen))


def replay(position: Position[State], events: Iterable[Event]) -> Position[State]:
    """Return the position after all these events. Raises ReplayError at the first that the rules refuse.

    >>> from companion.engine.bisque import GAME, Pot
    >>> tricks = (Pot("ace-moons", 1), Pot("crown-suns"))
    >>> replay(start(GAME, ("Ana", "Bo", "Cy")), tricks).state.pot[-1].card
    'crown-suns'
    """
    for index, event in enumerate(events):
        try:
            position = position.apply(event)
        except RuleError as refused:
            raise ReplayError(index, refused) from refused
    return position


@dataclass(frozen=True, slots=True, eq=False)
class PersistentList(Generic[T]):
    """What has happened so far, oldest first: a sequence that grows at its end without changing what others hold of it.

    Adding costs the same however long it is, so a replay's cost grows with the number of events and no faster.
    """

    newest: T | None = None
    before: PersistentList[T] | None = None
    length: int = field(default=0)

    EMPTY: ClassVar[PersistentList[Any]]

    def add(self, item: T) -> PersistentList[T]:
        """Return this list with one more item at its end."""
        return PersistentList(item, self, self.length + 1)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[T]:
        items: list[T] = []
        rest: PersistentList[T] | None = self
        while rest is not None and rest.before is not None:
            items.append(rest.newest)  # type: ignore[arg-type]  # only the empty list holds no item
            rest = rest.before
        return reversed(items)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PersistentList)
            and len(self) == len(other)
            and all(a == b for a, b in zip(self, other, strict=True))
        )

    def __hash__(self) -> int:
        return hash(tuple(self))


PersistentList.EMPTY = PersistentList()
