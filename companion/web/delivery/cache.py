"""Which pages, parts and tokens does an application keep? A setting, ``COMPANION_CACHE``, switches all of it off.

Then every page and every part is rendered for whoever asks, each stream tells numbers alone, and each page has another token
for its forms. Phones see the same, later. So whoever sees something old finds out whether it was kept too long.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

from flask import current_app

NAME: Final = "companion-pages"  # among the extensions, where it is dropped with the logs when the database is another
MOST_PAGES: Final = 500  # some 60 KB each, with their parts
MOST_TOKENS: Final = 5_000  # of phones' forms, some 300 bytes each

T = TypeVar("T")


class Recent(Generic[T]):
    """The values that were asked for last, by their keys. A value is made by ``new`` the first time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    def of(self, key: Hashable, new: Callable[[], T]) -> T:
        """Return the value of a key."""
        with self._lock:
            value = self._values.get(key)
            if value is None:
                value = self._values[key] = new()
                if len(self._values) > self._most:
                    self._values.popitem(last=False)
            else:
                self._values.move_to_end(key)
        return value

    def values(self) -> list[T]:
        """Return all values, the one that was asked for last at the end."""
        with self._lock:
            return list(self._values.values())


class Newest(Generic[T]):
    """What was worked out at the newest number of each table, so that the streams that are about to ask need not."""

    def __init__(self, on: bool) -> None:
        self._on = on
        self._lock = threading.Lock()
        self._newest: OrderedDict[Hashable, tuple[int, T]] = OrderedDict()

    def at(self, key: Hashable, number: int) -> T | None:
        """Return what was worked out at this number, or at a newer one."""
        entry = self._newest.get(key)
        return entry[1] if entry is not None and entry[0] >= number else None

    def keep(self, key: Hashable, number: int, value: T) -> None:
        """Keep what was worked out at this number."""
        if not self._on:
            return
        with self._lock:
            self._newest[key] = number, value
            self._newest.move_to_end(key)
            if len(self._newest) > MOST_PAGES:
                self._newest.popitem(last=False)


class Cache:
    """All that an application keeps of its pages. ``on`` is the switch."""

    def __init__(self, on: bool = True) -> None:
        self.on = on
        self.changes: Newest[Any] = Newest(on)
        self.matches: Newest[Any] = Newest(on)
        self._pages: Recent[Any] = Recent(MOST_PAGES)
        self._tokens: Recent[str] = Recent(MOST_TOKENS)

    def page(self, view: Hashable, new: Callable[[], T]) -> T:
        """Return what is kept of the page of a view: a new one each time if the switch is off."""
        page: T = self._pages.of(view, new) if self.on else new()
        return page

    def pages(self) -> list[Any]:
        """Return what is kept of all pages."""
        return self._pages.values()

    def token(self, of: Hashable, sign: Callable[[], str]) -> str:
        """Return the token of a phone's forms: it stays right, and pages that are compared have the same one."""
        return self._tokens.of(of, sign) if self.on else sign()


def cache() -> Cache:
    """Return the present application's cache: a new one where nothing was kept yet, or all of it was forgotten."""
    present: Cache | None = current_app.extensions.get(NAME)
    if present is None:
        present = current_app.extensions[NAME] = Cache(current_app.config["SETTINGS"].cache)
    return present
