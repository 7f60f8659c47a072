/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The TOTALS of node records, of a job or a step, taken together over nodes.
 *
 * What adds up is added; a peak is the highest of one node, never a sum, for
 * the nodes' peaks were at different moments.
 */
#ifndef STINT_TOTALS_H
#define STINT_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/sums.h"

struct peak {
	int64_t value;
	unsigned int known;  /* by how many nodes */
	const char *node;    /* whose it is; borrowed from the record */
	const char *lacking; /* the first that did not tell; borrowed */
};

struct totals {
	struct sums sums;
	struct peak memory_used, memory_charged, memory_swap, threads;
};

/*
 * Takes one node's TOTALS in. @json may be NULL: a node that told none.
 */
void totals_add(struct totals *totals, struct json_object *json, const char *node);

/*
 * Returns true when every node that was taken in knew the peak.
 */
bool totals_knows_peak(const struct totals *totals, const struct peak *peak);

/*
 * The most memory a node's processes used, in bytes: the larger of the highest
 * sample and the largest process, which a sample may have missed, but not more
 * than the cgroup was ever charged with. Where several processes peak together
 * between two samples, it was more.
 *
 * Returns false when it is not known.
 */
bool totals_memory_used_peak(struct json_object *json, int64_t *bytes);

/*
 * Returns true when what was used can have been notably more than the peak that
 * is told of it: the charged peak, which it never exceeds, is more than 2 %
 * and 16 MiB above.
 */
bool totals_memory_may_be_more(int64_t used_peak, int64_t charged_peak);

/*
 * Puts into @out, the "used" of a job or a node in the report's names and units, all that
 * is known; what is not is named in @gaps as used.NAME, unless it is there.
 */
void totals_put_used(const struct totals *totals, struct json_object *out, struct json_object *gaps);

/*
 * Puts what is known of a step. What is not, though it is of the job, is named in @gaps as PREFIX.NAME.
 */
void totals_put_step(const struct totals *totals, struct json_object *out, struct json_object *gaps,
		     const char *prefix);

#endif
