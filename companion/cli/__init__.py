"""What can be asked on the command line? To serve the tables, and to put records to the engine without any server.

Replay, legal and verify read one JSON document, or one a line, and answer each with one JSON object on a line of its own. The
engine is all that they load, unless an installed package adds a game; what serves phones or keeps tables is only imported by
the commands that need it.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import click

from companion import GAMES_GROUP, __version__
from companion.cli.documents import Answering, answers
from companion.engine import chain, records
from companion.engine.records.chained import answer_chains, is_table

if TYPE_CHECKING:
    from flask import Flask

INVALID = 2  # the exit status when anything could not be answered
OWNER_ALONE = 0o077  # what is written holds links: it is for whoever runs Companion, and nobody else on this machine


FILE = click.argument("file", type=click.File("rb"))
PATH = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Keep the score, draw the fish and answer “may I play this?”, on the phones around a real table."""


@main.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")  # noqa: S104  # phones must reach it
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port to listen on.")
@click.option("--public-url", help="The address in QR codes, if phones reach Companion through a proxy.")
@click.option("--log-requests", is_flag=True, help="Write a line of JSON for each request, without anything personal.")
@click.option("--screen", is_flag=True, help="Show the newest table big, in this computer's browser.")
def run(host: str, port: int, public_url: str | None, log_requests: bool, screen: bool) -> None:
    """Serve Companion to the phones around the table."""
    from companion.server import serve

    def start() -> Flask:
        from companion.app import start  # not before companion.server, which patches the standard library
        from companion.web.delivery import pocket

        app = start(serving=True)
        pocket.warn(app)
        if screen:
            app.config["SCREEN_KEY"] = secrets.token_urlsafe(16)
        return app

    sys.exit(serve(start, host, port, public_url, log_requests=log_requests))


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
    """Derive every draw that the app made in each record of FILE once more (- is standard input).

    Of a table's file: work out the head of each match from its entries, and the words that phones show for it.
    """
    _print_answers(file, lambda data: _answer_chains(data) if is_table(data) else records.answer_verify(data))


def _answer_chains(data: bytes) -> dict[str, Any]:
    """Return what the matches of a table's file prove, each head with its words in each language that has a list."""
    from companion.languages.aloud import LISTS, word_list

    answer: dict[str, Any] = answer_chains(data)
    for match in answer["chains"]:
        if match["head"] is not None:
            match["words"] = {code: " ".join(chain.words(match["head"], word_list(code))) for code in LISTS}
    return answer


@main.command()
@click.argument("name", required=False)
def sheet(name: str | None) -> None:
    """Print the score sheet NAME: one of Companion's, or a file, which is checked. Without NAME print all names.

    A file may also be the record of a match by a sheet: then print how that match stands.
    """
    from companion.cli import sheets

    answer, well = sheets.answer(name)
    click.echo(answer)
    if not well:
        sys.exit(INVALID)


@main.command()
@PATH
@click.option("--force", is_flag=True, help="Replace a file of this name.")
def backup(file: Path, force: bool) -> None:
    """Write all tables into FILE, as they are at this moment. Phones may go on playing."""
    from companion.settings import Settings, StartupError
    from companion.storage import backup as writing
    from companion.storage import snapshot

    os.umask(OWNER_ALONE)
    try:
        holds = writing.backup(snapshot.address(Settings.read().database_url), file, replace=force)
    except (StartupError, snapshot.BackupError) as refused:
        _give_up(str(refused))
    click.echo(f"{holds} are in {file}.")


@main.command()
@PATH
@click.option("--force", is_flag=True, help="Replace the tables that are there; they are kept in a file beside.")
def restore(file: Path, force: bool) -> None:
    """Put back all tables from FILE, which backup wrote. Stop Companion first."""
    from companion.matches import restoring
    from companion.settings import Settings, StartupError
    from companion.storage import snapshot

    os.umask(OWNER_ALONE)
    try:
        settings = Settings.read()
        holds, aside = restoring.restore(
            snapshot.address(settings.database_url), file, replace=force, partitions=settings.partitions
        )
    except (StartupError, snapshot.BackupError) as refused:
        _give_up(str(refused))
    click.echo(f"{holds} are back.")
    if aside is not None:
        click.echo(f"What was there before is in {aside}.")


@main.command("export")
@click.argument("link")
@PATH
def export_table(link: str, file: Path) -> None:
    """Write the table with this LINK, and its matches with every entry, into FILE."""
    from companion.cli import tables

    os.umask(OWNER_ALONE)
    try:
        written = tables.export_to(link, file)
    except tables.MovingError as refused:
        _give_up(str(refused))
    click.echo(written)


@main.command("import")
@FILE
def import_table(file: BinaryIO) -> None:
    """Make a new table from FILE, which export or a table's page wrote, and print its links."""
    from companion.cli import tables

    os.umask(OWNER_ALONE)
    try:
        made = tables.import_from(file)
    except tables.MovingError as refused:
        _give_up(str(refused))
    click.echo(made)


@main.command("tables")
def list_tables() -> None:
    """Print each table's link, the day of its newest entry, how many matches it has, and its name; the oldest first."""
    from companion.cli import tables

    try:
        listing = tables.every_table()
    except tables.MovingError as refused:
        _give_up(str(refused))
    click.echo(listing)


@main.command()
@click.argument("link")
@click.option("--yes", is_flag=True, help="Don't ask.")
def remove(link: str, yes: bool) -> None:
    """Erase the table with this LINK and all its matches, for good. Export it first to keep it."""
    from companion.cli import tables

    if not yes:
        click.confirm("The table and all its matches will be gone for good. Remove it?", abort=True)
    try:
        done = tables.remove(link)
    except tables.MovingError as refused:
        _give_up(str(refused))
    click.echo(done)


def _give_up(sentence: str) -> NoReturn:
    """Say why nothing was done."""
    click.echo(sentence, err=True)
    sys.exit(INVALID)


@main.command()
def schema() -> None:
    """Print the JSON Schema of records, look-ups and answers."""
    _know_installed_games()
    click.echo(json.dumps(records.schema(), indent=2))


def _know_installed_games() -> None:
    """Let the engine know the games of installed packages; where there are none, nothing else is loaded."""
    if not entry_points(group=GAMES_GROUP):
        return
    from companion import games
    from companion.settings import StartupError

    try:
        games.add_installed()
    except StartupError as refused:
        _give_up(str(refused))


def _print_answers(source: BinaryIO, answer: Answering) -> None:
    _know_installed_games()
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
        _drop_unwritten(out)
        raise click.ClickException(f"Reading or writing failed: {failure.strerror}.") from failure
    if not well:
        sys.exit(INVALID)


def _drop_unwritten(out: BinaryIO) -> None:
    """Drop what could not be written: else Python flushes stdout at its end, fails again and changes the exit status."""
    with suppress(OSError), Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), out.fileno())
