/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts rows into groups: by user, by tool and week, ... */
#ifndef STINT_JOB_GROUPS_H
#define STINT_JOB_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/site/job_figures.h"
#include "reports/site/job_group.h"

#define JOB_KEY_TEXT 64

/*
 * Users can make any number of tools, rules and job names. This many groups of them are kept apart: those that had used or wasted
 * most by then. The others are added up as "(other tools)", "(other rules)", "(other names)". Before sorting, there may be twice as
 * many groups. No sum loses anything. If a tool was added to the others and comes again, its own group has only what came since.
 */
#define JOB_GROUPS_MOST 10000

/* Starts as all zero, except by[], in which JOB_KEY_COUNT means no key. */
struct job_groups {
	enum job_key by[JOB_KEYS_MAX];
	struct job_group **list; /* in the order in which they came; NULL: none */
	size_t count;
	size_t kept; /* for JOB_GROUPS_MOST: how many groups were left after the last fold */
	void *tree;
};

/* A condition that jobs must meet to be counted: a key and its value. */
struct job_filter {
	enum job_key key;
	const char *value; /* "" or "-": not known */
};

/* Returns whether @key is a day, a week or a month. */
bool job_key_is_time(enum job_key key);

/*
 * Returns whether @key can have @value; it can always have "" and "-". If not, @why gets the values that it can have, such as "1,
 * 2-8 ...".
 */
#define JOB_VALUES_TEXT 512
bool job_key_allows(enum job_key key, const char *value, char why[JOB_VALUES_TEXT]);

/* Returns how many values of @key the row has: at least one, which may be "not known". */
size_t job_key_values(const struct job_row *row, enum job_key key);

/*
 * Reduces @part, a copy of @row, to what counts for the value @place of @key. For a node, that is what the job did there; for a
 * tool, none of the job's measures.
 */
void job_key_part(struct job_row *part, const struct job_row *row, enum job_key key, size_t place);

/* Returns the lowest number of CPUs in the row's size class; 0: not known. */
int64_t job_size_least(const struct job_row *row);

/*
 * Returns whether @row passes all @count @filters. If it has several values of a key, one of them must match.
 */
bool job_filters_pass(const struct job_filter *filters, size_t count, const struct job_row *row);

/*
 * Adds @row to each group that it belongs to, and creates groups that do not exist yet.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int job_groups_add(struct job_groups *groups, const struct job_row *row, struct error *err);

/*
 * Adds @group to the group that its jobs belong to. @who has those fields of a row that the jobs have in common. No key may have
 * several values.
 */
int job_groups_merge(struct job_groups *groups, const struct job_row *who, const struct job_group *group,
		     struct error *err);

/*
 * Returns the group with the keys of @like; NULL: there is none.
 */
struct job_group *job_groups_find(const struct job_groups *groups, const struct job_group *like);

/*
 * Sorts the groups by @figure, the largest first unless @ascending; unknown figures come last. JOB_FIGURE_COUNT sorts days, weeks
 * and months by time, tools by what they used, and everything else by what was wasted. Afterwards there may be fewer groups
 * (JOB_GROUPS_MOST).
 */
void job_groups_sort(struct job_groups *groups, enum job_figure figure, bool ascending);

/* Returns whether one of the groups' keys is a day, a week or a month. */
bool job_groups_by_time(const struct job_groups *groups);

void job_groups_free(struct job_groups *groups);

#endif
