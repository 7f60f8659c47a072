/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_cores.h"

#include "reports/json/field.h"
#include "reports/json/printed.h"
#include "reports/records/record_input.h"

#define LOADED_PART 20 /* a core had this part of the busiest one's CPU time at least */

static struct json_object *cores_of(struct json_object *record)
{
	return field_typed(record, "allocated.cores", json_type_array);
}

static struct json_object *settled(struct json_object *record)
{
	return field_typed(record, "allocated.cores_settled", json_type_object);
}

bool cores_count(struct json_object *record, int64_t *count)
{
	struct json_object *cores = cores_of(record);

	if (field_count(settled(record), "count", count))
		return true;
	*count = (int64_t)field_length(cores);
	return cores;
}

/* ---- those without use ---- */

static void put_place(struct json_object *core, struct json_object *out)
{
	int64_t value;

	if (field_count(core, "core", &value))
		put_count(out, "core", value);
	if (field_count(core, "package", &value))
		put_count(out, "package", value);
}

static bool uses_known(struct json_object *cores)
{
	int64_t ns;

	for (size_t i = 0; i < field_length(cores); i++)
		if (!field_count(json_object_array_get_idx(cores, i), "cpu_ns", &ns))
			return false;
	return cores;
}

static void add_all(struct json_object *to, struct json_object *from)
{
	for (size_t i = 0; i < field_length(from); i++)
		json_object_array_add(to, json_object_get(json_object_array_get_idx(from, i)));
}

static bool is_used(struct json_object *core)
{
	int64_t ns;

	return field_count(core, "cpu_ns", &ns) && ns > 0;
}

bool cores_count_used(struct json_object *record, int64_t *used)
{
	struct json_object *cores = cores_of(record);

	if (field_count(settled(record), "used", used))
		return true;
	*used = 0;
	if (settled(record) || !uses_known(cores))
		return false;
	for (size_t i = 0; i < field_length(cores); i++)
		*used += is_used(json_object_array_get_idx(cores, i));
	return true;
}

/* A shell's start is no use of a core that matters beside what a program computes on another. */
bool cores_count_loaded(struct json_object *record, int64_t *loaded)
{
	struct json_object *cores = cores_of(record);
	int64_t most = 0, ns;

	if (field_count(settled(record), "loaded", loaded))
		return true;
	*loaded = 0;
	if (settled(record) || !uses_known(cores))
		return false;
	for (size_t i = 0; i < field_length(cores); i++)
		if (field_count(json_object_array_get_idx(cores, i), "cpu_ns", &ns) && ns > most)
			most = ns;
	for (size_t i = 0; i < field_length(cores); i++)
		if (field_count(json_object_array_get_idx(cores, i), "cpu_ns", &ns))
			*loaded += ns > 0 && ns >= most / LOADED_PART;
	return true;
}

bool cores_put_unused(struct json_object *record, struct json_object *unused, int64_t *used)
{
	struct json_object *cores = cores_of(record), *text = field_find(settled(record), "unused");

	if (!cores_count_used(record, used))
		return false;
	if (settled(record)) {
		if (json_object_is_type(text, json_type_array)) /* of a store line */
			add_all(unused, text);
		else if (text)
			json_object_array_add(unused, json_object_get(text));
		return true;
	}
	for (size_t i = 0; i < field_length(cores); i++) {
		struct json_object *core = json_object_array_get_idx(cores, i), *out;

		if (is_used(core))
			continue;
		out = json_object_new_object();
		put_text(out, "node", record_node(record));
		put_place(core, out);
		json_object_array_add(unused, out);
	}
	return true;
}

/* ---- all of them ---- */

static struct json_object *core_object(struct json_object *from)
{
	struct json_object *core = json_object_new_object();
	int64_t value;

	put_place(from, core);
	put_copy(core, "pus", field_typed(from, "pus", json_type_array));
	if (field_count(from, "cpu_ns", &value))
		put_seconds(core, "cpu_s", value);
	return core;
}

void cores_put(struct json_object *record, struct json_object *allocated)
{
	struct json_object *cores = cores_of(record), *text = field_find(settled(record), "all"), *list;

	if (!cores)
		return;
	list = put_array(allocated, "cores");
	if (text)
		json_object_array_add(list, json_object_get(text));
	for (size_t i = 0; i < field_length(cores); i++)
		json_object_array_add(list, core_object(json_object_array_get_idx(cores, i)));
}

static void put_printed(struct json_object *out, const char *name, struct json_object *list)
{
	struct json_object *text = printed_list(list);

	if (text)
		json_object_object_add(out, name, text);
}

void cores_settle(struct json_object *record)
{
	struct json_object *allocated = field_typed(record, "allocated", json_type_object), *unused, *all, *out;
	cleanup_json struct json_object *listed = json_object_new_object();
	int64_t count, used, loaded;

	if (!cores_of(record) || settled(record))
		return;
	out = json_object_new_object();
	unused = json_object_new_array();
	cores_count(record, &count);
	put_count(out, "count", count);
	if (cores_put_unused(record, unused, &used))
		put_count(out, "used", used);
	if (cores_count_loaded(record, &loaded))
		put_count(out, "loaded", loaded);
	put_printed(out, "unused", unused);
	cores_put(record, listed);
	all = field_find(listed, "cores");
	put_printed(out, "all", json_object_get(all));
	json_object_object_add(allocated, "cores_settled", out);
	put_array(allocated, "cores");
}
