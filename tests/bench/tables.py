# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns what was measured into tables, as text or as Markdown, with each target beside its figure."""
import load
from compare import Pairs
from spread import differences, ratios

SWITCH_NS = 100
SWITCH_OUTSIDE_NS = 15
LIFE_NS = 2000
SHARE = 0.01
MEMORY_BYTES = 24 << 20
REPORT_S = 0.01
MEASURABLE = 0.01  # of a ratio: what a cost must be to count as one
UNSURE = 0.03  # of a ratio: an interval that goes beyond tells nothing about small costs

WHERE = {"job": "in the job", "outside": "outside"}


class Table:
    """A title, a line or two on what is in it, a header and rows of text."""

    def __init__(self, title, about, header):
        self.title, self.about, self.header = title, about, header
        self.rows = []

    def add(self, *cells):
        self.rows.append([str(cell) for cell in cells])

    def text(self):
        lines = [self.header, *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.header))]
        out = [self.title, ""]
        for line in lines:
            cells = [cell.ljust(width) if i == 0 else cell.rjust(width)
                     for i, (cell, width) in enumerate(zip(line, widths))]
            out.append("  " + "  ".join(cells).rstrip())
        return "\n".join(out) + "\n"

    def markdown(self):
        out = [f"### {self.title}", "", self.about, "", "| " + " | ".join(self.header) + " |",
               "|---|" + "---:|" * (len(self.header) - 1)]
        out += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join(out) + "\n"


def verdict(good):
    """@good: whether the target is reached; None where the run cannot tell."""
    return {True: "reached", False: "missed", None: "not sure"}[good]


def ratio_text(pairs):
    spread = ratios(pairs)
    return f"{spread.median:.3f} ({spread.low:.3f}-{spread.high:.3f})"


def time_text(ns):
    if ns >= 1e6:
        return f"{ns / 1e6:.3g} ms"
    if ns >= 1e4:
        return f"{ns / 1e3:.3g} us"
    return f"{ns:.0f} ns"


def size_text(size):
    return f"{size / (1 << 20):.1f} MiB"


def share_text(share):
    return f"{100 * share:.2f} %"


def costs_nothing(pairs):
    """Whether no cost can be measured; None where there may be one that is lost in the spread."""
    spread = ratios(pairs)
    if spread.low > 1 and spread.median >= 1 + MEASURABLE:
        return False
    return True if spread.high < 1 + UNSURE else None


def comparison_table(work, subjects):
    """@subjects: {name: Pairs}, all of them against nothing."""
    columns = [(name, where) for name, pairs in subjects.items() for where in WHERE
               if any(key[1] == where for key in pairs.pairs)]
    table = Table("Time with it / time without it",
                  "Median of the pairs' ratios, and its 95 % interval. 1 is no cost.",
                  ["workload", *(f"{name}, {WHERE[where]}" for name, where in columns)])
    for one in work:
        cells = [subjects[name].pairs.get((one["name"], where)) for name, where in columns]
        if any(cells):
            table.add(one["title"], *(ratio_text(pairs) if pairs else "-" for pairs in cells))
    return table


def spread_table(work, pairs):
    table = Table("stint, in nanoseconds",
                  "What one operation took without stint, and what it took more with it: median, quartiles of the "
                  "pairs, and the median's 95 % interval.",
                  ["workload", "where", "an operation", "without", "more", "quartiles", "95 % interval"])
    for one in work:
        for where, text in WHERE.items():
            values = pairs.pairs.get((one["name"], where))
            if not values:
                continue
            without = sorted(pair[0] for pair in values)[len(values) // 2]
            more = differences(values)
            table.add(one["title"], text, one["unit"], time_text(without), f"{more.median:+.0f}",
                      f"{more.quartiles[0]:+.0f} to {more.quartiles[1]:+.0f}", f"{more.low:+.0f} to {more.high:+.0f}")
    return table


def cost_table(title, costs):
    """A row for each program, a column for each workload and place."""
    columns = [(name, where) for name, places in costs.items() for where in places]
    table = Table(title,
                  "By the kernel's own count (bpf_stats), less what an empty program on the same hook takes in the "
                  "same moment: ns a run, and in brackets how often it ran for one operation.",
                  ["program", "hook", "empty", *(f"{name}, {WHERE[where]}" for name, where in columns)])
    programs = {}
    for name, where in columns:
        for program, row in costs[name][where]["programs"].items():
            programs.setdefault(program, row)
    for program, first in sorted(programs.items()):
        cells = []
        for name, where in columns:
            row = costs[name][where]["programs"].get(program)
            # What ran for the workload's own start and end alone tells nothing about an operation.
            cells.append(f"{row['net_ns']:.0f} ({row['runs']:.3g})" if row and row["runs"] >= 0.01 else "-")
        if set(cells) != {"-"}:
            table.add(program, first["hook"], f"{first['empty_ns']:.0f}", *cells)
    table.add("all, an operation", "", "", *(f"{costs[name][where]['net_ns']:.0f}" for name, where in columns))
    return table


def load_table(figures, slurm):
    table = Table("stintd itself",
                  "Share of one processor (the scheduler's own count), and resident memory.",
                  ["while", "processor", "resident"])
    rows = [("a job that does nothing", "idle_share", "memory_start_bytes"),
            (f"{figures['rate']:.0f} processes a second", "rate_share", "memory_rate_bytes"),
            (f"{load.CROWD} processes that sleep", "crowd_share", None),
            (f"{load.JOBS} jobs at once", "jobs_share", "memory_jobs_bytes"),
            (f"{load.THREADS} threads more", "threads_share", "memory_threads_bytes"),
            (f"{figures['processes']} processes, {figures['processes_rate']:.0f} a second", "processes_share",
             "memory_processes_bytes")]
    for text, share, memory in rows:
        table.add(text, share_text(figures[share]), size_text(figures[memory]) if memory else "-")
    table.add("the most of all this", "", size_text(figures["memory_peak_bytes"]))
    table.add("another, when it had loaded the programs", "", size_text(figures["memory_loading_bytes"]))
    table.add("the most while it loaded them", "", size_text(figures["memory_loading_peak_bytes"]))
    if slurm is not None:
        table.add(f"slurmstepd (jobacct_gather at 1 s), {load.CROWD} processes that sleep", share_text(slurm), "-")
    return table


def report_table(figures):
    table = Table("stint report",
                  "From the command to its end; the runs take turns with those of true, which shows what a process costs.",
                  ["of", "report", "median", "least"])
    rows = (("nothing: true", "nothing"), ("a usual job", "usual"), ("a job with all that a report holds", "largest"))
    for text, name in rows:
        one = figures[name]
        size = f"{one['bytes'] / 1024:.0f} KiB" if one["bytes"] else "-"
        table.add(text, size, time_text(1e9 * one["median_s"]), time_text(1e9 * one["least_s"]))
    return table


def target_rows(data):
    """(what, figure, target, whether it is reached)"""
    costs, figures = data.get("programs"), data.get("stintd")
    if costs:
        switch = costs["pipe"]["job"]["switch_net_ns"]
        outside = costs["pipe"]["outside"]["switch_net_ns"]
        network = costs["tcp"]["job"]["switch_net_ns"]
        life = costs["spawn"]["job"]["net_ns"]
        yield "a switch in the job, net, sched pipe", f"{switch:.0f} ns", f"{SWITCH_NS} ns", switch <= SWITCH_NS
        yield "a switch in the job, net, TCP", f"{network:.0f} ns", f"{SWITCH_NS} ns", network <= SWITCH_NS
        yield ("a switch outside, net, sched pipe", f"{outside:.0f} ns", f"{SWITCH_OUTSIDE_NS} ns",
               outside <= SWITCH_OUTSIDE_NS)
        yield "a process' life, all programs, net", f"{life:.0f} ns", f"{LIFE_NS} ns", life <= LIFE_NS
    if "stint" in data.get("pairs", {}):
        pairs = Pairs.from_json(data["pairs"]["stint"])
        for one in data["workloads"]:
            for where, text in WHERE.items():
                values = pairs.pairs.get((one["name"], where))
                if values and not one["blocks"]:
                    yield f"{one['title']}, {text}", ratio_text(values), "none to be measured", costs_nothing(values)
    if figures:
        yield (f"stintd at {figures['rate']:.0f} processes a second", share_text(figures["rate_share"]),
               share_text(SHARE), figures["rate_share"] < SHARE)
        yield (f"stintd's memory after {figures['processes']} processes, {load.JOBS} jobs, {load.THREADS} threads",
               size_text(figures["memory_peak_bytes"]), size_text(MEMORY_BYTES),
               figures["memory_peak_bytes"] < MEMORY_BYTES)
    if "report" in data:
        median = data["report"]["usual"]["median_s"]
        yield "stint report of a usual job", time_text(1e9 * median), time_text(1e9 * REPORT_S), median < REPORT_S


def target_table(data):
    table = Table("Targets", "Of this run; the reasons for a word are above.", ["what", "figure", "target", ""])
    for what, figure, target, good in target_rows(data):
        table.add(what, figure, target, verdict(good))
    return table


def place_of(subject):
    """In the order of the columns: stint, what stint can do more, the others."""
    return not subject.startswith("stint"), subject


def tables(data):
    """All tables of a run's data, in order."""
    subjects = {name: Pairs.from_json(data["pairs"][name]) for name in sorted(data["pairs"], key=place_of)}
    found = [target_table(data)]
    if subjects:
        found.append(comparison_table(data["workloads"], subjects))
    if "stint" in subjects:
        found.append(spread_table(data["workloads"], subjects["stint"]))
    if "programs" in data:
        found.append(cost_table("Run time of each kernel program", data["programs"]))
    if "programs_files" in data:
        found.append(cost_table("Run time of each kernel program, files = on", data["programs_files"]))
    if "stintd" in data:
        found.append(load_table(data["stintd"], data.get("slurmstepd_share")))
    if "report" in data:
        found.append(report_table(data["report"]))
    return [table for table in found if table.rows]


def render(data, markdown):
    """The whole of it as text or as Markdown."""
    machine = [f"{name}: {value}" for name, value in data["machine"].items()]
    lines = [f"- {line}" if markdown else line for line in machine]
    parts = ["\n".join(lines) + "\n"]
    parts += [table.markdown() if markdown else table.text() for table in tables(data)]
    missing = [f"{what} was not measured: {why}" for what, why in data["missing"].items()]
    if missing:
        parts.append("\n".join(f"- {line}" if markdown else line for line in missing) + "\n")
    return "\n".join(parts)
