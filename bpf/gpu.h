/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognises files of GPU drivers, by their device numbers.
 *
 * On a node without GPUs, settings.gpu_range_count is 0, and no file is looked at.
 */
#ifndef STINT_GPU_H
#define STINT_GPU_H

#include "bpf/cast.h"
#include "bpf/member.h"

#define DEVICE_MINOR_BITS 20 /* MINORBITS in linux/kdev_t.h */
#define GPU_POLLED_MAX 8 /* descriptors of a poll() that are looked at */
#define GPU_SELECTED_MAX 64 /* bits of a descriptor set that are looked at */

/* From <poll.h>. */
struct poll_entry {
	s32 fd;
	u16 events;
	u16 revents;
};

struct gpu_search {
	u64 table; /* address of the thread's array of open files */
	u64 table_length;
	u64 polled; /* address in user space */
	u64 count;
	u64 selected;
	bool found;
};

static __always_inline bool gpus_exist(void)
{
	const struct settings *s = settings_get();

	return s && s->gpu_range_count;
}

/* @inode: of a character device, or of a FIFO, which has no device number */
static __always_inline bool gpu_has(struct inode *inode)
{
	const struct settings *s = settings_get();
	u32 device, major, minor;

	if (!s || !s->gpu_range_count)
		return false;
	device = BPF_CORE_READ(inode, i_rdev);
	major = device >> DEVICE_MINOR_BITS;
	minor = device & ((1u << DEVICE_MINOR_BITS) - 1);
	for (u32 i = 0; i < ABI_GPU_RANGES && i < s->gpu_range_count; i++)
		if (major == s->gpu_ranges[i].major && minor >= s->gpu_ranges[i].first && minor <= s->gpu_ranges[i].last)
			return true;
	return false;
}

/* Makes no casts (bpf/cast.h): the collector does not find those in a function that bpf_loop() calls. */
static __always_inline bool gpu_is_at(const struct gpu_search *search, u64 fd)
{
	struct file *file = NULL;

	if (fd >= search->table_length ||
	    bpf_probe_read_kernel(&file, sizeof(file), (void *)(search->table + fd * sizeof(file))) < 0)
		return false;
	return file && gpu_has(BPF_CORE_READ(file, f_inode));
}

static long gpu_look_polled(u32 i, void *data)
{
	struct gpu_search *search = data;
	struct poll_entry entry = { .fd = -1 };

	if (i >= search->count || bpf_probe_read_user(&entry, sizeof(entry), (void *)(search->polled + i * sizeof(entry))) < 0)
		return 1;
	search->found = entry.fd >= 0 && gpu_is_at(search, entry.fd);
	return search->found;
}

static long gpu_look_selected(u32 i, void *data)
{
	struct gpu_search *search = data;

	search->found = (search->selected >> (i & 63) & 1) && gpu_is_at(search, i);
	return search->found;
}

/* Only the running task's user space can be read. */
static __always_inline bool gpu_search_begin(struct task_struct *task, struct gpu_search *search)
{
	struct files_struct *files = task->files;

	if (!gpus_exist() || !files || task != bpf_get_current_task_btf())
		return false;
	search->table = (u64)files->fdt->fd;
	search->table_length = files->fdt->max_fds;
	return true;
}

/* Returns true if one of the first descriptors at @polled is a GPU's. */
static __noinline bool gpu_is_polled(struct task_struct *task, u64 polled, u64 count)
{
	struct gpu_search search = { .polled = polled, .count = count };

	if (!task || !gpu_search_begin(task, &search))
		return false;
	bpf_loop(GPU_POLLED_MAX, gpu_look_polled, &search, 0);
	return search.found;
}

/* Returns true if one of the lowest descriptors in the set @readable is a GPU's. */
static __noinline bool gpu_is_selected(struct task_struct *task, u64 readable)
{
	struct gpu_search search = {};

	if (!task || !gpu_search_begin(task, &search) ||
	    bpf_probe_read_user(&search.selected, sizeof(search.selected), (void *)readable) < 0)
		return false;
	bpf_loop(GPU_SELECTED_MAX, gpu_look_selected, &search, 0);
	return search.found;
}

#endif
