"""BeloZ: may I play this, what must I play, and what does my hand declare?

Players are numbered from whoever asks: 0, then the player at the right, the partner, the player at the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from werkzeug.datastructures import MultiDict

from companion.engine.beloz.cards import ANIMALS, CARDS, HAND, INDEX, PLAIN_INDEX, PLAINS, Plain, members
from companion.engine.beloz.declarations import Declaration, Quads, StraightFlush, declared_cards, declared_points, describe
from companion.engine.beloz.hand import HandDeclarations, HandDeclarationsAnswer, HandQuads, HandStraightFlush
from companion.engine.beloz.play import LegalPlay, LegalPlayAnswer, leading
from companion.engine.beloz.scoring import BELOZ
from companion.engine.beloz.seats import team_of, turn_from
from companion.engine.text import Name, Sentence, listing, say, say_n, term
from companion.screens import terms
from companion.screens.beloz import draft as drafts
from companion.screens.interface import as_sentence
from companion.screens.look_up import LONGEST, Area, FormData, LookUp, LookUpView, MatchState, Way

PLAYERS = 4
NAMED = 3  # cards that the answer names one by one; of more it says the plain
SEATS: tuple[str, ...] = (  # around whoever asks, where there are no names
    term("You", "seat"),
    term("Right", "seat"),
    term("Partner", "seat"),
    term("Left", "seat"),
)
SUBJECTS = ("play", "declarations")
VIEWS = ("table", "hand", "shown")  # where tapped cards go, or the hand as it lies
TO_TABLE, TO_HAND, TO_SHOWN = (
    Way(say("The table"), "go:to:table"),
    Way(say("My hand"), "go:to:hand"),
    Way(say("Show my hand"), "go:to:shown"),
)
TO_PLAY = Way(say("May I play?"), "go:subject:play")
TO_DECLARATIONS = Way(say("What can I declare?"), "go:subject:declarations")
RULE = Way(say("Show the rule"))


@dataclass(frozen=True, slots=True)
class OnTable:
    """A card of the expedition: who played it, and whether it leads."""

    card: str
    name: str
    leads: bool


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration of the hand: its plain (None for quads), its name, its animals and its points."""

    plain: str | None
    name: str
    animals: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BelozLookUpView(LookUpView):
    """The expedition by seat from the asker's right, or what the hand declares.

    ``players`` and ``sides`` go round from whoever asks (``asker``), ``seat`` is their place in the match. ``mode`` is what the
    lower half shows, ``taker`` who took the contract, if the match knows it.
    """

    mode: str
    seat: int
    asker: str
    taker: str
    players: tuple[str, ...]
    sides: tuple[int, ...]
    flooded: Plain | None
    table: tuple[OnTable | None, ...]
    declared: tuple[Declared, ...]
    beloz: bool
    plains: ClassVar[tuple[str, ...]] = PLAINS
    deck: ClassVar[tuple[tuple[str, tuple[str, ...]], ...]] = tuple(
        (plain, tuple(f"{plain}-{animal}" for animal in reversed(ANIMALS))) for plain in PLAINS
    )
    beloz_points: ClassVar[int] = BELOZ


class BelozLookUp(LookUp):
    """The legal cards of a hand, or what it declares."""

    slug: ClassVar[str] = "beloz"
    areas: ClassVar[tuple[Area, ...]] = (Area("table", PLAYERS - 1, "hand"), Area("hand", HAND, "shown"))
    goes: ClassVar[frozenset[str]] = frozenset({"to", "subject"})
    one_screen: ClassVar[bool] = True

    @classmethod
    def prefill(cls, match: MatchState) -> FormData:
        """Return the players around the viewer, and the flooded plain with whoever took it, if the phones have it."""
        draft = drafts.read(match.draft)
        data: FormData = MultiDict()
        first = match.viewer or 0
        players = match.position.players
        if match.viewer is not None:
            data.setlist("who", [players[player] for player in turn_from(first)])
            data["seat"] = str((first - match.first_side) % PLAYERS)
        if draft.flooded is not None:
            data["flooded"] = draft.flooded
            if draft.bidder is not None:
                data["taker"] = players[draft.bidder]
        return data

    def exists(self, card: str) -> bool:
        """Return True if there is such a card."""
        return card in INDEX

    @cached_property
    def subject(self) -> str:
        """Return what is looked up: legal plays or declarations."""
        return self.chosen("subject", SUBJECTS, "play")

    @property
    def mode(self) -> str:
        """Return what the lower half shows: cards to tap for the table or for the hand, or the hand."""
        view = self.chosen("to", VIEWS, "table")
        return "hand" if view == "table" and self.subject == "declarations" else view

    @property
    def to(self) -> str:
        """Return where a tapped card goes: onto the table, or into the hand when the player asks for its declarations."""
        return "table" if self.mode == "table" else "hand"

    @cached_property
    def flooded(self) -> Plain | None:
        """Return the flooded plain, if it is known."""
        flooded = self.form_data.get("flooded")
        return next((plain for plain in PLAINS if plain == flooded), None)

    @property
    def situation(self) -> str:
        """Return what the match knows of the round."""
        if not self.taker or self.flooded is None:
            return ""
        return say("{player} took it, {plain} is flooded", player=Name(self.taker), plain=terms.PLAINS[self.flooded])

    @property
    def taker(self) -> str:
        """Return who took the contract, if the match knows it."""
        return self.form_data.get("taker", "")[:LONGEST]

    @cached_property
    def seat(self) -> int:
        """Return the asking player's place in turn order from the side that is shown first, for the sides' shapes."""
        return int(self.chosen("seat", [str(seat) for seat in range(PLAYERS)], "0"))

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Return everybody, from whoever asks in turn order."""
        return self.names(PLAYERS, SEATS)

    @property
    def asker(self) -> str:
        """Return who plays now."""
        return say("{name}, you", name=Name(self.players[0])) if self.in_match else SEATS[0]

    def by(self, place: int) -> int:
        """Return who played the card at this place of the expedition: the last before whoever asks played the newest."""
        return (place - len(self.picked("table"))) % PLAYERS

    @cached_property
    def table(self) -> tuple[OnTable | None, ...]:
        """Return the expedition as it lies, by seat from the asker's right: None where no card lies."""
        cards = self.picked("table")
        seats: dict[int, OnTable] = {}
        numbers = [INDEX[card] for card in cards if card in INDEX]
        leads = -1
        if cards and len(numbers) == len(cards) and self.flooded is not None:
            leads = leading(PLAIN_INDEX[self.flooded], numbers)
        for place, card in enumerate(cards):
            by = self.by(place)
            seats[by] = OnTable(card, self.players[by], place == leads)
        return tuple(seats.get(seat) for seat in range(1, PLAYERS))

    def where(self, field: str) -> str:
        """Return the page's card: the engine's expedition is the page's table."""
        name, _, place = field.partition(".")
        return super().where(f"table.{place.partition('.')[0]}".rstrip(".")) if name == "expedition" else super().where(field)

    declarations: Sequence[Declaration] = ()
    beloz: bool = False

    def view(self) -> BelozLookUpView:
        """Return the table and the hand, with what the engine says of them."""
        return BelozLookUpView(
            **self.common(),
            mode=self.mode,
            seat=self.seat,
            asker=self.asker,
            taker=self.taker,
            players=self.players,
            sides=tuple(team_of(player) for player in turn_from(self.seat)),
            flooded=self.flooded,
            table=self.table,
            declared=tuple(self._declared(declaration) for declaration in self.declarations),
            beloz=self.beloz,
        )

    def look_up(self) -> None:
        """Look up the legal plays, or the declarations worth most."""
        if self.subject == "declarations":
            self._declarations()
        else:
            self._play()

    def _play(self) -> None:
        hand, table = self.picked("hand"), self.picked("table")
        question = {
            "game": self.slug,
            # an impossible table is refused before the player taps a plain: any plain will do for that
            "flooded": self.flooded or PLAINS[0],
            "expedition": [{"player": self.by(place), "card": card} for place, card in enumerate(table)],
            "player": 0,
            "hand": hand or self._any_other(),
        }
        answer: LegalPlayAnswer | None = self.ask(LegalPlay, question)
        if answer is None:
            return
        if self.flooded is None:
            self.wait(say("Which plain is flooded?"), say("Tap it at the top."))
        elif hand:
            self._answered(answer)
        elif self.mode == "table":
            self._ask_for_the_table(len(table))
        else:
            text = say("Tap all of them, or only the one that you would like to play.")
            self.wait(say("Now the cards in your hand"), text, TO_TABLE, TO_DECLARATIONS)

    def _ask_for_the_table(self, count: int) -> None:
        if not count:
            self.wait(
                say("Tap the card that was played first"),
                say("Then the others, in the order of play."),
                Way(say("I play first"), TO_HAND.tap),
            )
        elif count < PLAYERS - 1:
            self.wait(say("Tap the next card on the table"), say("If it is your turn, go on to your hand."), TO_HAND)
        else:
            self.wait(say("Three cards are on the table"), say("A second tap takes one back."), TO_HAND)

    def _answered(self, answer: LegalPlayAnswer) -> None:
        hand = self.picked("hand")
        self.legal = tuple(answer.legal)
        self.illegal = tuple([card for card in hand if card not in answer.legal])
        self.title = self._named([card for card in hand if card in answer.legal])
        self.rule = answer.duty
        self.text = self._with_names(answer.why)
        if len(hand) == 1:
            self.text = listing([as_sentence(self.text), say("If you hold more cards, tap them too.")], "text")
        if self.mode == "shown":
            self.ways = (RULE, TO_DECLARATIONS)
        else:
            self.ways = (TO_HAND if self.mode == "table" else TO_TABLE, TO_SHOWN)

    def _named(self, legal: Sequence[str]) -> str:
        """Return the legal cards as somebody would say them: "Play the 4 or the 6 of South".

        A duty that bars any card leaves those of one plain.
        """
        if len(legal) > 1 and not self.illegal:
            return say("Play any card")
        plain = INDEX[legal[0]] >> 3
        title = terms.PLAINS[PLAINS[plain]]
        if len(legal) > NAMED and not any(INDEX[card] >> 3 == plain for card in self.illegal):
            return say("Play any {plain} card", plain=title)
        # NOTE: a card by its number: "the 4", in "Play the 4 or the 6 of South"
        cards = [say("the {number}", number=(INDEX[card] & 7) + 1) for card in legal]
        return say("Play {cards} of {plain}", cards=listing(cards, "or"), plain=title)

    def _with_names(self, sentence: str) -> str:
        """Return the engine's reason; in a match it says who leads by name."""
        leader = next((card.name for card in self.table if card is not None and card.leads), "") if self.in_match else ""
        if not leader:
            return sentence
        named = sentence.replace("the other team leads", f"{leader} leads").replace("your teammate leads", f"{leader} leads")
        given = as_sentence(sentence)  # other languages say which team it is
        return Sentence(named.replace("the other team’s", f"{leader}’s"), given.template, given.parts, rule=given.rule)

    def _any_other(self) -> tuple[str, ...]:
        """Return any card that is not on the table, so that the table can be asked about before there is a hand."""
        return next(((card,) for card in CARDS if card not in self.picked("table")), ())

    def _declarations(self) -> None:
        hand = self.picked("hand")
        question = {"game": self.slug, "ask": "declarations", "flooded": self.flooded or PLAINS[0], "hand": list(hand)}
        if not hand:
            self.wait(say("Tap the cards of your hand"), say("You’ll see what you can declare."), TO_PLAY)
            return
        answer: HandDeclarationsAnswer | None = self.ask(HandDeclarations, question)
        if answer is None:
            return
        if self.flooded is None:
            text = say("It breaks ties and gives BeloZ and Re-BeloZ.")
            self.wait(say("Which plain is flooded?"), text, TO_PLAY)
            return
        self.declarations = [self._announced(declaration) for declaration in answer.declarations]
        self.beloz = answer.beloz
        declared = {card for declaration in self.declarations for card in members(declared_cards(declaration))}
        self.legal = tuple([card for card in hand if INDEX[card] in declared])
        self.rule = "Declarations"
        self.title = (
            say_n("{n} point to declare", "{n} points to declare", answer.points)
            if answer.declarations
            else say("Nothing to declare")
        )
        self.text = listing([self._what(), self._beloz()], "text")
        self.ways = (RULE if self.mode == "shown" else TO_SHOWN, TO_PLAY)

    def _what(self) -> Sentence:
        if not self.declarations:
            return say("No run of three cards of a plain, and no quads.")
        return say(
            "{declarations:C}.", declarations=listing([self._called(declaration) for declaration in self.declarations], "comma")
        )

    def _beloz(self) -> Sentence:
        if self.beloz:
            return say("You hold BeloZ and Re-BeloZ: {points} more, said when you play its two cards.", points=BELOZ)
        return say("You don’t hold BeloZ and Re-BeloZ.")

    @staticmethod
    def _announced(declaration: HandQuads | HandStraightFlush) -> Declaration:
        """Return what can be declared as whoever asks would announce it."""
        if isinstance(declaration, HandQuads):
            return Quads(0, declaration.animal)
        return StraightFlush(0, declaration.plain, declaration.lowest, declaration.highest)

    @staticmethod
    def _called(declaration: Declaration) -> Sentence:
        """Return a declaration as it is said: "run of four from North"."""
        words = as_sentence(describe(declaration))
        return (
            words
            if isinstance(declaration, Quads)
            else say("{run} from {plain}", run=words, plain=terms.PLAINS[declaration.plain])
        )

    def _declared(self, declaration: Declaration) -> Declared:
        if isinstance(declaration, Quads):
            return Declared(None, self._called(declaration), (declaration.animal,), declared_points(declaration))
        animals = tuple(CARDS[card].partition("-")[2] for card in reversed(members(declared_cards(declaration))))
        return Declared(declaration.plain, self._called(declaration), animals, declared_points(declaration))
