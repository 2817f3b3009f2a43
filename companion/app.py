"""The application: settings, database, security headers, and which rooms the web has."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_compress import Compress
from platformdirs import user_data_path
from sqlalchemy.exc import ArgumentError, DBAPIError
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.storage import database, notifications
from companion.web import errors, problems
from companion.web.limits import csrf, floods, limiter
from companion.web.pace import fair

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGE = Path(__file__).resolve().parent

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",  # icons come from one sprite, which some browsers count as nothing else
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), screen-wake-lock=(self)",
}

# A style or a script obeys the policy of its page; the rest would add 6 KB to a first visit.
HEADERS_OF_PARTS = ("Referrer-Policy", "X-Content-Type-Options", "Cross-Origin-Resource-Policy")

VERSION = re.compile(r"^[0-9a-f]{10}/")  # what the address of a static file begins with
AT_A_TABLE = "/t/"  # how the addresses begin that hold a link
NOT_TO_BE_FOUND = {"X-Robots-Tag": "noindex, nofollow, noarchive"}  # a link in a search machine would be everybody's

HTTPS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}  # for a year, phones come by HTTPS without trying otherwise

compress = Compress()


class Sessions(SecureCookieSessionInterface):
    """Cookies signed with HMAC-SHA-256; without one to read, and for programs (:mod:`companion.web.api`), none is sought."""

    digest_method = staticmethod(hashlib.sha256)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """What the phone's cookie holds."""
        if "HTTP_COOKIE" not in request.environ or request.path.startswith(problems.PREFIX):
            return self.session_class()
        return super().open_session(app, request)


class Companion(Flask):
    """Flask, but what goes wrong is logged by the name of the view: the page's address holds a table's link."""

    session_interface = Sessions()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The view as it is: none of ours is a coroutine, so there is nothing to find out at each call."""
        return func

    def send_static_file(self, filename: str) -> Response:
        """Send a file, whichever version of all files its address names (:func:`version_static`)."""
        return super().send_static_file(VERSION.sub("", filename))

    def log_exception(self, exc_info: Any) -> None:
        """Log a mistake of ours."""
        self.logger.error("failed in %s [%s]", request.endpoint, request.method, exc_info=exc_info)


def rooms(name: str) -> Path:
    """The folder of templates or static files: in a checkout at the top, in an installed wheel inside the package."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else CHECKOUT / name


def instance_folder() -> Path:
    """Where the SQLite file and the secret key live: instance/ of a checkout, else the user's own data folder."""
    chosen = os.environ.get("COMPANION_INSTANCE")
    if chosen:
        return Path(chosen).resolve()
    if (CHECKOUT / "pyproject.toml").is_file():
        return CHECKOUT / "instance"
    return user_data_path("companion", appauthor=False)


def database_address(folder: Path | None = None) -> str:
    """Where tables are kept: as DATABASE_URL says, else in one SQLite file in the instance folder."""
    return os.environ.get("DATABASE_URL") or f"sqlite:///{(folder or instance_folder()) / 'companion.sqlite'}"


def close_to_others(folder: Path) -> None:
    """What older versions left readable for everybody on this machine is for its owner from now on."""
    for pattern in ("companion.sqlite*", "before-restore-*.sqlite*", "secret-key"):
        for file in folder.glob(pattern):
            with suppress(OSError):  # it is somebody else's, or gone by now
                if file.is_file() and not file.is_symlink() and file.stat().st_mode & 0o077:
                    file.chmod(0o600)


def secret_key(folder: Path) -> bytes:
    """The key that signs cookies, made once and kept in the instance folder, readable by its owner alone.

    It is whole as soon as it is there, and of several processes that start at once all get the same.
    """
    file = folder / "secret-key"
    if not file.exists():
        with NamedTemporaryFile(prefix=".secret-key-", dir=folder) as made:  # for its owner's eyes
            made.write(secrets.token_bytes(32))
            made.flush()
            os.fsync(made.fileno())
            with suppress(FileExistsError):
                os.link(made.name, file)
    return file.read_bytes()


def proxies_between() -> int:
    """How many proxies stand between the phones and this process, by COMPANION_PROXIES. Raises ValueError."""
    told = os.environ.get("COMPANION_PROXIES") or "0"
    if not (told.isascii() and told.isdigit() and len(told) <= 2):
        raise ValueError(
            f"COMPANION_PROXIES is how many proxies stand between the phones and Companion, 0 if none does; not {told!r}."
        )
    return int(told)


def by_https() -> bool:
    """True if phones come by HTTPS alone, by COMPANION_HTTPS. Raises ValueError."""
    told = os.environ.get("COMPANION_HTTPS") or "0"
    if told not in {"0", "1"}:
        raise ValueError(f"COMPANION_HTTPS is 1 when phones come by HTTPS, and 0 or nothing when they don't; not {told!r}.")
    return told == "1"


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Companion, ready to serve. ``config`` overrides settings (``SQLALCHEMY_DATABASE_URI``, ``SECRET_KEY``, ``TESTING``)."""
    given = dict(config or {})
    folder = Path(given.pop("INSTANCE", None) or instance_folder())
    folder.mkdir(parents=True, exist_ok=True)
    close_to_others(folder)
    app = Companion(
        __name__,
        instance_path=str(folder),
        template_folder=str(rooms("templates")),
        static_folder=str(rooms("static")),
    )
    https = by_https()
    app.config.update(
        SQLALCHEMY_DATABASE_URI=database_address(folder),
        MAX_CONTENT_LENGTH=64 * 1024,
        MAX_FORM_PARTS=300,
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SESSION_COOKIE_NAME="__Host-companion" if https else "companion",  # browsers tie such a name to this host and HTTPS
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=https,
        SESSION_REFRESH_EACH_REQUEST=False,
        SEND_FILE_MAX_AGE_DEFAULT=0,
        WTF_CSRF_TIME_LIMIT=None,  # a phone may sleep through the night with a form open
        WTF_CSRF_SSL_STRICT=False,  # it would ask for the referrer, which our own policy keeps phones from telling
        COMPRESS_MIN_SIZE=800,
        COMPRESS_BR_LEVEL=5,
        COMPRESS_STREAMS=True,  # static files are sent as streams
        COMPRESS_ALGORITHM_STREAMING=["br", "zstd", "deflate"],  # they are asked for once, so size counts more than time
        COMPRESS_MIMETYPES=[  # everything that is text, but for the event stream: that must not wait for more
            "text/html",
            "text/css",
            "text/javascript",
            "application/json",
            "application/manifest+json",
            "application/problem+json",
            "image/svg+xml",
        ],
        STARTED=secrets.token_hex(4),  # pages kept by a phone from before an update are not shown again
    )
    app.config.update(given)
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = secret_key(folder)
    app.wsgi_app = fair(app.wsgi_app)  # type: ignore[method-assign,assignment]
    proxies = proxies_between()
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies)  # type: ignore[method-assign]

    database.init_app(app)
    floods.init_app(app)
    compress.init_app(app)
    limiter.init_app(app)
    notifications.init_app(app)
    errors.init_app(app)
    register_rooms(app)
    csrf.init_app(app)  # it reads the form, so what is refused without reading is refused before
    secure(app)
    version_static(app)
    return app


class CannotBegin(Exception):
    """Companion can't begin with the settings and the database that it finds. The message is a sentence."""


def begin(app: Flask | None = None) -> Flask:
    """Companion as the environment says (or ``app``), with its database brought up to date. Raises CannotBegin."""
    from companion.storage import migrations  # Alembic is slow to load, and only the start needs it

    try:
        ready = app or create_app()
        migrations.migrate(ready)
    except DBAPIError as away:
        raise CannotBegin(f"The database can't be opened: {str(away.orig).strip()}") from away
    except ArgumentError as wrong:
        raise CannotBegin(f"DATABASE_URL is no address of a database: {wrong}") from wrong
    except (migrations.NewerDatabase, OSError, ValueError) as wrong:
        raise CannotBegin(str(wrong)) from wrong
    return ready


def register_rooms(app: Flask) -> None:
    """Hang up the web's blueprints."""
    from companion.web import (
        api,
        calculator,
        fairness,
        health,
        lobby,
        match,
        may_i,
        practice,
        rules,
        stream,
        styleguide,
        table,
        table_file,
    )

    blueprints = (
        lobby,
        table,
        table_file,
        match,
        fairness,
        stream,
        calculator,
        may_i,
        practice,
        rules,
        api,
        styleguide,
        health,
    )
    for room in blueprints:
        app.register_blueprint(room.bp)


def secure(app: Flask) -> None:
    """Send the security headers with every answer, and never let a table's pages be cached by anybody."""
    everywhere = HTTPS_ONLY if app.config["SESSION_COOKIE_SECURE"] else {}
    of_pages = HEADERS | everywhere
    of_parts = {name: HEADERS[name] for name in HEADERS_OF_PARTS} | everywhere

    @app.after_request
    def add_headers(response: Response) -> Response:
        given = {name.title() for name, _ in response.headers}  # asking for them one by one takes longer
        is_part = request.endpoint == "static" and response.mimetype in {"text/css", "text/javascript"}
        headers = of_parts if is_part else of_pages
        response.headers.extend([header for header in headers.items() if header[0] not in given])
        if request.path.startswith(AT_A_TABLE):
            response.headers.extend(NOT_TO_BE_FOUND)
        if response.location is not None:  # the address that was asked for may say another host; ours are all on this one
            here = request.host_url
            if response.location.startswith(here):
                response.location = "/" + response.location.removeprefix(here).lstrip("/")
        if "Cache-Control" not in given and request.endpoint != "static":
            response.headers.add("Cache-Control", "private, no-cache")
        return response


def version_of(folder: Path) -> str:
    """Return a name for what all files of a folder hold: it changes with any of them."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    found = hashlib.sha256()
    for file in files:
        found.update(f"{file.relative_to(folder)} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()[:10]


def version_static(app: Flask) -> None:
    """Let static files be kept for ever under an address that changes with their content, and under no other.

    The version is a folder of the address, so that scripts that import each other are always of one version. While one process
    is replaced after the other, a page of the new one may ask an old one for a new file.
    """
    version = app.config["STATIC_VERSION"] = version_of(Path(app.static_folder or ""))

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "filename" in values:
            values["filename"] = f"{version}/{values['filename']}"

    @app.after_request
    def keep(response: Response) -> Response:
        asked = (request.view_args or {}).get("filename", "")
        if request.endpoint == "static" and asked.startswith(f"{version}/") and response.status_code in {200, 304}:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
