"""Are corrections, undos and doubts stored once more that only a phone still knows, each for the line that it was about?"""

from __future__ import annotations

import pytest
from sqlalchemy import delete, update

from companion.storage import database
from companion.storage.models import Entry, Match
from tests.web.people import BelozPhone, claim, says
from tests.web.test_news import TAKEN

COUNT = {"round": TAKEN, "team": "0", "last": "0"}


@pytest.fixture
def at_match():
    return BelozPhone


@pytest.fixture
def ana(phone):
    """Return Ana's phone: everybody passed, then she counted a round."""
    phone = claim(phone, "Ana")
    phone.open()
    phone.send("/who", tap="passed-deal", idempotency_key="passed")
    phone.open()
    phone.take()
    phone.count(61, round=TAKEN, idempotency_key="counted")
    phone.open()
    return phone


@pytest.fixture
def lose(app, match):
    """Call it to cut the log after a line, as a lost disk does."""

    def cut(last):
        with app.app_context(), database.writing() as connection:
            connection.execute(delete(Entry).where(Entry.seq > last))
            connection.execute(update(Match).values(seq=last, head=last))
        app.extensions.pop("companion-logs", None)
        app.extensions.pop("companion-pages", None)

    return cut


def done(phone, path, key, **fields):
    """Send what names a line of the log; return what the answer tells the phone of it: the new line's number, and a key."""
    answer = phone.client.post(
        f"{phone.link}{path}",
        data={"expected_seq": phone.seen, "idempotency_key": key, **fields},
        headers={"Companion-Fetch": "whole"},
        follow_redirects=True,
    )
    assert answer.status_code == 200
    phone.open()
    number, *of = answer.headers["Companion-Line"].split()
    return (int(number), *of)


def again(phone, path, key, of_key, *, after="", **fields):
    """Send it again, after the first line of the log."""
    return phone.send(path, expected_seq=1, idempotency_key=key, of_key=of_key, after=after, **fields)


def lines(log):
    return [(line.kind, line.key, line.of) for line in log().written]


ANEW = {"expected_seq": 1, "again": "1"}
BEGUN = [("events", "passed", None)]
COUNTED = [*BEGUN, ("events", "counted", None)]


def test_a_correction_is_put_to_the_entry_that_it_was_about(ana, log, lose):
    assert done(ana, "/entries/2", "right", **COUNT, points="62") == (3, "counted")
    lose(2)
    for _ in range(2):  # its answer was lost
        assert again(ana, "/entries/2", "right", "counted", **COUNT, points="62").status_code == 303
    assert lines(log) == [*COUNTED, ("correct", "right", 2)]


def test_the_entry_may_have_another_number_by_then(ana, bo, log, lose):
    told = [
        done(ana, "/entries/2", "once", **COUNT, points="62"),
        done(ana, "/entries/2", "twice", **COUNT, points="63"),
        done(ana, "/undo", "back", of="4"),
        done(ana, "/undo", "forth", of="5"),
    ]
    assert told == [(3, "counted"), (4, "counted"), (5, "twice"), (6, "back")]
    lose(1)
    bo.open()
    bo.send("/entries/1/doubt", idempotency_key="hm")
    sent = (
        ana.send("/count", **COUNT, points="61", idempotency_key="counted", **ANEW),
        again(ana, "/entries/2", "once", "counted", after="counted", **COUNT, points="62"),
        again(ana, "/entries/2", "twice", "counted", after="counted once", **COUNT, points="63"),
        again(ana, "/undo", "back", "twice", after="counted once twice", of="4"),
        again(ana, "/undo", "forth", "back", after="counted once twice back", of="5"),
    )
    assert [answer.status_code for answer in sent] == [303] * 5
    assert lines(log)[2:] == [
        ("events", "counted", None),
        ("correct", "once", 3),
        ("correct", "twice", 3),
        ("undo", "back", 5),
        ("undo", "forth", 6),
    ]


def test_a_doubt_and_its_withdrawal_come_back(ana, log, lose):
    assert done(ana, "/entries/2/doubt", "hm") == (3, "counted")
    assert done(ana, "/entries/2/right", "fine") == (4, "hm")
    lose(2)
    assert again(ana, "/entries/2/doubt", "hm", "counted").status_code == 303
    assert again(ana, "/entries/2/right", "fine", "hm", after="hm").status_code == 303
    assert lines(log) == [*COUNTED, ("doubt", "hm", 2), ("undo", "fine", 3)]


def test_a_no_that_opens_both_versions_comes_back(ana, bo, log, lose):
    bo.open()
    assert done(bo, "/entries/2/doubt", "no", answer="no") == (3, "counted")
    lose(2)
    assert again(bo, "/entries/2/doubt", "no", "counted", answer="no").status_code == 303
    assert lines(log) == [*COUNTED, ("doubt", "no", 2)]


def test_what_is_about_a_missing_entry_is_a_sentence(ana, bo, log, lose):
    """The number that the entry had is another's by now."""
    lose(1)
    bo.open()
    bo.send("/count", **COUNT, points="61", idempotency_key="by-hand")
    for path in ("/entries/2", "/entries/2/doubt", "/entries/2/right", "/undo"):
        answer = again(ana, path, "late", "counted", **COUNT, points="62", of="2")
        assert answer.status_code == 424
        assert says(answer, "This is about an entry that is missing here. Send that entry first, from the phone that made it.")
    assert lines(log) == [*BEGUN, ("events", "by-hand", None)]


def test_an_undo_never_takes_away_what_others_entered_since(ana, bo, log, lose):
    assert done(ana, "/undo", "back", of="2") == (3, "counted")
    lose(1)
    bo.open()
    bo.send("/count", **COUNT, points="61", idempotency_key="by-hand")
    assert ana.send("/count", **COUNT, points="61", idempotency_key="counted", **ANEW).status_code == 303  # Bo had it already
    answer = again(ana, "/undo", "back", "counted", after="counted", of="2")
    assert answer.status_code == 409
    assert says(answer, "Bo saved round 1 meanwhile. Look again, then undo what you mean.")
    assert lines(log) == [*BEGUN, ("events", "by-hand", None)]


def test_an_undo_waits_for_the_entry_that_another_phone_made(ana, bo, log, lose):
    assert done(bo.open() and bo, "/undo", "back", of="2") == (3, "counted")
    lose(1)
    assert again(bo, "/undo", "back", "counted", of="2").status_code == 424
    ana.send("/count", **COUNT, points="61", idempotency_key="counted", **ANEW)
    assert again(bo, "/undo", "back", "counted", of="2").status_code == 303
    assert lines(log) == [*COUNTED, ("undo", "back", 2)]


def test_a_correction_follows_the_entry_that_another_phone_had_already(ana, bo, log, lose):
    assert done(ana, "/entries/2", "right", **COUNT, points="62") == (3, "counted")
    lose(1)
    bo.open()
    bo.send("/count", **COUNT, points="61", idempotency_key="by-hand")
    ana.send("/count", **COUNT, points="61", idempotency_key="counted", **ANEW)
    assert again(ana, "/entries/2", "right", "counted", after="counted", **COUNT, points="62").status_code == 303
    assert lines(log) == [*BEGUN, ("events", "by-hand", None), ("correct", "right", 2)]


def test_the_end_that_somebody_put_to_a_match_comes_back_after_its_last_round(ana, bo, log, lose):
    assert done(ana, "/stop", "end") == (3,)
    lose(1)
    end = {"idempotency_key": "end", "after": "counted", **ANEW}
    assert ana.send("/stop", **end).status_code == 424
    ana.send("/count", **COUNT, points="61", idempotency_key="counted", **ANEW)
    assert ana.send("/stop", **end).status_code == 303
    assert lines(log) == [*COUNTED, ("events", "end", None)]
    lose(2)
    bo.open()
    bo.send("/who", tap="passed-deal", idempotency_key="by-hand")
    answer = ana.send("/stop", **end)
    assert answer.status_code == 409
    assert says(answer, "The match goes on.")
