"""The keys of the match's own page: a number is typed, and the key of whoever plays it says what happens and does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from werkzeug.datastructures import MultiDict
from wtforms import Form, StringField

from companion.engine.core import Event, Position, RuleError
from companion.engine.what_the_fish import Dead, Free, State
from companion.engine.what_the_fish.advice import plays, preview
from companion.screens.page import UNKNOWN_KEY, Outcome, PageContext, Rerender, Submit
from companion.screens.what_the_fish import words


@dataclass(frozen=True, slots=True)
class Key:
    """A player's key: which kind of card it plays, what it says, and whether the card has to wait for another first."""

    player: int
    name: str
    kind: str
    note: str
    waits: bool = False

    @property
    def tap(self) -> str:
        """What tapping it sends: what it said counts, however the swim stands by then."""
        return f"{self.kind}:{self.player}"


def keys(position: Position[Any], value: int | None, first: int = 0) -> list[Key]:
    """Every player's key at this position with this number typed (None: none yet), from the player ``first`` on."""
    state: State = position.state
    around = range(len(state.players))
    return [key(state, (first + step) % len(state.players), value) for step in around]


def key(state: State, player: int, value: int | None) -> Key:
    """One player's key. The engine knows what the card would do."""
    name, kind = state.players[player], plays(state, player)
    if kind == "fish":
        return Key(player, name, kind, f"FISH {value}" if value else "FISH")
    try:
        note = preview(state, player, value or 1).label
    except RuleError:
        note = "PROTECT: nothing to save yet" if kind == "protect" else "KILL waits"
        return Key(player, name, kind, note, waits=True)
    return Key(player, name, kind, note if value else kind.upper())


class CardFields(Form):
    """What is typed for a card: its number, kept as it was typed, so that it can be shown again."""

    value = StringField(filters=[lambda text: (text or "").strip()])


class PlayPage:
    """A FISH, KILL or PROTECT card, or the end of a swim. It is tried as things stand when it arrives."""

    template: ClassVar[str] = "games/what-the-fish/match.html"
    outbox_label: ClassVar[str] = "A card"

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.form_data: MultiDict[str, str] = MultiDict() if context.form_data is None else context.form_data
        self.fields = CardFields(self.form_data)
        self.error = ""

    @property
    def typed(self) -> str:
        """The number as it was typed."""
        return str(self.fields.value.data or "")[: words.SHOWN]

    def keys(self, position: Position[Any]) -> list[Key]:
        """The players' keys as things stand, from this phone's own player on."""
        return keys(position, words.number(self.typed), self.context.viewer or 0)

    def outcome(self) -> Outcome:
        """A tap on a key enters the card; while a number is typed, the keys only say what they would do."""
        tap = self.form_data.get("tap", "")
        if self.form_data.get("ask") or not tap:
            return Rerender()
        event = self._event(tap)
        if event is None:
            return Rerender(wrong=True)
        return Submit((event,), words.told(event, self.context.position.players, self.context.position.state), totals=False)

    def ready(self) -> tuple[Event, ...] | None:
        """Nothing waits to be saved here: a tap saves."""
        return None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal between the number and the keys."""
        self.error = self.error or sentence

    def _event(self, tap: str) -> Event | None:
        """What a tap means, or None with the reason among the errors."""
        if tap == "dead":
            return Dead()
        if tap == "free":
            return Free()
        kind, _, who = tap.partition(":")
        player = words.index(who, self.context.position.players)
        if player is None or kind not in words.NUMBERED:
            self.refuse(UNKNOWN_KEY, "")
            return None
        value = words.number(self.typed)
        if value is None:
            why = words.no_number(self.typed) if self.typed else f"Which {kind.upper()}?"
            self.refuse(f"{why} Type its number, then tap who plays it.", "value")
            return None
        return words.card(kind, player, value)
