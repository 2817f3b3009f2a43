"""What is left out of Python's WebAssembly for phones, and is all there that anything asks for?"""

from __future__ import annotations

import pytest

from pocket.slim import EXPORTS, FUNCTION, GLOBAL, IMPORTS, MAGIC, MEMORY, exported, imported, number, sections, slim

CODE = 10


def module(**sections: list[bytes]) -> bytes:
    """Return a WebAssembly file of these lists."""
    numbers = {"imports": IMPORTS, "exports": EXPORTS, "code": CODE}
    written = [MAGIC]
    for name, entries in sections.items():
        content = number(len(entries)) + b"".join(entries)
        written += [bytes([numbers[name]]), number(len(content)), content]
    return b"".join(written)


def text(name: str) -> bytes:
    return number(len(name)) + name.encode()


def asks(place: str, name: str, what: bytes) -> bytes:
    return text(place) + text(name) + what


def offers(name: str, kind: int, index: int) -> bytes:
    return text(name) + bytes([kind]) + number(index)


TYPE_300, MUTABLE_NUMBER, TABLE_OF_10, MEMORY_OF_2 = b"\0\xac\2", b"\3\x7f\1", b"\1\x70\0\x0a", b"\2\1\1\2"
OFFERED = {
    "called": FUNCTION,
    "taken": FUNCTION,
    "of_the_library": FUNCTION,
    "pointed_at": FUNCTION,
    "by_the_module": FUNCTION,
    "by_the_loader": FUNCTION,
    "by_nobody": FUNCTION,
    "an_address": GLOBAL,
    "no_address": GLOBAL,
    "__of_c": FUNCTION,
    "memory": MEMORY,
}
PYTHON = module(
    imports=[asks("env", "f", TYPE_300), asks("env", "m", MEMORY_OF_2), asks("GOT.func", "pointed_at", MUTABLE_NUMBER)],
    exports=[offers(name, kind, 200 * index) for index, (name, kind) in enumerate(OFFERED.items())],
    code=[b"\1\2\3"],
)
LOADED = module(
    imports=[
        asks("env", "t", TABLE_OF_10),
        asks("env", "by_the_module", TYPE_300),
        asks("GOT.mem", "an_address", MUTABLE_NUMBER),
    ]
)
SCRIPT = (
    'var _called,_taken,_by_nobody,_by_the_loader,_no_address;wasmExports["taken"]();wasmExports.of_the_library;'
    'function assign(wasmExports){_called=Module["_called"]=wasmExports["called"];'
    '_by_nobody=Module["_by_nobody"]=wasmExports["by_nobody"];_by_the_loader=Module["_by_the_loader"]=wasmExports["by_the_loader"];'
    '_no_address=Module["_no_address"]=wasmExports["no_address"].value>>>0}_called()'
)


def names(python: bytes) -> dict[str, int]:
    return {name: kind for name, kind, _ in exported(dict(sections(python))[EXPORTS])}


def test_what_anything_asks_for_stays_and_the_rest_goes() -> None:
    assert list(imported(LOADED)) == [("env", "t"), ("env", "by_the_module"), ("GOT.mem", "an_address")]
    slimmer, script = slim(PYTHON, SCRIPT, "api._by_the_loader(1)", LOADED)
    gone = {"by_nobody", "no_address"}
    assert names(slimmer) == {name: kind for name, kind in OFFERED.items() if name not in gone}
    assert {**dict(sections(slimmer)), EXPORTS: b""} == {**dict(sections(PYTHON)), EXPORTS: b""}
    assert 'wasmExports["called"]' in script
    assert 'wasmExports["by_the_loader"]' in script
    assert 'wasmExports["by_nobody"]' not in script
    assert 'wasmExports["no_address"]' not in script
    assert script.endswith("}_called()")


def test_what_is_no_webassembly_is_refused() -> None:
    with pytest.raises(ValueError, match="no WebAssembly"):
        slim(b"\0asm\2\0\0\0", SCRIPT, "", LOADED)
