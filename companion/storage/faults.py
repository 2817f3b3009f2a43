"""What is wrong with the database, by what it answered?"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from blinker import Signal
from flask import Flask
from sqlalchemy import URL

ROOM: Final = 256 * 1024  # bytes that a disk has left at least: an entry takes a few thousand
FAULT: Final = Signal("A phone is told of an error of the database. The sender is the application; ``status`` says which.")
REMEMBERED: Final = 60.0  # seconds after an entry was refused for want of room


class BusyError(Exception):
    """Somebody else holds what this wants to change, for longer than a phone should wait. Nothing was stored."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that keeps entries from being stored. What people read of it is in :mod:`companion.web.errors`."""

    status: str  # for a supervisor
    again: int  # seconds after which a phone may ask again


AWAY = Fault("the database is away", 3)
BUSY = Fault("the database is busy", 3)
FULL = Fault("the disk is full", 30)
DAMAGED = Fault("the database is damaged", 30)
FAILING = Fault("the disk fails", 30)

_SQLITE: Final = {
    "SQLITE_FULL": FULL,
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_BUSY": BUSY,
} | dict.fromkeys(("SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"), FAILING)
_POSTGRESQL: Final = {"58030": FAILING, "53100": FULL, "XX001": DAMAGED, "XX002": DAMAGED, "55P03": BUSY, "57014": BUSY}


def of(error: BaseException) -> Fault:
    """Return what is behind an error of the database."""
    if isinstance(error, BusyError):
        return BUSY
    cause = getattr(error, "orig", None)
    name = "_".join(str(getattr(cause, "sqlite_errorname", "")).split("_")[:2])
    return _SQLITE.get(name) or _POSTGRESQL.get(getattr(cause, "sqlstate", None) or "") or AWAY


def note(app: Flask, fault: Fault) -> None:
    """Remember what kept an entry from being stored, for whoever asks whether all is well."""
    FAULT.send(app, status=fault.status)
    if fault in (FULL, DAMAGED, FAILING):
        app.extensions["companion-fault"] = (fault, time.monotonic())


def forget_full(app: Flask) -> None:
    """Something was stored: the disk takes it."""
    if app.extensions.get("companion-fault", (None,))[0] in (FULL, FAILING):
        del app.extensions["companion-fault"]


def present(app: Flask) -> Fault | None:
    """Return what is known to be wrong, without a look into the database.

    Want of room is remembered for a minute, because perhaps nobody tries again; SQLite's disk is asked as well. Damage stays.
    """
    fault: Fault | None
    fault, since = app.extensions.get("companion-fault", (None, 0.0))
    if fault is DAMAGED or (fault in (FULL, FAILING) and time.monotonic() - since < REMEMBERED):
        return fault
    url: URL = app.config["SQLALCHEMY_DATABASE_URI"]
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:":
        folder = Path(url.database).absolute().parent
        if folder.is_dir() and shutil.disk_usage(folder).free < ROOM:
            return FULL
    return None
