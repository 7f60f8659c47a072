# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a job summary by its readers' documentation, without any code of stint's.

js1.py COMMENT REPORT : fails unless COMMENT has the numbers of the report REPORT
"""
import base64
import gzip
import json
import math
import sys


def decode(comment):
    """Decodes like reportseff: the first three characters give the form, and the fourth is left out."""
    assert comment[:3] == "JS1", comment
    packed = base64.b64decode(comment[4:], validate=True)
    assert packed[4:8] == bytes(4), "a time of day is in it: it is not the same each time"
    text = gzip.decompress(packed).decode("ascii")
    summary = json.loads(text)
    assert text == json.dumps(summary, separators=(",", ":")), "not compact: " + text
    return summary


def efficiencies(summary):
    """Returns CPU and memory per node, in percent, divided in reportseff's way."""
    return {
        node: (told["total_time"] / told["cpus"] / summary["total_time"] * 100,
               told["used_memory"] / told["total_memory"] * 100)
        for node, told in summary["nodes"].items()
    }


GPU_FIELDS = ("gpu_total_memory", "gpu_used_memory", "gpu_utilization")


def known_gpus(report):
    """Returns the job's GPUs if all are known for nine tenths of its time; else none, because a reader takes what lacks for 0 %."""
    gpus, allocated = report.get("gpus", []), report["allocated"]
    whole = all(one["kind"] == "gpu" for one in allocated.get("gpus_allocated", []))
    known = all({"minor", "busy_share", "memory_total_bytes", "job_memory_peak_bytes"} <= set(gpu) and not gpu.get("slice") and
                gpu["busy_covered_s"] >= 0.9 * report["job"]["elapsed_s"] for gpu in gpus) and "suspended_s" not in report["job"]
    return gpus if known and whole and len(gpus) == allocated.get("gpus") else []


def main():
    summary = decode(sys.argv[1])
    report = json.load(open(sys.argv[2], encoding="utf-8"))
    nodes = {node["name"]: node for node in report["nodes"] if "used" in node}
    elapsed = report["job"]["elapsed_s"]
    gpus = known_gpus(report)
    assert list(summary) == ["nodes", "total_time", "gpus"] and summary["gpus"] == len(gpus), summary
    assert math.isclose(summary["total_time"], elapsed, abs_tol=0.0005), summary
    assert list(summary["nodes"]) == list(nodes), summary
    for name, told in summary["nodes"].items():
        node = nodes[name]
        own = {str(gpu["minor"]): gpu for gpu in gpus if gpu["node"] == name}
        assert set(told) == {"total_memory", "used_memory", "total_time", "cpus", *(GPU_FIELDS if own else ())}, told
        for field in GPU_FIELDS if own else ():
            assert set(told[field]) == set(own), told
        for index, gpu in own.items():
            assert told["gpu_total_memory"][index] == gpu["memory_total_bytes"], told
            assert told["gpu_used_memory"][index] == gpu["job_memory_peak_bytes"], told
            assert math.isclose(told["gpu_utilization"][index], 100 * gpu["busy_share"], abs_tol=0.0501), told
        cpu = node["used"]["cpu_s"] if node["used"]["processes"] else 0
        assert math.isclose(told["total_time"], cpu, abs_tol=0.0005), (told, node["used"])
        assert told["cpus"] == node["allocated"]["cpus"], told
        assert told["used_memory"] == node["used"].get("memory_used_peak_bytes", 0), told
        assert told["total_memory"] == node["allocated"]["memory_bytes"], told
    cpu = sum(told["total_time"] for told in summary["nodes"].values())
    assert math.isclose(cpu, report["used"]["cpu_s"], abs_tol=0.01 * len(nodes)), report["used"]
    efficiency = efficiencies(summary)
    mean = sum(cpu for cpu, memory in efficiency.values()) / len(efficiency)
    if len(nodes) == 1 and elapsed >= 1 and "cpu_efficiency" in report["used"]:
        assert math.isclose(mean, report["used"]["cpu_efficiency"] * 100, abs_tol=0.1), (mean, report["used"])


main()
