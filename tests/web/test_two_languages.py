"""Does no page of a French, a German and an English phone at one table have a word of another's language?"""

from __future__ import annotations

import pytest

from companion.games import PLUGINS
from tests.five import FIVE
from tests.web.people import PhoneAtMatch
from tests.web.said_on_a_page import of_another_language
from tests.web.test_bisque_pages import GOALS, POT
from tests.web.test_rivals_pages import FIRST, typed

pytestmark = pytest.mark.sqlite

NAMES = ("Ana", "Bo", "Cy", "Di")
WHOLE = {"bidder": "0", "flooded": "south", "team": "0", "last": "0"}

FILL = "leaves,waves,wyrms,wyrms,knots,moons,knots,knots"

# What the French and the German phone send in turn, and what the other one sends of the same moment; the last ends the round.
ROUNDS = {
    "beloz": [
        ("/who", {"tap": "bidder:0"}),
        ("/who", {"flooded": "south"}),
        ("/round", {**WHOLE, "points": "161"}),
        ("/round", {**WHOLE, "points": "98", "beloz": "1"}, {**WHOLE, "points": "61"}),
        ("/who", {"tap": "passed-deal"}),
        ("/round", {**WHOLE, "points": "30"}),
    ],
    "bisque": [
        ("/hand", {"by": "0", "card": POT[0]}, {"by": "1", "card": "8-wyrms-knots"}),
        ("/hand", {"by": "1", "card": POT[0]}),
        *(("/hand", {"by": str(number % 3), "card": card}) for number, card in enumerate(POT[1:])),
        ("/hand", {"who": "0", "goal": POT[0]}),
        *(("/hand", {"who": str(cook), "goal": goal}) for cook, goal in enumerate(GOALS)),
        ("/hand", {"save": ",".join(GOALS)}),
    ],
    "beluga-cup": [
        ("/fish", {"fish": f"suns,{FILL}", "add": "wyrms"}, {"fish": f"moons,{FILL}", "add": "wyrms"}),
        ("/play", {"zone": "1", "side": "1", "card": "8-moons-suns"}, {"zone": "2", "side": "1", "card": "9-waves-wyrms"}),
        ("/play", {"zone": "1", "side": "0", "card": "8-moons-suns"}),
        ("/play", {"zone": "1", "side": "0", "card": "ace-suns"}),
        ("/excuse", {"zone": "3", "tap": "draw"}),
    ],
    "rivals": [
        ("/turn", {"tap": "lay-1", "moves": "0"}),
        ("/turn", {"tap": "turtle-3", "moves": "1"}),
        ("/round", {**typed(FIRST), "whales-2-0": "."}),
        ("/round", typed(FIRST), {**typed(FIRST), "whales-0-0": "5 3 ."}),
    ],
    "what-the-fish": [
        ("/play", {"tap": "fish:0", "value": "8"}, {"tap": "fish:1", "value": "5"}),
        ("/play", {"tap": "kill:0", "value": "9"}),
        ("/play", {"tap": "kill:1", "value": "13"}),
        ("/wtf", {"who": "2", "tap": "card:time-traveler"}),
        ("/play", {"tap": "protect:0", "value": "14"}),
        ("/play", {"tap": "free"}),
    ],
}


@pytest.fixture
def around(app, table, open_match):
    """Call it for the phones at a match: a French one, a German one, and an English one that watches."""

    def sat(slug):
        open_match(slug, NAMES[: PLUGINS[slug].game.seats[0]])
        phones = {}
        for code, link, name in (("fr", table.play, "Ana"), ("de", table.play, "Bo"), ("en", table.watch, "")):
            phone = phones[code] = PhoneAtMatch(app, link)
            phone.client.set_cookie("language", code)
            if name:
                claim_in(phone, name)
        return phones

    return sat


def claim_in(phone, name):
    """Say whose phone it is, by the sheet of the seat: its words are of the phone's language."""
    sheet = f"{phone.link.partition('/m/')[0]}/people/{NAMES.index(name) + 1}"
    assert phone.client.post(sheet, data={"do": "claim"}).status_code == 303


@pytest.mark.parametrize("slug", FIVE)
def test_they_play_a_round_and_nobody_reads_a_word_of_anothers_language(around, slug):
    phones = around(slug)
    screens = PLUGINS[slug].screens
    wrong: dict[str, list[str]] = {}
    read = dict.fromkeys(phones, 0)

    def look(code, page, where):
        if page.status_code in (200, 409, 422) and page.mimetype == "text/html":
            read[code] += 1
            assert f'<html lang="{code}"' in page.text
            found = of_another_language(page.text, code, *NAMES, "Kitchen table")
            if found:
                wrong.setdefault(f"{code} {where}", found)

    def look_around(*paths):
        for code, phone in phones.items():
            for path in ("", *paths):
                look(code, phone.open(path), path)

    pages = [f"/{page}" for page in screens.pages] + [f"/see/{view}" for view in screens.views] + ["/may-i", "/seal"]
    look_around(*pages)
    answers = []
    for number, (path, fields, *instead) in enumerate(ROUNDS[slug]):
        code, other = ("fr", "de") if number % 2 else ("de", "fr")
        sent = [(code, phones[code].send(path, **fields))] + [(other, phones[other].send(path, **theirs)) for theirs in instead]
        for whose, answer in sent:
            look(whose, answer, f"{path} answers")
            answers.append(answer.status_code)
        look_around(path)
    look_around(*pages)
    newest = phones["de"].seen
    look("de", phones["de"].open(f"/entries/{newest}"), "correct")
    look("fr", phones["fr"].open("/undo", of=newest), "undo asks")
    assert phones["fr"].send("/undo", of=newest).status_code == 303
    look_around("", "/see/history")
    assert phones["de"].send("/undo", of=newest + 1).status_code == 303
    look_around()
    look_around()
    look("de", phones["de"].send("/stop"), "stop")
    look_around("/undo")
    assert wrong == {}
    both = set() if slug == "what-the-fish" else {409}  # there a card that comes too late is refused
    assert {303, 422} | both <= set(answers), answers
    assert min(read.values()) >= 12
