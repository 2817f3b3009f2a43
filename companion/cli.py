"""The command line: serve the tables, and put records to the engine without any server.

Replay, legal and verify read one JSON document, or one a line, and answer each with one JSON object on a line of its own. The
engine is all that they load; what serves phones or keeps tables is only imported by the commands that need it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from companion import __version__
from companion.engine import records
from companion.engine.records import MAX_BYTES, RecordError, UnreadableError
from companion.engine.records.reading import read_document

INVALID = 2  # the exit status when anything could not be answered
_CHUNK = 2**16  # bytes
OWNER_ALONE = 0o077  # what is written holds links: it is for whoever runs Companion, and nobody else on this machine

Answering = Callable[[bytes], dict[str, Any]]
Answered = tuple[bool, dict[str, Any]]  # whether all was well, and what to print

FILE = click.argument("file", type=click.File("rb"))
PATH = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Keeps the score, draws the fish and answers “may I play this?”, on the phones around a real table."""


@main.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")  # noqa: S104  # phones must reach it
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port to listen on.")
@click.option("--public-url", help="How phones reach Companion, if something stands in between.")
@click.option("--log-requests", is_flag=True, help="Write a line of JSON for each request, without anything personal.")
def run(host: str, port: int, public_url: str | None, log_requests: bool) -> None:
    """Serve Companion to the phones around the table."""
    from companion.serve import serve

    sys.exit(serve(host, port, public_url, log_requests=log_requests))


@main.command()
@FILE
def replay(file: BinaryIO) -> None:
    """Say how each recorded match of FILE stands (- is standard input)."""
    _print_answers(file, records.answer_replay)


@main.command()
@FILE
def legal(file: BinaryIO) -> None:
    """Answer each look-up of FILE: may I play this? (- is standard input)."""
    _print_answers(file, records.answer_legal)


@main.command()
@FILE
def verify(file: BinaryIO) -> None:
    """Derive every draw that the app made in each record of FILE once more (- is standard input)."""
    _print_answers(file, records.answer_verify)


@main.command()
@PATH
@click.option("--force", is_flag=True, help="Replace a file of this name.")
def backup(file: Path, force: bool) -> None:
    """Write all tables into FILE, as they are at this moment. Phones may go on playing."""
    from companion import backup as writing
    from companion import copies
    from companion.app import database_address

    os.umask(OWNER_ALONE)
    try:
        holds = writing.backup(copies.address(database_address()), file, replace=force)
    except copies.BackupError as refused:
        _give_up(str(refused))
    click.echo(f"{holds} are in {file}.")


@main.command()
@PATH
@click.option("--force", is_flag=True, help="Replace the tables that are there; they are kept in a file beside.")
def restore(file: Path, force: bool) -> None:
    """Put back all tables from FILE, which backup wrote. Stop Companion first."""
    from companion import copies
    from companion import restore as putting_back
    from companion.app import database_address

    os.umask(OWNER_ALONE)
    try:
        holds, aside = putting_back.restore(copies.address(database_address()), file, replace=force)
    except copies.BackupError as refused:
        _give_up(str(refused))
    click.echo(f"{holds} are back.")
    if aside is not None:
        click.echo(f"What was there before is in {aside}.")


@main.command("export")
@click.argument("link")
@PATH
def export_table(link: str, file: Path) -> None:
    """Write the table with this LINK, and its matches with every entry, into FILE."""
    from companion import moving

    os.umask(OWNER_ALONE)
    try:
        written = moving.out(link, file)
    except moving.MovingError as refused:
        _give_up(str(refused))
    click.echo(written)


@main.command("import")
@FILE
def import_table(file: BinaryIO) -> None:
    """Make a new table from FILE, which export or a table's page wrote, and print its links."""
    from companion import moving

    os.umask(OWNER_ALONE)
    try:
        made = moving.into(file)
    except moving.MovingError as refused:
        _give_up(str(refused))
    click.echo(made)


def _give_up(sentence: str) -> NoReturn:
    """Say why nothing was done."""
    click.echo(sentence, err=True)
    sys.exit(INVALID)


@main.command()
def schema() -> None:
    """Print the JSON Schema of records, look-ups and answers."""
    click.echo(json.dumps(records.schema(), indent=2))


def _print_answers(source: BinaryIO, answer: Answering) -> None:
    out = sys.stdout.buffer
    well = True
    try:
        for fine, answered in answers(source, answer):
            out.write(json.dumps(answered, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            well = well and fine
        out.flush()
    except BrokenPipeError:  # whoever read has read enough; click ends without a word
        raise
    except OSError as failure:
        _let_go(out)
        raise click.ClickException(f"Reading or writing failed: {failure.strerror}.") from failure
    if not well:
        sys.exit(INVALID)


def _let_go(out: BinaryIO) -> None:
    """Lose what could not be written: Python would try once more when it ends, and end otherwise than it was told to."""
    with suppress(OSError), Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), out.fileno())


def answers(source: BinaryIO, answer: Answering) -> Iterator[Answered]:
    """What there is to say to each document: first tried whole, then by lines, blank ones skipped.

    No more than a document is held at a time, however long the source is.
    """
    head = source.read(MAX_BYTES + 1)
    whole: Answered | None
    try:
        whole = _answered(answer, head)
    except UnreadableError as unreadable:
        whole = None if _one_a_line(head, unreadable.at) else _refused(unreadable)
    if whole is not None:
        yield whole
        return
    lines = _lines(head, source)
    del head
    for line in lines:
        if line is None:
            yield _refused(
                RecordError(None, f"This line is longer than {MAX_BYTES // 2**20} MiB, the most that a record can be.")
            )
            continue
        try:
            yield _answered(answer, line)
        except UnreadableError as unreadable:
            yield _refused(unreadable)


def _answered(answer: Answering, data: bytes) -> Answered:
    try:
        return True, answer(data)
    except UnreadableError:
        raise
    except RecordError as refusal:
        return _refused(refusal)
    except Exception as mistake:  # the documents after this one still get their answers
        message = f"Companion itself failed on this ({type(mistake).__name__}: {str(mistake)[:200]}). Please report it."
        return _refused(RecordError(None, message))


def _refused(refusal: RecordError) -> Answered:
    return False, {"error": {"event": refusal.event, "message": refusal.message}}


def _one_a_line(head: bytes, at: int) -> bool:
    """Whether a text that is no document, where reading came to ``at``, holds documents line by line.

    It may also be one document that is laid out over several lines and has a mistake in it, which should be told once: then
    reading got into its second line, and no line is a record or look-up of its own.
    """
    lines = _spans(head)
    first, second = next(lines, None), next(lines, None)
    if first is None or second is None:
        return len(head) > MAX_BYTES
    opens = first[1] - first[0] == 1 and head[first[0]] in b"{["
    return not (opens or at > second[0]) or any(_stands_alone(head[slice(*span)]) for span in _spans(head))


def _spans(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each line that is not blank begins and ends, without the white space around it."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end]
        if bare := line.strip():
            begin = start + line.index(bare[:1])
            yield begin, begin + len(bare)
        start = end + 1


def _stands_alone(line: bytes) -> bool:
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return False
    try:
        parts = read_document(line).parts or {}
    except UnreadableError:
        return False
    except RecordError:  # readable, if wrong
        return True
    return "game" in parts or "format" in parts


def _lines(chunk: bytes, source: BinaryIO) -> Iterator[bytes | None]:
    """Line after line of ``chunk`` and then the source, without the blank ones; None for one that is too long to be held."""
    pending = bytearray()
    too_long = False
    while chunk:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            too_long = too_long or len(pending) + end - start > MAX_BYTES
            line = b"" if too_long else chunk[start:end]
            if pending:
                pending += line
                line = bytes(pending)
                pending.clear()
            if too_long:
                yield None
            elif line := line.strip():
                yield line
            too_long = False
            start = end + 1
        if too_long or len(pending) + len(chunk) - start > MAX_BYTES:
            pending.clear()
            too_long = True
        else:
            pending += chunk[start:]
        chunk = source.read(_CHUNK)
    if too_long:
        yield None
    elif line := bytes(pending).strip():
        yield line
