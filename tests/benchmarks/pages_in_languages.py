"""What does a page cost in French and in German, against English? The aim: 10 % of processor time more at most.

    python -m tests.benchmarks pages_in_languages

Every kind of page that a player meets, of each game: a match that runs, is corrected, is over; what is entered, each view, May
I?, the rules, practice, the calculator. Each is rendered anew, in one language after the other, so that a busy machine is busy
for all; who goes first changes. A figure is the median of the ratios of sixty rounds.

On two busy cores, 76 pages: French and German 3 % more on average, 9 % at most. A page of 1.5 ms swings by 5 %, so that one
or the other is above the aim in one run and below it in the next.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from companion import languages
from companion.app import create_app
from companion.games import PLUGINS
from companion.languages import catalogue
from companion.settings import Settings
from companion.storage import migrations
from companion.storage.models import db
from tests import half_matches

CODES = ("en", "fr", "de")
ROUNDS = 60
WARM_UP = 4
AIM = 1.10
ALONE = ("/", "/tables/new", "/rules", "/phone", "/reach", "/offline", "/nowhere")
OF_A_TABLE = ("/table", "/links", "/matches", "/people/1")


def pages() -> list[str]:
    """Return the pages that are measured; those that a game or a match does not have are left out later."""
    found = [*ALONE, *(f"/t/play-beloz{path}" for path in OF_A_TABLE)]
    for slug, plugin in PLUGINS.items():
        entered = [f"/{page}" for page in plugin.screens.pages if page != plugin.screens.main]
        views = [f"/see/{view}" for view in plugin.screens.views]
        match = f"/t/play-{slug}/m/1"
        found += [f"{match}{path}" for path in ("", *entered, *views, "/entries/1", "/undo", "/seal", "/may-i")]
        found += [f"/t/whole-{slug}/m/1{path}" for path in ("", *views, "/seal")]
        found += [f"/may-i/{slug}", f"/rules/{slug}", f"/practice/{slug}/1", f"/calculate/{slug}"]
    return found


def taken(app: Flask, client: FlaskClient, page: str, code: str) -> float:
    """Return the seconds of processor time that a page takes which nobody has seen yet."""
    app.extensions.pop("companion-pages", None)  # so that a match is rendered anew
    begun = time.process_time()
    client.get(page, headers={"Accept-Language": code}).get_data()
    return time.process_time() - begun


def cost(app: Flask, page: str) -> tuple[float, dict[str, float]]:
    """Return what a page takes in English, in seconds, and by how much that differs in the other languages."""
    client = app.test_client()
    found: dict[str, list[float]] = {code: [] for code in CODES}
    for number in range(WARM_UP + ROUNDS):
        first = number % len(CODES)
        for code in (*CODES[first:], *CODES[:first]):
            seconds = taken(app, client, page, code)
            if number >= WARM_UP:
                found[code].append(seconds)
    english = found.pop("en")
    ratios = {code: statistics.median(map(float.__truediv__, each, english)) for code, each in found.items()}
    return statistics.median(english), ratios


def main() -> None:
    """Measure, and say by how much each page costs more."""
    texts = [catalogue.files_in(Path(languages.__file__).parent / code) for code in CODES[1:]]
    begun = time.process_time()
    for files in texts:
        catalogue.read(files)
    sys.stdout.write(f"catalogues of two languages as texts: {(time.process_time() - begun) * 1e3:.0f} ms, once\n")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.read({"COMPANION_INSTANCE": folder})
        app = create_app(settings, {"RATELIMIT_ENABLED": False, "WTF_CSRF_ENABLED": False})
        with app.app_context():
            migrations.upgrade(db.engine)
            half_matches.sit_down()
            half_matches.sit_down(whole=True)
        visitor = app.test_client()
        measured: dict[str, list[float]] = {code: [] for code in CODES[1:]}
        for page in pages():
            if page not in ALONE and visitor.get(page).status_code != 200:
                continue
            english, ratios = cost(app, page)
            for code, ratio in ratios.items():
                measured[code].append(ratio)
            told = "  ".join(f"{code} {ratio:.3f}" for code, ratio in ratios.items())
            over = "  over the aim" if max(ratios.values()) > AIM else ""
            sys.stdout.write(f"{page:42} en {english * 1e3:5.2f} ms  {told}{over}\n")
            sys.stdout.flush()
        for code, found in measured.items():
            mean = statistics.geometric_mean(found)
            sys.stdout.write(f"{code}: {len(found)} pages, {mean:.3f} times English on average, {max(found):.3f} at most")
            sys.stdout.write(f" (aim {AIM})\n")
        with app.app_context():
            db.engine.dispose()
