"""What do the pages of a match's chain show: hashes for phones to compare, words at the end, which phones agree?"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from companion.engine import GAMES, chain
from companion.engine.records import decode_event
from companion.languages.aloud import word_list
from companion.matches import entries
from companion.storage import database
from companion.storage.models import Entry, Match, MatchId, Restore, db
from tests.benchmarks.post_entry import GOALS, POT
from tests.web.people import Phone

HEAD = "9f3a62c1" + "0" * 56


@pytest.fixture
def over(app, table):
    """Return a match of one hand of Bisque that Ana, Bo and Cy have played to its end."""
    game = GAMES["bisque"]
    with app.app_context():
        match = MatchId(table.id, entries.open_match(table.id, "bisque", ["Ana", "Bo", "Cy"], {"hands": 1}))
        for seq, card in enumerate(POT.split()):
            pot = decode_event(game, {"type": "pot", "card": card, "by": None})
            entries.record(match, [pot], idempotency_key=f"pot-{seq}", expected_seq=seq)
        reveal = decode_event(game, {"type": "reveal", "goals": list(GOALS)})
        entries.record(match, [reveal], idempotency_key="reveal", expected_seq=len(POT.split()))
        db.session.remove()
    return match


def phone_of(app, table, name):
    """Return the phone of somebody at the table."""
    phone = Phone(app)
    phone.link = f"/t/{table.play}"
    phone.do("claim", name)
    return phone


def hashes(app, match):
    with app.app_context():
        return [line.chain for line in entries.read(match).written]


def test_a_page_tells_the_newest_hashes(app, client, table, over):
    page = client.get(f"/t/{table.play}/m/1").text
    told = re.search(r'id="chain-now".*?data-entries="(\d+)" data-heads="([^"]*)" data-restored=""', page, re.DOTALL)
    assert (told[1], told[2].split()) == ("12", [each[:16] for each in hashes(app, over)[-8:]])


@pytest.mark.parametrize(("at", "place"), [("3", 3), ("12", 12), ("900000000", 12), ("", 12), ("-1", 12), ("9" * 40, 12)])
def test_a_phone_asks_for_the_hashes_up_to_a_line(app, client, table, over, at, place):
    answer = client.get(f"/t/{table.watch}/m/1/heads?at={at}")
    assert answer.headers["Cache-Control"] == "no-store"
    heads = [each[:16] for each in hashes(app, over)[max(0, place - 8) : place]]
    assert answer.json == {"entries": 12, "at": place, "heads": " ".join(heads), "restored": "", "decided": ""}


class TestTheEnd:
    def test_four_words_are_eleven_bits_each(self):
        """9f3a62c1 is 10011111001 11010011000 10110000010 0000…: 1273, 1688, 1410 and 0."""
        words = word_list("en")
        assert chain.words(HEAD, words) == (words[1273], words[1688], words[1410], words[0])
        assert (words[0], words[-1], len(set(words))) == ("abandon", "zoo", 2048)

    @pytest.mark.parametrize(("language", "listed"), [("en", "en"), ("fr", "fr"), ("de", "en")])
    def test_they_stand_beside_the_code_in_the_phones_language(self, app, client, table, over, language, listed):
        page = client.get(f"/t/{table.play}/m/1", headers={"Accept-Language": language}).text
        shown = re.search(r'<p class="display" lang="(\w+)" translate="no">(.*?)</p>\s*<p[^>]*>(.*?)<', page)
        head = hashes(app, over)[-1]
        assert (shown[1], tuple(shown[2].split("<br>"))) == (listed, chain.words(head, word_list(language)))
        assert shown[3] == f"{head[:4]} {head[4:8]}"
        assert page.count('<svg class="qr"') == 1

    def test_there_are_none_while_it_is_played(self, app, client, table, over):
        with app.app_context():
            entries.undo(over, idempotency_key="undo", expected_seq=12)
        assert "proof-words" not in client.get(f"/t/{table.play}/m/1").text


class TestPhones:
    """After the end each player's phone tells the head that it has kept."""

    @pytest.fixture
    def ana(self, app, table, over):
        return phone_of(app, table, "Ana")

    def tell(self, phone, number, head):
        return phone.send("/m/1/heads", entries=number, head=head)

    def phones_shown(self, client, table):
        page = client.get(f"/t/{table.play}/m/1").text
        title = re.search(r'id="proof-title">.*?<span>(.*?)</span>', page)[1]
        return title, re.findall(r'flex-fill"><b>(\w+)</b>(?s:.*?)aria-label="([^"]*)"', page)

    def test_it_agrees_knows_more_or_knows_others(self, app, client, table, over, ana):
        head = hashes(app, over)[-1][:16]
        assert self.phones_shown(client, table) == ("The entries are sealed", [("Ana", "has not said yet")])
        assert self.tell(ana, 12, head).status_code == 204
        assert self.phones_shown(client, table) == ("1 phone agrees", [("Ana", "agrees")])
        bo = phone_of(app, table, "Bo")
        self.tell(bo, 12, head)
        assert self.phones_shown(client, table) == ("All phones agree", [("Ana", "agrees"), ("Bo", "agrees")])
        self.tell(ana, 14, "a" * 16)
        title, phones = self.phones_shown(client, table)
        assert title == "Ana’s phone knows other entries"
        assert phones == [("Ana", "knows other entries"), ("Bo", "agrees")]
        page = client.get(f"/t/{table.play}/m/1").text
        way = re.search(r'knows 2 entries more <a[^>]*href="([^"]*)">Look</a>', page)
        assert way, page
        assert "In the match, Ana’s phone says what it saw" in client.get(way[1]).text

    def test_one_that_has_not_said_is_silent_since_its_last_entry(self, app, client, table, over, ana):
        at = datetime(2026, 11, 5, 20, 50)
        with app.app_context():
            with database.writing() as connection:
                connection.execute(update(Entry).where(Entry.seq == 3).values(player=0, at=at))
            app.extensions.pop("companion-logs", None)
        page = client.get(f"/t/{table.play}/m/1").text
        assert f"silent since {at.replace(tzinfo=UTC).astimezone():%H:%M}" in page
        self.tell(ana, 12, hashes(app, over)[-1][:16])
        assert "silent since" not in client.get(f"/t/{table.play}/m/1").text

    @pytest.mark.parametrize(
        ("number", "head"), [("0", "a" * 16), ("x", "a" * 16), ("12", "a" * 15), ("12", "G" * 16), ("", "")]
    )
    def test_nonsense_is_refused(self, client, table, ana, number, head):
        assert self.tell(ana, number, head).status_code == 422
        assert self.phones_shown(client, table)[1] == [("Ana", "has not said yet")]

    def test_a_phone_that_has_not_said_whose_it_is_tells_it_again_later(self, app, client, table, over):
        head, cy = hashes(app, over)[-1][:16], Phone(app)
        cy.link = f"/t/{table.play}"
        assert self.tell(cy, 12, head).status_code == 202
        cy.do("claim", "Cy")
        assert self.tell(cy, 12, head).status_code == 204
        assert self.phones_shown(client, table) == ("1 phone agrees", [("Cy", "agrees")])

    def test_a_watching_phone_tells_nothing(self, app, table, over):
        watcher = Phone(app)
        watcher.link = f"/t/{table.watch}"
        assert self.tell(watcher, "12", "a" * 16).status_code == 403


class TestProofPage:
    def test_it_says_since_when_it_holds_and_who_is_called_differently_now(self, app, client, table, over):
        with app.app_context():
            with database.writing() as connection:
                connection.execute(update(Match).values(chained=datetime(2026, 11, 5, 20), names=["Ana", "Bo", "Cyril"]))
            app.extensions.pop("companion-logs", None)
        page = client.get(f"/t/{table.play}/m/1/proof").text
        assert "It holds from 5 November 2026 on." in page
        assert "The entries know Cy as Cyril." in re.sub("[\u2068\u2069]", "", page)
        assert f'href="/t/{table.play}/table.json"' in page
        assert "table.json" not in client.get(f"/t/{table.watch}/m/1/proof").text

    def test_a_match_without_entries_has_none(self, app, client, table):
        with app.app_context():
            entries.open_match(table.id, "bisque", ["Ana", "Bo", "Cy"])
        assert client.get(f"/t/{table.play}/m/1/proof").status_code == 404


def test_a_backup_that_was_put_back_is_told(app, client, table, over):
    with app.app_context(), database.writing():
        db.session.add(Restore(made=datetime(2026, 11, 5, 20, 15), at=datetime(2026, 11, 6, 9)))
    assert 'data-restored="2026-11-05T20:15:00Z 2026-11-06T09:00:00Z"' in client.get(f"/t/{table.play}/m/1").text
