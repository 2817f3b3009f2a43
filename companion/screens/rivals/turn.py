"""How is a round followed move by move? A tap for each move on the match's own screen, so that nobody asks whose turn it is."""

from __future__ import annotations

from typing import ClassVar

from companion.engine.rivals import RivalsState, check_round_due
from companion.engine.text import say
from companion.screens.interface import DraftBody, Outcome, PageView, ScreenPage, UpdateDraft
from companion.screens.rivals import draft as drafts


class TurnPage(ScreenPage[RivalsState]):
    """Moves of the round in progress. They are shared by all phones; they are not entries."""

    template: ClassVar[str] = "games/rivals/match.html"
    outbox_label = say("A move")

    def outcome(self) -> Outcome:
        """Keep the move, and after a call go on to what lies there."""
        self.position.check_open()
        check_round_due(self.state)
        state, tap, seen = self.state, self.form_data.get("tap", ""), self.form_data.get("moves", "")

        def change(stored: DraftBody | None) -> DraftBody | None:
            return drafts.tapped(state, stored, tap, seen)

        move = tap.partition(":")[0]
        who = self.players[drafts.turns_of(state, drafts.read(self.context.draft)).player]
        return UpdateDraft(change, "round" if move == "call" else None, step=drafts.describe_step(move, who))

    def view(self) -> PageView:
        """Return what was refused; the sea itself is on the match's board."""
        return PageView(errors=self.errors, outbox_label=self.outbox_label)
