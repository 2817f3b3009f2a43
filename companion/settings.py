"""What can whoever runs Companion decide, and what does each setting take?

Settings come from the environment and are read once, at the start. Nothing else in Companion reads the environment.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

from platformdirs import user_data_path

CHECKOUT: Final = Path(__file__).resolve().parent.parent
MOST_PROXIES: Final = 9
MOST_PARTITIONS: Final = 256

_YES: Final = frozenset(("1", "true", "yes", "on"))
_NO: Final = frozenset(("0", "false", "no", "off"))
_DATABASE = re.compile(r"(?:sqlite|postgres(?:ql)?)(?:\+\w+)?://.*", re.DOTALL)
_LIMITS = re.compile(r"memory://|valkeys?://[^/\s]+(?:/\d+)?", re.ASCII)
_BUS = re.compile(r"memory|postgresql|valkeys?://[^/\s]+(?:/\d+)?", re.ASCII)
_LISTENS = re.compile(r"([^\s:/@]+|\[[0-9a-f:]+\]):(\d{1,5})", re.ASCII)
_PATH = re.compile(r"(?:/(?!\.+(?:/|$))[\w.~-]+)*/?", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:_[A-Za-z]{2,4})?", re.ASCII)
_CREDENTIALS = re.compile(r"(?<=://).*@")


class StartupError(Exception):
    """Companion can't start with the settings and the database that it finds. The message is a sentence."""


def folder(text: str) -> Path:
    """Return a folder by its name."""
    if "\0" in text:
        raise ValueError
    return Path(text).resolve()


def yes_or_no(text: str) -> bool:
    """Return a switch's position."""
    if text.lower() not in _YES | _NO:
        raise ValueError
    return text.lower() in _YES


def up_to(most: int) -> Callable[[str], int]:
    """Return what reads a small number, 0 included."""

    def how_many(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= most):
            raise ValueError
        return int(text)

    return how_many


def database_address(text: str) -> str:
    """Return a database address if it begins like one of SQLite or PostgreSQL. Raises ValueError otherwise."""
    if not _DATABASE.fullmatch(text):
        raise ValueError
    return text


def bus_address(text: str) -> str:
    """Return how processes hear of each other: by its name, or by a Valkey's address."""
    if not _BUS.fullmatch(text):
        raise ValueError
    return text


def default_folder(_before: Mapping[str, Any]) -> Path:
    """Return ``instance/`` of a checkout, else the user's own data folder."""
    if (CHECKOUT / "pyproject.toml").is_file():
        return CHECKOUT / "instance"
    return user_data_path("companion", appauthor=False)


def default_database(before: Mapping[str, Any]) -> str:
    """Return the address of the SQLite file in the instance folder."""
    return f"sqlite:///{before['instance'] / 'companion.sqlite'}"


def path(text: str) -> str:
    """Return a path without a slash at its end; empty for the root.

    >>> path("/club/")
    '/club'
    """
    if not _PATH.fullmatch(text):
        raise ValueError
    return text.rstrip("/")


def language_codes(text: str) -> tuple[str, ...]:
    """Return the codes of languages, with commas between them."""
    codes = tuple(text.split(","))
    if not all(_LANGUAGE.fullmatch(code) for code in codes):
        raise ValueError
    return codes


def port_address(text: str) -> tuple[str, int]:
    """Return a host and a port to listen on."""
    parts = _LISTENS.fullmatch(text)
    if parts is None or not 0 < int(parts[2]) < 65536:
        raise ValueError
    return parts[1].strip("[]"), int(parts[2])


def storage_address(text: str) -> str:
    """Return the address of a storage that limits can be counted in."""
    if not _LIMITS.fullmatch(text):
        raise ValueError
    return text


def default_bus(before: Mapping[str, Any]) -> str:
    """Return the way that the database has; beside an SQLite file there is one process as a rule."""
    return "postgresql" if before["database_url"].startswith("postgres") else "memory"


def default_limits(before: Mapping[str, Any]) -> str:
    """Return the Valkey that is the bus, else this process's memory."""
    return before["bus"] if before["bus"].startswith("valkey") else "memory://"


@dataclass(frozen=True, slots=True)
class Variable:
    """How a setting stands in the environment: its name there, how its text is read, and what it takes in words.

    ``default`` is the text that holds where it is not set, or makes the value from the settings before this one.
    """

    name: str
    read: Callable[[str], Any]
    takes: str
    default: str | Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that the environment decides.

    >>> Settings.read({"COMPANION_HTTPS": "on"}).https
    True
    """

    instance: Annotated[
        Path,
        Variable(
            "COMPANION_INSTANCE",
            folder,
            takes="a folder",
            default=default_folder,
        ),
    ]
    database_url: Annotated[
        str,
        Variable(
            "DATABASE_URL",
            database_address,
            takes="the address of a PostgreSQL database, like postgresql://companion@localhost/companion, or of an SQLite file",
            default=default_database,
        ),
    ]
    bus: Annotated[
        str,
        Variable(
            "COMPANION_BUS",
            bus_address,
            takes="memory, postgresql, or the address of a Valkey, like valkey://localhost:6379/0",
            default=default_bus,
        ),
    ]
    https: Annotated[
        bool,
        Variable(
            "COMPANION_HTTPS",
            yes_or_no,
            takes="1, true, yes or on if phones come by HTTPS, else 0, false, no or off",
            default="no",
        ),
    ]
    service_worker: Annotated[
        bool,
        Variable(
            "COMPANION_SERVICE_WORKER",
            yes_or_no,
            takes="0, false, no or off to remove it from all phones, else 1, true, yes or on",
            default="yes",
        ),
    ]
    proxies: Annotated[
        int,
        Variable(
            "COMPANION_PROXIES",
            up_to(MOST_PROXIES),
            takes=f"a number from 0 to {MOST_PROXIES}",
            default="0",
        ),
    ]
    prefix: Annotated[
        str,
        Variable(
            "COMPANION_PREFIX",
            path,
            takes="a path like /companion",
            default="/",
        ),
    ]
    partitions: Annotated[
        int,
        Variable(
            "COMPANION_PARTITIONS",
            up_to(MOST_PARTITIONS),
            takes=f"a number from 0 to {MOST_PARTITIONS}",
            default="0",
        ),
    ]
    limits: Annotated[
        str,
        Variable(
            "COMPANION_LIMITS",
            storage_address,
            takes="memory://, or the address of a Valkey server, like valkey://localhost:6379/0",
            default=default_limits,
        ),
    ]
    cache: Annotated[
        bool,
        Variable(
            "COMPANION_CACHE",
            yes_or_no,
            takes="0, false, no or off to make every page anew, else 1, true, yes or on",
            default="yes",
        ),
    ]
    metrics: Annotated[
        tuple[str, int] | None,
        Variable(
            "COMPANION_METRICS",
            port_address,
            takes="the address and port that a Prometheus asks, like 127.0.0.1:9100",
            default=lambda _before: None,
        ),
    ]
    unfinished: Annotated[
        tuple[str, ...],
        Variable(
            "COMPANION_UNFINISHED",
            language_codes,
            takes="codes of languages, like it or it,pt_BR",
            default=lambda _before: (),
        ),
    ]

    @classmethod
    def variables(cls) -> dict[str, Variable]:
        """Return how each setting stands in the environment, by the name of its field."""
        hints = get_type_hints(cls, include_extras=True)
        return {setting.name: hints[setting.name].__metadata__[0] for setting in dataclasses.fields(cls)}

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read all settings from a mapping, by default the environment. An empty text counts as not set.

        Raises:
            StartupError: a setting can't be what it says. The sentence names it, its value, and what it takes.
        """
        texts = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for field, variable in cls.variables().items():
            text, default = texts.get(variable.name), variable.default
            if not text and callable(default):
                values[field] = default(values)
                continue
            try:
                values[field] = variable.read(text or str(default))
            except ValueError:
                masked = _CREDENTIALS.sub("…@", text or "")
                raise StartupError(f"{variable.name} is {masked!r}. It takes {variable.takes}.") from None
        return cls(**values)
