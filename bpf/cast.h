/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads kernel memory at a computed address. A missing page reads as zeros.
 *
 * Files that define WITH_CASTS read without a helper call, if the kernel allows it. Helper calls are slow.
 */
#ifndef STINT_CAST_H
#define STINT_CAST_H

#include "bpf/kernel.h"
#include "bpf/abi.h"

#ifdef WITH_CASTS
/* True from Linux 6.2 on. The collector sets this before it loads the programs. */
const volatile bool casts = false;

/* With __ksym, libbpf before 1.3 would search the kernel's modules, which needs CAP_SYS_ADMIN. */
static void *(*const rdonly_cast)(const void *object, u32 type) = (void *)ABI_CALL_bpf_rdonly_cast;

#define CAST(type, address) ((type *)rdonly_cast((void *)(address), bpf_core_type_id_kernel(type)))
#else
#define casts false
#define CAST(type, address) ((type *)NULL)
#endif

static __always_inline void *pointer_at(u64 address)
{
	void *pointer = NULL;

	if (casts)
		return CAST(struct hlist_head, address)->first;
	bpf_probe_read_kernel(&pointer, sizeof(pointer), (void *)address);
	return pointer;
}

static __always_inline struct inode *inode_of(struct file *file)
{
	return casts ? CAST(struct file, file)->f_inode : BPF_CORE_READ(file, f_inode);
}

/* Returns NULL if @fd is not open. */
static __always_inline struct file *file_of_fd(struct task_struct *task, u64 fd)
{
	struct files_struct *files = task->files;
	struct fdtable *table;

	if (!files)
		return NULL;
	table = files->fdt;
	return fd < table->max_fds ? pointer_at((u64)(table->fd + fd)) : NULL;
}

#endif
