"""Where a finished match goes on: its rematch, or whatever else its table plays now."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for

from companion.engine.text import join_names
from companion.matches import entries
from companion.storage import notifications
from companion.storage.models import Match, db
from companion.tables import results
from companion.web.access import Visit


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A newer match that is being played: its address, what happened, and what is known of it.

    ``by_itself`` is False where somebody chose to stay.
    """

    url: str
    number: int
    title: str
    text: str
    by_itself: bool
    at_once: bool


def after(visit: Visit, number: int, game: str, players: tuple[str, ...], stay: int) -> NextMatch | None:
    """Return the match that the table plays after match ``number``; None while it plays none, or an older one.

    ``stay`` is the number of the newest match that this phone does not want to be taken to.
    """
    running = results.running(visit.at.id)
    if running is None or running.number <= number:
        return None
    match = db.session.query(Match).filter_by(table_id=visit.at.id, number=running.number).one()
    by = None if match.begun_by is None else running.players[match.begun_by]
    rematch = running.game == game and set(running.players) == set(players)
    if by is None:
        title = "A rematch has started" if rematch else f"{running.title} has started"
    else:
        title = f"{by} started {'a rematch' if rematch else running.title}"
    sentences = []
    dealer = entries.read(match.id).standing.details.get("dealer")
    if dealer is not None:
        sentences.append(f"{running.players[dealer]} deals.")
    there = [name for name in there_already(visit, running.number) if name != by]
    if there:
        sentences.append(f"{join_names(there)} {'is' if len(there) == 1 else 'are'} there already.")
    return NextMatch(
        url=url_for("match.show", token=visit.token, number=running.number),
        number=running.number,
        title=title,
        text=" ".join(sentences),
        by_itself=stay < running.number,
        at_once=not visit.may_enter,
    )


def there_already(visit: Visit, number: int) -> list[str]:
    """Return the people, other than this phone's, whose phones look at a match of the table."""
    hub = notifications.hub()
    return [
        player.name
        for player in visit.table.players
        if player.phone not in {None, visit.phone} and hub.is_looking_at(visit.at.id, player.phone, number)
    ]
