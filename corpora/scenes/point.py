#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the pointing game: does the attention on the name of a shape fall on that shape?

    gloss align -m MODEL --source test.idx --target captions --format json | python3 point.py test.scenes

Reads the attention on English descriptions. For each shape that a description names, the place with the
highest weight for its noun must touch the shape. Descriptions of shapes that are not there are counted, but
not looked at.
"""

import argparse
import json
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "phrasebook"))
from scene import SHAPES, SIDE, scenes_of  # noqa: E402
from script import run  # noqa: E402


def touches(place, rows, columns, shape):
    """True if the square of a place, counted from 0, and the square around a shape overlap."""
    height, width = SIDE / rows, SIDE / columns
    top, left = place // columns * height, place % columns * width
    return (left < shape.x + shape.radius and left + width > shape.x - shape.radius and
            top < shape.y + shape.radius and top + height > shape.y - shape.radius)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scenes")
    options = parser.parse_args()
    with open(options.scenes, encoding="utf-8") as file:
        scenes = scenes_of(options.scenes, file)
    hits = nouns = absent = 0
    for number, line in enumerate(sys.stdin):
        if number == len(scenes):
            sys.exit("point.py: {} has {} scenes, but there is attention on more".format(options.scenes, number))
        try:
            pair = json.loads(line)
            rows, columns = (int(size) for size in pair["source"][-1].split(","))
        except (ValueError, TypeError, LookupError):
            sys.exit("point.py: line {} of standard input: expected what 'gloss align --format json' writes "
                     "about images".format(number + 1))
        words = pair["target"]
        for at, word in enumerate(words):
            if word not in SHAPES or at < 2:
                continue
            named = [s for s in scenes[number] if [s.size, s.colour, s.shape] == words[at - 2:at + 1]]
            if not named:
                absent += 1
                continue
            weights = pair["maps"][0]["weights"][at]
            nouns += 1
            hits += touches(weights.index(max(weights)), rows, columns, named[0])
    print("{} of {} nouns point at their shape ({:.1f} %); {} name a shape that is not there".format(
        hits, nouns, 100 * hits / max(1, nouns), absent))


if __name__ == "__main__":
    run(main)
