"""What does a page cost in French and in German, against English? The aim: 10 % of processor time more at most.

    python -m tests.benchmarks pages_in_languages

Each page is rendered anew, in one language after the other, so that a busy machine is busy for all. Every figure is that of
the quickest fifth of forty. Twenty pages on two very busy cores: French 4 %, German 5 % more on average, 8 % at most but for
two: the cup's history, which says 900 sentences and parts of sentences, 12 to 14 %, and its May I? 8 to 13 %. Phones see the
history's rows as they were rendered once.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from companion import languages
from companion.app import create_app
from companion.games import PLUGINS
from companion.languages import catalogue
from companion.settings import Settings
from companion.storage import migrations
from companion.storage.models import db
from tests import half_matches

CODES = ("en", "fr", "de")
ROUNDS = 40
WARM_UP = 5
AIM = 1.10


def pages() -> list[str]:
    """Return the pages that are measured: some around the tables, and of each game its match, May I? and its calculator."""
    found = ["/", "/tables/new", "/t/play-beloz/table"]
    for slug in PLUGINS:
        found += [f"/t/play-{slug}/m/1", f"/t/play-{slug}/m/1/see/history", f"/t/play-{slug}/m/1/may-i", f"/calculate/{slug}"]
    return found


def quickest(taken: list[float]) -> float:
    """Return how long the quickest fifth took at most: what else runs on the machine only adds to it."""
    return statistics.quantiles(taken, n=5)[0]


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
        client = app.test_client()
        ratios: dict[str, list[float]] = {code: [] for code in CODES[1:]}
        for page in pages():
            taken: dict[str, list[float]] = {code: [] for code in CODES}
            for number in range(WARM_UP + ROUNDS):
                for code in CODES:
                    app.extensions.pop("companion-pages", None)  # so that a match is rendered anew
                    begun = time.process_time()
                    answer = client.get(page, headers={"Accept-Language": code})
                    answer.get_data()
                    if number >= WARM_UP:
                        taken[code].append(time.process_time() - begun)
                    assert answer.status_code in (200, 404), page
            if answer.status_code == 404:
                continue
            english = quickest(taken["en"])
            told = []
            for code in CODES[1:]:
                ratios[code].append(quickest(taken[code]) / english)
                told.append(f"{code} {ratios[code][-1]:.2f}")
            sys.stdout.write(f"{page:42} en {english * 1e3:5.2f} ms  {'  '.join(told)}\n")
            sys.stdout.flush()
        for code, found in ratios.items():
            mean = statistics.geometric_mean(found)
            sys.stdout.write(f"{code}: {mean:.3f} times English on average, {max(found):.2f} at most (aim {AIM})\n")
        with app.app_context():
            db.engine.dispose()
