"""Is a table carried to another Companion in one file, with all that was entered, and are other files refused?"""

from __future__ import annotations

import contextlib
import io
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from companion.engine import GAMES
from companion.engine.beloz import PassedDeal
from companion.engine.core import Stop
from companion.matches import entries, fairness
from companion.storage import database
from companion.storage.models import Bag, Entry, Match, Player, Table, db
from companion.tables import table_file
from tests.web.people import Phone, says
from tests.web.tally import TALLY, Score


@pytest.fixture
def tally(monkeypatch):
    monkeypatch.setitem(GAMES, TALLY.slug, TALLY)


def match_of(table_id, number):
    return db.session.scalar(select(Match.id).where(Match.table_id == table_id, Match.number == number))


@pytest.fixture
def history(app, table, tally):
    """Return a table where one match was entered, corrected and undone, and another is just begun."""
    with app.app_context():
        entries.open_match(table.id, "tally", ["Ana", "Bo", "Cy"], {"target": 30})
        match = match_of(table.id, 1)
        entries.record(match, [Score(0, 5), Score(1, 7)], idempotency_key="a", expected_seq=0, player=0)
        entries.record(match, [Score(2, 9)], idempotency_key="b", expected_seq=1)
        entries.correct(match, 1, [Score(0, 6)], idempotency_key="c", expected_seq=2, player=2)
        entries.undo(match, 2, idempotency_key="d", expected_seq=3, player="Di")
        entries.undo(match, 4, idempotency_key="e", expected_seq=4)
        entries.record(match, [Stop()], idempotency_key="f", expected_seq=5)
        entries.open_match(table.id, "tally", ["Bo", "Ana"])
        db.session.remove()
    return table


def exported(app, table_id):
    with app.app_context():
        return table_file.export_table(table_id)


def everything(app):
    with app.app_context():
        return {each: db.session.scalar(select(func.count()).select_from(each)) for each in (Table, Player, Match, Entry, Bag)}


class TestRoundTrip:
    def test_what_is_in_the_file(self, app, history):
        told = json.loads(exported(app, history.id))
        assert told["format"] == "companion-table/1"
        assert told["name"] == "Kitchen table"
        assert told["players"] == [{"name": name, "seat": seat} for seat, name in enumerate(("Ana", "Bo", "Cy", "Di"))]
        first, second = told["matches"]
        assert (first["game"], first["edition"], first["players"]) == ("tally", 1, ["Ana", "Bo", "Cy"])
        assert (first["others"], "others" in second) == (["Di"], False)
        assert first["options"] == {"target": 30}
        assert [(line["kind"], line["key"], line.get("of"), line.get("player")) for line in first["log"]] == [
            ("events", "a", None, 0),
            ("events", "b", None, None),
            ("correct", "c", 1, 2),
            ("undo", "d", 2, 3),
            ("undo", "e", 4, None),
            ("events", "f", None, None),
        ]
        assert first["log"][2]["events"] == [{"type": "score", "player": 0, "points": 6}]
        assert first["log"][0]["at"].endswith("Z")
        assert second["log"] == []

    def test_no_link_no_code_and_no_phone_is_in_it(self, app, history):
        with app.app_context():
            from companion.tables import seating

            seating.open_invitation(history.id)
            player = db.session.scalars(select(Player)).first().id
            seating.claim(history.id, player, "phone-of-ana")
            table = db.session.get(Table, history.id)
            secrets = [table.play_token, table.watch_token, table.code, "phone-of-ana"]
        body = exported(app, history.id).decode()
        assert not [secret for secret in secrets if secret in body]

    @pytest.mark.both_databases
    def test_brought_in_it_is_what_it_was(self, app, history):
        body = exported(app, history.id)
        with app.app_context():
            made = table_file.import_table(body)
            made_id, links = made.id, {made.play_token, made.watch_token}
            log = entries.read(match_of(made_id, 1))
            assert log.position.standing().scores == (6, 0, 9)
            assert log.position.standing().stopped
            assert [line.key for line in log.written] == list("abcdef")
            assert log.who(log.written[3].player) == "Di"
            assert entries.read(match_of(made_id, 2)).seq == 0
        assert made_id != history.id
        assert len(links) == 2
        assert not links & {history.play, history.watch}
        assert exported(app, made_id) == body

    @pytest.mark.both_databases
    def test_it_goes_on_where_it_was(self, app, history):
        with app.app_context():
            made = table_file.import_table(exported(app, history.id))
            match = match_of(made.id, 1)
            entries.undo(match, 6, idempotency_key="g", expected_seq=6)
            receipt = entries.record(match, [Score(1, 4)], idempotency_key="h", expected_seq=7)
            assert receipt.after.position.standing().scores == (6, 4, 9)
            assert entries.find_receipt(entries.read(match), "a").seq == 1
            assert entries.read(match_of(history.id, 1)).seq == 6

    @pytest.mark.both_databases
    def test_twice_is_two_tables(self, app, history):
        body = exported(app, history.id)
        with app.app_context():
            one, other = table_file.import_table(body).id, table_file.import_table(body).id
        assert exported(app, one) == exported(app, other) == body

    def test_a_table_without_anything(self, app, table):
        body = exported(app, table.id)
        with app.app_context():
            made = table_file.import_table(body).id
        assert exported(app, made) == body


class TestSealedBag:
    @pytest.fixture
    def cup(self, app, table):
        with app.app_context():
            entries.open_match(table.id, "beluga-cup", ["Ana", "Bo"])
            match = match_of(table.id, 1)
            for seen, zone in enumerate((1, 2, 3, 4)):
                (fill,) = (kind for kind in GAMES["beluga-cup"].events if kind.__struct_config__.tag == "fill")
                entries.record(
                    match,
                    [fill(zone=zone, fish=("moons",) * zone, drawn_by="app")],
                    idempotency_key=f"k{seen}",
                    expected_seq=seen,
                    by_app=True,
                )
            db.session.remove()
        return table

    def test_while_it_is_played_the_seed_stays_here(self, app, cup):
        with app.app_context():
            seed = db.session.scalar(select(Bag.seed)).hex()
        body = exported(app, cup.id)
        assert seed not in body.decode()
        assert '"seed"' not in body.decode()
        with app.app_context():
            assert db.session.scalar(select(Bag.shown)) is False
            made = table_file.import_table(body).id
            match = match_of(made, 1)
            with pytest.raises(entries.EntryRejected, match="no sealed bag"):
                entries.record(match, entries.read(match).entries[0].events, idempotency_key="new", expected_seq=4, by_app=True)
        assert exported(app, made) == body

    def test_without_the_seed_the_page_of_the_seal_promises_no_proof(self, app, cup):
        body = exported(app, cup.id)
        with app.app_context():
            link = table_file.import_table(body).play_token
        phone = app.test_client()
        page = phone.get(f"/t/{link}/m/1/seal")
        assert says(page, "can’t be checked here")
        assert not says(page, "Once the match is over, the seed can be shown here")
        assert not says(phone.get(f"/t/{cup.play}/m/1/seal"), "can’t be checked here")

    def test_fish_out_of_a_bag_that_was_never_sealed_are_refused(self, app, cup):
        told = json.loads(exported(app, cup.id))
        told["matches"][0]["options"].update(seal=None)
        with app.app_context(), pytest.raises(table_file.TableFileError) as refused:
            table_file.import_table(json.dumps(told).encode())
        assert str(refused.value) == "Match 1, entry 1: Companion is said to have drawn fish, but no bag was sealed."

    @pytest.mark.both_databases
    def test_once_it_is_over_it_comes_along_and_proves_the_draws_there(self, app, cup):
        with app.app_context():
            match = match_of(cup.id, 1)
            entries.record(match, [Stop()], idempotency_key="stop", expected_seq=4)
            seed = db.session.scalar(select(Bag.seed)).hex()
            assert seed not in table_file.export_table(cup.id).decode()
            fairness.show(match)
            before = fairness.record(match)
        body = exported(app, cup.id)
        assert json.loads(body)["matches"][0]["seed"] == seed
        with app.app_context():
            made = table_file.import_table(body).id
            assert fairness.record(match_of(made, 1)) == before
        assert exported(app, made) == body

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (lambda match: match.update(seed="00" * 32), "Match 1: the seed is not the one that was sealed."),
            (
                lambda match: match["log"][0]["events"][0].update(fish=["suns"]),
                "Match 1: Zone 1 got suns, but seed and words draw wyrms.",
            ),
            (
                lambda match: match["options"].update(seal=None),
                "Match 1, entry 1: Companion is said to have drawn fish, but no bag was sealed.",
            ),
        ],
    )
    def test_a_seed_that_does_not_prove_them_is_refused(self, app, cup, change, sentence):
        with app.app_context():
            entries.record(match_of(cup.id, 1), [Stop()], idempotency_key="stop", expected_seq=4)
            fairness.show(match_of(cup.id, 1))
        told = json.loads(exported(app, cup.id))
        change(told["matches"][0])
        before = everything(app)
        with app.app_context(), pytest.raises(table_file.TableFileError) as refused:
            table_file.import_table(json.dumps(told).encode())
        assert str(refused.value).startswith(sentence)
        assert everything(app) == before

    def test_seed_and_draws_that_came_in_a_file_prove_nothing_of_before(self, app, cup):
        """Seeds can be tried until the fish suit, and the match made afterwards: nobody here saw the seal beforehand."""
        with app.app_context():
            entries.record(match_of(cup.id, 1), [Stop()], idempotency_key="stop", expected_seq=4)
            fairness.show(match_of(cup.id, 1))
            link = table_file.import_table(table_file.export_table(cup.id)).play_token
        page = app.test_client().get(f"/t/{link}/m/1/seal")
        assert says(page, "this match was brought here in a file")
        assert not says(page, "Every draw is right")
        assert not says(page, "the seal that was shown before the match")
        assert says(app.test_client().get(f"/t/{cup.play}/m/1/seal"), "Every draw is right")


def line(told, number):
    return told["matches"][0]["log"][number - 1]


HOSTILE = [
    (lambda told: told.update(format="companion-table/2"), "This file is not a Companion table. Choose a file"),
    (lambda told: told.update(links=["x"]), "This table file is damaged: "),
    (lambda told: told.pop("players"), "This table file is damaged: "),
    (lambda told: told.update(name="x" * 41), "This table file is damaged: "),
    (lambda told: told.update(name=" "), "A name needs at least one letter."),
    (lambda told: told.update(name="a  b"), "“a b” is not written as Companion writes names."),
    (
        lambda told: told.update(name="\u202etable"),
        "A name can’t have invisible characters. There is one at its beginning.",
    ),
    (lambda told: told.update(created="9999-12-31T23:59:59-23:59"), "This file contains an invalid time"),
    (lambda told: told.update(created="2026-01-01T00:00:00"), "This file contains an invalid time"),
    (lambda told: told.update(created="0001-01-01T00:00:00+14:00"), "This file contains an invalid time"),
    (lambda told: told["players"].append({"name": "ANA", "seat": 5}), "Two people at this table have the same name."),
    (lambda told: told["players"].append({"name": "Ed", "seat": 3}), "Two people at this table have the same seat."),
    (lambda told: told["players"].append({"name": "Ed", "seat": 12}), "This table file is damaged: "),
    (
        lambda told: told["players"].extend({"name": f"P{n}", "seat": 0} for n in range(9)),
        "This table file is damaged: ",
    ),
    (lambda told: told["matches"][0].update(game="chess"), "Match 1: this Companion knows no game called “chess”."),
    (lambda told: told["matches"][0].update(edition=2), "Match 1 was played by edition 2 of the rules of Tally"),
    (lambda told: told["matches"][0].update(players=["Ana"]), "Match 1: Tally needs 2 to 4 players"),
    (lambda told: told["matches"][0].update(players=["Ana", "Ana"]), "Match 1: Two players are called Ana."),
    (lambda told: told["matches"][0].update(players=["Ana", "B\u0000"]), "A name can’t have"),
    (lambda told: told["matches"][0].update(options={"target": 0}), "Match 1: "),
    (lambda told: told["matches"][0].update(options={"aim": 5}), "Match 1: "),
    (lambda told: told["matches"][0].update(seed="00" * 32), "Match 1: there is a seed, but no bag was sealed."),
    (lambda told: line(told, 1).update(key="b"), "Match 1, entry 2: another entry has the same key."),
    (lambda told: line(told, 1).update(key="é"), "This table file is damaged: "),
    (lambda told: line(told, 1).update(key="a\n"), "This table file is damaged: "),
    (lambda told: told["matches"][0].update(others=["ana"]), "Match 1: two people have the same name."),
    (lambda told: told["matches"][0].update(others=["Ed", "Ed"]), "Match 1: two people have the same name."),
    (lambda told: told["matches"][0].update(others=["B\u0000"]), "A name can’t have"),
    (lambda told: told["matches"][0].update(others=["x" * 41]), "This table file is damaged: "),
    (lambda told: told["matches"][0].update(others="Ed"), "This table file is damaged: "),
    (lambda told: told["matches"][0].update(others=[f"P{n}" for n in range(31)]), "This table file is damaged: "),
    (lambda told: line(told, 1).update(player=4), "Match 1, entry 1: this match does not say who entered it."),
    (lambda told: line(told, 1).update(player=10**30), "Match 1, entry 1: this match does not say who entered it."),
    (lambda told: line(told, 1).update(player=-1), "This table file is damaged: "),
    (lambda told: line(told, 1).update(of=1), "Match 1, entry 1: an entry has events"),
    (lambda told: line(told, 1).update(events=[]), "Match 1, entry 1: "),
    (lambda told: line(told, 1).update(events=[{"type": "swim"}]), "Match 1, entry 1: "),
    (lambda told: line(told, 1).update(events=[{"type": "score", "player": 0, "points": 10**400}]), "Match 1, entry 1: "),
    (lambda told: line(told, 1).update(events=[{"type": "score", "player": 0, "points": -1}]), "Match 1, entry 1: That would"),
    (lambda told: line(told, 1).update(at="yesterday"), "This table file is damaged: "),
    (lambda told: line(told, 3).update(of=3), "Match 1, entry 3: it is about an entry that was not there yet."),
    (lambda told: line(told, 3).update(of=2**70), "Match 1, entry 3: it is about an entry that was not there yet."),
    (lambda told: line(told, 3).update(events=line(told, 1)["events"]), "Match 1, entry 3: this correction changes nothing."),
    (lambda told: line(told, 3).pop("of"), "Match 1, entry 3: an entry has events"),
    (lambda told: line(told, 4).update(events=line(told, 1)["events"]), "Match 1, entry 4: an entry has events"),
    (lambda told: line(told, 5).update(of=2), "Match 1, entry 5: what it undoes did not count any more."),
    (lambda told: told["matches"][0]["log"].append({**line(told, 2), "key": "z"}), "Match 1, entry 7: The match is over."),
]


@pytest.mark.sqlite  # it is refused before anything is stored
@pytest.mark.parametrize(("change", "sentence"), HOSTILE)
def test_a_file_that_can_not_be_so_is_a_sentence_and_nothing_is_stored(app, history, change, sentence):
    told = json.loads(exported(app, history.id))
    change(told)
    before = everything(app)
    with app.app_context(), pytest.raises(table_file.TableFileError) as refused:
        table_file.import_table(json.dumps(told).encode())
    assert str(refused.value).startswith(sentence), str(refused.value)
    assert len(str(refused.value)) < 400
    assert everything(app) == before


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"{",
        b"\xff\xfe",
        b'{"name": "\\ud800"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 100_000,
        b" " * (table_file.LARGEST + 1),
        b"PK\x03\x04",
        b"SQLite format 3\x00",
    ],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_no_such_file_is_a_sentence(app, data):
    with app.app_context(), pytest.raises(table_file.TableFileError, match=r"^This (table )?file"):
        table_file.import_table(data)


def test_a_file_that_would_take_too_long_is_refused(app, history, monkeypatch):
    body = exported(app, history.id)
    monkeypatch.setattr(table_file, "MOST_REPLAYED", 2)
    with app.app_context(), pytest.raises(table_file.TableFileError, match="more corrections than"):
        table_file.import_table(body)
    monkeypatch.setattr(table_file, "MOST_LINES", 5)
    with app.app_context(), pytest.raises(table_file.TableFileError, match="more than 5 entries"):
        table_file.import_table(body)


@pytest.mark.parametrize("largest", [3_000, 6_000, 9_000, 12_000, 100_000])
def test_what_is_given_can_be_taken_back_and_what_has_no_room_is_named(app, history, monkeypatch, largest):
    whole = json.loads(exported(app, history.id))
    monkeypatch.setattr(table_file, "LARGEST", largest)
    monkeypatch.setattr(table_file, "ROOM_ASIDE", 1_000)
    body = exported(app, history.id)
    assert len(body) <= largest
    told = json.loads(body)
    fit = len(told["matches"])
    assert told["matches"] == whole["matches"][len(whole["matches"]) - fit :]  # the newest
    assert [each["number"] for each in told.get("left_out", [])] == [*range(1, len(whole["matches"]) - fit + 1)]
    assert fit == len(whole["matches"]) if largest == 100_000 else True
    with app.app_context():
        assert len(table_file.import_table(body).matches) == fit


@pytest.mark.both_databases
def test_a_table_is_read_while_it_is_sent(app, history, monkeypatch):
    read, found = [], entries.read
    monkeypatch.setattr(entries, "read", lambda match_id: read.append(match_id.number) or found(match_id))
    with app.app_context():
        pieces = table_file.export_pieces(history.id)
        seen = [(next(pieces), list(read))[1] for _ in range(3)]
        pieces.close()
    assert seen == [[], [1], [1, 2]]


@pytest.mark.both_databases
def test_when_the_database_fails_in_the_middle_nothing_is_stored(app, history, monkeypatch):
    body = exported(app, history.id)
    before = everything(app)

    def fail_late(_turns):
        if database.is_writing():  # the lines of the first match were just stored
            raise ZeroDivisionError

    monkeypatch.setattr(table_file.Turns, "turn", fail_late)
    with app.app_context(), pytest.raises(ZeroDivisionError):
        table_file.import_table(body)
    assert everything(app) == before


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def parts(value, path=()):
    """Yield the path to everything in a document."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from parts(inner, (*path, key))


@pytest.mark.both_databases
@pytest.mark.parametrize("examples", [50, pytest.param(3_000, marks=pytest.mark.soak)])
def test_whatever_stands_in_a_file_it_is_taken_whole_or_refused_with_a_sentence(app, history, examples):
    body = exported(app, history.id)
    places = [path for path in parts(json.loads(body)) if path]

    @settings(max_examples=examples)
    @given(st.sampled_from(places), json_values)
    def change_one_part(path, value):
        told = json.loads(body)
        place = told
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        with app.app_context(), contextlib.suppress(table_file.TableFileError):  # and nothing else
            table = table_file.import_table(json.dumps(told).encode())
            for match in table.matches:
                entries.read(match.id)

    change_one_part()


class TestPages:
    @pytest.fixture
    def ana(self, app):
        return Phone(app).make_table("Ana", "Bo", "Cy", "Di")

    def bring(self, phone, body, name="table.json"):
        return phone.client.post("/tables/import", data={"file": (io.BytesIO(body), name)})

    def test_kept_on_one_phone_and_brought_back_by_another(self, app, ana):
        ana.send("/matches", game="beloz")
        ana.send("/m/1/who", tap="passed-deal", expected_seq=0, idempotency_key="k")
        assert f'href="{ana.link}/table.json"' in ana.open("/matches").text
        kept = ana.open("/table.json")
        assert kept.status_code == 200
        name = re.fullmatch(r'attachment; filename="(.*)-\d{4}-\d\d-\d\d\.json"', kept.headers["Content-Disposition"])
        assert name[1] == "tuesday-table"
        bo = Phone(app)
        assert says(bo.get("/tables/import"), "Import a table")
        assert 'href="/tables/import"' in bo.get("/tables/new").text
        brought = self.bring(bo, kept.data)
        assert brought.status_code == 303
        bo.link = brought.location.removesuffix("/table")
        assert bo.link != ana.link
        assert says(bo.open("/matches"), "BeloZ, being played")
        assert says(bo.open("/m/1"), "deal")
        assert bo.open("/table.json").data == kept.data
        assert says(bo.get("/"), "Tuesday table")

    def test_only_the_page_that_imports_may_speak_with_a_page_elsewhere(self, ana):
        opener = {address: ana.get(address).headers["Cross-Origin-Opener-Policy"] for address in ("/", "/tables/import")}
        assert opener == {"/": "same-origin", "/tables/import": "unsafe-none"}

    def test_the_game_the_dealer_and_the_seats_come_along(self, app, ana):
        ana.do("remove", "Di")
        ana.send("/game", choose="bisque")
        ana.do("deal", "Bo")
        kept = ana.open("/table.json")
        bo = Phone(app)
        bo.link = self.bring(bo, kept.data).location.removesuffix("/table")
        assert says(bo.open(), "Start Bisque")
        assert bo.around() == ["Bo deals first", "Cy no phone", "Ana no phone"]

    def test_people_of_an_older_file_sit_where_they_were_drawn(self, app, ana):
        """Its seats were numbered in turn order, which runs to the left in Bisque."""
        ana.do("remove", "Di")
        ana.send("/matches", game="bisque")
        told = json.loads(ana.open("/table.json").data)
        assert told.pop("game") == "bisque"
        bo = Phone(app)
        bo.link = self.bring(bo, json.dumps(told).encode()).location.removesuffix("/table")
        assert bo.around() == ["Ana deals", "Cy no phone", "Bo no phone"]

    def test_what_this_companion_does_not_know_is_left_out_with_a_sentence(self, app, history):
        told = json.loads(exported(app, history.id))
        told["matches"][0]["game"] = "chess"
        bo = Phone(app)
        bo.link = self.bring(bo, json.dumps(told).encode()).location.removesuffix("/table")
        sentence = "1 match was left out: this Companion does not know “chess”. It is still where the table came from."
        assert says(bo.open(), sentence)
        assert not says(bo.open(), "left out")
        assert [match["game"] for match in json.loads(bo.open("/table.json").data)["matches"]] == ["tally"]

    def test_who_watches_may_not_keep_it(self, app, ana):
        with app.app_context():
            watch = db.session.scalar(select(Table.watch_token))
        assert ana.get(f"/t/{watch}/table.json").status_code == 403
        assert "/table.json" not in ana.get(f"/t/{watch}/matches").text

    @pytest.mark.parametrize("body", [b"", b"nonsense", b'{"format": "companion-table/1"}'])
    def test_another_file_is_refused_where_it_was_chosen(self, ana, body):
        refused = self.bring(ana, body)
        assert refused.status_code == 422
        assert says(refused, "Not imported.")

    def test_no_file_at_all(self, ana):
        assert ana.client.post("/tables/import").status_code == 422
        assert ana.client.post("/tables/import", data={"file": "text"}).status_code == 422

    def test_a_large_table_is_taken_and_what_is_too_large_is_not_read(self, ana):
        told = json.loads(ana.open("/table.json").data)
        told["name"] = "Large table"
        padded = json.dumps(told).encode() + b" " * 1_000_000
        assert self.bring(ana, padded).status_code == 303
        refused = self.bring(ana, b" " * 5_000_000)
        assert refused.status_code == 413
        assert says(refused, "larger than 4 MiB")
        assert ana.send("/name", name="x" * 100_000).status_code == 413  # other forms stay small

    def test_a_file_name_plays_no_part(self, ana):
        kept = ana.open("/table.json").data
        assert self.bring(ana, kept, "../../etc/passwd").status_code == 303
        assert self.bring(ana, kept, "<script>.exe").status_code == 303


class TestTooMany:
    @pytest.fixture
    def settings(self):
        return {"WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": True}

    def test_files_are_limited(self, app):
        ana = Phone(app)
        answers = [ana.client.post("/tables/import").status_code for _ in range(21)]
        assert answers == [422] * 20 + [429]
        refused = ana.client.post("/tables/import")
        assert says(refused, "Too many files in a short time.")
        assert 3500 < int(refused.headers["Retry-After"]) <= 3600
        assert ana.get("/tables/import").status_code == 200


def test_a_deal_that_was_passed_comes_along(app, table):
    with app.app_context():
        entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"])
        entries.record(match_of(table.id, 1), [PassedDeal()], idempotency_key="k", expected_seq=0)
        made = table_file.import_table(table_file.export_table(table.id))
        assert entries.read(match_of(made.id, 1)).position.standing().details["dealer"] == 1
