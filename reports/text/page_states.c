/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "reports/rules/facts.h"
#include "reports/rules/launchers.h"
#include "reports/terminal/page_table.h"
#include "reports/text/page_internal.h"

#define SHARE_COUNTED 0.005 /* of the threads' time; a state with less is not counted as left out */
#define SHARE_ON_SCREEN 0.02
#define WAITS_SHOWN 4
#define FILE_IO_MATTERS 0.05
#define FILE_SYSTEMS_SHOWN 3
#define FILE_SYSTEM_TEXT 96

struct state {
	const char *name, *word;
	size_t time; /* in struct report_job_states */
	size_t wait; /* in struct report_wait_times; 0: not a wait */
	double seconds;
};

#define STATE(name, word) { #name, word, offsetof(struct report_job_states, name##_s), 0, 0 }
#define WAIT(name, word) \
	{ #name, word, offsetof(struct report_job_states, name##_s), offsetof(struct report_wait_times, name##_s), 0 }

static const struct state all_states[] = {
	STATE(on_cpu, "on a CPU"),
	STATE(runnable, "waiting for a CPU"),
	WAIT(memory_stall, "memory stall"),
	WAIT(fault_io, "page-fault I/O"),
	WAIT(file_io, "file I/O"),
	WAIT(gpu, "GPU"),
	WAIT(network, "network"),
	WAIT(pipe, "pipe, terminal"),
	WAIT(lock, "lock"),
	WAIT(condition, "another thread, timer"),
	WAIT(child, "child process"),
	WAIT(event, "event (poll)"),
	WAIT(sleep, "sleep"),
	WAIT(other, "other"),
};

#define STATES (sizeof(all_states) / sizeof(all_states[0]))
#define RUNNABLE 1
#define FIRST_WAIT 2
#define BAR_COLUMN 5

/*
 * A shell's wait for its children does not show where the time went. The states of the children show it.
 * So this wait is not a part of the whole, and has a row only with --all.
 */
static bool is_of_parents(const struct state *state)
{
	return strcmp(state->name, "child") == 0;
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

static struct report_seconds time_at(const void *of, size_t offset)
{
	return *(const struct report_seconds *)((const char *)of + offset);
}

/*
 * Reads the states: "on a CPU", "waiting for a CPU", and the waits in order of time.
 * @whole: set to the sum of all states in seconds, without waits for children.
 * Returns how many states are known.
 */
static size_t read_states(const struct report_job_states *from, struct state states[STATES], double *whole)
{
	size_t known = 0;

	*whole = 0;
	memcpy(states, all_states, sizeof(all_states));
	for (size_t i = 0; i < STATES; i++) {
		struct report_seconds time = time_at(from, states[i].time);

		if (time.ns < 0)
			continue;
		states[i].seconds = report_s(time);
		known++;
		if (!is_of_parents(&states[i]))
			*whole += states[i].seconds;
	}
	qsort(states + FIRST_WAIT, STATES - FIRST_WAIT, sizeof(states[0]), compare_seconds);
	return known;
}

static enum terminal_style state_style(size_t i)
{
	return i == 0 ? STYLE_GOOD : i < FIRST_WAIT ? STYLE_WARNING : STYLE_ACCENT;
}

static void add_state(struct page *page, struct page_table *table, const struct report_job_states *states,
		      const struct state *state, double whole)
{
	struct report_seconds time = time_at(states, state->time);
	struct page_cell cells[5];

	page_table_add(page, table, (const char *const[]){
		state->word,
		state->wait ? page_time_cell(time_at(&states->some, state->wait), &cells[0]) : "",
		state->wait ? page_time_cell(time_at(&states->full, state->wait), &cells[1]) : "",
		page_time_cell(time, &cells[2]),
		is_of_parents(state) ? PAGE_NO_VALUE : page_share_cell(report_s(time), whole, &cells[3]),
		is_of_parents(state) ? "" : page_bar_cell(page, report_s(time), whole, &cells[4]),
	}, NULL);
}

static void add_throttled(struct page *page, struct page_table *table, const struct report_job_states *from,
			  double whole)
{
	static const struct state throttled = STATE(throttled, "  of it, by a CPU quota");

	if (from->throttled_s.ns <= 0)
		return;
	add_state(page, table, from, &throttled, whole);
	page_table_style(table, BAR_COLUMN, STYLE_WARNING);
}

static bool has_row(const struct page *page, const struct state states[STATES], size_t i, double whole)
{
	if (i < FIRST_WAIT || page->options->all)
		return i < FIRST_WAIT || states[i].seconds > 0;
	return i < FIRST_WAIT + WAITS_SHOWN && !is_of_parents(&states[i]) && states[i].seconds > 0 && states[i].seconds >= SHARE_ON_SCREEN * whole;
}

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
	bool several = page->report->nodes.count > 1;
	bool all = page->options->all;
	/* Without --all, the page shows only "All waiting", which says what a wait cost the job. */
	const struct page_column columns[] = {
		{ .head = several ? "Time on all nodes" : "Where the threads' time went" },
		{ .head = "Any waiting", .spare = 3, .hidden = !all },
		{ .head = "All waiting" },
		{ .head = "Thread time", .spare = 2, .hidden = !all },
		{ .head = "Share" },
		{ .head = "", .bar = true, .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);
	struct report_job_states from;
	struct state states[STATES];
	size_t left_out = 0;
	double whole;

	if (!facts_states_of_work(page->report, &from) || !read_states(&from, states, &whole))
		return;
	for (size_t i = 0; i < STATES; i++) {
		if (!has_row(page, states, i, whole)) {
			left_out += !is_of_parents(&states[i]) && states[i].seconds >= SHARE_COUNTED * whole && states[i].seconds > 0;
			continue;
		}
		add_state(page, &table, &from, &states[i], whole);
		page_table_style(&table, BAR_COLUMN, state_style(i));
		if (i == RUNNABLE)
			add_throttled(page, &table, &from, whole);
	}
	page_table_print(page, &table);
	print_launchers(page);
	page_leave_out(page, left_out, "wait", "waits");
}

enum { FILE_SYSTEM_READ = 4 };

/*
 * Writes what a local image cost: "fuse (squashfuse, CPU 12.3 s)". Writes only the type if there is no server.
 * Returns @text.
 */
static const char *name_file_system(const struct report_file_system *from, char *text, size_t size)
{
	const char *type = from->type;
	struct page_cell cell;

	if (!from->served_by)
		return type && *type ? type : "(not identified)";
	snprintf(text, size, "%s (%s", type, from->served_by);
	if (from->server_cpu_s.ns >= 0)
		utf8_append(text, size, ", CPU %s", page_time_cell(from->server_cpu_s, &cell));
	utf8_append(text, size, ")");
	return text;
}

static void add_file_system(struct page *page, struct page_table *table, const struct report_file_system *from)
{
	char named[FILE_SYSTEM_TEXT];
	struct page_cell cells[5];

	page_table_add(page, table, (const char *const[]){
		name_file_system(from, named, sizeof(named)),
		from->class ? from->class : "unknown",
		page_time_cell(from->wait_s, &cells[0]),
		page_count_cell(from->waits, &cells[1]),
		page_size_cell(from->read_bytes, &cells[2]),
		page_size_cell(from->write_bytes, &cells[3]),
		page_count_cell(from->opens, &cells[4]),
	}, NULL);
}

static bool worth_a_row(const struct report_file_system *from)
{
	return from->wait_s.ns > 0 || from->read_bytes > 0 || from->write_bytes > 0;
}

/* Hides each column without any known value. @columns: begins at the column for bytes read. */
static void hide_unknown(struct page_column *columns, const struct report_file_system_list *list)
{
	columns[0].hidden = columns[1].hidden = columns[2].hidden = true;
	for (size_t i = 0; i < list->count; i++) {
		columns[0].hidden &= list->items[i].read_bytes < 0;
		columns[1].hidden &= list->items[i].write_bytes < 0;
		columns[2].hidden &= list->items[i].opens < 0;
	}
}

static bool matter(const struct page *page)
{
	struct report_job_states from;
	struct state states[STATES];
	double waited, whole;

	if (page->options->all || !facts_states_of_work(page->report, &from))
		return page->options->all;
	read_states(&from, states, &whole);
	waited = report_s(from.file_io_s);
	return waited > 0 && waited >= FILE_IO_MATTERS * whole;
}

void page_file_systems(struct page *page)
{
	struct page_column columns[] = {
		{ .head = "File systems" },	    { .head = "Class" }, { .head = "Waited" },
		{ .head = "Waits", .spare = 2 }, { .head = "Read" },  { .head = "Write" },
		{ .head = "Opens", .spare = 1 },
	};
	struct page_table table = PAGE_TABLE(columns);
	const struct report_file_system_list *list = &page->report->used.file_systems;
	size_t limit = matter(page) ? page_limit(page, FILE_SYSTEMS_SHOWN) : 0, left_out = 0;

	hide_unknown(columns + FILE_SYSTEM_READ, list);
	for (size_t i = 0; i < list->count; i++) {
		const struct report_file_system *from = &list->items[i];

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
