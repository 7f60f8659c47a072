# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the store's views with what stint itself says of the same store, and with docs/store.md.

store_sql.py summary SITE.CONF QUERY...   the views' sums are those of "stint summary --json"
store_sql.py archive SITE.CONF QUERY...   the same of the sums of "archive_jobs" of docs/store.md
store_sql.py reports SITE.CONF QUERY...   the numbers of each job are those of "stint report --json"
store_sql.py docs DOCUMENT QUERY...       the document describes the views' columns, and its questions have the answers that it shows

QUERY... is a command that takes SQL as its last argument and prints CSV with a head. $STINT is the command.
"""
import collections
import csv
import datetime
import io
import json
import os
import re
import subprocess
import sys

STINT = os.environ["STINT"]
JOB_KEYS = {"user": "user_name", "account": "account_name", "partition": "partition_name", "qos": "qos_name", "state": "state",
            "verdict": "verdict", "day": "end_day", "gpu-model": "gpu_model_name"}
TOOL = {"runs": "tool_runs", "failures": "tool_failures", "cpu_ms": "tool_cpu_ms", "wall_ms": "tool_wall_ms"}
NODE = ("cpu_given_core_ms", "cpu_used_core_ms", "mem_given_mib_s", "mem_used_mib_s")
ARCHIVE = ("elapsed_ms", "cpu_given_core_ms", "cpu_used_core_ms", "read_bytes", "write_bytes", "processes")
VIEWS = ("jobs", "tools", "nodes", "findings")


class Store:
    def __init__(self, site, query):
        self.site, self.query = site, query

    def rows(self, sql):
        done = subprocess.run([*self.query, sql], stdout=subprocess.PIPE, check=True, encoding="utf-8")
        head, *rows = csv.reader(io.StringIO(done.stdout, newline=""))
        return [dict(zip(head, row)) for row in rows]

    def stint(self, *arguments):
        verb, *more = arguments
        done = subprocess.run([STINT, verb, "--config", "/dev/null", "--site", self.site, "--json", *more], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True, encoding="utf-8")
        return json.loads(done.stdout)

    def groups(self, by):
        return {group["keys"][by]: group for group in self.stint("summary", "--by", by, "--top", "0")["groups"]}


def number(text):
    return int(text) if text else 0


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: the view has {found!r}, and stint {expected!r}")


def compare_groups(store, view, by, key, sums):
    """@sums: a column of the view, and where a group of the summary has its sum"""
    columns = ", ".join(f"sum({column}) AS {column}" for column in sums)
    rows = {row["key"] or None: row for row in store.rows(f"SELECT {key} AS key, count(*) AS jobs, {columns or '1'} FROM {view} GROUP BY {key}")}
    groups = store.groups(by)
    if by == "day":
        rows = {f"{day[:4]}-{day[4:6]}-{day[6:]}": row for day, row in rows.items()}
    same(f"{view} by {by}", sorted(map(str, rows)), sorted(map(str, groups)))
    for name, row in rows.items():
        same(f"{view} by {by}: jobs of {name}", number(row["jobs"]), groups[name]["jobs"])
        for column, find in sums.items():
            same(f"{view} by {by}: {column} of {name}", number(row[column]), find(groups[name]))


def summary(store):
    total = store.stint("summary")["total"]
    measures = {name: (lambda group, name=name: group["sums"].get(name, 0)) for name in total["sums"]}
    assert len(measures) > 40 and total["sums"]["gpu_busy_gpu_ms"] > 0 and total["sums"]["gpu_unknown_gpu_ms"] > 0, measures
    for by, key in JOB_KEYS.items():
        compare_groups(store, "jobs", by, key, measures)
    compare_groups(store, "tools", "tool", "tool_name", {column: (lambda group, of=of: group[of]) for column, of in TOOL.items()})
    compare_groups(store, "nodes", "node", "node_name", {column: measures[column] for column in NODE})
    compare_groups(store, "findings", "finding", "finding", {})
    ends = {row["ended_as"]: number(row["jobs"]) for row in store.rows("SELECT ended_as, count(*) AS jobs FROM jobs GROUP BY ended_as")}
    same("jobs by how they ended", ends, {name: count for name, count in total["ends"].items() if count})
    known = store.rows("SELECT " + ", ".join(f"count({name}) AS {name}" for name in total["known"]) + " FROM jobs")[0]
    same("how many jobs have each measure", {name: number(count) for name, count in known.items()}, total["known"])


def archive(store):
    measures = {name: (lambda group, name=name: group["sums"].get(name, 0)) for name in ARCHIVE}
    for by in ("user", "account", "state"):
        compare_groups(store, "archive_jobs", by, JOB_KEYS[by], measures)


def microseconds(time):
    return round(datetime.datetime.fromisoformat(time).timestamp() * 1000) * 1000


def expected_of(report):
    job, requested, allocated = report["job"], report["requested"], report["allocated"]
    return {
        "cluster_name": job["cluster"], "user_name": job["user"], "account_name": job["account"], "partition_name": job["partition"],
        "qos_name": job["qos"], "state": job["state"], "job_name": job["name"], "verdict": report["verdict"]["bound"],
        "submit_unix_s": microseconds(job["submit"]) // 1000000, "start_unix_us": microseconds(job["start"]),
        "end_unix_us": microseconds(job["end"]), "exit_code": job.get("exit_code"), "signal": job.get("signal"),
        "array_job_id": job.get("array_job_id"), "array_task_id": job.get("array_task_id"),
        "requested_cpus": requested.get("cpus"), "requested_nodes": requested.get("nodes"), "requested_tasks": requested.get("tasks"),
        "allocated_cpus": allocated.get("cpus"), "allocated_cores": allocated.get("cores"),
        "allocated_memory_bytes": allocated.get("memory_bytes"),
        "memory_used_peak_bytes": report["used"].get("memory_used_peak_bytes"), "processes": report["used"]["processes"],
    }


def reports(store):
    jobs = store.rows("SELECT * FROM jobs")
    findings = collections.defaultdict(set)
    for row in store.rows("SELECT job_id, finding FROM findings"):
        findings[row["job_id"]].add(row["finding"])
    for job in jobs:
        report = store.stint("report", job["job_id"], "--cluster", job["cluster_name"])
        for column, value in expected_of(report).items():
            same(f"job {job['job_id']}: {column}", job[column], "" if value is None else str(value))
        same(f"job {job['job_id']}: findings", findings[job["job_id"]], {finding["code"] for finding in report["findings"]})
    assert len(jobs) >= 20


# ---- the document ----

def described(text):
    """The columns of each view, in order: those of the tables below "#### `VIEW`", after the common ones."""
    parts = {name: re.findall(r"^\| `([a-z_]+)`", part, re.M)
             for name, part in re.findall(r"^#### (.*)\n((?:(?!#).*\n)*)", text, re.M)}
    common = parts["Columns of all views"]
    return {view: common + parts[f"`{view}`"] for view in VIEWS}


def plain(cell):
    """Without zeros at the end, which PostgreSQL prints."""
    return str(float(cell)) if re.fullmatch(r"-?\d+\.\d+", cell) else cell


def table(rows):
    """@rows as a table of Markdown"""
    head = list(rows[0])
    lines = [head, *[[plain(row[name]) for name in head] for row in rows]]
    return ["| " + " | ".join(line) + " |" for line in lines[:1]] + ["|" + "---|" * len(head)] + \
           ["| " + " | ".join(line) + " |" for line in lines[1:]]


def docs(path, store):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for view, columns in described(text).items():
        there = store.rows(f"SELECT * FROM {view} LIMIT 1")[0]
        if list(there) != columns:
            sys.exit(f"{path}: {view} has the columns\n{' '.join(there)}\nand the document says\n{' '.join(columns)}")
    questions = re.findall(r"^((?:    .*\n)+)\n((?:\|.*\n)+)", text, re.M)
    questions = [(sql, answer) for sql, answer in questions if sql.lstrip().startswith("SELECT")]
    assert len(questions) >= 6, len(questions)
    for sql, answer in questions:
        found = table(store.rows(sql))
        if found != answer.splitlines():
            sys.exit(f"{path}:\n{sql}\nis answered with\n" + "\n".join(found))


def main():
    what, path, *query = sys.argv[1:]
    store = Store(path, query)
    if what == "docs":
        docs(path, store)
    else:
        {"summary": summary, "archive": archive, "reports": reports}[what](store)


main()
