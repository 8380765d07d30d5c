# SPDX-License-Identifier: Apache-2.0
"""Questions, requests and orders, with polite Sie and familiar du.

"You" is Sie.  It is du (for several children ihr) only where the English
sentence calls the person by a first name or a family word: "Anna, can you
help me?" - "Anna, kannst du mir helfen?"
"""

import german
from grammar_statements import be_clause, described_subject
from phrases import FIRST_NAMES, SURNAMES, noun_phrase, pronoun

CALLED = (("Mum", "Mama"), ("Dad", "Papa"), ("Grandma", "Oma"), ("Grandpa", "Opa"))
QUESTION_VERBS = (
    "read", "write", "buy", "eat", "drink", "cook", "order", "book", "look for", "find",
    "lose", "forget", "need", "take", "pick up", "call", "visit", "meet", "invite", "see",
    "know", "open", "close", "turn on", "turn off", "clean", "wash", "tidy up", "repair",
    "sell", "pay", "feed", "wear", "pack", "send", "show", "lend", "recommend", "help",
    "thank", "wait for", "think of", "talk to", "talk about", "be interested in",
    "remember", "be afraid of", "take part in", "play", "learn", "speak", "understand",
    "answer", "sign", "fill in", "prepare", "miss", "arrive", "go", "drive", "fly",
    "travel", "come back", "get up", "sleep", "swim", "work", "live", "stay", "rent",
    "change trains", "have breakfast", "go shopping", "dance", "water", "plant", "bring")


def address_form(maker):
    """(address, English opening, German opening)."""
    chooser = maker.chooser
    kind = chooser.weighted((("Sie", 60), ("name", 22), ("called", 8), ("title", 7),
                             ("children", 4)))
    if kind == "name":
        name = chooser.pick(FIRST_NAMES)[0]
        return "du", name + ", ", name + ", "
    if kind == "called":
        word, german_word = chooser.pick(CALLED)
        return "du", word + ", ", german_word + ", "
    if kind == "children":
        return "ihr", "Children, ", "Kinder, "
    if kind == "title":
        surname = chooser.pick(SURNAMES)
        if chooser.chance(0.5):
            return "Sie", "Mr %s, " % surname, "Herr %s, " % surname
        return "Sie", "Ms %s, " % surname, "Frau %s, " % surname
    return "Sie", "", ""


def question_verb(maker):
    verbs = maker.lexicon.verbs_named(maker.chooser.pick(QUESTION_VERBS))
    return maker.chooser.pick([verb for verb in verbs if "animal" not in verb.subject])


def other_person(maker, verb):
    """Nobody asks what he himself did: no questions about "I" and "we"."""
    subject = maker.subject(verb.subject, you=0)
    if subject.person == 1:
        subject = pronoun(maker.chooser.pick(("he", "she", "they")))
    return definite(subject)


def definite(subject):
    if subject.noun is not None and subject.indefinite:
        return noun_phrase(subject.noun, "the", subject.number)
    return subject


def yes_no(maker):
    """Did you find your key?  Anna, can you help me?"""
    chooser = maker.chooser
    verb = question_verb(maker)
    address, opening, german_opening = "Sie", "", ""
    if chooser.chance(0.65):
        address, opening, german_opening = address_form(maker)
        subject = pronoun("you", address)
    else:
        subject = other_person(maker, verb)
    clause = maker.clause(verb, subject, address=address, negated=False, question=True,
                          time=0.35, place=0.2)
    clause.frequency = clause.manner = None
    if clause.modal == "can" and subject.person == 2:
        # "could you" is a polite request, not the past
        clause.tense, clause.time = "present", None
    return (opening + clause.english_question() + "?",
            german_opening + clause.german_question() + "?")


ASKING = (("When", "Wann"), ("Why", "Warum"), ("Where", "Wo"), ("How often", "Wie oft"))
PLACED_VERBS = ("buy", "wait for", "meet", "work", "live", "find", "lose", "park",
                "learn", "have breakfast", "change trains", "sleep", "stay", "rent",
                "eat", "see", "swim", "get off")


def adverb_question(maker):
    """When will you come back?  Where did she buy the dress?"""
    chooser = maker.chooser
    word, german_word = chooser.pick(ASKING)
    verb = question_verb(maker)
    if word == "Where":
        verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(PLACED_VERBS)))
    address, opening, german_opening = "Sie", "", ""
    if chooser.chance(0.5):
        address, opening, german_opening = address_form(maker)
        subject = pronoun("you", address)
    else:
        subject = other_person(maker, verb)
    clause = maker.clause(verb, subject, address=address, negated=False, question=True)
    clause.place = clause.frequency = clause.manner = None
    if word in ("When", "How often"):
        clause.time = None
        if verb.state:
            return None
    if word == "Why" and verb.english in ("find", "miss"):
        return None
    if word == "Why" and clause.modal in ("can", "may", "should", "would like to"):
        return None
    if word == "Why" and clause.tense in ("present", "future") and not clause.modal \
            and not verb.state:
        clause.tense = "progressive"
    if word == "How often":
        if clause.tense in ("progressive", "future") or verb.english not in (
                "read", "cook", "visit", "call", "meet", "swim", "clean", "water", "drive",
                "fly", "travel", "go shopping", "help", "think of", "talk to", "feed",
                "play", "go", "dance"):
            return None
        clause.tense, clause.modal = chooser.pick(("present", "past")), None
    if verb.english == "live":
        clause.time = None
    if verb.english == "wait for" and clause.tense == "present":
        clause.tense = "progressive"
    if chooser.chance(0.6):
        clause.time = None
    return (opening + word_case(opening, word) + " " + clause.english_question() + "?",
            german_opening + word_case(opening, german_word) + " "
            + clause.german_question() + "?")


def word_case(opening, word):
    return word[0].lower() + word[1:] if opening else word


def who_question(maker):
    """Who (subject, object, dative, with preposition)?"""
    chooser = maker.chooser
    kind = chooser.weighted((("subject", 4), ("object", 4), ("thing", 5)))
    if kind == "subject":
        verb = question_verb(maker)
        subject = maker.person_pronoun(you=0)
        clause = maker.clause(verb, subject, negated=False, question=True, place=0.2)
        clause.subject = who = noun_phrase(maker.lexicon.by_name["man"], "the")
        if "person" not in verb.subject or any(
                phrase.english.startswith(("my ", "our ", "his ", "her ", "their ", "your "))
                for _, phrase in clause.complements):
            return None
        who.english = "who"
        who.german = {"nominative": "wer"}
        who.is_pronoun = True
        who.own = "the"
        return clause.english() + "?", clause.german() + "?"
    if kind == "object":
        verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(
            ("visit", "call", "meet", "invite", "see", "help", "thank", "follow", "ask",
             "pick up", "trust", "believe", "wait for", "talk to", "congratulate"))))
        roles = ("accusative", "dative", "phrase")
    else:
        verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(
            ("buy", "eat", "drink", "cook", "order", "look for", "find", "lose", "forget",
             "need", "read", "write", "see", "learn", "play", "plant", "photograph",
             "paint", "draw", "bake"))))
        roles = ("accusative",)
    address, opening, german_opening = "Sie", "", ""
    if chooser.chance(0.5):
        address, opening, german_opening = address_form(maker)
        subject = pronoun("you", address)
    else:
        subject = other_person(maker, verb)
    clause = maker.clause(verb, subject, address=address, negated=False, question=True)
    clause.frequency = clause.manner = None
    if len(clause.complements) != 1:
        return None
    complement = clause.complements[0][0]
    word = "Who" if kind == "object" else "What"
    german_word = {"accusative": "Wen", "dative": "Wem"}[complement.case]
    if kind == "thing":
        german_word = "Was"
    if complement.role == "phrase":
        german_word = complement.preposition.capitalize() + " " + german_word.lower()
    return (opening + word_case(opening, word) + " " + clause.english_question(roles) + "?",
            german_opening + word_case(opening, german_word) + " "
            + clause.german_question(roles) + "?")


def where_to(maker):
    chooser = maker.chooser
    verb = maker.lexicon.verbs_named(chooser.pick(("go", "drive", "fly", "travel", "come")))[0]
    address, opening, german_opening = address_form(maker)
    subject = pronoun("you", address) if chooser.chance(0.6) else other_person(maker, verb)
    if subject.english != "you":
        opening = german_opening = ""
    clause = maker.clause(verb, subject, address=address, negated=False, question=True)
    clause.frequency = clause.manner = clause.place = None
    if verb.english == "come":
        clause.tense, clause.modal, clause.time = "present", None, None
        return (opening + word_case(opening, "Where") + " "
                + clause.english_question(("direction",)) + " from?",
                german_opening + word_case(opening, "Woher") + " "
                + clause.german_question(("direction",)) + "?")
    return (opening + word_case(opening, "Where") + " "
            + clause.english_question(("direction",)) + "?",
            german_opening + word_case(opening, "Wohin") + " "
            + clause.german_question(("direction",)) + "?")


def which_question(maker):
    """Which book did you read?  Which train are you taking?"""
    chooser = maker.chooser
    verb = chooser.pick([verb for verb in maker.lexicon.verbs
                         if verb.english in ("read", "buy", "wear", "take", "learn", "speak",
                                             "visit", "wash", "photograph", "order", "sing",
                                             "look for", "rent", "borrow", "miss", "repair")])
    noun = chooser.pick(maker.lexicon.nouns_of(chooser.pick(verb.complements[0].classes)))
    if noun.mass or "family" in noun.classes or verb.english in ("speak", "learn"):
        return None
    number = "plural" if "clothing_pair" in noun.classes or "small_fruit" in noun.classes \
        else "singular"
    thing = noun_phrase(noun, "which", number)
    address, opening, german_opening = address_form(maker)
    clause = maker.clause(verb, pronoun("you", address), address=address, negated=False,
                          question=True, place=0)
    clause.frequency = clause.manner = None
    return (opening + thing.english + " " + clause.english_question(("accusative",)) + "?",
            german_opening + thing.german["accusative"] + " "
            + clause.german_question(("accusative",)) + "?")


ORDER_VERBS = (
    "close", "open", "turn on", "turn off", "clean", "wash", "tidy up", "water", "feed",
    "pick up", "call", "bring", "fetch", "take", "put on", "take off", "try on", "pack",
    "show", "give", "send", "tell", "lend", "help", "wait for", "sign", "fill in", "read",
    "write", "answer", "repair", "get up", "hurry", "sit down", "lie down", "come", "go",
    "stay", "drive", "get off", "get on", "buy", "eat", "drink", "learn", "listen to",
    "thank", "ask", "forget", "print out", "prepare", "visit", "invite", "cut", "peel")


def order(maker):
    """Please close the door.  Anna, close the door!"""
    chooser = maker.chooser
    verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(ORDER_VERBS)))
    if "person" not in verb.subject:
        return None
    address, opening, german_opening = address_form(maker)
    subject = pronoun("you", address)
    negated = chooser.chance(0.12) or verb.english == "forget"
    if verb.english in ("hurry", "get up", "help", "sit down"):
        negated = False
    clause = maker.clause(verb, subject, tense="future", address=address, negated=negated,
                          place=0.1, time=0.15)
    clause.frequency = None
    if negated:
        clause.time = None
    for index, (complement, phrase) in enumerate(clause.complements):
        if complement.role == "dative" and len(clause.complements) > 1:
            receiver = pronoun(chooser.pick(("I", "I", "we", "he", "she", "they")))
            clause.complements[index] = (complement, receiver)
    objects = [phrase for complement, phrase in clause.complements
               if complement.role != "direction"]
    if any(phrase.english_object in ("you",) for phrase in objects):
        return None
    if any(phrase.is_pronoun is False and phrase.english.startswith("every") for phrase in objects):
        return None
    english_words = clause._english_rest(verb.head)
    if clause.time:
        english_words.append(clause.time.english)
    english_text = " ".join(english_words)
    if negated:
        english_text = "do not " + english_text
    finite = german.imperative(verb.infinitive, address, verb.er_form)
    pronouns, words = clause._middle()
    start = [finite] + (["Sie"] if address == "Sie" else [])
    if verb.reflexive:
        start.append({"Sie": "sich", "du": "dich", "ihr": "euch"}[address])
    ending = [verb.prefix] if verb.prefix else []
    please = chooser.chance(0.5) if not opening else chooser.chance(0.25)
    if please:
        start_text = " ".join(start + pronouns + ["bitte"] + words + ending)
        english_text = ("please " + english_text)
    else:
        start_text = " ".join(start + pronouns + words + ending)
    mark = "." if please else "!"
    return opening + english_text + mark, german_opening + start_text + mark


def tag_description(maker):
    """Is the coffee hot?  Were the shoes expensive?"""
    chooser = maker.chooser
    subject = described_subject(maker)
    words = maker.lexicon.adjectives_for(subject.noun)
    if not words:
        return None
    word = chooser.pick(words)
    clause = be_clause(subject, word.english, word.german,
                       tense="past" if chooser.chance(0.3) else "present")
    return clause.english_question() + "?", clause.german_question() + "?"


PATTERNS = ((yes_no, 16), (adverb_question, 12), (who_question, 8), (where_to, 2),
            (which_question, 4), (order, 14), (tag_description, 3))
