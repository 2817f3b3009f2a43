"""Is nothing lost, counted twice or misnamed when phones without a connection send what they entered later?

For each game several phones enter through its real forms, often the same things as another. Requests and replies get lost, are
repeated, and arrive out of order. The model is the promise of the outbox, in forty lines: it knows nothing of the log, and the
server is held to it.
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
from companion.engine.core import Event, ReplayError, replay, start
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
KEEPS = re.compile(r'action="[^"]*/entries/(\d+)/kept"')
SAID = re.compile(r'id="toasts".*?<p>(.*?)</p>', re.DOTALL)

_numbers = itertools.count(1)


@dataclass(frozen=True)
class InGame:
    """A game as it is entered here: where, and what is entered in each place, with the event that this means.

    ``others`` are what somebody else may enter there, who saw something else; none where the rules allow little.
    """

    slug: str
    people: tuple[str, ...]
    path: str
    entries: tuple[tuple[Mapping[str, str | list[str]], Event], ...]
    others: tuple[tuple[Mapping[str, str | list[str]], Event], ...]
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


WHOLE_ROUNDS = tuple(
    ({"bidder": "0", "flooded": "south", **{name: typed[name] for name in ("team", "last", "points")}}, event)
    for typed, event in rounds_of_beloz()
)
POT = ("crown-waves", "8-waves-leaves", "9-moons-suns", "7-suns-knots", "ace-leaves", "5-wyrms-knots")


def tricks(first: int) -> tuple[tuple[Mapping[str, str], Event], ...]:
    """Return tricks of a hand, won in turn from this player on."""
    winners = [(first + n) % 3 for n in range(len(POT))]
    return tuple(({"by": str(by), "card": card}, Pot(card, by)) for by, card in zip(winners, POT, strict=True))


FISH = {"fish": "suns,leaves,waves,wyrms,wyrms,knots,moons,knots,knots", "add": "wyrms"}
DISCARDS = tuple(({"kind": "discard", "cards": str(n)}, Discard(0, n)) for n in range(4))
FLUSHES = tuple(({"tap": f"who:{player}"}, FlintFlush(player)) for player in range(6))
GAMES = [
    InGame(
        "beloz",
        ("Ana", "Bo", "Cy", "Di"),
        "/count",
        rounds_of_beloz(),
        rounds_of_beloz()[::-1],
        "Round {place} saved. ",
        goes_on=False,
        before=(("/who", {"tap": "bidder:0"}), ("/who", {"flooded": "south"})),
    ),
    InGame(
        "beloz",
        ("Ana", "Bo", "Cy", "Di"),
        "/round",
        WHOLE_ROUNDS,
        WHOLE_ROUNDS[::-1],
        "Round {place} saved. ",
    ),
    InGame(
        "bisque",
        ("Ana", "Bo", "Cy"),
        "/hand",
        tricks(0),
        tricks(1),
        "Trick {place}: ",
    ),
    InGame(
        "beluga-cup",
        ("Ana", "Bo"),
        "/discard",
        DISCARDS,
        DISCARDS[::-1],
        "No card fitted",
        begin=(("/fish", FISH),),
    ),
    InGame(
        "rivals",
        ("Ana", "Bo"),
        "/round",
        tuple(({"what": "round", **typed_round(each)}, each) for each in ROUNDS),
        (),
        "",
        goes_on=False,
    ),
    InGame("rivals", ("Ana", "Bo"), "/round", tuple((whole_round(each), each) for each in ROUNDS), (), ""),
    InGame(
        "what-the-fish",
        ("Ana", "Bo", "Cy", "Di", "Eva", "Flo"),
        "/flush",
        FLUSHES,
        FLUSHES[3:] + FLUSHES[:3],
        "",
        turns=False,
    ),
]


def content(event: Event) -> object:
    """Return what somebody typed of it: whose turn it is, the server adds."""
    return event.cards if isinstance(event, Discard) else event


@dataclass(frozen=True)
class Entry:
    """What waits in an outbox: what was entered in which place, under which key, from a page that showed the log up to where.

    ``after`` are the others on the phone before it.
    """

    place: int
    typed: Mapping[str, str | list[str]]
    event: Event
    key: str
    seen: int
    after: tuple[str, ...]


@dataclass
class Phone:
    """A phone: where the log stood on the page that it shows, and its outbox."""

    seen: int
    box: list[Entry] = field(default_factory=list)
    away: bool = False  # out of the wifi: it hears nothing and sends nothing


@dataclass
class Line:
    """What is stored once, and under which keys: the first is that of the phone that was faster."""

    keys: list[str]
    event: Event | None = None


class Promise:
    """The log as phones may expect it."""

    def __init__(self, game: InGame, begun: int) -> None:
        self.game = game
        self.start = start(REGISTRY[game.slug], game.people)
        self.begun = begun
        self.lines = [Line([f"begun-{number}"]) for number in range(begun)]

    def find(self, key: str) -> int | None:
        """Return the line with this key."""
        return next((at for at, line in enumerate(self.lines) if key in line.keys), None)

    def answer(self, entry: Entry) -> str:
        """Return what should become of an entry that arrives; it is written down if it is taken."""
        at = self.find(entry.key)
        if at is not None:
            line = self.lines[at]
            return "conflict" if line.event != entry.event else "taken" if line.keys[0] == entry.key else "had already"
        own = [self.find(key) for key in entry.after]
        known = [at for at in own if at is not None]
        lost = own[::-1].index(known[-1]) if known else len(own)
        theirs = self.unknown(entry, known)
        if not self.game.turns and not lost:
            theirs = [at for at in theirs if self.lines[at].event == entry.event][:1]
        if (self.game.turns or not lost) and lost < len(theirs):
            line = self.lines[theirs[lost]]
            if line.event != entry.event:
                return "conflict"
            line.keys.append(entry.key)
            return "had already"
        if lost:
            return "out of order"
        if not self.allows(entry):
            return "refused"
        self.lines.append(Line([entry.key], entry.event))
        return "taken"

    def unknown(self, entry: Entry, known: list[int]) -> list[int]:
        """Return the lines of others from an entry's place on, in a game without turns all that its phone does not know."""
        seen = max(entry.seen, known[-1] + 1) if known and self.game.turns else entry.seen
        return [at for at in range(seen, len(self.lines)) if at not in known]

    def allows(self, entry: Entry) -> bool:
        """Return whether the rules allow it now. Only a round of Rivals can be impossible after another."""
        if self.game.slug != "rivals":
            return True
        events = [line.event for line in self.lines]
        try:
            replay(self.start, [*events, entry.event])
        except ReplayError:
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
            helper = PhoneAtMatch(app, self.link)
            for path, fields in game.begin:
                assert helper.send(path, **fields).status_code == 303
            self.asked: list[tuple[Entry, int]] = []  # with the line beside which it was shown
            self.promise = Promise(game, len(game.begin))
            self.phones = [Phone(len(self.promise.lines)) for _ in range(PHONES)]

        def deliver(self, entry):
            """Let a request arrive; returns whether it was taken. What is answered is compared with the promise."""
            expected = self.promise.answer(entry)
            phone = PhoneAtMatch(app, self.link)  # what the answer leaves in cookies is looked at below
            fields = {
                **entry.typed,
                "idempotency_key": entry.key,
                "expected_seq": entry.seen,
                "after": " ".join(entry.after),
            }
            answer = phone.send(game.path, **fields)
            answers[expected, len(entry.after) > 0, entry in self.sent] += 1
            self.sent.append(entry)
            if expected in {"taken", "had already"}:
                assert answer.status_code == 303, words(answer)
                said = " ".join(unescape(SAID.search(phone.open().text)[1]).split())
                if expected == "had already":
                    assert said == "Another phone had it already"
                    return True
                place = self.promise.find(entry.key) - self.promise.begun + 1
                assert said.startswith(game.said.format(place=place))
                first = re.split("[.:]", said)[0]  # then come the totals, as they stand by now
                assert first == self.told.setdefault(entry.key, first)
            elif expected == "conflict":
                assert answer.status_code == 409
                kept = KEEPS.search(answer.text)
                if kept and self.promise.find(entry.key) is None:
                    self.asked.append((entry, int(kept[1])))
            else:
                assert answer.status_code == (424 if expected == "out of order" else 422)
                assert 'role="alert"' in answer.text or "data-error" in answer.text
                assert says(answer, "The entry before this one was not saved") == (expected == "out of order")
            return expected in {"taken", "had already"}

        @precondition(lambda self: self.asked)
        @rule()
        def keep_theirs(self):
            """Answer that the stored one is right; what the phone entered after its own then follows that."""
            entry, seq = self.asked.pop()
            answer = PhoneAtMatch(app, self.link).send(
                f"/entries/{seq}/kept", idempotency_key=entry.key, expected_seq=entry.seen
            )
            assert answer.status_code == 303
            if self.promise.find(entry.key) is None:
                self.promise.lines[seq - 1].keys.append(entry.key)

        @rule(phone=st.integers(0, PHONES - 1))
        def look(self, phone):
            """Show a page anew. Where entries wait, the next one follows them: it is entered on the page that they are on."""
            here = self.phones[phone]
            if not here.away and not here.box:
                here.seen = len(self.promise.lines)

        @rule(away=st.sampled_from([set(), set(), {0}, {1}, {2}, {0, 1}]))
        def part(self, away):
            """Let some phones walk out of the wifi, and others come back."""
            for number, phone in enumerate(self.phones):
                phone.away = number in away

        @precondition(lambda self: self.made < ENTRIES)
        @rule(phone=st.integers(0, PHONES - 1), other=st.sampled_from([False, False, False, True]))
        def enter(self, phone, other=False):
            """Tap Save on somebody's phone; the form goes on at once, or waits for the server where it can't."""
            here = self.phones[phone]
            place = here.box[-1].place + 1 if here.box else here.seen - self.promise.begun
            if (here.box and not game.goes_on) or place >= len(game.entries):
                return
            if here.seen == len(self.promise.lines):  # a phone that is away had tapped this before
                helper = PhoneAtMatch(app, self.link)
                helper.seen = here.seen
                for path, fields in game.before:
                    assert helper.send(path, **fields).status_code == 303
            waiting = tuple(entry.key for entry in here.box)
            typed, event = ((other and game.others) or game.entries)[place]
            here.box.append(Entry(place, typed, event, f"entry-{self.made}", here.seen, waiting))
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
            lines = self.promise.lines[len(game.begin) :]
            assert [line.key for line in log.written[len(game.begin) :]] == [line.keys[0] for line in lines]
            for written, line in zip(log.written[len(game.begin) :], lines, strict=True):
                assert [content(event) for event in written.events] == [content(line.event)]

        def teardown(self):
            """Bring everybody back: each entry is in the one log once, or was a question to somebody."""
            for here in getattr(self, "phones", []):
                for entry in here.box:
                    self.deliver(entry)
            if not hasattr(self, "match"):
                return
            with app.app_context():
                keys = [line.key for line in entries.read(self.match).written] + list(entries.aliases(self.match))
            for number in range(self.made):
                key = f"entry-{number}"
                assert keys.count(key) == (self.promise.find(key) is not None), key

    return Outboxes


@pytest.fixture(params=GAMES, ids=lambda game: f"{game.slug}{game.path}{'-on' * game.goes_on}")
def game(request):
    """Return how entries are made."""
    return request.param


@pytest.mark.parametrize("examples", [6, pytest.param(400, marks=pytest.mark.soak)])
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
    outboxes.enter(phone=1)  # which has not looked since, and saw the same
    outboxes.send(phone=1, lost="nothing")
    outboxes.arrive_again(which=2)
    expected = [("taken", False, False), ("taken", False, True), ("had already", False, False), ("had already", False, True)]
    assert answers == Counter(expected)


def test_what_two_phones_entered_alike_while_the_server_was_away_is_stored_once(game, outboxes, answers):
    for number in (0, 1, 1, 0, 0, 1):
        outboxes.enter(phone=number)
    for number in (0, 0, 0, 1, 1, 1):
        outboxes.send(phone=number, lost="nothing")
    long = 3 if game.goes_on else 1
    assert answers["taken", False, False] == answers["had already", False, False] == 1
    assert answers["taken", True, False] == answers["had already", True, False] == long - 1


def test_what_differs_is_compared_with_its_own_counterpart_and_the_rest_goes_on(game, outboxes, answers):
    if not (game.goes_on and game.others and game.turns):
        return
    for each in ({"phone": 0}, {"phone": 0}, {"phone": 0}, {"phone": 1}, {"phone": 1, "other": True}, {"phone": 1}):
        outboxes.enter(**each)
    for number in (0, 0, 0, 1, 1, 1):
        outboxes.send(phone=number, lost="nothing")
    assert [(entry.place, seq - len(game.begin)) for entry, seq in outboxes.asked] == [(1, 2)]
    assert answers["conflict", True, False] == answers["had already", True, False] == 1


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
