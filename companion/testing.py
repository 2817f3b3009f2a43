"""Which tests does every game's package need? These, for whoever names a match in a class of their own tests.

    class TestMagpie(GameTests):
        plugin = PLUGIN
        players = ("Ana", "Bo", "Cy")
        entries = ((Round((7, 3, 0)),), (Round((8, 0, 2)),))

They need pytest, no browser and no network. Nothing of Companion imports this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion import games
from companion.app import create_app
from companion.app import start as start_app
from companion.engine import GAMES, records
from companion.engine.core import Event, Options, Position, RuleError, replay, start
from companion.engine.text import Sentence
from companion.matches import entries as entering
from companion.matches.log import Log
from companion.screens.plugin import GamePlugin
from companion.settings import Settings
from companion.storage import database
from companion.storage.models import MatchId, Player, Table, db
from companion.tables.seating import new_link

__all__ = ["GameTests"]

LANGUAGES = ("en", "fr", "de")


class GameTests:
    """Ready tests for one game: its rules, its records, and its pages on a phone without scripts.

    ``entries`` are those of a match that is played to its end by ``players`` with these ``options``: each is the events of one
    form. ``wrong`` are events that the rules refuse before the first entry.
    """

    plugin: ClassVar[GamePlugin]
    players: ClassVar[tuple[str, ...]]
    entries: ClassVar[Sequence[tuple[Event, ...]]]
    options: ClassVar[Options | None] = None
    wrong: ClassVar[Sequence[Event]] = ()

    @property
    def beginning(self) -> Position[Any]:
        """The match before its first entry."""
        return start(self.plugin.game, self.players, self.options)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events of the match, in order."""
        return tuple(event for entry in self.entries for event in entry)

    @pytest.fixture(scope="class")
    @classmethod
    def app(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
        """Yield Companion, which knows the game, whether its package is installed or not. Each test has a table of its own."""
        games.add_installed()
        slug = cls.plugin.slug
        plugin, game = games.PLUGINS.get(slug), GAMES.get(slug)
        games.PLUGINS[slug], GAMES[slug] = cls.plugin, cls.plugin.game
        settings = Settings.read({"COMPANION_INSTANCE": str(tmp_path_factory.mktemp("instance"))})
        config = {"SECRET_KEY": "only for tests", "TESTING": True, "WTF_CSRF_ENABLED": False, "RATELIMIT_ENABLED": False}
        app = start_app(create_app(settings, config))
        yield app
        with app.app_context():
            db.engine.dispose()
        if plugin is None or game is None:
            del games.PLUGINS[slug], GAMES[slug]
        else:
            games.PLUGINS[slug], GAMES[slug] = plugin, game

    def open_match(self, players: Sequence[str], options: Options | None = None) -> tuple[MatchId, str]:
        """Begin a match at a table of its own; return it, and its address for players. Call it within the application."""
        with database.writing():
            table = Table(name="Kitchen table", play_token=new_link(), watch_token=new_link())
            table.players = [Player(name=name, seat=seat) for seat, name in enumerate(players)]
            db.session.add(table)
            db.session.flush()
            number, link = table.id, table.play_token
        match = entering.open_match(number, self.plugin.slug, players, options)
        return MatchId(number, match), f"/t/{link}/m/{match}"

    def play(self, entries: Sequence[Sequence[Event]]) -> tuple[MatchId, str]:
        """Begin a match and make these entries in it."""
        match, address = self.open_match(self.players, self.options)
        for seq, events in enumerate(entries):
            entering.record(match, events, idempotency_key=f"entry-{seq}", expected_seq=seq)
        return match, address

    def get(self, app: Flask, address: str, language: str = "en") -> TestResponse:
        """Return a page as a phone gets it that speaks this language."""
        return app.test_client().get(address, headers={"Accept-Language": language})

    def test_the_match_is_played_to_its_end(self) -> None:
        """Each entry is accepted, the last one ends the match, and nothing can follow it."""
        end = replay(self.beginning, self.events)
        assert end.finished
        with pytest.raises(RuleError):
            end.apply(self.events[-1])

    def test_the_end_has_winners(self) -> None:
        """Whoever has won is one of the sides, and has a score."""
        standing = replay(self.beginning, self.events).standing()
        assert standing.winners
        assert set(standing.winners) <= set(range(len(standing.sides)))
        assert len(standing.scores) == len(standing.sides)

    def test_each_score_is_explained(self) -> None:
        """After every event the lines of the explanation, where there are any, add up to the scores."""
        position = self.beginning
        for event in self.events:
            position = position.apply(event)
            standing = position.standing()
            for side, score in enumerate(standing.scores if standing.lines else ()):
                assert sum(line.amounts[side] or 0 for line in standing.lines) == (score or 0), (event, standing.sides[side])

    def test_each_rule_can_be_read(self) -> None:
        """Every rule that an explanation or a refusal names stands in the rulebook, if there is one."""
        named = {line.rule for line in replay(self.beginning, self.events).standing().lines}
        for event in self.wrong:
            with pytest.raises(RuleError) as refused:
                self.beginning.apply(event)
            named.add(refused.value.rule)
        if self.plugin.book is not None:
            assert [rule for rule in named - {""} if self.plugin.find_rule(rule) is None] == []

    def test_what_is_wrong_is_refused_with_a_sentence(self) -> None:
        """The refusal keeps its parts, so that it can be said in another language."""
        for event in self.wrong:
            with pytest.raises(RuleError) as refused:
                self.beginning.apply(event)
            assert isinstance(refused.value.message, Sentence)
            assert refused.value.message.strip()

    def test_a_match_begins_with_fewest_and_most_players(self, app: Flask) -> None:
        """And its page opens, with each of them on it."""
        for count in self.plugin.game.seats:
            names = [f"Player{number}" for number in range(count)]
            with app.app_context():
                _, address = self.open_match(names)
            page = self.get(app, address)
            assert page.status_code == 200
            assert "Player0" in page.text

    def test_a_record_gives_the_match_back(self, app: Flask) -> None:
        """What is downloaded as a record holds the same events, and stands the same."""
        with app.app_context():
            _, address = self.play(self.entries)
        record = records.read_record(self.get(app, f"{address}/record.json").data)
        assert tuple(record.events()) == self.events
        assert replay(record.start, record.events()).standing() == replay(self.beginning, self.events).standing()

    def test_each_entry_is_undone_and_redone(self, app: Flask) -> None:
        """Undone, the match stands as before it; redone, as after it."""
        with app.app_context():
            for number in range(1, len(self.entries) + 1):
                match, _ = self.play(self.entries[:number])
                after = entering.read(match).standing
                undone = entering.undo(match, idempotency_key="undo", expected_seq=number).after
                assert undone.standing == self.stands(self.entries[: number - 1])
                redone = entering.undo(match, number + 1, idempotency_key="redo", expected_seq=number + 1).after
                assert redone.standing == after

    def test_a_correction_counts_everything_anew(self, app: Flask) -> None:
        """An entry gets the events of another, where the rules allow that: the match stands as if they had been first."""
        with app.app_context():
            for at, entry in enumerate(self.entries):
                for other in self.entries:
                    corrected = [*self.entries[:at], other, *self.entries[at + 1 :]]
                    if other == entry or not self.allowed(corrected):
                        continue
                    match, _ = self.play(self.entries)
                    seq = len(self.entries)
                    after: Log = entering.correct(match, at + 1, other, idempotency_key="correct", expected_seq=seq).after
                    assert after.standing == self.stands(corrected)

    def test_each_entry_can_be_opened_to_correct_it(self, app: Flask) -> None:
        """Its page opens, and is told in one line."""
        with app.app_context():
            match, address = self.play(self.entries)
            log = entering.read(match)
        for entry in log.entries:
            assert self.get(app, f"{address}/entries/{entry.seq}").status_code == 200
            if self.plugin.screens is not None:
                assert self.plugin.screens.describe_entry(entry, log.standing.sides)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_page_opens_at_every_entry(self, app: Flask, language: str) -> None:
        """The match's own and those on which something is entered, in each language, translated or not."""
        pages = [] if self.plugin.screens is None else list(self.plugin.screens.pages)
        for number in range(len(self.entries) + 1):
            with app.app_context():
                _, address = self.play(self.entries[:number])
            for path in (address, *(f"{address}/{page}" for page in pages)):
                page = self.get(app, path, language)
                assert page.status_code in {200, 303}, path
                assert page.status_code == 303 or f'lang="{language}' in page.text, path

    def test_the_end_says_who_has_won(self, app: Flask) -> None:
        """By name, on the match's page."""
        with app.app_context():
            match, address = self.play(self.entries)
            standing = entering.read(match).standing
        ending = self.get(app, address).text.partition('id="ending"')[2].partition("</section>")[0]
        assert ending
        assert [standing.sides[side] for side in standing.winners if standing.sides[side] not in ending] == []

    def stands(self, entries: Sequence[Sequence[Event]]) -> Any:
        """Return how the match stands after these entries."""
        return replay(self.beginning, [event for entry in entries for event in entry]).standing()

    def allowed(self, entries: Sequence[Sequence[Event]]) -> bool:
        """Return whether the rules allow these entries one after the other."""
        position = self.beginning
        try:
            for entry in entries:
                for event in entry:
                    position = position.apply(event)
        except RuleError:
            return False
        return True
