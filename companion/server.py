"""How is Companion served to phones and their open streams? By one process with gevent.

This module patches the standard library when it is imported, so nothing that opens sockets may be imported before it.
"""

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import errno
import gc
import io
import json
import logging
import math
import os
import re
import signal
import socket
import sys
import time
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from importlib.util import find_spec
from typing import Any, TextIO
from urllib.parse import urlsplit

import gevent
import qrcode
from flask import Flask, request, request_started
from gevent.pywsgi import WSGIHandler, WSGIServer
from jinja2 import TemplateError

from companion.engine.text import Sentence
from companion.matches import tails
from companion.settings import StartupError
from companion.storage import notifications
from companion.storage.models import db
from companion.storage.yielding import breathe
from companion.web import reachability
from companion.web.guard.addresses import network

IDLE = 60.0  # seconds until a connection on which nobody asks for anything is closed
HEAD = 15.0  # seconds for the head of a request, once it has begun
BODY, SLOWEST_LINE = 20.0, 10_000.0  # seconds for what is sent with it or answered, and bytes a second that add to them
PIECE = 16 * 1024  # bytes of a body that are read at once
LARGE = 256 * 1024  # bytes after which a body comes in turns with all others: a table's file, a long record
LONGEST = 10  # digits of a body's length
UNWANTED, MOST_UNWANTED = 2.0, 32 * 2**20  # seconds without, and bytes of, what is still sent after it was refused
MOST_CONNECTIONS = 600  # of one address: its streams, and some for pages
SPARE_FILES = 40  # for the database and what else is opened
GARBAGE = 100  # rounds of looking for garbage among what is young until everything is looked through
REST = 0.02  # seconds between two templates that are compiled before anybody asks for them
GRACE = 2.0  # seconds that open requests get to end
OPEN_FILES = 65536  # as many as are asked for, where the system allows: each phone's stream is one
WHITE_ON_BLACK, PLAIN = "\x1b[38;5;255;48;5;232m", "\x1b[0m"  # whatever colours the terminal itself has

ASKED_BY_ANDROID = "Android 17 asks whether the browser may use nearby devices. Allow it, else the page only times out."

PUBLIC_URL = re.compile(r"https?://[^\s/?#@\\]+(/[^\s?#]*)?")
ROUTE = "companion.route"  # where a request notes which kind of page it asked for

logger = logging.getLogger("companion.server")
requests_log = logging.getLogger("companion.requests")


class SlowRequest(TimeoutError):
    """A request took longer to arrive than any honest phone needs."""


class Body:
    """What is sent with a request. It has to come as fast as a very slow line brings it, however much was announced."""

    def __init__(self, sent: Any) -> None:
        self._sent = sent
        self._came = 0
        self._begun: float | None = None

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._sent, name)
        return partial(self._in_time, member) if name in {"readline", "readlines"} else member

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def read(self, length: int | None = None) -> bytes:
        """Return so much of it, or all. Raises SlowRequest."""
        pieces: list[bytes] = []
        left = sys.maxsize if length is None or length < 0 else length
        while left and (piece := self._in_time(self._sent.read, min(left, PIECE))):
            pieces.append(piece)
            left -= len(piece)
            if self._came > LARGE:
                breathe()  # of all large bodies one piece is read at a time: between two others have their turn
        return b"".join(pieces)

    def let_go(self) -> bool:
        """Read what the application did not want, if it comes at once and is not much; return True if all of it is read."""
        if not (self._sent.content_length or self._sent.chunked_input):
            return True
        self._sent.send_100_continue_enabled = False
        most = self._came + MOST_UNWANTED
        try:
            while self._came < most and self._in_time(self._sent.read, PIECE, seconds=UNWANTED):
                pass
        except OSError:
            return False
        return self._came < most and not self._sent._chunked_input_error

    def _in_time(self, take: Callable[..., Any], *args: Any, seconds: float = math.inf) -> Any:
        moment = time.monotonic()
        self._begun = moment if self._begun is None else self._begun
        until = min(moment + seconds, self._begun + BODY + self._came / SLOWEST_LINE)
        with gevent.Timeout(max(until - moment, 0.001), SlowRequest):
            took = take(*args)
        self._came += sum(map(len, took)) if isinstance(took, list) else len(took)
        return took


class _Read:
    """A body of which nothing is left for pywsgi to read, which would wait for it without an end."""

    def _discard(self) -> None:
        pass


class DiscreetHandler(WSGIHandler):
    """Never logs what was asked for: the address of a page holds a table's link. It logs which kind of page it was.

    It waits for nobody for ever, and refuses what two readers could understand in two ways.
    """

    def read_requestline(self) -> str:
        """Return the next request's first line; a connection on which none comes is closed."""
        if getattr(self.server, "leaves", False):
            return ""  # a stream ended here, and its phone shall go elsewhere
        idle: set[socket.socket] = getattr(self.server, "idle", set())
        idle.add(self.socket)
        try:
            with gevent.Timeout(IDLE, SlowRequest):
                return str(super().read_requestline())
        finally:
            idle.discard(self.socket)

    def read_request(self, raw_requestline: str) -> Any:
        """Return the rest of its head. Raises ValueError if it is no HTTP, or not to be understood in one way only."""
        try:
            with gevent.Timeout(HEAD, SlowRequest):
                understood = super().read_request(raw_requestline)
        except ValueError:
            raise
        except Exception as wrong:  # too many headers, or too slow: pywsgi would print where it came from
            raise ValueError(type(wrong).__name__) from None
        return understood

    def MessageClass(self, *args: Any) -> Any:  # noqa: N802  # it is pywsgi's name
        """Return the headers, of which pywsgi would take the first that says how long the body is."""
        headers = super().MessageClass(*args)
        lengths, coded = headers.get_all("content-length") or [], headers.get_all("transfer-encoding") or []
        if len(lengths) + len(coded) > 1 or any(coding.strip().lower() != "chunked" for coding in coded):
            raise ValueError("the length of the body can be understood in two ways")
        length = lengths[0].strip() if lengths else "0"
        if not (length.isascii() and length.isdigit() and len(length) <= LONGEST):
            raise ValueError("the length of the body is no number, or of no body")
        return headers

    def get_environ(self) -> dict[str, Any]:
        """Return what the application is told, with a body that has to come in time."""
        environ: dict[str, Any] = super().get_environ()
        body = Body(self.wsgi_input)
        if environ["wsgi.input"] is self.wsgi_input:
            environ["wsgi.input"] = body
        self._body, self._sent, self._waited = body, 0, 0.0
        return environ

    def handle_one_response(self) -> None:
        """Answer; then no request can begin in the midst of what was sent with this one."""
        self.wsgi_input = _Read()  # type: ignore[assignment]  # it is read here, to an end
        super().handle_one_response()
        if not self._body.let_go():
            self.close_connection = True

    def _sendall(self, data: bytes) -> None:
        """Send, unless the phone takes less of its answer than a very slow line brings. Only what it has not taken counts."""
        self._sent += len(data)
        begun = time.monotonic()
        left = BODY + self._sent / SLOWEST_LINE - self._waited
        try:
            with gevent.Timeout(max(left, 0.001), SlowRequest):
                super()._sendall(data)  # type: ignore[misc]  # it is pywsgi's
        except SlowRequest:
            raise BrokenPipeError(errno.EPIPE, "too slow") from None
        finally:
            self._waited += time.monotonic() - begun

    def finalize_headers(self) -> None:
        """Say that this is the last answer on this connection, if the server is about to stop."""
        if getattr(self.server, "leaves", False):
            self.close_connection = True
            self.response_headers.append((b"Connection", b"close"))  # type: ignore[union-attr,arg-type]  # a list of bytes by now
        super().finalize_headers()

    def log_request(self) -> None:
        """Log one line for each request that was answered, if requests are logged."""
        if not requests_log.isEnabledFor(logging.INFO):
            return
        answered = self.environ or {}
        requests_log.info(
            "request",
            extra={
                "fields": {
                    "method": answered.get("REQUEST_METHOD", "")[:10],
                    "route": answered.get(ROUTE, ""),
                    "status": abs(self.code or 0),  # pywsgi turns it round when the phone has gone
                    "ms": round(1000 * (self.time_finish - self.time_start), 1) if self.time_finish else None,
                    "bytes": self.response_length,
                }
            },
        )

    def log_error(self, msg: str, *args: Any) -> None:
        """Note that somebody sent what is no HTTP, without repeating it or saying who."""
        logger.warning("a request could not be read")


class TableServer(WSGIServer):
    """pywsgi that answers at once: no delay for small packets, no request line (it holds a table's link) in any log."""

    handler_class = DiscreetHandler
    most_of_one = 0  # connections of an address; 0: no limit, for behind a proxy all have the same

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._connections: Counter[str] = Counter()
        self.leaves = False
        self.idle: set[socket.socket] = set()  # connections on which nobody asks for anything just now

    def leave(self) -> None:
        """Take no more connections, so that a proxy asks another Companion. Those that are open end, idle ones at once.

        A proxy would go on asking by an idle one, and this one first: it has the fewest streams. What was asked just now is
        still read, and answered.
        """
        self.leaves = True
        self.stop_accepting()
        self.socket.close()
        for idle in list(self.idle):
            with suppress(OSError):
                idle.shutdown(socket.SHUT_RD)

    def handle(self, sock: socket.socket, address: Any) -> None:
        """Serve one connection; none, if its address has too many already."""
        whose = network(str(address[0]))
        if self.most_of_one and self._connections[whose] >= self.most_of_one:
            return
        self._connections[whose] += 1
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            super().handle(sock, address)
        finally:
            self._connections[whose] -= 1
            if not self._connections[whose]:
                del self._connections[whose]


def tell(_context: Any, kind: Any, error: Any, traceback: Any) -> None:
    """Log what goes wrong outside of any request as a line, as everything is logged."""
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        logger.error("no file is left for another connection (%s)", errno.errorcode[error.errno])
    else:
        logger.error("failed", exc_info=(kind, error, traceback))


class JSONLines(logging.Formatter):
    """Each line of the log as one JSON object: when, how bad, who says it, what, and the fields that came along."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its end."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"at": moment, "level": record.levelname.lower(), "from": record.name, "what": record.getMessage()}
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def open_files() -> int:
    """Return how many files this process may have open; Windows has no such limit."""
    if sys.platform == "win32":
        return OPEN_FILES
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def make_room_for_phones() -> None:
    """Raise this process's limit of open files towards ``OPEN_FILES``: many systems begin with 1,024."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # macOS may allow fewer than it says
            logger.warning("only %d files may be open: that is the most phones that can follow", soft)


def look_for_garbage_seldom() -> None:
    """Run full garbage collections rarely: every request waits for them.

    The logs of an evening are some hundred thousand objects, and a full collection takes a tenth of a second for them. New
    objects are still collected as often as before; objects from the start never again.
    """
    gc.collect()
    gc.freeze()
    youngest, young, _ = gc.get_threshold()
    gc.set_threshold(youngest, young, GARBAGE)


def compile_templates(application: Flask) -> None:
    """Compile the templates one by one, with a rest after each: who opens a page first would wait for twenty of them.

    The page of a new table takes 0.4 seconds of a computer's processor else, and everybody else waits as long.
    """
    for name in application.jinja_env.list_templates():
        gevent.sleep(REST)
        with suppress(TemplateError):  # an installed game's template is wrong: its page shows the error
            application.jinja_env.get_template(name)


def set_up_log(out: TextIO, *, requests: bool) -> None:
    """Log to ``out``: for people at a terminal, as JSON lines anywhere else. ``requests``: a line for each of them as well."""
    handler = logging.StreamHandler(out)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s")
    handler.setFormatter(plain if out.isatty() and not requests else JSONLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])  # what libraries tell besides may say who asked
    logging.getLogger("companion").setLevel(logging.INFO)
    requests_log.setLevel(logging.INFO if requests else logging.WARNING)


def note_route(app: Flask) -> None:
    """Let the log know which kind of page each request asks for: the pattern of its address, which holds no link."""

    def note(_app: Flask) -> None:
        request.environ[ROUTE] = request.url_rule.rule if request.url_rule is not None else ""

    request_started.connect(note, app, weak=False)  # before anything can refuse it


def measure(app: Flask) -> None:
    """Answer a Prometheus, if the host asked for that. Raises StartupError."""
    address = app.config["SETTINGS"].metrics
    if address is None:
        return
    if find_spec("prometheus_client") is None:
        raise StartupError("COMPANION_METRICS needs what counts: pip install '.[metrics]'")
    from companion.web import metrics  # an optional dependency

    metrics.serve(app, address)


def reachable_address() -> str:
    """Return the address of this machine in the network that the phones are in; 127.0.0.1 when there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation; a datagram socket sends nothing here
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def qr_text(url: str, *, coloured: bool) -> str:
    """Return the QR code of an address, in characters that a terminal can show and a phone can read.

    Without colours it is right on a dark terminal and inverted on a light one, which most phones read as well.
    """
    code = qrcode.QRCode(border=2, error_correction=qrcode.constants.ERROR_CORRECT_L)
    code.add_data(url)
    text = io.StringIO()
    code.print_ascii(out=text, invert=True)
    if not coloured:
        return text.getvalue()
    return "".join(f"{WHITE_ON_BLACK}{line}{PLAIN}\n" for line in text.getvalue().splitlines())


def greeting(url: str, out: TextIO, *, unreachable: Sequence[Sentence] = (), help_page: str = "") -> str:
    """Return what the terminal shows once phones can come, and why they may not; ``help_page`` tells more."""
    code = qr_text(url, coloured=out.isatty())
    try:
        code.encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        code = ""
    invitation = "Scan this with a phone in the same network, or type the address."
    seen = "".join(f"! {sentence}\n" for sentence in unreachable)
    causes = f"{ASKED_BY_ANDROID}\nCan't open it on a phone? {help_page} tells why.\n" if help_page else ""
    return f"\nCompanion is on the table: {url}\n{invitation}\n\n{code}\n{seen}{causes}Stop with Ctrl-C."


def phones_address(host: str, port: int) -> str:
    """Return the address that a phone can reach a server by that listens on this host and port."""
    host = phones_host(host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def phones_host(host: str) -> str:
    """Return the host of that address."""
    # these mean every interface; phones need one of them by name
    return reachable_address() if host in {"0.0.0.0", "::", ""} else host  # noqa: S104


def serve(
    start: Callable[[], Flask], host: str, port: int, public_url: str | None = None, *, log_requests: bool = False
) -> int:
    """Serve until SIGINT or SIGTERM, then end the open streams in good order.

    Args:
        start: Returns the application with its database brought up to date. It is imported after this module.
        host: The address to listen on.
        port: The port to listen on; 0 is any that is free.
        public_url: The address in QR codes, if phones reach Companion through a proxy.
        log_requests: Whether each request is a line of the log.

    Returns:
        The exit status. 2 means that it could not start, and a sentence on stderr says why.
    """
    if public_url is not None and not PUBLIC_URL.fullmatch(public_url):
        return startup_failed(f"--public-url is what phones type, like https://cards.example; not {public_url!r}.")
    os.umask(0o077)  # what is stored holds links: it is for whoever runs Companion, and nobody else on this machine
    set_up_log(sys.stderr, requests=log_requests)
    make_room_for_phones()
    try:
        application = start()
        measure(application)
    except StartupError as refused:
        return startup_failed(str(refused))
    most = max(open_files() - SPARE_FILES, SPARE_FILES)
    server = TableServer((host, port), application.wsgi_app, log=logger, error_log=logger, spawn=most)
    if not application.config["SETTINGS"].proxies:
        server.most_of_one = min(MOST_CONNECTIONS, most // 2)
    gevent.get_hub().print_exception = tell  # type: ignore[method-assign,assignment]  # gevent has no other way
    try:
        server.init_socket()
    except OSError as taken:
        other = port + 1 if port < 65535 else 8000
        why = os.strerror(taken.errno) if taken.errno and taken.errno > 0 else str(taken)
        return startup_failed(
            f"{host}:{port} can't be used ({why}). Choose another: companion run --port {other}, or make run PORT={other}"
        )
    prefix = application.config["SETTINGS"].prefix
    url = (public_url or phones_address(host, int(server.address[1]))).rstrip("/")
    if not urlsplit(url).path:
        url += prefix
    is_proxied = bool(application.config["SETTINGS"].proxies)
    comes_straight = not (public_url or is_proxied)
    application.config["PUBLIC_URL"] = url if public_url or not is_proxied else ""  # else each page tells how it was reached
    unreachable = reachability.found(host, phones_host(host), int(server.address[1])) if comes_straight else []
    application.config["UNREACHABLE"] = unreachable
    note_route(application)

    def leave() -> None:
        if not server.leaves:
            server.leave()
            notifications.leave_all()
        server.stop(timeout=GRACE)

    for number in (signal.SIGINT, signal.SIGTERM):
        gevent.signal_handler(number, leave)
    look_for_garbage_seldom()
    server.start()
    local = phones_address("127.0.0.1", int(server.address[1])) + prefix
    help_page = f"{local}/reach" if comes_straight else ""
    print(greeting(url, sys.stdout, unreachable=unreachable, help_page=help_page), flush=True)
    gevent.spawn(compile_templates, application)
    gevent.spawn(tails.compare, application)
    if key := application.config.get("SCREEN_KEY"):
        gevent.spawn(webbrowser.open, f"{local}/screen?key={key}")  # some browsers return only when they are closed
    server.serve_forever(stop_timeout=GRACE)
    with application.app_context():
        db.engine.dispose()  # SQLite then leaves one file that holds everything
    return 0


def startup_failed(sentence: str) -> int:
    """Say why there is no server, and give the exit status for that."""
    print(sentence, file=sys.stderr)
    return 2
