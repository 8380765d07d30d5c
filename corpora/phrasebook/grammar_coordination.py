# SPDX-License-Identifier: Apache-2.0
"""Two main clauses: und, zuerst and dann."""

from english import capitalise
from phrases import Adverbial, noun_phrase, time_for


def coordination(maker):
    """Anna cooked dinner and Peter washed the plates."""
    chooser = maker.chooser
    tense = chooser.pick(("past", "past", "future", "modal"))
    verbs = [verb for verb in maker.lexicon.verbs if "person" in verb.subject and not verb.state
             and not (verb.past_only and tense != "past")]
    modal = None
    if tense == "modal":
        tense, modal = "present", chooser.pick(("want to", "have to", "can", "would like to"))
    pair = []
    for _ in range(2):
        subject = maker.subject(you=0)
        subject = noun_phrase(subject.noun, "the", subject.number) if subject.indefinite else subject
        pair.append(maker.clause(chooser.pick(verbs), subject, tense=tense, modal=modal,
                                 negated=False, time=0, place=0.15))
    first, second = pair
    first.frequency = second.frequency = first.time = second.time = None
    if first.subject.english == second.subject.english or first.verb is second.verb:
        return None
    if chooser.chance(0.35) and not modal:
        first.time, second.time = Adverbial("first", "zuerst"), Adverbial("then", "dann")
        second.subject = first.subject
        if not first.subject.is_pronoun or any(
                getattr(phrase, "is_pronoun", False) for _, phrase in second.complements):
            return None
        return ("%s, %s." % (capitalise(first.english(True)), second.english(True)),
                "%s, %s." % (capitalise(first.german(True)), second.german(True)))
    if chooser.chance(0.5):
        time = time_for(chooser, "past" if tense == "past" else "future", False)
        first.time = time
        return ("%s and %s." % (capitalise(first.english(True)), second.english()),
                "%s und %s." % (capitalise(first.german(True)), second.german()))
    return ("%s and %s." % (first.english(), second.english()),
            "%s und %s." % (first.german(), second.german()))


PATTERNS = ((coordination, 1),)
