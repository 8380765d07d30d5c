#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the descriptions of scenes that are right: they name all shapes and say what is true.

    python3 check.py SCENES DESCRIPTIONS [--language en|de] [--wrong]

SCENES is a file NAME.scenes of generate.py, DESCRIPTIONS has a line for each of them ('-' is standard
input). --wrong lists the wrong descriptions, with one that is right.
"""

import argparse
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "phrasebook"))
from describe import LANGUAGES, all_descriptions, description  # noqa: E402
from scene import scenes_of  # noqa: E402
from script import run  # noqa: E402


def lines_of(path):
    if path == "-":
        return sys.stdin.read().splitlines()
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scenes")
    parser.add_argument("descriptions")
    parser.add_argument("--language", choices=sorted(LANGUAGES), default="en")
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    scenes = scenes_of(options.scenes, lines_of(options.scenes))
    descriptions = lines_of(options.descriptions)
    if len(scenes) != len(descriptions):
        sys.exit("check.py: {} has {} lines but {} has {}; expected a description of each scene".format(
            options.scenes, len(scenes), options.descriptions, len(descriptions)))
    right, seen = {}, {}
    for number, (shapes, said) in enumerate(zip(scenes, descriptions), start=1):
        good = said.strip() in all_descriptions(shapes, options.language)
        seen[len(shapes)] = seen.get(len(shapes), 0) + 1
        right[len(shapes)] = right.get(len(shapes), 0) + good
        if options.wrong and not good:
            print("{}: {}\n    right: {}".format(number, said, description(shapes, options.language)))
    for count in sorted(seen):
        print("{} {}: {} of {} right ({:.1f} %)".format(
            count, "shape" if count == 1 else "shapes", right[count], seen[count], 100 * right[count] / seen[count]))
    print("all: {} of {} right ({:.1f} %)".format(
        sum(right.values()), len(scenes), 100 * sum(right.values()) / max(1, len(scenes))))


if __name__ == "__main__":
    run(main)
