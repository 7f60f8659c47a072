/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The maps, as every kernel program sees them; maps.bpf.c defines them. */
#ifndef STINT_MAPS_H
#define STINT_MAPS_H

#include "bpf/kernel.h"
#include "bpf/record.h"

/*
 * A thread of a job, in its task storage: bounded by the live threads, and no
 * pid can be taken for another. The "counted" fields say what has been added
 * to the totals already; what is counted at the end is the growth since.
 */
struct thread {
	u64 job; /* the job's key; 0: left */
	u64 step;
	u64 in_ns;  /* CLOCK_MONOTONIC of the last switch-in, 0 when none was seen */
	u64 in_cpu; /* sum_exec_runtime then */
	u64 counted_cpu_ns;
	u64 counted_user_ns;
	u64 counted_system_ns;
	u64 counted_read_bytes;
	u64 counted_write_bytes;
};

/*
 * A process of a job, keyed by its signal_struct: that stays the same over an
 * exec by any thread, where pid and group leader change hands.
 */
struct process {
	u64 job;
	u64 step;
	u64 tool;
	u64 start_ns; /* of the image, CLOCK_BOOTTIME */
	u64 cpu_ns;   /* of the image, from here on: threads that ended, or an exec's own part */
	u64 user_ns;
	u64 system_ns;
	u64 read_bytes;
	u64 write_bytes;
	u64 peak_bytes;
	u64 threads; /* alive */
	u64 threads_peak;
	u32 status; /* wait status, once the last thread is on its way out */
	u32 flags;  /* enum event_flags */
	u32 pid;
	u32 ppid;
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

struct processes_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 262144);
	__type(key, u64);
	__type(value, struct process);
};
extern struct processes_map processes SEC(".maps");

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
	__uint(max_entries, 16384);
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
	__uint(max_entries, 1024 * 1024);
};
extern struct events_map events SEC(".maps");

struct memory_cgroups_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, u64);
	__type(value, struct memory_cgroup);
};
extern struct memory_cgroups_map memory_cgroups SEC(".maps");

/* Steps that hold adopted processes; what Slurm itself runs there is not the user's. Key: the cgroup's id. */
struct extern_steps_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 4096);
	__type(key, u64);
	__type(value, u64); /* the job's */
};
extern struct extern_steps_map extern_steps SEC(".maps");

/* Where each CPU's part of per-CPU memory lies, from its common address; cpu_offsets.bpf.c fills it. */
struct cpu_offsets_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RECORD_CPUS_MAX);
	__type(key, u32);
	__type(value, u64);
};
extern struct cpu_offsets_map cpu_offsets SEC(".maps");

#endif
