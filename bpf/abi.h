/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that the kernel programs and the collector share: the contents of the maps and of the ring buffer. Both
 * must define __u32 and __u64 before they include this file.
 *
 * A thread's sums are added to the totals in the maps when the thread has really ended. So totals are exact even if the
 * ring buffer loses events. The ring buffer carries one event for each program image that has ended, and the few other
 * events of enum event_kind.
 */
#ifndef STINT_ABI_H
#define STINT_ABI_H

#include "common/sum_list.h"

/*
 * The version of the layout of everything below, and of the structures in maps.h. A new stintd replaces programs of
 * another layout, and translates what they counted. To translate, it finds members and enumerators by their names in
 * the maps' BTF (collector/kernel/upgrade/upgrade.c). So a name must keep its meaning and its unit, and each bit of a
 * flags member must keep its meaning. Everything else may be moved, added or removed.
 *
 * collector/kernel/upgrade/translate.c lists the arrays whose index is an enum, and the members whose value is an enum.
 */
#define ABI_LAYOUT 14

#define ABI_PATH_MAX 512
#define ABI_NAME_MAX 264 /* a file's name has at most 255 bytes, so a name that fills this buffer was cut */
#define ABI_COMM_MAX 16
#define ABI_CPUS_MAX 2048
#define ABI_TOOLS_PER_JOB 1024
#define ABI_TOOL_OTHER 0 /* the tool that counts runs if their own tool has no entry */
#define ABI_SLOTS 1024 /* the most jobs whose pressure is followed at a time, plus one, because slot 0 belongs to no job */
#define ABI_SYSCALLS 512
#define ABI_FILES_PER_JOB 8192
#define ABI_WALK_PIECE 8 /* after this many tasks, the walk that fills "samples" can pause */
/* The most steps of a job that have totals of their own. Further steps are counted only in the job's totals. */
#define ABI_STEPS_PER_JOB 4096

/*
 * The number of a helper that no kernel has. When the collector loads the programs, it replaces each call of this
 * helper by a call of the kernel function bpf_rdonly_cast() (collector/kernel/casts.h).
 */
#define ABI_CALL_bpf_rdonly_cast 0x57000001

/*
 * The tables of processes (maps.h). All jobs share these tables. Each user has a quota of entries in each of them
 * (places.h).
 */
enum place {
	PLACE_PROCESS,
	PLACE_PROCESS_USE,
	PLACES
};

/*
 * What threads use and wait for (common/sum_list.h). Each value is a sum that only grows. A sum in nanoseconds adds up
 * the times of all threads.
 */
enum use {
#define USE_ENUM(name, ...) USE_##name,
	SUM_LIST(USE_ENUM)
#undef USE_ENUM
	USES
};

#define ABI_USES_SENT (USE_SLEEP + 1) /* number of sums that the event of an ended image has, from the first one on */
/* Number of sums that most threads have, from the first one on; only few threads have others. */
#define ABI_USES_COMMON (USE_INVOLUNTARY_SWITCHES + 1)

/*
 * What a blocked thread waits for. Each of these waits has a sum, from USE_MEMORY_STALL on. If a job is in several
 * kinds of waits at once, its "bound" time is counted only for the kind that comes first in this enum.
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
	/* waits for work or a signal: a condition variable, a semaphore, a join, a barrier, or a timer on a futex */
	WAIT_CONDITION,
	WAIT_CHILD,
	WAIT_SLEEP,
	WAITS
};

/*
 * The sum that counts the time of the wait @wait. For WAIT_NONE, it counts the time in which the thread was runnable.
 */
#define ABI_USE_OF_WAIT(wait) (USE_RUNNABLE + (wait))

/*
 * The only element of "settings". The collector writes it, and the programs read it. Two members are exceptions:
 * scan.bpf.c writes stepd_inode and stepd_device, and the collector reads them.
 */
struct settings {
	__u32 layout; /* ABI_LAYOUT */
	/* The cgroup hierarchy that decides which job a task belongs to. 0: cgroup v2; -1: not chosen yet. */
	__s32 hierarchy_id;
	__s32 memory_hierarchy_id; /* the cgroup hierarchy that has the memory controller; -1: none */
	__u32 subsys;       /* this kernel's index of the first controller of the hierarchy hierarchy_id; unused on cgroup v2 */
	__u32 memory_subsys; /* this kernel's index of the memory controller */
	__u32 cpus;         /* number of possible CPUs, which is also the number of parts of a per-CPU counter */
	__u32 page_bytes;
	__u32 anchor_id;    /* id of the map "cpu_anchor" */
	__u32 exit_sees_memory; /* 1: at the exit tracepoint, the process still has its address space (Linux 6.16 and later) */
	__u32 steady_clock; /* 1: the clocks of all run queues are the same clock, and this clock is steady */
	/* A program sends EVENT_RUSH if a job begins PRESSURE_MARK waits of one kind within this time. */
	__u32 rush_ns;
	__u32 fuse_seen;    /* 1: a program sees the requests to FUSE file systems */
	/*
	 * 0: a scan looks for tasks of jobs. Otherwise the next scan only finds the program file of this process, a
	 * step daemon.
	 */
	__s32 stepd_pid;
	__u32 places_room[PLACES]; /* number of entries that each table of processes can have */
	__u32 places_share[PLACES]; /* the most entries that a user may have in each table of processes at a time; 0: not set */
	__u64 stepd_inode;  /* identifies the program file of Slurm's step daemon, by the kernel's own numbers (scan.bpf.c) */
	__u64 stepd_device;
	__u64 since_ns;     /* CLOCK_BOOTTIME when counting began */
	__u64 build;        /* hash of the programs' object file, so it differs between builds */
	__u64 choice;       /* hash of the member build, of what stint.conf chooses, and of what this kernel allows */
	char version[ABI_COMM_MAX]; /* version of the stintd that loaded the programs */
};

/*
 * The key of "inherited". While programs of another layout are replaced, this map has the threads that the former
 * programs knew.
 */
struct inherited_key {
	__u64 start_ns; /* task_struct.start_boottime */
	__u64 tid;
};

/* What the program thread_inherit must do in its next walk over all tasks (struct change). */
enum change_kind {
	CHANGE_NONE,
	CHANGE_INHERIT, /* take over the threads in "inherited" */
	CHANGE_GIVE,    /* add struct change.given to the job's totals */
};

/* Amounts that no living thread will add to a job's totals, so the collector has them added. */
struct given {
	__u64 cpu_ns;
	__u64 replaced_ns; /* time in which no program counted */
	__u64 unseen_threads;
	__u64 unseen_processes;
};

struct change {
	__u64 job;
	struct given given;
	__u64 since_ns; /* CLOCK_BOOTTIME; forks between since_ns and until_ns were counted as unseen; 0: there were none */
	__u64 until_ns;
	__u32 kind;     /* enum change_kind */
	/*
	 * 1: programs of another layout still count the threads, so no program of this layout may start to count a
	 * task.
	 */
	__u32 waiting;
	/*
	 * 1: the scan may start to count tasks although waiting is 1, because it looks for the threads that were forked
	 * meanwhile.
	 */
	__u32 scanning;
	__u32 done;     /* 1: CHANGE_GIVE has been done */
};

/*
 * "job_cgroups": the key is the id of a job's cgroup, and the value is the job's key (__u64). The job's key is the id
 * of the job's first cgroup. A job can have several cgroups, one after the other. The reason is that without an extern
 * step, Slurm removes the job's cgroup when the last step in it ends, and makes another cgroup for the job's next step.
 */

/* "totals": the key is a job's key, or the id of a step's cgroup. */
struct totals {
	__u64 job; /* the job's key */
	__u64 slot; /* the job's index in "pressures"; 0: none */
	__u64 use[USES];
	/*
	 * CPU time that processes had used before a scan found them. use[] includes this time only after these
	 * processes have ended.
	 */
	__u64 found_cpu_ns;
	__u64 processes; /* number of the user's processes that were started or found */
	__u64 live;      /* number of live threads, including Slurm's own */
	__u64 threads;   /* number of the user's live threads */
	__u64 threads_peak;
	/*
	 * CLOCK_BOOTTIME when the user's last thread ended. Valid only while the member threads is 0. 0: no thread has
	 * ended yet.
	 */
	__u64 last_end_ns;
	__u64 process_peak_bytes; /* the largest resident set of any process, without pages of mapped files */
	__u64 huge_peak_bytes; /* the most huge pages (hugetlbfs) that any process was seen to have */
	__u64 charged_peak_bytes; /* the kernel's own peak of the cgroup, read when the cgroup was removed */
	__u64 oom_kills;
	__u64 tools;      /* number of distinct tools */
	__u64 files;      /* number of distinct files */
	/*
	 * Number of steps whose totals the kernel programs made, because the collector had no message about the step.
	 */
	__u64 steps;
	/*
	 * If the kernel programs made these totals: pid of the step's first process, so that the collector can identify
	 * the step.
	 */
	__u64 first_pid;
	__u64 lost_records; /* events of ended images that did not fit into the ring buffer */
	__u64 lost_tools; /* runs counted under ABI_TOOL_OTHER */
	__u64 lost_tasks;   /* threads that are not counted because the kernel had no memory for them */
	__u64 lost_files; /* opens and calls that are not counted because their file would exceed ABI_FILES_PER_JOB */
	/* Victims of the out-of-memory killer that have no event, because it did not fit into the ring buffer. */
	__u64 lost_ooms;
	/*
	 * Threads and requests whose sums are missing from their tool's sums. The totals of the job and the step
	 * include them.
	 */
	__u64 lost_uses;
	__u64 lost_requests; /* asynchronous requests whose bytes would not be counted if another process completed them */
	__u64 lost_file_systems; /* waits and calls that are not counted for a file system, because it has no entry */
	__u64 socket_splices; /* waits for a socket in splice() */
	__u64 moved_out; /* processes of the user that were moved out of the job's cgroup */
	/*
	 * The next four members are about the times in which programs of another layout were replaced while the job
	 * ran.
	 */
	__u64 replaced_ns;      /* time in which no program counted */
	__u64 unseen_threads;   /* threads that ended, or began another image, in these times, so that no program saw it */
	__u64 unseen_processes; /* how many of unseen_threads are processes that began in these times */
	__u8 partial[USES];     /* 1: the former programs did not count this sum, so it covers only a part of the job */
	__u32 uid;              /* the job's owner; not set for a step */
};

/*
 * "shares": the key is a user's id (__u32). The value says how many entries each job of that user may have in the
 * tables that all jobs share. The value depends on the maps' sizes, on the number of users, and on the number of that
 * user's jobs. Only the collector writes it. If a user has no entry, no share is set yet.
 */
struct share {
	__u32 tools;
	__u32 files;
	__u32 steps; /* the most steps for which the kernel programs may make totals */
};

/*
 * "users": the key is a user's id (__u32). The value says how many entries the processes of that user now have in each
 * table of processes.
 */
struct user {
	__s64 taken[PLACES];
};

/*
 * "pressures": the index is a job's slot. The programs update the element whenever a thread of the job is switched. A
 * thread is busy while it is on a CPU or runnable.
 */
struct pressure {
	__u64 job; /* key of the job that has this slot; if a thread's job has another key, the thread is not counted here */
	__u64 busy; /* number of busy threads now */
	__u64 busy_peak;
	__u64 active_since; /* CLOCK_MONOTONIC since when at least one thread has been busy; 0: no thread is busy */
	__u64 active_ns;    /* time in which at least one thread was busy */
	__u64 parallel_since;
	__u64 parallel_ns; /* time in which two or more threads were busy */
	__u64 parallel_until; /* CLOCK_MONOTONIC when the last time with two or more busy threads ended */
	__u64 full_since;  /* CLOCK_MONOTONIC since when no thread has been busy while at least one waits; 0: this is not so now */
	__u64 marked_ns;   /* CLOCK_MONOTONIC when the last PRESSURE_MARK waits of some kind were complete */
	__u64 waiting[WAITS]; /* number of threads that wait now, plus PRESSURE_WAIT times the number of waits that have begun */
	__u64 some_since[WAITS];
	__u64 some_ns[WAITS];
	__u64 full_ns[WAITS];
	__u64 bound_ns[WAITS]; /* the part of full_ns that is counted only for this kind of wait */
	/*
	 * The next four members are set if the job waited too often, so that it is no longer followed
	 * (collector/pressure_limit.h). Everything above is then 0.
	 */
	__u64 left_job;
	__u64 left_ns;    /* CLOCK_BOOTTIME */
	__u64 left_waits; /* a second */
	__u64 left_cpus;
};

#define PRESSURE_MARK 16384
#define PRESSURE_WAIT (1ull << 24)
#define PRESSURE_WAITING (PRESSURE_WAIT - 1)

/*
 * "cpu_uses": a per-CPU array whose index is a job's slot. Each element has the CPU time of the user's threads on one
 * CPU.
 */
struct cpu_use {
	__u64 job;
	__u64 cpu_ns;
};

/*
 * "samples": the index is a job's slot. A walk over all tasks sums up here what living threads have used but have not
 * yet added to the totals.
 */
struct sample {
	__u64 job;
	__u64 threads;
	__u64 processes;
	__u64 huge_bytes; /* huge pages (hugetlbfs) of the processes; if processes share a page, it counts once for each of them */
	__u64 use[ABI_USES_SENT];
};

/*
 * What the program living_tasks writes about each thread of a job, including Slurm's own threads. It has the thread's
 * use that is in no totals yet, and the image of the thread's process.
 */
struct living {
	__u64 job;
	__u64 step;
	__u64 tool;     /* 0: the tool is not known, and neither are process, start_ns, pid, ppid, threads_peak and ended[] */
	__u64 process;  /* a number that is the same for all threads of one process */
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u32 pid;
	__u32 ppid;
	__u32 flags; /* enum event_flags */
	__u32 threads_peak;
	__u64 cpu;    /* the CPU on which the thread ran last */
	/*
	 * The part of use[USE_CPU] that the thread used since it got this CPU; "cpu_uses" does not include this part
	 * yet.
	 */
	__u64 cpu_ns;
	__u64 use[USES];
	/* What threads of the image used that have ended; totals include it, but no tool's sums include it yet. */
	__u64 ended[USES];
};

/* "file_systems" */
struct file_system_key {
	__u64 job;
	__u64 magic; /* magic number of the file system; 0: not known (a path that is not open yet, or asynchronous I/O) */
};

struct file_system {
	__u64 wait_ns; /* thread time in WAIT_FILE_IO */
	__u64 waits;
	__u64 reads; /* this member and the next four are counted only with files = on */
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 opens;
	char type[ABI_COMM_MAX]; /* the kernel's name for the type of file system */
};

/* "files" */
struct file_key {
	__u64 job;
	__u64 inode;
	/*
	 * Lower half: the device. Upper half: the inode's generation, because the inode number of a removed file is
	 * reused.
	 */
	__u64 device;
};

struct file_use {
	__u64 opens;
	__u64 reads;
	__u64 writes;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 magic;
	__u64 cut; /* 1: the path was too long, so it was cut */
	char path[ABI_PATH_MAX];
};

/*
 * How to classify a wait in a system call. The only element of "syscalls" has one of these values for each call's
 * number. The collector fills it.
 */
enum syscall_kind {
	SYSCALL_OTHER,
	SYSCALL_FD,      /* depends on the file of the first argument */
	SYSCALL_SPLICE,  /* like SYSCALL_FD, but bytes that the call reads from a socket may be missing from the counts */
	SYSCALL_SOCKET,  /* network */
	SYSCALL_PATH,    /* looks up a path, so its waits are for file I/O */
	SYSCALL_OPEN,    /* like SYSCALL_PATH, but the call may also wait for the other end of a FIFO */
	SYSCALL_AIO,     /* waits for asynchronous file I/O */
	SYSCALL_URING,   /* depends on the last request that the thread submitted */
	SYSCALL_LOCK,
	SYSCALL_FUTEX,   /* depends on the futex operation, the value and the timeout */
	SYSCALL_CONDITION,
	SYSCALL_MEMORY,  /* changes the address space; an uninterruptible wait in this call is for the lock of the address space */
	SYSCALL_CHILD,
	SYSCALL_EVENT,
	SYSCALL_SLEEP,
	SYSCALL_PIPE,    /* System V and POSIX message queues */
	SYSCALL_SYNC_FD, /* like SYSCALL_FD, but the call waits until data is on the disk */
	SYSCALL_SYNC,    /* like SYSCALL_PATH, but the call waits until data of several files is on the disk */
	SYSCALL_EXIT,    /* ends a thread or process; waits for file I/O only while it closes files */
};

/* How the result of a system call is counted with files = on. */
enum syscall_bytes {
	SYSCALL_BYTES_NONE,
	SYSCALL_BYTES_READ,  /* the result is bytes read from the file of the first argument */
	SYSCALL_BYTES_WRITE,
	/*
	 * sendfile: the call writes to the file of the first argument, and reads from the file of the second argument
	 */
	SYSCALL_BYTES_COPY_OUT_IN,
	/*
	 * copy_file_range, splice: the call reads from the file of the first argument, and writes to the file of the
	 * third one
	 */
	SYSCALL_BYTES_COPY_IN_OUT,
	SYSCALL_BYTES_OPEN, /* the result is the descriptor of an opened file */
};

struct syscalls {
	__u8 kind[ABI_SYSCALLS];
	__u8 bytes[ABI_SYSCALLS];
};

/*
 * "memory_cgroups": the key is the id of a memory cgroup. The value says which job or step gets the peak of that
 * cgroup. "job_cgroups" cannot say this, because on cgroup v1 the task's cgroup in another hierarchy decides which job
 * the task belongs to.
 */
struct memory_cgroup {
	__u64 job; /* the job's key */
	__u64 id;  /* key of the totals that get the peak: those of the job or of a step */
};

/* "tools" */
struct tool_key {
	__u64 job;
	__u64 tool; /* hash of program file, name and script; or ABI_TOOL_OTHER */
};

struct tool {
	__u64 runs;  /* images started by exec */
	__u64 forks; /* processes that ended in an image of this tool and never had an exec */
	__u64 failures;
	__u64 signals; /* failures by a signal */
	/*
	 * Runs that ended because a process above them ended them, or because the reader of their pipe had gone. These
	 * are not counted as failures.
	 */
	__u64 dismissed;
	__u64 openmp; /* processes that had several threads, and had OpenMP's runtime mapped when their image ended */
	__u64 blas;   /* processes that had several threads, and had BLAS mapped when their image ended */
	__u64 use[USES];
	__u64 wall_ns; /* sum over ended runs */
	__u64 peak_bytes;
	__u64 used_peak_bytes; /* largest resident set without pages of mapped files */
	__u64 threads_peak;
	__u64 first_start_ns; /* CLOCK_BOOTTIME */
	__u64 last_end_ns;
	__u64 serial; /* the tool's number, from 1, in the order in which the job's tools first appeared */
	__u32 slurm;  /* 1: Slurm runs this program for itself */
	__u32 cut;    /* 1: one of the strings below was too long and was cut */
	char name[ABI_NAME_MAX]; /* name by which the program was invoked */
	char path[ABI_PATH_MAX]; /* path of the program file */
	char script[ABI_PATH_MAX]; /* path of the script, as given to the interpreter; empty: no script */
	char directory[ABI_PATH_MAX]; /* working directory when the tool first ran, if the script's path is relative */
};

/* "interpreters": the key is the program's name without a version, padded with NULs. */
struct interpreter_key {
	char name[ABI_COMM_MAX];
};

enum interpreter_style {
	INTERPRETER_SHORT = 1, /* clustered one-letter options */
	INTERPRETER_JAVA = 2,  /* options are whole words after one dash */
	INTERPRETER_ENV = 3,   /* never interprets a script itself: it only runs another program by exec */
};

struct interpreter {
	__u32 style;
	char code[4];  /* letters of options that are followed by code, so there is no script */
	/*
	 * Letters of options that take a value. If such a letter is the last one of its argument, the next argument is
	 * the value.
	 */
	char value[4];
	char script[4]; /* letters of options whose value is the script */
	__u32 plus;     /* options may also start with '+' */
};

enum event_flags {
	/* An exec started the image. Without this flag, a fork started the image, and it ran its parent's program. */
	EVENT_EXECED = 1,
	EVENT_REPLACED = 2, /* the image ended because of the next exec, and not because of an exit */
	EVENT_SLURM = 4,    /* Slurm's own */
	EVENT_DISMISSED = 8, /* the image counts as "dismissed" (struct tool), not as a failure */
	/*
	 * The image is Slurm's own process, and only its memory counts for the job. What the process used is in its
	 * tool's sums, but not in the sums of the job and the step.
	 */
	EVENT_BESIDE = 16,
};

enum event_kind {
	EVENT_IMAGE = 1,
	/*
	 * Some threads of a job are not counted yet, because a process with several threads entered the job, or because
	 * there was no memory for a thread.
	 */
	EVENT_SCAN = 2,
	/*
	 * The out-of-memory killer chose a process. The event has job, step, tool, pid, ppid, end_ns, peak_bytes (the
	 * resident set at that moment), used_bytes, limit_bytes, oom and comm. If the kernel shows only the pid, the
	 * event has only kind, pid and end_ns.
	 */
	EVENT_OOM = 3,
	/*
	 * The job waits so often that the collector must decide now whether it continues to follow the job
	 * ("pressures").
	 */
	EVENT_RUSH = 4,
};

/*
 * The state of the memory cgroups of a process at the moment when the out-of-memory killer chose it. Sizes are in
 * bytes. 0 means not known, or none.
 */
struct oom_state {
	__u64 kernel_bytes;     /* the kernel's memory for the cgroup that reached its limit, and for all cgroups below it */
	__u64 slab_bytes;       /* the part of kernel_bytes that is in slabs, which hold small objects */
	__u64 names_bytes;      /* the part of slab_bytes that is in reclaimable slabs, which hold names of files and most inodes */
	__u64 page_table_bytes; /* size of the victim's page tables */
	__u64 group;            /* id of the cgroup whose processes are all killed together (memory.oom.group); 0: none */
	__u64 flags;            /* enum oom_flags */
};

enum oom_flags {
	OOM_NODE = 1, /* no cgroup of the job reached its own limit: the node ran out of memory, or a cgroup above the job */
};

/* One event in "events". */
struct event {
	__u32 kind; /* enum event_kind; EVENT_SCAN and EVENT_RUSH have only kind and job */
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
	__u64 used_bytes; /* EVENT_OOM: peak_bytes without pages of mapped files */
	/*
	 * EVENT_OOM: the limit that was reached. If no limit of the job was reached, the lowest of its limits. 0: it
	 * has no limit.
	 */
	__u64 limit_bytes;
	/* Begin (CLOCK_BOOTTIME) of the longest time in which samples saw the process use nothing. */
	__u64 quiet_since_ns;
	__u64 quiet_ns;
	__u32 status; /* wait status */
	__u32 threads_peak;
	char comm[ABI_COMM_MAX];
};

/* What the programs of former.bpf.c send to the collector. */

/*
 * The program former_read writes this head for each thread that the former programs know. The thread follows, and then
 * the thread's other sums if has_use is set.
 */
struct former_head {
	__u64 start_ns; /* task_struct.start_boottime */
	__u32 tid;
	__u32 has_use;
};

/*
 * "forks": the key is a job's key. The value counts forks that neither the former programs nor ours counted. It is used
 * until the former programs' totals have been copied.
 */
struct former_forks {
	__u64 threads;
	__u64 processes; /* how many of the member threads are new processes */
};

#endif
