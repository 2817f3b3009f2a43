"""How are the grey whales counted at last? The values that each player captured, tapped one after the other.

Both players may count on their own phones: a half that is saved is shared by all phones, and the second half makes the count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.rivals import Count, RivalsState, check_captured, check_count_due, check_half, totals, verdict
from companion.engine.rivals.whales import VALUES, WHALES
from companion.engine.text import Name, say
from companion.screens.interface import FormData, Outcome, PageContext, Rerender, UpdateDraft, as_sentence, named
from companion.screens.rivals import draft as drafts
from companion.screens.rivals.entry import PadPage, PadView
from companion.screens.rivals.pad import NO_MORE, Pad

FIELDS = ("grey-0", "grey-1")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView(PadView):
    """The players in the order in which they are counted, and the values of each so far, summed."""

    sides: tuple[int, int]
    sums: tuple[int, int]


class CountPage(PadPage[Count]):
    """Both players' captured whales. In a match each has as many as the rounds gave; without a table as many as are tapped."""

    template: ClassVar[str] = "games/rivals/count.html"
    error_places: ClassVar = {"grey.0": FIELDS[0], "grey.1": FIELDS[1]}
    what: ClassVar[str] = "count"
    outbox_label = say("The count")
    message = say("Counted")

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self._join_whole()
        self.halves = tuple("" if half is None else " ".join(map(str, half)) for half in drafts.read_halves(context.draft))
        self._join_halves()
        self.sides = (self.bottom, 1 - self.bottom)
        rooms = (WHALES, WHALES) if self.standalone else self.state.captured
        self.pad = Pad.read({FIELDS[side]: rooms[side] for side in self.sides}, self.form_data)

    def prefill(self) -> FormData:
        """Return nothing yet, or the count that is corrected."""
        data: FormData = MultiDict()
        for event in self.context.replacing[:1]:
            if isinstance(event, Count):
                for side, values in enumerate(event.grey):
                    data[FIELDS[side]] = " ".join(map(str, values))
        return data

    def _join_whole(self) -> None:
        """Read how many whales of each value were counted, all on one page, as if each had been tapped."""
        if not self.form_data.get("whole"):
            return
        for field in FIELDS:
            words: list[str] = []
            for value in VALUES:
                many = self.form_data.get(f"{field}-{value}", "").strip() or "0"
                words += [str(value)] * int(many) if many.isdecimal() and len(many) <= len(str(WHALES)) else [many]
            self.form_data[field] = " ".join([*words, NO_MORE])

    def _join_halves(self) -> None:
        """Read the half that another phone has shared where this one typed nothing."""
        if self.context.shared and not self.form_data.get("tap"):
            for field, half in zip(FIELDS, self.halves, strict=True):
                if half and not self.form_data.get(field):
                    self.form_data[field] = half

    def outcome(self) -> Outcome:
        """Share a half that is complete while nothing of the other is typed; else do as everywhere on the pad."""
        saves = self.context.shared and not self.form_data.get("tap") and not self.form_data.get("ask")
        if not saves or self.pad.refusals:
            return super().outcome()
        self.check_due()
        for side, (field, half) in enumerate(zip(FIELDS, self.halves, strict=True)):
            place = self.pad[field]
            if half and place.complete and " ".join(place.words) != half and self.form_data.get(f"told-{side}") != half:
                other = say(
                    "{player}’s whales were counted on another phone: {values}. Look again, then save.",
                    player=named(self.players[side]),
                    values=Name(half.replace(" ", "+")),
                )
                self.errors.setdefault(field, other)
                return Rerender(wrong=True)
        done = [side for side, field in enumerate(FIELDS) if self.pad[field].complete and self.pad[field].room]
        rest = [field for side, field in enumerate(FIELDS) if side not in done and self.pad[field].room]
        if len(done) == 1 and rest and not self.pad[rest[0]].words:
            return self._share(done[0])
        return super().outcome()

    def _share(self, side: int) -> UpdateDraft:
        values = self.pad[FIELDS[side]].values
        check_half(self.state, side, values)
        # NOTE: one player's half of the final count, for a button that takes it back
        label = say("{player}’s count", player=named(self.players[side]))
        return UpdateDraft(lambda stored: drafts.with_half(stored, side, values), step=label)

    def check_due(self) -> None:
        """Raise RuleError before three rounds are played."""
        check_count_due(self.state)

    @property
    def prompt(self) -> str:
        """Return what the next tap is: "Ana's whale 3 of 5"; empty once all are there."""
        place = self.pad.place
        if place is None:
            return ""
        name, number = named(self.players[FIELDS.index(place.name)]), len(place.words) + 1
        if number > place.room:
            return say("All of {player}’s whales", player=name)
        if self.standalone:
            return say("{player}’s whale {n}", player=name, n=number)
        return say("{player}’s whale {n} of {all}", player=name, n=number, all=place.room)

    @property
    def next_question(self) -> str:
        """Return the next question while something is open."""
        return "" if self.pad.complete else say("{question}?", question=as_sentence(self.prompt))

    @property
    def event(self) -> Count | None:
        """Return the count as typed, or None while it is incomplete."""
        if self.next_question or self.pad.refusals:
            return None
        return Count((self.pad[FIELDS[0]].values, self.pad[FIELDS[1]].values))

    def applied(self, event: Count) -> RivalsState:
        """Return the match after the count. The calculator has no match: it builds one from the captured whales alone."""
        if not self.standalone:
            return super().applied(event)
        check_captured(self.players, event.grey)
        return RivalsState(self.players, counted=event.grey)

    def place_of(self, field: str) -> str:
        """Return the player whom a part of the count is about."""
        return self.error_places.get(field, "")

    def view(self) -> CountView:
        """Return the pad, and who would win once all whales are there; before that, that one half can be saved alone."""
        after = self.after()
        result = (
            say("All whales entered") if after is None or after.counted is None else verdict(self.players, after.counted)[0]
        )
        return CountView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            what=self.what,
            pad=self.pad,
            prompt=self.prompt or result,
            hint=self._half_hint(),
            bottom=self.bottom,
            standalone=self.standalone,
            unplayable=self.unplayable,
            sides=self.sides,
            halves=self.halves,
            sums=totals((self.pad[FIELDS[0]].values, self.pad[FIELDS[1]].values)),
        )

    def _half_hint(self) -> str:
        """Return that one player's whales can be saved alone, once they are all there and none of the other's."""
        first, second = (self.pad[FIELDS[side]] for side in self.sides)
        if self.standalone or not self.context.shared or not (first.complete and first.room) or second.words or second.complete:
            return ""
        me, other = (named(self.players[side]) for side in self.sides)
        # NOTE: the final count of Rivals, once one player's whales are typed
        return say("Save {player}’s whales now, and {other} can count on another phone.", player=me, other=other)
