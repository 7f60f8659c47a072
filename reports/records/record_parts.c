/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/records/record_parts.h"

#include <grp.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/cleanup.h"

static const struct record_step *find_step(const struct record *record, const char *id)
{
	for (size_t i = 0; i < record->steps.count; i++)
		if (report_text_is(record->steps.items[i].id, id))
			return &record->steps.items[i];
	return NULL;
}

const struct record_step *record_batch_step(const struct record *record)
{
	return find_step(record, "batch");
}

int64_t record_script_pid(const struct record *record)
{
	const struct record_step *step = record_batch_step(record);

	return step && step->tasks.count ? step->tasks.items[0].pid : -1;
}

bool record_is_child(const struct record_entry *entry, const struct record_entry *parent)
{
	return parent->pid >= 0 && entry->ppid == parent->pid && report_text_is(entry->step, parent->step);
}

struct ranked {
	size_t index;
	int64_t wall_ns;
};

static int compare_walls(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	if (one->wall_ns != other->wall_ns)
		return one->wall_ns > other->wall_ns ? -1 : 1;
	return one->index < other->index ? -1 : one->index > other->index;
}

static int compare_indexes(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	return one->index < other->index ? -1 : one->index > other->index;
}

void record_trim_timeline(struct record *record, size_t max)
{
	struct record_entry_list *timeline = &record->timeline;
	size_t count = timeline->count;
	cleanup_free struct ranked *ranked = NULL;

	if (count <= max)
		return;
	ranked = calloc(count, sizeof(*ranked));
	if (!ranked) {
		report_lacked(record_memory(record));
		return;
	}
	for (size_t i = 0; i < count; i++) {
		ranked[i].index = i;
		take_count(timeline->items[i].wall_ns, &ranked[i].wall_ns);
	}
	qsort(ranked, count, sizeof(*ranked), compare_walls);
	qsort(ranked, max, sizeof(*ranked), compare_indexes);
	for (size_t i = 0; i < max; i++)
		timeline->items[i] = timeline->items[ranked[i].index];
	timeline->count = max;
	record_add_gapf(record, "timeline", "the report keeps the longest %zu of %zu entries: it keeps no more of one "
					    "node", max, count);
}

bool record_unused(const struct record *record)
{
	return record->opened_unix_ns < 0 && record->steps.count == 0 && record->totals.processes == 0;
}

int64_t record_nodes_at_start(const struct record *record)
{
	const struct record_step *step = find_step(record, "extern");

	return step && step->nodes >= 0 ? step->nodes : 0;
}

const char *record_node(const struct record *record)
{
	return record->identity.node ? record->identity.node : "?";
}

const char *record_group(const struct record *record)
{
	int64_t gid = record->user.gid;
	struct group *group = gid >= 0 && gid < UINT32_MAX ? getgrgid((gid_t)gid) : NULL;

	return group ? group->gr_name : NULL;
}
