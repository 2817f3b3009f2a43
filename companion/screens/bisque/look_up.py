"""Who won a Bisque trick and what may be picked; which cards of a hand can be the goal?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.bisque import COOKS, HAND, BisqueState, Hand, HandAnswer, Pot, Trick, TrickAnswer, check_picked
from companion.engine.core import RuleError
from companion.engine.decktet import BASIC, CARDS, Card
from companion.engine.text import listing, say, say_n
from companion.screens.interface import as_sentence, named
from companion.screens.look_up import Area, FormData, LookUp, LookUpView, MatchState

SUBJECTS = ("trick", "hand")
PLACES: tuple[str, ...] = (say("first card"), say("second card"), say("third card"))


@dataclass(frozen=True, slots=True)
class InTrick:
    """A card of the trick: who played it, whether it wins, and whether it may be picked for the pot."""

    card: str
    name: str
    wins: bool
    may_pick: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BisqueLookUpView(LookUpView):
    """The places of the trick in the order of play, and why cards that lie in the pot can't be played (``gone``)."""

    players: tuple[str, ...]
    trick: tuple[InTrick | None, ...]
    gone: Mapping[str, str]
    deck: ClassVar[tuple[Card, ...]] = BASIC


class BisqueLookUp(LookUp):
    """A trick, or a hand before its goal is chosen."""

    slug: ClassVar[str] = "bisque"
    areas: ClassVar[tuple[Area, ...]] = (Area("trick"), Area("hand"))

    @classmethod
    def prefill(cls, match: MatchState) -> FormData:
        """Return the players in the order of this trick, if its leader is known, and the cards in the pot."""
        data: FormData = MultiDict()
        state: BisqueState = match.position.state
        if state.leader is not None:
            data.setlist("who", [state.players[(state.leader + turn) % COOKS] for turn in range(COOKS)])
        data.setlist("gone", [trick.card for trick in state.pot])
        for card in data.getlist("gone"):
            data.add("why", cls._gone(match, card))
        return data

    @staticmethod
    def _gone(match: MatchState, card: str) -> str:
        """Return why a card that lies in the pot can't be played once more, in the engine's words."""
        try:
            match.position.apply(Pot(card))
        except RuleError as refused:
            return refused.message
        return ""

    def exists(self, card: str) -> bool:
        """Return True if there is such a card."""
        return card in CARDS

    @cached_property
    def subject(self) -> str:
        """Return what is looked up: a trick or a hand."""
        return self.chosen("subject", SUBJECTS, "trick")

    @property
    def to(self) -> str:
        """Return where a tapped card goes: always into the pile of the look-up's subject."""
        return self.subject

    @cached_property
    def gone(self) -> dict[str, str]:
        """Return the cards that lie in the pot, and what is said of each."""
        return dict(zip(self.picked("gone"), (words[:160] for words in self.form_data.getlist("why")[:60]), strict=False))

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Return who plays the first, second and third card."""
        return self.names(COOKS, PLACES)

    answer: TrickAnswer | None = None

    def view(self) -> BisqueLookUpView:
        """Return the trick or the hand, with what the engine says of it."""
        return BisqueLookUpView(**self.common(), players=self.players, trick=self._in_trick(), gone=self.gone)

    def _in_trick(self) -> tuple[InTrick | None, ...]:
        """Return the three places of the trick, in the order of play."""
        cards = self.picked("trick")[:COOKS]
        answer = self.answer
        places = [
            InTrick(
                card, self.players[place], bool(answer and answer.winner == place), bool(answer and card in answer.may_pick)
            )
            for place, card in enumerate(cards)
        ]
        return (*places, *[None] * (COOKS - len(places)))

    def look_up(self) -> None:
        """Look up who wins, or which cards can be the goal."""
        cards = self.picked(self.subject)
        for card in cards:
            if card in self.gone:
                self.refuse(self.gone[card], card)
        try:
            check_picked(cards, "trick" if self.subject == "trick" else "hand")
        except RuleError as refused:
            self.refuse(refused.message, self.where(refused.field))
        size = COOKS if self.subject == "trick" else HAND
        if len(cards) < size:
            self._wait(len(cards), size)
        elif self.refusal is None:
            (self._trick if self.subject == "trick" else self._hand)(cards)

    def _wait(self, count: int, size: int) -> None:
        if self.subject == "trick":
            who = named(self.players[count])
            tap = say("Tap {player}’s card", player=who) if self.in_match else say("Tap the {card}", card=who)
            self.wait(tap, say("In the order in which they were played."))
        else:
            text = say("Tap the cards of your hand: those of two suits can be your goal.")
            self.wait(say("{n} of {all} cards", n=count, all=size), text)

    def _trick(self, cards: tuple[str, ...]) -> None:
        answer: TrickAnswer | None = self.ask(Trick, {"game": self.slug, "trick": list(cards)})
        if answer is None:
            return
        self.answer = answer
        winner = named(self.players[answer.winner])
        self.title = (
            say("{player} wins the trick", player=winner) if self.in_match else say("The {card} wins the trick", card=winner)
        )
        first, second = (as_sentence(CARDS[card].title) for card in answer.may_pick)
        picks = say("Its player picks {first} or {second} for the pot.", first=first, second=second)
        self.text = listing([as_sentence(answer.why), picks], "text")
        self.rule = "Q4"
        self.legal = answer.may_pick
        self.illegal = (cards[answer.winner],)

    def _hand(self, cards: tuple[str, ...]) -> None:
        answer: HandAnswer | None = self.ask(Hand, {"game": self.slug, "hand": list(cards)})
        if answer is None:
            return
        self.rule = "Q6" if answer.redeal else "Q2"
        self.legal = answer.goals
        self.illegal = tuple(card for card in cards if card not in answer.goals)
        if answer.redeal:
            self.title = say("Deal again")
            self.text = say("No card of this hand has two suits, so none can be the goal.")
        else:
            count = len(answer.goals)
            self.title = say_n("One possible goal", "{n} possible goals", count)
            self.text = say("Choose one of the cards of two suits. The pot scores you the lower of its suits.")
