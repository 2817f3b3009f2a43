"""Which games are there? Companion's own, a line each, and those of installed packages.

Menus, pages, the API and the tests walk :data:`PLUGINS`; nothing else lists games. A package adds one by an entry point of the
group ``companion.games`` that leads to its :class:`~companion.screens.plugin.GamePlugin`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from companion import GAMES_GROUP, sheets
from companion.almanac.facts import PLAIN, Reader
from companion.engine import GAMES, PACKAGES
from companion.engine.core import MOST_PEOPLE, RuleError, start
from companion.languages import ENGLISH, Language
from companion.matches.log import Log
from companion.rulebook.book import Book, BookEntry
from companion.screens import beloz, beluga_cup, bisque, rivals, what_the_fish
from companion.screens.interface import Screens
from companion.screens.plugin import GamePlugin
from companion.screens.theme import HOME, Theme
from companion.settings import StartupError

PLUGINS: Final[dict[str, GamePlugin]] = {
    plugin.slug: plugin
    for plugin in (
        beloz.PLUGIN,
        beluga_cup.PLUGIN,
        bisque.PLUGIN,
        rivals.PLUGIN,
        what_the_fish.PLUGIN,
        sheets.PLUGIN,
    )
}

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@cache
def add_installed() -> None:
    """Add the games of installed packages, once in a process.

    Raises:
        StartupError: a game is broken, or its slug is taken. The sentence names the game and its package.
    """
    add(entry_points(group=GAMES_GROUP))


def add(offered: Iterable[EntryPoint]) -> None:
    """Add the games that these entry points lead to, and their rules to those that the engine knows. Raises StartupError."""
    for entry_point in offered:
        package = entry_point.dist.name if entry_point.dist else entry_point.module
        try:
            plugin = entry_point.load()
        except Exception as broken:  # whatever a package does when it is imported, the host should hear which one it is
            why = f"{type(broken).__name__}: {broken}"
            raise StartupError(f"The game “{entry_point.name}” of {package} can't be loaded ({why}).") from broken
        wrong = what_is_wrong(plugin)
        if wrong:
            raise StartupError(f"The game “{entry_point.name}” of {package} can't be played here: {wrong}")
        PLUGINS[plugin.slug] = plugin
        GAMES[plugin.slug] = plugin.game
        PACKAGES[plugin.slug] = package


def what_is_wrong(plugin: object) -> str:
    """Return why this can't be one more game, as a sentence; nothing when it can."""
    if not isinstance(plugin, GamePlugin):
        return f"its entry point leads to a {type(plugin).__name__}, not to a GamePlugin."
    slug, most = plugin.slug, plugin.game.seats[1]
    if most > MOST_PEOPLE:
        return f"it is for up to {most} players, and a table has {MOST_PEOPLE} seats."
    if not _SLUG.fullmatch(slug):
        return f"“{slug}” can't stand in an address. A slug has small letters, digits and single hyphens."
    if slug in PLUGINS or slug in GAMES:
        return f"there is a game “{slug}” already."
    others = {part.slug for part in (plugin.screens, plugin.look_up, *plugin.calculators.values()) if part is not None} - {slug}
    if others:
        return f"its rules are called “{slug}”, its pages “{others.pop()}”."
    try:
        if plugin.screens is not None:
            start(plugin.game, plugin.screens.sample_players)
        plugin.find_rule("")
    except RuleError as refused:
        return f"its sample players can't begin a match. {refused.message}"
    except (OSError, ValueError) as broken:
        return f"its rulebook can't be read ({broken})."
    return ""


def screens_of(slug: str) -> Screens | None:
    """Return the pages of a game, or None if there is no such game or it has none."""
    plugin = PLUGINS.get(slug)
    return None if plugin is None else plugin.screens


def theme_of(slug: str) -> Theme:
    """Return how a game looks. A game that is not there any more looks like home."""
    plugin = PLUGINS.get(slug)
    return HOME if plugin is None else plugin.theme


def first_of(slug: str) -> str:
    """Return what the first player of a game's matches does: "deals", "starts", or "" for nothing."""
    plugin = PLUGINS.get(slug)
    return "" if plugin is None else plugin.first


def reader_of(slug: str) -> Reader:
    """Return how the almanac reads a game's matches; by their scores, if the game is not there any more."""
    plugin = PLUGINS.get(slug)
    return PLAIN if plugin is None else plugin.almanac


def lowest_wins(slug: str) -> bool:
    """Return True for a game in which the fewest points win."""
    screens = screens_of(slug)
    return screens is not None and screens.lowest_wins


def fewest_win(slug: str, log: Log) -> bool:
    """Return True if the fewest points win this match of a game."""
    screens = screens_of(slug)
    return screens is not None and screens.fewest_win(log)


def tie_of(slug: str, log: Log) -> str:
    """Return how a tie of this match was broken, in few words; nothing where its game always says the same."""
    screens, standing = screens_of(slug), log.standing
    if screens is None or not standing.finished or standing.stopped or not standing.winners:
        return ""
    return screens.finale(log).tie


def book_of(slug: str, language: Language = ENGLISH) -> Book | None:
    """Return the rulebook of a game, or None if there is no such game or it has none."""
    plugin = PLUGINS.get(slug)
    return None if plugin is None else plugin.book_in(language)


def books(language: Language = ENGLISH) -> list[Book]:
    """Return the rulebooks that there are."""
    books_in_language = (plugin.book_in(language) for plugin in PLUGINS.values())
    return [book for book in books_in_language if book is not None]


def find_rule(slug: str, rule: str, language: Language = ENGLISH) -> BookEntry | None:
    """Return the entry of a game's rulebook that explains a rule as the engine names it."""
    plugin = PLUGINS.get(slug)
    return None if plugin is None else plugin.find_rule(rule, language)
