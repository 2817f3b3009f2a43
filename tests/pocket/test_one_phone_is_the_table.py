"""Do phones play together at the table of one of them, with no server? Two codes connect each, and a stranger gets nowhere."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phones
from tests.browser.people import say_who, wait_until
from tests.browser.test_beloz_table import RoundTaps, play_round
from tests.pocket.test_in_phone import READY, begin_beloz, new_table, scores, take, take_along
from tests.server import Server
from tests.web import people as pages

# answers a table's code past the page, on a line of a stranger's own; notes what comes
STRANGER = """async (address) => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { read, write, page } = await import(`${from}together-code.js`);
  const { gathered, line } = await import(`${from}together-line.js`);
  const peer = new RTCPeerConnection({ iceServers: [] });
  globalThis.heard = [];
  peer.addEventListener("datachannel", ({ channel }) => {
    const tell = line(channel, { sent: 1e7, unpacked: 1e7 }, (message) => message.beat || heard.push(message), () => {});
    globalThis.tell = tell;
    globalThis.channel = channel;
    channel.addEventListener("close", () => heard.push({ closed: true }));
  });
  const code = read(address);
  await peer.setRemoteDescription({ type: "offer", sdp: code.sdp });
  await peer.setLocalDescription(await peer.createAnswer());
  return `${page()}#${write({ kind: "answer", pair: code.pair, name: "", sdp: await gathered(peer) })}`;
}"""
# is the table for whoever takes its code, past all pages; notes what comes
STRANGE_TABLE = """async () => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { freshPair, read, write, page } = await import(`${from}together-code.js`);
  const { gathered, line } = await import(`${from}together-line.js`);
  const peer = new RTCPeerConnection({ iceServers: [] });
  const channel = peer.createDataChannel("companion");
  const heard = [];
  const tell = line(channel, { sent: 1e7, unpacked: 1e7 }, (message) => heard.push(message), () => {});
  const meets = (answer) => peer.setRemoteDescription({ type: "answer", sdp: read(answer).sdp });
  const turn = { n: 0, id: "one", host: "Ana" };
  const welcome = { id: "one", link: "one", name: "Table", host: "Ana", version: new URL(from).pathname, turn };
  Object.assign(globalThis, { heard, channel, tell, meets, welcome });
  await peer.setLocalDescription(await peer.createOffer());
  return `${page()}#${write({ kind: "offer", pair: freshPair(), name: "Ana", table: "Table", sdp: await gathered(peer) })}`;
}"""
# says something to all guests that no page of Companion says
SAYS_TO_GUESTS = """async (message) => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { guests } = await import(`${from}together-guests.js`);
  for (const { tell } of guests) tell(message);
}"""
# does nothing for so long, as a phone that is locked
ASLEEP = """(long) => void setTimeout(() => {
  for (const until = Date.now() + long; Date.now() < until; );
}, 50)"""
# asks 200 questions at once
FLOOD = """() => {
  const ask = (number) => tell({ number, asked: { method: "GET", url: "/pocket/" } }).catch(() => {});
  for (let number = 100; number < 300; number += 1) ask(number);
}"""
HEARD = """() => globalThis.heard"""
# notes what the page says to screen readers
SAID = """() => {
  globalThis.said = [];
  const place = document.getElementById("announce");
  new MutationObserver(() => said.push(place.textContent)).observe(place, { childList: true });
}"""
# comes again by the line that waits for this stranger, and says that it was never here; notes who it is taken for
BY_ITS_OWN_LINE = """async () => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { choose, take } = await import(`${from}together-spare.js`);
  const { line } = await import(`${from}together-line.js`);
  globalThis.ids ??= new Set();
  for (const { welcome } of heard) if (welcome) ids.add(welcome.id);
  const { spare, answer } = await choose(heard.findLast((each) => each.spare).spare);
  await tell({ spare: answer });
  await new Promise((resolve) => setTimeout(resolve, 500));
  heard.length = 0;
  await take(spare, (channel) => {
    const hear = (message) => {
      if (message.welcome) ids.add(message.welcome.id);
      if (!message.beat) heard.push(message);
    };
    globalThis.tell = line(channel, { sent: 1e7, unpacked: 1e7 }, hear, () => {});
    const greet = () => tell({ hello: { id: "somebody-else" } });
    if (channel.readyState === "open") greet();
    else channel.addEventListener("open", greet);
  });
}"""
# whether this phone waits on a line that the guest can take, should its own break
WAITS = "() => connections.some((each) => each.connectionState === 'new' && each.remoteDescription)"
# a page that is closed before it knows how to come back: its browser never hands out the key for that
LEAVES_AT_ONCE = """(() => {
  const { open } = IDBFactory.prototype;
  let times = 0;
  IDBFactory.prototype.open = function (name, ...how) {
    if (name.endsWith("companion-together")) times += 1;
    return times > 1 ? {} : open.call(this, name, ...how);
  };
})()"""
# notes the connections that the page makes from now on
CONNECTIONS = """() => {
  globalThis.connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...how) {
      super(...how);
      connections.push(this);
    }
  };
}"""


def share(page: Page, place: str) -> str:
    """Return the address that a page has drawn as a code."""
    button = page.locator(f"{place} [data-share]")
    expect(button).to_have_attribute("data-share", re.compile("with#"), timeout=READY)
    return str(button.get_attribute("data-share"))


def let_in(page: Page) -> str:
    """Open "Let others in"; return the address that its code is of."""
    if not urlsplit(page.url).path.endswith("/let-in"):
        page.get_by_role("link", name="Let others in").click()
    expect(page.locator("#let-in [data-code] svg")).to_be_visible(timeout=READY)
    return share(page, "#let-in")


def read(page: Page, answer: str) -> None:
    """Take what another phone sent as a text."""
    folded = page.locator("#let-in details", has_text="No camera?")
    if folded.get_attribute("open") is None:
        folded.locator("summary").click()
    page.get_by_label("Their code", exact=True).fill(answer)
    page.get_by_role("button", name="Let them in").click()


def come_in(guest: Page, host: Page, name: str) -> None:
    """Let a phone in, and say there whose it is."""
    guest.goto(let_in(host))
    read(host, share(guest, "[data-come=answer]"))
    guest.wait_for_url(re.compile(r"/pocket/t/"))
    say_who(guest, name)
    expect(guest.locator("#together")).to_have_text("Ana’s phone is the table. Connected.")


@pytest.fixture
def ana(people: Phones) -> Page:
    """Return a phone with a match of BeloZ in it, which began when nobody else was there."""
    page = people(keeps_pages=True)
    take_along(page)
    begin_beloz(page)
    return page


def to_table(page: Page) -> None:
    """Go from the match to its table, without opening a page anew."""
    page.locator("header.app-bar a[aria-label=Back]").click()
    page.wait_for_url("**/table")


def to_match(page: Page) -> None:
    """Go to the match, where the page is not of it already."""
    if urlsplit(page.url).path.endswith("/m/1"):
        return
    page.get_by_role("link", name="Go to the match").click()
    page.wait_for_url("**/m/1")


# how many lines the words of an element take
LINES = """(element) => {
  const words = document.createRange();
  words.selectNodeContents(element);
  return new Set([...words.getClientRects()].map(({ top }) => top)).size;
}"""


def test_guests_play_at_the_table_of_one_phone_and_no_server_is_there(people: Phones, ana: Page, server: Server) -> None:
    bo, cy = people(keeps_pages=True), people(keeps_pages=True)
    for page in (bo, cy):
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    to_table(ana)
    for page, name in ((bo, "Bo"), (cy, "Cy")):
        come_in(page, ana, name)
    expect(ana.locator("[data-let-in-phones] [data-state]")).to_have_text(["Bo is in", "Cy is in"])
    expect(ana.locator("[data-let-in-phones] li").last).to_have_text("free")  # Di's seat
    pawns = ana.locator("[data-let-in-phones] .pawn").evaluate_all("(all) => all.map((each) => each.dataset.side)")
    assert pawns == ["0", "1", "0"]  # as around the table: Ana and Cy are partners
    to_table(bo)
    expect(bo.get_by_role("heading", name="You are in, Bo")).to_be_visible()
    expect(bo.locator(".app-bar .phones")).to_have_text("3 phones")
    bo.set_viewport_size({"width": 320, "height": 568})
    assert bo.locator(".app-bar h1").evaluate(LINES) == 1  # "Sunday table"
    expect(bo.locator("#around [data-keeps]")).to_have_text("Ana’s phone keeps the score")
    expect(ana.locator("html")).to_have_attribute("data-awake", "")  # and it stays awake
    server.stop()
    ana.locator("header.app-bar a").first.click()
    for page in (ana, bo, cy):
        to_match(page)
    expect(bo.locator(".app-bar .phones b")).to_have_text("3")
    expect(bo.locator("#together")).to_have_class(re.compile("visually-hidden"))  # while all is well it takes no room from keys
    play_round(bo, "Bo", "north", "100")
    expect(ana.locator("[data-score]").first).not_to_have_text("0")
    there = scores(ana)
    assert scores(bo) == there
    expect(cy.locator("[data-score]").first).to_have_text(there[0])
    cy.locator("[data-score]").first.wait_for()
    ana.get_by_role("button", name="Undo").first.click()
    for page in (bo, cy):
        expect(page.locator("[data-score]").first).to_have_text("0")


def count_round(page: Page) -> RoundTaps:
    """Count a round of Bo's up to what saves it; return its taps."""
    thumb = RoundTaps(page)
    thumb.tap(page.locator("#now").get_by_role("button", name="Bo", exact=True))
    page.wait_for_url("**/who")
    thumb.plain("north")
    page.wait_for_url("**/m/1")
    thumb.link(re.compile("Count round"))
    page.wait_for_url("**/count")
    thumb.keys("100")
    thumb.last("0")
    return thumb


def test_what_a_guest_enters_while_the_table_sleeps_waits_and_counts_once(people: Phones, ana: Page) -> None:
    bo = people()
    to_table(ana)
    come_in(bo, ana, "Bo")
    to_match(bo)
    thumb = count_round(bo)
    ana.evaluate(ASLEEP, 14_000)
    bo.wait_for_timeout(100)  # it sleeps by then
    thumb.button(re.compile("Save round"))
    expect(bo.locator("#together")).to_have_text(
        "Ana’s phone sleeps. What you enter waits here and counts when it wakes.", timeout=5000
    )
    expect(bo.locator("#offline")).to_contain_text("waiting")
    expect(bo.locator("#together")).to_have_text("Ana’s phone is the table. Connected.", timeout=READY)
    expect(bo.locator("#offline")).to_contain_text("counted", timeout=READY)
    expect(ana.locator("[data-away]")).to_have_text(re.compile("This phone slept for 1[0-9] seconds. 1 entry came in."))
    ana.locator("header.app-bar a").first.click()
    to_match(ana)
    assert scores(ana) == scores(bo) == ["63", "100"]  # once


# whether all of a button is on the page, and its words in a line or two
WIDE = "(all) => all.map((each) => each.getBoundingClientRect()).map(({ right, width }) => right <= innerWidth && width > 200)"


def come_to(guest: Page, host: Page, whose: str) -> None:
    """Let a phone in again that waits for a code of the phone that is the table by now, and knows whose seat it has."""
    guest.get_by_label("Or the code as a text").fill(let_in(host))
    guest.get_by_role("button", name="Go on").click()
    read(host, share(guest, "[data-come=answer]"))
    guest.wait_for_url("**/m/1")
    expect(guest.locator("#together")).to_have_text(f"{whose}’s phone is the table. Connected.")


def come_back(guest: Page, host: Page) -> None:
    """Scan the code of the phone that is the table once more."""
    guest.goto(let_in(host))
    read(host, share(guest, "[data-come=answer]"))
    guest.wait_for_url("**/m/1")
    expect(guest.locator("#together")).to_contain_text("phone is the table. Connected.")


# goes to the phone's own home page as a tap on a link does, or back from there
HOME_AND_BACK = """(steps) => {
  if (steps) return history.go(steps);
  const link = Object.assign(document.createElement("a"), { href: "/pocket/", textContent: "home" });
  document.getElementById("main").append(link);
  link.click();
}"""


def test_the_table_is_handed_to_a_guest_and_everybody_goes_there(people: Phones, ana: Page) -> None:
    bo, cy = people(keeps_pages=True), people()
    to_table(ana)
    come_in(bo, ana, "Bo")
    come_in(cy, ana, "Cy")
    to_match(cy)
    play_round(cy, "Bo", "north", "100")
    there = scores(cy)
    ana.get_by_text("Hand the table on").click()
    expect(ana.get_by_text("The other phone needs Companion on it")).to_be_visible()
    bo.evaluate(HOME_AND_BACK, 0)
    take(bo)  # at home, while it is a guest
    bo.evaluate(HOME_AND_BACK, -1)
    heirs = ana.locator("[data-let-in-heirs] button")
    expect(heirs).to_have_text(["Hand the table to Bo"])  # Cy's phone has no Companion
    heirs.click()
    expect(heirs).to_have_text("Bo’s phone asks whether it takes the table.")
    expect(bo.locator("#together .button")).to_have_count(2)
    assert bo.locator("#together .button").evaluate_all(WIDE) == [True, True]
    to_table(bo)  # the question stays, whatever page is in sight
    bo.get_by_role("button", name="Not now").click()
    expect(ana.locator("[data-let-in-trouble]")).to_have_text("The table could not be handed on. It is where it was.")
    bo.get_by_role("button", name="Not now").wait_for(state="detached")
    heirs.click()
    bo.get_by_role("button", name="Take the table").click()  # in sight on the table's own page, too, where all is well
    bo.wait_for_url("**/let-in", timeout=READY)
    moved = "Bo’s phone is the table now. Scan its code to go on: your seat is still yours."
    expect(cy.locator("#together")).to_have_text(moved, timeout=READY)
    expect(ana.get_by_text(moved)).to_be_visible(timeout=READY)
    come_to(ana, bo, "Bo")
    cy.goto(let_in(bo))
    read(bo, share(cy, "[data-come=answer]"))
    cy.wait_for_url("**/m/1")
    for page, name in ((ana, "Ana"), (cy, "Cy")):
        assert scores(page) == there
        expect(bo.locator("[data-let-in-phones]")).to_contain_text(f"{name} is in")  # nobody had to say it again


# lets this phone's Companion wait so long before it answers for an address that ends so
HOLD = """([end, time]) => {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const isHeld = String(message.asked?.url).endsWith(end);
    setTimeout(() => post.call(this, message, ...rest), isHeld ? time : 0);
  };
}"""
# a phone that hands the table on gives up after a second, not after half a minute
GIVES_UP_SOON = """() => {
  const wait = setTimeout;
  globalThis.setTimeout = (act, time, ...rest) => wait(act, time === 30_000 ? 1000 : time, ...rest);
}"""
# the tables that this phone has
OWN = """async () => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  return (await (await import(`${from}pocket.js`)).tables()).count;
}"""
PERHAPS = "Perhaps Bo’s phone is the table. Look there. If it is, scan its code. If not, go on here."


def hand_on(host: Page, guest: Page) -> None:
    """Hand the table to a guest, who takes it."""
    let_in(host)
    host.get_by_text("Hand the table on").click()
    host.get_by_role("button", name="Hand the table to").click()
    guest.get_by_role("button", name="Take the table").click()
    expect(guest.locator("#together")).to_have_text("The table is coming to this phone…")


def test_a_table_whose_way_to_another_phone_is_cut_lives_on_one_of_them(people: Phones, ana: Page) -> None:
    match, at_home = ana.url, ana.context
    bo = people(keeps_pages=True)
    take_along(bo)
    to_table(ana)
    come_in(bo, ana, "Bo")
    to_match(bo)
    play_round(bo, "Bo", "north", "100")

    # Bo's phone is too slow: Ana's keeps the table, and what came there goes again
    ana.evaluate(GIVES_UP_SOON)
    bo.evaluate(HOLD, ["/tables/import", 4000])
    hand_on(ana, bo)
    expect(ana.locator("[data-let-in-trouble]")).to_have_text(PERHAPS)
    expect(bo.locator("#together")).to_have_text("The table could not be handed on. It is where it was.")
    for tables in (1, 0):  # it comes too late, and goes again
        wait_until(bo, lambda tables=tables: bo.evaluate(OWN) == tables)

    # Ana's page closes while the copy is on its way: her phone is asked which of the two it is
    ana.on("dialog", lambda asked: asked.accept())  # whether to leave
    ana.reload()
    come_back(bo, ana)
    bo.evaluate(HOLD, ["/tables/import", 2000])
    hand_on(ana, bo)
    bo.wait_for_timeout(1000)
    ana.close()
    for tables in (1, 0):
        wait_until(bo, lambda tables=tables: bo.evaluate(OWN) == tables)
    expect(bo.locator("#together")).to_contain_text("Ana’s phone is gone.")
    ana = at_home.new_page()
    ana.goto(match)
    expect(ana.get_by_role("alert")).to_have_text(PERHAPS)
    ana.get_by_role("button", name="Make this phone the table").click()
    ana.wait_for_url("**/let-in", timeout=READY)
    assert bo.evaluate(OWN) == 0

    # it closes before Bo's phone hears that it let go: Bo's phone is asked, and Ana's knows
    come_back(bo, ana)
    ana.evaluate(HOLD, ["/forget", 60_000])
    hand_on(ana, bo)
    bo.wait_for_timeout(8000)
    ana.close()
    expect(bo.locator("#together")).to_contain_text(PERHAPS.replace("Bo", "Ana"))
    bo.get_by_role("button", name="Make this phone the table").click()
    bo.wait_for_url("**/let-in", timeout=READY)
    ana = at_home.new_page()
    ana.goto(match)
    expect(ana.get_by_role("alert")).to_contain_text("Bo’s phone is the table now.")
    ana.goto(let_in(bo))
    read(bo, share(ana, "[data-come=answer]"))
    ana.get_by_role("button", name="Send it, and play there").click(timeout=READY)
    ana.get_by_text("The table had every entry of this phone already.").wait_for(timeout=READY)
    wait_until(ana, lambda: ana.evaluate(OWN) == 0)
    ana.get_by_role("link", name="To the table", exact=True).click()
    to_match(ana)
    assert scores(ana) == ["63", "100"]


# whether a guest's page holds the table with an entry, and no newer one has come for so long that none is on its way
HAS_COPY = """() => {
  const key = Object.keys(sessionStorage).find((each) => each.endsWith("together-copy"));
  const { file = "", of = 0 } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  if (globalThis.newest !== of) [globalThis.newest, globalThis.since] = [of, Date.now()];
  return file.includes('"key":') && Date.now() - since > 4000;
}"""
KEEPS_A_WAY_BACK = """() => {
  const key = Object.keys(localStorage).find((each) => each.endsWith("companion:together"));
  return Boolean(JSON.parse(localStorage.getItem(key) ?? "{}").spare);
}"""
TWO_MINUTES_LATER = "performance.now = () => 1e9"


def test_a_guest_becomes_the_table_when_its_phone_is_gone_and_both_are_joined(people: Phones, ana: Page) -> None:
    match = ana.url
    bo, cy = people(keeps_pages=True), people()
    take_along(bo)
    to_table(ana)
    come_in(bo, ana, "Bo")
    come_in(cy, ana, "Cy")
    to_match(cy)
    play_round(cy, "Bo", "north", "100")
    bo.wait_for_function(HAS_COPY)
    at_home = ana.context
    ana.close()
    for page in (bo, cy):
        expect(page.locator("#together")).not_to_contain_text("Connected", timeout=READY)
        page.evaluate(TWO_MINUTES_LATER)
    be_table = bo.get_by_role("button", name="Make this phone the table")
    expect(be_table).to_be_visible()
    assert be_table.evaluate_all(WIDE) == [True]
    be_table.click()
    bo.wait_for_url("**/let-in", timeout=READY)
    expect(cy.locator("#together button")).to_have_count(0)  # without Companion it can't be the table
    cy.goto(let_in(bo))
    read(bo, share(cy, "[data-come=answer]"))
    cy.wait_for_url("**/m/1")
    assert scores(cy) == ["63", "100"]
    cy.get_by_role("button", name="Everyone passed").click()
    ana = at_home.new_page()
    ana.goto(match)  # its phone has the table too, and goes on apart
    ana.get_by_role("button", name="Undo").first.click(timeout=READY)
    expect(ana.locator("[data-score]").first).to_have_text("0")

    # believing that it is the table, it lets Cy's phone in: both hear of Bo's
    to_table(ana)
    cy.goto(let_in(ana))
    read(ana, share(cy, "[data-come=answer]"))
    expect(cy.locator("[data-come=apart]")).to_contain_text(
        "Bo’s phone was the table last. What was entered there since is not here."
    )
    expect(ana.locator("[data-away]")).to_contain_text("Bo’s phone is the table by now. Scan its code")
    cy.get_by_role("button", name="Play at Bo’s phone").click()
    expect(cy.locator("#together")).to_have_text("Bo’s phone is the table. Connected.", timeout=READY)

    ana.goto(let_in(bo))
    read(bo, share(ana, "[data-come=answer]"))
    ana.get_by_role("button", name="Send it, and play there").click(timeout=READY)
    ana.get_by_role("button", name="Keep the table’s entries").click(timeout=READY)
    ana.get_by_text("1 entry of this phone does not count here.").wait_for(timeout=READY)
    ana.get_by_role("link", name="To the table", exact=True).click()
    expect(ana.locator("#together")).to_have_text("Bo’s phone is the table. Connected.")
    ana.wait_for_function(KEEPS_A_WAY_BACK)  # it came while its player was asked
    to_match(ana)
    assert scores(ana) == scores(cy) == ["63", "100"]
    hand_on(bo, ana)  # which has its seat at once, has the entry that doesn't count, and keeps it apart
    ana.wait_for_url("**/let-in", timeout=READY)
    assert ana.evaluate(OWN) == 2


# on one phone: a guest of A's table; B becomes it after A. Returns which phone the guest is told of, one meeting after the
# other, and which a table's phone shows of what guests say
TURNS = """async () => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { joined, later, meet, other, ours, takeTurn } = await import(`${from}together-turn.js`);
  const [a, b, wake] = [{ n: 0, id: "a", host: "Ana" }, { n: 1, id: "b", host: "Bo" }, { n: 0, id: "z", host: "Ana" }];
  const told = [a, a, b, a, wake].map((turn) => {
    const last = other("x", turn)?.host ?? "";
    meet("x", turn);
    return last;
  });
  const byBo = other("x", b)?.host;
  const first = ours("y", "Cy");
  const isSame = ours("y", "Cy").id === first.id;
  const name = "\u202e<b>" + "o".repeat(60);
  const forged = [{ ...b, n: 1e7 }, { ...b, host: ["Bo"] }, { ...b, n: "1" }, "Bo", null];
  const said = [{ ...b, host: name }, { ...b, n: 0 }, { ...first, host: "Cy" }, ...forged].map((each) => later("y", each));
  joined("y");
  const after = later("y", { n: 0, id: "b", host: "Bo" });
  return { told, byBo, isSame, said, after, next: takeTurn("y").n, new: ours("y", "Cy").id !== first.id };
}"""


def test_whoever_was_at_a_later_table_is_told_of_it(people: Phones) -> None:
    page = people()
    page.goto("/pocket/with")
    assert page.evaluate(TURNS) == {
        "told": ["", "", "", "Bo", ""],  # Ana's phone had lost its name meanwhile, and is no other one
        "byBo": "Ana",  # after it went on at Ana's all the same
        "isSame": True,
        "said": [f"<b>{'o' * 37}", "Bo", "", "", "", "", "", ""],
        "after": "",
        "next": 2,
        "new": True,
    }


def test_a_goal_stays_with_its_phone_when_the_table_moves(people: Phones) -> None:
    ana, bo = people(keeps_pages=True), people(keeps_pages=True)
    for page in (ana, bo):
        take_along(page)
    new_table(ana, "Bisque", "Ana", "Bo", "Cy")
    ana.get_by_role("button", name="Start Bisque").click()
    ana.wait_for_url("**/m/1")
    to_table(ana)
    come_in(bo, ana, "Bo")
    ana.locator("header.app-bar a").first.click()
    for page in (ana, bo):
        to_match(page)
        page.locator("#goal-begin").click()
        page.locator("[data-goal-pick]:visible").first.click()
        expect(page.locator("#goal-first")).to_be_hidden()
    to_table(ana)
    hand_on(ana, bo)
    bo.wait_for_url("**/let-in", timeout=READY)
    come_to(ana, bo, "Bo")
    bo.locator("header.app-bar a").first.click()
    to_match(bo)
    for page in (ana, bo):
        expect(page.locator("#my-goal [data-goal-text]")).to_contain_text("hidden", ignore_case=True)
        expect(page.locator("#goal-first")).to_be_hidden()


def test_a_phone_that_comes_back_as_a_guest_brings_the_seed_of_its_bag(people: Phones) -> None:
    ana, bo = people(keeps_pages=True), people(keeps_pages=True)
    for page in (ana, bo):
        take_along(page)
    new_table(ana, "Beluga Cup", "Ana", "Bo")
    ana.get_by_role("button", name="Start Beluga Cup").click()
    ana.get_by_role("button", name=re.compile("^Draw 10 fish")).click()
    expect(ana.get_by_role("button", name=re.compile("^Draw 10 fish"))).to_have_count(0)
    match, at_home = ana.url, ana.context
    to_table(ana)
    come_in(bo, ana, "Bo")
    bo.wait_for_function(HAS_COPY)
    ana.close()
    expect(bo.locator("#together")).not_to_contain_text("Connected", timeout=READY)
    bo.evaluate(TWO_MINUTES_LATER)
    bo.get_by_role("button", name="Make this phone the table").click()
    bo.wait_for_url("**/let-in", timeout=READY)
    ana = at_home.new_page()
    ana.goto(let_in(bo))
    read(bo, share(ana, "[data-come=answer]"))
    expect(ana.get_by_text("This table has a sealed bag.")).to_be_visible(timeout=READY)
    ana.get_by_role("button", name="Send it, and play there").click()
    ana.get_by_text("The table had every entry of this phone already.").wait_for(timeout=READY)
    bo.on("dialog", lambda asked: asked.accept())  # whether to leave
    bo.goto(f"{match}/seal")
    expect(bo.get_by_text("The bag is open")).to_be_visible(timeout=READY)


def test_a_guest_comes_back_by_itself_after_a_reload_and_after_its_line_broke(people: Phones, ana: Page) -> None:
    bo = people()
    ana.evaluate(CONNECTIONS)
    to_table(ana)
    come_in(bo, ana, "Bo")
    to_match(bo)
    connected = "Ana’s phone is the table. Connected."
    ana.wait_for_function(WAITS)
    second = bo.context.new_page()
    second.goto(bo.url)
    expect(second.locator("#together")).to_have_text(connected, timeout=READY)
    expect(bo.locator("#together")).to_have_text("This table is open on another page of this phone. Go on there.")
    ana.wait_for_function(WAITS)
    second.close()
    expect(bo.locator("#together")).to_have_text(connected, timeout=READY)
    ana.wait_for_function(WAITS)
    hasty = bo.context.new_page()
    hasty.add_init_script(LEAVES_AT_ONCE)
    hasty.goto(bo.url)
    expect(hasty.locator("#together")).to_have_text(connected, timeout=READY)
    hasty.close()
    ana.wait_for_function(WAITS)
    bo.reload()
    expect(bo.locator("#together")).to_have_text(connected, timeout=READY)
    expect(ana.locator("[data-let-in-phones] [data-state]")).to_have_text(["Bo is in"])
    ana.wait_for_function(WAITS)
    ana.evaluate("() => connections.filter((each) => each.connectionState === 'connected').forEach((each) => each.close())")
    ana.wait_for_function("() => connections.some((each) => each.connectionState === 'connected')")
    expect(ana.locator("[data-let-in-phones] [data-state]")).to_have_text(["Bo is in"], timeout=READY)
    expect(bo.locator("#together")).to_have_text(connected, timeout=READY)
    words = "connections.findLast((each) => each.connectionState === 'connected').remoteDescription.sdp.match(/ufrag:(.*)/)[1]"
    ana.wait_for_function(WAITS)
    before = ana.evaluate(words)
    ana.evaluate("dispatchEvent(new Event('online'))")  # as if this phone had changed its network
    ana.wait_for_function(f"(before) => {words} !== before", arg=before)
    ana.evaluate(ASLEEP, 9_000)
    bo.wait_for_timeout(100)  # it sleeps by then
    bo.reload()
    expect(bo.get_by_text("Ana’s phone doesn’t answer yet.")).to_be_visible(timeout=READY)
    expect(bo.locator("#together")).to_have_text(connected, timeout=READY)
    play_round(bo, "Bo", "north", "100")
    ana.locator("header.app-bar a").first.click()
    to_match(ana)
    expect(bo.locator("[data-score]").first).not_to_have_text("0")
    assert scores(ana) == scores(bo)


def test_a_guest_whose_browser_can_not_come_back_by_itself_keeps_its_seat_and_needs_one_scan(people: Phones, ana: Page) -> None:
    bo = people()
    bo.add_init_script("delete RTCCertificate.prototype.getFingerprints")  # as Firefox
    to_table(ana)
    come_in(bo, ana, "Bo")
    bo.reload()
    expect(bo.get_by_text("Ana’s phone is gone. Scan its code again to go on: your seat is still yours.")).to_be_visible()
    expect(ana.locator("[data-let-in-phones] [data-state]").first).to_have_text("Bo is gone", timeout=READY)
    bo.get_by_label("Or the code as a text").fill(share(ana, "#let-in"))
    bo.get_by_role("button", name="Go on").click()
    read(ana, share(bo, "[data-come=answer]"))
    expect(bo.locator("#together")).to_have_text("Ana’s phone is the table. Connected.", timeout=READY)
    expect(ana.locator("[data-let-in-phones] [data-state]")).to_have_text(["Bo is in"])
    ana.on("dialog", lambda asked: asked.accept())  # whether to leave
    ana.reload()  # nobody waits for its guests any more, and they are told at once
    expect(bo.locator("#together")).to_have_text("Ana’s phone is gone. Scan its code again to go on: your seat is still yours.")


def test_one_code_after_the_other_is_opened_in_one_page(people: Phones, ana: Page) -> None:
    bo = people()
    to_table(ana)
    bo.goto(let_in(ana))
    first = share(bo, "[data-come=answer]")
    bo.evaluate("globalThis.isSame = true")
    ana.reload()
    bo.goto(let_in(ana))
    expect(bo.locator("[data-come=answer] [data-share]")).not_to_have_attribute("data-share", first)
    read(ana, share(bo, "[data-come=answer]"))
    bo.wait_for_url(re.compile(r"/pocket/t/"))
    assert bo.evaluate("globalThis.isSame")  # to load it anew would lose what is opened at that moment


def test_an_answer_that_the_phones_camera_opens_is_handed_to_the_table(people: Phones, ana: Page) -> None:
    bo = people()
    to_table(ana)
    bo.goto(let_in(ana))
    opened = ana.context.new_page()
    opened.goto(share(bo, "[data-come=answer]"))
    expect(opened.get_by_text("The code has been taken")).to_be_visible()
    bo.wait_for_url(re.compile(r"/pocket/t/"))

    # somebody new sits down: the table's page, which is older, gets the pawn
    bo.get_by_label("Your name").fill("Eve")
    bo.get_by_role("button", name=re.compile("choose your seat")).click()
    bo.get_by_role("button", name=re.compile("Sit here")).first.click()
    row = ana.locator("[data-let-in-phones] li", has_text="Eve is in")
    expect(row.locator(".pawn")).to_be_visible()


def test_the_camera_reads_a_code(people: Phones, ana: Page) -> None:
    bo = people()
    to_table(ana)
    bo.goto(let_in(ana))
    share(bo, "[data-come=answer]")
    drawn = bo.locator("[data-come=answer] [data-code] svg").evaluate("(svg) => svg.outerHTML")
    ana.evaluate(
        """async (drawn) => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 900, height: 700 });
          const pen = canvas.getContext("2d");
          const svg = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
          const size = Number(svg.getAttribute("viewBox").split(" ")[2]);
          const shape = new Path2D(svg.lastElementChild.getAttribute("d"));
          const paint = () => {
            pen.setTransform(1, 0, 0, 1, 0, 0);
            pen.fillStyle = "#876";
            pen.fillRect(0, 0, 900, 700);
            pen.setTransform(9, 1, -1, 9, 180, 60);
            pen.fillStyle = "#fff";
            pen.fillRect(0, 0, size, size);
            pen.fillStyle = "#000";
            pen.fill(shape);
          };
          paint();
          setInterval(paint, 100);
          navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
        }""",
        drawn,
    )
    ana.get_by_role("button", name="Scan their code").click()
    bo.wait_for_url(re.compile(r"/pocket/t/"), timeout=READY)
    expect(ana.locator("#let-in-scan")).to_be_hidden()


# a camera that sees nothing but the dark, for twenty seconds already
DARK = """() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 300, height: 300 });
  const pen = canvas.getContext("2d");
  let at = 0;
  const paint = () => {
    at += 1;
    pen.fillStyle = at % 2 ? "#000" : "#060606";
    pen.fillRect(0, 0, 300, 300);
  };
  paint();
  setInterval(paint, 100);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
}"""
LATER = "performance.now = ((now) => () => now() + 20_000)(performance.now.bind(performance))"


def test_a_camera_that_finds_nothing_says_what_may_help(people: Phones, ana: Page) -> None:
    to_table(ana)
    let_in(ana)
    look, dialog = ana.get_by_role("button", name="Scan their code"), ana.locator("#let-in-scan")
    ana.evaluate(CAMERA, ana.evaluate(STRANGE, "WIFI:S:Cabin;;"))
    look.click()
    expect(dialog).to_contain_text("That is another code. Ask for the one that their phone shows.")
    ana.keyboard.press("Escape")
    ana.evaluate(DARK)
    look.click()
    ana.wait_for_function("() => document.querySelector('#let-in-scan video').videoWidth > 0")
    ana.evaluate(LATER)
    expect(dialog).to_contain_text("It is too dark.")
    ana.set_viewport_size({"width": 320, "height": 568})
    ana.evaluate("document.documentElement.style.fontSize = '32px'")
    expect(dialog.get_by_role("button", name="Send a text")).to_be_in_viewport(
        ratio=1
    )  # over the words below which it would lie


def test_a_guest_says_its_name_while_it_waits_and_the_table_asks_before_it_leaves(people: Phones, ana: Page) -> None:
    bo = people()
    to_table(ana)
    bo.goto(let_in(ana))
    share(bo, "[data-come=answer]")
    expect(bo.get_by_role("heading", level=1)).to_have_text(re.compile(" table$"))
    bo.get_by_label("Your name").fill("b")
    bo.reload()
    answer = share(bo, "[data-come=answer]")
    expect(bo.get_by_text("You are b", exact=True)).to_be_visible()
    bo.get_by_role("button", name="Change").click()
    bo.get_by_label("Your name").fill("bo")
    bo.get_by_text("It does not go on?").click()
    bo.get_by_role("button", name="Compare the networks").click()
    expect(bo.get_by_text("Both phones are in the same network.")).to_be_visible()
    read(ana, answer)
    bo.wait_for_url("**/m/1")
    to_table(bo)
    expect(bo.get_by_role("heading", name="You are in, Bo")).to_be_visible()
    ana.evaluate("dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    asked = ana.get_by_role("dialog", name="Others play at the table of this phone")
    expect(asked.get_by_role("button", name="Hand the table to")).to_have_count(0)  # Bo's phone has no Companion
    asked.get_by_role("button", name="End it for the others").click()
    expect(bo.locator("#together")).to_contain_text("Ana’s phone is gone.")
    expect(bo.locator("[data-player=Ana]")).to_have_attribute("data-asleep", "")
    expect(ana.locator("html")).not_to_have_attribute("data-awake", "")


# notes each code that the page shows; then they are all there is to see in front of a camera
SEEN = """() => {
  const seen = new Map();
  globalThis.seen = () => [...seen];
  const look = () => {
    const svg = document.querySelector("#codes-show [data-code] svg");
    if (svg) seen.set(svg.lastElementChild.getAttribute("d"), Number(svg.getAttribute("viewBox").split(" ")[2]));
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
CAMERA = """(seen) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 700, height: 700 });
  const pen = canvas.getContext("2d");
  let at = 0;
  const paint = () => {
    at = (at + 1) % seen.length;
    const [shape, size] = seen[at];
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, 700, 700);
    pen.setTransform(600 / size, 0, 0, 600 / size, 50, 50);
    pen.fillStyle = "#000";
    pen.fill(new Path2D(shape));
  };
  paint();
  setInterval(paint, 400);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
}"""
# shows a text as a code to a camera
STRANGE = """async (text) => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { draw } = await import(`${from}together-qr.js`);
  const box = document.createElement("div");
  await draw(box, text);
  const svg = box.firstElementChild;
  return [[svg.lastElementChild.getAttribute("d"), Number(svg.getAttribute("viewBox").split(" ")[2])]];
}"""
# gives a collector the frames of a text in this order; returns its answers, whether it has all, and whether the text is right
TAKES = """async ([text, order]) => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { collector, framesOf } = await import(`${from}codes-frames.js`);
  const frames = await framesOf(text);
  const taking = collector();
  const part = (at, name) => frames[at].split("/").with(name, name === 2 ? "399" : "A".repeat(400)).join("/");
  const short = () => frames[0].slice(0, -9);
  const others = { longer: () => part(0, 2), forged: () => part(0, 4), last: () => frames.at(-1), short };
  const answers = [];
  for (const each of order) {
    if (each === "of another table") answers.push(taking.take((await framesOf("another"))[0]));
    else answers.push(taking.take(others[each]?.() ?? frames[each] ?? each));
  }
  return [answers, taking.isWhole(), await taking.text().then((whole) => whole === text, (error) => error.name)];
}"""
MUCH = "".join(chr(32 + pow(5, number, 9973) % 90) for number in range(900))  # three frames


TAKEN: list[tuple[list[object], list[str], object]] = [
    ([0, 1, 2], ["", "", ""], True),
    (["last", 0, 0, 1], ["", "", "", ""], True),
    ([0, "of another table", 1, 2], ["", "codesMixed", "", ""], True),
    ([0, "longer", 1, 2], ["", "codesMixed", "", ""], True),
    (["<img src=x onerror=alert(1)>", "CT1/x", "short", 0, 1, 2], ["codesOthers"] * 3 + [""] * 3, True),
    ([f"CT1/{'a' * 16}/999/1/AA", f"CT1/{'a' * 16}/2/2/AA", 0, 1, 2], ["codesOthers"] * 2 + [""] * 3, True),
    (["forged", 1, 2], ["", "", ""], "TypeError"),
]


def test_frames_come_in_any_order_and_strangers_add_nothing(people: Phones) -> None:
    page = people()
    page.goto("/pocket/with")
    for order, answers, text in TAKEN:
        assert page.evaluate(TAKES, [MUCH, order]) == [answers, True, text], order


def show_codes(page: Page, match: str) -> list[Any]:
    """Pass the table of a match by codes; return the codes in the order in which the phone drew them."""
    page.goto(match.replace("/m/1", "/let-in"))
    page.get_by_text("Pass it by codes").click()
    page.evaluate(SEEN)
    page.get_by_role("button", name="Show the codes").click()
    return watch_codes(page)


def watch_codes(page: Page) -> list[Any]:
    """Return the codes in the order in which the phone draws them; then close them."""
    words = page.locator("#codes-show [data-codes-words]")
    expect(words).to_have_text(re.compile(r"Code 1 of \d+"), timeout=READY)
    most = int(words.inner_text().rpartition(" ")[2])
    page.wait_for_function("(most) => globalThis.seen().length === most", arg=most)
    codes: list[Any] = page.evaluate("() => globalThis.seen()")
    page.keyboard.press("Escape")
    expect(page.locator("#codes-show")).to_be_hidden()
    return codes


def scan_codes(page: Page, codes: list[Any]) -> None:
    """Import a table, with a camera that sees these."""
    page.goto("/pocket/tables/import")
    button = page.get_by_role("button", name="Scan the codes")
    button.wait_for(timeout=READY)
    page.evaluate(CAMERA, codes)
    button.click()


def test_a_table_passes_by_codes_and_what_both_add_is_joined(people: Phones, ana: Page, server: Server) -> None:
    match = ana.url
    bo = people(keeps_pages=True)
    take_along(bo)
    server.stop()
    play_round(ana, "Bo", "north", "100")
    codes = show_codes(ana, match)
    scan_codes(bo, bo.evaluate(STRANGE, "<img src=x onerror=alert(1)>"))
    expect(bo.locator("#codes-read")).to_contain_text("That is no code of a table.")
    scan_codes(bo, codes)
    bo.get_by_role("link", name="Go to the match").click(timeout=READY)
    bo.wait_for_url(f"**{urlsplit(match).path}")  # played by the same link
    expect(bo.locator("[data-score]")).to_have_text(["63", "100"])
    bo.get_by_role("button", name="Undo").first.click()
    expect(bo.locator("[data-score]").first).to_have_text("0")
    codes = show_codes(bo, match)
    for words in ("1 entry of the other phone counts here now.", "This phone had every entry already."):
        scan_codes(ana, codes)
        expect(ana.locator("#brought")).to_contain_text(words, timeout=READY)
    ana.goto(match)
    expect(ana.locator("[data-score]")).to_have_text(["0", "0"])


def take_entries(page: Page, codes: list[Any]) -> None:
    """Take in entries at a table's page, with a camera that sees these codes."""
    page.locator("#bar summary").click()
    page.evaluate(CAMERA, codes)
    page.get_by_role("button", name="Entries by codes").click()


# frames of a text, as a code each
FRAMES = """async (text) => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { draw } = await import(`${from}together-qr.js`);
  const { framesOf } = await import(`${from}codes-frames.js`);
  const codes = [];
  for (const frame of await framesOf(text)) {
    const box = document.createElement("div");
    await draw(box, frame);
    const svg = box.firstElementChild;
    codes.push([svg.lastElementChild.getAttribute("d"), Number(svg.getAttribute("viewBox").split(" ")[2])]);
  }
  return codes;
}"""


def forged(path: str, **body: str) -> str:
    """Return what a stranger makes codes of: one entry, which goes to this address."""
    sent = urlencode({"idempotency_key": "forged", **body})
    entry = {"key": "forged", "what": "<img src=x onerror=alert(1)>", "path": path, "body": sent}
    return json.dumps({"file": "companion entries 1", "entries": [entry]})


def test_what_waits_in_an_outbox_reaches_the_table_by_codes_and_counts_once(people: Phones, ana: Page, server: Server) -> None:
    match = urlsplit(ana.url).path
    bo = people(keeps_pages=True)
    to_table(ana)
    come_in(bo, ana, "Bo")
    to_match(bo)
    thumb = count_round(bo)
    at_home = ana.context
    ana.close()
    expect(bo.locator("#together")).not_to_contain_text("Connected", timeout=READY)
    server.stop()
    thumb.button(re.compile("Save round"))
    expect(bo.locator("#offline")).to_contain_text("waiting")
    bo.evaluate(SEEN)
    bo.get_by_role("button", name="Show as codes").click()
    codes = watch_codes(bo)
    ana = at_home.new_page()
    ana.goto(match.replace("/m/1", "/table"))  # reloaded, it is no table of Bo's phone any more
    to_match_link = ana.get_by_role("link", name="Go to the match")
    to_match_link.wait_for(timeout=READY)
    take_entries(ana, ana.evaluate(STRANGE, "la la la"))
    expect(ana.locator("#codes-read")).to_contain_text("That is no code of entries.")
    ana.keyboard.press("Escape")
    for text, why in (
        ('{"link":"a","file":"b"}', "Those are codes of a whole table."),
        (forged("/pocket/t/abcdefghijklmnopqrstuv/m/1/count"), "Those entries are of another table."),
        (forged(match.replace("/m/1", "/forget")), "holds no entries of Companion"),
        (forged(f"{match}/seal"), "holds no entries of Companion"),
        ("x" * 300, "holds no entries of Companion"),
    ):
        take_entries(ana, ana.evaluate(FRAMES, text))
        expect(ana.locator("#toasts")).to_contain_text(why)
    take_entries(ana, ana.evaluate(FRAMES, forged(f"{match}/undo", of="1")))
    ana.get_by_role("button", name="Take nothing").click()  # an undo needs a yes
    for _ in range(2):
        take_entries(ana, codes)
        expect(ana.locator("#toasts")).to_contain_text("Round 1")
        ana.locator("#toasts").evaluate("(toasts) => toasts.replaceChildren()")
    ana.locator("#bar summary").press("Escape")
    to_match_link.click()
    expect(ana.locator("[data-score]")).to_have_text(["63", "100"])
    to_table(ana)
    server.start()  # from which a page comes that opens anew
    bo.goto(let_in(ana))  # Bo's phone comes back, and sends it too
    read(ana, share(bo, "[data-come=answer]"))
    bo.wait_for_url(re.compile(r"/pocket/t/"))
    expect(bo.locator("#offline .pending-row[data-state=waiting]")).to_have_count(0)
    to_match(bo)
    expect(bo.locator("[data-score]")).to_have_text(["63", "100"])


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("<img src=x onerror=alert(1)>", "That is no code of a table."),
        ("A" * 700, "That is no code of a table."),
        ("AQAAAAAAAAAE", "That is no code of a table."),
    ],
)
def test_a_strangers_code_is_refused_with_a_sentence(people: Phones, code: str, why: str) -> None:
    page = people()
    page.goto("/pocket/with")
    page.get_by_label("Or the code as a text").fill(code)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert")).to_contain_text(why)


# two codes, as their letters: a table's own, and the answer to it
CODES = """async () => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { write } = await import(`${from}together-code.js`);
  const sdp = [
    "a=ice-ufrag:ab+/",
    `a=ice-pwd:${"c".repeat(24)}`,
    `a=fingerprint:sha-256 ${Array(32).fill("FE").join(":")}`,
    "a=candidate:1 1 udp 1 192.168.0.7 41000 typ host",
    "a=candidate:2 1 udp 1 01234567-89ab-cdef-0123-456789abcdef.local 41001 typ host",
  ].join("\\r\\n");
  return ["offer", "answer"].map((kind) => write({ kind, pair: "0123456789ab", name: "Ana", sdp }));
}"""
# the letters of the answer that is found in a message
FINDS = """async (message) => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { read } = await import(`${from}together-code.js`);
  return read(message, "answer")?.text;
}"""


def test_a_code_is_found_in_whatever_a_messenger_makes_of_it(people: Phones) -> None:
    page = people()
    page.goto("/pocket/with")
    offer, answer = page.evaluate(CODES)
    at, half = "https://cards.example/pocket/with#", len(answer) // 2
    for message in (
        answer,
        f"Companion\n{at}{answer}\n\nSent from my phone",
        f"[28/11/2026, 20:14] Bo: {at}{answer}",
        f"*{at}{answer}*.",
        f"{at}{answer[:half]}\n{answer[half:]}",
        f"> {at}{answer[:70]}=\n> {answer[70:140]}=\n> {answer[140:]}\n>\n> Bo",
        f"{at}\u200b{answer[:half]}\u200b{answer[half:]}",
        f"https://link.example/?u=https%3A%2F%2Fcards.example%2Fpocket%2Fwith%23{answer}&h=AT1",
        f"{at}{answer}\n\nAna wrote:\n> Scan this\n> {at}{offer}",
        f"> {at}{offer}\n{at}{answer}",
    ):
        assert page.evaluate(FINDS, message) == answer, message
    for message in ("", "with#", f"{at}{answer[:half]}", f"{at}{answer[:half]} and more", "with#" * 50_000):
        assert page.evaluate(FINDS, message) is None, message


def test_codes_of_the_wrong_kind_and_old_answers_are_refused(people: Phones, ana: Page) -> None:
    to_table(ana)
    offer = let_in(ana)
    trouble = ana.locator("[data-let-in-trouble]")
    read(ana, offer)
    expect(trouble).to_contain_text("That is a table’s own code.")
    guest = people()
    guest.goto(offer)
    answer = share(guest, "[data-come=answer]")
    read(ana, answer)
    guest.wait_for_url(re.compile(r"/pocket/t/"))
    read(ana, answer)  # a code is good for one guest
    expect(trouble).to_contain_text("That code answers another one than this page shows.")


# two phones have six seconds to reach each other, not twenty
IN_A_HURRY = """() => {
  const wait = setTimeout;
  globalThis.setTimeout = (act, time, ...rest) => wait(act, time === 20_000 ? 6000 : time, ...rest);
}"""


def test_an_answer_behind_which_nobody_is_holds_nobody_up(people: Phones, ana: Page) -> None:
    to_table(ana)
    page = people()
    page.goto("/pocket/with")
    forged = page.evaluate(STRANGER, let_in(ana))
    page.context.close()
    ana.evaluate(IN_A_HURRY)
    read(ana, forged)
    expect(ana.locator("#toasts")).to_contain_text("Code read. Connecting the two phones…", timeout=5000)
    ana.get_by_text("Hand the table on").click()  # the page takes taps meanwhile
    expect(ana.get_by_text("The other phone needs Companion on it")).to_be_visible()
    expect(ana.locator("[data-let-in-trouble]")).to_contain_text("The two phones don’t reach each other.")
    bo = people()
    come_in(bo, ana, "Bo")
    ana.evaluate(SAYS_TO_GUESTS, {"session": "please"})
    expect(bo.locator("#together")).to_contain_text(UNREADABLE)


UNREADABLE = "What the other phone says can’t be read here. Reload this page on both, then scan again."
OTHER_VERSION = "The two phones have different versions of Companion. Reload this page on both, then scan again."
ODD_TABLES: list[tuple[str, str]] = [
    ("tell({ welcome: 5 })", UNREADABLE),
    ("tell({ welcome: { ...welcome, link: '../forget' } })", UNREADABLE),
    ("tell({ welcome: { ...welcome, turn: null } })", UNREADABLE),
    ("tell({ welcome: { version: '/static/older/js/' } })", OTHER_VERSION),
    ("channel.send('hello')", UNREADABLE),
    *(
        (f"tell({{ welcome }}).then(() => tell({said}))", UNREADABLE)
        for said in ("{ moved: 5 }", "{ phones: 'all' }", "{ constructor: 1 }", "{ hands: false, way: [] }", "{ table: {} }")
    ),
]


def test_a_table_that_cant_be_read_is_left_with_a_sentence(people: Phones) -> None:
    bo, stranger = people(), people()
    stranger.goto("/pocket/with")
    for says, told in ODD_TABLES:
        bo.goto(stranger.evaluate(STRANGE_TABLE))
        stranger.evaluate("(answer) => meets(answer)", share(bo, "[data-come=answer]"))
        stranger.wait_for_function("() => heard.some(({ hello }) => hello)")
        stranger.evaluate(f"() => {{ tell({{ number: 1, answer: null }}); {says}; }}")
        expect(bo.get_by_role("alert").filter(visible=True), says).to_contain_text(told)
        bo.goto("/pocket/with")


# has a line to a phone that reads nothing: so many messages wait. Returns how the line is before the last one, and after it
UNREAD = """async () => {
  const from = document.querySelector('script[src$="/js/companion.js"]').src.replace("companion.js", "");
  const { line } = await import(`${from}together-line.js`);
  const close = () => (channel.readyState = "closed");
  const channel = Object.assign(new EventTarget(), { readyState: "open", bufferedAmount: 1_500_000, close });
  const tell = line(channel, { sent: 1, unpacked: 1 }, () => {}, () => {});
  for (let number = 0; number < 300; number += 1) tell({ beat: true }).catch(() => {});
  const before = channel.readyState;
  tell({ beat: true }).catch(() => {});
  return [before, channel.readyState];
}"""


def test_a_phone_that_never_reads_fills_nobodys_memory(people: Phones) -> None:
    page = people()
    page.goto("/pocket/with")
    assert page.evaluate(UNREAD) == ["open", "closed"]


def strange(ana: Page, people: Phones) -> Page:
    """Let a stranger in, who says nothing by itself."""
    page = people()
    page.goto("/pocket/with")
    answer = page.evaluate(STRANGER, let_in(ana))
    read(ana, answer)
    page.wait_for_function("() => globalThis.channel?.readyState === 'open'")
    return page


SAYINGS: list[tuple[str, str]] = [
    ("a question before it said who it is", "tell({ number: 1, asked: { method: 'GET', url: '/pocket/' } })"),
    ("words", "channel.send('hello')"),
    ("a frame that is too short", "channel.send(new Uint8Array(3))"),
    ("a frame that is too long", "channel.send(new Uint8Array(20000))"),
    ("a frame out of order", "channel.send(new Uint8Array([0, 0, 0, 9, 0, 0, 1, 3, 0]))"),
    ("a part out of order", "channel.send(new Uint8Array([0, 0, 0, 0, 0, 5, 1, 3, 0]))"),
    ("what can't be unpacked", "channel.send(new Uint8Array([0, 0, 0, 0, 0, 0, 1, 255, 255, 255]))"),
    ("what unpacks to too much", "tell({ hello: { id: 'a'.repeat(5_000_000) } })"),
    ("a list", "tell([1])"),
    ("something of no kind of ours", "tell({ session: 'please' })"),
    ("who it is, twice", "tell({ hello: {} }).then(() => setTimeout(() => tell({ hello: {} }), 1000))"),
    ("who it is, many times at once", "for (let n = 0; n < 20; n += 1) tell({ hello: { id: '' } })"),
    ("a question that has no number", "tell({ hello: {} }).then(() => tell({ number: '1', asked: {} }))"),
    ("half a message, and then another", "channel.send(new Uint8Array([0, 0, 0, 0, 0, 0, 0, 75])); tell({ hello: {} })"),
    ("lists in lists", "tell({ hello: {} }).then(() => tell({ way: [[[[['offer']]]]] }))"),
]
AFTER_REFUSAL = "tell({ number: 1, asked: { method: 'GET', url: '/pocket/' } }); tell({ hello: {} }); tell({ hello: {} })"
# a stranger's questions in which something is no text; the phone says to each why not, or that it could not
ODD: list[str] = [
    "{ method: 5, url: 7, headers: 1, body: 2 }",
    "{ method: 'GET', url: ['/pocket/'], headers: { accept: { text: 'html' } } }",
    "{ method: ['POST'], url: { toString: 1 }, body: [[[]]] }",
    "{ method: 'POST', url: '/pocket/t/x/forget', body: 'a'.repeat(900_000) }",
    "{ method: 'GET', url: '/pocket/', headers: Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [n, ''])) }",
    "{ method: 'GET', url: '/pocket/', headers: { accept: 'a'.repeat(500_000) } }",
    "{ method: 'POST', url: '/pocket/\\ud800', body: '\\udfff' }",
    "'please'",
    "[[1]]",
]


def test_whoever_keeps_to_no_rule_is_hung_up_on(people: Phones, ana: Page) -> None:
    to_table(ana)
    toasts = ana.locator("#toasts")
    for sort, saying in SAYINGS:
        page = strange(ana, people)
        page.evaluate(f"() => {{ {saying}; }}")
        page.wait_for_function("() => heard.some(({ closed, bye }) => closed || bye)")
        heard: list[dict[str, Any]] = page.evaluate(HEARD)
        assert not any("answer" in each for each in heard), sort
        expect(toasts).to_contain_text("It was turned away, and nothing here has changed.")
        toasts.evaluate("(toasts) => toasts.replaceChildren()")
        page.context.close()
    page = strange(ana, people)
    page.evaluate(f"() => {{ {AFTER_REFUSAL}; }}")
    page.wait_for_function("() => heard.some(({ closed }) => closed)")
    assert not {"answer", "spare", "welcome"} & {name for each in page.evaluate(HEARD) for name in each}
    expect(ana.locator("#let-in")).to_be_visible()


def test_what_a_stranger_says_stays_words_and_it_is_nobody_else(people: Phones, ana: Page) -> None:
    to_table(ana)
    ana.evaluate(SAID)
    for me, told in (
        ("'<img src=x onerror=alert(1)>' + 'a'.repeat(50)", f"<img src=x onerror=alert(1)>{'a' * 12} is in."),
        ("{ toString: 1 }", "One more phone is in."),
        ("'\\u202eaB\\u0000o\\n\\u2028'", "aBo is in."),
        ("'🐳'.repeat(41)", f"{'🐳' * 40} is in."),
    ):
        page = strange(ana, people)
        page.evaluate(f"() => {{ tell({{ hello: {{ me: {me} }} }}); }}")
        ana.wait_for_function("(words) => said.includes(words)", arg=told)
    assert ana.locator("#let-in img, #announce img").count() == 0

    # whatever is of the wrong kind is answered with a sentence, or not at all
    for number, asked in enumerate(ODD):
        page.evaluate(f"() => {{ tell({{ number: {number}, asked: {asked} }}); }}")
        page.wait_for_function("(number) => heard.some((each) => each.number === number)", arg=number)
    answers = [each["answer"] for each in page.evaluate(HEARD) if "answer" in each]
    assert [answer and answer["status"] for answer in answers] == [403, 403, None, 403, 403, 403, 403, 403, 403]
    for answer in answers:
        assert not answer or "phone that is the table" in pages.words(answer["text"])
    expect(ana.locator("#let-in [data-code] svg")).to_be_visible()

    # by the line that waits for it, it can't become one phone after the other
    for _ in range(2):
        page.wait_for_function("() => heard.some(({ spare }) => spare)")
        page.evaluate(BY_ITS_OWN_LINE)
        page.wait_for_function("() => heard.some(({ welcome }) => welcome)")
    page.wait_for_function("() => ids.size")
    assert page.evaluate("() => ids.size") == 1


def test_a_stranger_gets_nothing_but_the_table_and_markup_stays_words(people: Phones, ana: Page) -> None:
    to_table(ana)
    page = strange(ana, people)
    page.evaluate("() => { tell({ hello: { id: '../../<b>' } }); }")
    page.wait_for_function("() => heard.some(({ welcome }) => welcome)")
    for number, url in enumerate(("/pocket/", "/pocket/tables/new", "/etc/passwd", "javascript:alert(1)", "/pocket/t/x/table")):
        page.evaluate(
            "([number, url]) => { tell({ number, asked: { method: 'GET', url, headers: { cookie: 'a=b' } } }); }",
            [number, url],
        )
        page.wait_for_function("(number) => heard.some((each) => each.number === number)", arg=number)
    answers = [each["answer"] for each in page.evaluate(HEARD) if "answer" in each]
    assert [answer["status"] for answer in answers] == [403] * 5
    page.evaluate(FLOOD)
    # it is told that it asks too fast, or hung up on, where the table's phone can't even read so much
    page.wait_for_function("() => heard.some(({ number, answer, closed }) => closed || (number >= 100 && answer === null))")
    answers = [each["answer"] for each in page.evaluate(HEARD) if "answer" in each]
    assert {answer and answer["status"] for answer in answers} <= {403, None}
    expect(ana.locator("#let-in")).to_be_visible()
