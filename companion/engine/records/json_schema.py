"""What can records hold? A JSON Schema of everything, made from the types that read them."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import cache, reduce
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from companion import engine
from companion.engine.core import MAX_NAME, Answer, Event, Game
from companion.engine.text import Sentence, say

FORMAT = "companion-record/1"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

Seed = Annotated[str, msgspec.Meta(max_length=64, pattern="^[0-9a-fA-F]{64}$", description=str(say("64 hex digits")))]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_NAME)]


class ReplayAnswer(msgspec.Struct):
    """How a match stands. More keys follow, each game's own."""

    game: str
    scores: list[int | float | None]
    finished: bool
    stopped: bool
    winners: list[int]
    rounds: list[list[int | float]] | msgspec.UnsetType = msgspec.UNSET


class VerifyAnswer(msgspec.Struct):
    """How many fish the app drew, each of them derived once more, and the seal of its seed."""

    verified: int
    seal: str


def schema(template: str = "#/$defs/{name}") -> dict[str, Any]:
    """Return the JSON Schema of a record of any game; ``$defs`` hold every option, event, question and answer of every game.

    Their names begin with the game's slug ("bisque.Pot"). Whoever puts ``$defs`` elsewhere says where references find them.
    """
    records: list[dict[str, Any]] = []
    parts: dict[str, Any] = {}
    for game in engine.GAMES.values():
        record = _record(game)
        kinds = [record, game.options, *game.event_types(), *game.questions, *answer_types(game)]
        template_of_game = template.replace("{name}", f"{game.slug}.{{name}}")
        references, components = msgspec.json.schema_components(
            kinds, ref_template=template_of_game, schema_hook=sentence_schema
        )
        records.append(references[0])
        parts |= {f"{game.slug}.{name}": part for name, part in components.items()}
    _, shared = msgspec.json.schema_components([ReplayAnswer, VerifyAnswer], ref_template=template, schema_hook=sentence_schema)
    return {"$schema": DIALECT, "title": FORMAT, "anyOf": records, "$defs": {**parts, **shared}}


def sentence_schema(kind: type[Any]) -> dict[str, Any]:
    """Describe a sentence as text: whoever reads JSON gets its English words."""
    if kind is Sentence:
        return {"type": "string"}
    raise NotImplementedError(kind)


@cache
def any_of(kinds: tuple[type[Event], ...]) -> Any:
    """Return the type of what is any of these."""
    return reduce(operator.or_, kinds)


def _record(game: Game[Any]) -> type[msgspec.Struct]:
    fewest, most = game.seats
    event: Any = any_of(game.event_types())
    return msgspec.defstruct(
        "Record",
        [
            ("format", Literal[FORMAT]),
            ("game", Literal[game.slug]),
            ("players", Annotated[list[Name], msgspec.Meta(min_length=fewest, max_length=most)]),
            ("events", list[event]),
            ("options", game.options, msgspec.field(default_factory=game.options)),
            ("seed", Seed | None, None),
        ],
        forbid_unknown_fields=True,
    )


def answer_types(game: Game[Any]) -> Iterable[type[Answer]]:
    """Return the kinds of answer that the game's ``answer`` says it returns."""
    if game.answer is None:
        return ()
    returned = get_type_hints(game.answer)["return"]
    return get_args(returned) if get_origin(returned) else (returned,)
