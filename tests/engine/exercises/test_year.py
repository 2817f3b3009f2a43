"""Is every question of a year right? Each is answered again from the words of the rules, without the engine's functions."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.exercises import EXERCISES, LAST, beloz, of_day

YEAR = range(1, 366)


@pytest.fixture(scope="module")
def year():
    """Return the questions of a year, by game."""
    questions = {game: [] for game in EXERCISES}
    for day in YEAR:
        game, number = of_day(day)
        questions[game].append(EXERCISES[game](number))
    return questions


def of_kind(questions, *kinds):
    asked = [question for question in questions if question.kind in kinds]
    assert len(asked) >= 12
    return asked


class TestEveryQuestion:
    def test_five_days_in_a_row_are_five_games(self):
        assert all(len({of_day(day)[0] for day in range(first, first + 5)}) == 5 for first in range(5, 366, 5))

    def test_a_misread_rule_gives_another_answer(self, year):
        for question in chain(*year.values()):
            assert question.right
            assert question.misread
            assert question.right != question.misread
            assert {*question.right, *question.misread, question.wrong} <= set(question.options)
            assert question.wrong in question.misread

    def test_right_and_wrong_stand_side_by_side(self, year):
        for question in chain(*year.values()):
            for chosen in (question.misread, question.right):
                wrong, right = question.compare(chosen)
                assert right.right
                assert wrong.title != right.title or wrong.result != right.result

    def test_the_wrong_play_costs_something_more_often_than_not(self, year):
        costly = Counter(question.cost > 0 for question in chain(*year.values()) if question.kind != "swim")
        assert costly[True] > 9 * costly[False]

    def test_one_choice_of_each_group_where_one_is_asked_for(self, year):
        for question in chain(*year.values()):
            for group in question.groups:
                right = [option.key for option in group.options if option.key in question.right]
                assert len(right) == 1 if group.one else right
                assert len(group.options) > 1

    def test_another_process_asks_the_same(self):
        numbers = {"beloz": 17, "beluga-cup": 18, "bisque": 19, "rivals": 20, "what-the-fish": LAST}
        program = (
            f"from companion.engine.exercises import EXERCISES; print([EXERCISES[g](n).position for g, n in {numbers}.items()])"
        )
        elsewhere = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        assert elsewhere.strip() == str([EXERCISES[game](number).position for game, number in numbers.items()])

    @given(st.sampled_from(sorted(EXERCISES)), st.integers(1, LAST))
    def test_every_number_is_a_question(self, game, number):
        question = EXERCISES[game](number)
        assert question.right != question.misread


# BeloZ, from the table of ruling B1

ANIMALS = ["meerkat", "monkey", "water-snake", "crocodile", "rhinoceros", "elephant", "leopard", "lion"]
DRY = dict(zip(ANIMALS, [0, 0, 0, 2, 3, 4, 10, 11], strict=True))
FLOODED = {**DRY, "water-snake": 15, "crocodile": 20}
IN_FLOOD = ["meerkat", "monkey", "rhinoceros", "elephant", "leopard", "lion", "water-snake", "crocodile"]


def halves(card):
    plain, _, animal = card.partition("-")
    return plain, animal


def strength(card, target, flooded):
    plain, animal = halves(card)
    if plain == flooded:
        return 100 + IN_FLOOD.index(animal)
    return 10 + ANIMALS.index(animal) if plain == target else 0


def may_play(flooded, table, hand):
    """Return the legal cards, sentence by sentence of “Playing the right card”."""
    target, _ = halves(table[0])
    best = max(table, key=lambda card: strength(card, target, flooded))
    stronger = {card for card in hand if strength(card, target, flooded) > strength(best, target, flooded)}
    of_target = {card for card in hand if halves(card)[0] == target}
    of_flooded = {card for card in hand if halves(card)[0] == flooded}
    if of_target:
        return (of_target & stronger or of_target) if target == flooded else of_target
    teammate_leads = len(table) >= 2 and table[-2] == best
    if target == flooded or teammate_leads or not of_flooded:
        return set(hand)
    return (of_flooded & stronger or of_flooded) if halves(best)[0] == flooded else of_flooded


def outcome(flooded, table, hands, asker):
    """Return an expedition's points for the asker's team, below 0 if the others win it: whoever plays on does their best."""
    if len(table) == 4:
        best = max(range(4), key=lambda place: strength(table[place], halves(table[0])[0], flooded))
        points = sum((FLOODED if halves(card)[0] == flooded else DRY)[halves(card)[1]] for card in table)
        return points if (best - asker) % 2 == 0 else -points
    after = len(table) - asker  # 1 is the player after the asker, whose hand comes first
    ends = [outcome(flooded, [*table, card], hands, asker) for card in may_play(flooded, table, set(hands[after - 1]))]
    return max(ends) if after == 2 else min(ends)


class TestBeloz:
    def test_the_legal_cards(self, year):
        for question in of_kind(year["beloz"], "play"):
            seen = question.position
            assert question.right == may_play(seen.flooded, seen.table, seen.hand)

    def test_points_of_a_full_expedition(self, year):
        full = [question for question in of_kind(year["beloz"], "play") if len(question.position.table) == 3]
        assert full
        for question in full:
            flooded, table = question.position.flooded, question.position.table
            for card, result in question.results.items():
                played = [*table, card]
                points = sum((FLOODED if halves(one)[0] == flooded else DRY)[halves(one)[1]] for one in played)
                best = max(range(4), key=lambda place: strength(played[place], halves(table[0])[0], flooded))
                ours = best in {1, 3}  # the last to play and the second are partners
                assert (result.number, result.text) == (points, "points for you two" if ours else "points for them")

    def test_points_of_an_expedition_that_is_played_on(self, year):
        for question in of_kind(year["beloz"], "play"):
            flooded, table, hands = question.position.flooded, question.position.table, question.hidden
            for card, result in question.results.items():
                ours = 1 if result.text == "points for you two" else -1
                assert ours * result.number == outcome(flooded, [*table, card], hands, asker=len(table))

    def test_the_hands_that_it_is_played_on_with_fit_what_lies(self, year):
        for question in of_kind(year["beloz"], "play"):
            flooded, table = question.position.flooded, question.position.table
            seen = {*table, *question.position.hand}
            assert len(seen.union(*question.hidden)) == len(seen) + sum(map(len, question.hidden))
            for place in range(1, len(table)):
                held = question.hidden[3 - len(table) + place]
                assert table[place] in may_play(flooded, table[:place], {*held, table[place]})

    def test_of_the_hands_that_fit_those_are_told_in_which_the_mistake_costs_most(self, monkeypatch):
        tried = []
        deal = beloz._deals
        monkeypatch.setattr(beloz, "_deals", lambda chance, turn: tried.append(deal(chance, turn)) or tried[-1])
        compared = 0
        for number in range(20, 120):
            tried.clear()
            question = EXERCISES["beloz"](number)
            if question.kind != "play" or len(question.position.table) != 2:
                continue

            def cost(hidden, question=question):
                flooded, table = question.position.flooded, question.position.table
                ends = {
                    card: outcome(flooded, [*table, card], hidden, asker=len(table))
                    for card in question.right | question.misread
                }
                wrong = question.misread - question.right or question.misread
                return max(ends[card] for card in question.right) - min(ends[card] for card in wrong)

            dealt = [
                [tuple(tuple(beloz.CARDS[card] for card in beloz.members(hand)) for hand in hands[1:]) for hands in deals]
                for deals in tried
            ]
            fitting = next(each for each in dealt if question.hidden in each)
            assert cost(question.hidden) == max(map(cost, fitting))
            compared += len(fitting) > 1
        assert compared >= 12

    def test_the_score_of_a_round(self, year):
        for question in of_kind(year["beloz"], "score"):
            event, cards = question.position.event, list(question.position.cards)
            held = [cards[0], 153 - cards[0]]
            held[event.last_expedition] += 10
            if event.count.expeditions in {0, 8}:
                held[0 if event.count.expeditions == 8 else 1] += 90
            declared = [0, 0]
            ranked = []
            for declaration in event.declarations:
                if hasattr(declaration, "animal"):
                    points = {"crocodile": 200, "water-snake": 150}.get(declaration.animal, 100)
                    merit = (1, points, ANIMALS.index(declaration.animal))
                else:
                    length = declaration.highest - declaration.lowest + 1
                    points = {3: 20, 4: 50}.get(length, 100)
                    merit = (0, points, declaration.highest, declaration.plain == event.flooded)
                declared[declaration.player % 2] += points
                ranked.append((merit, declaration.player % 2))
            if ranked:
                highest = max(merit for merit, _ in ranked)
                teams = {team for merit, team in ranked if merit == highest}
                if len(teams) == 1:
                    (team,) = teams
                    held[team] += declared[team]
            beloz = [0, 0]
            if event.beloz is not None:
                beloz[event.beloz % 2] = 20
            total = [held[0] + beloz[0], held[1] + beloz[1]]
            bidding = event.bidder % 2
            if total[bidding] < total[1 - bidding]:
                total[1 - bidding] += held[bidding]
                total[bidding] = beloz[bidding]
            assert question.right == {f"{total[0]}-{total[1]}"}


# Beluga Cup: suits in the words of the cards' names


def suits_of(card):
    return [word for word in card.split("-")[1:] if not word.isdigit()]


def zone_played_on(fish, laid, hands):
    """Return who eats the zone (None: nobody yet), and both totals.

    Six cards more are laid by turns. Each is the one that brings its player farthest ahead; to eat is as good as 100.
    """
    demanded = Counter(fish)

    def totals(sides):
        return [sum(rank(card) for card in cards) for cards in sides]

    def eats(sides, last):
        for cards in sides:
            lie = Counter(suit for card in cards for suit in suits_of(card))
            if any(lie[suit] < count for suit, count in demanded.items()):
                return None
        mine, theirs = totals(sides)
        return last if mine == theirs else 0 if mine > theirs else 1

    player = 0
    for _ in range(6):
        if eats(laid, player) is not None:
            break
        player = 1 - player
        ways = []
        for side in (0, 1):
            lie = Counter(suit for card in laid[side] for suit in suits_of(card))
            for card in hands[player]:
                if any(demanded[suit] > lie[suit] for suit in suits_of(card)):
                    after = [[*cards, card] if at == side else cards for at, cards in enumerate(laid)]
                    mine, theirs = totals(after)[player], totals(after)[1 - player]
                    winner = eats(after, player)
                    ways.append((mine - theirs + {None: 0, player: 100}.get(winner, -100), after, card))
        if not ways:
            break
        best = max(worth for worth, _, _ in ways)
        _, laid, gone = next(way for way in ways if way[0] == best)
        hands[player].remove(gone)
    return eats(laid, player), totals(laid)


class TestBelugaCup:
    def test_the_cards_that_fit(self, year):
        for question in of_kind(year["beluga-cup"], "play"):
            zone, side = question.position.zone, question.position.side
            demanded = Counter(zone.fish)
            lie = Counter(suit for card in zone.sides[side] for suit in suits_of(card.id))
            fits = {card.id for card in question.position.hand if any(demanded[suit] > lie[suit] for suit in suits_of(card.id))}
            assert question.right == fits

    def test_a_zone_that_the_card_fills_is_eaten_at_once(self, year):
        eaten = 0
        for question in of_kind(year["beluga-cup"], "play"):
            zone, side = question.position.zone, question.position.side
            for card, result in question.results.items():
                sides = [[one.id for one in cards] for cards in zone.sides]
                sides[side].append(card)
                lie = [Counter(suit for one in cards for suit in suits_of(one)) for cards in sides]
                if any(lie[each][suit] < count for each in (0, 1) for suit, count in Counter(zone.fish).items()):
                    continue
                eaten += 1
                mine, theirs = (sum(rank(one) for one in cards) for cards in sides)
                winner = "you" if mine >= theirs else "Bo"  # equal: whoever placed the last card
                assert (result.number, result.text) == (len(zone.fish), f"fish for {winner}, {mine} to {theirs}")
        assert eaten

    def test_where_a_card_leads_when_both_play_on(self, year):
        for question in of_kind(year["beluga-cup"], "play"):
            zone, side = question.position.zone, question.position.side
            for option in question.position.hand:
                hands = [[card.id for card in question.position.hand if card != option], [card.id for card in question.hidden]]
                laid = [[card.id for card in cards] for cards in zone.sides]
                laid[side].append(option.id)
                winner, (mine, theirs) = zone_played_on(zone.fish, laid, hands)
                words = {None: "fish eaten yet", 0: "fish for you", 1: "fish for Bo"}[winner]
                result = question.results[option.id]
                assert (result.number, result.text) == (
                    0 if winner is None else len(zone.fish),
                    f"{words}, {mine} to {theirs}",
                )

    def test_what_fish_score(self, year):
        for question in of_kind(year["beluga-cup"], "score"):
            mine = theirs = 0
            for ours, others in zip(*question.position.eaten, strict=True):
                mine += others if ours > others else 0
                theirs += ours if others > ours else 0
            assert question.right == {f"{mine}-{theirs}"}


def rank(card):
    word = card.split("-")[0]
    return {"ace": 1, "crown": 10}.get(word) or int(word)


class TestBisque:
    def test_who_wins_and_what_goes_into_the_pot(self, year):
        for question in of_kind(year["bisque"], "trick"):
            trick = question.position.trick
            winner = next(place for place in range(3) if rank(trick[place]) == max(map(rank, trick)))
            taken = {f"take:{card}" for place, card in enumerate(trick) if place != winner}
            assert question.right == {f"win:{winner}", *taken}

    def test_what_a_card_in_the_pot_does_for_the_goal(self, year):
        for question in of_kind(year["bisque"], "trick"):
            seen = question.position
            for card in seen.trick:
                assert question.results[f"take:{card}"].number == goal_points(seen.goal, (*seen.pot, card))
            for place in range(3):
                goal = (seen.goal, *question.hidden)[seen.seats[place]]
                others = [card for at, card in enumerate(seen.trick) if at != place]
                taken = max(others, key=lambda card: (goal_points(goal, (*seen.pot, card)), both(goal, (*seen.pot, card))))
                assert question.results[f"win:{place}"].number == goal_points(seen.goal, (*seen.pot, taken))

    def test_what_a_goal_scores(self, year):
        for question in of_kind(year["bisque"], "score"):
            assert len(question.position.pot) == 11
            assert question.right == {str(goal_points(question.position.goal, question.position.pot))}


def both(goal, pot):
    """Return what both suits of a goal hold together: of two picks that score the same, the fuller pot is better."""
    return sum((5 if card.startswith("ace") else rank(card)) * len({*suits_of(card)} & {*suits_of(goal)}) for card in pot)


def goal_points(goal, pot):
    worth = {card: 5 if card.startswith("ace") else rank(card) for card in pot}
    return min(sum(points for card, points in worth.items() if suit in suits_of(card)) for suit in suits_of(goal))


class TestRivals:
    def test_what_may_be_played_on_a_pack(self, year):
        for question in of_kind(year["rivals"], "play"):
            turn = question.position
            pack = turn.packs[turn.pack - 1]
            room = len(pack.sides[0]) < 3
            whales = {str(card) for card in turn.hand if card != "turtle" and room}
            if "face up" in question.ask:
                assert question.right == {card for card in whales if card == str(pack.top)}
                continue
            turtle = {"turtle"} if "turtle" in turn.hand and any(not whale.open for whale in pack.sides[1]) else set()
            end = {"end"} if all(pack.sides[0] and pack.sides[1] for pack in turn.packs) else set()
            assert question.right == whales | turtle | end

    def test_the_whales_of_a_table_can_be(self, year):
        for question in of_kind(year["rivals"], "play"):
            turn = question.position
            assert 3 <= len(turn.hand) <= 5
            assert all(len(side) <= 3 for pack in turn.packs for side in pack.sides)
            assert {result.number for result in question.results.values()} <= set(range(7))

    def test_the_grey_whales_if_the_round_ended_then(self, year):
        for question in of_kind(year["rivals"], "play"):
            turn, open_only = question.position, "face up" in question.ask
            for key, result in question.results.items():
                grey = 0
                for number, (pack, theirs) in enumerate(zip(turn.packs, question.hidden, strict=True), 1):
                    mine, bo = [whale.value for whale in pack.sides[0]], list(theirs)
                    if number == turn.pack:
                        mine += [] if key in {"end", "turtle"} else [int(key)]
                        down = [value for value, whale in zip(theirs, pack.sides[1], strict=True) if not whale.open]
                        if key == "turtle" and theirs:
                            bo.remove(max(down or bo))  # where nothing lies face down, as whoever misreads it would
                        mine_down = [whale.value for whale in pack.sides[0] if not whale.open]
                        mine_down += [] if key in question.right or not open_only else [int(key)]
                        if open_only and mine_down:
                            mine.remove(max(mine_down))  # Bo's turtle
                    grey += number if sum(mine) > sum(bo) else 0
                assert result.number == grey

    def test_the_hidden_whales_of_bo_can_be(self, year):
        for question in of_kind(year["rivals"], "play"):
            sides = [pack.sides[1] for pack in question.position.packs]
            assert [len(side) for side in sides] == [len(values) for values in question.hidden]
            for side, values in zip(sides, question.hidden, strict=True):
                assert all(not whale.open or whale.value == value for whale, value in zip(side, values, strict=True))
            dealt = Counter(chain(*question.hidden))
            assert all(count <= {1: 4, 2: 4, 3: 3, 4: 3, 5: 2, 6: 1, 10: 1}[value] for value, count in dealt.items())

    def test_who_takes_what(self, year):
        for question in of_kind(year["rivals"], "score"):
            takes = [0, 0]
            for number, pack in enumerate(question.position.packs, 1):
                mine, theirs = (sum(whale.value for whale in side) for side in pack.sides)
                if mine != theirs:
                    takes[0 if mine > theirs else 1] += number
            assert question.right == {f"{takes[0]}-{takes[1]}"}


def layers(duel):
    """Return the totals of a swim's layers from the fish up, and the kind of each."""
    totals = []
    for play in duel.plays:
        if totals and totals[-1][0] == play.kind:
            totals[-1][1] += play.value
        else:
            totals.append([play.kind, play.value])
    return totals


def lacking(position):
    """Return how many points the next cards need at least: strictly above the layer below, by what lies already."""
    totals = layers(position.duel)
    kind = "attack" if position.ask == "kill" else "protection"
    already = totals.pop()[1] if totals[-1][0] == kind else 0
    return totals[-1][1] - already + 1


class TestWhatTheFish:
    def test_the_fewest_points(self, year):
        for question in of_kind(year["what-the-fish"], "swim"):
            hand, least = question.position.hand, lacking(question.position)
            ways = [places for size in range(1, 7) for places in combinations(range(6), size)]
            enough = {places: spent for places in ways if (spent := sum(hand[place] for place in places)) >= least}
            cheapest = [places for places, spent in enough.items() if spent == min(enough.values())]
            assert [question.right] == [frozenset(map(str, places)) for places in cheapest]

    def test_the_misread_cards_are_short_or_dear(self, year):
        for question in of_kind(year["what-the-fish"], "swim"):
            hand, least = question.position.hand, lacking(question.position)
            spent, right = (sum(hand[int(place)] for place in keys) for keys in (question.misread, question.right))
            wrong, _ = question.compare(question.misread)
            assert spent < least or spent > right
            assert wrong.result.number == spent
            assert ("is not above" in wrong.result.text) == (spent < least)

    def test_the_total_that_decides(self, year):
        for question in of_kind(year["what-the-fish"], "score"):
            assert question.right == {str(lacking(question.position))}
