/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/time_text.h"
#include "reports/builder/report_cores.h"
#include "reports/records/record.h"
#include "reports/records/record_parts.h"
#include "reports/records/sums.h"

static unsigned int node_count(const struct build_input *input)
{
	return (unsigned int)(input->record_count + input->missing_count);
}

static bool find_activity(const struct build_input *input, int64_t *first, int64_t *last)
{
	*first = INT64_MAX;
	*last = -1;
	for (size_t i = 0; i < input->record_count; i++) {
		const struct record_progress *progress = &input->records[i]->progress;

		if (progress->first_activity_unix_ns >= 0 && progress->first_activity_unix_ns < *first)
			*first = progress->first_activity_unix_ns;
		if (progress->last_activity_unix_ns > *last)
			*last = progress->last_activity_unix_ns;
	}
	return *last >= *first;
}

/* Returns why the idle times are not known; NULL if they are. *@node: set to the node that lacks them, or NULL. */
static const char *idle_unknown(const struct build_input *input, const struct job_span *span, const char **node)
{
	*node = NULL;
	for (size_t i = 0; i < input->record_count; i++)
		if (!input->records[i]->progress.known) {
			*node = record_node(input->records[i]);
			return "the node record does not have it";
		}
	if (input->missing_count > 0) {
		*node = input->missing[0].node;
		return "the node's record is missing, and the job may have been active there";
	}
	return span->start_ns && span->end_ns ? NULL : "when the job began and ended is not known";
}

static void put_idle(const struct build_input *input, const struct job_span *span, struct report_progress *out,
		     struct making *making)
{
	static const char *const names[] = { REPORT_PATH(progress.idle_head_s), REPORT_PATH(progress.idle_tail_s) };
	int64_t first, last;
	const char *node, *reason = idle_unknown(input, span, &node);

	for (size_t i = 0; reason && i < 2 && !making_has_gap(making, "progress"); i++) {
		if (node && node_count(input) > 1)
			making_gapf(making, names[i], "%s: %s", node, reason);
		else
			making_gap(making, names[i], reason);
	}
	if (reason)
		return;
	if (!find_activity(input, &first, &last))
		first = last = span->end_ns; /* no node was active: all time is idle */
	out->idle_head_s.ns = first > span->start_ns ? first - span->start_ns : 0;
	out->idle_tail_s.ns = last < span->end_ns ? span->end_ns - last : 0;
}

struct stall {
	const struct record *record;
	const struct record_stall *of; /* belongs to record */
};

static int compare_stalls(const void *a, const void *b)
{
	const struct stall *one = a, *other = b;

	if (one->of->quiet_ns != other->of->quiet_ns)
		return one->of->quiet_ns > other->of->quiet_ns ? -1 : 1;
	return strcmp(record_node(one->record), record_node(other->record));
}

static void put_stall(const struct stall *stall, const struct merge_script *script, struct report *report,
		      struct report_stall_list *list)
{
	struct report_stall *out = REPORT_ADD(report, list, stall);
	const struct record_stall *of = stall->of;
	char time[TIME_TEXT];

	out->tool = report_copy(report, merge_tool_name(stall->record, of->tool, script));
	out->node = report_copy(report, record_node(stall->record));
	out->pid = of->pid;
	out->step = report_copy(report, of->step);
	if (of->start_unix_ns >= 0)
		out->start = report_copy(report, time_text(of->start_unix_ns, time));
	out->quiet_s.ns = of->quiet_ns;
}

static void put_stalls(const struct build_input *input, const struct merge_script *script, struct report_progress *out,
		       struct making *making)
{
	cleanup_free struct stall *stalls = NULL;
	size_t room = 0, used = 0, known = input->record_count == 0;

	for (size_t i = 0; i < input->record_count; i++) {
		if (input->records[i]->progress.stalls.known)
			known++;
		else if (!making_has_gap(making, "progress")) /* with this gap, the node has given the reason */
			sum_gap(making, "progress", "stalls", node_count(input), record_node(input->records[i]));
		room += input->records[i]->progress.stalls.count;
	}
	stalls = calloc(room + 1, sizeof(*stalls));
	if (!stalls)
		report_lacked(making->report);
	if (!stalls || !known)
		return;
	for (size_t i = 0; i < input->record_count; i++) {
		const struct record_stall_list *list = &input->records[i]->progress.stalls;

		for (size_t s = 0; s < list->count; s++)
			if (list->items[s].quiet_ns >= 0)
				stalls[used++] = (struct stall){ input->records[i], &list->items[s] };
	}
	qsort(stalls, used, sizeof(*stalls), compare_stalls);
	out->stalls.known = true;
	for (size_t i = 0; i < used && i < RECORD_STALLS_MAX; i++)
		put_stall(&stalls[i], script, making->report, &out->stalls);
}

void progress_put_cores(const struct build_input *input, struct report_progress *out, struct making *making)
{
	struct report_unused_core_list unused = { .known = true };
	int64_t bound = 0, used = 0, here, count;

	for (size_t i = 0; i < input->record_count; i++) {
		if (!cores_put_unused(input->records[i], making->report, &unused, &here)) {
			sum_gap(making, "progress", "cores_unused", node_count(input), record_node(input->records[i]));
			return;
		}
		cores_count(input->records[i], &count);
		bound += count;
		used += here;
	}
	out->cores_unused = unused;
	out->cores_used = used;
	out->cores_bound = bound;
}

void progress_put(const struct build_input *input, const struct job_span *span, const struct merge_script *script,
		  struct report_progress *out, struct making *making)
{
	put_idle(input, span, out, making);
	put_stalls(input, script, out, making);
}
