# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes reports for tests of the page: of any size, and with hostile names."""

import datetime
import random

START = datetime.datetime(2025, 11, 20, 22, 35, tzinfo=datetime.timezone.utc)
TOOLS = ["bwa", "samtools", "sort", "awk", "python3", "gzip", "xz", "sha256sum", "split", "cut", "join", "true"]
STATES = ["on_cpu_s", "runnable_s", "memory_stall_s", "fault_io_s", "file_io_s", "gpu_s", "network_s", "pipe_s", "lock_s",
          "condition_s", "child_s", "event_s", "sleep_s", "other_s"]


def moment(seconds):
    return (START + datetime.timedelta(seconds=seconds)).isoformat(timespec="milliseconds")


def entry(chance, i, start, length, lanes, tools):
    cpu = round(length * chance.random(), 9)
    waits = {name: round(length * chance.random() / 4, 9) for name in chance.sample(STATES[1:], 3)}
    return {"tool": chance.choice(tools), "node": "n1", "step": str(i % lanes // 8), "start": moment(start),
            "end": moment(start + length), "count": 1, "failures": int(i % 50 == 0), "pid": 1000 + i, "ppid": 1000,
            "peak_bytes": chance.randrange(1 << 30), "wall_s": round(length, 9), "cpu_s": cpu,
            "read_bytes": chance.randrange(1 << 30), "write_bytes": chance.randrange(1 << 28),
            "states": {"on_cpu_s": cpu, **waits}, "exit_code": int(i % 50 == 0), "signal": 0}


def series(chance, points, seconds, node):
    columns = {name: [round(chance.random() * 4, 9) for _ in range(points)] for name in ["cpu_s", *STATES]}
    for name in ("read_bytes", "write_bytes", "syscall_read_bytes", "syscall_write_bytes", "socket_rx_bytes",
                 "socket_tx_bytes", "memory_used_bytes", "memory_cache_bytes"):
        columns[name] = [chance.randrange(1 << 30) for _ in range(points)]
    for name in ("processes", "threads"):
        columns[name] = [chance.randrange(100) for _ in range(points)]
    return {"node": node, "start": moment(0), "interval_s": seconds / points,
            "end_offsets_s": [round((i + 1) * seconds / points, 9) for i in range(points)], "columns": columns}


def make(entries, points, lanes=32, seconds=3600.0, seed=1, tools=None):
    """Returns a report whose timeline has so many entries, `lanes` at a time, and whose series has so many points."""
    chance = random.Random(seed)
    tools = tools or TOOLS
    clock = [0.0] * lanes
    timeline = []
    mean = seconds * lanes / max(entries, 1)
    for i in range(entries):
        lane = min(range(lanes), key=clock.__getitem__) if lanes <= 64 else i % lanes
        length = min(chance.expovariate(1 / mean), seconds - clock[lane])
        timeline.append(entry(chance, i, clock[lane], length, lanes, tools))
        clock[lane] += length
    timeline.sort(key=lambda one: one["start"])
    rows = []
    for name in tools:
        mine = [one for one in timeline if one["tool"] == name]
        if mine:
            rows.append({"name": name, "runs": len(mine), "failures": sum(one["failures"] for one in mine),
                         "wall_s": round(sum(one["wall_s"] for one in mine), 6),
                         "cpu_s": round(sum(one["cpu_s"] for one in mine), 6),
                         "peak_bytes": max(one["peak_bytes"] for one in mine)})
    rows.sort(key=lambda one: -one["cpu_s"])
    cpu = round(sum(one["cpu_s"] for one in rows), 6)
    return {
        "schema": "stint-report/1", "stint_version": "0.1.0", "complete": True, "gaps": [], "lost": {}, "mode": "timeline",
        "job": {"id": 7, "array_job_id": None, "array_task_id": None, "cluster": "c", "name": "large", "user": "u",
                "state": "COMPLETED", "exit_code": 0, "signal": 0, "start": moment(0), "end": moment(seconds),
                "elapsed_s": seconds, "attempt": 1},
        "requested": {"nodes": 1}, "allocated": {"nodes": 1, "cpus": lanes}, "used": {"cpu_s": cpu}, "states": {},
        "verdict": {"bound": "mixed", "evidence": [], "text": "Mixed."}, "findings": [], "advice": [], "progress": {},
        "tools": rows, "timeline": timeline,
        "steps": [{"id": str(i), "start": moment(0), "end": moment(seconds), "tasks": []} for i in range((lanes + 7) // 8)],
        "nodes": [{"name": "n1", "complete": True, "gaps": []}],
        "series": [series(chance, points, seconds, "n1")] if points else [],
    }
