#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
What a job waited for as a whole, computed from what tracefs recorded of its threads: a model of
docs/record.md's PRESSURE that shares nothing with the kernel programs.

pressure_model.py TRACE DIRECTORY REPORT    holds REPORT against it: status 1 where a measure is further off than 1 % + 1 ms, and 10 us for each wait

TRACE is what tracefs.bash has recorded, on the clock "mono": TRACE.jobs what threads of jobs did, and TRACE.all the switches
of all tasks. TRACE.stolen has how many ms a hypervisor took meanwhile, in whole ticks: so far the two may be apart, too. The job begins at the
exec of its "slurm_script" below DIRECTORY, slurmd's, and is that task and all it forks.

A thread is busy from its fork on, and again from each wake-up, on a CPU or not; from a switch-out in
which it sleeps it waits, for what its system call tells. Read and write tell by the file's number, which the
tests' programs choose: 100 to 199 are pipes, 200 to 299 sockets; of others, what sleeps interruptibly is a pipe.

A kernel can run neither the recorder nor BPF programs while some of its tasks are on a CPU: threads of pid 1 of a virtual
machine were so, whose switch-outs are in no trace. If an interrupt wakes one of the job's threads meanwhile, no program sees
it. The time until that thread's next switch, which is what can be told wrongly then, is allowed for, and printed. So it is
where the thread takes the CPU right from that task, and is first seen when it leaves it.

What an exit waits for is in no trace: the kernel may hold it up, or it may close files. How long it waits is known, so that
only its kind is allowed for: it may be the one or the other.

The recorder alone misses a wake-up now and then (seen once, and nothing was lost by its own words): then a thread
runs, and nobody woke it. It woke at some time since it fell asleep: that time is allowed for, and printed.
"""
import json
import re
import sys

TICK_S = 0.01  # of /proc/stat, which tells nothing of what is less: one recording was 2.7 ms apart
WAIT_S = 1e-5  # the trace's clock is read later at a switch than the scheduler's: 9 us of each wait for a disk, once

# with several waits at once, the first of these has bound the job
KINDS = ["memory_stall", "fault_io", "file_io", "gpu", "network", "lock", "pipe", "other", "event", "condition", "child", "sleep"]

NAMES = {
    "file_io": """open openat openat2 creat close close_range dup2 dup3 fsync fdatasync sync syncfs sync_file_range msync
        ftruncate truncate fallocate fadvise64 lseek getdents getdents64 newstat newlstat newfstat newfstatat stat lstat
        fstat statx statfs fstatfs access faccessat faccessat2 rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat
        link linkat symlink symlinkat readlink readlinkat chmod fchmod fchmodat chown fchown fchownat lchown utimensat chdir
        fchdir getcwd execve execveat""",
    "network": "recvfrom recvmsg recvmmsg sendto sendmsg sendmmsg connect accept accept4 shutdown",
    "lock": "flock fcntl",
    "condition": "semop semtimedop",
    "event": "poll ppoll select pselect6 epoll_wait epoll_pwait epoll_pwait2",
    "child": "wait4 waitid fork vfork clone clone3",
    "sleep": "nanosleep clock_nanosleep pause rt_sigsuspend rt_sigtimedwait restart_syscall",
}
EXITS = {"exit", "exit_group"}
EXIT_KINDS = "file_io", "other"  # in the order of KINDS
KIND_OF_CALL = {call: kind for kind, calls in NAMES.items() for call in calls.split()}
BY_FILE = {"read", "pread64", "readv", "preadv", "preadv2", "write", "pwrite64", "writev", "pwritev", "pwritev2"}
ADDRESS_SPACE = {"mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "mlock", "munlock"}

FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_LOCK_PI2, FUTEX_COMMANDS = 0, 6, 13, 0x7F
CLONE_VFORK = 0x4000
MUTEX_CONTENDED = 2  # what a mutex of glibc holds while somebody waits

LINE = re.compile(r"-(\d+) +\[(\d+)\] \S+ +(\d+)\.(\d{6}): (\w+)(?:: |( -> )|\()(.*)$")
SWITCH = re.compile(r"prev_pid=(\d+) prev_prio=-?\d+ prev_state=(\S+) ==> next_comm=.* next_pid=(\d+)")
WOKEN = re.compile(r" pid=(\d+) prio=")
FORKED = re.compile(r" pid=(\d+) child_comm=.* child_pid=(\d+)")
EXECED = re.compile(r"filename=(.*) pid=(\d+) old_pid=(\d+)")
ARGUMENT = re.compile(r"\w+: (0x[0-9a-f]+|\d+)")


def arguments_of(text):
    """The numbers a call was given. They are hexadecimal, small ones without a prefix."""
    return [int(number, 16) for number in ARGUMENT.findall(text)]


class Thread:
    """One thread of the trace, of the job or not."""

    def __init__(self):
        self.call = None  # the system call it is in, and its arguments
        self.arguments = ""
        self.unseen = None  # since when it has been awake without a program's having seen it, and what it waited for
        self.state = None  # for a thread of the job: "busy", a kind of wait, or "ended"
        self.since = 0
        self.on_cpu = False

    def waits_for(self, state):
        """The kind of wait of a thread that is switched out in @state."""
        if self.call is None:
            return "fault_io" if state == "D" else "other"
        if self.call in BY_FILE:
            file = arguments_of(self.arguments)[0]
            if 100 <= file < 200:
                return "pipe"
            if 200 <= file < 300:
                return "network"
            return "pipe" if state == "S" else "file_io"
        if self.call == "futex":
            return self.futex_kind()
        if self.call in ADDRESS_SPACE:
            return "lock" if state == "D" else "other"
        if KIND_OF_CALL.get(self.call) == "child" and state == "D" and not self.waits_in_vfork():
            return "other"  # the kernel holds it up, as it does an exit: wait4() waits as S, and a fork waits for no child
        return KIND_OF_CALL.get(self.call, "other")

    def waits_in_vfork(self):
        return self.call == "vfork" or self.call == "clone" and bool(arguments_of(self.arguments)[0] & CLONE_VFORK)

    def futex_kind(self):
        word, operation, value = arguments_of(self.arguments)[:3]
        command = operation & FUTEX_COMMANDS
        if command in (FUTEX_LOCK_PI, FUTEX_LOCK_PI2):
            return "lock"
        return "lock" if command == FUTEX_WAIT and value == MUTEX_CONTENDED and word % 8 == 0 else "condition"


class Job:
    """The sums of a job, moved on from event to event."""

    def __init__(self):
        self.busy = self.peak = self.count = 0
        self.waiting = dict.fromkeys(KINDS, 0)
        self.waits = dict.fromkeys(KINDS, 0)
        self.active = self.parallel = self.on_cpu = self.runnable = 0
        self.some, self.full, self.bound, self.thread = (dict.fromkeys(KINDS, 0) for _ in range(4))
        self.now = None

    def pass_to(self, now):
        """The time up to @now was as it has been since the event before."""
        if self.now is not None:
            self.add(now - self.now)
        self.now = now

    def add(self, time):
        self.active += time if self.busy else 0
        self.parallel += time if self.busy > 1 else 0
        waiting = [kind for kind in KINDS if self.waiting[kind]]
        for kind in waiting:
            self.some[kind] += time
            self.thread[kind] += time * self.waiting[kind]
            self.full[kind] += 0 if self.busy else time
        if waiting and not self.busy:
            self.bound[waiting[0]] += time

    def enter(self, thread, state):
        """@thread is from now on in @state; None: it is gone."""
        if thread.state == "busy":
            self.busy -= 1
        elif thread.state in self.waiting:
            self.waiting[thread.state] -= 1
        if state == "busy":
            self.busy += 1
            self.peak = max(self.peak, self.busy)
        elif state in self.waiting:
            self.waiting[state] += 1
            self.waits[state] += 1
        thread.state = state


def events_of(lines):
    """The events of a recording: who was on which CPU, when (us), what, whether a call returned, and the rest."""
    for line in lines:
        match = LINE.search(line)
        if match:
            pid, cpu, seconds, micros, event, returned, rest = match.groups()
            yield int(pid), cpu, int(seconds) * 1000000 + int(micros), event, bool(returned), rest
        elif "LOST" in line:
            sys.exit(f"the trace is not whole: {line.strip()}")


def find_blind(events):
    """The tasks that were switched in, and never seen being switched out. Not the idle ones: they are seen by programs."""
    running, blind, seen = {}, set(), set()
    for _, cpu, _, _, _, rest in events:
        prev, _, following = SWITCH.search(rest).groups()
        if running.get(cpu, prev) != prev:
            blind.add(running[cpu])
        seen.add(prev)
        running[cpu] = following
    return {int(pid) for pid in blind - seen} - {0}


class Model:
    """Reads the events in their order."""

    def __init__(self, directory, job_id, blind):
        self.directory = directory
        self.script = f"/job{job_id:05}/slurm_script"
        self.threads = {}
        self.job = Job()
        self.began = False
        self.blind = blind
        self.unseen = dict.fromkeys(KINDS, 0)  # for how long a thread was awake that no program had seen being woken
        self.exits = 0  # for how long exits waited
        self.odd = []  # what a whole trace never has

    def thread(self, pid):
        return self.threads.setdefault(pid, Thread())

    def read(self, events):
        for pid, _, now, event, returned, rest in events:
            self.event(pid, now, event, returned, rest)
        if not self.began:
            sys.exit("the trace has no job: no slurm_script was executed")
        left = [pid for pid, thread in self.threads.items() if thread.state]
        if left:
            self.odd.append(f"threads that never ended: {left}")

    def event(self, pid, now, event, returned, rest):
        if event.startswith("sys_"):
            thread = self.thread(pid)
            thread.call, thread.arguments = (None, "") if returned else (event[len("sys_"):], rest)
        elif event == "sched_switch":
            self.switch(now, *SWITCH.search(rest).groups())
        elif event == "sched_wakeup":
            self.wake(now, self.thread(int(WOKEN.search(rest).group(1))), pid in self.blind)
        elif event == "sched_process_fork":
            self.fork(now, *(self.thread(int(number)) for number in FORKED.search(rest).groups()))
        elif event == "sched_process_exec":
            self.execed(now, *EXECED.search(rest).groups())

    def execed(self, now, name, pid, old_pid):
        thread = self.thread(int(pid))
        if thread.state is None and name.startswith(self.directory) and name.endswith(self.script):
            if self.began:
                self.odd.append("more than one slurm_script")
            self.began = True
            self.begin(now, thread)
            thread.on_cpu = True
        elif thread.state and pid != old_pid:
            self.odd.append(f"{name} was executed by another thread than the first")

    def fork(self, now, parent, child):
        child.call, child.arguments, child.state = parent.call, parent.arguments, None
        if parent.state:
            self.begin(now, child)

    def begin(self, now, thread):
        self.job.pass_to(now)
        self.job.enter(thread, "busy")
        self.job.count += 1
        thread.since, thread.on_cpu = now, False

    def charge(self, now, thread):
        """The busy time of @thread up to now was on a CPU or not."""
        if thread.state == "busy":
            if thread.on_cpu:
                self.job.on_cpu += now - thread.since
            else:
                self.job.runnable += now - thread.since
        thread.since = now

    def switch(self, now, prev_pid, state, next_pid):
        prev, following = self.threads.get(int(prev_pid)), self.threads.get(int(next_pid))
        if prev and prev.state:
            self.out(now, int(prev_pid), prev, state)
        if following and following.state:
            if following.state != "busy":
                print(f"{now}: thread {next_pid} runs, and nobody woke it")
                self.unseen[following.state] += now - following.since
                self.wake(now, following, False)
            self.seen(now, following)
            self.charge(now, following)
            following.on_cpu = True

    def out(self, now, pid, thread, state):
        self.job.pass_to(now)
        self.seen(now, thread)
        if thread.state != "busy":
            self.came_unseen(now, pid, thread)
        self.charge(now, thread)
        thread.on_cpu = False
        if state[0] in "XZ":
            self.job.enter(thread, None)
        elif state[0] != "R":
            self.job.enter(thread, thread.waits_for(state[0]))

    def came_unseen(self, now, pid, thread):
        """@thread was woken in the context of a blind task, and took its CPU: neither is in the trace."""
        if not self.blind:
            self.odd.append(f"{now}: thread {pid} leaves a CPU, and waited before")
            return
        print(f"{now}: thread {pid} leaves a CPU, and waited before")
        self.unseen[thread.state] += now - thread.since
        self.wake(now, thread, False)
        thread.on_cpu = True

    def wake(self, now, thread, unseen):
        if thread.state in (None, "busy"):
            return
        self.job.pass_to(now)
        if thread.call in EXITS:
            self.exits += now - thread.since
        if unseen:
            thread.unseen = (now, thread.state)
        self.job.enter(thread, "busy")
        thread.since = now

    def seen(self, now, thread):
        """@thread is at a switch, which programs see."""
        if thread.unseen:
            since, kind = thread.unseen
            self.unseen[kind] += now - since
            thread.unseen = None

    def told(self):
        """The result in the report's words."""
        job = self.job

        def seconds(micros):
            return micros / 1e6

        def each(sums):
            return {kind + "_s": seconds(time) for kind, time in sums.items()}

        return {
            "active_s": seconds(job.active), "parallel_s": seconds(job.parallel), "busy_peak": job.peak,
            "some": each(job.some), "full": each(job.full), "bound": each(job.bound), "waits": job.waits,
            "on_cpu_s": seconds(job.on_cpu), "runnable_s": seconds(job.runnable), **each(job.thread),
            "threads": job.count, "unseen": each(self.unseen), "exits_s": seconds(self.exits), "odd": self.odd,
        }


def allowed(model, measure, name):
    """How much of a kind may be told otherwise (s)."""
    unseen = model["unseen"]
    kind = name.removesuffix("_s")
    more = unseen[name] if measure == "some" else sum(unseen.values())
    # as a wait for files an exit also binds the job before the kinds between the two do
    if kind in EXIT_KINDS or measure == "bound" and kind in KINDS[KINDS.index(EXIT_KINDS[0]):KINDS.index(EXIT_KINDS[1])]:
        more += model["exits_s"]
    return more + model["waits"][kind] * WAIT_S


def compare(model, states, stolen):
    """The measures that are further apart than they may be, and how many there are. A hypervisor took @stolen seconds."""
    stolen = min(stolen + TICK_S, model["active_s"] * 0.1)  # it was taken from other jobs of the recording, too
    unseen = sum(model["unseen"].values())
    pairs = [(name, model[name], states.get(name), unseen) for name in ("active_s", "parallel_s")]
    for measure in ("some", "full", "bound"):
        for name, true in model[measure].items():
            pairs.append((f"{measure}.{name}", true, states[measure].get(name), allowed(model, measure, name)))
    wrong = []
    for name, true, told, more in pairs:
        if told is None or abs(told - true) > true * 0.01 + 0.001 + more + stolen:
            wrong.append(f"DIFFERS: {name}: the report has {told}, the model {true}, which allows for {more} and {stolen} stolen")
    return wrong, len(pairs)


def main(trace_path, directory, report_path):
    with open(report_path, encoding="utf-8") as report:
        told = json.load(report)
    with open(trace_path + ".all", encoding="utf-8", errors="replace") as trace:
        model = Model(directory, told["job"]["id"], find_blind(events_of(trace)))
    with open(trace_path + ".jobs", encoding="utf-8", errors="replace") as trace:
        model.read(events_of(trace))
    truth = model.told()
    with open(trace_path + ".stolen", encoding="utf-8") as stolen:
        wrong, count = compare(truth, told["states"], int(stolen.read()) / 1000)
    wrong += [f"ODD: {line}" for line in truth["odd"]]
    proves = sum(truth["unseen"].values()) <= truth["active_s"] * 0.1
    if not proves:
        print("more than a tenth of the job's time would have to be allowed for: this proves nothing")
    print("\n".join(wrong) or f"the {count} measures agree")
    if model.blind:
        print(f"tasks in whose context this kernel runs no programs: {sorted(model.blind)}; allowed for: {truth['unseen']}")
    print("model:", json.dumps(truth))
    return 1 if wrong else 0 if proves else 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
