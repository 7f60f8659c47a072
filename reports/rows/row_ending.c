/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/rows/row_ending.h"

#include <string.h>

#include "reports/json/job_state.h"
#include "reports/json/task_list.h"

enum row_ending row_ending_of(const struct summary *row)
{
	if (!row->state)
		return ROW_UNKNOWN;
	if (state_waits(row->state))
		return ROW_WAITS;
	if (row->so_far)
		return ROW_RUNS;
	if (strcmp(row->state, "CANCELLED") == 0)
		return ROW_CANCELLED;
	return summary_failed(row) ? ROW_FAILED : ROW_COMPLETED;
}

bool row_waits_together(const struct summary *row)
{
	return row->waiting && row->task < 0;
}

int64_t row_jobs(const struct summary *row)
{
	return row_waits_together(row) ? task_list_count(row->waiting) : 1;
}
