"""What is said about an entry, a doubt or an agreement, is a line of its match: it goes wherever the match goes."""

from __future__ import annotations

import json

import pytest

from companion.engine.records.chained import answer_chains
from companion.matches import entries, fairness
from companion.matches.log import REMARKS
from companion.storage.models import MatchId
from companion.tables import table_file
from tests.web.test_bringing_back import Copy

pytestmark = [pytest.mark.both_databases, pytest.mark.usefixtures("small_games", "in_app")]


@pytest.fixture
def here(table):
    """Return a match of two entries, and five points."""
    entries.open_match(table.id, "tally", ["Ana", "Bo"])
    here = Copy(table.id, "here")
    here.score(2, 3)
    return here


@pytest.fixture(params=sorted(REMARKS))
def remark(request):
    """Return a call that doubts an entry of a copy, or agrees to it."""
    return lambda copy, of: entries.remark(MatchId(copy.id, 1), of, request.param, player=1, **copy.how(1))


def remarked(copy):
    """Return the entries that somebody doubts or agreed to."""
    return sorted({*copy.log().doubts, *copy.log().agreed})


def test_it_is_chained_and_goes_with_the_table(here, remark):
    remark(here, 1)
    here.undo(3)
    remark(here, 2)
    (chain,) = answer_chains(here.file())["chains"]
    assert (chain["entries"], chain["head"]) == (5, here.log().written[-1].chain)
    there = here.taken_along()
    assert remarked(there) == [2]
    assert there.log().written[-1].chain == here.log().written[-1].chain


def test_a_file_in_which_it_was_left_out_or_turned_round_is_refused(here, remark):
    remark(here, 1)
    left_out, turned = json.loads(here.file()), json.loads(here.file())
    del left_out["matches"][0]["log"][2]
    (line,) = turned["matches"][0]["log"][2:]
    (line["kind"],) = REMARKS - {line["kind"]}
    for changed in (left_out, turned):
        with pytest.raises(table_file.TableFileError, match="was changed after this file was written"):
            table_file.import_table(json.dumps(changed).encode())


def test_it_comes_back_from_a_phone_once(here, remark):
    phone = here.taken_along()
    remark(phone, 2)
    here.score(4)
    (brought,) = here.back(phone)
    assert (brought.entries, brought.fork) == (1, None)
    assert remarked(here) == [2]
    assert here.back(phone) == []


def test_a_record_has_no_word_of_it(here, remark):
    before = fairness.record(MatchId(here.id, 1))
    remark(here, 2)
    assert fairness.record(MatchId(here.id, 1)) == before
