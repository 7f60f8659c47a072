/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding a step, a tool or the killed processes of a report by their names. */
#ifndef STINT_PARTS_H
#define STINT_PARTS_H

#include <stdint.h>

#include <json-c/json.h>

#define SIGNAL_CODE 128 /* what shells add to a signal's number, to make an exit code of it */

/* Returns the step of the job script, borrowed; NULL: the job has no script, or the report does not name it. */
struct json_object *parts_batch_step(struct json_object *report);

/*
 * Returns the user's tool called @name, borrowed; NULL: there is none. @name may be NULL. (Slurm has tools of the same name: sleep.)
 */
struct json_object *parts_tool(struct json_object *report, const char *name);

/* Returns how many processes of the tool called @name the kernel killed for memory. @name may be NULL. */
int64_t parts_victims(struct json_object *report, const char *name);

#endif
