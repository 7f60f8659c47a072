/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/numbers.h"

#include <string.h>

#include "reports/json/attached.h"
#include "reports/json/field.h"

static const char *const names[NUMBERS] = {
#define SUM_NAME(name, in_record, ...) [SUM_##name] = in_record,
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

/* Returns how many of the first sums @json leaves out if they are 0; 0 if another version with another list wrote it. */
static int rest_of(struct json_object *json)
{
	int64_t rest;

	return field_count(json, SUM_REST, &rest) && (rest == SUM_PROCESSES || rest == SUMS_OF_ENTRY) ? (int)rest : 0;
}

static bool is_left_out(struct json_object *json, int number, int rest)
{
	return number < rest && !json_object_object_get_ex(json, names[number], NULL);
}

const struct numbers *numbers_of(struct json_object *json, struct numbers *room)
{
	const struct numbers *found = json_attached(json);
	int rest;

	if (found)
		return found;
	numbers_clear(room);
	rest = rest_of(json);
	for (int i = 0; json && i < NUMBERS; i++)
		if (!field_count(json, names[i], &room->of[i]) && is_left_out(json, i, rest))
			room->of[i] = 0;
	return room;
}

bool numbers_count(struct json_object *json, int number, int64_t *value)
{
	const struct numbers *found = json_attached(json);

	if (found && found->of[number] >= 0)
		*value = found->of[number];
	if (found)
		return found->of[number] >= 0;
	if (field_count(json, names[number], value))
		return true;
	if (!is_left_out(json, number, rest_of(json)))
		return false;
	*value = 0;
	return true;
}

void numbers_attach(struct json_object *json, const struct numbers *numbers)
{
	json_attach(json, numbers, sizeof(*numbers));
}
