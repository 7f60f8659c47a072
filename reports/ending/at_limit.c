/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/at_limit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/time_text.h"
#include "reports/ending/known_programs.h"
#include "reports/ending/left_behind.h"
#include "reports/model/report_gaps.h"

/* A process that ran when the job ended. */
struct running {
	const struct report_entry *entry;
	const char *tool, *node;
	int64_t start_us;
	bool late;  /* started in the second in which the job ended; Slurm's times are whole seconds */
	bool quiet; /* only slept or waited */
	bool leaf;
};

struct search {
	int64_t end_us; /* end of the job, in whole seconds */
	struct running *list;
	size_t count;
};

static bool is_whole(const struct report *report)
{
	const struct report_count_map *lost = &report->lost;

	for (size_t i = 0; i < lost->count; i++)
		if (report_text_is(lost->items[i].name, "process_records") && lost->items[i].value != 0)
			return false;
	return report->complete.value && !report_has_gap(&report->gaps, "timeline") && !report_has_gap(&report->gaps, "used") &&
	       !report_has_gap(&report->gaps, "job.start"); /* with this gap, the end may not come from Slurm */
}

/* Adds @entry if it ran at the job's end. Returns false if this is not known. */
static bool add_entry(struct search *search, const struct report_entry *entry)
{
	int64_t start_us, end_us;

	if (entry->slurm || report_text_is(entry->step, "extern"))
		return true;
	if (!entry->tool || !time_parse(entry->start, &start_us) || !time_parse(entry->end, &end_us))
		return false;
	if (end_us < search->end_us || start_us >= search->end_us + US_PER_S)
		return true;
	if (entry->count > 1 || entry->pid < 0)
		return false;
	search->list[search->count++] = (struct running){
		.entry = entry,
		.tool = entry->tool,
		.node = entry->node ? entry->node : "",
		.start_us = start_us,
		.late = start_us > search->end_us,
		.quiet = left_behind_is_quiet(entry),
		.leaf = true,
	};
	return true;
}

static int compare_processes(const char *node, int64_t pid, const char *other_node, int64_t other_pid)
{
	if (pid != other_pid)
		return pid < other_pid ? -1 : 1;
	return strcmp(node, other_node);
}

static int by_parent(const void *a, const void *b)
{
	const struct running *one = a, *other = b;

	return compare_processes(one->node, one->entry->ppid, other->node, other->entry->ppid);
}

static int is_parent_of(const void *a, const void *b)
{
	const struct running *one = a, *child = b;

	return compare_processes(one->node, one->entry->pid, child->node, child->entry->ppid);
}

static void find_leaves(struct search *search)
{
	qsort(search->list, search->count, sizeof(*search->list), by_parent);
	for (size_t i = 0; i < search->count; i++)
		search->list[i].leaf = !bsearch(&search->list[i], search->list, search->count, sizeof(*search->list), is_parent_of);
}

static int by_tool(const void *a, const void *b)
{
	const struct running *one = a, *other = b;
	int order = strcmp(one->tool, other->tool);

	if (order)
		return order;
	return one->start_us < other->start_us ? -1 : one->start_us > other->start_us;
}

static bool is_of_work(const struct running *running)
{
	return running->leaf && !running->late && !programs_is_launcher(running->tool);
}

static double at_work_s(const struct at_limit_tool *tool)
{
#define STATE_TIME(state, member, time) time,
	static const enum thread_time times[] = { THREAD_STATES(STATE_TIME) };
#undef STATE_TIME
	double sum = 0;

	for (size_t i = 0; i < AT_LIMIT_STATE_COUNT; i++)
		if ((times[i] == TIME_AT_WORK || times[i] == TIME_READY) && tool->state_s[i] > 0)
			sum += tool->state_s[i];
	return sum;
}

/* An entry leaves out times that are 0. */
static double state_s(const struct report_entry *entry, struct report_seconds time)
{
	return !entry->states.known ? NAN : time.ns > 0 ? report_s(time) : 0;
}

static void add_times(struct at_limit_tool *tool, const struct report_entry *entry)
{
#define ADD_STATE(state, member, time) tool->state_s[AT_LIMIT_##state] += state_s(entry, entry->states.member);
	THREAD_STATES(ADD_STATE)
#undef ADD_STATE
	tool->wall_s += report_s(entry->wall_s);
}

/*
 * Fills @tool from @list, which has all @count running processes of the tool.
 * Returns false if the tool was not at work.
 * @quiet_too: a tool that only slept or waited counts as at work.
 */
static bool read_tool(const struct search *search, const struct running *list, size_t count, bool quiet_too, struct at_limit_tool *tool)
{
	bool any = false;

	*tool = (struct at_limit_tool){ .name = list[0].tool };
	tool->running_s = (double)(search->end_us - list[0].start_us) / (double)US_PER_S;
	for (size_t i = 0; i < count; i++) {
		if (!is_of_work(&list[i]))
			continue;
		add_times(tool, list[i].entry);
		any = any || quiet_too || !list[i].quiet;
	}
	return any;
}

/* Counts @tool. If it was at work longer than one of the named tools, puts it among them. */
static void add_tool(struct at_limit *found, const struct at_limit_tool *tool)
{
	size_t place = found->tools < AT_LIMIT_NAMED ? found->tools : AT_LIMIT_NAMED;

	found->tools++;
	for (; place > 0 && at_work_s(tool) > at_work_s(&found->named[place - 1]); place--)
		if (place < AT_LIMIT_NAMED)
			found->named[place] = found->named[place - 1];
	if (place < AT_LIMIT_NAMED)
		found->named[place] = *tool;
}

static void find_tools(struct at_limit *found, const struct search *search, bool quiet_too)
{
	struct at_limit_tool tool;
	size_t next;

	for (size_t i = 0; i < search->count; i = next) {
		for (next = i + 1; next < search->count && strcmp(search->list[next].tool, search->list[i].tool) == 0;)
			next++;
		if (read_tool(search, &search->list[i], next - i, quiet_too, &tool))
			add_tool(found, &tool);
	}
}

static bool find_running(struct search *search, const struct report_entry_list *timeline)
{
	search->list = calloc(timeline->count + 1, sizeof(*search->list));
	if (!search->list)
		return false;
	for (size_t i = 0; i < timeline->count; i++)
		if (!add_entry(search, &timeline->items[i]))
			return false;
	return true;
}

void at_limit_find(struct at_limit *found, const struct report *report, const struct report_entry_list *timeline)
{
	struct search search = { .list = NULL };

	*found = (struct at_limit){ .tools = 0 };
	if (is_whole(report) && time_parse(report->job.end, &search.end_us) && find_running(&search, timeline)) {
		find_leaves(&search);
		qsort(search.list, search.count, sizeof(*search.list), by_tool);
		find_tools(found, &search, false);
		if (found->tools == 0)
			find_tools(found, &search, true);
	}
	free(search.list);
}
