/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that kernel programs and collector share: what the maps hold, and what goes through the ring buffer. Each
 * side includes its own __u32 and __u64 first.
 *
 * Totals are added up in the maps at a thread's true end. They are exact, whatever the ring buffer loses. The ring
 * buffer carries one event for each ended program image.
 */
#ifndef STINT_ABI_H
#define STINT_ABI_H

#include "common/sum_list.h"

/*
 * The version of the layout of everything below, and of the structures in maps.h. A new stintd does not take over
 * programs of another layout, but replaces them. It translates what they counted by the names of members and
 * enumerators, which it finds in the maps' BTF (collector/kernel/upgrade/upgrade.c). So a name keeps its meaning and
 * its unit, and the bits of flags keep theirs; everything else may move, come and go.
 * collector/kernel/upgrade/translate.c lists arrays that an enum indexes, and members that hold a value of an enum.
 */
#define ABI_LAYOUT 14

#define ABI_PATH_MAX 512
#define ABI_NAME_MAX 264 /* a file's name has at most 255 bytes: a name that fills this was cut */
#define ABI_COMM_MAX 16
#define ABI_CPUS_MAX 2048
#define ABI_TOOLS_PER_JOB 1024
#define ABI_TOOL_OTHER 0 /* the tool for all runs without an entry of their own */
#define ABI_SLOTS 1024 /* for jobs at once whose pressure is followed; slot 0 belongs to no job */
#define ABI_SYSCALLS 512
#define ABI_FILES_PER_JOB 8192
#define ABI_WALK_PIECE 8 /* tasks: the walk for "samples" can pause after this many */
#define ABI_STEPS_PER_JOB 4096 /* steps with totals of their own; other steps are counted only in the job's totals */

/*
 * If programs call the helper with this number, which no kernel has, the collector makes them call the kernel function
 * of this name instead (collector/kernel/casts.h).
 */
#define ABI_CALL_bpf_rdonly_cast 0x57000001

/* The tables of processes (maps.h). All jobs share them, and each user may have a part of them. */
enum place {
	PLACE_PROCESS,
	PLACE_PROCESS_USE,
	PLACES
};

/* What threads use and wait for (common/sum_list.h). All are sums that only grow; "ns" is thread time. */
enum use {
#define USE_ENUM(name, ...) USE_##name,
	SUM_LIST(USE_ENUM)
#undef USE_ENUM
	USES
};

#define ABI_USES_SENT (USE_SLEEP + 1) /* the sums that accompany each ended image through the ring buffer */
#define ABI_USES_COMMON (USE_INVOLUNTARY_SWITCHES + 1) /* most threads have no sums beyond these */

/*
 * What a blocked thread waits for: the states from USE_MEMORY_STALL on. If a job has several kinds of waits at once,
 * its "bound" time is counted for the first of them in this order.
 */
enum wait {
	WAIT_NONE,
	WAIT_MEMORY_STALL,
	WAIT_FAULT_IO,
	WAIT_FILE_IO,
	WAIT_NETWORK,
	WAIT_LOCK,
	WAIT_PIPE,
	WAIT_OTHER,
	WAIT_EVENT,
	WAIT_CONDITION, /* for work or a signal: a condition variable, semaphore, join, barrier, or timer on a futex */
	WAIT_CHILD,
	WAIT_SLEEP,
	WAITS
};

/* The sum that @wait is added to; for WAIT_NONE, the time as runnable. */
#define ABI_USE_OF_WAIT(wait) (USE_RUNNABLE + (wait))

/*
 * The one element of "settings". The collector writes it and the programs read it; only the step daemon's file is
 * written by a program, and read by the collector.
 */
struct settings {
	__u32 layout; /* ABI_LAYOUT */
	__s32 hierarchy_id; /* the cgroup hierarchy that decides membership; 0 is cgroup v2, -1 not chosen yet */
	__s32 memory_hierarchy_id; /* the cgroup hierarchy that has the memory controller; -1 none */
	__u32 subsys;       /* index in this kernel of the first controller of hierarchy_id; not read for cgroup v2 */
	__u32 memory_subsys; /* index in this kernel of the memory controller */
	__u32 cpus;         /* possible CPUs: how many parts a per-CPU counter has */
	__u32 page_bytes;
	__u32 anchor_id;    /* of the map "cpu_anchor" */
	__u32 exit_sees_memory; /* the exit tracepoint comes before the address space goes (6.16) */
	__u32 steady_clock; /* all run queues have one clock, and it is steady */
	__u32 rush_ns;      /* a job that begins PRESSURE_MARK waits of a kind within this time sends EVENT_RUSH */
	__u32 fuse_seen;    /* a program sees requests to FUSE file systems */
	__s32 stepd_pid;    /* not 0: the next scan only finds the program file of this process, the step daemon */
	__u32 places_room[PLACES]; /* entries of each table of processes */
	__u32 places_share[PLACES]; /* how many of them a user may have at a time; 0: not set */
	__u64 stepd_inode;  /* the program file of Slurm's step daemon, by the kernel's own numbers */
	__u64 stepd_device;
	__u64 since_ns;     /* CLOCK_BOOTTIME when counting began */
	__u64 build;        /* a hash of the programs' object: two builds differ in it */
	__u64 choice;       /* a hash of the build, and of the choices by stint.conf and the kernel */
	char version[ABI_COMM_MAX]; /* of the stintd that loaded them */
};

/* The key of "inherited": the threads that are known while programs of another layout are being replaced. */
struct inherited_key {
	__u64 start_ns; /* task_struct.start_boottime */
	__u64 tid;
};

/* "change": what the next walk of the program thread_inherit over all tasks should do. */
enum change_kind {
	CHANGE_NONE,
	CHANGE_INHERIT, /* take over the threads in "inherited" */
	CHANGE_GIVE,    /* add "given" to the job's totals */
};

/* Amounts that no thread will add to a job's totals. */
struct given {
	__u64 cpu_ns;
	__u64 replaced_ns; /* how long nothing was counted */
	__u64 unseen_threads;
	__u64 unseen_processes;
};

struct change {
	__u64 job;
	struct given given;
	__u64 since_ns; /* CLOCK_BOOTTIME: forks from here to until_ns were counted as unseen; 0: never */
	__u64 until_ns;
	__u32 kind;     /* enum change_kind */
	__u32 waiting;  /* programs of another layout still have the threads: take in no task */
	__u32 scanning; /* except by the scan, which looks for the threads that were forked then */
	__u32 done;     /* CHANGE_GIVE has been done */
};

/*
 * "job_cgroups", key: the id of a job's cgroup, value: the job's key (__u64), which is
 * the id of the first such cgroup. A job can have several, one after the other: without an
 * extern step, Slurm removes the job's cgroup with the last of its steps and makes another for the next step.
 */

/* "totals", key: a job's key, or the id of a step's cgroup. */
struct totals {
	__u64 job; /* the job's key */
	__u64 slot; /* the job's index in "pressures"; 0 none */
	__u64 use[USES];
	__u64 found_cpu_ns; /* what processes that a scan found had used before; it is in use[] once they end */
	__u64 processes; /* of the user, started or found */
	__u64 live;      /* threads, Slurm's own too */
	__u64 threads;   /* of the user, alive now */
	__u64 threads_peak;
	__u64 last_end_ns; /* CLOCK_BOOTTIME when the last thread of the user ended, if that is still so; 0: never */
	__u64 process_peak_bytes; /* of one process: its largest resident set, less pages of mapped files */
	__u64 huge_peak_bytes; /* of one process: the most that was seen of its huge pages (hugetlbfs) */
	__u64 charged_peak_bytes; /* the cgroup's own high-water mark, read when it was removed */
	__u64 oom_kills;
	__u64 tools;      /* distinct ones */
	__u64 files;      /* distinct ones */
	__u64 steps;      /* whose totals the kernel programs have made: the collector had no message about them */
	__u64 first_pid;  /* for a step that they made: its first process, by which the collector recognizes it later */
	__u64 lost_records; /* the ring buffer was full */
	__u64 lost_tools; /* runs counted under ABI_TOOL_OTHER */
	__u64 lost_tasks;   /* threads for which the kernel gave no memory */
	__u64 lost_files; /* opens and calls on files beyond ABI_FILES_PER_JOB */
	__u64 lost_ooms;    /* the ring buffer was full */
	/* threads and requests whose sums are only in the job's and its step's totals, not in a tool's */
	__u64 lost_uses;
	__u64 lost_requests; /* asynchronous requests whose bytes are not counted when another process completes them */
	__u64 lost_file_systems; /* waits and calls whose file system had no entry */
	__u64 socket_splices; /* waits for a socket in splice() */
	__u64 moved_out; /* the user's processes that were moved out of the job's cgroup */
	/* about the times when programs of another layout were replaced during a job: */
	__u64 replaced_ns;      /* how long nothing was counted */
	__u64 unseen_threads;   /* threads that ended then, or began another image, unseen */
	__u64 unseen_processes; /* how many of them were processes that began then */
	__u8 partial[USES];     /* the former programs had no such sum */
	__u32 uid;              /* the job's owner; not set for a step */
};

/*
 * "shares", key: a user's id (__u32): how many entries each job of that user may have in the tables that all jobs share, by the
 * maps' room and the numbers of users and of that user's jobs. Only the collector writes it; no entry: not set yet.
 */
struct share {
	__u32 tools;
	__u32 files;
	__u32 steps; /* totals of steps that the programs may make for a job */
};

/* "users", key: a user's id (__u32): how many entries that user's processes have now in the tables of processes. */
struct user {
	__s64 taken[PLACES];
};

/*
 * "pressures", index: a job's slot. It is followed at every switch of the job's threads. A
 * thread is busy when it is on a CPU or waits for one.
 */
struct pressure {
	__u64 job; /* threads of another job are not counted here */
	__u64 busy; /* threads */
	__u64 busy_peak;
	__u64 active_since; /* CLOCK_MONOTONIC; 0: not now */
	__u64 active_ns;    /* at least one thread was busy */
	__u64 parallel_since;
	__u64 parallel_ns; /* two or more were busy */
	__u64 parallel_until; /* CLOCK_MONOTONIC when that ended last */
	__u64 full_since;  /* no thread is busy, some wait */
	__u64 marked_ns;   /* CLOCK_MONOTONIC when PRESSURE_MARK waits of a kind had begun again */
	__u64 waiting[WAITS]; /* how many threads wait now; plus PRESSURE_WAIT for each wait that has begun */
	__u64 some_since[WAITS];
	__u64 some_ns[WAITS];
	__u64 full_ns[WAITS];
	__u64 bound_ns[WAITS]; /* part of full: what is counted only for this wait */
	/*
	 * Set if the job waited too often and is no longer followed (collector/pressure_limit.h); then everything above
	 * is 0.
	 */
	__u64 left_job;
	__u64 left_ns;    /* CLOCK_BOOTTIME */
	__u64 left_waits; /* a second */
	__u64 left_cpus;
};

#define PRESSURE_MARK 16384
#define PRESSURE_WAIT (1ull << 24)
#define PRESSURE_WAITING (PRESSURE_WAIT - 1)

/* "cpu_uses", per CPU, index: a job's slot. The CPU time of the user's threads on this CPU. */
struct cpu_use {
	__u64 job;
	__u64 cpu_ns;
};

/*
 * "samples", index: a job's slot. One walk over all tasks sums up what live threads have not added to the totals yet.
 */
struct sample {
	__u64 job;
	__u64 threads;
	__u64 processes;
	__u64 huge_bytes; /* huge pages (hugetlbfs) of the processes; each counts those that it shares */
	__u64 use[ABI_USES_SENT];
};

/*
 * What "living_tasks" writes about each thread of a job and its process' image: what it used that is in no total yet.
 * Slurm's own threads are among them.
 */
struct living {
	__u64 job;
	__u64 step;
	__u64 tool;     /* 0: not known, like everything below except use[] */
	__u64 process;  /* the same for all threads of one */
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u32 pid;
	__u32 ppid;
	__u32 flags; /* enum event_flags */
	__u32 threads_peak;
	__u64 cpu;    /* where the thread ran last */
	__u64 cpu_ns; /* part of use[USE_CPU]: since it got that CPU; in no sum of "cpu_uses" yet */
	__u64 use[USES];
	__u64 ended[USES]; /* what ended threads of the image used: it is in the totals, but in no tool's sum yet */
};

/* "file_systems" */
struct file_system_key {
	__u64 job;
	__u64 magic; /* 0: the file system is not known (a path not opened yet, asynchronous I/O) */
};

struct file_system {
	__u64 wait_ns; /* thread time in WAIT_FILE_IO */
	__u64 waits;
	__u64 reads; /* this and the next four: with files = on */
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 opens;
	char type[ABI_COMM_MAX]; /* the kernel's name for it */
};

/* "files" */
struct file_key {
	__u64 job;
	__u64 inode;
	__u64 device; /* with the inode's generation in the upper half: the number of a removed file is reused */
};

struct file_use {
	__u64 opens;
	__u64 reads;
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 magic;
	__u64 cut; /* the path was too long */
	char path[ABI_PATH_MAX];
};

/* "syscalls", index 0: how to classify a wait within a system call, by the call's number. The collector fills it. */
enum syscall_kind {
	SYSCALL_OTHER,
	SYSCALL_FD,      /* the first argument's file decides */
	SYSCALL_SPLICE,  /* the same, but bytes that it takes from a socket may go uncounted */
	SYSCALL_SOCKET,  /* network */
	SYSCALL_PATH,    /* looks up a path: file I/O */
	SYSCALL_OPEN,    /* the same, but it may wait for a FIFO's other end */
	SYSCALL_AIO,     /* waits for asynchronous file I/O */
	SYSCALL_URING,   /* the last submitted request decides */
	SYSCALL_LOCK,
	SYSCALL_FUTEX,   /* its operation, value and timeout decide */
	SYSCALL_CONDITION,
	SYSCALL_MEMORY,  /* changes the address space: waits for its lock, when not interruptible */
	SYSCALL_CHILD,
	SYSCALL_EVENT,
	SYSCALL_SLEEP,
	SYSCALL_PIPE,    /* System V and POSIX message queues */
	SYSCALL_SYNC_FD, /* like SYSCALL_FD, but it waits until data is on the disk */
	SYSCALL_SYNC,    /* the same for calls on more than one file: like SYSCALL_PATH */
	SYSCALL_EXIT,    /* file I/O only while it closes files */
};

/* How the system call's result is counted with files = on. */
enum syscall_bytes {
	SYSCALL_BYTES_NONE,
	SYSCALL_BYTES_READ,  /* from the first argument's file */
	SYSCALL_BYTES_WRITE,
	SYSCALL_BYTES_COPY_OUT_IN, /* sendfile: the first argument's file is written, the second's read */
	SYSCALL_BYTES_COPY_IN_OUT, /* copy_file_range, splice: the first argument's file is read, the third's written */
	SYSCALL_BYTES_OPEN, /* the result is a file */
};

struct syscalls {
	__u8 kind[ABI_SYSCALLS];
	__u8 bytes[ABI_SYSCALLS];
};

/*
 * "memory_cgroups", key: the id of a memory cgroup. It says which job or step the peak of that cgroup belongs to: on
 * cgroup v1 another cgroup decides membership.
 */
struct memory_cgroup {
	__u64 job; /* the job's key */
	__u64 id;  /* key of the totals it belongs to: the job's or a step's */
};

/* "tools" */
struct tool_key {
	__u64 job;
	__u64 tool; /* hash of program file, name and script, or ABI_TOOL_OTHER */
};

struct tool {
	__u64 runs;  /* images started by exec */
	__u64 forks; /* processes that ended in it without an exec of their own */
	__u64 failures;
	__u64 signals; /* how many of the failures were by a signal */
	__u64 dismissed; /* runs ended by a process above them, or by the reader of their pipe: no failures */
	__u64 openmp; /* processes that had several threads, and OpenMP's runtime mapped when their image ended */
	__u64 blas;   /* the same, and BLAS mapped */
	__u64 use[USES];
	__u64 wall_ns; /* of ended runs */
	__u64 peak_bytes;
	__u64 used_peak_bytes; /* less pages of mapped files */
	__u64 threads_peak;
	__u64 first_start_ns; /* CLOCK_BOOTTIME */
	__u64 last_end_ns;
	__u64 serial; /* order of first appearance in the job, from 1 */
	__u32 slurm;  /* Slurm's own */
	__u32 cut;    /* a text below was too long and was cut */
	char name[ABI_NAME_MAX]; /* of the program, as invoked */
	char path[ABI_PATH_MAX]; /* of the program file */
	char script[ABI_PATH_MAX]; /* as given, or empty */
	char directory[ABI_PATH_MAX]; /* the working directory at that time, if the script's path is relative */
};

/* "interpreters", key: the program's name without its version, NUL-padded. */
struct interpreter_key {
	char name[ABI_COMM_MAX];
};

enum interpreter_style {
	INTERPRETER_SHORT = 1, /* clustered one-letter options */
	INTERPRETER_JAVA = 2,  /* one dash, whole words */
	INTERPRETER_ENV = 3,   /* runs another program by exec: it never interprets a script itself */
};

struct interpreter {
	__u32 style;
	char code[4];  /* letters followed by code: there is no script */
	char value[4]; /* letters that take the next argument if they end their own */
	char script[4]; /* letters whose value is the script */
	__u32 plus;     /* options may also start with '+' */
};

enum event_flags {
	EVENT_EXECED = 1,   /* the image was started by an exec; otherwise it is a fork that ran its parent's image */
	EVENT_REPLACED = 2, /* it ended by the next exec, not by an exit */
	EVENT_SLURM = 4,    /* Slurm's own */
	EVENT_DISMISSED = 8, /* it was ended in good order: "dismissed" in struct tool */
	/* Slurm's own, and only its memory is the job's: its tool's sums have what it used, the job's and step's do not */
	EVENT_BESIDE = 16,
};

enum event_kind {
	EVENT_IMAGE = 1,
	/* threads of a job are not counted: a process with several entered it, or there was no memory for one */
	EVENT_SCAN = 2,
	/*
	 * The out-of-memory killer chose the process. These are set: job, step, tool, pid, ppid, end_ns, peak_bytes
	 * (what it held), used_bytes, limit_bytes, oom and comm. If the kernel gives only the pid, only kind, pid and
	 * end_ns are set.
	 */
	EVENT_OOM = 3,
	/* the job waits so often that the collector must decide now whether to follow it ("pressures") */
	EVENT_RUSH = 4,
};

/* The state of a victim's memory cgroups when the out-of-memory killer chose it. In bytes; 0: not known, or none. */
struct oom_state {
	__u64 kernel_bytes;     /* the kernel's memory for the cgroup that reached its limit, and all below it */
	__u64 slab_bytes;       /* the part of it in slabs: its small objects */
	__u64 names_bytes;      /* the part of that in reclaimable ones: names of files, and most inodes */
	__u64 page_table_bytes; /* the victim's page tables */
	__u64 group;            /* the id of the cgroup whose processes are all killed together (memory.oom.group); 0:
		 * none */
	__u64 flags;            /* enum oom_flags */
};

enum oom_flags {
	OOM_NODE = 1, /* no cgroup of the job ran out at its own limit: the node did, or a cgroup above the job */
};

/* One event in "events". */
struct event {
	__u32 kind; /* enum event_kind; with EVENT_SCAN and EVENT_RUSH only kind and job are set */
	__u32 flags;
	__u64 job;
	__u64 step;
	__u64 tool;
	__u32 pid;
	__u32 ppid;
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u64 end_ns;
	union {
		__u64 use[ABI_USES_SENT];
		struct oom_state oom; /* EVENT_OOM */
	};
	__u64 peak_bytes;
	__u64 used_bytes; /* EVENT_OOM: peak_bytes less pages of mapped files */
	__u64 limit_bytes; /* EVENT_OOM: limit of the memory cgroup that reached it; otherwise the lowest of its
		 * memory cgroups; 0: none */
	__u64 quiet_since_ns; /* CLOCK_BOOTTIME: begin of the longest time in which it used nothing, as sampled */
	__u64 quiet_ns;
	__u32 status; /* wait status */
	__u32 threads_peak;
	char comm[ABI_COMM_MAX];
};

/* What the programs of former.bpf.c tell the collector. */

/*
 * What former_read writes for each thread that the former programs know: this head, the thread, and its other sums if
 * any.
 */
struct former_head {
	__u64 start_ns; /* task_struct.start_boottime */
	__u32 tid;
	__u32 has_use;
};

/* "forks", key: a job's key. Forks that were not counted, until the former programs' totals have been copied. */
struct former_forks {
	__u64 threads;
	__u64 processes; /* of these */
};

#endif
