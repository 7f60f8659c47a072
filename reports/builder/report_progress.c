/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/builder/report_progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "reports/builder/report_cores.h"
#include "reports/json/field.h"
#include "reports/json/gaps.h"
#include "reports/records/record_input.h"
#include "reports/records/sums.h"

static unsigned int node_count(const struct build_input *input)
{
	return (unsigned int)(input->record_count + input->missing_count);
}

/* ---- idle times before and after all that the job did ---- */

/* Finds the first activity and the last one on any node. False when no node was active. */
static bool find_activity(const struct build_input *input, int64_t *first, int64_t *last)
{
	int64_t ns;

	*first = INT64_MAX;
	*last = -1;
	for (size_t i = 0; i < input->record_count; i++) {
		if (field_count(input->records[i], "progress.first_activity_unix_ns", &ns) && ns < *first)
			*first = ns;
		if (field_count(input->records[i], "progress.last_activity_unix_ns", &ns) && ns > *last)
			*last = ns;
	}
	return *last >= *first;
}

/* Returns why idle times are not known, or NULL when they are. *@node: the node whose record lacks them, or NULL. */
static const char *idle_unknown(const struct build_input *input, const struct job_span *span, const char **node)
{
	*node = NULL;
	for (size_t i = 0; i < input->record_count; i++)
		if (!field_typed(input->records[i], "progress", json_type_object)) {
			*node = record_node(input->records[i]);
			return "the node record does not have it";
		}
	if (input->missing_count > 0) {
		*node = input->missing[0].node;
		return "its record is missing, and it may have been active";
	}
	return span->start_ns && span->end_ns ? NULL : "when the job began and ended is not known";
}

static void put_idle(const struct build_input *input, const struct job_span *span, struct json_object *out,
		     struct json_object *gaps)
{
	static const char *const names[] = { "progress.idle_head_s", "progress.idle_tail_s" };
	int64_t first, last;
	const char *node, *reason = idle_unknown(input, span, &node);

	for (size_t i = 0; reason && i < 2 && !gaps_have(gaps, "progress"); i++) {
		if (node && node_count(input) > 1)
			gaps_addf(gaps, names[i], "%s: %s", node, reason);
		else
			gaps_add(gaps, names[i], reason);
	}
	if (reason)
		return;
	if (!find_activity(input, &first, &last))
		first = last = span->end_ns; /* it was idle all the time */
	put_seconds(out, "idle_head_s", first > span->start_ns ? first - span->start_ns : 0);
	put_seconds(out, "idle_tail_s", last < span->end_ns ? span->end_ns - last : 0);
}

/* ---- processes that lived on and used nothing ---- */

struct stall {
	struct json_object *json, *record;
	int64_t quiet_ns;
};

static int compare_stalls(const void *a, const void *b)
{
	const struct stall *one = a, *other = b;

	if (one->quiet_ns != other->quiet_ns)
		return one->quiet_ns > other->quiet_ns ? -1 : 1;
	return strcmp(record_node(one->record), record_node(other->record));
}

static struct json_object *stall_object(const struct stall *stall, const struct merge_script *script)
{
	struct json_object *out = json_object_new_object();
	int64_t value;

	put_text(out, "tool", merge_tool_name(stall->record, stall->json, script));
	put_text(out, "node", record_node(stall->record));
	if (field_count(stall->json, "pid", &value))
		put_count(out, "pid", value);
	put_text(out, "step", field_text(stall->json, "step"));
	if (field_count(stall->json, "start_unix_ns", &value))
		put_time(out, "start", value);
	put_seconds(out, "quiet_s", stall->quiet_ns);
	return out;
}

static struct json_object *stalls_of(struct json_object *record)
{
	return field_typed(record, "progress.stalls", json_type_array);
}

static void put_stalls(const struct build_input *input, const struct merge_script *script, struct json_object *out,
		       struct json_object *gaps)
{
	cleanup_free struct stall *stalls = NULL;
	size_t room = 0, used = 0, known = input->record_count == 0;
	struct json_object *list;

	for (size_t i = 0; i < input->record_count; i++) {
		if (stalls_of(input->records[i]))
			known++;
		else if (!gaps_have(gaps, "progress")) /* the node said why */
			sum_gap(gaps, "progress", "stalls", node_count(input), record_node(input->records[i]));
		room += field_length(stalls_of(input->records[i]));
	}
	stalls = calloc(room + 1, sizeof(*stalls));
	if (!stalls || !known)
		return;
	for (size_t i = 0; i < input->record_count; i++)
		for (size_t s = 0; s < field_length(stalls_of(input->records[i])); s++) {
			struct stall stall = { .record = input->records[i] };

			stall.json = json_object_array_get_idx(stalls_of(stall.record), s);
			if (field_count(stall.json, "quiet_ns", &stall.quiet_ns))
				stalls[used++] = stall;
		}
	qsort(stalls, used, sizeof(*stalls), compare_stalls);
	list = put_array(out, "stalls");
	for (size_t i = 0; i < used && i < RECORD_STALLS_MAX; i++)
		json_object_array_add(list, stall_object(&stalls[i], script));
}

/* ---- cores ---- */

void progress_put_cores(const struct build_input *input, struct json_object *out, struct json_object *gaps)
{
	struct json_object *unused = json_object_new_array();
	int64_t bound = 0, used = 0, here, count;

	for (size_t i = 0; i < input->record_count; i++) {
		if (!cores_put_unused(input->records[i], unused, &here)) {
			sum_gap(gaps, "progress", "cores_unused", node_count(input), record_node(input->records[i]));
			json_object_put(unused);
			return;
		}
		cores_count(input->records[i], &count);
		bound += count;
		used += here;
	}
	json_object_object_add(out, "cores_unused", unused);
	put_count(out, "cores_used", used);
	put_count(out, "cores_bound", bound);
}

void progress_put(const struct build_input *input, const struct job_span *span, const struct merge_script *script,
		  struct json_object *out, struct json_object *gaps)
{
	put_idle(input, span, out, gaps);
	put_stalls(input, script, out, gaps);
}
