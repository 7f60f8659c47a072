/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints pages about several reports of one job: the tasks of an array, the components of a heterogeneous job, or the
 * attempts of a requeued job.
 */
#ifndef STINT_GROUP_PAGE_H
#define STINT_GROUP_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "reports/read/summary.h"
#include "reports/terminal/terminal.h"

/*
 * Prints the page of an array or a heterogeneous job. The page says how the tasks or components ended, and the least,
 * median and most that they used. It also says what needs attention, and which lines to paste are enough for all of
 * them. A table of the tasks or components follows.
 *
 * @rows: the tasks or components, at least one
 * @config: the file to read instead of stint.conf, for its rules; may be NULL
 *
 * Returns 0; -1 with @err set.
 */
int group_page_print(struct summary *rows, size_t count, const char *config, const struct page_options *options,
		     FILE *out, struct error *err);

/* Prints a line for each attempt of a job, and then an empty line. @rows: the attempts */
void group_page_print_attempts(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

#endif
