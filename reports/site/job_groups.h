/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups rows by one or two keys: by user, or by tool and week. */
#ifndef STINT_JOB_GROUPS_H
#define STINT_JOB_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/memory/map.h"
#include "reports/site/job_figures.h"
#include "reports/site/job_group.h"

#define JOB_KEY_TEXT 64

/*
 * Maximum number of separate groups for tools, rules and job names, because users can make any number of these. The
 * groups that have used or wasted most so far stay separate. The others are added up as "(other tools)", "(other
 * rules)" or "(other names)", so no sum loses anything. Before sorting, there may be twice as many groups. If a tool
 * was added to the others and occurs again, its new group counts only what it did since then.
 */
#define JOB_GROUPS_MOST 10000

/* At most this many groups that were added to the others are remembered, to count them. Each takes 130 bytes. */
#define JOB_FOLDED_MOST 500000

/* Initialize to all zero, except for by[], in which JOB_KEY_COUNT means no key. */
struct job_groups {
	enum job_key by[JOB_KEYS_MAX];
	struct job_group **list; /* in the order of their creation; NULL if none */
	size_t count;
	size_t kept; /* how many groups were left after the last fold down to JOB_GROUPS_MOST */
	void *tree;
	struct map folded; /* the keys of groups that were added to the others */
};

/* A condition that a job must meet to be counted: the value of a key. */
struct job_filter {
	enum job_key key;
	const char *value; /* "" or "-" if the value must be unknown */
};

/* Returns whether @key is a day, a week or a month. */
bool job_key_is_time(enum job_key key);

/*
 * Returns whether @key can have @value. It can always have "" and "-".
 *
 * @why: if the result is false, filled with the values that the key can have, such as "1, 2-8 ..."
 */
#define JOB_VALUES_TEXT 512
bool job_key_allows(enum job_key key, const char *value, char why[JOB_VALUES_TEXT]);

/* Returns how many values of @key the row has. This is at least one, because "not known" also counts as a value. */
size_t job_key_values(const struct job_row *row, enum job_key key);

/*
 * Reduces @part, a copy of @row, to the numbers that belong to value number @place of @key. For a node, these are the
 * numbers of the job on that node. For a tool, all measures of the job become unknown.
 */
void job_key_part(struct job_row *part, const struct job_row *row, enum job_key key, size_t place);

/* Returns the smallest number of CPUs in the row's size class; 0 if not known. */
int64_t job_size_least(const struct job_row *row);

/*
 * Sets @least and @most to the numbers of CPUs in the size class @name, such as "2-8"; @most is 0 if there is no limit.
 * Returns whether there is such a class.
 */
bool job_size_bounds(const char *name, int64_t *least, int64_t *most);

/* The group of the tools that are not kept apart. The lines of the store use the same name. */
#define JOB_OTHER_TOOLS "(other tools)"

/*
 * Returns whether @row passes all @count @filters. If the row has several values of a key, one of these must match.
 */
bool job_filters_pass(const struct job_filter *filters, size_t count, const struct job_row *row);

/*
 * Adds @row to each group that it belongs to. Creates groups that do not exist yet.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int job_groups_add(struct job_groups *groups, const struct job_row *row, struct error *err);

/*
 * Adds @group to the group in @groups that its jobs belong to. No key may have several values. Returns as
 * job_groups_add().
 *
 * @who: has those fields of a row that the jobs of @group have in common
 */
int job_groups_merge(struct job_groups *groups, const struct job_row *who, const struct job_group *group,
		     struct error *err);

/* Returns the group that has the keys of @like; NULL if there is none. */
struct job_group *job_groups_find(const struct job_groups *groups, const struct job_group *like);

/*
 * Sorts the groups by @figure, with the largest first unless @ascending. Unknown figures come last. JOB_FIGURE_COUNT
 * sorts days, weeks and months by time, tools by what they used, and all other groups by what they wasted. There may
 * be fewer groups afterwards (JOB_GROUPS_MOST).
 */
void job_groups_sort(struct job_groups *groups, enum job_figure figure, bool ascending);

/*
 * Returns how many groups were added to the others, and are not among the groups themselves.
 *
 * @more: set to whether there are more than that
 */
int64_t job_groups_left_out(const struct job_groups *groups, bool *more);

/* Returns whether one of the groups' keys is a day, a week or a month. */
bool job_groups_by_time(const struct job_groups *groups);

void job_groups_free(struct job_groups *groups);

#endif
