# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns the measurements into tables, as text or as Markdown, with each target next to its figure."""
import load
from compare import Pairs
from spread import differences, ratios

# By how much an operation may take longer, as a share of itself: nanoseconds hold only for one machine.
MORE = {("pipe", "job"): 0.05, ("pipe", "outside"): 0.01, ("tcp", "job"): 0.05, ("tcp", "outside"): 0.02,
        ("spawn", "job"): 0.01, ("spawn", "outside"): 0.01}
LIFE = 0.01  # of a process' life: the cost of all programs, less empty ones
QUANTUM = 0.01  # the same for the slowest quantum in ten thousand
JOBS = 0.05  # more time for an array of tasks
JOB_MS = 4  # of CPU time for each
STRETCH_US = 100  # the longest time for which stintd may have a processor
EMPTIES = "empty programs"
SHARE = 0.01
MEMORY_BYTES = 24 << 20
REPORT_S = 0.01
WIDE_S = 5  # for a job on a thousand nodes
WIDE_BYTES = 256 << 20
WIDE_OPERATIONS = 4  # on the job's directory, for each node
WIDE_JOB_OPERATIONS = 40  # and for the job, including the operations of nodes that wait
MEASURABLE = 0.01  # of a ratio: the least cost that counts as one
UNSURE = 0.03  # of a ratio: an interval that goes beyond it says nothing about small costs

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
    """@good: whether the target is reached; None if the run does not show it."""
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
    """Whether no cost is measurable; None if a cost may be hidden in the spread."""
    spread = ratios(pairs)
    if spread.low > 1 and spread.median >= 1 + MEASURABLE:
        return False
    return True if spread.high < 1 + UNSURE else None


def costs_at_most(pairs, more):
    """Whether it takes at most @more longer, as a share; None if the spread hides it."""
    spread = ratios(pairs)
    if spread.low > 1 + more:
        return False
    return True if spread.high <= 1 + more else None


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
            # Runs of a program only at the workload's own start and end say nothing about an operation.
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


def more_text(pairs):
    spread = ratios(pairs)
    low, median, high = (100 * (value - 1) for value in (spread.low, spread.median, spread.high))
    return f"{median:+.1f} % ({low:+.1f} to {high:+.1f})"


def ratio_rows(data):
    """How much longer an operation takes with stint, and with programs that do nothing on the same hooks."""
    stint, empties = (Pairs.from_json(data["pairs"][name]).pairs if name in data.get("pairs", {}) else {}
                      for name in ("stint", EMPTIES))
    for one in data.get("workloads", ()):
        for where, text in WHERE.items():
            values, empty = stint.get((one["name"], where)), empties.get((one["name"], "outside"))
            more = MORE.get((one["name"], where))
            if not values or more is None:
                continue
            beside = f"; empty programs {more_text(empty)}" if empty else ""
            yield (f"{one['title']}, {text}", more_text(values) + beside, f"{100 * more:+.0f} %",
                   costs_at_most(values, more))
    lives = stint.get(("spawn", "job"))
    if lives and "programs" in data:
        life = sorted(pair[0] for pair in lives)[len(lives) // 2]
        share = data["programs"]["spawn"]["job"]["net_ns"] / life
        yield "all programs, net of empty ones, of a process' life", share_text(share), share_text(LIFE), share <= LIFE


def jitter_rows(figures):
    yield (f"the slowest of 10,000 quanta, {figures['threads']} threads beside", more_text(figures["pairs"]),
           f"{100 * QUANTUM:+.0f} %", costs_at_most(figures["pairs"], QUANTUM))
    stretch = f"stintd at a stretch on a processor, {figures['threads']} threads"
    yield (f"{stretch}: mean", f"{figures['mean_us']:.0f} us", f"{STRETCH_US} us", figures["mean_us"] <= STRETCH_US)
    if "most_us" in figures:
        yield (f"{stretch}: 99 % of {figures['stretches']} (the longest)",
               f"{figures['most_us']:.0f} us ({figures['longest_us']:.0f} us)", f"{STRETCH_US} us",
               figures["most_us"] <= STRETCH_US)


def jobs_rows(figures):
    for plugin, one in figures["plugins"].items():
        what = f"an array of {figures['tasks']} tasks that do nothing, two nodes, {plugin}"
        yield what, more_text(one["pairs"]), f"{100 * JOBS:+.0f} %", costs_at_most(one["pairs"], JOBS)
        yield (f"{what}: CPU time of a job, stintd and its writers", f"{one['cpu_ms']:.1f} ms", f"{JOB_MS} ms",
               one["cpu_ms"] <= JOB_MS)


def wide_rows(figures):
    what, leading, other = f"a job on {figures['nodes']} nodes", figures["leading"], figures["other"]
    yield (f"{what}, the leading node: time, and CPU time", f"{leading['wall_s']:.1f} s, {leading['cpu_s']:.1f} s",
           f"{WIDE_S} s", leading["wall_s"] <= WIDE_S)
    yield (f"{what}, the leading node: memory", size_text(leading["memory_bytes"]), size_text(WIDE_BYTES),
           leading["memory_bytes"] <= WIDE_BYTES)
    yield f"{what}: questions to slurmctld", str(figures["questions"]), "1", figures["questions"] == 1
    for name, when in ("in_time", "all parts are there"), ("late", "they come while it waits"):
        if name not in leading:
            continue
        parts, rest = leading[name]["parts"], leading[name]["all"] - leading[name]["parts"]
        most = WIDE_OPERATIONS * (figures["nodes"] - 1)
        yield (f"{what}, the leading node: operations, {when}", f"{parts / (figures['nodes'] - 1):.2f} a node, {rest} a job",
               f"{WIDE_OPERATIONS} a node, {WIDE_JOB_OPERATIONS} a job", parts + rest <= most + WIDE_JOB_OPERATIONS)
    if "named" in other:
        yield (f"{what}, another node: operations on the directory, and on its part",
               f"{other['named']}, {other['all'] - other['named']}", str(WIDE_OPERATIONS),
               other["named"] <= WIDE_OPERATIONS)


def target_rows(data):
    """(what, figure, target, whether it is reached)"""
    figures = data.get("stintd")
    yield from ratio_rows(data)
    if "jobs" in data:
        yield from jobs_rows(data["jobs"])
    if "jitter" in data:
        yield from jitter_rows(data["jitter"])
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
    if "wide" in data:
        yield from wide_rows(data["wide"])
    if "report" in data:
        median = data["report"]["usual"]["median_s"]
        yield "stint report of a usual job", time_text(1e9 * median), time_text(1e9 * REPORT_S), median < REPORT_S


def target_table(data):
    table = Table("Targets", "The targets in this run. The sections above give the reasons.", ["what", "figure", "target", ""])
    for what, figure, target, good in target_rows(data):
        table.add(what, figure, target, verdict(good))
    return table


def place_of(subject):
    """In the order of the columns: stint, stint's other options, the rivals."""
    return not subject.startswith("stint"), subject != EMPTIES, subject


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
