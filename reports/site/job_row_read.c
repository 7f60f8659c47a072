/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row from a report's file. Most of a report is of no interest to a row, and is not parsed. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "reports/builder/build_report.h"
#include "reports/files/report_file.h"
#include "reports/files/report_owner.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/json/json_filter.h"
#include "reports/site/job_row.h"

static const struct json_filter_key verdict_keys[] = { { "bound", NULL }, { 0 } };
static const struct json_filter_key finding_keys[] = { { "code", NULL }, { 0 } };
static const struct json_filter_key oom_keys[] = { { "pid", NULL }, { 0 } };
static const struct json_filter_key tool_keys[] = { { "name", NULL },	  { "slurm", NULL }, { "runs", NULL },
						    { "failures", NULL }, { "cpu_s", NULL }, { "wall_s", NULL },
						    { 0 } };
static const struct json_filter_key given_keys[] = { { "cpus", NULL }, { "memory_limit_bytes", NULL }, { 0 } };
static const struct json_filter_key used_keys[] = { { "cpu_s", NULL }, { "memory_used_peak_bytes", NULL }, { 0 } };
static const struct json_filter_key node_keys[] = { { "name", NULL },
						    { "complete", NULL },
						    { "allocated", given_keys },
						    { "used", used_keys },
						    { 0 } };
static const struct json_filter_key report_keys[] = { { "schema", NULL },    { "complete", NULL },
						      { "so_far", NULL },    { "job", NULL },
						      { "requested", NULL }, { "allocated", NULL },
						      { "used", NULL },	     { "states", NULL },
						      { "verdict", verdict_keys },
						      { "findings", finding_keys },
						      { "oom", oom_keys },
						      { "tools", tool_keys },
						      { "nodes", node_keys },
						      { 0 } };

/* Whether it is a report that this stint can read, as far as the parts that a row needs show it. */
static bool is_usable(struct json_object *report)
{
	const char *schema = field_text(report, "schema");
	int64_t id;

	return schema && strcmp(schema, REPORT_SCHEMA) == 0 && field_count(report, "job.id", &id) &&
	       field_typed(report, "complete", json_type_boolean) && field_typed(report, "used", json_type_object) &&
	       field_typed(report, "requested", json_type_object) && field_typed(report, "tools", json_type_array) &&
	       field_typed(report, "nodes", json_type_array);
}

/* Beside other threads, no long file is read; alone, none of another user's but in stint's form. */
static bool is_read(int fd, const struct stat *file, const char *path, const struct report_bounds *bounds)
{
	if (report_check_bytes(bounds, file, path, NULL) == 0)
		return true;
	return !bounds->own_too && report_ends_well(fd, file->st_size);
}

/*
 * Returns NULL where the text is in another form than stint's own, or damaged: report_load() then finds out which; with
 * @err and errno ETIMEDOUT where nothing else would be read either.
 */
static struct json_object *read_part(const char *path, const struct report_bounds *bounds, struct error *err)
{
	struct stat file;
	cleanup_close int fd = report_open(path, report_bounds_most(bounds), &file, err);
	cleanup_free char *text = NULL, *kept = NULL;
	struct json_object *report;
	size_t len;

	if (fd < 0 || !is_read(fd, &file, path, bounds))
		return NULL;
	text = file_read_open(fd, path, REPORT_BYTES_MAX, &len, NULL);
	kept = text ? json_filter(text, len, report_keys, "series", &len) : NULL;
	if (!kept || report_check_weight(bounds, &file, kept, len, path, NULL) < 0)
		return NULL;
	report = field_parse(kept, len, path, json_type_object, NULL);
	if (report && is_usable(report)) {
		report_owner_note(path, &file, report);
		return report;
	}
	json_object_put(report);
	return NULL;
}

int job_row_read_within(const char *path, const struct report_bounds *bounds, struct job_row *row, struct error *err)
{
	cleanup_json struct json_object *report = NULL;

	*row = (struct job_row){ 0 };
	errno = 0;
	report = read_part(path, bounds, err);
	if (!report && errno != ETIMEDOUT) {
		errno = 0;
		report = report_load_within(path, bounds, NULL, err);
	}
	if (report && gaps_have(field_typed(report, "gaps", json_type_array), REPORT_OWNER_GAP)) {
		errno = EPERM;
		return error_set(err, "%s: it belongs to another user than the job's, and is left out", path);
	}
	return report ? job_row_from_report(report, row, err) : -1;
}

int job_row_read(const char *path, struct job_row *row, struct error *err)
{
	return job_row_read_within(path, &report_bounds_row, row, err);
}
