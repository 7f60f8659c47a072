/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts to count a step, and the threads that are already in its cgroup. */
#ifndef STINT_COUNT_STEP_H
#define STINT_COUNT_STEP_H

#include "collector/collector.h"

/*
 * Sets the cgroup hierarchy that decides which job a thread belongs to. The first job's @cgroup decides for all jobs.
 * Returns 0; -1 with @err set.
 */
int count_choose_hierarchy(struct collector *c, const struct cgroup_job *cgroup, struct error *err);

/*
 * Adds @job and one step to the kernel's maps. Fails if the maps have no room for @job. If they have no room for
 * something else, the record names what is missing.
 *
 * @existed: set if the job had an entry
 *
 * Returns 0; -1 with @err set.
 */
int count_make_totals(struct collector *c, const struct job *job, uint64_t key, const struct cgroup_job *cgroup,
		      bool *existed, struct error *err);

/*
 * Starts to count the step of @message in @cgroup.
 * If @job->counting.before is not BEFORE_FOUND afterwards, answer @message, then call before_find().
 * Returns 0; -1 with @err set.
 */
int count_step(struct collector *c, struct job *job, const struct cgroup_job *cgroup,
	       const struct control_message *message, struct error *err);

#endif
