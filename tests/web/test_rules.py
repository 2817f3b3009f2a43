"""Has every rule that the engine names an entry, does every link lead somewhere, and are the figures the engine's?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import companion.engine
from companion.engine import GAMES
from companion.engine.core import RuleError
from companion.engine.text import say
from companion.games import book_of, find_rule
from companion.languages import languages
from companion.matches import entries
from companion.matches.log import EntryRejected
from companion.rulebook.book import MOST_TERMS, Book, BookTable, Piece, marked, pieces, plain, read, terms
from tests.five import FIVE
from tests.web.people import BelozPhone, says

ENGINE = Path(companion.engine.__file__).parent

RULINGS = {"beloz": ("B", 14), "beluga-cup": ("U", 11), "bisque": ("Q", 6), "rivals": ("V", 8), "what-the-fish": ("W", 7)}

# the headings of the rule texts that a message may cite
SECTIONS = {
    "beloz": (
        *("Set up", "The Pachyderms", "The Aquatic Animals", "The Playful Animals", "The Territory of BeloZ", "The Big Cats"),
        *("Object", "Playing Cards", "Deal & Bid", "Gameplay", "Setting the Target Plain", "Playing the right card"),
        *("Winning the Expedition", "Gameplay Example", "Provide", "Discard and Intercept", "Declarations", "Scoring"),
        *("Example", "BeloZ Round Sequence", "Tips"),
    ),
    "beluga-cup": ("Game play", "Eating a zone", "End of Game", "The Excuse, and The Courts"),
    "bisque": (*("Introduction", "Overview", "Setup", "Deal", "Goal Cards", "Rank", "Game Play", "Scoring", "Game"),),
    "rivals": (
        *("What you need", "Setup", "Playing the game", "Players turn", "Play a card", "Exploration", "Turtle"),
        *("End of the round", "Winning"),
    ),
    "what-the-fish": (
        *("Object of the Game", "Game Play", "Start of Play", "Fish", "Kill a Fish", "Protection", "Dead Fish", "Flint Fish"),
        *("WTF Cards", "No Fish", "Empty Draw Pile", "End of the Game"),
    ),
}
# where entries are found, for ever: links to them are in saved pages, in messages between players, in programs
ADDRESSES = {
    "beloz": "players cards deal bid contract expedition target-plain duty provide rise intercept over-intercept leak discard "
    "tips declarations highest shown beloz scoring example broken golden-round end b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 "
    "b14 flooded target leading-card run quads pachyderms ten-last",
    "beluga-cup": "zones cards first play example aces discard eat end points courts pawns longer seal u1 u2 u3 u4 u5 u6 u7 u8 "
    "u9 u10 u11 u12 u13 demand met full zone",
    "bisque": "cards goal tricks pot scoring example match q1 q2 q3 q4 q5 q6 goal-card soup-pot number-card",
    "rivals": "setup packs turn play explore turtle end-round end winning v1 v2 v3 v4 v5 v6 v7 v8 strength grey action",
    "what-the-fish": "deal cards fish kill protect example dead free nobody wtf flint-flush empty w1 w2 w3 w4 w5 w6 w7 swim "
    "layer to-beat",
}

DUTIES = ("launch", "provide", "rise", "intercept", "over-intercept", "leak", "discard")


def cited() -> Iterator[tuple[str, str]]:
    """Yield every rule that the engine's source names, with the game in whose module it stands."""
    for file in sorted(ENGINE.rglob("*.py")):
        module = file.relative_to(ENGINE).parts[0].removesuffix(".py")
        slug = module.replace("_", "-")
        if slug not in GAMES:
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                named = [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
                if isinstance(node.func, ast.Name) and node.func.id == "Line":
                    named += node.args[2:3]
                for value in named:
                    yield from ((slug, text) for text in texts(value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch("[BUQVW][0-9]+", node.value):
                yield slug, node.value  # wherever it stands: in a table of endings, in a choice


def texts(node: ast.AST | None) -> Iterator[str]:
    """Yield the texts that an expression can be: both branches of a choice."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from texts(body)
            yield from texts(orelse)
        case ast.Tuple(elements):
            for element in elements:
                yield from texts(element)


def books() -> Iterator[Book]:
    for slug in FIVE:
        book = book_of(slug)
        assert book is not None, f"{slug} has no rules to read"
        yield book


def test_the_engine_cites_rules_of_every_game() -> None:
    assert {slug for slug, _ in cited()} == set(FIVE)
    assert len(set(cited())) > 40


def test_every_rule_that_the_engine_cites_has_an_entry(app: Flask) -> None:
    with app.test_request_context():
        assert [rule for rule in sorted(set(cited())) if app.jinja_env.globals["rule_href"](*rule) is None] == []


@pytest.mark.parametrize("slug", FIVE)
def test_every_ruling_and_every_section_of_the_rule_text_has_an_entry(slug: str) -> None:
    letter, last = RULINGS[slug]
    for number in range(1, last + 1):
        entry = find_rule(slug, f"{letter}{number}")
        assert entry is not None
        assert entry.address == f"{letter}{number}".lower()
    for section in SECTIONS[slug]:
        assert find_rule(slug, section) is not None, section


@pytest.mark.parametrize("duty", DUTIES)
def test_every_duty_has_an_entry(duty: str) -> None:
    assert find_rule("beloz", duty) is not None


def test_a_rule_is_found_however_it_is_written_and_no_other() -> None:
    for rule in ("b10", "B10", " B10 "):
        entry = find_rule("beloz", rule)
        assert entry is not None
        assert entry.address == "b10"
    assert find_rule("beloz", "U10") is None
    assert find_rule("chess", "B10") is None


def test_a_rule_of_no_entry_has_no_address(app: Flask) -> None:
    with app.test_request_context():
        href = app.jinja_env.globals["rule_href"]
        assert href("beloz", "B10") == "/rules/beloz#b10"
        assert [href("beloz", rule) for rule in ("", None, "Chess")] == [None, None, None]


# The texts


@pytest.mark.parametrize("slug", FIVE)
def test_addresses_stay(slug: str) -> None:
    book = book_of(slug)
    assert book is not None
    addresses = [entry.address for entry in book.entries]
    assert len(set(addresses)) == len(addresses)
    assert set(ADDRESSES[slug].split()) <= set(addresses)


@pytest.mark.parametrize("slug", FIVE)
def test_every_link_of_a_text_leads_to_an_entry_of_it(slug: str) -> None:
    book = book_of(slug)
    assert book is not None
    addresses = {entry.address for entry in book.entries}
    linked = {piece.address for entry in book.entries for text in words(entry.blocks) for piece in pieces(text)} - {""}
    assert linked
    assert linked <= addresses


def words(blocks: tuple[str | BookTable, ...]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, str):
            yield block
        else:
            yield from (cell for row in block.rows for cell in row)


@pytest.mark.parametrize("slug", FIVE)
def test_every_entry_says_something_and_is_short(slug: str) -> None:
    book = book_of(slug)
    assert book is not None
    for entry in book.entries:
        assert entry.blocks, entry.address
        assert len(entry.text) < 650, entry.address
        assert not re.search(r"\[\[|\]\(|\*\*", entry.text), entry.address


@pytest.mark.parametrize("slug", FIVE)
def test_every_game_has_its_parts(slug: str) -> None:
    book = book_of(slug)
    assert book is not None
    titles = [section.title for section in book.sections]
    assert titles[0] == "Set-up"
    assert titles[-2:] == ["Rulings and why", "Words"]


# The figures


def table(slug: str, address: str) -> dict[str, tuple[str, ...]]:
    entry = find_rule(slug, address)
    assert entry is not None
    [found] = [block for block in entry.blocks if isinstance(block, BookTable)]
    return {plain(row[0]): row[1:] for row in found.rows}


def test_the_animals_of_beloz() -> None:
    animals = table("beloz", "cards")
    assert next(iter(animals)) == "lion"
    assert animals["lion"] == ("8", "11", "11", "6")
    assert animals["crocodile"] == ("4", "2", "20", "8")
    assert animals["water snake"] == ("3", "0", "15", "7")
    assert animals["meerkat"] == ("1", "0", "0", "1")


def test_the_declarations_of_beloz() -> None:
    assert table("beloz", "declarations") == {
        "Run of 3": ("20",),
        "Run of 4": ("50",),
        "Run of 5 or more": ("100",),
        "Quads of crocodiles": ("200",),
        "Quads of water snakes": ("150",),
        "Quads of lions, leopards, elephants, rhinoceros": ("100",),
        "Quads of meerkats, monkeys": ("none",),
    }


def test_what_a_round_of_beloz_scores() -> None:
    scoring = table("beloz", "scoring")
    assert scoring["The cards it collected"] == ("0 to 153",)
    assert scoring["The last expedition (Ten Last)"] == ("+10",)
    assert scoring["All eight expeditions (Golden Round)"] == ("+90",)
    assert scoring["BeloZ and Re-BeloZ"] == ("+20",)


def test_the_cards_of_the_decktet() -> None:
    for slug in ("beluga-cup", "bisque"):
        cards = table(slug, "cards")
        assert list(cards) == ["Ace", "2", "3", "4", "5", "6", "7", "8", "9", "Crown"]
        assert plain(cards["4"][0]) == "the Mountain moons suns · the Sailor waves leaves · the Battle wyrms knots"


def test_the_figures_of_the_other_games() -> None:
    assert table("beluga-cup", "eat") == {
        "Ace": ("1",),
        "2 to 9": ("its number",),
        "Crown": ("10",),
        "Court or Pawn": ("4 for each fish of its suits",),
    }
    assert table("bisque", "scoring")["Ace"] == ("5",)
    assert table("bisque", "scoring")["Crown"] == ("10",)
    assert table("rivals", "setup")["Turtles of a player"] == ("3",)
    assert table("rivals", "setup")["Whales of a colour (red, blue, grey)"] == ("18 each",)
    assert len(table("what-the-fish", "wtf")) == 8


@pytest.mark.parametrize(
    ("slug", "address", "sentence"),
    [
        ("beloz", "end", "The first team to have 1000"),
        ("beloz", "cards", "worth 153 points"),
        ("beluga-cup", "zones", "Put 42 fish, 7 of each suit, into a bag"),
        ("bisque", "match", "Play 6 hands"),
        ("rivals", "v1", "1, 2, 3, 4, 5, 6 or 10"),
        ("what-the-fish", "deal", "93 cards"),
    ],
)
def test_figures_within_sentences(slug: str, address: str, sentence: str) -> None:
    entry = find_rule(slug, address)
    assert entry is not None
    assert sentence in entry.text


# The files


def test_a_text_is_taken_apart() -> None:
    book = read(
        "tally",
        "# Tally\n\nCount.\n\n## Play\n\n### Points {points: Scoring; T1}\nAs many as [[most]].\n\n[[worth]]\n",
        {"most": "21", "worth": BookTable("Worth", ("Card",), (("Ace",),))},
    )
    [section] = book.sections
    [entry] = section.entries
    assert (book.title, book.lead, section.title, section.address) == ("Tally", "Count.", "Play", "section-play")
    assert (entry.address, entry.title, entry.rules, entry.code) == ("points", "Points", ("Scoring", "T1"), "T1")
    assert entry.text == "As many as 21."
    assert book.find("scoring") is entry


@pytest.mark.parametrize("line", ["### No address", "text before any entry", "#### Too deep {deep}"])
def test_a_text_that_is_no_book_is_refused_with_its_line(line: str) -> None:
    with pytest.raises(ValueError, match="tally, line 4: an entry begins with"):
        read("tally", f"# Tally\nCount.\n## Play\n{line}\n", {})


def test_an_unknown_figure_is_refused_with_its_line() -> None:
    with pytest.raises(ValueError, match="tally, line 5: there is no figure 'most'"):
        read("tally", "# Tally\nCount.\n## Play\n### Points {points}\nAs many as [[most]].\n", {})


def test_markup_is_taken_apart() -> None:
    assert pieces("An **Ace** of :moons: [counts](#points).") == (
        Piece("An "),
        Piece("Ace", "strong"),
        Piece(" of "),
        Piece("moons", "sign", sign="moons"),
        Piece(" "),
        Piece("counts", "link", "points"),
        Piece("."),
    )
    assert plain("An **Ace** of :water-snake: [counts](#points).") == "An Ace of water snake counts."


# The pages


def shown(page: str) -> list[str]:
    """Return the entries of a page that are not hidden."""
    return re.findall(r'<article class="rules-entry" id="([^"]+)">', page)


@pytest.mark.parametrize("slug", FIVE)
def test_a_page_has_every_entry_and_every_link_leads_somewhere(client: FlaskClient, slug: str) -> None:
    page = client.get(f"/rules/{slug}").text
    assert shown(page) == ADDRESSES[slug].split()
    anchors = set(re.findall(r'href="#([^"]+)"', page))
    assert anchors <= set(re.findall(r'id="([^"]+)"', page))


def test_the_first_page_leads_to_every_game(client: FlaskClient) -> None:
    page = client.get("/rules").text
    for slug in FIVE:
        assert f'href="/rules/{slug}"' in page


def test_a_search_hides_what_has_not_all_of_the_words(client: FlaskClient) -> None:
    page = client.get("/rules/beloz?q=Golden+ROUND").text
    assert shown(page) == ["scoring", "golden-round", "b4", "b9", "b10"]
    assert "Entries with “Golden ROUND”: 5." in page
    assert "Entries with “163 share”: 1." in client.get("/rules/beloz?q=163+share").text
    assert shown(client.get("/rules/beloz?q=narwhal").text) == []
    assert shown(client.get("/rules/beloz?q=++").text) == ADDRESSES["beloz"].split()


def found(slug: str, query: str) -> set[str]:
    book = book_of(slug)
    assert book is not None
    return {entry.address for entry in book.about(query)}


def test_a_word_is_found_by_its_beginning_and_never_inside_another() -> None:
    everything = found("bisque", "")
    aces = found("bisque", "ace")
    assert aces
    assert aces != everything
    assert aces == found("bisque", "ACE") == found("bisque", "“Ace”")
    for address in everything - aces:
        assert not re.search(r"\baces?\b", page_words("bisque", address))
    assert found("bisque", "ace gree") < aces
    assert found("bisque", "eft") == set(), "left is no such word"


def page_words(slug: str, address: str) -> str:
    entry = find_rule(slug, address)
    assert entry is not None
    return entry.words


def test_a_word_that_the_text_says_in_another_way_is_found_too(client: FlaskClient) -> None:
    ties = found("bisque", "tie")
    assert ties == found("bisque", "ties")
    assert {"q4", "q5"} <= ties
    assert found("beloz", "trump") == found("beloz", "flooded")
    assert "ti" not in page_words("bisque", "q5").split()
    assert "q5" not in found("bisque", "ti"), "two letters don’t say what is meant"
    page = client.get("/rules/bisque?q=tie").text
    assert 'id="q5" hidden' not in page
    assert "Of <mark>equal</mark> ranks the one played first wins." in page


@pytest.mark.parametrize(
    ("language", "slug", "query", "entries"),
    [
        ("en", "what-the-fish", "tie", {"w1"}),
        ("en", "what-the-fish", "swap hands", {"wtf"}),
        ("en", "what-the-fish", "deck empty", {"empty"}),
        ("en", "what-the-fish", "what if the deck is empty", set()),
        ("en", "beluga-cup", "empty deck", {"discard", "u13"}),
        ("en", "beluga-cup", "joker", {"courts", "pawns", "u9", "u10", "u12"}),
        ("en", "beluga-cup", "bag empty", {"end", "u5"}),
        ("en", "beloz", "follow suit", {"duty", "provide"}),
        ("en", "beloz", "overtrump", {"duty", "over-intercept", "leak"}),
        ("en", "bisque", "follow suit", {"tricks"}),
        ("en", "bisque", "redeal", {"q6"}),
        ("en", "rivals", "how many players", {"setup"}),
        ("fr", "what-the-fish", "échanger les mains", {"wtf"}),
        ("fr", "what-the-fish", "pioche vide", {"empty"}),
        ("fr", "beloz", "suivre la couleur", {"duty", "provide", "tips"}),
        ("fr", "beloz", "pisser", {"duty", "leak"}),
        ("fr", "bisque", "joker", {"cards"}),
        ("de", "what-the-fish", "Hände tauschen", {"wtf"}),
        ("de", "what-the-fish", "Stapel leer", {"empty"}),
        ("de", "what-the-fish", "unentschieden", {"w1"}),
        ("de", "beloz", "Farbe bedienen", {"duty", "provide"}),
        ("de", "beluga-cup", "Joker", {"courts", "pawns", "u9", "u10", "u12"}),
        ("de", "rivals", "wie viele Spieler", {"setup"}),
    ],
)
def test_what_players_say_finds_the_rule_and_no_other(language: str, slug: str, query: str, entries: set[str]) -> None:
    book = book_of(slug, languages()[language])
    assert book is not None
    assert {entry.address for entry in book.about(query)} == entries


def test_a_phrase_is_marked_where_it_stands_together(client: FlaskClient) -> None:
    page = client.get("/rules/what-the-fish?q=swap+hands").text
    assert "<mark>Trade</mark> <mark>your</mark> <mark>whole</mark> <mark>hand</mark> for somebody" in page
    page = client.get("/rules/beluga-cup?q=empty+deck").text
    assert "If the <mark>draw</mark> <mark>pile</mark> <mark>is</mark> <mark>empty</mark>, shuffle" in page
    assert "Then <mark>draw</mark>" not in page


def test_a_long_query_is_searched_by_its_first_words() -> None:
    assert found("bisque", "pot " * 40 + "narwhal") == found("bisque", "pot narwhal") == set()
    assert len(terms("a b c d e f g h i j")) == MOST_TERMS


def test_what_was_found_is_marked_and_stays_only_text() -> None:
    assert marked("An Ace, aces & <face>", terms("ace")) == "An <mark>Ace</mark>, <mark>aces</mark> &amp; &lt;face&gt;"
    assert marked("An Ace", terms("")) == "An Ace"


def test_a_search_through_all_games_leads_to_the_entries(client: FlaskClient) -> None:
    page = client.get("/rules?q=Beaver+Buddha").text
    assert 'href="/rules/what-the-fish#w3"' in page
    assert "/rules/beloz#" not in page
    assert "No entries with “narwhal”." in client.get("/rules?q=narwhal").text


def test_a_link_out_of_what_was_found_leads_to_the_whole_page(client: FlaskClient) -> None:
    assert 'href="/rules/beloz#b7"' in client.get("/rules/beloz?q=nobody").text


def test_what_was_searched_for_is_only_text(client: FlaskClient) -> None:
    for path in ("/rules", "/rules/beloz"):
        page = client.get(path, query_string={"q": '"><script>alert(1)</script>' + "x" * 200}).text
        assert "<script>alert" not in page
        assert "x" * 101 not in page


def test_a_game_without_rules_is_not_there(client: FlaskClient) -> None:
    assert client.get("/rules/chess").status_code == 404
    assert client.get("/rules/..%2Fbeloz").status_code == 404


# From a match to the rules


@pytest.fixture
def match(open_match: Any) -> int:
    """Begin a match of BeloZ for Ana, Bo, Cy and Di; return its number."""
    number: int = open_match("beloz", ["Ana", "Bo", "Cy", "Di"])
    return number


@pytest.fixture
def at_match() -> type[BelozPhone]:
    return BelozPhone


def test_a_refusal_leads_to_its_rule(phone: BelozPhone) -> None:
    phone.take()
    refused = phone.count(1)
    assert refused.status_code == 422
    assert says(refused, "1 is not possible: no card is worth exactly 1. Near it: 0 or 2.")
    assert '<a class="link rule" href="/rules/beloz#b14"' in refused.text


def test_an_earlier_entry_that_becomes_impossible_leads_to_its_rule() -> None:
    refused = EntryRejected(RuleError(say("No card is worth 1."), rule="B14"), of=3, place=2)
    assert refused.sentence == "Entry 2 would no longer be possible. No card is worth 1."
    assert refused.sentence.rule == "B14"


def test_a_sum_leads_to_the_rule_of_each_line(phone: BelozPhone) -> None:
    page = phone.play_round(98).text
    for address in ("scoring", "b4"):
        assert f'href="/rules/beloz#{address}"' in page
    links = re.findall(r'<a class="link rule"[^>]* aria-label="([^"]*)">(.*?)</a>', page)
    assert {shown for _, shown in links} == {"Rule"}, "no code of ours (B4, U6) is on the screen"
    assert "Rule: Two names swapped" in {unescape(heard) for heard, _ in links}


def test_a_broken_contract_leads_to_what_is_handed_over(phone: BelozPhone) -> None:
    page = phone.play_round(20).text
    foot = re.findall(r'<div class="row-footer">.*?</div>', page, re.DOTALL)[0]
    assert 'href="/rules/beloz#b11"' in foot


@pytest.mark.parametrize("slug", FIVE)
def test_home_and_every_menu_lead_to_the_rules(client: FlaskClient, app: Flask, table: Any, slug: str) -> None:
    assert 'href="/rules"' in client.get("/").text
    fewest = GAMES[slug].seats[0]
    with app.app_context():
        entries.open_match(table.id, slug, ["Ana", "Bo", "Cy", "Di"][:fewest], {})
    assert f'href="/rules/{slug}"' in client.get(f"/t/{table.play}/m/1").text


def test_words_without_a_rule_get_no_link(app: Flask) -> None:
    with app.test_request_context():
        link = app.jinja_env.globals["rule_link"]
        assert link("beloz", "No card is worth 1.") == ""
        assert link("beloz", None) == ""
        assert link("beloz", RuleError(say("No.")).message) == ""
        refused = link("beloz", RuleError(say("No."), rule="B14").message)
        assert refused.startswith(' <a class="link rule" href="/rules/beloz#b14" aria-label="Rule: ')
        assert re.search(r'href="/rules/beloz#leak" aria-label="Rule: Leak[^"]*">Rule</a>$', link("beloz", None, "leak"))
