/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_oom.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/json/field.h"
#include "reports/records/record_parts.h"
#include "reports/records/sums.h"

#define VICTIMS_MAX 1024 /* listed for a job; one node's record has at most 64 */

struct victim {
	const struct record_oom_kill *kill;
	const struct record *record;
	size_t serial; /* keeps processes that were killed at one moment in the order of the records */
};

static int compare_victims(const void *a, const void *b)
{
	const struct victim *one = a, *other = b;

	if (one->kill->time_unix_ns != other->kill->time_unix_ns)
		return one->kill->time_unix_ns < other->kill->time_unix_ns ? -1 : 1;
	return one->serial < other->serial ? -1 : one->serial > other->serial;
}

static void put_victim(const struct victim *victim, const struct merge_script *script, struct report *report)
{
	struct report_oom_kill *out = REPORT_ADD(report, &report->oom, oom_kill);
	const struct record_oom_kill *kill = victim->kill;
	char time[TIME_TEXT];

	if (kill->time_unix_ns >= 0)
		out->time = report_copy(report, time_text(kill->time_unix_ns, time));
	out->tool = report_copy(report, merge_tool_name(victim->record, kill->tool, script));
	out->comm = report_copy(report, kill->comm);
	out->pid = kill->pid;
	out->node = report_copy(report, record_node(victim->record));
	out->step = report_copy(report, kill->step);
	out->rss_bytes = kill->rss_bytes;
	out->used_bytes = kill->used_bytes;
	out->limit_bytes = kill->limit_bytes;
	out->kernel_bytes = kill->kernel_bytes;
	out->slab_bytes = kill->slab_bytes;
	out->names_bytes = kill->names_bytes;
	out->page_table_bytes = kill->page_table_bytes;
	out->node_ran_out = kill->node_ran_out;
	out->along = kill->along;
	out->slurm = merge_is_slurms(victim->record, kill->tool);
}

static size_t collect_victims(const struct record *const records[], size_t count, struct victim *victims)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t v = 0; v < records[i]->oom.count; v++, used++)
			victims[used] = (struct victim){ &records[i]->oom.items[v], records[i], used };
	return used;
}

void oom_put(const struct record *const records[], size_t count, const struct merge_script *script,
	     struct making *making)
{
	cleanup_free struct victim *victims = NULL;
	size_t room = 0, used, known = count == 0;

	for (size_t i = 0; i < count; i++) {
		if (records[i]->oom.known)
			known++;
		else
			sum_gap(making, "oom", NULL, (unsigned int)count, record_node(records[i]));
		room += records[i]->oom.count;
	}
	victims = calloc(room + 1, sizeof(*victims));
	if (!victims)
		report_lacked(making->report);
	if (!victims || !known)
		return;
	used = collect_victims(records, count, victims);
	qsort(victims, used, sizeof(*victims), compare_victims);
	making->report->oom.known = true;
	for (size_t i = 0; i < used && i < VICTIMS_MAX; i++)
		put_victim(&victims[i], script, making->report);
	if (used > VICTIMS_MAX)
		making_gapf(making, "oom", "the report lists the first %d of %zu processes", VICTIMS_MAX, used);
}

static int64_t count_victims(const struct report_oom_kill_list *list, const char *tool)
{
	int64_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += report_text_is(list->items[i].tool, tool);
	return count;
}

/* The count of signals is only for runs. If more processes of a tool were killed, the others were forks. */
void oom_count_forks(struct report *report)
{
	for (size_t i = 0; report->oom.count > 0 && i < report->tools.count; i++) {
		struct report_tool *tool = &report->tools.items[i];
		int64_t victims = count_victims(&report->oom, tool->name), more = victims - tool->signals;

		if (tool->failures < 0 || tool->signals < 0 || tool->forks < 0 || more <= 0 || more > tool->forks)
			continue;
		tool->failures = count_sum(tool->failures, more);
		tool->signals = victims;
	}
}
