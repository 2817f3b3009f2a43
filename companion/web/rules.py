"""Where are the rules of every game read and searched, and which entry is behind an answer of the engine?"""

from __future__ import annotations

from flask import Blueprint, abort, g, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion import games
from companion.engine.text import Name, Sentence, say, term
from companion.rulebook.book import marked, pieces
from companion.web.language import chosen, words

bp = Blueprint("rules", __name__)

LONGEST_QUERY = 100  # characters


@bp.app_template_global()
def rules_href(slug: str) -> str | None:
    """Return the address of a game's rulebook, or None if it has none."""
    return None if games.book_of(slug) is None else url_for("rules.show_book", slug=slug)


@bp.app_template_global()
def rule_href(slug: str, rule: str | None) -> str | None:
    """Return the address of the entry that explains a rule as the engine names it: a section, a ruling, a duty.

    None without one.
    """
    entry = games.find_rule(slug, rule) if rule else None
    return None if entry is None else url_for("rules.show_book", slug=slug, _anchor=entry.address)


@bp.app_template_global()
def rule_link(slug: str, sentence: str | None, rule: str = "") -> Markup | str:
    """Return the link behind a refusal, or to the ``rule`` behind other words; nothing without a rule.

    The link shows the word "Rule". A screen reader says the title of the rule's entry.
    """
    named = sentence.rule if isinstance(sentence, Sentence) else rule
    if not named:
        return ""
    written: dict[tuple[str, str, str], Markup | str] = g.setdefault("rule_links", {})  # the history has one in each row
    key = chosen().code, slug, named
    if key not in written:
        written[key] = _write_link(slug, named)
    return written[key]


def _write_link(slug: str, named: str) -> Markup | str:
    entry = games.find_rule(slug, named, chosen())
    if entry is None:
        return ""
    heard, visible = words(say("Rule: {title}", title=Name(entry.title))), words(term("Rule", "link"))
    return Markup(' <a class="link rule" href="{}" aria-label="{}">{}</a>').format(rule_href(slug, named), heard, visible)


bp.add_app_template_filter(pieces, "pieces")
bp.add_app_template_filter(marked, "marked")


@bp.get("/rules")
def index() -> ResponseReturnValue:
    """Show which rules there are, and a search through all of them."""
    query = request.args.get("q", "").strip()[:LONGEST_QUERY]
    books = games.books(chosen())
    hits = [(book, book.about(query)) for book in books] if query else []
    return render_template("rules/index.html", books=books, query=query, found=[hit for hit in hits if hit[1]])


@bp.get("/rules/<slug>")
def show_book(slug: str) -> ResponseReturnValue:
    """Show the rules of a game, or those of its entries in which the words searched for occur."""
    book = games.book_of(slug, chosen())
    if book is None:
        abort(404, say("There are no rules of a game called “{slug}”.", slug=Name(slug[:40])))
    query = request.args.get("q", "").strip()[:LONGEST_QUERY]
    return render_template(
        "rules/show.html", book=book, game=slug, query=query, found=book.about(query), alike=";".join(map(",".join, book.alike))
    )
