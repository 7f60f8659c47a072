/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/read/query_job.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/query.h"
#include "common/time_text.h"
#include "reports/builder/build_report.h"
#include "reports/builder/record_join.h"
#include "reports/files/user_namespace.h"
#include "reports/records/record_parts.h"

#define WAIT_S 6        /* a little longer than stintd ever needs to answer */
#define PAUSE_MS 100
#define NODES_MAX 65536

/* ---- asking ---- */

/* Checks that root runs stintd. Returns the connection; -1 with @err set. */
static int connect_to(const char *run_dir, struct error *err)
{
	const struct timeval limit = { .tv_sec = WAIT_S };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct ucred who;
	socklen_t size = sizeof(who);
	cleanup_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int result;

	if (strlen(run_dir) + sizeof(QUERY_SUFFIX) > sizeof(address.sun_path))
		return error_set(err, "run_dir is too long");
	stpcpy(stpcpy(address.sun_path, run_dir), QUERY_SUFFIX);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0 ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) < 0)
		return error_errno(err, "no stintd here (%s)", address.sun_path);
	if (who.uid != 0 && user_namespace_hides(who.uid))
		return error_set(err, "within this container, stint cannot see whether root runs stintd: run stint outside of it");
	if (who.uid != 0)
		return error_set(err, "%s does not belong to root", address.sun_path);
	result = fd;
	fd = -1;
	return result;
}

static char *read_answer(int fd, size_t *length, struct error *err)
{
	cleanup_free char *text = NULL;
	size_t room = 0, used = 0;
	char *more;

	for (;;) {
		ssize_t n;

		if (room - used < 2) {
			room = room ? 2 * room : 1u << 16;
			more = room <= RECORD_BYTES_MAX ? realloc(text, room) : NULL;
			if (!more) {
				error_set(err, "stintd's answer is too long");
				return NULL;
			}
			text = more;
		}
		n = recv(fd, text + used, room - used - 1, 0);
		if (n < 0 && errno == EINTR)
			continue;
		/* stintd closed the connection before it read the request. It has usually sent the reason first. */
		if (n < 0 && errno == ECONNRESET) {
			used = used ? used : strlen(strcpy(text, "-" QUERY_BUSY));
			break;
		}
		if (n < 0) {
			error_errno(err, "stintd does not answer");
			return NULL;
		}
		if (n == 0)
			break;
		used += n;
	}
	text[used] = '\0';
	*length = used;
	more = text;
	text = NULL;
	return more;
}

static char *ask_once(const char *run_dir, uint32_t job_id, size_t *length, struct error *err)
{
	const struct query_request request = { .magic = QUERY_MAGIC, .version = QUERY_VERSION, .job_id = job_id };
	cleanup_close int fd = connect_to(run_dir, err);

	if (fd < 0)
		return NULL;
	/* Ignore errors: if stintd has closed the connection, the read notices it. */
	send(fd, &request, sizeof(request), MSG_NOSIGNAL);
	return read_answer(fd, length, err);
}

static struct record *ask(const char *run_dir, uint32_t job_id, int wait_ms, struct error *err)
{
	int64_t until_ms = clock_ms() + wait_ms;
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000 };
	struct record_identity identity;

	do {
		size_t length = 0;
		cleanup_free char *answer = ask_once(run_dir, job_id, &length, err);

		if (!answer)
			return NULL;
		if (answer[0] == '+')
			return record_parse(answer + 1, length - 1, "stintd's answer", &identity, err);
		error_set(err, "%s", answer[0] == '-' ? answer + 1 : "stintd does not answer");
		if (strcmp(answer, "-" QUERY_BUSY) != 0)
			return NULL;
		nanosleep(&pause, NULL);
	} while (clock_ms() < until_ms);
	return NULL;
}

/* ---- the report ---- */

static size_t list_missing(const struct report_texts *names, const char *here, struct build_missing **missing)
{
	size_t count = 0, most = names->count;

	*missing = most > 1 && most <= NODES_MAX ? calloc(most, sizeof(**missing)) : NULL;
	for (size_t i = 0; *missing && i < most; i++) {
		const char *name = names->items[i];

		if (name && strcmp(name, here) != 0)
			(*missing)[count++] = (struct build_missing){ name, "the job is still running, and each node shows only its own part" };
	}
	return count;
}

/* Returns the report as if the job ended now, for report_free(); NULL if out of memory. */
static struct report *build(struct record *record, const struct record_slurm_job *slurm, const struct conf *conf)
{
	const struct record *const records[] = { record };
	cleanup_free struct build_missing *missing = NULL;
	struct record_slurm_job ended = *slurm;
	struct rules rules;
	struct build_input input = {
		.records = records,
		.record_count = 1,
		.running = true,
		.slurm = &ended,
		.group = record_group(record),
		.rules = &rules,
		.now_unix_ns = time(NULL) * NS_PER_S,
	};

	if (record->continues)
		record_join_lacking(record);
	rules_of_site(&rules, conf, NULL);
	input.missing_count = list_missing(&slurm->node_names, record_node(record), &missing);
	input.missing = missing;
	ended.end_unix_s = input.now_unix_ns / NS_PER_S;
	return build_report(&input);
}

struct report *query_report(const struct record_slurm_job *slurm, const struct conf *conf, int wait_ms, struct error *err)
{
	cleanup_record struct record *record = NULL;
	struct report *report = NULL;

	error_set(err, "it has no number");
	if (slurm->job_id >= 0 && slurm->job_id < UINT32_MAX)
		record = ask(conf->run_dir, slurm->job_id, wait_ms, err);
	if (record)
		report = build(record, slurm, conf);
	if (record && !report)
		error_set(err, "out of memory");
	return report;
}

int query_running(struct rows *rows, const char *name, const struct record_slurm_job *slurm, const struct conf *conf,
		  int wait_ms, struct error *err)
{
	cleanup_report struct report *report = NULL;
	char path[PATH_MAX];
	struct error why;
	struct summary row;

	report = query_report(slurm, conf, wait_ms, &why);
	if (!report)
		return error_set(err,
				 "job %s: it is running%s%.100s, so its report comes when it has ended; its numbers so far: srun "
				 "--jobid=%lld --overlap stint report %s (here: %.150s)", name, slurm->node_list ? " on " : "",
				 slurm->node_list ? slurm->node_list : "", (long long)(slurm->job_id < 0 ? 0 : slurm->job_id), name,
				 why.text);
	snprintf(path, sizeof(path), "%s/stint-%s.json", slurm->work_dir ? slurm->work_dir : ".", name);
	summary_of(&row, report, path);
	if (rows_add(rows, &row))
		return 0;
	summary_free(&row);
	return error_set(err, "out of memory");
}
