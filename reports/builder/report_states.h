/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports how threads spent their time, and what the whole job waited for. */
#ifndef STINT_REPORT_STATES_H
#define STINT_REPORT_STATES_H

#include <stddef.h>

#include "reports/records/sums.h"

/*
 * Fills @out with the threads' times from @sums, and the job's times from the records.
 * Adds a gap for each unknown value. The gap states.some names a node whose record has no pressure.
 * @for_row: set only the fields that build_input.for_row needs.
 */
void states_put(const struct sums *sums, const struct record *const records[], size_t count, bool for_row,
		struct report_job_states *out, struct making *making);

/* Sets only states.bound and active_s. Their sum is the time in which nodes had a thread of the job. */
void states_put_live(const struct record *const records[], size_t count, struct report_job_states *out);

#endif
