"""Is Companion in a phone taken along, played with no server there, restarted, and removed?"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Phones
from tests.browser.people import look, say_who, sit_down_to_beloz, wait_until
from tests.browser.test_beloz_table import play_round
from tests.browser.test_bisque_table import GOALS, POT, trick, turn_up
from tests.pocket.in_phone import InPhone
from tests.server import Server

# lets this worker read that a newer Companion has saved meanwhile
NEWER = """(schema) => {
  const { get } = Object.getOwnPropertyDescriptor(IDBRequest.prototype, "result");
  const newer = (found) => {
    if (typeof found === "number") return found + 1;
    if (!found?.database) return found;
    const text = [...found.database].map((code) => String.fromCharCode(code)).join("");
    const database = Uint8Array.from(text.replaceAll(schema, "9999"), (letter) => letter.charCodeAt(0));
    return { ...found, database };
  };
  Object.defineProperty(IDBRequest.prototype, "result", { get() { return newer(get.call(this)); } });
}"""
# asks several things before the first is answered
AT_ONCE = """async ([scripts, urls]) => {
  const { HTML, reach } = await import(`${scripts}connection.js`);
  return Promise.all(urls.map(async (url) => (await reach(url, { headers: HTML }))?.answer.status));
}"""
# writes the phone's database as a newer Companion leaves it, which waits for its turn
LEFT_BY_NEWER = """(schema) => navigator.locks.request("companion-pocket", async () => {
  const base = await new Promise((done) => {
    const asked = indexedDB.open("companion-pocket", 1);
    asked.onsuccess = () => done(asked.result);
  });
  const store = () => base.transaction("kept", "readwrite").objectStore("kept");
  const found = await new Promise((done) => (store().get("phone").onsuccess = ({ target }) => done(target.result)));
  const text = [...found.database].map((code) => String.fromCharCode(code)).join("");
  const database = Uint8Array.from(text.replaceAll(schema, "9999"), (letter) => letter.charCodeAt(0));
  store().put(found.number + 1, "number");
  const put = store().put({ ...found, database }, "phone");
  await new Promise((done) => (put.onsuccess = done));
  base.close();
  return text.includes("9999") || database.length;
})"""
# taps Stop as soon as some of it is there
STOPS = """() => {
  const words = document.querySelector(".take-along-count span");
  const seen = new MutationObserver(() => {
    if (parseInt(words.textContent) < 5) return;
    seen.disconnect();
    document.querySelector("[data-take-stop]").click();
    document.querySelector("#take-along").dataset.stopped = "";
  });
  seen.observe(words, { childList: true });
}"""
LINES = """(words) => {
  const range = document.createRange();
  range.selectNodeContents(words);
  return new Set([...range.getClientRects()].map(({ top }) => top)).size;
}"""
# how large the file is that later starts take; while it is written, this waits
MEMORY = """() => navigator.locks.request("companion-memory", async () => {
  const folder = await navigator.storage.getDirectory();
  const names = await Array.fromAsync(folder.keys());
  return names.includes("companion-memory") && (await (await folder.getFileHandle("companion-memory")).getFile()).size;
})"""
DAMAGE = """() => navigator.locks.request("companion-memory", async () => {
  const folder = await navigator.storage.getDirectory();
  const file = await (await folder.getFileHandle("companion-memory")).createWritable({ keepExistingData: true });
  await file.truncate(5_000_000);
  await file.close();
})"""
# whether what later starts take, or the database, holds these words
HOLDS = """async (words) => {
  const file = await navigator.locks.request("companion-memory", async () => {
    const folder = await navigator.storage.getDirectory();
    return (await folder.getFileHandle("companion-memory")).getFile();
  });
  const text = new TextDecoder("latin1").decode(await file.arrayBuffer());
  return words.filter((each) => text.includes(each));
}"""
READY = 120_000  # milliseconds on a busy machine until Python has started
LOOKS_AGAIN = 31_000  # milliseconds after which Chromium looks again whether there is room


def take_along(page: Page) -> None:
    """Open the home page and tap the offer."""
    page.goto("/")
    take(page)


def take(page: Page) -> None:
    """Tap the offer of the home page, and wait until all of Companion has come."""
    page.get_by_role("button", name=re.compile(r"Download \([0-9]+ MB\)")).click()
    expect(page.locator("#take-along").get_by_text("Companion is on this phone")).to_be_visible(timeout=READY)


def new_table(page: Page, game: str, *people: str) -> None:
    """Make a table in this phone, from the home page."""
    page.get_by_role("link", name="New table on this phone").click()
    expect(page.get_by_role("link", name="Shared tables")).to_be_visible(timeout=READY)
    page.get_by_role("link", name=re.compile(f"{game}.*Start at a table", re.DOTALL)).click()
    fields = page.locator("input[name^=person_]")
    expect(fields.first).to_be_visible()
    for field, name in zip(fields.all(), people, strict=False):
        field.fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("Only this phone has this table.")).to_be_visible()


def begin_beloz(page: Page) -> None:
    """Make a table of four in this phone, and start a match of BeloZ."""
    new_table(page, "BeloZ", "Ana", "Bo", "Cy", "Di")
    page.get_by_role("button", name="Start BeloZ").click()
    expect(page.locator("[data-score]").first).to_be_visible()


@pytest.fixture
def ana(people: Phones) -> Page:
    """Return a phone that has taken Companion along."""
    page = people(keeps_pages=True)
    take_along(page)
    return page


def test_a_table_of_the_phone_needs_no_server_and_survives_a_restart(ana: Page, server: Server) -> None:
    server.stop()
    begin_beloz(ana)
    play_round(ana, "Bo", "north", "100")
    expect(ana.locator("[data-score]").first).not_to_have_text("0")
    ana.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(ana.locator("[data-score]").first).to_have_text("0")
    ana.get_by_role("link", name="Count round 1").click()  # who took it, and the plain, are still known
    ana.locator('[data-key="9"]').click()
    ana.locator('[data-key="1"]').click()
    ana.locator("label.tile", has=ana.locator('input[name=last][value="0"]')).click()
    ana.get_by_role("button", name="Save round 1").click()
    expect(ana.locator("[data-score]").first).not_to_have_text("0")
    there = scores(ana)

    ana.reload()  # Python and everything else comes from this phone
    assert scores(ana) == there
    ana.goto("/")
    ana.get_by_role("link", name=re.compile("Continue: .*table")).click()
    expect(ana.locator("[data-score]").first).to_have_text(there[0], timeout=READY)


def test_rules_and_look_ups_are_in_the_phone_too(ana: Page, server: Server) -> None:
    server.stop()
    ana.goto("/pocket/may-i/beloz")
    expect(ana.get_by_role("heading", level=1)).to_contain_text("May I", timeout=READY)
    for address, words in (("/pocket/rules/rivals", "Rivals"), ("/pocket/calculate/bisque", "Calculate a hand")):
        ana.evaluate(f"location.href = '{address}'")
        expect(ana.get_by_role("heading", level=1)).to_contain_text(words, timeout=READY)


def make_sheet(page: Page, path: str, name: str) -> None:
    """Make a score sheet of one's own, and keep it."""
    page.goto(path)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Keep the sheet").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def expect_sheets(page: Page, place: str, *names: str) -> None:
    """Look whether these score sheets are kept in a place, the newest first."""
    page.goto(f"{place}more?group=own")
    expect(page.locator("a[data-kept] b")).to_have_text(list(names), timeout=READY)


def test_a_download_that_breaks_changes_nothing(people: Phones, server: Server) -> None:
    page = people(keeps_pages=True)
    make_sheet(page, "/more/make", "Sevens")
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")  # which has loaded what it needs itself
    loaded: list[str] = []
    asked: list[str] = []
    page.context.on("requestfinished", lambda request: loaded.append(urlsplit(request.url).path))
    page.context.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.evaluate(STOPS)  # in the middle of a file
    page.get_by_role("button", name=re.compile("Download")).click()
    expect(page.locator("#take-along")).to_have_attribute("data-stopped", "")
    expect(page.get_by_role("button", name=re.compile("Download"))).to_be_visible()
    expect(page.get_by_text("The download broke off.")).to_be_hidden()  # nobody need be told what they did
    page.context.route("**/pyodide.mjs", lambda route: route.abort())
    there = {path for path in loaded[:-1] if "/pocket/files/" in path}  # the last one may not have been kept yet
    assert there
    asked.clear()
    page.get_by_role("button", name=re.compile("Download")).click()
    expect(page.get_by_text("The download broke off.")).to_be_visible(timeout=READY)
    assert not there & set(asked)  # it goes on where it stopped
    assert page.evaluate("localStorage.getItem('companion:in-phone')") is None
    page.context.unroute("**/pyodide.mjs")
    held: list[Route] = []
    page.context.route("**/pocket/", lambda route: held.append(route))
    with page.expect_worker(timeout=READY):  # Python starts already: it has all that it needs
        page.get_by_role("button", name=re.compile("Download")).click()
    wait_until(page, lambda: bool(held))
    held[0].abort()
    wait_until(page, lambda: not page.workers)
    expect(page.get_by_text("The download broke off.")).to_be_visible()
    assert page.evaluate("localStorage.getItem('companion:in-phone')") is None
    page.context.unroute("**/pocket/")
    page.get_by_role("button", name=re.compile("Download")).click()
    expect(page.locator("#take-along").get_by_text("Companion is on this phone")).to_be_visible(timeout=READY)
    expect_sheets(page, "/pocket/", "Sevens")  # it came along


def test_stop_stops_where_no_service_worker_can_be_installed(people: Phones, server: Server) -> None:
    page = people(keeps_pages=True)
    never = "{ get: () => new Promise(() => {}) }"
    page.add_init_script(f"Object.defineProperty(ServiceWorkerContainer.prototype, 'ready', {never})")
    page.goto("/")
    page.get_by_role("button", name=re.compile("^Download")).click()
    expect(page.locator(".take-along-count span")).to_have_text("100%", timeout=READY)
    page.locator("[data-take-stop]").click()
    expect(page.get_by_role("button", name=re.compile("^Download"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^Download")).click()
    expect(page.get_by_text("This browser could not set it up.")).to_be_visible(timeout=READY)


def test_an_update_loads_only_what_has_changed_and_keeps_no_name_for_later_starts(ana: Page) -> None:
    new_table(ana, "BeloZ", "Annabella", "Bo", "Cy", "Di")
    assert ana.evaluate(HOLDS, ["Annabella", "companion.pocket"]) == ["companion.pocket"]
    listed = ana.evaluate("fetch('/pocket/files.json').then((answer) => answer.json())")
    changed = {**listed, "version": "another", "files": [{**file} for file in listed["files"]]}
    changed["files"][-1]["hash"] = "another"
    told = json.dumps(changed)
    ana.context.route("**/pocket/files.json", lambda route: route.fulfill(body=told, content_type="application/json"))
    loaded: list[str] = []
    ana.context.on("request", lambda request: loaded.append(urlsplit(request.url).path))
    ana.goto("/")
    ana.evaluate("document.querySelector('#take-along').dataset.version = 'another'")
    ana.evaluate("document.dispatchEvent(new Event('companion:load'))")
    ana.get_by_role("button", name=re.compile("^Download")).click()
    expect(ana.get_by_role("button", name=re.compile("^Download"))).to_be_hidden(timeout=READY)
    last = changed["files"][-1]["url"]
    wait_until(ana, lambda: last in loaded)
    assert not set(loaded[: loaded.index(last)]) & {file["url"] for file in changed["files"]}  # Python reads all afterwards
    wait_until(ana, lambda: ana.evaluate(MEMORY) > 20_000_000)
    assert ana.evaluate(HOLDS, ["Annabella", "companion.pocket"]) == ["companion.pocket"]


def test_a_phone_without_room_is_told_before_anything_is_lost(people: Phones, server: Server) -> None:
    page = people(keeps_pages=True)
    page.goto("/")
    line = page.context.new_cdp_session(page)
    here = {"origin": server.url.rstrip("/")}
    line.send("Storage.overrideQuotaForOrigin", {**here, "quotaSize": 1_000_000})
    page.get_by_role("button", name=re.compile("Download")).click()
    expect(page.get_by_text("This phone has too little room for it.")).to_be_visible()
    line.send("Storage.overrideQuotaForOrigin", here)
    take_along(page)
    line.send("Storage.overrideQuotaForOrigin", {**here, "quotaSize": 1_000})
    page.goto("/pocket/")
    expect(page.get_by_text("This phone’s storage is full. Nothing was saved")).to_be_visible(timeout=READY)
    line.send("Storage.overrideQuotaForOrigin", here)
    page.goto("/")
    new_table(page, "BeloZ", "Ana", "Bo", "Cy", "Di")


def test_what_finds_no_room_in_the_phone_is_not_saved_and_says_so(ana: Page, server: Server) -> None:
    server.stop()
    begin_beloz(ana)
    play_round(ana, "Ana", "north", "112")
    expect(ana.locator("#rows > details")).to_have_count(1)
    match = ana.url
    here = {"origin": server.url.rstrip("/")}
    ana.context.new_cdp_session(ana).send("Storage.overrideQuotaForOrigin", {**here, "quotaSize": 1_000})
    ana.wait_for_timeout(LOOKS_AGAIN)
    ana.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    expect(ana.get_by_text("This phone’s storage is full. Nothing was saved, and nothing was lost")).to_be_visible()
    ana.context.new_cdp_session(ana).send("Storage.overrideQuotaForOrigin", here)  # there is room again
    ana = restart(ana, match)
    assert scores(ana) == ["122", "41"]
    play_round(ana, "Ana", "north", "112")
    expect(ana.locator("#rows > details")).to_have_count(2)
    ana.reload()
    assert scores(ana) == ["244", "82"]


def test_later_starts_take_the_memory_of_the_first_and_its_room_is_free_for_entries(ana: Page, server: Server) -> None:
    wait_until(ana, lambda: ana.evaluate(MEMORY) > 20_000_000)
    server.stop()
    ana.evaluate(DAMAGE)
    new_table(ana, "BeloZ", "Ana", "Bo", "Cy", "Di")  # it starts from the beginning
    wait_until(ana, lambda: ana.evaluate(MEMORY) > 20_000_000)
    ana.get_by_role("button", name="Start BeloZ").click()
    assert scores(ana) == ["0", "0"]
    ana = restart(ana, ana.url)
    assert scores(ana) == ["0", "0"]
    used = ana.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")
    here = {"origin": server.url.rstrip("/"), "quotaSize": used}
    ana.context.new_cdp_session(ana).send("Storage.overrideQuotaForOrigin", here)
    ana.wait_for_timeout(LOOKS_AGAIN)
    play_round(ana, "Ana", "north", "112")
    expect(ana.locator("#rows > details")).to_have_count(1)
    assert not ana.evaluate(MEMORY)
    ana.reload()
    assert scores(ana) == ["122", "41"]


def test_a_page_that_finds_a_newer_companions_tables_goes_on_with_the_newer_one(ana: Page, server: Server) -> None:
    schema = ana.evaluate("fetch('/pocket/files.json').then((answer) => answer.json())")["schema"]
    server.stop()
    begin_beloz(ana)
    play_round(ana, "Ana", "north", "112")
    expect(ana.locator("#rows > details")).to_have_count(1)
    (older,) = ana.workers
    older.evaluate(NEWER, schema)
    phone = InPhone(ana)  # whatever is asked first starts the worker of the newer one
    assert ana.evaluate(AT_ONCE, [phone.scripts, ["/pocket/", "/pocket/rules", "/pocket/rules/beloz"]]) == [200] * 3
    play_round(ana, "Ana", "north", "112")
    expect(ana.locator("#rows > details")).to_have_count(2)
    assert older not in ana.workers
    assert scores(ana) == ["244", "82"]


def test_tables_of_a_newer_companion_are_left_as_they_are(ana: Page, server: Server) -> None:
    schema = ana.evaluate("fetch('/pocket/files.json').then((answer) => answer.json())")["schema"]
    server.stop()
    begin_beloz(ana)
    look(ana)
    assert ana.evaluate(LEFT_BY_NEWER, schema) is not True
    ana.locator("#now").get_by_role("button", name="Ana", exact=True).click()
    expect(ana.locator("#offline")).to_contain_text("Companion can’t answer just now. Nothing was saved.", timeout=READY)
    for path in ("/pocket/", "/pocket/rules"):
        ana.goto(path)
        expect(ana.get_by_text("a newer Companion has saved its tables")).to_be_visible(timeout=READY)
    assert ana.evaluate(LEFT_BY_NEWER, schema) is True


def test_storage_that_was_deleted_is_said_with_no_server_there(ana: Page, server: Server) -> None:
    new_table(ana, "BeloZ", "Ana", "Bo", "Cy", "Di")
    server.stop()
    line = ana.context.new_cdp_session(ana)
    line.send("Storage.clearDataForOrigin", {"origin": server.url.rstrip("/"), "storageTypes": "indexeddb"})
    ana = restart(ana, "/pocket/")  # Companion is there, the tables are not
    expect(ana.get_by_role("link", name="Shared tables")).to_be_visible(timeout=READY)
    expect(ana.locator(".known")).to_have_count(0)
    ana.evaluate("""async () => {
      for (const name of await caches.keys()) if (name.startsWith("pocket ")) await caches.delete(name);
    }""")
    ana = restart(ana, "/pocket/")
    expect(ana.get_by_role("main")).to_contain_text("Companion can’t start on this phone", timeout=READY)
    ana.get_by_role("link", name="To the home page").click()
    expect(ana.get_by_role("button", name=re.compile("Download"))).to_be_visible()


def test_storage_that_is_cleared_under_an_open_match_costs_it_nothing(ana: Page, server: Server) -> None:
    begin_beloz(ana)
    play_round(ana, "Ana", "north", "112")
    expect(ana.locator("#rows > details")).to_have_count(1)
    line = ana.context.new_cdp_session(ana)
    line.send("Storage.clearDataForOrigin", {"origin": server.url.rstrip("/"), "storageTypes": "indexeddb"})
    play_round(ana, "Ana", "north", "112")
    expect(ana.locator("#rows > details")).to_have_count(2)
    ana = restart(ana, ana.url)
    assert scores(ana) == ["244", "82"]
    line = ana.context.new_cdp_session(ana)
    for number in (3, 4):  # and all of it, just as it writes what other pages show
        ana.get_by_role("button", name="Everyone passed").click()
        expect(ana.locator("#rows > details")).to_have_count(number)
        line.send("Storage.clearDataForOrigin", {"origin": server.url.rstrip("/"), "storageTypes": "all"})
        ana.wait_for_timeout(900)


def test_a_language_chosen_in_the_phone_holds_at_the_server_too(ana: Page) -> None:
    ana.goto("/pocket/")
    ana.locator("summary[aria-label=Appearance]").click(timeout=READY)
    ana.get_by_role("button", name="Deutsch").click()
    expect(ana.locator("html")).to_have_attribute("lang", "de")
    ana.goto("/")
    expect(ana.locator("html")).to_have_attribute("lang", "de")


def test_tables_are_not_hidden_where_the_server_offers_companion_no_longer(ana: Page, server: Server) -> None:
    new_table(ana, "BeloZ", "Ana", "Bo", "Cy", "Di")
    server.stop()
    server.environment["COMPANION_SERVICE_WORKER"] = "no"
    server.start()
    ana.goto("/")
    expect(ana.locator(".known")).to_be_visible()
    wait_until(ana, lambda: not ana.evaluate("caches.keys()"))  # its service worker has left, with all that it kept
    for _ in range(2):  # the first of these pages finds out that Companion is lost
        ana.goto("/")
        expect(ana.locator(".known")).to_be_visible()
    ana.locator(".known").get_by_role("link").click()
    expect(ana.get_by_text("Your tables stay on this phone.")).to_be_visible(timeout=READY)


def test_half_an_update_stops_nothing(ana: Page, server: Server) -> None:
    new_table(ana, "BeloZ", "Ana", "Bo", "Cy", "Di")
    ana.evaluate("caches.open('pocket 0').then((cache) => cache.put('/half', new Response('')))")
    server.stop()
    ana.get_by_role("button", name="Start BeloZ").click()
    expect(ana.locator("[data-score]").first).to_be_visible()
    ana = restart(ana, ana.url)
    assert scores(ana) == ["0", "0"]


def test_two_pages_of_one_phone_have_the_same_tables(ana: Page, server: Server) -> None:
    server.stop()
    begin_beloz(ana)
    other = ana.context.new_page()
    other.goto(ana.url)
    assert scores(other) == ["0", "0"]
    home = ana.context.new_page()
    home.goto("/")
    expect(home.get_by_role("link", name=re.compile("Continue: .*table"))).to_be_in_viewport()  # before the games
    for page, count in ((ana, 1), (other, 2)):
        page.bring_to_front()
        play_round(page, "Ana", "north", "112")
        for each in (ana, other):  # without a reload
            each.bring_to_front()
            expect(each.locator("#rows > details")).to_have_count(count, timeout=READY)
    expect(home.locator(".known").first).to_contain_text("Ana & Cy 244, Bo & Di 82", timeout=READY)
    assert scores(ana) == scores(other) == ["244", "82"]


def test_removed_it_is_offered_again_and_nothing_stays(ana: Page, tmp_path: Path) -> None:
    begin_beloz(ana)
    play_round(ana, "Ana", "north", "112")
    expect(ana.locator("#rows > details")).to_have_count(1)
    ana.goto("/")
    ana.get_by_role("button", name="Remove").first.click()
    expect(ana.locator("dialog[open]")).to_contain_text("The tables that are only on this phone would be gone.")
    ana.set_viewport_size({"width": 360, "height": 640})
    ana.evaluate("document.documentElement.style.fontSize = '32px'")
    assert ana.locator("dialog[open] h2").evaluate(LINES) <= 4  # no word is broken
    with ana.expect_download(timeout=READY) as exported:
        ana.locator("dialog[open]").get_by_role("link", name=re.compile(r"^Export: \w+ table$")).click()
    file = tmp_path / "table.json"
    exported.value.save_as(file)
    assert [match["game"] for match in json.loads(file.read_text())["matches"]] == ["beloz"]
    ana.locator("dialog[open]").get_by_role("button", name="Remove").click()
    expect(ana.get_by_role("button", name=re.compile("Download"))).to_be_visible()
    assert not [name for name in ana.evaluate("caches.keys()") if name.startswith("pocket ")]
    assert ana.evaluate("indexedDB.databases().then((all) => all.map(({ name }) => name))") in ([], ["companion"])
    assert not ana.evaluate(MEMORY)
    ana.goto("/pocket/")
    expect(ana.get_by_text("Companion can’t start on this phone")).to_be_visible()


def scores(page: Page) -> list[str]:
    """Return what both teams have, once the match is in sight."""
    expect(page.locator("[data-score]").first).to_be_visible(timeout=READY)
    return page.locator("[data-score]").all_inner_texts()


def at_the_server(page: Page) -> str:
    """Return a match of BeloZ on the server with one round, and the address of its table."""
    sit_down_to_beloz(page, "Bo", "Cy", "Di")
    page.get_by_role("button", name="Start BeloZ").click()
    play_round(page, "Bo", "north", "100")
    return page.url.rpartition("/m/")[0]


def go_on_in_phone(page: Page, table: str) -> None:
    """Take the table along, and open its match there."""
    page.goto(f"{table}/table")
    page.get_by_role("button", name="Get this table on this phone").click()
    expect(page.get_by_text("There is nothing new to send.")).to_be_visible(timeout=READY)
    expect(page.get_by_text("You are Ana")).to_be_visible()
    page.get_by_role("link", name="Go to the match").first.click()
    expect(page.locator("[data-score]").first).to_be_visible()


def bring_back(page: Page) -> None:
    """Go from the match in the phone to its table, and bring it back to the server."""
    page.get_by_role("link", name="Back").click()
    page.get_by_role("button", name="Send it to the table").click()


def restart(page: Page, path: str) -> Page:
    """Switch the phone off and on again; return what its browser opens at this address."""
    again = page.context.new_page()
    page.close()
    again.goto(path)
    return again


def record(page: Page, match: str) -> dict[str, Any]:
    """Return the record of a match, wherever its address leads."""
    return dict(json.loads(InPhone(page).get(f"{match}/record.json").text))


def test_a_match_goes_on_without_the_server_to_1000_and_every_entry_comes_back_once(ana: Page, server: Server) -> None:
    table = at_the_server(ana)  # 63 to 100
    make_sheet(ana, "/more/make", "Sevens")
    go_on_in_phone(ana, table)
    match = urlsplit(ana.url).path
    server.stop()
    ana.goto(f"{table}/m/1")  # as the service worker kept it
    ana.locator("#offline").get_by_role("link", name="Keep playing on this phone").click()
    expect(ana.get_by_text("It has nothing new for it.").or_(ana.locator("[data-score]").first)).to_be_visible(timeout=READY)
    ana.goto(match)
    expect(ana.locator("[data-score]").first).to_be_visible(timeout=READY)
    for number in (2, 3, 4):
        play_round(ana, "Ana", "north", "112")
        expect(ana.locator("#rows > details")).to_have_count(number)
    ana.get_by_label("More about this match").click()
    ana.get_by_role("link", name="May I?").click()
    expect(ana.get_by_role("heading", level=1)).to_contain_text("May I", timeout=READY)
    ana = restart(ana, "/")  # Python and everything else comes from this phone
    ana.get_by_role("link", name=re.compile("Continue: .*table")).click()
    assert scores(ana) == ["429", "223"]
    for number in range(5, 10):
        play_round(ana, "Ana", "north", "112")
        expect(ana.locator("#rows > details")).to_have_count(number)
    expect(ana.locator("#ending")).to_contain_text("Ana & Cy win")
    expect(ana.locator("#ending")).to_contain_text("1,039 to 428")
    played = record(ana, match)
    expect_sheets(ana, "/pocket/", "Sevens")
    make_sheet(ana, "/pocket/more/make", "Eights")
    ana.goto(match)
    expect(ana.locator("#ending")).to_be_visible(timeout=READY)  # the page before it has a way back of its own
    bring_back(ana)
    expect(ana.get_by_text("No connection. Nothing was saved").first).to_be_visible(timeout=READY)
    server.start()
    expect(ana.get_by_text("8 entries are only on this phone.")).to_be_visible()
    ana.get_by_role("button", name="Send it to the table").click()
    expect(ana.get_by_text("8 entries of this phone count here now.")).to_be_visible(timeout=READY)
    ana.goto(f"{table}/m/1")
    expect(ana.locator("#ending")).to_contain_text("1,039 to 428")
    assert record(ana, f"{table}/m/1")["events"] == played["events"]
    ana.goto("/pocket/")
    expect(ana.get_by_role("link", name="Shared tables")).to_be_visible(timeout=READY)
    expect(ana.locator(".known")).to_have_count(0)
    expect_sheets(ana, "/", "Eights", "Sevens")


def test_a_hand_of_bisque_in_the_phone_is_put_online(ana: Page, server: Server) -> None:
    server.stop()
    new_table(ana, "Bisque", "Ana", "Bo", "Cy")
    ana.get_by_role("button", name="Start Bisque").click()
    for number, card in enumerate(POT):
        trick(ana, number + 1, number % 3, card)
    for cook, goal in enumerate(GOALS):
        turn_up(ana, cook, goal)
    ana.get_by_role("button", name="Save hand 1").click()
    expect(ana.locator("#trick-title")).to_have_text("Who won trick 1?")
    there, played = scores(ana), record(ana, urlsplit(ana.url).path)
    assert sorted(there) == ["17", "18", "19"]
    ana.get_by_role("link", name="Back").click()
    server.start()
    ana.get_by_role("button", name="Put it online").click()
    expect(ana.get_by_text("12 entries of this phone count here now.")).to_be_visible(timeout=READY)
    ana.get_by_role("link", name="To the table", exact=True).click()
    ana.get_by_role("link", name="Go to the match").first.click()
    assert scores(ana) == there
    assert "/pocket/" not in ana.url
    assert record(ana, urlsplit(ana.url).path)["events"] == played["events"]


def test_what_was_entered_on_both_sides_is_shown_and_a_person_chooses(ana: Page, people: Phones) -> None:
    table = at_the_server(ana)
    go_on_in_phone(ana, table)
    play_round(ana, "Bo", "north", "90")
    there = scores(ana)
    bo = people()
    bo.goto(table)
    say_who(bo, "Bo")
    bo.goto(f"{table}/m/1")
    play_round(bo, "Bo", "south", "70")
    bring_back(ana)
    expect(ana.get_by_text("The others played on at the table.")).to_be_visible(timeout=READY)
    ana.get_by_role("button", name="Use this phone’s entries").click()
    expect(ana.get_by_text("1 entry of this phone counts here now.")).to_be_visible(timeout=READY)
    expect(bo.locator("[data-score]").first).to_have_text(there[0])


def test_a_table_of_the_phone_is_put_online_once_and_others_join_it(ana: Page) -> None:
    begin_beloz(ana)
    play_round(ana, "Bo", "north", "100")
    there = scores(ana)
    ana.get_by_role("link", name="Back").click()
    expect(ana.get_by_role("button", name="Put it online")).to_be_visible()
    other = ana.context.new_page()
    other.goto(ana.url)
    expect(other.get_by_role("button", name="Put it online")).to_be_visible(timeout=READY)
    for page in (ana, other):
        page.evaluate("document.querySelector('[data-carry-back]').click()")
    expect(ana.get_by_text("1 entry of this phone counts here now.")).to_be_visible(timeout=READY)
    expect(other.get_by_text("This phone does not have this table.")).to_be_visible(timeout=READY)
    other.close()
    ana.get_by_role("link", name="To the table", exact=True).click()
    ana.get_by_role("link", name="Go to the match").first.click()
    assert "/pocket/" not in ana.url
    assert scores(ana) == there
    ana.get_by_role("link", name="Back").click()
    expect(ana.get_by_text("You are Ana")).to_be_visible()
    ana.goto("/")
    expect(ana.locator(".known")).to_have_count(1)


def test_the_seed_of_a_sealed_bag_goes_online_with_its_table(ana: Page) -> None:
    new_table(ana, "Beluga Cup", "Ana", "Bo")
    ana.get_by_role("button", name="Start Beluga Cup").click()
    ana.get_by_role("button", name=re.compile("^Draw 10 fish")).click()
    expect(ana.get_by_role("button", name=re.compile("^Draw 10 fish"))).to_have_count(0)
    ana.get_by_role("link", name="Back").click()
    expect(ana.get_by_text("Match 1 has a sealed bag.")).to_be_visible()
    ana.get_by_role("button", name="Show the seed and put it online").click()
    expect(ana.get_by_text("1 entry of this phone counts here now.")).to_be_visible(timeout=READY)
    ana.get_by_role("link", name="To the table", exact=True).click()
    ana.get_by_role("link", name="Go to the match").first.click()
    ana.wait_for_url("**/m/1")
    ana.goto(f"{ana.url}/seal")
    expect(ana.get_by_text("The bag is open")).to_be_visible()
