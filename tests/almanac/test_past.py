"""Which files of earlier matches can be taken, and what is said of the others? A stranger may have made them."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.tables.past import LARGEST, PastError, PastMatch, read, write

TODAY = date(2026, 11, 26)


def taken(text):
    return read(text.encode() if isinstance(text, str) else text, TODAY)


def refused(text):
    with pytest.raises(PastError) as error:
        taken(text)
    return str(error.value)


def test_a_line_a_match():
    assert taken("2025-11-03,BeloZ,Ana & Cy; Bo & Di,1004; 998\n2025-10-01,Chess,Ana; Bo,0; 1\n") == [
        PastMatch(date(2025, 10, 1), "Chess", ("Ana", "Bo"), 2, (0, 1), (1,)),
        PastMatch(date(2025, 11, 3), "BeloZ", ("Ana", "Bo", "Cy", "Di"), 2, (1004, 998), (0,)),
    ]


def test_columns_that_are_named_may_stand_in_any_order():
    expected = [PastMatch(date(2025, 11, 3), "Bisque", ("Ana", "Bo", "Cy"), 3, (31, 25, 31), (0, 2))]
    assert taken("game,points,date,players\nbisque,31;25;31,2025-11-03,Ana;Bo;Cy\n") == expected
    assert taken("\ufeffDatum;Spiel;Spieler;Punkte\r\n2025-11-03;Bisque;Ana|Bo|Cy;31|25|31\r\n") == expected


@pytest.mark.parametrize("points", ["2.5; 0", "2½; 0", '"2,5; 0.0"'])
def test_halves_are_points_too(points):
    (match,) = taken(f"2025-11-03,Chess,Ana; Bo,{points}\n")
    assert (match.points, match.winners) == ((2.5, 0), (0,))
    assert "2.5; 0" in write([(match.day, match.game, [("Ana",), ("Bo",)], match.points)])


def test_a_match_without_points_has_no_winner():
    (match,) = taken("2025-11-03,Chess,Ana; Bo,")
    assert (match.points, match.winners) == ((None, None), ())


def test_what_a_table_wrote_is_read_again():
    day = date(2025, 11, 3)
    text = write(
        [(day, "BeloZ", [("Ana", "Cy"), ("=Bo", "Di")], (1004, -8)), (day, "What the Fish!", [("Ana",), ("Bo",)], (0, 1))]
    )
    assert "'=Bo" in text  # no spreadsheet computes it
    first, second = taken(text)
    assert first.players == ("Ana", "=Bo", "Cy", "Di")
    assert (first.points, first.slug, second.slug) == ((1004, -8), "beloz", "what-the-fish")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Choose a file: CSV, or JSON from BG Stats."),
        ("date,game,players,points\n", "This file holds no match."),
        ("yesterday,Chess,Ana; Bo,1; 0", "Line 1: A date is written 2025-11-03."),
        ("2025-13-03,Chess,Ana; Bo,1; 0", "Line 1: A date is written 2025-11-03."),
        ("2025-11-03,Chess,Ana; Bo", "Line 1: It needs date, game, players and points."),
        ("\n2025-11-03,Chess,Ana; Bo,1", "Line 2: 2 sides, but 1 points."),
        ("2025-11-03,Chess,Ana,1", "Line 1: A match has 2 to 12 players."),
        (f"2025-11-03,Chess,{';'.join(f'P{n}' for n in range(13))},1", "Line 1: 13 sides, but 1 points."),
        ("2025-11-03,Chess,Ana & Cy; Bo,1; 0", "Line 1: All sides need as many people."),
        ("2025-11-03,Chess,Ana; Ana,1; 0", "Line 1: Two players have the same name."),
        ("2025-11-03,Chess,Ana; Bo,1; 0.25", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        ("2025-11-03,Chess,Ana; Bo,1; 1e9", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        ("2025-11-03,Chess,Ana; Bo,1; 9999999", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        (f"2025-11-03,Chess,Ana; Bo,1; {'9' * 5000}", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        ("2025-11-03,Chess,Ana; Bo,1; ١", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        ("2025-11-03,Chess,Ana; ,1; 0", "Line 1: A name needs at least one letter."),
        ("2025-11-03,Chess,Ana; B\u202eo,1; 0", "Line 1: A name can't have invisible characters. There is one after “B”."),
        ("2026-11-27,Chess,Ana; Bo,1; 0", "2026-11-27 is no day on which a match can have been played."),
        ("0001-01-01,Chess,Ana; Bo,1; 0", "0001-01-01 is no day on which a match can have been played."),
        ('2025-11-03,"Chess,Ana; Bo,1; 0', "This file is no CSV: one of its quotation marks has no end."),
        ("2025-11-03,Chess,Ana; Bo,1; 0\n" * 2001, "This file holds more than 2,000 matches. Divide it into several."),
        (b"\xff\xfe\x00", "This file is no text (UTF-8). Save it as CSV, or export it from BG Stats as JSON."),
        (b"x" * (LARGEST + 1), "This file is larger than 1 MiB, the most that can be read."),
        ("{}", "This file is not what BG Stats exports. It needs games, players and plays."),
        ("{" * 100_000, "This file is not what BG Stats exports. It needs games, players and plays."),
        ('{"x":' + "[" * 100_000, "This file is not what BG Stats exports. It needs games, players and plays."),
    ],
)
def test_what_can_t_be_taken_is_told_with_its_line(text, sentence):
    assert refused(text) == sentence


def exported(**changes):
    """Return what BG Stats exports, with the parts of its format that matter and one that does not."""
    play = {
        "playDate": "2025-11-03 20:15:00",
        "gameRefId": 7,
        "playerScores": [
            {"playerRefId": 1, "score": "31", "winner": True, "startPlayer": True},
            {"playerRefId": 2, "score": "25", "winner": False},
            {"playerRefId": 3, "score": "", "winner": False},
        ],
    }
    export = {
        "about": {"version": 4},
        "games": [{"id": 7, "name": "Bisque", "highestWins": True}],
        "players": [{"id": 1, "name": "Ana"}, {"id": 2, "name": "Bo"}, {"id": 3, "name": "Cy"}],
        "plays": [{**play, **changes}],
    }
    return json.dumps(export)


def test_what_bg_stats_exports():
    assert taken(exported()) == [PastMatch(date(2025, 11, 3), "Bisque", ("Ana", "Bo", "Cy"), 3, (31, 25, None), (0,))]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"gameRefId": 8}, "Line 1: It names a game or a player that the file does not hold."),
        ({"playDate": "soon"}, "Line 1: A date is written 2025-11-03."),
        ({"playerScores": []}, "Line 1: A match has 2 to 12 players."),
        ({"playerScores": "none"}, "This file is not what BG Stats exports. It needs games, players and plays."),
    ],
)
def test_an_export_with_something_wrong(changes, sentence):
    assert refused(exported(**changes)) == sentence


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_matches_or_a_sentence(data):
    with suppress(PastError):
        assert read(data, TODAY)
