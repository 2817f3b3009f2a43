"""What does a phone read in a QR code? From the picture's dark modules back to its text."""

from __future__ import annotations

import re

BLOCKS = {3: 1, 4: 2, 5: 2, 6: 4}  # of equal length, by version at level M
DATA = {3: 44, 4: 64, 5: 86, 6: 108}  # codewords of data, by version at level M

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"

MASKS = (
    lambda row, column: (row + column) % 2,
    lambda row, column: row % 2,
    lambda row, column: column % 3,
    lambda row, column: (row + column) % 3,
    lambda row, column: (row // 2 + column // 3) % 2,
    lambda row, column: row * column % 2 + row * column % 3,
    lambda row, column: (row * column % 2 + row * column % 3) % 2,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2,
)


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
    """Return the text of a QR code of version 3 to 6 at level M."""
    dark, width = modules(svg)
    quiet = min(row for row, _ in dark)
    size = width - 2 * quiet
    version = (size - 17) // 4
    grid = [[(row + quiet, column + quiet) in dark for column in range(size)] for row in range(size)]
    assert (grid[8][0], grid[8][1]) == (True, False), "level M"
    mask = MASKS[4 * (not grid[8][2]) + 2 * grid[8][3] + (not grid[8][4])]
    stream = list(bits(grid, size, mask))
    words = [int("".join(map(str, stream[start : start + 8])), 2) for start in range(0, len(stream) - 7, 8)]
    blocks = BLOCKS[version]
    data = [words[place] for block in range(blocks) for place in range(block, DATA[version], blocks)]
    return text("".join(f"{word:08b}" for word in data))


def text(line):
    """Return what the pieces of a bit stream say, each in the writing that its first four bits name."""
    said, place = "", 0

    def take(count):
        nonlocal place
        place += count
        return int(line[place - count : place] or "0", 2)

    while mode := take(4):
        if mode == 0b0100:
            said += bytes([take(8) for _ in range(take(8))]).decode()
        elif mode == 0b0010:
            left = take(9)
            for _ in range(left // 2):
                pair = take(11)
                said += LETTERS[pair // 45] + LETTERS[pair % 45]
            said += LETTERS[take(6)] if left % 2 else ""
        else:
            assert mode == 0b0001, "digits"
            left = take(10)
            for _ in range(left // 3):
                said += f"{take(10):03}"
            said += f"{take(7):02}" if left % 3 == 2 else f"{take(4)}" if left % 3 else ""
    return said


def bits(grid, size, mask):
    """Yield the bits in the order in which they are laid: up and down columns of two, from the right, around what is fixed."""
    upwards = True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        for row in range(size - 1, -1, -1) if upwards else range(size):
            for column in (right, right - 1):
                if not fixed(row, column, size):
                    yield int(grid[row][column] ^ (mask(row, column) == 0))
        upwards = not upwards


def fixed(row, column, size):
    """Return whether the module carries no text: the corners, the dotted lines between them, and the small square."""
    corner = (row < 9 and column < 9) or (row < 9 and column >= size - 8) or (row >= size - 8 and column < 9)
    square = size - 9 <= row <= size - 5 and size - 9 <= column <= size - 5
    return corner or square or row == 6 or column == 6
