"""May I play this? The rule text's examples, every duty, what can't be on a table, and a second reading of the rules."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.beloz import GAME
from companion.engine.beloz.cards import INDEX, PLAINS
from companion.engine.beloz.play import LegalPlay, leading
from companion.engine.core import RuleError
from tests.engine.beloz.reading import DECK, leading_play, may_play


def table(first: int, *cards: str) -> list[dict]:
    """Return the cards on the table, played in turn from player ``first``."""
    return [{"player": (first + place) % 4, "card": card} for place, card in enumerate(cards)]


def test_provide_as_in_the_rules(ask) -> None:
    """A North lion is out; whoever holds North cards plays one of them, the lowest if they like."""
    answer = ask(
        flooded="south",
        expedition=table(0, "north-lion"),
        player=1,
        hand=["north-crocodile", "south-crocodile", "north-meerkat", "east-lion"],
    )
    assert answer == {
        "legal": ["north-crocodile", "north-meerkat"],
        "duty": "provide",
        "why": "The target is North and you hold North, so you must provide North.",
    }
    assert list(answer) == ["legal", "duty", "why"]


def test_discard_behind_the_teammate_as_in_the_rules(ask) -> None:
    """Player 2 has no North card, and need not intercept since their teammate's leopard leads."""
    answer = ask(
        flooded="south", expedition=table(0, "north-leopard", "north-monkey"), player=2, hand=["south-lion", "east-meerkat"]
    )
    assert answer == {
        "legal": ["south-lion", "east-meerkat"],
        "duty": "discard",
        "why": "You hold no North card and your teammate leads, so you may discard any card.",
    }


def test_intercept_as_in_the_rules(ask) -> None:
    """Player 3 has no North card either, and the other team leads."""
    answer = ask(
        flooded="south",
        expedition=table(0, "north-leopard", "north-monkey", "east-meerkat"),
        player=3,
        hand=["south-crocodile", "south-elephant", "east-lion", "east-rhinoceros"],
    )
    assert answer == {
        "legal": ["south-crocodile", "south-elephant"],
        "duty": "intercept",
        "why": "You hold no North card and the other team leads, so you must intercept with a flooded card, from South.",
    }


def test_discard_without_a_flooded_card_as_in_the_rules(ask) -> None:
    """If player 3 had no South card, any card would do."""
    answer = ask(
        flooded="south",
        expedition=table(0, "north-leopard", "north-monkey", "east-meerkat"),
        player=3,
        hand=["east-lion", "west-rhinoceros"],
    )
    assert answer == {
        "legal": ["east-lion", "west-rhinoceros"],
        "duty": "discard",
        "why": "You hold no North card and no flooded card, so you may discard any card.",
    }


# South is flooded and player 3 is to play: the cards on the table, the hand, what may be played and the duty
@pytest.mark.parametrize(
    ("cards", "hand", "legal", "duty"),
    [
        # nothing on the table
        ("", "north-lion south-crocodile", "north-lion south-crocodile", "launch"),
        # a dry target: provide, high or low, intercepted or not, whoever leads
        ("east-lion", "east-meerkat east-leopard south-lion", "east-meerkat east-leopard", "provide"),
        ("east-meerkat", "east-monkey east-lion", "east-monkey east-lion", "provide"),
        ("east-lion south-monkey", "south-crocodile east-monkey", "east-monkey", "provide"),
        ("west-lion east-lion north-lion", "west-monkey south-lion", "west-monkey", "provide"),
        # the flooded target: rise if possible, the teammate's card too
        ("south-lion", "south-water-snake south-leopard south-crocodile", "south-water-snake south-crocodile", "rise"),
        ("south-meerkat south-lion", "south-leopard south-crocodile", "south-crocodile", "rise"),
        ("south-lion south-meerkat", "south-leopard south-crocodile", "south-crocodile", "rise"),  # the teammate leads
        ("south-elephant north-lion", "south-leopard south-monkey", "south-leopard", "rise"),
        # in the flooded plain the crocodile and the water snake are above the lion
        ("south-lion", "south-water-snake south-monkey", "south-water-snake", "rise"),
        ("south-water-snake", "south-lion south-crocodile", "south-crocodile", "rise"),
        # nothing higher: any of them
        ("south-crocodile", "south-lion south-water-snake east-lion", "south-lion south-water-snake", "provide"),
        ("south-water-snake", "south-lion south-meerkat", "south-lion south-meerkat", "provide"),
        # a flooded target and none of it
        ("south-meerkat", "east-lion north-monkey", "east-lion north-monkey", "discard"),
        # the opponents lead with a card of the target
        ("east-lion", "south-meerkat south-lion north-lion", "south-meerkat south-lion", "intercept"),
        ("east-monkey east-lion", "south-meerkat west-lion", "south-meerkat", "intercept"),  # played by player 2
        ("east-monkey east-lion east-meerkat", "south-meerkat west-lion", "south-meerkat west-lion", "discard"),
        ("east-monkey east-meerkat east-lion", "south-meerkat west-lion", "south-meerkat", "intercept"),
        # the opponents lead with a flooded card
        ("east-lion south-monkey", "south-meerkat south-elephant north-lion", "south-elephant", "over-intercept"),
        (
            "east-lion south-lion",
            "south-crocodile south-leopard south-water-snake",
            "south-crocodile south-water-snake",
            "over-intercept",
        ),
        ("east-lion south-lion", "south-leopard south-meerkat north-lion", "south-leopard south-meerkat", "leak"),
        ("east-lion south-crocodile", "south-water-snake north-lion", "south-water-snake", "leak"),
        ("east-lion south-crocodile", "west-water-snake north-lion", "west-water-snake north-lion", "discard"),
        # the teammate (player 1) intercepted: discard, also flooded cards
        (
            "east-lion south-monkey east-leopard",
            "south-meerkat south-elephant north-lion",
            "south-meerkat south-elephant north-lion",
            "discard",
        ),
        # the teammate intercepted and was over-intercepted
        ("east-lion south-monkey south-rhinoceros", "south-elephant south-meerkat", "south-elephant", "over-intercept"),
        # a card of neither plain never leads, however high
        ("east-meerkat west-lion west-monkey", "south-meerkat north-lion", "south-meerkat", "intercept"),
    ],
)
def test_every_duty(cards: str, hand: str, legal: str, duty: str, ask) -> None:
    expedition = table(3 - len(cards.split()), *cards.split())
    answer = ask(flooded="south", expedition=expedition, player=3, hand=hand.split())
    assert (answer["legal"], answer["duty"]) == (legal.split(), duty)


@pytest.mark.parametrize(
    ("cards", "hand", "why"),
    [
        (["east-lion"], ["east-monkey"], "The target is East and you hold East, so you must provide East."),
        ([], ["west-lion"], "You start the expedition: play any card, and its plain becomes the target."),
        (
            ["south-lion"],
            ["south-crocodile"],
            "The target is South, the flooded plain, and you can beat its leading lion, so you must rise above it.",
        ),
        (
            ["south-crocodile"],
            ["south-lion"],
            "The target is South, the flooded plain. Nothing you hold beats its leading crocodile: provide any South card.",
        ),
        (
            ["south-crocodile"],
            ["west-lion"],
            "The target is South, the flooded plain, and you hold none of it, so you may discard any card.",
        ),
        (
            ["east-lion", "south-monkey"],
            ["south-lion"],
            "You hold no East card and the other team’s South monkey leads: over-intercept with a higher South one.",
        ),
        (
            ["east-lion", "south-water-snake"],
            ["south-lion"],
            "You hold no East card, and no South card above the other team’s water snake: you must leak with any South card.",
        ),
    ],
)
def test_the_reason_names_the_plains_and_the_card(cards: list[str], hand: list[str], why: str, ask) -> None:
    assert ask(flooded="south", expedition=table(3 - len(cards), *cards), player=3, hand=hand)["why"] == why


def test_part_of_a_hand_may_be_asked_about(ask) -> None:
    answer = ask(flooded="south", expedition=table(3, "north-lion", "east-lion"), player=1, hand=["north-monkey"])
    assert answer["legal"] == ["north-monkey"]


DECK_OF_SOUTH = [card for card in DECK if card.startswith("south")]


@pytest.mark.parametrize(
    ("expedition", "player", "hand", "field"),
    [
        (table(0, "north-lion"), 2, ["east-lion"], "expedition.0.player"),  # player 1 is missing
        (table(0, "north-lion"), 0, ["east-lion"], "expedition.0.player"),
        (table(0, "north-lion", "north-monkey", "east-monkey"), 0, ["east-lion"], "expedition.0.player"),
        (
            [{"player": 1, "card": "north-lion"}, {"player": 0, "card": "north-monkey"}],
            2,
            ["east-lion"],
            "expedition.0.player",
        ),
        ([{"player": 2, "card": "north-lion"}, {"player": 2, "card": "east-lion"}], 3, ["west-lion"], "expedition.0.player"),
        ([{"player": 1, "card": "north-lion"}, {"player": 1, "card": "east-lion"}], 3, ["west-lion"], "expedition.1.player"),
        (table(0, *DECK[:4]), 0, ["west-lion"], "expedition"),
        (table(1, "north-lion", "north-lion"), 3, ["west-lion"], "expedition.1.card"),
        (table(1, "north-lion", "north-tiger"), 3, ["west-lion"], "expedition.1.card"),
        (table(2, "north-lion"), 3, ["west-lion", "north-lion"], "hand.1"),
        ([], 3, ["west-lion", "east-lion", "west-lion"], "hand.2"),
        ([], 3, ["west-lion", "lion"], "hand.1"),
        ([], 3, [], "hand"),
        ([], 3, [*DECK_OF_SOUTH, "north-lion"], "hand"),
    ],
)
def test_what_can_not_be_on_a_table_is_refused(expedition: list[dict], player: int, hand: list[str], field: str, ask) -> None:
    with pytest.raises(RuleError) as refused:
        ask(flooded="south", expedition=expedition, player=player, hand=hand)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"expedition": table(0, "north-lion"), "player": 2},
            "Cards are played in turn: before player 2’s turn, card 1 of 1 is player 1’s, not player 0’s.",
        ),
        (
            {"hand": ["west-lion"], "expedition": table(2, "west-lion")},
            "The West lion is on the table, so it can’t be in the hand too.",
        ),
        ({"expedition": table(3, *DECK[:4])}, "Before a player’s turn at most three cards are on the table, not 4."),
        ({"hand": []}, "A hand has one to eight cards. This one is empty."),
        ({"hand": DECK[:9]}, "A hand has one to eight cards, not 9."),
    ],
)
def test_the_refusal_says_what_is_wrong(wrong: dict, message: str, ask) -> None:
    with pytest.raises(RuleError) as refused:
        ask(**({"flooded": "south", "expedition": [], "player": 3, "hand": ["east-lion"]} | wrong))
    assert refused.value.message == message


@pytest.mark.parametrize(
    "wrong",
    [
        {"flooded": "centre"},
        {"flooded": None},
        {"player": 4},
        {"player": -1},
        {"player": True},
        {"player": "3"},
        {"hand": None},
        {"hand": "east-lion"},
        {"hand": [3]},
        {"hand": ["east-lion"] * 33},
        {"expedition": None},
        {"expedition": [{"player": 2}]},
        {"expedition": [{"card": "north-lion"}]},
        {"expedition": [{"player": 2, "card": "north-lion", "led": True}]},
        {"game": "bisque"},
        {"dealer": 0},
    ],
)
def test_what_is_no_question_is_not_read_as_one(wrong: dict, ask) -> None:
    right = {"flooded": "south", "expedition": [], "player": 3, "hand": ["east-lion"]}
    assert ask(**right)["duty"] == "launch"
    with pytest.raises(msgspec.ValidationError):
        ask(**(right | wrong))


def test_the_schema_tells_how_a_card_is_called() -> None:
    schema = msgspec.json.schema(LegalPlay)["$defs"]["LegalPlay"]["properties"]
    assert schema["hand"]["items"] == {
        "type": "string",
        "description": "a plain and an animal, such as north-water-snake",
        "examples": ["north-meerkat"],
    }


@given(
    cards=st.permutations(DECK),
    on_table=st.integers(0, 3),
    held=st.integers(1, 8),
    player=st.integers(0, 3),
    flooded=st.sampled_from(PLAINS),
    followed=st.booleans(),
)
def test_the_engine_agrees_with_a_second_reading_of_the_rules(
    cards: list[str], on_table: int, held: int, player: int, flooded: str, followed: bool
) -> None:
    if followed and on_table:  # often all of the target or flooded plain, as on real tables
        cards = sorted(cards[:16], key=lambda card: card.split("-")[0] not in (cards[0].split("-")[0], flooded)) + cards[16:]
    plays = [((player - on_table + place) % 4, card) for place, card in enumerate(cards[:on_table])]
    hand = cards[on_table + 3 : on_table + 3 + held]
    question = {
        "game": "beloz",
        "flooded": flooded,
        "expedition": [{"player": who, "card": card} for who, card in plays],
        "player": player,
        "hand": hand,
    }
    assert GAME.answer is not None
    answer = msgspec.to_builtins(GAME.answer(msgspec.convert(question, type=GAME.questions[0])), enc_hook=str)
    assert (answer["legal"], answer["duty"]) == may_play(plays, player, hand, flooded)
    assert answer["legal"]
    if plays:
        assert plays[leading(PLAINS.index(flooded), [INDEX[card] for _, card in plays])] == leading_play(plays, flooded)
