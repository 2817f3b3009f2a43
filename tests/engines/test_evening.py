"""Does a whole evening with a folder of files come off in Firefox, with one phone as the table, and on one phone with WebKit?

Firefox waits for a guest for five seconds alone: what that guest's phone says then is part of the evening. WebKitGTK has no
channels between phones, so there the four pass one phone round.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.web.delivery import pocket
from tests.engines.browsers import Firefox, Phone, WebKit
from tests.engines.test_folder import code
from tests.pocket.folder import BELOW, Served, served_from, write
from tests.pocket.test_evening_without_server import OPEN
from tests.pocket.test_one_phone_is_the_table import ASLEEP

pytestmark = pytest.mark.skipif(not (pocket.FOLDER / pocket.LIST).exists(), reason="make pocket builds what lies there")

FOUR = ("Ana", "Bo", "Cy", "Di")
KEPT = "return navigator.serviceWorker.ready.then(() => true)"
CONNECTED = "{}’s phone is the table. Connected."


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield the folder's file server, which may be taken away."""
    with served_from(write(tmp_path_factory.mktemp("www"))) as serving:
        yield serving


@pytest.fixture
def webkit(served: Served, display: str) -> Iterator[Phone]:
    """Yield a phone with WebKit."""
    phone = Phone(WebKit(display), served.url, "evening-webkit")
    yield phone
    phone.close()


@pytest.fixture
def firefoxes(served: Served) -> Iterator[list[Phone]]:
    """Yield three phones with Firefox."""
    phones = [Phone(Firefox(), served.url, f"evening-firefox-{name}") for name in FOUR[:3]]
    yield phones
    for phone in phones:
        phone.close()


def sit_down(phone: Phone) -> str:
    """Make a table of four for BeloZ; return its link."""
    phone.open(f"{BELOW}tables/new/beloz/")
    for seat, name in enumerate(FOUR):
        phone.type(f"[name=person_{seat}]", name)
    phone.tap("Sit down")
    phone.sees("Only this phone has this table.")
    return phone.path.removesuffix("/table")


def go(phone: Phone, path: str) -> None:
    """Go to a page as a tap on a link does: opened anew, a page would lose its lines."""
    phone.run(f"({OPEN})(arguments[0])", path)
    phone.wait(lambda: phone.path == path, path)


def play_beloz(phones: list[Phone]) -> None:
    """Play to the end, each phone after the other: Ana and Cy win all eight, 153 and 100 more, four times."""
    for number in range(1, 5):
        phone = phones[number % len(phones)]
        phone.sees(f"Round {number}")
        phone.tap("Ana", "#now")
        phone.press("[name=flooded][value=south]")
        phone.tap(f"Count round {number}")
        phone.press("label:has(input[name=last][value=all])")
        phone.tap(f"Save round {number}")
    for phone in phones:
        phone.sees("1,012")


def enter_row(phone: Phone, part: str, *numbers: int) -> None:
    """Tap a number for each of the four."""
    for name, number in zip(FOUR, numbers, strict=True):
        phone.press(f"[aria-label='{name}, {part}']")
        phone.press(f"[data-number='{number}']")


def bid(phone: Phone, *bids: int) -> None:
    """Enter what the four bid, and save it."""
    enter_row(phone, "Bid", *bids)
    phone.tap("Save the bids")


def count(phone: Phone, number: int, *tricks: int) -> None:
    """Enter who took how many tricks of a round, and save it."""
    phone.sees(f"Save round {number}")
    enter_row(phone, "Tricks", *tricks)
    phone.tap(f"Save round {number}")


def begin_skull_king(phone: Phone, link: str) -> str:
    """Start it from the table's page; return the link of the match."""
    go(phone, f"{link}/more/skull-king")
    phone.tap("Start Skull King")
    phone.wait(lambda: phone.path == f"{link}/m/2", "Skull King")
    return phone.path


def play_rounds(phones: list[Phone], first: int, last: int) -> None:
    """Enter so many rounds, each phone after the other: Ana bids and takes every trick."""
    for number in range(first, last + 1):
        phone = phones[(number - 1) % len(phones)]
        bid(phone, number, 0, 0, 0)
        count(phone, number, number, 0, 0, 0)


def totals(phone: Phone) -> list[str]:
    """Return what stands above the columns of the sheet."""
    found: list[str] = phone.run(
        "return [...document.querySelectorAll('.sheet-heads .sheet-total')].map((each) => each.innerText)"
    )
    return found


def all_see(phones: list[Phone], *after: str) -> None:
    """Wait until each phone shows these totals."""
    for phone in phones:
        phone.wait(lambda phone=phone: totals(phone) == list(after), f"{after}")


def come_in(guest: Phone, host: Phone, whose: str, name: str = "") -> None:
    """Let a phone in by two codes as texts, and say whose it is, if that was not said before."""
    if not host.path.endswith("/let-in"):
        host.tap("Let others in")
    guest.open(code(host, "#let-in [data-share]"))
    answer = code(guest, "[data-come=answer] [data-share]")
    host.run("document.querySelector('#let-in details').open = true")
    host.type("#let-in [name=code]", answer)
    host.tap("Let them in")
    guest.sees(CONNECTED.format(whose), "#together")
    if name:
        guest.tap(name, "#names")
        guest.sees(CONNECTED.format(whose), "#together")


def test_an_evening_in_firefox(firefoxes: list[Phone], served: Served) -> None:
    ana, bo, cy = firefoxes
    link = sit_down(ana)
    bo.open(BELOW)
    bo.sees("Tables live in this phone", "#take-along")
    cy.open(f"{BELOW}rules/bisque/")
    cy.run(KEPT)
    come_in(bo, ana, "Ana", "Bo")
    come_in(cy, ana, "Ana", "Cy")
    ana.sees("Cy is in")
    ana.picture("let-in")
    ana.press("header.app-bar a")
    ana.tap("Start BeloZ")
    for phone in firefoxes:
        go(phone, f"{link}/m/1")
    play_beloz(firefoxes)
    bo.picture("beloz-won")

    # the folder is gone: Skull King, of which each phone enters rounds
    served.stop()
    sheet = begin_skull_king(ana, link)
    for phone in (bo, cy):
        go(phone, sheet)
    play_rounds(firefoxes, 1, 3)
    all_see(firefoxes, "120", "60", "60", "60")  # 20 a trick that was bid; 10 a card for none

    # a guest is reloaded: the table's phone waits no more, so its page says that it needs one scan
    cy.open(sheet)
    cy.sees("Ana’s phone is gone. Scan its code again to go on: your seat is still yours.")
    cy.picture("needs-a-scan")
    go(ana, f"{link}/let-in")
    come_in(cy, ana, "Ana")
    go(cy, sheet)

    # the table's phone sleeps: what is entered meanwhile waits, and counts once
    enter_row(bo, "Bid", 0, 0, 0, 0)
    ana.run(f"({ASLEEP})(arguments[0])", 14_000)
    bo.sees("Ana’s phone sleeps.", "#together")
    bo.tap("Save the bids")
    bo.sees("waiting", "#offline")
    bo.wait(lambda: not bo.words("#to-do"), "nothing that is missing, for all has been typed")
    bo.picture("waits")
    bo.sees(CONNECTED.format("Ana"), "#together")
    cy.sees("Save round 4")

    # the table is handed on, and the others scan its new phone once
    ana.tap("Hand the table on")
    ana.tap("Hand the table to Bo", "[data-let-in-heirs]")
    bo.tap("Take the table")
    bo.wait(lambda: bo.path.endswith("/let-in"), "the table on this phone")
    ana.sees("Bo’s phone is the table now. Scan its code to go on: your seat is still yours.")
    come_in(ana, bo, "Bo")
    come_in(cy, bo, "Bo")
    for phone in (cy, ana, bo):
        go(phone, sheet)
    count(ana, 4, 0, 0, 0, 4)
    # Di bid none, took all four, and loses 10 a card
    all_see(firefoxes, "160", "20", "100", "100")
    play_rounds(firefoxes, 5, 10)
    # rounds 5 to 10: 45 tricks of Ana's at 20, and 10 a card for the others
    for phone in firefoxes:
        phone.sees("1,060")
        phone.sees("550")
        phone.sees("470")
    cy.picture("skull-king-won")


def test_an_evening_on_one_phone_with_webkit(webkit: Phone, served: Served) -> None:
    link = sit_down(webkit)
    webkit.tap("Start BeloZ")
    webkit.wait(lambda: webkit.path == f"{link}/m/1", "BeloZ")
    play_beloz([webkit])
    served.stop()
    begin_skull_king(webkit, link)
    play_rounds([webkit], 1, 10)
    # 55 tricks at 20, and 10 a card for each round without one
    webkit.sees("1,100")
    webkit.sees("550")
    webkit.picture("skull-king-won")
