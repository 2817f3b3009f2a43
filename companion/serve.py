"""The embedded server: one process, gevent, made for a table of phones and their open streams.

This module patches the standard library when it is imported, so nothing that opens sockets may be imported before it.
"""

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import io  # noqa: E402  # the patch must come first
import logging  # noqa: E402
import signal  # noqa: E402
import socket  # noqa: E402
import sys  # noqa: E402
from collections.abc import Callable, Iterable  # noqa: E402
from typing import Any  # noqa: E402

import gevent  # noqa: E402
import qrcode  # noqa: E402
from flask import Flask  # noqa: E402
from gevent.pywsgi import WSGIServer  # noqa: E402

from companion import database, live  # noqa: E402
from companion.app import create_app  # noqa: E402

GRACE = 2.0  # seconds that open requests get to end

WSGI = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class TableServer(WSGIServer):
    """pywsgi that answers at once: no delay for small packets, no request line (it holds a table's link) in any log."""

    def handle(self, sock: socket.socket, address: Any) -> None:
        """Serve one connection."""
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().handle(sock, address)


def fair(application: WSGI) -> WSGI:
    """Let the open streams have their turn before each request: a client that keeps asking would starve them."""

    def yielding(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        gevent.sleep(0)
        return application(environ, start_response)

    return yielding


def reachable_address() -> str:
    """The address of this machine in the network that the phones are in; 127.0.0.1 when there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation; a datagram socket sends nothing here
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def qr_text(url: str) -> str:
    """The QR code of an address, in characters that a terminal can show and a phone can read."""
    code = qrcode.QRCode(border=2, error_correction=qrcode.constants.ERROR_CORRECT_L)
    code.add_data(url)
    text = io.StringIO()
    code.print_ascii(out=text, invert=True)
    return text.getvalue()


def greeting(url: str) -> str:
    """What the terminal shows once phones can come."""
    try:
        code = qr_text(url)
        code.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        code = ""
    return f"\nCompanion is on the table: {url}\nScan this with a phone in the same network, or type the address.\n\n{code}\nStop with Ctrl-C."


def serve(host: str, port: int, public_url: str | None = None, app: Flask | None = None) -> int:
    """Serve until SIGINT or SIGTERM, then let go of the phones in good order. Returns the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    application = app or create_app()
    database.migrate(application)
    shown = f"[{host}]" if ":" in host else host
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104  # these mean every interface; phones need one of them by name
        shown = reachable_address()
    url = (public_url or f"http://{shown}:{port}").rstrip("/")
    application.config["PUBLIC_URL"] = url
    server = TableServer((host, port), fair(application.wsgi_app), log=None, error_log=logging.getLogger("companion.server"))
    try:
        server.start()
    except OSError as taken:
        print(f"Port {port} can't be used ({taken.strerror or taken}). Choose another: companion run --port {port + 1}", file=sys.stderr)
        return 2

    def leave() -> None:
        live.close_all()
        server.stop(timeout=GRACE)

    for number in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(number, leave)
    print(greeting(url), flush=True)
    server.serve_forever()
    return 0
