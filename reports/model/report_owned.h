/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines the structure behind each report that report_new() made. Only files in this folder may use it. */
#ifndef STINT_REPORT_OWNED_H
#define STINT_REPORT_OWNED_H

#include <stdbool.h>
#include <stddef.h>

#include "common/memory/arena.h"
#include "reports/model/report.h"

/* A union that has room for an object of any list. */
#define REPORT_ITEM(name, list, ...) struct report_##name name;
union report_item {
	REPORT_OBJECTS(REPORT_ITEM)
};
#undef REPORT_ITEM

/* A report that is kept because another report points into its memory. */
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
	bool lacks_memory; /* true if the report lacks something because there was no memory for it */
	union report_item spare[2]; /* a place for an item for which there is no memory, and one for items of that item's lists */
};

static inline struct owned_report *report_owner(struct report *report)
{
	return (struct owned_report *)report;
}

#endif
