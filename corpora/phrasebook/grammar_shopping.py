# SPDX-License-Identifier: Apache-2.0
"""Shops, prices, numbers and the way through the town."""

import english
import german
from clauses import Clause
from grammar_travel import a_noun, of_classes
from phrases import Adverbial, noun_phrase, pronoun

WARES = ("clothing", "clothing_pair", "gift", "furniture", "device", "luggage", "tableware",
         "jewel", "own_vehicle", "school_thing")
EUROS = (5, 7, 8, 9, 10, 12, 15, 18, 20, 21, 24, 25, 30, 35, 40, 45, 49, 50, 60, 65, 70, 75,
         80, 90, 95, 100, 120, 150, 200, 250, 300, 500, 1000, 2000)
SMALL_SUMS = ((2, 50), (3, 20), (4, 80), (5, 90), (6, 75), (8, 50), (9, 95), (12, 50),
              (14, 90), (19, 99), (24, 50), (29, 95), (39, 90), (49, 99), (79, 50), (99, 90))


# What belongs to these classes has prices in the given part of EUROS.
DEAR, USUAL = ("own_vehicle", "furniture"), ("clothing", "clothing_pair", "jewel", "luggage",
                                                "device")


def price(chooser, noun):
    """(English, German) amount, in words or in digits."""
    kind = chooser.below(3)
    euros = chooser.pick(EUROS[:14])
    if any(name in noun.classes for name in DEAR):
        euros, kind = chooser.pick(EUROS[-6:]), chooser.below(2)
    elif any(name in noun.classes for name in USUAL):
        euros = chooser.pick(EUROS[9:-4])
    if kind == 0:
        return english.number_word(euros) + " euros", german.number_word(euros) + " Euro"
    if kind == 1:
        return "%d euros" % euros, "%d Euro" % euros
    cheap = not any(name in noun.classes for name in USUAL)
    whole, cents = chooser.pick(SMALL_SUMS[:9] if cheap else SMALL_SUMS[7:])
    return "%d.%s euros" % (whole, cents), "%d,%s Euro" % (whole, cents)


def ware(maker):
    return maker.chooser.pick(of_classes(maker, maker.chooser.pick(WARES)))


def costing(maker):
    """The red bag costs 45 euros.  How much are these shoes?"""
    chooser = maker.chooser
    noun = ware(maker)
    number = "plural" if "clothing_pair" in noun.classes or chooser.chance(0.15) else "singular"
    words = [word for word in maker.lexicon.adjectives_for(noun)
             if word.english in ("red", "blue", "green", "black", "white", "brown", "grey",
                                 "yellow", "big", "small", "new", "old", "warm")]
    words = (chooser.pick(words),) if words and chooser.chance(0.5) else ()
    thing = noun_phrase(noun, chooser.pick(("the", "this")), number, words)
    many = thing.number == "plural"
    nominative = thing.german["nominative"]
    finite = "kosten" if thing.german_number == "plural" else "kostet"
    kind = chooser.below(5)
    if kind == 0:
        return ("How much %s %s cost?" % ("do" if many else "does", thing.english),
                "Wie viel %s %s?" % (finite, nominative))
    amount, german_amount = price(chooser, noun)
    if kind == 1:
        subject = maker.subject(you=0)
        text, german_text = ("paid", "hat"), None
        finite = german.present("haben", subject.person, subject.german_number)
        return ("%s paid %s for %s." % (subject.english, amount, thing.english),
                "%s %s %s für %s bezahlt." % (subject.german["nominative"], finite,
                                              german_amount, thing.german["accusative"]))
    degree, german_degree = chooser.pick((("", ""), ("only ", "nur "), ("", ""),
                                          ("about ", "ungefähr ")))
    return ("%s %s %s%s." % (thing.english, "cost" if many else "costs", degree, amount),
            "%s %s %s%s." % (nominative, finite, german_degree, german_amount))


def shopping(maker):
    chooser = maker.chooser
    noun = ware(maker)
    kind = chooser.below(7)
    if kind == 0:
        thing = a_noun(maker, [noun], 0.6)
        if thing.english.startswith("the "):
            return None
        opening, german_opening = chooser.pick((
            ("I am looking for %s.", "Ich suche %s."), ("Do you have %s?", "Haben Sie %s?"),
            ("Do you sell %s?", "Verkaufen Sie %s?"),
            ("I need %s for my %s.", "Ich brauche %s für %s."),
            ("We are looking for %s for my %s.", "Wir suchen %s für %s.")))
        if opening.count("%s") == 1:
            return opening % thing.english, german_opening % thing.german["accusative"]
        kin = chooser.pick(of_classes(maker, "family"))
        if "plural_people" in kin.classes:
            return None
        return (opening % (thing.english, kin.english),
                german_opening % (thing.german["accusative"],
                                  german.determiner("mein", kin.gender, "singular", "accusative")
                                  + " " + kin.german_form("singular", "accusative")))
    if kind == 1:
        wear = noun_phrase(chooser.pick(of_classes(maker, "clothing", "clothing_pair")), "this")
        noun = wear.noun
        number = "plural" if "clothing_pair" in noun.classes else "singular"
        wear = noun_phrase(noun, "this", number)
        opening, german_opening, case = chooser.pick((
            ("May I try on %s?", "Darf ich %s anprobieren?", "accusative"),
            ("I will take %s.", "Ich nehme %s.", "accusative"),
            ("I would like to exchange %s.", "Ich möchte %s umtauschen.", "accusative"),
            ("Do you have %s in a different size?", "Haben Sie %s in einer anderen Größe?",
             "accusative"),
            ("Do you have %s in red?", "Haben Sie %s in Rot?", "accusative"),
            ("Do you have %s in black?", "Haben Sie %s in Schwarz?", "accusative")))
        return opening % wear.english, german_opening % wear.german[case]
    if kind == 2:
        wear = chooser.pick(of_classes(maker, "clothing", "clothing_pair"))
        number = "plural" if "clothing_pair" in wear.classes else "singular"
        thing = noun_phrase(wear, chooser.pick(("the", "this")), number)
        finite = "sind" if thing.german_number == "plural" else "ist"
        size, german_size = chooser.pick((("big", "groß"), ("small", "klein"), ("long", "lang"),
                                          ("short", "kurz"), ("expensive", "teuer")))
        if size in ("long", "short") and wear.english in ("hat", "shoe", "sock", "boot", "cap"):
            size, german_size = "small", "klein"
        person = chooser.pick(("I", "he", "she", "we", "they"))
        who = pronoun(person)
        return ("%s %s too %s for %s." % (thing.english, "are" if thing.number == "plural" else
                                         "is", size, who.english_object),
                "%s %s %s zu %s." % (thing.german["nominative"], finite, who.german["dative"],
                                     german_size))
    if kind == 3:
        thing = noun_phrase(noun, "the", adjectives=())
        cheaper = chooser.pick((("cheaper", "billiger"), ("smaller", "kleiner"),
                                ("bigger", "größer"), ("newer", "neuer")))
        if noun.english_plural_only or not any(
                word.english_comparative == cheaper[0]
                for word in maker.lexicon.adjectives_for(noun)):
            return None
        ending = german.adjective_ending("ein", noun.gender, "singular", "accusative")
        article = german.determiner("ein", noun.gender, "singular", "accusative")
        return ("Do you have %s %s %s?" % (english.indefinite_article(cheaper[0]), cheaper[0],
                                          noun.english),
                "Haben Sie %s %s%s %s?" % (article, cheaper[1], ending, noun.german))
    if kind == 4:
        return chooser.pick((
            ("I am just looking.", "Ich schaue mich nur um."),
            ("Can I pay by credit card?", "Kann ich mit Kreditkarte bezahlen?"),
            ("I would like to pay in cash.", "Ich möchte bar bezahlen."),
            ("That is too expensive.", "Das ist zu teuer."),
            ("Where is the checkout?", "Wo ist die Kasse?"),
            ("The shop is closed on Sundays.", "Das Geschäft ist sonntags geschlossen."),
            ("When do the shops open?", "Wann öffnen die Geschäfte?"),
            ("Could you wrap the present?", "Könnten Sie das Geschenk einpacken?"),
            ("I would like a bag, please.", "Ich möchte bitte eine Tasche."),
            ("Do you have anything cheaper?", "Haben Sie etwas Billigeres?"),
            ("Where can I buy stamps?", "Wo kann ich Briefmarken kaufen?"),
            ("I need a receipt.", "Ich brauche eine Quittung.")))
    if kind == 5:
        thing = noun_phrase(noun, "this", "plural" if "clothing_pair" in noun.classes else
                            "singular")
        kin = maker.relative(chooser.pick(of_classes(maker, "family")))
        return ("%s bought %s for %s." % ("I", thing.english, kin.english),
                "Ich habe %s für %s gekauft." % (thing.german["accusative"],
                                                 kin.german["accusative"]))
    thing = noun_phrase(noun, "which", "plural" if "clothing_pair" in noun.classes else "singular")
    if noun.english_plural_only:
        return None
    person = pronoun(chooser.pick(("you", "he", "she", "they")))
    finite = "gefallen" if thing.german_number == "plural" else "gefällt"
    third = person.english in ("he", "she")
    return ("%s %s %s like?" % (thing.english, "does" if third else "do", person.english),
            "%s %s %s?" % (thing.german["nominative"], finite, person.german["dative"]))


def way(maker):
    """How do I get to the station?  Turn left at the traffic light."""
    chooser = maker.chooser
    sights = of_classes(maker, "sight", "destination", "shop")
    noun = chooser.pick(sights)
    target = noun_phrase(noun, "the")
    zu = german.preposition("zu", target.german["dative"])
    kind = chooser.below(10)
    other = noun_phrase(chooser.pick(of_classes(maker, "sight", "shop", "destination")), "the")
    if other.english == target.english:
        return None
    if kind == 0:
        opening, german_opening = chooser.pick((("How do I get to %s?", "Wie komme ich %s?"),
                                                ("How do we get to %s?", "Wie kommen wir %s?"),
                                                ("Is this the way to %s?", "Ist das der Weg %s?"),
                                                ("Which bus goes to %s?", "Welcher Bus fährt %s?"),
                                                ("Can you show me the way to %s?",
                                                 "Können Sie mir den Weg %s zeigen?")))
        return opening % target.english, german_opening % zu
    if kind == 1:
        question, german_question = chooser.pick((
            ("Excuse me, where is %s?", "Entschuldigung, wo ist %s?"),
            ("Where is %s, please?", "Wo ist %s, bitte?"),
            ("Do you know where %s is?", "Wissen Sie, wo %s ist?"),
            ("Can you tell me where %s is?", "Können Sie mir sagen, wo %s ist?"),
            ("I cannot find %s.", "Ich kann %s nicht finden.")))
        case = "accusative" if "cannot" in question else "nominative"
        return question % target.english, german_question % target.german[case]
    if kind == 2:
        point = noun_phrase(chooser.pick([maker.lexicon.by_name[name] for name in (
            "traffic light", "crossing", "corner", "church", "post office", "bridge", "bank",
            "bus stop", "petrol station", "town hall", "museum", "castle")]), "the")
        side, german_side = chooser.pick((("left", "links"), ("right", "rechts")))
        at = german.preposition("an", point.german["dative"])
        if chooser.chance(0.5):
            return ("Turn %s at %s." % (side, point.english),
                    "Biegen Sie %s %s ab." % (at, german_side))
        return ("You have to turn %s at %s." % (side, point.english),
                "Sie müssen %s %s abbiegen." % (at, german_side))
    if kind == 3:
        count = chooser.pick((50, 100, 150, 200, 300, 400, 500, 600, 800))
        number = english.number_word(count), german.number_word(count)
        return chooser.pick((
            ("Go straight on for %s metres." % number[0],
             "Gehen Sie %s Meter geradeaus." % number[1]),
            ("%s is %s metres away." % (target.english, number[0]),
             "%s ist %s Meter entfernt." % (target.german["nominative"], number[1])),
            ("%s is only %d metres away." % (target.english, count),
             "%s ist nur %d Meter entfernt." % (target.german["nominative"], count))))
    if kind == 4:
        street, german_street = chooser.pick((("first", "erste"), ("second", "zweite"),
                                              ("third", "dritte"), ("next", "nächste")))
        side, german_side = chooser.pick((("left", "links"), ("right", "rechts")))
        return ("Take the %s street on the %s." % (street, side),
                "Nehmen Sie die %s Straße %s." % (german_street, german_side))
    if kind == 5:
        relation, german_relation = chooser.pick((("next to", "neben"), ("behind", "hinter"),
                                                  ("opposite", "gegenüber"),
                                                  ("in front of", "vor")))
        dative = other.german["dative"]
        return ("%s is %s %s." % (target.english, relation, other.english),
                "%s ist %s %s." % (target.german["nominative"], german_relation, dative))
    if kind == 6:
        count = chooser.pick((2, 3, 5, 10, 15, 20, 30))
        mode, german_mode = chooser.pick((("on foot", "zu Fuß"), ("by bus", "mit dem Bus"),
                                          ("by car", "mit dem Auto"), ("by bicycle",
                                                                      "mit dem Fahrrad"),
                                          ("by tram", "mit der Straßenbahn")))
        return ("It takes %s minutes to get to %s %s." % (english.number_word(count), target.english,
                                                  mode),
                "Es dauert %s %s Minuten bis %s." % (german_mode, german.number_word(count), zu))
    if kind == 7:
        mode, german_mode = chooser.pick((("by bus", "mit dem Bus"), ("by car", "mit dem Auto"),
                                          ("by train", "mit dem Zug"), ("by bicycle",
                                                                       "mit dem Fahrrad"),
                                          ("by taxi", "mit dem Taxi"),
                                          ("by tram", "mit der Straßenbahn")))
        subject = maker.subject(you=0)
        drive = maker.lexicon.verbs_named("drive")[0]
        habit = chooser.pick((("to work", "zur Arbeit"), ("to school", "in die Schule"),
                              (target.english, zu)))
        finite = german.present("fahren", subject.person, subject.german_number, "fährt")
        third = subject.person == 3 and subject.number == "singular"
        goal = habit[0] if habit[0].startswith("to ") else "to " + habit[0]
        return ("%s %s %s %s." % (subject.english, "goes" if third else "go", goal, mode),
                "%s %s %s %s." % (subject.german["nominative"], finite, german_mode, habit[1]))
    if kind == 8:
        through, german_through = chooser.pick((
            ("through the park", "durch den Park"), ("over the bridge", "über die Brücke"),
            ("through the city", "durch die Stadt"), ("along the river", "am Fluss entlang"),
            ("through the forest", "durch den Wald"), ("across the street", "über die Straße"),
            ("around the corner", "um die Ecke"), ("past the church", "an der Kirche vorbei"),
            ("through the village", "durch das Dorf"), ("around the lake", "um den See")))
        verb = maker.lexicon.verbs_named("go")[0]
        subject = maker.subject(you=0.1)
        tense, modal = maker.tense_for(verb, None, None, subject)
        tense = "progressive" if tense == "present" and not modal else tense
        clause = Clause(subject, verb, tense=tense, modal=modal,
                        place=Adverbial(through, german_through))
        return clause.english() + ".", clause.german() + "."
    near, german_near = chooser.pick((("Is there %s near here?", "Gibt es hier in der Nähe %s?"),
                                      ("Is there %s in this street?",
                                       "Gibt es in dieser Straße %s?"),
                                      ("I am looking for %s.", "Ich suche %s.")))
    if noun.mass or noun.english in ("bridge", "post office", "sea"):
        return None
    thing = noun_phrase(noun, "a")
    return near % thing.english, german_near % thing.german["accusative"]


PATTERNS = ((costing, 8), (shopping, 10), (way, 13))
