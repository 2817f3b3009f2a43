"""What does a table's almanac show? Statistics after matches: of all, of a person, of an evening, of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import cached_property, wraps
from typing import Any, Concatenate, Final, ParamSpec

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.almanac import evenings, people, ratings, rounds, story
from companion.almanac.evenings import Evening
from companion.almanac.people import Person, Share
from companion.almanac.played import Played, counted
from companion.almanac.rounds import OneRound, Special
from companion.engine.text import Name, Sentence, capital, listing, say, say_n, term, written
from companion.languages.language import MINUS
from companion.screens.interface import named
from companion.tables import almanac
from companion.web import language
from companion.web.guard.access import TableAccess, resolve_link
from companion.web.table.around import around

bp = Blueprint("almanac", __name__, url_prefix="/t/<token>/almanac")

P = ParamSpec("P")

LINES: Final = 4  # people whose wins the chart draws
MOST_ENDS: Final = 8  # places on the chart's line of time
ROOM: Final = 11  # per cent of the chart's height that a label takes
PAWNS: Final = 12
MOST_EVENINGS: Final = 100  # that a page lists
RECENT: Final = timedelta(days=91)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which matches are looked at: of a period, of a game, with so many players; empty and 0 for all."""

    since: str = ""
    game: str = ""
    players: int = 0

    @property
    def query(self) -> dict[str, str]:
        """How an address says it."""
        given = {"since": self.since, "game": self.game, "players": str(self.players or "")}
        return {name: value for name, value in given.items() if value}


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen: its words, its address, and whether it is chosen."""

    label: str
    href: str
    chosen: bool


@dataclass(frozen=True)
class Seen:
    """The matches of a table that are looked at, oldest first, besides all that it has played."""

    access: TableAccess
    history: almanac.History
    matches: Sequence[Played]
    choice: Choice

    @property
    def every(self) -> Sequence[Played]:
        """All that the table has played."""
        return self.history.matches

    @property
    def games(self) -> dict[str, str]:
        """The titles of the games that were played, those played last first."""
        return {match.kind: match.title for match in reversed(self.every) if match.counts}

    @cached_property
    def _people(self) -> list[str]:
        """Everybody: those at the table first, as they sit."""
        seated = [player.name for player in self.access.table.players]
        return [*seated, *sorted({name for match in self.every for name in match.players} - set(seated), key=str.casefold)]

    def pawn(self, name: str) -> int:
        """Return the shape that stands for somebody: those at the table have the first ones, as they sit."""
        return self._people.index(name) % PAWNS

    def story_of(self, match: Played) -> str:
        """Return the address of a match's story; nothing for one that was played elsewhere."""
        return self.url("match", number=match.number) if match.number else ""

    def url(self, view: str, **values: Any) -> str:
        """Return the address of another page of this almanac, about the same choice."""
        return url_for(f"almanac.{view}", token=self.access.token, **{**self.choice.query, **values})


def after_matches(view: Callable[Concatenate[Seen, P], ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    """Let a page have the table's matches; while one is being played, say that it opens after the match."""

    @wraps(view)
    def guarded(token: str, *args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        access = resolve_link(token)
        running = almanac.in_the_way(access.row.id)
        if running is not None:
            return render_template("almanac/later.html", **around(access), running=running)
        history = almanac.history(access.row.id)
        choice = choice_of(history.matches)
        return view(Seen(access, history, selected(history.matches, choice), choice), *args, **kwargs)

    return guarded


def choice_of(every: Sequence[Played]) -> Choice:
    """Return the choice that the address asks for. What the table never played is left out."""
    since, game, players = (request.args.get(name, "") for name in ("since", "game", "players"))
    return Choice(
        since if since in dict(periods(every)) else "",
        game if any(match.kind == game for match in every) else "",
        int(players) if players in {str(len(match.players)) for match in every} else 0,
    )


def selected(every: Sequence[Played], choice: Choice) -> list[Played]:
    """Return the matches of a choice."""
    begins, ends = limits(every, choice.since)
    return [
        match
        for match in every
        if begins <= match.at <= ends and choice.game in {"", match.kind} and choice.players in {0, len(match.players)}
    ]


def limits(every: Sequence[Played], since: str) -> tuple[float, float]:
    """Return the first and last second of a period."""
    if since == "evening":
        last = evenings.evenings(every)[-1]
        return last.begun, last.ended
    if since == "recent":
        return datetime.now(UTC).timestamp() - RECENT.total_seconds(), float("inf")
    if since:
        begins, ends = (datetime(int(since) + more, 1, 1).astimezone().timestamp() for more in (0, 1))
        return begins, ends - 1
    return float("-inf"), float("inf")


def periods(every: Sequence[Played]) -> list[tuple[str, Sentence | Name]]:
    """Return the periods that can be chosen, with their words: all, three months, the last evening, and each year."""
    if not every:
        return []
    years = sorted({day(match.at).year for match in every}, reverse=True)
    return [
        ("recent", say("3 months")),
        ("evening", say("Last evening")),
        *((str(year), Name(str(year))) for year in years),
    ]


def day(moment: int) -> date:
    """Return the day of a moment, where the server stands: its players' own, as the name of their table is."""
    return datetime.fromtimestamp(moment).astimezone().date()


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One person's line: points in per cent of width and height, the number at its end, and where its label stands."""

    name: str
    pawn: int
    dash: int
    points: tuple[tuple[float, float], ...]
    numbers: tuple[int, ...]
    label: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Wins over time: a line a person, grid lines with their numbers, and the ends of periods."""

    lines: tuple[ChartLine, ...]
    grid: tuple[tuple[float, int], ...]
    ends: tuple[date, ...]
    pattern: str


def chart(seen: Seen, everybody: Sequence[Person]) -> Chart | None:
    """Return the chart of the four with most wins; None for fewer than two moments. Dashes go by the seats."""
    names = [person.name for person in everybody[:LINES] if person.matches.won]
    moments = sorted({match.at for match in counted(seen.matches)})
    if len(moments) < 2 or not names:
        return None
    first, last = moments[0], moments[-1]
    days = (last - first) // 86400
    places = min(MOST_ENDS, len(moments)) - 1
    ends = [first + (last - first) * place // places for place in range(places)] + [last]
    counted_lines = people.wins_over_time(seen.matches, ends, names)
    top = max(numbers[-1] for _, numbers in counted_lines)
    step = next(times * 10**power for power in range(9) for times in (1, 2, 5) if times * 10**power * 4 >= top)
    high = -(-top // step) * step
    lines = []
    seats = sorted(names, key=seen.pawn)
    labels = spread([100 - numbers[-1] * 100 / high for _, numbers in counted_lines])
    for (name, numbers), label in zip(counted_lines, labels, strict=True):
        points = tuple(
            (round(index * 100 / places, 2), round(100 - number * 100 / high, 2)) for index, number in enumerate(numbers)
        )
        lines.append(ChartLine(name, seen.pawn(name), seats.index(name), points, tuple(numbers), label))
    grid = tuple((round(100 - number * 100 / high, 2), number) for number in range(0, high + 1, step))
    return Chart(tuple(lines), grid, tuple(day(end) for end in ends), "yyyy" if days > 700 else "LLL" if days > 75 else "d LLL")


def spread(places: Sequence[float]) -> list[float]:
    """Return where labels stand that belong to these places, in per cent from the top: none covers another.

    >>> spread([100, 50, 98]), spread([0, 0])
    ([100, 50, 89], [11, 0])
    """
    out = list(places)
    ordered = sorted(range(len(places)), key=lambda index: -places[index])
    below: float = 100 + ROOM
    for index in ordered:
        out[index] = below = min(places[index], below - ROOM)
    above: float = -ROOM
    for index in reversed(ordered):
        out[index] = above = max(out[index], above + ROOM)
    return out


@dataclass(frozen=True, slots=True)
class Finding:
    """Something worth telling: what it is, in large, in small, and where it leads."""

    title: Sentence
    large: Sentence | Name
    small: Sentence
    href: str


def line_of(match: Played, colon: str = " : ") -> Sentence | Name:
    """Return the scores of a match in a row, the winner's first: "1004 : 998"; who won, where it has no scores."""
    if not match.ranked:
        return story.won_by(match)
    scores = [score or 0 for score in match.facts.scores]
    scores.sort(reverse=not match.low_wins)
    return Name(colon.join(map(written, scores)))


def told(match: Played, colon: str = " : ") -> Sentence | Name:
    """Return the scores of a match in a row, and how somebody won where these don't show it: "18 : 18, with fewer cards"."""
    return listing([line_of(match, colon), match.tie], "comma") if match.tied else line_of(match, colon)


def below_winner(match: Played) -> Sentence | Name:
    """Return what stands below a match's winner: the game, and how it was won after a tie: "Rivals, with fewer cards"."""
    return listing([named(match.title), match.tie], "comma") if match.tied else named(match.title)


def beside_winner(match: Played) -> Sentence | Name | None:
    """Return what stands beside a match's winner: its scores, "Free!", or nothing."""
    if match.ranked:
        return line_of(match)
    return match.reader.won if match.facts.winners else None


def when(match: Played) -> Sentence:
    """Return the game and the day of a match: "BeloZ, 3 November"."""
    return listing([named(match.title), Name(language.chosen().date(day(match.at), "medium"))], "comma")


def findings(seen: Seen) -> list[Finding]:
    """Return the closest match and the best round; of a single game also the clearest, the worst and the comeback."""
    played = list(counted(seen.matches))
    listed: list[Finding | None] = [
        of_match(seen, say("Closest match"), people.closest(played)),
        of_round(seen, say("Best round"), rounds.best_round(of_one_game(seen))),
    ]
    if seen.choice.game:
        closest, clearest = people.closest(played), people.clearest(played)
        listed += [
            of_match(seen, say("Clearest match"), None if clearest is closest else clearest),
            of_round(seen, say("Worst round"), rounds.worst_round(played)),
        ]
        back = evenings.comeback(played)
        if back is not None and back.deficit is not None:
            (side,) = back.facts.winners
            amount = back.reader.amount(back.deficit[0])
            large = say("{amount} behind", amount=amount)
            small = listing([story.side_name(back, side), when(back)], "comma")
            listed.append(Finding(say("Comeback"), large, small, seen.story_of(back)))
        minutes = people.minutes_a_round(played)
        if minutes is not None:
            large = say_n("{n} minute", "{n} minutes", minutes)
            listed.append(Finding(say("Time a round"), large, say("usually"), ""))
    return [finding for finding in listed if finding is not None]


def of_one_game(seen: Seen) -> list[Played]:
    """Return the matches of the game that was chosen, else of the one with most rounds: figures of others are no match."""
    game = seen.choice.game
    if not game:
        often: dict[str, int] = {}
        for match in counted(seen.matches):
            often[match.kind] = often.get(match.kind, 0) + len(match.rounds) * match.reader.scored
        game = max(often, key=lambda slug: often[slug], default="")
    return [match for match in seen.matches if match.kind == game]


def of_match(seen: Seen, title: Sentence, match: Played | None) -> Finding | None:
    """Return what a finding says of a match."""
    return None if match is None else Finding(title, line_of(match), when(match), seen.story_of(match))


def of_round(seen: Seen, title: Sentence, played: OneRound | None) -> Finding | None:
    """Return what a finding says of a round, which leads to it."""
    if played is None:
        return None
    # NOTE: whose round, and how many points it brought: "Bo, 252"
    large = say("{side}, {figure}", side=story.side_name(played.match, played.side), figure=played.figure)
    href = seen.url("match", number=played.match.number, round=played.place + 1, _anchor="round")
    return Finding(title, large, listing([capital(played.called), when(played.match)], "comma"), href)


@bp.get("")
@after_matches
def index(seen: Seen) -> ResponseReturnValue:
    """Show what the table has played: how often, who won, and what is worth telling."""
    played = list(counted(seen.matches))
    everybody = people.people(played)
    nights = evenings.evenings(played)
    most = [person.name for person in everybody if person.matches.won == everybody[0].matches.won]
    return page(
        "almanac/index.html",
        seen,
        played=played,
        nights=list(reversed(nights))[:MOST_EVENINGS],
        evening_count=len(nights),
        most=listing([Name(name) for name in most]) if everybody and len(most) < len(everybody) else "",
        most_count=len(most),
        everybody=everybody,
        chart=chart(seen, everybody),
        teams=[(title, people.teams(match for match in played if match.kind == game)) for game, title in team_games(played)],
        findings=findings(seen),
        averages=averages_of(seen, everybody),
        tallies=tallies_of(seen, everybody),
        labels=played[-1].reader.labels if played and seen.choice.game else {},
        ratings=ratings.ratings(seen.matches) if seen.history.rates and seen.choice.game else [],
        options=options(seen, "index"),
    )


def team_games(played: Sequence[Played]) -> list[tuple[str, str]]:
    """Return the games in which people share sides."""
    return list({match.kind: match.title for match in played if match.teams}.items())


def averages_of(seen: Seen, everybody: Sequence[Person]) -> dict[str, Sentence | Name | None]:
    """Return everybody's average score, to one place after the point, if one game was chosen."""
    if not seen.choice.game:
        return {}
    means = {person.name: people.averages(seen.matches, person.name) for person in everybody}
    return {name: None if mean is None else tenths(mean) for name, mean in means.items()}


def tenths(mean: Fraction) -> Sentence | Name:
    """Return an average with tenths, to the nearest; from a hundred on without, which nobody would miss.

    >>> tenths(Fraction(-1, 4)), tenths(Fraction(10421, 10))
    ('−0.3', '1042')
    """
    if abs(mean) >= 100:
        return Name(f"{MINUS if mean < 0 else ''}{(2 * abs(mean) + 1) // 2}")
    units, tenth = divmod((abs(mean) * 20 + 1) // 2, 10)
    # NOTE: an average, with what this language writes before tenths: "54.1"
    return term("{whole}.{tenth}", "average", whole=Name(f"{MINUS if mean < 0 else ''}{units}"), tenth=tenth)


def tallies_of(seen: Seen, everybody: Sequence[Person]) -> dict[str, dict[str, int]]:
    """Return what the chosen game counts, by person."""
    if not seen.choice.game:
        return {}
    return {person.name: people.tallies(seen.matches, person.name) for person in everybody}


def options(seen: Seen, view: str, **values: Any) -> list[tuple[Sentence, list[Option]]]:
    """Return what can be chosen: period, game, and number of players where that differs."""
    choice = seen.choice

    def option(label: str, **change: Any) -> Option:
        wanted = Choice(**{"since": choice.since, "game": choice.game, "players": choice.players, **change})
        href = url_for(f"almanac.{view}", token=seen.access.token, **{**wanted.query, **values})
        return Option(label, href, wanted == choice)

    sizes = sorted({len(match.players) for match in seen.every if match.counts})
    menus = [
        (
            say("Period"),
            [option(say("All time"), since=""), *(option(label, since=since) for since, label in periods(seen.every))],
        ),
        (
            say("Game"),
            [option(say("All games"), game=""), *(option(Name(title), game=game) for game, title in seen.games.items())],
        ),
    ]
    if len(sizes) > 1:
        by_size = [option(say_n("{n} player", "{n} players", size), players=size) for size in sizes]
        menus.append((say("Players"), [option(say("Any number"), players=0), *by_size]))
    return menus


@bp.get("/person")
@after_matches
def person(seen: Seen) -> ResponseReturnValue:
    """Show one person's matches: wins, streak, partner and opponent, what each game counts, and the best round."""
    name = request.args.get("who", "")
    of_name = next((person for person in people.people(seen.matches) if person.name == name), None)
    if of_name is None and not any(name in match.players for match in counted(seen.every)):
        counts_as = (note.same.other for note in seen.history.notes if note.same is not None and note.same.name == name)
        if other := next(counts_as, ""):
            return redirect(seen.url("person", who=other))
        abort(404, say("Nobody of this name has played a match to its end here."))
    if of_name is None:
        return page("almanac/nothing.html", seen, name=name, options=options(seen, "person", who=name))
    matches = [match for match in counted(seen.matches) if name in match.players]
    best = rarest(seen, name)
    back = evenings.comeback([match for match in matches if name in match.winners])
    return page(
        "almanac/person.html",
        seen,
        person=of_name,
        best=best,
        special=None if best is None else specialness(seen, best),
        games=games_of(seen, name),
        comeback=back,
        options=options(seen, "person", who=name),
    )


@dataclass(frozen=True, slots=True)
class GameOfPerson:
    """What one game counts of a person: matches, the average score, tallies by their words, and the contracts."""

    title: str
    matches: Share
    average: Sentence | Name | None
    counts: Mapping[Sentence, int]
    shares: Share | None
    others: Share | None


def games_of(seen: Seen, name: str) -> list[GameOfPerson]:
    """Return what each game counts of a person, the games played last first."""
    listed = []
    for game, title in seen.games.items():
        matches = [match for match in counted(seen.matches) if match.kind == game]
        of_name = next((person for person in people.people(matches) if person.name == name), None)
        if of_name is None:
            continue
        reader, sums = matches[-1].reader, people.tallies(matches, name)
        shares = others = None
        if reader.shares is not None and sums.get(reader.shares[0], 0):
            rest = people.tallies(matches, but=name)
            tried, succeeded, _ = reader.shares
            shares, others = Share(sums[succeeded], sums[tried]), Share(rest[succeeded], rest[tried])
        left = [tally for tally in reader.labels if tally not in (reader.shares or ())]
        counts = {reader.labels[tally]: sums[tally] for tally in left if tally in sums}
        mean = people.averages(matches, name)
        listed.append(GameOfPerson(title, of_name.matches, None if mean is None else tenths(mean), counts, shares, others))
    return listed


def rarest(seen: Seen, name: str) -> OneRound | None:
    """Return a person's best round: of each game's best that which fewest rounds reached."""
    best = [
        played
        for game in seen.games
        if (played := rounds.best_round((match for match in seen.matches if match.kind == game), name)) is not None
    ]
    return min(best, key=lambda played: specialness(seen, played).share, default=None)


def specialness(seen: Seen, played: OneRound) -> Special:
    """Return how special a round was among all of the table's, whenever they were played."""
    return rounds.special(rounds.highest_figures(seen.every, played.match.kind), played.figure)


def evening_of(seen: Seen, number: int) -> Evening:
    """Return the evening to which a match belongs; 404 if there is none."""
    nights = [night for night in evenings.evenings(seen.every) if night.played]
    night = next((night for night in nights if number and any(match.number == number for match in night.matches)), None)
    if night is None:
        abort(404, say("There is no such evening at this table."))
    return night


def headline(night: Evening) -> Sentence:
    """Return who won an evening."""
    names = listing([Name(name) for name in night.winners])
    # NOTE: the headline of an evening's results: "Cy took the evening"; more people: "Ana and Bo share the evening"
    return say_n("{names} took the evening", "{names} share the evening", len(night.winners), names=names)


def moment_of(seen: Seen, night: Evening) -> tuple[Sentence, str] | None:
    """Return the evening's best moment and where it leads: its comeback, else its rarest round."""
    back = evenings.comeback(night.played)
    if back is not None and back.deficit is not None:
        (side,) = back.facts.winners
        sentence = say_n(
            "{side} was {amount} behind and won.",
            "{side} were {amount} behind and won.",
            len(back.people_of(side)),
            side=story.side_name(back, side),
            amount=back.reader.amount(back.deficit[0]),
        )
        return sentence, seen.url("match", number=back.number)
    by_game = {match.kind for match in night.played}
    best = [
        candidate
        for game in by_game
        if (candidate := rounds.best_round(match for match in night.played if match.kind == game)) is not None
    ]
    candidate = min(best, key=lambda candidate: (specialness(seen, candidate).share, candidate.match.number), default=None)
    if candidate is None:
        return None
    sentence = say(
        "{side}: {amount} in {round}.",
        side=story.side_name(candidate.match, candidate.side),
        amount=candidate.amount,
        round=candidate.called,
    )
    return sentence, seen.url("match", number=candidate.match.number, round=candidate.place + 1, _anchor="round")


@bp.get("/match/<int:number>")
@after_matches
def match(seen: Seen, number: int) -> ResponseReturnValue:
    """Show the story of a match, its rounds, and how special one of them was."""
    played = next((match for match in seen.every if match.number == number and match.facts.finished), None)
    if played is None:
        abort(404, say("There is no finished match with this number at this table."))
    lines = story.story(played)
    place_text = request.args.get("round", "")
    chosen = None
    if place_text.isdecimal() and 0 < int(place_text[:4]) <= len(played.rounds) and played.counts:
        place = int(place_text[:4]) - 1
        figures = played.rounds[place].gained
        chosen = OneRound(played, place, max(range(len(figures)), key=lambda side: figures[side]))
    return page(
        "almanac/match.html",
        seen,
        match=played,
        story=lines,
        one=chosen,
        special=None if chosen is None else specialness(seen, chosen),
        sides=[story.side_name(played, side) for side in range(played.facts.sides)],
        ending=ending_of(played),
    )


def ending_of(played: Played) -> Sentence:
    """Return who won and how it stood, as a headline."""
    if not played.counts:
        return say("Stopped: nobody won")
    names = story.won_by(played)
    if not played.ranked:
        return say("{names} won", names=names)
    # NOTE: who won, and the scores: "Ana & Cy won, 1004 : 998"
    return say("{names} won, {scores}", names=names, scores=told(played, "\u00a0: "))  # no line begins with a colon


HELP: Final = {
    "day": day,
    "told": told,
    "beside_winner": beside_winner,
    "below_winner": below_winner,
    "when": when,
    "capital": capital,
    "won_by": story.won_by,
}


def page(template: str, seen: Seen, **values: Any) -> str:
    """Return a page of the almanac."""
    return render_template(template, **around(seen.access), seen=seen, **HELP, **values)
