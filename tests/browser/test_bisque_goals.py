"""Does a goal of Bisque belong to one person, also where several people play with one phone? And does it go when they go?"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, font_size, shot
from tests.browser.people import come, is_answered, look
from tests.browser.test_bisque_table import GOALS, TRICKS, in_sight, press, send, sit_down

ANAS, BOS = "9-leaves-knots", "4-moons-suns"
KEPT = "Object.keys(localStorage).filter((key) => key.startsWith('companion:goal:'))"


def choose(page: Page, goal: str) -> None:
    """Choose a goal as the dock asks for it, and close it with the next tap."""
    press(page, "#goal-begin")
    page.locator(f'[data-goal-pick="{goal}"]').tap()
    expect(page.locator("#goal-first")).to_have_count(0)
    page.locator("h1").tap()


def pass_to(page: Page, name: str) -> None:
    """Pass the phone, as far as the curtain."""
    page.locator(".goal-first [data-open=pass]:visible, #my-goal [data-open=pass]:visible").first.tap()
    look(page)
    page.locator("#pass").get_by_role("button", name=f"Pass to {name}").tap()
    expect(page.locator("#curtain")).to_contain_text(f"{name}, tap when you hold the phone")


def take(page: Page) -> None:
    """Tap the curtain, as who holds the phone now."""
    is_answered(page)
    expect(page.locator("#pass[open]")).to_have_count(0)
    look(page)
    page.locator("#curtain .curtain-words").tap()
    expect(page.locator("#curtain")).to_have_count(0)


def kept(page: Page) -> list[str]:
    """Return under which names a phone keeps goals."""
    return sorted(page.evaluate(KEPT))


def test_two_people_on_one_phone_never_see_each_others_goal(phones: Phones) -> None:
    page = phones(width=360, height=640)
    sit_down(page)
    choose(page, ANAS)
    expect(page.locator("#my-goal")).to_contain_text("Hidden. Tap to show.")

    pass_to(page, "Bo")
    page.wait_for_function(
        """() => {
          const { width, height } = document.getElementById("curtain")?.getBoundingClientRect() ?? {};
          return width >= innerWidth && height >= innerHeight;
        }"""
    )
    axe(page, dark=True)
    shot(page, "bisque-curtain")
    take(page)
    expect(page.locator("#goal-first")).to_contain_text("First, your goal")  # Bo has none yet, and sees nothing of Ana's
    expect(page.locator("#begin")).to_contain_text("Ana has chosen.")
    choose(page, BOS)
    assert len(kept(page)) == 2

    pass_to(page, "Ana")
    take(page)  # who takes it over sees the own goal
    expect(page.locator("#goal-card")).to_have_attribute("aria-label", re.compile("^9 .*Choose another goal"))
    expect(page.locator("#goal-card")).to_have_attribute("aria-label", "Show my goal")  # and not for long

    # by the table's page no curtain falls; it does before Bo's own goal is shown
    page.get_by_role("link", name="Back").tap()
    page.wait_for_url("**/table")
    look(page)
    page.get_by_role("link", name=re.compile("^Bo")).first.tap()
    expect(page.get_by_role("button", name="I’m Bo")).to_be_visible()
    look(page)
    page.get_by_role("button", name="I’m Bo").tap()
    expect(page.get_by_role("link", name=re.compile("Go to the match")).first).to_be_visible()
    look(page)
    page.get_by_role("link", name=re.compile("Go to the match")).first.tap()
    page.wait_for_url("**/m/1")
    page.locator("#goal-eye").tap()
    expect(page.locator("#curtain")).to_contain_text("Bo, tap when you hold the phone")
    expect(page.locator("#goal-card")).to_have_attribute("aria-label", "Show my goal")
    take(page)
    expect(page.locator("#goal-card")).to_have_attribute("aria-label", re.compile("^4 "))
    send(page, page.url, *TRICKS)
    expect(page.locator("#goal-show")).to_be_visible()
    page.locator("#goal-show").tap()
    expect(page.locator(".plate").nth(1)).to_have_attribute("data-up", BOS)


def test_my_goal_is_small_and_in_sight_and_leaves_by_itself(phones: Phones) -> None:
    page = phones(width=360, height=640)
    sit_down(page)
    press(page, "#goal-begin")
    page.locator(f'[data-goal-pick="{GOALS[0]}"]').tap()
    expect(page.locator("#my-goal .goal-now")).to_be_visible()
    expect(page.locator("#my-goal .goal-now")).to_have_count(0)  # without any tap
    send(page, page.url, *TRICKS[:3])
    expect(page.locator("#soup .suit-bars")).to_be_visible()
    page.locator("#goal-eye").tap()
    expect(page.locator("#soup [data-goal]")).to_have_count(2)
    expect(page.locator("#trick-title")).to_have_text("Who won trick 4?")
    look(page)  # the winner that is asked for has just become another trick's
    page.locator("#trick .chef").first.tap()  # the next tap, whatever it is
    expect(page.locator("#soup [data-goal]")).to_have_count(0)
    page.locator("#trick [name=card][value='7-suns-knots']").tap()
    expect(page.locator("#toasts .toast")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    in_sight(page, ".chefs", ".pot", "#soup .suit-bars", "#my-goal .goal-panel")
    toast, bars = page.locator("#toasts .toast").bounding_box(), page.locator("#soup .suit-bars").bounding_box()
    assert toast is not None
    assert bars is not None
    assert toast["y"] + toast["height"] <= bars["y"]
    page.locator(".app-bar .menu summary").tap()
    font_size(page, 32)
    assert page.locator(".menu-list").evaluate("(menu) => menu.getBoundingClientRect().left") >= 0
    font_size(page, 16)
    page.get_by_role("link", name="The rules").tap()  # which have a section of that name
    expect(page.locator("#goal-card")).to_contain_text("that you lay aside face down")


def test_my_own_goal_goes_into_the_pot_only_with_a_second_tap(phones: Phones) -> None:
    page = phones(width=360, height=640)
    sit_down(page)
    choose(page, ANAS)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.locator("#trick .chef").first.tap()
    card = page.locator(f'#trick [name=card][value="{ANAS}"]')
    box = card.bounding_box()
    assert box is not None
    for _ in range(2):  # the second half of a double tap is no answer
        page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    expect(page.locator(".goal-sure")).to_have_text("That’s your goal. Sure?")
    assert card.bounding_box() == box
    assert sent == []
    shot(page, "bisque-sure")
    page.locator("#trick [name=card][value='ace-moons']").tap()  # another card is just that
    expect(page.locator("#trick-title")).to_have_text("Who won trick 2?")
    expect(page.locator(".goal-sure")).to_have_count(0)
    page.locator("#trick .chef").first.tap()
    card.tap()
    page.wait_for_timeout(600)
    card.tap()
    expect(page.locator("#trick-title")).to_have_text("Who won trick 3?")


def test_a_wrong_card_turned_up_as_mine_is_noticed_by_my_phone(phones: Phones) -> None:
    ana = phones()
    sit_down(ana)
    bo = come(phones(width=360, height=640), ana, "Bo")
    choose(bo, BOS)
    send(ana, ana.url, *TRICKS, {"who": "1", "goal": ANAS})
    expect(bo.locator("#goal-differs")).to_have_text("Your phone says the 4 of moons and suns.")
    expect(ana.locator("#goal-differs")).to_be_hidden()
    shot(bo, "bisque-differs")
    bo.locator("#goal-show").tap()
    expect(ana.locator(".plate").nth(1)).to_have_attribute("data-up", BOS)
    expect(bo.locator("#goal-differs")).to_be_hidden()


def test_a_forgotten_goal_and_a_redeal_are_taken_back_on_all_phones(phones: Phones) -> None:
    ana = phones()
    sit_down(ana)
    bo = come(phones(), ana, "Bo")
    choose(ana, ANAS)
    expect(bo.locator("#begin")).to_contain_text("Ana has chosen.")
    ana.locator("#goal-eye").tap()
    ana.locator("#goal-card").tap()
    ana.get_by_role("button", name="Forget my goal").tap()
    expect(bo.locator("#begin")).not_to_contain_text("has chosen")
    expect(ana.locator("#goal-first")).to_be_visible()
    choose(ana, ANAS)
    expect(bo.locator("#begin")).to_contain_text("Ana has chosen.")
    press(bo, "#goal-begin")
    look(bo)
    bo.get_by_role("button", name="No two-suit card: deal again").tap()
    for page in (ana, bo):
        expect(page.locator("#begin")).to_have_text("The cards were dealt again. Bo plays first.")
        expect(page.locator("#goal-first")).to_be_visible()


def test_a_goal_goes_with_its_person_its_match_and_its_table(phones: Phones) -> None:
    page = phones()
    page.goto("/")
    page.evaluate("localStorage.setItem('companion:goal:1-1', '{}')")  # of a Companion before
    table = sit_down(page)
    choose(page, ANAS)
    [first] = kept(page)
    pass_to(page, "Cy")
    take(page)
    choose(page, BOS)
    assert len(kept(page)) == 2
    page.goto(f"{table}/table")
    page.get_by_role("link", name=re.compile("^Ana")).first.tap()
    page.get_by_text("Remove Ana from the table").tap()
    look(page)
    page.get_by_role("button", name="Remove Ana", exact=True).tap()
    expect(page.locator("#sheet[open]")).to_have_count(0)
    page.goto(f"{table}/m/1")
    expect(page.locator("#goal-eye")).to_be_visible()
    assert first not in kept(page)
    assert len(kept(page)) == 1

    page.goto(f"{table}/forget")
    page.get_by_role("button", name="Remove it").tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("table?")
    assert kept(page) == []


def test_goals_go_along_to_a_match_of_another_number(phones: Phones) -> None:
    """A match that began in the phone as its second may be the table's third."""
    page = phones()
    page.goto("/")
    kept = page.evaluate("""async () => {
      const { src } = document.querySelector("script[src$='/companion.js']");
      const goals = await import(src.replace("companion.js", "goals.js"));
      goals.keep("phone:1:0", { card: "one" });
      goals.keep("phone:2:1", { card: "two" });
      goals.copy("phone", "table", { 2: 3 });
      return ["1:0", "2:1", "3:1"].map((place) => goals.read(`table:${place}`)?.card ?? "");
    }""")
    assert kept == ["one", "", "two"]
