"""Who pays whom at the end of a ledger, in the fewest payments, in points or in small money?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.engine.sheet.expressions import Number


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment: who gives, who gets, and how much."""

    giver: int
    receiver: int
    amount: Number


def in_cents(totals: Sequence[Number], rate: Number) -> tuple[int, ...]:
    """Return totals that come to 0 as whole cents at so many cents a point, which come to 0 as well.

    Each is rounded down; the cents that are left over go to those who lost most by that, of equals to the first.

    >>> in_cents((3, -1, -2), 2)
    (6, -2, -4)
    >>> from fractions import Fraction
    >>> in_cents((1, 1, -1, -1), Fraction(1, 2))
    (1, 1, -1, -1)
    """
    exact = [total * rate for total in totals]
    cents = [int(amount // 1) for amount in exact]
    left = int(sum(exact) - sum(cents))
    for side in sorted(range(len(cents)), key=lambda side: cents[side] - exact[side])[:left]:
        cents[side] += 1
    return tuple(cents)


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
