"""What happens around a table? It is made, people sit down, change places and go, and others are invited.

Seats are numbered from 0, each at the right of the one before: they are places at the real table, whichever way a game's turn
runs. A number may be missing: that place is free. Each change is one transaction of its own, and the table's phones hear of it
once it is stored.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import func, select

from companion.engine.core import MOST_PEOPLE
from companion.engine.text import Name, Sentence, listing, said, say
from companion.storage import notifications
from companion.storage.database import writing
from companion.storage.models import Match, Player, Table, db, now
from companion.tables.names import A_NAME, A_TABLES_NAME, YOUR_NAME, UnfitNameError, equal, normalize

CODE_ALPHABET = "24679HKMRTWXY"  # none looks or sounds like another (0 and O, 5 and S, M and N ...), and they spell no words
CODE_LENGTH, LONGER_CODE = 6, 7  # letters of a code; the longer one while many are live, as it would be hit too soon by luck
MANY_CODES = 20
LONGEST_TYPED = 100  # characters of what is typed for a code that are looked at
INVITATION = timedelta(minutes=15)  # how long a spoken code is good for


class TableError(Exception):
    """It can't be done at this table. The message is a sentence; ``field`` names the part of a form that it is about."""

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


def create(name: str, people: Sequence[str | None], phone: str, game: str | None = None) -> Table:
    """Make a table for this game, open to others, with these people from seat 0 on; None is a place that is still free.

    The first of them holds ``phone``. Raises TableError, ``field`` being ``table`` or ``people.2``.
    """
    names = _different(people)
    try:
        called = normalize(name, whose=A_TABLES_NAME)
    except UnfitNameError as refused:
        raise TableError(said(refused), field="table") from None
    with writing():
        table = Table(name=called, play_token=new_link(), watch_token=new_link(), game=game)
        table.players = [Player(name=person, seat=seat) for seat, person in enumerate(names) if person is not None]
        if table.players:
            table.players[0].phone = phone
        db.session.add(table)
        _open_invitation(table)
        db.session.flush()
    return table


def _different(people: Sequence[str | None]) -> list[str | None]:
    """Return the names as they are kept, each different from all others; None where nobody sits yet."""
    names: list[str | None] = []
    for seat, person in enumerate(people):
        if person is None or not person.strip():
            names.append(None)
            continue
        try:
            name = normalize(person)
        except UnfitNameError as refused:
            raise TableError(said(refused), field=f"people.{seat}") from None
        if any(other is not None and equal(name, other) for other in names):
            raise TableError(
                say("Two people are called {name}. Give them different names.", name=Name(name)), field=f"people.{seat}"
            )
        names.append(name)
    return names


@contextmanager
def changing(table_id: int) -> Iterator[Table]:
    """Lend the table to be changed: nobody else changes it meanwhile, and its phones hear of it afterwards."""
    with writing(("table", table_id)):
        # this also locks the table's row: people of one table take turns, those of others don't wait
        notifications.changed(table_id)
        yield db.session.get_one(Table, table_id, populate_existing=True)


# People


def check_newcomer(table: Table, name: str, *, has_phone: bool = True) -> str:
    """Return the name under which somebody may sit down. Raises TableError (field ``name``) for a name that can't be used, one
    that is taken, and at a full table.
    """
    called = _person(name, whose=YOUR_NAME if has_phone else A_NAME)
    for other in table.players:
        if equal(other.name, called):
            refusal = say("{name} is at this table already.", name=Name(other.name))
            hint = say("If that’s you, tap “{name}” below.", name=Name(other.name))
            raise TableError(listing([refusal, hint], "text") if has_phone else refusal, field="name")
    if len(table.players) >= MOST_PEOPLE:
        raise TableError(
            say("A table has room for {most_people} people. Somebody has to leave first.", most_people=MOST_PEOPLE),
            field="name",
        )
    return called


def sit_down(table_id: int, name: str, *, phone: str | None = None, seat: int | None = None) -> Player:
    """Seat somebody at ``seat``, or at the first free one if None. With ``phone``, it is that phone's owner.

    Raises TableError as :func:`check_newcomer` does, and (field ``seat``) where somebody else sits already.
    """
    with changing(table_id) as table:
        called = check_newcomer(table, name, has_phone=phone is not None)
        taken = {player.seat: player.name for player in table.players}
        if seat in taken:
            raise TableError(say("{name} sits there now. Choose another seat.", name=Name(taken[seat])), field="seat")
        if seat is None or not 0 <= seat < MOST_PEOPLE:
            seat = next(number for number in range(MOST_PEOPLE) if number not in taken)
        player = Player(name=called, seat=seat)
        if phone is not None:
            _unclaim(table, phone)
            player.phone = phone
        table.players.append(player)
        db.session.flush()
        return player


def _person(name: str, whose: Sentence = A_NAME) -> str:
    try:
        return normalize(name, whose=whose)
    except UnfitNameError as refused:
        raise TableError(said(refused), field="name") from None


def _unclaim(table: Table, phone: str) -> None:
    for player in table.players:
        if player.phone == phone:
            player.phone = None


def _somebody(table: Table, player_id: int) -> Player:
    for player in table.players:
        if player.id == player_id:
            return player
    raise TableError(say("This person is no longer at the table."))


def claim(table_id: int, player_id: int, phone: str) -> None:
    """Make the phone this person's ("I am Ana"), and nobody else's at this table."""
    with changing(table_id) as table:
        player = _somebody(table, player_id)
        _unclaim(table, phone)
        player.phone = phone


def pass_on(table_id: int, player_id: int, phone: str) -> None:
    """Make the phone this person's, who plays with it too. Raises TableError where another phone is theirs by now."""
    with changing(table_id) as table:
        player = _somebody(table, player_id)
        if player.phone not in (None, phone):
            raise TableError(say("{name} has another phone now.", name=Name(player.name)))
        _unclaim(table, phone)
        player.phone = phone


def release(table_id: int, phone: str) -> None:
    """Make the phone nobody's at this table."""
    with changing(table_id) as table:
        _unclaim(table, phone)


def rename_person(table_id: int, player_id: int, name: str) -> None:
    """Call somebody differently, also in the matches that know them. Raises TableError (field ``name``)."""
    called = _person(name)
    every_match = select(Match).where(Match.table_id == table_id).order_by(Match.number).with_for_update(key_share=True)
    with writing(("table", table_id)):
        matches = db.session.scalars(every_match).all()  # before the table, as who enters something: nobody waits for ever
        with changing(table_id) as table:
            player = _somebody(table, player_id)
            for other in table.players:
                if other is not player and equal(other.name, called):
                    raise TableError(say("{name} is at this table already.", name=Name(other.name)), field="name")
            for match in matches:
                if player.name in {*match.players, *match.others}:
                    _rename_in(match, player.name, called)
            player.name = called


def _rename_in(match: Match, name: str, called: str) -> None:
    """Refuse a name that somebody in it has already: somebody who has left the table, perhaps."""
    for other in (*match.players, *match.others):
        if other != name and equal(other, called):
            raise TableError(
                say(
                    "{other} and {name} are both in match {number}. Choose another name.",
                    other=Name(other),
                    name=Name(name),
                    number=match.number,
                ),
                field="name",
            )
    people = [*match.players, *match.others]
    first = match.names or []
    match.names = [*first, *people[len(first) :]]  # the chain has them as they were
    match.players = [called if player == name else player for player in match.players]
    match.others = [called if other == name else other for other in match.others]


def deal_first(table_id: int, player_id: int) -> None:
    """Let this person deal first. Everybody stays where they sit."""
    with changing(table_id) as table:
        table.dealer = _somebody(table, player_id).seat


def first_dealer(table: Table) -> Player | None:
    """Return who deals the next match's first deal: whoever was chosen, else who sits at the lowest seat."""
    seated = sorted(table.players, key=lambda player: player.seat)
    return next((player for player in seated if player.seat == table.dealer), next(iter(seated), None))


def change_places(table_id: int, player_id: int, seat: int) -> None:
    """Move a player to another seat, and the player who sits there to theirs. The first dealer stays the same person."""
    with changing(table_id) as table:
        player = _somebody(table, player_id)
        if not 0 <= seat < MOST_PEOPLE:
            raise TableError(say("There is no such seat at this table."), field="seat")
        dealer = first_dealer(table)
        other = next((other for other in table.players if other.seat == seat), None)
        if other is not None:
            other.seat = player.seat
        player.seat = seat
        table.dealer = None if dealer is None else dealer.seat


def remove(table_id: int, player_id: int) -> str:
    """Let somebody leave the table; the matches that they played stay. Returns the name."""
    with changing(table_id) as table:
        player = _somebody(table, player_id)
        table.players.remove(player)
        return player.name


def seats_around(people: Iterable[Player], fewest: int) -> list[Player | None]:
    """Return who sits where, from the lowest seat to the right; None is a free place that a game for ``fewest`` still needs.

    While it needs one, the place's index is its seat. Free places that nobody needs are left out.
    """
    seated = sorted(people, key=lambda player: player.seat)
    if len(seated) >= fewest:
        return list(seated)
    places: list[Player | None] = [None] * max(fewest, *(player.seat + 1 for player in seated), 0)
    for player in seated:
        places[player.seat] = player
    return places


def seats_to_join(people: Iterable[Player], fewest: int) -> list[Player | None]:
    """Return who sits at each seat, from seat 0 on, with at least one free place (None) for somebody who comes to the table."""
    seated = {player.seat: player for player in people}
    taken = max(seated, default=-1) + 1
    size = max(fewest, taken + (len(seated) == taken))
    return [seated.get(seat) for seat in range(min(size, MOST_PEOPLE))]


def turn_order(table: Table, turn: Literal["right", "left"]) -> list[Player]:
    """Return the people as their turns come, from the first dealer on, in a game whose turn runs this way."""
    dealer = first_dealer(table)
    seated = sorted(table.players, key=lambda player: player.seat, reverse=turn == "left")
    first = seated.index(dealer) if dealer is not None else 0
    return seated[first:] + seated[:first]


# The table itself, and its links


def rename_table(table_id: int, name: str) -> None:
    """Give the table another name. Raises TableError (field ``name``)."""
    try:
        called = normalize(name, whose=A_TABLES_NAME)
    except UnfitNameError as refused:
        raise TableError(said(refused), field="name") from None
    with changing(table_id) as table:
        table.name = called


def choose_game(table_id: int, game: str) -> None:
    """Choose what the table plays next, for all phones."""
    with changing(table_id) as table:
        table.game = game


def new_link() -> str:
    """Return an unguessable link: 128 bits."""
    return secrets.token_urlsafe(16)


def replace_play_link(table_id: int) -> str:
    """Make a new link for playing; the old one and the spoken code lead nowhere from now on. Returns the new one."""
    with changing(table_id) as table:
        table.play_token = new_link()
        table.code = table.code_until = None
        return table.play_token


def replace_watch_link(table_id: int) -> str:
    """Make a new link for watching; the old one leads nowhere from now on. Returns the new one."""
    with changing(table_id) as table:
        table.watch_token = new_link()
        return table.watch_token


def open_invitation(table_id: int) -> None:
    """Show a new spoken code, good for a quarter of an hour. The one before it leads nowhere from now on."""
    with changing(table_id) as table:
        _open_invitation(table)


def close_invitation(table_id: int) -> None:
    """Take the spoken code back."""
    with changing(table_id) as table:
        table.code = table.code_until = None


def _open_invitation(table: Table) -> None:
    length = CODE_LENGTH if live_codes(CODE_LENGTH) < MANY_CODES else LONGER_CODE
    while True:
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(length))
        holder = db.session.scalar(select(Table).where(Table.code == code))
        if holder is None:
            break
        if open_until(holder) is None:
            holder.code = holder.code_until = None
            db.session.flush()
            break
    table.code, table.code_until = code, now() + INVITATION


def open_until(table: Table) -> datetime | None:
    """Return until when the table's code is good, in UTC; None when there is none any more."""
    if table.code is None or table.code_until is None or table.code_until <= now():
        return None
    return table.code_until


def typed_code(typed: str) -> str:
    """Return a code as it is kept: spaces, dashes and capitals don't matter."""
    return "".join(letter for letter in typed[:LONGEST_TYPED].upper() if not letter.isspace() and letter not in "-–.")


def checked_code(typed: str) -> str:
    """Return a code as it is kept. Raises TableError (field ``code``) for what can't be a table's."""
    code = typed_code(typed)
    if len(code) not in (CODE_LENGTH, LONGER_CODE) or not (code.isascii() and code.isalnum()):
        raise TableError(
            say(
                "A table’s code has {shorter} or {longer} letters and digits, like K7W M4R.",
                shorter=CODE_LENGTH,
                longer=LONGER_CODE,
            ),
            field="code",
        )
    return code


def by_code(typed: str) -> Table:
    """Return the table whose spoken code this is; spaces, dashes and capitals don't matter.

    Raises TableError (field ``code``).
    """
    code = checked_code(typed)
    table = db.session.scalar(select(Table).where(Table.code == code, Table.code_until > now()))
    if table is None:
        raise TableError(
            say(
                "That code doesn’t work. Codes expire after {minutes} minutes. Ask for a new one.",
                minutes=INVITATION.seconds // 60,
            ),
            field="code",
        )
    return table


def live_codes(length: int) -> int:
    """Return how many codes of this length would let somebody in now."""
    query = select(func.count()).select_from(Table).where(Table.code_until > now(), func.length(Table.code) == length)
    return db.session.scalar(query) or 0


def luck(typed: str) -> int:
    """Return how likely a guess like this one finds a table: so many codes of the shorter length, at least one, can be hit."""
    length = min(max(len(typed_code(typed)), CODE_LENGTH), LONGER_CODE)
    more: int = len(CODE_ALPHABET) ** (length - CODE_LENGTH)
    return max(live_codes(length) // more, 1)
