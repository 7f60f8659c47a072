/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the totals of several nodes into totals of a job or a step.
 *
 * Sums are added up. A merged peak is the highest peak of any node. Peaks are never added up, because the nodes'
 * peaks occurred at different times.
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
	const char *node;    /* the node that had this peak; borrowed from the record */
	const char *lacking; /* the first node that does not know the peak; borrowed */
};

struct totals {
	struct sums sums;
	struct peak memory_used, memory_charged, memory_swap, memory_limit, threads;
	struct sum cpu_before; /* the part of the CPU time that was used before counting began, and so belongs to no tool */
	bool unsampled; /* some node has no samples of the memory used, so only its largest process is known */
};

/*
 * Adds the totals of one node to @totals.
 */
void totals_add(struct totals *totals, const struct record_totals *from, const char *node);

/* Returns true if every node that was added knows the peak. */
bool totals_knows_peak(const struct totals *totals, const struct peak *peak);

/*
 * Finds the most memory that the job's processes used on a node, in bytes. This is the highest sample, or the largest
 * process if that is larger, because the samples may have missed that process. The result never exceeds the most that
 * the cgroup was charged with. The result is too low if several processes had their peaks between the same two
 * samples.
 *
 * Returns false if the amount is not known.
 */
bool totals_memory_used_peak(const struct record_totals *from, int64_t *bytes);

/*
 * Returns true if the job may have used much more memory than the reported peak @used_peak. The memory used never
 * exceeds @charged_peak, so this is possible if @charged_peak is more than 2 % and 16 MiB above @used_peak.
 */
bool totals_memory_may_be_more(int64_t used_peak, int64_t charged_peak);

/*
 * Adds all known values to @out, which is the "used" of a job or a node, with the report's names and units. For each
 * unknown value, adds a gap used.NAME, unless there is already such a gap.
 */
void totals_put_used(const struct totals *totals, struct report_totals *out, struct report_network *network, struct making *making);

/* Adds to @out only the fields of a node's "used" that build_input.for_row needs. */
void totals_put_for_row(const struct totals *totals, struct report_totals *out);

/* Adds the known values of a step to @out. If a value is known for the job, but not for the step, adds a gap PREFIX.NAME. */
void totals_put_step(const struct totals *totals, struct report_step *out, struct making *making, const char *prefix);

#endif
