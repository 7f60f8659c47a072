/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a store line, which may be damaged or forged. Refuses a line of another form, and guesses nothing. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/json/view.h"
#include "reports/model/report_gaps.h"
#include "reports/store/store_line.h"
#include "reports/store/store_line_internal.h"

struct reading {
	const char *name;
	const struct view *line;
	struct record *record; /* its texts point into the copy of the line, which the record owns */
	struct error *err;
};

static int refuse(const struct reading *reading, const char *member)
{
	errno = EBADMSG;
	return error_set(reading->err, "%s: a store line with a damaged '%s'", reading->name, member);
}

/* ---- members ---- */

/* Returns whether all elements from @at on are null, or whole numbers that are not negative. */
static bool has_numbers(const struct view *list, const struct view *at)
{
	for (; at < list + list->after; at += at->after)
		if (at->type != VIEW_NULL && (at->type != VIEW_INT || at->number < 0))
			return false;
	return true;
}

/*
 * Returns the member at the dotted @name; NULL if it is missing or null. Sets *@bad if the member has another type, or
 * a value that is out of bounds.
 */
static const struct view *member(const struct view *from, const char *name, enum view_type type, bool *bad)
{
	const struct view *value = view_find(from, name);

	if (value && (value->type != type || (type == VIEW_INT && value->number < 0) ||
		      (type == VIEW_TEXT && value->number > STORE_NODE_LIST)))
		*bad = true;
	return value;
}

static int take_members(const struct reading *reading, const struct view *from, void *object, const struct store_member *members,
			enum view_type type)
{
	bool bad = false;

	for (; members->name; members++) {
		const struct view *value = member(from, members->name, type, &bad);
		char *at = (char *)object + members->offset;

		if (bad)
			return refuse(reading, members->name);
		if (!value)
			continue;
		*((bool *)object + members->known) = true;
		if (type == VIEW_TEXT)
			*(const char **)at = value->text;
		else if (type == VIEW_FLAG)
			*(bool *)at = value->number;
		else
			*(int64_t *)at = value->number;
	}
	return 0;
}

/* ---- lists ---- */

/* @at may be NULL. Returns NULL after the last element. */
static const struct view *element_after(const struct view *list, const struct view *at)
{
	const struct view *next = at ? at + at->after : NULL;

	return next && next < list + list->after ? next : NULL;
}

static const struct view *first_of(const struct view *list)
{
	return list->number ? list + 1 : NULL;
}

/*
 * Sets *@list to the member @name, or to NULL if it is missing. Returns 0; -1 if it is not a list of at most @most
 * lists.
 */
static int find_list(const struct reading *reading, const char *name, int64_t most, const struct view **list)
{
	*list = view_find(reading->line, name);
	if (!*list)
		return 0;
	if (!view_is(*list, VIEW_LIST) || (*list)->number > most)
		return refuse(reading, name);
	view_each(at, *list)
		if (at->type != VIEW_LIST)
			return refuse(reading, name);
	return 0;
}

/*
 * Sets the members of @object in the order of @columns, from the element @at on. @extra: set to the number for
 * STORE_EXTRA
 */
static void take_columns(const struct view *list, const struct view *at, void *object, const uint16_t *columns, int64_t *extra)
{
	for (; *columns != STORE_END && at; columns++, at = element_after(list, at))
		if (at->type == VIEW_INT)
			*(*columns == STORE_EXTRA ? extra : store_count_at(object, *columns)) = at->number;
}

/* An element before the numbers of a list. */
struct place {
	uint16_t offset; /* offset in the object, as in a column */
	enum view_type type;
};

/* Reads the elements before the numbers. Returns false if an element has another type. */
static bool take_places(const struct view *list, const struct place *places, const struct view **at, void *object, int64_t *extra)
{
	for (*at = first_of(list); places->offset != STORE_END; places++, *at = element_after(list, *at)) {
		if (!*at || (*at)->type == VIEW_NULL)
			continue;
		if ((*at)->type != places->type || (places->type == VIEW_INT && (*at)->number < 0))
			return false;
		if (places->type == VIEW_TEXT)
			*(const char **)((char *)object + places->offset) = (*at)->text;
		else
			*(places->offset == STORE_EXTRA ? extra : store_count_at(object, places->offset)) = (*at)->number;
	}
	return !*at || has_numbers(list, *at);
}

/* How to convert a list of lists into a list of objects. */
struct list_form {
	const char *name;
	int64_t most; /* maximum number of lists in it */
	size_t offset; /* offset of the record's list */
	const struct report_object *(*of)(void);
	struct place places[4]; /* ended by STORE_END */
	const uint16_t *columns; /* columns of the numbers that follow these elements */
	void (*finish)(struct record *record, void *object, int64_t extra); /* completes an object; may be NULL */
};

static int take_list(const struct reading *reading, const struct list_form *form)
{
	void *made = (char *)reading->record + form->offset;
	struct report_any_list objects;
	const struct view *list, *at;
	char *object;

	if (find_list(reading, form->name, form->most, &list) < 0)
		return -1;
	if (!list)
		return 0;
	report_make(record_memory(reading->record), made, (size_t)list->number, form->of());
	memcpy(&objects, made, sizeof(objects));
	object = objects.items;
	view_each(one, list) {
		int64_t extra = REPORT_UNKNOWN;

		if (!object)
			return 0; /* read_line() reports that memory is exhausted */
		if (!take_places(one, form->places, &at, object, &extra))
			return refuse(reading, form->name);
		take_columns(one, at, object, form->columns, &extra);
		if (form->finish)
			form->finish(reading->record, object, extra);
		object += form->of()->bytes;
	}
	return 0;
}

/* ---- members that differ from the record ---- */

static int take_totals(const struct reading *reading)
{
	bool bad = false;
	const struct view *totals = member(reading->line, "totals", VIEW_LIST, &bad);

	if (bad || (totals && !has_numbers(totals, totals + 1)))
		return refuse(reading, "totals");
	if (!totals)
		return 0;
	reading->record->totals.known = true;
	take_columns(totals, first_of(totals), &reading->record->totals, store_total_columns, NULL);
	return 0;
}

/* @pid: process id of the job's script; negative if not known */
static void finish_step(struct record *record, void *object, int64_t pid)
{
	struct record_step *step = object;
	struct record_task *task;

	step->totals.known = step->totals.processes >= 0 || step->totals.memory_limit_bytes >= 0 || step->totals.write_bytes >= 0;
	step->tasks.known = true;
	if (pid < 0)
		return;
	task = RECORD_ADD(record, &step->tasks, task);
	task->rank = 0;
	task->pid = pid;
}

static void finish_tool(struct record *record, void *tool, int64_t kind)
{
	(void)record;
	((struct record_tool *)tool)->slurm = kind == STORE_SLURMS;
	((struct record_tool *)tool)->job_script = kind == STORE_SCRIPT;
}

static void finish_kill(struct record *record, void *object, int64_t marks)
{
	struct record_oom_kill *kill = object;

	(void)record;
	kill->node_ran_out = marks > 0 && (marks & STORE_NODE_RAN_OUT);
	kill->along = marks > 0 && (marks & STORE_ALONG);
}

/* @slice: 1 for a slice; negative if not, and in lines of earlier versions */
static void finish_gpu(struct record *record, void *object, int64_t slice)
{
	struct record_gpu *gpu = object;

	(void)record;
	gpu->used = true;
	gpu->slice = slice > 0 || gpu->gpu_instance >= 0;
	gpu->busy.known = gpu->busy.known_ns >= 0;
	gpu->sm.known = gpu->sm.known_ns >= 0;
}

/*
 * Lines of earlier versions have fewer numbers. If the entry's parent also has an entry, other entries show what is
 * missing here.
 */
static void finish_failed(struct record *record, void *object, int64_t forked)
{
	struct record_entry *entry = object;

	(void)record;
	entry->forked = forked > 0;
	entry->count = 1;
}

static void add_task(struct record *record, const struct record_entry *entry, int64_t rank)
{
	for (size_t i = 0; i < record->steps.count; i++) {
		struct record_step *step = &record->steps.items[i];
		struct record_task *task;

		if (!report_text_is(step->id, entry->step ?: ""))
			continue;
		task = RECORD_ADD(record, &step->tasks, task);
		task->rank = rank;
		task->pid = entry->pid;
		return;
	}
}

static void finish_end(struct record *record, void *object, int64_t marks)
{
	struct record_entry *entry = object;

	marks = marks < 0 ? 0 : marks;
	record->marked = true;
	entry->count = 1;
	entry->forked = marks & STORE_FORKED;
	entry->dismissed = marks & STORE_DISMISSED;
	entry->by_shell = marks & STORE_BY_SHELL;
	entry->unawaited = marks & STORE_UNAWAITED;
	entry->unread = marks & STORE_UNREAD;
	entry->no_pipe = marks & STORE_NO_PIPE;
	if (marks & STORE_TASK)
		add_task(record, entry, marks >> STORE_RANK_SHIFT);
}

#define RECORD_LIST(list) .name = #list, .offset = offsetof(struct record, list)
#define TEXT_OF(of, member) { offsetof(struct record_##of, member), VIEW_TEXT }
#define COUNT_OF(of, member) { offsetof(struct record_##of, member), VIEW_INT }

static const struct list_form list_forms[] = {
	{ RECORD_LIST(steps), .most = STORE_STEPS, .of = record_table_step, .places = { TEXT_OF(step, id) },
	  .columns = store_step_columns, .finish = finish_step },
	{ RECORD_LIST(file_systems), .most = STORE_FILE_SYSTEMS, .of = record_table_file_system,
	  .places = { TEXT_OF(file_system, type) }, .columns = store_file_system_columns },
	{ RECORD_LIST(oom), .most = STORE_OOM, .of = record_table_oom_kill,
	  .places = { COUNT_OF(oom_kill, tool), TEXT_OF(oom_kill, comm), TEXT_OF(oom_kill, step) }, .columns = store_oom_columns,
	  .finish = finish_kill },
	{ RECORD_LIST(gpus), .most = STORE_GPUS, .of = record_table_gpu, .places = { TEXT_OF(gpu, vendor), TEXT_OF(gpu, model) },
	  .columns = store_gpu_columns, .finish = finish_gpu },
	{ RECORD_LIST(progress.stalls), .most = STORE_STALLS, .of = record_table_stall,
	  .places = { COUNT_OF(stall, tool), TEXT_OF(stall, step) }, .columns = store_stall_columns },
	{ RECORD_LIST(tools), .most = STORE_LINE_TOOLS + STORE_SLURM_TOOLS + 2, .of = record_table_tool,
	  .places = { TEXT_OF(tool, name), TEXT_OF(tool, interpreter), { STORE_EXTRA, VIEW_INT } },
	  .columns = store_tool_columns, .finish = finish_tool },
	{ .name = "slurm.gpus_allocated", .offset = offsetof(struct record, slurm_job.gpus_allocated), .most = STORE_GPU_TYPES,
	  .of = record_table_gpu_given, .places = { TEXT_OF(gpu_given, kind), TEXT_OF(gpu_given, type) },
	  .columns = store_gpu_type_columns },
	{ .name = "failed", .offset = offsetof(struct record, timeline), .most = STORE_FAILED, .of = record_table_entry,
	  .places = { COUNT_OF(entry, tool), TEXT_OF(entry, step) }, .columns = store_failed_columns, .finish = finish_failed },
	{ .name = "ends", .offset = offsetof(struct record, timeline), .most = STORE_ENDS, .of = record_table_entry,
	  .places = { COUNT_OF(entry, tool), TEXT_OF(entry, step) }, .columns = store_failed_columns, .finish = finish_end },
};

static int take_lists(const struct reading *reading)
{
	const struct view *progress = view_find(reading->line, "progress");

	if (progress && progress->type != VIEW_OBJECT)
		return refuse(reading, "progress");
	reading->record->progress.known |= progress != NULL;
	for (size_t i = 0; i < sizeof(list_forms) / sizeof(list_forms[0]); i++)
		if (take_list(reading, &list_forms[i]) < 0)
			return -1;
	reading->record->timeline.known = reading->record->of_line = true;
	return 0;
}

/* 0 means that all numbers are 0. Returns false if @from is neither null, 0 nor a list. */
static bool take_wait(const struct view *from, struct record_wait *wait)
{
	if (from->type == VIEW_NULL)
		return true;
	wait->known = true;
	if (from->type == VIEW_LIST) {
		take_columns(from, first_of(from), wait, store_wait_columns, NULL);
		return has_numbers(from, from + 1);
	}
	wait->some_ns = wait->full_ns = wait->bound_ns = wait->waits = 0;
	return from->type == VIEW_INT && from->number == 0;
}

static int take_waits(const struct reading *reading)
{
	struct record_pressure *pressure = &reading->record->pressure;
	bool bad = false;
	const struct view *list = member(reading->line, "pressure.waits", VIEW_LIST, &bad), *at;

	if (bad || (list && list->number > 64))
		return refuse(reading, "pressure.waits");
	if (!list)
		return 0;
	pressure->known = pressure->waits.known = true;
	at = first_of(list);
	for (const uint16_t *kind = store_waits; *kind != STORE_END && at; kind++, at = element_after(list, at))
		if (!take_wait(at, (struct record_wait *)((char *)&pressure->waits + *kind)))
			return refuse(reading, "pressure.waits");
	return 0;
}

static bool has_gap(const struct record_gap_list *gaps, const char *name, const char *reason)
{
	for (size_t i = 0; i < gaps->count; i++)
		if (report_text_is(gaps->items[i].name, name) && report_text_is(gaps->items[i].reason, reason))
			return true;
	return false;
}

static int take_gaps(const struct reading *reading)
{
	struct record_gap_list *gaps = &reading->record->gaps;
	const struct view *list;

	gaps->known = true;
	if (find_list(reading, "gaps", STORE_GAPS, &list) < 0)
		return -1;
	if (!list)
		return 0;
	view_each(one, list) {
		const struct view *name = first_of(one), *said = element_after(one, name);
		const char *reason;

		if (!view_is(name, VIEW_TEXT) || !view_is(said, VIEW_TEXT))
			return refuse(reading, "gaps");
		reason = said->number ? said->text : "the store does not keep the reason";
		if (!has_gap(gaps, name->text, reason))
			*RECORD_ADD(reading->record, gaps, gap) = (struct record_gap){ true, name->text, reason };
	}
	return 0;
}

static int take_lost(const struct reading *reading)
{
	bool bad = false;
	const struct view *lost = member(reading->line, "lost", VIEW_OBJECT, &bad);

	reading->record->lost.known = true;
	if (bad || (lost && lost->number > STORE_GAPS))
		return refuse(reading, "lost");
	for (const struct view *at = lost ? first_of(lost) : NULL; at; at = element_after(lost, at + 1)) {
		if (at[1].type != VIEW_INT || at[1].number < 0)
			return refuse(reading, "lost");
		report_add_count(record_memory(reading->record), &reading->record->lost, at->text, at[1].number);
	}
	return 0;
}

/* Missing numbers become -1. */
static void read_numbers(const struct view *list, int64_t *numbers, size_t count)
{
	const struct view *at = first_of(list);

	for (size_t i = 0; i < count; i++, at = element_after(list, at))
		numbers[i] = view_is(at, VIEW_INT) ? at->number : -1;
}

/* Adds the cores of a range. Returns how many; -1 if @range is no range, or has more than @room cores. */
static int64_t add_range(struct record *record, struct record_core_list *unused, const struct view *range, int64_t room)
{
	int64_t numbers[3], package, first, count;

	if (range->type != VIEW_LIST || !has_numbers(range, range + 1))
		return -1;
	read_numbers(range, numbers, 3);
	package = numbers[0];
	first = numbers[1];
	count = numbers[2];
	if (count < 1 || count > room || first > INT32_MAX)
		return -1;
	for (int64_t i = 0; i < count; i++) {
		struct record_core *core = RECORD_ADD(record, unused, core);

		core->core = first < 0 ? REPORT_UNKNOWN : first + i;
		core->package = package;
	}
	return count;
}

#define CORES_MAX 65536

static int take_cores(const struct reading *reading)
{
	const struct view *cores = view_find(reading->line, "allocated.cores"), *ranges = view_find(cores, "unused");
	struct record_counted_cores *out = &reading->record->allocated.counted_cores;
	int64_t left;

	if (!cores)
		return 0;
	if (!view_count(cores, "count", &out->count) || out->count > CORES_MAX)
		return refuse(reading, "allocated.cores");
	out->known = reading->record->allocated.known = true;
	if (!view_count(cores, "used", &out->used))
		return 0;
	left = out->count - out->used;
	if (left < 0 || !view_is(ranges, VIEW_LIST) || ranges->number > STORE_CORE_RANGES)
		return refuse(reading, "allocated.cores");
	if (!view_count(cores, "loaded", &out->loaded) || out->loaded > out->used)
		out->loaded = out->used;
	out->unused.known = true;
	view_each(range, ranges) {
		int64_t added = add_range(reading->record, &out->unused, range, left);

		if (added < 0)
			return refuse(reading, "allocated.cores");
		left -= added;
	}
	return left == 0 ? 0 : refuse(reading, "allocated.cores");
}

/* A point has its length, and a number for each column. */
static int take_points(const struct reading *reading, const struct view *list)
{
	struct record_series *series = &reading->record->series;
	struct report *memory = record_memory(reading->record);
	int64_t end_ns = 0;
	size_t i = 0;

	report_make_values(memory, &series->end_offsets_ns, (size_t)list->number);
	for (const uint16_t *column = store_point_columns; *column != STORE_END; column++)
		report_make_values(memory, (char *)&series->columns + *column, (size_t)list->number);
	if (report_lacks_memory(memory))
		return 0; /* read_line() reports that */
	view_each(point, list) {
		const struct view *length = first_of(point), *at = element_after(point, length);

		if (!view_is(length, VIEW_INT) || !has_numbers(point, length))
			return refuse(reading, "series");
		end_ns = count_sum(end_ns, length->number);
		series->end_offsets_ns.items[i] = end_ns;
		for (const uint16_t *column = store_point_columns; *column != STORE_END && at; column++, at = element_after(point, at))
			if (at->type == VIEW_INT)
				((struct report_counts *)((char *)&series->columns + *column))->items[i] = at->number;
		i++;
	}
	return 0;
}

static int take_series(const struct reading *reading)
{
	const struct view *from = view_find(reading->line, "series"), *list;
	struct record_series *series = &reading->record->series;

	if (!from)
		return 0;
	if (!view_count(from, "interval_ns", &series->interval_ns) ||
	    find_list(reading, "series.points", STORE_POINTS, &list) < 0 || !list)
		return refuse(reading, "series");
	series->known = series->columns.known = true;
	return take_points(reading, list);
}

static int take_timed_out(const struct reading *reading, const struct view *from)
{
	bool bad = false;
	const struct view *list = member(from, "steps_timed_out", VIEW_LIST, &bad), *at;
	struct report_counts *out = &reading->record->slurm_job.steps_timed_out;

	if (bad || (list && (list->number > STORE_STEPS || !has_numbers(list, list + 1))))
		return refuse(reading, "slurm.steps_timed_out");
	if (!list)
		return 0;
	report_make_values(record_memory(reading->record), out, (size_t)list->number);
	at = first_of(list);
	for (size_t i = 0; i < out->count; i++, at = element_after(list, at))
		out->items[i] = at->type == VIEW_INT ? at->number : REPORT_UNKNOWN;
	return 0;
}

static int take_slurm(const struct reading *reading)
{
	struct record_slurm_job *slurm = &reading->record->slurm_job;
	bool bad = false;
	const struct view *from = member(reading->line, "slurm", VIEW_OBJECT, &bad), *workflow;

	if (bad)
		return refuse(reading, "slurm");
	if (!from)
		return 0;
	slurm->known = true;
	if (take_members(reading, from, slurm, store_slurm_numbers, VIEW_INT) < 0 ||
	    take_members(reading, from, slurm, store_slurm_texts, VIEW_TEXT) < 0 ||
	    take_members(reading, from, slurm, store_slurm_flags, VIEW_FLAG) < 0 ||
	    take_members(reading, from, slurm, store_slurm_names, VIEW_TEXT) < 0 || take_timed_out(reading, from) < 0)
		return -1;
	if (member(from, "has_output", VIEW_FLAG, &bad))
		slurm->has_output = view_find(from, "has_output")->number;
	if (bad)
		return refuse(reading, "slurm.has_output");
	if (slurm->time_limit_s < 0 && view_has(from, "time_limit_s"))
		slurm->time_limit_s = REPORT_NONE;
	workflow = member(from, "workflow", VIEW_OBJECT, &bad);
	if (bad)
		return refuse(reading, "slurm.workflow");
	slurm->workflow.known = workflow != NULL;
	return take_members(reading, workflow, &slurm->workflow, store_workflow_texts, VIEW_TEXT);
}

/* ---- the line ---- */

static int take_plain(const struct reading *reading)
{
	const struct view *clock_set = view_find(reading->line, "clock_set_ns");
	struct record *record = reading->record;

	record->stint_record = RECORD_VERSION;
	if (take_members(reading, reading->line, record, store_numbers, VIEW_INT) < 0 ||
	    take_members(reading, reading->line, record, store_texts, VIEW_TEXT) < 0 ||
	    take_members(reading, reading->line, record, store_node_lists, VIEW_TEXT) < 0 ||
	    take_members(reading, reading->line, record, store_flags, VIEW_FLAG) < 0)
		return -1;
	if (clock_set && clock_set->type != VIEW_INT)
		return refuse(reading, "clock_set_ns");
	if (clock_set)
		record->clock_set_ns = clock_set->number;
	/* the store keeps only their number */
	record->files.known = record->files_count >= 0;
	return 0;
}

static int check_version(const struct reading *reading)
{
	int64_t version;

	errno = EBADMSG;
	if (!view_count(reading->line, "stint_store", &version))
		return error_set(reading->err, "%s: not a store line", reading->name);
	errno = EPROTONOSUPPORT;
	if (version != STORE_LINE_VERSION)
		return error_set(reading->err, "%s: a store line of version %lld; this stint reads version %d", reading->name,
				 (long long)version, STORE_LINE_VERSION);
	return 0;
}

/* The tables cut longer names. Two nodes whose names differ only after the cut would become one. */
static int check_names(const struct reading *reading)
{
	const char *cluster = reading->record->identity.cluster, *node = reading->record->identity.node;

	if (cluster && strlen(cluster) > STORE_LINE_NAME)
		return refuse(reading, "identity.cluster");
	return node && strlen(node) > STORE_LINE_NAME ? refuse(reading, "identity.node") : 0;
}

static int take_line(const struct reading *reading, struct store_line *line)
{
	if (check_version(reading) < 0)
		return -1;
	if (!view_count(reading->line, "revision", &line->revision))
		return refuse(reading, "revision");
	view_count(reading->line, "amended", &line->amended);
	if (take_plain(reading) < 0 || record_identify(reading->record, reading->name, &line->identity, reading->err) < 0 ||
	    check_names(reading) < 0)
		return -1;
	if (take_gaps(reading) < 0 || take_lost(reading) < 0 || take_totals(reading) < 0 || take_waits(reading) < 0 ||
	    take_lists(reading) < 0 || take_cores(reading) < 0 || take_series(reading) < 0)
		return -1;
	return take_slurm(reading);
}

static int lack_memory(const char *name, struct error *err)
{
	errno = ENOMEM;
	return error_set(err, "%s: out of memory", name);
}

/* The record takes ownership of @text, a copy of the line. */
static int read_line(char *text, size_t len, const char *name, struct store_line *line, struct error *err)
{
	cleanup_free struct view *values = malloc(view_room(len) * sizeof(*values));
	struct reading reading = { name, values, line->record, err };

	if (!values)
		return lack_memory(name, err);
	errno = EBADMSG;
	/* JSON can have text that is not UTF-8, but PostgreSQL refuses such text */
	if (!utf8_is_valid(text))
		return error_set(err, "%s: a store line that is not UTF-8", name);
	if (view_read(text, len, name, values, err) < 0)
		return -1;
	if (values->type != VIEW_OBJECT)
		return error_set(err, "%s: not a JSON object", name);
	if (take_line(&reading, line) < 0)
		return -1;
	return report_lacks_memory(record_memory(line->record)) ? lack_memory(name, err) : 0;
}

int store_line_read(const char *text, size_t len, const char *name, struct store_line *line, struct error *err)
{
	char *copy;
	int saved;

	*line = (struct store_line){ 0 };
	errno = EBADMSG;
	if (len > STORE_LINE_MAX)
		return error_set(err, "%s: a store line of more than %d bytes", name, STORE_LINE_MAX);
	copy = strndup(text, len);
	line->record = copy ? record_new(copy) : NULL;
	if (!line->record)
		return lack_memory(name, err);
	if (read_line(copy, len, name, line, err) == 0)
		return 0;
	saved = errno;
	store_line_free(line);
	errno = saved;
	return -1;
}

void store_line_free(struct store_line *line)
{
	record_free(line->record);
	*line = (struct store_line){ 0 };
}

/*
 * Removes the gaps of single values of steps, because the store keeps few of these values. One gap named "steps"
 * replaces them.
 */
static void drop_gaps_of_steps(struct report_gap_list *gaps)
{
	size_t kept = 0;

	for (size_t i = 0; i < gaps->count; i++)
		if (!gaps->items[i].name || strncmp(gaps->items[i].name, "steps.", 6) != 0)
			gaps->items[kept++] = gaps->items[i];
	gaps->count = kept;
}

void store_line_finish_report(struct report *report)
{
	drop_gaps_of_steps(&report->gaps);
	report->timeline = (struct report_entry_list){ .known = true };
	report->series = (struct report_series_list){ .known = true };
	report_add_gap(report, "timeline", "the store, from which stint made this report, does not keep it");
	report_add_gap(report, "series", "the store, from which stint made this report, does not keep it");
	report_add_gap(report, "steps", "the store, from which stint made this report, does not keep what each step used");
}
