"""What is sent of a script? Its code: comments are for whoever reads the file, and were a fifth of a first visit's scripts.

Each comment leaves its line breaks behind, so that an error names the line of the file.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from flask import Response, send_file

# Only those that have their lines for themselves: behind code, two slashes may belong to an address
_COMMENT: Final = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/)$", re.MULTILINE)


def send(name: str, folder: Path) -> Response | None:
    """Return a script as it is sent; None for any other file.

    Args:
        name: of a file below ``folder``, such as ``js/outbox.js``.
        folder: the application's static files.
    """
    file = folder / name
    if not (name.startswith("js/") and name.endswith(".js") and file.is_file()):
        return None
    script = sent(file).encode()
    return send_file(BytesIO(script), "text/javascript", etag=hashlib.sha256(script).hexdigest())


@cache
def sent(file: Path) -> str:
    """Return a script as it is sent, made once a file: ``"// why\\nlet a;"`` becomes ``"\\nlet a;"``."""
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), file.read_text("utf-8"))
