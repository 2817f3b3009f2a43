import pytest
from magpie import PLUGIN
from magpie.rules import GAME, MagpieOptions, MayPlay, Round, answer

from companion.plugin import RuleError, replay, start
from companion.testing import GameTests


class TestMagpie(GameTests):
    plugin = PLUGIN
    players = ("Ana", "Bo", "Cy")
    options = MagpieOptions(target=15)
    entries = ((Round((7, 3, 0)),), (Round((8, 0, 2)),))
    wrong = (Round((7, 1, 1)), Round((5, 5)))


ANA_BO_AND_CY = start(GAME, ["Ana", "Bo", "Cy"], MagpieOptions(target=15))


def test_gold_is_added_up_until_somebody_has_enough():
    end = replay(ANA_BO_AND_CY, [Round((7, 3, 0)), Round((8, 0, 2))]).standing()
    assert (end.scores, end.winners) == ((15, 3, 2), (0,))


def test_a_round_has_ten_gold_cards():
    with pytest.raises(RuleError, match="There are 10 gold cards, and these are 9"):
        ANA_BO_AND_CY.apply(Round((7, 1, 1)))


def test_whoever_can_follow_must():
    hand = ("gold-3", "silver-9", "silver-2")
    assert answer(MayPlay("magpie", hand, "silver")).legal == ("silver-9", "silver-2")
    assert answer(MayPlay("magpie", hand, "copper")).legal == hand
