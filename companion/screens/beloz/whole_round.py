"""How is all of a round entered on one page, by one phone alone? As where phones share nothing, because the network is away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.engine.beloz.cards import ANIMALS, NUMBERS, PLAINS
from companion.engine.beloz.declarations import RUNS, Declaration, Quads, StraightFlush
from companion.engine.core import RuleError
from companion.engine.text import say
from companion.screens.beloz import draft as drafts
from companion.screens.beloz.draft import RoundDraft, animal_of, plain_of
from companion.screens.beloz.round import RoundPage
from companion.screens.interface import FormData, PageContext

PLAYERS = frozenset("0123")
QUADS = "quads"
LENGTHS = {str(length): length for length in RUNS}


class WholeRoundPage(RoundPage):
    """Who took it, what was announced, and the count. What phones share of the round meanwhile is not looked at."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(replace(context, shared=False))

    def _draft(self) -> RoundDraft:
        if self.context.form_data is None:
            return drafts.read(self.context.draft)
        if "round" in self.form_data:
            return drafts.read(self.form_data["round"])
        bidder, flooded, beloz = (self.form_data.get(name, "") for name in ("bidder", "flooded", "beloz"))
        return RoundDraft(
            bidder=int(bidder) if bidder in PLAYERS else None,
            flooded=plain_of(flooded) if flooded in PLAINS else None,
            declarations=self.asked(lambda: tuple(chosen(self.form_data))) or (),
            beloz=int(beloz) if beloz in PLAYERS else None,
        )

    def _tap(self) -> str:
        return super()._tap() if "round" in self.form_data else ""  # a plain is chosen here, not tapped


def chosen(data: FormData) -> Iterator[Declaration]:
    """Return the declarations that were chosen, line by line. Raises RuleError where one is not whole."""
    names = ("declared_by", "declared", "declared_top", "declared_plain", "declared_shown")
    for player, kind, top, plain, shown_text in zip(*(data.getlist(name) for name in names), strict=False):
        if not player and not kind:
            continue
        if player not in PLAYERS or top not in ANIMALS or not (kind == QUADS or (kind in LENGTHS and plain in PLAINS)):
            raise RuleError(say("For each declaration, choose who made it, what it is, and its top card."))
        animal, in_time = animal_of(top), shown_text != "0"
        if kind == QUADS:
            yield Quads(int(player), animal, in_time)
            continue
        lowest = NUMBERS[animal] - LENGTHS[kind] + 1
        if lowest < 1:
            raise RuleError(say("A run needs its other cards below its top card."))
        yield StraightFlush(int(player), plain_of(plain), lowest, NUMBERS[animal], in_time)
