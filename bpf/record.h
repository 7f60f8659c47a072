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

#define RECORD_LAYOUT 1 /* of all below; pins of another layout are not taken over */

#define RECORD_PATH_MAX 512
#define RECORD_NAME_MAX 256
#define RECORD_COMM_MAX 16
#define RECORD_CPUS_MAX 2048
#define RECORD_TOOLS_PER_JOB 1024
#define RECORD_TOOL_OTHER 0 /* the tool that takes what finds no place */

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
	__s32 stepd_pid;    /* not 0: the next scan is to find the step daemon's file, of this process, and takes in no task */
	__u64 stepd_inode;  /* Slurm's own step daemon: its program file, by the kernel's own numbers */
	__u64 stepd_device;
	__u64 since_ns;     /* CLOCK_BOOTTIME when counting began */
};

/*
 * "job_cgroups", key: a job's cgroup's id, value: the job's key (__u64), which is
 * the id of the first such cgroup. There can be several, one after the other: without an
 * extern step, Slurm removes the job's cgroup with the last of its steps and makes another for the next.
 */

/* "totals", key: a job's, or the id of a step's cgroup. */
struct totals {
	__u64 job; /* the job's key */
	__u64 cpu_ns;
	__u64 found_cpu_ns; /* what processes found by a scan had used before; it is in cpu_ns once they end */
	__u64 user_ns;   /* sampled by the tick */
	__u64 system_ns; /* sampled by the tick */
	__u64 read_bytes;  /* storage */
	__u64 write_bytes; /* storage, less what was truncated before it was written */
	__u64 processes; /* the user's, started or found */
	__u64 threads;   /* the user's, alive now */
	__u64 threads_peak;
	__u64 process_peak_bytes;
	__u64 charged_peak_bytes; /* the cgroup's own high-water mark, seen when it was removed */
	__u64 tools;      /* distinct ones */
	__u64 lost_records; /* the ring was full */
	__u64 lost_tools;   /* runs counted under RECORD_TOOL_OTHER */
	__u64 lost_tasks;   /* threads for which the kernel gave no memory */
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
	__u64 cpu_ns;
	__u64 user_ns;
	__u64 system_ns;
	__u64 wall_ns; /* of ended runs */
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 peak_bytes;
	__u64 threads_peak;
	__u64 first_start_ns; /* CLOCK_BOOTTIME */
	__u64 last_end_ns;
	__u64 serial; /* order of first appearance in the job, from 1 */
	__u32 slurm;  /* Slurm's own */
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
	EVENT_SCAN = 2, /* a process of several threads entered a job: the others want a scan */
};

/* One record in "events". */
struct event {
	__u32 kind; /* enum event_kind; of EVENT_SCAN only kind and job are set */
	__u32 flags;
	__u64 job;
	__u64 step;
	__u64 tool;
	__u32 pid;
	__u32 ppid;
	__u64 start_ns; /* CLOCK_BOOTTIME */
	__u64 end_ns;
	__u64 cpu_ns;
	__u64 read_bytes;
	__u64 write_bytes;
	__u64 peak_bytes;
	__u32 status; /* wait status */
	__u32 threads_peak;
};

#endif
