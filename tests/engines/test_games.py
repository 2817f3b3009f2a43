"""The main path of every game, from the home page into the match, on two phones of each engine.

What the rules say is tested elsewhere; here taps, key pads and the live second phone must work in WebKit and Firefox.
"""

from __future__ import annotations

from tests.engines.browsers import Phone

Two = tuple[Phone, Phone]


def sit_down(two: Two, game: str, people: tuple[str, ...]) -> None:
    """Make a table for these people on the first phone, begin, and bring the second phone to it as Bo."""
    ana, bo = two
    ana.open(f"/tables/new?game={game}")
    for seat, name in enumerate(people):
        ana.type(f"[name=person_{seat}]", name)
    ana.tap("Sit down")
    ana.wait(lambda: ana.path.startswith("/t/"), "the table")
    ana.picture(f"{game}-table")
    bo.open(ana.path.removesuffix("/table"))
    bo.picture(f"{game}-join")
    bo.tap("Bo", "main")
    bo.sees("You are Bo")
    ana.tap("Start", ".action-bar")
    for phone in two:
        phone.wait(lambda phone=phone: "/m/" in phone.path, "the match")


def test_beloz(two_phones: Two) -> None:
    ana, bo = two_phones
    sit_down(two_phones, "beloz", ("Ana", "Bo", "Cy", "Di"))
    ana.picture("beloz-match")
    ana.tap("Ana", "#now")
    ana.tap("South", "main")
    bo.sees("Ana took it")
    ana.tap("Count round 1")
    for digit in "98":
        ana.press(f"[data-key='{digit}']")
    ana.press("label:has(input[name=last][value='0'])")
    ana.sees("108")
    ana.picture("beloz-count")
    ana.tap("Save round 1")
    bo.sees("108", "#scores")
    bo.picture("beloz-live")


def test_beluga_cup(two_phones: Two) -> None:
    ana, bo = two_phones
    sit_down(two_phones, "beluga-cup", ("Ana", "Bo"))
    ana.tap("Draw 10 fish")
    bo.sees("32", "#bag, .app-bar")
    bo.picture("cup-live")


def test_bisque(two_phones: Two) -> None:
    ana, _bo = two_phones
    sit_down(two_phones, "bisque", ("Ana", "Bo", "Cy"))
    ana.picture("bisque-goal")


def test_rivals(two_phones: Two) -> None:
    ana, _bo = two_phones
    sit_down(two_phones, "rivals", ("Ana", "Bo"))
    ana.picture("rivals-match")


def test_what_the_fish(two_phones: Two) -> None:
    ana, bo = two_phones
    sit_down(two_phones, "what-the-fish", ("Ana", "Bo", "Cy"))
    ana.press("[data-key='8']")
    ana.press("button[name=tap][value='fish:0']")
    bo.sees("8", "#duel")
    bo.press("[data-key='9']")
    bo.press("button[name=tap][value='kill:1']")
    ana.sees("9", "#duel")
    ana.picture("fish-live")
