"""A question a day on a phone: one try, a streak that a journey does not break, and practice by thumb and by keyboard."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import parse_qs

from playwright.sync_api import Page, expect

from companion.engine.exercises import EXERCISES, Exercise, of_day
from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, fits_everywhere, grows, shot
from tests.browser.people import wait_until

SIZES = [(320, 568), (360, 640), (844, 390), (1280, 800), (390, 844)]
FOURTH = ["south-crocodile", "south-elephant"]  # the right answer to the fourth example of the rules


def exercise_of(day: int) -> Exercise:
    """Return the question of a day."""
    game, number = of_day(day)
    return EXERCISES[game](number)


def choose(page: Page, keys: frozenset[str] | list[str]) -> None:
    for key in keys:
        page.locator(f'label:has(> input[value="{key}"])').click()


def check(page: Page) -> None:
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verdict")).to_be_visible()


class Travels:
    """Let a phone have another moment and time zone. One session with the browser holds the zone until the page closes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session = page.context.new_cdp_session(page)

    def to(self, moment: datetime, zone: str) -> None:
        self.page.clock.set_fixed_time(moment)
        self._session.send("Emulation.setTimezoneOverride", {"timezoneId": zone})


def answer_today(page: Page, day: int, *, right: bool) -> None:
    """Open the day's question as the phone leads there, and answer it."""
    page.goto("/daily")
    page.wait_for_url(f"**/daily/{day}")
    exercise = exercise_of(day)
    choose(page, exercise.right if right else exercise.misread)
    check(page)


def test_a_day(phones: Phones) -> None:
    page = phones(width=360, height=640)
    sent: list[tuple[str, str]] = []
    page.on("request", lambda request: sent.append((request.method, request.post_data or "")))
    travels = Travels(page)
    travels.to(datetime(2026, 8, 1, 12, tzinfo=UTC), "Europe/Paris")  # the 213th day of the year
    page.goto("/")
    page.get_by_role("link", name="A question a day").click()
    page.wait_for_url("**/daily/213")
    fits(page)
    axe(page)
    exercise = exercise_of(213)
    choose(page, exercise.misread)
    check(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
        shot(page, f"daily-{width}")
    axe(page)
    expect(page.locator("[data-streak]")).to_have_text("1")
    share = page.locator("[data-share-text]")
    assert share.get_attribute(
        "data-share-text"
    ) == f"Companion 213, {page.locator('form#practice').get_attribute('data-title')}: " + ("missed. 0 of 1, 1 in a row")
    # what was chosen went out to be judged, and nothing else: no streak, no days
    bodies = [parse_qs(body) for method, body in sent if method == "POST"]
    assert [
        sorted(chosen for name, values in body.items() if name != "csrf_token" for chosen in values) for body in bodies
    ] == [sorted(exercise.misread)]
    assert all(method == "GET" and not body for method, body in sent if method != "POST")
    # one try: whoever comes back has the first answer still, and choosing something else changes nothing
    page.goto("/daily/213")
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("#practice")).to_have_attribute("data-chosen", " ".join(sorted(exercise.misread)))
    # what was missed comes back after three days
    page.goto("/practice")
    expect(page.locator("[data-missed]")).to_be_hidden()
    travels.to(datetime(2026, 8, 4, 12, tzinfo=UTC), "Europe/Paris")
    page.reload()
    game, number = of_day(213)
    page.locator("[data-due] a").click()
    page.wait_for_url(f"**/practice/{game}/{number}")
    choose(page, exercise.right)
    check(page)
    page.goto("/practice")
    expect(page.locator("[data-missed]")).to_be_hidden()


def test_a_streak_over_three_days_and_a_journey(phones: Phones) -> None:
    page = phones()
    travels = Travels(page)
    travels.to(
        datetime(2026, 3, 2, 3, 30, tzinfo=UTC), "Europe/London"
    )  # half past three in the night: still the first of March
    answer_today(page, 60, right=True)
    travels.to(datetime(2026, 3, 2, 20, 0, tzinfo=UTC), "Europe/London")
    answer_today(page, 61, right=False)
    expect(page.locator("[data-streak]")).to_have_text("2")
    travels.to(datetime(2026, 3, 3, 19, 0, tzinfo=UTC), "Pacific/Auckland")  # there it is the fourth of March already
    answer_today(page, 63, right=True)
    expect(page.locator("[data-streak]")).to_have_text("3")  # the third was skipped by the journey, not by the player
    week = ["Thursday: no answer", "Friday: no answer", "Saturday: no answer", "Sunday: right", "Monday: missed"]
    heard = page.locator("[data-week] li .visually-hidden")
    expect(heard).to_have_text([*week, "Tuesday: no answer", "Wednesday: right"])
    marks = page.locator("[data-week] li > :nth-child(2)").evaluate_all("marks => marks.map((mark) => mark.className)")
    assert marks == [*["badge-none"] * 3, *(f"badge-none{mark}" for mark in (" mark-right", " mark-missed", "", " mark-right"))]
    title = page.locator("form#practice").get_attribute("data-title")
    right = f"Companion 63, {title}: right. 2 of 3, 3 in a row"
    assert page.locator("[data-share-text]").get_attribute("data-share-text") == right
    travels.to(datetime(2026, 3, 1, 12, 0, tzinfo=UTC), "Pacific/Auckland")  # the clock is set back
    page.goto("/daily/61")
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("[data-streak]")).to_have_text("3")
    travels.to(
        datetime(2026, 3, 8, 12, 0, tzinfo=UTC), "Pacific/Auckland"
    )  # one in the night: still the eighth, after three days without an answer
    answer_today(page, 67, right=True)
    expect(page.locator("[data-streak]")).to_have_text("1")


def test_each_kind_of_question_is_whole_on_every_phone(phones: Phones) -> None:
    page = phones()
    kinds = {(of_day(day)[0], exercise_of(day).kind): day for day in range(60, 0, -1)}
    assert len(kinds) == 10
    looked_at = set[str]()
    for (game, kind), day in kinds.items():
        page.goto(f"/daily/{day}")
        fits_everywhere(page)
        choose(page, exercise_of(day).misread)
        check(page)
        fits_everywhere(page)
        page.set_viewport_size({"width": 390, "height": 844})
        page.evaluate("scrollTo(0, 0)")
        expect(page.locator(".answer > h2")).to_be_in_viewport(ratio=1)  # without a scroll
        if game not in looked_at:  # its other kinds have the same pieces
            looked_at.add(game)
            axe(page, dark=True)
        shot(page, f"daily-{game}-{kind}")


def test_the_sheet_and_its_buttons_are_one_piece_on_every_screen(phones: Phones) -> None:
    page = phones()
    page.goto("/practice/beloz/4")
    choose(page, ["east-lion"])
    check(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        edges = [page.locator(part).bounding_box() for part in (".answer-sheet", ".action-bar")]
        sheet, bar = ((round(box["x"]), round(box["x"] + box["width"])) for box in edges if box)
        assert sheet == bar, (width, height)


def test_text_of_twice_the_size_grows_in_question_and_verdict(phones: Phones) -> None:
    page = phones()
    for number, wrong in ((4, "east-lion"), (5, "west-monkey")):
        page.goto(f"/practice/beloz/{number}")
        if number == 4:
            grows(page, ".action-bar .primary")
        choose(page, [wrong])
        check(page)
        grows(page, ".action-bar .primary")
    for game, kind in (("bisque", "trick"), ("rivals", "play"), ("beluga-cup", "score"), ("what-the-fish", "swim")):
        day = next(day for day in range(1, 60) if of_day(day)[0] == game and exercise_of(day).kind == kind)
        page.goto(f"/daily/{day}")
        choose(page, exercise_of(day).misread)
        check(page)
        grows(page)


def test_practice_by_keyboard(phones: Phones) -> None:
    page = phones(width=390, height=844)
    page.goto("/practice/beloz/4")
    boxes = page.locator("#practice .hand input")
    boxes.first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    for _ in range(5):  # four cards more, then Skip
        page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Check")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("Right: South crocodile and South elephant")
    wait_until(page, lambda: page.evaluate("document.activeElement.id") == "verdict")
    expect(page.locator(".counted")).to_have_text("1/1")
    page.get_by_role("link", name="Next position").click()
    page.wait_for_url("**/practice/beloz/5")
    page.set_viewport_size({"width": 844, "height": 390})  # sideways the hand stands beside the question
    fits(page)


def test_without_scripts(phones: Phones) -> None:
    page = phones(scripts=False)
    page.goto("/practice/beloz/4")
    choose(page, FOURTH)
    check(page)
    expect(page.locator("#verdict")).to_contain_text("Right: South crocodile and South elephant")
    page.goto("/daily")
    expect(page.get_by_role("button", name="Check my answer")).to_be_visible()
    expect(page.locator("[data-streak]")).to_be_hidden()
