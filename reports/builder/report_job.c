/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_job.h"

#include <stdio.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/builder/workflow.h"
#include "reports/json/field.h"
#include "reports/json/job_state.h"
#include "reports/model/report_make.h"
#include "reports/records/merge.h"
#include "reports/records/record.h"
#include "reports/records/record_parts.h"

#define CLOCKS_APART_NS (2 * NS_PER_S) /* the most by which clocks of two nodes may differ; Slurm's times are whole seconds */
#define SLURM_SIG_OOM 253 /* src/common/slurm_protocol_defs.h; as a wait status, it looks like signal 125 (sacct: 0:125) */

void job_gap(const struct build_input *input, struct making *making, const char *name)
{
	if (input->slurm)
		making_gap(making, name, "Slurm does not say");
	else
		making_gapf(making, name, "Slurm could not be asked: %s",
			    input->slurm_reason ? input->slurm_reason : "no reason given");
}

static const struct record_slurm_job *slurm_of(const struct build_input *input)
{
	return slurm_job_or_unknown(input->slurm);
}

/* Returns false, with *@unix_ns unchanged, if Slurm's time @seconds is not known. */
static bool take_time(int64_t seconds, int64_t *unix_ns)
{
	if (seconds <= 0 || seconds > INT64_MAX / NS_PER_S)
		return false;
	*unix_ns = seconds * NS_PER_S;
	return true;
}

/*
 * Returns true if Slurm's answer is about a later attempt than the record.
 * In this case only the job's id and user in the answer are right.
 * If the first step began after the start in the answer, answer and record are about the same attempt.
 */
static bool is_superseded(const struct build_input *input)
{
	const struct record *record = input->records[0];
	const struct record_slurm_job *slurm = slurm_of(input);
	int64_t start;

	if (record->identity.attempt < 0 || slurm->restarts < 0 || count_sum(slurm->restarts, 1) <= record->identity.attempt)
		return false;
	return record->opened_unix_ns < 0 || !take_time(slurm->start_unix_s, &start) || record->opened_unix_ns < start;
}

bool job_is_later(const struct record_slurm_job *slurm, int64_t closed)
{
	slurm = slurm_job_or_unknown(slurm);
	if (slurm->start_unix_s < 0)
		return state_waits(slurm->state);
	return slurm->start_unix_s > count_sum(closed, CLOCKS_APART_NS) / NS_PER_S;
}

/*
 * Returns true if Slurm's answer is about the record's attempt.
 * This attempt must have begun before the first step (@opened), and before the record was closed (@closed).
 */
static bool is_of(const struct record_slurm_job *slurm, int64_t opened, int64_t closed)
{
	int64_t start = slurm->start_unix_s;

	return start > 0 && start <= count_sum(opened, CLOCKS_APART_NS) / NS_PER_S && start <= closed / NS_PER_S;
}

/*
 * Returns the attempt number of a record whose attempt ended before the attempt in Slurm's answer; 0 if unknown.
 * The number in the record's steps may be too low.
 * The epilog gives the number of restarts before the next attempt.
 * This is the number of the attempt that ended, because attempts count from 1.
 */
static int64_t requeued_attempt(const struct record *record, const struct record_slurm_job *slurm)
{
	int64_t told = record->epilogs_restarts;

	if (told < 0)
		return 0;
	if (told == 0)
		return job_is_later(slurm, record->collector.closed_unix_ns) ? slurm->restarts : 0;
	return told < slurm->restarts ? told : slurm->restarts;
}

void job_settle_attempt(struct record *record, const struct record_slurm_job *slurm, struct record_identity *identity)
{
	int64_t restarts = slurm_job_or_unknown(slurm)->restarts, closed = record->collector.closed_unix_ns;
	int64_t opened = record->opened_unix_ns;
	bool saw_a_step = opened >= 0;

	if (closed < 0 || restarts < 0 || restarts >= UINT32_MAX)
		return;
	/* Slurm gives every step the number of the first attempt. */
	if (saw_a_step && restarts + 1 > identity->attempt && is_of(slurm, opened, closed))
		identity->attempt = restarts + 1;
	else if (saw_a_step && requeued_attempt(record, slurm) > identity->attempt)
		identity->attempt = requeued_attempt(record, slurm);
	else if (!saw_a_step && identity->attempt > 1 && restarts + 1 == identity->attempt && job_is_later(slurm, closed))
		identity->attempt--;
	record->identity.attempt = identity->attempt;
}

static bool may_have_missed(const struct build_input *input, const struct record *record, char *why, size_t size)
{
	int64_t start = 0, booted = record->collector.booted_unix_ns, since = record->collector.since_unix_ns;
	bool known = !is_superseded(input) && take_time(slurm_of(input)->start_unix_s, &start);
	char text[TIME_TEXT];

	if (booted < 0 || since < 0 || (known && since <= count_sum(start, CLOCKS_APART_NS)))
		return false;
	if (!known || booted > count_sum(start, CLOCKS_APART_NS))
		snprintf(why, size, "the node was restarted at %s; what this attempt ran there before is not known",
			 time_text(booted, text));
	else
		snprintf(why, size, "collection began at %s, after the job's begin: what had ended by then is not known",
			 time_text(since, text));
	return true;
}

bool job_unseen(const struct build_input *input, struct making *making)
{
	bool any = false;
	char why[160];

	for (size_t i = 0; i < input->record_count; i++) {
		const struct record *record = input->records[i];

		if (record->opened_unix_ns >= 0 || !may_have_missed(input, record, why, sizeof(why)))
			continue;
		any = true;
		if (input->record_count + input->missing_count > 1)
			making_gapf(making, "job", "%s: %s", record_node(record), why);
		else
			making_gap(making, "job", why);
	}
	return any;
}

static void put_attempt(const struct build_input *input, struct report_job *job)
{
	int64_t restarts = slurm_of(input)->restarts;

	job->attempt = input->records[0]->identity.attempt;
	if (job->attempt >= 0 && restarts >= 0 && count_sum(restarts, 1) > job->attempt && !is_superseded(input))
		job->attempt = count_sum(restarts, 1);
}

static void attempt_gap(const struct build_input *input, struct making *making, const char *name)
{
	if (is_superseded(input))
		making_gap(making, name, "Slurm already shows the next attempt of the job");
	else
		job_gap(input, making, name);
}

/* Returns the record's number, or else Slurm's number; REPORT_NONE if the job is in no array. */
static int64_t array_number(int64_t of_record, int64_t of_slurm)
{
	int64_t number = of_record >= 0 ? of_record : of_slurm;

	return number >= 0 ? number : REPORT_NONE;
}

static void put_component(struct report_job *job, const struct record_slurm_job *slurm)
{
	if (slurm->het_job_id < 0 || slurm->het_job_offset < 0)
		return;
	job->het_job_id = slurm->het_job_id;
	job->het_job_offset = slurm->het_job_offset;
}

static const char *copy_either(const struct making *making, const char *of_record, const char *of_slurm)
{
	const char *text = of_record && *of_record ? of_record : of_slurm;

	return text && *text ? report_copy(making->report, text) : NULL;
}

static void put_identity(const struct build_input *input, struct report_job *job, struct making *making)
{
	const struct record *record = input->records[0];
	const struct record_slurm_job *slurm = slurm_of(input);
	struct report *report = making->report;

	job->id = record->identity.job_id;
	job->array_job_id = array_number(record->identity.array_job_id, slurm->array_job_id);
	job->array_task_id = array_number(record->identity.array_task_id, slurm->array_task_id);
	put_component(job, slurm);
	job->cluster = copy_either(making, record->identity.cluster, slurm->cluster);
	job->name = report_copy(report, slurm->name);
	if (!job->name)
		job_gap(input, making, REPORT_PATH(job.name));
	job->user = copy_either(making, record->user.name, slurm->user);
	if (!job->user)
		making_gap(making, REPORT_PATH(job.user), "the user id has no name on the node");
	job->uid = record->user.uid;
	job->group = report_copy(report, input->group);
	job->gid = record->user.gid;
	job->account = report_copy(report, slurm->account);
	job->partition = copy_either(making, record->partition, slurm->partition);
	job->qos = report_copy(report, slurm->qos);
	job->work_dir = copy_either(making, record->work_dir, slurm->work_dir);
	job->std_out = copy_either(making, NULL, slurm->std_out);
	job->has_output = slurm->has_output;
	job->std_err = report_copy(report, slurm->std_err);
	workflow_put(report, slurm);
}

bool job_status_is_oom(int64_t status)
{
	return (status & 0x7f) == (SLURM_SIG_OOM & 0x7f);
}

static bool batch_status(const struct build_input *input, int64_t *status)
{
	for (size_t i = 0; i < input->record_count; i++) {
		const struct record_step_list *steps = &input->records[i]->steps;

		for (size_t s = 0; s < steps->count; s++)
			if (report_text_is(steps->items[s].id, "batch") && take_count(steps->items[s].exit_status, status))
				return true;
	}
	return false;
}

static void put_running_state(const struct build_input *input, struct report_job *job, struct making *making)
{
	job->state = report_copy(making->report, slurm_of(input)->state);
	making_gap(making, REPORT_PATH(job.end), "the job is still running: all sums are what it has used so far");
}

/*
 * After scancel or at the time limit, Slurm's status is 0, and the script's status shows the signal.
 * If the job ran out of memory, Slurm's status is a special one.
 */
static void put_exit(const struct build_input *input, struct report_job *job, struct making *making)
{
	int64_t status = 0, batch = 0;
	bool known = !is_superseded(input) && take_count(slurm_of(input)->exit_status, &status);

	for (size_t i = 0; i < input->record_count && !known; i++)
		known = take_count(input->records[i]->exit_status, &status);
	if (batch_status(input, &batch) && !job_status_is_oom(batch) && (job_status_is_oom(status) || (status == 0 && batch))) {
		status = batch;
		known = true;
	}
	if (known && !job_status_is_oom(status)) {
		merge_exit(status, &job->exit_code, &job->signal);
	} else if (known) {
		making_gap(making, REPORT_PATH(job.exit_code), "Slurm only says that memory ran out, and there is no exit code of a "
							       "job script");
	} else {
		job_gap(input, making, REPORT_PATH(job.exit_code));
		job_gap(input, making, REPORT_PATH(job.signal));
	}
}

static void put_end_state(const struct build_input *input, struct report_job *job, struct making *making)
{
	const struct record_slurm_job *slurm = slurm_of(input);
	const char *state = is_superseded(input) ? "REQUEUED" : slurm->state;

	if (slurm->requeued)
		state = "REQUEUED";
	if (state && strcmp(state, "RUNNING") != 0)
		job->state = report_copy(making->report, state);
	else if (state)
		making_gap(making, REPORT_PATH(job.state), "Slurm still showed the job as running when the report was written");
	else
		job_gap(input, making, REPORT_PATH(job.state));
	if (!is_superseded(input))
		job->reason = report_copy(making->report, slurm->reason);
	put_exit(input, job, making);
}

struct seen {
	int64_t opened; /* begin of the first step */
	int64_t ended;  /* end of the last process */
	int64_t left;   /* end of the last step; the extern step lasts as long as the job */
	bool has_script;
};

static void see_ends(const struct record *record, bool running, struct seen *seen)
{
	int64_t left = 0;

	for (size_t i = 0; i < record->steps.count; i++) {
		const struct record_step *step = &record->steps.items[i];
		int64_t ns = step->end_unix_ns;

		seen->has_script |= report_text_is(step->id, "batch");
		left = ns > left ? ns : left;
		if (!report_text_is(step->id, "extern") && ns > seen->ended)
			seen->ended = ns;
	}
	/* A collector that was down closes its record late. So prefers the ends of steps. */
	if (!left || running)
		take_count(record->collector.closed_unix_ns, &left);
	seen->left = left > seen->left ? left : seen->left;
	if (running)
		seen->ended = seen->left;
}

static void see_span(const struct build_input *input, struct seen *seen)
{
	*seen = (struct seen){ 0 };
	for (size_t i = 0; i < input->record_count; i++) {
		int64_t ns = input->records[i]->opened_unix_ns;

		if (ns >= 0 && (!seen->opened || ns < seen->opened))
			seen->opened = ns;
		see_ends(input->records[i], input->running, seen);
	}
}

/* A job without a script may go on without a process. So the job ends with its last step. */
static int64_t seen_end(const struct seen *seen)
{
	return seen->has_script && seen->ended ? seen->ended : seen->left;
}

static int64_t clock_set_ns(const struct build_input *input)
{
	for (size_t i = 0; i < input->record_count; i++)
		if (input->records[i]->clock_set_ns != 0)
			return input->records[i]->clock_set_ns;
	return 0;
}

static const char *copy_time(const struct making *making, int64_t unix_ns)
{
	char text[TIME_TEXT];

	return report_copy(making->report, time_text(unix_ns, text));
}

/*
 * If a clock was set while the job ran, takes the times of the nodes, and returns true.
 * Slurm's start is by the old clock, and Slurm's end by the new clock.
 */
static bool put_nodes_times(const struct build_input *input, const struct seen *seen, struct report_job *job,
			    struct making *making, struct job_span *span)
{
	int64_t set_ns = clock_set_ns(input), opened = seen->opened, ended = seen_end(seen);

	if (!set_ns || !opened || ended <= opened)
		return false;
	job->start = copy_time(making, opened);
	if (!input->running)
		job->end = copy_time(making, ended);
	span->start_ns = opened;
	span->end_ns = ended;
	span->elapsed_ns = ended - opened;
	making_gapf(making, REPORT_PATH(job.start), "the clock of a node was set %s by %.0f s during the job: start, end and elapsed "
					 "time are those from the first step's start to the last step's end, by a clock that cannot "
					 "be set", set_ns < 0 ? "back" : "forward",
		    (double)(set_ns < 0 ? -set_ns : set_ns) / NS_PER_S);
	return true;
}

/* Returns the longest time with a busy thread on a node, in nanoseconds; 0 if unknown. */
static int64_t longest_active(const struct build_input *input)
{
	int64_t longest = 0;

	for (size_t i = 0; i < input->record_count; i++)
		if (input->records[i]->pressure.active_ns > longest)
			longest = input->records[i]->pressure.active_ns;
	return longest;
}

/*
 * Returns for how many nanoseconds the job existed after the end that Slurm gives.
 * This is 0, except for a suspended job: the processes of such a job stand still until Slurm kills them.
 */
static int64_t held_up_at_end(const struct build_input *input, const struct seen *seen, const struct job_span *span)
{
	if (is_superseded(input) || !slurm_of(input)->ended_suspended)
		return 0;
	return seen->ended > span->end_ns ? seen->ended - span->end_ns : 0;
}

/*
 * Subtracts the time of suspension from the elapsed time, as Slurm does.
 * Slurm calls a job suspended two seconds before it stops the processes.
 * These seconds are not subtracted, because the processes still compute.
 */
static void take_suspended(const struct build_input *input, const struct seen *seen, struct report_job *job,
			   struct job_span *span)
{
	int64_t seconds = 0, idle_ns = span->elapsed_ns - longest_active(input), suspended_ns;

	take_count(slurm_of(input)->suspended_s, &seconds);
	if (is_superseded(input) || seconds > span->elapsed_ns / NS_PER_S)
		return;
	suspended_ns = count_sum(seconds * NS_PER_S, held_up_at_end(input, seen, span));
	if (suspended_ns > idle_ns)
		suspended_ns = idle_ns;
	if (suspended_ns <= 0)
		return;
	job->suspended_s.ns = suspended_ns;
	span->elapsed_ns -= suspended_ns;
}

/*
 * Returns the time from the first step to the end of the last process, in nanoseconds; 0 if unknown.
 * @finished: Slurm gives both start and end.
 */
static int64_t measured_elapsed(const struct seen *seen, bool finished)
{
	int64_t end = finished && seen->ended ? seen->ended : seen_end(seen);

	return seen->opened && end > seen->opened ? end - seen->opened : 0;
}

static bool put_slurms_times(const struct build_input *input, const struct seen *seen, struct report_job *job,
			     struct making *making, struct job_span *span)
{
	const struct record_slurm_job *slurm = slurm_of(input);
	int64_t start = 0, end = 0, measured;
	bool started, finished;

	started = !is_superseded(input) && take_time(slurm->start_unix_s, &start);
	finished = started && take_time(slurm->end_unix_s, &end) && end >= start &&
		   end <= input->now_unix_ns + NS_PER_S;
	if (started)
		job->start = copy_time(making, start);
	else
		attempt_gap(input, making, REPORT_PATH(job.start));
	if (finished && !input->running)
		job->end = copy_time(making, end);
	else if (!finished)
		attempt_gap(input, making, REPORT_PATH(job.end));

	span->start_ns = started ? start : seen->opened;
	span->end_ns = finished ? end : seen_end(seen);
	span->elapsed_ns = finished ? end - start + held_up_at_end(input, seen, span) : 0;
	measured = measured_elapsed(seen, finished);
	if (measured > span->elapsed_ns)
		span->elapsed_ns = measured;
	return span->elapsed_ns > 0 || finished;
}

bool job_put(const struct build_input *input, struct report_job *job, struct making *making, struct job_span *span)
{
	struct seen seen;
	int64_t submit;
	bool known;

	job->known = true;
	see_span(input, &seen);
	put_identity(input, job, making);
	if (input->running)
		put_running_state(input, job, making);
	else
		put_end_state(input, job, making);
	if (take_time(slurm_of(input)->submit_unix_s, &submit) && !is_superseded(input))
		job->submit = copy_time(making, submit);
	known = put_nodes_times(input, &seen, job, making, span) || put_slurms_times(input, &seen, job, making, span);
	take_suspended(input, &seen, job, span);
	if (known)
		job->elapsed_s.ns = span->elapsed_ns;
	else
		making_gap(making, REPORT_PATH(job.elapsed_s), "neither Slurm nor the node records say when the job began and ended");
	put_attempt(input, job);
	return known;
}
