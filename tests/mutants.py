"""Does a test fail when one thing in the engine's code is changed? Mutation testing.

The changes are mutmut's. Its own runner leaves out properties, cached functions and all that happens at import (the tables of
the decks), so each change is made here, in memory, in a fork: in a function that was imported, or, for what runs at import,
with the engine imported anew. Nothing is written to the checkout.

Not changed: the letters of sentences. A string with a space in it and the strings inside an f-string are wording, not rules;
what a sentence names (players, cards, numbers) and its ``rule`` and ``field`` are changed. Type aliases, type variables and
``__all__``, which only type checkers read, are not changed either, nor is zip's ``strict``, which asserts and changes nothing.

    python tests/mutants.py [--jobs 2] [beloz/scoring bisque ...]

A run of the tests that needs far longer than usual is a mutant killed, and shown apart (timeout).
"""

from __future__ import annotations

import argparse
import gc
import importlib.machinery
import importlib.util
import os
import pickle
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from importlib.machinery import ModuleSpec
from itertools import groupby
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import coverage
import hypothesis
import libcst as cst
import msgspec  # noqa: F401  # here, so that the forks have it
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

CHECKOUT = Path(__file__).resolve().parents[1]
ENGINE = CHECKOUT / "companion" / "engine"
TESTS = CHECKOUT / "tests" / "engine"
OPTIONS = ["-q", "-x", "--capture=no", "--assert=plain", "--no-header", "--no-summary", "-p", "no:cacheprovider"]
GOAL = 0.95
MEMORY = 4 << 30  # bytes; a change that grows without end fails instead of filling the machine

TYPES = re.compile(r"(TypeVar\(|(tuple|list|dict|Annotated|Literal|Callable|Mapping|Sequence)\[).*|\w+( \| \w+)+", re.DOTALL)
STRICT = re.compile(r",\s*(strict=\w+)?\s*\)")  # of zip
# Literals that no event, option or question holds: nothing reads them when a match is played
WORDS_OF_ANSWERS = {"Colour", "Contract", "Duty", "How", "Kind", "Status"}


@dataclass(frozen=True)
class Mutant:
    """One change: its line, the lines of its statement, the module's whole code with the change, and what a diff shows of it.

    ``function`` is the qualified name of the function whose body is changed, ``body`` that body's lines.
    """

    path: Path
    line: int
    statement: range
    function: str
    body: range
    code: str
    diff: str


class EveryFunction(MutationVisitor):
    """mutmut's changes, in decorated functions too."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.FunctionDef) and super()._skip_node_and_children(node)


class LeftAlone(cst.CSTVisitor):
    """Finds the strings that are sentences or parts of them, and what only type checkers read."""

    def __init__(self) -> None:
        self.found: set[int] = set()
        self.inside = 0

    def visit_FormattedString(self, node: cst.FormattedString) -> None:
        self.inside += 1

    def leave_FormattedString(self, original_node: cst.FormattedString) -> None:
        self.inside -= 1

    def visit_SimpleString(self, node: cst.SimpleString) -> None:
        if self.inside or " " in node.value:
            self.found.add(id(node))

    def visit_Assign(self, node: cst.Assign) -> None:
        target = node.targets[0].target
        if isinstance(target, cst.Name) and target.value in {*WORDS_OF_ANSWERS, "__all__"}:
            self.found.update(id(each) for each in every_node(node))
        if TYPES.fullmatch(cst.Module([]).code_for_node(node.value)):
            self.found.add(id(node))
            if isinstance(node.value, cst.Call):
                self.found.update((id(node.value), *(id(arg.value) for arg in node.value.args)))


def statements(wrapper: MetadataWrapper) -> dict[int, range]:
    """Return for each line the lines of its innermost statement: coverage may note any of them.

    Of a block only its head counts.
    """
    spans: dict[int, range] = {}
    where = wrapper.resolve(PositionProvider)
    for node, position in where.items():
        first = position.start.line
        if isinstance(node, cst.SimpleStatementLine):
            span = range(first, position.end.line + 1)
        elif isinstance(node, cst.Match):
            span = range(first, where[node.cases[0]].start.line)
        elif isinstance(node, cst.If | cst.For | cst.While | cst.With | cst.FunctionDef | cst.ClassDef | cst.MatchCase):
            span = range(first, max(first + 1, where[node.body].start.line))
        else:
            continue
        for line in span:
            if line not in spans or len(span) < len(spans[line]):
                spans[line] = span
    return spans


def functions(wrapper: MetadataWrapper) -> Iterator[tuple[str, range]]:
    """Yield the functions and methods of a module, and the lines of their bodies."""
    where = wrapper.resolve(PositionProvider)
    for node in wrapper.module.body:
        inside = node.body.body if isinstance(node, cst.ClassDef) else [node]
        for each in inside:
            if isinstance(each, cst.FunctionDef):
                owner = f"{node.name.value}." if isinstance(node, cst.ClassDef) else ""
                first = where[each.body.body[0]].start.line
                yield f"{owner}{each.name.value}", range(first, where[each].end.line + 1)


def every_node(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and all below it."""
    yield node
    for child in node.children:
        yield from every_node(child)


def mutants_of(path: Path) -> list[Mutant]:
    """Return every change to a module."""
    source = path.read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source))
    visitor = EveryFunction(mutation_operators, IgnoredCode(set(), set(), set()))
    module = wrapper.visit(visitor)
    left_alone = LeftAlone()
    wrapper.module.visit(left_alone)
    where, spans, bodies = wrapper.resolve(PositionProvider), statements(wrapper), list(functions(wrapper))
    parts = [module.code_for_node(part) for part in (*module.header, *module.body, *module.footer)]
    first = len(module.header)
    part_of = {id(node): number for number, part in enumerate(module.body) for node in every_node(part)}
    found: list[Mutant] = []
    for mutation in visitor.mutations:
        if id(mutation.original_node) in left_alone.found:
            continue
        number = part_of[id(mutation.original_node)]
        changed = module.code_for_node(deep_replace(module.body[number], mutation.original_node, mutation.mutated_node))
        code = "".join((*parts[: first + number], changed, *parts[first + number + 1 :]))
        if STRICT.sub(")", changed) == STRICT.sub(")", parts[first + number]):
            continue
        lines = list(unified_diff(parts[first + number].splitlines(), changed.splitlines(), lineterm="", n=0))[2:]
        diff = "\n".join(line for line in lines if not line.startswith("@@"))
        line = where[mutation.original_node].start.line
        function, body = next(((name, body) for name, body in bodies if line in body), ("", range(0)))
        found.append(Mutant(path, line, spans.get(line, range(line, line + 1)), function, body, code, diff))
    return found


@dataclass(frozen=True)
class Usual:
    """How the tests go with nothing changed: CPU seconds a test, and which tests reach which line of which file."""

    seconds: dict[str, float]
    reaching: dict[str, dict[int, list[str]]]

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests that can notice a change, the quickest first. What runs at import is every test's."""
        names = self._reaching(mutant.path, mutant.statement)
        return sorted(self.seconds if "" in names else names, key=lambda name: (self.seconds[name], name))

    def at_import(self, mutant: Mutant) -> bool:
        """Return whether the change can matter while the engine is imported."""
        return not mutant.function or "" in self._reaching(mutant.path, mutant.body)

    def cpu_limit(self, tests: Iterable[str]) -> int:
        return 10 + int(5 * sum(self.seconds[test] for test in tests))

    def _reaching(self, path: Path, lines: Iterable[int]) -> set[str]:
        reached = self.reaching.get(str(path), {})
        return {name for line in lines for name in reached.get(line, ())}


class Reach:
    """Notes which lines of the engine each test reaches, and how long it takes."""

    def __init__(self, measuring: coverage.Coverage) -> None:
        self.measuring = measuring
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.measuring.switch_context(item.nodeid)
        began = time.process_time()
        answer = yield
        self.seconds[item.nodeid] = time.process_time() - began
        self.measuring.switch_context("between tests")
        return answer


class Changed(importlib.machinery.SourceFileLoader):
    """Imports one module of the engine with other code than its file has."""

    def __init__(self, mutant: Mutant) -> None:
        name = ".".join(mutant.path.relative_to(CHECKOUT).with_suffix("").parts)
        super().__init__(name.removesuffix(".__init__"), str(mutant.path))
        self.code = mutant.code

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.code, self.path, "exec", dont_inherit=True)


class Ordered:
    """Has pytest run these tests and no others, in this order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.place = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.place), key=lambda item: self.place[item.nodeid])


class InFunctions:
    """Instead of running the tests once: change a function, run them in a fork, and so on for every mutant."""

    def __init__(self, mutants: Sequence[Mutant], found: Usual, jobs: int) -> None:
        self.mutants, self.found, self.jobs = mutants, found, jobs
        self.verdicts: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        paths = {str(mutant.path) for mutant in self.mutants}
        originals: dict[tuple[str, str], FunctionType] = {}
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename in paths:
                originals[each.__code__.co_filename, each.__code__.co_qualname] = each
        gc.freeze()

        def work(mutant: Mutant, tests: Sequence[str]) -> int:
            module = compile(mutant.code, str(mutant.path), "exec", dont_inherit=True)
            originals[str(mutant.path), mutant.function].__code__ = code_of(module, mutant.function)
            chosen = [items[test] for test in tests]
            for item, following in zip(chosen, [*chosen[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    return 1
            return 0

        self.verdicts = try_all(self.mutants, self.found, self.jobs, work)
        return True


def code_of(code: CodeType, name: str) -> CodeType:
    """Return a function's code, from that of its module."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_qualname == name:
                return each
            if name.startswith(f"{each.co_qualname}."):
                return code_of(each, name)
    raise LookupError(name)


def anew(mutant: Mutant, tests: Sequence[str]) -> int:
    """Import the engine with the change and run the tests; return their exit status."""
    sys.meta_path.insert(0, Changed(mutant))
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    return int(pytest.main([*OPTIONS, *files], plugins=[Ordered(tests)]))


def fork(work: Callable[[], int]) -> int:
    """Begin some work in a fork that says nothing, tries the same random examples each time, and does not make them small."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("mutants", derandomize=True, database=None, phases=phases)
        hypothesis.settings.load_profile("mutants")  # tests/conftest.py adds to it
        status = work()
    finally:
        os._exit(status)


def told(work: Callable[[], Any]) -> Any:
    """Return what some work in a fork comes to."""
    with tempfile.NamedTemporaryFile() as found:

        def tell() -> int:
            Path(found.name).write_bytes(pickle.dumps(work()))
            return 0

        if os.waitpid(fork(tell), 0)[1]:
            sys.exit("A run of the tests broke off.")
        return pickle.loads(Path(found.name).read_bytes())


def usual(tests: Sequence[str], modules: Sequence[Path]) -> Usual:
    """Run the tests with nothing changed."""

    def work() -> Usual | None:
        measuring = coverage.Coverage(data_file=None, include=[str(path) for path in modules], config_file=False)
        measuring.start()
        reach = Reach(measuring)
        failed = pytest.main([*OPTIONS, *tests], plugins=[reach])
        measuring.stop()
        data = measuring.get_data()
        return None if failed else Usual(reach.seconds, {str(path): data.contexts_by_lineno(str(path)) for path in modules})

    found: Usual | None = told(work)
    if found is None:
        sys.exit(f"With nothing changed these tests fail: {' '.join(tests)}")
    return found


def try_all(mutants: Sequence[Mutant], found: Usual, jobs: int, work: Callable[[Mutant, Sequence[str]], int]) -> list[str]:
    """Return what becomes of each of the mutants: "killed", "survived" or "timeout"."""
    verdicts = ["survived"] * len(mutants)
    running: dict[int, tuple[int, float]] = {}

    def wait(until: int) -> None:
        while len(running) > until:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child:
                verdicts[running.pop(child)[0]] = verdict(status)
                continue
            for each, (_, latest) in running.items():
                if time.monotonic() > latest:  # it sleeps, so that its CPU seconds never end
                    os.kill(each, signal.SIGKILL)
            time.sleep(0.002)

    for number, mutant in enumerate(mutants):
        tests = found.tests(mutant)
        if tests:
            seconds = found.cpu_limit(tests)

            def limited(mutant: Mutant = mutant, tests: Sequence[str] = tests, seconds: int = seconds) -> int:
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                return work(mutant, tests)

            wait(jobs - 1)
            running[fork(limited)] = (number, time.monotonic() + 20 * seconds)
    wait(0)
    return verdicts


def verdict(status: int) -> str:
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return "timeout"
    return "survived" if status == 0 else "killed"


def try_module(path: Path, tests: Sequence[str], found: Usual, jobs: int) -> list[tuple[Mutant, str]]:
    """Return every change to a module, and what became of it."""
    mutants = mutants_of(path)
    inside = [mutant for mutant in mutants if not found.at_import(mutant)]
    outside = [mutant for mutant in mutants if found.at_import(mutant)]

    def work() -> list[str]:
        runs = InFunctions(inside, found, jobs)
        pytest.main([*OPTIONS, *tests], plugins=[runs])
        return runs.verdicts

    verdicts = told(work) if inside else []
    verdicts += try_all(outside, found, jobs, anew)
    return sorted(zip(inside + outside, verdicts, strict=True), key=lambda one: one[0].line)


def tests_of(path: Path) -> tuple[str, ...]:
    """The tests that hold a module: its game's; for what all games share, all that there are for the engine."""
    name = path.relative_to(ENGINE).parts[0].removesuffix(".py")
    for own in (TESTS / name, TESTS / f"test_{name}.py"):
        if own.exists():
            return (str(own), str(TESTS / "test_structs.py"))
    return tuple(str(each) for each in sorted(TESTS.iterdir()) if each.is_dir() and not each.name.startswith("_"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of the engine.")
    parser.add_argument("only", nargs="*", metavar="module", help="beloz/scoring, bisque, ... (all of the engine's)")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    os.chdir(CHECKOUT)
    sys.path.insert(0, str(CHECKOUT))
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the engine's tests need none
    with tempfile.TemporaryDirectory() as compiled:
        sys.pycache_prefix, sys.dont_write_bytecode = compiled, False
        return run(args.only, args.jobs)


def run(only: Sequence[str], jobs: int) -> int:
    """Try the modules, print what survives and the numbers; 0 if enough mutants are killed."""
    paths = [path for path in sorted(ENGINE.rglob("*.py")) if not only or wanted(path, only)]
    rows: list[tuple[str, Counter[str]]] = []
    for tests, group in groupby(sorted(paths, key=tests_of), key=tests_of):
        modules = list(group)
        found = usual(tests, modules)
        for path in modules:
            results = try_module(path, tests, found, jobs)
            for mutant, what in results:
                if what == "survived":
                    print(f"{short_name(path)}:{mutant.line} survived\n{mutant.diff}")
            rows.append((short_name(path), Counter(what for _, what in results)))
            print(row(*rows[-1]), flush=True)
    total = sum((tally for _, tally in rows), Counter[str]())
    noticed = total["killed"] + total["timeout"]
    print(f"\n{'module':28} mutants  killed  timeout  survived", *(row(*each) for each in rows), row("all", total), sep="\n")
    print(f"{noticed} of {total.total()} killed: {noticed / max(1, total.total()):.1%}")
    return 0 if noticed >= GOAL * total.total() else 1


def wanted(path: Path, only: Sequence[str]) -> bool:
    return any(short_name(path) == each or short_name(path).startswith(f"{each}/") for each in only)


def short_name(path: Path) -> str:
    return path.relative_to(ENGINE).with_suffix("").as_posix()


def row(name: str, tally: Counter[str]) -> str:
    return f"{name:28} {tally.total():7} {tally['killed']:7} {tally['timeout']:8} {tally['survived']:9}"


if __name__ == "__main__":
    sys.exit(main())
