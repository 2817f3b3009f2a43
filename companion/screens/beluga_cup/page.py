"""What all pages of Beluga Cup have in common: where the match stands, what was typed, what would come of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, cast, get_args

import msgspec
from werkzeug.datastructures import MultiDict

from companion.engine.beluga_cup import Account, BelugaCup, account
from companion.engine.beluga_cup.events import BelugaCupEvent
from companion.engine.beluga_cup.match import out_of
from companion.engine.beluga_cup.zones import NUMBERS as ZONE_NUMBERS
from companion.engine.core import Event, Position, RuleError
from companion.engine.decktet import SUITS, Suit
from companion.screens.page import Outcome, PageContext

SIDES = ("0", "1")
NUMBERS = tuple(str(number) for number in ZONE_NUMBERS)


class Verdict(msgspec.Struct, frozen=True):
    """What saving would do: the account of it, and the points of both players after it."""

    account: Account
    points: tuple[int | None, ...]


class CupPage(ABC):
    """A page on which one kind of event is entered or corrected. ``places`` tells which part of it a refused field is."""

    template: ClassVar[str]
    kind: ClassVar[str]
    places: ClassVar[Mapping[str, str]] = {}

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.position: Position[BelugaCup] = context.position
        self.state = self.position.state
        self.players = context.position.players
        self.correcting = bool(context.replacing)
        self.errors: dict[str, str] = {}
        self.form_data = MultiDict(context.form_data) if context.form_data is not None else self.before_typing()

    def before_typing(self) -> MultiDict[str, str]:
        """What the page holds when it is opened: what the address says, or the entry that is to be corrected."""
        return MultiDict(self.context.query)

    @property
    def outbox_label(self) -> str:
        """What waits in the outbox when this can't be sent."""
        return "Your entry"

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        """What a wrong entry may have been instead, each with its words; only where the rules leave a choice."""
        if not self.correcting or not self.state.ready:
            return ()
        excuse = (("excuse", "The Excuse"),) if self.state.excuse else ()
        if self.state.tracked:
            return (("play", "A card"), ("discard", "No card fits"), *excuse)
        return (("eat", "Eaten"), *excuse) if excuse else ()

    @property
    def zone_number(self) -> int | None:
        """The zone that was chosen."""
        chosen = self.form_data.get("zone", "")
        return int(chosen) if chosen in NUMBERS else None

    @property
    def player(self) -> int | None:
        """Who does it: whoever is on turn, or who was chosen where nobody is."""
        if self.state.turn is not None:
            return self.state.turn
        chosen = self.form_data.get("player", "")
        return int(chosen) if chosen in SIDES else None

    @abstractmethod
    def events(self) -> tuple[BelugaCupEvent, ...] | None:
        """What saving would enter, or None while something is still to be said."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """What is to be done with what was typed."""

    @property
    def verdict(self) -> Verdict | None:
        """What saving would do; None while something is missing, or wrong (the reason is then among the errors)."""
        events = self.events()
        if not events:
            return None
        position = self.position
        try:
            for event in events:
                before, position = position, position.apply(event)
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None
        return Verdict(account(before.state, events[-1], position.state), position.standing().scores)

    def ready(self) -> tuple[Event, ...] | None:
        """The events that saving would enter, if the engine takes them."""
        return self.events() if self.verdict is not None else None

    def held(self, fish: Sequence[Suit], field: str) -> bool:
        """Whether the bag holds all these fish; if not, the reason is at the field."""
        try:
            out_of(self.state.bag, fish, field)
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return False
        return True

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the part of the page that it is about."""
        self.errors.setdefault(self.places.get(field.partition(".")[0], ""), sentence)


def fish_of(text: str, most: int) -> tuple[Suit, ...]:
    """The fish that a form carries ("suns,knots"); words that are no fish are passed over, and what is too much."""
    return tuple(suit_of(word) for word in text.split(",") if word in SUITS)[:most]


def suit_of(word: str) -> Suit:
    """The suit of this name."""
    return cast(Suit, next(suit for suit in get_args(Suit) if suit == word))


def text_of(fish: Iterable[Suit]) -> str:
    """The fish as one line, for a form to carry."""
    return ",".join(fish)
