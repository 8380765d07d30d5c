# SPDX-License-Identifier: Apache-2.0
"""Hotel, station, restaurant, shop and street: the traveller's sentences."""

import english
import german
from clauses import Clause
from grammar_statements import ACCUSATIVE
from lexicon import Verb
from phrases import (TOWNS, clock, clock_time, noun_phrase, time_for, weekday_time)

WANT = Verb(["want", "-", "mögen", "-", "-", "h", "person", "acc:x", "-", "state"])


def a_noun(maker, names, adjectives=0.3):
    """An indefinite noun phrase from the named nouns or classes."""
    chooser = maker.chooser
    noun = chooser.pick(names)
    if noun.mass:
        return noun_phrase(noun, "")
    words = [word for word in maker.lexicon.adjectives_for(noun)
             if word.english in ("big", "small", "new", "quiet", "cheap", "red", "blue",
                                 "black", "white", "green", "warm", "light", "fresh", "cold")]
    words = (chooser.pick(words),) if words and chooser.chance(adjectives) else ()
    if "clothing_pair" in noun.classes or "small_fruit" in noun.classes:
        return noun_phrase(noun, "", "plural", words)
    if noun.english_plural_only:
        return noun_phrase(noun, "the", adjectives=words)
    return noun_phrase(noun, "a", adjectives=words)


def of_classes(maker, *classes):
    return [noun for name in classes for noun in maker.lexicon.nouns_of(name)]


COUNTS = tuple(range(2, 15))


def hotel(maker):
    chooser = maker.chooser
    kind = chooser.below(9)
    count = chooser.pick(COUNTS[:6])
    number, german_number = english.number_word(count), german.number_word(count)
    room = a_noun(maker, of_classes(maker, "hotel_room"))
    unit, german_unit = chooser.pick((("nights", "Nächte"), ("days", "Tage"),
                                      ("weeks", "Wochen")))
    subject = maker.person_pronoun(you=0)
    if kind == 0:
        clause = Clause(subject, WANT, [(ACCUSATIVE, room)])
        finite = german.present("möchten", subject.person, subject.german_number)
        return ("%s would like %s for %s %s." % (subject.english, room.english, number, unit),
                "%s %s %s für %s %s." % (subject.german["nominative"], finite,
                                         room.german["accusative"], german_number, german_unit))
    if kind == 1:
        verb = maker.lexicon.verbs_named("book")[0]
        clause = Clause(subject, verb, [(ACCUSATIVE, room)], "past",
                        time=time_for(chooser, "past") if chooser.chance(0.5) else None)
        return clause.english() + ".", clause.german() + "."
    if kind == 2:
        meals = chooser.pick((("breakfast", "Frühstück"), ("dinner", "Abendessen"),
                              ("lunch", "Mittagessen")))
        hour, minute = clock(chooser)
        opening, german_opening = chooser.pick((
            ("%s is served at %s." , "Das %s wird um %s serviert."),
            ("Can we have %s at %s?", "Können wir das %s um %s bekommen?"),
            ("There is %s at %s.", "Das %s gibt es um %s."),
            ("%s starts at %s.", "Das %s beginnt um %s.")))
        return (opening % (meals[0], english.clock_words(hour, minute)),
                german_opening % (meals[1], german.clock_words(hour, minute)))
    if kind == 3:
        noun = chooser.pick(of_classes(maker, "hotel_fault") + [
            maker.lexicon.by_name[name] for name in ("television", "radio", "phone", "oven")])
        where, german_where = chooser.pick((
            ("in my room", "in meinem Zimmer"), ("in our room", "in unserem Zimmer"),
            ("in the bathroom", "im Badezimmer"), ("", ""), ("on the second floor",
                                                           "im zweiten Stock")))
        if noun.english in ("lift",):
            where, german_where = chooser.pick((("", ""), ("at the hotel", "im Hotel")))
        text, german_text = chooser.pick((("does not work", "funktioniert nicht"),
                                          ("is broken", "ist kaputt")))
        article = german.determiner("der", noun.gender, "singular", "nominative")
        verb, _, rest = german_text.partition(" ")
        return (("The %s %s %s" % (noun.english, where, text)).replace("  ", " ") + ".",
                ("%s %s %s %s %s" % (article, noun.german, german_where, verb, rest)
                 ).replace("  ", " ") + ".")
    if kind == 4:
        thing = chooser.pick(of_classes(maker, "bedding") + [maker.lexicon.by_name["key"]])
        amount = chooser.below(3)
        words = ("another", "noch ein") if amount == 0 else None
        if words:
            return ("Could you bring me another %s?" % thing.english,
                    "Könnten Sie mir noch %s %s bringen?" % (
                        german.determiner("ein", thing.gender, "singular", "accusative"),
                        thing.german))
        return ("Could you bring %s %s clean %s?" % ("us", number, thing.english_plural)
                if thing.english != "key" else "Could you bring us the key?",
                "Könnten Sie uns %s saubere %s bringen?" % (german_number, thing.german_plural)
                if thing.english != "key" else "Könnten Sie uns den Schlüssel bringen?")
    if kind == 5:
        value = chooser.pick((3, 7, 8, 12, 14, 15, 21, 23, 25, 32, 36, 41, 48, 52, 54, 67))
        if chooser.chance(0.5):
            return ("My room number is %s." % english.number_word(value),
                    "Meine Zimmernummer ist %s." % german.number_word(value))
        floor, german_floor = chooser.pick((("first", "ersten"), ("second", "zweiten"),
                                            ("third", "dritten"), ("fourth", "vierten"),
                                            ("fifth", "fünften")))
        return ("Room %d is on the %s floor." % (value, floor),
                "Zimmer %d ist im %s Stock." % (value, german_floor))
    if kind == 6:
        extra, german_extra = chooser.pick((
            ("with a balcony", "mit Balkon"), ("with a shower", "mit Dusche"),
            ("with breakfast", "mit Frühstück"), ("with a bath", "mit Bad"),
            ("for two people", "für zwei Personen"), ("for tonight", "für heute Nacht"),
            ("for three nights", "für drei Nächte"), ("for one night", "für eine Nacht"),
            ("with a view of the sea", "mit Blick aufs Meer"),
            ("for tomorrow", "für morgen")))
        opening, german_opening = chooser.pick((
            ("Do you have %s %s?", "Haben Sie %s %s?"),
            ("I am looking for %s %s.", "Ich suche %s %s."),
            ("We need %s %s.", "Wir brauchen %s %s."),
            ("How much does %s %s cost?", "Wie viel kostet %s %s?")))
        case = "nominative" if "cost" in opening else "accusative"
        return (opening % (room.english, extra), german_opening % (room.german[case],
                                                                  german_extra))
    if kind == 7:
        name = maker.name()
        return ("I have reserved a table for %s people in the name of %s." % (
                    number, name.english),
                "Ich habe einen Tisch für %s Personen auf den Namen %s reserviert." % (
                    german_number, name.english.replace("Mr ", "").replace("Ms ", "")))
    hour, minute = clock(chooser)
    return ("Please wake me at %s." % english.clock_words(hour, minute),
            "Bitte wecken Sie mich um %s." % german.clock_words(hour, minute))


def station(maker):
    chooser = maker.chooser
    kind = chooser.below(9)
    town, german_town = chooser.pick(TOWNS)
    transport = chooser.pick(of_classes(maker, "transport"))
    if transport.english in ("tram", "ferry") and kind != 5:
        transport = maker.lexicon.by_name["train"]
    vehicle = noun_phrase(transport, "the")
    next_english = "the next " + transport.english
    next_german = {case: german.determiner("der", transport.gender, "singular", case) + " nächst"
                   + german.adjective_ending("der", transport.gender, "singular", case) + " "
                   + transport.german for case in german.CASES}
    hour, minute = clock(chooser)
    text_time, german_time = english.clock_words(hour, minute), german.clock_words(hour, minute)
    if kind == 0:
        return ("When does %s to %s leave?" % (next_english, town),
                "Wann fährt %s nach %s ab?" % (next_german["nominative"], german_town))
    if kind == 1:
        verb, german_verb, particle = chooser.pick((("leaves", "fährt", "ab"),
                                                    ("arrives", "kommt", "an")))
        link, german_link = ("to", "nach") if verb == "leaves" else ("from", "aus")
        return ("%s %s %s %s at %s." % (english.capitalise(vehicle.english), link, town, verb,
                                       text_time),
                "%s %s %s %s um %s %s." % (english.capitalise(vehicle.german["nominative"]),
                                          german_link, german_town, german_verb, german_time,
                                          particle))
    if kind == 2:
        platform = 1 + chooser.below(12)
        return ("The train to %s leaves from platform %d." % (town, platform),
                "Der Zug nach %s fährt von Gleis %d ab." % (german_town, platform))
    if kind == 3:
        count = 1 + chooser.below(4)
        amount = ("a ticket", "eine Fahrkarte") if count == 1 else (
            english.number_word(count) + " tickets", german.number_word(count) + " Fahrkarten")
        way, german_way = chooser.pick((("single", "einfach"), ("", ""), ("", "")))
        opening, german_opening = chooser.pick((
            ("I would like %s to %s, please.", "Ich möchte bitte %s nach %s."),
            ("We need %s to %s.", "Wir brauchen %s nach %s."),
            ("How much is %s to %s?", "Wie viel kostet %s nach %s?"),
            ("I bought %s to %s.", "Ich habe %s nach %s gekauft.")))
        if "kostet" in german_opening and count > 1:
            opening, german_opening = ("How much are %s to %s?", "Wie viel kosten %s nach %s?")
        return opening % (amount[0], town), german_opening % (amount[1], german_town)
    if kind == 4:
        late = 5 * (1 + chooser.below(9))
        return ("The %s from %s is %s minutes late." % (
                    transport.english, town, english.number_word(late)),
                "%s %s aus %s hat %s Minuten Verspätung." % (
                    german.determiner("der", transport.gender, "singular",
                                      "nominative").capitalize(),
                    transport.german, german_town, german.number_word(late)))
    if kind == 5:
        line = 1 + chooser.below(20)
        name, german_name, article = chooser.pick((("bus", "Bus", "den"), ("tram", "Straßenbahn",
                                                                         "die")))
        opening, german_opening = chooser.pick((
            ("Take the number %d %s.", "Nehmen Sie %s %s Nummer %d."),
            ("You have to take the number %d %s.", "Sie müssen %s %s Nummer %d nehmen."),
            ("I am waiting for the number %d %s.", "Ich warte auf %s %s Nummer %d.")))
        return opening % (line, name), german_opening % (article, german_name, line)
    if kind == 6:
        return chooser.pick((
            ("Do I have to change trains in %s?" % town, "Muss ich in %s umsteigen?" % german_town),
            ("You have to change trains in %s." % town, "Sie müssen in %s umsteigen." % german_town),
            ("Does this train stop in %s?" % town, "Hält dieser Zug in %s?" % german_town),
            ("Is this the train to %s?" % town, "Ist das der Zug nach %s?" % german_town),
            ("How long does the journey to %s take?" % town,
             "Wie lange dauert die Fahrt nach %s?" % german_town),
            ("Is there a direct train to %s?" % town,
             "Gibt es einen direkten Zug nach %s?" % german_town),
            ("We missed the train to %s." % town, "Wir haben den Zug nach %s verpasst." % german_town),
            ("The last train to %s has already left." % town,
             "Der letzte Zug nach %s ist schon abgefahren." % german_town)))
    if kind == 7:
        count = 1 + chooser.below(9)
        hours = ("an hour", "eine Stunde") if count == 1 else (
            english.number_word(count) + " hours", german.number_word(count) + " Stunden")
        what, german_what = chooser.pick((("journey", "Fahrt"), ("flight", "Flug")))
        article = "Die" if what == "journey" else "Der"
        if chooser.chance(0.5):
            return ("The %s to %s takes %s." % (what, town, hours[0]),
                    "%s %s nach %s dauert %s." % (article, german_what, german_town, hours[1]))
        return ("The %s from %s to Dresden took %s." % (what, town, hours[0]),
                "%s %s von %s nach Dresden hat %s gedauert." % (article, german_what,
                                                               german_town, hours[1]))
    day = time_for(chooser, "future")
    return ("Is there %s to %s %s?" % (english.indefinite_article(transport.english) + " "
                                      + transport.english, town, day.english),
            "Gibt es %s %s %s nach %s?" % (day.german, german.determiner(
                "ein", transport.gender, "singular", "accusative"), transport.german, german_town))


CONTAINERS = {"glass": ("Glas", "Gläser", "ein"), "bottle": ("Flasche", "Flaschen", "eine"),
              "cup": ("Tasse", "Tassen", "eine"), "kilo": ("Kilo", "Kilo", "ein"),
              "piece": ("Stück", "Stück", "ein"), "slice": ("Scheibe", "Scheiben", "eine")}


def portion(maker):
    """A cup of coffee, two kilos of apples: German joins them directly."""
    chooser = maker.chooser
    container = chooser.pick(list(CONTAINERS))
    by_name = maker.lexicon.by_name
    if container == "cup":
        noun = chooser.pick(of_classes(maker, "hot_drink"))
    elif container in ("glass", "bottle"):
        noun = by_name[chooser.pick(("water", "milk", "beer", "wine", "red wine", "orange juice",
                                     "apple juice", "lemonade", "mineral water"))]
    elif container == "kilo":
        noun = chooser.pick(of_classes(maker, "fruit", "vegetable"))
    elif container == "piece":
        noun = by_name[chooser.pick(("cheese", "chocolate", "meat", "bread"))]
    else:
        noun = by_name[chooser.pick(("bread", "cheese", "ham"))]
    count = 1 + chooser.below(4)
    singular, plural, article = CONTAINERS[container]
    text = noun.english if noun.mass else noun.english_plural
    german_text = noun.german if noun.mass else noun.german_plural
    if count == 1:
        return "a %s of %s" % (container, text), "%s %s %s" % (article, singular, german_text)
    return ("%s %ss of %s" % (english.number_word(count), container, text) if container != "glass"
            else "%s glasses of %s" % (english.number_word(count), text),
            "%s %s %s" % (german.number_word(count), plural, german_text))


def restaurant(maker):
    chooser = maker.chooser
    kind = chooser.below(8)
    if kind <= 2:
        text, german_text = portion(maker)
        drinkable = text.split()[1].rstrip("s") in ("glas", "glasse", "bottle", "cup")
        openings = [
            ("I would like %s, please.", "Ich möchte bitte %s."),
            ("We would like %s.", "Wir möchten %s."),
            ("She ordered %s.", "Sie hat %s bestellt."),
            ("Can I have %s?", "Kann ich %s bekommen?"),
            ("He would like %s.", "Er möchte %s.")]
        if drinkable:
            openings += [("I drank %s.", "Ich habe %s getrunken."),
                         ("My sister drinks %s every day.", "Meine Schwester trinkt jeden Tag %s."),
                         ("They drank %s in the evening.", "Sie haben am Abend %s getrunken.")]
        else:
            openings += [("We bought %s.", "Wir haben %s gekauft."),
                         ("Please give me %s.", "Geben Sie mir bitte %s."),
                         ("I need %s.", "Ich brauche %s."),
                         ("How much does %s cost?", "Wie viel kostet %s?")]
        opening, german_opening = chooser.pick(openings)
        if "kostet" in german_opening and not text.startswith("a "):
            opening, german_opening = "How much do %s cost?", "Wie viel kosten %s?"
        return opening % text, german_opening % german_text
    if kind == 3:
        dish = a_noun(maker, [maker.lexicon.by_name[name] for name in (
            "pizza", "salad", "soup", "omelette", "main course")], 0)
        side, german_side = chooser.pick((
            ("with rice", "mit Reis"), ("with potatoes", "mit Kartoffeln"),
            ("with mushrooms", "mit Pilzen"), ("without onions", "ohne Zwiebeln"),
            ("without meat", "ohne Fleisch"), ("with cheese", "mit Käse"),
            ("with ham", "mit Schinken"), ("with vegetables", "mit Gemüse")))
        subject = maker.person_pronoun(you=0)
        finite = german.present("möchten", subject.person, subject.german_number)
        return ("%s would like %s %s." % (subject.english, dish.english, side),
                "%s %s %s %s." % (subject.german["nominative"], finite,
                                  dish.german["accusative"], german_side))
    if kind == 4:
        noun = chooser.pick(of_classes(maker, "dish", "course", "hot_dish", "baked"))
        dish = noun_phrase(noun, "the")
        taste, german_taste = chooser.pick((("very good", "sehr gut"), ("good", "gut"),
                                            ("delicious", "köstlich"), ("too salty", "zu salzig"),
                                            ("really good", "wirklich gut")))
        if chooser.chance(0.3):
            return ("The %s tasted %s." % (noun.english, taste),
                    "%s hat %s geschmeckt." % (dish.german["nominative"], german_taste))
        return ("The %s tastes %s." % (noun.english, taste),
                "%s schmeckt %s." % (dish.german["nominative"], german_taste))
    if kind == 5:
        return chooser.pick((
            ("The bill, please.", "Die Rechnung, bitte."),
            ("Is this table free?", "Ist dieser Tisch frei?"),
            ("May I see the menu?", "Darf ich die Speisekarte sehen?"),
            ("Enjoy your meal!", "Guten Appetit!"),
            ("We would like to pay.", "Wir möchten zahlen."),
            ("Is service included?", "Ist die Bedienung inbegriffen?"),
            ("Keep the change.", "Der Rest ist für Sie."),
            ("I am a vegetarian.", "Ich bin Vegetarier."),
            ("What do you recommend?", "Was empfehlen Sie?"),
            ("Is this seat free?", "Ist dieser Platz frei?"),
            ("We have not ordered yet.", "Wir haben noch nicht bestellt.")))
    if kind == 6:
        count = chooser.pick(COUNTS[:8])
        day = weekday_time(chooser) if chooser.chance(0.5) else clock_time(chooser)
        return ("We would like a table for %s people %s." % (english.number_word(count),
                                                            day.english),
                "Wir möchten %s einen Tisch für %s Personen." % (day.german,
                                                                german.number_word(count)))
    dish = noun_phrase(chooser.pick(of_classes(maker, "dish", "course")), "this")
    return ("Would you like to try %s?" % dish.english,
            "Möchten Sie %s probieren?" % dish.german["accusative"])


PATTERNS = ((hotel, 10), (station, 12), (restaurant, 12))
