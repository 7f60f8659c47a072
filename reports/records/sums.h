/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up what threads used and waited for on several nodes. The sums have the names of common/sum_list.h.
 *
 * A total is not known if any part lacks the sum, because a missing value never counts as zero.
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
	unsigned int known;  /* how many of the added parts have the sum */
	const char *lacking; /* the node of the first part that lacks the sum */
};

enum sum_id {
#define SUM_ENUM(name, ...) SUM_##name,
	SUM_LIST(SUM_ENUM)
#undef SUM_ENUM
	SUM_PROCESSES, /* the last two sums, which only a job or a step has */
	SUM_OOM_KILLS,
	SUMS,
	SUMS_OF_ENTRY = SUM_SLEEP + 1 /* each entry of the timeline has this many sums, which come first in this list */
};

/* Where a report shows a sum. */
enum sum_place {
	SUM_IN_USED,
	SUM_IN_STATES,
	SUM_IN_TCP,
	SUM_IN_UDP,
	SUM_IN_UNIX,
	SUM_IN_TOTALS, /* shown only for a job or a step, and not for a tool */
	SUM_NOWHERE,   /* not shown; a sampled value of which only the ratio to another is used */
};

struct sums {
	unsigned int parts;
	struct sum of[SUMS];
};

/* Adds the @value of one part, on the node @node, to @sum. A negative @value means that the part does not have the value. */
void sum_add_value(struct sum *sum, int64_t value, const char *node);

/*
 * Both functions add all sums of one part. sums_add_use() adds what a tool used. sums_add() adds the totals of a job
 * or a step, which have two more sums.
 */
void sums_add_use(struct sums *sums, const struct record_use *use, const char *node);
void sums_add(struct sums *sums, const struct record_totals *totals, const char *node);

/* Adds the sums of @other, which are those of other parts that were already added up. */
void sums_join(struct sums *sums, const struct sums *other);

/* Returns true if every part that was added has the sum @id. */
bool sums_known(const struct sums *sums, enum sum_id id);

/* Returns the sum @id; -1 if any part lacks the sum. */
int64_t sums_value(const struct sums *sums, enum sum_id id);

/*
 * Sets the members of @out for the known sums of @place. Returns true if any of these sums is known.
 *
 * @out: a struct report_uses for SUM_IN_USED, a struct report_state_times for SUM_IN_STATES, and a struct
 * report_traffic for SUM_IN_TCP, SUM_IN_UDP and SUM_IN_UNIX
 */
bool sums_put(const struct sums *sums, enum sum_place place, void *out);

/*
 * sums_copy_used() sets @uses to what @from says that an entry of a record's timeline used. sums_copy_states() sets
 * @states to the entry's times in each state, if the entry has any.
 */
void sums_copy_used(const struct record_entry_use *from, struct report_uses *uses);
void sums_copy_states(const struct record_entry_use *from, struct report_states *states);

/* CPU time of the user's code and of the kernel's code; -1 if not known. */
struct sum_split {
	struct report_seconds user_s, system_s;
};

/*
 * Divides the exact CPU time @whole between user time and system time. Uses the ratio in which ticks of the kernel's
 * clock found the threads in user code and in kernel code. For each half that is not known, adds the gap
 * PREFIX.user_s or PREFIX.system_s.
 */
struct sum_split sums_split(const struct sums *sums, enum sum_id whole, struct making *making, const char *prefix);

/*
 * Adds a gap PREFIX.NAME for each unknown sum of @place. If @group is true and none of these sums is known, adds only
 * the gap PREFIX.
 */
void sums_gaps(const struct sums *sums, enum sum_place place, bool group, struct making *making, const char *prefix);

/*
 * Like sums_gaps(), but for a part of the job, such as a step. Leaves out a sum that is also unknown for the job,
 * because the job's own gap already names it.
 */
void sums_gaps_of_part(const struct sums *sums, enum sum_place place, struct making *making, const char *prefix);

/*
 * Adds the gap PREFIX.NAME. Adds nothing if there is already a gap of that name, because the node that could not
 * measure the value gave a better reason.
 *
 * @name: if NULL, the gap is PREFIX alone
 * @parts: how many parts there were
 * @node: the node of the first part that lacks the value
 */
void sum_gap(struct making *making, const char *prefix, const char *name, unsigned int parts, const char *node);

#endif
