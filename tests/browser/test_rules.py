"""Are the rules found in a moment, opened where they are needed, and printed on one sheet a game?"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, fits_everywhere, shot
from tests.five import FIVE

A4_SIDES = 2  # of one sheet


# axe takes seconds for a page of this length: it looks at one book, the others have the same pieces
LOOKED_AT = ("/rules", "/rules/beluga-cup", "/rules?q=ace", "/rules/bisque?q=zzz")


@pytest.mark.parametrize("path", [*LOOKED_AT, *(f"/rules/{slug}" for slug in FIVE if slug != "beluga-cup")])
def test_everybody_can_read_them_on_any_screen(phone: Page, path: str) -> None:
    phone.goto(path)
    if path in LOOKED_AT:
        axe(phone, dark=True)
    shot(phone, path.strip("/").replace("/", "-").replace("?q=", "-"))
    fits_everywhere(phone)


def test_everybody_can_read_the_page_for_programs(phone: Page) -> None:
    phone.goto("/api/v1/")
    fits_everywhere(phone)
    # four entries of each part stand for the others, which have the same pieces
    phone.evaluate("document.querySelectorAll('.rules-entry:nth-of-type(n + 5)').forEach((one) => one.remove())")
    axe(phone, dark=True)


def test_they_fit_with_text_twice_as_large(phones: Phones) -> None:
    page = phones(width=360)
    page.goto("/rules/beluga-cup")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    fits(page)


def test_what_is_typed_is_found_at_once(phone: Page) -> None:
    phone.goto("/rules/beloz")
    phone.get_by_role("searchbox").press_sequentially("golden round")
    expect(phone.locator("[data-found]")).to_contain_text(re.compile(r"^Entries with “golden round”: \d\."))
    expect(phone.locator("#golden-round")).to_be_visible()
    expect(phone.locator("#leak")).to_be_hidden()
    words = "({startContainer, startOffset, endOffset}) => startContainer.data.slice(startOffset, endOffset).toLowerCase()"
    marked = set(phone.evaluate(f"[...CSS.highlights.get('searched')].map({words})"))
    assert {"golden", "round"} <= marked <= {"golden", "round", "rounds"}
    expect(phone.locator("#announce")).to_contain_text("Entries with")
    expect(phone).to_have_url(re.compile(r"\?q=golden\+round$"))
    phone.get_by_role("searchbox").fill("narwhal")
    expect(phone.locator("[data-found]")).to_contain_text("No entries with “narwhal”.")
    phone.get_by_role("link", name="Show all").click()
    expect(phone.locator("#leak")).to_be_visible()
    expect(phone.get_by_role("searchbox")).to_have_value("")


QUERIES = ("golden round", "trump", "east", "200", "PACHYDERMS", "run of three", "“beloz”", "suit follow", "overtrump")


def test_the_server_finds_the_same(phones: Phones) -> None:
    plain, page = phones(scripts=False), phones()
    page.goto("/rules/beloz")
    entries = page.locator(".rules-entry:visible h3")
    everything = entries.count()
    for query in QUERIES:
        plain.goto(f"/rules/beloz?q={query}")
        found = plain.locator(".rules-entry:visible h3").all_inner_texts()
        assert 0 < len(found) < everything, query
        page.get_by_role("searchbox").fill("")
        expect(entries).to_have_count(everything)
        page.get_by_role("searchbox").fill(query)
        expect(entries).to_have_text(found, use_inner_text=True)


def test_they_are_searched_without_scripts(phones: Phones) -> None:
    page = phones(scripts=False)
    page.goto("/rules/beloz")
    page.get_by_role("searchbox").fill("golden")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("#golden-round")).to_be_visible()
    expect(page.locator("#leak")).to_be_hidden()
    page.locator("#b10").get_by_role("link").click()
    expect(page.locator("#leak")).to_be_visible()


def test_all_rules_are_searched_together(phone: Page) -> None:
    phone.goto("/rules")
    phone.get_by_role("searchbox").fill("shared cup")
    phone.get_by_role("searchbox").press("Enter")
    expect(phone.get_by_text("No entries with “shared cup”.")).to_be_visible()
    phone.get_by_role("searchbox").fill("share the")
    phone.get_by_role("button", name="Find").click()
    phone.get_by_role("link", name="Counting up").click()
    expect(phone).to_have_url(re.compile("/rules/beluga-cup#u6$"))
    expect(phone.locator("#u6")).to_be_in_viewport()


def test_a_link_opens_its_entry_and_the_rules_back_to_match(phone: Page) -> None:
    phone.goto("/calculate/beloz")
    phone.evaluate(
        """() => { const link = document.createElement("a"); link.href = "/rules/beloz#b10"; link.textContent = "Rule";
        document.querySelector("main").prepend(link) }"""
    )
    phone.get_by_role("link", name="Rule", exact=True).click()
    expect(phone).to_have_url(re.compile("/rules/beloz#b10$"))
    expect(phone.locator("#b10")).to_be_in_viewport()
    expect(phone.locator("#b10")).to_have_attribute("data-here", "")
    phone.get_by_role("link", name="Back").click()
    expect(phone).to_have_url(re.compile("/calculate/beloz$"))


def test_a_link_to_an_entry_that_is_not_among_those_found_shows_it(phone: Page) -> None:
    phone.goto("/rules/beloz")
    phone.get_by_role("searchbox").fill("never be equal")
    phone.get_by_role("searchbox").fill("nobody’s count")
    phone.get_by_role("link", name="nobody’s count").click()
    expect(phone.locator("#b7")).to_be_in_viewport()
    expect(phone.locator("#leak")).to_be_visible()


@pytest.mark.parametrize("slug", FIVE)
def test_they_are_printed_on_one_sheet(phone: Page, slug: str) -> None:
    phone.goto(f"/rules/{slug}?q=zzz")
    paper = phone.pdf(prefer_css_page_size=True)
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= A4_SIDES
    assert re.search(rb"/MediaBox\s*\[0 0 59[45][.\d]* 84[12]", paper)
    phone.emulate_media(media="print")
    expect(phone.get_by_role("searchbox")).to_be_hidden()
    expect(phone.locator(".rules-entry").last).to_be_visible()
