"""How is the application put together from settings, extensions and blueprints?"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from flask import Flask, Request, Response, has_request_context, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature, URLSafeTimedSerializer
from jinja2 import StrictUndefined
from sqlalchemy.exc import DBAPIError
from werkzeug.middleware.proxy_fix import ProxyFix

from companion import games, languages
from companion.screens.form_fields import RequestFields
from companion.settings import Settings, StartupError
from companion.storage import database, instance, notifications
from companion.web import (
    carrying,
    errors,
    game_files,
    headers,
    language,
    offline,
    pieces,
    pocket,
    problems,
    shared_pages,
    static_files,
    templates,
)
from companion.web.csrf import csrf
from companion.web.limits import write_limiter
from companion.web.turns import in_turn

COMPRESSED = [  # everything that is text, but for the event stream: that must not wait for more
    "text/html",
    "text/css",
    "text/javascript",
    "application/json",
    "application/manifest+json",
    "application/problem+json",
    "image/svg+xml",
]


MOST_ADDRESSES = 5_000  # that are kept, some 300 bytes each
MOST_COOKIES = 5_000  # of phones, some 1,000 bytes each


class Sessions(SecureCookieSessionInterface):
    """Cookies signed with HMAC-SHA-256; without one to read, and for programs (:mod:`companion.web.api`), none is sought.

    A phone sends the same cookie all evening, so each is read once: to check it anew takes 150 of an entry's 3,400 calls. All
    requests with the cookie share the values, so a view replaces one and never changes a list or a dict in place.
    """

    digest_method = staticmethod(hashlib.sha256)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs and reads the cookies: one for all requests."""
        signing: URLSafeTimedSerializer | None = self._kept(app)[0]
        return signing

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return what the phone's cookie holds."""
        if shared_pages.SESSION in request.environ:
            given: SecureCookieSession = request.environ[shared_pages.SESSION]
            return given
        if "HTTP_COOKIE" not in request.environ or request.path.startswith(problems.PREFIX):
            return self.session_class()
        cookie = request.cookies.get(self.get_cookie_name(app))
        if not cookie:
            return self.session_class()
        try:
            held, signed = self._kept(app)[1](cookie)
        except BadSignature:
            return self.session_class()
        fresh = 0 <= time.time() - signed.timestamp() <= app.permanent_session_lifetime.total_seconds()
        return self.session_class(held if fresh else None)

    def _kept(self, app: Flask) -> tuple[Any, Callable[[str], tuple[dict[str, Any], datetime]]]:
        """Return what signs the application's cookies, and what reads one that was read before, as long as the key stays."""
        key = app.secret_key
        kept = app.extensions.get("companion-cookies")
        if kept is None or kept[0] != key:
            signing: Any = super().get_signing_serializer(app)
            read = lru_cache(MOST_COOKIES)(partial(signing.loads, return_timestamp=True))
            kept = app.extensions["companion-cookies"] = key, (signing, read)
        found: tuple[Any, Any] = kept[1]
        return found


class CompanionRequest(Request):
    """What a phone asks for; a field that is not there is told soon."""

    parameter_storage_class = RequestFields


class Companion(Flask):
    """Flask, but what goes wrong is logged by the name of the view: the page's address holds a table's link."""

    request_class = CompanionRequest
    session_interface = Sessions()
    jinja_environment = templates.Templates

    def url_for(self, /, endpoint: str, **values: Any) -> str:
        """Return an address. A page has twenty of them, most as on the page before: once a tenth of its rendering."""
        depends_on_more = endpoint.startswith(".") or values.get("_external") or values.get("_scheme")
        if depends_on_more or not has_request_context():
            return super().url_for(endpoint, **values)
        try:
            return self._addresses(request.root_path, endpoint, tuple(values.items()))
        except TypeError:  # a list is among the values
            return super().url_for(endpoint, **values)

    @cached_property
    def _addresses(self) -> Callable[[str, str, tuple[tuple[str, Any], ...]], str]:
        build = super().url_for
        return lru_cache(MOST_ADDRESSES, typed=True)(lambda _below, endpoint, values: build(endpoint, **dict(values)))

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the view as it is: none of ours is a coroutine, so there is nothing to find out at each call."""
        return func

    def send_static_file(self, filename: str) -> Response:
        """Send a file, whichever version of all files its address names."""
        name = static_files.without_version(filename)
        return game_files.send(name, Path(self.static_folder or "")) or super().send_static_file(name)

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
    app.jinja_env.globals.update(csrf_token=shared_pages.csrf_token, once=shared_pages.once, drawn_once=pieces.drawn_once)
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
    wrapped, between = in_turn(app.wsgi_app), settings.proxies
    if between:
        wrapped = ProxyFix(wrapped, x_for=between, x_proto=between, x_host=between)
    app.wsgi_app = wrapped  # type: ignore[method-assign,assignment]  # Flask's way to wrap an application


def add_extensions(app: Flask) -> None:
    """Tie database, limits, compression, streams and error pages to the application."""
    database.init_app(app)
    if not app.config["POCKET"]:
        from companion.web.counters import Counters  # the library takes a sixth of a phone's start

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
        bringing_back,
        calculator,
        correcting,
        entering,
        fairness,
        health,
        install,
        joining,
        language,
        links,
        lobby,
        match,
        may_i,
        offline,
        people,
        pocket,
        practice,
        reach,
        rematch,
        rules,
        stopping,
        stream,
        styleguide,
        table,
        table_file,
        theme,
        undoing,
    )

    of_a_table = (table, joining, people, links)  # they share one blueprint
    of_a_match = (match, entering, correcting, undoing, stopping, rematch)  # and so do these
    modules = (
        lobby,
        install,
        reach,
        theme,
        language,
        *of_a_table,
        table_file,
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
        api,
        styleguide,
        health,
    )
    for blueprint in dict.fromkeys(module.bp for module in modules):
        app.register_blueprint(blueprint)


def start(app: Flask | None = None) -> Flask:
    """Return the application (by default as the environment says) with its database brought up to date.

    Raises:
        StartupError: a setting is wrong, the database is away, or a newer Companion has written it.
    """
    from companion.storage import migrations  # Alembic is slow to load, and only the start needs it

    try:
        ready = app or create_app()
        migrations.migrate(ready)
        with ready.app_context():
            notifications.hub().reaches_others()  # the log tells if it does not
        languages.offered()  # read now, so that nobody's first page waits for it
    except DBAPIError as away:
        raise StartupError(f"The database can't be opened: {str(away.orig).strip()}") from away
    except (migrations.NewerDatabase, OSError, ValueError) as wrong:
        raise StartupError(str(wrong)) from wrong
    return ready
