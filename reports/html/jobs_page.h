/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page for browsers about many jobs: tasks of an array, jobs of a workflow, or any jobs. Which did not complete,
 * what suffices for all of them, how time, CPU and memory are spread by rule or name, and a list of all, each with a
 * link to its own page where that lies beside.
 */
#ifndef STINT_JOBS_PAGE_H
#define STINT_JOBS_PAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "reports/read/summary.h"

struct jobs_page {
	struct summary *rows; /* sorted here */
	size_t count;
	bool by_rule;       /* by the rules or processes of workflows also where most jobs are of none */
	const char *config; /* stint.conf; NULL: the default */
};

/*
 * Fills @name with the default file name: stint-12.html for an array or a heterogeneous job, stint-rules.html where it
 * is by rule, else stint-jobs.html. Returns @name.
 */
const char *jobs_page_name(const struct jobs_page *page, char name[NAME_MAX + 1]);

/*
 * Writes the page to the file @path, as output_write() does. "-" is standard output.
 *
 * Returns 0; -1 with @err set.
 */
int jobs_page_write(const struct jobs_page *page, const char *path, struct error *err);

#endif
