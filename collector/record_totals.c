/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the job and its steps used, in sums. */
#include "collector/json.h"
#include "collector/record_own.h"
#include "collector/use.h"

static struct json_object *build_totals(const struct build *b, const struct totals *t)
{
	struct json_object *object = json_object_new_object();

	use_add(object, t->use, USES, b->uncounted);
	json_add_number(object, "processes", t->processes);
	json_add_number(object, "threads_peak", t->threads_peak);
	json_add_number(object, "oom_kills", t->oom_kills);
	if (t->process_peak_bytes)
		json_add_number(object, "memory_process_peak_bytes", t->process_peak_bytes);
	if (t->charged_peak_bytes)
		json_add_number(object, "memory_charged_peak_bytes", t->charged_peak_bytes);
	return object;
}

static void add_known(struct json_object *object, const char *name, int64_t value)
{
	if (value >= 0)
		json_add_number(object, name, value);
}

void record_totals(struct build *b)
{
	const struct job *job = b->job;
	struct json_object *object;

	/* A node on which no step ran used nothing, and that is known. */
	if (!b->have_totals && (job->opened_ns || job->off))
		return;
	if (!b->totals.charged_peak_bytes && job->charged_peak_bytes > 0)
		b->totals.charged_peak_bytes = job->charged_peak_bytes;
	if (job->cgroup.memory_job_id && !programs__has_memory(b->source->programs, job->cgroup.memory_job_id))
		record_gap(b, "used.memory_charged_peak_bytes",
			   "the kernel's table of memory cgroups was full: what is told is as of the last look at it");
	else if (!b->totals.charged_peak_bytes && job->key)
		record_gap(b, "used.memory_charged_peak_bytes", "the job's cgroup has no memory controller");
	object = build_totals(b, &b->totals);
	add_known(object, "memory_used_sampled_peak_bytes", job->sampled_peak_bytes);
	add_known(object, "memory_swap_sampled_peak_bytes", job->swap_peak_bytes);
	add_known(object, "memory_limit_bytes", job->limit_bytes);
	json_object_object_add(b->record, "totals", object);
}

static struct json_object *build_tasks(const struct job_step *step)
{
	struct json_object *array = json_object_new_array();

	for (uint32_t i = 0; i < step->tasks_here; i++) {
		struct json_object *task = json_object_new_object();

		json_add_number(task, "rank", step->tasks[i].rank);
		json_add_number(task, "pid", step->tasks[i].pid);
		json_object_array_add(array, task);
	}
	return array;
}

/* What a step that is counted has to find room for, and found none. */
static void add_step_gaps(struct build *b, const struct job_step *step, bool have_totals)
{
	if (!step->cgroup)
		return;
	if (!have_totals)
		record_gap(b, "steps", "the kernel's table of totals was full: what some steps used is in the job's sums alone");
}

static struct json_object *build_step(struct build *b, const struct job_step *step)
{
	struct json_object *object = json_object_new_object();
	struct totals totals;
	bool have_totals;
	char name[16];

	json_add_text(object, "id", job_step_name(step->id, name));
	json_add_number(object, "step_id", step->id);
	if (step->start_ns)
		json_add_number(object, "start_unix_ns", step->start_ns + b->to_unix_ns);
	if (step->end_ns) {
		json_add_number(object, "end_unix_ns", step->end_ns + b->to_unix_ns);
		add_known(object, "exit_status", step->exit_status);
	}
	if (step->nodes && step->nodes != CONTROL_NONE)
		json_add_number(object, "nodes", step->nodes);
	if (step->task_count && step->task_count != CONTROL_NONE)
		json_add_number(object, "task_count", step->task_count);
	json_object_object_add(object, "tasks", build_tasks(step));
	have_totals = step->cgroup && programs__totals(b->source->programs, step->cgroup, &totals) == 0;
	add_step_gaps(b, step, have_totals);
	if (have_totals)
		json_object_object_add(object, "totals", build_totals(b, &totals));
	return object;
}

void record_steps(struct build *b)
{
	struct json_object *array = json_object_new_array();

	for (uint32_t i = 0; i < b->job->step_count; i++)
		json_object_array_add(array, build_step(b, &b->job->steps[i]));
	json_object_object_add(b->record, "steps", array);
}
