/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps, as every kernel program sees them; maps.bpf.c defines them. */
#ifndef STINT_MAPS_H
#define STINT_MAPS_H

#include "bpf/kernel.h"
#include "bpf/record.h"

/* Of the uses, those that the kernel counts in the task itself; what is counted here is their growth. */
enum kernel_use {
	KERNEL_CPU,
	KERNEL_READ_BYTES,
	KERNEL_WRITE_BYTES,
	KERNEL_SYSCALL_READ_BYTES,
	KERNEL_SYSCALL_WRITE_BYTES,
	KERNEL_USER,
	KERNEL_SYSTEM,
	KERNEL_SYSCALL_READS,
	KERNEL_SYSCALL_WRITES,
	KERNEL_MINOR_FAULTS,
	KERNEL_MAJOR_FAULTS,
	KERNEL_VOLUNTARY_SWITCHES,
	KERNEL_INVOLUNTARY_SWITCHES,
	KERNEL_USES
};

/* In the data of the object: see there. Zero but while programs of another layout are replaced. */
extern struct change change;

#define WAITS_ROOM 16 /* a power of two: an index is bounded by a mask, which each verifier understands */

/*
 * A process of a job. While it has one thread only, as most have, this is part of
 * that thread's storage; else it is in "processes", keyed by its signal_struct, which stays
 * the same over an exec by any thread, where pid and group leader change hands.
 */
struct process {
	u64 job;
	u64 step;
	u64 tool;
	u64 start_ns; /* of the image, CLOCK_BOOTTIME */
	u64 peak_bytes; /* resident */
	u64 used_peak_bytes; /* of that, what is no mapped file's */
	u64 file_peak_bytes; /* of mapped files, most that a walk over all tasks saw */
	u64 active_ns; /* CLOCK_MONOTONIC when it was last seen to use anything; 0: not looked at yet */
	u64 quiet_since_ns; /* CLOCK_BOOTTIME; the longest time in which it did not */
	u64 quiet_ns;
	u32 threads; /* alive */
	u32 threads_peak;
	u32 status; /* wait status, once the last thread is on its way out */
	u32 flags;  /* enum event_flags, and those of account.h */
	u32 pid;
	u32 ppid;
	u64 exec_id; /* task_struct.self_exec_id as the image began: an exec that nobody saw is told by it */
};

/* What the threads of a process that ended before its image did have used; most processes never have such. Key: as of "processes". */
struct process_use {
	u64 extra; /* there are some beyond RECORD_USES_COMMON */
	u64 use[USES];
};

/*
 * A thread of a job, in its task storage: bounded by the live threads, and no
 * pid can be taken for another. It is made at each fork, so it is kept small: what few
 * threads use is in "thread_uses".
 */
struct thread {
	u32 taken; /* by the one hook, of several that may come upon it at once, that counts it */
	u32 slot; /* of the job, in "pressures"; 0: not followed there, as Slurm's own */
	u64 job; /* the job's key; 0: left */
	u64 step;
	u8 slurm; /* Slurm's own: it has CPU time and bytes, no states */
	u8 alone; /* its process is told below */
	u8 extra; /* it has an entry in "thread_uses" */
	u8 fuse;  /* a request of its to a FUSE file system is under way */
	u8 wait;  /* enum wait: what it waits for, WAIT_NONE while it runs */
	u8 left_wait; /* the same at the last switch-out, which the time since then belongs to */
	u8 file_wait; /* what waits for the file below are */
	u8 uring_wait; /* what the last request that it gave to io_uring waits for */
	u32 magic;  /* of the file system of the file below */
	u32 left_magic; /* with left_wait WAIT_FILE_IO: the file system's, 0 not known */
	u32 async_magic; /* of the last asynchronous request's */
	u32 placeless; /* its process found no place in "processes" */
	u64 start_ns; /* CLOCK_MONOTONIC, since when its time is counted */
	u64 in_ns;  /* CLOCK_MONOTONIC of the last switch-in, 0 when none was seen */
	u64 in_cpu; /* sum_exec_runtime then */
	u64 out_ns; /* CLOCK_MONOTONIC of the last switch-out, up to which the states are counted */
	u64 out_cpu; /* sum_exec_runtime then */
	u64 out_delay; /* sched_info.run_delay then */
	u64 file; /* of its last wait, so that the next one on it need not be looked into */
	u64 inode;
	RECORD_TEST_MEMBER(u64 test[2])
	u64 reclaim_since; /* CLOCK_MONOTONIC; 0: not now */
	u64 sampled_ns; /* at the last walk over all tasks: CLOCK_MONOTONIC, and what it had used by then */
	u64 sampled_cpu;
	u64 sampled_bytes;
	s64 on_cpu_before; /* what of its CPU time came before its states were counted */
	u64 state[WAITS_ROOM]; /* time not added to the totals yet; that of WAIT_NONE is runnable */
	u64 counted[KERNEL_USES]; /* what of the kernel's sums has been added to the totals already */
	struct process process;
};

/* What else a thread used and is not added to the totals yet: all that the kernel does not keep in the task. */
struct thread_use {
	u64 use[USES];
};

/* A thread of the programs that these replace, as the collector has translated it. */
struct inherited {
	struct thread thread;
	struct thread_use use;
};

struct settings_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct settings);
};
extern struct settings_map settings SEC(".maps");

struct threads_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
};
extern struct threads_map threads SEC(".maps");

struct thread_uses_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread_use);
};
extern struct thread_uses_map thread_uses SEC(".maps");

struct processes_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u64);
	__type(value, struct process);
};
extern struct processes_map processes SEC(".maps");

struct process_uses_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u64);
	__type(value, struct process_use);
};
extern struct process_uses_map process_uses SEC(".maps");

struct job_cgroups_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, u64);
	__type(value, u64);
};
extern struct job_cgroups_map job_cgroups SEC(".maps");

struct totals_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u64);
	__type(value, struct totals);
};
extern struct totals_map totals SEC(".maps");

struct tools_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, struct tool_key);
	__type(value, struct tool);
};
extern struct tools_map tools SEC(".maps");

struct interpreters_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 128);
	__type(key, struct interpreter_key);
	__type(value, struct interpreter);
};
extern struct interpreters_map interpreters SEC(".maps");

struct events_map {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 2 * 1024 * 1024);
};
extern struct events_map events SEC(".maps");

struct memory_cgroups_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, u64);
	__type(value, struct memory_cgroup);
};
extern struct memory_cgroups_map memory_cgroups SEC(".maps");

/* Where each CPU's part of per-CPU memory lies, from its common address; cpu_offsets.bpf.c fills it. */
struct cpu_offsets_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RECORD_CPUS_MAX);
	__type(key, u32);
	__type(value, u64);
};
extern struct cpu_offsets_map cpu_offsets SEC(".maps");


/* "pressures", "cpu_uses", "samples": arrays, indexed by a job's slot. Each element has its cache lines for itself. */
struct pressures_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RECORD_SLOTS);
	__type(key, u32);
	__type(value, struct pressure);
};
extern struct pressures_map pressures SEC(".maps");

struct cpu_uses_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RECORD_SLOTS);
	__type(key, u32);
	__type(value, struct cpu_use);
};
extern struct cpu_uses_map cpu_uses SEC(".maps");

struct samples_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RECORD_SLOTS);
	__type(key, u32);
	__type(value, struct sample);
};
extern struct samples_map samples SEC(".maps");

struct file_systems_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 8192);
	__type(key, struct file_system_key);
	__type(value, struct file_system);
};
extern struct file_systems_map file_systems SEC(".maps");

struct files_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, struct file_key);
	__type(value, struct file_use);
};
extern struct files_map files SEC(".maps");

/* The collector gives it room as it needs it. */
struct inherited_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 1);
	__type(key, struct inherited_key);
	__type(value, struct inherited);
};
extern struct inherited_map inherited SEC(".maps");

struct syscalls_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct syscalls);
};
extern struct syscalls_map syscalls SEC(".maps");

#endif
