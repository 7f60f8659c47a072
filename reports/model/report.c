/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/model/report.h"

#include <stdlib.h>

#include "common/memory/arena.h"
#include "reports/model/report_tables.h"

struct owned_report {
	struct report report; /* comes first: it is what others have */
	struct arena arena;
	char *text;
};

struct report *report_new(char *text)
{
	struct owned_report *owned = malloc(sizeof(*owned));

	if (!owned)
		return NULL;
	report_whole()->forget(&owned->report);
	owned->report.known = true;
	owned->arena = (struct arena){ 0 };
	owned->text = text;
	return &owned->report;
}

static struct owned_report *owned_of(struct report *report)
{
	return (struct owned_report *)report;
}

struct arena *report_arena(struct report *report)
{
	return &owned_of(report)->arena;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	arena_free(report_arena(report));
	free(owned_of(report)->text);
	free(report);
}
