"""Does the head of a match's log give away every change of it? Checked against the program of docs/fair-draws.md."""

from __future__ import annotations

import copy
import json
import random
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.engine import chain
from companion.engine.records import RecordError
from companion.engine.records.chained import answer_chains, is_table

FAIR_DRAWS = (Path(__file__).resolve().parents[2] / "docs" / "fair-draws.md").read_text("utf-8")
MUTATIONS: Final = 10_000

Table = dict[str, Any]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the second program of docs/fair-draws.md, word by word."""
    _, lines, _ = re.findall(r"```python\n(.*?)```", FAIR_DRAWS, re.DOTALL)
    file = tmp_path_factory.mktemp("docs") / "heads.py"
    file.write_text(lines, "utf-8")
    return file


@pytest.fixture(scope="module")
def independent_head(program: Path) -> Callable[[Any], str]:
    """Return its way to work out a head, which knows nothing of Companion."""
    head: Callable[[Any], str] = runpy.run_path(str(program))["head"]
    return head


def entry(number: int, **parts: Any) -> dict[str, Any]:
    """Return a line of a log."""
    return {"key": f"phone-{number}", "at": f"2026-11-05T20:{number:02}:00.25Z", "kind": "events", **parts}


def fill(zone: int, *fish: str) -> dict[str, Any]:
    return {"type": "fill", "zone": zone, "fish": list(fish), "drawn_by": "hand"}


def score(points: int, *, by: int = 0) -> dict[str, Any]:
    return {"type": "round", "points": points, "taker": {"seat": by, "plain": "south"}, "declared": [[1, 2], [3]]}


def table() -> Table:
    """Return a table's file with two matches, as Companion writes one, without heads."""
    first = {
        "game": "beluga-cup",
        "edition": 1,
        "players": ["Ana", "Bo"],
        "options": {"deck": "basic", "words": ["marée", "🐋"]},
        "created": "2026-11-05T20:00:00Z",
        "log": [
            entry(1, player=0, events=[fill(1, "moons"), fill(2, "suns", "suns")]),
            entry(2, player=2, events=[fill(3, "waves", "moons", "knots")], also=["other-2"]),
            entry(3, kind="correct", of=2, player=1, events=[fill(3, "waves", "moons", "leaves")]),
            entry(4, kind="undo", of=3),
            entry(5, kind="restore", made="2026-11-05T19:30:00Z"),
        ],
        "others": ["Cy"],
    }
    second = {
        "game": "beloz",
        "edition": 2,
        "players": ["Ana", "Bo", "Cyril", "Di"],
        "options": {},
        "created": "2026-11-05T21:00:00.000001+00:00",
        "log": [entry(10 + number, player=number % 4, events=[score(90 + number, by=number % 4)]) for number in range(8)],
        "names": ["Ana", "Bo", "Cy"],
        "chained": "2026-11-06T09:00:00Z",
    }
    people = [{"name": name, "seat": seat} for seat, name in enumerate(("Ana", "Bo", "Cyril", "Di"))]
    return {
        "format": "companion-table/1",
        "name": "Kitchen",
        "created": "2026-11-05T19:00:00Z",
        "players": people,
        "matches": [first, second],
    }


@pytest.fixture(scope="module")
def sealed(independent_head: Callable[[Any], str]) -> Table:
    """Return the table's file with the heads that the independent program gives."""
    made = table()
    for match in made["matches"]:
        match["head"] = independent_head(match)
    return made


def written(document: object, **how: Any) -> bytes:
    return json.dumps(document, **how).encode()


class TestCanonicalBytes:
    def test_a_line_is_what_the_docs_say(self) -> None:
        """Worked out with sha256sum: 32 zero bytes, then the line's bytes."""
        head = chain.link(
            "00" * 32,
            key="a",
            at=datetime(2026, 11, 5, 21, 15, tzinfo=timezone(timedelta(hours=1))),
            kind="events",
            player=0,
            name="Zoë",
            of=None,
            events=[{"type": "x", "by": None, "fish": []}],
        )
        # {"at":"2026-11-05T20:15:00.000000+00:00","events":[{"by":null,"fish":[],"type":"x"}],"key":"a","kind":"events",
        # "name":"Zoë","player":0}
        assert head == "cb6e198a8b7ff818641bf3a5153be2492d3792a09ac06061ac1fbed41b6d011f"

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(st.characters(exclude_categories=["Cs"])),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcXYZ_é", max_size=4), inner, max_size=4),
        )
    )
    def test_json_is_written_as_the_standard_library_writes_it_sorted_and_tight(self, content: Any) -> None:
        expected = json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
        assert chain.canonical(content) == expected

    def test_a_moment_is_in_utc_with_six_digits_of_a_second(self) -> None:
        assert chain.moment(datetime(2026, 1, 2, 3, 4, 5, 60)) == "2026-01-02T03:04:05.000060+00:00"
        assert chain.moment(datetime(2026, 1, 2, tzinfo=UTC)) == "2026-01-02T00:00:00.000000+00:00"


class TestOtherSoftware:
    """A file that says the same has the same heads, however it is written."""

    @pytest.mark.parametrize(
        "how", [{"indent": 4}, {"separators": (",", ":")}, {"ensure_ascii": False}, {"sort_keys": True}, {}]
    )
    def test_spaces_order_and_escapes_do_not_matter(self, sealed: Table, how: dict[str, Any]) -> None:
        answer: Any = answer_chains(written(sealed, **how))
        assert [each["head"] for each in answer["chains"]] == [match["head"] for match in sealed["matches"]]

    def test_nor_does_the_zone_of_a_time_or_what_is_null(self, sealed: Table) -> None:
        rewritten = copy.deepcopy(sealed)
        rewritten["matches"][0]["created"] = "2026-11-05T22:00:00.000+02:00"
        rewritten["matches"][0]["log"][3] |= {"player": None, "events": [], "at": "2026-11-05T19:04:00.250000-01:00"}
        assert answer_chains(written(rewritten)) == answer_chains(written(sealed))

    def test_further_keys_come_later_than_their_line(self, sealed: Table) -> None:
        rewritten = copy.deepcopy(sealed)
        del rewritten["matches"][0]["log"][1]["also"]
        assert answer_chains(written(rewritten)) == answer_chains(written(sealed))


class TestVerify:
    def test_each_match_says_its_entries_its_head_and_since_when_it_holds(self, sealed: Table) -> None:
        ran = CliRunner().invoke(main, ["verify", "-"], input=written(sealed, indent=1))
        assert ran.exit_code == 0
        first, second = json.loads(ran.output)["chains"]
        head = sealed["matches"][0]["head"]
        words = {code: listed.split(" ") for code, listed in first.pop("words").items()}
        moments = ["2026-11-05T19:30:00.000000+00:00"]
        about = {"match": 1, "game": "beluga-cup", "players": ["Ana", "Bo"], "entries": 5, "restored": moments}
        assert first == {**about, "head": head}
        assert {code: len(listed) for code, listed in words.items()} == {"en": 4, "fr": 4}
        assert (second["entries"], second["since"]) == (8, "2026-11-06T09:00:00.000000+00:00")
        assert second["players"] == ["Ana", "Bo", "Cy", "Di"]

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (lambda match: match["log"].pop(), "Match 2 was changed: its entries don’t give its head."),
            (lambda match: match.pop("head"), "Match 2 has no head: an older Companion wrote it."),
            (lambda match: match["log"][0].update(player=9), "This table file is damaged: its match has no person number 9."),
            (lambda match: match.update(note="x"), "This table file is damaged: Object contains unknown field note"),
        ],
    )
    def test_a_file_that_was_changed_is_refused(self, sealed: Table, change: Callable[[Any], Any], sentence: str) -> None:
        changed = copy.deepcopy(sealed)
        change(changed["matches"][1])
        ran = CliRunner().invoke(main, ["verify", "-"], input=written(changed))
        assert ran.exit_code == 2
        assert json.loads(ran.output)["error"]["message"].startswith(sentence)

    def test_a_name_that_is_given_twice_is_refused(self, sealed: Table) -> None:
        text = written(sealed).replace(b'"key": "phone-1"', b'"key": "phone-1", "key": "phone-1"', 1)
        with pytest.raises(RecordError, match="a name is given twice"):
            answer_chains(text)

    def test_other_documents_are_no_table(self) -> None:
        assert not any(map(is_table, (b"", b"{", b"[]", b'{"format": 1}', b'"companion-table/1"', b"\xff", b"[" * 100_000)))

    def test_the_program_of_the_docs_is_twenty_lines(self, program: Path) -> None:
        assert len([line for line in program.read_text("utf-8").splitlines() if line.strip()]) <= 20

    def test_a_restored_backup_is_named(self, sealed: Table) -> None:
        first, second = answer_chains(written(sealed))["chains"]
        assert first["restored"] == ["2026-11-05T19:30:00.000000+00:00"]
        assert "restored" not in second

    def test_the_program_of_the_docs_says_the_same(self, sealed: Table, program: Path, tmp_path: Path) -> None:
        changed = copy.deepcopy(sealed)
        changed["matches"][1]["log"][4]["events"][0]["points"] += 1
        verdicts = []
        for name, document in (("right", sealed), ("wrong", changed)):
            (tmp_path / name).write_bytes(written(document))
            ran = subprocess.run([sys.executable, "-I", program, tmp_path / name], capture_output=True, text=True, timeout=180)
            assert ran.stderr == ""
            verdicts.append([line.split(" ", 2)[2] for line in ran.stdout.splitlines()])
        assert verdicts == [["as told", "as told"], ["as told", "CHANGED"]]


# Attacks


def places(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where something can be changed in a match: every part of what its chain covers, of whatever depth."""
    items = enumerate(part) if isinstance(part, list) else part.items() if isinstance(part, dict) else ()
    inner = [place for name, each in items if name not in {"also", "head"} for place in places(each, (*path, name))]
    return ([path] if path else []) + inner


def changed_at_random(other: Any, where: Sequence[tuple[Any, ...]], chance: random.Random) -> Any:
    """Return a match with one thing in it changed, removed, added, doubled or moved, at one of these places."""
    *way, last = chance.choice(where)
    home = other
    for step in way:
        home = home[step]
    part = home[last]
    act = chance.choice(("change", "change", "remove", "double", "move"))
    if isinstance(home, list) and act != "change":
        piece = home.pop(last) if act != "double" else copy.deepcopy(part)
        if act != "remove":
            home.insert(chance.randint(0, len(home)), piece)
    elif act == "remove" and len(way) > 1:
        del home[last]
    elif isinstance(part, bool | None):
        home[last] = chance.choice([value for value in (True, False, None, 0) if value is not part])
    elif isinstance(part, int):
        home[last] = part + chance.choice((-1, 1, 1000))
    elif isinstance(part, str) and last in {"at", "made", "created", "chained"}:
        later = datetime.fromisoformat(part) + timedelta(microseconds=chance.choice((-1, 1, 60_000_000)))
        home[last] = later.isoformat()
    elif isinstance(part, str):
        at = chance.randint(0, len(part))
        home[last] = part[:at] + chance.choice(("x", " ", "\u0301", "0")) + part[at:]
    elif isinstance(part, list):
        part.insert(chance.randint(0, len(part)), copy.deepcopy(chance.choice(part)) if part else "x")
    else:
        part["more"] = chance.choice((0, "", []))
    return other


def meaning(match: Any) -> Any:
    """Return what the chain covers of a match, in a form in which the same content is equal."""
    try:
        people = [*match.get("names", []), *(match["players"] + match.get("others", []))[len(match.get("names", [])) :]]
        return [
            {name: match[name] for name in ("game", "edition", "options", "created", "chained") if name in match},
            people[: len(match["players"])],
            [people[line["player"]] if line.get("player") is not None else "" for line in match["log"]],
            [{name: part for name, part in line.items() if name != "also" and part not in (None, [])} for line in match["log"]],
        ]
    except (AttributeError, IndexError, KeyError, TypeError):
        return match  # it means nothing any more


def is_refused(document: Table) -> bool:
    try:
        answer_chains(written(document))
    except RecordError:
        return True
    return False


def test_of_10_000_changes_each_is_found_or_is_one_of_the_three_limits(
    sealed: Table, independent_head: Callable[[Any], str]
) -> None:
    """Half are made by somebody who has the file, half by somebody who makes new heads, too, as whoever runs the server can.

    The first is found by the file's own head. The second is found by a phone that has kept an older head: unless all of the
    change comes after the line that this phone saw last (the first limit). An attacker who had the phone's memory as well could
    change that (the second); an entry that nobody made is in no log (the third).
    """
    chance = random.Random(53)
    texts = [written(match) for match in sealed["matches"]]
    wheres = [places(match) for match in sealed["matches"]]
    kept_heads = {
        (number, seen): independent_head({**match, "log": match["log"][:seen]})
        for number, match in enumerate(sealed["matches"])
        for seen in range(len(match["log"]) + 1)
    }
    tried = unseen = 0
    while tried < MUTATIONS:
        number = chance.randrange(2)
        match = sealed["matches"][number]
        other = changed_at_random(json.loads(texts[number]), wheres[number], chance)
        if meaning(other) == meaning(match):
            continue
        tried += 1
        if tried % 2:
            assert is_refused({"format": "companion-table/1", "matches": [other]}), other
            continue
        seen = chance.randint(1, len(match["log"]))
        kept = kept_heads[number, seen]
        try:
            rebuilt = independent_head({**other, "log": other["log"][:seen]}) if len(other["log"]) >= seen else None
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            continue  # no log at all, which the phone sees
        if rebuilt == kept:
            unseen += 1
            assert meaning({**other, "log": other["log"][:seen]}) == meaning({**match, "log": match["log"][:seen]})
    assert 0 < unseen < MUTATIONS // 4
