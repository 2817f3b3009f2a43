"""What does a phone show without a network? What it saw last. The server is taken away: the browser's switch has gaps."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import PATIENCE, Phones, phones_that_lose
from tests.browser.people import begin_match, sit_down_to_beloz, start_beloz
from tests.browser.test_taps import trick
from tests.server import CHECKOUT, Server

KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys())
    found[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  return found;
}"""
# every address and every word that is kept
WORDS = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const answer = await cache.match(url);
      found.push(name, url, ...[...answer.headers].flat(), await answer.text());
    }
  }
  return found.join("\\n");
}"""

# what becomes of waiting for a service worker each time that it is looked for: while one is being installed, then with none, or
# with one that never works
LOOKED_FOR = """async () => {
  const { src } = document.querySelector("script[src$='/companion.js']");
  const { serviceWorker } = await import(src.replace("companion.js", "pocket-files.js"));
  let look, registration;
  const container = { ready: new Promise(() => {}), getRegistration: async () => registration };
  Object.defineProperty(navigator, "serviceWorker", { value: container });
  window.setTimeout = (act) => (look = act);
  const found = [];
  for (const end of [undefined, { installing: null }]) {
    let became = "waits";
    serviceWorker(new AbortController().signal).catch(({ name }) => (became = name));
    for (registration of [{ installing: {} }, end]) {
      await look();
      await null;
      found.push(became);
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a Companion that is stopped and started again."""
    companion = Server(tmp_path_factory.mktemp("companion") / "instance")
    companion.start()
    yield companion
    assert companion.stop() == 0
    assert "Traceback" not in companion.complaints, companion.complaints


@pytest.fixture
def serving_copy(tmp_path: Path) -> Iterator[Server]:
    """Yield a Companion that can be updated: it runs from a copy."""
    for folder in ("companion", "templates", "static"):
        # what Python has compiled comes along, but for what it is just writing
        shutil.copytree(CHECKOUT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.pyc.*"))
    companion = Server(tmp_path / "instance", folder=tmp_path)
    companion.start()
    yield companion
    assert companion.stop() == 0
    assert "Traceback" not in companion.complaints, companion.complaints


@pytest.fixture
def people(browser: Browser, serving: Server) -> Iterator[Phones]:
    """Yield phones at that Companion. What fails while it is away is no mistake of a page."""
    yield from phones_that_lose(browser, serving)


@pytest.fixture
def people_of_copy(browser: Browser, serving_copy: Server) -> Iterator[Phones]:
    """Yield phones at the one that can be updated."""
    yield from phones_that_lose(browser, serving_copy)


def comes(page: Page, what: str) -> None:
    """Wait until this JavaScript is true. The page's own policy forbids to hand it over as text."""
    page.evaluate(f"""async () => {{
      for (const until = Date.now() + {PATIENCE}; !({what}); await new Promise((later) => setTimeout(later, 20)))
        if (Date.now() > until) throw new Error("it did not happen");
    }}""")


def is_kept(page: Page, path: str) -> None:
    """Wait until the worker has kept this page."""
    comes(page, f"await caches.match('{path}')")


def at_a_match(people: Phones) -> tuple[Page, str]:
    """Return a phone at a match whose page it has kept, and the table's address."""
    ana = people(keeps_pages=True)
    sit_down_to_beloz(ana, "Bo", "Cy", "Di")
    table = re.search(r"/t/[^/]+", ana.url)[0]
    comes(ana, "navigator.serviceWorker.controller")
    is_kept(ana, f"{table}/table")
    start_beloz(ana)
    is_kept(ana, f"{table}/m/1")
    return ana, table


def another(context: BrowserContext, path: str) -> Page:
    """Switch the phone off and on again; return what its browser opens at this address."""
    for page in context.pages:
        page.close()
    page = context.new_page()
    page.goto(path)
    return page


def test_a_phone_that_was_here_before_starts_without_a_network(serving: Server, people: Phones) -> None:
    ana, table = at_a_match(people)
    is_kept(ana, "/may-i/what-the-fish")  # the last that comes along
    expect(ana.locator("head > link[rel=manifest]")).to_have_attribute("href", f"{table}/manifest.webmanifest")  # by taps
    assert serving.stop() == 0
    clocks = (("en-GB", r"\d\d?:\d\d\."), ("en-US", r"\d{1,2}:\d\d\s[AP]M\."))  # as the phone's country writes the time
    for path, (country, clock) in zip((f"{table}/m/1", table), clocks, strict=True):
        ana.context.add_init_script(
            f"Object.defineProperty(navigator, 'languages', {{ value: ['{country}'], configurable: true }})"
        )
        ana = another(ana.context, path)
        expect(ana).to_have_url(re.compile(f"{table}/m/1$"))
        expect(ana.get_by_role("heading", level=1)).to_have_text("BeloZ")
        expect(ana.locator("#offline")).to_contain_text(re.compile(rf"No connection\. As of {clock}"))
        expect(ana.locator("body")).to_have_css("margin", "0px")  # it has its style
    ana.get_by_role("link", name="Back").first.click()
    expect(ana.get_by_role("heading", level=1)).to_contain_text("table")
    ana = another(ana.context, "/")
    expect(ana.get_by_role("link", name=re.compile("^Open: "))).to_be_visible()
    for path, title in (("/rules/beloz", "BeloZ"), ("/may-i/bisque", "May I?")):
        ana = another(ana.context, path)
        expect(ana.get_by_role("heading", level=1)).to_contain_text(title)
        expect(ana.locator("#offline")).to_contain_text("As of")
    ana.evaluate("localStorage.setItem('companion:in-phone', '1')")  # it was taken along, and the browser deleted it since
    ana = another(ana.context, f"{table}/links")
    expect(ana.get_by_role("heading", level=2)).to_have_text("No network")
    expect(ana.get_by_role("link", name="To the tables")).to_be_visible()
    expect(ana.get_by_role("link", name="Play on this phone")).to_have_count(0)
    ana = another(ana.context, f"{table}/m/1")
    serving.start()
    expect(ana.locator("#offline")).to_be_empty()
    expect(ana.locator("[data-live-dot]").first).not_to_have_class(re.compile("off"))


def test_what_is_entered_after_a_restart_without_a_network_counts_once(serving: Server, people: Phones) -> None:
    ana = people(keeps_pages=True)
    begin_match(ana, "bisque", "Ana", "Bo", "Cy")
    comes(ana, "navigator.serviceWorker.controller")
    match = urlsplit(ana.url).path
    is_kept(ana, match)
    assert serving.stop() == 0
    ana = another(ana.context, match)
    ana.locator("#goal-skip").click()
    ana.locator("#trick .chef").nth(2).click()
    ana.reload()  # in mid-form
    trick(ana, 1, 1, "8-waves-leaves")
    expect(ana.locator(".pending-row")).to_have_text(re.compile("^Trick 1 of hand 1 .* won, 8 Mill, waves and leaves waiting$"))
    ana.set_viewport_size({"width": 1280, "height": 800})  # on a large screen it stands beside the pot
    beside = "document.querySelector('#offline').getBoundingClientRect().bottom <= "
    comes(ana, beside + "document.querySelector('.pot').getBoundingClientRect().bottom")
    ana.context.clock.install(time=datetime.now() + timedelta(days=1))  # the phone's clock is wrong by a day
    ana = another(ana.context, match)
    expect(ana.locator(".pending-row")).to_have_text(re.compile("^Trick 1 of hand 1 .* won, 8 Mill, waves and leaves waiting$"))
    expect(ana.locator("#offline")).to_contain_text(re.compile(r"As of \w{3}, .*Unsent since"))
    trick(ana, 2, 0, "ace-moons")
    serving.start()
    expect(ana.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
    expect(ana.locator("#offline")).to_be_empty()


def test_what_was_entered_last_is_kept_and_no_more_than_may_be(serving: Server, people: Phones) -> None:
    """Also by a page that is left before it does anything later, once it shows what somebody else entered."""
    ana, table = at_a_match(people)
    ana.evaluate("globalThis.setTimeout = () => 0")
    bo = people()
    bo.goto(ana.url)
    bo.get_by_role("button", name="Di", exact=True).first.click()
    bo.get_by_role("button", name=re.compile("East")).click()
    expect(ana.locator("#main")).to_contain_text("Di took it")
    ana.goto("/rules")
    comes(ana, f"(await (await caches.match('{table}/m/1')).text()).includes('Di took it')")
    ana.evaluate(f"fetch('{table}/m/1?x=1', {{headers: {{Accept: 'text/html'}}}})")
    ana.goto(f"{table}/links")
    kept = ana.evaluate(KEPT)
    assert {name.split(" ")[0] for name in kept} == {"assets", "pages", table}
    assert {path for path in kept[table] if not re.fullmatch(rf"{table}/(table|m/1(/who)?)", path)} == set()
    assert all(re.fullmatch(r"/|/offline|/(rules|may-i)(/[a-z-]+)?", path) for path in kept["pages"])
    words = ana.evaluate(WORDS)
    assert "csrf" in words
    assert "Set-Cookie".lower() not in words.lower()


def test_nothing_is_kept_of_a_table_that_was_removed(serving: Server, people: Phones) -> None:
    ana, table = at_a_match(people)
    ana.goto("/")
    is_kept(ana, "/")
    ana.goto(f"{table}/table")
    ana.goto(f"{table}/forget")
    ana.get_by_role("button", name="Remove it").click()
    expect(ana).to_have_url(re.compile("/$"))
    comes(ana, "(await caches.match('/'))?.headers.get('Companion-Keep').split(' ').length === 1")
    assert table not in ana.evaluate(WORDS)


def test_nothing_is_kept_under_a_link_that_was_replaced(serving: Server, people: Phones) -> None:
    """Once the phone has heard of it; and the page before, which an open page remembers, is not shown again either."""
    ana, table = at_a_match(people)
    match = ana.url
    assert ana.evaluate(f"caches.has('{table}')")
    bo = people()
    bo.goto(f"{table}/links")
    bo.locator("#replace-play summary").click()
    bo.get_by_role("button", name="Replace it now").click()
    expect(bo).not_to_have_url(re.compile(table))
    expect(ana.locator("main")).to_contain_text("No table has this link")
    comes(ana, f"!(await caches.has('{table}'))")
    serving.stop()
    try:
        ana.goto(match)
        expect(ana.locator("main")).not_to_contain_text("Bo")
    finally:
        serving.start()


def test_an_update_waits_until_the_form_is_done(serving_copy: Server, people_of_copy: Phones) -> None:
    ana, _ = at_a_match(people_of_copy)
    ana.goto("/tables/new?game=beloz")
    ana.get_by_label("Your name").fill("Half typ")
    (before,) = (name for name in ana.evaluate(KEPT) if name.startswith("assets"))
    assert serving_copy.stop() == 0
    with (serving_copy.instance.parent / "static" / "css" / "pages" / "match.css").open("a") as style:
        style.write("\n.page { --another-version: 1; }\n")
    serving_copy.start()
    ana.evaluate("navigator.serviceWorker.ready.then((registration) => registration.update())")
    comes(ana, "(await navigator.serviceWorker.ready).waiting")
    assert ana.get_by_label("Your name").input_value() == "Half typ"
    names = [name for name in ana.evaluate(KEPT) if name.startswith("assets")]
    assert len(names) == 2
    assert before in names
    ana.get_by_label("Your name").fill("Eva")
    ana.get_by_role("button", name="Sit down").click()
    expect(ana).to_have_url(re.compile(r"/table$"))
    # the pages of the first table still need the files of their version
    ana = another(ana.context, "/rules")
    for _ in range(50):
        if not ana.evaluate("navigator.serviceWorker.ready.then(({ waiting }) => Boolean(waiting))"):
            break
        another(ana.context, "about:blank").wait_for_timeout(200)  # a page that is closed is gone a moment later
        ana = another(ana.context, "/rules")
    else:
        pytest.fail("the old worker stayed")
    assert before in ana.evaluate(KEPT)


def test_the_host_can_switch_it_off_and_nothing_stays(serving: Server, people: Phones) -> None:
    ana, table = at_a_match(people)
    assert serving.stop() == 0
    serving.environment["COMPANION_SERVICE_WORKER"] = "0"
    serving.start()
    ana.goto(f"{table}/table")
    # a browser looks for another worker after each page, but once: where that comes to nothing, the next page does it
    ana.evaluate("async () => (await navigator.serviceWorker.getRegistration())?.update().catch(() => {})")
    comes(ana, "!(await caches.keys()).length")
    comes(ana, "!(await navigator.serviceWorker.getRegistrations()).length")
    del serving.environment["COMPANION_SERVICE_WORKER"]


def test_a_slow_phone_may_take_long_to_install_its_service_worker(phone: Page) -> None:
    phone.goto("/")
    assert phone.evaluate(LOOKED_FOR) == ["waits", "NotSupportedError"] * 2
