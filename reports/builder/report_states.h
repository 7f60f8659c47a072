/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows how the threads spent their time, and what the job as a whole waited for. */
#ifndef STINT_REPORT_STATES_H
#define STINT_REPORT_STATES_H

#include <stddef.h>

#include "reports/records/sums.h"

/*
 * Sets @out, which is the report's states. Takes the times of threads from @sums, and the times of the job from the
 * pressure of the records, added up over the nodes. Adds a gap for each value that is not known. The gap states.some
 * names a node whose record has no pressure.
 *
 * @for_row: if true, sets only the fields that build_input.for_row needs
 */
void states_put(const struct sums *sums, const struct record *const records[], size_t count, bool for_row,
		struct report_job_states *out, struct making *making);

/* Sets only states.bound and active_s, which add up to the time in which the nodes of @records had a thread of the job. */
void states_put_live(const struct record *const records[], size_t count, struct report_job_states *out);

#endif
