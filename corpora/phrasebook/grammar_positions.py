# SPDX-License-Identifier: Apache-2.0
"""Where things are and where they are put: dative of place, accusative of motion."""

import german
from clauses import Clause
from english import capitalise
from grammar_statements import ACCUSATIVE, finish
from lexicon import Complement, Verb
from phrases import Adverbial, noun_phrase

# What something does on a surface decides the German verb of being there.
SURFACES = {"table": "auf", "chair": "auf", "bed": "auf", "sofa": "auf", "shelf": "in",
            "desk": "auf", "cupboard": "in", "suitcase": "in", "bag": "in",
            "carpet": "auf", "basket": "in", "bench": "auf"}
RELATIONS = (("under", "unter"), ("next to", "neben"), ("behind", "hinter"),
             ("in front of", "vor"))
ENGLISH_AT = {"auf": "on", "in": "in"}
PUT = {"lying": Verb(["put", "put,put,putting", "legen", "-", "-", "h", "person", "-", "-", "x"]),
       "standing": Verb(["put", "put,put,putting", "stellen", "-", "-", "h", "person", "-", "-", "x"]),
       "hanging": Verb(["hang", "hung,hung", "hängen", "-", "-", "h", "person", "-", "-", "x"])}
REST = {"lying": Verb(["be", "-", "liegen", "-", "gelegen", "h", "x", "-", "-", "state"]),
        "standing": Verb(["be", "-", "stehen", "-", "gestanden", "h", "x", "-", "-", "state"]),
        "hanging": Verb(["be", "-", "hängen", "-", "gehangen", "h", "x", "-", "-", "state"])}
HANGERS = ("cupboard", "wall")


def spot(maker, posture, thing):
    """A two-way preposition with its reference object."""
    chooser = maker.chooser
    if posture == "hanging":
        if "hanging_wall" in thing.classes:
            return "on", "an", maker.lexicon.by_name["wall"]
        return "in", "in", maker.lexicon.by_name["cupboard"]
    names = list(SURFACES)
    if posture == "standing":
        names = ["table", "desk", "shelf", "cupboard"]
    if thing.classes & {"bedding"}:
        names = ["bed", "sofa", "cupboard", "chair", "basket"]
    if thing.classes & {"luggage"}:
        names = ["bed", "table", "cupboard"]
    name = chooser.pick(names)
    reference = maker.lexicon.by_name[name]
    if "furniture" in reference.classes and name != "shelf" and chooser.chance(0.35):
        text, german_text = chooser.pick(RELATIONS)
    else:
        german_text = SURFACES[name]
        text = "on" if name == "shelf" else ENGLISH_AT[german_text]
    return text, german_text, reference


def posture_thing(maker):
    chooser = maker.chooser
    posture = chooser.weighted((("lying", 5), ("standing", 5), ("hanging", 2)))
    class_name = posture if posture != "hanging" else chooser.pick(("hanging", "hanging_wall"))
    return posture, chooser.pick(maker.lexicon.nouns_of(class_name))


def placed(maker):
    """The lamp is on the table. / She put the lamp on the table."""
    chooser = maker.chooser
    posture, thing = posture_thing(maker)
    text, preposition, reference = spot(maker, posture, thing)
    if reference is thing:
        return None
    target = noun_phrase(reference, "the")
    moving = chooser.chance(0.5)
    adverbial = Adverbial(text + " " + target.english, german.preposition(
        preposition, target.german["accusative" if moving else "dative"]))
    if not moving:
        subject = maker.described(thing, subject=True)
        if subject.english.startswith(("a ", "an ")):
            return None
        kind = chooser.below(4)
        clause = Clause(subject, REST[posture], place=adverbial,
                        negated=chooser.chance(0.12))
        if kind == 0:
            clause.negated = False
            return clause.english_question() + "?", clause.german_question() + "?"
        return finish(clause, chooser)
    subject = maker.subject()
    verb = PUT[posture]
    tense, modal = maker.tense_for(verb, None, None, subject)
    if tense == "present" and not modal:
        tense = "past"
    phrase = maker.described(thing, subject)
    if phrase.indefinite:
        phrase = noun_phrase(thing, "the")
    clause = Clause(subject, verb, [(ACCUSATIVE, phrase)], tense, modal)
    clause.complements.append((Complement("dir:x"), adverbial))
    return finish(clause, chooser)


def there_is(maker):
    """There is a bakery behind the church."""
    chooser = maker.chooser
    noun = chooser.pick(maker.lexicon.nouns_of(chooser.pick(
        ("place_noun", "shop", "shop", "destination"))))
    if noun.mass or noun.english in ("post office", "airport", "castle", "house", "flat"):
        return None
    reference = chooser.pick(maker.lexicon.nouns_of(chooser.pick(("building", "sight"))))
    if reference is noun:
        return None
    text, preposition = chooser.pick(RELATIONS[1:] + (("opposite", "gegenüber"),))
    target = noun_phrase(reference, "the").german["dative"]
    target = preposition + " " + target
    thing = maker.described(noun, subject=False)
    if not thing.english.startswith(("a ", "an ")):
        thing = noun_phrase(noun, "a")
    english_place = text + " the " + reference.english
    if chooser.chance(0.7):
        return ("There is %s %s." % (thing.english, english_place),
                "%s gibt es %s." % (capitalise(target), thing.german["accusative"]))
    return ("Is there %s %s?" % (thing.english, english_place),
            "Gibt es %s %s?" % (target, thing.german["accusative"]))


PATTERNS = ((placed, 8), (there_is, 3))
