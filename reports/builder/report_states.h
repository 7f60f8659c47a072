/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows how the threads spent their time, and what the job as a whole waited for. */
#ifndef STINT_REPORT_STATES_H
#define STINT_REPORT_STATES_H

#include <stddef.h>

#include "reports/records/sums.h"

/*
 * Sets @out, the report's states: the thread seconds from @sums, and the seconds of the records' PRESSURE, added up
 * over the nodes. Adds a gap for each unknown value. The gap states.some names a node without PRESSURE.
 *
 * @for_row: if true, sets only the fields that build_input.for_row needs
 */
void states_put(const struct sums *sums, const struct record *const records[], size_t count, bool for_row,
		struct report_job_states *out, struct making *making);

/* Sets only how long the nodes of @records had a thread of the job, and states.bound. */
void states_put_live(const struct record *const records[], size_t count, struct report_job_states *out);

#endif
