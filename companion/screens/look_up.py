"""What does every look-up do with taps? Cards go where the person said, a second tap takes them back, the engine answers.

Nothing is kept: what has been picked travels in the form, and each request begins with it. A look-up judges nothing itself; it
builds the engine's question, and its frozen view shows the engine's words next to the card that they are about.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import msgspec
from werkzeug.datastructures import MultiDict

from companion.engine import GAMES
from companion.engine.core import JSON, Answer, Position, Question, RuleError, start
from companion.engine.records import RecordError, decode_question
from companion.engine.text import Sentence, capital
from companion.screens.interface import PageContext, PageView, Rerender, ScreenPage

FormData = MultiDict[str, str]
T = TypeVar("T")

LONGEST = 40  # characters of a word that is shown again
MOST = 60  # cards or numbers that one place of a page can hold


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match that the page is opened from: its position, the phones' shared draft, and whose phone this is (or None).

    ``first_side`` is the one that the match's pages show first.
    """

    position: Position[Any]
    draft: dict[str, JSON] | None = None
    viewer: int | None = None
    first_side: int = 0


@dataclass(frozen=True, slots=True)
class Area:
    """A place that taps put cards into. Once it holds ``room`` of them the ``next`` place is filled, if there is one."""

    name: str
    room: int | None = None
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """A key below the answer, with a label and a tap. A key without a tap opens the answer's rule."""

    label: str
    tap: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer, and the card (or the field) that the sentence is about, if it is a single one."""

    sentence: str
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUpView(PageView):
    """What a look-up's template shows, as ``look_up``: each game adds its own fields.

    ``subject`` is which of a game's look-ups this is, ``situation`` what the match knows of the moment, ``who`` its players.
    ``picks`` are the cards of each place, ``unknown`` those that do not exist, ``to`` is where the next card goes.
    """

    one_screen: bool
    subject: str
    situation: str
    who: tuple[str, ...]
    picks: Mapping[str, tuple[str, ...]]
    unknown: frozenset[str]
    areas: tuple[Area, ...]
    to: str
    incomplete: bool
    title: str
    text: str
    rule: str
    legal: tuple[str, ...]
    illegal: tuple[str, ...]

    @property
    def in_match(self) -> bool:
        """Return True if a match filled the page."""
        return bool(self.who)

    @property
    def refusal(self) -> Refusal | None:
        """Return what was refused first, if anything was."""
        return first_refusal(self.errors)

    def picked(self, name: str) -> tuple[str, ...]:
        """Return the cards of a place, in the order in which they were tapped."""
        return self.picks.get(name, ())

    def places(self, card: str) -> str:
        """Return the places in which the card lies, as words of an attribute."""
        return " ".join(area.name for area in self.areas if card in self.picked(area.name))

    def exists(self, card: str) -> bool:
        """Return True if there is such a card, so that it can be drawn."""
        return card not in self.unknown


def first_refusal(errors: Mapping[str, str]) -> Refusal | None:
    """Return what was refused first, if anything was."""
    return next((Refusal(sentence, at) for at, sentence in errors.items()), None)


class LookUp(ABC):
    """A look-up with its picked cards and the engine's answer.

    ``title`` and ``text`` are the answer in words, or, while ``incomplete`` is true, what is still to be picked. ``legal`` are
    the picked cards that the answer allows, ``illegal`` those that it does not, ``rule`` is the rule behind it.
    """

    slug: ClassVar[str]
    areas: ClassVar[tuple[Area, ...]] = ()
    lists: ClassVar[frozenset[str]] = frozenset()  # places that may hold the same thing several times
    goes: ClassVar[frozenset[str]] = frozenset()  # fields that a tap sets, "go:to:hand"
    one_screen: ClassVar[bool] = False  # all of it is in sight at once, with the answer: nothing need be said twice
    file: ClassVar[str] = "may_i"  # its template, beside the other pages of its game

    def __init__(self, form_data: FormData) -> None:
        self.form_data = form_data
        self.errors: dict[str, str] = {}  # why there is no answer, by the card or field that each refusal is about
        self.incomplete = False
        self.title = ""
        self.refused: str = ""  # what stands above the refusal, if not that it can't be
        self.text = ""
        self.rule = ""
        self.ways: tuple[Way, ...] = ()
        self.legal: tuple[str, ...] = ()
        self.illegal: tuple[str, ...] = ()
        if "tap" in form_data:
            self._tap(form_data.poplist("tap")[0])
        self.look_up()

    @classmethod
    def prefill(cls, match: MatchState) -> FormData:
        """Return what the form holds at first when it is opened from this match; nothing on a page that never is."""
        return MultiDict()

    @abstractmethod
    def look_up(self) -> None:
        """Ask the engine about what has been picked, and set the answer, or why there is none."""

    @property
    def template(self) -> str:
        """Return where it is drawn."""
        return f"games/{self.slug}/{self.file}.html"

    @property
    def subject(self) -> str:
        """Return which of the game's look-ups this is; empty where there is one."""
        return ""

    @property
    def situation(self) -> str:
        """Return what the match knows of the moment, in a sentence."""
        return ""

    # What has been picked

    def picked(self, name: str) -> tuple[str, ...]:
        """Return the cards of a place, in the order in which they were tapped."""
        return tuple([word[:LONGEST] for word in self.form_data.getlist(name)[:MOST]])

    def chosen(self, name: str, among: Iterable[str], default: str = "") -> str:
        """Return which of these was chosen; the default if none of them was."""
        value = self.form_data.get(name, "")
        return value if value in among else default

    def names(self, count: int, without_table: Sequence[str]) -> tuple[str, ...]:
        """Return what the players are called: by their names in a match, by where they sit without one."""
        names = tuple(name for name in self.picked("who") if name.strip())
        return names if len(names) == count else tuple(without_table)

    @property
    def carried(self) -> tuple[str, ...]:
        """Return the places whose cards travel in the form."""
        return tuple(dict.fromkeys((*(area.name for area in self.areas), *sorted(self.lists))))

    @property
    def in_match(self) -> bool:
        """Return True if a match filled the page."""
        return bool(self.form_data.getlist("who"))

    @property
    def to(self) -> str:
        """Return the place that a tapped card goes to."""
        return self.chosen("to", [area.name for area in self.areas], self.areas[0].name if self.areas else "")

    def exists(self, card: str) -> bool:
        """Return True if there is such a card, so that it can be drawn; on a page without cards there is none."""
        return False

    @property
    def refusal(self) -> Refusal | None:
        """Return what was refused first, if anything was."""
        return first_refusal(self.errors)

    @property
    def wrong(self) -> bool:
        """Return True if something that was picked can't be."""
        return bool(self.errors)

    def view(self) -> PageView:
        """Return what the template shows. By then the engine has answered."""
        return LookUpView(**self.common())

    def common(self) -> dict[str, Any]:
        """Return the fields that the views of all look-ups have."""
        picks = {name: self.picked(name) for name in self.carried}
        return {
            "errors": self.errors,
            "one_screen": self.one_screen,
            "subject": self.subject,
            "situation": self.situation,
            "who": tuple(self.form_data.getlist("who")),
            "picks": picks,
            "unknown": frozenset(card for cards in picks.values() for card in cards if not self.exists(card)),
            "areas": self.areas,
            "to": self.to,
            "incomplete": self.incomplete,
            "title": self.title,
            "text": self.text,
            "rule": self.rule,
            "legal": self.legal,
            "illegal": self.illegal,
        }

    # Taps

    def _tap(self, tap: str) -> None:
        """Do what a tapped key says: the scripts of the page do the same without asking."""
        kind, _, rest = tap.partition(":")
        name, _, value = rest.partition(":")
        if kind == "add" and name in self.lists:
            self.form_data.add(name, value)
        elif kind == "drop" and name in self.lists:
            self._take(name, value)
        elif kind == "go" and name in self.goes:
            self.form_data[name] = value
        elif tap and self.areas and not self._take(self.to, tap):
            self.form_data.add(self.to, tap)
            self._advance()

    def _take(self, name: str, value: str) -> bool:
        """Take the last one of these away; False if there is none."""
        held = self.form_data.getlist(name)
        if value not in held:
            return False
        place = len(held) - 1 - held[::-1].index(value)
        self.form_data.setlist(name, [*held[:place], *held[place + 1 :]])
        return True

    def _advance(self) -> None:
        area = next(area for area in self.areas if area.name == self.to)
        if area.next and area.room is not None and len(self.form_data.getlist(area.name)) == area.room:
            self.form_data["to"] = area.next

    # The answer

    def wait(self, title: str, text: str = "", *ways: Way) -> None:
        """Say what is still to be picked; what is wrong already is said before."""
        if not self.errors:
            self.incomplete, self.title, self.text, self.ways = True, title, text, ways

    def refuse(self, sentence: str, at: str = "") -> None:
        """Say at a card or field why there is no answer. The first reason stays."""
        self.errors.setdefault(at, sentence)

    def where(self, field: str) -> str:
        """Return the card or field that a path of the engine's question is about: "hand.3" is the hand's fourth card."""
        name, _, place = field.partition(".")
        cards = self.picked(name) if name in self.carried else ()
        if place.isdecimal() and int(place) < len(cards):
            return cards[int(place)]
        return cards[-1] if cards and not place else name

    def asked(self, ask: Callable[[], T]) -> T | None:
        """Return the engine's answer, or None where it refuses: then the refusal is at its place."""
        try:
            return ask()
        except RuleError as refused:
            self.refuse(refused.message, self.where(refused.field))
            return None

    def ask(self, kind: type[Question], question: dict[str, JSON]) -> Any:
        """Return what the engine says, or None: then the reason is the refusal."""
        game = GAMES[self.slug]
        try:
            return self.asked(lambda: self._answer(game.answer, kind, question))
        except RecordError as refused:
            inner = refused.message.parts.get("sentence")  # after the place, which people see without it
            self.refuse(capital(inner if isinstance(inner, Sentence) else refused.message), self.where(refused.field))
        return None

    @staticmethod
    def _answer(answer: Any, kind: type[Question], question: dict[str, JSON]) -> Answer:
        try:
            decoded = msgspec.convert(question, kind)
        except msgspec.ValidationError:  # let the reader of records say what is wrong, in its words
            _, decoded = decode_question(msgspec.json.encode(question))
        answered: Answer = answer(decoded)
        return answered


class Calculator(LookUp):
    """A look-up on a form of its own, at the beginning of a match that nobody plays: its players are samples."""

    players: ClassVar[tuple[str, ...]]
    file: ClassVar[str] = "calculate"

    @cached_property
    def position(self) -> Position[Any]:
        """Return the beginning of the match."""
        return start(GAMES[self.slug], self.players)


class PageCalculator(Calculator):
    """A page of the match as a calculator: what it would enter is asked of the engine, and forgotten."""

    page: ClassVar[type[ScreenPage[Any]]]

    def _tap(self, tap: str) -> None:
        """Leave the tap to the page."""
        self.form_data["tap"] = tap

    def look_up(self) -> None:
        """Let the page check what was sent, as if it were to be entered."""
        sent = self.form_data or None
        page = self.page(PageContext(position=self.position, form_data=sent))
        self._refused = False
        if sent:
            try:
                outcome = page.outcome()
                self._refused = isinstance(outcome, Rerender) and outcome.wrong
            except RuleError as refused:
                page.refuse(refused.message, refused.field)
                self._refused = True
        self._view = page.view()

    @property
    def template(self) -> str:
        """Return where the page is drawn."""
        return self.page.template

    @property
    def wrong(self) -> bool:
        """Return True if the page refused the form. A question about a missing field is no refusal."""
        return self._refused

    def view(self) -> PageView:
        """Return what the page shows."""
        return self._view
