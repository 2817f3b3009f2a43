"""Who pays whom at the end of a ledger? In points, or in the small money that a table has agreed on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from companion.engine.sheet.expressions import Number, exact
from companion.engine.sheet.match import SheetState
from companion.engine.sheet.settling import in_cents, payments
from companion.plugin import (
    Name,
    Outcome,
    PageContext,
    PageView,
    Rerender,
    RuleError,
    ScreenPage,
    Sentence,
    UpdateDraft,
    say,
    say_n,
    written,
)
from companion.sheets import draft as drafts
from companion.sheets.draft import MOST_CENTS
from companion.sheets.row import signed
from companion.sheets.typed import number_in


@dataclass(frozen=True, slots=True)
class PaymentView:
    """A payment with its names. ``key`` names it, and ``paid`` says that it was handed over."""

    key: str
    giver: int
    giver_name: str
    amount: str | int
    receiver: int
    receiver_name: str
    paid: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlingView(PageView):
    """What settle.html shows: each side's total with its sign, and the payments, the largest first.

    ``bars`` are the totals as heights, from -28 to 28. ``rate`` says what a point is worth ("10 cents a point"), and is
    empty as long as the table has agreed on nothing; ``typed`` is the rate as it was typed. ``money``: amounts are in cents.
    ``rounded``: cents were left over. ``by_difference``: totals do not come to 0, so each settles with each what lies between.
    """

    totals: tuple[tuple[int, str, str | int], ...]
    payments: tuple[PaymentView, ...]
    bars: tuple[int, ...]
    rate: str
    money: bool
    rounded: bool
    typed: str
    by_difference: bool


class SettlePage(ScreenPage[SheetState]):
    """Who pays whom as the match stands. A tap marks a payment on all phones, and another one takes the mark away.

    A rate is asked once a table: what an earlier match of the table was settled by holds.
    """

    template: ClassVar[str] = "games/sheet/settle.html"
    after_the_end: ClassVar[bool] = True
    error_places: ClassVar = {"rate": "rate"}

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.rate = drafts.rate(context.draft) or drafts.rate(context.earlier("rate"))
        self.money = self.rate is not None and drafts.in_money(context.draft)

    def outcome(self) -> Outcome:
        """Mark a payment as handed over, or as open again; agree on a rate; change the unit for all."""
        if "rate" in self.form_data and self.form_data.get("agree"):
            cents = self._typed_rate()
            return UpdateDraft(lambda stored: drafts.with_rate(stored, cents, money=True), next="settle")
        unit, rate = self.form_data.get("unit"), self.rate
        if unit in {"points", "money"} and rate is not None:
            return UpdateDraft(lambda stored: drafts.with_rate(stored, rate, money=unit == "money"), next="settle")
        key = self.form_data.get("paid", "")
        if key not in {payment.key for payment in self._payments()}:
            return Rerender()
        return UpdateDraft(lambda stored: drafts.with_paid(stored, key), next="settle")

    def _typed_rate(self) -> float:
        """Return the cents that were typed. Raises RuleError for what is no rate."""
        cents = number_in(self.form_data.get("rate", ""))
        if not 0 < cents <= MOST_CENTS:
            raise RuleError(say("Write the cents for a point: from ½ to {most}.", most=MOST_CENTS), field="rate")
        return cents

    @property
    def points(self) -> tuple[Number, ...]:
        """What each side is to get, or below 0 to give; last the pot, where some points went to nobody. They come to 0."""
        scores, together = self.state.scores, sum(self.state.scores)
        if not self.state.sheet.is_ledger:
            return tuple(len(scores) * score - together for score in scores)
        return (*scores, -together) if together else scores

    @property
    def amounts(self) -> tuple[Number, ...]:
        """The same in the unit that is shown: points, or cents."""
        return in_cents(self.points, exact(self.rate)) if self.money and self.rate is not None else self.points

    def view(self) -> SettlingView:
        """Return the totals and the payments."""
        state, amounts = self.state, self.amounts
        most = max(max(total, -total) for total in amounts) or 1
        rate = None if self.rate is None else exact(self.rate)
        return SettlingView(
            errors=self.errors,
            totals=tuple((side, name, self._said(amounts[side], plus=True)) for side, name in enumerate(state.sides)),
            payments=tuple(self._payments()),
            bars=tuple(round(28 * total / most) for total in amounts),
            rate="" if rate is None else _of_a_point(rate),
            money=self.money,
            rounded=self.money and rate is not None and any(Fraction(total * rate).denominator > 1 for total in self.points),
            typed=self.form_data.get("rate", ""),
            by_difference=not state.sheet.is_ledger,
        )

    def _said(self, amount: Number, *, plus: bool = False) -> str | int:
        if self.money:
            return int(amount)
        return signed(amount) if plus else written(amount)

    def _payments(self) -> Iterator[PaymentView]:
        names, paid = (*self.state.sides, say("the pot")), drafts.paid(self.context.draft)
        for payment in payments(self.amounts):
            key = f"{payment.giver}-{payment.receiver}-{payment.amount}"
            yield PaymentView(
                key,
                payment.giver,
                names[payment.giver],
                self._said(payment.amount),
                payment.receiver,
                names[payment.receiver],
                key in paid,
            )


def _of_a_point(rate: Number) -> Sentence:
    return say_n("{cents} cent a point", "{cents} cents a point", 1 if rate <= 1 else 2, cents=Name(written(rate)))
