"""What are figures compared with? With a bare Flask page."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask

PAGE = "<!doctype html><title>Hello</title>{% for line in lines %}<p>{{ line }}</p>{% endfor %}"


def bare_page() -> Callable[..., None]:
    """Return the work of a Flask application that answers a form with a small page."""
    app = Flask(__name__)
    template = app.jinja_env.from_string(PAGE)

    @app.post("/")
    def hello() -> str:
        return template.render(lines=range(20))

    client = app.test_client()
    return lambda *_turn: client.post("/", data={"points": "98"}).close()
