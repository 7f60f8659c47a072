/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/totals.h"

#include <stdio.h>

#include "reports/field.h"
#include "reports/gaps.h"

static void add_sum(struct measure *sum, struct json_object *json, const char *name)
{
	int64_t value;

	if (!field_count(json, name, &value))
		return;
	sum->value = count_sum(sum->value, value);
	sum->known++;
}

static void take_peak(struct measure *peak, int64_t value, const char *node)
{
	if (!peak->known || value > peak->value) {
		peak->value = value;
		peak->node = node;
	}
	peak->known++;
}

bool totals_memory_used_peak(struct json_object *json, int64_t *bytes)
{
	int64_t sampled = -1, process = -1, charged;

	field_count(json, "memory_used_sampled_peak_bytes", &sampled);
	field_count(json, "memory_process_peak_bytes", &process);
	if (sampled < 0 && process < 0)
		return false;
	*bytes = sampled > process ? sampled : process;
	if (field_count(json, "memory_charged_peak_bytes", &charged) && charged < *bytes)
		*bytes = charged;
	return true;
}

void totals_add(struct totals *totals, struct json_object *json, const char *node)
{
	int64_t value;

	totals->nodes++;
	add_sum(&totals->cpu_ns, json, "cpu_ns");
	add_sum(&totals->user_ns, json, "user_ns");
	add_sum(&totals->system_ns, json, "system_ns");
	add_sum(&totals->read_bytes, json, "read_bytes");
	add_sum(&totals->write_bytes, json, "write_bytes");
	add_sum(&totals->processes, json, "processes");
	if (field_count(json, "threads_peak", &value))
		take_peak(&totals->threads_peak, value, node);
	if (totals_memory_used_peak(json, &value))
		take_peak(&totals->memory_used_peak, value, node);
	if (field_count(json, "memory_charged_peak_bytes", &value))
		take_peak(&totals->memory_charged_peak, value, node);
}

bool totals_known(const struct totals *totals, const struct measure *measure)
{
	return totals->nodes > 0 && measure->known == totals->nodes;
}

static void miss(struct json_object *gaps, const char *prefix, const char *name, const char *reason)
{
	char full[96];

	if (!gaps)
		return;
	snprintf(full, sizeof(full), "%s.%s", prefix, name);
	/* the node that could not measure it said more about it */
	if (!gaps_have(gaps, full))
		gaps_add(gaps, full, reason);
}

static void put_cpu_split(const struct totals *totals, struct json_object *out, struct json_object *gaps,
			  const char *prefix)
{
	double user = totals->user_ns.value, system = totals->system_ns.value;
	int64_t user_ns;

	if (!totals_known(totals, &totals->cpu_ns) || !totals_known(totals, &totals->user_ns) ||
	    !totals_known(totals, &totals->system_ns) || user + system <= 0) {
		const char *reason = totals_known(totals, &totals->user_ns) ?
			"no tick of the kernel's clock fell into the job's processes: too short to share out" :
			"the node record does not tell it";

		miss(gaps, prefix, "user_s", reason);
		miss(gaps, prefix, "system_s", reason);
		return;
	}
	user_ns = (double)totals->cpu_ns.value * (user / (user + system));
	if (user_ns > totals->cpu_ns.value)
		user_ns = totals->cpu_ns.value;
	put_seconds(out, "user_s", user_ns);
	put_seconds(out, "system_s", totals->cpu_ns.value - user_ns);
	put_text(out, "cpu_split", "sampled");
}

void totals_put(const struct totals *totals, struct json_object *out, bool cpu_split, struct json_object *gaps,
		const char *prefix)
{
	const struct {
		const char *name;
		const struct measure *measure;
	} counts[] = {
		{ "memory_used_peak_bytes", &totals->memory_used_peak },
		{ "memory_charged_peak_bytes", &totals->memory_charged_peak },
		{ "read_bytes", &totals->read_bytes },
		{ "write_bytes", &totals->write_bytes },
		{ "processes", &totals->processes },
		{ "threads_peak", &totals->threads_peak },
	};

	if (totals_known(totals, &totals->cpu_ns))
		put_seconds(out, "cpu_s", totals->cpu_ns.value);
	else
		miss(gaps, prefix, "cpu_s", "the node record does not tell it");
	if (cpu_split)
		put_cpu_split(totals, out, gaps, prefix);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (totals_known(totals, counts[i].measure))
			put_count(out, counts[i].name, counts[i].measure->value);
		else
			miss(gaps, prefix, counts[i].name, "the node record does not tell it");
	}
}
