"""How does the first minute go? The home page opens at once, for everybody, and asks nobody else for anything."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from companion.games import PLUGINS
from tests.browser.conftest import Phones, Theme
from tests.browser.looks import axe, fits_everywhere, shot
from tests.browser.people import sit_down, wait_until
from tests.server import Server

FIRST_VISIT = 61_500  # bytes over the network, headers included
FIRST_REQUESTS = 24  # the page names all of them at once
OFFER, OFFER_REQUESTS = 6_500, 2  # more where make pocket was run, for the offer to take Companion along
AGAIN = 0  # bytes besides the page: files are kept for as long as their address stays the same


def test_home_opens(phones: Phones, theme: Theme) -> None:
    page = phones(theme)
    answer = page.goto("/")
    assert answer is not None
    assert answer.status == 200
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for plugin in PLUGINS.values():
        title = plugin.title if plugin.shelf is None else plugin.shelf.title
        expect(page.get_by_text(title, exact=True).first).to_be_visible()
    shot(page, f"home-{theme}")


@pytest.mark.parametrize("path", ["/", "/components", "/nothing-here"])
def test_everybody_can_read_and_tap_it_on_any_screen(phones: Phones, path: str) -> None:
    page = phones(width=360, height=640)
    page.goto(path)
    axe(page, targets=True, dark=True)
    fits_everywhere(page)


@pytest.mark.parametrize("colours", ["contrast", "safe"])
def test_every_piece_is_read_in_the_colours_of_people_who_see_less(phones: Phones, server: Server, colours: str) -> None:
    page = phones()
    page.context.add_cookies([{"name": "colours", "value": colours, "url": server.url}])
    for path in ("/components", "/choices"):
        page.goto(path)
        axe(page, colours=path == "/components", dark=True)  # all else is the same as above
        shot(page, f"{path[1:]}-{colours}")


def test_a_phone_that_asks_for_contrast_gets_it_by_itself(phones: Phones) -> None:
    page = phones()
    page.goto("/")
    page.emulate_media(contrast="more")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_the_first_visit_is_light(phones: Phones) -> None:
    page = phones(new=True)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    asked: list[str] = []
    received: list[float] = []
    network.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
    network.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto("/")
    wait_until(page, lambda: len(received) >= 3)
    page.wait_for_timeout(300)  # the icon comes after everything else
    offers = page.locator("#take-along").count()
    assert len(asked) <= FIRST_REQUESTS + offers * OFFER_REQUESTS, "\n".join(asked)
    assert sum(received) <= FIRST_VISIT + offers * OFFER, list(zip(asked, received, strict=False))


def test_the_second_visit_takes_everything_else_from_the_phone(phones: Phones) -> None:
    phone = phones(new=True)
    phone.goto("/")
    phone.goto("/")
    sizes = phone.evaluate("performance.getEntriesByType('resource').map(({name, transferSize}) => [name, transferSize])")
    assert len(sizes) >= 3
    again = {name: size for name, size in sizes if size}
    assert sum(again.values()) <= AGAIN, again


def test_after_an_update_no_script_runs_in_two_versions(phones: Phones) -> None:
    phone = phones(new=True)

    def updated(route: Route) -> None:
        answer = route.fetch()
        text = re.sub(r"/static/\w+/", "/static/0123456789/", answer.text())
        route.fulfill(response=answer, body=text)

    phone.goto("/")
    phone.evaluate("window.isOld = true")
    phone.route("**/rules", updated)
    with phone.expect_event("load"):
        phone.locator("a[href='/rules']").first.click()
    assert not phone.evaluate("window.isOld")
    loaded = phone.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    scripts = [name for name in loaded if name.endswith(".js")]
    assert scripts
    assert all("/0123456789/js/" in script for script in scripts), scripts


CUT = """() => [...document.querySelectorAll(".game-box")].filter((box) => {
  const figure = box.querySelector(".box-figure:not(.box-sun) use");
  return figure.getBoundingClientRect().right > box.querySelector(".box-calculate").getBoundingClientRect().left;
}).map((box) => box.dataset.box)"""


def test_no_box_cuts_its_animal(phones: Phones) -> None:
    page = phones(width=320)
    page.goto("/")
    for width in (320, 360, 390, 844, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate(CUT) == [], width


def test_a_table_names_every_game_whole(phones: Phones) -> None:
    page = phones()
    sit_down(page, "rivals", "Ana")
    names = page.locator("[data-games] b")
    expect(names).to_have_count(len(PLUGINS))
    for width in (320, 360, 390, 844, 1280):
        page.set_viewport_size({"width": width, "height": 640})
        cut = names.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)")
        assert cut == [], width


def test_it_opens_without_scripts(phones: Phones) -> None:
    page = phones(scripts=False)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.get_by_role("link").or_(page.get_by_role("button")).count() >= 3


def test_phones_that_were_here_before_a_power_cut_are_still_known(server: Server, phone: Page) -> None:
    phone.goto("/")
    before = phone.context.cookies()
    server.restart()
    phone.goto("/")
    assert phone.context.cookies() == before
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
