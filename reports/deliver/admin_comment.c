/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/deliver/admin_comment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log_line.h"
#include "common/memory/memory_limit.h"
#include "common/process/writer_process.h"
#include "common/time_text.h"
#include "reports/builder/build_report.h"
#include "reports/deliver/js1.h"
#include "reports/deliver/writer.h"
#include "reports/rules/rules.h"
#include "reports/slurm/slurm_job.h"

/* A short job may end before slurmctld reports it to slurmdbd, which takes 5 s or longer. */
#define PATIENCE_MS 25000
#define PAUSE_S 3

static void complain(const struct writer_job *job, const char *why)
{
	char whose[WRITER_WHOSE_MAX];

	log_line(LOG_WARNING, "stint-epilog", "%s: stint did not set its AdminComment: %s", writer_whose(job, whose), why);
}

/* Returns what root knows of node @i, for record_free(); NULL if there is nothing. */
static struct record *essence_of(const struct writer_job *job, size_t i)
{
	const char *node = job->nodes.items[i];
	struct record *essence = NULL;
	struct proof_wanted wanted;
	char credential[PROOF_MAX];
	struct proof_word *word;
	struct error err;

	if (report_text_is(node, job->identity.node))
		return proof_essence(job->record);
	if (!node || !job->notary || !job->proofs)
		return NULL;
	/* Check a copy: the user's process can write to job->proofs. */
	snprintf(credential, sizeof(credential), "%.*s", PROOF_MAX - 1, job->proofs[i]);
	writer_wants(job, &wanted);
	word = credential[0] ? proof_open(&wanted, &job->identity, node, credential, &err) : NULL;
	if (word)
		essence = record_share(word->essence);
	proof_word_free(word);
	return essence;
}

static struct report *report_of(const struct writer_job *job, struct record **records, size_t count)
{
	struct rules rules;
	const struct build_input input = {
		.records = (const struct record *const *)records,
		.record_count = count,
		.slurm = job->slurm,
		.slurm_reason = job->slurm_reason,
		.rules = &rules,
		.now_unix_ns = (int64_t)time(NULL) * NS_PER_S,
	};

	rules_defaults(&rules);
	return build_report(&input);
}

static char *summary_of(const struct writer_job *job, struct record **records, size_t count)
{
	cleanup_report struct report *report = report_of(job, records, count);

	/* Slurm keeps one AdminComment for each job, for the latest attempt. */
	return report && !report_text_is(report->job.state, "REQUEUED") ? js1_text(report) : NULL;
}

char *admin_comment_summary(const struct writer_job *job)
{
	size_t nodes = job->nodes.count, count = 0;
	struct record **records = calloc(nodes, sizeof(*records));
	unsigned long failures = memory_failures();
	char *summary = NULL;

	while (records && count < nodes && (records[count] = essence_of(job, count)))
		count++;
	if (records)
		summary = count == nodes ? summary_of(job, records, count) : strdup(JS1_NONE);
	for (size_t i = 0; i < count; i++)
		record_free(records[i]);
	free(records);
	if (memory_failures() == failures)
		return summary;
	free(summary);
	return NULL;
}

/*
 * Returns why the comment must not be set; NULL if it may be set.
 * slurmctld tells an array's numbers, because a step's environment may have forged them in the record. The id and the
 * user in the record are from root.
 */
static const char *hindrance(const struct writer_job *job)
{
	const char *cluster = job->record->identity.cluster;
	int64_t uid = job->record->user.uid;

	if (!job->slurm)
		return job->slurm_reason; /* the site may have set a comment */
	if (job->identity.job_id != job->slurm->job_id || uid < 0 || uid != job->slurm->user_id)
		return "Slurm's answer is about another job, or about a job of another user";
	if (!js1_may_replace(job->slurm->admin_comment, NULL))
		return "the job already has another comment";
	return cluster && *cluster ? NULL : "the cluster's name is not known";
}

void admin_comment_store(const struct writer_job *job)
{
	const char *cluster = job->record->identity.cluster, *why = hindrance(job);
	int64_t end_ms = clock_ms() + PATIENCE_MS;
	cleanup_free char *summary = why ? NULL : admin_comment_summary(job);
	struct error err;

	if (summary && !js1_may_replace(job->slurm->admin_comment, summary)) {
		why = "the job already has a summary with GPUs";
		free(summary);
		summary = NULL;
	}
	if (why)
		complain(job, why);
	/*
	 * The name makes this process count as one of the user's, because a user can have many jobs that end at once.
	 */
	if (summary)
		process_name_for((uint32_t)job->record->user.uid);
	while (summary && slurm_job_comment(cluster, job->slurm, summary, &err) < 0) {
		if (clock_ms() >= end_ms) {
			complain(job, err.text);
			return;
		}
		sleep(PAUSE_S);
	}
}
