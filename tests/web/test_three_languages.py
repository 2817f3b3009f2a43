"""Do a French, a German and an English phone each read and hear their own language until the match of each game is over?"""

from __future__ import annotations

import itertools
import json
import re
from html import unescape

import pytest

from companion.engine import GAMES, records
from companion.games import PLUGINS
from companion.matches import entries
from tests.web.people import PhoneAtMatch, words
from tests.web.said_on_a_page import of_another_language
from tests.web.streams import in_time
from tests.whole_matches import ENTER, cup, recorded

pytestmark = pytest.mark.sqlite

NAMES = ("Ana", "Bo", "Cy", "Di")
# Of a match so many events are there when the phones come; among those that they enter is each kind of event again.
BEFORE = {"beloz": 6, "bisque": 24, "rivals": 1, "what_the_fish": 7}
SAVED = {"en": r"(saved|entered)\b", "fr": r"a (enregistré|saisi)\b", "de": r"hat (gespeichert|eingetragen):"}
UNDONE = {"en": "undid", "fr": "a annulé", "de": "hat zurückgenommen:"}


class Around:
    """The phones of a match. They enter in turn; after each entry all of them hear of it, and one is too late with the same."""

    def __init__(self, app, link):
        self.phones = {code: PhoneAtMatch(app, link) for code in ("fr", "de", "en")}
        self.turns = itertools.cycle(self.phones)
        self.wrong, self.heard, self.answers = {}, {}, {}
        for code, phone in self.phones.items():
            phone.client.set_cookie("language", code)
        for number, phone in enumerate(self.phones.values()):
            assert phone.client.post(f"/t/{link}/people/{number + 1}", data={"do": "claim"}).status_code == 303
        streams = {code: re.search(r'data-stream="([^"]*)"', self.look(code).text)[1] for code in self.phones}
        self.open_streams = {code: self.phones[code].client.get(address, buffered=False) for code, address in streams.items()}
        self.messages = {code: iter(answer.response) for code, answer in self.open_streams.items()}

    def close(self):
        for answer in self.open_streams.values():
            answer.close()

    def look(self, code, path="", page=None):
        """Look at a page of the match, or at an answer, with what it leads to."""
        phone = self.phones[code]
        page = page or phone.open(path)
        if page.status_code == 303:
            page = phone.get(page.location)
        assert f'<html lang="{code}"' in page.text, (code, path, page.status_code)
        if found := of_another_language(page.text, code, *NAMES, "Kitchen table"):
            self.wrong.setdefault(f"{code} {path}", found)
        return page

    def look_around(self, *paths):
        for code, path in itertools.product(self.phones, paths or ("",)):
            self.look(code, path)

    def hear(self):
        """Let each phone hear the next message of its stream: it reads what that brings, or looks at the page."""
        for code, messages in self.messages.items():
            found = next(
                filter(None, (re.match(rb"(?:event: parts\ndata: (.*)\n\n)?id: \d+\n", each) for each in in_time(messages)))
            )
            if not found[1]:
                self.heard.setdefault(code, []).append(" ".join(words(self.look(code)).split()))
                continue
            for piece in texts(json.loads(found[1])):
                self.heard.setdefault(code, []).append(" ".join(words(piece).split()))
                if wrong := of_another_language(piece, code, *NAMES, "Kitchen table"):
                    self.wrong.setdefault(f"{code} heard", wrong)

    def send(self, path, **fields):
        """Enter something from the phone whose turn it is; where the log grew, the next phone sends it too, late."""
        code = next(self.turns)
        phone, other = self.phones[code], {"fr": "de", "de": "en", "en": "fr"}[code]
        late = path not in self.answers  # once for each form is enough
        for each in (phone, self.phones[other]) if late else (phone,):
            each.open()
        seen = phone.seen
        answer = phone.send(path, **fields)
        assert answer.status_code == 303, (path, fields, words(answer))
        self.look(code, path, answer)
        if late and phone.open() and phone.seen > seen:
            answer = self.phones[other].send(path, **fields)
            self.answers[path] = answer.status_code
            self.look(other, path, answer)
        self.hear()

    def field(self, path, name):
        return unescape(re.search(rf'name="{name}" value="([^"]*)"', self.phones["en"].open(path).text)[1])

    def undo(self):
        """Undo the newest entry, or what undid it, on the next phone; every phone is told who did."""
        code = next(self.turns)
        phone = self.phones[code]
        phone.open()
        self.look(code, "/undo", phone.open("/undo", of=phone.seen))
        self.look(code, "/undo", phone.send("/undo", of=phone.seen, sure="1"))
        self.hear()

    def undo_on_every_phone(self):
        """Let each phone undo the newest entry in turn, and the next one bring it back."""
        for _ in self.phones:
            self.undo()
            self.undo()

    def position(self):
        return records.read_record(self.phones["en"].open("/record.json").text).replay()


def texts(given):
    """Yield every piece of a page in a message."""
    if isinstance(given, str) and "<" in given:
        yield given
    elif isinstance(given, dict | list):
        for each in given.values() if isinstance(given, dict) else given:
            yield from texts(each)


@pytest.fixture
def sit(app, table, open_match):
    """Call it for the three phones around a new match of a game."""
    seated = []

    def around(slug, people, before=(), **options):
        match = open_match(slug, people, **options)
        with app.app_context():
            for seen, event in enumerate(before):
                happened = (records.decode_event(GAMES[slug], event),)
                entries.record(match, happened, idempotency_key=f"before-{seen}", expected_seq=seen, player=0)
        seated.append(Around(app, table.play))
        return seated[-1]

    yield around
    for each in seated:
        each.close()


def finish(around, slug):
    """Look at everything once more, undo the end and bring it back; then nobody has met a word of another language."""
    assert around.position().finished
    views = [f"/see/{view}" for view in PLUGINS[slug].screens.views]
    around.look_around("", *views, "/may-i")
    around.undo_on_every_phone()
    assert around.position().finished
    around.look_around("", *views)
    assert around.wrong == {}
    for code, pieces in around.heard.items():
        said = " ".join(pieces)
        assert re.search(rf"(?:Ana|Bo|Cy) {SAVED[code]}", said), code
        assert UNDONE[code] in said, code


@pytest.mark.parametrize("folder", ENTER)
def test_a_match_that_was_written_down(sit, folder):
    document = recorded(folder)
    before, entered = document["events"][: BEFORE[folder]], document["events"][BEFORE[folder] :]
    assert {event["type"] for event in before} <= {event["type"] for event in entered}
    around = sit(document["game"], document["players"], before, **document["options"])
    for event in entered:
        ENTER[folder](around, event)
    finish(around, document["game"])
    assert 303 in around.answers.values() or folder == "what_the_fish"


def test_a_cup_with_every_card(sit):
    around = sit("beluga-cup", NAMES[:2], cards="tracked", deck="basic", fish_per_suit=7)
    around.look_around("/seal", "/fish")
    cup(around, around.position)
    around.look_around("/seal", "/see/explain")
    finish(around, "beluga-cup")
