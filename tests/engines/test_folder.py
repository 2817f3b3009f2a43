"""What of a folder of files, and of a table that is another phone, do WebKit and Firefox have? WebKitGTK has no channels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.web.delivery import pocket
from tests.engines.browsers import Phone
from tests.pocket.folder import BELOW, Served, served_from, write

pytestmark = pytest.mark.skipif(not (pocket.FOLDER / pocket.LIST).exists(), reason="make pocket builds what lies there")

CONNECTS = "return 'RTCPeerConnection' in window"
ROWS = "return document.querySelectorAll('[data-phone-tables] .known').length"
CODE = "return document.querySelector(arguments[0])?.dataset.share ?? ''"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield the folder's file server."""
    with served_from(write(tmp_path_factory.mktemp("www"))) as serving:
        yield serving


def code(phone: Phone, place: str) -> str:
    """Return the address that a page has drawn as a code."""
    phone.wait(lambda: "with#" in phone.run(CODE, place), "a code")
    return str(phone.run(CODE, place))


def test_a_table_of_the_folder_and_a_guest_at_it(two_phones: tuple[Phone, Phone], served: Served) -> None:
    ana, bo = two_phones
    ana.open(f"{served.url}{BELOW}")
    ana.sees("BeloZ")
    ana.picture("folder-home")
    ana.open(f"{served.url}{BELOW}rules/bisque/")
    ana.sees("Bisque", "h1")
    ana.open(f"{served.url}{BELOW}tables/new/bisque/")
    for seat, name in enumerate(("Ana", "Bo", "Cy")):
        ana.type(f"[name=person_{seat}]", name)
    ana.tap("Sit down")
    ana.sees("Only this phone has this table.")
    ana.open(f"{served.url}{BELOW}")
    ana.wait(lambda: ana.run(ROWS) == 1, "its table")
    if not ana.run(CONNECTS):
        bo.open(f"{served.url}{BELOW}pocket/with#any")
        bo.sees("This browser can’t connect to other phones. Use another one.")
        bo.picture("guest-without-channels")
        return
    ana.press("[data-phone-tables] .known a")
    ana.tap("Let others in")
    bo.open(code(ana, "#let-in [data-share]"))
    answer = code(bo, "[data-come=answer] [data-share]")
    bo.picture("guest-answer")
    ana.run("document.querySelector('#let-in details').open = true")
    ana.type("#let-in [name=code]", answer)
    ana.tap("Let them in")
    bo.tap("Bo", "#names")
    bo.sees("Ana’s phone is the table. Connected.", "#together")
    ana.sees("Bo is in")
    bo.picture("guest-table")
