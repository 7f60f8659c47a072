/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that the report as a C type has the values that reports/json/field.h reads from its JSON. */
#ifndef STINT_MODEL_AGREE_H
#define STINT_MODEL_AGREE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "reports/json/field.h"
#include "reports/model/report_tables.h"

#define MODEL_NAME 192
#define MODEL_LARGEST 9.2e18 /* beyond this, the two round differently */

/* The name of the differing field; within a list, its name in the element. Empty: none. */
struct model_difference {
	char name[2 * MODEL_NAME + 64];
};

static inline bool model_agrees(const struct report_object *of, void *object, struct json_object *json, const char *prefix,
				struct model_difference *where);

static inline bool model_same_number(double one, double other)
{
	return (isnan(one) && isnan(other)) || one == other || fabs(other) > MODEL_LARGEST;
}

/* To the model, a number that is not finite is unknown. */
static inline double model_number(struct json_object *json, const char *name)
{
	double number = NAN;

	return field_number(json, name, &number) && isfinite(number) ? number : NAN;
}

/* The model keeps nine decimals of a number. */
static inline bool model_same_seconds(struct report_seconds time, struct json_object *json, const char *name)
{
	double is = report_s(time), was = model_number(json, name);

	if (was < 0 || (was == 0 && signbit(was)))
		return isnan(is);
	return model_same_number(is, was) || fabs(is - was) <= 0.6e-9 + 3e-16 * was || was > 9.2e9;
}

static inline bool model_same_text(const char *text, struct json_object *json, const char *name)
{
	const char *was = field_text(json, name);

	return text && was ? strcmp(text, was) == 0 : text == was;
}

static inline bool model_same_count(int64_t count, struct json_object *json, const char *name)
{
	int64_t was = REPORT_UNKNOWN;

	field_count(json, name, &was);
	return count == was;
}

static inline bool model_is_null(struct json_object *json, const char *name)
{
	const char *dot = strrchr(name, '.');
	char outer[MODEL_NAME];
	struct json_object *value = NULL;

	snprintf(outer, sizeof(outer), "%.*s", dot ? (int)(dot - name) : 0, name);
	if (dot)
		json = field_typed(json, outer, json_type_object);
	return json && json_object_object_get_ex(json, dot ? dot + 1 : name, &value) && !value;
}

static inline bool model_same_plain(const struct report_field *field, const void *member, struct json_object *json,
				    const char *name)
{
	const struct report_value *value = member;
	const struct report_flag *flag = member;

	switch (field->type) {
	case REPORT_TYPE_COUNT:
		return model_same_count(*(const int64_t *)member, json, name);
	case REPORT_TYPE_LIMIT:
		return model_is_null(json, name) ? *(const int64_t *)member == REPORT_NONE :
						   model_same_count(*(const int64_t *)member, json, name);
	case REPORT_TYPE_SECONDS:
		return model_same_seconds(*(const struct report_seconds *)member, json, name);
	case REPORT_TYPE_RATIO:
		return model_same_number(*(const double *)member, model_number(json, name));
	case REPORT_TYPE_TEXT:
	case REPORT_TYPE_WORD:
	case REPORT_TYPE_TIME:
		return model_same_text(*(const char *const *)member, json, name);
	case REPORT_TYPE_MARK:
		return *(const bool *)member == field_true(json, name);
	case REPORT_TYPE_FLAG:
		return flag->value == field_true(json, name) &&
		       flag->known == (field_typed(json, name, json_type_boolean) != NULL);
	default:
		return model_same_text(value->text, json, name) && model_same_number(value->number, model_number(json, name));
	}
}

/* Compares an item of a list as the only member of an object. */
static inline bool model_same_item(enum report_type list, const void *item, struct json_object *value)
{
	struct report_field field = { .type = list == REPORT_TYPE_SECONDS_LIST ? REPORT_TYPE_SECONDS :
					      list == REPORT_TYPE_TEXT_LIST    ? REPORT_TYPE_TEXT :
										 REPORT_TYPE_COUNT };
	cleanup_json struct json_object *alone = json_object_new_object();

	json_object_object_add(alone, "item", json_object_get(value));
	return model_same_plain(&field, item, alone, "item");
}

static inline bool model_same_list(const struct report_field *field, const void *member, struct json_object *json,
				   const char *name, struct model_difference *where)
{
	struct json_object *was = field_typed(json, name, json_type_array);
	struct report_any_list list;

	memcpy(&list, member, sizeof(list));
	if (list.known != (was != NULL) || list.count != field_length(was))
		return false;
	for (size_t i = 0; i < list.count; i++) {
		struct json_object *value = json_object_array_get_idx(was, i);
		size_t bytes = field->of ? field->of()->bytes : sizeof(int64_t);
		void *item = (char *)list.items + i * bytes;

		if (field->of && *(bool *)item != json_object_is_type(value, json_type_object))
			return false;
		if (field->of ? !model_agrees(field->of(), item, value, "", where) : !model_same_item(field->type, item, value))
			return false;
	}
	return true;
}

/* Returns whether @map has @value as @name. The last one counts. */
static inline bool model_has_named(const struct report_field *field, const struct report_any_list *map, const char *name,
				   struct json_object *json)
{
	bool counts = field->type == REPORT_TYPE_COUNT_MAP;

	for (size_t i = map->count; i-- > 0;) {
		const struct report_named_count *count = (const struct report_named_count *)map->items + i;
		const struct report_named_ratio *ratio = (const struct report_named_ratio *)map->items + i;
		struct json_object *value = NULL;
		int64_t was = REPORT_UNKNOWN;

		if (strcmp(counts ? count->name : ratio->name, name) != 0)
			continue;
		json_object_object_get_ex(json, name, &value);
		if (counts && json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= 0)
			was = json_object_get_int64(value);
		if (counts)
			return count->value == was;
		if (!json_object_is_type(value, json_type_int) && !json_object_is_type(value, json_type_double))
			return isnan(ratio->value);
		return model_same_number(ratio->value, json_object_get_double(value)) || isnan(ratio->value);
	}
	return false;
}

static inline bool model_same_map(const struct report_field *field, const void *member, struct json_object *json,
				  const char *name)
{
	struct json_object *was = field_typed(json, name, json_type_object);
	struct report_any_list list;

	memcpy(&list, member, sizeof(list));
	if (list.known != (was != NULL))
		return false;
	if (!was)
		return true;
	json_object_object_foreach(was, each, value) {
		(void)value;
		if (!model_has_named(field, &list, each, was))
			return false;
	}
	return list.count >= (size_t)json_object_object_length(was);
}

static inline bool model_same_field(const struct report_field *field, void *object, struct json_object *json, const char *name,
				    struct model_difference *where)
{
	void *member = report_member(field, object);

	switch (field->type) {
	case REPORT_TYPE_OBJECT:
		return *(bool *)member == (field_typed(json, name, json_type_object) != NULL) &&
		       model_agrees(field->of(), member, json, name, where);
	case REPORT_TYPE_LIST:
	case REPORT_TYPE_COUNT_LIST:
	case REPORT_TYPE_SECONDS_LIST:
	case REPORT_TYPE_TEXT_LIST:
		return model_same_list(field, member, json, name, where);
	case REPORT_TYPE_COUNT_MAP:
	case REPORT_TYPE_RATIO_MAP:
		return model_same_map(field, member, json, name);
	default:
		return model_same_plain(field, member, json, name);
	}
}

/*
 * Returns whether all fields of @object, a struct of the table @of, have the values that field.h reads.
 *
 * @prefix: begins their names in @json, before a dot
 * @where: set to the field that differs
 */
static inline bool model_agrees(const struct report_object *of, void *object, struct json_object *json, const char *prefix,
				struct model_difference *where)
{
	char name[MODEL_NAME];

	for (size_t i = 0; i < of->count; i++) {
		snprintf(name, sizeof(name), "%s%s%s", prefix, *prefix ? "." : "", of->fields[i].name);
		if (model_same_field(&of->fields[i], object, json, name, where))
			continue;
		if (!where->name[0])
			snprintf(where->name, sizeof(where->name), "%s of %s", name, of->name);
		return false;
	}
	return true;
}

#endif
