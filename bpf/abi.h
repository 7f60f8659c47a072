/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares what the kernel programs and the collector share: the contents of the maps and of the ring buffer.
 * Define __u32 and __u64 before you include this file.
 *
 * Ended threads add their sums to the maps. So totals are exact even if the ring buffer loses events.
 */
#ifndef STINT_ABI_H
#define STINT_ABI_H

#include "common/sum_list.h"

/*
 * The version of the layout of this file and of the structures in maps.h.
 *
 * A new stintd replaces programs of another layout, and translates what they counted.
 * stintd finds members and enumerators by name in the maps' BTF (collector/kernel/upgrade/upgrade.c).
 * So a name must keep its meaning and its unit. A bit of a flags member must keep its meaning.
 * Everything else may be moved, added or removed.
 *
 * Arrays indexed by an enum, and members whose value is an enum, must be listed in
 * collector/kernel/upgrade/translate.c.
 */
#define ABI_LAYOUT 16

#define ABI_PATH_MAX 512
#define ABI_NAME_MAX 264 /* a name that fills the buffer was cut */
#define ABI_COMM_MAX 16
#define ABI_CPUS_MAX 2048
#define ABI_TOOLS_PER_JOB 1024
#define ABI_TOOL_OTHER 0 /* counts the runs of tools that have no entry */
#define ABI_SLOTS 1024 /* slot 0 belongs to no job */
#define ABI_SYSCALLS 512
#define ABI_FILES_PER_JOB 8192
#define ABI_WALK_PIECE 8 /* the walk that fills "samples" can pause after this many tasks */
#define ABI_STEPS_PER_JOB 4096
#define ABI_GPU_RANGES 8
#define ABI_CONTAINERS_PER_JOB 256
#define ABI_GPU_FILES_PER_JOB 256
#define ABI_CONTAINER_OTHER 1 /* stands for containers that have no entry of their own */

/*
 * A helper number that no kernel has. The collector replaces calls of this helper by calls of bpf_rdonly_cast()
 * (collector/kernel/casts.h).
 */
#define ABI_CALL_bpf_rdonly_cast 0x57000001

/* The tables of processes. All jobs share them. A user has a quota in each table (places.h). */
enum place {
	PLACE_PROCESS,
	PLACE_PROCESS_USE,
	PLACES
};

/* Sums that only grow (common/sum_list.h). A sum in nanoseconds adds up the times of all threads. */
enum use {
#define USE_ENUM(name, ...) USE_##name,
	SUM_LIST(USE_ENUM)
#undef USE_ENUM
	USES
};

#define ABI_USES_SENT (USE_SLEEP + 1) /* the event of an ended image has the sums below this number */
/* Most threads have only the sums below this number. */
#define ABI_USES_COMMON (USE_INVOLUNTARY_SWITCHES + 1)

/*
 * What a blocked thread waits for. Each kind has a sum, from USE_MEMORY_STALL on.
 * The order matters: if a job has several kinds of waits at once, "bound" counts only the first kind of this list.
 */
enum wait {
	WAIT_NONE,
	WAIT_MEMORY_STALL,
	WAIT_FAULT_IO,
	WAIT_FILE_IO,
	WAIT_GPU,
	WAIT_NETWORK,
	WAIT_LOCK,
	WAIT_PIPE,
	WAIT_OTHER,
	WAIT_EVENT,
	/* for work or a signal from another thread: condition variable, semaphore, join, barrier, timer on a futex */
	WAIT_CONDITION,
	WAIT_CHILD,
	WAIT_SLEEP,
	WAITS
};

#define ABI_USE_OF_WAIT(wait) (USE_RUNNABLE + (wait))

/* Character devices of GPU drivers: those with this major number, and a minor number from first to last. */
struct gpu_range {
	__u32 major;
	__u32 first;
	__u32 last;
	__u32 driver; /* has a meaning for gpu_devices.c only */
};

/*
 * The only element of the map "settings".
 * scan.bpf.c writes stepd_inode and stepd_device. The collector writes the other members.
 */
struct settings {
	__u32 layout;
	/* The cgroup hierarchy that decides which job a task belongs to. 0: cgroup v2; -1: not chosen yet. */
	__s32 hierarchy_id;
	__s32 memory_hierarchy_id; /* the hierarchy with the memory controller; -1: none */
	__u32 subsys;       /* the kernel's index of a controller; unused on cgroup v2 */
	__u32 memory_subsys; /* the kernel's index of the memory controller */
	__u32 cpus;
	__u32 page_bytes;
	__u32 anchor_id;
	__u32 exit_sees_memory; /* 1: the exit tracepoint comes before exit_mm() (since Linux 6.16) */
	__u32 steady_clock; /* 1: all run queues share one steady clock */
	/* If a job begins PRESSURE_MARK waits of one kind within this time, a program sends EVENT_RUSH. */
	__u32 rush_ns;
	__u32 fuse_seen;
	/* 0: a scan finds tasks of jobs. Otherwise it only looks up the program file of this process, a step daemon. */
	__s32 stepd_pid;
	__u32 places_room[PLACES]; /* largest number of entries */
	__u32 places_share[PLACES]; /* largest number of entries of one user; 0: not set */
	__u32 gpu_range_count;
	struct gpu_range gpu_ranges[ABI_GPU_RANGES];
	__u64 stepd_inode;  /* slurmstepd's program file (scan.bpf.c) */
	__u64 stepd_device;
	__u64 since_ns;     /* CLOCK_BOOTTIME when counting began */
	__u64 build;        /* hash of the programs' object file */
	__u64 choice;       /* hash of programs, stint.conf and kernel */
	char version[ABI_COMM_MAX];
};

/* The key of "inherited": a thread that the former programs knew. */
struct inherited_key {
	__u64 start_ns; /* task_struct.start_boottime */
	__u64 tid;
};

enum change_kind {
	CHANGE_NONE,
	CHANGE_INHERIT,
	CHANGE_GIVE,    /* add struct change.given to the job's totals */
};

/* Amounts to add to a job's totals, because no thread will add them. */
struct given {
	__u64 cpu_ns;
	__u64 replaced_ns;
	__u64 unseen_threads;
	__u64 unseen_processes;
};

struct change {
	__u64 job;
	struct given given;
	__u64 since_ns; /* CLOCK_BOOTTIME; unseen forks were from since_ns to until_ns; 0: no unseen forks */
	__u64 until_ns;
	__u32 kind;
	/* 1: the former programs, of another layout, still count the threads, so ours must not count yet. */
	__u32 waiting;
	/* 1: the scan may count although waiting is 1. */
	__u32 scanning;
	__u32 done;
};

/*
 * "job_cgroups" maps the id of a job's cgroup to the job's key (__u64): the id of the job's first cgroup.
 *
 * A job can have several cgroups, one after the other.
 * Without an extern step, Slurm removes the job's cgroup when the last step in it ends.
 */

/* An entry of the map "totals". The key is a job's key, or the id of a step's cgroup. */
struct totals {
	__u64 job;
	__u64 slot; /* index in "pressures"; 0: none */
	__u64 use[USES];
	/* CPU time of processes before a scan found them. Not in use[] until these processes have ended. */
	__u64 found_cpu_ns;
	__u64 processes;
	__u64 live;      /* living threads, including Slurm's own */
	__u64 threads;   /* the user's living threads */
	__u64 threads_peak;
	/* CLOCK_BOOTTIME when the user's last thread ended; 0: none has ended. Valid only if threads is 0. */
	__u64 last_end_ns;
	__u64 process_peak_bytes; /* resident set, without pages of mapped files */
	__u64 huge_peak_bytes; /* largest amount of huge pages (hugetlbfs) that was seen */
	__u64 charged_peak_bytes; /* the kernel's peak, when the cgroup was removed */
	__u64 oom_kills;
	__u64 tools;
	__u64 files;
	__u64 containers;
	__u64 gpu_files;
	/* Steps whose totals the kernel programs made. */
	__u64 steps;
	/* Pid of the step's first process, if the kernel programs made these totals. */
	__u64 first_pid;
	__u64 lost_records; /* events that the ring buffer had no room for */
	__u64 lost_tools; /* runs counted under ABI_TOOL_OTHER */
	__u64 lost_tasks;   /* tasks not counted, because the kernel had no memory for it */
	__u64 lost_files; /* the table of files was full */
	/* Victims of the out-of-memory killer whose event did not fit into the ring buffer. */
	__u64 lost_ooms;
	/* Uses that are in the totals, but in no tool's sums. */
	__u64 lost_uses;
	__u64 lost_requests; /* io_uring requests whose bytes are perhaps not counted */
	__u64 lost_file_systems; /* waits and calls whose file system has no entry */
	__u64 lost_containers;
	__u64 lost_gpu_files; /* opens and looks without an entry in "gpu_files" */
	/* Of the job's tasks, to tell their containers from them (container.h). root_inode is 0 if it is not known. */
	__u64 root_inode;
	__u64 root_device;
	__u64 pid_level;
	__u64 socket_splices; /* waits for a socket in splice() */
	__u64 moved_out; /* the user's processes that left the job's cgroup */
	__u64 moved_out_ns; /* CLOCK_BOOTTIME when the first of them left */
	/* The next four members concern the replacement of programs of another layout. */
	__u64 replaced_ns;
	__u64 unseen_threads;   /* threads that ended or began another image during the replacement */
	__u64 unseen_processes; /* processes among unseen_threads */
	__u8 partial[USES];     /* 1: the former programs did not count this sum */
	__u32 uid;              /* not set for a step */
};

/*
 * "shares": how many entries each job of a user may have in tables that all jobs share.
 * The key is the user's id (__u32).
 */
struct share {
	__u32 tools;
	__u32 files;
	__u32 steps; /* most steps for which the kernel programs make totals */
	__u32 containers;
	__u32 gpu_files;
};

/* "users": how many entries the user has in the tables of processes. The key is the user's id (__u32). */
struct user {
	__s64 taken[PLACES];
};

/*
 * "pressures": what a job waits for as a whole. The index is the job's slot.
 * A thread is busy while it is on a CPU or runnable.
 */
struct pressure {
	__u64 job;
	__u64 busy;
	__u64 busy_peak;
	__u64 active_since; /* CLOCK_MONOTONIC; 0: no thread is busy */
	__u64 active_ns;
	__u64 parallel_since;
	__u64 parallel_ns;
	__u64 parallel_until; /* CLOCK_MONOTONIC when two threads were last busy at once */
	__u64 full_since;  /* CLOCK_MONOTONIC when busy fell to 0; 0: a thread is busy, or none was busy yet */
	__u64 marked_ns;   /* CLOCK_MONOTONIC of the last pressure_mark() */
	__u64 waiting[WAITS]; /* threads that wait, plus PRESSURE_WAIT for each wait that has begun */
	__u64 some_since[WAITS];
	__u64 some_ns[WAITS];
	__u64 full_ns[WAITS];
	__u64 bound_ns[WAITS]; /* counted only for this wait */
	/* Set if the job waited too often to be followed (collector/pressure_limit.h). All members above are then 0. */
	__u64 left_job;
	__u64 left_ns;    /* CLOCK_BOOTTIME */
	__u64 left_waits; /* waits per second */
	__u64 left_cpus;
};

#define PRESSURE_MARK 16384
#define PRESSURE_WAIT (1ull << 24)
#define PRESSURE_WAITING (PRESSURE_WAIT - 1)

/* "cpu_uses": CPU time of the user's threads on one CPU. The index is the job's slot. */
struct cpu_use {
	__u64 job;
	__u64 cpu_ns;
};

/* "samples": use of living threads that is not in the totals yet. The index is the job's slot. */
struct sample {
	__u64 job;
	__u64 threads;
	__u64 processes;
	__u64 huge_bytes; /* a page that processes share counts once for each process */
	__u64 use[ABI_USES_SENT];
};

/* What the program living_tasks writes about a thread of a job. The uses are those that are in no totals yet. */
struct living {
	__u64 job;
	__u64 step;
	__u64 tool;     /* 0: the process is not known */
	__u64 container;
	__u64 process;  /* the same for all threads of a process */
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u32 pid;
	__u32 ppid;
	__u32 flags;
	__u32 threads_peak;
	__u64 cpu;
	/* Part of use[USE_CPU] that "cpu_uses" does not have yet. */
	__u64 cpu_ns;
	__u64 use[USES];
	/* Use of the image's ended threads. No tool's sums have this use yet. */
	__u64 ended[USES];
};

struct file_system_key {
	__u64 job;
	__u64 magic; /* 0: not known */
};

struct file_system {
	__u64 wait_ns; /* thread time in WAIT_FILE_IO */
	__u64 waits;
	__u64 reads; /* this and the next four members are counted only with files = on */
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 opens;
	char type[ABI_COMM_MAX];
};

struct file_key {
	__u64 job;
	__u64 inode;
	/* Lower half: the device. Upper half: the inode's generation, because inode numbers are reused. */
	__u64 device;
};

struct file_use {
	__u64 opens;
	__u64 reads;
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 magic;
	__u64 cut; /* 1: the path was too long */
	char path[ABI_PATH_MAX];
};

/* "gpu_files": the open files of a GPU's device. */
struct gpu_file_key {
	__u64 job;
	__u64 tool; /* 0: of all tools together */
	__u64 device; /* major number in the upper half, minor number in the lower half */
};

/*
 * Opens are counted as they happen (gpu_opened), if the kernel lets BPF see them. A walk over all tasks and the end of a
 * process look which files are open. So the end of a process is exact, and another close is seen by the next walk.
 */
struct gpu_file {
	__u64 opens;
	__u64 first_ns; /* CLOCK_BOOTTIME of the first open, or when a look first found it open */
	__u64 last_ns;  /* CLOCK_BOOTTIME when it was last known to be open */
	__u64 held_ns;  /* time in which it was open, until last_ns */
	__u64 fds;      /* open descriptors, as far as they are known */
	__u64 walk;     /* the kernel programs' number of walks when fds was set */
	__u64 found;    /* 1: first_ns is of a look */
};

/* How to classify a wait in a system call. */
enum syscall_kind {
	SYSCALL_OTHER,
	SYSCALL_FD,      /* depends on the first argument's file */
	SYSCALL_SPLICE,  /* like SYSCALL_FD */
	SYSCALL_SOCKET,
	SYSCALL_PATH,    /* file I/O: looks up a path */
	SYSCALL_OPEN,    /* a path, or a FIFO's other end */
	SYSCALL_AIO,     /* asynchronous file I/O */
	SYSCALL_URING,
	SYSCALL_LOCK,
	SYSCALL_FUTEX,   /* depends on operation, value and timeout */
	SYSCALL_CONDITION,
	SYSCALL_MEMORY,  /* changes the address space */
	SYSCALL_CHILD,
	SYSCALL_EVENT,
	SYSCALL_SLEEP,
	SYSCALL_PIPE,    /* System V and POSIX message queues */
	SYSCALL_SYNC_FD, /* SYSCALL_FD until data is on the disk */
	SYSCALL_SYNC,    /* SYSCALL_PATH until data is on the disk */
	SYSCALL_EXIT,    /* ends a thread or process; closes files */
	SYSCALL_POLL,    /* SYSCALL_EVENT, or a GPU device */
	SYSCALL_SELECT,
};

/* What the result of a system call means. */
enum syscall_bytes {
	SYSCALL_BYTES_NONE,
	SYSCALL_BYTES_READ,  /* read from the first argument's file */
	SYSCALL_BYTES_WRITE,
	/* sendfile: from the second argument's file to the first argument's file */
	SYSCALL_BYTES_COPY_OUT_IN,
	/* copy_file_range, splice: from the first argument's file to the third argument's file */
	SYSCALL_BYTES_COPY_IN_OUT,
	SYSCALL_BYTES_OPEN,
};

struct syscalls {
	__u8 kind[ABI_SYSCALLS];
	__u8 bytes[ABI_SYSCALLS];
};

/*
 * "memory_cgroups": the totals that get the peak of a memory cgroup. The key is the cgroup's id.
 *
 * "job_cgroups" does not have these cgroups on cgroup v1: there, another hierarchy decides which job a task belongs to.
 */
struct memory_cgroup {
	__u64 job;
	__u64 id;  /* key of the totals that get the peak */
};

struct tool_key {
	__u64 job;
	__u64 tool; /* hash of program, name and script */
};

enum tool_runtime {
	TOOL_NO_RUNTIME,
	TOOL_RUNTIME, /* makes containers, or helps to */
	TOOL_RUNTIME_OF_IMAGE, /* the member script is the image */
	TOOL_RUNTIME_SCRIPT, /* the same, and the runtime is a script, whose name is in the member name */
};

struct tool {
	__u64 runs;  /* images started by exec */
	__u64 forks; /* processes that never had an exec */
	__u64 failures;
	__u64 signals;
	/* Runs that an ancestor process or SIGPIPE ended. These runs are no failures. */
	__u64 dismissed;
	__u64 openmp; /* processes with several threads and OpenMP's runtime */
	__u64 blas;   /* processes with several threads and BLAS */
	__u64 moved_out; /* processes that left the job's cgroup */
	__u64 use[USES];
	__u64 wall_ns;
	__u64 peak_bytes;
	__u64 used_peak_bytes; /* without pages of mapped files */
	__u64 threads_peak;
	__u64 first_start_ns; /* CLOCK_BOOTTIME */
	__u64 last_end_ns;
	__u64 serial; /* in order of first appearance, from 1 */
	__u64 container; /* of the first run; 0: outside of all containers */
	__u32 runtime; /* enum tool_runtime */
	__u32 slurm;  /* 1: Slurm runs this program for itself */
	__u32 cut;    /* 1: a string below was too long */
	char name[ABI_NAME_MAX];
	char path[ABI_PATH_MAX];
	char script[ABI_PATH_MAX]; /* as given to the interpreter, or empty */
	char directory[ABI_PATH_MAX]; /* working directory, if script is relative */
};

/* "interpreters": the key is the program's name without a version, padded with NULs. */
struct interpreter_key {
	char name[ABI_COMM_MAX];
};

enum interpreter_style {
	INTERPRETER_SHORT = 1, /* one-letter options, which may be clustered */
	INTERPRETER_JAVA = 2,  /* options are whole words after one dash */
	INTERPRETER_ENV = 3,   /* only runs another program by exec */
	INTERPRETER_RUNTIME = 4, /* makes containers: not a script, but an image is searched */
};

struct interpreter {
	__u32 style;
	char code[4];  /* letters of options that have code */
	/* Letters of options that take a value. */
	char value[4];
	char script[4]; /* letters of options that have the script */
	__u32 plus;
	/* INTERPRETER_RUNTIME: the key of its options in "runtime_options"; 0: it is given no image. */
	__u32 options;
	__u32 command; /* 1: the image comes after a command, as in "podman run" */
};

/* "runtime_options": what an argument of a container's runtime is. Padded with NULs. */
struct runtime_option_key {
	__u32 options;
	__u32 commanded; /* 1: after the command */
	char name[32]; /* of an option with its dashes, or of a command; of one letter: "-x" */
};

enum runtime_option {
	RUNTIME_FLAG = 1,
	RUNTIME_VALUE = 2, /* has a value, which may be the next argument */
	RUNTIME_COMMAND = 3, /* the next argument that is no option is the image */
	RUNTIME_GROUP = 4, /* the command is the next argument */
};

/* "containers": the key of a container within its job has no meaning beyond that. */
struct container_key {
	__u64 job;
	__u64 container;
};

struct container {
	__u64 serial;  /* in order of their begin, from 1 */
	__u64 count;   /* above 1: it stands for several */
	__u64 runtime; /* tool; 0: not known */
	__u64 runtime_start_ns; /* CLOCK_BOOTTIME; 0: not known */
	__u64 start_ns; /* CLOCK_BOOTTIME of the first exec within */
	/* CLOCK_BOOTTIME when the first process had ended; if it stands for several, when any process last ended. */
	__u64 end_ns;
	__u64 step;
	__u64 cpu_ns;  /* of ended images, like the next two */
	__u64 runs;
	__u64 failures;
	__u64 root_inode;
	__u64 root_device;
	__u64 pid_namespace;
	__u32 pid;     /* of the first process; 0: it stands for several */
	__u32 status;  /* wait status of the first process */
	__u32 loop;    /* 1: the root is on a loop device */
	char root[ABI_COMM_MAX]; /* type of the root's file system */
	char server[32]; /* FUSE: the type that the server has given, such as "squashfuse" */
};

enum event_flags {
	/* An exec started the image. Without this flag, a fork did. */
	EVENT_EXECED = 1,
	EVENT_REPLACED = 2,
	EVENT_SLURM = 4,
	EVENT_DISMISSED = 8, /* counts as dismissed, not as a failure */
	/* A process of Slurm's own. Only its memory counts for the job. */
	EVENT_BESIDE = 16,
};

enum event_kind {
	EVENT_IMAGE = 1,
	/* Some threads of a job are not counted yet. */
	EVENT_SCAN = 2,
	/*
	 * The out-of-memory killer chose a process.
	 *
	 * Has job, step, tool, pid, ppid, end_ns, peak_bytes (the resident set), used_bytes, limit_bytes, oom and comm.
	 * Before Linux 6.9, has only kind, pid and end_ns.
	 */
	EVENT_OOM = 3,
	/* The job waits very often. The collector must decide now whether it continues to follow the job. */
	EVENT_RUSH = 4,
};

/* The memory cgroups of a victim of the out-of-memory killer. In bytes; 0: not known, or none. */
struct oom_state {
	__u64 kernel_bytes;     /* of the cgroup at its limit */
	__u64 slab_bytes;
	__u64 names_bytes;      /* reclaimable slabs: names of files, and most inodes */
	__u64 page_table_bytes;
	__u64 group;            /* cgroup killed as a whole (memory.oom.group); 0: none */
	__u64 flags;
};

enum oom_flags {
	OOM_NODE = 1, /* no limit of the job was reached */
};

struct event {
	__u32 kind; /* enum event_kind; EVENT_SCAN and EVENT_RUSH have only kind and job */
	__u32 flags;
	__u64 job;
	__u64 step;
	__u64 tool;
	__u64 container;
	__u32 pid;
	__u32 ppid;
	__u64 start_ns;
	__u64 end_ns;
	union {
		__u64 use[ABI_USES_SENT];
		struct oom_state oom;
	};
	__u64 peak_bytes;
	__u64 used_bytes; /* EVENT_OOM: peak_bytes without pages of mapped files */
	/* EVENT_OOM: the limit that was reached, or the job's lowest limit. 0: none. */
	__u64 limit_bytes;
	/* Begin (CLOCK_BOOTTIME) of the longest time in which samples saw the process use nothing. */
	__u64 quiet_since_ns;
	__u64 quiet_ns;
	__u32 status; /* wait status */
	__u32 threads_peak;
	char comm[ABI_COMM_MAX];
};

/*
 * former_read writes this head for each thread. The thread's struct of the former programs follows.
 * If has_use is set, the thread's other sums follow after that.
 */
struct former_head {
	__u64 start_ns; /* task_struct.start_boottime */
	__u32 tid;
	__u32 has_use;
};

/* "forks": forks before the map "totals" has the job (former.bpf.c). The key is a job's key. */
struct former_forks {
	__u64 threads;
	__u64 processes; /* new processes among threads */
};

#endif
