/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structure behind each report that report_new() made. Only files in this folder may use it. */
#ifndef STINT_REPORT_OWNED_H
#define STINT_REPORT_OWNED_H

#include <stdbool.h>
#include <stddef.h>

#include "common/memory/arena.h"
#include "reports/model/report.h"

/* A union with room for any object of a list. */
#define REPORT_ITEM(name, list, ...) struct report_##name name;
union report_item {
	REPORT_OBJECTS(REPORT_ITEM)
};
#undef REPORT_ITEM

/* A report whose memory another report needs. */
struct kept_report {
	struct report *report;
	struct kept_report *next;
};

struct owned_report {
	struct report report; /* must be the first member, because callers have a pointer to it */
	struct arena arena;
	char *text;
	struct kept_report *kept; /* the reports that report_keep() added; the list is in the arena */
	unsigned int owners;
	bool lacks_memory; /* the report lacks something for which there was no memory */
	union report_item spare[2]; /* the place for an item without memory, and the place for the items of its lists */
};

static inline struct owned_report *report_owner(struct report *report)
{
	return (struct owned_report *)report;
}

#endif
