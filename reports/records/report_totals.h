/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the totals of several nodes.
 *
 * Sums are added up. For a peak, takes the highest peak of a node: peaks of different times cannot be added.
 */
#ifndef STINT_REPORT_TOTALS_H
#define STINT_REPORT_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/records/record.h"
#include "reports/records/sums.h"

struct peak {
	int64_t value;
	unsigned int known;  /* nodes that know the peak */
	const char *node;    /* that had this peak; borrowed */
	const char *lacking; /* first node that lacks it; borrowed */
};

struct totals {
	struct sums sums;
	struct peak memory_used, memory_charged, memory_swap, memory_limit, threads;
	struct sum cpu_before; /* CPU time from before counting began, so it belongs to no tool */
	bool unsampled; /* a node has no samples of memory */
};

void totals_add(struct totals *totals, const struct record_totals *from, const char *node);

bool totals_knows_peak(const struct totals *totals, const struct peak *peak);

/*
 * Finds the most memory that processes used on a node, in bytes: the larger of the highest sample and the largest
 * process, but never more than the charged peak.
 * Several processes may have had a higher peak between two samples.
 * Returns false if this amount is not known.
 */
bool totals_memory_used_peak(const struct record_totals *from, int64_t *bytes);

/*
 * Returns true if the memory used may have been much more than @used_peak.
 * This is the case if @charged_peak is more than 2 % and 16 MiB higher.
 */
bool totals_memory_may_be_more(int64_t used_peak, int64_t charged_peak);

/* Sets the known values of @out, the "used" of a job or node. Adds a gap used.NAME for each unknown value. */
void totals_put_used(const struct totals *totals, struct report_totals *out, struct report_network *network, struct making *making);

/* Sets only what build_input.for_row needs of a node's "used". */
void totals_put_for_row(const struct totals *totals, struct report_totals *out);

/*
 * Sets the known values of a step.
 * Adds a gap PREFIX.NAME for a value that is known for the job, but not for the step.
 */
void totals_put_step(const struct totals *totals, struct report_step *out, struct making *making, const char *prefix);

#endif
