/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What srun ended because another task of the same step had failed (--kill-on-bad-exit, MPI). */
#ifndef STINT_ENDED_WITH_STEP_H
#define STINT_ENDED_WITH_STEP_H

#include <stdbool.h>

#include <json-c/json.h>

/*
 * Returns true if SIGTERM or SIGKILL ended all killed runs of the user's tool @name that the timeline knows, in steps of srun, and
 * within a minute after a process had failed by itself with which the step failed, or had been killed for memory. Of very many steps, only the first ones are
 * looked at. @name may be NULL.
 */
bool ended_with_step(struct json_object *report, const char *name);

#endif
