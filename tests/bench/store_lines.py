# SPDX-License-Identifier: GPL-2.0-or-later
"""Batches of store lines like a cluster's. Each line is a variation of the one that the tests' record makes: users, accounts and tools by
Zipf's law, arrays that come in bursts, lengths with a heavy tail, 60 % of the CPU time and 19 % of the memory used."""
import copy
import json
import math
import os
import random
import subprocess

GIB = 1 << 30
S = 10 ** 9
BEGIN = 1761955200  # 2025-11-01 UTC
BATCH_LINES = 256
# Means of Beta distributions, published for a cluster of 2.9 million jobs (60 % of the CPU time, 19 % of the memory).
CPU_SHARE, MEMORY_SHARE = (3, 2), (1.9, 8.1)
STATES = ("COMPLETED",) * 88 + ("FAILED",) * 6 + ("CANCELLED",) * 3 + ("TIMEOUT",) * 2 + ("OUT_OF_MEMORY",)
CPUS = (1,) * 10 + (2,) * 4 + (4,) * 6 + (8,) * 5 + (16,) * 3 + (32,) * 2 + (64,)
TOTAL_CPU, TOTAL_ON_CPU, TOTAL_LIFETIME, TOTAL_LIMIT = 9, 10, 35, 8
TOTAL_MEMORY = (4, 5, 6)
TOTAL_TIMES = (17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
TOOL_CPU, TOOL_ON_CPU = 12, 13  # after name, interpreter and kind
TOOL_TIMES = (8, *range(20, 32))
DIGITS = 4  # digits that a measured number keeps when it is scaled


def template(build, source, work):
    """The line that the program itself makes of the tests' record."""
    data = f"{source}/tests/data"
    files = ("record-one", "slurm-one", "record-two-n1", "record-two-n2", "slurm-two")
    subprocess.run([f"{build}/tests/site/batches", f"{work}/template", "1", "8", *(f"{data}/{name}.json" for name in files)],
                   check=True)
    for place, _, names in os.walk(f"{work}/template/new"):
        for name in names:
            with open(f"{place}/{name}", encoding="utf-8") as file:
                return json.loads(file.read().splitlines()[1])
    raise RuntimeError("no line was made")


class Zipf:
    """Picks some of @count, the first ones most often."""

    def __init__(self, count, power=1.1):
        self.all = range(count)
        self.weights = [1 / (i + 1) ** power for i in self.all]

    def draw(self, chance, k=1):
        return chance.choices(self.all, self.weights, k=k)


class Cluster:
    def __init__(self, line, nodes=200, users=300, seed=16):
        self.line, self.nodes = line, nodes
        self.chance = random.Random(seed)
        self.users, self.tools = Zipf(users), Zipf(400)
        self.job_id = 1000000

    def kind(self, moment):
        """What the tasks of an array have in common."""
        chance = self.chance
        user = self.users.draw(chance)[0]
        cpus = chance.choice(CPUS)
        return {"user": f"u{user:04}", "account": f"lab{(user * 7 + (chance.random() < 0.1)) % 60:02}", "cpus": cpus,
                "partition": chance.choice(("short", "long", "long", "fat")), "qos": chance.choice(("normal", "normal", "high")),
                "name": f"step{chance.randrange(50)}", "tools": sorted(set(self.tools.draw(chance, chance.randint(1, 6)))),
                "seconds": min(7 * 86400, chance.lognormvariate(math.log(600), 1.6)), "memory": cpus * 4 * GIB,
                "limit": chance.choice((3600, 14400, 86400, 604800)), "submit": int(moment)}

    def jobs(self, count, seconds):
        """@count jobs in some @seconds: arrays of very different sizes, and single ones between."""
        made = 0
        while made < count:
            tasks = min(count - made, 1000, int(self.chance.paretovariate(0.9)))
            kind = self.kind(BEGIN + self.chance.random() * seconds)
            array = self.job_id
            for task in range(tasks):
                self.job_id += 1
                yield self.job(kind, array, task if tasks > 1 else None)
            made += tasks

    def scale(self, numbers, places, factor):
        for at in places:
            if at < len(numbers) and numbers[at]:
                value = numbers[at] * factor
                digits = DIGITS - 1 - int(math.log10(value)) if value >= 1 else 0
                numbers[at] = int(round(value, digits))

    def job(self, kind, array, task):
        """The job's line, and which node made it."""
        chance, line = self.chance, copy.deepcopy(self.line)
        node = f"n{chance.randrange(self.nodes):04}"
        length = max(1, kind["seconds"] * chance.lognormvariate(0, 0.3))
        start = kind["submit"] + int(chance.expovariate(1 / 900))
        end = start + int(length) + 1
        given = (end - start) * S * kind["cpus"]
        cpu = int(given * chance.betavariate(*CPU_SHARE))
        memory = int(kind["memory"] * chance.betavariate(*MEMORY_SHARE))
        line["identity"].update(job_id=self.job_id, array_job_id=array if task is not None else self.job_id, node=node,
                                cluster="foocluster")
        if task is None:
            line["identity"].pop("array_task_id", None)
        else:
            line["identity"]["array_task_id"] = task
        line["user"]["name"] = kind["user"]
        line["opened_unix_ns"] = start * S + chance.randrange(S)
        line["collector"].update(since_unix_ns=(start - 5000) * S, closed_unix_ns=end * S + chance.randrange(S))
        line["progress"].update(first_activity_unix_ns=start * S + S, last_activity_unix_ns=end * S - S)
        line["allocated"].update(cpus=kind["cpus"], memory_bytes=kind["memory"], cpu_list=f"0-{kind['cpus'] - 1}",
                                 cores={"count": kind["cpus"], "used": kind["cpus"], "unused": []})
        line.update(node_list=node, partition=kind["partition"])
        line.pop("series", None)
        self.use(line, length, cpu, memory)
        line["tools"] = [self.tool(self.line["tools"][t % 5], t, length, cpu / len(kind["tools"])) for t in kind["tools"]] + \
            [self.tool(tool, None, length, 0) for tool in self.line["tools"][5:7]]
        line["slurm"].update(job_id=self.job_id, array_job_id=line["identity"]["array_job_id"], submit_unix_s=kind["submit"],
                             start_unix_s=start, end_unix_s=end, time_limit_s=kind["limit"], cpus=kind["cpus"],
                             memory_per_node_bytes=kind["memory"], allocated_memory_bytes=kind["memory"], user=kind["user"],
                             account=kind["account"], partition=kind["partition"], qos=kind["qos"], name=kind["name"],
                             state=chance.choice(STATES), batch_host=node)
        if line["slurm"]["state"] == "COMPLETED":
            line.pop("ends", None)  # of most jobs, no process ended badly
        for step in line["steps"]:
            step[1:3] = [start * S, end * S]
        return node, json.dumps(line, separators=(",", ":"))

    def use(self, line, length, cpu, memory):
        totals, factor = line["totals"], length / 130
        self.scale(totals, TOTAL_TIMES, factor)
        totals[TOTAL_CPU] = totals[TOTAL_ON_CPU] = cpu
        totals[TOTAL_LIFETIME] = int(length * S)
        totals[TOTAL_LIMIT] = line["allocated"]["memory_bytes"]
        for at in TOTAL_MEMORY:
            totals[at] = memory
        pressure = line["pressure"]
        pressure["active_ns"], pressure["parallel_ns"] = int(length * S * 0.9), int(length * S * 0.6)
        for waits in filter(None, pressure["waits"]):  # 0: nobody waited
            self.scale(waits, range(len(waits)), factor)
        for system in line["file_systems"]:
            self.scale(system, range(1, len(system)), factor)
        line["file_systems"] = line["file_systems"][:self.chance.randint(1, 4)]

    def tool(self, like, number, length, cpu):
        tool = list(like)
        if number is not None:
            tool[0:2] = [f"tool{number:03}", None]
        self.scale(tool, TOOL_TIMES, length / 130)
        self.scale(tool, (9, 10), self.chance.lognormvariate(0, 1))
        if cpu:
            tool[TOOL_CPU] = tool[TOOL_ON_CPU] = int(cpu)
        return tool[:32]


def write_batches(cluster, directory, count, seconds, lines=BATCH_LINES):
    """Fills @directory/new. Nodes' lines are in their batches in the order in which they came; returns (batches, lines, bytes)."""
    waiting, batches, written, size = {}, 0, 0, 0

    def seal(node, text):
        nonlocal batches, size
        batches += 1
        place = f"{directory}/new/{batches % 256:02x}"
        os.makedirs(place, mode=0o750, exist_ok=True)
        head = {"store_batch": 1, "cluster": "foocluster", "node": node, "boot": "5f1f2a6e0d2e-19a2b3c4d5e", "sequence": batches,
                "sealed": "2025-11-03T00:00:00Z", "lines": len(text), "dropped": 0}
        with open(f"{place}/{node}.5f1f2a6e0d2e-19a2b3c4d5e.{batches:010}.ndjson", "w", encoding="utf-8") as file:
            size += file.write(json.dumps(head, separators=(",", ":")) + "\n" + "".join(text))

    for node, line in cluster.jobs(count, seconds):
        waiting.setdefault(node, []).append(line + "\n")
        written += 1
        if len(waiting[node]) == lines:
            seal(node, waiting.pop(node))
    for node, text in waiting.items():
        seal(node, text)
    return batches, written, size
