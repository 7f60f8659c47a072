/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/ending/parts.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>

#include "common/time_text.h"

#define NS_PER_US INT64_C(1000)

const struct report_step *parts_batch_step(const struct report *report)
{
	for (size_t i = 0; i < report->steps.count; i++)
		if (report_text_is(report->steps.items[i].id, "batch"))
			return &report->steps.items[i];
	return NULL;
}

int64_t parts_script_pid(const struct report *report)
{
	const struct report_step *batch = parts_batch_step(report);

	return batch && batch->tasks.count > 0 ? batch->tasks.items[0].pid : REPORT_UNKNOWN;
}

const struct report_tool *parts_tool(const struct report *report, const char *name)
{
	for (size_t i = 0; i < report->tools.count; i++) {
		const struct report_tool *tool = &report->tools.items[i];

		if (report_text_is(tool->name, name) && !tool->slurm.value)
			return tool;
	}
	return NULL;
}

int64_t parts_victims(const struct report *report, const char *name)
{
	int64_t count = 0;

	for (size_t i = 0; i < report->oom.count; i++)
		count += report_text_is(report->oom.items[i].tool, name);
	return count;
}

bool parts_is_of_srun(const struct report_step *step)
{
	return step->id && isdigit((unsigned char)step->id[0]);
}

static bool is_same_node(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

bool parts_is_child(const struct report_entry *entry, const struct report_entry *parent)
{
	return parent->pid >= 0 && entry->ppid == parent->pid && report_text_is(entry->step, parent->step) &&
	       is_same_node(entry->node, parent->node);
}

const struct report_entry *parts_parent(const struct report_entry_list *timeline, const struct report_entry *entry,
					const struct report_entry *last)
{
	for (size_t i = last ? (size_t)(last - timeline->items) + 1 : 0; i < timeline->count; i++)
		if (parts_is_child(entry, &timeline->items[i]))
			return &timeline->items[i];
	return NULL;
}

int64_t parts_shell_code(int64_t status)
{
	int wait_status = (int)(status & 0xffff);

	return WIFSIGNALED(wait_status) ? SIGNAL_CODE + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

bool parts_end(const struct report_entry *entry, int64_t *end_ns)
{
	int64_t end_us;

	if (!entry)
		return false;
	if (entry->end_unix_ns >= 0) {
		*end_ns = entry->end_unix_ns;
		return true;
	}
	if (!time_parse(entry->end, &end_us))
		return false;
	return !__builtin_mul_overflow(end_us, NS_PER_US, end_ns); /* only a forged report overflows */
}
