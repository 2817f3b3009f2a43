"""Any entry of the game on one page, to be corrected: what it was, who played it, its number, its card and its targets."""

from __future__ import annotations

from typing import ClassVar

from werkzeug.datastructures import MultiDict
from wtforms import Form, StringField

from companion.engine.core import Event, RuleError
from companion.engine.what_the_fish import Buddha, Dead, FlintFlush, Free, Kill, Protect, Swim, Wtf
from companion.engine.what_the_fish.advice import NextMove, next_move
from companion.engine.what_the_fish.cards import WTF_CARDS
from companion.screens.page import Outcome, PageContext, Rerender, Submit
from companion.screens.what_the_fish import words
from companion.screens.what_the_fish.wtf import BUDDHA, CARDS, wtf_name

KINDS: dict[str, str] = {
    "fish": "FISH",
    "kill": "KILL",
    "protect": "PROTECT",
    "wtf": "WTF card",
    "dead": "Belly up",
    "free": "Free!",
    "flint-flush": "Flint Flush",
}
OF_NOBODY = {"dead", "free"}

# what the entry page asks for each kind of entry; a WTF card may ask for more
PARTS: dict[str, set[str]] = {
    kind: ({"value"} if kind in words.NUMBERED else {"card"} if kind == "wtf" else set())
    | (set() if kind in OF_NOBODY else {"who"})
    for kind in KINDS
}

# which part of the page a refusal belongs to, by the engine's word for it
PLACES = {"player": "who", "rank": "value", "value": "value", "card": "card", "target": "target", "to": "to"}


class EntryFields(Form):
    """What people type or choose. Everything stays as it was typed, so that it can be shown again."""

    kind = StringField()
    who = StringField()
    value = StringField(filters=[lambda text: (text or "").strip()])
    card = StringField()
    target = StringField()
    to = StringField()


class EntryPage:
    """One entry as it should have been. Whether it could be, the engine says before it is saved."""

    template: ClassVar[str] = "games/what-the-fish/entry.html"
    outbox_label: ClassVar[str] = "A correction"
    kinds: ClassVar[dict[str, str]] = KINDS
    parts: ClassVar[dict[str, set[str]]] = PARTS
    cards = CARDS

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.players = context.position.players
        self.errors: dict[str, str] = {}
        self.next_question = ""  # the next question, while something is still open
        self.fields = EntryFields(self._data())

    def _data(self) -> MultiDict[str, str]:
        if self.context.form_data is not None:
            return self.context.form_data
        event = self.context.replacing[0]
        data: dict[str, str] = {}
        match event:
            case Swim():
                data = {"kind": "fish", "value": str(event.rank)}
            case Kill() | Protect():
                data = {"kind": "kill" if isinstance(event, Kill) else "protect", "value": str(event.value)}
            case Buddha():
                data = {"kind": "wtf", "card": BUDDHA}
            case Wtf():
                named = {part: getattr(event, part) for part in ("target", "to")}
                data = {"kind": "wtf", "card": event.card, **{part: str(one) for part, one in named.items() if one is not None}}
            case Dead() | Free() | FlintFlush():
                data = {"kind": {Dead: "dead", Free: "free", FlintFlush: "flint-flush"}[type(event)]}
        if (player := getattr(event, "player", None)) is not None:
            data["who"] = str(player)
        return MultiDict(data)

    def text(self, name: str) -> str:
        """What stands in a field, as it was typed or chosen."""
        return str(self.fields[name].data or "")

    def player(self, name: str) -> int | None:
        """The player who is chosen for a part."""
        return words.index(self.text(name), self.players)

    @property
    def shows(self) -> set[str]:
        """The parts that an entry of the chosen kind has."""
        kind, card = self.text("kind"), CARDS.get(self.text("card"))
        parts = PARTS.get(kind, set())
        if kind == "wtf" and card is not None:
            parts = parts | {part for part, needed in (("target", card.target), ("to", card.to)) if needed}
        return parts

    def outcome(self) -> Outcome:
        """Asked, it shows what would come of it; saved, it corrects the entry."""
        if self._asked:
            return Rerender()
        event = self._event()
        if event is None:
            return Rerender(wrong=True)
        return Submit((event, *self.context.replacing[1:]), "Corrected")

    def ready(self) -> tuple[Event, ...] | None:
        """The entry, if it is complete."""
        event = self._event()
        return None if event is None else (event, *self.context.replacing[1:])

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the part of the page that it is about, or at the top if that part isn't there."""
        place = PLACES.get(field, "")
        self.errors.setdefault(place if place in self.shows else "", sentence)

    @property
    def _asked(self) -> bool:
        """True while the page is only looked at."""
        return self.context.form_data is None or "ask" in self.context.form_data

    def _miss(self, place: str, question: str) -> None:
        """Ask for what is still missing; whoever wants to save without it is told so at its place."""
        self.next_question = self.next_question or question
        if not self._asked:
            self.errors.setdefault(place, question)

    @property
    def description(self) -> str:
        """The entry in words, if it is complete."""
        event = self._event()
        return words.told(event, self.players, self.context.position.state) if event is not None else ""

    @property
    def then(self) -> NextMove | None:
        """How the swim stands right after it, or None while it is incomplete or refused (the reason is then shown)."""
        event = self._event()
        if event is None:
            return None
        try:
            return next_move(self.context.position.apply(event).state)
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None

    def _event(self) -> Event | None:
        """The entry as typed; what is missing or can't be read is put among the errors."""
        kind = self.text("kind")
        if kind == "dead":
            return Dead()
        if kind == "free":
            return Free()
        if kind not in KINDS:
            self._miss("kind", "What was it?")
            return None
        player = self.player("who")
        if player is None:
            self._miss("who", "Who played it?")
            return None
        if kind == "flint-flush":
            return FlintFlush(player)
        if kind == "wtf":
            return self._wtf(player)
        value = words.number(self.text("value"))
        if value is None:
            if typed := self.text("value"):
                self.errors.setdefault("value", words.no_number(typed[: words.SHOWN]))
            else:
                self._miss("value", "Which number is on it?")
            return None
        return words.card(kind, player, value)

    def _wtf(self, player: int) -> Event | None:
        name = self.text("card")
        if name == BUDDHA:
            return Buddha(player)
        if name not in WTF_CARDS:
            self._miss("card", "Which WTF card was it?")
            return None
        card = WTF_CARDS[wtf_name(name)]
        target = self.player("target") if card.target else None
        return Wtf(player, wtf_name(name), target, self.player("to") if card.to else None)
