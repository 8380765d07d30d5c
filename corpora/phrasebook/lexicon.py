# SPDX-License-Identifier: Apache-2.0
"""Reads the word lists (tab-separated files beside this module)."""

import os

import english
import german

FOLDER = os.path.dirname(os.path.abspath(__file__))


def rows(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            yield line.rstrip("\n").split("\t")


class Noun:
    def __init__(self, fields):
        (self.english, self.english_plural, self.german, self.gender,
         self.german_plural, self.genitive, classes) = fields
        self.classes = frozenset(classes.split())
        self.mass = self.english_plural == "-"
        self.english_plural_only = self.english_plural == "!"
        self.german_plural_only = self.gender == "p"

    def english_form(self, number):
        if self.mass or self.english_plural_only or number == "singular":
            return self.english
        return self.english_plural

    def german_form(self, number, case):
        if self.german_plural_only:
            number = "plural"
        return german.noun_form(self.german, self.german_plural, self.genitive,
                                self.gender, number, case)


class Adjective:
    def __init__(self, fields):
        (self.english, comparison, self.german, self.comparative,
         self.superlative, classes) = fields
        self.classes = frozenset(classes.split())
        if comparison == "more":
            self.english_comparative = "more " + self.english
            self.english_superlative = "most " + self.english
        elif comparison == "+":
            self.english_comparative = self.english + "er"
            self.english_superlative = self.english + "est"
        else:
            self.english_comparative, self.english_superlative = comparison.split(",")


class Complement:
    """role: accusative, dative, phrase (with preposition) or direction."""

    def __init__(self, text):
        parts = text.split(":")
        self.preposition = None
        self.case = None
        if parts[0] == "acc":
            self.role = self.case = "accusative"
        elif parts[0] == "dat":
            self.role = self.case = "dative"
        elif parts[0] == "pp":
            self.role, self.preposition = "phrase", parts[1]
            self.case = "accusative" if parts[2] == "a" else "dative"
        else:
            self.role = "direction"
        self.classes = parts[-1].split("+") if len(parts) > 1 else ["any"]


class Verb:
    def __init__(self, fields):
        (text, forms, infinitive, er_form, participle, auxiliary, subject,
         complements, places, remarks) = fields
        self.english = text
        self.head, _, self.tail = text.partition(" ")
        self.is_be = self.head == "be"
        if forms in ("-", "+") or forms == "+be" or self.is_be:
            self.past = english.regular_past(self.head)
            self.past_participle = self.past
            self.ing = english.regular_ing(self.head)
        else:
            given = forms.split(",")
            self.past = given[0]
            self.past_participle = given[1]
            self.ing = given[2] if len(given) > 2 else english.regular_ing(self.head)
            if self.past == "+":
                self.past = self.past_participle = self.head + "led"
        self.reflexive = infinitive.startswith("sich ")
        infinitive = infinitive[5:] if self.reflexive else infinitive
        # "Angst haben": a fixed noun that stands where a prefix would stand
        self.fixed, _, self.infinitive = infinitive.rpartition(" ")
        self.prefix = german.split_verb(self.infinitive)[0]
        self.er_form = None if er_form == "-" else er_form
        self.participle = german.participle(
            self.infinitive, None if participle == "-" else participle)
        self.auxiliary = "sein" if auxiliary == "s" else "haben"
        self.subject = subject.split("+")
        self.complements = [] if complements == "-" else [
            Complement(part) for part in complements.split()]
        self.places = [] if places == "-" else places.split("+")
        self.remarks = remarks
        self.state = "state" in remarks or self.is_be
        # verbs like "meet", told in the past; the present would sound odd
        self.past_only = remarks == "past"

    def third(self):
        return english.with_s(self.head)


class Place:
    def __init__(self, fields, nouns):
        name, self.english_at, self.german_at, self.english_to, self.german_to, tags = fields
        self.noun = nouns[name]
        self.plural = self.english_at.endswith("|p")
        if self.plural:
            self.english_at, self.german_at, self.english_to, self.german_to = (
                word.partition("|")[0] for word in fields[1:5])
        self.tags = frozenset(tags.split())


class Lexicon:
    def __init__(self):
        self.nouns = [Noun(row) for name in
                      ("lexicon_nouns_living_food.tsv", "lexicon_nouns_things_places.tsv")
                      for row in rows(name)]
        self.by_name = {noun.english: noun for noun in reversed(self.nouns)}
        self.adjectives = [Adjective(row) for row in rows("lexicon_adjectives.tsv")]
        self.adjective_by_name = {word.english: word for word in self.adjectives}
        self.verbs = [Verb(row) for row in rows("lexicon_verbs.tsv")]
        self.places = [Place(row, self.by_name) for row in rows("lexicon_places.tsv")]
        self._class_cache = {}
        self._adjective_cache = {}

    def nouns_of(self, class_name):
        if class_name not in self._class_cache:
            self._class_cache[class_name] = [
                noun for noun in self.nouns if class_name in noun.classes]
            if not self._class_cache[class_name]:
                raise KeyError("no noun of class " + class_name)
        return self._class_cache[class_name]

    def adjectives_for(self, noun):
        if noun.english not in self._adjective_cache:
            self._adjective_cache[noun.english] = [
                word for word in self.adjectives if word.classes & noun.classes]
        return self._adjective_cache[noun.english]

    def verbs_named(self, text):
        """Verbs of people; fressen and the like are left to the animals."""
        return [verb for verb in self.verbs
                if verb.english == text and verb.subject != ["animal"]]
