/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a row from a report's file, and skips what a row does not need. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/builder/build_report.h"
#include "reports/files/report_file.h"
#include "reports/files/report_owner.h"
#include "reports/model/report_gaps.h"
#include "reports/model/report_make.h"
#include "reports/model/report_read.h"
#include "reports/site/job_row.h"

#define ROW_PARTS \
	(REPORT_PART(schema) | REPORT_PART(complete) | REPORT_PART(so_far) | REPORT_PART(job) | REPORT_PART(requested) | \
	 REPORT_PART(allocated) | REPORT_PART(used) | REPORT_PART(states) | REPORT_PART(verdict) | REPORT_PART(findings) | \
	 REPORT_PART(oom) | REPORT_PART(gpus) | REPORT_PART(tools) | REPORT_PART(nodes))

/* @report has only the parts that a row needs. */
static bool is_usable(const struct report *report)
{
	return report_text_is(report->schema, REPORT_SCHEMA) && report->job.id >= 0 && report->complete.known &&
	       report->used.known && report->requested.known && report->tools.known && report->nodes.known;
}

/*
 * Returns whether the file may be read. A file within @bounds may. A longer file must end in the form that stint
 * writes, and no other thread may read at the same time.
 */
static bool is_read(int fd, const struct stat *file, const char *path, const struct report_bounds *bounds)
{
	if (report_check_bytes(bounds, file, path, NULL) == 0)
		return true;
	return !bounds->own_too && report_ends_well(fd, file->st_size);
}

/*
 * Reads the parts for a row. Returns NULL if the text is damaged or has another form; report_load_within() then finds
 * out why. Returns NULL with @err set and errno ETIMEDOUT if the file system does not answer.
 */
static struct report *read_part(const char *path, const struct report_bounds *bounds, struct error *err)
{
	struct report_want want = { ROW_PARTS, REPORT_PART_series, 0 };
	struct stat file;
	cleanup_close int fd = report_open(path, report_bounds_most(bounds), &file, err);
	struct report *report;
	size_t len;
	char *text;

	if (fd < 0 || !is_read(fd, &file, path, bounds))
		return NULL;
	text = file_read_open(fd, path, REPORT_BYTES_MAX, &len, NULL);
	want.most = report_weight(bounds, &file);
	report = text ? report_read(text, len, &want, path, NULL) : NULL;
	if (report && is_usable(report)) {
		report_owner_note(path, &file, report);
		if (!report_lacks_memory(report))
			return report;
	}
	report_free(report);
	return NULL;
}

int job_row_read_within(const char *path, const struct report_bounds *bounds, struct job_row *row, struct error *err)
{
	cleanup_report struct report *report = NULL;

	*row = (struct job_row){ 0 };
	errno = 0;
	report = read_part(path, bounds, err);
	if (!report && errno != ETIMEDOUT) {
		errno = 0;
		report = report_load_within(path, bounds, err);
	}
	if (report && report_has_gap(&report->gaps, REPORT_OWNER_GAP)) {
		errno = EPERM;
		return error_set(err, "%s does not belong to the job's user, and is left out", path);
	}
	return report ? job_row_from_report(report, row, err) : -1;
}

int job_row_read(const char *path, struct job_row *row, struct error *err)
{
	return job_row_read_within(path, &report_bounds_row, row, err);
}
