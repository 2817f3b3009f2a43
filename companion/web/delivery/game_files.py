"""What do games add to the templates and static files? Their colours, and installed ones a folder of each.

Pages find a game's files as ``games/<slug>/<name>``, templates and static files alike; the static ones have the same versioned
address as all others. The colours of all games are sent with Companion's own style sheet, so that they cost no request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from flask import Flask, Response, send_from_directory, url_for
from jinja2 import BaseLoader, ChoiceLoader, FileSystemLoader, PrefixLoader

from companion import languages
from companion.games import PLUGINS, first_of, lowest_wins, theme_of
from companion.screens.theme import HOME, Theme, pair_of

FOLDER: Final = "games"

_PAGE: Final = ("ground", "surface", "callout", "line", "ink", "text_muted", "accent", "on_accent", "soft", "edge")
_DRAWN: Final = {
    "sun": "surface",
    "near": "accent",
    "far": "text_muted",
}  # at the end of a match, and what else they are made of
_CHOSEN: Final = ("accent", "on_accent", "soft")  # what can be chosen at a table wears them of its game, all else those of home
_BOX: Final = ("box", "box_edge", "box_side", "on_box")


def _folders() -> Iterator[tuple[str, Path]]:
    return ((slug, plugin.folder) for slug, plugin in PLUGINS.items() if plugin.folder is not None)


def init_app(app: Flask) -> None:
    """Let pages find the templates of installed games, and the signs and style sheets of all."""
    theirs: BaseLoader = PrefixLoader({slug: FileSystemLoader(folder / "templates") for slug, folder in _folders()})
    languages.add(folder / "languages" for _, folder in _folders())
    own_loader = app.jinja_loader
    app.jinja_loader = ChoiceLoader([*([own_loader] if own_loader else []), PrefixLoader({FOLDER: theirs})])
    for look in (theme_of, first_of, lowest_wins, game_icon, game_styles, sign):
        app.add_template_global(look)


def static_folders() -> list[Path]:
    """Return where installed games have their static files."""
    return [folder / "static" for _, folder in _folders()]


def names() -> list[str]:
    """Return the static files of installed games, by the names that pages use."""
    return sorted(
        f"{FOLDER}/{slug}/{file.relative_to(folder / 'static').as_posix()}"
        for slug, folder in _folders()
        for file in (folder / "static").rglob("*")
        if file.is_file()
    )


def send(filename: str) -> Response | None:
    """Return a static file of an installed game; None for any other file."""
    room, _, rest = filename.partition("/")
    slug, _, name = rest.partition("/")
    folder = dict(_folders()).get(slug) if room == FOLDER else None
    return None if folder is None else send_from_directory(folder / "static", name)


def game_icon(slug: str) -> str:
    """Return a game's sign as the macro ``icon`` takes it: by its name in the sprite, or by the address of its own file."""
    return sign(slug, theme_of(slug).icon)


def sign(slug: str, name: str) -> str:
    """Return a drawing of a game by its name in the sprite, or by the address of the game's own file and the name in it."""
    file, _, symbol = name.rpartition("#")
    return f"{url_for('static', filename=f'{FOLDER}/{slug}/{file}')}#{symbol}" if file else symbol


def game_styles(slug: str, every_game: bool = False) -> list[str]:
    """Return the style sheets of a game; those of all games for a page that shows pieces of each."""
    themes = [plugin.theme for plugin in PLUGINS.values()] if every_game else [theme_of(slug)]
    return list(dict.fromkeys(theme.style for theme in themes if theme.style))


def colours() -> str:
    """Return the colours of all games as a style sheet: by ``data-game`` for pages, by ``data-box`` for boxes."""
    rules = [_rule(':root,[data-game="home"]', _page(HOME)), _rule("[data-box]", _box(HOME))]
    for slug, plugin in PLUGINS.items():
        rules += [_rule(f'[data-game="{slug}"]', _page(plugin.theme)), _rule(f'[data-box="{slug}"]', _box(plugin.theme))]
    table = ((name, value) for name, value in _page(HOME) if name not in _CHOSEN and name not in _DRAWN)
    return "".join((*rules, _rule(".lobby,#footer[data-game],#sheet[data-game]", table)))


def _rule(selector: str, colours: Iterable[tuple[str, str]]) -> str:
    lines = "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colours)
    return f"{selector}{{{lines}}}\n"


def _page(theme: Theme) -> Iterator[tuple[str, str]]:
    """Yield each colour's pair, so written that the one of the phone's theme counts; tokens.css says how."""
    for name in (*_PAGE, *_DRAWN):
        pair = pair_of(theme, name) if name in _PAGE else getattr(theme, name)
        if pair is None:
            yield name, f"var(--{_DRAWN[name].replace('_', '-')})"
        else:
            yield name, f"var(--light,{pair[0]}) var(--dark,{pair[1]})"


def _box(theme: Theme) -> Iterator[tuple[str, str]]:
    return ((name, getattr(theme, name)) for name in _BOX)
