/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds what stintd sampled: use over time, activity, stalls, OOM kills. */
#include <stdio.h>
#include <string.h>

#include "collector/job/use.h"
#include "collector/record/node_record_internal.h"
#include "common/json_writer.h"

static const char *const level_names[SERIES_LEVELS] = {
	[SERIES_MEMORY_USED] = "memory_used_bytes",
	[SERIES_MEMORY_CACHE] = "memory_cache_bytes",
	[SERIES_PROCESSES] = "processes",
	[SERIES_THREADS] = "threads",
};

static struct json_object *build_ends(const struct series *series)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < series->count; i++)
		json_object_array_add(array, json_object_new_int64(series->points[i].end_ns - series->start_ns));
	return array;
}

static struct json_object *build_sums(const struct series *series, int use)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < series->count; i++)
		json_object_array_add(array, json_object_new_int64(series->points[i].use[use]));
	return array;
}

static struct json_object *build_levels(const struct series *series, int level)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < series->count; i++) {
		int64_t value = series->points[i].level[level];

		json_object_array_add(array, value == SERIES_UNKNOWN ? NULL : json_object_new_int64(value));
	}
	return array;
}

static void add_series(struct build *b)
{
	struct json_object *object = json_object_new_object(), *columns = json_object_new_object();
	const struct series *series = &b->job->series;

	put_count(object, "start_unix_ns", series->start_ns + b->to_unix_ns);
	put_count(object, "interval_ns", b->source->conf->sample_interval_s * 1000000000ll * series->samples);
	json_object_object_add(object, "end_offsets_ns", build_ends(series));
	for (int i = 0; i < ABI_USES_SENT; i++)
		if (!b->uncounted[i])
			json_object_object_add(columns, use_name(i), build_sums(series, i));
	for (int i = 0; i < SERIES_LEVELS; i++)
		json_object_object_add(columns, level_names[i], build_levels(series, i));
	json_object_object_add(object, "columns", columns);
	json_object_object_add(b->record, "series", object);
}

static struct json_object *build_stall(const struct build *b, const struct stall *stall)
{
	struct json_object *object = json_object_new_object();

	node_record_add_tool(b, object, stall->tool);
	put_count(object, "pid", stall->pid);
	node_record_add_step(b, object, stall->step);
	put_count(object, "start_unix_ns", stall->start_ns + b->to_unix_ns);
	put_count(object, "quiet_ns", stall->quiet_ns);
	return object;
}

static void add_progress(struct build *b)
{
	struct json_object *object = json_object_new_object(), *stalls = json_object_new_array();
	const struct progress *progress = &b->job->progress;
	uint64_t first_ns, last_ns;

	if (progress_activity(progress, &first_ns, &last_ns)) {
		put_count(object, "first_activity_unix_ns", first_ns + b->to_unix_ns);
		put_count(object, "last_activity_unix_ns", last_ns + b->to_unix_ns);
	}
	for (unsigned int i = 0; i < progress->stall_count; i++)
		json_object_array_add(stalls, build_stall(b, &progress->stalls[i]));
	json_object_object_add(object, "stalls", stalls);
	json_object_object_add(b->record, "progress", object);
}

/* Returns the job's end. If a process is alive, the end is not before the last sample. */
static uint64_t end_of(const struct build *b)
{
	const struct job *job = b->job;
	uint64_t process_ns = 0;

	if (b->totals.live)
		return job->closing.close_ns > job->series.end_ns ? job->closing.close_ns : job->series.end_ns;
	for (size_t i = 0; i < b->tool_count; i++)
		if (b->listed[i].tool.last_end_ns > process_ns)
			process_ns = b->listed[i].tool.last_end_ns;
	return job_end_ns(job, process_ns);
}

static void raise_level(int64_t *level, int64_t value)
{
	if (value > *level)
		*level = value;
}

/* Raises the last point to memory values that were read later. */
static void raise_last(struct job *job)
{
	struct series_point *last = job->series.count ? &job->series.points[job->series.count - 1] : NULL;

	if (!last || !job->was_read)
		return;
	raise_level(&last->level[SERIES_MEMORY_USED], job->highest.used_bytes);
	raise_level(&last->level[SERIES_MEMORY_CACHE], job->highest.cache_bytes);
}

static void end_series(struct build *b)
{
	struct series *series = &b->job->series;
	__u64 before[ABI_USES_SENT], use[ABI_USES_SENT];
	uint64_t from_ns = series->end_ns;

	memcpy(before, series->total, sizeof(before));
	for (int i = 0; i < ABI_USES_SENT; i++)
		use[i] = use_positive(b->totals.use[i]);
	series_end(series, end_of(b), use);
	for (int i = 0; i < ABI_USES_SENT; i++)
		if (before[i] > series->total[i])
			before[i] = series->total[i];
	progress_note(&b->job->progress, from_ns, series->end_ns, before, series->total);
	progress_end(&b->job->progress, series->end_ns);
	raise_last(b->job);
}

/* Adds a gap if so many samples in a row were left out that this was not chance. */
static void add_rare_gap(struct build *b)
{
	unsigned int most = b->job->series.left_out_most;
	char why[192];

	if (most <= SERIES_LEFT_OUT_FEW)
		return;
	snprintf(why, sizeof(why),
		 "this node had so many threads that stintd did not read any for up to %llu s: what they used meanwhile is one point, "
		 "and quiet times are no more exact than that",
		 (most + 1ull) * b->source->conf->sample_interval_s);
	node_record_gap(b, b->job->about.mode == CONTROL_MODE_SUMMARY ? "progress" : "series", why);
}

void node_record_series_and_progress(struct build *b)
{
	if (!b->have_totals || !b->job->series.start_ns)
		return;
	if (!node_record_was_sampled(b)) {
		const char *why = node_record_was_followed(b) ? "live threads are not sampled on this node"
							      : "more jobs ran at once than stint can follow as a whole";

		node_record_gap(b, "progress", why);
		if (!node_record_was_followed(b))
			node_record_gap(b, "series", why);
		return;
	}
	add_rare_gap(b);
	end_series(b);
	if (b->job->about.mode != CONTROL_MODE_SUMMARY)
		add_series(b);
	add_progress(b);
}

/*
 * Returns the limit at which @victim was killed, in bytes; -1: none, or not known.
 *
 * If the kernel showed only the pid, this is the lower limit of step and job. If the step is not known, the limit is
 * not known.
 */
static int64_t limit_of(const struct job *job, const struct oom_victim *victim)
{
	int64_t limit = job->memory.limit_bytes;

	if (victim->limit_bytes)
		return victim->limit_bytes;
	for (uint32_t i = 0; !victim->rss_bytes && i < job->step_count; i++) {
		int64_t own = job->steps[i].memory.limit_bytes;

		if (job->steps[i].cgroup == victim->step)
			return own >= 0 && (limit < 0 || own < limit) ? own : limit;
	}
	return -1;
}

static void put_bytes(struct json_object *object, const char *name, uint64_t bytes)
{
	if (bytes)
		put_count(object, name, bytes);
}

static void put_oom_state(struct json_object *object, const struct oom_victim *victim)
{
	put_bytes(object, "kernel_bytes", victim->state.kernel_bytes);
	put_bytes(object, "slab_bytes", victim->state.slab_bytes);
	put_bytes(object, "names_bytes", victim->state.names_bytes);
	put_bytes(object, "page_table_bytes", victim->state.page_table_bytes);
	if (victim->state.flags & OOM_NODE)
		put_flag(object, "node_ran_out", true);
	if (victim->along)
		put_flag(object, "along", true);
}

static struct json_object *build_victim(const struct build *b, const struct oom_victim *victim)
{
	struct json_object *object = json_object_new_object();
	int64_t limit = limit_of(b->job, victim);

	put_count(object, "time_unix_ns", victim->time_ns + b->to_unix_ns);
	node_record_add_tool(b, object, victim->tool);
	put_known_text(object, "comm", victim->comm);
	put_count(object, "pid", victim->pid);
	node_record_add_step(b, object, victim->step);
	put_bytes(object, "rss_bytes", victim->rss_bytes);
	put_bytes(object, "used_bytes", victim->used_bytes);
	if (limit >= 0)
		put_count(object, "limit_bytes", limit);
	put_oom_state(object, victim);
	return object;
}

void node_record_oom(struct build *b)
{
	struct json_object *array = json_object_new_array();
	const struct ooms *ooms = &b->job->ooms;

	for (uint32_t i = 0; i < ooms->count; i++)
		json_object_array_add(array, build_victim(b, &ooms->victims[i]));
	json_object_object_add(b->record, "oom", array);
}
