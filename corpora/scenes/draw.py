# SPDX-License-Identifier: Apache-2.0
"""Pictures of scenes: shapes with smooth edges on a dark, noisy background."""

from math import ceil, floor, sqrt

from scene import COLOURS, SIDE

BRIGHTEST = 239  # before noise from 0 to 15 is added to each number
NOISE = 16
SLOPE = sqrt(5)  # the sides of a triangle rise twice as fast as they move


def distance(shape, radius, x, y):
    """How far a point is outside the edge of a shape around the origin, in pixels, about; negative: inside."""
    if shape == "circle":
        return sqrt(x * x + y * y) - radius
    if shape == "ring":
        return abs(sqrt(x * x + y * y) - 0.75 * radius) - 0.25 * radius
    if shape == "square":
        return max(abs(x), abs(y)) - 0.9 * radius
    if shape == "diamond":
        return (abs(x) + abs(y) - 1.15 * radius) / sqrt(2)
    if shape == "cross":
        return max(min(abs(x), abs(y)) - 0.3 * radius, max(abs(x), abs(y)) - radius)
    # A triangle: the tip at the top, the base at the bottom.
    return max(y - 0.9 * radius, (2 * abs(x) - y - 1.0 * radius) / SLOPE)


def picture(shapes, background, noise):
    """The pixels of a scene, three bytes each; later shapes hide earlier ones. `noise`: as many bytes."""
    pixels = bytearray(bytes(background) * (SIDE * SIDE))
    for shape in shapes:
        colour = COLOURS[shape.colour]
        reach = 1.2 * shape.radius + 1
        for row in range(max(0, floor(shape.y - reach)), min(SIDE, ceil(shape.y + reach) + 1)):
            for column in range(max(0, floor(shape.x - reach)), min(SIDE, ceil(shape.x + reach) + 1)):
                outside = distance(shape.shape, shape.radius, column + 0.5 - shape.x, row + 0.5 - shape.y)
                if outside >= 0.5:
                    continue
                covered = min(1.0, 0.5 - outside)
                at = 3 * (row * SIDE + column)
                for channel in range(3):
                    old = pixels[at + channel]
                    pixels[at + channel] = int(old + covered * (colour[channel] - old) + 0.5)
    # No sum is above 255, so that adding long numbers adds the bytes.
    total = int.from_bytes(pixels, "little") + int.from_bytes(noise, "little")
    return total.to_bytes(len(pixels), "little")
