"""What does a page's style sheet hold? All that it imports, each file in its layer, and no comment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import PLUGINS
from companion.web.delivery import offline, style_sheets

STATIC = Path(__file__).resolve().parents[2] / "static"


def write(folder: Path, **texts: str) -> None:
    """Write files below ``css``; two underscores in a name stand for a slash."""
    for name, text in texts.items():
        file = folder / "css" / f"{name.replace('__', '/')}.css"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def test_a_file_is_of_the_layer_that_its_folder_is_named_after(tmp_path):
    write(tmp_path, pages__lobby="/* Home */\n.a > .b {\n  gap: 0.5rem;\n  --dark: ;\n}\n", base__text=".box {\n  gap: 0;\n}\n")
    assert style_sheets.sheet("css/pages/lobby.css", tmp_path) == "@layer pages{.a>.b{gap:.5rem;--dark: }}"
    assert style_sheets.sheet("css/base/text.css", tmp_path) == "@layer base{.box{gap:0}}"


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        (":is(.a, .b)", ".a,.b"),
        (":is(.a, .b) > p:hover", ".a>p:hover,.b>p:hover"),
        (".z, :is(.a, .b[c] b)::after", ".z,.a::after,.b[c] b::after"),
        (":is(.a, .b):has(.c)", ":is(.a,.b):has(.c)"),
        (":not(.a, :is(.b, .c))", ":not(.a,:is(.b,.c))"),
        (".a:is(.b, .c)", ".a:is(.b,.c)"),
    ],
)
def test_browsers_find_a_rule_by_the_classes_of_its_list(tmp_path, written, sent):
    write(tmp_path, base__text=f"{written} {{\n  top: 0;\n}}\n")
    assert style_sheets.sheet("css/base/text.css", tmp_path) == f"@layer base{{{sent}{{top:0}}}}"


def test_colours_of_people_who_see_less_win_over_everything_else(tmp_path):
    write(tmp_path, wishes=".tick {\n}\n")
    sheet = style_sheets.sheet("css/wishes.css", tmp_path)
    assert sheet.startswith('@layer wishes{[data-colours="contrast"]')
    assert "@media (prefers-contrast: more)" in sheet
    assert sheet.endswith(".tick{}}")


def test_what_the_shared_sheet_imports_is_in_it(tmp_path):
    companion = '@layer components, layouts;\n@import "components/tile.css";\n@import "layouts/bar.css";\n'
    write(tmp_path, companion=companion, components__tile=".tile {\n}\n", layouts__bar=".tick {\n}\n")
    together = "@layer components,layouts;@layer components{.tile{}}@layer layouts{.tick{}}"
    assert style_sheets.sheet("css/companion.css", tmp_path) == together


def test_every_component_and_layout_reaches_the_pages():
    shared = (STATIC / "css" / "companion.css").read_text("utf-8")
    imported = set(re.findall(r'@import "(.+?)";', shared))
    parts = {file.relative_to(STATIC / "css").as_posix() for file in (STATIC / "css").rglob("*.css")}
    loaded_alone = {name for name in parts if name.startswith(("pages/", "games/", "across/"))} | {"companion.css"}
    assert imported == parts - loaded_alone


def test_a_sheet_may_import_one_of_another_layer(tmp_path):
    write(tmp_path, across__ending=".sky {\n}\n", pages__match='@import "../across/ending.css";\n.news {\n}\n')
    assert style_sheets.sheet("css/pages/match.css", tmp_path) == "@layer across{.sky{}}@layer pages{.news{}}"


def test_each_layer_has_its_place_in_the_order():
    shared = (STATIC / "css" / "companion.css").read_text("utf-8")
    order = re.search(r"@layer (.+?);", shared)[1].split(", ")
    of_files = {file.stem if file.parent.name == "css" else file.parent.name for file in (STATIC / "css").rglob("*.css")}
    assert of_files - {"companion"} == set(order)


@pytest.mark.sqlite
def test_a_phone_keeps_the_sheets_that_pages_load_and_no_part_of_one(app):
    with app.test_request_context():
        kept = {re.sub(r"^/static/[0-9a-f]+/", "", place) for place in offline.assets(STATIC)}
    sheets = {name for name in kept if name.endswith(".css")}
    styles = {plugin.theme.style for plugin in PLUGINS.values() if plugin.theme.style}
    assert {"css/companion.css", "css/pages/match.css", *styles} <= sheets
    assert not {name for name in sheets if name.startswith(("css/components/", "css/layouts/"))}
