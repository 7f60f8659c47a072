/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The structure behind each report of report_new(). Only for this folder. */
#ifndef STINT_REPORT_OWNED_H
#define STINT_REPORT_OWNED_H

#include <stdbool.h>
#include <stddef.h>

#include "common/memory/arena.h"
#include "reports/model/report.h"

/* Room for an object of any list. */
#define REPORT_ITEM(name, list, ...) struct report_##name name;
union report_item {
	REPORT_OBJECTS(REPORT_ITEM)
};
#undef REPORT_ITEM

/* A report that another report points into. */
struct kept_report {
	struct report *report;
	struct kept_report *next;
};

struct owned_report {
	struct report report; /* first, because callers have a pointer to it */
	struct arena arena;
	char *text;
	struct kept_report *kept; /* reports that report_keep() added; the list is in the arena */
	unsigned int owners;
	bool lacks_memory; /* the report lacks something because memory ran out */
	union report_item spare[2]; /* what report_add() returns if out of memory: an item, and an item of its lists */
};

static inline struct owned_report *report_owner(struct report *report)
{
	return (struct owned_report *)report;
}

#endif
