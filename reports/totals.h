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

struct measure {
	int64_t value;
	unsigned int known; /* by how many nodes */
	const char *node;   /* a peak's; borrowed from the record */
};

struct totals {
	unsigned int nodes;
	struct measure cpu_ns, user_ns, system_ns;
	struct measure read_bytes, write_bytes, processes;
	struct measure threads_peak, memory_used_peak, memory_charged_peak;
};

/*
 * Takes one node's TOTALS in. @json may be NULL: a node that told none.
 */
void totals_add(struct totals *totals, struct json_object *json, const char *node);

/*
 * Returns true when every node that was taken in knew the measure.
 */
bool totals_known(const struct totals *totals, const struct measure *measure);

/*
 * The most memory a node's processes used, in bytes: the larger of the highest
 * sample and the largest process, which a sample may have missed, but not more
 * than the cgroup was ever charged with.
 *
 * Returns false when it is not known.
 */
bool totals_memory_used_peak(struct json_object *json, int64_t *bytes);

/*
 * Puts into @out, in the report's names and units, all that is known; what is
 * not is named in @gaps (may be NULL) as PREFIX.NAME, unless it is there.
 *
 * @cpu_split: puts user_s and system_s too: the exact total, shared out as the samples say
 */
void totals_put(const struct totals *totals, struct json_object *out, bool cpu_split, struct json_object *gaps,
		const char *prefix);

#endif
