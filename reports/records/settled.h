/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a node's record that a report only copies: the timeline, the steps' tasks, the cores, the series.
 * builder/settle.h makes it as soon as the record is read, and it replaces their JSON, which takes several times as
 * much memory. It lives as long as the record. Its memory lives as long as any report that keeps its part
 * (report_keep()).
 */
#ifndef STINT_SETTLED_H
#define STINT_SETTLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "reports/model/report.h"

struct settled {
	struct report *part; /* its memory holds everything. Has the timeline, in the record's order, and the series with its gaps */
	int64_t *starts; /* of its timeline's entries, in ns since 1970 */
	bool *judged; /* which of them the verdict looks at (kept.h) */
	struct report_task_list *tasks; /* one list for each of the record's steps, in the record's order */
	size_t steps;
	struct report_core_list cores;
};

/* Returns an empty one, for settled_attach(); NULL if out of memory. */
struct settled *settled_new(void);

/* Attaches @settled to @record, which has none yet. */
void settled_attach(struct json_object *record, struct settled *settled);

/* Returns the settled part of @record; NULL: there is none. */
const struct settled *settled_of(struct json_object *record);

#endif
