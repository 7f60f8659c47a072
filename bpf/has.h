/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uses features that only newer kernels have, and something else on a kernel without them. Before the collector loads
 * the programs, it sets which features this kernel has (collector/kernel/features.c). The verifier then drops the code
 * for the other case.
 */
#ifndef STINT_HAS_H
#define STINT_HAS_H

#include "bpf/kernel.h"

extern const volatile bool registers; /* true if the kernel has bpf_task_pt_regs() (Linux 5.15 and later); maps.bpf.c defines it */

/*
 * Returns the state of @task. The kernel's member has another name and type before Linux 5.14 (2f064a59a11f "sched:
 * Change task_struct::state").
 */
static __always_inline u32 state_of(struct task_struct *task)
{
	struct task_struct___v513 *old = (void *)task;

	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return old->state;
}

/*
 * Returns true if a task's storage can be created while the run queue is locked. Before Linux 6.4 (08a7ce384e33 "bpf:
 * Use bpf_mem_cache_alloc/free in bpf_local_storage_elem"), the storage comes from kmalloc(GFP_ATOMIC). That call may
 * wake kswapd, which locks the run queue again.
 */
static __always_inline bool storage_without_locks(void)
{
	struct bpf_local_storage_map___v619 *new = NULL;
	struct bpf_local_storage_map *map = NULL;

	return bpf_core_field_exists(map->selem_ma) || bpf_core_field_exists(new->use_kmalloc_nolock);
}

#endif
