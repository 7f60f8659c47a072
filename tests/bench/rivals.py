# SPDX-License-Identifier: GPL-2.0-or-later
"""The rivals of stint: a bpftrace script, and Slurm's own polling."""
import os
import re
import shutil
import signal
import subprocess
import time

START_S = 30


class Missing(Exception):
    """A rival that is not available here, with the reason."""


class Bpftrace:
    """equivalent.bt, on the job whose task is at a place."""

    name = "bpftrace"

    def __init__(self, source, work, place):
        self.script = f"{source}/tests/bench/equivalent.bt"
        self.output = f"{work}/bpftrace.out"
        self.cgroup = place.v2_id()
        self.process = None
        if not shutil.which("bpftrace"):
            raise Missing("bpftrace is not installed")
        if self.cgroup is None:
            raise Missing("bpftrace knows cgroup v2 only, and none is mounted")

    def on(self):
        # It reads the tracepoints' form in tracefs; if that is not mounted, mounts it only for itself.
        mount = "[ -e /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing; exec \"$@\""
        with open(self.output, "w", encoding="utf-8") as output:
            self.process = subprocess.Popen(["unshare", "--mount", "sh", "-c", mount, "sh", "bpftrace", self.script,
                                             str(self.cgroup)],
                                            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                            env={**os.environ, "BPFTRACE_STRLEN": "64"})
        until = time.monotonic() + START_S
        while True:
            with open(self.output, encoding="utf-8", errors="replace") as output:
                said = output.read()
            if "counting" in said:
                return
            if self.process.poll() is not None or time.monotonic() > until:
                raise Missing("bpftrace does not start: " + (said.strip().splitlines() or ["it said nothing"])[-1])
            time.sleep(0.05)

    def off(self):
        if not self.process:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    close = off


class Everywhere:
    """Where another process is: a place in each of its cgroups."""

    def __init__(self, pid):
        self.files = []
        with open(f"/proc/{pid}/cgroup", encoding="utf-8") as lines:
            cgroups = [line.rstrip("\n").split(":", 2)[1:] for line in lines]
        with open("/proc/self/mounts", encoding="utf-8") as mounts:
            for line in mounts:
                _, mount, kind, options, *_ = line.split()
                for controllers, path in cgroups:
                    if kind == ("cgroup" if controllers else "cgroup2") and path != "/" and \
                            set(controllers.split(",")) - {""} <= set(options.split(",")):
                        self.files.append(f"{mount}{path}/cgroup.procs")

    def arguments(self):
        return [word for file in self.files for word in ("--join", file)]


class JobacctGather:
    """
    Slurm's polling once a second, in a testbed without a collector. Off: the job's step daemons are
    stopped, so that none polls.
    """

    name = "jobacct_gather"

    def __init__(self, source, build, work):
        self.testbed = f"{source}/contrib/testbed"
        self.directory = f"{work}/testbed"
        self.environment = {**os.environ, "STINT_BUILD": build, "STINT_TESTBED": self.directory}
        self.daemons = []
        self.place = None
        self.up = False
        for program in ("munged", "slurmctld", "slurmd", "sbatch"):
            if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
                raise Missing(f"{program} is not installed")

    def __enter__(self):
        self.up = True
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.on()
        if self.up:
            subprocess.run([self.testbed, "down"], env=self.environment, capture_output=True, check=False)
        self.up = False

    def _run(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False,
                              cwd=self.directory if os.path.isdir(self.directory) else "/")
        if done.returncode != 0:
            raise Missing(f"{os.path.basename(command[0])}: {(done.stderr.strip().splitlines() or ['it failed'])[-1]}")
        return done.stdout

    def _start(self):
        for name, value in re.findall(r"^export (\w+)=(\S+?);?$", self._run(self.testbed, "up"), re.MULTILINE):
            self.environment[name] = value.strip("'\"")
        self._end_collector()
        self._run("sbatch", "--acctg-freq=task=1", "--stint=off", "--output=/dev/null",
                  f"--wrap=echo $$ >{self.directory}/job.pid; exec sleep 100000")
        until = time.monotonic() + START_S
        while not os.path.exists(f"{self.directory}/job.pid") or not os.path.getsize(f"{self.directory}/job.pid"):
            if time.monotonic() > until:
                raise Missing("Slurm did not start the job")
            time.sleep(0.1)
        with open(f"{self.directory}/job.pid", encoding="utf-8") as file:
            pid = int(file.read())
        self.place = Everywhere(pid)
        self.daemons = self._step_daemons(pid)

    def _end_collector(self):
        """Ends the testbed's stintd and removes its pins, so that only Slurm is measured."""
        with open(f"{self.directory}/pid/stintd", encoding="utf-8") as file:
            os.kill(int(file.read().split()[0]), signal.SIGTERM)
        time.sleep(1)
        shutil.rmtree(f"{self.directory}/bpf/stint")

    @staticmethod
    def _step_daemons(pid):
        """All processes of the job to which @pid belongs: of the batch step and the extern step."""
        def title(process):
            with open(f"/proc/{process}/cmdline", "rb") as file:
                return file.read().decode(errors="replace").rstrip("\0 ")

        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            parent = file.read().rpartition(")")[2].split()[1]
        job = title(parent).partition(".")[0] + "."
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if title(name).startswith(job):
                    found.append(int(name))
            except OSError:  # ended meanwhile
                pass
        return found

    def on(self):
        for daemon in self.daemons:
            os.kill(daemon, signal.SIGCONT)

    def off(self):
        for daemon in self.daemons:
            os.kill(daemon, signal.SIGSTOP)
