# SPDX-License-Identifier: Apache-2.0
"""Chooses subjects, verbs, objects and adverbials that suit each other."""

from clauses import Clause
from phrases import (FIRST_NAMES, MONTHS, SEASONS, SURNAMES, Adverbial, abroad_at, abroad_to,
                     clock_time, first_name, noun_phrase, place_at, place_to, pronoun,
                     time_for, titled_name)

# These describe a state and sound odd before most nouns ("buy a full bus").
PREDICATIVE = ("open", "ill", "tired", "broken", "full", "hungry", "bad", "empty",
               "happy", "sad", "lazy", "dirty", "clean", "loud")
MANNERS = {
    "quiet": ("quietly", "leise"), "quick": ("quickly", "schnell"),
    "slow": ("slowly", "langsam"), "careful": ("carefully", "vorsichtig"),
    "late": ("late", "spät"), "early": ("early", "früh"), "loud": ("loudly", "laut"),
    "hard": ("hard", "hart"), "punctual": ("on time", "pünktlich"),
    "fine": ("well", "gut"), "fine_state": ("well", "gut"), "often": None,
}
FREQUENCIES = (("often", "oft"), ("always", "immer"), ("sometimes", "manchmal"),
               ("never", "nie"), ("usually", "meistens"), ("rarely", "selten"))
ONLY_THE = ("switchable", "hotel_fault", "sky", "weather", "bank", "house_part")
OWNED = ("losable", "clothing", "clothing_pair", "luggage", "own_vehicle", "jewel",
         "pet", "data", "holiday")
# Things one speaks of in the plural without further context.
PLURAL_CLASSES = ("edible", "vegetable", "flower", "clothing", "readable", "animal",
                  "plantable", "word", "school_task", "mistake", "tableware",
                  "public", "young", "adult", "bedding", "cutlery", "gift")
# Verbs that people use of their habits: "She reads the newspaper every day."
HABITS = ("read", "write", "eat", "drink", "cook", "bake", "order", "take", "call",
          "visit", "meet", "feed", "wear", "help", "wait for", "think of",
          "talk to", "play", "learn", "go", "drive", "fly", "come", "travel",
          "come back", "get up", "wake up", "fall asleep", "sleep", "swim", "hike",
          "sit", "work", "stay", "have a shower", "have breakfast", "go shopping",
          "laugh", "sing", "dance", "watch television", "paint", "draw", "leave",
          "arrive", "start", "end", "water", "tidy up", "have a rest", "listen to",
          "look for", "bark", "get on", "change trains", "clean")
# Events for which a week, a month or a year is a sensible time.
LARGE_EVENTS = ("buy", "sell", "book", "visit", "invite", "build", "plant", "lend",
                "travel", "fly", "repair", "rent", "paint", "lose", "come back",
                "take part in", "learn", "meet", "hike", "see", "photograph", "write",
                "sign", "translate", "drive", "grow", "bloom", "send", "exchange", "get lost", "show")
# With these the object comes into being or is not yet anybody's.
NEW_OBJECT = ("buy", "bake", "build", "rent", "book", "plant", "cook", "order", "draw",
              "paint", "write")
# These take longer than a time of the day suggests.
SLOW_EVENTS = ("build", "plant", "sell", "learn", "travel", "rent", "hike", "repair")
# What befalls people is not told with want, must and can.
NOT_AT_WILL = ("look forward to", "fall asleep", "complain about", "get lost", "cry")
WOMENS_WEAR = {"blouse": "shirt", "skirt": "jumper", "dress": "suit"}
MENS_WEAR = {"tie": "scarf"}
# places by the short tags of the verb list
AT_SCHOOL = Adverbial("at school", "in der Schule")
AT_HOME = Adverbial("at home", "zu Hause")
WATER = ("lake", "river", "swimming pool")


def meal(noun):
    """Meals take an article in German only: cook lunch, das Mittagessen kochen."""
    phrase = noun_phrase(noun, "the")
    phrase.english = phrase.english_object = noun.english
    return phrase


class Maker:
    def __init__(self, lexicon, chooser):
        self.lexicon = lexicon
        self.chooser = chooser
        self.places_by_tag = {}
        for place in lexicon.places:
            for tag in sorted(place.tags):
                self.places_by_tag.setdefault(tag, []).append(place)

    # ------------------------------------------------------------ subjects

    def person_pronoun(self, address="Sie", you=0.08):
        chooser = self.chooser
        if chooser.chance(you):
            return pronoun("you", address)
        return pronoun(chooser.pick(("I", "I", "I", "we", "we", "he", "she", "they")), address)

    def name(self):
        if self.chooser.chance(0.3):
            return titled_name(self.chooser.pick(("Mr", "Ms")), self.chooser.pick(SURNAMES))
        return first_name(*self.chooser.pick(FIRST_NAMES))

    def subject(self, classes=("person",), address="Sie", you=0.08):
        chooser = self.chooser
        class_name = chooser.pick(classes)
        if class_name == "person":
            kind = chooser.weighted((("pronoun", 52), ("name", 13), ("noun", 35)))
            if kind == "pronoun":
                return self.person_pronoun(address, you)
            if kind == "name":
                return self.name()
        noun = chooser.pick(self.lexicon.nouns_of(class_name))
        if noun.mass:
            return noun_phrase(noun, "the")
        return self.described(noun, subject=True)

    def described(self, noun, owner=None, subject=False, negated=False,
                  adjectives=True, address="Sie", new=False, habit=False):
        """A noun phrase with determiner, number and perhaps an adjective."""
        chooser, classes = self.chooser, noun.classes
        if "family" in classes and "public" not in classes:
            return self.relative(noun, owner, address)
        if "sport" in classes or "language" in classes:
            return noun_phrase(noun, "", negated=negated)
        if "instrument" in classes:
            phrase = noun_phrase(noun, "", negated=negated)
            phrase.english = phrase.english_object = "the " + noun.english
            return phrase
        if noun.english in ("money", "music"):
            return noun_phrase(noun, "", negated=negated)
        number = "singular"
        if any(tag in classes for tag in ONLY_THE):
            determiner = "the"
        elif noun.mass:
            determiner = "the" if subject or chooser.chance(0.3) else ""
            if "meal" in classes:
                return meal(noun)
            if "transport_mass" in classes:
                determiner = "the"
            if "holiday" in classes:
                determiner = self.owner_word(owner)
        elif any(tag in classes for tag in OWNED) and not new and chooser.chance(0.55):
            determiner = self.owner_word(owner)
            if "clothing_pair" in classes or (
                    "clothing" in classes and owner is not None
                    and owner.number == "plural" and owner.person != 2):
                number = "plural"
        elif subject:
            determiner = chooser.weighted((("the", 12), ("this", 2), ("a", 1), ("my", 1)))
            if determiner == "my" and not classes & {"animal", "own_vehicle"}:
                determiner = "the"
            number = "plural" if chooser.chance(0.22) and determiner == "the" else number
        else:
            many = 4 if any(tag in classes for tag in PLURAL_CLASSES) else 0
            determiner = chooser.weighted((("the", 2 if new else 9), ("a", 6),
                                           ("this", 0 if new or habit else 2),
                                           ("plural", many)))
            if determiner == "plural":
                number = "plural"
                determiner = chooser.weighted((("the", 0 if new else 3), ("", 3),
                                               ("these", 0 if new or habit else 1),
                                               ("count", 0 if negated else 2)))
                if "clothing_pair" in classes and determiner == "count":
                    determiner = "the"
                if determiner == "these":
                    determiner = "this"
            elif "clothing_pair" in classes or "small_fruit" in classes:
                number = "plural"
                if determiner == "a":
                    determiner = "" if new or "small_fruit" in classes else "the"
        if noun.english_plural_only and determiner in ("a", "count", ""):
            determiner = "the"
        words = ()
        if adjectives and chooser.chance(0.12 if "person" in classes else 0.27):
            fitting = [word for word in self.lexicon.adjectives_for(noun)
                       if word.english not in PREDICATIVE and not (
                           word.english == "good" and classes & {
                               "drink", "edible", "course", "meal"})]
            if fitting:
                words = (chooser.pick(fitting),)
        count = 2 + chooser.below(4)
        return noun_phrase(noun, determiner, number, words, address, count, negated)

    def owner_word(self, owner):
        if owner is None or owner.own == "the":
            return "the" if owner is not None else "my"
        return owner.own

    def relative(self, noun, owner=None, address="Sie", number=None):
        chooser = self.chooser
        if owner is not None and owner.own != "the" and chooser.chance(0.7):
            determiner = owner.own
        else:
            determiner = chooser.pick(("my", "my", "our", "his", "her"))
        if determiner == "our" and "spouse" in noun.classes:
            determiner = "my"
        if noun.english == "husband" and determiner in ("his", "their"):
            determiner = "her"
        if noun.english == "wife" and determiner in ("her", "their"):
            determiner = "his"
        many = not noun.classes & {"spouse"} and noun.english not in (
            "mother", "father", "boss", "girlfriend", "grandmother", "grandfather")
        number = number or ("plural" if many and chooser.chance(0.15) else "singular")
        if "plural_people" in noun.classes:
            number = "plural"
        if owner is not None and owner.address != "Sie":
            address = owner.address
        return noun_phrase(noun, determiner, number, (), address)

    def person_object(self, owner, address="Sie"):
        chooser = self.chooser
        kind = chooser.weighted((("pronoun", 30), ("name", 15), ("noun", 55)))
        if kind == "pronoun":
            options = [word for word in ("me", "him", "her", "us", "them", "you")
                       if word != owner.english_object]
            if owner.english in ("I", "we"):
                options = ["him", "her", "them", "you"]
            if owner.english == "you":
                options = ["me", "him", "her", "us", "them"]
            base = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they",
                    "you": "you"}[chooser.pick(options)]
            return pronoun(base, owner.address if owner.english == "you" else address)
        if kind == "name":
            return self.name()
        noun = chooser.pick(self.lexicon.nouns_of("person"))
        phrase = self.described(noun, owner)
        if phrase.indefinite and chooser.chance(0.7):
            return noun_phrase(noun, "the", phrase.number)
        return phrase

    def object_for(self, classes, owner, negated=False, address="Sie", new=False,
                   habit=False):
        class_name = self.chooser.pick(classes)
        if class_name == "person":
            return self.person_object(owner, address)
        noun = self.chooser.pick(self.lexicon.nouns_of(class_name))
        if owner.person == 3 and owner.number == "singular":
            # what mostly women or mostly men wear
            swap = {"m": WOMENS_WEAR, "f": MENS_WEAR}.get(owner.gender, {})
            noun = self.lexicon.by_name[swap.get(noun.english, noun.english)]
        if "spouse" in noun.classes:
            noun = self.lexicon.by_name["friend"]
        return self.described(noun, owner, negated=negated, address=owner.address,
                              new=new, habit=habit)

    # ------------------------------------------------------------ adverbials

    def place_for(self, tags):
        chooser = self.chooser
        tag = chooser.pick(tags)
        if tag == "home":
            return AT_HOME
        if tag == "school":
            return AT_SCHOOL
        if tag == "living":
            return abroad_at(chooser)
        if tag == "city" and chooser.chance(0.6):
            return abroad_at(chooser)
        if tag == "water":
            return place_at(self.place_named(chooser.pick(WATER)))
        if tag == "stable":
            tag = "garage"
        options = self.places_by_tag.get(tag)
        if not options:
            options = [self.place_named(tag)]
        return place_at(chooser.pick(options))

    def place_named(self, name):
        for place in self.lexicon.places:
            if place.noun.english == name:
                return place
        raise KeyError(name)

    def direction(self, kind):
        chooser = self.chooser
        if kind == "abroad" or (kind == "far" and chooser.chance(0.4)):
            return abroad_to(chooser)
        if chooser.chance(0.15):
            return Adverbial("home", "nach Hause")
        if kind == "near":
            options = self.places_by_tag["near"]
        elif kind == "far":
            options = self.places_by_tag["far"]
        else:
            options = [place for tag in ("walk", "outing", "near", "far")
                       for place in self.places_by_tag[tag]]
        if kind == "any" and chooser.chance(0.08):
            return Adverbial("to school", "in die Schule")
        return place_to(chooser.pick(options))

    # ------------------------------------------------------------ clauses

    def clause(self, verb=None, subject=None, tense=None, negated=None, time=0.5,
               address="Sie", you=0.08, modal=None, place=0.3, question=False):
        chooser = self.chooser
        verb = verb or chooser.pick(self.lexicon.verbs)
        subject = subject or self.subject(verb.subject, address, you)
        tense, modal = self.tense_for(verb, tense, modal, subject)
        if negated is None:
            negated = chooser.chance(0.13)
        if modal == "must":
            negated = False
        complements = []
        for complement in verb.complements:
            if complement.role == "direction":
                phrase = self.direction(complement.classes[0])
            else:
                # only a direct object turns nicht into kein
                phrase = self.object_for(
                    complement.classes, subject,
                    negated and complement.role == "accusative", address,
                    verb.english in NEW_OBJECT, tense == "present")
            if phrase.english == subject.english and complement.role != "direction":
                phrase = self.name()
            elif (negated and complement.role in ("dative", "phrase") and phrase.indefinite
                  and not phrase.noun.mass):
                phrase = noun_phrase(phrase.noun, "the", phrase.number)
            complements.append((complement, phrase))
        clause = Clause(subject, verb, complements, tense, modal, negated=negated,
                        contracted=negated and chooser.chance(0.4))
        self.add_adverbials(clause, time, place, question)
        if (verb.head == verb.past and clause.tense == "present" and not clause.modal
                and not clause.time and not clause.frequency):
            clause.tense = "past"       # "they read": past, as nothing says otherwise
        return clause

    def tense_for(self, verb, tense, modal, subject):
        chooser = self.chooser
        if tense is None and modal is None:
            if verb.past_only:
                tense = "past"
            elif verb.state:
                tense = chooser.weighted((("present", 8), ("past", 2)))
            else:
                tense = chooser.weighted((("present", 5 if verb.english in HABITS else 0),
                                          ("progressive", 3), ("past", 8), ("future", 4),
                                          ("modal", 7), ("modal past", 2)))
        tense = tense or "present"
        if tense.startswith("modal") and verb.english in NOT_AT_WILL:
            tense = "past"
        if tense.startswith("modal"):
            past = tense == "modal past"
            human = subject.is_pronoun or subject.noun is None or "person" in subject.noun.classes
            if not human:
                return "past" if past else "present", None
            modal = chooser.weighted((("can", 5), ("have to", 5), ("must", 2), ("want to", 5),
                                      ("would like to", 5), ("should", 3), ("may", 2)))
            if past and modal in ("must", "should", "would like to"):
                modal = "have to"
            return "past" if past else "present", modal
        return tense, modal

    def add_adverbials(self, clause, time, place, question=False):
        chooser, verb = self.chooser, clause.verb
        objects = [phrase for complement, phrase in clause.complements
                   if complement.role in ("accusative", "phrase")]
        crowded = clause.negated and bool(objects)
        if verb.infinitive == "wohnen":
            clause.place = self.place_for(["living"])
        elif (verb.places and not crowded and not verb.state and chooser.chance(place)):
            clause.place = self.place_for(verb.places)
        elif verb.english in ("stay", "sit", "swim", "hike", "work") and verb.places:
            clause.place = self.place_for(verb.places)
        manner = MANNERS.get(verb.remarks)
        if manner and not clause.negated and clause.place is None and chooser.chance(0.22):
            clause.manner = Adverbial(*manner)
        if verb.state:
            return
        if clause.modal:
            kind = "past" if clause.tense == "past" else "future"
        else:
            kind = {"present": "habit", "progressive": "now", "past": "past",
                    "future": "future"}[clause.tense]
        human = clause.subject.noun is None or "person" in clause.subject.noun.classes
        if clause.tense == "progressive" and human and chooser.chance(0.3):
            kind = "future"
        if clause.modal and clause.negated:
            return
        large = verb.english in LARGE_EVENTS
        if verb.english in ("grow", "bloom"):
            if clause.tense != "progressive":
                name, german_name = chooser.pick(SEASONS[:3] + MONTHS[3:9])
                clause.time = Adverbial("in " + name, "im " + german_name)
            return
        if kind == "habit" and not clause.negated and not question and chooser.chance(0.45):
            clause.frequency = Adverbial(*chooser.pick(FREQUENCIES))
            if verb.english in ("leave", "arrive", "start", "end") and manner:
                clause.manner = Adverbial(*manner)
        elif chooser.chance(0.85 if kind == "habit" else time):
            clause.time = time_for(chooser, kind, large)
            while verb.english in SLOW_EVENTS and clause.time.english.startswith("at "):
                clause.time = time_for(chooser, kind, large)
            if verb.english in ("get up", "wake up") and clause.time.english.endswith(
                    ("evening", "afternoon")):
                clause.time = None
                return
            if clause.place is None and clause.manner is None and kind != "now" \
                    and chooser.chance(0.1) and clause.time.english in (
                        "today", "tomorrow", "yesterday"):
                exact = clock_time(chooser)
                clause.time = Adverbial(clause.time.english + " " + exact.english,
                                            clause.time.german + " " + exact.german)
