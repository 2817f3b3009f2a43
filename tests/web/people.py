"""Who plays in the tests? Ana, who made the table; Bo, with another phone; a watcher; and somebody with no link."""

from __future__ import annotations

import itertools
import re
from html import unescape

from sqlalchemy import select

from companion.storage.models import Player, Table, db

_forms = itertools.count(1)


class Phone:
    """A phone with a browser: it keeps its cookies, opens pages and sends their forms."""

    def __init__(self, app):
        self.client = app.test_client()
        self.link = ""

    def get(self, url, **query):
        """Open any page of this Companion."""
        return self.client.get(url, query_string=query or None)

    def open(self, path="/table", **query):
        """Open a page of the table that this phone is at."""
        return self.get(f"{self.link}{path}", **query)

    def send(self, path="", **fields):
        return self.client.post(f"{self.link}{path}", data=fields)

    def make_table(self, *people, name="Tuesday table", game="beloz"):
        """Make a table; None among the people leaves a place empty."""
        fields = {f"person_{seat}": person for seat, person in enumerate(people) if person}
        answer = self.client.post("/tables", data={"table": name, "game": game, **fields})
        assert answer.status_code == 303, words(answer)
        self.link = answer.location.removesuffix("/table")
        return self

    def come_to(self, other):
        """Come by the link that another phone shows."""
        self.link = other.link
        assert self.open().status_code == 200
        return self

    def person(self, name):
        """Return the address of somebody's sheet, as the seat at the table has it."""
        seats = re.findall(r'<a class="tile seat[^"]*" href="[^"]*?(/people/\d+)".*?<b>(.*?)</b>', self.open().text, re.DOTALL)
        for path, seated in seats:
            if words(seated) == name:
                return path
        raise AssertionError(f"{name} does not sit at this table")

    def do(self, what, name, /, **fields):
        """Tap somebody's seat, then a button of the sheet."""
        return self.send(self.person(name), do=what, **fields)

    def around(self):
        """Return who sits where, from the bottom to the right and round: the names with what stands below them."""
        page = self.open().text
        found = re.findall(r'<(?:a|div) class="tile seat[^"]*".*?<b>(.*?)</b>(.*?)</span>', page, re.DOTALL)
        return [" ".join(words(f"{name} {rest}").split()) for name, rest in found]


class PhoneAtMatch(Phone):
    """A phone at the table's first match: it opens its pages, and sends what they ask with how much of the log it has seen."""

    def __init__(self, app, link):
        super().__init__(app)
        self.link = f"/t/{link}/m/1"
        self.seen = 0

    def open(self, path="", **query):
        page = super().open(path, **query)
        found = re.search(r'name="expected_seq" value="(\d+)"', page.text)
        self.seen = int(found[1]) if found else self.seen
        return page

    def send(self, path="", **fields):
        """Send a form that was never sent before, unless it has another's ``key``."""
        return super().send(path, **{"expected_seq": self.seen, "idempotency_key": f"form-{next(_forms)}", **fields})


class BelozPhone(PhoneAtMatch):
    """A phone that enters rounds of BeloZ."""

    def take(self, bidder=0, plain="south"):
        self.send("/who", tap=f"bidder:{bidder}")
        return self.send("/who", flooded=plain)

    def count(self, points, last="0", team="0", **fields):
        """Count what the table's draft says, as it was shown."""
        draft = fields.pop("round", None) or unescape(re.search(r'name="round" value="([^"]*)"', self.open("/count").text)[1])
        return self.send("/count", round=draft, team=team, points=str(points), last=last, **fields)

    def play_round(self, points=98, bidder=0, plain="south", last="0", team="0"):
        self.take(bidder, plain)
        assert self.count(points, last, team).status_code == 303
        return self.open()


class CupPhone(PhoneAtMatch):
    """A phone that taps what the pages of Beluga Cup show."""

    FISH = ("suns",), ("leaves", "waves"), ("wyrms", "wyrms", "knots"), ("moons", "knots", "knots", "wyrms")

    def tap(self, path, **fields):
        """Enter something that is not refused, and go on to where it leads."""
        self.open()
        answer = self.send(path, **fields)
        assert answer.status_code == 303, words(answer)
        return self.open()

    def fill(self, *zones):
        """Tap what came out of a real bag, for zone after zone; the last fish saves them all."""
        *others, last = [suit for fish in zones or self.FISH for suit in fish]
        return self.tap("/fish", fish=",".join(others), add=last)


def words(page):
    """Return what a page says, without its markup."""
    text = page if isinstance(page, str) else page.text
    text = re.sub(r"<(script|style|template)\b.*?</\1>", "", text, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", text))


def says(page, sentence):
    """Return whether the page says this, however it is broken into lines."""
    return " ".join(sentence.split()) in " ".join(words(page).split())


def field(page, name):
    """Return what stands in a field of a page, and what is said about it: (value, sentence)."""
    found = re.search(rf'<input[^>]*\bname="{name}"[^>]*>(.*?)(?=</div>|</form>|<input)', page.text, re.DOTALL)
    value = re.search(r'\bvalue="([^"]*)"', found[0])
    return unescape(value[1]) if value else "", " ".join(words(found[1]).split())


def total(page, side):
    """Return the total that the page of a match shows for a player or a side."""
    return re.search(rf'data-score="{side}"[^>]*>(?:<a[^>]*>)?([^<]*)', page.text)[1]


def changed(page):
    """Return what a correction would change: the table's rows, the old and the new in one cell."""
    found = re.search(r'<div id="changed"[^>]*>(.*?)</div>', page.text, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", found[1], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[" ".join(unescape(re.sub(r"<[^>]*>", " ", cell)).split()) for cell in row] for row in cells]


def claim(phone, name):
    """Say whose phone it is. The database tells which person that is: the page of the table takes longer than all the rest."""
    link = phone.link.partition("/m/")[0]
    seated = select(Player.id).join(Player.table).where(Player.name == name, Table.play_token == link.removeprefix("/t/"))
    with phone.client.application.app_context():
        number = db.session.scalars(seated).one()
    assert phone.client.post(f"{link}/people/{number}", data={"do": "claim"}).status_code == 303
    return phone
