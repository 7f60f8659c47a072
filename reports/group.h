/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several reports that are one job's: an array's tasks, a heterogeneous job's components, the attempts of a requeued one. */
#ifndef STINT_GROUP_H
#define STINT_GROUP_H

#include <stddef.h>
#include <stdio.h>

#include "collector/common/conf.h"
#include "collector/common/error.h"
#include "reports/row.h"
#include "reports/terminal.h"

/*
 * Prints the page of an array or a heterogeneous job from its tasks' or components' @rows, one at least: how they ended,
 * what they used at least, on the middle and at most, what should be looked at, the lines to paste that fit all, and the
 * table of them.
 *
 * @config: read instead of stint.conf, for its rules; may be NULL
 *
 * Returns 0; -1 with @err set.
 */
int group_print(struct row *rows, size_t count, const char *config, const struct page_options *options, FILE *out,
		struct error *err);

/*
 * Prints a line for each attempt @rows of a job, and an empty one behind them.
 */
void group_print_attempts(const struct row *rows, size_t count, const struct page_options *options, FILE *out);

/* What to ask for next time; a value is NAN where there is nothing to say. */
#define GROUP_REASON_TEXT 512

struct group_advice {
	double value;
	char reason[GROUP_REASON_TEXT];
};

struct group_advices {
	struct group_advice memory; /* bytes, on a node */
	struct group_advice cpus;
	struct group_advice time; /* seconds */
};

/*
 * Fills @advices with what fits all of @rows.
 *
 * @who: one of them is called so, "task"
 */
void group_advise(const struct row *rows, size_t count, const struct conf *conf, const char *who,
		  struct group_advices *advices);

/*
 * Prints the lines to paste that fit all of @rows, tasks of one array, each with its reason.
 */
void group_print_advice(const struct row *rows, size_t count, const struct conf *conf, const struct page_options *options,
			FILE *out);

#endif
