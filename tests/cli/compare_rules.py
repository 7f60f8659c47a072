#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""compare_rules.py STINT REPORT DOC: each threshold of the table in docs/compare.md has a pair of jobs on either side.

For each quantity and each of its thresholds, the pairs reach all other thresholds by far, and just reach, or just miss,
this one; in both directions.
"""
import copy
import json
import math
import re
import subprocess
import sys
import tempfile

NEAR = 0.01  # how close to the threshold


def rules(path):
    row = re.compile(r"^\| `([a-z_.]+)` \| ([0-9.]+) \| ([0-9.]+) \| ([0-9.]+) \|")
    return [(m[1], float(m[2]), float(m[3]), float(m[4])) for m in map(row.match, open(path)) if m]


def put(report, name, value):
    if name == "core_hours":  # made of two others, of which the CPUs are whole
        name, hours = "allocated.cpus", value
        value = (round(hours * 3600 / report["job"]["elapsed_s"]) or 1) if hours else 0
        if hours:
            report["job"]["elapsed_s"] = hours * 3600 / value
    if name == "gpu_efficiency":
        report["gpus"][0]["busy_share"] = value
        return
    *parts, last = name.split(".")
    for part in parts:
        report = report.setdefault(part, {})
    report[last] = value


class Stint:
    def __init__(self, program, base):
        self.program = program
        self.base = base
        self.runs = 0

    def result(self, name, a, b, elapsed):
        with tempfile.TemporaryDirectory() as work:
            for letter, value in (("a", a), ("b", b)):
                report = copy.deepcopy(self.base)
                report["job"]["elapsed_s"] = elapsed
                put(report, name, value)
                json.dump(report, open(f"{work}/{letter}.json", "w"))
            out = subprocess.run([self.program, "compare", "--json", f"{work}/a.json", f"{work}/b.json"],
                                 check=True, capture_output=True).stdout
        self.runs += 1
        found = [line for line in json.loads(out)["quantities"] if line["name"] == name]
        return found[0]["result"]

    def expect(self, name, a, b, elapsed, differs):
        for one, other in ((a, b), (b, a)):
            result = self.result(name, one, other, elapsed)
            if (result in ("better", "worse", "differs")) != differs:
                sys.exit(f"{name}: {one} and {other} in {elapsed} s: {result}")


def is_whole(name):
    return not name.endswith(("_s", "efficiency", "core_hours"))


def both_sides(stint, name, a, step, elapsed):
    above, below = a + step * (1 + NEAR), a + step * (1 - NEAR)
    if is_whole(name):
        a, above, below = round(a), math.ceil(above), math.floor(below)
    stint.expect(name, a, above, elapsed, True)
    stint.expect(name, a, below, elapsed, False)


def with_gpu(report):
    return {**report, "allocated": {**report["allocated"], "gpus": 1}, "gpus": [{
        "node": report["nodes"][0]["name"], "vendor": "nvidia", "busy_share": 0.5, "busy_source": "counters", "busy_known_s": 1e6,
        "busy_covered_s": 1e6, "processes": [], "absent": []}]}


def names(program, path):
    known = subprocess.run([program, "compare", "--json", path, path], check=True, capture_output=True).stdout
    return [line["name"] for line in json.loads(known)["quantities"]]


def main(program, base_path, doc):
    base = json.load(open(base_path, encoding="utf-8"))
    stint = Stint(program, with_gpu(base))
    table = rules(doc)
    with tempfile.TemporaryDirectory() as work:
        json.dump(stint.base, open(f"{work}/gpu.json", "w"))
        known = subprocess.run([program, "compare", "--json", f"{work}/gpu.json", f"{work}/gpu.json"], check=True, capture_output=True).stdout
    if names(program, base_path) != [name for name, *_ in table if name != "gpu_efficiency"]:
        sys.exit("a job without GPUs is compared by them")
    if [(line["name"], *(line["threshold"][key] for key in ("relative", "floor", "elapsed_share")))
            for line in json.loads(known)["quantities"]] != table:
        sys.exit("docs/compare.md has another table than the command")
    for name, relative, floor, share in table:
        elapsed = 1000.0
        if relative:
            # large enough for the share to be above the floor
            large = 1e6 if name == "job.elapsed_s" else 100 * (floor + share * elapsed) / relative
            both_sides(stint, name, large, large * relative, elapsed)
        # small enough for the floor to be above the share
        both_sides(stint, name, 0.0 if name != "job.elapsed_s" else 10.0, floor, 10.0 if share else elapsed)
        if share:
            elapsed = 10 * floor / share
            both_sides(stint, name, 0.0, share * elapsed, elapsed)
    print(f"{len(table)} rules, {stint.runs} comparisons")


main(*sys.argv[1:])
