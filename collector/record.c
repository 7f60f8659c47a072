/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/record.h"

#include <ctype.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/clock.h"
#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "collector/json.h"
#include "collector/record_tools.h"

struct build {
	const struct record_source *source;
	struct job *job;
	struct json_object *gaps;
	int64_t to_unix_ns;
};

static void add_gap(struct build *b, const char *name, const char *reason)
{
	struct json_object *gap = json_object_new_object();

	json_add_text(gap, "name", name);
	json_add_text(gap, "reason", reason);
	json_object_array_add(b->gaps, gap);
}

static struct json_object *build_collector(const struct build *b)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "version", PACKAGE_VERSION);
	json_add_number(object, "since_unix_ns", programs__since_ns(b->source->programs) + b->to_unix_ns);
	json_add_number(object, "closed_unix_ns", b->job->close_ns + b->to_unix_ns);
	return object;
}

static void read_boot_id(char *id, size_t size)
{
	cleanup_free char *text = file_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", 4096, NULL, NULL);

	snprintf(id, size, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
}

static struct json_object *build_identity(const struct build *b)
{
	const struct control_message *about = &b->job->about;
	struct json_object *object = json_object_new_object();
	char boot_id[64];

	json_add_text(object, "cluster", about->cluster);
	json_add_number(object, "job_id", about->job_id);
	if (about->array_job_id && about->array_job_id != CONTROL_NONE) {
		json_add_number(object, "array_job_id", about->array_job_id);
		json_add_number(object, "array_task_id", about->array_task_id);
	}
	json_add_number(object, "attempt", about->restart_count == CONTROL_NONE ? 1 : (int64_t)about->restart_count + 1);
	json_add_text(object, "node", about->node);
	read_boot_id(boot_id, sizeof(boot_id));
	json_add_text(object, "boot_id", boot_id);
	return object;
}

static struct json_object *build_user(const struct build *b)
{
	const struct control_message *about = &b->job->about;
	struct json_object *object = json_object_new_object();
	const struct passwd *user = NULL;

	json_add_number(object, "uid", about->uid);
	json_add_number(object, "gid", about->gid);
	if (!about->user[0])
		user = getpwuid(about->uid);
	json_add_text(object, "name", user ? user->pw_name : about->user);
	return object;
}

static void take_core(const struct topology_core *core, void *data)
{
	struct json_object *cores = data, *object = json_object_new_object(), *pus = json_object_new_array();

	json_add_number(object, "core", core->core);
	json_add_number(object, "package", core->package);
	for (unsigned int i = 0; i < core->pu_count; i++)
		json_object_array_add(pus, json_object_new_int64(core->pus[i]));
	json_object_object_add(object, "pus", pus);
	json_object_array_add(cores, object);
}

static void add_cores(struct build *b, struct json_object *allocated)
{
	struct json_object *cores;
	struct error err;
	int count;

	if (!b->job->cpus[0]) {
		add_gap(b, "allocated.cores", "no cpuset bound the job (cgroup.conf: ConstrainCores=yes)");
		return;
	}
	json_add_text(allocated, "cpu_list", b->job->cpus);
	if (!b->source->topology) {
		add_gap(b, "allocated.cores", b->source->topology_error);
		return;
	}
	cores = json_object_new_array();
	count = topology_cores(b->source->topology, b->job->cpus, take_core, cores, &err);
	if (count < 0) {
		add_gap(b, "allocated.cores", err.text);
		json_object_put(cores);
		return;
	}
	json_add_number(allocated, "cpus", count);
	json_object_object_add(allocated, "cores", cores);
}

static struct json_object *build_allocated(struct build *b)
{
	struct json_object *object = json_object_new_object();

	add_cores(b, object);
	if (b->job->about.job_memory_mb)
		json_add_number(object, "memory_bytes", b->job->about.job_memory_mb * 1024 * 1024);
	return object;
}

static struct json_object *build_totals(const struct totals *t)
{
	struct json_object *object = json_object_new_object();

	json_add_number(object, "cpu_ns", t->cpu_ns);
	json_add_number(object, "user_ns", t->user_ns);
	json_add_number(object, "system_ns", t->system_ns);
	json_add_number(object, "read_bytes", t->read_bytes);
	json_add_number(object, "write_bytes", t->write_bytes);
	json_add_number(object, "processes", t->processes);
	json_add_number(object, "threads_peak", t->threads_peak);
	if (t->process_peak_bytes)
		json_add_number(object, "memory_process_peak_bytes", t->process_peak_bytes);
	if (t->charged_peak_bytes)
		json_add_number(object, "memory_charged_peak_bytes", t->charged_peak_bytes);
	return object;
}

static struct json_object *build_job_totals(struct build *b, struct totals *t)
{
	struct json_object *object;
	const struct job *job = b->job;

	t->cpu_ns += job->before_cpu_ns;
	if (!t->charged_peak_bytes && job->charged_peak_bytes > 0)
		t->charged_peak_bytes = job->charged_peak_bytes;
	if (!t->charged_peak_bytes && job->key)
		add_gap(b, "used.memory_charged_peak_bytes", "the job's cgroup has no memory controller");
	object = build_totals(t);
	if (job->sampled_peak_bytes >= 0)
		json_add_number(object, "memory_used_sampled_peak_bytes", job->sampled_peak_bytes);
	if (job->limit_bytes >= 0)
		json_add_number(object, "memory_limit_bytes", job->limit_bytes);
	return object;
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

static struct json_object *build_step(const struct build *b, const struct job_step *step)
{
	struct json_object *object = json_object_new_object();
	struct totals totals;
	char name[16];

	json_add_text(object, "id", job_step_name(step->id, name));
	json_add_number(object, "step_id", step->id);
	if (step->start_unix_ns)
		json_add_number(object, "start_unix_ns", step->start_unix_ns);
	if (step->end_unix_ns) {
		json_add_number(object, "end_unix_ns", step->end_unix_ns);
		if (step->exit_status >= 0)
			json_add_number(object, "exit_status", step->exit_status);
	}
	if (step->nodes && step->nodes != CONTROL_NONE)
		json_add_number(object, "nodes", step->nodes);
	if (step->task_count && step->task_count != CONTROL_NONE)
		json_add_number(object, "task_count", step->task_count);
	json_object_object_add(object, "tasks", build_tasks(step));
	if (step->cgroup && programs__totals(b->source->programs, step->cgroup, &totals) == 0)
		json_object_object_add(object, "totals", build_totals(&totals));
	return object;
}

static struct json_object *build_steps(const struct build *b)
{
	struct json_object *array = json_object_new_array();

	for (uint32_t i = 0; i < b->job->step_count; i++)
		json_object_array_add(array, build_step(b, &b->job->steps[i]));
	return array;
}

static struct json_object *build_lost(const struct job *job, const struct totals *totals)
{
	struct json_object *object = json_object_new_object();

	json_add_number(object, "process_records", totals->lost_records + job->timeline.lost);
	json_add_number(object, "tools", totals->lost_tools);
	json_add_number(object, "tasks", totals->lost_tasks);
	json_add_number(object, "steps", job->steps_lost);
	return object;
}

static void add_program_gaps(struct build *b)
{
	struct program_state states[PROGRAMS_MAX];
	int count = programs__states(b->source->programs, states);

	for (int i = 0; i < count; i++)
		if (!states[i].loaded && states[i].gap)
			add_gap(b, states[i].gap, states[i].gap_reason);
}

/*
 * Whether counting covered the whole job. A job that opened no step here may have
 * run none, or may have been over before the collector was there: the reports
 * know when it started.
 */
static bool judge_complete(struct build *b, const struct totals *totals)
{
	const struct job *job = b->job;
	bool complete = true;

	if (job->late) {
		add_gap(b, "job", job->late_why);
		complete = false;
	}
	if (job->off) {
		add_gap(b, "used", "the job's first step was run with --stint=off");
		complete = false;
	} else if (job->opened_unix_ns && !job->key) {
		add_gap(b, "used", job->no_cgroup.text);
		complete = false;
	}
	if (totals->lost_tasks) {
		add_gap(b, "used.cpu_s", "the kernel had no memory to follow every thread");
		complete = false;
	}
	if (totals->lost_records || job->timeline.lost)
		add_gap(b, "timeline", "more processes ended at once than could be noted one by one; the sums have them");
	if (totals->lost_tools)
		add_gap(b, "tools", "more different tools than are kept apart; the rest is summed up in one line");
	return complete;
}

static void add_outcome(struct build *b, struct json_object *record)
{
	const struct control_message *about = &b->job->about;

	json_add_text(record, "work_dir", about->work_dir);
	json_add_text(record, "output", about->output[0] ? about->output : b->source->conf->output);
	json_add_text(record, "mode", about->mode == CONTROL_MODE_SUMMARY ? "summary" : "timeline");
	json_add_text(record, "partition", about->partition);
	json_add_text(record, "node_list", about->node_list);
	if (about->exit_status >= 0)
		json_add_number(record, "exit_status", about->exit_status);
	if (about->derived_status >= 0)
		json_add_number(record, "derived_exit_status", about->derived_status);
	if (b->job->opened_unix_ns)
		json_add_number(record, "opened_unix_ns", b->job->opened_unix_ns);
}

struct json_object *record_build(const struct record_source *source, struct job *job, struct error *err)
{
	struct build b = { .source = source, .job = job, .to_unix_ns = clock_boot_to_unix_ns() };
	struct json_object *record = json_object_new_object();
	struct totals totals = {};
	bool have_totals, cut;

	b.gaps = json_object_new_array();
	if (!record || !b.gaps) {
		error_set(err, "out of memory");
		return NULL;
	}
	have_totals = job->key && programs__totals(source->programs, job->key, &totals) == 0;
	json_add_number(record, "stint_record", 1);
	json_object_object_add(record, "collector", build_collector(&b));
	json_object_object_add(record, "identity", build_identity(&b));
	json_object_object_add(record, "user", build_user(&b));
	add_outcome(&b, record);
	json_object_object_add(record, "allocated", build_allocated(&b));
	/* A node on which no step ran used nothing, and that is known. */
	if (have_totals || (!job->opened_unix_ns && !job->off))
		json_object_object_add(record, "totals", build_job_totals(&b, &totals));
	json_object_object_add(record, "steps", build_steps(&b));
	if (record_tools_add(source, job, b.to_unix_ns, record, &cut) < 0)
		add_gap(&b, "tools", "out of memory");
	if (cut)
		add_gap(&b, "tools.path", "a tool's path is too long to be kept whole, and left out");
	json_object_object_add(record, "complete", json_object_new_boolean(judge_complete(&b, &totals)));
	add_program_gaps(&b);
	json_object_object_add(record, "gaps", b.gaps);
	json_object_object_add(record, "lost", build_lost(job, &totals));
	return record;
}

static void add_part(char *name, size_t size, const char *part)
{
	size_t used = strlen(name);

	for (; *part && used + 1 < size; part++)
		name[used++] = isalnum((unsigned char)*part) || *part == '-' ? *part : '_';
	name[used] = '\0';
}

int record_name(const struct job *job, char *name, size_t size)
{
	const struct control_message *about = &job->about;
	size_t used;
	int n;

	name[0] = '\0';
	add_part(name, size / 4, about->cluster);
	strcat(name, ".");
	add_part(name, size / 2, about->node);
	used = strlen(name);
	n = snprintf(name + used, size - used, ".%u.%u.json", about->job_id,
		     about->restart_count == CONTROL_NONE ? 1 : about->restart_count + 1);
	return n < 0 || (size_t)n >= size - used ? -1 : 0;
}
