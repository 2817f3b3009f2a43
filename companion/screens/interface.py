"""What does a game give the web? Its pages, its board, and its words for entries and results; so no other module knows a game.

:class:`Screens` is all of it, one object a game. Of its members these carry the most:

- ``pages``: classes of :class:`ScreenPage`, by the name in their address. The web makes one of its :class:`PageContext` (the
  position, the shared draft, what was typed) and asks for its ``outcome()``. That is one of four: events to enter
  (:class:`Submit`), a change of the shared draft (:class:`UpdateDraft`), a look at what the app draws (:class:`PreviewDraw`),
  or the page again (:class:`Rerender`), because it only asked or because something is wrong. ``view()`` is what its template
  shows.
- ``board``: a :class:`Board` from the log, for the match's own page; ``views``: pages on which something is only read.
- ``describe_entry``, ``value``, ``name``: an entry in words, beside another one, and on a button.
- ``summary``, ``totals``, ``finale``: how the match stands, and how it came out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, TypeVar

from werkzeug.datastructures import MultiDict

from companion.engine.core import Event, Position, RuleError, Standing
from companion.engine.text import Name, Sentence, capital, listing, say, term
from companion.matches.log import InForce, Log

DraftBody = dict[str, Any]  # what phones share of an entry, as the database holds it
FormData = MultiDict[str, str]
S = TypeVar("S")  # a game's state
T = TypeVar("T")

# NOTE: an entry, as all in this context: "Undo the end of the match". Say in further forms what other sentences ask for
THE_END = term("the end of the match", "what was entered")
UNKNOWN_KEY = say("That key doesn’t work here. Reload the page.")


class Faster(RuleError):
    """A tap on what phones share no longer means what its key said, because another phone was faster.

    ``same``: the other phone did the very same, and the match goes on with the page ``following`` (None: the match itself).
    """

    def __init__(self, *, same: bool = False, following: str | None = None) -> None:
        super().__init__(say("Another phone was faster. Look again, then tap what you mean."))
        self.same = same
        self.following = following if same else None


@dataclass(frozen=True, slots=True)
class Submit:
    """Enter these events, and afterwards say this, with how the match stands since unless ``totals`` is False.

    ``keep`` changes what phones share of the next entry, where they had begun to share something that belongs there.

    ``by_app``: what they say was drawn is drawn by the app, out of its bag. ``now`` is how things stand where that is not what
    the tapped key was about; empty where it is.
    """

    events: tuple[Event, ...]
    message: str
    by_app: bool = False
    totals: bool = True
    now: str = ""
    keep: Callable[[DraftBody | None], DraftBody | None] | None = None


@dataclass(frozen=True, slots=True)
class UpdateDraft:
    """Change the shared draft, then go to the page of this name (None: the match itself), with this query.

    ``step`` names it for whoever takes it back: "Di took it". With ``stay`` the same page is shown again, with
    everything else that was typed on it.
    """

    change: Callable[[DraftBody | None], DraftBody | None]
    next: str | None = None
    query: Mapping[str, str] = field(default_factory=dict)
    stay: bool = False
    step: str = ""


@dataclass(frozen=True, slots=True)
class Rerender:
    """Show the page again: it was only asked, or something on it is wrong."""

    wrong: bool = False


@dataclass(frozen=True, slots=True)
class PreviewDraw:
    """Let the app draw for an event that somebody must still complete, then go to the page of this name.

    ``show`` puts what was drawn into the shared draft, so that all phones see it; ``step`` names that. ``before`` are the
    events of the same entry that come before it.
    """

    event: Event
    show: Callable[[DraftBody | None, Event], DraftBody | None]
    next: str
    step: str = ""
    before: tuple[Event, ...] = ()


Outcome = Submit | UpdateDraft | PreviewDraw | Rerender


@dataclass(frozen=True, slots=True)
class PageContext:
    """Where a page is used: at a position of a match or of none, with the table's draft if phones share one.

    ``form_data`` is what came with a POST, else None. ``replacing`` holds the events that are being corrected, ``later`` those
    that were entered after them.
    ``viewer`` is the player (index) to whom this phone belongs. ``earlier`` looks for the newest draft of this game at the same
    table that has a part of this name: what is agreed on once a table is there.
    """

    position: Position[Any]
    draft: DraftBody | None = None
    shared: bool = False
    replacing: tuple[Event, ...] = ()
    form_data: MultiDict[str, str] | None = None
    query: Mapping[str, str] = field(default_factory=dict)
    viewer: int | None = None
    later: tuple[Event, ...] = ()
    earlier: Callable[[str], DraftBody | None] = lambda _part: None


def as_sentence(text: str) -> Sentence:
    """Return the text as a part of a sentence; an installed game may say it in English alone."""
    return text if isinstance(text, Sentence) else Sentence(text)


def named(text: str) -> Name | Sentence:
    """Return a player's name as a part of a sentence; where there are no names, a seat's word ("Left")."""
    return text if isinstance(text, Sentence) else Name(text)


def with_capital(sentence: str) -> Sentence:
    """Return the sentence with a capital, for a line of its own. A refusal still knows its rule."""
    return capital(as_sentence(sentence))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """What a page's template shows, as ``form``: each page adds its own fields.

    ``errors`` are the refusals by the place that each is about ("points"); the place "" is the whole page.
    ``outbox_label`` names what waits in the outbox when the form can't be sent: "Round 6".
    """

    errors: Mapping[str, str]
    outbox_label: str = ""

    def __post_init__(self) -> None:
        """Keep the refusals as they are now: the page that found them may go on."""
        object.__setattr__(self, "errors", MappingProxyType(dict(self.errors)))


@dataclass(frozen=True, slots=True)
class Mend:
    """How one more tap mends what was refused: ``why`` it was, what happens ``then``, and the ``label`` of the key.

    ``tap`` is what the key sends. It is only offered where no other single tap can be meant; whatever else is tapped closes it.
    """

    why: str
    then: str
    label: str
    tap: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What a match's own page shows, as ``board`` in match.html: each game adds its own fields.

    ``rows`` are the newest entries as they are listed there; None where they are not listed one by one. ``asks`` is the player
    whose turn it is, as far as the game knows: who deals, bids, plays or answers next. That player's phone may buzz.
    """

    rows: Sequence[Any] | None = None
    asks: int | None = None


class ScreenPage(ABC, Generic[S]):
    """One screen on which something is entered, corrected or calculated.

    The web makes a page of its :class:`PageContext`, asks it for its ``outcome()`` if something was sent, and at last for its
    ``view()``. By then the engine has been asked everything, so ``errors`` holds every refusal.
    """

    template: ClassVar[str]  # "games/beloz/round.html"
    after_the_end: ClassVar[bool] = False  # it can be opened once the match is over
    error_places: ClassVar[Mapping[str, str]] = {}  # where a refusal belongs, by the first word of the engine's field

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.position: Position[S] = context.position
        self.state: S = context.position.state
        self.players = context.position.players
        self.errors: dict[str, str] = {}
        self.form_data = self.prefill() if context.form_data is None else MultiDict(context.form_data)

    @property
    def outbox_label(self) -> str:
        """Return what waits in the outbox when this can't be sent; empty where nothing waits."""
        return ""

    @property
    def standalone(self) -> bool:
        """Return whether the page is a calculator: there is no match, and nothing is kept."""
        return not self.context.shared and not self.context.replacing

    def prefill(self) -> FormData:
        """Return what the form holds when it is opened: by default nothing."""
        return MultiDict()

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return what is to be done with what was sent. Raises RuleError where the rules forbid it."""

    @abstractmethod
    def view(self) -> PageView:
        """Ask the engine what is still to be asked, and return what the template shows."""

    def events(self) -> tuple[Event, ...] | None:
        """Return what saving would enter, or None while something is missing or wrong. By default nothing is saved here."""
        return None

    def ready(self) -> tuple[Event, ...] | None:
        """Return the whole entry that saving would make: the events, with those that a corrected entry holds after them."""
        events = self.events()
        return None if events is None else (*events, *self.context.replacing[len(events) :])

    def refuse(self, sentence: str, field: str = "") -> None:
        """Put a refusal at the place that the engine's field is about. What was said first of a place stays."""
        self.errors.setdefault(self.place_of(field), sentence)

    def place_of(self, field: str) -> str:
        """Return the place in the form that a field of the engine's event is; empty for the whole page."""
        return self.error_places.get(field.partition(".")[0], "")

    def asked(self, ask: Callable[[], T]) -> T | None:
        """Return the engine's answer, or None where it refuses: then the refusal is among the errors."""
        try:
            return ask()
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None

    def allowed(self, check: Callable[[], object]) -> bool:
        """Return whether a check of the engine raises no refusal; one that it raises is among the errors."""
        return self.asked(lambda: (check(),)) is not None


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a match is: in a few ``words`` beside other tables, and how much of it is over, in per cent.

    ``part`` is None where nobody can tell before the end. Where a match has a target, the best side's way there counts instead.
    """

    words: Sentence
    part: float | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that an entry says: a ``topic`` ("Pack 2"), its ``value`` ("Ana 5, Bo 4"), and what follows (``note``)."""

    topic: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """What an entry says, beside what another phone said instead: its ``number`` and its ``meaning``, or only in ``words``.

    Of ``facts`` those are shown in which two entries differ, instead of ``words``. ``outcome`` is what comes of the entry, good
    or bad by ``tone``; ``totals`` (one a side) are the totals after it, by default the scores.
    """

    words: str
    number: str = ""
    meaning: str = ""
    outcome: str = ""
    tone: str = ""
    facts: tuple[Fact, ...] = ()
    totals: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What the template of a :class:`View` shows: each view adds its own fields, which stand there by their names."""

    def names(self) -> dict[str, Any]:
        """Return the fields as the template knows them."""
        return {member.name: getattr(self, member.name) for member in fields(self)}


@dataclass(frozen=True, slots=True)
class View:
    """A screen without a form, for players and watchers.

    ``show`` returns the template's values from the match's log, the viewer's index among the players (or None), and the
    address's query.
    """

    template: str
    show: Callable[[Log, int | None, Mapping[str, str]], Reading]


@dataclass(frozen=True, slots=True)
class Moment:
    """The best moment of a match: its ``title`` ("233 points in round 6"), how it came about, and an icon for it."""

    title: str
    how: str = ""
    icon: str = "star"


@dataclass(frozen=True, slots=True)
class Finale:
    """How a finished match came out: the winner's figure, the others', why where the figures don't say it, the best moment.

    ``sentence`` is the result as words after the winner's name, where the figures in a row are no sentence. ``tie`` says in
    few words how somebody won whose figure others have too, where that is another for each match: "with more coins".
    """

    result: str
    others: str = ""
    why: str = ""
    moment: Moment | None = None
    sentence: str = ""
    tie: str = ""


def finale(standing: Standing, why: str = "", moment: Moment | None = None, *, lowest_wins: bool = False) -> Finale:
    """Return how a match came out by its scores: "1054" and "to 693"; of more sides each by name, the best first."""
    won = standing.winners[0]
    rest = [side for side in range(len(standing.sides)) if side not in standing.winners]
    if len(standing.sides) == 2:
        # NOTE: after the winner's score, which stands in large figures before it: "1054 to 693"
        others = say("to {score}", score=standing.scores[1 - won] or 0)
    else:
        others = scores_of(standing, sorted(rest, key=lambda side: standing.scores[side] or 0, reverse=not lowest_wins))
    return Finale(say("{score}", score=standing.scores[won] or 0), others, why, moment)


def score_line(standing: Standing) -> Sentence:
    """Return the scores of two sides in a row: "541 to 424"; of more sides each by name: "Ana 70, Bo 6, Cy 32"."""
    if len(standing.sides) != 2:
        return by_name(standing)
    score, other = (Name("–") if score is None else score for score in standing.scores)
    # NOTE: the scores of two sides: "541 to 424"
    return say("{score} to {other}", score=score, other=other)


def scores_of(standing: Standing, sides: Iterable[int]) -> Sentence:
    """Return the scores of some sides by name: "Ana 31, Bo 26"."""
    totals = [
        # NOTE: a player's score in a list: "Ana 31, Bo 26"
        say("{name}\u00a0{score}", name=Name(standing.sides[side]), score=score)
        for side in sides
        if (score := standing.scores[side]) is not None
    ]
    return listing(totals, "comma")


def by_name(standing: Standing) -> Sentence:
    """Return all scores by name: "Ana & Cy 541, Bo & Di 424"."""
    return scores_of(standing, range(len(standing.sides)))


def own_row(entry: InForce) -> str:
    """Return the id of the row that shows this entry alone."""
    return f"entry-{entry.seq}"


@dataclass(frozen=True, slots=True)
class Screens:
    """Everything that the web needs of one game besides its rules."""

    slug: str
    pages: Mapping[str, Callable[[PageContext], ScreenPage[Any]]]
    correction_page: Callable[[PageContext], ScreenPage[Any]]  # a complete entry on one page, to be corrected
    board: Callable[[Log, DraftBody | None, int | None], Board]  # from log, draft and viewer
    describe_entry: Callable[[InForce, Sequence[str]], str]  # one line about an entry: "round 6, 41 for Bo & Di"
    sample_players: tuple[str, ...]
    unit: str = "round"
    main: str | None = None  # the page whose form is on match.html itself, which is then its template
    views: Mapping[str, View] = field(default_factory=dict)
    seats_alike: bool = False  # the match's own page is the same from every seat: then it is rendered once for all of them
    # whether a draft holds what its owner alone may see, such as a bid that lies face down: then no seats are alike
    hides: Callable[[DraftBody | None], bool] = lambda _draft: False
    # parts of a draft that outlive their entry and hold for the table, such as what a point is worth: its file carries them
    agreed: tuple[str, ...] = ()
    lowest_wins: bool = False  # the side with the fewest points wins: the target then ends the match
    # the same for a game in which that depends on what a match agreed on
    lowest_wins_in: Callable[[Log], bool] | None = None
    own_colours: bool = False  # each side has a colour of its own in the game's box, whoever plays it
    turn: Literal["right", "left"] = "right"  # which way the turn runs around the table
    summary: Callable[[Standing], str] = by_name
    # how a match stands, beside what was just saved
    totals: Callable[[Standing], str] = lambda standing: scores_of(standing, range(len(standing.sides)))
    # what a match's first player does; nothing where the order of players means nothing, and by default as ``details`` tell
    first: Literal["deals", "starts", ""] | None = None
    # the first player of the rematch: the next dealer, or the next player where a match is a single deal of player 0
    next_first: Callable[[Standing], int] = lambda standing: standing.details.get("dealer", 1)
    # what a correction can change after an entry, as is shown before it is saved
    corrected_values: Callable[[Position[Any]], tuple[float | str | None, ...]] = lambda position: position.standing().scores
    # after what a changed total is told, by default the entry by its number; None where nothing new counts since the last
    change_label: Callable[[InForce, int], int | str | None] = lambda _entry, number: number
    # an entry's name, for a button that takes it back: "round 6"; by default how it is told, up to the first comma
    called: Callable[[InForce, Sequence[str]], str] | None = None
    # the value of an entry, for the page of a conflict with another phone; by default the entry's sentence
    valued: Callable[[InForce, Sequence[str]], Value] | None = None
    # the row in which the match's page shows an entry, by its id; the numbers there are struck out once they were corrected
    row: Callable[[Log, InForce], str] = lambda _log, entry: own_row(entry)
    numbers: Callable[[Log, InForce], Sequence[float | None]] = lambda _log, _entry: ()
    # what a table does as it did in its last match of the game, where the rules leave that open: "hand" for its own bag
    habit: Callable[[Log], str] = lambda _log: ""
    stage: Callable[[Log], Stage | None] = lambda _log: None  # how far a match is; by default the name of its newest entry
    ending: Callable[[Standing], str] = lambda standing: ""  # how a match ended, where its scores don't tell it
    came_out: Callable[[Log], Finale] | None = None  # how a match with winners came out, by default by its scores

    def name(self, entry: InForce, sides: Sequence[str]) -> str:
        """Return an entry's name: "round 6", "Bo's KILL 9". Of a list with commas that describes it, this is the first part."""
        if self.called:
            return self.called(entry, sides)
        description = self.describe_entry(entry, sides)
        if isinstance(description, Sentence) and description.joined == "comma":
            first = description.parts["0"]
            return first if isinstance(first, Sentence) else as_sentence(str(first))
        return description.partition(",")[0]

    def fewest_win(self, log: Log) -> bool:
        """Return whether the side with the fewest points wins this match."""
        return self.lowest_wins if self.lowest_wins_in is None else self.lowest_wins_in(log)

    def finale(self, log: Log) -> Finale:
        """Return how a match came out that is finished and has winners."""
        return self.came_out(log) if self.came_out else finale(log.standing, lowest_wins=self.fewest_win(log))

    def value(self, entry: InForce, sides: Sequence[str]) -> Value:
        """Return what an entry says, beside what another phone said instead."""
        return self.valued(entry, sides) if self.valued else Value(with_capital(self.describe_entry(entry, sides)))
