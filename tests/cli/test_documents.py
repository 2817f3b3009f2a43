"""What does the command line read and print? A document or one a line, an answer a line, and what is wrong with others."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from companion import engine
from companion.cli import main
from companion.cli.documents import answers
from companion.engine.records import MAX_BYTES
from tests.engine.records.five_games import LOOK_UPS, MATCHES
from tests.engine.records.tally import TALLY

SWIM: dict[str, Any] = {"format": "companion-record/1", "game": "what-the-fish", "players": ["Ana", "Bo"], "events": []}
SEED = bytes(range(32))
SEAL = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"  # SHA-256 of the bytes 0 to 31


def line(document: Any) -> bytes:
    return json.dumps(document).encode()


def swim(*ranks: int) -> dict[str, Any]:
    return {**SWIM, "events": [{"type": "swim", "player": 0, "rank": rank} for rank in ranks]}


def run(command: str, data: bytes) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(main, [command, "-"], input=data)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, [json.loads(text) for text in result.stdout_bytes.splitlines()]


def places(data: bytes, command: str = "replay") -> list[Any]:
    """Return of each answer the event that is wrong, None for a wrong document, "fine" for a good one."""
    status, printed = run(command, data)
    found = [answer["error"]["event"] if "error" in answer else "fine" for answer in printed]
    assert status == (0 if set(found) <= {"fine"} else 2)
    for answer in printed:
        if "error" in answer:
            assert list(answer) == ["error"]
            assert list(answer["error"]) == ["event", "message"]
            assert answer["error"]["message"]
    return found


GOOD, BAD, BROKEN = line(swim(5)), line(swim(0)), b'{"game": "what-the-fish", '
LAID_OUT = json.dumps(swim(5), indent=2).encode()
BY_LINES: dict[str, tuple[bytes, list[Any]]] = {
    "one document": (GOOD, ["fine"]),
    "one that ends its line": (GOOD + b"\n", ["fine"]),
    "one laid out over many lines": (LAID_OUT, ["fine"]),
    "one laid out, as Windows ends lines": (LAID_OUT.replace(b"\n", b"\r\n"), ["fine"]),
    "one with a byte order mark": (b"\xef\xbb\xbf" + GOOD, ["fine"]),
    "several": (GOOD + b"\n" + GOOD, ["fine", "fine"]),
    "several, as Windows ends lines": (GOOD + b"\r\n" + GOOD + b"\r\n", ["fine", "fine"]),
    "several with a byte order mark": (b"\xef\xbb\xbf" + GOOD + b"\n" + GOOD, ["fine", "fine"]),
    "blank lines between": (b"\n \n" + GOOD + b"\n\t\r\n\n" + GOOD + b"\n\n", ["fine", "fine"]),
    "wrong ones between": (b"\n".join([BAD, GOOD, BROKEN, GOOD, b"5"]), [0, "fine", None, "fine", None]),
    "a broken one first": (BROKEN + b"\n" + GOOD, [None, "fine"]),
    "a truncated one that the next could continue": (b'{"players": [\n' + GOOD + b"\n" + BAD, [None, "fine", 0]),
    "broken ones alone": (b"no\n[1,2\n}\n", [None, None, None]),
    "truncated ones alone": (BROKEN + b"\n" + BROKEN + b"\n", [None, None]),
    "bytes that are no text": (GOOD + b"\n" + GOOD.replace(b"Ana", b"A\xff") + b"\n" + GOOD, ["fine", None, "fine"]),
    "nothing": (b"", [None]),
    "blanks alone": (b" \n\n", [None]),
    "one laid out with a comma missing": (LAID_OUT.replace(b'"what-the-fish",', b'"what-the-fish"'), [None]),
    "one laid out with a bad name": (LAID_OUT.replace(b'"format"', b"format"), [None]),
    "one laid out and cut short": (LAID_OUT[:-2], [None]),
    "one laid out with a byte that is no text": (LAID_OUT.replace(b"Ana", b"A\xff"), [None]),
    "one laid out with an event a line and a comma too many": (
        b'{"format": "companion-record/1",\n"events": [\n{"type": "free"},\n{"type": "free"},\n]}',
        [None],
    ),
    "bytes that are no text after lines that are no documents of ours": (
        b"5\n{}\n" + GOOD.replace(b"Ana", b"A\xff"),
        [None, None, None],
    ),
    "one line too long among others": (GOOD + b"\n" + b"x" * (MAX_BYTES + 9) + b"\n" + GOOD, ["fine", None, "fine"]),
    "one line too long at first": (b"[" + b" " * (MAX_BYTES * 2) + b"\n" + GOOD, [None, "fine"]),
    "one line too long at last": (GOOD + b"\n" + GOOD + b" " * MAX_BYTES + b"x", ["fine", None]),
    "too many events in a line among others": (
        GOOD + b"\n" + GOOD.replace(b"[{", b"[" + b"0," * 30_000 + b"{") + b"\n" + GOOD,
        ["fine", None, "fine"],
    ),
    "too many events in the first line": (GOOD.replace(b"[{", b"[" + b"0," * 30_000 + b"{") + b"\n" + GOOD, [None, "fine"]),
    "more than fits": ((GOOD + b" " * 10_000 + b"\n") * 1000, ["fine"] * 1000),
}


@pytest.mark.parametrize("what", BY_LINES)
def test_first_tried_whole_then_by_lines(what: str) -> None:
    data, expected = BY_LINES[what]
    assert places(data) == expected


def test_a_mistake_in_a_document_laid_out_over_lines_is_told_once_with_its_place() -> None:
    _, (answer,) = run("replay", LAID_OUT.replace(b'"what-the-fish",', b'"what-the-fish"'))
    assert answer == {"error": {"event": None, "message": "This is not JSON: expected ',' or '}' (line 4, column 3)."}}


def test_however_the_bytes_arrive_the_answers_are_the_same() -> None:
    class Drops(io.RawIOBase):
        """A pipe that gives a few bytes at a time."""

        def __init__(self, data: bytes) -> None:
            self.data = data

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            size = min(len(buffer), 30_001)
            piece, self.data = self.data[:size], self.data[size:]
            buffer[: len(piece)] = piece
            return len(piece)

    def answer(data: bytes) -> dict[str, Any]:
        return {"text": json.loads(data)} if data.startswith(b"{") else {}

    data = b"".join(b'{"n": %d}%s\n' % (n, b" " * (n % 700)) for n in range(3000))
    expected = [(True, {"text": {"n": n}}) for n in range(3000)]
    assert list(answers(io.BufferedReader(Drops(b"x" * MAX_BYTES + b"\n" + data)), _line_by_line(answer)))[1:] == expected


def _line_by_line(answer: Any) -> Any:
    """Call ``answer`` after it has refused whatever is more than a line."""
    from companion.engine.records import UnreadableError

    def answered(data: bytes) -> dict[str, Any]:
        if b"\n" in data:
            raise UnreadableError(None, "no document", at=0)
        return dict(answer(data))

    return answered


def test_a_mistake_of_ours_is_told_and_the_other_lines_are_answered() -> None:
    def answer(data: bytes) -> dict[str, Any]:
        return {"shared": 12 // int(data)}

    printed = list(answers(io.BytesIO(b"0"), answer))
    message = "Companion itself failed on this (ZeroDivisionError: integer division or modulo by zero). Please report it."
    assert printed == [(False, {"error": {"event": None, "message": message}})]


# The commands


def test_legal_answers_look_ups() -> None:
    questions = [question for question, _ in LOOK_UPS]
    expected = [None if "error" in answer else "fine" for _, answer in LOOK_UPS]
    assert places(b"\n".join(map(line, questions)), "legal") == expected


def test_a_file_with_all_five_games(tmp_path: Path) -> None:
    file = tmp_path / "matches.jsonl"
    file.write_bytes(b"\n\n".join(line(document) for document, _ in MATCHES) + b"\n")
    ended = companion("replay", str(file))
    assert ended.returncode == 2
    assert ended.stderr == b""
    printed = [json.loads(text) for text in ended.stdout.splitlines()]
    assert len(printed) == len(MATCHES)
    for answer, (_, expected) in zip(printed, MATCHES, strict=True):
        if "error" in expected:
            assert answer["error"]["event"] == expected["error"]["event"]
        else:
            assert {key: answer[key] for key in expected} == expected


LINES = 3000
GAMES = ["beloz", "beluga-cup", "bisque", "rivals", "what-the-fish"]


@pytest.mark.parametrize("command", ["legal", "replay"])
def test_each_of_many_lines_is_answered(command: str, tmp_path: Path) -> None:
    """A file may be as long as it likes: only a document has a greatest size."""
    cases = LOOK_UPS if command == "legal" else MATCHES
    cases = [cases[number % len(cases)] for number in range(LINES)]
    file = tmp_path / "many.jsonl"
    file.write_bytes(b"".join(line(document) + b"\n" for document, _ in cases))
    assert file.stat().st_size > 2**17  # more than any single look-up may have
    result = CliRunner().invoke(main, [command, str(file)])
    printed = [json.loads(text) for text in result.stdout_bytes.splitlines()]
    assert len(printed) == LINES
    for answer, (_, expected) in zip(printed, cases, strict=True):
        if "error" in expected:
            assert answer["error"]["event"] == expected["error"]["event"]
        else:
            assert {key: answer[key] for key in expected} == expected
    assert result.exit_code == (2 if any("error" in expected for _, expected in cases) else 0)


@pytest.mark.parametrize("game", GAMES)
def test_wrong_lines_among_many_are_told_at_their_place(game: str) -> None:
    good = next(line(question) for question, answer in LOOK_UPS if question["game"] == game and "error" not in answer)
    wrong = {7: b"{", 640: b"5", 1900: good[:-1], 2999: good.replace(b"{", b'{"extra": 1, ', 1)}
    lines = [wrong.get(number, good) for number in range(LINES)]
    lines[1000] = good[:-1] + b" " * 2**16 + b"}"  # larger than a look-up can be
    lines[2000] = good[:-1] + b', "name": "A\xff"}'  # no UTF-8
    expected = [None if number in {*wrong, 1000, 2000} else "fine" for number in range(LINES)]
    assert places(b"\n".join(lines), "legal") == expected


def test_blank_lines_around_a_look_up_are_no_part_of_it() -> None:
    assert places(b"\n" * 2**17 + line(LOOK_UPS[0][0]) + b"\n" * 2**17, "legal") == ["fine"]


def test_a_look_up_laid_out_over_more_than_a_file_may_hold_is_told_once() -> None:
    _, (answer,) = run("legal", b'{\n"game": "bisque",\n' + b" " * MAX_BYTES + b"\n}")
    assert answer["error"]["message"] == "The document is larger than 4 MiB, the most that a record can be."


def test_verify_tells_how_many_draws_were_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engine.GAMES, "tally", TALLY)
    record = {
        "format": "companion-record/1",
        "game": "tally",
        "players": ["Ana", "Bo"],
        "options": {"seal": SEAL},
        "events": [{"type": "roll", "eyes": 0}, {"type": "roll", "eyes": 1}],
        "seed": SEED.hex(),
    }
    assert run("verify", line(record)) == (0, [{"verified": 2, "seal": SEAL}])
    record["events"] = [{"type": "roll", "eyes": 0}, {"type": "roll", "eyes": 2}]
    assert run("verify", line(record)) == (2, [{"error": {"event": 1, "message": "The seed rolls 1, not 2."}}])


def test_schema_prints_the_schema() -> None:
    result = CliRunner().invoke(main, ["schema"])
    assert result.exit_code == 0
    assert json.loads(result.output)["title"] == "companion-record/1"


def test_run_serves_where_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[Any, ...]] = []

    def serve(_start: Callable[[], Flask], *place: Any, log_requests: bool) -> int:
        served.append((*place, log_requests))
        return 3

    monkeypatch.setitem(sys.modules, "companion.server", SimpleNamespace(serve=serve))
    result = CliRunner().invoke(main, ["run", "--port", "8123", "--public-url", "https://fish.example"])
    assert result.exit_code == 3
    assert served == [("0.0.0.0", 8123, "https://fish.example", False)]


@pytest.mark.parametrize("file", ["no-such-file.json", "."])
def test_a_file_that_cannot_be_read_is_told_on_standard_error(file: str, tmp_path: Path) -> None:
    result: Result = CliRunner().invoke(main, ["replay", str(tmp_path / file)])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Invalid value for 'FILE'" in result.stderr


# In an interpreter of its own


def companion(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments], input=data, capture_output=True, check=False, timeout=180
    )


def test_answers_are_utf_8_whatever_the_terminal_is() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    command = [sys.executable, "-m", "companion", "replay", "-"]
    ended = subprocess.run(
        command, input=line({**SWIM, "game": "Zoë"}), capture_output=True, check=False, env=environment, timeout=180
    )
    assert "there is no game “Zoë”" in ended.stdout.decode()


def test_a_reader_that_has_read_enough_is_no_mistake() -> None:
    command = [sys.executable, "-m", "companion", "replay", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write((GOOD + b"\n") * 5000)
        process.stdin.close()
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told_in_a_sentence(unbuffered: str) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "companion", "replay", "-"],
            input=GOOD,
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
            timeout=180,
        )
    assert ended.returncode == 1
    assert ended.stderr.decode().strip() == "Error: Reading or writing failed: No space left on device."


HEAVY = ("flask", "sqlalchemy", "gevent", "jinja2", "werkzeug", "wtforms", "alembic", "qrcode")


@pytest.mark.parametrize("command", ["replay", "legal", "verify"])
def test_records_are_answered_without_the_server(command: str) -> None:
    program = f"""
import sys
for name in {HEAVY!r}:
    sys.modules[name] = None  # importing it fails
from companion.cli import main
main([{command!r}, "-"], standalone_mode=False)
"""
    ended = subprocess.run([sys.executable, "-c", program], input=GOOD, capture_output=True, check=False, timeout=180)
    assert ended.stderr == b""
    assert len(ended.stdout.splitlines()) == 1
