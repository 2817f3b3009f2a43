"""Whom do limits count? People, as far as addresses tell (a network of IPv6 is one); some count all together."""

from __future__ import annotations

import io
import threading
from contextlib import ExitStack

import pytest

from companion.settings import StartupError
from companion.storage import yielding
from companion.storage.faults import BusyError
from companion.storage.locks import Locks
from companion.storage.models import Table, db, now
from companion.tables import seating, table_file
from companion.web.guard import addresses, limits
from companion.web.guard import counters as counting
from companion.web.guard.addresses import network
from companion.web.guard.counters import Counters
from companion.web.guard.limits import FILES, REQUEST, WORK
from companion.web.table import file as file_pages
from tests.server import PATIENCE
from tests.valkey import Valkey
from tests.web.people import Phone, says

pytestmark = pytest.mark.sqlite  # nothing here depends on the database


@pytest.fixture
def settings():
    return {"WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": True, "MOST_WRITES": 100, "MOST_STREAMS": 3}


@pytest.fixture
def ana(app):
    return Phone(app).make_table("Ana", "Bo", "Cy", "Di")


def counters(app):
    return app.extensions["companion-limits"]


def from_address(number):
    """Return a request's environment from another address of the same home."""
    return {"REMOTE_ADDR": f"2001:db8:1:2:{number:x}::{number:x}"}


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_whom_an_address_counts_as(address, counted):
    assert network(address) == counted


class TestOneNetworkIsOne:
    def test_codes(self, app):
        client = app.test_client()
        tried = [client.post("/join", data={"code": "K7W M4R"}, environ_base=from_address(number)) for number in range(12)]
        assert [answer.status_code for answer in tried] == [422] * 10 + [429] * 2

    def test_tables(self, app):
        form = {"table": "T", "person_0": "Eve"}
        made = [app.test_client().post("/tables", data=form, environ_base=from_address(number)) for number in range(61)]
        assert [answer.status_code for answer in made[-2:]] == [303, 429]

    def test_files(self, app):
        brought = [
            app.test_client().post("/tables/import", data={"file": (io.BytesIO(b"{}"), "f")}, environ_base=from_address(number))
            for number in range(21)
        ]
        assert [answer.status_code for answer in brought[-2:]] == [422, 429]

    def test_forms(self, app):
        sent = [app.test_client().post("/theme", environ_base=from_address(number)).status_code for number in range(130)]
        assert (sent[0], sent[-1]) == (303, 429)

    def test_pages_and_what_they_cost(self, app):
        counters(app).hit(WORK, "2001:db8:1:2::", cost=WORK.amount - 3 * REQUEST)
        seen = [app.test_client().get("/", environ_base=from_address(number)) for number in range(4)]
        assert (seen[0].status_code, seen[-1].status_code) == (200, 429)
        assert says(seen[-1], "Too many tries in a short time.")
        assert 1 <= int(seen[-1].headers["Retry-After"]) <= 60
        assert app.test_client().get("/", environ_base={"REMOTE_ADDR": "2001:db8:9::1"}).status_code == 200

    def test_streams(self, app, ana):
        with ExitStack() as open_streams:
            for number in range(3):
                answer = app.test_client().get(f"{ana.link}/live", buffered=False, environ_base=from_address(number))
                next(iter(answer.response))
                open_streams.callback(answer.close)
            refused = app.test_client().get(f"{ana.link}/live", environ_base=from_address(4))
            assert refused.status_code == 429
            assert refused.headers["Retry-After"] == "60"
            other = app.test_client().get(f"{ana.link}/live", buffered=False)
            assert other.status_code == 200
            other.close()
        again = app.test_client().get(f"{ana.link}/live", buffered=False, environ_base=from_address(4))
        assert again.status_code == 200
        again.close()


class TestCodes:
    """Wrong ones are limited for all addresses together too, by how many codes could be hit by luck."""

    def tries(self, app, count):
        answers = [
            app.test_client().post("/join", data={"code": "K7W M4R"}, environ_base={"REMOTE_ADDR": f"10.0.{n >> 8}.{n & 255}"})
            for n in range(count)
        ]
        return [answer.status_code for answer in answers]

    def open_codes(self, app, count):
        with app.app_context():
            for number in range(count):
                link = seating.new_link
                code = f"{number:06}"
                until = now() + seating.INVITATION
                db.session.add(Table(name="T", play_token=link(), watch_token=link(), code=code, code_until=until))
            db.session.commit()

    def test_the_more_codes_are_live_the_fewer_may_be_tried_from_one_wide_network(self, app):
        self.open_codes(app, 60)
        statuses = self.tries(app, 25)
        allowed = statuses.count(422)
        assert statuses == [422] * allowed + [429] * (25 - allowed)
        hourly_luck = 4 * allowed * 60 / 13**6
        assert 0.0009 < hourly_luck <= 0.001

    def test_then_whoever_guesses_has_to_wait_and_nobody_who_comes_with_the_right_code(self, app, ana):
        self.open_codes(app, 600)
        statuses = self.tries(app, 6)
        assert statuses == [422] * 3 + [429] * 3
        with app.app_context():
            code = db.session.query(Table.code).filter_by(name="Tuesday table").scalar()
        guesser, bo = Phone(app), Phone(app)
        refused = guesser.client.post("/join", data={"code": code}, environ_base={"REMOTE_ADDR": "10.0.0.77"})
        assert refused.status_code == 429
        assert says(refused, "Scan the QR code, or ask for the link.")
        assert guesser.client.get(ana.link, follow_redirects=True).status_code == 200
        for address in ("192.0.2.1", "2001:db8:1::1"):
            let_in = bo.client.post("/join", data={"code": code}, environ_base={"REMOTE_ADDR": address})
            assert let_in.status_code == 303, address
        wrong = ["2001:db8:2:1::1", "2001:db8:2:2::1", "2001:db8:2:3::1", "2001:db8:2:4::1"]  # one site's
        answers = [bo.client.post("/join", data={"code": "K7W M4R"}, environ_base={"REMOTE_ADDR": each}) for each in wrong]
        assert [answer.status_code for answer in answers] == [422, 422, 422, 429]

    def test_codes_are_longer_while_many_are_live(self, app):
        def fresh():
            maker = Phone(app).make_table("Ana")
            maker.send("/links/code")
            with app.app_context():
                return db.session.query(Table.code).filter_by(play_token=maker.link.removeprefix("/t/")).scalar()

        assert len(fresh()) == 6
        self.open_codes(app, 20)
        longer = fresh()
        assert len(longer) == 7
        assert Phone(app).client.post("/join", data={"code": f"{longer[:3]} {longer[3:]}"}).status_code == 303

    def test_a_quiet_evening_with_few_tables_notices_nothing(self, app):
        self.open_codes(app, 4)
        assert self.tries(app, 200) == [422] * 200


def test_one_file_at_a_time_is_brought_from_one_address(app, ana, monkeypatch):
    body = ana.open("/table.json").data
    bring, second = table_file.import_table, []

    def meanwhile(data, left_out, **link):
        if not second:
            second.append(app.test_client().post("/tables/import", data={"file": (io.BytesIO(body), "f")}))
        return bring(data, left_out, **link)

    monkeypatch.setattr(table_file, "import_table", meanwhile)
    first = app.test_client().post("/tables/import", data={"file": (io.BytesIO(body), "f")})
    assert first.status_code == 303
    assert second[0].status_code == 429
    assert says(second[0], "Another table is being imported.")


class Untouched(io.BytesIO):
    """The body of a request, which nobody may read."""

    def read(self, _size=-1):
        raise AssertionError("it was read")

    readline = readinto = read


@pytest.mark.parametrize("why", ["too many", "one is on its way"])
def test_a_file_that_is_refused_anyway_is_not_read(app, monkeypatch, why):
    app.config["WTF_CSRF_ENABLED"] = True
    app.testing = False
    address = {"REMOTE_ADDR": "192.0.2.9"}
    if why == "too many":
        for _ in range(20):
            app.test_client().post("/tables/import", environ_base=address)
    else:
        app.extensions["companion-carrying"] = {"192.0.2.9"}
    sent = Untouched(b"--x" * 1_000_000)
    kind = "multipart/form-data; boundary=x"
    answer = app.test_client().post("/tables/import", input_stream=sent, content_type=kind, environ_base=address)
    assert answer.status_code == 429


def test_one_table_at_a_time_is_kept_from_one_address(app, ana, monkeypatch):
    keep, second = table_file.export_pieces, []

    def meanwhile(table_id):
        second.append(ana.open("/table.json"))
        return keep(table_id)

    monkeypatch.setattr(table_file, "export_pieces", meanwhile)
    first = ana.open("/table.json")
    assert (first.status_code, second[0].status_code) == (200, 429)
    assert first.data.startswith(b"{")
    monkeypatch.undo()
    assert ana.open("/table.json").status_code == 200


def test_few_files_are_read_at_once_whoever_sends_them(app, ana, monkeypatch):
    monkeypatch.setattr(file_pages, "PATIENCE", 0.01)
    with app.app_context(), file_pages.working(), file_pages.working():
        refused = ana.client.post("/tables/import", environ_base={"REMOTE_ADDR": "192.0.2.77"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")
        assert says(refused, "Another table is being imported.")
    assert ana.client.post("/tables/import", environ_base={"REMOTE_ADDR": "192.0.2.78"}).status_code == 422


def test_of_all_yielding_one_piece_is_done_at_a_time(monkeypatch):
    together, most = [], []

    def sleep(_seconds):
        together.append(1)
        most.append(len(together))
        threading.Event().wait(0.002)
        together.pop()

    monkeypatch.setattr(yielding.time, "sleep", sleep)
    threads = [threading.Thread(target=yielding.breathe) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert (len(most), max(most)) == (10, 1)


class TestTurns:
    def test_of_one_key_one_has_it_at_a_time_and_others_don_t_wait_for_it(self):
        turns, order, gate = Locks(), [], threading.Event()
        arrived = threading.Semaphore(0)

        def hold(key):
            with turns.take(key):
                name = threading.current_thread().name
                if name == "first":
                    arrived.release()
                    gate.wait(PATIENCE)
                order.append(name)  # here, where the next one is still kept waiting

        first = threading.Thread(target=hold, args=("a",), name="first")
        first.start()
        assert arrived.acquire(timeout=PATIENCE)
        second = threading.Thread(target=hold, args=("a",), name="second")
        second.start()
        with turns.take("b", 0):
            order.append("other")
        with pytest.raises(BusyError), turns.take("a", 0):
            raise AssertionError
        assert order == ["other"]
        gate.set()
        first.join(PATIENCE), second.join(PATIENCE)
        assert order == ["other", "first", "second"]
        assert not turns._locks

    def test_requests_of_one_address_begin_one_after_the_other(self, monkeypatch):
        """Of IPv6 a household's network is one address."""
        order, gate, arrived = [], threading.Event(), threading.Event()
        answer = addresses.in_turn(lambda environ, _start: order.append(environ["REMOTE_ADDR"]))

        def hold(_seconds):
            if not arrived.is_set():  # the first one
                arrived.set()
                gate.wait(PATIENCE)

        monkeypatch.setattr(addresses.time, "sleep", hold)
        first, second = (
            threading.Thread(target=answer, args=({"REMOTE_ADDR": address}, None)) for address in ("2001:db8::1", "2001:db8::2")
        )
        first.start()
        assert arrived.wait(PATIENCE)
        second.start()
        second.join(0.1)
        gate.set()
        first.join(PATIENCE), second.join(PATIENCE)
        assert order == ["2001:db8::1", "2001:db8::2"]


def test_what_others_do_in_between_is_not_charged(app, monkeypatch):
    """Long work lets others go on; thread time counts what they do as well."""
    clock = iter(range(0, 1000, 5))  # whoever asks for the time is told that five seconds have passed
    with app.test_request_context("/", environ_base={"REMOTE_ADDR": "10.0.0.1"}):
        app.preprocess_request()
        monkeypatch.setattr(yielding.time, "thread_time", lambda: next(clock) + limits.time.process_time())
        yielding.breathe()
        monkeypatch.undo()
    assert counters(app).allows(WORK, "10.0.0.1", cost=WORK.amount - 2_000)


@pytest.fixture
def later(monkeypatch):
    """Call it to let so many seconds pass by the clock on the wall."""
    now = [limits.time.time()]
    monkeypatch.setattr(limits.time, "time", lambda: now[0])
    return lambda seconds: now.append(now.pop() + seconds)


class TestCounters:
    def test_work_is_charged_even_beyond_what_is_left_and_allowed_again_after_a_minute(self, later):
        counters = Counters("memory://")
        assert counters.hit(WORK, "a", cost=WORK.amount - 1)
        assert counters.allows(WORK, "a")
        assert not counters.hit(WORK, "a", cost=50_000)
        assert not counters.allows(WORK, "a")
        assert counters.allows(WORK, "b")
        later(20)
        assert counters.seconds_left(WORK, "a") in (40, 41)
        later(39)
        assert not counters.allows(WORK, "a")
        later(2)
        assert counters.allows(WORK, "a", cost=WORK.amount)

    def test_an_exact_limit_lets_the_next_in_as_soon_as_the_first_is_an_hour_ago(self, later):
        counters = Counters("memory://")
        for _ in range(20):
            assert counters.hit(FILES, "a")
            later(60)
        assert not counters.hit(FILES, "a")
        assert counters.seconds_left(FILES, "a") in (3600 - 20 * 60, 3601 - 20 * 60)
        later(3601 - 20 * 60)
        assert counters.hit(FILES, "a")
        assert not counters.hit(FILES, "a")

    @pytest.mark.parametrize("limit", [FILES, WORK])
    def test_a_clock_that_is_put_right_keeps_nobody_out_for_the_time_that_it_was_wrong(self, later, limit):
        counters = Counters("memory://")
        later(86_400)
        assert counters.hit(limit, "a", cost=limit.amount)
        assert not counters.allows(limit, "a")
        later(-86_400)
        assert counters.seconds_left(limit, "a") <= limit.seconds
        assert counters.hit(limit, "a", cost=limit.amount)
        assert not counters.allows(limit, "a")
        assert counters.seconds_left(limit, "a") <= limit.seconds


class TestSeveralProcesses:
    @pytest.fixture
    def valkey(self):
        server = Valkey()
        yield server
        server.kill()

    def test_they_count_together_and_each_for_itself_while_the_storage_is_away(self, valkey, monkeypatch, caplog):
        one, two = Counters(valkey.address), Counters(valkey.address)
        for _ in range(10):
            assert one.hit(FILES, "a")
            assert two.hit(FILES, "a")
        assert not one.hit(FILES, "a")
        assert not two.allows(FILES, "a")
        assert 3590 <= two.seconds_left(FILES, "a") <= 3600
        assert not one.hit(WORK, "a", cost=50_000)
        assert not two.allows(WORK, "a")

        valkey.kill()
        assert [two.hit(FILES, "a") for _ in range(21)] == [True] * 20 + [False]
        assert one.allows(WORK, "a")
        told = [record.getMessage() for record in caplog.records if record.name == "companion.limits"]
        assert told == ["limits are counted by each process alone: ConnectionError"] * 2

        valkey.start()
        assert not two.allows(FILES, "a")  # it is not asked again at once
        monkeypatch.setattr(counting.time, "monotonic", lambda: two._away_until)
        assert two.allows(FILES, "a")

    def test_pages_are_limited_as_ever_while_the_storage_is_away(self, start_app, valkey, environment):
        valkey.kill()
        environment["COMPANION_LIMITS"] = valkey.address
        client = start_app().test_client()
        tried = [client.post("/join", data={"code": "K7W M4R"}).status_code for _ in range(11)]
        assert tried == [422] * 10 + [429]

    def test_the_storage_s_client_must_be_there(self, monkeypatch):
        monkeypatch.setattr(counting, "find_spec", lambda _name: None)
        with pytest.raises(StartupError, match=r"pip install '.\[valkey\]'"):
            Counters("valkey://localhost:6379/0")
