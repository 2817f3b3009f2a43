"""Which headers does every answer carry, so that browsers guard pages and links?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, Response
from flask.globals import request_ctx

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
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), screen-wake-lock=(self)",
}

# A style or a script obeys the policy of its page; the rest would add 6 KB to a first visit.
HEADERS_OF_PARTS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")

AT_A_TABLE = ("/t/", "/old/", "/club/")  # how the addresses begin that hold a link
NOT_TO_BE_FOUND = {"X-Robots-Tag": "noindex, nofollow, noarchive"}  # a link in a search machine would be everybody's

HTTPS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}  # for a year, phones come by HTTPS without trying otherwise


FURTHER = "companion.headers"  # in a request's environment: what is sent besides the response's own headers


def init_app(app: Flask) -> None:
    """Send the security headers with every answer, and let nobody cache a table's pages."""
    everywhere = HTTPS_ONLY if app.config["SESSION_COOKIE_SECURE"] else {}
    of_pages = HEADERS | everywhere
    of_parts = {name: HEADERS[name] for name in HEADERS_OF_PARTS} | everywhere

    @app.after_request
    def choose_headers(response: Response) -> Response:
        current = request_ctx.request  # asked for five times
        given = {name.title() for name, _ in response.headers}  # asking for them one by one takes longer
        is_file = current.endpoint == "static"
        is_part = is_file and response.mimetype in {"text/css", "text/javascript"}
        headers = of_parts if is_part else of_pages
        further = [header for header in headers.items() if header[0] not in given]
        if current.path.startswith(AT_A_TABLE):
            further += NOT_TO_BE_FOUND.items()
        location = response.location
        if location is not None and not location.startswith("/"):
            host = current.host_url  # the address that was asked for may say another; ours are all on this one
            if location.startswith(host):
                response.location = "/" + location.removeprefix(host).lstrip("/")
        if "Cache-Control" not in given and not is_file:
            further.append(("Cache-Control", "private, no-cache"))
        current.environ[FURTHER] = further
        return response

    app.wsgi_app = with_further(app.wsgi_app)  # type: ignore[method-assign]  # Flask's way to wrap an application


def with_further(application: Callable[..., Any]) -> Callable[..., Any]:
    """Return the application, which sends what was chosen as the last of its headers.

    Werkzeug looks at each header of a response twice, which took 100 of 3,600 calls that an entry makes, and of 1,100 that a
    look-up makes.
    """

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            return start_response(status, [*headers, *environ.get(FURTHER, ())], *error)

        body: Iterable[bytes] = application(environ, start)
        return body

    return answer
