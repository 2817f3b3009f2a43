"""Does the engine stand alone, without the web and the database?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
FORBIDDEN = (
    "flask",
    "sqlalchemy",
    "flask_sqlalchemy",
    "wtforms",
    "flask_wtf",
    "gevent",
    "jinja2",
    "werkzeug",
    "alembic",
    "click",
    "typing_extensions",
    "companion.app",
    "companion.cli",
    "companion.screens",
    "companion.matches.entries",
    "companion.storage.hub",
    "companion.storage.notifications",
    "companion.storage.models",
    "companion.web",
)
PROGRAM = f"""
import sys
for name in {FORBIDDEN!r}:
    sys.modules[name] = None  # importing it fails
before = set(sys.modules)
from companion.engine import GAMES, records
names = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(sorted(GAMES))
print(sorted(name for name in names if name not in sys.stdlib_module_names and not name.startswith("_")))
"""


def test_the_engine_imports_the_standard_library_and_msgspec_and_nothing_else() -> None:
    ended = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(CHECKOUT)!r})\n{PROGRAM}"],
        capture_output=True,
        check=False,
        text=True,
        timeout=180,
    )
    assert ended.stderr == ""
    games, modules = ended.stdout.splitlines()
    assert games == "['beloz', 'beluga-cup', 'bisque', 'rivals', 'sheet', 'what-the-fish']"
    assert modules == "['companion', 'msgspec']"
