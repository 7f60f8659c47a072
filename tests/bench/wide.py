# SPDX-License-Identifier: GPL-2.0-or-later
"""
What a job on a thousand nodes costs: each node's record is delivered by stint-epilog itself, as root starts it, and as the job's user
in the job's directory. The records are copies of the tests' real one, with the sizes of a wide MPI job's node.

By itself (as root): wide.py --build TREE [--nodes N] [--keep]
"""
import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

NODES = 1000
TRACED = 8  # of the nodes that do not lead, evenly spread
LATE_S = 0.8  # the others' parts arrive over this time, after a leading node that already waits
USER = 64999
JOB = 77
RANKS, CORES, POINTS = 128, 64, 130
TOOLS = ("app", "orted", "hwloc-bind", "sh", "cat", "sed", "awk", "hostname")
SECOND = 10 ** 9


def one_more(totals, factor):
    """The same sums, for a node that did somewhat more or less."""
    return {name: int(value * factor) if isinstance(value, int) else value for name, value in totals.items()}


def tool(base, name, factor):
    return {**one_more(base, factor), "name": name, "path": f"/opt/app/bin/{name}", "slurm": False}


def entry(base, number, start, factor):
    begin = start + number * 1234567
    return {**one_more(base, factor), "tool": number % len(TOOLS), "step": "0", "count": 1, "failures": 0,
            "pid": 5000 + number, "ppid": 4999, "start_unix_ns": begin, "end_unix_ns": begin + 3600 * SECOND,
            "wall_ns": 3600 * SECOND - number * 1000, "exit_status": 0}


def step(base, name, step_id, nodes, ranks, factor):
    return {**base, "id": name, "step_id": step_id, "nodes": nodes, "task_count": RANKS * nodes if name == "0" else 1,
            "tasks": [{"rank": rank, "pid": 5000 + i} for i, rank in enumerate(ranks)],
            "totals": one_more(base["totals"], factor)}


def long_series(base):
    """A series of as many points as are measured here, with the values of the tests' short one."""
    chance = random.Random(0)
    columns = {name: [int(chance.uniform(0.2, 1) * max(value or 0 for value in values)) for _ in range(POINTS)]
               for name, values in base["columns"].items()}
    return {**base, "interval_ns": 5 * SECOND, "end_offsets_ns": [5 * SECOND * (i + 1) for i in range(POINTS)],
            "columns": columns}


def series(base, number):
    """Another for each node."""
    at = number % POINTS
    return {**base, "columns": {name: values[at:] + values[:at] for name, values in base["columns"].items()}}


def record(one, number, nodes, work):
    """The record of node @number of @nodes, from the tests' record @one."""
    factor, start = random.Random(number).uniform(0.8, 1.2), one["opened_unix_ns"]
    node = {name: value for name, value in one.items() if name not in ("files", "files_count")}
    node["identity"] = {**{name: value for name, value in one["identity"].items() if not name.startswith("array")},
                        "job_id": JOB, "node": f"n{number:04}"}
    node["user"] = {"uid": USER, "gid": USER, "umask": 18}
    node["work_dir"], node["node_list"] = work, f"n[0001-{nodes:04}]"
    cores = [{"core": i, "package": i // 32, "pus": [i, i + CORES], "cpu_ns": int(3500 * SECOND * factor)} for i in range(CORES)]
    node["allocated"] = {"cpus": 2 * CORES, "cpu_list": f"0-{2 * CORES - 1}", "cores": cores, "memory_bytes": 256 << 30}
    node["totals"] = one_more(one["totals"], factor)
    base = one["steps"][0]
    node["steps"] = [step(base, "extern", 4294967292, nodes, (), 0),
                     step(base, "0", 0, nodes, range((number - 1) * RANKS, number * RANKS), factor)]
    if number == 1:
        node["steps"].insert(0, step(base, "batch", 4294967291, 1, (0,), 0.01))
    node["series"] = series(one["series"], number)
    node["tools"] = [tool(one["tools"][0], name, factor / (i + 1)) for i, name in enumerate(TOOLS)]
    node["timeline"] = [entry(one["timeline"][0], i, start, factor) for i in range(RANKS + 32)]
    node["progress"] = {**one["progress"], "stalls": []}
    return node


def slurm(two, nodes, work):
    """stint-slurm-job's answer for the job."""
    names = [f"n{i + 1:04}" for i in range(nodes)]
    return {**two, "job_id": JOB, "user_id": USER, "group_id": USER, "state": "COMPLETED", "exit_status": 0,
            "nodes": nodes, "node_list": f"n[0001-{nodes:04}]", "node_names": names, "batch_host": names[0],
            "cpus": nodes * 2 * CORES, "tasks": nodes * RANKS, "allocated_memory_bytes": nodes * (256 << 30),
            "work_dir": work}


HELPER = """#!/bin/sh
# Answers like stint-slurm-job, and leaves a line for each question.
[ "$1" = --expand ] && exec cat '{place}/names'
echo "$*" >>'{place}/questions'
exec cat '{place}/slurm.json'
"""


class Munge:
    """A munged of the benchmark's own, so that parts are proved like on a cluster; without munge they are not."""

    def __init__(self, place):
        self.socket = f"{place}/munge/socket"
        self.process = None
        if not shutil.which("munged"):
            return
        os.mkdir(f"{place}/munge", 0o755)
        with open(f"{place}/munge/key", "wb") as file:
            file.write(os.urandom(128))
        os.chmod(f"{place}/munge/key", 0o600)
        words = {"socket": "socket", "key-file": "key", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        self.process = subprocess.Popen(
            ["munged", "--foreground", "--force", *(f"--{name}={place}/munge/{file}" for name, file in words.items())],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while not os.path.exists(self.socket) and time.monotonic() < until:
            time.sleep(0.02)

    def end(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()


class Job:
    """A job's directory, its nodes' records, and the tools that deliver them."""

    def __init__(self, source, build, place, nodes):
        self.epilog, self.place, self.nodes = f"{build}/reports/stint-epilog", place, nodes
        self.work, self.parts = f"{place}/work", f"{place}/parts"
        self.munge = Munge(place)
        os.chmod(place, 0o755)
        for name in ("libexec", "records", "parts"):
            os.mkdir(f"{place}/{name}")
        self.clear()
        self.environment = {**os.environ, "STINT_LIBEXEC": f"{place}/libexec"}
        with open(f"{place}/libexec/stint-slurm-job", "w", encoding="utf-8") as file:
            file.write(HELPER.format(place=place))
        os.chmod(file.name, 0o755)
        with open(f"{source}/tests/data/slurm-two.json", encoding="utf-8") as file:
            answer = slurm(json.load(file), nodes, self.work)
        for name, value in ("slurm.json", answer), ("names", answer["node_names"]):
            with open(f"{place}/{name}", "w", encoding="utf-8") as file:
                json.dump(value, file)
        with open(f"{place}/conf", "w", encoding="utf-8") as file:
            file.write(f"merge_wait_s = 20\nmunge_socket = {self.munge.socket}\n")
        with open(f"{source}/tests/data/record-one.json", encoding="utf-8") as file:
            one = json.load(file)
        one["series"] = long_series(one["series"])
        for number in range(1, nodes + 1):
            with open(self.record(number), "w", encoding="utf-8") as file:
                json.dump(record(one, number, nodes, self.work), file)

    def clear(self):
        shutil.rmtree(self.work, ignore_errors=True)
        os.mkdir(self.work)
        os.chown(self.work, USER, USER)

    def record(self, number):
        return f"{self.place}/records/{number}.json"

    def command(self, number, trace=None):
        words = [self.epilog, "--config", f"{self.place}/conf", "--first", self.record(number)]
        return ["strace", "-f", "-qq", "-y", "-o", trace, "--", *words] if trace else words

    def questions(self):
        try:
            with open(f"{self.place}/questions", encoding="utf-8") as file:
                return len(file.readlines())
        except FileNotFoundError:
            return 0

    def deliver(self, number, trace=None):
        subprocess.run(self.command(number, trace), env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def keep_parts(self):
        for name in os.listdir(self.work):
            os.rename(f"{self.work}/{name}", f"{self.parts}/{name}")

    def put_parts(self, over_s=0.0):
        names = sorted(os.listdir(self.parts))
        random.Random(1).shuffle(names)
        begin = time.monotonic()
        for i, name in enumerate(names):
            wait = begin + over_s * i / len(names) - time.monotonic()
            if wait > 0.001:
                time.sleep(wait)
            shutil.copy2(f"{self.parts}/{name}", f"{self.place}/{name}")
            os.chown(f"{self.place}/{name}", USER, USER)
            os.rename(f"{self.place}/{name}", f"{self.work}/{name}")


CALL = re.compile(r"^\d+ +(\w+)\((?:AT_FDCWD|\d+)?(?:<[^>]*>)?(, \"(?=[^\"]))?")


def operations(trace, directory):
    """
    The calls on a directory and its files, except for those that close one: {"calls": {name: how many}, "all": how many, "named": of
    these, by a name in the directory or the directory's own, "parts": of all, on another node's part}.
    """
    found = {"calls": {}, "all": 0, "named": 0, "parts": 0}
    with open(trace, encoding="utf-8", errors="replace") as file:
        for line in file:
            call = CALL.match(line)
            if not call or call[1] in ("close", "close_range", "execve", "getcwd") or directory not in line:
                continue
            found["calls"][call[1]] = found["calls"].get(call[1], 0) + 1
            found["all"] += 1
            found["named"] += call[2] is not None and call[1] not in ("read", "write")
            found["parts"] += ".part" in line
    return found


def median(values):
    return sorted(values)[len(values) // 2]


def deliver_others(job, say):
    """All nodes but the first; {"wall_s", "memory_bytes", "operations"} of one, medians."""
    walls, traced, trace = [], [], f"{job.place}/trace"
    each = max(1, job.nodes // TRACED)
    for number in range(2, job.nodes + 1):
        if number % 200 == 0:
            say(f"node {number} of {job.nodes}")
        if number % each == 2 % each and shutil.which("strace"):
            job.deliver(number, trace)
            traced.append(operations(trace, job.work))
            continue
        begin = time.monotonic()
        job.deliver(number)
        walls.append(time.monotonic() - begin)
    return {"wall_s": median(walls), "memory_bytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10,
            **max(traced, key=lambda one: one["all"], default={})}


MEASURE = """
import os, resource, sys, time
begin = time.monotonic()
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss << 10)
"""


def deliver_leading(job):
    """The leading node, when all parts are there: (wall, CPU seconds, bytes of memory)."""
    done = subprocess.run([sys.executable, "-c", MEASURE, *job.command(1)], env=job.environment, check=True,
                          capture_output=True, text=True)
    status, wall, cpu, memory = done.stdout.split()
    if status != "0":
        raise RuntimeError(f"stint-epilog: status {status}: {done.stderr}")
    return float(wall), float(cpu), int(memory)


def check(job):
    """The report must be whole."""
    with open(f"{job.work}/stint-{JOB}.json", encoding="utf-8") as file:
        text = file.read()
    report = json.loads(text)
    used = [node for node in report["nodes"] if "used" in node]
    if not report["complete"] or len(used) != job.nodes or [name for name in os.listdir(job.work) if ".part" in name]:
        raise RuntimeError(f"the report of {job.nodes} nodes is not whole: {len(used)} nodes; {report['gaps'][:3]}")
    return len(text)


def wait_for_report(job):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            return check(job)
        except (RuntimeError, OSError, ValueError):
            time.sleep(0.1)
    return check(job)


def measure(source, build, work, say, nodes=NODES):
    """All figures of one wide job."""
    place = tempfile.mkdtemp(prefix="wide.", dir=work)
    say(f"a job on {nodes} nodes: its records")
    job = Job(source, build, place, nodes)
    try:
        figures = {"nodes": nodes, "other": deliver_others(job, say)}
        job.keep_parts()
        figures["part_bytes"] = median([os.stat(f"{job.parts}/{name}").st_size for name in os.listdir(job.parts)])
        say("the leading node")
        job.put_parts()
        wall, cpu, memory = deliver_leading(job)
        figures["leading"] = {"wall_s": wall, "cpu_s": cpu, "memory_bytes": memory}
        figures["report_bytes"] = check(job)
        figures["questions"] = job.questions()
        if not shutil.which("strace"):
            return figures
        say("the leading node, traced")
        for name, late_s in ("in_time", 0), ("late", LATE_S):
            job.clear()
            trace = f"{place}/trace"
            if not late_s:
                job.put_parts()
            with subprocess.Popen(job.command(1, trace), env=job.environment, stdout=subprocess.DEVNULL):
                if late_s:
                    job.put_parts(late_s)
            wait_for_report(job)
            figures["leading"][name] = operations(trace, job.work)
        return figures
    finally:
        job.munge.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.getcwd())
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--keep", action="store_true", help="leave the directory, and print its name")
    options = parser.parse_args()
    source = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../.."))
    work = tempfile.mkdtemp(prefix="stint-wide.", dir="/var/tmp")
    os.chmod(work, 0o755)
    try:
        json.dump(measure(source, options.build, work, lambda text: print(text, file=sys.stderr), options.nodes),
                  sys.stdout, indent=1)
        print()
    finally:
        if options.keep:
            print(work)
        else:
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
