"""Is the count taken of each round that is played card by card with what the engine allows?"""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.beloz import GAME
from companion.engine.beloz.cards import pile_points
from companion.engine.core import start
from tests.engine.beloz.reading import DECK, leading_play, may_play, plain_of, points_of

PLAYERS = ("Ana", "Bo", "Cy", "Di")
PLAINS = ("north", "east", "south", "west")


def ask(**parts: Any) -> Any:
    """Return the engine's answer to a question about BeloZ, in JSON's terms."""
    kind = GAME.questions[1] if "ask" in parts else GAME.questions[0]
    assert GAME.answer is not None
    return msgspec.to_builtins(GAME.answer(msgspec.convert({"game": "beloz", **parts}, type=kind)), enc_hook=str)


def play_out(hands: list[list[str]], flooded: str, opener: int, choices: list[int]) -> tuple[list[list[str]], list[int], int]:
    """Play a round with cards that the engine allows; return the teams' piles, their expeditions, and who won the last."""
    hands = [list(hand) for hand in hands]
    piles: list[list[str]] = [[], []]
    won = [0, 0]
    leader = opener
    for expedition in range(8):
        table: list[tuple[int, str]] = []
        for turn in range(4):
            player = (leader + turn) % 4
            answer = ask(
                flooded=flooded,
                expedition=[{"player": who, "card": card} for who, card in table],
                player=player,
                hand=hands[player],
            )
            assert (answer["legal"], answer["duty"]) == may_play(table, player, hands[player], flooded)
            card = answer["legal"][choices[4 * expedition + turn] % len(answer["legal"])]
            hands[player].remove(card)
            table.append((player, card))
        leader = leading_play(table, flooded)[0]
        piles[leader % 2] += [card for _, card in table]
        won[leader % 2] += 1
    return piles, won, leader % 2


def beloz_holder(hands: list[list[str]], flooded: str) -> int | None:
    pair = {f"{flooded}-elephant", f"{flooded}-rhinoceros"}
    return next((player for player, hand in enumerate(hands) if pair <= set(hand)), None)


def sorted_hands(cards: list[str], spread: bool) -> list[list[str]]:
    """Return four hands of eight. Unless they are spread, a hand is mostly of one plain, for golden rounds and long runs."""
    if not spread:
        cards = sorted(cards[:20], key=plain_of) + cards[20:]
    return [cards[8 * player : 8 * player + 8] for player in range(4)]


@given(
    cards=st.permutations(DECK),
    spread=st.booleans(),
    flooded=st.sampled_from(PLAINS),
    opener=st.integers(0, 3),
    bidder=st.integers(0, 3),
    choices=st.lists(st.integers(0, 7), min_size=32, max_size=32),
    counted=st.integers(0, 1),
    told=st.booleans(),
    hidden=st.integers(0, 255),
    option=st.sampled_from(["none-count", "next-highest"]),
)
def test_a_legal_round_scores(
    cards: list[str],
    spread: bool,
    flooded: str,
    opener: int,
    bidder: int,
    choices: list[int],
    counted: int,
    told: bool,
    hidden: int,
    option: str,
) -> None:
    hands = sorted_hands(cards, spread)
    piles, won, last = play_out(hands, flooded, opener, choices)
    by_hand = [sum(points_of(card, flooded) for card in pile) for pile in piles]
    assert [pile_points(pile, flooded) for pile in piles] == by_hand
    assert sum(by_hand) == 153

    declarations: list[dict[str, Any]] = []
    for player, hand in enumerate(hands):
        found = ask(ask="declarations", flooded=flooded, hand=hand)
        assert found["beloz"] == (beloz_holder(hands, flooded) == player)
        declarations += [{"player": player, **one} for one in found["declarations"]]
    for place, one in enumerate(declarations):
        one["shown"] = not hidden >> place & 1

    event = {
        "type": "round",
        "bidder": bidder,
        "flooded": flooded,
        "count": {"team": counted, "points": by_hand[counted], "expeditions": won[counted] if told else None},
        "last_expedition": last,
        "declarations": declarations,
        "beloz": beloz_holder(hands, flooded),
    }
    options = msgspec.convert({"tied_declarations": option}, type=GAME.options)
    position = start(GAME, PLAYERS, options).apply(msgspec.convert(event, type=GAME.events[0]))
    result = position.state.rounds.newest

    golden = told and 8 in won
    bonus = result.declared.points + (20 if event["beloz"] is not None else 0)
    assert sum(result.scores) == (253 if golden else 163) + bonus
    assert result.cards == tuple(by_hand)
    assert result.held[0] != result.held[1]
    contracting, defending = bidder % 2, 1 - bidder % 2
    if result.contract == "won":
        assert result.held[contracting] > result.held[defending]
        assert result.scores == result.held
    else:
        kept = 20 if event["beloz"] is not None and event["beloz"] % 2 == contracting else 0
        assert result.scores[contracting] == kept
    for team in (0, 1):
        assert sum(line.amounts[team] or 0 for line in result.lines) == result.scores[team]
    assert position.standing().scores == result.scores
    for words in (result.verdict, result.title, result.headline, result.declared.headline, result.declared.sentence):
        assert words
        assert "  " not in words
