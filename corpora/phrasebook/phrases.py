# SPDX-License-Identifier: Apache-2.0
"""Noun phrases, pronouns, places and times as pairs of English and German."""

import english
import german

# English determiner -> German determiner (masculine nominative), None: bare
DETERMINERS = {
    "the": "der", "a": "ein", "this": "dieser", "every": "jeder", "no": "kein",
    "which": "welcher", "my": "mein", "his": "sein", "her": "ihr", "our": "unser",
    "their": "ihr", "all the": "alle", "some": "einige", "many": "viele",
}
YOUR = {"Sie": "Ihr", "du": "dein", "ihr": "euer"}


class Phrase:
    """A noun phrase: English text and a German form for each case."""

    def __init__(self, text, forms, person=3, number="singular",
                 german_number=None, gender="n", noun=None, is_pronoun=False,
                 object_text=None, absorbs_negation=False, own="the",
                 definite=True, address="Sie", indefinite=False):
        self.english = text
        self.english_object = object_text or text
        self.german = forms
        self.person = person
        self.number = number
        self.german_number = german_number or number
        self.gender = gender
        self.noun = noun
        self.is_pronoun = is_pronoun
        self.absorbs_negation = absorbs_negation
        # determiner with which this person speaks of what belongs to him or her
        self.own = own
        self.definite = definite
        self.address = address
        self.indefinite = indefinite


def case_forms(*forms):
    return dict(zip(german.CASES, forms))


def pronoun(word, address="Sie"):
    table = {
        "I": ("I", "me", 1, "singular", ("ich", "mich", "mir"), "my", "m"),
        "he": ("he", "him", 3, "singular", ("er", "ihn", "ihm"), "his", "m"),
        "she": ("she", "her", 3, "singular", ("sie", "sie", "ihr"), "her", "f"),
        "it": ("it", "it", 3, "singular", ("es", "es", "ihm"), "the", "n"),
        "we": ("we", "us", 1, "plural", ("wir", "uns", "uns"), "our", "m"),
        "they": ("they", "them", 3, "plural", ("sie", "sie", "ihnen"), "their", "m"),
    }
    if word == "you":
        if address == "Sie":
            row = ("you", "you", 2, "plural", ("Sie", "Sie", "Ihnen"), "your", "m")
        elif address == "du":
            row = ("you", "you", 2, "singular", ("du", "dich", "dir"), "your", "m")
        else:
            row = ("you", "you", 2, "plural", ("ihr", "euch", "euch"), "your", "m")
    else:
        row = table[word]
    text, object_text, person, number, forms, own, gender = row
    return Phrase(text, case_forms(*forms), person, number, gender=gender,
                  is_pronoun=True, object_text=object_text, own=own,
                  address=address)


def pronoun_for(phrase):
    """The pronoun that takes up a phrase: the bag -> it / sie."""
    key = "p" if phrase.german_number == "plural" else phrase.gender
    forms = {"m": ("er", "ihn", "ihm"), "f": ("sie", "sie", "ihr"),
             "n": ("es", "es", "ihm"), "p": ("sie", "sie", "ihnen")}[key]
    if phrase.number == "plural":
        text, object_text = "they", "them"
    elif phrase.noun and "person" in phrase.noun.classes:
        # das Mädchen is neuter, the girl is not
        feminine = phrase.gender == "f" or phrase.noun.english == "girl"
        text, object_text = ("she", "her") if feminine else (
            ("he", "him") if phrase.gender == "m" else ("it", "it"))
    else:
        text = object_text = "it"
    return Phrase(text, case_forms(*forms), 3, phrase.number, phrase.german_number,
                  phrase.gender, is_pronoun=True, object_text=object_text)


def noun_phrase(noun, determiner="the", number="singular", adjectives=(),
                address="Sie", count=None, negated=False):
    """determiner: a key of DETERMINERS, "your", "" (bare) or "count"."""
    if noun.english_plural_only:
        number = "plural"
    elif noun.english_plural == noun.english and determiner not in ("count", "many"):
        # "the sheep" is always one sheep, so that the German form is certain
        number, determiner = "singular", determiner or "a"
    english_number = "singular" if noun.mass else number
    german_number = number
    if noun.german_plural_only:
        german_number = "plural"
    elif noun.english_plural_only or noun.mass:
        german_number = "singular"
    adjective_text = " ".join(word.english for word in adjectives)
    noun_text = noun.english_form(number)
    body = (adjective_text + " " + noun_text).strip()
    kind = YOUR[address] if determiner == "your" else DETERMINERS.get(determiner)
    if determiner == "a":
        text = english.indefinite_article(body) + " " + body
    elif determiner == "count":
        text, kind = english.number_word(count) + " " + body, german.number_word(count)
    elif determiner == "this" and number == "plural":
        text = "these " + body
    elif determiner == "all the":
        text = "all the " + body
    elif determiner:
        text = determiner + " " + body
    else:
        text = body
    absorbs = False
    indefinite = determiner in ("a", "")
    if negated and indefinite:
        kind, absorbs = "kein", True
    forms = {}
    for case in german.CASES:
        words = []
        if kind:
            words.append(german.determiner(kind, noun.gender, german_number, case))
        for word in adjectives:
            words.append(german.adjective(
                word.german, kind, noun.gender, german_number, case))
        words.append(noun.german_form(german_number, case))
        forms[case] = " ".join(words)
    own = "the"
    if "person" in noun.classes:
        if english_number == "plural":
            own = "their"
        else:
            own = {"m": "his", "f": "her"}.get(noun.gender, "the")
    return Phrase(text, forms, 3, english_number, german_number, noun.gender,
                  noun, absorbs_negation=absorbs, own=own,
                  definite=determiner not in ("a", "", "count", "some", "many"),
                  indefinite=indefinite)


FIRST_NAMES = (("Anna", "f"), ("Peter", "m"), ("Maria", "f"), ("Thomas", "m"),
               ("Julia", "f"), ("Martin", "m"), ("Laura", "f"), ("Paul", "m"),
               ("Emma", "f"), ("Felix", "m"), ("Clara", "f"), ("David", "m"))
SURNAMES = ("Schmidt", "Weber", "Fischer", "Becker", "Wagner", "Hoffmann")


def first_name(name, gender):
    return Phrase(name, case_forms(name, name, name, genitive_name(name)),
                  gender=gender, own={"m": "his", "f": "her"}[gender])


def genitive_name(name):
    return name + ("’" if name.endswith(("s", "x", "z")) else "s")


def titled_name(title, surname):
    if title == "Mr":
        forms = case_forms("Herr " + surname, "Herrn " + surname, "Herrn " + surname)
        return Phrase("Mr " + surname, forms, gender="m", own="his")
    forms = case_forms(*["Frau " + surname] * 3)
    return Phrase("Ms " + surname, forms, gender="f", own="her")


def reflexive(subject, case="accusative"):
    """The reflexive pronoun that agrees with the subject."""
    if subject.person == 3 or (subject.person == 2 and subject.address == "Sie"):
        return "sich"
    if subject.person == 2:
        if subject.address == "ihr":
            return "euch"
        return "dich" if case == "accusative" else "dir"
    if subject.german_number == "plural":
        return "uns"
    return "mich" if case == "accusative" else "mir"


class Adverbial:
    """A place, direction, time or manner phrase."""

    def __init__(self, text, german_text):
        self.english = text
        self.german = german_text


def place_at(place):
    number = "plural" if place.plural else "singular"
    phrase = noun_phrase(place.noun, "the", number)
    if place.noun.english == "bed":
        return Adverbial("in bed", "im Bett")
    return Adverbial(place.english_at + " " + phrase.english,
                     german.preposition(place.german_at, phrase.german["dative"]))


def place_to(place):
    number = "plural" if place.plural else "singular"
    phrase = noun_phrase(place.noun, "the", number)
    case = "dative" if place.german_to == "zu" else "accusative"
    # one goes to bed without an article in English
    text = "to bed" if place.noun.english == "bed" else (
        place.english_to + " " + phrase.english)
    return Adverbial(text, german.preposition(place.german_to, phrase.german[case]))


TOWNS = (("Berlin", "Berlin"), ("Munich", "München"), ("Hamburg", "Hamburg"),
         ("Vienna", "Wien"), ("Cologne", "Köln"), ("Zurich", "Zürich"),
         ("London", "London"), ("Paris", "Paris"), ("Rome", "Rom"),
         ("Prague", "Prag"))
COUNTRIES = (("Germany", "Deutschland"), ("Austria", "Österreich"),
             ("England", "England"), ("France", "Frankreich"),
             ("Italy", "Italien"), ("Spain", "Spanien"), ("Poland", "Polen"))
ARTICLE_COUNTRIES = (("Switzerland", "die Schweiz", "der Schweiz"),
                     ("the Netherlands", "die Niederlande", "den Niederlanden"))


def abroad_at(chooser):
    if chooser.chance(0.12):
        name, _, dative = chooser.pick(ARTICLE_COUNTRIES)
        return Adverbial("in " + name, "in " + dative)
    name, german_name = chooser.pick(TOWNS if chooser.chance(0.6) else COUNTRIES)
    return Adverbial("in " + name, "in " + german_name)


def abroad_to(chooser):
    if chooser.chance(0.12):
        name, accusative, _ = chooser.pick(ARTICLE_COUNTRIES)
        return Adverbial("to " + name, "in " + accusative)
    name, german_name = chooser.pick(TOWNS if chooser.chance(0.6) else COUNTRIES)
    return Adverbial("to " + name, "nach " + german_name)


WEEKDAYS = (("Monday", "Montag"), ("Tuesday", "Dienstag"), ("Wednesday", "Mittwoch"),
            ("Thursday", "Donnerstag"), ("Friday", "Freitag"),
            ("Saturday", "Samstag"), ("Sunday", "Sonntag"))
MONTHS = (("January", "Januar"), ("February", "Februar"), ("March", "März"),
          ("April", "April"), ("May", "Mai"), ("June", "Juni"), ("July", "Juli"),
          ("August", "August"), ("September", "September"), ("October", "Oktober"),
          ("November", "November"), ("December", "Dezember"))
SEASONS = (("spring", "Frühling"), ("summer", "Sommer"), ("autumn", "Herbst"),
           ("winter", "Winter"))
DAY_PARTS = (("morning", "Morgen"), ("afternoon", "Nachmittag"), ("evening", "Abend"))

FIXED_TIMES = {
    "past": (("yesterday", "gestern"), ("yesterday evening", "gestern Abend"),
             ("yesterday afternoon", "gestern Nachmittag"),
             ("last week", "letzte Woche"), ("last year", "letztes Jahr"),
             ("last month", "letzten Monat"), ("this morning", "heute Morgen"),
             ("last weekend", "letztes Wochenende"),
             ("the day before yesterday", "vorgestern"), ("today", "heute")),
    "future": (("tomorrow", "morgen"), ("soon", "bald"), ("later", "später"),
               ("tomorrow morning", "morgen früh"),
               ("tomorrow evening", "morgen Abend"), ("this evening", "heute Abend"),
               ("this afternoon", "heute Nachmittag"), ("next week", "nächste Woche"),
               ("next year", "nächstes Jahr"), ("next month", "nächsten Monat"),
               ("the day after tomorrow", "übermorgen"), ("today", "heute")),
    "habit": (("every day", "jeden Tag"), ("every morning", "jeden Morgen"),
              ("every evening", "jeden Abend"), ("every week", "jede Woche"),
              ("every year", "jedes Jahr"), ("at the weekend", "am Wochenende"),
              ("in the morning", "am Morgen"), ("in the evening", "am Abend"),
              ("in the afternoon", "am Nachmittag"), ("once a week", "einmal pro Woche"),
              ("twice a month", "zweimal pro Monat")),
    "now": (("now", "jetzt"), ("at the moment", "gerade"), ("today", "heute")),
}
SPANS = (("day", "days", "Tag", "Tagen"), ("week", "weeks", "Woche", "Wochen"),
         ("month", "months", "Monat", "Monaten"), ("hour", "hours", "Stunde", "Stunden"),
         ("minute", "minutes", "Minute", "Minuten"), ("year", "years", "Jahr", "Jahren"))
FEMININE_SPANS = ("Woche", "Stunde", "Minute")


def weekday_time(chooser):
    day, german_day = chooser.pick(WEEKDAYS)
    if chooser.chance(0.4):
        part, german_part = chooser.pick(DAY_PARTS)
        return Adverbial("on %s %s" % (day, part),
                         "am %s%s" % (german_day, german_part.lower()))
    return Adverbial("on " + day, "am " + german_day)


def span_time(chooser, past, large):
    singular, plural, german_singular, german_plural = chooser.pick(
        SPANS[:3] if large else SPANS[3:5])
    count = 1 + chooser.below(6)
    if german_singular == "Minute":
        count = 5 * (1 + chooser.below(4))
    if count == 1:
        text = english.indefinite_article(singular) + " " + singular
        article = "einer" if german_singular in FEMININE_SPANS else "einem"
        german_text = article + " " + german_singular
    else:
        text = english.number_word(count) + " " + plural
        german_text = german.number_word(count) + " " + german_plural
    if past:
        return Adverbial(text + " ago", "vor " + german_text)
    return Adverbial("in " + text, "in " + german_text)


MINUTES = ((0, 8), (15, 3), (30, 6), (45, 3), (10, 1), (20, 1), (5, 1), (50, 1))


def clock(chooser):
    hour, minute = 1 + chooser.below(12), chooser.weighted(MINUTES)
    return hour, minute


def clock_time(chooser):
    hour, minute = clock(chooser)
    return Adverbial("at " + english.clock_words(hour, minute),
                     "um " + german.clock_words(hour, minute))


def date_time(chooser):
    day = 1 + chooser.below(31)
    month, german_month = chooser.pick(MONTHS)
    if month == "February" and day > 28:
        day = 28
    if month in ("April", "June", "September", "November") and day > 30:
        day = 30
    return Adverbial("on the %s of %s" % (english.ordinal(day), month),
                     "am %sen %s" % (german.ordinal(day), german_month))


def time_for(chooser, kind, large=True):
    """kind: past, future, habit or now; large events may take weeks or years."""
    if kind == "now":
        return Adverbial(*chooser.pick(FIXED_TIMES["now"]))
    if kind == "habit":
        if not large and chooser.chance(0.7):
            return Adverbial(*chooser.pick(FIXED_TIMES["habit"][:3] + FIXED_TIMES["habit"][5:9]))
        if chooser.chance(0.3):
            day, german_day = chooser.pick(WEEKDAYS)
            return Adverbial("every " + day, "jeden " + german_day)
        return Adverbial(*chooser.pick(FIXED_TIMES["habit"]))
    choice = chooser.weighted((("fixed", 12), ("weekday", 7), ("clock", 5),
                               ("span", 4), ("date", 3 if large else 0),
                               ("month", 4 if large else 0)))
    if choice == "fixed":
        options = [pair for pair in FIXED_TIMES[kind] if large or not any(
            word in pair[0] for word in ("week", "month", "year"))]
        return Adverbial(*chooser.pick(options))
    if choice == "weekday":
        return weekday_time(chooser)
    if choice == "clock":
        return clock_time(chooser)
    if choice == "span":
        return span_time(chooser, kind == "past", large)
    if choice == "date":
        return date_time(chooser)
    name, german_name = chooser.pick(MONTHS + SEASONS)
    return Adverbial("in " + name, "im " + german_name)
