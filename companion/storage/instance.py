"""Which files lie in the instance folder beside the database, and who may read them?"""

from __future__ import annotations

import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile


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


def public_name(key: bytes | str) -> str:
    """Return a name that all processes with this key have in common. It says nothing about the key."""
    return hmac.digest(key.encode() if isinstance(key, str) else key, b"companion", "sha256").hex()[:16]
