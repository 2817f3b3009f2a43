"""The pages on which a BeloZ round is entered: who took it, what was announced, the count; or all of it on one page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from werkzeug.datastructures import MultiDict

from companion.engine.beloz import BelozState, PassedDeal
from companion.engine.beloz.cards import ANIMALS
from companion.engine.beloz.declarations import QUADS_POINTS, DeclarationsVerdict, judge, preview_declarations
from companion.engine.beloz.options import BelozOptions
from companion.engine.beloz.scoring import (
    BELOZ,
    GOLDEN_ROUND,
    TEN_LAST,
    Round,
    RoundResult,
    announced_points,
    score_round,
)
from companion.engine.beloz.seats import team_of
from companion.engine.beloz.totals import check_points
from companion.engine.beloz.words import count_word
from companion.engine.core import Event, RuleError
from companion.screens.beloz import draft as drafts
from companion.screens.beloz.announced import cells_of, describe_all
from companion.screens.beloz.count import ALL_EIGHT, TEAMS, CountFields, TypedCount, fields_of
from companion.screens.beloz.draft import RoundDraft
from companion.screens.beloz.seats import seats
from companion.screens.page import JSON, Outcome, PageContext, Rerender, Submit, UpdateDraft

Section = Literal["who", "declarations", "count"]
Part = Literal["count", "who", "declarations", "expeditions"]
PARTS: frozenset[str] = frozenset(get_args(Part))

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


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """What the engine says of the count in one line, with its whole ``sentence`` where that says more."""

    words: str
    tone: Literal["", "won", "broken", "wrong"] = ""
    sentence: str = ""


# what is wrong where the count can't show it, in one line
WRONG_ELSEWHERE = {
    "": "Later rounds don't allow this",
    "declarations": "These declarations can't be",
    "expeditions": "The expeditions don't fit",
    "pile": "That is not a whole pile",
}


class RoundPage:
    """A page about one round. ``sections`` says which parts of the round it asks for."""

    template: ClassVar[str] = "games/beloz/round.html"
    sections: ClassVar[tuple[Section, ...]] = ("who", "declarations", "count")

    def __init__(self, context: PageContext) -> None:
        self.context = context
        state: BelozState = context.position.state
        self.players = context.position.players
        self.options: BelozOptions = state.options
        self.state = state
        self.dealer, self.opener = state.dealer, state.opener
        self.number = len(state.rounds) + 1
        self.errors: dict[str, str] = {}
        self.form_data = self._data()
        self.fields = CountFields(self.form_data)
        self.draft = self._draft()
        self.draft_changed = (
            context.shared and context.form_data is not None and drafts.read(self.form_data.get("round")) != self.draft
        )

    @property
    def outbox_label(self) -> str:
        """What waits in the outbox when it can't be sent."""
        return f"Round {self.number}"

    def _data(self) -> MultiDict[str, str]:
        context = self.context
        if context.form_data is not None:
            return context.form_data
        data: MultiDict[str, str] = MultiDict()
        if self.replaced is not None:
            data.update(fields_of(self.replaced))
        if "speaker" in context.query:
            data["speaker"] = context.query["speaker"]
        return data

    def _draft(self) -> RoundDraft:
        context = self.context
        if context.shared:
            return drafts.read(context.draft)
        if context.form_data is not None:
            return drafts.read(self.form_data.get("round"))
        event = self.replaced
        return (
            RoundDraft() if event is None else RoundDraft(event.bidder, event.flooded, tuple(event.declarations), event.beloz)
        )

    # What the page shows

    animals: ClassVar[tuple[str, ...]] = ANIMALS[::-1]  # highest number first, as on the grid
    quads_animals: ClassVar[tuple[str, ...]] = tuple(QUADS_POINTS)  # those that score as all four
    beloz_points: ClassVar[int] = BELOZ

    @property
    def seats(self) -> list[dict[str, Any]]:
        """The players with their teams, in the order in which they first sat down."""
        return seats(self.players)

    @property
    def part(self) -> str:
        """The part of the round that is in sight. Each but the count is opened from it, and leads back to it."""
        if "count" not in self.sections:
            return self.sections[0]
        opened = self.form_data.get("part", "")
        answered = opened == "who" and self.draft.taken and self._tap().startswith("flooded:")
        return "count" if answered or opened not in PARTS else opened

    @property
    def around(self) -> list[dict[str, Any]]:
        """The players with their teams, from whoever holds this phone."""
        return seats(self.players, self.context.viewer or 0)

    @property
    def text(self) -> str:
        """The draft for the form to carry."""
        return drafts.text(self.draft)

    @property
    def speaker(self) -> int | None:
        """The player whose declarations are being tapped: chosen, else whoever holds this phone."""
        chosen = self.form_data.get("speaker", "")
        if chosen in {"0", "1", "2", "3"}:
            return int(chosen)
        return self.context.viewer

    @property
    def count(self) -> TypedCount:
        """The count as far as it is typed."""
        return TypedCount(self.form_data, self.fields, self.draft)

    @property
    def side_names(self) -> tuple[str, str]:
        """Both teams by their players' names."""
        sides = self.context.position.standing().sides
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
        return describe_all(self.players, self.draft.declarations, self.declared)

    def declared_by(self, player: int) -> int:
        """The points of a player's declarations, whether or not they will count. BeloZ is a line of its own."""
        return announced_points(player, self.draft.declarations)

    @property
    def golden(self) -> int | None:
        """The team that won all eight expeditions, as chosen, or None."""
        return self.count.team if self.count.last == ALL_EIGHT else None

    def extra(self, side: int) -> str:
        """What a team has besides its cards, short enough to stand under its number: "+10 last", "+80 last, declared"."""
        count = self.count
        last = TEN_LAST + GOLDEN_ROUND if self.golden == side else TEN_LAST if count.last == str(side) else 0
        draft = self.draft
        said = judge(self.players, self.options, draft.flooded, draft.declarations, self.golden) if draft.flooded else None
        declared = said.points if said is not None and said.team == side else 0
        if draft.beloz is not None and team_of(draft.beloz) == side:
            declared += BELOZ
        won = "last" if self.golden != side else "all" if declared else "all eight"
        words = [word for word, points in ((won, last), ("declared", declared)) if points]
        return f"+{last + declared} {', '.join(words)}" if words else ""

    @property
    def replaced(self) -> Round | None:
        """The round that is being corrected, as it is stored."""
        return next((event for event in self.context.replacing if isinstance(event, Round)), None)

    @property
    def before(self) -> RoundResult | None:
        """How the round that is being corrected was scored."""
        return None if self.replaced is None else score_round(self.players, self.options, self.replaced, self.number)

    @property
    def as_before(self) -> bool:
        """True while a correction still has the points that are stored: the first digit begins a new number."""
        return self.replaced is not None and self.count.points == fields_of(self.replaced)["points"]

    @property
    def line(self) -> VerdictLine:
        """The outcome, or what is wrong, or the next question: always one line, so that nothing below it moves."""
        self._check_points()
        if "points" in self.errors and not self.count.wants_points:
            return VerdictLine(self._not_possible, "wrong", self.errors["points"])
        question, place = self._open_question
        if question:
            return VerdictLine(question, "wrong" if place in self.errors else "")
        result = self.result
        if result is None and not self.errors:
            return VerdictLine(f"{self.count.points} needs another digit")
        if result is None:
            place, sentence = next(iter(self.errors.items()))
            return VerdictLine(WRONG_ELSEWHERE.get(place, "Not possible"), "wrong", sentence)
        before = self.before
        if before is not None and result == before:
            return VerdictLine("Nothing changes yet", result.contract)
        if before is not None and result.contract != before.contract:
            return VerdictLine(f"{result.contract.capitalize()} instead of {before.contract}", result.contract)
        held = result.held if result.contracting == 0 else result.held[::-1]
        return VerdictLine(f"Contract {result.contract}: {held[0]} to {held[1]}", result.contract)

    @property
    def _not_possible(self) -> str:
        count = self.count
        if count.number is None:
            return "That is not a number"
        if count.expeditions_won is None:
            return f"{count.number} is not possible"
        won = count.expeditions_won
        return f"{count.number} can't be {count_word(won)} expedition{'' if won == 1 else 's'}"

    def _check_points(self) -> None:
        """Refuse the typed points as soon as no further digit can mend them, whatever is still asked."""
        count = self.count
        if count.by_pile or count.last == ALL_EIGHT or not count.points or (count.number is not None and count.may_grow):
            return
        try:
            number = count.read().points
            check_points(self.players, count.team, number, count.expeditions_won, int(count.last or count.team))
        except RuleError as refused:
            self.refuse(refused.message, refused.field)

    @property
    def next_question(self) -> str:
        """The next question, while something is still open; empty when the round can be scored."""
        question, _ = self._open_question
        return question

    @property
    def _open_question(self) -> tuple[str, str]:
        """The next question and the part of the page that it is about; both empty when the round can be scored."""
        if self.draft.bidder is None:
            return "Who took the contract?", "who"
        if self.draft.flooded is None:
            return "Which plain is flooded?", "who"
        return self.count.next_question or ("", "")

    @property
    def result(self) -> RoundResult | None:
        """What saving would do, or None while something is missing or wrong."""
        event = self._round()
        if event is None:
            return None
        try:
            return score_round(self.players, self.options, event, self.number)
        except RuleError as refused:
            if not (refused.field == "count.points" and self.count.may_grow):  # 1 may become 112
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
        if self.form_data.get("ask") or "count" not in self.sections:
            return Rerender()
        if self.draft_changed:
            self.errors[""] = (
                "The round was changed on another phone meanwhile. This is how it stands now; save again if it is right."
            )
            return Rerender(wrong=True)
        event = self._round()
        if event is None or self.errors:
            if not self.errors:
                question, place = self._open_question
                self.errors[place] = question
            return Rerender(wrong=True)
        return Submit((event,), f"Round {self.number} saved")

    def _tap(self) -> str:
        """The key that was tapped, if it was one."""
        for name in ("flooded", "card", "quads"):
            if self.form_data.get(name):
                return f"{name}:{self.form_data[name]}"
        return self.form_data.get("tap", "")

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
            return Rerender()
        if kind == "team" and value in TEAMS:
            self._answer("team", value)
            return Rerender()
        if kind == "counting" and value in {"pad", "pile"}:
            self._answer("counting", value)
            return Rerender()
        if kind == "part" and value in PARTS:
            self._answer("part", value)
            return Rerender()
        if kind == "passed-deal" and self.context.shared:
            return Submit((PassedDeal(),), f"Deal passed. {self.players[self.opener]} deals now.", totals=False)
        if not self.context.shared:
            self.draft = self._changed(self.draft, tap)
            if kind == "bidder" and not self.count.points:
                self._answer("team", str(team_of(int(value))))
            return Rerender()
        speaker = self.speaker
        self.draft = self._changed(self.draft, tap)  # refused here, while what was typed is at hand

        def change(stored: JSON | None) -> JSON | None:
            return drafts.stored(self._changed(drafts.read(stored), tap))

        what = drafts.told(drafts.read(self.context.draft), self.draft, self.players)
        if "count" in self.sections:
            return UpdateDraft(change, stay=True, what=what)
        query = {"speaker": str(speaker)} if speaker is not None and kind not in {"bidder", "flooded"} else {}
        return UpdateDraft(change, self._next(kind), query, what=what)

    def _answer(self, name: str, value: str) -> None:
        """Set a field to what a tap chose."""
        self.form_data = MultiDict(self.form_data)
        self.form_data[name] = value

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
        if draft.bidder is None or draft.flooded is None or self.next_question:
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
