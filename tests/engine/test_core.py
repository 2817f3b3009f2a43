"""What do all games share? Who may sit down, how a match goes on and ends, and the list of what has happened.

The game of these tests is a race: each step goes one further, and whoever makes the step agreed on has won.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.core import (
    Event,
    Game,
    Line,
    Options,
    PersistentList,
    Position,
    ReplayError,
    RuleError,
    Standing,
    Stop,
    check_players,
    replay,
    start,
)
from companion.engine.text import say


class Step(Event, frozen=True, tag="step"):
    player: int


class RaceOptions(Options, frozen=True):
    length: int = 3


class Race(Options, frozen=True):
    players: tuple[str, ...]
    length: int
    steps: tuple[int, ...] = ()


def step(state: Race, event: Step) -> Race:
    if event.player >= len(state.players):
        raise RuleError(say("Nobody sits there."), rule="Seats", field="player")
    return Race(state.players, state.length, (*state.steps, event.player))


def finished(state: Race) -> bool:
    return len(state.steps) == state.length


def standing(state: Race) -> Standing:
    scores = tuple(state.steps.count(player) for player in range(len(state.players)))
    return Standing(scores, state.players, finished(state), (state.steps[-1],) if finished(state) else ())


RACE: Game[Race] = Game(
    slug="race",
    title="Race",
    seats=(2, 3),
    options=RaceOptions,
    events=(Step,),
    start=lambda players, options: Race(players, options.length),
    apply=step,
    finished=finished,
    standing=standing,
)
PAIR: Game[Any] = Game("pair", "Pair", (2, 2), Options, (), lambda *_: None, step, finished, standing)


def test_a_match_begins_with_players_and_options() -> None:
    assert start(RACE, ["Ana", "Bo"]) == Position(RACE, ("Ana", "Bo"), RaceOptions(3), Race(("Ana", "Bo"), 3))
    longer = start(RACE, ["Ana", "Bo"], RaceOptions(5))
    assert (longer.options, longer.state.length, longer.stopped) == (RaceOptions(5), 5, False)


@pytest.mark.parametrize(
    ("game", "players", "message", "field"),
    [
        (RACE, ["Ana"], "Race needs 2 to 3 players. 1 more to go.", "players"),
        (RACE, ["Ana", "Bo", "Cy", "Di"], "Race needs 2 to 3 players. You are 4.", "players"),
        (PAIR, ["Ana", "Bo", "Cy"], "Pair needs 2 players. You are 3.", "players"),
        (RACE, ["Ana", " \t"], "Every player needs a name.", "players.1"),
        (RACE, ["", "Bo"], "Every player needs a name.", "players.0"),
        (RACE, ["Ana", "x" * 41], "A name has at most 40 characters. This one has 41.", "players.1"),
        (RACE, ["Ana", "Bo", "Ana"], "Two players are called Ana. Give them different names.", "players.2"),
    ],
)
def test_who_may_not_sit_down(game: Game[Any], players: list[str], message: str, field: str) -> None:
    with pytest.raises(RuleError) as refused:
        start(game, players)
    assert (refused.value.message, refused.value.field, refused.value.rule) == (message, field, "")
    assert str(refused.value) == message


@pytest.mark.parametrize("players", [["Ana", "Bo"], ["Ana", "Bo", "Cy"], ["A", "x" * 40], [" Ana", "Ana"]])
def test_who_may(players: list[str]) -> None:
    assert check_players(RACE, players) == tuple(players)


def test_a_match_goes_on_until_the_game_is_finished() -> None:
    position = replay(start(RACE, ["Ana", "Bo"]), [Step(0), Step(1)])
    assert not position.finished
    assert (position.standing().scores, position.standing().winners) == ((1, 1), ())
    over = position.apply(Step(1))
    assert over.finished
    assert over.standing() == Standing((1, 2), ("Ana", "Bo"), True, (1,), (), None, {}, False)
    assert not position.finished  # the earlier position is as it was
    for event in (Step(0), Stop()):
        with pytest.raises(RuleError) as refused:
            over.apply(event)
        assert refused.value.message == "The match is over. Undo its last entry or start a rematch to go on."


def test_a_stopped_match_is_finished_and_nobody_wins() -> None:
    stopped = replay(start(RACE, ["Ana", "Bo"]), [Step(0), Stop()])
    assert (stopped.finished, stopped.stopped, stopped.state.steps) == (True, True, (0,))
    assert stopped.standing() == Standing((1, 0), ("Ana", "Bo"), True, (), (), None, {}, True)
    with pytest.raises(RuleError, match="The match is over"):
        stopped.apply(Step(1))


def test_winners_are_taken_from_a_match_that_is_stopped_with_some() -> None:
    won = Position(RACE, ("Ana", "Bo"), RaceOptions(1), Race(("Ana", "Bo"), 1, (1,)), stopped=True)
    assert (won.standing().winners, won.standing().scores) == ((), (0, 1))


def test_a_replay_tells_the_first_event_that_is_refused() -> None:
    with pytest.raises(ReplayError) as refused:
        replay(start(RACE, ["Ana", "Bo"]), [Step(0), Step(2), Step(3)])
    assert refused.value.event == 1
    assert str(refused.value) == "event 1: Nobody sits there."
    cause = refused.value.cause
    assert (cause.message, cause.rule, cause.field) == ("Nobody sits there.", "Seats", "player")
    assert refused.value.__cause__ is cause


def test_every_match_may_hold_a_stop() -> None:
    assert RACE.event_types() == (Step, Stop)
    assert Stop.__struct_config__.tag == "stop"
    assert Step.__struct_config__.tag_field == "type"


def test_what_a_game_need_not_say() -> None:
    assert (RACE.questions, RACE.answer, RACE.verify, RACE.draws, RACE.turns, RACE.rules_version) == (
        (),
        None,
        None,
        None,
        True,
        1,
    )
    assert Line("Cards", (1, None)).rule == ""
    error = RuleError(say("No."))
    assert (error.rule, error.field) == ("", "")


def test_a_persistent_list_grows_at_its_end() -> None:
    none: PersistentList[str] = PersistentList.EMPTY
    one = none.add("a")
    two = one.add("b")
    assert (list(none), list(one), list(two), list(two.add("c"))) == ([], ["a"], ["a", "b"], ["a", "b", "c"])
    assert [len(each) for each in (none, one, two)] == [0, 1, 2]
    assert (none.newest, one.newest, two.newest, two.before) == (None, "a", "b", one)
    assert not none
    assert one


def test_persistent_lists_are_equal_that_hold_the_same() -> None:
    def made_of(*items: Any) -> PersistentList[Any]:
        made: PersistentList[Any] = PersistentList.EMPTY
        for item in items:
            made = made.add(item)
        return made

    assert made_of("a", "b") == made_of("a", "b")
    assert hash(made_of("a", "b")) == hash(made_of("a", "b"))
    assert len({made_of("a", "b"), made_of("a", "b"), made_of("a")}) == 2
    for other in (made_of("a"), made_of("a", "c"), made_of("c", "b"), made_of("a", "b", "c"), ("a", "b"), None):
        assert made_of("a", "b") != other


@pytest.mark.parametrize(
    ("value", "part"), [(RACE, "title"), (start(RACE, ["Ana", "Bo"]), "players"), (PersistentList.EMPTY, "newest")]
)
def test_nothing_of_it_changes(value: Any, part: str) -> None:
    with pytest.raises(AttributeError):
        setattr(value, part, "other")
