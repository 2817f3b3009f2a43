"""Does one small script a topic cost a page no trip after the other?"""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from itertools import takewhile
from pathlib import Path

import pytest

from companion.web.delivery import scripts

FOLDER = Path(__file__).parents[2] / "static" / "js"
MOST_LINES = 250


def imports(name: str) -> set[str]:
    """Return the modules without which this one does not run."""
    return set(re.findall(r'^(?:import|\} from).*"\./([\w-]+)\.js"', (FOLDER / f"{name}.js").read_text(), re.MULTILINE))


EVERYWHERE = imports("companion") | {"companion"}
ENTERING = imports("entering") | {"entering"}  # where something is entered


@pytest.mark.parametrize(
    ("path", "modules"), [("/", EVERYWHERE), ("/tables/new", EVERYWHERE | ENTERING), ("/may-i/bisque", EVERYWHERE | ENTERING)]
)
def test_what_a_page_loads_is_told_at_once(app, path, modules):
    phone = app.test_client()
    preloaded = re.findall(r'<link rel="modulepreload" href="(/static/\w+/js/([\w-]+)\.js)">', phone.get(path).text)
    assert {name for _, name in preloaded} == modules
    assert len(preloaded) > 10
    for address, _ in preloaded:
        assert phone.get(address).mimetype == "text/javascript"


def test_no_other_script_waits_for_one_that_no_page_has_loaded():
    known = EVERYWHERE | ENTERING
    worker = {"pocket-worker", "pocket-memory", "places"}  # which no page waits for, and which come with what is taken along
    of_one_phone = (
        "ask away back become bring code copy guests hand host in line network news pace page paired qr spare seats strip"
        " take trust turn way"
    )
    together = {
        "codes",
        "codes-entries",
        "codes-frames",
        "codes-pass",
        "pocket-changes",
        "system",
        "together",
        *(f"together-{part}" for part in of_one_phone.split()),
    }
    for name in EVERYWHERE | {"take-along"}:  # the home page's
        assert imports(name) <= EVERYWHERE, name
    for file in FOLDER.glob("*.js"):
        # their two pages tell of all of them
        loaded = known | together | {"pocket", "carry", "hand-on"} if file.stem in {*together, "pocket"} else known
        loaded |= {"on-canvas"} if file.stem == "evening-card" else set()  # its page tells of it, too
        assert imports(file.stem) <= (worker if file.stem in worker else loaded), file.name


def test_a_script_is_sent_without_its_comments(tmp_path):
    file = tmp_path / "a.js"
    file.write_text(
        "// Why?\n"
        "let a = 1; // one\n"
        "  // two\n"
        "/** @param {URL} b\n"
        " *  c */\n"
        "/* d */ let e = 'https://f/*'; /* g */\n"
        "let h = '*/';\n"
    )
    assert scripts.sent(file) == "\nlet a = 1; // one\n\n\n\n/* d */ let e = 'https://f/*'; /* g */\nlet h = '*/';\n"


def test_no_line_of_a_script_is_sent_elsewhere_or_lost(client):
    lost = 0
    for file in FOLDER.glob("*.js"):
        written = file.read_text().splitlines()
        sent = client.get(f"/static/js/{file.name}").text.splitlines()
        assert len(sent) == len(written), file.name
        template = False  # a text over several lines keeps what looks like a comment
        for line, (was, now) in enumerate(zip(written, sent, strict=True), 1):
            assert now == was or (not now and not template and was.lstrip().startswith(("//", "/*", "*"))), (file.name, line)
            template ^= now.count("`") % 2 == 1
            lost += now != was
    assert lost > 1_000


def test_scripts_import_in_one_direction():
    """An import that comes later counts too. Whoever would import upwards sends an event instead."""
    named = {
        file.stem: set(re.findall(r'(?:from |import |import\()"\./([\w-]+)\.js"', file.read_text()))
        for file in FOLDER.glob("*.js")
    }
    assert named["outbox"] >= {"outbox-store", "pages"}
    TopologicalSorter(named).prepare()  # raises CycleError with the circle


def test_every_script_says_which_question_it_answers_and_is_short():
    for file in FOLDER.glob("*.js"):
        lines = file.read_text().splitlines()
        comment = list(takewhile(lambda line: line.startswith("//"), lines))
        assert "?" in " ".join(comment), file.name
        assert len(lines) <= MOST_LINES, file.name


def test_what_a_script_offers_to_others_says_of_which_types_it_is():
    """TypeScript (`make test`) checks what is said."""
    offered = r"(/\*\*(?:(?!\*/)[\s\S])*\*/\n)?export (?:async )?(?:function \w+|const \w+ = )\(([^)]*)\)"
    found = 0
    for file in FOLDER.glob("*.js"):
        for words, parameters in re.findall(offered, file.read_text()):
            names = re.sub(r"\{[^}]*\}", "", parameters).split(",") if parameters else []
            assert words.count("@param") == len(names), (file.name, parameters)
            found += 1
    assert found > 20
