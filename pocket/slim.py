"""Leave out of Python's WebAssembly what it offers to modules that no phone has.

Pyodide can load any module that was compiled for it, so all of CPython is exported: some 8,500 names. For each the browser
makes a function, a place in a table and a global: 5 MB of a phone's memory, and a part of each start. Companion has one such
module, so the list of the names in use is short.

Binaryen's wasm-metadce, from npm, could remove the unused code too: 0.5 MB of 9.3. But it needs the same list of names,
is 104 MB more to install for a build, and writes by default a format that browsers don't read yet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

MAGIC = b"\0asm\1\0\0\0"
IMPORTS, EXPORTS = 2, 7  # numbers of sections
FUNCTION, TABLE, MEMORY, GLOBAL, TAG = range(5)  # kinds of what is imported or exported

ASSIGNED = re.compile(r'([\w$]+)=Module\["[^"]+"\]=wasmExports\["([^"]+)"\](?:\.value>>>0)?[;]?')
ASKED = re.compile(r'wasmExports(?:\["([^"]+)"\]|\.(\w+))')
WORD = re.compile(r"[\w$]+")
INTERNAL = "__"  # nothing names 475 of these, but without them a start in Chromium never ends


class Reader:
    """Reads a WebAssembly file."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        """Return the next byte."""
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """Return the next number (LEB128)."""
        value = shift = 0
        while True:
            part = self.byte()
            value |= (part & 127) << shift
            shift += 7
            if part < 128:
                return value

    def take(self, length: int) -> bytes:
        """Return so many bytes."""
        self.at += length
        return self.data[self.at - length : self.at]

    def name(self) -> str:
        """Return the next name."""
        return self.take(self.number()).decode()


def number(value: int) -> bytes:
    """Return a number as WebAssembly has it."""
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes([*written, value])


def sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the sections of a file: number and content."""
    reader = Reader(module)
    if reader.take(len(MAGIC)) != MAGIC:
        raise ValueError("This is no WebAssembly.")
    while reader.at < len(module):
        yield reader.byte(), reader.take(reader.number())


def imported(module: bytes) -> Iterator[tuple[str, str]]:
    """Yield what a module asks for: from where, and its name."""
    reader = Reader(dict(sections(module))[IMPORTS])
    for _ in range(reader.number()):
        yield reader.name(), reader.name()
        kind = reader.byte()
        if kind == FUNCTION:
            reader.number()
        elif kind == GLOBAL:
            reader.take(2)
        elif kind == TAG:
            reader.take(1)
            reader.number()
        else:  # a table says of what it is, a memory does not; both how large they are
            reader.take(1 if kind == TABLE else 0)
            bounded = reader.byte() & 1
            reader.number()
            if bounded:
                reader.number()


def exported(content: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Yield what a section says of exports: name, kind, and how it is written."""
    reader = Reader(content)
    for _ in range(reader.number()):
        begun = reader.at
        name, of = reader.name(), reader.byte()
        reader.number()
        yield name, of, content[begun : reader.at]


def slim(module: bytes, script: str, other: str, loaded: bytes) -> tuple[bytes, str]:
    """Return Python's WebAssembly and its script with what is asked for, and nothing else.

    Args:
        module: Python.
        script: what runs it; it takes each export under a name of its own.
        other: another script that asks it for something.
        loaded: the module that is loaded into it.
    """
    rest = ASSIGNED.sub("", script)
    words = Counter(WORD.findall(rest)) + Counter(WORD.findall(other))
    needed = {name for asked_for in ASKED.finditer(rest) for name in asked_for.groups() if name}
    needed |= {name for _, name in imported(loaded)}
    needed |= {name for place, name in imported(module) if place.startswith("GOT.")}
    for word, name in ASSIGNED.findall(script):
        if words[word] > 1:  # not only where it is declared
            needed.add(name)
    written = [MAGIC]
    exports: set[str] = set()
    for kind, section in sections(module):
        content = section
        if kind == EXPORTS:
            entries = {
                name: entry
                for name, of, entry in exported(section)
                if name in needed or of not in {FUNCTION, GLOBAL} or name.startswith(INTERNAL)
            }
            exports = set(entries)
            content = number(len(entries)) + b"".join(entries.values())
        written += [bytes([kind]), number(len(content)), content]
    return b"".join(written), ASSIGNED.sub(lambda assignment: assignment[0] if assignment[2] in exports else "", script)
