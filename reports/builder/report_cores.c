/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_cores.h"

#include <stddef.h>

#include "reports/records/record_parts.h"

#define LOADED_PART 20 /* a loaded core has at least 1/LOADED_PART of the CPU time of the busiest core */

bool cores_count(const struct record *record, int64_t *count)
{
	if (take_count(record->allocated.counted_cores.count, count))
		return true;
	*count = (int64_t)record->allocated.cores.count;
	return record->allocated.cores.known;
}

static bool uses_known(const struct record_core_list *cores)
{
	for (size_t i = 0; i < cores->count; i++)
		if (cores->items[i].cpu_ns < 0)
			return false;
	return cores->known;
}

bool cores_count_used(const struct record *record, int64_t *used)
{
	const struct record_core_list *cores = &record->allocated.cores;

	if (take_count(record->allocated.counted_cores.used, used))
		return true;
	*used = 0;
	if (record->allocated.counted_cores.known || !uses_known(cores))
		return false;
	for (size_t i = 0; i < cores->count; i++)
		*used += cores->items[i].cpu_ns > 0;
	return true;
}

/* A shell may start on one core while its program computes on another. So hardly used cores do not count as loaded. */
bool cores_count_loaded(const struct record *record, int64_t *loaded)
{
	const struct record_core_list *cores = &record->allocated.cores;
	int64_t most = 0;

	if (take_count(record->allocated.counted_cores.loaded, loaded))
		return true;
	*loaded = 0;
	if (record->allocated.counted_cores.known || !uses_known(cores))
		return false;
	for (size_t i = 0; i < cores->count; i++)
		if (cores->items[i].cpu_ns > most)
			most = cores->items[i].cpu_ns;
	for (size_t i = 0; i < cores->count; i++)
		*loaded += cores->items[i].cpu_ns > 0 && cores->items[i].cpu_ns >= most / LOADED_PART;
	return true;
}

bool cores_put_unused(const struct record *record, struct report *report, struct report_unused_core_list *unused, int64_t *used)
{
	const struct record_counted_cores *counted = &record->allocated.counted_cores;
	const struct record_core_list *cores = counted->known ? &counted->unused : &record->allocated.cores;
	const char *node = NULL;

	if (!cores_count_used(record, used))
		return false;
	unused->known = true;
	for (size_t i = 0; i < cores->count; i++) {
		struct report_unused_core *core;

		if (cores->items[i].cpu_ns > 0)
			continue;
		node = node ? node : report_copy(report, record_node(record));
		core = REPORT_ADD(report, unused, unused_core);
		core->node = node;
		core->core = cores->items[i].core;
		core->package = cores->items[i].package;
	}
	return true;
}

void cores_put(const struct record *record, struct report *report, struct report_core_list *cores)
{
	const struct record_core_list *from = &record->allocated.cores;

	if (!from->known)
		return;
	report_keep(report, record_memory(record));
	REPORT_MAKE(report, cores, from->count, core);
	for (size_t i = 0; i < cores->count; i++) {
		cores->items[i].core = from->items[i].core;
		cores->items[i].package = from->items[i].package;
		cores->items[i].pus = from->items[i].pus;
		cores->items[i].cpu_s.ns = from->items[i].cpu_ns;
	}
}
