/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/record.h"

#include <ctype.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/clock.h"
#include "collector/common/cleanup.h"
#include "collector/common/file.h"
#include "collector/json.h"
#include "collector/record_own.h"
#include "collector/spool.h"
#include "collector/use.h"

#define CLOCK_SET_MIN_NS 1000000000ll /* less does not show in Slurm's whole seconds */

static bool has_text(struct json_object *object, const char *name, const char *text)
{
	struct json_object *value;

	return json_object_object_get_ex(object, name, &value) && strcmp(json_object_get_string(value), text) == 0;
}

void record_gap(struct build *b, const char *name, const char *reason)
{
	struct json_object *gap;

	for (size_t i = 0; i < json_object_array_length(b->gaps); i++) {
		gap = json_object_array_get_idx(b->gaps, i);
		if (has_text(gap, "name", name) && has_text(gap, "reason", reason))
			return;
	}
	gap = json_object_new_object();
	json_add_text(gap, "name", name);
	json_add_text(gap, "reason", reason);
	json_object_array_add(b->gaps, gap);
}

bool record_was_followed(const struct build *b)
{
	return b->have_totals && b->totals.slot;
}

bool record_was_sampled(const struct build *b)
{
	return record_was_followed(b) && programs__loaded(b->source->programs, PROGRAM_sample_tasks);
}

void record_add_step(const struct build *b, struct json_object *object, uint64_t cgroup)
{
	char name[16];

	for (uint32_t i = 0; i < b->job->step_count; i++)
		if (b->job->steps[i].cgroup == cgroup) {
			json_add_text(object, "step", job_step_name(b->job->steps[i].id, name));
			return;
		}
}

static struct json_object *build_collector(const struct build *b)
{
	struct json_object *object = json_object_new_object();

	json_add_text(object, "version", PACKAGE_VERSION);
	json_add_number(object, "booted_unix_ns", b->to_unix_ns);
	json_add_number(object, "since_unix_ns", programs__since_ns(b->source->programs) + b->to_unix_ns);
	json_add_number(object, "closed_unix_ns", b->job->close_ns + b->to_unix_ns);
	return object;
}

static void read_boot_id(char *id, size_t size)
{
	cleanup_free char *text = file_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", 4096, NULL, NULL);

	snprintf(id, size, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
}

/* From 1. What is as large as no number of attempts is, is not known. */
static uint32_t attempt_of(const struct job_about *about)
{
	return about->restart_count >= CONTROL_NONE ? 1 : about->restart_count + 1;
}

static struct json_object *build_identity(const struct build *b)
{
	const struct job_about *about = &b->job->about;
	struct json_object *object = json_object_new_object();
	char boot_id[64];

	json_add_text(object, "cluster", about->cluster);
	json_add_number(object, "job_id", about->job_id);
	if (about->array_job_id && about->array_job_id != CONTROL_NONE) {
		json_add_number(object, "array_job_id", about->array_job_id);
		json_add_number(object, "array_task_id", about->array_task_id);
	}
	json_add_number(object, "attempt", attempt_of(about));
	json_add_text(object, "node", about->node);
	read_boot_id(boot_id, sizeof(boot_id));
	json_add_text(object, "boot_id", boot_id);
	return object;
}

static struct json_object *build_user(const struct build *b)
{
	const struct job_about *about = &b->job->about;
	struct json_object *object = json_object_new_object();
	const struct passwd *user = NULL;

	json_add_number(object, "uid", about->uid);
	json_add_number(object, "gid", about->gid);
	if (!about->user[0])
		user = getpwuid(about->uid);
	json_add_text(object, "name", user ? user->pw_name : about->user);
	return object;
}

struct core_list {
	struct json_object *cores;
	uint64_t *cpu_ns; /* by the user's threads, of each CPU; NULL: not known */
};

static uint64_t used_on(const uint64_t *cpu_ns, const struct topology_core *core)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < core->pu_count; i++)
		sum += core->pus[i] < RECORD_CPUS_MAX ? cpu_ns[core->pus[i]] : 0;
	return sum;
}

static void take_core(const struct topology_core *core, void *data)
{
	struct json_object *object = json_object_new_object(), *pus = json_object_new_array();
	struct core_list *list = data;

	json_add_number(object, "core", core->core);
	json_add_number(object, "package", core->package);
	for (unsigned int i = 0; i < core->pu_count; i++)
		json_object_array_add(pus, json_object_new_int64(core->pus[i]));
	json_object_object_add(object, "pus", pus);
	if (list->cpu_ns)
		json_add_number(object, "cpu_ns", used_on(list->cpu_ns, core));
	json_object_array_add(list->cores, object);
}

static bool read_cpu_uses(const struct build *b, uint64_t cpu_ns[RECORD_CPUS_MAX])
{
	return record_was_followed(b) &&
	       programs__cpu_uses(b->source->programs, b->totals.slot, b->job->key, cpu_ns, RECORD_CPUS_MAX) == 0;
}

static void add_cores(struct build *b, struct json_object *allocated)
{
	uint64_t cpu_ns[RECORD_CPUS_MAX];
	struct core_list list = {};
	struct error err;
	int count;

	if (!b->job->cpus[0]) {
		record_gap(b, "allocated.cores", "no cpuset bound the job (cgroup.conf: ConstrainCores=yes)");
		return;
	}
	json_add_text(allocated, "cpu_list", b->job->cpus);
	if (!b->source->topology) {
		record_gap(b, "allocated.cores", b->source->topology_error);
		return;
	}
	list.cores = json_object_new_array();
	list.cpu_ns = read_cpu_uses(b, cpu_ns) ? cpu_ns : NULL;
	count = topology_cores(b->source->topology, b->job->cpus, take_core, &list, &err);
	if (count < 0) {
		record_gap(b, "allocated.cores", err.text);
		json_object_put(list.cores);
		return;
	}
	json_add_number(allocated, "cpus", count);
	json_object_object_add(allocated, "cores", list.cores);
}

static struct json_object *build_allocated(struct build *b)
{
	struct json_object *object = json_object_new_object();

	add_cores(b, object);
	if (b->job->about.job_memory_mb)
		json_add_number(object, "memory_bytes", b->job->about.job_memory_mb * 1024 * 1024);
	return object;
}

/*
 * Runs that a stintd which was killed had taken from the ring: those that ended, of which each had one record, less all
 * that is told or known to be lost.
 */
static uint64_t unseen_records(const struct build *b)
{
	const struct timeline *timeline = &b->job->timeline;
	uint64_t told = b->totals.lost_records + timeline->lost;

	if (!b->job->unseen)
		return 0;
	for (size_t i = 0; i < timeline->count; i++)
		told += timeline->entries[i].count;
	return b->images > told ? b->images - told : 0;
}

static struct json_object *build_lost(const struct build *b)
{
	struct json_object *object = json_object_new_object();
	const struct totals *totals = &b->totals;

	json_add_number(object, "process_records", totals->lost_records + b->job->timeline.lost);
	json_add_number(object, "seen_by_killed_collector", unseen_records(b));
	json_add_number(object, "tools", totals->lost_tools);
	json_add_number(object, "tasks", totals->lost_tasks);
	json_add_number(object, "files", totals->lost_files);
	json_add_number(object, "uses", totals->lost_uses);
	json_add_number(object, "requests", totals->lost_requests);
	json_add_number(object, "file_systems", totals->lost_file_systems);
	json_add_number(object, "oom_records", totals->lost_ooms + b->job->ooms.lost);
	json_add_number(object, "steps", b->job->steps_lost);
	return object;
}

/* What the missing programs would have added up is not told, rather than as nothing. */
static void add_program_gaps(struct build *b)
{
	struct program_state states[PROGRAMS];
	int count = programs__states(b->source->programs, states);

	for (int i = 0; i < count; i++) {
		if (!states[i].gap)
			continue;
		record_gap(b, states[i].gap, states[i].gap_reason);
		use_mark_uncounted(states[i].gap, b->uncounted);
	}
}

/* What only a stintd that was killed knew; all that was counted is there. */
static void add_unseen_gaps(struct build *b)
{
	static const char why[] = "the collector was killed in mid-job, and what it had seen by then was lost with it";

	record_gap(b, "timeline", why);
	record_gap(b, "progress", why);
	record_gap(b, "used.memory_used_peak_bytes", why);
	if (b->totals.oom_kills > b->job->ooms.count)
		record_gap(b, "oom", why);
}

/* What was not told one by one, though the sums have it. */
static void add_lost_gaps(struct build *b)
{
	static const char no_place_for_requests[] =
		"the kernel's table of processes was full: requests that another completed are told by nobody";
	const struct totals *totals = &b->totals;

	if (totals->lost_records || b->job->timeline.lost)
		record_gap(b, "timeline", "more runs than could be noted one by one; the sums have them all");
	if (totals->lost_tools)
		record_gap(b, "tools", b->others ? "more different tools than are kept apart; the rest is summed up in one line" :
						   "the kernel's table of tools was full: the rest is in the job's sums alone");
	if (totals->lost_uses)
		record_gap(b, "tools", "the kernel's tables of processes were full: what some threads used is in the sums alone");
	if (totals->lost_requests) {
		record_gap(b, "used.async_read_bytes", no_place_for_requests);
		record_gap(b, "used.async_write_bytes", no_place_for_requests);
	}
	if (totals->lost_file_systems)
		record_gap(b, "used.file_systems", "the kernel's table of file systems was full");
	if (totals->lost_files)
		record_gap(b, "files", "more different files than are kept apart; the rest is in the sums alone");
	if (totals->lost_ooms || b->job->ooms.lost)
		record_gap(b, "oom", "more were killed than could be noted one by one; oom_kills counts them all");
	if (b->job->unseen)
		add_unseen_gaps(b);
}

/* The programs were replaced by those of another version in mid-job, and something ended or began just then. */
static void add_unseen_change(struct build *b)
{
	char why[256];

	snprintf(why, sizeof(why),
		 "stint was replaced by another version in mid-job: what %" PRIu64 " threads did that ended, or ran "
		 "another program, within %.3f s is not told; the job's CPU time and processes have them",
		 (uint64_t)b->totals.unseen_threads, b->totals.replaced_ns / 1e9);
	record_gap(b, "job", why);
}

/* What an earlier version did not count, and the one that replaced it does: the sum is too small to be told. */
static void add_partial_gaps(struct build *b)
{
	char name[64];

	for (int i = 0; i < USES; i++) {
		if (!b->totals.partial[i])
			continue;
		snprintf(name, sizeof(name), "used.%s", use_name(i));
		record_gap(b, name, "the version of stint that the job began with did not count it");
		b->uncounted[i] = true;
	}
}

/*
 * Whether counting covered the whole job. A job that opened no step here may have
 * run none, or may have been over before the collector was there: the reports
 * know when it started.
 */
static bool judge_complete(struct build *b)
{
	const struct job *job = b->job;
	bool complete = true;

	if (job->late) {
		record_gap(b, "job", job->late_why);
		complete = false;
	}
	if (b->totals.unseen_threads) {
		add_unseen_change(b);
		complete = false;
	}
	if (job->off) {
		record_gap(b, "used", "the job's first step was run with --stint=off");
		complete = false;
	} else if (job->opened_ns && !job->key) {
		record_gap(b, "used", job->no_cgroup.text);
		complete = false;
	} else if (job->key && !b->have_totals) {
		record_gap(b, "used", "the kernel did not give out what it had counted");
		complete = false;
	}
	if (b->totals.lost_tasks) {
		record_gap(b, "used.cpu_s", "the kernel had no memory to follow every thread");
		complete = false;
	}
	return complete;
}

/* By how much somebody set the clock since the job's first step; what ntp does to it by the way is none of that. */
static void add_clock_set(const struct build *b, struct json_object *record)
{
	const struct job *job = b->job;
	uint64_t then = job->opened_unix_ns - job->opened_ns; /* a damaged message may say anything */
	int64_t set_ns = (int64_t)((uint64_t)b->to_unix_ns - then);

	if (job->opened_ns && (set_ns >= CLOCK_SET_MIN_NS || set_ns <= -CLOCK_SET_MIN_NS))
		json_object_object_add(record, "clock_set_ns", json_object_new_int64(set_ns));
}

static void add_outcome(struct build *b, struct json_object *record)
{
	const struct job_about *about = &b->job->about;

	json_add_path(record, "work_dir", "work_dir_hex", about->work_dir);
	json_add_path(record, "output", "output_hex", about->output[0] ? about->output : b->source->conf->output);
	json_add_text(record, "mode", about->mode == CONTROL_MODE_SUMMARY ? "summary" : "timeline");
	json_add_text(record, "partition", about->partition);
	json_add_text(record, "node_list", about->node_list);
	if (about->exit_status >= 0)
		json_add_number(record, "exit_status", about->exit_status);
	if (about->derived_status >= 0)
		json_add_number(record, "derived_exit_status", about->derived_status);
	if (b->job->opened_ns)
		json_add_number(record, "opened_unix_ns", b->job->opened_ns + b->to_unix_ns);
	add_clock_set(b, record);
}

/* The sums that the kernel programs could not add up themselves are added here, before anything is told of them. */
static void read_totals(struct build *b)
{
	const struct job *job = b->job;

	b->have_totals = job->key && programs__totals(b->source->programs, job->key, &b->totals) == 0;
	b->totals.use[USE_CPU] += job->before_cpu_ns;
	/* Of a job that runs on, what its live threads have used is in no total yet. */
	for (int i = 0; job->shown && i < RECORD_USES_TOLD; i++)
		if (job->so_far[i] > b->totals.use[i])
			b->totals.use[i] = job->so_far[i];
	b->totals.oom_kills += job->ooms.kills;
	b->totals.processes += b->totals.unseen_processes;
}

static void add_parts(struct build *b)
{
	json_object_object_add(b->record, "allocated", build_allocated(b));
	record_totals(b);
	record_steps(b);
	record_tools(b);
	record_timeline(b);
	record_pressure(b);
	record_file_systems(b);
	record_files(b);
	record_oom(b);
	record_series_and_progress(b);
}

struct json_object *record_build(const struct record_source *source, struct job *job, struct error *err)
{
	struct build b = { .source = source, .job = job, .to_unix_ns = clock_boot_to_unix_ns() };

	b.record = json_object_new_object();
	b.gaps = json_object_new_array();
	if (!b.record || !b.gaps) {
		error_set(err, "out of memory");
		return NULL;
	}
	read_totals(&b);
	add_program_gaps(&b);
	add_partial_gaps(&b);
	json_add_number(b.record, "stint_record", 1);
	json_object_object_add(b.record, "collector", build_collector(&b));
	json_object_object_add(b.record, "identity", build_identity(&b));
	json_object_object_add(b.record, "user", build_user(&b));
	add_outcome(&b, b.record);
	add_parts(&b);
	json_object_object_add(b.record, "complete", json_object_new_boolean(judge_complete(&b)));
	add_lost_gaps(&b);
	json_object_object_add(b.record, "gaps", b.gaps);
	json_object_object_add(b.record, "lost", build_lost(&b));
	free(b.tools);
	return b.record;
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
	const struct job_about *about = &job->about;
	size_t used;
	int n;

	name[0] = '\0';
	add_part(name, size / 4, about->cluster);
	strcat(name, ".");
	add_part(name, size / 2, about->node);
	used = strlen(name);
	n = snprintf(name + used, size - used, ".%u.%u.%" PRIu64 SPOOL_SUFFIX, about->job_id,
		     attempt_of(about),
		     job->first_unix_ns / 1000000000);
	return n < 0 || (size_t)n >= size - used ? -1 : 0;
}
