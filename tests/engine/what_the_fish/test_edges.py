"""Which rule and which part of an entry does each refusal name, and what does the explanation cite?"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.engine import core
from companion.engine.what_the_fish import GAME, Buddha, Dead, Free, Kill, Protect, Swim, Wtf
from companion.engine.what_the_fish.cards import BEAVER_BUDDHA
from companion.engine.what_the_fish.cheapest import Cheapest, answer

THREE = ["Ana", "Bo", "Cy"]
A8 = Swim(0, 8)
NEXT_KILL = "The next KILL card waits for a protection that saves it."
NO_FISH = "No fish is swimming. Somebody plays a FISH first."


def refused(event: core.Event, *before: core.Event, players: list[str] = THREE) -> core.RuleError:
    with pytest.raises(core.RuleError) as refusal:
        core.replay(core.start(GAME, players), before).apply(event)
    return refusal.value


@pytest.mark.parametrize(
    ("event", "before", "rule", "field", "message"),
    [
        (Swim(3, 8), [], "", "player", "There is no player 3: the players of this match are 0 to 2."),
        (Wtf(0, "mugger-croc", 3), [], "", "target", "There is no player 3: the players of this match are 0 to 2."),
        (Wtf(0, "communist-manifesto", 1, 3), [], "", "to", "There is no player 3: the players of this match are 0 to 2."),
        (Kill(1, 9), [], "Start of Play", "", NO_FISH),
        (Protect(1, 9), [], "Start of Play", "", NO_FISH),
        (Dead(), [], "Start of Play", "", NO_FISH),
        (Free(), [], "Start of Play", "", NO_FISH),
        (Buddha(1), [], "Start of Play", "", NO_FISH),
        (
            Swim(1, 8),
            [A8],
            "Fish",
            "",
            "Ana’s fish still swims. The next FISH waits until it is dead, or for a Beaver Buddha.",
        ),
        (
            Kill(0, 9),
            [A8],
            "W2",
            "player",
            "This fish is Ana’s own: Ana protects it, the others attack it.",
        ),
        (
            Kill(1, 9),
            [A8, Kill(1, 9), Protect(0, 9)],
            "W1",
            "",
            f"Ana’s protection of 9 is still short of the attack of 9, so the fish is dying anyway. {NEXT_KILL}",
        ),
        (Protect(2, 9), [A8, Kill(1, 9)], "W2", "player", "Only Ana protects this fish. Cy may attack it."),
        (
            Protect(0, 9),
            [A8],
            "Protection",
            "",
            "Nobody has attacked Ana’s fish, so there is nothing to protect it from.",
        ),
        (
            Protect(0, 9),
            [A8, Kill(1, 8)],
            "W1",
            "",
            "The attack of 8 is not above 8, so it kills nothing yet. PROTECT cards wait until it does.",
        ),
        (Dead(), [A8, Kill(1, 8)], "Dead Fish", "", "Ana’s fish is not dying: no attack above 8 stands."),
        (
            Free(),
            [A8, Kill(1, 9)],
            "W3",
            "",
            "Ana’s fish is dying and can’t be free: it takes a protection above 9 to save it.",
        ),
        (
            Wtf(1, "time-traveler"),
            [],
            "W6",
            "card",
            "No fish is swimming, so there is no KILL, PROTECT or FISH to undo.",
        ),
        (
            Wtf(1, "elvis-effect"),
            [A8],
            "W6",
            "card",
            "The Elvis Effect needs a dead FISH in the discard pile, and no fish has died yet.",
        ),
        (
            Wtf(1, "elvis-effect"),
            [A8, Kill(1, 9), Dead(), Wtf(2, "elvis-effect")],
            "W6",
            "card",
            "The Elvis Effect needs a dead FISH in the discard pile, and every one was taken back already.",
        ),
        (Wtf(0, "mugger-croc"), [], "W6", "target", "Mugger Croc: Whose hand?"),
        (Wtf(0, "communist-manifesto", 1), [], "W6", "to", "Communist Manifesto: Who receives?"),
        (Wtf(0, "communist-manifesto", None, 1), [], "W6", "target", "Communist Manifesto: Who gives?"),
        (Wtf(0, "mugger-croc", 1, 2), [], "W6", "to", "Mugger Croc takes a target only. Leave out “to”."),
        (Wtf(0, "elvis-effect", 1), [], "W6", "target", "The Elvis Effect takes no target. Leave out “target”."),
        (Wtf(0, "mugger-croc", 0), [], "W6", "target", "Mugger Croc is for somebody else’s hand. Name another player."),
        (
            Wtf(0, "communist-manifesto", 1, 1),
            [],
            "W6",
            "to",
            "Communist Manifesto: who gives the card and who receives it must differ.",
        ),
        (
            Wtf(0, "communist-manifesto", 0, 1),
            [],
            "W6",
            "target",
            "Communist Manifesto is for two others. Ana stays out of it.",
        ),
        (
            Wtf(2, "communist-manifesto", 1, 2),
            [],
            "W6",
            "to",
            "Communist Manifesto is for two others. Cy stays out of it.",
        ),
    ],
)
def test_a_refusal_names_its_rule_and_the_wrong_part(
    event: core.Event, before: list[core.Event], rule: str, field: str, message: str
) -> None:
    refusal = refused(event, *before)
    assert (refusal.rule, refusal.field, refusal.message) == (rule, field, message)


def test_two_players_move_a_card_between_themselves() -> None:
    two = core.start(GAME, ["Ana", "Bo"])
    assert two.apply(Wtf(0, "communist-manifesto", 0, 1)).state == two.apply(Wtf(0, "communist-manifesto", 1, 0)).state


def test_every_swim_is_a_line_with_the_rule_that_ended_it() -> None:
    events = [
        *(A8, Kill(1, 9), Dead()),
        *(Swim(1, 5), Buddha(0)),
        *(Swim(2, 7), Wtf(0, "time-traveler")),
        *(Swim(2, 7), Free()),
    ]
    assert core.replay(core.start(GAME, THREE), events).standing().lines == (
        core.Line("Ana’s fish of 8 died", (0, None, None), "Dead Fish"),
        core.Line("Bo’s fish of 5 swam without a result", (None, 0, None), "W3"),
        core.Line("Cy’s fish of 7 was taken back", (None, None, 0), "W6"),
        core.Line("Cy’s fish of 7 swam free", (None, None, 1), "End of the Game"),
    )


def ask(**parts: Any) -> Any:
    return answer(msgspec.convert({"game": "what-the-fish", "ask": "kill", "to_beat": 8, "already": 0, **parts}, Cheapest))


def test_nothing_is_needed_above_what_must_be_beaten() -> None:
    with pytest.raises(core.RuleError) as refusal:
        ask(hand=[1], already=9)
    assert (refusal.value.rule, refusal.value.field) == ("W1", "already")
    assert refusal.value.message == "9 is above 8 already: nothing more is needed."
    assert ask(hand=[1], already=8).cheapest == (1,)


@pytest.mark.parametrize(
    ("hand", "asks", "why"),
    [
        ([3, 4], "kill", "It takes 9 or more. You have 7 so far."),
        ([9], "kill", "9 kills it: 9 or more is needed."),
        ([9], "protect", "9 saves it: 9 or more is needed."),
        ([5, 2, 4], "kill", "5 + 4 = 9 kills it: 9 or more is needed."),
    ],
)
def test_why_these_cards(hand: list[int], asks: str, why: str) -> None:
    assert ask(hand=hand, ask=asks).why == why


def test_six_can_play() -> None:
    six = [*THREE, "Di", "Eve", "Flo"]
    swim = msgspec.convert({"type": "swim", "player": 5, "rank": 8}, Swim)
    standing = core.start(GAME, six).apply(swim).apply(Free()).standing()
    assert (standing.sides, standing.winners, standing.scores) == (tuple(six), (5,), (0, 0, 0, 0, 0, 1))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "swim", "player": 6, "rank": 8}, Swim)


def test_a_swim_remembers_who_played_what() -> None:
    duel = core.replay(core.start(GAME, THREE), [A8, Kill(2, 9), Kill(1, 1), Protect(0, 11)]).state.duel
    assert [(play.player, play.kind, play.value) for play in duel.plays] == [
        (0, "fish", 8),
        (2, "attack", 9),
        (1, "attack", 1),
        (0, "protection", 11),
    ]


def test_the_elvis_effect_leaves_the_swim_alone_and_takes_each_dead_fish_back_once() -> None:
    dead = [A8, Kill(1, 9), Dead()]
    position = core.replay(core.start(GAME, THREE), [*dead, Swim(1, 5), Wtf(2, "elvis-effect")])
    assert position.standing().details["fish"] == {"player": 1, "rank": 5}
    # also after the next fish has died: two dead, one of them taken back
    both = core.replay(position, [Kill(0, 6), Dead(), Wtf(0, "elvis-effect")])
    assert (both.state.died, both.state.taken_back) == (2, 2)
    with pytest.raises(core.RuleError):
        both.apply(Wtf(0, "elvis-effect"))


def test_undone_cards_stay_frozen_while_more_are_played() -> None:
    cards = [A8, Kill(1, 9), Wtf(2, "time-traveler"), Kill(2, 10)]
    duel = core.replay(core.start(GAME, THREE), cards).state.duel
    assert [(play.player, play.value) for play in duel.frozen] == [(1, 9)]


@pytest.mark.parametrize(
    ("parts", "read"),
    [
        ({"hand": [10**9]}, True),
        ({"hand": [10**9 + 1]}, False),
        ({"hand": [0]}, False),
        ({"hand": [1], "to_beat": 93 * 10**9}, True),
        ({"hand": [1], "to_beat": 93 * 10**9 + 1}, False),
        ({"hand": [1], "to_beat": -1}, False),
        ({"hand": [1] * 93}, True),
        ({"hand": [1] * 94}, False),
    ],
)
def test_values_go_to_a_thousand_million_and_a_hand_has_the_whole_deck(parts: dict[str, Any], read: bool) -> None:
    if read:
        assert ask(**parts).why
    else:
        with pytest.raises(msgspec.ValidationError):
            ask(**parts)


def test_a_card_asks_for_nobody_unless_it_says_so() -> None:
    assert (BEAVER_BUDDHA.label, BEAVER_BUDDHA.target, BEAVER_BUDDHA.to) == ("Beaver Buddha", None, None)
    assert BEAVER_BUDDHA.effect.startswith("This swim ends without a result")
