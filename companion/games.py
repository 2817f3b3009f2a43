"""Which games are there? Companion's own, a line each, and those of installed packages.

Menus, pages, the API and the tests walk :data:`PLUGINS`; nothing else lists games.
"""

from __future__ import annotations

from companion.engine import GAMES
from companion.rulebook.book import Book, Entry
from companion.screens import beloz, beluga_cup, bisque, rivals, what_the_fish
from companion.screens.page import Screens
from companion.screens.plugin import GamePlugin
from companion.screens.theme import HOME, Theme

PLUGINS: dict[str, GamePlugin] = {}


def add(plugin: GamePlugin) -> None:
    """Add a game to those that are offered, and its rules to those that the engine knows."""
    GAMES.setdefault(plugin.slug, plugin.game)
    PLUGINS[plugin.slug] = plugin


for _own in (beloz.PLUGIN, beluga_cup.PLUGIN, bisque.PLUGIN, rivals.PLUGIN, what_the_fish.PLUGIN):
    add(_own)


def screens_of(slug: str) -> Screens | None:
    """Return the pages of a game, or None if there is no such game or it has none."""
    plugin = PLUGINS.get(slug)
    return None if plugin is None else plugin.screens


def theme_of(slug: str) -> Theme:
    """Return how a game looks. A game that is not there any more looks like home."""
    plugin = PLUGINS.get(slug)
    return HOME if plugin is None else plugin.theme


def book_of(slug: str) -> Book | None:
    """Return the rulebook of a game, or None if there is no such game or it has none."""
    plugin = PLUGINS.get(slug)
    return None if plugin is None else plugin.book


def books() -> list[Book]:
    """Return the rulebooks that there are."""
    return [plugin.book for plugin in PLUGINS.values() if plugin.book is not None]


def find_rule(slug: str, rule: str) -> Entry | None:
    """Return the entry of a game's rulebook that explains a rule as the engine names it."""
    plugin = PLUGINS.get(slug)
    return None if plugin is None else plugin.find_rule(rule)
