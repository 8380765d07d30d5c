# SPDX-License-Identifier: Apache-2.0
"""Scenes: what is in a picture, and the descriptions that are right for it."""

import json
import os
import sys

SIDE = 40  # height and width of a picture in pixels

COLOURS = {"red": (200, 50, 45), "green": (50, 165, 70), "blue": (60, 90, 210), "yellow": (215, 195, 60),
           "purple": (150, 65, 175), "white": (215, 215, 210)}
SHAPES = ("circle", "square", "triangle", "ring", "cross", "diamond")
SIZES = {"small": (3.0, 4.0), "large": (6.0, 7.5)}  # half of the width, in pixels, from and to
# Each relation, and the one that says the same of the other shape.
RELATIONS = {"left": "right", "right": "left", "above": "below", "below": "above"}
PLACES = {(0, 0): "in the top left", (1, 0): "at the top", (2, 0): "in the top right",
          (0, 1): "on the left", (1, 1): "in the middle", (2, 1): "on the right",
          (0, 2): "in the bottom left", (1, 2): "at the bottom", (2, 2): "in the bottom right"}
CLEARLY = 1.5  # a shape is left of another one if it is this much further left than above or below


class Shape:
    """A shape with its centre and half of its width in pixels."""

    def __init__(self, shape, colour, size, x, y, radius):
        self.shape, self.colour, self.size = shape, colour, size
        self.x, self.y, self.radius = x, y, radius

    def is_a(self, other):
        """True if the same words describe both."""
        return (self.shape, self.colour, self.size) == (other.shape, other.colour, other.size)

    def place(self):
        """The column and the row of the third of the picture with the centre."""
        return min(2, int(self.x * 3 / SIDE)), min(2, int(self.y * 3 / SIDE))


def relation(one, other):
    """How `one` lies to `other`; None if it is not clear."""
    across, down = one.x - other.x, one.y - other.y
    if abs(across) > CLEARLY * abs(down):
        return "left" if across < 0 else "right"
    if abs(down) > CLEARLY * abs(across):
        return "above" if down < 0 else "below"
    return None


def line_of(shapes):
    """The scene as a line of JSON."""
    return json.dumps([[s.shape, s.colour, s.size, round(s.x, 2), round(s.y, 2), round(s.radius, 2)]
                       for s in shapes])


def scene_of(line):
    return [Shape(*values) for values in json.loads(line)]


def scenes_of(name, lines):
    """The scenes of the lines of a file; a line that is none ends the script with a message."""
    scenes = []
    for number, line in enumerate(lines, start=1):
        try:
            scenes.append(scene_of(line))
        except (ValueError, TypeError):
            sys.exit("{}: {}:{}: expected a scene, as generate.py writes it".format(
                os.path.basename(sys.argv[0]), name, number))
    return scenes
