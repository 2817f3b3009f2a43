"""How does a sentence read with its parts? Translators see one example of each, and in which part of Companion it is said.

An example is made of the template, with what usually stands in a part of that name, where it is said in the game of its file.
"""

from __future__ import annotations

import re
from string import Formatter

PERCENT = re.compile(r"%\((\w+)\)[sd]")
BRACED = re.compile(r"\{(\w+)\}")  # what a script puts in
MARKUP = re.compile(r"<[^>]*>")

GAMES = {"beloz": "BeloZ", "beluga": "Beluga Cup", "bisque": "Bisque", "rivals": "Rivals", "what": "What the Fish!"}
OF_A_GAME = {"games", "beloz", "beluga cup", "bisque", "rivals", "what the fish"}  # names of folders
# what stands in a part, by its name; a part that is not here is a number
WORDS = {
    **dict.fromkeys(("player", "dealer", "winner", "caller", "holder", "opener", "one", "turn", "receiver"), "Ana"),
    **dict.fromkeys(("who", "name", "fit", "quote", "typed", "text", "whose", "query"), "Bo"),
    **dict.fromkeys(("other", "others"), "Cy"),
    **dict.fromkeys(("team", "leading"), "Ana & Cy"),
    **dict.fromkeys(("names", "players"), "Ana, Bo and Cy"),
    **dict.fromkeys(("table", "day"), "Sunday"),
    **dict.fromkeys(("game", "slug"), "Bisque"),
    **dict.fromkeys(("scores", "totals", "series", "result"), "Ana 34, Bo 29"),
    **dict.fromkeys(("entry", "step", "what", "newer", "here"), "round 2"),
    **dict.fromkeys(("why", "message", "refused", "wrong", "complaint", "sentence", "reason"), "The pot is full with 11 cards"),
    **dict.fromkeys(("fish", "drawn", "returned", "got"), "2 suns and 1 wave"),
    **dict.fromkeys(("suit", "suits"), "suns"),
    **dict.fromkeys(("plain", "target", "flooded"), "North"),
    **dict.fromkeys(("animal", "animals"), "lion"),
    **dict.fromkeys(("declaration", "declarations", "mine", "quads", "run"), "run of three"),
    "theirs": "quads of lions",
    **dict.fromkeys(
        ("known", "choices", "methods", "values", "parts", "events", "packs", "zones", "number_words"), "1, 2 or 3"
    ),
    **dict.fromkeys(("link", "seal"), "K7QF"),
    **dict.fromkeys(("place", "where", "also", "side"), "zone 3"),
    **dict.fromkeys(("kind", "question", "part", "words", "outcome", "note"), "KILL"),
    **dict.fromkeys(("tag", "event", "needed", "value", "type", "encoding", "method", "letters", "sign"), "play"),
    **dict.fromkeys(("deck",), "basic"),
    "title": "Ana took North",
    "time": "8:15 pm",
    "whales": "3 whales",
}
CARDS = {"beloz": "North lion", "rivals": "7", "what": "KILL 13"}
CARD = "the 4 of wyrms and knots"
BOTH = {"beloz": "the North lion and the East lion"}
RANKS = {"beluga": "4", "bisque": "4"}
NUMBERS = {
    "round": "2",
    "hand": "2",
    "pack": "1",
    "zone": "3",
    "swim": "4",
    "high": "40",
    "points": "20",
    "total": "54",
    "first": "9",
}


def game_of(where: str) -> str:
    """Return the beginning of the game's name that a file is about, nothing if it is about all."""
    found = re.search(r"(?:engine|screens|games|components)/(\w+?)(?:[-_/.]|$)", where)
    return found[1] if found and found[1] in GAMES else ""


def place(where: str) -> str:
    """Return where a sentence is said, in words: the game, and whether its rules, its screens or a page say it.

    >>> place("companion/engine/beloz/scoring.py"), place("templates/table/join.html")
    ('BeloZ, its rules: scoring', 'All games, a page: table, join')
    """
    game = GAMES.get(game_of(where), "All games")
    pieces = [piece for piece in re.split(r"[/.]", where) if piece not in ("py", "html", "__init__", "companion", "templates")]
    area = pieces.pop(0)
    by = {"engine": "its rules", "screens": "what its pages say"}.get(
        area, "a page" if where.endswith(".html") else "Companion"
    )
    if by in ("a page", "Companion"):
        pieces.insert(0, area)
    told = [name for name in (re.sub("[-_]", " ", piece) for piece in pieces) if name not in OF_A_GAME]
    return f"{game}, {by}: {', '.join(told)}" if told else f"{game}, {by}"


def example(template: str, where: str) -> str:
    """Return a sentence with parts that are usual in it, nothing if it has none.

    >>> example("{player} took {plain}.", "companion/engine/beloz/play.py")
    'Ana took North.'
    """
    game = game_of(where)

    def usual(name: str) -> str:
        if name == "card":
            return CARDS.get(game, CARD)
        if name == "cards":
            return BOTH.get(game, CARD)
        if name == "rank":
            return RANKS.get(game, "8")
        return WORDS.get(name) or NUMBERS.get(name, "3")

    text = MARKUP.sub("", template)
    if PERCENT.search(text):
        return BRACED.sub(lambda found: usual(found[1]), PERCENT.sub(lambda found: usual(found[1]), text)).replace("%%", "%")
    pieces = list(Formatter().parse(text))
    if not any(name for _, name, _, _ in pieces):
        return ""
    said = "".join(before + ("" if name is None else usual(name)) for before, name, _, _ in pieces)
    return said[:1].upper() + said[1:] if re.match(r"\{\w+:C\}", text) else said
