"""What may a phone ask that plays at another phone's table? As much as a browser with that table's link asks a server."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest

from companion import guests
from companion.pocket import PREFIX, Kept, Phone
from tests.web.people import words

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
PAGE = {"Accept": "text/html", "Accept-Language": "en"}
# addresses of the table that are closed to guests, as pages lead there
CLOSED = re.compile(r'(?:href|action)="[^"]*/(?:table\.json|seal/seed|settings|bring-in|[\w-]+\.(?:csv|ics)|almanac\.json)"')
REFUSED = "The phone that is the table shows guests this table only."


def token(answer):
    return re.search(r'name="csrf_token"[^>]*value="([^"]*)"', answer.text)[1]


def make_table(phone, name, *people, game="beloz"):
    """Make a table in this phone; return the address of its page."""
    page = phone.answer("GET", f"{PREFIX}/tables/new?game={game}")
    seats = "&".join(f"person_{seat}={person}" for seat, person in enumerate(people))
    made = phone.answer("POST", f"{PREFIX}/tables", FORM, f"csrf_token={token(page)}&table={name}&game={game}&{seats}")
    return made.url.removesuffix("/table")


@pytest.fixture
def phone(tmp_path, sqlite_file, compiled_templates):
    made = Phone(tmp_path / "host", empty=sqlite_file.read_bytes())
    made.app.jinja_env.bytecode_cache = compiled_templates
    return made


@pytest.fixture
def link(phone):
    return make_table(phone, "Cabin", "Ana", "Bo", "Cy", "Di")


@pytest.fixture
def bo(phone, link):
    """Another phone that was let in, and its name here."""
    return phone.admit(link.rpartition("/")[2])


def begin(phone, link, house_rules="", game="beloz"):
    page = phone.answer("GET", f"{link}/table?game={game}")
    players = "&".join(f"player={number}" for number in re.findall(r'name="player" value="(\d+)"', page.text))
    phone.answer("POST", f"{link}/matches", FORM, f"csrf_token={token(page)}&game={game}&{players}{house_rules}")
    return f"{link}/m/1"


def seq_of(page):
    return re.search(r'name="expected_seq" value="(\d+)"', page.text)[1]


def upload(fields, file):
    """Return the headers and the body of a form that sends a table's file."""
    parts = [f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}' for name, value in fields.items()]
    parts.append(f'--edge\r\nContent-Disposition: form-data; name="file"; filename="table.json"\r\n\r\n{file}')
    return {"Content-Type": "multipart/form-data; boundary=edge", "Accept": "text/html"}, "\r\n".join([*parts, "--edge--\r\n"])


def sit(phone, guest, link, name="Bo"):
    """Say on a guest's phone whose it is."""
    page = phone.answer_guest(guest, "GET", f"{link}/join", PAGE)
    person = re.search(rf'<button[^>]*value="(\d+)"[^>]*>(?:(?!</button>).)*{name}', page.text, re.DOTALL)
    return phone.answer_guest(
        guest, "POST", f"{link}/people/{person[1]}", FORM, f"csrf_token={token(page)}&do=claim&next=table"
    )


class TestWhatAGuestMayDo:
    def test_it_opens_the_table_and_is_a_phone_of_its_own(self, phone, link, bo):
        page = phone.answer_guest(bo, "GET", f"{link}/table", PAGE)
        assert page.status == 200
        assert "You are Ana" not in words(page.text)
        assert page.name is None

    def test_it_says_whose_it_is_and_that_is_kept(self, phone, link, bo, tmp_path):
        taken = sit(phone, bo, link)
        assert taken.name == "Bo"
        assert taken.keep
        assert "You are Bo" in words(phone.answer_guest(bo, "GET", f"{link}/table", PAGE).text)
        assert "You are Bo" not in words(phone.answer("GET", f"{link}/table", PAGE).text)
        later = Phone(tmp_path / "later", phone.kept())
        assert later.admit(link.rpartition("/")[2], bo) == bo
        assert later.answer_guest(bo, "GET", f"{link}/table", PAGE).name == "Bo"

    def test_it_chooses_any_other_game_and_is_led_nowhere_that_is_closed_to_it(self, phone, link, bo):
        page = phone.answer_guest(bo, "GET", f"{link}/more", PAGE)
        assert f"{link}/more/wizard" in page.text
        assert "/more/make" not in page.text
        assert "/more/make" in phone.answer("GET", f"{link}/more", PAGE).text

    def test_no_page_of_it_leads_where_the_phone_that_is_the_table_lets_only_its_owner(self, phone):
        link = make_table(phone, "Cup", "Ana", "Bo", game="beluga-cup")
        guest = phone.admit(link.rpartition("/")[2])
        match = begin(phone, link, game="beluga-cup")
        sit(phone, guest, link)
        for page in ("", "/seal", "/proof"):
            assert not CLOSED.findall(phone.answer_guest(guest, "GET", match + page, PAGE).text), page
        stop = f"csrf_token={token(phone.answer('GET', match, PAGE))}&expected_seq=0&idempotency_key=stop"
        phone.answer("POST", f"{match}/stop", FORM, stop)
        for page in ("/m/1", "/m/1/seal", "/m/1/proof", "/matches", "/almanac"):
            assert CLOSED.findall(phone.answer("GET", link + page, PAGE).text) or page == "/m/1", page
            assert not CLOSED.findall(phone.answer_guest(guest, "GET", link + page, PAGE).text), page

    def test_it_enters_and_the_entry_is_on_the_phone_that_is_the_table(self, phone, link, bo):
        match = begin(phone, link)
        page = phone.answer_guest(bo, "GET", match, PAGE)
        deal = f"csrf_token={token(page)}&tap=passed-deal&expected_seq=0&idempotency_key=passed"
        entered = phone.answer_guest(bo, "POST", f"{match}/who", FORM | {"Companion-Fetch": "whole"}, deal)
        assert (entered.status, entered.url) == (200, match)
        assert entered.keep
        assert 'name="expected_seq" value="1"' in phone.answer("GET", match, PAGE).text

    def test_it_doubts_an_entry_and_says_that_it_is_right(self, phone, link, bo):
        match = begin(phone, link)
        deal = f"csrf_token={token(phone.answer('GET', match, PAGE))}&tap=passed-deal&expected_seq=0&idempotency_key=passed"
        phone.answer("POST", f"{match}/who", FORM, deal)
        sit(phone, bo, link)
        for way, key, heard in (("doubt", "no", "Bo doubts"), ("right", "yes", "Bo no longer doubts")):
            page = phone.answer_guest(bo, "GET", match, PAGE)
            form = f"csrf_token={token(page)}&expected_seq=1&idempotency_key={key}"
            answer = phone.answer_guest(bo, "POST", f"{match}/entries/1/{way}", FORM, form)
            assert heard in words(answer.text), way

    def test_it_draws_the_lot_and_both_phones_see_whom_it_fell_on(self, phone, link, bo):
        sit(phone, bo, link)
        page = phone.answer_guest(bo, "GET", f"{link}/table", PAGE)
        number = re.search(r'name="lot" value="(\d+)"', page.text)[1]
        seal = re.search(r"[0-9a-f]{64}", phone.answer_guest(bo, "GET", f"{link}/lots", PAGE).text)[0]
        for _ in range(2):  # a second tap draws nothing more
            drawn = phone.answer_guest(bo, "POST", f"{link}/lots", FORM, f"csrf_token={token(page)}&lot={number}")
            assert (drawn.status, drawn.url) == (200, f"{link}/table")
        fell = re.search(r"The lot fell on \w+\.", words(drawn.text))[0]
        assert fell in words(phone.answer("GET", f"{link}/table", PAGE).text)
        proof = phone.answer("GET", f"{link}/lots", PAGE).text
        assert proof.count(seal) == 1  # of the lot that was drawn; the next has another
        assert "Lot 1:" in words(proof)
        assert "Lot 2:" not in words(proof)

    @pytest.mark.parametrize("guest_enters", [True, False])
    def test_it_asks_and_is_asked(self, phone, link, bo, guest_enters):
        """At a table that asks the other side: the phone that is the table, and its guest."""
        match = begin(phone, link, "&agrees=1")
        sit(phone, bo, link)
        first, second = ("answer_guest", "answer") if guest_enters else ("answer", "answer_guest")

        def of(way, *request):
            return phone.answer_guest(bo, *request) if way == "answer_guest" else phone.answer(*request)

        deal = f"csrf_token={token(of(first, 'GET', match, PAGE))}&tap=passed-deal&expected_seq=0&idempotency_key=passed"
        of(first, "POST", f"{match}/who", FORM, deal)
        page = of(second, "GET", match, PAGE)
        assert "Right?" in words(page.text)
        form = f"csrf_token={token(page)}&expected_seq=1&idempotency_key=yes"
        answer = of(second, "POST", f"{match}/entries/1/agree", FORM, form)
        assert "agrees" in words(answer.text)
        assert "Right?" not in words(of(first, "GET", match, PAGE).text)

    def test_it_speaks_its_own_language(self, phone, link, bo):
        assert 'lang="de"' in phone.answer_guest(bo, "GET", f"{link}/table", PAGE | {"Accept-Language": "de"}).text
        page = phone.answer_guest(bo, "GET", f"{link}/table", PAGE)
        chosen = f"csrf_token={token(page)}&language=fr&back={link}/table"
        assert 'lang="fr"' in phone.answer_guest(bo, "POST", f"{PREFIX}/language", FORM, chosen).text
        assert 'lang="en"' in phone.answer("GET", f"{link}/table", PAGE).text

    def test_what_changed_is_drawn_once_for_each_language_that_is_spoken_at_the_table(self, phone, link, bo):
        match = begin(phone, link)
        entered = f"{match}/who"
        assert phone.changed_parts(entered) == {}  # nobody else has asked anything
        cy = phone.admit(link.rpartition("/")[2])
        page = phone.answer_guest(bo, "GET", match, PAGE)
        phone.answer_guest(cy, "GET", match, PAGE | {"Accept-Language": "de,en"})
        deal = f"csrf_token={token(page)}&tap=passed-deal&expected_seq=0&idempotency_key=passed"
        phone.answer_guest(bo, "POST", entered, FORM | PAGE, deal)
        changed = phone.changed_parts(entered)
        assert set(changed) == {"en", "de"}
        told = json.loads(changed["de"])
        assert f'data-seq="{told["from"]}"' in page.text
        assert f'data-seq="{told["to"]}"' in phone.answer_guest(cy, "GET", match, PAGE).text
        assert "gepasst" in changed["de"]
        assert token(page) not in changed["en"]
        for other in (f"{link}/table", f"{link}/m/9/who", f"{PREFIX}/language", f"{match}/../../../etc/passwd"):
            assert phone.changed_parts(other) == {}, other

    @pytest.mark.parametrize("page", ["rules/beloz", "may-i/beloz", "calculate/rivals", "practice/beloz"])
    def test_it_reads_rules_and_looks_things_up(self, phone, bo, page):
        assert phone.answer_guest(bo, "GET", f"{PREFIX}/{page}", PAGE).status == 200

    def test_one_who_only_watches_stays_at_the_link_to_watch(self, phone, link, bo):
        page = phone.answer_guest(bo, "GET", f"{link}/join", PAGE)
        watching = phone.answer_guest(bo, "POST", f"{link}/join", FORM, f"csrf_token={token(page)}&do=watch")
        assert watching.status == 200
        assert REFUSED not in words(watching.text)


class TestHandingTheTableOn:
    def file_of(self, phone, link):
        return phone.answer("GET", f"{link}/table.json").text

    def take(self, phone, link, file):
        """Bring in another phone's table, which is played by this link."""
        fields = {"csrf_token": token(phone.answer("GET", f"{PREFIX}/tables/import")), "me": "Bo", "link": link}
        return phone.answer("POST", f"{PREFIX}/tables/import", *upload(fields, file))

    @pytest.fixture
    def other(self, tmp_path, sqlite_file, compiled_templates):
        made = Phone(tmp_path / "other", empty=sqlite_file.read_bytes())
        made.app.jinja_env.bytecode_cache = compiled_templates
        return made

    def test_it_keeps_its_link_and_what_waits_elsewhere_counts_there_once(self, phone, link, other):
        match = begin(phone, link)
        entry = "tap=passed-deal&expected_seq=0&idempotency_key=waited"
        phone.answer("POST", f"{match}/who", FORM, f"csrf_token={token(phone.answer('GET', match, PAGE))}&{entry}")
        taken = self.take(other, link.rpartition("/")[2], self.file_of(phone, link))
        assert taken.url == f"{link}/table"
        assert "You are Bo" in words(taken.text)
        page = other.answer("GET", match, PAGE)
        assert 'name="expected_seq" value="1"' in page.text
        other.answer("POST", f"{match}/who", FORM, f"csrf_token={token(page)}&{entry}")
        assert 'name="expected_seq" value="1"' in other.answer("GET", match, PAGE).text

    def test_a_phone_that_has_it_already_says_so(self, phone, link):
        refused = self.take(phone, link.rpartition("/")[2], self.file_of(phone, link))
        assert refused.status == 422
        assert "This phone has that table already." in words(refused.text)

    @pytest.mark.parametrize("link_sent", ["", "../../x", "a" * 100, "<b>"])
    def test_what_is_no_link_gets_one_of_its_own(self, phone, link, other, link_sent):
        taken = self.take(other, link_sent, self.file_of(phone, link))
        assert re.fullmatch(rf"{PREFIX}/t/[\w-]{{16,64}}/table", taken.url)
        assert taken.url != f"{link}/table"


class TestJoiningWhatWentOnApart:
    """Bo's phone made itself the table from its copy; Ana's, which was the table, comes back to it as a guest."""

    @pytest.fixture
    def match(self, phone, link):
        return begin(phone, link)

    @pytest.fixture
    def other(self, phone, link, match, tmp_path, sqlite_file, compiled_templates):
        made = Phone(tmp_path / "other", empty=sqlite_file.read_bytes())
        made.app.jinja_env.bytecode_cache = compiled_templates
        fields = {"csrf_token": token(made.answer("GET", f"{PREFIX}/tables/import")), "me": "Bo"}
        fields["link"] = link.rpartition("/")[2]
        made.answer("POST", f"{PREFIX}/tables/import", *upload(fields, phone.answer("GET", f"{link}/table.json").text))
        return made

    def passed(self, phone, match, key):
        page = phone.answer("GET", match, PAGE)
        deal = f"csrf_token={token(page)}&tap=passed-deal&expected_seq={seq_of(page)}&idempotency_key={key}"
        phone.answer("POST", f"{match}/who", FORM, deal)

    def bring(self, phone, other, link, **choices):
        guest = other.admit(link.rpartition("/")[2])
        fields = {"csrf_token": token(other.answer_guest(guest, "GET", f"{link}/join", PAGE)), **choices}
        file = phone.answer("GET", f"{link}/table.json").text
        return other.answer_guest(guest, "POST", f"{link}/bring", *upload(fields, file))

    def test_what_the_old_table_has_alone_counts_once(self, phone, link, match, other):
        self.passed(phone, match, "late")
        for heard in ("1 entry of this phone counts here now.", "The table had every entry of this phone already."):
            brought = self.bring(phone, other, link)
            assert brought.status == 200
            assert heard in words(brought.text)
            assert "data-all" in brought.text
        assert seq_of(other.answer("GET", match, PAGE)) == "1"

    def test_where_both_went_on_a_person_chooses(self, phone, link, match, other):
        for number in (1, 2):
            self.passed(phone, match, f"ana-{number}")
            self.passed(other, match, f"bo-{number}")
        assert self.bring(phone, other, link).status == 200  # a deal that both noted is one deal
        assert seq_of(other.answer("GET", match, PAGE)) == "2"
        page = phone.answer("GET", match, PAGE)
        undo = f"csrf_token={token(page)}&expected_seq=2&idempotency_key=ana-undo&of=2"
        phone.answer("POST", f"{match}/undo", FORM, undo)
        self.passed(other, match, "bo-3")
        asked = self.bring(phone, other, link)
        assert asked.status == 409
        assert "The others played on at the table." in words(asked.text)
        assert seq_of(other.answer("GET", match, PAGE)) == "3"
        chosen = self.bring(phone, other, link, **{"choice-1": "ours"})
        assert "1 entry of this phone does not count here." in words(chosen.text)
        assert "Changed your mind? Scan the table’s code once more." in words(chosen.text)
        assert "Open the copy" not in words(chosen.text)  # that address is Bo's phone by now
        assert seq_of(other.answer("GET", match, PAGE)) == "3"

    def test_a_sealed_bag_stays_where_its_seed_is_and_the_seal_says_so(self, phone, tmp_path, sqlite_file, compiled_templates):
        link = make_table(phone, "Cup", "Ana", "Bo", game="beluga-cup")
        begin(phone, link, game="beluga-cup")
        assert "Draws can be checked." in words(phone.answer("GET", f"{link}/m/1", PAGE).text)
        guest = phone.admit(link.rpartition("/")[2])
        # whose phone the page is on makes no difference to whose phone made the seed
        for ask in (phone.answer, partial(phone.answer_guest, guest)):
            seal = words(ask("GET", f"{link}/m/1/seal", PAGE).text)
            assert "The phone that keeps this table has made the seed, so its owner could read it and know the fish." in seal
            assert "somebody else adds the last word" in seal
        other = Phone(tmp_path / "other", empty=sqlite_file.read_bytes())
        other.app.jinja_env.bytecode_cache = compiled_templates
        fields = {"csrf_token": token(other.answer("GET", f"{PREFIX}/tables/import")), "link": link.rpartition("/")[2]}
        file = phone.answer("GET", f"{link}/table.json").text
        other.answer("POST", f"{PREFIX}/tables/import", *upload(fields, file))
        assert "The bag is not here" in words(other.answer("GET", f"{link}/m/1/seal", PAGE).text)

    def test_a_file_that_is_none_is_refused_with_a_sentence(self, phone, link, match, other):
        guest = other.admit(link.rpartition("/")[2])
        for file, why in (("<script>alert(1)</script>", "This file can’t be read"), ("a" * 1_100_000, "Send less.")):
            fields = {"csrf_token": token(other.answer_guest(guest, "GET", f"{link}/join", PAGE))}
            answer = other.answer_guest(guest, "POST", f"{link}/bring", *upload(fields, file))
            assert answer.status in {403, 422}
            assert why in words(answer.text)
            assert "<script>alert" not in answer.text


class TestWhatItMayNot:
    @pytest.mark.parametrize(
        "page",
        [
            *("", "tables/new", "tables/import", "phone", "more", "join", "reach", "sw.js", "pocket/files.json", "healthz"),
            *("components", "screen", "api/v1/matches/1/record", "api/v1/games", "static/css/companion.css", "no-such-page"),
            *("//evil.example/", "t/../", "%2e%2e/", "\\\\evil.example"),
        ],
    )
    def test_no_other_page_of_that_phone(self, phone, bo, page):
        answer = phone.answer_guest(bo, "GET", f"{PREFIX}/{page}", PAGE)
        assert answer.status == 403
        assert REFUSED in words(answer.text)
        assert "Cabin" not in answer.text

    @pytest.mark.parametrize(
        ("method", "page"),
        [
            *(("GET", "/table.json"), ("GET", "/links"), ("POST", "/links"), ("GET", "/let-in"), ("GET", "/forget")),
            *(("POST", "/forget"), ("POST", "/origin"), ("POST", "/seeds"), ("POST", "/knock")),
            *(("POST", "/m/1/seal/seed"), ("POST", "/invitation"), ("GET", "/live"), ("GET", "/qr.svg"), ("GET", "/screen")),
            *(("GET", "/almanac/almanac.json"), ("POST", "/almanac/bring-in")),
        ],
    )
    def test_no_file_no_link_no_seed_and_nothing_that_moves_the_table(self, phone, link, bo, method, page):
        form = f"csrf_token={token(phone.answer_guest(bo, 'GET', f'{link}/join', PAGE))}&do=play&link=/t/x"
        answer = phone.answer_guest(
            bo, method, link + page, FORM if method == "POST" else PAGE, form if method == "POST" else ""
        )
        assert answer.status == 403
        assert REFUSED in words(answer.text)
        assert phone.answer("GET", f"{link}/table", PAGE).status == 200

    def test_no_other_table_not_even_with_its_link(self, phone, link, bo):
        other = make_table(phone, "Secret", "Eve", "Fay", "Gus", "Hal")
        for page in ("", "/table", "/m/1", "/join"):
            answer = phone.answer_guest(bo, "GET", other + page, PAGE)
            assert answer.status == 403
            assert "Secret" not in answer.text

    def test_no_way_round_by_an_answer_that_leads_elsewhere(self, phone, link, bo):
        other = make_table(phone, "Secret", "Eve", "Fay", "Gus", "Hal")
        page = phone.answer_guest(bo, "GET", f"{link}/table", PAGE)
        for back in (f"{PREFIX}/", f"{other}/table", f"{PREFIX}/tables/new"):
            led = phone.answer_guest(bo, "POST", f"{PREFIX}/theme", FORM, f"csrf_token={token(page)}&theme=dark&back={back}")
            assert led.status == 403
            assert "Secret" not in led.text

    def test_it_never_has_the_hosts_cookies_and_can_send_none(self, phone, link, bo):
        phone.answer("GET", f"{link}/table", PAGE)
        cookie = "; ".join(f"{name}={value}" for name, value in phone.kept().cookies.items())
        page = phone.answer_guest(bo, "GET", f"{link}/table", PAGE | {"Cookie": cookie, "Host": "evil.example"})
        assert "You are Ana" not in words(page.text)
        assert "evil.example" not in page.text
        assert not set(phone.kept().cookies.values()) & set(phone.kept().guests[bo].cookies.values())

    def test_the_form_of_another_phone_is_refused(self, phone, link, bo):
        match = begin(phone, link)
        own = token(phone.answer("GET", match, PAGE))
        deal = f"csrf_token={own}&tap=passed-deal&expected_seq=0&idempotency_key=passed"
        phone.answer_guest(bo, "GET", match, PAGE)
        assert phone.answer_guest(bo, "POST", f"{match}/who", FORM, deal).status == 400

    def test_a_link_that_was_replaced_lets_nobody_in(self, phone, link, bo):
        page = phone.answer("GET", f"{link}/links", PAGE)
        phone.answer("POST", f"{link}/links", FORM, f"csrf_token={token(page)}&do=play")
        assert phone.answer_guest(bo, "GET", f"{link}/table", PAGE).status == 403

    @pytest.mark.parametrize(
        ("method", "url", "headers", "body", "why"),
        [
            ("PUT", "/table", {}, "", "does not understand this question"),
            ("GET", "/table?\ud800", {}, "", "does not understand this question"),
            ("GET", "/table?name=Zoë", {}, "", "does not understand this question"),
            ("POST", "/join", FORM, "name=\udfff", "does not understand this question"),
            ("GET", "/table?" + "a" * 3000, {}, "", "more than the phone that is the table takes"),
            ("GET", "/table", {"Accept": "a" * 500}, "", "more than the phone that is the table takes"),
            ("POST", "/join", FORM, "name=" + "a" * 65_000, "more than the phone that is the table takes"),
            ("POST", "/join", {"Content-Type": "multipart/form-data; boundary=a"}, "--a--", "takes no files"),
        ],
    )
    def test_what_no_page_of_companion_asks(self, phone, link, bo, method, url, headers, body, why):
        answer = phone.answer_guest(bo, method, link + url, headers, body)
        assert answer.status == 403
        assert why in words(answer.text)

    def test_an_unknown_name_is_nobodys(self, phone, link, bo):
        with pytest.raises(KeyError):
            phone.answer_guest("forged", "GET", f"{link}/table", PAGE)
        new = phone.admit(link.rpartition("/")[2], "forged")
        assert new not in {"forged", bo}

    def test_a_name_of_another_table_is_no_seat_here(self, phone, link, bo):
        other = make_table(phone, "Secret", "Eve", "Fay", "Gus", "Hal").rpartition("/")[2]
        assert phone.admit(other, bo) != bo


class TestHowTheyAreRemembered:
    def test_only_so_many_and_the_first_is_forgotten(self, phone, link):
        token_of_link = link.rpartition("/")[2]
        names = [phone.admit(token_of_link) for _ in range(guests.MOST + 1)]
        assert len(phone.kept().guests) == guests.MOST
        with pytest.raises(KeyError):
            phone.answer_guest(names[0], "GET", f"{link}/table", PAGE)

    def test_they_go_with_their_table(self, phone, link, bo):
        sit(phone, bo, link)
        page = phone.answer("GET", f"{link}/forget", PAGE)
        phone.answer("POST", f"{link}/forget", FORM, f"csrf_token={token(page)}")
        assert phone.kept().guests == {}

    def test_the_worker_keeps_them_as_plain_lists(self, phone, link, bo):
        sit(phone, bo, link)
        kept = phone.kept()
        assert Kept.of_storage(kept.database, kept.cookies, kept.key, kept.of_guests) == kept


def test_every_page_for_guests_is_one_that_there_is(phone):
    endpoints = {rule.endpoint for rule in phone.app.url_map.iter_rules()}
    assert endpoints >= guests.AT_THE_TABLE | guests.OF_NO_TABLE


def test_a_table_of_this_phone_offers_to_let_others_in(phone, link):
    assert f'href="{link}/let-in"' in phone.answer("GET", f"{link}/table", PAGE).text
    assert "They scan this" in words(phone.answer("GET", f"{link}/let-in", PAGE).text)


def test_a_phone_reads_a_table_from_codes_and_a_server_does_not(phone, app):
    assert "Scan the codes" in words(phone.answer("GET", f"{PREFIX}/tables/import", PAGE).text)
    assert "Scan the codes" not in words(app.test_client().get("/tables/import").text)
