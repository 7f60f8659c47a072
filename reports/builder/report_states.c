/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_states.h"

#include "reports/json/field.h"
#include "reports/records/record_input.h"
#include "reports/records/waits.h"

/* The offset of each kind of wait in the report, in the order of enum wait_kind, which is the report's. */
#define TIME_PLACE(kind) offsetof(struct report_wait_times, kind##_s.ns),
static const size_t time_places[WAIT_KINDS] = { REPORT_WAIT_KINDS(TIME_PLACE) };

#define COUNT_PLACE(kind) offsetof(struct report_wait_counts, kind),
static const size_t count_places[WAIT_KINDS] = { REPORT_WAIT_KINDS(COUNT_PLACE) };

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

/* Returns the sum over all nodes; unknown if one of them lacks it. */
static int64_t value_of(const struct pressure *pressure, const struct sum *sum)
{
	return sum->known < pressure->nodes ? REPORT_UNKNOWN : sum->value;
}

/* Sets the members of @out at @places. Returns whether any is known. */
static bool put_measure(const struct pressure *pressure, enum wait_measure m, void *out, const size_t places[WAIT_KINDS])
{
	bool known = false;

	for (enum wait_kind w = 0; w < WAIT_KINDS; w++) {
		int64_t value = value_of(pressure, &pressure->of[w][m]);

		*(int64_t *)((char *)out + places[w]) = value;
		known |= value >= 0;
	}
	return known;
}

/* Sets for how long the nodes had a thread of the job. */
static void put_live(const struct pressure *pressure, struct report_job_states *out)
{
	out->bound.known = put_measure(pressure, WAIT_BOUND, &out->bound, time_places);
	out->active_s.ns = value_of(pressure, &pressure->active);
}

static void put_pressure(const struct pressure *pressure, bool for_row, struct report_job_states *out)
{
	put_live(pressure, out);
	out->some.known = put_measure(pressure, WAIT_SOME, &out->some, time_places);
	if (!for_row)
		out->full.known = put_measure(pressure, WAIT_FULL, &out->full, time_places);
	out->waits.known = put_measure(pressure, WAIT_COUNT, &out->waits, count_places);
	out->parallel_s.ns = value_of(pressure, &pressure->parallel);
	if (pressure->busy_known == pressure->nodes)
		out->busy_peak = pressure->busy_peak;
}

void states_put(const struct sums *sums, struct json_object *const records[], size_t count, bool for_row,
		struct report_job_states *out, struct making *making)
{
	struct pressure pressure = { 0 };
	const char *lacking = NULL;

	sums_put(sums, SUM_IN_STATES, &out->state_times);
	sums_gaps(sums, SUM_IN_STATES, true, making, "states");
	if (sums_known(sums, SUM_ON_CPU)) {
		struct sum_split split = sums_split(sums, SUM_ON_CPU, making, "states");

		out->user_s = split.user_s;
		out->system_s = split.system_s;
	}
	for (size_t i = 0; i < count; i++) {
		struct json_object *json = field_typed(records[i], "pressure", json_type_object);

		if (!json && !lacking)
			lacking = record_node(records[i]);
		add_pressure(&pressure, json, record_node(records[i]));
	}
	put_pressure(&pressure, for_row, out);
	if (lacking)
		sum_gap(making, "states", "some", (unsigned int)count, lacking);
}

void states_put_live(struct json_object *const records[], size_t count, struct report_job_states *out)
{
	struct pressure pressure = { 0 };

	for (size_t i = 0; i < count; i++)
		add_pressure(&pressure, field_typed(records[i], "pressure", json_type_object), record_node(records[i]));
	put_live(&pressure, out);
}
