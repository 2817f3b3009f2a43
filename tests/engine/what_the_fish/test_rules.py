"""What may be played on a fish and when, ruling by ruling?"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import core
from companion.engine.records import any_of
from companion.engine.what_the_fish import GAME
from companion.engine.what_the_fish.advice import next_move, preview
from companion.engine.what_the_fish.cards import WTF_CARDS

NAMES = ["Ana", "Bo", "Cy", "Di", "Eli", "Fay"]
EVENT = any_of(GAME.event_types())


def event(record: dict[str, Any]) -> core.Event:
    return msgspec.convert(record, EVENT)


def swim(player: int, rank: int) -> dict[str, Any]:
    return {"type": "swim", "player": player, "rank": rank}


def kill(player: int, value: int) -> dict[str, Any]:
    return {"type": "kill", "player": player, "value": value}


def protect(player: int, value: int) -> dict[str, Any]:
    return {"type": "protect", "player": player, "value": value}


def wtf(player: int, card: str, **named: int) -> dict[str, Any]:
    return {"type": "wtf", "player": player, "card": card, **named}


def buddha(player: int) -> dict[str, Any]:
    return {"type": "buddha", "player": player}


def flush(player: int) -> dict[str, Any]:
    return {"type": "flint-flush", "player": player}


DEAD, FREE = {"type": "dead"}, {"type": "free"}


def match(*records: dict[str, Any], players: int = 3) -> core.Position[Any]:
    return core.replay(core.start(GAME, NAMES[:players]), map(event, records))


def details(*records: dict[str, Any], players: int = 3) -> dict[str, Any]:
    return dict(match(*records, players=players).standing().details)


def refused(record: dict[str, Any], *before: dict[str, Any], players: int = 3) -> core.RuleError:
    """Return the refusal of an event after others that are all allowed."""
    position = match(*before, players=players)
    with pytest.raises(core.RuleError) as refusal:
        position.apply(event(record))
    return refusal.value


# --- Seats and the start ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_to_six_play(players: int) -> None:
    assert core.start(GAME, NAMES[:players]).standing().scores == (0,) * players


@pytest.mark.parametrize("players", [1, 7])
def test_others_do_not(players: int) -> None:
    with pytest.raises(core.RuleError) as refusal:
        core.start(GAME, [f"Player {number}" for number in range(players)])
    assert refusal.value.field == "players"


def test_before_the_first_fish() -> None:
    assert details() == {
        "fish": None,
        "layers": [],
        "to_beat": None,
        "dies": False,
        "free_fish": [0, 0, 0],
        "dead_fish": 0,
    }
    assert next_move(match().state).sentence == "No fish is swimming. Anybody may play a FISH."


def test_the_first_fish() -> None:
    assert details(swim(1, 8)) == {
        "fish": {"player": 1, "rank": 8},
        "layers": [8],
        "to_beat": 8,
        "dies": False,
        "free_fish": [0, 0, 0],
        "dead_fish": 0,
    }


def test_nobody_takes_turns() -> None:
    assert GAME.turns is False


# --- Layers: strictly greater, each counts alone (W1) -------------------------------------------------------------------------

A8 = swim(0, 8)


@pytest.mark.parametrize(
    ("cards", "layers", "to_beat", "dies"),
    [
        # the attack kills only above the rank
        ([kill(1, 7)], [8, 7], 8, False),
        ([kill(1, 8)], [8, 8], 8, False),
        ([kill(1, 9)], [8, 9], 9, True),
        # several players' KILL cards add up in one attack, also past what kills
        ([kill(1, 4), kill(2, 4)], [8, 8], 8, False),
        ([kill(1, 4), kill(2, 5)], [8, 9], 9, True),
        ([kill(1, 9), kill(2, 5)], [8, 14], 14, True),
        # a protection saves only above the attack, and its cards add up, also past what saves
        ([kill(1, 9), protect(0, 8)], [8, 9, 8], 9, True),
        ([kill(1, 9), protect(0, 9)], [8, 9, 9], 9, True),
        ([kill(1, 9), protect(0, 10)], [8, 9, 10], 10, False),
        ([kill(1, 9), protect(0, 5), protect(0, 5)], [8, 9, 10], 10, False),
        ([kill(1, 9), protect(0, 10), protect(0, 3)], [8, 9, 13], 13, False),
        # a second attack must exceed the protection alone: neither the fish nor the first attack adds to it or against it
        ([kill(1, 9), protect(0, 10), kill(1, 10)], [8, 9, 10, 10], 10, False),
        ([kill(1, 9), protect(0, 10), kill(1, 11)], [8, 9, 10, 11], 11, True),
        ([kill(1, 9), protect(0, 10), kill(1, 2), kill(2, 9)], [8, 9, 10, 11], 11, True),
        # a second protection must exceed the second attack alone
        ([kill(1, 9), protect(0, 10), kill(1, 11), protect(0, 11)], [8, 9, 10, 11, 11], 11, True),
        ([kill(1, 9), protect(0, 10), kill(1, 11), protect(0, 12)], [8, 9, 10, 11, 12], 12, False),
    ],
)
def test_layers(cards: list[dict[str, Any]], layers: list[int], to_beat: int, dies: bool) -> None:
    found = details(A8, *cards)
    assert (found["layers"], found["to_beat"], found["dies"]) == (layers, to_beat, dies)


def test_a_protection_before_an_attack_is_refused() -> None:
    assert refused(protect(0, 3), A8).rule == "Protection"


@pytest.mark.parametrize("value", [1, 7, 8])
def test_a_protection_against_an_attack_that_does_not_kill_is_refused(value: int) -> None:
    assert refused(protect(0, 20), A8, kill(1, value)).rule == "W1"


@pytest.mark.parametrize("value", [1, 8, 9])
def test_a_kill_on_a_protection_that_is_still_short_is_refused(value: int) -> None:
    refusal = refused(kill(1, 1), A8, kill(1, 9), protect(0, value))
    assert refusal.rule == "W1"
    assert f"protection of {value} is still short of the attack of 9" in refusal.message


# --- Who may add what (W2) ----------------------------------------------------------------------------------------------------


def test_only_the_owner_protects() -> None:
    for player in (1, 2):
        refusal = refused(protect(player, 20), A8, kill(1, 9))
        assert (refusal.rule, refusal.field) == ("W2", "player")


def test_the_owner_does_not_attack() -> None:
    refusal = refused(kill(0, 9), A8)
    assert (refusal.rule, refusal.field) == ("W2", "player")
    assert "Ana" in refusal.message


def test_anybody_else_attacks_and_the_owner_is_whoever_played_the_fish() -> None:
    assert details(swim(2, 5), kill(0, 3), kill(1, 3))["layers"] == [5, 6]


# --- The end of a swim (W3) ---------------------------------------------------------------------------------------------------

SHORT_ATTACK = (A8, kill(1, 8))
DYING = (A8, kill(1, 9))
SHORT_PROTECTION = (A8, kill(1, 9), protect(0, 9))
SAVED = (A8, kill(1, 9), protect(0, 10))


@pytest.mark.parametrize("before", [DYING, SHORT_PROTECTION])
def test_belly_up_while_it_dies(before: tuple[dict[str, Any], ...]) -> None:
    found = details(*before, DEAD)
    assert found["fish"] is None
    assert found["layers"] == []
    assert (found["to_beat"], found["dies"], found["dead_fish"], found["free_fish"]) == (None, False, 1, [0, 0, 0])
    assert refused(FREE, *before).rule == "W3"


@pytest.mark.parametrize("before", [(A8,), SHORT_ATTACK, SAVED, (*SAVED, kill(2, 10))])
def test_free_while_it_does_not(before: tuple[dict[str, Any], ...]) -> None:
    standing = match(*before, FREE).standing()
    assert standing.finished
    assert standing.winners == (0,)
    assert standing.scores == (1, 0, 0)
    assert refused(DEAD, *before).rule == "Dead Fish"


def test_after_a_dead_fish_anybody_plays_the_next() -> None:
    found = details(*DYING, DEAD, swim(0, 3), kill(2, 4), DEAD, swim(2, 6))
    assert (found["fish"], found["dead_fish"]) == ({"player": 2, "rank": 6}, 2)


@pytest.mark.parametrize("player", [0, 1, 2])
@pytest.mark.parametrize("before", [(A8,), SHORT_ATTACK, DYING, SHORT_PROTECTION, SAVED])
def test_beaver_buddha_ends_a_swim_without_a_result(player: int, before: tuple[dict[str, Any], ...]) -> None:
    found = details(*before, buddha(player))
    assert (found["fish"], found["layers"], found["dies"], found["dead_fish"]) == (None, [], False, 0)
    assert details(*before, buddha(player), swim(1, 2))["fish"] == {"player": 1, "rank": 2}


def test_one_fish_at_a_time() -> None:
    for player in (0, 1):
        assert refused(swim(player, 9), A8).rule == "Fish"


@pytest.mark.parametrize("record", [kill(1, 9), protect(0, 9), DEAD, FREE, buddha(0)])
@pytest.mark.parametrize("before", [(), (*DYING, DEAD), (A8, buddha(1)), (A8, wtf(1, "time-traveler"))])
def test_without_a_fish_there_is_nothing_to_act_on(record: dict[str, Any], before: tuple[dict[str, Any], ...]) -> None:
    assert "No fish is swimming" in refused(record, *before).message


def test_stopped_in_the_middle_of_a_swim() -> None:
    position = match(*SAVED, {"type": "stop"})
    standing = position.standing()
    assert standing.finished
    assert standing.stopped
    assert standing.winners == ()
    assert standing.details["layers"] == [8, 9, 10]
    with pytest.raises(core.RuleError):
        position.apply(event(FREE))


# --- WTF cards (W6) and Flint Flush (W4) --------------------------------------------------------------------------------------

TARGETED = ["mugger-croc", "snapper-snatch", "mrs-crobits", "wtf-tax"]
ALL = [*TARGETED, "time-traveler", "communist-manifesto", "elvis-effect"]


def test_the_seven_cards_have_a_label_and_an_effect() -> None:
    assert list(WTF_CARDS) == ALL
    assert all(card.label and card.effect for card in WTF_CARDS.values())


@pytest.mark.parametrize("card", TARGETED)
@pytest.mark.parametrize("before", [(), DYING])
def test_a_card_for_somebody_elses_hand_changes_nothing_on_the_table(card: str, before: tuple[dict[str, Any], ...]) -> None:
    assert details(*before, wtf(1, card, target=0)) == details(*before)


@pytest.mark.parametrize("card", TARGETED)
@pytest.mark.parametrize(
    ("named", "field"),
    [
        ({}, "target"),
        ({"target": 1}, "target"),
        ({"target": 3}, "target"),
        ({"target": 0, "to": 2}, "to"),
        ({"to": 2}, "target"),
    ],
)
def test_a_card_for_somebody_elses_hand_names_another_player(card: str, named: dict[str, int], field: str) -> None:
    assert refused(wtf(1, card, **named)).field == field


@pytest.mark.parametrize(("target", "to"), [(0, 2), (2, 0)])
def test_the_manifesto_is_for_two_others(target: int, to: int) -> None:
    assert details(A8, wtf(1, "communist-manifesto", target=target, to=to)) == details(A8)


@pytest.mark.parametrize(
    ("named", "field"),
    [
        ({}, "target"),
        ({"target": 0}, "to"),
        ({"to": 0}, "target"),
        ({"target": 0, "to": 0}, "to"),
        ({"target": 1, "to": 0}, "target"),
        ({"target": 0, "to": 1}, "to"),
        ({"target": 1, "to": 1}, "to"),
        ({"target": 0, "to": 3}, "to"),
    ],
)
def test_the_manifesto_refuses_the_rest(named: dict[str, int], field: str) -> None:
    assert refused(wtf(1, "communist-manifesto", **named)).field == field


@pytest.mark.parametrize(("target", "to"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("player", [0, 1])
def test_with_two_players_the_manifesto_includes_the_one_who_plays_it(player: int, target: int, to: int) -> None:
    card = wtf(player, "communist-manifesto", target=target, to=to)
    assert details(A8, card, players=2)["layers"] == [8]


@pytest.mark.parametrize("both", [0, 1])
def test_with_two_players_giver_and_receiver_still_differ(both: int) -> None:
    assert refused(wtf(0, "communist-manifesto", target=both, to=both), players=2).field == "to"


@pytest.mark.parametrize("card", ["time-traveler", "elvis-effect"])
@pytest.mark.parametrize(("named", "field"), [({"target": 0}, "target"), ({"to": 0}, "to"), ({"target": 0, "to": 2}, "target")])
def test_the_others_take_no_target(card: str, named: dict[str, int], field: str) -> None:
    assert refused(wtf(1, card, **named), *DYING, DEAD, A8).field == field


def test_null_targets_may_be_written_out() -> None:
    record = {"type": "wtf", "player": 1, "card": "time-traveler", "target": None, "to": None}
    assert details(A8, record)["fish"] is None


def test_the_time_traveler_undoes_the_newest_card_that_still_stands() -> None:
    undo = wtf(2, "time-traveler")
    cards = (A8, kill(1, 4), kill(2, 6), protect(0, 7), protect(0, 4), kill(1, 12))
    assert details(*cards)["layers"] == [8, 10, 11, 12]
    assert details(*cards, undo)["layers"] == [8, 10, 11]
    assert details(*cards, undo, undo)["layers"] == [8, 10, 7]
    assert details(*cards, undo, undo)["dies"] is True
    assert details(*cards, undo, undo, undo)["layers"] == [8, 10]
    assert details(*cards, undo, undo, undo, undo)["layers"] == [8, 4]
    assert details(*cards, undo, undo, undo, undo)["to_beat"] == 8
    assert details(*cards, *[undo] * 5)["layers"] == [8]
    ended = details(*cards, *[undo] * 6)
    assert (ended["fish"], ended["layers"], ended["dead_fish"]) == (None, [], 0)
    assert refused(undo, *cards, *[undo] * 6).rule == "W6"


def test_other_cards_are_not_undone() -> None:
    cards = (A8, kill(1, 9), wtf(1, "mugger-croc", target=0), flush(2), wtf(0, "time-traveler"))
    assert details(*cards)["layers"] == [8]


def test_play_goes_on_from_where_the_time_traveler_left_it() -> None:
    undo = wtf(0, "time-traveler")
    assert details(*DYING, undo, kill(1, 3), kill(2, 6))["layers"] == [8, 9]
    assert details(*SAVED, undo, protect(0, 4), protect(0, 7))["layers"] == [8, 9, 11]
    assert details(*DYING, kill(2, 5), undo, protect(0, 10))["layers"] == [8, 9, 10]


def test_an_undone_fish_is_no_result_and_anybody_plays_the_next() -> None:
    found = details(A8, wtf(1, "time-traveler"), swim(0, 6))
    assert (found["fish"], found["dead_fish"], found["free_fish"]) == ({"player": 0, "rank": 6}, 0, [0, 0, 0])


def test_a_time_traveler_reaches_no_further_than_its_swim() -> None:
    assert refused(wtf(1, "time-traveler")).field == "card"
    assert refused(wtf(1, "time-traveler"), *DYING, DEAD).rule == "W6"
    assert details(*DYING, DEAD, A8, wtf(1, "time-traveler"))["dead_fish"] == 1


@pytest.mark.parametrize("before", [(), (A8,), (A8, buddha(1)), (A8, wtf(1, "time-traveler")), DYING])
def test_elvis_needs_a_dead_fish(before: tuple[dict[str, Any], ...]) -> None:
    assert refused(wtf(1, "elvis-effect"), *before).rule == "W6"


def test_elvis_takes_a_dead_fish_back_once_and_it_has_died_all_the_same() -> None:
    elvis = wtf(2, "elvis-effect")
    assert details(*DYING, DEAD, elvis)["dead_fish"] == 1
    assert details(*DYING, DEAD, A8, elvis)["dead_fish"] == 1
    assert "taken back" in refused(elvis, *DYING, DEAD, elvis).message
    assert details(*DYING, DEAD, elvis, *DYING, DEAD, elvis)["dead_fish"] == 2
    assert details(*DYING, DEAD, *DYING, DEAD, elvis, elvis)["dead_fish"] == 2


@pytest.mark.parametrize("before", [(), (A8,), DYING, (*DYING, DEAD)])
@pytest.mark.parametrize("player", [0, 1, 2])
def test_flint_flush_at_any_time_by_anybody(before: tuple[dict[str, Any], ...], player: int) -> None:
    assert details(*before, flush(player)) == details(*before)


# --- What is written wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record",
    [
        swim(3, 8),
        kill(3, 8),
        protect(3, 8),
        buddha(3),
        flush(3),
        wtf(3, "mugger-croc", target=0),
    ],
)
def test_a_player_who_does_not_play(record: dict[str, Any]) -> None:
    assert refused(record, *(() if record["type"] == "swim" else DYING)).field == "player"


@pytest.mark.parametrize(
    "record",
    [
        swim(0, 0),
        swim(0, -1),
        swim(-1, 8),
        swim(6, 8),
        kill(1, 0),
        protect(0, 0),
        kill(1, 10**30),
        {"type": "swim", "player": 0, "rank": "8"},
        {"type": "swim", "player": True, "rank": 8},
        {"type": "swim", "player": 0, "rank": 8.5},
        {"type": "swim", "player": 0, "rank": None},
        {"type": "swim", "player": 0},
        {"type": "dead", "player": 0},
        {"type": "free", "player": 0},
        {"type": "buddha"},
        {"type": "flint-flush"},
        {"type": "wtf", "player": 0},
        {"type": "wtf", "player": 0, "card": "beaver-buddha"},
        {"type": "wtf", "player": 0, "card": "wtf-tax", "target": 1, "value": 3},
        {"type": "flush", "player": 0},
    ],
)
def test_what_is_no_event(record: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        event(record)


def test_ranks_may_be_any_whole_number_from_1() -> None:
    assert details(swim(0, 1), kill(1, 2))["dies"] is True
    assert details(swim(0, 1000), kill(1, 1000), kill(2, 1))["layers"] == [1000, 1001]


# --- What a page says before a card is played ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "side", "least", "missing", "sentence"),
    [
        ((A8,), "others", 9, 9, "Ana’s fish: 9 or more kills it."),
        ((A8, kill(1, 6)), "others", 9, 3, "Ana’s fish: the attack of 6 needs 3 more to kill it."),
        (DYING, "owner", 10, 10, "Ana’s fish: 10 or more saves it."),
        (SHORT_PROTECTION, "owner", 10, 1, "Ana’s fish: the protection of 9 needs 1 more to save it."),
        (SAVED, "others", 11, 11, "Ana’s fish: 11 or more kills it."),
        ((*DYING, DEAD), "anybody", None, None, "No fish is swimming. Anybody may play a FISH."),
        ((A8, FREE), "anybody", None, None, "Ana’s fish is free: Ana wins."),
    ],
)
def test_next_move(before: tuple[dict[str, Any], ...], side: str, least: int, missing: int, sentence: str) -> None:
    move = next_move(match(*before).state)
    assert (move.side, move.least, move.missing, move.sentence) == (side, least, missing, sentence)


@pytest.mark.parametrize(
    ("before", "player", "value", "expected"),
    [
        ((A8,), 1, 6, ("kill", 6, 8, False, "KILL to 6, 3 short")),
        ((A8,), 1, 9, ("kill", 9, 8, True, "KILL, dying")),
        ((A8, kill(1, 6)), 2, 3, ("kill", 9, 8, True, "KILL, dying")),
        (DYING, 2, 5, ("kill", 14, 8, True, "KILL to 14")),
        (DYING, 0, 9, ("protect", 9, 9, False, "PROTECT to 9, 1 short")),
        (DYING, 0, 10, ("protect", 10, 9, True, "PROTECT, saved")),
        (SHORT_PROTECTION, 0, 1, ("protect", 10, 9, True, "PROTECT, saved")),
        (SAVED, 0, 4, ("protect", 14, 9, True, "PROTECT to 14")),
        (SAVED, 2, 11, ("kill", 11, 10, True, "KILL, dying")),
    ],
)
def test_preview(before: tuple[dict[str, Any], ...], player: int, value: int, expected: tuple[Any, ...]) -> None:
    seen = preview(match(*before).state, player, value)
    assert (seen.kind, seen.total, seen.over, seen.beats, seen.label) == expected


def test_preview_refuses_what_the_rules_refuse() -> None:
    for before, player in (((), 0), ((A8,), 0), (SHORT_PROTECTION, 1)):
        state = match(*before).state
        with pytest.raises(core.RuleError):
            preview(state, player, 5)
