/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/evidence.h"

#include <math.h>

#include "reports/field.h"

#define COUNT_MAX 9e18 /* below INT64_MAX */

static struct json_object *put_entry(struct json_object *list, const char *name)
{
	struct json_object *entry = json_object_new_object();

	put_text(entry, "name", name);
	json_object_array_add(list, entry);
	return entry;
}

static struct json_object *put_whole(struct json_object *list, const char *name, double value)
{
	struct json_object *entry;

	if (!(value >= 0 && value < COUNT_MAX))
		return NULL;
	entry = put_entry(list, name);
	put_count(entry, "value", llround(value));
	return entry;
}

static struct json_object *put_number(struct json_object *list, const char *name, double value, const char *unit)
{
	struct json_object *entry;

	if (!isfinite(value))
		return NULL;
	entry = put_entry(list, name);
	put_ratio(entry, "value", value);
	put_text(entry, "unit", unit);
	return entry;
}

void evidence_count(struct json_object *list, const char *name, double value)
{
	put_whole(list, name, value);
}

void evidence_number(struct json_object *list, const char *name, double value, const char *unit)
{
	put_number(list, name, value, unit);
}

void evidence_bytes(struct json_object *list, const char *name, double value)
{
	struct json_object *entry = put_whole(list, name, value);

	if (entry)
		put_text(entry, "unit", "bytes");
}

void evidence_seconds(struct json_object *list, const char *name, double value)
{
	put_number(list, name, value, "s");
}

void evidence_text(struct json_object *list, const char *name, const char *text)
{
	if (text)
		put_text(put_entry(list, name), "value", text);
}

void evidence_against(struct json_object *list, const char *name, double value, const char *unit, double threshold)
{
	struct json_object *entry = put_number(list, name, value, unit);

	if (entry)
		put_ratio(entry, "threshold", threshold);
}
