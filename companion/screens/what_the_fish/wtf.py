"""How are WTF cards entered, each with whom it asks for, and the Flint Flush?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from companion.engine.core import Event, RuleError
from companion.engine.text import say
from companion.engine.what_the_fish import Buddha, FlintFlush, WhatTheFishState, Wtf
from companion.engine.what_the_fish.advice import next_move
from companion.engine.what_the_fish.cards import BEAVER_BUDDHA, WTF_CARDS, WtfCard, WtfName, new_hand
from companion.screens.interface import UNKNOWN_KEY, Outcome, PageContext, PageView, Rerender, ScreenPage, Submit
from companion.screens.what_the_fish import words
from companion.screens.what_the_fish.play import ending_of, swim_of

BUDDHA = "beaver-buddha"
CARDS: dict[str, WtfCard] = {BUDDHA: BEAVER_BUDDHA, **{str(name): card for name, card in WTF_CARDS.items()}}  # as listed

Part = Literal["who", "card", "target", "to"]
NAMED = ("who", "target", "to")  # the parts that are players


def wtf_name(word: str) -> WtfName:
    """Return the WTF card of this name."""
    return next(name for name in WTF_CARDS if name == word)


@dataclass(frozen=True, slots=True)
class Offered:
    """A WTF card to choose: what it does, and why it can't be played just now, if it can't."""

    name: str
    card: WtfCard
    why_not: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WtfView(PageView):
    """What was answered so far, the next question, and what can be tapped for it.

    ``undoes`` is what undoing the last action would undo; empty while no fish swims. ``on`` is what lies there.
    """

    who: int | None
    card: str | None
    chosen: WtfCard | None
    target: int | None
    to: int | None
    next_part: Part | None
    next_question: str
    cards: tuple[Offered, ...]
    possible: tuple[int, ...]
    undoes: str
    on: str


class WtfPage(ScreenPage[WhatTheFishState]):
    """Who plays which WTF card on whom. The last answer enters it."""

    template: ClassVar[str] = "games/what-the-fish/wtf.html"
    outbox_label = say("A WTF card")

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.card = self.form_data.get("card") if self.form_data.get("card") in CARDS else None
        self.who, self.target, self.to = (words.index(self.form_data.get(name, ""), self.players) for name in NAMED)
        if self.who is None and context.form_data is None:
            self.who = context.viewer

    @property
    def chosen(self) -> WtfCard | None:
        """Return the card that was tapped."""
        return CARDS[self.card] if self.card else None

    @property
    def next_part(self) -> Part | None:
        """Return what has to be said next; None once the card can be entered."""
        if self.chosen is None:
            return "card"
        if self.who is None:
            return "who"
        if self.chosen.target and self.target is None:
            return "target"
        return "to" if self.chosen.to and self.to is None else None

    def possible(self, part: Part | None) -> tuple[int, ...]:
        """Return the players who can be named next, as far as the engine allows it."""
        everybody = range(len(self.players))
        if part == "target":
            return tuple(player for player in everybody if self._could(player, None))
        if part == "to":
            return tuple(player for player in everybody if self._could(self.target, player))
        return tuple(everybody)

    def outcome(self) -> Outcome:
        """Take a tap as the answer to a question; when none is left, enter the card."""
        part, _, value = self.form_data.get("tap", "").partition(":")
        if part == "card":
            self.card = value if value in CARDS else None
            self.target = self.to = None
        elif part in NAMED:
            setattr(self, part, words.index(value, self.players))
        elif part:
            self.refuse(UNKNOWN_KEY)
            return Rerender(wrong=True)
        if not part:
            return Rerender()
        parts: tuple[Part, ...] = ("target", "to")
        for of_whom in parts:  # no question if only one player is possible
            if self.next_part == of_whom and len(self.possible(of_whom)) == 1:
                setattr(self, of_whom, self.possible(of_whom)[0])
        if self.next_part is not None:
            return Rerender()
        event = self._event(self.target, self.to)
        return Submit((event,), words.describe(event, self.players, self.state), totals=False, now=self._now(event))

    def _now(self, event: Event) -> str:
        """Return how the swim stands, if the card is about the newest card and that is another than the page showed."""
        seen = self.form_data.get("on", self.on)
        undoes = isinstance(event, Wtf) and event.card == "time-traveler"
        return next_move(self.state).sentence if undoes and seen != self.on else ""

    @property
    def on(self) -> str:
        """Return which swim it is, how many cards lie there and which number is to be beaten."""
        duel = self.state.duel
        return swim_of(self.state) if duel is None else f"{ending_of(self.state)}.{len(duel.plays)}.{len(duel.frozen)}"

    def refuse(self, sentence: str, field: str = "") -> None:
        """Put a refusal over the cards, and let another be chosen."""
        super().refuse(sentence, field)
        self.card = self.target = self.to = None

    def view(self) -> WtfView:
        """Return every WTF card with what keeps it from being played, or the players whom the chosen one may name."""
        card, part = self.chosen, self.next_part
        questions = {"who": say("Who plays it?"), "target": card and card.target, "to": card and card.to}
        return WtfView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            who=self.who,
            card=self.card,
            chosen=card,
            target=self.target,
            to=self.to,
            next_part=part,
            next_question=questions.get(part or "") or say("Which card?"),
            cards=() if card else tuple(Offered(name, card_data, self._why_not(name)) for name, card_data in CARDS.items()),
            possible=self.possible(part) if card else (),
            undoes=words.played(self.state.duel.top, self.players) if self.state.duel else "",
            on=self.on,
        )

    def _could(self, target: int | None, to: int | None) -> bool:
        """Return whether the chosen card may be played so; ``to`` None is anybody, if the card needs somebody there."""
        if self.chosen is not None and self.chosen.to and to is None:
            return any(self._could(target, other) for other in range(len(self.players)))
        return not self._refusal(self._event(target, to))

    def _why_not(self, name: str) -> str:
        """Return why a card can't be played just now. Those that name a player are only asked about that player."""
        player = self.who or 0
        if CARDS[name].target:
            return ""
        return self._refusal(Buddha(player) if name == BUDDHA else Wtf(player, wtf_name(name)))

    def _refusal(self, event: Event) -> str:
        try:
            self.position.apply(event)
        except RuleError as refused:
            return refused.message
        return ""

    def _event(self, target: int | None, to: int | None) -> Event:
        player = self.who or 0
        return Buddha(player) if self.card == BUDDHA else Wtf(player, wtf_name(self.card or ""), target, to)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlushView(PageView):
    """How many cards whoever has no FISH draws."""

    draws: int


class FlushPage(ScreenPage[WhatTheFishState]):
    """Who has no FISH and draws a new hand."""

    template: ClassVar[str] = "games/what-the-fish/flush.html"
    outbox_label = say("A Flint Flush")

    def outcome(self) -> Outcome:
        """Enter it for the player who was tapped."""
        tap = self.form_data.get("tap", "")
        player = words.index(tap.removeprefix("who:"), self.players)
        if player is None:
            if tap:
                self.refuse(UNKNOWN_KEY)
            return Rerender(wrong=bool(tap))
        event = FlintFlush(player)
        return Submit((event,), words.describe(event, self.players, self.state), totals=False)

    def view(self) -> FlushView:
        """Return how many cards a new hand has."""
        return FlushView(errors=self.errors, outbox_label=self.outbox_label, draws=new_hand(len(self.players)))
