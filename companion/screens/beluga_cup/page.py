"""What do all pages of Beluga Cup share? The player, the zone, and the result of a play."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast, get_args

import msgspec
from werkzeug.datastructures import MultiDict

from companion.engine.beluga_cup import Account, BelugaCup, account
from companion.engine.beluga_cup.events import BelugaCupEvent
from companion.engine.beluga_cup.match import out_of
from companion.engine.beluga_cup.zones import NUMBERS as ZONE_NUMBERS
from companion.engine.core import Event
from companion.engine.decktet import SUITS, Suit
from companion.engine.text import say
from companion.screens.interface import FormData, PageView, ScreenPage

SIDES = ("0", "1")
SAMPLE_PLAYERS = (say("Player {n}", n=1), say("Player {n}", n=2))
NUMBERS = tuple(str(number) for number in ZONE_NUMBERS)


class Verdict(msgspec.Struct, frozen=True):
    """What saving would do: the account of it, and the points of both players after it."""

    account: Account
    points: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CupView(PageView):
    """What every page of the cup shows: the match, the kind of entry and what it may have been instead, and who does it.

    ``verdict`` is what saving would do; None while something is missing or wrong.
    """

    state: BelugaCup
    kind: str
    kinds: tuple[tuple[str, str], ...]
    player: int | None
    correcting: bool
    verdict: Verdict | None


class CupPage(ScreenPage[BelugaCup]):
    """A page on which one kind of event is entered or corrected."""

    kind: ClassVar[str]

    def prefill(self) -> FormData:
        """Return what the address says; pages add the entry that is to be corrected."""
        return MultiDict(self.context.query)

    @property
    def correcting(self) -> bool:
        """Return whether an entry is corrected."""
        return bool(self.context.replacing)

    @property
    def shows_verdict(self) -> bool:
        """Return whether the page says what saving would do. Elsewhere nobody is told why not before a tap."""
        return self.correcting

    @property
    def kinds(self) -> tuple[tuple[str, str], ...]:
        """Return what a wrong entry may have been instead, each with its words; only where the rules leave a choice."""
        if not self.correcting or not self.state.ready:
            return ()
        excuse = (("excuse", say("The Excuse")),) if self.state.excuse else ()
        if self.state.tracked:
            return (("play", say("A card")), ("discard", say("No card fits")), *excuse)
        return (("eat", say("Eaten")), *excuse) if excuse else ()

    @property
    def zone_number(self) -> int | None:
        """Return the zone that was chosen."""
        chosen = self.form_data.get("zone", "")
        return int(chosen) if chosen in NUMBERS else None

    @property
    def player(self) -> int | None:
        """Return who does it: whoever is on turn, or who was chosen where nobody is."""
        if self.state.turn is not None:
            return self.state.turn
        chosen = self.form_data.get("player", "")
        return int(chosen) if chosen in SIDES else None

    @abstractmethod
    def events(self) -> tuple[BelugaCupEvent, ...] | None:
        """Return what saving would enter, or None while something is still to be said."""

    def ready(self) -> tuple[Event, ...] | None:
        """Return the events that saving would enter, if the engine takes them."""
        return self.events() if self.verdict() is not None else None

    def verdict(self) -> Verdict | None:
        """Return what saving would do; None while something is missing or wrong."""
        events = self.events()
        return self.asked(lambda: self._judge(events)) if events else None

    def _judge(self, events: tuple[BelugaCupEvent, ...]) -> Verdict:
        before = position = self.position
        for event in events:
            before, position = position, position.apply(event)
        return Verdict(account(before.state, events[-1], position.state), position.standing().scores)

    def held(self, fish: Sequence[Suit], field: str) -> bool:
        """Return whether the bag holds all these fish; if not, the reason is at the field."""
        return self.allowed(lambda: out_of(self.state.bag, fish, field))

    def common(self) -> dict[str, Any]:
        """Return what every page of the cup shows."""
        verdict = self.verdict() if self.shows_verdict else None
        return {
            "errors": self.errors,
            "outbox_label": self.outbox_label,
            "state": self.state,
            "kind": self.kind,
            "kinds": self.kinds,
            "player": self.player,
            "correcting": self.correcting,
            "verdict": verdict,
        }


def fish_of(text: str, most: int) -> tuple[Suit, ...]:
    """Return the fish that a form carries ("suns,knots"); words that are no fish are passed over, and what is too much."""
    return tuple(suit_of(word) for word in text.split(",") if word in SUITS)[:most]


def suit_of(word: str) -> Suit:
    """Return the suit of this name."""
    return cast(Suit, next(suit for suit in get_args(Suit) if suit == word))


def text_of(fish: Iterable[Suit]) -> str:
    """Return the fish as one line, for a form to carry."""
    return ",".join(fish)
