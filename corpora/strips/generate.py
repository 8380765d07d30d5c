#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins pictures of clothes from Fashion-MNIST to strips, with the names of the pictures.

    python3 generate.py [--data DIR] [--output DIR] [--seed N] [--train N] [--valid N] [--test N]

Writes NAME.idx (strips of 28 x 224 pixels with 3 to 8 pictures from the left) and NAME.en (their names),
NAME being train, valid and test. --data is a folder with the four archives of Fashion-MNIST, by default
that of Debian's package dataset-fashion-mnist. The same seed gives the same bytes on every Python version
from 3.9 on.
"""

import argparse
import gzip
import os
import struct
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "phrasebook"))
from chooser import Chooser  # noqa: E402
from script import run, whole_number  # noqa: E402

SEED = 1901
NAMES = ("top", "trousers", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "boot")
SIDE = 28  # height and width of a picture
FEWEST, MOST = 3, 8  # pictures of a strip
VALIDATION = 5000  # the last pictures of the training archive are for valid


def read_archive(path):
    """The numbers of an idx archive, without its header of `4 + 4 * dimensions` bytes."""
    with gzip.open(path) as file:
        content = file.read()
    return content[4 + 4 * content[3]:]


def rows_of(pictures, number):
    start = number * SIDE * SIDE
    return [pictures[start + row * SIDE:start + (row + 1) * SIDE] for row in range(SIDE)]


def write(folder, name, count, chooser, pictures, labels, numbers):
    width = MOST * SIDE
    with open(os.path.join(folder, name + ".idx"), "wb") as strips, \
            open(os.path.join(folder, name + ".en"), "w", encoding="utf-8", newline="\n") as texts:
        strips.write(struct.pack(">BBBBIII", 0, 0, 8, 3, count, SIDE, width))
        for _ in range(count):
            chosen = [chooser.pick(numbers) for _ in range(FEWEST + chooser.below(MOST - FEWEST + 1))]
            rows = [b"".join(parts) for parts in zip(*(rows_of(pictures, number) for number in chosen))]
            strips.write(b"".join(row.ljust(width, b"\0") for row in rows))
            texts.write(" ".join(NAMES[labels[number]] for number in chosen) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", default="/usr/share/datasets/fashion-mnist")
    parser.add_argument("--output", default=".", help="folder of the files; default: the working directory")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--train", type=whole_number, default=10000, help="number of strips to learn from")
    parser.add_argument("--valid", type=whole_number, default=300)
    parser.add_argument("--test", type=whole_number, default=500)
    options = parser.parse_args()
    archives = {}
    for part in ("train", "t10k"):
        paths = [os.path.join(options.data, "{}-{}.gz".format(part, kind))
                 for kind in ("images-idx3-ubyte", "labels-idx1-ubyte")]
        for path in paths:
            if not os.path.exists(path):
                sys.exit("generate.py: {} does not exist; install the package dataset-fashion-mnist, or give "
                         "the folder of the archives with --data".format(path))
        archives[part] = [read_archive(path) for path in paths]
    os.makedirs(options.output, exist_ok=True)
    train = len(archives["train"][1]) - VALIDATION
    ranges = {"train": ("train", range(train)), "valid": ("train", range(train, train + VALIDATION)),
              "test": ("t10k", range(len(archives["t10k"][1])))}
    for name, (part, numbers) in ranges.items():
        # Each file has random numbers of its own, so that its size does not change the others.
        write(options.output, name, getattr(options, name), Chooser("{} {}".format(options.seed, name)),
              *archives[part], numbers)


if __name__ == "__main__":
    run(main)
