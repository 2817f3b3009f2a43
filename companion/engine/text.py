"""How are things put into a sentence?"""

from __future__ import annotations

from collections.abc import Sequence


def join_names(names: Sequence[str], conjunction: str = "and") -> str:
    """Return the names as a host says them.

    >>> join_names(["Ana", "Bo", "Cy"])
    'Ana, Bo and Cy'
    """
    return f" {conjunction} ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
