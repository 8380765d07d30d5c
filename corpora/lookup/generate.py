#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes long documents with a question at the front and its answer anywhere far away.

    python3 generate.py [--output DIR] [--seed N] [--tokens N] [--short N] [--train N] [--test N]

Writes short.tsv, train.tsv, valid.tsv and test.tsv with lines CLASS<tab>DOCUMENT. A document of
valid.tsv and test.tsv has --tokens words; those of train.tsv have many lengths up to it, those of
short.tsv at most 47. The same seed gives the same bytes on every Python version from 3.9 on.
"""

import argparse
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "phrasebook"))
from chooser import Chooser  # noqa: E402
from script import run, whole_number  # noqa: E402

SEED = 1066
SHORTEST = 24  # words of a document in short.tsv and train.tsv

STONES = ("amber", "garnet", "jade", "onyx", "opal", "pearl", "ruby", "topaz")
PLACES = ("north", "south", "east", "west")
FACTS = 4  # in a document of valid.tsv and test.tsv: the answer and three about other stones
TELLING = 4  # words of a fact
# Nothing that is said here tells anything about stones and places.
PADDING = ("the wind moved over the grass", "a heron stood in the shallow water",
           "rain came and went", "somebody sang behind the wall", "the road climbed slowly",
           "an old dog slept in the sun", "smoke rose from two chimneys",
           "the boats waited for the tide", "leaves fell into the well",
           "children counted the geese", "a cart passed with wet hay",
           "the bell was silent for a week", "bread cooled on the sill",
           "frost held until noon", "the miller mended his roof",
           "moths gathered at the lamp")


def fact(stone, place):
    return "the {} lies {}".format(stone, place).split()


def document(chooser, length, facts):
    """The words of a document of this length with this number of facts, and its class."""
    stones = chooser.shuffled(STONES)[:facts]
    places = chooser.shuffled(PLACES)  # no two stones lie at the same place
    words = "where lies the {}".format(stones[0]).split()
    # Facts do not touch each other, and are in the last seven eighths of the document.
    first = max(len(words), length // 8)
    free = length - first - facts * TELLING
    starts = sorted(chooser.below(free + 1) for _ in stones)
    tellings = chooser.shuffled(list(zip(stones, places)))
    for number, (start, told) in enumerate(zip(starts, tellings)):
        fill(words, first + start + number * TELLING, chooser)
        words += fact(*told)
    fill(words, length, chooser)
    return words, places[0]


def fill(words, length, chooser):
    """Appends padding up to a length."""
    while len(words) < length:
        words += chooser.pick(PADDING).split()
    del words[length:]


def length_of_training(chooser, longest):
    """A length between the shortest and the longest: each doubling is as probable as the next."""
    lengths = [SHORTEST]
    while 2 * lengths[-1] <= longest:
        lengths.append(2 * lengths[-1])
    least = chooser.pick(lengths)
    return min(longest, least + chooser.below(least))


def write(path, count, chooser, length, facts):
    """Writes documents whose lengths and numbers of facts are the results of two functions."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for _ in range(count):
            words, label = document(chooser, length(), facts())
            file.write(label + "\t" + " ".join(words) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", default=".", help="folder of the files")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--tokens", type=whole_number, default=4096, help="words of a document")
    parser.add_argument("--short", type=whole_number, default=100000, help="documents of short.tsv")
    parser.add_argument("--train", type=whole_number, default=2000, help="documents of train.tsv")
    parser.add_argument("--test", type=whole_number, default=400, help="documents of test.tsv")
    options = parser.parse_args()
    if options.tokens < SHORTEST:
        parser.error("--tokens {}: expected at least {}".format(options.tokens, SHORTEST))
    os.makedirs(options.output, exist_ok=True)
    chooser = Chooser(options.seed)
    # Documents with few facts are easier, so that a network finds the rule sooner.
    some = lambda: 1 + chooser.below(FACTS)
    for name, count, length, facts in (
            ("short", options.short, lambda: SHORTEST + chooser.below(SHORTEST), some),
            ("train", options.train, lambda: length_of_training(chooser, options.tokens), some),
            ("valid", 100, lambda: options.tokens, lambda: FACTS),
            ("test", options.test, lambda: options.tokens, lambda: FACTS)):
        write(os.path.join(options.output, name + ".tsv"), count, chooser, length, facts)


if __name__ == "__main__":
    run(main)
