/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of several reports of one job: an array's tasks, a heterogeneous job's components, a requeued job's attempts.
 */
#ifndef STINT_GROUP_PAGE_H
#define STINT_GROUP_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "reports/read/summary.h"
#include "reports/terminal/terminal.h"

/*
 * Prints the page of an array or a heterogeneous job from @rows, at least one, of its tasks or components: how they
 * ended; the least, median and most that they used; what needs attention; the lines to paste that fit all; and the
 * table of them.
 *
 * @config: read instead of stint.conf, for its rules; may be NULL
 *
 * Returns 0; -1 with @err set.
 */
int group_page_print(struct summary *rows, size_t count, const char *config, const struct page_options *options,
		     FILE *out, struct error *err);

/*
 * Prints a line for each attempt in @rows of a job, and an empty line after them.
 */
void group_page_print_attempts(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

#endif
