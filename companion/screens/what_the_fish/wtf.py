"""The WTF cards, each with what it does and whom it asks for; and the Flint Flush."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from werkzeug.datastructures import MultiDict

from companion.engine.core import Event, RuleError
from companion.engine.what_the_fish import Buddha, FlintFlush, State, Wtf
from companion.engine.what_the_fish.cards import BEAVER_BUDDHA, WTF_CARDS, WtfCard, WtfName, new_hand
from companion.screens.page import UNKNOWN_KEY, Outcome, PageContext, Rerender, Submit
from companion.screens.what_the_fish import words

BUDDHA = "beaver-buddha"
CARDS: dict[str, WtfCard] = {BUDDHA: BEAVER_BUDDHA, **{str(name): card for name, card in WTF_CARDS.items()}}  # as listed

Part = Literal["who", "card", "target", "to"]


def wtf_name(word: str) -> WtfName:
    """The WTF card of this name."""
    return next(name for name in WTF_CARDS if name == word)


@dataclass(frozen=True, slots=True)
class Offered:
    """A WTF card to choose: what it does, and why it can't be played just now, if it can't."""

    name: str
    card: WtfCard
    why_not: str


class WtfPage:
    """Who plays which WTF card on whom. The last answer enters it."""

    template: ClassVar[str] = "games/what-the-fish/wtf.html"
    outbox_label: ClassVar[str] = "A WTF card"

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.players = context.position.players
        self.state: State = context.position.state
        self.form_data: MultiDict[str, str] = MultiDict() if context.form_data is None else context.form_data
        self.error = ""
        self.card = self.form_data.get("card") if self.form_data.get("card") in CARDS else None
        self.who = self._player("who")
        if self.who is None and context.form_data is None:
            self.who = context.viewer
        self.target = self._player("target")
        self.to = self._player("to")

    def _player(self, name: str) -> int | None:
        return words.index(self.form_data.get(name, ""), self.players)

    @property
    def chosen(self) -> WtfCard | None:
        """The card that was tapped."""
        return CARDS[self.card] if self.card else None

    @property
    def next_part(self) -> Part | None:
        """What has to be said next; None once the card can be entered."""
        if self.chosen is None:
            return "card"
        if self.who is None:
            return "who"
        if self.chosen.target and self.target is None:
            return "target"
        return "to" if self.chosen.to and self.to is None else None

    @property
    def next_question(self) -> str:
        """The next question in words."""
        card = self.chosen
        questions = {"who": "Who plays it?", "target": card.target if card else "", "to": card.to if card else ""}
        return questions.get(self.next_part or "", "Which card?")

    @property
    def cards(self) -> list[Offered]:
        """Every WTF card, with what it would need if it can't be played just now."""
        return [Offered(name, card, self._why_not(name)) for name, card in CARDS.items()]

    @property
    def undoes(self) -> str:
        """What undoing the last action would undo; empty while no fish swims."""
        return words.played(self.state.duel.top, self.players) if self.state.duel else ""

    def possible(self, part: Part) -> list[int]:
        """The players who can be named next, as far as the engine allows it."""
        everybody = range(len(self.players))
        if part == "who":
            return list(everybody)
        if part == "target":
            return [player for player in everybody if self._could(player, None)]
        return [player for player in everybody if self._could(self.target, player)]

    def _could(self, target: int | None, to: int | None) -> bool:
        """Whether the chosen card may be played so; ``to`` None is anybody, if the card needs somebody there."""
        if self.chosen is not None and self.chosen.to and to is None:
            return any(self._could(target, other) for other in range(len(self.players)))
        return not self._refusal(self._event(target, to))

    def _why_not(self, name: str) -> str:
        """Why a card that needs no other player can't be played just now; those that do are only asked for them."""
        if CARDS[name].target:
            return ""
        player = self.who or 0
        return self._refusal(Buddha(player) if name == BUDDHA else Wtf(player, wtf_name(name)))

    def _refusal(self, event: Event) -> str:
        try:
            self.context.position.apply(event)
        except RuleError as refused:
            return refused.message
        return ""

    def _event(self, target: int | None, to: int | None) -> Event:
        player = self.who or 0
        return Buddha(player) if self.card == BUDDHA else Wtf(player, wtf_name(self.card or ""), target, to)

    def outcome(self) -> Outcome:
        """A tap answers a question; when none is left, the card is entered."""
        part, _, value = self.form_data.get("tap", "").partition(":")
        if part == "card":
            self.card = value if value in CARDS else None
            self.target = self.to = None
        elif part in {"who", "target", "to"}:
            setattr(self, part, words.index(value, self.players))
        elif part:
            self.refuse(UNKNOWN_KEY, "")
            return Rerender(wrong=True)
        if not part:
            return Rerender()
        asked: tuple[Part, ...] = ("target", "to")
        for each in asked:  # where only one player can be meant, nobody is asked
            if self.next_part == each and len(self.possible(each)) == 1:
                setattr(self, each, self.possible(each)[0])
        if self.next_part is not None:
            return Rerender()
        event = self._event(self.target, self.to)
        return Submit((event,), words.told(event, self.players, self.state), totals=False)

    def ready(self) -> tuple[Event, ...] | None:
        """Nothing waits to be saved here: the last tap saves."""
        return None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal over the cards, and let another be chosen."""
        self.error = self.error or sentence
        self.card = self.target = self.to = None


class FlushPage:
    """Who has no FISH and draws a new hand."""

    template: ClassVar[str] = "games/what-the-fish/flush.html"
    outbox_label: ClassVar[str] = "A Flint Flush"

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.players = context.position.players
        self.draws = new_hand(len(self.players))
        self.error = ""

    def outcome(self) -> Outcome:
        """A tap on a player enters it."""
        tap = self.context.form_data.get("tap", "") if self.context.form_data is not None else ""
        player = words.index(tap.removeprefix("who:"), self.players)
        if player is None:
            if tap:
                self.refuse(UNKNOWN_KEY, "")
            return Rerender(wrong=bool(tap))
        event = FlintFlush(player)
        return Submit((event,), words.told(event, self.players, self.context.position.state), totals=False)

    def ready(self) -> tuple[Event, ...] | None:
        """Nothing waits to be saved here: a tap saves."""
        return None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal over the players."""
        self.error = self.error or sentence
