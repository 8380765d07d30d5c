#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the corpus: morphology by hand-written forms, files, splits, words.

    python3 check.py [--output DIR] [--seed N]    the options that generate.py had
"""

import argparse
import os
import sys

import english
import generate
import german
from lexicon import FOLDER, Lexicon
from phrases import noun_phrase, pronoun

# (determiner, adjectives, noun, number, case, expected)
NOUN_PHRASES = (
    ("the", "", "boy", "singular", "accusative", "den Jungen"),
    ("the", "", "boy", "singular", "genitive", "des Jungen"),
    ("a", "", "student", "singular", "dative", "einem Studenten"),
    ("my", "", "neighbour", "singular", "accusative", "meinen Nachbarn"),
    ("the", "", "neighbour", "singular", "genitive", "des Nachbarn"),
    ("the", "", "name", "singular", "genitive", "des Namens"),
    ("the", "", "name", "singular", "dative", "dem Namen"),
    ("a", "old", "man", "singular", "nominative", "ein alter Mann"),
    ("the", "old", "man", "singular", "nominative", "der alte Mann"),
    ("a", "old", "man", "singular", "accusative", "einen alten Mann"),
    ("no", "new", "book", "singular", "nominative", "kein neues Buch"),
    ("this", "new", "book", "singular", "accusative", "dieses neue Buch"),
    ("my", "small", "sister", "singular", "dative", "meiner kleinen Schwester"),
    ("", "cold", "water", "singular", "nominative", "kaltes Wasser"),
    ("", "cold", "milk", "singular", "dative", "kalter Milch"),
    ("", "fresh", "apple", "plural", "dative", "frischen Äpfeln"),
    ("", "fresh", "apple", "plural", "nominative", "frische Äpfel"),
    ("the", "fresh", "apple", "plural", "nominative", "die frischen Äpfel"),
    ("no", "good", "idea", "plural", "accusative", "keine guten Ideen"),
    ("the", "expensive", "watch", "singular", "nominative", "die teure Armbanduhr"),
    ("a", "high", "tower", "singular", "nominative", "ein hoher Turm"),
    ("a", "tired", "cat", "singular", "nominative", "eine müde Katze"),
    ("the", "", "child", "plural", "dative", "den Kindern"),
    ("the", "", "car", "plural", "dative", "den Autos"),
    ("the", "", "house", "singular", "genitive", "des Hauses"),
    ("the", "", "trousers", "plural", "nominative", "die Hose"),
    ("my", "", "glasses", "plural", "accusative", "meine Brille"),
    ("our", "", "parents", "plural", "dative", "unseren Eltern"),
    ("every", "", "room", "singular", "nominative", "jedes Zimmer"),
    ("which", "", "bus", "singular", "accusative", "welchen Bus"),
    ("some", "red", "rose", "plural", "nominative", "einige rote Rosen"),
    ("her", "blue", "dress", "singular", "genitive", "ihres blauen Kleides"),
)
# (infinitive, irregular er form, person, number, expected)
PRESENT = (
    ("lesen", "liest", 2, "singular", "liest"), ("fahren", "fährt", 2, "singular", "fährst"),
    ("ein|laden", "lädt", 2, "singular", "lädst"), ("arbeiten", None, 2, "singular", "arbeitest"),
    ("arbeiten", None, 3, "singular", "arbeitet"), ("öffnen", None, 3, "singular", "öffnet"),
    ("lernen", None, 3, "singular", "lernt"), ("wechseln", None, 1, "singular", "wechsle"),
    ("wechseln", None, 3, "singular", "wechselt"), ("füttern", None, 1, "singular", "füttere"),
    ("wandern", None, 1, "plural", "wandern"), ("sitzen", None, 2, "singular", "sitzt"),
    ("heißen", None, 2, "singular", "heißt"), ("sein", None, 2, "plural", "seid"),
    ("müssen", None, 1, "singular", "muss"), ("nehmen", "nimmt", 2, "singular", "nimmst"),
    ("warten", None, 2, "plural", "wartet"), ("zeichnen", None, 3, "singular", "zeichnet"),
)
PARTICIPLES = (
    ("kaufen", "gekauft"), ("ein|kaufen", "eingekauft"), ("besuchen", "besucht"),
    ("reparieren", "repariert"), ("um|tauschen", "umgetauscht"), ("öffnen", "geöffnet"),
    ("verkaufen", "verkauft"), ("warten", "gewartet"),
)
IMPERATIVES = (
    ("lesen", "liest", "du", "lies"), ("nehmen", "nimmt", "du", "nimm"),
    ("fahren", "fährt", "du", "fahr"), ("warten", None, "du", "warte"),
    ("öffnen", None, "du", "öffne"), ("helfen", "hilft", "du", "hilf"),
    ("helfen", "hilft", "Sie", "helfen"), ("helfen", "hilft", "ihr", "helft"),
    ("essen", "isst", "du", "iss"),
)
NUMBERS = ((1, "eins"), (16, "sechzehn"), (17, "siebzehn"), (21, "einundzwanzig"),
           (30, "dreißig"), (76, "sechsundsiebzig"), (101, "einhunderteins"),
           (365, "dreihundertfünfundsechzig"), (1000, "eintausend"))
ORDINALS = ((1, "erst"), (3, "dritt"), (7, "siebt"), (8, "acht"), (19, "neunzehnt"),
            (20, "zwanzigst"), (21, "einundzwanzigst"))
CLOCKS = ((1, 0, "ein Uhr"), (7, 30, "halb acht"), (12, 30, "halb eins"),
          (9, 15, "Viertel nach neun"), (9, 45, "Viertel vor zehn"),
          (3, 20, "zwanzig nach drei"), (3, 50, "zehn vor vier"))
CONTRACTIONS = (("in", "dem Garten", "im Garten"), ("in", "das Haus", "ins Haus"),
                ("zu", "der Post", "zur Post"), ("zu", "dem Arzt", "zum Arzt"),
                ("bei", "dem Bäcker", "beim Bäcker"), ("von", "dem Koch", "vom Koch"),
                ("an", "dem Fenster", "am Fenster"), ("auf", "dem Tisch", "auf dem Tisch"))


def morphology_pairs():
    """Pairs (what the modules say, what a grammar says)."""
    lexicon = Lexicon()
    for determiner, adjectives, noun, number, case, expected in NOUN_PHRASES:
        words = [lexicon.adjective_by_name[word] for word in adjectives.split()]
        phrase = noun_phrase(lexicon.by_name[noun], determiner, number, words)
        yield phrase.german[case], expected
    for infinitive, er_form, person, number, expected in PRESENT:
        yield german.present(infinitive, person, number, er_form), expected
    for infinitive, expected in PARTICIPLES:
        yield german.participle(infinitive), expected
    for infinitive, er_form, address, expected in IMPERATIVES:
        yield german.imperative(infinitive, address, er_form), expected
    for value, expected in NUMBERS:
        yield german.number_word(value), expected
    for value, expected in ORDINALS:
        yield german.ordinal(value), expected
    for hour, minute, expected in CLOCKS:
        yield german.clock_words(hour, minute), expected
    for word, phrase, expected in CONTRACTIONS:
        yield german.preposition(word, phrase), expected
    yield pronoun("you", "du").german["dative"], "dir"
    yield pronoun("they").german["dative"], "ihnen"
    yield english.indefinite_article("old hour"), "an"
    yield english.indefinite_article("university"), "a"
    yield english.clock_words(7, 45), "a quarter to eight"
    yield english.regular_ing("plan"), "planning"
    yield english.with_s("carry"), "carries"


def read_lines(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return file.read()


def run(folder, seed):
    problems = []
    count = 0
    for given, expected in morphology_pairs():
        count += 1
        if given != expected:
            problems.append("form %r, expected %r" % (given, expected))
    expected_files = generate.corpus(seed)
    sentences = {}
    for name, text in expected_files.items():
        written = read_lines(folder, name)
        if written != text:
            problems.append(name + " differs from what the generator writes")
        lines = written.split("\n")[:-1]
        sentences[name] = lines
        if len(set(lines)) != len(lines):
            problems.append(name + " repeats a sentence")
        if any(line != line.strip() or "  " in line or not line for line in lines):
            problems.append(name + " has stray spaces or an empty line")
    for part, size in generate.SIZES.items():
        for language in ("en", "de"):
            if len(sentences["%s.%s" % (part, language)]) != size:
                problems.append("%s.%s has not %d lines" % (part, language, size))
    for language in ("en", "de"):
        train = set(sentences["train." + language])
        known = {word for line in train for word in generate.words(line)}
        others = {}
        for part in ("valid", "test"):
            lines = sentences["%s.%s" % (part, language)]
            others[part] = set(lines)
            if train & set(lines):
                problems.append("%s.%s shares sentences with train" % (part, language))
            new = {word for line in lines for word in generate.words(line)} - known
            if new:
                problems.append("%s.%s has words unknown to train: %s" % (
                    part, language, sorted(new)[:10]))
        if others["valid"] & others["test"]:
            problems.append("valid and test share sentences in " + language)
    for problem in problems:
        print("FAILED:", problem)
    print("%d forms and %d files checked, %d problems" % (
        count, len(expected_files), len(problems)))
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", default=FOLDER, help="folder of the files")
    parser.add_argument("--seed", type=int, default=generate.SEED)
    options = parser.parse_args()
    return run(options.output, options.seed)


if __name__ == "__main__":
    sys.exit(main())
