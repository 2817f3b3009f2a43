"""What does the API tell of the games? Who plays, with which options and cards, and the rules in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, get_args

import msgspec
from flask import url_for
from msgspec import Meta

from companion.engine.core import Game, Question
from companion.rulebook.book import Book, BookEntry, BookTable, plain
from companion.screens.plugin import GamePlugin


class Seats(msgspec.Struct, frozen=True):
    """Fewest and most players."""

    fewest: int
    most: int


class LookUpData(msgspec.Struct, frozen=True):
    """A question that needs no match. ``schema`` is its schema's name, ``ask`` lists the values of its field of that name."""

    schema: str
    asks: str
    ask: list[str]


class GameSummary(msgspec.Struct, frozen=True):
    """A game that Companion knows. ``edition`` counts the changes of its rules as coded here."""

    slug: str
    title: str
    players: Seats
    turns: bool
    edition: int
    look_ups: list[LookUpData]
    verifies: Annotated[bool, Meta(description="whether the app draws in this game, so that a record can be verified")]
    data: Annotated[str, Meta(description="the address of its cards, points and options")]
    rules: Annotated[str | None, Meta(description="the address of its rules in words, if there are any")]


class GameList(msgspec.Struct, frozen=True):
    """All games."""

    games: list[GameSummary]


class OptionData(msgspec.Struct, frozen=True):
    """What players agree on before a match: what it is without saying, and the JSON Schema of what it can be."""

    name: str
    default: Any
    schema: dict[str, Any]


class Figure(msgspec.Struct, frozen=True):
    """A table of figures as the rules print it. The first cell of a row names it."""

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class GameData(msgspec.Struct, frozen=True):
    """A game's events, options, cards and figures."""

    slug: str
    title: str
    players: Seats
    events: Annotated[list[str], Meta(description="the types of event that a record of this game can hold")]
    options: list[OptionData]
    cards: list[Any]  # :mod:`.openapi` says what each game's are
    figures: list[Figure]


class RuleEntry(msgspec.Struct, frozen=True):
    """An entry of the rules. ``ruling`` is its code if it is one; ``cites`` are the names by which the engine means it."""

    id: str
    section: str
    title: str
    text: str
    figures: list[Figure]
    cites: tuple[str, ...]
    ruling: str | None
    href: str


class RuleBook(msgspec.Struct, frozen=True):
    """The rules of a game in short entries."""

    slug: str
    title: str
    lead: str
    entries: list[RuleEntry]


def summary(plugin: GamePlugin) -> GameSummary:
    """Return a game in short."""
    game = plugin.game
    return GameSummary(
        slug=game.slug,
        title=game.title,
        players=Seats(*game.seats),
        turns=game.turns,
        edition=game.rules_version,
        look_ups=[_look_up(game, kind) for kind in game.questions],
        verifies=game.verify is not None,
        data=url_for("api.game", slug=game.slug),
        rules=None if plugin.book is None else url_for("api.rule_book", slug=game.slug),
    )


def _look_up(game: Game[Any], kind: type[Question]) -> LookUpData:
    ask = next((get_args(field.type) for field in msgspec.structs.fields(kind) if field.encode_name == "ask"), ())
    return LookUpData(f"{game.slug}.{kind.__name__}", " ".join((kind.__doc__ or "").split()), list(ask))


def game_data(plugin: GamePlugin) -> GameData:
    """Return everything about a game that a program may want to show or check."""
    game = plugin.game
    tables = plugin.figures() if plugin.figures else {}
    return GameData(
        slug=game.slug,
        title=game.title,
        players=Seats(*game.seats),
        events=[str(kind.__struct_config__.tag) for kind in game.event_types()],
        options=list(_options(game)),
        cards=list(plugin.cards() if plugin.cards else ()),
        figures=[_figure(name, table) for name, table in tables.items() if isinstance(table, BookTable)],
    )


def _options(game: Game[Any]) -> Iterable[OptionData]:
    schema = msgspec.json.schema(game.options)
    properties = schema["$defs"][game.options.__name__]["properties"]
    defaults = msgspec.to_builtins(game.options())
    return (OptionData(name, defaults[name], part) for name, part in properties.items())


def _figure(name: str, table: BookTable) -> Figure:
    rows = tuple(tuple(plain(cell) for cell in row) for row in table.rows)
    return Figure(name, str(table.caption), tuple(map(str, table.head)), rows)


def rule_book(book: Book) -> RuleBook:
    """Return the rules of a game in words."""
    entries = [_entry(book.slug, section.title, entry) for section in book.sections for entry in section.entries]
    return RuleBook(book.slug, book.title, plain(book.lead), entries)


def _entry(slug: str, section: str, entry: BookEntry) -> RuleEntry:
    tables = [block for block in entry.blocks if isinstance(block, BookTable)]
    return RuleEntry(
        id=entry.address,
        section=section,
        title=entry.title,
        text=entry.text,
        figures=[_figure(entry.address, table) for table in tables],
        cites=entry.rules,
        ruling=entry.code or None,
        href=address(slug, entry),
    )


def address(slug: str, entry: BookEntry) -> str:
    """Return where an entry of the rules can be read."""
    return url_for("rules.show_book", slug=slug, _anchor=entry.address)
