"""Does a tap ever enter what its person did not mean, while another phone's taps and their news cross it at any moment?

Two phones show pages as old as they like, and somebody taps any key on them. What a key is about is read from what was stored
when its page was made: the server may only act on it while that is still so. The screens are not asked what they think of it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from companion.matches import drafts, entries
from companion.storage.models import Match, db
from tests.web.conftest import seat
from tests.web.forms_on_a_page import PageReader
from tests.web.people import PhoneAtMatch, claim

pytestmark = pytest.mark.sqlite

_numbers = itertools.count(1)
_keys = itertools.count(1)


@dataclass(frozen=True)
class Truth:
    """What was stored at a moment: everything that counts, what phones share of the next entry, and where that leads."""

    lines: tuple[str, ...]
    shared: Mapping[str, Any]
    state: Any

    def differs(self, other: Truth) -> bool:
        return (self.lines, self.shared) != (other.lines, other.shared)


@dataclass(frozen=True)
class Key:
    """A key as a phone shows it: where it sends what, and what was stored when its page was made."""

    path: str
    fields: Mapping[str, str]
    seen: Truth


def fish(key: Key, at: Truth) -> object:
    """Return the swim and whose fish it is; for the end of one also the number that nobody beat."""
    duel, tap = at.state.duel, key.fields.get("tap", "")
    swim = len(at.state.endings), duel and duel.player
    return (*swim, duel and duel.to_beat, duel and duel.dies) if tap.startswith(("free", "dead")) else swim


def rivals(_key: Key, at: Truth) -> object:
    """Return the moves so far: the next comes after them."""
    return at.lines, at.shared.get("moves")


def beloz(key: Key, at: Truth) -> object:
    """Return the deal, and the one thing of it that the tap changes."""
    announced = [one for one in at.shared.get("declarations", ()) if str(one["player"]) == key.fields.get("speaker")]
    tap = key.fields.get("tap", "")
    if tap == "passed-deal":
        return at.lines, at.shared
    if tap.startswith("bidder"):
        return at.lines, at.shared.get("bidder")
    if "flooded" in key.fields:
        return at.lines, at.shared.get("flooded")
    if tap.startswith("beloz"):
        return at.lines, at.shared.get("beloz")
    if "quads" in key.fields:
        return at.lines, [one for one in announced if one.get("animal") == key.fields["quads"]]
    return at.lines, [one for one in announced if one.get("plain") == key.fields.get("card", "").partition("-")[0]]


def bisque(key: Key, at: Truth) -> object:
    """Return the newest trick, and for a goal that player's.

    An older trick may be taken out meanwhile: who won the one that was just played, and its card, are still what was tapped.
    """
    who = key.fields.get("hide", key.fields.get("who"))
    return at.lines[-1:], at.shared.get("goals", [None] * 3)[int(who)] if who else None


def cup(_key: Key, at: Truth) -> object:
    return at.lines


@dataclass(frozen=True)
class InGame:
    """A game whose keys are tapped: on which pages, and what a key is about."""

    slug: str
    people: tuple[str, ...]
    pages: tuple[str, ...]
    about: Callable[[Key, Truth], object]
    options: Mapping[str, str] = field(default_factory=dict)
    typed: tuple[Mapping[str, str], ...] = ({},)  # what is chosen besides the key


GAMES = [
    InGame("what-the-fish", ("Ana", "Bo", "Cy"), ("",), fish, typed=tuple({"value": str(n)} for n in (3, 9, 14, 22))),
    InGame("rivals", ("Ana", "Bo"), ("",), rivals),
    InGame("beloz", ("Ana", "Bo", "Cy", "Di"), ("", "/who", "/declarations?speaker=0", "/declarations?speaker=1"), beloz),
    InGame("bisque", ("Ana", "Bo", "Cy"), ("",), bisque, typed=tuple({"by": str(n), "who": str(n)} for n in range(3))),
    InGame("beluga-cup", ("Ana", "Bo"), ("", "/eat?zone=1", "/eat?zone=4", "/excuse"), cup, {"cards": "untracked"}),
]


def machine(app, game, became):
    """Return two phones at a table of their own in each example; ``became`` counts the taps that did something, or nothing."""

    class Thumbs(RuleBasedStateMachine):
        @initialize()
        def open(self):
            number = next(_numbers)
            with app.app_context():
                table = seat(game.people, number)
                entries.open_match(table.id, game.slug, game.people, game.options)
                self.match = db.session.query(Match.id).filter_by(table_id=table.id).scalar()
            self.phones = [claim(PhoneAtMatch(app, table.play), name) for name in game.people[:2]]
            self.keys = [[], []]
            for number in (0, 1):
                self.look(number)

        def truth(self):
            with app.app_context():
                log = entries.read(self.match)
                shared = drafts.draft(self.match, log.head) or {}
            return Truth(tuple(str(line) for line in log.counting), shared, log.position.state)

        @rule(phone=st.integers(0, 1))
        def look(self, phone):
            """Let the news come to a phone."""
            self.keys[phone] = [key for path in game.pages for key in self.read(phone, path)]

        def read(self, phone, path):
            at = self.truth()
            page = self.phones[phone].open(path)
            if page.status_code != 200:
                return
            for form in PageReader(page.text).forms:
                where = urlsplit(form.action).path.removeprefix(self.phones[phone].link)
                if form.method != "post" or where.strip("/").partition("/")[0] not in PATHS[game.slug]:
                    continue
                for name, value, _ in form.keys:
                    if name != "ask":
                        yield Key(where, {**dict(form.values), **({name: value} if name else {})}, at)

        @precondition(lambda self: any(self.keys))
        @rule(phone=st.integers(0, 1), which=st.integers(0, 400), typed=st.sampled_from(game.typed), looks=st.booleans())
        def tap(self, phone, which, typed, looks):
            """Tap a key of the page that a phone shows, however old it is."""
            if not self.keys[phone]:
                return
            key = self.keys[phone][which % len(self.keys[phone])]
            fields = {**key.fields, **{name: value for name, value in typed.items() if not key.fields.get(name)}}
            key = Key(key.path, fields, key.seen)
            before = self.truth()
            answer = self.phones[phone].send(key.path, **{**fields, "idempotency_key": f"tap-{next(_keys)}"})
            assert answer.status_code in {200, 303, 409, 422}
            after = self.truth()
            did = after.differs(before)
            late = before.differs(key.seen)
            became["did" if did else "nothing", "late" if late else "in time"] += 1
            if did and key.path == "/undo":
                assert not late, (key.fields, key.seen.lines, before.lines, after.lines)
            elif did:
                assert game.about(key, key.seen) == game.about(key, before), key
            if looks:
                self.look(phone)

    return Thumbs


PATHS = {
    "what-the-fish": {"play", "undo"},
    "rivals": {"turn", "undo"},
    "beloz": {"who", "declarations", "undo"},
    "bisque": {"hand", "undo"},
    "beluga-cup": {"eat", "fish", "excuse", "undo"},
}


@pytest.mark.parametrize("examples", [3, pytest.param(300, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_nothing_is_entered_that_nobody_meant(app, game, examples):
    became = Counter()
    run_state_machine_as_test(
        machine(app, game, became),
        settings=settings(
            max_examples=examples,
            stateful_step_count=20,
            deadline=None,
            database=None,
            phases=(Phase.generate,),  # an example is short, and to shorten it takes minutes
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
    if examples >= 300:  # else a seed may hardly tap anything
        assert min(became["did", "in time"], became["nothing", "late"]) > 0, became
