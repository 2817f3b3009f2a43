"""What is said before a correction is saved, of all that it moves elsewhere: who leads since when, who wins, an earlier end?

For BeloZ this stands in test_ending.py and test_match.py, for Bisque in test_bisque_pages.py.
"""

from __future__ import annotations

import pytest

from companion.engine import GAMES
from companion.engine.records import decode_event
from companion.matches import entries
from companion.storage.models import MatchId
from companion.web.match.consequences import consequence, ends_with
from companion.web.match.context import load_match
from tests.web.people import words

PEOPLE = ["Ana", "Bo", "Cy", "Di"]


@pytest.fixture
def correction(app, table, open_match):
    """Call it for what is said of a correction: the match, its entries, which of them (from 1), and what it says instead.

    Returns what is moved besides totals, and the sentence that the match ends earlier; each empty where nothing is said.
    """

    def sentences(slug, people, options, happened, corrected, instead):
        game = GAMES[slug]
        open_match(slug, people, **options)
        match = MatchId(table.id, 1)
        with app.test_request_context(f"/t/{table.play}/m/1"):
            for seq, event in enumerate(happened):
                entries.record(match, [decode_event(game, event)], idempotency_key=f"entry-{seq}", expected_seq=seq)
            context = load_match(table.play, 1)
            events = (decode_event(game, instead),)
            ending = ends_with(context, context.log.entries[corrected - 1], events)
            moved = "" if ending else consequence(context, entries.preview_correction(match, corrected, events))
            return words(moved), words(ending or "")

    return sentences


def fill(zone, *fish):
    return {"type": "fill", "zone": zone, "fish": list(fish), "drawn_by": "hand"}


def eat(zone, player):
    return {"type": "eat", "zone": zone, "player": player}


def row(*points):
    return {"type": "row", "cells": [{"points": each} for each in points]}


def swim(player, rank):
    return {"type": "swim", "player": player, "rank": rank}


# Ana eats two suns, Bo one, Ana one: she has three to his one, and scores his one (ruling U6)
CUP = [
    *(fill(1, "suns"), fill(2, "suns", "suns"), fill(3, *["moons"] * 3), fill(4, *["waves"] * 4)),
    *(eat(2, 0), fill(2, "moons", "moons"), eat(1, 1), fill(1, "suns"), eat(1, 0)),
]
POT = ("ace-moons", "ace-suns", "2-moons-knots", "3-suns-knots")
# Ana takes the packs of one and three, Bo that of two: after three rounds she has twelve whales, he six
ROUND = {"type": "round", "ended_by": 0, "packs": [[[4], [3]], [[5], [6]], [[5], [1]]]}
TWELVE, SIX = [1] * 12, [3] * 6
# Bo takes nothing, then all 26; then he is 29, 23 and 26 ahead
HEARTS = [row(3, 0, 10, 13), row(0, 26, 0, 0), row(13, 13, 0, 0)]
BUDDHA, FREE = {"type": "buddha", "player": 2}, {"type": "free"}
SWIMS = [swim(0, 8), BUDDHA, swim(1, 12), FREE]


@pytest.mark.parametrize(
    ("slug", "people", "options", "happened", "corrected", "instead", "moved"),
    [
        # with Ana's two suns Bo has three, and Ana one
        ("beluga-cup", 2, {"cards": "untracked"}, CUP, 5, eat(2, 1), "Bo leads with it, since Ana eats zone 1"),
        # with Bo's sun Ana has four, and he has none to score for
        ("beluga-cup", 2, {"cards": "untracked"}, CUP, 7, eat(1, 0), "Nobody leads with it"),
        # twelve whales of 1 against six of 3, and of 1
        ("rivals", 2, {}, [ROUND] * 3 + [{"type": "count", "grey": [TWELVE, SIX]}], 4, [TWELVE, [1] * 6], "Ana wins with it"),
        ("what-the-fish", 3, {}, SWIMS, 3, swim(2, 12), "Cy wins with it"),
        # Ana took nothing, Bo 3: he is ahead once he has taken all 26
        ("sheet", 4, {"preset": "hearts"}, HEARTS, 1, row(0, 3, 10, 13), "Bo leads since round 2 with it, not since round 1"),
        # Bo 26 as Cy and Di
        ("sheet", 4, {"preset": "hearts"}, HEARTS, 1, row(13, 13, 0, 0), "Nobody leads with it"),
        ("sheet", 4, {"preset": "hearts"}, HEARTS, 3, row(0, 0, 13, 13), ""),
    ],
)
def test_who_leads_since_when_or_wins_is_said(correction, slug, people, options, happened, corrected, instead, moved):
    instead = {"type": "count", "grey": instead} if slug == "rivals" else instead
    assert correction(slug, PEOPLE[:people], options, happened, corrected, instead) == (moved, "")


@pytest.mark.parametrize(
    ("slug", "people", "options", "happened", "corrected", "instead", "last", "first"),
    [
        # nobody had killed Ana's fish when Beaver Buddha came
        ("what-the-fish", 3, {}, SWIMS, 2, FREE, "it", "Bo’s FISH 12"),
        # Di takes all 26, then Bo: 52, 26, 52, 26
        ("sheet", 4, {"preset": "hearts", "house": {"target": 50}}, HEARTS, 1, row(0, 0, 0, 26), "round 2", "round 3"),
    ],
)
def test_a_match_that_would_have_ended_earlier_names_its_last_entry(
    correction, slug, people, options, happened, corrected, instead, last, first
):
    """Bisque, Beluga Cup and Rivals end after so many hands, so many fish and three rounds: no correction ends them earlier."""
    refusal = f"The match ends with {last} then. Undo {first} and what came after it first."
    assert correction(slug, PEOPLE[:people], options, happened, corrected, instead) == ("", refusal)
