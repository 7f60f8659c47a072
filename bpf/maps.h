/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps, as every kernel program sees them; maps.bpf.c defines them. */
#ifndef STINT_MAPS_H
#define STINT_MAPS_H

#include "bpf/kernel.h"
#include "bpf/abi.h"

/* The sums that the kernel counts in the task itself; the programs count their growth. */
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

/* It is in the object's data (abi.h). Zero, except while programs of another layout are replaced. */
extern struct change change;

/*
 * The process with several threads that an attach last brought into a job. The kernel reports only its leader: the
 * others are taken in when they next run, or by a scan.
 */
extern int attached_tgid;

#define WAITS_ROOM 16 /* a power of two: a mask bounds an index, which every verifier understands */

/*
 * A process of a job. While it has only one thread, as most processes do, this is part of that thread's storage.
 * Otherwise it is in "processes". The key there is its signal_struct, which stays the same over an exec by any thread;
 * pid and group leader may change.
 */
struct process {
	u64 job;
	u64 step;
	u64 tool;
	u64 former; /* the tool before the last exec */
	u64 start_ns; /* of the image, CLOCK_BOOTTIME */
	u64 peak_bytes; /* resident */
	u64 used_peak_bytes; /* resident, less pages of mapped files */
	u64 file_peak_bytes; /* the most pages of mapped files that were seen */
	u64 huge_peak_bytes; /* the most huge pages of hugetlbfs that were seen; they are in neither of the above */
	u64 active_ns; /* CLOCK_MONOTONIC when it was last seen to use anything; 0: not looked at yet */
	u64 quiet_since_ns; /* CLOCK_BOOTTIME: begin of the longest time in which it used nothing */
	u64 quiet_ns; /* how long that was */
	u32 threads; /* alive */
	u32 threads_peak;
	u32 status; /* wait status, once the last thread is exiting */
	u32 flags;  /* enum event_flags, and the flags of account.h */
	u32 sent;   /* one bit for each signal that a process above it sent to this image */
	u32 pid;
	u32 ppid;
	u64 exec_id; /* task_struct.self_exec_id when the image began: another value shows an exec that was not seen */
	u32 uid;    /* the job's user, to whom the process's table entries belong */
};

/*
 * What threads of an image used that ended before the image did. Most processes never have such threads. The key is
 * that of "processes".
 */
struct process_use {
	u64 extra; /* some sums beyond ABI_USES_COMMON are not zero */
	u64 use[USES];
};

enum slurm_thread {
	SLURM_NOT,
	SLURM_OWN,
	SLURM_BESIDE, /* of a process with EVENT_BESIDE: its job's and step's sums do not include what it uses */
};

/*
 * A thread of a job, in its task storage. So there are never more of them than live threads, and a reused pid cannot be
 * mistaken for another thread. It is made at each fork, so it is small: sums that few threads have are in
 * "thread_uses".
 */
struct thread {
	u32 taken; /* a hook counts it; if several hooks find it at once, only one may */
	u32 slot; /* the job's index in "pressures"; 0: not followed there, like Slurm's own threads */
	u64 job; /* the job's key; 0: it has left the job */
	u64 step;
	u8 slurm; /* enum slurm_thread: Slurm's own has CPU time and bytes, no states */
	u8 alone; /* its process is the member "process" below */
	u8 extra; /* it has an entry in "thread_uses" */
	u8 fuse;  /* it has sent a request to a FUSE file system */
	u8 wait;  /* enum wait: what it waits for; WAIT_NONE while it does not */
	u8 left_wait; /* the same at the last switch-out; the time since then belongs to it */
	u8 file_wait; /* enum wait for a wait on "file" below */
	u8 uring_wait; /* enum wait for the last request that it gave to io_uring */
	u8 untimed; /* the wait is on a futex, without a timeout */
	u8 file_sync; /* each write to "file" below waits until it is on the disk (O_DSYNC, O_SYNC) */
	u8 sync;  /* with left_wait WAIT_FILE_IO: the wait is for data to reach the disk */
	u8 quota; /* it was below a CPU quota when last looked at */
	u32 magic;  /* file system of "file" below */
	u32 left_magic; /* with left_wait WAIT_FILE_IO: the file system, 0 not known */
	u32 async_magic; /* file system of the last asynchronous request */
	u32 placeless; /* its process has no entry in "processes" */
	u64 start_ns; /* CLOCK_MONOTONIC since which its time is counted */
	u64 in_ns;  /* CLOCK_MONOTONIC of the last switch-in, 0 if none was seen */
	u64 arrival; /* sched_info.last_arrival at the last exec */
	u64 arrived_ns; /* CLOCK_MONOTONIC of that arrival; 0 if it was not seen */
	u64 out_ns; /* CLOCK_MONOTONIC of the last switch-out, up to which the states are counted */
	u64 out_cpu; /* sum_exec_runtime then */
	u64 out_delay; /* sched_info.run_delay then */
	u64 woken_ns; /* CLOCK_MONOTONIC when the wait that began then ended; 0: it lasts, or its end was not seen */
	u64 throttled_before; /* with quota: group_throttled_ns() when it last became runnable */
	u64 throttled_ns; /* not added to the totals yet, and neither is turns_ns */
	/*
	 * Grows at each short wait on a futex that has no timeout and is for no lock, by c x w / (c + w): w is the
	 * wait, and c the CPU time since the wait before. A thread that only computes or only waits adds almost
	 * nothing. For threads that take turns it grows to most of what they compute. Threads that contend for a lock
	 * which a runtime (Java's, Go's) has built from such waits take turns in this way.
	 */
	u64 turns_ns;
	u64 sync_wait_ns; /* not added to the totals yet, and neither is sync_waits */
	u64 sync_waits;
	u64 turn_cpu; /* sum_exec_runtime when the last such wait ended */
	u64 file; /* of its last wait on a file: the next wait on the same file needs no lookup */
	u64 inode;
	/* address of the registers with which it enters the kernel: the same all its life; 0: not known yet */
	u64 regs;
	u64 reclaim_since; /* CLOCK_MONOTONIC; 0: not now */
	u64 sampled_ns; /* CLOCK_MONOTONIC of the last walk over all tasks */
	u64 sampled_cpu; /* what it had used by then */
	u64 sampled_bytes;
	s64 on_cpu_before; /* its CPU time from before its states were counted */
	u64 state[WAITS_ROOM]; /* time not added to the totals yet; that of WAIT_NONE is runnable */
	u64 counted[KERNEL_USES]; /* the part of the kernel's sums that is already in the totals */
	struct process process;
};

/* The sums of a thread that the kernel does not keep in the task: the part that is not in the totals yet. */
struct thread_use {
	u64 use[USES];
};

/* A thread of the former programs, which these replace, after the collector's translation. */
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
	__uint(max_entries, 4096); /* as many jobs can be open */
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

/* Where each CPU's part of per-CPU memory is, as an offset from the common address; cpu_offsets.bpf.c fills it. */
struct cpu_offsets_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, ABI_CPUS_MAX);
	__type(key, u32);
	__type(value, u64);
};
extern struct cpu_offsets_map cpu_offsets SEC(".maps");


/* "pressures", "cpu_uses" and "samples" are arrays, indexed by a job's slot. Elements share no cache line. */
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

/* The collector sets its size to the number that it needs. */
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
