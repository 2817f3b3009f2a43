"""Whose request begins next? Of each address one at a time, so that whoever sends a hundred at once waits for themselves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from threading import Lock
from typing import Any

REMEMBERED_ADDRESSES = 10_000

WSGI = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@lru_cache(maxsize=REMEMBERED_ADDRESSES)
def network(address: str) -> str:
    """Return whose address this is, as far as it can be told: of IPv6 the /64, for every household has one."""
    try:
        six = IPv6Address(address)
    except AddressValueError:
        return address
    return str(six.ipv4_mapped or IPv6Address(int(six) >> 64 << 64))


class RequestTurns:
    """Of each address one request begins at a time, and before each the requests of others and the open streams have a turn."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Any]] = {}  # a lock, and how many are at it

    def wait(self, address: str) -> None:
        """Return when it is this request's turn."""
        queue = self._waiting.setdefault(address, [Lock(), 0])
        queue[1] += 1
        try:
            with queue[0]:
                time.sleep(0)
        finally:
            queue[1] -= 1
            if not queue[1]:
                self._waiting.pop(address, None)


def in_turn(application: WSGI) -> WSGI:
    """Return the application, to which the requests of each address come one after the other."""
    turns = RequestTurns()

    def wait_and_answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        turns.wait(network(environ.get("REMOTE_ADDR") or ""))
        return application(environ, start_response)

    return wait_and_answer
