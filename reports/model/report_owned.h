/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structure behind each report that report_new() made. Only for the files of this folder. */
#ifndef STINT_REPORT_OWNED_H
#define STINT_REPORT_OWNED_H

#include <stdbool.h>
#include <stddef.h>

#include "common/memory/arena.h"
#include "reports/model/report.h"

/* Has room for any object of a list. */
#define REPORT_ITEM(name, list, ...) struct report_##name name;
union report_item {
	REPORT_OBJECTS(REPORT_ITEM)
};
#undef REPORT_ITEM

/* A report whose memory another one needs. */
struct kept_report {
	struct report *report;
	struct kept_report *next;
};

struct owned_report {
	struct report report; /* comes first: callers have a pointer to it */
	struct arena arena;
	char *text;
	struct kept_report *kept; /* of report_keep(); they lie in the arena */
	unsigned int owners;
	bool lacks_memory; /* there was no memory for something that was to be put into the report */
	union report_item spare[2]; /* where such an item goes, and where the items of its lists go */
};

static inline struct owned_report *report_owner(struct report *report)
{
	return (struct owned_report *)report;
}

#endif
