/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/report_pages.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "reports/cmd/stored.h"
#include "reports/html/html.h"
#include "reports/html/jobs_page.h"
#include "reports/read/find.h"
#include "reports/read/last_lines.h"
#include "reports/terminal/output.h"

#define PAGES_MAX 100 /* if there are more jobs than this, --html writes no page for each job */

static int write_page(const struct summary *row, const char *path)
{
	struct error err;
	cleanup_report struct report *report = find_whole(row, NULL, &err);

	if (report && !row->foreign)
		last_lines_forget_empty(report);
	if (report && html_write(report, path, &err) == 0)
		return 0;
	find_complain(REPORT_WHO, err.text);
	return -1;
}

/*
 * Returns whether one of the first @count rows has the page name @name and the same job number as row number
 * @count. If so, the two jobs are on different clusters.
 */
static bool is_taken(const struct rows *rows, size_t count, const char *name)
{
	char other[NAME_MAX + 1];

	for (size_t i = 0; i < count; i++)
		if (rows->list[i].id == rows->list[count].id &&
		    strcmp(output_name(&output_page, &rows->list[i], other), name) == 0)
			return true;
	return false;
}

/* Writes a page for each job into the current directory. */
static int write_pages(const struct rows *rows)
{
	char name[NAME_MAX + 1], id[SUMMARY_ID_TEXT];
	struct error err;
	int result = 0;

	for (size_t i = 0; i < rows->count; i++) {
		output_name(&output_page, &rows->list[i], name);
		if (is_taken(rows, i, name)) {
			error_set(&err,
				  "%s: the page of another job %s would be in the same file %s: use "
				  "--html=FILE",
				  rows->list[i].path, summary_id(&rows->list[i], id), name);
			find_complain(REPORT_WHO, err.text);
			result = -1;
		} else if (write_page(&rows->list[i], name) < 0) {
			result = -1;
		} else {
			printf("Wrote %s, the page of job %s\n", name, summary_id(&rows->list[i], id));
		}
	}
	return result;
}

/* Writes the page about all jobs. @path: output file; NULL for the default name */
static int write_jobs_page(const struct report_arguments *arguments, const struct rows *rows, const char *path)
{
	const struct jobs_page page = { rows->list, rows->count, arguments->by_rule, arguments->config };
	char name[NAME_MAX + 1];
	struct error err;

	jobs_page_name(&page, name);
	if (jobs_page_write(&page, path ? path : name, &err) < 0) {
		find_complain(REPORT_WHO, err.text);
		return -1;
	}
	if (!path)
		printf("Wrote %s, the page of %zu jobs\n", name, rows->count);
	return 0;
}

/*
 * Writes the page of each job first, because the page about all jobs links only to pages that exist.
 */
static int write_default_pages(const struct report_arguments *arguments, const struct rows *rows)
{
	int result = 0;

	if (!arguments->by_rule && rows->count <= PAGES_MAX)
		result = write_pages(rows);
	if (arguments->by_rule || rows->count > 1)
		result = write_jobs_page(arguments, rows, NULL) < 0 ? -1 : result;
	return result;
}

/*
 * Writes the page of the job @what from the store. Returns 0; -1 after a message if the store does not have it, or
 * if the page could not be written.
 *
 * @unfound: why no file has the report
 */
static int write_stored(const struct report_arguments *arguments, const char *what, const struct error *unfound)
{
	struct rows rows = { .who = REPORT_WHO };
	const struct stored_question question = report_options_question(arguments, what);
	int result = stored_add(&question, unfound, &rows);

	if (result == 0)
		result = arguments->html_file ? write_page(rows.list, arguments->html_file) : write_pages(&rows);
	rows_free(&rows);
	return result;
}

int report_pages_write(const struct report_arguments *arguments)
{
	struct rows rows = { .who = REPORT_WHO, .attempt = arguments->attempt, .verbose = arguments->verbose };
	struct error err;
	/* if so, do not ask the store, because a page about many jobs is made only from report files */
	bool many = arguments->by_rule || (arguments->html_file && arguments->count > 1);
	int result = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		if (find_rows(&rows, arguments->what[i], arguments->config, &err) == 0)
			continue;
		if (many)
			find_complain(REPORT_WHO, err.text);
		if (many || write_stored(arguments, arguments->what[i], &err) < 0)
			result = -1;
	}
	if (!arguments->html_file) {
		result = write_default_pages(arguments, &rows) < 0 ? -1 : result;
	} else if (rows.count > 1 || arguments->by_rule) {
		result = write_jobs_page(arguments, &rows, arguments->html_file) < 0 ? -1 : result;
	} else if (rows.count == 1 && result == 0 && !rows.failed) {
		result = write_page(&rows.list[0], arguments->html_file);
	}
	result = rows.failed ? -1 : result;
	rows_free(&rows);
	return result;
}
