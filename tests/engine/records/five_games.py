"""What do the rules make of a match or two and the look-ups of each game? Worked out by hand."""

from __future__ import annotations

from typing import Any

FOUR = ["Ana", "Bo", "Cy", "Di"]


def record(game: str, players: int, events: list[dict[str, Any]], **parts: Any) -> dict[str, Any]:
    return {"format": "companion-record/1", "game": game, "players": FOUR[:players], "events": events, **parts}


BELOZ = [
    {
        "type": "round",
        "bidder": 0,
        "flooded": "north",
        "count": {"team": 0, "points": 98, "expeditions": None},
        "last_expedition": 0,
        "declarations": [
            {"player": 0, "kind": "straight_flush", "plain": "north", "lowest": 1, "highest": 3},
            {"player": 2, "kind": "straight_flush", "plain": "south", "lowest": 6, "highest": 8, "shown": False},
        ],
        "beloz": 2,
    },
    {"type": "passed-deal"},
    {
        "type": "round",
        "bidder": 1,
        "flooded": "east",
        "count": {"team": 1, "points": 60},
        "last_expedition": 0,
        "declarations": [],
    },
    {
        "type": "round",
        "bidder": 3,
        "flooded": "west",
        "count": {"team": 0, "points": 0, "expeditions": 0},
        "last_expedition": 1,
        "declarations": [{"player": 1, "kind": "quads", "animal": "lion"}],
        "beloz": None,
    },
]

FILL = [
    {"type": "fill", "zone": 1, "fish": ["moons"], "drawn_by": "hand"},
    {"type": "fill", "zone": 2, "fish": ["suns", "waves"], "drawn_by": "hand"},
    {"type": "fill", "zone": 3, "fish": ["leaves", "leaves", "leaves"], "drawn_by": "hand"},
    {"type": "fill", "zone": 4, "fish": ["wyrms", "wyrms", "wyrms", "wyrms"], "drawn_by": "hand"},
]
BELUGA_CUP = [
    *FILL,
    {"type": "play", "player": 1, "zone": 1, "side": 1, "cards": ["9-moons-suns"]},
    {"type": "play", "player": 0, "zone": 1, "side": 0, "cards": ["crown-moons"]},
    {"type": "fill", "zone": 1, "fish": ["knots"], "drawn_by": "hand"},
    {"type": "shuffle"},
    {"type": "discard", "player": 1, "cards": 0},
]
UNTRACKED = [
    *FILL,
    {"type": "eat", "zone": 2, "player": 0},
    {"type": "fill", "zone": 2, "fish": ["moons", "moons"], "drawn_by": "hand"},
    {"type": "eat", "zone": 2, "player": 0},
    {"type": "fill", "zone": 2, "fish": ["suns", "knots"], "drawn_by": "hand"},
    {"type": "eat", "zone": 1, "player": 1},
]
EXCUSE = [
    *FILL,
    {"type": "play", "player": 1, "zone": 3, "side": 1, "cards": ["2-waves-leaves"]},
    {
        "type": "excuse-swap",
        "player": 0,
        "zone": 2,
        "drawn": ["knots", "knots"],
        "returned": ["suns", "knots"],
        "drawn_by": "hand",
    },
]
TAKE = [
    *FILL,
    {"type": "play", "player": 1, "zone": 3, "side": 1, "cards": ["2-waves-leaves"]},
    {"type": "play", "player": 0, "zone": 3, "side": 0, "cards": ["4-waves-leaves"]},
    {"type": "excuse-take", "player": 1, "zone": 3, "card": "2-waves-leaves"},
]

POT = (
    "ace-moons crown-suns 2-moons-knots 3-moons-waves 4-moons-suns 5-moons-leaves "
    "6-moons-waves 7-suns-knots 8-moons-suns 9-moons-suns ace-waves"
)
BISQUE = [*({"type": "pot", "card": card, "by": None} for card in POT.split())]
GOALS = {"type": "reveal", "goals": ["7-moons-leaves", "3-suns-knots", "5-suns-waves"]}

RIVALS = [
    {"type": "round", "ended_by": 0, "packs": [[[3], [2]], [[1], [4]], [[5], [5]]]},
    {"type": "round", "ended_by": 1, "packs": [[[1], [2]], [[6], [1]], [[10], [1]]]},
    {"type": "round", "ended_by": None, "packs": [[[], []], [[1], []], [[], [1]]]},
]
COUNT = {"type": "count", "grey": [[1] * 11, [2] * 6]}

SWIM = [
    {"type": "swim", "player": 0, "rank": 5},
    {"type": "kill", "player": 1, "value": 4},
    {"type": "kill", "player": 1, "value": 3},
    {"type": "protect", "player": 0, "value": 8},
]
DIED = [
    *SWIM[:3],
    {"type": "dead"},
    {"type": "wtf", "player": 0, "card": "elvis-effect", "target": None, "to": None},
    {"type": "flint-flush", "player": 1},
    {"type": "swim", "player": 1, "rank": 2},
    {"type": "wtf", "player": 0, "card": "mugger-croc", "target": 1},
    {"type": "buddha", "player": 0},
]

MATCHES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        # 98 + 10 + 20 + 20 and 55; then 60 against 103: all 163; then all eight for the bidder's team: 253 and 100
        record("beloz", 4, BELOZ),
        {
            "game": "beloz",
            "scores": [311, 408],
            "finished": False,
            "stopped": False,
            "winners": [],
            "rounds": [[148, 55], [163, 0], [0, 353]],
            "dealer": 0,
            "opener": 1,
            "contracts": ["won", "broken", "won"],
        },
    ),
    (
        record("beloz", 4, [*BELOZ, {"type": "stop"}], options={"target": 400, "tied_declarations": "next-highest"}),
        {"error": {"event": 4}},
    ),
    (
        record("beloz", 4, [BELOZ[0], {"type": "stop"}]),
        {"scores": [148, 55], "finished": True, "stopped": True, "winners": []},
    ),
    (
        record("beluga-cup", 2, BELUGA_CUP, options={"seal": None, "words": []}),
        {"scores": [0, 0], "eaten": [{"moons": 1}, {}], "bag": 31, "turn": 0, "finished": False},
    ),
    (
        # player 1 has 1 moon against 2, and player 0 gives 1; the second bite on zone 2 leaves the bag at 28
        record("beluga-cup", 2, UNTRACKED, options={"cards": "untracked"}),
        {"scores": [1, 0], "eaten": [{"moons": 2, "suns": 1, "waves": 1}, {"moons": 1}], "bag": 28, "turn": None},
    ),
    (
        record("beluga-cup", 2, EXCUSE, options={"deck": "courts", "fish_per_suit": 8}),
        {"scores": [0, 0], "eaten": [{}, {}], "bag": 38, "turn": 1},
    ),
    (
        record("beluga-cup", 2, TAKE, options={"deck": "courts"}),
        {"scores": [0, 0], "bag": 32, "turn": 0},
    ),
    (
        record("bisque", 3, BISQUE),
        {
            "scores": [0, 0, 0],
            "rounds": [],
            "pot": POT.split(),
            "suits": {"moons": 42, "suns": 38, "waves": 14, "leaves": 5, "wyrms": 0, "knots": 9},
            "dealer": 0,
            "opener": 1,
        },
    ),
    (
        record("bisque", 3, [*BISQUE, GOALS], options={"hands": 1}),
        {"game": "bisque", "scores": [5, 9, 14], "finished": True, "stopped": False, "winners": [2], "rounds": [[5, 9, 14]]},
    ),
    (
        record("rivals", 2, RIVALS),
        {
            "scores": [None, None],
            "captured": [11, 6],
            "packs": [
                {"grey": 1, "won_by": [0, 1, None]},
                {"grey": 0, "won_by": [1, 0, 0]},
                {"grey": 0, "won_by": [None, 0, 1]},
            ],
            "first_player": 0,
        },
    ),
    (
        record("rivals", 2, [*RIVALS, COUNT], options={}),
        {"game": "rivals", "scores": [11, 12], "finished": True, "stopped": False, "winners": [1]},
    ),
    (
        record("what-the-fish", 2, SWIM),
        {
            "scores": [0, 0],
            "fish": {"player": 0, "rank": 5},
            "layers": [5, 7, 8],
            "to_beat": 8,
            "dies": False,
            "free_fish": [0, 0],
            "dead_fish": 0,
        },
    ),
    (
        record("what-the-fish", 2, [*SWIM, {"type": "free"}]),
        {"scores": [1, 0], "finished": True, "winners": [0], "fish": None, "layers": [], "to_beat": None, "dies": False},
    ),
    (record("what-the-fish", 2, DIED), {"scores": [0, 0], "fish": None, "dead_fish": 1}),
    # refused
    (record("beloz", 4, [*BELOZ, {"type": "passed_deal"}]), {"error": {"event": 4}}),
    (record("beloz", 3, BELOZ), {"error": {"event": None}}),
    (record("beluga-cup", 2, BELUGA_CUP[1:]), {"error": {"event": 3}}),
    (record("bisque", 3, [*BISQUE, BISQUE[0]]), {"error": {"event": 11}}),
    (record("rivals", 2, [COUNT]), {"error": {"event": 0}}),
    (record("what-the-fish", 2, [*SWIM, {"type": "dead"}]), {"error": {"event": 4}}),
]

TABLE = [{"fish": ["suns"], "sides": [[], []]}, {"fish": ["suns"] * 2, "sides": [[], []]}]
LOOK_UPS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {"game": "beloz", "flooded": "north", "expedition": [], "player": 0, "hand": ["north-lion"]},
        {"legal": ["north-lion"], "duty": "launch"},
    ),
    (
        {
            "game": "beloz",
            "ask": "declarations",
            "flooded": "south",
            "hand": ["north-lion", "north-leopard", "north-elephant", "south-monkey", "east-meerkat", "west-meerkat"],
        },
        {
            "points": 20,
            "declarations": [{"kind": "straight_flush", "plain": "north", "lowest": 6, "highest": 8}],
            "beloz": False,
        },
    ),
    (
        {
            "game": "beluga-cup",
            "player": 0,
            "hand": ["crown-moons"],
            "zones": [*TABLE, {"fish": ["suns"] * 3, "sides": [[], []]}, {"fish": ["waves"] * 4, "sides": [[], []]}],
        },
        {"plays": [], "must_discard": True},
    ),
    ({"game": "bisque", "trick": ["3-moons-waves", "ace-moons", "3-suns-knots"]}, {"winner": 0}),
    (
        {
            "game": "rivals",
            "hand": [5, "turtle"],
            "actions": 1,
            "packs": [
                {"top": 5, "mine": 3, "theirs": 2, "theirs_hidden": 1},
                {"top": 1, "mine": 0, "theirs": 0, "theirs_hidden": 0},
                {"top": 6, "mine": 3, "theirs": 0, "theirs_hidden": 0},
            ],
        },
        {"plays": [{"card": 5, "pack": 2, "face_up": False}, {"card": "turtle", "pack": 1}], "may_end_round": False},
    ),
    (
        {"game": "what-the-fish", "ask": "kill", "to_beat": 11, "already": 9, "hand": [4, 6, 13]},
        {"enough": True, "cheapest": [4]},
    ),
    # refused
    ({"game": "beloz", "flooded": "up", "expedition": [], "player": 0, "hand": []}, {"error": {"event": None}}),
    ({"game": "what-the-fish", "ask": "protect", "to_beat": 5, "already": 9, "hand": [4]}, {"error": {"event": None}}),
]
