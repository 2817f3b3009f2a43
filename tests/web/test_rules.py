"""The rules to read: every rule that the engine names has an entry, every link leads somewhere, the figures are the engine's."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

import companion.engine
from companion import rules
from companion.engine import GAMES
from companion.rules.book import Book

ENGINE = Path(companion.engine.__file__).parent

RULINGS = {"beloz": ("B", 14), "beluga-cup": ("U", 11), "bisque": ("Q", 6), "rivals": ("V", 8), "what-the-fish": ("W", 7)}

# the headings of the rule texts that a message may cite
SECTIONS = {
    "beloz": (
        *("Set up", "The Pachyderms", "The Aquatic Animals", "The Playful Animals", "The Territory of BeloZ", "The Big Cats"),
        *("Object", "Playing Cards", "Deal & Bid", "Gameplay", "Setting the Target Plain", "Playing the right card"),
        *("Winning the Expedition", "Gameplay Example", "Provide", "Discard and Intercept", "Declarations", "Scoring"),
        *("Example", "BeloZ Round Sequence", "Tips"),
    ),
    "beluga-cup": ("Game play", "Eating a zone", "End of Game", "The Excuse, and The Courts"),
    "bisque": (*("Introduction", "Overview", "Setup", "Deal", "Goal Cards", "Rank", "Game Play", "Scoring", "Game"),),
    "rivals": (
        *("What you need", "Setup", "Playing the game", "Players turn", "Play a card", "Exploration", "Turtle"),
        *("End of the round", "Winning"),
    ),
    "what-the-fish": (
        *("Object of the Game", "Game Play", "Start of Play", "Fish", "Kill a Fish", "Protection", "Dead Fish", "Flint Fish"),
        *("WTF Cards", "No Fish", "Empty Draw Pile", "End of the Game"),
    ),
}
DUTIES = ("launch", "provide", "rise", "intercept", "over-intercept", "leak", "discard")


def cited() -> Iterator[tuple[str, str]]:
    """Every rule that the engine's source names, with the game in whose module it stands."""
    for file in sorted(ENGINE.rglob("*.py")):
        module = file.relative_to(ENGINE).parts[0].removesuffix(".py")
        slug = module.replace("_", "-")
        if slug not in GAMES:
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                named = [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
                if isinstance(node.func, ast.Name) and node.func.id == "Line":
                    named += node.args[2:3]
                for value in named:
                    yield from ((slug, text) for text in texts(value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch("[BUQVW][0-9]+", node.value):
                yield slug, node.value  # wherever it stands: in a table of endings, in a choice


def texts(node: ast.AST | None) -> Iterator[str]:
    """The texts that an expression can be: both branches of a choice."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from texts(body)
            yield from texts(orelse)
        case ast.Tuple(elements):
            for element in elements:
                yield from texts(element)


def books() -> Iterator[Book]:
    for slug in GAMES:
        book = rules.book(slug)
        assert book is not None, f"{slug} has no rules to read"
        yield book


def test_the_engine_cites_rules_of_every_game() -> None:
    assert {slug for slug, _ in cited()} == set(GAMES)
    assert len(set(cited())) > 40


@pytest.mark.parametrize(("slug", "rule"), sorted(set(cited())))
def test_every_rule_that_the_engine_cites_has_an_entry(app: Flask, slug: str, rule: str) -> None:
    with app.test_request_context():
        assert app.jinja_env.globals["rule_href"](slug, rule) is not None, f"{slug}: {rule}"


@pytest.mark.parametrize("slug", GAMES)
def test_every_ruling_and_every_section_of_the_rule_text_has_an_entry(slug: str) -> None:
    letter, last = RULINGS[slug]
    for number in range(1, last + 1):
        entry = rules.find(slug, f"{letter}{number}")
        assert entry is not None
        assert entry.address == f"{letter}{number}".lower()
    for section in SECTIONS[slug]:
        assert rules.find(slug, section) is not None, section
