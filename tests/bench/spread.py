# SPDX-License-Identifier: GPL-2.0-or-later
"""Statistics of many measurements of one thing: median, quartiles, and how sure the median is."""
import random
import statistics

RESAMPLES = 2000
SURE = 0.95


class Spread:
    """Median, quartiles and the median's 95 % interval (bootstrap, the same for the same values) of @values."""

    def __init__(self, values):
        self.median = statistics.median(values)
        self.quartiles = self._quartiles(values)
        self.low, self.high = self._interval(values)

    def _quartiles(self, values):
        if len(values) < 2:
            return self.median, self.median
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        return low, high

    @staticmethod
    def _interval(values):
        chance = random.Random(len(values))
        medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
        cut = int(RESAMPLES * (1 - SURE) / 2)
        return medians[cut], medians[-1 - cut]


def ratios(pairs):
    """The spread of with / without, of (without, with) pairs."""
    return Spread([with_it / without for without, with_it in pairs])


def differences(pairs):
    """The spread of with - without, of (without, with) pairs."""
    return Spread([with_it - without for without, with_it in pairs])
