/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/settle.h"

#include <stdint.h>
#include <string.h>

#include "common/memory/arena.h"
#include "reports/builder/report_cores.h"
#include "reports/builder/report_series.h"
#include "reports/json/field.h"
#include "reports/records/merge.h"
#include "reports/records/numbers.h"

/* The memory that json-c takes for a value. */
#define VALUE_WEIGHT 64
#define OBJECT_WEIGHT 768
#define MEMBER_WEIGHT 112

void settle_record(struct json_object *record, struct json_object *slurm)
{
	struct settled *settled = settled_of(record) ? NULL : settled_new();
	struct merge_script script;
	int64_t job_id = 0;

	if (!settled)
		return;
	field_count(record, "identity.job_id", &job_id);
	merge_find_script(slurm, job_id, &script);
	series_settle(record, settled);
	cores_settle(record, settled);
	merge_settle_tasks(record, settled);
	merge_settle_timeline(record, &script, settled); /* the largest comes last: an arena's next piece is as large as all before */
	merge_settle_tools(record);
	settled_attach(record, settled);
}

static size_t weight_of(struct json_object *value)
{
	size_t weight = VALUE_WEIGHT;

	if (json_object_is_type(value, json_type_object)) {
		weight += OBJECT_WEIGHT;
		json_object_object_foreach (value, name, member)
			weight += MEMBER_WEIGHT + strlen(name) + weight_of(member);
	} else if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			weight += sizeof(void *) + weight_of(json_object_array_get_idx(value, i));
	} else if (json_object_is_type(value, json_type_string)) {
		weight += json_object_get_string_len(value);
	}
	return weight;
}

size_t settle_weight(struct json_object *record)
{
	const struct settled *settled = settled_of(record);

	/* numbers are attached to the tools, where weight_of() does not see them */
	return weight_of(record) + field_length(field_typed(record, "tools", json_type_array)) * sizeof(struct numbers) +
	       (settled ? sizeof(struct report) + report_arena(settled->part)->bytes : 0);
}
