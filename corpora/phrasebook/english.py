# SPDX-License-Identifier: Apache-2.0
"""English morphology: articles, verb forms, numbers."""

BE_PRESENT = ("am", "are", "is", "are", "are", "are")
BE_PAST = ("was", "were", "was", "were", "were", "were")
UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven",
         "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
         "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy",
        "eighty", "ninety")
ORDINALS = {1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth",
            9: "ninth", 12: "twelfth"}


def indefinite_article(following):
    """a or an before the given text, by its first sound."""
    word = following.split()[0].lower()
    if word in ("hour", "honest"):
        return "an"
    if word.startswith(("uni", "use", "eur", "one")):
        return "a"
    return "an" if word[0] in "aeiou" else "a"


def with_s(word):
    """Third person singular, also regular plural: carry -> carries."""
    if word in ("go", "do", "potato", "tomato"):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def regular_past(word):
    if word.endswith("e"):
        return word + "d"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ied"
    return double_final(word) + "ed"


def regular_ing(word):
    if word in ("lie",):
        return "lying"
    if word.endswith("e") and not word.endswith("ee"):
        return word[:-1] + "ing"
    return double_final(word) + "ing"


def double_final(word):
    """One-syllable consonant-vowel-consonant words double: plan -> plann."""
    vowels = sum(letter in "aeiou" for letter in word)
    if (vowels == 1 and len(word) > 2 and word[-1] in "bdgklmnprt"
            and word[-2] in "aeiou"):
        return word + word[-1]
    return word


def be(person, number, past=False):
    index = person - 1 + (3 if number == "plural" else 0)
    return (BE_PAST if past else BE_PRESENT)[index]


def number_word(value):
    if value < 20:
        return UNITS[value]
    if value < 100:
        tens, unit = divmod(value, 10)
        return TENS[tens] + ("-" + UNITS[unit] if unit else "")
    if value < 1000:
        hundreds, rest = divmod(value, 100)
        head = UNITS[hundreds] + " hundred"
        return head + (" and " + number_word(rest) if rest else "")
    thousands, rest = divmod(value, 1000)
    head = number_word(thousands) + " thousand"
    return head + (" " + number_word(rest) if rest else "")


def ordinal(value):
    if value in ORDINALS:
        return ORDINALS[value]
    if value < 20:
        return number_word(value) + "th"
    tens, unit = divmod(value, 10)
    if not unit:
        return TENS[tens][:-1] + "ieth"
    return TENS[tens] + "-" + ordinal(unit)


def clock_words(hour, minute):
    following = number_word(hour % 12 + 1)
    this_hour = number_word((hour - 1) % 12 + 1)
    if minute == 0:
        return this_hour + " o'clock"
    if minute == 15:
        return "a quarter past " + this_hour
    if minute == 30:
        return "half past " + this_hour
    if minute == 45:
        return "a quarter to " + following
    if minute < 30:
        return number_word(minute) + " past " + this_hour
    return number_word(60 - minute) + " to " + following


def capitalise(text):
    """First letter of a sentence in upper case, the rest unchanged."""
    return text[0].upper() + text[1:]
