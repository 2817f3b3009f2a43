"""Who sits where around a table, as this phone sees it, and what can be played there?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from flask import render_template, request, session
from flask.typing import ResponseReturnValue

from companion.engine.core import MOST_PEOPLE, Game, RuleError, check_players
from companion.engine.text import Name, listing, say, say_n
from companion.games import PLUGINS
from companion.screens.options import OptionsForm
from companion.storage.models import Player, Table, now
from companion.tables import results, seating
from companion.tables.results import Result
from companion.web import short_names
from companion.web.delivery.toasts import PARTS
from companion.web.guard.access import TableAccess
from companion.web.lobby import offered, side_at, turn_of
from companion.web.table.qr import qr_code, table_url

FRESH = timedelta(minutes=5)  # how long a match that has just begun takes along the phones that wait at the table


@dataclass(frozen=True, slots=True)
class SeatAtTable:
    """A place at the drawn table: its seat, who sits there (None: free), and the side that they would play for.

    ``first``: this player is the first of the next match, or deals in the match that is played.
    """

    seat: int
    player: Player | None
    side: int | None
    first: bool
    you: bool


def chosen_game(table: Table) -> Game[Any]:
    """Return the game that the table plays next: chosen or played last, else the first there is."""
    games = offered()
    return games.get(table.game or "", next(iter(games.values())))


def places_around(
    access: TableAccess, game: Game[Any], around: Sequence[Player | None] | None = None, running: Result | None = None
) -> list[SeatAtTable]:
    """Return the table as this phone sees it, going round to the right: its owner first, else whoever deals.

    That is whoever deals in the match that is ``running``, else whoever deals first in the next one.

    Sides are counted from the lowest seat in the game's turn order, so that a team keeps its pawn whoever deals.
    """
    fewest, most = game.seats
    around = around or seating.seats_around(access.table.players, fewest)
    size = len(around)
    playable = fewest <= size <= most
    you, dealer = access.player, seating.first_dealer(access.table)
    if running is not None:
        dealer = next((player for player in access.table.players if player.name == running.dealer), None)
    places = [
        SeatAtTable(
            player.seat if player else index,
            player,
            side=side_at(game, index, size) if playable else None,
            first=player is not None and player is dealer,
            you=player is not None and player is you,
        )
        for index, player in enumerate(around)
    ]
    nearest = you or dealer
    first = next((index for index, place in enumerate(places) if place.player is nearest), 0)
    return places[first:] + places[:first]


def seconds_left(table: Table) -> int:
    """Return for how many seconds the table's code is still good; 0 when there is none."""
    until = seating.open_until(table)
    return 0 if until is None else max(0, math.ceil((until - now()).total_seconds()))


def who_is_here(people: Sequence[Player], places: Sequence[SeatAtTable]) -> str:
    """Return what is said of the table when somebody has come, gone, or changed places: who is there, as their turns come.

    Empty seats are told with their places, or who listens would not hear that somebody has moved to one.
    """
    if not people:
        return say("Nobody is at the table.")
    if len(people) > 1 and any(place.player is None for place in places):
        seats = [
            # NOTE: among the names of those who sit there: "Around the table: Ana, an empty seat, Bo and an empty seat."
            say("an empty seat") if place.player is None else Name(place.player.name)
            for place in sorted(places, key=lambda place: place.seat)
        ]
        return say("Around the table: {seats}.", seats=listing(seats))
    names = listing([Name(player.name) for player in people])
    return say_n("{names} is at the table.", "{names} are at the table.", len(people), names=names)


@dataclass(frozen=True, slots=True)
class CannotStart:
    """Why no match could be started."""

    sentence: str


def table_page(
    access: TableAccess,
    *,
    refusal: CannotStart | None = None,
    options: OptionsForm | None = None,
    playing: Sequence[int] = (),
    status: int = 200,
) -> ResponseReturnValue:
    """Return the table with its people around it, and what can be played."""
    table = access.table
    game = chosen_game(table)
    people = seating.turn_order(table, turn_of(game.slug))
    most = game.seats[1]
    last_matches = results.newest(table.id, 2)
    arrived, turned = sat_down(access)
    running = next((match for match in last_matches[:1] if match.running), None)
    places = places_around(access, game, running=running)
    return render_template(
        "table/table.html",
        **around(access),
        games=offered(),
        places=places,
        people=people,
        playing=set(playing) or {player.id for player in people[:most]},
        choose=len(people) > most,
        missing=what_is_missing(game, [player.name for player in people[:most]]),
        options=options or PLUGINS[game.slug].ask_options(agreed=results.house_rules(table.id, game.slug)),
        refusal=refusal,
        sat_down=arrived,
        turned=turned,
        seated=len(people),
        most_people=MOST_PEOPLE,
        announcement=who_is_here(people, places),
        share=table_url(access.token),
        qr=qr_code(table_url(access.token)),
        left=seconds_left(table) if access.may_enter else 0,
        running=running,
        follow=running is not None and running.entries == 0 and now() - running.begun < FRESH,
        last=next((match for match in last_matches if not match.running), None),
        count=results.how_many(table.id),
    ), status


def sat_down(access: TableAccess) -> tuple[Player | None, int]:
    """Return the player who has just sat down with this phone, and by how many seats the picture turns.

    The page offers an undo once. A script that fetches parts of the page does not use it up.
    """
    name, parts = PARTS
    if request.headers.get(name) == parts or "sat_down" not in session:
        return None, 0
    player, turned = session.pop("sat_down")
    return (access.player, turned) if access.player and access.player.id == player else (None, 0)


def around(access: TableAccess) -> Mapping[str, Any]:
    """Return what every page of a table knows."""
    short_names.know([player.name for player in access.table.players])
    return {
        "access": access,
        "table": access.table,
        "token": access.token,
        "may_enter": access.may_enter,
        "you": access.player,
        "choice": chosen_game(access.table),
    }


def what_is_missing(game: Game[Any], names: Sequence[str]) -> str:
    """Return why the game can't begin with these people, in the engine's words; nothing when it can."""
    try:
        check_players(game, names)
    except RuleError as refused:
        return refused.message
    return ""
