# SPDX-License-Identifier: Apache-2.0
"""Pain, illness, remedies, and the dative of the body: sich die Hände waschen."""

import english
import german
from clauses import Clause
from grammar_travel import of_classes
from phrases import Adverbial, noun_phrase, reflexive


def health(maker):
    chooser = maker.chooser
    kind = chooser.below(7)
    subject = maker.subject(you=0)
    if subject.english.startswith(("a ", "an ")) or subject.own == "the":
        return None
    third = subject.person == 3 and subject.number == "singular"
    nominative = subject.german["nominative"]
    noun = chooser.pick(of_classes(maker, "ache"))
    if kind == 0:
        number = "plural" if noun.english in ("foot", "leg", "arm", "ear", "tooth", "knee",
                                              "shoulder", "finger") and chooser.chance(0.4) \
            else "singular"
        part = noun_phrase(noun, subject.own, number)
        finite = "tun" if number == "plural" else "tut"
        text = "%s %s." % (part.english, "hurt" if number == "plural" else "hurts")
        if not subject.is_pronoun or subject.number == "plural":
            return None
        return text, "%s %s weh." % (part.german["nominative"], finite)
    if kind == 1:
        pain = noun_phrase(chooser.pick(of_classes(maker, "pain")), "")
        text = pain.english if pain.english in ("toothache", "back pain") else "a " + pain.english
        past = chooser.chance(0.3)
        finite = (german.preterite if past else german.present)(
            "haben", subject.person, subject.german_number)
        have = "had" if past else ("has" if third else "have")
        time = Adverbial(*chooser.pick((("yesterday", "gestern"), ("this morning", "heute Morgen"),
                                        ("on Sunday", "am Sonntag"))) if past else
                         chooser.pick((("today", "heute"), ("often", "oft"), ("again", "wieder"))))
        if time.english == "often":
            return ("%s often %s %s." % (subject.english, have, text),
                    "%s %s oft %s." % (nominative, finite, pain.german["accusative"]))
        return ("%s %s %s %s." % (subject.english, have, text, time.english),
                "%s %s %s %s." % (nominative, finite, time.german, pain.german["accusative"]))
    if kind == 2:
        remedy = noun_phrase(chooser.pick(of_classes(maker, "remedy", "doctor_paper")), "a")
        against, german_against = chooser.pick((
            ("for a cold", "gegen Erkältung"), ("for toothache", "gegen Zahnschmerzen"),
            ("for a headache", "gegen Kopfschmerzen"), ("for a cough", "gegen Husten")))
        if remedy.noun.english in ("plaster", "ointment", "appointment", "prescription"):
            opening, german_opening = chooser.pick((
                ("I need %s.", "Ich brauche %s."), ("Do you have %s?", "Haben Sie %s?"),
                ("The doctor gave me %s.", "Der Arzt hat mir %s gegeben.")))
            return opening % remedy.english, german_opening % remedy.german["accusative"]
        opening, german_opening = chooser.pick((
            ("I need %s %s.", "Ich brauche %s %s."),
            ("Do you have %s %s?", "Haben Sie %s %s?"),
            ("The pharmacist recommended %s %s.", "Der Apotheker hat %s %s empfohlen."),
            ("She is taking %s %s.", "Sie nimmt %s %s.")))
        return opening % (remedy.english, against), german_opening % (remedy.german["accusative"],
                                                                     german_against)
    if kind == 3:
        part = chooser.pick([maker.lexicon.by_name[name] for name in (
            "leg", "arm", "finger", "foot")])
        if not subject.is_pronoun and subject.noun is not None:
            return None
        dative = reflexive(subject, "dative")
        finite = german.present("haben", subject.person, subject.german_number)
        return ("%s broke %s %s." % (subject.english, subject.own, part.english),
                "%s %s %s %s %s gebrochen." % (
                    nominative, finite, dative, german.determiner(
                        "der", part.gender, "singular", "accusative"), part.german))
    if kind == 4:
        part = chooser.pick([maker.lexicon.by_name[name] for name in ("hand", "foot", "tooth")])
        washing = part.english != "tooth"
        verb = maker.lexicon.verbs_named("wash" if washing else "clean")[0]
        modal, _ = chooser.pick((("have to", 0), ("want to", 0), ("must", 0), ("should", 0),
                                 (None, 0)))
        tense = "present" if modal else chooser.pick(("past", "future", "progressive"))
        clause = Clause(subject, verb, tense=tense, modal=modal)
        finite, end = clause.german_finite()
        auxiliary, text = clause._english_verb_group(False)
        body = part.english_plural
        article = "die " + part.german_plural
        return (" ".join(word for word in (subject.english, auxiliary, text, subject.own, body)
                         if word) + ".",
                " ".join([nominative, finite, reflexive(subject, "dative"), article] + end) + ".")
    if kind == 5:
        illness = chooser.pick((("a cold", "eine Erkältung"), ("the flu", "die Grippe"),
                                ("a fever", "Fieber"), ("a cough", "Husten")))
        count = 2 + chooser.below(6)
        unit, german_unit = chooser.pick((("days", "Tagen"), ("weeks", "Wochen")))
        finite = german.present("haben", subject.person, subject.german_number)
        return ("%s %s had %s for %s %s." % (subject.english, "has" if third else "have",
                                            illness[0], english.number_word(count), unit),
                "%s %s seit %s %s %s." % (nominative, finite, german.number_word(count),
                                          german_unit, illness[1]))
    how, german_how = chooser.pick((("better", "besser"), ("ill", "krank"), ("tired", "müde"),
                                    ("well", "wohl"), ("bad", "schlecht")))
    finite = german.present("fühlen", subject.person, subject.german_number)
    time, german_time = chooser.pick((("today", "heute"), ("now", "jetzt"), ("again", "wieder")))
    if time == "again" and how == "better":
        time, german_time = "today", "heute"
    return ("%s %s %s %s." % (subject.english, "feels" if third else "feel", how, time),
            "%s %s %s %s %s." % (nominative, finite, reflexive(subject), german_time, german_how))


PATTERNS = ((health, 1),)
