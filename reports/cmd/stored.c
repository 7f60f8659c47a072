/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/cmd/stored.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/cmd/cmd.h"
#include "reports/read/find_messages.h"
#include "reports/read/locate.h"
#include "reports/read/slurm_rows.h"

/*
 * Fills @name with the number of the job @what. If @what is "last", asks Slurm which job that is.
 * Returns false if @what is not a job.
 */
static bool read_name(const char *what, char name[SUMMARY_ID_TEXT])
{
	struct locate_job job;
	struct error err;

	if (strcmp(what, SLURM_ROWS_LAST) == 0)
		return slurm_rows_last(name, &err) == 0;
	snprintf(name, SUMMARY_ID_TEXT, "%s", what);
	return locate_parse_job(what, &job) && strlen(what) < SUMMARY_ID_TEXT;
}

/*
 * Prints why the report is neither in a directory nor in the store.
 * If the store knows why the job has no record, prints this reason first.
 *
 * @why: errno of site_find_report()
 */
static void complain(const struct stored_question *question, const struct error *unfound, const struct error *stored, int why)
{
	cleanup_free char *both = NULL;

	/* If a cluster matters, the store's answer is enough, because only the store knows clusters. */
	if (why == ENOTUNIQ || why == ENODATA || question->cluster)
		find_complain(question->who, stored->text);
	else if (asprintf(&both, "%s; %s%s", unfound->text, why == ENOENT ? "" : "the store could not be asked: ", stored->text) >= 0)
		find_complain(question->who, both);
	if (why == ENODATA && !question->cluster)
		find_complain(question->who, unfound->text);
}

struct report *stored_find(const struct stored_question *question, const struct error *unfound)
{
	struct site_job job = { .attempt = question->attempt, .cluster = question->cluster };
	char name[SUMMARY_ID_TEXT];
	struct report *report;
	struct error err;

	if (!site_there(question->site) || !read_name(question->what, name)) {
		find_complain(question->who, unfound->text);
		return NULL;
	}
	job.name = name;
	report = site_find_report(&job, question->site, question->config, &err);
	if (!report)
		complain(question, unfound, &err, errno);
	return report;
}

/* The row shares the report. No file has the report, so the row's path is the name that such a file would have. */
static void make_row(const struct stored_question *question, struct report *report, struct summary *row)
{
	char path[NAME_MAX], attempt[32] = "";

	if (question->attempt)
		snprintf(attempt, sizeof(attempt), ".attempt-%lld", (long long)question->attempt);
	snprintf(path, sizeof(path), "stint-%.64s%s.json", question->what, attempt);
	summary_of(row, report, path);
}

int stored_add(const struct stored_question *question, const struct error *unfound, struct rows *rows)
{
	cleanup_report struct report *report = stored_find(question, unfound);
	struct summary row;

	if (!report)
		return -1;
	make_row(question, report, &row);
	if (rows_add(rows, &row))
		return 0;
	summary_free(&row);
	return -1;
}
