"""What does a phone read in a QR code? From the picture's dark modules back to its text."""

from __future__ import annotations

import re

import zxingcpp

PIXELS = 4  # a module's width in the picture that is read


def modules(svg):
    """Return the dark modules of a QR code in SVG, and the width of the picture in modules."""
    width = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    path = re.search(r'fill="#000" d="([^"]*)"', svg)[1]
    dark = set()
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path):
        dark |= {(int(y), int(x) + step) for step in range(int(length))}
    assert re.sub(r"M\d+ \d+h(\d+)v1h-\1z", "", path) == ""
    return dark, width


def read(svg):
    """Return the text of a QR code."""
    dark, width = modules(svg)
    across = range(width * PIXELS)
    pixels = bytes([0 if (y // PIXELS, x // PIXELS) in dark else 255 for y in across for x in across])
    code = zxingcpp.read_barcode(memoryview(pixels).cast("B", shape=(len(across), len(across))))
    assert code is not None, "no phone can read this code"
    return code.text
