"""Who pays whom at the end of a ledger, in the fewest payments?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from companion.engine.sheet.expressions import Number, plain, written
from companion.engine.sheet.match import SheetState
from companion.plugin import Outcome, PageView, Rerender, ScreenPage, UpdateDraft
from companion.sheets import draft as drafts
from companion.sheets.row import signed


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment: who gives, who gets, and how much."""

    giver: int
    receiver: int
    amount: Number


@dataclass(frozen=True, slots=True)
class PaymentView:
    """A payment with its names. ``key`` names it, and ``paid`` says that it was handed over."""

    key: str
    giver: int
    giver_name: str
    amount: str
    receiver: int
    receiver_name: str
    paid: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlingView(PageView):
    """What settle.html shows: each side's total with its sign, and the payments, the largest first.

    ``bars`` are the totals as heights, from -28 to 28.
    """

    totals: tuple[tuple[int, str, str], ...]
    payments: tuple[PaymentView, ...]
    bars: tuple[int, ...]


def payments(totals: Sequence[Number]) -> tuple[Payment, ...]:
    """Return the fewest payments after which totals that come to 0 are even, the largest first; none for other totals.

    Sides that are even among themselves pay each other alone; the more such groups, the fewer payments. So the totals are
    parted into as many groups that come to 0 as there are (2 to the power of the sides are looked at, at most 4,096).

    >>> payments((4, -4, 6, -6))
    (Payment(giver=3, receiver=2, amount=6), Payment(giver=1, receiver=0, amount=4))
    """
    if sum(totals) != 0:
        return ()  # nobody owes anybody anything: these are no ledger's totals
    made = [payment for group in _groups(totals) for payment in _within(totals, group)]
    return tuple(sorted(made, key=lambda payment: (-payment.amount, payment.giver)))


def _groups(totals: Sequence[Number]) -> list[list[int]]:
    sides = [side for side, total in enumerate(totals) if total]
    sums: list[Number] = [0] * (1 << len(sides))
    most = [0] * (1 << len(sides))
    came_from = [0] * (1 << len(sides))
    for mask in range(1, 1 << len(sides)):
        low = (mask & -mask).bit_length() - 1
        sums[mask] = sums[mask & (mask - 1)] + totals[sides[low]]
        bits = [bit for bit in range(len(sides)) if mask >> bit & 1]
        best = max(bits, key=lambda bit: most[mask ^ (1 << bit)])
        most[mask] = most[mask ^ (1 << best)] + (sums[mask] == 0)
        came_from[mask] = mask ^ (1 << best)
    groups: list[list[int]] = []
    mask = (1 << len(sides)) - 1
    group: list[int] = []
    while mask:
        if sums[mask] == 0 and group:
            groups.append(group)
            group = []
        group.append(sides[(mask ^ came_from[mask]).bit_length() - 1])
        mask = came_from[mask]
    return [*groups, group] if group else groups


def _within(totals: Sequence[Number], group: Sequence[int]) -> list[Payment]:
    """Return payments that make a group even: whoever owes most pays whoever gets most."""
    open_totals = {side: totals[side] for side in group}
    made: list[Payment] = []
    while any(open_totals.values()):
        giver = min(open_totals, key=lambda side: open_totals[side])
        receiver = max(open_totals, key=lambda side: open_totals[side])
        amount = min(-open_totals[giver], open_totals[receiver])
        made.append(Payment(giver, receiver, amount))
        open_totals[giver] += amount
        open_totals[receiver] -= amount
    return made


class SettlePage(ScreenPage[SheetState]):
    """Who pays whom as the match stands. A tap marks a payment on all phones, and another one takes the mark away."""

    template: ClassVar[str] = "games/sheet/settle.html"
    after_the_end: ClassVar[bool] = True

    def outcome(self) -> Outcome:
        """Mark a payment as handed over, or as open again."""
        key = self.form_data.get("paid", "")
        if key not in {payment.key for payment in self._payments()}:
            return Rerender()
        return UpdateDraft(lambda stored: drafts.with_paid(stored, key), next="settle")

    def view(self) -> SettlingView:
        """Return the totals and the payments."""
        state = self.state
        most = max(max(total, -total) for total in state.scores) or 1
        return SettlingView(
            errors=self.errors,
            totals=tuple((side, state.sides[side], signed(total)) for side, total in enumerate(state.scores)),
            payments=tuple(self._payments()),
            bars=tuple(round(28 * total / most) for total in state.scores),
        )

    def _payments(self) -> Iterator[PaymentView]:
        names, paid = self.state.sides, drafts.paid(self.context.draft)
        for payment in payments(self.state.scores):
            key = f"{payment.giver}-{payment.receiver}-{plain(payment.amount)}"
            yield PaymentView(
                key,
                payment.giver,
                names[payment.giver],
                written(payment.amount),
                payment.receiver,
                names[payment.receiver],
                key in paid,
            )
