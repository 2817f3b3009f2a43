"""How does a test speak plain HTTP with a real server? As a phone does: with cookies and forms, and it notices silence."""

from __future__ import annotations

import http.client
import itertools
import re
import urllib.parse
from dataclasses import dataclass
from http.cookies import SimpleCookie

from tests.server import PATIENCE

_addresses = itertools.count(1)


@dataclass(frozen=True)
class Answer:
    """What came back: the status, where it leads to, and the page."""

    status: int
    location: str
    headers: http.client.HTTPMessage
    text: str


class Caller:
    """One phone. Behind a proxy that is believed, each has an address of its own, so that limits count it by itself."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = "10.{}.{}.{}".format(*next(_addresses).to_bytes(3, "big"))
        self._cookies: dict[str, str] = {}
        self._token = ""
        self._line: http.client.HTTPConnection | None = None

    def get(self, path: str) -> Answer:
        """Open a page. Raises OSError or HTTPException when the server is not there, or goes away meanwhile."""
        return self._ask("GET", path)

    def post(self, path: str, **fields: object) -> Answer:
        """Send a form, with the token that every form of this phone carries. Raises as :meth:`get` does."""
        if not self._token:
            found = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', self.get("/tables/new?game=beloz").text)
            assert found is not None
            self._token = found[1]
        return self._ask("POST", path, urllib.parse.urlencode({"csrf_token": self._token, **fields}))

    def make_table(self, *people: str) -> str:
        """Make a table; return the path of its play link."""
        names = {f"person_{seat}": name for seat, name in enumerate(people)}
        made = self.post("/tables", table="Kitchen table", game="beloz", **names)
        assert made.status == 303, made.text
        return made.location.partition("?")[0].removesuffix("/table")

    def hang_up(self) -> None:
        """Close the connection, if one is open."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _ask(self, method: str, path: str, body: str | None = None) -> Answer:
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"X-Forwarded-For": self.address, "Cookie": "; ".join(f"{k}={v}" for k, v in self._cookies.items())}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            self._line.request(method, path, body, headers)
            response = self._line.getresponse()
            text = response.read().decode()
        except (OSError, http.client.HTTPException):
            self.hang_up()
            raise
        for cookie in response.headers.get_all("Set-Cookie", []):
            self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(cookie).items()}
        return Answer(response.status, response.headers.get("Location", ""), response.headers, text)
