/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hides the differences between releases of Slurm, so no other code depends on the release. configure checks what the
 * installed headers have (m4/stint_slurm.m4).
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
 * Asks slurmctld about a job by its id. Returns and fails like slurm_load_job(). In some releases, slurm_load_job()
 * wants a slurm_step_id_t instead of a job id. This function then sets only the job id and not the SLUID, so
 * slurmctld uses the id.
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
 * The contents of slurm.conf, as libslurm has read them. libslurm exports this variable, but its header declares only
 * the variable's type.
 */
extern slurm_conf_t slurm_conf __attribute__((weak));

/* Returns the name of this cluster; NULL if this release of libslurm does not export slurm_conf. Call slurm_init() first. */
static inline const char *compat_cluster_name(void)
{
	return &slurm_conf ? slurm_conf.cluster_name : NULL;
}

/*
 * Returns the default memory of the cluster in MiB; 0 if not known. If the value has the flag MEM_PER_CPU, it is
 * DefMemPerCPU, otherwise DefMemPerNode.
 */
static inline uint64_t compat_memory_per_cpu(void)
{
	return &slurm_conf ? slurm_conf.def_mem_per_cpu : 0;
}

#endif
