"""Why does a phone in the room not reach Companion? What its computer can see, and the usual causes."""

from __future__ import annotations

import plistlib
import socket

import pytest

from companion.engine.text import say
from companion.web import reachability
from tests.web.people import says
from tests.web.test_strangers_sheets import GOOD

ROOM = "192.168.1.7"


@pytest.fixture(autouse=True)
def computer(monkeypatch, tmp_path):
    """Put the tests on a computer at home: in one wifi, with no firewall, plugged in."""
    monkeypatch.setattr(reachability, "UFW", tmp_path / "ufw.conf")
    monkeypatch.setattr(reachability, "FIREWALLD", tmp_path / "firewalld")
    monkeypatch.setattr(reachability, "MACOS", tmp_path / "alf.plist")
    monkeypatch.setattr(reachability, "POWER", tmp_path / "power")
    monkeypatch.setattr(reachability, "_vpn_addresses", lambda: ["10.8.0.2"])
    return tmp_path


def found(address=ROOM, host="0.0.0.0"):
    return reachability.found(host, address, 8000)


def test_nothing_is_said_where_nothing_is_seen():
    assert found() == []
    assert found("cards.example", host="cards.example") == []


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_it_listens_to_its_own_computer_only(host):
    assert found(host, host=host) == ["Companion listens to this computer only. For phones, start it without --host."]


def test_the_computer_is_in_no_network():
    (sentence,) = found("127.0.0.1")
    assert sentence.startswith("This computer is in no network.")


@pytest.mark.parametrize("address", ["10.8.0.2", "100.101.102.103"])
def test_its_address_is_a_vpns(address):
    assert found(address) == [f"{address} is this computer’s address in a VPN. Switch the VPN off while you play."]


def test_the_addresses_of_vpns_are_read_from_the_computer(computer, monkeypatch):
    """Every computer has a loopback adapter, which stands for a VPN's here; what has no address is passed over."""
    monkeypatch.undo()
    adapters = socket.if_nameindex()
    monkeypatch.setattr(reachability.socket, "if_nameindex", lambda: [*adapters, (99, "lost0")])
    monkeypatch.setattr(reachability, "VPN_ADAPTERS", ("lo",))
    assert list(reachability._vpn_addresses()) == ["127.0.0.1"]


class TestFirewall:
    SENTENCE = "This computer has a firewall. If phones find nothing, let it accept connections to port 8000."

    @pytest.mark.parametrize(("setting", "is_on"), [("yes", True), ("no", False)])
    def test_of_ubuntu(self, computer, setting, is_on):
        (computer / "ufw.conf").write_text(f"# comment\nENABLED={setting}\nLOGLEVEL=low\n")
        assert found() == [self.SENTENCE] * is_on

    def test_of_fedora(self, computer):
        (computer / "firewalld").mkdir()
        assert found() == [self.SENTENCE]

    @pytest.mark.parametrize(("state", "is_on"), [(0, False), (1, True), (2, True)])
    def test_of_macos(self, computer, state, is_on):
        (computer / "alf.plist").write_bytes(plistlib.dumps({"globalstate": state, "version": "1.6"}, fmt=plistlib.FMT_BINARY))
        assert found() == [self.SENTENCE] * is_on


@pytest.mark.parametrize("content", [b"no list", b"<?xml version='1.0'?><plist><broken", plistlib.dumps([]), b"\xff\xfe"])
def test_files_that_can_not_be_read_keep_nothing_from_being_said(computer, content):
    """Whatever a computer's files hold, Companion begins, and says what the others tell."""
    for name in ("alf.plist", "ufw.conf"):
        (computer / name).write_bytes(content)
    assert found("10.8.0.2") == ["10.8.0.2 is this computer’s address in a VPN. Switch the VPN off while you play."]


@pytest.mark.parametrize(("online", "is_said"), [("0", True), ("1", False)])
def test_it_runs_on_its_battery(computer, online, is_said):
    for name, kind in (("AC", "Mains"), ("BAT0", "Battery")):
        (computer / "power" / name).mkdir(parents=True)
        (computer / "power" / name / "type").write_text(f"{kind}\n")
    (computer / "power" / "AC" / "online").write_text(f"{online}\n")
    said = ["This computer runs on its battery. While it sleeps, no phone reaches it: keep it awake."]
    assert found() == said * is_said


ANDROID = "Android 17 asks whether the browser may use nearby devices. Allow it, else the page only times out."
AT_THE_TABLE = "Android 17: allow nearby devices."


@pytest.fixture
def pages(client, table):
    """Return the pages that draw a code which another phone opens."""
    host = client.post("/club", data={"name": "Thursday club"}).location
    return {
        "the table": f"/t/{table.play}/table",
        "the table, watched": f"/t/{table.watch}/table",
        "scan to join": f"/t/{table.play}/scan",
        "invite people": f"/t/{table.play}/links",
        "a club’s list": host,
        "a club’s printed codes": f"{host}/codes",
        "one’s own sheet": f"/more/own?s={GOOD}",
    }


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("the table", AT_THE_TABLE),
        ("the table, watched", AT_THE_TABLE),
        ("scan to join", ANDROID),
        ("invite people", ANDROID),
        ("a club’s list", ANDROID),
        ("a club’s printed codes", ANDROID),
        ("one’s own sheet", ANDROID),
    ],
)
def test_what_android_asks_is_said_beside_each_qr_code_but_not_on_the_internet(client, pages, name, hint):
    assert says(client.get(pages[name]), hint)
    assert "Android" not in client.get(pages[name], base_url="https://cards.example").text


class TestPage:
    def test_home_leads_to_the_usual_causes(self, app):
        client = app.test_client()
        assert 'href="/reach"' in client.get("/").text
        page = client.get("/reach")
        for cause in (
            ANDROID,
            "A guest wifi keeps them apart",
            "A VPN",
            "A computer that sleeps",
            "A firewall",
            "isolation in its settings",
        ):
            assert says(page, cause)
        assert not says(page, "Seen on this computer")

    def test_what_was_seen_stands_above_them_and_the_address_is_told(self, app):
        app.config["UNREACHABLE"] = [
            say("This computer runs on its battery. While it sleeps, no phone reaches it: keep it awake.")
        ]
        app.config["PUBLIC_URL"] = "http://192.168.1.7:8000"
        page = app.test_client().get("/reach")
        assert page.text.index("Seen on this computer") < page.text.index("A guest wifi")
        assert says(page, "http://192.168.1.7:8000")

    def test_nobody_is_told_to_type_an_address_that_leads_to_their_own_phone(self, app):
        app.config["PUBLIC_URL"] = "http://127.0.0.1:8000"
        page = app.test_client().get("/reach")
        assert says(page, "and the number at its end.")
        assert "127.0.0.1" not in page.text
