# SPDX-License-Identifier: Apache-2.0
"""Descriptions of scenes in English and German, and their meaning."""

from scene import COLOURS, PLACES, RELATIONS, SHAPES, SIZES, relation

ENGLISH = {
    "size": {"small": "small", "large": "large"},
    "colour": {colour: colour for colour in COLOURS},
    "shape": {shape: (shape, "") for shape in SHAPES},
    "relation": {"left": "to the left of", "right": "to the right of", "above": "above",
                 "below": "below"},
    "place": PLACES,
    "and": "and",
}
GERMAN = {
    "size": {"small": "klein", "large": "groß"},
    "colour": {"red": "rot", "green": "grün", "blue": "blau", "yellow": "gelb", "purple": "violett",
               "white": "weiß"},
    "shape": {"circle": ("Kreis", "m"), "square": ("Quadrat", "n"), "triangle": ("Dreieck", "n"),
              "ring": ("Ring", "m"), "cross": ("Kreuz", "n"), "diamond": ("Raute", "f")},
    "relation": {"left": "links von", "right": "rechts von", "above": "über", "below": "unter"},
    "place": {(0, 0): "oben links", (1, 0): "oben", (2, 0): "oben rechts", (0, 1): "links",
              (1, 1): "in der Mitte", (2, 1): "rechts", (0, 2): "unten links", (1, 2): "unten",
              (2, 2): "unten rechts"},
    "and": "und",
}
LANGUAGES = {"en": ENGLISH, "de": GERMAN}


def noun_phrase(shape, language, dative):
    """"a small red circle"; after a German preposition in the dative."""
    words = LANGUAGES[language]
    noun, gender = words["shape"][shape.shape]
    adjectives = [words["size"][shape.size], words["colour"][shape.colour]]
    if language == "en":
        return " ".join(["a"] + adjectives + [noun])
    if dative:
        article, ending = ("einer" if gender == "f" else "einem"), "en"
    else:
        article = "eine" if gender == "f" else "ein"
        ending = {"m": "er", "n": "es", "f": "e"}[gender]
    return " ".join([article] + [adjective + ending for adjective in adjectives] + [noun])


def description(shapes, language):
    """The sentence about a scene that begins with its first shape."""
    words = LANGUAGES[language]
    first, others = shapes[0], shapes[1:]
    if not others:
        return noun_phrase(first, language, False) + " " + words["place"][first.place()]
    parts = [words["relation"][relation(first, other)] + " " + noun_phrase(other, language, True)
             for other in others]
    return noun_phrase(first, language, False) + " " + (" " + words["and"] + " ").join(parts)


def all_descriptions(shapes, language):
    """Every sentence that is right for a scene: about all of its shapes, in any order."""
    right = set()
    for place, first in enumerate(shapes):
        others = shapes[:place] + shapes[place + 1:]
        if any(relation(first, other) is None for other in others):
            continue
        for order in (others, others[::-1]):
            right.add(description([first] + order, language))
    return right


assert all(RELATIONS[RELATIONS[name]] == name for name in RELATIONS) and set(SIZES) == {"small", "large"}
