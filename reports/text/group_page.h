/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints pages about the tasks of an array, components of a heterogeneous job, or attempts of a requeued job. */
#ifndef STINT_GROUP_PAGE_H
#define STINT_GROUP_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "reports/read/summary.h"
#include "reports/terminal/terminal.h"

/*
 * Prints the page of an array or a heterogeneous job.
 * @rows: tasks or components, at least one.
 * @config: the file to read instead of stint.conf, or NULL.
 * Returns 0; -1 with @err set.
 */
int group_page_print(struct summary *rows, size_t count, const char *config, const struct page_options *options,
		     FILE *out, struct error *err);

/* Prints a line for each attempt in @rows, and an empty line. */
void group_page_print_attempts(const struct summary *rows, size_t count, const struct page_options *options, FILE *out);

#endif
