"""What happens at the table? People and their seats, the links, and how a match begins and is remembered."""

from __future__ import annotations

import re
import threading
from datetime import timedelta

import pytest

from companion.engine.beloz import PassedDeal, Round
from companion.engine.beloz.scoring import Count
from companion.engine.core import Stop
from companion.matches import entries
from companion.storage.models import Match, Player, Table, db, now
from companion.tables import seating
from tests.web.people import Phone, field, says, words
from tests.web.qr_reader import modules, read

FOUR = ("Ana", "Bo", "Cy", "Di")
LINK = r"/t/[A-Za-z0-9_-]{22}"


@pytest.fixture
def ana(app):
    """Return Ana's phone, at a table where Bo, Cy and Di sit without one."""
    return Phone(app).make_table(*FOUR)


@pytest.fixture
def bo(app, ana):
    """Return another phone that has scanned the code and said nothing yet."""
    return Phone(app).come_to(ana)


@pytest.fixture
def lone(app):
    """Return Ana's phone at a table where nobody else sits yet."""
    return Phone(app).make_table("Ana")


def stored_players(app):
    with app.app_context():
        return [match.players for match in db.session.query(Match).order_by(Match.number)]


# Seats


def test_you_sit_at_the_bottom_and_the_turn_runs_to_your_right(ana, bo):
    assert ana.around() == ["Ana you deal", "Bo no phone", "Cy no phone", "Di no phone"]
    bo.do("claim", "Bo")
    assert bo.around() == ["Bo you", "Cy no phone", "Di no phone", "Ana deals"]
    assert ana.around() == ["Ana you deal", "Bo", "Cy no phone", "Di no phone"]


def test_partners_face_each_other_and_wear_the_same_pawn(ana):
    seat = r'class="tile seat.*?data-place="([\w-]+)".*?class="pawn" data-side="(\d)".*?<b>(\w+)'
    seats = re.findall(seat, ana.open().text, re.DOTALL)
    assert seats == [("bottom", "0", "Ana"), ("right", "1", "Bo"), ("top", "0", "Cy"), ("left", "1", "Di")]


def test_a_phone_that_says_nothing_sees_the_dealer_at_the_bottom(bo):
    assert bo.around() == ["Ana deals first", "Bo no phone", "Cy no phone", "Di no phone"]
    assert says(bo.open(), "This phone has no name here")


def test_i_am_bo(ana, bo):
    assert bo.do("claim", "Bo").location == f"{bo.link}/table"
    assert "Bo you" in bo.around()
    assert not says(bo.open(), "This phone has no name here")
    assert "Bo" in ana.around()


def test_the_seat_is_kept_by_the_cookie_alone(app, ana):
    bo = Phone(app).come_to(ana)
    bo.do("claim", "Bo")
    stranger = Phone(app).come_to(ana)
    assert "Bo you" in bo.around()
    assert not any("you" in seat for seat in stranger.around())


def test_who_has_a_new_phone_takes_the_seat_along(app, ana, bo):
    bo.do("claim", "Bo")
    new = Phone(app).come_to(ana)
    assert says(new.open("/join"), "Bohas a phone")
    new.do("claim", "Bo")
    assert "Bo you" in new.around()
    assert says(bo.open(), "This phone has no name here")


def test_a_phone_is_one_person_at_a_time(ana):
    ana.do("claim", "Cy")
    assert ana.around() == ["Cy you", "Di no phone", "Ana deals first", "Bo no phone"]


def test_i_am_not_ana(ana):
    ana.do("release", "Ana")
    assert says(ana.open(), "This phone has no name here")


def test_somebody_else_sits_down_with_a_phone(lone, app):
    bo = Phone(app).come_to(lone)
    assert bo.send("/people/new", do="me", name="Bo").location == f"{bo.link}/table"
    assert bo.around() == ["Bo you", "Empty seat tap to add", "Empty seat tap to add", "Ana deals"]
    assert field(Phone.make_table(bo, "Bo").open("/people/new"), "name") == ("", "")


def test_a_name_is_added_at_the_seat_that_was_tapped(lone):
    free = re.findall(r'href="([^"]*/people/new\?[^"]*)"', lone.open().text)
    assert len(free) == 3
    opposite = lone.get(free[1].replace("&amp;", "&"))
    lone.send("/people/new", name="Cy", seat=field(opposite, "seat")[0], do="add")
    assert lone.around() == ["Ana you deal", "Empty seat tap to add", "Cy no phone", "Empty seat tap to add"]


@pytest.mark.both_databases
def test_a_seat_that_was_taken_meanwhile_is_nobody_elses(lone):
    lone.send("/people/new", name="Bo", seat="1", do="add")
    answer = lone.send("/people/new", name="Cy", seat="1", do="add")
    assert (answer.status_code, field(answer, "name")) == (422, ("Cy", "Bo sits there now. Choose another seat."))
    assert lone.around()[1:3] == ["Bo no phone", "Empty seat tap to add"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "A name needs at least one letter."),
        ("x" * 41, "A name has at most 40 characters. This one has 41."),
        ("Ana", "Ana is at this table already."),
        ("ANA", "Ana is at this table already."),
        ("B\u202eo", "A name can’t have invisible characters. There is one after “B”."),
    ],
)
def test_a_name_that_does_not_do_is_explained_and_stays(lone, name, sentence):
    answer = lone.send("/people/new", name=name, do="add")
    assert answer.status_code == 422
    assert lone.around().count("Empty seat tap to add") == 3
    assert field(answer, "name") == (name, sentence)


def test_twelve_sit_around_a_long_table(app):
    people = ("Ana", "Bo", "Cy", "Di", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")
    ana = Phone(app).make_table(*people, game="sheet")
    page = ana.open().text
    assert [seat.split()[0] for seat in ana.around()] == ["Ana", *reversed(people[1:])]  # the turn runs to the left
    rights, lefts = ([f"{side}-{n}" for n in range(1, 6)] for side in ("right", "left"))
    assert re.findall(r'data-place="([a-z0-9-]+)"', page) == ["bottom", *rights, "top", *reversed(lefts)]


def test_a_game_for_fewer_says_how_many_it_is_for(app):
    ana = Phone(app).make_table("Ana", "Bo", "Cy", "Di", "Eve", "Finn", "Gus", game="rivals")
    assert says(ana.open(), "Who plays? Rivals is for 2.")


def test_a_thirteenth_finds_no_room(ana):
    for name in ("Ed", "Flo", "Hal", "Ida", "Jo", "Kim", "Lou", "Max"):
        assert ana.send("/people/new", name=name, do="add").status_code == 303
    answer = ana.send("/people/new", name="Gus", do="add")
    assert answer.status_code == 422
    assert field(answer, "name") == ("Gus", "A table has room for 12 people. Somebody has to leave first.")


@pytest.mark.parametrize(
    ("dealer", "seats"),
    [
        ("Bo", ["Ana you", "Bo deals", "Cy no phone", "Di no phone"]),
        ("Cy", ["Ana you", "Bo no phone", "Cy deals first", "Di no phone"]),
        ("Di", ["Ana you", "Bo no phone", "Cy no phone", "Di deals"]),
    ],
)
def test_anybody_may_deal_first_and_all_stay_where_they_sit(ana, dealer, seats):
    ana.do("deal", dealer)
    assert ana.around() == seats
    ana.do("deal", "Ana")
    assert ana.around() == ["Ana you deal", "Bo no phone", "Cy no phone", "Di no phone"]


def test_the_free_places_stay_too_when_somebody_else_deals_first(app):
    ana = Phone(app).make_table("Ana", None, "Cy", None)
    ana.do("deal", "Cy")
    assert ana.around() == ["Ana you", "Empty seat tap to add", "Cy deals first", "Empty seat tap to add"]


@pytest.mark.both_databases
def test_two_people_change_places_and_the_dealer_stays_the_dealer(ana):
    ana.do("move", "Bo", seat="2")
    assert ana.around() == ["Ana you deal", "Cy no phone", "Bo no phone", "Di no phone"]
    ana.do("move", "Ana", seat="1")
    assert ana.around() == ["Ana you deal", "Bo no phone", "Di no phone", "Cy no phone"]


def test_somebody_moves_to_a_free_place(app):
    ana = Phone(app).make_table("Ana", "Bo")
    ana.do("move", "Bo", seat="3")
    assert ana.around() == ["Ana you deal", "Empty seat tap to add", "Empty seat tap to add", "Bo no phone"]


@pytest.mark.both_databases
@pytest.mark.parametrize("seat", ["-1", "12", "99999999999999999999", "two", ""])
def test_there_is_no_such_seat(ana, seat):
    answer = ana.do("move", "Bo", seat=seat)
    assert answer.status_code == 422
    assert says(answer, "There is no such seat at this table.")


def test_somebody_is_renamed(ana):
    ana.do("rename", "Bo", name=" Bob ")
    assert "Bob no phone" in ana.around()
    assert ana.do("rename", "Bob", name="bob").status_code == 303


@pytest.mark.both_databases
def test_a_new_name_must_be_free(ana):
    answer = ana.do("rename", "Bo", name="cy")
    assert answer.status_code == 422
    assert field(answer, "name") == ("cy", "Cy is at this table already.")
    assert "Bo no phone" in ana.around()


@pytest.mark.both_databases
def test_matches_get_the_new_name_too(app, ana):
    ana.send("/matches", game="beloz")
    with app.app_context():
        entries.record(db.session.query(Match.id).scalar(), [Stop()], idempotency_key="stop", expected_seq=0)
    ana.send("/matches", game="beloz")
    match = f"{ana.link}/m/2"
    tag = ana.get(match).headers["ETag"]
    assert says(ana.get(match), "Ana deals, Bo opens")
    assert ana.do("rename", "Bo", name="Bob").status_code == 303
    fresh = ana.client.get(match, headers={"If-None-Match": tag})
    assert fresh.status_code == 200
    assert says(fresh, "Ana deals, Bob opens")
    assert ana.get(f"{match}/record.json").json["players"] == ["Ana", "Bob", "Cy", "Di"]
    assert "Bo " not in words(ana.open("/matches"))
    with app.app_context():
        assert [match.players for match in db.session.query(Match)] == [["Ana", "Bob", "Cy", "Di"]] * 2


def test_who_was_renamed_plays_on(app, ana):
    bo = Phone(app).come_to(ana)
    bo.do("claim", "Bo")
    ana.send("/matches", game="beloz")
    assert bo.open("/m/1").status_code == 200
    ana.do("rename", "Bo", name="Bob")
    assert bo.send("/m/1/who", tap="passed-deal", expected_seq="0", idempotency_key="one").status_code == 303
    with app.app_context():
        entry = entries.read(db.session.query(Match.id).scalar()).written[0]
        assert entry.player == 1
    late = ana.send("/m/1/undo", expected_seq="0", idempotency_key="two")
    assert late.status_code == 409
    assert says(late, "Bob entered: Everybody passed meanwhile")


@pytest.mark.both_databases
def test_another_process_plays_on_with_the_new_names(app, ana, start_app):
    ana.send("/matches", game="beloz")
    with app.app_context():
        match = db.session.query(Match.id).scalar()
        entries.record(match, [PassedDeal()], idempotency_key="one", expected_seq=0)
    other_process = start_app()
    with other_process.app_context():
        assert entries.read(match).start.players == ("Ana", "Bo", "Cy", "Di")
    ana.do("rename", "Bo", name="Bob")
    with other_process.app_context():
        receipt = entries.record(match, [PassedDeal()], idempotency_key="two", expected_seq=1)
        assert receipt.after.start.players == ("Ana", "Bob", "Cy", "Di")
        assert entries.read(match).start.players == ("Ana", "Bob", "Cy", "Di")
    with app.app_context():
        assert entries.read(match).seq == 2


def test_nobody_gets_the_name_of_who_was_in_the_same_match(app, ana):
    ana.send("/matches", game="beloz")
    ana.do("remove", "Bo")
    answer = ana.do("rename", "Cy", name="bo")
    assert answer.status_code == 422
    assert field(answer, "name") == ("bo", "Bo and Cy are both in match 1. Choose another name.")
    with app.app_context():
        assert db.session.query(Match).one().players == ["Ana", "Bo", "Cy", "Di"]
    assert ana.do("rename", "Cy", name="Bob").status_code == 303


def test_somebody_is_removed_and_the_place_is_free(ana):
    ana.do("remove", "Bo")
    assert ana.around() == ["Ana you deal", "Empty seat tap to add", "Cy no phone", "Di no phone"]


def test_who_was_removed_meanwhile_can_not_be_found(ana, bo):
    path = bo.person("Cy")
    ana.do("remove", "Cy")
    for answer in (bo.open(path), bo.send(path, do="claim")):
        assert answer.status_code == 404
        assert says(answer, "This person is no longer at the table.")


@pytest.mark.both_databases
def test_of_five_people_one_who_goes_leaves_the_others_in_order(ana):
    ana.send("/people/new", name="Ed", do="add")
    ana.do("remove", "Cy")
    assert ana.around() == ["Ana you deal", "Bo no phone", "Di no phone", "Ed no phone"]


def test_a_button_that_does_not_exist_does_nothing(ana):
    answer = ana.do("dance", "Bo")
    assert answer.status_code == 400
    assert says(answer, "This button is out of date. Reload the page.")


def test_the_table_gets_another_name(ana):
    assert field(ana.open("/name"), "name") == ("Tuesday table", "")
    assert ana.send("/name", name="Kitchen").location == f"{ana.link}/table"
    assert says(ana.open(), "Kitchen")
    answer = ana.send("/name", name=" ")
    assert (answer.status_code, field(answer, "name")[1]) == (422, "A table’s name needs at least one letter.")


# Others hear of it


def sequence(app):
    with app.app_context():
        return db.session.query(Table.seq).scalar()


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "change",
    [
        lambda ana: ana.send("/people/new", name="Ed", do="add"),
        lambda ana: ana.do("claim", "Bo"),
        lambda ana: ana.do("release", "Ana"),
        lambda ana: ana.do("deal", "Bo"),
        lambda ana: ana.do("move", "Bo", seat="2"),
        lambda ana: ana.do("rename", "Bo", name="Bob"),
        lambda ana: ana.do("remove", "Bo"),
        lambda ana: ana.send("/name", name="Kitchen"),
        lambda ana: ana.send("/invitation"),
        lambda ana: ana.send("/links", do="close"),
        lambda ana: ana.send("/links", do="watch"),
        lambda ana: ana.send("/links", do="play"),
        lambda ana: ana.send("/matches", game="beloz"),
        lambda ana: ana.send("/game", choose="bisque"),
    ],
)
def test_every_change_moves_the_tables_number_on(app, ana, change):
    before = sequence(app)
    assert change(ana).status_code == 303
    assert sequence(app) > before


def test_what_is_refused_moves_nothing(app, ana):
    before = sequence(app)
    ana.do("rename", "Bo", name="Cy")
    ana.send("/people/new", name="", do="add")
    ana.do("move", "Bo", seat="77")
    ana.send("/matches", game="beloz", target="0")
    assert sequence(app) == before


def test_looking_writes_nothing(app, ana, bo):
    ana.send("/matches", game="beloz")
    with app.app_context():
        before = [tuple(row) for table in db.metadata.sorted_tables for row in db.session.execute(table.select())]
    for path in ("/table", "/join", "/links", "/matches", "/name", "/people/new", ana.person("Bo"), "/qr.svg", "/m/1"):
        assert bo.open(path).status_code == 200
    bo.open("")
    bo.get("/")
    bo.get("/tables/new", game="beloz")
    with app.app_context():
        assert [tuple(row) for table in db.metadata.sorted_tables for row in db.session.execute(table.select())] == before


def test_parts_that_others_change_are_marked_for_the_script(ana):
    page = ana.open().text
    live = set(re.findall(r'id="([\w-]+)"[^>]* data-live', page))
    assert {"bar", "running", "who", "around", "games", "playing", "house", "played", "footer"} <= live
    assert re.search(rf'data-stream="{ana.link}/live" data-seq="\d+"', page)


@pytest.mark.both_databases
def test_of_two_who_take_one_name_at_once_one_is_told(app):
    with app.app_context():
        table = seating.create("Tuesday table", ["Ana"], "phone").id
    told, start = [], threading.Barrier(2)

    def sit(number):
        with app.app_context():
            start.wait()
            try:
                seating.sit_down(table, "Bo", phone=f"phone {number}")
            except seating.TableError as refused:
                told.append(refused.message)

    threads = [threading.Thread(target=sit, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == ["Bo is at this table already. If that’s you, tap “Bo” below."]
    with app.app_context():
        assert sorted(db.session.scalars(db.select(Player.seat))) == [0, 1]


@pytest.mark.both_databases
def test_four_who_sit_down_at_once_get_four_seats(app):
    with app.app_context():
        table = seating.create("Tuesday table", [], "phone").id
    start = threading.Barrier(4)

    def sit(name):
        with app.app_context():
            start.wait()
            seating.sit_down(table, name, phone=name)

    threads = [threading.Thread(target=sit, args=(name,)) for name in FOUR]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with app.app_context():
        assert sorted(db.session.scalars(db.select(Player.seat))) == [0, 1, 2, 3]


@pytest.mark.both_databases
def test_somebody_is_renamed_again_and_again_while_others_enter(app, ana):
    ana.send("/matches", game="beloz")
    with app.app_context():
        match, table = db.session.query(Match.id, Match.table_id).one()
        bo = db.session.query(Player.id).filter_by(name="Bo").scalar()
    start = threading.Barrier(2)

    def enter():
        with app.app_context():
            start.wait()
            for seen in range(30):
                entries.record(match, [PassedDeal()], idempotency_key=f"deal-{seen}", expected_seq=seen, player=seen % 4)

    entering = threading.Thread(target=enter)
    entering.start()
    with app.app_context():
        start.wait()
        for number in range(30):
            seating.rename_person(table, bo, f"Bo {number}")
    entering.join()
    with app.app_context():
        log = entries.read(match)
        assert (log.seq, log.start.players) == (30, ("Ana", "Bo 29", "Cy", "Di"))


# Links


@pytest.mark.parametrize("public", [None, "http://192.168.1.20:8000", "https://scores.example.org/"])
def test_the_qr_code_says_the_link_as_phones_reach_it(app, ana, public):
    app.config["PUBLIC_URL"] = public
    page = ana.open()
    drawn = re.search(r'<svg class="qr".*?</svg>', page.text)[0]
    assert read(drawn) == (public or "http://localhost").rstrip("/") + ana.link
    alone = ana.open("/qr.svg")
    assert alone.mimetype == "image/svg+xml"
    assert read(alone.text) == read(drawn)


def test_the_qr_code_is_dark_on_white_with_four_modules_of_quiet(ana):
    picture = ana.open("/qr.svg").text
    dark, width = modules(picture)
    assert min(row for row, _ in dark) == min(column for _, column in dark) == 4
    assert max(row for row, _ in dark) == width - 5
    assert re.search(rf'fill="#fff" d="M0 0h{width}v{width}h-{width}z"', picture)
    assert "style" not in picture


def test_both_links_are_shown_and_differ(app, ana):
    page = ana.open("/links")
    play, watch = field(page, "play-link")[0], field(page, "watch-link")[0]
    assert play == f"http://localhost{ana.link}"
    assert re.fullmatch(f"http://localhost{LINK}", watch)
    assert watch != play
    assert [read(svg) for svg in re.findall(r'<svg class="qr".*?</svg>', page.text)] == [play, watch]


@pytest.mark.both_databases
def test_a_replaced_play_link_leads_nowhere_and_the_new_one_to_the_table(ana, bo):
    old = ana.link
    answer = ana.send("/links", do="play")
    assert re.fullmatch(LINK + "/links", answer.location)
    ana.link = answer.location.removesuffix("/links")
    assert ana.link != old
    assert "Ana you deal" in ana.around()
    gone = bo.open()
    assert gone.status_code == 404
    assert says(gone, "No table has this link. It may have been replaced: ask somebody at the table to show the code again.")
    assert bo.send("/people/new", name="Ed", do="add").status_code == 404
    assert not says(bo.get("/"), "Tuesday table")
    assert says(ana.get("/"), "Tuesday table")


def test_who_comes_back_by_the_new_link_still_has_the_seat(ana, bo):
    bo.do("claim", "Bo")
    ana.link = ana.send("/links", do="play").location.removesuffix("/links")
    assert "Bo you" in bo.come_to(ana).around()


def test_a_replaced_play_link_takes_the_code_with_it(ana, bo):
    code = re.search(r'<p class="code".*?<b[^>]*>([^<]*)<', ana.open().text, re.DOTALL)[1]
    ana.send("/links", do="play")
    assert bo.client.post("/join", data={"code": code}).status_code == 422


def test_a_replaced_watch_link_leads_nowhere(app, ana):
    watcher = Phone(app)
    watcher.link = field(ana.open("/links"), "watch-link")[0].removeprefix("http://localhost")
    assert watcher.open().status_code == 200
    assert ana.send("/links", do="watch").location == f"{ana.link}/links"
    assert watcher.open().status_code == 404
    assert ana.open().status_code == 200


def test_a_table_leaves_the_phone_only_when_asked_for_and_can_come_back(ana, bo):
    bo.do("claim", "Bo")
    assert says(bo.open("/forget"), "Remove from this phone?")
    assert "Bo" in ana.around()
    assert bo.send("/forget").location == "/"
    assert "Bo no phone" in ana.around()
    home = bo.get("/")
    assert says(home, "Tuesday table is removed from this phone. Undo")
    assert 'class="panel known"' not in home.text
    assert "Undo" not in words(bo.get("/"))  # said once
    undo = {name: field(home, name)[0] for name in ("token", "person")}
    assert bo.client.post("/tables/known", data=undo).location == "/"
    assert says(bo.get("/"), "Tuesday table")
    assert "Bo you" in bo.around()


def test_the_page_that_follows_the_removal_offers_to_undo_it_at_once(bo):
    bo.open()
    answer = bo.client.post(f"{bo.link}/forget", headers={"Companion-Fetch": "whole"})
    assert "Undo" not in words(bo.client.get(answer.location, headers={"Companion-Fetch": "parts"}))
    home = bo.client.get(answer.location, headers={"Companion-Fetch": "whole"})  # the script goes on with its header
    assert says(home, "Tuesday table is removed from this phone. Undo")


def test_a_name_that_another_phone_took_meanwhile_stays_there(app, ana, bo):
    bo.do("claim", "Bo")
    bo.send("/forget")
    home = bo.get("/")
    other = Phone(app).come_to(ana)
    other.do("claim", "Bo")
    bo.client.post("/tables/known", data={name: field(home, name)[0] for name in ("token", "person")})
    assert "Bo you" in other.around()
    assert "Bo you" not in bo.around()


# Starting a match


def test_four_people_start_beloz(app, ana):
    assert not says(ana.open(), "BeloZ is for 4 players")
    answer = ana.send("/matches", game="beloz")
    assert answer.location == f"{ana.link}/m/1"
    assert ana.open("/m/1").status_code == 200
    assert stored_players(app) == [["Ana", "Bo", "Cy", "Di"]]


@pytest.mark.parametrize(
    ("dealer", "order"),
    [("Bo", ["Bo", "Cy", "Di", "Ana"]), ("Cy", ["Cy", "Di", "Ana", "Bo"]), ("Di", ["Di", "Ana", "Bo", "Cy"])],
)
def test_the_first_dealer_is_the_first_player(app, ana, dealer, order):
    ana.do("deal", dealer)
    ana.send("/matches", game="beloz")
    assert stored_players(app) == [order]


def test_a_form_may_name_the_first_dealer(app, ana):
    cy = ana.person("Cy").rpartition("/")[2]
    ana.send("/matches", game="beloz", dealer=cy)
    assert stored_players(app) == [["Cy", "Di", "Ana", "Bo"]]


def test_too_few_people_are_told_how_many_it_takes(app, lone):
    page = lone.open()
    assert says(page, "BeloZ needs 4 players. 3 more to go.")
    assert re.search(r'<button[^>]*form="start"[^>]* disabled', page.text)
    answer = lone.send("/matches", game="beloz")
    assert answer.status_code == 422
    assert says(answer, "BeloZ needs 4 players. 3 more to go.")
    assert stored_players(app) == []


def test_of_five_people_four_are_chosen(app, ana):
    ana.send("/people/new", name="Ed", do="add")
    page = ana.open()
    assert says(page, "Who plays? BeloZ is for 4.")
    offered = re.findall(r'type="checkbox" name="player" value="(\d+)"( checked)?', page.text)
    assert [bool(chosen) for _, chosen in offered] == [True, True, True, True, False]
    numbers = [number for number, _ in offered]
    answer = ana.send("/matches", game="beloz", player=numbers)
    assert answer.status_code == 422
    assert says(answer, "BeloZ needs 4 players. You are 5.")
    ana.send("/matches", game="beloz", player=numbers[1:])
    assert stored_players(app) == [["Bo", "Cy", "Di", "Ed"]]


def test_seats_that_changed_meanwhile_are_looked_at_first(app, ana, bo):
    seen = re.findall(r'name="player" value="(\d+)"', bo.open().text)
    ana.do("move", "Bo", seat="2")
    answer = bo.send("/matches", game="beloz", player=seen)
    assert answer.status_code == 409
    assert says(answer, "The seats have changed meanwhile. Look at the table, then start again.")
    assert stored_players(app) == []


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("0", "A whole number from 1 to 1,000,000,000 is needed here, not 0."),
        ("-5", "A whole number from 1 to 1,000,000,000 is needed here, not the text “-5”."),
        ("many", "A whole number from 1 to 1,000,000,000 is needed here, not the text “many”."),
        ("9" * 12, "A whole number from 1 to 1,000,000,000 is needed here, not 999,999,999,999."),
        ("9" * 5000, "A whole number from 1 to 1,000,000,000 is needed here, not the text"),
        ("²", "A whole number from 1 to 1,000,000,000 is needed here, not the text “²”."),
    ],
)
def test_a_house_rule_that_can_not_be_is_explained_at_its_field(app, ana, typed, sentence):
    answer = ana.send("/matches", game="beloz", target=typed, tied_declarations="next-highest")
    assert answer.status_code == 422
    value, said = field(answer, "target")
    assert value == typed
    assert said.startswith(sentence)
    assert '<details class="disclosure panel" id="rules" open>' in answer.text
    assert re.search(r'value="next-highest" checked', answer.text)
    assert stored_players(app) == []


def test_house_rules_are_kept_with_the_match(app, ana):
    assert field(ana.open(), "target")[0] == "1000"
    ana.send("/matches", game="beloz", target=" 500 ", tied_declarations="next-highest")
    with app.app_context():
        assert db.session.query(Match.options).scalar() == {"target": 500, "tied_declarations": "next-highest"}


def test_a_blank_house_rule_is_the_usual_one(app, ana):
    ana.send("/matches", game="beloz", target="", tied_declarations="")
    with app.app_context():
        assert db.session.query(Match.options).scalar() == {"target": 1000, "tied_declarations": "none-count"}


def test_a_choice_that_does_not_exist_is_explained(ana):
    answer = ana.send("/matches", game="beloz", tied_declarations="dice")
    assert answer.status_code == 422
    assert says(answer, "Next-highest or none-count is needed here, not the text “dice”.")


@pytest.mark.both_databases
def test_two_who_start_at_once_come_to_the_same_match(app, ana, bo):
    first = ana.send("/matches", game="beloz")
    second = bo.send("/matches", game="beloz")
    assert first.location == second.location == f"{ana.link}/m/1"
    assert len(stored_players(app)) == 1


def test_phones_in_the_lobby_are_taken_along_by_a_new_match_only(app, ana, bo, monkeypatch):
    ana.send("/matches", game="beloz")
    page = bo.open()
    assert says(page, "BeloZ has started")
    assert f'href="{bo.link}/m/1" data-follow' in page.text
    with app.app_context():
        match = db.session.query(Match.id).scalar()
        entries.record(match, [PassedDeal()], idempotency_key="pass", expected_seq=0)
    assert "data-follow" not in bo.open().text
    assert says(bo.open(), "BeloZ is being played")


def test_a_match_that_began_long_ago_takes_nobody_along(ana, bo, monkeypatch):
    from companion.web.table import around as table_page

    ana.send("/matches", game="beloz")
    monkeypatch.setattr(table_page, "now", lambda: now() + timedelta(minutes=6))
    assert "data-follow" not in bo.open().text
    assert says(bo.open(), "Go to the match")


# What was played


def play(app, ana, rounds, *, stop=False, target="200"):
    """Play a match in which team 0 or 1 takes 120 of the 153 card points and ten last: 130 to 33 a round."""
    ana.send("/matches", game="beloz", target=target)
    with app.app_context():
        match = db.session.query(Match).order_by(Match.number.desc()).first()
        for number, team in enumerate(rounds):
            counted = Count(team=team, points=120)
            entry = Round(bidder=team, flooded="north", count=counted, last_expedition=team, declarations=())
            entries.record(match.id, [entry], idempotency_key=f"{match.id}-{number}", expected_seq=number)
        if stop:
            entries.record(match.id, [Stop()], idempotency_key=f"{match.id}-stop", expected_seq=len(rounds))


def test_no_match_yet(ana):
    assert says(ana.open("/matches"), "No match yet")
    assert "matches" not in words(ana.open()).lower().replace("all matches", "")


def test_the_last_match_and_their_number_stand_in_the_lobby(app, ana):
    play(app, ana, [0, 0])
    play(app, ana, [1, 1])
    page = ana.open()
    assert says(page, "Last time: BeloZ, Bo & Di won, 260 to 66")
    assert says(page, "2 matches")
    assert says(ana.get("/"), "BeloZ, Bo & Di won, 260 to 66")


@pytest.mark.both_databases
def test_all_matches_are_listed_newest_first_with_their_results(app, ana):
    play(app, ana, [0, 0])
    play(app, ana, [1], stop=True)
    play(app, ana, [1])
    page = " ".join(words(ana.open("/matches")).split())
    third, second = "3 BeloZ, being played Ana & Cy 33, Bo & Di 130", "2 BeloZ stopped at Ana & Cy 33, Bo & Di 130"
    assert page.index(third) < page.index(second)
    assert page.index("2 BeloZ stopped") < page.index("1 BeloZ Ana & Cy won, 260 to 66")
    assert f"{now().day} {now():%b %Y}" in page
    links = re.findall(r'href="([^"]*/m/\d[^"]*)"', ana.open("/matches").text)
    assert [ana.get(link).status_code for link in links] == [200, 200, 200]


def test_who_has_won_most_leads(app, ana):
    play(app, ana, [0, 0])
    assert "ahead" not in words(ana.open("/matches"))  # one match is no race
    play(app, ana, [1, 1])
    assert says(ana.open("/matches"), "Everybody has won 1 match.")
    ana.do("move", "Cy", seat="1")
    play(app, ana, [0, 0])
    page = ana.open("/matches")
    assert says(page, "Ana and Bo are ahead with 2 matches won each.")
    rows = re.findall(r'<th scope="row">(\w+)</th><td><b>(\d+)</b> of (\d+)</td>', page.text)
    assert rows == [("Ana", "2", "3"), ("Bo", "2", "3"), ("Cy", "1", "3"), ("Di", "1", "3")]


def test_matches_that_were_stopped_count_for_nobody(app, ana):
    play(app, ana, [0], stop=True)
    assert "ahead" not in words(ana.open("/matches"))


def test_a_match_of_a_later_edition_is_listed_and_breaks_nothing(app, ana):
    play(app, ana, [0, 0])
    with app.app_context():
        db.session.query(Match).update({"edition": 99})
        db.session.commit()
    again = Phone(app)
    again.link = ana.link
    with app.app_context():
        app.extensions.pop("companion-logs", None)
    page = again.open("/matches")
    assert page.status_code == 200
    assert says(page, "This match began with edition 99 of the rules of BeloZ")
    assert again.open().status_code == 200
    assert ana.get("/").status_code == 200


@pytest.mark.both_databases
def test_a_restart_loses_nothing(start_app):
    first = start_app()
    ana = Phone(first).make_table(*FOUR)
    ana.do("deal", "Cy")
    play(first, ana, [0, 0])
    cookie = ana.client.get_cookie("companion")
    again = Phone(start_app())
    again.client.set_cookie("companion", cookie.value)
    again.link = ana.link
    assert again.around() == ["Ana you", "Bo no phone", "Cy deals first", "Di no phone"]
    assert says(again.get("/"), "BeloZ, Ana & Cy won")


def test_a_pair_is_called_the_same_everywhere_in_every_match(app, ana):
    """Cy deals first, so the engine counts the players Cy, Di, Ana, Bo; the next match is dealt by Di."""
    bo = Phone(app).come_to(ana)
    bo.do("claim", "Bo")
    ana.do("deal", "Cy")
    play(app, ana, [0, 0])
    play(app, ana, [1, 1])
    play(app, ana, [1])
    ana.open("/m/3")
    ana.send("/m/3/undo", of="1", seen="1", key="take-it-back")
    shown = ""
    for page in ("/table", "/matches", "/m/1", "/m/2", "/m/3", "/m/3/history", "/m/3/count", "/m/3/may-i"):
        answer = bo.open(page, view="history") if page.endswith("history") else bo.open(page)
        shown += words(answer)
    assert "Ana & Cy" in shown
    assert "Bo & Di are ahead" in shown or "Ana & Cy are ahead" in shown or "Level at" in shown
    assert not re.search(r"Cy\s*&\s*Ana|Di\s*&\s*Bo", shown)


def test_the_house_rules_of_the_last_match_are_there_again(app):
    ana = Phone(app).make_table("Ana", "Bo")
    ana.send("/matches", game="beluga-cup", cards="untracked", deck="courts", fish_per_suit="9")
    ana.send("/m/1/stop", idempotency_key="stop", expected_seq="0", sure="1")
    page = ana.open("/table")
    assert re.search(r'name="cards"[^>]*value="untracked"[^>]* checked', page.text)
    assert re.search(r'name="deck"[^>]*value="courts"[^>]* checked', page.text)
    assert field(page, "fish_per_suit")[0] == "9"


def test_each_game_keeps_its_own_house_rules_also_in_a_rematch(app, ana):
    ana.send("/matches", game="beloz", target="500", tied_declarations="next-highest")
    ana.send("/m/1/stop", idempotency_key="stop", expected_seq="0", sure="1")
    ana.send("/m/1/rematch", idempotency_key="again", expected_seq="0")
    ana.send("/m/2/stop", idempotency_key="stop-2", expected_seq="0", sure="1")
    ana.send("/matches", game="rivals")
    ana.send("/m/3/stop", idempotency_key="stop-3", expected_seq="0", sure="1")
    with app.app_context():
        beloz = [match.options for match in db.session.query(Match).order_by(Match.number) if match.game == "beloz"]
    assert beloz == [{"target": 500, "tied_declarations": "next-highest"}] * 2
    ana.send("/game", game="beloz")
    page = ana.open("/table")
    assert field(page, "target")[0] == "500"
    assert re.search(r'name="tied_declarations"[^>]*value="next-highest"[^>]* checked', page.text)
