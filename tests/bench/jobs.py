# SPDX-License-Identifier: GPL-2.0-or-later
"""How many jobs a Slurm runs, with stint and without: an array of tasks that do nothing, on two nodes of this machine."""
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from rivals import Missing

TASKS = 200
ROUNDS = 5
TICKS = os.sysconf("SC_CLK_TCK")
SETTLED_S = 3  # by then the last writers have ended


def ticks(pid):
    """CPU time of a process and its children that have ended; 0: it has ended itself."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:15]))
    except OSError:
        return 0


PLUGINS = ("stint_contain.so", "stint.so")


class Slurm:
    """
    A testbed of two nodes with one of the plugins, or "none". "none" is a separate Slurm: a slurmd that loaded stint.so at its start
    runs its epilog's process for each job, whatever plugstack.conf says later.
    """

    def __init__(self, source, build, work, plugin="stint.so"):
        self.testbed = f"{source}/contrib/testbed"
        self.directory = f"{work}/jobs-{plugin.partition('.')[0]}"
        self.environment = {**os.environ, "STINT_BUILD": build, "STINT_TESTBED": self.directory, "STINT_TESTBED_PLUGIN": plugin}
        self.plugins = f"{self.directory}/etc/plugstack.conf"
        self.memory = None

    def __enter__(self):
        for name, value in re.findall(r"^export (\w+)=(\S+?);?$", self.run("up", "--nodes", "2"), re.MULTILINE):
            self.environment[name] = value.strip("'\"")
        self.keep_in_memory()
        return self

    def __exit__(self, *_):
        subprocess.run([self.testbed, "down"], env=self.environment, capture_output=True, check=False)
        if self.memory:
            shutil.rmtree(self.memory, ignore_errors=True)

    def keep_in_memory(self):
        """run_dir is in memory on any machine (/run/stint); a testbed's is next to its other directories, on a disk."""
        run = f"{self.directory}/run"
        self.memory = tempfile.mkdtemp(prefix="stint-bench.", dir="/dev/shm")
        for name in (self.plugins, f"{self.directory}/etc/stint.conf"):
            with open(name, encoding="utf-8") as file:
                text = file.read()
            with open(name, "w", encoding="utf-8") as file:
                file.write(re.sub(f"(run_dir ?= ?){run}", rf"\1{self.memory}/run", text))
        os.rename(run, f"{run}.before")
        os.symlink(f"{self.memory}/run", run)
        self.run("restart-collector")

    def run(self, *words):
        done = subprocess.run([self.testbed, *words], env=self.environment, capture_output=True, text=True, check=False,
                              cwd="/")
        if done.returncode != 0:
            raise Missing(f"testbed {words[0]}: {(done.stderr.strip().splitlines() or ['it failed'])[-1]}")
        return done.stdout

    def cpu_s(self):
        """CPU time of stintd and of its ended children; stint-slurm-job, which still runs, is added."""
        with open(f"{self.directory}/pid/stintd", encoding="utf-8") as file:
            pid = file.read().split()[0]
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return sum(map(ticks, [pid, *file.read().split()])) / TICKS

    def array_s(self):
        """From an array's submission to its last task's end."""
        before = time.monotonic()
        job = self.run("exec", "sbatch", "--parsable", f"--chdir={self.directory}/home", f"--array=1-{TASKS}",
                       "--output=/dev/null", "--wrap=true").strip()
        while self.run("exec", "squeue", "--noheader", "--jobs", job).strip():
            time.sleep(0.05)
        return time.monotonic() - before


def measure_round(beds, number, figures):
    """One array on each testbed; each round begins with another testbed."""
    names = list(beds)
    seconds = {}
    for name in names[number % len(names):] + names[:number % len(names)]:
        before = beds[name].cpu_s()
        seconds[name] = beds[name].array_s()
        time.sleep(SETTLED_S)
        if name != "none":
            figures[name]["cpu_ms"].append(1000 * (beds[name].cpu_s() - before) / TASKS)
    for name in PLUGINS:
        figures[name]["pairs"].append((seconds["none"], seconds[name]))


def measure(source, build, work, say):
    """{"tasks", "plugins": {name: {"pairs": [(without, with)], "cpu_ms": of a job, the median}}}"""
    figures = {name: {"pairs": [], "cpu_ms": []} for name in PLUGINS}
    with contextlib.ExitStack() as stack:
        beds = {name: stack.enter_context(Slurm(source, build, work, name)) for name in ("none", *PLUGINS)}
        for bed in beds.values():
            bed.array_s()  # the first one makes directories, and reads data that later ones find in the page cache
        for number in range(ROUNDS):
            say(f"arrays of {TASKS} tasks, {number + 1} of {ROUNDS}")
            measure_round(beds, number, figures)
    for one in figures.values():
        one["cpu_ms"] = statistics.median(one["cpu_ms"])
    return {"tasks": TASKS, "plugins": figures}
