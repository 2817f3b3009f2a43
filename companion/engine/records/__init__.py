"""What does a JSON record say, and what is wrong with it? Records, look-ups and events, read and written.

The answers are what the command line prints and the HTTP API sends. Everything here is bounded (see :mod:`.reading`), and
raises :class:`RecordError` alone.
"""

from __future__ import annotations

import codecs
import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args

import msgspec

from companion import engine
from companion.engine.core import JSON, Answer, Event, Game, Options, Position, Question, RuleError
from companion.engine.core import start as start_match
from companion.engine.fair_draw import DrawError
from companion.engine.fair_draw import seal as seal_of
from companion.engine.records.errors import RecordError, UnreadableError, describe_error, error_at, one_of, quoted, unknown
from companion.engine.records.json_schema import FORMAT, Seed, any_of, schema, sentence_schema
from companion.engine.records.reading import MAX_BYTES, Document, read_document, read_object
from companion.engine.sheet.document import SheetDocument
from companion.engine.sheet.reading import read as read_sheet
from companion.engine.text import Name, Sentence, listing, say

__all__ = [
    "FORMAT",
    "MAX_BYTES",
    "Record",
    "RecordError",
    "UnreadableError",
    "answer_legal",
    "answer_replay",
    "answer_verify",
    "any_of",
    "ask",
    "decode_event",
    "decode_options",
    "decode_question",
    "decode_sheet",
    "encode_event",
    "export_record",
    "find_game",
    "legal_answer",
    "read_record",
    "replay_answer",
    "schema",
    "sentence_schema",
]

_REQUIRED = ("format", "game", "players", "events")
_KEYS = ("format", "game", "players", "options", "events", "seed")


@dataclass(frozen=True, slots=True)
class Record:
    """A match on paper. The document has the right form; its events are checked one by one later.

    ``start`` is the position before the first event; ``seed`` the 32 bytes that the app drew by, if they are public.
    """

    start: Position[Any]
    seed: bytes | None
    document: Document

    @property
    def game(self) -> Game[Any]:
        """The game of the match."""
        return self.start.game

    def __len__(self) -> int:
        return len(self.document.events)

    def events(self) -> Iterator[Event]:
        """Iterate over event after event; RecordError with its index at the first that is none of this game's."""
        kind = any_of(self.game.event_types())
        for index, event in enumerate(self.document.events):
            self.document.check_event(index)
            yield _decoded(kind, event, index)

    def positions(self) -> Iterator[tuple[Event, Position[Any]]]:
        """Iterate over each event and the position after it.

        Raises RecordError at the first event that can't be, for whatever reason.
        """
        position = self.start
        for index, event in enumerate(self.events()):
            try:
                position = position.apply(event)
            except RuleError as refused:
                raise RecordError.from_rule(index, refused) from refused
            yield event, position

    def replay(self) -> Position[Any]:
        """Return the position after the last event.

        Raises RecordError at the first event that can't be, for whatever reason.
        """
        last = deque((position for _, position in self.positions()), maxlen=1)
        return last[0] if last else self.start


def read_record(data: bytes | str) -> Record:
    """Return the record in this JSON text.

    Its events are not looked at yet. Raises RecordError (event None) for a wrong document.

    >>> read_record('{"format": "companion-record/1", "game": "rivals", "players": ["Ana", "Bo"], "events": []}').start.players
    ('Ana', 'Bo')
    """
    document = read_document(_bytes(data))
    if document.parts is None:
        raise RecordError(None, say("A record is an object with {parts}.", parts=_required_parts()))
    for key in document.parts:
        if key not in _KEYS:
            raise error_at(None, key[:40], unknown(say("there is no part of a record {name}", name=quoted(key)), _KEYS))
    for key in _REQUIRED:
        if key not in document.parts:
            raise error_at(None, key, say("this is missing. A record has {parts}.", parts=_required_parts()))
    _part(document, "format", Literal["companion-record/1"])
    game = find_game(_part(document, "game", str))
    players = _part(document, "players", list[str])
    options = _part(document, "options", game.options) if "options" in document.parts else game.options()
    seed = _part(document, "seed", Seed | None) if "seed" in document.parts else None
    if not bytes(document.parts["events"]).startswith(b"["):
        _part(document, "events", list[Any])  # raises: this is not a list
    try:
        start = start_match(game, players, options)
    except RuleError as refused:
        raise RecordError.from_rule(None, refused) from refused
    return Record(start, None if seed is None else bytes.fromhex(seed), document)


def _required_parts() -> Sentence:
    return listing([Name(part) for part in _REQUIRED], "comma")


def export_record(position: Position[Any], events: Iterable[Event], seed: bytes | None = None) -> dict[str, JSON]:
    """Return the record of a match: ``events`` are those in force. Pass the seed only once it may be known to all.

    >>> match = start_match(find_game("bisque"), ("Ana", "Bo", "Cy"))
    >>> export_record(match, ())["players"]
    ['Ana', 'Bo', 'Cy']
    """
    record: dict[str, JSON] = {
        "format": FORMAT,
        "game": position.game.slug,
        "players": list(position.players),
        "options": _plain(position.options),
        "events": [encode_event(event) for event in events],
    }
    return record if seed is None else {**record, "seed": seed.hex()}


def answer_replay(data: bytes | str) -> dict[str, JSON]:
    """Return how the match of this record stands.

    >>> record = '{"format": "companion-record/1", "game": "rivals", "players": ["Ana", "Bo"], "events": []}'
    >>> answer_replay(record)["finished"]
    False
    """
    return replay_answer(read_record(data).replay())


def replay_answer(position: Position[Any]) -> dict[str, JSON]:
    """Return how a match stands, in the words of records: scores, winners, and what the game adds.

    >>> replay_answer(start_match(find_game("bisque"), ("Ana", "Bo", "Cy")))["scores"]
    [0, 0, 0]
    """
    standing = position.standing()
    answer: dict[str, JSON] = {
        "game": position.game.slug,
        "scores": list(standing.scores),
        "finished": standing.finished,
        "stopped": standing.stopped,
        "winners": list(standing.winners),
    }
    if standing.rounds is not None:
        answer["rounds"] = [list(points) for points in standing.rounds]
    return {**answer, **_plain(standing.details)}


def answer_legal(data: bytes | str) -> dict[str, JSON]:
    """Return what the engine says to the look-up in this JSON text.

    >>> answer_legal('{"game": "bisque", "trick": ["ace-moons", "crown-suns", "9-moons-suns"]}')["winner"]
    1
    """
    game, question = decode_question(data)
    return legal_answer(game, question)


def legal_answer(game: Game[Any], question: Question) -> dict[str, JSON]:
    """Return what the engine says to this look-up, in JSON's terms. Raises as :func:`ask` does.

    >>> legal_answer(*decode_question('{"game": "bisque", "trick": ["ace-moons", "crown-suns", "9-moons-suns"]}'))["may_pick"]
    ['ace-moons', '9-moons-suns']
    """
    return _plain(ask(game, question))


def ask(game: Game[Any], question: Question) -> Answer:
    """Return what the engine says to this look-up. Raises RecordError (event None) for an impossible question.

    >>> ask(*decode_question('{"game": "bisque", "trick": ["ace-moons", "crown-suns", "9-moons-suns"]}')).why
    'The Crown of suns wins: the highest rank.'
    """
    if game.answer is None:
        raise _answers_nothing(game)
    try:
        return game.answer(question)
    except RuleError as refused:
        raise RecordError.from_rule(None, refused) from refused


def _answers_nothing(game: Game[Any]) -> RecordError:
    return RecordError(None, say("{game} answers no look-ups.", game=Name(game.title)))


def answer_verify(data: bytes | str) -> dict[str, JSON]:
    """Derive each draw of the app in this record once more from the seed; return how many, and the seal of the seed.

    Raises RecordError at the first draw that the seed does not give.

    >>> from companion.engine.beluga_cup import GAME, BelugaCupOptions
    >>> match = start_match(GAME, ("Ana", "Bo"), BelugaCupOptions(seal=seal_of(bytes(32))))
    >>> answer_verify(msgspec.json.encode(export_record(match, (), seed=bytes(32))))["verified"]
    0
    """
    record = read_record(data)
    if record.game.verify is None:
        nothing = say("The app draws nothing in {game}, so there is nothing to check.", game=Name(record.game.title))
        raise RecordError(None, nothing, field="game")
    if record.seed is None:
        raise error_at(None, "seed", say("this is missing; without it no draw of the app can be checked."))
    events = [event for event, _ in record.positions()]
    try:
        verified = record.game.verify(record.start.players, record.start.options, record.seed, events)
    except DrawError as mismatch:
        raise RecordError(mismatch.event, mismatch.message) from mismatch
    return {"verified": verified, "seal": seal_of(record.seed)}


def find_game(slug: str) -> Game[Any]:
    """Return the game of this slug. Raises RecordError, naming all that there are.

    >>> find_game("what-the-fish").title
    'What the Fish!'
    """
    if slug not in engine.GAMES:
        raise error_at(None, "game", unknown(say("there is no game {name}", name=quoted(slug)), engine.GAMES))
    return engine.GAMES[slug]


def decode_event(game: Game[Any], given: bytes | str | Mapping[str, JSON]) -> Event:
    """Return one event of this game, from JSON text or from what JSON text was decoded to. Raises RecordError (event None).

    >>> decode_event(find_game("bisque"), {"type": "pot", "card": "ace-moons"})
    Pot(card='ace-moons', by=None)
    """
    event: Event = _given(any_of(game.event_types()), given)
    return event


def encode_event(event: Event) -> dict[str, JSON]:
    """Return the event in JSON's terms; :func:`decode_event` gives the same event back.

    >>> encode_event(decode_event(find_game("bisque"), '{"type": "pot", "card": "ace-moons", "by": 1}'))
    {'type': 'pot', 'card': 'ace-moons', 'by': 1}
    """
    return _plain(event)


def decode_options(game: Game[Any], given: bytes | str | Mapping[str, JSON]) -> Options:
    """Return the options of this game; what is left out has its default. Raises RecordError (event None).

    >>> decode_options(find_game("beloz"), {"target": 500})
    BelozOptions(target=500, tied_declarations='none-count')
    """
    options: Options = _given(game.options, given, within="options")
    return options


def decode_sheet(given: bytes | str | Mapping[str, JSON]) -> SheetDocument:
    """Return the score sheet in this JSON, checked from end to end. Raises RecordError (event None) that names the place.

    >>> points = {"id": "points", "name": "Points", "kind": "whole"}
    >>> sheet = {"format": "companion-sheet/1", "name": "Sevens", "players": [2, 6], "shape": "rounds", "columns": [points]}
    >>> decode_sheet(sheet).name
    'Sevens'
    """
    document: SheetDocument = _given(SheetDocument, given, within="sheet")
    try:
        read_sheet(document)
    except RuleError as refused:
        raise error_at(None, refused.field, refused.message) from refused
    return document


def decode_question(data: bytes | str) -> tuple[Game[Any], Question]:
    """Return a look-up and the game that it asks about. Raises RecordError (event None).

    >>> decode_question('{"game": "bisque", "trick": ["ace-moons", "crown-suns", "9-moons-suns"]}')[1].trick
    ('ace-moons', 'crown-suns', '9-moons-suns')
    """
    text = _bytes(data)
    given = read_object(text)
    if "game" not in given:
        missing = say("this is missing. A look-up is an object with a game and what is to be looked up.")
        raise error_at(None, "game", missing)
    game = find_game(_converted(given["game"], str, "game"))
    ask = _converted(given["ask"], str, "ask") if "ask" in given else None
    return game, _decoded(_question_type(game, ask, given), text)


def _question_type(game: Game[Any], ask: str | None, keys: Iterable[str]) -> type[Question]:
    """Return the kind of look-up that is meant: the one named by ``ask``, else the kind with most of its fields filled in."""
    if not game.questions:
        raise _answers_nothing(game)
    if ask is None:
        candidates = [kind for kind in game.questions if not _asks(kind)]
    else:
        candidates = [kind for kind in game.questions if ask in _asks(kind)]
    if not candidates:
        raise error_at(None, "ask", _no_such_look_up(game, ask))
    given = set(keys)

    def fit(kind: type[Question]) -> tuple[int, int]:
        required = _required(kind)
        return len(required & given), -len(required - given)

    return max(candidates, key=fit)


def _no_such_look_up(game: Game[Any], ask: str | None) -> Sentence:
    look_ups = [word for kind in game.questions for word in _asks(kind)]
    if ask is None:
        return say("this is missing; it can be {choices}.", choices=one_of(look_ups))
    if look_ups:
        return unknown(say("there is no look-up {name}", name=quoted(ask)), look_ups)
    return say("{game} has no look-up of this name.", game=Name(game.title))


@cache
def _required(kind: type[Question]) -> frozenset[str]:
    """Return the parts that this kind of look-up can't be without."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind) if field.required)


@cache
def _asks(kind: type[Question]) -> tuple[str, ...]:
    """Return the words that ``ask`` may be in this kind of look-up; none if it has no such part."""
    return next((get_args(field.type) for field in msgspec.structs.fields(kind) if field.encode_name == "ask"), ())


def _plain(value: Any) -> dict[str, JSON]:
    """Return the value in JSON's terms and no others: tuples are lists, a sentence is its words."""
    plain: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))
    return plain


def _bytes(data: bytes | str) -> bytes:
    """Return JSON text as bytes, without a byte order mark. Raises RecordError."""
    try:
        return (data.encode() if isinstance(data, str) else data).removeprefix(codecs.BOM_UTF8)
    except UnicodeEncodeError:
        raise RecordError(None, say("This is not text: half of a character (a lone surrogate) stands in it.")) from None


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def _part(document: Document, name: str, kind: Any) -> Any:
    part = (document.parts or {}).get(name)
    return _decoded(kind, b"null" if part is None else part, within=name)


def _decoded(kind: Any, data: bytes | msgspec.Raw, event: int | None = None, within: str = "") -> Any:
    """Return what a readable piece of JSON is as this type."""
    try:
        return _decoder(kind).decode(data)
    except msgspec.ValidationError as refusal:
        raise describe_error(refusal, kind, json.loads(bytes(data)), event, within) from None
    except RuleError as refused:
        raise RecordError.from_rule(event, refused) from refused


def _converted(value: Any, kind: Any, within: str = "") -> Any:
    """Return what a value in JSON's terms is as this type."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as refusal:
        raise describe_error(refusal, kind, value, within=within) from None
    except RuleError as refused:
        raise RecordError.from_rule(None, refused) from refused


def _given(kind: Any, given: bytes | str | Mapping[str, JSON], within: str = "") -> Any:
    if isinstance(given, bytes | str):
        text = _bytes(given)
        read_object(text)
        return _decoded(kind, text, within=within)
    return _converted(given, kind, within)
