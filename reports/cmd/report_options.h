/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the options of stint report. */
#ifndef STINT_REPORT_OPTIONS_H
#define STINT_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reports/cmd/stored.h"
#include "reports/terminal/terminal.h"
#include "reports/text/summary_table.h"

#define REPORT_WHO "stint report" /* begins each message */

struct report_arguments {
	const char **what; /* jobs, files, directories, globs */
	size_t count;
	const char *config, *site, *cluster;
	bool html;
	const char *html_file; /* output file of the page; NULL for the default name */
	const char *behind_html; /* if --html has no FILE: the next argument; may be NULL */
	bool json, table, csv, sorted, seff, by_rule, verbose, again, watch, schema;
	struct summary_table_sort sort;
	int64_t attempt; /* 0: the latest */
	struct page_options page;
	int lines; /* value of --last-lines; -1 if the option is not given */
	size_t printed; /* pages printed so far */
};

/* Parses the command line. The caller must free arguments->what. */
void report_options_parse(int argc, char *argv[], struct report_arguments *arguments);

/* Returns the question for the store about the job @what. */
struct stored_question report_options_question(const struct report_arguments *arguments, const char *what);

#endif
