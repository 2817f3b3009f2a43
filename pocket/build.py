"""Build Companion for phones that have no network: Python as WebAssembly, the packages and Companion, compiled and compressed.

``make pocket`` runs this. It takes the npm packages ``pyodide``, ``qr`` and ``fzstd`` and the packages that are installed
here, and leaves in ``companion/pocket_files`` what :mod:`companion.web.delivery.pocket` offers. npm and its node are the only
tools that it needs besides.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from math import ceil
from pathlib import Path
from zipfile import ZipFile

import brotli
from packaging.requirements import Requirement

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from companion.languages.catalogue import TEXT, compile_all  # noqa: E402  # as below
from companion.web.delivery import pocket  # noqa: E402  # it is not installed here, so its folder comes first

PYODIDE = "314.0.7"
UNPACK = "0.1.1"  # of the npm package fzstd, with which the pages of a folder of files unpack the rest (pocket/site.py)
QR = "0.7.0"  # the npm package that draws and reads codes where phones meet without a server
PLACE = {"python_version": "3.14", "python_full_version": "3.14.2", "sys_platform": "emscripten", "extra": ""}
PLATFORM = "pyemscripten_2026_0_wasm32"
COMPILED = "msgspec"  # the one package that is nothing without its C part; it has a wheel for this platform
OF_NO_USE = {".so", ".pyc", ".pyi", ".pyx", ".pxd", ".c", ".h", ".typed"}
LANGUAGES = {folder.name for folder in (ROOT / "companion" / "languages").iterdir()}
BRITISH = {"en_001", "en_GB"}  # as English dates are
LOCALES = {"global", "root", *BRITISH, *LANGUAGES, *(locale.partition("_")[0] for locale in LANGUAGES)}
# What Babel knows of languages and no page shows; of names, those of the languages here are enough
NOT_SHOWN = {
    *("all_currencies", "compact_currency_formats", "compact_decimal_formats", "compound_unit_patterns", "currency_fractions"),
    *("currency_names", "currency_names_plural", "currency_symbols", "currency_unit_patterns", "date_fields"),
    *("datetime_skeletons", "interval_formats", "likely_subtags", "meta_zones", "territory_currencies", "territory_languages"),
    *("territory_zones", "time_zones", "unit_display_names", "unit_patterns", "variants", "windows_zone_mapping"),
    *("zone_aliases", "zone_formats", "zone_territories"),
}
NAMED = {part for locale in LOCALES for part in locale.split("_")}
LEFT_OUT = {"brotli", "flask-compress", "gevent", "limits", "mnemonic"}  # they serve networks, or other phones

BUILD = ROOT / "build" / "pocket"
NODE_MODULES = BUILD / "node_modules"
SITE = BUILD / "site"
WHOLE, OUT = BUILD / "whole", BUILD / "out"  # what phones need, and that in parts
LOCK = "pyodide-lock.json"
PART = 2_000_000  # bytes before they are compressed: a download that was stopped goes on with the part that it had begun
CODES = {"qr.mjs": "index.js", "qr-decode.mjs": "decode.js"}  # by their names here
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


def main() -> None:
    """Build, and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="larger files, but soon: for whoever works on it")
    quick = parser.parse_args().quick
    packages = f"pyodide@{PYODIDE}", f"qr@{QR}", f"fzstd@{UNPACK}"
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", "--prefix", BUILD, *packages)
    for folder in (SITE, BUILD / "templates"):
        shutil.rmtree(folder, ignore_errors=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name in sorted(needed(project["dependencies"], set()) - {COMPILED}):
        copy_package(name)
    add_compiled()
    leave = shutil.ignore_patterns("__pycache__", pocket.FOLDER.name, TEXT)
    shutil.copytree(ROOT / "companion", SITE / "companion", ignore=leave)
    list(compile_all(ROOT / "companion" / "languages", SITE / "companion" / "languages"))
    shutil.copytree(ROOT / "templates", BUILD / "templates")
    run("node", HERE / "compile.mjs", NODE_MODULES / "pyodide", BUILD, HERE / "inside.py")
    divide()
    for file in PYTHON:
        shutil.copy(NODE_MODULES / "pyodide" / file, OUT / file)
    for name, file in CODES.items():
        script = (NODE_MODULES / "qr" / file).read_text("utf-8")
        (OUT / name).write_text(script.replace("'./index.js'", "'./qr.mjs'"), "utf-8")
    write(quick)


def run(*command: object) -> None:
    """Run a command; its trouble is ours."""
    subprocess.run([str(part) for part in command], check=True)


def needed(requirements: list[str], collected: set[str]) -> set[str]:
    """Return the packages that these requirements bring into a phone, with those in ``collected``."""
    for requirement in map(Requirement, requirements):
        name = requirement.name.lower().replace("_", "-")
        if name in collected | LEFT_OUT or (requirement.marker and not requirement.marker.evaluate(PLACE)):
            continue
        collected.add(name)
        needed(distribution(name).requires or [], collected)
    return collected


def copy_package(name: str) -> None:
    """Copy a package's Python files as they are installed here. What it has in C it has in Python, too, but slower."""
    for file in distribution(name).files or []:
        foreign = file.suffix == ".dat" and file.stem not in LOCALES
        if not foreign and file.suffix not in OF_NO_USE and file.parts[0] != ".." and not file.parts[0].endswith(".dist-info"):
            goal = SITE / file
            goal.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix == ".dat":
                goal.write_bytes(shown(file.locate().read_bytes()))
            else:
                shutil.copy(file.locate(), goal)


def shown(content: bytes) -> bytes:
    """Return of a file of Babel's what pages show."""
    parts = {part: value for part, value in pickle.loads(content).items() if part not in NOT_SHOWN}  # of packages here
    for part in {"languages", "scripts", "territories"} & parts.keys():
        parts[part] = {name: value for name, value in parts[part].items() if name in NAMED}
    return pickle.dumps(parts)


def add_compiled() -> None:
    """Add the package that comes compiled, of the version that is installed here."""
    version = distribution(COMPILED).version
    options = ["--quiet", "--no-deps", "--only-binary=:all:", "--python-version=3.14", "--implementation=cp", "--abi=cp314"]
    run(
        *(sys.executable, "-m", "pip", "install", *options, f"--platform={PLATFORM}", f"--target={SITE}"),
        f"{COMPILED}=={version}",
    )
    shutil.rmtree(SITE / f"{COMPILED}-{version}.dist-info")
    for needless in (SITE / COMPILED).glob("*.pyi"):
        needless.unlink()


def divide() -> None:
    """Part what the first start in a phone loads from the rest: later starts need the rest alone."""
    loading = subprocess.run(
        ["node", HERE / "loaded.mjs", NODE_MODULES / "pyodide", WHOLE], check=True, capture_output=True, text=True
    )
    loaded = set(json.loads(loading.stdout))
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    first_files, more_files = {}, {}
    with ZipFile(WHOLE / "python.zip") as archive, ZipFile(OUT / "more.zip", "w") as more:
        for file in archive.infolist():
            content = archive.read(file)
            if module_of(file.filename) in loaded:
                first_files[f"/library/{file.filename}"] = content  # from an archive, Python would read each of them twice
            else:
                more.writestr(file, content)  # stored: compressed as a whole, all of it takes two thirds
    with ZipFile(WHOLE / "companion.zip") as archive:
        for name in archive.namelist():
            content, path = archive.read(name), f"/companion/{name}"
            if name.endswith(".so"):
                (OUT / f"{COMPILED}.so").write_bytes(content)
                first_files[path] = b""  # it is loaded before Python, which looks whether it is there and reads nothing
            else:
                (first_files if module_of(name) in loaded else more_files)[path] = content
    (OUT / "first.pack").write_bytes(packed(first_files))
    (OUT / "more.pack").write_bytes(packed(more_files))


def module_of(file: str) -> str:
    """Return the name of a compiled module; nothing for other files."""
    return file.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".") if file.endswith(".pyc") else ""


def packed(files: dict[str, bytes]) -> bytes:
    """Return files in one, for ``static/js/pocket-memory.js``: a list of their names and lengths, then their contents."""
    contents = json.dumps([(path, len(content)) for path, content in files.items()]).encode()
    return b"".join([len(contents).to_bytes(4, "little"), contents, *files.values()])


def compressed(content: bytes, quick: bool) -> bytes:
    """Return it as small as it can be, unless it shall be quick."""
    smallest = BUILD / "compressed" / hashlib.sha256(content).hexdigest()
    if not smallest.exists() and not quick:  # it takes a minute, and most files are what they were the last time
        smallest.parent.mkdir(exist_ok=True)
        smallest.write_bytes(brotli.compress(content))
    return smallest.read_bytes() if smallest.exists() else brotli.compress(content, quality=4)


def write(quick: bool) -> None:
    """Write the files, each as small as it can be unless it shall be quick, and the list of them."""
    shutil.rmtree(pocket.FOLDER, ignore_errors=True)
    pocket.FOLDER.mkdir()
    files = {}
    digest = hashlib.sha256()
    lock = json.loads((NODE_MODULES / "pyodide" / LOCK).read_text("utf-8"))
    (OUT / LOCK).write_text(json.dumps({"info": lock["info"], "packages": {}}))  # it has to be there
    for file in sorted(OUT.iterdir()):
        content = file.read_bytes()
        step = ceil(len(content) / max(1, round(len(content) / PART)))
        parts = [content[place : place + step] for place in range(0, len(content), step)]
        small = [compressed(part, quick) for part in parts]
        name = hashlib.sha256(content).hexdigest()
        sizes = {"size": len(content), "sent": sum(map(len, small)), "parts": [len(part) for part in parts]}
        files[file.name] = {**sizes, "hash": name}
        for part, address in zip(small, pocket.File(**files[file.name]).addresses(file.name), strict=True):
            (pocket.FOLDER / f"{address}.br").write_bytes(part)
        digest.update(f"{file.name} {name}\n".encode())
    sources = pocket.sources(ROOT / "companion", ROOT / "templates")
    schema = (BUILD / "schema").read_text("utf-8")
    listing = {"sources": sources, "version": digest.hexdigest()[:10], "schema": schema, "files": files}
    (pocket.FOLDER / pocket.LIST).write_text(json.dumps(listing, indent=1))
    for name, sizes in files.items():
        print(f"{name:24} {sizes['size']:>10,} {sizes['sent']:>10,}")
    print(f"{'to load':24} {'':10} {sum(sizes['sent'] for sizes in files.values()):>10,}")


if __name__ == "__main__":
    main()
