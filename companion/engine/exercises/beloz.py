"""Which may you play, and what does a round score? Exercises of BeloZ.

Positions are turns and ends of rounds that are dealt and played at random, by the rules. Each of them catches a player who
misreads one rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from companion.engine.beloz.cards import (
    CARDS,
    HAND,
    IN_PLAIN,
    INDEX,
    PLAIN_INDEX,
    PLAIN_TITLES,
    PLAINS,
    POINTS,
    TITLES,
    Plain,
    as_set,
    members,
    pachyderms,
)
from companion.engine.beloz.declarations import Declaration, Quads, StraightFlush, declared_points, describe
from companion.engine.beloz.hand import HandQuads, best_declarations
from companion.engine.beloz.options import BelozOptions
from companion.engine.beloz.play import (
    DISCARD_BEHIND_TEAMMATE,
    INTERCEPT,
    LEAK,
    OVER_INTERCEPT,
    PROVIDE,
    PROVIDE_BELOW,
    RISE,
    leading,
    legal,
    why,
)
from companion.engine.beloz.scoring import Count, Round, RoundResult, score_round
from companion.engine.beloz.seats import team_of
from companion.engine.exercises.chance import Chance
from companion.engine.exercises.exercise import Exercise, Group, Lesson, Option, Result, count_for_two
from companion.engine.text import Name, Sentence, say, term

PLAYERS = 4
SEATS = (term("You", "seat"), term("Right", "seat"), term("Partner", "seat"), term("Left", "seat"))
ROUNDS = 300  # random rounds that are searched at most; a handful is enough as a rule
DEALS = 12  # ways to deal the hidden cards of which the most telling is taken
TRIES = 40  # random deals that are tested against what lies on the table


@dataclass(frozen=True, slots=True)
class Expedition:
    """A turn: the flooded plain, the cards on the table as played, the hand of whoever plays, and who leads (a place)."""

    flooded: Plain
    table: tuple[str, ...]
    hand: tuple[str, ...]
    leader: int

    @property
    def at_seats(self) -> tuple[str, ...]:
        """Return the card in front of each seat from whoever plays; "" for none yet."""
        empty = PLAYERS - 1 - len(self.table)
        return ("", *[""] * empty, *self.table)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn with all that is hidden from whoever plays: the hands of the four, that player's first."""

    flooded: int
    table: tuple[int, ...]
    hands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A wrong reading of a duty: the situations in which it matters, the cards that it would allow, and the right rule."""

    situations: frozenset[int]
    allows: Callable[[int, Sequence[int], int], int]
    lesson: Lesson


def _target(table: Sequence[int]) -> int:
    return table[0] >> 3


def _rise_in_dry(flooded: int, table: Sequence[int], hand: int) -> int:
    provided, leader = hand & IN_PLAIN[_target(table)], table[leading(flooded, table)]
    higher = as_set(card for card in members(provided) if card > leader) if leader >> 3 == _target(table) else 0
    return higher or provided


def _flood_or_provide(flooded: int, table: Sequence[int], hand: int) -> int:
    return hand & (IN_PLAIN[_target(table)] | IN_PLAIN[flooded])


def _spare_the_teammate(flooded: int, table: Sequence[int], hand: int) -> int:
    if leading(flooded, table) == len(table) - 2:
        return hand & IN_PLAIN[flooded]
    return legal(flooded, table, hand)[0]


def _by_number(flooded: int, table: Sequence[int], hand: int) -> int:
    leader, floods = table[leading(flooded, table)], hand & IN_PLAIN[flooded]
    return as_set(card for card in members(floods) if card > leader) or floods


def _anything(_flooded: int, _table: Sequence[int], hand: int) -> int:
    return hand


def _any_flood(flooded: int, _table: Sequence[int], hand: int) -> int:
    return hand & IN_PLAIN[flooded] or hand


_READINGS = (
    _Reading(
        frozenset({PROVIDE}),
        _rise_in_dry,
        Lesson(
            say("Whoever can {word} plays any card of a dry target, a lower one too.", word=term("provide", "duty")),
            "provide",
        ),
    ),
    _Reading(
        frozenset({PROVIDE}),
        _flood_or_provide,
        Lesson(
            say("With a card of the target you must {word}, and no flooded card will do.", word=term("provide", "duty")),
            "provide",
        ),
    ),
    _Reading(
        frozenset({RISE}),
        _spare_the_teammate,
        Lesson(
            say("In the flooded plain you must {word} if you can, above your teammate too.", word=term("rise", "duty")),
            "rise",
        ),
    ),
    _Reading(
        frozenset({RISE, PROVIDE_BELOW, OVER_INTERCEPT, LEAK}),
        _by_number,
        Lesson(
            say(
                "In the {word} the crocodile is the strongest and the water snake is next, whatever their numbers.",
                word=term("flooded plain", "rule"),
            ),
            "B1",
        ),
    ),
    _Reading(
        frozenset({INTERCEPT, OVER_INTERCEPT}),
        _anything,
        Lesson(
            say("Without a card of the target, while the other team leads, you must {word}.", word=term("intercept", "duty")),
            "intercept",
        ),
    ),
    _Reading(
        frozenset({DISCARD_BEHIND_TEAMMATE}),
        _any_flood,
        Lesson(
            say(
                "Without a card of the target, while your teammate leads, you may {word} any card.",
                word=term("discard", "duty"),
            ),
            "discard",
        ),
    ),
    _Reading(
        frozenset({OVER_INTERCEPT}),
        _any_flood,
        Lesson(
            say(
                "If the other team leads with a flooded card, you must {word} with a stronger one if you can.",
                word=term("over-intercept", "duty"),
            ),
            "over-intercept",
        ),
    ),
    _Reading(
        frozenset({LEAK}),
        _anything,
        Lesson(
            say("If no flooded card of yours is strong enough, you must {word} with a weaker one.", word=term("leak", "duty")),
            "leak",
        ),
    ),
)


# the rule text's own examples: the cards on the table and in the hand, what the example is called, and its story
_EXAMPLES: tuple[tuple[tuple[str, ...], tuple[str, ...], Sentence, Sentence], ...] = (
    (
        ("north-lion",),
        ("north-meerkat", "north-leopard", "south-crocodile", "east-lion", "west-elephant", "west-monkey"),
        say("Provide"),
        say("South is flooded, and the other team has launched the expedition with the lion of North."),
    ),
    (
        ("north-lion", "north-meerkat"),
        ("north-elephant", "north-crocodile", "south-water-snake", "south-lion", "east-monkey", "west-lion"),
        say("Provide, your teammate leads"),
        say("Your teammate launched with the lion of North, and nothing in North is above it."),
    ),
    (
        ("north-leopard", "north-monkey"),
        ("east-meerkat", "east-elephant", "south-crocodile", "south-rhinoceros", "west-leopard", "west-meerkat"),
        say("Discard"),
        say("Your teammate’s leopard of North leads, and you hold nothing of North."),
    ),
    (
        ("north-leopard", "north-monkey", "east-meerkat"),
        ("south-crocodile", "south-elephant", "east-lion", "east-rhinoceros", "west-water-snake", "west-monkey"),
        say("Intercept"),
        say("The other team launched with the leopard of North, and it still leads: a card of another dry plain never does."),
    ),
    (
        ("north-leopard", "north-monkey", "east-meerkat"),
        ("east-lion", "east-rhinoceros", "east-elephant", "west-water-snake", "west-monkey", "west-lion"),
        say("No flooded card"),
        say("The same expedition, but this time nothing of the flooded plain is in your hand."),
    ),
)
EXAMPLES = len(_EXAMPLES)
_FREE = Lesson(
    say("Without a card of the target and without a flooded card, you may {word} any card.", word=term("discard", "duty")),
    "discard",
)


def exercise(number: int) -> Exercise:
    """Return the exercise with this number: an example of the rules first, then twice in three a turn, else a round's end."""
    if 1 <= number <= EXAMPLES:
        return _example(number)
    chance = Chance("beloz", number)
    return _score(chance) if chance.below(3) == 0 else _play(chance)


def _example(number: int) -> Exercise:
    """Return an example of the rule text, in which South is flooded. The hidden cards are dealt in one way of many."""
    table, hand, title, story = _EXAMPLES[number - 1]
    played, mine, flooded = tuple(INDEX[card] for card in table), as_set(INDEX[card] for card in hand), PLAIN_INDEX["south"]
    chance = Chance("beloz", number)
    hidden = chance.shuffled([card for card in range(len(CARDS)) if not mine >> card & 1 and card not in played])
    hands = [mine, *(as_set(hidden[len(hand) * seat : len(hand) * (seat + 1)]) for seat in range(PLAYERS - 1))]
    turn = _Turn(flooded, played, tuple(hands))
    free = _Reading(frozenset(), lambda _flooded, _table, cards: cards & IN_PLAIN[cards.bit_length() - 1 >> 3], _FREE)
    reading = next((reading for reading in _READINGS if _tells(turn, reading)), free)
    return replace(_exercise(chance, turn, reading, hand), title=title, story=story)


def _play(chance: Chance) -> Exercise:
    reading = chance.choice(_READINGS)
    made: list[Exercise] = []
    for _ in range(ROUNDS):
        turns = [turn for turn in _round(chance).turns if _tells(turn, reading)]
        if turns:
            made.append(_exercise(chance, chance.choice(turns), reading))
            if made[-1].cost > 0 or len(made) == DEALS:
                break
    return max(made, key=lambda exercise: exercise.cost)


def _tells(turn: _Turn, reading: _Reading) -> bool:
    """Return whether somebody with this reading would answer wrongly here."""
    allowed, situation = legal(turn.flooded, turn.table, turn.hands[0])
    misread = reading.allows(turn.flooded, turn.table, turn.hands[0])
    return situation in reading.situations and misread != allowed and len(members(turn.hands[0])) > 2


def _exercise(chance: Chance, turn: _Turn, reading: _Reading, order: Sequence[str] = ()) -> Exercise:
    hand = [INDEX[card] for card in order] or members(turn.hands[0])
    allowed, situation = legal(turn.flooded, turn.table, turn.hands[0])
    misread = reading.allows(turn.flooded, turn.table, turn.hands[0])
    wrong = members(misread & ~allowed) or members(misread)
    deals = _deals(chance, turn) if len(turn.table) < PLAYERS - 1 else [turn.hands]
    telling = max(deals, key=lambda hands: _cost(turn, hands, allowed, wrong))
    points = {card: _played_on(turn.flooded, (*turn.table, card), telling) for card in hand}
    position = Expedition(
        PLAINS[turn.flooded],
        tuple(CARDS[card] for card in turn.table),
        tuple(CARDS[card] for card in hand),
        leading(turn.flooded, turn.table),
    )
    return Exercise(
        kind="play",
        ask=say("Which may you play?"),
        position=position,
        groups=(Group(say("Tap all that are legal"), tuple(Option(CARDS[card], TITLES[card], CARDS[card]) for card in hand)),),
        right=frozenset(CARDS[card] for card in hand if allowed >> card & 1),
        misread=frozenset(CARDS[card] for card in hand if misread >> card & 1),
        wrong=CARDS[min(wrong, key=points.__getitem__)],
        results={CARDS[card]: _result(worth) for card, worth in points.items()},
        lesson=reading.lesson,
        hidden=tuple(tuple(CARDS[card] for card in members(cards)) for cards in telling[1:]),
        why=why(situation, turn.flooded, turn.table),
    )


def _result(worth: int) -> Result:
    return Result(abs(worth), say("points for you two") if worth > 0 else say("points for them"), worth)


def _cost(turn: _Turn, hands: Sequence[int], allowed: int, wrong: Sequence[int]) -> int:
    """Return how many points the worst of the wrong plays loses against the best right one."""
    right = max(_played_on(turn.flooded, (*turn.table, card), hands) for card in members(allowed))
    return right - min(_played_on(turn.flooded, (*turn.table, card), hands) for card in wrong)


def _played_on(flooded: int, table: tuple[int, ...], hands: Sequence[int]) -> int:
    """Return the points of the expedition for the first hand's team, below 0 if the others win it.

    Whoever still plays does the best for their team. Nobody's legal cards depend on hidden cards but their own.
    """
    if len(table) == PLAYERS:
        mine = PLAYERS - _after(table, hands)  # the place of the first hand's card; every second one is its team's
        points = sum(POINTS[flooded][card] for card in table)
        return points if team_of(leading(flooded, table) - mine) == 0 else -points
    player = _after(table, hands)
    ways = [_played_on(flooded, (*table, card), hands) for card in members(legal(flooded, table, hands[player])[0])]
    return max(ways) if team_of(player) == 0 else min(ways)


def _after(table: Sequence[int], hands: Sequence[int]) -> int:
    """Return how many have played after the first hand, that player included: the next to play, counted from there."""
    place = next(place for place, card in enumerate(table) if hands[0] >> card & 1)
    return len(table) - place


def _deals(chance: Chance, turn: _Turn) -> list[tuple[int, ...]]:
    """Return ways to deal the hidden cards that fit the table: the true one, and others in which its cards were legal too."""
    deals = [turn.hands]
    seen = turn.hands[0] | as_set(turn.table)
    hidden = [card for card in range(len(CARDS)) if not seen >> card & 1]
    sizes = [len(members(hand)) for hand in turn.hands[1:]]
    for _ in range(TRIES):
        cards = chance.shuffled(hidden)
        hands = [turn.hands[0]]
        for size in sizes:
            hands.append(as_set(cards[:size]))
            cards = cards[size:]
        if _fits(turn, hands):
            deals.append(tuple(hands))
            if len(deals) == DEALS:
                break
    return deals


def _fits(turn: _Turn, hands: Sequence[int]) -> bool:
    """Return whether each card on the table was legal with these hands."""
    first = PLAYERS - len(turn.table)
    return all(
        legal(turn.flooded, turn.table[:place], hands[first + place] | 1 << card)[0] >> card & 1
        for place, card in enumerate(turn.table)
    )


# A whole round


@dataclass(frozen=True, slots=True)
class _Played:
    """A round that was played at random: its turns with cards on the table, both piles, who won the last, and the hands."""

    flooded: int
    turns: tuple[_Turn, ...]
    piles: tuple[int, int]
    last: int
    dealt: tuple[int, ...]


def _round(chance: Chance) -> _Played:
    """Return a round that is dealt and played at random, by the rules."""
    deck = chance.shuffled(range(len(CARDS)))
    hands = [as_set(deck[HAND * player : HAND * (player + 1)]) for player in range(PLAYERS)]
    dealt, flooded, first = tuple(hands), chance.below(len(PLAINS)), chance.below(PLAYERS)
    turns, piles = [], [0, 0]
    for _ in range(HAND):
        table: list[int] = []
        for place in range(PLAYERS):
            player = (first + place) % PLAYERS
            if table:
                turns.append(_Turn(flooded, tuple(table), (*hands[player:], *hands[:player])))
            card = chance.choice(members(legal(flooded, table, hands[player])[0]))
            hands[player] &= ~(1 << card)
            table.append(card)
        first = (first + leading(flooded, table)) % PLAYERS
        piles[team_of(first)] |= as_set(table)
    return _Played(flooded, tuple(turns), (piles[0], piles[1]), team_of(first), dealt)


@dataclass(frozen=True, slots=True)
class Scored:
    """The end of a round as the table sees it; team 0 is the one that is asked."""

    event: Round
    cards: tuple[int, int]

    @property
    def declared(self) -> tuple[tuple[int, Sentence], ...]:
        """Return who declared what, in words."""
        return tuple((declaration.player, _described(declaration)) for declaration in self.event.declarations)


def _described(declaration: Declaration) -> Sentence:
    """Return a declaration with what its rank depends on: "run of three, North, 3 to 5"."""
    if isinstance(declaration, Quads):
        return describe(declaration)
    return say(
        "{run}, {plain}, {lowest} to {highest}",
        run=describe(declaration),
        plain=PLAIN_TITLES[declaration.plain],
        lowest=declaration.lowest,
        highest=declaration.highest,
    )


Scores = tuple[int, int]


def _unbroken(result: RoundResult) -> Scores:
    return result.held


def _all_broken(result: RoundResult) -> Scores:
    """Return the scores if a broken contract handed over everything, BeloZ too."""
    total = sum(result.scores)
    if result.contract == "won":
        return result.scores
    return (0, total) if result.contracting == 0 else (total, 0)


def _both_declare(result: RoundResult) -> Scores:
    """Return the scores if the declarations of both teams counted."""
    lost = [0, 0]
    for declaration, status in zip(result.declared.declarations, result.declared.statuses, strict=True):
        if status == "beaten":
            lost[team_of(declaration.player)] += declared_points(declaration)
    held = (result.held[0] + lost[0], result.held[1] + lost[1])
    contracting = result.contracting
    if held[contracting] > held[1 - contracting]:
        return held
    contracted = result.scores[contracting] if result.contract == "broken" else 0
    total = sum(held)
    return (contracted, total - contracted) if contracting == 0 else (total - contracted, contracted)


def _no_ten(result: RoundResult) -> Scores:
    """Return the scores if the last expedition brought nothing."""
    last = result.event.last_expedition
    held = (result.held[0] - 10 * (last == 0), result.held[1] - 10 * (last == 1))
    if result.contract == "won":
        return held
    total, contracted = sum(held), result.scores[result.contracting]
    return (contracted, total - contracted) if result.contracting == 0 else (total - contracted, contracted)


_MISCOUNTS: tuple[tuple[Callable[[RoundResult], Scores], Lesson], ...] = (
    (
        _unbroken,
        Lesson(
            say(
                "If the team with the {word} has less than the other, the other team takes all.", word=term("contract", "rule")
            ),
            "broken",
        ),
    ),
    (
        _all_broken,
        Lesson(
            say("{word} stays with its team, even if the contract is broken.", word=term("BeloZ", "rule")),
            "B9",
        ),
    ),
    (
        _both_declare,
        Lesson(
            say("Only the team with the highest of the {word} scores them.", word=term("declarations", "rule")),
            "highest",
        ),
    ),
    (
        _no_ten,
        Lesson(
            say("Whoever wins the last expedition has {word} more, for Ten Last.", word=term("10 points", "rule")),
            "B4",
        ),
    ),
)


def _score(chance: Chance) -> Exercise:
    at = chance.below(len(_MISCOUNTS))
    misread, lesson = _MISCOUNTS[at]
    for _ in range(ROUNDS):
        played = _round(chance)
        event = _event(chance, played)
        result = score_round([Name(str(seat)) for seat in SEATS], BelozOptions(), event)
        if misread(result) != result.scores:
            break
    right, wrong = result.scores, misread(result)
    others = (other(result) for other, _ in _MISCOUNTS)
    near = ((right[1], right[0]), (right[0] + 10, right[1] - 10), (right[0] - 10, right[1] + 10))
    return count_for_two(
        Scored(event, result.cards),
        say("What does this round score?"),
        say("Tap the score"),
        right,
        (scores for scores in (*others, *near) if min(scores) >= 0),
        wrong=wrong,
        lesson=lesson,
        label=lambda mine, theirs: say("{mine} for you two, {theirs} for them", mine=mine, theirs=theirs),
        besides=lambda theirs: say("for you two, {n} for them", n=theirs),
        why=result.verdict,
    )


def _event(chance: Chance, played: _Played) -> Round:
    """Return the round as it is entered: who took the plain, one team's count, and all that the hands declare."""
    flooded = PLAINS[played.flooded]
    declarations: list[Declaration] = []
    beloz = None
    for player, hand in enumerate(played.dealt):
        declarations += [
            Quads(player, declaration.animal)
            if isinstance(declaration, HandQuads)
            else StraightFlush(player, declaration.plain, declaration.lowest, declaration.highest)
            for declaration in best_declarations(hand, flooded)[1]
        ]
        if not pachyderms(played.flooded) & ~hand:
            beloz = player
    points = sum(POINTS[played.flooded][card] for card in members(played.piles[0]))
    return Round(
        bidder=chance.below(PLAYERS),
        flooded=flooded,
        count=Count(0, points, len(members(played.piles[0])) // PLAYERS),
        last_expedition=played.last,
        declarations=tuple(declarations),
        beloz=beloz,
    )
