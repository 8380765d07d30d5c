# SPDX-License-Identifier: Apache-2.0
"""Time, weather, health, school, work and getting to know each other."""

import english
import german
from grammar_travel import of_classes
from phrases import (COUNTRIES, FIRST_NAMES, MONTHS, SEASONS, TOWNS, WEEKDAYS,
                     Adverbial, abroad_at, clock, noun_phrase, time_for)

WEATHER = (("It is raining", "Es regnet"), ("It is snowing", "Es schneit"),
           ("The sun is shining", "Die Sonne scheint"), ("It is very hot", "Es ist sehr heiß"),
           ("It is cold", "Es ist kalt"), ("It is windy", "Es ist windig"),
           ("It is foggy", "Es ist neblig"), ("It is warm", "Es ist warm"),
           ("The weather is good", "Das Wetter ist gut"),
           ("The weather is bad", "Das Wetter ist schlecht"))
WEATHER_FUTURE = (("rain", "regnen"), ("snow", "schneien"), ("be cold", "kalt sein"),
                  ("be warm", "warm sein"), ("be hot", "heiß sein"), ("be windy", "windig sein"))
WEATHER_PAST = (("It rained", "hat es", "geregnet"), ("It snowed", "hat es", "geschneit"),
                ("It was cold", "war es", "kalt"), ("It was hot", "war es", "heiß"),
                ("It was windy", "war es", "windig"), ("The weather was good", "war das Wetter", "gut"),
                ("The weather was bad", "war das Wetter", "schlecht"),
                ("There was a thunderstorm", "gab es", "ein Gewitter"),
                ("There was a lot of snow", "gab es", "viel Schnee"))


def weather(maker):
    chooser = maker.chooser
    kind = chooser.below(5)
    where = abroad_at(chooser)
    if kind == 0:
        text, german_text = chooser.pick(WEATHER)
        return "%s %s." % (text, where.english), "%s %s." % (german_text, where.german)
    if kind == 1:
        text, german_text = chooser.pick(WEATHER_FUTURE)
        time = time_for(chooser, "future", False)
        head, tail = ("It will", "wird es")
        place = chooser.chance(0.4)
        english_text = "%s %s%s %s" % (head, text, " " + where.english if place else "",
                                      time.english)
        return (english_text + ".",
                "%s %s%s %s." % (time.german, tail, " " + where.german if place else "",
                                 german_text))
    if kind == 2:
        text, german_text, end = chooser.pick(WEATHER_PAST)
        time = time_for(chooser, "past", True)
        if time.english.endswith(("ago", "o'clock")) or time.english.startswith("at "):
            time = Adverbial("yesterday", "gestern")
        return ("%s %s %s." % (text, where.english, time.english),
                "%s %s %s %s." % (time.german, german_text, where.german, end))
    if kind == 3:
        season, german_season = chooser.pick(SEASONS + MONTHS)
        degree, german_degree = chooser.pick((("often", "oft"), ("sometimes", "manchmal"),
                                              ("always", "immer"), ("rarely", "selten"),
                                              ("never", "nie")))
        state, german_state = chooser.pick((("cold", "kalt"), ("warm", "warm"), ("hot", "heiß"),
                                            ("windy", "windig"), ("foggy", "neblig")))
        return ("In %s it is %s %s %s." % (season, degree, state, where.english),
                "Im %s ist es %s %s %s." % (german_season, where.german, german_degree,
                                            german_state))
    value = chooser.pick((5, 10, 12, 15, 18, 20, 22, 25, 28, 30, 35))
    if chooser.chance(0.5):
        return ("It is %s degrees %s." % (english.number_word(value), where.english),
                "Es sind %s Grad %s." % (german.number_word(value), where.german))
    return ("It is %d degrees %s today." % (value, where.english),
            "Es sind heute %d Grad %s." % (value, where.german))


def telling_time(maker):
    chooser = maker.chooser
    kind = chooser.below(7)
    hour, minute = clock(chooser)
    text, german_text = english.clock_words(hour, minute), german.clock_words(hour, minute)
    if kind == 0:
        adverb, german_adverb = chooser.pick((("", ""), ("already ", "schon "), ("only ", "erst "),
                                              ("exactly ", "genau ")))
        return "It is %s%s." % (adverb, text), "Es ist %s%s." % (german_adverb, german_text)
    if kind == 1:
        day, german_day = chooser.pick(WEEKDAYS)
        number = 1 + chooser.below(28)
        month, german_month = chooser.pick(MONTHS)
        return ("Today is %s, the %s of %s." % (day, english.ordinal(number), month),
                "Heute ist %s, der %se %s." % (german_day, german.ordinal(number), german_month))
    if kind == 2:
        person = chooser.pick(of_classes(maker, "family"))
        if "plural_people" in person.classes:
            return None
        number = 1 + chooser.below(31)
        month, german_month = chooser.pick(MONTHS)
        if month == "February" or number == 31:
            number = 1 + number % 28
        kin = maker.relative(person, number="singular")
        return ("%s's birthday is on the %s of %s." % (kin.english, english.ordinal(number),
                                                       month),
                "Der Geburtstag %s ist am %sen %s." % (kin.german["genitive"],
                                                      german.ordinal(number), german_month))
    if kind == 3:
        noun = chooser.pick(of_classes(maker, "shop", "sight", "workplace") + [
            maker.lexicon.by_name[name] for name in ("library", "restaurant", "bank", "zoo",
                                                     "café", "swimming pool")])
        if noun.english in ("bridge", "tower"):
            return None
        start, _ = clock(chooser)
        end = start + 2 + chooser.below(6)
        place = noun_phrase(noun, "the")
        verb = chooser.below(3)
        if verb == 0:
            return ("%s opens at %s." % (place.english, text),
                    "%s öffnet um %s." % (place.german["nominative"], german_text))
        if verb == 1:
            return ("%s is open until %s." % (place.english, text),
                    "%s ist bis %s geöffnet." % (place.german["nominative"], german_text))
        first, last = 1 + chooser.below(11), 1 + chooser.below(11)
        if first == last:
            return None
        return ("%s is open from %s to %s o'clock." % (
                    place.english, english.number_word(first), english.number_word(last)),
                "%s ist von %s bis %s Uhr geöffnet." % (
                    place.german["nominative"], german.number_word(first).replace("eins", "ein"),
                    german.number_word(last).replace("eins", "ein")))
    if kind == 4:
        event = noun_phrase(chooser.pick(of_classes(maker, "event")), "the")
        day, german_day = chooser.pick(WEEKDAYS)
        return ("%s is on %s at %s." % (event.english, day, text),
                "%s ist am %s um %s." % (event.german["nominative"], german_day, german_text))
    if kind == 5:
        subject = maker.subject(you=0)
        count = 1 + chooser.below(11)
        unit, german_unit, article = chooser.pick((("year", "Jahr", "einem"),
                                                   ("month", "Monat", "einem"),
                                                   ("week", "Woche", "einer")))
        span = (english.number_word(count) + " " + unit + "s",
                german.number_word(count) + " " + german_unit + ("en" if unit != "week" else "n"))
        if count == 1:
            span = "a " + unit, article + " " + german_unit
        third = subject.person == 3 and subject.number == "singular"
        what, german_what, verb = chooser.pick((("lived", "", "wohnen"), ("worked", "", "arbeiten"),
                                                ("been learning", "lernen", "lernen")))
        person = 3 if subject.person == 2 else subject.person
        finite = german.present(verb, person, subject.german_number)
        have = "has" if third else "have"
        if verb == "lernen":
            language = chooser.pick(of_classes(maker, "language"))
            return ("%s %s been learning %s for %s." % (subject.english, have, language.english,
                                                       span[0]),
                    "%s %s seit %s %s." % (subject.german["nominative"], finite, span[1],
                                           language.german))
        where = abroad_at(chooser)
        return ("%s %s %s %s for %s." % (subject.english, have, what, where.english, span[0]),
                "%s %s seit %s %s." % (subject.german["nominative"], finite, span[1],
                                       where.german))
    event = noun_phrase(chooser.pick(of_classes(maker, "event")), "the")
    preposition, german_preposition = chooser.pick((("before", "vor"), ("after", "nach")))
    if event.english == "the appointment":
        return None
    clause = maker.clause(chooser.pick(maker.lexicon.verbs_named(chooser.pick(
        ("eat", "drink", "call", "talk to", "meet", "have a rest", "go", "go shopping", "hurry",
         "thank", "ask", "wait for")))), time=0, negated=False, place=0, you=0)
    clause.frequency, clause.manner = None, None
    if clause.modal is None and clause.tense == "present":
        clause.tense = "past"
    clause.time = Adverbial(preposition + " " + event.english,
                            german_preposition + " " + event.german["dative"])
    fronted = chooser.chance(0.5)
    return clause.english(fronted) + ".", clause.german(fronted) + "."


def introduction(maker):
    chooser = maker.chooser
    kind = chooser.below(6)
    name = chooser.pick(FIRST_NAMES)
    kin = maker.relative(chooser.pick(of_classes(maker, "family")), number="singular")
    if "plural_people" in kin.noun.classes:
        return None
    if name[1] != ("f" if kin.gender == "f" else "m") and kin.noun.english != "child":
        return None
    if kind == 0:
        return ("%s's name is %s." % (kin.english, name[0]),
                "%s heißt %s." % (kin.german["nominative"], name[0]))
    if kind == 1:
        age = chooser.pick((1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 14, 16, 18, 19, 20, 21, 23, 25, 27,
                            30, 32, 34, 35, 38, 40, 41, 45, 50, 52, 54, 56, 60, 63, 65, 70, 76))
        years = "ein Jahr" if age == 1 else german.number_word(age) + " Jahre"
        return ("%s is %s %s old." % (kin.english, english.number_word(age),
                                     "year" if age == 1 else "years"),
                "%s ist %s alt." % (kin.german["nominative"], years))
    if kind == 2:
        profession = chooser.pick(of_classes(maker, "profession"))
        male = kin.gender == "m"
        if (profession.gender == "m") != male:
            return None
        tense = chooser.pick((("is", "ist"), ("was", "war"), ("wants to become", "will")))
        job = profession.german
        if tense[1] == "will":
            return ("%s wants to become %s %s." % (kin.english, english.indefinite_article(
                        profession.english), profession.english),
                    "%s will %s werden." % (kin.german["nominative"], job))
        return ("%s %s %s %s." % (kin.english, tense[0], english.indefinite_article(
                    profession.english), profession.english),
                "%s %s %s." % (kin.german["nominative"], tense[1], job))
    if kind == 3:
        place = chooser.pick(TOWNS + COUNTRIES)
        subject = maker.subject(you=0.2)
        third = subject.person == 3 and subject.number == "singular"
        person = 3 if subject.person == 2 else subject.person
        return ("%s %s from %s." % (subject.english, "comes" if third else "come", place[0]),
                "%s %s aus %s." % (subject.german["nominative"], german.present(
                    "kommen", person, subject.german_number), place[1]))
    if kind == 4:
        return ("This is %s %s." % (kin.english, name[0]),
                "Das ist %s %s." % (kin.german["nominative"], name[0]))
    sibling = chooser.pick(("brother", "sister", "son", "daughter", "child", "friend", "uncle"))
    noun = maker.lexicon.by_name[sibling]
    count = 1 + chooser.below(6)
    subject = maker.subject(you=0)
    third = subject.person == 3 and subject.number == "singular"
    thing = noun_phrase(noun, "a") if count == 1 else noun_phrase(
        noun, "count", "plural", count=count)
    return ("%s %s %s." % (subject.english, "has" if third else "have", thing.english),
            "%s %s %s." % (subject.german["nominative"], german.present(
                "haben", subject.person, subject.german_number), thing.german["accusative"]))


COMPANIONS = (("with", "mit", "dative"), ("without", "ohne", "accusative"),
              ("for", "für", "accusative"))


def together(maker):
    """Prepositions with one case: mit, bei, von, für, ohne, während, wegen."""
    chooser = maker.chooser
    kind = chooser.below(4)
    if kind <= 1:
        names = (("go", "cook", "play", "eat", "hike", "swim", "dance", "travel", "have breakfast",
                  "go shopping", "drink", "sing", "learn", "drive", "fly"))
        verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(names)))
        clause = maker.clause(verb, negated=False, place=0, time=0.35, you=0)
        clause.manner = clause.frequency = None
        if "person" not in verb.subject or clause.tense == "present" and not clause.modal:
            return None
        friend = maker.person_object(clause.subject)
        text, german_text, case = COMPANIONS[0 if chooser.chance(0.75) else 1]
        clause.place = Adverbial(text + " " + friend.english_object,
                                 german_text + " " + friend.german[case])
        fronted = clause.time is not None and chooser.chance(0.4)
        return clause.english(fronted) + ".", clause.german(fronted) + "."
    if kind == 2:
        cause = noun_phrase(chooser.pick(of_classes(maker, "weather")), "the")
        verb = chooser.pick(maker.lexicon.verbs_named(chooser.pick(
            ("stay", "come back", "leave", "arrive", "hurry", "go shopping", "hike", "swim"))))
        clause = maker.clause(verb, tense=chooser.pick(("past", "future")), place=0, time=0,
                              negated=verb.english not in ("stay", "hurry"), you=0)
        clause.manner = None
        if verb.english in ("arrive", "leave", "come back") and chooser.chance(0.6):
            clause.manner, clause.negated = Adverbial("late", "spät"), False
        clause.time = Adverbial("because of " + cause.english,
                                "wegen " + cause.german["genitive"])
        return clause.english(True) + ".", \
            clause.german(True) + "."
    event = noun_phrase(chooser.pick([maker.lexicon.by_name[name] for name in (
        "meeting", "lesson", "concert", "film", "guided tour", "trip", "course", "break",
        "holiday", "exam", "game", "party")]), "the")
    clause = maker.clause(chooser.pick(maker.lexicon.verbs_named(chooser.pick(
        ("sleep", "laugh", "talk to", "drink", "call", "fall asleep", "read", "think of",
         "eat")))), tense=chooser.pick(("past", "future")), time=0, place=0, negated=False, you=0)
    clause.manner = None
    clause.time = Adverbial("during " + event.english, "während " + event.german["genitive"])
    fronted = chooser.chance(0.5)
    return clause.english(fronted) + ".", clause.german(fronted) + "."


FIXED = (("Good morning!", "Guten Morgen!"), ("Good evening!", "Guten Abend!"),
         ("Good night!", "Gute Nacht!"), ("Goodbye!", "Auf Wiedersehen!"),
         ("Thank you very much.", "Vielen Dank."), ("You are welcome.", "Gern geschehen."),
         ("See you tomorrow!", "Bis morgen!"), ("See you soon!", "Bis bald!"),
         ("I am sorry.", "Es tut mir leid."), ("How are you?", "Wie geht es Ihnen?"),
         ("I am fine, thank you.", "Mir geht es gut, danke."), ("Congratulations!",
                                                                "Herzlichen Glückwunsch!"),
         ("Have a good trip!", "Gute Reise!"), ("Get well soon!", "Gute Besserung!"),
         ("I do not understand you.", "Ich verstehe Sie nicht."),
         ("Please speak more slowly.", "Sprechen Sie bitte langsamer."),
         ("What is your name?", "Wie heißen Sie?"), ("How old are you?", "Wie alt sind Sie?"),
         ("What time is it?", "Wie spät ist es?"), ("Nice to meet you.", "Freut mich."),
         ("Happy birthday!", "Alles Gute zum Geburtstag!"), ("Good luck!", "Viel Glück!"))


def fixed(maker):
    return maker.chooser.pick(FIXED)


PATTERNS = ((weather, 10), (telling_time, 14), (introduction, 8), (together, 8),
            (fixed, 1))
