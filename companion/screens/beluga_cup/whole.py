"""On which page is an entry corrected?"""

from __future__ import annotations

from typing import ClassVar

from companion.engine.beluga_cup import Discard, Eat, ExcuseSwap, ExcuseTake, Fill, Play, Shuffle
from companion.engine.core import Event
from companion.engine.text import say
from companion.screens.beluga_cup.cards import DiscardPage, PlayPage
from companion.screens.beluga_cup.eat import EatPage
from companion.screens.beluga_cup.excuse import ExcusePage
from companion.screens.beluga_cup.fish import FishPage
from companion.screens.beluga_cup.page import CupPage, CupView
from companion.screens.interface import Outcome, PageContext, Rerender

PAGES: dict[str, type[CupPage]] = {page.kind: page for page in (FishPage, PlayPage, DiscardPage, EatPage, ExcusePage)}

KINDS: dict[type[Event], str] = {
    Fill: FishPage.kind,
    Play: PlayPage.kind,
    Discard: DiscardPage.kind,
    Eat: EatPage.kind,
    ExcuseSwap: ExcusePage.kind,
    ExcuseTake: ExcusePage.kind,
    Shuffle: PlayPage.kind,  # it is told with the card that it brought back
}


class FixedPage(CupPage):
    """An entry that is only undone: the end that the players chose, or several things that were entered as one."""

    template: ClassVar[str] = "games/beluga-cup/fixed.html"
    kind: ClassVar[str] = "fixed"

    def events(self) -> None:
        """Return nothing: there is no other way to say it."""
        return

    def outcome(self) -> Outcome:
        """Show why this entry can't be corrected."""
        self.errors[""] = say("This entry can’t be corrected. Undo it, and enter what happened instead.")
        return Rerender(wrong=True)

    def view(self) -> CupView:
        """Return what every page of the cup shows."""
        return CupView(**self.common())


def kind_of(events: tuple[Event, ...]) -> str:
    """Return which page holds these events, "fixed" if none does."""
    moves = [event for event in events if not isinstance(event, Shuffle)]
    kinds = {KINDS.get(type(event), FixedPage.kind) for event in moves}
    if not moves or (len(moves) < len(events) and kinds not in ({PlayPage.kind}, {ExcusePage.kind})):
        return FixedPage.kind
    if len(moves) > 1 and kinds != {FishPage.kind}:
        return FixedPage.kind
    return kinds.pop()


def correction_page(context: PageContext) -> CupPage:
    """Return the page for what is corrected, or for what it was instead."""
    kind = kind_of(context.replacing)
    if kind == FixedPage.kind:
        return FixedPage(context)
    sent = context.form_data if context.form_data is not None else {}
    wanted = sent.get("to") or sent.get("kind") or kind
    offered = {kind, *(name for name, _ in PAGES[kind](context).kinds)} if context.position.state.ready else {kind}
    return PAGES[wanted if wanted in offered else kind](context)
