"""Which files lie in the instance folder beside the database, who may read them, and who serves them?"""

from __future__ import annotations

import hmac
import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO

logger = logging.getLogger("companion.instance")


def prepare(folder: Path) -> None:
    """Make the folder if it is not there. Files that older versions left readable for everybody become its owner's."""
    folder.mkdir(parents=True, exist_ok=True)
    for pattern in ("companion.sqlite*", "before-restore-*.sqlite*", "secret-key"):
        for file in folder.glob(pattern):
            with suppress(OSError):  # it is somebody else's, or gone by now
                if file.is_file() and not file.is_symlink() and file.stat().st_mode & 0o077:
                    file.chmod(0o600)


def secret_key(folder: Path) -> bytes:
    """Return the key that signs cookies: made once, kept in the folder, readable by its owner alone.

    It is linked into place when it is complete, so several processes that start at once all get the same key.
    """
    file = folder / "secret-key"
    if not file.exists():
        with NamedTemporaryFile(prefix=".secret-key-", dir=folder) as made:  # readable by its owner alone
            made.write(secrets.token_bytes(32))
            made.flush()
            os.fsync(made.fileno())
            with suppress(FileExistsError):
                os.link(made.name, file)
    return file.read_bytes()


class AlreadyServedError(Exception):
    """Another process serves these tables. The message is a sentence that says what to do."""


def serve_alone(tables: Path) -> BinaryIO | None:
    """Be the only process that serves the tables of an SQLite file, as long as what is returned stays open.

    The system locks an empty file beside them, and lets go of it when the process ends, however it ends: what is left of the
    file then keeps nobody out. None where the folder's file system knows no locks; the log says so.

    Raises:
        AlreadyServedError: another process does.
    """
    try:
        import fcntl
    except ImportError:  # neither Windows nor a phone has such locks
        return None

    file = tables.with_name(f"{tables.name}.lock")
    try:
        file.touch(mode=0o600)
        opened = file.open("ab")
    except OSError:
        return None  # then SQLite can't open the tables either, and says why
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        opened.close()
        raise AlreadyServedError(
            f"Another Companion serves the tables in {tables.parent}. Stop it first, or give this one another folder: "
            "COMPANION_INSTANCE names it."
        ) from None
    except OSError as unknown:
        opened.close()
        logger.warning("%s can't be locked (%s): start no second Companion with these tables", file, unknown.strerror)
        return None
    return opened


def public_name(key: bytes | str) -> str:
    """Return a name that all processes with this key have in common. It says nothing about the key."""
    return hmac.digest(key.encode() if isinstance(key, str) else key, b"companion", "sha256").hex()[:16]
