"""What is typed to count a round, and what is still asked? Whose cards, their points or the pile, the last expedition."""

from __future__ import annotations

from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from companion.engine.beloz.cards import CARDS, ROUND_POINTS, card_points
from companion.engine.beloz.scoring import Count, Round, all_eight, pile_count
from companion.engine.beloz.seats import team_of
from companion.engine.beloz.totals import possible_totals
from companion.engine.core import RuleError
from companion.engine.text import Name, Sentence, say
from companion.screens.beloz.draft import RoundDraft

TEAMS = ("0", "1")
ALL_EIGHT = "all"
FIGURES = len(str(ROUND_POINTS))
SHOWN = 12  # characters of an invalid number that are shown again


def fields_of(event: Round) -> dict[str, str]:
    """Return what would be typed for the count of a round that was played."""
    if event.golden is not None:
        return {"team": str(event.golden), "points": str(event.count.points), "last": ALL_EIGHT}
    count = event.count
    typed = {"team": str(count.team), "points": str(count.points), "last": str(event.last_expedition)}
    return typed if count.expeditions is None else {**typed, "expeditions": str(count.expeditions)}


@dataclass(frozen=True, slots=True)
class TypedCount:
    """The count as far as it is typed, for the round of the draft. Numbers stay as they were typed, to be shown again."""

    form_data: MultiDict[str, str]
    draft: RoundDraft

    @property
    def team(self) -> int:
        """Return the team whose cards are counted: chosen, else the bidder's."""
        chosen = self.form_data.get("team", "")
        if chosen in TEAMS:
            return int(chosen)
        return 0 if self.draft.bidder is None else team_of(self.draft.bidder)

    @property
    def points(self) -> str:
        """Return the points as they were typed."""
        return self.form_data.get("points", "").strip()

    @property
    def expeditions(self) -> str:
        """Return how many expeditions the team won, as chosen; empty when nobody counted them."""
        return self.form_data.get("expeditions", "")

    @property
    def expeditions_won(self) -> int | None:
        """Return the number of expeditions that the team won, or None when nobody counted them."""
        return int(self.expeditions) if self.expeditions in set("012345678") else None

    @property
    def number(self) -> int | None:
        """Return the typed points as a number, or None while they are none."""
        typed = self.points
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) <= FIGURES else None

    @property
    def may_grow(self) -> bool:
        """Return whether another digit can make the typed points possible, as 1 becomes 112."""
        totals = map(str, possible_totals(self.expeditions_won))
        return any(total.startswith(self.points) and total != self.points for total in totals)

    @property
    def near(self) -> list[int]:
        """Return the nearest possible points below and above the typed ones."""
        number = self.number
        if number is None:
            return []
        totals = possible_totals(self.expeditions_won)
        return [total for total in totals if total < number][-1:] + [total for total in totals if total > number][:1]

    @property
    def own(self) -> int | None:
        """Return the counted team's card points so far: typed, tapped, or all of them; None while there are none."""
        if self.last == ALL_EIGHT:
            return ROUND_POINTS
        return self.pile_so_far if self.by_pile else self.number

    @property
    def rest(self) -> int | None:
        """Return the card points that are left for the other team; None while that can't be said."""
        typed = self.own
        return None if typed is None or typed > ROUND_POINTS or (self.by_pile and not self.pile) else ROUND_POINTS - typed

    @property
    def by_pile(self) -> bool:
        """Return True while the cards are tapped instead of their points typed."""
        return self.form_data.get("counting") == "pile"

    @property
    def pile(self) -> tuple[str, ...]:
        """Return the cards of the pile that were tapped."""
        return tuple(card for card in self.form_data.getlist("pile") if card in CARDS)

    @property
    def pile_so_far(self) -> int | None:
        """Return what the tapped cards are worth so far."""
        return card_points(self.pile, self.draft.flooded) if self.draft.flooded else None

    @property
    def last(self) -> str:
        """Return who won the last expedition: a team's number, ``all`` for all eight, or nothing yet."""
        last = self.form_data.get("last", "")
        return last if last in {*TEAMS, ALL_EIGHT} else ""

    @property
    def last_expedition(self) -> int:
        """Return the team that won the last expedition, once somebody has said it."""
        return self.team if self.last == ALL_EIGHT else int(self.last)

    @property
    def wants_points(self) -> bool:
        """Return True while the points are what is asked."""
        return not self.by_pile and not self.points and self.last != ALL_EIGHT

    @property
    def next_question(self) -> tuple[Sentence, str] | None:
        """Return the next question and the part of the page that it is about, or None when the count is complete."""
        if self.last == ALL_EIGHT:
            return None
        if self.by_pile and not self.pile:
            return say("Tap the cards of one pile"), "pile"
        if self.wants_points:
            return say("Type one team’s points"), "points"
        return None if self.last else (say("Who won the last one?"), "last")

    def read(self) -> Count:
        """Return the count. Raises RuleError when what was typed is no number, or the cards make no pile."""
        if self.last == ALL_EIGHT:
            return all_eight(self.team)
        if self.by_pile and self.draft.flooded is not None:
            return pile_count(self.team, self.pile, self.draft.flooded)
        if self.number is None:
            raise RuleError(
                say(
                    "“{typed}” is not a number of points. One team’s cards are worth 0 to {most}.",
                    typed=Name(self.points[:SHOWN]),
                    most=ROUND_POINTS,
                ),
                field="count.points",
            )
        return Count(self.team, self.number, self.expeditions_won)
