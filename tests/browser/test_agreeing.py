"""Does the other side's phone ask at once, and only that one, and does "No" lead to both versions?"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, fits_everywhere, font_size, screen
from tests.browser.people import begin_match, come
from tests.browser.test_doubts import count_a_round

IN_ONE_ROW = """() => {
  const rect = (kind) => document.querySelector(`.asked-ways .${kind}`).getBoundingClientRect();
  const [no, agreed] = [rect("secondary"), rect("primary")];
  return no.right < agreed.left;
}"""


def test_the_other_phone_asks_and_an_answer_reaches_the_first(phones: Phones) -> None:
    ana = phones(width=360, height=640)
    begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di", agrees="1")
    bo = come(phones(), ana, "Bo")
    bo.evaluate("window.same = true")
    count_a_round(ana)
    asked = bo.locator(".asked")
    expect(asked).to_contain_text("Ana entered 98. Right?")
    assert bo.evaluate("window.same")
    expect(ana.locator(".asked")).to_be_hidden()
    axe(bo, targets=True)
    fits_everywhere(bo)
    screen(bo, 320, 568)
    font_size(bo, 32)
    fits(bo)
    lies_over = "(number) => number.scrollWidth > number.clientWidth"
    assert not bo.locator(".asked .conflict-number").evaluate(lies_over), "the words stand below it"
    font_size(bo, 16)
    asked.get_by_role("button", name="No").tap()
    expect(bo.locator("#other-version")).to_contain_text("Ana says: Round")
    expect(ana.locator(".doubted")).to_contain_text("Bo doubts it")
    axe(bo, targets=True)
    begin_match(ana, "beloz", "Ana", "Bo", "Cy", "Di", agrees="1")  # one phone: its button names who agrees
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(ana.locator("#rows details")).to_have_count(1)
    for language, yes in (("en", "Bo and Di agree"), ("de", "Bo und Di stimmen zu"), ("fr", "Bo et Di confirment")):
        ana.context.add_cookies([{"name": "language", "value": language, "url": ana.url}])
        ana.reload()
        expect(ana.locator(".asked-ways .primary")).to_contain_text(yes)
        assert ana.evaluate(IN_ONE_ROW)
