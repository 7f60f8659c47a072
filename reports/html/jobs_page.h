/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the page for browsers about many jobs.
 * Its list links to the pages of single jobs in the same directory.
 */
#ifndef STINT_JOBS_PAGE_H
#define STINT_JOBS_PAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "reports/read/summary.h"

struct jobs_page {
	struct summary *rows; /* jobs_page_write() sorts them */
	size_t count;
	bool by_rule;       /* group by the workflow's rules, even if most jobs have none */
	const char *config; /* path of stint.conf; NULL for the default */
};

/*
 * Fills @name with the default file name, and returns it:
 * stint-12.html for an array or a heterogeneous job;
 * stint-rules.html if @page is by rule;
 * else stint-jobs.html.
 */
const char *jobs_page_name(const struct jobs_page *page, char name[NAME_MAX + 1]);

/*
 * Writes the page to the file @path with output_write(). "-" is standard output.
 *
 * Returns 0; -1 with @err set.
 */
int jobs_page_write(const struct jobs_page *page, const char *path, struct error *err);

#endif
