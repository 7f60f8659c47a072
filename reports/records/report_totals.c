/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/report_totals.h"

#include <stdio.h>

#include "reports/json/field.h"
#include "reports/json/gaps.h"

#define UNSURE_SHARE 50 /* one part in 50: 2 % */
#define UNSURE_BYTES (INT64_C(16) << 20)

/* @value: negative: not known */
static void take_peak(struct peak *peak, int64_t value, const char *node)
{
	if (value < 0) {
		if (!peak->lacking)
			peak->lacking = node;
		return;
	}
	if (!peak->known || value > peak->value) {
		peak->value = value;
		peak->node = node;
	}
	peak->known++;
}

bool totals_memory_used_peak(const struct numbers *numbers, int64_t *bytes)
{
	int64_t sampled = numbers->of[NUMBER_MEMORY_SAMPLED], process = numbers->of[NUMBER_MEMORY_PROCESS];
	int64_t charged = numbers->of[NUMBER_MEMORY_CHARGED];

	if (sampled < 0 && process < 0)
		return false;
	*bytes = sampled > process ? sampled : process;
	if (charged >= 0 && charged < *bytes)
		*bytes = charged;
	return true;
}

bool totals_memory_may_be_more(int64_t used_peak, int64_t charged_peak)
{
	int64_t above = charged_peak - used_peak;

	return above > UNSURE_BYTES && above > used_peak / UNSURE_SHARE;
}

void totals_add(struct totals *totals, const struct numbers *numbers, const char *node)
{
	int64_t used = -1;
	bool known = totals_memory_used_peak(numbers, &used);

	sums_add(&totals->sums, numbers, node);
	take_peak(&totals->memory_used, used, node);
	totals->unsampled |= known && numbers->of[NUMBER_MEMORY_SAMPLED] < 0;
	take_peak(&totals->memory_charged, numbers->of[NUMBER_MEMORY_CHARGED], node);
	take_peak(&totals->memory_swap, numbers->of[NUMBER_MEMORY_SWAP], node);
	take_peak(&totals->memory_limit, numbers->of[NUMBER_MEMORY_LIMIT], node);
	take_peak(&totals->threads, numbers->of[NUMBER_THREADS_PEAK], node);
	sum_add_value(&totals->cpu_before, numbers->of[NUMBER_CPU_BEFORE], node);
}

bool totals_knows_peak(const struct totals *totals, const struct peak *peak)
{
	return totals->sums.parts > 0 && peak->known == totals->sums.parts;
}

static void put_peak(const struct totals *totals, const struct peak *peak, struct json_object *out, const char *name,
		     struct json_object *gaps, const char *prefix)
{
	if (totals_knows_peak(totals, peak))
		put_count(out, name, peak->value);
	else
		sum_gap(gaps, prefix, name, totals->sums.parts, peak->lacking);
}

/* Adds an upper bound of used memory: no node can have used more than the highest charged peak. */
static void put_upper(const struct totals *totals, struct json_object *out, struct json_object *gaps,
		      const char *prefix)
{
	static const char name[] = "memory_used_peak_upper_bytes";

	if (!totals_knows_peak(totals, &totals->memory_charged))
		sum_gap(gaps, prefix, name, totals->sums.parts, totals->memory_charged.lacking);
	else if (totals_knows_peak(totals, &totals->memory_used) &&
		 totals_memory_may_be_more(totals->memory_used.value, totals->memory_charged.value))
		put_count(out, name, totals->memory_charged.value);
}

static void put_network(const struct totals *totals, struct json_object *out, struct json_object *gaps)
{
	static const struct {
		const char *name, *gap;
		enum sum_place place;
	} protocols[] = {
		{ "tcp", "used.network.tcp", SUM_IN_TCP },
		{ "udp", "used.network.udp", SUM_IN_UDP },
		{ "unix", "used.network.unix", SUM_IN_UNIX },
	};
	cleanup_json struct json_object *network = json_object_new_object();

	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++)
		sums_put_object(&totals->sums, protocols[i].place, network, protocols[i].name);
	if (json_object_object_length(network) > 0)
		put_copy(out, "network", network);
	else
		sum_gap(gaps, "used", "network", totals->sums.parts, totals->sums.of[SUM_TCP_RX_BYTES].lacking);
	for (size_t i = 0; !gaps_have(gaps, "used.network") && i < sizeof(protocols) / sizeof(protocols[0]); i++)
		sums_gaps(&totals->sums, protocols[i].place, true, gaps, protocols[i].gap);
}

void totals_put_used(const struct totals *totals, struct json_object *out, struct json_object *gaps)
{
	sums_put(&totals->sums, SUM_IN_USED, out);
	sums_gaps(&totals->sums, SUM_IN_USED, false, gaps, "used");
	sums_put_split(&totals->sums, SUM_CPU, out, gaps, "used");
	if (totals->cpu_before.value)
		put_new_seconds(out, "cpu_before_s", totals->cpu_before.value);
	if (field_find(out, "user_s"))
		put_text(out, "cpu_split", "sampled");
	put_peak(totals, &totals->memory_used, out, "memory_used_peak_bytes", gaps, "used");
	put_upper(totals, out, gaps, "used");
	put_peak(totals, &totals->memory_charged, out, "memory_charged_peak_bytes", gaps, "used");
	put_peak(totals, &totals->memory_swap, out, "memory_swap_peak_bytes", gaps, "used");
	sums_put(&totals->sums, SUM_IN_TOTALS, out);
	sums_gaps(&totals->sums, SUM_IN_TOTALS, false, gaps, "used");
	put_peak(totals, &totals->threads, out, "threads_peak", gaps, "used");
	put_network(totals, out, gaps);
}

void totals_put_for_row(const struct totals *totals, struct json_object *out)
{
	sums_put_one(&totals->sums, SUM_CPU, out);
	put_peak(totals, &totals->memory_used, out, "memory_used_peak_bytes", NULL, "used");
}

void totals_put_step(const struct totals *totals, struct json_object *out, struct json_object *gaps,
		     const char *prefix)
{
	char states[80];

	put_peak(totals, &totals->memory_used, out, "memory_used_peak_bytes", gaps, prefix);
	if (totals_knows_peak(totals, &totals->memory_used) && totals->unsampled)
		put_flag(out, "memory_used_peak_at_least", true);
	put_upper(totals, out, gaps, prefix);
	put_peak(totals, &totals->memory_charged, out, "memory_charged_peak_bytes", gaps, prefix);
	if (totals->memory_limit.known) /* else there is none */
		put_count(out, "memory_limit_bytes", totals->memory_limit.value);
	sums_put(&totals->sums, SUM_IN_TOTALS, out);
	sums_gaps_of_part(&totals->sums, SUM_IN_TOTALS, gaps, prefix);
	put_peak(totals, &totals->threads, out, "threads_peak", gaps, prefix);
	sums_put(&totals->sums, SUM_IN_USED, out);
	sums_gaps_of_part(&totals->sums, SUM_IN_USED, gaps, prefix);
	sums_put_object(&totals->sums, SUM_IN_STATES, out, "states");
	snprintf(states, sizeof(states), "%s.states", prefix);
	sums_gaps_of_part(&totals->sums, SUM_IN_STATES, gaps, states);
}
