"""Which headers does every answer carry, so that browsers guard pages and links?"""

from __future__ import annotations

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
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), screen-wake-lock=(self)",
}

# A style or a script obeys the policy of its page; the rest would add 6 KB to a first visit.
HEADERS_OF_PARTS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")

AT_A_TABLE = "/t/"  # how the addresses begin that hold a link
NOT_TO_BE_FOUND = {"X-Robots-Tag": "noindex, nofollow, noarchive"}  # a link in a search machine would be everybody's

HTTPS_ONLY = {"Strict-Transport-Security": "max-age=31536000"}  # for a year, phones come by HTTPS without trying otherwise


def init_app(app: Flask) -> None:
    """Send the security headers with every answer, and let nobody cache a table's pages."""
    everywhere = HTTPS_ONLY if app.config["SESSION_COOKIE_SECURE"] else {}
    of_pages = HEADERS | everywhere
    of_parts = {name: HEADERS[name] for name in HEADERS_OF_PARTS} | everywhere

    @app.after_request
    def add_headers(response: Response) -> Response:
        here = request_ctx.request  # asked for five times
        given = {name.title() for name, _ in response.headers}  # asking for them one by one takes longer
        is_file = here.endpoint == "static"
        is_part = is_file and response.mimetype in {"text/css", "text/javascript"}
        headers = of_parts if is_part else of_pages
        response.headers.extend([header for header in headers.items() if header[0] not in given])
        if here.path.startswith(AT_A_TABLE):
            response.headers.extend(NOT_TO_BE_FOUND)
        if response.location is not None:  # the address that was asked for may say another host; ours are all on this one
            host = here.host_url
            if response.location.startswith(host):
                response.location = "/" + response.location.removeprefix(host).lstrip("/")
        if "Cache-Control" not in given and not is_file:
            response.headers.add("Cache-Control", "private, no-cache")
        return response
