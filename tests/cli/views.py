# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests that a number has one value, and a sentence the same words, in all views of a report: page, --all, --seff, --table, CSV, timeline,
HTML, trace, and a comparison of the report with itself.

The test reads each view like a person or a program, and compares each number in it with the report's own field, as exactly as the view
shows it. The reports are in tests/data, of made-up jobs and of real ones (data/views).

reports_views          all of them reports_views FILE...  only these reports: tests/system passes the reports of real jobs

Run in the build directory, with srcdir set to the source where that is another; $STINT is the command.
"""
import base64
import csv
import gzip
import html
import html.parser
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import traceback

SOURCE = pathlib.Path(os.environ.get("srcdir", pathlib.Path(__file__).resolve().parent.parent.parent))
STINT = os.environ.get("STINT", "reports/stint")
DATA = SOURCE / "tests/data"
WIDE = "--width=400"  # no column is left out for lack of room
SIZES = {"": 0, "B": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6, "KiB": 1, "MiB": 2, "GiB": 3, "TiB": 4, "PiB": 5, "EiB": 6,
         "KB": 1, "MB": 2, "GB": 3, "TB": 4}
STATES = {
    "on a CPU": "on_cpu_s", "waiting for a CPU": "runnable_s", "memory stall": "memory_stall_s",
    "page-fault I/O": "fault_io_s", "file I/O": "file_io_s", "GPU": "gpu_s", "network": "network_s", "pipe, terminal": "pipe_s",
    "lock": "lock_s", "another thread, timer": "condition_s", "child process": "child_s", "event (poll)": "event_s", "sleep": "sleep_s",
    "other": "other_s",
}
HTML_STATES = {
    "on a CPU": ["on_cpu_s"], "waiting for a CPU": ["runnable_s"], "memory": ["memory_stall_s", "fault_io_s"],
    "file I/O": ["file_io_s"], "GPU": ["gpu_s"], "network": ["network_s"], "locks": ["lock_s"], "pipes, terminal": ["pipe_s"],
    "threads, event, sleep": ["condition_s", "event_s", "sleep_s"], "other": ["other_s"],
}


class Differs(AssertionError):
    pass


def stint(*arguments):
    env = {**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC0"}
    done = subprocess.run([STINT, *arguments], env=env, capture_output=True, check=False)
    if done.returncode:
        raise Differs(f"stint {' '.join(arguments)}: {done.stderr.decode()}")
    return done.stdout.decode()


# ---- numbers as people read them ----

def shown(text):
    """Returns a text's number, and by how much the number before rounding may differ. None: not known."""
    text = text.strip()
    if text in ("-", "not known", ""):
        return None
    if found := re.fullmatch(r"(?:(\d+)-)?(\d\d+):(\d\d):(\d\d)", text):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return 86400 * days + 3600 * hours + 60 * minutes + seconds, 0.5
    if found := re.fullmatch(r"(-?\d+(?:\.(\d+))?) ?(%|s|B|[KMGTPE](?:i?B)?|)", text):
        number, decimals, unit = float(found[1]), len(found[2] or ""), found[3]
        scale = 0.01 if unit == "%" else 1 if unit == "s" else 1024 ** SIZES[unit]
        return number * scale, 0.5 * 10 ** -decimals * scale
    raise Differs(f"no number: {text!r}")


def without_made_up_times(one):
    """A time that 63 bits of nanoseconds do not hold, 292 years, is not known."""
    return {name: value for name, value in one.items()
            if not (name.endswith("_s") and isinstance(value, (int, float)) and value >= 2**63 / 1e9)}


def check(what, text, expected, slack=0.0):
    """@expected: the report's number; None: it has none."""
    got = shown(text)
    if got is None or expected is None:
        if got is not None or expected is not None:
            raise Differs(f"{what}: shown {text!r}, where the report has {expected}")
        return
    value, unsure = got
    if not math.isclose(value, expected, rel_tol=1e-9, abs_tol=unsure * 1.0001 + slack):
        raise Differs(f"{what}: shown {text!r}, where the report has {expected}")


def exact(what, got, expected, slack=0.0):
    same = got == expected
    if isinstance(got, (int, float)) and isinstance(expected, (int, float)):
        same = math.isclose(got, expected, rel_tol=1e-9, abs_tol=slack)
    if not same:
        raise Differs(f"{what}: {got!r}, where {expected!r} is expected")


def find(report, path):
    for name in path.split("."):
        report = report.get(name) if isinstance(report, dict) else None
    return report


def memory_peak(report, node=None):
    """Returns the memory used; the limit if the kernel killed a process there, and whether that is so."""
    sampled = find(node or report, "used.memory_used_peak_bytes")
    limits = [victim["limit_bytes"] for victim in report.get("oom", [])
              if "limit_bytes" in victim and not victim.get("node_ran_out") and (not node or victim["node"] == node["name"])]
    reached = sampled is not None and bool(limits) and max(limits) >= sampled
    return max(limits) if reached else sampled, reached


def memory_share(report):
    share, (peak, reached) = find(report, "used.memory_efficiency"), memory_peak(report)
    sampled = find(report, "used.memory_used_peak_bytes")
    return share * peak / sampled if reached and share and sampled else share


def users(report):
    return [tool for tool in report["tools"] if not tool.get("slurm")]


def steps(report):
    return [step for step in report["steps"] if step["id"] != "extern"]


def peak_field(report):
    """Returns one field for all tools of a report, because its column has one head."""
    return "used_peak_bytes" if any("used_peak_bytes" in tool for tool in users(report)) else "peak_bytes"


def is_failure(entry):
    return not entry.get("forked") and not entry.get("dismissed")


def escaped(text):
    """Returns a name in stint's form: controls as \\xNN."""
    out = ""
    for c in text:
        if c == "\\" or ord(c) < 32 or 0x7f <= ord(c) < 0xa0:
            out += "".join(f"\\x{byte:02x}" for byte in c.encode()) if c != "\\" else "\\"
        else:
            out += c
    return out


# ---- tables of text ----

def table(text, head):
    """Returns the rows of the table under the line that begins with @head, by the heads of their columns.

    Columns end or begin where their heads do; two spaces are between them."""
    lines = text.split("\n")
    at = next((i for i, line in enumerate(lines) if line.startswith(head + "  ")), None)
    if at is None:
        return None
    heads = [(found.group(), found.start(), found.end()) for found in re.finditer(r"\S+(?: \S+)*", lines[at])]
    rows = []
    for line in lines[at + 1:]:
        if not line.startswith("  "):
            break
        cells = {}
        bounds = [end for _, _, end in heads]
        # The first column ends where the second one's cell begins.
        name_end = bounds[1] - len(heads[1][0]) if len(heads) > 1 else len(line)
        found = [(one.group(), one.start(), one.end()) for one in re.finditer(r"\S+(?: \S+)*", line)]
        name = [one for one in found if one[2] <= name_end]
        cells[heads[0][0]] = "  ".join(one[0] for one in name)
        for one in found[len(name):]:
            column = min(heads[1:], key=lambda head: min(abs(head[2] - one[2]), abs(head[1] - one[1])))
            if column[0] in cells:
                raise Differs(f"{line!r}: two cells under {column[0]}")
            cells[column[0]] = one[0]
        rows.append(cells)
    return rows


def line_of(text, label):
    found = re.search(rf"^{re.escape(label)}: (.*(?:\n {{{len(label) + 2}}}\S.*)*)$", text, re.M)
    return re.sub(r"\s+", " ", found[1]) if found else None


# ---- the page ----

SIZE = r"([\d.]+ (?:B|[KMGTPE]iB)|not known)"


def same_rows(what, rows, expected, columns):
    """@columns: head -> field."""
    if rows is None and not expected:
        return
    if rows is None:
        raise Differs(f"{what}: no such table")
    if len(rows) != len(expected):
        raise Differs(f"{what}: {len(rows)} rows, where the report has {len(expected)}")
    for row, one in zip(rows, expected):
        for head, field in columns.items():
            if head in row or find(one, field) is not None:
                check(f"{what}, {list(row.values())[0]}, {head}", row.get(head, "-"), find(one, field))


def page_head(report, text):
    used = report["used"]
    check("CPU Utilized", line_of(text, "CPU Utilized"), used.get("cpu_s"))
    check("Job Wall-clock time", line_of(text, "Job Wall-clock time"), find(report, "job.elapsed_s"))
    check("Memory Utilized", line_of(text, "Memory Utilized").removesuffix(" or more"), memory_peak(report)[0])
    exact("Memory Utilized, or more", line_of(text, "Memory Utilized").endswith(" or more"), memory_peak(report)[1])
    check("CPU Efficiency", line_of(text, "CPU Efficiency").split(" of ")[0], used.get("cpu_efficiency"))
    check("Memory Efficiency", line_of(text, "Memory Efficiency").split(" of ")[0], memory_share(report), 2e-6)


def page_summary(report, text, everything):
    used = report["used"]
    peaks = re.fullmatch(rf"{SIZE}( or more)? \({SIZE} with file cache\)(?:, on one node)?",
                         line_of(text, "Memory peak"))
    check("Memory peak, used", peaks[1], memory_peak(report)[0])
    assert bool(peaks[2]) == ("memory_used_peak_upper_bytes" in used or memory_peak(report)[1]), peaks[0]
    check("Memory peak, charged", peaks[3], used.get("memory_charged_peak_bytes"))
    for label, word, other, fields in (
            ("Storage", "read", "written", ("read_bytes", "write_bytes")),
            ("System calls", "read", "written", ("syscall_read_bytes", "syscall_write_bytes")),
            ("Sockets", "received", "sent", ("socket_rx_bytes", "socket_tx_bytes"))):
        line = line_of(text, label)
        if line is None:
            if everything and any(field in used for field in fields):
                raise Differs(f"{label}: no such line")
            continue
        found = re.match(rf"{SIZE} {word}, {SIZE} {other}", line)
        check(f"{label}, {word}", found[1], used.get(fields[0]))
        check(f"{label}, {other}", found[2], used.get(fields[1]))
        if field := used.get("cancelled_write_bytes") if label == "Storage" else None:
            check("Storage, cancelled", re.search(rf"of which {SIZE} ", line)[1], field)
    found = re.fullmatch(r"(\d+|not known)(?:, (\d+) threads? at most at once)?", line_of(text, "Processes"))
    check("Processes", found[1], used.get("processes"))
    check("Threads", found[2] or "-", used.get("threads_peak"))
    if found := re.match(r"([\d.]+) of", line_of(text, "Cores used") or line_of(text, "CPUs used") or ""):
        check("Cores used", found[1], used["cores_busy"])


LAUNCHERS = ("srun", "mpirun", "mpiexec", "mpiexec.hydra", "orterun", "orted", "prterun", "prted", "prun", "hydra_pmi_proxy",
             "hydra_bstrap_proxy", "pmi_proxy")


def states_of_work(report):
    """Without launchers, the programs that start the tasks and wait for them."""
    states = {name: value for name, value in report.get("states", {}).items() if isinstance(value, (int, float))}
    for tool in report["tools"]:
        if tool["name"] in LAUNCHERS:
            for name, value in (tool.get("states") or {}).items():
                if name in states:
                    states[name] = max(0, states[name] - value)
    return states


def job_wait(report, states, part, field):
    """How long any thread waited, or all did: no longer than all together, without the waits that STATES leaves out."""
    seconds, own = find(report, f"states.{part}.{field}"), states.get(field)
    launched = any(tool["name"] in LAUNCHERS for tool in report["tools"])
    return min(seconds, own) if launched and seconds is not None and own is not None else seconds


def page_states(report, text, everything):
    states = states_of_work(report)
    head = "Time on all nodes" if len(report["nodes"]) > 1 else "Where the threads' time went"
    for row in table(text, head) or []:
        name = row[head]
        if name not in STATES:  # a part of the row above
            if everything:
                check(name, row["Thread time"], states.get({"of it, by a CPU quota": "throttled_s"}[name]))
            continue
        field = STATES[name]
        if field == "child_s":  # it is the children's time again
            exact(f"{name}, share", row["Share"], "-")
            exact(f"{name} is on the page", everything, True)
        else:
            whole = sum(states.get(other, 0) for other in STATES.values() if other != "child_s")
            exact(f"{name}, share", row["Share"], f"{100 * states[field] / whole:.1f}%" if field in states else "-")
        if everything:
            check(f"{name}, thread time", row["Thread time"], states.get(field))
        if field not in ("on_cpu_s", "runnable_s"):
            if everything:
                check(f"{name}, any waiting", row.get("Any waiting", "-"), job_wait(report, states, "some", field))
            check(f"{name}, all waiting", row.get("All waiting", "-"), job_wait(report, states, "full", field))


def page_tools(report, text, everything):
    tools, field = users(report), peak_field(report)
    head = "Peak" if field == "used_peak_bytes" else "Resident"
    columns = {"Runs": "runs", "Fail": "failures", head: field, "Read": "read_bytes", "Write": "write_bytes",
               "Wall": "wall_s", "CPU": "cpu_s"}
    if everything:
        columns["Resident"] = "peak_bytes"
    rows = table(text, "Tools")
    if not everything:  # some of them, in the report's order
        del columns["Wall"], columns["Read"], columns["Write"]
        names = [re.sub(r" \((?:by [^()]*|CPU with \d+ forks?|\d+ running)\)$", "", row["Tools"]) for row in rows or []]
        tools = [tool for tool in tools if escaped(tool["name"]) in names]
        if len(tools) != len(names):  # several tools with one name: it is not known which
            return
    same_rows("Tools", rows, tools, columns)
    for row, tool in zip(rows or [], tools):
        if report["used"].get("cpu_s") and tool.get("cpu_s") is not None:
            check(f"share of {row['Tools']}", row["Share"], min(1, tool["cpu_s"] / report["used"]["cpu_s"]))


def page(report, path):
    everything = stint("report", "--all", WIDE, path)
    screen = stint("report", WIDE, path)
    for text, is_all in ((everything, True), (screen, False)):
        page_head(report, text)
        page_summary(report, text, is_all)
        page_states(report, text, is_all)
        page_tools(report, text, is_all)
    same_rows("Steps", table(everything, "Steps"), steps(report), {
        "Tasks": "task_count", "Wall": "elapsed_s", "CPU": "cpu_s", "Processes": "processes",
        "Read": "read_bytes", "Write": "write_bytes"})
    for row, step in zip(table(everything, "Steps") or [], steps(report)):
        exact(f"step {row['Steps']}, at least", "≥" in row["Peak"], step.get("memory_used_peak_at_least", False))
        check(f"step {row['Steps']}, peak", row["Peak"].removeprefix("≥"), step.get("memory_used_peak_bytes"))
    if len(report["nodes"]) > 1:
        same_rows("Nodes", table(everything, "Nodes"), report["nodes"], {
            "CPUs": "allocated.cpus", "Processes": "used.processes", "Peak": "used.memory_used_peak_bytes",
            "Charged": "used.memory_charged_peak_bytes", "Read": "used.read_bytes", "Write": "used.write_bytes",
            "CPU": "used.cpu_s"})
    same_rows("Killed", table(everything, "Killed, out of memory"), report.get("oom", []), {
        "PID": "pid", "Used": "used_bytes", "Resident": "rss_bytes", "Limit": "limit_bytes"})


def times_of_seff(report, text, view):
    used = report["used"]
    for label, expected in (("CPU Utilized", used.get("cpu_s")), ("Job Wall-clock time", find(report, "job.elapsed_s"))):
        check(f"{view}, {label}", line_of(text, label) or "-", expected)


def seff(report, path):
    text = stint("report", "--seff", path)
    times_of_seff(report, text, "seff")
    peaks = [memory_peak(report, node)[0] for node in report["nodes"]]
    if len(peaks) == 1:  # for several, seff's line is a sum of peaks, which no other view has
        check("seff, Memory Utilized", line_of(text, "Memory Utilized") or "-", memory_peak(report)[0])
    elif None not in peaks and line_of(text, "Memory Utilized"):
        check("seff, Memory Utilized", line_of(text, "Memory Utilized"), sum(peaks))


# ---- the table ----

ROW_FIELDS = {
    "elapsed_s": "job.elapsed_s", "time_limit_s": "requested.time_limit_s", "nodes": "requested.nodes",
    "cpus": "allocated.cpus", "cpu_s": "used.cpu_s", "cpu_efficiency": "used.cpu_efficiency",
    "memory_requested_bytes": "requested.memory_bytes", "memory_used_peak_bytes": "used.memory_used_peak_bytes",
    "memory_efficiency": "used.memory_efficiency", "gpus": "allocated.gpus", "gpu_hours": "allocated.gpu_hours", "exit_code": "job.exit_code", "signal": "job.signal",
}


def rows_of_jobs(report, path):
    row, = json.loads(stint("report", "--table", "--json", path))
    line, = csv.DictReader(io.StringIO(stint("report", "--csv", path)))
    for name, field in ROW_FIELDS.items():
        exact(f"--table --json, {name}", row[name], find(report, field), 1e-6)
        number = find(report, field)
        exact(f"--csv, {name}", float(line[name]) if line[name] else None, number if number is None else float(number), 1e-6)
    cells = table_line(stint("report", "--table", WIDE, path))
    used = report["used"]
    check("--table, Elapsed", cells["Elapsed"], find(report, "job.elapsed_s"))
    check("--table, CPUEff", cells["CPUEff"], used.get("cpu_efficiency"))
    check("--table, MemEff", cells["MemEff"].removesuffix("+"), used.get("memory_efficiency"))
    check("--table, Peak", cells["Peak"].removesuffix("+"), used.get("memory_used_peak_bytes"))
    killed = any(finding["code"] == "oom-kill" for finding in report["findings"])
    for head, field in ("MemEff", "memory_efficiency"), ("Peak", "memory_used_peak_bytes"):
        exact(f"--table, {head}, or more", cells[head].endswith("+"), killed and used.get(field) is not None)


def table_line(text):
    """Returns the one job of --table: heads are one word, cells one word or a number with its unit."""
    head, line = text.split("\n")[:2]
    cells = {}
    for name, end in ((found.group(), found.end()) for found in re.finditer(r"\S+", head)):
        if name in ("Elapsed", "TimeEff", "CPUEff", "MemEff", "Peak"):
            cells[name] = re.search(r"(\S+(?: s)?)$", line[:end])[1]
    return cells


# ---- the timeline ----

def entry_sums(report, key, node=None):
    """Adds up the report's timeline by @key: runs, failures, CPU seconds; a fork is no run."""
    sums = {}
    for entry in report["timeline"]:
        if node is not None and entry["node"] != node:
            continue
        one = sums.setdefault(key(entry), [0, 0, 0.0])
        one[0] += 0 if entry.get("forked") else entry.get("count", 1)
        one[1] += entry.get("failures", 0) if is_failure(entry) else 0
        one[2] += entry.get("cpu_s", 0)
    return sums


def timeline_rows(text):
    """Returns the rows below the axis: label, runs, failed, CPU; by node."""
    found, node, columns = {}, None, None
    for line in text.split("\n"):
        if re.match(r"  (?:Tool|Step|Process) +┼", line):
            columns = "Failed" in line
        elif columns is not None and re.fullmatch(r"\S+", line):
            node = line
        elif columns is not None and (row := re.fullmatch(
                r"  (\S+(?: \S+)*) +[ ▁▂▃▄▅▆▇█░▒×▶┊]* +(\d+)( +\d+)? +(\d+) +(\S+(?: s)?|-)", line)):
            found.setdefault(node, []).append((row[1], row[2], (row[3] or "0").strip(), row[5]))
    return found


def label_of(name, interpreter):
    return escaped(f"{name} ({interpreter})" if interpreter else name)


def check_timeline_row(what, row, wanted):
    check(f"timeline, {what}, runs", row[1], wanted[0])
    check(f"timeline, {what}, failed", row[2], wanted[1])
    check(f"timeline, {what}, CPU", row[3], wanted[2], 1e-6)


def timeline(report, path):
    if not report["timeline"]:
        return
    several = len(report["nodes"]) > 1
    tools = {}
    for tool in report["tools"]:
        one = tools.setdefault((label_of(tool["name"], tool.get("interpreter")), bool(tool.get("slurm"))), [0, 0, 0.0])
        for i, field in enumerate(("runs", "failures", "cpu_s")):
            one[i] += tool.get(field, 0)
    for node, rows in timeline_rows(stint("timeline", "--all", WIDE, path)).items():
        sums = entry_sums(report, lambda one: label_of(one["tool"], one.get("interpreter")), node)
        if not rows or len({row[0] for row in rows}) < len(set(sums)):
            raise Differs(f"timeline: rows {[row[0] for row in rows]}, where the report has {list(sums)}")
        for row in rows:
            wanted = [sums[row[0]]] if several else [one for (label, _), one in tools.items() if label == row[0]]
            if len(wanted) == 1:
                check_timeline_row(row[0], row, wanted[0])
    for node, rows in timeline_rows(stint("timeline", "--all", "--by=step", WIDE, path)).items():
        sums = entry_sums(report, lambda one: one.get("step", "(step not known)"), node)
        known = {step["id"]: step.get("cpu_s") for step in report["steps"]}
        for row in rows:
            wanted = sums[row[0]]
            if not several and known.get(row[0]) is not None:
                wanted = [*wanted[:2], known[row[0]]]
            check_timeline_row(f"step {row[0]}", row, wanted)
    timeline_peak(report, path)


def timeline_peak(report, path):
    """Checks that the memory row ends with the node's peak, or with the highest sample if no peak is known."""
    nodes = {node["name"]: find(node, "used.memory_used_peak_bytes") for node in report["nodes"]}
    text = stint("timeline", "--all", WIDE, path)
    for found, series in zip(re.findall(r"^  memory used .* (?:max|peak) (\S+)(?: of \S+)?$", text, re.M),
                             [one for one in report["series"] if any(
                                 value is not None for value in one["columns"].get("memory_used_bytes", []))]):
        highest = max(value for value in series["columns"]["memory_used_bytes"] if value is not None)
        check("timeline, memory used", found, max(highest, nodes.get(series["node"]) or 0))


# ---- the trace ----

def trace(report, path):
    events = json.loads(stint("timeline", "--trace=-", path))["traceEvents"]
    runs = [event for event in events if event["ph"] == "X"]
    exact("trace, entries", len(runs), len(report["timeline"]))
    sums = {}
    for event in runs:
        args = event["args"]
        one = sums.setdefault(event["name"], [0, 0, 0.0])
        one[0] += 0 if args.get("forked") else args.get("count", 1)
        one[1] += args.get("failures", 0)
        one[2] += args.get("cpu_s", 0)
    for name, wanted in entry_sums(report, lambda one: one["tool"]).items():
        for i, word in enumerate(("runs", "failures", "CPU")):
            exact(f"trace, {name}, {word}", sums[name][i], wanted[i], 1e-6)
    kills = [event["args"] for event in events if event.get("cat") == "oom"]
    for kill, victim in zip(kills, [one for one in report.get("oom", []) if one.get("time")]):
        for field in ("pid", "used_bytes", "rss_bytes", "limit_bytes"):
            exact(f"trace, killed, {field}", kill.get(field), victim.get(field))


# ---- the page for a browser ----

class Page(html.parser.HTMLParser):
    """Collects the page's tables by id: rows of (text, data-v) by the columns' heads; its figures by label; its legend of states."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.figures, self.legend = {}, {}, []
        self.table = self.cell = self.item = None
        self.path = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in ("meta", "link", "input", "br", "rect"):
            self.path.append((tag, attrs.get("class") or ""))
        if tag == "table":
            self.table = self.tables.setdefault(attrs.get("id"), {"heads": [], "rows": []})
        elif tag == "tr" and self.table is not None and ("tbody", "") in self.path:
            self.table["rows"].append([])
        elif tag in ("td", "th"):
            self.cell = ["", attrs.get("data-v"), (attrs.get("class") or "").split()]
        elif tag == "div" and attrs.get("class") == "figure":
            self.item = ["", "", ""]
        elif tag == "li" and ("ul", "legend") in self.path:
            self.legend.append("")

    def handle_endtag(self, tag):
        if tag not in [one for one, _ in self.path]:
            return
        while self.path.pop()[0] != tag:
            pass
        if tag in ("td", "th") and self.table is not None and self.cell is not None:
            if ("tbody", "") in self.path:
                self.table["rows"][-1].append(self.cell)
            else:
                self.table["heads"].append(self.cell[0])
            self.cell = None
        elif tag == "table":
            self.table = None
        elif tag == "div" and self.item is not None and not any(one == ("div", "figure") for one in self.path):
            self.figures[self.item[0]] = self.item
            self.item = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell[0] += data
        tags = [tag for tag, _ in self.path]
        if self.item is not None:
            self.item[0 if "dt" in tags else 1 if ("span", self.path[-1][1]) == self.path[-1] and
                      self.path[-1][1].startswith("value") else 2] += data
        if self.legend and ("ul", "legend") in self.path and "li" in tags:
            self.legend[-1] += data

    def rows(self, name):
        found = self.tables.get(name)
        return [dict(zip(found["heads"], row)) for row in found["rows"]] if found else []


def unpacked(text):
    packed = re.search(r'id="data">([^<]*)<', text)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed, validate=True)))


def html_cell(what, cell, expected):
    check(what, cell[0].removeprefix("at least "), expected)
    if cell[1] is not None and expected is not None:
        exact(f"{what}, sorted by", float(cell[1]), float(expected), 1e-6 * abs(expected))


# columns that are left out if no row has more than 0
RARE = ("File waits", "GPU waits", "Network waits", "Lock waits", "Slowed by heat", "Slowed by power limit")


def html_rows(what, rows, expected, columns):
    if len(rows) != min(len(expected), 300):
        raise Differs(f"HTML, {what}: {len(rows)} rows, where the report has {len(expected)}")
    for row, one in zip(rows, expected):
        for head, field in columns.items():
            if head not in RARE or head in row:
                html_cell(f"HTML, {what}, {list(row.values())[0][0]}, {head}", row[head], find(one, field))
            elif any((find(each, field) or 0) > 0 for each in expected):
                raise Differs(f"HTML, {what}: no column {head}, where the report has some")


def html_gpu(row, one):
    """A number of a GPU that is not known has its reason; a busy share that was sampled says how much of the time was."""
    what, reasons = f"HTML, GPU {one['uuid']}", {gap["name"]: gap["reason"] for gap in one.get("absent", [])}
    exact(f"{what}, node", row["Node"][0], one["node"])
    exact(f"{what}, number", row["Number"][0], "/".join(str(one[name]) for name in ("minor", "gpu_instance") if name in one))
    said = {head: row[head][0] for head in ("Busy", "SMs", "Peak memory", "Energy", "Errors")}
    for head, field in {"Busy": "busy_share", "SMs": "sm_share", "Peak memory": "job_memory_peak_bytes", "Energy": "energy_j",
                        "Errors": "xid_errors"}.items():
        if field not in one:
            exact(f"{what}, {head}", said[head], "-" + reasons.get(field, ""))
        else:
            exact(f"{what}, {head}, sorted by", float(row[head][1]), float(one[field]), 1e-6 * max(1, one[field]))
    if "busy_share" in one:
        found = re.fullmatch(r"([\d.]+ %)(?:sampled, (?:less than )?([\d.]+ %) coverage)?", said["Busy"])
        check(f"{what}, busy", found[1], one["busy_share"])
        exact(f"{what}, sampled", found[2] is not None, one["busy_source"] == "samples")
        if found[2] and "less" not in said["Busy"]:
            check(f"{what}, coverage", found[2], one["busy_covered_s"] / one["busy_known_s"])
    if "sm_share" in one:
        check(f"{what}, SMs", said["SMs"], one["sm_share"])
    if "job_memory_peak_bytes" in one:
        peak, total = said["Peak memory"].split("of ")
        check(f"{what}, peak", peak, one["job_memory_peak_bytes"])
        check(f"{what}, total", total, one["memory_total_bytes"])
    if "energy_j" in one:
        number, unit = said["Energy"].split()
        exact(f"{what}, energy", float(number), one["energy_j"] / {"J": 1, "Wh": 3600, "kWh": 3.6e6}[unit], 0.5 if unit != "kWh" else 0.05)
    if "xid_errors" in one:
        exact(f"{what}, errors", said["Errors"], str(one["xid_errors"]) + "".join(
            f"XID {each['xid']}: {each['count']}" for each in one.get("xids", [])))
        exact(f"{what}, errors are red", "bad" in row["Errors"][2], one["xid_errors"] > 0)


def gpu_bar(report):
    """Returns what the bar of the GPUs must say; None if nothing is known."""
    count, elapsed = find(report, "allocated.gpus"), find(report, "job.elapsed_s")
    own = not any(one["kind"] != "gpu" for one in find(report, "allocated.gpus_allocated") or [])
    known = [(one["busy_share"], min(one["busy_known_s"], elapsed)) for one in report.get("gpus", []) if "busy_share" in one]
    whole = sum(seconds for _, seconds in known)
    if not count or not own or len(report["gpus"]) > count or not whole:
        return None
    share = sum(share * seconds for share, seconds in known) / whole
    part = whole / (count * elapsed)
    return f"{100 * share:.0f} % of {count} GPU{'s' if count > 1 else ''}" + (f" ({100 * part:.0f} % known)" if part < 0.95 else "")


def bars_of_gpus(report, path):
    page = re.search(r"^GPU  +(\d+ % of .*?)(?:  .*)?$", stint("report", WIDE, path), re.M)
    page_html = re.search(r'<dt>GPU</dt><dd><span class="share-of"><b>(\d+ %)</b>( of .*?)</span>', stint("report", "--html=-", path))
    exact("the bar of GPUs", page and page[1], gpu_bar(report))
    exact("HTML, the bar of GPUs", page_html and page_html[1] + page_html[2], gpu_bar(report))


def html_gpus(report, found):
    gpus, allocated = report.get("gpus", []), find(report, "allocated.gpus_allocated") or []
    html_rows("GPUs", found.rows("gpus"), gpus, {"Slowed by heat": "throttled_heat_s", "Slowed by power limit": "throttled_power_s"})
    for row, one in zip(found.rows("gpus"), gpus):
        html_gpu(row, one)
    html_rows("GPUs allocated", found.rows("gpus-allocated"), allocated, {"Count": "count"})
    for row, one in zip(found.rows("gpus-allocated"), allocated):
        exact("HTML, GPUs allocated", [cell[0] for cell in row.values()],
              [one.get("node", "-"), one["kind"], one.get("type", "-"), str(one["count"]),
               ", ".join(str(index) for index in one.get("indexes", [])) or "-"])


def html_figures(report, found):
    used = report["used"]
    memory = found["Memory, with cache"]
    check("HTML, with cache", memory[1], used.get("memory_charged_peak_bytes"))
    if upper := re.search(rf"at most {SIZE}", memory[2]):
        check("HTML, memory at most", upper[1], used.get("memory_used_peak_upper_bytes"))
    elif used.get("memory_used_peak_upper_bytes"):
        raise Differs("HTML, memory: at most how much is not known")
    check("HTML, processes", found["Processes"][1], used.get("processes"))
    if threads := re.match(r"(\d+) threads", found["Processes"][2]):
        check("HTML, threads", threads[1], used["threads_peak"])
    for label, word, fields in (("Storage", "written", ("read_bytes", "write_bytes")),
                                ("Sockets", "sent", ("socket_rx_bytes", "socket_tx_bytes"))):
        check(f"HTML, {label}", found[label][1], used.get(fields[0]))
        check(f"HTML, {label}, {word}", re.search(rf"{SIZE} {word}", found[label][2])[1], used.get(fields[1]))
        if label == "Storage" and used.get("cancelled_write_bytes"):
            check("HTML, cancelled", re.search(rf"of which {SIZE} ", found[label][2])[1], used["cancelled_write_bytes"])


def html_states(report, legend):
    states = states_of_work(report)
    for item in legend:
        found = re.fullmatch(r"(.*) ([\d.]+ %) (\S+(?: s)?)(?:, of it (\S+(?: s)?) by a CPU quota)?", item)
        if not found:
            raise Differs(f"HTML: {item!r}")
        fields = HTML_STATES[found[1]]
        check(f"HTML, {found[1]}", found[3], sum(states.get(field, 0) for field in fields))
        if fields == ["runnable_s"] and states.get("throttled_s"):
            check("HTML, by a CPU quota", found[4] or "-", states["throttled_s"])


def html_data(report, data):
    """Checks the picture's entries, which are rounded: each tool's runs, failures and CPU time."""
    lines, sums = data["timeline"], {}
    exact("HTML, entries", lines["all"], len(report["timeline"]))
    for i, tool in enumerate(lines["tool"]):
        one = sums.setdefault(data["tools"][tool], [0, 0, 0.0, 0])
        one[0] += 0 if lines["kind"][i] & 1 else lines["count"][i] or 1
        one[1] += lines["failures"][i] or 0
        one[2] += (lines["cpu"][i] or 0) / 1000
        one[3] += 1
    for name, wanted in entry_sums(report, lambda one: escaped(one["tool"])).items():
        exact(f"HTML's picture, {name}, runs", sums[name][0], wanted[0])
        exact(f"HTML's picture, {name}, failures", sums[name][1], wanted[1])
        exact(f"HTML's picture, {name}, CPU", sums[name][2], wanted[2], 0.006 * wanted[2] + 0.0006 * sums[name][3])


def page_of_html(report, path):
    text = stint("report", "--html=-", path)
    found = Page(text)
    if re.search(r"\d[eE][+-]\d", re.sub(r'<script.*?</script>|<style.*?</style>|data-v="[^"]*"', "", text, flags=re.S)):
        raise Differs("HTML: a number stands as a power of ten")
    lines = "\n".join(f"{label}: {value}" for label, value in re.findall("<dt>([^<]*)</dt> <dd>([^<]*)</dd>", text))
    times_of_seff(report, lines, "HTML")
    check("HTML, Memory Utilized", (line_of(lines, "Memory Utilized") or "-").removesuffix(" or more"), memory_peak(report)[0])
    html_figures(report, found.figures)
    html_states(report, found.legend)
    columns = {"Runs": "runs", "Failed": "failures", "CPU": "cpu_s", "Wall": "wall_s", "Resident peak": "peak_bytes",
               "Read": "read_bytes", "Written": "write_bytes", "File waits": "states.file_io_s",
               "Network waits": "states.network_s", "Lock waits": "states.lock_s"}
    if any("gpu_s" in one.get("states", {}) for one in users(report)):
        columns["GPU waits"] = "states.gpu_s"
    if peak_field(report) == "used_peak_bytes":
        columns["Peak memory"] = "used_peak_bytes"
    html_rows("tools", found.rows("tools"), users(report), columns)
    html_rows("steps", found.rows("steps"), steps(report), {
        "Tasks": "task_count", "Nodes": "nodes", "Wall": "elapsed_s", "CPU": "cpu_s", "Processes": "processes",
        "Peak memory": "memory_used_peak_bytes", "Read": "read_bytes", "Written": "write_bytes"})
    html_rows("nodes", found.rows("nodes"), report["nodes"], {
        "CPUs": "allocated.cpus", "CPU": "used.cpu_s", "Processes": "used.processes",
        "Peak memory": "used.memory_used_peak_bytes", "With cache": "used.memory_charged_peak_bytes",
        "Read": "used.read_bytes", "Written": "used.write_bytes", "Received": "used.socket_rx_bytes",
        "Sent": "used.socket_tx_bytes"})
    html_gpus(report, found)
    html_rows("killed", found.rows("oom"), report.get("oom", []), {
        "PID": "pid", "Used": "used_bytes", "Resident": "rss_bytes", "Limit": "limit_bytes"})
    for row, entry in zip(found.rows("entries"), sorted(report["timeline"], key=lambda one: -one.get("wall_s", 0))):
        bad = "bad" in row["Exit"][2]
        if bad and not is_failure(entry):
            raise Differs(f"HTML: how {entry['tool']} ended stands in red, and is no failure")
    html_data(report, unpacked(text))


# ---- the words of sentences ----

def joined(text):
    return " ".join(text.split())


def words_of_html(text):
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.DOTALL)
    return joined(html.unescape(re.sub(r"<[^>]*>", " ", text)))


def findings_of_page(text, codes):
    """Yields (severity, code, sentence) for each finding of --all, whose evidence begins with its code, one of @codes."""
    found = re.search(r"^Findings\n((?:  .*\n?)*)", text, re.MULTILINE)
    for severity, said in re.findall(r"^  (\w+) +(.*(?:\n {12}.*)*)", found[1], re.MULTILINE) if found else []:
        lines = [line.strip() for line in said.split("\n")]
        at = next((at for at, line in enumerate(lines) if line.split(":")[0] in codes), len(lines))
        yield severity, lines[at].split(":")[0] if at < len(lines) else None, joined(" ".join(lines[:at]))


def words(report, path):
    """The verdict, the lines to paste and the findings are the same words on the page and in HTML, and as many as the report has."""
    text = stint("report", "--all", WIDE, path)
    there = words_of_html(stint("report", "--html=-", path))
    sentences = [joined(one) for one in re.findall(r"^(?:Why|Verdict): (.*(?:\n {5}.*)*)", text, re.MULTILINE)]
    # for a job that failed within a minute, or for memory, that is no news
    failed = report["job"].get("state") in ("FAILED", "OUT_OF_MEMORY")
    untold = failed and (bool(report.get("oom")) or not (find(report, "job.elapsed_s") or 0) >= 60)
    exact("there is a verdict", bool(sentences), bool(find(report, "verdict.bound")) and not untold)
    sentences += re.findall(r"^(?:#SBATCH|export) .*", text, re.MULTILINE)
    findings = list(findings_of_page(text, {one["code"] for one in report.get("findings", [])}))
    exact("findings", [found[:2] for found in findings], [(one["severity"], one["code"]) for one in report.get("findings", [])])
    # HTML shows a finding's advice separately
    sentences += [part for _, _, said in findings for part in re.split(r"\. (?=[A-Z])", said)]
    for sentence in sentences:
        if joined(sentence) not in there:
            raise Differs(f"the page says {sentence!r}, and HTML does not")


# ---- the report with itself ----

def compared(report, path):
    if not isinstance(find(report, "job.elapsed_s"), (int, float)) or not report["complete"]:
        return  # nothing is compared for an incomplete report
    found = json.loads(stint("compare", "--json", path, path))
    for one in found["quantities"]:
        exact(f"compare, {one['name']}", one.get("a"), one.get("b"))
        expected = find(report, one["name"])
        if one["name"].startswith("states.") and one["name"] != "states.runnable_s" and expected is not None:
            expected /= max(len(report["nodes"]), 1)  # for several nodes the mean, with that name
        if expected is not None and one["result"] != "unknown":
            exact(f"compare, {one['name']}", one["a"], expected, 1e-6)


# ---- the report itself ----

def itself(report):
    """Checks what the report's own lists share. If something was lost, or was counted in part, sums do not add up."""
    used, entries = report["used"], entry_sums(report, lambda one: (one["tool"], one.get("interpreter")))
    tools = {}
    for tool in report["tools"]:
        one = tools.setdefault((tool["name"], tool.get("interpreter")), [0, 0, 0.0])
        for i, field in enumerate(("runs", "failures", "cpu_s")):
            one[i] += tool.get(field, 0)
        if used.get("memory_used_peak_bytes") is not None and not tool.get("slurm") and \
                tool.get("used_peak_bytes", 0) > used["memory_used_peak_bytes"]:
            raise Differs(f"{tool['name']}: its peak of {tool['used_peak_bytes']} is above the job's")
        if tool.get("used_peak_bytes", 0) > tool.get("peak_bytes", math.inf):
            raise Differs(f"{tool['name']}: it used more than was resident")
    gaps = {gap["name"] for gap in report["gaps"]}
    if report["complete"] and not gaps & {"timeline", "tools", "job"} and report["mode"] == "timeline" and report["timeline"]:
        for key, wanted in tools.items():
            got = entries.get(key, [0, 0, 0.0])
            exact(f"{key}: runs in the timeline", got[0], wanted[0])
            exact(f"{key}: failures in the timeline", got[1], wanted[1])
            if got[2] > wanted[2] + 1e-6:
                raise Differs(f"{key}: more CPU time in the timeline, {got[2]}, than the tool has, {wanted[2]}")
        whole = sum(one[2] for one in tools.values())
        if used.get("cpu_s") is not None:
            exact("the tools' CPU time and the job's", whole + used.get("cpu_before_s", 0), used["cpu_s"], 0.002 + 1e-3 * used["cpu_s"])


VIEWS = (page, bars_of_gpus, seff, rows_of_jobs, timeline, trace, page_of_html, words, compared)


def reports(arguments):
    if arguments:
        return [pathlib.Path(one) for one in arguments]
    return sorted([*DATA.glob("report-*.json"), *DATA.glob("example/*.json"), *DATA.glob("views/*.json"),
                   *DATA.glob("compare/?.json"), DATA / "timeline/report.json"])


def look_at(path):
    report = json.loads(path.read_text(encoding="utf-8"), object_hook=without_made_up_times)
    for name in ("tools", "timeline", "steps", "nodes", "gaps", "series"):
        report.setdefault(name, [])
    if path.parent.name in ("example", "views") or len(sys.argv) > 1:
        itself(report)
    for view in VIEWS:
        # Names wider than any page move the columns.
        if "names" in path.name and view in (page, timeline, trace):
            continue
        view(report, str(path))


def main():
    paths = reports(sys.argv[1:])
    failed = 0
    print(f"1..{len(paths)}")
    for number, path in enumerate(paths, 1):
        name = f"all views of {path.parent.name}/{path.stem} have the same numbers"
        try:
            look_at(path)
            print(f"ok {number} {name}", flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} {name}")
            text = str(error) if isinstance(error, Differs) else traceback.format_exc()
            print("\n".join(f"# {line}" for line in text.splitlines()), flush=True)
    return failed > 0


sys.exit(main())
