"""The end of a round: who called it, and the whales of both players on each pack."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.core import Event, RuleError
from companion.engine.rivals import PackResult, Round, State, needed, taken, weigh
from companion.engine.rivals.whales import MOST_ON_PACK, ROUNDS, Sides, Whale, pack_sizes
from companion.forms.rivals import draft as drafts
from companion.forms.rivals.pad import NO_MORE, Pad
from companion.forms.screens import Again, Enter, Outcome, Sitting

PACKS = (0, 1, 2)
BY_ITSELF = "none"
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


class RoundPage:
    """A round as it ended. Taps fill six places, pack by pack, the far side first."""

    template: ClassVar[str] = "games/rivals/round.html"
    what: ClassVar[str] = "round"

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.state: State = sitting.position.state
        self.players = sitting.position.players
        self.number = len(self.state.rounds) + 1
        self.errors: dict[str, str] = {}
        self.data = self._data()
        full = self._expected()
        self.pad = Pad({self.name(pack, side): MOST_ON_PACK for pack in PACKS for side in self.sides}, self.data, full)

    @property
    def keeps(self) -> str:
        """What waits in the outbox when it can't be sent."""
        return f"Round {self.number}"

    @property
    def bottom(self) -> int:
        """The player on the near side: whoever holds this phone."""
        return self.sitting.viewer or 0

    @property
    def sides(self) -> tuple[int, int]:
        """Both players, the far side first."""
        return 1 - self.bottom, self.bottom

    @property
    def alone(self) -> bool:
        """True without a table: nothing is kept, and packs may be of any size."""
        return not self.sitting.shared and not self.sitting.replacing

    @staticmethod
    def name(pack: int, side: int) -> str:
        """The field of a player's whales on a pack."""
        return f"whales-{pack}-{side}"

    def _data(self) -> MultiDict[str, str]:
        sitting = self.sitting
        if sitting.typed is not None:
            return MultiDict(sitting.typed)
        data: MultiDict[str, str] = MultiDict()
        if "by" in sitting.query:
            data["ended_by"] = sitting.query["by"]
        elif sitting.shared:
            turns = drafts.turns_of(self.state, drafts.read(sitting.draft))
            if turns.over:
                data["ended_by"] = BY_ITSELF if turns.called_by is None else str(turns.called_by)
                data["laid"] = " ".join(str(whales) for packs in turns.laid for whales in packs)
        for event in sitting.replacing:
            if isinstance(event, Round):
                data["ended_by"] = BY_ITSELF if event.ended_by is None else str(event.ended_by)
                for pack, both in enumerate(event.packs):
                    for side, whales in enumerate(both):
                        data[self.name(pack, side)] = " ".join([*map(str, whales), NO_MORE])
        return data

    def _expected(self) -> dict[str, int] | None:
        """How many whales lie at each place, if the moves of the round were tapped."""
        laid = self.data.get("laid", "").split()
        if len(laid) != 2 * len(PACKS) or not set(laid) <= {str(number) for number in range(MOST_ON_PACK + 1)}:
            return None
        return {self.name(pack, side): int(laid[side * len(PACKS) + pack]) for pack in PACKS for side in (0, 1)}

    # What the page shows

    @property
    def laid(self) -> str:
        """How many whales lie at each place, for the form to carry."""
        return " ".join(self.data.get("laid", "").split()[: 2 * len(PACKS)]) if self._expected() is not None else ""

    @property
    def ended_by(self) -> str:
        """Who called the end: a player's index, ``none`` when the hands ran out, or nothing yet."""
        chosen = self.data.get("ended_by", "")
        return chosen if chosen in {"0", "1", BY_ITSELF} else ""

    @property
    def ended_words(self) -> str:
        """Who called the end, in words."""
        if self.ended_by == "":
            return ""
        return "the hands ran out" if self.ended_by == BY_ITSELF else f"{self.players[int(self.ended_by)]} called the end"

    @property
    def grey(self) -> tuple[int, ...]:
        """How many grey whales each pack holds: the match knows, or without a table whoever asks."""
        if not self.alone:
            return self.state.grey
        typed = self.data.get("grey", "").split()
        sizes = [pack_sizes(pack + 1) for pack in PACKS]
        if len(typed) != len(PACKS):
            return tuple(size[0] for size in sizes)
        return tuple(next((one for one in size if str(one) == text), size[0]) for size, text in zip(sizes, typed, strict=True))

    @property
    def whales(self) -> tuple[Sides, Sides, Sides]:
        """What lies on both sides of each pack."""
        first, second, third = ((self.pad[self.name(pack, 0)].values, self.pad[self.name(pack, 1)].values) for pack in PACKS)
        return first, second, third

    @cached_property
    def fronts(self) -> list[Front]:
        """The three packs, each with what the engine says of it so far."""
        fronts = []
        for pack, result in enumerate(weigh(self.grey, self.whales)):
            # what came too late was about packs that are gone
            complete = not self.sitting.late and all(self.pad[self.name(pack, side)].complete for side in (0, 1))
            fronts.append(
                Front(
                    grey=result.grey,
                    whales=result.whales,
                    strengths=result.strengths,
                    complete=complete,
                    won_by=result.won_by if complete else None,
                    words="not saved" if self.sitting.late else self._became(result) if complete else _whales(result.grey),
                )
            )
        return fronts

    def _became(self, result: PackResult) -> str:
        """What becomes of a pack, short enough to stand on it."""
        if result.won_by is not None:
            return f"{self.players[result.won_by]} takes {result.grey}"
        if self.number >= ROUNDS and not self.alone:
            return f"Tie, {result.grey} to nobody"
        return f"Tie, {result.grey} {'stays' if result.grey == 1 else 'stay'}"

    @property
    def asks(self) -> str:
        """What the next tap is: "Pack 3, Ana's second whale"."""
        place = self.pad.place
        if place is None:
            return self.headline if self.taken else "All whales are here"
        _, pack, side = place.name.split("-")
        name, where = self.players[int(side)], f"Pack {int(pack) + 1}"
        if len(place.words) >= place.room:
            return f"{where}, all of {name}'s whales"
        return f"{where}, {name}'s {ORDINALS[len(place.words)]} whale"

    @property
    def hint(self) -> str:
        """What the whale would need, once the other player's on this pack are known."""
        place = self.pad.place
        if place is None:
            return ""
        _, pack, text = place.name.split("-")
        side = int(text)
        if not self.pad[self.name(int(pack), 1 - side)].complete:
            return ""
        whales = self.whales[int(pack)]
        least = needed(whales[side], whales[1 - side])
        return f"needs {least} to win" if least else "is ahead"

    @cached_property
    def after(self) -> State | None:
        """The match as saving would leave it, or None while something is missing or wrong."""
        event = self._round()
        if event is None or self.alone:
            return None
        try:
            after: State = self.sitting.position.apply(event).state
        except RuleError as refused:
            self.refuse(refused.message, refused.field)
            return None
        return after

    @cached_property
    def taken(self) -> tuple[int, int] | None:
        """How many grey whales each takes; without a table as soon as every place is filled."""
        if self.alone:
            return taken(weigh(self.grey, self.whales)) if self.pad.complete and not self.pad.refusals else None
        return taken(self.after.rounds[-1].packs) if self.after is not None else None

    @property
    def headline(self) -> str:
        """Who takes how many: "Ana takes 4 cards, Bo 1"."""
        words = told(self.players, self.taken or (0, 0))
        return words[:1].upper() + words[1:]

    @property
    def sentence(self) -> str:
        """What stays, and who starts the next round."""
        tied = sum(front.grey for front in self.fronts if front.won_by is None)
        if self.alone:
            return f"{_whales(tied)} in tied packs." if tied else ""
        if self.number >= ROUNDS:
            return (f"Nobody gets {_whales(tied)} in tied packs. " if tied else "") + "Now the captured whales are counted."
        stay = f"{_whales(tied)} {'stays' if tied == 1 else 'stay'} in tied packs. " if tied else ""
        return stay + (f"{self.players[self.after.first_player]} starts round {self.number + 1}." if self.after else "")

    @property
    def totals(self) -> list[dict[str, object]]:
        """The captured cards as they would be."""
        gains = self.taken or (0, 0)
        return [
            {"side": side, "name": name, "total": self.state.captured[side] + gains[side], "change": gains[side]}
            for side, name in enumerate(self.players)
        ]

    @property
    def missing(self) -> str:
        """The next question while something is open; empty when the round is complete."""
        if not self.ended_by and not self.alone:
            return "Who called the end?"
        return "" if self.pad.complete else f"{self.asks}?"

    @property
    def unplayable(self) -> str:
        """Why there is no round to enter here, if so."""
        return "All three rounds are played. What is left is the count." if self.number > ROUNDS else ""

    # What was asked

    def outcome(self) -> Outcome:
        """A tap fills a place, a question is answered, and saving enters the round."""
        tap = self.data.get("tap", "")
        if tap.startswith("grey:") and self.alone:
            self._resize(tap.removeprefix("grey:"))
            return Again()
        if tap:
            if not self.pad.tap(tap):
                raise RuleError("That key is unknown here. Load the page again.")
            return Again()
        if self.data.get("ask") or self.alone:
            return Again(wrong=self._no_whale())
        event = self._round()
        if event is None:
            self._no_whale()
            self.errors.setdefault("ended_by" if not self.ended_by else "", self.missing or "Something is not right yet.")
            return Again(wrong=True)
        return Enter((event,), f"Round {self.number} saved: {self._said(event)}")

    def _said(self, event: Round) -> str:
        return told(self.players, taken(weigh(self.grey, event.packs)))

    def _no_whale(self) -> bool:
        """Say which words are no whale's value, if there are any."""
        self.errors.update(self.pad.refusals)
        return bool(self.pad.refusals)

    def _resize(self, pack: str) -> None:
        """The next size of a pack, and after the largest the smallest again."""
        grey = list(self.grey)
        if pack in {"0", "1", "2"}:
            sizes = pack_sizes(int(pack) + 1)
            grey[int(pack)] = sizes[(sizes.index(grey[int(pack)]) + 1) % len(sizes)]
            self.data["grey"] = " ".join(map(str, grey))

    def ready(self) -> tuple[Event, ...] | None:
        """The round, if it is complete and the engine would take it."""
        event = self._round()
        return (event,) if event is not None and self.after is not None else None

    def refuse(self, sentence: str, field: str) -> None:
        """Put a refusal at the place that it is about."""
        parts = field.split(".")
        if parts[0] == "packs" and len(parts) == 3:
            self.errors.setdefault(self.name(int(parts[1]), int(parts[2])), sentence)
        else:
            self.errors.setdefault("ended_by" if field == "ended_by" else "", sentence)

    def _round(self) -> Round | None:
        """The round as typed, or None while it is incomplete."""
        if self.missing or self.pad.refusals:
            return None
        return Round(ended_by=int(self.ended_by) if self.ended_by in {"0", "1"} else None, packs=self.whales)


def told(players: tuple[str, ...], cards: tuple[int, ...]) -> str:
    """Who takes how many cards: "Ana takes 4 cards, Bo 1"."""
    takes = [(players[side], number) for side, number in enumerate(cards) if number]
    if not takes:
        return "nobody takes a card"
    (name, number), *others = takes
    return f"{name} takes {number} {'card' if number == 1 else 'cards'}" + "".join(f", {who} {n}" for who, n in others)


def _whales(number: int) -> str:
    return f"{number} whale" if number == 1 else f"{number} whales"


def values_of(whales: tuple[Whale, ...]) -> str:
    """Whales and their sum: "4+3 = 7"."""
    if len(whales) < 2:
        return str(sum(whales)) if whales else "none"
    return f"{'+'.join(map(str, whales))} = {sum(whales)}"
