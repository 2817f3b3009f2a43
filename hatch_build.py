"""What does a wheel hold that no checkout has? The catalogues compiled, so that a server and a phone read them at once."""

from __future__ import annotations

import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LANGUAGES = "companion/languages"


class Catalogues(BuildHookInterface[Any]):
    """Put each catalogue into the wheel as a file of gettext's own. An editable install reads the texts, which change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what is translated, away from the checkout."""
        if version != "standard":
            return
        root = Path(self.root) / LANGUAGES
        self.made = Path(tempfile.mkdtemp())
        for compiled in catalogue(root).compile_all(root, self.made):
            build_data["force_include"][str(compiled)] = f"{LANGUAGES}/{compiled.relative_to(self.made).as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel has taken in."""
        if version == "standard":
            shutil.rmtree(self.made)


def catalogue(root: Path) -> Any:
    """Return the module that reads catalogues, alone: what the rest of Companion needs is not there while it is built."""
    found = importlib.util.spec_from_file_location("catalogue", root / "catalogue.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules["catalogue"] = module
    found.loader.exec_module(module)
    return module
