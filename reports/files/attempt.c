/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/files/attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/pattern.h"
#include "common/time_text.h"
#include "reports/files/report_file.h"
#include "reports/files/user.h"
#include "reports/model/report_gaps.h"
#include "reports/model/report_read.h"

#define ATTEMPTS_LOOKED_FOR 16
#define MEMORY_MAX ((size_t)96 << 20) /* bytes for an existing report, besides its text; 65,536 nodes need 72 MiB */
#define LOCK_TRIES 20
#define LOCK_PAUSE_NS 50000000

/* The report that already has the name. */
struct existing {
	struct report *report; /* only the needed parts; NULL if there is no report */
	struct stat file;
};

static void existing_free(struct existing *existing)
{
	report_free(existing->report);
}

#define cleanup_existing __attribute__((cleanup(existing_free), unused))

/* ---- the existing report ---- */

static bool is_report(const struct report *report)
{
	return report->schema && strncmp(report->schema, "stint-report/", strlen("stint-report/")) == 0 && report->job.id >= 0 &&
	       report->job.attempt > 0;
}

/* Returns whether @error means that the file cannot be a report of stint, and not that reading failed. */
static bool is_foreign(int error)
{
	return error == ENOENT || error == ELOOP || error == EINVAL || error == EISDIR || error == ENXIO ||
	       error == EPERM || error == EFBIG;
}

/* Parses @text, and owns it. Limits its memory: the user may have forged the report to use up memory. */
static struct report *parse_existing(char *text, size_t len, const char *name, struct error *err)
{
	const struct report_want want = {
		.parts = REPORT_PART(schema) | REPORT_PART(job) | REPORT_PART(used) | REPORT_PART(nodes) | REPORT_PART(steps),
		.until = REPORT_PARTS,
		.most = MEMORY_MAX,
	};

	return report_read(text, len, &want, name, err);
}

/* Refuses to replace a device, a FIFO or a socket: root or the user made it for another purpose. */
static int refuse_special(int dirfd, const char *name, int why, struct error *err)
{
	if ((why != EINVAL && why != ENXIO) || !user_has_special(dirfd, name))
		return 0;
	errno = EEXIST;
	return error_set(err, "%s is a device, FIFO or socket: stint writes no report there", name);
}

/*
 * Reads the report @name.
 * Returns 0; @existing->report is NULL if there is no report.
 * Returns -1 with @err and errno set if reading failed, or if no report may replace the file (EEXIST).
 *
 * If another user owns the directory, a file of that user counts as no report: it must not block the true report.
 */
static int read_existing(int dirfd, const char *name, struct existing *existing, struct error *err)
{
	size_t length;
	char *text;

	existing->report = NULL;
	text = user_read_file(dirfd, name, REPORT_BYTES_MAX, &length, &existing->file, err);
	if (!text)
		return is_foreign(errno) ? refuse_special(dirfd, name, errno, err) : -1;
	errno = 0;
	existing->report = parse_existing(text, length, name, err);
	if (errno == ENOMEM)
		return error_set(err, "%s: out of memory", name);
	if (!existing->report ||
	    (is_report(existing->report) && (existing->file.st_uid == geteuid() || !user_owns_what_is_made(dirfd))))
		return 0;
	report_free(existing->report);
	existing->report = NULL;
	return 0;
}

/* ---- the job and attempt of a report ---- */

/* Drops fractions of a second: Slurm's times are whole seconds. */
static bool read_time(const char *text, time_t *unix_s)
{
	int64_t us;

	if (!time_parse(text, &us))
		return false;
	*unix_s = us / US_PER_S;
	return true;
}

/*
 * Reads when the attempt began.
 * After a requeue, Slurm no longer knows this time. Then reads the start of the first step instead.
 */
static bool read_start(const struct report *report, time_t *unix_s)
{
	return read_time(report->job.start, unix_s) ||
	       (report->steps.count && read_time(report->steps.items[0].start, unix_s));
}

static bool is_same_job(const struct report_job *one, const struct report_job *other)
{
	return one->id == other->id && (!one->cluster || !other->cluster || strcmp(one->cluster, other->cluster) == 0);
}

static bool is_same_attempt(const struct report_job *one, const struct report_job *other)
{
	time_t submit, other_submit;

	/* Job ids are reused, so compare the submit times. A requeue also sets a new submit time. */
	return is_same_job(one, other) && one->attempt == other->attempt &&
	       (!read_time(one->submit, &submit) || !read_time(other->submit, &other_submit) || submit == other_submit);
}

static bool is_earlier(const struct report *one, const struct report *other)
{
	time_t start, other_start;

	return is_same_job(&one->job, &other->job) && one->job.attempt < other->job.attempt &&
	       (!read_start(one, &start) || !read_start(other, &other_start) || start <= other_start);
}

/* ---- how much it contains ---- */

static size_t count_nodes(const struct report *report, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < report->nodes.count; i++) {
		const struct report_node *node = &report->nodes.items[i];

		count += node->used.known && node->name && (!name || strcmp(node->name, name) == 0);
	}
	return count;
}

static int64_t processes_of(const struct report *report)
{
	return report->used.processes > 0 ? report->used.processes : 0;
}

static bool has_work(const struct report *report)
{
	return processes_of(report) > 0 || report->steps.count > 0;
}

/*
 * Returns whether @one contains more than @other, a report of the same attempt.
 * If the reports have equally many nodes, the report with more work contains more.
 * A node can write two records of an attempt, if steps run after its extern step has ended.
 */
static bool contains_more(const struct report *one, const struct report *other)
{
	size_t count = count_nodes(one, NULL), other_count = count_nodes(other, NULL);

	if (count != other_count)
		return count > other_count;
	return (has_work(one) && !has_work(other)) || processes_of(one) > processes_of(other);
}

bool attempt_is_reported(int dirfd, const char *name, const struct record_identity *job, const struct record_slurm_job *slurm,
			 const char *node, size_t node_count)
{
	int64_t slurm_submit = slurm_job_or_unknown(slurm)->submit_unix_s;
	cleanup_existing struct existing existing;
	time_t submit;

	if (read_existing(dirfd, name, &existing, NULL) < 0 || !existing.report ||
	    existing.report->job.id != job->job_id || existing.report->job.attempt != job->attempt)
		return false;
	if (slurm_submit >= 0 && read_time(existing.report->job.submit, &submit) && slurm_submit != submit)
		return false;
	return has_work(existing.report) &&
	       (node ? count_nodes(existing.report, node) > 0 : count_nodes(existing.report, NULL) >= node_count);
}

/* ---- writing ---- */

void attempt_name(const char *name, int64_t job_id, int64_t attempt, char out[NAME_MAX + 1])
{
	const char *suffix;
	int stem = (int)pattern_stem(name, &suffix);

	if (snprintf(out, NAME_MAX + 1, "%.*s.attempt-%lld%s", stem, name, (long long)attempt, suffix) > NAME_MAX)
		snprintf(out, NAME_MAX + 1, "stint-%lld.attempt-%lld" PATTERN_SUFFIX, (long long)job_id, (long long)attempt);
}

void attempt_add_gaps(int dirfd, const char *name, struct report *report)
{
	cleanup_existing struct existing existing = { 0 };
	int64_t own = report->job.attempt, latest = 0;
	char kept[NAME_MAX + 1], reason[128];

	if (own < 2 || read_existing(dirfd, name, &existing, NULL) < 0)
		return;
	if (existing.report && is_same_job(&existing.report->job, &report->job))
		latest = existing.report->job.attempt;
	for (int64_t attempt = own > ATTEMPTS_LOOKED_FOR ? own - ATTEMPTS_LOOKED_FOR : 1; attempt < own; attempt++) {
		attempt_name(name, report->job.id, attempt, kept);
		if (attempt == latest || user_has_file(dirfd, kept))
			continue;
		snprintf(reason, sizeof(reason),
			 "attempt %lld has no report here: its node may have failed, or its report will come later",
			 (long long)attempt);
		report_add_gap(report, REPORT_PATH(job.attempt), reason);
	}
}

static int has_more(int dirfd, const char *name, const struct report *report, struct error *err)
{
	cleanup_existing struct existing existing;

	if (read_existing(dirfd, name, &existing, err) < 0)
		return -1;
	return existing.report && is_same_attempt(&existing.report->job, &report->job) && contains_more(existing.report, report);
}

static int write_beside(int dirfd, const char *name, const struct attempt_report *report, struct error *err)
{
	int more = has_more(dirfd, name, report->report, err);

	return more < 0 ? -1 : more ? 0 : user_write_file(dirfd, name, report->mode, report->text, report->len, err);
}

static int keep_earlier(int dirfd, const char *name, const struct existing *existing, struct error *err)
{
	char kept[NAME_MAX + 1];
	int more;

	attempt_name(name, existing->report->job.id, existing->report->job.attempt, kept);
	more = has_more(dirfd, kept, existing->report, err);
	return more < 0 ? -1 : more ? 0 : user_keep_file(dirfd, name, kept, &existing->file, err);
}

static int write_locked(int dirfd, char name[NAME_MAX + 1], const struct attempt_report *written, struct error *err)
{
	cleanup_existing struct existing existing;
	const struct report *report = written->report;
	char own[NAME_MAX + 1];

	if (read_existing(dirfd, name, &existing, err) < 0)
		return -1;
	if (existing.report && is_same_attempt(&existing.report->job, &report->job) && contains_more(existing.report, report))
		return 0;
	if (existing.report && is_earlier(report, existing.report)) {
		attempt_name(name, report->job.id, report->job.attempt, own);
		strcpy(name, own);
		return write_beside(dirfd, name, written, err);
	}
	if (existing.report && is_earlier(existing.report, report) &&
	    keep_earlier(dirfd, name, &existing, err) < 0)
		return -1;
	return user_write_file(dirfd, name, written->mode, written->text, written->len, err);
}

/*
 * Locks the directory against writers of other attempts on this node.
 * Returns false if locks are impossible, or if the user holds the lock. The report is then written without the lock.
 */
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

int attempt_write(int dirfd, char name[NAME_MAX + 1], const struct attempt_report *report, struct error *err)
{
	bool locked = lock(dirfd);
	int result = write_locked(dirfd, name, report, err), saved = errno;

	if (locked)
		flock(dirfd, LOCK_UN);
	errno = saved;
	return result;
}
