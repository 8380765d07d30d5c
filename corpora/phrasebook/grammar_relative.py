# SPDX-License-Identifier: Apache-2.0
"""Relative clauses and the passive."""

import german
from clauses import Clause
from english import be
from grammar_statements import ABSOLUTE, COLOURS, be_clause
from phrases import Adverbial, Phrase, noun_phrase, pronoun, time_for

POSTURES = (("is standing at the door", "an der Tür steht"),
            ("is sitting over there", "dort sitzt"),
            ("lives next door", "nebenan wohnt"),
            ("is waiting in front of the hotel", "vor dem Hotel wartet"),
            ("is sitting at the window", "am Fenster sitzt"),
            ("works in the garden", "im Garten arbeitet"),
            ("came yesterday", "gestern gekommen ist"),
            ("helped me", "mir geholfen hat"), ("called you", "Sie angerufen hat"),
            ("is reading the newspaper", "die Zeitung liest"),
            ("is wearing the red coat", "den roten Mantel trägt"),
            ("is waiting for the bus", "auf den Bus wartet"))


def relative_pronoun(phrase, case):
    key = "p" if phrase.german_number == "plural" else phrase.gender
    return german.RELATIVE[key][german.case_index(case)]


def with_relative(phrase, english_text, german_text):
    """Insert a relative clause; German sets it off with commas."""
    forms = {case: "%s, %s," % (form, german_text) for case, form in phrase.german.items()}
    return Phrase(phrase.english + " " + english_text, forms, 3, phrase.number,
                  phrase.german_number, phrase.gender, phrase.noun)


def predicate_for(maker, phrase):
    words = [word for word in maker.lexicon.adjectives_for(phrase.noun)
             if word.english not in COLOURS]
    if not words:
        return None
    word = maker.chooser.pick(words)
    if maker.chooser.chance(0.5) and word.english not in ABSOLUTE:
        return "very " + word.english, "sehr " + word.german
    return word.english, word.german


def who_subject(maker):
    """The woman who is standing at the door is my aunt."""
    chooser = maker.chooser
    noun = chooser.pick(maker.lexicon.nouns_of(chooser.pick(("adult", "adult", "young",
                                                              "public"))))
    person = noun_phrase(noun, "the")
    text, german_text = chooser.pick(POSTURES)
    whole = with_relative(person, "who " + text,
                          relative_pronoun(person, "nominative") + " " + german_text)
    kind = chooser.below(4)
    if kind == 0:
        female = noun.gender == "f" or noun.english == "girl"
        child = "young" in noun.classes
        if noun.english == "child":
            names = ("son", "daughter", "nephew", "niece")
        elif female:
            names = ("daughter", "sister", "niece") if child else (
                "sister", "aunt", "mother", "grandmother", "girlfriend")
        else:
            names = ("son", "brother", "nephew") if child else (
                "brother", "uncle", "father", "friend", "grandfather", "boss")
        kin = maker.relative(maker.lexicon.by_name[chooser.pick(names)], number="singular")
        clause = be_clause(whole, kin.english, kin.german["nominative"])
    elif kind == 1:
        predicate = predicate_for(maker, person)
        if predicate is None:
            return None
        clause = be_clause(whole, *predicate)
    else:
        verb = maker.lexicon.verbs_named(chooser.pick(
            ("know", "help", "call", "thank", "see", "invite", "ask", "talk to",
             "wait for", "remember")))[0]
        subject = maker.person_pronoun(you=0.15)
        if kind == 3 and subject.person == 1:
            kind = 2                      # one knows what one did oneself
        tense, modal = maker.tense_for(verb, None, None, subject)
        if tense == "present" and not modal and not verb.state:
            tense = "past"
        plain = Clause(subject, verb, [(verb.complements[0], person)], tense, modal)
        # the clause goes behind the German sentence: "..., der dort sitzt."
        german_clause = relative_pronoun(person, "nominative") + " " + german_text
        if kind == 2:
            return (plain.english() + " who " + text + ".",
                    plain.german() + ", " + german_clause + ".")
        return (plain.english_question() + " who " + text + "?",
                plain.german_question() + ", " + german_clause + "?")
    return clause.english() + ".", clause.german() + "."


THING_VERBS = ("read", "buy", "write", "cook", "bake", "order", "find", "look for", "lose",
               "wear", "repair", "visit", "photograph", "see", "paint", "rent", "wash",
               "clean", "plant", "translate", "borrow", "build", "sell", "need", "book",
               "sing", "eat", "play", "wait for", "think of", "talk about", "take part in",
               "be interested in", "look forward to", "help", "thank", "meet", "invite",
               "call", "talk to", "trust")


def object_relative(maker):
    """The book that I bought yesterday is interesting."""
    chooser = maker.chooser
    verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(THING_VERBS)))
    if len(verb.complements) != 1:
        return None
    complement = verb.complements[0]
    noun = chooser.pick(maker.lexicon.nouns_of(chooser.pick(
        [name if name != "person" else "public" for name in complement.classes])))
    if noun.mass or noun.classes & {"family", "plural_people", "sport", "instrument"}:
        if not noun.classes & {"drink", "staple"}:
            return None
    plural = "clothing_pair" in noun.classes or "small_fruit" in noun.classes
    thing = noun_phrase(noun, "the", "plural" if plural or chooser.chance(0.15)
                        else "singular")
    subject = maker.subject(you=0.1)
    if subject.english.startswith(("a ", "an ")) or subject.noun is noun:
        return None
    tense = chooser.pick(("past", "past", "past", "progressive", "future"))
    if verb.past_only:
        tense = "past"
    if verb.state:
        tense = "present"
    clause = Clause(subject, verb, [(complement, thing)], tense)
    if chooser.chance(0.45) and not verb.state:
        kind = {"past": "past", "progressive": "now", "future": "future"}[tense]
        clause.time = time_for(chooser, kind, False)
    person = "person" in noun.classes
    text = ("who " if person else "that ") + relative_english(clause, complement)
    inner = clause.german_subordinate(without=(complement.role,))
    link = relative_pronoun(thing, complement.case)
    if complement.preposition:
        link = complement.preposition + " " + link
    whole = with_relative(thing, text, link + " " + inner)
    predicate = predicate_for(maker, thing)
    if predicate is None:
        return None
    if chooser.chance(0.15) and not person and verb.english in (
            "read", "buy", "borrow", "rent", "wash", "clean", "paint", "need", "find",
            "look for", "repair", "book", "see", "wear"):
        return ("Where %s %s?" % (be(3, thing.number), whole.english),
                "Wo %s %s?" % ("sind" if thing.german_number == "plural" else "ist",
                               whole.german["nominative"].rstrip(",")))
    outer = be_clause(whole, *predicate)
    return outer.english() + ".", outer.german() + "."


def relative_english(clause, complement):
    """Clause without its object; the preposition or particle stays."""
    kept = clause.complements
    clause.complements = [(other, phrase) for other, phrase in kept if other is not complement]
    text = clause.english()
    clause.complements = kept
    return text


# verbs whose passive sounds natural, with the place or time of the event
PASSIVE = ("build", "repair", "clean", "sell", "write", "translate", "sign", "open", "close",
           "buy", "paint", "plant", "wash", "book", "deliver", "print out", "invite", "ask",
           "pay", "tidy up", "pick up", "bake", "prepare", "feed", "rent", "order")


def passive(maker):
    """The church was built in 1890.  The room is being cleaned."""
    chooser = maker.chooser
    verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(PASSIVE)))
    classes = [name if name != "person" else "public" for name in verb.complements[0].classes]
    noun = chooser.pick(maker.lexicon.nouns_of(chooser.pick(classes)))
    if "family" in noun.classes or "spouse" in noun.classes:
        return None
    number = "plural" if (chooser.chance(0.25) or "clothing_pair" in noun.classes) else "singular"
    subject = noun_phrase(noun, "this" if chooser.chance(0.12) else "the", number)
    tail = " " + verb.tail if verb.tail else ""
    person, german_number = 3, subject.german_number
    kind = chooser.weighted((("past", 5), ("now", 3), ("future", 3), ("modal", 2)))
    agent_text = agent_german = ""
    if kind == "past" and chooser.chance(0.45):
        agent = maker.described(chooser.pick(maker.lexicon.nouns_of("profession")), subject=True)
        if verb.english in ("build", "write", "paint", "repair", "clean", "bake", "open",
                            "sign", "plant", "translate", "invite"):
            agent_text = " by " + agent.english_object
            agent_german = " " + german.preposition("von", agent.german["dative"])
    time = time_for(chooser, {"past": "past", "now": "now"}.get(kind, "future"),
                    verb.english in ("build", "repair", "sell", "plant", "translate"))
    if verb.english == "build" and kind == "past" and chooser.chance(0.6):
        year = str(1800 + 5 * chooser.below(41))
        time = Adverbial("in " + year, "im Jahr " + year)
    time_text, time_german = " " + time.english, " " + time.german
    if kind != "now" and chooser.chance(0.3):
        time_text = time_german = ""
    plural = subject.number == "plural"
    nominative = subject.german["nominative"]
    form = verb.past_participle + tail
    if kind == "past":
        return ("%s %s %s%s%s." % (subject.english, be(3, subject.number, True), form,
                                   agent_text, time_text),
                "%s %s%s%s %s." % (nominative, german.preterite("werden", 3, german_number),
                                   time_german, agent_german, verb.participle))
    finite = german.present("werden", 3, german_number)
    if kind == "now":
        return ("%s %s being %s%s." % (subject.english, be(3, subject.number), form, time_text),
                "%s %s%s %s." % (nominative, finite, time_german, verb.participle))
    if kind == "future":
        return ("%s will be %s%s." % (subject.english, form, time_text),
                "%s %s%s %s werden." % (nominative, finite, time_german, verb.participle))
    word, modal = chooser.pick((("must", "müssen"), ("can", "können")))
    return ("%s %s be %s%s." % (subject.english, word, form, time_text),
            "%s %s%s %s werden." % (nominative, german.present(modal, 3, german_number),
                                    time_german, verb.participle))


INFINITIVES = (("It is nice", "Es ist schön"), ("It is difficult", "Es ist schwierig"),
               ("It is easy", "Es ist einfach"), ("It is important", "Es ist wichtig"),
               ("We forgot", "Wir haben vergessen"), ("I tried", "Ich habe versucht"),
               ("She tried", "Sie hat versucht"), ("I forgot", "Ich habe vergessen"),
               ("He started", "Er hat angefangen"))


def infinitive_clause(maker):
    """I forgot to close the window: das Fenster zu schließen."""
    chooser = maker.chooser
    opening, german_opening = chooser.pick(INFINITIVES)
    names = ("close", "open", "turn off", "clean", "repair", "find", "learn", "write", "read",
             "call", "help", "pick up", "water", "tidy up", "visit", "answer", "translate",
             "fill in", "buy", "pay", "feed", "invite", "pack", "sign", "print out",
             "understand", "thank", "cook", "bring")
    verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(names)))
    if opening.startswith("It"):
        subject = noun_phrase(maker.lexicon.by_name["man"], "the")
        subject.own = "the"
    else:
        word = opening.split()[0]
        subject = pronoun(word if word == "I" else word.lower())
    clause = maker.clause(verb, subject, tense="future", negated=False, time=0, place=0)
    clause.manner = clause.time = None
    if verb.english == "understand" and not opening.startswith("It is"):
        return None
    if opening.startswith("He started") and verb.english in (
            "find", "turn off", "close", "open", "invite", "thank", "call", "bring"):
        return None
    text = " ".join(clause._english_rest(verb.head))
    pronouns, words = clause._middle()
    infinitive = verb.infinitive.replace("|", "zu") if verb.prefix else "zu " + verb.infinitive
    if verb.reflexive:
        return None
    return ("%s to %s." % (opening, text),
            "%s, %s." % (german_opening, " ".join(pronouns + words + [infinitive])))


PURPOSES = (("go", "to the supermarket", "in den Supermarkt", ("buy",)),
            ("go", "into the garden", "in den Garten", ("water", "pick", "plant")),
            ("go", "to the station", "zum Bahnhof", ("pick up",)),
            ("go", "into the kitchen", "in die Küche", ("cook", "bake", "peel")),
            ("go", "to the city centre", "ins Stadtzentrum", ("buy", "visit")),
            ("stay", "at home", "zu Hause", ("learn", "read", "tidy up", "bake")))


def purpose(maker):
    """She went into the garden to water the flowers: um ... zu gießen."""
    chooser = maker.chooser
    base, place, german_place, deeds = chooser.pick(PURPOSES)
    verb = maker.lexicon.verbs_named(base)[0]
    subject = maker.subject(you=0)
    tense = chooser.pick(("past", "past", "future"))
    outer = Clause(subject, verb, tense=tense, place=Adverbial(place, german_place))
    if chooser.chance(0.4):
        outer.time = time_for(chooser, tense, False)
    deed = chooser.pick(maker.lexicon.verbs_named(chooser.pick(deeds)))
    if place.endswith("supermarket"):
        deed = maker.lexicon.verbs_named("buy")[1]
    elif place.endswith("centre") and deed.english == "buy":
        deed = maker.lexicon.verbs_named("buy")[0]
    inner = maker.clause(deed, subject, tense="future", negated=False, time=0, place=0)
    inner.manner = None
    pronouns, words = inner._middle()
    infinitive = deed.infinitive.replace("|", "zu") if deed.prefix else "zu " + deed.infinitive
    fronted = outer.time is not None
    return ("%s to %s." % (outer.english(fronted), " ".join(inner._english_rest(deed.head))),
            "%s, um %s." % (outer.german(fronted), " ".join(pronouns + words + [infinitive])))


PATTERNS = ((who_subject, 8), (object_relative, 10), (passive, 8), (infinitive_clause, 6),
            (purpose, 5))
