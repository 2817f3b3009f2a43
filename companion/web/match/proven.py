"""What proves at the end of a match that nobody changed its log? Words, a code, and the phones that agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC

from flask import current_app
from markupsafe import Markup

from companion.engine import chain
from companion.languages.aloud import list_language, word_list
from companion.matches import witnesses
from companion.web import language
from companion.web.match.context import MatchContext
from companion.web.table.qr import qr_code


@dataclass(frozen=True, slots=True)
class PhoneSeen:
    """A player's phone: whether it ``agrees``, None while it has not said, and how many entries ``more`` it knows.

    ``since`` is when a phone that has not said was heard of last, by the server's clock; empty if it never was.
    """

    index: int
    name: str
    agrees: bool | None
    more: int = 0
    since: str = ""


@dataclass(frozen=True, slots=True)
class MatchProof:
    """What the end of a match shows: words to read aloud, their language, the head's beginning, its code, and the phones."""

    head: str
    words: Sequence[str]
    words_language: str
    code: Markup
    phones: Sequence[PhoneSeen]

    @property
    def short(self) -> str:
        """The first eight digits of the head."""
        return f"{self.head[:4]} {self.head[4:8]}"

    @property
    def agreeing(self) -> int:
        """How many phones agree."""
        return sum(phone.agrees is True for phone in self.phones)

    @property
    def differing(self) -> list[PhoneSeen]:
        """Return the phones that know other entries."""
        return [phone for phone in self.phones if phone.agrees is False]


def proof_of(context: MatchContext) -> MatchProof | None:
    """Return the proof of a match that is over; None before, and where Companion is on one phone alone."""
    log = context.log
    if not log.position.finished or not log.written or current_app.config.get("POCKET"):
        return None
    head = log.written[-1].chain
    if not head:
        return None
    code = language.chosen().code
    seen = witnesses.seen(context.match.id)
    phones = [
        _phone(context, index, seen.get(index)) for index, player in sorted(context.seated.items()) if player.phone is not None
    ]
    return MatchProof(head, chain.words(head, word_list(code)), list_language(code), qr_code(head.upper()), phones)


def _phone(context: MatchContext, index: int, seen: witnesses.Seen | None) -> PhoneSeen:
    name, log = context.match.players[index], context.log
    if seen is not None:
        if seen.entries > log.seq:
            return PhoneSeen(index, name, agrees=False, more=seen.entries - log.seq)
        if not log.written[seen.entries - 1].chain.startswith(seen.head):
            return PhoneSeen(index, name, agrees=False)
        if seen.entries == log.seq:
            return PhoneSeen(index, name, agrees=True)
    heard = [line.at for line in log.written if line.player == index]
    if seen is not None:
        heard.append(seen.at)
    return PhoneSeen(index, name, agrees=None, since=f"{max(heard).replace(tzinfo=UTC).astimezone():%H:%M}" if heard else "")
