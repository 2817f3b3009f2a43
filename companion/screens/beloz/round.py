"""How is a BeloZ round entered? Who took it, what was announced, the count; each on a page, or all of it on one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from werkzeug.datastructures import MultiDict

from companion.engine.beloz import BelozState, PassedDeal
from companion.engine.beloz.cards import ANIMALS
from companion.engine.beloz.declarations import QUADS_POINTS, DeclarationsVerdict, describe, judge, preview_declarations
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
from companion.engine.core import Event, RuleError
from companion.engine.text import Name, listing, say, say_n
from companion.screens.beloz import draft as drafts
from companion.screens.beloz.announced import cells_of, describe_all
from companion.screens.beloz.count import ALL_EIGHT, TEAMS, TypedCount, fields_of
from companion.screens.beloz.draft import RoundDraft
from companion.screens.beloz.seats import seats
from companion.screens.interface import (
    DraftBody,
    Faster,
    FormData,
    Mend,
    Outcome,
    PageContext,
    PageView,
    Rerender,
    ScreenPage,
    Submit,
    UpdateDraft,
    as_sentence,
    named,
)

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
    "": say("Later rounds don’t allow this"),
    "declarations": say("These declarations can’t be"),
    "expeditions": say("The expeditions don’t fit"),
    "pile": say("That is not a whole pile"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView(PageView):
    """A round on its form: the visible ``sections``, the typed values, and the engine's answer.

    ``text`` is the draft for the form to carry. Seats are in the order in which the players first sat down, ``around`` from
    the phone's player. ``cells``, ``announced``, ``declared`` and ``declared_by`` describe the declarations. ``result`` is
    the round's score once saved, ``totals`` the match's; ``before`` is the score before a correction. ``as_before`` is True
    while a correction still has the stored points: the first digit begins a new number. ``extra`` is each team's score
    besides its cards.
    """

    sections: tuple[Section, ...]
    part: str
    number: int
    dealer: int
    opener: int
    draft: RoundDraft
    text: str
    speaker: int | None
    count: TypedCount
    seats: Sequence[Mapping[str, Any]]
    around: Sequence[Mapping[str, Any]]
    side_names: tuple[str, ...]
    scores: tuple[int, int]
    cells: Mapping[str, Mapping[str, str]]
    announced: Sequence[Mapping[str, Any]]
    declared: DeclarationsVerdict | None
    declared_by: Sequence[int]
    line: VerdictLine
    result: RoundResult | None
    totals: tuple[int, int] | None
    before: RoundResult | None
    as_before: bool
    extra: tuple[str, str]
    mend: Mend | None
    animals: ClassVar[tuple[str, ...]] = ANIMALS[::-1]  # highest number first, as on the grid
    quads_animals: ClassVar[tuple[str, ...]] = tuple(QUADS_POINTS)  # animals of which all four score
    beloz_points: ClassVar[int] = BELOZ


class RoundPage(ScreenPage[BelozState]):
    """A page about one round. ``sections`` says which parts of the round it asks for."""

    template: ClassVar[str] = "games/beloz/round.html"
    error_places: ClassVar[Mapping[str, str]] = PLACES
    sections: ClassVar[tuple[Section, ...]] = ("who", "declarations", "count")

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.options: BelozOptions = self.state.options
        self.number = len(self.state.rounds) + 1
        self.draft = self._draft()
        sent = None if context.form_data is None else drafts.read(self.form_data.get("round"))
        self.draft_changed = context.shared and sent is not None and sent != self.draft

    @property
    def outbox_label(self) -> str:
        """Return "Round 6"."""
        return say("Round {n}", n=self.number)

    def prefill(self) -> FormData:
        """Return the count of the round that is corrected, and who announces if the address says so."""
        data: FormData = MultiDict()
        if self.replaced is not None:
            data.update(fields_of(self.replaced))
        if "speaker" in self.context.query:
            data["speaker"] = self.context.query["speaker"]
        return data

    def _draft(self) -> RoundDraft:
        if self.context.shared:
            return drafts.read(self.context.draft)
        if self.context.form_data is not None:
            return drafts.read(self.form_data.get("round"))
        event = self.replaced
        if event is None:
            return RoundDraft()
        return RoundDraft(event.bidder, event.flooded, tuple(event.declarations), event.beloz)

    # What is typed and tapped

    @property
    def replaced(self) -> Round | None:
        """Return the round that is being corrected, as it is stored."""
        return next((event for event in self.context.replacing if isinstance(event, Round)), None)

    @property
    def part(self) -> str:
        """Return the part of the round that is in sight. Each but the count is opened from it, and leads back to it."""
        if "count" not in self.sections:
            return self.sections[0]
        opened = self.form_data.get("part", "")
        answered = opened == "who" and self.draft.taken and self._tap().startswith("flooded:")
        return "count" if answered or opened not in PARTS else opened

    @property
    def speaker(self) -> int | None:
        """Return the player whose declarations are being tapped: chosen, else whoever holds this phone."""
        chosen = self.form_data.get("speaker", "")
        if chosen in {"0", "1", "2", "3"}:
            return int(chosen)
        return self.context.viewer

    @property
    def count(self) -> TypedCount:
        """Return the count, which may be half typed."""
        return TypedCount(self.form_data, self.draft)

    @property
    def next_question(self) -> str:
        """Return the next question, while something is still open; empty when the round can be scored."""
        question, _ = self._open_question
        return question

    @property
    def _open_question(self) -> tuple[str, str]:
        """Return the next question and the part of the page that it is about; both empty when the round can be scored."""
        if self.draft.bidder is None:
            return say("Who took the contract?"), "who"
        if self.draft.flooded is None:
            return say("Which plain is flooded?"), "who"
        return self.count.next_question or ("", "")

    def events(self) -> tuple[Event, ...] | None:
        """Return the round, if it is complete and the engine would score it."""
        event = self._round()
        return None if event is None or self.result() is None else (event,)

    def place_of(self, field: str) -> str:
        """Return the part of the page that a field of the engine's round is."""
        parts = field.split(".")
        return PLACES.get(".".join(parts[:2])) or PLACES.get(parts[0], "")

    # What the engine says

    def result(self) -> RoundResult | None:
        """Return what saving would do, or None while something is missing or wrong."""
        event = self._round()
        if event is None:
            return None
        try:
            return score_round(self.players, self.options, event, self.number)
        except RuleError as refused:
            if not (refused.field == "count.points" and self.count.may_grow):  # 1 may become 112
                self.refuse(refused.message, refused.field)
            return None

    def view(self) -> RoundView:
        """Return the round as it is entered, with what the engine says of it."""
        draft, count = self.draft, self.count
        replaced, result = self.replaced, self.result()
        before = None if replaced is None else score_round(self.players, self.options, replaced, self.number)
        declared = self.asked(lambda: self._judged(draft))
        return RoundView(
            line=self._line(result, before),
            errors=self.errors,
            outbox_label=self.outbox_label,
            sections=self.sections,
            part=self.part,
            number=self.number,
            dealer=self.state.dealer,
            opener=self.state.opener,
            draft=draft,
            text=drafts.text(draft),
            speaker=self.speaker,
            count=count,
            seats=seats(self.players),
            around=seats(self.players, self.context.viewer or 0),
            side_names=self.position.standing().sides,
            scores=self.state.scores,
            cells=cells_of(self.players, draft.declarations, self.speaker),
            announced=describe_all(self.players, draft.declarations, declared),
            declared=declared,
            declared_by=[announced_points(player, draft.declarations) for player in range(len(self.players))],
            result=result,
            totals=self.state.with_round(result) if result else None,
            before=before,
            as_before=replaced is not None and count.points == fields_of(replaced)["points"],
            extra=(self._extra(0), self._extra(1)),
            mend=self._mend(),
        )

    def _mend(self) -> Mend | None:
        """Return how a refused declaration is mended: somebody else's was entered for the wrong player."""
        tap, speaker, why = self._tap(), self.speaker, self.errors.get("declarations")
        if why is None or speaker is None or tap.partition(":")[0] not in {"card", "quads"}:
            return None
        try:
            after = drafts.tapped(self.draft, tap, speaker)
            self._judged(drafts.tapped(self.draft, f"mend:{tap}", speaker))
        except RuleError:
            return None
        gone = drafts.in_the_way(self.draft, after)
        if any(declaration.player == speaker for declaration in gone):
            return None  # of two of their own, players say which
        declarations = [
            say(
                "{player}: {declaration}",
                player=named(self.players[declaration.player]),
                declaration=as_sentence(describe(declaration)),
            )
            for declaration in gone
        ]
        return Mend(
            why,
            # NOTE: what somebody announced: "Then “Ana: run of three” is taken back."
            say("Then “{announced}” is taken back.", announced=listing(declarations)),
            # NOTE: a button: the card that was tapped is this player's
            say("{player} has it", player=named(self.players[speaker])),
            f"mend:{tap}",
        )

    def _judged(self, draft: RoundDraft) -> DeclarationsVerdict:
        """Return whose declarations count. Raises RuleError when they can't be true."""
        return preview_declarations(self.players, self.options, draft.flooded, draft.declarations, draft.beloz)

    def _extra(self, side: int) -> str:
        """Return what a team has besides its cards, short enough to stand under its number: "+80 last, declared"."""
        count, draft = self.count, self.draft
        golden = count.team if count.last == ALL_EIGHT else None
        last = TEN_LAST + GOLDEN_ROUND if golden == side else TEN_LAST if count.last == str(side) else 0
        verdict = judge(self.players, self.options, draft.flooded, draft.declarations, golden) if draft.flooded else None
        declared = verdict.points if verdict is not None and verdict.team == side else 0
        if draft.beloz is not None and team_of(draft.beloz) == side:
            declared += BELOZ
        # NOTE: short words under a number: "+80 last, declared"; last: the last expedition, all: all eight expeditions
        won = say("last") if golden != side else say("all") if declared else say("all eight")
        words = [word for word, points in ((won, last), (say("declared"), declared)) if points]
        return say("+{points} {why}", points=last + declared, why=listing(words, "comma")) if words else ""

    def _line(self, result: RoundResult | None, before: RoundResult | None) -> VerdictLine:
        """Return the outcome, the mistake, or the next question. It is always one line, so nothing below it moves."""
        count = self.count
        self._check_points()
        if "points" in self.errors and not count.wants_points:
            return VerdictLine(self._not_possible, "wrong", self.errors["points"])
        question, place = self._open_question
        if question:
            return VerdictLine(question, "wrong" if place in self.errors else "")
        if result is None and not self.errors and count.by_pile:
            cards = len(count.pile)
            return VerdictLine(say_n("{n} card so far", "{n} cards so far", cards))
        if result is None and not self.errors:
            return VerdictLine(say("{number} needs another digit", number=Name(count.points)))
        if result is None:
            place, sentence = next(iter(self.errors.items()))
            return VerdictLine(WRONG_ELSEWHERE.get(place, say("Not possible")), "wrong", sentence)
        if before is not None and result == before:
            return VerdictLine(say("Nothing changes yet"), result.contract)
        if before is not None and result.contract != before.contract:
            return VerdictLine(
                say("Won instead of broken") if result.contract == "won" else say("Broken instead of won"), result.contract
            )
        held = result.held if result.contracting == 0 else result.held[::-1]
        points = {"points": held[0], "other": held[1]}
        if result.contract == "won":
            return VerdictLine(say("Contract won: {points} to {other}", **points), "won")
        return VerdictLine(say("Contract broken: {points} to {other}", **points), "broken")

    @property
    def _not_possible(self) -> str:
        count = self.count
        if count.number is None:
            return say("That is not a number")
        return say("Not possible")  # the sentence below says which number

    def _check_points(self) -> None:
        """Refuse the typed points as soon as no further digit can mend them, whatever is still asked."""
        count = self.count
        if count.by_pile or count.last == ALL_EIGHT or not count.points or (count.number is not None and count.may_grow):
            return
        last = int(count.last or count.team)
        self.allowed(lambda: check_points(self.players, count.team, count.read().points, count.expeditions_won, last))

    # What was asked

    def outcome(self) -> Outcome:
        """Change the draft by a tap, answer a question, or enter the round."""
        tap = self._tap()
        if tap:
            return self._tapped(tap)
        if self.form_data.get("ask") or "count" not in self.sections:
            return Rerender()
        if self.draft_changed:
            self.errors[""] = say("Another phone has changed the round. This is how it stands now. Save again if it is right.")
            return Rerender(wrong=True)
        event = self._round()
        if event is None or self.errors:
            if not self.errors:
                question, place = self._open_question
                self.errors[place] = question
            return Rerender(wrong=True)
        return Submit((event,), say("{what} saved", what=say("Round {n}", n=self.number)))

    def _tap(self) -> str:
        """Return the key that was tapped, if it was one."""
        for name in ("flooded", "card", "quads"):
            if self.form_data.get(name):
                return f"{name}:{self.form_data[name]}"
        return self.form_data.get("tap", "")

    def _tapped(self, tap: str) -> Outcome:
        kind, _, value = tap.partition(":")
        if kind == "speaker" and value in {"0", "1", "2", "3"}:
            self._answer("speaker", value)
            return Rerender()
        if kind == "team" and value in TEAMS:
            self._answer("team", value)
            return Rerender()
        if kind == "counting" and value in {"pad", "pile"}:
            count = self.count
            if count.by_pile and count.pile and count.pile_so_far is not None:
                self._answer("points", str(count.pile_so_far))  # what was counted comes along
            self._answer("counting", value)
            return Rerender()
        if kind == "part" and value in PARTS:
            self._answer("part", value)
            return Rerender()
        if kind == drafts.PASSED and self.context.shared:
            drafts.meant(self._seen(self.draft), self.draft, tap, None)
            return Submit(
                (PassedDeal(),),
                say("Deal passed. {player} deals now.", player=Name(self.players[self.state.opener])),
                totals=False,
            )
        if not self.context.shared:
            self.draft = self._changed(self.draft, tap)
            if kind == "bidder" and not self.count.points:
                self._answer("team", str(team_of(int(value))))
            return Rerender()
        speaker = self.speaker
        try:
            self.draft = self._changed(self.draft, tap)  # refused here, while what was typed is at hand
        except Faster as faster:
            raise Faster(same=faster.same, following=self._next(kind)) from faster

        def change(stored: DraftBody | None) -> DraftBody | None:
            return drafts.stored(self._changed(drafts.read(stored), tap))

        label = drafts.describe_step(drafts.read(self.context.draft), self.draft, self.players)
        if "count" in self.sections:
            return UpdateDraft(change, stay=True, step=label)
        query = {"speaker": str(speaker)} if speaker is not None and kind not in {"bidder", "flooded"} else {}
        return UpdateDraft(change, self._next(kind), query, step=label)

    @property
    def _saves(self) -> bool:
        """Return True where the round is to be saved, and not only asked about."""
        return not (self._tap() or self.form_data.get("ask"))

    def _answer(self, name: str, value: str) -> None:
        """Set a field to what a tap chose."""
        self.form_data[name] = value

    def _changed(self, draft: RoundDraft, tap: str) -> RoundDraft:
        """Return the draft after a tap, if it still means what it meant and the engine can imagine it."""
        tap = drafts.meant(self._seen(draft), draft, tap, self.speaker)
        changed = drafts.tapped(draft, tap, self.speaker)
        self._judged(changed)
        return changed

    def _seen(self, draft: RoundDraft) -> RoundDraft:
        """Return the draft that the phone showed when somebody tapped; a page of an older Companion does not say."""
        return drafts.read(self.form_data["round"]) if self.context.shared and "round" in self.form_data else draft

    def _next(self, kind: str) -> str | None:
        """Return the page that follows a tap on the shared draft."""
        if kind == "bidder":
            return "who"
        if kind == "flooded":
            return None if self.draft.bidder is not None else "who"
        return "declarations"

    def _round(self) -> Round | None:
        """Return the round as typed, or None while it is incomplete; what can't be read is put among the errors."""
        draft = self.draft
        if draft.bidder is None or draft.flooded is None or self.next_question:
            return None
        try:
            count = self.count.read()
        except RuleError as refused:
            if refused.field != "cards" or self._saves:  # until then the next card is on its way
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
    """The declarations of each player, entered during the first expedition."""

    sections = ("declarations",)


class CountPage(RoundPage):
    """One team's card points, the last expedition, and what comes of it."""

    sections = ("count",)
