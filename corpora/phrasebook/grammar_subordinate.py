# SPDX-License-Identifier: Apache-2.0
"""Sentences of two clauses: dass, weil, wenn, ob, obwohl, als, relative, passive."""

from clauses import Clause
from english import capitalise
from grammar_questions import other_person
from grammar_statements import BE, HAVE, be_clause, described_subject
from lexicon import Verb
from phrases import Adverbial, pronoun

KNOW = Verb(["know", "knew,known", "wissen", "weiß", "gewusst", "h", "person", "-", "-", "state"])
THINKING = {
    "know": KNOW,
    "think": Verb(["think", "thought,thought", "glauben", "-", "geglaubt", "h", "person", "-", "-", "state"]),
    "hope": Verb(["hope", "-", "hoffen", "-", "-", "h", "person", "-", "-", "state"]),
    "say": Verb(["say", "said,said", "sagen", "-", "-", "h", "person", "-", "-", "state"]),
    "hear": Verb(["hear", "heard,heard", "hören", "-", "-", "h", "person", "-", "-", "state"]),
    "be sure": Verb(["be", "-", "sein", "ist", "gewesen", "s", "person", "-", "-", "state"]),
    "be glad": Verb(["be", "-", "sein", "ist", "gewesen", "s", "person", "-", "-", "state"]),
}
STATES = {"be sure": Adverbial("sure", "sicher"), "be glad": Adverbial("glad", "froh")}


def opening_clause(maker, kind):
    chooser = maker.chooser
    subject = maker.subject(you=0)
    tense = "past" if kind in ("say", "hear") else "present"
    return Clause(subject, THINKING[kind], tense=tense, predicate=STATES.get(kind))


def inner_clause(maker, subject=None):
    chooser = maker.chooser
    verb = chooser.pick(maker.lexicon.verbs)
    if chooser.chance(0.2):
        thing = described_subject(maker)
        words = maker.lexicon.adjectives_for(thing.noun)
        if words:
            word = chooser.pick(words)
            return be_clause(thing, word.english, word.german, negated=chooser.chance(0.2))
    subject = subject or other_person(maker, verb)
    return maker.clause(verb, subject, time=0.35, place=0.2)


UNWELCOME = ("bite", "chase", "lose", "miss", "get lost", "cry", "forget", "complain about",
             "be afraid of")


def that_clause(maker):
    """I think that the shop is open."""
    chooser = maker.chooser
    kind = chooser.pick(list(THINKING))
    opening = opening_clause(maker, kind)
    inner = inner_clause(maker)
    if kind in ("hope", "be glad"):
        if inner.modal not in (None, "can") or inner.verb.english in UNWELCOME:
            return None
    return ("%s that %s." % (opening.english(), inner.english()),
            "%s, dass %s." % (opening.german(), inner.german_subordinate()))


ASKING = (("I do not know", "Ich weiß nicht"), ("Do you know", "Wissen Sie"),
          ("Can you tell me", "Können Sie mir sagen"),
          ("She wants to know", "Sie will wissen"), ("He wants to know", "Er will wissen"),
          ("We do not know", "Wir wissen nicht"), ("They want to know", "Sie wollen wissen"),
          ("I would like to know", "Ich möchte wissen"))
INDIRECT = (("when", "wann"), ("why", "warum"), ("where", "wo"), ("whether", "ob"),
            ("whether", "ob"))


def indirect_question(maker):
    """Can you tell me when the train leaves?"""
    chooser = maker.chooser
    opening, german_opening = chooser.pick(ASKING)
    word, german_word = chooser.pick(INDIRECT)
    verb = None
    if word == "where":
        verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(
            ("buy", "meet", "work", "live", "find", "park", "learn", "change trains",
             "have breakfast", "rent"))))
    elif word == "when" and chooser.chance(0.5):
        verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(
            ("leave", "arrive", "start", "end", "come back"))))
    verb = verb or chooser.pick(maker.lexicon.verbs)
    inner = maker.clause(verb, other_person(maker, verb), negated=False, time=0.3, place=0.1)
    if word == "why" and inner.modal in ("can", "may", "should", "would like to"):
        return None
    inner.frequency = None
    if inner.subject.english.startswith(("a ", "an ")):
        return None
    if word in ("when", "where"):
        inner.time = inner.manner = None
        if word == "where":
            inner.place = None
        elif inner.verb.state or inner.verb.infinitive == "wohnen":
            return None
    mark = "?" if opening.startswith(("Do", "Can")) else "."
    return ("%s %s %s%s" % (opening, word, inner.english(), mark),
            "%s, %s %s%s" % (german_opening, german_word, inner.german_subordinate(), mark))


# (English predicate, German predicate, verb) for states of persons
REASONS = ((BE, "tired", "müde"), (BE, "ill", "krank"), (BE, "hungry", "hungrig"),
           (BE, "late", "zu spät"), (BE, "happy", "glücklich"), (BE, "sad", "traurig"),
           (HAVE, "a fever", "Fieber"), (HAVE, "a headache", "Kopfschmerzen"),
           (HAVE, "no time", "keine Zeit"), (HAVE, "no money", "kein Geld"),
           (HAVE, "a cold", "eine Erkältung"), (HAVE, "toothache", "Zahnschmerzen"),
           (HAVE, "a lot of work", "viel Arbeit"), (HAVE, "a day off", "einen Tag frei"),
           (HAVE, "an exam", "eine Prüfung"), (HAVE, "an appointment", "einen Termin"),
           (HAVE, "visitors", "Besuch"))
RESULTS = {
    "tired": ("bed", "sofa", "rest", "home", "not dance", "coffee"),
    "ill": ("home", "bed", "doctor", "not work", "medicine", "cancel"),
    "hungry": ("eat", "cook", "restaurant", "kitchen"),
    "late": ("hurry", "taxi", "run", "call"),
    "happy": ("sing", "dance", "laugh"), "sad": ("cry", "not dance", "call"),
    "a fever": ("home", "bed", "doctor", "not work", "medicine", "cancel"),
    "a headache": ("bed", "rest", "medicine", "not dance", "home"),
    "no time": ("not cook", "hurry", "not help", "not come", "not read"),
    "no money": ("not buy", "walk", "not restaurant"),
    "a cold": ("home", "tea", "doctor", "bed", "not swim"),
    "toothache": ("dentist", "not eat", "medicine"),
    "a lot of work": ("early", "not come", "not cook", "coffee", "late back"),
    "a day off": ("hike", "swim", "visit", "garden", "late up"),
    "an exam": ("learn", "early", "library", "not dance"),
    "an appointment": ("hurry", "not come", "early", "taxi"),
    "visitors": ("cook", "bake", "clean", "not come", "tidy"),
}
# (English base, third person, past participle-free past, German infinitive data, rest)
DEEDS = {
    "bed": ("go", "gehen", "to bed", "ins Bett"),
    "sofa": ("lie down", "sich hin|legen", "", ""),
    "rest": ("have a rest", "sich aus|ruhen", "", ""),
    "home": ("stay", "bleiben", "at home", "zu Hause"),
    "not dance": ("dance", "tanzen", "not", "nicht"),
    "coffee": ("drink", "trinken", "coffee", "Kaffee"),
    "tea": ("drink", "trinken", "tea", "Tee"),
    "doctor": ("go", "gehen", "to the doctor", "zum Arzt"),
    "dentist": ("go", "gehen", "to the dentist", "zum Zahnarzt"),
    "not work": ("work", "arbeiten", "not", "nicht"),
    "medicine": ("take", "nehmen", "a tablet", "eine Tablette"),
    "cancel": ("call", "an|rufen", "the boss", "den Chef"),
    "eat": ("eat", "essen", "a sandwich", "ein belegtes Brot"),
    "cook": ("cook", "kochen", "a soup", "eine Suppe"),
    "restaurant": ("go", "gehen", "to the restaurant", "ins Restaurant"),
    "kitchen": ("go", "gehen", "into the kitchen", "in die Küche"),
    "hurry": ("hurry", "sich beeilen", "", ""),
    "taxi": ("take", "nehmen", "a taxi", "ein Taxi"),
    "run": ("run", "laufen", "to the station", "zum Bahnhof"),
    "call": ("call", "an|rufen", "a friend", "einen Freund"),
    "sing": ("sing", "singen", "a song", "ein Lied"),
    "dance": ("dance", "tanzen", "", ""),
    "laugh": ("laugh", "lachen", "", ""),
    "cry": ("cry", "weinen", "", ""),
    "not cook": ("cook", "kochen", "not", "nicht"),
    "not help": ("help", "helfen", "not the neighbour", "dem Nachbarn nicht"),
    "not come": ("come", "kommen", "not to the party", "nicht zur Feier"),
    "not read": ("read", "lesen", "not the newspaper", "die Zeitung nicht"),
    "not buy": ("buy", "kaufen", "not the coat", "den Mantel nicht"),
    "walk": ("go", "gehen", "home on foot", "zu Fuß nach Hause"),
    "not restaurant": ("go", "gehen", "not to the restaurant", "nicht ins Restaurant"),
    "not swim": ("swim", "schwimmen", "not in the lake", "nicht im See"),
    "not eat": ("eat", "essen", "not an apple", "keinen Apfel"),
    "early": ("get up", "auf|stehen", "early", "früh"),
    "late up": ("get up", "auf|stehen", "late", "spät"),
    "late back": ("come back", "zurück|kommen", "late", "spät"),
    "hike": ("hike", "wandern", "in the mountains", "in den Bergen"),
    "swim": ("swim", "schwimmen", "in the lake", "im See"),
    "visit": ("visit", "besuchen", "the museum", "das Museum"),
    "garden": ("work", "arbeiten", "in the garden", "im Garten"),
    "learn": ("study", "lernen", "at home", "zu Hause"),
    "library": ("go", "gehen", "to the library", "in die Bibliothek"),
    "bake": ("bake", "backen", "a cake", "einen Kuchen"),
    "clean": ("clean", "putzen", "the bathroom", "das Badezimmer"),
    "tidy": ("tidy up", "auf|räumen", "the living room", "das Wohnzimmer"),
}


def deed_clause(maker, name, subject, tense, modal=None):
    base, infinitive, rest, german_rest = DEEDS[name]
    plain = infinitive.replace("sich ", "")
    verb = [verb for verb in maker.lexicon.verbs_named(base) if verb.infinitive == plain][0]
    negated = rest.startswith("not")
    clause = Clause(subject, verb, tense=tense, modal=modal, negated=negated)
    english_rest = rest[3:].strip() if negated else rest
    predicate = Adverbial(english_rest, german_rest)
    predicate.absorbs_negation = True          # nicht is part of the German text
    clause.predicate = predicate if rest else None
    return clause


def cause(maker):
    """He stayed at home because he was ill.  / ... although ..."""
    chooser = maker.chooser
    verb, state, german_state = chooser.pick(REASONS)
    subject = maker.subject(you=0.03)
    if subject.english.startswith(("a ", "an ")):
        return None
    if not subject.is_pronoun and subject.noun is not None:
        again = pronoun_again(subject)
    elif subject.is_pronoun:
        again = subject
    else:
        again = pronoun("he" if subject.gender == "m" else "she")
    past = chooser.chance(0.5)
    reason = Clause(again, verb, tense="past" if past else "present",
                    predicate=Adverbial(state, german_state))
    deed = chooser.pick(RESULTS[state])
    modal = None
    tense = "past" if past else chooser.pick(("present", "future"))
    if chooser.chance(0.3) and not DEEDS[deed][2].startswith("not"):
        modal, tense = chooser.pick(("have to", "want to")), "past" if past else "present"
    if deed in ("cry", "laugh", "not dance", "dance", "sing") and not past:
        tense = "progressive" if not modal else tense
    if tense == "present" and not modal and deed not in ("home", "bed"):
        tense = "progressive"
    result = deed_clause(maker, deed, subject, tense, modal)
    if chooser.chance(0.75):
        return ("%s because %s." % (result.english(), reason.english()),
                "%s, weil %s." % (result.german(), reason.german_subordinate()))
    first_reason = Clause(subject, verb, tense=reason.tense, predicate=reason.predicate)
    result.subject = again
    return ("Because %s, %s." % (first_reason.english(), result.english()),
            "Weil %s, %s." % (first_reason.german_subordinate(), result.german_inverted()))


def pronoun_again(subject):
    """he, she, it or they for a person already named."""
    if subject.number == "plural":
        return pronoun("they")
    if subject.gender == "m":
        return pronoun("he")
    if subject.gender == "f":
        return pronoun("she")
    # the girl -> she (es), the child -> it (es)
    again = pronoun("it")
    if subject.noun.english == "girl":
        again.english = "she"
    return again


CONDITIONS = (("it rains", "es regnet"), ("it snows", "es schneit"),
              ("the weather is good", "das Wetter gut ist"),
              ("the weather is bad", "das Wetter schlecht ist"),
              ("the sun shines", "die Sonne scheint"), ("it is hot", "es heiß ist"),
              ("it is cold", "es kalt ist"))
WEATHER_DEEDS = {
    "it rains": ("home", "coffee", "taxi", "bake", "clean", "tidy", "tea"),
    "it snows": ("home", "tea", "bake", "coffee", "taxi"),
    "the weather is good": ("garden", "swim", "hike", "visit"),
    "the weather is bad": ("home", "visit", "bake", "library", "restaurant", "tidy"),
    "the sun shines": ("garden", "swim", "hike"),
    "it is hot": ("swim", "rest", "not work"), "it is cold": ("tea", "home", "not swim", "cook"),
}


def condition(maker):
    """If it rains, we will stay at home."""
    chooser = maker.chooser
    subject = maker.subject(you=0.08)
    if subject.english.startswith(("a ", "an ")):
        return None
    if chooser.chance(0.5):
        text, german_text = chooser.pick(CONDITIONS)
        deed = chooser.pick(WEATHER_DEEDS[text])
        again = subject
        last_text, last_german = text, german_text
        condition_text, condition_german = text, german_text
    else:
        verb, state, german_state = chooser.pick(REASONS)
        deed = chooser.pick(RESULTS[state])
        again = subject if subject.is_pronoun or subject.noun is None else pronoun_again(subject)
        if again is subject and not subject.is_pronoun:
            again = pronoun("he" if subject.gender == "m" else "she")
        predicate = Adverbial(state, german_state)
        inner = Clause(subject, verb, predicate=predicate)
        condition_text, condition_german = inner.english(), inner.german_subordinate()
        inner = Clause(again, verb, predicate=predicate)
        last_text, last_german = inner.english(), inner.german_subordinate()
    modal, tense = chooser.weighted((((None, "future"), 4), ((None, "present"), 3),
                                     (("should", "present"), 2), (("can", "present"), 2),
                                     (("have to", "present"), 1)))
    if modal and DEEDS[deed][2].startswith("not") and modal != "can":
        modal = "can"
    word = ("when", "wenn") if tense == "present" and not modal else ("if", "wenn")
    if chooser.chance(0.6):
        result = deed_clause(maker, deed, again, tense, modal)
        return ("%s %s, %s." % (capitalise(word[0]), condition_text, result.english()),
                "Wenn %s, %s." % (condition_german, result.german_inverted()))
    result = deed_clause(maker, deed, subject, tense, modal)
    return ("%s %s %s." % (result.english(), word[0], last_text),
            "%s, wenn %s." % (result.german(), last_german))


CONTRASTS = (("it is raining", "es regnet"), ("it is snowing", "es schneit"),
             ("it is cold", "es kalt ist"), ("it is late", "es spät ist"),
             ("it is very hot", "es sehr heiß ist"), ("it is dangerous", "es gefährlich ist"),
             ("the weather is bad", "das Wetter schlecht ist"))


def contrast(maker):
    """Although it is raining, they are working in the garden."""
    chooser = maker.chooser
    text, german_text = chooser.pick(CONTRASTS)
    deed = chooser.pick(("garden", "swim", "hike", "walk", "run", "not work", "visit"))
    if text == "it is dangerous" and deed in ("garden", "visit", "not work"):
        deed = "swim"
    if deed == "not work":
        deed = "walk"
    subject = maker.subject(you=0.02)
    tense, modal = chooser.pick((("progressive", None), ("future", None), ("present", "want to"),
                                 ("present", "would like to"), ("present", "have to")))
    result = deed_clause(maker, deed, subject, tense, modal)
    if chooser.chance(0.5):
        return ("Although %s, %s." % (text, result.english()),
                "Obwohl %s, %s." % (german_text, result.german_inverted()))
    return ("%s although %s." % (result.english(), text),
            "%s, obwohl %s." % (result.german(), german_text))


def past_occasion(maker):
    """When he was ill, he stayed in bed: als, not wenn."""
    chooser = maker.chooser
    verb, state, german_state = chooser.pick(REASONS)
    subject = maker.subject(you=0)
    if subject.english.startswith(("a ", "an ")):
        return None
    if subject.is_pronoun:
        again = subject
    elif subject.noun is not None:
        again = pronoun_again(subject)
    else:
        again = pronoun("he" if subject.gender == "m" else "she")
    occasion = Clause(subject, verb, tense="past", predicate=Adverbial(state, german_state))
    deed = deed_clause(maker, chooser.pick(RESULTS[state]), again, "past",
                       "have to" if chooser.chance(0.2) else None)
    if deed.modal and deed.negated:
        return None
    return ("When %s, %s." % (occasion.english(), deed.english()),
            "Als %s, %s." % (occasion.german_subordinate(), deed.german_inverted()))


PATTERNS = ((past_occasion, 3), (that_clause, 12),
            (indirect_question, 10), (cause, 10), (condition, 9), (contrast, 3))
