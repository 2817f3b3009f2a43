"""Do old televisions understand the big screen? All that its styles say is held against what Chromium 53 knew.

A property that it does not know is left out, a selector or condition that it does not know takes its whole rule with it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.web.delivery import style_sheets

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "static"

PROPERTIES = """
    align-content align-items align-self background background-color border border-bottom border-color border-left
    border-radius border-right border-style border-top border-width bottom box-shadow box-sizing clip color content cursor
    display fill flex
    flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-family font-size font-style
    font-variant-numeric font-weight height justify-content left letter-spacing line-height list-style margin margin-bottom
    margin-left margin-right margin-top max-height max-width min-height min-width opacity order outline outline-offset overflow
    overflow-wrap padding padding-bottom padding-left padding-right padding-top position right stroke stroke-dasharray
    stroke-width text-align text-decoration text-overflow text-transform top transform transition vector-effect vertical-align
    visibility white-space width word-wrap z-index
"""
LEFT_OUT = frozenset({"color-scheme"})  # newer; without it nothing is lost
VALUES_SINCE = frozenset(
    {
        *("anywhere", "break-spaces", "clip-path", "contents", "flow-root", "fit-content", "grid", "inline-grid", "revert"),
        *("space-evenly", "sticky"),
    }
)
FUNCTIONS = frozenset({"calc", "rect", "rgb", "rgba", "url", "var"})
PSEUDO = frozenset(
    {"active", "after", "before", "empty", "first-child", "focus", "hover", "last-child", "not", "nth-child", "root"}
)
# a preference that it can't know is never met
FEATURES = """
    max-aspect-ratio max-height max-width min-aspect-ratio min-height min-width orientation prefers-color-scheme
    prefers-contrast prefers-reduced-motion
"""
UNITS = frozenset({"", "%", "deg", "em", "ms", "px", "rem", "s", "vh", "vw"})
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


@pytest.fixture(scope="module", params=["screen", "club"])
def style(request):
    """Return one of the two sheets, as a television gets it."""
    if request.param == "screen":
        return style_sheets.sheet(style_sheets.SCREEN, STATIC)
    return re.sub(r"/\*.*?\*/", "", (STATIC / "screen" / "club.css").read_text("utf-8"), flags=re.DOTALL)


def declarations(style):
    """Yield each property with its value; custom properties too."""
    for _, body in RULE.findall(style):
        for declaration in body.split(";"):
            if ":" in declaration:
                name, _, value = declaration.partition(":")
                yield name.strip(), value.strip()


def test_every_property_was_known(style):
    told = {name for name, _ in declarations(style) if not name.startswith("--")}
    assert len(told) > 30
    assert told - set(PROPERTIES.split()) - LEFT_OUT == set()


def test_every_value_was_known(style):
    for name, value in declarations(style):
        assert set(re.findall(r"([a-z-]+)\(", value)) <= FUNCTIONS, (name, value)
        assert not set(re.findall(r"[a-z-]+", value)) & VALUES_SINCE, (name, value)
        assert all(len(digits) in {3, 6} for digits in re.findall(r"#([0-9a-fA-F]+)", value)), (name, value)  # eight came later
        if not name.startswith("--") or f"var({name}" in style:
            assert not re.search(r"rgba?\([^)]*(?:/|\d \d)", value), (name, value)  # with commas only
        assert name != "overflow" or "clip" not in value, (name, value)
        assert name != "opacity" or "%" not in value, (name, value)
        assert not (name.startswith(("align", "justify")) and set(value.split()) & {"start", "end"}), (
            name,
            value,
        )  # flex-start
        plain = re.sub(r"#[0-9a-fA-F]+|\"[^\"]*\"|--[\w-]+", "", value)
        assert set(re.findall(r"(?<![\w-])-?[\d.]+([a-z%]*)", plain)) <= UNITS, (name, value)


def test_every_selector_was_known(style):
    assert not re.search(r"&|\{[^{}]*\{[^{}]*\{", style)  # no rule in another's
    for selector, _ in RULE.findall(re.sub(r"@media[^{]+\{", "", style)):
        newer = set(re.findall(r":([a-z-]+)", selector)) - PSEUDO
        if "focus-visible" in newer:  # a rule of its own, which may be lost
            assert "," not in selector, selector
            newer.remove("focus-visible")
        assert newer == set(), selector
        assert not re.search(r":not\([^)]*[ ,>+~]", selector), selector  # of one simple selector alone


def test_every_condition_was_known(style):
    assert set(re.findall(r"@([a-z-]+)", style)) <= {"media"}
    for condition in re.findall(r"@media([^{]+)", style):
        assert set(re.findall(r"\(\s*([a-z-]+)", condition)) <= set(FEATURES.split()), condition
        assert not re.search(r"[<>=]|\bnot\b|\bor\b", condition), condition


@pytest.mark.parametrize(
    "page", sorted([*ROOT.glob("templates/screen/*.html"), *ROOT.glob("templates/games/*/screen*.html")]), ids=str
)
def test_no_page_has_styles_or_scripts_of_its_own(page):
    html = page.read_text("utf-8")
    if page.name == "offer.html":  # of phones
        return
    assert "style=" not in html
    assert not re.search(r"<(dialog|picture|template|slot)\b|loading=|popover", html)
    for script in re.findall(r"<script[^>]*>", html):
        assert 'type="module"' in script or "screen-plain" in script


def test_the_script_for_them_is_of_their_time():
    script = (STATIC / "js" / "screen-plain.js").read_text("utf-8")
    assert not re.search(r"=>|\b(const|let|async|await|class|fetch|import|export)\b|\?\.|`|\.\.\.", script)


@pytest.mark.parametrize("name", ["screen", "club"])
def test_the_script_of_newer_ones_is_of_2018(name):
    """Chromium 66: one word that a television can't read stops the whole script."""
    script = (STATIC / "js" / f"{name}.js").read_text("utf-8")
    words = r"\?\.\D|\?\?|(?:\|\||&&)=|\d_\d|\d+n\b|\bimport\(|\bstatic\b|#\w+\(|\bawait using\b"
    calls = r"\.(?:replaceChildren|replaceAll|matchAll|at|flat|flatMap|toggleAttribute|fromEntries|allSettled|any)\("
    assert not re.search(f"{words}|{calls}", script)
