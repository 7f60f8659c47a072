/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the TOTALS of node records over nodes, for a job or a step.
 *
 * Sums are added. A merged peak is the highest peak of one node. It is never a sum, because the nodes' peaks occurred
 * at different times.
 */
#ifndef STINT_REPORT_TOTALS_H
#define STINT_REPORT_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/records/record.h"
#include "reports/records/sums.h"

struct peak {
	int64_t value;
	unsigned int known;  /* how many nodes know the peak */
	const char *node;    /* the node with this peak; borrowed from the record */
	const char *lacking; /* the first node that does not know the peak; borrowed */
};

struct totals {
	struct sums sums;
	struct peak memory_used, memory_charged, memory_swap, memory_limit, threads;
	struct sum cpu_before; /* the part of the CPU time that was used before counting began; it belongs to no tool */
	bool unsampled; /* a node has no samples of used memory, so only its largest process is known */
};

/*
 * Adds one node's TOTALS.
 */
void totals_add(struct totals *totals, const struct record_totals *from, const char *node);

/* Returns true if every node that was added knows the peak. */
bool totals_knows_peak(const struct totals *totals, const struct peak *peak);

/*
 * Finds the most memory that a node's processes used, in bytes. This is the highest sample, or the largest process if
 * that is larger, because a sample may have missed it. The result is never more than the highest amount that the cgroup
 * was charged with. If several processes peaked together between two samples, they used more than the result.
 *
 * Returns false if the amount is not known.
 */
bool totals_memory_used_peak(const struct record_totals *from, int64_t *bytes);

/*
 * Returns true if the memory used may have been much more than the reported peak @used_peak. This is so if
 * @charged_peak, which the memory used never exceeds, is more than 2 % and 16 MiB above @used_peak.
 */
bool totals_memory_may_be_more(int64_t used_peak, int64_t charged_peak);

/*
 * Adds all known values to @out, the "used" of a job or a node, with the report's names and units. Adds a gap used.NAME
 * for each unknown value, unless there already is such a gap.
 */
void totals_put_used(const struct totals *totals, struct report_totals *out, struct report_network *network, struct making *making);

/* Adds to @out those fields of a node's "used" that build_input.for_row needs. */
void totals_put_for_row(const struct totals *totals, struct report_totals *out);

/* Adds a step's known values to @out. If a value is known for the job, but not for the step, adds a gap PREFIX.NAME. */
void totals_put_step(const struct totals *totals, struct report_step *out, struct making *making, const char *prefix);

#endif
