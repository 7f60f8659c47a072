# SPDX-License-Identifier: GPL-2.0-or-later
"""The workloads: what they run, and how long one operation took."""
import json
import os
import re
import subprocess
import typing

DD_BYTES = 600000  # in DD_SECONDS, about
DD_SECONDS = 0.15
FIO_BYTES = 16 << 20
FIO = ("--name=bench", f"--size={FIO_BYTES}", "--rw=randread", "--bs=4k", "--ioengine=psync", "--iodepth=1",
       "--time_based", "--output-format=json")


class Failed(Exception):
    """A workload that cannot be run here, with the reason."""


class Result(typing.NamedTuple):
    """The result of one run."""

    ns: float  # for an operation
    count: int  # of operations


class Workload:
    """One of workloads.c."""

    def __init__(self, name, title, unit, *arguments, blocks=True):
        self.name, self.title, self.unit, self.arguments = name, title, unit, arguments
        self.blocks = blocks  # its system calls block

    def command(self, seconds):
        return [str(seconds), *self.arguments]

    def result(self, output):
        ns, count = output.split()
        return Result(float(ns), int(count))

    def run(self, programs, place, seconds):
        """Runs it at @place for @seconds. Returns its Result; raises Failed."""
        done = subprocess.run([f"{programs}/workloads", *place.arguments(), *self.command(seconds)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              env={"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C"})
        if done.returncode != 0:
            raise Failed((done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1])
        return self.result(done.stdout + done.stderr)


class Dd(Workload):
    """dd itself, which prints how long it took."""

    def command(self, seconds):
        count = int(DD_BYTES * seconds / DD_SECONDS)
        return ["0", "run", "dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={count}"]

    def result(self, output):
        said = re.search(r"^(\d+) bytes .*copied, ([0-9.e-]+) s", output, re.MULTILINE)
        if not said:
            raise Failed("dd printed no time")
        return Result(float(said[2]) * 1e9 / int(said[1]), int(said[1]))


class Fio(Workload):
    """fio, by the mean of the latencies that it measured."""

    def command(self, seconds):
        return ["0", "run", "fio", *FIO, f"--runtime={int(seconds * 1000)}ms", *self.arguments]

    def result(self, output):
        start = output.find("{")
        if start < 0:
            raise Failed("fio said nothing")
        read = json.JSONDecoder().raw_decode(output[start:])[0]["jobs"][0]["read"]
        return Result(read["lat_ns"]["mean"], read["total_ios"])


def make_file(path):
    """A file of data for fio, in the page cache: one each, since O_DIRECT throws a file's pages out."""
    with open(path, "wb") as file:
        for _ in range(FIO_BYTES >> 20):
            file.write(os.urandom(1 << 20))
        os.fsync(file.fileno())
    return f"--filename={path}"


def spawn(programs):
    """Processes that do nothing, one after the other."""
    return Workload("spawn", "spawn loop: vfork, exec, exit, wait", "process", "spawn", f"{programs}/nothing")


def all_of_them(programs, work):
    """In the order of the tables."""
    cached, direct = (make_file(f"{work}/fio.{name}") for name in ("cached", "direct"))
    return [
        spawn(programs),
        Workload("pipe", "sched pipe, both ends on one CPU", "round trip", "pipe"),
        Workload("pipe-far", "sched pipe, on two CPUs", "round trip", "pipe-far"),
        Dd("dd", "dd bs=1 from /dev/zero to /dev/null", "byte", blocks=False),
        Workload("copy", "read and write of a byte, the same without dd", "byte", "copy", blocks=False),
        Workload("open", "open-close loop", "open", "open", f"{programs}/nothing", blocks=False),
        Workload("tcp", "TCP over the loopback, 64 bytes to and fro", "round trip", "tcp"),
        Fio("fio-cached", "fio, 4 KiB reads at depth 1, page cache", "read", cached, "--invalidate=0", "--pre_read=1",
            blocks=False),
        Fio("fio-direct", "fio, 4 KiB reads at depth 1, O_DIRECT", "read", direct, "--direct=1"),
        Workload("compute", "arithmetic alone", "1,000 steps", "compute", blocks=False),
    ]
