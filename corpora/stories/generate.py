#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes stories with questions: a ring is carried through caves and shires.

    python3 generate.py [--output DIR] [--seed N] [--hard]

Writes train.tsv, valid.tsv and test.tsv with lines STORY<tab>QUESTION<tab>ANSWER; the sentences of
a story are separated by " | ". The same seed gives the same bytes on every Python version from 3.9
on.
"""

import argparse
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "..", "phrasebook"))
from chooser import Chooser  # noqa: E402
from script import run  # noqa: E402

SEED = 1954
SIZES = {"train": 40000, "valid": 1000, "test": 1000}
SHORTEST, LONGEST = 4, 12  # sentences of a story

PEOPLE = ("Wim", "Tamsin", "Orlo", "Perla", "Hask", "Brenna")
THINGS = ("ring", "lantern", "rope", "map")
PLACES = ("the upper cave", "the lower cave", "the flooded cave", "the northern shire",
          "the southern shire", "the old mill", "the ford", "the inn", "the watchtower")
GOES = ("{person} went to {place}.", "{person} walked to {place}.", "{person} hurried to {place}.",
        "{person} crept into {place}.", "{person} rode to {place}.")
TAKES = ("{person} took the {thing}.", "{person} picked up the {thing}.",
         "{person} found the {thing} there.")
DROPS = ("{person} put down the {thing}.", "{person} left the {thing} there.",
         "{person} hid the {thing} there.")
GIVES = ("{person} gave the {thing} to {other}.", "{person} handed the {thing} to {other}.",
         "{person} passed the {thing} to {other}.")
RESTS = ("{person} slept a while.", "{person} sang an old song.", "It began to rain.",
         "{person} was hungry and tired.")


class World:
    """The state of a story: where people and things are, as far as it has been told."""

    def __init__(self, chooser, hard):
        self.chooser = chooser
        self.hard = hard
        self.people = chooser.shuffled(PEOPLE)[:3]
        self.place = {}   # of people
        self.holder = {}  # of things: a person
        self.lies = {}    # of things: a place

    def say(self, patterns, **words):
        return self.chooser.pick(patterns).format(**words)

    def go(self):
        person = self.chooser.pick(self.people)
        place = self.chooser.pick([p for p in PLACES if p != self.place.get(person)])
        self.place[person] = place
        return self.say(GOES, person=person, place=place)

    def handle(self):
        """Somebody whose place is known takes, gives or puts down a thing; None if nobody can."""
        moves = []
        for thing in THINGS:
            weight = 3 if thing == "ring" else 1
            holder = self.holder.get(thing)
            if holder is not None:
                moves.append((("drop", holder, thing, None), weight))
                others = [p for p in self.people
                          if p != holder and self.place.get(p) == self.place[holder]]
                moves += [(("give", holder, thing, other), 4 * weight) for other in others]
                continue
            for person in self.people:
                if person not in self.place:
                    continue
                if self.lies.get(thing, self.place[person]) == self.place[person]:
                    moves.append((("take", person, thing, None), 2 * weight))
        if not moves:
            return None
        kind, person, thing, other = self.chooser.weighted(moves)
        if kind == "take":
            self.holder[thing] = person
            self.lies.pop(thing, None)
            return self.say(TAKES, person=person, thing=thing)
        if kind == "give":
            self.holder[thing] = other
            return self.say(GIVES, person=person, thing=thing, other=other)
        del self.holder[thing]
        self.lies[thing] = self.place[person]
        return self.say(DROPS, person=person, thing=thing)

    def rest(self):
        return self.say(RESTS, person=self.chooser.pick(self.people))

    def event(self):
        kind = self.chooser.weighted((("go", 5), ("handle", 5), ("rest", 1)))
        if kind == "rest":
            return self.rest()
        told = self.handle() if kind == "handle" else None
        return told or self.go()

    def place_of(self, thing):
        holder = self.holder.get(thing)
        return self.place[holder] if holder else self.lies.get(thing)

    def question(self):
        """A question that the story answers, and its answer; None if the chosen kind has none."""
        kind = self.chooser.weighted((("person", 3), ("holder", 3), ("check", 2),
                                      ("thing", 3 if self.hard else 0)))
        known = sorted(self.place)
        things = [thing for thing in THINGS if self.place_of(thing)]
        if kind == "person" and known:
            person = self.chooser.pick(known)
            return "Where is {}?".format(person), self.place[person]
        if kind == "holder" and things:
            thing = self.chooser.weighted([(t, 3 if t == "ring" else 1) for t in things])
            return "Who has the {}?".format(thing), self.holder.get(thing, "nobody")
        if kind == "thing" and things:
            thing = self.chooser.weighted([(t, 3 if t == "ring" else 1) for t in things])
            return "Where is the {}?".format(thing), self.place_of(thing)
        if kind == "check" and known:
            person = self.chooser.pick(known)
            place = self.place[person]
            if self.chooser.chance(0.5):
                place = self.chooser.pick([p for p in PLACES if p != place])
            return ("Is {} at {}?".format(person, place),
                    "yes" if place == self.place[person] else "no")
        return None


def example(chooser, hard):
    world = World(chooser, hard)
    length = SHORTEST + chooser.below(LONGEST - SHORTEST + 1)
    sentences = [world.go()] + [world.event() for _ in range(length - 1)]
    asked = None
    while asked is None:
        asked = world.question()
    return " | ".join(sentences), asked[0], asked[1].replace("the ", "")


def corpus(seed=SEED, hard=False):
    """{part: text}; no story with its question occurs twice."""
    chooser = Chooser(seed)
    seen = set()
    files = {}
    for name, size in SIZES.items():
        lines = []
        while len(lines) < size:
            line = "\t".join(example(chooser, hard))
            if line not in seen:
                seen.add(line)
                lines.append(line + "\n")
        files[name] = "".join(lines)
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", default=".", help="folder of the files")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--hard", action="store_true",
                        help="also ask where things are")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    for name, text in corpus(options.seed, options.hard).items():
        with open(os.path.join(options.output, name + ".tsv"), "w", encoding="utf-8",
                  newline="\n") as file:
            file.write(text)


if __name__ == "__main__":
    run(main)
