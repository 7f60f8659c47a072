/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/summary.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"
#include "common/time_text.h"
#include "reports/builder/build_report.h"
#include "reports/builder/workflow.h"
#include "reports/files/reach.h"
#include "reports/files/report_file.h"
#include "reports/files/report_owner.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/json/job_state.h"
#include "reports/json/json_filter.h"
#include "reports/read/find_place.h"
#include "reports/rules/facts.h"
#include "reports/rules/rules.h"
#include "reports/verdict/advice.h"

#define HEAD_BYTES (32u << 10) /* what stands before a report's lists is mostly shorter */
#define LONG_HEAD_BYTES (4u << 20) /* the gaps of 30,000 nodes */
#define THREADS_MAX 8
#define FILES_PER_THREAD 64 /* for fewer files, starting a thread costs more than it saves */

/* All fields that summary_of() reads. */
static const struct json_filter_key workflow_keys[] = { { "engine", NULL },
							{ "process", NULL },
							{ "rule", NULL },
							{ "group", NULL },
							{ "tag", NULL },
							{ "wildcards", NULL },
							{ 0 } };
static const struct json_filter_key gap_keys[] = { { "name", NULL }, { 0 } };
static const struct json_filter_key job_keys[] = { { "id", NULL },
						   { "array_job_id", NULL },
						   { "array_task_id", NULL },
						   { "het_job_id", NULL },
						   { "het_job_offset", NULL },
						   { "attempt", NULL },
						   { "cluster", NULL },
						   { "name", NULL },
						   { "user", NULL },
						   { "uid", NULL },
						   { "state", NULL },
						   { "reason", NULL },
						   { "start", NULL },
						   { "end", NULL },
						   { "exit_code", NULL },
						   { "signal", NULL },
						   { "elapsed_s", NULL },
						   { "workflow", workflow_keys },
						   { 0 } };
static const struct json_filter_key requested_keys[] = {
	{ "memory_bytes", NULL }, { "memory_source", NULL }, { "memory_by_default", NULL }, { "nodes", NULL }, { "tasks", NULL },
	{ "time_limit_s", NULL }, { 0 }
};
static const struct json_filter_key allocated_keys[] = { { "cpus", NULL }, { "exclusive", NULL }, { 0 } };
static const struct json_filter_key used_keys[] = { { "cpu_s", NULL },
						    { "cpu_efficiency", NULL },
						    { "memory_used_peak_bytes", NULL },
						    { "memory_used_peak_upper_bytes", NULL },
						    { "memory_mapped_peak_bytes", NULL },
						    { "memory_efficiency", NULL },
						    { 0 } };
static const struct json_filter_key verdict_keys[] = { { "bound", NULL }, { "outcome", NULL }, { 0 } };
static const struct json_filter_key finding_keys[] = { { "code", NULL }, { "severity", NULL }, { 0 } };
static const struct json_filter_key advice_keys[] = {
	{ "line", NULL }, { "memory_bytes", NULL }, { "cpus_per_task", NULL }, { 0 }
};
static const struct json_filter_key report_keys[] = { { "schema", NULL },
						      { "complete", NULL },
						      { "gaps", gap_keys },
						      { "job", job_keys },
						      { "requested", requested_keys },
						      { "allocated", allocated_keys },
						      { "used", used_keys },
						      { "verdict", verdict_keys },
						      { "findings", finding_keys },
						      { "advice", advice_keys },
						      { 0 } };

/* ---- from a report ---- */

static char *copy_text(struct json_object *report, const char *name)
{
	const char *text = field_text(report, name);

	return text ? strdup(text) : NULL;
}

static int64_t count_of(struct json_object *report, const char *name)
{
	int64_t value = -1;

	field_count(report, name, &value);
	return value;
}

static double number_of(struct json_object *report, const char *name)
{
	double value = NAN;

	field_number(report, name, &value);
	return value;
}

static enum summary_severity severity_of(struct json_object *finding)
{
	static const char *const names[] = {
		[ROW_INFO] = "info", [ROW_WARNING] = "warning", [ROW_CRITICAL] = "critical"
	};
	const char *text = field_text(finding, "severity");

	for (enum summary_severity s = ROW_CRITICAL; text && s > ROW_NO_FINDING; s--)
		if (strcmp(names[s], text) == 0)
			return s;
	return ROW_INFO;
}

static void read_findings(struct summary *row, struct json_object *list)
{
	size_t len;
	FILE *out = field_length(list) ? open_memstream(&row->findings, &len) : NULL;
	const char *before = "";

	for (enum summary_severity s = ROW_CRITICAL; out && s > ROW_NO_FINDING; s--) {
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

/* The first advice with the number @name; NAN: none has it. @line: what to paste for it; NULL where there is none */
static double advised(struct json_object *report, const char *name, const char **line)
{
	struct json_object *list = field_typed(report, "advice", json_type_array);
	int64_t value;

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *advice = json_object_array_get_idx(list, i);

		*line = field_text(advice, "line");
		if (field_count(advice, name, &value) && value > 0)
			return value;
	}
	*line = NULL;
	return NAN;
}

static bool has_gap(struct json_object *report, const char *name)
{
	return gaps_have(field_typed(report, "gaps", json_type_array), name);
}

static void fill_job(struct summary *row, struct json_object *report)
{
	row->id = count_of(report, "job.id");
	row->array = count_of(report, "job.array_job_id");
	row->task = count_of(report, "job.array_task_id");
	row->het = count_of(report, "job.het_job_id");
	row->het_offset = count_of(report, "job.het_job_offset");
	row->attempt = count_of(report, "job.attempt");
	row->cluster = copy_text(report, "job.cluster");
	row->name = copy_text(report, "job.name");
	row->user = copy_text(report, "job.user");
	row->uid = count_of(report, "job.uid");
	row->state = copy_text(report, "job.state");
	row->reason = copy_text(report, "job.reason");
	row->start = copy_text(report, "job.start");
	row->end = copy_text(report, "job.end");
	row->exit_code = count_of(report, "job.exit_code");
	row->signal = count_of(report, "job.signal");
}

static void fill_workflow(struct summary *row, struct json_object *report)
{
	const char *kind = NULL, *unit = workflow_unit(report, &kind);

	row->engine = copy_text(report, "job.workflow.engine");
	row->unit_kind = unit ? strdup(kind) : NULL;
	row->unit = unit ? strdup(unit) : NULL;
	row->unit_which = copy_text(report, "job.workflow.tag");
	if (!row->unit_which)
		row->unit_which = copy_text(report, "job.workflow.wildcards");
}

static void fill_summary(struct summary *row, struct json_object *report)
{
	struct json_object *limit = NULL;
	const char *line;

	fill_job(row, report);
	fill_workflow(row, report);
	row->complete = field_true(report, "complete");
	row->so_far = !row->complete && row->state && strcmp(row->state, "RUNNING") == 0 && !row->end;
	row->lacks_nodes = has_gap(report, "nodes");
	row->foreign = has_gap(report, REPORT_OWNER_GAP);
	row->elapsed_s = number_of(report, "job.elapsed_s");
	row->limit_s = number_of(report, "requested.time_limit_s");
	if (json_object_object_get_ex(field_find(report, "requested"), "time_limit_s", &limit) && !limit)
		row->limit_s = INFINITY;
	row->cpus = number_of(report, "allocated.cpus");
	row->cpu_s = number_of(report, "used.cpu_s");
	row->cpu_efficiency = number_of(report, "used.cpu_efficiency");
	row->nodes = number_of(report, "requested.nodes");
	row->memory_requested = number_of(report, "requested.memory_bytes");
	row->memory_source = copy_text(report, "requested.memory_source");
	row->memory_by_cpu = advice_memory_by_cpu(report);
	row->memory_by_default = field_true(report, "requested.memory_by_default");
	row->exclusive = field_true(report, "allocated.exclusive");
	row->memory_used = number_of(report, "used.memory_used_peak_bytes");
	row->memory_upper = number_of(report, "used.memory_used_peak_upper_bytes");
	row->memory_mapped = facts_mapped_of(report);
	row->memory_efficiency = number_of(report, "used.memory_efficiency");
	row->bound = copy_text(report, "verdict.bound");
	row->outcome = copy_text(report, "verdict.outcome");
	read_findings(row, field_typed(report, "findings", json_type_array));
	row->advised_memory = advised(report, "memory_bytes", &line);
	row->advised_cpus = advised(report, "cpus_per_task", &line);
	row->advised_one_task = line && strstr(line, "--ntasks=1 ");
}

void summary_of(struct summary *row, struct json_object *report, const char *path)
{
	*row = (struct summary){ .path = strdup(path), .report = json_object_get(report) };
	fill_summary(row, report);
}

/* ---- from Slurm ---- */

/* Returns the moment as text, to be freed; NULL where it is not known. */
static char *moment_of(struct json_object *slurm, const char *name)
{
	char text[TIME_TEXT];
	int64_t unix_s;

	return field_count(slurm, name, &unix_s) ? strdup(time_text(unix_s * NS_PER_S, text)) : NULL;
}

/* How long the job ran, or has run so far. NAN: it has not started. */
static double time_run(struct json_object *slurm)
{
	int64_t start, end = time(NULL), suspended = 0;
	double elapsed = number_of(slurm, "elapsed_s");

	if (!field_count(slurm, "start_unix_s", &start))
		return NAN;
	if (!isnan(elapsed))
		return elapsed;
	field_count(slurm, "end_unix_s", &end);
	field_count(slurm, "suspended_s", &suspended);
	return (double)(end - start - suspended);
}

static void fill_names(struct summary *row, struct json_object *slurm)
{
	const char *waits = field_text(slurm, "waits_for");

	row->id = count_of(slurm, "job_id");
	row->array = find_array_of(slurm);
	row->task = count_of(slurm, "array_task_id");
	row->het = count_of(slurm, "het_job_id");
	row->het_offset = count_of(slurm, "het_job_offset");
	row->waiting = copy_text(slurm, "array_tasks");
	row->attempt = 1 + (count_of(slurm, "restarts") > 0 ? count_of(slurm, "restarts") : 0);
	row->cluster = copy_text(slurm, "cluster");
	row->name = copy_text(slurm, "name");
	row->user = copy_text(slurm, "user");
	row->uid = count_of(slurm, "user_id");
	row->state = copy_text(slurm, "state");
	row->reason = waits ? strdup(waits) : copy_text(slurm, "reason");
	row->start = moment_of(slurm, "start_unix_s");
	row->end = moment_of(slurm, "end_unix_s");
}

void summary_of_slurm(struct summary *row, struct json_object *slurm)
{
	struct json_object *limit = NULL;
	int64_t status;

	*row = (struct summary){ .complete = true };
	fill_names(row, slurm);
	row->so_far = state_goes_on(row->state);
	row->exit_code = row->signal = -1;
	if (state_comes_unstarted(row->state) && !field_text(slurm, "node_list")) {
		free(row->start); /* Slurm gives such a job the moment of its end, and an exit code of its own making */
		row->start = NULL;
	} else if (!row->so_far && field_count(slurm, "exit_status", &status)) {
		row->exit_code = WEXITSTATUS(status);
		row->signal = WIFSIGNALED(status) ? WTERMSIG(status) : -1;
	}
	row->elapsed_s = time_run(slurm);
	row->limit_s = number_of(slurm, "time_limit_s");
	if (json_object_object_get_ex(slurm, "time_limit_s", &limit) && !limit)
		row->limit_s = INFINITY;
	row->cpus = number_of(slurm, "cpus");
	row->nodes = number_of(slurm, "nodes");
	row->memory_requested = number_of(slurm, "allocated_memory_bytes");
	row->cpu_s = row->cpu_efficiency = row->memory_used = row->memory_upper = row->memory_efficiency = NAN;
	row->advised_memory = row->advised_cpus = NAN;
}

mode_t summary_readers(void)
{
	return report_readers();
}

static char **text_of(struct summary *row, size_t i)
{
	char **const texts[] = {
		&row->path,    &row->error,	    &row->cluster,  &row->name,	  &row->user,	   &row->state,
		&row->reason,  &row->start,	    &row->end,	    &row->bound,  &row->outcome,   &row->memory_source,
		&row->findings, &row->engine,	    &row->unit_kind, &row->unit,  &row->unit_which, &row->waiting,
		&row->tasks,
	};

	return i < sizeof(texts) / sizeof(texts[0]) ? texts[i] : NULL;
}

/* @path: another name of the file of @from */
static void summary_copy(struct summary *to, const struct summary *from, const char *path)
{
	char **text;

	*to = *from;
	to->again = true;
	to->report = NULL;
	for (size_t i = 0; (text = text_of(to, i)); i++)
		if (*text)
			*text = strdup(*text);
	free(to->path);
	to->path = strdup(path);
}

void summary_free(struct summary *row)
{
	char **text;

	for (size_t i = 0; (text = text_of(row, i)); i++)
		free(*text);
	json_object_put(row->report);
}

/* ---- from a file ---- */

static bool is_usable(struct json_object *report)
{
	const char *schema = field_text(report, "schema");
	int64_t id;

	return schema && strcmp(schema, REPORT_SCHEMA) == 0 && field_count(report, "job.id", &id) &&
	       field_typed(report, "complete", json_type_boolean) &&
	       field_typed(report, "requested", json_type_object) && field_typed(report, "used", json_type_object);
}

/*
 * Checks that nothing is missing: in a report that another program wrote, a field may stand behind the place where
 * reading stopped.
 */
static bool has_all(struct json_object *report)
{
	for (const struct json_filter_key *key = report_keys; key->name; key++)
		if (!json_object_object_get_ex(report, key->name, NULL))
			return false;
	return true;
}

/* @weight: the most that its objects may take */
static struct json_object *parse_head(const char *path, const char *text, size_t len, size_t weight)
{
	size_t kept_len;
	cleanup_free char *kept = json_filter(text, len, report_keys, "tools", &kept_len);
	struct json_object *report = NULL;

	if (kept && !json_weighs_more(kept, kept_len, weight))
		report = field_parse(kept, kept_len, path, json_type_object, NULL);
	if (report && has_all(report) && is_usable(report))
		return report;
	json_object_put(report);
	return NULL;
}

/* A report has a gap for each node that it lacks, and these stand before its lists. */
static struct json_object *read_long_head(int fd, const char *path, size_t weight)
{
	cleanup_free char *text = malloc(LONG_HEAD_BYTES);
	ssize_t len = text ? pread(fd, text, LONG_HEAD_BYTES, 0) : -1;

	return len > 0 ? parse_head(path, text, len, weight) : NULL;
}

/*
 * Whether the file has the number @id where a report names its job: so one of very many files is read in no time. Where that cannot be
 * seen, it may be. @begin: the file's first @len bytes
 */
static bool may_be_of(int fd, const char *begin, ssize_t len, int64_t id)
{
	cleanup_free char *more = NULL;
	char digits[24];

	snprintf(digits, sizeof(digits), "%lld", (long long)id);
	if (len < 0 || memmem(begin, len, digits, strlen(digits)))
		return true;
	more = len == HEAD_BYTES ? malloc(LONG_HEAD_BYTES) : NULL;
	len = more ? pread(fd, more, LONG_HEAD_BYTES, 0) : 0;
	return len > 0 && memmem(more, len, digits, strlen(digits));
}

enum head {
	HEAD_READ,
	HEAD_FALLS_SHORT, /* the whole file has to be read */
	HEAD_SILENT, /* its server does not answer */
	HEAD_OF_ANOTHER, /* it is not of the job that is looked for */
};

/*
 * Reads a summary's fields from the file's first bytes into @report, which is set with HEAD_READ. @err is set with HEAD_SILENT and
 * HEAD_OF_ANOTHER. @tried_for: as summaries_read() has it
 */
static enum head read_head(const char *path, const struct report_bounds *bounds, int64_t tried_for, struct json_object **report,
			   struct error *err)
{
	struct stat file;
	cleanup_close int fd = report_open(path, LONG_HEAD_BYTES, &file, err);
	char text[HEAD_BYTES];
	ssize_t len;

	if (fd < 0)
		return errno == ETIMEDOUT ? HEAD_SILENT : HEAD_FALLS_SHORT;
	len = pread(fd, text, sizeof(text), 0);
	if (tried_for >= 0 && !may_be_of(fd, text, len, tried_for)) {
		error_set(err, "it is not of that job");
		return HEAD_OF_ANOTHER;
	}
	if (file.st_size > REPORT_BYTES_MAX || !report_ends_well(fd, file.st_size))
		return HEAD_FALLS_SHORT;
	*report = len > 0 ? parse_head(path, text, len, SIZE_MAX) : NULL;
	if (!*report && file.st_size > HEAD_BYTES)
		*report = read_long_head(fd, path, report_weight(bounds, &file));
	if (!*report)
		return HEAD_FALLS_SHORT;
	report_owner_note(path, &file, *report);
	return HEAD_READ;
}

static void read_within(struct summary *row, const char *path, const struct report_bounds *bounds, int64_t tried_for)
{
	cleanup_json struct json_object *report = NULL;
	enum head head;
	struct error err;

	*row = (struct summary){ .path = strdup(path) };
	head = read_head(path, bounds, tried_for, &report, &err);
	errno = head == HEAD_SILENT ? ETIMEDOUT : 0;
	if (head == HEAD_FALLS_SHORT)
		report = report_load_within(path, bounds, NULL, &err);
	if (report) {
		fill_summary(row, report);
		return;
	}
	row->why = errno;
	row->error = strdup(err.text);
}

void summary_read(struct summary *row, const char *path)
{
	read_within(row, path, &report_bounds_row, -1);
}

/* ---- from many ---- */

struct reading {
	struct summary *rows;
	char *const *paths;
	size_t count;
	int64_t tried_for;
	atomic_size_t next;
};

static void *read_some(void *context)
{
	struct reading *reading = context;
	size_t i;

	while ((i = atomic_fetch_add(&reading->next, 1)) < reading->count)
		read_within(&reading->rows[i], reading->paths[i], &report_bounds_thread, reading->tried_for);
	return NULL;
}

static void read_in_threads(struct reading *reading)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[THREADS_MAX];
	size_t started = 0, wanted = reading->count / FILES_PER_THREAD;

	if (wanted > THREADS_MAX)
		wanted = THREADS_MAX;
	if (processors > 0 && wanted > (size_t)processors)
		wanted = processors;
	/* This thread reads too. Where no thread can be started, it reads alone. */
	while (started + 1 < wanted && pthread_create(&threads[started], NULL, read_some, reading) == 0)
		started++;
	read_some(reading);
	while (started > 0)
		pthread_join(threads[--started], NULL);
}

/*
 * Reads what was too large to be read beside others, or for which others left no memory. A file is read once, however
 * many names it has.
 */
static void read_alone(struct summary *row, struct report_seen *seen, struct summary *rows, bool heads_only)
{
	const char *path = row->path;
	struct stat file;
	const size_t *first;
	struct summary again;

	if (!path || reach_stat(path, &file) < 0 || (heads_only && row->why == EFBIG && report_is_others(&file)))
		return;
	first = report_seen_mark(seen, path, &file);
	if (first) {
		summary_copy(&again, &rows[*first], path);
	} else {
		summary_read(&again, path);
		report_seen_note(seen, path, &file, row - rows);
	}
	summary_free(row);
	*row = again;
}

void summaries_read(struct summary *rows, char *const paths[], size_t count, int64_t tried_for)
{
	struct reading reading = { .rows = rows, .paths = paths, .count = count, .tried_for = tried_for };
	struct report_seen seen = { 0 };

	read_in_threads(&reading);
	for (size_t i = 0; i < count; i++)
		if (rows[i].why == EFBIG || rows[i].why == ENOMEM)
			read_alone(&rows[i], &seen, rows, tried_for >= 0);
	free(seen.list);
}

/* ---- values derived from it ---- */

const char *summary_id(const struct summary *row, char text[SUMMARY_ID_TEXT])
{
	if (row->array >= 0 && row->task >= 0)
		snprintf(text, SUMMARY_ID_TEXT, "%lld_%lld", (long long)row->array, (long long)row->task);
	else if (row->het >= 0 && row->het_offset >= 0)
		snprintf(text, SUMMARY_ID_TEXT, "%lld+%lld", (long long)row->het, (long long)row->het_offset);
	else
		snprintf(text, SUMMARY_ID_TEXT, "%lld", (long long)row->id);
	return text;
}

char *summary_worst(const struct summary *row)
{
	size_t first = row->findings ? strcspn(row->findings, ",") : 0, others = 0;
	const struct finding_rule *rule = row->findings ? rules_finding(row->findings, first) : NULL;
	char more[24] = "", *text;

	for (const char *c = row->findings; c && *c; c++)
		others += *c == ',';
	if (others)
		snprintf(more, sizeof(more), " +%zu", others);
	if (!row->findings)
		return NULL;
	if (rule)
		return asprintf(&text, "%s%s", rule->words, more) >= 0 ? text : NULL;
	return asprintf(&text, "%.*s%s", (int)first, row->findings, more) >= 0 ? text : NULL;
}

enum look summary_look(const struct summary *row)
{
	static const enum look looks[] = {
		[ROW_NO_FINDING] = LOOK_NONE, [ROW_INFO] = LOOK_NONE, [ROW_WARNING] = LOOK_LOOK, [ROW_CRITICAL] = LOOK_BAD,
	};

	return looks[row->severity];
}

enum look summary_look_at(const struct summary *row, enum look_at at)
{
	const double shares[] = {
		[LOOK_AT_CPU] = row->cpu_efficiency,
		[LOOK_AT_MEMORY] = row->memory_efficiency,
		[LOOK_AT_TIME] = summary_time_efficiency(row),
	};

	return look_of_share(at, shares[at], looks_of_codes(row->findings));
}

bool summary_failed(const struct summary *row)
{
	return row->state && !row->so_far && strcmp(row->state, "COMPLETED") != 0;
}

double summary_time_efficiency(const struct summary *row)
{
	return row->limit_s > 0 && !isinf(row->limit_s) ? row->elapsed_s / row->limit_s : NAN;
}

double summary_elapsed(const struct summary *row)
{
	return row->elapsed_s;
}

double summary_cpu_efficiency(const struct summary *row)
{
	return row->cpu_efficiency;
}

double summary_memory_efficiency(const struct summary *row)
{
	return row->memory_efficiency;
}

double summary_memory_used(const struct summary *row)
{
	return row->memory_used;
}
