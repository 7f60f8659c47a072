/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/store/store_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/cleanup.h"
#include "common/memory/memory_limit.h"
#include "reports/builder/report_cores.h"
#include "reports/builder/workflow.h"
#include "reports/json/field.h"
#include "reports/records/parents.h"
#include "reports/store/store_line_internal.h"

#define NS_PER_MS 1000000

static void put_unless_null(struct json_object *out, const char *name, struct json_object *value)
{
	if (value)
		json_object_object_add(out, name, value);
}

static void copy_numbers(struct json_object *out, const void *from, const struct store_member *members)
{
	for (; members->name; members++) {
		int64_t value = *(const int64_t *)((const char *)from + members->offset);

		if (value >= 0)
			store_put_at(out, members->name, json_object_new_int64(value));
	}
}

static void copy_texts(struct json_object *out, const void *from, const struct store_member *members)
{
	for (; members->name; members++) {
		const char *text = *(const char *const *)((const char *)from + members->offset);

		if (text)
			store_put_at(out, members->name, store_new_text(text, STORE_TEXT));
	}
}

static void copy_flags(struct json_object *out, const void *from, const struct store_member *members)
{
	for (; members->name; members++)
		if (*((const bool *)from + members->offset))
			put_flag(out, members->name, true);
}

/* ---- the lists ---- */

static struct json_object *make_totals(const struct store_making *making)
{
	struct json_object *out;

	if (!making->record->totals.known)
		return NULL;
	out = json_object_new_array();
	store_put_columns(out, &making->record->totals, store_total_columns, REPORT_UNKNOWN);
	return out;
}

/*
 * Sets the last numbers of a step to unknown if they are 0, because unknown numbers at the end of a list are left out.
 */
static void forget_zeros(struct record_totals *totals)
{
	int64_t *const numbers[] = { &totals->write_bytes, &totals->memory_stall_ns, &totals->fault_io_ns, &totals->reclaim_ns };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (*numbers[i] == 0)
			*numbers[i] = REPORT_UNKNOWN;
}

static struct json_object *step_array(const struct record_step *step)
{
	/* the batch step's task is the job's script */
	bool script = report_text_is(step->id, "batch") && step->tasks.count > 0;
	struct json_object *out = json_object_new_array();

	struct record_step kept = *step;

	json_object_array_add(out, store_new_text(step->id, STORE_STEP_ID));
	forget_zeros(&kept.totals);
	store_put_columns(out, &kept, store_step_columns, script ? step->tasks.items[0].pid : REPORT_UNKNOWN);
	return out;
}

static struct json_object *make_steps(const struct store_making *making)
{
	const struct record_step_list *steps = &making->record->steps;
	struct json_object *out = json_object_new_array();

	for (size_t i = 0; i < steps->count && i < STORE_STEPS; i++)
		json_object_array_add(out, step_array(&steps->items[i]));
	return out;
}

/* Returns the numbers of a wait; 0 if the job never had this wait; null if the numbers are not known. */
static struct json_object *wait_array(const struct record_wait *wait)
{
	struct json_object *out;

	if (wait->some_ns == 0 && wait->full_ns == 0 && wait->bound_ns == 0 && wait->waits == 0)
		return json_object_new_int64(0);
	out = json_object_new_array();
	store_put_columns(out, wait, store_wait_columns, REPORT_UNKNOWN);
	if (field_length(out))
		return out;
	json_object_put(out);
	return NULL;
}

static void put_waits(const struct store_making *making, struct json_object *out)
{
	const struct record_waits *waits = &making->record->pressure.waits;
	struct json_object *list;

	if (!waits->known)
		return;
	list = put_array(out, "waits");
	for (const uint16_t *kind = store_waits; *kind != STORE_END; kind++)
		json_object_array_add(list, wait_array((const struct record_wait *)((const char *)waits + *kind)));
}

static int most_waited_first(const void *a, const void *b)
{
	int64_t one = 0, other = 0;

	take_count((*(const struct record_file_system *const *)a)->wait_ns, &one);
	take_count((*(const struct record_file_system *const *)b)->wait_ns, &other);
	return one != other ? (one > other ? -1 : 1) : 0;
}

static struct json_object *make_file_systems(const struct store_making *making)
{
	const struct record_file_system_list *list = &making->record->file_systems;
	cleanup_free const struct record_file_system **sorted = calloc(list->count + 1, sizeof(*sorted));
	struct json_object *out;

	if (!list->known || !sorted)
		return NULL;
	for (size_t i = 0; i < list->count; i++)
		sorted[i] = &list->items[i];
	qsort(sorted, list->count, sizeof(*sorted), most_waited_first);
	out = json_object_new_array();
	for (size_t i = 0; i < list->count && i < STORE_FILE_SYSTEMS; i++) {
		struct json_object *one = json_object_new_array();

		json_object_array_add(one, store_new_text(sorted[i]->type, STORE_TEXT));
		store_put_columns(one, sorted[i], store_file_system_columns, REPORT_UNKNOWN);
		json_object_array_add(out, one);
	}
	return out;
}

/* Adds an entry that refers to the record's tool @tool. */
static struct json_object *add_entry(const struct store_making *making, struct json_object *out, int64_t tool)
{
	struct json_object *entry = json_object_new_array();
	int64_t place = store_tool_place(making, tool);

	json_object_array_add(out, entry);
	json_object_array_add(entry, place < 0 ? NULL : json_object_new_int64(place));
	return entry;
}

static struct json_object *make_oom(const struct store_making *making)
{
	const struct record_oom_kill_list *oom = &making->record->oom;
	struct json_object *out = oom->known ? json_object_new_array() : NULL;

	for (size_t i = 0; i < oom->count && i < STORE_OOM; i++) {
		const struct record_oom_kill *kill = &oom->items[i];
		struct json_object *entry = add_entry(making, out, kill->tool);

		/* A process of a script has the script's name, so keep the name only if scripts keep their names. */
		json_object_array_add(entry, making->scripts ? store_new_name(kill->comm) : NULL);
		json_object_array_add(entry, store_new_text(kill->step, STORE_STEP_ID));
		store_put_columns(entry, kill, store_oom_columns,
				  (kill->node_ran_out ? STORE_NODE_RAN_OUT : 0) | (kill->along ? STORE_ALONG : 0));
	}
	return out;
}

static struct json_object *make_stalls(const struct store_making *making)
{
	const struct record_stall_list *stalls = &making->record->progress.stalls;
	struct json_object *out = stalls->known ? json_object_new_array() : NULL;

	for (size_t i = 0; i < stalls->count && i < STORE_STALLS; i++) {
		struct json_object *entry = add_entry(making, out, stalls->items[i].tool);

		json_object_array_add(entry, store_new_text(stalls->items[i].step, STORE_STEP_ID));
		store_put_columns(entry, &stalls->items[i], store_stall_columns, REPORT_UNKNOWN);
	}
	return out;
}

/*
 * Lists the GPUs that the job used; an empty list says that there was none. If there are too many, @line no longer says that
 * the list has all.
 */
static struct json_object *make_gpus(const struct store_making *making, struct json_object *line)
{
	const struct record_gpu_list *gpus = &making->record->gpus;
	struct json_object *out = gpus->known ? json_object_new_array() : NULL;

	for (size_t i = 0; i < gpus->count; i++) {
		const struct record_gpu *gpu = &gpus->items[i];
		struct json_object *one;

		if (!gpu->used)
			continue;
		if (field_length(out) >= STORE_GPUS) {
			json_object_object_del(line, "gpus_listed_ns");
			break;
		}
		one = json_object_new_array();
		json_object_array_add(one, store_new_text(gpu->vendor, STORE_TEXT));
		json_object_array_add(one, store_new_text(gpu->model, STORE_TEXT));
		store_put_columns(one, gpu, store_gpu_columns, gpu->slice ? 1 : REPORT_UNKNOWN);
		json_object_array_add(out, one);
	}
	return out;
}

/* ---- entries ---- */

/* Returns the rank of @entry as a task of srun; -1 if @entry is not a task. */
static int64_t rank_of(const struct record *record, const struct record_entry *entry)
{
	for (size_t i = 0; i < record->steps.count; i++) {
		const struct record_step *step = &record->steps.items[i];

		if (!report_text_is(step->id, entry->step) || report_text_is(step->id, "batch"))
			continue;
		for (size_t t = 0; t < step->tasks.count; t++)
			if (entry->pid >= 0 && step->tasks.items[t].pid == entry->pid)
				return step->tasks.items[t].rank;
	}
	return -1;
}

static int64_t marks_of(const struct record *record, const struct record_entry *entry, const struct entry_marks *marks)
{
	int64_t rank = rank_of(record, entry);
	int64_t bits = (entry->forked ? STORE_FORKED : 0) | (entry->dismissed ? STORE_DISMISSED : 0) |
		       (marks->by_shell ? STORE_BY_SHELL : 0) | (marks->unawaited ? STORE_UNAWAITED : 0) |
		       (marks->unread ? STORE_UNREAD : 0) | (marks->no_pipe ? STORE_NO_PIPE : 0);

	return rank < 0 || rank > INT32_MAX ? bits : bits | STORE_TASK | rank << STORE_RANK_SHIFT;
}

/*
 * Keeps all numbers of the process only if a signal ended it. Only then it matters whether the process was idle
 * (reports/ending/left_behind.c).
 */
static struct record_entry kept_numbers(const struct record_entry *entry)
{
	int wait_status = (int)(entry->exit_status & 0xffff);
	struct record_entry kept = *entry;

	if (entry->exit_status >= 0 && WIFSIGNALED(wait_status))
		return kept;
	memset(&kept.entry_use, 0xff, sizeof(kept.entry_use)); /* all -1: not known */
	kept.write_bytes = entry->write_bytes;
	kept.syscall_write_bytes = entry->syscall_write_bytes;
	return kept;
}

static struct json_object *make_ends(const struct store_making *making, const struct store_failed *failed)
{
	struct json_object *out = failed->count ? json_object_new_array() : NULL;
	struct parents parents = { NULL, 0 };

	for (size_t i = 0; i < failed->count; i++) {
		const struct record_entry *entry = failed->entries[i];
		struct record_entry numbers = kept_numbers(entry);
		struct json_object *one = add_entry(making, out, entry->tool);
		struct entry_marks marks;

		parents_mark(&parents, making->record, entry, &marks); /* if out of memory, memory_failures() counts it */
		json_object_array_add(one, store_new_text(entry->step, STORE_STEP_ID));
		store_put_columns(one, &numbers, store_failed_columns, marks_of(making->record, entry, &marks));
	}
	parents_free(&parents);
	return out;
}

static void put_gaps(const struct store_making *making, struct json_object *out)
{
	const struct record_gap_list *gaps = &making->record->gaps;
	struct json_object *list = put_array(out, "gaps");

	for (size_t i = 0; i < gaps->count && i < STORE_GAPS; i++) {
		const char *reason = gaps->items[i].reason;
		struct json_object *one;

		if (!gaps->items[i].name)
			continue;
		one = json_object_new_array();
		json_object_array_add(one, store_new_text(gaps->items[i].name, STORE_TEXT));
		/* a '/' may belong to the name of a file */
		json_object_array_add(one, store_new_text(reason && !strchr(reason, '/') ? reason : "", STORE_REASON));
		json_object_array_add(list, one);
	}
}

static void put_lost(const struct store_making *making, struct json_object *out)
{
	const struct report_count_map *lost = &making->record->lost;
	struct json_object *list = put_object(out, "lost");
	int kept = 0;

	for (size_t i = 0; i < lost->count && kept < STORE_GAPS; i++) {
		if (lost->items[i].value <= 0 || strlen(lost->items[i].name) >= 40)
			continue;
		put_count(list, lost->items[i].name, lost->items[i].value);
		kept++;
	}
}

/* ---- cores ---- */

static void put_range(struct json_object *ranges, int64_t package, int64_t first, int64_t count)
{
	struct json_object *range = json_object_new_array();

	json_object_array_add(range, package < 0 ? NULL : json_object_new_int64(package));
	json_object_array_add(range, first < 0 ? NULL : json_object_new_int64(first));
	json_object_array_add(range, json_object_new_int64(count));
	json_object_array_add(ranges, range);
}

/*
 * Returns unused cores as ranges of one package. If there are too many ranges, the last range has only the number of
 * the cores that are left.
 */
static struct json_object *unused_ranges(const struct report_unused_core_list *unused)
{
	struct json_object *ranges = json_object_new_array();
	int64_t of = -1, first = -1, count = 0;
	size_t i = 0;

	for (; i < unused->count && field_length(ranges) < STORE_CORE_RANGES - 2; i++) {
		int64_t package = unused->items[i].package, number = unused->items[i].core;

		if (count && package == of && number >= 0 && number == first + count) {
			count++;
			continue;
		}
		if (count)
			put_range(ranges, of, first, count);
		of = package;
		first = number;
		count = 1;
	}
	if (count)
		put_range(ranges, of, first, count);
	if (i < unused->count)
		put_range(ranges, -1, -1, (int64_t)(unused->count - i));
	return ranges;
}

static void put_cores(const struct store_making *making, struct json_object *out)
{
	cleanup_report struct report *listed = report_new(NULL);
	struct report_unused_core_list unused = { 0 };
	int64_t count, used, loaded;

	if (!listed || !cores_count(making->record, &count))
		return;
	out = put_object(out, "cores");
	put_count(out, "count", count);
	if (!cores_put_unused(making->record, listed, &unused, &used))
		return;
	put_count(out, "used", used);
	if (cores_count_loaded(making->record, &loaded) && loaded != used)
		put_count(out, "loaded", loaded);
	json_object_object_add(out, "unused", unused_ranges(&unused));
}

/* ---- Slurm's answer ---- */

/* Returns NULL if the job has the script's name, and scripts do not keep their names. */
static const char *job_name_of(const struct store_making *making)
{
	const char *name = making->slurm->name, *command = making->slurm->command;
	size_t length = name ? strlen(name) : 0;

	if (making->scripts || !command || !name)
		return name;
	for (const char *at = command; length && (at = strstr(at, name)); at++)
		if ((at == command || at[-1] == '/') && (at[length] == '\0' || at[length] == ' '))
			return NULL;
	return name;
}

static struct json_object *make_workflow(const struct store_making *making)
{
	cleanup_report struct report *named = report_new(NULL);
	const struct report_workflow *workflow;
	struct json_object *out;

	if (!named)
		return NULL;
	workflow = &named->job.workflow;
	named->job.name = making->slurm->name;
	named->job.work_dir = making->record->work_dir ?: making->slurm->work_dir;
	take_count(making->slurm->array_job_id, &named->job.array_job_id);
	workflow_put(named, making->slurm);
	if (!workflow->known)
		return NULL;
	out = json_object_new_object();
	put_unless_null(out, "engine", store_new_text(workflow->engine, STORE_TEXT));
	put_unless_null(out, "process", store_new_text(workflow->process, STORE_TEXT));
	put_unless_null(out, "rule", store_new_text(workflow->rule, STORE_TEXT));
	put_unless_null(out, "group", store_new_text(workflow->group, STORE_TEXT));
	return out;
}

static bool is_type(const struct record_gpu_given *one, const struct record_gpu_given *other)
{
	return report_text_is(one->kind, other->kind ?: "") && (one->type ? report_text_is(one->type, other->type) : !other->type);
}

static int64_t both_counts(int64_t one, int64_t other)
{
	return one < 0 || other < 0 ? REPORT_UNKNOWN : count_sum(one, other);
}

/* Adds up the GPUs of all nodes by type. Returns NULL if Slurm did not say which GPUs the job had, or if there are too many types. */
static struct json_object *make_gpu_types(const struct record_gpu_given_list *given)
{
	struct record_gpu_given sums[STORE_GPU_TYPES];
	struct json_object *out;
	size_t count = 0;

	for (size_t i = 0; i < given->count; i++) {
		size_t at = 0;

		while (at < count && !is_type(&given->items[i], &sums[at]))
			at++;
		if (at == STORE_GPU_TYPES)
			return NULL;
		if (at == count)
			sums[count++] = given->items[i];
		else
			sums[at].count = both_counts(sums[at].count, given->items[i].count);
	}
	out = count ? json_object_new_array() : NULL;
	for (size_t i = 0; i < count; i++) {
		struct json_object *one = json_object_new_array();

		json_object_array_add(one, store_new_text(sums[i].kind, STORE_TEXT));
		json_object_array_add(one, store_new_text(sums[i].type, STORE_TEXT));
		store_put_columns(one, &sums[i], store_gpu_type_columns, REPORT_UNKNOWN);
		json_object_array_add(out, one);
	}
	return out;
}

static void put_timed_out(const struct report_counts *steps, struct json_object *out)
{
	struct json_object *list = steps->count ? put_array(out, "steps_timed_out") : NULL;

	for (size_t i = 0; i < steps->count && i < STORE_STEPS; i++)
		json_object_array_add(list, json_object_new_int64(steps->items[i]));
}

void store_line_put_slurm(struct json_object *out, const struct record_slurm_job *slurm)
{
	copy_numbers(out, slurm, store_slurm_numbers);
	copy_texts(out, slurm, store_slurm_texts);
	copy_flags(out, slurm, store_slurm_flags);
	if (slurm->time_limit_s == REPORT_NONE)
		put_null(out, "time_limit_s");
}

static struct json_object *make_slurm(const struct store_making *making)
{
	const struct record_slurm_job *slurm = making->slurm;
	struct json_object *out;

	if (!slurm->known)
		return NULL;
	out = json_object_new_object();
	store_line_put_slurm(out, slurm);
	put_unless_null(out, "name", store_new_name(job_name_of(making)));
	if (!making->record->node_list)
		put_unless_null(out, "node_list", store_new_text(slurm->node_list, STORE_NODE_LIST));
	put_unless_null(out, "workflow", make_workflow(making));
	put_unless_null(out, "gpus_allocated", make_gpu_types(&slurm->gpus_allocated));
	put_timed_out(&slurm->steps_timed_out, out);
	if (slurm->has_output || (slurm->std_out && *slurm->std_out))
		put_flag(out, "has_output", true);
	return out;
}

int64_t store_line_revision(const struct record *record, const struct record_slurm_job *slurm)
{
	int64_t closed_ns = 0;
	int known;

	slurm = slurm_job_or_unknown(slurm);
	known = !slurm->known ? 0 : !slurm->state || strcmp(slurm->state, "RUNNING") == 0 ? 1 : 2;
	take_count(record->collector.closed_unix_ns, &closed_ns);
	return closed_ns / NS_PER_MS * 4 + known;
}

/* ---- the line ---- */

static void put_progress(const struct store_making *making, struct json_object *out)
{
	if (!making->record->progress.known)
		return;
	if (!field_find(out, "progress"))
		put_object(out, "progress");
	put_unless_null(field_find(out, "progress"), "stalls", make_stalls(making));
}

static void put_places(const struct store_making *making, struct json_object *out)
{
	if (making->record->allocated.known)
		put_cores(making, field_find(out, "allocated") ?: put_object(out, "allocated"));
	put_unless_null(out, "node_list", store_new_text(making->record->node_list, STORE_NODE_LIST));
	if (making->record->pressure.known)
		put_waits(making, field_find(out, "pressure") ?: put_object(out, "pressure"));
}

static int put_lists(struct store_making *making, struct json_object *out)
{
	struct store_failed failed;
	struct json_object *tools;

	store_find_failed(making, &failed);
	if (!store_add_judged(making, &failed))
		return -1;
	tools = store_choose_tools(making, &failed);
	if (!tools)
		return -1;
	put_unless_null(out, "totals", make_totals(making));
	json_object_object_add(out, "steps", make_steps(making));
	put_unless_null(out, "file_systems", make_file_systems(making));
	put_unless_null(out, "oom", make_oom(making));
	put_unless_null(out, "gpus", make_gpus(making, out));
	put_progress(making, out);
	put_unless_null(out, "series", store_make_points(making));
	json_object_object_add(out, "tools", tools);
	store_add_endings(making, &failed);
	store_sort_failed(&failed);
	put_unless_null(out, "ends", make_ends(making, &failed));
	return 0;
}

static int fill(struct store_making *making, struct json_object *out)
{
	put_count(out, "stint_store", STORE_LINE_VERSION);
	put_count(out, "revision", store_line_revision(making->record, making->slurm));
	copy_numbers(out, making->record, store_numbers);
	copy_texts(out, making->record, store_texts);
	if (making->record->clock_set_ns)
		put_count(out, "clock_set_ns", making->record->clock_set_ns);
	put_flag(out, "complete", making->record->complete);
	put_gaps(making, out);
	put_lost(making, out);
	put_places(making, out);
	if (put_lists(making, out) < 0)
		return -1;
	put_unless_null(out, "slurm", make_slurm(making));
	return 0;
}

static const char *text_of(struct json_object *out, size_t *len)
{
	return json_object_to_json_string_length(out, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, len);
}

char *store_line_make(const struct record *record, const struct record_slurm_job *slurm, bool scripts, size_t *len,
		      struct error *err)
{
	/* If a line is too long, leaves out these members, one after the other, so that every job gets a line. */
	static const char *const spare[] = { "ends", "steps" };
	cleanup_json struct json_object *out = json_object_new_object();
	unsigned long failures = memory_failures();
	struct store_making making = { .record = record, .slurm = slurm_job_or_unknown(slurm), .scripts = scripts };
	struct record_identity identity;
	const char *text;
	char *line;
	int filled;

	if (record_identify(record, "the record", &identity, err) < 0)
		return NULL;
	merge_find_script(making.slurm, identity.job_id, &making.script);
	filled = fill(&making, out);
	free(making.places);
	text = filled < 0 ? NULL : text_of(out, len);
	for (size_t i = 0; text && *len >= STORE_LINE_MAX && i < sizeof(spare) / sizeof(spare[0]); i++) {
		json_object_object_del(out, spare[i]);
		text = text_of(out, len);
	}
	if (!text || memory_failures() != failures) {
		error_set(err, "out of memory");
		return NULL;
	}
	if (*len >= STORE_LINE_MAX) {
		error_set(err, "its store line would be too long: %zu bytes", *len);
		return NULL;
	}
	line = malloc(*len + 2);
	if (!line) {
		error_set(err, "out of memory");
		return NULL;
	}
	memcpy(line, text, *len);
	strcpy(line + *len, "\n");
	++*len;
	return line;
}
