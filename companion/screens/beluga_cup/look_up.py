"""Where may a Beluga Cup hand be played? Every zone and side, sets of Aces, what the Excuse can do, or that nothing fits.

Side 0 of a zone belongs to whoever asks, side 1 to the opponent.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from msgspec import UNSET
from werkzeug.datastructures import MultiDict

from companion.engine.beluga_cup import BelugaCup, LegalPlays
from companion.engine.beluga_cup.cards import DECKS, HAND, Deck
from companion.engine.beluga_cup.plays import Choice, LegalAnswer
from companion.engine.beluga_cup.zones import NUMBERS, ZONES, Zone, make_zone, size
from companion.engine.core import JSON
from companion.engine.decktet import CARDS, SUITS, Card, Suit
from companion.engine.text import say, term
from companion.screens.interface import as_sentence
from companion.screens.look_up import Area, FormData, LookUp, LookUpView, MatchState

SIDES = (say("your side"), say("their side"))


def _areas() -> tuple[Area, ...]:
    fish = [Area(f"f{number}", size(number), f"f{number + 1}" if number < ZONES else "hand") for number in NUMBERS]
    sides = [Area(f"s{number}{side}") for number in NUMBERS for side in (0, 1)]
    return (Area("hand"), *fish, *sides)


@dataclass(frozen=True, slots=True)
class PlayOption:
    """Cards that may be played (one, several Aces, or the Excuse), and where or what for, a few words each."""

    cards: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CupLookUpView(LookUpView):
    """Which deck is played with, its cards, and what each place is called."""

    deck_name: Deck
    deck: tuple[Card, ...]
    place_names: Mapping[str, str]
    decks: ClassVar[Mapping[str, str]] = {
        "basic": say("Basic"),
        "courts": say("Courts and Excuse"),
        "pawns": say("Pawns"),
    }
    suits: ClassVar[tuple[Suit, ...]] = SUITS


@dataclass(frozen=True, slots=True, kw_only=True)
class BelugaCupLookUpView(CupLookUpView):
    """The zones as they were picked, and where single cards and sets of Aces may be played."""

    zones: tuple[Zone, ...]
    single: tuple[PlayOption, ...]
    sets: tuple[PlayOption, ...]
    hand_size: ClassVar[int] = HAND


class CupLookUp(LookUp):
    """Fish and cards of the cup that are tapped, whatever is asked about them."""

    slug: ClassVar[str] = "beluga-cup"

    def exists(self, card: str) -> bool:
        """Return True if there is such a card."""
        return card in CARDS

    @cached_property
    def deck_name(self) -> Deck:
        """Return which cards are played with."""
        return next((deck for deck in DECKS if deck == self.form_data.get("deck")), "basic")

    @property
    def deck(self) -> tuple[Card, ...]:
        """Return the cards that can be tapped."""
        return DECKS[self.deck_name]

    @abstractmethod
    def place_name(self, area: str) -> str:
        """Return what a place is called."""

    def common(self) -> dict[str, Any]:
        """Return the fields that the views of both look-ups have."""
        return {
            **super().common(),
            "deck_name": self.deck_name,
            "deck": self.deck,
            "place_names": {area.name: self.place_name(area.name) for area in self.areas},
        }

    def fish(self, area: str) -> list[Suit]:
        """Return the fish of a place, as far as they are fish."""
        return [suit for suit in SUITS for given in self.picked(area) if given == suit]


class BelugaCupLookUp(CupLookUp):
    """A hand and the four zones."""

    areas: ClassVar[tuple[Area, ...]] = _areas()
    lists: ClassVar[frozenset[str]] = frozenset(f"f{number}" for number in NUMBERS)

    @classmethod
    def prefill(cls, match: MatchState) -> FormData:
        """Return the zones as they lie, from the side of the viewer, else of whoever is on turn."""
        state: BelugaCup = match.position.state
        me = match.viewer if match.viewer is not None else (state.turn or 0)
        data: FormData = MultiDict()
        data.setlist("who", [state.players[me], state.players[1 - me]])
        data["deck"] = state.options.deck
        for zone in state.zones:
            data.setlist(f"f{zone.number}", list(zone.fish))
            for side, owner in ((0, me), (1, 1 - me)):
                data.setlist(f"s{zone.number}{side}", [card.id for card in zone.sides[owner]])
        return data

    @property
    def to(self) -> str:
        """Return where a tapped card goes; fish come first where there are none."""
        nothing = not self.form_data.getlist("to") and not any(self.form_data.getlist(f"f{number}") for number in NUMBERS)
        return "f1" if nothing else super().to

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Return whoever asks, and the opponent."""
        return self.names(2, (term("You", "seat"), term("Opponent", "seat")))

    def place_name(self, area: str) -> str:
        """Return what a place is called: "the fish of zone 2", "zone 3, your side"."""
        if area == "hand":
            return say("My hand")
        if area.startswith("f"):
            return say("The fish of zone {n}", n=int(area[1]))
        return say("Zone {n}, {side}", n=int(area[1]), side=SIDES[int(area[2])])

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Return the picked zones, without the impossible ones."""
        return tuple(
            make_zone(
                number,
                self.fish(f"f{number}"),
                [[CARDS[card] for card in self.picked(f"s{number}{side}") if card in CARDS] for side in (0, 1)],
            )
            for number in NUMBERS
        )

    plays: Mapping[tuple[str, ...], list[Choice]] = {}  # of the cards that may be played together

    def view(self) -> BelugaCupLookUpView:
        """Return the zones, with what the engine says of the hand."""
        options = [PlayOption(cards, tuple(self._words(choices))) for cards, choices in self.plays.items()]
        return BelugaCupLookUpView(
            **self.common(),
            zones=self.zones,
            single=tuple(option for option in options if len(option.cards) == 1),
            sets=tuple(option for option in options if len(option.cards) > 1),
        )

    def _tap(self, tap: str) -> None:
        """Put a fish into the zone that is chosen, else into the first that has room."""
        kind, _, suit = tap.partition(":")
        if kind != "fish":
            super()._tap(tap)
        elif suit in SUITS:
            rooms = [number for number in NUMBERS if len(self.form_data.getlist(f"f{number}")) < size(number)]
            self.form_data["to"] = self.to if self.to.startswith("f") else f"f{rooms[0] if rooms else ZONES}"
            self.form_data.add(self.to, suit)
            self._advance()

    def where(self, field: str) -> str:
        """Return the card of a zone's side, or the zone's fish."""
        parts = field.split(".")
        if parts[0] == "zones" and len(parts) >= 3:
            number = int(parts[1]) + 1
            if parts[2] == "fish":
                return f"f{number}"
            return super().where(f"s{number}{parts[3]}.{parts[4]}") if len(parts) == 5 else f"f{number}"
        return super().where(field)

    def look_up(self) -> None:
        """Look up every legal play."""
        hand = self.picked("hand")
        zones: list[JSON] = [
            {"fish": list(self.picked(f"f{number}")), "sides": [list(self.picked(f"s{number}{side}")) for side in (0, 1)]}
            for number in NUMBERS
        ]
        question = {"game": self.slug, "player": 0, "hand": list(hand), "zones": zones, "deck": self.deck_name}
        answer: LegalAnswer | None = self.ask(LegalPlays, question)
        if answer is None:
            return
        if not any(self.picked(f"f{number}") for number in NUMBERS):
            text = say("Tap a fish. The next zone follows when one is full. Then the cards.")
            self.wait(say("Which fish swim in zone {n}?", n=1), text)
            return
        if not hand:
            self.wait(say("Now the cards in your hand"), say("You’ll see where each fits."))
            return
        self._tell(answer, hand)

    def _tell(self, answer: LegalAnswer, hand: tuple[str, ...]) -> None:
        plays: dict[tuple[str, ...], list[Choice]] = {}
        for choice in answer.plays:
            plays.setdefault(choice.cards, []).append(choice)
        self.plays = plays
        usable = {card for cards in plays for card in cards}
        self.legal = tuple(card for card in hand if card in usable)
        self.illegal = tuple(card for card in hand if card not in usable)
        self.text = answer.why
        if answer.must_discard:
            self.title, self.rule = say("No card fits"), "U8"
        else:
            self.title = (
                say("{n} of {all} may be played", n=len(self.legal), all=len(hand))
                if len(hand) > 1
                else say("It may be played")
            )
            self.rule = "U2"

    @staticmethod
    def _words(choices: list[Choice]) -> list[str]:
        """Return where these cards may be played: "zone 1, your side", "zone 3, either side", "swap the fish of zone 2"."""
        sides: dict[int, list[int]] = {}
        words: list[str] = []
        for choice in choices:
            if choice.use == "swap":
                words.append(say("swap the fish of zone {n}", n=choice.zone))
            elif choice.use == "take" and choice.card is not UNSET:
                card = as_sentence(CARDS[choice.card].title)
                words.append(say("take back {card} from zone {n}", card=card, n=choice.zone))
            elif choice.side is not UNSET:
                sides.setdefault(choice.zone, []).append(choice.side)
        either = say("either side")
        # NOTE: where a card may be played: "zone 1, your side"
        return [
            *(say("zone {n}, {side}", n=zone, side=either if len(on) == 2 else SIDES[on[0]]) for zone, on in sides.items()),
            *words,
        ]
