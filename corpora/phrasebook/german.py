# SPDX-License-Identifier: Apache-2.0
"""German morphology: articles, adjective endings, noun and verb forms, numbers.

Every function here is pure: it takes words and grammatical categories and
returns a form.  Genders are "m", "f", "n"; numbers "singular", "plural";
cases "nominative", "accusative", "dative", "genitive".
"""

CASES = ("nominative", "accusative", "dative", "genitive")

# Endings of the definite article, indexed by gender ("p" = plural) and case.
DEFINITE = {
    "m": ("der", "den", "dem", "des"),
    "f": ("die", "die", "der", "der"),
    "n": ("das", "das", "dem", "des"),
    "p": ("die", "die", "den", "der"),
}
# dieser, jeder, welcher, alle: the strong endings of the article.
STRONG_DETERMINER = {
    "m": ("er", "en", "em", "es"),
    "f": ("e", "e", "er", "er"),
    "n": ("es", "es", "em", "es"),
    "p": ("e", "e", "en", "er"),
}
# ein, kein and the possessives.
MIXED_DETERMINER = {
    "m": ("", "en", "em", "es"),
    "f": ("e", "e", "er", "er"),
    "n": ("", "", "em", "es"),
    "p": ("e", "e", "en", "er"),
}
WEAK_ADJECTIVE = {
    "m": ("e", "en", "en", "en"),
    "f": ("e", "e", "en", "en"),
    "n": ("e", "e", "en", "en"),
    "p": ("en", "en", "en", "en"),
}
MIXED_ADJECTIVE = {
    "m": ("er", "en", "en", "en"),
    "f": ("e", "e", "en", "en"),
    "n": ("es", "es", "en", "en"),
    "p": ("en", "en", "en", "en"),
}
STRONG_ADJECTIVE = {
    "m": ("er", "en", "em", "en"),
    "f": ("e", "e", "er", "er"),
    "n": ("es", "es", "em", "en"),
    "p": ("e", "e", "en", "er"),
}
RELATIVE = {
    "m": ("der", "den", "dem", "dessen"),
    "f": ("die", "die", "der", "deren"),
    "n": ("das", "das", "dem", "dessen"),
    "p": ("die", "die", "denen", "deren"),
}
STRONG_STEMS = {"dieser": "dies", "jeder": "jed", "welcher": "welch", "alle": "all"}
MIXED_STEMS = ("ein", "kein", "mein", "dein", "sein", "ihr", "unser", "euer", "Ihr")

CONTRACTIONS = {
    ("in", "dem"): "im", ("in", "das"): "ins", ("an", "dem"): "am",
    ("an", "das"): "ans", ("zu", "dem"): "zum", ("zu", "der"): "zur",
    ("bei", "dem"): "beim", ("von", "dem"): "vom",
}


def case_index(case):
    return CASES.index(case)


def table_key(gender, number):
    return "p" if number == "plural" else gender


def determiner(kind, gender, number, case):
    """Form of a determiner named by its masculine nominative ("der", "mein")."""
    key, index = table_key(gender, number), case_index(case)
    if kind == "der":
        return DEFINITE[key][index]
    if kind in STRONG_STEMS:
        return STRONG_STEMS[kind] + STRONG_DETERMINER[key][index]
    if kind in MIXED_STEMS:
        ending = MIXED_DETERMINER[key][index]
        if kind == "euer" and ending:
            return "eur" + ending
        return kind + ending
    if kind == "einige":
        return "einig" + STRONG_DETERMINER["p"][index]
    if kind == "viele":
        return "viel" + STRONG_DETERMINER["p"][index]
    return kind


def adjective_ending(kind, gender, number, case):
    """Ending of an adjective after the determiner kind (None: no determiner)."""
    key, index = table_key(gender, number), case_index(case)
    if kind == "der" or kind in STRONG_STEMS:
        return WEAK_ADJECTIVE[key][index]
    if kind in MIXED_STEMS:
        return MIXED_ADJECTIVE[key][index]
    return STRONG_ADJECTIVE[key][index]


def adjective_stem(word):
    """The stem to which endings are added: teuer -> teur, hoch -> hoh."""
    if word == "hoch":
        return "hoh"
    if word in ("teuer", "sauer"):
        return word[:-2] + "r"
    if word in ("müde",):
        return word[:-1]
    return word


def adjective(word, kind, gender, number, case):
    return adjective_stem(word) + adjective_ending(kind, gender, number, case)


def noun_form(singular, plural, genitive, gender, number, case):
    """Inflected noun.  Weak masculines are known by a genitive in -n or -en."""
    if number == "plural":
        if case == "dative" and not plural.endswith(("n", "s")):
            return plural + "n"
        return plural
    if gender == "f" or case == "nominative":
        return singular
    if case == "genitive":
        return genitive
    if is_weak(singular, genitive, gender):
        return genitive[:-1] if genitive.endswith("ns") else genitive
    return singular


def is_weak(singular, genitive, gender):
    ending = genitive[len(singular):]
    return gender == "m" and ending in ("n", "en", "ns")


def preposition(word, article_phrase):
    """Join a preposition with a phrase that begins with a definite article."""
    first, _, rest = article_phrase.partition(" ")
    joined = CONTRACTIONS.get((word, first))
    return joined + " " + rest if joined else word + " " + article_phrase


# ---------------------------------------------------------------- verbs

AUXILIARIES = {
    # infinitive: (ich, du, er, wir, ihr, sie), then the preterite likewise
    "sein": (("bin", "bist", "ist", "sind", "seid", "sind"),
             ("war", "warst", "war", "waren", "wart", "waren")),
    "haben": (("habe", "hast", "hat", "haben", "habt", "haben"),
              ("hatte", "hattest", "hatte", "hatten", "hattet", "hatten")),
    "werden": (("werde", "wirst", "wird", "werden", "werdet", "werden"),
               ("wurde", "wurdest", "wurde", "wurden", "wurdet", "wurden")),
    "können": (("kann", "kannst", "kann", "können", "könnt", "können"),
               ("konnte", "konntest", "konnte", "konnten", "konntet", "konnten")),
    "müssen": (("muss", "musst", "muss", "müssen", "müsst", "müssen"),
               ("musste", "musstest", "musste", "mussten", "musstet", "mussten")),
    "wollen": (("will", "willst", "will", "wollen", "wollt", "wollen"),
               ("wollte", "wolltest", "wollte", "wollten", "wolltet", "wollten")),
    "sollen": (("soll", "sollst", "soll", "sollen", "sollt", "sollen"),
               ("sollte", "solltest", "sollte", "sollten", "solltet", "sollten")),
    "dürfen": (("darf", "darfst", "darf", "dürfen", "dürft", "dürfen"),
               ("durfte", "durftest", "durfte", "durften", "durftet", "durften")),
    "mögen": (("mag", "magst", "mag", "mögen", "mögt", "mögen"),
              ("mochte", "mochtest", "mochte", "mochten", "mochtet", "mochten")),
    "möchten": (("möchte", "möchtest", "möchte", "möchten", "möchtet", "möchten"),
                ("wollte", "wolltest", "wollte", "wollten", "wolltet", "wollten")),
    "wissen": (("weiß", "weißt", "weiß", "wissen", "wisst", "wissen"),
               ("wusste", "wusstest", "wusste", "wussten", "wusstet", "wussten")),
}
INSEPARABLE = ("be", "emp", "ent", "er", "ge", "ver", "zer", "über", "unter", "wieder")


def split_verb(infinitive):
    """("an", "rufen") for "an|rufen"; the prefix is "" for plain verbs."""
    prefix, bar, base = infinitive.rpartition("|")
    return (prefix, base) if bar else ("", infinitive)


def stem(base):
    if base.endswith(("eln", "ern")):
        return base[:-1]
    return base[:-2]


def needs_linking_e(root):
    """arbeit-est, öffn-est, but lern-st and fahr-st."""
    if root.endswith(("t", "d")):
        return True
    if root.endswith("chn"):
        return True
    return (root.endswith(("n", "m")) and len(root) > 2
            and root[-2] not in "aeiouäöürlhmn")


def person_index(person, number):
    return person - 1 + (3 if number == "plural" else 0)


def present(infinitive, person, number, er_form=None):
    """Present tense without the separable prefix; er_form where irregular."""
    base = split_verb(infinitive)[1]
    if base in AUXILIARIES:
        return AUXILIARIES[base][0][person_index(person, number)]
    root = stem(base)
    if number == "plural":
        if person == 2:
            return root + ("et" if needs_linking_e(root) else "t")
        return base
    if person == 1:
        if base.endswith("eln"):
            return root[:-2] + "le"
        return root + "e"
    if person == 3:
        return er_form or root + ("et" if needs_linking_e(root) else "t")
    if er_form in ("lädt", "hält", "rät"):
        return er_form[:-1] + "st" if er_form == "lädt" else er_form[:-1] + "tst"
    short = er_form[:-1] if er_form else root + ("e" if needs_linking_e(root) else "")
    return short + ("t" if short.endswith(("s", "ß", "z", "x")) else "st")


def preterite(infinitive, person, number):
    """Only auxiliaries and modals: the corpus tells the past in the Perfekt."""
    return AUXILIARIES[infinitive][1][person_index(person, number)]


def participle(infinitive, given=None):
    if given:
        return given
    prefix, base = split_verb(infinitive)
    root = stem(base)
    ending = "et" if needs_linking_e(root) else "t"
    if base.endswith("ieren") or base.startswith(INSEPARABLE):
        return prefix + root + ending
    return prefix + "ge" + root + ending


def plain_infinitive(infinitive):
    return infinitive.replace("|", "")


def imperative(infinitive, address, er_form=None):
    """Finite imperative form without pronoun and prefix; address: Sie, du, ihr."""
    base = split_verb(infinitive)[1]
    if base == "sein":
        return {"Sie": "seien", "du": "sei", "ihr": "seid"}[address]
    if address == "Sie":
        return base
    if address == "ihr":
        return present(infinitive, 2, "plural", er_form)
    root = stem(base)
    if er_form and er_form[:-1] != root and not any(
            letter in er_form for letter in "äö"):
        return er_form[:-1]
    if base.endswith("eln"):
        return root[:-2] + "le"
    return root + ("e" if needs_linking_e(root) else "")


# ---------------------------------------------------------------- numbers

UNITS = ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben",
         "acht", "neun", "zehn", "elf", "zwölf", "dreizehn", "vierzehn",
         "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn")
TENS = ("", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig",
        "siebzig", "achtzig", "neunzig")


def number_word(value):
    """Cardinal in words, 0 to 999 999: 21 -> einundzwanzig."""
    if value < 20:
        return UNITS[value]
    if value < 100:
        tens, unit = divmod(value, 10)
        if not unit:
            return TENS[tens]
        return ("ein" if unit == 1 else UNITS[unit]) + "und" + TENS[tens]
    if value < 1000:
        hundreds, rest = divmod(value, 100)
        head = ("ein" if hundreds == 1 else UNITS[hundreds]) + "hundert"
        return head + (number_word(rest) if rest else "")
    thousands, rest = divmod(value, 1000)
    head = number_word(thousands)
    head = (head[:-1] if head.endswith("eins") else head) + "tausend"
    return head + (number_word(rest) if rest else "")


def ordinal(value):
    """Ordinal stem without the case ending: 3 -> dritt, 21 -> einundzwanzigst."""
    irregular = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}
    if value in irregular:
        return irregular[value]
    return number_word(value) + ("t" if value < 20 else "st")


def clock_words(hour, minute):
    """Spoken time: (7, 30) -> halb acht, (7, 45) -> Viertel vor acht."""
    following = number_word(hour % 12 + 1)
    this_hour = number_word((hour - 1) % 12 + 1)
    if minute == 0:
        return ("ein" if this_hour == "eins" else this_hour) + " Uhr"
    if minute == 15:
        return "Viertel nach " + this_hour
    if minute == 30:
        return "halb " + following
    if minute == 45:
        return "Viertel vor " + following
    if minute < 30:
        return number_word(minute) + " nach " + this_hour
    return number_word(60 - minute) + " vor " + following
