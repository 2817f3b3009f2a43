"""What does a program learn of a sentence besides its English words? Its template, its parts, and a translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from flask import Response, after_this_request
from msgspec import UNSET, Meta, UnsetType

from companion.engine.text import Joined, Name, Part, Sentence
from companion.web.language import add_vary, asked_for

Parts = dict[str, "int | float | str | SentenceData"]


class SentenceData(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a sentence is made of: ``template`` with ``parts`` put in by name; a part is a number, a name, or a sentence itself.

    A listing has no template: its parts follow each other, joined as ``joined`` says.
    """

    template: str
    parts: Parts = {}
    plural: Annotated[str, Meta(description="the template for a number other than one of the part n")] = ""
    context: Annotated[str, Meta(description="tells apart what English says with the same word")] = ""
    joined: Annotated[Joined, Meta(description="how a listing's parts follow each other")] = ""
    translated: Annotated[str | UnsetType, Meta(description="in the language of Accept-Language, if it is known")] = UNSET
    language: Annotated[str | UnsetType, Meta(description="the language of the translation")] = UNSET


def beside(words: Mapping[str, str]) -> dict[str, SentenceData]:
    """Return what each sentence of an answer is made of, by its place; in the language of Accept-Language, too."""
    sentences = {place: sentence for place, sentence in words.items() if isinstance(sentence, Sentence) and sentence}
    if not sentences:
        return {}

    @after_this_request
    def vary(response: Response) -> Response:
        add_vary(response, "Accept-Language")
        return response

    language = asked_for()
    if language.is_source:
        return {place: data_of(sentence) for place, sentence in sentences.items()}
    return {
        place: msgspec.structs.replace(data_of(sentence), translated=language.say(sentence), language=language.tag)
        for place, sentence in sentences.items()
    }


def data_of(sentence: Sentence) -> SentenceData:
    """Return a sentence in JSON's terms."""
    return SentenceData(
        sentence.template,
        {name: _part(part) for name, part in sentence.parts.items()},
        sentence.plural,
        sentence.context,
        sentence.joined,
    )


def _part(part: Part) -> float | str | SentenceData:
    if isinstance(part, Sentence):
        return data_of(part)
    return str(part) if isinstance(part, Name) else part
