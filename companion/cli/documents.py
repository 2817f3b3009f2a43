"""How are documents of JSON answered, one or one a line, without holding more than one at a time?"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from companion.engine.records import MAX_BYTES, RecordError, UnreadableError
from companion.engine.records.reading import check_json, read_document
from companion.engine.text import Name, say

_CHUNK = 2**16  # bytes

Answering = Callable[[bytes], dict[str, Any]]
Answered = tuple[bool, dict[str, Any]]  # whether all was well, and what to print


def answers(source: BinaryIO, answer: Answering) -> Iterator[Answered]:
    """Iterate over what there is to say to each document: first tried whole, then by lines, blank ones skipped.

    No more than a document is held at a time, however long the source is.
    """
    head = source.read(MAX_BYTES + 1)
    answered: Answered | None
    try:
        answered = _answered(answer, head)
    except UnreadableError as unreadable:
        answered = None if _one_a_line(head, unreadable.at) else _refused(unreadable)
    if answered is not None:
        yield answered
        return
    lines = _lines(head, source)
    del head
    for line in lines:
        if line is None:
            long = say("This line is longer than {size} MiB, the most that a record can be.", size=MAX_BYTES // 2**20)
            yield _refused(RecordError(None, long))
            continue
        try:
            yield _answered(answer, line)
        except UnreadableError as unreadable:
            yield _refused(unreadable)


def _answered(answer: Answering, data: bytes) -> Answered:
    try:
        return True, answer(data)
    except UnreadableError:
        raise
    except RecordError as refusal:
        return _refused(refusal)
    except Exception as mistake:  # the documents after this one still get their answers
        reason = Name(f"{type(mistake).__name__}: {str(mistake)[:200]}")
        return _refused(RecordError(None, say("Companion itself failed on this ({reason}). Please report it.", reason=reason)))


def _refused(refusal: RecordError) -> Answered:
    return False, {"error": {"event": refusal.event, "message": refusal.message}}


def _one_a_line(head: bytes, at: int) -> bool:
    """Return whether a text that is not a document, where reading came to ``at``, holds documents line by line.

    It may also be one document that is laid out over several lines and has a mistake in it, which should be told once: then
    reading got into its second line, the first is no JSON, and no line is a record or look-up of its own.
    """
    lines = _spans(head)
    first, second = next(lines, None), next(lines, None)
    if first is None or second is None:
        return len(head) > MAX_BYTES
    opens = first[1] - first[0] == 1 and head[first[0]] in b"{["
    return (
        not (opens or at > second[0])
        or _is_json(head[slice(*first)])
        or any(_stands_alone(head[slice(*span)]) for span in _spans(head))
    )


def _spans(data: bytes) -> Iterator[tuple[int, int]]:
    """Return where each line that is not blank begins and ends, without the white space around it."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        line = data[start:end]
        if bare := line.strip():
            begin = start + line.index(bare[:1])
            yield begin, begin + len(bare)
        start = end + 1


def _is_json(line: bytes) -> bool:
    try:
        check_json(line.removeprefix(codecs.BOM_UTF8))
    except UnreadableError:
        return False
    return True


def _stands_alone(line: bytes) -> bool:
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return False
    try:
        parts = read_document(line).parts or {}
    except UnreadableError:
        return False
    except RecordError:  # readable, if wrong
        return True
    return "game" in parts or "format" in parts


def _lines(chunk: bytes, source: BinaryIO) -> Iterator[bytes | None]:
    """Line after line of ``chunk`` and then the source, without the blank ones; None for one that is too long to be held."""
    pending = bytearray()
    too_long = False
    while chunk:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            too_long = too_long or len(pending) + end - start > MAX_BYTES
            line = b"" if too_long else chunk[start:end]
            if pending:
                pending += line
                line = bytes(pending)
                pending.clear()
            if too_long:
                yield None
            elif line := line.strip():
                yield line
            too_long = False
            start = end + 1
        if too_long or len(pending) + len(chunk) - start > MAX_BYTES:
            pending.clear()
            too_long = True
        else:
            pending += chunk[start:]
        chunk = source.read(_CHUNK)
    if too_long:
        yield None
    elif line := bytes(pending).strip():
        yield line
