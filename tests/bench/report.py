# SPDX-License-Identifier: GPL-2.0-or-later
"""How long a person waits for stint report."""
import json
import statistics
import subprocess
import time

ROUNDS = 30
TIMELINE_MOST = 20480  # entries, of all jobs of a node: collector/job/job_budget.h
POINTS_MOST = 4096  # of a series: docs/record.md


def as_written(report):
    """In stint-epilog's form: each element of a list on its own line."""
    def value_text(value):
        if isinstance(value, list) and value:
            return "[" + ",".join("\n    " + json.dumps(one) for one in value) + "\n  ]"
        return json.dumps(value)
    return "{" + ",".join(f"\n  {json.dumps(name)}: {value_text(value)}" for name, value in report.items()) + "\n}\n"


def entry(number):
    start = f"2026-11-21T08:36:{number % 60:02}.123+00:00"
    states = {"on_cpu_s": 0.512345, "runnable_s": 0.012345, "file_io_s": 0.1, "pipe_s": 0.03, "child_s": 1.1}
    return {"tool": f"tool-{number % 40}", "interpreter": "python3", "node": "n1", "step": "batch", "pid": number,
            "ppid": 1, "start": start, "end": start, "wall_s": 1.765432, "cpu_s": 0.512345, "peak_bytes": 12345678,
            "read_bytes": 4096, "write_bytes": 8192, "syscall_read_bytes": 123456, "syscall_write_bytes": 654321,
            "socket_rx_bytes": 0, "socket_tx_bytes": 0, "states": states, "exit_code": 0}


def series():
    columns = [f"column_{i}_s" for i in range(20)]
    return {"node": "n1", "start": "2026-11-21T08:36:40.000+00:00", "interval_s": 64,
            "end_offsets_s": [64 * i + 0.5 for i in range(POINTS_MOST)],
            "columns": {name: [0.512345] * POINTS_MOST for name in columns}}


def largest(report):
    """With everything that a report can hold."""
    return {**report, "timeline": [entry(i) for i in range(TIMELINE_MOST)], "series": [series()]}


def duration(command):
    before = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - before


def measure(stint, source, work, say):
    """{what: {"median_s", "least_s", "bytes"}}; their runs alternate, so that other work affects all of them."""
    with open(f"{source}/tests/data/report-pipeline.json", encoding="utf-8") as file:
        usual = json.load(file)
    commands, sizes = {"nothing": ["/bin/true"]}, {}
    for name, report in ("usual", usual), ("largest", largest(usual)):
        path = f"{work}/{name}.json"
        with open(path, "w", encoding="utf-8") as file:
            sizes[name] = file.write(as_written(report))
        commands[name] = [stint, "report", path]
    say("stint report")
    times = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(duration(command))
    return {name: {"median_s": statistics.median(found), "least_s": min(found), "bytes": sizes.get(name)}
            for name, found in times.items()}
