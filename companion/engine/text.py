"""How is something said, so that it reads well in English and can be said in another language?

:func:`say` makes a :class:`Sentence`: a ``str`` that is the English sentence, and that keeps its template and its parts.
Whoever speaks another language looks the template up in a catalogue and puts the parts in again; nothing here knows that
there are other languages. A part is a number, a :class:`Name`, or a sentence itself: a term of a game (:func:`term`), a list
(:func:`listing`), or words with parts of their own.

    >>> ana = Name("Ana")
    >>> say("{player} took {plain}.", player=ana, plain=term("South", "plain"))
    'Ana took South.'

Templates, plural forms and terms are literals where they are used, because a tool collects them for translators.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, Literal, TypeAlias

Joined = Literal["", "and", "or", "comma", "text"]

JOINERS: Final = "\u200c\u200d"  # they shape letters of several scripts and hold emoji together
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols that show nothing
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, marks that steer the writing, lone surrogates, line ends

_NO_PARTS: Mapping[str, Part] = {}
_CAPITAL = "C"


class Name(str):
    """A person's name, or other words that stay as they are in every language: the name of a card in a record, a quotation.

    >>> say("Two players are called {name}.", name=Name("Ana"))
    'Two players are called Ana.'
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        """Return the name as it is: a capital at the beginning of a sentence is up to whoever bears it."""
        return str.__format__(self, "" if spec == _CAPITAL else spec)


def name(of: str) -> Part:
    """Return a name as a part of a sentence. What is a sentence itself ("You", where nobody sits at a table) stays one.

    >>> say("{player} plays next.", player=name("Bo"))
    'Bo plays next.'
    """
    return of if isinstance(of, Sentence) else Name(of)


class Sentence(str):
    """An English sentence with its template, its parts, and the rule behind it.

    ``plural`` is the template for a number of things other than one, chosen by the part ``n``. ``context`` tells apart what
    English says with the same word. ``joined`` tells how a listing's parts follow each other; a listing has no template. Each
    may be empty. Changing the words (slicing, joining, ``upper``) gives a plain ``str`` without parts.

    >>> sentence = say("{winner} wins, {points} to {other}.", winner=Name("Bo"), points=31, other=26)
    >>> sentence.template, sentence.parts
    ('{winner} wins, {points} to {other}.', {'winner': 'Bo', 'points': 31, 'other': 26})
    """

    __slots__ = ("context", "joined", "parts", "plural", "rule", "template")

    template: str
    plural: str
    context: str
    parts: Mapping[str, Part]
    joined: Joined
    rule: str

    def __new__(
        cls,
        words: str,
        template: str | None = None,
        parts: Mapping[str, Part] = _NO_PARTS,
        *,
        plural: str = "",
        context: str = "",
        joined: Joined = "",
        rule: str = "",
    ) -> Sentence:
        """Return these words. Without a template they are their own."""
        sentence = str.__new__(cls, words)  # a look-up makes dozens: super() would take half as long again
        sentence.template = words if template is None else template
        sentence.parts = parts
        sentence.plural = plural
        sentence.context = context
        sentence.joined = joined
        sentence.rule = rule
        return sentence

    def by(self, rule: str) -> Sentence:
        """Return this sentence with the rule behind it, as :class:`~companion.engine.core.RuleError` names it."""
        return Sentence(
            self, self.template, self.parts, plural=self.plural, context=self.context, joined=self.joined, rule=rule
        )

    def __format__(self, spec: str) -> str:
        """Return the words as a template puts them in; ``{card:C}`` begins them with a capital letter."""
        if spec == _CAPITAL:
            return self[:1].upper() + self[1:]
        return str.__format__(self, spec)


Part: TypeAlias = float | Name | Sentence


def written(number: float | Fraction) -> str:
    """Return a number as people write it, with a real minus and a half as a sign.

    >>> written(-3), written(2.5), written(Fraction(1, 2))
    ('−3', '2½', '½')
    """
    size: float | Fraction = -number if number < 0 else number
    full, half = int(size), "½" if size % 1 else ""
    return f"{'−' if number < 0 else ''}{full if full or not half else ''}{half}"


def unseen(words: str) -> int | None:
    """Return the place of the first character that does not show, or that turns the writing round; None where there is none.

    >>> unseen("Se\\u200bvens"), unseen("Qui\\u202f?"), unseen("\\N{MAN}\\u200d\\N{WOMAN}")
    (2, None, None)
    """
    if words.isprintable():
        return None
    places = (place for place, letter in enumerate(words) if unicodedata.category(letter) in _UNSEEN and letter not in JOINERS)
    return next(places, None)


def is_blank(words: str) -> bool:
    """Return whether nothing of a text shows.

    >>> is_blank(" "), is_blank("\\u3164"), is_blank("Ana")
    (True, True, False)
    """
    return all(letter.isspace() or letter in JOINERS + _BLANK for letter in words)


def _english(parts: Mapping[str, Part]) -> Mapping[str, Part]:
    """Return parts as English writes them: a half is "½"."""
    if float not in map(type, parts.values()):
        return parts
    return {name: Name(written(part)) if isinstance(part, float) else part for name, part in parts.items()}


def say(template: str, **parts: Part) -> Sentence:
    """Return a sentence: the template, with its parts put in by name.

    >>> say("{name} holds {card}.", name=Name("Cy"), card=term("the Excuse", "card"))
    'Cy holds the Excuse.'
    """
    return Sentence(template.format_map(_english(parts)), template, parts)


def say_n(singular: str, plural: str, n: float, **parts: Part) -> Sentence:
    """Return a sentence with a number of things in it, ``{n}``: the first form for one or a half, the second for any other.

    >>> say_n("{n} card is left.", "{n} cards are left.", 1)
    '1 card is left.'
    >>> say_n("{name} takes {n} card.", "{name} takes {n} cards.", 4, name=Name("Bo"))
    'Bo takes 4 cards.'
    """
    all_parts = {"n": n, **parts}
    words = singular if n in {0.5, 1} else plural
    return Sentence(words.format_map(_english(all_parts)), singular, all_parts, plural=plural)


def term(word: str, context: str, **parts: Part) -> Sentence:
    """Return a term of a game, or a word whose meaning needs its context: "lion" the animal, "Play" the button.

    >>> term("North", "plain").context
    'plain'
    """
    return Sentence(word.format_map(parts), word, parts, context=context)


def is_you(player: str) -> bool:
    """Return True for the word "You" that stands for whoever asks where nobody sits at a table, not for a person's name.

    >>> is_you(term("You", "seat")), is_you("You")
    (True, False)
    """
    return isinstance(player, Sentence) and (player.context, player.template) == ("seat", "You")


def listing(items: Iterable[Part], joined: Joined = "and") -> Sentence:
    """Return the items as a host says them: with "and" or "or" before the last, with commas alone, or sentence after sentence.

    >>> listing([Name("Ana"), Name("Bo"), Name("Cy")])
    'Ana, Bo and Cy'
    >>> listing([57, 59], "or")
    '57 or 59'
    >>> listing([say("North is flooded."), say("You must swim.")], "text")
    'North is flooded. You must swim.'
    """
    parts = {str(place): item for place, item in enumerate(items)}
    words = list(map(str, parts.values()))
    if joined == "text":
        english = " ".join(words)
    elif joined == "comma" or len(words) < 2:
        english = ", ".join(words)
    else:
        english = f"{', '.join(words[:-1])} {joined} {words[-1]}"
    return Sentence(english, "", parts, joined=joined)


def capital(sentence: Sentence) -> Sentence:
    """Return the sentence with a capital letter at its beginning, and with the rule behind it.

    >>> capital(term("the Excuse", "card"))
    'The Excuse'
    """
    return Sentence(f"{sentence:C}", "{it:C}", {"it": sentence}, rule=sentence.rule)


def said(error: Exception) -> Sentence:
    """Return what an exception says, with its parts; ``str(error)`` has the words alone.

    >>> said(ValueError(say("{n} is too many.", n=9))).template
    '{n} is too many.'
    """
    words = error.args[0] if error.args else ""
    return words if isinstance(words, Sentence) else Sentence(str(words))
