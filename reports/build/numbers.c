/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/build/numbers.h"

#include <string.h>

#include "reports/json/attached.h"
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

const struct numbers *numbers_of(struct json_object *json, struct numbers *room)
{
	const struct numbers *found = json_attached(json);

	if (found)
		return found;
	numbers_clear(room);
	for (int i = 0; json && i < NUMBERS; i++)
		field_count(json, names[i], &room->of[i]);
	return room;
}

bool numbers_count(struct json_object *json, int number, int64_t *value)
{
	const struct numbers *found = json_attached(json);

	if (!found)
		return field_count(json, names[number], value);
	if (found->of[number] >= 0)
		*value = found->of[number];
	return found->of[number] >= 0;
}

void numbers_attach(struct json_object *json, const struct numbers *numbers)
{
	json_attach(json, numbers, sizeof(*numbers));
}
