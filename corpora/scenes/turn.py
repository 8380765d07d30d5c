# SPDX-License-Identifier: Apache-2.0
"""The seven other ways to turn and mirror a scene."""

from itertools import product

from scene import SIDE, Shape

PIXEL = 3  # bytes
# (columns become rows, the rows are reversed, the columns are reversed), without "no change".
TURNS = tuple(turn for turn in product((False, True), repeat=3) if any(turn))


def turned_shapes(shapes, turn):
    columns_to_rows, rows_reversed, columns_reversed = turn
    found = []
    for shape in shapes:
        x, y = (shape.y, shape.x) if columns_to_rows else (shape.x, shape.y)
        x, y = (SIDE - x if columns_reversed else x), (SIDE - y if rows_reversed else y)
        found.append(Shape(shape.shape, shape.colour, shape.size, x, y, shape.radius))
    return found


def turned_picture(pixels, turn):
    """The bytes of a picture after the same turn."""
    columns_to_rows, rows_reversed, columns_reversed = turn
    row = SIDE * PIXEL
    rows = [[pixels[at:at + PIXEL] for at in range(first, first + row, PIXEL)]
            for first in range(0, SIDE * row, row)]
    if columns_to_rows:
        rows = list(zip(*rows))
    if rows_reversed:
        rows = rows[::-1]
    return b"".join(b"".join(line[::-1] if columns_reversed else line) for line in rows)
