"""Is nothing lost, counted twice or misnamed when phones without a connection send what they entered later?

For each game several phones enter through its real forms. Requests and replies get lost, are repeated, and arrive out of order.
The model is the promise of the outbox, in twenty lines: it knows nothing of the log, and the server is held to it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from companion.engine import GAMES as REGISTRY
from companion.engine.beloz.scoring import Count, Round
from companion.engine.beluga_cup import Discard
from companion.engine.bisque import Pot
from companion.engine.core import Event, RuleError, replay, start
from companion.engine.what_the_fish import FlintFlush
from companion.matches import entries
from companion.storage.models import Match, db
from tests.web.conftest import seat
from tests.web.people import PhoneAtMatch, says, words
from tests.web.test_rivals_pages import ROUNDS
from tests.web.test_rivals_pages import typed as typed_round

pytestmark = pytest.mark.sqlite

PHONES = 3
ENTRIES = 6  # at most, in one example
SAID = re.compile(r'id="toasts".*?<p>(.*?)</p>', re.DOTALL)

_numbers = itertools.count(1)


@dataclass(frozen=True)
class InGame:
    """A game as it is entered here: where, and entries each unlike all others, with the event that they mean."""

    slug: str
    people: tuple[str, ...]
    path: str
    entries: tuple[tuple[Mapping[str, str | list[str]], Event], ...]
    said: str  # of the entry that is stored at a place, from 1
    turns: bool = True
    goes_on: bool = True  # the form takes the next entry while one waits
    begin: tuple[tuple[str, Mapping[str, str]], ...] = ()  # stored before anything else
    before: tuple[tuple[str, Mapping[str, str]], ...] = ()  # what all phones share before an entry can be made


def rounds_of_beloz() -> tuple[tuple[Mapping[str, str], Event], ...]:
    taken = {"round": '{"bidder":0,"flooded":"south"}', "team": "0", "last": "0"}
    points = (98, 101, 83, 77, 64, 55)
    return tuple(
        (
            {**taken, "points": str(each)},
            Round(bidder=0, flooded="south", count=Count(0, each), last_expedition=0, declarations=()),
        )
        for each in points
    )


def whole_round(event: Event) -> Mapping[str, str | list[str]]:
    """Return what the form on the match's own page sends: a field for each whale that there may be."""
    whales = {
        f"whales-{pack}-{side}": [*map(str, lie), *[""] * (3 - len(lie))]
        for pack, both in enumerate(event.packs)
        for side, lie in enumerate(both)
    }
    return {"ended_by": "none" if event.ended_by is None else str(event.ended_by), "whole": "1", **whales}


POT = ("crown-waves", "8-waves-leaves", "9-moons-suns", "7-suns-knots", "ace-leaves", "5-wyrms-knots")
FISH = {"fish": "suns,leaves,waves,wyrms,wyrms,knots,moons,knots,knots", "add": "wyrms"}
GAMES = [
    InGame(
        "beloz",
        ("Ana", "Bo", "Cy", "Di"),
        "/count",
        rounds_of_beloz(),
        "Round {place} saved. ",
        goes_on=False,
        before=(("/who", {"tap": "bidder:0"}), ("/who", {"flooded": "south"})),
    ),
    InGame(
        "beloz",
        ("Ana", "Bo", "Cy", "Di"),
        "/round",
        tuple(
            ({"bidder": "0", "flooded": "south", **{name: typed[name] for name in ("team", "last", "points")}}, event)
            for typed, event in rounds_of_beloz()
        ),
        "Round {place} saved. ",
    ),
    InGame(
        "bisque",
        ("Ana", "Bo", "Cy"),
        "/hand",
        tuple(({"by": str(n % 3), "card": card}, Pot(card, n % 3)) for n, card in enumerate(POT)),
        "Trick {place}: ",
    ),
    InGame(
        "beluga-cup",
        ("Ana", "Bo"),
        "/discard",
        tuple(({"kind": "discard", "cards": str(n)}, Discard(0, n)) for n in range(4)),
        "No card fitted",
        begin=(("/fish", FISH),),
    ),
    InGame(
        "rivals",
        ("Ana", "Bo"),
        "/round",
        tuple(({"what": "round", **typed_round(each)}, each) for each in ROUNDS),
        "",
        goes_on=False,
    ),
    InGame("rivals", ("Ana", "Bo"), "/round", tuple((whole_round(each), each) for each in ROUNDS), ""),
    InGame(
        "what-the-fish",
        ("Ana", "Bo", "Cy", "Di", "Eva", "Flo"),
        "/flush",
        tuple(({"tap": f"who:{player}"}, FlintFlush(player)) for player in range(6)),
        "",
        turns=False,
    ),
]


def content(event: Event) -> object:
    """Return what somebody typed of it: whose turn it is, the server adds."""
    return event.cards if isinstance(event, Discard) else event


@dataclass(frozen=True)
class Entry:
    """What waits in an outbox: under which key, from a page that showed the log up to where, and after which others."""

    number: int
    key: str
    seen: int
    after: tuple[str, ...]


@dataclass
class Phone:
    """A phone: where the log stood on the page that it shows, and its outbox."""

    seen: int
    box: list[Entry] = field(default_factory=list)
    away: bool = False  # out of the wifi: it hears nothing and sends nothing


class Promise:
    """The log as phones may expect it."""

    def __init__(self, game: InGame, begun: int) -> None:
        self.game = game
        self.start = start(REGISTRY[game.slug], game.people)
        self.lines = [f"begun-{number}" for number in range(begun)]
        self.stored: dict[str, tuple[int, Entry]] = {}

    def answer(self, entry: Entry) -> str:
        """Return what should become of an entry that arrives; it is written down if it is taken."""
        if entry.key in self.stored:
            return "taken"
        if entry.after and entry.after[-1] not in self.stored:
            return "out of order"
        strange = set(self.lines[entry.seen :]) - set(entry.after)
        if strange and self.game.turns:
            return "conflict"
        if not self.allows(entry):
            return "refused"
        self.lines.append(entry.key)
        self.stored[entry.key] = len(self.stored) + 1, entry
        return "taken"

    def allows(self, entry: Entry) -> bool:
        """Return whether the rules allow it now. Only a round of Rivals can be impossible after another."""
        if self.game.slug != "rivals":
            return True
        events = [self.game.entries[earlier.number][1] for _, earlier in self.stored.values()]
        try:
            replay(self.start, [*events, self.game.entries[entry.number][1]])
        except RuleError:
            return False
        return True


def machine(app, game, answers):
    """Return phones at a table of their own in each example; ``answers`` counts what they were told."""

    class Outboxes(RuleBasedStateMachine):
        @initialize()
        def open(self):
            number = next(_numbers)
            with app.app_context():
                table = seat(game.people, number)
                entries.open_match(table.id, game.slug, game.people)
                self.match = db.session.query(Match.id).filter_by(table_id=table.id).scalar()
            self.link = table.play
            self.made = 0
            self.sent: list[Entry] = []
            self.told: dict[str, str] = {}
            self.became: dict[str, str] = {}  # what each entry was answered last
            helper = PhoneAtMatch(app, self.link)
            for path, fields in game.begin:
                assert helper.send(path, **fields).status_code == 303
            self.promise = Promise(game, len(game.begin))
            self.phones = [Phone(len(self.promise.lines)) for _ in range(PHONES)]

        def deliver(self, entry):
            """Let a request arrive; returns whether it was taken. What is answered is compared with the promise."""
            expected = self.promise.answer(entry)
            phone = PhoneAtMatch(app, self.link)  # what the answer leaves in cookies is looked at below
            fields = {
                **game.entries[entry.number][0],
                "idempotency_key": entry.key,
                "expected_seq": entry.seen,
                "after": " ".join(entry.after),
            }
            answer = phone.send(game.path, **fields)
            answers[expected, len(entry.after) > 0, entry in self.sent] += 1
            self.sent.append(entry)
            self.became[entry.key] = expected
            if expected == "taken":
                assert answer.status_code == 303, words(answer)
                said = " ".join(unescape(SAID.search(phone.open().text)[1]).split())
                place, _ = self.promise.stored[entry.key]
                assert said.startswith(game.said.format(place=place))
                first = re.split("[.:]", said)[0]  # then come the totals, as they stand by now
                assert first == self.told.setdefault(entry.key, first)
            else:
                assert answer.status_code == (409 if expected == "conflict" else 422)
                assert 'role="alert"' in answer.text or "data-error" in answer.text
                assert says(answer, "The entry before this one was not saved") == (expected == "out of order")
            return expected == "taken"

        @rule(phone=st.integers(0, PHONES - 1))
        def look(self, phone):
            if not self.phones[phone].away:
                self.phones[phone].seen = len(self.promise.lines)

        @rule(away=st.sampled_from([set(), set(), {0}, {1}, {2}, {0, 1}]))
        def part(self, away):
            """Let some phones walk out of the wifi, and others come back."""
            for number, phone in enumerate(self.phones):
                phone.away = number in away

        @precondition(lambda self: self.made < min(ENTRIES, len(game.entries)))
        @rule(phone=st.integers(0, PHONES - 1))
        def enter(self, phone):
            """Tap Save on somebody's phone; the form goes on at once, or waits for the server where it can't."""
            here = self.phones[phone]
            if here.box and not game.goes_on:
                return
            if here.seen == len(self.promise.lines):  # a phone that is away had tapped this before
                helper = PhoneAtMatch(app, self.link)
                helper.seen = here.seen
                for path, fields in game.before:
                    assert helper.send(path, **fields).status_code == 303
            waiting = tuple(entry.key for entry in here.box)
            here.box.append(Entry(self.made, f"entry-{self.made}", here.seen, waiting))
            self.made += 1

        @precondition(lambda self: any(phone.box for phone in self.phones))
        @rule(phone=st.integers(0, PHONES - 1), lost=st.sampled_from(["nothing", "nothing", "request", "reply", "leaves"]))
        def send(self, phone, lost):
            """Send an outbox's first entry, which stays there until its phone hears of it."""
            here = self.phones[phone]
            if not here.box or here.away or lost == "request":
                return
            self.deliver(here.box[0])
            if lost == "leaves":  # before it hears the answer
                here.away = True
            elif lost == "nothing":
                del here.box[0]
                if not here.box:
                    self.look(phone)

        @precondition(lambda self: self.sent)
        @rule(which=st.integers(0, 30))
        def arrive_again(self, which):
            """Let a request that was sent long ago arrive once more."""
            self.deliver(self.sent[which % len(self.sent)])

        @invariant()
        def what_is_stored_is_what_was_promised(self):
            with app.app_context():
                log = entries.read(self.match)
            assert [line.key for line in log.written[len(game.begin) :]] == list(self.promise.stored)
            for line, (_, entry) in zip(log.written[len(game.begin) :], self.promise.stored.values(), strict=True):
                assert [content(event) for event in line.events] == [content(game.entries[entry.number][1])]

        def teardown(self):
            """Bring everybody back: each entry is in the one log once, or was a question to somebody."""
            for here in getattr(self, "phones", []):
                for entry in here.box:
                    self.deliver(entry)
            with app.app_context():
                stored = Counter(line.key for line in entries.read(self.match).written) if hasattr(self, "match") else Counter()
            for number in range(getattr(self, "made", 0)):
                key = f"entry-{number}"
                assert stored[key] == (self.became[key] == "taken"), key

    return Outboxes


@pytest.fixture(params=GAMES, ids=lambda game: f"{game.slug}{game.path}{'-on' * game.goes_on}")
def game(request):
    """Return how entries are made."""
    return request.param


@pytest.mark.parametrize("examples", [16, pytest.param(400, marks=pytest.mark.soak)])
def test_nothing_is_lost_or_counts_twice_or_is_misnamed(app, game, examples):
    run_state_machine_as_test(
        machine(app, game, Counter()),
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            database=None,
            phases=(Phase.generate,),  # an example is short, and to shorten it takes minutes
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )


# What random examples come to is luck. So what can become of an entry, whether others waited before it and whether it had been
# sent before is played here once.


@pytest.fixture
def answers():
    """Return how often each answer came: ("taken", whether others waited before it, whether it had been sent before)."""
    return Counter()


@pytest.fixture
def outboxes(app, game, answers):
    """Yield three phones at a match, whose rules are called one by one."""
    played = machine(app, game, answers)()
    played.open()
    yield played
    played.what_is_stored_is_what_was_promised()
    played.teardown()


def test_an_entry_whose_reply_is_lost_and_one_from_an_old_page(game, outboxes, answers):
    outboxes.enter(phone=0)
    outboxes.send(phone=0, lost="request")
    assert not answers
    outboxes.send(phone=0, lost="reply")
    outboxes.send(phone=0, lost="nothing")
    outboxes.enter(phone=1)  # which has not looked since
    outboxes.send(phone=1, lost="nothing")
    outboxes.arrive_again(which=2)
    became = "conflict" if game.turns else "taken"
    assert answers == Counter([("taken", False, False), ("taken", False, True), (became, False, False), (became, False, True)])


def test_a_phone_that_leaves_before_the_reply_sends_again_when_it_is_back(outboxes, answers):
    outboxes.enter(phone=0)
    outboxes.send(phone=0, lost="leaves")
    outboxes.send(phone=0, lost="nothing")  # it is away
    assert answers == Counter([("taken", False, False)])
    outboxes.part(away=set())
    outboxes.send(phone=0, lost="nothing")
    assert answers == Counter([("taken", False, False), ("taken", False, True)])
    assert not outboxes.phones[0].box


def test_entries_made_one_after_the_other_arrive_in_order_and_otherwise(game, outboxes, answers):
    for _ in range(3):
        outboxes.enter(phone=0)
    if not game.goes_on:
        assert len(outboxes.phones[0].box) == 1
        return
    first, second, third = outboxes.phones[0].box
    assert third.after == (first.key, second.key)
    assert not outboxes.deliver(second)
    assert all(map(outboxes.deliver, (first, second, third, third, first)))
    assert answers == Counter(
        {
            ("out of order", True, False): 1,
            ("taken", False, False): 1,
            ("taken", True, False): 1,
            ("taken", True, True): 2,
            ("taken", False, True): 1,
        }
    )
