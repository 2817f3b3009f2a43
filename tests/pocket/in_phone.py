"""How does a test ask Companion in a phone? By the very function that every page of the phone uses."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any, Protocol

from tests.web.people import words

ASK = """async ([scripts, url, fields]) => {
  const { HTML, reach } = await import(`${scripts}connection.js`);
  const body = fields && new URLSearchParams(fields);
  const reached = await reach(url, body ? { method: "POST", body, headers: HTML } : { headers: HTML });
  if (!reached) throw new Error(`no answer: ${url}`);
  const { answer, html } = reached;
  return { status: answer.status, path: new URL(answer.url).pathname, text: html };
}"""

SOURCE = """() => document.querySelector('script[src$="/js/companion.js"]').getAttribute("src")"""

_keys = itertools.count(1)


class Shown(Protocol):
    """A page in a browser."""

    def evaluate(self, expression: str, arg: object = None, /) -> Any:
        """Call a function of JavaScript's in it."""


@dataclass(frozen=True)
class Answer:
    """What the phone answered, after redirects."""

    status: int
    path: str
    text: str


class InPhone:
    """Asks the Companion of the phone whose page this is."""

    def __init__(self, page: Shown, form: str = "/pocket/tables/import") -> None:
        """Ask from this page; ``form`` is the address of a page that has a form."""
        self._page, self.scripts = page, str(page.evaluate(SOURCE)).removesuffix("companion.js")
        self._form = form

    def get(self, path: str) -> Answer:
        """Ask for a page."""
        return self._ask(path, None)

    def post(self, path: str, *repeated: tuple[str, str], **fields: str) -> Answer:
        """Send a form with the token that this phone's forms have. Names that come several times are ``repeated``."""
        return self._ask(path, [("csrf_token", self.token), *repeated, *fields.items()])

    @cached_property
    def token(self) -> str:
        """The token that each form of this phone has."""
        return str(re.search(r'name="csrf_token" value="([^"]*)"', self.get(self._form).text)[1])  # type: ignore[index]

    def _ask(self, path: str, fields: object) -> Answer:
        return Answer(**self._page.evaluate(ASK, [self.scripts, path, fields]))

    def begin(self, game: str, people: Sequence[str], **options: str) -> MatchInPhone:
        """Make a table, and start a match with everybody at it."""
        seats = {f"person_{seat}": person for seat, person in enumerate(people)}
        table = self.post("/pocket/tables", table=f"{game} in the phone", game=game, **seats)
        players = [("player", number) for number in re.findall(r'name="player" value="(\d+)"', table.text)]
        link = table.path.removesuffix("/table")
        begun = self.post(f"{link}/matches", *players, game=game, **options)
        assert begun.path == f"{link}/m/1", begun.text
        return MatchInPhone(self, begun.path, begun.text)


class MatchInPhone:
    """Enters at a match of the phone, with how much of its log the page in sight has."""

    def __init__(self, phone: InPhone, link: str, page: str) -> None:
        self.phone, self.link = phone, link
        self.page = page

    @property
    def table(self) -> str:
        """The address of its table."""
        return self.link.rpartition("/m/")[0]

    def open(self, path: str = "") -> str:
        """Return the text of one of its pages."""
        answer = self.phone.get(self.link + path)
        assert answer.status == 200, answer.text
        return answer.text

    @property
    def seen(self) -> str:
        """How much of the log the page in sight has."""
        return str(re.search(r'name="expected_seq" value="(\d+)"', self.page)[1])  # type: ignore[index]

    def field(self, path: str, name: str) -> str:
        """Return what stands in a hidden field of one of its pages."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.open(path))
        assert found is not None
        return unescape(found[1])

    def send(self, path: str, **fields: str) -> Answer:
        """Send a form of the match as the page in sight would. The page that it leads to is in sight then."""
        given = {"expected_seq": self.seen, "idempotency_key": f"key-{next(_keys)}", **fields}
        answer = self.phone.post(self.link + path, **given)
        assert answer.status == 200, (path, fields, answer.status, words(answer.text))
        self.page = self.open()
        return answer

    def record(self) -> dict[str, Any]:
        """Return the match as it leaves the phone."""
        found: dict[str, Any] = json.loads(self.open("/record.json"))
        return found
