"""What does a phone keep of entries that can't be sent, and what does it say where keeping fails?"""

from __future__ import annotations

import json
import re
import socket
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Browser, Download, FilePayload, Page, Route, expect

from companion.storage.instance import secret_key
from tests.browser.conftest import Phones
from tests.browser.looks import SETTLE, fits, shot
from tests.browser.people import begin_match, come, kept_keys, look, say_who, total, wait_until
from tests.browser.test_taps import trick
from tests.browser.test_what_the_fish_table import DuelTaps
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
HIDDEN = """() => [...document.querySelectorAll("#offline :is(b, h2, small), .offline-bar > p")]
  .filter((words) => {
    if (!words.checkVisibility()) return false;
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
        expect(page.locator(".pending-row")).to_have_text(
            re.compile("^Trick 1 of hand 1 .* won, 8 Mill, waves and leaves waiting$")
        )
        expect(page.locator(".pending-row")).to_be_in_viewport()
    expect(several["no"].locator("#offline")).to_contain_text("This browser won’t save anything. Leave this page open")
    expect(several["full"].locator("#offline")).to_contain_text("This phone’s storage is full. Leave this page open")
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
    expect(page.locator(".pending-row")).to_have_text(re.compile("^Trick 1 of hand 1 .* won, 8 Mill, waves and leaves sent$"))
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
    expect(other.locator(".pending-row")).to_have_text(
        re.compile("^Trick 1 of hand 1 .* won, 8 Mill, waves and leaves waiting$")
    )
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


def test_what_waits_is_in_sight_however_wide_the_screen_is(server: Server, phones: Phones) -> None:
    games = {"beloz": 4, "beluga-cup": 2, "bisque": 3, "rivals": 2, "what-the-fish": 3}
    pages = {}
    for game, players in games.items():
        pages[game] = phones()
        begin_match(pages[game], game, *("Ana", "Bo", "Cy", "Di")[:players])
        expect(pages[game].locator("[data-live-dot]").first).not_to_have_class(re.compile(r"\boff\b"))
    server.stop()
    for page in pages.values():
        expect(page.locator("#offline")).to_contain_text("No connection.")
        page.evaluate(WAITS)
        expect(page.locator(".pending-row")).to_have_text("Round 1 waiting")
    hidden = {}
    for width, height in ((844, 390), (1280, 800)):
        for game, page in pages.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLE)
            hidden[game, width] = page.evaluate(HIDDEN)
    server.start()
    assert [where for where, words in hidden.items() if words] == []


class Door(ThreadingTCPServer):
    """One address, behind which several servers each have tables of their own."""

    allow_reuse_address = daemon_threads = True
    block_on_close = False

    def __init__(self, first: Server) -> None:
        super().__init__(("127.0.0.1", 0), Inside)
        self.port = self.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.first = first
        self.tables: dict[str, Server] = {}  # by path, of those on another server

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
                expect(page.locator(".pending-row")).to_have_text(
                    re.compile("^Trick 1 of hand 1 .* won, 8 Mill, waves and leaves waiting$")
                )
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
    begin_match(page, "beloz", "Ana", "Bo", "Cy", "Di")
    expect(page.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    page.locator("#now").get_by_role("button", name="Bo", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Who took the contract?")
    page.get_by_role("link", name=re.compile("Close|Back")).click()
    server.stop()
    page.get_by_role("link", name="Count round 1").click()  # which this phone never opened
    expect(page.locator("#offline")).to_contain_text("This page opens once there is a connection.")
    page.get_by_role("button", name="Enter a round without a connection").click()
    form = page.locator("#whole-form")
    expect(form.locator("h2")).to_be_focused()
    expect(form.locator("[name=bidder]:checked")).to_have_value("1")
    for number, points in enumerate(("98", "90", "100"), start=1):
        expect(form.locator("output")).to_have_text(str(number))
        for name, value in {"bidder": "0", "flooded": "south", "team": "0", "last": "0"}.items():
            form.locator("label.tile", has=page.locator(f'[name={name}][value="{value}"]')).click()
        form.get_by_label("Their card points").fill("999")
        form.get_by_role("button", name="Save the round").click()
        expect(form.locator("output")).to_have_text(str(number))  # more than all the cards are worth
        form.get_by_label("Their card points").fill(points)
        if number == 3:
            break  # in mid-form
        form.get_by_role("button", name="Save the round").click()
        expect(form.locator("[name=bidder]:checked")).to_have_count(0)
        kept = form.get_by_text(f"Round {number} is kept on this phone. Ana took it, Ana & Cy {points}")
        expect(kept).to_be_in_viewport()
    expect(page.locator("#offline [data-totals]")).to_have_text("without 2 entries of this phone")
    expect(page.locator("#offline .pending-row")).to_have_text(
        [re.compile(r"Round 2 Ana took it, Ana & Cy 90\s+waiting"), re.compile(r"Round 1 Ana took it, Ana & Cy 98\s+waiting")]
    )
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
    server.stop(SIGKILL)
    no_connection(page)  # until it is said, the line with the button is drawn anew, and a tap on it may be lost
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
    look(ana)
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
    expect(bo.locator("#take-in")).to_be_hidden()
    for _ in range(2):  # reading the file twice counts nothing twice
        take.set_input_files(file)
    # the one told last is Trick 1 where that had been counted already when the file came once more
    expect(bo.locator("#toasts")).to_contain_text(re.compile("Trick [12]"))
    for page in (bo, ana):  # whose phone comes back, and sends them too
        page.goto(match)
        expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
        expect(page.locator("#offline")).to_be_empty()
    assert kept_keys(ana) == kept_keys(bo) == set()


def file_of(*entries: tuple[str, dict[str, str]], what: str = "Trick 1") -> FilePayload:
    """Return a file as another phone hands it on, or a stranger: addresses, and what is sent there."""
    told = [
        {"key": key, "what": what, "path": path, "body": urlencode({"idempotency_key": key, **sent})}
        for number, (path, sent) in enumerate(entries)
        for key in [f"handed-{number}"]
    ]
    body = json.dumps({"file": "companion entries 1", "entries": told})
    return {"name": "entries.txt", "mimeType": "text/plain", "buffer": body.encode()}


def test_a_file_that_does_more_than_enter_is_asked_about_first(server: Server, phones: Phones) -> None:
    bo = phones(width=360, height=640)
    begin_match(bo, "rivals", "Bo", "Ana")
    match = urlsplit(bo.url).path
    table = match.partition("/m/")[0]
    bo.goto(f"{server.url}{table}/table")
    stop, first, second = (
        (f"{match}/stop", {"expected_seq": "0"}),
        (f"{match}/undo", {"of": "1"}),
        (f"{match}/undo", {"of": "2"}),
    )
    file = file_of((f"{match}/round", {}), stop, first, second)
    take, question, posts = bo.locator("[data-take-in]"), bo.locator("#take-in"), []
    bo.on("request", lambda asked: posts.append(urlsplit(asked.url).path) if asked.method == "POST" else None)
    for said in (
        ["In Bo’s name, it will:", "stop match 1", "undo 2 entries of match 1", "save 1 entry", "Take nothing"],
        [
            "Sous le nom « Bo », il va :",
            "arrêter la partie 1",
            "annuler 2 saisies de la partie 1",
            "enregistrer 1 saisie",
            "Ne rien importer",
        ],
        [
            "Im Namen von Bo wird sie:",
            "Partie 1 abbrechen",
            "2 Einträge der Partie 1 zurücknehmen",
            "1 Eintrag speichern",
            "Nichts übernehmen",
        ],
    ):
        take.set_input_files(file)
        expect(question.locator("[data-whose], li")).to_have_text(said[:-1])
        shot(bo, f"take-in-{said[1][:4]}")
        question.get_by_role("button", name=said[-1]).click()
        expect(question).to_be_hidden()
        assert kept_keys(bo) == set()
        assert posts == []
        following = {"stop match 1": "Français", "arrêter la partie 1": "Deutsch"}.get(said[1])
        if following:
            bo.locator("#bar summary").click()
            bo.get_by_role("button", name=following).click()
            expect(bo.locator("html")).to_have_attribute("lang", "fr" if following == "Français" else "de")
            posts.clear()
    take.set_input_files(file_of(stop))
    question.get_by_role("button", name="Übernehmen", exact=True).click()
    expect(bo.locator("#toasts")).to_contain_text("Die Partie ist abgebrochen")
    assert set(posts) == {f"{match}/stop"}  # once more with this phone's own token


def test_nothing_is_taken_from_a_strangers_file(server: Server, phones: Phones) -> None:
    bo = phones()
    begin_match(bo, "rivals", "Bo", "Ana")
    bo.goto(f"{bo.url.partition('/m/')[0]}/table")
    trick = "/t/a/m/1/trick"
    for file, sentence in (
        (file_of(*[(trick, {})] * 101), "too large: 100 entries at most"),
        (file_of((trick, {}), what="x" * 1000), "holds no entries"),
        (file_of((trick, {"tap": "x" * 300_000})), "too large"),
        (file_of(("/t/a/m/1/seal", {})), "holds no entries"),
        (file_of((trick, {"tap": "x" * 40_000})), "holds no entries"),
        (file_of(("/t/a/leave", {})), "holds no entries"),
    ):
        bo.locator("#toasts").evaluate("toasts => toasts.replaceChildren()")
        bo.locator("[data-take-in]").set_input_files(file)
        expect(bo.locator("#toasts")).to_contain_text(sentence)
        assert kept_keys(bo) == set()


def test_more_than_a_file_takes_is_sent_as_several(server: Server, phones: Phones) -> None:
    bo = phones()
    begin_match(bo, "rivals", "Bo", "Ana")
    bo.context.set_offline(True)
    bo.evaluate(
        """async () => {
          const scripts = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
          const { takeIn } = await import(`${scripts}outbox-store.js`);
          const keys = Array.from({ length: 101 }, (_, number) => `key-${number}`);
          const url = `${location.origin}/t/a/m/1/trick`;
          takeIn(keys.map((key) => ({ key, at: Date.now(), what: "Trick", url, body: `idempotency_key=${key}` })));
          document.dispatchEvent(new Event("companion:outbox"));
        }"""
    )
    sent: list[Download] = []
    bo.on("download", lambda file: sent.append(file))
    bo.get_by_role("button", name="Send as a file").click()
    wait_until(bo, lambda: len(sent) == 2)
    told = [json.loads(Path(file.path()).read_text())["entries"] for file in sent]
    assert [len(entries) for entries in told] == [100, 1]
    assert [entry["key"] for entries in told for entry in entries] == [f"key-{number}" for number in range(101)]


def no_connection(page: Page) -> None:
    """Wait until the phone has told that the server is gone: at once where it hung up."""
    expect(page.locator("#offline")).to_contain_text("No connection.", timeout=3000)


def test_two_phones_that_entered_the_same_without_a_server_end_with_each_trick_once(server: Server, phones: Phones) -> None:
    ana = at_bisque(phones)
    bo = come(phones(width=360, height=640), ana, "Bo")
    expect(bo.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    server.stop(SIGKILL)
    for page in (ana, bo):
        no_connection(page)
    tricks = [(1, "8-waves-leaves"), (0, "ace-moons"), (2, "9-moons-suns")]
    for number, (by, card) in enumerate(tricks, start=1):
        trick(ana, number, by, card)
        trick(bo, number, 1 if number == 2 else by, card)  # Bo saw the second otherwise
    expect(bo.locator(".pending-row > p")).to_have_text(
        [
            "Trick 3 of hand 1 Bo won, 9 Pact, moons and suns",
            "Trick 2 of hand 1 Cy won, Ace of moons",
            "Trick 1 of hand 1 Cy won, 8 Mill, waves and leaves",
        ]
    )
    shot(bo, "outbox-waiting")
    bo.close()
    server.start()
    expect(ana.locator(".pot")).to_have_attribute("aria-label", "The pot: 3 of 11 cards")
    bo = bo.context.new_page()
    bo.set_viewport_size({"width": 360, "height": 640})
    bo.goto(ana.url)
    expect(bo.locator('.pending-row[data-state="refused"] [data-what]')).to_have_text(["Trick 2 of hand 1"])
    shot(bo, "outbox-refused")
    bo.get_by_role("button", name="Discard").hover()
    bo.mouse.down()
    bo.evaluate("document.dispatchEvent(new Event('companion:outbox'))")  # its list is drawn anew while it is pressed
    bo.mouse.up()  # Ana's is right
    expect(bo.locator("#toasts")).to_contain_text(re.compile("Trick 2.* stays as it was saved"))
    expect(bo.locator(".pot")).to_have_attribute("aria-label", "The pot: 3 of 11 cards")
    expect(bo.locator("#offline")).to_be_empty()
    assert kept_keys(bo) == set()
    expect(bo.locator("#trick-title")).to_have_text("Who won trick 4?")


def test_what_waits_can_be_taken_back_and_put_back(server: Server, phones: Phones) -> None:
    page = at_bisque(phones)
    trick(page, 1, 1, "8-waves-leaves")
    expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
    server.stop(SIGKILL)
    no_connection(page)
    for number, card in enumerate(("ace-moons", "9-moons-suns", "7-suns-knots"), start=2):
        trick(page, number, 0, card)
    page.locator('[form="undo-newest"]').first.click()
    expect(page.locator("#offline")).to_contain_text("Can’t undo without a connection. Your 3 entries are kept.")
    rows = page.locator(".pending-row")
    rows.nth(1).get_by_role("button", name="Take back Trick 3 of hand 1").click()
    expect(rows).to_have_count(2)
    expect(page.locator("#trick-title")).to_have_text("Who won trick 4?")
    expect(page.locator('#trick [value="9-moons-suns"]')).to_be_enabled()
    page.get_by_role("button", name="Undo", exact=True).last.click()
    expect(rows).to_have_count(3)
    expect(page.locator('#trick [value="9-moons-suns"]')).to_be_disabled()
    rows.nth(0).get_by_role("button", name="Take back").click()
    rows.nth(1).get_by_role("button", name="Take back").click()
    expect(rows).to_have_count(1)
    server.start()
    expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
    expect(page.locator("#offline")).to_be_empty()


# the words and keys of a swim of which a part is below the screen or under something else
OUT_OF_SIGHT = """() => [...document.querySelectorAll(".duel-number, #keys .key, .keypad .key, .duel-ends .button")]
  .filter((each) => {
    const { left, top, right, bottom, width } = each.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !width || top < 0 || bottom > innerHeight + 1 || !(each.contains(over) || over?.contains(each));
  })
  .map((each) => each.textContent.trim())"""


def test_the_number_and_the_keys_of_a_swim_stay_in_sight_while_cards_wait(server: Server, phones: Phones) -> None:
    page = phones(width=360, height=640)
    begin_match(page, "what-the-fish", "Ana", "Bo", "Cy")
    expect(page.locator("[data-live-dot]")).not_to_have_class(re.compile(r"\boff\b"))
    DuelTaps(page).play("Ana", "8")
    expect(page.locator(".duel-number")).to_contain_text("8")
    server.stop(SIGKILL)
    no_connection(page)
    for digits in ("4", "3", "2"):
        DuelTaps(page).play("Bo", digits)
    expect(page.locator(".pending-row")).to_have_count(3)
    page.locator("#toasts > *").evaluate_all("(toasts) => toasts.forEach((toast) => toast.remove())")
    shot(page, "fish-waiting")
    hidden = page.evaluate(OUT_OF_SIGHT)
    server.start()
    expect(page.locator("#duel")).to_contain_text("10 or more saves it")
    assert hidden == []


def test_rounds_behind_a_refused_one_go_on_once_it_is_answered(server: Server, phones: Phones) -> None:
    ana = phones(width=360, height=640)
    begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di")
    bo = come(phones(), ana, "Bo")
    for page in (ana, bo):
        expect(page.locator("[data-live-dot]").first).not_to_have_class(re.compile(r"\boff\b"))
    server.stop(SIGKILL)
    for page, rounds in ((ana, ("98", "90", "83")), (bo, ("77",))):
        no_connection(page)
        page.get_by_role("button", name="Enter a round without a connection").click()
        form = page.locator("#whole-form")
        for number, points in enumerate(rounds, start=1):
            expect(form.locator("output")).to_have_text(str(number))
            for name, value in {"bidder": "0", "flooded": "south", "team": "0", "last": "0"}.items():
                form.locator("label.tile", has=page.locator(f'[name={name}][value="{value}"]')).click()
            form.get_by_label("Their card points").fill(points)
            form.get_by_role("button", name="Save the round").click()
        expect(page.locator(".pending-row")).to_have_count(len(rounds))
    match = ana.url
    ana.close()
    server.start()
    expect(total(bo, 0)).to_contain_text("0")
    expect(bo.locator("#offline")).to_be_empty()
    ana = ana.context.new_page()
    ana.set_viewport_size({"width": 360, "height": 640})
    ana.goto(match)
    rows = ana.locator(".pending-row")
    expect(rows.locator("[data-what]")).to_have_text(["Round 1", "Round 2", "Round 3"])
    expect(ana.get_by_role("button", name="Try again")).to_have_count(2)
    expect(rows.last).to_contain_text("It follows once the entry before it is settled.")
    ana.reload()  # they are there, in this order, after a restart too
    expect(rows.locator("[data-what]")).to_have_text(["Round 1", "Round 2", "Round 3"])
    shot(ana, "rounds-behind")
    ana.get_by_role("button", name="Enter it again").click()
    expect(ana.get_by_role("heading", level=1)).to_have_text("Round 1 was entered twice")
    ana.get_by_role("button", name=re.compile("Use my")).click()
    expect(total(bo, 0)).to_contain_text("301")
    expect(ana.locator("#offline")).to_be_empty()
    assert kept_keys(ana) == set()
