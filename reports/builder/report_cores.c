/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_cores.h"

#include <stddef.h>

#include "reports/json/field.h"
#include "reports/records/record_input.h"

#define LOADED_PART 20 /* a core is loaded if it has at least one part in this many of the busiest core's CPU time */

/* The cores of a record, in one of two places. */
struct cores {
	const struct report_core_list *settled;
	struct json_object *json;
	size_t count;
	bool known;
};

static struct cores cores_of(struct json_object *record)
{
	const struct settled *settled = settled_of(record);
	struct cores cores = { .json = field_typed(record, "allocated.cores", json_type_array) };

	if (settled)
		cores.settled = &settled->cores;
	cores.count = settled ? settled->cores.count : field_length(cores.json);
	cores.known = settled ? settled->cores.known : cores.json != NULL;
	return cores;
}

/* What a record made from a store line has instead of the cores: how many they are, and the unused ones. */
static struct json_object *counted(struct json_object *record)
{
	return field_typed(record, "allocated.cores_settled", json_type_object);
}

bool cores_count(struct json_object *record, int64_t *count)
{
	struct cores cores = cores_of(record);

	if (field_count(counted(record), "count", count))
		return true;
	*count = (int64_t)cores.count;
	return cores.known;
}

/* ---- unused cores ---- */

/* Returns the CPU time of a core; -1: not known. */
static int64_t ns_of(const struct cores *cores, size_t i)
{
	int64_t ns = -1;

	if (cores->settled)
		return cores->settled->items[i].cpu_s.ns;
	field_count(json_object_array_get_idx(cores->json, i), "cpu_ns", &ns);
	return ns;
}

static bool uses_known(const struct cores *cores)
{
	for (size_t i = 0; i < cores->count; i++)
		if (ns_of(cores, i) < 0)
			return false;
	return cores->known;
}

bool cores_count_used(struct json_object *record, int64_t *used)
{
	struct cores cores = cores_of(record);

	if (field_count(counted(record), "used", used))
		return true;
	*used = 0;
	if (counted(record) || !uses_known(&cores))
		return false;
	for (size_t i = 0; i < cores.count; i++)
		*used += ns_of(&cores, i) > 0;
	return true;
}

/* The start of a shell is not counted as use of a core if a program computes on another. */
bool cores_count_loaded(struct json_object *record, int64_t *loaded)
{
	struct cores cores = cores_of(record);
	int64_t most = 0;

	if (field_count(counted(record), "loaded", loaded))
		return true;
	*loaded = 0;
	if (counted(record) || !uses_known(&cores))
		return false;
	for (size_t i = 0; i < cores.count; i++)
		if (ns_of(&cores, i) > most)
			most = ns_of(&cores, i);
	for (size_t i = 0; i < cores.count; i++)
		*loaded += ns_of(&cores, i) > 0 && ns_of(&cores, i) >= most / LOADED_PART;
	return true;
}

static void read_place(struct json_object *core, int64_t *number, int64_t *package)
{
	field_count(core, "core", number);
	field_count(core, "package", package);
}

bool cores_put_unused(struct json_object *record, struct report *report, struct report_unused_core_list *unused, int64_t *used)
{
	struct json_object *listed = field_typed(counted(record), "unused", json_type_array);
	struct cores cores = cores_of(record);
	const char *node = NULL;

	if (!cores_count_used(record, used))
		return false;
	unused->known = true;
	if (counted(record))
		cores = (struct cores){ .json = listed, .count = field_length(listed) };
	for (size_t i = 0; i < cores.count; i++) {
		struct report_unused_core *core;

		if (ns_of(&cores, i) > 0)
			continue;
		node = node ? node : report_copy(report, record_node(record));
		core = REPORT_ADD(report, unused, unused_core);
		core->node = node;
		if (cores.settled) {
			core->core = cores.settled->items[i].core;
			core->package = cores.settled->items[i].package;
		} else {
			read_place(json_object_array_get_idx(cores.json, i), &core->core, &core->package);
		}
	}
	return true;
}

/* ---- all cores ---- */

static void read_core(struct json_object *from, struct report *report, struct report_core *core)
{
	struct json_object *pus = field_typed(from, "pus", json_type_array);

	read_place(from, &core->core, &core->package);
	field_count(from, "cpu_ns", &core->cpu_s.ns);
	if (!pus)
		return;
	report_make_values(report, &core->pus, field_length(pus));
	for (size_t i = 0; i < core->pus.count; i++) {
		struct json_object *pu = json_object_array_get_idx(pus, i);

		if (json_object_is_type(pu, json_type_int) && json_object_get_int64(pu) >= 0)
			core->pus.items[i] = json_object_get_int64(pu);
	}
}

void cores_put(struct json_object *record, struct report *report, struct report_core_list *cores)
{
	struct cores from = cores_of(record);

	if (from.settled) {
		report_keep(report, settled_of(record)->part);
		*cores = *from.settled;
		return;
	}
	if (!from.known)
		return;
	REPORT_MAKE(report, cores, from.count, core);
	for (size_t i = 0; i < cores->count; i++)
		read_core(json_object_array_get_idx(from.json, i), report, &cores->items[i]);
}

void cores_settle(struct json_object *record, struct settled *settled)
{
	cores_put(record, settled->part, &settled->cores);
	if (settled->cores.known)
		json_object_object_del(field_find(record, "allocated"), "cores");
}
