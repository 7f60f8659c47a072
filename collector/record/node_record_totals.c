/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds the sums of the job and of its steps. */
#include <stdlib.h>

#include "collector/job/use.h"
#include "collector/record/node_record_internal.h"
#include "common/control.h"
#include "common/json_writer.h"

/* bytes; network libraries use less */
#define HUGE_PAGES_MIN (64 << 20)

static void add_known(struct json_object *object, const char *name, int64_t value)
{
	if (value >= 0)
		put_count(object, name, value);
}

/*
 * Returns true if huge pages (hugetlbfs) make the memory used unknown. The resident set does not include huge pages. A
 * memory cgroup includes them only on v2 with memory_hugetlb_accounting (Documentation/admin-guide/cgroup-v2.rst).
 */
static bool has_huge_pages(const struct build *b)
{
	return (b->have_totals && b->totals.huge_peak_bytes >= HUGE_PAGES_MIN) || b->job->memory.huge_bytes >= HUGE_PAGES_MIN;
}

/* Huge pages make the memory used incomplete; add_huge_gap() adds the reason. */
static void put_used_memory(const struct build *b, const struct totals *t, const struct memory_peaks *peaks,
			    struct json_object *object)
{
	if (has_huge_pages(b))
		return;
	add_known(object, "memory_used_sampled_peak_bytes", peaks->used_bytes);
	if (t->process_peak_bytes)
		put_count(object, "memory_process_peak_bytes", t->process_peak_bytes);
}

static void add_huge_gap(struct build *b)
{
	static const char why[] = "huge pages (hugetlbfs) were in use, and stint does not count them";

	if (!has_huge_pages(b))
		return;
	node_record_gap(b, "used.memory_used_peak_bytes", why);
	node_record_gap(b, "tools.peak_bytes", why);
}

static struct json_object *build_totals(const struct build *b, const struct totals *t, const struct memory_peaks *peaks)
{
	struct json_object *object = json_object_new_object();

	use_add(object, t->use, USES, b->uncounted);
	put_count(object, "processes", t->processes);
	put_count(object, "threads_peak", t->threads_peak);
	put_count(object, "oom_kills", t->oom_kills);
	put_used_memory(b, t, peaks, object);
	/* the final peak, which the programs read when the cgroup was removed */
	if (t->charged_peak_bytes)
		put_count(object, "memory_charged_peak_bytes", t->charged_peak_bytes);
	else if (peaks->charged_bytes > 0)
		put_count(object, "memory_charged_peak_bytes", peaks->charged_bytes);
	add_known(object, "memory_swap_sampled_peak_bytes", peaks->swap_bytes);
	add_known(object, "memory_limit_bytes", peaks->limit_bytes);
	return object;
}

void node_record_totals(struct build *b)
{
	const struct job *job = b->job;
	struct json_object *totals;

	/* If no step ran here, the totals are zero. */
	if (!b->have_totals && (job->opened_ns || job->off || job->counting.late))
		return;
	if (job->cgroup.memory_job_id && !programs__has_memory(b->source->programs, job->cgroup.memory_job_id))
		node_record_gap(
			b, "used.memory_charged_peak_bytes",
			"stint's BPF map of memory cgroups was full: the peak is the one that stintd read last");
	else if (!b->totals.charged_peak_bytes && job->memory.charged_bytes <= 0 && job->key)
		node_record_gap(b, "used.memory_charged_peak_bytes", "the job's cgroup has no memory controller");
	add_huge_gap(b);
	totals = build_totals(b, &b->totals, &job->memory);
	if (job->counting.before_cpu_ns)
		put_count(totals, "cpu_before_ns", job->counting.before_cpu_ns);
	json_object_object_add(b->record, "totals", totals);
}

static struct json_object *build_tasks(const struct job_step *step)
{
	struct json_object *array = json_object_new_array();

	for (uint32_t i = 0; i < step->tasks_here; i++) {
		struct json_object *task = json_object_new_object();

		put_count(task, "rank", step->tasks[i].rank);
		put_count(task, "pid", step->tasks[i].pid);
		json_object_array_add(array, task);
	}
	return array;
}

static bool step_began_with(const struct job_step *step, uint64_t pid)
{
	if ((uint64_t)step->stepd_pid == pid)
		return true;
	for (uint32_t i = 0; i < step->tasks_here; i++)
		if ((uint64_t)step->tasks[i].pid == pid)
			return true;
	return false;
}

static void claim_step(uint64_t id, uint64_t first_pid, void *data)
{
	struct job *job = data;

	for (uint32_t i = 0; i < job->step_count; i++)
		if (job->steps[i].cgroup == id)
			return;
	for (uint32_t i = 0; i < job->step_count; i++)
		if (!job->steps[i].cgroup && step_began_with(&job->steps[i], first_pid)) {
			job->steps[i].cgroup = id;
			job->steps[i].found_late = true;
			return;
		}
}

void node_record_find_steps(struct build *b)
{
	struct job *job = b->job;
	bool lacking = false;

	for (uint32_t i = 0; i < job->step_count; i++)
		lacking |= !job->steps[i].cgroup;
	if (lacking && b->have_totals)
		programs__found_steps(b->source->programs, job->key, claim_step, job);
}

static void add_step_gaps(struct build *b, const struct job_step *step, const struct totals *totals, bool have_totals)
{
	if (!step->cgroup)
		return;
	if (!have_totals)
		node_record_gap(
			b, "steps",
			"stint's BPF map of totals was full: what some steps used is only in the job's sums");
	else if (step->found_late)
		node_record_gap(
			b, "steps",
			"some steps ended before the collector could look at them: their memory peaks are not known");
	else if (!totals->charged_peak_bytes && step->memory.charged_bytes > 0 && step->end_ns && !b->job->queried &&
		 /* If this program is not loaded, the job itself has the same gap. */
		 programs__loaded(b->source->programs, PROGRAM_member_cgroup_removed))
		node_record_gap(b, "steps",
				"the kernel did not give the charged peak of some steps: it is the one that stintd read last");
}

void node_record_read_steps(struct build *b)
{
	uint32_t count = b->job->step_count;

	b->step_totals = calloc(count + 1, sizeof(*b->step_totals));
	b->have_step_totals = calloc(count + 1, sizeof(*b->have_step_totals));
	for (uint32_t i = 0; b->step_totals && b->have_step_totals && i < count; i++)
		b->have_step_totals[i] = b->job->steps[i].cgroup &&
					 programs__totals(b->source->programs, b->job->steps[i].cgroup,
							  &b->step_totals[i]) == 0;
}

static bool totals_of_step(const struct build *b, const struct job_step *step, struct totals *totals)
{
	size_t at = step - b->job->steps;

	if (!b->step_totals || !b->have_step_totals)
		return step->cgroup && programs__totals(b->source->programs, step->cgroup, totals) == 0;
	*totals = b->step_totals[at];
	return b->have_step_totals[at];
}

/*
 * Returns when the step's last process ended (CLOCK_BOOTTIME); 0: not known. The step daemon reports the end later,
 * after its own work.
 *
 * Takes the daemon's time for the extern step, and for a step with processes that live or may be uncounted.
 */
static uint64_t end_of_step(const struct build *b, const struct job_step *step, const struct totals *totals)
{
	bool counted = totals && !totals->threads && !b->totals.replaced_ns && !b->totals.lost_tasks;

	if (!counted || !totals->last_end_ns || step->id == STEP_EXTERN)
		return step->end_ns;
	return step->end_ns || !b->job->queried ? totals->last_end_ns : 0;
}

static struct json_object *build_step(struct build *b, const struct job_step *step)
{
	struct json_object *object = json_object_new_object();
	struct totals totals;
	bool have_totals = totals_of_step(b, step, &totals);
	uint64_t end_ns = end_of_step(b, step, have_totals ? &totals : NULL);
	char name[16];

	put_known_text(object, "id", job_step_name(step->id, name));
	put_count(object, "step_id", step->id);
	if (step->stepd_start_ns)
		put_count(object, "stepd_start_unix_ns", step->stepd_start_ns + b->to_unix_ns);
	if (step->start_ns)
		put_count(object, "start_unix_ns", step->start_ns + b->to_unix_ns);
	if (end_ns)
		put_count(object, "end_unix_ns", end_ns + b->to_unix_ns);
	if (step->end_ns)
		add_known(object, "exit_status", step->exit_status);
	if (step->nodes && step->nodes != CONTROL_NONE)
		put_count(object, "nodes", step->nodes);
	if (step->task_count && step->task_count != CONTROL_NONE)
		put_count(object, "task_count", step->task_count);
	json_object_object_add(object, "tasks", build_tasks(step));
	add_step_gaps(b, step, &totals, have_totals);
	if (have_totals)
		json_object_object_add(object, "totals", build_totals(b, &totals, &step->memory));
	return object;
}

/*
 * Returns true if some tasks of a step are not known. Ignores steps on several nodes, because nothing tells how many of
 * their tasks are here.
 */
static bool fewer_tasks_named(const struct job *job)
{
	for (uint32_t i = 0; i < job->step_count; i++) {
		const struct job_step *step = &job->steps[i];

		if (step->id < STEPS_OF_SRUN && step->end_ns && step->nodes == 1 && step->tasks_here &&
		    step->task_count != CONTROL_NONE && step->tasks_here < step->task_count)
			return true;
	}
	return false;
}

void node_record_steps(struct build *b)
{
	struct json_object *array = json_object_new_array();

	for (uint32_t i = 0; i < b->job->step_count; i++)
		json_object_array_add(array, build_step(b, &b->job->steps[i]));
	json_object_object_add(b->record, "steps", array);
	if (b->job->tasks_lost || fewer_tasks_named(b->job))
		node_record_gap(
			b, "steps",
			"some steps name fewer tasks than they were meant to have: some tasks did not begin, or there were more than "
			"stint keeps, or more than the plugin notes while stintd is away");
	if (b->job->steps_left_out)
		node_record_gap(b, "steps",
				"more steps ran at once than stintd reads with every sample: a step may have used more memory between "
				"two of its readings");
}
