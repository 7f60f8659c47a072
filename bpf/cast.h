/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads memory at an address that a program has computed. If the kernel supports it, reads without a call, because
 * calls are a large part of the cost of a switch (docs/performance.md). With or without a call, a missing page reads as
 * zeros.
 *
 * Files that define WITH_CASTS read without a call. All other files call a helper.
 */
#ifndef STINT_CAST_H
#define STINT_CAST_H

#include "bpf/kernel.h"
#include "bpf/abi.h"

#ifdef WITH_CASTS
/*
 * True if the kernel has bpf_rdonly_cast() (Linux 6.2 and later). The collector sets this before it loads the programs.
 */
const volatile bool casts = false;

/*
 * Calls bpf_rdonly_cast(). It is not declared with __ksym, because libbpf before 1.3 looks for a missing function in
 * the kernel's modules. That needs CAP_SYS_ADMIN, and without this capability libbpf loads no program at all.
 */
static void *(*const rdonly_cast)(const void *object, u32 type) = (void *)ABI_CALL_bpf_rdonly_cast;

/* Returns @address as a pointer to the kernel's structure @type. Use this only if "casts" is true. */
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

#endif
