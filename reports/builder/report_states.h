/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the threads' time went, and what the job as a whole waited for. */
#ifndef STINT_REPORT_STATES_H
#define STINT_REPORT_STATES_H

#include <stddef.h>

#include <json-c/json.h>

#include "reports/records/sums.h"

/*
 * Adds the report's states to @out: thread seconds from @sums, and the records' PRESSURE, its seconds added up over the
 * nodes. What is not known is named in @gaps; a node without PRESSURE as states.some.
 *
 * @for_row: only with what build_input.for_row needs
 */
void states_put(const struct sums *sums, struct json_object *const records[], size_t count, bool for_row,
		struct json_object *out, struct json_object *gaps);

/* Adds only for how long the nodes of @records had a thread: states.active_s, and states.bound. */
void states_put_live(struct json_object *const records[], size_t count, struct json_object *out);

#endif
