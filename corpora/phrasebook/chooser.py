# SPDX-License-Identifier: Apache-2.0
"""Random choices that give the same result on every Python version.

Only random.Random.random() is used: its sequence for a given seed is fixed
by the language documentation, unlike that of choice() or shuffle().
"""

import random


class Chooser:
    def __init__(self, seed):
        self._random = random.Random(seed)

    def below(self, limit):
        return int(self._random.random() * limit)

    def pick(self, items):
        return items[self.below(len(items))]

    def chance(self, probability):
        return self._random.random() < probability

    def weighted(self, pairs):
        """pairs: sequence of (item, weight)."""
        point = self._random.random() * sum(weight for _, weight in pairs)
        for item, weight in pairs:
            point -= weight
            if point < 0:
                return item
        return pairs[-1][0]

    def shuffled(self, items):
        items = list(items)
        for index in range(len(items) - 1, 0, -1):
            other = self.below(index + 1)
            items[index], items[other] = items[other], items[index]
        return items
