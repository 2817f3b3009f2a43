"""The match's own screen while a round is played: a tap for each move, so that nobody asks whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from companion.engine.core import Event
from companion.engine.rivals import State, check_round_due
from companion.screens.page import JSON, Outcome, PageContext, UpdateDraft
from companion.screens.rivals import draft as drafts


class TurnPage:
    """Moves of the round in progress. They are kept for all phones, and are no entries."""

    template: ClassVar[str] = "games/rivals/match.html"
    outbox_label: ClassVar[str] = "A move"

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.errors: dict[str, str] = {}

    def outcome(self) -> Outcome:
        """Keep the move, and after a call go on to what lies there."""
        position = self.context.position
        typed: Mapping[str, str] = self.context.form_data or {}
        state: State = position.state
        position.check_open()
        check_round_due(state)
        tap, seen = typed.get("tap", ""), typed.get("moves", "")

        def change(stored: JSON | None) -> JSON | None:
            return drafts.tapped(state, stored, tap, seen)

        who = position.players[drafts.turns_of(state, drafts.read(self.context.draft)).player]
        return UpdateDraft(change, "round" if tap == "call" else None, what=f"{who}'s {drafts.told(tap)}")

    def ready(self) -> tuple[Event, ...] | None:
        """Never: a move is no entry."""
        return None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal above the sea."""
        self.errors.setdefault("", sentence)
