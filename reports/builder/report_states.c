/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_states.h"

#include "reports/records/record.h"
#include "reports/records/record_parts.h"

/* Kinds of waits in the report's structures, in the order of enum wait_kind. */
#define TIME_PLACE(kind) offsetof(struct report_wait_times, kind##_s.ns),
static const size_t time_places[WAIT_KINDS] = { REPORT_WAIT_KINDS(TIME_PLACE) };

#define COUNT_PLACE(kind) offsetof(struct report_wait_counts, kind),
static const size_t count_places[WAIT_KINDS] = { REPORT_WAIT_KINDS(COUNT_PLACE) };

/* What is measured for each kind of wait. WAIT_COUNT is a number, all others are times. */
enum measure { WAIT_SOME, WAIT_FULL, WAIT_BOUND, WAIT_COUNT, MEASURES };

struct pressure {
	unsigned int nodes;
	struct sum active, parallel;
	struct sum of[WAIT_KINDS][MEASURES];
	int64_t busy_peak;
	unsigned int busy_known;
};

static void add_pressure(struct pressure *pressure, const struct record *record)
{
	const struct record_pressure *from = &record->pressure;
	const char *node = record_node(record);

	pressure->nodes++;
	sum_add_value(&pressure->active, from->active_ns, node);
	sum_add_value(&pressure->parallel, from->parallel_ns, node);
	if (from->busy_peak >= 0)
		pressure->busy_known++;
	if (from->busy_peak > pressure->busy_peak)
		pressure->busy_peak = from->busy_peak;
	for (enum wait_kind w = 0; w < WAIT_KINDS; w++) {
		const struct record_wait *wait = record_wait_of(&from->waits, w);

		sum_add_value(&pressure->of[w][WAIT_SOME], wait->some_ns, node);
		sum_add_value(&pressure->of[w][WAIT_FULL], wait->full_ns, node);
		sum_add_value(&pressure->of[w][WAIT_BOUND], wait->bound_ns, node);
		sum_add_value(&pressure->of[w][WAIT_COUNT], wait->waits, node);
	}
}

static int64_t value_of(const struct pressure *pressure, const struct sum *sum)
{
	return sum->known < pressure->nodes ? REPORT_UNKNOWN : sum->value;
}

/* Sets the measure @m of each kind of wait at the offsets @places of @out. Returns true if a value is known. */
static bool put_measure(const struct pressure *pressure, enum measure m, void *out, const size_t places[WAIT_KINDS])
{
	bool known = false;

	for (enum wait_kind w = 0; w < WAIT_KINDS; w++) {
		int64_t value = value_of(pressure, &pressure->of[w][m]);

		*(int64_t *)((char *)out + places[w]) = value;
		known |= value >= 0;
	}
	return known;
}

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

void states_put(const struct sums *sums, const struct record *const records[], size_t count, bool for_row,
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
		if (!records[i]->pressure.known && !lacking)
			lacking = record_node(records[i]);
		add_pressure(&pressure, records[i]);
	}
	put_pressure(&pressure, for_row, out);
	if (lacking)
		sum_gap(making, "states", "some", (unsigned int)count, lacking);
}

void states_put_live(const struct record *const records[], size_t count, struct report_job_states *out)
{
	struct pressure pressure = { 0 };

	for (size_t i = 0; i < count; i++)
		add_pressure(&pressure, records[i]);
	put_live(&pressure, out);
}
