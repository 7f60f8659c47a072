/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hides differences between releases of Slurm. configure checks the installed headers (m4/stint_slurm.m4). */
#ifndef SPANK_SLURM_COMPAT_H
#define SPANK_SLURM_COMPAT_H

#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

#ifdef SLURM_HAS_HOSTLIST_STRUCT
typedef hostlist_t *compat_hostlist_t;
#else
typedef hostlist_t compat_hostlist_t;
#endif

#ifdef SLURM_HAS_LIST_STRUCT
typedef list_t *compat_list_t;
typedef list_itr_t *compat_list_iterator_t;
#else
typedef List compat_list_t;
typedef ListIterator compat_list_iterator_t;
#endif

/*
 * Works like slurm_load_job(). In some releases, slurm_load_job() wants a slurm_step_id_t.
 * Sets only the job id in it, and no SLUID. So slurmctld uses the job id.
 */
static inline int compat_load_job(job_info_msg_t **answer, uint32_t job_id, uint16_t flags)
{
#ifdef SLURM_LOADS_JOB_BY_STEP_ID
	slurm_step_id_t which = SLURM_STEP_ID_INITIALIZER;

	which.job_id = job_id;
	return slurm_load_job(answer, which, flags);
#else
	return slurm_load_job(answer, job_id, flags);
#endif
}

/* slurm.conf as libslurm has read it. libslurm exports it, but its header declares only the type. */
extern slurm_conf_t slurm_conf __attribute__((weak));

/* Returns NULL if libslurm does not export slurm_conf. Call slurm_init() first. */
static inline const char *compat_cluster_name(void)
{
	return &slurm_conf ? slurm_conf.cluster_name : NULL;
}

/*
 * Returns the cluster's default memory in MiB; 0 if unknown.
 * A result with the flag MEM_PER_CPU is DefMemPerCPU. A result without the flag is DefMemPerNode.
 */
static inline uint64_t compat_memory_per_cpu(void)
{
	return &slurm_conf ? slurm_conf.def_mem_per_cpu : 0;
}

#endif
