/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Features that only newer kernels have, and what replaces them. Before the collector loads the programs, it says which
 * of them this kernel has (collector/kernel/features.c): the verifier then drops the code that would use the others.
 */
#ifndef STINT_HAS_H
#define STINT_HAS_H

#include "bpf/kernel.h"

extern const volatile bool registers; /* bpf_task_pt_regs(), from 5.15 on; maps.bpf.c defines it */

/* The state of @task. Before 5.14 (2f064a59a11f "sched: Change task_struct::state") it has another name and type. */
static __always_inline u32 state_of(struct task_struct *task)
{
	struct task_struct___v513 *old = (void *)task;

	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return old->state;
}

/*
 * Whether a task's storage can be created while the run queue is locked. Before 6.4 (08a7ce384e33 "bpf: Use
 * bpf_mem_cache_alloc/free in bpf_local_storage_elem") it comes from kmalloc(GFP_ATOMIC), which may wake kswapd, and so
 * lock the run queue again.
 */
static __always_inline bool storage_without_locks(void)
{
	struct bpf_local_storage_map___v619 *new = NULL;
	struct bpf_local_storage_map *map = NULL;

	return bpf_core_field_exists(map->selem_ma) || bpf_core_field_exists(new->use_kmalloc_nolock);
}

#endif
