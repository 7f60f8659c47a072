/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/row.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/escape.h"
#include "collector/common/file.h"
#include "reports/build.h"
#include "reports/field.h"
#include "reports/report.h"
#include "reports/sieve.h"
#include "reports/workflow.h"

#define HEAD_BYTES (32u << 10) /* what stands before the lists of a report is mostly shorter */
#define TAIL_BYTES 8
#define THREADS_MAX 8
#define FILES_PER_THREAD 64 /* below, starting one costs more than it saves */

/* All that row_of() reads. */
static const struct sieve_key workflow_keys[] = {
	{ "engine", NULL }, { "process", NULL }, { "rule", NULL }, { "group", NULL }, { "tag", NULL }, { "wildcards", NULL }, { 0 }
};
static const struct sieve_key gap_keys[] = { { "name", NULL }, { 0 } };
static const struct sieve_key job_keys[] = {
	{ "id", NULL },		 { "array_job_id", NULL },   { "array_task_id", NULL }, { "het_job_id", NULL },
	{ "het_job_offset", NULL }, { "attempt", NULL },     { "cluster", NULL },	{ "name", NULL },
	{ "user", NULL },	 { "state", NULL },	     { "reason", NULL },	{ "start", NULL },
	{ "end", NULL },	 { "exit_code", NULL },	     { "signal", NULL },	{ "elapsed_s", NULL },
	{ "workflow", workflow_keys }, { 0 }
};
static const struct sieve_key requested_keys[] = {
	{ "memory_bytes", NULL }, { "memory_source", NULL }, { "nodes", NULL }, { "time_limit_s", NULL }, { 0 }
};
static const struct sieve_key allocated_keys[] = { { "cpus", NULL }, { 0 } };
static const struct sieve_key used_keys[] = {
	{ "cpu_s", NULL },
	{ "cpu_efficiency", NULL },
	{ "memory_used_peak_bytes", NULL },
	{ "memory_used_peak_upper_bytes", NULL },
	{ "memory_efficiency", NULL },
	{ 0 }
};
static const struct sieve_key verdict_keys[] = { { "bound", NULL }, { 0 } };
static const struct sieve_key finding_keys[] = { { "code", NULL }, { "severity", NULL }, { 0 } };
static const struct sieve_key advice_keys[] = { { "line", NULL }, { 0 } };
static const struct sieve_key report_keys[] = {
	{ "schema", NULL },	       { "complete", NULL },	       { "gaps", gap_keys },
	{ "job", job_keys },	       { "requested", requested_keys }, { "allocated", allocated_keys },
	{ "used", used_keys },	       { "verdict", verdict_keys },    { "findings", finding_keys },
	{ "advice", advice_keys },     { 0 }
};

/* ---- from a report ---- */

static char *copy(struct json_object *report, const char *name)
{
	const char *text = field_text(report, name);

	return text ? strdup(text) : NULL;
}

static int64_t count(struct json_object *report, const char *name)
{
	int64_t value = -1;

	field_count(report, name, &value);
	return value;
}

static double number(struct json_object *report, const char *name)
{
	double value = NAN;

	field_number(report, name, &value);
	return value;
}

static enum row_severity severity_of(struct json_object *finding)
{
	static const char *const names[] = {
		[ROW_INFO] = "info", [ROW_WARNING] = "warning", [ROW_CRITICAL] = "critical"
	};
	const char *text = field_text(finding, "severity");

	for (enum row_severity s = ROW_CRITICAL; text && s > ROW_NO_FINDING; s--)
		if (strcmp(names[s], text) == 0)
			return s;
	return ROW_INFO;
}

static void read_findings(struct row *row, struct json_object *list)
{
	size_t len;
	FILE *out = field_length(list) ? open_memstream(&row->findings, &len) : NULL;
	const char *before = "";

	for (enum row_severity s = ROW_CRITICAL; out && s > ROW_NO_FINDING; s--) {
		for (size_t i = 0; i < field_length(list); i++) {
			struct json_object *finding = json_object_array_get_idx(list, i);
			const char *code = field_text(finding, "code");

			if (!code || severity_of(finding) != s)
				continue;
			if (!*before)
				row->severity = s;
			fprintf(out, "%s%s", before, code);
			before = ", ";
		}
	}
	if (out)
		fclose(out);
}

static void read_advice(struct row *row, struct json_object *list)
{
	size_t len;
	FILE *out = field_length(list) ? open_memstream(&row->advice, &len) : NULL;

	for (size_t i = 0; out && i < field_length(list); i++) {
		const char *line = field_text(json_object_array_get_idx(list, i), "line");

		if (line && !strchr(line, '\n'))
			fprintf(out, "%s\n", line);
	}
	if (out)
		fclose(out);
}

static bool lacks_nodes(struct json_object *report)
{
	struct json_object *gaps = field_typed(report, "gaps", json_type_array);

	for (size_t i = 0; i < field_length(gaps); i++) {
		const char *name = field_text(json_object_array_get_idx(gaps, i), "name");

		if (name && strcmp(name, "nodes") == 0)
			return true;
	}
	return false;
}

static void fill_job(struct row *row, struct json_object *report)
{
	row->id = count(report, "job.id");
	row->array = count(report, "job.array_job_id");
	row->task = count(report, "job.array_task_id");
	row->het = count(report, "job.het_job_id");
	row->het_offset = count(report, "job.het_job_offset");
	row->attempt = count(report, "job.attempt");
	row->cluster = copy(report, "job.cluster");
	row->name = copy(report, "job.name");
	row->user = copy(report, "job.user");
	row->state = copy(report, "job.state");
	row->reason = copy(report, "job.reason");
	row->start = copy(report, "job.start");
	row->end = copy(report, "job.end");
	row->exit_code = count(report, "job.exit_code");
	row->signal = count(report, "job.signal");
}

static void fill_workflow(struct row *row, struct json_object *report)
{
	const char *kind = NULL, *unit = workflow_unit(report, &kind);

	row->engine = copy(report, "job.workflow.engine");
	row->unit_kind = unit ? strdup(kind) : NULL;
	row->unit = unit ? strdup(unit) : NULL;
	row->unit_which = copy(report, "job.workflow.tag");
	if (!row->unit_which)
		row->unit_which = copy(report, "job.workflow.wildcards");
}

static void fill(struct row *row, struct json_object *report)
{
	struct json_object *limit = NULL;

	fill_job(row, report);
	fill_workflow(row, report);
	row->complete = field_true(report, "complete");
	row->lacks_nodes = lacks_nodes(report);
	row->elapsed_s = number(report, "job.elapsed_s");
	row->limit_s = number(report, "requested.time_limit_s");
	if (json_object_object_get_ex(field_find(report, "requested"), "time_limit_s", &limit) && !limit)
		row->limit_s = INFINITY;
	row->cpus = number(report, "allocated.cpus");
	row->cpu_s = number(report, "used.cpu_s");
	row->cpu_efficiency = number(report, "used.cpu_efficiency");
	row->nodes = number(report, "requested.nodes");
	row->memory_requested = number(report, "requested.memory_bytes");
	row->memory_source = copy(report, "requested.memory_source");
	row->memory_used = number(report, "used.memory_used_peak_bytes");
	row->memory_upper = number(report, "used.memory_used_peak_upper_bytes");
	row->memory_efficiency = number(report, "used.memory_efficiency");
	row->bound = copy(report, "verdict.bound");
	read_findings(row, field_typed(report, "findings", json_type_array));
	read_advice(row, field_typed(report, "advice", json_type_array));
}

void row_of(struct row *row, struct json_object *report, const char *path)
{
	*row = (struct row){ .path = strdup(path), .report = json_object_get(report) };
	fill(row, report);
}

void row_free(struct row *row)
{
	char *texts[] = { row->path,   row->error, row->cluster, row->name,	     row->user,	 row->state,	row->reason,
			  row->start,  row->end,   row->bound,	 row->memory_source, row->findings, row->advice,
			  row->engine, row->unit_kind, row->unit, row->unit_which };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(texts[i]);
	json_object_put(row->report);
}

/* ---- from a file ---- */

/* Where a file was cut short, its end tells. */
static bool ends_well(int fd, off_t size)
{
	char tail[TAIL_BYTES];
	ssize_t len = pread(fd, tail, sizeof(tail), size > TAIL_BYTES ? size - TAIL_BYTES : 0);

	while (len > 0 && (tail[len - 1] == '\n' || tail[len - 1] == ' ' || tail[len - 1] == '\r'))
		len--;
	return len > 0 && tail[len - 1] == '}';
}

static bool is_usable(struct json_object *report)
{
	const char *schema = field_text(report, "schema");
	int64_t id;

	return schema && strcmp(schema, REPORT_SCHEMA) == 0 && field_count(report, "job.id", &id) &&
	       field_typed(report, "complete", json_type_boolean) &&
	       field_typed(report, "requested", json_type_object) && field_typed(report, "used", json_type_object);
}

/* What stands elsewhere, in a report that another program wrote, might stand behind the place where reading stopped. */
static bool has_all(struct json_object *report)
{
	for (const struct sieve_key *key = report_keys; key->name; key++)
		if (!json_object_object_get_ex(report, key->name, NULL))
			return false;
	return true;
}

static struct json_object *parse_head(const char *path, const char *text, size_t len)
{
	size_t kept_len;
	cleanup_free char *kept = sieve(text, len, report_keys, "tools", &kept_len);
	struct json_object *report = kept ? field_parse(kept, kept_len, path, json_type_object, NULL) : NULL;

	if (report && has_all(report) && is_usable(report))
		return report;
	json_object_put(report);
	return NULL;
}

/* What a row needs of the report, from its first bytes; NULL where those are not enough, or it is none of ours. */
static struct json_object *read_head(const char *path)
{
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char text[HEAD_BYTES];
	struct stat st;
	ssize_t len;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !ends_well(fd, st.st_size))
		return NULL;
	len = pread(fd, text, sizeof(text), 0);
	return len > 0 ? parse_head(path, text, len) : NULL;
}

void row_read(struct row *row, const char *path)
{
	cleanup_json struct json_object *report = read_head(path);
	struct error err;

	*row = (struct row){ .path = strdup(path) };
	if (!report)
		report = report_load(path, NULL, &err);
	if (report)
		fill(row, report);
	else
		row->error = strdup(err.text);
}

struct reading {
	struct row *rows;
	char *const *paths;
	size_t count;
	atomic_size_t next;
};

static void *read_some(void *context)
{
	struct reading *reading = context;
	size_t i;

	while ((i = atomic_fetch_add(&reading->next, 1)) < reading->count)
		row_read(&reading->rows[i], reading->paths[i]);
	return NULL;
}

void rows_read(struct row *rows, char *const paths[], size_t count)
{
	struct reading reading = { .rows = rows, .paths = paths, .count = count };
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[THREADS_MAX];
	size_t started = 0, wanted = count / FILES_PER_THREAD;

	if (wanted > THREADS_MAX)
		wanted = THREADS_MAX;
	if (processors > 0 && wanted > (size_t)processors)
		wanted = processors;
	/* This one reads too; where a thread is refused, it reads alone. */
	while (started + 1 < wanted && pthread_create(&threads[started], NULL, read_some, &reading) == 0)
		started++;
	read_some(&reading);
	while (started > 0)
		pthread_join(threads[--started], NULL);
}

/* ---- what follows from it ---- */

const char *row_id(const struct row *row, char text[ROW_ID_TEXT])
{
	if (row->array >= 0 && row->task >= 0)
		snprintf(text, ROW_ID_TEXT, "%lld_%lld", (long long)row->array, (long long)row->task);
	else if (row->het >= 0 && row->het_offset >= 0)
		snprintf(text, ROW_ID_TEXT, "%lld+%lld", (long long)row->het, (long long)row->het_offset);
	else
		snprintf(text, ROW_ID_TEXT, "%lld", (long long)row->id);
	return text;
}

const char *row_worst(const struct row *row, size_t columns, char text[ROW_WORST_TEXT])
{
	char more[24] = "";
	size_t first = row->findings ? strcspn(row->findings, ",") : 0, others = 0;
	cleanup_free char *code = row->findings ? strndup(row->findings, first) : NULL;

	if (!code)
		return strcpy(text, "-");
	for (const char *c = row->findings; *c; c++)
		others += *c == ',';
	if (others)
		snprintf(more, sizeof(more), " +%zu", others);
	escape_text(code, text, ROW_WORST_TEXT - sizeof(more));
	escape_cut(text, columns > strlen(more) ? columns - strlen(more) : 0);
	return strcat(text, more);
}

double row_time_efficiency(const struct row *row)
{
	return row->limit_s > 0 && !isinf(row->limit_s) ? row->elapsed_s / row->limit_s : NAN;
}

double row_elapsed(const struct row *row)
{
	return row->elapsed_s;
}

double row_cpu_efficiency(const struct row *row)
{
	return row->cpu_efficiency;
}

double row_memory_efficiency(const struct row *row)
{
	return row->memory_efficiency;
}

double row_memory_used(const struct row *row)
{
	return row->memory_used;
}
