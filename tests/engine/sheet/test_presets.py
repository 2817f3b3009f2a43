"""Do Companion's score sheets score as the published rules say? Every row of worked.txt, and one whole match a sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.engine.core import Position, RuleError, start
from companion.engine.records import decode_event
from companion.engine.sheet import presets
from companion.engine.sheet.document import Teams, family_of
from companion.engine.sheet.match import GAME, Box, SheetOptions
from companion.engine.sheet.reading import read
from companion.engine.sheet.scoring import Around, explained, score_row

NAMES = ("Ana", "Bo", "Cy", "Di", "Eve", "Finn", "Gus", "Hal")
LINE = re.compile(r"(?:(\d+)x )?(?:\[(.*?)\] )?(?:(.*?); )?(.*?)(?: -> (.*))?")


@dataclass
class Worked:
    """A row as the text has it: how often, what is around it, its cells, and what it brings."""

    times: int
    around: dict[str, str]
    shared: dict[str, Any]
    sides: list[list[str]]
    brings: list[int] | None


@dataclass
class Section:
    rows: list[Worked] = field(default_factory=list)
    match: list[Worked | str] = field(default_factory=list)
    house: dict[str, int] = field(default_factory=dict)
    totals: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)


def pairs(text: str | None) -> dict[str, str]:
    return dict(pair.split("=") for pair in (text or "").split())


def cell(text: str) -> Any:
    if text in {"yes", "no"}:
        return text == "yes"
    if re.fullmatch(r"-?\d+\.5", text):
        return float(text)
    if re.fullmatch(r"-?\d+(\+-?\d+)*", text):
        numbers = [int(number) for number in text.split("+")]
        return numbers[0] if len(numbers) == 1 else numbers
    return None if text == "-" else text


def worked(text: str) -> Worked:
    found = LINE.fullmatch(text)
    assert found, text
    times, around, shared, sides, brings = found.groups()
    return Worked(
        int(times or 1),
        pairs(around),
        {slug: cell(value) for slug, value in pairs(shared).items()},
        [side.split() for side in sides.split("/")],
        None if brings is None else [int(number) for number in brings.split()],
    )


def sections() -> dict[str, Section]:
    found: dict[str, Section] = {}
    section, playing = Section(), False
    for raw in Path(__file__).with_name("worked.txt").read_text("utf-8").splitlines():
        line = raw.partition("#")[0].strip()
        if line.startswith("== "):
            section, playing = found.setdefault(line[3:], Section()), False
        elif line.startswith("match"):
            playing = True
            section.house = {slug: int(number) for slug, number in pairs(line[5:].strip(" []")).items()}
        elif line.startswith("end "):
            totals, _, winners = line[4:].partition(";")
            section.totals = [int(number) for number in totals.split()]
            section.winners = [int(number) for number in winners.split()]
        elif line:
            (section.match if playing else section.rows).append(line if line == "finish" else worked(line))
    return found


SECTIONS = sections()


def cells_of(slug: str, sides: list[list[str]], number: int = 1) -> list[dict[str, Any]]:
    columns = [column.id for column in presets.preset(slug).columns if column.of == "side"]
    found = []
    for side in sides:
        values = [cell(str(number) if text == "N" else text) for text in side]
        found.append({column: value for column, value in zip(columns, values, strict=False) if value is not None})
    return found


def begin(slug: str, sides: int, house: dict[str, int]) -> Position[Any]:
    teams = presets.preset(slug).sides
    people = teams.teams * teams.of if isinstance(teams, Teams) else sides
    return start(GAME, NAMES[:people], SheetOptions(slug, None, house))


def play(position: Position[Any], event: dict[str, Any]) -> Position[Any]:
    return position.apply(decode_event(GAME, event))


def filled(slug: str, position: Position[Any], sides: list[list[str]]) -> Position[Any]:
    """Return the match with these boxes or columns filled, one after the other around the table."""
    cells = cells_of(slug, sides)
    if presets.preset(slug).shape == "end":
        for player, own in enumerate(cells):
            position = play(position, {"type": "end", "player": player, "cells": own})
        return position
    for column in presets.preset(slug).columns:
        # what may be left out comes first: a match is over once all the others are filled
        for player, own in enumerate(cells):
            if column.optional and column.id in own:
                position = play(position, {"type": "box", "player": player, "box": column.id, "value": own[column.id]})
    for column in presets.preset(slug).columns:
        for player, own in enumerate(cells):
            if not column.optional and column.id in own:
                position = play(position, {"type": "box", "player": player, "box": column.id, "value": own[column.id]})
    return position


def test_every_preset_is_worked_out() -> None:
    assert set(SECTIONS) == set(presets.names())
    assert len(SECTIONS) == 34


@pytest.mark.parametrize("slug", SECTIONS)
def test_six_rows_or_more_score_as_the_rules_say(slug: str) -> None:
    assert len(SECTIONS[slug].rows) >= 6
    for row in SECTIONS[slug].rows:
        scores_as_the_rules_say(slug, row)


def scores_as_the_rules_say(slug: str, row: Worked) -> None:
    n = len(row.sides)
    house = {name: int(value) for name, value in row.around.items() if name not in {"round", "total", "dealer"}}
    assert row.brings is not None, row
    if presets.preset(slug).shape != "rounds":
        position = filled(slug, begin(slug, n, house), row.sides)
        assert list(position.standing().scores) == row.brings, row
        return
    totals = tuple(map(int, row.around["total"].split(","))) if "total" in row.around else (0,) * n
    around = Around(int(row.around.get("round", 1)), totals, NAMES[:n], int(row.around.get("dealer", 0)), tuple(range(n)))
    sheet = read(presets.preset(slug), tuple(house.items()), preset=True)
    cells = [
        {name: tuple(value) if isinstance(value, list) else value for name, value in own.items()}
        for own in cells_of(slug, row.sides)
    ]
    score = score_row(sheet, around, cells, row.shared)
    assert list(score.scores) == row.brings, row
    for side in range(n):
        assert str(abs(row.brings[side])) in explained(sheet, score, side), row


@pytest.mark.parametrize("slug", SECTIONS)
def test_a_whole_match_ends_as_the_rules_say(slug: str) -> None:
    section = SECTIONS[slug]
    assert section.totals
    first = section.match[0]
    assert isinstance(first, Worked)
    position = begin(slug, len(first.sides), section.house)
    if presets.preset(slug).shape != "rounds":
        position = filled(slug, position, first.sides)
    else:
        number = 0
        for row in section.match:
            if isinstance(row, str):
                position = play(position, {"type": "finish"})
                continue
            for _ in range(row.times):
                assert not position.finished
                number += 1
                position = play(position, {"type": "row", "cells": cells_of(slug, row.sides, number), "round": row.shared})
                if row.brings is not None:
                    assert list(position.standing().rounds[-1]) == row.brings
    standing = position.standing()
    assert standing.finished
    assert list(standing.scores) == section.totals
    assert list(standing.winners) == section.winners
    added = [0] * len(section.totals)
    for line in standing.lines:
        added = [sum_ + (amount or 0) for sum_, amount in zip(added, line.amounts, strict=True)]
    assert added == section.totals


def test_seven_different_numbers_are_63_at_most() -> None:
    """Flip 7: 12 to 6 are the highest seven numbers, and with the seventh the round is over."""
    sheet = read(presets.preset("flip-7"), preset=True)
    with pytest.raises(RuleError, match="64 is too many: 63 is the most"):
        score_row(sheet, Around(1, (0, 0), NAMES[:2], None, (0, 1)), [{"numbers": 64}, {"numbers": 63, "seven": True}])


def test_a_further_yahtzee_needs_the_50_of_the_first() -> None:
    match = start(GAME, ("Ana", "Bo"), SheetOptions("yahtzee")).apply(Box(0, "yahtzee", 0))
    with pytest.raises(RuleError, match="Further Yahtzees count only with 50 at Yahtzee"):
        match.apply(Box(0, "more-yahtzees", 1))
    assert match.apply(Box(0, "more-yahtzees", 0)).state.scores == (0, 0)


def test_menus_list_them_by_what_is_written_down() -> None:
    families: dict[str, list[str]] = {}
    for slug in presets.names():
        families.setdefault(family_of(presets.preset(slug)), []).append(slug)
    assert families["bids"] == ["oh-hell", "skull-king", "spades", "wizard"]
    assert families["ledger"] == ["doppelkopf", "mahjong", "skat", "tarot"]
    assert families["boxes"] == ["barbu", "qwixx", "yahtzee"]
    assert families["end"] == ["7-wonders", "wingspan"]


@pytest.mark.parametrize(
    ("house", "sentence"),
    [
        ({"start": 25000}, "Three have as many points, and what they share does not part by three."),
        ({"ahead": 1, "start": 25000}, "Some have as many points: say who began as East, South, West or North."),
    ],
)
def test_mahjong_asks_how_equal_players_sat_where_the_points_alone_do_not_tell(house: dict[str, int], sentence: str) -> None:
    position = begin("mahjong", 4, house)
    cells: list[dict[str, Any]] = [{"points": 28_000}, {"points": 28_000}, {"points": 28_000}, {"points": 16_000}]
    with pytest.raises(RuleError, match=sentence):
        play(position, {"type": "row", "cells": cells})
    for own, wind in zip(cells, ("south", "north", "east", "west"), strict=True):
        own["wind"] = wind
    assert sum(play(position, {"type": "row", "cells": cells}).standing().scores) == 0


def test_barbu_is_dealt_seven_times_in_a_row_or_in_turn() -> None:
    """Seven rounds with each contract by one dealer, then by the next."""
    worth = {"tricks": -26, "hearts": -30, "queens": -24, "king": -20, "last-two": -30, "trumps": 65, "dominoes": 65}
    rows = [
        {"type": "row", "cells": [{"points": points}, *[{"points": 0}] * 3], "round": {"contract": contract}}
        for contract, points in worth.items()
    ]
    position = begin("barbu", 4, {})
    for number in range(28):
        assert position.standing().details["dealer"] == number // 7
        if number % 7:
            with pytest.raises(RuleError, match="This was taken in round"):
                play(position, rows[0])
        position = play(position, rows[number % 7])
    assert position.finished
    in_turn = begin("barbu", 4, {"turns": 1})
    for row in rows[:4]:
        in_turn = play(in_turn, row)
    with pytest.raises(RuleError, match="This was taken in round 1 already"):
        play(in_turn, rows[0])


def test_rummy_ends_at_a_total_and_by_what_is_held_the_most_or_the_fewest_win() -> None:
    row = {"type": "row", "cells": [{"cards": 0}, {"cards": 60}]}
    counted = play(play(begin("rummy", 2, {}), row), row)
    assert not counted.finished
    assert play(counted, {"type": "finish"}).standing().winners == (0,)
    collected = play(begin("rummy", 2, {"collect": 1, "target": 100}), row)
    assert not collected.finished
    assert (play(collected, row).standing().scores, play(collected, row).standing().winners) == ((120, 0), (0,))


def test_a_tie_in_scrabble_is_shared_where_the_house_says_so() -> None:
    rows: list[list[dict[str, Any]]] = [[{"word": 50}, {"word": 60}], [{"word": 0, "out": True}, {"word": 0, "tiles": 5}]]
    for level, winners in ((1, (1,)), (0, (0, 1))):
        position = begin("scrabble", 2, {"level": level})
        for cells in rows:
            position = play(position, {"type": "row", "cells": cells})
        assert play(position, {"type": "finish"}).standing().winners == winners


@pytest.mark.parametrize(
    ("slug", "house", "cells", "sentence"),
    [
        ("scrabble", {}, [{"word": 5}, {"word": 0, "tiles": 3}], "Tick who went out: somebody has no tiles left."),
        ("scrabble", {}, [{"word": 5, "tiles": 2, "out": True}, {"word": 0}], "Ana still has letters"),
        (
            "skat",
            {"ramsch": 1, "level": 1},
            [{"card-points": 50}, {"card-points": 50}, {"card-points": 20, "last-trick": True}],
            "Several have the most points: tick which of them took a trick last.",
        ),
    ],
)
def test_what_only_a_tick_tells_is_asked(slug: str, house: dict[str, int], cells: list[dict[str, Any]], sentence: str) -> None:
    with pytest.raises(RuleError, match=sentence):
        play(begin(slug, len(cells), house), {"type": "row", "cells": cells})


@pytest.mark.parametrize(("slug", "cells"), [("cribbage", [31, 24]), ("cribbage-pairs", [20, 24, 12])])
def test_cribbage_may_end_at_61_points(slug: str, cells: list[int]) -> None:
    names = [column.id for column in presets.preset(slug).columns]
    row = {"type": "row", "cells": [dict(zip(names, [*cells, 6][:4], strict=False)), dict.fromkeys(names[:-1], 0)]}
    assert play(begin(slug, 2, {"target": 61}), row).finished
    assert not play(begin(slug, 2, {}), row).finished


@pytest.mark.parametrize("own", [0, 1])
def test_uno_ends_at_what_was_agreed_on(own: int) -> None:
    row = {"type": "row", "cells": [{"cards": 0}, {"cards": [50, 50, 50, 50]}]}
    assert play(begin("uno", 2, {"target": 200, "own": own}), row).finished
    assert not play(begin("uno", 2, {"own": own}), row).finished


def test_at_100_exactly_hearts_goes_on_where_the_house_says_so() -> None:
    stays, falls = begin("hearts", 3, {}), begin("hearts", 3, {"exact": 1})
    for points in (0, 26, 0), (0, 26, 0), (0, 26, 0), (22, 4, 0):
        row = {"type": "row", "cells": [{"points": each} for each in points]}
        stays, falls = play(stays, row), play(falls, row)
    assert stays.finished
    assert not falls.finished
    assert falls.standing().scores == (50, 4, 78)
