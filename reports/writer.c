/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "collector/common/pattern.h"
#include "reports/attempt.h"
#include "reports/build.h"
#include "reports/field.h"
#include "reports/files.h"
#include "reports/gaps.h"
#include "reports/js1.h"
#include "reports/parts.h"
#include "reports/report.h"
#include "reports/rules.h"
#include "reports/series.h"
#include "reports/units.h"
#include "reports/user.h"

#define TIMELINE_ENTRIES_MAX 65536 /* of a report; what stint.conf allows a node comes first */
#define SERIES_POINTS_MAX 65536    /* of all nodes of a report */
#define FILES_MAX 65536            /* that a report's are chosen from, by bytes and by opens */
#define POLL_MS 100
#define BACKGROUND_POLL_MS 500

/* ---- where ---- */

int64_t writer_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static const char *node_name(const struct writer_job *job, size_t i)
{
	const char *name = json_object_get_string(json_object_array_get_idx(job->nodes, i));

	return name ? name : "?";
}

static bool leads(const struct writer_job *job)
{
	return strcmp(node_name(job, 0), job->identity.node) == 0;
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/*
 * The path @name of the record, byte by byte: one that is no UTF-8 stands there a second time, in hexadecimal, since JSON
 * has no words for it. NULL when there is none.
 */
static const char *exact_path(struct json_object *record, const char *name, const char *hex_name, char bytes[PATH_MAX])
{
	const char *hex = field_text(record, hex_name);
	size_t used = 0;

	if (!hex)
		return field_text(record, name);
	for (; used < PATH_MAX - 1 && *hex; hex += 2, used++) {
		int high = digit(hex[0]), low = high < 0 ? -1 : digit(hex[1]);

		if (low < 0 || high + low == 0)
			return NULL;
		bytes[used] = (char)(high << 4 | low);
	}
	bytes[used] = '\0';
	return *hex ? NULL : bytes;
}

static int expand_path(const struct writer_job *job, char path[PATH_MAX], struct error *err)
{
	char bytes[PATH_MAX];
	const char *pattern = exact_path(job->record, "output", "output_hex", bytes);
	struct pattern_values values = {
		.job_id = job->identity.job_id,
		.job_name = field_text(job->slurm, "name"),
		.user = field_text(job->record, "user.name"),
		.node = node_name(job, 0),
	};
	int64_t array_job_id, array_task_id;

	if ((field_count(job->record, "identity.array_job_id", &array_job_id) &&
	     field_count(job->record, "identity.array_task_id", &array_task_id)) ||
	    (field_count(job->slurm, "array_job_id", &array_job_id) &&
	     field_count(job->slurm, "array_task_id", &array_task_id))) {
		values.array_job_id = array_job_id;
		values.array_task_id = array_task_id;
	}
	return pattern_expand(pattern && *pattern ? pattern : job->conf->output, &values, path, PATH_MAX, err);
}

static const char *work_dir(const struct writer_job *job, char bytes[PATH_MAX])
{
	const char *directory = exact_path(job->record, "work_dir", "work_dir_hex", bytes);

	return directory && *directory ? directory : field_text(job->slurm, "work_dir");
}

int writer_open(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	char path[PATH_MAX], bytes[PATH_MAX], *slash;
	const char *directory = work_dir(job, bytes);
	cleanup_close int base = -1;

	place->dirfd = -1;
	place->summary = NULL;
	if (expand_path(job, path, err) < 0)
		return -1;
	if (path[0] != '/') {
		if (!directory || directory[0] != '/')
			return error_set(err, "the job's working directory is not known");
		base = user_open_directory(AT_FDCWD, directory, err);
		if (base < 0)
			return -1;
	}
	if (snprintf(place->path, sizeof(place->path), "%s%s%s", path[0] == '/' ? "" : directory,
		     path[0] == '/' ? "" : "/", path) >= (int)sizeof(place->path))
		return error_set(err, "the report's path is too long");
	slash = strrchr(path, '/');
	if (strlen(slash ? slash + 1 : path) > NAME_MAX)
		return error_set(err, "the report's name is too long");
	strcpy(place->name, slash ? slash + 1 : path);
	if (slash)
		slash[1] = '\0';
	place->dirfd = slash ? user_make_directories(base >= 0 ? base : AT_FDCWD, path, err) : base;
	if (place->dirfd == base)
		base = -1;
	return place->dirfd < 0 ? -1 : 0;
}

/* ---- what ---- */

/* All that there is of the job, for one report. */
struct gathering {
	struct json_object **records;
	struct build_missing *missing;
	struct error *reasons; /* of the missing */
	size_t record_count, missing_count;
	struct json_object *slurm; /* borrowed */
};

static void gathering_free(struct gathering *all)
{
	for (size_t i = 0; i < all->record_count; i++)
		json_object_put(all->records[i]);
	free(all->records);
	free(all->missing);
	free(all->reasons);
}

static size_t share(size_t max, size_t nodes)
{
	return max > nodes ? max / nodes : 1;
}

/* Before the next node's record is read: all of a thousand timelines would not fit in memory. */
static void trim(const struct writer_job *job, struct json_object *record)
{
	size_t nodes = json_object_array_length(job->nodes);

	if (nodes < 2)
		return;
	record_trim_timeline(record, share(TIMELINE_ENTRIES_MAX, nodes));
	series_trim(record, share(SERIES_POINTS_MAX, nodes));
	files_trim(record, share(FILES_MAX, nodes));
}

static int gather(const struct writer_job *job, const struct writer_place *place, struct gathering *all)
{
	size_t count = json_object_array_length(job->nodes);

	memset(all, 0, sizeof(*all));
	all->records = calloc(count, sizeof(*all->records));
	all->missing = calloc(count, sizeof(*all->missing));
	all->reasons = calloc(count, sizeof(*all->reasons));
	if (!all->records || !all->missing || !all->reasons)
		return -1;
	all->slurm = job->slurm;
	for (size_t i = 0; i < count; i++) {
		const char *node = node_name(job, i);
		struct error *why = &all->reasons[all->missing_count];
		struct json_object *record = strcmp(node, job->identity.node) == 0 ?
			json_object_get(job->record) : parts_read(place->dirfd, &job->identity, node, why);

		if (record) {
			trim(job, record);
			all->records[all->record_count++] = record;
			if (!all->slurm)
				all->slurm = field_typed(record, "slurm_job", json_type_object);
		} else {
			all->missing[all->missing_count].node = node;
			all->missing[all->missing_count++].reason = why->text;
		}
	}
	return 0;
}

static int64_t now_unix_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* The site's thresholds. One that is no good is named in @gaps, and does not cost the report. */
static void read_rules(const struct conf *conf, struct rules *rules, struct json_object *gaps)
{
	struct error err;

	rules_defaults(rules);
	for (unsigned int i = 0; i < conf->rule_count; i++)
		if (rules_set(rules, conf->rules[i].name, conf->rules[i].value, &err) < 0)
			gaps_addf(gaps, "verdict", "stint.conf: %s", err.text);
}

/* The place's path becomes that of the file @name beside it. */
static void tell_name(struct writer_place *place, const char *name)
{
	char *slash = strrchr(place->path, '/');
	size_t room = slash ? sizeof(place->path) - (slash + 1 - place->path) : 0;

	if (slash && strlen(name) < room)
		strcpy(slash + 1, name);
}

/* What Slurm keeps of a job is of its latest attempt. */
static void summarise(const struct writer_job *job, struct json_object *report, struct writer_place *place)
{
	const char *state = field_text(report, "job.state");

	free(place->summary);
	place->summary = NULL;
	if (job->conf->admin_comment == CONF_COMMENT_JS1 && (!state || strcmp(state, "REQUEUED") != 0))
		place->summary = js1_text(report);
}

static struct json_object *report_of(const struct writer_job *job, const struct writer_place *place,
				     const struct gathering *all, struct error *err)
{
	struct rules rules;
	const struct build_input input = {
		.records = all->records,
		.record_count = all->record_count,
		.missing = all->missing,
		.missing_count = all->missing_count,
		.slurm = all->slurm,
		.slurm_reason = job->slurm_reason,
		.group = job->group,
		.rules = &rules,
		.now_unix_ns = now_unix_ns(),
	};
	cleanup_json struct json_object *bad_rules = json_object_new_array();
	struct json_object *report;

	read_rules(job->conf, &rules, bad_rules);
	report = build_report(&input);
	if (report) {
		gaps_merge(field_find(report, "gaps"), bad_rules, NULL);
		attempt_tell_missing(place->dirfd, place->name, report);
	} else {
		error_set(err, "out of memory");
	}
	return report;
}

static int write_gathered(const struct writer_job *job, struct writer_place *place, const struct gathering *all,
			  struct error *err)
{
	cleanup_json struct json_object *report = NULL;
	cleanup_free char *text = NULL;
	char name[NAME_MAX + 1];
	size_t len;

	errno = 0;
	report = report_of(job, place, all, err);
	if (report)
		text = report_text(report, &len);
	/* Where memory is short, json-c leaves out what it has no room for, and tells nobody. */
	if (!text || errno == ENOMEM)
		return error_set(err, "out of memory");
	strcpy(name, place->name);
	if (attempt_write(place->dirfd, name, report, text, len, err) < 0)
		return -1;
	if (strcmp(name, place->name) == 0)
		summarise(job, report, place);
	tell_name(place, name);
	return 0;
}

struct json_object *writer_build(const struct writer_job *job, const struct writer_place *place, struct error *err)
{
	struct json_object *report = NULL;
	struct gathering all;

	if (gather(job, place, &all) == 0)
		report = report_of(job, place, &all, err);
	else
		error_set(err, "out of memory");
	gathering_free(&all);
	return report;
}

/* What the parts of the other nodes might not use is there for the report. */
static void free_memory(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_AS, &limit);
}

/* Writes the report from what is there. *@whole: no node is missing. */
static int write_report(const struct writer_job *job, struct writer_place *place, bool *whole, struct error *err)
{
	struct gathering all;
	int result;

	if (gather(job, place, &all) < 0) {
		gathering_free(&all);
		return error_set(err, "out of memory");
	}
	free_memory();
	result = write_gathered(job, place, &all, err);
	*whole = all.missing_count == 0;
	gathering_free(&all);
	return result;
}

static void remove_parts(const struct writer_job *job, const struct writer_place *place)
{
	for (size_t i = 0; i < json_object_array_length(job->nodes); i++)
		parts_remove(place->dirfd, &job->identity, node_name(job, i));
}

static bool others_are_there(const struct writer_job *job, const struct writer_place *place)
{
	for (size_t i = 0; i < json_object_array_length(job->nodes); i++)
		if (strcmp(node_name(job, i), job->identity.node) != 0 &&
		    !parts_exist(place->dirfd, &job->identity, node_name(job, i)))
			return false;
	return true;
}

/* NFS remembers for long that a file was not there, unless the directory is opened anew. */
static void look_again(const struct writer_place *place)
{
	int fd = openat(place->dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

static bool wait_for_others(const struct writer_job *job, const struct writer_place *place, int64_t end_ms,
			    long poll_ms)
{
	const struct timespec pause = { .tv_nsec = poll_ms * 1000000 };

	while (!others_are_there(job, place)) {
		if (writer_now_ms() >= end_ms)
			return false;
		nanosleep(&pause, NULL);
		look_again(place);
	}
	return true;
}

/* The report of all nodes; their parts have done their service then. */
static int write_merged(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	bool whole;

	if (write_report(job, place, &whole, err) < 0)
		return -1;
	if (whole)
		remove_parts(job, place);
	return 0;
}

static enum writer_result deliver_part(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	char name[NAME_MAX + 1];

	trim(job, job->record);
	if (parts_write(place->dirfd, &job->identity, job->record, job->slurm, err) < 0)
		return WRITER_FAILED;
	/* The leading node leaves a part only when it has given up on a late one. */
	if (!parts_exist(place->dirfd, &job->identity, node_name(job, 0))) {
		if (parts_name(&job->identity, job->identity.node, name) == 0)
			tell_name(place, name);
		return WRITER_DONE;
	}
	return write_merged(job, place, err) < 0 ? WRITER_FAILED : WRITER_DONE;
}

enum writer_result writer_deliver(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	size_t nodes = json_object_array_length(job->nodes);
	bool whole;

	/* It comes again when it was not known to have arrived: it is in the report, and the others' parts are gone. */
	if (nodes > 1 && attempt_told(place->dirfd, place->name, &job->identity, job->slurm,
				      leads(job) ? NULL : job->identity.node, nodes))
		return WRITER_DONE;
	if (!leads(job))
		return deliver_part(job, place, err);
	if (wait_for_others(job, place, job->patience_end_ms, POLL_MS))
		return write_merged(job, place, err) < 0 ? WRITER_FAILED : WRITER_DONE;
	if (write_report(job, place, &whole, err) < 0)
		return WRITER_FAILED;
	/* It is told that the report lacks nodes; that this could not be kept besides is no more than that. */
	parts_keep_lead(place->dirfd, &job->identity, job->record, job->slurm, NULL);
	return WRITER_WAITING;
}

static int hand_over(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	if (parts_write(place->dirfd, &job->identity, job->record, job->slurm, err) < 0)
		return -1;
	/* One that came just before that part was there has left the report to this node. */
	return others_are_there(job, place) ? write_merged(job, place, err) : 0;
}

static int finish(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	int64_t end_ms = writer_now_ms() + (int64_t)job->conf->merge_wait_s * 1000;
	bool whole;

	if (wait_for_others(job, place, end_ms, BACKGROUND_POLL_MS))
		return write_merged(job, place, err);
	/* Before the part is there: from then on the late nodes write the report. */
	if (write_report(job, place, &whole, err) < 0)
		return -1;
	return hand_over(job, place, err);
}

int writer_finish(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	int result = finish(job, place, err);

	if (result == 0)
		parts_drop_lead(place->dirfd, &job->identity);
	return result;
}
