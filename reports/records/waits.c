/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/waits.h"

#include <string.h>

#include "common/sum_list.h"
#include "reports/json/attached.h"
#include "reports/json/field.h"

static const char *const names[WAIT_KINDS] = {
	[WAIT_MEMORY_STALL] = "memory_stall",
	[WAIT_FAULT_IO] = "fault_io",
	[WAIT_FILE_IO] = "file_io",
	[WAIT_NETWORK] = "network",
	[WAIT_PIPE] = "pipe",
	[WAIT_LOCK] = "lock",
	[WAIT_CONDITION] = "condition",
	[WAIT_CHILD] = "child",
	[WAIT_EVENT] = "event",
	[WAIT_SLEEP] = "sleep",
	[WAIT_OTHER] = "other",
};

static const char *const measures[WAIT_MEASURES] = {
	[WAIT_SOME] = "some_ns",
	[WAIT_FULL] = "full_ns",
	[WAIT_BOUND] = "bound_ns",
	[WAIT_COUNT] = "waits",
};

const char *waits_name(enum wait_kind kind)
{
	return names[kind];
}

void waits_clear(struct waits *waits)
{
	memset(waits, 0xff, sizeof(*waits));
}

const struct waits *waits_of(struct json_object *json, struct waits *room)
{
	const struct waits *found = json_attached(json);
	int64_t rest = 0; /* kinds that did not occur are left out */

	if (found)
		return found;
	waits_clear(room);
	field_count(json, SUM_REST, &rest);
	for (enum wait_kind k = 0; json && k < WAIT_KINDS; k++) {
		struct json_object *wait = field_find(json, names[k]);

		if (rest == WAIT_KINDS && !json_object_object_get_ex(json, names[k], NULL))
			memset(room->of[k], 0, sizeof(room->of[k]));
		for (enum wait_measure m = 0; wait && m < WAIT_MEASURES; m++)
			field_count(wait, measures[m], &room->of[k][m]);
	}
	return room;
}

void waits_attach(struct json_object *json, const struct waits *waits)
{
	json_attach(json, waits, sizeof(*waits));
}
