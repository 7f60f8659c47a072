# SPDX-License-Identifier: GPL-2.0-or-later
"""Cgroups like Slurm's for a job, without Slurm, and places for the benchmark's processes in them."""
import os
import shutil
import subprocess
import time

# The controllers of cgroup v1 in which Slurm makes a job's cgroups.
CONTROLLERS = ("cpuacct", "memory", "freezer")


def hierarchies():
    """{controller: where it is mounted}; cgroup v2, if there, is ""."""
    found = {}
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        for line in mounts:
            _, path, kind, options, *_ = line.split()
            if kind == "cgroup2":
                found.setdefault("", path)
            elif kind == "cgroup":
                for controller in set(options.split(",")) & set(CONTROLLERS):
                    found.setdefault(controller, path)
    return found


class Place:
    """A path in some of the hierarchies, {controller: path}, into which processes can be put."""

    def __init__(self, mounts, paths):
        self.directories = {controller: mounts[controller] + path
                            for controller, path in paths.items() if controller in mounts}
        for directory in self.directories.values():
            os.makedirs(directory, exist_ok=True)

    def arguments(self):
        """For workloads: join it."""
        return [word for directory in sorted(set(self.directories.values()))
                for word in ("--join", directory + "/cgroup.procs")]

    def v2_id(self):
        """The id of its cgroup in the v2 hierarchy, which bpftrace knows; None if there is none."""
        return os.stat(self.directories[""]).st_ino if "" in self.directories else None


class Node:
    """The benchmark's own branch of each hierarchy."""

    def __init__(self, programs, work):
        self.programs = programs  # where the built ones are
        self.step_daemon = f"{work}/slurmstepd"  # a separate file, by which stint recognizes the step daemon
        shutil.copy(f"{programs}/workloads", self.step_daemon)
        self.mounts = hierarchies()
        self.branch = f"/stint-bench-{os.getpid()}"
        self.holders = {}
        if not self.mounts:
            raise RuntimeError("no cgroup file system is mounted")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in list(self.holders):
            self.end(pid)
        for mount in set(self.mounts.values()):
            self._remove(mount + self.branch)

    @staticmethod
    def _remove(branch):
        until = time.monotonic() + 5
        while os.path.isdir(branch):
            for directory, _, _ in os.walk(branch, topdown=False):
                try:
                    os.rmdir(directory)
                except OSError:  # its last process is still ending
                    time.sleep(0.02)
            if time.monotonic() > until:
                raise RuntimeError(f"{branch} cannot be removed")

    def outside(self):
        """A place outside jobs, as deep as one."""
        path = f"{self.branch}/none/step_0/task_0"
        return Place(self.mounts, {controller: path for controller in (*CONTROLLERS, "")})

    def hold(self, place, program=None):
        """Starts a process there that sleeps. Returns its pid."""
        holder = subprocess.Popen([program or f"{self.programs}/workloads", *place.arguments(), "86400", "hold"],
                                  stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.holders[holder.pid] = holder
        if not holder.stdout.readline():
            raise RuntimeError("a process could not be put into its cgroup")
        holder.stdout.close()
        return holder.pid

    def end(self, pid):
        """Ends what hold() started."""
        holder = self.holders.pop(pid)
        holder.kill()
        holder.wait()

    def job(self, number):
        """
        A job of one step and one task, in Slurm's layout: (the task's place, the step daemon's pid, the task's).
        """
        job = f"{self.branch}/job_{number}"
        daemon = {"memory": f"{job}/step_0", "freezer": job}
        task = {controller: f"{job}/step_0/task_0" for controller in CONTROLLERS}
        if set(self.mounts) == {""}:
            daemon[""] = f"{job}/step_0/slurm"
            task[""] = f"{job}/step_0/user/task_0"
        else:  # beside v1, only for bpftrace
            task[""] = f"{job}/task_0"
        task = Place(self.mounts, task)
        return task, self.hold(Place(self.mounts, daemon), self.step_daemon), self.hold(task)
