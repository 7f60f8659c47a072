# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel's own count of each program's cost (bpf_stats), next to that of an empty program on the same hook."""
import statistics

SLICES = 7  # the median of these counts: a virtual machine that loses its processor for a while spoils one
SWITCH = "sched_switch"


class Cost:
    """One program in one slice: runs, and by how much one run costs more than the empty program's, in ns."""

    def __init__(self, before, after):
        self.hook = after[0]
        self.runs, self.ns, empty_runs, empty_ns = (b - a for a, b in zip(before[1:], after[1:]))
        self.empty = empty_ns / empty_runs if empty_runs else 0
        self.net = self.ns / self.runs - self.empty if self.runs else 0


def slice_costs(links, programs, workload, place, seconds):
    """Runs the work once. Returns ({program: Cost}, operations)."""
    before = links.stats()
    count = workload.run(programs, place, seconds).count
    after = links.stats()
    return {name: Cost(before[name], after[name]) for name in after}, count


def summary(slices):
    """The results of the slices of one workload at one place: for each, its median over the slices."""
    rows = {}
    for name in slices[0][0]:
        costs = [(costs[name], count) for costs, count in slices if costs[name].runs]
        if len(costs) <= len(slices) // 2:
            continue
        rows[name] = {
            "hook": costs[0][0].hook,
            "runs": statistics.median(cost.runs / count for cost, count in costs),  # an operation
            "empty_ns": statistics.median(cost.empty for cost, _ in costs),
            "net_ns": statistics.median(cost.net for cost, _ in costs),
        }
    total = statistics.median(sum(cost.net * cost.runs for cost in costs.values()) / count for costs, count in slices)
    switches = [[cost for cost in costs.values() if cost.hook == SWITCH] for costs, _ in slices]
    return {
        "programs": rows,
        "net_ns": total,  # an operation, of all programs
        "switch_net_ns": statistics.median(sum(cost.net for cost in of_slice) for of_slice in switches),
    }


def measure(collector, programs, work, places, say):
    """{workload: {where: summary}}; @work: [(workload, seconds of a slice, where...)]"""
    links = collector.links
    collector.on()
    links.tell("empty")
    links.tell("count")
    found = {}
    try:
        for workload, seconds, *wheres in work:
            for where in wheres:
                say(f"{collector.name}: run time of each program: {workload.name}, {where}")
                slices = [slice_costs(links, programs, workload, places[where], seconds) for _ in range(SLICES)]
                found.setdefault(workload.name, {})[where] = summary(slices)
    finally:
        links.tell("no-count")
        links.tell("no-empty")
        collector.off()
    return found
