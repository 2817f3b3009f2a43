"""Do phones get by the stream just what a fetched page would show, and nothing of another's own?"""

from __future__ import annotations

import gzip
import itertools
import json
import re
import zlib

import pytest

from companion.storage.table_states import TableStates
from companion.tables import seating
from companion.web.delivery import live_parts, server_sent_events
from tests.web.people import words
from tests.web.streams import without_phones
from tests.web.test_shared_pages import FORM_FIELDS, GAMES, around, the_table, without_cache

STAYS = re.compile(r"<(form|div) [^>]*data-own>.*?</\1>", re.DOTALL)
OWN = re.compile(r'name="(csrf_token|idempotency_key|expected_seq)" value="[^"]*"')


def test_every_piece_of_a_compressed_stream_can_be_read_when_it_comes_and_all_of_it_is_gzip():
    messages = (b"id: 1\n\n", b"data: rows and rows and rows and rows\n\n" * 900, b"event: beat\n\n", b"data: rows\n\n")
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    pieces = list(server_sent_events.gzipped(message for message in messages))
    assert tuple(unpack.decompress(piece) for piece in pieces[:-1]) == messages
    assert gzip.decompress(b"".join(pieces)) == b"".join(messages)
    # a proxy that unpacks for a client which takes no gzip hands on what it has at an empty block, and not before
    assert all(piece.endswith(b"\0\0\xff\xff") for piece in pieces[:-1])


@pytest.fixture
def match(app, request):
    return around(app, getattr(request, "param", "beloz"))


LIVE = re.compile(r'<(\w+)(?= [^>]*\bid="([^"]+)")(?=[^>]*\sdata-live[\s>])[^>]*>')
CHILD = re.compile(r'\s*<(\w+)[^>]* id="([^"]+)"[^>]*>')


def element(html, opened):
    """Return the element that is opened there, as its text."""
    depth = 0
    for tag in re.compile(rf"<(/?){opened[1]}\b[^>]*>").finditer(html, opened.start(1) - 1):
        depth += -1 if tag[1] else 1
        if not depth:
            return html[opened.start(1) - 1 : tag.end()]
    raise AssertionError(opened[0])


def live_elements(html):
    """Return the elements of a page that its script renews, by their ids."""
    return {opened[2]: element(html, opened) for opened in LIVE.finditer(html)}


def children(html):
    """Return the elements in another one by their ids."""
    place, by_id = html.index(">") + 1, {}
    while child := CHILD.match(html, place):
        by_id[child[2]] = element(html, child)
        place = child.start(1) - 1 + len(by_id[child[2]])
    return by_id


class Listener:
    """A phone's stream, as its page opens it."""

    def __init__(self, phone, **headers):
        self.page = phone.sees()
        address = re.search(r'data-stream="([^"]*)"', self.page.text)[1]
        self.answer = phone.client.get(address, headers={**phone.headers, **headers}, buffered=False)
        self._messages = iter(self.answer.response)
        next(self._messages)

    def hears(self):
        """Return the next number, with the changes that came before it."""
        message = next(self._messages)
        while message.startswith(b"event: phones"):
            message = next(self._messages)
        found = re.match(rb"(?:event: parts\ndata: (.*)\n\n)?id: \d+\ndata: (\d+)\n\n$", message)
        return int(found[2]), json.loads(found[1]) if found[1] else None


def shown(page):
    """Return the live parts of a page without what is its phone's own."""
    text = OWN.sub(r'name="\1" value=""', page.text)
    text = re.sub(r'(<section class="panel news"[^>]*) hidden>', r"\1>", text)
    text = STAYS.sub("", text)
    return {name: " ".join(part.split()) for name, part in live_elements(text).items()}


def put_in_place(page, changes):
    """Return what the page's script shows then."""
    parts = shown(page)
    for name, html in changes["parts"].items():
        parts[name] = " ".join(STAYS.sub("", OWN.sub(r'name="\1" value=""', html)).split())
    for name, change in changes["lists"].items():
        head = parts[name].partition(">")[0] + ">"
        known = {**children(parts[name]), **change["fresh"]}
        inside = " ".join(known[child] for child in change["order"])
        parts[name] = " ".join(f"{head} {inside} </div>".split())
    return parts


ENTRIES = {
    "beloz": [
        ("/who", {"tap": "bidder:2"}),
        ("/who", {"tap": "passed-deal"}),
        ("/undo", {"of": 1}),
        ("/who", {"tap": "passed-deal"}),
    ],
    "bisque": [("/hand", {"chosen": "yes"})],
    "beluga-cup": [("/fish", {"by": "app"})],
    "rivals": [],
    "what-the-fish": [],
}


@pytest.fixture(params=[False, True], ids=["led to the page", "answered with the page"])
def whole(request):
    """Return whether whoever enters something has the page as the answer."""
    return request.param


@pytest.mark.sqlite
@pytest.mark.parametrize("match", ["beloz", "bisque", "beluga-cup"], indirect=True)
def test_what_the_stream_tells_is_what_a_fetched_page_shows(match, whole):
    ana, *others = match
    game = re.search(r'data-game="([^"]*)"', ana.sees().text)[1]
    streams = [(phone, Listener(phone)) for phone in others]
    entered = 0
    for path, fields in ENTRIES[game]:
        before = [phone.sees() for phone in others]
        ana.enters(path, seq=entered, answered=whole, **fields)
        entered = int(re.search(r'name="expected_seq" value="(\d+)"', ana.sees().text)[1])
        for (phone, stream), old in zip(streams, before, strict=True):
            number, changes = stream.hears()
            assert (changes["from"], changes["to"], changes["entries"]) == (number - 1, number, entered)
            assert put_in_place(old, changes).items() <= shown(phone.sees()).items()


@pytest.mark.sqlite
class TestNothingPersonalIsTold:
    @pytest.mark.parametrize("match", GAMES, indirect=True)
    def test_no_token_key_toast_or_mark_of_a_phone(self, match, whole):
        ana, *others = match
        streams = [Listener(phone) for phone in others]
        pages = [phone.sees() for phone in match]
        secrets = {value for page in pages for _, value in FORM_FIELDS.findall(page.text)} | {phone.mark for phone in match}
        ana.enters("/stop", answered=whole)
        ana.enters("/undo", seq=1, of=1, sure=1, answered=whole)
        for stream in streams:
            for _ in range(2):
                _, changes = stream.hears()
                told = json.dumps(changes)
                assert not [secret for secret in secrets if secret in told]
                assert "toast" not in told
                assert all(not value for _, value in FORM_FIELDS.findall(told.replace('\\"', '"')))
                break  # both came at once

    def test_whoever_watches_never_hears_the_play_link_nor_the_other_way_round(self, app, match, whole):
        _, play, watch = the_table(app)
        ana, bo, *_, watching = match
        streams = {watch: Listener(bo), play: Listener(watching)}
        ana.enters("/who", tap="passed-deal", answered=whole)
        for other, stream in streams.items():
            _, changes = stream.hears()
            assert changes
            assert other not in json.dumps(changes)

    @pytest.mark.parametrize("match", ["beluga-cup"], indirect=True)
    def test_each_seat_hears_of_its_own_side(self, match, whole):
        ana, bo, nameless, *_ = (phone.reads_english() for phone in match)
        streams = [Listener(phone) for phone in (bo, nameless)]
        ana.enters("/fish", by="app", answered=whole)
        told = [json.dumps(stream.hears()[1]) for stream in streams]
        assert "You" in told[0]
        assert "You" not in words(told[1].replace('\\"', '"')).replace("Your", "")


@pytest.mark.sqlite
class TestOnlyTheNumberIsTold:
    def test_to_the_phone_whose_form_it_was(self, match):
        ana, bo, *_ = match
        mine, theirs = Listener(ana), Listener(bo)
        ana.enters("/who", tap="passed-deal")
        assert theirs.hears()[1]
        assert mine.hears()[1] is None

    def test_of_a_name_a_link_or_a_place(self, app, match):
        table_id, *_ = the_table(app)
        stream = Listener(match[1])
        with app.app_context():
            seating.rename_table(table_id, "Wednesday")
            assert stream.hears()[1] is None
        ana = match[0]
        ana.link = ana.link.removesuffix("/m/1")
        assert ana.do("rename", "Cy", name="Cyrus").status_code == 303
        assert stream.hears()[1] is None

    def test_of_the_end(self, match):
        ana, bo, *_ = match
        stream = Listener(bo)
        ana.enters("/stop")
        assert stream.hears()[1] is None
        ana.enters("/undo", seq=1, of=1, sure=1)
        assert stream.hears()[1] is None

    def test_where_nothing_is_kept(self, app, match):
        ana, bo, *_ = match
        with without_cache(app):
            stream = Listener(bo)
            ana.enters("/who", tap="passed-deal")
            assert stream.hears()[1] is None

    def test_to_a_page_that_shows_no_match(self, match):
        ana, bo, *_ = match
        bo.sees()
        stream = without_phones(iter(bo.client.get(f"{bo.link.removesuffix('/m/1')}/live", buffered=False).response))
        next(stream)
        ana.enters("/who", tap="passed-deal")
        assert b"event: parts" not in next(stream)


@pytest.mark.sqlite
def test_where_entries_come_faster_than_they_are_told_phones_skip_to_the_newest(match):
    """However many were answered with pages meanwhile, others need one message, from what they were told last."""
    ana, bo, *_ = match
    stream, old = Listener(bo), bo.sees()
    for number, skipped in ((3, 3), (5, 2)):
        for seq in range(number - skipped, number):
            ana.enters("/who", seq=seq, tap="passed-deal")
            ana.sees()
        to, changes = stream.hears()
        assert (changes["from"], changes["to"], changes["entries"]) == (to - skipped, to, number)
        assert put_in_place(old, changes).items() <= shown(bo.sees()).items()
        old = bo.sees()


@pytest.mark.sqlite
def test_all_streams_of_a_link_are_told_what_was_rendered_and_compared_once(match, rendered, monkeypatch):  # it is the fixture
    ana, bo, cy, di, *_ = match
    streams = [Listener(phone, **{"Accept-Language": "en"}) for phone in (bo, cy, di)]
    for phone in (bo, cy, di):
        phone.headers["Accept-Language"] = "en"
        phone.sees()
    compared = []
    honest = live_parts.difference
    monkeypatch.setattr(live_parts, "difference", lambda *both: compared.append(both) or honest(*both))
    rendered.clear()
    ana.enters("/who", tap="passed-deal")
    assert all(stream.hears()[1] for stream in streams)
    assert len(rendered) == len(compared) == 1


@pytest.mark.sqlite
def test_a_phone_that_can_unpack_hears_it_compressed(match):
    ana, bo, *_ = match
    bo.sees()
    answer = bo.client.get(
        f"{bo.link.removesuffix('/m/1')}/live?match=1", headers={**bo.headers, "Accept-Encoding": "gzip, br"}, buffered=False
    )
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["Vary"]
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    messages = iter(answer.response)
    assert unpack.decompress(next(messages)).startswith(b"retry: ")
    bo.sees()
    ana.enters("/who", tap="passed-deal")
    said = ((len(piece), unpack.decompress(piece)) for piece in messages)
    size, message = next(each for each in said if not each[1].startswith(b"event: phones"))
    assert message.startswith(b"event: parts\n")
    assert size < 1600


@pytest.mark.sqlite
def test_who_is_answered_with_the_page_saves_the_others_from_looking_anything_up(match, monkeypatch):
    ana, bo, cy, *_, watching = match
    listeners = [Listener(phone) for phone in (ana, bo, cy, watching)]  # in three languages, and by both links
    monkeypatch.setattr("companion.web.match.stream.load_match", None)
    monkeypatch.setattr(TableStates, "read", None)
    ana.enters("/who", tap="passed-deal", answered=True)
    for listener in listeners[1:]:
        number, changes = listener.hears()
        assert changes["to"] == number


@pytest.mark.sqlite
def test_a_link_that_is_replaced_in_the_turn_of_an_entry_ends_its_streams(app, match):
    """The entry tells its table's streams which links lead there; whatever replaces one afterwards has another number."""
    table_id, *_ = the_table(app)
    ana, bo, *_ = match
    messages = iter(bo.client.get(f"{bo.link.removesuffix('/m/1')}/live?match=1", headers=bo.headers, buffered=False).response)
    next(messages)
    ana.enters("/who", tap="passed-deal")
    with app.app_context():
        seating.replace_play_link(table_id)
    assert not [message for message in itertools.islice(messages, 3) if not message.startswith(b"event: phones")]
