/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the maps for all kernel programs. maps.bpf.c defines the maps.
 */
#ifndef STINT_MAPS_H
#define STINT_MAPS_H

#include "bpf/kernel.h"
#include "bpf/abi.h"

/* The sums that the kernel itself counts in each task. The programs add up how much these sums grow. */
enum kernel_use {
	KERNEL_CPU,
	KERNEL_READ_BYTES,
	KERNEL_WRITE_BYTES,
	KERNEL_CANCELLED_WRITE_BYTES,
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

/*
 * Says what to do while programs of another layout are replaced (struct change in abi.h). At all other times this
 * variable is zero. It is in the object's data.
 */
extern struct change change;

/*
 * The tgid of the last process with several threads that was moved into a job's cgroup. The kernel reports only the
 * leader of such a process. The other threads are counted when they next run, or when a scan finds them.
 */
extern int attached_tgid;

#define WAITS_ROOM 16 /* a power of two, so that a mask limits an index, which every verifier understands */

/*
 * A process of a job. If the process has only one thread, as most processes do, this structure is in that thread's
 * storage. Otherwise it is in "processes", and its key there is the address of the process's signal_struct. That
 * address stays the same if any thread makes an exec, while pid and group leader may change.
 */
struct process {
	u64 job;
	u64 step;
	u64 tool;
	u64 former; /* the tool of the image before the last exec */
	u64 start_ns; /* CLOCK_BOOTTIME when the image began */
	u64 peak_bytes; /* largest resident set */
	u64 used_peak_bytes; /* largest resident set without pages of mapped files */
	u64 file_peak_bytes; /* most bytes of mapped files that were seen */
	u64 huge_peak_bytes; /* most bytes of huge pages (hugetlbfs) that were seen; none of the peaks above includes them */
	u64 active_ns; /* CLOCK_MONOTONIC when a sample last saw that the process had used anything; 0: no sample yet */
	u64 quiet_since_ns; /* CLOCK_BOOTTIME when the longest time in which the process used nothing began */
	u64 quiet_ns; /* length of that time */
	u32 threads; /* alive */
	u32 threads_peak;
	u32 status; /* wait status; set when the last thread exits */
	u32 flags;  /* enum event_flags, and the flags of account.h */
	u32 sent;   /* one bit for each signal that a process above this one sent to this process during this image */
	u32 pid;
	u32 ppid;
	u64 exec_id; /* task_struct.self_exec_id when the image began; if it has changed, an exec was not seen */
	u32 uid;    /* the job's user; the table entries of this process count for the quota of this user */
};

/*
 * What ended threads of an image used while the image continues. Most processes never have such threads. The key is the
 * same as in "processes".
 */
struct process_use {
	u64 extra; /* 1: at least one sum from ABI_USES_COMMON on is not zero */
	u64 use[USES];
};

enum slurm_thread {
	SLURM_NOT,
	SLURM_OWN,
	SLURM_BESIDE, /* a thread of a process with EVENT_BESIDE, so the sums of the job and the step do not include it */
};

/*
 * A thread of a job, in the storage of its task. So there are never more of these structures than living threads, and a
 * reused pid cannot be mistaken for another thread. One is made at each fork, so the structure is small. Sums that only
 * few threads have are in "thread_uses".
 */
struct thread {
	u32 taken; /* 1: a hook counts the thread; only one hook may count it, even if several find it at once */
	u32 slot; /* the job's index in "pressures"; 0: the thread is not followed there, for example because it is Slurm's own */
	u64 job; /* the job's key; 0: the thread has left the job */
	u64 step;
	u8 slurm; /* enum slurm_thread; Slurm's own threads have CPU time and bytes, but no states */
	u8 alone; /* 1: the thread's process is the member "process" below */
	u8 extra; /* 1: the thread has an entry in "thread_uses" */
	u8 fuse;  /* 1: the thread has sent a request to a FUSE file system */
	u8 wait;  /* enum wait: what the thread waits for now; WAIT_NONE: it does not wait */
	u8 left_wait; /* the value of the member wait at the last switch-out; the time since the switch-out counts for this wait */
	u8 file_wait; /* enum wait: the kind of a wait on the member "file" below */
	u8 uring_wait; /* enum wait: the kind of the last request that the thread submitted to io_uring */
	u8 untimed; /* 1: the wait is on a futex and has no timeout */
	u8 file_sync; /* 1: each write to the member "file" below waits until the data is on the disk (O_DSYNC, O_SYNC) */
	u8 sync;  /* 1: the thread waits until data is on the disk; valid only if left_wait is WAIT_FILE_IO */
	u8 quota; /* 1: a CPU quota applied to the thread when this was last checked */
	u32 magic;  /* magic number of the file system of the member "file" below */
	/*
	 * Magic number of the file system that the wait is for; 0: not known; valid only if left_wait is WAIT_FILE_IO.
	 */
	u32 left_magic;
	u32 async_magic; /* magic number of the file system of the last asynchronous request */
	u32 placeless; /* 1: the thread's process has no entry in "processes" */
	u64 start_ns; /* CLOCK_MONOTONIC from which on the thread's time is counted */
	u64 in_ns;  /* CLOCK_MONOTONIC of the last switch-in; 0: no switch-in was seen */
	u64 arrival; /* sched_info.last_arrival at the last exec */
	u64 arrived_ns; /* CLOCK_MONOTONIC of the arrival above; 0: it was not seen */
	u64 out_ns; /* CLOCK_MONOTONIC of the last switch-out; states are counted up to this time */
	u64 out_cpu; /* sum_exec_runtime at out_ns */
	u64 out_delay; /* sched_info.run_delay at out_ns */
	/* CLOCK_MONOTONIC when the wait that began at out_ns ended. 0: the wait continues, or its end was not seen. */
	u64 woken_ns;
	u64 throttled_before; /* if quota is 1: group_throttled_ns() when the thread last became runnable */
	u64 throttled_ns; /* only the part that is not in the totals yet; the same is true of turns_ns */
	/*
	 * CPU time of threads that take turns, in nanoseconds. It grows at each short wait on a futex that has no
	 * timeout and is not for a lock. It grows by c x w / (c + w), where w is the time of the wait, and c is the CPU
	 * time since the previous such wait. A thread that only computes or only waits adds almost nothing. If threads
	 * take turns, the sum grows to most of their CPU time. Runtimes (Java's, Go's) build locks from such waits, and
	 * threads that contend for such a lock take turns in this way.
	 */
	u64 turns_ns;
	u64 sync_wait_ns; /* only the part that is not in the totals yet; the same is true of sync_waits */
	u64 sync_waits;
	u64 turn_cpu; /* sum_exec_runtime at the end of the last wait that turns_ns counted */
	u64 file; /* the file of the last wait on a file; another wait on the same file needs no lookup */
	u64 inode;
	/*
	 * Address of the registers with which the thread enters the kernel. It is the same for the thread's whole life.
	 * 0: not known yet.
	 */
	u64 regs;
	u64 reclaim_since; /* CLOCK_MONOTONIC when the current direct reclaim began; 0: there is none */
	u64 sampled_ns; /* CLOCK_MONOTONIC of the last walk over all tasks */
	u64 sampled_cpu; /* the CPU time that the thread had used at sampled_ns */
	u64 sampled_bytes;
	s64 on_cpu_before; /* the thread's CPU time from before its states were counted */
	/*
	 * Times in states that are not in the totals yet; the index is enum wait, and WAIT_NONE is the time as
	 * runnable.
	 */
	u64 state[WAITS_ROOM];
	u64 counted[KERNEL_USES]; /* the part of the kernel's sums that the totals already include */
	struct process process;
};

/* The sums of a thread that the kernel does not count in the task. They have only what is not in the totals yet. */
struct thread_use {
	u64 use[USES];
};

/* A thread that the former programs counted, which these programs replace. The collector has translated it. */
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

struct users_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 4096);
	__type(key, u32);
	__type(value, struct user);
};
extern struct users_map users SEC(".maps");

struct shares_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 4096); /* the most jobs that can be open, and so the most users */
	__type(key, u32);
	__type(value, struct share);
};
extern struct shares_map shares SEC(".maps");

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

/* For each CPU, the offset of its part of per-CPU memory from the common address. cpu_offsets.bpf.c fills this map. */
struct cpu_offsets_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_CPUS_MAX);
	__type(key, u32);
	__type(value, u64);
};
extern struct cpu_offsets_map cpu_offsets SEC(".maps");


/* "pressures", "cpu_uses" and "samples" are arrays, indexed by a job's slot. No two elements share a cache line. */
struct pressures_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_SLOTS);
	__type(key, u32);
	__type(value, struct pressure);
};
extern struct pressures_map pressures SEC(".maps");

struct cpu_uses_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, ABI_SLOTS);
	__type(key, u32);
	__type(value, struct cpu_use);
};
extern struct cpu_uses_map cpu_uses SEC(".maps");

struct samples_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_SLOTS);
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

/* The collector sets max_entries to the number of entries that it needs. */
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
