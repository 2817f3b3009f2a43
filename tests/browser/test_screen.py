"""What does a television do by itself? It follows the match with scripts and without, and comes back when the server does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from flask import render_template
from playwright.sync_api import APIResponse, Page, Route, expect
from sqlalchemy import update

from companion.app import create_app
from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.settings import Settings
from companion.storage import database
from companion.storage.models import Entry, MatchId, Player, Table, db
from companion.tables import evening_links
from companion.web.screen import around
from tests.benchmarks import almanac
from tests.browser.conftest import Phones, phones_that_lose
from tests.browser.looks import axe, shot
from tests.browser.people import begin_match, come_by_code, look, sent, token, wait_until
from tests.server import Server
from tests.whole_matches import recorded

losing = pytest.fixture(phones_that_lose)

SIZES = ((1280, 800), (1920, 1080), (3840, 2160), (1080, 1920), (800, 1280))
PEOPLE = {
    "beloz": ("Ana", "Bo", "Cy", "Di"),
    "beluga-cup": ("Ana", "Bo"),
    "bisque": ("Ana", "Bo", "Cy"),
    "rivals": ("Ana", "Bo"),
    "what-the-fish": ("Ana", "Bo", "Cy", "Di", "Eve", "Flo"),
}
OUTSIDE = """() => [...document.querySelectorAll("#screen *:not(svg *)")].filter((one) => {
  const { left, right, top, bottom, width } = one.getBoundingClientRect();
  const foot = one.closest(".picture") ? document.querySelector(".foot").getBoundingClientRect().top + 1 : innerHeight;
  return width && (left < 0 || top < 0 || right > innerWidth || bottom > foot);
}).map((one) => one.className || one.tagName)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll("#screen *")].filter((one) => one.offsetParent !== null
  && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""

# sentences in the foot that are not all there
CUT = """() => [...document.querySelectorAll(".words p")].filter(
  (one) => one.offsetParent && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
).map((one) => `${one.className}: ${one.textContent}`)"""


# names that are not all there
WIDER = """(names) => names.filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth
  || one.scrollHeight > one.clientHeight + 12 && one.clientHeight).map((one) => one.textContent)"""

# notes what is said and sounded, in its order
LISTENS = """window.heard = [];
SpeechSynthesis.prototype.speak = ({ text, lang }) => heard.push({ text, lang });
AudioScheduledSourceNode.prototype.start = () => heard.push("a sound");
AudioScheduledSourceNode.prototype.stop = () => {};"""
# the smallest of the numbers that decide
NUMERALS = """() => Math.min(...[...document.querySelectorAll(".score")]
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
# where everything is that stays: a number by its right edge, a name by its left, layers of a swim from the lowest on
PLACES = """() => {
  const places = {}, counts = {};
  const all = (selector) => [...document.querySelectorAll(`#screen ${selector}`)];
  const note = (name, ...numbers) => (places[`${name} ${(counts[name] = (counts[name] ?? 0) + 1)}`] = numbers.map(Math.round));
  const box = (one) => one.getBoundingClientRect();
  for (const whole of [".side", ".side .tags", ".way", ".course", ".foot", ".words p", ".scan", ".bag", ".left span", ".zone",
    ".half", ".water", ".total", ".lie", ".lacks", ".eaten", ".eater", ".by-suit", ".by-suit span", ".pot", ".pot li", ".fleet",
    ".worth li", ".worth .badge", ".fleet .tags", ".packs", ".pack", ".backs", ".count", ".laid", ".became", ".beat",
    ".layers"])
    for (const one of all(whole)) note(whole, box(one).left, box(one).top, box(one).right, box(one).bottom);
  for (const one of all(".name span")) note("name", box(one).left, box(one).top);
  for (const one of all(".score")) note("score", box(one).right, box(one).top);
  for (const one of all(".layers li").reverse()) note("layer", box(one).bottom);
  all(".half").forEach((half, number) => {
    for (const one of half.querySelectorAll(".lacking, .met")) note(`asked in ${number}`, box(one).left, box(one).top);
    for (const one of [...half.querySelectorAll(".card")].slice(0, 2)) note(`card in ${number}`, box(one).left, box(one).top);
  });
  return [document.querySelector(".picture").className, places];
}"""
# by game: how much of its recorded match is entered before, and after how many entries more everything is measured
RESULTS = {"beloz": (0, 3), "beluga-cup": (36, 9), "bisque": (9, 4), "rivals": (0, 3), "what-the-fish": (0, 7), "sheet": (0, 3)}


def seat(name: str, people: Sequence[str]) -> int:
    """Make a table whose link to watch is named so, and return its number in the database."""
    with database.writing():
        table = Table(name="Kitchen table", play_token=f"moves-{name}", watch_token=f"stays-{name}")
        table.players = [Player(name=person, seat=place) for place, person in enumerate(people)]
        db.session.add(table)
        db.session.flush()
        return table.id


def entered(server: Server, game: str, skipped: int, measured: int) -> Iterator[str]:
    """Enter the events of a match one by one; yield the path of its screen after each that is measured."""
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(server.instance)}))
    table = f"{game}-{measured}"
    if game == "sheet":
        people = ("Ana", "Bo", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kay", "Bartholomew")
        happened = [
            {"type": "row", "cells": [{"points": 9 * row * side} for side in range(len(people))]} for row in range(1, 4)
        ]
        happened.append({"type": "finish"})
        options = {"preset": "plain"}
    else:
        record = recorded(game.replace("-", "_"))
        record = record.get("record", record)
        people, options = record["players"], {key: value for key, value in record["options"].items() if key != "seal"}
        happened = [{**each, **({"drawn_by": "hand"} if "drawn_by" in each else {})} for each in record["events"]]
    with app.app_context():
        match = MatchId(seat(table, people), 1)
        entries.open_match(match.table_id, game, people, options)
        for seq, event in enumerate(happened[: skipped + measured]):
            if seq >= skipped:
                yield f"/t/stays-{table}/screen"
            entry = (decode_event(GAMES[game], event),)
            entries.record(match, entry, idempotency_key=f"{table}-{seq}", expected_seq=seq, player=0)
        yield f"/t/stays-{table}/screen"


def unit_of(width: int, height: int) -> float:
    """Return how large a rem is: a picture is 80 wide and 50 high, or the other way round."""
    return min(width, height * 16 / 10) / 80 if width > height else min(width / 50, height / 80)


def is_read_from_afar(television: Page, width: int = 1280, height: int = 800) -> None:
    """Assert that all of it is on a screen of this size, in letters of its size."""
    television.set_viewport_size({"width": width, "height": height})
    assert television.evaluate(OUTSIDE) == [], f"{television.title()} at {width}x{height}"
    assert television.evaluate(SMALLEST) >= 1.6 * unit_of(width, height), f"{television.title()} at {width}x{height}"


def watch(phones: Phones, table: Page, path: str, *, scripts: bool = True) -> Page:
    """Open the table's big screen on a television."""
    television = phones(width=1280, height=800, scripts=scripts)
    television.goto(table.context.request.get(f"{path}/screen").url)
    return television


def test_it_shows_each_entry_and_comes_back_with_the_server(server: Server, phones: Phones) -> None:
    ana = phones()
    path = begin_match(ana, "beloz", *PEOPLE["beloz"])
    television = watch(phones, ana, path)
    expect(television.locator(".where")).to_have_text("BeloZ, round 1")
    expect(television.locator(".sides")).to_contain_text("Ana deals")
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(television.locator(".last")).to_contain_text("passed")
    expect(television.locator(".sides")).to_contain_text("Bo deals")
    assert server.stop() == 0
    expect(television.locator("[data-lost]")).to_contain_text(re.compile(r"No connection since \d"))
    is_read_from_afar(television)
    axe(television)
    server.start()
    expect(television.locator("[data-lost]")).to_be_hidden(timeout=30_000)
    expect(television.locator(".last")).to_contain_text("passed")
    axe(television)


def test_without_scripts_it_is_loaded_anew_and_says_since_when(phones: Phones) -> None:
    ana = phones()
    path = begin_match(ana, "rivals", *PEOPLE["rivals"])
    television = watch(phones, ana, path, scripts=False)
    expect(television.locator(".as-of")).to_be_visible()
    refresh = television.content()
    assert '<meta http-equiv="refresh" content="10">' in refresh
    ana.goto(f"{path}/big")  # for televisions that are too old for that
    for wide, high in ((960, 540), (1280, 720), (1920, 1080)):
        television.set_viewport_size({"width": wide, "height": high})
        television.goto(f"http://{ana.locator('.typed-address').last.inner_text()}/{wide}")
        expect(television.locator(".figures b")).to_have_text(["–", "–"])
        for cell in television.locator("td").all():  # but for what televisions cut off
            place = cell.bounding_box() or {}
            assert place["x"] + place["width"] <= wide - 61 * wide / 1280
            assert place["y"] + place["height"] <= high - 25 * wide / 1280
    shot(television, "screen-old")
    six = ("Wilhelmine Charlotte", "Maximilian-Alexander", "Friederike-Theresia", "Ida")
    six += ("Wilhelmina-Wolfeschlegelsteinhausenberge", "Wilhelmina-Wolfeschlegelsteinhausenbergo")  # as long as names may be
    ana.goto(f"{begin_match(ana, 'what-the-fish', *six)}/big")
    television.goto(f"http://{ana.locator('.typed-address').last.inner_text()}/1920")
    expect(television.locator(".name")).to_have_count(6)
    assert television.locator(".name, .name b").evaluate_all(WIDER) == []


def test_where_the_newer_script_can_not_run_it_is_loaded_anew(phones: Phones) -> None:
    ana = phones()
    path = begin_match(ana, "beloz", *PEOPLE["beloz"])
    television = phones(width=1280, height=800)
    # as much runs of it as of words that are too new: nothing
    television.route("**/js/screen.js", lambda route: route.abort("aborted"))
    television.clock.install()
    television.goto(ana.context.request.get(f"{path}/screen").url)
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(ana.get_by_text("Bo deals").first).to_be_visible()
    expect(television.locator(".sides")).to_contain_text("Ana deals")
    television.clock.run_for(10_500)
    expect(television.locator(".sides")).to_contain_text("Bo deals")
    expect(television.locator(".as-of")).to_be_visible()


@pytest.mark.parametrize("game", PEOPLE)
def test_all_of_it_is_on_the_screen_and_read_from_afar(phones: Phones, game: str) -> None:
    ana = phones()
    television = watch(phones, ana, begin_match(ana, game, *PEOPLE[game]))
    axe(television, dark=True)
    for colours in ("contrast", "safe") if game == "bisque" else ():  # the palettes themselves: tests/web/test_colours.py
        television.evaluate("(colours) => document.documentElement.setAttribute('data-colours', colours)", colours)
        axe(television, dark=True)
        if colours == "contrast":  # there all surfaces are as black as the ground
            for piece in television.locator(".piece, .pot").all():
                expect(piece).to_have_css("box-shadow", re.compile(r"^rgb\(255, 255, 255\) 0px 0px 0px [12]"))
        shot(television, f"screen-{game}-{colours}")
    for width, height in SIZES:
        is_read_from_afar(television, width, height)
        assert television.evaluate(CUT) == [], f"{width}x{height}"


def test_the_code_to_join_goes_after_half_a_minute_also_while_the_server_is_away(losing: Phones) -> None:
    ana = losing()
    path = begin_match(ana, "rivals", *PEOPLE["rivals"])
    sent(ana, f"{path}/invitation", csrf_token=token(ana.content()), on="match")
    television = losing(width=1280, height=800)
    television.clock.install()
    television.goto(ana.context.request.get(f"{path}/screen").url)
    expect(television.locator(".spoken")).to_be_visible()
    television.context.set_offline(True)
    television.clock.run_for(31_000)
    expect(television.locator(".spoken")).to_be_hidden()


@pytest.mark.parametrize("game", RESULTS)
def test_nothing_moves_when_a_result_comes(server: Server, phones: Phones, game: str) -> None:
    television = phones(width=1280, height=800, scripts=False)
    before: dict[tuple[int, int], tuple[str, dict[str, list[int]]]] = {}
    for path in entered(server, game, *RESULTS[game]):
        television.goto(path)
        television.evaluate("document.getElementById('screen').dataset.drift = '2'")  # at the edge, and whenever it is
        for width, height in SIZES:
            television.set_viewport_size({"width": width, "height": height})
            kind, places = television.evaluate(PLACES)
            earlier_kind, earlier = before.get((width, height), (kind, places))
            moved = {name: (earlier[name], place) for name, place in places.items() if earlier.get(name, place) != place}
            assert kind == earlier_kind, "the match is over"
            assert moved == {}, f"{width}x{height}"
            before[width, height] = (kind, places)
            is_read_from_afar(television, width, height)
            assert television.evaluate(NUMERALS) >= (110 / 16 if width > height else 5.99) * unit_of(width, height)


def test_before_after_and_between_matches_and_after_a_mistake_it_is_read_from_afar(server: Server, phones: Phones) -> None:
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(server.instance)}))
    address = "http://192.168.1.5:8000"
    with app.test_request_context("/screen"):  # before there is a table
        waiting = render_template("screen/waiting.html", address=address, table=None, **around(address))
    with app.app_context():
        tonight = seat("tonight", almanac.PEOPLE)
        almanac.play(tonight, 8)
        with database.writing():  # an hour ago
            at = datetime.now(UTC).replace(tzinfo=None) - timedelta(hours=1)
            db.session.execute(update(Entry).where(Entry.table_id == tonight).values(at=at))
        seat("nothing", almanac.PEOPLE)
    television = phones(width=1280, height=800)
    television.route("**/screen?key=*", lambda route: route.fulfill(body=waiting, content_type="text/html"))
    ends = [(path, "One more?") for game in RESULTS for path in list(entered(server, game, 0, 99))[-1:]]
    for path, words in (
        *ends,
        ("/screen?key=only-here", "Start a table on your phone."),
        ("/t/stays-tonight/screen", "8 matches tonight"),
        ("/t/stays-nothing/screen", "Nothing has been played tonight."),
        ("/t/no-such-link/screen", "No table has this link."),
        ("/tv/XXXXXX", "That code doesn’t work."),
    ):
        television.goto(path)
        expect(television.locator("#screen")).to_contain_text(words)
        for width, height in SIZES:
            is_read_from_afar(television, width, height)
        axe(television)
        shot(television, re.sub(r"\W+", "-", f"screen{path}"))


def test_long_names_are_whole_in_the_results_of_an_evening(server: Server, phones: Phones) -> None:
    six = ("Maximilian", "Anne-Sophie", "Bartholomew", "Wilhelmina", "Konstantinos", "Philippa-Charlotte")
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(server.instance)}))
    with app.app_context():
        number = seat("long", six)
        with database.writing():
            table = db.session.get_one(Table, number)
            table.name = "Wednesday evening at the lighthouse"
        ends = [
            [1000 * (place == won) for place in range(6)] for won in range(6)
        ]  # each has won one, then several one together
        for scores in (*ends, [1234, 1234, 0, 0, 0, 56], [9, 9, 9, 0, 0, 0], [9] * 6):
            match = MatchId(number, entries.open_match(number, "sheet", six, {"preset": "plain"}))
            row = {"type": "row", "cells": [{"points": points} for points in scores]}
            for seq, event in enumerate((row, {"type": "finish"})):
                entries.record(
                    match, (decode_event(GAMES["sheet"], event),), idempotency_key=f"{seq}", expected_seq=seq, player=0
                )
        with database.writing():
            old = f"/old/{evening_links.link_of(table)}"
            at = datetime.now(UTC).replace(tzinfo=None) - timedelta(minutes=5)
            db.session.execute(update(Entry).where(Entry.table_id == number).values(at=at))
    television = phones(width=1280, height=720, scripts=False)
    for path, wide, high in (
        ("/t/stays-long/screen", 1280, 720),
        ("/t/stays-long/screen", 960, 540),
        (f"{old}/1280", 1280, 720),
        (f"{old}/960", 960, 540),
    ):
        television.set_viewport_size({"width": wide, "height": high})
        television.goto(path)
        for words in ("6 players share the win", "Maximilian and Anne-Sophie", *six):
            expect(television.get_by_text(words, exact=True).first).to_be_visible()
        written = television.locator(".heading, .played p > *, .winners .fill, .head, .head h1, .who, .who b, .beside, .row b")
        assert written.evaluate_all(WIDER) == [], f"{path} {wide}x{high}"
        foot = television.locator(".foot").bounding_box() or {}
        assert foot["y"] + foot["height"] <= high - 25 * wide / 1280
        for row in television.locator(".played, .said, .winners").all():
            place = row.bounding_box() or {}
            assert place["y"] + place["height"] <= foot["y"] + 1, f"{path} {wide}x{high}"


def test_voice_and_sound_are_off_until_somebody_wants_them_and_stay_on(phones: Phones) -> None:
    ana = phones()
    path = begin_match(ana, "beloz", *PEOPLE["beloz"])
    television = phones(width=1280, height=800)
    television.add_init_script(LISTENS)
    television.clock.install()
    television.goto(ana.context.request.get(f"{path}/screen").url)
    voice, sound = (television.get_by_role("button", name=name) for name in ("Say each entry", "A sound for each entry"))
    expect(voice).to_be_hidden()
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(television.locator(".sides")).to_contain_text("Bo deals")
    assert television.evaluate("heard") == []
    drift = int(television.locator("#screen").get_attribute("data-drift") or "")
    television.clock.run_for(60_000)
    expect(television.locator("#screen")).to_have_attribute("data-drift", str((drift + 1) % 9))

    television.mouse.move(200, 200)
    for wish in (voice, sound):
        expect(wish).to_have_attribute("aria-pressed", "false")
        wish.click()
        expect(wish).to_have_attribute("aria-pressed", "true")
    television.evaluate("heard.length = 0")
    look(ana)
    ana.get_by_role("button", name="Everyone passed").tap()
    expect(television.locator(".sides")).to_contain_text("Cy deals")
    tone, speech = television.evaluate("heard")
    assert tone == "a sound"
    assert speech["lang"] == "en"
    assert speech["text"].startswith("Everybody passed")
    # a picture that comes late takes no newer one's place: both entries are said by then, and nothing is said twice
    held: list[tuple[Route, APIResponse]] = []
    television.route("**/screen?since=*", lambda route: held.append((route, route.fetch())), times=1)
    for deals in ("Di", "Ana"):
        look(ana)
        ana.get_by_role("button", name="Everyone passed").tap()
        expect(ana.locator("#now")).to_contain_text(f"{deals} deals")
        wait_until(television, lambda: held)
    expect(television.locator(".sides")).to_contain_text("Ana deals")
    held[0][0].fulfill(response=held[0][1])
    television.wait_for_timeout(100)
    expect(television.locator(".sides")).to_contain_text("Ana deals")
    tone, *speeches = television.evaluate("heard")[2:]
    assert tone == "a sound"
    assert [speech["text"].partition(".")[0] for speech in speeches] == ["Everybody passed"] * 2
    television.reload()
    television.mouse.move(300, 300)
    expect(voice).to_have_attribute("aria-pressed", "true")


def test_a_lot_is_seen_on_all_phones_and_on_the_television_at_once(phones: Phones) -> None:
    ana, bo = phones(), phones()
    path = begin_match(ana, "rivals", *PEOPLE["rivals"])
    ana.locator("summary[aria-label^='More']").click()
    ana.get_by_role("button", name="Stop the match here").click()
    ana.goto(f"{path}/table")
    come_by_code(bo, ana, "Bo")
    bo.goto(f"{path}/table")
    television = watch(phones, ana, path)
    look(ana)  # the page has just heard of Bo
    ana.get_by_role("button", name="Draw lots").tap()
    expect(ana.locator("#lot")).to_contain_text("The lot fell on")
    fell = ana.locator("#lot b").inner_text()
    expect(bo.locator("#lot b")).to_have_text(fell)
    expect(television.locator(".last")).to_have_text(fell)
    is_read_from_afar(television)
    axe(television)
    axe(bo)
    shot(bo, "lot-table")
