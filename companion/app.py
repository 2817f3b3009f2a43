"""How is the application put together from settings, extensions and blueprints?"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, redirect, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask.typing import ResponseReturnValue
from itsdangerous import BadSignature
from jinja2 import StrictUndefined
from sqlalchemy.exc import DBAPIError
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import MapAdapter, RequestRedirect

from companion import games, languages
from companion.settings import Settings, StartupError
from companion.settings import path as settings_path
from companion.storage import database, instance, notifications
from companion.web import errors, language, problems
from companion.web.delivery import (
    game_files,
    offline,
    parts,
    pocket,
    scripts,
    shared_pages,
    static_files,
    style_sheets,
    templates,
)
from companion.web.guard import headers
from companion.web.guard.addresses import in_turn
from companion.web.guard.csrf import csrf
from companion.web.guard.limits import write_limiter
from companion.web.table import carrying

COMPRESSED = [  # everything that is text, but for the event stream: that must not wait for more
    "text/html",
    "text/css",
    "text/javascript",
    "application/json",
    "application/manifest+json",
    "application/problem+json",
    "image/svg+xml",
]


ASIDE = "-before"  # ends the name of the cookie that keeps what this server can't read


class Session(SecureCookieSession):
    """What a phone's cookie holds.

    ``unread`` is a cookie that can't be read: another key signed it, or the clock is wrong by years. Before a new cookie
    replaces it, it is stored under a second name. ``strange``: the phone has an unreadable cookie under either name.
    """

    unread: str = ""
    strange: bool = False


class Sessions(SecureCookieSessionInterface):
    """Cookies signed with HMAC-SHA-256. Programs (:mod:`companion.web.api`) and new phones have none.

    A cookie from the future is as good as another: the server's clock was set back meanwhile, or another process has its own.
    In a phone none is ever too old, since its own clock alone would tell.
    """

    session_class = Session
    digest_method = staticmethod(hashlib.sha256)

    def get_cookie_path(self, app: Flask) -> str:
        """Return the path of this Companion: another one may lie beside it on the same host."""
        return language.home_path()

    def get_cookie_name(self, app: Flask) -> str:
        """Return the cookie's name. Browsers take ``__Host-`` for the root of a host alone."""
        name = super().get_cookie_name(app)
        return name.replace("__Host-", "__Secure-") if request.root_path else name

    def open_session(self, app: Flask, request: Request) -> Session:
        """Return what the phone's cookie holds."""
        if shared_pages.SESSION in request.environ:
            given: Session = request.environ[shared_pages.SESSION]
            return given
        if "HTTP_COOKIE" not in request.environ or request.path.startswith(problems.PREFIX):
            return self.session_class()
        name = self.get_cookie_name(app)
        place, aside = request.cookies.get(name, ""), request.cookies.get(name + ASIDE, "")
        held = self._read(app, place)
        session = Session(self._read(app, aside) if held is None else held)
        session.unread = place if held is None else ""
        session.strange = bool(session.unread) or bool(aside)
        return session

    def save_session(self, app: Flask, session: Any, response: Response) -> None:
        """Set the phone's cookie if anything in it has changed. An unreadable cookie gets a second name first."""
        super().save_session(app, session, response)
        if session.modified and session.unread:
            response.set_cookie(
                self.get_cookie_name(app) + ASIDE,
                session.unread,
                path=self.get_cookie_path(app),
                expires=self.get_expiration_time(app, session),
                httponly=self.get_cookie_httponly(app),
                secure=self.get_cookie_secure(app),
                samesite=self.get_cookie_samesite(app),
            )

    def _read(self, app: Flask, cookie: str) -> dict[str, Any] | None:
        """Return what a cookie holds; None if it can't be read."""
        if not cookie:
            return None
        signing = self.get_signing_serializer(app)
        if signing is None:
            return None
        try:
            held, signed = signing.loads(cookie, return_timestamp=True)
        except BadSignature:
            return None
        too_old = time.time() - signed.timestamp() > app.permanent_session_lifetime.total_seconds()
        return None if too_old and not app.config["POCKET"] else held


class Companion(Flask):
    """Flask, but what goes wrong is logged by the name of the view: the page's address holds a table's link."""

    session_interface = Sessions()
    jinja_environment = templates.Templates

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Return what finds the views, also for the page that says that a request names a host that there can't be."""
        try:
            return super().create_url_adapter(request)
        except HTTPException as refused:
            if request is None:
                raise
            request.routing_exception = refused
            request.host = "localhost"
            return self.url_map.bind("localhost")

    def handle_http_exception(self, e: HTTPException) -> HTTPException | ResponseReturnValue:
        """Answer a refusal by its page. An address written otherwise leads on without naming the host that was asked."""
        if isinstance(e, RequestRedirect):
            return redirect(urlsplit(e.new_url)._replace(scheme="", netloc="").geturl(), e.code)
        return super().handle_http_exception(e)

    def send_static_file(self, filename: str) -> Response:
        """Send a file, whichever version of all files its address names."""
        name = static_files.without_version(filename)
        folder = Path(self.static_folder or "")
        ours = style_sheets.send(name, folder) or scripts.send(name, folder)
        return ours or game_files.send(name) or super().send_static_file(name)

    def log_exception(self, exc_info: Any) -> None:
        """Log a mistake of ours."""
        self.logger.error("failed in %s [%s]", request.endpoint, request.method, exc_info=exc_info)


def create_app(
    settings: Settings | None = None, config: Mapping[str, Any] | None = None, kind: type[Companion] = Companion
) -> Flask:
    """Return Companion, ready to serve.

    Args:
        settings: what the environment decides; read from it if left out.
        config: what Flask and its extensions take besides, for tests (``TESTING``, ``SECRET_KEY``).
        kind: the class of the application.

    Raises:
        StartupError: a setting can't be what it says, or an installed game can't be played.
    """
    settings = settings or Settings.read()
    try:
        instance.prepare(settings.instance)
    except OSError as wrong:
        raise StartupError(
            f"The folder {settings.instance} can't be used: {wrong.strerror}. COMPANION_INSTANCE names another."
        ) from wrong
    app = kind(
        __name__,
        instance_path=str(settings.instance),
        template_folder=str(static_files.asset_folder("templates")),
        static_folder=str(static_files.asset_folder("static")),
    )
    app.jinja_env.undefined = StrictUndefined  # a misspelt name is an error, not an empty place
    languages.offer(settings.unfinished)
    app.config.update(flask_config(settings))
    app.config.update(config or {})
    if not app.config["POCKET"]:  # to look for them there would take a tenth of the application's start
        games.add_installed()
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = instance.secret_key(settings.instance)
    app.config["BUS_NAME"] = instance.public_name(app.config["SECRET_KEY"])
    add_middleware(app, settings)
    add_extensions(app)
    add_blueprints(app)
    csrf.init_app(app)  # it reads the form, so what is refused without reading is refused before
    helpers = {"csrf_token": shared_pages.csrf_token, "is_guest": lambda: False}  # companion.guests has another one
    app.jinja_env.globals.update(helpers, site_languages=(), site_policy="")
    app.jinja_env.add_extension(parts.PartTag)
    headers.init_app(app)
    static_files.init_app(app)
    offline.init_app(app)
    pocket.init_app(app)
    if app.config["POCKET"]:
        carrying.init_app(app)
    return app


def flask_config(settings: Settings) -> dict[str, Any]:
    """Return what Flask and its extensions are told."""
    return {
        "SETTINGS": settings,
        "SERVER_HOME": "/",  # in a phone, where the server's home page is
        "SITE": False,  # whether this is, or lies beside, a folder of files without a server (pocket/site.py)
        "POCKET": False,  # whether this runs inside a phone (companion.pocket)
        "SQLALCHEMY_DATABASE_URI": settings.database_url,
        "BUS": settings.bus,
        "MAX_CONTENT_LENGTH": 64 * 1024,
        "MAX_FORM_PARTS": 300,
        "PERMANENT_SESSION_LIFETIME": timedelta(days=400),
        "SESSION_COOKIE_NAME": "__Host-companion" if settings.https else "companion",  # browsers tie __Host- to host and HTTPS
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": settings.https,
        "SESSION_REFRESH_EACH_REQUEST": False,
        "SERVICE_WORKER": settings.service_worker,
        "SEND_FILE_MAX_AGE_DEFAULT": 0,
        "WTF_CSRF_TIME_LIMIT": None,  # a phone may sleep through the night with a form open
        "WTF_CSRF_SSL_STRICT": False,  # it would ask for the referrer, which our own policy keeps phones from telling
        "COMPRESS_MIN_SIZE": 800,
        "COMPRESS_BR_LEVEL": 5,  # a match's page in 0.29 ms; 4 takes 0.16 ms and adds 7 %, 9 takes 7 ms
        "COMPRESS_BR_WINDOW": 16,  # 64 KB, more than a page has: beside other work a seventh quicker, and not a byte longer
        "COMPRESS_STREAMS": True,  # static files are sent as streams
        "COMPRESS_ALGORITHM_STREAMING": ["br", "zstd", "deflate"],  # they are asked for once, so size counts more than time
        "COMPRESS_MIMETYPES": COMPRESSED,
        "UNREACHABLE": (),  # why phones may not come, as `companion run` saw it
        "BUILD_ID": secrets.token_hex(4),  # pages kept by a phone from before an update are not shown again
    }


def add_middleware(app: Flask, settings: Settings) -> None:
    """Let each address's requests begin one after the other, by the address that proxies in between tell."""
    wrapped, between = below(settings.prefix, in_turn(app.wsgi_app)), settings.proxies
    if between:
        wrapped = ProxyFix(wrapped, x_for=between, x_proto=between, x_host=between, x_prefix=between)
    app.wsgi_app = wrapped  # type: ignore[method-assign]  # Flask's way to wrap an application


def below(prefix: str, application: Callable[..., Any]) -> Callable[..., Any]:
    """Return the application below a path: the setting's, else the one that a trusted proxy tells in ``X-Forwarded-Prefix``.

    Some proxies cut the path off before they ask, and some do not. A header that is not a path counts as none.
    """

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        root, path = prefix, environ.get("PATH_INFO", "")
        if not root:
            try:
                root = settings_path(environ.get("SCRIPT_NAME", ""))
            except ValueError:
                root = ""
        environ["SCRIPT_NAME"] = root
        if root and f"{path}/".startswith(f"{root}/"):
            environ["PATH_INFO"] = path.removeprefix(root)
        answered: Iterable[bytes] = application(environ, start_response)
        return answered

    return answer


def add_extensions(app: Flask) -> None:
    """Tie database, limits, compression, streams and error pages to the application."""
    database.init_app(app)
    if not app.config["POCKET"]:
        from companion.web.guard.counters import Counters  # the library takes a sixth of a phone's start

        app.extensions["companion-limits"] = Counters(app.config["SETTINGS"].limits)
    write_limiter.init_app(app)
    if not app.config["POCKET"]:  # nothing travels over a network there
        from flask_compress import Compress

        Compress(app)
    notifications.init_app(app)
    errors.init_app(app)
    game_files.init_app(app)
    language.init_app(app)


def add_blueprints(app: Flask) -> None:
    """Register the blueprints of all pages and of the API."""
    from companion.web import (
        api,
        calculator,
        club,
        health,
        install,
        language,
        lobby,
        may_i,
        old_screen,
        practice,
        reach,
        rules,
        screen,
        shelves,
        styleguide,
        theme,
    )
    from companion.web.delivery import offline, pocket
    from companion.web.match import (
        bringing_back,
        correcting,
        doubting,
        entering,
        fairness,
        proof,
        rematch,
        stopping,
        stream,
        undoing,
    )
    from companion.web.match import page as match
    from companion.web.table import almanac, almanac_files, evening_card, joining, knocking, letting_in, links, lots, people
    from companion.web.table import file as table_file
    from companion.web.table import page as table

    of_a_table = (table, joining, letting_in, people, links, lots)  # they share one blueprint
    of_a_match = (match, entering, correcting, doubting, undoing, stopping, rematch, proof)  # and so do these
    modules = (
        lobby,
        knocking,
        install,
        reach,
        theme,
        language,
        *of_a_table,
        table_file,
        almanac,
        almanac_files,
        evening_card,
        bringing_back,
        *of_a_match,
        fairness,
        stream,
        calculator,
        may_i,
        offline,
        pocket,
        practice,
        rules,
        shelves,
        api,
        screen,
        old_screen,
        club,
        styleguide,
        health,
    )
    for blueprint in dict.fromkeys(module.bp for module in modules):
        app.register_blueprint(blueprint)


def start(app: Flask | None = None, *, serving: bool = False) -> Flask:
    """Return the application (by default as the environment says) with its database brought up to date.

    Args:
        app: the application.
        serving: whether phones will be served, from now until the process ends.

    Raises:
        StartupError: a setting is wrong, the database is away, a newer Companion has written it, or another one serves it.
    """
    from companion.storage import migrations  # Alembic is slow to load, and only the start needs it

    try:
        ready = app or create_app()
        if serving:
            serve_alone(ready)  # before the tables of a Companion that runs are changed
        migrations.migrate(ready)
        with ready.app_context():
            notifications.hub().reaches_others()  # the log tells if it does not
        languages.offered()  # read now, so that nobody's first page waits for it
    except DBAPIError as away:
        raise StartupError(f"The database can't be opened: {str(away.orig).strip()}") from away
    except (migrations.NewerDatabase, instance.AlreadyServedError, OSError, ValueError) as wrong:
        raise StartupError(str(wrong)) from wrong
    return ready


def serve_alone(app: Flask) -> None:
    """Keep a second Companion from an SQLite file, unless they hear of each other. Raises AlreadyServedError.

    Phones at one would not see what phones at the other enter.
    """
    url = app.config["SQLALCHEMY_DATABASE_URI"]
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:" and app.config["BUS"] == "memory":
        app.extensions["companion-serving"] = instance.serve_alone(Path(url.database))
