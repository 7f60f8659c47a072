/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/utf8.h"
#include "reports/json/field.h"
#include "reports/rules/facts.h"
#include "reports/rules/launchers.h"
#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"

#define SHARE_COUNTED 0.005 /* of the threads' time; less is not counted as left out */
#define SHARE_ON_SCREEN 0.02
#define WAITS_SHOWN 4
#define FILE_IO_MATTERS 0.05
#define FILE_SYSTEMS_SHOWN 3
#define FILE_SYSTEM_TEXT 96

struct state {
	const char *name, *word;
	double seconds;
};

static const struct state all_states[] = {
	{ "on_cpu_s", "on a CPU", 0 },
	{ "runnable_s", "waiting for a CPU", 0 },
	{ "memory_stall_s", "memory stall", 0 },
	{ "fault_io_s", "page-fault I/O", 0 },
	{ "file_io_s", "file I/O", 0 },
	{ "network_s", "network", 0 },
	{ "pipe_s", "pipe, terminal", 0 },
	{ "lock_s", "lock", 0 },
	{ "condition_s", "another thread, timer", 0 },
	{ "child_s", "child process", 0 },
	{ "event_s", "event (poll)", 0 },
	{ "sleep_s", "sleep", 0 },
	{ "other_s", "other", 0 },
};

#define STATES (sizeof(all_states) / sizeof(all_states[0]))
#define RUNNABLE 1 /* index in all_states */
#define FIRST_WAIT 2
#define BAR_COLUMN 5

/*
 * A shell that waits for its children, or make, says nothing of where the time went: the children do. It has no share of the time, and
 * a row with --all alone.
 */
static bool is_of_parents(const struct state *state)
{
	return strcmp(state->name, "child_s") == 0;
}

static int compare_seconds(const void *a, const void *b)
{
	const struct state *one = a, *other = b;

	if (is_of_parents(one) != is_of_parents(other))
		return is_of_parents(one) ? 1 : -1;
	if (one->seconds != other->seconds)
		return one->seconds > other->seconds ? -1 : 1;
	return strcmp(one->name, other->name);
}

/* Sorts the waits by time, behind the two states on and for a CPU. Returns how many states are known. */
static size_t read_states(struct json_object *from, struct state states[STATES], double *whole)
{
	size_t known = 0;

	*whole = 0;
	memcpy(states, all_states, sizeof(all_states));
	for (size_t i = 0; i < STATES; i++) {
		if (!field_number(from, states[i].name, &states[i].seconds))
			continue;
		known++;
		if (!is_of_parents(&states[i]))
			*whole += states[i].seconds;
	}
	qsort(states + FIRST_WAIT, STATES - FIRST_WAIT, sizeof(states[0]), compare_seconds);
	return known;
}

static const char *job_cell(struct json_object *states, const char *part, const char *name, struct page_cell *cell)
{
	return page_time_cell(field_typed(states, part, json_type_object), name, cell);
}

static enum terminal_style state_style(size_t i)
{
	return i == 0 ? STYLE_GOOD : i < FIRST_WAIT ? STYLE_WARNING : STYLE_ACCENT;
}

static void add_state(struct page *page, struct page_table *table, struct json_object *states, const struct state *state, double whole,
		      bool is_wait)
{
	struct page_cell cells[5];

	page_table_add(page, table, (const char *const[]){
		state->word,
		is_wait ? job_cell(states, "some", state->name, &cells[0]) : "",
		is_wait ? job_cell(states, "full", state->name, &cells[1]) : "",
		page_time_cell(states, state->name, &cells[2]),
		is_of_parents(state) ? PAGE_NO_VALUE : page_share_cell(states, state->name, whole, &cells[3]),
		is_of_parents(state) ? "" : page_bar_cell(page, states, state->name, whole, &cells[4]),
	}, NULL);
}

/* Adds a row below "waiting for a CPU" for the part of it that a quota caused. */
static void add_throttled(struct page *page, struct page_table *table, struct json_object *from, double whole)
{
	static const struct state throttled = { "throttled_s", "  of it, by a CPU quota", 0 };
	double seconds = 0;

	if (!field_number(from, "throttled_s", &seconds) || seconds <= 0)
		return;
	add_state(page, table, from, &throttled, whole, false);
	page_table_style(table, BAR_COLUMN, STYLE_WARNING);
}

/* The two states on and for a CPU always have a row; a wait has one where its share is large enough. */
static bool has_row(const struct page *page, const struct state states[STATES], size_t i, double whole)
{
	if (i < FIRST_WAIT || page->options->all)
		return i < FIRST_WAIT || states[i].seconds > 0;
	return i < FIRST_WAIT + WAITS_SHOWN && !is_of_parents(&states[i]) && states[i].seconds > 0 && states[i].seconds >= SHARE_ON_SCREEN * whole;
}

/* Says whose threads the table leaves out. */
static void print_launchers(struct page *page)
{
	char text[LAUNCHERS_TEXT], sentence[LAUNCHERS_TEXT + 1];

	if (!launchers_matter(page->report) || !launchers_note(page->report, text))
		return;
	snprintf(sentence, sizeof(sentence), "%s.", text);
	page_wrapped(page, &(struct page_wrap){ .first = "" }, sentence);
}

void page_states(struct page *page)
{
	bool several = field_length(field_typed(page->report, "nodes", json_type_array)) > 1;
	bool all = page->options->all;
	/* One screen has the one column that says what a wait cost. */
	const struct page_column columns[] = {
		{ .head = several ? "Time on all nodes" : "Where the threads' time went" },
		{ .head = "Any waiting", .spare = 3, .hidden = !all },
		{ .head = "All stopped for" },
		{ .head = "Thread time", .spare = 2, .hidden = !all },
		{ .head = "Share" },
		{ .head = "", .bar = true, .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);
	cleanup_json struct json_object *from = facts_states_of_work(page->report);
	struct state states[STATES];
	size_t left_out = 0;
	double whole;

	if (!from || !read_states(from, states, &whole))
		return;
	for (size_t i = 0; i < STATES; i++) {
		if (!has_row(page, states, i, whole)) {
			left_out += !is_of_parents(&states[i]) && states[i].seconds >= SHARE_COUNTED * whole && states[i].seconds > 0;
			continue;
		}
		add_state(page, &table, from, &states[i], whole, i >= FIRST_WAIT);
		page_table_style(&table, BAR_COLUMN, state_style(i));
		if (i == RUNNABLE)
			add_throttled(page, &table, from, whole);
	}
	page_table_print(page, &table);
	print_launchers(page);
	page_leave_out(page, left_out, "wait", "waits");
}

/* ---- file systems ---- */

/* "fuse (squashfuse, CPU 12.3 s)": what a local image cost. Returns @type, or @text. */
static const char *name_file_system(struct json_object *from, const char *type, char *text, size_t size)
{
	const char *server = field_text(from, "served_by");
	struct page_cell cell;
	double cpu_s;

	if (!server)
		return type && *type ? type : "(not identified)";
	snprintf(text, size, "%s (%s", type, server);
	if (field_number(from, "server_cpu_s", &cpu_s))
		utf8_append(text, size, ", CPU %s", page_time_cell(from, "server_cpu_s", &cell));
	utf8_append(text, size, ")");
	return text;
}

static void add_file_system(struct page *page, struct page_table *table, struct json_object *from)
{
	const char *type = field_text(from, "type"), *class = field_text(from, "class");
	char named[FILE_SYSTEM_TEXT];
	struct page_cell cells[5];

	page_table_add(page, table, (const char *const[]){
		name_file_system(from, type, named, sizeof(named)),
		class ? class : "unknown",
		page_time_cell(from, "wait_s", &cells[0]),
		page_count_cell(from, "waits", &cells[1]),
		page_size_cell(from, "read_bytes", &cells[2]),
		page_size_cell(from, "write_bytes", &cells[3]),
		page_count_cell(from, "opens", &cells[4]),
	}, NULL);
}

static bool worth_a_row(struct json_object *from)
{
	static const char *const names[] = { "wait_s", "read_bytes", "write_bytes" };
	double value;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (field_number(from, names[i], &value) && value > 0)
			return true;
	return false;
}

/* What was counted of no file system needs no column. */
static void hide_unknown(struct page_column *columns, size_t count, struct json_object *list)
{
	static const char *const names[] = { "read_bytes", "write_bytes", "opens" }; /* of the last columns */
	const size_t names_count = sizeof(names) / sizeof(names[0]);
	double value;

	for (size_t n = 0; n < names_count; n++) {
		bool known = false;

		for (size_t i = 0; i < field_length(list) && !known; i++)
			known = field_number(json_object_array_get_idx(list, i), names[n], &value);
		columns[count - names_count + n].hidden = !known;
	}
}

/* On one screen, file systems have rows only where threads waited for them long enough. */
static bool matter(const struct page *page)
{
	cleanup_json struct json_object *from = facts_states_of_work(page->report);
	struct state states[STATES];
	double waited = 0, whole;

	read_states(from, states, &whole);
	field_number(from, "file_io_s", &waited);
	return page->options->all || (waited > 0 && waited >= FILE_IO_MATTERS * whole);
}

void page_file_systems(struct page *page)
{
	struct page_column columns[] = {
		{ .head = "File systems" },	    { .head = "Class" }, { .head = "Waited" },
		{ .head = "Waits", .spare = 2 }, { .head = "Read" },  { .head = "Write" },
		{ .head = "Opens", .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);
	struct json_object *list = field_typed(page->report, "used.file_systems", json_type_array);
	size_t limit = matter(page) ? page_limit(page, FILE_SYSTEMS_SHOWN) : 0, left_out = 0;

	hide_unknown(columns, sizeof(columns) / sizeof(columns[0]), list);
	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *from = json_object_array_get_idx(list, i);

		if (!worth_a_row(from))
			continue;
		if (table.row_count < limit)
			add_file_system(page, &table, from);
		else
			left_out++;
	}
	page_table_print(page, &table);
	page_leave_out(page, left_out, "file system", "file systems");
}
