/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/record/node_record.h"

#include <ctype.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/job/use.h"
#include "collector/record/node_record_internal.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/file.h"
#include "common/json_writer.h"
#include "common/record_name.h"

/* Slurm's times are in seconds, so a smaller change does not matter. */
#define CLOCK_SET_MIN_NS 1000000000ll

static struct json_object *build_collector(const struct build *b)
{
	struct json_object *object = json_object_new_object();

	put_text(object, "version", PACKAGE_VERSION);
	put_count(object, "booted_unix_ns", b->to_unix_ns);
	put_count(object, "since_unix_ns", programs__since_ns(b->source->programs) + b->to_unix_ns);
	put_count(object, "closed_unix_ns", b->job->closing.close_ns + b->to_unix_ns);
	return object;
}

static void read_boot_id(char *id, size_t size)
{
	cleanup_free char *text = file_read_kernel("/proc/sys/kernel/random/boot_id", 4096);

	snprintf(id, size, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
}

/* A very large restart count means "not known". */
static uint32_t attempt_of(const struct job_about *about)
{
	return about->restart_count >= CONTROL_NONE ? 1 : about->restart_count + 1;
}

static struct json_object *build_identity(const struct build *b)
{
	const struct job_about *about = &b->job->about;
	struct json_object *object = json_object_new_object();
	char boot_id[64];

	put_known_text(object, "cluster", about->cluster);
	put_count(object, "job_id", about->job_id);
	if (about->array_job_id && about->array_job_id != CONTROL_NONE) {
		put_count(object, "array_job_id", about->array_job_id);
		put_count(object, "array_task_id", about->array_task_id);
	}
	put_count(object, "attempt", attempt_of(about));
	put_known_text(object, "node", about->node);
	read_boot_id(boot_id, sizeof(boot_id));
	put_known_text(object, "boot_id", boot_id);
	return object;
}

static struct json_object *build_user(const struct build *b)
{
	const struct job_about *about = &b->job->about;
	struct json_object *object = json_object_new_object();
	const struct passwd *user = NULL;

	put_count(object, "uid", about->uid);
	put_count(object, "gid", about->gid);
	if (!about->user[0] && b->source->may_wait)
		user = getpwuid(about->uid);
	put_known_text(object, "name", user ? user->pw_name : about->user);
	if (about->umask >= 0)
		put_count(object, "umask", about->umask);
	return object;
}

struct core_list {
	struct json_object *cores;
	uint64_t *cpu_ns; /* of the user's threads, by CPU; NULL: not known */
};

static uint64_t used_on(const uint64_t *cpu_ns, const struct topology_core *core)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < core->pu_count; i++)
		sum += core->pus[i] < ABI_CPUS_MAX ? cpu_ns[core->pus[i]] : 0;
	return sum;
}

static void take_core(const struct topology_core *core, void *data)
{
	struct json_object *object = json_object_new_object(), *pus = json_object_new_array();
	struct core_list *list = data;

	put_count(object, "core", core->core);
	put_count(object, "package", core->package);
	for (unsigned int i = 0; i < core->pu_count; i++)
		json_object_array_add(pus, json_object_new_int64(core->pus[i]));
	json_object_object_add(object, "pus", pus);
	if (list->cpu_ns)
		put_count(object, "cpu_ns", used_on(list->cpu_ns, core));
	json_object_array_add(list->cores, object);
}

static bool read_cpu_uses(const struct build *b, uint64_t cpu_ns[ABI_CPUS_MAX])
{
	if (!node_record_was_followed(b) ||
	    programs__cpu_uses(b->source->programs, b->totals.slot, b->job->key, cpu_ns, ABI_CPUS_MAX) < 0)
		return false;
	for (size_t i = 0; b->living_cpu_ns && i < ABI_CPUS_MAX; i++)
		if (cpu_ns[i] < b->living_cpu_ns[i])
			cpu_ns[i] = b->living_cpu_ns[i];
	return true;
}

static void add_cores(struct build *b, struct json_object *allocated)
{
	uint64_t cpu_ns[ABI_CPUS_MAX];
	struct core_list list = {};
	struct error err;
	int count;

	if (!b->job->cpus[0]) {
		node_record_gap(b, "allocated.cores", "no cpuset bound the job (cgroup.conf: ConstrainCores=yes)");
		return;
	}
	put_known_text(allocated, "cpu_list", b->job->cpus);
	if (!b->source->topology) {
		node_record_gap(b, "allocated.cores", b->source->topology_error);
		return;
	}
	list.cores = json_object_new_array();
	list.cpu_ns = read_cpu_uses(b, cpu_ns) ? cpu_ns : NULL;
	count = topology_cores(b->source->topology, b->job->cpus, take_core, &list, &err);
	if (count < 0) {
		node_record_gap(b, "allocated.cores", err.text);
		json_object_put(list.cores);
		return;
	}
	put_count(allocated, "cpus", count);
	json_object_object_add(allocated, "cores", list.cores);
}

#define GPUS_MAX 256

/* Adds the indexes of "0,2", which slurmd wrote (gres_common_prep_set_env() in gres_common.c). */
static void add_gpus(struct build *b, struct json_object *allocated)
{
	struct json_object *indexes = json_object_new_array();
	const char *at = b->job->about.gpus;

	while (*at) {
		size_t digits = strspn(at, "0123456789");

		if (digits == 0 || digits > 6 || (at[digits] && at[digits] != ',') ||
		    json_object_array_length(indexes) == GPUS_MAX) {
			node_record_gap(b, "allocated.gpus_allocated", "SLURM_JOB_GPUS in the epilog is no list of numbers");
			json_object_put(indexes);
			return;
		}
		json_object_array_add(indexes, json_object_new_int64(strtol(at, NULL, 10)));
		at += digits + (at[digits] == ',');
	}
	if (json_object_array_length(indexes) > 0)
		json_object_object_add(allocated, "gpu_indexes", indexes);
	else
		json_object_put(indexes);
}

static struct json_object *build_allocated(struct build *b)
{
	struct json_object *object = json_object_new_object();

	add_cores(b, object);
	add_gpus(b, object);
	if (b->job->about.job_memory_mb)
		put_count(object, "memory_bytes", b->job->about.job_memory_mb * 1024 * 1024);
	return object;
}

/* Returns how many ended images the timeline lacks. A killed stintd had read the events of these images. */
static uint64_t unseen_records(const struct build *b)
{
	const struct timeline *timeline = &b->job->timeline;
	uint64_t known = b->totals.lost_records + timeline->lost;

	if (!b->job->counting.unseen)
		return 0;
	for (size_t i = 0; i < timeline->count; i++)
		known += timeline->entries[i].count;
	return b->images > known ? b->images - known : 0;
}

static struct json_object *build_lost(const struct build *b)
{
	struct json_object *object = json_object_new_object();
	const struct totals *totals = &b->totals;

	put_count(object, "process_records", totals->lost_records + b->job->timeline.lost);
	put_count(object, "seen_by_killed_collector", unseen_records(b));
	put_count(object, "tools", totals->lost_tools);
	put_count(object, "tasks", totals->lost_tasks);
	put_count(object, "files", totals->lost_files);
	put_count(object, "uses", totals->lost_uses);
	put_count(object, "requests", totals->lost_requests);
	put_count(object, "file_systems", totals->lost_file_systems);
	put_count(object, "oom_records", totals->lost_ooms + b->job->ooms.lost);
	put_count(object, "steps", b->job->steps_lost);
	return object;
}

/* Adds gaps for missing programs. Marks their sums, so that the record does not show them as 0. */
static void add_program_gaps(struct build *b)
{
	struct program_state states[PROGRAMS];
	int count = programs__states(b->source->programs, states);

	for (int i = 0; i < count; i++) {
		if (!states[i].gap)
			continue;
		node_record_gap(b, states[i].gap, states[i].gap_reason);
		use_mark_uncounted(states[i].gap, b->uncounted);
	}
}

static void add_unseen_gaps(struct build *b)
{
	static const char why[] = "the collector was killed during the job, or the next collector could not read what it had saved: "
				  "what it had seen by then is lost";

	node_record_gap(b, "timeline", why);
	node_record_gap(b, "progress", why);
	node_record_gap(b, "used.memory_used_peak_bytes", why);
	if (b->totals.oom_kills > b->job->ooms.count)
		node_record_gap(b, "oom", why);
}

static void add_lost_gaps(struct build *b)
{
	static const char no_place_for_requests[] =
		"stint's BPF map of processes, or the user's share of it, was full: requests that another process completed are not "
		"counted";
	const struct totals *totals = &b->totals;

	if (totals->lost_records || b->job->timeline.lost)
		node_record_gap(b, "timeline", "the job had more runs than stint keeps one by one; the sums include all of them");
	if (totals->lost_tools)
		node_record_gap(b, "tools",
				b->others
					? "the job had more different tools than stint keeps apart; one line sums up the others"
					: "stint's BPF map of tools was full: the other tools are only in the job's sums");
	if (totals->lost_uses)
		node_record_gap(
			b, "tools",
			"stint's BPF maps of processes, or the user's share of them, were full: what some threads used is only in the "
			"sums");
	if (totals->lost_requests) {
		node_record_gap(b, "used.async_read_bytes", no_place_for_requests);
		node_record_gap(b, "used.async_write_bytes", no_place_for_requests);
	}
	if (totals->socket_splices && !programs__loaded(b->source->programs, PROGRAM_tcp_spliced))
		node_record_gap(b, "used.socket_rx_bytes",
				"on this kernel, BPF cannot see what splice() reads from a socket");
	if (totals->lost_file_systems)
		node_record_gap(b, "used.file_systems", "stint's BPF map of file systems was full");
	if (totals->lost_files)
		node_record_gap(b, "files", "the job used more different files than stint keeps apart; the others are only in the "
					    "sums");
	if (totals->lost_ooms || b->job->ooms.lost)
		node_record_gap(b, "oom", "the kernel killed more processes than stint lists one by one; oom_kills counts all of "
					  "them");
	if (b->job->counting.unseen)
		add_unseen_gaps(b);
}

/* Adds a gap: some threads ended or began while programs were replaced. */
static void add_unseen_change(struct build *b)
{
	char why[256];

	snprintf(why, sizeof(why),
		 "another version of stint took over during the job: %" PRIu64 " threads ended, or ran another program, within "
									      "%.3f s, and what they did is not known; the job's "
									      "CPU time and processes include them",
		 (uint64_t)b->totals.unseen_threads, b->totals.replaced_ns / 1e9);
	node_record_gap(b, "job", why);
}

/* Adds gaps for sums that only the new programs count. Such a sum is too small, so the record lacks it. */
static void add_partial_gaps(struct build *b)
{
	char name[64];

	for (int i = 0; i < USES; i++) {
		if (!b->totals.partial[i])
			continue;
		snprintf(name, sizeof(name), "used.%s", use_name(i));
		node_record_gap(b, name, "the version of stint that the job began with did not count it");
		b->uncounted[i] = true;
	}
}

/*
 * Returns true if the whole job was counted. If no step ran here, reports/ decides this, because it knows when the job
 * started.
 */
static bool judge_complete(struct build *b)
{
	const struct job *job = b->job;
	bool complete = true;

	if (job->counting.late) {
		node_record_gap(b, "job", job->counting.late_why);
		complete = false;
	}
	if (job->closing.no_epilog) {
		char why[160];

		snprintf(why, sizeof(why), "no epilog came for %u s after the job had left the node: how the job ended is not known "
					   "here",
			 b->source->conf->epilog_wait_s);
		node_record_gap(b, "job", why);
		complete = false;
	}
	if (b->totals.unseen_threads) {
		add_unseen_change(b);
		complete = false;
	}
	if (job->off) {
		node_record_gap(b, "used", "the job's first step ran with --stint=off");
		complete = false;
	} else if (job->opened_ns && !job->key) {
		node_record_gap(b, "used", job->no_cgroup.text);
		complete = false;
	} else if (job->key && !b->have_totals) {
		node_record_gap(b, "used", "stintd could not read from the kernel what had been counted");
		complete = false;
	}
	if (!job->queried && (int64_t)b->totals.threads > 0) {
		char why[160];

		snprintf(why, sizeof(why), "%" PRIu64 " %s of the job had not ended when it was closed: what %s used is not counted",
			 (uint64_t)b->totals.threads, b->totals.threads == 1 ? "thread" : "threads",
			 b->totals.threads == 1 ? "it" : "they");
		node_record_gap(b, "used", why);
		complete = false;
	}
	if (job->counting.cpu_unknown) {
		node_record_gap(
			b, "used.cpu_s",
			"stintd could not read what live threads had used when the collector was replaced: what was used without "
			"being counted is not known");
		complete = false;
	}
	if (b->totals.moved_out) {
		node_record_moved_out(b);
		complete = false;
	}
	if (b->totals.lost_tasks) {
		node_record_gap(b, "used.cpu_s", "the kernel had no memory to follow every thread");
		complete = false;
	}
	return complete;
}

/* Adds how far the clock was set since the job began, except small corrections by NTP. */
static void add_clock_set(const struct build *b, struct json_object *record)
{
	const struct job *job = b->job;
	uint64_t then = job->opened_unix_ns - job->opened_ns; /* unsigned, because the message may be damaged */
	int64_t set_ns = (int64_t)((uint64_t)b->to_unix_ns - then);

	if (job->opened_ns && (set_ns >= CLOCK_SET_MIN_NS || set_ns <= -CLOCK_SET_MIN_NS))
		put_count(record, "clock_set_ns", set_ns);
}

static void add_outcome(struct build *b, struct json_object *record)
{
	const struct job_about *about = &b->job->about;

	put_path(record, "work_dir", "work_dir_hex", about->work_dir);
	put_path(record, "output", "output_hex", about->output[0] ? about->output : b->source->conf->output);
	put_known_text(record, "mode", about->mode == CONTROL_MODE_SUMMARY ? "summary" : "timeline");
	put_known_text(record, "partition", about->partition);
	put_known_text(record, "node_list", about->node_list);
	if (about->exit_status >= 0)
		put_count(record, "exit_status", about->exit_status);
	if (about->derived_status >= 0)
		put_count(record, "derived_exit_status", about->derived_status);
	if (b->job->opened_ns)
		put_count(record, "opened_unix_ns", b->job->opened_ns + b->to_unix_ns);
	/* Only the epilog and a step other than the extern step know the job's option. */
	if (b->job->extern_step.ends_job && !job_has_step(b->job))
		put_flag(record, "option_unknown", true);
	if (b->job->extern_step.ends_job && !about->node_list[0])
		put_flag(record, "nodes_unknown", true);
	if (job_continues(b->job))
		put_flag(record, "continues", true);
	if (b->job->extern_step.ends_job && b->job->cgroup.job_id)
		put_count(record, "cgroup_id", b->job->cgroup.job_id);
	if (b->job->opened_ns && (b->job->epilogs_restarts || b->job->extern_step.ends_job))
		put_count(record, "epilogs_restarts", b->job->epilogs_restarts);
	add_clock_set(b, record);
}

static void read_totals(struct build *b)
{
	const struct job *job = b->job;

	b->have_totals = job->key && programs__totals(b->source->programs, job->key, &b->totals) == 0;
	b->totals.use[USE_CPU] += job->counting.before_cpu_ns;
	b->totals.oom_kills += job->ooms.kills;
	b->totals.processes += b->totals.unseen_processes;
}

static void add_parts(struct build *b)
{
	json_object_object_add(b->record, "allocated", build_allocated(b));
	node_record_totals(b);
	node_record_steps(b);
	node_record_tools(b);
	node_record_containers(b);
	node_record_timeline(b);
	node_record_pressure(b);
	node_record_file_systems(b);
	node_record_files(b);
	node_record_oom(b);
	node_record_gpus(b);
	node_record_gpu_files(b);
	node_record_series_and_progress(b);
}

struct json_object *node_record_build(const struct record_source *source, struct job *job, struct error *err)
{
	struct build b = { .source = source, .job = job, .to_unix_ns = clock_boot_to_unix_ns() };

	b.record = json_object_new_object();
	b.gaps = json_object_new_array();
	if (!b.record || !b.gaps) {
		json_object_put(b.record);
		json_object_put(b.gaps);
		error_set(err, "out of memory");
		return NULL;
	}
	read_totals(&b);
	node_record_find_steps(&b);
	node_record_read_tools(&b);
	node_record_read_containers(&b);
	add_program_gaps(&b);
	add_partial_gaps(&b);
	/* The totals of a running job lack its live threads. */
	if (job->queried) {
		node_record_read_steps(&b);
		node_record_look_at_living(&b);
	}
	put_count(b.record, "stint_record", 1);
	json_object_object_add(b.record, "collector", build_collector(&b));
	json_object_object_add(b.record, "identity", build_identity(&b));
	json_object_object_add(b.record, "user", build_user(&b));
	add_outcome(&b, b.record);
	add_parts(&b);
	put_flag(b.record, "complete", judge_complete(&b));
	add_lost_gaps(&b);
	json_object_object_add(b.record, "gaps", b.gaps);
	json_object_object_add(b.record, "lost", build_lost(&b));
	free(b.tools);
	free(b.listed);
	free(b.containers);
	free(b.step_totals);
	free(b.have_step_totals);
	free(b.living);
	free(b.living_cpu_ns);
	return b.record;
}

static void add_part(char *name, size_t size, const char *part)
{
	size_t used = strlen(name);

	for (; *part && used + 1 < size; part++)
		name[used++] = isalnum((unsigned char)*part) || *part == '-' ? *part : '_';
	name[used] = '\0';
}

int node_record_name(const struct job *job, char *name, size_t size)
{
	const struct job_about *about = &job->about;
	size_t used;
	int n;

	name[0] = '\0';
	/* The name of a record must not begin with a dot. */
	add_part(name, size / 4, *about->cluster ? about->cluster : "_");
	strcat(name, ".");
	add_part(name, size / 2, about->node);
	used = strlen(name);
	n = snprintf(name + used, size - used, ".%u.%u.%" PRIu64 "%s" RECORD_NAME_USER "%u" RECORD_NAME_SUFFIX,
		     about->job_id, attempt_of(about), job->first_unix_ns / 1000000000,
		     job_continues(job) ? RECORD_NAME_CONTINUES : "", about->uid);
	return n < 0 || (size_t)n >= size - used ? -1 : 0;
}

bool node_record_is_continued(const struct jobs *jobs, const char *name)
{
	char own[768];

	for (const struct job *job = jobs->first; job; job = job->next)
		if (job_continues(job) && node_record_name(job, own, sizeof(own)) == 0 && record_name_follows(own, name))
			return true;
	return false;
}
