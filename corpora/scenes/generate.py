#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws scenes of coloured shapes and describes them in English and German.

    python3 generate.py [--output DIR] [--seed N] [--train N] [--valid N] [--test N] [--descriptions N]
                        [--turned]

Writes NAME.idx (the pictures), NAME.en and NAME.de (a description each) and NAME.scenes (what is in
each picture, for check.py), NAME being train, valid and test. With --descriptions above 1 also
train.2.en, train.2.de and so on: others of the same pictures, as far as there are any. With --turned
also turned.idx, turned.en and turned.de: the pictures to learn from that show three shapes, turned
and mirrored in the seven other ways, with a description each. The same seed gives the same bytes on
every Python version from 3.9 on.
"""

import argparse
import hashlib
import os
import struct
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "phrasebook"))
from chooser import Chooser  # noqa: E402

from describe import all_descriptions, description  # noqa: E402
from draw import NOISE, picture  # noqa: E402
from scene import COLOURS, SHAPES, SIDE, SIZES, Shape, line_of, relation, scene_of  # noqa: E402
from script import run, whole_number  # noqa: E402
from turn import TURNS, turned_picture, turned_shapes  # noqa: E402

SEED = 1874
HEADER = 20  # bytes of an idx archive before its pictures
GRAIN = 1 << 20  # fractions are multiples of one part in so many
COUNTS = (1, 2, 2, 2, 3, 3)  # shapes of a scene: each number is as probable as the next
OVERLAP = 0.75  # centres are at least this share of the sum of both radii apart
MARGIN = 1  # pixels between the centre's third of the picture and the next, for scenes of one shape


def header(count):
    """The first HEADER bytes of an archive of pictures."""
    return struct.pack(">BBBBIIII", 0, 0, 8, 4, count, SIDE, SIDE, 3)


def between(chooser, low, high):
    return low + (high - low) * chooser.below(GRAIN) / GRAIN


def random_shape(chooser):
    size = chooser.pick(sorted(SIZES))
    radius = between(chooser, *SIZES[size])
    x, y = (between(chooser, radius + 1, SIDE - radius - 1) for _ in range(2))
    return Shape(chooser.pick(SHAPES), chooser.pick(sorted(COLOURS)), size, x, y, radius)


def apart(one, other):
    across, down, least = one.x - other.x, one.y - other.y, OVERLAP * (one.radius + other.radius)
    return across * across + down * down >= least * least


def in_one_third(shape):
    """True if the centre is not near the border of a third of the picture."""
    borders = (SIDE / 3, 2 * SIDE / 3)
    return all(abs(centre - border) >= MARGIN for centre in (shape.x, shape.y) for border in borders)


def random_scene(chooser):
    """Shapes that are not described by the same words; the first has a clear relation to the others."""
    count = chooser.pick(COUNTS)
    while True:
        shapes = [random_shape(chooser) for _ in range(count)]
        pairs = [(one, other) for i, one in enumerate(shapes) for other in shapes[:i]]
        if count == 1 and not in_one_third(shapes[0]):
            continue
        if any(one.is_a(other) or not apart(one, other) for one, other in pairs):
            continue
        if all(relation(shapes[0], other) for other in shapes[1:]):
            return shapes


def noise_of(name):
    """A number from 0 to NOISE - 1 for each byte of a picture."""
    size = SIDE * SIDE * 3
    few = int.from_bytes(bytes([NOISE - 1]) * size, "little")
    random = int.from_bytes(hashlib.shake_256(name.encode()).digest(size), "little")
    return (random & few).to_bytes(size, "little")


def write(folder, name, count, seed):
    # Each file has random numbers of its own, so that its size does not change the others.
    chooser = Chooser("{} {}".format(seed, name))
    paths = {kind: os.path.join(folder, name + "." + kind) for kind in ("idx", "en", "de", "scenes")}
    texts = {kind: open(paths[kind], "w", encoding="utf-8", newline="\n") for kind in ("en", "de", "scenes")}
    with open(paths["idx"], "wb") as pictures:
        pictures.write(header(count))
        for number in range(count):
            shapes = random_scene(chooser)
            background = [20 + chooser.below(30) for _ in range(3)]
            noise = noise_of("{} {} {}".format(seed, name, number))
            pictures.write(picture(shapes, background, noise))
            texts["scenes"].write(line_of(shapes) + "\n")
            for language in ("en", "de"):
                texts[language].write(description(shapes, language) + "\n")
    for file in texts.values():
        file.close()


def write_others(folder, name, count, seed):
    """The second to the `count`th description of each scene, which differ if there are enough."""
    chooser = Chooser("{} {} descriptions".format(seed, name))
    with open(os.path.join(folder, name + ".scenes"), encoding="utf-8") as lines:
        scenes = [scene_of(line) for line in lines]
    for language in ("en", "de"):
        with open(os.path.join(folder, "{}.{}".format(name, language)), encoding="utf-8") as lines:
            firsts = lines.read().splitlines()
        paths = [os.path.join(folder, "{}.{}.{}".format(name, number, language)) for number in range(2, count + 1)]
        texts = [open(path, "w", encoding="utf-8", newline="\n") for path in paths]
        for shapes, first in zip(scenes, firsts):
            left = sorted(all_descriptions(shapes, language) - {first})
            said = [first]
            while left:
                said.append(left.pop(chooser.below(len(left))))
            for number, text in enumerate(texts, start=1):
                text.write(said[number % len(said)] + "\n")
        for text in texts:
            text.close()


def write_turned(folder, name, seed):
    """turned.idx, turned.en and turned.de: the pictures of `name` with three shapes, turned and mirrored."""
    chooser = Chooser("{} {} turned".format(seed, name))
    with open(os.path.join(folder, name + ".scenes"), encoding="utf-8") as lines:
        scenes = [scene_of(line) for line in lines]
    paths = {kind: os.path.join(folder, "turned." + kind) for kind in ("idx", "en", "de")}
    texts = {kind: open(paths[kind], "w", encoding="utf-8", newline="\n") for kind in ("en", "de")}
    size = SIDE * SIDE * 3
    with open(os.path.join(folder, name + ".idx"), "rb") as originals, open(paths["idx"], "wb") as pictures:
        originals.seek(HEADER)
        count = len(TURNS) * sum(len(shapes) == max(COUNTS) for shapes in scenes)
        pictures.write(header(count))
        for shapes in scenes:
            pixels = originals.read(size)
            if len(shapes) < max(COUNTS):
                continue
            for turn in TURNS:
                pictures.write(turned_picture(pixels, turn))
                turned = turned_shapes(shapes, turn)
                for language in ("en", "de"):
                    texts[language].write(chooser.pick(sorted(all_descriptions(turned, language))) + "\n")
    for file in texts.values():
        file.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", default=".", help="folder of the files; default: the working directory")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--train", type=whole_number, default=10000, help="number of pictures to learn from")
    parser.add_argument("--valid", type=whole_number, default=500)
    parser.add_argument("--test", type=whole_number, default=1000)
    parser.add_argument("--descriptions", type=whole_number, default=1, help="of each picture to learn from")
    parser.add_argument("--turned", action="store_true",
                        help="also write the pictures to learn from with three shapes turned and mirrored")
    options = parser.parse_args()
    if options.descriptions < 1:
        parser.error("--descriptions 0: expected at least 1")
    os.makedirs(options.output, exist_ok=True)
    for name in ("train", "valid", "test"):
        write(options.output, name, getattr(options, name), options.seed)
    write_others(options.output, "train", options.descriptions, options.seed)
    if options.turned:
        write_turned(options.output, "train", options.seed)


if __name__ == "__main__":
    run(main)
