"""How is a match stopped before its end?"""

from __future__ import annotations

from flask.typing import ResponseReturnValue

from companion.engine.core import Stop
from companion.engine.text import say
from companion.matches import entries
from companion.web.delivery.toasts import leave_toast
from companion.web.guard.access import players_only
from companion.web.match.again import tell_line
from companion.web.match.context import MatchContext, load_match, sent_after, sent_expected_seq, sent_key
from companion.web.match.page import back_to_match, bp, describe_newest, refused_page


@bp.post("/t/<token>/m/<int:number>/stop")
@players_only
def stop(token: str, number: int) -> ResponseReturnValue:
    """End the match where it stands; nobody wins. It can be undone like any entry."""
    context = load_match(token, number)
    try:
        receipt = entries.record(
            context.match.id,
            (Stop(),),
            idempotency_key=sent_key(),
            expected_seq=sent_expected_seq(context),
            after=sent_after(),
            player=context.by,
        )
    except entries.Conflict as conflict:
        context = MatchContext(context.access, context.match, conflict.log, context.screens)
        return refused_page(
            context,
            say("{what} meanwhile. The match goes on.", what=describe_newest(context)),
            409,
            title=say("Not stopped"),
        )
    except entries.EntryRejected as refused:
        return refused_page(context, refused.sentence, 424 if isinstance(refused, entries.OutOfOrder) else 422)
    tell_line(receipt.after, receipt.seq)
    leave_toast(context, say("The match is stopped"), of=receipt.seq, sure=1)
    return back_to_match(context)
