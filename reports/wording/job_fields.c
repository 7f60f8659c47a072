/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/wording/job_fields.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "reports/rules/evidence.h"
#include "reports/rules/looks.h"
#include "reports/rules/rules.h"

enum job_outcome job_outcome_of(const char *state)
{
	static const struct {
		const char *state;
		enum job_outcome outcome;
	} outcomes[] = {
		{ "COMPLETED", JOB_COMPLETED }, { "CANCELLED", JOB_STOPPED }, { "PREEMPTED", JOB_STOPPED },
		{ "PENDING", JOB_GOING_ON },    { "RUNNING", JOB_GOING_ON },  { "SUSPENDED", JOB_GOING_ON },
		{ "COMPLETING", JOB_GOING_ON }, { "REQUEUED", JOB_GOING_ON },
	};

	if (!state)
		return JOB_UNKNOWN;
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
		if (strcmp(state, outcomes[i].state) == 0)
			return outcomes[i].outcome;
	return JOB_FAILED;
}

bool job_failed_by_itself(const char *state)
{
	return job_outcome_of(state) == JOB_FAILED && strcmp(state, "TIMEOUT") != 0;
}

bool job_failed_for_memory(const struct report *report)
{
	return job_failed_by_itself(report->job.state) && report->oom.count > 0;
}

bool job_used_more_memory(const char *findings)
{
	return looks_of_codes(findings) & UINT64_C(1) << FINDING_OOM_KILL;
}

/* Returns the rule finding_elapsed_s that @report was made with, in seconds; the default for older reports. */
static double finding_elapsed_s(const struct report *report)
{
	double threshold = evidence_threshold(&report->verdict.evidence, "elapsed_s");
	struct rules defaults;

	rules_defaults(&defaults);
	return isnan(threshold) ? defaults.value[RULE_FINDING_ELAPSED] : threshold;
}

bool job_failed_late(const struct report *report)
{
	return job_failed_by_itself(report->job.state) && !job_failed_for_memory(report) &&
	       report_s(report->job.elapsed_s) >= finding_elapsed_s(report);
}

enum terminal_style job_state_style(const char *state)
{
	static const enum terminal_style styles[] = {
		[JOB_UNKNOWN] = STYLE_PLAIN,   [JOB_GOING_ON] = STYLE_ACCENT, [JOB_COMPLETED] = STYLE_GOOD,
		[JOB_STOPPED] = STYLE_WARNING, [JOB_FAILED] = STYLE_BAD,
	};

	return styles[job_outcome_of(state)];
}

bool job_has_no_end(const char *state)
{
	return state && (strcmp(state, "RUNNING") == 0 || strcmp(state, "PENDING") == 0);
}

const char *job_id_text(const struct report *report, char text[JOB_ID_TEXT])
{
	const struct report_job *job = &report->job;

	if (job->array_job_id >= 0 && job->array_task_id >= 0)
		snprintf(text, JOB_ID_TEXT, "%lld_%lld", (long long)job->array_job_id, (long long)job->array_task_id);
	else if (job->het_job_id >= 0 && job->het_job_offset >= 0)
		snprintf(text, JOB_ID_TEXT, "%lld+%lld", (long long)job->het_job_id, (long long)job->het_job_offset);
	else
		snprintf(text, JOB_ID_TEXT, "%lld", job->id < 0 ? 0 : (long long)job->id);
	return text;
}

const char *job_owner(const char *name, int64_t number, char text[JOB_NUMBER_TEXT])
{
	if (name || number < 0)
		return name;
	snprintf(text, JOB_NUMBER_TEXT, "%lld", (long long)number);
	return text;
}
