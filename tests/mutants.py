"""Does a test fail when one thing in the engine's code is changed? Mutation testing.

Each change is made in memory: a fork imports the engine with it and runs the tests of its game until one fails. Nothing is
written to the checkout. Changed are comparisons, sums, conditions, numbers, names of cards and colours, and what a function
returns; not the letters of sentences (a string with a space in it is wording, no rule), nor what only type checkers read.

    python tests/mutants.py [--jobs 2] [beloz/scoring bisque ...]

A run of the tests that needs far longer than usual counts as killed, and is shown apart (timeout).
"""

from __future__ import annotations

import argparse
import ast
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import hypothesis
import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
ENGINE = CHECKOUT / "companion" / "engine"
TESTS = CHECKOUT / "tests" / "engine"
OPTIONS = ["-q", "-x", "--capture=no", "--assert=plain", "--no-header", "--no-summary", "-p", "no:cacheprovider"]
GOAL = 0.95
MEMORY = 4 << 30  # bytes; a change that grows without end fails instead of filling the machine
PAIRS = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)),
    *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv), (ast.Mod, ast.FloorDiv)),
    *((ast.BitAnd, ast.BitOr), (ast.LShift, ast.RShift), (ast.Break, ast.Continue)),
)
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {old: new for pair in PAIRS for old, new in (pair, pair[::-1])}
TYPES = {"TypeVar", "Annotated", "Literal", "Callable", "Mapping", "Sequence"}


@dataclass(frozen=True)
class Mutant:
    """One change: the module, its line there, what stood there and what stands there now, and the module's code with it."""

    path: Path
    line: int
    before: str
    after: str
    code: CodeType


class Places(ast.NodeVisitor):
    """Collects the nodes that are changed: no types, no words, no ``__all__``."""

    def __init__(self) -> None:
        self.nodes: list[ast.AST] = []

    def visit(self, node: ast.AST) -> None:
        """Note a node and those below it that run."""
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.AnnAssign) and node.value is None):
            return
        self.nodes.append(node)
        for name, child in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "type_params"} or is_of_types(child):
                continue
            for each in child if isinstance(child, list) else [child]:
                if isinstance(each, ast.AST) and not is_of_types(each):
                    self.visit(each)


def is_of_types(node: Any) -> bool:
    """Return whether only type checkers read a node: an import, a type alias or variable, ``__all__``, a docstring."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
        return True
    return isinstance(node, ast.Assign) and any(isinstance(part, ast.Name) and part.id in TYPES for part in ast.walk(node))


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in a node's place, one change each."""
    match node:
        case ast.Compare(ops=[first, *rest]):
            yield ast.Compare(node.left, [SWAPPED[type(first)](), *rest], node.comparators)
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign() if type(node.op) in SWAPPED:
            yield type(node)(**{**dict(ast.iter_fields(node)), "op": SWAPPED[type(node.op)]()})
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Break() | ast.Continue():
            yield SWAPPED[type(node)]()
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if " " not in value:
            yield ast.Constant(f"XX{value}")


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every change to a module."""
    source = path.read_text("utf-8")
    places = Places()
    places.visit(ast.parse(source))
    for number, node in enumerate(places.nodes):
        for change, _ in enumerate(changes(node)):
            anew = Places()
            tree = ast.parse(source)
            anew.visit(tree)
            old = anew.nodes[number]
            new = ast.copy_location(list(changes(old))[change], old)
            replace(tree, old, new)
            code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
            yield Mutant(path, getattr(node, "lineno", 1), ast.unparse(node), ast.unparse(new), code)


def replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put a node in the place of another."""
    for parent in ast.walk(tree):
        for name, child in ast.iter_fields(parent):
            if child is old:
                setattr(parent, name, new)
            elif isinstance(child, list):
                child[:] = [new if each is old else each for each in child]


class Changed(importlib.machinery.SourceFileLoader):
    """Imports one module of the engine with other code than its file has."""

    def __init__(self, mutant: Mutant) -> None:
        name = ".".join(mutant.path.relative_to(CHECKOUT).with_suffix("").parts)
        super().__init__(name.removesuffix(".__init__"), str(mutant.path))
        self.code = mutant.code

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how this module is imported."""
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        """Return the changed code."""
        return self.code


def fork(work: Callable[[], int], seconds: int) -> int:
    """Begin some work in a fork that says nothing, tries the same random examples each time, and does not make them small."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("mutants", derandomize=True, database=None, phases=phases)
        hypothesis.settings.load_profile("mutants")  # tests/conftest.py adds to it
        status = work()
    finally:
        os._exit(status)


def try_all(works: Sequence[Callable[[], int]], seconds: int, jobs: int) -> list[str]:
    """Return what becomes of each fork: "survived" where it ends well, else "killed" or "timeout"."""
    verdicts = ["survived"] * len(works)
    running: dict[int, tuple[int, float]] = {}
    for number, work in [*enumerate(works), *((-1, None) for _ in range(jobs))]:
        while len(running) >= jobs or (work is None and running):
            child, status = os.waitpid(-1, os.WNOHANG)
            if child:
                verdicts[running.pop(child)[0]] = verdict(status)
            for each, (_, latest) in running.items():
                if time.monotonic() > latest:  # it sleeps, so that its CPU seconds never end
                    os.kill(each, signal.SIGKILL)
            time.sleep(0.01)
        if work is not None:
            running[fork(work, seconds)] = (number, time.monotonic() + 20 * seconds)
    return verdicts


def verdict(status: int) -> str:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return "timeout"
    return "survived" if status == 0 else "killed"


def try_module(path: Path, jobs: int) -> list[tuple[Mutant, str]]:
    """Return every change to a module, and what became of it."""
    tests = [str(each) for each in tests_of(path)]
    began = time.monotonic()
    if try_all([lambda: int(pytest.main([*OPTIONS, *tests]))], 3600, 1) != ["survived"]:
        sys.exit(f"With nothing changed these tests fail: {' '.join(tests)}")
    seconds = 10 + int(5 * (time.monotonic() - began))

    def run(mutant: Mutant) -> int:
        sys.meta_path.insert(0, Changed(mutant))
        return int(pytest.main([*OPTIONS, *tests]))

    mutants = list(mutants_of(path))
    works = [lambda mutant=mutant: run(mutant) for mutant in mutants]
    return list(zip(mutants, try_all(works, seconds, jobs), strict=True))


def tests_of(path: Path) -> Sequence[Path]:
    """The tests that hold a module: its game's; for what all games share, all that there are for the engine."""
    name = path.relative_to(ENGINE).parts[0].removesuffix(".py")
    for own in (TESTS / name, TESTS / f"test_{name}.py"):
        if own.exists():
            return (own, TESTS / "test_structs.py")
    return [each for each in sorted(TESTS.iterdir()) if each.is_dir() and not each.name.startswith("_")]


def main() -> int:
    """Try the modules, print what survives and the numbers; return 0 if enough mutants are killed."""
    parser = argparse.ArgumentParser(description="Mutation testing of the engine.")
    parser.add_argument("only", nargs="*", metavar="module", help="beloz/scoring, bisque, ... (all of the engine's)")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    os.chdir(CHECKOUT)
    sys.path.insert(0, str(CHECKOUT))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the engine's tests need none
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as compiled:
        sys.pycache_prefix, sys.dont_write_bytecode = compiled, False
        for path in sorted(ENGINE.rglob("*.py")):
            name = path.relative_to(ENGINE).with_suffix("").as_posix()
            if args.only and not any(name == each or name.startswith(f"{each}/") for each in args.only):
                continue
            results = try_module(path, args.jobs)
            for mutant, what in results:
                if what == "survived":
                    print(f"{name}:{mutant.line} survived\n-{mutant.before}\n+{mutant.after}")
            tally = Counter(what for _, what in results)
            print(f"{name:28} {tally.total():7} {tally['killed']:7} {tally['timeout']:8} {tally['survived']:9}", flush=True)
            total += tally
    noticed = total["killed"] + total["timeout"]
    print(f"{noticed} of {total.total()} killed: {noticed / max(1, total.total()):.1%}")
    return 0 if noticed >= GOAL * total.total() else 1


if __name__ == "__main__":
    sys.exit(main())
