"""How does a match end on the phones? The winner, the series tonight, the best moment, and what can be done next."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from companion.engine import GAMES
from companion.engine.core import Standing, start
from companion.engine.records import decode_event, decode_options
from companion.engine.text import Name, say
from companion.games import PLUGINS
from companion.matches.log import Log, Written
from companion.screens.interface import finale
from companion.storage.models import Entry, MatchFacts, db
from companion.web.match.ending import words_to_share
from tests.web.people import BelozPhone, says, words

MATCHES = Path(__file__).parents[1] / "engine"


@pytest.fixture
def at_match():
    return BelozPhone


def recorded(slug):
    """Return the log of the game's recorded match, an entry an event."""
    record = json.loads((MATCHES / slug.replace("-", "_") / "match.json").read_text("utf-8"))
    game = GAMES[slug]
    log = Log(1, start(game, record["players"], decode_options(game, record["options"])))
    at = datetime(2026, 11, 22, tzinfo=UTC)
    events = [(decode_event(game, event),) for event in record["events"]]
    return log.with_lines([Written(seq, f"{seq}", 0, at, "events", None, each) for seq, each in enumerate(events, start=1)])


@pytest.mark.parametrize(
    ("slug", "result", "others", "what", "how"),
    [
        # all eight expeditions: 153 + 10 for the last + 90 more
        ("beloz", "1099", "to 708", "253 points in round 4", "Ana & Cy won all eight"),
        # leaves: 8 + 5 for the Ace + 6; waves would be 21
        ("bisque", "31", "Bo\u00a025", "19 points in hand 1", "Ana’s goal: the 4 of waves and leaves"),
        # round 2: Ana takes pack 1 with its tie of round 1, pack 2 and pack 3
        ("rivals", "18", "to 18", "7 cards in round 2", "Ana took them"),
        # four KILLs and a PROTECT
        ("what-the-fish", "12", "swam free", "5 cards on one fish", "Ana’s 8, swim 1"),
    ],
)
def test_each_game_tells_its_best_moment(slug, result, others, what, how):
    finale = PLUGINS[slug].screens.finale(recorded(slug))
    assert (finale.result, finale.others) == (result, others)
    assert finale.moment is not None
    assert (finale.moment.title, finale.moment.how) == (what, how)


def test_where_the_fewest_points_win_the_others_follow_from_the_fewest_on():
    standing = Standing((30, 12, 25), ("Ana", "Bo", "Cy"), finished=True, winners=(1,))
    came_out = finale(standing, lowest_wins=True)
    assert (came_out.result, came_out.others) == ("12", "Cy\u00a025, Ana\u00a030")


@pytest.mark.parametrize(
    ("slug", "winner", "shared"),
    [
        ("beloz", "Ana & Cy", "BeloZ: Ana & Cy wins, 1099 to 708."),
        # both captured 18: fewer cards win
        ("rivals", "Bo", "Rivals: Bo wins, 18 to 18. Equal, 18 each: Bo wins with fewer cards, 5 against 10."),
        ("what-the-fish", "Cy", "What the Fish!: Cy wins: the 12 swam free. On the way 1 fish died."),
    ],
)
def test_words_to_share_say_the_reason_where_the_figures_do_not(slug, winner, shared):
    game = GAMES[slug]
    title = say("{name} wins", name=Name(winner))
    assert words_to_share(game.title, title, PLUGINS[slug].screens.finale(recorded(slug)), side_by_side=True) == shared


@pytest.mark.parametrize("agreed", [{"target": 1000}])
def test_before_it_is_saved_a_correction_says_who_leads_with_it_and_since_when(phone):
    """Ana & Cy win every round by 108 to 55. A broken one gives Bo & Di all 162, which takes four such rounds to make up."""
    for _ in range(3):
        phone.play_round(98)
    broken = {"round": '{"bidder":0,"flooded":"south"}', "team": "0", "last": "0", "points": "40", "ask": "preview"}
    assert says(phone.send("/entries/2", **broken), "Bo & Di lead with it, since round 2")
    for _ in range(2):
        phone.play_round(98)
    assert says(phone.send("/entries/1", **broken), "Ana & Cy lead since round 5 with it, not since round 1")


@pytest.mark.parametrize("agreed", [{"target": 100}])
class TestTheEndOfAMatch:
    def test_a_correction_that_changes_the_winner_says_so_before_and_tells_the_others(self, phone, other_phone):
        phone.play_round(98)
        other_phone.open()
        typed = {"round": '{"bidder":0,"flooded":"south"}', "team": "0", "points": "40", "last": "0"}
        asked = phone.send("/entries/1", **typed, ask="preview")
        assert says(asked, "Bo & Di win with it")
        assert phone.send("/entries/1", **typed).status_code == 303
        assert says(other_phone.open(), "Bo & Di win now.")
        typed["points"] = "76"  # won again, by less than the target
        assert says(phone.send("/entries/1", **typed, ask="preview"), "Nobody has won then")

    def test_it_names_the_winner_once_with_the_result_and_the_best_round(self, phone, other_phone):
        phone.play_round(98)
        page = other_phone.open()
        assert says(page, "Ana & Cy win")
        assert says(page, "108 to 55")
        assert says(page, "108 points in round 1")
        assert 'data-announce="Ana &amp; Cy win, 108 to 55"' in page.text
        assert not says(page, "Tonight")

    def test_the_second_match_tells_the_series_tonight(self, phone):
        phone.play_round(98)
        phone.send("/rematch")
        phone.link = phone.link.replace("/m/1", "/m/2")
        phone.open()
        page = phone.play_round(98)  # Bo deals now, so the first team is Bo's
        assert says(page, "Bo & Di win")
        assert says(page, "Level at 1 to 1")

    @pytest.mark.parametrize(("hours", "one_evening"), [(5, True), (7, False), (7 * 24, False)])
    def test_an_evening_ends_six_hours_after_its_last_entry(self, phone, app, hours, one_evening):
        phone.play_round(98)
        phone.send("/rematch")
        with app.app_context():
            before = datetime.now(UTC).replace(tzinfo=None) - timedelta(hours=hours)
            db.session.execute(update(Entry).where(Entry.match_number == 1).values(at=before))
            db.session.execute(delete(MatchFacts))
            db.session.commit()
        app.extensions.pop("companion-logs", None)  # nothing is at hand that was entered just now
        phone.link = phone.link.replace("/m/1", "/m/2")
        phone.open()
        phone.play_round(98)
        assert says(phone.open(), "Tonight") == one_evening

    def test_it_leads_to_a_rematch_another_game_and_words_to_share(self, phone):
        page = phone.play_round(98)
        assert says(page, "Rematch, Bo deals")
        assert says(page, "Other game")
        assert 'data-share-text="BeloZ: Ana &amp; Cy win, 108 to 55."' in page.text

    def test_who_watches_sees_it_and_may_share_but_starts_nothing(self, phone, watcher):
        phone.play_round(98)
        page = watcher.open()
        assert says(page, "Ana & Cy win")
        assert "Rematch" not in words(page)

    def test_a_stopped_match_has_no_ending(self, phone):
        phone.open()
        phone.send("/stop")
        page = phone.open()
        assert "ending-words" not in page.text
        assert "data-share-text" not in page.text
