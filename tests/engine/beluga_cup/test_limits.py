"""Which numbers can no event of Beluga Cup hold?"""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.beluga_cup import GAME
from companion.engine.records import RecordError, decode_event, decode_options


@pytest.mark.parametrize("player", [-1, 2, True, "0", 0.5])
@pytest.mark.parametrize(
    "event",
    [
        {"type": "play", "zone": 1, "side": 0, "cards": ["ace-suns"]},
        {"type": "discard", "cards": 2},
        {"type": "eat", "zone": 1},
        {"type": "excuse-swap", "zone": 1, "drawn": ["suns"], "returned": ["suns"], "drawn_by": "hand"},
        {"type": "excuse-take", "zone": 1, "card": "ace-suns"},
    ],
)
def test_there_are_two_players(event: dict[str, Any], player: Any) -> None:
    decode_event(GAME, {**event, "player": 1})
    with pytest.raises(RecordError) as refused:
        decode_event(GAME, {**event, "player": player})
    assert refused.value.message.startswith("player")


def test_a_bag_takes_twenty_words_each_of_one_to_200_letters() -> None:
    assert decode_options(GAME, {"words": ["w"] * 20}).words == ("w",) * 20
    assert decode_options(GAME, {"words": ["w" * 200]}).words == ("w" * 200,)
    for words in (["w"] * 21, ["w" * 201], [""]):
        with pytest.raises(RecordError):
            decode_options(GAME, {"words": words})


@pytest.mark.parametrize("seal", ["0" * 63, "0" * 65, "g" * 64, "0" * 64 + "\n"])
def test_a_seal_is_64_hexadecimal_digits(seal: str) -> None:
    assert decode_options(GAME, {"seal": "0aF9" * 16}).seal == "0aF9" * 16
    with pytest.raises(RecordError):
        decode_options(GAME, {"seal": seal})


def test_nobody_having_said_anything_there_are_42_fish_and_no_seal() -> None:
    options = decode_options(GAME, {})
    assert (options.fish_per_suit, options.deck, options.cards, options.seal, options.words) == (
        7,
        "basic",
        "tracked",
        None,
        (),
    )
