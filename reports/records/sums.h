/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums over nodes: what threads used and waited for, by the names of common/sum_list.h.
 *
 * If a part lacks a sum, the total is not known: a missing value never counts as zero.
 */
#ifndef STINT_SUMS_H
#define STINT_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sum_list.h"
#include "reports/records/making.h"
#include "reports/records/record.h"

struct sum {
	int64_t value;
	unsigned int known;  /* how many parts have it */
	const char *lacking; /* node of the first part without it; borrowed */
};

enum sum_id {
#define SUM_ENUM(name, ...) SUM_##name,
	SUM_LIST(SUM_ENUM)
#undef SUM_ENUM
	SUM_PROCESSES, /* this and the next: only for a job or step */
	SUM_OOM_KILLS,
	SUMS,
	SUMS_OF_ENTRY = SUM_SLEEP + 1 /* the number of sums that each entry of the timeline has; they are first */
};

/* The part of the report that contains the sum. */
enum sum_place {
	SUM_IN_USED,
	SUM_IN_STATES,
	SUM_IN_TCP,
	SUM_IN_UDP,
	SUM_IN_UNIX,
	SUM_IN_TOTALS, /* only for a job or step, not for a tool */
	SUM_NOWHERE,   /* sampled; only used as a ratio */
};

struct sums {
	unsigned int parts;
	struct sum of[SUMS];
};

/* Adds @value, of a part of the node @node, to @sum; negative: the part does not have it. */
void sum_add_value(struct sum *sum, int64_t value, const char *node);

/* Add all sums of one part: of a tool's @use, or of the totals of a job or a step, which have two more sums. */
void sums_add_use(struct sums *sums, const struct record_use *use, const char *node);
void sums_add(struct sums *sums, const struct record_totals *totals, const char *node);

/* Adds the sums of other parts, already added up by sums_add(). */
void sums_join(struct sums *sums, const struct sums *other);

/* Returns true if every part has the sum. */
bool sums_known(const struct sums *sums, enum sum_id id);

/* Returns the sum @id; -1 if a part lacks it. */
int64_t sums_value(const struct sums *sums, enum sum_id id);

/*
 * Sets the members of @out that are the known sums of @place: a struct report_uses for SUM_IN_USED, report_state_times
 * for SUM_IN_STATES, report_traffic for SUM_IN_TCP, SUM_IN_UDP and SUM_IN_UNIX. Returns whether any is known.
 */
bool sums_put(const struct sums *sums, enum sum_place place, void *out);

/*
 * Sets @uses to what an entry of a record's timeline used; and @states to the times in its states, if the
 * record has any.
 */
void sums_copy_used(const struct record_entry_use *from, struct report_uses *uses);
void sums_copy_states(const struct record_entry_use *from, struct report_states *states);

/* CPU time of the user's and of the system's code; -1: not known. */
struct sum_split {
	struct report_seconds user_s, system_s;
};

/*
 * Returns the exact time @whole, divided in the ratio in which the kernel's tick found the threads. Unknown halves are
 * named in the gaps as PREFIX.user_s and PREFIX.system_s.
 */
struct sum_split sums_split(const struct sums *sums, enum sum_id whole, struct making *making, const char *prefix);

/*
 * Names the unknown sums of @place in the gaps, as PREFIX.NAME; or as PREFIX alone if none of them is known and @group
 * is true.
 */
void sums_gaps(const struct sums *sums, enum sum_place place, bool group, struct making *making, const char *prefix);

/*
 * As sums_gaps(), for a part of the job, such as a step. Leaves out sums that are unknown for the job, too: those are
 * named already.
 */
void sums_gaps_of_part(const struct sums *sums, enum sum_place place, struct making *making, const char *prefix);

/*
 * Adds the gap PREFIX.NAME, unless there is one of that name already: a node that could not measure the value
 * gave a better reason.
 *
 * @name: NULL: the gap is PREFIX alone
 * @parts, @node: how many parts there were, and the node of the first without the value
 */
void sum_gap(struct making *making, const char *prefix, const char *name, unsigned int parts, const char *node);

#endif
