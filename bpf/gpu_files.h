/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts opens of GPU devices, and the time for which they are open.
 *
 * On a node without GPUs, this looks at no file.
 */
#ifndef STINT_GPU_FILES_H
#define STINT_GPU_FILES_H

#include "bpf/account.h"
#include "bpf/gpu.h"

#define GPU_FDS_MAX 1024 /* descriptors of a process that are looked at */

enum gpu_event {
	GPU_OPENED,
	GPU_FOUND,  /* a walk found a descriptor */
	GPU_CLOSES, /* the process of the descriptor ends */
};

struct gpu_look {
	struct gpu_search search;
	u64 open_fds; /* address of the bitmap of open descriptors */
	u64 bits;     /* of it: those from the last multiple of 64 */
	u64 job;
	u64 tool;
	u32 event; /* enum gpu_event */
};

static const struct gpu_file gpu_file_fresh;

static __always_inline u64 gpu_device_of(struct inode *inode)
{
	u32 device = BPF_CORE_READ(inode, i_rdev);

	return (u64)(device >> DEVICE_MINOR_BITS) << 32 | (device & ((1u << DEVICE_MINOR_BITS) - 1));
}

static __always_inline bool gpu_files_have_room(struct totals *job)
{
	struct share *share = share_get(job);

	return job->gpu_files < (share ? share->gpu_files : ABI_GPU_FILES_PER_JOB);
}

/* Returns the entry, which may be new; NULL if there is no room. */
static __always_inline struct gpu_file *gpu_file_get(const struct gpu_file_key *key)
{
	struct gpu_file *file = bpf_map_lookup_elem(&gpu_files, key);
	struct totals *job;

	if (file)
		return file;
	job = totals_get(key->job);
	if (!job)
		return NULL;
	if (gpu_files_have_room(job) && bpf_map_update_elem(&gpu_files, key, &gpu_file_fresh, BPF_NOEXIST) == 0)
		ADD(job->gpu_files, 1);
	file = bpf_map_lookup_elem(&gpu_files, key);
	if (!file)
		ADD(job->lost_gpu_files, 1);
	return file;
}

/* Returns the walk that must have seen a descriptor, or a later one, if the descriptor is still open. */
static __always_inline u64 gpu_walk_before(void)
{
	u64 back = walks & 1 ? 2 : 1;

	return walks > back ? walks - back : 0;
}

/* Adds the time since the last event to the time held, if the device was open until now. */
static __always_inline void gpu_file_hold(struct gpu_file *file, u64 now)
{
	u64 last = __sync_lock_test_and_set(&file->last_ns, now);

	if (file->walk < gpu_walk_before())
		file->fds = 0;
	if (file->fds && now > last)
		ADD(file->held_ns, now - last);
}

/* Only a walk renews the older descriptors: perhaps they were closed. */
static __always_inline void gpu_file_gets_one(struct gpu_file *file)
{
	if (!file->fds)
		file->walk = walks;
	ADD(file->fds, 1);
}

static __always_inline void gpu_file_note(struct gpu_file *file, u32 event, u64 now)
{
	gpu_file_hold(file, now);
	if (!file->first_ns) {
		file->found = event != GPU_OPENED;
		file->first_ns = now;
	}
	switch (event) {
	case GPU_OPENED:
		ADD(file->opens, 1);
		gpu_file_gets_one(file);
		break;
	case GPU_FOUND:
		/* The first descriptor of this walk. */
		if (file->walk != walks)
			file->fds = 0;
		ADD(file->fds, 1);
		file->walk = walks;
		break;
	case GPU_CLOSES:
		if (file->fds)
			ADD(file->fds, -1);
		break;
	}
}

/* @tool: 0 if it has no entry */
static __noinline int gpu_note(u64 job, u64 tool, u64 device, u32 event)
{
	struct gpu_file_key key = { .job = job, .device = device };
	u64 now = bpf_ktime_get_boot_ns();
	struct gpu_file *file;

	file = gpu_file_get(&key);
	if (file)
		gpu_file_note(file, event, now);
	key.tool = tool;
	file = tool ? gpu_file_get(&key) : NULL;
	if (file)
		gpu_file_note(file, event, now);
	return 0;
}

/* Makes no casts, like gpu_is_at(). */
static long gpu_look_at(u32 fd, void *data)
{
	struct gpu_look *look = data;
	struct file *file = NULL;
	struct inode *inode;

	if (fd >= look->search.table_length)
		return 1;
	if (fd % 64 == 0 && bpf_probe_read_kernel(&look->bits, sizeof(look->bits), (void *)(look->open_fds + fd / 8)) < 0)
		return 1;
	if (!(look->bits >> (fd & 63) & 1))
		return 0;
	if (bpf_probe_read_kernel(&file, sizeof(file), (void *)(look->search.table + fd * sizeof(file))) < 0 || !file)
		return 0;
	inode = BPF_CORE_READ(file, f_inode);
	if ((BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFCHR && gpu_has(inode))
		gpu_note(look->job, look->tool, gpu_device_of(inode), look->event);
	return 0;
}

/* Looks at the open descriptors of the process @p, of which @task is a thread. */
static __noinline int gpu_look_for_files(struct task_struct *task, const struct process *p, u32 event)
{
	struct gpu_look look = { .event = event };
	struct files_struct *files;

	if (!task || !p || !gpus_exist() || (p->flags & EVENT_SLURM))
		return 0;
	files = task->files;
	if (!files)
		return 0;
	look.job = p->job;
	look.tool = p->tool;
	look.search.table = (u64)files->fdt->fd;
	look.search.table_length = files->fdt->max_fds;
	look.open_fds = (u64)files->fdt->open_fds;
	bpf_loop(GPU_FDS_MAX, gpu_look_at, &look, 0);
	return 0;
}

#endif
