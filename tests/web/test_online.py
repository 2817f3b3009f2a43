"""How does a table that only a phone has come to a server, where the phone has Companion from a folder of files?"""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from companion.pocket import Phone
from companion.web.table.carrying import NoAddressError, server_address
from tests.web.people import words

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def send(phone, url, body):
    """Send a form with the phone's own token."""
    page = phone.answer("GET", "/pocket/tables/import")
    token = re.search(r'name="csrf_token"[^>]*value="([^"]*)"', page.text)[1]
    return phone.answer("POST", url, FORM, f"csrf_token={token}&{body}")


@pytest.fixture
def phone(tmp_path, sqlite_file, compiled_templates):
    made = Phone(tmp_path / "phone", empty=sqlite_file.read_bytes(), site=True)
    made.app.jinja_env.bytecode_cache = compiled_templates
    return made


@pytest.fixture
def table(phone):
    return send(phone, "/pocket/tables", "person_0=Ana&person_1=Bo&table=Den").url.removesuffix("/table")


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://cards.example", "https://cards.example"),
        (" cards.example ", "https://cards.example"),
        ("http://192.168.0.7:8000/", "http://192.168.0.7:8000"),
        ("https://cards.example/companion/t/abc/table", "https://cards.example/companion"),
        ("https://cards.example/tables/new?game=beloz", "https://cards.example"),
    ],
)
def test_any_page_of_a_server_tells_its_address(typed, address):
    assert server_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "",
            " ",
            "https://",
            "javascript:alert(1)",
            "javascript://cards.example",
            "file:///etc",
            "https://ana:pw@cards.example",
        ),
        *("https://cards.example:none", "two words", "<b>", "https://[", f"https://{300 * 'a'}.example"),
    ],
)
def test_what_is_no_address_is_refused(typed):
    with pytest.raises(NoAddressError):
        server_address(typed)


def test_what_is_no_address_stays_in_its_field_with_a_sentence_and_leads_nowhere(phone, table):
    refused = send(phone, f"{table}/online", f"server={quote('javascript:alert(1)')}")
    assert refused.status == 422
    assert "This is no address of a server. One looks like https://cards.example." in words(refused)
    assert 'value="javascript:alert(1)"' in refused.text
    assert 'href="javascript' not in refused.text


def test_the_address_is_remembered_and_the_page_says_each_step(phone, table):
    assert "Put it online" in phone.answer("GET", f"{table}/table").text
    first = phone.answer("GET", f"{table}/online")
    assert "Import it there" not in words(first)
    noted = send(phone, f"{table}/online", "server=cards.example")
    assert 'href="https://cards.example/tables/import"' in noted.text
    assert f'href="{table}/table.json"' in noted.text
    assert "It keeps nothing before you tap there." in words(noted)
    assert 'data-hand-over=""' in noted.text
    assert "Each import makes a new table there." in words(noted)
    assert 'value="https://cards.example"' in phone.answer("GET", f"{table}/online").text


def test_a_table_that_the_server_has_is_sent_to_the_same_one_again(phone, table):
    send(phone, f"{table}/online", "server=https://cards.example/club")
    link = "https://cards.example/club/t/abcdefghijklmnop"
    assert send(phone, f"{table}/origin", f"link={quote(link)}&taken=1").status == 200
    again = phone.answer("GET", f"{table}/online")
    assert f'data-hand-over="{link}"' in again.text
    assert f'href="{link}"' in again.text
    assert "This table is there too." in words(again)
    assert "Send it again to get what the others entered there." in words(again)
    send(phone, f"{table}/online", "server=other.example")
    assert 'data-hand-over=""' in phone.answer("GET", f"{table}/online").text


def test_what_becomes_of_a_sealed_bag_is_said_before_the_first_tap_and_beside_the_last(phone):
    table = send(phone, "/pocket/tables", "person_0=Ana&person_1=Bo&game=beluga-cup").url.removesuffix("/table")
    send(phone, f"{table}/matches", "game=beluga-cup&player=1&player=2&cards=untracked")
    send(phone, f"{table}/m/1/fish", "by=app&expected_seq=0&idempotency_key=draw")

    send(phone, f"{table}/online", "server=cards.example")

    def is_said(sentence):
        for page, button in (("table", "Put it online"), ("online", "Send it there")):
            before, _, _ = " ".join(words(phone.answer("GET", f"{table}/{page}")).split()).rpartition(button)
            assert f"Match 1 has a sealed bag. {sentence}" in before

    is_said("It stays on this phone. There, draw the fish by hand.")
    send(phone, f"{table}/m/1/stop", "expected_seq=1&idempotency_key=stop")
    is_said("Its seed is sent only once you have shown it.")
    send(phone, f"{table}/m/1/seal/seed", "")
    assert "sealed bag" not in words(phone.answer("GET", f"{table}/table"))


@pytest.mark.parametrize(
    "link", ["https://evil.example/t/abc", "https://cards.example.evil.example/t/abc", "javascript:alert(1)", "/t/abc", ""]
)
def test_only_the_server_whose_address_was_typed_says_where_the_table_is(phone, table, link):
    assert send(phone, f"{table}/origin", f"link={quote(link)}").status == 400
    send(phone, f"{table}/online", "server=cards.example")
    assert send(phone, f"{table}/origin", f"link={quote(link)}").status == 400
    assert 'data-hand-over=""' in phone.answer("GET", f"{table}/online").text
