/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts to count a step: makes the step's entries in the kernel's maps, and counts the threads that are already in the
 * step's cgroup.
 */
#ifndef STINT_COUNT_STEP_H
#define STINT_COUNT_STEP_H

#include "collector/collector.h"

/*
 * Chooses the cgroup hierarchy that decides which job a thread belongs to. This is the hierarchy of @cgroup, unless one
 * was chosen before. Returns 0; -1 with @err set.
 */
int count_choose_hierarchy(struct collector *c, const struct cgroup_job *cgroup, struct error *err);

/*
 * Makes the map entries in which the kernel programs add up the sums of @job and of one step. Sets *@existed if the job
 * already had an entry. Fails if the job's own entry cannot be made, because the job cannot be counted without it. If
 * there is no room for one of the other entries, the job's record names what is missing.
 *
 * Returns 0; -1 with @err set.
 */
int count_make_totals(struct collector *c, const struct job *job, uint64_t key, const struct cgroup_job *cgroup,
		      bool *existed, struct error *err);

/*
 * Starts to count the step of @message, which is in @cgroup. If @job->counting.before is not BEFORE_FOUND afterwards,
 * the caller must first answer @message and then call before_find(). Returns 0; -1 with @err set.
 */
int count_step(struct collector *c, struct job *job, const struct cgroup_job *cgroup,
	       const struct control_message *message, struct error *err);

#endif
