/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The TOTALS of node records, of a job or a step, merged over nodes.
 *
 * Sums are added. A peak is the highest of one node and never a sum, because the nodes' peaks were at different
 * moments.
 */
#ifndef STINT_REPORT_TOTALS_H
#define STINT_REPORT_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/records/numbers.h"
#include "reports/records/sums.h"

struct peak {
	int64_t value;
	unsigned int known;  /* how many nodes have it */
	const char *node;    /* the node with this peak; borrowed from the record */
	const char *lacking; /* the first node without it; borrowed */
};

struct totals {
	struct sums sums;
	struct peak memory_used, memory_charged, memory_swap, memory_limit, threads;
	struct sum cpu_before; /* the part of the CPU time that was used before counting began; no tool has it */
	bool unsampled; /* for a node without samples of used memory, only its largest process is known */
};

/*
 * Adds one node's TOTALS.
 */
void totals_add(struct totals *totals, const struct numbers *numbers, const char *node);

/*
 * Returns true when every node that was added has the peak.
 */
bool totals_knows_peak(const struct totals *totals, const struct peak *peak);

/*
 * Finds the most memory that a node's processes used, in bytes: the larger of the highest sample and the largest
 * process, which a sample may have missed, but not more than the cgroup was ever charged with. Where several processes
 * peak together between two samples, they used more.
 *
 * Returns false when it is not known.
 */
bool totals_memory_used_peak(const struct numbers *numbers, int64_t *bytes);

/*
 * Returns true when the memory used may have been notably more than the reported peak: the charged peak, which it never
 * exceeds, is more than 2 % and 16 MiB above.
 */
bool totals_memory_may_be_more(int64_t used_peak, int64_t charged_peak);

/*
 * Adds all that is known to @out, the "used" of a job or a node, in the report's names and units. What is not known is
 * named in @gaps as used.NAME, unless it is named there already.
 */
void totals_put_used(const struct totals *totals, struct report_totals *out, struct report_network *network, struct making *making);

/*
 * Adds to @out what build_input.for_row needs of a node's "used".
 */
void totals_put_for_row(const struct totals *totals, struct report_totals *out);

/*
 * Adds what is known of a step to @out. A value that is known of the job, but not of the step, is named in @gaps as
 * PREFIX.NAME.
 */
void totals_put_step(const struct totals *totals, struct report_step *out, struct making *making, const char *prefix);

#endif
