/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/memory/memory_limit.h"
#include "common/pattern.h"
#include "common/time_text.h"
#include "reports/builder/build_report.h"
#include "reports/deliver/link.h"
#include "reports/deliver/node_records.h"
#include "reports/files/attempt.h"
#include "reports/files/part_set.h"
#include "reports/files/report_file.h"
#include "reports/files/user.h"
#include "reports/json/field.h"
#include "reports/model/report_gaps.h"
#include "reports/model/report_make.h"
#include "reports/model/report_write.h"
#include "reports/rules/rules.h"

#define POLL_MS 100
#define BACKGROUND_POLL_MS 500
#define PAUSE_MAX_MS 16000
#define LEAD_MS 3000 /* for the leading node's first report */

static const char *node_name(const struct writer_job *job, size_t i)
{
	return i < job->nodes.count && job->nodes.items[i] ? job->nodes.items[i] : "?";
}

bool writer_leads(const struct writer_job *job)
{
	return strcmp(node_name(job, 0), job->identity.node) == 0;
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Returns the bytes of @path; NULL if there is no path. @hex: the bytes in hexadecimal, if they are not UTF-8 */
static const char *exact_path(const char *path, const char *hex, char bytes[PATH_MAX])
{
	size_t used = 0;

	if (!hex)
		return path;
	for (; used < PATH_MAX - 1 && *hex; hex += 2, used++) {
		int high = digit(hex[0]), low = high < 0 ? -1 : digit(hex[1]);

		if (low < 0 || high + low == 0)
			return NULL;
		bytes[used] = (char)(high << 4 | low);
	}
	bytes[used] = '\0';
	return *hex ? NULL : bytes;
}

static const char *pattern_of(const struct writer_job *job, char bytes[PATH_MAX])
{
	const char *pattern = exact_path(job->record->output, job->record->output_hex, bytes);

	return pattern && *pattern ? pattern : job->conf->output;
}

static int expand(const struct writer_job *job, const char *pattern, char path[PATH_MAX], struct error *err)
{
	const struct record_slurm_job *slurm = slurm_job_or_unknown(job->slurm);
	int64_t array_job_id = job->record->identity.array_job_id, array_task_id = job->record->identity.array_task_id;
	struct pattern_values values = {
		.job_id = job->identity.job_id,
		.job_name = slurm->name,
		.user = job->record->user.name,
		.node = node_name(job, 0),
	};

	if (array_job_id < 0 || array_task_id < 0) {
		array_job_id = slurm->array_job_id;
		array_task_id = slurm->array_task_id;
	}
	if (array_job_id >= 0 && array_task_id >= 0) {
		values.array_job_id = array_job_id;
		values.array_task_id = array_task_id;
	}
	return pattern_expand(pattern, &values, path, PATH_MAX, err);
}

static int expand_path(const struct writer_job *job, char path[PATH_MAX], struct error *err)
{
	char bytes[PATH_MAX];

	return expand(job, pattern_of(job, bytes), path, err);
}

bool writer_wants_none(const struct writer_job *job)
{
	char bytes[PATH_MAX];

	return strcmp(pattern_of(job, bytes), "/dev/null") == 0;
}

bool writer_knows_directory(const struct writer_job *job)
{
	char bytes[PATH_MAX];
	const char *pattern = pattern_of(job, bytes), *slash;
	const char *directory = job->record->work_dir;

	slash = strrchr(pattern, '/');
	/* A percent sign may stand for a value that the record lacks. */
	return (pattern[0] == '/' || (directory && *directory)) && (!slash || !memchr(pattern, '%', slash - pattern));
}

mode_t writer_mode(const struct writer_job *job)
{
	int64_t mask = job->record->user.umask;

	if (job->conf->report_mode != CONF_REPORT_MODE_JOB)
		return job->conf->report_mode;
	return mask >= 0 ? 0600 | (0066 & ~mask) : 0600;
}

static const char *work_dir(const struct writer_job *job, char bytes[PATH_MAX])
{
	const char *directory = exact_path(job->record->work_dir, job->record->work_dir_hex, bytes);

	return directory && *directory ? directory : slurm_job_or_unknown(job->slurm)->work_dir;
}

const char *writer_whose(const struct writer_job *job, char text[WRITER_WHOSE_MAX])
{
	const char *name = job->record->user.name, *directory = job->record->work_dir;
	char user[80] = "";

	directory = directory && *directory ? directory : slurm_job_or_unknown(job->slurm)->work_dir;
	if (name && *name)
		snprintf(user, sizeof(user), " of user %.64s", name);
	else if (job->record->user.uid >= 0)
		snprintf(user, sizeof(user), " of uid %" PRId64, job->record->user.uid);
	snprintf(text, WRITER_WHOSE_MAX, "job %u%s%s%.400s", job->identity.job_id, user,
		 directory ? ", directory " : "", directory ?: "");
	for (char *c = text; (c = strchr(c, '\n'));)
		*c = '?';
	return text;
}

/*
 * Returns true if the user can make and remove names where @path is missing. If so, @path was removed. If not, it may
 * be a mount that is missing. Call as the user.
 */
static bool was_removed(const char *path)
{
	char above[PATH_MAX];
	char *slash;

	if (snprintf(above, sizeof(above), "%s", path) >= (int)sizeof(above))
		return false;
	while ((slash = strrchr(above, '/'))) {
		slash[slash == above] = '\0'; /* keep the root directory */
		if (faccessat(AT_FDCWD, above, W_OK | X_OK, AT_EACCESS) == 0)
			return true;
		if (errno != ENOENT || slash == above)
			return false;
	}
	return false;
}

static int open_work_dir(const char *directory, struct writer_place *place, struct error *err)
{
	int fd = user_open_directory(AT_FDCWD, directory, err);

	if (fd < 0 && errno == ENOENT && geteuid() != 0 && was_removed(directory))
		place->hope = WRITER_GONE;
	return fd;
}

static int never(struct writer_place *place, struct error *err, const char *why)
{
	place->hope = WRITER_NEVER;
	return error_set(err, "%s", why);
}

int writer_open(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	char path[PATH_MAX], bytes[PATH_MAX], *slash;
	const char *directory = work_dir(job, bytes);
	cleanup_close int base = -1;

	/* Users who may read the report may enter the directories that are made for it. */
	umask(0777 & ~(job->mode | (job->mode & 0444) >> 2));
	place->dirfd = -1;
	place->hope = WRITER_AGAIN;
	place->latest = false;
	place->records = NULL;
	if (expand_path(job, path, err) < 0) {
		/* Slurm's answer may have a value for the path. */
		place->hope = job->slurm ? WRITER_NEVER : WRITER_AGAIN;
		return -1;
	}
	if (path[0] != '/') {
		if (!directory || directory[0] != '/')
			return error_set(err, "the job's working directory is not known");
		base = open_work_dir(directory, place, err);
		if (base < 0)
			return -1;
	}
	if (snprintf(place->path, sizeof(place->path), "%s%s%s", path[0] == '/' ? "" : directory,
		     path[0] == '/' ? "" : "/", path) >= (int)sizeof(place->path))
		return never(place, err, "the report's path is too long");
	slash = strrchr(path, '/');
	if (strlen(slash ? slash + 1 : path) > NAME_MAX)
		return never(place, err, "the report's name is too long");
	strcpy(place->name, slash ? slash + 1 : path);
	if (slash)
		slash[1] = '\0';
	place->dirfd = slash ? user_make_directories(base >= 0 ? base : AT_FDCWD, path, err) : base;
	if (place->dirfd == base)
		base = -1;
	return place->dirfd < 0 ? -1 : 0;
}

/* Returns true if readers need no link to find @path. */
static bool is_named_by(const struct writer_job *job, const char *pattern, const char *path)
{
	char other[PATH_MAX];
	struct error err;

	return expand(job, pattern, other, &err) == 0 && strcmp(other, path) == 0;
}

void writer_leave_link(const struct writer_job *job, const struct writer_place *place)
{
	char bytes[PATH_MAX], path[PATH_MAX], name[PATH_MAX];
	const char *moved = exact_path(job->record->output, job->record->output_hex, bytes), *directory;
	struct error err;

	if (!place->latest || !moved || !*moved || expand(job, moved, path, &err) < 0 ||
	    expand(job, PATTERN_LINK, name, &err) < 0 || is_named_by(job, PATTERN_DEFAULT, path) ||
	    is_named_by(job, job->conf->output, path))
		return;
	directory = work_dir(job, bytes);
	if (directory && directory[0] == '/')
		link_leave(directory, name, path);
}

/* Returns when the job began; 0: not known. Earlier records belong to another job. */
static int64_t begin_of(const struct writer_job *job)
{
	const struct record_slurm_job *slurm = slurm_job_or_unknown(job->slurm);
	int64_t opened = 0;

	if (slurm->restarts >= 0 && slurm->restarts + 1 == job->identity.attempt && slurm->start_unix_s >= 0 &&
	    slurm->start_unix_s < INT64_MAX / NS_PER_S)
		return slurm->start_unix_s * NS_PER_S;
	take_count(job->record->opened_unix_ns, &opened);
	return opened;
}

void writer_wants(const struct writer_job *job, struct proof_wanted *wanted)
{
	*wanted = (struct proof_wanted){
		.notary = job->notary,
		.reason = job->notary_reason ? job->notary_reason : "no reason given",
		.cluster = job->record->identity.cluster,
		.uid = job->record->user.uid,
		.begin_unix_ns = begin_of(job),
	};
}

static struct node_records *records_of(const struct writer_job *job, struct writer_place *place, bool shrink)
{
	struct node_source source = {
		.dirfd = place->dirfd,
		.own = &job->identity,
		.record = job->record,
		.nodes = &job->nodes,
		.slurm = job->slurm,
		.shrink = shrink,
		.proofs = job->proofs,
	};

	writer_wants(job, &source.wanted);
	if (!place->records)
		place->records = node_records_begin(&source);
	return place->records;
}

static void set_file_name(struct writer_place *place, const char *name)
{
	char *slash = strrchr(place->path, '/');
	size_t room = slash ? sizeof(place->path) - (slash + 1 - place->path) : 0;

	if (slash && strlen(name) < room)
		strcpy(slash + 1, name);
}

static void put_bad_rules(struct report *report, struct json_object *gaps)
{
	for (size_t i = 0; i < field_length(gaps); i++) {
		struct json_object *gap = json_object_array_get_idx(gaps, i);

		report_add_gap(report, field_text(gap, "name"), field_text(gap, "reason"));
	}
}

/* Makes the report from the records that are there; NULL with @err set. @whole: set if no node is missing */
static struct report *report_of(const struct writer_job *job, const struct writer_place *place, bool *whole,
				struct error *err)
{
	struct rules rules;
	struct build_input input = {
		.slurm_reason = job->slurm_reason,
		.group = job->group,
		.rules = &rules,
		.now_unix_ns = clock_ns(CLOCK_REALTIME),
	};
	cleanup_json struct json_object *bad_rules = json_object_new_array();
	struct report *report;

	node_records_list(place->records, &input);
	*whole = input.missing_count == 0;
	rules_of_site(&rules, job->conf, bad_rules); /* the report does not need the rules */
	report = build_report(&input);
	if (report) {
		put_bad_rules(report, bad_rules);
		attempt_add_gaps(place->dirfd, place->name, report);
		if (!report_lacks_memory(report))
			return report;
	}
	report_free(report);
	error_set(err, "out of memory");
	return NULL;
}

static int write_records(const struct writer_job *job, struct writer_place *place, bool *whole, struct error *err)
{
	cleanup_report struct report *report = NULL;
	cleanup_free char *text = NULL;
	unsigned long failures = memory_failures();
	char name[NAME_MAX + 1];
	size_t len;

	report = report_of(job, place, whole, err);
	if (report && *whole)
		node_records_spend(place->records);
	if (report)
		text = report_write(report, &len);
	/* if out of memory, json-c leaves out values without an error */
	if (!text || memory_failures() != failures)
		return error_set(err, "out of memory");
	strcpy(name, place->name);
	if (attempt_write(place->dirfd, name, &(struct attempt_report){ report, text, len, job->mode }, err) < 0) {
		if (errno == EEXIST)
			place->hope = WRITER_NEVER;
		return -1;
	}
	place->latest = strcmp(name, place->name) == 0;
	set_file_name(place, name);
	return 0;
}

struct report *writer_build(const struct writer_job *job, const struct writer_place *place, struct error *err)
{
	struct writer_place there = { .dirfd = place->dirfd };
	unsigned long failures = memory_failures();
	struct report *report = NULL;
	bool whole;

	strcpy(there.name, place->name);
	if (records_of(job, &there, false) && node_records_read(there.records) == 0)
		report = report_of(job, &there, &whole, err);
	if (!report || memory_failures() != failures) {
		report_free(report);
		report = NULL;
		error_set(err, "out of memory");
	}
	node_records_free(there.records);
	return report;
}

/* Raises the memory limit again. The additional memory is for the report, so parts must not use it. */
static void free_memory(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_AS, &limit);
}

static int write_merged(const struct writer_job *job, struct writer_place *place, bool *whole, struct error *err)
{
	if (!records_of(job, place, true) || node_records_read(place->records) < 0)
		return error_set(err, "out of memory");
	free_memory();
	if (write_records(job, place, whole, err) < 0)
		return -1;
	if (*whole)
		node_records_remove_parts(place->records);
	return 0;
}

static bool wait_for_others(const struct writer_job *job, struct writer_place *place, int64_t end_ms, long poll_ms)
{
	return records_of(job, place, true) && node_records_wait(place->records, end_ms, poll_ms);
}

int writer_seal(struct writer_job *job, struct error *err)
{
	if (node_records_trim(job->record, job->nodes.count) < 0)
		return error_set(err, "out of memory");
	job->part = part_set_make(job->notary, job->record, job->slurm, &job->part_length, err);
	return job->part ? 0 : -1;
}

static bool exists(const struct writer_place *place)
{
	return user_has_file(place->dirfd, place->name);
}

/*
 * Waits for the leading node's first report: it shows that --stint is not off.
 * Returns 0; -1 with @err and @place->hope set if there is no report.
 */
static int wait_for_report(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	const struct timespec pause = { .tv_nsec = POLL_MS * 1000000 };
	int64_t end_ms = clock_ms() + LEAD_MS, closed = job->record->collector.closed_unix_ns;

	while (!exists(place) && clock_ms() < end_ms)
		nanosleep(&pause, NULL);
	if (exists(place))
		return 0;
	if (closed >= 0 &&
	    clock_ns(CLOCK_REALTIME) > (uint64_t)closed + job->conf->merge_wait_s * NS_PER_S)
		place->hope = WRITER_NEVER;
	return error_set(err, "node %s has written no report to which this node's part belongs", node_name(job, 0));
}

static enum writer_result deliver_part(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	char name[NAME_MAX + 1];
	bool whole;

	if (job->option_unknown && wait_for_report(job, place, err) < 0)
		return WRITER_FAILED;
	if (part_set_write(place->dirfd, &job->identity, job->mode, job->part, job->part_length, err) < 0)
		return WRITER_FAILED;
	/* The leading node leaves a part here when it gives up. Without this part, the leading node still waits. */
	if (!part_set_exist(place->dirfd, &job->identity, node_name(job, 0), NULL)) {
		if (part_set_name(&job->identity, job->identity.node, name) == 0)
			set_file_name(place, name);
		return WRITER_DONE;
	}
	if (job->nodes_unknown)
		return error_set(err, "slurmctld does not say yet which nodes the job had");
	if (job->slurm_later)
		return WRITER_ASKS;
	return write_merged(job, place, &whole, err) < 0 ? WRITER_FAILED : WRITER_DONE;
}

enum writer_result writer_deliver(struct writer_job *job, struct writer_place *place, struct error *err)
{
	size_t nodes;
	bool whole;

	if (writer_leads(job) && job->given_back)
		part_set_add_nodes(place->dirfd, &job->identity, record_memory(job->record), &job->nodes, job->given_back);
	nodes = job->nodes.count;
	if (job->nodes_unknown && writer_leads(job) && exists(place))
		return error_set(err, "a report exists already, and slurmctld no longer says which nodes the job had");
	/*
	 * stintd may deliver again a record that is already in the report. The parts are gone then. To save look-ups,
	 * nodes other than the leading node check this only on a retry.
	 */
	if (nodes > 1 && (writer_leads(job) || !job->is_new) &&
	    attempt_is_reported(place->dirfd, place->name, &job->identity, job->slurm,
					     writer_leads(job) ? NULL : job->identity.node, nodes))
		return WRITER_DONE;
	if (!writer_leads(job))
		return deliver_part(job, place, err);
	wait_for_others(job, place, job->patience_end_ms, POLL_MS);
	if (write_merged(job, place, &whole, err) < 0)
		return WRITER_FAILED;
	if (whole)
		return WRITER_DONE;
	/* Ignore a failure: the report says that it lacks nodes. */
	part_set_keep_lead(place->dirfd, &job->identity, job->mode, job->part, job->part_length, NULL);
	return WRITER_WAITING;
}

/* Waits longer each time, because a user can put a bad part there again and again. */
static void pause_for(int64_t *pause_ms, int64_t end_ms)
{
	int64_t left = end_ms - clock_ms(), ms = left < *pause_ms ? left : *pause_ms;
	const struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	if (ms > 0)
		nanosleep(&pause, NULL);
	*pause_ms = 2 * *pause_ms < PAUSE_MAX_MS ? 2 * *pause_ms : PAUSE_MAX_MS;
}

/*
 * Merges until all parts are there or time is over. If a part is still missing, leaves this node's part for late nodes.
 */
static int finish(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	int64_t end_ms = clock_ms() + (int64_t)job->conf->merge_wait_s * 1000, pause_ms = BACKGROUND_POLL_MS;
	bool whole, came;

	do {
		came = wait_for_others(job, place, end_ms, BACKGROUND_POLL_MS);
		if (write_merged(job, place, &whole, err) < 0)
			return -1;
		if (came && !whole)
			pause_for(&pause_ms, end_ms);
	} while (came && !whole && clock_ms() < end_ms);
	if (whole)
		return 0;
	if (part_set_write(place->dirfd, &job->identity, job->mode, job->part, job->part_length, err) < 0)
		return -1;
	/* Look again: the last node to leave a part writes the report. */
	return wait_for_others(job, place, 0, 0) ? write_merged(job, place, &whole, err) : 0;
}

int writer_finish(const struct writer_job *job, struct writer_place *place, struct error *err)
{
	int result = finish(job, place, err);

	if (result == 0)
		part_set_drop_lead(place->dirfd, &job->identity);
	return result;
}
