"""Compile everything, in the Python that phones will run: the standard library, the packages, Companion, its templates.

``/build`` is the folder of :mod:`build`.
"""

import ast
import hashlib
import io
import marshal
import shutil
import sqlite3
import sys
import zipfile
from contextlib import closing
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType

BUILD = Path("/build")
SITE = BUILD / "site"
TEMPLATES = Path("/templates")
TEMPLATES_FILE = "templates.zip"
OUT = BUILD / "whole"
STANDARD = Path(f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip")

# Modules that no page needs
NOT_OF_USE = (
    *("alembic/templates", "alembic/testing", "babel/messages/", "click/_termui_impl.py", "click/_winconsole.py"),
    *("click/shell_completion.py", "click/testing.py", "companion/cli/", "companion/server.py", "companion/testing.py"),
    *("jinja2/sandbox.py", "mako/ext", "mako/testing", "platformdirs/android.py", "platformdirs/ios.py"),
    *("platformdirs/macos.py", "platformdirs/windows.py", "sqlalchemy/connectors/aioodbc.py", "sqlalchemy/dialects/mssql"),
    *("sqlalchemy/dialects/mysql", "sqlalchemy/dialects/oracle", "sqlalchemy/dialects/type_"),
    *("sqlalchemy/ext/associationproxy.py", "sqlalchemy/ext/asyncio", "sqlalchemy/ext/automap.py", "sqlalchemy/ext/baked.py"),
    *("sqlalchemy/ext/h", "sqlalchemy/ext/indexable.py", "sqlalchemy/ext/instrumentation.py", "sqlalchemy/ext/m"),
    *("sqlalchemy/ext/orderinglist.py", "sqlalchemy/ext/serializer.py", "sqlalchemy/testing", "werkzeug/_reloader.py"),
    *("werkzeug/debug/", "werkzeug/middleware/lint.py", "werkzeug/middleware/profiler.py", "werkzeug/testapp.py"),
    *("wtforms/locale",),
)
NOT_OF_THE_LIBRARY = (
    *("_pydatetime.py", "_pyio.py", "_pyrepl/", "antigravity.py", "asyncio/__main__.py", "asyncio/proactor_events.py"),
    *("asyncio/tools.py", "asyncio/windows_", "bdb.py", "cmd.py", "code.py", "colorsys.py", "compileall.py"),
    *("concurrent/futures/interpreter.py", "concurrent/futures/process.py", "concurrent/interpreters/", "cProfile.py"),
    *("ctypes/", "curses/", "dbm/", "doctest.py", "ensurepip/", "filecmp.py", "fileinput.py", "ftplib.py", "getopt.py"),
    *("http/cookiejar.py", "idlelib/", "imaplib.py", "lib2to3/", "logging/config.py", "logging/handlers.py", "mailbox.py"),
    *("modulefinder.py", "multiprocessing/", "netrc.py", "optparse.py", "pdb.py", "pickletools.py", "plistlib.py"),
    *("poplib.py", "profile.py", "pstats.py", "pty.py", "py_compile.py", "pyclbr.py", "pydoc.py", "pydoc_data/"),
    *("rlcompleter.py", "runpy.py", "sched.py", "shelve.py", "smtplib.py", "symtable.py", "tabnanny.py", "tarfile.py"),
    *("this.py", "tkinter/", "trace.py", "tracemalloc.py", "tty.py", "turtle.py", "turtledemo/", "unittest/"),
    *("urllib/robotparser.py", "venv/", "wave.py", "webbrowser.py", "wsgiref/", "xml/", "xmlrpc/", "zipapp.py"),
)
ENCODINGS = {
    "__init__.py",
    "aliases.py",
    "ascii.py",
    "cp437.py",
    "idna.py",
    "latin_1.py",
    "punycode.py",
    "utf_8.py",
    "utf_8_sig.py",
}
IN_FILES = ("babel/", "companion/", "msgspec/")  # they read files beside their modules, or are compiled: no archive can do that
HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # of a compiled module that is not compared with its source
AS_SOURCE = "companion/storage/migrations/"  # which Alembic reads itself


# What their functions say of types is read by nobody when they run, and takes a tenth of Python's memory
TYPES_UNREAD = (
    *("alembic/", "babel/", "blinker/", "click/", "flask", "itsdangerous/", "jinja2/", "mako/", "markupsafe/", "platformdirs/"),
    *("sqlalchemy/", "werkzeug/", "wtforms/"),
    *("companion/languages/", "companion/matches/", "companion/screens/", "companion/storage/", "companion/tables/"),
    "companion/web/",
)
# A traceback tells lines of these alone. Of others it tells functions: their lines are a megabyte of Python's memory
WITH_LINES = "companion/"


class Untyped(ast.NodeTransformer):
    """Leaves out what functions say of types. Classes keep theirs: fields and columns are made of them."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        """Leave them out of a function, and a function that is nothing else."""
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        if any(decorator.rpartition(".")[2] == "overload" for decorator in decorators):
            return None
        self.generic_visit(node)
        if not any(".register" in decorator for decorator in decorators):  # which chooses by them
            node.returns = None
            given = node.args
            for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
                if argument:
                    argument.annotation = None
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST | None:  # as above
        """Leave them out of it."""
        return self.visit_FunctionDef(node)  # type: ignore[arg-type]

    def visit_If(self, node: ast.If) -> ast.AST:
        """Leave what stands there alone: it may stand there alone."""
        return node


def compiled(name: str, source: bytes) -> bytes:
    """Return a module as it lies beside no source: without its documentation, under the name that it has in a phone."""
    typed, lined = not name.startswith(TYPES_UNREAD), name.startswith(WITH_LINES)
    digest = hashlib.sha256(f"{name} {typed} {lined} ".encode() + source).hexdigest()
    made = BUILD / "compiled" / digest  # most are as they were
    if not made.exists():
        tree = ast.parse(source)
        code = compile(tree if typed else Untyped().visit(tree), name, "exec", dont_inherit=True, optimize=2)
        made.write_bytes(HEADER + marshal.dumps(code if lined else without_lines(code)))
    return made.read_bytes()


def without_lines(code: CodeType) -> CodeType:
    """Return code that does not know in which lines of its file it stood."""
    inner = tuple(without_lines(constant) if isinstance(constant, CodeType) else constant for constant in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=inner)


def add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file, always with the same date: the same sources make the same bytes."""
    if name.endswith(".py") and not name.startswith(AS_SOURCE):
        name, content = f"{name}c", compiled(name, content)
    archive.writestr(zipfile.ZipInfo(name), content)  # stored: it is compressed as a whole


def packed(files: list[Path]) -> bytes:
    """Return templates in an archive, stored: what is compressed once as a whole takes half of what each alone would."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for file in files:
            module = compiled(f"templates/{file.name}", file.read_bytes())
            archive.writestr(zipfile.ZipInfo(f"{file.name}c"), module)
    return buffer.getvalue()


def add_library(archive: zipfile.ZipFile) -> None:
    """Add the standard library, without what nobody imports here."""
    with zipfile.ZipFile(STANDARD) as library:
        for name in sorted(library.namelist()):
            folder, _, module = name.partition("/")
            needless = folder == "encodings" and module not in ENCODINGS
            if not (name.endswith("/") or needless or name.startswith(NOT_OF_THE_LIBRARY)):
                add(archive, name, library.read(name))


def in_small_pages(database: bytes) -> bytes:
    """Return a database of pages of 1 KB: each index has one of its own, and a phone keeps all of them at every change."""
    file = Path("/tmp/small.sqlite")
    file.write_bytes(database)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA page_size = 1024")
        connection.execute("VACUUM")
    return file.read_bytes()


def ready() -> tuple[list[Path], bytes]:
    """Run Companion once; return its templates as modules, and a database without any table."""
    from jinja2 import FileSystemLoader

    from companion.pocket import Phone, revision

    phone = Phone(Path("/phone"), None)
    phone.app.jinja_env.loader = FileSystemLoader(BUILD / "templates")
    phone.app.jinja_env.compile_templates(TEMPLATES, zip=None)
    database = in_small_pages(phone.kept().database)
    (BUILD / "schema").write_text(revision(database), "utf-8")
    return sorted(TEMPLATES.iterdir()), database


shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir()
(BUILD / "compiled").mkdir(exist_ok=True)
sys.path.insert(0, str(SITE))
templates, database = ready()
with zipfile.ZipFile(OUT / "python.zip", "w") as python, zipfile.ZipFile(OUT / "companion.zip", "w") as companion:
    add_library(python)
    for file in sorted(file for file in SITE.rglob("*") if file.is_file() and file.suffix != ".pyc"):
        name = file.relative_to(SITE).as_posix()
        if not name.startswith(NOT_OF_USE):
            add(companion if name.startswith(IN_FILES) else python, name, file.read_bytes())
    companion.writestr(zipfile.ZipInfo(TEMPLATES_FILE), packed(templates))
    add(companion, "empty.sqlite", database)
