/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/build/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "reports/json/field.h"

static const char *const names[NUMBERS] = {
#define SUM_NAME(name, in_record, place, in_report) [SUM_##name] = in_record,
	SUM_LIST(SUM_NAME)
#undef SUM_NAME
	[SUM_PROCESSES] = "processes",
	[SUM_OOM_KILLS] = "oom_kills",
#define NUMBER_NAME(name, in_record) [NUMBER_##name] = in_record,
	NUMBER_LIST(NUMBER_NAME)
#undef NUMBER_NAME
};

const char *numbers_name(int number)
{
	return names[number];
}

void numbers_clear(struct numbers *numbers)
{
	memset(numbers, 0xff, sizeof(*numbers));
}

/* Nothing else that has numbers has userdata. */
static const struct numbers *attached(struct json_object *json)
{
	return json_object_is_type(json, json_type_object) ? json_object_get_userdata(json) : NULL;
}

const struct numbers *numbers_of(struct json_object *json, struct numbers *room)
{
	const struct numbers *found = attached(json);

	if (found)
		return found;
	numbers_clear(room);
	for (int i = 0; json && i < NUMBERS; i++)
		field_count(json, names[i], &room->of[i]);
	return room;
}

bool numbers_count(struct json_object *json, int number, int64_t *value)
{
	const struct numbers *found = attached(json);

	if (!found)
		return field_count(json, names[number], value);
	if (found->of[number] >= 0)
		*value = found->of[number];
	return found->of[number] >= 0;
}

static void forget(struct json_object *json, void *numbers)
{
	(void)json;
	free(numbers);
}

void numbers_attach(struct json_object *json, const struct numbers *numbers)
{
	struct numbers *copy = malloc(sizeof(*copy));

	if (!copy)
		return;
	*copy = *numbers;
	json_object_set_userdata(json, copy, forget);
}
