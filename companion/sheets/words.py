"""What does a sheet say in words? Who plays, what ends it, what each column is worth: its rules page, and before it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.engine.core import plain
from companion.engine.sheet.document import SheetDocument, Teams
from companion.engine.sheet.expressions import Expression, Number, Scored
from companion.engine.sheet.reading import ReadColumn, Sheet, as_name
from companion.engine.sheet.scoring import sheet_word
from companion.plugin import Log, Name, Reading, Sentence, listing, say, say_n, term, written


@dataclass(frozen=True, slots=True)
class ScoringView(Reading):
    """What scoring.html shows: the sheet's name, and its scoring, sentence after sentence."""

    name: Sentence | Name
    sentences: tuple[Sentence | Name, ...]


def scoring(log: Log, _viewer: int | None, _query: Mapping[str, str]) -> ScoringView:
    """Return the scoring of the sheet that a match is played by."""
    sheet = log.position.state.sheet
    sentences, whose = [*in_words(sheet)], of_whom(sheet.document)
    if whose is not None:
        sentences.append(say("{whose}.", whose=whose))
    return ScoringView(sheet_word(sheet, sheet.document.name), tuple(sentences))


def in_words(sheet: Sheet) -> Iterator[Sentence | Name]:
    """Iterate over the sentences that say how a sheet scores."""
    document = sheet.document
    if document.about is not None:
        yield sheet_word(sheet, document.about)
    yield who_plays(sheet)
    yield say("The lowest total wins.") if sheet.lowest else say("The highest total wins.")
    yield from _ends(sheet)
    for column in (*sheet.shared, *sheet.own):
        yield column_in_words(sheet, column)
    if document.score is not None and document.about is None:  # else that says it as a host would
        yield score_in_words(sheet)
    if document.bonus is not None:
        yield say("Once for the whole sheet: {sum}.", sum=Name(document.bonus))
    if document.sum is not None and (document.about is None or not isinstance(document.sum, str)):
        yield say("All scores of a row come to {n}.", n=Name(document.sum))
    for ask in document.asks:
        chosen = next((answer.name for answer in ask.answers if answer.value == sheet.house[ask.id]), "")
        yield say("{question} {answer}.", question=sheet_word(sheet, ask.question), answer=sheet_word(sheet, chosen))


def score_in_words(sheet: Sheet) -> Sentence:
    """Return what a row is worth, as the sheet reckons it."""
    return say("A row is worth: {sum}.", sum=Name(sheet.document.score or ""))


def who_plays(sheet: Sheet) -> Sentence:
    """Return how many play: "2 to 8 players", "3 or 4 players"."""
    fewest, most = sheet.document.players
    if isinstance(sheet.document.sides, Teams):
        return say("{teams} teams of {n}.", teams=sheet.document.sides.teams, n=sheet.document.sides.of)
    if fewest == most:
        return say_n("{n} player.", "{n} players.", most)
    if most == fewest + 1:
        return say("{fewest} or {most} players.", fewest=fewest, most=most)
    return say("{fewest} to {most} players.", fewest=fewest, most=most)


def of_whom(document: SheetDocument) -> Sentence | None:
    """Return whose sheet it is, and its edition: "By Ana, edition 2". None where neither is known."""
    if document.by is None:
        return say("Edition {n}", n=document.edition) if document.edition > 1 else None
    if document.edition == 1:
        return say("By {name}", name=Name(document.by))
    return say("By {name}, edition {n}", name=Name(document.by), n=document.edition)


def bound_in_words(sheet: Sheet, way: str) -> Sentence:
    """Return what a bound of the match ends: after so many ``rounds``, ``at`` a total, or ``out`` for one player."""
    bound = sheet.ends[way]
    n = listing([say("{n}", n=plain(number)) for number in dict.fromkeys(_bounds(sheet, bound))], "or")
    match way:
        case "rounds":
            return say("It ends after one round.") if bound == 1 else say("It ends after {n} rounds.", n=n)
        case "at":
            return say_n("It ends at {total} point.", "It ends at {total} points.", 1 if bound == 1 else 2, total=n)
    return say_n("At {total} point a player is out.", "At {total} points a player is out.", 1 if bound == 1 else 2, total=n)


def _bounds(sheet: Sheet, bound: Number | Expression) -> tuple[Number, ...]:
    """Return what a bound of the match is with the fewest players, and so on to the most."""
    fewest, most = sheet.document.players
    house = {as_name(slug): (number,) for slug, number in sheet.house.items()}
    return tuple(
        bound.value(Scored({**house, "players": (n,)}, (0,)), 0) if isinstance(bound, Expression) else bound
        for n in range(fewest, most + 1)
    )


def _ends(sheet: Sheet) -> Iterator[Sentence]:
    bounds = [bound_in_words(sheet, way) for way in ("rounds", "at", "out") if any(_bounds(sheet, sheet.ends.get(way, 0)))]
    yield from bounds
    if any(len(set(_bounds(sheet, sheet.ends[way]))) > 1 for way in sheet.ends):
        fewest, most = sheet.document.players
        counts = [Name(n) for n in range(fewest, most + 1)]
        yield say("That is with {players} players, in this order.", players=listing(counts, "or"))
    if sheet.document.shape != "rounds":
        yield say("It ends once everything is filled.")
    elif sheet.document.ends.hand:
        yield say("You may end it before that.") if bounds else say("You end it yourselves.")
    for at, (name, way) in enumerate(sheet.tie if sheet.tie_asked is None else ()):  # else its answer is told
        if not at:
            yield tie_in_words(sheet, name, way)
            continue
        column = _called(sheet, name)
        yield say("Else most of {column}.", column=column) if way > 0 else say("Else fewest of {column}.", column=column)


def tie_in_words(sheet: Sheet, name: str, way: int) -> Sentence:
    """Return that the most (``way`` 1) or the fewest (-1) of a column break a tie, or the answer that says so."""
    if sheet.tie_asked is not None:
        ask, answer = sheet.tie_asked
        return say("{question} {answer}.", question=sheet_word(sheet, ask.question), answer=sheet_word(sheet, answer.name))
    column = _called(sheet, name)
    if way > 0:
        return say("A tie goes to whoever has most of {column}.", column=column)
    return say("A tie goes to whoever has fewest of {column}.", column=column)


def tie_in_short(sheet: Sheet, name: str, way: int) -> Sentence:
    """Return how somebody won whose total others have too: "with more Coins"."""
    if sheet.tie_asked is not None:
        # NOTE: after a result that is equal, how somebody won all the same: "25 : 25, by the house rule"
        return say("by the house rule")
    column = _called(sheet, name)
    # NOTE: after a result that is equal, how somebody won all the same: "18 : 18, with more Coins"
    return say("with more {column}", column=column) if way > 0 else say("with fewer {column}", column=column)


def _called(sheet: Sheet, name: str) -> Sentence | Name:
    return next(sheet_word(sheet, column.column.name) for column in sheet.own if column.name == name)


def column_in_words(sheet: Sheet, column: ReadColumn) -> Sentence:
    """Return what stands in a column, and what it is worth."""
    name, given = sheet_word(sheet, column.column.name), column.column
    told = sheet.preset and sheet.score is not None  # by the sentences about it: numbers for its formula say little
    match given.kind:
        case "times":
            return say("{column}: each counts {n}.", column=name, n=Name(written(column.by)))
        case "choice" if told:
            choices = [sheet_word(sheet, choice.name) for choice in given.choices]
            return say("{column}: {choices}.", column=name, choices=listing(choices, "comma"))
        case "table" | "rank" if given.kind == "table" or not told:
            points = listing([Name(written(points)) for points in column.points], "comma")
            if given.ties == "each":
                return say("{column}: {points}.", column=name, points=points)
            if column.halves:
                return say("{column}: {points}. Equal numbers share, rounded down to halves.", column=name, points=points)
            return say("{column}: {points}. Equal numbers share, rounded down.", column=name, points=points)
        case "choice":
            choices = [
                say("{choice} {n}", choice=sheet_word(sheet, choice.name), n=Name(written(column.choices[choice.id])))
                for choice in given.choices
            ]
            return say("{column}: {choices}.", column=name, choices=listing(choices, "comma"))
        case "tick":
            return say("{column}: yes or no.", column=name)
        case "product":
            return say("{column}: one number times another.", column=name)
    if column.halves:
        return say("{column}: a number or a half.", column=name)
    if given.step > 1:
        return (
            say("{column}: a number, also below 0, in steps of {step}.", column=name, step=given.step)
            if column.negative
            else say("{column}: a number in steps of {step}.", column=name, step=given.step)
        )
    return say("{column}: a number, also below 0.", column=name) if column.negative else say("{column}: a number.", column=name)


GROUPS = {
    # NOTE: kinds of score sheets, as headings of a list, with a few words each
    "rounds": (term("Rounds", "score sheets"), say("A number every round"), "sheet-rounds"),
    "bids": (term("Bids", "score sheets"), say("Say it, count the tricks"), "sheet-bids"),
    "ledger": (term("Ledger", "score sheets"), say("One wins, others lose"), "sheet-ledger"),
    "boxes": (term("Boxes", "score sheets"), say("Each box is filled once"), "sheet-boxes"),
    "end": (term("End table", "score sheets"), say("Columns, once at the end"), "sheet-end"),
}
