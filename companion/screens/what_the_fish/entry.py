"""How is an entry corrected? A page shows its kind, player, number, card and targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from werkzeug.datastructures import MultiDict
from wtforms import Form, StringField

from companion.engine.core import Event
from companion.engine.text import say
from companion.engine.what_the_fish import Buddha, Dead, FlintFlush, Free, Kill, Protect, Swim, WhatTheFishState, Wtf
from companion.engine.what_the_fish.advice import NextMove, next_move
from companion.engine.what_the_fish.cards import WTF_CARDS, WtfCard
from companion.screens.interface import FormData, Outcome, PageContext, PageView, Rerender, ScreenPage, Submit
from companion.screens.what_the_fish import words
from companion.screens.what_the_fish.wtf import BUDDHA, CARDS, wtf_name

KINDS: dict[str, str] = {
    "fish": "FISH",
    "kill": "KILL",
    "protect": "PROTECT",
    "wtf": say("WTF card"),
    "dead": say("Belly up"),
    "free": say("Free!"),
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
    """The fields of an entry. Each keeps the typed text, so that a refused form shows it again."""

    kind = StringField()
    who = StringField()
    value = StringField(filters=[lambda text: (text or "").strip()])
    card = StringField()
    target = StringField()
    to = StringField()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView(PageView):
    """What is typed and chosen, what it says in ``description``, and how the swim stands right after it in ``then``.

    ``then`` is None while something is missing, which ``next_question`` asks for, or refused.
    """

    kind: str
    value: str
    card: str
    chosen: Mapping[str, int | None]
    description: str
    then: NextMove | None
    next_question: str
    kinds: ClassVar[dict[str, str]] = KINDS
    parts: ClassVar[dict[str, set[str]]] = PARTS
    cards: ClassVar[dict[str, WtfCard]] = CARDS


class EntryPage(ScreenPage[WhatTheFishState]):
    """The entry in its right form. The engine accepts or refuses it before it is saved."""

    template: ClassVar[str] = "games/what-the-fish/entry.html"
    outbox_label = say("A correction")

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.fields = EntryFields(self.form_data)
        self.next_question = ""
        self.only_asked = context.form_data is None or "ask" in context.form_data

    def prefill(self) -> FormData:
        """Return the entry that is corrected."""
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
                data = {
                    "kind": "wtf",
                    "card": event.card,
                    **{part: str(number) for part, number in named.items() if number is not None},
                }
            case Dead() | Free() | FlintFlush():
                data = {"kind": {Dead: "dead", Free: "free", FlintFlush: "flint-flush"}[type(event)]}
        if (player := getattr(event, "player", None)) is not None:
            data["who"] = str(player)
        return MultiDict(data)

    def text(self, name: str) -> str:
        """Return what stands in a field, as it was typed or chosen."""
        return str(self.fields[name].data or "")

    def player(self, name: str) -> int | None:
        """Return the player who is chosen for a part."""
        return words.index(self.text(name), self.players)

    def events(self) -> tuple[Event, ...] | None:
        """Return the entry, if it is complete."""
        event = self._event()
        return None if event is None else (event,)

    def outcome(self) -> Outcome:
        """Correct the entry, unless it was only asked what would come of it."""
        if self.only_asked:
            return Rerender()
        entry = self.ready()
        return Rerender(wrong=True) if entry is None else Submit(entry, say("Corrected"))

    def view(self) -> EntryView:
        """Return what is typed, and what the engine says would come of it."""
        event = self._event()
        next_step = None if event is None else self.asked(lambda: next_move(self.position.apply(event).state))
        return EntryView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            kind=kind if (kind := self.text("kind")) in KINDS else "",
            value=self.text("value")[: words.SHOWN],
            card=self.text("card"),
            chosen={part: self.player(part) for part in ("who", "target", "to")},
            description="" if event is None else words.describe(event, self.players, self.state),
            then=next_step,
            next_question=self.next_question,
        )

    def place_of(self, field: str) -> str:
        """Return the part of the page that the field is, or the top if the chosen kind has no such part."""
        kind, card = self.text("kind"), CARDS.get(self.text("card"))
        fields = set(PARTS.get(kind, ()))
        if kind == "wtf" and card is not None:
            fields |= {part for part, needed in (("target", card.target), ("to", card.to)) if needed}
        place = PLACES.get(field, "")
        return place if place in fields else ""

    def _miss(self, place: str, question: str) -> None:
        """Ask for a missing field. On Save the question becomes a mistake at that field."""
        self.next_question = self.next_question or question
        if not self.only_asked:
            self.errors.setdefault(place, question)

    def _event(self) -> Event | None:
        """Return the entry as typed; what is missing or can't be read is put among the errors."""
        kind = self.text("kind")
        if kind == "dead":
            return Dead()
        if kind == "free":
            return Free()
        if kind not in KINDS:
            self._miss("kind", say("What was it?"))
            return None
        player = self.player("who")
        if player is None:
            self._miss("who", say("Who played it?"))
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
                self._miss("value", say("Which number is on it?"))
            return None
        return words.card(kind, player, value)

    def _wtf(self, player: int) -> Event | None:
        name = self.text("card")
        if name == BUDDHA:
            return Buddha(player)
        if name not in WTF_CARDS:
            self._miss("card", say("Which WTF card was it?"))
            return None
        card = WTF_CARDS[wtf_name(name)]
        target = self.player("target") if card.target else None
        return Wtf(player, wtf_name(name), target, self.player("to") if card.to else None)
