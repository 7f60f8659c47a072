/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collector/use.h"

#include <stdio.h>
#include <string.h>

#include "collector/json.h"

_Static_assert(RECORD_USE_OF_WAIT(WAIT_SLEEP) == USE_SLEEP, "waits and their sums have one order");

static const char *const names[USES] = {
#define USE_NAME(name, text) [USE_##name] = text,
	RECORD_USES(USE_NAME)
#undef USE_NAME
};

const char *use_name(unsigned int use)
{
	return names[use];
}

const char *use_wait_name(unsigned int wait, char text[32])
{
	const char *name = names[RECORD_USE_OF_WAIT(wait)];

	snprintf(text, 32, "%.*s", (int)(strlen(name) - strlen("_ns")), name);
	return text;
}

int64_t use_positive(uint64_t value)
{
	return (int64_t)value > 0 ? (int64_t)value : 0;
}

void use_add(struct json_object *object, const __u64 *use, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		json_add_number(object, names[i], use_positive(use[i]));
}
