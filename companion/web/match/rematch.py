"""Who plays the rematch of a match, and who is first in it?"""

from __future__ import annotations

from flask import redirect, url_for
from flask.typing import ResponseReturnValue

from companion.engine.text import Name, listing, say, say_n
from companion.matches import entries
from companion.tables import results
from companion.web.guard.access import players_only
from companion.web.match.context import load_match
from companion.web.match.page import bp, refused_page


@bp.post("/t/<token>/m/<int:number>/rematch")
@players_only
def rematch(token: str, number: int) -> ResponseReturnValue:
    """Start the next match with the same players and the next dealer; where a newer one is being played, lead there.

    Who has left the table is not put into a match by it.
    """
    context = load_match(token, number)
    if not context.log.position.finished:
        return refused_page(context, say("This match is still being played. End it first."), 422)
    newest = results.newest(context.match.table_id)[0]
    if newest.running:
        return redirect(url_for("match.show_match", token=token, number=newest.number), 303)
    around = {player.name for player in context.access.table.players}
    gone = [player for player in context.match.players if player not in around]
    if gone:
        is_gone = say_n(
            "{names} is not at this table any more. Go back to the table and choose there who plays the next match.",
            "{names} are not at this table any more. Go back to the table and choose there who plays the next match.",
            len(gone),
            names=listing([Name(name) for name in gone]),
        )
        return refused_page(context, is_gone, 422)
    first = context.first_of_rematch
    players = [*context.match.players[first:], *context.match.players[:first]]
    newer = entries.open_match(
        context.match.table_id,
        context.match.game,
        players,
        context.log.position.options,
        after=newest.number,
        by=context.access.name,
    )
    return redirect(url_for("match.show_match", token=token, number=newer), 303)
