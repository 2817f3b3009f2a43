"""What does the list of a club evening show? Every table as its link to watch shows it, and nothing that is secret."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from companion.engine.what_the_fish import Free, Swim
from companion.matches import entries
from companion.storage import database
from companion.storage.models import ClubTable, Entry, Match, MatchId, Player, Table, db, now
from companion.tables import clubs, seating
from tests.web import qr_reader
from tests.web.conftest import seat
from tests.web.forms_on_a_page import PageReader
from tests.web.people import BelozPhone, Phone, says, words

PEOPLE = {
    "beloz": ("Ana", "Bo", "Cy", "Di"),
    "beluga-cup": ("Ana", "Bo"),
    "bisque": ("Ana", "Bo", "Cy"),
    "rivals": ("Ana", "Bo"),
    "what-the-fish": ("Ana", "Bo", "Cy"),
}
STAGES = {
    "beloz": "Round 1",
    "beluga-cup": "42 fish left",
    "bisque": "Hand 1 of 6",
    "rivals": "Round 1 of 3",
    "what-the-fish": "Swim 1",
    "sheet skull-king": "Skull King Ana, Bo and Cy Round 1 of 10",
    "sheet yahtzee": "Yahtzee Ana, Bo and Cy Round 1 of 13",
    "sheet wingspan": "Wingspan Ana, Bo and Cy just begun",  # all is counted at the end
}


class Host(Phone):
    """A phone that begins a list; ``list`` is the list's own address."""

    def begin(self, name="Thursday club", **fields):
        answer = self.client.post("/club", data={"name": name, **fields})
        assert answer.status_code == 303, words(answer)
        self.link = answer.location
        self.list = re.search(r'value="http://[^/]*(/club/[^"]*)"', self.open("").text)[1]
        return self

    def put_in(self, link):
        return self.send("/tables", link=link)


@pytest.fixture
def host(app):
    return Host(app).begin()


@pytest.fixture
def stranger(app):
    return Phone(app)


def row(page, number):
    """Return what the list says of a table, line by line; whether it stands out as quiet or gone."""
    rows = re.findall(r'<li class="([^"]*)">(.*?)</li>', page.text, re.DOTALL)
    marks = next(mark for mark, html in rows if f"Table </span>{number}</b>" in html)
    html = next(html for _, html in rows if f"Table </span>{number}</b>" in html)
    return marks, " ".join(words(html.replace("</span>", " </span>").replace("</b>", " </b>")).split())


def play(app, table):
    with app.app_context():
        entries.open_match(table.id, "beloz", ["Ana", "Bo", "Cy", "Di"], {})
    phone = BelozPhone(app, table.play)
    phone.open()
    phone.play_round(98)


def let_minutes_pass(app, minutes):
    with app.app_context():
        db.session.query(Entry).update({"at": now() - timedelta(minutes=minutes)})
        db.session.commit()
        database.forget(app.extensions)


def test_it_shows_the_game_who_plays_who_leads_the_score_and_when(app, host, table, stranger):
    play(app, table)
    assert host.put_in(f"http://localhost/t/{table.watch}").status_code == 303
    marks, line = row(stranger.get(host.list), 1)
    assert marks == ""
    assert line == "Table 1 BeloZ Ana, Bo, Cy and Di Round 2 Ana & Cy 108 : 55 now"
    assert 'width="10.8"' in stranger.get(host.list).text  # 108 of 1000
    assert says(stranger.get(host.list), "1 table, 4 people")
    assert says(stranger.get(host.list), "All tables play.")


def test_a_game_without_points_says_how_it_stands(app, host, table, stranger):
    host.put_in(f"/t/{table.watch}")
    with app.app_context():
        match = MatchId(table.id, entries.open_match(table.id, "what-the-fish", ["Ana", "Bo", "Cy"], {}))
        entries.record(match, [Swim(0, 8)], idempotency_key="swims", expected_seq=0, player=0)
    game = "Table 1 What the Fish! Ana, Bo and Cy"
    assert row(stranger.get(host.list), 1)[1] == f"{game} Swim 1 8 to beat, Ana’s fish swims now"
    with app.app_context():
        entries.record(match, [Free()], idempotency_key="free", expected_seq=1, player=0)
    assert row(stranger.get(host.list), 1)[1] == f"{game} finished Ana now"


def test_who_has_the_list_learns_no_link_to_play_and_can_change_nothing(app, host, table, stranger):
    host.put_in(f"/t/{table.play}")  # a host who pastes the wrong one of the two
    for path in (host.list, f"{host.list}?page=1"):
        page = stranger.get(path)
        assert f"/t/{table.watch}" in page.text
        assert table.play not in page.text
        assert host.link not in page.text
        assert "<form" not in page.text
    assert stranger.client.post(f"{host.list}/tables", data={"link": table.watch}).status_code == 403
    assert stranger.client.post(f"{host.list}/tables/1").status_code == 403
    assert stranger.client.post(f"{host.list}/new").status_code == 403
    assert stranger.get("/club/nobody").status_code == 404
    assert stranger.get(host.list).headers["X-Robots-Tag"].startswith("noindex")


def test_a_table_that_was_quiet_for_a_quarter_of_an_hour_stands_out(app, host, table, stranger):
    play(app, table)
    host.put_in(table.watch)
    let_minutes_pass(app, 24)
    page = stranger.get(host.list)
    marks, line = row(page, 1)
    assert (marks, line.endswith("24 min")) == ("quiet", True)
    assert says(page, "Table 1 is quiet.")


def test_the_host_chooses_when_a_table_is_quiet(app, host, table, stranger):
    play(app, table)
    host.put_in(table.watch)
    let_minutes_pass(app, 24)
    for minutes, marks in ((30, ""), (20, "quiet")):
        assert host.send("/choices", quiet=minutes).status_code == 303
        assert row(stranger.get(host.list), 1)[0] == marks
    assert re.search(r"Nothing was entered at table 1 since \d\d:\d\d\.", words(stranger.get(host.list)))
    refused = host.send("/choices", quiet=7)
    assert refused.status_code == 422
    assert says(refused, "Choose one of these: 10, 15, 20, 30 or 45 minutes.")
    assert stranger.client.post(f"{host.list}/choices", data={"quiet": 10}).status_code == 403


def test_with_pawns_only_the_list_names_nobody(app, host, table, stranger):
    play(app, table)
    host.put_in(table.watch)
    host.send("/choices", pawns="1")
    for page in (host.list, f"{host.list}?page=1"):
        html = stranger.get(page).text
        assert not re.search(r"\b(Ana|Bo|Cy|Di)\b", html)
        assert 'aria-label="pawn 1"' in html
    host.send("/choices", pawns="0")
    assert "Ana & Cy" in row(stranger.get(host.list), 1)[1]


def test_people_are_called_by_their_first_names_unless_two_have_the_same(app, host, stranger):
    with app.app_context():
        table = seat(("Ana Maria Gil", "Bo", "Cy Ode", "Cy Pan"))
    host.put_in(table.watch)
    assert row(stranger.get(host.list), 1)[1] == "Table 1 Not started Ana, Bo, Cy Ode and Cy Pan 4 of 4 are seated"
    play_names = ["Ana Maria Gil", "Bo", "Cy Ode", "Cy Pan"]
    with app.app_context():
        entries.open_match(table.id, "beloz", play_names, {})
    phone = BelozPhone(app, table.play)
    phone.open()
    phone.play_round(98)
    assert row(stranger.get(host.list), 1)[1] == "Table 1 BeloZ Ana, Bo, Cy Ode and Cy Pan Round 2 Ana & Cy Ode 108 : 55 now"


def test_codes_lead_to_the_seats_of_tables_that_the_host_may_enter_and_else_to_watching(app, host, table, stranger):
    host.put_in(table.watch)
    host.send("/new")
    page = host.open("/codes")
    assert re.findall(r"<p>(Scan to [\w ]+)</p>", page.text) == ["Scan to watch", "Scan to sit down"]
    codes = [qr_reader.read(svg) for svg in re.findall(r"<svg[^>]*qr.*?</svg>", page.text, re.DOTALL)]
    assert codes[0].endswith(f"/t/{table.watch}")
    with app.app_context():
        assert codes[1].endswith(db.session.query(Table).order_by(Table.id.desc()).first().play_token)
    assert stranger.get(f"{host.list}/codes").status_code == 403


def test_only_the_host_has_buttons_on_the_list(host, stranger):
    assert "New table" in words(host.get(host.list))
    assert "New table" not in words(host.get(f"{host.list}?page=1"))  # a television is in sight of all
    assert "New table" not in words(stranger.get(host.list))


@pytest.mark.parametrize(("game", "stage"), [*STAGES.items()])
def test_each_game_says_how_far_its_match_is(app, host, stranger, game, stage):
    slug, _, preset = game.partition(" ")
    people = PEOPLE.get(game, ("Ana", "Bo", "Cy"))
    with app.app_context():
        table = seat(people)
        entries.open_match(table.id, slug, list(people), {"preset": preset} if preset else {})
    host.put_in(table.watch)
    assert stage in row(stranger.get(host.list), 1)[1]


def test_a_finished_table_is_free_and_says_who_won(app, host, table, stranger):
    with app.app_context():
        number = entries.open_match(table.id, "rivals", ["Ana", "Bo"], {})
    host.put_in(table.watch)
    assert "Round 1 of 3" in row(stranger.get(host.list), 1)[1]
    phone = Phone(app)
    phone.client.post(f"/t/{table.play}/m/{number}/stop", data={"expected_seq": 0, "idempotency_key": "stop"})
    page = stranger.get(host.list)
    assert "stopped" in row(page, 1)[1]
    assert says(page, "Table 1 is free.")


def test_a_replaced_link_leaves_the_number_and_nothing_else(app, host, table, stranger):
    host.put_in(table.watch)
    with app.app_context():
        new = seating.replace_watch_link(table.id)
    page = stranger.get(host.list)
    marks, line = row(page, 1)
    assert (marks, line) == ("gone", "Table 1 The link to watch was replaced")
    assert new not in page.text
    assert "Ana" not in page.text
    assert says(host.open(""), "Its link was replaced. Put the new one in, or take the table out.")
    host.send("/tables/1")
    host.put_in(new)
    assert "Ana" in row(stranger.get(host.list), 1)[1]


def test_a_new_play_link_changes_nothing_on_the_list(app, host, table, stranger):
    host.put_in(table.watch)
    with app.app_context():
        seating.replace_play_link(table.id)
    assert "Ana" in row(stranger.get(host.list), 1)[1]


def test_a_table_that_leaves_frees_its_number_and_the_others_keep_theirs(app, host, stranger):
    with app.app_context():
        tables = [seat((f"Ana{number}", "Bo"), number) for number in range(4)]
    for table in tables[:3]:
        host.put_in(table.watch)
    host.send("/tables/2")
    assert re.findall(r"Table </span>(\d)</b>", stranger.get(host.list).text) == ["1", "3"]
    host.put_in(tables[3].watch)
    assert "Ana3" in row(stranger.get(host.list), 2)[1]


def test_a_table_is_on_the_list_once_however_often_it_is_put_in(app, host, table):
    for link in (table.watch, table.play, f" http://localhost/t/{table.watch}/screen?x=1 "):
        assert host.put_in(link).status_code == 303
    with app.app_context():
        assert db.session.query(ClubTable).count() == 1


def test_the_host_opens_a_table_from_the_list(app, host, stranger):
    answer = host.send("/new")
    assert re.fullmatch(r"/t/[\w-]+/table", answer.location)
    assert host.get(answer.location).status_code == 200
    assert row(stranger.get(host.list), 1)[1] == "Table 1 Not started"


def test_a_list_is_begun_from_a_table_and_known_to_the_host(app, host, table):
    phone = Phone(app)
    phone.link = f"/t/{table.play}"
    menu = re.search(r'href="(/club\?table=[^"]*)"', phone.open().text)[1]
    assert table.watch in menu
    assert says(host.get(menu), "Put the table on “Thursday club”")
    begun = Host(app).begin(table=table.watch)
    assert "Ana" in words(begun.open(""))
    assert "Thursday club" in words(begun.get("/club"))
    assert "Thursday club" not in words(phone.get("/club"))


@pytest.mark.parametrize("typed", ["", "nobody", "https://elsewhere.example/", "x" * 900, "<script>", "/t/\x00", "’"])
def test_what_is_no_table_s_link_is_refused_beside_the_field_and_stays(host, typed):
    answer = host.put_in(typed)
    assert answer.status_code == 422
    assert says(answer, "No table has this link. Copy it from “Invite links” in the table’s menu.")


def test_a_name_that_can_not_be_is_refused(app):
    answer = Phone(app).client.post("/club", data={"name": " "})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text


def test_sixty_tables_have_room_and_a_television_turns_the_page(app, host, stranger):
    with app.app_context():
        club = clubs.find(host.link.rpartition("/")[2])
        tables = [seat(("Ana", "Bo"), number) for number in range(61)]
        for table in tables[:60]:
            clubs.put_in(club.id, table.watch)
    assert host.put_in(tables[60].watch).status_code == 422
    assert stranger.get(host.list).text.count('class="club-row line" id=') == 60
    path, seen = f"{host.list}?page=1", []
    for _ in range(4):
        page = stranger.get(path).text
        seen += re.findall(r"Table </span>(\d+)</b>", page)
        path = re.search(r'content="10; url=([^"]*)"', page)[1]
    assert [int(number) for number in seen] == list(range(1, 61))
    assert path == f"{host.list}?page=1"


def test_names_are_letters_on_the_list_and_on_the_host_s_page(app, host, stranger):
    with app.app_context():
        table = seat(('"><img/src=x/onerror=1>', "<script>alert(1)</script>"))
        number = entries.open_match(table.id, "rivals", ['"><img/src=x/onerror=1>', "<script>alert(1)</script>"], {})
        assert db.session.get(Match, MatchId(table.id, number)) is not None
        assert db.session.query(Player).count() == 2
        assert db.session.query(Table).count() == 1
    host.put_in(table.watch)
    for page in (stranger.get(host.list), host.open("")):
        assert "onerror" in words(page)
        assert PageReader(page.text).suspicious == []
