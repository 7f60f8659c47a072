/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the threads spent their time, and what the job as a whole waited for. */
#ifndef STINT_REPORT_STATES_H
#define STINT_REPORT_STATES_H

#include <stddef.h>

#include "reports/records/sums.h"

/*
 * Sets @out, the report's states: thread seconds from @sums, and the records' PRESSURE, with its seconds added up over
 * the nodes. Unknown values are named in the gaps; a node without PRESSURE is named as states.some.
 *
 * @for_row: only the fields that build_input.for_row needs
 */
void states_put(const struct sums *sums, const struct record *const records[], size_t count, bool for_row,
		struct report_job_states *out, struct making *making);

/* Sets only for how long the nodes of @records had a thread, and states.bound. */
void states_put_live(const struct record *const records[], size_t count, struct report_job_states *out);

#endif
