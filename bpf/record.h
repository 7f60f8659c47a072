/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that kernel programs and collector share: what stands in the maps and
 * what goes through the ring. Either side includes its own __u32, __u64 first.
 *
 * Totals are added up in the maps at a thread's true end and are exact whatever
 * the ring loses; the ring carries one record for each ended program image.
 */
#ifndef STINT_RECORD_H
#define STINT_RECORD_H

/*
 * Of all below, and of the structures in maps.h. Programs of another layout are not taken over but replaced: what they
 * counted is translated by the names of members and enumerators, as the maps' BTF tells them (collector/programs_drain.c).
 * So a name keeps its meaning and its unit, and so do the bits of flags; all else may move, come and go. An array that an
 * enum indexes, or a member that holds a value of one, stands in collector/translate.c.
 *
 * RECORD_TEST_LAYOUT is the tests' other version (tests/system/upgrade.bats).
 */
#ifndef RECORD_TEST_LAYOUT
#define RECORD_LAYOUT 5
#define RECORD_TEST_MEMBER(declaration)
#define RECORD_USES_MOVED_1(X) X(LOCK, "lock_ns") X(PIPE, "pipe_ns")
#define RECORD_USES_MOVED_2(X) X(SYSCALL_READS, "syscall_reads") X(SYSCALL_WRITES, "syscall_writes")
#define RECORD_WAITS_MOVED WAIT_LOCK, WAIT_PIPE
#else
#define RECORD_LAYOUT 1000005
#define RECORD_TEST_MEMBER(declaration) declaration;
#define RECORD_USES_MOVED_1(X) X(PIPE, "pipe_ns") X(LOCK, "lock_ns")
#define RECORD_USES_MOVED_2(X) X(SYSCALL_WRITES, "syscall_writes") X(TEST, "test_ns") X(SYSCALL_READS, "syscall_reads")
#define RECORD_WAITS_MOVED WAIT_PIPE, WAIT_LOCK
#endif

#define RECORD_PATH_MAX 512
#define RECORD_NAME_MAX 264 /* a file's name has 255 bytes: one that fills this is cut */
#define RECORD_COMM_MAX 16
#define RECORD_CPUS_MAX 2048
#define RECORD_TOOLS_PER_JOB 1024
#define RECORD_TOOL_OTHER 0 /* the tool that takes what finds no place */
#define RECORD_SLOTS 1024 /* jobs at once whose pressure is followed; slot 0 is none's */
#define RECORD_SYSCALLS 512
#define RECORD_FILES_PER_JOB 8192
#define RECORD_STEPS_PER_JOB 4096 /* whose sums are told apart: the others' are in the job's alone */

/*
 * What threads use and wait for, each with its name in the node record. All are
 * sums that grow; "ns" is thread time. Those up to RECORD_USES_TOLD go with each
 * ended image through the ring.
 */
#define RECORD_USES(X)                               \
	X(CPU, "cpu_ns")                             \
	X(ON_CPU, "on_cpu_ns") /* of the user's threads */ \
	X(READ_BYTES, "read_bytes") /* storage */    \
	X(WRITE_BYTES, "write_bytes") /* storage, less what was truncated before it was written */ \
	X(SYSCALL_READ_BYTES, "syscall_read_bytes")  \
	X(SYSCALL_WRITE_BYTES, "syscall_write_bytes") \
	X(SOCKET_RX_BYTES, "socket_rx_bytes")        \
	X(SOCKET_TX_BYTES, "socket_tx_bytes")        \
	X(RUNNABLE, "runnable_ns")                   \
	X(MEMORY_STALL, "memory_stall_ns")           \
	X(FAULT_IO, "fault_io_ns")                   \
	X(FILE_IO, "file_io_ns")                     \
	X(NETWORK, "network_ns")                     \
	RECORD_USES_MOVED_1(X)                       \
	X(OTHER, "other_ns")                         \
	X(EVENT, "event_ns")                         \
	X(CHILD, "child_ns")                         \
	X(SLEEP, "sleep_ns")                         \
	X(USER, "user_ns") /* sampled by the tick */ \
	X(SYSTEM, "system_ns") /* sampled by the tick */ \
	RECORD_USES_MOVED_2(X)                       \
	X(MINOR_FAULTS, "minor_faults")              \
	X(MAJOR_FAULTS, "major_faults")              \
	X(LIFETIME, "lifetime_ns") /* of the user's threads */ \
	X(VOLUNTARY_SWITCHES, "voluntary_switches")  \
	X(INVOLUNTARY_SWITCHES, "involuntary_switches") \
	X(RECLAIMS, "reclaims")                      \
	X(RECLAIM, "reclaim_ns")                     \
	X(TCP_RX_BYTES, "tcp_rx_bytes")              \
	X(TCP_TX_BYTES, "tcp_tx_bytes")              \
	X(TCP_RX_OPS, "tcp_rx_ops")                  \
	X(TCP_TX_OPS, "tcp_tx_ops")                  \
	X(UDP_RX_BYTES, "udp_rx_bytes")              \
	X(UDP_TX_BYTES, "udp_tx_bytes")              \
	X(UDP_RX_OPS, "udp_rx_ops")                  \
	X(UDP_TX_OPS, "udp_tx_ops")                  \
	X(UNIX_RX_BYTES, "unix_rx_bytes")            \
	X(UNIX_TX_BYTES, "unix_tx_bytes")            \
	X(UNIX_RX_OPS, "unix_rx_ops")                \
	X(UNIX_TX_OPS, "unix_tx_ops")                \
	X(TCP_RETRANSMITS, "tcp_retransmits")        \
	X(ASYNC_READ_BYTES, "async_read_bytes") /* of the syscall bytes: libaio and io_uring */ \
	X(ASYNC_WRITE_BYTES, "async_write_bytes")

enum use {
#define RECORD_USE_ENUM(name, text) USE_##name,
	RECORD_USES(RECORD_USE_ENUM)
#undef RECORD_USE_ENUM
	USES
};

#define RECORD_USES_TOLD (USE_SLEEP + 1)
#define RECORD_USES_COMMON (USE_INVOLUNTARY_SWITCHES + 1) /* most threads have no others */

/*
 * What a blocked thread waits for: the states from USE_MEMORY_STALL on, in the order in
 * which the time of a job with several kinds of waits at once is told of one of them.
 */
enum wait {
	WAIT_NONE,
	WAIT_MEMORY_STALL,
	WAIT_FAULT_IO,
	WAIT_FILE_IO,
	WAIT_NETWORK,
	RECORD_WAITS_MOVED,
	WAIT_OTHER,
	WAIT_EVENT,
	WAIT_CHILD,
	WAIT_SLEEP,
	WAITS
};

/* The sum that @wait is added to; of none, that of being runnable. */
#define RECORD_USE_OF_WAIT(wait) (USE_RUNNABLE + (wait))

/* The one element of "settings": written by the collector, read by the programs (and the step daemon's file, the other way). */
struct settings {
	__u32 layout;       /* RECORD_LAYOUT */
	__s32 hierarchy_id; /* of the cgroup hierarchy that tells membership; 0 is cgroup v2, -1 not chosen yet */
	__s32 memory_hierarchy_id; /* of the one that has the memory controller; -1 none */
	__u32 subsys;       /* its first controller's index in this kernel; not read for cgroup v2 */
	__u32 memory_subsys; /* the memory controller's index in this kernel */
	__u32 cpus;         /* possible ones: how many parts a per-CPU counter has */
	__u32 page_bytes;
	__u32 anchor_id;    /* of the map "cpu_anchor" */
	__u32 exit_sees_memory; /* the exit tracepoint comes before the address space goes (6.16) */
	__u32 fuse_seen;    /* requests to FUSE file systems are told */
	__s32 stepd_pid;    /* not 0: the next scan is to find the step daemon's file, of this process, and takes in no task */
	__u64 stepd_inode;  /* Slurm's own step daemon: its program file, by the kernel's own numbers */
	__u64 stepd_device;
	__u64 since_ns;     /* CLOCK_BOOTTIME when counting began */
	__u64 build;        /* a hash of the programs' object: tells two builds apart */
	char version[RECORD_COMM_MAX]; /* of the stintd that loaded them */
};

/* What is known of a thread while programs of another layout are being replaced. "inherited", key: */
struct inherited_key {
	__u64 start_ns; /* task_struct.start_boottime */
	__u64 tid;
};

/* "change", the program thread_inherit's: what its next walk over all tasks is to do. */
enum change_kind {
	CHANGE_NONE,
	CHANGE_INHERIT, /* take over the threads in "inherited" */
	CHANGE_SUM,     /* add to the totals' found_cpu_ns what live threads have not added to use[] yet */
	CHANGE_GIVE,    /* add cpu_ns and replaced_ns to the totals of the job */
};

struct change {
	__u64 job;
	__u64 cpu_ns;
	__u64 replaced_ns;
	__u64 since_ns; /* CLOCK_BOOTTIME: when what began was noted as unseen; 0: never */
	__u64 until_ns;
	__u32 kind;     /* enum change_kind */
	__u32 waiting;  /* programs of another layout still have the threads: nothing is taken in */
	__u32 scanning; /* but by the scan, which looks for what was forked then */
	__u32 given;
};

/*
 * "job_cgroups", key: a job's cgroup's id, value: the job's key (__u64), which is
 * the id of the first such cgroup. There can be several, one after the other: without an
 * extern step, Slurm removes the job's cgroup with the last of its steps and makes another for the next.
 */

/* "totals", key: a job's, or the id of a step's cgroup. */
struct totals {
	__u64 job; /* the job's key */
	__u64 slot; /* the job's, in "pressures"; 0 none */
	RECORD_TEST_MEMBER(__u64 test[3])
	__u64 use[USES];
	__u64 found_cpu_ns; /* what processes found by a scan had used before; it is in use once they end */
	__u64 processes; /* the user's, started or found */
	__u64 live;      /* threads, Slurm's own too */
	__u64 threads;   /* the user's, alive now */
	__u64 threads_peak;
	__u64 process_peak_bytes; /* of one process: its largest resident set, less pages of mapped files */
	__u64 charged_peak_bytes; /* the cgroup's own high-water mark, seen when it was removed */
	__u64 oom_kills;
	__u64 tools;      /* distinct ones */
	__u64 files;      /* distinct ones */
	__u64 steps;      /* whose totals the kernel programs have made: the collector was not told of them */
	__u64 lost_records; /* the ring was full */
	__u64 lost_tools;   /* runs counted under RECORD_TOOL_OTHER */
	__u64 lost_tasks;   /* threads for which the kernel gave no memory */
	__u64 lost_files;   /* opens and calls on files beyond RECORD_FILES_PER_JOB */
	__u64 lost_ooms;    /* the ring was full */
	__u64 lost_uses;    /* threads, and requests, whose use is in no tool's: in the job's and its step's alone */
	__u64 lost_requests; /* asynchronous ones, whose bytes are nobody's when another completes them */
	__u64 lost_file_systems; /* waits and calls whose file system had no place */
	/* of the times when the programs were replaced by those of another layout, in mid-job: */
	__u64 replaced_ns;      /* for how long nothing was counted */
	__u64 unseen_threads;   /* what ended then, or began another image, was not seen to */
	__u64 unseen_processes; /* of these, processes that had begun then */
	__u8 partial[USES];     /* the former programs had no such sum */
};

/*
 * "pressures", index: a job's slot. Followed at every switch of the job's threads: a
 * thread is busy when it is on a CPU or waits for one.
 */
struct pressure {
	__u64 job; /* whose it is; threads of another are not counted here */
	__u64 busy;
	__u64 busy_peak;
	__u64 active_since; /* CLOCK_MONOTONIC; 0: not now */
	__u64 active_ns;    /* at least one was busy */
	__u64 parallel_since;
	__u64 parallel_ns; /* two or more */
	__u64 full_since;  /* none is busy, some wait */
	__u64 waiting[WAITS]; /* how many threads do now, and PRESSURE_WAIT for each time that one began to */
	__u64 some_since[WAITS];
	__u64 some_ns[WAITS];
	__u64 full_ns[WAITS];
	__u64 bound_ns[WAITS]; /* of full, what is told of this one alone */
};

#define PRESSURE_WAIT (1ull << 24)
#define PRESSURE_WAITING (PRESSURE_WAIT - 1)

/* "cpu_uses", per CPU, index: a job's slot. What the user's threads used on this CPU. */
struct cpu_use {
	__u64 job;
	__u64 cpu_ns;
};

/* "samples", index: a job's slot. What live threads have not added to the totals yet, summed up by one walk over all tasks. */
struct sample {
	__u64 job;
	__u64 threads;
	__u64 processes;
	__u64 use[RECORD_USES_TOLD];
};

/* "file_systems" */
struct file_system_key {
	__u64 job;
	__u64 magic; /* 0: not known which (a path not opened yet, asynchronous I/O) */
};

struct file_system {
	__u64 wait_ns; /* thread time in WAIT_FILE_IO */
	__u64 waits;
	__u64 reads; /* this and below: with files = on */
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 opens;
	char type[RECORD_COMM_MAX]; /* as the kernel calls it */
};

/* "files" */
struct file_key {
	__u64 job;
	__u64 inode;
	__u64 device; /* and the inode's generation in the upper half: a removed file's number is used again */
};

struct file_use {
	__u64 opens;
	__u64 reads;
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 magic;
	__u64 cut; /* the path was too long */
	char path[RECORD_PATH_MAX];
};

/* "syscalls", index 0: how a wait within a system call is to be told, by its number. The collector fills it. */
enum syscall_kind {
	SYSCALL_OTHER,
	SYSCALL_FD,      /* the first argument's file decides */
	SYSCALL_SOCKET,  /* network */
	SYSCALL_PATH,    /* looks up a path: file I/O */
	SYSCALL_OPEN,    /* the same; but a FIFO's other end may be waited for */
	SYSCALL_AIO,     /* waits for asynchronous file I/O */
	SYSCALL_URING,   /* what was submitted last decides */
	SYSCALL_LOCK,
	SYSCALL_MEMORY,  /* changes the address space: its lock, when not interruptible */
	SYSCALL_CHILD,
	SYSCALL_EVENT,
	SYSCALL_SLEEP,
	SYSCALL_PIPE,    /* System V and POSIX message queues */
};

/* How the system call's result counts with files = on. */
enum syscall_bytes {
	SYSCALL_BYTES_NONE,
	SYSCALL_BYTES_READ,  /* from the first argument's file */
	SYSCALL_BYTES_WRITE,
	SYSCALL_BYTES_COPY_OUT_IN, /* sendfile: the first is written, the second read */
	SYSCALL_BYTES_COPY_IN_OUT, /* copy_file_range, splice: the first read, the third written */
	SYSCALL_BYTES_OPEN, /* the result is a file */
};

struct syscalls {
	__u8 kind[RECORD_SYSCALLS];
	__u8 bytes[RECORD_SYSCALLS];
};

/*
 * "memory_cgroups", key: a memory cgroup's id. Whose peak it tells: on cgroup v1
 * that is another cgroup than the one that tells membership.
 */
struct memory_cgroup {
	__u64 job; /* the job's key */
	__u64 id;  /* key of the totals it belongs to: the job's or a step's */
};

/* "tools" */
struct tool_key {
	__u64 job;
	__u64 tool; /* hash of program file, name and script, or RECORD_TOOL_OTHER */
};

struct tool {
	__u64 runs;  /* images started by exec */
	__u64 forks; /* processes that ended in it without an exec of their own */
	__u64 failures;
	__u64 signals; /* of the failures */
	__u64 use[USES];
	__u64 wall_ns; /* of ended runs */
	__u64 peak_bytes;
	__u64 threads_peak;
	__u64 first_start_ns; /* CLOCK_BOOTTIME */
	__u64 last_end_ns;
	__u64 serial; /* order of first appearance in the job, from 1 */
	__u32 slurm;  /* Slurm's own */
	RECORD_TEST_MEMBER(__u32 test[5])
	__u32 cut;    /* a text below was too long and is cut */
	char name[RECORD_NAME_MAX];   /* of the program, as it was invoked */
	char path[RECORD_PATH_MAX];   /* of the program file */
	char script[RECORD_PATH_MAX]; /* as it was given, or empty */
	char directory[RECORD_PATH_MAX]; /* working directory then, when the script's path is relative */
};

/* "interpreters", key: the program's name without its version, NUL-padded. */
struct interpreter_key {
	char name[RECORD_COMM_MAX];
};

enum interpreter_style {
	INTERPRETER_SHORT = 1, /* clustered one-letter options */
	INTERPRETER_JAVA = 2,  /* one dash, whole words */
	INTERPRETER_ENV = 3,   /* runs something else by exec: never a script's interpreter itself */
};

struct interpreter {
	__u32 style;
	char code[4];  /* letters after which code follows: there is no script */
	char value[4]; /* letters that take the next argument when they end theirs */
	char script[4]; /* letters whose value is the script */
	__u32 plus;     /* options may start with '+' too */
};

enum event_flags {
	EVENT_EXECED = 1,   /* the image was started by exec; else a fork that ran its parent's */
	EVENT_REPLACED = 2, /* it ended by the next exec, not by an exit */
	EVENT_SLURM = 4,    /* Slurm's own */
};

enum event_kind {
	EVENT_IMAGE = 1,
	EVENT_SCAN = 2, /* threads of a job are not counted: a process of several entered it, or there was no memory for one */
	EVENT_OOM = 3,  /* the process was chosen by the out-of-memory killer: job to pid are set, end_ns, peak_bytes is what it held, limit_bytes, and comm */
};

/* One record in "events". */
struct event {
	__u32 kind; /* enum event_kind; of EVENT_SCAN only kind and job are set. Where the kernel tells no more of
		     * an EVENT_OOM than the pid, it is set alone */
	__u32 flags;
	__u64 job;
	__u64 step;
	__u64 tool;
	__u32 pid;
	__u32 ppid;
	RECORD_TEST_MEMBER(__u64 test)
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u64 end_ns;
	__u64 use[RECORD_USES_TOLD];
	__u64 peak_bytes;
	__u64 limit_bytes; /* of an EVENT_OOM: the lowest of its memory cgroups' limits; 0: none */
	__u64 quiet_since_ns; /* CLOCK_BOOTTIME; begin of the longest time in which it used nothing, as sampled */
	__u64 quiet_ns;
	__u32 status; /* wait status */
	__u32 threads_peak;
	char comm[RECORD_COMM_MAX];
};

#endif
