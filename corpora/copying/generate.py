#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes sequences to copy: each target is its source.

    python3 generate.py [--output DIR] [--seed N]

Writes train.txt and valid.txt with sequences of 1 to 20 symbols, and test-N.txt with sequences of
N symbols each. A file serves as source and as target. The same seed gives the same bytes on every
Python version from 3.9 on.
"""

import argparse
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "phrasebook"))
from chooser import Chooser  # noqa: E402
from script import run  # noqa: E402

SEED = 1936
SYMBOLS = tuple("abcdefghijklmnop")
LONGEST = 20  # of the training text
SIZES = {"train": 20000, "valid": 200}
TESTS = (10, 20, 30, 50, 80, 120)
TEST_SIZE = 200


def sequence(chooser, length):
    return " ".join(chooser.pick(SYMBOLS) for _ in range(length)) + "\n"


def corpus(seed=SEED):
    """{name of the file: text}."""
    chooser = Chooser(seed)
    files = {}
    for name, size in SIZES.items():
        lengths = range(1, LONGEST + 1)
        files[name] = "".join(sequence(chooser, chooser.pick(lengths)) for _ in range(size))
    for length in TESTS:
        files[f"test-{length}"] = "".join(sequence(chooser, length) for _ in range(TEST_SIZE))
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", default=".", help="folder of the files")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    for name, text in corpus(options.seed).items():
        with open(os.path.join(options.output, name + ".txt"), "w", encoding="utf-8",
                  newline="\n") as file:
            file.write(text)


if __name__ == "__main__":
    run(main)
