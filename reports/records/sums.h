/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up over nodes what threads used and waited for. The sums have the names of common/sum_list.h.
 *
 * If a part lacks a sum, the total is not known, because a missing value never counts as zero.
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
	unsigned int known;  /* how many parts have the sum */
	const char *lacking; /* the node of the first part that lacks the sum */
};

enum sum_id {
#define SUM_ENUM(name, ...) SUM_##name,
	SUM_LIST(SUM_ENUM)
#undef SUM_ENUM
	SUM_PROCESSES, /* only a job or a step has SUM_PROCESSES and the next sum */
	SUM_OOM_KILLS,
	SUMS,
	SUMS_OF_ENTRY = SUM_SLEEP + 1 /* the number of sums that each entry of the timeline has; these sums come first */
};

/* The part of the report that contains the sum. */
enum sum_place {
	SUM_IN_USED,
	SUM_IN_STATES,
	SUM_IN_TCP,
	SUM_IN_UDP,
	SUM_IN_UNIX,
	SUM_IN_TOTALS, /* only a job or a step has it, but no tool */
	SUM_NOWHERE,   /* a sampled value, which is only used as a ratio */
};

struct sums {
	unsigned int parts;
	struct sum of[SUMS];
};

/* Adds to @sum the @value of a part on the node @node. A negative @value means that the part does not have it. */
void sum_add_value(struct sum *sum, int64_t value, const char *node);

/*
 * Both functions add all sums of one part: of a tool's @use, or of the totals of a job or a step, which have two more
 * sums.
 */
void sums_add_use(struct sums *sums, const struct record_use *use, const char *node);
void sums_add(struct sums *sums, const struct record_totals *totals, const char *node);

/* Adds the sums of other parts, which were already added up in @other. */
void sums_join(struct sums *sums, const struct sums *other);

/* Returns true if every part has the sum. */
bool sums_known(const struct sums *sums, enum sum_id id);

/* Returns the sum @id; -1 if a part lacks the sum. */
int64_t sums_value(const struct sums *sums, enum sum_id id);

/*
 * Sets the members of @out for the known sums of @place. @out is a struct report_uses for SUM_IN_USED, a struct
 * report_state_times for SUM_IN_STATES, and a struct report_traffic for SUM_IN_TCP, SUM_IN_UDP and SUM_IN_UNIX. Returns
 * true if any of the sums is known.
 */
bool sums_put(const struct sums *sums, enum sum_place place, void *out);

/*
 * sums_copy_used() sets @uses to what an entry of a record's timeline used. sums_copy_states() sets @states to the
 * entry's times in each state, if it has any.
 */
void sums_copy_used(const struct record_entry_use *from, struct report_uses *uses);
void sums_copy_states(const struct record_entry_use *from, struct report_states *states);

/* CPU time of the user's and of the system's code; -1 if not known. */
struct sum_split {
	struct report_seconds user_s, system_s;
};

/*
 * Divides the exact time @whole between user and system, in the ratio in which the kernel's tick found the threads in
 * them. Adds the gaps PREFIX.user_s and PREFIX.system_s for unknown halves.
 */
struct sum_split sums_split(const struct sums *sums, enum sum_id whole, struct making *making, const char *prefix);

/*
 * Adds a gap PREFIX.NAME for each unknown sum of @place. If @group is true and none of the sums is known, adds only the
 * gap PREFIX.
 */
void sums_gaps(const struct sums *sums, enum sum_place place, bool group, struct making *making, const char *prefix);

/*
 * Like sums_gaps(), for a part of the job, such as a step. Leaves out sums that are unknown for the job, too, because
 * the gaps already name these.
 */
void sums_gaps_of_part(const struct sums *sums, enum sum_place place, struct making *making, const char *prefix);

/*
 * Adds the gap PREFIX.NAME, unless there is already a gap of that name. A node that could not measure the value gave a
 * better reason.
 *
 * @name: if NULL, the gap is PREFIX alone
 * @parts, @node: how many parts there were, and the node of the first part that lacks the value
 */
void sum_gap(struct making *making, const char *prefix, const char *name, unsigned int parts, const char *node);

#endif
