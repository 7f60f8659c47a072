/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up rows in groups by one to three keys, for example by user, or by tool and week. */
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
 * There may be twice as many groups until job_groups_sort() is called. If a group was added to the
 * others, and a later job belongs to that group, a new group is created. The new group counts only
 * what came since then.
 */
#define JOB_GROUPS_MOST 10000

/*
 * Limits how many keys of groups that were added to "(other ...)" are remembered. The keys are needed
 * to count these groups. Each key takes 130 bytes.
 */
#define JOB_FOLDED_MOST 500000

/* Initialize to all zero, except for by[]. JOB_KEY_COUNT in by[] means no key. */
struct job_groups {
	enum job_key by[JOB_KEYS_MAX];
	struct job_group **list; /* in the order in which they were created; NULL if there are none */
	size_t count;
	size_t kept; /* how many groups were left when groups were last added to "(other ...)" */
	void *tree;
	struct map folded; /* the keys of groups that were added to "(other ...)" */
};

/* A condition for counting a job: @key must have @value. */
struct job_filter {
	enum job_key key;
	const char *value; /* if "" or "-", the job's value must be unknown */
};

/* Groups by @key alone; JOB_KEY_COUNT: by no key. Call it before adding the first row. */
void job_groups_by(struct job_groups *groups, enum job_key key);

/* Returns whether @key is a day, a week or a month. */
bool job_key_is_time(enum job_key key);

/*
 * Returns whether @value is a possible value of @key. "" and "-" are always possible.
 *
 * @why: filled with the possible values, such as "1, 2-8 ...", if @value is not possible
 */
#define JOB_VALUES_TEXT 512
bool job_key_allows(enum job_key key, const char *value, char why[JOB_VALUES_TEXT]);

/*
 * Returns how many values of @key the row has. An unknown value counts as one, so the result is at
 * least one.
 */
size_t job_key_values(const struct job_row *row, enum job_key key);

/*
 * Reduces @part to the numbers that belong to value number @place of @key. @part must be a copy of
 * @row. For a node, these are the numbers of the job on that node. For a tool, all measures become
 * unknown, because they are measures of the whole job.
 */
void job_key_part(struct job_row *part, const struct job_row *row, enum job_key key, size_t place);

/* Returns the smallest number of CPUs in the row's size class; 0 if not known. */
int64_t job_size_least(const struct job_row *row);

/*
 * Sets @least and @most to the smallest and the largest number of CPUs in the size class @name, such
 * as "2-8". Sets @most to 0 if the class has no upper limit. Returns whether the class exists.
 */
bool job_size_bounds(const char *name, int64_t *least, int64_t *most);

/* Returns the verdict whose word is @word; BOUND_UNKNOWN + 1 if there is none. */
int job_verdict_find(const char *word);

/*
 * The name of the group that adds up all tools without a group of their own. The lines of the store
 * use the same name.
 */
#define JOB_OTHER_TOOLS "(other tools)"

/*
 * Returns whether @row passes all @count @filters. If the row has several values of a filter's key,
 * one of these must match.
 */
bool job_filters_pass(const struct job_filter *filters, size_t count, const struct job_row *row);

/*
 * Adds @row to each group in @groups that the row belongs to. Creates groups that do not exist yet.
 *
 * Returns 0; -1 with @err set if out of memory.
 */
int job_groups_add(struct job_groups *groups, const struct job_row *row, struct error *err);

/*
 * Adds @group to the one group in @groups that all its jobs belong to. Its jobs must have only one
 * value of each key. Return values are those of job_groups_add().
 *
 * @who: a row that has the values of the keys that the jobs of @group have in common
 */
int job_groups_merge(struct job_groups *groups, const struct job_row *who, const struct job_group *group,
		     struct error *err);

/* Returns the group that has the same keys as @like; NULL if there is none. */
struct job_group *job_groups_find(const struct job_groups *groups, const struct job_group *like);

/*
 * Sorts the groups by @figure. The largest come first, or the smallest if @ascending is set. Unknown
 * figures come last. If @figure is JOB_FIGURE_COUNT, sorts days, weeks and months by time, tools by
 * what they used, and all other groups by what they wasted. If there are more than JOB_GROUPS_MOST
 * groups, first adds groups to "(other ...)", so fewer groups may remain.
 */
void job_groups_sort(struct job_groups *groups, enum job_figure figure, bool ascending);

/*
 * Returns how many groups were added to "(other ...)" and have no group of their own.
 *
 * @more: set to true if there are more than can be counted
 */
int64_t job_groups_left_out(const struct job_groups *groups, bool *more);

/* Returns whether @key is one of the groups' keys. */
bool job_groups_are_by(const struct job_groups *groups, enum job_key key);

/*
 * Goes on to the next combination of values of the keys. @place has the place of one value of each key, and
 * begins with all zero.
 *
 * Returns false after the last combination; @place is then all zero again.
 */
bool job_groups_next(const struct job_groups *groups, const struct job_row *row, size_t place[JOB_KEYS_MAX]);

/* Returns whether one of the groups' keys is a day, a week or a month. */
bool job_groups_by_time(const struct job_groups *groups);

void job_groups_free(struct job_groups *groups);

#endif
