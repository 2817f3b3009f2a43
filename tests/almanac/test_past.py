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
    return read(text.encode() if isinstance(text, str) else text, TODAY).matches


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


def test_spreadsheets_write_their_own_way():
    """Semicolons, dates with points and the letters of Windows, as German spreadsheets save them; quotes keep a cell whole."""
    (match,) = taken('Datum;Spiel;Spieler;Punkte\r\n3.11.2025;Schach;"Jürgen; Bo";"1; 0"\r\n'.encode("cp1252"))
    assert match == PastMatch(date(2025, 11, 3), "Schach", ("Jürgen", "Bo"), 2, (1, 0), (0,))
    assert taken("2025-11-03\tSchach\tJürgen; Bo\t1; 0".encode("utf-16")) == [match]


def test_whoever_is_named_has_won():
    assert [match.winners for match in taken("2025-11-03,Hearts,Ana; Bo; Cy,26; 0; 3,Bo\n2025-11-03,Chess,Ana; Bo,,Ana\n")] == [
        (1,),
        (0,),
    ]
    assert refused("2025-11-03,Hearts,Ana; Bo,26; 0,Di") == "Line 1: Di won, but did not play."


@pytest.mark.parametrize("points", ["2.5; 0", "2½; 0", '"2,5; 0.0"'])
def test_halves_are_points_too(points):
    (match,) = taken(f"2025-11-03,Chess,Ana; Bo,{points}\n")
    assert (match.points, match.winners) == ((2.5, 0), (0,))
    assert "2.5; 0" in write([(match.day, match.game, [("Ana",), ("Bo",)], match.points, ("Ana",))])


def test_a_match_without_points_has_no_winner():
    (match,) = taken("2025-11-03,Chess,Ana; Bo,")
    assert (match.points, match.winners) == ((None, None), ())


def test_what_a_table_wrote_is_read_again():
    day = date(2025, 11, 3)
    text = write(
        [
            (day, "BeloZ", [("Ana", "Cy"), ("=Bo", "Di")], (1004, -8), ("=Bo", "Di")),
            (day, "What the Fish!", [("Ana",), ("Bo",)], (0, 1), ("Bo",)),
            (day, "Hearts", [("Ana",), ("Bo",)], (26, 0), ("Bo",)),
            (day, "Chess", [("Ana",), ("Bo",), ("Cy",)], (None, None, 2), ("Ana",)),
            (day, "Go", [("Ana",), ("Bo",)], (None, None), ("Ana", "Bo")),
        ]
    )
    assert "'=Bo" in text  # no spreadsheet computes it
    first, second, *others = taken(text)
    assert [(each.points, each.winners) for each in others] == [
        ((26, 0), (1,)),
        ((None, None, 2), (0,)),
        ((None, None), (0, 1)),
    ]
    assert first.winners == (1,)
    assert first.players == ("Ana", "=Bo", "Cy", "Di")
    assert (first.points, first.slug, second.slug) == ((1004, -8), "beloz", "what-the-fish")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Choose a file: CSV, or JSON from BG Stats."),
        ("date,game,players,points\n", "This file holds no match."),
        ("yesterday,Chess,Ana; Bo,1; 0", "Line 1: A date is written 2025-11-03 or 3.11.2025."),
        ("2025-13-03,Chess,Ana; Bo,1; 0", "Line 1: A date is written 2025-11-03 or 3.11.2025."),
        ("2025-11-03,Chess,Ana; Bo", "Line 1: It needs date, game, players and points."),
        ("\n2025-11-03,Chess,Ana; Bo,1", "Line 2: Sides: 2, points: 1. Give each side its points."),
        ("2025-11-03,Chess,Ana,1", "Line 1: A match has 2 to 12 players."),
        (f"2025-11-03,Chess,{';'.join('ABCDEFGHIJKLM')},1", "Line 1: Sides: 13, points: 1. Give each side its points."),
        ("2025-11-03,Chess,Ana & Cy; Bo,1; 0", "Line 1: All sides need as many people."),
        ("2025-11-03,Chess,Ana; Ana,1; 0", "Line 1: Two players have the same name."),
        ("2025-11-03,Chess,Ana; Bo,1; 0.25", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        ("2025-11-03,Chess,Ana; Bo,1; 1e9", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        ("2025-11-03,Chess,Ana; Bo,1; 9999999", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        (f"2025-11-03,Chess,Ana; Bo,1; {'9' * 5000}", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        ("2025-11-03,Chess,Ana; Bo,1; ١", "Line 1: Points are whole numbers or halves, up to 1,000,000."),
        ("2025-11-03,Chess,Ana; ,1; 0", "Line 1: A name needs at least one letter."),
        ("2025-11-03,Chess,Ana; B\u202eo,1; 0", "Line 1: A name can’t have invisible characters. There is one after “B”."),
        ("2026-11-27,Chess,Ana; Bo,1; 0", "2026-11-27 is no day on which a match can have been played."),
        ("0001-01-01,Chess,Ana; Bo,1; 0", "0001-01-01 is no day on which a match can have been played."),
        ('2025-11-03,"Chess,Ana; Bo,1; 0', "This file is no CSV: one of its quotation marks has no end."),
        ("2025-11-03,Chess,Ana; Bo,1; 0\n" * 2001, "This file holds more than 2,000 matches. Divide it into several."),
        (b"\xff\xfe\x00", "This file is no text (UTF-8). Save it as CSV, or export it from BG Stats as JSON."),
        (b"x" * (LARGEST + 1), "This file is larger than 8 MiB, the most that can be read."),
        ("{}", "This file is not what BG Stats exports. It needs games, players and plays."),
        ("{" * 100_000, "This file is not what BG Stats exports. It needs games, players and plays."),
        ('{"x":' + "[" * 100_000, "This file is not what BG Stats exports. It needs games, players and plays."),
    ],
)
def test_what_can_t_be_taken_is_told_with_its_line(text, sentence):
    assert refused(text) == sentence


def exported(*others, **changes):
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
        "games": [{"id": 7, "name": "Bisque", "highestWins": True}, {"id": 9, "name": "Pandemic", "cooperative": True}],
        "players": [{"id": 1, "name": "Ana"}, {"id": 2, "name": "Bo"}, {"id": 3, "name": "Cy"}, {"id": 4, "name": "Di"}],
        "plays": [{**play, **change} for change in (changes, *others)],
    }
    return json.dumps(export)


def side(players, score, team=None, *, winner=False):
    """Return what BG Stats says of these people, who have the same score."""
    return [{"playerRefId": player, "score": score, "winner": winner, "team": team} for player in players]


def test_what_bg_stats_exports():
    assert taken(exported()) == [PastMatch(date(2025, 11, 3), "Bisque", ("Ana", "Bo", "Cy"), 3, (31, 25, None), (0,))]


def test_teams_and_sums_of_bg_stats():
    """Teams of one size are sides; in others everybody counts alone. What is no number leaves the winner."""
    teams = {"usesTeams": True, "playerScores": side((1, 3), "10+20-1.5", "Red", winner=True) + side((2, 4), 12, "Blue")}
    uneven = {"usesTeams": True, "playerScores": side((1,), "3", "Red") + side((2, 3), "", "Blue", winner=True)}
    parts = {
        "playerScores": side((1,), "won", "A", winner=True) + side((2,), None, "A") + side((3,), 4, "B") + side((4,), 5, "B")
    }
    assert [(each.players, each.sides, each.points, each.winners) for each in taken(exported(uneven, parts, **teams))] == [
        (("Ana", "Bo", "Cy", "Di"), 2, (28.5, 12), (0,)),
        (("Ana", "Bo", "Cy"), 3, (3, None, None), (1, 2)),
        (("Ana", "Cy", "Bo", "Di"), 2, (None, 9), (0,)),
    ]


def test_names_longer_than_ours_are_cut():
    long = exported().replace("Bisque", "Sherlock Holmes Consulting Detective: The Thames Murders")
    assert taken(long)[0].game == "Sherlock Holmes Consulting Detective: T…"


def test_what_nobody_can_mend_is_left_out_and_counted():
    alone, together = {"playerScores": side((1,), 9)}, {"gameRefId": 9, "playerScores": side((1, 2), 0, winner=True)}
    file = read(exported(alone, alone, together, {"ignored": True}, {"gameRefId": None}).encode(), TODAY)
    assert len(file.matches) == 1
    assert dict(file.left_out) == {
        "A match has 2 to 12 players.": 2,
        "All played together, so nobody won against anybody.": 1,
        "It names a game or a player that the file does not hold.": 1,
    }


def test_of_a_large_export_the_newest_are_taken():
    file = read(exported(*[{}] * 2000, playDate="2020-01-01 20:00:00").encode(), TODAY)
    assert (len(file.matches), file.matches[0].day) == (2000, date(2025, 11, 3))
    assert dict(file.left_out) == {"Of this file only the newest 2,000 have room.": 1}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"gameRefId": 8}, "It names a game or a player that the file does not hold."),
        ({"playDate": "soon"}, "A date is written 2025-11-03 or 3.11.2025."),
        ({"playDate": "2999-01-01 20:00:00"}, "2999-01-01 is no day on which a match can have been played."),
        ({"playerScores": []}, "A match has 2 to 12 players."),
        ({"ignored": True}, "This file holds no match."),
        ({"playerScores": "none"}, "This file is not what BG Stats exports. It needs games, players and plays."),
    ],
)
def test_an_export_with_something_wrong(changes, sentence):
    assert refused(exported(**changes)) == sentence


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_matches_or_a_sentence(data):
    with suppress(PastError):
        assert read(data, TODAY)
