/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up sums of several nodes (common/sum_list.h).
 *
 * If a part lacks a sum, the total is not known.
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
	unsigned int known;  /* parts that have the sum */
	const char *lacking; /* first node without the sum */
};

enum sum_id {
#define SUM_ENUM(name, ...) SUM_##name,
	SUM_LIST(SUM_ENUM)
#undef SUM_ENUM
	SUM_PROCESSES, /* the last two: of jobs and steps */
	SUM_OOM_KILLS,
	SUMS,
	SUMS_OF_ENTRY = SUM_SLEEP + 1 /* the sums of a timeline entry */
};

/* Where a report shows a sum. */
enum sum_place {
	SUM_IN_USED,
	SUM_IN_STATES,
	SUM_IN_TCP,
	SUM_IN_UDP,
	SUM_IN_UNIX,
	SUM_IN_TOTALS, /* not of a tool */
	SUM_NOWHERE,   /* only a ratio is used */
};

struct sums {
	unsigned int parts;
	struct sum of[SUMS];
};

/* Adds the @value of a part to @sum. A negative value is not known. @node: node of the part */
void sum_add_value(struct sum *sum, int64_t value, const char *node);

/* Add a part. sums_add_use(): the part of a tool. sums_add(): the part of a job or a step. */
void sums_add_use(struct sums *sums, const struct record_use *use, const char *node);
void sums_add(struct sums *sums, const struct record_totals *totals, const char *node);

/* Adds the sums of other parts. */
void sums_join(struct sums *sums, const struct sums *other);

bool sums_known(const struct sums *sums, enum sum_id id);

/* Returns the sum @id; -1 if a part lacks it. */
int64_t sums_value(const struct sums *sums, enum sum_id id);

/*
 * Sets the known sums of @place in @out. Returns true if at least one sum is known.
 *
 * @out: struct report_uses for SUM_IN_USED, struct report_state_times for SUM_IN_STATES, struct report_traffic for
 * SUM_IN_TCP, SUM_IN_UDP and SUM_IN_UNIX
 */
bool sums_put(const struct sums *sums, enum sum_place place, void *out);

/* Copy the sums and the times in each state of a timeline entry. */
void sums_copy_used(const struct record_entry_use *from, struct report_uses *uses);
void sums_copy_states(const struct record_entry_use *from, struct report_states *states);

/* -1: not known. */
struct sum_split {
	struct report_seconds user_s, system_s;
};

/*
 * Divides the exact CPU time @whole into user time and system time, in the ratio of the kernel's clock ticks. If a half
 * is not known, adds the gap PREFIX.user_s or PREFIX.system_s.
 */
struct sum_split sums_split(const struct sums *sums, enum sum_id whole, struct making *making, const char *prefix);

/* Adds the gap PREFIX.NAME for each unknown sum of @place. @group: if all are unknown, adds only the gap PREFIX */
void sums_gaps(const struct sums *sums, enum sum_place place, bool group, struct making *making, const char *prefix);

/* Works like sums_gaps(), for a step. Leaves out sums that are unknown for the job, too. */
void sums_gaps_of_part(const struct sums *sums, enum sum_place place, struct making *making, const char *prefix);

/*
 * Adds the gap PREFIX.NAME if it is not there yet.
 * An earlier gap has a better reason, from the node that could not measure.
 *
 * @name: NULL: the gap is PREFIX
 * @parts: number of parts
 * @node: first node without the value
 */
void sum_gap(struct making *making, const char *prefix, const char *name, unsigned int parts, const char *node);

#endif
