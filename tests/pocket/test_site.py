"""Is Companion played from a folder of files, below a path, and with the file server taken away afterwards?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.browser.people import wait_until
from tests.pocket.folder import BELOW, Plain, Served, served_from, write
from tests.server import Server

TAKEN = "async () => (await (await caches.match('/club/pocket/files.json')).json()).version"  # of the Companion in this phone
MEMORY = """async () => {
  const names = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
  return names;
}"""
PART = re.compile("/pocket/files/[0-9a-f]{16}$")  # other names there are files that the phone has put together
READY = 120_000  # milliseconds on a busy machine until Python has started


def version(folder: Path) -> str:
    """Return which Companion lies there."""
    named: str = json.loads((folder / BELOW.strip("/") / "pocket" / "files.json").read_text("utf-8"))["version"]
    return named


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder above the site: it lies below a path."""
    return write(tmp_path_factory.mktemp("www"))


@pytest.fixture
def served(folder: Path) -> Iterator[Served]:
    with served_from(folder) as serving:
        yield serving


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    context = browser.new_context(
        base_url=served.url, viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en"
    )
    yield context.new_page()
    context.close()


def test_every_address_of_a_page_lies_below_the_path_and_is_a_file_or_the_phones_own(folder: Path) -> None:
    for file in folder.rglob("*.html"):
        for address in re.findall(r'\s(?:href|src|action)="(/[^"#?]*)', file.read_text("utf-8")):
            assert address.startswith(BELOW), (file, address)
            place = folder / address.strip("/")
            if not address.startswith(f"{BELOW}pocket/"):
                assert (place / "index.html").is_file() or place.is_file(), (file, address)


@pytest.mark.parametrize(("path", "title"), [("", "What’s"), ("fr/", "joue-t-on"), ("de/", "Tisch")])
def test_home_is_there_in_each_language_before_anything_is_loaded(folder: Path, path: str, title: str) -> None:
    page = (folder / BELOW.strip("/") / path / "index.html").read_text("utf-8")
    assert re.search(rf"<h1[^>]*>[^<]*(?:{title})", page)
    assert "BeloZ" in page


def test_its_icon_opens_the_home_page_from_files_that_are_there(folder: Path) -> None:
    described = json.loads((folder / BELOW.strip("/") / "manifest.webmanifest").read_text("utf-8"))
    assert (described["start_url"], described["scope"]) == (BELOW, BELOW)
    assert {"180x180", "512x512"} & {icon["sizes"] for icon in described["icons"]}
    for picture in (*described["icons"], *described["screenshots"]):
        assert (folder / picture["src"].strip("/")).is_file()


def sit_down(page: Page) -> None:
    """Come to the home page, type four names while the rest comes, and wait for their table."""
    page.goto(BELOW)
    page.get_by_role("link", name=re.compile("BeloZ.*Start at a table", re.DOTALL)).click()
    for number, name in enumerate(("Ana", "Bo", "Cy", "Di")):
        page.locator(f"input[name=person_{number}]").fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text("Only this phone has this table.")).to_be_visible(timeout=READY)


def test_names_are_typed_while_the_rest_comes_and_the_table_then_opens(page: Page, served: Served) -> None:
    page.goto(BELOW)
    expect(page.get_by_text("Begin now, the rest is coming.")).to_be_visible()
    expect(page.get_by_role("link", name="Read the rules: BeloZ")).to_be_visible()
    sit_down(page)
    expect(page).to_have_url(re.compile(f"{BELOW}pocket/t/[^/]+/table"))
    expect(page.get_by_role("link", name="Put it online")).to_be_visible()
    page.get_by_role("button", name="Start BeloZ").click()
    expect(page.locator("[data-score]").first).to_be_visible()
    match = page.url

    # the file server goes: the match opens anew, and so does the home page with its table
    served.stop()
    page.goto(match)
    expect(page.locator("[data-score]").first).to_be_visible(timeout=READY)
    page.goto(BELOW)
    expect(page.locator("[data-phone-tables] .known")).to_have_count(1)
    expect(page.get_by_role("link", name="Just calculate: Rivals")).to_be_visible()
    page.goto(f"{BELOW}rules/bisque/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Bisque")

    # a language that is chosen in the phone is the folder's too
    page.goto(f"{BELOW}pocket/")
    page.locator("button[name=language][value=fr]").evaluate("(button) => button.click()")
    expect(page.locator("html")).to_have_attribute("lang", "fr", timeout=READY)
    page.goto(BELOW)
    page.wait_for_url(f"**{BELOW}fr/")


def update(folder: Path) -> None:
    """Put a newer folder in its place, in which no file has changed but for the version that names them all."""
    before = version(folder)
    for name in ("index.html", "pocket/files.json"):
        file = folder / BELOW.strip("/") / name
        file.write_text(file.read_text("utf-8").replace(before, f"{before}-"), "utf-8")


def test_an_update_waits_until_no_match_is_open(page: Page, folder: Path) -> None:
    sit_down(page)
    page.get_by_role("button", name="Start BeloZ").click()
    expect(page.locator("[data-score]").first).to_be_visible()
    before = version(folder)
    update(folder)
    page.reload()
    expect(page.locator("[data-score]").first).to_be_visible(timeout=READY)
    page.get_by_role("button", name="Everyone passed").click()
    expect(page.locator("#toasts")).to_contain_text("Undo")
    assert page.evaluate(TAKEN) == before
    page.goto(BELOW)
    wait_until(page, lambda: page.evaluate(TAKEN) == version(folder))
    page.get_by_role("link", name=re.compile("Continue: .*")).first.click()
    expect(page.locator("[data-score]").first).to_be_visible(timeout=READY)

    # removed, nothing stays, and it comes again by a tap only
    page.goto(BELOW)
    assert page.evaluate(MEMORY) == ["%2Fclub%2F%20companion-memory"]  # for later starts
    page.locator("#take-along summary").click()
    page.get_by_role("button", name="Remove").click()
    page.locator("dialog[open]").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Download")).to_be_visible()
    assert page.evaluate(MEMORY) == []
    page.reload()
    expect(page.get_by_role("button", name="Download")).to_be_visible()
    assert page.locator("[data-phone-tables] .known").count() == 0


def test_older_pages_that_a_host_still_sends_load_nothing_again(page: Page, folder: Path) -> None:
    update(folder)  # the page that asks for names is of the older folder
    sit_down(page)


def test_a_download_goes_on_where_it_stopped_and_an_update_loads_what_differs(page: Page, folder: Path) -> None:
    loaded: list[str] = []

    def note(request: Request) -> None:
        if PART.search(request.url) and request.url not in loaded:  # the service worker asks for what a page asks
            loaded.append(request.url)

    def fail(route: Route) -> None:
        route.abort() if len(loaded) > 10 else route.continue_()

    page.context.on("request", note)
    page.context.route("**/pocket/files/*", fail)
    page.goto(BELOW)
    expect(page.locator("[data-take-trouble]")).to_be_visible(timeout=READY)
    before = set(loaded[:9])
    assert len(before) == 9
    page.context.unroute("**/pocket/files/*")
    loaded.clear()
    page.reload()
    expect(page.locator("#take-along").get_by_text("Tables live in this phone")).to_be_visible(timeout=READY)
    assert not before & set(loaded)

    # a newer folder, of which these files are no others
    loaded.clear()
    update(folder)
    page.goto(BELOW)
    wait_until(page, lambda: page.evaluate(TAKEN) == version(folder))
    assert not loaded


# lets a busy phone need so long until a page knows whether Companion is there
SLOW_LOOK = """() => {
  const { keys } = CacheStorage.prototype;
  CacheStorage.prototype.keys = async function () {
    await new Promise((resolve) => setTimeout(resolve, 9000));
    return keys.call(this);
  };
}"""


def test_a_tap_is_told_within_five_seconds_why_nothing_has_come_yet(page: Page) -> None:
    page.goto(BELOW)
    there = page.locator("#take-along").get_by_text("Tables live in this phone")
    expect(there).to_be_visible(timeout=READY)
    there.click()
    expect(page.get_by_text("On an iPhone, an icon on the home screen has tables of its own.")).to_be_visible()
    page.add_init_script(f"({SLOW_LOOK})()")
    page.goto(f"{BELOW}tables/new/beloz/")
    for number, name in enumerate(("Ana", "Bo", "Cy", "Di")):
        page.locator(f"input[name=person_{number}]").fill(name)
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator("#toasts")).to_contain_text("Not there yet. It goes on by itself", timeout=8000)
    expect(page.get_by_text("Only this phone has this table.")).to_be_visible(timeout=READY)


def test_a_link_into_this_phone_opens_once_everything_is_there_in_the_phones_language(browser: Browser, served: Served) -> None:
    context = browser.new_context(base_url=served.url, locale="fr-CA", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{BELOW}pocket/with#{'A' * 40}")  # what a guest opens, who loads no more than this page
    expect(page.get_by_role("alert")).to_contain_text("Ce n’est pas le code d’une table.")
    page.goto(f"{BELOW}pocket/t/{'a' * 22}/table")  # of another phone's table: told before anything is loaded
    expect(page.get_by_text("Ce téléphone n’a pas cette table.")).to_be_visible()
    page.goto(f"{BELOW}rules/bisque/?from=chat#B4")
    page.wait_for_url(f"**{BELOW}fr/rules/bisque/?from=chat#B4")
    page.goto(BELOW)
    page.wait_for_url(f"**{BELOW}fr/")
    page.goto(f"{BELOW}pocket/practice")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Entraînement", timeout=READY)
    page.goto(f"{BELOW}fr/")
    page.locator(".app-bar .menu summary").click()
    page.get_by_role("link", name="English").click()  # what is chosen at home counts in the phone, too
    page.wait_for_url(f"**{BELOW}", timeout=READY)
    page.goto(f"{BELOW}pocket/practice")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Practice", timeout=READY)
    context.close()


def test_a_host_that_knows_nothing_but_files_lets_guests_in(browser: Browser, folder: Path) -> None:
    plain = Served(folder, Plain)
    context = browser.new_context(base_url=plain.url, locale="en", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{BELOW}pocket/with#{'A' * 40}")
    expect(page.get_by_role("alert")).to_contain_text("That is no code of a table.")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto(f"{BELOW}pocket/t/{'a' * 22}/table")  # a guest's page is loaded anew
    expect(page.get_by_text("This phone does not have this table.")).to_be_visible()
    context.close()
    plain.stop()


def test_one_tap_puts_a_table_online_and_a_second_one_brings_what_was_entered_there(page: Page, server: Server) -> None:
    sit_down(page)
    table = page.url
    page.get_by_role("link", name="Put it online").click()
    page.get_by_label("Address of a Companion server").fill(server.url)
    page.get_by_role("button", name="Go on").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Send it there").click()
    there = opened.value
    expect(there.get_by_text(f"A page of {page.url.split('/')[2]} hands over this table.")).to_be_visible()
    expect(page.get_by_text("This table is there too.")).to_be_hidden()
    there.get_by_role("button", name="Import").click()
    expect(page.get_by_text("This table is there too.")).to_be_visible()
    there.wait_for_url(f"{server.url}/t/*/table")
    there.get_by_role("button", name="Start BeloZ").click()
    expect(there.locator("[data-score]").first).to_be_visible()

    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Send it again").click()
    again = opened.value
    expect(again.get_by_text("This server has that table.")).to_be_visible()
    again.get_by_role("button", name="Import").click()
    again.wait_for_url(there.url.partition("/m/")[0] + "/table")
    expect(page.locator("[data-online=waiting]")).to_be_hidden(timeout=READY)  # the phone has what the server has
    page.goto(table)
    expect(page.get_by_text("BeloZ").first).to_be_visible(timeout=READY)
    page.get_by_role("link", name=re.compile("Go to the match|Continue")).first.click()
    expect(page.locator("[data-score]").first).to_be_visible()


def test_a_browser_that_keeps_nothing_has_the_rules_and_hears_why(browser: Browser, served: Served) -> None:
    context = browser.new_context(base_url=served.url, locale="en")
    context.add_init_script(
        "CacheStorage.prototype.keys = async () => { throw new DOMException('private', 'SecurityError'); };"
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('private', 'SecurityError'); } });"
    )
    page, problems = context.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(BELOW)
    expect(page.get_by_text("Tables need a newer browser, and an address with https.")).to_be_visible()
    page.get_by_role("link", name="Read the rules: Bisque").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Bisque")
    context.close()
    assert problems == []


def test_without_scripts_no_form_leads_to_a_host_that_takes_none(browser: Browser, served: Served) -> None:
    context = browser.new_context(base_url=served.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{BELOW}tables/new/beloz/")
    expect(page.get_by_text("Tables need JavaScript. The rules do not.")).to_be_visible()
    expect(page.get_by_role("button", name="Sit down")).to_be_hidden()
    context.close()
