#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints count, mean and median of each station's readings."""
import statistics
import sys

readings = {}
with open(sys.argv[1], encoding="ascii") as lines:
    for line in lines:
        station, value, _ = line.split()
        readings.setdefault(station, []).append(float(value))
for station, values in sorted(readings.items()):
    print(station, len(values), f"{statistics.fmean(values):.3f}", f"{statistics.median(values):.3f}", sep="\t")
