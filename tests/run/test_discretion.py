"""Is a table's link, which opens it, in no log, also when something goes wrong?"""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion.app import create_app
from companion.settings import Settings


def test_a_mistake_of_ours_is_logged_without_the_link(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(Settings.read({"COMPANION_INSTANCE": str(tmp_path)}))

    @app.get("/t/<token>/broken")
    def broken(token: str) -> str:
        raise ZeroDivisionError("a mistake of ours")

    with caplog.at_level(logging.DEBUG):
        answer = app.test_client().get("/t/q3v7nS2kT9xW1bL5mD8fRg/broken")
    assert answer.status_code == 500
    assert "failed in broken [GET]" in caplog.text
    assert "a mistake of ours" in caplog.text
    assert "q3v7nS2kT9xW1bL5mD8fRg" not in caplog.text
