/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows put into groups: by user, by tool and week, ... */
#ifndef STINT_JOB_GROUPS_H
#define STINT_JOB_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/site/job_figures.h"
#include "reports/site/job_group.h"

#define JOB_KEY_TEXT 64

/*
 * Of tools, rules and job names there are as many as users like. So many groups of theirs stay apart, those that used or
 * wasted most of what had come by then; the others are added up as "(other tools)", "(other rules)", "(other names)".
 * Until they are sorted, there may be twice as many. No sum loses anything; a tool that became one of the others and
 * comes again has what came since.
 */
#define JOB_GROUPS_MOST 10000

/* Begins as all zero but for by[], where JOB_KEY_COUNT is no key. */
struct job_groups {
	enum job_key by[JOB_KEYS_MAX];
	struct job_group **list; /* in the order in which they came; NULL: none */
	size_t count;
	size_t kept; /* of JOB_GROUPS_MOST: how many were left when they were folded last */
	void *tree;
};

/* What jobs must have to be counted: a key and its value. */
struct job_filter {
	enum job_key key;
	const char *value; /* "" or "-": not known */
};

/* Returns whether @key is a day, a week or a month. */
bool job_key_is_time(enum job_key key);

/*
 * Returns whether @value can be one of @key; "" and "-" always can. Where it cannot, @why has what can, as "1, 2-8 ...".
 */
#define JOB_VALUES_TEXT 512
bool job_key_allows(enum job_key key, const char *value, char why[JOB_VALUES_TEXT]);

/* Returns how many values of @key the row has: one at least, which may be "not known". */
size_t job_key_values(const struct job_row *row, enum job_key key);

/*
 * Makes @part, a copy of @row, what counts for its value @place of @key: of a node, what the job did there; of a tool,
 * none of the job's measures.
 */
void job_key_part(struct job_row *part, const struct job_row *row, enum job_key key, size_t place);

/* Returns the fewest CPUs of the size that the row is of; 0: not known. */
int64_t job_size_least(const struct job_row *row);

/*
 * Returns whether @row has what all @count @filters ask for: one of its values, where it has several.
 */
bool job_filters_pass(const struct job_filter *filters, size_t count, const struct job_row *row);

/*
 * Adds @row to each group that it belongs to, and makes these where they are new.
 *
 * Returns 0; -1 with @err set when memory is short.
 */
int job_groups_add(struct job_groups *groups, const struct job_row *row, struct error *err);

/*
 * Adds @group, jobs that have in common what @who has of a row, to the group that they belong to. None of the keys has
 * several values.
 */
int job_groups_merge(struct job_groups *groups, const struct job_row *who, const struct job_group *group,
		     struct error *err);

/*
 * Returns the group with the keys of @like; NULL: there is none.
 */
struct job_group *job_groups_find(const struct job_groups *groups, const struct job_group *like);

/*
 * Sorts the groups by @figure, the largest first unless @ascending; what is not known comes last. JOB_FIGURE_COUNT:
 * days, weeks and months in their order, tools by what they used, all else by what was wasted. There may be fewer then
 * (JOB_GROUPS_MOST).
 */
void job_groups_sort(struct job_groups *groups, enum job_figure figure, bool ascending);

/* Returns whether one of the groups' keys is a day, a week or a month. */
bool job_groups_by_time(const struct job_groups *groups);

void job_groups_free(struct job_groups *groups);

#endif
