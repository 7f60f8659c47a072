/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds gaps to the record. */
#include <string.h>

#include "collector/record/node_record_internal.h"
#include "common/json_writer.h"

static bool has_text(struct json_object *object, const char *name, const char *text)
{
	struct json_object *value;

	return json_object_object_get_ex(object, name, &value) && strcmp(json_object_get_string(value), text) == 0;
}

void node_record_gap(struct build *b, const char *name, const char *reason)
{
	struct json_object *gap;

	for (size_t i = 0; i < json_object_array_length(b->gaps); i++) {
		gap = json_object_array_get_idx(b->gaps, i);
		if (has_text(gap, "name", name) && has_text(gap, "reason", reason))
			return;
	}
	gap = json_object_new_object();
	put_known_text(gap, "name", name);
	put_known_text(gap, "reason", reason);
	json_object_array_add(b->gaps, gap);
}

bool node_record_was_followed(const struct build *b)
{
	return b->have_totals && b->totals.slot;
}

bool node_record_was_sampled(const struct build *b)
{
	return node_record_was_followed(b) && programs__loaded(b->source->programs, PROGRAM_sample_tasks);
}

void node_record_add_step(const struct build *b, struct json_object *object, uint64_t cgroup)
{
	char name[16];

	/* 0 means: no step, or a step without a cgroup */
	for (uint32_t i = 0; cgroup && i < b->job->step_count; i++)
		if (b->job->steps[i].cgroup == cgroup) {
			put_known_text(object, "step", job_step_name(b->job->steps[i].id, name));
			return;
		}
}
