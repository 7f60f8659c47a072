/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that the kernel programs and the collector share: the contents of the maps and of the ring buffer. Each
 * side must define __u32 and __u64 before it includes this file.
 *
 * A thread's sums are added to the totals in the maps when the thread has really ended. Totals are exact even if the
 * ring buffer loses events. The ring buffer carries one event for each program image that has ended, and the few other
 * events of enum event_kind.
 */
#ifndef STINT_ABI_H
#define STINT_ABI_H

#include "common/sum_list.h"

/*
 * The version of the layout of everything below, and of the structures in maps.h. A new stintd replaces programs of
 * another layout, and translates what they counted. For the translation it finds members and enumerators by their names
 * in the maps' BTF (collector/kernel/upgrade/upgrade.c). So a name must keep its meaning and its unit, and each bit of
 * a flags member must keep its meaning. Everything else may be moved, added or removed.
 * collector/kernel/upgrade/translate.c lists the arrays that an enum indexes, and the members that hold an enum's
 * value.
 */
#define ABI_LAYOUT 14

#define ABI_PATH_MAX 512
#define ABI_NAME_MAX 264 /* a file's name has at most 255 bytes, so a name that fills this was cut */
#define ABI_COMM_MAX 16
#define ABI_CPUS_MAX 2048
#define ABI_TOOLS_PER_JOB 1024
#define ABI_TOOL_OTHER 0 /* the tool that counts the runs whose own tool has no entry */
#define ABI_SLOTS 1024 /* jobs whose pressure is followed at a time; slot 0 belongs to no job */
#define ABI_SYSCALLS 512
#define ABI_FILES_PER_JOB 8192
#define ABI_WALK_PIECE 8 /* the walk that fills "samples" can pause after this many tasks */
/* the most steps of a job with their own totals; other steps are counted only in the job's totals */
#define ABI_STEPS_PER_JOB 4096

/*
 * No kernel has a helper with this number. When the collector loads the programs, it replaces each call of this helper
 * by a call of the kernel function bpf_rdonly_cast() (collector/kernel/casts.h).
 */
#define ABI_CALL_bpf_rdonly_cast 0x57000001

/* The tables of processes (maps.h). All jobs share them. Each user has a quota of their entries (places.h). */
enum place {
	PLACE_PROCESS,
	PLACE_PROCESS_USE,
	PLACES
};

/*
 * What threads use and wait for (common/sum_list.h). Each is a sum that only grows. A sum in nanoseconds adds up the
 * times of threads.
 */
enum use {
#define USE_ENUM(name, ...) USE_##name,
	SUM_LIST(USE_ENUM)
#undef USE_ENUM
	USES
};

#define ABI_USES_SENT (USE_SLEEP + 1) /* the event of an ended image carries the sums before this one */
#define ABI_USES_COMMON (USE_INVOLUNTARY_SWITCHES + 1) /* most threads have only sums before this one */

/*
 * What a blocked thread waits for. The sums from USE_MEMORY_STALL on count these waits. If a job is in several kinds of
 * waits at once, its "bound" time is counted only for the kind that comes first in this order.
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
	/* waits for work or a signal: at a condition variable, semaphore, join, barrier, or timer on a futex */
	WAIT_CONDITION,
	WAIT_CHILD,
	WAIT_SLEEP,
	WAITS
};

/* The sum to which a wait of kind @wait is added. For WAIT_NONE, it is the time in which the thread was runnable. */
#define ABI_USE_OF_WAIT(wait) (USE_RUNNABLE + (wait))

/*
 * The only element of "settings". The collector writes it, and the programs read it. But a program writes stepd_inode
 * and stepd_device (scan.bpf.c), and the collector reads them.
 */
struct settings {
	__u32 layout; /* ABI_LAYOUT */
	/* the cgroup hierarchy that decides which job a task belongs to; 0: cgroup v2; -1: not chosen yet */
	__s32 hierarchy_id;
	__s32 memory_hierarchy_id; /* the cgroup hierarchy that has the memory controller; -1: none */
	__u32 subsys;       /* this kernel's index of the first controller of hierarchy_id; unused on cgroup v2 */
	__u32 memory_subsys; /* this kernel's index of the memory controller */
	__u32 cpus;         /* number of possible CPUs, so also of the parts of a per-CPU counter */
	__u32 page_bytes;
	__u32 anchor_id;    /* id of the map "cpu_anchor" */
	__u32 exit_sees_memory; /* 1: at the exit tracepoint, the process still has its address space (from 6.16 on) */
	__u32 steady_clock; /* 1: all run queues use the same clock, and it is steady */
	/* if a job begins PRESSURE_MARK waits of one kind within this time, a program sends EVENT_RUSH */
	__u32 rush_ns;
	__u32 fuse_seen;    /* 1: a program sees requests to FUSE file systems */
	/* pid of a step daemon: the next scan only finds the program file of this process; 0: a scan for tasks of jobs */
	__s32 stepd_pid;
	__u32 places_room[PLACES]; /* entries of each table of processes */
	__u32 places_share[PLACES]; /* the most entries of each table that a user may have at a time; 0: not set */
	__u64 stepd_inode;  /* the program file of Slurm's step daemon, by the kernel's own numbers (scan.bpf.c) */
	__u64 stepd_device;
	__u64 since_ns;     /* CLOCK_BOOTTIME when counting began */
	__u64 build;        /* a hash of the programs' object file, which differs between builds */
	__u64 choice;       /* a hash of build, of what stint.conf chooses, and of what this kernel allows */
	char version[ABI_COMM_MAX]; /* version of the stintd that loaded the programs */
};

/*
 * The key of "inherited". That map has the threads that the former programs knew, while programs of another layout are
 * replaced.
 */
struct inherited_key {
	__u64 start_ns; /* task_struct.start_boottime */
	__u64 tid;
};

/* "change" says what the program thread_inherit must do in its next walk over all tasks. */
enum change_kind {
	CHANGE_NONE,
	CHANGE_INHERIT, /* take over the threads in the map "inherited" */
	CHANGE_GIVE,    /* add the member "given" to the job's totals */
};

/* Amounts for a job's totals that no living thread will add. */
struct given {
	__u64 cpu_ns;
	__u64 replaced_ns; /* time in which nothing was counted */
	__u64 unseen_threads;
	__u64 unseen_processes;
};

struct change {
	__u64 job;
	struct given given;
	__u64 since_ns; /* CLOCK_BOOTTIME; forks from this time to until_ns were counted as unseen; 0: no forks were */
	__u64 until_ns;
	__u32 kind;     /* enum change_kind */
	__u32 waiting;  /* 1: programs of another layout still count the threads, so no program may start to count a task */
	__u32 scanning; /* 1: the scan is exempt from waiting, because it looks for the threads that were forked meanwhile */
	__u32 done;     /* 1: CHANGE_GIVE has been done */
};

/*
 * "job_cgroups": the key is the id of a job's cgroup, and the value is the job's key (__u64). The job's key is the id
 * of the job's first cgroup. A job can have several cgroups, one after the other. Without an extern step, Slurm removes
 * the job's cgroup when the last of its steps ends, and makes another cgroup for the job's next step.
 */

/* "totals": the key is a job's key, or the id of a step's cgroup. */
struct totals {
	__u64 job; /* the job's key */
	__u64 slot; /* the job's index in "pressures"; 0: none */
	__u64 use[USES];
	/* CPU time that processes had used before a scan found them; use[] includes it once they have ended */
	__u64 found_cpu_ns;
	__u64 processes; /* processes of the user that were started or found */
	__u64 live;      /* threads that are alive, Slurm's own too */
	__u64 threads;   /* threads of the user that are alive */
	__u64 threads_peak;
	/* CLOCK_BOOTTIME when the last living thread of the user ended; valid while threads is 0; 0: never */
	__u64 last_end_ns;
	__u64 process_peak_bytes; /* the largest resident set of any process, without pages of mapped files */
	__u64 huge_peak_bytes; /* the most huge pages (hugetlbfs) that any process was seen to have */
	__u64 charged_peak_bytes; /* the cgroup's own high-water mark, read when the cgroup was removed */
	__u64 oom_kills;
	__u64 tools;      /* number of distinct tools */
	__u64 files;      /* number of distinct files */
	/* steps whose totals the kernel programs made, because the collector had no message about the step */
	__u64 steps;
	/* if the programs made these totals: the step's first process, by which the collector recognizes the step */
	__u64 first_pid;
	__u64 lost_records; /* events of ended images that did not fit into the ring buffer */
	__u64 lost_tools; /* runs counted under ABI_TOOL_OTHER */
	__u64 lost_tasks;   /* threads for which the kernel gave no memory */
	__u64 lost_files; /* opens and calls on files beyond ABI_FILES_PER_JOB */
	__u64 lost_ooms;    /* victims of the out-of-memory killer whose events did not fit into the ring buffer */
	/* Threads and requests whose sums are only in the totals of the job and the step, and in no tool's sums. */
	__u64 lost_uses;
	__u64 lost_requests; /* asynchronous requests whose bytes are not counted if another process completes them */
	__u64 lost_file_systems; /* waits and calls whose file system had no entry */
	__u64 socket_splices; /* waits for a socket in splice() */
	__u64 moved_out; /* the user's processes that were moved out of the job's cgroup */
	/* The next four are about the times in which programs of another layout were replaced during the job. */
	__u64 replaced_ns;      /* time in which nothing was counted */
	__u64 unseen_threads;   /* threads that ended, or began another image, unseen in these times */
	__u64 unseen_processes; /* how many of unseen_threads were processes that began in these times */
	__u8 partial[USES];     /* 1: the former programs did not count this sum */
	__u32 uid;              /* the job's owner; not set for a step */
};

/*
 * "shares": the key is a user's id (__u32). It says how many entries each job of that user may have in the tables that
 * all jobs share. This depends on the maps' sizes, on the number of users, and on the number of that user's jobs. Only
 * the collector writes it. If there is no entry, no share is set yet.
 */
struct share {
	__u32 tools;
	__u32 files;
	__u32 steps; /* steps for which the programs may make totals */
};

/*
 * "users": the key is a user's id (__u32). It says how many entries that user's processes now have in each table of
 * processes.
 */
struct user {
	__s64 taken[PLACES];
};

/*
 * "pressures": the index is a job's slot. The programs update it at every switch of the job's threads. A thread is busy
 * while it is on a CPU or runnable.
 */
struct pressure {
	__u64 job; /* key of the job that has this slot; threads of another job are not counted here */
	__u64 busy; /* threads that are busy now */
	__u64 busy_peak;
	__u64 active_since; /* CLOCK_MONOTONIC since which some thread is busy; 0: none is */
	__u64 active_ns;    /* time in which at least one thread was busy */
	__u64 parallel_since;
	__u64 parallel_ns; /* time in which two or more threads were busy */
	__u64 parallel_until; /* CLOCK_MONOTONIC when two or more threads were last busy */
	__u64 full_since;  /* CLOCK_MONOTONIC since which no thread is busy and some wait; 0: not now */
	__u64 marked_ns;   /* CLOCK_MONOTONIC when PRESSURE_MARK more waits of some kind had begun */
	__u64 waiting[WAITS]; /* threads that wait now, plus PRESSURE_WAIT for each wait that has begun */
	__u64 some_since[WAITS];
	__u64 some_ns[WAITS];
	__u64 full_ns[WAITS];
	__u64 bound_ns[WAITS]; /* the part of full_ns that is counted only for this kind of wait */
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

/* "cpu_uses" is a per-CPU array, and the index is a job's slot. It has the CPU time of the user's threads on this CPU. */
struct cpu_use {
	__u64 job;
	__u64 cpu_ns;
};

/*
 * "samples": the index is a job's slot. A walk over all tasks sums up here what living threads have used and not yet
 * added to the totals.
 */
struct sample {
	__u64 job;
	__u64 threads;
	__u64 processes;
	__u64 huge_bytes; /* huge pages (hugetlbfs) of the processes; a shared page counts once for each process */
	__u64 use[ABI_USES_SENT];
};

/*
 * What the program living_tasks writes about each thread of a job, Slurm's own threads included: the thread's use that
 * is in no totals yet, and the image of the thread's process.
 */
struct living {
	__u64 job;
	__u64 step;
	__u64 tool;     /* 0: not known; then process, start_ns, pid, ppid, threads_peak and ended[] are not known either */
	__u64 process;  /* a number that all threads of one process share */
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u32 pid;
	__u32 ppid;
	__u32 flags; /* enum event_flags */
	__u32 threads_peak;
	__u64 cpu;    /* the CPU on which the thread ran last */
	__u64 cpu_ns; /* the part of use[USE_CPU] since the thread got that CPU; "cpu_uses" does not include it yet */
	__u64 use[USES];
	__u64 ended[USES]; /* what ended threads of the image used; totals include it, but no tool's sums do yet */
};

/* "file_systems" */
struct file_system_key {
	__u64 job;
	__u64 magic; /* the file system's magic number; 0: not known (a path that is not open yet, asynchronous I/O) */
};

struct file_system {
	__u64 wait_ns; /* thread time in WAIT_FILE_IO */
	__u64 waits;
	__u64 reads; /* this and the next four are counted only with files = on */
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 opens;
	char type[ABI_COMM_MAX]; /* the kernel's name of the type */
};

/* "files" */
struct file_key {
	__u64 job;
	__u64 inode;
	/* lower half: the device; upper half: the inode's generation, because the number of a removed file is reused */
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

/*
 * How to classify a wait in a system call. The only element of "syscalls" has this for each call's number. The
 * collector fills it.
 */
enum syscall_kind {
	SYSCALL_OTHER,
	SYSCALL_FD,      /* the file of the first argument decides */
	SYSCALL_SPLICE,  /* like SYSCALL_FD, but bytes that the call reads from a socket may not be counted */
	SYSCALL_SOCKET,  /* network */
	SYSCALL_PATH,    /* looks up a path, so it waits for file I/O */
	SYSCALL_OPEN,    /* like SYSCALL_PATH, but the call may wait for a FIFO's other end */
	SYSCALL_AIO,     /* waits for asynchronous file I/O */
	SYSCALL_URING,   /* the last submitted request decides */
	SYSCALL_LOCK,
	SYSCALL_FUTEX,   /* the futex operation, value and timeout decide */
	SYSCALL_CONDITION,
	SYSCALL_MEMORY,  /* changes the address space; a thread that waits uninterruptibly in it waits for the address space's lock */
	SYSCALL_CHILD,
	SYSCALL_EVENT,
	SYSCALL_SLEEP,
	SYSCALL_PIPE,    /* System V and POSIX message queues */
	SYSCALL_SYNC_FD, /* like SYSCALL_FD, but the call waits until data is on the disk */
	SYSCALL_SYNC,    /* like SYSCALL_PATH, for calls that wait until data of several files is on the disk */
	SYSCALL_EXIT,    /* waits for file I/O only while it closes files */
};

/* How the system call's result is counted with files = on. */
enum syscall_bytes {
	SYSCALL_BYTES_NONE,
	SYSCALL_BYTES_READ,  /* bytes read from the file of the first argument */
	SYSCALL_BYTES_WRITE,
	/* sendfile: writes to the file of the first argument, and reads from that of the second */
	SYSCALL_BYTES_COPY_OUT_IN,
	/* copy_file_range, splice: reads from the file of the first argument, and writes to that of the third */
	SYSCALL_BYTES_COPY_IN_OUT,
	SYSCALL_BYTES_OPEN, /* the result is the descriptor of an opened file */
};

struct syscalls {
	__u8 kind[ABI_SYSCALLS];
	__u8 bytes[ABI_SYSCALLS];
};

/*
 * "memory_cgroups": the key is the id of a memory cgroup. It says which job or step gets the peak of that cgroup. On
 * cgroup v1 the task's cgroup in another hierarchy decides which job the task belongs to, so "job_cgroups" cannot say
 * this.
 */
struct memory_cgroup {
	__u64 job; /* the job's key */
	__u64 id;  /* key of the totals that get the peak: the job's or a step's */
};

/* "tools" */
struct tool_key {
	__u64 job;
	__u64 tool; /* hash of program file, name and script, or ABI_TOOL_OTHER */
};

struct tool {
	__u64 runs;  /* images started by exec */
	__u64 forks; /* processes that ended in this tool's image and never had an exec */
	__u64 failures;
	__u64 signals; /* failures by a signal */
	/*
	 * runs that ended because a process above them ended them, or because the reader of their pipe had gone; they
	 * are no failures
	 */
	__u64 dismissed;
	__u64 openmp; /* processes that had several threads, and OpenMP's runtime mapped when their image ended */
	__u64 blas;   /* processes that had several threads, and BLAS mapped when their image ended */
	__u64 use[USES];
	__u64 wall_ns; /* sum over ended runs */
	__u64 peak_bytes;
	__u64 used_peak_bytes; /* the peak without pages of mapped files */
	__u64 threads_peak;
	__u64 first_start_ns; /* CLOCK_BOOTTIME */
	__u64 last_end_ns;
	__u64 serial; /* position in the order in which the job's tools first appeared, from 1 */
	__u32 slurm;  /* 1: a program that Slurm runs for itself */
	__u32 cut;    /* 1: a text below was too long and was cut */
	char name[ABI_NAME_MAX]; /* name by which the program was invoked */
	char path[ABI_PATH_MAX]; /* path of the program file */
	char script[ABI_PATH_MAX]; /* path as given to the interpreter, or empty */
	char directory[ABI_PATH_MAX]; /* the working directory at that time, if the script's path is relative */
};

/* "interpreters": the key is the program's name without its version, padded with NULs. */
struct interpreter_key {
	char name[ABI_COMM_MAX];
};

enum interpreter_style {
	INTERPRETER_SHORT = 1, /* clustered one-letter options */
	INTERPRETER_JAVA = 2,  /* options are whole words after one dash */
	INTERPRETER_ENV = 3,   /* runs another program by exec, and never interprets a script itself */
};

struct interpreter {
	__u32 style;
	char code[4];  /* option letters that are followed by code; then there is no script */
	/* letters of options with a value; if such a letter ends its argument, the next argument is the value */
	char value[4];
	char script[4]; /* option letters whose value is the script */
	__u32 plus;     /* options may also start with '+' */
};

enum event_flags {
	/* an exec started the image; without this flag, the image is a fork that ran its parent's image */
	EVENT_EXECED = 1,
	EVENT_REPLACED = 2, /* the next exec ended the image, not an exit */
	EVENT_SLURM = 4,    /* Slurm's own */
	EVENT_DISMISSED = 8, /* the image counts as "dismissed" (struct tool), not as a failure */
	/*
	 * Slurm's own process, and only its memory counts for the job. What the process used is in its tool's sums, but
	 * not in the sums of the job and the step.
	 */
	EVENT_BESIDE = 16,
};

enum event_kind {
	EVENT_IMAGE = 1,
	/*
	 * Some threads of a job are not counted yet: a process with several threads entered the job, or there was no
	 * memory for a thread.
	 */
	EVENT_SCAN = 2,
	/*
	 * The out-of-memory killer chose the process. The event has job, step, tool, pid, ppid, end_ns, peak_bytes (the
	 * resident set at that moment), used_bytes, limit_bytes, oom and comm. If the kernel gives only the pid, the
	 * event has only kind, pid and end_ns.
	 */
	EVENT_OOM = 3,
	/* The job waits so often that the collector must decide now whether to continue to follow it ("pressures"). */
	EVENT_RUSH = 4,
};

/*
 * The state of the memory cgroups of a victim of the out-of-memory killer, when it was chosen. Sizes are in bytes. 0
 * means not known, or none.
 */
struct oom_state {
	__u64 kernel_bytes;     /* the kernel's memory for the cgroup that reached its limit, and all below it */
	__u64 slab_bytes;       /* the part of kernel_bytes in slabs, which hold small objects */
	__u64 names_bytes;      /* the part of slab_bytes in reclaimable slabs, which hold names of files and most inodes */
	__u64 page_table_bytes; /* the victim's page tables */
	__u64 group;            /* id of the cgroup whose processes are all killed together (memory.oom.group); 0: none */
	__u64 flags;            /* enum oom_flags */
};

enum oom_flags {
	OOM_NODE = 1, /* no cgroup of the job ran out at its own limit; the node ran out, or a cgroup above the job */
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
	/* EVENT_OOM: the limit that was reached; if none of the job's was, the lowest of them; 0: there is none */
	__u64 limit_bytes;
	/* CLOCK_BOOTTIME when the longest time began in which the samples saw the process use nothing */
	__u64 quiet_since_ns;
	__u64 quiet_ns;
	__u32 status; /* wait status */
	__u32 threads_peak;
	char comm[ABI_COMM_MAX];
};

/* What the programs of former.bpf.c tell the collector. */

/*
 * For each thread that the former programs know, the program former_read writes this head, then the thread, and then
 * the thread's other sums if it has any.
 */
struct former_head {
	__u64 start_ns; /* task_struct.start_boottime */
	__u32 tid;
	__u32 has_use;
};

/*
 * "forks": the key is a job's key. It has forks that neither the former programs nor ours counted, until the former
 * programs' totals have been copied.
 */
struct former_forks {
	__u64 threads;
	__u64 processes; /* how many of threads are new processes */
};

#endif
