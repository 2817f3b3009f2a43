"""Does the main path of every game, from the home page into the match, work on two phones of each engine?

What the rules say is tested elsewhere; here taps, key pads and the live second phone must work in WebKit and Firefox.
"""

from __future__ import annotations

from tests.engines.browsers import Phone
from tests.server import Server

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
    bo.sees("Your turn")
    bo.picture("cup-live")
    bo.press("#zones a[href*='side=1']")
    bo.wait(lambda: "/play" in bo.path, "the cards")
    bo.picture("cup-cards")


def test_bisque(two_phones: Two) -> None:
    ana, bo = two_phones
    sit_down(two_phones, "bisque", ("Ana", "Bo", "Cy"))
    ana.picture("bisque-goal")
    ana.tap("Skip, it lies on the table")
    ana.press("label:has(input[name=by][value='1'])")
    ana.press("button[name=card][value='9-moons-suns']")
    bo.sees("9", "#soup")
    ana.press("label:has(input[name=by][value='none'])")
    ana.press("button[name=card][value='ace-waves']")
    bo.sees("2 tricks being played")
    bo.picture("bisque-live")


def test_what_is_entered_without_a_network_waits_and_counts_once(two_phones: Two, server: Server) -> None:
    ana, _ = two_phones
    sit_down(two_phones, "bisque", ("Ana", "Bo", "Cy"))
    ana.tap("Skip, it lies on the table")
    server.stop()
    for card in ("9-moons-suns", "ace-waves"):
        ana.press("label:has(input[name=by][value='1'])")
        ana.press(f"button[name=card][value='{card}']")
    ana.sees("without 2 entries of this phone", "#offline")
    ana.picture("outbox-waits")
    server.start()
    for phone in two_phones:
        phone.sees("2 tricks being played")
    ana.wait(lambda: not ana.words("#offline"), "an empty outbox")


def test_rivals(two_phones: Two) -> None:
    ana, bo = two_phones
    sit_down(two_phones, "rivals", ("Ana", "Bo"))
    ana.picture("rivals-match")
    ana.tap("Ana", ".action-bar")
    ana.wait(lambda: "/round" in ana.path, "the round")
    for _ in range(6):  # one whale for each player and pack
        ana.press("button[name=tap][value='value:4']")
        ana.press("button[name=tap][value='no-more']")
    ana.sees("Nobody takes a card", ".action-bar")
    ana.picture("rivals-round")
    ana.tap("Save round 1")
    bo.sees("Ana saved round 1")
    bo.sees("Round 2")
    bo.picture("rivals-live")


def test_what_the_fish(two_phones: Two) -> None:
    ana, bo = two_phones
    sit_down(two_phones, "what-the-fish", ("Ana", "Bo", "Cy"))
    ana.press("[data-key='8']")
    ana.press("button[name=tap][value^='fish:0:']")
    bo.sees("8", "#duel")
    bo.press("[data-key='9']")
    bo.press("button[name=tap][value^='kill:1:']")
    ana.sees("9", "#duel")
    ana.picture("fish-live")
