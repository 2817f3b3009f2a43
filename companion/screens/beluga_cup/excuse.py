"""How is the Excuse played? It swaps fish of a zone that nobody has played into, or takes a card back from the own side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar, TypeVar

import msgspec

from companion.engine.beluga_cup import ExcuseSwap, ExcuseTake, Shuffle, swaps, takes
from companion.engine.beluga_cup.events import Fish, Player, ZoneNumber
from companion.engine.beluga_cup.match import swap_size
from companion.engine.beluga_cup.zones import remaining
from companion.engine.core import Event, RuleError
from companion.engine.decktet import EXCUSE, SUITS, Suit
from companion.engine.text import Name, say, say_n
from companion.screens.beluga_cup.page import NUMBERS, CupPage, CupView, fish_of, suit_of, text_of
from companion.screens.drafts import DraftCodec
from companion.screens.interface import DraftBody, Faster, FormData, Outcome, PageContext, PreviewDraw, Rerender, Submit

T = TypeVar("T")


class Swap(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Fish that Companion has drawn for a swap, shown on all phones until it is told which go back."""

    player: Player
    zone: ZoneNumber
    drawn: Fish
    shuffled: bool = False  # the Excuse was among the discards until this very turn (ruling U13)


class SwapDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the table's phones share between the draw and the choice."""

    swap: Swap | None = None


CODEC = DraftCodec(SwapDraft)


def read(stored: DraftBody | None) -> Swap | None:
    """Return the swap that waits for its choice, or None."""
    return CODEC.read(stored).swap


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcuseView(CupView):
    """Both uses of the Excuse: what can be swapped (``swaps``) or taken back (``takes``), else why not; and what was answered.

    A swap mixes the ``fish`` of the zone with those ``drawn``; ``back`` are the places of those that go back, ``needed`` many.
    """

    card: str
    zone_number: int | None
    swapping: bool
    complete: bool
    fish: tuple[Suit, ...]
    drawn: tuple[Suit, ...]
    text: str
    needed: int
    left: Mapping[Suit, int]
    mixed: tuple[Suit, ...]
    back: tuple[int, ...]
    by_app: bool
    next_question: str
    swaps: tuple[int, ...]
    no_swap: str
    takes: tuple[tuple[int, str], ...]
    no_take: str
    shuffled: bool


class ExcusePage(CupPage):
    """Both uses of the Excuse. Fish that Companion draws for a swap are seen by everybody before any goes back."""

    template: ClassVar[str] = "games/beluga-cup/excuse.html"
    kind: ClassVar[str] = "excuse"
    error_places: ClassVar[Mapping[str, str]] = {
        "zone": "use",
        "drawn": "drawn",
        "returned": "back",
        "drawn_by": "drawn",
        "card": "use",
        "player": "player",
    }

    outbox_label = say("The Excuse")

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        if self.shuffled:
            self.state = self.position.apply(Shuffle()).state

    @property
    def shuffled(self) -> bool:
        """Return whether the deck was shuffled before this play: one entry then tells both (ruling U13)."""
        rests = self.position.state.excuse and self.position.state.discarded(EXCUSE)
        shuffled = self.form_data.get("shuffled") == "1" or (self.drawn_by_app is not None and self.drawn_by_app.shuffled)
        return shuffled and (rests or self.correcting)

    def prefill(self) -> FormData:
        """Return the zone of the address, the swap that waits, or the entry that is to be corrected."""
        data = super().prefill()
        for event in self.context.replacing:
            if isinstance(event, Shuffle):
                data["shuffled"] = "1"
            if isinstance(event, ExcuseTake):
                data["card"], data["zone"], data["player"] = event.card, str(event.zone), str(event.player)
            if isinstance(event, ExcuseSwap):
                data["zone"], data["player"], data["drawn"] = str(event.zone), str(event.player), text_of(event.drawn)
                data["by"] = event.drawn_by
                data.setlist("back", self._places(self.state.zone(event.zone).fish + event.drawn, event.returned))
        return data

    @staticmethod
    def _places(mixed: tuple[Suit, ...], returned: tuple[Suit, ...]) -> list[str]:
        """Return where in the mixed fish those are that went back."""
        left = list(returned)
        places = []
        for place, suit in enumerate(mixed):
            if suit in left:
                left.remove(suit)
                places.append(str(place))
        return places

    @cached_property
    def drawn_by_app(self) -> Swap | None:
        """Return the fish that Companion has drawn already, for everybody to see."""
        return None if self.correcting else read(self.context.draft)

    @property
    def player(self) -> int | None:
        """Return who plays the Excuse."""
        return self.drawn_by_app.player if self.drawn_by_app else super().player

    @property
    def zone_number(self) -> int | None:
        """Return the zone whose fish are swapped, or in which the card lies."""
        return self.drawn_by_app.zone if self.drawn_by_app else super().zone_number

    @property
    def card(self) -> str:
        """Return the card that is taken back."""
        return self.form_data.get("card", "")

    @property
    def swapping(self) -> bool:
        """Return True once it is known whose fish are swapped."""
        return not self.card and self.zone_number is not None and self.player is not None

    @property
    def fish(self) -> tuple[Suit, ...]:
        """Return the fish in the zone before the swap."""
        return self.state.zone(self.zone_number).fish if self.zone_number is not None else ()

    @property
    def needed(self) -> int:
        """Return how many fish are drawn, and go back."""
        return swap_size(self.state, self.state.zone(self.zone_number)) if self.zone_number is not None else 0

    @property
    def drawn(self) -> tuple[Suit, ...]:
        """Return the fish drawn so far."""
        return self.drawn_by_app.drawn if self.drawn_by_app else fish_of(self.form_data.get("drawn", ""), self.needed)

    @property
    def by_app(self) -> bool:
        """Return True when Companion drew them."""
        return self.drawn_by_app is not None or (self.correcting and self.form_data.get("by") == "app")

    @property
    def shows_verdict(self) -> bool:
        """Return whether the page says what saving would do: once all fish are drawn."""
        return self.correcting or self.complete

    @property
    def complete(self) -> bool:
        """Return True once all fish are drawn."""
        return self.swapping and self.needed > 0 and len(self.drawn) == self.needed

    @property
    def mixed(self) -> tuple[Suit, ...]:
        """Return the fish of the zone and those drawn, to choose from."""
        return self.fish + self.drawn

    @property
    def back(self) -> tuple[int, ...]:
        """Return which of the mixed fish go back, by their places."""
        places = {str(place): place for place in range(len(self.mixed))}
        return tuple(places[chosen] for chosen in dict.fromkeys(self.form_data.getlist("back")) if chosen in places)

    def events(self) -> tuple[Shuffle | ExcuseSwap | ExcuseTake, ...] | None:
        """Return the card taken back, or the swap once it is known which fish go back; after a shuffle, if there was one."""
        player, zone = self.player, self.zone_number
        if player is None or zone is None:
            return None
        before = (Shuffle(),) if self.shuffled else ()
        if self.card:
            return (*before, ExcuseTake(player, zone, self.card))
        if not self.complete or not self.back:
            return None
        returned = tuple(self.mixed[place] for place in self.back)
        return (*before, ExcuseSwap(player, zone, self.drawn, returned, "app" if self.by_app else "hand"))

    def outcome(self) -> Outcome:
        """Take a card back at once; for a swap let the fish be drawn first, and then ask which go back."""
        taken = self.form_data.get("take", "")
        if taken:
            number, _, card = taken.partition(":")
            self.form_data["zone"], self.form_data["card"] = number, card
        swapped = self.form_data.get("swap", "")
        if swapped in NUMBERS:
            self.form_data["zone"], self.form_data["card"] = swapped, ""
            self.form_data.setlist("back", [])
            return Rerender()
        tap, added = self.form_data.get("tap", ""), self.form_data.get("add", "")
        if not self.form_data.get("ask"):
            self._check_seen()
        if tap == "draw" and self.zone_number is not None and self.player is not None and not self.correcting:
            event = ExcuseSwap(self.player, self.zone_number, (), (), "app")
            draws = say("{player} draws for a swap", player=Name(self.players[self.player]))
            before = (Shuffle(),) if self.shuffled else ()
            show = partial(shared, shuffled=self.shuffled)
            return PreviewDraw(event, show, next="excuse", step=draws, before=before)
        if tap == "back":
            self.form_data["drawn"], self.form_data["by"] = text_of(self.drawn[:-1]), "hand"
            return Rerender()
        if added in SUITS:
            return self._added(suit_of(added))
        if self.form_data.get("ask"):
            return Rerender()
        events = self.events()
        if events is None:
            self.errors[self._open_place] = self.next_question
            return Rerender(wrong=True)
        toast = say("The Excuse was played")
        if self.shuffled:
            toast = say("{what}, after a shuffle", what=toast)
        return Submit(events, toast, by_app=self.by_app)

    def _check_seen(self) -> None:
        """Raise Faster if Companion's draw is another than the page showed: which fish go back is said by their places."""
        by, seen = self.form_data.get("by"), (self.form_data.get("zone"), self.form_data.get("drawn"))
        waits = self.drawn_by_app
        if self.correcting or by not in {"app", "hand"} or (waits is None and by == "hand"):
            return
        if waits is None or by == "hand" or seen != (str(waits.zone), text_of(waits.drawn)):
            raise Faster

    def _added(self, suit: Suit) -> Outcome:
        drawn = (*self.drawn, suit)
        if not self.held(drawn, "drawn"):
            return Rerender(wrong=True)
        self.form_data["drawn"] = text_of(drawn)
        return Rerender()

    @property
    def next_question(self) -> str:
        """Return the next question; empty once the Excuse can be entered."""
        if self.player is None:
            return say("Tap who plays the Excuse.")
        if self.card:
            return ""
        if not self.swapping:
            return say("Tap a zone to swap, or a card to take back.")
        if not self.complete:
            return say_n("Draw {n} more fish.", "Draw {n} more fish.", self.needed - len(self.drawn))
        if self.needed == len(self.back):
            return ""
        return say_n("Tap the fish that goes back into the bag.", "Tap the {n} fish that go back into the bag.", self.needed)

    @property
    def _open_place(self) -> str:
        if self.player is None:
            return "player"
        return "use" if not self.swapping else "drawn" if not self.complete else "back"

    def view(self) -> ExcuseView:
        """Return what was answered so far, and what can be swapped or taken back."""
        possible, no_swap = self._possible(lambda: swaps(self.state))
        player = self.player
        cards, no_take = ((), "") if player is None else self._possible(lambda: takes(self.state, player))
        return ExcuseView(
            **self.common(),
            card=self.card,
            zone_number=self.zone_number,
            swapping=self.swapping,
            complete=self.complete,
            fish=self.fish,
            drawn=self.drawn,
            text=text_of(self.drawn),
            needed=self.needed,
            left=remaining(self.state.bag, self.drawn),
            mixed=self.mixed,
            back=self.back,
            by_app=self.by_app,
            next_question=self.next_question,
            swaps=possible,
            no_swap=no_swap,
            takes=cards,
            no_take=no_take,
            shuffled=self.shuffled,
        )

    @staticmethod
    def _possible(ask: Callable[[], tuple[T, ...]]) -> tuple[tuple[T, ...], str]:
        """Return what the engine allows, and why it allows nothing."""
        try:
            return ask(), ""
        except RuleError as refused:
            return (), refused.message


def shared(stored: DraftBody | None, event: Event, *, shuffled: bool = False) -> DraftBody | None:
    """Return the draft that shows on all phones what Companion drew for a swap. Raises Faster where another swap waits."""
    if not isinstance(event, ExcuseSwap):
        return None
    waits, swap = read(stored), Swap(event.player, event.zone, event.drawn, shuffled)
    if waits is not None and waits != swap:
        raise Faster
    return CODEC.store(SwapDraft(swap))
