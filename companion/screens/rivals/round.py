"""How did a round end? Who called it, and the whales of both players on each pack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import msgspec
from werkzeug.datastructures import MultiDict

from companion.engine.core import RuleError
from companion.engine.rivals import PackResult, RivalsState, Round, check_round_due, needed, taken, tied, weigh
from companion.engine.rivals.whales import MOST_ON_PACK, VALUES, Sides, pack_sizes
from companion.engine.text import Part, listing, say, say_n
from companion.screens.interface import FormData, Mend, Outcome, PageContext, Rerender, named, with_capital
from companion.screens.rivals import draft as drafts
from companion.screens.rivals.entry import PadPage, PadView
from companion.screens.rivals.pad import NO_MORE, Pad
from companion.screens.rivals.words import ended, whales, who_takes

PACKS = (0, 1, 2)
BY_ITSELF = "none"
NO_MORE_KEY = "no-more"
MEND_END = "mend:none"  # the tap that nobody called the end
MEND_NO_MORE = "mend:no-more"  # the tap that fewer whales lie there than were tapped during the round


@dataclass(frozen=True, slots=True)
class Front:
    """One pack with what lies on both its sides, as it is entered."""

    grey: int
    whales: Sides
    strengths: tuple[int, int]
    complete: bool
    won_by: int | None
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView(PadView):
    """The round's number, who called the end of it (a player's index, ``none`` or nothing yet), and the three packs."""

    number: int
    ended_by: str
    ended_words: str
    grey: tuple[int, ...]
    fronts: tuple[Front, ...]


class RoundPage(PadPage[Round]):
    """A round as it ended. Taps fill six places, pack by pack, the far side first."""

    template: ClassVar[str] = "games/rivals/round.html"
    what: ClassVar[str] = "round"

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self._join_whole()
        self.number = len(self.state.rounds) + 1
        chosen = self.form_data.get("ended_by", "")
        self.ended_by = chosen if chosen in {"0", "1", BY_ITSELF} else ""
        if self.standalone:
            self.state = msgspec.structs.replace(self.state, grey=self._sizes())
        sides = (1 - self.bottom, self.bottom)
        self.expected = self._expected()
        self.mend: Mend | None = None
        self.pad = Pad.read({name(pack, side): MOST_ON_PACK for pack in PACKS for side in sides}, self.form_data, self.expected)

    @property
    def outbox_label(self) -> str:
        """Return "Round 2"."""
        return say("Round {n}", n=self.number)

    def prefill(self) -> FormData:
        """Return what is known of the round: how it ended, how many whales lie where, or all of it when it is corrected."""
        context = self.context
        data: FormData = MultiDict()
        if "by" in context.query:
            data["ended_by"] = context.query["by"]
        elif context.shared:
            turns = drafts.turns_of(self.state, drafts.read(context.draft))
            if turns.over:
                data["ended_by"] = BY_ITSELF if turns.called_by is None else str(turns.called_by)
                data["laid"] = " ".join(str(whales) for packs in turns.laid for whales in packs)
        for event in context.replacing[:1]:
            if isinstance(event, Round):
                data["ended_by"] = BY_ITSELF if event.ended_by is None else str(event.ended_by)
                for pack, both in enumerate(event.packs):
                    for side, values in enumerate(both):
                        data[name(pack, side)] = " ".join([*map(str, values), NO_MORE])
        return data

    def _join_whole(self) -> None:
        """Read whales that were chosen one by one, all of a round on one page, as if they were tapped: no more come."""
        if self.form_data.get("whole"):
            for field in (name(pack, side) for pack in PACKS for side in (0, 1)):
                self.form_data[field] = " ".join([*filter(None, self.form_data.getlist(field)), NO_MORE])

    def _expected(self) -> dict[str, int] | None:
        """Return how many whales lie at each place, if the moves of the round were tapped."""
        laid = self.form_data.get("laid", "").split()
        if len(laid) != 2 * len(PACKS) or not set(laid) <= {str(number) for number in range(MOST_ON_PACK + 1)}:
            return None
        return {name(pack, side): int(laid[side * len(PACKS) + pack]) for pack in PACKS for side in (0, 1)}

    def _sizes(self) -> tuple[int, ...]:
        """Return how many grey whales each pack holds without a table: as tapped, or what a first round would find."""
        given = self.form_data.get("grey", "").split()
        sizes = [pack_sizes(pack + 1) for pack in PACKS]
        if len(given) != len(PACKS):
            return tuple(size[0] for size in sizes)
        return tuple(
            next((number for number in size if str(number) == text), size[0]) for size, text in zip(sizes, given, strict=True)
        )

    @property
    def whales(self) -> tuple[Sides, Sides, Sides]:
        """Return what lies on both sides of each pack."""
        first, second, third = ((self.pad[name(pack, 0)].values, self.pad[name(pack, 1)].values) for pack in PACKS)
        return first, second, third

    def check_due(self) -> None:
        """Raise RuleError once three rounds are played."""
        check_round_due(self.state)

    @property
    def next_question(self) -> str:
        """Return the next question while something is open; empty when the round is complete."""
        if self.open_place:
            return say("Who called the end?")
        place = self.pad.place
        if self.pad.complete or place is None:
            return ""
        pack, side = parts_of(place.name)
        parts: dict[str, Part] = {"player": named(self.players[side]), "pack": pack + 1}
        if place.words:
            return say("Any more whales for {player} on pack {pack}? If not, tap “no more”.", **parts)
        return say("Any whales for {player} on pack {pack}? If not, tap “no more”.", **parts)

    @property
    def open_place(self) -> str:
        """Return the place of the next question: first who called the end, but for the calculator, then the whales."""
        return "" if self.ended_by or self.standalone else "ended_by"

    @property
    def event(self) -> Round | None:
        """Return the round as typed, or None while it is incomplete."""
        if self.next_question or self.pad.refusals:
            return None
        return Round(ended_by=int(self.ended_by) if self.ended_by in {"0", "1"} else None, packs=self.whales)

    @property
    def message(self) -> str:
        """Return who took what; of a round that the rules refuse nothing will be said."""
        takes = who_takes(self.players, taken(weigh(self.state, self.whales)))
        return say("Round {n} saved: {outcome}", n=self.number, outcome=takes)

    def check_early(self) -> None:
        """Refuse a finished place as soon as no round allows it. Empty places count as one whale each here."""
        if self.event is not None or self.ended_by not in {"0", "1"} or self.pad.refusals:
            return
        try:
            self.applied(self._least(int(self.ended_by)))
        except RuleError as refused:
            place = self.place_of(refused.field)
            if place in self.pad.places and self.pad[place].complete:
                self.refuse(refused.message, refused.field)

    def _least(self, ended_by: int | None) -> Round:
        """Return the round as typed, with one whale in each place that is still empty."""
        places = self.pad.places.values()
        least = {place.name: place.values if place.words or place.complete else (VALUES[0],) for place in places}
        first, second, third = ((least[name(pack, 0)], least[name(pack, 1)]) for pack in PACKS)
        return Round(ended_by=ended_by, packs=(first, second, third))

    def tapped(self, tap: str) -> None:
        """Carry out a tap; fewer whales than were tapped during the round are refused, unless the place was chosen."""
        place = self.pad.place
        if tap == MEND_END:
            self.ended_by = BY_ITSELF
            return
        if tap == NO_MORE_KEY and place and self.expected and not self.pad.by_hand and len(place.words) < place.full:
            pack, side = parts_of(place.name)
            refusal = say(
                "{player} laid {whales} on pack {pack}, as tapped during the round.",
                player=named(self.players[side]),
                whales=whales(place.full),
                pack=pack + 1,
            )
            self.refuse(refusal, f"packs.{pack}.{side}")
            # NOTE: below "Ana laid 2 whales on pack 1, as tapped during the round.", and the button that ends her whales there
            self.mend = Mend(refusal, say("What lies there now counts."), say("No more whales there"), MEND_NO_MORE)
            return
        super().tapped(NO_MORE_KEY if tap == MEND_NO_MORE else tap)

    def _mend(self) -> Mend | None:
        """Return the one tap that mends a refusal. While somebody types on the keys, none takes their place."""
        if self.mend is not None or self.form_data.get("ask") or self.expected is not None or self.ended_by not in {"0", "1"}:
            return self.mend
        place, why = next(iter(self.errors.items()), ("", ""))
        if place not in self.pad.places or self.pad[place].words or self.pad.refusals:
            return None
        try:
            self.applied(self._least(None))
        except RuleError:
            return None
        return Mend(why, say("Then nobody called the end."), say("Cards ran out"), MEND_END)

    def outcome(self) -> Outcome:
        """Do as everywhere on the pad; without a table a tap on a pack changes its size."""
        tap = self.form_data.get("tap", "")
        if tap.startswith("grey:") and self.standalone:
            self._resize(tap.removeprefix("grey:"))
            return Rerender()
        return super().outcome()

    def _resize(self, pack: str) -> None:
        """Give a pack its next size, and after the largest the smallest again."""
        if pack in {"0", "1", "2"}:
            grey, sizes = list(self.state.grey), pack_sizes(int(pack) + 1)
            grey[int(pack)] = sizes[(sizes.index(grey[int(pack)]) + 1) % len(sizes)]
            self.state = msgspec.structs.replace(self.state, grey=tuple(grey))

    def place_of(self, field: str) -> str:
        """Return the whales of one player on a pack, who called the end, or no single place."""
        parts = field.split(".")
        if parts[0] == "packs" and len(parts) == 3:
            return name(int(parts[1]), int(parts[2]))
        return "ended_by" if field == "ended_by" else ""

    def view(self) -> RoundView:
        """Return the pad with what the engine says of each pack, and at last what comes of the round."""
        after = self.after()
        prompt, hint = self._next() if after is None else self._result(after)
        called_by = None if self.ended_by in {"", BY_ITSELF} else int(self.ended_by)
        return RoundView(
            errors=self.errors,
            outbox_label=self.outbox_label,
            what=self.what,
            pad=self.pad,
            prompt=prompt,
            hint=hint,
            bottom=self.bottom,
            standalone=self.standalone,
            unplayable=self.unplayable,
            laid=" ".join(self.form_data.get("laid", "").split()) if self.expected is not None else "",
            mend=self._mend(),
            then_totals="" if self.standalone or after is None else self._then(after),
            number=self.number,
            ended_by=self.ended_by,
            ended_words=ended(self.players, called_by) if self.ended_by else "",
            grey=self.state.grey,
            fronts=tuple(self._front(pack, result) for pack, result in enumerate(weigh(self.state, self.whales))),
        )

    @staticmethod
    def _then(after: RivalsState) -> str:
        first, second = after.captured
        return say("Then {first} to {second} cards.", first=first, second=second)

    def _front(self, pack: int, result: PackResult) -> Front:
        complete = all(self.pad[name(pack, side)].complete for side in (0, 1))
        return Front(
            grey=result.grey,
            whales=result.whales,
            strengths=result.strengths,
            complete=complete,
            won_by=result.won_by if complete else None,
            words=self._became(result) if complete else whales(result.grey),
        )

    def _became(self, result: PackResult) -> str:
        """Return what becomes of a pack, short enough to stand on it."""
        if result.won_by is not None:
            return say("{player} takes {n}", player=named(self.players[result.won_by]), n=result.grey)
        if not result.stays:
            return say("Tie, {n} to nobody", n=result.grey)
        return say_n("Tie, {n} stays", "Tie, {n} stay", result.grey)

    def _next(self) -> tuple[str, str]:
        """Return what the next tap is ("Pack 3, Ana's second whale"), and what the whale would need if that is known."""
        place = self.pad.place
        if place is None:
            return say("All whales entered"), self.next_question
        pack, side = parts_of(place.name)
        parts: dict[str, Part] = {"pack": pack + 1, "player": named(self.players[side])}
        if len(place.words) >= place.room:
            prompt = say("Pack {pack}, all of {player}’s whales", **parts)
        elif not place.words:
            prompt = say("Pack {pack}, {player}’s first whale", **parts)
        elif len(place.words) == 1:
            prompt = say("Pack {pack}, {player}’s second whale", **parts)
        else:
            prompt = say("Pack {pack}, {player}’s third whale", **parts)
        return prompt, self._needed(pack, side)

    def _needed(self, pack: int, side: int) -> str:
        """Return what the next whale would need, once the other player's on this pack are known."""
        if not self.pad[name(pack, 1 - side)].complete:
            return ""
        both = self.whales[pack]
        least = needed(both[side], both[1 - side])
        # NOTE: what the next whale needs, below "Pack 3, Ana's second whale"
        return say("needs {n} to win", n=least) if least else say("is ahead")

    def _result(self, after: RivalsState) -> tuple[str, str]:
        """Return who takes how many ("Ana takes 4 cards, Bo 1"); and what stays, and who starts the next round."""
        if self.pad.place is not None:
            return self._next()
        results = after.rounds[-1].packs
        headline, left = with_capital(who_takes(self.players, taken(results))), tied(results)
        if self.standalone:
            return headline, say_n("{n} whale in tied packs.", "{n} whales in tied packs.", left) if left else ""
        sentences = []
        if self.state.in_last_round:
            if left:
                sentences.append(say("Nobody gets {whales} in tied packs.", whales=whales(left)))
            sentences.append(say("Now the captured whales are counted."))
        else:
            if left:
                sentences.append(say_n("{n} whale stays in tied packs.", "{n} whales stay in tied packs.", left))
            starts = named(self.players[after.first_player])
            sentences.append(say("{player} starts round {n}.", player=starts, n=self.number + 1))
        return headline, listing(sentences, "text")


def name(pack: int, side: int) -> str:
    """Return the field of a player's whales on a pack."""
    return f"whales-{pack}-{side}"


def parts_of(field: str) -> tuple[int, int]:
    """Return the pack and the side of such a field."""
    _, pack, side = field.split("-")
    return int(pack), int(side)
