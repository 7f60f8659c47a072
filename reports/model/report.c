/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report.h"

#include <stdlib.h>

#include "common/memory/arena.h"
#include "reports/model/report_owned.h"
#include "reports/model/report_tables.h"

struct report *report_new(char *text)
{
	struct owned_report *owned = malloc(sizeof(*owned));

	if (!owned)
		return NULL;
	report_whole()->forget(&owned->report);
	owned->report.known = true;
	owned->arena = (struct arena){ 0 };
	owned->text = text;
	owned->kept = NULL;
	owned->lacks_memory = false;
	owned->owners = 1;
	return &owned->report;
}

struct arena *report_arena(struct report *report)
{
	return &report_owner(report)->arena;
}

const struct report_node *report_node_named(const struct report *report, const char *name)
{
	for (size_t i = 0; i < report->nodes.count; i++)
		if (report_text_is(report->nodes.items[i].name, name))
			return &report->nodes.items[i];
	return NULL;
}

struct report *report_share(struct report *report)
{
	report_owner(report)->owners++;
	return report;
}

void report_free(struct report *report)
{
	if (!report || --report_owner(report)->owners > 0)
		return;
	for (struct kept_report *kept = report_owner(report)->kept; kept; kept = kept->next)
		report_free(kept->report);
	arena_free(report_arena(report));
	free(report_owner(report)->text);
	free(report);
}
