"""How is a folder of files served in tests? As usual hosts do it, until it is taken away."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[2]
BELOW = "/club/"


def write(above: Path) -> Path:
    """Write the site below a path in this folder; return the folder."""
    command = [sys.executable, "pocket/site.py", "--path", BELOW, "--out", str(above / BELOW.strip("/"))]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    return above


class Files(SimpleHTTPRequestHandler):
    """A file server that says nothing of caching; like usual hosts it has a page of the folder for what is not there."""

    has_page = True

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send the folder's own page for an address that leads nowhere."""
        if not self.has_page:
            super().send_error(code, message)
            return
        page = Path(self.directory, BELOW.strip("/"), "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        with suppress(ConnectionError):  # who asked has hung up
            self.wfile.write(page)


class Plain(Files):
    """A file server that knows nothing but files."""

    has_page = False


class Served:
    """A folder that is served at a port, and no longer once it is stopped."""

    def __init__(self, folder: Path, files: type[Files] = Files) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(files, directory=str(folder)))
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Take it away."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def served_from(folder: Path) -> Iterator[Served]:
    """Serve a folder; its server may be taken away earlier."""
    serving = Served(folder)
    yield serving
    serving.stop()
