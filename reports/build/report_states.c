/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/build/report_states.h"

#include "reports/build/record_input.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"

/* The waits, in the report's order: their names, and those of their times. */
#define WAIT(name) { name, name "_s" }
static const struct {
	const char *count, *time;
} waits[] = {
	WAIT("memory_stall"), WAIT("fault_io"), WAIT("file_io"), WAIT("network"), WAIT("pipe"),	 WAIT("lock"),
	WAIT("condition"),    WAIT("child"),	WAIT("event"),	 WAIT("sleep"),	  WAIT("other"),
};

#define WAITS (sizeof(waits) / sizeof(waits[0]))

/* What is counted of each wait. */
static const struct {
	const char *record, *report;
} measures[] = {
	{ "some_ns", "some" },
	{ "full_ns", "full" },
	{ "bound_ns", "bound" },
	{ "waits", "waits" },
};

enum { FULL = 1, COUNT = 3, MEASURES }; /* all but the number of waits are times */

struct pressure {
	unsigned int nodes;
	struct sum active, parallel;
	struct sum of[WAITS][MEASURES];
	int64_t busy_peak;
	unsigned int busy_known;
};

static void add_pressure(struct pressure *pressure, struct json_object *json, const char *node)
{
	struct json_object *list = field_typed(json, "waits", json_type_object);
	int64_t peak;

	pressure->nodes++;
	sum_add(&pressure->active, json, "active_ns", node);
	sum_add(&pressure->parallel, json, "parallel_ns", node);
	if (field_count(json, "busy_peak", &peak)) {
		pressure->busy_known++;
		if (peak > pressure->busy_peak)
			pressure->busy_peak = peak;
	}
	for (size_t w = 0; w < WAITS; w++) {
		struct json_object *wait = field_find(list, waits[w].count);

		for (size_t m = 0; m < MEASURES; m++)
			sum_add(&pressure->of[w][m], wait, measures[m].record, node);
	}
}

static void put_measure(const struct pressure *pressure, size_t m, struct json_object *out)
{
	cleanup_json struct json_object *object = json_object_new_object();

	for (size_t w = 0; w < WAITS; w++) {
		const struct sum *sum = &pressure->of[w][m];

		if (sum->known < pressure->nodes)
			continue;
		if (m == COUNT)
			put_new_count(object, waits[w].count, sum->value);
		else
			put_new_seconds(object, waits[w].time, sum->value);
	}
	if (json_object_object_length(object) > 0)
		put_copy(out, measures[m].report, object);
}

static void put_pressure(const struct pressure *pressure, bool for_row, struct json_object *out)
{
	for (size_t m = 0; m < MEASURES; m++)
		if (!for_row || m != FULL)
			put_measure(pressure, m, out);
	if (pressure->active.known == pressure->nodes)
		put_seconds(out, "active_s", pressure->active.value);
	if (pressure->parallel.known == pressure->nodes)
		put_seconds(out, "parallel_s", pressure->parallel.value);
	if (pressure->busy_known == pressure->nodes)
		put_count(out, "busy_peak", pressure->busy_peak);
}

void states_put(const struct sums *sums, struct json_object *const records[], size_t count, bool for_row,
		struct json_object *out, struct json_object *gaps)
{
	struct pressure pressure = { 0 };
	const char *lacking = NULL;

	sums_put(sums, SUM_IN_STATES, out);
	sums_gaps(sums, SUM_IN_STATES, true, gaps, "states");
	if (sums_known(sums, SUM_ON_CPU))
		sums_put_split(sums, SUM_ON_CPU, out, gaps, "states");
	for (size_t i = 0; i < count; i++) {
		struct json_object *json = field_typed(records[i], "pressure", json_type_object);

		if (!json && !lacking)
			lacking = record_node(records[i]);
		add_pressure(&pressure, json, record_node(records[i]));
	}
	put_pressure(&pressure, for_row, out);
	if (lacking)
		sum_gap(gaps, "states", "some", (unsigned int)count, lacking);
}
