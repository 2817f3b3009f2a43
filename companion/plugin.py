"""What may a game's package use of Companion? What is listed here; nothing else is promised.

A package imports from this module, and its tests from :mod:`companion.testing`. Everything else may change with any version.
"""

from __future__ import annotations

from wtforms import StringField

from companion.almanac.facts import Reader, Round, scored_rounds
from companion.engine.core import (
    JSON,
    Answer,
    Drawn,
    Draws,
    Event,
    Game,
    Line,
    Lines,
    Options,
    PersistentList,
    Position,
    Question,
    ReplayError,
    RuleError,
    Settled,
    Standing,
    Stop,
    replay,
    start,
)
from companion.engine.exercises import Ending, Exercise, Group, Lesson, Option, Result
from companion.engine.fair_draw import DrawError
from companion.engine.text import Name, Part, Sentence, capital, listing, say, say_n, term, written
from companion.matches.log import InForce, Log
from companion.rulebook.book import BookTable, Figures
from companion.screens.drafts import DraftCodec
from companion.screens.interface import (
    THE_END,
    UNKNOWN_KEY,
    Board,
    DraftBody,
    Fact,
    Faster,
    Finale,
    FormData,
    Moment,
    Outcome,
    PageContext,
    PageView,
    PreviewDraw,
    Reading,
    Rerender,
    ScreenPage,
    Screens,
    Stage,
    Submit,
    UpdateDraft,
    Value,
    View,
    as_sentence,
    by_name,
    finale,
    named,
    own_row,
    score_line,
    scores_of,
    with_capital,
)
from companion.screens.look_up import Area, Calculator, LookUp, LookUpView, MatchState, PageCalculator, Refusal, Way
from companion.screens.options import ChoiceField, OptionsForm
from companion.screens.plugin import GamePlugin
from companion.screens.practice import Practice
from companion.screens.shelf import Question as ShelfQuestion
from companion.screens.shelf import Shelf, ShelfItem
from companion.screens.theme import Pair, Theme

__all__ = ["GamePlugin", "Pair", "Theme"]
"""A game as Companion takes it in: the object that the entry point leads to, and how the game looks."""

__all__ += ["JSON", "Answer", "Event", "Game", "Line", "Lines", "Options", "Question", "RuleError", "Standing"]
"""The rules: what is agreed on, what happens, what is asked, how the match stands, and the refusal."""

__all__ += ["PersistentList", "Position", "ReplayError", "Stop", "replay", "start"]
"""A match of the rules alone, without a table: begun, and played through; and a list for states that grow."""

__all__ += ["DrawError", "Drawn", "Draws", "Settled"]
"""Fish, dice or cards that the app draws out of a sealed bag, where a game has some."""

__all__ += ["Name", "Part", "Sentence", "as_sentence", "capital", "listing", "named", "say", "say_n", "term"]
__all__ += ["with_capital", "written"]
"""Sentences for people, which keep their parts, so that they can be said in another language."""

__all__ += ["Board", "FormData", "InForce", "Log", "PageContext", "PageView", "ScreenPage", "Screens", "Stage", "own_row"]
"""The screens of a match: a page that asks, what it is given, and what its template shows."""

__all__ += ["Faster", "Outcome", "PreviewDraw", "Rerender", "Submit", "UpdateDraft"]
"""What a page says is to be done with what was typed."""

__all__ += ["THE_END", "UNKNOWN_KEY", "DraftBody", "DraftCodec", "Fact", "Reading", "Value", "View"]
"""An entry that all phones share until it is complete, two entries compared, and screens without a form."""

__all__ += ["Finale", "Moment", "by_name", "finale", "score_line", "scores_of"]
"""How a match stands, and how it came out."""

__all__ += ["Area", "Calculator", "LookUp", "LookUpView", "MatchState", "PageCalculator", "Refusal", "Way"]
"""Look-ups ("May I?") and calculators, which keep nothing."""

__all__ += ["Shelf", "ShelfItem", "ShelfQuestion"]
"""The shelf of a game that is many games: what there is to choose from, and what each asks before a match."""

__all__ += ["BookTable", "ChoiceField", "Figures", "OptionsForm", "StringField"]
"""What players agree on before a match, and the numbers in the rulebook."""

__all__ += ["Ending", "Exercise", "Group", "Lesson", "Option", "Practice", "Result"]
"""Exercises: a position with choices, the right ones, the rule behind them, and what each leads to."""

__all__ += ["Reader", "Round", "scored_rounds"]
"""What a table's almanac reads of a match that is over: its rounds, and what the game counts."""
