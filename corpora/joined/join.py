#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins labelled sentences to long labelled documents.

    python3 join.py SENTENCES [--documents N] [--sentences N] [--seed N]

SENTENCES has lines LABEL<tab>SENTENCE; '-' is standard input. Each line of the result is the label of 60 to 90 %
of the sentences of a document, a tab, and these sentences in random order. The same seed gives the same bytes on
every Python version from 3.9 on.
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "phrasebook"))
from chooser import Chooser  # noqa: E402
from script import run, whole_number  # noqa: E402

LEAST_SHARE, MOST_SHARE = 0.6, 0.9  # of the sentences with the label of their document
FEWEST = 5  # sentences of a document: with fewer, these shares are not possible


def sentences_by_label(path):
    if path == "-":
        lines = sys.stdin
        lines.reconfigure(encoding="utf-8", errors="strict", newline="\n")
    else:
        lines = open(path, encoding="utf-8", newline="\n")
    found = {}
    for number, line in enumerate(lines, start=1):
        label, tab, sentence = line.rstrip("\r\n").partition("\t")
        if not tab:
            sys.exit("join.py: {}:{}: expected a label, a tab and a sentence".format(path, number))
        found.setdefault(label, []).append(sentence)
    if len(found) < 2:
        sys.exit("join.py: {}: found {} labels; expected at least two".format(path, len(found)))
    return found


def document(chooser, sentences, count):
    """The label and the sentences of a document."""
    labels = sorted(sentences)
    label = chooser.pick(labels)
    others = [other for other in labels if other != label]
    share = LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * chooser.below(1000) / 1000
    own = round(share * count)
    of_each = [label] * own + [chooser.pick(others) for _ in range(count - own)]
    return label, [chooser.pick(sentences[one]) for one in chooser.shuffled(of_each)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sentences_file", metavar="SENTENCES")
    parser.add_argument("--documents", type=whole_number, default=4000, help="number of documents")
    parser.add_argument("--sentences", type=whole_number, default=40, help="sentences of a document")
    parser.add_argument("--seed", type=int, default=1, help="of the random choices")
    options = parser.parse_args()
    if options.sentences < FEWEST:
        parser.error("--sentences {}: expected at least {}".format(options.sentences, FEWEST))
    sentences = sentences_by_label(options.sentences_file)
    chooser = Chooser(options.seed)
    for _ in range(options.documents):
        label, joined = document(chooser, sentences, options.sentences)
        sys.stdout.write(label + "\t" + " ".join(joined) + "\n")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    run(main)
