# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests that each figure of stint summary is what an independent computation makes of the same reports, as docs/summary.md
defines it; that groups sum up to the total; and that names which are HTML, formulas or escape sequences do no harm.

Run in the build directory, with srcdir set to the source where that is another; $STINT is the command. Speaks TAP.
"""
import collections
import copy
import csv
import datetime
import html
import io
import itertools
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import traceback
import unicodedata

SOURCE = pathlib.Path(os.environ.get("srcdir", pathlib.Path(__file__).resolve().parent.parent.parent))
STINT = os.environ.get("STINT", "reports/stint")
DATA = SOURCE / "tests/data"
CAUSES = ("failed", "timeout", "files", "waits", "idle", "serial", "kept", "spare", "unclear")
MEMORY_CAUSES = ("failed", "timeout", "margin", "reserved")
MIB = 1 << 20
HOSTILE = ("<script>alert(1)</script>", "=HYPERLINK(\"http://x\")", "\x1b[31mred\x1b]0;t\x07", "a,b\"c", "'; DROP TABLE job; --",
           "../../etc/passwd", "@SUM(1)", "\u202egnp.exe", "new\nline", "x" * 300, "-1+1", "größe アライナー")


def run(*arguments, code=0, zone="UTC0", **more):
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": zone, **more}
    env.update({name: os.environ[name] for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ})
    done = subprocess.run([STINT, "summary", *map(str, arguments)], env=env, capture_output=True, check=False)
    assert done.returncode == code, f"{arguments}: {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode() if code == 0 else done.stderr.decode()


def as_json(*arguments):
    return json.loads(run("--json", *arguments))


# ---- the independent computation ----

def get(report, name, default=None):
    for part in name.split("."):
        if not isinstance(report, dict) or part not in report:
            return default
        report = report[part]
    return default if report is None else report


def whole(value):
    """Rounded as C's llround() does."""
    return math.floor(value + 0.5)


def moment(text):
    return datetime.datetime.fromisoformat(text)


def how(report):
    state = get(report, "job.state")
    return {None: "unknown", "COMPLETED": "completed", "OUT_OF_MEMORY": "oom", "TIMEOUT": "timeout", "DEADLINE": "timeout",
            "CANCELLED": "cancelled", "NODE_FAIL": "node-fail", "BOOT_FAIL": "node-fail", "REQUEUED": "requeued",
            "PREEMPTED": "requeued"}.get(state, "failed")


def short_of_memory(report):
    near = [get(n, "used.memory_used_peak_bytes") / get(n, "allocated.memory_limit_bytes") for n in report["nodes"]
            if get(n, "used.memory_used_peak_bytes") is not None and get(n, "allocated.memory_limit_bytes")]
    if not near and get(report, "requested.memory_bytes") and get(report, "used.memory_used_peak_bytes"):
        near = [get(report, "used.memory_used_peak_bytes") * get(report, "requested.nodes") / get(report, "requested.memory_bytes")]
    return (get(report, "used.memory_swap_peak_bytes", 0) >= MIB or max(near, default=0) >= 0.9 or
            get(report, "used.oom_kills", 0) > 0 or len(report["oom"]) > 0)


def cause_of(report, wait):
    """How a wait counts (docs/verdict.md): files, waits or idle."""
    thread_s, count = get(report, f"states.{wait}_s"), get(report, f"states.waits.{wait}")
    mean = thread_s / count if count and thread_s is not None else None
    if wait in ("memory_stall", "file_io", "fault_io"):
        return "waits" if wait == "memory_stall" or (wait == "fault_io" and short_of_memory(report)) else "files"
    if wait == "gpu":
        return "waits"
    if wait == "network":
        sockets = (get(report, "used.socket_rx_bytes"), get(report, "used.socket_tx_bytes"))
        return "idle" if count is None or (mean is not None and mean > 5) or sockets == (0, 0) else "waits"
    if wait == "lock":
        return "idle" if count is None or (mean is not None and mean > 0.1) else "waits"
    if wait == "event":
        ops = [get(report, f"used.network.{p}.{d}_ops") for p in ("tcp", "udp") for d in ("rx", "tx")]
        known = None not in ops and mean is not None and mean <= 0.1
        return "waits" if known and sum(ops) > 0 and sum(ops) >= 0.5 * count else "idle"
    return "idle"


WAITS = ("memory_stall", "fault_io", "file_io", "gpu", "network", "pipe", "lock", "condition", "child", "event", "sleep", "other")


def causes(report, wasted, elapsed, present):
    """CPU-milliseconds by cause, by the rules of docs/summary.md."""
    out = dict.fromkeys(CAUSES, 0)
    if how(report) == "timeout":
        return {**out, "timeout": wasted}
    if how(report) not in ("completed", "unknown"):
        return {**out, "failed": wasted}
    states = report.get("states", {})
    bound = dict(states.get("bound", {}))
    if "lock_s" in bound:
        bound.setdefault("condition_s", 0)
    if "event_s" in bound:
        bound.setdefault("gpu_s", 0)
    if "active_s" not in states or "parallel_s" not in states or any(f"{w}_s" not in bound for w in WAITS):
        return {**out, "unclear": wasted}
    cpus = report["allocated"]["cpus"] / present
    per_core = report["allocated"]["cpus"] / min(get(report, "allocated.cores", math.inf), report["allocated"]["cpus"])
    live = states["active_s"] + sum(bound[f"{w}_s"] for w in WAITS)
    live = max(states["active_s"], live - get(report, "job.suspended_s", 0) * present)
    absent = max(0, elapsed * present - live)
    parallel = min(states["parallel_s"], states["active_s"])
    left = wasted

    def take(cause, seconds):
        nonlocal left
        taken = min(left, whole(1000 * seconds))
        out[cause] += taken
        left -= taken

    by = collections.Counter()
    for wait in WAITS:
        by[cause_of(report, wait)] += bound[f"{wait}_s"]
    take("files", by["files"] * cpus)
    take("waits", by["waits"] * cpus)
    take("idle", by["idle"] * cpus)
    take("idle" if report["complete"] else "unclear", absent * cpus)
    alone = states["active_s"] - parallel if cpus > 1 else 0
    take("spare", alone * (per_core - 1))
    take("serial", alone * (cpus - per_core))
    take("kept", states["runnable_s"])
    take("files", sum(max(0, states[f"{w}_s"] - bound[f"{w}_s"]) for w in WAITS if cause_of(report, w) == "files"))
    out["spare"] += left
    return out


def gpu_sums_of(report, elapsed):
    """GPU time. What is not known is neither busy nor wasted."""
    count, gpus = get(report, "allocated.gpus"), report.get("gpus", [])
    if not count:
        return {}
    known = [(gpu["busy_share"], min(elapsed, gpu["busy_known_s"])) for gpu in gpus if "busy_share" in gpu]
    sums = {"gpu_given_gpu_ms": whole(1000 * count * elapsed), "gpu_unknown_gpu_ms": whole(1000 * (count * elapsed - sum(s for _, s in known)))}
    if known:
        sums["gpu_busy_gpu_ms"] = whole(1000 * sum(share * seconds for share, seconds in known))
        sums["gpu_wasted_gpu_ms"] = whole(1000 * sum((1 - share) * seconds for share, seconds in known))
    return sums


def gpu_model(report):
    types = {one.get("type") for one in get(report, "allocated.gpus_allocated", [])}
    names = {one.get("model") for one in report.get("gpus", [])}
    if not get(report, "allocated.gpus") or len(types) > 1:
        return None
    return (types.pop() if types else None) or (names.pop() if len(names) == 1 else None)


def sums_of(report):
    """The measures of a report that add up."""
    elapsed, cpus, used = get(report, "job.elapsed_s"), get(report, "allocated.cpus"), get(report, "used.cpu_s")
    present = [n for n in report["nodes"] if "used" in n]
    sums = {"elapsed_ms": whole(1000 * elapsed)}
    if cpus is not None:
        sums["cpu_given_core_ms"] = whole(1000 * cpus * elapsed)
    if used is not None:
        sums["cpu_used_core_ms"] = whole(1000 * used)
        sums["cpu_lost_core_ms"] = whole(1000 * used) if how(report) not in ("completed", "unknown") else 0
    if cpus is not None and used is not None:
        wasted = max(0, sums["cpu_given_core_ms"] - sums["cpu_used_core_ms"])
        sums["cpu_wasted_core_ms"] = wasted
        for cause, value in causes(report, wasted, elapsed, len(present)).items():
            sums[f"cpu_wasted_{cause}_core_ms"] = value
    per_node = get(report, "requested.memory_bytes", 0) / get(report, "requested.nodes", 1)
    peaks = [get(n, "used.memory_used_peak_bytes") for n in present]
    if per_node and peaks and None not in peaks:
        given = sum(whole(per_node / MIB * elapsed) for _ in peaks)
        kept = sum(whole(min(peak, per_node) / MIB * elapsed) for peak in peaks)
        sums.update(mem_given_mib_s=given, mem_used_mib_s=kept, mem_wasted_mib_s=given - kept)
        share = dict.fromkeys(MEMORY_CAUSES, 0)
        if how(report) == "timeout":
            share["timeout"] = given - kept
        elif how(report) not in ("completed", "unknown"):
            share["failed"] = given - kept
        else:
            share["margin"] = min(given - kept, whole(0.2 * kept))
            share["reserved"] = given - kept - share["margin"]
        sums.update({f"mem_wasted_{cause}_mib_s": value for cause, value in share.items()})
    nodes = max(get(report, "allocated.nodes", 0), len(present))
    sums["node_given_node_ms"] = whole(1000 * elapsed * nodes)
    sums["node_wasted_node_ms"] = whole(1000 * elapsed) * sum(
        whole(1000 * n["used"]["cpu_s"]) < 0.02 * whole(1000 * n["allocated"]["cpus"] * elapsed) for n in present
        if get(n, "used.cpu_s") is not None and get(n, "allocated.cpus") is not None)
    sums.update(gpu_sums_of(report, elapsed))
    if get(report, "job.submit"):
        sums["queued_ms"] = (moment(report["job"]["start"]) - moment(report["job"]["submit"])) // datetime.timedelta(milliseconds=1)
    return sums


def ended(report):
    return moment(report["job"]["end"])


def size_of(report):
    cpus = report["allocated"]["cpus"]
    for most, name in ((1, "1"), (8, "2-8"), (32, "9-32"), (128, "33-128"), (512, "129-512"), (2048, "513-2048")):
        if cpus <= most:
            return name
    return "2049-"


KEYS = {
    "user": lambda r: [get(r, "job.user")],
    "account": lambda r: [get(r, "job.account")],
    "partition": lambda r: [get(r, "job.partition")],
    "qos": lambda r: [get(r, "job.qos")],
    "cluster": lambda r: [get(r, "job.cluster")],
    "job-name": lambda r: [get(r, "job.name")],
    "state": lambda r: [get(r, "job.state")],
    "verdict": lambda r: [r["verdict"]["bound"]],
    "finding": lambda r: sorted({f["code"] for f in r["findings"]}) or [None],
    "size": lambda r: [size_of(r)],
    "gpu-model": lambda r: [gpu_model(r)],
    "day": lambda r: [ended(r).strftime("%Y-%m-%d")],
    "week": lambda r: [(ended(r) - datetime.timedelta(days=ended(r).weekday())).strftime("%Y-%m-%d")],
    "month": lambda r: [ended(r).strftime("%Y-%m")],
    "rule": lambda r: [get(r, "job.workflow.rule", get(r, "job.workflow.process", get(r, "job.workflow.group")))],
}


def grouped(reports, *keys):
    groups = collections.defaultdict(list)
    for report in reports:
        for values in itertools.product(*(KEYS[key](report) for key in keys)):
            groups[values + (None,) * (3 - len(keys))].append(report)
    return groups


def quantile(values, q):
    values = sorted(values)
    return values[max(1, math.ceil(q * len(values) - 1e-9)) - 1]


def total_of(reports):
    sums, known = collections.Counter(), collections.Counter()
    for report in reports:
        for name, value in sums_of(report).items():
            sums[name] += value
            known[name] += 1
    return sums, known


def check_group(group, reports, what):
    sums, known = total_of(reports)
    assert group["jobs"] == len(reports), f"{what}: {group['jobs']} jobs, not {len(reports)}"
    for name, value in sums.items():
        assert abs(group["sums"].get(name, -1) - value) <= known[name], f"{what}: {name} is {group['sums'].get(name)}, not {value}"
        assert group["known"].get(name, 0) == known[name], f"{what}: {name} is known of {group['known'].get(name)}, not {known[name]}"
    for kind in ("cpu_wasted", "mem_wasted"):
        unit = "core_ms" if kind == "cpu_wasted" else "mib_s"
        parts = [group["sums"][f"{kind}_{c}_{unit}"] for c in (CAUSES if unit == "core_ms" else MEMORY_CAUSES)
                 if f"{kind}_{c}_{unit}" in group["sums"]]
        if parts:
            assert sum(parts) == group["sums"][f"{kind}_{unit}"], f"{what}: causes of {kind} sum up to {sum(parts)}"
    assert group["ends"] == dict(collections.Counter(map(how, reports))), f"{what}: {group['ends']}"
    assert group["verdicts"] == dict(collections.Counter(r["verdict"]["bound"] for r in reports)), what
    assert group["short"] == sum(r["job"]["elapsed_s"] < 60 for r in reports), what
    check_figures(group["figures"], sums, reports, what)


def check_figures(figures, sums, reports, what):
    def near(name, value, share=1e-5):
        got = figures[name]
        assert got is not None and abs(got - value) <= share * abs(value) + 1e-6, f"{what}: {name} is {got}, not {value}"

    near("core_hours_given", sums["cpu_given_core_ms"] / 3.6e6)
    near("core_hours_wasted", sums["cpu_wasted_core_ms"] / 3.6e6)
    near("core_hours_serial", sums["cpu_wasted_serial_core_ms"] / 3.6e6)
    near("gib_hours_wasted", sums["mem_wasted_mib_s"] / 1024 / 3600)
    near("node_hours_given", sums["node_given_node_ms"] / 3.6e6)
    for name, measure in (("given", "given"), ("busy", "busy"), ("wasted", "wasted"), ("unknown", "unknown")):
        if f"gpu_{measure}_gpu_ms" in sums:
            near(f"gpu_hours_{name}", sums[f"gpu_{measure}_gpu_ms"] / 3.6e6)
        else:
            assert figures[f"gpu_hours_{name}"] is None, f"{what}: {figures}"
    known = sums["gpu_busy_gpu_ms"] + sums["gpu_wasted_gpu_ms"]
    if known:
        near("gpu_efficiency", sums["gpu_busy_gpu_ms"] / known)
    else:
        assert figures["gpu_efficiency"] is None, f"{what}: {figures}"
    near("cpu_efficiency", 1 - sums["cpu_wasted_core_ms"] / sums["cpu_given_core_ms"])
    near("memory_efficiency", 1 - sums["mem_wasted_mib_s"] / sums["mem_given_mib_s"])
    shares = [min(1, r["used"]["cpu_s"] / (r["allocated"]["cpus"] * r["job"]["elapsed_s"])) for r in reports]
    for q, name in ((0.5, "median"), (0.25, "lower_quartile"), (0.75, "upper_quartile")):
        near(f"cpu_efficiency_{name}", quantile(shares, q), 0.01)
    near("elapsed_median_s", quantile([r["job"]["elapsed_s"] for r in reports], 0.5), 0.01)
    kills = [how(r) == "oom" or get(r, "used.oom_kills", 0) > 0 or any(f["code"] == "oom-kill" for f in r["findings"]) for r in reports]
    assert figures["out_of_memory"] == sum(kills), what
    assert figures["timed_out"] == sum(how(r) == "timeout" for r in reports), what
    near("coverage", sum("used" in n for r in reports for n in r["nodes"]) /
         sum(max(get(r, "allocated.nodes", 0), sum("used" in n for n in r["nodes"])) for r in reports))


# ---- the reports ----

def real_reports():
    """Those of tests/data, each as a separate job."""
    paths = sorted(DATA.glob("report-*.json")) + sorted(DATA.glob("example/*.json"))
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    for number, report in enumerate(reports, 1):
        report["job"]["id"] = number
    return reports


def made_up(count):
    """Jobs of several users, sizes, days and ends, with real jobs' states; the same in each run."""
    chance = random.Random(16)
    seeds = [r for r in real_reports() if "states" in r]
    for number in range(1, count + 1):
        report = copy.deepcopy(chance.choice(seeds))
        start = datetime.datetime(2026, 9, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=chance.randrange(60 * 86400))
        factor = math.exp(chance.uniform(-1, 6))
        job, states = report["job"], report["states"]
        elapsed = round(job["elapsed_s"] * factor, 3)
        job.update(id=1000 + number, user=f"user{chance.randrange(7)}", account=chance.choice(("lab", "physics")), attempt=1,
                   name=f"job{chance.randrange(4)}", elapsed_s=elapsed,
                   state=chance.choices(("COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "OUT_OF_MEMORY", "PREEMPTED"),
                                        (12, 2, 1, 1, 1, 1))[0],
                   submit=(start - datetime.timedelta(seconds=chance.randrange(5000))).isoformat(timespec="milliseconds"),
                   start=start.isoformat(timespec="milliseconds"),
                   end=(start + datetime.timedelta(seconds=elapsed)).isoformat(timespec="milliseconds"))
        for table in (states, states.get("some", {}), states.get("full", {}), states.get("bound", {})):
            for name, value in table.items():
                if name.endswith("_s") and isinstance(value, (int, float)):
                    table[name] = value * factor
        report["used"]["cpu_s"] = report["used"]["cpu_s"] * factor * chance.uniform(0.2, 1.2)
        if number % 3 == 0 and report["allocated"]["cpus"] % 2 == 0:  # two hardware threads each
            report["allocated"]["cores"] = report["allocated"]["cpus"] // 2
        add_gpus(report, number, elapsed)
        yield {**{name: value for name, value in report.items() if name != "series"}, "series": report["series"]}  # as stint writes it


def add_gpus(report, number, elapsed):
    """Gives GPUs to some jobs: seen or not, of a type or not, with a busy share, with samples, or without."""
    if number % 4 == 0:
        return
    count = number % 4
    report["allocated"].update(gpus=count, gpu_hours=count * elapsed / 3600)
    if number % 3 == 0:
        report["allocated"]["gpus_allocated"] = [{"kind": "gpu", "type": f"a{number % 2}00", "count": count}]
    if number % 5 == 0:
        return
    report["gpus"] = [{"node": report["nodes"][0]["name"], "vendor": "nvidia", "model": f"NVIDIA {number % 2}", "minor": i, "processes": [],
                       "absent": []} for i in range(number % (count + 1))]
    for i, gpu in enumerate(report["gpus"]):
        if (number + i) % 3:
            gpu.update(busy_share=number % 101 / 100, busy_source="samples" if i else "counters", busy_known_s=round(elapsed * (0.5 + i / 3), 3),
                       busy_covered_s=0.001)


def write(directory, reports):
    for report in reports:
        path = pathlib.Path(directory) / f"stint-{report['job']['id']}.json"
        path.write_text(json.dumps(report), encoding="utf-8")


# ---- tests ----

def test_total_is_that_of_the_reports(directory, reports):
    check_group(as_json(directory)["total"], reports, "total")


def test_groups_are_those_of_the_reports(directory, reports):
    for keys in [(key,) for key in KEYS] + [("user", "month"), ("state", "size"), ("finding", "user"), ("finding", "user", "month"), ("state", "job-name", "day")]:
        expected = grouped(reports, *keys)
        groups = as_json("--by", ",".join(keys), directory)["groups"]
        assert len(groups) == len(expected), f"by {keys}: {len(groups)} groups, not {len(expected)}"
        for group in groups:
            names = tuple(group["keys"][key] for key in keys) + (None,) * (3 - len(keys))
            check_group(group, expected[names], f"by {keys}: {names}")


def test_tools_are_those_of_the_reports(directory, reports):
    tools = {}
    for report in reports:
        own = [t for t in report["tools"] if not t.get("slurm")]
        for place, tool in enumerate(sorted(own, key=lambda t: (-whole(1000 * t.get("cpu_s", -1)), t["name"]))):
            sums = tools.setdefault(tool["name"] if place < 16 else "(other tools)", collections.Counter())
            for name, value in (("runs", tool["runs"]), ("failures", tool["failures"]), ("cpu_ms", whole(1000 * tool.get("cpu_s", 0)))):
                sums[name] += value if value <= 1 << 53 else 0  # a larger number was made up
    groups = {g["keys"]["tool"]: g for g in as_json("--by", "tool", directory)["groups"]}
    assert set(groups) - {None} == set(tools), set(groups) ^ set(tools)
    for name, sums in tools.items():
        found = {key: groups[name][f"tool_{key}"] for key in ("runs", "cpu_ms", "failures")}
        assert found == {key: sums[key] for key in found}, f"{name}: {found}, not {sums}"


def test_nodes_sum_up_to_the_jobs(directory, reports):
    groups = {g["keys"]["node"]: g for g in as_json("--by", "node", directory)["groups"]}
    expected = collections.Counter()
    for report in reports:
        for node in report["nodes"]:
            if "cpu_s" in node.get("used", {}):
                expected[node["name"]] += whole(1000 * node["used"]["cpu_s"])
    for name, value in expected.items():
        assert groups[name]["sums"]["cpu_used_core_ms"] == value, f"{name}: {groups[name]['sums']}"


def test_filters_and_periods(directory, reports):
    some = [r for r in reports if r["job"]["user"] == "user3" and r["job"]["state"] == "COMPLETED"]
    check_group(as_json("--where", "user=user3", "--where", "state=COMPLETED", directory)["total"], some, "where")
    since, until = moment("2026-10-01T00:00:00+00:00"), moment("2026-10-15T00:00:00+00:00")
    before = since - (until - since)
    answer = as_json("--since", "2026-10-01", "--until", "2026-10-15", directory)
    check_group(answer["total"], [r for r in reports if since <= ended(r) < until], "period")
    check_group(answer["total_before"], [r for r in reports if before <= ended(r) < since], "period before")
    assert as_json("--where", "user=nobody", directory)["total"]["jobs"] == 0
    week = [r for r in reports if (ended(r) - datetime.timedelta(days=ended(r).weekday())).strftime("%Y-%m-%d") == "2026-10-05"]
    check_group(as_json("--where", "week=2026-10-05", directory)["total"], week, "a week")
    assert as_json("--where", "state=completed", directory)["total"]["jobs"] == sum(r["job"]["state"] == "COMPLETED" for r in reports)


def test_which_jobs_these_are_is_said_in_every_view(directory, reports):
    period, account = ("--since", "2026-10-01", "--until", "2026-10-15"), ("--where", "account=lab", "--where", "state=-")
    for options, words in (((), None), (period, "Jobs that ended from 2026-10-01 to 2026-10-14"), (account, "with account lab and state not known"),
                           (("--since", "2026-10-01T10:00", "--until", "2026-10-01T18:30"),
                            "Jobs that ended from 2026-10-01 10:00 to 2026-10-01 18:30"),
                           (("--where", "user=\033[31mred<b>"), r"Jobs with user \x1b[31mred<b>"),
                           (("--since", "2026-10-01", "--until", "2026-10-02"), "Jobs that ended on 2026-10-01"),
                           (("--where", "finding=oom-kill"), "with finding out of memory")):
        text = " ".join(run(*options, directory).split())
        head = html.unescape(re.search('<p class="id">(.*?)</p>', run("--html=-", *options, directory), re.S)[1])
        assert words is None or f"{words}." in text and words in head, (text[:300], head)
        assert words or "Jobs that ended" not in text, text
    first, last = (f(map(ended, reports)).strftime("%Y-%m-%d") for f in (min, max))
    assert f"Jobs that ended from {first} to {last}<" in run("--html=-", directory)
    last = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    assert f"to {last}" in run("--last=90d", "--html=-", directory), "up to now, and not to the latest job's end"
    assert as_json(*account, directory)["where"] == [{"account": "lab"}, {"state": None}]
    assert run("--where", "user=nobody", directory) == "No jobs.\nJobs with user nobody.\n"


def test_csv_is_the_json(directory, reports):
    lines = list(csv.DictReader(io.StringIO(run("--csv", "--by", "user", directory), newline="")))
    groups = as_json("--by", "user", directory)["groups"]
    assert [line["user"] for line in lines] == [g["keys"]["user"] for g in groups]
    for line, group in zip(lines, groups):
        for name, value in group["figures"].items():
            assert line[name] == "" if value is None else float(line[name]) == value, f"{name}: {line[name]}, {value}"


def test_gpus_are_in_the_table_if_jobs_have_them(directory, reports):
    text = run("--width=300", "--by=gpu-model", "--top=0", directory)
    head, lines = re.search(r"^GPU-MODEL .*$", text, re.M)[0], text.splitlines()
    groups = as_json("--by", "gpu-model", directory)["groups"]
    assert len(groups) >= 4, groups
    for group in groups:
        line = next(one for one in lines if one.startswith(f"{group['keys']['gpu-model'] or '-'}  "))
        for name, figure, scale in (("  GPU-H ", "gpu_hours_given", 1), (" BUSY", "gpu_efficiency", 100), ("GPU-H WASTED", "gpu_hours_wasted", 1)):
            cell = line[:head.index(name) + len(name.rstrip())].split()[-1]
            value = group["figures"][figure]
            assert (cell == "-") == (value is None), (name, line)
            assert value is None or abs(float(cell.strip("%").replace(",", "")) - scale * value) <= 0.51, (name, line, value)
    with tempfile.TemporaryDirectory() as without:
        write(without, [report for report in reports if not get(report, "allocated.gpus")])
        assert "GPU" not in run("--width=300", without)


def test_text_has_the_same_numbers(directory, reports):
    text, answer = run("--width=200", directory), as_json(directory)
    assert " ".join(text.split()).startswith(answer["sentence"]), text
    for group in answer["groups"] + [{**answer["total"], "keys": {"user": "all"}}]:
        line = next(l for l in text.splitlines() if re.match(rf"{group['keys']['user']}\s+\d", l)).replace(",", "").split()
        figures = group["figures"]
        assert int(line[1]) == group["jobs"], line
        for place, name, scale in ((2, "core_hours_given", 1), (3, "cpu_efficiency", 100), (4, "core_hours_wasted", 1)):
            assert abs(float(line[place].rstrip("%")) - scale * figures[name]) <= max(0.51, 0.001 * figures[name]), (line, name)


def sentence_of(report, cpus, cores, used):
    """The sentence about one job of ten hours that completed, with one busy thread all the time."""
    report = copy.deepcopy(report)
    report["job"].update(state="COMPLETED", elapsed_s=36000)
    report["allocated"].update(cpus=cpus, cores=cores)
    report["used"]["cpu_s"] = used
    report["states"].update(active_s=36000, parallel_s=0, runnable_s=0, bound={f"{w}_s": 0 for w in WAITS},
                            **{f"{w}_s": 0 for w in WAITS})
    with tempfile.TemporaryDirectory() as directory:
        write(directory, [report])
        return as_json(directory)["sentence"]


def test_the_sentence_does_not_round_to_all_or_nothing(_, reports):
    for used, words in ((36000, " used 100 % of 10.0 core-hours; none were wasted."), (35856, " used 99.6 % of 10.0 core-hours; 0.04 "),
                        (35997, " used more than 99.9 % of "), (35640, " used 99 % of "), (180, " used 0.5 % of "), (1, " used less than 0.1 % of ")):
        sentence = sentence_of(reports[0], 1, 1, used)
        assert words in sentence, f"{used}: {sentence}"


def test_the_second_hardware_thread_of_a_busy_core_is_not_blamed_on_the_job(_, reports):
    sentence = sentence_of(reports[0], 2, 1, 35950)
    assert sentence.endswith(" used 50 % of 20.0 core-hours; 10.0 were wasted, 100 % of that on CPUs for which they had no thread."), sentence
    sentence = sentence_of(reports[0], 2, 2, 35950)
    assert sentence.endswith(" 99.9 % of that while one thread was busy and the other CPUs were idle."), sentence


def table_of_findings():
    """The words of each finding, from the one table: {code: (for a cell, of many jobs)}."""
    text = (SOURCE / "reports/rules/rules.c").read_text(encoding="utf-8")
    rows = re.findall(r'\t\t"([a-z-]+)", "(?:critical|warning|info)", "([^"]*)",\n\t\t"([^"]*)",\n', text)
    assert len(rows) == text.count("\t[FINDING_"), rows
    return {code: (words, of_many) for code, words, of_many in rows}


def test_findings_are_words_and_no_codes(directory, reports):
    table, counts = table_of_findings(), collections.Counter(
        code for r in reports for code in {f["code"] for f in r["findings"]})
    text, by, page = run(directory), run("--by=finding", directory), run("--html=-", directory)
    assert len(counts) > 3, counts
    listed = re.findall(r"^ +(\d+) +(\d+)%  (\S.*)$", text.partition("What was found")[2].partition("\n\n")[0], re.M)
    common = sorted(counts.values(), reverse=True)
    assert [int(jobs) for jobs, _, _ in listed] == common[:len(listed)] and len(listed) >= min(len(common), 10), (listed, common)
    for jobs, share, words in listed:
        code = next(code for code, (_, of_many) in table.items() if of_many == words)
        assert int(jobs) == counts[code] and abs(int(share) - 100 * counts[code] / len(reports)) <= 0.51, (jobs, share, code)
    for code, jobs in counts.items():
        words, of_many = table[code]
        assert re.search(rf"^{re.escape(words)} +{jobs} ", by, re.M), f"{words}: {by}"
        assert f"{of_many}<" in page, of_many
        assert not re.search(rf"\b{code}\b", text + by) and not re.search(rf">{code}<", page), f"{code} is for programs"
        assert as_json("--where", f"finding={words}", directory)["total"]["jobs"] == jobs
        assert as_json("--where", f"finding={code}", directory)["total"]["jobs"] == jobs


def test_sorts_and_shows_the_first(directory, reports):
    jobs = [g["jobs"] for g in as_json("--sort=-jobs", directory)["groups"]]
    assert jobs == sorted(jobs, reverse=True)
    assert [g["jobs"] for g in as_json("--sort=jobs", directory)["groups"]] == sorted(jobs)
    answer = as_json("--top", "2", "--sort=-jobs", directory)
    assert [g["jobs"] for g in answer["groups"]] == jobs[:2]
    assert answer["others"]["jobs"] == sum(jobs[2:])
    weeks = [g["keys"]["week"] for g in as_json("--by", "week", directory)["groups"]]
    assert weeks == sorted(weeks)


def test_what_groups_are_sorted_by_is_in_the_table(directory, reports):
    for figure, head, by in (("elapsed_median_s", "ELAPSED-MEDIAN-S", "user"), ("node_hours_wasted", "NODE-H IDLE", "user"),
                             ("jobs", "JOBS", "user"), ("cpu_efficiency_lower_quartile", "CPU-EFFICIENCY-LOWER-QUARTILE", "job-name,state"),
                             ("tool_failures", "FAILED", "tool"), ("core_hours_serial", "CORE-HOURS-SERIAL", "month")):
        table = run(f"--sort=-{figure}", "--by", by, "--width=60", directory).rpartition("\n\n")[2].splitlines()
        assert re.search(rf" {head}( |$)", table[0]), table[0]
    shown = [int(re.split(r" +", line)[2].replace(",", "")) for line in
             run("--sort=-elapsed_median_s", "--width=80", directory).rpartition("\n\n")[2].splitlines()[1:-1]]
    assert shown == sorted(shown, reverse=True) and len(shown) > 3, shown


def test_of_times_the_latest_are_shown(directory, reports):
    jobs = collections.Counter(ended(r).strftime("%Y-%m-%d") for r in reports)
    days = sorted(jobs)
    answer = as_json("--by", "day", "--top", "5", directory)
    assert [g["keys"]["day"] for g in answer["groups"]] == days[-5:]
    assert answer["others"]["jobs"] == sum(jobs[day] for day in days[:-5])
    table = [line.split() for line in run("--by", "day", "--top", "5", "--width=200", directory).rpartition("\n\n")[2].splitlines()]
    assert [row[0] for row in table] == ["DAY", str(len(days) - 5), *days[-5:], "all"] and table[1][1] == "earlier", table
    assert "CHANGE" not in table[0], "a day has no day of the period before to be compared with"
    most = max(jobs.values())
    assert as_json("--by=day", "--top=1", "--sort=-jobs", directory)["groups"][0]["jobs"] == most
    assert [g["keys"]["user"] for g in as_json("--by=user,month", "--top=1", directory)["groups"]] == ["user0"]


def test_words_of_the_table_are_whole(directory, reports):
    table = run("--by=partition", "--width=80", directory).rpartition("\n\n")[2]
    assert table.startswith("PARTITION "), table
    table = run("--by=user,day", "--top=1", "--width=80", directory).rpartition("\n\n")[2]
    assert re.search(r"^\d+ more ", table, re.M), table
    with tempfile.TemporaryDirectory() as other:
        seed = next(r for r in reports if r["job"]["account"])
        for number in range(1200):
            report = {**seed, "job": {**seed["job"], "id": 5000 + number, "name": f"x{number}", "account": "a" * 40}}
            write(other, [report])
        table = run("--by=job-name,account", "--top=1", "--width=60", other).rpartition("\n\n")[2]
        assert re.search(r"^1,199 more ", table, re.M), table
        assert re.search(r"^ +1,200  100%  \S", run(other), re.M), "findings are counted as all else is"
        assert re.search(r"^  all +1,200 jobs$", run(other), re.M)


def test_the_commonest_verdict_is_first(directory, reports):
    counts = collections.Counter(r["verdict"]["bound"] for r in reports)
    part = run(directory).partition("What jobs were bound by")[2].partition("\n\n")[0]
    listed = re.findall(r"^  (\S+) +(\d+) +\d+%$", part, re.M)
    assert dict(listed) == {word: str(count) for word, count in counts.items()}, part
    assert [int(count) for _, count in listed] == sorted(counts.values(), reverse=True), part


def test_lines_fit(directory, reports):
    for width in (60, 80, 120):
        for options in (("--by=user", "--color=always"), ("--by=user",), ("--by=tool",), ("--by=job-name,state",), ("--by=finding,node",),
                        ("--by=user,state", "--sort=cpu_efficiency_lower_quartile")):
            text = re.sub("\x1b\\[[0-9;]*m", "", run(f"--width={width}", *options, directory))
            for line in text.splitlines():
                wide = sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
                assert wide <= width, f"{wide} columns of {width}: {line}"


def test_a_job_counts_once(directory, reports):
    assert as_json(directory, directory, pathlib.Path(directory) / "stint-1001.json")["total"]["jobs"] == len(reports)


def test_bad_input_gets_one_line(directory, reports):
    with tempfile.TemporaryDirectory() as other:
        cases = [(("/nonexistent",), 1), ((other,), 1), (("--by", "colour", directory), 2), (("--by", "user,day,week,qos", directory), 2),
                 (("--by=user,user", directory), 2), (("--last=3y", directory), 2), (("--last", "30d", "--since", "2026-01-01"), 2),
                 (("--since", "2026-02-31"), 2), (("--since", "2026-03-02", "--until", "2026-03-01"), 2), (("--where", "user"), 2),
                 (("--where", "verdict=bogus"), 2), (("--where", "finding=bogus"), 2), (("--where", "size=16"), 2),
                 (("--where", "week=2026-W45"), 2), (("--where", "week=2026-10-07"), 2), (("--where", "day=2026-11"), 2), (("--where", "month=2026-11-01"), 2),
                 (("--sort", "beauty"), 2), (("--top", "-1"), 2), (("--csv", "--json"), 2)]
        for arguments, code in cases:
            error = run(*arguments, code=code)
            assert error.count("\n") == 1 and error.startswith("stint summary: "), f"{arguments}: {error}"
        write(other, reports[:3])
        (pathlib.Path(other) / "stint-9.json").write_text("{", encoding="utf-8")
        error = run("--json", other, code=1)
        assert error.count("\n") == 1 and "stint-9.json" in error, error


def hostile_reports():
    for number, name in enumerate(HOSTILE, 1):
        report = json.loads((DATA / "report-pipeline.json").read_text(encoding="utf-8"))
        report["job"].update(id=number, user=name, account=name, partition=name, qos=name, name=name, cluster=name)
        for tool in report["tools"]:
            tool["name"] = name
        for node in report["nodes"]:
            node["name"] = name
        yield report


def test_hostile_names_do_no_harm(directory, reports):
    with tempfile.TemporaryDirectory() as other:
        write(other, hostile_reports())
        for key in ("user", "account", "partition", "qos", "job-name", "cluster", "tool", "node"):
            text = run("--by", key, other)
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", text), f"by {key}: {text!r}"
            answer = as_json("--by", key, other)
            assert {g["keys"][key] for g in answer["groups"]} - {None} == set(HOSTILE), key
            for line in csv.reader(io.StringIO(run("--by", key, "--csv", other), newline="")):
                assert not re.match(r"[=@+]|-(?!\d+(\.\d+)?$)", line[0]) and not re.search("[\x00-\x1f]", line[0]), line


def test_the_page_has_the_numbers_and_no_markup_of_users(directory, reports):
    page, answer = run("--html=-", directory), as_json(directory)
    text = html.unescape(re.sub(r"<[^>]*>", "", page))
    assert answer["sentence"] in text
    for key in ("user", "account", "size", "week"):
        for group in as_json("--by", key, directory)["groups"]:
            row = next(r for r in re.findall("<tr>.*?</tr>|<tr .*?</tr>", page, re.S) if re.search(rf'>{group["keys"][key]}<', r))
            assert re.search(rf">{group['jobs']}<", row), f"{group['keys'][key]}: {row}"
    for target in re.findall(r'href="#([^"]*)"', page):
        assert page.count(f'id="{target}"') == 1, f"#{target} leads nowhere"
    with tempfile.TemporaryDirectory() as other:
        write(other, hostile_reports())
        page = run("--html=-", other)
        assert page.count("<script") == run("--html=-", directory).count("<script"), "a name became markup"
        assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page)
        assert "&lt;script&gt;alert(1)" in page
        assert not re.search(r'(?:src|href)="(?!#|data:)', page), "it loads something"
        path = pathlib.Path(other) / "page.html"
        run(f"--html={path}", other)
        assert path.read_text(encoding="utf-8") == page
        kept = pathlib.Path(other) / "mine.html"
        kept.write_text("mine", encoding="utf-8")
        run(f"--html={kept}", other, code=1)
        assert kept.read_text(encoding="utf-8") == "mine"


def bars_of(page, begin):
    """The bars of a picture: the label of each, and the heights of its parts by their colour."""
    found = {}
    for title, rects in re.findall(rf"<g><title>({begin}[^<]*)</title>(.*?)</g>", page):
        found[html.unescape(title)] = {colour: float(height) for height, colour in
                                       re.findall(r'height="([\d.]+)" style="fill:var\(--(\w+)\)"', rects)}
    return found


def test_the_pictures_have_the_numbers(directory, reports):
    page = run("--html=-", directory)
    weeks = {g["keys"]["week"]: g for g in as_json("--by", "week", directory)["groups"]}
    bars = bars_of(page, "Week from ")
    assert [re.search(r"\d{4}-\d\d-\d\d", title)[0] for title in bars] == sorted(weeks), bars.keys()
    most = max(g["figures"]["core_hours_given"] for g in weeks.values())
    for title, parts in bars.items():
        figures = weeks[re.search(r"\d{4}-\d\d-\d\d", title)[0]]["figures"]
        assert title.endswith(f", {figures['jobs']} job{'' if figures['jobs'] == 1 else 's'}"), title
        assert abs(sum(parts.values()) - 120 * figures["core_hours_given"] / most) < 0.1, (title, parts)
        assert abs(parts["look"] - 120 * figures["core_hours_wasted"] / most) < 0.1, (title, parts)
    sizes = {g["keys"]["size"]: g for g in as_json("--by", "size", directory)["groups"]}
    fields = bars_of(page, "[\\d-]+ CPUs?: ")
    assert [title.split(" CPU")[0] for title in fields] == sorted(sizes, key=lambda size: int(size.split("-")[0])), fields.keys()
    for title, parts in fields.items():
        size = title.split(" CPU")[0]
        assert title.startswith(f"{size} CPU{'' if size == '1' else 's'}: "), title
        share = sizes[size]["figures"]["cpu_efficiency"]
        assert abs(sum(h for colour, h in parts.items() if colour != "whole") - 120 * share) < 0.1, (title, parts, share)


def test_weeks_without_jobs_are_gaps_in_the_picture(directory, reports):
    with tempfile.TemporaryDirectory() as other:
        far = [copy.deepcopy(r) for r in reports[:3]]
        for report, day in zip(far, ("2024-01-01", "2026-10-05", "2026-10-26")):
            report["job"].update(start=f"{day}T00:00:00+00:00", end=f"{day}T12:00:00+00:00")
        write(other, far)
        page = run("--html=-", other)
        places = re.findall(r'<g><title>Week from (\S+):[^<]*</title><rect x="([\d.]+)"', page)
        assert [week for week, _ in places] == ["2026-10-05", "2026-10-26"], places  # only two years are drawn
        assert abs(float(places[1][1]) - float(places[0][1]) - 3 * 1000 / 104) < 0.1, places


def test_all_nodes_are_in_the_map_in_the_order_of_their_names(directory, reports):
    with tempfile.TemporaryDirectory() as other:
        report = copy.deepcopy(next(r for r in reports if any("used" in n for n in r["nodes"])))
        node = next(n for n in report["nodes"] if "used" in n)
        for count, pixels in ((12, 18), (600, 12), (2100, 7)):
            report["nodes"] = [{**node, "name": f"n{number}"} for number in reversed(range(1, count + 1))]
            write(other, [report])
            page = run("--html=-", other)
            fields = re.findall(r'<span title="(n\d+): [^"]*" style="width:(\d+)px', page)
            assert fields == [(f"n{number}", str(pixels)) for number in range(1, count + 1)], fields[:20]


def main():
    reports = list(made_up(160))
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    failed = False
    with tempfile.TemporaryDirectory() as directory:
        write(directory, reports)
        print(f"1..{len(tests) + 1}")
        for number, (name, test) in enumerate(tests, 1):
            try:
                test(directory, reports)
                print(f"ok {number} - {name[5:].replace('_', ' ')}", flush=True)
            except (AssertionError, KeyError, ValueError, TypeError):
                failed = True
                print(f"not ok {number} - {name[5:].replace('_', ' ')}")
                print("# " + traceback.format_exc().replace("\n", "\n# "), flush=True)
    with tempfile.TemporaryDirectory() as directory:
        real = [r for r in real_reports() if "cpu_s" in r["used"]]
        write(directory, real)
        try:
            check_group(as_json(directory)["total"], real, "reports of tests/data")
            print(f"ok {len(tests) + 1} - reports of tests/data")
        except AssertionError:
            failed = True
            print(f"not ok {len(tests) + 1} - reports of tests/data\n# " + traceback.format_exc().replace("\n", "\n# "))
    return failed


if __name__ == "__main__":
    sys.exit(main())
