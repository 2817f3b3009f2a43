"""How do the catalogues of all languages get every sentence to translate? By ``make catalogues``.

English, the source, has a catalogue for each area in ``companion/languages/en``. Those of other languages get the same
sentences, keep their translations, and mark those that nobody says any more as obsolete. A new language begins as an empty
folder.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import generate_po, read_po
from jinja2.ext import babel_extract

from companion.engine.sheet import presets
from companion.engine.sheet.scoring import WORDS
from tests.examples import example, place

CHECKOUT = Path(__file__).resolve().parent.parent
LANGUAGES = CHECKOUT / "companion" / "languages"
SOURCE = LANGUAGES / "en"

# Each sentence belongs to the first area that says it.
AREAS = {
    "engine": ["companion/engine/**/*.py"],
    "games": ["companion/screens/**/*.py", "templates/games/**/*.html"],
    "sheets": ["companion/engine/sheet/presets/*.json"],
    "pages": ["companion/**/*.py", "templates/**/*.html"],
}
NOT_FOR_PLAYERS = {  # pages for those who write programs, and the pieces that pages are built from
    "templates/api/page.html",
    "templates/components_page.html",
}
PART = re.compile(r"\{[^}]*\}|%\(\w+\)[sd]|<[^>]*>")
COMMENT = "NOTE:"
OPTIONS = {
    "newstyle_gettext": "true",
    "trimmed": "true",
    "silent": "false",
    "extensions": "companion.web.delivery.parts.PartTag",
}
KEYWORDS: dict[str, tuple[int, ...]] = {"_": (0,), "gettext": (0,), "ngettext": (0, 1), "say": (0,), "say_n": (0, 1)}
IN_CONTEXT = {"pgettext": (0, 1), "term": (1, 0)}  # where the context is, where the words are


class Found(NamedTuple):
    """A sentence where it is said: a key of the catalogue, and what translators are told of it."""

    context: str
    template: str
    plural: str = ""
    comments: tuple[str, ...] = ()


class NotLiteral(ValueError):
    """A sentence that is put together while the program runs: nobody could translate it."""


def in_python(file: Path) -> Iterator[Found]:
    """Yield what ``say``, ``say_n`` and ``term`` say in a module, with the comments above that are for translators."""
    text = file.read_text("utf-8")
    lines = text.splitlines()
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        assert isinstance(call.func, ast.Name)
        name = call.func.id
        if name not in ("say", "say_n", "term"):
            continue
        words = [literal.value for literal in call.args if isinstance(literal, ast.Constant) and isinstance(literal.value, str)]
        if len(words) < (1 if name == "say" else 2):
            if file.name == "text.py" and file.parent.name == "engine":
                continue
            raise NotLiteral(f"{file.relative_to(CHECKOUT)}:{call.lineno}: {name}() takes literal words")
        comments = comment_above(lines, call.lineno)
        if name == "term":
            yield Found(words[1], words[0], "", comments)
        else:
            yield Found("", words[0], words[1] if name == "say_n" else "", comments)


def in_sheet(file: Path) -> Iterator[Found]:
    """Yield the words of one of Companion's score sheets."""
    sheet = presets.preset(file.stem)
    told = (f"The score sheet of {sheet.name}.",)
    words = [sheet.name, sheet.about or ""]
    for column in sheet.columns:
        words += [column.name, column.question or ""]
        words += [text for choice in column.choices for text in (choice.name, choice.question or "")]
    for ask in sheet.asks:
        words += [ask.question, *(answer.name for answer in ask.answers)]
    words += [check.say for check in sheet.checks]
    for each in words:
        yield Found(WORDS, each, "", told)


def comment_above(lines: list[str], number: int) -> tuple[str, ...]:
    """Return what the lines right above tell translators, without the mark at its beginning."""
    above: list[str] = []
    for line in reversed(lines[: number - 1]):
        if not line.strip().startswith("#"):
            break
        above.insert(0, line.strip().lstrip("# "))
    told = " ".join(above)
    return (told.split(COMMENT, 1)[1].strip(),) if COMMENT in told else ()


def in_template(file: Path) -> Iterator[Found]:
    """Yield what a template says."""
    keywords = [*KEYWORDS, *IN_CONTEXT, "npgettext"]
    with file.open("rb") as lines:
        for _, function, said, comments in babel_extract(lines, keywords, [COMMENT], OPTIONS):
            words = [said] if isinstance(said, str) else list(said)
            told = tuple(" ".join(comment.removeprefix(COMMENT).split()) for comment in comments)
            if function in IN_CONTEXT:
                context, at = IN_CONTEXT[function]
                found = Found(words[context], words[at], "", told)
            elif function == "npgettext":
                found = Found(words[0], words[1], words[2], told)
            else:
                found = Found("", words[0], words[1] if len(KEYWORDS[function]) > 1 else "", told)
            if not isinstance(found.template, str):
                raise NotLiteral(f"{file.relative_to(CHECKOUT)}: {function}() takes literal words")
            yield found


def collect() -> dict[str, Catalog]:
    """Return the sentences of each area, in the order of files and lines."""
    catalogues: dict[str, Catalog] = {}
    seen: set[tuple[str, str]] = set()
    read: set[Path] = set()
    for area, patterns in AREAS.items():
        catalogue = catalogues[area] = Catalog(locale="en", fuzzy=False)
        files = [file for pattern in patterns for file in sorted(CHECKOUT.glob(pattern))]
        for file in files:
            where = file.relative_to(CHECKOUT).as_posix()
            if file in read or where in NOT_FOR_PLAYERS:
                continue
            read.add(file)
            for found in READERS[file.suffix](file):
                key = (found.context, found.template)
                if not (found.context or says_something(found.template)) or key in seen:
                    if found.comments and key in seen:
                        add_comments(catalogues, found)
                    continue
                seen.add(key)
                add(catalogue, found, where)
    return catalogues


READERS = {".py": in_python, ".html": in_template, ".json": in_sheet}


def says_something(template: str) -> bool:
    """Return whether there is more than parts: "{one} – {other}" is the same everywhere; a colon is not."""
    return any(letter.isalpha() or letter in ":;!?“" for letter in PART.sub("", template))


def add(catalogue: Catalog, found: Found, where: str) -> None:
    """Put a sentence into a catalogue."""
    words = (found.template, found.plural) if found.plural else found.template
    told = [place(where), *found.comments]
    if said := example(found.plural or found.template, where):
        told.append(f"Example: {said}")
    catalogue.add(words, context=found.context or None, locations=[(where, None)], auto_comments=told)


def add_comments(catalogues: dict[str, Catalog], found: Found) -> None:
    """Let translators read every comment on a sentence that is said in several places."""
    for catalogue in catalogues.values():
        message = catalogue.get(found.template, found.context or None)
        if message is not None:
            message.auto_comments.extend(told for told in found.comments if told not in message.auto_comments)


def translated(folder: Path) -> dict[tuple[str, str], Message]:
    """Return what a language has translated so far, in whichever of its files, also what is obsolete."""
    known: dict[tuple[str, str], Message] = {}
    for file in sorted(folder.glob("*.po")):
        with file.open("rb") as lines:
            catalogue = read_po(lines, locale=folder.name)
        for message in [*catalogue.obsolete.values(), *catalogue]:
            if message.id and any([message.string] if isinstance(message.string, str) else message.string):
                known[(message.context or "", message.id if isinstance(message.id, str) else message.id[0])] = message
    return known


def up_to_date(folder: Path, sentences: dict[str, Catalog]) -> dict[Path, str]:
    """Return what each catalogue of a language should hold: all sentences, with its translations."""
    known = {} if folder == SOURCE else translated(folder)
    Locale.parse(folder.name)  # a folder is called as its language
    plural = get_plural(folder.name)
    files = {}
    for area, collected in sentences.items():
        own = Catalog(locale=folder.name, fuzzy=False)
        for message in collected:
            if not message.id:
                continue
            key = (message.context or "", message.id if isinstance(message.id, str) else message.id[0])
            before = known.pop(key, None)
            string = before.string if before else None
            if isinstance(message.id, str) != (string is None or isinstance(string, str)):
                string = None  # it has become a plural, or is none any more
            flags = before.flags & {"fuzzy"} if before and string else set()
            own.add(
                message.id,
                string or (("",) * plural.num_plurals if not isinstance(message.id, str) else ""),
                context=message.context,
                locations=message.locations,
                auto_comments=message.auto_comments,
                user_comments=before.user_comments if before else (),
                flags=flags,
            )
        files[folder / f"{area}.po"] = own
    last = list(files.values())[-1]
    for key, message in known.items():
        last.obsolete[key[1]] = message
    return {file: text_of(catalogue, folder.name, plural) for file, catalogue in files.items()}


def text_of(catalogue: Catalog, code: str, plural: object) -> str:
    """Return a catalogue as its file holds it: without dates and line numbers, so that it changes with its sentences alone."""
    head = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {code}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {plural}\\n"\n\n'
    )
    return head + "".join(generate_po(catalogue, width=0, omit_header=True, include_lineno=False)).rstrip("\n") + "\n"


def main() -> None:
    """Write every catalogue anew, and tell how much of each language is translated."""
    sentences = collect()
    for folder in sorted(folder for folder in LANGUAGES.iterdir() if folder.is_dir() and folder.name != "__pycache__"):
        for file, text in up_to_date(folder, sentences).items():
            file.write_text(text, "utf-8")
        total = sum(len(catalogue) for catalogue in sentences.values())
        done = len(
            translated(folder).keys()
            & {
                (m.context or "", m.id if isinstance(m.id, str) else m.id[0])
                for catalogue in sentences.values()
                for m in catalogue
                if m.id
            }
        )
        sys.stdout.write(f"{folder.name}: {total if folder == SOURCE else done} of {total} sentences\n")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
