# SPDX-License-Identifier: Apache-2.0
"""One clause in two languages: word order, tense, modality, negation.

The German middle field is always filled in the same order, so that the
translation is a function of the English clause:

    pronouns, time, frequency, dative, definite accusative, nicht, manner,
    place, indefinite accusative, prepositional object, direction, predicate
"""

import english
import german
from phrases import reflexive

PARTICLES = ("up", "on", "off", "in", "out")

# name: (English present, English past, German verb, German present tense)
MODALS = {
    "can": ("can", "could", "können", "present"),
    "must": ("must", "had to", "müssen", "present"),
    "have to": ("have to", "had to", "müssen", "present"),
    "want to": ("want to", "wanted to", "wollen", "present"),
    "would like to": ("would like to", "wanted to", "möchten", "present"),
    "should": ("should", "should", "sollen", "preterite"),
    "may": ("may", "was allowed to", "dürfen", "present"),
}
DO_SUPPORT_MODALS = ("have to", "want to")

CONTRACTED = {
    "do not": "don’t", "does not": "doesn’t", "did not": "didn’t",
    "will not": "won’t", "cannot": "can’t", "is not": "isn’t",
    "are not": "aren’t", "was not": "wasn’t", "were not": "weren’t",
    "could not": "couldn’t", "has not": "hasn’t", "have not": "haven’t",
    "should not": "shouldn’t",
}
CONTRACTED = {key: value.replace("’", "'") for key, value in CONTRACTED.items()}


class Clause:
    def __init__(self, subject, verb, complements=(), tense="present", modal=None,
                 time=None, place=None, manner=None, frequency=None,
                 negated=False, contracted=False, predicate=None):
        self.subject = subject
        self.verb = verb
        self.complements = list(complements)     # (Complement, Phrase or Adverbial)
        self.tense = tense
        self.modal = modal
        self.time = time
        self.place = place
        self.manner = manner
        self.frequency = frequency
        self.negated = negated
        self.contracted = contracted
        self.predicate = predicate

    # ------------------------------------------------------------ English

    def _negate(self, auxiliary):
        if not self.negated:
            return auxiliary
        text = "cannot" if auxiliary == "can" else auxiliary + " not"
        if auxiliary == "would like to":
            text = "would not like to"
        return CONTRACTED.get(text, text) if self.contracted else text

    def _english_verb_group(self, question):
        """(auxiliary, rest): the auxiliary moves before the subject in questions."""
        subject, verb = self.subject, self.verb
        third = subject.person == 3 and subject.number == "singular"
        support = question or self.negated
        if self.modal:
            present, past, _, _ = MODALS[self.modal]
            if self.modal in DO_SUPPORT_MODALS:
                head, _, tail = present.partition(" ")
                if self.tense == "past":
                    if support:
                        return self._negate("did"), present + " " + verb.head
                    return "", past + " " + verb.head
                if support:
                    return self._negate("does" if third else "do"), present + " " + verb.head
                if third:
                    head = "has" if head == "have" else english.with_s(head)
                return "", head + " " + tail + " " + verb.head
            if self.tense == "past":
                if self.modal == "may":
                    return (self._negate(english.be(subject.person, subject.number, True)),
                            "allowed to " + verb.head)
                return self._negate(past), verb.head
            if self.modal == "would like to":
                return self._negate("would"), "like to " + verb.head
            return self._negate(present), verb.head
        if self.tense == "future":
            return self._negate("will"), verb.head
        if self.tense == "progressive":
            return self._negate(english.be(subject.person, subject.number)), verb.ing
        if self.tense == "perfect":
            return self._negate("has" if third else "have"), (
                "been" if verb.is_be else verb.past_participle)
        if verb.is_be:
            form = english.be(subject.person, subject.number, self.tense == "past")
            return self._negate(form), ""
        if self.tense == "past":
            if support:
                return self._negate("did"), verb.head
            return "", verb.past
        if support:
            return self._negate("does" if third else "do"), verb.head
        if third:
            return "", "has" if verb.head == "have" else verb.third()
        return "", verb.head

    def _english_rest(self, verb_text, without=()):
        words = [verb_text] if verb_text else []
        tail = self.verb.tail
        objects = [(complement, phrase) for complement, phrase in self.complements
                   if phrase is not None and complement.role not in without]
        first_is_pronoun = (objects and objects[0][0].role == "accusative"
                            and objects[0][1].is_pronoun)
        if tail in PARTICLES and first_is_pronoun:
            words += [objects[0][1].english_object, tail]
            objects = objects[1:]
        elif tail:
            words.append(tail)
        if self.verb.remarks == "recipient_last":
            # recommended a novel to me
            objects = [pair for pair in objects if pair[0].role != "dative"] + [
                pair for pair in objects if pair[0].role == "dative"]
        for complement, phrase in objects:
            if self.verb.remarks == "recipient_last" and complement.role == "dative":
                words.append("to")
            words.append(phrase.english if complement.role == "direction"
                         else phrase.english_object)
        if self.predicate:
            words.append(self.predicate.english)
        if self.manner:
            words.append(self.manner.english)
        if self.place and "place" not in without:
            words.append(self.place.english)
        return words

    def english(self, fronted=False, time=True):
        auxiliary, verb_text = self._english_verb_group(False)
        words = [self.subject.english, auxiliary]
        if self.frequency:
            words.append(self.frequency.english)
        words += self._english_rest(verb_text)
        if self.time and time:
            words = [self.time.english] + words if fronted else words + [self.time.english]
        return " ".join(word for word in words if word)

    def english_question(self, without=()):
        auxiliary, verb_text = self._english_verb_group(True)
        if self.subject is None:
            words = [auxiliary]
        else:
            words = [auxiliary, self.subject.english]
        words += self._english_rest(verb_text, without)
        if self.time:
            words.append(self.time.english)
        return " ".join(word for word in words if word)

    # ------------------------------------------------------------ German

    def german_finite(self):
        """(finite verb, words at the end of the clause)."""
        subject, verb = self.subject, self.verb
        number = subject.german_number
        person = subject.person
        if person == 2 and subject.address == "Sie":
            person = 3
        infinitive = german.plain_infinitive(verb.infinitive)
        if self.modal:
            _, _, modal, tense = MODALS[self.modal]
            if self.tense == "past" or tense == "preterite":
                return german.preterite(modal, person, number), [infinitive]
            return german.present(modal, person, number), [infinitive]
        if self.tense == "future":
            return german.present("werden", person, number), [infinitive]
        if self.tense in ("past", "perfect"):
            if verb.infinitive in ("sein", "haben") and self.tense == "past":
                return german.preterite(verb.infinitive, person, number), []
            return german.present(verb.auxiliary, person, number), [verb.participle]
        finite = german.present(verb.infinitive, person, number, verb.er_form)
        return finite, [verb.prefix] if verb.prefix else []

    def _middle(self, without=(), time=True):
        """(pronouns, remaining words) of the middle field without the subject."""
        pronouns, dative, definite, indefinite, phrases, directions = [], [], [], [], [], []
        negation_done = False
        for complement, phrase in self.complements:
            if phrase is None or complement.role in without:
                continue
            if complement.role == "direction":
                directions.append(phrase.german)
                continue
            form = phrase.german[complement.case]
            negation_done = negation_done or phrase.absorbs_negation
            if complement.role == "phrase":
                phrases.append(german.preposition(complement.preposition, form))
            elif phrase.is_pronoun:
                # accusative pronouns stand before dative ones
                pronouns.insert(0 if complement.role == "accusative" else len(pronouns), form)
            elif complement.role == "dative":
                dative.append(form)
            elif phrase.definite:
                definite.append(form)
            else:
                indefinite.append(form)
        words = []
        if self.time and time:
            words.append(self.time.german)
        if self.frequency:
            words.append(self.frequency.german)
        words += dative + definite
        fixed = [self.verb.fixed] if self.verb.fixed else []
        if self.negated and fixed:
            fixed, negation_done = ["keine"] + fixed, True
        if self.predicate is not None and getattr(self.predicate, "absorbs_negation", False):
            negation_done = True
        if self.negated and not negation_done:
            words.append("nicht")
        if self.manner:
            words.append(self.manner.german)
        if self.place and "place" not in without:
            words.append(self.place.german)
        words += indefinite + fixed + phrases + directions
        if self.predicate:
            words.append(self.predicate.german)
        return pronouns, words

    def _subject_and_middle(self, inverted, without=(), time=True):
        pronouns, words = self._middle(without, time)
        subject = [self.subject.german["nominative"]]
        own = [reflexive(self.subject)] if self.verb.reflexive else []
        # behind the verb or conjunction the short reflexive precedes a noun
        if inverted and not self.subject.is_pronoun:
            return own + subject + pronouns + words
        return subject + own + pronouns + words

    def german(self, fronted=False, time=True):
        finite, end = self.german_finite()
        if fronted and self.time and time:
            words = [self.time.german, finite] + self._subject_and_middle(True, time=False)
        else:
            middle = self._subject_and_middle(False, time=time)
            words = [middle[0], finite] + middle[1:]
        return " ".join(words + end)

    def german_question(self, without=()):
        finite, end = self.german_finite()
        return " ".join([finite] + self._subject_and_middle(True, without) + end)

    def german_inverted(self, time=True):
        """Main clause after a fronted subordinate clause."""
        finite, end = self.german_finite()
        return " ".join([finite] + self._subject_and_middle(True, time=time) + end)

    def german_subordinate(self, time=True, leave_subject=False, without=()):
        """Verb-final order: weil er heute zurückkommt."""
        middle = self._subject_and_middle(True, without, time)
        if leave_subject:
            middle.remove(self.subject.german["nominative"])
        return " ".join(middle + [self.verb_final()])

    def verb_final(self):
        finite, end = self.german_finite()
        if end and end[0] == self.verb.prefix and self.verb.prefix:
            return self.verb.prefix + finite
        return " ".join(end + [finite])
