/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the maps. maps.bpf.c defines them. */
#ifndef STINT_MAPS_H
#define STINT_MAPS_H

#include "bpf/kernel.h"
#include "bpf/abi.h"

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

/* What to do while programs are replaced. Otherwise all members are zero. */
extern struct change change;

/* The process with several threads that was last moved into a job. The kernel reports the move of only one thread. */
extern int attached_tgid;

/* Grows when a walk over all tasks begins, and when it ends. Odd during a walk. */
extern __u64 walks;

#define WAITS_ROOM 16 /* a power of two, as a mask for the verifier */

/*
 * A process of a job.
 *
 * A process with one thread is in that thread's storage. A process with several threads is in "processes".
 * The key of "processes" is the address of signal_struct, which an exec does not change.
 */
struct process {
	u64 job;
	u64 step;
	u64 tool;
	u64 container; /* 0: none */
	u64 runtime; /* tool that may be about to make a container; 0: none */
	u64 runtime_start_ns;
	u64 former; /* tool before the last exec */
	u64 start_ns; /* CLOCK_BOOTTIME when the image began */
	u64 peak_bytes;
	u64 used_peak_bytes; /* without pages of mapped files */
	u64 file_peak_bytes;
	u64 huge_peak_bytes; /* largest amount of huge pages (hugetlbfs) that was seen */
	u64 active_ns; /* CLOCK_MONOTONIC of the last sample with any use; 0: none */
	u64 quiet_since_ns; /* CLOCK_BOOTTIME when the longest quiet time began */
	u64 quiet_ns;
	u32 threads;
	u32 threads_peak;
	u32 status; /* wait status; set when the last thread exits */
	u32 flags;  /* enum event_flags, and the flags of account.h */
	u32 sent;   /* signals from ancestor processes, one bit each */
	u32 pid;
	u32 ppid;
	u64 exec_id; /* task_struct.self_exec_id, to see a missed exec */
	u32 uid;
};

/* Use of the ended threads of an image that still runs. The key is the same as in "processes". */
struct process_use {
	u64 extra; /* 1: sums from ABI_USES_COMMON on may be other than 0 */
	u64 use[USES];
};

enum slurm_thread {
	SLURM_NOT,
	SLURM_OWN,
	SLURM_BESIDE, /* with EVENT_BESIDE */
};

enum thread_taken {
	THREAD_FREE,
	THREAD_COUNTED, /* a hook counts the thread */
	THREAD_LEAVES,  /* a hook ends the count of the thread */
};

/* A thread of a job, in its task's storage. Keep it small: each fork makes one. */
struct thread {
	u32 taken; /* enum thread_taken */
	u32 slot; /* index in "pressures"; 0: not followed there */
	u64 job; /* 0: the thread has left the job */
	u64 step;
	u8 slurm; /* enum slurm_thread */
	u8 alone;
	u8 extra;
	u8 fuse;  /* 1: sent a request to FUSE */
	u8 wait;  /* enum wait: now */
	u8 left_wait; /* enum wait: since the last switch-out */
	u8 file_wait; /* enum wait: for the member file */
	u8 uring_wait; /* enum wait: of the last io_uring request */
	u8 untimed; /* 1: a futex without a timeout */
	u8 file_sync; /* 1: O_DSYNC or O_SYNC */
	u8 sync;  /* 1: waits for the disk; only if left_wait is WAIT_FILE_IO */
	u8 quota; /* 1: a CPU quota applies */
	u32 magic;
	/* Of the awaited file system; 0: not known. Valid only if left_wait is WAIT_FILE_IO. */
	u32 left_magic;
	u32 async_magic;
	u32 placeless;
	u64 start_ns; /* CLOCK_MONOTONIC when counting began */
	u64 in_ns;  /* CLOCK_MONOTONIC of the last switch-in; 0: not seen */
	u64 arrival; /* sched_info.last_arrival at the last exec */
	u64 arrived_ns; /* CLOCK_MONOTONIC of arrival; 0: not seen */
	u64 out_ns; /* CLOCK_MONOTONIC of the last switch-out */
	u64 out_cpu; /* sum_exec_runtime at out_ns */
	u64 out_delay; /* sched_info.run_delay at out_ns */
	/* CLOCK_MONOTONIC of the wake-up since out_ns. 0: none yet, or not seen. */
	u64 woken_ns;
	u64 throttled_before; /* group_throttled_ns() when the thread became runnable */
	u64 throttled_ns; /* not in the totals yet, like turns_ns */
	/*
	 * CPU time of threads that take turns, in nanoseconds.
	 *
	 * Each short wait on a futex adds c x w / (c + w), if the wait has no timeout and is not for a lock.
	 * w is the time of this wait. c is the CPU time since the last wait of this kind.
	 * So a thread that only computes or only waits adds almost nothing. Java and Go build locks from these waits.
	 */
	u64 turns_ns;
	u64 sync_wait_ns; /* not in the totals yet, like sync_waits */
	u64 sync_waits;
	u64 turn_cpu; /* sum_exec_runtime at the last wait in turns_ns */
	u64 file;
	u64 inode;
	/* Address of the registers at the entry to the kernel. 0: not known yet. */
	u64 regs;
	u64 reclaim_since; /* CLOCK_MONOTONIC when direct reclaim began; 0: none */
	u64 sampled_ns; /* CLOCK_MONOTONIC of the last walk over all tasks */
	u64 sampled_cpu;
	u64 sampled_bytes;
	s64 on_cpu_before; /* CPU time before states were counted */
	/* Times that are not in the totals yet, indexed by enum wait. WAIT_NONE: runnable. */
	u64 state[WAITS_ROOM];
	u64 counted[KERNEL_USES]; /* already in the totals */
	struct process process;
};

/* Use that the kernel does not count, and that is not in the totals yet. */
struct thread_use {
	u64 use[USES];
};

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
	__uint(max_entries, 4096); /* the most open jobs */
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

struct runtime_options_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 512);
	__type(key, struct runtime_option_key);
	__type(value, u32);
};
extern struct runtime_options_map runtime_options SEC(".maps");

struct containers_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 8192);
	__type(key, struct container_key);
	__type(value, struct container);
};
extern struct containers_map containers SEC(".maps");

struct gpu_files_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 8192);
	__type(key, struct gpu_file_key);
	__type(value, struct gpu_file);
};
extern struct gpu_files_map gpu_files SEC(".maps");

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

/* Each CPU's offset of per-CPU memory. cpu_offsets.bpf.c fills this map. */
struct cpu_offsets_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_CPUS_MAX);
	__type(key, u32);
	__type(value, u64);
};
extern struct cpu_offsets_map cpu_offsets SEC(".maps");

/* Arrays indexed by a job's slot. No two elements share a cache line. */
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
