/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/field.h"
#include "reports/page_part.h"

#define SHARE_TOLD 0.005 /* of the threads' time; a wait with less has no row */
#define FILE_SYSTEMS_SHOWN 5

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
	{ "child_s", "child process", 0 },
	{ "event_s", "event", 0 },
	{ "sleep_s", "sleep", 0 },
	{ "other_s", "other", 0 },
};

#define STATES (sizeof(all_states) / sizeof(all_states[0]))
#define FIRST_WAIT 2

static int compare_seconds(const void *a, const void *b)
{
	const struct state *one = a, *other = b;

	if (one->seconds != other->seconds)
		return one->seconds > other->seconds ? -1 : 1;
	return strcmp(one->name, other->name);
}

/* The states by time, on a CPU and waiting for one ahead. Returns how many are known. */
static size_t read_states(struct json_object *from, struct state states[STATES], double *whole)
{
	size_t known = 0;

	*whole = 0;
	memcpy(states, all_states, sizeof(all_states));
	for (size_t i = 0; i < STATES; i++) {
		if (!field_number(from, states[i].name, &states[i].seconds))
			continue;
		known++;
		*whole += states[i].seconds;
	}
	qsort(states + FIRST_WAIT, STATES - FIRST_WAIT, sizeof(states[0]), compare_seconds);
	return known;
}

static const char *job_cell(struct json_object *report, const char *part, const char *name, struct page_cell *cell)
{
	char path[64];

	snprintf(path, sizeof(path), "states.%s.%s", part, name);
	return page_time_cell(report, path, cell);
}

static void add_state(struct page_table *table, struct json_object *report, const struct state *state, double whole,
		      bool is_wait)
{
	struct json_object *states = field_typed(report, "states", json_type_object);
	struct page_cell cells[4];

	page_table_add(table, (const char *const[]){
		state->word,
		page_time_cell(states, state->name, &cells[0]),
		page_share_cell(states, state->name, whole, &cells[1]),
		is_wait ? job_cell(report, "some", state->name, &cells[2]) : "",
		is_wait ? job_cell(report, "full", state->name, &cells[3]) : "",
	}, NULL);
}

void page_states(struct json_object *report, FILE *out)
{
	static const char *const heads[] = { "State", "Thread time", "Share", "Some", "Full" };
	struct page_table table = { .columns = sizeof(heads) / sizeof(heads[0]), .heads = heads };
	struct state states[STATES];
	double whole;

	if (!read_states(field_typed(report, "states", json_type_object), states, &whole))
		return;
	for (size_t i = 0; i < STATES; i++)
		if (i < FIRST_WAIT || (states[i].seconds > 0 && states[i].seconds >= SHARE_TOLD * whole))
			add_state(&table, report, &states[i], whole, i >= FIRST_WAIT);
	fputs("\nWhere the threads' time went (some: one or more waited; full: and none worked)\n", out);
	page_table_print(&table, out);
}

/* ---- file systems ---- */

static void add_file_system(struct page_table *table, struct json_object *from)
{
	const char *type = field_text(from, "type"), *class = field_text(from, "class");
	struct page_cell cells[5];

	page_table_add(table, (const char *const[]){
		type && *type ? type : "(not told apart)",
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

void page_file_systems(struct json_object *report, FILE *out)
{
	static const char *const heads[] = { "File system", "Class", "Waited", "Waits", "Read", "Write", "Opens" };
	struct page_table table = { .columns = sizeof(heads) / sizeof(heads[0]), .heads = heads };
	struct json_object *list = field_typed(report, "used.file_systems", json_type_array);
	size_t worth = 0;

	for (size_t i = 0; i < field_length(list); i++) {
		struct json_object *from = json_object_array_get_idx(list, i);

		if (worth_a_row(from) && worth++ < FILE_SYSTEMS_SHOWN)
			add_file_system(&table, from);
	}
	if (worth == 0)
		return;
	fputs("\nFile systems, by the time that threads waited for them\n", out);
	page_table_print(&table, out);
	page_print_more(out, worth > FILE_SYSTEMS_SHOWN ? worth - FILE_SYSTEMS_SHOWN : 0, "file systems");
}
