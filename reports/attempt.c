/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "reports/field.h"
#include "reports/gaps.h"
#include "reports/user.h"

#define SUFFIX ".json"
#define ATTEMPTS_LOOKED_FOR 16
#define LOCK_TRIES 20
#define LOCK_PAUSE_NS 50000000

/* A report that was there, with its bytes as they stand. */
struct existing {
	struct json_object *report; /* NULL: there is none */
	char *text;
	size_t len;
};

static void existing_free(struct existing *existing)
{
	json_object_put(existing->report);
	free(existing->text);
}

#define cleanup_existing __attribute__((cleanup(existing_free)))

/* ---- what is there ---- */

static bool is_report(struct json_object *json)
{
	const char *schema = field_text(json, "schema");
	int64_t value;

	return schema && strncmp(schema, "stint-report/", strlen("stint-report/")) == 0 &&
	       field_count(json, "job.id", &value) && field_count(json, "job.attempt", &value) && value > 0;
}

/* Whether @error says that what has the name cannot be a report of ours, and not that it could not be read. */
static bool is_foreign(int error)
{
	return error == ENOENT || error == ELOOP || error == EINVAL || error == EISDIR || error == ENXIO ||
	       error == EPERM || error == EFBIG;
}

/* Returns 0, with no report when there is none; -1 with @err and errno set when that cannot be known now. */
static int read_existing(int dirfd, const char *name, struct existing *existing, struct error *err)
{
	existing->report = NULL;
	existing->text = user_read_file(dirfd, name, ATTEMPT_BYTES_MAX, &existing->len, err);
	if (!existing->text)
		return is_foreign(errno) ? 0 : -1;
	errno = 0;
	existing->report = field_parse(existing->text, existing->len, name, json_type_object, err);
	if (errno == ENOMEM)
		return error_set(err, "%s: out of memory", name);
	if (!existing->report || is_report(existing->report))
		return 0;
	json_object_put(existing->report);
	existing->report = NULL;
	return 0;
}

/* ---- whose it is ---- */

static bool read_time(struct json_object *object, const char *name, time_t *unix_s)
{
	const char *text = field_text(object, name);
	struct tm parts = { 0 };
	const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &parts) : NULL;
	long offset;

	if (!end)
		return false;
	if (*end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	if (!strptime(end, "%z", &parts))
		return false;
	offset = parts.tm_gmtoff;
	*unix_s = timegm(&parts) - offset;
	return true;
}

static int64_t number(struct json_object *report, const char *name)
{
	int64_t value = 0;

	field_count(report, name, &value);
	return value;
}

/* When it began: Slurm does not tell that of an attempt that it has begun anew. */
static bool read_start(struct json_object *report, time_t *unix_s)
{
	struct json_object *steps = field_typed(report, "steps", json_type_array);

	return read_time(report, "job.start", unix_s) ||
	       (field_length(steps) && read_time(json_object_array_get_idx(steps, 0), "start", unix_s));
}

static bool is_same_job(struct json_object *one, struct json_object *other)
{
	const char *cluster = field_text(one, "job.cluster"), *other_cluster = field_text(other, "job.cluster");

	return number(one, "job.id") == number(other, "job.id") &&
	       (!cluster || !other_cluster || strcmp(cluster, other_cluster) == 0);
}

static bool is_same_attempt(struct json_object *one, struct json_object *other)
{
	time_t submit, other_submit;

	/* Job ids are used again; a requeue sets a new time, too. */
	return is_same_job(one, other) && number(one, "job.attempt") == number(other, "job.attempt") &&
	       (!read_time(one, "job.submit", &submit) || !read_time(other, "job.submit", &other_submit) ||
		submit == other_submit);
}

static bool is_earlier(struct json_object *one, struct json_object *other)
{
	time_t start, other_start;

	return is_same_job(one, other) && number(one, "job.attempt") < number(other, "job.attempt") &&
	       (!read_start(one, &start) || !read_start(other, &other_start) || start <= other_start);
}

/* ---- what it tells ---- */

/* Counts the nodes that @report has more of than the name; those called @name when it is not NULL. */
static size_t nodes_told(struct json_object *report, const char *name)
{
	struct json_object *nodes = field_typed(report, "nodes", json_type_array);
	size_t told = 0;

	for (size_t i = 0; i < field_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);
		const char *called = field_text(node, "name");

		told += field_typed(node, "used", json_type_object) && called && (!name || strcmp(called, name) == 0);
	}
	return told;
}

static bool tells_of_work(struct json_object *report)
{
	return number(report, "used.processes") > 0 || field_length(field_typed(report, "steps", json_type_array)) > 0;
}

/* Of two of one attempt. */
static bool tells_more(struct json_object *one, struct json_object *other)
{
	size_t told = nodes_told(one, NULL), other_told = nodes_told(other, NULL);

	return told > other_told || (told == other_told && tells_of_work(one) && !tells_of_work(other));
}

bool attempt_told(int dirfd, const char *name, const struct record_identity *job, struct json_object *slurm,
		  const char *node, size_t node_count)
{
	cleanup_existing struct existing existing;
	int64_t slurm_submit;
	time_t submit;

	if (read_existing(dirfd, name, &existing, NULL) < 0 || !existing.report ||
	    number(existing.report, "job.id") != job->job_id || number(existing.report, "job.attempt") != job->attempt)
		return false;
	if (field_count(slurm, "submit_unix_s", &slurm_submit) && read_time(existing.report, "job.submit", &submit) &&
	    slurm_submit != submit)
		return false;
	return tells_of_work(existing.report) &&
	       (node ? nodes_told(existing.report, node) > 0 : nodes_told(existing.report, NULL) >= node_count);
}

/* ---- writing ---- */

void attempt_name(const char *name, int64_t job_id, int64_t attempt, char out[NAME_MAX + 1])
{
	size_t length = strlen(name), end = strlen(SUFFIX);
	bool has_suffix = length > end && strcmp(name + length - end, SUFFIX) == 0;
	int used;

	if (has_suffix)
		length -= end;
	used = snprintf(out, NAME_MAX + 1, "%.*s.attempt-%lld%s", (int)length, name, (long long)attempt,
			has_suffix ? SUFFIX : "");
	if (used > NAME_MAX)
		snprintf(out, NAME_MAX + 1, "stint-%lld.attempt-%lld" SUFFIX, (long long)job_id, (long long)attempt);
}

void attempt_tell_missing(int dirfd, const char *name, struct json_object *report)
{
	cleanup_existing struct existing existing = { 0 };
	int64_t own = number(report, "job.attempt"), latest = 0;
	struct json_object *gaps = field_find(report, "gaps");
	char kept[NAME_MAX + 1];

	if (own < 2 || read_existing(dirfd, name, &existing, NULL) < 0)
		return;
	if (existing.report && is_same_job(existing.report, report))
		latest = number(existing.report, "job.attempt");
	for (int64_t attempt = own > ATTEMPTS_LOOKED_FOR ? own - ATTEMPTS_LOOKED_FOR : 1; attempt < own; attempt++) {
		attempt_name(name, number(report, "job.id"), attempt, kept);
		if (attempt != latest && faccessat(dirfd, kept, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			gaps_addf(gaps, "job.attempt",
				  "attempt %lld had left no report here: its node may have gone down, or it is written later",
				  (long long)attempt);
	}
}

/* Under its attempt's name, unless more is told of that there. */
static int write_beside(int dirfd, const char *name, struct json_object *report, const char *text, size_t len,
			struct error *err)
{
	cleanup_existing struct existing existing;

	if (read_existing(dirfd, name, &existing, err) < 0)
		return -1;
	if (existing.report && is_same_attempt(existing.report, report) && tells_more(existing.report, report))
		return 0;
	return file_write(dirfd, name, 0644, text, len, err);
}

static int keep_earlier(int dirfd, const char *name, const struct existing *existing, struct error *err)
{
	char kept[NAME_MAX + 1];

	attempt_name(name, number(existing->report, "job.id"), number(existing->report, "job.attempt"), kept);
	return write_beside(dirfd, kept, existing->report, existing->text, existing->len, err);
}

static int write_locked(int dirfd, char name[NAME_MAX + 1], struct json_object *report, const char *text, size_t len,
			struct error *err)
{
	cleanup_existing struct existing existing;
	char own[NAME_MAX + 1];

	if (read_existing(dirfd, name, &existing, err) < 0)
		return -1;
	if (existing.report && is_same_attempt(existing.report, report) && tells_more(existing.report, report))
		return 0;
	if (existing.report && is_earlier(report, existing.report)) {
		attempt_name(name, number(report, "job.id"), number(report, "job.attempt"), own);
		strcpy(name, own);
		return write_beside(dirfd, name, report, text, len, err);
	}
	if (existing.report && is_earlier(existing.report, report) && keep_earlier(dirfd, name, &existing, err) < 0)
		return -1;
	return file_write(dirfd, name, 0644, text, len, err);
}

/* Two attempts' writers on one node must not cross. Without locks, or when the user holds this one, it must do without. */
static bool lock(int dirfd)
{
	const struct timespec pause = { .tv_nsec = LOCK_PAUSE_NS };

	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(dirfd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return false;
		nanosleep(&pause, NULL);
	}
	return false;
}

int attempt_write(int dirfd, char name[NAME_MAX + 1], struct json_object *report, const char *text, size_t len,
		  struct error *err)
{
	bool locked = lock(dirfd);
	int result = write_locked(dirfd, name, report, text, len, err), saved = errno;

	if (locked)
		flock(dirfd, LOCK_UN);
	errno = saved;
	return result;
}
