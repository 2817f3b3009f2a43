"""Who pays whom at the end of a ledger, in the fewest payments?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.engine.sheet.expressions import Number, written
from companion.plugin import Log, Reading
from companion.sheets.row import signed


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment: who gives, who gets, and how much."""

    giver: int
    receiver: int
    amount: Number


@dataclass(frozen=True, slots=True)
class SettlingView(Reading):
    """What settle.html shows: each side's total with its sign, and the payments, the largest first.

    ``bars`` are the totals as heights, from -28 to 28.
    """

    totals: tuple[tuple[int, str, str], ...]
    payments: tuple[tuple[int, str, str, int, str], ...]
    bars: tuple[int, ...]
    preset: str


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


def settle(log: Log, _viewer: int | None, _query: Mapping[str, str]) -> SettlingView:
    """Return who pays whom as the match stands."""
    state = log.position.state
    options: Any = log.start.options
    names = state.sides
    return SettlingView(
        tuple((side, names[side], signed(total)) for side, total in enumerate(state.scores)),
        tuple(
            (payment.giver, names[payment.giver], written(payment.amount), payment.receiver, names[payment.receiver])
            for payment in payments(state.scores)
        ),
        tuple(round(28 * total / (max(map(abs, state.scores)) or 1)) for total in state.scores),
        options.preset or "",
    )
