"""Which screens has What the Fish!? Its keys, its board, and the sentences for its entries."""

from __future__ import annotations

from companion.almanac.games import WHAT_THE_FISH
from companion.engine.what_the_fish import GAME
from companion.rulebook import TEXTS
from companion.rulebook.cards import what_the_fish_cards
from companion.rulebook.figures import what_the_fish_figures
from companion.screens.interface import Screens, View
from companion.screens.plugin import GamePlugin
from companion.screens.practice import practice
from companion.screens.what_the_fish.board import board, history, row, stage
from companion.screens.what_the_fish.calculate import DuelCalculator
from companion.screens.what_the_fish.entry import EntryPage
from companion.screens.what_the_fish.finale import how_it_ended
from companion.screens.what_the_fish.look_up import WhatTheFishLookUp
from companion.screens.what_the_fish.play import PlayPage
from companion.screens.what_the_fish.theme import THEME
from companion.screens.what_the_fish.words import called, describe_entry, ending, summary, valued
from companion.screens.what_the_fish.wtf import FlushPage, WtfPage

SCREENS = Screens(
    slug="what-the-fish",
    pages={"play": PlayPage, "wtf": WtfPage, "flush": FlushPage},
    correction_page=EntryPage,
    board=board,
    describe_entry=describe_entry,
    called=called,
    valued=valued,
    row=row,
    sample_players=DuelCalculator.players,
    unit="card",
    main="play",
    views={"swims": View("games/what-the-fish/swims.html", history)},
    first="deals",
    turn="left",  # the dealer's place goes round clockwise
    summary=summary,
    totals=summary,
    ending=ending,
    stage=stage,
    came_out=how_it_ended,
)

PLUGIN = GamePlugin(
    game=GAME,
    screens=SCREENS,
    look_up=WhatTheFishLookUp,
    calculators={"duel": DuelCalculator},
    practice=practice("what-the-fish"),
    rules=TEXTS / "what-the-fish.md",
    figures=what_the_fish_figures,
    cards=what_the_fish_cards,
    almanac=WHAT_THE_FISH,
    theme=THEME,
)
