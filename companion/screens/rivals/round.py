"""The end of a round: who called it, and the whales of both players on each pack."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import msgspec
from werkzeug.datastructures import MultiDict

from companion.engine.core import RuleError
from companion.engine.rivals import PackResult, Round, check_round_due, needed, taken, tied, weigh
from companion.engine.rivals.whales import MOST_ON_PACK, VALUES, Sides, pack_sizes
from companion.screens.page import Outcome, PageContext, Rerender, with_capital
from companion.screens.rivals import draft as drafts
from companion.screens.rivals.entry import EntryPage
from companion.screens.rivals.pad import NO_MORE, Pad
from companion.screens.rivals.words import ended, told, whales

PACKS = (0, 1, 2)
BY_ITSELF = "none"
NO_MORE_KEY = "no-more"
ORDINALS = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Front:
    """One pack with what lies on both its sides, as it is entered."""

    grey: int
    whales: Sides
    strengths: tuple[int, int]
    complete: bool
    won_by: int | None
    words: str


class RoundPage(EntryPage[Round]):
    """A round as it ended. Taps fill six places, pack by pack, the far side first."""

    template: ClassVar[str] = "games/rivals/round.html"
    what: ClassVar[str] = "round"

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.number = len(self.state.rounds) + 1
        if self.standalone:
            self.state = msgspec.structs.replace(self.state, grey=self._sizes())
        full = self._expected()
        self.pad = Pad({self.name(pack, side): MOST_ON_PACK for pack in PACKS for side in self.sides}, self.form_data, full)

    @property
    def outbox_label(self) -> str:
        """What waits in the outbox when it can't be sent."""
        return f"Round {self.number}"

    @property
    def sides(self) -> tuple[int, int]:
        """Both players, the far side first."""
        return 1 - self.bottom, self.bottom

    @staticmethod
    def name(pack: int, side: int) -> str:
        """The field of a player's whales on a pack."""
        return f"whales-{pack}-{side}"

    def at_first(self) -> MultiDict[str, str]:
        """What is known of the round already: how it ended, how many whales lie where, or all of it when it is corrected."""
        context = self.context
        data: MultiDict[str, str] = MultiDict()
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
                        data[self.name(pack, side)] = " ".join([*map(str, values), NO_MORE])
        return data

    def _expected(self) -> dict[str, int] | None:
        """How many whales lie at each place, if the moves of the round were tapped."""
        laid = self.form_data.get("laid", "").split()
        if len(laid) != 2 * len(PACKS) or not set(laid) <= {str(number) for number in range(MOST_ON_PACK + 1)}:
            return None
        return {self.name(pack, side): int(laid[side * len(PACKS) + pack]) for pack in PACKS for side in (0, 1)}

    def _sizes(self) -> tuple[int, ...]:
        """How many grey whales each pack holds without a table: what was tapped, or what a first round would find."""
        typed = self.form_data.get("grey", "").split()
        sizes = [pack_sizes(pack + 1) for pack in PACKS]
        if len(typed) != len(PACKS):
            return tuple(size[0] for size in sizes)
        return tuple(next((one for one in size if str(one) == text), size[0]) for size, text in zip(sizes, typed, strict=True))

    # What the page shows

    @property
    def laid(self) -> str:
        """How many whales lie at each place, for the form to carry."""
        return " ".join(self.form_data.get("laid", "").split()[: 2 * len(PACKS)]) if self._expected() is not None else ""

    @property
    def ended_by(self) -> str:
        """Who called the end: a player's index, ``none`` when the hands ran out, or nothing yet."""
        chosen = self.form_data.get("ended_by", "")
        return chosen if chosen in {"0", "1", BY_ITSELF} else ""

    @property
    def ended_words(self) -> str:
        """Who called the end, in words."""
        if self.ended_by == "":
            return ""
        return ended(self.players, None if self.ended_by == BY_ITSELF else int(self.ended_by))

    @property
    def grey(self) -> tuple[int, ...]:
        """How many grey whales each pack holds: the match knows, or without a table whoever asks."""
        return self.state.grey

    @property
    def whales(self) -> tuple[Sides, Sides, Sides]:
        """What lies on both sides of each pack."""
        first, second, third = ((self.pad[self.name(pack, 0)].values, self.pad[self.name(pack, 1)].values) for pack in PACKS)
        return first, second, third

    @cached_property
    def fronts(self) -> list[Front]:
        """The three packs, each with what the engine says of it so far."""
        fronts = []
        for pack, result in enumerate(weigh(self.state, self.whales)):
            complete = all(self.pad[self.name(pack, side)].complete for side in (0, 1))
            fronts.append(
                Front(
                    grey=result.grey,
                    whales=result.whales,
                    strengths=result.strengths,
                    complete=complete,
                    won_by=result.won_by if complete else None,
                    words=self._became(result) if complete else whales(result.grey),
                )
            )
        return fronts

    def _became(self, result: PackResult) -> str:
        """What becomes of a pack, short enough to stand on it."""
        if result.won_by is not None:
            return f"{self.players[result.won_by]} takes {result.grey}"
        if not result.stays:
            return f"Tie, {result.grey} to nobody"
        return f"Tie, {result.grey} {'stays' if result.grey == 1 else 'stay'}"

    @property
    def prompt(self) -> str:
        """What the next tap is: "Pack 3, Ana's second whale"."""
        place = self.pad.place
        if place is None:
            return self.headline if self.taken else "All whales entered"
        _, pack, side = place.name.split("-")
        name, where = self.players[int(side)], f"Pack {int(pack) + 1}"
        if len(place.words) >= place.room:
            return f"{where}, all of {name}'s whales"
        return f"{where}, {name}'s {ORDINALS[len(place.words)]} whale"

    @property
    def hint(self) -> str:
        """What the whale would need, once the other player's on this pack are known; at last what comes of the round."""
        place = self.pad.place
        if place is None:
            return self.sentence or self.next_question
        _, pack, text = place.name.split("-")
        side = int(text)
        if not self.pad[self.name(int(pack), 1 - side)].complete:
            return ""
        both = self.whales[int(pack)]
        least = needed(both[side], both[1 - side])
        return f"needs {least} to win" if least else "is ahead"

    @property
    def results(self) -> tuple[PackResult, ...] | None:
        """What the round does on each pack, or None while something is missing or wrong."""
        return None if self.after is None else self.after.rounds[-1].packs

    @property
    def taken(self) -> tuple[int, int] | None:
        """How many grey whales each takes."""
        return None if self.results is None else taken(self.results)

    @property
    def headline(self) -> str:
        """Who takes how many: "Ana takes 4 cards, Bo 1"."""
        return with_capital(told(self.players, self.taken or (0, 0)))

    @property
    def sentence(self) -> str:
        """What stays, and who starts the next round."""
        if self.after is None or self.results is None:
            return ""
        left = tied(self.results)
        if self.standalone:
            return f"{whales(left)} in tied packs." if left else ""
        if self.state.in_last_round:
            return (f"Nobody gets {whales(left)} in tied packs. " if left else "") + "Now the captured whales are counted."
        stay = f"{whales(left)} {'stays' if left == 1 else 'stay'} in tied packs. " if left else ""
        return f"{stay}{self.players[self.after.first_player]} starts round {self.number + 1}."

    @property
    def told_totals(self) -> str:
        """The captured cards as they would be: "Then 8 to 3 cards."."""
        return (
            "" if self.standalone or self.after is None else f"Then {self.after.captured[0]} to {self.after.captured[1]} cards."
        )

    @property
    def totals(self) -> list[dict[str, object]]:
        """The captured cards as they would be."""
        if self.after is None or self.taken is None:
            return []
        return [
            {"side": side, "name": name, "total": self.after.captured[side], "change": self.taken[side]}
            for side, name in enumerate(self.players)
        ]

    # What was asked

    def check_due(self) -> None:
        """Raises RuleError once three rounds are played."""
        check_round_due(self.state)

    @property
    def next_question(self) -> str:
        """The next question while something is open; empty when the round is complete."""
        if self.open_place:
            return "Who called the end?"
        place = self.pad.place
        if self.pad.complete or place is None:
            return ""
        _, pack, side = place.name.split("-")
        more = "more whales" if place.words else "whales"
        return f"Any {more} for {self.players[int(side)]} on pack {int(pack) + 1}? If not, tap “no more”."

    @property
    def open_place(self) -> str:
        """Who ended it is asked first; without a table nobody has to say."""
        return "" if self.ended_by or self.standalone else "ended_by"

    @property
    def event(self) -> Round | None:
        """The round as typed, or None while it is incomplete."""
        if self.next_question or self.pad.refusals:
            return None
        return Round(ended_by=int(self.ended_by) if self.ended_by in {"0", "1"} else None, packs=self.whales)

    @property
    def said(self) -> str:
        """Who took what; of a round that the rules refuse nothing will be said."""
        return f"Round {self.number} saved: {told(self.players, taken(weigh(self.state, self.whales)))}"

    def check_early(self) -> None:
        """Refuse a place that is done and can't be so, whatever will lie on the others: there a whale is taken for granted."""
        if self.event is not None or self.ended_by not in {"0", "1"} or self.pad.refusals:
            return
        places = self.pad.places.values()
        least = {one.name: one.values if one.words or one.complete else (VALUES[0],) for one in places}
        first, second, third = ((least[self.name(pack, 0)], least[self.name(pack, 1)]) for pack in PACKS)
        try:
            self.applied(Round(ended_by=int(self.ended_by), packs=(first, second, third)))
        except RuleError as refused:
            place = self.place_of(refused.field)
            if place in self.pad.places and self.pad[place].complete:
                self.refuse(refused.message, refused.field)

    def tapped(self, tap: str) -> None:
        """As everywhere; but fewer whales than were tapped during the round are refused, unless the place was chosen."""
        place = self.pad.place
        if tap == NO_MORE_KEY and place and self._expected() and not self.pad.by_hand and len(place.words) < place.full:
            _, pack, side = place.name.split("-")
            told = f"{self.players[int(side)]} laid {whales(place.full)} on pack {int(pack) + 1}, as tapped during the round."
            self.refuse(f"{told} If not so, tap the place above, then “no more”.", f"packs.{pack}.{side}")
            return
        super().tapped(tap)

    def outcome(self) -> Outcome:
        """As everywhere on the pad; without a table a tap on a pack changes its size."""
        tap = self.form_data.get("tap", "")
        if tap.startswith("grey:") and self.standalone:
            self._resize(tap.removeprefix("grey:"))
            return Rerender()
        return super().outcome()

    def _resize(self, pack: str) -> None:
        """The next size of a pack, and after the largest the smallest again."""
        if pack in {"0", "1", "2"}:
            grey, sizes = list(self.grey), pack_sizes(int(pack) + 1)
            grey[int(pack)] = sizes[(sizes.index(grey[int(pack)]) + 1) % len(sizes)]
            self.state = msgspec.structs.replace(self.state, grey=tuple(grey))

    def place_of(self, field: str) -> str:
        """The whales of one player on a pack, who called the end, or no single place."""
        parts = field.split(".")
        if parts[0] == "packs" and len(parts) == 3:
            return self.name(int(parts[1]), int(parts[2]))
        return "ended_by" if field == "ended_by" else ""
