"""Where does a finished match go on? In its rematch, or in whatever else its table plays now."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from companion.engine.text import Name, Sentence, listing, say, say_n
from companion.matches import entries
from companion.screens.interface import named
from companion.storage import notifications
from companion.storage.models import Match, db
from companion.tables import results
from companion.web.guard.access import TableAccess


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A newer match that is being played: its address, the sentence about it, and its state.

    ``by_itself``: phones go there without a tap. It is False for a phone whose player chose to stay.
    """

    url: str
    number: int
    title: str
    text: str
    by_itself: bool
    at_once: bool


def after(access: TableAccess, number: int, game: str, players: tuple[str, ...], stay: int) -> NextMatch | None:
    """Return the match that the table plays after match ``number``; None while it plays none, or an older one.

    ``stay`` is the number of the newest match that this phone does not want to be taken to.
    """
    running = results.running(access.row.id)
    if running is None or running.number <= number:
        return None
    match = db.session.query(Match).filter_by(table_id=access.row.id, number=running.number).one()
    by = None if match.begun_by is None else [*match.players, *match.others][match.begun_by]
    rematch = running.game == game and set(running.players) == set(players)
    if by is None:
        title = say("A rematch has started") if rematch else say("{game} has started", game=named(running.title))
    elif rematch:
        title = say("{player} started a rematch", player=Name(by))
    else:
        title = say("{player} started {game}", player=Name(by), game=named(running.title))
    sentences: list[Sentence] = []
    dealer = entries.read(match.id).standing.details.get("dealer")
    if dealer is not None:
        sentences.append(say("{player} deals.", player=Name(running.players[dealer])))
    present = [name for name in there_already(access, running.number) if name != by]
    if present:
        names = listing([Name(name) for name in present])
        sentences.append(say_n("{names} is there already.", "{names} are there already.", len(present), names=names))
    return NextMatch(
        url=url_for("match.show_match", token=access.token, number=running.number),
        number=running.number,
        title=title,
        text=listing(sentences, "text"),
        by_itself=stay < running.number,
        at_once=not access.may_enter,
    )


def there_already(access: TableAccess, number: int) -> list[str]:
    """Return the people, other than this phone's, whose phones look at a match of the table."""
    hub = notifications.hub()
    return [
        player.name
        for player in access.table.players
        if player.phone not in {None, access.phone} and hub.is_looking_at(access.row.id, player.phone, number)
    ]
