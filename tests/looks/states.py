"""Pages and their states: matches at four moments, and all that is reached from there and from home."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import msgspec
from playwright.sync_api import Page

from companion.app import create_app
from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.engine.sheet.document import SheetDocument
from companion.matches import entries
from companion.settings import Settings
from companion.sheets.passing import text_of
from companion.storage import database, migrations
from companion.storage.models import Match, Player, Table, db
from tests.benchmarks import almanac
from tests.browser.people import post
from tests.browser.test_may_i import GAMES as LOOK_UPS
from tests.whole_matches import recorded

LONG_NAMES = ("Maximilian", "Anne-Sophie", "Ada", "Bartholomew", "Wilhelmina", "Di")
SHARES: Mapping[str, float] = {"new": 0, "early": 0.2, "late": 0.55, "end": 1}  # of its entries, at each moment
PAGES: Mapping[str, tuple[str, ...]] = {
    "beloz": ("who", "declarations", "count", "round", "see/history"),
    "beluga-cup": (
        *("fish", "play", "play?zone=4&side=1", "discard", "excuse", "eat?zone=2", "see/history", "see/zone?zone=1"),
        *("entries/2", "entries/3", "seal"),
    ),
    "bisque": ("goal", "hand"),
    "rivals": ("turn", "round?by=0", "round?by=none", "count"),
    "what-the-fish": ("wtf", "flush", "see/swims", "entries/2"),
}
OPEN_TO_ALL = (
    "join",
    "tables/new",
    "tables/import",
    "choices",
    "phone",
    "reach",
    "rules",
    "offline",
    "components",
    "nothing",
    "api/v1/",
)
OF_THE_TABLE = (
    *("table", "matches", "join", "join/seat", "links", "name", "forget", "people/new", "people/1", "scan", "bring", "lots"),
)
# what is tapped first: each is a selector, or one and a text to type
TAPS: Mapping[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "beloz": (
        ("new", "", ("#now .tile >> nth=0",)),
        ("new", "who", ('[name=flooded][value="north"] >> nth=0',)),
        ("new", "declarations", (".decl-animal >> nth=1", ".decl-cell >> nth=6")),
        ("new", "count", ('[data-key="4"]', '[data-key="1"]', 'label.tile:has(input[name=last][value="0"])')),
        ("late", "count", ('[data-key="9"]', '[data-key="9"]', '[data-key="9"]')),
    ),
    "beluga-cup": (
        ("early", "play?zone=2&side=0", (".card-piece >> nth=3",)),
        ("early", "", (".zone >> nth=1",)),
    ),
    "bisque": (
        ("early", "", (".chef >> nth=1",)),
        ("early", "goal", ("summary >> nth=0",)),
        ("new", "", ("[name=card] >> nth=2", ".chef >> nth=0")),
    ),
    "rivals": (
        ("new", "", ("#now button >> nth=2",)),
        ("new", "round?by=0", (".value-bar button >> nth=4", ".value-bar button >> nth=2")),
    ),
    "what-the-fish": (
        ("new", "", ('[data-key="8"]',)),
        ("early", "", ('[data-key="9"]', '[data-key="9"]', "#duel .tile >> nth=0")),
        ("early", "wtf", ("button.tile >> nth=2", "button.tile >> nth=1")),
    ),
}
# score sheets: who plays, and what was entered
SIX = ("Ana", "Bo", "Cy", "Di", "Eve", "Finn")
SHEETS: Mapping[str, tuple[tuple[str, ...], tuple[dict[str, object], ...]]] = {
    "skull-king": (
        SIX,
        tuple(
            {"type": "row", "cells": [{"bid": number % 2, "tricks": number if side == number else 0} for side in range(6)]}
            for number in range(1, 6)
        ),
    ),
    "oh-hell": (SIX[:3], ({"type": "bids", "cells": [{"bid": 1}, {"bid": 0}, {"bid": 1}], "round": {"cards": 3}},)),
    "doppelkopf": (
        SIX[:5],
        tuple(
            {"type": "row", "cells": [{"won": side in winners} for side in range(5)], "round": {"points": 3}}
            for winners in ({1, 3}, {2, 4})
        ),
    ),
    "mahjong": (SIX[:4], ()),
    "pots": (SIX[:3], ()),
    "tarot": (SIX[:5], ()),
    "skat": (SIX[:3], ()),
    "yahtzee": (
        SIX[:4],
        tuple(
            {"type": "box", "player": side, "box": box, "value": value}
            for box, value in (("threes", 9), ("fours", 12), ("full-house", 25), ("small-straight", 0))
            for side in range(4)
        ),
    ),
    "qwixx": (SIX[:2], ()),
    "barbu": (SIX[:4], ()),
    "wingspan": (SIX[:5], ()),
    "7-wonders": ((*SIX, "Gus"), ()),
    "plain": ((*LONG_NAMES[:5], *SIX, "Gus"), ()),
}
POTS = {
    "format": "companion-sheet/1",
    "name": "Pots",
    "players": [2, 4],
    "shape": "rounds",
    "sum": 0,
    "columns": [{"id": "points", "name": "Points", "kind": "whole", "least": -99, "most": 99}],
}
MAKING = "more/make?name=Sevens&wins=lowest&ends=at&limit=200&column=Points&column=Bonus&sign=%2B&sign=both&at=2"
# what is typed there: the name of the picture, the sheet, and what is tapped
FILLED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("bids", "skull-king", tuple(f'[data-number="{bid}"]' for bid in "121003")),
    ("bids-missing", "skull-king", ('[data-number="1"]', '[data-number="2"]')),
    ("tricks-refused", "oh-hell", tuple(f'[data-number="{tricks}"]' for tricks in "201")),
    ("tricks-too-many", "oh-hell", tuple(f'[data-number="{tricks}"]' for tricks in "221")),
    ("ledger", "doppelkopf", ("[name=c1-won]", "[name=c4-won]", "#i-r-points", '[data-digit="4"]')),
    ("ledger-refused", "pots", tuple(f"#i-c{side}-points := {points}" for side, points in enumerate((12, -7, -8)))),
    ("boxes", "yahtzee", (*(f'[data-die="{die}"]' for die in "33355"), '[value="c0-chance"]')),
    ("boxes-strike", "yahtzee", (*(f'[data-die="{die}"]' for die in "33355"), '[value="c0-yahtzee"]')),
    ("boxes-typed", "yahtzee", ('[value="c0-sixes"]',)),
    ("boxes-of-another", "yahtzee", ("#head-2 input",)),
    ("end", "wingspan", (*(f'[data-digit="{digit}"]' for digit in "10+15+8"), "#go-on", '[data-digit="7"]', "#go-on")),
)


@dataclass(frozen=True, slots=True)
class State:
    """A page in a state: its name, its address, and how to come from there to the state."""

    name: str
    path: str
    act: Callable[[Page], object] = lambda page: None


def taps(*places: str) -> Callable[[Page], object]:
    """Return what taps these places one after the other; those that a page has not are left out."""

    def act(page: Page) -> None:
        for place in places:
            selector, _, text = place.partition(" := ")
            for found in page.locator(selector).all()[:1]:
                found.fill(text) if text else found.dispatch_event("click")
                page.wait_for_timeout(350)

    return act


def save(**fields: str) -> Callable[[Page], object]:
    """Return what sends the page's form with these fields, and shows the answer in its place."""

    def act(page: Page) -> None:
        page.evaluate(
            """(fields) => {
              const form = [...document.forms].find((one) => one.method === "post" && one.closest("main"));
              for (const [name, value] of Object.entries(fields)) {
                const input = document.createElement("input");
                Object.assign(input, { type: "hidden", name, value });
                form.append(input);
              }
              HTMLFormElement.prototype.submit.call(form);
            }""",
            fields,
        )
        page.wait_for_load_state("load")
        page.wait_for_timeout(500)

    return act


def matches(instance: Path) -> None:
    """Play each recorded match to each moment at a table of its own, and one of six with long names. All alike each time."""
    chance = random.Random(7)
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(instance)}))
    migrations.migrate(app)
    patched = (
        mock.patch.object(secrets, "token_bytes", chance.randbytes),
        mock.patch.object(secrets, "choice", chance.choice),
    )
    with app.app_context(), app.test_request_context(), patched[0], patched[1]:
        for slug in PAGES:
            record = recorded(slug.replace("-", "_"))
            record = record.get("record", record)
            happened = [{**each, **({"drawn_by": "hand"} if "drawn_by" in each else {})} for each in record["events"]]
            for moment, share in SHARES.items():
                play(slug, moment, record["players"], record["options"], happened[: round(share * len(happened))])
            play(slug, "asked", record["players"], record["options"], happened[: round(0.5 * len(happened))])
            play(slug, "doubted", record["players"], record["options"], happened[: round(0.55 * len(happened))])
            doubt(slug)
        play("what-the-fish", "six", LONG_NAMES, {}, [{"type": "swim", "player": 0, "rank": 8}])
        play("bisque", "long", LONG_NAMES[:3], {}, [])
        play("beluga-cup", "sealed", LONG_NAMES[:2], {"deck": "basic"}, [])
        for preset, (people, rows) in SHEETS.items():
            play("sheet", preset, people, {"sheet": POTS} if preset == "pots" else {"preset": preset}, list(rows))
        played_before()


def play(slug: str, moment: str, people: tuple[str, ...], options: dict[str, object], events: list[dict[str, object]]) -> None:
    """Seat these people at the table ``play-<slug>-<moment>`` and enter these events."""
    with database.writing():
        table = Table(name="Kitchen table", play_token=f"play-{slug}-{moment}", watch_token=f"watch-{slug}-{moment}")
        table.agrees = moment == "asked"
        table.players = [Player(name=name, seat=seat) for seat, name in enumerate(people)]
        db.session.add(table)
        db.session.flush()
        seated = table.id
    entries.open_match(seated, slug, people, {key: value for key, value in options.items() if key not in {"seal", "words"}})
    match = db.session.query(Match.id).filter_by(table_id=seated).scalar()
    for seq, event in enumerate(events):
        entry = (decode_event(GAMES[slug], event),)
        entries.record(match, entry, idempotency_key=f"{slug}-{moment}-{seq}", expected_seq=seq, player=0)


def played_before() -> None:
    """Write a year of matches, three an evening, that the almanac of ``play-almanac`` is made of."""
    with database.writing():
        table = Table(name="Kitchen table", play_token="play-almanac", watch_token="watch-almanac")
        table.players = [Player(name=name, seat=seat) for seat, name in enumerate(almanac.PEOPLE)]
        db.session.add(table)
        db.session.flush()
        seated = table.id
    almanac.play(seated, 24)


def doubt(slug: str) -> None:
    """Let the second person doubt the newest entry at the table ``play-<slug>-doubted``."""
    match = db.session.query(Match.id).join(Table).filter_by(play_token=f"play-{slug}-doubted").scalar()
    log = entries.read(match)
    entries.remark(match, log.head, "doubt", idempotency_key="doubt", expected_seq=log.seq, player=1)


def sit(page: Page, table: str) -> None:
    """Say that the first person of the table holds this phone."""
    key = page.context.request.get(f"/t/{table}/join").text().split('formaction="')[1].partition('"')[0]
    post(page, key, f"/t/{table}/join", do="claim", next="enter")


def of_a_table(slug: str) -> Iterator[State]:
    """Yield what is seen of a game at its tables."""
    for moment in SHARES:
        match = f"/t/play-{slug}-{moment}/m/1"

        def sits(page: Page, table: str = f"play-{slug}-{moment}") -> None:
            sit(page, table)
            page.reload()
            page.wait_for_timeout(300)

        yield State(f"{slug}-{moment}", f"{match}?stay", sits)
        if moment in {"early", "late"}:
            for page in PAGES[slug]:
                yield State(f"{slug}-{moment}-{page}", f"{match}/{page}")
            for page in ("entries/1", "undo", "may-i"):
                yield State(f"{slug}-{moment}-{page}", f"{match}/{page}")
        yield State(f"{slug}-{moment}-watched", f"/t/watch-{slug}-{moment}/m/1?stay")
        yield State(f"{slug}-{moment}-screen", f"/t/watch-{slug}-{moment}/screen")
        if moment in {"late", "end"}:
            yield State(f"{slug}-{moment}-row", f"{match}?stay", taps("#rows summary >> nth=0"))
    yield State(f"{slug}-end-proof", f"/t/play-{slug}-end/m/1/proof")
    yield State(f"{slug}-doubted", f"/t/play-{slug}-doubted/m/1?stay")
    yield State(f"{slug}-doubted-correction", f"/t/play-{slug}-doubted/m/1", taps(".doubted .secondary"))
    yield State(f"{slug}-asked", f"/t/play-{slug}-asked/m/1?stay")
    for moment, page, places in TAPS[slug]:
        yield State(f"{slug}-{moment}-{page}-tapped", f"/t/play-{slug}-{moment}/m/1{page and '/'}{page}", taps(*places))


def of_sheets() -> Iterator[State]:
    """Yield what is seen of score sheets: on the shelf, while one is made, and at their tables."""

    def filled(table: str, places: tuple[str, ...]) -> Callable[[Page], object]:
        def act(page: Page) -> None:
            if page.locator(".nameless a").count():
                sit(page, table)
                page.reload()
                page.wait_for_timeout(300)
            taps(*places)(page)

        return act

    for path in ("more", "more/skull-king", "more?group=rounds", "more?q=king", "more?q=kniffel", "more/make", MAKING):
        yield State(f"sheet-{path}", f"/{path}")
    yield State("sheet-made", "/more/make", save(name="Sevens", wins="lowest", ends="at", limit="200", by="Ana"))
    yield State("sheet-received", f"/more/own?s={text_of(msgspec.convert(POTS, SheetDocument))}")
    yield State(
        "sheet-refused",
        f"/more/own?s={text_of(msgspec.convert({**POTS, 'columns': [{**POTS['columns'][0], 'most': 'pts'}]}, SheetDocument))}",
    )
    for preset in SHEETS:
        yield State(f"sheet-{preset}", f"/t/play-sheet-{preset}/m/1?stay")
        yield State(f"sheet-{preset}-watched", f"/t/watch-sheet-{preset}/m/1?stay")
        yield State(f"sheet-{preset}-screen", f"/t/watch-sheet-{preset}/screen")
    yield State("sheet-settle", "/t/play-sheet-doppelkopf/m/1/settle")
    yield State("sheet-correction", "/t/play-sheet-doppelkopf/m/1/entries/2")
    yield State("sheet-scoring", "/t/play-sheet-skull-king/m/1/see/scoring")
    for name, preset, places in FILLED:
        yield State(f"sheet-filled-{name}", f"/t/play-sheet-{preset}/m/1?stay", filled(f"play-sheet-{preset}", places))


def states() -> Iterator[State]:
    """Yield every state of every page, in a fixed order."""
    yield State("home", "/")
    for path in OPEN_TO_ALL:
        yield State(path, f"/{path}")
    yield State("join-refused", "/join", lambda page: page.goto("/join?code=ZZZZ"))
    for slug in PAGES:
        yield State(f"{slug}-sit-down", f"/tables/new?game={slug}")
        yield State(f"{slug}-sit-down-refused", f"/tables/new?game={slug}", save(person_1="Ana", person_2="Ana"))
        yield State(f"{slug}-rules", f"/rules/{slug}")
        yield State(f"{slug}-rules-search", f"/rules/{slug}?q=fish")
        yield State(f"{slug}-calculate", f"/calculate/{slug}")
        yield State(f"{slug}-may-i", f"/may-i/{slug}")
        yield State(f"{slug}-may-i-answered", f"/may-i/{slug}", LOOK_UPS[slug][0])
        yield from of_a_table(slug)
    yield from of_sheets()
    yield State("beloz-calculate-refused", "/calculate/beloz", save(points="999"))
    yield State("rivals-calculate-count", "/calculate/rivals?what=count")
    for number in (3, 4, 5):
        yield State(f"beloz-practice-{number}", f"/practice/beloz/{number}")
    yield State("beloz-practice-wrong", "/practice/beloz/5", taps('[name=card][value="east-lion"]', "text=Check"))
    for name in ("what-the-fish-six", "bisque-long", "beluga-cup-sealed"):
        yield State(name, f"/t/play-{name}/m/1?stay")
    yield State("bisque-long-hand", "/t/play-bisque-long/m/1/hand")
    table = "/t/play-beloz-late"
    yield State("table-nobody", "/t/play-beloz-early/table")
    for path in OF_THE_TABLE:
        yield State(f"table-{path}", f"{table}/{path}")
    yield State("table-watched", "/t/watch-beloz-late/table")
    yield State("table-renamed", f"{table}/name", save(name=""))
    yield State("table-newcomer-refused", f"{table}/people/new", save(name="Ana"))
    yield State("beloz-conflict", f"{table}/m/1/count", save(points="41", last="0", old_seq="1"))
    yield State("beloz-saved", f"{table}/m/1/count", taps('[data-key="9"]', "label.tile >> nth=0", ".primary"))
    yield State("beloz-menu", f"{table}/m/1?stay", taps(".app-bar summary"))
    for path in ("", "?game=beloz", "/person?who=Ana", "/match/1?round=2", "/evening/1", "/bring-in", "/settings"):
        yield State(f"almanac{path}", f"/t/play-almanac/almanac{path}")
    yield State("screen-between", "/t/watch-almanac/screen")
    yield State("screen-wrong-code", "/tv/XXXXXX")
    yield State("table-big", f"{table}/big")
    yield State("home-known", "/")
