"""The pages on which a BeloZ round is entered: who took it, what was announced, the count; or all of it on one page."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from werkzeug.datastructures import MultiDict

from companion.engine.beloz import BelozState, PassedDeal
from companion.engine.beloz.cards import ANIMALS
from companion.engine.beloz.declarations import QUADS_POINTS, DeclarationsVerdict, preview_declarations
from companion.engine.beloz.options import BelozOptions
from companion.engine.beloz.scoring import BELOZ, Round, RoundResult, announced_points, score_round
from companion.engine.core import Event, RuleError
from companion.forms.beloz import draft as drafts
from companion.forms.beloz.announced import cells_of, in_words
from companion.forms.beloz.count import TEAMS, CountFields, TypedCount, fields_of
from companion.forms.beloz.draft import RoundDraft
from companion.forms.beloz.seats import seats
from companion.forms.screens import JSON, Again, Enter, Keep, Outcome, Sitting

Section = Literal["who", "declarations", "count"]

# which part of the page a refusal belongs to, by the first words of the engine's path
PLACES = {
    "bidder": "who",
    "flooded": "who",
    "count.points": "points",
    "count.expeditions": "expeditions",
    "count": "points",
    "last_expedition": "last",
    "declarations": "declarations",
    "beloz": "declarations",
    "speaker": "declarations",
    "cards": "pile",
}


class RoundPage:
    """A page about one round. ``sections`` says which parts of the round it asks for."""

    template: ClassVar[str] = "games/beloz/round.html"
    sections: ClassVar[tuple[Section, ...]] = ("who", "declarations", "count")

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        state: BelozState = sitting.position.state
        self.players = sitting.position.players
        self.options: BelozOptions = state.options
        self.state = state
        self.dealer, self.opener = state.dealer, state.opener
        self.number = len(state.rounds) + 1
        self.errors: dict[str, str] = {}
        self.data = self._data()
        self.fields = CountFields(self.data)
        self.draft = self._draft()
        self.stale = sitting.shared and sitting.typed is not None and drafts.read(self.data.get("round")) != self.draft

    @property
    def keeps(self) -> str:
        """What waits in the outbox when it can't be sent."""
        return f"Round {self.number}"

    def _data(self) -> MultiDict[str, str]:
        sitting = self.sitting
        if sitting.typed is not None:
            return sitting.typed
        data: MultiDict[str, str] = MultiDict()
        for event in sitting.replacing:
            if isinstance(event, Round):
                for name, value in fields_of(event).items():
                    data[name] = value
        if "speaker" in sitting.query:
            data["speaker"] = sitting.query["speaker"]
        return data

    def _draft(self) -> RoundDraft:
        sitting = self.sitting
        if sitting.shared and not sitting.late:
            return drafts.read(sitting.draft)
        if sitting.typed is not None:
            return drafts.read(self.data.get("round"))
        for event in sitting.replacing:
            if isinstance(event, Round):
                return RoundDraft(event.bidder, event.flooded, tuple(event.declarations), event.beloz)
        return RoundDraft()

    # What the page shows

    animals: ClassVar[tuple[str, ...]] = ANIMALS[::-1]  # highest number first, as on the grid
    quads_animals: ClassVar[tuple[str, ...]] = tuple(QUADS_POINTS)  # those that score as all four
    beloz_points: ClassVar[int] = BELOZ

    @property
    def seats(self) -> list[dict[str, Any]]:
        """The players with their teams, in the order in which they first sat down."""
        return seats(self.players)

    @property
    def around(self) -> list[dict[str, Any]]:
        """The players with their teams, from whoever holds this phone."""
        return seats(self.players, self.sitting.viewer or 0)

    @property
    def text(self) -> str:
        """The draft for the form to carry."""
        return drafts.text(self.draft)

    @property
    def speaker(self) -> int | None:
        """The player whose declarations are being tapped: chosen, else whoever holds this phone."""
        chosen = self.data.get("speaker", "")
        if chosen in {"0", "1", "2", "3"}:
            return int(chosen)
        return self.sitting.viewer

    @property
    def count(self) -> TypedCount:
        """The count as far as it is typed."""
        return TypedCount(self.data, self.fields, self.draft)

    @property
    def side_names(self) -> tuple[str, str]:
        """Both teams by their players' names."""
        sides = self.sitting.position.standing().sides
        return sides[0], sides[1]

    @property
    def declared(self) -> DeclarationsVerdict | None:
        """Whose declarations count so far; None when they can't be true (the reason is then among the errors)."""
        try:
            return preview_declarations(
                self.players, self.options, self.draft.flooded, self.draft.declarations, self.draft.beloz
            )
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None

    @property
    def cells(self) -> dict[str, dict[str, str]]:
        """The declaration grid: each card that was announced, whose it is, and where it lies in its run."""
        return cells_of(self.players, self.draft.declarations, self.speaker)

    @property
    def announced(self) -> list[dict[str, Any]]:
        """Each declaration in words, with what became of it, in the order they were announced."""
        return in_words(self.players, self.draft.declarations, self.declared)

    def declared_by(self, player: int) -> int:
        """The points of what a player has announced, whether or not they will count."""
        return announced_points(player, self.draft.declarations, self.draft.beloz)

    @property
    def missing(self) -> str:
        """The next question, while something is still open; empty when the round can be scored."""
        question, _ = self._asks
        return question

    @property
    def _asks(self) -> tuple[str, str]:
        """The next question and the part of the page that it is about; both empty when the round can be scored."""
        if self.draft.bidder is None:
            return "Who took the contract?", "who"
        if self.draft.flooded is None:
            return "Which plain is flooded?", "who"
        return self.count.asks or ("", "")

    @property
    def result(self) -> RoundResult | None:
        """What saving would do, or None while something is missing or wrong."""
        event = self._round()
        if event is None:
            return None
        try:
            return score_round(self.players, self.options, event, self.number)
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None

    @property
    def totals(self) -> tuple[int, int] | None:
        """How the match would stand with it."""
        result = self.result
        return self.state.with_round(result) if result else None

    # What was asked

    def outcome(self) -> Outcome:
        """A tap changes the draft, a question is answered, and saving enters the round."""
        tap = self._tap()
        if tap:
            return self._tapped(tap)
        if self.data.get("ask") or "count" not in self.sections:
            return Again()
        if self.stale:
            self.errors[""] = (
                "The round was changed on another phone meanwhile. This is how it stands now; save again if it is right."
            )
            return Again(wrong=True)
        event = self._round()
        if event is None or self.errors:
            if not self.errors:
                question, place = self._asks
                self.errors[place] = question
            return Again(wrong=True)
        return Enter((event,), f"Round {self.number} saved")

    def _tap(self) -> str:
        """The key that was tapped, if it was one."""
        for name in ("flooded", "card", "quads"):
            if self.data.get(name):
                return f"{name}:{self.data[name]}"
        return self.data.get("tap", "")

    def ready(self) -> tuple[Event, ...] | None:
        """The round, if it is complete and the engine would score it."""
        event = self._round()
        return (event,) if event is not None and self.result is not None else None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the part of the page that it is about."""
        parts = field.split(".")
        place = PLACES.get(".".join(parts[:2])) or PLACES.get(parts[0], "")
        self.errors.setdefault(place, sentence)

    def _tapped(self, tap: str) -> Outcome:
        kind, _, value = tap.partition(":")
        if kind == "speaker" and value in {"0", "1", "2", "3"}:
            self._answer("speaker", value)
            return Again()
        if kind == "team" and value in TEAMS:
            self._answer("team", value)
            return Again()
        if kind == "counting" and value in {"pad", "pile"}:
            self._answer("counting", value)
            return Again()
        if kind == "passed-deal" and self.sitting.shared:
            return Enter((PassedDeal(),), "The deal is passed")
        if not self.sitting.shared:
            self.draft = self._changed(self.draft, tap)
            return Again()
        speaker = self.speaker
        self.draft = self._changed(self.draft, tap)  # refused here, while what was typed is at hand

        def change(stored: JSON | None) -> JSON | None:
            return drafts.stored(self._changed(drafts.read(stored), tap))

        what = drafts.told(drafts.read(self.sitting.draft), self.draft, self.players)
        if "count" in self.sections:
            return Keep(change, stay=True, what=what)
        query = {"speaker": str(speaker)} if speaker is not None and kind not in {"bidder", "flooded"} else {}
        return Keep(change, self._next(kind), query, what=what)

    def _answer(self, name: str, value: str) -> None:
        """Set a field to what a tap chose."""
        self.data = MultiDict(self.data)
        self.data[name] = value

    def _changed(self, draft: RoundDraft, tap: str) -> RoundDraft:
        """The draft after a tap, if the engine can imagine it."""
        changed = drafts.tapped(draft, tap, self.speaker)
        preview_declarations(self.players, self.options, changed.flooded, changed.declarations, changed.beloz)
        return changed

    def _next(self, kind: str) -> str | None:
        """The page that follows a tap on the shared draft."""
        if kind == "bidder":
            return "who"
        if kind == "flooded":
            return None if self.draft.bidder is not None else "who"
        return "declarations"

    def _round(self) -> Round | None:
        """The round as typed, or None while it is incomplete; what can't be read is put among the errors."""
        draft = self.draft
        if draft.bidder is None or draft.flooded is None or self.missing:
            return None
        try:
            count = self.count.read()
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None
        return Round(
            bidder=draft.bidder,
            flooded=draft.flooded,
            count=count,
            last_expedition=self.count.last_expedition,
            declarations=draft.declarations,
            beloz=draft.beloz,
        )


class WhoPage(RoundPage):
    """Who took the contract, and which plain is flooded."""

    sections = ("who",)


class DeclarationsPage(RoundPage):
    """What each player announced, as it is announced."""

    sections = ("declarations",)


class CountPage(RoundPage):
    """One team's card points, the last expedition, and what comes of it."""

    sections = ("count",)
