/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of rows by one to three keys, such as by user, or by tool and week. */
#ifndef STINT_JOB_GROUPS_H
#define STINT_JOB_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/memory/map.h"
#include "reports/site/job_figures.h"
#include "reports/site/job_group.h"

#define JOB_KEY_TEXT 64

/*
 * Limits how many groups of tools, rules and job names stay separate, because users can make any
 * number of these. The groups that have used or wasted most so far stay separate. All other groups are
 * added up in one group, "(other tools)", "(other rules)" or "(other names)", so no sum loses
 * anything.
 *
 * Until job_groups_sort() is called, there may be twice as many groups. If a later job belongs to a group that was
 * added to "(other ...)", a new group is created, and counts only jobs from then on.
 */
#define JOB_GROUPS_MOST 10000

/*
 * The keys of so many groups in "(other ...)" are remembered, to count these groups. The keys of a group take 130
 * bytes.
 */
#define JOB_FOLDED_MOST 500000

/* Initialize to all zero, except for by[], where JOB_KEY_COUNT means no key. */
struct job_groups {
	enum job_key by[JOB_KEYS_MAX];
	struct job_group **list; /* in the order of creation; NULL if there are no groups */
	size_t count;
	size_t kept; /* how many groups were left by the last fold() */
	void *tree;
	struct map folded; /* keys of groups that joined "(other ...)" */
};

/* A job counts only if its @key has @value. */
struct job_filter {
	enum job_key key;
	const char *value; /* "" or "-": not known */
};

/* Sets the groups to be by @key alone; JOB_KEY_COUNT for no key. Call it before adding rows. */
void job_groups_by(struct job_groups *groups, enum job_key key);

bool job_key_is_time(enum job_key key);

/*
 * Returns whether groups by @key can have the value @value. "" and "-" are always possible.
 *
 * @why: if @value is not possible, filled with the possible values, as "1, 2-8 ..."
 */
#define JOB_VALUES_TEXT 512
bool job_key_allows(enum job_key key, const char *value, char why[JOB_VALUES_TEXT]);

/* At least 1: an unknown value counts. */
size_t job_key_values(const struct job_row *row, enum job_key key);

/*
 * Reduces @part, a copy of @row, to what belongs to value number @place of @key. For a node, keeps the part on this
 * node. For a tool, sets all measures to unknown, because they are of the whole job.
 */
void job_key_part(struct job_row *part, const struct job_row *row, enum job_key key, size_t place);

/*
 * As job_key_part() for each key in @by: value number @place[i] of @by[i]. Returns the tool that is a value, whose own
 * numbers count besides @part; NULL if none is.
 */
const struct job_row_tool *job_key_parts(struct job_row *part, const struct job_row *row, const enum job_key by[JOB_KEYS_MAX],
					 const size_t place[JOB_KEYS_MAX]);

/* Returns the least number of CPUs of the row's size; 0 if not known. */
int64_t job_size_least(const struct job_row *row);

/*
 * Sets the bounds of a size such as "2-8". @most is 0 if there is no upper bound. Returns false if there is no such
 * size.
 */
bool job_size_bounds(const char *name, int64_t *least, int64_t *most);

/* Returns the verdict whose word is @word; BOUND_UNKNOWN + 1 if there is no such verdict. */
int job_verdict_find(const char *word);

/* The group of all tools that have no group of their own. Store lines use the same name. */
#define JOB_OTHER_TOOLS "(other tools)"

/* Returns whether @row passes all filters, with any of its values. */
bool job_filters_pass(const struct job_filter *filters, size_t count, const struct job_row *row);

/* Adds @row to all its groups. Returns 0; -1 with @err set if out of memory. */
int job_groups_add(struct job_groups *groups, const struct job_row *row, struct error *err);

/*
 * Adds jobs that are all in one group.
 *
 * @who: a row with the jobs' values of the keys
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int job_groups_merge(struct job_groups *groups, const struct job_row *who, const struct job_group *group,
		     struct error *err);

/* Returns the group with the keys of @like; NULL if there is no such group. */
struct job_group *job_groups_find(const struct job_groups *groups, const struct job_group *like);

/*
 * Sorts by @figure, the largest first, unless @ascending. Unknown figures come last. JOB_FIGURE_COUNT sorts groups by
 * day, week or month by time, groups by tool by what the tools used, and all other groups by what they wasted.
 *
 * If there are more than JOB_GROUPS_MOST groups, first adds some groups to "(other ...)".
 */
void job_groups_sort(struct job_groups *groups, enum job_figure figure, bool ascending);

/*
 * Returns how many groups are only in "(other ...)".
 *
 * @more: set to true if there may be more groups than the returned number
 */
int64_t job_groups_left_out(const struct job_groups *groups, bool *more);

bool job_groups_are_by(const struct job_groups *groups, enum job_key key);

/*
 * Sets @place to the row's next combination of values of the keys. Begin with @place all zero.
 *
 * Returns false after the last combination; @place is then all zero again.
 */
bool job_groups_next(const struct job_groups *groups, const struct job_row *row, size_t place[JOB_KEYS_MAX]);

bool job_groups_by_time(const struct job_groups *groups);

void job_groups_free(struct job_groups *groups);

#endif
