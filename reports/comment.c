/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/comment.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "collector/common/escape.h"
#include "reports/field.h"
#include "reports/js1.h"
#include "reports/slurm_job.h"
#include "reports/writer.h"

/* slurmctld tells slurmdbd of the jobs that have begun every 5 seconds, a busy one later: a short one may be over by then. */
#define PATIENCE_MS 25000
#define PAUSE_S 3

/* The task of an array by the array: its own id may be the array's too, and then all its tasks'. */
static void name_job(struct json_object *record, struct json_object *slurm, char name[48])
{
	int64_t id = 0, array, task;

	field_count(record, "identity.job_id", &id);
	if ((field_count(record, "identity.array_job_id", &array) &&
	     field_count(record, "identity.array_task_id", &task)) ||
	    (field_count(slurm, "array_job_id", &array) && field_count(slurm, "array_task_id", &task)))
		snprintf(name, 48, "%" PRId64 "_%" PRId64, array, task);
	else
		snprintf(name, 48, "%" PRId64, id);
}

static void complain(const char *job, const char *text)
{
	char shown[1024];

	fprintf(stderr, "stint-epilog: job %s: its AdminComment is not set: %s\n", job,
		escape_text(text, shown, sizeof(shown)));
}

/* Why it must not be set, or NULL. */
static const char *hindrance(const char *cluster, struct json_object *slurm, const char *slurm_reason,
			     const char *summary)
{
	if (!js1_valid(summary))
		return "what came from the job's directory is no summary";
	if (!slurm)
		return slurm_reason; /* there may be a comment of the site's, and who knows */
	if (!js1_may_replace(field_text(slurm, "admin_comment")))
		return "another comment stands there";
	return cluster && *cluster ? NULL : "the cluster's name is not known";
}

void comment_store(struct json_object *record, struct json_object *slurm, const char *slurm_reason,
		   const char *summary)
{
	const char *cluster = field_text(record, "identity.cluster"), *why;
	int64_t end_ms = writer_now_ms() + PATIENCE_MS;
	struct error err;
	char job[48];

	name_job(record, slurm, job);
	why = hindrance(cluster, slurm, slurm_reason, summary);
	if (why) {
		complain(job, why);
		return;
	}
	while (slurm_job_comment(cluster, job, summary, &err) < 0) {
		if (writer_now_ms() >= end_ms) {
			complain(job, err.text);
			return;
		}
		sleep(PAUSE_S);
	}
}
