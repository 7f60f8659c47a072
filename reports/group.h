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

/*
 * Prints the lines to paste that fit all of @rows, tasks of one array, each with its reason.
 */
void group_print_advice(const struct row *rows, size_t count, const struct conf *conf, const struct page_options *options,
			FILE *out);

#endif
