# SPDX-License-Identifier: Apache-2.0
"""Statements about daily life: verbs, being, comparing, lying and putting."""

import german
from clauses import Clause
from lexicon import Complement, Verb
from maker import PREDICATIVE
from phrases import Adverbial, Phrase, noun_phrase, pronoun_for, time_for

BE = Verb(["be", "-", "sein", "ist", "gewesen", "s", "person", "-", "-", "state"])
HAVE = Verb(["have", "had,had", "haben", "hat", "gehabt", "h", "person", "acc:x", "-", "state"])
LIKE = Verb(["like", "-", "mögen", "mag", "gemocht", "h", "person", "acc:x", "-", "state"])
BELONG = Verb(["belong to", "-", "gehören", "-", "gehört", "h", "thing", "dat:person", "-",
               "state"])
ACCUSATIVE = Complement("acc:x")
DATIVE = Complement("dat:x")


class Predicate(Adverbial):
    absorbs_negation = False


def be_clause(subject, english_text, german_text, **options):
    return Clause(subject, BE, predicate=Predicate(english_text, german_text), **options)


def finish(clause, chooser, fronting=0.4):
    fronted = clause.time is not None and chooser.chance(fronting)
    return clause.english(fronted) + ".", clause.german(fronted) + "."


def action(maker):
    return finish(maker.clause(), maker.chooser)


SLIGHT = ("expensive", "small", "cold", "warm", "long", "short", "old", "slow", "heavy",
          "tired", "loud", "dirty", "boring", "difficult", "sad", "big")
ABSOLUTE = ("open", "broken", "full", "empty")
DESCRIBED = ("furniture", "building", "room", "vehicle", "clothing", "settlement",
             "nature_place", "animal", "profession", "fruit", "drink", "dish", "film",
             "readable", "device", "appliance", "luggage", "sight", "work_topic", "exam",
             "plant", "way", "openable", "hotel_fault", "worker", "young", "learner",
             "jewel", "course", "hotel_room", "tableware", "transport", "clothing_pair")


def described_subject(maker):
    noun = maker.chooser.pick(maker.lexicon.nouns_of(maker.chooser.pick(DESCRIBED)))
    return definite_subject(maker, noun)


def definite_subject(maker, noun):
    """One speaks of the qualities of a certain thing, not of "a church"."""
    phrase = maker.described(noun, subject=True, adjectives=False)
    return noun_phrase(noun, "the") if phrase.english.startswith(("a ", "an ")) else phrase


def description(maker):
    """The room is quiet.  These shoes were not expensive."""
    chooser = maker.chooser
    subject = described_subject(maker)
    words = maker.lexicon.adjectives_for(subject.noun)
    if not words:
        return None
    word = chooser.pick(words)
    degree = chooser.weighted(((None, 6), (("very", "sehr"), 3), (("too", "zu"), 2),
                               (("really", "wirklich"), 1), (("a bit", "etwas"), 1),
                               (("quite", "ziemlich"), 1)))
    if word.english in ABSOLUTE + COLOURS or "family" in subject.noun.classes:
        degree = None
    if degree and degree[0] == "a bit" and word.english not in SLIGHT:
        degree = None
    if degree and degree[0] == "too" and word.english not in TOO_MUCH:
        degree = ("very", "sehr")
    english_text, german_text = word.english, word.german
    if degree:
        english_text, german_text = (degree[0] + " " + word.english,
                                     degree[1] + " " + word.german)
    negated = degree is None and chooser.chance(0.25)
    tense = "past" if chooser.chance(0.25) else "present"
    clause = be_clause(subject, english_text, german_text, tense=tense, negated=negated,
                       contracted=chooser.chance(0.4))
    return finish(clause, chooser)


def comparison(maker):
    """My suitcase is heavier than your bag.  The red dress is as cheap as ..."""
    chooser = maker.chooser
    class_name = chooser.pick(("furniture", "building", "vehicle", "clothing", "fruit",
                               "animal", "settlement", "film", "readable", "sight", "drink",
                               "luggage", "dish", "learner", "work_topic", "transport",
                               "hotel_room", "device", "profession"))
    nouns = maker.lexicon.nouns_of(class_name)
    first, second = chooser.pick(nouns), chooser.pick(nouns)
    if first is second:
        return None
    left, right = definite_subject(maker, first), definite_subject(maker, second)
    words = [word for word in maker.lexicon.adjectives_for(first)
             if word.classes & second.classes and word.english not in PREDICATIVE
             and word.english not in COLOURS]
    if not words:
        return None
    word = chooser.pick(words)
    if chooser.chance(0.65):
        english_text = "%s than %s" % (word.english_comparative, right.english)
        german_text = "%s als %s" % (word.comparative, right.german["nominative"])
        if chooser.chance(0.2):
            english_text, german_text = "much " + english_text, "viel " + german_text
        negated = False
    else:
        negated = chooser.chance(0.5)
        english_text = "as %s as %s" % (word.english, right.english)
        german_text = "so %s wie %s" % (word.german, right.german["nominative"])
        if not negated:
            german_text = "genau" + german_text
    return finish(be_clause(left, english_text, german_text, negated=negated), chooser)


COLOURS = ("red", "blue", "green", "yellow", "black", "white", "brown", "grey")
SCOPES = (("in the city", "in der Stadt"), ("in Germany", "in Deutschland"),
          ("in the village", "im Dorf"), ("in Austria", "in Österreich"),
          ("in the world", "der Welt"), ("in Berlin", "in Berlin"),
          ("in Switzerland", "in der Schweiz"))


RANKED = ("big", "small", "old", "new", "beautiful", "expensive", "cheap", "good",
          "famous", "modern", "high", "long", "interesting", "popular", "quiet",
          "friendly", "deep", "young")


def superlative(maker):
    """This is the oldest church in the city."""
    chooser = maker.chooser
    noun = chooser.pick(maker.lexicon.nouns_of(chooser.pick(
        ("building", "sight", "nature_place", "settlement", "profession", "shop",
         "place_noun"))))
    if "home" in noun.classes:
        return None
    words = [word for word in maker.lexicon.adjectives_for(noun)
             if word.english in RANKED]
    if not words or "family" in noun.classes:
        return None
    word = chooser.pick(words)
    scope = chooser.pick(SCOPES)
    if noun.english in ("city", "village") or noun.classes & {"nature_place"} or "in the" in scope[0] \
            and noun.english == scope[0][7:]:
        scope = chooser.pick((SCOPES[1], SCOPES[3], SCOPES[6]))
    gender_key = noun.gender
    article = {"m": "der", "f": "die", "n": "das"}[gender_key]
    english_body = "the %s %s %s" % (word.english_superlative, noun.english, scope[0])
    german_form = lambda case: "%s %s%s %s %s" % (
        german.determiner("der", noun.gender, "singular", case), word.superlative,
        german.adjective_ending("der", noun.gender, "singular", case),
        noun.german_form("singular", case), scope[1])
    kind = chooser.below(3)
    if kind == 0:
        return "This is %s." % english_body, "Das ist %s." % german_form("nominative")
    if "profession" in noun.classes:
        return ("I know %s." % english_body, "Ich kenne %s." % german_form("accusative"))
    if kind == 1:
        subject = maker.person_pronoun(you=0)
        phrase = Phrase(english_body, {case: german_form(case) for case in german.CASES})
        verb = maker.lexicon.verbs_named(chooser.pick(("visit", "know", "photograph")))[0]
        tense = "past" if verb.english != "know" else "present"
        clause = Clause(subject, verb, [(verb.complements[0], phrase)], tense)
        if tense == "past" and chooser.chance(0.5):
            clause.time = time_for(chooser, "past")
        return finish(clause, chooser)
    return ("Where is %s?" % english_body, "Wo ist %s?" % german_form("nominative"))


def liking(maker):
    """Food and animals: mögen.  Clothes, places and pictures: gefallen."""
    chooser = maker.chooser
    class_name = chooser.pick(("fruit", "vegetable", "drink", "dish", "staple", "pet",
                               "clothing", "sight", "settlement", "film", "home", "song",
                               "furniture", "room", "jewel", "art", "nature_place"))
    noun = chooser.pick(maker.lexicon.nouns_of(class_name))
    person = maker.subject(you=0.1)
    negated = chooser.chance(0.25)
    if noun.classes & {"edible", "staple", "vegetable", "drink", "animal"}:
        number = "singular" if noun.mass else "plural"
        phrase = noun_phrase(noun, "", number, negated=negated)
        clause = Clause(person, LIKE, [(ACCUSATIVE, phrase)], negated=negated,
                        contracted=chooser.chance(0.5))
        if chooser.chance(0.25) and person.person != 1:
            return clause.english_question() + "?", clause.german_question() + "?"
        return finish(clause, chooser)
    phrase = maker.described(noun, subject=True)
    if phrase.english.startswith(("a ", "an ")):
        return None
    return pleasing(maker, person, phrase, negated)


def pleasing(maker, person, phrase, negated):
    chooser = maker.chooser
    finite = "gefallen" if phrase.german_number == "plural" else "gefällt"
    verb = Clause(person, LIKE, [(ACCUSATIVE, phrase)], negated=negated,
                  contracted=chooser.chance(0.5))
    dative, thing = person.german["dative"], phrase.german["nominative"]
    end = " nicht" if negated else ""
    if chooser.chance(0.2) and person.person != 1:
        order = (dative + " " + thing) if person.is_pronoun else (thing + " " + dative)
        return (verb.english_question() + "?",
                "%s %s%s?" % (finite, order, end))
    return verb.english() + ".", "%s %s %s%s." % (thing, finite, dative, end)


def belonging(maker):
    """This umbrella belongs to my neighbour.  Whose bag is this?"""
    chooser = maker.chooser
    noun = chooser.pick(maker.lexicon.nouns_of(chooser.pick(
        ("losable", "luggage", "own_vehicle", "clothing", "pet", "furniture", "school_thing"))))
    subject = noun_phrase(noun, chooser.pick(("this", "the")),
                          "plural" if chooser.chance(0.2) else "singular")
    owner = maker.person_object(subject)
    if owner.is_pronoun and owner.english == "it":
        return None
    if owner.indefinite:
        owner = noun_phrase(owner.noun, "the", owner.number)
    negated = chooser.chance(0.2)
    clause = Clause(subject, BELONG, [(DATIVE, owner)], negated=negated,
                    contracted=chooser.chance(0.4))
    if chooser.chance(0.2) and not negated:
        return clause.english_question() + "?", clause.german_question() + "?"
    return finish(clause, chooser)


def genitive(maker):
    """The colour of my sister's bag: Die Tasche meiner Schwester ..."""
    chooser = maker.chooser
    thing = chooser.pick(maker.lexicon.nouns_of(chooser.pick(
        ("luggage", "own_vehicle", "home", "room", "pet", "job", "device", "workplace"))))
    if thing.english_plural_only:
        return None
    words = maker.lexicon.adjectives_for(thing)
    if not words:
        return None
    word = chooser.pick(words)
    holder = chooser.pick(maker.lexicon.nouns_of(chooser.pick(("family", "public"))))
    if "plural_people" in holder.classes:
        return None
    if "public" in holder.classes:
        person = noun_phrase(holder, "the")
        owner_text = person.english + "'s"
    else:
        person = maker.relative(holder, number="singular")
        owner_text = person.english + "'s"
    german_phrase = "%s %s %s" % (german.determiner("der", thing.gender, "singular", "nominative"),
                                  thing.german, person.german["genitive"])
    subject = Phrase(owner_text + " " + thing.english,
                     {"nominative": german_phrase}, gender=thing.gender, noun=thing)
    negated = chooser.chance(0.2)
    clause = be_clause(subject, word.english, word.german, negated=negated,
                       tense="past" if chooser.chance(0.2) else "present")
    return finish(clause, chooser)


def owning(maker):
    """We have a big garden.  She does not have a car."""
    chooser = maker.chooser
    subject = maker.subject()
    noun = chooser.pick(maker.lexicon.nouns_of(chooser.pick(
        ("pet", "own_vehicle", "home", "device", "family", "question", "idea", "problem",
         "job", "garden_thing", "house_part", "furniture"))))
    negated = chooser.chance(0.25)
    if noun.english_plural_only or noun.mass or noun.classes & {"plural_people", "spouse"}:
        return None
    if noun.english in ("mother", "father", "grandmother", "grandfather", "boss"):
        return None
    number = "count" if chooser.chance(0.3) and not negated else "a"
    words = [word for word in maker.lexicon.adjectives_for(noun)
             if word.english not in PREDICATIVE]
    words = (chooser.pick(words),) if words and chooser.chance(0.4) else ()
    phrase = noun_phrase(noun, number, "plural" if number == "count" else "singular",
                         words, count=2 + chooser.below(5), negated=negated)
    tense = "past" if chooser.chance(0.25) else "present"
    clause = Clause(subject, HAVE, [(ACCUSATIVE, phrase)], tense, negated=negated,
                    contracted=chooser.chance(0.4))
    return finish(clause, chooser)


def taken_up(maker):
    """The bag is beautiful, but it is too expensive: sie ist zu teuer."""
    chooser = maker.chooser
    subject = described_subject(maker)
    words = [word for word in maker.lexicon.adjectives_for(subject.noun)
             if word.english not in COLOURS + ABSOLUTE]
    if len(words) < 2 or "family" in subject.noun.classes or not subject.definite:
        return None
    first, second = chooser.pick(words), chooser.pick(words)
    opposite = {frozenset(pair) for pair in OPPOSITES}
    if first is second or frozenset((first.english, second.english)) in opposite:
        return None
    link = chooser.weighted(((("and", "und"), 1), ((", but", ", aber"), 1)))
    if first.english not in WELCOME:
        return None
    if second.english in WELCOME:
        degree = (("very", "sehr") if link[0] == "and" else ("not", "nicht"))
    elif second.english in TOO_MUCH and link[0] != "and":
        degree = ("too", "zu")
    else:
        return None
    start = be_clause(subject, first.english, first.german)
    again = pronoun_for(subject)
    end = be_clause(again, degree[0] + " " + second.english, degree[1] + " " + second.german)
    join = " " + link[0] if link[0] == "and" else link[0]
    german_join = " " + link[1] if link[0] == "and" else link[1]
    return (start.english() + join + " " + end.english() + ".",
            start.german() + german_join + " " + end.german() + ".")


WELCOME = ("beautiful", "good", "interesting", "fast", "fresh", "ripe", "sweet", "friendly",
           "nice", "polite", "clever", "hard-working", "quiet", "clean", "modern", "famous",
           "comfortable", "healthy", "popular", "tasty", "cheap", "new", "light", "easy",
           "warm", "big")
TOO_MUCH = ("expensive", "small", "heavy", "old", "long", "short", "slow", "loud", "boring",
            "difficult", "cold", "hot")
OPPOSITES = (("big", "small"), ("old", "young"), ("old", "new"), ("expensive", "cheap"),
             ("good", "bad"), ("long", "short"), ("interesting", "boring"),
             ("difficult", "easy"), ("fast", "slow"), ("heavy", "light"), ("warm", "cold"),
             ("cold", "hot"), ("loud", "quiet"), ("clean", "dirty"), ("empty", "full"),
             ("warm", "hot"), ("happy", "sad"), ("hard-working", "lazy"), ("beautiful", "dirty"))

PATTERNS = ((action, 46), (description, 7), (comparison, 5), (superlative, 3),
            (liking, 4), (belonging, 3), (genitive, 3), (owning, 4),
            (taken_up, 3))
