# SPDX-License-Identifier: GPL-2.0-or-later
"""The benchmark's own stintd, which can be switched off and on within milliseconds."""
import json
import os
import signal
import subprocess
import time

import load
import tables

START_S = 60
PROOF_S = 0.2
REPORT_S = 10


class Links:
    """The tool "links", which switches the programs pinned in a directory off and on, and counts their cost."""

    def __init__(self, programs, directory):
        self.process = subprocess.Popen([f"{programs}/links", directory], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self._answer()

    def _answer(self):
        lines = []
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line == "ok":
                return lines
            if line.startswith("error: "):
                raise RuntimeError("links: " + line[len("error: "):])
            lines.append(line)
        raise RuntimeError("links ended")

    def tell(self, command):
        """Sends a command; returns the lines of its answer."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self._answer()

    def stats(self):
        """{program: (hook, runs, ns, runs of the empty one, its ns)}"""
        found = {}
        for line in self.tell("stats"):
            program, hook, *numbers = line.split()
            found[program] = (hook, *map(int, numbers))
        return found

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Empties:
    """
    Programs that do nothing, on the same hooks as those of @links. Their cost can be saved only in the kernel,
    or by using fewer hooks.
    """

    name = tables.EMPTIES

    def __init__(self, links):
        self.links = links

    def on(self):
        self.links.tell("empty")

    def off(self):
        self.links.tell("no-empty")


class Collector:
    """
    stintd with directories of its own. Off: its programs are detached and it is stopped; the contents
    of its maps stay, so that its jobs are known when it is on again.
    """

    def __init__(self, name, build, programs, work, node, settings=()):
        self.name, self.build, self.programs, self.work, self.node = name, build, programs, work, node
        self.settings = settings  # more lines for stint.conf
        self.run_dir = f"{work}/run"
        self.process = self.links = None
        self.loading_bytes = None  # memory of the stintd that loaded the programs: (then, the most)
        self.mounted = False
        self.jobs = 0
        self.place = None  # of the first job's task
        self.answer_us = None  # how long it took to answer last

    def __enter__(self):
        os.makedirs(f"{self.work}/bpf")
        subprocess.run(["mount", "-t", "bpf", "-o", "mode=0700", "bpf", f"{self.work}/bpf"], check=True)
        self.mounted = True
        try:
            with open(f"{self.work}/stint.conf", "w", encoding="utf-8") as conf:
                own = (f"run_dir = {self.run_dir}", f"metrics = {self.work}/metrics", f"spool_dir = {self.work}/spool",
                       f"bpf_dir = {self.work}/bpf/stint")
                conf.writelines(line + "\n" for line in (*own, *self.settings))
            # The first holds the links itself. The second takes over the pins, because there is a job; then only the pins hold them.
            self._start()
            self.loading_bytes = load.memory_bytes(self.process.pid)
            self.place = self.open_job()
            self._stop()
            self._start()
            self.links = Links(self.programs, f"{self.work}/bpf/stint")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process:
            self._stop()
        if self.links:
            self.links.close()
        if self.mounted:
            subprocess.run(["umount", f"{self.work}/bpf"], check=True)

    def log(self):
        """stintd's output."""
        with open(f"{self.work}/stintd.log", encoding="utf-8", errors="replace") as log:
            return log.read()

    def _start(self):
        socket = f"{self.run_dir}/stintd.sock"
        if os.path.exists(socket):
            os.unlink(socket)
        with open(f"{self.work}/stintd.log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([f"{self.build}/collector/stintd", "--config", f"{self.work}/stint.conf"],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env={**os.environ, "STINT_LIBEXEC": f"{self.build}/reports"})
        until = time.monotonic() + START_S
        while not os.path.exists(socket):
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("stintd did not start: " + self.log().strip().rpartition("\n")[2])
            time.sleep(0.02)

    def _stop(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def _tell(self, job, *pids):
        told = subprocess.run([f"{self.programs}/job", self.run_dir, str(job), self.work, *map(str, pids)], check=True,
                              stdout=subprocess.PIPE)
        self.answer_us = float(told.stdout)

    def open_job(self):
        """Has a new job counted. Returns the place of its task."""
        self.jobs += 1
        task, *pids = self.node.job(self.jobs)
        self._tell(self.jobs, *pids)
        return task

    def _report(self):
        """The last job's report, which is written when the close has been answered."""
        path, until = f"{self.work}/stint-{self.jobs}.json", time.monotonic() + REPORT_S
        while not os.path.exists(path) and time.monotonic() < until:
            time.sleep(0.01)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def prove(self, workload):
        """
        Checks with a job's report that every process that runs while it is on is counted, and none that runs while it is off; otherwise
        there would be nothing to compare. @workload spawns "nothing".
        """
        self.jobs += 1
        task, *pids = self.node.job(self.jobs)
        self._tell(self.jobs, *pids)
        count = workload.run(self.programs, task, PROOF_S).count
        self.off()
        workload.run(self.programs, task, PROOF_S)
        self.on()
        for pid in pids:
            self.node.end(pid)
        self._tell(self.jobs)
        report = self._report()
        runs = sum(tool["runs"] for tool in report["tools"] if tool["name"] == "nothing")
        # The user's processes: those, the one that spawned them, and the task.
        told = report["used"]["processes"]
        if runs != count or told != count + 2:
            raise RuntimeError(f"of {count} processes stint reported {runs} runs and {told} - 2 processes: "
                               "what it costs cannot be measured")

    def on(self):
        self.process.send_signal(signal.SIGCONT)
        self.links.tell("on")

    def off(self):
        self.links.tell("off")
        self.process.send_signal(signal.SIGSTOP)
