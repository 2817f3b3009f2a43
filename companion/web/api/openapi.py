"""How is the API described for programs? In OpenAPI 3.1, with schemas made from the engine's own types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from http import HTTPStatus
from operator import or_
from typing import Any

import msgspec

from companion import __version__
from companion.engine import records
from companion.engine.core import Game, Line
from companion.engine.fair_draw import seal
from companion.engine.records.json_schema import answer_types
from companion.engine.text import Sentence
from companion.games import PLUGINS
from companion.screens.plugin import GamePlugin
from companion.web.api import catalogue
from companion.web.problems import MIMETYPE, Problem
from companion.web.sentences import SentenceData

JSON = dict[str, Any]

_SCHEMAS = "#/components/schemas/{name}"

TITLES = {
    400: "The body is no JSON, or more of it than a record can be.",
    401: "The table's link is missing, or no table has it.",
    404: "There is no such game, match or address.",
    409: "The match was played by other rules than these.",
    413: "The body is too large.",
    415: "The body is not sent as JSON.",
    422: "The rules or the format refuse it: the sentence says why, and the other members where.",
    429: "Too many requests; Retry-After says how many seconds to wait.",
}

_BODY = (400, 413, 415, 422, 429)

_HAND = ["north-lion", "north-meerkat", "south-water-snake"]
_ROUND = {
    "type": "round",
    "bidder": 1,
    "flooded": "south",
    "count": {"team": 1, "points": 78},
    "last_expedition": 1,
    "declarations": [{"player": 3, "kind": "straight_flush", "plain": "north", "lowest": 5, "highest": 7}],
    "beloz": 0,
}
_RECORD = {"format": records.FORMAT, "game": "beloz", "players": ["Ana", "Bo", "Cy", "Di"], "events": [_ROUND]}
_SEED = "5a" * 32


@dataclass(frozen=True, slots=True)
class Operation:
    """What one address does. ``answers`` names a schema; ``body`` is a name and an example, for those that take one."""

    method: str
    path: str
    name: str
    summary: str
    description: str
    answers: str
    problems: tuple[int, ...] = ()
    parameters: tuple[str, ...] = ()
    body: tuple[str, JSON] | None = None
    secret: bool = False


class Explanation(msgspec.Struct, frozen=True):
    """The newest lines of the sum behind a match's scores, how many earlier ones are left out, and what ``what`` is made of."""

    lines: list[Line]
    left_out: int
    sentences: dict[str, SentenceData]


OPERATIONS = (
    Operation(
        "get",
        "/api/v1/games",
        "games",
        "Which games there are",
        "Every game that Companion knows, with the look-ups that it answers.",
        "GameList",
    ),
    Operation(
        "get",
        "/api/v1/games/{slug}",
        "game",
        "A game's cards, points and options",
        "What can happen in a match (its events), what players agree on before (its options), what its cards are called and "
        "worth, and the figures of its scoring.",
        "GameData",
        (404,),
        ("slug",),
    ),
    Operation(
        "get",
        "/api/v1/games/{slug}/rules",
        "rules",
        "A game's rules and rulings in words",
        "Short entries with addresses that stay. The rule of a problem or of a sum is one of an entry's cites.",
        "RuleBook",
        (404,),
        ("slug",),
    ),
    Operation(
        "post",
        "/api/v1/legal",
        "legal",
        "May I play this?",
        "Answers a look-up: which cards of a hand may be played, and why. What is asked is not stored and not logged. "
        "``sentences`` tells what each sentence of the answer is made of, and says it in the language of Accept-Language.",
        "Answer",
        _BODY,
        body=(
            "Question",
            {
                "game": "beloz",
                "flooded": "south",
                "expedition": [{"player": 0, "card": "east-leopard"}],
                "player": 1,
                "hand": _HAND,
            },
        ),
    ),
    Operation(
        "post",
        "/api/v1/replay",
        "replay",
        "How does this match stand?",
        "Plays a record from its first event to its last. The first event that the rules refuse is told by its index.",
        "ReplayAnswer",
        _BODY,
        body=("Record", _RECORD),
    ),
    Operation(
        "post",
        "/api/v1/explain",
        "explain",
        "Why does this match stand so?",
        "Plays a record as replay does, and answers with the lines of the sum: what, how many for each side, by which rule.",
        "Explanation",
        _BODY,
        body=("Record", _RECORD),
    ),
    Operation(
        "post",
        "/api/v1/verify",
        "verify",
        "Were the fish drawn as they were sealed?",
        "Derives every draw that the app made in a record once more from the record's seed.",
        "VerifyAnswer",
        _BODY,
        body=(
            "Record",
            {
                "format": records.FORMAT,
                "game": "beluga-cup",
                "players": ["Ana", "Bo"],
                "options": {"seal": seal(bytes.fromhex(_SEED)), "words": ["plankton"]},
                "events": [],
                "seed": _SEED,
            },
        ),
    ),
    Operation(
        "get",
        "/api/v1/matches/{number}/record",
        "match",
        "A table's match as a record",
        "The events in force of a match, to keep, replay or verify. The last part of the table's link, after /t/, goes into "
        "the Authorization header: there no log sees it.",
        "Record",
        (401, 404, 409, 429),
        ("number",),
        secret=True,
    ),
)


def _parameters() -> Mapping[str, JSON]:
    return {
        "slug": {
            "name": "slug",
            "in": "path",
            "required": True,
            "description": "the game",
            "schema": {"type": "string", "enum": list(PLUGINS)},
            "example": next(iter(PLUGINS)),
        },
        "number": {
            "name": "number",
            "in": "path",
            "required": True,
            "description": "the match's number at its table, from 1",
            "schema": {"type": "integer", "minimum": 1, "maximum": 2**31 - 1},
            "example": 1,
        },
    }


def document() -> JSON:
    """Return the whole description, of the games that there are."""
    return _document(tuple(PLUGINS.values()))


@cache
def _document(plugins: tuple[GamePlugin, ...]) -> JSON:
    paths: dict[str, JSON] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Companion",
            "version": __version__,
            "summary": "The rules of card games: look-ups, records and scores.",
            "description": "Companion answers and forgets: it keeps nothing that you send, needs no account and sets no "
            "cookie. Events and cards are written as in the file of a match and on the command line.",
        },
        "paths": paths,
        "components": {
            "schemas": _schemas(plugins),
            "responses": {f"Problem{status}": _problem(status) for status in TITLES},
            "securitySchemes": {
                "tableLink": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "the last part of the table's link, after /t/; that for watching will do",
                }
            },
        },
    }


def _operation(operation: Operation) -> JSON:
    described: JSON = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": operation.description,
        "responses": {
            "200": {"description": "The answer.", "content": _content("application/json", operation.answers)},
            **{str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in operation.problems},
        },
    }
    if operation.parameters:
        described["parameters"] = [_parameters()[name] for name in operation.parameters]
    if operation.body is not None:
        schema, example = operation.body
        content = _content("application/json", schema)
        content["application/json"]["example"] = example
        described["requestBody"] = {"required": True, "content": content}
    if operation.secret:
        described["security"] = [{"tableLink": []}]
    return described


def _content(mimetype: str, schema: str) -> JSON:
    return {mimetype: {"schema": {"$ref": _SCHEMAS.replace("{name}", schema)}}}


def _problem(status: int) -> JSON:
    described: JSON = {"description": TITLES[status], "content": _content(MIMETYPE, "Problem")}
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        seconds = {"description": "seconds to wait", "schema": {"type": "integer", "minimum": 1}}
        described["headers"] = {"Retry-After": seconds}
    return described


def _schemas(plugins: Sequence[GamePlugin]) -> JSON:
    engine, games = records.schema(_SCHEMAS), [plugin.game for plugin in plugins]
    kinds = dict.fromkeys(type(card) for plugin in plugins if plugin.cards for card in plugin.cards())
    (*_, any_card), definitions = msgspec.json.schema_components(
        [catalogue.GameList, catalogue.GameData, catalogue.RuleBook, Problem, Explanation, SentenceData, reduce(or_, kinds)],
        ref_template=_SCHEMAS,
        schema_hook=records.sentence_schema,
    )
    definitions["GameData"]["properties"]["cards"]["items"] = any_card
    return {
        "Question": _any_of("A look-up of any game.", ((game, kind) for game in games for kind in game.questions)),
        "Answer": _any_of("What a look-up answers.", ((game, kind) for game in games for kind in answer_types(game))),
        "Record": {"description": "A record of any game.", "anyOf": engine["anyOf"]},
        **definitions,
        **_with_sentences(engine["$defs"], games),
    }


def _with_sentences(schemas: JSON, games: Sequence[Game[Any]]) -> JSON:
    """Return the engine's schemas, with what the API adds to the answers that hold a sentence."""
    added = dict(schemas)
    for game in games:
        for kind in answer_types(game):
            if any(field.type is Sentence for field in msgspec.structs.fields(kind)):
                name = f"{game.slug}.{kind.__name__}"
                added[name] = {**schemas[name], "properties": {**schemas[name]["properties"], "sentences": _sentences()}}
    return added


def _any_of(description: str, kinds: Iterable[tuple[Game[Any], type[msgspec.Struct]]]) -> JSON:
    names = (_SCHEMAS.replace("{name}", f"{game.slug}.{kind.__name__}") for game, kind in kinds)
    return {"description": description, "anyOf": [{"$ref": name} for name in names]}


def _sentences() -> JSON:
    """Return what is added to an answer that says something."""
    reference = {"$ref": _SCHEMAS.replace("{name}", "SentenceData")}
    return {"type": "object", "description": "what each sentence is made of", "additionalProperties": reference}
