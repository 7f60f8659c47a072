# SPDX-License-Identifier: GPL-2.0-or-later
"""How evenly a job computes: the slowest of its quanta, and how long stintd has a processor without a break."""
import re
import shutil
import subprocess
import time

from load import Busy, cpu_s
from workload import Workload

THREADS = 2000  # of the job, that sleep: the walk looks at each
LONGER = 80  # times another workload's run: a thousand quanta a second, of which one in ten thousand may be slower
QUANTUM = Workload("quantum", "", "quantum", "quantum")
SWITCHED = re.compile(r"([\d.]+): .*prev_pid=(\d+) .*next_pid=(\d+)")


def lengths_us(lines, pid):
    """How long @pid was on a processor each time, sorted by length; @lines are perf's, one for each switch."""
    found, begun = [], None
    for line in lines:
        said = SWITCHED.search(line)
        if not said:
            continue
        when, before, then = float(said[1]), int(said[2]), int(said[3])
        if before == pid and begun is not None:
            found.append((when - begun) * 1e6)
            begun = None
        if then == pid:
            begun = when
    return sorted(found)


def switches(pid):
    """How often a process of one thread has left a processor."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return sum(map(int, re.findall(r"ctxt_switches:\s+(\d+)", file.read())))


def stretches_us(pid, work, seconds):
    """The same for a process that runs now; None if perf is not installed or sees nothing."""
    if not shutil.which("perf"):
        time.sleep(seconds)
        return None
    data = f"{work}/perf.data"
    subprocess.run(["perf", "record", "-q", "-a", "-e", "sched:sched_switch", "--filter",
                    f"prev_pid=={pid}||next_pid=={pid}", "-o", data, "--", "sleep", str(seconds)],
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    said = subprocess.run(["perf", "script", "-i", data, "-F", "time,event,trace"], capture_output=True, text=True,
                          check=False)
    return lengths_us(said.stdout.splitlines(), pid) or None


def measure(collector, bench, places, work, count):
    """@collector is off. Returns how many stretches there were, their mean, and, if perf can measure them, their 99th percentile and the
    longest."""
    figures = {"threads": THREADS, "pairs": []}
    seconds, pid = bench.seconds * LONGER, collector.process.pid
    with Busy(bench.programs, places["job"], 86400, "threads", str(THREADS)):
        found = bench.alternate(collector, [QUANTUM], {"job": places["job"]}, count, seconds=seconds)
        figures["pairs"] = found.pairs["quantum", "job"]
        collector.on()
        bench.say("jitter: stintd at a stretch")
        with Busy(bench.programs, places["job"], 86400, "quantum", wait=False):
            before = switches(pid), cpu_s(pid)
            lengths = stretches_us(pid, work, seconds)
            figures["switches"] = switches(pid) - before[0]
            figures["mean_us"] = 1e6 * (cpu_s(pid) - before[1]) / max(1, figures["switches"])
        collector.off()
    if lengths:
        figures["stretches"] = len(lengths)
        figures["most_us"] = lengths[int(0.99 * (len(lengths) - 1))]
        figures["longest_us"] = lengths[-1]
    return figures
