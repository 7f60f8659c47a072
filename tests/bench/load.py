# SPDX-License-Identifier: GPL-2.0-or-later
"""The cost of stintd itself: processor time and memory, whatever the jobs do."""
import os
import subprocess
import time

RATE = 1000  # processes a second
JOBS = 256
THREADS = 10000
CROWD = 1000  # processes that sleep
LOOK_S = 8  # how long to look at an unchanging state


def cpu_s(pid):
    """CPU time of a process' live threads, by the scheduler's own count."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="utf-8") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def memory_bytes(pid):
    """(resident, the most it was)"""
    found = {}
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name in ("VmRSS", "VmHWM"):
                found[name] = int(value.split()[0]) * 1024
    return found["VmRSS"], found["VmHWM"]


class Busy:
    """Work in the background, from the moment when it says that it is ready."""

    def __init__(self, programs, place, seconds, *arguments, wait=True):
        self.process = subprocess.Popen(
            [f"{programs}/workloads", *place.arguments(), "--free", str(seconds), *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        if wait and not self.process.stdout.readline():
            raise RuntimeError("the work could not be started: " + " ".join(arguments))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def count(self):
        """Waits for its end. Returns how many it did."""
        return int(self.process.stdout.read().split()[1])


def share(pids, seconds=LOOK_S):
    """The share of one processor that processes take."""
    start, before = time.monotonic(), sum(map(cpu_s, pids))
    time.sleep(seconds)
    return (sum(map(cpu_s, pids)) - before) / (time.monotonic() - start)


def share_with_crowd(programs, place, pids):
    """The same while @CROWD processes sleep at @place."""
    with Busy(programs, place, 86400, "crowd", str(CROWD)):
        return share(pids)


class Load:
    """Measures a collector that is on. Each step leaves its figures in @figures."""

    def __init__(self, collector, programs, say):
        self.collector, self.programs, self.say = collector, programs, say
        self.pid = collector.process.pid
        self.figures = {}

    def _look(self, name):
        resident, self.figures["memory_peak_bytes"] = memory_bytes(self.pid)
        self.figures[f"memory_{name}_bytes"] = resident

    def run(self, place, seconds, processes):
        self.figures["memory_loading_bytes"], self.figures["memory_loading_peak_bytes"] = self.collector.loading_bytes
        self._look("start")
        self.figures["idle_share"] = share([self.pid])
        self._rate(place, seconds)
        self.say(f"stintd: {CROWD} processes that sleep")
        self.figures["crowd_share"] = share_with_crowd(self.programs, place, [self.pid])
        self._jobs()
        self._threads(place)
        self._processes(place, processes)
        return self.figures

    def _rate(self, place, seconds):
        self.say(f"stintd: {RATE} processes a second for {seconds} s")
        start, before = time.monotonic(), cpu_s(self.pid)
        with Busy(self.programs, place, seconds, "rate", str(RATE), f"{self.programs}/nothing", wait=False) as work:
            count = work.count()
        took = time.monotonic() - start
        self.figures["rate_share"] = (cpu_s(self.pid) - before) / took
        self.figures["rate"] = count / took
        self._look("rate")

    def _jobs(self):
        self.say(f"stintd: {JOBS} jobs at once")
        while self.collector.jobs < JOBS:
            self.collector.open_job()
        self.figures["jobs_share"] = share([self.pid])
        self._look("jobs")

    def _threads(self, place):
        self.say(f"stintd: {THREADS} threads more")
        with Busy(self.programs, place, 86400, "threads", str(THREADS)):
            self.figures["threads_share"] = share([self.pid])
            self._look("threads")

    def _processes(self, place, processes):
        self.say(f"stintd: {processes} processes as fast as they come")
        workers = os.cpu_count() or 1
        each = str(-(-processes // workers))
        start, before = time.monotonic(), cpu_s(self.pid)
        work = [Busy(self.programs, place, 0, "count", each, f"{self.programs}/nothing", wait=False)
                for _ in range(workers)]
        try:
            self.figures["processes"] = sum(one.count() for one in work)
        finally:
            for one in work:
                one.__exit__()
        took = time.monotonic() - start
        self.figures["processes_rate"] = self.figures["processes"] / took
        self.figures["processes_share"] = (cpu_s(self.pid) - before) / took
        self._look("processes")
