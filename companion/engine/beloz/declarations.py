"""Which announced straight flushes and quads can be true, whose count, and why?

Rule: Declarations; rulings B6 to B10, B12, B14.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import msgspec

from companion.engine.beloz.cards import (
    HAND,
    NUMBERS,
    OF_ANIMAL,
    PLAIN_INDEX,
    PLAIN_TITLES,
    TITLES,
    Animal,
    Plain,
    members,
    pachyderms,
)
from companion.engine.beloz.options import BelozOptions
from companion.engine.beloz.seats import team_of
from companion.engine.beloz.words import team_name
from companion.engine.core import RuleError
from companion.engine.text import Part, Sentence, is_you, listing, name, say, say_n, term

Player = Annotated[int, msgspec.Meta(ge=0, le=3)]
CardNumber = Annotated[int, msgspec.Meta(ge=1, le=8)]

QUADS_POINTS: dict[Animal, int] = {
    "crocodile": 200,
    "water-snake": 150,
    "lion": 100,
    "leopard": 100,
    "elephant": 100,
    "rhinoceros": 100,
}
SHORTEST_RUN = 3


def run_points(length: int) -> int:
    """Return what a straight flush of so many cards, three or more, is worth."""
    return 20 if length == 3 else 50 if length == 4 else 100


class Quads(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="quads"):
    """The same animal from all four plains, announced by a player and, if nothing is said, shown in time."""

    player: Player
    animal: Animal
    shown: bool = True


class StraightFlush(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="straight_flush"):
    """A run of three or more cards of a plain, announced by a player and, if nothing is said, shown in time."""

    player: Player
    plain: Plain
    lowest: CardNumber
    highest: CardNumber
    shown: bool = True


Declaration = Quads | StraightFlush
# counts: its points are scored; not-shown: its team's count, but it scores nothing (ruling B8); beaten: the other team's is
# higher; cancelled: an equal one of the other team takes it away (ruling B7); lost: its team won no expedition (ruling B10)
Status = Literal["counts", "not-shown", "beaten", "cancelled", "lost"]
Strength = tuple[bool, int, int, bool]


def declared_points(declaration: Declaration) -> int:
    """Return what a declaration is worth if it counts."""
    if isinstance(declaration, Quads):
        return QUADS_POINTS[declaration.animal]
    return run_points(declaration.highest - declaration.lowest + 1)


def declared_cards(declaration: Declaration) -> int:
    """Return the set of cards of a declaration."""
    if isinstance(declaration, Quads):
        return OF_ANIMAL[NUMBERS[declaration.animal] - 1]
    length = declaration.highest - declaration.lowest + 1
    return ((1 << length) - 1) << 8 * PLAIN_INDEX[declaration.plain] + declaration.lowest - 1


def strength(declaration: Declaration, flooded: Plain | None) -> Strength:
    """Return what declarations are compared by: quads, points, highest number, flooded plain (ruling B6)."""
    if isinstance(declaration, Quads):
        return True, QUADS_POINTS[declaration.animal], NUMBERS[declaration.animal], False
    return False, declared_points(declaration), declaration.highest, declaration.plain == flooded


RUNS: dict[int, Sentence] = {
    3: term("run of three", "declaration"),
    4: term("run of four", "declaration"),
    5: term("run of five", "declaration"),
    6: term("run of six", "declaration"),
    7: term("run of seven", "declaration"),
    8: term("run of eight", "declaration"),
}
QUADS: dict[Animal, Sentence] = {
    "meerkat": term("quads of meerkats", "declaration"),
    "monkey": term("quads of monkeys", "declaration"),
    "water-snake": term("quads of water snakes", "declaration"),
    "crocodile": term("quads of crocodiles", "declaration"),
    "rhinoceros": term("quads of rhinoceros", "declaration"),
    "elephant": term("quads of elephants", "declaration"),
    "leopard": term("quads of leopards", "declaration"),
    "lion": term("quads of lions", "declaration"),
}


def describe(declaration: Declaration) -> Sentence:
    """Return a declaration in words: "run of three", "quads of lions"."""
    if isinstance(declaration, Quads):
        return QUADS[declaration.animal]
    return RUNS[declaration.highest - declaration.lowest + 1]


def _check_form(declaration: Declaration, field: str) -> None:
    """Raise RuleError for cards that nobody could declare: too short a run, or animals without quads."""
    if isinstance(declaration, Quads):
        if declaration.animal not in QUADS_POINTS:
            raise RuleError(
                say(
                    "{quads:C} do not count. Announce lions, leopards, elephants, rhinoceros, crocodiles or water snakes.",
                    quads=QUADS[declaration.animal],
                ),
                rule="Declarations",
                field=f"{field}.animal",
            )
        return
    length = declaration.highest - declaration.lowest + 1
    if length < 1:
        raise RuleError(
            say(
                "A run goes from its lowest number to its highest, but {lowest} is above {highest}.",
                lowest=declaration.lowest,
                highest=declaration.highest,
            ),
            rule="Declarations",
            field=f"{field}.lowest",
        )
    if length < SHORTEST_RUN:
        raise RuleError(
            say(
                "A run has three cards or more. {lowest} to {highest} has {n}.",
                lowest=declaration.lowest,
                highest=declaration.highest,
                n=length,
            ),
            rule="Declarations",
            field=field,
        )


def _held_already(players: Sequence[str], held: Sequence[int], declaration: Declaration, field: str) -> RuleError:
    """Return the refusal of a declaration with a card that ``held`` (a set a player) has in another one.

    It is about a run's top card, the one that people name, if somebody holds that; else it says that the run needs the other.
    """
    player, cards = declaration.player, declared_cards(declaration)
    holder = next(holder for holder in range(4) if cards & held[holder])
    common = members(cards & held[holder])
    below = isinstance(declaration, StraightFlush) and members(cards)[-1] != common[-1]
    card = TITLES[common[-1]]
    if holder == player:
        twice = (
            say("The {card} is in two of your declarations. Besides BeloZ, a card counts in only one.", card=card)
            if is_you(players[player])
            else say(
                "The {card} is in two of {player}’s declarations. Besides BeloZ, a card counts in only one.",
                card=card,
                player=name(players[player]),
            )
        )
        return RuleError(twice, rule="B12", field=field)
    parts: dict[str, Part] = {"holder": name(players[holder]), "card": card, "player": name(players[player])}
    if below and is_you(players[holder]):
        declared = say("This run needs the {card}. You have declared it.", card=card)
    elif below:
        declared = say("This run needs the {card}. {holder} has declared it.", card=card, holder=name(players[holder]))
    elif is_you(players[holder]):
        declared = say("You have declared the {card}, so {player} can’t hold it too.", **parts)
    elif is_you(players[player]):
        declared = say("{holder} has declared the {card}, so you can’t hold it too.", **parts)
    else:
        declared = say("{holder} has declared the {card}, so {player} can’t hold it too.", **parts)
    return RuleError(declared, rule="B14", field=field)


def check_declarations(
    players: Sequence[str], declarations: Sequence[Declaration], flooded: Plain | None, beloz: int | None
) -> None:
    """Raise RuleError unless all of this can be in four hands of eight (rulings B12, B14; B9 for BeloZ's two cards)."""
    held = [0, 0, 0, 0]
    taken = 0
    for index, declaration in enumerate(declarations):
        field = f"declarations.{index}"
        _check_form(declaration, field)
        player, cards = declaration.player, declared_cards(declaration)
        if cards & taken:
            raise _held_already(players, held, declaration, field)
        taken |= cards
        held[player] |= cards
        needed = held[player].bit_count()
        if needed > HAND:
            many = (
                say("Your declarations need {n} cards. A hand has eight.", n=needed)
                if is_you(players[player])
                else say("{player}’s declarations need {n} cards. A hand has eight.", player=name(players[player]), n=needed)
            )
            raise RuleError(many, rule="B14", field=field)
    if beloz is None or flooded is None:
        return
    pair = pachyderms(PLAIN_INDEX[flooded])
    for holder in range(4):
        common = pair & held[holder]
        if common and holder != beloz:
            parts: dict[str, Part] = {
                "holder": name(players[holder]),
                "card": TITLES[members(common)[0]],
                "player": name(players[beloz]),
            }
            if is_you(players[holder]):
                declared = say("You have declared the {card}, so {player} can’t have BeloZ.", **parts)
            elif is_you(players[beloz]):
                declared = say("{holder} has declared the {card}, so you can’t have BeloZ.", **parts)
            else:
                declared = say("{holder} has declared the {card}, so {player} can’t have BeloZ.", **parts)
            raise RuleError(declared, rule="B14", field="beloz")
    needed = (held[beloz] | pair).bit_count()
    if needed > HAND:
        holding = name(players[beloz])
        many = (
            say("Your declarations and BeloZ need {n} cards. A hand has eight.", n=needed)
            if is_you(players[beloz])
            else say("{player}’s declarations and BeloZ need {n} cards. A hand has eight.", player=holding, n=needed)
        )
        raise RuleError(many, rule="B14", field="beloz")


class DeclarationsVerdict(msgspec.Struct, frozen=True):
    """Whose declarations count, for how much, and what becomes of each (``statuses``, in the order of ``declarations``).

    ``team`` is None when no team's count, and ``points`` is what that team scores for those that were shown.
    """

    players: tuple[str, ...]
    flooded: Plain | None
    declarations: tuple[Declaration, ...]
    statuses: tuple[Status, ...]
    team: int | None
    points: int

    @property
    def headline(self) -> Sentence:
        """The verdict in a few words: "Bo & Di count 70"."""
        if not self.declarations:
            return say("No declarations")
        if self.team is None:
            return say("No declaration counts")
        return say("{team} count {points}", team=team_name(self.players, self.team), points=self.points)

    @property
    def sentence(self) -> Sentence:
        """The reason: "Di's run of four beats Ana's run of three. Bo's 20 counts with it. Ana's 20 does not count."."""
        return listing(self.reasons, "text")

    @property
    def reasons(self) -> tuple[Sentence, ...]:
        """The reason sentence by sentence: first why the highest is the highest, then what that means for the others."""
        return tuple(_sentences(self))


def judge(
    players: Sequence[str],
    options: BelozOptions,
    flooded: Plain | None,
    declarations: Sequence[Declaration],
    golden: int | None = None,
) -> DeclarationsVerdict:
    """Compare declarations that ``check_declarations`` let pass. ``golden`` is the team that won all eight, if any."""
    if not declarations:
        return DeclarationsVerdict(tuple(players), flooded, (), (), None, 0)
    ranks = [strength(declaration, flooded) for declaration in declarations]
    lists: tuple[list[int], list[int]] = ([], [])
    for index in sorted(range(len(ranks)), key=ranks.__getitem__, reverse=True):  # equals stay as announced
        lists[team_of(declarations[index].player)].append(index)
    statuses: list[Status] = ["cancelled"] * len(ranks)
    struck = 0
    if options.tied_declarations == "next-highest":  # ruling B7, the option: equal pairs go, from the top
        while struck < min(map(len, lists)) and ranks[lists[0][struck]] == ranks[lists[1][struck]]:
            struck += 1
    left = (lists[0][struck:], lists[1][struck:])
    team: int | None
    if left[0] and left[1]:
        highest = (ranks[left[0][0]], ranks[left[1][0]])
        team = None if highest[0] == highest[1] else 0 if highest[0] > highest[1] else 1  # ruling B7: equal, none counts
    else:
        team = 0 if left[0] else 1 if left[1] else None
    points = 0
    if team is not None:
        for index in left[1 - team]:
            statuses[index] = "beaten"
        if golden == 1 - team:  # ruling B10: lost, and the beaten ones stay beaten
            for index in left[team]:
                statuses[index] = "lost"
            team = None
        else:
            for index in left[team]:
                if declarations[index].shown:
                    statuses[index] = "counts"
                    points += declared_points(declarations[index])
                else:
                    statuses[index] = "not-shown"  # ruling B8
    return DeclarationsVerdict(tuple(players), flooded, tuple(declarations), tuple(statuses), team, points)


def preview_declarations(
    players: Sequence[str],
    options: BelozOptions,
    flooded: Plain | None,
    declarations: Sequence[Declaration],
    beloz: int | None = None,
) -> DeclarationsVerdict:
    """Return whose declarations count so far, while they are still being announced. Raises RuleError for what can't be true.

    ``flooded`` may be None while it is not said: all four plains then compare as dry ones, and BeloZ is not checked.
    """
    check_declarations(players, declarations, flooded, beloz)
    return judge(players, options, flooded, declarations)


def _by_player(verdict: DeclarationsVerdict, indices: Iterable[int], top: Declaration) -> list[Sentence]:
    """ "Bo's 20", "Di's other 50": what these declarations are worth, a phrase a player."""
    points: dict[int, int] = {}
    for index in indices:
        declaration = verdict.declarations[index]
        points[declaration.player] = points.get(declaration.player, 0) + declared_points(declaration)
    return [_worth(verdict.players[player], worth, other=player == top.player) for player, worth in points.items()]


def _worth(player: str, points: int, *, other: bool) -> Sentence:
    """ "Bo's 20", "your other 50"."""
    if is_you(player):
        return say("your other {points}", points=points) if other else say("your {points}", points=points)
    if other:
        return say("{player}’s other {points}", player=name(player), points=points)
    return say("{player}’s {points}", player=name(player), points=points)


def _owned(verdict: DeclarationsVerdict, declaration: Declaration) -> Sentence:
    """ "Ana's run of three", "your run of three"."""
    if is_you(verdict.players[declaration.player]):
        return say("your {declaration}", declaration=describe(declaration))
    return say("{player}’s {declaration}", player=name(verdict.players[declaration.player]), declaration=describe(declaration))


def _comparison(verdict: DeclarationsVerdict, top: Declaration, rival: Declaration | None) -> Sentence:
    """Return why the highest declaration is the highest."""
    mine = _owned(verdict, top)
    many = isinstance(top, Quads)
    if rival is None:
        if "cancelled" not in verdict.statuses:
            return say("Only {team} announced anything.", team=team_name(verdict.players, team_of(top.player)))
        if many:
            return say("With the equal pairs struck, {declaration} are highest.", declaration=mine)
        return say("With the equal pairs struck, {declaration} is highest.", declaration=mine)
    theirs = _owned(verdict, rival)
    high, low = strength(top, verdict.flooded), strength(rival, verdict.flooded)
    if high[0] != low[0]:
        return say("{mine:C} beat {theirs}: quads beat every run.", mine=mine, theirs=theirs)
    if many and high[1] != low[1]:
        return say("{mine:C} beat {theirs}, {high} points against {low}.", mine=mine, theirs=theirs, high=high[1], low=low[1])
    if many:
        return say("{mine:C} beat {theirs}: {high} against {low}.", mine=mine, theirs=theirs, high=high[2], low=low[2])
    if high[1] == low[1] and high[2] != low[2]:
        return say(
            "{mine:C} beats {theirs}, {high} high against {low}.",
            mine=mine,
            theirs=theirs,
            high=high[2],
            low=low[2],
        )
    if high[1] == low[1] and isinstance(top, StraightFlush):
        return say("{mine:C} beats {theirs}: {plain} is flooded.", mine=mine, theirs=theirs, plain=PLAIN_TITLES[top.plain])
    return say("{mine:C} beats {theirs}.", mine=mine, theirs=theirs)


def _sentences(verdict: DeclarationsVerdict) -> list[Sentence]:
    """Return the reason for a verdict, sentence by sentence."""
    if not verdict.declarations:
        return [say("Nobody announced a declaration.")]
    order = sorted(
        range(len(verdict.statuses)), key=lambda index: strength(verdict.declarations[index], verdict.flooded), reverse=True
    )
    winning = [index for index in order if verdict.statuses[index] in ("counts", "not-shown", "lost")]
    beaten = [index for index in order if verdict.statuses[index] == "beaten"]
    if not winning:
        return [_tie(verdict, order)]
    top = verdict.declarations[winning[0]]
    rival = verdict.declarations[beaten[0]] if beaten else None
    sentences = [_comparison(verdict, top, rival)]
    if verdict.statuses[winning[0]] == "lost":
        team = team_name(verdict.players, team_of(top.player))
        return [*sentences, say("But {team} won no expedition, so their declarations are lost.", team=team)]
    if verdict.statuses[winning[0]] == "not-shown":
        player, points = verdict.players[top.player], declared_points(top)
        sentences.append(
            say("But your {points} was not shown.", points=points)
            if is_you(player)
            else say("But {player}’s {points} was not shown.", player=name(player), points=points)
        )
    following = [index for index in winning[1:] if verdict.statuses[index] == "counts"]
    unshown = [index for index in winning[1:] if verdict.statuses[index] == "not-shown"]
    if following:
        worth = _by_player(verdict, following, top)
        sentences.append(say_n("{points:C} counts with it.", "{points:C} count with it.", len(worth), points=listing(worth)))
    if beaten:
        worth = _by_player(verdict, beaten, top)
        sentences.append(say_n("{points:C} does not count.", "{points:C} do not count.", len(worth), points=listing(worth)))
    if unshown:
        worth = _by_player(verdict, unshown, top)
        sentences.append(say_n("{points:C} was not shown.", "{points:C} were not shown.", len(worth), points=listing(worth)))
    return sentences


def _tie(verdict: DeclarationsVerdict, order: Sequence[int]) -> Sentence:
    """Return why no declaration counts although there are some (ruling B7)."""
    tops = [
        next(verdict.declarations[index] for index in order if team_of(verdict.declarations[index].player) == team)
        for team in (0, 1)
    ]
    equal = listing([_owned(verdict, top) for top in tops])
    plains = [PLAIN_TITLES[top.plain] for top in tops if isinstance(top, StraightFlush)]
    if verdict.flooded is None and plains:
        return say(
            "{declarations:C} are equal, so no declaration of either team counts, unless {plain} or {other} is flooded.",
            declarations=equal,
            plain=plains[0],
            other=plains[1],
        )
    return say("{declarations:C} are equal, so no declaration of either team counts.", declarations=equal)
