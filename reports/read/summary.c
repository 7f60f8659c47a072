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
#include "reports/json/job_state.h"
#include "reports/model/report_gaps.h"
#include "reports/model/report_read.h"
#include "reports/read/find_place.h"
#include "reports/rules/facts.h"
#include "reports/rules/rules.h"
#include "reports/verdict/advice.h"

#define HEAD_BYTES (32u << 10) /* mostly enough for the part before the lists */
#define LONG_HEAD_BYTES (4u << 20) /* enough for the gaps of 30,000 nodes */
#define THREADS_MAX 8
#define FILES_PER_THREAD 64 /* for fewer files, starting a thread costs more than it saves */

/* The parts that a row needs. The lists that follow these parts, from tools on, are the most of a report. */
#define ROW_PARTS \
	(REPORT_PART(schema) | REPORT_PART(complete) | REPORT_PART(gaps) | REPORT_PART(job) | REPORT_PART(requested) | \
	 REPORT_PART(allocated) | REPORT_PART(used) | REPORT_PART(verdict) | REPORT_PART(findings) | REPORT_PART(advice))

/* ---- from a report ---- */

static char *copy_text(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* A number that the report does not have is unknown in the row, too. */
static int64_t count_of(int64_t count)
{
	return count == REPORT_NONE ? -1 : count;
}

static enum summary_severity severity_of(const struct report_finding *finding)
{
	static const char *const names[] = {
		[ROW_INFO] = "info", [ROW_WARNING] = "warning", [ROW_CRITICAL] = "critical"
	};

	for (enum summary_severity s = ROW_CRITICAL; finding->severity && s > ROW_NO_FINDING; s--)
		if (strcmp(names[s], finding->severity) == 0)
			return s;
	return ROW_INFO;
}

static void read_findings(struct summary *row, const struct report_finding_list *list)
{
	size_t len;
	FILE *out = list->count ? open_memstream(&row->findings, &len) : NULL;
	const char *before = "";

	for (enum summary_severity s = ROW_CRITICAL; out && s > ROW_NO_FINDING; s--) {
		for (size_t i = 0; i < list->count; i++) {
			const struct report_finding *finding = &list->items[i];

			if (!finding->code || severity_of(finding) != s)
				continue;
			if (!*before)
				row->severity = s;
			fprintf(out, "%s%s", before, finding->code);
			before = ", ";
		}
	}
	if (out)
		fclose(out);
}

static void read_advice(struct summary *row, const struct report_advice_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct report_advice *advice = &list->items[i];

		if (isnan(row->advised_memory) && advice->memory_bytes > 0)
			row->advised_memory = (double)advice->memory_bytes;
		if (!isnan(row->advised_cpus) || advice->cpus_per_task <= 0)
			continue;
		row->advised_cpus = (double)advice->cpus_per_task;
		row->advised_one_task = advice->line && strstr(advice->line, "--ntasks=1 ");
	}
}

static void fill_job(struct summary *row, const struct report_job *job)
{
	row->id = job->id;
	row->array = count_of(job->array_job_id);
	row->task = count_of(job->array_task_id);
	row->het = job->het_job_id;
	row->het_offset = job->het_job_offset;
	row->attempt = job->attempt;
	row->cluster = copy_text(job->cluster);
	row->name = copy_text(job->name);
	row->user = copy_text(job->user);
	row->uid = job->uid;
	row->state = copy_text(job->state);
	row->reason = copy_text(job->reason);
	row->start = copy_text(job->start);
	row->end = copy_text(job->end);
	row->exit_code = job->exit_code;
	row->signal = job->signal;
	row->elapsed_s = report_s(job->elapsed_s);
}

static void fill_workflow(struct summary *row, const struct report_workflow *workflow)
{
	const char *kind = NULL, *unit = workflow_unit_of(workflow, &kind);

	row->engine = copy_text(workflow->engine);
	row->unit_kind = unit ? strdup(kind) : NULL;
	row->unit = copy_text(unit);
	row->unit_which = copy_text(workflow->tag ? workflow->tag : workflow->wildcards);
}

static double limit_of(int64_t limit_s)
{
	return limit_s == REPORT_NONE ? INFINITY : report_number(limit_s);
}

static void fill_given(struct summary *row, const struct report_requested *requested, const struct report_allocated *allocated)
{
	row->limit_s = limit_of(requested->time_limit_s);
	row->nodes = report_number(requested->nodes);
	row->memory_requested = report_number(requested->memory_bytes);
	row->memory_source = copy_text(requested->memory_source);
	row->memory_by_cpu = advice_is_by_cpu(requested);
	row->memory_by_default = requested->memory_by_default;
	row->cpus = report_number(allocated->cpus);
	row->gpus = report_number(allocated->gpus);
	row->gpu_hours = allocated->gpu_hours;
	row->exclusive = allocated->exclusive;
}

static void fill_used(struct summary *row, const struct report_used *used)
{
	row->cpu_s = report_s(used->cpu_s);
	row->cpu_efficiency = used->cpu_efficiency;
	row->memory_used = report_number(used->memory_used_peak_bytes);
	row->memory_upper = report_number(used->memory_used_peak_upper_bytes);
	row->memory_mapped = facts_mapped(report_number(used->memory_mapped_peak_bytes));
	row->memory_efficiency = used->memory_efficiency;
}

/* @foreign: another user owns the file, so nothing in it is proved, and the row must have nothing to paste */
static void fill_summary(struct summary *row, const struct report *report, bool foreign)
{
	fill_job(row, &report->job);
	fill_workflow(row, &report->job.workflow);
	fill_given(row, &report->requested, &report->allocated);
	fill_used(row, &report->used);
	row->foreign = foreign || report_has_gap(&report->gaps, REPORT_OWNER_GAP);
	row->lacks_nodes = report_has_gap(&report->gaps, "nodes");
	row->complete = report->complete.value && !foreign;
	row->so_far = !row->complete && row->state && strcmp(row->state, "RUNNING") == 0 && !row->end;
	row->bound = copy_text(report->verdict.bound);
	row->outcome = copy_text(report->verdict.outcome);
	read_findings(row, &report->findings);
	row->advised_memory = row->advised_cpus = NAN;
	if (!foreign)
		read_advice(row, &report->advice);
}

void summary_of(struct summary *row, struct report *report, const char *path)
{
	*row = (struct summary){ .path = strdup(path), .report = report_share(report) };
	fill_summary(row, report, false);
}

/* ---- from Slurm ---- */

static char *moment_of(int64_t unix_s)
{
	char text[TIME_TEXT];

	return unix_s >= 0 ? strdup(time_text(unix_s * NS_PER_S, text)) : NULL;
}

static double time_run(const struct record_slurm_job *slurm)
{
	int64_t end = time(NULL), suspended = 0;

	if (slurm->start_unix_s < 0)
		return NAN;
	if (slurm->elapsed_s >= 0)
		return (double)slurm->elapsed_s;
	take_count(slurm->end_unix_s, &end);
	take_count(slurm->suspended_s, &suspended);
	return (double)(end - slurm->start_unix_s - suspended);
}

static void fill_names(struct summary *row, const struct record_slurm_job *slurm)
{
	row->id = slurm->job_id;
	row->array = find_array_of(slurm);
	row->task = count_of(slurm->array_task_id);
	row->het = count_of(slurm->het_job_id);
	row->het_offset = count_of(slurm->het_job_offset);
	row->waiting = copy_text(slurm->array_tasks);
	row->attempt = 1 + (slurm->restarts > 0 ? slurm->restarts : 0);
	row->cluster = copy_text(slurm->cluster);
	row->name = copy_text(slurm->name);
	row->user = copy_text(slurm->user);
	row->uid = slurm->user_id;
	row->state = copy_text(slurm->state);
	row->reason = copy_text(slurm->waits_for ? slurm->waits_for : slurm->reason);
	row->start = moment_of(slurm->start_unix_s);
	row->end = moment_of(slurm->end_unix_s);
}

void summary_of_slurm(struct summary *row, const struct record_slurm_job *slurm)
{
	int64_t status;

	*row = (struct summary){ .complete = true };
	fill_names(row, slurm);
	row->so_far = state_goes_on(row->state);
	row->exit_code = row->signal = -1;
	if (state_comes_unstarted(row->state) && !slurm->node_list) {
		free(row->start); /* the job never started: Slurm gives its end as its start, and an exit code that no program had */
		row->start = NULL;
	} else if (!row->so_far && take_count(slurm->exit_status, &status)) {
		row->exit_code = WEXITSTATUS(status);
		row->signal = WIFSIGNALED(status) ? WTERMSIG(status) : -1;
	}
	row->elapsed_s = time_run(slurm);
	row->limit_s = limit_of(slurm->time_limit_s);
	row->cpus = report_number(slurm->cpus);
	row->gpus = report_number(slurm->gpus);
	row->gpu_hours = row->gpus * row->elapsed_s / 3600;
	row->nodes = report_number(slurm->nodes);
	row->memory_requested = report_number(slurm->allocated_memory_bytes);
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

/* @path: another name for the file of @from */
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
	report_free(row->report);
}

/* ---- from a file ---- */

/*
 * Returns whether @report has all parts that a row needs.
 * Other programs may write a part behind the place where reading stopped.
 */
static bool is_whole_head(const struct report *report)
{
	return report->schema && strcmp(report->schema, REPORT_SCHEMA) == 0 && report->job.id >= 0 && report->complete.known &&
	       report->gaps.known && report->requested.known && report->allocated.known && report->used.known &&
	       report->verdict.known && report->findings.known && report->advice.known;
}

/* @text: parse_head() owns it. @most: bytes of memory that the report may need */
static struct report *parse_head(const char *path, char *text, size_t len, size_t most)
{
	const struct report_want want = { ROW_PARTS, REPORT_PART_tools, most };
	struct report *report = report_read(text, len, &want, path, NULL);

	if (report && is_whole_head(report))
		return report;
	report_free(report);
	return NULL;
}

static char *read_begin(int fd, size_t size, size_t *len)
{
	char *text = malloc(size + 1);
	ssize_t got = text ? pread(fd, text, size, 0) : -1;

	*len = got > 0 ? (size_t)got : 0;
	if (text)
		text[*len] = '\0';
	return text;
}

/* Reads more of a report that lacks many nodes: the gap of each node comes before the lists. */
static struct report *read_long_head(int fd, const char *path, size_t most)
{
	size_t len;
	char *text = read_begin(fd, LONG_HEAD_BYTES, &len);

	return text ? parse_head(path, text, len, most) : NULL;
}

/*
 * Returns whether the report may be of the job @id, because its beginning contains the number.
 * So a search in very many files quickly skips most of them. A file that cannot be read may be of the job.
 *
 * @begin: the file's first @len bytes
 */
static bool may_be_of(int fd, const char *begin, size_t len, int64_t id)
{
	cleanup_free char *more = NULL;
	char digits[24];

	snprintf(digits, sizeof(digits), "%lld", (long long)id);
	if (!begin || !len || memmem(begin, len, digits, strlen(digits)))
		return true;
	more = len == HEAD_BYTES ? read_begin(fd, LONG_HEAD_BYTES, &len) : NULL;
	return more && memmem(more, len, digits, strlen(digits));
}

enum head {
	HEAD_READ,
	HEAD_FALLS_SHORT, /* the whole file must be read */
	HEAD_SILENT, /* the file's server does not answer */
	HEAD_OF_ANOTHER, /* the file is not of the wanted job */
};

/*
 * Fills @row from the file's first bytes. @tried_for: as in summaries_read()
 * Sets @err if it returns HEAD_SILENT or HEAD_OF_ANOTHER.
 */
static enum head read_head(struct summary *row, const char *path, const struct report_bounds *bounds, int64_t tried_for,
			   struct error *err)
{
	struct stat file;
	cleanup_close int fd = report_open(path, LONG_HEAD_BYTES, &file, err);
	cleanup_report struct report *report = NULL;
	cleanup_free char *text = NULL;
	size_t len;

	if (fd < 0)
		return errno == ETIMEDOUT ? HEAD_SILENT : HEAD_FALLS_SHORT;
	text = read_begin(fd, HEAD_BYTES, &len);
	if (tried_for >= 0 && !may_be_of(fd, text, len, tried_for)) {
		error_set(err, "it is the report of another job");
		return HEAD_OF_ANOTHER;
	}
	if (!text || file.st_size > REPORT_BYTES_MAX || !report_ends_well(fd, file.st_size))
		return HEAD_FALLS_SHORT;
	report = parse_head(path, text, len, 0);
	text = NULL;
	if (!report && file.st_size > HEAD_BYTES)
		report = read_long_head(fd, path, report_weight(bounds, &file));
	if (!report)
		return HEAD_FALLS_SHORT;
	fill_summary(row, report, !report_owner_is_known(path, &file, report->job.uid, report->job.user));
	return HEAD_READ;
}

static void read_within(struct summary *row, const char *path, const struct report_bounds *bounds, int64_t tried_for)
{
	cleanup_report struct report *report = NULL;
	enum head head;
	struct error err;

	*row = (struct summary){ .path = strdup(path) };
	head = read_head(row, path, bounds, tried_for, &err);
	if (head == HEAD_READ)
		return;
	errno = head == HEAD_SILENT ? ETIMEDOUT : 0;
	if (head == HEAD_FALLS_SHORT)
		report = report_load_within(path, bounds, &err);
	if (report) {
		fill_summary(row, report, false);
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
	/* This thread reads, too. If no other thread can be started, it reads all files. */
	while (started + 1 < wanted && pthread_create(&threads[started], NULL, read_some, reading) == 0)
		started++;
	read_some(reading);
	while (started > 0)
		pthread_join(threads[--started], NULL);
}

/*
 * Reads a file that was too large to be read while other threads read.
 * Reads a file with several names only once.
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

/* ---- derived values ---- */

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
