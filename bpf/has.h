/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uses features that not every kernel has.
 *
 * The collector sets what this kernel has (collector/kernel/features.c). The verifier drops branches for other kernels.
 */
#ifndef STINT_HAS_H
#define STINT_HAS_H

#include "bpf/kernel.h"

extern const volatile bool registers; /* true since Linux 5.15 (bpf_task_pt_regs); maps.bpf.c defines it */

/* Returns task->__state. Before Linux 5.14 (2f064a59a11f "sched: Change task_struct::state"), the member is "state". */
static __always_inline u32 state_of(struct task_struct *task)
{
	struct task_struct___v513 *old = (void *)task;

	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return old->state;
}

/*
 * Returns true if a task's storage can be made while the run queue is locked.
 *
 * Before Linux 6.4 (08a7ce384e33 "bpf: Use bpf_mem_cache_alloc/free in bpf_local_storage_elem"), kmalloc(GFP_ATOMIC)
 * makes the storage, and may wake kswapd. The wake-up would lock the run queue again.
 */
static __always_inline bool storage_without_locks(void)
{
	struct bpf_local_storage_map___v619 *new = NULL;
	struct bpf_local_storage_map *map = NULL;

	return bpf_core_field_exists(map->selem_ma) || bpf_core_field_exists(new->use_kmalloc_nolock);
}

#endif
