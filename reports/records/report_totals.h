/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The TOTALS of node records, for a job or a step, merged over nodes.
 *
 * Sums are added. A peak is the highest of one node and never a sum, because the nodes' peaks occurred at different
 * times.
 */
#ifndef STINT_REPORT_TOTALS_H
#define STINT_REPORT_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/records/record.h"
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
void totals_add(struct totals *totals, const struct record_totals *from, const char *node);

/* Returns true if every node that was added has the peak. */
bool totals_knows_peak(const struct totals *totals, const struct peak *peak);

/*
 * Finds the most memory that a node's processes used, in bytes. It is the larger of the highest sample and the largest
 * process, which a sample may have missed, but not more than the cgroup was ever charged with. If several processes
 * peaked together between two samples, they used more.
 *
 * Returns false if it is not known.
 */
bool totals_memory_used_peak(const struct record_totals *from, int64_t *bytes);

/*
 * Returns true if the memory used may have been much more than the reported peak: the charged peak, which it never
 * exceeds, is more than 2 % and 16 MiB above.
 */
bool totals_memory_may_be_more(int64_t used_peak, int64_t charged_peak);

/*
 * Adds all known values to @out, the "used" of a job or a node, with the report's names and units. Unknown values are
 * named in @gaps as used.NAME, unless they are named there already.
 */
void totals_put_used(const struct totals *totals, struct report_totals *out, struct report_network *network, struct making *making);

/* Adds the fields of a node's "used" that build_input.for_row needs to @out. */
void totals_put_for_row(const struct totals *totals, struct report_totals *out);

/*
 * Adds a step's known values to @out. A value that is known for the job, but not for the step, is named in @gaps as
 * PREFIX.NAME.
 */
void totals_put_step(const struct totals *totals, struct report_step *out, struct making *making, const char *prefix);

#endif
