"""Whose address is this? Of each one request begins at a time, so that whoever sends a hundred at once waits for themselves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any

from companion.storage.locks import Locks

REMEMBERED_ADDRESSES = 10_000

WSGI = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@lru_cache(maxsize=REMEMBERED_ADDRESSES)
def network(address: str, six: int = 64, four: int = 32) -> str:
    """Return the network of an address. For IPv6 that is the /64, since every household has one.

    ``six`` and ``four``: how many bits of an address tell its network.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    bits = ip.max_prefixlen - (six if isinstance(ip, IPv6Address) else four)
    return str(type(ip)(int(ip) >> bits << bits))


def in_turn(application: WSGI) -> WSGI:
    """Return the application, to which the requests of each address come one after the other.

    Before each, the requests of others and the open streams have a turn.
    """
    locks = Locks()

    def wait_and_answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        with locks.take(network(environ.get("REMOTE_ADDR") or "")):
            time.sleep(0)
        return application(environ, start_response)

    return wait_and_answer
