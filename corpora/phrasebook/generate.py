#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the phrasebook corpus: train, valid and test in English and German.

    python3 generate.py [--output DIR] [--seed N]

check.py checks what it wrote. The same seed gives the same bytes on every Python version from 3.9 on.
"""

import argparse
import os
import re
import sys

import grammar_coordination
import grammar_daily
import grammar_health
import grammar_positions
import grammar_questions
import grammar_relative
import grammar_shopping
import grammar_statements
import grammar_subordinate
import grammar_travel
from chooser import Chooser
from english import capitalise
from lexicon import FOLDER, Lexicon
from maker import Maker

SEED = 20260
SIZES = {"train": 20000, "valid": 500, "test": 1000}
GRAMMARS = ((grammar_statements, 30), (grammar_positions, 5), (grammar_questions, 18),
            (grammar_subordinate, 14), (grammar_coordination, 5), (grammar_relative, 10),
            (grammar_travel, 9), (grammar_shopping, 8), (grammar_daily, 9),
            (grammar_health, 3))
# A word of valid or test must have been seen at least so often in train.
SEEN_ENOUGH = 4
LONGEST = 22
# Part of the sentences of fewer than six words that is left out.
SHORT_LEFT_OUT = 0.5


def words(sentence):
    """Word types: punctuation at the edges does not count."""
    return [part for part in (re.sub(r"^\W+|\W+$", "", token) for token in sentence.split())
            if part]


def polish(sentence):
    """Capital at the beginning; a comma never stands before the final mark."""
    sentence = re.sub(r",([.?!])", r"\1", sentence)
    return capitalise(re.sub(r",,", ",", sentence))


def generate_pairs(seed, count):
    """count pairs in which neither an English nor a German sentence recurs."""
    chooser = Chooser(seed)
    maker = Maker(Lexicon(), chooser)
    patterns = []
    for grammar, weight in GRAMMARS:
        total = sum(part for _, part in grammar.PATTERNS)
        patterns += [(pattern, weight * part / total) for pattern, part in grammar.PATTERNS]
    pairs, seen_english, seen_german = [], set(), set()
    while len(pairs) < count:
        pair = chooser.weighted(patterns)(maker)
        if pair is None:
            continue
        source, target = polish(pair[0]), polish(pair[1])
        key, german_key = source.lower(), target.lower()
        if key in seen_english or german_key in seen_german:
            continue
        length = len(source.split())
        if length > LONGEST or length < 6 and chooser.chance(SHORT_LEFT_OUT):
            continue
        seen_english.add(key)
        seen_german.add(german_key)
        pairs.append((source, target))
    return pairs


def words_of_pair(pair):
    """Words marked by their language: "pack" is a word of both."""
    return [(language, word) for language, sentence in zip(("en", "de"), pair)
            for word in words(sentence)]


def split(pairs):
    """Hold out the pairs at regular distances whose words are common enough."""
    counts = {}
    for pair in pairs:
        for word in words_of_pair(pair):
            counts[word] = counts.get(word, 0) + 1
    parts = {"train": [], "valid": [], "test": []}
    distance = len(pairs) // (SIZES["valid"] + SIZES["test"])
    waiting = 0
    held_out = 0
    for index, pair in enumerate(pairs):
        if index % distance == 0:
            waiting += 1
        types = words_of_pair(pair)
        wanted = waiting and held_out < SIZES["valid"] + SIZES["test"]
        if wanted and all(counts[word] - types.count(word) >= SEEN_ENOUGH for word in types):
            for word in types:
                counts[word] -= 1
            parts["valid" if held_out % 3 == 0 else "test"].append(pair)
            held_out += 1
            waiting -= 1
        else:
            parts["train"].append(pair)
    return parts


def corpus(seed=SEED):
    """{file name: text} of the six files."""
    parts = split(generate_pairs(seed, sum(SIZES.values())))
    files = {}
    for name, pairs in parts.items():
        files[name + ".en"] = "".join(pair[0] + "\n" for pair in pairs)
        files[name + ".de"] = "".join(pair[1] + "\n" for pair in pairs)
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", default=FOLDER, help="folder of the files")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    for name, text in corpus(options.seed).items():
        with open(os.path.join(options.output, name), "w", encoding="utf-8",
                  newline="\n") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
