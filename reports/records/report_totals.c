/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/report_totals.h"

#include <stdio.h>

#define UNSURE_SHARE 50 /* 1/50 is 2 % */
#define UNSURE_BYTES (INT64_C(16) << 20)

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

bool totals_memory_used_peak(const struct record_totals *from, int64_t *bytes)
{
	int64_t sampled = from->memory_used_sampled_peak_bytes, process = from->memory_process_peak_bytes;
	int64_t charged = from->memory_charged_peak_bytes;

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

void totals_add(struct totals *totals, const struct record_totals *from, const char *node)
{
	int64_t used = -1;
	bool known = totals_memory_used_peak(from, &used);

	sums_add(&totals->sums, from, node);
	take_peak(&totals->memory_used, used, node);
	totals->unsampled |= known && from->memory_used_sampled_peak_bytes < 0;
	take_peak(&totals->memory_charged, from->memory_charged_peak_bytes, node);
	take_peak(&totals->memory_swap, from->memory_swap_sampled_peak_bytes, node);
	take_peak(&totals->memory_limit, from->memory_limit_bytes, node);
	take_peak(&totals->threads, from->threads_peak, node);
	sum_add_value(&totals->cpu_before, from->cpu_before_ns, node);
}

bool totals_knows_peak(const struct totals *totals, const struct peak *peak)
{
	return totals->sums.parts > 0 && peak->known == totals->sums.parts;
}

/* Returns the peak. If a node does not know its peak, adds the gap @name and returns REPORT_UNKNOWN. */
static int64_t peak_of(const struct totals *totals, const struct peak *peak, const char *name, struct making *making,
		       const char *prefix)
{
	if (totals_knows_peak(totals, peak))
		return peak->value;
	sum_gap(making, prefix, name, totals->sums.parts, peak->lacking);
	return REPORT_UNKNOWN;
}

/*
 * Returns the charged peak, an upper bound of the memory used, if it is much higher than the used peak.
 * Otherwise returns REPORT_UNKNOWN.
 */
static int64_t upper_of(const struct totals *totals, struct making *making, const char *prefix)
{
	if (!totals_knows_peak(totals, &totals->memory_charged))
		sum_gap(making, prefix, "memory_used_peak_upper_bytes", totals->sums.parts, totals->memory_charged.lacking);
	else if (totals_knows_peak(totals, &totals->memory_used) &&
		 totals_memory_may_be_more(totals->memory_used.value, totals->memory_charged.value))
		return totals->memory_charged.value;
	return REPORT_UNKNOWN;
}

static void put_protocol(const struct totals *totals, enum sum_place place, struct report_traffic *out)
{
	out->known = sums_put(&totals->sums, place, out);
}

static void put_network(const struct totals *totals, struct report_network *network, struct making *making)
{
	static const struct {
		const char *gap;
		enum sum_place place;
	} protocols[] = {
		{ REPORT_PATH(used.network.tcp), SUM_IN_TCP },
		{ REPORT_PATH(used.network.udp), SUM_IN_UDP },
		{ REPORT_PATH(used.network.unix), SUM_IN_UNIX },
	};

	put_protocol(totals, SUM_IN_TCP, &network->tcp);
	put_protocol(totals, SUM_IN_UDP, &network->udp);
	put_protocol(totals, SUM_IN_UNIX, &network->unix);
	network->known = network->tcp.known || network->udp.known || network->unix.known;
	if (!network->known)
		sum_gap(making, "used", "network", totals->sums.parts, totals->sums.of[SUM_TCP_RX_BYTES].lacking);
	for (size_t i = 0; !making_has_gap(making, REPORT_PATH(used.network)) && i < sizeof(protocols) / sizeof(protocols[0]); i++)
		sums_gaps(&totals->sums, protocols[i].place, true, making, protocols[i].gap);
}

void totals_put_used(const struct totals *totals, struct report_totals *out, struct report_network *network, struct making *making)
{
	struct sum_split split;

	sums_put(&totals->sums, SUM_IN_USED, &out->uses);
	sums_gaps(&totals->sums, SUM_IN_USED, false, making, "used");
	split = sums_split(&totals->sums, SUM_CPU, making, "used");
	out->user_s = split.user_s;
	out->system_s = split.system_s;
	if (totals->cpu_before.value)
		out->cpu_before_s.ns = totals->cpu_before.value;
	if (out->user_s.ns >= 0)
		out->cpu_split = "sampled";
	out->memory_used_peak_bytes = peak_of(totals, &totals->memory_used, "memory_used_peak_bytes", making, "used");
	out->memory_used_peak_upper_bytes = upper_of(totals, making, "used");
	out->memory_charged_peak_bytes = peak_of(totals, &totals->memory_charged, "memory_charged_peak_bytes", making, "used");
	out->memory_swap_peak_bytes = peak_of(totals, &totals->memory_swap, "memory_swap_peak_bytes", making, "used");
	out->processes = sums_value(&totals->sums, SUM_PROCESSES);
	out->oom_kills = sums_value(&totals->sums, SUM_OOM_KILLS);
	sums_gaps(&totals->sums, SUM_IN_TOTALS, false, making, "used");
	out->threads_peak = peak_of(totals, &totals->threads, "threads_peak", making, "used");
	put_network(totals, network, making);
}

void totals_put_for_row(const struct totals *totals, struct report_totals *out)
{
	out->cpu_s.ns = sums_value(&totals->sums, SUM_CPU);
	out->processes = sums_value(&totals->sums, SUM_PROCESSES);
	if (!totals_knows_peak(totals, &totals->memory_used))
		return;
	out->memory_used_peak_bytes = totals->memory_used.value;
	if (totals_knows_peak(totals, &totals->memory_charged) &&
	    totals_memory_may_be_more(totals->memory_used.value, totals->memory_charged.value))
		out->memory_used_peak_upper_bytes = totals->memory_charged.value;
}

void totals_put_step(const struct totals *totals, struct report_step *out, struct making *making, const char *prefix)
{
	char states[80];

	out->memory_used_peak_bytes = peak_of(totals, &totals->memory_used, "memory_used_peak_bytes", making, prefix);
	out->memory_used_peak_at_least = totals_knows_peak(totals, &totals->memory_used) && totals->unsampled;
	out->memory_used_peak_upper_bytes = upper_of(totals, making, prefix);
	out->memory_charged_peak_bytes = peak_of(totals, &totals->memory_charged, "memory_charged_peak_bytes", making, prefix);
	if (totals->memory_limit.known) /* otherwise no node has a limit */
		out->memory_limit_bytes = totals->memory_limit.value;
	out->processes = sums_value(&totals->sums, SUM_PROCESSES);
	out->oom_kills = sums_value(&totals->sums, SUM_OOM_KILLS);
	sums_gaps_of_part(&totals->sums, SUM_IN_TOTALS, making, prefix);
	out->threads_peak = peak_of(totals, &totals->threads, "threads_peak", making, prefix);
	sums_put(&totals->sums, SUM_IN_USED, &out->uses);
	sums_gaps_of_part(&totals->sums, SUM_IN_USED, making, prefix);
	out->states.known = sums_put(&totals->sums, SUM_IN_STATES, &out->states.state_times);
	snprintf(states, sizeof(states), "%s.states", prefix);
	sums_gaps_of_part(&totals->sums, SUM_IN_STATES, making, states);
}
