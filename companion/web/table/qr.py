"""How does a link become a square that a phone's camera reads, and which address does it hold?"""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from urllib.parse import urlsplit

from flask import current_app, request, url_for
from markupsafe import Markup

QUIET = 4  # modules of white around a QR code, as its standard asks


def table_url(token: str) -> str:
    """Return a table's link as another phone can reach it: under PUBLIC_URL if that is set, else as this page was reached."""
    return public(url_for("table.enter", token=token))


def public(address: str) -> str:
    """Return one of our addresses with the host by which other phones reach it.

    The path of ``PUBLIC_URL``, if it has one, takes the place of the path that this page came by.
    """
    given = str(current_app.config.get("PUBLIC_URL") or "").rstrip("/")
    if not given:
        return request.host_url.rstrip("/") + address
    return given + (address.removeprefix(request.root_path) if urlsplit(given).path else address)


def modules(text: str) -> list[list[bool]]:
    """Return the squares of the QR code of a text, row by row with the quiet zone around them: True is dark."""
    import qrcode  # Companion inside a phone has nothing to scan
    from qrcode.constants import ERROR_CORRECT_M

    code = qrcode.QRCode(error_correction=ERROR_CORRECT_M, border=QUIET)
    code.add_data(text)
    code.make(fit=True)
    return [[bool(dark) for dark in row] for row in code.get_matrix()]


@lru_cache(maxsize=256)
def qr_picture(text: str) -> bytes:
    """Return the QR code of a text as a PNG, black and white, for browsers that draw nothing else: 6 pixels a square."""
    rows = modules(text)
    wide = len(rows) * 6
    lines = ["".join(("1", "0")[dark] * 6 for dark in row).ljust(-(-wide // 8) * 8, "0") for row in rows]
    drawn = b"".join((b"\0" + int(line, 2).to_bytes(len(line) // 8, "big")) * 6 for line in lines)
    head = struct.pack(">IIBBBBB", wide, wide, 1, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(drawn, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )


@lru_cache(maxsize=256)
def qr_code(text: str) -> Markup:
    """Return the QR code of a text as an SVG: dark modules on white with a quiet zone, in one path and without any style.

    The code survives damage to 15 % of its area (level M), which is plenty on a screen and keeps the modules large.
    """
    rows = modules(text)
    size = len(rows)
    path: list[str] = []
    for y, row in enumerate(rows):
        x = 0
        while x < size:
            if row[x]:
                start = x
                while x < size and row[x]:
                    x += 1
                path.append(f"M{start} {y}h{x - start}v1h-{x - start}z")
            else:
                x += 1
    return Markup(
        '<svg class="qr" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {0}" shape-rendering="crispEdges">'
        '<path fill="#fff" d="M0 0h{0}v{0}h-{0}z"/><path fill="#000" d="{1}"/></svg>'
    ).format(size, "".join(path))
