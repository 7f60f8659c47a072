# SPDX-License-Identifier: GPL-2.0-or-later
"""Pairs: the same work without and with something, one right after the other, in alternating order."""
from workload import Failed


class Pairs:
    """{(workload's name, where): [(without, with)...]} in ns for an operation, and what failed."""

    def __init__(self):
        self.pairs = {}
        self.failed = {}

    def add(self, key, without, with_it):
        self.pairs.setdefault(key, []).append((without, with_it))

    def to_json(self):
        return {"pairs": [[*key, values] for key, values in self.pairs.items()],
                "failed": [[name, reason] for name, reason in self.failed.items()]}

    @classmethod
    def from_json(cls, data):
        read = cls()
        read.pairs = {(name, where): values for name, where, values in data["pairs"]}
        read.failed = dict(data["failed"])
        return read


class Bench:
    """What all comparisons need: the programs, and the places for the work, {"job": ..., "outside": ...}."""

    def __init__(self, programs, seconds, say):
        self.programs, self.seconds, self.say = programs, seconds, say

    def run_all(self, work, places, seconds=None, failed=None):
        """Runs one after the other. Returns {(name, where): ns}."""
        results = {}
        for workload in work:
            for where, place in places.items():
                try:
                    results[workload.name, where] = workload.run(self.programs, place, seconds or self.seconds).ns
                except Failed as why:
                    if failed is None:
                        raise
                    failed[workload.name] = str(why)
        return results

    def alternate(self, subject, work, places, count, seconds=None, together=False):
        """
        @count pairs without and with @subject, which has on() and off() and is off at first. What is
        slow to switch (@together) is switched once for all of @work, else for each.
        """
        found = Pairs()
        groups = [work] if together else [[workload] for workload in work]
        for i in range(count):
            self.say(f"{subject.name}: pair {i + 1} of {count}")
            for group in groups:
                group = [workload for workload in group if workload.name not in found.failed]
                results = {}
                for with_it in (False, True) if i % 2 == 0 else (True, False):
                    if with_it:
                        subject.on()
                    results[with_it] = self.run_all(group, places, seconds, found.failed)
                    if with_it:
                        subject.off()
                for key in results[False]:
                    if key in results[True]:
                        found.add(key, results[False][key], results[True][key])
        return found
