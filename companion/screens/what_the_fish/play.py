"""What do the keys on the match's own page do? A number is typed, and the key of whoever plays it enters the card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.engine.core import Event, RuleError
from companion.engine.text import Name, listing, say
from companion.engine.what_the_fish import Dead, Free, WhatTheFishState
from companion.engine.what_the_fish.advice import next_move, plays, preview
from companion.screens.interface import UNKNOWN_KEY, Outcome, PageContext, PageView, Rerender, ScreenPage, Submit
from companion.screens.what_the_fish import words


@dataclass(frozen=True, slots=True)
class Key:
    """A player's key: which kind of card it plays, what it says, and whether the card has to wait for another first."""

    player: int
    name: str
    kind: str
    note: str
    about: str
    waits: bool = False

    @property
    def tap(self) -> str:
        """Return the text that a tap sends: the card, its player, and its swim."""
        return f"{self.kind}:{self.player}:{self.about}"


def swim_of(state: WhatTheFishState) -> str:
    """Return which swim a card belongs to: its number, and whose fish it is once one swims."""
    number = len(state.endings) + 1
    return f"{number}" if state.duel is None else f"{number}.{state.duel.player}"


def ending_of(state: WhatTheFishState) -> str:
    """Return which swim is over and at which number: nobody has beaten it."""
    return swim_of(state) if state.duel is None else f"{swim_of(state)}.{state.duel.to_beat}"


def keys(state: WhatTheFishState, value: int | None, first: int = 0) -> tuple[Key, ...]:
    """Return every player's key with this number typed (None: none yet), from the player ``first`` on."""
    count = len(state.players)
    return tuple(key(state, (first + step) % count, value) for step in range(count))


def key(state: WhatTheFishState, player: int, value: int | None) -> Key:
    """Return one player's key. The engine knows what the card would do."""
    name, kind, about = state.players[player], plays(state, player), swim_of(state)
    if kind == "fish":
        return Key(player, name, kind, f"FISH {value}" if value else "FISH", about)
    try:
        note = preview(state, player, value or 1).label
    except RuleError:
        note = say("PROTECT: nothing to save") if kind == "protect" else say("KILL waits")
        return Key(player, name, kind, note, about, waits=True)
    return Key(player, name, kind, note if value else kind.upper(), about)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView(PageView):
    """The number as it was typed, the players' keys, this phone's own first, and what "Belly up" and "Free!" are ``about``."""

    value: str
    keys: tuple[Key, ...]
    about: str


class PlayPage(ScreenPage[WhatTheFishState]):
    """A FISH, KILL or PROTECT card, or the end of a swim. It is tried as things stand when it arrives."""

    template: ClassVar[str] = "games/what-the-fish/match.html"
    outbox_label = say("A card")

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.value = self.form_data.get("value", "").strip()[: words.SHOWN]

    def outcome(self) -> Outcome:
        """Enter the card of the tapped key; while a number is typed, the keys only say what they would do."""
        tap = self.form_data.get("tap", "")
        if self.form_data.get("ask") or not tap:
            return Rerender()
        event = self._event(tap)
        if event is None:
            return Rerender(wrong=True)
        return Submit((event,), words.describe(event, self.players, self.state), totals=False, now=self._now(tap))

    def _now(self, tap: str) -> str:
        """Return how the swim stands, where the key was about another one. Pages of an older Companion don't say which."""
        kind, _, rest = tap.partition(":")
        named, current = (rest.partition(":")[2], swim_of) if kind in words.NUMBERED else (rest, ending_of)
        return next_move(self.state).sentence if named and named != current(self.state) else ""

    def view(self) -> PlayView:
        """Return the number and what each key would do with it."""
        return PlayView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            value=self.value,
            keys=keys(self.state, words.number(self.value), self.context.viewer or 0),
            about=ending_of(self.state),
        )

    def _event(self, tap: str) -> Event | None:
        kind, _, rest = tap.partition(":")
        if kind == "dead":
            return Dead()
        if kind == "free":
            return Free()
        player = words.index(rest.partition(":")[0], self.players)
        if player is None or kind not in words.NUMBERED:
            self.refuse(UNKNOWN_KEY)
            return None
        value = words.number(self.value)
        if value is None:
            why = words.no_number(self.value) if self.value else say("Which {kind}?", kind=Name(kind.upper()))
            self.refuse(listing([why, say("Type its number, then tap who plays it.")], "text"))
            return None
        return words.card(kind, player, value)
