/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hides the differences between releases of Slurm. configure checks what the installed headers have
 * (m4/stint_slurm.m4). No other code depends on the release.
 */
#ifndef SPANK_SLURM_COMPAT_H
#define SPANK_SLURM_COMPAT_H

#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

/* The type that slurm_hostlist_create() returns. */
#ifdef SLURM_HAS_HOSTLIST_STRUCT
typedef hostlist_t *compat_hostlist_t;
#else
typedef hostlist_t compat_hostlist_t;
#endif

/* The type that slurm_list_create() returns. */
#ifdef SLURM_HAS_LIST_STRUCT
typedef list_t *compat_list_t;
typedef list_itr_t *compat_list_iterator_t;
#else
typedef List compat_list_t;
typedef ListIterator compat_list_iterator_t;
#endif

/*
 * Asks slurmctld about a job by its id. Returns and fails like slurm_load_job(). Some releases of slurm_load_job() want
 * the whole identity of a step. Then the job's SLUID is left out, so slurmctld uses the id.
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

/*
 * The contents of slurm.conf as libslurm has read them. The library exports this variable, but its header declares only
 * the type.
 */
extern slurm_conf_t slurm_conf __attribute__((weak));

/* Returns this cluster's name. Call slurm_init() first. NULL if this release of libslurm does not show the name. */
static inline const char *compat_cluster_name(void)
{
	return &slurm_conf ? slurm_conf.cluster_name : NULL;
}

/* Returns the cluster's DefMemPerCPU in MiB, with the flag MEM_PER_CPU, or its DefMemPerNode in MiB; 0 if not known. */
static inline uint64_t compat_memory_per_cpu(void)
{
	return &slurm_conf ? slurm_conf.def_mem_per_cpu : 0;
}

#endif
