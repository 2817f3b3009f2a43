"""What does a phone keep of entries that can't be sent, and what does it say where keeping fails?"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.storage.instance import secret_key
from tests.browser.conftest import Phones
from tests.browser.looks import fits
from tests.browser.people import begin_match, kept_keys, say_who, sit_down_to_beloz, start_beloz, total, wait_until
from tests.browser.test_taps import trick
from tests.server import Server

WHOLE = re.compile(rb"(?P<head>\w+ (?P<path>\S+) .*?)\r\n\r\n(?P<body>.*)", re.DOTALL)
LENGTH = re.compile(rb"(?im)^content-length: (\d+)")
LINE = re.compile(rb"(?im)^connection: [^\r]*")
FORBIDDEN = "Object.defineProperty(window, 'indexedDB', { get: () => undefined })"
FULL = "IDBObjectStore.prototype.put = () => { throw new DOMException('no room', 'QuotaExceededError') }"
# an entry that another phone handed on as a file
WAITS = """async () => {
  const scripts = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { takeIn } = await import(`${scripts}outbox-store.js`);
  takeIn([{ key: "one", at: Date.now(), what: "Round 1", url: `${location.href}/round`, body: "idempotency_key=one" }]);
  document.dispatchEvent(new Event("companion:outbox"));
}"""
# what of it something else covers, or nobody sees who does not scroll
HIDDEN = """() => [...document.querySelectorAll("#offline > :is(.offline-bar, .totals-without, .pending-row) > p, #offline b")]
  .filter((words) => {
    const { left, top, width, height } = words.getBoundingClientRect();
    return !words.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  })
  .map((words) => words.textContent)"""
# an entry as versions before kept it, made on the page in sight
BEFORE = """(card) => {
  const form = document.getElementById("trick");
  const body = new URLSearchParams(new FormData(form));
  body.set("by", "1");
  body.set("card", card);
  const text = body.toString().replace("idempotency_key=", "key=").replace("expected_seq=", "seen=");
  localStorage.setItem("companion:outbox", JSON.stringify([{ url: form.action, body: text, what: "Trick 1" }]));
}"""


def at_bisque(phones: Phones, script: str = "") -> Page:
    page = phones()
    if script:
        page.add_init_script(script)
    begin_match(page, "bisque", "Ana", "Bo", "Cy")
    expect(page.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    return page


def test_storage_that_is_forbidden_full_or_deleted_is_said_and_nothing_is_lost(server: Server, phones: Phones) -> None:
    several = {name: at_bisque(phones, script) for name, script in (("no", FORBIDDEN), ("full", FULL), ("deleted", ""))}
    server.stop()
    for page in several.values():
        page.set_viewport_size({"width": 360, "height": 640})
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        trick(page, 1, 1, "8-waves-leaves")
        expect(page.locator(".pending-row")).to_have_text("Trick 1 of hand 1 waiting")
        expect(page.locator(".pending-row")).to_be_in_viewport()
    expect(several["no"].locator("#offline")).to_contain_text("This browser keeps nothing here. Leave this page open")
    expect(several["full"].locator("#offline")).to_contain_text("This phone's storage is full. Leave this page open")
    line = several["deleted"].context.new_cdp_session(several["deleted"])
    line.send("Storage.clearDataForOrigin", {"origin": server.url.rstrip("/"), "storageTypes": "indexeddb"})
    trick(several["deleted"], 2, 0, "ace-moons")
    expect(several["deleted"].locator(".pending-row")).to_have_count(2)
    assert len(kept_keys(several["deleted"])) == 2
    server.start()
    for name, page in several.items():
        expect(page.locator("#offline")).to_be_empty()
        expect(page.locator(".pot")).to_have_attribute("aria-label", f"The pot: {1 + (name == 'deleted')} of 11 cards")


def test_what_is_long_on_its_way_is_said_to_be_sent(phones: Phones) -> None:
    page = at_bisque(phones)
    held: list[Route] = []
    page.route("**/hand", lambda route: held.append(route))
    trick(page, 1, 1, "8-waves-leaves")
    expect(page.locator(".pending-row")).to_have_text("Trick 1 of hand 1 sent")
    expect(page.locator(".offline-bar")).to_have_count(0)
    for route in held:
        route.continue_()
    expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
    expect(page.locator("#offline")).to_be_empty()


def test_what_waited_before_an_update_is_sent_once(phones: Phones) -> None:
    page = at_bisque(phones)
    page.evaluate(BEFORE, "8-waves-leaves")
    page.reload()
    expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
    page.reload()
    assert page.evaluate("localStorage.getItem('companion:outbox')") is None
    assert kept_keys(page) == set()
    expect(page.locator("#trick-title")).to_have_text("Who won trick 2?")


def test_two_pages_of_one_phone_know_what_waits(server: Server, phones: Phones) -> None:
    page = at_bisque(phones)
    other, home, table = (page.context.new_page() for _ in range(3))
    other.goto(page.url)
    home.goto("/")
    table.goto(f"{page.url.rpartition('/m/')[0]}/table")
    table.locator(".menu > summary").first.click()
    table.get_by_role("link", name="Remove from this phone").click()
    expect(table.get_by_role("button", name="Remove it")).to_be_visible()
    server.stop()
    trick(page, 1, 1, "8-waves-leaves")
    expect(other.locator(".pending-row")).to_have_text("Trick 1 of hand 1 waiting")
    trick(page, 2, 0, "ace-moons")
    for each in (home, table):
        expect(each.locator(".pending-row")).to_have_text(
            re.compile(r"^Trick 1 of hand 1, Trick 2 of hand 1 Bisque, \w+ table\s+waiting$")
        )
    expect(table.locator("#sheet")).to_contain_text("2 entries of this phone do not count at this table yet.")
    other.evaluate("""() => {
      const now = Date.now;
      Date.now = () => now() + 25 * 3_600_000; // a day later
      document.dispatchEvent(new Event("companion:outbox"));
    }""")
    expect(other.locator("#offline")).to_contain_text("Unsent since")
    expect(page.locator("#offline")).not_to_contain_text("Unsent since")
    server.start()
    expect(table.locator("#sheet [data-leave]")).to_be_hidden()
    for each in (page, other):
        expect(each.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
    for each in (page, other, home):
        expect(each.locator("#offline")).to_be_empty()


@pytest.mark.parametrize("size", [(844, 390), (1280, 800)], ids=["on its side", "large"])
def test_what_waits_is_in_sight_however_wide_the_screen_is(server: Server, phones: Phones, size: tuple[int, int]) -> None:
    games = {"beloz": 4, "beluga-cup": 2, "bisque": 3, "rivals": 2, "what-the-fish": 3}
    pages = {}
    for game, players in games.items():
        pages[game] = phones()
        begin_match(pages[game], game, *("Ana", "Bo", "Cy", "Di")[:players])
        expect(pages[game].locator("[data-live-dot]").first).not_to_have_class(re.compile(r"\boff\b"))
    server.stop()
    for page in pages.values():
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator("#offline")).to_contain_text("No connection.")
        page.evaluate(WAITS)
        expect(page.locator(".pending-row")).to_have_text("Round 1 waiting")
    hidden = {game: page.evaluate(HIDDEN) for game, page in pages.items()}
    server.start()
    assert [game for game, words in hidden.items() if words] == []


class Door(ThreadingTCPServer):
    """One address, behind which several servers each have tables of their own."""

    allow_reuse_address = daemon_threads = True
    block_on_close = False

    def __init__(self, first: Server) -> None:
        super().__init__(("127.0.0.1", 0), Inside)
        self.port = self.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.first = first
        self.tables: dict[str, Server] = {}  # those that another one has

    def port_of(self, path: str) -> int:
        """Return where an address is answered."""
        return next((server.port for table, server in self.tables.items() if path.startswith(table)), self.first.port)


class Inside(BaseRequestHandler):
    """Hands one question on, and its answer back."""

    def handle(self) -> None:
        """Close the line without a word where the server is away, as if nobody were there."""
        whole = b""
        while not (asked := WHOLE.match(whole)) or len(asked["body"]) < int((LENGTH.search(asked["head"]) or [b"", b"0"])[1]):
            part = self.request.recv(65536)
            if not part:
                return
            whole += part
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.port_of(asked["path"].decode()))) as line:  # type: ignore[attr-defined]
            line.sendall(LINE.sub(b"Connection: close", asked["head"]) + b"\r\n\r\n" + asked["body"])
            while part := line.recv(65536):
                self.request.sendall(part)


def test_a_table_that_is_down_holds_up_no_other(browser: Browser, tmp_path: Path) -> None:
    servers = [Server(tmp_path / name) for name in ("one", "other")]
    for server in servers:  # both sign cookies alike, as the processes of one host do
        server.instance.mkdir()
        (server.instance / "secret-key").write_bytes(secret_key(servers[0].instance))
        server.start()
    with Door(servers[0]) as door:
        Thread(target=door.serve_forever, daemon=True).start()
        phones = Phones(browser, door)  # type: ignore[arg-type]  # it has the address, which is all that phones ask for
        try:
            pages = [at_bisque(phones)]
            for server in reversed(servers):
                door.first = server
                other = pages[0].context.new_page()
                begin_match(other, "bisque", "Ana", "Bo", "Cy")
                pages.append(other)
                if server is servers[1]:
                    door.tables[re.search(r"/t/[^/]+/", other.url)[0]] = server  # type: ignore[index]
            for server in servers:
                server.stop()
            for page in pages:
                trick(page, 1, 1, "8-waves-leaves")
                expect(page.locator(".pending-row")).to_have_text("Trick 1 of hand 1 waiting")
            servers[0].start()
            for page in (pages[0], pages[2]):
                expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
            wait_until(pages[0], lambda: len(kept_keys(pages[0])) == 1)
            servers[1].start()
            expect(pages[1].locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
            wait_until(pages[0], lambda: not kept_keys(pages[0]))
        finally:
            phones.close()
            door.shutdown()
            for server in servers:
                server.stop()


def test_rounds_of_beloz_are_entered_one_after_the_other_without_a_network(server: Server, phones: Phones) -> None:
    page = phones()
    sit_down_to_beloz(page, "Bo", "Cy", "Di")
    start_beloz(page)
    expect(page.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    page.locator("#now").get_by_role("button", name="Bo", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Who took the contract?")
    page.get_by_role("link", name=re.compile("Close|Back")).click()
    server.stop()
    page.get_by_role("button", name="Enter a round without a connection").click()
    form = page.locator("#whole-form")
    expect(form.locator("h2")).to_be_focused()
    expect(form.locator("[name=bidder]:checked")).to_have_value("1")
    for number, points in enumerate(("98", "90", "100"), start=1):
        expect(form.locator("output")).to_have_text(str(number))
        for name, value in {"bidder": "0", "flooded": "south", "team": "0", "last": "0"}.items():
            form.locator("label.tile", has=page.locator(f'[name={name}][value="{value}"]')).click()
        form.get_by_label("Their card points").fill(points)
        if number == 3:
            break  # in mid-form
        form.get_by_role("button", name="Save the round").click()
        expect(form.locator("[name=bidder]:checked")).to_have_count(0)
    expect(page.locator("#offline [data-totals]")).to_have_text("without 2 entries of this phone")
    expect(page.locator("#offline .pending-row")).to_have_text([re.compile("Round 2 waiting"), re.compile("Round 1 waiting")])
    server.start()
    expect(total(page, 0)).to_contain_text("208")
    expect(form.get_by_label("Their card points")).to_have_value("100")  # what was typed stays
    form.get_by_role("button", name="Save the round").click()
    expect(total(page, 0)).to_contain_text("318")
    expect(form).to_have_count(0)
    expect(page.locator("#offline")).to_be_empty()


def test_a_match_of_rivals_is_entered_to_its_end_without_a_network(server: Server, phones: Phones) -> None:
    page = phones()
    begin_match(page, "rivals", "Ana", "Bo")
    expect(page.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    server.stop()
    page.get_by_role("button", name="Enter a round without a connection").click()
    form = page.locator("#whole-form")
    for number in range(1, 4):
        expect(form.locator("output")).to_have_text(str(number))
        form.locator("label.tile", has=page.locator('[value="none"]')).click()
        form.locator("[name=whales-2-0]").first.select_option("6")
        form.get_by_role("button", name="Save the round").click()
    expect(form.locator("h2")).to_have_text("The final count")
    expect(form.locator("h2")).to_be_focused()
    fits(page)
    form.locator("[name=grey-0-1]").fill("4")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Enter the final count without a connection").click()  # it was thrown away: count again
    form.locator("[name=grey-0-3]").fill("8")
    form.locator("[name=grey-0-10]").fill("1")
    form.get_by_role("button", name="Save the count").click()
    expect(form).to_have_count(0)
    expect(page.locator("#offline [data-totals]")).to_have_text("without 4 entries of this phone")
    expect(page.locator("#offline .pending-row").first).to_have_text("The count waiting")
    expect(page.locator("#offline [data-whole-open]")).to_have_count(0)
    server.start()
    expect(page.locator("#ending")).to_contain_text("Ana wins")
    expect(total(page, 0)).to_have_text("34")
    expect(page.locator("#offline")).to_be_empty()


def test_entries_reach_the_server_by_another_phone_as_a_file(server: Server, phones: Phones, tmp_path: Path) -> None:
    ana = at_bisque(phones)
    server.stop()
    trick(ana, 1, 1, "8-waves-leaves")
    trick(ana, 2, 0, "ace-moons")
    expect(ana.locator(".pending-row")).to_have_count(2)
    with ana.expect_download() as handed:
        ana.get_by_role("button", name="Send as a file").click()
    file = tmp_path / handed.value.suggested_filename
    handed.value.save_as(file)
    assert "csrf_token" not in file.read_text()
    match = ana.url
    ana.goto("about:blank")
    server.start()
    bo = phones()
    bo.goto(match.rpartition("/m/")[0])
    say_who(bo, "Bo")
    bo.goto(f"{match.rpartition('/m/')[0]}/table")
    take = bo.locator("[data-take-in]")
    take.set_input_files({"name": "song.txt", "mimeType": "text/plain", "buffer": b"la la la"})
    expect(bo.locator("#toasts")).to_contain_text("That file holds no entries of Companion")
    for _ in range(2):  # reading the file twice counts nothing twice
        take.set_input_files(file)
    # the one told last is Trick 1 where that had been counted already when the file came once more
    expect(bo.locator("#toasts")).to_contain_text(re.compile("Trick [12]"))
    for page in (bo, ana):  # whose phone comes back, and sends them too
        page.goto(match)
        expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
        expect(page.locator("#offline")).to_be_empty()
    assert kept_keys(ana) == kept_keys(bo) == set()
