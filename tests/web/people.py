"""The cast of the tests: Ana, who made the table; Bo, who helps with another phone; a watcher; and somebody with no link."""

from __future__ import annotations

import re
from html import unescape


class Phone:
    """A phone with a browser: it keeps its cookies, opens pages and sends their forms."""

    def __init__(self, app):
        self.client = app.test_client()
        self.link = ""

    def get(self, url, **query):
        """Any page of this Companion."""
        return self.client.get(url, query_string=query or None)

    def open(self, path="", **query):
        """A page of the table that this phone is at."""
        return self.get(f"{self.link}{path}", **query)

    def send(self, path="", **fields):
        return self.client.post(f"{self.link}{path}", data=fields)

    def make_table(self, *people, name="Tuesday table", game="beloz"):
        """A new table; None among the people leaves a place empty."""
        fields = {f"person_{seat}": person for seat, person in enumerate(people) if person}
        answer = self.client.post("/tables", data={"table": name, "game": game, **fields})
        assert answer.status_code == 303, words(answer)
        self.link = answer.location.partition("?")[0]
        return self

    def come_to(self, other):
        """By the link that another phone shows."""
        self.link = other.link
        assert self.open().status_code == 200
        return self

    def person(self, name):
        """The address of somebody's sheet, as the seat at the table has it."""
        seats = re.findall(r'<a class="tile seat[^"]*" href="[^"]*?(/people/\d+)".*?<b>(.*?)</b>', self.open().text, re.DOTALL)
        for path, seated in seats:
            if words(seated) == name:
                return path
        raise AssertionError(f"{name} does not sit at this table")

    def do(self, what, name, /, **fields):
        """Tap somebody's seat, then a button of the sheet."""
        return self.send(self.person(name), do=what, places="4", **fields)

    def around(self):
        """Who sits where, from the bottom to the right and round: the names with what stands below them."""
        page = self.open().text
        found = re.findall(r'<(?:a|div) class="tile seat[^"]*".*?<b>(.*?)</b>(.*?)</span>', page, re.DOTALL)
        return [" ".join(words(f"{name} {rest}").split()) for name, rest in found]


def words(page):
    """What a page says, without its markup."""
    text = page if isinstance(page, str) else page.text
    text = re.sub(r"<(script|style|template)\b.*?</\1>", "", text, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", text))


def says(page, sentence):
    """True if the page says this, however it is broken into lines."""
    return " ".join(sentence.split()) in " ".join(words(page).split())


def field(page, name):
    """What stands in a field of a page, and what is said about it: (value, sentence)."""
    found = re.search(rf'<input[^>]*\bname="{name}"[^>]*>(.*?)(?=</div>|</form>|<input)', page.text, re.DOTALL)
    value = re.search(r'\bvalue="([^"]*)"', found[0])
    return unescape(value[1]) if value else "", " ".join(words(found[1]).split())
