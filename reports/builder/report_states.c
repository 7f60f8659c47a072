/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_states.h"

#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/records/record_input.h"
#include "reports/records/waits.h"

/* The names of the times that threads waited, in the report. */
static const char *const times[WAIT_KINDS] = {
	[WAIT_MEMORY_STALL] = "memory_stall_s", [WAIT_FAULT_IO] = "fault_io_s", [WAIT_FILE_IO] = "file_io_s",
	[WAIT_NETWORK] = "network_s",		[WAIT_PIPE] = "pipe_s",		[WAIT_LOCK] = "lock_s",
	[WAIT_CONDITION] = "condition_s",	[WAIT_CHILD] = "child_s",	[WAIT_EVENT] = "event_s",
	[WAIT_SLEEP] = "sleep_s",		[WAIT_OTHER] = "other_s",
};

static const char *const measures[WAIT_MEASURES] = {
	[WAIT_SOME] = "some",
	[WAIT_FULL] = "full",
	[WAIT_BOUND] = "bound",
	[WAIT_COUNT] = "waits",
};

struct pressure {
	unsigned int nodes;
	struct sum active, parallel;
	struct sum of[WAIT_KINDS][WAIT_MEASURES];
	int64_t busy_peak;
	unsigned int busy_known;
};

static void add_pressure(struct pressure *pressure, struct json_object *json, const char *node)
{
	struct waits room;
	const struct waits *waits = waits_of(field_typed(json, "waits", json_type_object), &room);
	int64_t peak;

	pressure->nodes++;
	sum_add(&pressure->active, json, "active_ns", node);
	sum_add(&pressure->parallel, json, "parallel_ns", node);
	if (field_count(json, "busy_peak", &peak)) {
		pressure->busy_known++;
		if (peak > pressure->busy_peak)
			pressure->busy_peak = peak;
	}
	for (enum wait_kind w = 0; w < WAIT_KINDS; w++)
		for (enum wait_measure m = 0; m < WAIT_MEASURES; m++)
			sum_add_value(&pressure->of[w][m], waits->of[w][m], node);
}

static void put_measure(const struct pressure *pressure, enum wait_measure m, struct json_object *out)
{
	cleanup_json struct json_object *object = json_object_new_object();

	for (enum wait_kind w = 0; w < WAIT_KINDS; w++) {
		const struct sum *sum = &pressure->of[w][m];

		if (sum->known < pressure->nodes)
			continue;
		if (m == WAIT_COUNT)
			put_new_count(object, waits_name(w), sum->value);
		else
			put_new_seconds(object, times[w], sum->value);
	}
	if (json_object_object_length(object) > 0)
		put_copy(out, measures[m], object);
}

static void put_pressure(const struct pressure *pressure, bool for_row, struct json_object *out)
{
	for (enum wait_measure m = 0; m < WAIT_MEASURES; m++)
		if (!for_row || m != WAIT_FULL)
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

void states_put_live(struct json_object *const records[], size_t count, struct json_object *out)
{
	struct pressure pressure = { 0 };

	for (size_t i = 0; i < count; i++)
		add_pressure(&pressure, field_typed(records[i], "pressure", json_type_object), record_node(records[i]));
	put_measure(&pressure, WAIT_BOUND, out);
	if (pressure.active.known == pressure.nodes)
		put_seconds(out, "active_s", pressure.active.value);
}
