"""Do phones hear that their table changed and of nothing else, and hold nothing while they wait?"""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
from sqlalchemy import text

from companion.storage import database, notifications, relay, table_states
from companion.storage import hub as hub_module
from companion.storage.models import Table, db
from companion.web.delivery import server_sent_events
from tests.server import PATIENCE
from tests.web.streams import change, stream, until


@pytest.fixture
def hub(app):
    with app.app_context():
        found = notifications.hub()
    yield found
    found.close()


class TestStream:
    @pytest.mark.both_databases
    def test_the_present_number_comes_at_once_then_each_newer_one(self, app, table):
        with stream(app, table.id) as messages:
            assert next(messages) == b"retry: 2000\nid: 0\ndata: 0\n\n"
            assert change(app, table.id) == 1
            assert next(messages) == b"id: 1\ndata: 1\n\n"
            change(app, table.id)
            assert next(messages) == b"id: 2\ndata: 2\n\n"

    def test_a_slow_phone_gets_the_newest_number_only(self, app, table):
        with stream(app, table.id) as messages:
            next(messages)
            for _ in range(50):
                change(app, table.id)
            assert next(messages) == b"id: 50\ndata: 50\n\n"

    def test_a_table_hears_nothing_of_others(self, app, table, monkeypatch):
        monkeypatch.setattr(server_sent_events, "HEARTBEAT", 0.05)
        with app.app_context(), database.writing():
            other = Table(name="Other table", play_token="other-play", watch_token="other-watch")
            db.session.add(other)
            db.session.flush()
            other_id = other.id
        with stream(app, table.id) as messages:
            next(messages)
            change(app, other_id)
            assert next(messages) == server_sent_events.BEAT

    def test_in_silence_it_says_that_it_is_still_there(self, app, table, monkeypatch):
        monkeypatch.setattr(server_sent_events, "HEARTBEAT", 0.05)
        with stream(app, table.id) as messages:
            next(messages)
            assert [next(messages), next(messages)] == [server_sent_events.BEAT, server_sent_events.BEAT]
            change(app, table.id)
            assert next(messages) == b"id: 1\ndata: 1\n\n"

    def test_every_phone_hears_it(self, app, table):
        with stream(app, table.id) as ana, stream(app, table.id) as bo:
            next(ana), next(bo)
            change(app, table.id)
            assert [next(ana), next(bo)] == [b"id: 1\ndata: 1\n\n"] * 2

    @pytest.mark.both_databases
    def test_what_was_not_stored_is_not_told(self, app, table, monkeypatch):
        monkeypatch.setattr(server_sent_events, "HEARTBEAT", 0.2)

        def fail():
            with database.writing():
                notifications.changed(table.id)
                raise ZeroDivisionError

        with stream(app, table.id) as messages:
            next(messages)
            with app.app_context(), pytest.raises(ZeroDivisionError):
                fail()
            assert next(messages) == server_sent_events.BEAT

    @pytest.mark.both_databases
    def test_it_holds_no_connection(self, app, table, hub):
        with stream(app, table.id) as messages:
            next(messages)
            until(lambda: hub.engine.pool.checkedout() == 0)  # PostgreSQL's listener takes one out of the pool for good

    @pytest.mark.both_databases
    def test_the_requests_session_ends_before_it(self, app, table):
        with app.test_request_context():
            db.session.get(Table, table.id)
            assert db.engine.pool.checkedout() == 1
            server_sent_events.stream(table.id)
            assert db.engine.pool.checkedout() == 0

    def test_a_table_that_is_gone_has_none(self, app, table):
        with stream(app, 999) as messages:
            assert list(messages) == []

    def test_its_headers_keep_it_from_being_stored_or_held_up(self, app, table):
        with app.test_request_context():
            response = server_sent_events.stream(table.id)
        assert response.content_type == "text/event-stream; charset=utf-8"
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Accel-Buffering"] == "no"

    @pytest.mark.both_databases
    def test_a_database_that_is_away_ends_it_so_that_the_phone_comes_back(self, app, table, hub, monkeypatch):
        monkeypatch.setattr(table_states, "_TABLES", text("SELECT seq FROM nowhere"))
        with stream(app, table.id) as messages:
            assert list(messages) == []
        assert hub.phones(table.id) == 0


class TestPresence:
    def test_each_open_stream_is_a_phone(self, app, table, hub):
        def phones():
            with app.app_context():
                return notifications.phones(table.id)

        assert phones() == 0
        with stream(app, table.id) as ana, stream(app, table.id) as bo:
            next(ana)
            assert phones() == 1
            next(bo)
            assert phones() == 2
        assert phones() == 0

    def test_a_stream_that_was_never_read_is_nobody(self, app, table, hub):
        with stream(app, table.id):
            pass
        assert hub.phones(table.id) == 0

    def test_nothing_is_kept_for_tables_that_nobody_looks_at(self, app, table, hub):
        with stream(app, table.id) as messages:
            next(messages)
        change(app, table.id)
        until(lambda: hub._channels == {})  # at once, or at the next tick of whoever holds the lock just now


class TestEnd:
    def test_all_streams_end_when_the_server_stops(self, app, table, hub, monkeypatch):
        monkeypatch.setattr(server_sent_events, "HEARTBEAT", 3600.0)
        heard = []

        def follow():
            with stream(app, table.id) as messages:
                heard.extend(messages)

        threads = [threading.Thread(target=follow) for _ in range(3)]
        for thread in threads:
            thread.start()
        until(lambda: hub.phones(table.id) == 3 and len(heard) == 3)
        notifications.leave_all()
        for thread in threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in threads)
        assert heard == [b"retry: 2000\nid: 0\ndata: 0\n\n"] * 3

    def test_one_that_comes_meanwhile_ends_at_once(self, app, table, hub):
        notifications.leave_all()
        with stream(app, table.id) as messages:
            assert list(messages) == []

    def test_they_end_one_after_the_other_so_that_whoever_is_next_is_not_overrun(self, app, table, hub, monkeypatch):
        monkeypatch.setattr(hub_module, "LEAVING", 50.0)
        ended = []

        def follow():
            with stream(app, table.id) as messages:
                list(messages)
            ended.append(time.monotonic())

        threads = [threading.Thread(target=follow) for _ in range(20)]
        for thread in threads:
            thread.start()
        until(lambda: hub.phones(table.id) == 20)
        begun = time.monotonic()
        notifications.leave_all()
        for thread in threads:
            thread.join(PATIENCE)
        assert len(ended) == 20
        assert max(ended) - begun >= 19 / 50
        late = sum(moment - begun >= number / 50 for number, moment in enumerate(sorted(ended)))
        assert late == 20


class TestHub:
    def test_a_stream_that_nobody_closed_ends_whoever_holds_the_lock_while_garbage_is_collected(self, app, hub):
        """Garbage is collected when Python likes: in the very thread that is just counting phones, too."""

        def forgotten():
            with hub.subscribe(1, "bo"):
                yield

        begun = forgotten()
        next(begun)

        def collect():
            with hub._lock:
                begun.close()

        collecting = threading.Thread(target=collect, daemon=True)
        collecting.start()
        collecting.join(30)
        assert not collecting.is_alive()
        until(lambda: hub.phones(1) == 0)

    def test_older_numbers_are_ignored(self, app, hub):
        with hub.subscribe(1) as subscription:
            hub.publish(1, 7)
            hub.publish(1, 5)
            assert subscription.wait(1) == 7
            hub.publish(1, 7)
            assert subscription.wait(0.01) is None

    def test_a_newcomer_is_not_told_what_came_before(self, app, hub):
        with hub.subscribe(1):
            hub.publish(1, 7)
            with hub.subscribe(1) as newcomer:
                assert newcomer.wait(0.01) is None

    def test_whoever_waits_is_woken_by_another_thread(self, app, hub):
        with hub.subscribe(1) as subscription:
            timer = threading.Timer(0.05, hub.publish, (1, 3))
            timer.start()
            started = time.monotonic()
            assert subscription.wait(60) == 3
            assert time.monotonic() - started < 50  # it did not only look when the time was over

    def test_whoever_asks_while_an_answer_is_on_its_way_is_a_part_of_the_next_question(self, app, table, hub, monkeypatch):
        """Phones that come back all at once would use up the connections otherwise, and be sent away."""
        answer, asked, go = hub._states.read, [], threading.Event()

        def slowly(tables):
            asked.append(set(tables))
            go.wait(60)
            return answer(tables)

        monkeypatch.setattr(hub._states, "read", slowly)
        threads = [threading.Thread(target=hub.present, args=(table.id,))]
        threads[0].start()
        until(lambda: asked)
        threads += [threading.Thread(target=hub.present, args=(number,)) for number in range(100, 140)]
        for thread in threads[1:]:
            thread.start()
        until(lambda: len(hub._states._batch.tables) == 40)
        go.set()
        for thread in threads:
            thread.join(60)
        assert asked == [{table.id}, set(range(100, 140))]
        assert hub.present(table.id).links == {table.play, table.watch}

    def test_applications_do_not_hear_each_other(self, app, start_app, hub):
        with start_app().app_context():
            other = notifications.hub()
        with hub.subscribe(1) as subscription:
            other.publish(1, 3)
            assert subscription.wait(0.01) is None


class TestSeveralProcesses:
    """Two applications on one database stand for two processes; only PostgreSQL passes changes on."""

    pytestmark = pytest.mark.postgresql

    def test_a_change_in_one_is_heard_in_the_other(self, app, start_app, table):
        other = start_app()
        with stream(app, table.id) as messages:
            next(messages)
            change(other, table.id)
            assert next(messages) == b"id: 1\ndata: 1\n\n"
            change(other, table.id)
            assert next(messages) == b"id: 2\ndata: 2\n\n"

    def test_what_was_missed_while_the_line_was_broken_is_heard_after_it(self, app, start_app, table, postgresql_server):
        other = start_app()
        with stream(app, table.id) as messages:
            next(messages)
            change(other, table.id)
            assert next(messages) == b"id: 1\ndata: 1\n\n"
            postgresql_server.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE '%ANY($1)'"
            )
            change(other, table.id)
            assert next(messages) == b"id: 2\ndata: 2\n\n"

    def test_the_line_is_given_up_when_nobody_looks_any_more(self, app, table, hub, monkeypatch):
        monkeypatch.setattr(relay, "TICK", 0.05)
        monkeypatch.setattr(relay, "LINGER", 0.1)
        with stream(app, table.id) as messages:
            next(messages)
            assert hub._workers.running == {"keep", "hear", "say"}
        until(lambda: not hub._workers.running)
        with stream(app, table.id) as messages:
            next(messages)
            assert hub._workers.running == {"keep", "hear", "say"}


UNDER_GEVENT = """
from gevent import monkey
monkey.patch_all()
import sys, time
import gevent
from companion.matches import entries
from companion.storage import database, notifications
from companion.app import create_app
from companion.engine.beloz import PassedDeal
from companion.settings import Settings
from companion.storage.models import Match, Table, db
from companion.web.delivery import server_sent_events

app = create_app(Settings.read({"DATABASE_URL": sys.argv[1], "COMPANION_INSTANCE": sys.argv[2]}))
with app.app_context():
    with database.writing():
        table = Table(name="T", play_token="p", watch_token="w")
        db.session.add(table)
        db.session.flush()
        table_id = table.id
    entries.open_match(table_id, "beloz", ["Ana", "Bo", "Cy", "Di"])
    match = db.session.query(Match.id).scalar()
    db.session.remove()
    hub = notifications.hub()

newest = {}

def follow(number):
    for message in server_sent_events.messages(hub, table_id):
        newest[number] = message.rpartition(b"data: ")[2].strip()

def play(number):
    entered = 0
    while entered < 3:
        with app.app_context():
            try:
                seen = entries.read(match).seq
                entries.record(match, [PassedDeal()], idempotency_key=f"{number}-{entered}", expected_seq=seen)
                entered += 1
            except entries.Conflict:
                gevent.sleep(0)

streams = [gevent.spawn(follow, number) for number in range(100)]
gevent.sleep(0)
gevent.joinall([gevent.spawn(play, number) for number in range(10)], raise_error=True, timeout=100)
with gevent.Timeout(100):
    while set(newest.values()) != {b"31"} or len(newest) < 100:
        gevent.sleep(0.01)
with app.app_context():
    assert entries.read(match).seq == 30
    assert notifications.phones(table_id) == 100
notifications.leave_all()
gevent.joinall(streams, raise_error=True, timeout=100)
assert hub.phones(table_id) == 0
print("all heard")
"""


@pytest.mark.both_databases
def test_it_works_on_green_threads_as_on_real_ones(database_url, tmp_path):
    """A hundred streams and ten writers in one process, as the embedded server runs them."""
    done = subprocess.run(
        [sys.executable, "-c", UNDER_GEVENT, database_url, str(tmp_path)], capture_output=True, text=True, timeout=400
    )
    assert (done.returncode, done.stdout) == (0, "all heard\n"), done.stderr
