"""What one address may send at its worst takes so little of the processor that no other phone waits for it.

Time is counted as the processor's time of this thread: how busy the machine is otherwise does not matter.
"""

from __future__ import annotations

import time
from contextlib import contextmanager

import pytest

from companion import names
from tests.web.people import Phone, says

pytestmark = pytest.mark.sqlite  # nothing here depends on the database

WHOLE = "multipart/form-data"  # in which letters beyond ASCII take the least room
MOST = 0.5  # seconds that a request may keep the processor for itself


@contextmanager
def quickly(most=MOST):
    """What is inside takes at most so many seconds of the processor."""
    begun = time.thread_time()
    yield
    took = time.thread_time() - begun
    assert took < most, f"it took {took:.2f} s"


@pytest.fixture
def ana(app):
    return Phone(app).make_table("Ana", "Bo", "Cy", "Di")


class TestNames:
    ACCENTS = "a" + "\u0301" * 16_000 + "\u0316" * 15_000  # each must be moved past all of the others, to be composed

    def test_one_that_is_too_long_is_refused_before_it_is_composed(self):
        with quickly(0.01), pytest.raises(names.UnfitNameError) as refused:
            names.clean(self.ACCENTS)
        assert str(refused.value) == "A name has at most 40 characters; this one has 31,001."

    def test_one_in_many_parts_and_with_spaces_around_is_still_welcome(self):
        assert names.clean("  " * 20 + "e\u0302\u0301" * 40 + "\t") == "\u1ebf" * 40

    @pytest.mark.parametrize(
        ("path", "field"),
        [("/tables", "table"), ("/tables", "person_3"), ("/join", "code")],
    )
    def test_no_form_of_the_lobby_waits_for_one(self, ana, path, field):
        form = {"table": "Tuesday table", "person_0": "Ana", field: self.ACCENTS}
        ana.client.post(path, data={})
        with quickly():
            answer = ana.client.post(path, data=form, content_type=WHOLE)
        assert answer.status_code == 422

    @pytest.mark.parametrize(("path", "more"), [("/people/new", {}), ("/name", {}), ("/people/1", {"do": "rename"})])
    def test_no_form_of_a_table_waits_for_one(self, ana, path, more):
        path = ana.person("Bo") if path == "/people/1" else path
        ana.open()
        with quickly():
            answer = ana.client.post(f"{ana.link}{path}", data={"name": self.ACCENTS, **more}, content_type=WHOLE)
        assert answer.status_code == 422
        assert says(answer, "at most 40 characters")
