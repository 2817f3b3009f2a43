"""How does an evening of Bisque go on three phones? Six hands, secret goals, a correction, a refusal, the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Phones
from tests.browser.looks import axe, fits, fits_smallest, grows, news_move_nothing, shot
from tests.browser.people import Taps, begin_match, come, look, total
from tests.server import Server

POT = (
    *("crown-waves", "8-waves-leaves", "9-moons-suns", "7-suns-knots", "ace-leaves", "5-wyrms-knots"),
    *("3-moons-waves", "2-suns-wyrms", "6-leaves-knots", "ace-moons", "crown-suns"),
)  # moons 17, suns 28, waves 21, leaves 19, wyrms 7, knots 18
GOALS = ("4-waves-leaves", "4-moons-suns", "9-leaves-knots")  # 19, 17, 18


def sit_down(page: Page) -> str:
    """Begin a match as Ana, with Bo at her left and Cy at her right; return the table's path."""
    return begin_match(page, "bisque", "Ana", "Cy", "Bo")


@pytest.fixture
def cooks(phones: Phones) -> tuple[Page, Page, Page]:
    """Return the phones of Ana, Bo and Cy at their match."""
    ana = phones()
    sit_down(ana)
    return ana, come(phones(), ana, "Bo"), come(phones(), ana, "Cy")


class PotTaps(Taps):
    """A thumb that knows the cooks and the deck."""

    def winner(self, cook: int) -> None:
        self.tap(self.page.locator("#trick .chef").nth(cook))

    def card(self, card: str) -> None:
        self.tap(self.page.locator(f'#trick [name=card][value="{card}"]'))


def trick(page: Page, number: int, by: int, card: str) -> int:
    """Play one trick from the match's page; return the taps that it took."""
    expect(page.locator("#trick-title")).to_have_text(f"Who won trick {number}?")
    if page.locator("#goal-skip").is_visible():
        page.locator("#goal-skip").click()
    thumb = PotTaps(page)
    thumb.winner(by)
    thumb.card(card)
    return thumb.count


def fill(pages: tuple[Page, ...]) -> list[int]:
    """Play a trick on each phone, and send the rest of the pot; return the taps of each trick that was tapped."""
    taps = [trick(page, number + 1, number % 3, POT[number]) for number, page in enumerate(pages)]
    expect(pages[0].locator("#trick-title")).to_have_text(f"Who won trick {len(pages) + 1}?")
    send(pages[0], pages[0].url, *TRICKS[len(pages) :])
    return taps


def send(page: Page, match: str, *entries: dict[str, str]) -> None:
    """Send entries as this phone's forms do, one after the other, without drawing any page."""
    phone = page.context.request
    html = phone.get(match).text()
    form = {name: re.findall(rf'name="{name}" value="([^"]*)"', html)[0] for name in ("csrf_token", "expected_seq")}
    seen = int(form["expected_seq"])
    for fields in entries:
        entry: dict[str, str | float | bool] = {
            **form,
            "expected_seq": str(seen),
            "idempotency_key": f"key-{seen}-{len(fields)}",
            **fields,
        }
        answer = phone.post(f"{match}/hand", form=entry, max_redirects=0)
        assert answer.status == 303
        seen += "who" not in fields  # goals that lie open are no entry yet


TRICKS = tuple({"by": str(number % 3), "card": card} for number, card in enumerate(POT))
SHOWN = tuple({"who": str(cook), "goal": goal} for cook, goal in enumerate(GOALS))
A_HAND = (*TRICKS, *SHOWN, {"save": ",".join(GOALS)})


def turn_up(page: Page, cook: int, goal: str) -> None:
    """Tap somebody's goal for all to see."""
    page.locator("#reveal .chef").nth(cook).click()
    page.locator(f'#reveal [name=goal][value="{goal}"]').click()
    expect(page.locator("#now .plate").nth(cook)).not_to_contain_text("face down")


def take_goal(page: Page, goal: str) -> None:
    """Choose my goal on my phone, as the dock asks for it; the next tap closes it again."""
    page.locator("#goal-begin").click()
    page.locator(f'[data-goal-pick="{goal}"]').click()
    page.locator("h1").click()
    expect(page.locator("#my-goal .goal-now")).to_have_count(0)


def totals(page: Page, *scores: int) -> None:
    """Assert the totals that a phone shows."""
    for cook, score in enumerate(scores):
        expect(total(page, cook)).to_have_text(str(score))


def test_six_hands_on_three_phones(cooks: tuple[Page, Page, Page]) -> None:
    ana, bo, cy = cooks
    for page, goal in zip(cooks, GOALS, strict=True):
        take_goal(page, goal)

    assert fill(cooks) == [2] * 3  # two taps a trick
    for page in cooks:
        expect(page.locator("#now")).to_contain_text("Turn your goals up together")
        expect(page.locator(".suit-bars")).to_contain_text("suns: 28")
    shot(ana, "bisque-full")

    # each turns up the own goal with one tap; until then it stays hidden on all phones
    for cook, page in enumerate(cooks):
        page.locator("#goal-show").click()
        for other in cooks:
            expect(other.locator("#now .plate").nth(cook)).not_to_contain_text("face down")
    expect(cy.locator("#now")).to_contain_text("Ana wins the hand and is ahead")
    shot(cy, "bisque-goals")
    cy.get_by_role("button", name="Save hand 1").click()
    for page in cooks:
        totals(page, 19, 17, 18)
        expect(page.locator("#bar")).to_contain_text("Hand 2 of 6, Bo deals")

    # a card that lies in the pot already is refused with the reason, and the winner stays chosen
    trick(bo, 1, 0, "ace-moons")
    expect(bo.locator("#trick-title")).to_have_text("Who won trick 2?")
    thumb = PotTaps(bo)
    thumb.winner(2)
    thumb.card("ace-moons")
    expect(bo.locator("#refusal-card")).to_contain_text("The Ace of moons is in the pot already, from trick 1.")
    expect(bo.locator("#trick .chef input").nth(2)).to_be_checked()
    shot(bo, "bisque-refused")
    thumb.card("ace-suns")
    expect(ana.locator(".pot")).to_have_attribute("aria-label", "The pot: 2 of 11 cards")
    news_move_nothing(ana, ".chefs b, .pot .card, .suit-bar, .action-bar :is(a, button, label), .app-bar :is(a, summary)")

    # undone on the phone that entered it, seen on another
    bo.locator("#toasts").get_by_role("button", name="Undo").click()
    for page in (ana, bo):
        expect(page.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
    bo.locator(".undo-named").click()
    expect(ana.locator(".pot")).to_have_attribute("aria-label", "The pot: 0 of 11 cards")

    # four more hands, sent by Ana's phone while the others are in pockets
    here = ana.url
    for page in cooks:
        page.goto("/nothing-here")
    send(ana, here, *A_HAND * 4)
    for page in cooks:
        page.goto(here)
        totals(page, 95, 85, 90)

    # trick 2 of the first hand was another card: every later total that changes is shown before it is saved
    ana.locator("#rows > details").last.locator("summary").click()
    ana.locator("#rows > details").last.get_by_role("link", name=re.compile("8 Mill, .*trick 2")).click()
    ana.wait_for_url("**/entries/2")
    rows = ana.locator(".pick-cards").bounding_box()
    ana.locator('label:has([name=card][value="2-waves-leaves"])').click()
    expect(ana.locator("#outcome")).to_contain_text(re.compile(r"Ana 89 95.*Bo 85.*Cy 85 90", re.DOTALL))
    assert ana.locator(".pick-cards").bounding_box() == rows  # what it says has its place before
    expect(ana.locator("#changed tbody tr")).to_have_count(5)
    expect(ana.locator("#changed tbody tr").first).to_contain_text("13")
    shot(ana, "bisque-correct")
    ana.get_by_role("button", name="Save the correction").click()
    for page in cooks:
        totals(page, 89, 85, 85)  # leaves 13 in the first hand: Ana 19 - 6, Cy 18 - 5

    for page in cooks:  # the last hand, too: two phones hear of its goals
        page.goto("/nothing-here")
    send(ana, here, *TRICKS)
    for page in cooks:
        page.goto(here)
    for cook, goal in enumerate(GOALS):
        turn_up(bo, cook, goal)
    bo.get_by_role("button", name="Save hand 6").click()
    for page in cooks:
        totals(page, 108, 102, 103)
        expect(page.locator("#ending")).to_contain_text("Ana wins")
    shot(bo, "bisque-end")
    bo.get_by_role("button", name="Rematch, Ana deals").click()
    bo.wait_for_url("**/m/2")
    totals(bo, 0, 0, 0)


@pytest.fixture
def quiet_server(tmp_path: Path) -> Iterator[Server]:
    """Yield a server on which nothing else is played."""
    serving = Server(tmp_path / "instance", settings={"COMPANION_PROXIES": "1"})
    serving.start()
    yield serving
    serving.stop()


def source(page: Page) -> str:
    """Return all that a phone holds of the page, without what differs with each answer."""
    html = str(page.evaluate("document.documentElement.outerHTML"))
    return re.sub(r'name="(csrf_token|key)" value="[^"]*"|data-seq="\d+"|<b data-phones=""[^>]*>\d+</b> phones?', "", html)


def test_a_goal_is_nowhere_but_on_its_owners_phone(browser: Browser, quiet_server: Server) -> None:
    several = Phones(browser, quiet_server)
    try:
        secret = "4-waves-leaves"
        ana = several()
        table = sit_down(ana)
        others = [come(several(), ana, "Bo"), come(several(), ana, "Cy")]
        watcher = several()
        watcher.goto(table)
        for page in (ana, *others):
            page.reload()  # the toasts are gone
        sent: list[str] = []
        ana.context.on("request", lambda request: sent.append(f"{request.url} {request.post_data} {request.headers}"))

        def chosen(goal: str) -> list[str]:
            """Return what the pages hold once everybody knows that Ana has chosen, and this is what she chose."""
            take_goal(ana, goal)
            for page in others:
                expect(page.locator("#begin")).to_contain_text("Ana has chosen.")
                page.reload()
            expect(ana.locator("#goal-first")).to_have_count(0)
            return [source(page) for page in (ana, *others)]

        first = chosen("9-moons-suns")
        sent.clear()
        ana.locator("#goal-eye").click()
        ana.locator("#goal-card").click()
        ana.locator(f'[data-goal-pick="{secret}"]').click()
        ana.locator("#goal-eye").click()
        assert [source(page) for page in (ana, *others)] == first  # not even its owner's page tells which
        assert not any("hand" in request for request in sent)  # another goal is chosen without a word to anybody
        ana.locator("#goal-eye").click()
        expect(ana.locator("#my-goal .goal-now")).to_contain_text("now: waves and leaves both 0")
        send(ana, ana.url, *TRICKS[:10])
        expect(ana.locator("#my-goal")).to_contain_text("Hidden. Tap to show.")  # it has closed by itself
        ana.locator("#goal-eye").click()
        expect(ana.locator("#my-goal .goal-now")).to_have_text("19now: the lower of 21 waves and 19 leaves")
        expect(ana.locator("#soup [data-goal]")).to_have_count(2)
        shot(ana, "bisque-goal")
        ana.reload()
        expect(ana.locator("#my-goal")).to_contain_text("Hidden. Tap to show.")
        expect(ana.locator("#soup [data-goal]")).to_have_count(0)

        def told() -> list[str]:
            """Return where the secret can be read: requests, the server's files and output, the record, marked cards."""
            places = [text for text in sent if secret in text]
            files = [file for file in quiet_server.instance.rglob("*") if file.is_file()]
            places += [str(file) for file in files if secret.encode() in file.read_bytes()]
            record = ana.context.request.get(f"{table}/m/1/record.json").text()
            places += [text for text in (quiet_server.output, quiet_server.complaints, record) if secret in text]
            for page in (ana, *others, watcher):
                answer = page.context.request.get(f"{table}/m/1").text()
                places += re.findall(rf'class="plate[^>]*{secret}', answer) + re.findall(rf'"{secret}"[^>]* checked', answer)
            return places

        assert told() == []
        send(ana, ana.url, *TRICKS[10:])
        ana.locator("#goal-show").click()
        for page in others:
            expect(page.locator("#now .plate").first).to_contain_text("19")
        assert told() != []
        assert several.problems == []
    finally:
        several.close()


def test_a_goal_that_lies_in_the_pot_is_refused_with_the_reason(phone: Page) -> None:
    sit_down(phone)
    trick(phone, 1, 0, "8-waves-leaves")
    expect(phone.locator("#trick-title")).to_have_text("Who won trick 2?")
    phone.locator("#goal-card").click()
    phone.locator('[data-goal-pick="8-waves-leaves"]').click()
    expect(phone.locator("#goal-refusal")).to_have_text("The 8 of waves and leaves can’t be your goal: it is in the pot.")
    axe(phone)
    phone.locator('[data-goal-pick="4-waves-leaves"]').click()
    expect(phone.locator("#my-goal .goal-now")).to_contain_text("now: waves and leaves both 8")


def press(page: Page, place: str) -> None:
    """Tap where it is, as a thumb does: nothing is brought into sight before."""
    box = None
    while box is None:  # the page may be putting a newer one in its place just now
        expect(page.locator(place)).to_be_visible()
        box = page.locator(place).bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def in_sight(page: Page, *places: str) -> None:
    """Wait until all of these are to be seen without scrolling, and the bottom bar covers none of them.

    Measured in one go: news of the entry may put another part in place at any moment.
    """
    page.wait_for_function(
        """(places) => {
          const bars = [...document.querySelectorAll(".action-bar")].map((bar) => bar.offsetHeight);
          const height = innerHeight - Math.max(0, ...bars);
          const seen = (one) => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= height + 1;
          const all = (place) => [...document.querySelectorAll(place)];
          return places.every((place) => all(place).length && all(place).every(seen));
        }""",
        arg=list(places),
    )


def test_text_of_twice_the_size_grows_and_leaves_the_question_in_sight(phone: Page) -> None:
    sit_down(phone)
    grows(phone, "#goal-first-title", "#goal-begin")
    take_goal(phone, GOALS[0])
    send(phone, phone.url, *TRICKS[:6])
    for _ in "told", "told no more":
        phone.reload()
    grows(phone, "#trick-title")
    send(phone, phone.url, *TRICKS[6:], *SHOWN[1:])
    for _ in "told", "told no more":
        phone.reload()
    grows(phone, "#reveal h2", "#goal-show")


def test_a_small_phone_has_the_goal_the_trick_and_the_end_of_a_hand_in_one_sight(phones: Phones) -> None:
    phone = phones(width=360, height=640)
    sit_down(phone)
    in_sight(phone, ".chefs", ".pot", "#begin")
    phone.locator("#goal-begin").tap()
    phone.locator(f'[data-goal-pick="{GOALS[0]}"]').tap()
    bo = phone.locator("#trick .chef").nth(1)
    expect(phone.locator("#goal-first")).to_have_count(0)
    in_sight(phone, ".chefs", ".pot", "#my-goal")
    expect(bo).to_be_visible()
    where = bo.bounding_box()
    assert where is not None
    look(phone)
    bo.tap()
    expect(phone.locator("#trick .deck")).to_be_visible()
    assert bo.bounding_box() == pytest.approx(where, abs=1)  # a second tap of the same thumb hits no card
    phone.locator("#trick [name=card][value=crown-waves]").tap()
    expect(phone.locator("#trick-title")).to_have_text("Who won trick 2?")
    send(phone, phone.url, *TRICKS[1:], *SHOWN[1:])
    expect(phone.locator(".plate[data-up]")).to_have_count(2)
    expect(phone.locator("#goal-show")).to_be_visible()
    phone.locator("#news").evaluate("(news) => news.replaceChildren()")
    in_sight(phone, ".plate", ".suit-row")  # half turned, too
    look(phone)
    press(phone, "#goal-show")
    expect(phone.locator(".plate.best")).to_contain_text("Ana")
    expect(phone.locator("#goal-show")).to_be_hidden()
    phone.locator("#toasts").evaluate("(toasts) => toasts.replaceChildren()")
    phone.locator("#news").evaluate("(news) => (news.innerHTML = '<p class=\"news shown\">Bo saved trick 11</p>')")
    in_sight(phone, ".plate", ".suit-row", "#reveal-now .callout")
    phone.set_viewport_size({"width": 844, "height": 390})
    for each in phone.locator(".plate, .suit-row, #reveal-now .callout .totals").all():
        expect(each).to_be_in_viewport(ratio=1)
    phone.get_by_role("button", name="Turn mine back").tap()
    expect(phone.locator(".plate").first).to_contain_text("face down")


def test_each_card_in_the_pot_has_48_pixels_of_its_own(phones: Phones) -> None:
    phone = phones(width=360, height=640)
    sit_down(phone)
    send(phone, phone.url, *TRICKS[:9])
    phone.goto(phone.url)
    expect(phone.locator(".pot a")).to_have_count(9)
    missed = phone.locator(".pot a").evaluate_all(
        """(cards) => cards.filter((card) => {
          card.scrollIntoView({ block: "center" });
          const { left, top, width, height } = card.getBoundingClientRect();
          const [x, y] = [left + width / 2, top + height / 2];
          const corners = [[-23.5, -23.5], [23.5, -23.5], [-23.5, 23.5], [23.5, 23.5]];
          return !corners.every(([right, down]) => card.contains(document.elementFromPoint(x + right, y + down)));
        }).length"""
    )
    assert missed == 0


def test_a_refusal_moves_nothing_out_of_its_column_on_a_large_screen(phone: Page) -> None:
    phone.set_viewport_size({"width": 1280, "height": 800})
    sit_down(phone)
    trick(phone, 1, 0, "8-waves-leaves")
    expect(phone.locator("#trick-title")).to_have_text("Who won trick 2?")
    phone.locator("#refusal-form").evaluate("place => (place.innerHTML = '<p class=field-note>This goal came too late.</p>')")
    refusal, scores, pot, rounds = (
        phone.locator(place).bounding_box() for place in ("#refusal-form", "#scores", "#soup", "#rows")
    )
    assert refusal["y"] + refusal["height"] <= scores["y"] < scores["y"] + scores["height"] <= pot["y"] < rounds["y"]
    assert pot["x"] + pot["width"] <= rounds["x"]


def test_text_of_twice_the_size_cuts_no_badge_in_the_pot(phones: Phones) -> None:
    phone = phones()
    sit_down(phone)
    send(phone, phone.url, *TRICKS[:5])
    phone.goto(phone.url)
    phone.evaluate("document.documentElement.style.fontSize = '32px'")
    cards = phone.locator(".pot .card:has(.card-suits)")
    expect(cards).to_have_count(5)
    for card in cards.all():
        assert card.evaluate("card => card.scrollHeight <= card.clientHeight && card.scrollWidth <= card.clientWidth")
    fits(phone)
    dock = phone.locator(".action-bar").bounding_box()
    assert dock is not None
    assert dock["height"] <= 422, "it leaves half of the phone to the pot"


def test_sideways_the_cards_open_beside_the_pot(phones: Phones) -> None:
    phone = phones(width=844, height=390)
    sit_down(phone)
    phone.locator("#goal-skip").tap()
    expect(phone.locator("#goal-first")).to_have_count(0)  # told, and heard of: the page is as it stays
    look(phone)  # the first cook stands where the finger was
    pot = phone.locator(".pot").bounding_box()
    phone.locator("#trick .chef").first.tap()
    cards = phone.locator("#trick .deck .card-piece")
    expect(cards.first).to_be_visible()
    boxes = cards.evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().toJSON())")
    assert len(boxes) == 36
    for box in boxes:
        assert box["left"] > 844 / 2
        assert box["top"] >= 0
        assert box["bottom"] <= 390
    assert phone.locator(".pot").bounding_box() == pot


def test_the_cards_open_on_the_tap_itself(phone: Page) -> None:
    sit_down(phone)
    phone.locator("#goal-skip").click()
    shown = phone.evaluate(
        """() => [0, 1, 2, 0, 1].map((cook) => {
          document.querySelectorAll("#trick .chef input")[cook].click();
          const height = document.querySelector("#trick .deck").getBoundingClientRect().height;
          document.querySelector("#trick .picker-close input").click();
          return height;
        })"""
    )
    assert all(height > 0 for height in shown)  # before anything was asked of the server


def test_the_winner_that_was_tapped_stays_while_others_come(phone: Page, phones: Phones) -> None:
    sit_down(phone)
    phone.locator("#goal-skip").click()
    phone.locator("#trick .chef").nth(1).click()
    another = come(phones(), phone, "Bo")  # the table has changed: the page is fetched anew
    expect(phone.locator("[data-phones]")).not_to_have_text("1")
    expect(phone.locator("#trick .chef input").nth(1)).to_be_checked()
    expect(phone.locator("#trick .deck")).to_be_visible()
    trick(another, 1, 0, "ace-moons")
    expect(phone.locator("#trick-title")).to_have_text("Who won trick 2?")
    expect(phone.locator("#trick .deck")).to_be_hidden()  # that was about another trick
    expect(phone.locator("#picker-note")).to_have_text("Trick 1 was entered on another phone.")


def test_the_pot_holds_what_waits_and_no_twelfth_trick_is_asked_for(phone: Page, phones: Phones) -> None:
    phone.set_viewport_size({"width": 360, "height": 640})
    sit_down(phone)
    phone.locator("#goal-skip").click()
    expect(phone.locator("#goal-first")).to_have_count(0)
    trick(phone, 1, 1, POT[0])
    expect(phone.locator(".pot")).to_have_attribute("aria-label", "The pot: 1 of 11 cards")
    phone.context.set_offline(True)
    for number, card in enumerate(POT[1:3], start=2):
        trick(phone, number, 0, card)
        expect(phone.locator("#offline")).to_contain_text(f"Trick {number} of hand 1")
        expect(phone.locator("#trick .deck")).to_be_hidden()
    waiting = phone.locator(".pot-place[data-waits] [role=img]")
    expect(waiting).to_have_count(2)
    expect(waiting.first).to_have_attribute("aria-label", re.compile(", waiting$"))
    expect(phone.locator(".pot-empty.next")).to_have_text("4")
    expect(phone.locator(".pending-row").first).to_be_in_viewport(ratio=0.5)
    expect(phone.get_by_role("button", name="Send as a file")).to_have_count(1)
    phone.set_viewport_size({"width": 390, "height": 844})
    expect(phone.locator("#offline h2")).to_have_text("Entered on this phone")
    phone.set_viewport_size({"width": 360, "height": 640})
    dock = phone.locator(".bisque-bar").bounding_box()
    place = waiting.last.bounding_box()
    assert dock is not None
    assert place is not None
    assert place["y"] + place["height"] <= dock["y"], "the pot is in sight"
    for number, card in enumerate(POT[3:], start=4):
        trick(phone, number, 2, card)
    expect(phone.locator("#trick-title")).to_be_hidden()
    expect(phone.locator("#trick")).to_contain_text("The pot is full. The goals come up once your tricks are sent.")
    expect(phone.locator("#trick .chef").first).to_be_hidden()
    shot(phone, "bisque-waiting")
    phone.context.set_offline(False)
    expect(phone.locator(".pot")).to_have_attribute("aria-label", "The pot: 11 of 11 cards")
    expect(phone.locator("#reveal")).to_be_visible()
    expect(phone.locator("#offline")).to_be_empty()
    phones.problems[:] = [problem for problem in phones.problems if "ERR_INTERNET_DISCONNECTED" not in problem]


def test_the_calculator_answers_at_the_thumb_and_takes_no_twelfth_card(phones: Phones) -> None:
    phone = phones(width=360, height=640)
    phone.goto("/calculate/bisque")
    for card in POT:
        phone.locator(f'[name=pot][value="{card}"]').check()
    expect(phone.locator("#answer")).to_contain_text("11 of 11 cards in the pot")
    phone.locator('[name=pot][value="crown-moons"]').dispatch_event("click")
    expect(phone.locator("#pot-full")).to_have_text("The pot is full with 11 cards. Tap one of them to take it out.")
    expect(phone.locator('[name=pot][value="crown-moons"]')).not_to_be_checked()
    expect(phone.locator("#bars")).to_contain_text("waves: 21")
    phone.locator("#pick-goal_0 summary").click()
    phone.locator('[name=goal_0][value="4-waves-leaves"]').check()
    expect(phone.locator("#answer")).to_contain_text("You: 19, the lower of 21 waves and 19 leaves")
    expect(phone.locator("#pot-full")).to_be_empty()
    expect(phone.locator("#answer")).to_be_in_viewport()


def test_every_page_is_for_everybody(phone: Page) -> None:
    table = sit_down(phone)
    trick(phone, 1, 1, "8-waves-leaves")
    expect(phone.locator("#trick-title")).to_have_text("Who won trick 2?")
    phone.locator("#trick .chef").first.click()
    axe(phone, dark=True)
    send(phone, phone.url, *[entry for entry in TRICKS if entry["card"] != "8-waves-leaves"])
    expect(phone.locator("#now")).to_contain_text("Turn your goals up together")
    turn_up(phone, 0, GOALS[0])
    phone.locator("#reveal .chef").nth(1).click()
    axe(phone, dark=True)
    for path in (f"{table}/m/1", f"{table}/m/1/entries/1", f"{table}/m/1/goal", "/calculate/bisque", "/tables/new?game=bisque"):
        phone.goto(path)
        axe(phone, dark=True)
        fits_smallest(phone)


def test_everything_works_without_scripts(phones: Phones) -> None:
    page = phones(scripts=False)
    sit_down(page)
    for number, card in enumerate(POT[:2]):
        assert trick(page, number + 1, number % 3, card) == 2
    page.get_by_role("link", name="What does it score now?").click()
    page.locator('label:has([name=goal][value="4-waves-leaves"])').click()
    page.get_by_role("button", name="What does it score now?").click()
    expect(page.locator(".goal-now")).to_have_text("8now: the lower of 18 waves and 8 leaves")
    page.get_by_role("link", name="Back").click()
    send(page, page.url, *TRICKS[2:])
    page.reload()
    for cook, goal in enumerate(GOALS):
        turn_up(page, cook, goal)
    page.get_by_role("button", name="Save hand 1").click()
    totals(page, 19, 17, 18)
    page.locator("#rows > details summary").first.click()
    page.get_by_role("link", name="Correct the goals").click()
    page.locator("#pick-goal_2 summary").click()
    page.locator('label:has([name=goal_2][value="4-wyrms-knots"])').click()
    page.get_by_role("button", name="See what changes").click()
    expect(page.locator("#outcome")).to_contain_text("Cy 7 18")
    page.get_by_role("button", name="Save the correction").click()
    totals(page, 19, 17, 7)
