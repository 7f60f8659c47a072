/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Features that only newer kernels have, and what replaces them. Before the collector loads the programs, it sets which
 * features this kernel has (collector/kernel/features.c). The verifier then drops the code for the other case.
 */
#ifndef STINT_HAS_H
#define STINT_HAS_H

#include "bpf/kernel.h"

extern const volatile bool registers; /* true if the kernel has bpf_task_pt_regs() (from 5.15 on); maps.bpf.c defines it */

/*
 * Returns the state of @task. Before 5.14 (2f064a59a11f "sched: Change task_struct::state") the member has another name
 * and type.
 */
static __always_inline u32 state_of(struct task_struct *task)
{
	struct task_struct___v513 *old = (void *)task;

	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return old->state;
}

/*
 * Returns whether a task's storage can be created while the run queue is locked. Before 6.4 (08a7ce384e33 "bpf: Use
 * bpf_mem_cache_alloc/free in bpf_local_storage_elem") the storage comes from kmalloc(GFP_ATOMIC). That may wake
 * kswapd, which locks the run queue again.
 */
static __always_inline bool storage_without_locks(void)
{
	struct bpf_local_storage_map___v619 *new = NULL;
	struct bpf_local_storage_map *map = NULL;

	return bpf_core_field_exists(map->selem_ma) || bpf_core_field_exists(new->use_kmalloc_nolock);
}

#endif
